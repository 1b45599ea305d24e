// SPDX-License-Identifier: MIT
//
// Multimaps: who may use them, and adding, removing and counting.
//
// Every use asks for the access first and looks into memory afterwards: a copy of a disposed handle
// still points to it. Then what jobs wrote is settled.

#include "containers/multimap.h"

// `def` has its allocator filled in.
static ox_multimap create_multimap(const oxi_map_type_pair *types, const ox_map_def *def,
                                   ox_site site) {
    if (!oxi_map_require_types(types, def->hash != NULL, "multimap", site) ||
        !oxi_length_require(def->capacity, types->value.element, "multimap", site)) {
        return (ox_multimap){0};
    }
    oxi_multimap_state *state = oxi_multimap_alloc(types, def, site);
    if (state == NULL) {
        return (ox_multimap){0};
    }
    ox_multimap map = {.state = state};
    ox_access_def access = {.kind = "multimap", .allocator = def->allocator, .is_whole = true};
    if (!oxi_access_make(&map.access, &access, state, site)) {
        oxi_multimap_free(state, site);
        return (ox_multimap){0};
    }
    return map;
}

ox_multimap ox_multimap_create_at(oxi_map_type_pair types, int64_t capacity, ox_allocator allocator,
                                  ox_site site) {
    ox_map_def def = {.capacity = capacity, .allocator = allocator};
    return create_multimap(&types, &def, site);
}

ox_multimap ox_multimap_create_with_at(oxi_map_type_pair types, const ox_map_def *def,
                                       ox_site site) {
    static const ox_map_def defaults;
    ox_map_def resolved = def != NULL ? *def : defaults;
    if (!OXI_REQUIRE_DEF(&resolved, ox_map_def, site) ||
        !oxi_key_require_functions(&resolved, "ox_map_def", site)) {
        return (ox_multimap){0};
    }
    resolved.allocator = resolved.allocator != 0 ? resolved.allocator : OX_PERSISTENT;
    return create_multimap(&types, &resolved, site);
}

ox_job ox_multimap_dispose_at(ox_multimap *map, ox_job after, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(map, "ox_dispose", site) ||
        !oxi_dispose_require(map->access, map->state, "multimap", after, site)) {
        return OX_NO_JOB;
    }
    oxi_release release = {oxi_multimap_free, map->state, map->state->rules.allocator};
    ox_job job = OX_NO_JOB;
    if (oxi_dispose(map->access, &release, after, &job, site)) {
        map->state = NULL;
    }
    return job;
}

// Who may use a multimap.

static bool is_multimap_ready(ox_multimap map, ox_site site) {
    return map.state != NULL ? oxi_multimap_settle(map.state, site)
                             : oxi_unassigned("multimap", site);
}

bool oxi_multimap_may_look(ox_multimap map, ox_site site) {
    return OXI_ASK(map.access, ox_access_may_read_at(map.access, site)) &&
           is_multimap_ready(map, site);
}

bool oxi_multimap_may_write(ox_multimap map, ox_site site) {
    return OXI_ASK(map.access, ox_access_may_write_at(map.access, site)) &&
           is_multimap_ready(map, site);
}

bool oxi_multimap_may_change(ox_multimap map, ox_site site) {
    return OXI_ASK(map.access, ox_access_may_resize_at(map.access, site)) &&
           is_multimap_ready(map, site);
}

bool oxi_multimap_fits_kinds(ox_multimap map, oxi_multimap_type_pair kinds, ox_site site) {
    ox_element key = map.state->rules.shape.key, value = map.state->head.kinds.value;
    if (!oxi_element_fits(key, kinds.key)) {
        return oxi_element_mismatch(key, kinds.key, map.access, "multimap", site);
    }
    if (!oxi_element_fits(value, kinds.value)) {
        return oxi_element_mismatch(value, kinds.value, map.access, "multimap", site);
    }
    return true;
}

// Counting.

int32_t ox_multimap_count_at(ox_multimap map, ox_site site) {
    return oxi_multimap_may_look(map, site) ? (int32_t)map.state->pair_count : 0;
}

int32_t ox_multimap_count_values_at(ox_multimap map, const void *key, oxi_multimap_type_pair kinds,
                                    ox_site site) {
    if (!oxi_multimap_may_look(map, site) || !oxi_multimap_has_kinds(map, kinds, site)) {
        return 0;
    }
    const oxi_chain *chain = oxi_multimap_find_chain(map.state, key);
    return chain != NULL ? (int32_t)chain->count : 0;
}

static uint32_t count_keys(const oxi_multimap_state *state) {
    uint32_t count = 0, region = 0;
    uint64_t slot = 0;
    const void *key;
    while (oxi_multimap_next_chain(state, &region, &slot, &key) != NULL) {
        count++;
    }
    return count;
}

ox_array ox_multimap_keys_at(ox_multimap map, ox_element_info key, ox_allocator allocator,
                             ox_site site) {
    if (!oxi_multimap_may_look(map, site) ||
        !oxi_multimap_has_kinds(map, oxi_multimap_kinds(key.element, map.state->head.kinds.value),
                                site)) {
        return (ox_array){0};
    }
    oxi_multimap_state *state = map.state;
    ox_array array = ox_array_create_uninitialized_at(key, count_keys(state), allocator, site);
    if (!ox_array_is_created(array)) {
        return array;
    }
    char *to = array.data;
    uint32_t region = 0;
    uint64_t slot = 0;
    const void *from;
    while (oxi_multimap_next_chain(state, &region, &slot, &from) != NULL) {
        memcpy(to, from, oxi_element_size(key.element));
        to += oxi_element_size(key.element);
    }
    return array;
}

// The whole multimap.

static bool reserve_tables(oxi_multimap_state *state, uint32_t capacity, ox_site site) {
    // Regions are not filled evenly: they get an eighth more than their share.
    uint32_t each = state->head.region_mask == 0 ? capacity : capacity / 16 + capacity / 128 + 16;
    for (uint32_t k = 0; k <= state->head.region_mask; k++) {
        if (!oxi_table_reserve(&state->head.tables[k], &state->rules, each, site)) {
            return false;
        }
    }
    return true;
}

bool ox_multimap_reserve_at(ox_multimap map, int64_t capacity, ox_site site) {
    if (!oxi_multimap_may_change(map, site)) {
        return false;
    }
    oxi_multimap_state *state = map.state;
    if (!oxi_length_require(capacity, state->head.kinds.value, "multimap", site)) {
        return false;
    }
    ox_access_info info = oxi_container_info(map.access, "multimap");
    if (!OXI_REQUIRE(capacity >= state->pair_count, NULL, OX_REPORT_CAPACITY_BELOW_COUNT, site,
                     OXI_INTEGER("capacity", capacity), OXI_NAME("kind", info.kind),
                     OXI_NAME("container", info.name), OXI_NUMBER("count", state->pair_count))) {
        return false;
    }
    uint32_t extra = (uint32_t)capacity - state->pair_count;
    uint32_t room = state->entry_capacity - state->entry_count + state->free_count;
    state->head.changes++;
    // New entries may close the gaps, so then what is free in them does not count.
    return reserve_tables(state, (uint32_t)capacity, site) &&
           (extra <= room || oxi_multimap_reserve_entries(state, extra, site));
}

bool ox_multimap_clear_at(ox_multimap map, ox_site site) {
    if (!OXI_ASK(map.access, ox_access_may_resize_at(map.access, site))) {
        return false;
    }
    if (map.state == NULL) {
        return oxi_unassigned("multimap", site);
    }
    oxi_multimap_state *state = map.state;
    for (uint32_t k = 0; k <= state->head.region_mask; k++) {
        oxi_table_clear(&state->head.tables[k]);
    }
    if (state->segments != NULL) {
        oxi_segments_clear(state->segments);
    }
    memset(state->buckets, 0, sizeof state->buckets);
    state->entry_count = state->free_count = state->pair_count = 0;
    state->first_free = OXI_NO_ENTRY;
    state->head.changes++;
    oxi_multimap_plan_cells(state);
    oxi_multimap_set_pending(state, false);
    return true;
}

// Pairs.

bool oxi_multimap_add(oxi_multimap_state *state, const void *key, const void *value, ox_site site) {
    state->head.changes++; // also when there is no room at last: chains and entries may have moved
    if (state->is_dealt && !state->in_cells && state->pair_count == 0) {
        state->is_dealt = false; // cells are for what jobs write
        oxi_multimap_set_pending(state, false);
    }
    if (state->free_count == 0 && !oxi_multimap_reserve_entries(state, 1, site)) {
        return false;
    }
    oxi_chain *chain = oxi_multimap_open_chain(state, oxi_multimap_table(state, key), key, site);
    if (chain == NULL) {
        return false;
    }
    uint32_t entry = state->first_free;
    if (state->free_count > 0) {
        state->first_free = *oxi_entry_next(state, entry);
        state->free_count--;
    } else {
        entry = state->entry_count++;
    }
    memcpy(oxi_entry(state, entry), value, oxi_element_size(state->head.kinds.value));
    oxi_chain_append(state, chain, entry);
    state->pair_count++;
    return true;
}

bool ox_multimap_add_at(ox_multimap map, const void *key, oxi_multimap_type_pair kinds,
                        const void *value, ox_site site) {
    return oxi_multimap_may_change(map, site) && oxi_multimap_has_kinds(map, kinds, site) &&
           oxi_multimap_add(map.state, key, value, site);
}

// Removes a key whose entries are gone.
static void remove_chain(oxi_multimap_state *state, oxi_chain *chain, const void *key) {
    if (state->in_cells) {
        *chain = (oxi_chain){OXI_NO_ENTRY, OXI_NO_ENTRY, 0};
    } else {
        oxi_table_remove_key(oxi_multimap_table(state, key), &state->rules, key);
    }
}

int32_t ox_multimap_remove_at(ox_multimap map, const void *key, oxi_multimap_type_pair kinds,
                              ox_site site) {
    if (!oxi_multimap_may_change(map, site) || !oxi_multimap_has_kinds(map, kinds, site)) {
        return 0;
    }
    oxi_multimap_state *state = map.state;
    oxi_chain *chain = oxi_multimap_find_chain(state, key);
    if (chain == NULL) {
        return 0;
    }
    // The whole chain goes before the free entries.
    uint32_t count = chain->count;
    *oxi_entry_next(state, chain->last) = state->first_free;
    state->first_free = chain->first;
    state->free_count += count;
    state->pair_count -= count;
    state->head.changes++;
    remove_chain(state, chain, key);
    return (int32_t)count;
}

// Takes an entry out of its chain, behind `previous`.
static void unlink_entry(oxi_multimap_state *state, oxi_chain *chain, uint32_t previous,
                         uint32_t entry) {
    uint32_t next = *oxi_entry_next(state, entry);
    if (previous == OXI_NO_ENTRY) {
        chain->first = next;
    } else {
        *oxi_entry_next(state, previous) = next;
    }
    if (chain->last == entry) {
        chain->last = previous;
    }
    chain->count--;
    state->pair_count--;
    state->head.changes++;
    oxi_multimap_free_entry(state, entry);
}

int32_t ox_multimap_remove_pair_at(ox_multimap map, const void *key, oxi_multimap_type_pair kinds,
                                   const void *value, ox_site site) {
    if (!oxi_multimap_may_change(map, site) || !oxi_multimap_has_kinds(map, kinds, site)) {
        return 0;
    }
    oxi_multimap_state *state = map.state;
    oxi_chain *chain = oxi_multimap_find_chain(state, key);
    if (chain == NULL) {
        return 0;
    }
    size_t size = oxi_element_size(state->head.kinds.value);
    int32_t removed = 0;
    uint32_t previous = OXI_NO_ENTRY;
    for (uint32_t entry = chain->first, next; entry != OXI_NO_ENTRY; entry = next) {
        next = *oxi_entry_next(state, entry);
        if (memcmp(oxi_entry(state, entry), value, size) == 0) {
            unlink_entry(state, chain, previous, entry);
            removed++;
        } else {
            previous = entry;
        }
    }
    if (chain->count == 0) {
        remove_chain(state, chain, key);
    }
    return removed;
}

void oxi_multimap_unlink(oxi_multimap_state *state, const ox_multimap_walk *it) {
    if (state->in_cells) {
        unlink_entry(state, &state->head.cells[it->slot - 1], it->previous, it->entry);
        return;
    }
    oxi_table *table = &state->head.tables[it->region];
    uint64_t place = it->slot - 1;
    unsigned char *group = oxi_table_group(table, place / OXI_TABLE_GROUP);
    uint32_t index = (uint32_t)(place % OXI_TABLE_GROUP);
    oxi_chain *chain = oxi_chain_of(state, oxi_table_slot(group, state->rules.shape, index));
    unlink_entry(state, chain, it->previous, it->entry);
    if (chain->count == 0) {
        oxi_table_give(table, oxi_place_of(group, index));
    }
}
