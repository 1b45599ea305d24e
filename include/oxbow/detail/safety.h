// SPDX-License-Identifier: MIT
//
// Private: how files with checks let the safety system look at jobs.

#pragma once

#include "oxbow/safety.h"

/// Lets the safety system look at jobs. Every file with checks that includes this header does it
/// before main.
OX_API void oxi_safety_install(void);

#if OX_SAFETY >= 1
OXI_AT_START(oxi_safety_at_start) {
    oxi_safety_install();
}
#endif
