// SPDX-License-Identifier: MIT
//
// Parallel jobs that take their count from a list or an array when they start.

#include "containers_test.h"

#include "base/atomics.h"

static const int worker_counts[] = {0, 1, 2, 4, 16};
enum { WORKER_COUNTS = sizeof worker_counts / sizeof *worker_counts };

static collected_reports reports;

OX_JOB(Fill, {
    ox_list list;
    int count;
}) {
    for (int k = 0; k < job->count; k++) {
        ox_list_push(OX_AS(job->list, int), k);
    }
}

OX_JOB(SetCount, {
    ox_array counts;
    int count;
}) {
    ox_array_set(OX_AS(job->counts, int32_t), 0, job->count);
}

OX_PARALLEL_JOB(Double, { ox_list list; }) {
    *ox_list_edit(OX_AS(job->list, int), i) *= 2;
}

OX_PARALLEL_JOB(Tally, { OX_NO_SAFETY oxi_atomic_u32 *runs; }) {
    atomic_fetch_add(&job->runs[i], 1);
}

OX_PARALLEL_JOB(ReadList, {
    OX_READ_ONLY ox_list list;
    OX_NO_SAFETY oxi_atomic_u32 *runs;
}) {
    atomic_fetch_add(&job->runs[i], (uint32_t)ox_list_read(OX_AS(job->list, int), i));
}

static void begin_counted(int workers) {
    start_workers(workers);
    collect_reports(&reports);
}

static void end_counted(void) {
    ox_jobs_stop();
    EXPECT_EQ(reports.count, 0);
}

static void expect_runs(oxi_atomic_u32 *runs, int most, int count) {
    for (int i = 0; i < most; i++) {
        EXPECT_EQ(atomic_load(&runs[i]), i < count);
    }
}

// Lists.

TEST(counted, a_job_runs_over_what_an_earlier_job_put_into_a_list) {
    for (int k = 0; k < WORKER_COUNTS; k++) {
        begin_counted(worker_counts[k]);
        ox_list list = ox_list_create_untyped(int, 4, OX_PERSISTENT);
        ox_job filled = ox_schedule(Fill, OX_NO_JOB, {list, 1000});

        ox_complete(ox_schedule_for_list(Double, list, 16, filled, {list}));

        EXPECT_EQ(ox_list_count(list), 1000);
        for (int i = 0; i < 1000; i++) {
            EXPECT_EQ(ox_list_read(OX_AS(list, int), i), 2 * i);
        }
        ox_dispose(&list);
        end_counted();
    }
}

TEST(counted, the_list_need_not_stand_in_the_job) {
    oxi_atomic_u32 runs[20] = {0};
    begin_counted(2);
    ox_list list = ox_list_create_untyped(Body, 4, OX_TEMP_JOB);
    ox_list_resize(OX_AS(list, Body), 12);
    ox_complete(ox_schedule_for_list(Tally, list, 5, OX_NO_JOB, {runs}));
    expect_runs(runs, 20, 12);
    ox_dispose(&list);
    end_counted();
}

TEST(counted, an_empty_list_runs_nothing_and_later_jobs_run) {
    oxi_atomic_u32 runs[4] = {0};
    begin_counted(2);
    ox_list list = ox_list_create_untyped(int, 4, OX_PERSISTENT);
    ox_job none = ox_schedule_for_list(Tally, list, 5, OX_NO_JOB, {runs});
    ox_job filled = ox_schedule(Fill, none, {list, 3});
    ox_complete(ox_schedule_for_list(Tally, list, 5, filled, {runs}));
    expect_runs(runs, 4, 3);
    ox_dispose(&list);
    end_counted();
}

// Writers.

OX_PARALLEL_JOB(WriteSome, { ox_list_writer out; }) {
    for (int k = 0; k < i % 3; k++) {
        ox_list_write(OX_AS(job->out, int), i);
    }
}

OX_PARALLEL_JOB(WriteBack, {
    OX_READ_ONLY ox_list from;
    ox_list_writer out;
}) {
    ox_list_write(OX_AS(job->out, int), -ox_list_read(OX_AS(job->from, int), i));
}

// What WriteSome writes over `count` indices.
static int write_in_sequence(int *to, int count) {
    int written = 0;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < i % 3; k++) {
            to[written++] = i;
        }
    }
    return written;
}

TEST(counted, what_parallel_writers_wrote_is_merged_before_the_count) {
    enum { INDICES = 2000 };
    static int expected[INDICES * 2];
    int count = write_in_sequence(expected, INDICES);
    for (int k = 0; k < WORKER_COUNTS; k++) {
        begin_counted(worker_counts[k]);
        ox_list list = ox_list_create_untyped(int, count, OX_PERSISTENT);
        ox_list copies = ox_list_create_untyped(int, count, OX_PERSISTENT);
        ox_job wrote = ox_schedule_for(WriteSome, INDICES, 8, OX_NO_JOB, {ox_list_writer_of(list)});
        ox_list_writer out = ox_list_writer_of(copies);

        ox_complete(ox_schedule_for_list(WriteBack, list, 8, wrote, {list, out}));

        EXPECT_EQ(ox_list_count(list), count);
        EXPECT_EQ(ox_list_count(copies), count);
        for (int i = 0; i < count; i++) {
            EXPECT_EQ(ox_list_read(OX_AS(list, int), i), expected[i]);
            EXPECT_EQ(ox_list_read(OX_AS(copies, int), i), -expected[i]);
        }
        ox_dispose(&list);
        ox_dispose(&copies);
        end_counted();
    }
}

OX_PARALLEL_JOB(WriteAgain, { ox_list_writer out; }) {
    ox_list_write(OX_AS(job->out, int), 1000 + i);
}

TEST(counted, a_job_may_write_to_the_list_that_it_is_counted_by) {
    for (int k = 0; k < WORKER_COUNTS; k++) {
        begin_counted(worker_counts[k]);
        ox_list list = ox_list_create_untyped(int, 200, OX_PERSISTENT);
        ox_list_writer out = ox_list_writer_of(list);
        ox_job once = ox_schedule_for(WriteAgain, 50, 4, OX_NO_JOB, {out});
        ox_job twice = ox_schedule_for_list(WriteAgain, list, 4, once, {out});
        ox_complete(ox_schedule_for_list(WriteAgain, list, 4, twice, {out}));
        EXPECT_EQ(ox_list_count(list), 200); // 50, twice 50, twice 100
        for (int i = 0; i < 200; i++) {
            int first = i < 50 ? 0 : i < 100 ? 50 : 100;
            EXPECT_EQ(ox_list_read(OX_AS(list, int), i), 1000 + i - first);
        }
        ox_dispose(&list);
        end_counted();
    }
}

// Values.

TEST(counted, a_job_runs_as_often_as_an_earlier_job_says) {
    for (int k = 0; k < WORKER_COUNTS; k++) {
        oxi_atomic_u32 runs[500] = {0};
        begin_counted(worker_counts[k]);
        ox_array counts = ox_array_create_untyped(int32_t, 1, OX_PERSISTENT);
        ox_job set = ox_schedule(SetCount, OX_NO_JOB, {counts, 321});
        ox_complete(ox_schedule_for_value(Tally, counts, 7, set, {runs}));
        expect_runs(runs, 500, 321);
        ox_dispose(&counts);
        end_counted();
    }
}

TEST(counted, a_negative_value_is_reported_and_runs_nothing) {
    oxi_atomic_u32 runs[5] = {0};
    begin_counted(2);
    ox_array counts = ox_array_create_untyped(int32_t, 2, OX_PERSISTENT);
    ox_job set = ox_schedule(SetCount, OX_NO_JOB, {counts, -5});
    ox_job job = ox_schedule_for_value(Tally, counts, 7, set, {runs});
    EXPECT_NE(job.value, 0);
    ox_complete(job);
    EXPECT_HAS(reports.text, "job 'Tally' took -5 indices");
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LATE_COUNT);
    expect_runs(runs, 5, 0);
    ox_dispose(&counts);
    end_counted();
}

TEST(counted, a_value_needs_an_array_of_int32_with_an_element) {
    oxi_atomic_u32 runs[5] = {0};
    begin_counted(1);
    ox_array numbers = ox_array_create_untyped(float, 2, OX_PERSISTENT);
    ox_array none = ox_array_create_untyped(int32_t, 0, OX_PERSISTENT);
    EXPECT_EQ(ox_schedule_for_value(Tally, numbers, 7, OX_NO_JOB, {runs}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_schedule_for_value(Tally, none, 7, OX_NO_JOB, {runs}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    EXPECT_HAS(reports.text, "index 0 of");
    EXPECT_HAS(reports.text, "with 0 elements");
    ox_dispose(&numbers);
    ox_dispose(&none);
    end_counted();
}

TEST(counted, handles_without_a_container_are_reported) {
    oxi_atomic_u32 runs[5] = {0};
    begin_counted(1);
    EXPECT_EQ(ox_schedule_for_list(Tally, (ox_list){0}, 1, OX_NO_JOB, {runs}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT_EQ(ox_schedule_for_value(Tally, (ox_array){0}, 1, OX_NO_JOB, {runs}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    end_counted();
}

TEST(counted, a_batch_below_1_is_reported) {
    oxi_atomic_u32 runs[5] = {0};
    begin_counted(1);
    ox_list list = ox_list_create_untyped(int, 4, OX_PERSISTENT);
    EXPECT_EQ(ox_schedule_for_list(Tally, list, 0, OX_NO_JOB, {runs}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_RANGE);
    EXPECT(ox_list_push(OX_AS(list, int), 3)); // no job holds it
    ox_dispose(&list);
    end_counted();
}

// Safety: until it is completed, the job is a reader of what it is counted by.

TEST_CHECKED(counted, a_writer_that_the_job_does_not_wait_for_is_a_race) {
    oxi_atomic_u32 runs[5] = {0};
    begin_counted(0);
    ox_list list = ox_list_create_untyped(int, 4, OX_PERSISTENT);
    ox_array counts = ox_array_create_untyped(int32_t, 1, OX_PERSISTENT);
    ox_job filled = ox_schedule(Fill, OX_NO_JOB, {list, 3});
    ox_job set = ox_schedule(SetCount, OX_NO_JOB, {counts, 3});

    EXPECT_EQ(ox_schedule_for_list(Tally, list, 1, OX_NO_JOB, {runs}).value, 0);
    EXPECT_HAS(reports.text, "job 'Tally'");
    EXPECT_HAS(reports.text, "reads list 'count'");
    EXPECT_HAS(reports.text, "job 'Fill'");
    EXPECT_REPORT(&reports, OX_REPORT_TWO_JOBS_RACE);
    EXPECT_EQ(ox_schedule_for_value(Tally, counts, 1, filled, {runs}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_TWO_JOBS_RACE);
    ox_complete(ox_schedule_for_value(Tally, counts, 1, set, {runs}));
    ox_complete(filled, set);

    expect_runs(runs, 5, 3);
    ox_dispose(&list);
    ox_dispose(&counts);
    end_counted();
}

TEST_CHECKED(counted, a_later_writer_has_to_wait_for_the_job) {
    oxi_atomic_u32 runs[5] = {0};
    begin_counted(0);
    ox_list list = ox_list_create_untyped(int, 4, OX_PERSISTENT);
    ox_job job = ox_schedule_for_list(Tally, list, 1, OX_NO_JOB, {runs});
    EXPECT_EQ(ox_schedule(Fill, OX_NO_JOB, {list, 3}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_TWO_JOBS_RACE);
    ox_complete(ox_schedule(Fill, job, {list, 3}));
    EXPECT_EQ(ox_list_count(list), 3);
    expect_runs(runs, 5, 0);
    ox_dispose(&list);
    end_counted();
}

TEST_CHECKED(counted, other_readers_may_run_beside_the_job) {
    oxi_atomic_u32 runs[3] = {0}, sums[3] = {0};
    begin_counted(2);
    ox_list list = ox_list_create_untyped(int, 4, OX_PERSISTENT);
    ox_list_push_many(OX_AS(list, int), ((int[]){1, 1, 1}), 3);
    ox_job one = ox_schedule_for_list(Tally, list, 1, OX_NO_JOB, {runs});
    ox_job two = ox_schedule_for_list(ReadList, list, 1, OX_NO_JOB, {list, sums});
    EXPECT_EQ(ox_list_count(list), 3);
    ox_complete(one, two);
    expect_runs(runs, 3, 3);
    expect_runs(sums, 3, 3);
    ox_dispose(&list);
    end_counted();
}

TEST_CHECKED(counted, main_can_neither_change_nor_dispose_what_an_outstanding_job_is_counted_by) {
    oxi_atomic_u32 runs[5] = {0};
    begin_counted(0);
    ox_list list = ox_list_create_untyped(int, 4, OX_PERSISTENT);
    ox_array counts = ox_array_create_untyped(int32_t, 1, OX_PERSISTENT);
    ox_array_set(OX_AS(counts, int32_t), 0, 2);
    ox_job one = ox_schedule_for_list(Tally, list, 1, OX_NO_JOB, {runs});
    ox_job two = ox_schedule_for_value(Tally, counts, 1, OX_NO_JOB, {runs});

    EXPECT(!ox_list_push(OX_AS(list, int), 1));
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    ox_dispose(&list);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    ox_array_set(OX_AS(counts, int32_t), 0, 5);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    ox_dispose(&counts);
    EXPECT_HAS(reports.text, "disposes array");
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    EXPECT_EQ(ox_array_read(OX_AS(counts, int32_t), 0), 2); // reading is fine
    ox_complete(one, two);

    expect_runs(runs, 5, 2);
    ox_dispose(&list);
    ox_dispose(&counts);
    end_counted();
}

TEST_CHECKED(counted, disposed_and_temp_containers_are_refused) {
    oxi_atomic_u32 runs[5] = {0};
    begin_counted(0);
    ox_list gone = ox_list_create_untyped(int, 4, OX_PERSISTENT);
    ox_list copy = gone;
    ox_list temp = ox_list_create_untyped(int, 4, OX_TEMP);
    ox_dispose(&gone);
    EXPECT_EQ(ox_schedule_for_list(Tally, copy, 1, OX_NO_JOB, {runs}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    EXPECT_EQ(ox_schedule_for_list(Tally, gone, 1, OX_NO_JOB, {runs}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    EXPECT_EQ(ox_schedule_for_list(Tally, temp, 1, OX_NO_JOB, {runs}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_TEMP_IN_JOB);
    ox_dispose(&temp);
    end_counted();
}

TEST_CHECKED(counted, the_list_may_be_disposed_after_the_job) {
    oxi_atomic_u32 runs[5] = {0};
    begin_counted(2);
    ox_list list = ox_list_create_untyped(int, 4, OX_PERSISTENT);
    ox_job filled = ox_schedule(Fill, OX_NO_JOB, {list, 4});
    ox_job job = ox_schedule_for_list(Tally, list, 1, filled, {runs});
    ox_complete(ox_dispose_after(&list, job));
    expect_runs(runs, 5, 4);
    end_counted();
}

OX_PARALLEL_JOB(PushInParallel, { ox_list list; }) {
    ox_list_push(OX_AS(job->list, int), i);
}

TEST_CHECKED(counted, the_rules_of_parallel_jobs_hold_inside) {
    begin_counted(0);
    ox_list list = ox_list_create_untyped(int, 4, OX_PERSISTENT);
    ox_list_push(OX_AS(list, int), 1);
    ox_complete(ox_schedule_for_list(PushInParallel, list, 1, OX_NO_JOB, {list}));
    EXPECT_REPORT(&reports, OX_REPORT_OUTSIDE_BATCH);
    EXPECT_EQ(ox_list_count(list), 1);
    ox_dispose(&list);
    end_counted();
}

// Functions that count use the containers of their job, and no others.

OX_PARALLEL_JOB(TallyByArray, {
    OX_READ_ONLY ox_array counts;
    OX_NO_SAFETY oxi_atomic_u32 *runs;
}) {
    atomic_fetch_add(&job->runs[i], 1);
}

static int64_t sum_counts(const void *data) {
    const TallyByArray *job = data;
    int64_t sum = 0;
    for (int k = 0; k < ox_array_count(job->counts); k++) {
        sum += ox_array_read(OX_AS(job->counts, int32_t), k);
    }
    return sum;
}

TEST(counted, a_function_may_read_what_the_job_has) {
    for (int k = 0; k < WORKER_COUNTS; k++) {
        oxi_atomic_u32 runs[20] = {0};
        begin_counted(worker_counts[k]);
        ox_array counts =
            ox_array_create_copy_untyped(int32_t, ((int[]){0, 4, 5}), 3, OX_PERSISTENT);
        ox_job set = ox_schedule(SetCount, OX_NO_JOB, {counts, 3});
        ox_complete(ox_schedule_for_counted(TallyByArray, sum_counts, 2, set, {counts, runs}));
        expect_runs(runs, 20, 12);
        ox_dispose(&counts);
        end_counted();
    }
}

static ox_list hidden;

static int64_t count_hidden(const void *data) {
    (void)data;
    return ox_list_count(hidden);
}

TEST_CHECKED(counted, a_function_cannot_use_what_the_job_has_not) {
    oxi_atomic_u32 runs[5] = {0};
    begin_counted(2);
    hidden = ox_list_create_untyped(int, 4, OX_PERSISTENT);
    ox_list_push(OX_AS(hidden, int), 1);
    ox_complete(ox_schedule_for_counted(Tally, count_hidden, 1, OX_NO_JOB, {runs}));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_DECLARED);
    expect_runs(runs, 5, 0);
    ox_dispose(&hidden);
    end_counted();
}

// Memory that is refused while the list is merged: what jobs wrote stays pending.

static void merge_for_a_count(void) {
    oxi_atomic_u32 runs[300] = {0};
    if (!ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS})) {
        return;
    }
    ox_list list = ox_list_create_untyped(int, 300, OX_PERSISTENT);
    ox_list_writer out = list.state != NULL ? ox_list_writer_of(list) : (ox_list_writer){0};
    if (out.state != NULL) {
        ox_job wrote = ox_schedule_for(WriteAgain, 100, 10, OX_NO_JOB, {out});
        ox_complete(wrote);
        ox_complete(ox_schedule_for_list(Tally, list, 10, OX_NO_JOB, {runs}));
        uint32_t ran = 0;
        for (int k = 0; k < 300; k++) {
            ran += atomic_load(&runs[k]);
        }
        int count = ox_list_count(list); // merges what is still pending
        EXPECT(ran == 0 || count == 0 || ran == (uint32_t)count);
    }
    if (list.state != NULL) {
        ox_dispose(&list);
    }
    ox_jobs_stop();
    ox_frame_end();
    ox_memory_trim();
}

TEST(counted, a_count_that_finds_no_memory_loses_nothing) {
    test_fault_sweep("the count of a list", merge_for_a_count);
}

// Random stages against a model. Each stage filters the list of the one before.

enum { MOST_STAGES = 8, MOST_ITEMS = 400 };

static bool keeps(int value, int salt) {
    return ((uint32_t)(value * 7 + salt) * 2654435761u >> 28) % 3 != 0;
}

OX_PARALLEL_JOB(Filter, {
    OX_READ_ONLY ox_list from;
    ox_list_writer to;
    int salt;
}) {
    int value = ox_list_read(OX_AS(job->from, int), i);
    if (keeps(value, job->salt)) {
        ox_list_write(OX_AS(job->to, int), value + 1);
    }
}

static int filter_in_sequence(int *values, int count, int salt) {
    int kept = 0;
    for (int k = 0; k < count; k++) {
        if (keeps(values[k], salt)) {
            values[kept++] = values[k] + 1;
        }
    }
    return kept;
}

static void run_random_stages(oxi_random *random) {
    int expected[MOST_ITEMS], salts[MOST_STAGES];
    ox_list lists[MOST_STAGES + 1];
    int stages = (int)random_between(random, 1, MOST_STAGES);
    int count = (int)random_between(random, 0, MOST_ITEMS);
    for (int k = 0; k <= stages; k++) {
        lists[k] = ox_list_create_untyped(int, MOST_ITEMS, OX_PERSISTENT);
    }
    for (int k = 0; k < count; k++) {
        expected[k] = (int)random_between(random, 0, 1000);
        ox_list_push(OX_AS(lists[0], int), expected[k]);
    }
    ox_job last = OX_NO_JOB;
    for (int k = 0; k < stages; k++) {
        salts[k] = (int)random_between(random, 0, 1000);
        int batch = (int)random_between(random, 1, 30);
        ox_list_writer to = ox_list_writer_of(lists[k + 1]);
        last = ox_schedule_for_list(Filter, lists[k], batch, last, {lists[k], to, salts[k]});
        if (random_between(random, 0, 3) == 0) {
            ox_jobs_kick();
        }
    }
    ox_complete(last);
    for (int k = 0; k <= stages; k++) {
        EXPECT_EQ(ox_list_count(lists[k]), count);
        for (int i = 0; i < count && i < ox_list_count(lists[k]); i++) {
            EXPECT_EQ(ox_list_read(OX_AS(lists[k], int), i), expected[i]);
        }
        count = k < stages ? filter_in_sequence(expected, count, salts[k]) : 0;
        ox_dispose(&lists[k]);
    }
}

TEST(counted, random_stages_are_the_same_as_in_sequence) {
    for (int k = 0; k < WORKER_COUNTS; k++) {
        oxi_random random = oxi_random_seed(test_seed(90 + (uint64_t)k));
        begin_counted(worker_counts[k]);
        for (uint64_t n = 0; n < test_scaled(200 / SANITIZED); n++) {
            run_random_stages(&random);
        }
        end_counted();
    }
}
