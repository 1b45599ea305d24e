// SPDX-License-Identifier: MIT
//
// What the handles of a frame stand for: a job, several that were combined, or what a system
// returned. A later frame still looks here: its jobs may wait for those of the frame before.

#pragma once

#include "base/list.h"
#include "oxbow/jobs.h"

/// One handle.
typedef struct oxi_frame_handle {
    uint64_t value;
    int job;          ///< place of the job in its frame; -1: it is none
    uint32_t first;   ///< of a combination: where its parts begin
    uint32_t count;   ///< of its parts; 0: it is none
    const char *name; ///< of the job, or of the system that returned it; NULL: not known
    ox_site site;     ///< where the job was scheduled
} oxi_frame_handle;

/// The handles of one frame. {0} has none, and owns nothing.
typedef struct oxi_frame_handles {
    OXI_LIST(oxi_frame_handle) items;
    OXI_LIST(ox_job) parts;
    OXI_LIST(uint32_t) slots; ///< 1 + a place in `items`, by hash; 0: empty. At most half are used
} oxi_frame_handles;

/// Each notes a handle. @return false when out of memory, with nothing noted.
bool oxi_handles_add_job(oxi_frame_handles *all, const oxi_hooks *heap,
                         const oxi_frame_handle *job);
bool oxi_handles_add_parts(oxi_frame_handles *all, const oxi_hooks *heap, ox_job combined,
                           const ox_job *parts, uint32_t count);
bool oxi_handles_add_returned(oxi_frame_handles *all, const oxi_hooks *heap, ox_job returned,
                              const char *system);

/// What is known of a handle; NULL when that is nothing.
const oxi_frame_handle *oxi_handles_find(const oxi_frame_handles *all, ox_job job);

/// Forgets all handles, and keeps the memory.
void oxi_handles_clear(oxi_frame_handles *all);
void oxi_handles_free(oxi_frame_handles *all, const oxi_hooks *heap);
