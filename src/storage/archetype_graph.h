// SPDX-License-Identifier: MIT
//
// Ways between archetypes, found once and kept.

#pragma once

#include "storage/archetype.h"

/// The way to the archetype with one component more, or one less. The component must be absent, or
/// present. NULL as with oxi_archetype_get.
const oxi_edge *oxi_edge_add(oxi_store *store, oxi_archetype *from, uint32_t component,
                             oxi_outcome *outcome);
const oxi_edge *oxi_edge_remove(oxi_store *store, oxi_archetype *from, uint32_t component,
                                oxi_outcome *outcome);

enum { OXI_EDGE_ADDS = 0, OXI_EDGE_REMOVES = 1 };

/// The way of oxi_edge_add or oxi_edge_remove, when it is the one that was used last. Else NULL, as
/// for any bits that are no component.
static inline const oxi_edge *oxi_edge_recent(const oxi_archetype *from, uint32_t component,
                                              uint32_t kind) {
    return from->edges.count > 0 && from->edges.items[0]->key == ((uint64_t)component << 1 | kind)
               ? from->edges.items[0]
               : NULL;
}

/// The way of destroyed entities of an archetype that has cleanup components: to one of those and
/// of the store's residue. NULL as above.
const oxi_edge *oxi_edge_residue(oxi_store *store, oxi_archetype *from, oxi_outcome *outcome);

/// Takes back all archetypes that were made since there were `before`, and the ways to them. They
/// have no rows and no lanes.
void oxi_archetypes_undo(oxi_store *store, size_t before);

/// Takes an edge back, before the archetype behind it is unmade.
void oxi_edge_forget(const oxi_store *store, oxi_archetype *from, const oxi_edge *edge);

/// The way to any other archetype.
const oxi_edge *oxi_edge_to(const oxi_store *store, oxi_archetype *from, oxi_archetype *to,
                            oxi_outcome *outcome);
