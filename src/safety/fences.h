// SPDX-License-Identifier: MIT
//
// Fences: jobs and combinations that nobody completed, with what they wait for and what they hold.
//
// A job that has finished is not synced: its fence lives until complete is called on it or on
// something that depends on it, whatever its slot does. A job that holds nothing and waits for
// nothing that is fenced needs none. Main only, no locks.

#pragma once

#include "safety/nodes.h"

#if OX_SAFETY >= 1

/// What a fence does with one container. Uses of a node form a list, and so do those of a fence.
typedef struct oxi_use {
    uint32_t fence;
    uint32_t node; ///< 0: a later writer took its place
    uint32_t next_of_node;
    uint32_t prev_of_node;
    uint32_t next_of_fence;
    bool writes;
    bool is_view; ///< the job holds a view and cannot resize
} oxi_use;

/// A job, as reports name it.
typedef struct oxi_fence_info {
    const char *name;
    ox_site site;
    const void *party; ///< on whose behalf it was scheduled, see oxi_safety_set_party
} oxi_fence_info;

/// Makes room for a fence with so many predecessors and uses. @return false when out of memory.
bool oxi_fence_reserve(size_t after_count, size_t use_count);

/// Adds the fence of a job, for which room was reserved. 0 when it needs none.
uint32_t oxi_fence_add(ox_job job, oxi_fence_info info, const ox_job *after, int count,
                       bool has_uses);

/// Notes that a fence uses a container: a writer takes the place of all others, which it covers.
void oxi_fence_use(uint32_t fence, uint32_t token, const oxi_use *use);

/// The first use of a container that `after` does not cover and that stands in the way of reading,
/// or of writing. NULL when there is none.
const oxi_use *oxi_fence_find_conflict(const oxi_node *node, bool writes, ox_job after);

/// True when nobody has to wait for a job who waits for a handle: it is synced, or is the handle,
/// or the handle depends on it.
bool oxi_fence_covers(ox_job handle, ox_job job);

/// Removes the fences of a job and of everything it depends on: they are synced.
void oxi_fence_sync(ox_job job);

/// True when a job was completed, or is a combination of such jobs alone: its fence is removed
/// then.
bool oxi_fence_is_synced(ox_job job);

/// The fence of a job that was not completed, or 0.
uint32_t oxi_fence_of_job(ox_job job);

/// Who a fence belongs to.
ox_job oxi_fence_get_job(uint32_t fence);
oxi_fence_info oxi_fence_get_info(uint32_t fence);

/// Fences that live.
uint32_t oxi_fence_count(void);

/// Readers and the writer of a container that were not completed. `writer` is 0 when there is none.
uint32_t oxi_fence_count_readers(const oxi_node *node, uint32_t *writer);

/// Removes all fences.
void oxi_fence_sync_all(void);

/// For tests: gives all memory back.
void oxi_fences_reset(void);

#endif
