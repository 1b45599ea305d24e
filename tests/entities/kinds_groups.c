// SPDX-License-Identifier: MIT
//
// Operations on entities with their groups: destroying, copying, switching off.

#include "entities/kinds_run.h"

#include <stdlib.h>
#include <string.h>

// Destroying. What is destroyed but for its cleanup components may be destroyed again.

static void destroy_one(kinds_run *run) {
    ox_entity entity = kinds_handle(&run->model, kinds_pick(run));
    ox_entity_destroy(run->world, entity);
    kinds_destroy(&run->model, &entity, 1);
    KINDS_CHECK(run, ox_entity_exists(run->world, entity) == kinds_is_alive(&run->model, entity));
}

static void destroy_many(kinds_run *run) {
    kinds_list list = {0};
    for (uint64_t k = kinds_below(run, KINDS_MANY); k > 0; k--) {
        ox_entity entity = kinds_handle(&run->model, kinds_pick(run));
        if (!kinds_list_has(&list, entity)) {
            kinds_list_push(&list, entity);
        }
    }
    KINDS_CHECK(run, ox_entities_destroy(run->world, list.items, list.count));
    kinds_destroy(&run->model, list.items, list.count);
    kinds_list_free(&list);
}

// Copying.

// Makes copies of an entity and its group. The model does it one by one.
static void instantiate(kinds_run *run, uint32_t index, int count) {
    ox_entity source = kinds_handle(&run->model, index), made[KINDS_MANY];
    kinds_list group = {0};
    kinds_list_group(&run->model, index, &group);
    ox_entity *copies = malloc((size_t)group.count * sizeof *copies);
    if (count == 1) {
        made[0] = ox_entity_instantiate(run->world, source);
    } else {
        KINDS_CHECK(run, ox_entities_instantiate(run->world, source, made, count));
    }
    for (int k = 0; k < count; k++) {
        kinds_copy(&run->model, &group, false, copies);
        kinds_note_entity(run, copies[0], made[k]);
    }
    free(copies);
    kinds_list_free(&group);
}

static uint32_t pick_root(kinds_run *run) {
    int64_t root = kinds_pick_with(run, UINT32_C(1) << KINDS_LINKED);
    return root >= 0 && kinds_chance(run, 2) ? (uint32_t)root : kinds_pick_whole(run);
}

static void instantiate_one(kinds_run *run) {
    uint32_t index = pick_root(run);
    if (kinds_group_is_good(&run->model, index)) {
        instantiate(run, index, 1);
    }
}

static void instantiate_many(kinds_run *run) {
    uint32_t index = pick_root(run);
    if (kinds_group_is_good(&run->model, index)) {
        instantiate(run, index, (int)kinds_below(run, 8));
    }
}

static void copy_set(kinds_run *run) {
    kinds_list set = {0};
    ox_entity copies[KINDS_MANY], made[KINDS_MANY];
    uint32_t near = kinds_pick_whole(run);
    for (uint64_t k = kinds_below(run, KINDS_MANY); k > 0; k--) {
        ox_entity entity = kinds_chance(run, 2) ? kinds_pick_any(run, near)
                                                : kinds_handle(&run->model, kinds_pick(run));
        if (kinds_is_alive(&run->model, entity) && !run->model.entities[entity.index].is_residue &&
            !kinds_list_has(&set, entity)) {
            kinds_list_push(&set, entity);
        }
    }
    KINDS_CHECK(run, ox_entities_copy(run->world, set.items, made, set.count));
    kinds_copy(&run->model, &set, true, copies);
    for (int k = 0; k < set.count; k++) {
        kinds_note_entity(run, copies[k], made[k]);
    }
    kinds_list_free(&set);
}

// An entity and its group are switched off or on as a whole.
static void switch_entity(kinds_run *run) {
    uint32_t index = pick_root(run), bit = UINT32_C(1) << KINDS_DISABLED;
    bool is_on = kinds_chance(run, 2);
    ox_entity entity = kinds_handle(&run->model, index);
    kinds_list group = {0};
    kinds_list_group(&run->model, index, &group);
    for (int k = 0; k < group.count; k++) {
        uint32_t mask = run->model.entities[group.items[k].index].mask;
        kinds_set_mask(&run->model, group.items[k].index, is_on ? mask & ~bit : mask | bit);
    }
    KINDS_CHECK(run, ox_entity_set_enabled(run->world, entity, is_on));
    KINDS_CHECK(run, ox_entity_is_enabled(run->world, entity) == is_on);
    kinds_list_free(&group);
}

void kinds_group_operation(kinds_run *run) {
    static const kinds_choice growing[] = {{instantiate_one, 10}, {instantiate_many, 5},
                                           {copy_set, 5},         {destroy_one, 5},
                                           {switch_entity, 5},    {NULL, 0}};
    static const kinds_choice falling[] = {
        {destroy_one, 50}, {destroy_many, 3}, {instantiate_one, 4}, {copy_set, 1}, {NULL, 0}};
    kinds_choose(run, run->shrinks ? falling : growing);
}
