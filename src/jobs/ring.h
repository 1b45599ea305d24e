// SPDX-License-Identifier: MIT
//
// A queue with one thread that puts in and many that take out, several at a time, first in first
// out.

#pragma once

#include "base/atomics.h"
#include "oxbow/base.h"

#ifndef OXI_RING_SIZE
#define OXI_RING_SIZE 1024 ///< entries at the start; a power of two
#endif
enum { OXI_RING_MOST = 32 }; ///< entries that one take gets at most

typedef struct oxi_ring_array {
    struct oxi_ring_array *before; ///< smaller ones that were outgrown, for readers that still look
    uint64_t mask;
    oxi_atomic_u64 entries[];
} oxi_ring_array;

typedef struct oxi_ring {
    _Alignas(64) oxi_atomic_u64 head; ///< taken up to here
    _Alignas(64) oxi_atomic_u64 tail; ///< published up to here; written by the owner alone
    oxi_atomic_ptr array;
    uint64_t next; ///< the owner's own end: entries from `tail` to here are not published yet
} oxi_ring;

/// Makes an empty ring. @return false when out of memory.
bool oxi_ring_create(oxi_ring *ring);

/// Frees the ring. No thread may look at it.
void oxi_ring_destroy(oxi_ring *ring);

/// Owner: adds an entry, not visible yet. @return false when out of memory, with nothing added.
bool oxi_ring_push(oxi_ring *ring, uint64_t entry);

/// Owner: makes all that was added visible. A seq_cst store: a look at who sleeps may follow.
void oxi_ring_publish(oxi_ring *ring);

/// Owner: true when something was added and is not visible.
static inline bool oxi_ring_has_unpublished(const oxi_ring *ring) {
    return oxi_load_relaxed(&ring->tail) != ring->next;
}

/// Any thread: takes a fair share for one of `takers` threads, at least one entry if there is one.
/// @return how many were written to `entries`, at most OXI_RING_MOST.
int oxi_ring_take(oxi_ring *ring, uint32_t takers, uint64_t *entries);

/// Any thread: the entry that would be taken next, or 0. It may be gone already.
uint64_t oxi_ring_peek(oxi_ring *ring);

/// Any thread: true when entries are visible. A seq_cst look: it may follow an announcement.
bool oxi_ring_has_entries(oxi_ring *ring);
