// SPDX-License-Identifier: MIT
//
// Operations that are wrong: each is one report and changes nothing.

#include "entities/random_run.h"

#include "oxbow/detail/element.h"

#include <string.h>

// A call that names an entity and, some of them, a component.
typedef enum wrong_kind {
    WRONG_GET = 0,
    WRONG_EDIT,
    WRONG_READ,
    WRONG_SET,
    WRONG_REMOVE,
    WRONG_REMOVE_FROM_ARRAY,
    WRONG_ADD, // the ones before it want a component that is there
    WRONG_ADD_MANY,
    WRONG_ADD_TO_ARRAY,
    WRONG_DESTROY, // from here on no component
    WRONG_DESTROY_MANY,
    WRONG_INSTANTIATE,
    WRONG_ARCHETYPE,
    WRONG_NAME,
    WRONG_KINDS,
} wrong_kind;

typedef struct wrong_call {
    wrong_kind kind;
    ox_entity entity;
    uint32_t component;
    uint32_t *ids; // of calls that take a list
    int count;
    const void *value;
} wrong_call;

static bool is_null(ox_entity entity) {
    return entity.index == 0 && entity.version == 0;
}

static bool refuse_component(random_run *run, ox_world *world, const wrong_call *call) {
    ox_entity entity = call->entity, list[2] = {entity, entity};
    uint32_t id = call->component;
    switch (call->kind) {
    case WRONG_GET:
        return ox_get_at(world, entity, id, OX_HERE) == oxi_element_zeros();
    case WRONG_EDIT:
        return ox_edit_at(world, entity, id, OX_HERE) == oxi_element_scratch();
    case WRONG_READ:
        return ox_read_at(world, entity, id, OX_HERE) == oxi_element_zeros();
    case WRONG_SET:
        return !ox_set_at(world, entity, id, call->value, OX_HERE);
    case WRONG_REMOVE:
        return !ox_remove_many_at(world, entity, &id, 1, OX_HERE);
    case WRONG_REMOVE_FROM_ARRAY:
        return !ox_entities_remove_at(world, list, 2, id, OX_HERE);
    case WRONG_ADD_TO_ARRAY:
        list[0] = model_handle(&run->model, run_pick_alive(run));
        return !ox_entities_add_at(world, list, 2, id, call->value, OX_HERE);
    case WRONG_ADD:
        return !ox_add_at(world, entity, id, call->value, OX_HERE);
    default:
        return !ox_add_many_at(world, entity, &(ox_value){id, call->value}, 1, OX_HERE);
    }
}

static bool refuse_entity(random_run *run, ox_world *world, const wrong_call *call) {
    ox_entity entity = call->entity, list[2] = {entity, entity};
    switch (call->kind) {
    case WRONG_DESTROY:
        ox_entity_destroy(world, entity);
        return true;
    case WRONG_DESTROY_MANY:
        list[0] = model_handle(&run->model, run_pick_alive(run));
        return !ox_entities_destroy(world, list, 2);
    case WRONG_INSTANTIATE:
        return is_null(ox_entity_instantiate(world, entity));
    case WRONG_ARCHETYPE:
        return !ox_entity_set_archetype(world, entity, ox_archetype_of_at(world, NULL, 0, OX_HERE));
    default:
        return !ox_entity_set_name(world, entity, "unused");
    }
}

static void expect_refused(random_run *run, const wrong_call *call, ox_report_id id) {
    bool hashes = run_below(run, 64) == 0;
    for (int k = 0; k < RUN_WORLDS; k++) {
        ox_world *world = run->worlds[k];
        uint64_t before = hashes ? ox_world_hash_layout(world) : 0;
        run->report_count = 0;
        RUN_CHECK(run, call->kind < WRONG_DESTROY ? refuse_component(run, world, call)
                                                  : refuse_entity(run, world, call));
        RUN_CHECK(run, run->report_count == 1 && run->last_report == id);
        RUN_CHECK(run, !hashes || ox_world_hash_layout(world) == before);
    }
}

// An entity that is not alive: destroyed, null, never made, or of a version to come.
static ox_entity pick_dead(random_run *run) {
    const model *all = &run->model;
    ox_entity entity = model_handle(all, (uint32_t)run_below(run, (uint64_t)all->used));
    switch (run_below(run, 6)) {
    case 0:
        return (ox_entity){0, 0};
    case 1:
        return (ox_entity){(uint32_t)all->used, 1};
    case 2:
        return (ox_entity){UINT32_MAX, UINT32_MAX};
    case 3:
        return (ox_entity){entity.index, 0};
    case 4:
        return (ox_entity){entity.index, entity.version - 1};
    default:
        return (ox_entity){entity.index, entity.version + 1 + (uint32_t)run_below(run, 3)};
    }
}

static void use_dead(random_run *run) {
    int component = run_pick_component(run);
    wrong_call call = {.kind = (wrong_kind)run_below(run, WRONG_KINDS),
                       .entity = pick_dead(run),
                       .component = run->model.components[component].id,
                       .value = run->values[component]};
    for (int k = 0; k < RUN_WORLDS; k++) {
        RUN_CHECK(run, !ox_entity_exists(run->worlds[k], call.entity));
        RUN_CHECK(run, !ox_has_id(run->worlds[k], call.entity, call.component));
        RUN_CHECK(run, ox_entity_get_location(run->worlds[k], call.entity).chunk == -1);
        RUN_CHECK(run, ox_entity_get_components(run->worlds[k], call.entity, NULL, 0) == 0);
        RUN_CHECK(run, ox_entity_get_name(run->worlds[k], call.entity) == NULL);
    }
    expect_refused(run, &call, OX_REPORT_STALE_ENTITY);
}

static void use_missing(random_run *run) {
    uint32_t index = run_pick_alive(run);
    int component = run_pick_component(run);
    if (run->model.entities[index].values[component] != NULL) {
        return;
    }
    wrong_call call = {.kind = (wrong_kind)run_below(run, WRONG_ADD),
                       .entity = model_handle(&run->model, index),
                       .component = run->model.components[component].id,
                       .value = run->values[component]};
    expect_refused(run, &call, OX_REPORT_NO_COMPONENT);
}

static void use_unknown(random_run *run) {
    static const uint32_t unknown[] = {0,     OX_MAX_COMPONENTS, OX_MAX_COMPONENTS + 1, 65536,
                                       65537, UINT32_MAX};
    uint32_t index = run_pick_alive(run);
    wrong_call call = {.kind = (wrong_kind)run_below(run, WRONG_DESTROY),
                       .entity = model_handle(&run->model, index),
                       .component = unknown[run_below(run, sizeof unknown / sizeof *unknown)],
                       .value = run->values[0]};
    expect_refused(run, &call, OX_REPORT_UNKNOWN_COMPONENT);
}

static void use_tag(random_run *run) {
    uint32_t index = run_pick_alive(run);
    int component = run_pick_component(run);
    if (run->model.components[component].size > 0 ||
        run->model.entities[index].values[component] == NULL) {
        return;
    }
    wrong_call call = {.kind = (wrong_kind)run_below(run, WRONG_REMOVE),
                       .entity = model_handle(&run->model, index),
                       .component = run->model.components[component].id,
                       .value = run->values[0]};
    expect_refused(run, &call, OX_REPORT_TAG_HAS_NO_VALUE);
}

// Lists of components.

static bool refuse_list(ox_world *world, const wrong_call *call, int way) {
    ox_value values[MODEL_COMPONENTS + 1];
    for (int k = 0; k < call->count && k <= MODEL_COMPONENTS; k++) {
        values[k] = (ox_value){call->ids[k], NULL};
    }
    switch (way) {
    case 0:
        return ox_archetype_of_at(world, call->ids, call->count, OX_HERE).number == 0;
    case 1:
        return is_null(ox_entity_create_at(world, values, call->count, OX_HERE));
    case 2:
        return !ox_add_many_at(world, call->entity, values, call->count, OX_HERE);
    default:
        return !ox_remove_many_at(world, call->entity, call->ids, call->count, OX_HERE);
    }
}

static void expect_list_refused(random_run *run, const wrong_call *call, int way, ox_report_id id) {
    for (int k = 0; k < RUN_WORLDS; k++) {
        run->report_count = 0;
        RUN_CHECK(run, refuse_list(run->worlds[k], call, way));
        RUN_CHECK(run, run->report_count == 1 && run->last_report == id);
    }
}

static void use_list_with_double(random_run *run) {
    uint32_t index = run_pick_alive(run), ids[MODEL_COMPONENTS + 1];
    uint32_t mask = run->model.entities[index].set->mask;
    int count = run_list_ids(run, mask, ids);
    if (count == 0) {
        return;
    }
    // A second one of any, at any place.
    uint64_t place = run_below(run, (uint64_t)count + 1);
    uint32_t doubled = ids[run_below(run, (uint64_t)count)];
    memmove(&ids[place + 1], &ids[place], ((uint64_t)count - place) * sizeof *ids);
    ids[place] = doubled;
    wrong_call call = {.entity = model_handle(&run->model, index), .ids = ids, .count = count + 1};
    expect_list_refused(run, &call, (int)run_below(run, 4), OX_REPORT_DUPLICATE);
}

static void use_list_too_large(random_run *run) {
    uint32_t index = run_pick_alive(run), ids[MODEL_COMPONENTS];
    uint32_t mask = 0;
    for (int k = 0; k < run->model.component_count; k++) {
        bool is_large = run->model.components[k].size >= 8000;
        mask |= (is_large ? 1u : (uint32_t)run_below(run, 2)) << k;
    }
    wrong_call call = {.entity = model_handle(&run->model, index), .ids = ids};
    call.count = run_list_ids(run, mask, ids);
    expect_list_refused(run, &call, (int)run_below(run, 3), OX_REPORT_ARCHETYPE_TOO_LARGE);
}

static void use_bad_count(random_run *run) {
    uint32_t ids[1] = {0};
    wrong_call call = {.entity = model_handle(&run->model, run_pick_alive(run)),
                       .ids = ids,
                       .count = -1 - (int)run_below(run, 100)};
    expect_list_refused(run, &call, (int)run_below(run, 4), OX_REPORT_BAD_COUNT);
    for (int k = 0; k < RUN_WORLDS; k++) {
        run->report_count = 0;
        RUN_CHECK(run, !ox_entities_destroy(run->worlds[k], &call.entity, -1));
        RUN_CHECK(run, run->report_count == 1 && run->last_report == OX_REPORT_BAD_COUNT);
    }
}

// Lists of entities.

static void destroy_with_double_or_dead(random_run *run) {
    ox_entity list[RUN_MANY];
    int count = 2 + (int)run_below(run, RUN_MANY - 2);
    uint32_t seen = 0;
    for (int k = 0; k < count; k++) {
        list[k] = model_handle(&run->model, run_pick_alive(run));
        for (int n = 0; n < k; n++) {
            seen |= list[n].index == list[k].index;
        }
    }
    ox_report_id id = OX_REPORT_DUPLICATE;
    if (!seen && run_below(run, 2) == 0) {
        id = OX_REPORT_STALE_ENTITY;
        list[run_below(run, (uint64_t)count)] = pick_dead(run);
    } else if (!seen) {
        list[count - 1] = list[run_below(run, (uint64_t)count - 1)];
    }
    for (int k = 0; k < RUN_WORLDS; k++) {
        run->report_count = 0;
        RUN_CHECK(run, !ox_entities_destroy(run->worlds[k], list, count));
        RUN_CHECK(run, run->report_count == 1 && run->last_report == id);
    }
}

static void use_foreign_archetype(random_run *run) {
    ox_entity entity = model_handle(&run->model, run_pick_alive(run)), made = {7, 7};
    for (int k = 0; k < RUN_WORLDS; k++) {
        ox_world *world = run->worlds[k];
        ox_archetype own = ox_archetype_of_at(world, NULL, 0, OX_HERE);
        ox_archetype other = ox_archetype_of_at(run->worlds[1 - k], NULL, 0, OX_HERE);
        ox_archetype wrong[] = {{0, 0}, {own.world, 0}, {own.world, UINT32_MAX}, other};
        ox_archetype used = wrong[run_below(run, 4)];
        run->report_count = 0;
        RUN_CHECK(run, !ox_entity_set_archetype(world, entity, used));
        RUN_CHECK(run, is_null(ox_entity_create_in(world, used)));
        RUN_CHECK(run, !ox_entities_create(world, used, &made, 1) && made.index == 7);
        RUN_CHECK(run, run->report_count == 3 && run->last_report == OX_REPORT_FOREIGN_HANDLE);
    }
}

void run_wrong_operation(random_run *run) {
    static void (*const wrongs[])(random_run * run) = {use_dead,
                                                       use_dead,
                                                       use_missing,
                                                       use_unknown,
                                                       use_tag,
                                                       use_list_with_double,
                                                       use_list_too_large,
                                                       use_bad_count,
                                                       destroy_with_double_or_dead,
                                                       use_foreign_archetype};
    if (run->model.alive_count > 0) {
        wrongs[run_below(run, sizeof wrongs / sizeof *wrongs)](run);
    }
}
