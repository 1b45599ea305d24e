// SPDX-License-Identifier: MIT
//
// Private: how files with checks install the safety system.

#pragma once

#include "oxbow/safety.h"

/// Installs the safety system, which then checks jobs. Every file with checks that includes this
/// header calls it before main.
OX_API void oxi_safety_install(void);

#if OX_SAFETY >= 1
OXI_AT_START(oxi_safety_at_start) {
    oxi_safety_install();
}
#endif
