// SPDX-License-Identifier: MIT
//
// What kinds of components do to archetypes, edges and rows. The table in types/kinds.h says what a
// kind is; lanes.h, buffers.h and enabled_bits.h hold what it keeps. Here these are put together,
// so that who moves rows asks for what is to be done and not for kinds:
//
//     an archetype is made   oxi_kind_prepare, oxi_kinds_place; listed: oxi_kind_admit
//     an edge is made        oxi_kinds_set_edge
//     rows move along it     oxi_rows_carry: columns, and oxi_bits_carry; then oxi_rows_drop_left
//     rows end               oxi_rows_drop
//
// What has nothing to do costs one branch.

#pragma once

#include "storage/buffers.h"
#include "storage/enabled_bits.h"
#include "storage/lanes.h"

// Making.

/// Makes what the columns of a component refer to, for an archetype that is made. @return false
/// when out of memory.
bool oxi_kind_prepare(oxi_store *store, uint32_t component);

/// Makes what the store keeps of a component that entities may have, for an archetype that is
/// listed. @return false when out of memory.
bool oxi_kind_admit(oxi_store *store, uint32_t component);

/// Places in the metadata of chunks what kinds need there, behind versions, and sets what an
/// archetype says of its kinds; its columns, `swaps` and `is_residue` are set. Returns where the
/// metadata ends so far.
uint32_t oxi_kinds_place(const oxi_store *store, oxi_archetype *made);

/// Sets what an edge from `from` says of kinds. @return true when only columns have to be copied.
bool oxi_kinds_set_edge(oxi_edge *edge, const oxi_archetype *from);

// Sets of types.

/// What is left of an entity that is destroyed: its cleanup components, and the store's tag. To
/// `types`, of OXI_MAX_ARCHETYPE_TYPES. Returns how many.
uint32_t oxi_types_of_residue(const oxi_store *store, const oxi_archetype *archetype,
                              uint16_t *types);

/// What a copy of an entity has: all but cleanup components and one more, 0: none.
uint32_t oxi_types_of_copy(const oxi_archetype *archetype, uint32_t left_out, uint16_t *types);

/// True when what is left of an entity ends as so many of its cleanup components go.
static inline bool oxi_residue_ends(const oxi_archetype *archetype, uint32_t count) {
    return archetype->is_residue && count > 0 && count == archetype->cleanup_count;
}

// Rows.

/// Frees what rows own.
static inline void oxi_rows_drop(const oxi_archetype *archetype, oxi_rows rows) {
    if (archetype->buffer_count > 0) {
        oxi_rows_free_buffers(archetype, rows);
    }
}

/// Frees what rows own and what does not go along an edge.
static inline void oxi_rows_drop_left(const oxi_store *store, const oxi_edge *edge, oxi_rows rows) {
    if (edge->drops_buffers) {
        oxi_edge_free_buffers(store, edge, rows);
    }
}

/// True when a row that goes along an edge cannot be given this value of its new component.
static inline bool oxi_edge_refuses(const oxi_edge *edge, const void *value) {
    return edge->adds_buffer && value != NULL;
}

/// The values that a row has of one of its types, wherever they lie.
oxi_values oxi_row_values(const oxi_store *store, oxi_row_place place, uint32_t type);
