// SPDX-License-Identifier: MIT
//
// Sleeping and waking: no wake-up is lost, no long job hides another, main does not get stuck
// behind work of others, and an idle process uses no time.

#include "jobs_test.h"

#include <string.h>
#include <sys/resource.h>

OX_JOB(Long, { OX_NO_SAFETY oxi_atomic_u32 *begun; }) {
    atomic_fetch_add(job->begun, 1);
    sleep_us(20000);
}

TEST(jobs_wake, one_long_job_starts_without_main) {
    oxi_atomic_u32 begun = 0;
    start_workers_of_test(2);
    wait_until_parked();

    ox_job job = ox_schedule(Long, OX_NO_JOB, {.begun = &begun});
    ox_jobs_kick();
    wait_for_value(&begun, 1, "the long job");

    ox_complete(job);
    ox_jobs_stop();
}

// Jobs that return only when all of them have begun.
OX_JOB(Meet, {
    OX_NO_SAFETY oxi_atomic_u32 *begun;
    OX_NO_SAFETY oxi_atomic_u32 *ended;
    uint32_t count;
}) {
    atomic_fetch_add(job->begun, 1);
    for (int k = 0; k < WATCHDOG_SECONDS * 20000 && atomic_load(job->begun) < job->count; k++) {
        sleep_us(k < 100 ? 1 : 50);
    }
    atomic_fetch_add(job->ended, atomic_load(job->begun) >= job->count);
}

static void meet_once(uint32_t count) {
    oxi_atomic_u32 begun = 0, ended = 0;
    ox_job jobs[64];
    for (uint32_t k = 0; k < count; k++) {
        jobs[k] = ox_schedule(Meet, OX_NO_JOB, {.begun = &begun, .ended = &ended, .count = count});
    }
    ox_jobs_kick();
    wait_for_value(&begun, count, "jobs that meet");
    wait_for_value(&ended, count, "jobs that met");
    ox_complete_at(jobs, (int)count, OX_HERE);
}

static void meet_many_times(int workers, uint64_t rounds) {
    oxi_random random = oxi_random_seed(test_seed(30 + (uint64_t)workers));
    start_workers_of_test(workers);
    wait_until_parked();
    shake_schedules((uint64_t)workers);
    for (uint64_t k = 0; k < test_scaled(rounds); k++) {
        meet_once((uint32_t)workers);
        if (oxi_random_bool(&random)) {
            sleep_us((long)oxi_random_below(&random, 200));
        }
    }
    oxi_yield_set_hook(NULL, NULL);
    wait_until_parked();
    meet_once((uint32_t)workers);
    ox_jobs_stop();
}

TEST(jobs_wake, 1_job_meets_itself) {
    meet_many_times(1, 1000);
}

TEST(jobs_wake, 2_jobs_meet_on_2_workers) {
    meet_many_times(2, 1000);
}

TEST(jobs_wake, 4_jobs_meet_on_4_workers) {
    meet_many_times(4, 500);
}

TEST(jobs_wake, 16_jobs_meet_on_16_workers) {
    meet_many_times(16, 100);
}

TEST(jobs_wake, jobs_meet_when_one_makes_the_others_ready) {
    oxi_atomic_u32 begun = 0, ended = 0, first = 0;
    start_workers_of_test(4);
    for (int round = 0; round < 50; round++) {
        wait_until_parked();
        ox_job_type_of(Meet)->oxi_average_ns = 1000000; // known to be short, they may be kept back
        ox_job before = ox_schedule(Long, OX_NO_JOB, {.begun = &first});
        uint32_t count = 4 * ((uint32_t)round + 1);
        for (int k = 0; k < 4; k++) {
            ox_schedule(Meet, before, {.begun = &begun, .ended = &ended, .count = count});
        }
        ox_jobs_kick();
        wait_for_value(&ended, count, "dependents that meet");
    }
    ox_jobs_stop();
}

OX_RANGE_JOB(MeetRange, {
    OX_NO_SAFETY oxi_atomic_u32 *begun;
    uint32_t count;
}) {
    atomic_fetch_add(job->begun, 1);
    for (int k = 0; k < WATCHDOG_SECONDS * 20000 && atomic_load(job->begun) < job->count; k++) {
        sleep_us(k < 100 ? 1 : 50);
    }
}

TEST(jobs_wake, batches_of_a_parallel_job_meet_on_all_workers) {
    start_workers_of_test(4);
    for (int round = 0; round < 50; round++) {
        oxi_atomic_u32 begun = 0;
        wait_until_parked();
        ox_job job = ox_schedule_for(MeetRange, 4, 1, OX_NO_JOB, {.begun = &begun, .count = 4});
        ox_jobs_kick();
        wait_for_value(&begun, 4, "batches that meet");
        ox_complete(job);
    }
    ox_jobs_stop();
}

// Lost wake-ups: small pieces of work with random pauses between them, never helped by main.

OX_JOB(Tick, { OX_NO_SAFETY oxi_atomic_u32 *count; }) {
    atomic_fetch_add(job->count, 1);
}

static void kick_and_wait(oxi_random *random, oxi_atomic_u32 *count) {
    uint32_t before = atomic_load(count);
    uint32_t jobs = 1 + (uint32_t)oxi_random_below(random, 8);
    ox_job last = OX_NO_JOB;
    for (uint32_t k = 0; k < jobs; k++) {
        ox_job after = oxi_random_bool(random) ? last : OX_NO_JOB;
        last = ox_schedule(Tick, after, {.count = count});
        if (oxi_random_below(random, 4) == 0) {
            ox_jobs_kick();
        }
    }
    ox_jobs_kick();
    for (int k = 0; atomic_load(count) < before + jobs && k < WATCHDOG_SECONDS * 10000; k++) {
        sleep_us(k < 1000 ? 1 : 100);
    }
    EXPECT_EQ(atomic_load(count), before + jobs);
}

static void look_for_lost_wakes(int workers, int spin_us) {
    oxi_random random = oxi_random_seed(test_seed(40 + (uint64_t)workers));
    oxi_atomic_u32 count = 0;
    ox_jobs_stop();
    EXPECT(ox_jobs_start(&(ox_jobs_def){.worker_count = workers, .spin_us = spin_us}));
    shake_schedules((uint64_t)workers * 3);
    for (uint64_t k = 0; k < test_scaled(1500); k++) {
        kick_and_wait(&random, &count);
        for (uint64_t pause = oxi_random_below(&random, 2000); pause > 0; pause--) {
            oxi_cpu_relax();
        }
    }
    oxi_yield_set_hook(NULL, NULL);
    wait_until_parked();
    ox_jobs_stop();
}

TEST(jobs_wake, none_is_lost_with_workers_that_spin) {
    look_for_lost_wakes(1, 20);
    look_for_lost_wakes(3, 20);
}

TEST(jobs_wake, none_is_lost_with_workers_that_sleep_at_once) {
    look_for_lost_wakes(1, OX_NO_SPIN);
    look_for_lost_wakes(3, OX_NO_SPIN);
}

// Main sleeps and is woken, over and over.

OX_JOB(Pause, { long us; }) {
    sleep_us(job->us);
}

TEST(jobs_wake, main_is_woken_when_its_job_is_done) {
    oxi_random random = oxi_random_seed(test_seed(50));
    oxi_atomic_u32 count = 0;
    watch_for_hang("complete while jobs run elsewhere");
    ox_jobs_stop();
    EXPECT(ox_jobs_start(&(ox_jobs_def){.worker_count = 2, .spin_us = OX_NO_SPIN}));
    shake_schedules(9);
    for (uint64_t k = 0; k < test_scaled(500); k++) {
        ox_job job = ox_schedule(Pause, OX_NO_JOB, {.us = (long)oxi_random_below(&random, 100)});
        ox_job last = ox_schedule(Tick, job, {.count = &count});
        ox_jobs_kick();
        sleep_us((long)oxi_random_below(&random, 50));
        ox_complete(last);
        EXPECT_EQ(atomic_load(&count), k + 1);
    }
    oxi_yield_set_hook(NULL, NULL);
    ox_jobs_stop();
    end_watch();
}

// Who runs what.

TEST(jobs_wake, two_long_jobs_run_at_the_same_time_on_two_parked_workers) {
    start_workers_of_test(2);
    for (int k = 0; k < 20; k++) {
        wait_until_parked();
        meet_once(2);
    }
    ox_jobs_stop();
}

OX_JOB(LongElsewhere, {
    OX_NO_SAFETY oxi_atomic_u32 *on_main;
    OX_NO_SAFETY oxi_atomic_u32 *begun;
}) {
    atomic_fetch_add(job->on_main, ox_worker_index() == 0);
    atomic_fetch_add(job->begun, 1);
    sleep_us(5000);
}

TEST(jobs_wake, main_runs_no_long_job_while_it_waits_for_another) {
    oxi_atomic_u32 on_main = 0, begun = 0, count = 0;
    start_workers_of_test(1);
    ox_job longs[20];
    for (int k = 0; k < 20; k++) {
        longs[k] = ox_schedule(LongElsewhere, OX_NO_JOB, {.on_main = &on_main, .begun = &begun});
    }
    ox_jobs_kick();

    wait_for_value(&begun, 1, "the first long job");
    ox_complete(ox_schedule(Tick, longs[0], {.count = &count}));

    EXPECT_EQ(on_main, 0);
    EXPECT_EQ(count, 1);
    ox_complete_at(longs, 20, OX_HERE);
    ox_jobs_stop();
}

OX_JOB(NoteOrder, {
    OX_NO_SAFETY oxi_atomic_u32 *next;
    OX_NO_SAFETY uint32_t *order;
}) {
    *job->order = atomic_fetch_add(job->next, 1);
    sleep_us(200);
}

TEST(jobs_wake, awaited_jobs_go_before_others_in_the_queue) {
    oxi_atomic_u32 next = 0;
    uint32_t order[100], awaited_order[4];
    start_workers_of_test(1);
    ox_job others[100], awaited[4];
    for (int k = 0; k < 100; k++) {
        others[k] = ox_schedule(NoteOrder, OX_NO_JOB, {.next = &next, .order = &order[k]});
    }
    ox_jobs_kick();
    for (int k = 0; k < 4; k++) {
        awaited[k] = ox_schedule(NoteOrder, OX_NO_JOB, {.next = &next, .order = &awaited_order[k]});
    }

    ox_complete_at(awaited, 4, OX_HERE);
    uint32_t ran = atomic_load(&next);

    EXPECT(ran < 50);
    ox_complete_at(others, 100, OX_HERE);
    ox_jobs_stop();
}

// What all threads of the process have used, in microseconds.
static long read_used_time(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 + used.ru_utime.tv_usec +
           used.ru_stime.tv_usec;
}

TEST(jobs_wake, idle_process_uses_no_time) {
    start_workers_of_test(4);
    meet_once(4);
    wait_until_parked();

    long before = read_used_time();
    sleep_us(1000000);

    EXPECT(read_used_time() - before < 50000);
    ox_jobs_stop();
}

OX_JOB(Nap, { OX_NO_SAFETY oxi_atomic_u32 *begun; }) {
    atomic_store(job->begun, 1);
    sleep_us(1000000);
}

TEST(jobs_wake, main_that_waits_uses_no_time) {
    oxi_atomic_u32 begun = 0;
    start_workers_of_test(1);
    ox_job job = ox_schedule(Nap, OX_NO_JOB, {.begun = &begun});
    ox_jobs_kick();
    wait_for_value(&begun, 1, "the job that sleeps");

    long before = read_used_time();
    ox_complete(job);

    EXPECT(read_used_time() - before < 50000);
    ox_jobs_stop();
}

TEST(jobs_wake, parked_workers_are_woken_to_stop) {
    for (int k = 0; k < 50; k++) {
        ox_jobs_stop();
        EXPECT(ox_jobs_start(&(ox_jobs_def){.worker_count = 8, .spin_us = OX_NO_SPIN}));
        shake_schedules((uint64_t)k + 1);
        sleep_us(k * 20);
        watch_for_hang("ox_jobs_stop");
        ox_jobs_stop();
        end_watch();
        oxi_yield_set_hook(NULL, NULL);
    }
}
