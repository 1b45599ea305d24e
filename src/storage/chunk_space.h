// SPDX-License-Identifier: MIT
//
// The chunks of the process and their directory.
//
// One range of addresses is reserved for chunks and one for what is known of each: a chunk is a
// 32-bit id, its address and its entry are arithmetic. Ids are never observable. A store takes
// chunks 16 at a time, a slab, under a lock. From then on each is by itself: it may go to another
// store, and whoever has it gives it back. A slab is taken again when all its chunks are back;
// memory that was once touched stays with the process. What a chunk holds is its store's alone.

#pragma once

#include "base/bits.h"
#include "oxbow/base.h"

enum {
    OXI_CHUNK_BITS = 14,
    OXI_CHUNK_SIZE = 1 << OXI_CHUNK_BITS,
    OXI_SLAB_CHUNKS = 16, ///< chunks that a store takes at once
    OXI_NO_ROW = 0xffff,  ///< more rows than any chunk has
};

/// A chunk. 0 is none.
typedef uint32_t oxi_chunk;

/// What every walk needs to know of a chunk: half a cache line.
typedef struct oxi_chunk_entry {
    struct oxi_archetype *archetype; ///< NULL while it has none
    struct oxi_chunk_meta *meta;     ///< versions and dead bits
    /// Rows, dead ones included, and rows that are not dead.
    OXI_COUNT_PAIR(uint16_t, count, live, uint32_t, count_and_live);
    uint16_t first_dead; ///< OXI_NO_ROW when none is dead
    bool is_open;        ///< new rows may go there
    bool is_dirty_listed;
    uint32_t place; ///< in the list of its archetype
    oxi_chunk next; ///< in the store's dirty list; not 0 in a chunk that is to go to another store
} oxi_chunk_entry;

/// Where chunk 0 would be. Set before the first chunk is handed out, and never changed after.
extern char *oxi_chunk_base;
extern oxi_chunk_entry *oxi_chunk_entries;

static inline char *oxi_chunk_address(oxi_chunk chunk) {
    return oxi_chunk_base + ((size_t)chunk << OXI_CHUNK_BITS);
}

static inline oxi_chunk_entry *oxi_chunk_entry_of(oxi_chunk chunk) {
    return &oxi_chunk_entries[chunk];
}

/// How far chunk space may grow and how much is in use, in bytes.
typedef struct oxi_chunk_usage {
    size_t limit;
    size_t used; ///< of slabs that have a chunk which somebody has
} oxi_chunk_usage;

/// Takes OXI_SLAB_CHUNKS chunks with ids in a row. Their bytes are not defined, their entries are
/// zero. @return the first, or 0 when memory or the space is at its end.
oxi_chunk oxi_slab_take(void);

/// Gives chunks back, of whatever slabs and in any order.
void oxi_chunks_return(const oxi_chunk *chunks, size_t count);

/// Sets how much is reserved, before the first chunk is taken. 0 means 64 GiB.
/// @return false when chunks were taken already.
bool oxi_chunk_space_set_limit(size_t bytes);

oxi_chunk_usage oxi_chunk_space_get_usage(void);

/// For tests: gives everything back. No store may live.
void oxi_chunk_space_reset(void);
