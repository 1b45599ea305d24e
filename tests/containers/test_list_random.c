// SPDX-License-Identifier: MIT
//
// Random operations on lists, through several handles, against plain arrays.

#include "containers_test.h"

enum { MOST_ELEMENTS = 300, HANDLES = 3, LIST_STEPS = 2000 };

typedef struct list_model {
    ox_list handles[HANDLES];
    int count;
    Triple elements[MOST_ELEMENTS];
} list_model;

static Triple random_triple(oxi_random *random) {
    uint64_t bits = oxi_random_next_u64(random);
    return (Triple){{(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16)}};
}

static bool is_same(Triple a, Triple b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static void insert_in_model(list_model *model, int index, const Triple *from, int count) {
    Triple copies[MOST_ELEMENTS];
    memcpy(copies, from, (size_t)count * sizeof *from);
    memmove(model->elements + index + count, model->elements + index,
            (size_t)(model->count - index) * sizeof(Triple));
    memcpy(model->elements + index, copies, (size_t)count * sizeof *from);
    model->count += count;
}

static void remove_in_model(list_model *model, int first, int count) {
    memmove(model->elements + first, model->elements + first + count,
            (size_t)(model->count - first - count) * sizeof(Triple));
    model->count -= count;
}

static int room_in_model(const list_model *model) {
    return MOST_ELEMENTS - model->count;
}

static void do_push(list_model *model, ox_list list, oxi_random *random) {
    if (room_in_model(model) > 0) {
        Triple value = random_triple(random);
        EXPECT(ox_list_push(OX_AS(list, Triple), value));
        insert_in_model(model, model->count, &value, 1);
    }
}

// From other memory, or from the list itself.
static void do_push_many(list_model *model, ox_list list, oxi_random *random) {
    Triple values[20];
    int most = room_in_model(model) < 20 ? room_in_model(model) : 20;
    int count = (int)random_between(random, 0, most);
    const Triple *from = values;
    for (int k = 0; k < count; k++) {
        values[k] = random_triple(random);
    }
    if (model->count > 0 && oxi_random_bool(random)) {
        int first = (int)random_between(random, 0, model->count - 1);
        count = count < model->count - first ? count : model->count - first;
        from = ox_list_get_data(OX_AS(list, Triple)) + first;
        memcpy(values, model->elements + first, (size_t)count * sizeof *values);
    }
    EXPECT(ox_list_push_many(OX_AS(list, Triple), from, count));
    insert_in_model(model, model->count, values, count);
}

static void do_insert(list_model *model, ox_list list, oxi_random *random) {
    if (room_in_model(model) > 0) {
        int index = (int)random_between(random, 0, model->count);
        Triple value = random_triple(random);
        EXPECT(ox_list_insert(OX_AS(list, Triple), index, value));
        insert_in_model(model, index, &value, 1);
    }
}

static void do_remove(list_model *model, ox_list list, oxi_random *random) {
    if (model->count > 0) {
        int index = (int)random_between(random, 0, model->count - 1);
        EXPECT(ox_list_remove(list, index));
        remove_in_model(model, index, 1);
    }
}

static void do_remove_swap(list_model *model, ox_list list, oxi_random *random) {
    if (model->count > 0) {
        int index = (int)random_between(random, 0, model->count - 1);
        EXPECT(ox_list_remove_swap(list, index));
        model->elements[index] = model->elements[model->count - 1];
        model->count--;
    }
}

static void do_remove_range(list_model *model, ox_list list, oxi_random *random) {
    int first = (int)random_between(random, 0, model->count);
    int most = model->count - first < 15 ? model->count - first : 15;
    int count = (int)random_between(random, 0, most);
    EXPECT(ox_list_remove_range(list, first, count));
    remove_in_model(model, first, count);
}

static void do_pop(list_model *model, ox_list list, oxi_random *random) {
    Triple value = {{0}};
    if (model->count == 0) {
        EXPECT(!ox_list_try_pop(OX_AS(list, Triple), &value));
        return;
    }
    EXPECT(is_same(ox_list_peek(OX_AS(list, Triple)), model->elements[model->count - 1]));
    if (oxi_random_bool(random)) {
        EXPECT(ox_list_try_pop(OX_AS(list, Triple), &value));
    } else {
        value = ox_list_pop(OX_AS(list, Triple));
    }
    model->count--;
    EXPECT(is_same(value, model->elements[model->count]));
}

static void do_set(list_model *model, ox_list list, oxi_random *random) {
    if (model->count > 0) {
        int index = (int)random_between(random, 0, model->count - 1);
        Triple value = random_triple(random);
        if (oxi_random_bool(random)) {
            ox_list_set(OX_AS(list, Triple), index, value);
        } else {
            *ox_list_edit(OX_AS(list, Triple), index) = value;
        }
        model->elements[index] = value;
    }
}

static void do_resize(list_model *model, ox_list list, oxi_random *random) {
    int count = (int)random_between(random, 0, MOST_ELEMENTS);
    EXPECT(ox_list_resize(OX_AS(list, Triple), count));
    if (count > model->count) {
        memset(model->elements + model->count, 0, (size_t)(count - model->count) * sizeof(Triple));
    }
    model->count = count;
}

static void do_clear(list_model *model, ox_list list, oxi_random *random) {
    (void)random;
    int32_t capacity = ox_list_capacity(list);
    EXPECT(ox_list_clear(list));
    EXPECT_EQ(ox_list_capacity(list), capacity);
    model->count = 0;
}

static void do_capacity(list_model *model, ox_list list, oxi_random *random) {
    int64_t capacity = random_between(random, model->count, MOST_ELEMENTS * 2);
    if (oxi_random_bool(random)) {
        EXPECT(ox_list_set_capacity(list, capacity));
        EXPECT_EQ(ox_list_capacity(list), capacity > 0 ? capacity : 1);
    } else {
        EXPECT(ox_list_reserve(list, capacity));
        EXPECT(ox_list_capacity(list) >= capacity);
    }
}

static void do_trim(list_model *model, ox_list list, oxi_random *random) {
    (void)random;
    EXPECT(ox_list_trim(list));
    EXPECT_EQ(ox_list_capacity(list), model->count > 0 ? model->count : 1);
}

static void do_copy(list_model *model, ox_list list, oxi_random *random) {
    (void)random;
    ox_array array = ox_list_to_array(list, OX_TEMP_JOB), view = ox_list_as_array(list);
    EXPECT_EQ(ox_array_count(array), model->count);
    EXPECT(ox_array_equals(array, view));
    ox_dispose(&array);
}

static const struct {
    void (*act)(list_model *model, ox_list list, oxi_random *random);
    int weight;
} list_acts[] = {
    {do_push, 40},        {do_push_many, 8}, {do_insert, 15}, {do_remove, 12}, {do_remove_swap, 12},
    {do_remove_range, 4}, {do_pop, 15},      {do_set, 20},    {do_resize, 1},  {do_clear, 1},
    {do_capacity, 2},     {do_trim, 1},      {do_copy, 2},
};

static void act_randomly(list_model *model, oxi_random *random) {
    int total = 0, act = 0;
    for (size_t k = 0; k < sizeof list_acts / sizeof *list_acts; k++) {
        total += list_acts[k].weight;
    }
    int choice = (int)random_between(random, 0, total - 1);
    while (choice >= list_acts[act].weight) {
        choice -= list_acts[act++].weight;
    }
    list_acts[act].act(model, model->handles[oxi_random_below(random, HANDLES)], random);
}

// Looks at some elements after each step, through some handle.
static void compare_some(const list_model *model, oxi_random *random) {
    ox_list list = model->handles[oxi_random_below(random, HANDLES)];
    EXPECT_EQ(ox_list_count(list), model->count);
    if (model->count > 0) {
        int index = (int)random_between(random, 0, model->count - 1);
        EXPECT(is_same(ox_list_read(OX_AS(list, Triple), index), model->elements[index]));
    }
}

static void compare_all(const list_model *model) {
    ox_list list = model->handles[0];
    EXPECT_EQ(ox_list_count(list), model->count);
    EXPECT(memcmp(ox_list_get_data(OX_AS(list, Triple)), model->elements,
                  (size_t)model->count * sizeof(Triple)) == 0);
}

static void play_round(oxi_random *random) {
    list_model model = {.count = 0};
    model.handles[0] = ox_list_create_untyped(Triple, random_between(random, 0, 50), OX_PERSISTENT);
    for (int k = 1; k < HANDLES; k++) {
        model.handles[k] = model.handles[k - 1];
    }
    for (int step = 0; step < LIST_STEPS; step++) {
        act_randomly(&model, random);
        compare_some(&model, random);
        if (step % 16 == 0) {
            compare_all(&model);
        }
    }
    compare_all(&model);
    ox_dispose(&model.handles[1]);
}

TEST(list_random, all_operations_agree_with_plain_arrays) {
    oxi_random random = oxi_random_seed(test_seed(73));
    uint64_t rounds = test_scaled(1400) / SANITIZED + 1;
    for (uint64_t round = 0; round < rounds; round++) {
        play_round(&random);
    }
}
