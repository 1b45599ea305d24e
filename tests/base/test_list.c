// SPDX-License-Identifier: MIT
//
// Growable arrays, against arrays that never have to grow.

#include "test.h"

#include "base/counted_memory.h"
#include "base/heap.h"
#include "base/list.h"
#include "base/random.h"
#include "base/substitute.h"

typedef struct wide_item {
    _Alignas(64) uint32_t number;
} wide_item;

typedef struct pair {
    int32_t first;
    int32_t second;
} pair;

TEST(list, an_empty_one_owns_nothing) {
    uint64_t blocks = oxi_heap_get_blocks();
    OXI_LIST(int) list = {0};

    EXPECT(oxi_list_reserve(&list, 0));
    EXPECT(oxi_list_append(&list, NULL, 0));
    EXPECT(oxi_list_resize(&list, 0));

    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
    EXPECT_EQ(list.items, NULL);
    oxi_list_free(&list);
}

TEST(list, pushed_items_stay_in_order_and_pop_in_reverse) {
    OXI_LIST(int) list = {0};
    for (int k = 0; k < 1000; k++) {
        EXPECT(oxi_list_push(&list, k));
    }

    EXPECT_EQ(list.count, 1000);
    EXPECT_EQ(list.items[123], 123);
    EXPECT_EQ(oxi_list_last(&list), 999);
    for (int k = 999; k >= 0; k--) {
        EXPECT_EQ(oxi_list_pop(&list), k);
    }
    EXPECT_EQ(list.count, 0);
    oxi_list_free(&list);
}

TEST(list, a_compound_literal_may_be_pushed_and_inserted) {
    OXI_LIST(pair) list = {0};

    EXPECT(oxi_list_push(&list, (pair){1, 2}));
    EXPECT(oxi_list_insert(&list, 0, (pair){3, 4}));

    EXPECT_EQ(list.items[0].second, 4);
    EXPECT_EQ(list.items[1].second, 2);
    oxi_list_free(&list);
}

TEST(list, an_item_of_the_list_itself_may_be_pushed) {
    OXI_LIST(int) list = {0};
    EXPECT(oxi_list_push(&list, 7));

    for (int k = 0; k < 100; k++) {
        EXPECT(oxi_list_push(&list, list.items[0]));
    }

    EXPECT_EQ(oxi_list_last(&list), 7);
    oxi_list_free(&list);
}

TEST(list, a_pushed_value_is_evaluated_once) {
    OXI_LIST(int) list = {0};
    int next = 0;

    EXPECT(oxi_list_push(&list, next++));
    EXPECT(oxi_list_push(&list, next++));

    EXPECT_EQ(next, 2);
    EXPECT_EQ(list.items[1], 1);
    oxi_list_free(&list);
}

TEST(list, reserved_room_is_not_allocated_again) {
    OXI_LIST(int) list = {0};
    EXPECT(oxi_list_reserve(&list, 500));
    int *items = list.items;

    for (int k = 0; k < 500; k++) {
        EXPECT(oxi_list_push(&list, k));
    }

    EXPECT_EQ(list.items, items);
    EXPECT(list.capacity >= 500);
    oxi_list_free(&list);
}

TEST(list, clearing_keeps_the_memory_and_freeing_does_not) {
    uint64_t blocks = oxi_heap_get_blocks();
    OXI_LIST(int) list = {0};
    EXPECT(oxi_list_resize(&list, 10));

    oxi_list_clear(&list);
    EXPECT_EQ(list.count, 0);
    EXPECT(list.capacity >= 10);
    oxi_list_free(&list);

    EXPECT_EQ(list.items, NULL);
    EXPECT_EQ(list.capacity, 0);
    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
}

TEST(list, items_that_resizing_adds_are_zero) {
    OXI_LIST(int) list = {0};
    for (int k = 0; k < 5; k++) {
        EXPECT(oxi_list_push(&list, -1));
    }
    EXPECT(oxi_list_resize(&list, 2));
    EXPECT(oxi_list_resize(&list, 100));

    EXPECT_EQ(list.items[1], -1);
    for (size_t k = 2; k < 100; k++) {
        EXPECT_EQ(list.items[k], 0);
    }
    oxi_list_free(&list);
}

TEST(list, the_alignment_of_the_type_is_kept) {
    OXI_LIST(wide_item) list = {0};
    for (uint32_t k = 0; k < 100; k++) {
        EXPECT(oxi_list_push(&list, (wide_item){.number = k}));
        EXPECT_EQ((uintptr_t)list.items % 64, 0);
    }
    EXPECT_EQ(list.items[77].number, 77);
    oxi_list_free(&list);
}

TEST(list, a_size_that_overflows_is_refused_and_changes_nothing) {
    OXI_LIST(pair) list = {0};
    EXPECT(oxi_list_push(&list, (pair){1, 2}));
    pair *items = list.items;
    size_t capacity = list.capacity;
    const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2, SIZE_MAX / 8, SIZE_MAX / 8 + 1};

    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        EXPECT(!oxi_list_reserve(&list, sizes[k]));
        EXPECT(!oxi_list_resize(&list, sizes[k]));
        EXPECT(!oxi_list_append(&list, items, sizes[k]));
    }

    EXPECT_EQ(list.items, items);
    EXPECT_EQ(list.count, 1);
    EXPECT_EQ(list.capacity, capacity);
    oxi_list_free(&list);
}

TEST(list, out_of_memory_leaves_it_as_it_was) {
    OXI_LIST(int) list = {0};
    EXPECT(oxi_list_push(&list, 5));
    EXPECT(oxi_list_reserve(&list, list.capacity));
    while (list.count < list.capacity) {
        EXPECT(oxi_list_push(&list, 5));
    }
    size_t count = list.count;
    const int more[2] = {1, 2};

    oxi_fault_plan(OXI_FAULT_FROM, 0);
    EXPECT(!oxi_list_push(&list, 6));
    EXPECT(!oxi_list_insert(&list, 0, 6));
    EXPECT(!oxi_list_append(&list, more, 2));
    EXPECT(!oxi_list_resize(&list, count + 1));
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT_EQ(list.count, count);
    EXPECT_EQ(list.items[0], 5);
    EXPECT(oxi_list_push(&list, 6));
    oxi_list_free(&list);
}

TEST(list, a_failed_call_is_known_by_the_place_that_made_it) {
    OXI_LIST(int) list = {0};
    oxi_fault_plan(OXI_FAULT_FROM, 0);
    EXPECT(!oxi_list_push(&list, 6));
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    ox_site sites[OXI_MAX_FAULT_SITES];
    int count = oxi_fault_get_sites(sites, OXI_MAX_FAULT_SITES);
    EXPECT(count > 0);
    EXPECT_HAS(sites[count - 1], "test_list.c:");
}

// Every kind of call that grows a list of an allocator. @return how many were refused.
static int grow_in(const oxi_hooks *heap) {
    OXI_LIST(int) list = {0};
    OXI_LIST(wide_item) wide = {0};
    const int more[100] = {0};
    int refused = 0;
    refused += !oxi_list_reserve_in(heap, &list, 2);
    for (int k = 0; k < 100; k++) {
        refused += !oxi_list_push_in(heap, &list, k);
    }
    refused += !oxi_list_append_in(heap, &list, more, 100);
    refused += !oxi_list_resize_in(heap, &list, 1000);
    refused += !oxi_list_push_in(heap, &wide, (wide_item){7});
    oxi_list_free_in(heap, &list);
    oxi_list_free_in(heap, &wide);
    return refused;
}

TEST(list, of_an_allocator_takes_all_its_memory_from_there) {
    counted_memory memory = {0};
    oxi_hooks heap = {counted_alloc, counted_free, &memory, "counted"};
    uint64_t blocks = oxi_heap_get_blocks();

    EXPECT_EQ(grow_in(&heap), 0);
    EXPECT(memory.asked > 4);
    memory.refuse_from = memory.refuse_to = memory.asked + 1;
    EXPECT_EQ(grow_in(&heap), 1);

    EXPECT_EQ(memory.live, 0);
    EXPECT_EQ(memory.wrong, 0);
    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
}

static void grow_lists_in(void) {
    counted_memory memory = {0};
    oxi_hooks heap = {counted_alloc, counted_free, &memory, "counted"};
    uint64_t failures = oxi_fault_get_failures();
    int refused = grow_in(&heap);
    EXPECT_EQ(refused > 0, oxi_fault_get_failures() > failures);
    EXPECT_EQ(memory.live + memory.wrong, 0);
}

TEST(list, every_allocation_of_an_allocator_may_fail) {
    test_fault_sweep("list of an allocator", grow_lists_in);
}

// A list beside its model, an array that is large enough.
typedef OXI_LIST(uint32_t) number_list;

typedef struct list_model {
    uint32_t items[4096];
    size_t count;
} list_model;

static void insert_in_model(list_model *model, size_t index, uint32_t value) {
    for (size_t k = model->count; k > index; k--) {
        model->items[k] = model->items[k - 1];
    }
    model->items[index] = value;
    model->count++;
}

static void remove_from_model(list_model *model, size_t index) {
    model->count--;
    for (size_t k = index; k < model->count; k++) {
        model->items[k] = model->items[k + 1];
    }
}

static void add_to_both(number_list *list, list_model *model, oxi_random *random) {
    uint32_t values[3] = {(uint32_t)oxi_random_next_u64(random), 2, 3};
    size_t index = oxi_random_below(random, model->count + 1);
    size_t count = oxi_random_below(random, 4);
    switch (oxi_random_below(random, 4)) {
    case 0:
        EXPECT(oxi_list_push(list, values[0]));
        model->items[model->count++] = values[0];
        break;
    case 1:
        EXPECT(oxi_list_insert(list, index, values[0]));
        insert_in_model(model, index, values[0]);
        break;
    case 2:
        EXPECT(oxi_list_append(list, values, count));
        memcpy(model->items + model->count, values, count * sizeof values[0]);
        model->count += count;
        break;
    default:
        EXPECT(oxi_list_resize(list, list->count + count));
        memset(model->items + model->count, 0, count * sizeof values[0]);
        model->count += count;
        break;
    }
}

static void take_from_both(number_list *list, list_model *model, oxi_random *random) {
    if (model->count == 0) {
        return;
    }
    size_t index = oxi_random_below(random, model->count);
    switch (oxi_random_below(random, 4)) {
    case 0:
        EXPECT_EQ(oxi_list_pop(list), model->items[model->count - 1]);
        model->count--;
        break;
    case 1:
        oxi_list_remove(list, index);
        remove_from_model(model, index);
        break;
    case 2:
        oxi_list_remove_swap(list, index);
        model->items[index] = model->items[--model->count];
        break;
    default:
        EXPECT(oxi_list_resize(list, index));
        model->count = index;
        break;
    }
}

TEST(list, random_changes_agree_with_a_plain_array) {
    oxi_random random = oxi_random_seed(test_seed(31));
    for (uint64_t run = 0; run < test_scaled(50); run++) {
        number_list list = {0};
        list_model model = {.count = 0};
        uint64_t growth = 50 + oxi_random_below(&random, 50);
        for (int step = 0; step < 1000; step++) {
            bool adds = oxi_random_below(&random, 100) < growth;
            (adds ? add_to_both : take_from_both)(&list, &model, &random);
            EXPECT_EQ(list.count, model.count);
            EXPECT(list.count == 0 || memcmp(list.items, model.items, list.count * 4) == 0);
        }
        oxi_list_free(&list);
    }
}

static void grow_lists(void) {
    OXI_LIST(int) list = {0};
    size_t expected = 0;
    for (int k = 0; k < 100; k++) {
        expected += oxi_list_push(&list, k) ? 1 : 0;
    }
    const int more[100] = {0};
    expected += oxi_list_append(&list, more, 100) ? 100 : 0;
    EXPECT_EQ(list.count, expected);
    expected += oxi_list_insert(&list, 0, 1) ? 1 : 0;
    EXPECT_EQ(list.count, expected);
    expected += oxi_list_resize(&list, expected + 1000) ? 1000 : 0;
    EXPECT_EQ(list.count, expected);

    size_t before = list.capacity;
    bool has_grown = oxi_list_reserve(&list, before + 1);
    EXPECT_EQ(list.capacity > before, has_grown);
    oxi_list_free(&list);
}

TEST(list, every_allocation_may_fail) {
    test_fault_sweep("list", grow_lists);
}

#if OX_SAFETY >= 2
TEST_CHILD(pop_from_empty_list) {
    OXI_LIST(int) list = {0};
    oxi_list_pop(&list) = 1;
}

TEST(list, popping_from_an_empty_one_is_a_bug_that_asserts) {
    EXPECT_DIES(pop_from_empty_list, "count > 0");
}
#endif
