// SPDX-License-Identifier: MIT
//
// Publishing without waking: little work waits until there is more of it, or until somebody says
// so; and none of it is forgotten.

#include "jobs_test.h"

#include "jobs/complete.h"
#include "jobs/parking.h"
#include "jobs/timing.h"

OX_JOB(Tick, { OX_NO_SAFETY oxi_atomic_u32 *count; }) {
    atomic_fetch_add(job->count, 1);
}

OX_PARALLEL_JOB(TickEach, { OX_NO_SAFETY oxi_atomic_u32 *count; }) {
    atomic_fetch_add(job->count, 1);
}

// Starts workers that sleep, and lets them believe that a run, or an index, takes so long.
static void begin_parked(int workers, uint32_t average_ns) {
    start_workers_of_test(workers);
    ox_job_type_of(Tick)->oxi_average_ns = average_ns;
    ox_job_type_of(TickEach)->oxi_average_ns = average_ns;
    wait_until_parked();
}

static ox_job publish_tick(oxi_atomic_u32 *count) {
    ox_job job = ox_schedule(Tick, OX_NO_JOB, {.count = count});
    oxi_jobs_publish();
    return job;
}

// Waits without helping until workers have run so many jobs, and sleep again.
static void expect_runs_of_workers(oxi_atomic_u32 *count, uint32_t value) {
    wait_for_value(count, value, "published jobs");
    wait_until_parked();
    ox_jobs_stop();
}

static void wake_and_expect(oxi_atomic_u32 *count, uint32_t value) {
    oxi_jobs_wake();
    expect_runs_of_workers(count, value);
}

static void end_with_outstanding(void) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_jobs_stop();
    EXPECT_REPORT(&reports, OX_REPORT_JOBS_OUTSTANDING);
}

TEST(jobs_publish, wakes_nobody_for_little) {
    oxi_atomic_u32 count = 0;
    begin_parked(2, 1000);

    for (int k = 0; k < 10; k++) {
        publish_tick(&count);
    }

    EXPECT_EQ(oxi_jobs_count_idle(), 2);
    EXPECT_EQ(count, 0);
    wake_and_expect(&count, 10);
}

TEST(jobs_publish, wakes_a_worker_once_there_is_enough) {
    oxi_atomic_u32 count = 0;
    begin_parked(1, OXI_WAKE_NS / 5);
    for (int k = 0; k < 5; k++) {
        publish_tick(&count);
    }
    EXPECT_EQ(oxi_jobs_count_idle(), 1);

    publish_tick(&count);

    expect_runs_of_workers(&count, 6);
}

TEST(jobs_publish, wakes_at_once_for_jobs_that_were_never_timed) {
    oxi_atomic_u32 count = 0;
    begin_parked(1, 0);

    publish_tick(&count);

    expect_runs_of_workers(&count, 1);
}

TEST(jobs_publish, counts_the_indices_of_parallel_jobs) {
    oxi_atomic_u32 count = 0;
    begin_parked(1, 1000);

    ox_schedule_for(TickEach, 50, 10, OX_NO_JOB, {.count = &count});
    oxi_jobs_publish();
    EXPECT_EQ(oxi_jobs_count_idle(), 1);
    ox_schedule_for(TickEach, 1, 1, OX_NO_JOB, {.count = &count});
    oxi_jobs_publish();

    expect_runs_of_workers(&count, 51);
}

TEST(jobs_publish, counts_jobs_that_wait_for_others) {
    oxi_atomic_u32 count = 0;
    begin_parked(1, OXI_WAKE_NS);

    ox_job first = publish_tick(&count);
    EXPECT_EQ(oxi_jobs_count_idle(), 1);
    ox_schedule(Tick, first, {.count = &count});
    oxi_jobs_publish();

    expect_runs_of_workers(&count, 2);
}

TEST(jobs_publish, counts_no_combinations) {
    oxi_atomic_u32 count = 0;
    begin_parked(1, 1);
    ox_job first = publish_tick(&count), second = publish_tick(&count);

    for (int k = 0; k < 100; k++) {
        ox_combine(first, second);
        oxi_jobs_publish();
    }

    EXPECT_EQ(oxi_jobs_count_idle(), 1);
    EXPECT_EQ(count, 0);
    wake_and_expect(&count, 2);
}

TEST(jobs_publish, of_the_longest_jobs_is_counted_right) {
    oxi_atomic_u32 count = 0;
    begin_parked(1, UINT32_MAX);
    ox_job jobs[4];

    for (int k = 0; k < 4; k++) {
        jobs[k] = ox_schedule_for(TickEach, 1 << 16, 1 << 16, OX_NO_JOB, {.count = &count});
    }
    oxi_jobs_publish();

    wait_for_value(&count, 4 << 16, "long jobs");
    ox_complete_at(jobs, 4, OX_HERE);
    ox_jobs_stop();
}

TEST(jobs_publish, of_nothing_wakes_nobody) {
    begin_parked(2, 1);

    oxi_jobs_publish();
    oxi_jobs_wake();

    EXPECT_EQ(oxi_jobs_count_idle(), 2);
    ox_jobs_stop();
}

TEST(jobs_publish, is_found_by_a_worker_that_is_awake) {
    oxi_atomic_u32 count = 0;
    ox_jobs_stop();
    EXPECT(ox_jobs_start(&(ox_jobs_def){.worker_count = 1, .spin_us = 1000000000}));
    ox_job_type_of(Tick)->oxi_average_ns = 1;

    ox_job job = publish_tick(&count);

    wait_for_value(&count, 1, "a job that a worker looks for");
    EXPECT_EQ(oxi_jobs_count_idle(), 0);
    ox_complete(job);
    ox_jobs_stop();
}

TEST(jobs_publish, is_woken_for_by_a_kick) {
    oxi_atomic_u32 count = 0;
    begin_parked(1, 1);
    publish_tick(&count);

    ox_jobs_kick();

    expect_runs_of_workers(&count, 1);
}

TEST(jobs_publish, without_workers_leaves_all_to_main) {
    oxi_atomic_u32 count = 0;
    start_workers_of_test(0);

    ox_job job = publish_tick(&count);
    oxi_jobs_wake();
    EXPECT_EQ(oxi_jobs_count_idle(), 0);
    ox_complete(job);

    EXPECT_EQ(count, 1);
    ox_jobs_stop();
}

TEST(jobs_publish, is_completed_by_stop) {
    oxi_atomic_u32 count = 0;
    begin_parked(1, 1);
    publish_tick(&count);
    publish_tick(&count);

    end_with_outstanding();
    EXPECT_EQ(count, 2);

    oxi_jobs_publish();
    oxi_jobs_wake(); // nothing is left of it
}

// Completing what was published, and other things.

TEST(jobs_publish, of_one_job_that_main_completes_wakes_nobody) {
    oxi_atomic_u32 count = 0;
    begin_parked(1, OXI_WAKE_NS / 2);

    for (int k = 0; k < 100; k++) {
        ox_complete(publish_tick(&count));
        ox_job_type_of(Tick)->oxi_average_ns = OXI_WAKE_NS / 2; // one of the runs is timed
    }

    EXPECT_EQ(oxi_jobs_count_idle(), 1);
    EXPECT_EQ(count, 100);
    ox_jobs_stop();
}

TEST(jobs_publish, of_what_is_done_by_now_wakes_nobody) {
    oxi_atomic_u32 count = 0;
    begin_parked(1, 1);
    ox_job first = publish_tick(&count), second = publish_tick(&count);
    ox_complete(first, second);

    oxi_jobs_wake();

    EXPECT_EQ(oxi_jobs_count_idle(), 1);
    EXPECT_EQ(count, 2);
    ox_jobs_stop();
}

TEST(jobs_publish, is_woken_for_before_main_is_busy_with_something_else) {
    oxi_atomic_u32 count = 0, other = 0;
    begin_parked(1, OXI_WAKE_NS / 3);
    publish_tick(&count);
    publish_tick(&count);

    ox_complete(ox_schedule(Tick, OX_NO_JOB, {.count = &other}));

    EXPECT_EQ(other, 1);
    expect_runs_of_workers(&count, 2);
}

TEST(jobs_publish, is_not_woken_for_when_main_waits_for_nothing) {
    oxi_atomic_u32 count = 0;
    begin_parked(1, OXI_WAKE_NS / 3);
    ox_job done = ox_schedule(Tick, OX_NO_JOB, {.count = &count});
    ox_complete(done);
    publish_tick(&count);

    ox_complete(done, OX_NO_JOB);

    EXPECT_EQ(oxi_jobs_count_idle(), 1);
    EXPECT_EQ(count, 1);
    wake_and_expect(&count, 2);
}

TEST(jobs_publish, of_very_little_is_not_woken_for_by_a_complete) {
    oxi_atomic_u32 count = 0, other = 0;
    begin_parked(1, OXI_ALONE_NS / 3);
    publish_tick(&count);
    publish_tick(&count);

    ox_complete(ox_schedule(Tick, OX_NO_JOB, {.count = &other}));

    EXPECT_EQ(oxi_jobs_count_idle(), 1);
    EXPECT_EQ(count, 0);
    wake_and_expect(&count, 2);
}

enum { WAITS = 1, HAS_SEEN_FLAG = 2 };

OX_JOB(WaitForFlag, {
    OX_NO_SAFETY oxi_atomic_u32 *stage;
    OX_NO_SAFETY oxi_atomic_u32 *flag;
}) {
    atomic_store(job->stage, WAITS);
    for (int k = 0; k < WATCHDOG_SECONDS * 10000 && atomic_load(job->flag) == 0; k++) {
        sleep_us(100);
    }
    atomic_store(job->stage, atomic_load(job->flag) != 0 ? HAS_SEEN_FLAG : WAITS);
}

// One of two workers waits for a flag, the other sleeps.
static ox_job begin_waiting(oxi_atomic_u32 *stage, oxi_atomic_u32 *flag) {
    begin_parked(2, 1);
    ox_job job = ox_schedule(WaitForFlag, OX_NO_JOB, {.stage = stage, .flag = flag});
    ox_jobs_kick();
    wait_for_value(stage, WAITS, "the job that waits");
    while (oxi_jobs_count_idle() != 1 || atomic_load(&oxi_jobs.searching) != 0) {
        sleep_us(100);
    }
    return job;
}

// Main runs no parallel job that it does not wait for.
TEST(jobs_publish, is_woken_for_before_main_sleeps) {
    oxi_atomic_u32 stage = 0, count = 0;
    ox_job waiting = begin_waiting(&stage, &count);
    ox_job each = ox_schedule_for(TickEach, 1, 1, OX_NO_JOB, {.count = &count});
    oxi_jobs_publish();

    ox_complete(waiting);

    EXPECT_EQ(stage, HAS_SEEN_FLAG);
    ox_complete(each);
    ox_jobs_stop();
}

TEST(jobs_publish, is_not_woken_for_while_it_waits_for_a_job_that_runs) {
    oxi_atomic_u32 stage = 0, flag = 0, count = 0;
    ox_job waiting = begin_waiting(&stage, &flag);
    ox_job last = ox_schedule(Tick, waiting, {.count = &count});
    oxi_jobs_publish();

    oxi_jobs_wake();

    EXPECT_EQ(oxi_jobs_count_idle(), 1);
    atomic_store(&flag, 1);
    ox_complete(last);
    ox_jobs_stop();
}

// Jobs in random portions, never helped by main, while workers go to sleep.
static void publish_and_wait(oxi_random *random, oxi_atomic_u32 *count) {
    uint32_t before = atomic_load(count);
    uint32_t jobs = 1 + (uint32_t)oxi_random_below(random, 8);
    ox_job last = OX_NO_JOB;
    for (uint32_t k = 0; k < jobs; k++) {
        ox_job after = oxi_random_bool(random) ? last : OX_NO_JOB;
        last = ox_schedule(Tick, after, {.count = count});
        if (oxi_random_below(random, 2) == 0) {
            oxi_jobs_publish();
        }
    }
    oxi_jobs_publish();
    oxi_jobs_wake();
    for (int k = 0; atomic_load(count) < before + jobs && k < WATCHDOG_SECONDS * 10000; k++) {
        sleep_us(k < 1000 ? 1 : 100);
    }
    EXPECT_EQ(atomic_load(count), before + jobs);
}

static void look_for_forgotten_jobs(int workers, int spin_us) {
    oxi_random random = oxi_random_seed(test_seed(60 + (uint64_t)workers));
    oxi_atomic_u32 count = 0;
    ox_jobs_stop();
    EXPECT(ox_jobs_start(&(ox_jobs_def){.worker_count = workers, .spin_us = spin_us}));
    shake_schedules((uint64_t)workers * 5);
    for (uint64_t k = 0; k < test_scaled(1000); k++) {
        publish_and_wait(&random, &count);
        for (uint64_t pause = oxi_random_below(&random, 2000); pause > 0; pause--) {
            oxi_cpu_relax();
        }
    }
    oxi_yield_set_hook(NULL, NULL);
    wait_until_parked();
    ox_jobs_stop();
}

TEST(jobs_publish, forgets_nothing_with_workers_that_spin) {
    look_for_forgotten_jobs(1, 20);
    look_for_forgotten_jobs(3, 20);
}

TEST(jobs_publish, forgets_nothing_with_workers_that_sleep_at_once) {
    look_for_forgotten_jobs(1, OX_NO_SPIN);
    look_for_forgotten_jobs(3, OX_NO_SPIN);
}

TEST(jobs_publish, of_as_much_as_a_wake_up_takes_is_woken_for_by_a_complete) {
    oxi_atomic_u32 count = 0, other = 0;
    begin_parked(1, OXI_ALONE_NS / 2);
    publish_tick(&count);
    publish_tick(&count);

    ox_complete(ox_schedule(Tick, OX_NO_JOB, {.count = &other}));

    EXPECT_EQ(other, 1);
    expect_runs_of_workers(&count, 2);
}

OX_JOB(CountIdle, {
    OX_NO_SAFETY oxi_atomic_u32 *begun;
    OX_NO_SAFETY int *idle;
}) {
    atomic_store(job->begun, 1);
    for (int k = 0; k < WATCHDOG_SECONDS * 10000 && (atomic_load(&oxi_jobs.idle) & 1) == 0; k++) {
        sleep_us(100);
    }
    *job->idle = (atomic_load(&oxi_jobs.idle) & 1) != 0 ? oxi_jobs_count_idle() : -1;
}

TEST(jobs_publish, does_not_count_main_that_sleeps_as_an_idle_worker) {
    oxi_atomic_u32 begun = 0;
    int idle = -1;
    begin_parked(1, 1);
    ox_job job = ox_schedule(CountIdle, OX_NO_JOB, {.begun = &begun, .idle = &idle});
    ox_jobs_kick();
    wait_for_value(&begun, 1, "the job that counts");

    ox_complete(job);

    EXPECT_EQ(idle, 0);
    ox_jobs_stop();
}

TEST(jobs_publish, wakes_nobody_while_a_worker_searches) {
    oxi_atomic_u32 count = 0;
    begin_parked(2, 0);
    oxi_search_begin(); // as if there were a third one

    publish_tick(&count);
    oxi_wake_for_work();

    EXPECT_EQ(oxi_jobs_count_idle(), 2);
    EXPECT_EQ(count, 0);
    oxi_search_end(); // it leaves the job to others, and wakes one
    expect_runs_of_workers(&count, 1);
}

OX_JOB(AwaitTick, { OX_NO_SAFETY oxi_atomic_u32 *count; }) {
    for (int k = 0; k < 500 && atomic_load(job->count) == 0; k++) {
        sleep_us(100);
    }
}

// Main waits for a background thread, with time for whatever was kicked.
TEST(jobs_publish, without_workers_is_no_kick) {
    oxi_atomic_u32 count = 0, other = 0;
    start_workers_of_test(0);
    ox_job published = publish_tick(&count);
    ox_job before = ox_schedule_background(AwaitTick, OX_NO_JOB, {.count = &count});

    ox_complete(ox_schedule(Tick, before, {.count = &other}));

    EXPECT_EQ(other, 1);
    EXPECT_EQ(count, 0);
    ox_complete(published);
    EXPECT_EQ(count, 1);
    ox_jobs_stop();
}
