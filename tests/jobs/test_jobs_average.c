// SPDX-License-Identifier: MIT
//
// The averages that job types keep: of one run of a single job, and of one index of a parallel one.

#include "jobs_test.h"

#include "jobs/timing.h"

static oxi_atomic_u32 sum;

static void spin_steps(int count) {
    for (volatile int k = 0; k < count; k++) {
    }
}

OX_JOB(Single, { int steps; }) {
    spin_steps(job->steps);
}

OX_PARALLEL_JOB(Light, { int unused; }) {
    spin_steps(1);
}

OX_PARALLEL_JOB(Heavy, { int unused; }) {
    spin_steps(1000);
}

OX_PARALLEL_JOB(Add, { int unused; }) {
    atomic_fetch_add(&sum, 1);
}

TEST(jobs_average, of_a_type_is_unknown_before_its_first_run) {
    start_workers_of_test(1);

    ox_job job = ox_schedule_for(Add, 100, 10, OX_NO_JOB, {0});

    EXPECT_EQ(oxi_average_of(ox_job_type_of(Add)), 0);
    ox_complete(job);
    ox_jobs_stop();
}

TEST(jobs_average, of_a_parallel_job_is_known_after_one_run) {
    ox_job_type_of(Add)->oxi_average_ns = 0;
    start_workers_of_test(2);

    ox_complete(ox_schedule_for(Add, 1000, 10, OX_NO_JOB, {0}));

    EXPECT(oxi_average_of(ox_job_type_of(Add)) > 0);
    ox_jobs_stop();
}

// So many indices that a pause in the light job counts for little.
TEST(jobs_average, of_a_parallel_job_is_the_time_of_one_index) {
    start_workers_of_test(0);

    ox_run_for(Light, 1000000, 1000000, {0});
    ox_run_for(Heavy, 1000, 1000, {0});

    EXPECT(oxi_average_of(ox_job_type_of(Light)) > 0);
    EXPECT(oxi_average_of(ox_job_type_of(Light)) < oxi_average_of(ox_job_type_of(Heavy)));
    ox_jobs_stop();
}

static uint64_t test_ns;

static uint64_t read_test_clock(void *context) {
    (void)context;
    return test_ns;
}

OX_PARALLEL_JOB(TakeTime, { uint64_t ns; }) {
    test_ns += job->ns;
}

TEST(jobs_average, of_a_parallel_job_is_the_time_of_all_indices_divided_by_their_number) {
    start_workers_of_test(0);
    test_ns = 1000000;
    oxi_clock_set_source(read_test_clock, NULL);

    ox_run_for(TakeTime, 10, 10, {.ns = 70});

    oxi_clock_set_source(NULL, NULL);
    EXPECT_EQ(oxi_average_of(ox_job_type_of(TakeTime)), 70);
    ox_jobs_stop();
}

TEST(jobs_average, stays_unknown_when_there_is_no_index) {
    ox_job_type_of(Add)->oxi_average_ns = 0;
    start_workers_of_test(0);

    ox_run_for(Add, 0, 10, {0});

    EXPECT_EQ(oxi_average_of(ox_job_type_of(Add)), 0);
    ox_jobs_stop();
}

// A made-up average stays what it is while nothing is timed.
TEST(jobs_average, of_a_known_type_is_seldom_sampled) {
    start_workers_of_test(0);
    ox_job_type_of(Add)->oxi_average_ns = 1000000000;
    ox_job_type_of(Single)->oxi_average_ns = 1000000000;
    int changes = 0;

    for (int k = 0; k < 64; k++) {
        uint32_t before = oxi_average_of(ox_job_type_of(Add));
        uint32_t single = oxi_average_of(ox_job_type_of(Single));
        ox_complete(ox_schedule_for(Add, 10, 10, OX_NO_JOB, {0}));
        ox_run(Single, {1});
        changes += oxi_average_of(ox_job_type_of(Add)) != before;
        changes += oxi_average_of(ox_job_type_of(Single)) != single;
    }

    EXPECT_EQ(changes, 2);
    ox_jobs_stop();
}

static uint32_t average_after(uint32_t first, uint32_t sample) {
    ox_job_type type = {.oxi_average_ns = first};
    for (int k = 0; k < 200; k++) {
        oxi_add_sample(&type, sample);
    }
    return oxi_average_of(&type);
}

TEST(jobs_average, comes_to_where_its_samples_are) {
    EXPECT_EQ(average_after(0, 5), 5);
    EXPECT_EQ(average_after(9, 1), 1);
    EXPECT_EQ(average_after(1, 8), 8);
    EXPECT_EQ(average_after(100000, 3), 3);
    EXPECT_EQ(average_after(1, UINT32_MAX), UINT32_MAX);
}

TEST(jobs_average, is_never_0_once_it_is_known) {
    EXPECT_EQ(average_after(0, 0), 1);
    EXPECT_EQ(average_after(50, 0), 1);
}
