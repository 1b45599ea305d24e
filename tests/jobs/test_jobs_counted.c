// SPDX-License-Identifier: MIT
//
// Parallel jobs whose count is taken when they start.

#include "jobs_test.h"

#include "base/temp.h"
#include "jobs/run.h"
#include "oxbow/memory.h"
#include "oxbow/trace.h"

#include <string.h>

static const int worker_counts[] = {0, 1, 2, 4, 16};
enum { WORKER_COUNTS = sizeof worker_counts / sizeof *worker_counts, MOST = 5000 };

static collected_reports reports;

// What a job of these tests works on: an earlier job writes the count.
typedef struct board {
    int64_t count;
    oxi_atomic_u32 calls; // of the counter
    oxi_atomic_u32 ranges;
    oxi_atomic_u32 misplaced; // ranges that do not begin at a multiple of the batch
    oxi_atomic_u32 runs[MOST];
} board;

static board table;

OX_JOB(Decide, {
    OX_NO_SAFETY board *board;
    int64_t count;
}) {
    job->board->count = job->count;
}

OX_PARALLEL_JOB(Visit, { OX_NO_SAFETY board *board; }) {
    atomic_fetch_add(&job->board->runs[i], 1);
}

OX_PARALLEL_JOB(VisitLarge, {
    OX_NO_SAFETY board *board;
    char filler[5000];
}) {
    atomic_fetch_add(&job->board->runs[i], 1);
}

OX_RANGE_JOB(VisitRange, {
    OX_NO_SAFETY board *board;
    int batch;
}) {
    board *to = job->board;
    atomic_fetch_add(&to->ranges, 1);
    atomic_fetch_add(&to->misplaced, begin % job->batch != 0 || end - begin > job->batch);
    for (int i = begin; i < end; i++) {
        atomic_fetch_add(&to->runs[i], 1);
    }
}

// All job types here begin with the board.
static int64_t count_board(const void *job) {
    board *from = *(board *const *)job;
    atomic_fetch_add(&from->calls, 1);
    return from->count;
}

static void begin_counted(int workers) {
    start_workers_of_test(workers);
    collect_reports(&reports);
    memset(&table, 0, sizeof table);
    watch_for_hang("a job that takes its count late");
}

static void end_counted(void) {
    ox_jobs_stop();
    end_watch();
    EXPECT_EQ(reports.count, 0);
}

static void expect_visits(int count, uint32_t times) {
    for (int i = 0; i < MOST; i++) {
        EXPECT_EQ(atomic_load(&table.runs[i]), i < count ? times : 0);
    }
}

static ox_job decide(int64_t count, ox_job after) {
    return ox_schedule(Decide, after, {.board = &table, .count = count});
}

TEST(jobs_counted, run_as_often_as_an_earlier_job_says) {
    for (int k = 0; k < WORKER_COUNTS; k++) {
        begin_counted(worker_counts[k]);
        ox_job decided = decide(1234, OX_NO_JOB);

        ox_complete(ox_schedule_for_counted(Visit, count_board, 16, decided, {&table}));

        expect_visits(1234, 1);
        EXPECT_EQ(atomic_load(&table.calls), 1);
        end_counted();
    }
}

TEST(jobs_counted, run_without_a_job_before_them) {
    begin_counted(2);
    table.count = 40;

    ox_complete(ox_schedule_for_counted(Visit, count_board, 16, OX_NO_JOB, {&table}));

    expect_visits(40, 1);
    end_counted();
}

TEST(jobs_counted, are_counted_when_they_start_and_not_when_they_are_scheduled) {
    begin_counted(0);
    table.count = 7;
    ox_job job = ox_schedule_for_counted(Visit, count_board, 1, OX_NO_JOB, {&table});
    EXPECT_EQ(atomic_load(&table.calls), 0);
    EXPECT(!ox_job_is_complete(job));
    table.count = 3; // nobody runs before it is completed: there are no workers

    ox_complete(job);

    expect_visits(3, 1);
    end_counted();
}

TEST(jobs_counted, without_indices_end_at_once_and_let_others_run) {
    for (int k = 0; k < WORKER_COUNTS; k++) {
        begin_counted(worker_counts[k]);
        ox_job none = ox_schedule_for_counted(VisitLarge, count_board, 4, decide(0, OX_NO_JOB),
                                              {.board = &table});
        ox_job decided = decide(5, none);

        ox_complete(ox_schedule_for_counted(Visit, count_board, 4, decided, {&table}));

        EXPECT(ox_job_is_complete(none));
        EXPECT_EQ(atomic_load(&table.calls), 2);
        expect_visits(5, 1);
        end_counted();
    }
}

static oxi_atomic_u32 is_holding, may_end;

OX_JOB(HoldWorker, { int unused; }) {
    atomic_store(&is_holding, 1);
    wait_for_value(&may_end, 1, "main lets the worker go on");
}

// The worker goes on with the job behind; what was its loop serves another job meanwhile.
TEST(jobs_counted, without_indices_leave_their_loop_to_others) {
    begin_counted(1);
    atomic_store(&is_holding, 0);
    atomic_store(&may_end, 0);
    ox_job none = ox_schedule_for_counted(Visit, count_board, 1, OX_NO_JOB, {&table});
    ox_job behind = ox_schedule(HoldWorker, none, {0});
    ox_jobs_kick();
    wait_for_value(&is_holding, 1, "the worker is behind the job without indices");
    ox_job other = ox_schedule_for(Visit, 40, 1, OX_NO_JOB, {&table});

    atomic_store(&may_end, 1);
    wait_until_parked();

    ox_complete(other, behind);
    expect_visits(40, 1);
    end_counted();
}

TEST(jobs_counted, get_one_batch_at_a_time_from_a_multiple_of_it) {
    for (int k = 0; k < WORKER_COUNTS; k++) {
        begin_counted(worker_counts[k]);
        ox_job decided = decide(1001, OX_NO_JOB);

        ox_complete(
            ox_schedule_for_counted(VisitRange, count_board, 10, decided, {&table, .batch = 10}));

        expect_visits(1001, 1);
        EXPECT_EQ(atomic_load(&table.ranges), 101);
        EXPECT_EQ(atomic_load(&table.misplaced), 0);
        end_counted();
    }
}

TEST(jobs_counted, have_large_structs) {
    for (int k = 0; k < WORKER_COUNTS; k++) {
        begin_counted(worker_counts[k]);
        VisitLarge large = {.board = &table};
        ox_job decided = decide(300, OX_NO_JOB);
        ox_complete(ox_schedule_for_counted(VisitLarge, count_board, 7, decided, large));
        expect_visits(300, 1);
        end_counted();
    }
}

// Wrong counts.

static void expect_bad_count(int64_t count, const char *text) {
    for (int workers = 0; workers < 3; workers++) {
        begin_counted(workers);
        ox_job job = ox_schedule_for_counted(Visit, count_board, 1, decide(count, OX_NO_JOB),
                                             {.board = &table});
        ox_job later = decide(2, job);
        EXPECT_NE(job.value, 0);

        ox_complete(ox_schedule_for_counted(Visit, count_board, 1, later, {&table}));

        EXPECT_HAS(reports.text, text);
        EXPECT_REPORT(&reports, OX_REPORT_BAD_LATE_COUNT);
        expect_visits(2, 1); // of the second job
        end_counted();
    }
}

TEST(jobs_counted, with_a_negative_count_report_and_run_nothing) {
    expect_bad_count(-1, "job 'Visit' took -1 indices");
    expect_bad_count(INT64_MIN, "job 'Visit' took -9223372036854775807 indices");
}

TEST(jobs_counted, with_a_count_that_is_too_large_report_and_run_nothing) {
    expect_bad_count(INT64_C(1) << 31, "job 'Visit' took 2147483648 indices");
    expect_bad_count(INT64_MAX, "job 'Visit' took 9223372036854775807 indices");
}

OX_RANGE_JOB(AddLength, { OX_NO_SAFETY oxi_atomic_u64 *sum; }) {
    atomic_fetch_add(job->sum, (uint64_t)(end - begin));
}

static int64_t count_most(const void *job) {
    (void)job;
    return INT32_MAX;
}

TEST(jobs_counted, may_have_as_many_indices_as_there_are) {
    oxi_atomic_u64 sum = 0;
    begin_counted(2);
    ox_complete(ox_schedule_for_counted(AddLength, count_most, 1 << 24, OX_NO_JOB, {&sum}));
    EXPECT_EQ(atomic_load(&sum), (uint64_t)INT32_MAX);
    end_counted();
}

TEST(jobs_counted, need_a_function_a_batch_and_a_handle) {
    begin_counted(1);
    EXPECT_EQ(ox_schedule_for_counted(Visit, NULL, 1, OX_NO_JOB, {&table}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_schedule_for_counted(Visit, count_board, 0, OX_NO_JOB, {&table}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_RANGE);
    EXPECT_EQ(ox_schedule_for_counted(Visit, count_board, 1, OX_AUTO, {&table}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_AUTO_AFTER);
    Decide decide = {.board = &table};
    EXPECT_EQ(ox_schedule_for_counted_at(ox_job_type_of(Decide), count_board, 1, OX_NO_JOB, &decide,
                                         OX_HERE)
                  .value,
              0);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_JOB_TYPE);
    end_counted();
    EXPECT_EQ(atomic_load(&table.calls), 0);
}

// The counter runs as a part of its job.

static const char *counted_as;
static ox_job scheduled_inside;

static int64_t count_and_misbehave(const void *job) {
    counted_as = oxi_this_run.name;
    scheduled_inside = ox_schedule_at(ox_job_type_of(Decide), OX_NO_JOB, job, OX_HERE);
    return 1;
}

TEST(jobs_counted, cannot_schedule_while_they_count) {
    begin_counted(0);
    ox_complete(ox_schedule_for_counted(Visit, count_and_misbehave, 1, OX_NO_JOB, {&table}));
    EXPECT_STR(counted_as, "Visit");
    EXPECT_EQ(scheduled_inside.value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_INSIDE_JOB);
    expect_visits(1, 1);
    end_counted();
}

static int64_t count_with_temp(const void *job) {
    int64_t *copy = ox_memory_alloc(OX_TEMP, sizeof *copy, _Alignof(int64_t));
    *copy = count_board(job);
    return *copy;
}

TEST(jobs_counted, may_use_temp_memory_while_they_count) {
    begin_counted(2);
    ox_job decided = decide(9, OX_NO_JOB);
    ox_complete(ox_schedule_for_counted(Visit, count_with_temp, 2, decided, {&table}));
    expect_visits(9, 1);
    end_counted();
}

TEST(jobs_counted, are_completed_by_the_end_of_the_job_system) {
    begin_counted(2);
    ox_schedule_for_counted(Visit, count_board, 2, decide(99, OX_NO_JOB), {&table});
    ox_jobs_stop();
    EXPECT_REPORT(&reports, OX_REPORT_JOBS_OUTSTANDING);
    expect_visits(99, 1);
    end_counted();
}

// One behind the other, as many as would fill a stack that grows with each.
TEST(jobs_counted, may_be_a_long_chain) {
    enum { LONG = 100000 / SLOWNESS };
    for (int workers = 0; workers < 3; workers++) {
        begin_counted(workers);
        table.count = 2;
        ox_job last = OX_NO_JOB;
        for (int k = 0; k < LONG; k++) {
            last = ox_schedule_for_counted(Visit, count_board, 1 + k % 2, last, {&table});
        }
        ox_jobs_kick();
        ox_complete(last);
        expect_visits(2, LONG);
        EXPECT_EQ(atomic_load(&table.calls), LONG);

        table.count = 0;
        for (int k = 0; k < LONG; k++) {
            last = ox_schedule_for_counted(Visit, count_board, 1, last, {&table});
        }
        ox_complete(last);
        EXPECT_EQ(atomic_load(&table.calls), 2 * LONG);
        end_counted();
    }
}

// While a worker takes the count, main may wait, and helps when the loop is open.

static oxi_atomic_u32 may_count, is_counting;

static int64_t count_when_told(const void *job) {
    atomic_store(&is_counting, 1);
    wait_for_value(&may_count, 1, "main lets the counter go on");
    return count_board(job);
}

OX_JOB(LetCount, { int unused; }) {
    atomic_store(&may_count, 1);
}

TEST(jobs_counted, are_counted_by_one_thread_while_others_work) {
    begin_counted(2);
    atomic_store(&may_count, 0);
    atomic_store(&is_counting, 0);
    table.count = MOST;
    ox_job counted = ox_schedule_for_counted(Visit, count_when_told, 8, OX_NO_JOB, {&table});
    ox_jobs_kick();
    wait_for_value(&is_counting, 1, "a worker counts");
    EXPECT(!ox_job_is_complete(counted));
    ox_complete(ox_schedule(LetCount, OX_NO_JOB, {0}));

    ox_complete(counted);

    expect_visits(MOST, 1);
    EXPECT_EQ(atomic_load(&table.calls), 1);
    end_counted();
}

// Traces.

TEST(jobs_counted, show_in_traces_when_they_counted_and_what_they_ran) {
    begin_counted(0);
    EXPECT(ox_trace_begin(0));
    ox_complete(ox_schedule_for_counted(VisitRange, count_board, 10, decide(25, OX_NO_JOB),
                                        {&table, .batch = 10}));
    ox_complete(ox_schedule_for_counted(Visit, count_board, 10, decide(0, OX_NO_JOB), {&table}));
    ox_trace_end();
    int count = 0, shares = 0, indices = 0, empty = 0;
    const ox_trace_event *events = ox_trace_get_events(0, &count);
    for (int k = 0; k < count; k++) {
        bool is_range = events[k].kind == OX_TRACE_RANGE;
        indices += is_range ? events[k].end - events[k].begin : 0;
        shares += !is_range && strcmp(events[k].name, "VisitRange") == 0;
        empty += !is_range && strcmp(events[k].name, "Visit") == 0;
    }
    EXPECT_EQ(indices, 25);
    EXPECT_EQ(shares, 2); // the count, and the indices
    EXPECT_EQ(empty, 1);
    ox_trace_clear();
    end_counted();
}

// Random chains and fans against a model: what each stage should have run.

enum { MOST_STAGES = 40, STAGE_INDICES = 300 };

typedef struct stage {
    int64_t count; // written by the stage before
    oxi_atomic_u32 runs[STAGE_INDICES];
} stage;

static stage stages[MOST_STAGES + 1];

// What follows from a stage: a function of its own count alone.
static int64_t next_count(int64_t count, int salt) {
    return (int64_t)((uint64_t)(count * 31 + salt) * 2654435761u % STAGE_INDICES) * (salt % 5 != 0);
}

OX_PARALLEL_JOB(RunStage, { OX_NO_SAFETY stage *stage; }) {
    atomic_fetch_add(&job->stage->runs[i], 1);
}

OX_JOB(EndStage, {
    OX_NO_SAFETY stage *stage;
    int salt;
}) {
    job->stage[1].count = next_count(job->stage->count, job->salt);
}

static int64_t count_stage(const void *job) {
    return (*(stage *const *)job)->count;
}

static void run_random_stages(oxi_random *random) {
    memset(stages, 0, sizeof stages);
    int count = 1 + (int)oxi_random_below(random, MOST_STAGES);
    int salts[MOST_STAGES];
    ox_job ran[MOST_STAGES], last = OX_NO_JOB;
    stages[0].count = (int64_t)oxi_random_below(random, STAGE_INDICES);
    for (int k = 0; k < count; k++) {
        int batch = 1 + (int)oxi_random_below(random, 40);
        salts[k] = (int)oxi_random_below(random, 1000);
        ran[k] = ox_schedule_for_counted(RunStage, count_stage, batch, last, {&stages[k]});
        last =
            ox_schedule(EndStage, oxi_random_bool(random) ? ran[k] : last, {&stages[k], salts[k]});
        if (oxi_random_below(random, 8) == 0) {
            ox_jobs_kick();
        }
    }
    ox_complete_at(ran, count, OX_HERE);
    ox_complete(last);
    int64_t expected = stages[0].count;
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < STAGE_INDICES; i++) {
            EXPECT_EQ(atomic_load(&stages[k].runs[i]), i < expected);
        }
        expected = next_count(expected, salts[k]);
    }
}

TEST(jobs_counted, random_stages_run_what_the_model_says) {
    for (int k = 0; k < WORKER_COUNTS; k++) {
        uint64_t seed = test_seed(70 + (uint64_t)k);
        oxi_random random = oxi_random_seed(seed);
        begin_counted(worker_counts[k]);
        shake_schedules(seed);
        for (uint64_t n = 0; n < test_scaled(300 / SLOWNESS); n++) {
            run_random_stages(&random);
        }
        oxi_yield_set_hook(NULL, NULL);
        end_counted();
    }
}
