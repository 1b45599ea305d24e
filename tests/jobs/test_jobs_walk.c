// SPDX-License-Identifier: MIT
//
// Main looks for what it waits for, however deep: nobody else is free to run it.

#include "jobs_test.h"

#include <unistd.h>

static oxi_atomic_u32 blocker_runs, chain_ended;

OX_JOB(Blocker, { int unused; }) {
    oxi_store_seq(&blocker_runs, 1);
    while (oxi_load_seq(&chain_ended) == 0) {
        oxi_thread_yield();
    }
}

OX_JOB(Link, { bool is_last; }) {
    if (job->is_last) {
        oxi_store_seq(&chain_ended, 1);
    }
}

// A chain that is kicked while the only worker waits for its end. Each round has job types that
// were never sampled, so main does not take their jobs for short ones.
static void complete_kicked_chain(int length) {
    ox_job_type_of(Link)->oxi_average_ns = 0;
    oxi_store_seq(&blocker_runs, 0);
    oxi_store_seq(&chain_ended, 0);
    ox_job blocker = ox_schedule(Blocker, OX_NO_JOB, {0});
    ox_jobs_kick();
    wait_for_value(&blocker_runs, 1, "the blocker");

    ox_job last = OX_NO_JOB;
    for (int k = 0; k < length; k++) {
        last = ox_schedule(Link, last, {k == length - 1});
    }
    ox_jobs_kick();
    ox_complete(last, blocker);
    EXPECT_EQ(oxi_load_seq(&chain_ended), 1);
}

TEST(jobs_walk, finds_the_first_of_a_kicked_chain_of_any_length) {
    alarm(20); // a main that gives up would sleep for ever
    start_workers_of_test(1);

    complete_kicked_chain(10);
    complete_kicked_chain(63);
    complete_kicked_chain(64);
    complete_kicked_chain(65);
    complete_kicked_chain(5000);

    ox_jobs_stop();
    alarm(0);
}

// An entry of a loop may stay in a ring when main ran all of it; its slot may run in place then.

static oxi_atomic_u32 slow_runs;

OX_PARALLEL_JOB(TouchEach, { int unused; }) {
}

OX_JOB(TouchOne, { int unused; }) {
}

OX_JOB(KeepBusy, { int unused; }) {
    oxi_store_release(&slow_runs, 1);
    sleep_us(20000);
}

TEST(jobs_walk, an_entry_of_a_loop_whose_slot_ran_in_place_is_passed_over) {
    start_workers_of_test(1);
    ox_job slow = ox_schedule(KeepBusy, OX_NO_JOB, {0}); // the worker takes nothing else
    ox_jobs_kick();
    wait_for_value(&slow_runs, 1, "the slow job");
    ox_job each = ox_schedule_for(TouchEach, 4, 1, OX_NO_JOB, {0});
    ox_jobs_kick();
    ox_complete(each);

    ox_run(TouchOne, {0});
    ox_complete(slow);

    EXPECT(ox_job_is_complete(slow));
    ox_jobs_stop();
}

OX_JOB(CountUp, { OX_NO_SAFETY oxi_atomic_u32 *count; }) {
    atomic_fetch_add(job->count, 1);
}

// Room is made in the list of jobs that are not kicked when it is full: most of it is stale then.
TEST(jobs_walk, jobs_that_are_not_kicked_stay_listed_when_others_are_forgotten) {
    enum { DONE = 600, LEFT = 600 };
    static ox_job done[DONE];
    oxi_atomic_u32 count = 0;
    start_workers_of_test(1);
    for (int k = 0; k < DONE; k++) {
        done[k] = ox_schedule(CountUp, OX_NO_JOB, {.count = &count});
    }
    for (int k = 0; k < LEFT / 2; k++) {
        ox_schedule(CountUp, OX_NO_JOB, {.count = &count});
    }
    ox_complete_at(done, DONE, OX_HERE);
    for (int k = 0; k < LEFT / 2; k++) {
        ox_schedule(CountUp, OX_NO_JOB, {.count = &count});
    }
    EXPECT_EQ(count, DONE);

    ox_jobs_kick();

    wait_for_value(&count, DONE + LEFT, "kicked jobs");
    ox_jobs_stop();
}

OX_JOB(Meet, {
    OX_NO_SAFETY oxi_atomic_u32 *begun;
    OX_NO_SAFETY oxi_atomic_u32 *met;
}) {
    atomic_fetch_add(job->begun, 1);
    for (int k = 0; k < WATCHDOG_SECONDS * 10000 && atomic_load(job->begun) < 2; k++) {
        sleep_us(100);
    }
    atomic_fetch_add(job->met, atomic_load(job->begun) == 2);
}

TEST(jobs_walk, workers_help_with_what_main_waits_for) {
    oxi_atomic_u32 begun = 0, met = 0;
    start_workers_of_test(1);
    ox_job first = ox_schedule(Meet, OX_NO_JOB, {.begun = &begun, .met = &met});
    ox_job second = ox_schedule(Meet, OX_NO_JOB, {.begun = &begun, .met = &met});

    ox_complete(first, second);

    EXPECT_EQ(met, 2);
    ox_jobs_stop();
}

OX_JOB(AwaitSleep, {
    OX_NO_SAFETY oxi_atomic_u32 *begun;
    OX_NO_SAFETY bool *sleeps;
}) {
    atomic_store(job->begun, 1);
    for (int k = 0; k < WATCHDOG_SECONDS * 10000 && !*job->sleeps; k++) {
        sleep_us(100);
        *job->sleeps = (atomic_load(&oxi_jobs.idle) & 1) != 0;
    }
}

// 2^40 ways lead back from the last job to the one that runs: no look comes to their end.
TEST(jobs_walk, main_sleeps_though_there_is_more_to_look_at) {
    enum { LAYERS = 40 };
    oxi_atomic_u32 begun = 0;
    bool sleeps = false;
    start_workers_of_test(1);
    ox_job last = ox_schedule(AwaitSleep, OX_NO_JOB, {.begun = &begun, .sleeps = &sleeps});
    ox_jobs_kick();
    wait_for_value(&begun, 1, "the first job");
    for (int k = 0; k < LAYERS; k++) {
        ox_job one = ox_schedule(Link, last, {false}), other = ox_schedule(Link, last, {false});
        last = ox_combine(one, other);
    }

    ox_complete(last);

    EXPECT(sleeps);
    ox_jobs_stop();
}

OX_JOB(RunAnywhere, { OX_NO_SAFETY oxi_atomic_u32 *on_main; }) {
    atomic_store(job->on_main, ox_worker_index() == 0);
}

// Fills the part of the stack where main keeps what it looks at.
__attribute__((noinline)) static void litter_stack(ox_job job) {
    volatile uint64_t litter[2048];
    for (size_t k = 0; k < sizeof litter / sizeof *litter; k++) {
        litter[k] = job.value;
    }
}

TEST(jobs_walk, handles_that_lay_on_the_stack_before_are_not_looked_at) {
    oxi_atomic_u32 begun = 0, on_main = 0;
    bool sleeps = false;
    start_workers_of_test(1);
    ox_job_type_of(RunAnywhere)->oxi_average_ns = 0; // as one that may be long
    ox_job awaited = ox_schedule(AwaitSleep, OX_NO_JOB, {.begun = &begun, .sleeps = &sleeps});
    ox_jobs_kick();
    wait_for_value(&begun, 1, "the worker");
    ox_job other = ox_schedule(RunAnywhere, OX_NO_JOB, {.on_main = &on_main});
    ox_jobs_kick();

    litter_stack(other);
    ox_complete(awaited);

    EXPECT(sleeps);
    ox_jobs_stop();
    EXPECT_EQ(on_main, 0);
}
