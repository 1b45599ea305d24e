// SPDX-License-Identifier: MIT
//
// Maps: their memory, who may use them, and what the inline code leaves to others.
//
// Every use asks for the access first and looks into memory afterwards: a copy of a disposed handle
// still points to it. Then what jobs wrote is settled. `special` of the table says when the inline
// code must come here.

#include "containers/map.h"

static void free_map(void *memory, ox_site site) {
    oxi_map_state *state = memory;
    ox_allocator allocator = state->rules.allocator;
    oxi_segments_destroy(state->segments, site);
    oxi_table_destroy(&state->table, &state->rules, site);
    ox_memory_free_at(allocator, state, sizeof *state, _Alignof(oxi_map_state), site);
}

static oxi_map_state *alloc_map(const oxi_map_type_pair *types, const ox_map_def *def,
                                ox_site site) {
    oxi_map_state *state =
        ox_memory_alloc_at(def->allocator, sizeof *state, _Alignof(oxi_map_state), site);
    if (state == NULL) {
        return NULL;
    }
    *state = (oxi_map_state){.lock = OXI_MUTEX_INIT};
    state->functions = (oxi_table_functions){def->hash, def->equal, def->context};
    state->rules =
        (oxi_table_rules){.shape = oxi_table_shape(types->key.element, types->key.align,
                                                   types->value.element, types->value.align),
                          .allocator = def->allocator,
                          .functions = def->hash != NULL ? &state->functions : NULL};
    if (!oxi_table_create(&state->table, &state->rules, (uint32_t)def->capacity, site)) {
        ox_memory_free_at(def->allocator, state, sizeof *state, _Alignof(oxi_map_state), site);
        return NULL;
    }
    return state;
}

// `def` has its allocator filled in.
static ox_map create_map(const oxi_map_type_pair *types, const ox_map_def *def, ox_site site) {
    if (!oxi_map_require_types(types, def->hash != NULL, "map", site) ||
        !oxi_length_require(def->capacity, types->key.element, "map", site)) {
        return (ox_map){0};
    }
    oxi_map_state *state = alloc_map(types, def, site);
    if (state == NULL) {
        return (ox_map){0};
    }
    ox_map map = {.table = &state->table};
    ox_access_def access = {.kind = "map", .allocator = def->allocator, .is_whole = true};
    if (!oxi_access_make(&map.access, &access, state, site)) {
        free_map(state, site);
        return (ox_map){0};
    }
    state->access = map.access;
    return map;
}

ox_map ox_map_create_at(oxi_map_type_pair types, int64_t capacity, ox_allocator allocator,
                        ox_site site) {
    return create_map(&types, &(ox_map_def){.capacity = capacity, .allocator = allocator}, site);
}

ox_map ox_map_create_with_at(oxi_map_type_pair types, const ox_map_def *def, ox_site site) {
    static const ox_map_def defaults;
    ox_map_def resolved = def != NULL ? *def : defaults;
    if (!OXI_REQUIRE_DEF(&resolved, ox_map_def, site) ||
        !oxi_key_require_functions(&resolved, "ox_map_def", site)) {
        return (ox_map){0};
    }
    resolved.allocator = resolved.allocator != 0 ? resolved.allocator : OX_PERSISTENT;
    return create_map(&types, &resolved, site);
}

ox_job ox_map_dispose_at(ox_map *map, ox_job after, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(map, "ox_dispose", site) ||
        !oxi_dispose_require(map->access, map->table, "map", after, site)) {
        return OX_NO_JOB;
    }
    oxi_release release = {free_map, map->table, oxi_map_state_of(map->table)->rules.allocator};
    ox_job job = OX_NO_JOB;
    if (oxi_dispose(map->access, &release, after, &job, site)) {
        map->table = NULL;
    }
    return job;
}

// Who may use a map.

static bool is_map_ready(ox_map map, ox_site site) {
    return map.table != NULL ? oxi_map_settle(map.table, site) : oxi_unassigned("map", site);
}

static bool may_look_at_map(ox_map map, ox_site site) {
    return OXI_ASK(map.access, ox_access_may_read_at(map.access, site)) && is_map_ready(map, site);
}

static bool may_change_map(ox_map map, ox_site site) {
    return OXI_ASK(map.access, ox_access_may_resize_at(map.access, site)) &&
           is_map_ready(map, site);
}

static bool has_map_shape(ox_map map, const oxi_slot_shape *shape, ox_site site) {
    return oxi_map_require_shape(&oxi_map_state_of(map.table)->rules.shape, shape, map.access,
                                 "map", site);
}

bool oxi_map_may_read_at(ox_map map, oxi_slot_shape shape, ox_site site) {
    return may_look_at_map(map, site) && has_map_shape(map, &shape, site);
}

static bool may_write_map(ox_map map, ox_site site) {
    return OXI_ASK(map.access, ox_access_may_write_at(map.access, site)) && is_map_ready(map, site);
}

bool oxi_map_may_write_at(ox_map map, oxi_slot_shape shape, ox_site site) {
    return may_write_map(map, site) && has_map_shape(map, &shape, site);
}

bool oxi_map_may_resize_at(ox_map map, oxi_slot_shape shape, ox_site site) {
    return may_change_map(map, site) && has_map_shape(map, &shape, site);
}

// What the inline code leaves to others.

void *oxi_map_find_slow_at(oxi_table *table, const void *key, ox_site site) {
    if (!oxi_map_settle(table, site)) {
        return NULL;
    }
    const oxi_table_rules *rules = &oxi_map_state_of(table)->rules;
    unsigned char *slot = oxi_table_find_key(table, rules, key);
    return slot != NULL ? slot + rules->shape.value_offset : NULL;
}

void *oxi_map_open_slow_at(oxi_table *table, const void *key, bool *is_new, ox_site site) {
    *is_new = false;
    if (!oxi_map_settle(table, site)) {
        return NULL;
    }
    return oxi_table_open_key(table, &oxi_map_state_of(table)->rules, key, is_new, site);
}

bool oxi_map_remove_slow_at(oxi_table *table, const void *key, ox_site site) {
    return oxi_map_settle(table, site) &&
           oxi_table_remove_key(table, &oxi_map_state_of(table)->rules, key);
}

const void *oxi_map_missing_at(oxi_table *table, ox_site site) {
    ox_access_info info = oxi_container_info(oxi_map_state_of(table)->access, "map");
    OXI_REPORT(NULL, OX_REPORT_KEY_MISSING, site, OXI_NAME("kind", info.kind),
               OXI_NAME("container", info.name), OXI_SITE("created", info.created));
    return oxi_element_zeros();
}

// The whole map.

int32_t ox_map_count_at(ox_map map, ox_site site) {
    return may_look_at_map(map, site) ? (int32_t)map.table->count : 0;
}

int32_t ox_map_capacity_at(ox_map map, ox_site site) {
    return may_look_at_map(map, site) ? (int32_t)map.table->capacity : 0;
}

bool ox_map_reserve_at(ox_map map, int64_t capacity, ox_site site) {
    if (!may_change_map(map, site)) {
        return false;
    }
    oxi_table *table = map.table;
    const oxi_table_rules *rules = &oxi_map_state_of(table)->rules;
    if (!oxi_length_require(capacity, rules->shape.key, "map", site)) {
        return false;
    }
    ox_access_info info = oxi_container_info(map.access, "map");
    return OXI_REQUIRE(capacity >= table->count, NULL, OX_REPORT_CAPACITY_BELOW_COUNT, site,
                       OXI_INTEGER("capacity", capacity), OXI_NAME("kind", info.kind),
                       OXI_NAME("container", info.name), OXI_NUMBER("count", table->count)) &&
           oxi_table_reserve(table, rules, (uint32_t)capacity, site);
}

// What is pending is forgotten unsettled.
bool ox_map_clear_at(ox_map map, ox_site site) {
    if (!OXI_ASK(map.access, ox_access_may_resize_at(map.access, site))) {
        return false;
    }
    if (map.table == NULL) {
        return oxi_unassigned("map", site);
    }
    oxi_segments *segments = oxi_map_state_of(map.table)->segments;
    if (segments != NULL) {
        oxi_segments_clear(segments);
    }
    oxi_table_clear(map.table);
    oxi_and_seq(oxi_table_special_word(map.table), ~(uint32_t)OXI_TABLE_PENDING);
    return true;
}

static ox_array copy_map(ox_map map, ox_element_info info, bool keys, ox_allocator allocator,
                         ox_site site) {
    const oxi_table_rules *rules = &oxi_map_state_of(map.table)->rules;
    ox_element stored = keys ? rules->shape.key : rules->shape.value;
    if (!oxi_element_fits(stored, info.element)) {
        oxi_element_mismatch(stored, info.element, map.access, "map", site);
        return (ox_array){0};
    }
    ox_array array = ox_array_create_uninitialized_at(info, map.table->count, allocator, site);
    if (!ox_array_is_created(array)) {
        return array;
    }
    return oxi_table_copy(map.table, rules, array, keys ? 0 : rules->shape.value_offset);
}

ox_array ox_map_keys_at(ox_map map, ox_element_info key, ox_allocator allocator, ox_site site) {
    bool may = may_look_at_map(map, site);
    return may ? copy_map(map, key, true, allocator, site) : (ox_array){0};
}

ox_array ox_map_values_at(ox_map map, ox_element_info value, ox_allocator allocator, ox_site site) {
    bool may = may_look_at_map(map, site);
    return may ? copy_map(map, value, false, allocator, site) : (ox_array){0};
}

// Walks.

ox_map_walk ox_map_walk_begin_at(ox_map map, bool edits, ox_site site) {
    ox_map_walk walk = {0};
    if (!(edits ? may_write_map(map, site) : may_look_at_map(map, site))) {
        return walk;
    }
    walk.map = map;
    walk.shape = oxi_map_state_of(map.table)->rules.shape;
    walk.group = map.table->groups;
    // There are 2 groups, or a multiple of 4.
    bool is_small = map.table->mask == 1;
    size_t stride = map.table->stride;
    uint32_t open = is_small ? oxi_group_free(walk.group) | oxi_group_free(walk.group + stride)
                                                                << OXI_TABLE_GROUP
                             : 0;
    walk.full = is_small ? (uint32_t)~open : oxi_groups_full(walk.group, stride);
    walk.left = is_small ? 0 : map.table->mask + 1 - OXI_TABLE_WALKED;
    walk.changes = map.table->changes;
    return walk;
}

static bool end_map_walk(ox_map_walk *walk) {
    walk->map.table = NULL;
    walk->is_at_key = false;
    walk->full = walk->left = 0;
    return false;
}

bool oxi_map_walk_check_at(ox_map_walk *walk, ox_site site) {
    if (walk->map.table == NULL || !may_look_at_map(walk->map, site)) {
        return end_map_walk(walk);
    }
    if (walk->map.table->changes == walk->changes) {
        return true;
    }
    ox_access_info info = oxi_container_info(walk->map.access, "map");
    OXI_REPORT(NULL, OX_REPORT_CHANGED_WHILE_READ, site, OXI_NAME("kind", info.kind),
               OXI_NAME("container", info.name), OXI_SITE("created", info.created));
    return end_map_walk(walk);
}

// True when a walk stands at a key of a map that has not changed since; else reports.
static bool is_walk_at_key(const ox_map_walk *walk, ox_site site) {
    ox_map_walk copy = *walk;
    if (!walk->is_at_key) {
        return oxi_unassigned("walk", site);
    }
    return oxi_map_walk_check_at(&copy, site);
}

const void *ox_map_walk_key_at(const ox_map_walk *walk, ox_element key, ox_site site) {
    if (!is_walk_at_key(walk, site)) {
        return NULL;
    }
    if (!oxi_element_fits(walk->shape.key, key)) {
        oxi_element_mismatch(walk->shape.key, key, walk->map.access, "map", site);
        return NULL;
    }
    return oxi_map_walk_slot(walk);
}

void *ox_map_walk_get_at(const ox_map_walk *walk, ox_element value, bool edits, ox_site site) {
    if (!is_walk_at_key(walk, site) || (edits && !may_write_map(walk->map, site))) {
        return NULL;
    }
    if (!oxi_element_fits(walk->shape.value, value)) {
        oxi_element_mismatch(walk->shape.value, value, walk->map.access, "map", site);
        return NULL;
    }
    return oxi_map_walk_slot(walk) + walk->shape.value_offset;
}

bool ox_map_walk_remove_at(ox_map_walk *walk, ox_site site) {
    if (!is_walk_at_key(walk, site) || !may_change_map(walk->map, site)) {
        return false;
    }
    unsigned char *group = walk->group + walk->index / OXI_TABLE_GROUP * walk->map.table->stride;
    oxi_table_give(walk->map.table, oxi_place_of(group, walk->index % OXI_TABLE_GROUP));
    walk->changes = walk->map.table->changes;
    walk->is_at_key = false;
    return true;
}
