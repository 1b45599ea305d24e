// SPDX-License-Identifier: MIT
//
// Jobs: what they do, in the simplest uses.

#include "jobs_test.h"

#include "oxbow/memory.h"

#include <stdlib.h>
#include <string.h>

OX_JOB(AddOne, {
    float a;
    OX_NO_SAFETY float *b;
}) {
    *job->b += job->a;
    job->a = 10.0f;
}

OX_JOB(Count, { OX_NO_SAFETY oxi_atomic_u32 *count; }) {
    atomic_fetch_add(job->count, 1);
}

OX_PARALLEL_JOB(Mark, { OX_NO_SAFETY oxi_atomic_u32 *marks; }) {
    atomic_fetch_add(&job->marks[i], 1);
}

typedef struct seen_range {
    int begin, end;
} seen_range;

OX_RANGE_JOB(Ranges, {
    OX_NO_SAFETY oxi_atomic_u32 *count;
    OX_NO_SAFETY seen_range *seen;
}) {
    job->seen[atomic_fetch_add(job->count, 1)] = (seen_range){begin, end};
}

OX_RANGE_JOB(Sum, {
    OX_NO_SAFETY oxi_atomic_u64 *sum;
    OX_NO_SAFETY oxi_atomic_u32 *calls;
}) {
    atomic_fetch_add(job->sum, (uint64_t)(end - begin));
    atomic_fetch_add(job->calls, 1);
}

TEST(jobs, work_on_a_copy_of_their_struct) {
    float sum = 3;
    AddOne value = {.a = 5, .b = &sum};

    ox_job job = ox_schedule(AddOne, OX_NO_JOB, value);
    ox_complete(job);

    EXPECT_EQ(sum, 8.0f);
    EXPECT_EQ(value.a, 5.0f);
    EXPECT(ox_job_is_complete(job));
    ox_jobs_stop();
}

TEST(jobs, see_the_struct_as_it_was_when_scheduled) {
    float sum = 0;
    AddOne value = {.a = 5, .b = &sum};

    ox_job job = ox_schedule(AddOne, OX_NO_JOB, value);
    value = (AddOne){0};
    ox_complete(job);

    EXPECT_EQ(sum, 5.0f);
    ox_jobs_stop();
}

static oxi_atomic_u32 runs_without_fields;

OX_JOB(Bare) {
    EXPECT(job != NULL);
    atomic_fetch_add(&runs_without_fields, 1);
}

OX_PARALLEL_JOB(BareIndex) {
    atomic_fetch_add(&runs_without_fields, (uint32_t)i);
}

OX_RANGE_JOB(BareRange) {
    atomic_fetch_add(&runs_without_fields, (uint32_t)(end - begin) * 100);
}

TEST(jobs, need_no_fields_and_then_no_value) {
    atomic_store(&runs_without_fields, 0);

    ox_job job = ox_schedule(Bare, OX_NO_JOB);
    job = ox_schedule_background(Bare, job);
    job = ox_schedule_for(BareIndex, 4, 1, job);
    ox_complete(ox_schedule_for(BareRange, 9, 4, job));
    ox_run(Bare);
    ox_run_for(BareIndex, 3, 2);

    EXPECT_EQ(atomic_load(&runs_without_fields), 1 + 1 + 6 + 900 + 1 + 3);
    EXPECT_EQ(strcmp(ox_job_type_of(Bare)->type.text, "OX_NO_FIELDS"), 0);
    ox_jobs_stop();
}

// What the text of fields says is kept as it was written: marks, commas and macros.
#define SLOTS 4
OX_JOB(Texts, {
    OX_NO_SAFETY float *a, *b;
    int slots[SLOTS];
}) {
    *job->a = *job->b + (float)job->slots[SLOTS - 1];
}

TEST(jobs, keep_the_text_of_their_fields_as_it_was_written) {
    float sums[2] = {0, 3};

    ox_run(Texts, {&sums[0], &sums[1], {0, 0, 0, 4}});

    EXPECT_EQ(sums[0], 7.0f);
    EXPECT_EQ(strcmp(ox_job_type_of(Texts)->type.text,
                     "{ OX_NO_SAFETY float *a, *b; int slots[SLOTS]; }"),
              0);
    EXPECT_EQ(strcmp(ox_job_type_of(Texts)->type.expanded, "{ float *a, *b; int slots[4]; }"), 0);
}

TEST(jobs, run_after_the_job_they_depend_on) {
    float sum = 3;

    ox_job first = ox_schedule(AddOne, OX_NO_JOB, {.a = 5, .b = &sum});
    ox_job second = ox_schedule(AddOne, first, {.a = 1, .b = &sum});
    ox_complete(second);

    EXPECT_EQ(sum, 9.0f);
    EXPECT(ox_job_is_complete(first));
    EXPECT(ox_job_is_complete(second));
    ox_jobs_stop();
}

TEST(jobs, completed_twice_do_nothing_the_second_time) {
    float sum = 0;
    ox_job job = ox_schedule(AddOne, OX_NO_JOB, {.a = 1, .b = &sum});

    ox_complete(job);
    ox_complete(job);
    ox_complete(job, job, OX_NO_JOB);

    EXPECT_EQ(sum, 1.0f);
    ox_jobs_stop();
}

TEST(jobs, none_is_complete) {
    EXPECT(ox_job_is_complete(OX_NO_JOB));
    ox_complete(OX_NO_JOB);
    ox_jobs_stop();
    EXPECT(ox_job_is_complete(OX_NO_JOB));
}

TEST(jobs, not_completed_nor_kicked_are_not_complete) {
    start_workers_of_test(1);
    float sum = 0;

    ox_job job = ox_schedule(AddOne, OX_NO_JOB, {.a = 1, .b = &sum});
    sleep_us(2000);

    EXPECT(!ox_job_is_complete(job));
    ox_complete(job);
    EXPECT(ox_job_is_complete(job));
    ox_jobs_stop();
}

TEST(jobs, run_in_place_on_a_copy) {
    float sum = 3;
    AddOne value = {.a = 5, .b = &sum};

    ox_run(AddOne, value);

    EXPECT_EQ(sum, 8.0f);
    EXPECT_EQ(value.a, 5.0f);
    ox_jobs_stop();
}

TEST(jobs, run_for_visits_each_index_here) {
    oxi_atomic_u32 marks[100] = {0};

    ox_run_for(Mark, 100, 7, {.marks = marks});

    for (int k = 0; k < 100; k++) {
        EXPECT_EQ(marks[k], 1);
    }
    ox_jobs_stop();
}

TEST(jobs, run_for_gives_one_batch_at_a_time) {
    oxi_atomic_u32 count = 0;
    seen_range seen[4];

    ox_run_for(Ranges, 10, 4, {.count = &count, .seen = seen});

    EXPECT_EQ(count, 3);
    EXPECT_EQ(seen[0].begin, 0);
    EXPECT_EQ(seen[1].begin, 4);
    EXPECT_EQ(seen[2].begin, 8);
    EXPECT_EQ(seen[2].end, 10);
    ox_jobs_stop();
}

TEST(jobs, run_for_no_index_runs_nothing) {
    oxi_atomic_u32 marks[1] = {0};
    ox_run_for(Mark, 0, 1, {.marks = marks});
    EXPECT_EQ(marks[0], 0);
    ox_jobs_stop();
}

// Data of any size: a byte pattern that the job checks.

static oxi_atomic_u32 good_patterns;
static size_t pattern_size;

static void check_pattern(void *data) {
    const unsigned char *bytes = data;
    bool ok = (uintptr_t)data % OX_MAX_JOB_ALIGN == 0;
    for (size_t k = 0; k < pattern_size; k++) {
        ok = ok && bytes[k] == (unsigned char)(k * 7 + 1);
    }
    memset(data, 0, pattern_size);
    atomic_fetch_add(&good_patterns, ok);
}

static void check_pattern_range(const void *data, int begin, int end) {
    const unsigned char *bytes = data;
    bool ok = end == begin + 1;
    for (size_t k = 0; k < pattern_size; k++) {
        ok = ok && bytes[k] == (unsigned char)(k * 7 + 1);
    }
    atomic_fetch_add(&good_patterns, ok);
}

static ox_job_type make_pattern_type(size_t size) {
    return (ox_job_type){.type = {.name = "Pattern", .size = size, .align = 64},
                         .run = check_pattern,
                         .ranges = {check_pattern_range},
                         .one_batch = true};
}

static void fill_pattern(unsigned char *bytes, size_t size) {
    pattern_size = size;
    atomic_store(&good_patterns, 0);
    for (size_t k = 0; k < size; k++) {
        bytes[k] = (unsigned char)(k * 7 + 1);
    }
}

static void run_patterns_of_size(size_t size) {
    unsigned char *bytes = malloc(size + 1);
    fill_pattern(bytes, size);
    ox_job_type type = make_pattern_type(size);
    ox_job jobs[20];
    for (int k = 0; k < 10; k++) {
        jobs[k] = ox_schedule_at(&type, OX_NO_JOB, size > 0 ? bytes : NULL, OX_HERE);
        jobs[10 + k] = ox_schedule_for_at(&type, 3, 1, OX_NO_JOB, size > 0 ? bytes : NULL, OX_HERE);
    }
    memset(bytes, 0, size);
    ox_jobs_kick();
    ox_complete_at(jobs, 20, OX_HERE);
    EXPECT_EQ(good_patterns, 40);
    free(bytes);
}

TEST(jobs, have_data_of_any_size) {
    static const size_t sizes[] = {0, 1, 127, 128, 129, 4096, 100000, OX_MAX_JOB_SIZE / SLOWNESS};
    start_workers_of_test(2);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        run_patterns_of_size(sizes[k]);
    }
    ox_jobs_stop();
}

TEST(jobs, run_in_place_with_data_of_any_size) {
    static const size_t sizes[] = {0, 1, 128, 129, 100000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        unsigned char *bytes = malloc(sizes[k] + 1);
        fill_pattern(bytes, sizes[k]);
        ox_job_type type = make_pattern_type(sizes[k]);
        const void *data = sizes[k] > 0 ? bytes : NULL;

        ox_run_for_at(&type, 3, 1, data, OX_HERE);
        ox_run_at(&type, data, OX_HERE);

        EXPECT_EQ(good_patterns, 4);
        free(bytes);
    }
    ox_jobs_stop();
}

TEST(jobs, keep_large_data_over_many_frames) {
    collected_reports reports;
    collect_reports(&reports);
    static unsigned char bytes[5000];
    fill_pattern(bytes, sizeof bytes);
    ox_job_type type = make_pattern_type(sizeof bytes);

    ox_job job = ox_schedule_at(&type, OX_NO_JOB, bytes, OX_HERE);
    for (int k = 0; k < 10; k++) {
        ox_frame_end();
    }
    ox_complete(job);

    EXPECT_EQ(good_patterns, 1);
    EXPECT_EQ(reports.count, 0);
    ox_jobs_stop();
}

typedef struct aligned_64 {
    _Alignas(64) int value;
} aligned_64;

OX_JOB(Aligned, {
    aligned_64 big;
    OX_NO_SAFETY oxi_atomic_u32 *count;
}) {
    atomic_fetch_add(job->count, (uintptr_t)job % 64 == 0 && job->big.value == 5);
}

OX_JOB(AlignedLarge, {
    aligned_64 big[10];
    OX_NO_SAFETY oxi_atomic_u32 *count;
}) {
    atomic_fetch_add(job->count, (uintptr_t)job % 64 == 0 && job->big[9].value == 7);
}

TEST(jobs, have_structs_aligned_to_64) {
    oxi_atomic_u32 count = 0;
    ox_job a = ox_schedule(Aligned, OX_NO_JOB, {.big = {5}, .count = &count});
    AlignedLarge large = {.count = &count};
    large.big[9].value = 7;

    ox_job b = ox_schedule(AlignedLarge, OX_NO_JOB, large);
    ox_complete(a, b);

    EXPECT_EQ(count, 2);
    ox_jobs_stop();
}

// Combining.

TEST(jobs, combine_one_to_eight) {
    oxi_atomic_u32 n = 0;
    ox_job j[8];
    for (int k = 0; k < 8; k++) {
        j[k] = ox_schedule(Count, OX_NO_JOB, {.count = &n});
    }

    ox_complete(ox_combine(j[0]));
    EXPECT_EQ(n, 1);
    ox_complete(ox_combine(j[1], j[2]));
    EXPECT_EQ(n, 3);
    ox_job five = ox_combine(j[3], j[4], j[5], j[6], j[7]);
    ox_complete(ox_combine(j[0], j[1], j[2], j[3], j[4], five, OX_NO_JOB, j[7]));
    EXPECT_EQ(n, 8);
    EXPECT(ox_job_is_complete(five));
    ox_jobs_stop();
}

static ox_job combine_counts(int count, oxi_atomic_u32 *sum) {
    static ox_job jobs[1000];
    for (int k = 0; k < count; k++) {
        jobs[k] = ox_schedule(Count, OX_NO_JOB, {.count = sum});
    }
    return ox_combine_at(jobs, count, OX_HERE);
}

TEST(jobs, combine_any_number) {
    static const int counts[] = {1, 2, 8, 9, 64, 65, 1000};
    start_workers_of_test(2);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        oxi_atomic_u32 sum = 0;
        ox_job all = combine_counts(counts[k], &sum);
        EXPECT(!ox_job_is_complete(all));
        ox_complete(all);
        EXPECT_EQ(sum, counts[k]);
    }
    ox_jobs_stop();
}

TEST(jobs, combined_none_is_none) {
    ox_job combined = ox_combine_at(NULL, 0, OX_HERE);
    EXPECT_EQ(combined.value, 0);
    EXPECT(ox_job_is_complete(ox_combine(OX_NO_JOB, OX_NO_JOB, OX_NO_JOB)));
    ox_jobs_stop();
}

TEST(jobs, combined_when_done_are_complete_at_once) {
    oxi_atomic_u32 n = 0;
    ox_job a = ox_schedule(Count, OX_NO_JOB, {.count = &n});
    ox_job b = ox_schedule(Count, OX_NO_JOB, {.count = &n});
    ox_complete(a, b);

    EXPECT(ox_job_is_complete(ox_combine(a, b)));
    ox_jobs_stop();
}

TEST(jobs, combined_with_itself_count_once) {
    oxi_atomic_u32 n = 0;
    ox_job a = ox_schedule(Count, OX_NO_JOB, {.count = &n});

    ox_job both = ox_combine(a, a, a, a, a, a, a, a);
    ox_job after = ox_schedule(Count, both, {.count = &n});
    ox_complete(after);

    EXPECT_EQ(n, 2);
    ox_jobs_stop();
}

TEST(jobs, complete_an_array_of_any_length) {
    oxi_atomic_u32 n = 0;
    static ox_job jobs[1000];
    for (int k = 0; k < 1000; k++) {
        jobs[k] = ox_schedule(Count, k > 0 && k % 3 == 0 ? jobs[k - 1] : OX_NO_JOB, {.count = &n});
    }

    ox_complete_at(jobs, 1000, OX_HERE);
    ox_complete_at(jobs, 0, OX_HERE);

    EXPECT_EQ(n, 1000);
    ox_jobs_stop();
}

// Completing shows what it waits for, and no more.

static ox_job schedule_count_chain(int length, oxi_atomic_u32 *count) {
    ox_job last = OX_NO_JOB;
    for (int k = 0; k < length; k++) {
        last = ox_schedule(Count, last, {.count = count});
    }
    return last;
}

TEST(jobs, complete_their_ancestors) {
    oxi_atomic_u32 n = 0;
    ox_job first = ox_schedule(Count, OX_NO_JOB, {.count = &n});
    ox_job middle = ox_combine(first, schedule_count_chain(10, &n));
    ox_job last = ox_schedule(Count, middle, {.count = &n});

    ox_complete(last);

    EXPECT_EQ(n, 12);
    EXPECT(ox_job_is_complete(first));
    EXPECT(ox_job_is_complete(middle));
    ox_jobs_stop();
}

TEST(jobs, complete_with_a_done_job_first_finds_a_deep_chain) {
    oxi_atomic_u32 n = 0;
    watch_for_hang("complete of a done job and a deep chain");
    start_workers_of_test(1);
    ox_job done = ox_schedule(Count, OX_NO_JOB, {.count = &n});
    ox_complete(done);

    ox_complete(done, schedule_count_chain(1000, &n));

    EXPECT_EQ(n, 1001);
    ox_jobs_stop();
    end_watch();
}

TEST(jobs, not_kicked_do_not_start_when_others_are_completed) {
    oxi_atomic_u32 others = 0, mine = 0;
    start_workers_of_test(2);
    for (int k = 0; k < 10000; k++) {
        ox_schedule(Count, OX_NO_JOB, {.count = &others});
    }

    for (int k = 0; k < 100; k++) {
        ox_complete(schedule_count_chain(10, &mine));
    }
    sleep_us(5000);

    EXPECT_EQ(mine, 1000);
    EXPECT_EQ(others, 0);
    ox_jobs_kick();
    wait_for_value(&others, 10000, "kicked jobs");
    ox_jobs_stop();
}

TEST(jobs, not_kicked_do_not_start_in_slots_that_were_used_before) {
    oxi_atomic_u32 others = 0, mine = 0;
    start_workers_of_test(2);
    for (int k = 0; k < 1000; k++) {
        ox_job chain = schedule_count_chain(3, &mine);
        ox_job all = combine_counts(20, &mine);
        ox_jobs_kick();
        ox_complete(chain, all);
    }

    for (int k = 0; k < 10000; k++) {
        ox_schedule(Count, OX_NO_JOB, {.count = &others});
    }
    ox_complete(schedule_count_chain(100, &mine));
    sleep_us(5000);

    EXPECT_EQ(mine, 23100);
    EXPECT_EQ(others, 0);
    ox_jobs_kick();
    wait_for_value(&others, 10000, "kicked jobs");
    ox_jobs_stop();
}

TEST(jobs, kicked_run_without_main) {
    oxi_atomic_u32 n = 0;
    start_workers_of_test(2);
    ox_job last = schedule_count_chain(100, &n);
    combine_counts(100, &n);

    ox_jobs_kick();
    wait_for_value(&n, 200, "kicked jobs");

    ox_complete(last);
    EXPECT_EQ(n, 200);
    ox_jobs_stop();
}

TEST(jobs, kick_of_nothing_does_nothing) {
    ox_jobs_kick();
    ox_jobs_kick();
    ox_jobs_stop();
}

// Parallel jobs.

static void expect_ranges(const seen_range *seen, int count, int batch, int total) {
    static bool found[64];
    memset(found, 0, sizeof found);
    EXPECT_EQ(count, (total + batch - 1) / batch);
    for (int k = 0; k < count; k++) {
        int index = seen[k].begin / batch;
        int end = seen[k].begin + batch < total ? seen[k].begin + batch : total;
        EXPECT_EQ(seen[k].begin % batch, 0);
        EXPECT_EQ(seen[k].end, end);
        EXPECT(!found[index]);
        found[index] = true;
    }
}

TEST(jobs, ranges_of_1000_by_64_are_sixteen_and_start_at_multiples) {
    static const int workers[] = {0, 1, 2, 4, 16};
    for (int k = 0; k < 5; k++) {
        start_workers_of_test(workers[k]);
        for (int round = 0; round < 200; round++) {
            oxi_atomic_u32 count = 0;
            seen_range seen[64];
            ox_job job =
                ox_schedule_for(Ranges, 1000, 64, OX_NO_JOB, {.count = &count, .seen = seen});
            if (round % 2 == 0) {
                ox_jobs_kick();
            }
            ox_complete(job);
            expect_ranges(seen, (int)count, 64, 1000);
        }
        ox_jobs_stop();
    }
}

static void mark_each_once(int count, int batch) {
    oxi_atomic_u32 *marks = calloc((size_t)count + 1, sizeof *marks);
    ox_complete(ox_schedule_for(Mark, count, batch, OX_NO_JOB, {.marks = marks}));
    for (int k = 0; k < count; k++) {
        EXPECT_EQ(marks[k], 1);
    }
    EXPECT_EQ(marks[count], 0);
    free(marks);
}

TEST(jobs, parallel_run_each_index_once) {
    static const int cases[][2] = {{0, 1},
                                   {1, 1},
                                   {1, 100},
                                   {2, 1},
                                   {7, 3},
                                   {64, 64},
                                   {65, 64},
                                   {1000, 64},
                                   {1000, 1},
                                   {1000, 999},
                                   {1000, 5},
                                   {1000, 2000},
                                   {100000 / SLOWNESS, 1},
                                   {12345, 17},
                                   {5, INT32_MAX}};
    static const int workers[] = {0, 1, 3, 16};
    for (int w = 0; w < 4; w++) {
        start_workers_of_test(workers[w]);
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            mark_each_once(cases[k][0], cases[k][1]);
        }
        ox_jobs_stop();
    }
}

TEST(jobs, parallel_over_nothing_keep_their_place_in_the_order) {
    oxi_atomic_u32 n = 0;
    ox_job before = ox_schedule(Count, OX_NO_JOB, {.count = &n});

    ox_job empty = ox_schedule_for(Mark, 0, 64, before, {.marks = NULL});

    EXPECT(!ox_job_is_complete(empty));
    ox_complete(ox_schedule(Count, empty, {.count = &n}));
    EXPECT_EQ(n, 2);
    EXPECT(ox_job_is_complete(empty));
    ox_jobs_stop();
}

static void sum_to(int count, int batch) {
    oxi_atomic_u64 sum = 0;
    oxi_atomic_u32 calls = 0;
    ox_complete(ox_schedule_for(Sum, count, batch, OX_NO_JOB, {.sum = &sum, .calls = &calls}));
    EXPECT_EQ(sum, count);
    EXPECT_EQ(calls, ((int64_t)count + batch - 1) / batch);
}

TEST(jobs, parallel_over_the_largest_count) {
    static const int workers[] = {0, 1, 16, 63};
    for (int k = 0; k < 4; k++) {
        start_workers_of_test(workers[k]);
        sum_to(INT32_MAX, 1 << 20);
        sum_to(INT32_MAX, (1 << 20) + 1);
        sum_to(INT32_MAX, INT32_MAX);
        sum_to(INT32_MAX, INT32_MAX - 1);
        sum_to(INT32_MAX, 1 << 30);
        ox_jobs_stop();
    }
}

TEST(jobs, parallel_run_after_and_before_others) {
    oxi_atomic_u32 marks[500] = {0}, n = 0;
    start_workers_of_test(2);
    ox_job before = schedule_count_chain(5, &n);

    ox_job first = ox_schedule_for(Mark, 500, 8, before, {.marks = marks});
    ox_job second = ox_schedule_for(Mark, 500, 16, first, {.marks = marks});
    ox_complete(ox_schedule(Count, second, {.count = &n}));

    EXPECT_EQ(n, 6);
    EXPECT_EQ(marks[499], 2);
    ox_jobs_stop();
}
