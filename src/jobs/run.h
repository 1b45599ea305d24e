// SPDX-License-Identifier: MIT
//
// What runs on this thread: the rooms above ask it whose code is calling.

#pragma once

#include "base/platform.h"
#include "oxbow/jobs.h"

/// A job, or a range of a parallel one, while it runs. All 0 outside of jobs.
typedef struct oxi_run {
    const char *name;
    uint32_t order; ///< number of the job in the order of scheduling, never 0
    uint32_t first; ///< first index of the range that this thread claimed
    uint32_t begin; ///< of the batch, or of the whole claimed range at level 0
    uint32_t end;   ///< 0 in a single job
} oxi_run;

/// Looked at by every recording and every write of a job.
extern _Thread_local oxi_run oxi_this_run OXI_NEAR_TLS;
