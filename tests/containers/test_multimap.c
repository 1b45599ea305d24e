// SPDX-License-Identifier: MIT
//
// Multimaps, one behaviour at a time.

#include "test.h"

#include "base/substitute.h"
#include "containers/multimap.h"
#include "oxbow/containers.h"

static ox_multimap make_multimap(void) {
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 0, OX_PERSISTENT);
    EXPECT(ox_multimap_is_created(map));
    return map;
}

static ox_multimap make_filled(void) {
    ox_multimap map = make_multimap();
    for (int k = 0; k < 5; k++) {
        ox_multimap_add(OX_AS(map, uint64_t, int), 7, k * 10);
    }
    ox_multimap_add(OX_AS(map, uint64_t, int), 8, 5);
    return map;
}

// The values of a key as one number: 1, 2, 3 is 123.
static int64_t read_digits(ox_multimap map, uint64_t key) {
    int64_t digits = 0;
    OX_EACH_OF(OX_AS(map, uint64_t, int), key, it) {
        digits = digits * 10 + *it.value;
    }
    return digits;
}

TEST(multimap, values_are_read_in_the_order_they_were_added) {
    ox_multimap map = make_multimap();
    for (int k = 1; k < 6; k++) {
        EXPECT(ox_multimap_add(OX_AS(map, uint64_t, int), 3, k));
        EXPECT(ox_multimap_add(OX_AS(map, uint64_t, int), 4, 9 - k));
    }
    EXPECT_EQ(read_digits(map, 3), 12345);
    EXPECT_EQ(read_digits(map, 4), 87654);
    EXPECT_EQ(read_digits(map, 5), 0);
    ox_dispose(&map);
}

TEST(multimap, pairs_and_values_are_counted) {
    ox_multimap map = make_filled();
    EXPECT_EQ(ox_multimap_count(map), 6);
    EXPECT_EQ(ox_multimap_count_values(OX_AS(map, uint64_t, int), 7), 5);
    EXPECT_EQ(ox_multimap_count_values(OX_AS(map, uint64_t, int), 9), 0);
    EXPECT(ox_multimap_has(OX_AS(map, uint64_t, int), 8));
    EXPECT(!ox_multimap_has(OX_AS(map, uint64_t, int), 9));
    EXPECT(!ox_multimap_is_empty(map));
    ox_dispose(&map);
}

TEST(multimap, an_iterator_goes_from_first_to_last) {
    ox_multimap map = make_filled();
    ox_multimap_walk it;
    EXPECT(ox_multimap_walk_next(
        (*(&it) = ox_multimap_walk_begin(OX_AS(map, uint64_t, int), 7), &it)));
    EXPECT_EQ(*ox_multimap_walk_get(&it, int), 0);
    EXPECT(ox_multimap_walk_next(&it));
    EXPECT_EQ(*ox_multimap_walk_get(&it, int), 10);
    *ox_multimap_walk_edit(&it, int) = 11;
    for (int k = 0; k < 3; k++) {
        EXPECT(ox_multimap_walk_next(&it));
    }
    EXPECT(!ox_multimap_walk_next(&it));
    EXPECT(!ox_multimap_walk_next(&it));
    EXPECT(!ox_multimap_walk_next(
        (*(&it) = ox_multimap_walk_begin(OX_AS(map, uint64_t, int), 1), &it)));
    ox_dispose(&map);
}

TEST(multimap, removing_a_key_removes_all_its_values) {
    ox_multimap map = make_filled();
    EXPECT_EQ(ox_multimap_remove(OX_AS(map, uint64_t, int), 7), 5);
    EXPECT_EQ(ox_multimap_remove(OX_AS(map, uint64_t, int), 7), 0);
    EXPECT_EQ(ox_multimap_count(map), 1);
    ox_multimap_add(OX_AS(map, uint64_t, int), 7, 3);
    EXPECT_EQ(read_digits(map, 7), 3);
    ox_dispose(&map);
}

TEST(multimap, removing_a_pair_removes_all_equal_ones) {
    static const int values[] = {1, 2, 1, 3, 1};
    ox_multimap map = make_multimap();
    for (int k = 0; k < 5; k++) {
        ox_multimap_add(OX_AS(map, uint64_t, int), 3, values[k]);
    }
    EXPECT_EQ(ox_multimap_remove_pair(OX_AS(map, uint64_t, int), 3, 1), 3);
    EXPECT_EQ(read_digits(map, 3), 23);
    ox_multimap_add(OX_AS(map, uint64_t, int), 3, 4);
    EXPECT_EQ(read_digits(map, 3), 234);
    EXPECT_EQ(ox_multimap_remove_pair(OX_AS(map, uint64_t, int), 3, 9), 0);
    EXPECT_EQ(ox_multimap_remove_pair(OX_AS(map, uint64_t, int), 4, 2), 0);
    EXPECT_EQ(ox_multimap_remove_pair(OX_AS(map, uint64_t, int), 3, 2), 1);
    EXPECT_EQ(ox_multimap_remove_pair(OX_AS(map, uint64_t, int), 3, 3), 1);
    EXPECT_EQ(ox_multimap_remove_pair(OX_AS(map, uint64_t, int), 3, 4), 1);
    EXPECT(!ox_multimap_has(OX_AS(map, uint64_t, int), 3));
    EXPECT(ox_multimap_is_empty(map));
    ox_dispose(&map);
}

TEST(multimap, an_iterator_removes_where_it_stands_and_goes_on) {
    ox_multimap map = make_multimap();
    for (int k = 1; k < 7; k++) {
        ox_multimap_add(OX_AS(map, uint64_t, int), 3, k);
    }
    OX_EACH_OF(OX_AS(map, uint64_t, int), 3, it) {
        if (*it.value % 2 == 1) {
            EXPECT(ox_multimap_walk_remove(map, it.walk));
        }
    }
    EXPECT_EQ(read_digits(map, 3), 246);
    OX_EACH_OF(OX_AS(map, uint64_t, int), 3, it) {
        EXPECT(ox_multimap_walk_remove(map, it.walk));
    }
    EXPECT_EQ(ox_multimap_count(map), 0);
    EXPECT(!ox_multimap_has(OX_AS(map, uint64_t, int), 3));
    ox_dispose(&map);
}

TEST(multimap, a_foreign_or_stale_iterator_removes_nothing) {
    collected_reports reports;
    ox_multimap map = make_filled(), other = make_filled();
    ox_multimap_walk it, stale;
    EXPECT(ox_multimap_walk_next(
        (*(&it) = ox_multimap_walk_begin(OX_AS(other, uint64_t, int), 7), &it)));
    EXPECT(ox_multimap_walk_next(
        (*(&stale) = ox_multimap_walk_begin(OX_AS(map, uint64_t, int), 7), &stale)));
    ox_multimap_add(OX_AS(map, uint64_t, int), 1, 1);

    collect_reports(&reports);
    EXPECT(!ox_multimap_walk_remove(map, &it));
    EXPECT_REPORT(&reports, OX_REPORT_FOREIGN_ITERATOR);
    EXPECT(!ox_multimap_walk_remove(map, &stale));
    EXPECT_REPORT(&reports, OX_REPORT_FOREIGN_ITERATOR);
    EXPECT(ox_multimap_walk_remove(other, &it));
    EXPECT(!ox_multimap_walk_remove(other, &it));
    EXPECT_REPORT(&reports, OX_REPORT_FOREIGN_ITERATOR);
    EXPECT_EQ(ox_multimap_count(map), 7);
    EXPECT_EQ(ox_multimap_count(other), 5);
    ox_dispose(&map);
    ox_dispose(&other);
}

TEST_CHECKED(multimap, changing_it_while_it_is_read_is_reported_and_ends_the_loop) {
    collected_reports reports;
    ox_multimap map = make_filled();
    collect_reports(&reports);
    int count = 0;
    OX_EACH_OF(OX_AS(map, uint64_t, int), 7, it) {
        ox_multimap_add(OX_AS(map, uint64_t, int), 7, 1);
        count++;
    }
    EXPECT_EQ(count, 1);
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_WHILE_READ);
    OX_EACH(OX_AS(map, uint64_t, int), it) {
        ox_multimap_remove(OX_AS(map, uint64_t, int), 8);
        count++;
    }
    EXPECT_EQ(count, 2);
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_WHILE_READ);
    ox_dispose(&map);
}

TEST(multimap, a_walk_meets_each_pair_once) {
    ox_multimap map = make_multimap();
    for (int k = 0; k < 1000; k++) {
        ox_multimap_add(OX_AS(map, uint64_t, int), (uint64_t)(k % 100), k);
    }
    int count = 0, sum = 0;
    OX_EACH(OX_AS(map, uint64_t, int), it) {
        EXPECT_EQ((uint64_t)*it.value % 100, *it.key);
        sum += *it.value;
        count++;
    }
    EXPECT_EQ(count, 1000);
    EXPECT_EQ(sum, 499500);
    OX_EACH(OX_AS(map, uint64_t, int), it) {
        EXPECT(ox_multimap_walk_remove(map, it.walk));
    }
    EXPECT_EQ(ox_multimap_count(map), 0);
    ox_dispose(&map);
}

TEST(multimap, its_keys_are_copied_once_each) {
    ox_multimap map = make_filled();
    ox_array keys = ox_multimap_keys(OX_AS(map, uint64_t, char), OX_PERSISTENT);
    EXPECT_EQ(ox_array_count(keys), 2);
    EXPECT_EQ(ox_array_read(OX_AS(keys, uint64_t), 0) + ox_array_read(OX_AS(keys, uint64_t), 1),
              15);
    ox_dispose(&keys);
    ox_dispose(&map);
}

TEST(multimap, clearing_and_reserving_keep_what_they_say) {
    collected_reports reports;
    ox_multimap map = make_filled();
    EXPECT(ox_multimap_reserve(map, 1000));
    EXPECT_EQ(ox_multimap_count(map), 6);
    EXPECT_EQ(ox_multimap_count_values(OX_AS(map, uint64_t, int), 7), 5);
    collect_reports(&reports);
    EXPECT(!ox_multimap_reserve(map, 5));
    EXPECT_REPORT(&reports, OX_REPORT_CAPACITY_BELOW_COUNT);
    EXPECT(ox_multimap_clear(map));
    EXPECT_EQ(ox_multimap_count(map), 0);
    EXPECT(!ox_multimap_has(OX_AS(map, uint64_t, int), 7));
    ox_multimap_add(OX_AS(map, uint64_t, int), 7, 4);
    EXPECT_EQ(read_digits(map, 7), 4);
    ox_dispose(&map);
}

TEST(multimap, reserved_room_is_filled_without_memory) {
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 500, OX_PERSISTENT);
    oxi_fault_plan(OXI_FAULT_FROM, 0);
    for (int k = 0; k < 500; k++) {
        EXPECT(ox_multimap_add(OX_AS(map, uint64_t, int), (uint64_t)k, k));
    }
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    EXPECT_EQ(ox_multimap_count(map), 500);
    ox_dispose(&map);
}

// Half of the pairs of each of four keys, so that gaps lie everywhere. Values count from `first`.
static ox_multimap make_gappy(int first) {
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 64, OX_PERSISTENT);
    for (int k = 0; k < 64; k++) {
        EXPECT(ox_multimap_add(OX_AS(map, uint64_t, int), (uint64_t)k % 4, first + k));
    }
    for (int k = 0; k < 64; k++) {
        if (k / 4 % 2 == 0) {
            EXPECT_EQ(
                ox_multimap_remove_pair(OX_AS(map, uint64_t, int), (uint64_t)k % 4, first + k), 1);
        }
    }
    EXPECT_EQ(ox_multimap_count(map), 32);
    return map;
}

TEST_CHECKED(multimap, an_add_that_failed_behind_new_entries_ends_iterators) {
    collected_reports reports;
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 0, OX_PERSISTENT);
    oxi_multimap_state *state = map.state;
    for (uint64_t k = 0; k < 100 || state->one.count < state->one.capacity; k++) {
        EXPECT(ox_multimap_add(OX_AS(map, uint64_t, int), k, 1));
    }
    while (state->entry_count < state->entry_capacity) {
        EXPECT(ox_multimap_add(OX_AS(map, uint64_t, int), 0, 2));
    }
    ox_multimap_walk it;
    EXPECT(ox_multimap_walk_next(
        (*(&it) = ox_multimap_walk_begin(OX_AS(map, uint64_t, int), 0), &it)));
    collect_reports(&reports);
    oxi_fault_plan(OXI_FAULT_ONE, 1); // there is memory for entries, and none for keys
    EXPECT(!ox_multimap_add(OX_AS(map, uint64_t, int), UINT64_MAX, 3));
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    EXPECT(it.entries != state->head.entries);
    EXPECT(!ox_multimap_walk_next(&it));
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_WHILE_READ);
    ox_dispose(&map);
}

TEST(multimap, growing_closes_gaps_and_keeps_the_order_of_values) {
    ox_multimap map = make_gappy(100);

    EXPECT(ox_multimap_reserve(map, 1000));

    EXPECT_EQ(map.state->free_count, 0);
    EXPECT_EQ(map.state->entry_count, 32);
    for (int key = 0; key < 4; key++) {
        ox_multimap_add(OX_AS(map, uint64_t, int), (uint64_t)key, 9999);
        int expected = 104 + key, count = 0;
        OX_EACH_OF(OX_AS(map, uint64_t, int), (uint64_t)key, it) {
            EXPECT_EQ(*it.value, count == 8 ? 9999 : expected);
            expected += 8;
            count++;
        }
        EXPECT_EQ(count, 9);
    }
    ox_dispose(&map);
}

TEST(multimap, room_that_is_reserved_over_gaps_is_filled_without_memory) {
    for (int capacity = 33; capacity < 400; capacity++) {
        ox_multimap map = make_gappy(0);
        EXPECT(ox_multimap_reserve(map, capacity));
        oxi_fault_plan(OXI_FAULT_FROM, 0);
        for (int k = 32; k < capacity; k++) {
            EXPECT(ox_multimap_add(OX_AS(map, uint64_t, int), (uint64_t)k, k));
        }
        oxi_fault_plan(OXI_FAULT_NONE, 0);
        EXPECT_EQ(ox_multimap_count(map), capacity);
        ox_dispose(&map);
    }
}

static uint64_t hash_decade(const void *key, void *context) {
    (void)context;
    return *(const uint64_t *)key / 10;
}

static bool equal_decade(const void *a, const void *b, void *context) {
    return hash_decade(a, context) == hash_decade(b, context);
}

TEST(multimap, keys_may_have_functions) {
    ox_multimap map = ox_multimap_create_with_untyped(uint64_t, int,
                                                      {.hash = hash_decade, .equal = equal_decade});
    ox_multimap_add(OX_AS(map, uint64_t, int), 11, 1);
    ox_multimap_add(OX_AS(map, uint64_t, int), 12, 2);
    ox_multimap_add(OX_AS(map, uint64_t, int), 21, 3);
    EXPECT_EQ(read_digits(map, 15), 12);
    EXPECT_EQ(ox_multimap_remove(OX_AS(map, uint64_t, int), 29), 1);
    ox_dispose(&map);
}

TEST(multimap, creating_checks_what_it_is_given) {
    collected_reports reports;
    collect_reports(&reports);
    EXPECT(!ox_multimap_is_created(ox_multimap_create_untyped(int, int, -1, OX_PERSISTENT)));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    EXPECT(!ox_multimap_is_created(ox_multimap_create_untyped(int, int, 0, (ox_allocator)0)));
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_ALLOCATOR);
    EXPECT(
        !ox_multimap_is_created(ox_multimap_create_with_untyped(int, int, {.hash = hash_decade})));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_FUNCTION);
    oxi_map_type_pair types = oxi_map_type_pair_of(int, int);
    types.key_has_padding = true;
    EXPECT(!ox_multimap_is_created(ox_multimap_create_at(types, 0, OX_PERSISTENT, OX_HERE)));
    EXPECT_REPORT(&reports, OX_REPORT_KEY_HAS_PADDING);
}

TEST(multimap, another_type_is_reported_at_each_call) {
    collected_reports reports;
    ox_multimap map = make_filled();
    collect_reports(&reports);
    EXPECT(!ox_multimap_add(OX_AS(map, uint64_t, float), 1, 1.0f));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_multimap_count_values(OX_AS(map, int64_t, int), 7), 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_multimap_remove(OX_AS(map, int64_t, int), 7), 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_multimap_remove_pair(OX_AS(map, uint64_t, unsigned), 7, 1), 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    OX_EACH_OF(OX_AS(map, uint64_t, unsigned), 7, it) {
        EXPECT(false);
    }
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    ox_multimap_walk it;
    EXPECT(ox_multimap_walk_next(
        (*(&it) = ox_multimap_walk_begin(OX_AS(map, uint64_t, int), 7), &it)));
    EXPECT_EQ(ox_multimap_walk_get(&it, float), NULL);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    ox_dispose(&map);
}

TEST(multimap, an_iterator_that_stands_nowhere_has_no_value) {
    collected_reports reports;
    ox_multimap map = make_filled();
    ox_multimap_walk it;
    EXPECT(!ox_multimap_walk_next(
        (*(&it) = ox_multimap_walk_begin(OX_AS(map, uint64_t, int), 1), &it)));
    collect_reports(&reports);
    EXPECT_EQ(ox_multimap_walk_get(&it, int), NULL);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_dispose(&map);
}

TEST(multimap, a_zeroed_handle_is_reported) {
    collected_reports reports;
    collect_reports(&reports);
    ox_multimap map = {0};
    EXPECT_EQ(ox_multimap_count(map), 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_multimap_add(OX_AS(map, int, int), 1, 1));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT_EQ(ox_multimap_remove(OX_AS(map, int, int), 1), 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT_EQ(ox_multimap_remove_pair(OX_AS(map, int, int), 1, 1), 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_multimap_clear(map));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT_EQ(ox_multimap_merge_after(map, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_dispose(&map);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
}

TEST_CHECKED(multimap, a_disposed_one_is_reported_through_every_copy) {
    collected_reports reports;
    ox_multimap map = make_filled(), copy = map;
    ox_dispose(&map);
    collect_reports(&reports);
    EXPECT_EQ(ox_multimap_count(copy), 0);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    ox_dispose(&copy);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
}

OX_JOB(SumMultimap, {
    OX_READ_ONLY ox_multimap map;
    OX_NO_SAFETY int *sum;
}) {
    OX_EACH(OX_AS(job->map, uint64_t, int), it) {
        *job->sum += *it.value;
    }
}

TEST_CHECKED(multimap, an_iterator_gives_no_value_to_edit_while_a_job_reads) {
    collected_reports reports;
    int sum = 0;
    ox_multimap map = make_filled();
    ox_multimap_walk it = ox_multimap_walk_begin(OX_AS(map, uint64_t, int), 7);
    EXPECT(ox_multimap_walk_next(&it));
    ox_job read = ox_schedule(SumMultimap, OX_NO_JOB, {.map = map, .sum = &sum});
    collect_reports(&reports);

    EXPECT(ox_multimap_walk_get(&it, int) != NULL);
    EXPECT_EQ(ox_multimap_walk_edit(&it, int), NULL);

    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    ox_complete(read);
    ox_dispose(&map);
    ox_jobs_stop();
}

TEST(multimap, it_is_disposed_after_the_job_that_reads_it) {
    int sum = 0;
    ox_multimap map = make_filled();
    ox_job read = ox_schedule(SumMultimap, OX_NO_JOB, {.map = map, .sum = &sum});
    ox_complete(ox_dispose_after(&map, read));
    EXPECT_EQ(sum, 105);
    EXPECT(!ox_multimap_is_created(map));
    ox_jobs_stop();
}

static void use_multimap(void) {
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 3, OX_PERSISTENT);
    if (!ox_multimap_is_created(map)) {
        return;
    }
    int32_t count = 0;
    for (int k = 0; k < 100; k++) {
        count += ox_multimap_add(OX_AS(map, uint64_t, int), (uint64_t)(k % 40), k);
        EXPECT_EQ(ox_multimap_count(map), count);
    }
    ox_multimap_reserve(map, 2000);
    EXPECT_EQ(ox_multimap_count(map), count);
    ox_dispose(&map);
}

TEST(multimap, every_allocation_may_fail) {
    collected_reports reports;
    collect_reports(&reports);
    test_fault_sweep("multimap", use_multimap);
}
