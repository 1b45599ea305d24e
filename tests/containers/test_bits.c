// SPDX-License-Identifier: MIT

#include "containers_test.h"

#include <limits.h>

TEST(bits, new_ones_are_clear) {
    ox_bits bits = ox_bits_create(200, OX_PERSISTENT);

    EXPECT(ox_bits_is_created(bits));
    EXPECT_EQ(ox_bits_count(bits), 200);
    EXPECT_EQ(ox_bits_count_set(bits), 0);
    EXPECT(!ox_bits_any(bits, 0, 200));
    ox_dispose(&bits);
    EXPECT(!ox_bits_is_created(bits));
}

TEST(bits, they_are_set_and_cleared) {
    ox_bits bits = ox_bits_create(200, OX_TEMP);

    ox_bits_set(bits, 0, true);
    ox_bits_set(bits, 63, true);
    ox_bits_set(bits, 64, true);
    ox_bits_set(bits, 199, true);
    ox_bits_set(bits, 63, false);

    EXPECT(ox_bits_is_set(bits, 0) && ox_bits_is_set(bits, 64) && ox_bits_is_set(bits, 199));
    EXPECT(!ox_bits_is_set(bits, 63) && !ox_bits_is_set(bits, 1));
    EXPECT_EQ(ox_bits_count_set(bits), 3);
    EXPECT(ox_bits_clear(bits));
    EXPECT_EQ(ox_bits_count_set(bits), 0);
    ox_dispose(&bits);
}

TEST(bits, there_may_be_none) {
    ox_bits bits = ox_bits_create(0, OX_PERSISTENT);

    EXPECT_EQ(ox_bits_find_set(bits, 0) + ox_bits_find_clear(bits, 0), 0);
    EXPECT(!ox_bits_any(bits, 0, 0) && ox_bits_all(bits, 0, 0));
    EXPECT(ox_bits_clear(bits) && ox_bits_or(bits, bits) && ox_bits_resize(bits, 0));
    EXPECT_EQ(ox_bits_count_set(bits), 0);
    ox_dispose(&bits);
}

TEST(bits, a_loop_over_set_ones_meets_each_once) {
    ox_bits bits = ox_bits_create(300, OX_PERSISTENT);
    for (int k = 0; k < 300; k += 7) {
        ox_bits_set(bits, k, true);
    }

    int expected = 0;
    for (int k = ox_bits_find_set(bits, 0); k < ox_bits_count(bits);
         k = ox_bits_find_set(bits, k + 1)) {
        EXPECT_EQ(k, expected);
        expected += 7;
    }
    EXPECT_EQ(expected, 301);
    ox_dispose(&bits);
}

TEST(bits, growing_adds_clear_ones_and_shrinking_forgets) {
    ox_bits bits = ox_bits_create(10, OX_PERSISTENT), copy = bits;
    EXPECT(ox_bits_set_range(bits, 0, 10, true));

    EXPECT(ox_bits_resize(bits, 1000));
    EXPECT_EQ(ox_bits_count_set(copy), 10);
    EXPECT(ox_bits_set_range(copy, 0, 1000, true));
    EXPECT(ox_bits_resize(bits, 5));
    EXPECT(ox_bits_resize(bits, 700));

    EXPECT_EQ(ox_bits_count(copy), 700);
    EXPECT_EQ(ox_bits_count_set(copy), 5);
    ox_dispose(&bits);
}

TEST(bits, sets_are_combined_and_copied) {
    ox_bits a = ox_bits_create(70, OX_PERSISTENT), b = ox_bits_create(70, OX_PERSISTENT);
    ox_bits_set_range(a, 0, 68, true);
    ox_bits_set_range(b, 60, 10, true);

    EXPECT(ox_bits_and(a, b));
    EXPECT_EQ(ox_bits_find_set(a, 0) * 100 + ox_bits_count_set(a), 6008);
    EXPECT(ox_bits_and_not(b, a));
    EXPECT_EQ(ox_bits_find_set(b, 0) * 100 + ox_bits_count_set(b), 6802);
    EXPECT(ox_bits_or(b, a));
    EXPECT_EQ(ox_bits_find_set(b, 0) * 100 + ox_bits_count_set(b), 6010);
    EXPECT(ox_bits_copy_from(a, b));
    EXPECT_EQ(ox_bits_count_set(a), 10);
    ox_dispose(&a);
    ox_dispose(&b);
}

TEST(bits, different_lengths_are_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_bits a = ox_bits_create(70, OX_PERSISTENT), b = ox_bits_create(71, OX_PERSISTENT);

    EXPECT(!ox_bits_and(a, b));
    EXPECT_REPORT(&reports, OX_REPORT_LENGTHS_DIFFER);
    EXPECT(!ox_bits_copy_from(b, a));
    EXPECT_REPORT(&reports, OX_REPORT_LENGTHS_DIFFER);
    ox_dispose(&a);
    ox_dispose(&b);
}

TEST(bits, a_length_that_cannot_be_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_bits bits = ox_bits_create(5, OX_PERSISTENT);
    const int64_t counts[] = {-1, INT_MIN, INT64_MIN, (int64_t)INT32_MAX + 1, INT64_MAX};

    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        EXPECT(!ox_bits_is_created(ox_bits_create(counts[k], OX_PERSISTENT)));
        EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
        EXPECT(!ox_bits_resize(bits, counts[k]));
        EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    }
    EXPECT_EQ(ox_bits_count(bits), 5);
    ox_dispose(&bits);
}

TEST_CHECKED(bits, an_index_outside_is_reported_and_has_no_effect) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_bits bits = ox_bits_create(10, OX_PERSISTENT);
    const int64_t indices[] = {-1, 10, 63, INT_MIN, INT_MAX, INT64_MAX};

    for (size_t k = 0; k < sizeof indices / sizeof *indices; k++) {
        EXPECT(!ox_bits_is_set(bits, indices[k]));
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        ox_bits_set(bits, indices[k], true);
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    }
    EXPECT_EQ(ox_bits_count_set(bits), 0);
    ox_dispose(&bits);
}

TEST(bits, a_range_outside_is_reported_and_has_no_effect) {
    static const struct {
        int64_t first, count;
    } ranges[] = {{-1, 1}, {0, 11}, {10, 1}, {11, 0}, {0, -1}, {INT64_MAX, 1}, {5, INT64_MAX}};
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_bits bits = ox_bits_create(10, OX_PERSISTENT);

    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        EXPECT(!ox_bits_set_range(bits, ranges[k].first, ranges[k].count, true));
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        EXPECT(!ox_bits_any(bits, ranges[k].first, ranges[k].count));
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        EXPECT(!ox_bits_all(bits, ranges[k].first, ranges[k].count));
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        EXPECT_EQ(ox_bits_count_set_in(bits, ranges[k].first, ranges[k].count), 0);
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    }
    EXPECT_EQ(ox_bits_find_set(bits, 11), 10);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    EXPECT_EQ(ox_bits_find_clear(bits, -1), 10);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    ox_dispose(&bits);
}

TEST(bits, those_that_were_never_created_are_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_bits none = {0};

    EXPECT(!ox_bits_set_range(none, 0, 0, true) && !ox_bits_clear(none));
    EXPECT(!ox_bits_resize(none, 1) && !ox_bits_any(none, 0, 0) && !ox_bits_all(none, 0, 0));
    EXPECT_EQ(ox_bits_count_set(none) + ox_bits_count_set_in(none, 0, 0), 0);
    EXPECT_EQ(ox_bits_find_set(none, 0) + ox_bits_find_clear(none, 0), 0);
    EXPECT(!ox_bits_and(none, none) && !ox_bits_copy_from(none, none));
    EXPECT_EQ(ox_dispose_after(&none, OX_NO_JOB).value, 0);
    ox_dispose(&none);
    EXPECT_EQ(reports.count, 13);
    EXPECT_EQ(reports.last, OX_REPORT_UNASSIGNED);

    ox_dispose((ox_bits *)NULL);
    EXPECT_EQ(reports.last, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_dispose_after((ox_bits *)NULL, OX_NO_JOB).value, 0);
    EXPECT_EQ(reports.last, OX_REPORT_NULL_ARGUMENT);
}

TEST_CHECKED(bits, hot_calls_report_those_that_were_never_created_or_are_disposed) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_bits none = {0}, gone = ox_bits_create(5, OX_PERSISTENT), copy = gone;
    ox_dispose(&gone);

    EXPECT_EQ(ox_bits_count(none) + ox_bits_is_set(none, 0), 0);
    ox_bits_set(none, 0, true);
    EXPECT_EQ(reports.count, 3);
    EXPECT_EQ(reports.last, OX_REPORT_UNASSIGNED);
    reports.count = 0;
    EXPECT_EQ(ox_bits_count(gone), 0);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    ox_bits_set(copy, 0, true);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
}

OX_JOB(SetEven, { ox_bits bits; }) {
    for (int k = 0; k < ox_bits_count(job->bits); k += 2) {
        ox_bits_set(job->bits, k, true);
    }
}

TEST(bits, they_are_disposed_after_a_job) {
    uint64_t blocks = count_blocks();
    ox_bits bits = ox_bits_create(100, OX_PERSISTENT);
    ox_job job = ox_schedule(SetEven, OX_NO_JOB, {bits});

    ox_complete(ox_dispose_after(&bits, job));

    EXPECT(!ox_bits_is_created(bits));
    EXPECT_EQ(count_blocks(), blocks);
    ox_jobs_stop();
}

// Random changes against an array of bool.

enum { MOST_BITS = 400, SETS = 2, BITS_STEPS = 300 };

typedef struct bits_model {
    ox_bits bits;
    int count;
    bool values[MOST_BITS];
} bits_model;

static void resize_both(bits_model *model, int count) {
    EXPECT(ox_bits_resize(model->bits, count));
    for (int k = model->count; k < count; k++) {
        model->values[k] = false;
    }
    model->count = count;
}

static void combine_both(bits_model *to, const bits_model *from, uint64_t how) {
    static bool (*const calls[])(ox_bits, ox_bits, ox_site) = {ox_bits_and_at, ox_bits_or_at,
                                                               ox_bits_and_not_at};
    if (to->count != from->count) {
        resize_both(to, from->count);
    }
    if (how == 3) {
        EXPECT(ox_bits_copy_from(to->bits, from->bits));
    } else {
        EXPECT(calls[how](to->bits, from->bits, OX_HERE));
    }
    for (int k = 0; k < to->count; k++) {
        bool a = to->values[k], b = from->values[k];
        const bool results[] = {a && b, a || b, a && !b, b};
        to->values[k] = results[how];
    }
}

static void set_both(bits_model *model, oxi_random *random) {
    int first = (int)random_between(random, 0, model->count);
    int count = (int)random_between(random, 0, model->count - first);
    bool value = oxi_random_bool(random);
    if (oxi_random_below(random, 3) == 0) {
        EXPECT(ox_bits_set_range(model->bits, first, count, value));
        memset(model->values + first, value, (size_t)count);
    } else if (first < model->count) {
        ox_bits_set(model->bits, first, value);
        model->values[first] = value;
    }
}

static void change_bits(bits_model *models, oxi_random *random) {
    bits_model *model = &models[oxi_random_below(random, SETS)];
    uint64_t how = oxi_random_below(random, 40);
    if (how == 0) {
        resize_both(model, (int)random_between(random, 0, MOST_BITS));
    } else if (how == 1) {
        EXPECT(ox_bits_clear(model->bits));
        memset(model->values, 0, sizeof model->values);
    } else if (how < 6) {
        combine_both(model, &models[oxi_random_below(random, SETS)], how - 2);
    } else {
        set_both(model, random);
    }
}

static int find_in_values(const bits_model *model, int from, bool value) {
    while (from < model->count && model->values[from] != value) {
        from++;
    }
    return from;
}

static void compare_bits(const bits_model *model, oxi_random *random) {
    int first = (int)random_between(random, 0, model->count);
    int count = (int)random_between(random, 0, model->count - first), ones = 0;
    for (int k = first; k < first + count; k++) {
        ones += model->values[k];
    }
    EXPECT_EQ(ox_bits_count_set_in(model->bits, first, count), ones);
    EXPECT_EQ(ox_bits_any(model->bits, first, count), ones > 0);
    EXPECT_EQ(ox_bits_all(model->bits, first, count), ones == count);
    EXPECT_EQ(ox_bits_find_set(model->bits, first), find_in_values(model, first, true));
    EXPECT_EQ(ox_bits_find_clear(model->bits, first), find_in_values(model, first, false));
    if (first < model->count) {
        EXPECT_EQ(ox_bits_is_set(model->bits, first), model->values[first]);
    }
}

TEST(bits, random_changes_agree_with_arrays_of_bool) {
    oxi_random random = oxi_random_seed(test_seed(72));
    uint64_t rounds = test_scaled(3000) / SANITIZED + 1;
    for (uint64_t round = 0; round < rounds; round++) {
        bits_model models[SETS] = {0};
        for (int k = 0; k < SETS; k++) {
            models[k].count = (int)random_between(&random, 0, MOST_BITS);
            models[k].bits = ox_bits_create(models[k].count, OX_PERSISTENT);
        }
        for (int step = 0; step < BITS_STEPS; step++) {
            change_bits(models, &random);
            compare_bits(&models[step % SETS], &random);
        }
        for (int k = 0; k < SETS; k++) {
            EXPECT_EQ(ox_bits_count(models[k].bits), models[k].count);
            ox_dispose(&models[k].bits);
        }
    }
}

static void use_bits(void) {
    ox_bits bits = ox_bits_create(100, OX_PERSISTENT);
    if (!ox_bits_is_created(bits)) {
        return;
    }
    ox_bits_set(bits, 99, true);
    int count = ox_bits_resize(bits, 1000) ? 1000 : 100;
    EXPECT_EQ(ox_bits_count(bits), count);
    EXPECT_EQ(ox_bits_count_set(bits), 1);
    ox_dispose(&bits);
}

TEST(bits, every_allocation_may_fail) {
    test_fault_sweep("bits", use_bits);
}
