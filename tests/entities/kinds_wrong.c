// SPDX-License-Identifier: MIT
//
// Operations that are wrong: each is one report and changes nothing.

#include "entities/kinds_run.h"

#include "oxbow/detail/element.h"

#include <string.h>

static bool is_null(ox_entity entity) {
    return entity.index == 0 && entity.version == 0;
}

static uint64_t hash_sometimes(kinds_run *run) {
    run->report_count = 0;
    return kinds_chance(run, 8) ? ox_world_hash_layout(run->world) : 0;
}

static void expect_report(kinds_run *run, bool is_refused, uint64_t before, ox_report_id id,
                          ox_site site) {
    kinds_expect_refused(run, is_refused, before, site);
    KINDS_CHECK(run, run->last_report == id);
}
#define EXPECT_REFUSED(run, is_refused, before, id)                                                \
    expect_report(run, is_refused, before, id, OX_HERE)

// Calls that name an entity and a component.

enum { CALL_ADD, CALL_ADD_MANY, CALL_ADD_BUFFER, CALL_REMOVE, CALL_SET, CALL_GET, CALL_EDIT };
enum { CALL_READ = CALL_EDIT + 1, CALL_SWITCH, CALL_BUFFER, CALLS };

static bool is_id_refused(kinds_run *run, int call, ox_entity entity, uint32_t id) {
    ox_world *world = run->world;
    const void *value = run->values[0];
    run->doing = call;
    switch (call) {
    case CALL_ADD:
        return !ox_add_at(world, entity, id, NULL, OX_HERE);
    case CALL_ADD_MANY:
        return !ox_add_many_at(world, entity, &(ox_value){id, NULL}, 1, OX_HERE);
    case CALL_ADD_BUFFER:
        return !ox_buffer_is_created(ox_add_buffer_at(world, entity, id, OX_HERE));
    case CALL_REMOVE:
        return !ox_remove_many_at(world, entity, &id, 1, OX_HERE);
    case CALL_SET:
        return !ox_set_at(world, entity, id, value, OX_HERE);
    case CALL_GET:
        return ox_get_at(world, entity, id, OX_HERE) == oxi_element_zeros();
    case CALL_EDIT:
        return ox_edit_at(world, entity, id, OX_HERE) == oxi_element_scratch();
    case CALL_READ:
        return ox_read_at(world, entity, id, OX_HERE) == oxi_element_zeros();
    case CALL_SWITCH:
        return !ox_set_enabled_at(world, entity, id, false, OX_HERE);
    default:
        return !ox_buffer_is_created(ox_get_buffer_at(world, entity, id, true, OX_HERE));
    }
}

static bool is_refused(kinds_run *run, int call, ox_entity entity, int component) {
    return is_id_refused(run, call, entity, kinds_components[component].id);
}

// True when a call is for this kind of component.
static bool is_for(int call, int component) {
    uint32_t bit = UINT32_C(1) << component;
    switch (call) {
    case CALL_ADD_BUFFER:
    case CALL_BUFFER:
        return kinds_masked.buffers & bit;
    case CALL_SET:
    case CALL_GET:
    case CALL_READ:
        return (kinds_masked.data | kinds_masked.shared) & bit;
    case CALL_EDIT:
        return kinds_masked.data & bit;
    case CALL_SWITCH:
        return kinds_masked.enableable & bit;
    default:
        return true;
    }
}

static int pick_call(kinds_run *run, int component) {
    int call = (int)kinds_below(run, CALLS);
    return is_for(call, component) ? call : CALL_REMOVE;
}

static void use_dead(kinds_run *run) {
    ox_entity entity = kinds_pick_any(run, kinds_pick(run));
    entity.version += kinds_is_alive(&run->model, entity);
    int component = kinds_pick_component(run);
    int call = pick_call(run, component);
    uint64_t before = hash_sometimes(run);
    KINDS_CHECK(run, !ox_has_id(run->world, entity, kinds_components[component].id));
    KINDS_CHECK(run, !ox_is_enabled_id(run->world, entity, kinds_components[component].id));
    KINDS_CHECK(run, !ox_entity_is_enabled(run->world, entity));
    EXPECT_REFUSED(run, is_refused(run, call, entity, component), before, OX_REPORT_STALE_ENTITY);
}

static void use_missing(kinds_run *run) {
    uint32_t index = kinds_pick(run);
    int component = kinds_pick_component(run);
    int call = pick_call(run, component);
    if (run->model.entities[index].mask >> component & 1 || call < CALL_REMOVE) {
        return;
    }
    ox_entity entity = kinds_handle(&run->model, index);
    uint64_t before = hash_sometimes(run);
    EXPECT_REFUSED(run, is_refused(run, call, entity, component), before, OX_REPORT_NO_COMPONENT);
}

static void use_unknown(kinds_run *run) {
    static const uint32_t unknown[] = {0, OX_MAX_COMPONENTS, OX_MAX_COMPONENTS + 1, UINT32_MAX};
    ox_entity entity = kinds_handle(&run->model, kinds_pick(run));
    int call = (int)kinds_below(run, CALLS);
    uint32_t id = unknown[kinds_below(run, sizeof unknown / sizeof *unknown)];
    uint64_t before = hash_sometimes(run);
    KINDS_CHECK(run, !ox_is_enabled_id(run->world, entity, id));
    EXPECT_REFUSED(run, is_id_refused(run, call, entity, id), before, OX_REPORT_UNKNOWN_COMPONENT);
}

// A call that is not for this kind: a tag has no value, and the like.
static void use_wrong_kind(kinds_run *run) {
    uint32_t index = kinds_pick(run);
    int component = kinds_pick_component(run), call = (int)kinds_below(run, CALLS);
    bool has = run->model.entities[index].mask >> component & 1;
    if (is_for(call, component) || (!has && call != CALL_ADD_BUFFER) ||
        (call == CALL_ADD_BUFFER && run->model.entities[index].is_residue)) {
        return;
    }
    ox_entity entity = kinds_handle(&run->model, index);
    uint64_t before = hash_sometimes(run);
    kinds_expect_refused(run, is_refused(run, call, entity, component), before, OX_HERE);
}

// What is left of destroyed entities.

static int64_t pick_residue(kinds_run *run) {
    for (int k = 0; k < run->model.alive_count; k++) {
        if (run->model.entities[run->model.alive[k]].is_residue && kinds_chance(run, 2)) {
            return run->model.alive[k];
        }
    }
    return -1;
}

static bool is_residue_refused(kinds_run *run, ox_entity entity, uint64_t way) {
    ox_entity copies[2] = {{7, 7}, {7, 7}};
    ox_entity set[2] = {entity, kinds_handle(&run->model, kinds_pick(run))};
    switch (way) {
    case 0:
        return is_null(ox_entity_instantiate(run->world, entity));
    case 1:
        return !ox_entities_instantiate(run->world, entity, copies, 2) && copies[0].index == 7;
    case 2:
        return !ox_entities_copy(run->world, set, copies, 1) && copies[0].index == 7;
    case 3:
        return !ox_entity_set_enabled(run->world, entity, kinds_chance(run, 2));
    case 4:
        return !ox_entity_set_archetype(run->world, entity,
                                        ox_archetype_of_at(run->world, NULL, 0, OX_HERE));
    default:
        return is_refused(run, (int)kinds_below(run, CALL_ADD_MANY + 1), entity,
                          kinds_pick_component(run));
    }
}

static void use_residue(kinds_run *run) {
    int64_t index = pick_residue(run);
    if (index < 0) {
        return;
    }
    ox_entity entity = kinds_handle(&run->model, (uint32_t)index);
    uint64_t before = hash_sometimes(run), way = kinds_below(run, 6);
    EXPECT_REFUSED(run, is_residue_refused(run, entity, way), before, OX_REPORT_RESIDUE);
}

// Nobody gives or takes the tag of those.
static void use_residue_tag(kinds_run *run) {
    int64_t residue = pick_residue(run);
    uint32_t index = residue >= 0 ? (uint32_t)residue : kinds_pick(run);
    ox_entity entity = kinds_handle(&run->model, index);
    int call = kinds_chance(run, 2) ? CALL_REMOVE : CALL_ADD;
    uint64_t before = hash_sometimes(run);
    EXPECT_REFUSED(run, is_refused(run, call, entity, KINDS_RESIDUE), before, OX_REPORT_WRONG_KIND);
    uint32_t id = kinds_components[KINDS_RESIDUE].id;
    bool is_none = ox_archetype_of_at(run->world, &id, 1, OX_HERE).number == 0;
    EXPECT_REFUSED(run, is_none, before, OX_REPORT_WRONG_KIND);
}

// Values and groups.

static void give_buffer_a_value(kinds_run *run) {
    int component = kinds_pick_component(run);
    if (!(kinds_masked.buffers >> component & 1)) {
        return;
    }
    ox_entity entity = kinds_handle(&run->model, kinds_pick_whole(run));
    ox_value value = {kinds_components[component].id, run->values[0]};
    uint64_t before = hash_sometimes(run);
    bool is_done = kinds_chance(run, 2)
                       ? ox_add_at(run->world, entity, value.component, value.value, OX_HERE)
                       : !is_null(ox_entity_create_at(run->world, &value, 1, OX_HERE));
    EXPECT_REFUSED(run, !is_done, before, OX_REPORT_WRONG_KIND);
}

static void copy_bad_group(kinds_run *run) {
    int64_t index = kinds_pick_with(run, UINT32_C(1) << KINDS_LINKED);
    if (index < 0 || kinds_group_is_good(&run->model, (uint32_t)index)) {
        return;
    }
    ox_entity entity = kinds_handle(&run->model, (uint32_t)index);
    uint64_t before = hash_sometimes(run);
    EXPECT_REFUSED(run, is_null(ox_entity_instantiate(run->world, entity)), before,
                   OX_REPORT_BAD_GROUP);
}

static void use_list_with_double(kinds_run *run) {
    ox_entity list[3] = {kinds_handle(&run->model, kinds_pick_whole(run)),
                         kinds_handle(&run->model, kinds_pick_whole(run))};
    ox_entity copies[3];
    list[2] = list[kinds_below(run, 2)];
    uint64_t before = hash_sometimes(run);
    bool is_done = kinds_chance(run, 2) ? ox_entities_destroy(run->world, list, 3)
                                        : ox_entities_copy(run->world, list, copies, 3);
    EXPECT_REFUSED(run, !is_done, before, OX_REPORT_DUPLICATE);
}

static bool is_range_refused(ox_buffer buffer, int count, size_t size, uint64_t way) {
    ox_buffer_values values = {oxi_element_zeros(), 1, size};
    switch (way) {
    case 0:
        return !ox_buffer_remove_range_at(buffer, count, 1, OX_HERE);
    case 1:
        return !ox_buffer_remove_range_swap_at(buffer, 0, count + 1, OX_HERE);
    case 2:
        return !ox_buffer_insert_at(buffer, count + 1, values, OX_HERE);
    case 3:
        return !ox_buffer_resize_at(buffer, -1, OX_HERE);
    default:
        return !ox_buffer_set_capacity_at(buffer, count - 1, OX_HERE);
    }
}

static void use_wrong_range(kinds_run *run) {
    int component = kinds_pick_component(run);
    int64_t index = kinds_pick_with(run, UINT32_C(1) << component);
    if (index < 0 || !(kinds_masked.buffers >> component & 1)) {
        return;
    }
    const kinds_component *known = &kinds_components[component];
    int count = run->model.entities[index].arrays[component].count;
    ox_buffer buffer = ox_get_buffer_at(run->world, kinds_handle(&run->model, (uint32_t)index),
                                        known->id, true, OX_HERE);
    uint64_t before = hash_sometimes(run), way = kinds_below(run, count > 0 ? 5 : 4);
    kinds_expect_refused(run, is_range_refused(buffer, count, known->size, way), before, OX_HERE);
}

void kinds_wrong_operation(kinds_run *run) {
    static const kinds_choice choices[] = {{use_dead, 4},
                                           {use_missing, 4},
                                           {use_unknown, 2},
                                           {use_wrong_kind, 4},
                                           {use_residue, 4},
                                           {use_residue_tag, 1},
                                           {give_buffer_a_value, 1},
                                           {copy_bad_group, 2},
                                           {use_list_with_double, 1},
                                           {use_wrong_range, 3},
                                           {NULL, 0}};
    if (run->model.alive_count > 0) {
        kinds_choose(run, choices);
    }
}
