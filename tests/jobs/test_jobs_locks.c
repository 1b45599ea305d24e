// SPDX-License-Identifier: MIT
//
// The scheduler takes no lock: counted, once its pools have grown.

#include "test.h"

#include "base/platform.h"
#include "oxbow/jobs.h"

enum { JOBS = 10000 };

OX_JOB(Nothing, { int unused; }) {
}

OX_PARALLEL_JOB(Increment, { OX_NO_SAFETY int *values; }) {
    job->values[i]++;
}

static void run_hot(void) {
    for (int k = 0; k < JOBS; k++) {
        ox_complete(ox_schedule(Nothing, OX_NO_JOB, {0}));
    }
}

static void run_chain(void) {
    ox_job last = OX_NO_JOB;
    for (int k = 0; k < JOBS; k++) {
        last = ox_schedule(Nothing, last, {0});
    }
    ox_complete(last);
}

static void run_loops(void) {
    static int values[4096];
    for (int k = 0; k < JOBS / 100; k++) {
        ox_complete(ox_schedule_for(Increment, 4096, 64, OX_NO_JOB, {values}));
    }
}

static void run_kicked(void) {
    static ox_job jobs[JOBS];
    for (int k = 0; k < JOBS; k++) {
        jobs[k] = ox_schedule(Nothing, k % 3 == 2 ? jobs[k - 1] : OX_NO_JOB, {0});
    }
    ox_jobs_kick();
    ox_complete(ox_combine_at(jobs, 8, OX_HERE));
    ox_complete_at(jobs, JOBS, OX_HERE);
}

// The locks that a second run takes: the first one makes the pools grow.
static uint64_t count_locks(void (*run)(void)) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = 2});
    run();
    uint64_t before = oxi_mutex_get_locks();
    run();
    uint64_t locks = oxi_mutex_get_locks() - before;
    ox_jobs_stop();
    return locks;
}

TEST_CHECKED(jobs_locks, none_for_jobs_that_are_completed_one_by_one) {
    EXPECT_EQ(count_locks(run_hot), 0);
}

TEST_CHECKED(jobs_locks, none_for_a_chain) {
    EXPECT_EQ(count_locks(run_chain), 0);
}

TEST_CHECKED(jobs_locks, none_for_parallel_jobs) {
    EXPECT_EQ(count_locks(run_loops), 0);
}

TEST_CHECKED(jobs_locks, at_most_one_for_128_jobs_that_are_kicked) {
    EXPECT(count_locks(run_kicked) <= JOBS / 128);
}

TEST_CHECKED(jobs_locks, are_counted) {
    oxi_mutex mutex = OXI_MUTEX_INIT;
    uint64_t before = oxi_mutex_get_locks();

    oxi_mutex_lock(&mutex);
    oxi_mutex_unlock(&mutex);

    EXPECT_EQ(oxi_mutex_get_locks(), before + 1);
}
