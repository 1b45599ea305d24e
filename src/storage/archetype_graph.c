// SPDX-License-Identifier: MIT
//
// An edge knows which bytes of a row go where, so moving a row looks at no types. An archetype
// keeps its edges in a list with the one that was asked for last in front: programs add the same
// component to many entities in a row.

#include "storage/archetype_graph.h"

#include "storage/kind_rows.h"

#include <string.h>

static uint32_t count_shared_columns(const oxi_archetype *from, const oxi_archetype *to) {
    uint32_t shared = 0, k = 1;
    for (uint32_t n = 1; n < from->column_count; n++) {
        while (k < to->column_count && to->columns[k].component < from->columns[n].component) {
            k++;
        }
        shared += k < to->column_count && to->columns[k].component == from->columns[n].component;
    }
    return shared;
}

// Fills new columns and copies, which are aligned less. Both archetypes have their columns in the
// order of components.
static void fill_edge(oxi_edge *edge, const oxi_archetype *from, const oxi_archetype *to) {
    oxi_column *news = (oxi_column *)(void *)(edge + 1);
    oxi_copy *copies = (oxi_copy *)(void *)(news + edge->new_count);
    uint32_t k = 1, copied = 0, added = 0;
    for (uint32_t n = 1; n < to->column_count; n++) {
        const oxi_column *column = &to->columns[n];
        while (k < from->column_count && from->columns[k].component < column->component) {
            k++;
        }
        if (k < from->column_count && from->columns[k].component == column->component) {
            OXI_ASSERT(from->columns[k].size == column->size);
            copies[copied++] = (oxi_copy){from->columns[k].offset, column->offset, column->size};
        } else {
            news[added++] = *column;
        }
    }
    OXI_ASSERT(copied == edge->copy_count);
    OXI_ASSERT(added == edge->new_count);
    edge->copies = copies;
    edge->news = news;
}

// Where each type of the target comes from.
static void fill_origins(oxi_edge *edge, const oxi_archetype *from, const oxi_archetype *to) {
    uint16_t *origin = (uint16_t *)(uintptr_t)(edge->copies + edge->copy_count);
    uint32_t k = 0;
    for (uint32_t n = 0; n < to->type_count; n++) {
        while (k < from->type_count && from->types[k] < to->types[n]) {
            k++;
        }
        bool is_kept = k < from->type_count && from->types[k] == to->types[n];
        origin[n] = is_kept ? (uint16_t)k : (uint16_t)OXI_NEW_TYPE;
    }
    edge->origin = origin;
}

static bool has_small_columns(const oxi_archetype *archetype) {
    for (uint32_t k = 1; k < archetype->column_count; k++) {
        if (!oxi_is_small(archetype->columns[k].size)) {
            return false;
        }
    }
    return true;
}

static oxi_edge *make_edge(const oxi_store *store, oxi_archetype *from, oxi_archetype *to,
                           uint64_t key) {
    uint32_t copies = count_shared_columns(from, to);
    OXI_ASSERT(copies < to->column_count);
    uint32_t news = to->column_count - 1 - copies;
    size_t size = sizeof(oxi_edge) + copies * sizeof(oxi_copy) + news * sizeof(oxi_column) +
                  to->type_count * sizeof(uint16_t);
    if (!oxi_list_reserve_in(store->heap, &from->edges, from->edges.count + 1)) {
        return NULL;
    }
    oxi_edge *edge = oxi_heap_alloc_in(store->heap, size, _Alignof(oxi_edge));
    if (edge == NULL) {
        return NULL;
    }
    *edge = (oxi_edge){.target = to,
                       .key = key,
                       .copy_count = copies,
                       .new_count = news,
                       .block_size = (uint32_t)size};
    fill_edge(edge, from, to);
    fill_origins(edge, from, to);
    edge->is_small = oxi_kinds_set_edge(edge, from) && has_small_columns(to);
    from->edges.items[from->edges.count++] = edge;
    return edge;
}

// The edge at `index`, which comes to the front.
static const oxi_edge *use_edge(oxi_archetype *from, size_t index) {
    oxi_edge *edge = from->edges.items[index];
    from->edges.items[index] = from->edges.items[0];
    from->edges.items[0] = edge;
    return edge;
}

// The types of `from` with `component` put in or taken out. Returns how many.
static uint32_t change_types(const oxi_archetype *from, uint32_t component, bool removes,
                             uint16_t *types) {
    uint32_t count = 0;
    bool is_placed = removes;
    for (uint32_t k = 0; k < from->type_count; k++) {
        if (!is_placed && from->types[k] > component) {
            types[count++] = (uint16_t)component;
            is_placed = true;
        }
        if (!removes || from->types[k] != component) {
            types[count++] = from->types[k];
        }
    }
    if (!is_placed) {
        types[count++] = (uint16_t)component;
    }
    return count;
}

// The way to an archetype, listed or not.
static const oxi_edge *find_edge(oxi_store *store, oxi_archetype *from, uint32_t component,
                                 oxi_edge_kind kind, oxi_outcome *outcome) {
    uint64_t key = (uint64_t)component << 1 | kind;
    *outcome = OXI_DONE;
    OXI_ASSERT((oxi_archetype_find_type(store, from, component) >= 0) == (kind != OXI_EDGE_ADDS));
    for (size_t k = 0; k < from->edges.count; k++) {
        if (from->edges.items[k]->key == key) {
            return use_edge(from, k);
        }
    }
    uint16_t types[OXI_MAX_ARCHETYPE_TYPES + 1];
    uint32_t count = change_types(from, component, kind == OXI_EDGE_REMOVES, types);
    OXI_ASSERT(count == from->type_count + (kind == OXI_EDGE_ADDS ? 1u : -1u));
    if (count > OXI_MAX_ENTITY_TYPES) {
        store->refused = oxi_row_need_of(types, count);
        *outcome = OXI_AT_LIMIT;
        return NULL;
    }
    oxi_archetype *to = oxi_archetype_ask(store, types, count, outcome);
    if (to == NULL) {
        return NULL;
    }
    const oxi_edge *edge = make_edge(store, from, to, key);
    *outcome = edge != NULL ? OXI_DONE : OXI_NO_MEMORY;
    return edge;
}

// The same for an entity, whose target must be listed.
static const oxi_edge *take_archetype_edge(oxi_store *store, oxi_archetype *from,
                                           uint32_t component, oxi_edge_kind kind,
                                           oxi_outcome *outcome) {
    const oxi_edge *edge = find_edge(store, from, component, kind, outcome);
    if (edge == NULL || !oxi_archetype_list(store, edge->target)) {
        *outcome = edge != NULL ? OXI_NO_MEMORY : *outcome;
        return NULL;
    }
    return from->recent = edge;
}

const oxi_edge *oxi_edge_add(oxi_store *store, oxi_archetype *from, uint32_t component,
                             oxi_outcome *outcome) {
    return take_archetype_edge(store, from, component, OXI_EDGE_ADDS, outcome);
}

const oxi_edge *oxi_edge_remove(oxi_store *store, oxi_archetype *from, uint32_t component,
                                oxi_outcome *outcome) {
    return take_archetype_edge(store, from, component, OXI_EDGE_REMOVES, outcome);
}

oxi_archetype *oxi_archetype_ask_change(oxi_store *store, oxi_archetype *from, uint32_t component,
                                        oxi_edge_kind kind, oxi_outcome *outcome) {
    const oxi_edge *edge = find_edge(store, from, component, kind, outcome);
    return edge != NULL ? edge->target : NULL;
}

const oxi_edge *oxi_edge_to(const oxi_store *store, oxi_archetype *from, oxi_archetype *to,
                            oxi_outcome *outcome) {
    *outcome = OXI_DONE;
    for (size_t k = 0; k < from->edges.count; k++) {
        if (from->edges.items[k]->target == to) {
            return use_edge(from, k);
        }
    }
    const oxi_edge *edge = make_edge(store, from, to, OXI_WHOLE_WAY);
    *outcome = edge != NULL ? OXI_DONE : OXI_NO_MEMORY;
    return edge;
}

oxi_archetype *oxi_archetype_ask_residue(oxi_store *store, oxi_archetype *from,
                                         oxi_outcome *outcome) {
    uint16_t types[OXI_MAX_ARCHETYPE_TYPES];
    *outcome = OXI_DONE;
    if (from->residue == NULL) {
        OXI_ASSERT(from->leaves_residue);
        OXI_ASSERT(!from->is_residue);
        uint32_t count = oxi_types_of_residue(store, from, types);
        oxi_archetype *target = oxi_archetype_ask(store, types, count, outcome);
        from->residue = target != NULL ? oxi_edge_to(store, from, target, outcome) : NULL;
    }
    return from->residue != NULL ? from->residue->target : NULL;
}

const oxi_edge *oxi_edge_residue(oxi_store *store, oxi_archetype *from, oxi_outcome *outcome) {
    oxi_archetype *target = oxi_archetype_ask_residue(store, from, outcome);
    if (target != NULL && oxi_archetype_list(store, target)) {
        return from->residue;
    }
    *outcome = OXI_NO_MEMORY; // what is left of a row fits
    return NULL;
}
