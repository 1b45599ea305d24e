// SPDX-License-Identifier: MIT
//
// Iterators over the values of a key, and over all pairs.
//
// An iterator stands before the first value, at one, or behind one that was removed through it. It
// is good while the number of changes is the one it was made with.

#include "containers/multimap.h"

// An iterator before the first value of a key.
static void enter_chain(ox_multimap_walk *it, const oxi_chain *chain, const void *key) {
    it->key = key;
    it->value = NULL;
    it->entry = it->previous = OXI_NO_ENTRY;
    it->next = chain->first;
}

static void enter_cell(ox_multimap_walk *it, uint64_t cell) {
    const oxi_multimap_state *state = it->map.state;
    const oxi_chain *chain = &state->head.cells[cell];
    size_t size = oxi_table_key_size(state->rules.shape);
    if (chain->count > 0) {
        it->slot = cell + 1;
        enter_chain(it, chain, state->head.cell_keys + cell * size);
    }
}

// An iterator that is over is as good as zero, with nothing next.
static ox_multimap_walk begin_iterator(ox_multimap map, oxi_multimap_type_pair kinds,
                                       ox_site site) {
    ox_multimap_walk it = {.entry = OXI_NO_ENTRY, .previous = OXI_NO_ENTRY, .next = OXI_NO_ENTRY};
    if (!oxi_multimap_may_look(map, site) || !oxi_multimap_has_kinds(map, kinds, site)) {
        return it;
    }
    const oxi_multimap_state *state = map.state;
    it.map = map;
    it.entries = state->head.entries;
    it.stride = state->entry_stride;
    it.next_offset = state->next_offset;
    it.changes = state->head.changes;
    it.value_kind = state->head.kinds.value;
    return it;
}

ox_multimap_walk ox_multimap_walk_begin_at(ox_multimap map, const void *key,
                                           oxi_multimap_type_pair kinds, ox_site site) {
    ox_multimap_walk it = begin_iterator(map, kinds, site);
    oxi_multimap_state *state = it.map.state;
    if (state == NULL) {
        return it;
    }
    if (state->in_cells) {
        uint64_t cell = oxi_multimap_cell_of(state, key);
        if (cell < state->head.cell_count) {
            enter_cell(&it, cell);
        }
        return it;
    }
    it.region = state->head.region_mask != 0 ? oxi_multimap_region_of(state, key) : 0;
    const oxi_table *table = &state->head.tables[it.region];
    oxi_place place = oxi_table_find_place(table, &state->rules, key);
    if (place.group != NULL) {
        size_t group = (size_t)(place.group - table->groups) / table->stride;
        unsigned char *slot = oxi_table_slot(place.group, state->rules.shape, place.index);
        it.slot = group * OXI_TABLE_GROUP + place.index + 1;
        enter_chain(&it, oxi_chain_of(state, slot), slot);
    }
    return it;
}

ox_multimap_walk oxi_multimap_walk_at(ox_multimap map, oxi_multimap_type_pair kinds, ox_site site) {
    return begin_iterator(map, kinds, site);
}

bool oxi_multimap_next_key_at(ox_multimap_walk *it) {
    const oxi_multimap_state *state = it->map.state;
    const void *key;
    const oxi_chain *chain =
        state != NULL ? oxi_multimap_next_chain(state, &it->region, &it->slot, &key) : NULL;
    if (chain != NULL) {
        enter_chain(it, chain, key);
    }
    return chain != NULL;
}

static bool end_iterator(ox_multimap_walk *it) {
    it->map.state = NULL;
    it->key = it->value = NULL;
    it->entry = it->next = OXI_NO_ENTRY;
    return false;
}

bool oxi_multimap_check_at(ox_multimap_walk *it, ox_site site) {
    if (it->map.state == NULL || !oxi_multimap_may_look(it->map, site)) {
        return end_iterator(it);
    }
    if (it->changes == it->map.state->head.changes) {
        return true;
    }
    ox_access_info info = oxi_container_info(it->map.access, "multimap");
    OXI_REPORT(NULL, OX_REPORT_CHANGED_WHILE_READ, site, OXI_NAME("kind", info.kind),
               OXI_NAME("container", info.name), OXI_SITE("created", info.created));
    return end_iterator(it);
}

void *ox_multimap_walk_get_at(const ox_multimap_walk *it, ox_element value, bool edits,
                              ox_site site) {
    ox_multimap_walk copy = *it;
    if (it->value == NULL) {
        oxi_unassigned("iterator", site);
        return NULL;
    }
    if (!oxi_multimap_check_at(&copy, site) || (edits && !oxi_multimap_may_write(it->map, site))) {
        return NULL;
    }
    if (!oxi_element_fits(it->value_kind, value)) {
        oxi_element_mismatch(it->value_kind, value, it->map.access, "multimap", site);
        return NULL;
    }
    return it->value;
}

bool ox_multimap_walk_remove_at(ox_multimap map, ox_multimap_walk *it, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(it, "ox_multimap_walk_remove", site) ||
        !oxi_multimap_may_change(map, site)) {
        return false;
    }
    oxi_multimap_state *state = map.state;
    bool is_own = it->map.state == state && it->changes == state->head.changes && it->value != NULL;
    ox_access_info info = oxi_container_info(map.access, "multimap");
    if (!OXI_REQUIRE(is_own, NULL, OX_REPORT_FOREIGN_ITERATOR, site, OXI_NAME("kind", info.kind),
                     OXI_NAME("container", info.name), OXI_SITE("created", info.created))) {
        return false;
    }
    oxi_multimap_unlink(state, it);
    it->changes = state->head.changes;
    it->entry = OXI_NO_ENTRY;
    it->value = NULL;
    return true;
}
