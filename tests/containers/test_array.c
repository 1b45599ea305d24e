// SPDX-License-Identifier: MIT

#include "containers_test.h"

#include <limits.h>

TEST(array, a_new_one_is_zero_and_aligned) {
    ox_array array = ox_array_create_untyped(int, 100, OX_PERSISTENT);

    EXPECT(ox_array_is_created(array));
    EXPECT_EQ(ox_array_count(array), 100);
    EXPECT_EQ((uintptr_t)array.data % 64, 0);
    for (int k = 0; k < 100; k++) {
        EXPECT_EQ(ox_array_read(OX_AS(array, int), k), 0);
    }
    ox_dispose(&array);
}

TEST(array, a_handle_is_32_bytes) {
    EXPECT_EQ(sizeof(ox_array), 32);
}

typedef struct Wide {
    _Alignas(512) char bytes[512];
} Wide;

TEST(array, elements_may_be_aligned_to_more_than_a_cache_line) {
    ox_array array = ox_array_create_untyped(Wide, 3, OX_TEMP_JOB);

    EXPECT_EQ((uintptr_t)ox_array_edit(OX_AS(array, Wide), 1) % 512, 0);
    ox_array_edit(OX_AS(array, Wide), 2)->bytes[511] = 7;
    EXPECT_EQ(ox_array_read(OX_AS(array, Wide), 2).bytes[511], 7);
    ox_dispose(&array);
}

TEST(array, one_without_elements_is_an_array_too) {
    ox_array array = ox_array_create_untyped(Body, 0, OX_PERSISTENT);

    EXPECT(ox_array_is_created(array));
    EXPECT(ox_array_copy_from(array, array));
    EXPECT(ox_array_fill(OX_AS(array, Body), {.id = 1}));
    EXPECT(ox_array_equals(array, array));
    EXPECT(ox_array_get_data(OX_AS(array, Body)) != NULL);
    ox_dispose(&array);
}

TEST(array, values_are_set_in_braces_or_from_variables) {
    ox_array array = ox_array_create_uninitialized_untyped(Body, 2, OX_TEMP);
    Body body = {.x = 3, .id = 4};

    ox_array_set(OX_AS(array, Body), 0, {.x = 1, .y = 2, .id = 5});
    ox_array_set(OX_AS(array, Body), 1, body);
    ox_array_edit(OX_AS(array, Body), 1)->y += 6;

    EXPECT_EQ(ox_array_read(OX_AS(array, Body), 0).y, 2.0f);
    EXPECT_EQ(ox_array_read(OX_AS(array, Body), 1).y, 6.0f);
    EXPECT_EQ(ox_array_read(OX_AS(array, Body), 1).id, 4);
    ox_dispose(&array);
}

TEST(array, copies_of_a_handle_share_the_memory) {
    ox_array array = ox_array_create_untyped(int, 4, OX_PERSISTENT);
    ox_array other = array;

    ox_array_set(OX_AS(other, int), 2, 9);

    EXPECT_EQ(ox_array_read(OX_AS(array, int), 2), 9);
    ox_dispose(&array);
}

TEST(array, it_is_made_from_memory) {
    const int numbers[3] = {3, 1, 2};
    ox_array array = ox_array_create_copy_untyped(int, numbers, 3, OX_PERSISTENT);
    ox_array empty = ox_array_create_copy_untyped(int, NULL, 0, OX_PERSISTENT);

    EXPECT_EQ(ox_array_count(array), 3);
    EXPECT_EQ(ox_array_read(OX_AS(array, int), 0) * 100 + ox_array_read(OX_AS(array, int), 2), 302);
    EXPECT_EQ(ox_array_count(empty), 0);
    ox_dispose(&array);
    ox_dispose(&empty);
}

TEST(array, loops_use_its_data) {
    ox_array array = ox_array_create_untyped(int, 10, OX_PERSISTENT);
    int *edit = ox_array_edit_data(OX_AS(array, int)), sum = 0;
    for (int k = 0; k < array.count; k++) {
        edit[k] = k;
    }
    const int *data = ox_array_get_data(OX_AS(array, int));
    const int *part = ox_array_get_range(OX_AS(array, int), 2, 5);
    *ox_array_edit_range(OX_AS(array, int), 9, 10) = 100;

    for (int k = 0; k < array.count; k++) {
        sum += data[k];
    }
    EXPECT_EQ(sum, 136);
    EXPECT_EQ(part[0] + part[2], 6);
    ox_dispose(&array);
}

TEST(array, it_is_copied_filled_and_compared) {
    ox_array from = ox_array_create_untyped(Body, 7, OX_PERSISTENT);
    ox_array to = ox_array_create_untyped(Body, 7, OX_TEMP_JOB);
    ox_array shorter = ox_array_create_untyped(Body, 6, OX_PERSISTENT);

    EXPECT(ox_array_fill(OX_AS(from, Body), {.x = 1, .id = 2}));
    EXPECT(!ox_array_equals(from, to));
    EXPECT(ox_array_copy_from(to, from));

    EXPECT(ox_array_equals(from, to));
    EXPECT(!ox_array_equals(from, shorter));
    EXPECT_EQ(ox_array_read(OX_AS(to, Body), 6).id, 2);
    ox_dispose(&from);
    ox_dispose(&to);
    ox_dispose(&shorter);
}

TEST(array, every_byte_is_filled) {
    for (int count = 0; count < 40; count++) {
        ox_array array = ox_array_create_untyped(Triple, count, OX_PERSISTENT);
        EXPECT(ox_array_fill(OX_AS(array, Triple), {{1, 2, 3}}));
        for (int k = 0; k < count * 3; k++) {
            EXPECT_EQ(((const uint8_t *)array.data)[k], k % 3 + 1);
        }
        ox_dispose(&array);
    }
}

TEST(array, it_is_filled_with_its_own_first_element) {
    const int numbers[5] = {7, 1, 2, 3, 4};
    ox_array array = ox_array_create_copy_untyped(int, numbers, 5, OX_PERSISTENT);

    EXPECT(ox_array_fill_at(array, ox_element_of(int), array.data, OX_HERE));

    EXPECT_EQ(ox_array_read(OX_AS(array, int), 0) + ox_array_read(OX_AS(array, int), 4), 14);
    ox_dispose(&array);
}

TEST(array, a_length_that_cannot_be_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    const int64_t counts[] = {-1, INT_MIN, INT64_MIN, (int64_t)INT32_MAX + 1, INT64_MAX};

    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        ox_array array = ox_array_create_untyped(int, counts[k], OX_PERSISTENT);
        EXPECT(!ox_array_is_created(array));
        EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    }
}

typedef struct Huge {
    char bytes[OX_MAX_ELEMENT_SIZE + 1];
} Huge;

TEST(array, an_element_that_is_too_large_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);

    EXPECT(!ox_array_is_created(ox_array_create_untyped(Huge, 1, OX_PERSISTENT)));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_ELEMENT);
}

TEST_CHECKED(array, a_container_as_element_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);

    EXPECT(!ox_array_is_created(ox_array_create_untyped(ox_array, 1, OX_PERSISTENT)));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_ELEMENT);
}

TEST(array, an_allocator_that_does_not_exist_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);

    EXPECT(!ox_array_is_created(ox_array_create_untyped(int, 1, 0)));
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_ALLOCATOR);
    EXPECT(!ox_array_is_created(ox_array_create_untyped(int, 1, 99999)));
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_ALLOCATOR);
}

TEST(array, arguments_that_are_null_are_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = ox_array_create_untyped(int, 1, OX_PERSISTENT);

    EXPECT(!ox_array_is_created(ox_array_create_copy_untyped(int, NULL, 1, OX_PERSISTENT)));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    ox_dispose((ox_array *)NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_dispose_after((ox_array *)NULL, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_array_fill_at(array, ox_element_of(int), NULL, OX_HERE));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    ox_dispose(&array);
}

TEST_CHECKED(array, an_index_outside_is_reported_and_has_no_effect) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = ox_array_create_untyped(int, 3, OX_PERSISTENT);
    const int64_t indices[] = {-1, 3, 4, INT_MIN, INT_MAX, INT64_MIN, INT64_MAX};

    for (size_t k = 0; k < sizeof indices / sizeof *indices; k++) {
        EXPECT_EQ(ox_array_read(OX_AS(array, int), indices[k]), 0);
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        ox_array_set(OX_AS(array, int), indices[k], 5);
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        *ox_array_edit(OX_AS(array, int), indices[k]) = 5;
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    }
    EXPECT_HAS(reports.text, "index 9223372036854775807 of array");
    EXPECT_HAS(reports.site, "test_array.c");
    EXPECT_EQ(ox_array_read(OX_AS(array, int), 0) + ox_array_read(OX_AS(array, int), 2), 0);
    ox_dispose(&array);
}

TEST_CHECKED(array, a_range_that_leaves_it_is_reported) {
    static const struct {
        int64_t begin, end;
        bool is_inside;
    } cases[] = {
        {0, 5, true},          {5, 5, true},
        {2, 2, true},          {0, 6, false},
        {-1, 3, false},        {3, 2, false},
        {6, 6, false},         {INT64_MIN, INT64_MAX, false},
        {INT64_MAX, 0, false}, {0, INT64_MAX, false},
        {4, INT64_MAX, false},
    };
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = ox_array_create_untyped(int, 5, OX_PERSISTENT);

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int *range = ox_array_get_range(OX_AS(array, int), cases[k].begin, cases[k].end);
        EXPECT_EQ(range != oxi_element_zeros(), cases[k].is_inside);
        EXPECT_EQ(reports.count, cases[k].is_inside ? 0 : 1);
        reports.count = 0;
        int *edit = ox_array_edit_range(OX_AS(array, int), cases[k].begin, cases[k].end);
        EXPECT_EQ(edit != oxi_element_scratch(), cases[k].is_inside);
        EXPECT_EQ(reports.count, cases[k].is_inside ? 0 : 1);
        reports.count = 0;
    }
    ox_dispose(&array);
}

TEST_CHECKED(array, another_element_type_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = ox_array_create_untyped(float, 3, OX_PERSISTENT);

    (void)ox_array_read(OX_AS(array, int), 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    (void)ox_array_read(OX_AS(array, double), 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    (void)ox_array_get_data(OX_AS(array, unsigned));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    (void)ox_array_edit_data(OX_AS(array, bool));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    ox_dispose(&array);
}

typedef struct Meters {
    float value;
} Meters;

TEST(array, a_struct_of_the_same_size_may_stand_for_a_number) {
    ox_array array = ox_array_create_untyped(float, 3, OX_PERSISTENT);

    ox_array_set(OX_AS(array, Meters), 1, {2.5f});

    EXPECT_EQ(ox_array_read(OX_AS(array, float), 1), 2.5f);
    ox_dispose(&array);
}

TEST(array, copying_between_lengths_or_types_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array a = ox_array_create_untyped(int, 3, OX_PERSISTENT);
    ox_array b = ox_array_create_untyped(int, 4, OX_PERSISTENT);
    ox_array c = ox_array_create_untyped(float, 3, OX_PERSISTENT);

    EXPECT(!ox_array_copy_from(b, a));
    EXPECT_REPORT(&reports, OX_REPORT_LENGTHS_DIFFER);
    EXPECT(!ox_array_copy_from(c, a));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(!ox_array_equals(a, c));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(!ox_array_fill(OX_AS(a, float), 1.0f));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    ox_dispose(&a);
    ox_dispose(&b);
    ox_dispose(&c);
}

TEST(array, one_that_was_never_created_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array none = {0};

    EXPECT(!ox_array_is_created(none));
    EXPECT_EQ(ox_array_count(none), 0);
    EXPECT(!ox_array_copy_from(none, none));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_array_fill(OX_AS(none, int), 1));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_array_equals(none, none));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT_EQ(ox_combine_array(none).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_complete_array(none);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_dispose(&none);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT_EQ(ox_dispose_after(&none, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
}

TEST_CHECKED(array, elements_of_one_that_was_never_created_are_zeros) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array none = {0};

    EXPECT_EQ(ox_array_read(OX_AS(none, int), 0), 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_array_set(OX_AS(none, int), 0, 1);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT_EQ(ox_array_get_data(OX_AS(none, int)), oxi_element_zeros());
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
}

TEST(array, disposing_gives_the_memory_back) {
    uint64_t blocks = count_blocks();
    ox_array array = ox_array_create_untyped(Body, 1000, OX_PERSISTENT);
    EXPECT_EQ(count_blocks(), blocks + (ox_get_safety_level() > 0));

    ox_dispose(&array);

    EXPECT(!ox_array_is_created(array));
    EXPECT_EQ(count_blocks(), blocks);
}

TEST(array, disposing_twice_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = ox_array_create_untyped(int, 1, OX_PERSISTENT);
    ox_dispose(&array);

    ox_dispose(&array);

    bool is_watched = ox_get_safety_level() > 0;
    EXPECT_REPORT(&reports, is_watched ? OX_REPORT_DISPOSED : OX_REPORT_UNASSIGNED);
}

TEST_CHECKED(array, use_after_disposing_is_reported_for_every_copy) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = ox_array_create_untyped(int, 1, OX_PERSISTENT), copy = array;
    ox_dispose(&array);

    EXPECT_EQ(ox_array_read(OX_AS(array, int), 0), 0);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    EXPECT_EQ(ox_array_read(OX_AS(copy, int), 0), 0);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    ox_dispose(&copy);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    EXPECT(!ox_slice_is_created(ox_array_slice(array, 0, 1)));
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
}

TEST_CHECKED(array, its_name_stands_in_reports) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = ox_array_create_untyped(int, 1, OX_PERSISTENT);
    ox_container_set_name(array, "hit points");

    (void)ox_array_read(OX_AS(array, int), 1);

    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    EXPECT_HAS(reports.text, "array 'hit points' with 1 elements");
    ox_dispose(&array);
}

static void use_arrays(void) {
    ox_array array = ox_array_create_untyped(Body, 100, OX_PERSISTENT);
    ox_array copy = ox_array_create_copy_untyped(Body, &(Body){.id = 1}, 1, OX_TEMP_JOB);
    if (ox_array_is_created(array)) {
        ox_array_set(OX_AS(array, Body), 99, {.id = 1});
        ox_dispose(&array);
    }
    if (ox_array_is_created(copy)) {
        EXPECT_EQ(ox_array_read(OX_AS(copy, Body), 0).id, 1);
        ox_dispose(&copy);
    }
}

TEST(array, every_allocation_may_fail) {
    test_fault_sweep("array", use_arrays);
}
