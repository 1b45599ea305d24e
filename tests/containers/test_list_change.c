// SPDX-License-Identifier: MIT

#include "containers_test.h"

#include <limits.h>

static ox_list list_of(int count) {
    ox_list list = ox_list_create_untyped(int, count, OX_PERSISTENT);
    for (int k = 0; k < count; k++) {
        ox_list_push(OX_AS(list, int), k);
    }
    return list;
}

static void expect_elements(ox_list list, const int *elements, int count) {
    EXPECT_EQ(ox_list_count(list), count);
    for (int k = 0; k < count; k++) {
        EXPECT_EQ(ox_list_read(OX_AS(list, int), k), elements[k]);
    }
}
#define EXPECT_ELEMENTS(list, ...)                                                                 \
    expect_elements(list, (const int[]){__VA_ARGS__}, OXI_LENGTH(int, __VA_ARGS__))

TEST(list_change, inserting_keeps_the_order) {
    ox_list list = list_of(3);

    EXPECT(ox_list_insert(OX_AS(list, int), 0, 10)); // grows
    EXPECT(ox_list_insert(OX_AS(list, int), 2, 20)); // has room
    EXPECT(ox_list_insert(OX_AS(list, int), 5, 30)); // at the end

    EXPECT_ELEMENTS(list, 10, 0, 20, 1, 2, 30);
    ox_dispose(&list);
}

TEST(list_change, many_are_pushed_at_once) {
    ox_list list = list_of(2);

    EXPECT(ox_list_push_many(OX_AS(list, int), ((const int[]){7, 8, 9}), 3));
    EXPECT(ox_list_push_many(OX_AS(list, int), (const int *)NULL, 0));

    EXPECT_ELEMENTS(list, 0, 1, 7, 8, 9);
    ox_dispose(&list);
}

TEST(list_change, values_that_are_added_may_stand_in_the_list) {
    for (int room = 0; room < 2; room++) {
        ox_list list = list_of(3);
        EXPECT(ox_list_set_capacity(list, room == 0 ? 3 : 100));
        EXPECT(ox_list_push_many(OX_AS(list, int), ox_list_get_data(OX_AS(list, int)), 3));
        EXPECT_ELEMENTS(list, 0, 1, 2, 0, 1, 2);
        ox_dispose(&list);
    }
}

// Inserts elements of a list of six into itself.
static void insert_own(int from, int count, int index, int capacity) {
    ox_list list = list_of(6);
    EXPECT(ox_list_set_capacity(list, capacity));
    ox_values values = {ox_list_get_data(OX_AS(list, int)) + from, count, ox_element_of(int)};
    EXPECT(ox_list_insert_at(list, index, values, OX_HERE));
    for (int k = 0; k < 6 + count; k++) {
        int expected = k < index ? k : k < index + count ? from + k - index : k - count;
        EXPECT_EQ(ox_list_read(OX_AS(list, int), k), expected);
    }
    ox_dispose(&list);
}

// Before, behind and across the place where they go, with room and without.
TEST(list_change, values_that_are_inserted_may_stand_in_the_list) {
    for (int from = 0; from < 6; from++) {
        for (int place = 0; place < 7 * 7; place++) {
            int index = place / 7, count = place % 7 < 6 - from ? place % 7 : 6 - from;
            insert_own(from, count, index, 6);
            insert_own(from, count, index, 20);
        }
    }
}

TEST(list_change, removing_keeps_the_order) {
    ox_list list = list_of(8);

    EXPECT(ox_list_remove(list, 2));
    EXPECT(ox_list_remove(list, 6));
    EXPECT(ox_list_remove_range(list, 1, 2));
    EXPECT(ox_list_remove_range(list, 4, 0));

    EXPECT_ELEMENTS(list, 0, 4, 5, 6);
    ox_dispose(&list);
}

TEST(list_change, removing_by_swap_moves_the_last) {
    ox_list list = list_of(5);

    EXPECT(ox_list_remove_swap(list, 1));
    EXPECT(ox_list_remove_swap(list, 3));

    EXPECT_ELEMENTS(list, 0, 4, 2);
    ox_dispose(&list);
}

TEST(list_change, the_last_is_popped) {
    ox_list list = list_of(3);
    int value = -1;

    EXPECT_EQ(ox_list_peek(OX_AS(list, int)), 2);
    EXPECT_EQ(ox_list_pop(OX_AS(list, int)), 2);
    EXPECT(ox_list_try_pop(OX_AS(list, int), &value));
    EXPECT_EQ(value, 1);
    EXPECT_ELEMENTS(list, 0);
    ox_dispose(&list);
}

TEST(list_change, clearing_keeps_the_room) {
    ox_list list = list_of(40);

    EXPECT(ox_list_clear(list));

    EXPECT(ox_list_is_empty(list));
    EXPECT_EQ(ox_list_capacity(list), 40);
    ox_dispose(&list);
}

TEST(list_change, resizing_adds_zeros) {
    ox_list list = list_of(3);

    EXPECT(ox_list_resize(OX_AS(list, int), 1));
    EXPECT(ox_list_resize(OX_AS(list, int), 4));
    EXPECT_ELEMENTS(list, 0, 0, 0, 0);
    EXPECT_EQ(ox_list_capacity(list), 16);
    EXPECT(ox_list_resize(OX_AS(list, int), 0));

    EXPECT(ox_list_is_empty(list));
    ox_dispose(&list);
}

TEST(list_change, an_empty_one_has_no_last) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list list = list_of(0);
    int value = 5;

    EXPECT_EQ(ox_list_pop(OX_AS(list, int)), 0);
    EXPECT_REPORT(&reports, OX_REPORT_EMPTY);
    EXPECT_EQ(ox_list_peek(OX_AS(list, int)), 0);
    EXPECT_REPORT(&reports, OX_REPORT_EMPTY);
    EXPECT(!ox_list_try_pop(OX_AS(list, int), &value));
    EXPECT_EQ(reports.count, 0);
    EXPECT_EQ(value, 5);
    ox_dispose(&list);
}

TEST(list_change, places_outside_are_reported_and_nothing_changes) {
    static const struct {
        int64_t first, count;
    } ranges[] = {{-1, 1},      {0, 4},         {3, 1},         {4, 0},        {1, -1},
                  {INT_MIN, 1}, {0, INT64_MIN}, {INT64_MAX, 1}, {2, INT64_MAX}};
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list list = list_of(3);

    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        EXPECT(!ox_list_remove_range(list, ranges[k].first, ranges[k].count));
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    }
    const int64_t indices[] = {-1, 4, INT_MIN, INT64_MAX};
    for (size_t k = 0; k < sizeof indices / sizeof *indices; k++) {
        EXPECT(!ox_list_insert(OX_AS(list, int), indices[k], 9));
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        EXPECT(!ox_list_remove_swap(list, indices[k]));
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        EXPECT(!ox_list_remove(list, indices[k]));
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    }
    EXPECT_ELEMENTS(list, 0, 1, 2);
    ox_dispose(&list);
}

TEST(list_change, arguments_that_are_null_are_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_list list = list_of(3);

    EXPECT(!ox_list_push_many(OX_AS(list, int), (const int *)NULL, 1));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_list_try_pop(OX_AS(list, int), (int *)NULL));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_list_count(list), 3);
    ox_dispose(&list);
}

OX_PARALLEL_JOB(PushInParallel, { ox_list list; }) {
    ox_list_push(OX_AS(job->list, int), i);
}

TEST_CHECKED(list_change, a_parallel_job_may_not_push_without_a_writer) {
    collected_reports reports = {0};
    collect_reports(&reports);
    start_workers(0);
    ox_list list = list_of(3);

    ox_complete(ox_schedule_for(PushInParallel, 1, 1, OX_NO_JOB, {list}));

    EXPECT_REPORT(&reports, OX_REPORT_OUTSIDE_BATCH);
    EXPECT_EQ(ox_list_count(list), 3);
    ox_dispose(&list);
    ox_jobs_stop();
}

// A list that could not change is exactly as before.
static void change_lists(void) {
    ox_list list = ox_list_create_untyped(int, 2, OX_PERSISTENT);
    if (!ox_list_is_created(list)) {
        return;
    }
    int expected = 0;
    const int many[3] = {1, 2, 3};
    expected += ox_list_push(OX_AS(list, int), 1);
    expected += ox_list_push(OX_AS(list, int), 2);
    expected += ox_list_push(OX_AS(list, int), 3);
    EXPECT_EQ(ox_list_count(list), expected);
    expected += ox_list_reserve(list, 17) && ox_list_insert(OX_AS(list, int), 1, 5);
    expected += ox_list_push_many(OX_AS(list, int), many, 3) ? 3 : 0;
    expected = ox_list_resize(OX_AS(list, int), 50) ? 50 : expected;
    int32_t capacity = ox_list_capacity(list);
    capacity = ox_list_trim(list) ? expected : capacity;
    EXPECT_EQ(ox_list_capacity(list), capacity);
    EXPECT_EQ(ox_list_count(list), expected);
    EXPECT_EQ(ox_list_read(OX_AS(list, int), 0), 1);
    ox_array array = ox_list_to_array(list, OX_TEMP_JOB);
    if (ox_array_is_created(array)) {
        ox_dispose(&array);
    }
    ox_dispose(&list);
}

TEST(list_change, every_allocation_may_fail) {
    test_fault_sweep("list", change_lists);
}
