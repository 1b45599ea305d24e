// SPDX-License-Identifier: MIT
//
// Jobs of users that are not over entities, and hold views or lookups.

#pragma once

/// Lets the room know of them from here on: before the first view or lookup is given out. Any
/// thread.
void oxi_plain_jobs_watch(void);
