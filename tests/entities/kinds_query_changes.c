// SPDX-License-Identifier: MIT
//
// Changes to all that a query finds.

#include "entities/kinds_queries.h"

#include "entities/world.h"
#include "oxbow/containers.h"

#include <stdlib.h>
#include <string.h>

enum { MANY_MATCHES = 100 };

// What a query finds.
static kinds_list list_matches(kinds_run *run, const kinds_query *query) {
    kinds_list list = {0};
    ox_array found = ox_query_copy_entities(query->query, OX_PERSISTENT);
    for (int64_t k = 0; k < found.count; k++) {
        ox_entity entity = ((const ox_entity *)found.data)[k];
        KINDS_CHECK(run, kinds_is_alive(&run->model, entity) &&
                             kinds_matches(query, &run->model.entities[entity.index]));
        kinds_list_push(&list, entity);
    }
    ox_dispose(&found);
    KINDS_CHECK(run, list.count == kinds_count_matches(run, query));
    return list;
}

// In which order ids are freed depends on how entities lie, which the model does not know: it takes
// the order over when the ids are the ones.
static void take_free_ids(kinds_run *run) {
    const oxi_entity_table *table = &run->world->store.entities;
    kinds_model *model = &run->model;
    int64_t *link = &model->first_free, count = 0;
    for (uint32_t k = table->first_free; k != (uint32_t)OXI_LAST_RECORD;
         k = table->records[k].row) {
        KINDS_CHECK(run, k < model->used && !model->entities[k].is_alive && count < model->used);
        if (run->failure[0] != 0) {
            return;
        }
        *link = k;
        link = &model->entities[k].next_free;
        count++;
    }
    *link = -1;
    KINDS_CHECK(run, count == model->used - model->alive_count);
}

static bool has_residue(const kinds_run *run, const kinds_list *list, uint32_t lacking) {
    for (int k = 0; k < list->count; k++) {
        const kinds_entity *entity = &run->model.entities[list->items[k].index];
        if (entity->is_residue && !(entity->mask & lacking)) {
            return true;
        }
    }
    return false;
}

// Components. What has it, or lacks it, stays as it is.

static void change_component(kinds_run *run, const kinds_query *query, const kinds_list *list) {
    int component = kinds_pick_component(run);
    uint32_t bit = UINT32_C(1) << component, id = kinds_components[component].id;
    bool removes = kinds_chance(run, 2);
    if (!removes && has_residue(run, list, bit)) {
        uint64_t before = ox_world_hash_layout(run->world);
        kinds_expect_refused(run, !ox_query_add_at(query->query, id, OX_HERE), before, OX_HERE);
        return;
    }
    KINDS_CHECK(run, removes ? ox_query_remove_at(query->query, id, OX_HERE)
                             : ox_query_add_at(query->query, id, OX_HERE));
    for (int k = 0; k < list->count; k++) {
        uint32_t index = list->items[k].index, mask = run->model.entities[index].mask;
        if (((mask & bit) != 0) == removes) {
            kinds_set_mask(&run->model, index, mask ^ bit);
        }
    }
    take_free_ids(run);
}

// Destroying. A group of which a member is not found is refused.

static bool has_members_outside(const kinds_run *run, const kinds_list *list) {
    for (int k = 0; k < list->count; k++) {
        const kinds_entity *root = &run->model.entities[list->items[k].index];
        const kinds_array *group = &root->arrays[KINDS_LINKED];
        for (int n = 0; n < group->count; n++) {
            ox_entity member = ((const ox_linked *)(const void *)group->bytes)[n].entity;
            if (kinds_is_alive(&run->model, member) &&
                !run->model.entities[member.index].is_residue && !kinds_list_has(list, member)) {
                return true;
            }
        }
    }
    return false;
}

static void destroy_matches(kinds_run *run, const kinds_query *query, const kinds_list *list) {
    if (has_members_outside(run, list)) {
        uint64_t before = ox_world_hash_layout(run->world);
        kinds_expect_refused(run, ox_query_destroy_entities(query->query) == 0, before, OX_HERE);
        return;
    }
    int whole = 0;
    for (int k = 0; k < list->count; k++) {
        whole += !run->model.entities[list->items[k].index].is_residue;
        kinds_destroy_one(&run->model, list->items[k].index);
    }
    KINDS_CHECK(run, ox_query_destroy_entities(query->query) == whole);
    take_free_ids(run);
}

// Shared values and switches.

// A component that a query names in one of some ways, or -1.
static int pick_named(kinds_run *run, const kinds_query *query, uint32_t kinds, uint32_t terms) {
    uint64_t first = kinds_below(run, (uint64_t)query->term_count + 1);
    for (int k = 0; k < query->term_count; k++) {
        const kinds_term *term = &query->terms[((int)first + k) % query->term_count];
        if (kinds >> term->component & 1 && terms >> term->kind & 1) {
            return term->component;
        }
    }
    return -1;
}

static void set_shared(kinds_run *run, const kinds_query *query, const kinds_list *list) {
    int component = pick_named(run, query, kinds_masked.shared,
                               UINT32_C(1) << OX_TERM_READ | UINT32_C(1) << OX_TERM_WITH);
    if (component < 0) {
        return;
    }
    int number = kinds_pick_number(run, component);
    kinds_make_shared(component, number, run->values[component]);
    KINDS_CHECK(run, ox_query_set_shared_at(query->query, kinds_components[component].id,
                                            run->values[component], OX_HERE));
    for (int k = 0; k < list->count; k++) {
        kinds_change_shared(&run->model, list->items[k].index, component, number);
    }
}

// The whole chunk of a step, whatever of it matches.
static void set_shared_of_chunk(kinds_run *run, const kinds_query *query) {
    int component = pick_named(run, query, kinds_masked.shared,
                               UINT32_C(1) << OX_TERM_READ | UINT32_C(1) << OX_TERM_WITH);
    if (component < 0) {
        return;
    }
    int number = kinds_pick_number(run, component);
    kinds_make_shared(component, number, run->values[component]);
    OX_EACH_CHUNK(query->query, chunk) {
        if (!kinds_chance(run, 2)) {
            continue;
        }
        const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk.oxi_chunk);
        for (uint32_t row = 0; row < entry->count; row++) {
            uint32_t index = oxi_chunk_entities(chunk.oxi_chunk)[row].index;
            kinds_change_shared(&run->model, index, component, number);
        }
        KINDS_CHECK(run, ox_chunk_set_shared_at(&chunk, kinds_components[component].id,
                                                run->values[component], OX_HERE));
        break; // it was a structural change
    }
}

enum { SWITCHING = 1 << OX_TERM_WRITE | 1 << OX_TERM_ENABLED };

static void set_switch(kinds_run *run, kinds_entity *entity, int component, bool is_on) {
    uint32_t bit = UINT32_C(1) << component;
    entity->changed[component] = run->model.version;
    entity->off = is_on ? entity->off & ~bit : entity->off | bit;
}

// Of all entities in chunks that pass, whatever it is.
static void set_enabled(kinds_run *run, const kinds_query *query) {
    int component = pick_named(run, query, kinds_masked.enableable, SWITCHING);
    if (component < 0) {
        return;
    }
    bool is_on = kinds_chance(run, 2);
    KINDS_CHECK(
        run, ox_query_set_enabled_at(query->query, kinds_components[component].id, is_on, OX_HERE));
    for (int k = 0; k < run->model.alive_count; k++) {
        kinds_entity *entity = &run->model.entities[run->model.alive[k]];
        if (kinds_matches_chunk(query, entity) && kinds_passes(query, entity)) {
            set_switch(run, entity, component, is_on);
        }
    }
}

// In a walk, which sees each chunk as it was when it came to it.
static void switch_rows(kinds_run *run, const kinds_query *query, const kinds_list *list) {
    int component = pick_named(run, query, kinds_masked.enableable, SWITCHING), seen = 0;
    if (component < 0) {
        return;
    }
    uint32_t id = kinds_components[component].id;
    OX_EACH_CHUNK(query->query, chunk) {
        for (int row = 0; row < chunk.count && run->failure[0] == 0; row++, seen++) {
            KINDS_CHECK(run, seen < list->count &&
                                 kinds_is_same(chunk.entities[row], list->items[seen]));
            kinds_entity *entity = &run->model.entities[chunk.entities[row].index];
            bool is_on = kinds_chance(run, 2);
            KINDS_CHECK(run, ox_chunk_is_enabled_at(&chunk, row, id, OX_HERE) ==
                                 !(entity->off >> component & 1));
            KINDS_CHECK(run, ox_chunk_set_enabled_at(&chunk, row, id, is_on, OX_HERE));
            set_switch(run, entity, component, is_on);
        }
    }
    KINDS_CHECK(run, seen == list->count);
}

static void edit_columns(kinds_run *run, const kinds_query *query) {
    int component = pick_named(run, query, kinds_masked.data, UINT32_C(1) << OX_TERM_WRITE);
    if (component < 0) {
        return;
    }
    size_t size = kinds_components[component].size;
    OX_EACH_CHUNK(query->query, chunk) {
        char *column = ox_chunk_edit_at(&chunk, kinds_components[component].id, OX_HERE);
        for (int row = 0; row < chunk.count && run->failure[0] == 0; row++) {
            uint32_t index = chunk.entities[row].index;
            void *value = kinds_value(kinds_touch(&run->model, index, component), component);
            kinds_fill(run, component, index, value, 1);
            memcpy(column + (size_t)row * size, value, size);
        }
    }
}

// Adds an element to the buffer of each row.
static void append_in_walk(kinds_run *run, const kinds_query *query) {
    int component = pick_named(run, query, kinds_masked.buffers, UINT32_C(1) << OX_TERM_WRITE);
    if (component < 0) {
        return;
    }
    const kinds_component *known = &kinds_components[component];
    OX_EACH_CHUNK(query->query, chunk) {
        for (int row = 0; row < chunk.count && run->failure[0] == 0; row++) {
            kinds_entity *entity = &run->model.entities[chunk.entities[row].index];
            int count = entity->arrays[component].count;
            if (count >= KINDS_MOST_ELEMENTS) {
                continue;
            }
            kinds_array_change(entity, component, count, 0, 1);
            entity->changed[component] = run->model.version;
            unsigned char *element = entity->arrays[component].bytes + (size_t)count * known->size;
            kinds_fill(run, component, chunk.entities[row].index, element, 1);
            ox_buffer buffer = ox_buffers_get_at(
                ox_chunk_get_buffers_at(&chunk, known->id, true, OX_HERE), row, OX_HERE);
            KINDS_CHECK(run, ox_buffer_push_at(buffer, known->size, element, OX_HERE));
        }
    }
}

// Copies values out, in the order of a walk, and new ones in.
static void copy_values(kinds_run *run, const kinds_query *query, const kinds_list *list) {
    int component = pick_named(run, query, kinds_masked.data, UINT32_C(1) << OX_TERM_WRITE);
    if (component < 0) {
        return;
    }
    uint32_t id = kinds_components[component].id;
    size_t size = kinds_components[component].size;
    ox_array values = ox_query_copy_values_at(query->query, id, OX_PERSISTENT, OX_HERE);
    KINDS_CHECK(run, values.count == list->count);
    for (int k = 0; k < list->count && run->failure[0] == 0; k++) {
        char *value = (char *)values.data + (size_t)k * size;
        kinds_entity *entity = &run->model.entities[list->items[k].index];
        KINDS_CHECK(run, memcmp(value, kinds_value(entity, component), size) == 0);
        kinds_fill(run, component, list->items[k].index, value, 1);
        memcpy(kinds_value(entity, component), value, size);
        entity->changed[component] = run->model.version;
    }
    KINDS_CHECK(run, ox_query_set_values_at(query->query, id, values, OX_HERE));
    ox_dispose(&values);
}

void kinds_query_change(kinds_run *run, const kinds_query *query) {
    if (kinds_count_matches(run, query) > MANY_MATCHES && !kinds_chance(run, 8)) {
        return; // or there would be no time for others
    }
    kinds_list list = list_matches(run, query);
    switch (run->failure[0] == 0 ? kinds_below(run, 11) : 10) {
    case 0:
    case 1:
        change_component(run, query, &list);
        break;
    case 2:
        destroy_matches(run, query, &list);
        break;
    case 3:
        set_shared(run, query, &list);
        break;
    case 4:
        set_enabled(run, query);
        break;
    case 5:
        switch_rows(run, query, &list);
        break;
    case 6:
        set_shared_of_chunk(run, query);
        break;
    case 8:
        append_in_walk(run, query);
        break;
    case 7:
        copy_values(run, query, &list);
        break;
    default:
        edit_columns(run, query);
    }
    kinds_list_free(&list);
}
