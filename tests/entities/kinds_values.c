// SPDX-License-Identifier: MIT
//
// Operations on values: plain ones, shared ones, switches and buffers.

#include "entities/kinds_run.h"

#include <string.h>

// An entity that has a component of a kind, and which. False when there is none.
static bool pick_value(kinds_run *run, uint32_t kinds, ox_entity *entity, int *component) {
    *component = kinds_pick_component(run);
    for (int k = 0; k < KINDS_COUNT && !(kinds >> *component & 1); k++) {
        *component = (*component + 1) % KINDS_COUNT;
    }
    int64_t index = kinds_pick_with(run, UINT32_C(1) << *component);
    *entity = index >= 0 ? kinds_handle(&run->model, (uint32_t)index) : (ox_entity){0, 0};
    return index >= 0;
}

// Plain values.

static void change_value(kinds_run *run) {
    ox_entity entity;
    int component;
    if (!pick_value(run, kinds_masked.data, &entity, &component)) {
        return;
    }
    uint32_t id = kinds_components[component].id;
    size_t size = kinds_components[component].size;
    kinds_fill(run, component, entity.index, run->values[component], 1);
    memcpy(kinds_value(kinds_touch(&run->model, entity.index, component), component),
           run->values[component], size);
    if (kinds_chance(run, 2)) {
        memcpy(ox_edit_at(run->world, entity, id, OX_HERE), run->values[component], size);
    } else {
        KINDS_CHECK(run, ox_set_at(run->world, entity, id, run->values[component], OX_HERE));
    }
}

static void look_at_value(kinds_run *run) {
    ox_entity entity;
    int component;
    if (!pick_value(run, kinds_masked.data, &entity, &component)) {
        return;
    }
    uint32_t id = kinds_components[component].id;
    const void *value = kinds_chance(run, 2) ? ox_get_at(run->world, entity, id, OX_HERE)
                                             : ox_read_at(run->world, entity, id, OX_HERE);
    KINDS_CHECK(run, memcmp(value, kinds_value(&run->model.entities[entity.index], component),
                            kinds_components[component].size) == 0);
}

// Shared values.

static void set_shared(kinds_run *run) {
    ox_entity entity;
    int component;
    if (!pick_value(run, kinds_masked.shared, &entity, &component)) {
        return;
    }
    uint32_t id = kinds_components[component].id;
    int number = kinds_pick_number(run, component);
    kinds_make_shared(component, number, run->values[component]);
    KINDS_CHECK(run, ox_set_at(run->world, entity, id, run->values[component], OX_HERE));
    kinds_change_shared(&run->model, entity.index, component, number);
    const void *value = ox_get_at(run->world, entity, id, OX_HERE);
    KINDS_CHECK(run, kinds_number_of(component, value) == number);
}

// Switches.

static void switch_component(kinds_run *run) {
    ox_entity entity;
    int component;
    if (!pick_value(run, kinds_masked.enableable, &entity, &component)) {
        return;
    }
    bool is_on = kinds_chance(run, 2);
    uint32_t id = kinds_components[component].id, bit = UINT32_C(1) << component;
    kinds_entity *model = &run->model.entities[entity.index];
    KINDS_CHECK(run, ox_is_enabled_id(run->world, entity, id) == !(model->off & bit));
    KINDS_CHECK(run, ox_set_enabled_at(run->world, entity, id, is_on, OX_HERE));
    KINDS_CHECK(run, ox_is_enabled_id(run->world, entity, id) == is_on);
    model->off = is_on ? model->off & ~bit : model->off | bit;
    model->changed[component] = run->model.version;
}

// Buffers.

static int clamp_count(int count) {
    return count < KINDS_MOST_ELEMENTS ? count : KINDS_MOST_ELEMENTS;
}

// The elements of an entity's buffer, and where new ones come from.
typedef struct buffer_use {
    ox_buffer buffer;
    ox_entity entity;
    int component;
    kinds_entity *model;
    size_t size;
    int count; ///< before
} buffer_use;

static unsigned char *element_of(const buffer_use *use, int index) {
    return use->model->arrays[use->component].bytes + (size_t)index * use->size;
}

// Makes room for elements in the model and fills them with new ones.
static const void *make_elements(kinds_run *run, const buffer_use *use, int at, int count) {
    kinds_array_change(use->model, use->component, at, 0, count);
    kinds_fill(run, use->component, use->entity.index, element_of(use, at), count);
    return element_of(use, at);
}

static void append_elements(kinds_run *run, const buffer_use *use) {
    int added = clamp_count(use->count + 1 + (int)kinds_below(run, 3)) - use->count;
    if (added == 1) {
        const void *element = make_elements(run, use, use->count, 1);
        KINDS_CHECK(run, ox_buffer_push_at(use->buffer, use->size, element, OX_HERE));
    } else if (added > 0) {
        ox_buffer_values values = {make_elements(run, use, use->count, added), added, use->size};
        KINDS_CHECK(run, ox_buffer_push_many_at(use->buffer, values, OX_HERE));
    }
}

static void insert_element(kinds_run *run, const buffer_use *use) {
    int at = (int)kinds_below(run, (uint64_t)use->count + 1);
    int added = clamp_count(use->count + 1 + (int)kinds_below(run, 2)) - use->count;
    if (added > 0) {
        ox_buffer_values values = {make_elements(run, use, at, added), added, use->size};
        KINDS_CHECK(run, ox_buffer_insert_at(use->buffer, at, values, OX_HERE));
    }
}

// Elements of the buffer itself are put into it again.
static void repeat_elements(kinds_run *run, const buffer_use *use) {
    int first = (int)kinds_below(run, (uint64_t)use->count + 1);
    int added = (int)kinds_below(run, (uint64_t)(use->count - first) + 1);
    int at = (int)kinds_below(run, (uint64_t)use->count + 1);
    if (use->count + added > KINDS_MOST_ELEMENTS) {
        return;
    }
    unsigned char copy[KINDS_MOST_ELEMENTS * KINDS_LARGEST_ELEMENT];
    ox_buffer_values values = {ox_buffer_get_at(use->buffer, use->size, first, added, OX_HERE),
                               added, use->size};
    if (added > 0) {
        memcpy(copy, element_of(use, first), (size_t)added * use->size);
        kinds_array_change(use->model, use->component, at, 0, added);
        memcpy(element_of(use, at), copy, (size_t)added * use->size);
    }
    KINDS_CHECK(run, ox_buffer_insert_at(use->buffer, at, values, OX_HERE));
}

static void take_last_element(kinds_run *run, const buffer_use *use) {
    const void *last = element_of(use, use->count - 1);
    const void *seen = ox_buffer_peek_at(use->buffer, use->size, OX_HERE);
    KINDS_CHECK(run, memcmp(seen, last, use->size) == 0);
    const void *taken = ox_buffer_pop_at(use->buffer, use->size, OX_HERE);
    KINDS_CHECK(run, memcmp(taken, last, use->size) == 0);
}

static void remove_elements(kinds_run *run, const buffer_use *use) {
    int first = (int)kinds_below(run, (uint64_t)use->count + 1);
    int most = use->count - first < 4 ? use->count - first : 4;
    int count = (int)kinds_below(run, (uint64_t)most + 1);
    if (count == 1 && first + 1 == use->count) {
        take_last_element(run, use);
    } else {
        KINDS_CHECK(run, ox_buffer_remove_range_at(use->buffer, first, count, OX_HERE));
    }
    kinds_array_change(use->model, use->component, first, count, 0);
}

// The last ones come to the place of those that go, in their order.
static void remove_elements_swap(kinds_run *run, const buffer_use *use) {
    int first = (int)kinds_below(run, (uint64_t)use->count + 1);
    int most = use->count - first < 4 ? use->count - first : 4;
    int count = (int)kinds_below(run, (uint64_t)most + 1);
    int behind = use->count - first - count;
    int moved = behind < count ? behind : count;
    KINDS_CHECK(run, ox_buffer_remove_range_swap_at(use->buffer, first, count, OX_HERE));
    for (int k = 0; k < moved; k++) {
        memcpy(element_of(use, first + k), element_of(use, use->count - moved + k), use->size);
    }
    kinds_array_change(use->model, use->component, use->count - count, count, 0);
}

static void resize_buffer(kinds_run *run, const buffer_use *use) {
    int count = (int)kinds_below(run, kinds_chance(run, 4) ? KINDS_MOST_ELEMENTS : 6);
    KINDS_CHECK(run, ox_buffer_resize_at(use->buffer, count, OX_HERE));
    int kept = count < use->count ? count : use->count;
    kinds_array_change(use->model, use->component, kept, use->count - kept, count - kept);
}

static void clear_buffer(kinds_run *run, const buffer_use *use) {
    KINDS_CHECK(run, ox_buffer_clear_at(use->buffer, OX_HERE));
    kinds_array_change(use->model, use->component, 0, use->count, 0);
}

static void edit_element(kinds_run *run, const buffer_use *use) {
    if (use->count == 0) {
        return;
    }
    int at = (int)kinds_below(run, (uint64_t)use->count);
    kinds_fill(run, use->component, use->entity.index, element_of(use, at), 1);
    memcpy(ox_buffer_edit_at(use->buffer, use->size, at, 1, OX_HERE), element_of(use, at),
           use->size);
}

// Capacity: nothing in the model.

static int inline_capacity(const buffer_use *use) {
    return (int)ox_component_get_info(kinds_components[use->component].id)->inline_capacity;
}

static void expect_capacity(kinds_run *run, const buffer_use *use, int wanted) {
    int least = inline_capacity(use);
    KINDS_CHECK(run,
                ox_buffer_capacity_at(use->buffer, OX_HERE) == (wanted > least ? wanted : least));
}

static void trim_buffer(kinds_run *run, const buffer_use *use) {
    KINDS_CHECK(run, ox_buffer_trim_at(use->buffer, OX_HERE));
    expect_capacity(run, use, use->count);
}

static void reserve_elements(kinds_run *run, const buffer_use *use) {
    int before = ox_buffer_capacity_at(use->buffer, OX_HERE);
    int wanted = (int)kinds_below(run, 20);
    KINDS_CHECK(run, ox_buffer_reserve_at(use->buffer, wanted, OX_HERE));
    int after = ox_buffer_capacity_at(use->buffer, OX_HERE);
    KINDS_CHECK(run, before >= wanted ? after == before : after >= wanted);
}

static void set_capacity(kinds_run *run, const buffer_use *use) {
    int wanted = use->count + (int)kinds_below(run, 10);
    KINDS_CHECK(run, ox_buffer_set_capacity_at(use->buffer, wanted, OX_HERE));
    expect_capacity(run, use, wanted);
}

// Makes the buffer a group that can be copied: the entity itself comes first.
static void link_group(kinds_run *run, const buffer_use *use) {
    if (use->component != KINDS_LINKED) {
        append_elements(run, use);
        return;
    }
    clear_buffer(run, use);
    kinds_array_change(use->model, KINDS_LINKED, 0, 0, 1);
    memcpy(element_of(use, 0), &use->entity, sizeof use->entity);
    KINDS_CHECK(run, ox_buffer_push_at(use->buffer, use->size, element_of(use, 0), OX_HERE));
    buffer_use linked = *use;
    linked.count = 1;
    for (uint64_t k = kinds_below(run, 12); k > 0; k -= k > 3 ? 3 : k) {
        append_elements(run, &linked);
        linked.count = linked.model->arrays[KINDS_LINKED].count;
    }
}

static void change_buffer(kinds_run *run) {
    static void (*const uses[])(kinds_run * run, const buffer_use *use) = {
        append_elements,      append_elements, append_elements, insert_element, remove_elements,
        remove_elements_swap, resize_buffer,   clear_buffer,    edit_element,   trim_buffer,
        reserve_elements,     set_capacity,    link_group,      link_group,     repeat_elements};
    buffer_use use;
    if (!pick_value(run, kinds_masked.buffers, &use.entity, &use.component)) {
        return;
    }
    uint32_t id = kinds_components[use.component].id;
    use.model = kinds_touch(&run->model, use.entity.index, use.component);
    use.size = kinds_components[use.component].size;
    use.count = use.model->arrays[use.component].count;
    use.buffer = ox_get_buffer_at(run->world, use.entity, id, true, OX_HERE);
    KINDS_CHECK(run, ox_buffer_count_at(use.buffer, OX_HERE) == use.count);
    uses[kinds_below(run, sizeof uses / sizeof *uses)](run, &use);
}

// Adds a buffer to an entity that may have it.
static void add_buffer(kinds_run *run) {
    uint32_t index = kinds_pick_whole(run);
    int component = kinds_pick_component(run);
    if (!(kinds_masked.buffers >> component & 1)) {
        return;
    }
    kinds_entity *model = &run->model.entities[index];
    kinds_set_mask(&run->model, index, model->mask | UINT32_C(1) << component);
    ox_buffer buffer = ox_add_buffer_at(run->world, kinds_handle(&run->model, index),
                                        kinds_components[component].id, OX_HERE);
    KINDS_CHECK(run, ox_buffer_count_at(buffer, OX_HERE) == model->arrays[component].count);
}

void kinds_value_operation(kinds_run *run) {
    static const kinds_choice choices[] = {
        {change_value, 20},  {look_at_value, 10}, {set_shared, 30}, {switch_component, 30},
        {change_buffer, 40}, {add_buffer, 5},     {NULL, 0}};
    kinds_choose(run, choices);
}
