// SPDX-License-Identifier: MIT
//
// Ways between archetypes, found once and kept. Who moves an entity asks for an edge, whose target
// is listed then; who only asks what would become of it asks for the archetype.

#pragma once

#include "storage/archetype.h"

/// The way to the archetype with one component more, or one less. The component must be absent, or
/// present. NULL as with oxi_archetype_get.
const oxi_edge *oxi_edge_add(oxi_store *store, oxi_archetype *from, uint32_t component,
                             oxi_outcome *outcome);
const oxi_edge *oxi_edge_remove(oxi_store *store, oxi_archetype *from, uint32_t component,
                                oxi_outcome *outcome);

typedef enum oxi_edge_kind { OXI_EDGE_ADDS = 0, OXI_EDGE_REMOVES = 1 } oxi_edge_kind;

/// The way of oxi_edge_add or oxi_edge_remove, when it is the one that was used last. Else NULL, as
/// for any bits that are no component.
static inline const oxi_edge *oxi_edge_recent(const oxi_archetype *from, uint32_t component,
                                              oxi_edge_kind kind) {
    const oxi_edge *recent = from->recent;
    OXI_ASSERT(recent == NULL || oxi_archetype_is_listed(recent->target));
    return recent != NULL && recent->key == ((uint64_t)component << 1 | kind) ? recent : NULL;
}

/// The way of destroyed entities of an archetype that has cleanup components: to one of those and
/// of the store's residue. NULL as above.
const oxi_edge *oxi_edge_residue(oxi_store *store, oxi_archetype *from, oxi_outcome *outcome);

/// The archetypes that these ways lead to, listed or not.
oxi_archetype *oxi_archetype_ask_change(oxi_store *store, oxi_archetype *from, uint32_t component,
                                        oxi_edge_kind kind, oxi_outcome *outcome);
oxi_archetype *oxi_archetype_ask_residue(oxi_store *store, oxi_archetype *from,
                                         oxi_outcome *outcome);

/// The way to any other archetype.
const oxi_edge *oxi_edge_to(const oxi_store *store, oxi_archetype *from, oxi_archetype *to,
                            oxi_outcome *outcome);
