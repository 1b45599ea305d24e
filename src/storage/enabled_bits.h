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

/// Clears the bits of rows.
void oxi_bits_clear(const oxi_archetype *archetype, oxi_rows rows);

/// Copies the bits of rows to others of the same archetype, of another chunk or further down.
void oxi_bits_copy(const oxi_archetype *archetype, oxi_rows to, oxi_row_place from);

/// The same along an edge, with the metadata that the source has, or had.
void oxi_bits_carry(const oxi_edge *edge, oxi_rows to, const oxi_archetype *from,
                    const oxi_chunk_meta *from_meta, uint32_t first);
