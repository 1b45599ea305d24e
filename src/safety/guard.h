// SPDX-License-Identifier: MIT
//
// The safety system as a whole, for tests.

#pragma once

/// Gives all memory of the safety system back. No container may live, and no job be outstanding.
/// Does nothing in the release library.
void oxi_safety_reset(void);
