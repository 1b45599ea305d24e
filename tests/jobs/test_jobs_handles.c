// SPDX-License-Identifier: MIT
//
// Which handles this run of the job system gave out, and which are made up or from before.

#include "jobs_test.h"

#include "jobs/gate.h"

#include <stdio.h>

OX_JOB(Nothing, { int unused; }) {
}

OX_PARALLEL_JOB(NothingEach, { int unused; }) {
}

static ox_job make_handle(uint64_t version, uint64_t index) {
    return (ox_job){version << OXI_INDEX_BITS | index};
}

static ox_job schedule_nothing(void) {
    return ox_schedule(Nothing, OX_NO_JOB, {0});
}

TEST_CHILD(first_of_process) {
    start_workers_of_test(0);
    ox_job job = schedule_nothing();
    fprintf(stderr, "version %llu\n", (unsigned long long)oxi_job_version(job));
    ox_complete(job);
    ox_jobs_stop();
}

TEST(jobs_handles, of_a_process_begin_with_version_1) {
    EXPECT_EXITS(first_of_process, "version 1\n");
}

TEST(jobs_handles, have_the_name_of_their_job_until_it_is_done) {
    start_workers_of_test(0);
    ox_job job = schedule_nothing(), both = ox_combine(job, schedule_nothing());

    EXPECT_STR(oxi_job_get_name(job), "Nothing");
    EXPECT_STR(oxi_job_get_name(both), "combined");
    ox_complete(both);
    EXPECT(oxi_job_get_name(job) == NULL);
    EXPECT(oxi_job_get_name(both) == NULL);

    ox_jobs_stop();
}

TEST(jobs_handles, may_be_none_at_all) {
    collected_reports reports = {0};
    start_workers_of_test(0);
    collect_reports(&reports);

    ox_complete_at(NULL, 0, OX_HERE);
    EXPECT_EQ(ox_combine_at(NULL, 0, OX_HERE).value, 0);

    EXPECT_EQ(reports.count, 0);
    ox_jobs_stop();
}

TEST(jobs_handles, are_known_before_and_after_the_job_is_done) {
    start_workers_of_test(1);
    ox_job jobs[] = {schedule_nothing(), ox_schedule_for(NothingEach, 10, 1, OX_NO_JOB, {0}),
                     ox_combine(schedule_nothing(), schedule_nothing())};

    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < 3; k++) {
            EXPECT(oxi_job_is_known(jobs[k]));
        }
        ox_complete_at(jobs, 3, OX_HERE);
    }

    ox_jobs_stop();
}

TEST(jobs_handles, stay_known_when_their_slot_is_used_again) {
    start_workers_of_test(0);
    ox_job first = schedule_nothing();
    ox_complete(first);

    ox_job second = schedule_nothing();

    EXPECT_EQ(oxi_job_index(first), oxi_job_index(second));
    EXPECT(oxi_job_is_known(first));
    EXPECT(oxi_job_is_known(second));
    ox_complete(second);
    ox_jobs_stop();
}

TEST(jobs_handles, none_is_known_and_auto_is_not) {
    ox_jobs_stop();
    EXPECT(oxi_job_is_known(OX_NO_JOB));
    EXPECT(!oxi_job_is_known(OX_AUTO));

    start_workers_of_test(0);
    EXPECT(oxi_job_is_known(OX_NO_JOB));
    EXPECT(!oxi_job_is_known(OX_AUTO));
    ox_jobs_stop();
}

TEST(jobs_handles, of_slots_that_were_never_used_are_unknown) {
    start_workers_of_test(0);
    ox_job job = schedule_nothing();
    uint64_t version = oxi_job_version(job);

    EXPECT(!oxi_job_is_known(make_handle(version, 0)));
    EXPECT(!oxi_job_is_known(make_handle(version, oxi_job_index(job) + 1)));
    EXPECT(!oxi_job_is_known(make_handle(version, OXI_EDGE_MASK)));

    ox_complete(job);
    ox_jobs_stop();
}

TEST(jobs_handles, of_the_future_are_unknown) {
    start_workers_of_test(0);
    ox_job job = schedule_nothing();
    ox_job following = make_handle(oxi_job_version(job) + 1, oxi_job_index(job));

    EXPECT(!oxi_job_is_known(following));
    ox_complete(job);
    EXPECT(!oxi_job_is_known(following));
    ox_run(Nothing, {0}); // takes the slot, and gives out no handle
    EXPECT(!oxi_job_is_known(following));

    EXPECT_EQ(schedule_nothing().value, following.value);
    EXPECT(oxi_job_is_known(following));
    ox_complete(following);
    ox_jobs_stop();
}

TEST(jobs_handles, of_an_earlier_run_are_unknown) {
    start_workers_of_test(0);
    ox_job old = schedule_nothing();
    ox_complete(old);
    ox_jobs_stop();
    EXPECT(!oxi_job_is_known(old));

    start_workers_of_test(0);
    ox_job job = schedule_nothing();

    EXPECT_EQ(oxi_job_index(old), oxi_job_index(job));
    EXPECT(!oxi_job_is_known(old));
    EXPECT(oxi_job_is_known(job));
    ox_complete(job);
    ox_jobs_stop();
}
