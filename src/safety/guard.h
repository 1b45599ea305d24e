// SPDX-License-Identifier: MIT
//
// The safety system as a whole.

#pragma once

#include "oxbow/base.h"

#if OX_SAFETY >= 1

/// Says on whose behalf this thread schedules jobs from here on, such as a system; NULL is nobody
/// in particular. It is compared and never looked into. @return who it was before.
const void *oxi_safety_set_party(const void *party);

#else

static inline const void *oxi_safety_set_party(const void *party) {
    (void)party;
    return NULL;
}

#endif

/// For tests: gives all memory of the safety system back. No container may live, and no job be
/// outstanding. Does nothing in the release library.
void oxi_safety_reset(void);
