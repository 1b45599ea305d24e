// SPDX-License-Identifier: MIT
//
// Archetypes: sets of component types with a layout for their chunks.

#pragma once

#include "storage/store.h"

/// How many rows of these components fit in a chunk, and where their columns are (may be NULL).
/// `sizes` are those of sized components. 0: not even one.
uint32_t oxi_layout_capacity(const uint32_t *sizes, uint32_t count, uint32_t *offsets);

/// The store's own number of a component, which it gets at the first call.
uint32_t oxi_store_number(oxi_store *store, uint32_t component);

/// The archetype of a set, or NULL when there is none yet. `types` ascend, without doubles.
oxi_archetype *oxi_archetype_find(const oxi_store *store, const uint16_t *types, uint32_t count);

/// The same; makes it when there is none. NULL with `*outcome` OXI_NO_MEMORY, or OXI_AT_LIMIT when
/// a row of it does not fit in a chunk.
oxi_archetype *oxi_archetype_get(oxi_store *store, const uint16_t *types, uint32_t count,
                                 oxi_outcome *outcome);

/// Takes back the archetype that was made last, which has no rows and no edges lead to it.
void oxi_archetype_unmake(oxi_store *store, oxi_archetype *archetype);

/// For the store: frees all.
void oxi_archetypes_destroy(oxi_store *store);
