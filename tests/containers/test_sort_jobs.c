// SPDX-License-Identifier: MIT
//
// Sorting in jobs: the same for any number of workers.

#include "jobs/jobs_test.h"

#include "containers/sort_test.h"
#include "oxbow/containers.h"
#include "oxbow/memory.h"

#include <string.h>

// Large enough for 64 blocks.
enum { MANY = 80000 };

typedef struct pair {
    uint32_t key;
    uint32_t place;
} pair;

static int compare_pairs(const void *a, const void *b, void *context) {
    (void)context;
    uint32_t x = ((const pair *)a)->key, y = ((const pair *)b)->key;
    return (x > y) - (x < y);
}

static ox_array make_pairs(int count, uint32_t key_count, oxi_random *random) {
    ox_array array = ox_array_create_untyped(pair, count, OX_PERSISTENT);
    pair *pairs = ox_array_edit_data(OX_AS(array, pair));
    for (int k = 0; k < count; k++) {
        pairs[k] = (pair){(uint32_t)oxi_random_below(random, key_count), (uint32_t)k};
    }
    return array;
}

static bool are_pairs_stable(const pair *pairs, int count) {
    for (int k = 1; k < count; k++) {
        uint64_t a = (uint64_t)pairs[k - 1].key << 32 | pairs[k - 1].place;
        uint64_t b = (uint64_t)pairs[k].key << 32 | pairs[k].place;
        if (a >= b) {
            return false;
        }
    }
    return true;
}

static const int worker_counts[] = {0, 1, 2, 5, 16};
static const int lengths[] = {0, 1, 2, 1000, 4095, 4096, 4097, 16385, 65536, MANY};

static void check_pairs(int count, oxi_random *random) {
    ox_array array = make_pairs(count, count % 2 == 0 ? 50 : UINT32_MAX, random);

    ox_complete(ox_array_sort_after(OX_AS(array, pair), compare_pairs, NULL, OX_NO_JOB));

    EXPECT(are_pairs_stable(ox_array_get_data(OX_AS(array, pair)), count));
    ox_dispose(&array);
}

TEST(sort_jobs, every_length_is_sorted_stably_by_any_number_of_workers) {
    oxi_random random = oxi_random_seed(test_seed(101));
    for (size_t w = 0; w < sizeof worker_counts / sizeof *worker_counts; w++) {
        start_workers_of_test(worker_counts[w]);
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            check_pairs(lengths[k], &random);
        }
        ox_jobs_stop();
    }
}

static void check_floats(int count, oxi_random *random) {
    ox_array array = ox_array_create_untyped(float, count, OX_TEMP_JOB);
    ox_array expected = ox_array_create_untyped(float, count, OX_TEMP_JOB);
    for (int k = 0; k < count; k++) {
        uint32_t bits = (uint32_t)oxi_random_next_u64(random);
        memcpy(ox_array_edit(OX_AS(array, float), k), &bits, 4);
    }
    ox_array_copy_from(expected, array);
    ox_array_sort(OX_AS(expected, float), NULL, NULL);

    ox_complete(ox_array_sort_after(OX_AS(array, float), NULL, NULL, OX_NO_JOB));

    EXPECT(ox_array_equals(array, expected));
    ox_dispose(&array);
    ox_dispose(&expected);
}

TEST(sort_jobs, numbers_are_sorted_as_here_and_now) {
    oxi_random random = oxi_random_seed(test_seed(102));
    for (size_t w = 0; w < sizeof worker_counts / sizeof *worker_counts; w++) {
        start_workers_of_test(worker_counts[w]);
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            check_floats(lengths[k], &random);
        }
        ox_jobs_stop();
    }
}

#define EXPECT_SORTED_IN_JOBS(T, random)                                                           \
    do {                                                                                           \
        ox_array array = ox_array_create_untyped(T, MANY / 4, OX_PERSISTENT);                      \
        for (int k = 0; k < MANY / 4; k++) {                                                       \
            ox_array_set(OX_AS(array, T), k, (T)oxi_random_next_u64(random));                      \
        }                                                                                          \
        ox_complete(ox_array_sort_after(OX_AS(array, T), NULL, NULL, OX_NO_JOB));                  \
        const T *sorted = ox_array_get_data(OX_AS(array, T));                                      \
        for (int k = 1; k < MANY / 4; k++) {                                                       \
            EXPECT(sorted[k - 1] <= sorted[k]);                                                    \
        }                                                                                          \
        EXPECT(sorted[0] < sorted[MANY / 4 - 1]);                                                  \
        ox_dispose(&array);                                                                        \
    } while (false)

TEST(sort_jobs, numbers_of_any_width_are_sorted) {
    oxi_random random = oxi_random_seed(test_seed(104));
    start_workers_of_test(2);
    EXPECT_SORTED_IN_JOBS(int8_t, &random);
    EXPECT_SORTED_IN_JOBS(uint16_t, &random);
    EXPECT_SORTED_IN_JOBS(int64_t, &random);
    EXPECT_SORTED_IN_JOBS(uint64_t, &random);
    ox_jobs_stop();
}

TEST(sort_jobs, elements_of_any_size_agree_with_insertion) {
    oxi_random random = oxi_random_seed(test_seed(103));
    static const size_t sizes[] = {1, 3, 16, 24, 40, 200};
    start_workers_of_test(2);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int count = 4096 / SLOWNESS * 2 + 100;
        sort_case made = make_sort_case(count, sizes[k], FEW, &random);
        byte_order order = order_for(sizes[k]);
        ox_element_info info = {"bytes", (ox_element)sizes[k], 1};
        ox_array array = ox_array_create_copy_at(info, made.data, count, OX_PERSISTENT, OX_HERE);
        ox_complete(ox_array_sort_after_at(array, info.element, compare_first_bytes, &order,
                                           OX_NO_JOB, OX_HERE));
        EXPECT(memcmp(array.data, made.expected, (size_t)count * sizes[k]) == 0);
        ox_dispose(&array);
        free_sort_case(&made);
    }
    ox_jobs_stop();
}

OX_JOB(FillList, {
    ox_list list;
    int count;
}) {
    for (int k = 0; k < job->count; k++) {
        ox_list_push(OX_AS(job->list, pair), {(uint32_t)k * 2654435761u % 1000, (uint32_t)k});
    }
}

static void check_list(int count) {
    ox_list list = ox_list_create_untyped(pair, 1, OX_PERSISTENT);

    ox_job filled = ox_schedule(FillList, OX_NO_JOB, {.list = list, .count = count});
    ox_complete(ox_list_sort_after(OX_AS(list, pair), compare_pairs, NULL, filled));

    EXPECT_EQ(ox_list_count(list), count);
    EXPECT(are_pairs_stable(ox_list_get_data(OX_AS(list, pair)), count));
    ox_dispose(&list);
}

TEST(sort_jobs, a_list_is_sorted_with_the_length_it_has_then) {
    for (int workers = 0; workers < 3; workers++) {
        start_workers_of_test(workers);
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            check_list(lengths[k]);
        }
        ox_jobs_stop();
    }
}

OX_PARALLEL_JOB(WriteNumbers, { ox_list_writer out; }) {
    ox_list_write(OX_AS(job->out, int), 10000 - i);
}

TEST(sort_jobs, what_parallel_jobs_wrote_is_sorted_too) {
    start_workers_of_test(2);
    ox_list list = ox_list_create_untyped(int, 10000, OX_PERSISTENT);

    ox_job written =
        ox_schedule_for(WriteNumbers, 10000, 16, OX_NO_JOB, {.out = ox_list_writer_of(list)});
    ox_complete(ox_list_sort_after(OX_AS(list, int), NULL, NULL, written));

    EXPECT_EQ(ox_list_count(list), 10000);
    for (int k = 0; k < 10000; k++) {
        EXPECT_EQ(ox_list_read(OX_AS(list, int), k), k + 1);
    }
    ox_dispose(&list);
    ox_jobs_stop();
}

static int compare_by_address(const void *a, const void *b, void *context) {
    (void)context;
    return ((uintptr_t)a * 2654435761u ^ (uintptr_t)b * 40503u) % 3 == 0 ? -1 : 1;
}

TEST(sort_jobs, a_comparison_that_contradicts_itself_gives_a_permutation) {
    oxi_random random = oxi_random_seed(test_seed(104));
    start_workers_of_test(2);
    for (size_t k = 4; k < sizeof lengths / sizeof *lengths; k++) {
        ox_array array = make_pairs(lengths[k], UINT32_MAX, &random);
        ox_array before = ox_array_create_untyped(pair, lengths[k], OX_PERSISTENT);
        ox_array_copy_from(before, array);

        ox_complete(ox_array_sort_after(OX_AS(array, pair), compare_by_address, NULL, OX_NO_JOB));

        EXPECT(is_permutation(array.data, before.data, lengths[k], sizeof(pair)));
        ox_dispose(&array);
        ox_dispose(&before);
    }
    ox_jobs_stop();
}

OX_JOB(SortField, { ox_array pairs; }) {
    ox_array_sort_stable(OX_AS(job->pairs, pair), compare_pairs, NULL);
}

TEST(sort_jobs, a_job_sorts_what_it_holds) {
    oxi_random random = oxi_random_seed(test_seed(105));
    start_workers_of_test(1);
    ox_array array = make_pairs(3000, 40, &random);

    ox_complete(ox_schedule(SortField, OX_NO_JOB, {.pairs = array}));

    EXPECT(are_pairs_stable(ox_array_get_data(OX_AS(array, pair)), 3000));
    ox_dispose(&array);
    ox_jobs_stop();
}

OX_JOB(ScheduleInside, { ox_array pairs; }) {
    ox_job sorted = ox_array_sort_after(OX_AS(job->pairs, pair), compare_pairs, NULL, OX_NO_JOB);
    EXPECT_EQ(sorted.value, 0);
}

TEST(sort_jobs, scheduling_from_inside_a_job_is_reported_once) {
    collected_reports reports = {0};
    start_workers_of_test(0);
    ox_array array = ox_array_create_untyped(pair, 10, OX_PERSISTENT);
    collect_reports(&reports);

    ox_complete(ox_schedule(ScheduleInside, OX_NO_JOB, {.pairs = array}));

    EXPECT_REPORT(&reports, OX_REPORT_INSIDE_JOB);
    ox_dispose(&array);
    ox_jobs_stop();
}

TEST(sort_jobs, what_cannot_be_sorted_is_not_scheduled) {
    collected_reports reports = {0};
    start_workers_of_test(0);
    ox_array array = ox_array_create_untyped(pair, 10, OX_PERSISTENT);
    collect_reports(&reports);

    EXPECT_EQ(ox_array_sort_after(OX_AS(array, pair), NULL, NULL, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_array_sort_after(OX_AS(array, int), NULL, NULL, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_array_sort_after(OX_AS((ox_array){0}, int), NULL, NULL, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT_EQ(ox_list_sort_after(OX_AS((ox_list){0}, int), NULL, NULL, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_dispose(&array);
    ox_jobs_stop();
}

TEST_CHECKED(sort_jobs, the_container_belongs_to_the_jobs_until_they_are_completed) {
    collected_reports reports = {0};
    start_workers_of_test(1);
    ox_array array = ox_array_create_untyped(int, 10000, OX_PERSISTENT);
    ox_list list = ox_list_create_untyped(int, 10, OX_PERSISTENT);
    ox_job sorted = ox_array_sort_after(OX_AS(array, int), NULL, NULL, OX_NO_JOB);
    ox_job list_sorted = ox_list_sort_after(OX_AS(list, int), NULL, NULL, OX_NO_JOB);
    collect_reports(&reports);

    EXPECT_EQ(ox_array_read(OX_AS(array, int), 0), 0);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    ox_list_push(OX_AS(list, int), 1);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    EXPECT_EQ(ox_array_sort_after(OX_AS(array, int), NULL, NULL, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_TWO_JOBS_RACE);
    EXPECT_EQ(ox_list_sort_after(OX_AS(list, int), NULL, NULL, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_TWO_JOBS_RACE);

    ox_complete(sorted, list_sorted);
    ox_dispose(&array);
    ox_dispose(&list);
    EXPECT_EQ(reports.count, 0);
    ox_jobs_stop();
}

TEST_CHECKED(sort_jobs, a_list_of_another_type_is_reported_by_the_job) {
    collected_reports reports = {0};
    start_workers_of_test(1);
    ox_list list = ox_list_create_untyped(float, 10, OX_PERSISTENT);
    ox_list_push(OX_AS(list, float), 2);
    ox_list_push(OX_AS(list, float), 1);
    collect_reports(&reports);

    ox_complete(ox_list_sort_after(OX_AS(list, int), NULL, NULL, OX_NO_JOB));

    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_list_read(OX_AS(list, float), 0), 2.0f);
    ox_dispose(&list);
    ox_jobs_stop();
}

TEST_CHECKED(sort_jobs, no_memory_is_left_behind) {
    start_workers_of_test(2);
    uint64_t before = ox_memory_get_usage(0).block_count;

    check_list(5000);
    oxi_random random = oxi_random_seed(1);
    check_pairs(70000, &random);

    EXPECT_EQ(ox_memory_get_usage(0).block_count, before);
    ox_jobs_stop();
}

// Few elements, and a limit on the jobs that fail: what was scheduled already runs empty.
static void sort_with_faults(void) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    ox_array array = ox_array_create_untyped(int, 5000, OX_PERSISTENT);
    ox_list list = ox_list_create_untyped(int, 4, OX_PERSISTENT);
    for (int k = 0; k < array.count; k++) {
        ox_array_set(OX_AS(array, int), k, 5000 - k);
    }
    if (ox_array_is_created(array)) {
        ox_job sorted = ox_array_sort_after(OX_AS(array, int), NULL, NULL, OX_NO_JOB);
        ox_complete_at(&sorted, 1, OX_HERE);
        EXPECT_EQ(ox_array_read(OX_AS(array, int), 0), sorted.value != 0 ? 1 : 5000);
        ox_dispose(&array);
    }
    if (ox_list_is_created(list)) {
        bool is_pushed = ox_list_push(OX_AS(list, int), 2) && ox_list_push(OX_AS(list, int), 1);
        ox_job sorted = ox_list_sort_after(OX_AS(list, int), NULL, NULL, OX_NO_JOB);
        ox_complete_at(&sorted, 1, OX_HERE);
        EXPECT(!is_pushed || ox_list_read(OX_AS(list, int), 0) <= 2);
        ox_dispose(&list);
    }
    ox_jobs_stop();
    ox_memory_trim();
}

TEST(sort_jobs, every_allocation_may_fail) {
    test_fault_sweep("sort_jobs", sort_with_faults);
}
