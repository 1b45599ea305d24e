// SPDX-License-Identifier: MIT
//
// Operations as they are meant to be done.

#include "entities/random_run.h"

#include "oxbow/queries.h"

#include <stdio.h>
#include <string.h>

static bool same_entity(ox_entity a, ox_entity b) {
    return a.index == b.index && a.version == b.version;
}

static void note_entity(random_run *run, ox_entity wanted, ox_entity found) {
    RUN_CHECK(run, same_entity(wanted, found));
    run->digest = (run->digest + wanted.index) * 0x9e3779b97f4a7c15u + wanted.version;
}

static ox_archetype archetype_of(random_run *run, ox_world *world, uint32_t mask) {
    uint32_t ids[MODEL_COMPONENTS];
    int count = run_list_ids(run, mask, ids);
    return ox_archetype_of_at(world, ids, count, OX_HERE);
}

// Values for a set; some are NULL. The model's entity gets them too. Returns how many.
static int make_values(random_run *run, uint32_t mask, ox_value *values) {
    uint32_t ids[MODEL_COMPONENTS];
    int count = run_list_ids(run, mask, ids);
    for (int k = 0; k < count; k++) {
        int component = run_component_of(run, ids[k]);
        bool is_null = run_below(run, 4) == 0;
        values[k] = (ox_value){ids[k], is_null ? NULL : run_make_value(run, component)};
    }
    return count;
}

static void write_to_model(random_run *run, uint32_t index, const ox_value *value) {
    int component = run_component_of(run, value->component);
    unsigned char *to = model_edit(&run->model, index, component);
    size_t size = run->model.components[component].size;
    if (value->value != NULL) {
        memcpy(to, value->value, size);
    } else {
        memset(to, 0, size);
    }
}

// Creating and destroying.

static void create_one(random_run *run) {
    uint32_t mask = run_below(run, 8) == 0 ? 0 : run_pick_mask(run);
    ox_entity wanted = model_add(&run->model, mask);
    for (int k = 0; k < RUN_WORLDS; k++) {
        ox_world *world = run->worlds[k];
        ox_entity made = mask == 0 ? ox_entity_create(world)
                                   : ox_entity_create_in(world, archetype_of(run, world, mask));
        note_entity(run, wanted, made);
    }
}

static void create_with_values(random_run *run) {
    uint32_t mask = run_pick_mask(run);
    ox_value values[MODEL_COMPONENTS];
    int count = make_values(run, mask, values);
    ox_entity wanted = model_add(&run->model, mask);
    for (int k = 0; k < count; k++) {
        write_to_model(run, wanted.index, &values[k]);
    }
    for (int k = 0; k < RUN_WORLDS; k++) {
        note_entity(run, wanted, ox_entity_create_at(run->worlds[k], values, count, OX_HERE));
    }
}

static void create_many(random_run *run) {
    uint32_t mask = run_pick_mask(run);
    int count = (int)run_below(run, RUN_MANY);
    bool wants_handles = run_below(run, 4) != 0;
    ox_entity wanted[RUN_MANY], made[RUN_MANY];
    model_name_set(&run->model, mask);
    for (int k = 0; k < count; k++) {
        wanted[k] = model_add(&run->model, mask);
    }
    for (int k = 0; k < RUN_WORLDS; k++) {
        ox_archetype archetype = archetype_of(run, run->worlds[k], mask);
        bool is_done =
            ox_entities_create(run->worlds[k], archetype, wants_handles ? made : NULL, count);
        RUN_CHECK(run, is_done);
        for (int n = 0; n < count && wants_handles; n++) {
            note_entity(run, wanted[n], made[n]);
        }
    }
}

static void instantiate_one(random_run *run) {
    uint32_t index = run_pick_alive(run);
    ox_entity source = model_handle(&run->model, index);
    ox_entity wanted = model_instantiate(&run->model, index);
    for (int k = 0; k < RUN_WORLDS; k++) {
        note_entity(run, wanted, ox_entity_instantiate(run->worlds[k], source));
    }
}

static void destroy_one(random_run *run) {
    uint32_t index = run_pick_alive(run);
    for (int k = 0; k < RUN_WORLDS; k++) {
        ox_entity_destroy(run->worlds[k], model_handle(&run->model, index));
    }
    model_remove(&run->model, index);
}

static void destroy_list(random_run *run, const ox_entity *entities, int count) {
    for (int k = 0; k < RUN_WORLDS; k++) {
        RUN_CHECK(run, ox_entities_destroy(run->worlds[k], entities, count));
    }
    for (int k = 0; k < count; k++) {
        model_remove(&run->model, entities[k].index);
    }
}

static void destroy_many(random_run *run) {
    ox_entity list[RUN_MANY];
    int count = 0;
    for (uint64_t k = run_below(run, RUN_MANY); k > 0; k--) {
        ox_entity entity = model_handle(&run->model, run_pick_alive(run));
        bool is_new = true;
        for (int n = 0; n < count; n++) {
            is_new = is_new && list[n].index != entity.index;
        }
        if (is_new) {
            list[count++] = entity;
        }
    }
    destroy_list(run, list, count);
}

// A run of rows: forwards, backwards, or every second one.
static void destroy_neighbours(random_run *run) {
    const model_entity *entity = &run->model.entities[run_pick_alive(run)];
    const model_chunk *chunk = entity->chunk;
    ox_entity list[RUN_MANY];
    int way = (int)run_below(run, 3), count = 0, step = way == 2 ? 2 : 1;
    int first = (int)run_below(run, (uint64_t)chunk->count);
    for (int row = first; row < chunk->count && count < RUN_MANY; row += step) {
        list[count++] =
            model_handle(&run->model, chunk->rows[way == 1 ? chunk->count - 1 - row : row]);
    }
    destroy_list(run, list, count);
}

// Components.

static void add_component(random_run *run) {
    uint32_t index = run_pick_alive(run);
    int component = run_pick_component(run);
    uint32_t mask = run->model.entities[index].set->mask | UINT32_C(1) << component;
    if (model_capacity(&run->model, mask) == 0) {
        return;
    }
    ox_value value = {run->model.components[component].id,
                      run_below(run, 3) == 0 ? NULL : run_make_value(run, component)};
    model_move(&run->model, index, mask);
    write_to_model(run, index, &value);
    for (int k = 0; k < RUN_WORLDS; k++) {
        RUN_CHECK(run, ox_add_at(run->worlds[k], model_handle(&run->model, index), value.component,
                                 value.value, OX_HERE));
    }
}

static void add_components(random_run *run) {
    uint32_t index = run_pick_alive(run), added = run_pick_mask(run);
    uint32_t mask = run->model.entities[index].set->mask | added;
    if (model_capacity(&run->model, mask) == 0) {
        return;
    }
    ox_value values[MODEL_COMPONENTS];
    int count = make_values(run, added, values);
    model_move(&run->model, index, mask);
    for (int k = 0; k < count; k++) {
        write_to_model(run, index, &values[k]);
    }
    for (int k = 0; k < RUN_WORLDS; k++) {
        RUN_CHECK(run, ox_add_many_at(run->worlds[k], model_handle(&run->model, index), values,
                                      count, OX_HERE));
    }
}

static void remove_components(random_run *run) {
    uint32_t index = run_pick_alive(run), ids[MODEL_COMPONENTS];
    uint32_t mask = run->model.entities[index].set->mask;
    uint32_t removed = mask & (uint32_t)oxi_random_next_u64(&run->random);
    if (run_below(run, 2) == 0) {
        removed &= ~removed + 1; // the lowest one alone
    }
    int count = run_list_ids(run, removed, ids);
    model_move(&run->model, index, mask & ~removed);
    for (int k = 0; k < RUN_WORLDS; k++) {
        RUN_CHECK(run, ox_remove_many_at(run->worlds[k], model_handle(&run->model, index), ids,
                                         count, OX_HERE));
    }
}

// Picks up to RUN_MANY entities that may get or lose a component, each once unless `doubles`.
static int list_some(random_run *run, int component, bool has_it, bool doubles, ox_entity *list) {
    int count = 0;
    uint32_t bit = UINT32_C(1) << component;
    for (uint64_t k = run_below(run, RUN_MANY); k > 0; k--) {
        uint32_t index = run_pick_alive(run), mask = run->model.entities[index].set->mask;
        bool is_fit = has_it ? (mask & bit) != 0 : model_capacity(&run->model, mask | bit) > 0;
        for (int n = 0; n < count && !doubles; n++) {
            is_fit = is_fit && list[n].index != index;
        }
        if (is_fit) {
            list[count++] = model_handle(&run->model, index);
        }
    }
    return count;
}

static void add_to_array(random_run *run) {
    ox_entity list[RUN_MANY];
    int component = run_pick_component(run);
    int count = list_some(run, component, false, true, list);
    ox_value value = {run->model.components[component].id,
                      run_below(run, 3) == 0 ? NULL : run_make_value(run, component)};
    for (int k = 0; k < count; k++) {
        uint32_t index = list[k].index;
        model_move(&run->model, index,
                   run->model.entities[index].set->mask | UINT32_C(1) << component);
        write_to_model(run, index, &value);
    }
    for (int k = 0; k < RUN_WORLDS; k++) {
        RUN_CHECK(run, ox_entities_add_at(run->worlds[k], list, count, value.component, value.value,
                                          OX_HERE));
        RUN_CHECK(run,
                  ox_entities_count_with_id(run->worlds[k], list, count, value.component) == count);
    }
}

static void remove_from_array(random_run *run) {
    ox_entity list[RUN_MANY];
    int component = run_pick_component(run);
    int count = list_some(run, component, true, false, list);
    uint32_t id = run->model.components[component].id;
    for (int k = 0; k < count; k++) {
        uint32_t index = list[k].index;
        model_move(&run->model, index,
                   run->model.entities[index].set->mask & ~(UINT32_C(1) << component));
    }
    for (int k = 0; k < RUN_WORLDS; k++) {
        RUN_CHECK(run, ox_entities_remove_at(run->worlds[k], list, count, id, OX_HERE));
        RUN_CHECK(run, ox_entities_count_with_id(run->worlds[k], list, count, id) == 0);
    }
}

static void set_archetype(random_run *run) {
    uint32_t index = run_pick_alive(run), mask = run_pick_mask(run);
    model_move(&run->model, index, mask);
    for (int k = 0; k < RUN_WORLDS; k++) {
        ox_archetype archetype = archetype_of(run, run->worlds[k], mask);
        RUN_CHECK(run, ox_entity_set_archetype(run->worlds[k], model_handle(&run->model, index),
                                               archetype));
    }
}

// Values.

static void look_at_value(random_run *run) {
    uint32_t index = run_pick_alive(run);
    int component = run_pick_component(run);
    uint32_t id = run->model.components[component].id;
    const unsigned char *wanted = run->model.entities[index].values[component];
    ox_entity entity = model_handle(&run->model, index);
    bool gets = run_below(run, 2) == 0;
    for (int k = 0; k < RUN_WORLDS; k++) {
        ox_world *world = run->worlds[k];
        RUN_CHECK(run, ox_has_id(world, entity, id) == (wanted != NULL));
        if (wanted != NULL && run->model.components[component].size > 0) {
            const void *value = gets ? ox_get_at(world, entity, id, OX_HERE)
                                     : ox_read_at(world, entity, id, OX_HERE);
            RUN_CHECK(run, memcmp(value, wanted, run->model.components[component].size) == 0);
        }
    }
}

static void change_value(random_run *run) {
    uint32_t index = run_pick_alive(run);
    int component = run_pick_component(run);
    size_t size = run->model.components[component].size;
    if (run->model.entities[index].values[component] == NULL || size == 0) {
        return;
    }
    ox_entity entity = model_handle(&run->model, index);
    ox_value value = {run->model.components[component].id, run_make_value(run, component)};
    bool edits = run_below(run, 2) == 0;
    write_to_model(run, index, &value);
    for (int k = 0; k < RUN_WORLDS; k++) {
        ox_world *world = run->worlds[k];
        if (edits) {
            memcpy(ox_edit_at(world, entity, value.component, OX_HERE), value.value, size);
        } else {
            RUN_CHECK(run, ox_set_at(world, entity, value.component, value.value, OX_HERE));
        }
    }
}

static void name_entity(random_run *run) {
    uint32_t index = run_pick_alive(run);
    int name = (int)run_below(run, MODEL_NAMES + 8);
    name = name < MODEL_NAMES ? name : -1;
    char text[16];
    snprintf(text, sizeof text, "name%d", name);
    bool is_free = model_set_name(&run->model, index, name);
    for (int k = 0; k < RUN_WORLDS; k++) {
        bool is_done = ox_entity_set_name(run->worlds[k], model_handle(&run->model, index),
                                          name < 0 ? NULL : text);
        RUN_CHECK(run, is_done == is_free);
        RUN_CHECK(run, run->report_count == (is_free ? 0 : k + 1));
        RUN_CHECK(run, is_free || run->last_report == OX_REPORT_NAME_TAKEN);
    }
    run->report_count = 0;
}

static void defragment(random_run *run) {
    uint64_t most = run_below(run, 4) == 0 ? UINT64_MAX : run_below(run, 200);
    uint64_t wanted = model_defragment(&run->model, most);
    for (int k = 0; k < RUN_WORLDS; k++) {
        RUN_CHECK(run, ox_world_defragment(run->worlds[k], most) == wanted);
    }
}

// The version that changes are stamped with moves on, as it does between updates.
static void step_version(random_run *run) {
    for (uint64_t step = 1 + run_below(run, 5); step > 0; step--) {
        run->model.version += run->model.version == UINT32_MAX ? 2 : 1; // 0 is no version
        for (int k = 0; k < RUN_WORLDS; k++) {
            RUN_CHECK(run, ox_world_advance_version(run->worlds[k]) == run->model.version);
        }
    }
}

typedef struct run_choice {
    void (*call)(random_run *run);
    int weight;
} run_choice;

static void choose_call(random_run *run, const run_choice *choices) {
    int total = 0;
    for (const run_choice *k = choices; k->call != NULL; k++) {
        total += k->weight;
    }
    int dice = (int)run_below(run, (uint64_t)total);
    while (dice >= choices->weight) {
        dice -= choices->weight;
        choices++;
    }
    choices->call(run);
}

void run_right_operation(random_run *run) {
    static const run_choice growing[] = {{create_one, 30},  {create_with_values, 20},
                                         {create_many, 4},  {instantiate_one, 15},
                                         {destroy_one, 10}, {NULL, 0}};
    static const run_choice falling[] = {
        {create_one, 10},        {destroy_one, 40},    {destroy_many, 3}, {destroy_neighbours, 3},
        {create_with_values, 5}, {instantiate_one, 5}, {NULL, 0}};
    static const run_choice others[] = {
        {add_component, 40}, {add_components, 15}, {remove_components, 45}, {set_archetype, 10},
        {look_at_value, 30}, {change_value, 40},   {name_entity, 10},       {defragment, 1},
        {step_version, 10},  {add_to_array, 3},    {remove_from_array, 3},  {NULL, 0}};
    // Worlds fill and empty in waves, so that chunks open again and lists get gaps.
    if (run->model.alive_count > run->target) {
        run->shrinks = true;
    } else if (run->model.alive_count * 2 <= run->target) {
        run->shrinks = run->shrinks && run->model.alive_count > 0 && run_below(run, 8) != 0;
    }
    if (run->query_every > 0 && run_below(run, run->query_every) == 0) {
        run_query_operation(run);
    } else if (run->model.alive_count == 0) {
        create_one(run);
    } else if (run_below(run, 2) == 0) {
        choose_call(run, others);
    } else {
        choose_call(run, run->shrinks ? falling : growing);
    }
}
