// SPDX-License-Identifier: MIT
//
// Temp memory of the calling thread, and TempJob memory.

#pragma once

#include "base/atomics.h"
#include "oxbow/memory.h"

/// The number of the present frame. Changed by ox_frame_end_at only.
extern oxi_atomic_u64 oxi_frame;

/// Temp memory: NULL when out of memory. `site` is kept by libraries with checks.
void *oxi_temp_alloc(size_t size, size_t align, ox_site site);

/// Frees Temp memory of this thread; anything else is reported.
void oxi_temp_free(void *block, size_t size, size_t align, ox_site site);

/// Frees what the calling thread allocated before the present frame, outside of scopes.
void oxi_temp_begin_frame(void);

/// How many scopes are open on this thread, that of a job included.
uint32_t oxi_temp_get_depth(void);

/// Whether this thread runs a job: then Temp memory lives until the job returns. The scope is
/// opened by the first use of Temp memory, so a job without any costs two plain accesses.
typedef enum oxi_temp_use {
    OXI_TEMP_NO_JOB = 0,
    OXI_TEMP_UNUSED, ///< a job runs, and has not used Temp memory
    OXI_TEMP_USED,
} oxi_temp_use;
extern _Thread_local oxi_temp_use oxi_temp_job;

/// Ends the scope that was opened for a job.
void oxi_temp_end_job(void);

/// Lets `function` run once when the job, or the range of a parallel one, that runs on this thread
/// returns. One function at a time; the same one again changes nothing.
void oxi_temp_at_job_end(void (*function)(void));

/// A job, or a range of a parallel one, begins on this thread. They do not nest.
static inline void oxi_temp_enter_job(void) {
    oxi_temp_job = OXI_TEMP_UNUSED;
}

/// It returns.
static inline void oxi_temp_leave_job(void) {
    if (oxi_temp_job == OXI_TEMP_USED) {
        oxi_temp_end_job();
    }
    oxi_temp_job = OXI_TEMP_NO_JOB;
}

/// Gives blocks that hold nothing back to the heap.
void oxi_temp_trim(void);

/// TempJob memory: NULL when out of memory.
void *oxi_temp_job_alloc(size_t size, size_t align);

/// Frees it, on any thread, with the size and alignment it was allocated with.
void oxi_temp_job_free(void *block, size_t size, size_t align);

/// Gives spare blocks, and this thread's own if it holds nothing, back to the heap.
void oxi_temp_job_trim(void);
