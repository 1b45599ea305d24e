// SPDX-License-Identifier: MIT
//
// Handles to buffers, as the units of this room make them.

#pragma once

#include "entities/query.h"
#include "oxbow/buffers.h"

/// A handle to a buffer in a row, for a job that may use it: it does not ask its world.
ox_buffer oxi_buffer_make(const oxi_buffer_kind *kind, void *head, bool writes);

/// The same for a column of buffers, from a row on. NULL makes {0}.
ox_buffers oxi_buffers_make(const oxi_buffer_kind *kind, void *heads, int first, bool writes);

/// Moves whenever rows of a world may have moved, or belong to jobs.
static inline uint64_t oxi_buffer_now(const ox_world *world) {
    return world->store.change_count + world->schedule_count;
}
