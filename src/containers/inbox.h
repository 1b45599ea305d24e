// SPDX-License-Identifier: MIT
//
// The inbox of a container that grows: what its parallel writers wrote, until somebody takes it.
//
// Jobs add. The first other use of the container settles: it takes everything over, in the order of
// keys. Several readers may come at once, so settling is done under a lock, and who finds nothing
// pending sees all that was settled before.

#pragma once

#include "base/platform.h"
#include "containers/segments.h"

typedef struct oxi_inbox {
    oxi_atomic_u32 *pending; ///< a word of the container: 1 while there is something to settle
    oxi_atomic_ptr segments; ///< made by the first write
    oxi_mutex lock;
    ox_allocator allocator;
    uint32_t align;
} oxi_inbox;

/// An empty inbox. `pending` is a word that headers read as a plain number; it becomes 0.
void oxi_inbox_init(oxi_inbox *inbox, uint32_t *pending, uint32_t align, ox_allocator allocator);

/// Frees everything that is in it, at the end of its container.
void oxi_inbox_free(oxi_inbox *inbox, ox_site site);

/// Room for `size` bytes behind what this range of this job has added before. In jobs only.
/// @return NULL after a report, with nothing added.
void *oxi_inbox_add(oxi_inbox *inbox, size_t size, ox_site site);

/// Acquire: who finds false sees what was settled.
static inline bool oxi_inbox_is_pending(oxi_inbox *inbox) {
    return oxi_load_acquire(inbox->pending) != 0;
}

/// How many bytes are pending. The caller holds the lock.
size_t oxi_inbox_get_size(oxi_inbox *inbox);

/// Takes spans of `size` bytes in all into a container, all or nothing.
/// @return false after a report.
typedef bool oxi_inbox_fn(void *container, const oxi_spans *spans, size_t size, ox_site site);

/// Hands what is pending to `take`, and empties the inbox when that succeeds. Any reader.
/// @return false after a report: all stays pending.
bool oxi_inbox_settle(oxi_inbox *inbox, oxi_inbox_fn *take, void *container, ox_site site);

/// Forgets what is pending.
void oxi_inbox_clear(oxi_inbox *inbox);

/// True when a writer may be made: of a container that is alive, whoever uses it meanwhile; else
/// reports. `state` is not looked into.
bool oxi_writer_require_container(ox_access access, const void *state, const char *kind,
                                  ox_site site);

/// Reports that a writer is used on a thread that runs no job. @return false.
bool oxi_writer_refuse_stranger(ox_access access, const char *kind, ox_site site);
