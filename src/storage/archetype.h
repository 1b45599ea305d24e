// SPDX-License-Identifier: MIT
//
// Archetypes: sets of component types with a layout for their chunks.

#pragma once

#include "storage/store.h"

/// The bytes of a component in a row, and their alignment.
typedef struct oxi_column_need {
    uint32_t size;
    uint32_t align;
} oxi_column_need;

/// How the chunks of an archetype are laid out.
typedef struct oxi_chunk_layout {
    uint32_t capacity; ///< rows; 0: not even one fits
    uint32_t align;    ///< of columns at least
} oxi_chunk_layout;

/// Lays the columns of sized components out, and writes where each begins.
oxi_chunk_layout oxi_layout_find(const oxi_column_need *columns, uint32_t count, uint32_t *offsets);

/// Adds a component to what a row takes; begin with oxi_row_need_of(NULL, 0).
void oxi_row_need_add(oxi_row_need *need, const ox_component_info *info);

/// What a row of these types takes.
oxi_row_need oxi_row_need_of(const uint16_t *types, uint32_t count);

/// True when a row that takes so much fits in a chunk.
bool oxi_row_need_fits(const oxi_row_need *need);

/// The store's own number of a component, which it gets at the first call.
uint32_t oxi_store_number(oxi_store *store, uint32_t component);

/// The archetype of a set, listed or not, made when there is none: nothing that can be seen
/// changes. `types` ascend, without doubles. NULL with `*outcome` OXI_NO_MEMORY, or OXI_AT_LIMIT
/// when a row of it does not fit in a chunk: then `refused` of the store says what it takes.
oxi_archetype *oxi_archetype_ask(oxi_store *store, const uint16_t *types, uint32_t count,
                                 oxi_outcome *outcome);

/// The same, or NULL when there is none yet; or none that is listed.
oxi_archetype *oxi_archetype_find_any(const oxi_store *store, const uint16_t *types,
                                      uint32_t count);
oxi_archetype *oxi_archetype_find(const oxi_store *store, const uint16_t *types, uint32_t count);

/// Lists an archetype, unless it is: it can have chunks from here on. @return false when out of
/// memory.
bool oxi_archetype_list(oxi_store *store, oxi_archetype *archetype);

/// The archetype of a set, made and listed when there is none. NULL as with oxi_archetype_ask.
oxi_archetype *oxi_archetype_get(oxi_store *store, const uint16_t *types, uint32_t count,
                                 oxi_outcome *outcome);

/// Takes back all archetypes that were listed since there were `before`, which have no rows and no
/// lanes: they are not listed any more.
void oxi_archetypes_undo(oxi_store *store, size_t before);

/// Frees all that are not listed, and the ways to them, when there are many: nobody may hold one.
void oxi_archetypes_trim(oxi_store *store);

/// Copies the component ids of an archetype, which jobs may do while main makes others: to `types`,
/// of OXI_MAX_ARCHETYPE_TYPES. @return how many these are; -1 when there is no such archetype.
int32_t oxi_archetype_copy_types(oxi_store *store, uint32_t index, uint16_t *types);

/// For the store: frees all.
void oxi_archetypes_destroy(oxi_store *store);
