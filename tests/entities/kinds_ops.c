// SPDX-License-Identifier: MIT
//
// Operations on sets of components: creating, adding, removing.

#include "entities/kinds_run.h"

#include <string.h>

// Values of several components, for a call, and the numbers of shared ones.
typedef struct given_values {
    ox_value values[KINDS_COUNT];
    int numbers[KINDS_COUNT];
    int count;
} given_values;

static ox_value give_value(kinds_run *run, int component, uint32_t near, int *number) {
    ox_value value = {kinds_components[component].id, NULL};
    uint32_t bit = UINT32_C(1) << component;
    *number = 0;
    if (!((kinds_masked.data | kinds_masked.shared) & bit) || kinds_chance(run, 4)) {
        return value;
    }
    value.value = run->values[component];
    if (kinds_masked.shared & bit) {
        *number = kinds_pick_number(run, component);
        kinds_make_shared(component, *number, run->values[component]);
    } else {
        kinds_fill(run, component, near, run->values[component], 1);
    }
    return value;
}

static void give_values(kinds_run *run, uint32_t mask, uint32_t near, given_values *given) {
    uint32_t ids[KINDS_COUNT];
    given->count = kinds_list_ids(run, mask, ids);
    for (int k = 0; k < given->count; k++) {
        given->values[k] = give_value(run, kinds_find(ids[k]), near, &given->numbers[k]);
    }
}

// A value that is NULL is zero; a buffer that is there stays.
static void write_given(kinds_run *run, uint32_t index, const given_values *given) {
    kinds_entity *entity = &run->model.entities[index];
    for (int k = 0; k < given->count; k++) {
        int component = kinds_find(given->values[k].component);
        void *to = kinds_value(entity, component);
        const void *from = given->values[k].value;
        kinds_change_shared(&run->model, index, component, given->numbers[k]);
        if (to != NULL) {
            entity->changed[component] = run->model.version;
        }
        if (to != NULL && from != NULL) {
            memcpy(to, from, kinds_components[component].size);
        } else if (to != NULL) {
            memset(to, 0, kinds_components[component].size);
        }
    }
}

// Creating.

static ox_archetype archetype_of(kinds_run *run, uint32_t mask) {
    uint32_t ids[KINDS_COUNT];
    int count = kinds_list_ids(run, mask, ids);
    return ox_archetype_of_at(run->world, ids, count, OX_HERE);
}

static void create_one(kinds_run *run) {
    uint32_t mask = kinds_chance(run, 16) ? 0 : kinds_pick_mask(run);
    ox_entity wanted = kinds_add(&run->model, mask);
    ox_entity made = mask == 0 ? ox_entity_create(run->world)
                               : ox_entity_create_in(run->world, archetype_of(run, mask));
    kinds_note_entity(run, wanted, made);
}

static void create_with_values(kinds_run *run) {
    uint32_t mask = kinds_pick_mask(run);
    given_values given;
    ox_entity wanted = kinds_add(&run->model, mask);
    give_values(run, mask, wanted.index, &given);
    write_given(run, wanted.index, &given);
    kinds_note_entity(run, wanted,
                      ox_entity_create_at(run->world, given.values, given.count, OX_HERE));
}

static void create_many(kinds_run *run) {
    uint32_t mask = kinds_pick_mask(run);
    ox_entity wanted[KINDS_MANY], made[KINDS_MANY];
    int count = (int)kinds_below(run, KINDS_MANY);
    for (int k = 0; k < count; k++) {
        wanted[k] = kinds_add(&run->model, mask);
    }
    KINDS_CHECK(run, ox_entities_create(run->world, archetype_of(run, mask), made, count));
    for (int k = 0; k < count; k++) {
        kinds_note_entity(run, wanted[k], made[k]);
    }
}

// Adding and removing.

static void add_component(kinds_run *run) {
    uint32_t index = kinds_pick_whole(run);
    int component = kinds_pick_component(run);
    given_values given = {.count = 1};
    given.values[0] = give_value(run, component, index, &given.numbers[0]);
    kinds_set_mask(&run->model, index, run->model.entities[index].mask | UINT32_C(1) << component);
    write_given(run, index, &given);
    KINDS_CHECK(run, ox_add_at(run->world, kinds_handle(&run->model, index),
                               given.values[0].component, given.values[0].value, OX_HERE));
}

static void add_components(kinds_run *run) {
    uint32_t index = kinds_pick_whole(run), mask = kinds_pick_mask(run);
    given_values given;
    give_values(run, mask, index, &given);
    kinds_set_mask(&run->model, index, run->model.entities[index].mask | mask);
    write_given(run, index, &given);
    KINDS_CHECK(run, ox_add_many_at(run->world, kinds_handle(&run->model, index), given.values,
                                    given.count, OX_HERE));
}

// Whole entities, or those that have a component, a residue among them; an entity comes once unless
// `doubles`. Returns how many.
static int list_some(kinds_run *run, uint32_t bit, bool doubles, ox_entity *list) {
    int count = 0;
    for (uint64_t k = kinds_below(run, KINDS_MANY); k > 0; k--) {
        int64_t index = bit != 0 ? kinds_pick_with(run, bit) : (int64_t)kinds_pick_whole(run);
        bool is_fit = index >= 0;
        for (int n = 0; n < count && !doubles; n++) {
            is_fit = is_fit && list[n].index != (uint32_t)index;
        }
        if (is_fit) {
            list[count++] = kinds_handle(&run->model, (uint32_t)index);
        }
    }
    return count;
}

static void add_to_array(kinds_run *run) {
    ox_entity list[KINDS_MANY];
    int component = kinds_pick_component(run), count = list_some(run, 0, true, list);
    if (count == 0) {
        return;
    }
    given_values given = {.count = 1};
    given.values[0] = give_value(run, component, list[0].index, &given.numbers[0]);
    for (int k = 0; k < count; k++) {
        uint32_t index = list[k].index;
        kinds_set_mask(&run->model, index,
                       run->model.entities[index].mask | UINT32_C(1) << component);
        write_given(run, index, &given);
    }
    KINDS_CHECK(run, ox_entities_add_at(run->world, list, count, given.values[0].component,
                                        given.values[0].value, OX_HERE));
}

static void remove_from_array(kinds_run *run) {
    ox_entity list[KINDS_MANY];
    uint32_t bit = UINT32_C(1) << kinds_pick_component(run), ids[KINDS_COUNT];
    int count = list_some(run, bit, false, list);
    kinds_list_ids(run, bit, ids);
    KINDS_CHECK(run, ox_entities_remove_at(run->world, list, count, ids[0], OX_HERE));
    for (int k = 0; k < count; k++) {
        uint32_t index = list[k].index;
        kinds_set_mask(&run->model, index, run->model.entities[index].mask & ~bit);
    }
}

// One, several or all of them. What is left of a destroyed entity ends with the last.
static void remove_from(kinds_run *run, uint32_t index) {
    uint32_t mask = run->model.entities[index].mask, removed = 0, ids[KINDS_COUNT];
    uint64_t way = kinds_below(run, 4);
    for (int k = 0; k < KINDS_COUNT; k++) {
        bool is_chosen = way == 0 || (way == 1 ? kinds_chance(run, 2) : removed == 0);
        removed |= is_chosen ? mask & UINT32_C(1) << k : 0;
    }
    int count = kinds_list_ids(run, removed, ids);
    ox_entity entity = kinds_handle(&run->model, index);
    KINDS_CHECK(run, ox_remove_many_at(run->world, entity, ids, count, OX_HERE));
    if (removed != 0) {
        kinds_set_mask(&run->model, index, mask & ~removed);
    }
    KINDS_CHECK(run, ox_entity_exists(run->world, entity) == kinds_is_alive(&run->model, entity));
}

static void remove_components(kinds_run *run) {
    remove_from(run, kinds_pick(run));
}

static void remove_one(kinds_run *run) {
    uint32_t bit = UINT32_C(1) << kinds_pick_component(run);
    int64_t index = kinds_pick_with(run, bit);
    if (index < 0) {
        return;
    }
    ox_entity entity = kinds_handle(&run->model, (uint32_t)index);
    uint32_t ids[KINDS_COUNT];
    int count = kinds_list_ids(run, bit, ids);
    KINDS_CHECK(run, ox_remove_many_at(run->world, entity, ids, count, OX_HERE));
    kinds_set_mask(&run->model, entity.index, run->model.entities[index].mask & ~bit);
}

static void remove_cleanup(kinds_run *run) {
    for (int k = 0; k < run->model.alive_count; k++) {
        uint32_t index = run->model.alive[k];
        if (run->model.entities[index].is_residue && kinds_chance(run, 2)) {
            remove_from(run, index);
            return;
        }
    }
}

static void set_archetype(kinds_run *run) {
    uint32_t index = kinds_pick_whole(run), mask = kinds_pick_mask(run);
    ox_entity entity = kinds_handle(&run->model, index);
    KINDS_CHECK(run, ox_entity_set_archetype(run->world, entity, archetype_of(run, mask)));
    kinds_set_mask(&run->model, index, mask);
}

static void defragment(kinds_run *run) {
    if (run->is_in_loop) {
        return;
    }
    ox_world_defragment(run->world, kinds_chance(run, 4) ? UINT64_MAX : kinds_below(run, 200));
}

static void step_version(kinds_run *run) {
    run->model.version = ox_world_advance_version(run->world);
}

// Worlds fill and empty in waves, so that chunks open again and lists get gaps.
static void turn_wave(kinds_run *run) {
    if (run->model.alive_count > run->target) {
        run->shrinks = true;
    } else if (run->model.alive_count <= run->low) {
        run->shrinks = run->shrinks && run->model.alive_count > 0 && !kinds_chance(run, 8);
    }
}

void kinds_operation(kinds_run *run) {
    static const kinds_choice growing[] = {{create_one, 30},
                                           {create_with_values, 40},
                                           {create_many, 6},
                                           {kinds_group_operation, 24},
                                           {NULL, 0}};
    static const kinds_choice falling[] = {
        {create_with_values, 5}, {kinds_group_operation, 70}, {remove_cleanup, 60}, {NULL, 0}};
    static const kinds_choice others[] = {{add_component, 25},
                                          {add_components, 10},
                                          {remove_components, 10},
                                          {remove_one, 25},
                                          {set_archetype, 8},
                                          {add_to_array, 3},
                                          {remove_from_array, 3},
                                          {kinds_value_operation, 120},
                                          {remove_cleanup, 5},
                                          {defragment, 1},
                                          {step_version, 6},
                                          {kinds_query_operation, 45},
                                          {NULL, 0}};
    turn_wave(run);
    if (run->model.alive_count == 0) {
        create_with_values(run);
    } else if (run->is_narrow && !kinds_chance(run, 16)) {
        kinds_choose(run, run->shrinks ? falling : growing);
    } else if (kinds_below(run, 3) != 0) {
        kinds_choose(run, others);
    } else {
        kinds_choose(run, run->shrinks ? falling : growing);
    }
}
