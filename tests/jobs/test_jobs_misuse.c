// SPDX-License-Identifier: MIT
//
// Wrong uses of jobs: each gives its report, names what is wrong, and changes nothing.

#include "jobs_test.h"

#include "jobs/gate.h"

#include <string.h>

static collected_reports reports;

OX_JOB(Tick, { OX_NO_SAFETY oxi_atomic_u32 *count; }) {
    atomic_fetch_add(job->count, 1);
}

OX_PARALLEL_JOB(TickEach, { OX_NO_SAFETY oxi_atomic_u32 *count; }) {
    atomic_fetch_add(job->count, 1);
}

// Begins a test: workers, and reports collected.
static void begin_misuse(int workers) {
    start_workers_of_test(workers);
    collect_reports(&reports);
}

// Ends it: nothing outstanding, nothing more reported.
static void end_misuse(void) {
    ox_jobs_stop();
    EXPECT_EQ(reports.count, 0);
}

static uint32_t slots_in_use(void) {
    return atomic_load(&oxi_jobs.slot_count);
}

// Counts and batches.

TEST(jobs_misuse, negative_count_is_reported) {
    oxi_atomic_u32 count = 0;
    begin_misuse(1);
    uint32_t slots = slots_in_use();

    ox_job job = ox_schedule_for(TickEach, -1, 1, OX_NO_JOB, {.count = &count});

    EXPECT_EQ(job.value, 0);
    EXPECT_HAS(reports.text, "'TickEach' with count -1 and batch 1");
    EXPECT_REPORT(&reports, OX_REPORT_BAD_RANGE);
    ox_schedule_for(TickEach, INT32_MIN, 1, OX_NO_JOB, {.count = &count});
    EXPECT_REPORT(&reports, OX_REPORT_BAD_RANGE);
    EXPECT_EQ(slots_in_use(), slots);
    end_misuse();
    EXPECT_EQ(count, 0);
}

TEST(jobs_misuse, batch_below_1_is_reported) {
    oxi_atomic_u32 count = 0;
    begin_misuse(1);
    ox_job job = ox_schedule_for(TickEach, 10, 0, OX_NO_JOB, {.count = &count});
    EXPECT_EQ(job.value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_RANGE);
    ox_schedule_for(TickEach, 10, INT32_MIN, OX_NO_JOB, {.count = &count});
    EXPECT_REPORT(&reports, OX_REPORT_BAD_RANGE);
    ox_schedule_for(TickEach, 0, 0, OX_NO_JOB, {.count = &count});
    EXPECT_REPORT(&reports, OX_REPORT_BAD_RANGE);
    end_misuse();
    EXPECT_EQ(count, 0);
}

TEST(jobs_misuse, bad_range_of_run_for_is_reported) {
    oxi_atomic_u32 count = 0;
    begin_misuse(0);
    ox_run_for(TickEach, -1, 1, {.count = &count});
    EXPECT_REPORT(&reports, OX_REPORT_BAD_RANGE);
    ox_run_for(TickEach, 1, 0, {.count = &count});
    EXPECT_REPORT(&reports, OX_REPORT_BAD_RANGE);
    end_misuse();
    EXPECT_EQ(count, 0);
}

TEST(jobs_misuse, negative_number_of_handles_is_reported) {
    begin_misuse(0);
    ox_job none = OX_NO_JOB;
    EXPECT_EQ(ox_combine_at(&none, -1, OX_HERE).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_RANGE);
    ox_complete_at(&none, -1, OX_HERE);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_RANGE);
    end_misuse();
}

// NULL.

TEST(jobs_misuse, no_type_is_reported) {
    int data = 0;
    begin_misuse(0);
    EXPECT_EQ(ox_schedule_at(NULL, OX_NO_JOB, &data, OX_HERE).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_schedule_for_at(NULL, 1, 1, OX_NO_JOB, &data, OX_HERE).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_schedule_background_at(NULL, OX_NO_JOB, &data, OX_HERE).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    ox_run_at(NULL, &data, OX_HERE);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    ox_run_for_at(NULL, 1, 1, &data, OX_HERE);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    end_misuse();
}

TEST(jobs_misuse, no_data_for_a_struct_is_reported) {
    begin_misuse(0);
    ox_job job = ox_schedule_at(ox_job_type_of(Tick), OX_NO_JOB, NULL, OX_HERE);
    EXPECT_EQ(job.value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    ox_run_at(ox_job_type_of(Tick), NULL, OX_HERE);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    end_misuse();
}

TEST(jobs_misuse, no_handles_are_reported) {
    begin_misuse(0);
    EXPECT_EQ(ox_combine_at(NULL, 3, OX_HERE).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    ox_complete_at(NULL, 3, OX_HERE);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    end_misuse();
}

// Job types.

static void do_nothing(void *data) {
    (void)data;
}

static void expect_bad_type(ox_job_type type, bool is_parallel, const char *why) {
    static const char data[16];
    uint32_t slots = slots_in_use();
    ox_job job = is_parallel ? ox_schedule_for_at(&type, 4, 1, OX_NO_JOB, data, OX_HERE)
                             : ox_schedule_at(&type, OX_NO_JOB, data, OX_HERE);
    EXPECT_EQ(job.value, 0);
    EXPECT_HAS(reports.text, why);
    EXPECT_HAS(reports.text, "Bad");
    EXPECT_REPORT(&reports, OX_REPORT_BAD_JOB_TYPE);
    if (is_parallel) {
        ox_run_for_at(&type, 4, 1, data, OX_HERE);
    } else {
        ox_run_at(&type, data, OX_HERE);
    }
    EXPECT_REPORT(&reports, OX_REPORT_BAD_JOB_TYPE);
    EXPECT_EQ(slots_in_use(), slots);
}

TEST(jobs_misuse, type_without_the_function_is_reported) {
    begin_misuse(0);
    expect_bad_type((ox_job_type){.type = {.name = "Bad"}}, false, "single");
    expect_bad_type((ox_job_type){.type = {.name = "Bad"}}, true, "parallel");
    end_misuse();
}

TEST(jobs_misuse, wrong_kind_of_job_is_reported) {
    oxi_atomic_u32 count = 0;
    begin_misuse(0);
    EXPECT_EQ(
        ox_schedule_at(ox_job_type_of(TickEach), OX_NO_JOB, &(TickEach){.count = &count}, OX_HERE)
            .value,
        0);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_JOB_TYPE);
    EXPECT_EQ(ox_schedule_background_at(ox_job_type_of(TickEach), OX_NO_JOB,
                                        &(TickEach){.count = &count}, OX_HERE)
                  .value,
              0);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_JOB_TYPE);
    EXPECT_EQ(
        ox_schedule_for_at(ox_job_type_of(Tick), 1, 1, OX_NO_JOB, &(Tick){.count = &count}, OX_HERE)
            .value,
        0);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_JOB_TYPE);
    ox_complete(ox_schedule(Tick, OX_NO_JOB, {.count = &count}));
    EXPECT_EQ(
        ox_schedule_for_at(ox_job_type_of(Tick), 1, 1, OX_NO_JOB, &(Tick){.count = &count}, OX_HERE)
            .value,
        0);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_JOB_TYPE);
    end_misuse();
    EXPECT_EQ(count, 1);
}

TEST(jobs_misuse, size_and_alignment_out_of_bounds_are_reported) {
    static const size_t sizes[] = {(size_t)OX_MAX_JOB_SIZE + 1, SIZE_MAX};
    static const size_t aligns[] = {3, 65, 128, 4096, SIZE_MAX};
    begin_misuse(0);
    for (int k = 0; k < 2; k++) {
        ox_type type = {.name = "Bad", .size = sizes[k], .align = 8};
        expect_bad_type((ox_job_type){.type = type, .run = do_nothing}, false, "larger");
    }
    for (int k = 0; k < 5; k++) {
        ox_type type = {.name = "Bad", .size = 8, .align = aligns[k]};
        expect_bad_type((ox_job_type){.type = type, .run = do_nothing}, false, "alignment");
    }
    end_misuse();
}

// Threads.

static oxi_atomic_u32 misused;

static void call_everything(void) {
    static const ox_job none = {0};
    oxi_atomic_u32 *count = &misused;
    ox_schedule(Tick, OX_NO_JOB, {.count = count});
    ox_schedule_for(TickEach, 4, 1, OX_NO_JOB, {.count = count});
    ox_schedule_background(Tick, OX_NO_JOB, {.count = count});
    ox_run(Tick, {.count = count});
    ox_run_for(TickEach, 4, 1, {.count = count});
    ox_combine_at(&none, 1, OX_HERE);
    ox_complete_at(&none, 1, OX_HERE);
    ox_jobs_kick();
    ox_jobs_set_active_workers(0);
    ox_jobs_stop();
}

enum { CALLS_OF_EVERYTHING = 10 };

static void call_everything_elsewhere(void *context) {
    (void)context;
    call_everything();
}

// call_everything gave one report of this kind for each call.
static void expect_all_refused(ox_report_id id) {
    EXPECT_EQ(reports.count, CALLS_OF_EVERYTHING);
    EXPECT_EQ(reports.last, id);
    EXPECT_EQ(misused, 0);
    EXPECT_EQ(atomic_load(&oxi_jobs.active), oxi_jobs.worker_count);
    reports.count = 0;
}

TEST(jobs_misuse, calls_from_another_thread_are_reported) {
    begin_misuse(1);
    oxi_thread thread;
    EXPECT(oxi_thread_start(&thread, call_everything_elsewhere, NULL, "other"));
    oxi_thread_join(&thread);
    expect_all_refused(OX_REPORT_NOT_MAIN);
    end_misuse();
}

OX_JOB(CallEverything, { OX_NO_SAFETY oxi_atomic_u32 *done; }) {
    call_everything();
    atomic_fetch_add(job->done, 1);
}

OX_PARALLEL_JOB(CallEverythingEach, { OX_NO_SAFETY oxi_atomic_u32 *done; }) {
    call_everything();
    atomic_fetch_add(job->done, 1);
}

TEST(jobs_misuse, calls_from_a_job_on_a_worker_are_reported) {
    oxi_atomic_u32 done = 0;
    begin_misuse(1);
    ox_job job = ox_schedule(CallEverything, OX_NO_JOB, {.done = &done});
    ox_jobs_kick();
    wait_for_value(&done, 1, "the job");
    ox_complete(job);
    expect_all_refused(OX_REPORT_NOT_MAIN);
    end_misuse();
}

TEST(jobs_misuse, calls_from_a_background_job_are_reported) {
    oxi_atomic_u32 done = 0;
    begin_misuse(0);
    ox_job job = ox_schedule_background(CallEverything, OX_NO_JOB, {.done = &done});
    ox_jobs_kick();
    wait_for_value(&done, 1, "the job");
    ox_complete(job);
    expect_all_refused(OX_REPORT_NOT_MAIN);
    end_misuse();
}

TEST(jobs_misuse, calls_from_a_job_on_main_are_reported) {
    oxi_atomic_u32 done = 0;
    begin_misuse(0);
    ox_complete(ox_schedule(CallEverything, OX_NO_JOB, {.done = &done}));
    expect_all_refused(OX_REPORT_INSIDE_JOB);
    ox_complete(ox_schedule_for(CallEverythingEach, 1, 1, OX_NO_JOB, {.done = &done}));
    expect_all_refused(OX_REPORT_INSIDE_JOB);
    ox_run(CallEverything, {.done = &done});
    expect_all_refused(OX_REPORT_INSIDE_JOB);
    ox_run_for(CallEverythingEach, 1, 1, {.done = &done});
    expect_all_refused(OX_REPORT_INSIDE_JOB);
    EXPECT_EQ(done, 4);
    end_misuse();
}

OX_JOB(ScheduleTick, { OX_NO_SAFETY oxi_atomic_u32 *count; }) {
    ox_schedule(Tick, OX_NO_JOB, {.count = job->count});
}

TEST(jobs_misuse, report_names_the_job_that_was_to_be_scheduled) {
    oxi_atomic_u32 count = 0;
    begin_misuse(0);
    ox_run(ScheduleTick, {.count = &count});
    EXPECT_HAS(reports.text, "ox_schedule ('Tick')");
    EXPECT_REPORT(&reports, OX_REPORT_INSIDE_JOB);
    end_misuse();
    EXPECT_EQ(count, 0);
}

OX_JOB(StartAgain, { OX_NO_SAFETY oxi_atomic_u32 *started; }) {
    atomic_fetch_add(job->started, ox_jobs_start(NULL));
}

TEST(jobs_misuse, start_while_running_is_reported) {
    oxi_atomic_u32 started = 0;
    begin_misuse(1);
    EXPECT(!ox_jobs_start(NULL));
    EXPECT_REPORT(&reports, OX_REPORT_JOBS_RUNNING);
    ox_complete(ox_schedule(StartAgain, OX_NO_JOB, {.started = &started}));
    EXPECT_REPORT(&reports, OX_REPORT_JOBS_RUNNING);
    EXPECT_EQ(started, 0);
    EXPECT_EQ(ox_worker_count(), 1);
    end_misuse();
}

// Defs.

TEST(jobs_misuse, def_that_was_not_zeroed_is_reported) {
    ox_jobs_def def;
    memset(&def, 0xCD, sizeof def);
    collect_reports(&reports);
    EXPECT(!ox_jobs_start(&def));
    EXPECT_REPORT(&reports, OX_REPORT_DEF_GARBAGE);
    EXPECT_EQ(ox_jobs_get_def().background_count, 0);
    EXPECT(!ox_jobs_start(&(ox_jobs_def){._guard_end = 1}));
    EXPECT_REPORT(&reports, OX_REPORT_DEF_GARBAGE);
    end_misuse();
}

TEST(jobs_misuse, negative_fields_of_a_def_are_reported) {
    static const ox_jobs_def defs[] = {{.worker_count = -2},
                                       {.worker_count = INT32_MIN},
                                       {.reserved_cores = -1},
                                       {.background_count = -1},
                                       {.spin_us = -2}};
    collect_reports(&reports);
    for (int k = 0; k < 5; k++) {
        EXPECT(!ox_jobs_start(&defs[k]));
        EXPECT_REPORT(&reports, OX_REPORT_BAD_JOBS_DEF);
    }
    EXPECT(!oxi_jobs.is_running);
    end_misuse();
}

// Stop.

TEST(jobs_misuse, outstanding_jobs_at_stop_are_run_and_reported) {
    oxi_atomic_u32 count = 0;
    for (int workers = 0; workers < 3; workers++) {
        atomic_store(&count, 0);
        begin_misuse(workers);
        ox_job first = ox_schedule(Tick, OX_NO_JOB, {.count = &count});
        ox_job second = ox_schedule_for(TickEach, 10, 3, first, {.count = &count});
        ox_combine(first, second);
        ox_jobs_stop();
        EXPECT_EQ(count, 11);
        EXPECT_HAS(reports.text, "2 jobs were outstanding");
        EXPECT_REPORT(&reports, OX_REPORT_JOBS_OUTSTANDING);
        EXPECT(ox_job_is_complete(second));
    }
}

// Threads and memory that the system refuses.

static bool start_with_fault(int workers, oxi_fault_mode mode, uint64_t n) {
    ox_jobs_stop();
    oxi_fault_plan(mode, n);
    bool started = ox_jobs_start(&(ox_jobs_def){.worker_count = workers});
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    return started;
}

// The number of the fallible call of a start that starts the first thread.
static uint64_t find_first_thread_call(int workers) {
    uint64_t n = 0;
    collect_reports(&reports);
    while (!start_with_fault(workers, OXI_FAULT_FROM, n)) {
        n++;
    }
    ox_jobs_stop();
    return n;
}

static ox_job schedule_chain(int length, oxi_atomic_u32 *count) {
    ox_job last = OX_NO_JOB;
    for (int k = 0; k < length; k++) {
        last = ox_schedule(Tick, last, {.count = count});
    }
    return last;
}

TEST(jobs_misuse, threads_that_are_refused_are_reported_and_left_out) {
    oxi_atomic_u32 count = 0;
    uint64_t calls = find_first_thread_call(3);
    collect_reports(&reports);
    watch_for_hang("a chain with no thread at all");

    EXPECT(start_with_fault(3, OXI_FAULT_FROM, calls));

    EXPECT(reports.count >= 1);
    EXPECT_EQ(reports.last, OX_REPORT_THREAD_NOT_STARTED);
    EXPECT_HAS(reports.text, "oxbow-");
    EXPECT_EQ(ox_worker_count(), 0);
    ox_job last = schedule_chain(1000, &count);
    ox_jobs_kick();
    ox_complete(last);
    EXPECT_EQ(count, 1000);
    ox_jobs_stop();
    end_watch();
}

TEST(jobs_misuse, worker_that_is_refused_does_not_hold_up_the_others) {
    oxi_atomic_u32 count = 0;
    uint64_t calls = find_first_thread_call(3);
    collect_reports(&reports);
    watch_for_hang("work beside a refused worker");
    for (uint64_t k = 0; k < 3; k++) {
        EXPECT(start_with_fault(3, OXI_FAULT_ONE, calls + k));
        EXPECT_REPORT(&reports, OX_REPORT_THREAD_NOT_STARTED);
        for (int active = 3; active >= 0; active--) {
            ox_jobs_set_active_workers(active);
            ox_job last = schedule_chain(500, &count);
            ox_jobs_kick();
            ox_complete(last);
        }
        ox_jobs_stop();
    }
    EXPECT_EQ(count, 6000);
    end_watch();
}

TEST(jobs_misuse, background_thread_that_is_refused_is_reported) {
    oxi_atomic_u32 count = 0;
    begin_misuse(0);
    ox_complete(schedule_chain(3, &count));
    oxi_fault_plan(OXI_FAULT_ONE, 0);
    ox_job job = ox_schedule_background(Tick, OX_NO_JOB, {.count = &count});
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT_EQ(job.value, 0);
    EXPECT_HAS(reports.text, "thread 'oxbow-bg0' was refused");
    EXPECT_REPORT(&reports, OX_REPORT_THREAD_NOT_STARTED);
    ox_complete(ox_schedule_background(Tick, OX_NO_JOB, {.count = &count}));
    EXPECT_EQ(count, 4);
    end_misuse();
}

// The limit is moved close: two million jobs take long.
TEST(jobs_misuse, too_many_jobs_are_reported_and_refused) {
    oxi_atomic_u32 count = 0;
    begin_misuse(1);
    size_t reserved = oxi_jobs.slot_region.reserved;
    oxi_jobs.slot_region.reserved = 101 * sizeof(oxi_slot);
    for (int k = 0; k < 100; k++) {
        EXPECT_NE(ox_schedule(Tick, OX_NO_JOB, {.count = &count}).value, 0);
    }

    EXPECT_EQ(ox_schedule(Tick, OX_NO_JOB, {.count = &count}).value, 0);
    EXPECT_HAS(reports.text, "'Tick' is refused, 100 slots are in use");
    EXPECT_REPORT(&reports, OX_REPORT_TOO_MANY_JOBS);
    ox_job handles[2] = {{5}, {6}};
    EXPECT_EQ(ox_combine_at(handles, 2, OX_HERE).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_TOO_MANY_JOBS);
    ox_run(Tick, {.count = &count});
    EXPECT_REPORT(&reports, OX_REPORT_TOO_MANY_JOBS);

    oxi_jobs.slot_region.reserved = reserved;
    ox_jobs_stop();
    EXPECT_REPORT(&reports, OX_REPORT_JOBS_OUTSTANDING);
    EXPECT_EQ(count, 100);
}

TEST(jobs_misuse, combination_of_many_with_no_room_left_is_none) {
    oxi_atomic_u32 count = 0;
    begin_misuse(0);
    size_t reserved = oxi_jobs.slot_region.reserved;
    ox_job jobs[100];
    for (int k = 0; k < 100; k++) {
        jobs[k] = ox_schedule(Tick, OX_NO_JOB, {.count = &count});
    }
    oxi_jobs.slot_region.reserved = 106 * sizeof(oxi_slot);

    ox_job all = ox_combine_at(jobs, 100, OX_HERE);

    oxi_jobs.slot_region.reserved = reserved;
    EXPECT_EQ(all.value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_TOO_MANY_JOBS);
    ox_complete_at(jobs, 100, OX_HERE);
    EXPECT_EQ(count, 100);
    end_misuse();
}

// Handles of any bits.

static void use_handle(ox_job garbage, oxi_atomic_u32 *count) {
    EXPECT(ox_job_is_complete(garbage));
    ox_job job = ox_schedule(Tick, garbage, {.count = count});
    ox_job loop = ox_schedule_for(TickEach, 2, 1, garbage, {.count = count});
    ox_job both = ox_combine(job, garbage, loop, garbage);
    ox_complete(garbage, both);
    ox_complete(garbage);
    EXPECT(ox_job_is_complete(garbage));
}

TEST(jobs_misuse, garbage_handles_count_as_complete) {
    static const uint64_t values[] = {1,
                                      5,
                                      1 << 24,
                                      0xFFFFFF,
                                      1u << 25,
                                      UINT64_MAX - 1,
                                      UINT64_C(1) << 63,
                                      UINT64_MAX << 24,
                                      (UINT64_MAX << 24) | 1};
    oxi_atomic_u32 count = 0;
    watch_for_hang("the use of a garbage handle");
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        EXPECT(ox_job_is_complete((ox_job){values[k]}));
        begin_misuse(1);
        EXPECT(ox_job_is_complete((ox_job){values[k]}));
        ox_complete((ox_job){values[k]});
        use_handle((ox_job){values[k]}, &count);
        end_misuse();
        EXPECT(ox_job_is_complete((ox_job){values[k]}));
    }
    EXPECT_EQ(count, 3 * sizeof values / sizeof *values);
    end_watch();
}

TEST(jobs_misuse, random_handles_count_as_complete) {
    oxi_random random = oxi_random_seed(test_seed(60));
    oxi_atomic_u32 count = 0;
    begin_misuse(1);
    watch_for_hang("the use of a random handle");
    uint64_t rounds = test_scaled(1000);
    for (uint64_t k = 0; k < rounds; k++) {
        // Places that exist, with versions that were never given.
        uint64_t value = oxi_random_next_u64(&random) | UINT64_C(1) << 60;
        use_handle((ox_job){k % 2 == 0 ? value : (value & ~OXI_EDGE_MASK) | value % 10}, &count);
    }
    EXPECT_EQ(count, rounds * 3);
    end_misuse();
    end_watch();
}

TEST(jobs_misuse, handle_with_a_version_of_the_future_counts_as_complete) {
    oxi_atomic_u32 count = 0;
    begin_misuse(0);
    watch_for_hang("the use of a handle of the future");
    ox_job job = ox_schedule(Tick, OX_NO_JOB, {.count = &count});
    ox_complete(job);
    ox_job future = {job.value + (UINT64_C(1) << OXI_INDEX_BITS)};

    EXPECT(ox_job_is_complete(future));
    ox_complete(future);

    end_misuse();
    end_watch();
}

TEST(jobs_misuse, failed_start_leaves_handles_complete) {
    collect_reports(&reports);
    for (uint64_t n = 0; n < 8; n++) {
        if (!start_with_fault(1, OXI_FAULT_FROM, n)) {
            EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
        }
        reports.count = 0;
        EXPECT(ox_job_is_complete((ox_job){1 << 24}));
        EXPECT(ox_job_is_complete((ox_job){(1 << 24) + 1}));
        ox_jobs_stop();
    }
}

TEST(jobs_misuse, a_combination_of_auto_is_reported_wherever_it_stands) {
    oxi_atomic_u32 count = 0;
    begin_misuse(0);
    ox_job job = ox_schedule(Tick, OX_NO_JOB, {.count = &count});

    EXPECT_EQ(ox_combine(OX_AUTO, job).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_AUTO_AFTER);
    EXPECT_EQ(ox_combine(job, OX_AUTO).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_AUTO_AFTER);

    ox_complete(job);
    end_misuse();
}

// The gate.

typedef struct gate_notes {
    int asked, scheduled, completed;
    int after_count;
    ox_job after[128];
    const ox_job_type *type;
    ox_job last;
    ox_site site;
} gate_notes;

static bool refuse_every_second(const oxi_job_request *request, void *context) {
    gate_notes *notes = context;
    EXPECT(request->type != NULL && request->data != NULL && request->site != NULL);
    return notes->asked++ % 2 == 0;
}

static void note_scheduled(ox_job job, const ox_job_type *type, const ox_job *after, int count,
                           ox_site site, void *context) {
    gate_notes *notes = context;
    notes->scheduled++;
    notes->last = job;
    notes->type = type;
    notes->site = site;
    notes->after_count = count;
    for (int k = 0; k < count && k < 128; k++) {
        notes->after[k] = after[k];
    }
}

static void note_completed(const ox_job *jobs, int count, ox_site site, void *context) {
    gate_notes *notes = context;
    notes->completed += count;
    notes->last = jobs[0];
    notes->site = site;
}

static oxi_job_gate make_gate(gate_notes *notes) {
    return (oxi_job_gate){
        .scheduled = note_scheduled, .completed = note_completed, .context = notes};
}

TEST(jobs_gate, refused_jobs_are_none_and_take_no_slot) {
    oxi_atomic_u32 count = 0;
    gate_notes notes = {0};
    oxi_job_gate gate = {
        .allow = refuse_every_second, .scheduled = note_scheduled, .context = &notes};
    begin_misuse(0);
    oxi_jobs_set_gate(&gate);
    for (int k = 0; k < 1000; k++) {
        ox_job job = k % 4 < 2 ? ox_schedule(Tick, OX_NO_JOB, {.count = &count})
                               : ox_schedule_for(TickEach, 1, 1, OX_NO_JOB, {.count = &count});
        EXPECT_EQ(job.value != 0, k % 2 == 0);
        EXPECT_EQ(ox_job_is_complete(job), k % 2 == 1);
        ox_complete(job);
    }
    oxi_jobs_set_gate(NULL);

    EXPECT_EQ(count, 500);
    EXPECT_EQ(notes.scheduled, 500);
    EXPECT(slots_in_use() < 5);
    end_misuse();
}

TEST(jobs_gate, refused_jobs_do_not_run_in_place_either) {
    oxi_atomic_u32 count = 0;
    gate_notes notes = {0};
    oxi_job_gate gate = {.allow = refuse_every_second, .context = &notes};
    begin_misuse(0);
    oxi_jobs_set_gate(&gate);
    for (int k = 0; k < 4; k++) {
        ox_run(Tick, {.count = &count});
    }
    oxi_jobs_set_gate(NULL);
    EXPECT_EQ(count, 2);
    end_misuse();
}

TEST(jobs_gate, hears_of_jobs_with_their_predecessor) {
    oxi_atomic_u32 count = 0;
    gate_notes notes = {0};
    oxi_job_gate gate = make_gate(&notes);
    begin_misuse(0);
    oxi_jobs_set_gate(&gate);
    ox_job first = ox_schedule(Tick, OX_NO_JOB, {.count = &count});
    EXPECT_EQ(notes.last.value, first.value);
    EXPECT_EQ(notes.type, ox_job_type_of(Tick));
    ox_complete(first);
    EXPECT_EQ(notes.completed, 1);

    ox_job second = ox_schedule(Tick, first, {.count = &count});

    EXPECT_EQ(notes.after_count, 1);
    EXPECT_EQ(notes.after[0].value, first.value);
    EXPECT_HAS(notes.site, "test_jobs_misuse.c");
    ox_complete(second);
    EXPECT_EQ(notes.last.value, second.value);
    oxi_jobs_set_gate(NULL);
    end_misuse();
}

TEST(jobs_gate, hears_of_combinations_with_all_their_parts) {
    oxi_atomic_u32 count = 0;
    gate_notes notes = {0};
    oxi_job_gate gate = make_gate(&notes);
    begin_misuse(0);
    ox_job jobs[100];
    for (int k = 0; k < 100; k++) {
        jobs[k] = ox_schedule(Tick, OX_NO_JOB, {.count = &count});
    }
    ox_complete_at(jobs, 50, OX_HERE);
    oxi_jobs_set_gate(&gate);

    ox_job all = ox_combine_at(jobs, 100, OX_HERE);

    EXPECT_EQ(notes.scheduled, 1);
    EXPECT_EQ(notes.type, NULL);
    EXPECT_EQ(notes.last.value, all.value);
    EXPECT_EQ(notes.after_count, 100);
    EXPECT_EQ(memcmp(notes.after, jobs, sizeof jobs), 0);
    ox_complete(all);
    EXPECT_EQ(notes.completed, 1);
    oxi_jobs_set_gate(NULL);
    end_misuse();
}

static void note_copy(void *copy, const oxi_job_request *request, uint32_t order, void *context) {
    gate_notes *notes = context;
    EXPECT(order != 0);
    EXPECT_EQ(memcmp(copy, request->data, request->type->type.size), 0);
    notes->asked++;
}

TEST(jobs_gate, sees_the_copy_of_each_job_before_it_runs) {
    oxi_atomic_u32 count = 0;
    gate_notes notes = {0};
    oxi_job_gate gate = {.copied = note_copy, .context = &notes};
    begin_misuse(0);
    oxi_jobs_set_gate(&gate);
    ox_complete(ox_schedule(Tick, OX_NO_JOB, {.count = &count}),
                ox_schedule_for(TickEach, 4, 2, OX_NO_JOB, {.count = &count}));
    ox_run(Tick, {.count = &count});
    oxi_jobs_set_gate(NULL);
    EXPECT_EQ(notes.asked, 3);
    end_misuse();
}

static bool settle_as_told(ox_job job, void *context) {
    return job.value != 0 && *(bool *)context;
}

TEST(jobs_gate, decides_whether_a_job_that_is_done_is_settled) {
    oxi_atomic_u32 count = 0;
    bool is_settled = false;
    oxi_job_gate gate = {.context = &is_settled};
    begin_misuse(0);
    ox_job job = ox_schedule(Tick, OX_NO_JOB, {.count = &count});
    EXPECT(!oxi_job_is_settled(job));
    ox_complete(job);
    EXPECT(oxi_job_is_settled(job)); // there is no gate
    oxi_jobs_set_gate(&gate);
    EXPECT(oxi_job_is_settled(job)); // it is not asked
    gate.is_settled = settle_as_told;
    EXPECT(!oxi_job_is_settled(job));
    is_settled = true;
    EXPECT(oxi_job_is_settled(job));
    oxi_jobs_set_gate(NULL);
    end_misuse();
}

static bool refuse_combination(int count, void *context) {
    (void)context;
    return count != 2;
}

TEST(jobs_gate, refused_combinations_are_reported) {
    oxi_atomic_u32 count = 0;
    oxi_job_gate gate = {.allow_combination = refuse_combination};
    begin_misuse(0);
    ox_job first = ox_schedule(Tick, OX_NO_JOB, {.count = &count});
    ox_job second = ox_schedule(Tick, OX_NO_JOB, {.count = &count});
    oxi_jobs_set_gate(&gate);
    EXPECT_EQ(ox_combine(first, second).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    EXPECT_NE(ox_combine(first, second, second).value, 0);
    oxi_jobs_set_gate(NULL);
    ox_complete(first, second);
    end_misuse();
}
