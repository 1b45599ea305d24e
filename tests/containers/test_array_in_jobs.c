// SPDX-License-Identifier: MIT
//
// Arrays, slices and bits in jobs.

#include "containers_test.h"

OX_JOB(AddToAll, {
    int by;
    ox_array numbers;
}) {
    int *numbers = ox_array_edit_data(OX_AS(job->numbers, int));
    for (int k = 0; k < job->numbers.count; k++) {
        numbers[k] += job->by;
    }
}

TEST(array_in_jobs, a_job_writes_what_main_reads_after_it) {
    start_workers(2);
    ox_array numbers = ox_array_create_untyped(int, 10, OX_TEMP_JOB);

    ox_job first = ox_schedule(AddToAll, OX_NO_JOB, {.by = 5, .numbers = numbers});
    ox_job second = ox_schedule(AddToAll, first, {.by = 1, .numbers = numbers});
    ox_complete(second);

    EXPECT_EQ(ox_array_read(OX_AS(numbers, int), 9), 6);
    ox_dispose(&numbers);
    ox_jobs_stop();
}

TEST_CHECKED(array_in_jobs, main_may_not_use_what_a_job_writes) {
    collected_reports reports = {0};
    collect_reports(&reports);
    start_workers(1);
    ox_array numbers = ox_array_create_untyped(int, 10, OX_TEMP_JOB);
    ox_job job = ox_schedule(AddToAll, OX_NO_JOB, {.by = 5, .numbers = numbers});

    EXPECT_EQ(ox_array_count(numbers), 10);
    (void)ox_array_read(OX_AS(numbers, int), 0);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    ox_dispose(&numbers);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    ox_slice slice = ox_array_slice(numbers, 0, 2);
    EXPECT_EQ(reports.count, 0);
    (void)ox_slice_read(OX_AS(slice, int), 0);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);

    ox_complete(job);
    ox_dispose(&numbers);
    EXPECT_EQ(reports.count, 0);
    ox_jobs_stop();
}

TEST(array_in_jobs, it_is_disposed_after_a_job) {
    start_workers(2);
    uint64_t blocks = count_blocks();
    ox_array numbers = ox_array_create_untyped(int, 10, OX_PERSISTENT);
    ox_job job = ox_schedule(AddToAll, OX_NO_JOB, {.by = 5, .numbers = numbers});

    ox_job freed = ox_dispose_after(&numbers, job);

    EXPECT(!ox_array_is_created(numbers));
    EXPECT_NE(freed.value, 0);
    ox_complete(freed);
    EXPECT_EQ(count_blocks(), blocks);
    ox_jobs_stop();
}

TEST_CHECKED(array_in_jobs, disposing_after_the_wrong_job_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    start_workers(1);
    ox_array numbers = ox_array_create_untyped(int, 10, OX_PERSISTENT);
    ox_job job = ox_schedule(AddToAll, OX_NO_JOB, {.by = 5, .numbers = numbers});

    EXPECT_EQ(ox_dispose_after(&numbers, OX_NO_JOB).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);

    EXPECT(ox_array_is_created(numbers));
    ox_complete(job);
    EXPECT_EQ(ox_array_read(OX_AS(numbers, int), 1), 5);
    ox_dispose(&numbers);
    ox_jobs_stop();
}

TEST(array_in_jobs, temp_memory_is_not_disposed_by_a_job) {
    collected_reports reports = {0};
    collect_reports(&reports);
    start_workers(0);
    ox_array array = ox_array_create_untyped(int, 10, OX_TEMP);
    ox_array numbers = ox_array_create_untyped(int, 10, OX_PERSISTENT);
    ox_job job = ox_schedule(AddToAll, OX_NO_JOB, {.by = 5, .numbers = numbers});

    EXPECT_EQ(ox_dispose_after(&array, job).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_TEMP_IN_JOB);
    EXPECT(ox_array_is_created(array));
    ox_dispose(&array);
    ox_complete(ox_dispose_after(&numbers, job));
    ox_jobs_stop();
}

TEST(array_in_jobs, disposing_after_no_job_frees_at_once) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array array = ox_array_create_untyped(int, 10, OX_TEMP);

    EXPECT_EQ(ox_dispose_after(&array, OX_NO_JOB).value, 0);

    EXPECT(!ox_array_is_created(array));
    EXPECT_EQ(reports.count, 0);
}

OX_PARALLEL_JOB(Square, {
    ox_array numbers;
    OX_READ_ONLY ox_array factors;
}) {
    int factor = ox_array_read(OX_AS(job->factors, int), job->factors.count - 1 - i);
    *ox_array_edit(OX_AS(job->numbers, int), i) = i * factor;
}

TEST(array_in_jobs, a_parallel_job_writes_its_own_index_and_reads_any) {
    start_workers(3);
    ox_array numbers = ox_array_create_untyped(int, 1000, OX_PERSISTENT);
    ox_array factors = ox_array_create_untyped(int, 1000, OX_PERSISTENT);
    EXPECT(ox_array_fill(OX_AS(factors, int), 2));

    ox_complete(ox_schedule_for(Square, 1000, 16, OX_NO_JOB, {numbers, factors}));

    for (int k = 0; k < 1000; k++) {
        EXPECT_EQ(ox_array_read(OX_AS(numbers, int), k), 2 * k);
    }
    ox_dispose(&numbers);
    ox_dispose(&factors);
    ox_jobs_stop();
}

OX_RANGE_JOB(FillRanges, { ox_array numbers; }) {
    int *range = ox_array_edit_range(OX_AS(job->numbers, int), begin, end);
    ox_slice slice = ox_array_slice(job->numbers, begin, end - begin);
    for (int k = 0; k < end - begin; k++) {
        range[k] = begin + k;
        *ox_slice_edit(OX_AS(slice, int), k) *= 2;
    }
}

TEST(array_in_jobs, ranges_and_slices_of_a_batch_are_free_to_use) {
    start_workers(2);
    ox_array numbers = ox_array_create_untyped(int, 100, OX_PERSISTENT);

    ox_complete(ox_schedule_for(FillRanges, 100, 7, OX_NO_JOB, {numbers}));

    for (int k = 0; k < 100; k++) {
        EXPECT_EQ(ox_array_read(OX_AS(numbers, int), k), 2 * k);
    }
    ox_dispose(&numbers);
    ox_jobs_stop();
}

typedef enum Mistake {
    GET_OUTSIDE,
    SET_OUTSIDE,
    RANGE_OUTSIDE,
    SLICE_OUTSIDE,
    WHOLE_SLICE,
    FILL_ALL,
    COPY_ALL,
    CAST_ALL,
    MISTAKES,
} Mistake;

OX_RANGE_JOB(LeaveBatch, {
    int mistake;
    ox_array numbers;
    ox_slice slice;
}) {
    ox_array numbers = job->numbers;
    if (begin != 8) {
        return;
    }
    switch ((Mistake)job->mistake) {
    case GET_OUTSIDE:
        (void)ox_array_read(OX_AS(numbers, int), end);
        return;
    case SET_OUTSIDE:
        ox_array_set(OX_AS(numbers, int), begin - 1, 5);
        return;
    case RANGE_OUTSIDE:
        *ox_array_edit_range(OX_AS(numbers, int), begin - 1, end) = 5;
        return;
    case SLICE_OUTSIDE:
        (void)ox_array_slice(numbers, begin, end - begin + 1);
        return;
    case WHOLE_SLICE:
        (void)ox_array_slice(numbers, 0, ox_array_count(numbers));
        return;
    case FILL_ALL:
        ox_array_fill(OX_AS(numbers, int), 5);
        return;
    case COPY_ALL:
        ox_slice_copy_from(job->slice, job->slice);
        return;
    case CAST_ALL:
        (void)ox_slice_as_untyped(job->slice, char);
        return;
    case MISTAKES:
        return;
    }
}

TEST_CHECKED(array_in_jobs, leaving_the_batch_is_reported_and_has_no_effect) {
    collected_reports reports = {0};
    collect_reports(&reports);
    start_workers(0);
    ox_array numbers = ox_array_create_untyped(int, 32, OX_PERSISTENT);
    ox_array others = ox_array_create_untyped(int, 32, OX_PERSISTENT);
    ox_slice slice = ox_array_slice(others, 0, ox_array_count(others));

    for (int mistake = 0; mistake < MISTAKES; mistake++) {
        ox_complete(ox_schedule_for(LeaveBatch, 32, 8, OX_NO_JOB, {mistake, numbers, slice}));
        EXPECT_REPORT(&reports, OX_REPORT_OUTSIDE_BATCH);
    }
    for (int k = 0; k < 32; k++) {
        EXPECT_EQ(ox_array_read(OX_AS(numbers, int), k), 0);
    }
    ox_dispose(&numbers);
    ox_dispose(&others);
    ox_jobs_stop();
}

OX_PARALLEL_JOB(MarkThirds, {
    ox_bits bits;
    OX_READ_ONLY ox_bits before;
}) {
    ox_bits_set(job->bits, i, i % 3 == 0 && !ox_bits_is_set(job->before, 999 - i));
}

TEST(array_in_jobs, bits_are_written_in_batches_of_whole_words) {
    start_workers(3);
    ox_bits bits = ox_bits_create(1000, OX_PERSISTENT), before = ox_bits_create(1000, OX_TEMP_JOB);
    ox_bits_set(before, 0, true); // in the way of 999

    ox_complete(ox_schedule_for(MarkThirds, 1000, 64, OX_NO_JOB, {bits, before}));

    EXPECT_EQ(ox_bits_count_set(bits), 333);
    EXPECT(ox_bits_is_set(bits, 996) && !ox_bits_is_set(bits, 999));
    ox_dispose(&bits);
    ox_dispose(&before);
    ox_jobs_stop();
}

TEST_CHECKED(array_in_jobs, bits_of_batches_that_share_a_word_are_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    start_workers(0);
    ox_bits bits = ox_bits_create(128, OX_PERSISTENT), before = ox_bits_create(1000, OX_TEMP_JOB);

    ox_complete(ox_schedule_for(MarkThirds, 128, 32, OX_NO_JOB, {bits, before}));

    EXPECT_EQ(reports.count, 128); // the halves of each word
    EXPECT_EQ(ox_bits_count_set(bits), 0);
    EXPECT_EQ(reports.last, OX_REPORT_OUTSIDE_BATCH);
    ox_dispose(&bits);
    ox_dispose(&before);
    ox_jobs_stop();
}

TEST(array_in_jobs, an_array_of_handles_is_combined_and_completed) {
    start_workers(2);
    ox_array numbers = ox_array_create_untyped(int, 10, OX_PERSISTENT);
    ox_array jobs = ox_array_create_untyped(ox_job, 20, OX_TEMP);
    ox_job last = OX_NO_JOB;
    for (int k = 0; k < 20; k++) {
        last = ox_schedule(AddToAll, last, {.by = k, .numbers = numbers});
        ox_array_set(OX_AS(jobs, ox_job), k, last);
    }

    ox_job all = ox_combine_array(jobs);
    ox_complete(all);
    EXPECT_EQ(ox_array_read(OX_AS(numbers, int), 3), 190);
    ox_array_set(OX_AS(jobs, ox_job), 19, ox_schedule(AddToAll, last, {10, numbers}));
    ox_complete_array(jobs);
    EXPECT(ox_job_is_complete(ox_array_read(OX_AS(jobs, ox_job), 19)));
    EXPECT_EQ(ox_array_read(OX_AS(numbers, int), 3), 200);

    EXPECT_EQ(ox_combine_array(ox_array_create_untyped(ox_job, 0, OX_TEMP)).value, 0);
    ox_dispose(&numbers);
    ox_jobs_stop();
}

TEST(array_in_jobs, an_array_of_something_else_is_no_array_of_jobs) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_array numbers = ox_array_create_untyped(int, 10, OX_TEMP);

    EXPECT_EQ(ox_combine_array(numbers).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    ox_complete_array(numbers);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
}

static void dispose_after_jobs(void) {
    ox_jobs_def def = {.worker_count = OX_NO_WORKERS};
    if (!ox_jobs_start(&def)) {
        return;
    }
    ox_array numbers = ox_array_create_untyped(int, 10, OX_PERSISTENT);
    if (ox_array_is_created(numbers)) {
        ox_job job = ox_schedule(AddToAll, OX_NO_JOB, {.by = 5, .numbers = numbers});
        ox_job freed = ox_dispose_after(&numbers, job);
        ox_complete(job, freed);
    }
    if (ox_array_is_created(numbers)) {
        ox_dispose(&numbers);
    }
    ox_jobs_stop();
}

TEST(array_in_jobs, every_allocation_of_disposing_later_may_fail) {
    ox_jobs_stop(); // a test that failed before may have left it running
    test_fault_sweep("array_in_jobs", dispose_after_jobs);
}
