// SPDX-License-Identifier: MIT
//
// Reducing arrays: here and now and in jobs, bit for bit the same.

#include "jobs/jobs_test.h"

#include "oxbow/containers.h"

#include <math.h>

enum { MOST_ITEMS = 20000 };

static ox_array random_floats(int count, oxi_random *random) {
    ox_array array = ox_array_create_untyped(float, count, OX_PERSISTENT);
    float *items = ox_array_edit_data(OX_AS(array, float));
    for (int k = 0; k < count; k++) {
        items[k] = (oxi_random_float01(random) - 0.5f) * (k % 3 == 0 ? 1e9f : 1e-3f);
    }
    return array;
}

TEST(reduce, sums_are_those_of_a_loop) {
    static const int signed_items[] = {5, -7, INT32_MAX, INT32_MAX, INT32_MIN};
    static const uint8_t bytes[] = {255, 255, 3};
    static const bool truths[] = {true, false, true};
    static const double doubles[] = {0.5, 0.25, -4};
    ox_array a = ox_array_create_copy_untyped(int, signed_items, 5, OX_PERSISTENT);
    ox_array b = ox_array_create_copy_untyped(uint8_t, bytes, 3, OX_PERSISTENT);
    ox_array c = ox_array_create_copy_untyped(bool, truths, 3, OX_PERSISTENT);
    ox_array d = ox_array_create_copy_untyped(double, doubles, 3, OX_PERSISTENT);

    EXPECT_EQ(ox_array_sum(OX_AS(a, int)), (int64_t)INT32_MAX - 3);
    EXPECT_EQ(ox_array_sum(OX_AS(b, uint8_t)), 513);
    EXPECT_EQ(ox_array_sum(OX_AS(c, bool)), 2);
    EXPECT_EQ(ox_array_sum(OX_AS(d, double)), -3.25);

    ox_dispose(&a);
    ox_dispose(&b);
    ox_dispose(&c);
    ox_dispose(&d);
}

TEST(reduce, whole_sums_wrap_around) {
    static const int64_t items[] = {INT64_MAX, 1, INT64_MIN, -1};
    static const uint64_t large[] = {UINT64_MAX, 3};
    static const int8_t small[] = {-128, -128, 127};
    static const int16_t shorts[] = {-32768, 5};
    ox_array a = ox_array_create_copy_untyped(int64_t, items, 4, OX_PERSISTENT);
    ox_array b = ox_array_create_copy_untyped(uint64_t, large, 2, OX_PERSISTENT);
    ox_array c = ox_array_create_copy_untyped(int8_t, small, 3, OX_PERSISTENT);
    ox_array d = ox_array_create_copy_untyped(int16_t, shorts, 2, OX_PERSISTENT);

    EXPECT_EQ(ox_array_sum(OX_AS(a, int64_t)), -1);
    EXPECT_EQ(ox_array_sum(OX_AS(b, uint64_t)), 2);
    EXPECT_EQ(ox_array_sum(OX_AS(c, int8_t)), -129);
    EXPECT_EQ(ox_array_sum(OX_AS(d, int16_t)), -32763);

    ox_dispose(&a);
    ox_dispose(&b);
    ox_dispose(&c);
    ox_dispose(&d);
}

TEST(reduce, an_empty_array_sums_to_nothing) {
    ox_array array = ox_array_create_untyped(float, 0, OX_PERSISTENT);

    EXPECT_EQ(ox_array_sum(OX_AS(array, float)), 0.0);

    ox_dispose(&array);
}

TEST(reduce, least_and_largest_follow_the_order_of_sorting) {
    static const float items[] = {3, NAN, -0.0f, 0, 7, 7};
    static const int numbers[] = {4, INT32_MIN, 9, INT32_MAX, INT32_MIN};
    static const long double longs[] = {3, -2, 8, -2};
    ox_array a = ox_array_create_copy_untyped(float, items, 6, OX_PERSISTENT);
    ox_array b = ox_array_create_copy_untyped(int, numbers, 5, OX_PERSISTENT);
    ox_array c = ox_array_create_copy_untyped(long double, longs, 4, OX_PERSISTENT);

    EXPECT(ox_array_min(OX_AS(a, float)) == 0 && signbit(ox_array_min(OX_AS(a, float))) != 0);
    EXPECT(isnan(ox_array_max(OX_AS(a, float))));
    EXPECT_EQ(ox_array_min(OX_AS(b, int)), INT32_MIN);
    EXPECT_EQ(ox_array_max(OX_AS(b, int)), INT32_MAX);
    EXPECT_EQ(ox_array_min_at(b, ox_element_of(int), OX_HERE), ox_array_edit(OX_AS(b, int), 1));
    EXPECT(ox_array_min(OX_AS(c, long double)) == -2 && ox_array_max(OX_AS(c, long double)) == 8);

    ox_dispose(&a);
    ox_dispose(&b);
    ox_dispose(&c);
}

#define EXPECT_ENDS(T, least, most, ...)                                                           \
    do {                                                                                           \
        static const T items[] = {__VA_ARGS__};                                                    \
        ox_array array =                                                                           \
            ox_array_create_copy_untyped(T, items, sizeof items / sizeof *items, OX_PERSISTENT);   \
        EXPECT_EQ(ox_array_min(OX_AS(array, T)), least);                                           \
        EXPECT_EQ(ox_array_max(OX_AS(array, T)), most);                                            \
        ox_dispose(&array);                                                                        \
    } while (false)

// Keys of 1, 2 and 8 bytes: a sign must count at each width.
TEST(reduce, least_and_largest_are_found_among_numbers_of_any_width) {
    EXPECT_ENDS(int8_t, -128, 127, 3, 127, -128, -1);
    EXPECT_ENDS(uint8_t, 1, 255, 127, 255, 1, 128);
    EXPECT_ENDS(int16_t, -32768, 32767, 256, -32768, 32767, -1);
    EXPECT_ENDS(uint16_t, 255, 65535, 256, 65535, 255);
    EXPECT_ENDS(int64_t, INT64_MIN, INT64_MAX, 1, INT64_MAX, INT64_MIN, -1);
    EXPECT_ENDS(uint64_t, 7, UINT64_MAX, (uint64_t)1 << 32, UINT64_MAX, 7);
    EXPECT_ENDS(double, -1e300, 1e300, 0.5, 1e300, -1e300, -0.5);
}

#define EXPECT_FIRST_ENDS(T)                                                                       \
    do {                                                                                           \
        static const T items[] = {3, 1, 5, 5, 1, 4};                                               \
        ox_array array = ox_array_create_copy_untyped(T, items, 6, OX_PERSISTENT);                 \
        const T *first = ox_array_get_data(OX_AS(array, T));                                       \
        EXPECT_EQ((const T *)ox_array_min_at(array, ox_element_of(T), OX_HERE) - first, 1);        \
        EXPECT_EQ((const T *)ox_array_max_at(array, ox_element_of(T), OX_HERE) - first, 2);        \
        ox_dispose(&array);                                                                        \
    } while (0)

TEST(reduce, of_equal_numbers_the_first_is_the_least_or_the_largest) {
    EXPECT_FIRST_ENDS(int8_t);
    EXPECT_FIRST_ENDS(uint64_t);
    EXPECT_FIRST_ENDS(float);
    EXPECT_FIRST_ENDS(long double);
}

TEST(reduce, long_doubles_are_summed) {
    static const long double items[] = {0.5L, 8, -2.25L};
    ox_array array = ox_array_create_copy_untyped(long double, items, 3, OX_PERSISTENT);

    EXPECT_EQ(ox_array_sum(OX_AS(array, long double)), 6.25);

    ox_dispose(&array);
}

TEST(reduce, least_and_largest_agree_with_a_loop) {
    oxi_random random = oxi_random_seed(test_seed(91));
    for (uint64_t run = 0; run < test_scaled(60); run++) {
        int count = 1 + (int)oxi_random_below(&random, 5000);
        ox_array array = random_floats(count, &random);
        const float *items = ox_array_get_data(OX_AS(array, float));
        float least = items[0], most = items[0];
        for (int k = 1; k < count; k++) {
            least = items[k] < least ? items[k] : least;
            most = items[k] > most ? items[k] : most;
        }
        EXPECT_EQ(ox_array_min(OX_AS(array, float)), least);
        EXPECT_EQ(ox_array_max(OX_AS(array, float)), most);
        ox_dispose(&array);
    }
}

// Sums are the same bit by bit, for any number of workers.
static void check_sums(int workers, oxi_random *random) {
    start_workers_of_test(workers);
    for (uint64_t run = 0; run < test_scaled(12); run++) {
        ox_array array = random_floats((int)oxi_random_below(random, MOST_ITEMS), random);
        ox_array sum = ox_array_create_untyped(double, 1, OX_PERSISTENT);
        ox_array_set(OX_AS(sum, double), 0, 12345.0);
        double expected = ox_array_sum(OX_AS(array, float));

        ox_complete(ox_array_sum_after(OX_AS(array, float), sum, OX_NO_JOB));

        EXPECT_EQ(ox_array_read(OX_AS(sum, double), 0), expected);
        ox_dispose(&sum);
        ox_dispose(&array);
    }
    ox_jobs_stop();
}

TEST(reduce, sums_in_jobs_are_the_same_for_any_number_of_workers) {
    static const int workers[] = {0, 1, 2, 5, 16};
    oxi_random random = oxi_random_seed(test_seed(92));
    for (size_t k = 0; k < sizeof workers / sizeof *workers; k++) {
        check_sums(workers[k], &random);
    }
}

TEST(reduce, whole_sums_in_jobs_have_their_own_types) {
    start_workers_of_test(1);
    static const int items[] = {-5, 3};
    ox_array array = ox_array_create_copy_untyped(int, items, 2, OX_PERSISTENT);
    ox_array sum = ox_array_create_untyped(int64_t, 1, OX_PERSISTENT);

    ox_complete(ox_array_sum_after(OX_AS(array, int), sum, OX_NO_JOB));

    EXPECT_EQ(ox_array_read(OX_AS(sum, int64_t), 0), -2);
    ox_dispose(&array);
    ox_dispose(&sum);
    ox_jobs_stop();
}

// A reduction that tells in which order it went: a polynomial of what was taken in.
typedef struct trail {
    uint64_t value;
    uint64_t power;
    double sum;
} trail;

static void fold_trail(void *sum, const void *items, int count, void *context) {
    (void)context;
    trail *to = sum;
    for (int k = 0; k < count; k++) {
        to->value = to->value * 31 + ((const uint32_t *)items)[k];
        to->power *= 31;
        to->sum += (double)((const uint32_t *)items)[k] * 1e-7;
    }
}

static void join_trail(void *sum, const void *other, void *context) {
    (void)context;
    trail *to = sum;
    const trail *from = other;
    to->value = to->value * from->power + from->value;
    to->power *= from->power;
    to->sum += from->sum;
}

static const trail no_trail = {.power = 1};

static ox_reduce_def trail_def(ox_array input, ox_array output, int block) {
    return (ox_reduce_def){.input = input,
                           .output = output,
                           .identity = &no_trail,
                           .fold = fold_trail,
                           .join = join_trail,
                           .block = block};
}

static ox_array random_words(int count, oxi_random *random) {
    ox_array array = ox_array_create_untyped(uint32_t, count, OX_PERSISTENT);
    for (int k = 0; k < count; k++) {
        ox_array_set(OX_AS(array, uint32_t), k, (uint32_t)oxi_random_next_u64(random));
    }
    return array;
}

static void check_trail(int count, int block, oxi_random *random) {
    ox_array input = random_words(count, random);
    ox_array now = ox_array_create_untyped(trail, 1, OX_PERSISTENT);
    ox_array later = ox_array_create_untyped(trail, 1, OX_PERSISTENT);
    trail naive = no_trail;
    fold_trail(&naive, input.data, count, NULL);
    ox_reduce_def def = trail_def(input, now, block), def_later = trail_def(input, later, block);

    EXPECT(ox_reduce(&def));
    ox_complete(ox_reduce_after(&def_later, OX_NO_JOB));

    EXPECT(ox_array_equals(now, later));
    EXPECT_EQ(ox_array_read(OX_AS(now, trail), 0).value, naive.value);
    EXPECT_EQ(ox_array_read(OX_AS(now, trail), 0).power, naive.power);
    ox_dispose(&input);
    ox_dispose(&now);
    ox_dispose(&later);
}

TEST(reduce, elements_are_taken_in_their_order_by_any_number_of_workers) {
    static const int workers[] = {0, 1, 2, 5, 16};
    static const int blocks[] = {0, 1, 7, 1000, 100000};
    oxi_random random = oxi_random_seed(test_seed(93));
    for (size_t w = 0; w < sizeof workers / sizeof *workers; w++) {
        start_workers_of_test(workers[w]);
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
            check_trail((int)oxi_random_below(&random, blocks[b] == 1 ? 300 : 9000), blocks[b],
                        &random);
            check_trail(0, blocks[b], &random);
        }
        ox_jobs_stop();
    }
}

OX_JOB(Overwrite, { ox_array words; }) {
    for (int k = 0; k < job->words.count; k++) {
        ox_array_set(OX_AS(job->words, uint32_t), k, 1);
    }
}

TEST(reduce, it_waits_for_what_it_comes_after) {
    start_workers_of_test(1);
    oxi_random random = oxi_random_seed(1);
    ox_array input = random_words(5000, &random);
    ox_array sum = ox_array_create_untyped(uint64_t, 1, OX_PERSISTENT);

    ox_job written = ox_schedule(Overwrite, OX_NO_JOB, {.words = input});
    ox_complete(ox_array_sum_after(OX_AS(input, uint32_t), sum, written));

    EXPECT_EQ(ox_array_read(OX_AS(sum, uint64_t), 0), 5000);
    ox_dispose(&input);
    ox_dispose(&sum);
    ox_jobs_stop();
}

OX_JOB(ReduceInside, {
    OX_READ_ONLY ox_array words;
    ox_array sum;
}) {
    ox_job summed = ox_array_sum_after(OX_AS(job->words, uint32_t), job->sum, OX_NO_JOB);
    EXPECT_EQ(summed.value, 0);
    ox_array_set(OX_AS(job->sum, uint64_t), 0, ox_array_sum(OX_AS(job->words, uint32_t)));
}

TEST(reduce, a_job_reduces_at_once_and_schedules_nothing) {
    collected_reports reports = {0};
    start_workers_of_test(0);
    oxi_random random = oxi_random_seed(1);
    ox_array words = random_words(2000, &random);
    ox_array sum = ox_array_create_untyped(uint64_t, 1, OX_PERSISTENT);
    collect_reports(&reports);

    ox_complete(ox_schedule(ReduceInside, OX_NO_JOB, {.words = words, .sum = sum}));

    EXPECT_REPORT(&reports, OX_REPORT_INSIDE_JOB);
    EXPECT_EQ(ox_array_read(OX_AS(sum, uint64_t), 0), ox_array_sum(OX_AS(words, uint32_t)));
    ox_dispose(&words);
    ox_dispose(&sum);
    ox_jobs_stop();
}

TEST(reduce, wrong_defs_are_reported) {
    collected_reports reports = {0};
    start_workers_of_test(0);
    ox_array words = ox_array_create_untyped(uint32_t, 3, OX_PERSISTENT);
    ox_array none = ox_array_create_untyped(trail, 0, OX_PERSISTENT);
    ox_array output = ox_array_create_untyped(trail, 1, OX_PERSISTENT);
    collect_reports(&reports);

    EXPECT(!ox_reduce((const ox_reduce_def *)NULL));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    ox_reduce_def def = trail_def(words, output, 0);
    def.join = NULL;
    EXPECT_EQ(ox_reduce_after(&def, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    def = trail_def(words, output, -1);
    EXPECT(!ox_reduce(&def));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
    def = trail_def(words, output, 0);
    def._guard_end = 1;
    EXPECT(!ox_reduce(&def));
    EXPECT_REPORT(&reports, OX_REPORT_DEF_GARBAGE);
    def = trail_def(words, none, 0);
    EXPECT_EQ(ox_reduce_after(&def, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    def = trail_def((ox_array){0}, output, 0);
    EXPECT_EQ(ox_reduce_after(&def, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    def = trail_def(words, (ox_array){0}, 0);
    EXPECT_EQ(ox_reduce_after(&def, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);

    ox_dispose(&words);
    ox_dispose(&none);
    ox_dispose(&output);
    ox_jobs_stop();
}

TEST(reduce, what_is_no_number_is_reported) {
    collected_reports reports = {0};
    ox_array trails = ox_array_create_untyped(trail, 3, OX_PERSISTENT);
    ox_array floats = ox_array_create_untyped(float, 3, OX_PERSISTENT);
    ox_array empty = ox_array_create_untyped(int, 0, OX_PERSISTENT);
    collect_reports(&reports);

    EXPECT_EQ(ox_array_sum(OX_AS(trails, trail)), 0);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_ELEMENT);
    EXPECT_EQ(oxi_array_sum_unsigned_at(floats, ox_element_of(float), OX_HERE), 0);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_ELEMENT);
    EXPECT_EQ(ox_array_min(OX_AS(empty, int)), 0);
    EXPECT_REPORT(&reports, OX_REPORT_EMPTY);
    EXPECT_EQ(ox_array_sum_after(OX_AS(floats, float), trails, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_array_sum_after(OX_AS(floats, int), floats, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_array_sum_after(OX_AS(trails, trail), floats, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_ELEMENT);

    ox_dispose(&trails);
    ox_dispose(&floats);
    ox_dispose(&empty);
}

TEST_CHECKED(reduce, inputs_are_read_and_outputs_written) {
    collected_reports reports = {0};
    start_workers_of_test(1);
    ox_array input = ox_array_create_untyped(float, 3000, OX_PERSISTENT);
    ox_array output = ox_array_create_untyped(double, 1, OX_PERSISTENT);
    ox_job summed = ox_array_sum_after(OX_AS(input, float), output, OX_NO_JOB);
    collect_reports(&reports);

    EXPECT_EQ(ox_array_read(OX_AS(input, float), 0), 0.0f);
    EXPECT_EQ(reports.count, 0);
    ox_array_set(OX_AS(input, float), 0, 1);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    EXPECT_EQ(ox_array_read(OX_AS(output, double), 0), 0.0);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    EXPECT_EQ(ox_array_sum_after(OX_AS(input, float), output, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_TWO_JOBS_RACE);

    ox_complete(summed);
    ox_dispose(&input);
    ox_dispose(&output);
    ox_jobs_stop();
}

static void reduce_with_faults(void) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    ox_array input = ox_array_create_untyped(uint32_t, 3000, OX_PERSISTENT);
    ox_array output = ox_array_create_untyped(trail, 1, OX_PERSISTENT);
    if (ox_array_is_created(input) && ox_array_is_created(output)) {
        ox_reduce_def def = trail_def(input, output, 0);
        bool is_reduced = ox_reduce(&def);
        EXPECT_EQ(ox_array_read(OX_AS(output, trail), 0).power != 0, is_reduced);
        ox_array_set(OX_AS(output, trail), 0, {0});
        ox_job reduced = ox_reduce_after(&def, OX_NO_JOB);
        ox_complete_at(&reduced, 1, OX_HERE);
        EXPECT_EQ(ox_array_read(OX_AS(output, trail), 0).power != 0, reduced.value != 0);
    }
    if (ox_array_is_created(input)) {
        ox_dispose(&input);
    }
    if (ox_array_is_created(output)) {
        ox_dispose(&output);
    }
    ox_jobs_stop();
    ox_memory_trim();
}

TEST(reduce, every_allocation_may_fail) {
    test_fault_sweep("reduce", reduce_with_faults);
}

// The order within a block, which is part of the result.
static double sum_in_lanes(const float *items, int count) {
    double lanes[8] = {0};
    for (int k = 0; k < count; k++) {
        lanes[k % 8] += (double)items[k];
    }
    double low = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    return low + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

TEST(reduce, floating_sums_add_up_eight_lanes_in_pairs) {
    oxi_random random = oxi_random_seed(test_seed(17));
    for (int count = 1; count < 40; count++) {
        ox_array floats = random_floats(count, &random);
        ox_array doubles = ox_array_create_untyped(double, count, OX_PERSISTENT);
        const float *items = ox_array_get_data(OX_AS(floats, float));
        for (int k = 0; k < count; k++) {
            ox_array_set(OX_AS(doubles, double), k, (double)items[k]);
        }

        EXPECT_EQ(ox_array_sum(OX_AS(floats, float)), sum_in_lanes(items, count));
        EXPECT_EQ(ox_array_sum(OX_AS(doubles, double)), sum_in_lanes(items, count));

        ox_dispose(&floats);
        ox_dispose(&doubles);
    }
}
