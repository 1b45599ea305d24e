// SPDX-License-Identifier: MIT
//
// Every fallible call of the job system is failed once, alone and together with all that follow.
// Whatever fails is refused with nothing lost: each job that got a handle runs, once.

#include "jobs_test.h"

#include "jobs/gate.h"
#include "jobs/ring.h"
#include "oxbow/memory.h"

#include <stdio.h>
#include <string.h>

static oxi_atomic_u32 expected, ran;

OX_JOB(Tick, { int unused; }) {
    atomic_fetch_add(&ran, 1);
}

OX_JOB(TickLarge, { char filler[20000]; }) {
    atomic_fetch_add(&ran, 1);
}

OX_PARALLEL_JOB(TickEach, { char filler[200]; }) {
    atomic_fetch_add(&ran, 1);
}

static int64_t count_to_30(const void *job) {
    (void)job;
    return 30;
}

OX_PARALLEL_JOB(TickSmall, { void *unused; }) {
    atomic_fetch_add(&ran, 1);
}

static ox_job expect_runs(ox_job job, uint32_t runs) {
    atomic_fetch_add(&expected, job.value != 0 ? runs : 0);
    return job;
}

static void begin_counting(void) {
    watch_for_hang("a scenario with failed calls");
    atomic_store(&expected, 0);
    atomic_store(&ran, 0);
}

static void end_counting(void) {
    ox_jobs_stop();
    end_watch();
    EXPECT_EQ(atomic_load(&ran), atomic_load(&expected));
    ox_frame_end();
    ox_memory_trim();
}

static ox_job schedule_tick(ox_job after) {
    return expect_runs(ox_schedule(Tick, after, {0}), 1);
}

static ox_job schedule_all_kinds(void) {
    ox_job many[100];
    for (int k = 0; k < 100; k++) {
        many[k] = schedule_tick(k > 0 ? many[k / 2] : OX_NO_JOB);
    }
    ox_job all = ox_combine_at(many, 100, OX_HERE);
    ox_job large = expect_runs(ox_schedule(TickLarge, all, {{0}}), 1);
    ox_job each = expect_runs(ox_schedule_for(TickEach, 50, 4, large, {{0}}), 50);
    ox_job counted = ox_schedule_for_counted(TickEach, count_to_30, 4, each, {{0}});
    each = expect_runs(counted, 30);
    ox_job background = expect_runs(ox_schedule_background(TickLarge, each, {{0}}), 1);
    background = expect_runs(ox_schedule_background(Tick, background, {0}), 1);
    return schedule_tick(background);
}

static void use_all_kinds(int workers) {
    begin_counting();
    if (ox_jobs_start(&(ox_jobs_def){.worker_count = workers})) {
        ox_job first = schedule_all_kinds();
        ox_jobs_kick();
        ox_complete(first);
        ox_complete(schedule_all_kinds());
        schedule_all_kinds();
        end_counting();
        return;
    }
    end_counting();
}

static void use_without_workers(void) {
    use_all_kinds(OX_NO_WORKERS);
}

static void use_with_workers(void) {
    use_all_kinds(2);
}

TEST(jobs_faults, all_kinds_without_workers) {
    test_fault_sweep("jobs without workers", use_without_workers);
}

TEST(jobs_faults, all_kinds_with_workers) {
    test_fault_sweep("jobs with workers", use_with_workers);
}

static void run_in_place(void) {
    begin_counting();
    TickLarge large = {{0}};
    ox_run(TickLarge, large);
    ox_run_for(TickEach, 10, 3, {{0}});
    ox_jobs_stop();
    end_watch();
    ox_memory_trim();
}

TEST(jobs_faults, in_place) {
    test_fault_sweep("jobs in place", run_in_place);
}

// A tail that has memory of its own, which notices when it is freed with another size.
static void schedule_with_tail(void) {
    static char tail[1 << 20];
    ox_job_type type = *ox_job_type_of(TickEach);
    type.oxi_has_tail = true;
    oxi_job_request request = {.type = &type,
                               .data = &(TickEach){{0}},
                               .site = OX_HERE,
                               .is_parallel = true,
                               .tail = tail,
                               .tail_size = sizeof tail};
    begin_counting();
    if (ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS})) {
        ox_complete(expect_runs(oxi_parallel_job_request(&request, 5, 1), 5));
    }
    end_counting();
}

TEST(jobs_faults, with_a_tail) {
    test_fault_sweep("jobs with a tail", schedule_with_tail);
}

// More jobs than lists and rings hold at first, and a chain that is deeper than a look goes.
static void overflow_queues(int workers) {
    enum { MANY = 3000 };
    static ox_job jobs[MANY];
    begin_counting();
    if (ox_jobs_start(&(ox_jobs_def){.worker_count = workers})) {
        ox_job first = schedule_tick(OX_NO_JOB);
        for (int k = 0; k < MANY; k++) {
            jobs[k] = schedule_tick(k < MANY / 2 ? OX_NO_JOB : first);
        }
        ox_job last = schedule_tick(OX_NO_JOB);
        for (int k = 0; k < 500; k++) {
            last = schedule_tick(last);
        }
        ox_jobs_kick();
        ox_complete(last);
        ox_complete_at(jobs, MANY, OX_HERE);
    }
    end_counting();
}

static void overflow_without_workers(void) {
    overflow_queues(OX_NO_WORKERS);
}

static void overflow_with_a_worker(void) {
    overflow_queues(1);
}

TEST(jobs_faults, queues_that_cannot_grow_without_workers) {
    test_fault_sweep("queues that grow, without workers", overflow_without_workers);
}

TEST(jobs_faults, queues_that_cannot_grow_with_a_worker) {
    test_fault_sweep("queues that grow, with a worker", overflow_with_a_worker);
}

static void show_many_at_once(void) {
    enum { MANY = 3000 };
    static ox_job jobs[MANY];
    begin_counting();
    if (ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS})) {
        for (int k = 0; k < MANY; k++) {
            jobs[k] = schedule_tick(OX_NO_JOB);
        }
        ox_complete_at(jobs, MANY, OX_HERE);
        for (int k = 0; k < 20; k++) {
            jobs[k] = expect_runs(ox_schedule_background(Tick, OX_NO_JOB, {0}), 1);
        }
        ox_complete_at(jobs, 20, OX_HERE);
    }
    end_counting();
}

TEST(jobs_faults, many_awaited_at_once) {
    test_fault_sweep("many awaited at once", show_many_at_once);
}

TEST(jobs_faults, in_place_without_memory_is_reported_and_keeps_no_slot) {
    collected_reports reports = {0};
    TickLarge large = {{0}};
    start_workers_of_test(0);
    ox_run(TickLarge, large);
    uint32_t slots = atomic_load(&oxi_jobs.slot_count), runs = atomic_load(&ran);
    collect_reports(&reports);

    for (int k = 0; k < 10; k++) {
        oxi_fault_plan(OXI_FAULT_FROM, 0);
        ox_run(TickLarge, large);
        oxi_fault_plan(OXI_FAULT_NONE, 0);
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    }

    EXPECT_EQ(atomic_load(&ran), runs);
    EXPECT_EQ(atomic_load(&oxi_jobs.slot_count), slots);
    ox_jobs_stop();
}

// The struct of the job is in its slot: there is nothing to free.
TEST(jobs_faults, parallel_without_memory_for_its_loop_is_refused) {
    collected_reports reports = {0};
    start_workers_of_test(0);
    ox_complete(ox_schedule(Tick, OX_NO_JOB, {0})); // the lists of jobs have room
    collect_reports(&reports);

    oxi_fault_plan(OXI_FAULT_FROM, 0);
    ox_job refused = ox_schedule_for(TickSmall, 10, 1, OX_NO_JOB, {.unused = &reports});
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT_EQ(refused.value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    ox_jobs_stop();
}

OX_JOB(AwaitRuns, {
    OX_NO_SAFETY oxi_atomic_u32 *begun;
    OX_NO_SAFETY oxi_atomic_u32 *seen;
    uint32_t runs;
}) {
    atomic_store(job->begun, 1);
    for (int k = 0; k < WATCHDOG_SECONDS * 10000 && atomic_load(&ran) < job->runs; k++) {
        sleep_us(100);
    }
    atomic_store(job->seen, atomic_load(&ran));
}

// The only worker waits for jobs that are in no queue, and main waits for the worker.
TEST(jobs_faults, main_runs_jobs_that_found_no_room_in_a_queue) {
    enum { JOBS = OXI_RING_SIZE + 10 };
    static ox_job jobs[JOBS];
    oxi_atomic_u32 begun = 0, seen = 0;
    start_workers_of_test(1);
    atomic_store(&ran, 0);
    ox_job waiting =
        ox_schedule(AwaitRuns, OX_NO_JOB, {.begun = &begun, .seen = &seen, .runs = JOBS});
    ox_jobs_kick();
    wait_for_value(&begun, 1, "the job that waits");
    ox_job_type_of(Tick)->oxi_average_ns = 0; // nothing that main would take for a short one
    for (int k = 0; k < JOBS; k++) {
        jobs[k] = ox_schedule(Tick, OX_NO_JOB, {0});
    }
    oxi_fault_plan(OXI_FAULT_FROM, 0);
    ox_jobs_kick();
    EXPECT(oxi_fault_get_failures() > 0);
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    ox_complete(waiting);

    EXPECT_EQ(seen, JOBS);
    ox_complete_at(jobs, JOBS, OX_HERE);
    ox_jobs_stop();
}

OX_JOB(AwaitMainAsleep, { OX_NO_SAFETY oxi_atomic_u32 *begun; }) {
    atomic_store(job->begun, 1);
    for (int k = 0; k < WATCHDOG_SECONDS * 10000 && (atomic_load(&oxi_jobs.idle) & 1) == 0; k++) {
        sleep_us(100);
    }
    sleep_us(10000); // main was about to sleep
    oxi_fault_plan(OXI_FAULT_FROM, 0);
}

// Of many jobs that a worker makes ready the first comes last, and the other worker is woken for
// those in the queue.
TEST(jobs_faults, main_is_woken_for_a_job_that_a_worker_found_no_room_for) {
    enum { JOBS = OXI_RING_SIZE + 10 };
    static ox_job jobs[JOBS];
    oxi_atomic_u32 begun = 0;
    watch_for_hang("complete of a job that is in no queue");
    start_workers_of_test(2);
    ox_job_type_of(Tick)->oxi_average_ns = 0; // nothing that a worker would keep in its hand
    ox_job before = ox_schedule(AwaitMainAsleep, OX_NO_JOB, {.begun = &begun});
    for (int k = 0; k < JOBS; k++) {
        jobs[k] = ox_schedule(Tick, before, {0});
    }
    ox_jobs_kick();
    wait_for_value(&begun, 1, "the job before");

    ox_complete(jobs[0]);

    EXPECT(oxi_fault_get_failures() > 0);
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    ox_complete_at(jobs, JOBS, OX_HERE);
    ox_jobs_stop();
    end_watch();
}

// Combinations end by themselves: nobody completes them.
static void combine_many(void) {
    ox_job a = ox_schedule(Tick, OX_NO_JOB, {0}), b = ox_schedule(Tick, OX_NO_JOB, {0});
    for (int k = 0; k < 1500; k++) {
        EXPECT(ox_combine(a, b).value != 0);
    }
    ox_complete(a, b);
}

TEST(jobs_faults, combinations_that_ended_leave_their_room_to_others) {
    start_workers_of_test(0);
    for (int k = 0; k < 4; k++) {
        combine_many();
    }

    oxi_fault_plan(OXI_FAULT_FROM, 0);
    for (int k = 0; k < 20; k++) {
        combine_many();
    }

    EXPECT_EQ(oxi_fault_get_failures(), 0);
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    ox_jobs_stop();
}

// Combinations of what is done have ended at once: the list of jobs to kick is cleared of them.
TEST(jobs_faults, jobs_that_are_not_kicked_stay_when_ended_combinations_make_room) {
    enum { MANY = 5000 };
    start_workers_of_test(1);
    ox_job done = ox_schedule(Tick, OX_NO_JOB, {0});
    ox_complete(done);
    atomic_store(&ran, 0);
    ox_schedule(Tick, OX_NO_JOB, {0});
    for (int k = 0; k < MANY; k++) {
        ox_combine(done, done);
    }
    ox_schedule(Tick, OX_NO_JOB, {0});

    ox_jobs_kick();

    wait_for_value(&ran, 2, "jobs that were scheduled before and after");
    ox_jobs_stop();
}

TEST(jobs_faults, eight_handles_are_combined_without_memory) {
    collected_reports reports = {0};
    ox_job jobs[OXI_EDGES + 1];
    start_workers_of_test(0);
    for (int k = 0; k <= OXI_EDGES; k++) {
        jobs[k] = ox_schedule(Tick, OX_NO_JOB, {0});
    }
    collect_reports(&reports);

    oxi_fault_plan(OXI_FAULT_FROM, 0);
    ox_job eight = ox_combine_at(jobs, OXI_EDGES, OX_HERE);
    EXPECT_EQ(reports.count, 0);
    ox_job nine = ox_combine_at(jobs, OXI_EDGES + 1, OX_HERE);
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT_NE(eight.value, 0);
    EXPECT_EQ(nine.value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    ox_complete(eight, jobs[OXI_EDGES]);
    ox_jobs_stop();
}

// What the process has reserved, in pages.
static long read_address_space(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    EXPECT(file != NULL && fscanf(file, "%ld", &pages) == 1);
    fclose(file);
    return pages;
}

TEST(jobs_faults, a_start_that_fails_leaves_no_address_space_behind) {
    collected_reports reports = {0};
    collect_reports(&reports);
    long slots = (long)(OXI_JOB_SLOTS * sizeof(oxi_slot) / oxi_page_size());
    uint64_t failures = 1;
    for (uint64_t n = 0; failures > 0; n++) {
        long before = read_address_space();
        oxi_fault_plan(OXI_FAULT_ONE, n);
        bool is_started = ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
        failures = oxi_fault_get_failures();
        oxi_fault_plan(OXI_FAULT_NONE, 0);
        ox_jobs_stop();
        EXPECT(is_started || reports.count > 0);
        EXPECT(read_address_space() - before < slots / 2);
    }
}
