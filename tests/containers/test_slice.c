// SPDX-License-Identifier: MIT

#include "containers_test.h"

#include <limits.h>
#include <stdio.h>

static ox_array make_numbers(int count) {
    ox_array array = ox_array_create_untyped(int, count, OX_PERSISTENT);
    for (int k = 0; k < count; k++) {
        ox_array_set(OX_AS(array, int), k, k);
    }
    return array;
}

TEST(slice, it_shows_a_part_of_an_array) {
    ox_array array = make_numbers(10);

    ox_slice slice = ox_array_slice(array, 3, 4);
    ox_slice inner = ox_slice_slice(slice, 1, 2);
    ox_slice_set(OX_AS(slice, int), 0, 30);
    *ox_slice_edit(OX_AS(inner, int), 1) += 100;

    EXPECT_EQ(ox_slice_count(slice), 4);
    EXPECT_EQ(ox_slice_read(OX_AS(slice, int), 3), 6);
    EXPECT_EQ(ox_array_read(OX_AS(array, int), 3), 30);
    EXPECT_EQ(ox_array_read(OX_AS(array, int), 5), 105);
    ox_dispose(&array);
}

TEST(slice, one_may_be_empty) {
    ox_array array = make_numbers(3);

    ox_slice end = ox_array_slice(array, 3, 0);
    ox_slice inner = ox_slice_slice(end, 0, 0);

    EXPECT(ox_slice_is_created(end) && ox_slice_is_created(inner));
    EXPECT_EQ(ox_slice_count(inner), 0);
    EXPECT(ox_slice_copy_from(inner, end));
    EXPECT_EQ(ox_slice_count(ox_slice_as_untyped(end, float)), 0);
    EXPECT_EQ(ox_slice_get_data_at(end, ox_element_of(int), OX_HERE), end.data);
    EXPECT_EQ(ox_slice_edit_data_at(end, ox_element_of(int), OX_HERE), end.data);
    ox_dispose(&array);
}

TEST(slice, it_shows_one_field_of_each_element) {
    ox_array array = ox_array_create_untyped(Body, 5, OX_PERSISTENT);
    ox_slice ids =
        ox_slice_field_untyped(ox_array_slice(array, 0, ox_array_count(array)), Body, int32_t, id);
    ox_slice tags = ox_slice_field_untyped(ox_array_slice(array, 2, 3), Body, uint8_t, tag);

    for (int k = 0; k < 5; k++) {
        ox_slice_set(OX_AS(ids, int32_t), k, 10 + k);
    }
    ox_slice_set(OX_AS(tags, uint8_t), 0, 7);

    EXPECT_EQ(ox_array_read(OX_AS(array, Body), 4).id, 14);
    EXPECT_EQ(ox_array_read(OX_AS(array, Body), 2).tag, 7);
    EXPECT_EQ(ox_array_read(OX_AS(array, Body), 2).x, 0.0f);
    ox_dispose(&array);
}

typedef struct Frame {
    Body bodies[2];
    double time;
} Frame;

TEST(slice, a_field_of_a_field_is_a_slice_too) {
    ox_array array = ox_array_create_untyped(Frame, 3, OX_PERSISTENT);
    ox_slice second = ox_slice_field_untyped(ox_array_slice(array, 0, ox_array_count(array)), Frame,
                                             Body, bodies[1]);
    ox_slice heights = ox_slice_field_untyped(second, Body, float, y);

    ox_slice_set(OX_AS(heights, float), 2, 1.5f);

    EXPECT_EQ(ox_array_read(OX_AS(array, Frame), 2).bodies[1].y, 1.5f);
    EXPECT_EQ(heights.stride, (int)sizeof(Frame));
    ox_dispose(&array);
}

TEST(slice, elements_are_seen_as_smaller_or_larger_ones) {
    ox_array array = ox_array_create_untyped(uint64_t, 4, OX_PERSISTENT);
    ox_array_set(OX_AS(array, uint64_t), 1, UINT64_MAX);

    ox_slice bytes = ox_slice_as_untyped(ox_array_slice(array, 1, 2), uint8_t);
    ox_slice halves = ox_slice_as_untyped(bytes, uint32_t);
    ox_slice_set(OX_AS(bytes, uint8_t), 8, 1);

    EXPECT_EQ(bytes.count, 16);
    EXPECT_EQ(ox_slice_read(OX_AS(bytes, uint8_t), 7), 255);
    EXPECT_EQ(halves.count, 4);
    EXPECT_EQ(ox_slice_read(OX_AS(halves, uint32_t), 1), UINT32_MAX);
    EXPECT_EQ(ox_slice_get_data(OX_AS(ox_slice_as_untyped(halves, uint64_t), uint64_t)),
              (uint64_t *)array.data + 1);
    ox_dispose(&array);
}

TEST(slice, a_cut_that_leaves_it_is_reported) {
    static const struct {
        int64_t start, count, told;
    } cases[] = {
        {-1, 1, -1},
        {0, -1, 0},
        {0, 6, 5},
        {5, 1, 5},
        {5, 2, 5},
        {6, 0, 6},
        {3, 3, 5},
        {INT_MIN, 1, INT_MIN},
        {0, INT_MIN, 0},
        {-2, 2, -2},
        {INT64_MAX, 1, INT64_MAX},
        {1, INT64_MAX, INT64_MAX},
        {INT64_MIN, INT64_MIN, INT64_MIN},
    };
    char told[64];
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = make_numbers(5);
    ox_slice whole = ox_array_slice(array, 0, ox_array_count(array));

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        EXPECT(!ox_slice_is_created(ox_array_slice(array, cases[k].start, cases[k].count)));
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        EXPECT(!ox_slice_is_created(ox_slice_slice(whole, cases[k].start, cases[k].count)));
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        snprintf(told, sizeof told, "index %lld of", (long long)cases[k].told);
        EXPECT_HAS(reports.text, told);
    }
    ox_dispose(&array);
}

TEST_CHECKED(slice, an_index_outside_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = make_numbers(10);
    ox_slice slice = ox_array_slice(array, 2, 3);
    const int64_t indices[] = {-1, 3, INT_MIN, INT64_MAX};

    for (size_t k = 0; k < sizeof indices / sizeof *indices; k++) {
        EXPECT_EQ(ox_slice_read(OX_AS(slice, int), indices[k]), 0);
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        ox_slice_set(OX_AS(slice, int), indices[k], 77);
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    }
    EXPECT_EQ(ox_array_read(OX_AS(array, int), 1) + ox_array_read(OX_AS(array, int), 5), 6);
    (void)ox_slice_read(OX_AS(slice, float), 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    ox_dispose(&array);
}

TEST(slice, a_field_that_is_not_in_the_element_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = ox_array_create_untyped(Body, 5, OX_PERSISTENT);
    ox_slice whole = ox_array_slice(array, 0, ox_array_count(array));

    EXPECT(!ox_slice_is_created(ox_slice_field_untyped(whole, Body, Frame, id)));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_STRIDE);
    EXPECT(!ox_slice_is_created(ox_slice_field_untyped(whole, Body, double, id)));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_STRIDE);
    EXPECT_HAS(reports.text, "smaller than the type");
    oxi_slice_field huge = {ox_element_of(Body), ox_element_of(int), 4, SIZE_MAX - 3, 4};
    EXPECT(!ox_slice_is_created(ox_slice_field_at(whole, huge, OX_HERE)));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_STRIDE);
    oxi_slice_field across = {ox_element_of(Body), ox_element_of(int), 4, 12, 8};
    EXPECT(!ox_slice_is_created(ox_slice_field_at(whole, across, OX_HERE)));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_STRIDE);
    oxi_slice_field skewed = {ox_element_of(Body), ox_element_of(int), 4, 2, 4};
    EXPECT(!ox_slice_is_created(ox_slice_field_at(whole, skewed, OX_HERE)));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_STRIDE);
    EXPECT(!ox_slice_is_created(ox_slice_field_untyped(whole, Frame, double, time)));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    ox_dispose(&array);
}

TEST(slice, bytes_that_do_not_divide_are_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = ox_array_create_untyped(Body, 3, OX_PERSISTENT);
    ox_array bytes = ox_array_create_untyped(uint8_t, 12, OX_PERSISTENT);
    ox_slice ids =
        ox_slice_field_untyped(ox_array_slice(array, 0, ox_array_count(array)), Body, int32_t, id);

    EXPECT(!ox_slice_is_created(ox_slice_as_untyped(ids, uint16_t)));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_STRIDE);
    EXPECT_HAS(reports.text, "gaps");
    EXPECT(!ox_slice_is_created(
        ox_slice_as_untyped(ox_array_slice(bytes, 0, ox_array_count(bytes)), uint64_t)));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_STRIDE);
    EXPECT_HAS(reports.text,
               "whole number of the new elements: element size 1, stride 1, offset 0");
    EXPECT(!ox_slice_is_created(ox_slice_as_untyped(ox_array_slice(bytes, 2, 8), uint32_t)));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_STRIDE);
    EXPECT_HAS(reports.text, "aligned");
    ox_dispose(&array);
    ox_dispose(&bytes);
}

TEST(slice, data_of_one_with_gaps_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = ox_array_create_untyped(Body, 3, OX_PERSISTENT);
    ox_slice ids =
        ox_slice_field_untyped(ox_array_slice(array, 0, ox_array_count(array)), Body, int32_t, id);

    EXPECT_EQ(ox_slice_get_data(OX_AS(ids, int32_t)), oxi_element_zeros());
    EXPECT_REPORT(&reports, OX_REPORT_BAD_STRIDE);
    EXPECT_HAS(reports.text, "gaps between its elements: element size 4, stride 16, offset 0");
    EXPECT_EQ(ox_slice_edit_data(OX_AS(ids, int32_t)), oxi_element_scratch());
    EXPECT_REPORT(&reports, OX_REPORT_BAD_STRIDE);
    EXPECT_EQ(ox_slice_edit_data(OX_AS(ox_array_slice(array, 0, ox_array_count(array)), Body)),
              array.data);
    ox_dispose(&array);
}

TEST(slice, one_that_was_never_made_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_slice none = {0};

    EXPECT(!ox_slice_is_created(ox_slice_slice(none, 0, 0)));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_slice_is_created(ox_array_slice((ox_array){0}, 0, 0)));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_slice_is_created(ox_slice_field_untyped(none, Body, float, x)));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_slice_is_created(ox_slice_as_untyped(none, int)));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_slice_copy_from(none, none));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT_EQ(ox_slice_get_data(OX_AS(none, int)), oxi_element_zeros());
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
}

TEST(slice, it_is_copied_to_and_from_arrays) {
    ox_array array = ox_array_create_untyped(Body, 4, OX_PERSISTENT), ids = make_numbers(4);
    ox_array back = ox_array_create_untyped(int, 4, OX_PERSISTENT);
    ox_slice field =
        ox_slice_field_untyped(ox_array_slice(array, 0, ox_array_count(array)), Body, int, id);

    EXPECT(ox_slice_copy_from_array(field, ids));
    EXPECT(ox_slice_copy_to_array(field, back));

    EXPECT_EQ(ox_array_read(OX_AS(array, Body), 3).id, 3);
    EXPECT(ox_array_equals(back, ids));
    ox_dispose(&array);
    ox_dispose(&ids);
    ox_dispose(&back);
}

TEST(slice, copying_between_lengths_or_types_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = make_numbers(5), floats = ox_array_create_untyped(float, 5, OX_PERSISTENT);

    EXPECT(!ox_slice_copy_from(ox_array_slice(array, 2, 3), ox_array_slice(array, 0, 2)));
    EXPECT_REPORT(&reports, OX_REPORT_LENGTHS_DIFFER);
    EXPECT(!ox_slice_copy_to_array(ox_array_slice(array, 0, ox_array_count(array)), floats));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    ox_dispose(&array);
    ox_dispose(&floats);
}

// Random slices of one array, with the elements' offsets beside them.

enum { MODEL_ELEMENTS = 24, MODEL_FIELDS = 4, MODEL_CELLS = MODEL_ELEMENTS * MODEL_FIELDS };

typedef struct Cells {
    int32_t cells[MODEL_FIELDS];
} Cells;

typedef struct slice_model {
    ox_slice slice; // of int32_t
    int count;
    int places[MODEL_CELLS]; // index of the cell that each element is
} slice_model;

static slice_model cut_randomly(ox_array array, oxi_random *random) {
    slice_model model = {0};
    int start = (int)random_between(random, 0, MODEL_ELEMENTS);
    int count = (int)random_between(random, 0, MODEL_ELEMENTS - start);
    int field = (int)random_between(random, -1, MODEL_FIELDS - 1);
    ox_slice slice = ox_array_slice(array, start, count);
    model.slice = ox_slice_as_untyped(slice, int32_t);
    model.count = count * MODEL_FIELDS;
    int first = start * MODEL_FIELDS, step = 1;
    if (field >= 0) {
        oxi_slice_field part = {ox_element_of(Cells), ox_element_of(int32_t), 4, (size_t)field * 4,
                                4};
        model.slice = ox_slice_field_at(slice, part, OX_HERE);
        model.count = count;
        first += field;
        step = MODEL_FIELDS;
    }
    int skip = (int)random_between(random, 0, model.count);
    model.count = (int)random_between(random, 0, model.count - skip);
    model.slice = ox_slice_slice(model.slice, skip, model.count);
    for (int k = 0; k < model.count; k++) {
        model.places[k] = first + (skip + k) * step;
    }
    return model;
}

static void copy_in_model(const slice_model *from, const slice_model *to, int32_t *cells) {
    int32_t values[MODEL_CELLS];
    for (int k = 0; k < from->count; k++) {
        values[k] = cells[from->places[k]];
    }
    for (int k = 0; k < to->count; k++) {
        cells[to->places[k]] = values[k];
    }
}

static void shorten_model(slice_model *model, int count) {
    model->slice = ox_slice_slice(model->slice, 0, count);
    model->count = count;
}

// Copies between two slices of one array, which may overlap in any way.
static void copy_both(ox_array array, int32_t *cells, oxi_random *random) {
    slice_model from = cut_randomly(array, random), to = cut_randomly(array, random);
    int count = from.count < to.count ? from.count : to.count;
    shorten_model(&from, count);
    shorten_model(&to, count);
    EXPECT(ox_slice_copy_from(to.slice, from.slice));
    copy_in_model(&from, &to, cells);
}

static void write_both(ox_array array, int32_t *cells, oxi_random *random) {
    slice_model model = cut_randomly(array, random);
    for (int k = 0; k < model.count; k++) {
        int32_t value = (int32_t)oxi_random_next_u64(random);
        EXPECT_EQ(ox_slice_read(OX_AS(model.slice, int32_t), k), cells[model.places[k]]);
        ox_slice_set(OX_AS(model.slice, int32_t), k, value);
        cells[model.places[k]] = value;
    }
}

TEST(slice, random_cuts_and_copies_agree_with_plain_cells) {
    oxi_random random = oxi_random_seed(test_seed(71));
    int32_t cells[MODEL_CELLS] = {0};
    ox_array array = ox_array_create_untyped(Cells, MODEL_ELEMENTS, OX_PERSISTENT);

    uint64_t rounds = test_scaled(100000) / SANITIZED + 1;
    for (uint64_t round = 0; round < rounds; round++) {
        (oxi_random_below(&random, 2) == 0 ? copy_both : write_both)(array, cells, &random);
        if (memcmp(array.data, cells, sizeof cells) != 0) {
            test_fail(__FILE__, __LINE__, "they differ after round %llu",
                      (unsigned long long)round);
        }
    }
    ox_dispose(&array);
}

static void copy_across_strides(void) {
    ox_array array = ox_array_create_untyped(Cells, 10, OX_PERSISTENT);
    if (!ox_array_is_created(array)) {
        return;
    }
    ox_array_edit(OX_AS(array, Cells), 9)->cells[0] = 9;
    ox_slice field = ox_slice_field_untyped(ox_array_slice(array, 0, ox_array_count(array)), Cells,
                                            int32_t, cells[0]);
    ox_slice start = ox_slice_slice(
        ox_slice_as_untyped(ox_array_slice(array, 0, ox_array_count(array)), int32_t), 0, 10);
    bool is_copied = ox_slice_copy_from(start, field);
    EXPECT_EQ(ox_array_read(OX_AS(array, Cells), 2).cells[1], is_copied ? 9 : 0);
    ox_dispose(&array);
}

TEST(slice, every_allocation_may_fail) {
    test_fault_sweep("slice", copy_across_strides);
}
