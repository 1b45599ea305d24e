// SPDX-License-Identifier: MIT
//
// Components that rows can switch off: one bit for each row, set while it is off.
//
// Invariant: bits at and behind the rows of a chunk are 0, so a new row has everything on with
// nothing to do. Those of dead rows mean nothing.

#pragma once

#include "storage/rows.h"

/// The bits of a type that can be switched off.
static inline uint64_t *oxi_chunk_disabled(const oxi_archetype *archetype, oxi_chunk chunk,
                                           uint32_t type) {
    OXI_ASSERT(type < archetype->type_count);
    OXI_ASSERT(archetype->bits_of_type[type] != 0);
    return (uint64_t *)(void *)oxi_chunk_entry_of(chunk)->meta + archetype->bits_of_type[type];
}

/// Copies bits between words, or down within the same words.
void oxi_words_copy_range(uint64_t *to, size_t to_first, const uint64_t *from, size_t from_first,
                          size_t count);

void oxi_bits_clear_slow(const oxi_archetype *archetype, oxi_rows rows);
void oxi_bits_copy_slow(const oxi_archetype *archetype, oxi_rows to, oxi_row_place from);

/// Clears the bits of rows.
static inline void oxi_bits_clear(const oxi_archetype *archetype, oxi_rows rows) {
    if (archetype->enabled_count > 0) {
        oxi_bits_clear_slow(archetype, rows);
    }
}

/// Copies the bits of rows to others of the same archetype, of another chunk or further down.
static inline void oxi_bits_copy(const oxi_archetype *archetype, oxi_rows to, oxi_row_place from) {
    if (archetype->enabled_count > 0) {
        oxi_bits_copy_slow(archetype, to, from);
    }
}

/// The same along an edge, with the metadata that the source has, or had; and whether there are
/// any.
void oxi_bits_carry(const oxi_edge *edge, oxi_rows to, const oxi_archetype *from,
                    const oxi_chunk_meta *from_meta, uint32_t first);
static inline bool oxi_edge_has_bits(const oxi_edge *edge) {
    return edge->carries_bits;
}

/// Gives all of these rows, which have none, the bits of the first.
void oxi_bits_repeat(const oxi_archetype *archetype, oxi_rows rows);

/// Gives a row, which has everything on, the switches of a row of another store, which has all of
/// its types.
void oxi_bits_copy_over(const oxi_archetype *to, oxi_row_place place, const oxi_store *from,
                        oxi_row_place source);

/// True when a type is switched off in a row.
static inline bool oxi_row_is_off(const oxi_archetype *archetype, oxi_row_place place,
                                  uint32_t type) {
    return archetype->bits_of_type[type] != 0 &&
           oxi_words_test(oxi_chunk_disabled(archetype, place.chunk, type), place.row);
}

/// What the switches of a row add to its hash, by the hashes of the names of types.
uint64_t oxi_bits_hash(const oxi_archetype *archetype, const uint64_t *names, oxi_row_place place);

/// What is wrong with the bits of a chunk, or NULL.
const char *oxi_bits_validate(const oxi_archetype *archetype, oxi_chunk chunk);
