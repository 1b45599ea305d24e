// SPDX-License-Identifier: MIT
//
// Maps, one behaviour at a time.

#include "test.h"

#include "base/heap.h"
#include "base/substitute.h"
#include "containers/table.h"
#include "oxbow/containers.h"

#include <float.h>
#include <stdlib.h>

typedef struct Point {
    int x, y;
} Point;

typedef struct Gappy {
    char letter;
    int number;
} Gappy;

OX_STRUCT(Inner, {
    short a;
    char b;
});
OX_STRUCT(Known, {
    int number;
    Inner inner[2];
});
OX_STRUCT(Whole, {
    int number;
    short pair[2];
});

static ox_map make_map(int64_t capacity) {
    ox_map map = ox_map_create_untyped(uint64_t, int, capacity, OX_PERSISTENT);
    EXPECT(ox_map_is_created(map));
    return map;
}

TEST(map, a_key_that_was_set_is_found) {
    ox_map map = make_map(0);
    EXPECT(ox_map_set(OX_AS(map, uint64_t, int), 5, 50));
    const int *value = ox_map_find(OX_AS(map, uint64_t, int), 5);

    EXPECT(value != NULL && *value == 50);
    EXPECT_EQ(ox_map_find(OX_AS(map, uint64_t, int), 6), NULL);
    EXPECT(ox_map_has(OX_AS(map, uint64_t, int), 5));
    EXPECT(!ox_map_has(OX_AS(map, uint64_t, int), 6));
    EXPECT_EQ(ox_map_count(map), 1);
    ox_dispose(&map);
}

TEST(map, adding_does_not_replace_and_setting_does) {
    ox_map map = make_map(4);
    EXPECT(ox_map_add(OX_AS(map, uint64_t, int), 1, 10));
    EXPECT(!ox_map_add(OX_AS(map, uint64_t, int), 1, 11));
    EXPECT_EQ(ox_map_read(OX_AS(map, uint64_t, int), 1), 10);
    EXPECT(ox_map_set(OX_AS(map, uint64_t, int), 1, 12));
    EXPECT_EQ(ox_map_read(OX_AS(map, uint64_t, int), 1), 12);
    EXPECT_EQ(ox_map_count(map), 1);
    ox_dispose(&map);
}

TEST(map, keys_and_values_may_be_braced) {
    ox_map map = ox_map_create_untyped(Point, Point, 0, OX_PERSISTENT);
    Point from = {1, 2};
    EXPECT(ox_map_set(OX_AS(map, Point, Point), from, {.x = 3, .y = 4}));

    EXPECT_EQ(ox_map_read(OX_AS(map, Point, Point), {1, 2}).y, 4);
    EXPECT_EQ(ox_map_read_or(OX_AS(map, Point, Point), from, {7, 8}).x, 3);
    EXPECT(ox_map_remove(OX_AS(map, Point, Point), {1, 2}));
    EXPECT_EQ(ox_map_read_or(OX_AS(map, Point, Point), from, {7, 8}).x, 7);
    ox_dispose(&map);
}

TEST(map, a_value_is_edited_in_place) {
    ox_map map = make_map(0);
    ox_map_set(OX_AS(map, uint64_t, int), 3, 1);
    *ox_map_edit(OX_AS(map, uint64_t, int), 3) += 41;
    EXPECT_EQ(ox_map_read(OX_AS(map, uint64_t, int), 3), 42);
    EXPECT_EQ(ox_map_edit(OX_AS(map, uint64_t, int), 4), NULL);
    ox_dispose(&map);
}

TEST(map, removing_says_whether_the_key_was_there) {
    ox_map map = make_map(0);
    ox_map_set(OX_AS(map, uint64_t, int), 3, 1);
    EXPECT(ox_map_remove(OX_AS(map, uint64_t, int), 3));
    EXPECT(!ox_map_remove(OX_AS(map, uint64_t, int), 3));
    EXPECT(ox_map_is_empty(map));
    ox_dispose(&map);
}

TEST(map, getting_a_missing_key_is_reported_and_gives_zero) {
    collected_reports reports;
    ox_map map = make_map(0);
    collect_reports(&reports);
    EXPECT_EQ(ox_map_read(OX_AS(map, uint64_t, int), 9), 0);
    EXPECT_REPORT(&reports, OX_REPORT_KEY_MISSING);
    ox_dispose(&map);
}

TEST(map, clearing_keeps_the_room) {
    ox_map map = make_map(100);
    for (uint64_t k = 0; k < 100; k++) {
        ox_map_set(OX_AS(map, uint64_t, int), k, 1);
    }
    EXPECT(ox_map_clear(map));
    EXPECT_EQ(ox_map_count(map), 0);
    EXPECT_EQ(ox_map_capacity(map), 100);
    EXPECT(!ox_map_has(OX_AS(map, uint64_t, int), 1));
    EXPECT(ox_map_add(OX_AS(map, uint64_t, int), 1, 1));
    ox_dispose(&map);
}

TEST(map, capacity_is_what_was_asked_for_until_it_grows) {
    ox_map map = make_map(10);
    EXPECT_EQ(ox_map_capacity(map), 10);
    EXPECT(ox_map_reserve(map, 5));
    EXPECT_EQ(ox_map_capacity(map), 10);
    EXPECT(ox_map_reserve(map, 1000));
    EXPECT_EQ(ox_map_capacity(map), 1000);
    for (uint64_t k = 0; k <= 1000; k++) {
        ox_map_set(OX_AS(map, uint64_t, int), k, 1);
    }
    EXPECT(ox_map_capacity(map) > 1000);
    ox_dispose(&map);
}

TEST(map, less_room_than_keys_is_reported) {
    collected_reports reports;
    ox_map map = make_map(10);
    for (uint64_t k = 0; k < 10; k++) {
        ox_map_set(OX_AS(map, uint64_t, int), k, 1);
    }
    collect_reports(&reports);
    EXPECT(!ox_map_reserve(map, 9));
    EXPECT_REPORT(&reports, OX_REPORT_CAPACITY_BELOW_COUNT);
    EXPECT(!ox_map_reserve(map, -1));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    EXPECT_EQ(ox_map_count(map), 10);
    ox_dispose(&map);
}

TEST(map, a_walk_meets_each_key_once) {
    ox_map map = make_map(0);
    for (uint64_t k = 0; k < 1000; k++) {
        ox_map_set(OX_AS(map, uint64_t, int), k, (int)k);
    }
    uint64_t keys = 0, values = 0, count = 0;
    ox_map_walk walk = ox_map_walk_begin(map);
    while (ox_map_walk_next(&walk)) {
        keys += *ox_map_walk_key(&walk, uint64_t);
        values += (uint64_t)*ox_map_walk_get(&walk, int);
        count++;
    }
    EXPECT_EQ(count, 1000);
    EXPECT_EQ(keys, 499500);
    EXPECT_EQ(values, 499500);
    EXPECT(!ox_map_walk_next(&walk));
    ox_dispose(&map);
}

TEST(map, a_loop_over_a_map_reads_and_edits) {
    ox_map map = make_map(0);
    for (uint64_t k = 0; k < 100; k++) {
        ox_map_set(OX_AS(map, uint64_t, int), k, (int)k);
    }
    OX_EACH_EDIT(OX_AS(map, uint64_t, int), it) {
        *it.value *= 2;
    }
    int sum = 0;
    OX_EACH(OX_AS(map, uint64_t, int), it) {
        EXPECT_EQ(*it.value, (int)*it.key * 2);
        sum += *it.value;
    }
    EXPECT_EQ(sum, 9900);
    ox_dispose(&map);
}

TEST(map, a_walk_may_remove_the_key_it_stands_at) {
    ox_map map = make_map(0);
    for (uint64_t k = 0; k < 1000; k++) {
        ox_map_set(OX_AS(map, uint64_t, int), k, (int)k);
    }
    OX_EACH_EDIT(OX_AS(map, uint64_t, int), it) {
        if (*it.value % 3 != 0) {
            EXPECT(ox_map_walk_remove(it.walk));
        }
    }
    EXPECT_EQ(ox_map_count(map), 334);
    EXPECT(ox_map_has(OX_AS(map, uint64_t, int), 999));
    EXPECT(!ox_map_has(OX_AS(map, uint64_t, int), 998));
    ox_dispose(&map);
}

TEST_CHECKED(map, changing_a_map_while_it_is_walked_is_reported_and_ends_the_walk) {
    collected_reports reports;
    ox_map map = make_map(0);
    ox_map_set(OX_AS(map, uint64_t, int), 1, 1);
    ox_map_set(OX_AS(map, uint64_t, int), 2, 2);
    ox_map_walk walk = ox_map_walk_begin(map);
    EXPECT(ox_map_walk_next(&walk));
    ox_map_set(OX_AS(map, uint64_t, int), 3, 3);

    collect_reports(&reports);
    EXPECT_EQ(ox_map_walk_key(&walk, uint64_t), NULL);
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_WHILE_READ);
    EXPECT(!ox_map_walk_next(&walk));
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_WHILE_READ);
    EXPECT(!ox_map_walk_next(&walk));
    EXPECT_EQ(reports.count, 0);
    ox_dispose(&map);
}

TEST_CHECKED(map, clearing_a_map_ends_a_walk) {
    collected_reports reports;
    ox_map map = make_map(0);
    ox_map_set(OX_AS(map, uint64_t, int), 1, 1);
    ox_map_walk walk = ox_map_walk_begin(map);
    ox_map_clear(map);

    collect_reports(&reports);
    EXPECT(!ox_map_walk_next(&walk));
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_WHILE_READ);
    ox_dispose(&map);
}

TEST_CHECKED(map, clearing_a_map_that_has_grown_ends_a_walk) {
    collected_reports reports;
    ox_map map = make_map(0);
    ox_map_set(OX_AS(map, uint64_t, int), 1, 1);
    ox_map_walk walk = ox_map_walk_begin(map);
    EXPECT(ox_map_reserve(map, 1000));
    ox_map_clear(map);

    collect_reports(&reports);
    EXPECT(!ox_map_walk_next(&walk));
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_WHILE_READ);
    ox_dispose(&map);
}

TEST(map, replacing_a_value_does_not_end_a_walk) {
    ox_map map = make_map(0);
    ox_map_set(OX_AS(map, uint64_t, int), 1, 1);
    ox_map_walk walk = ox_map_walk_begin(map);
    ox_map_set(OX_AS(map, uint64_t, int), 1, 2);
    EXPECT(ox_map_walk_next(&walk));
    EXPECT_EQ(*ox_map_walk_get(&walk, int), 2);
    *ox_map_walk_edit(&walk, int) = 3;
    EXPECT_EQ(ox_map_read(OX_AS(map, uint64_t, int), 1), 3);
    ox_dispose(&map);
}

TEST(map, a_walk_that_stands_nowhere_has_no_key) {
    collected_reports reports;
    ox_map map = make_map(0);
    ox_map_walk walk = ox_map_walk_begin(map);
    collect_reports(&reports);
    EXPECT_EQ(ox_map_walk_key(&walk, uint64_t), NULL);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_map_walk_remove(&walk));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_dispose(&map);
}

TEST_CHECKED(map, a_walk_gives_no_key_and_no_value_of_another_type) {
    collected_reports reports;
    ox_map map = make_map(4);
    ox_map_set(OX_AS(map, uint64_t, int), 1, 5);
    ox_map_walk walk = ox_map_walk_begin(map);
    EXPECT(ox_map_walk_next(&walk));
    collect_reports(&reports);

    EXPECT_EQ(ox_map_walk_key(&walk, int64_t), NULL);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_map_walk_get(&walk, float), NULL);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_map_walk_edit(&walk, uint32_t), NULL);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(*ox_map_walk_key(&walk, uint64_t) == 1 && *ox_map_walk_get(&walk, int) == 5);
    ox_dispose(&map);
}

TEST(map, keys_and_values_are_copied_to_arrays) {
    ox_map map = make_map(0);
    for (uint64_t k = 0; k < 50; k++) {
        ox_map_set(OX_AS(map, uint64_t, int), k, (int)k + 1000);
    }
    ox_array keys = ox_map_keys(OX_AS(map, uint64_t, char), OX_PERSISTENT);
    ox_array values = ox_map_values(OX_AS(map, char, int), OX_PERSISTENT);
    EXPECT_EQ(ox_array_count(keys), 50);
    for (int k = 0; k < 50; k++) {
        EXPECT_EQ(ox_array_read(OX_AS(keys, uint64_t), k) + 1000,
                  ox_array_read(OX_AS(values, int), k));
    }
    ox_dispose(&keys);
    ox_dispose(&values);
    ox_dispose(&map);
}

TEST_CHECKED(map, another_type_is_reported_at_each_call) {
    collected_reports reports;
    ox_map map = make_map(4);
    ox_map_set(OX_AS(map, uint64_t, int), 1, 1);
    collect_reports(&reports);

    EXPECT_EQ(ox_map_find(OX_AS(map, int64_t, int), 1), NULL);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(!ox_map_set(OX_AS(map, uint64_t, float), 1, 1.0f));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(!ox_map_remove(OX_AS(map, uint64_t, Point), 1));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(!ox_array_is_created(ox_map_keys(OX_AS(map, int, char), OX_TEMP)));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    OX_EACH(OX_AS(map, uint64_t, double), it) {
        EXPECT(false);
    }
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_map_read(OX_AS(map, uint64_t, int), 1), 1);
    ox_dispose(&map);
}

TEST_CHECKED(map, a_type_of_the_same_size_with_another_alignment_is_reported) {
    collected_reports reports;
    ox_map map = ox_map_create_untyped(uint32_t, Point, 4, OX_PERSISTENT);
    collect_reports(&reports);
    EXPECT(!ox_map_set(OX_AS(map, uint32_t, uint64_t), 1, 1));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    ox_dispose(&map);
}

static uint64_t hash_letters(const void *key, void *context) {
    (*(int *)context)++;
    return (uint64_t)(*(const char *)key | 32);
}

static bool equal_letters(const void *a, const void *b, void *context) {
    (*(int *)context)++;
    return (*(const char *)a | 32) == (*(const char *)b | 32);
}

TEST(map, keys_may_have_functions) {
    int calls = 0;
    ox_map map = ox_map_create_with_untyped(
        char, int, {.hash = hash_letters, .equal = equal_letters, .context = &calls});
    EXPECT(ox_map_add(OX_AS(map, char, int), 'a', 1));
    EXPECT(!ox_map_add(OX_AS(map, char, int), 'A', 2));
    EXPECT_EQ(ox_map_read(OX_AS(map, char, int), 'A'), 1);
    EXPECT(ox_map_set(OX_AS(map, char, int), 'A', 3));
    EXPECT_EQ(ox_map_read(OX_AS(map, char, int), 'a'), 3);
    EXPECT(ox_map_remove(OX_AS(map, char, int), 'A'));
    EXPECT_EQ(ox_map_count(map), 0);
    EXPECT(calls > 0);
    ox_dispose(&map);
}

TEST(map, one_function_of_two_is_reported) {
    collected_reports reports;
    collect_reports(&reports);
    EXPECT(!ox_map_is_created(ox_map_create_with_untyped(char, int, {.hash = hash_letters})));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_FUNCTION);
    EXPECT_HAS(reports.text, "equal of this");
    EXPECT(!ox_map_is_created(ox_map_create_with_untyped(char, int, {.equal = equal_letters})));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_FUNCTION);
    EXPECT_HAS(reports.text, "hash of this");
}

TEST(map, a_def_that_was_not_zeroed_is_reported) {
    collected_reports reports;
    collect_reports(&reports);
    EXPECT(!ox_map_is_created(ox_map_create_with_untyped(char, int, {._guard_begin = 1})));
    EXPECT_REPORT(&reports, OX_REPORT_DEF_GARBAGE);
}

TEST(map, a_def_without_an_allocator_means_persistent) {
    ox_map map = ox_map_create_with_untyped(int, int, {.capacity = 20});
    EXPECT_EQ(ox_map_capacity(map), 20);
    ox_dispose(&map);
}

TEST(map, keys_with_padding_are_reported_unless_they_have_functions) {
    collected_reports reports;
    collect_reports(&reports);
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
    EXPECT(!ox_map_is_created(ox_map_create_untyped(Gappy, int, 0, OX_PERSISTENT)));
    EXPECT_REPORT(&reports, OX_REPORT_KEY_HAS_PADDING);
#if LDBL_MANT_DIG == 64 // ten bytes of sixteen; elsewhere it fills them all
    EXPECT(!ox_map_is_created(ox_map_create_untyped(long double, int, 0, OX_PERSISTENT)));
    EXPECT_REPORT(&reports, OX_REPORT_KEY_HAS_PADDING);
#endif
#endif
    int calls = 0;
    ox_map map = ox_map_create_with_untyped(
        Gappy, int, {.hash = hash_letters, .equal = equal_letters, .context = &calls});
    EXPECT(ox_map_is_created(map));
    EXPECT_EQ(reports.count, 0);
    ox_dispose(&map);
}

static void expect_padding(oxi_map_type_pair types) {
    collected_reports reports;
    collect_reports(&reports);
    types.key_has_padding = false;
    EXPECT(!ox_map_is_created(ox_map_create_at(types, 0, OX_PERSISTENT, OX_HERE)));
    EXPECT_REPORT(&reports, OX_REPORT_KEY_HAS_PADDING);
}

TEST(map, padding_of_declared_structs_is_found_without_the_compiler) {
    expect_padding(oxi_map_type_pair_of(Known, int));
    expect_padding(oxi_map_type_pair_of(Inner, int));
    collected_reports reports;
    collect_reports(&reports);

    oxi_map_type_pair types = oxi_map_type_pair_of(Whole, int);
    EXPECT(!types.key_has_padding);
    ox_map map = ox_map_create_at(types, 0, OX_PERSISTENT, OX_HERE);
    EXPECT(ox_map_is_created(map));
    EXPECT_EQ(reports.count, 0);
    ox_dispose(&map);
}

TEST(map, creating_checks_what_it_is_given) {
    collected_reports reports;
    collect_reports(&reports);
    EXPECT(!ox_map_is_created(ox_map_create_untyped(int, int, -1, OX_PERSISTENT)));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    EXPECT(!ox_map_is_created(ox_map_create_untyped(int, int, 1, (ox_allocator)0)));
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_ALLOCATOR);
    typedef struct Large {
        char bytes[OX_MAX_ELEMENT_SIZE + 1];
    } Large;
    EXPECT(!ox_map_is_created(ox_map_create_untyped(int, Large, 1, OX_PERSISTENT)));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_ELEMENT);
}

TEST_CHECKED(map, containers_are_no_keys_and_no_values) {
    collected_reports reports;
    collect_reports(&reports);
    EXPECT(!ox_map_is_created(ox_map_create_untyped(int, ox_map, 1, OX_PERSISTENT)));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_ELEMENT);
}

TEST_CHECKED(map, a_zeroed_handle_is_reported) {
    collected_reports reports;
    collect_reports(&reports);
    ox_map map = {0};
    EXPECT(!ox_map_is_created(map));
    EXPECT_EQ(ox_map_count(map), 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT_EQ(ox_map_read(OX_AS(map, int, int), 1), 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_map_set(OX_AS(map, int, int), 1, 1));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_map_clear(map));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_dispose(&map);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
}

TEST_CHECKED(map, a_disposed_map_is_reported_through_every_copy) {
    collected_reports reports;
    ox_map map = make_map(1), copy = map;
    ox_dispose(&map);
    collect_reports(&reports);
    EXPECT_EQ(ox_map_find(OX_AS(copy, uint64_t, int), 1), NULL);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    EXPECT_EQ(ox_map_count(map), 0);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    ox_dispose(&copy);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
}

TEST(map, copies_are_the_same_map) {
    ox_map map = make_map(0), copy = map;
    for (uint64_t k = 0; k < 100; k++) {
        ox_map_set(OX_AS(copy, uint64_t, int), k, 1);
    }
    EXPECT_EQ(ox_map_count(map), 100);
    EXPECT(ox_map_has(OX_AS(map, uint64_t, int), 99));
    ox_dispose(&map);
}

OX_JOB(SumMap, {
    OX_READ_ONLY ox_map map;
    OX_NO_SAFETY int *sum;
}) {
    OX_EACH(OX_AS(job->map, uint64_t, int), it) {
        *job->sum += *it.value;
    }
}

OX_JOB(FillMap, { ox_map map; }) {
    for (uint64_t k = 0; k < 500; k++) {
        ox_map_set(OX_AS(job->map, uint64_t, int), k, 1);
    }
}

TEST(map, jobs_fill_and_read_a_map) {
    ox_map map = make_map(0);
    int sum = 0;
    ox_job filled = ox_schedule(FillMap, OX_NO_JOB, {.map = map});
    ox_job read = ox_schedule(SumMap, filled, {.map = map, .sum = &sum});
    ox_job disposed = ox_dispose_after(&map, read);
    ox_complete(disposed);
    EXPECT_EQ(sum, 500);
    EXPECT(!ox_map_is_created(map));
    ox_jobs_stop();
}

OX_JOB(WriteReadOnlyMap, { OX_READ_ONLY ox_map map; }) {
    ox_map_set(OX_AS(job->map, uint64_t, int), 1, 2);
}

OX_JOB(EditReadOnlyMap, { OX_READ_ONLY ox_map map; }) {
    EXPECT_EQ(ox_map_edit(OX_AS(job->map, uint64_t, int), 1), NULL);
}

OX_PARALLEL_JOB(EditMapInBatch, { ox_map map; }) {
    int *value = ox_map_edit(OX_AS(job->map, uint64_t, int), (uint64_t)i);
    EXPECT_EQ(value, NULL);
}

TEST_CHECKED(map, a_read_only_map_is_not_written) {
    collected_reports reports;
    ox_map map = make_map(4);
    ox_map_set(OX_AS(map, uint64_t, int), 1, 1);
    collect_reports(&reports);
    ox_complete(ox_schedule(WriteReadOnlyMap, OX_NO_JOB, {.map = map}));
    EXPECT_REPORT(&reports, OX_REPORT_READ_ONLY_WRITTEN);
    ox_complete(ox_schedule(EditReadOnlyMap, OX_NO_JOB, {.map = map}));
    EXPECT_REPORT(&reports, OX_REPORT_READ_ONLY_WRITTEN);
    EXPECT_EQ(ox_map_read(OX_AS(map, uint64_t, int), 1), 1);
    ox_dispose(&map);
    ox_jobs_stop();
}

TEST_CHECKED(map, a_batch_of_a_parallel_job_does_not_write_a_map) {
    collected_reports reports;
    ox_map map = make_map(4);
    collect_reports(&reports);
    EXPECT_EQ(ox_schedule_for(EditMapInBatch, 1, 1, OX_NO_JOB, {.map = map}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NOT_DIVISIBLE);
    ox_dispose(&map);
    ox_jobs_stop();
}

TEST_CHECKED(map, main_waits_for_the_job_that_writes) {
    collected_reports reports;
    ox_map map = make_map(4);
    ox_job filled = ox_schedule(FillMap, OX_NO_JOB, {.map = map});
    collect_reports(&reports);
    EXPECT_EQ(ox_map_count(map), 0);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    ox_complete(filled);
    EXPECT_EQ(ox_map_count(map), 500);
    ox_dispose(&map);
    ox_jobs_stop();
}

static void use_map(void) {
    ox_map map = ox_map_create_untyped(uint64_t, int, 3, OX_PERSISTENT);
    if (!ox_map_is_created(map)) {
        return;
    }
    int32_t count = 0;
    for (uint64_t k = 0; k < 100; k++) {
        count += ox_map_add(OX_AS(map, uint64_t, int), k, 1);
        EXPECT_EQ(ox_map_count(map), count);
    }
    int32_t capacity = ox_map_capacity(map);
    capacity = ox_map_reserve(map, 5000) ? 5000 : capacity;
    EXPECT_EQ(ox_map_capacity(map), capacity);
    ox_array keys = ox_map_keys(OX_AS(map, uint64_t, char), OX_PERSISTENT);
    if (ox_array_is_created(keys)) {
        EXPECT_EQ(ox_array_count(keys), count);
        ox_dispose(&keys);
    }
    ox_dispose(&map);
}

static void find_padding(void) {
    ox_map map = ox_map_create_untyped(Whole, int, 0, OX_PERSISTENT);
    if (ox_map_is_created(map)) {
        ox_dispose(&map);
    }
}

TEST(map, every_allocation_may_fail) {
    collected_reports reports;
    collect_reports(&reports);
    test_fault_sweep("map", use_map);
    test_fault_sweep("map padding", find_padding);
}

TEST(map, a_walk_stands_nowhere_once_it_has_removed_its_key) {
    collected_reports reports;
    ox_map map = make_map(0);
    ox_map_set(OX_AS(map, uint64_t, int), 1, 1);
    ox_map_walk walk = ox_map_walk_begin(map);
    EXPECT(ox_map_walk_next(&walk));
    EXPECT(ox_map_walk_remove(&walk));
    collect_reports(&reports);

    EXPECT_EQ(ox_map_walk_key(&walk, uint64_t), NULL);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_map_walk_remove(&walk));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);

    EXPECT_EQ(ox_map_count(map), 0);
    ox_dispose(&map);
}

TEST_CHECKED(map, a_disposed_map_is_not_cleared) {
    collected_reports reports;
    ox_map map = make_map(1), copy = map;
    ox_dispose(&map);
    collect_reports(&reports);

    EXPECT(!ox_map_clear(copy));

    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
}

// The safety system keeps no names of temporary containers.
TEST_CHECKED(map, a_report_of_a_temporary_map_says_that_it_is_one) {
    collected_reports reports;
    ox_temp_scope scope = ox_temp_begin();
    ox_map map = ox_map_create_untyped(uint64_t, int, 4, OX_TEMP);
    collect_reports(&reports);

    EXPECT(!ox_map_set(OX_AS(map, uint64_t, float), 1, 2.0f));

    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_HAS(reports.text, "map '' holds");
    ox_temp_end(scope);
}
