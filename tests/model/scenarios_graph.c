// SPDX-License-Identifier: MIT
//
// Scenarios of the job word, of edges and of waiting for a job. Runners here look for no work: they
// run the job that they are given, as if they had taken its entry.

#include "model/scenarios.h"

static void run_0(void) {
    run_job(done.job[0]);
}

static void run_1(void) {
    run_job(done.job[1]);
}

static void run_0_then_1(void) {
    run_0();
    run_1();
}

static void expect_one(void) {
    run_rest();
    expect_runs(1);
}

static void expect_two(void) {
    run_rest();
    expect_runs(2);
}

static void expect_three(void) {
    run_rest();
    expect_runs(3);
}

// Main links a dependent behind a job that ends.

static void begin_one_kicked(void) {
    scenario_begin(2);
    schedule_job(0, OX_NO_JOB, 0);
    oxi_jobs_kick_all();
}

// Main runs the dependent itself, if it can, so that races with its predecessor show.
static void schedule_1_after_0(void) {
    schedule_job(1, done.job[0], 1);
    oxi_jobs_kick_all();
    run_job(done.job[1]);
}

const model_scenario scenario_link_against_finish = {
    "link_against_finish", 3, begin_one_kicked, {schedule_1_after_0, run_0}, expect_two, 0};

// Main kicks a dependent while its predecessor ends: one of the two queues it.

static void begin_two_first_kicked(void) {
    begin_one_kicked();
    schedule_job(1, done.job[0], 1);
}

static void kick(void) {
    oxi_jobs_kick_all();
    run_job(done.job[1]);
}

const model_scenario scenario_kick_against_finish = {
    "kick_against_finish", 3, begin_two_first_kicked, {kick, run_0}, expect_two, 0};

// Two dependents, of which the runner goes on with one; the second is linked meanwhile.

static void begin_two_kicked(void) {
    begin_two_first_kicked();
    oxi_jobs_kick_all();
}

static void schedule_2_after_0(void) {
    schedule_job(2, done.job[0], 1);
    oxi_jobs_kick_all();
    run_job(done.job[2]);
    run_job(done.job[1]);
}

const model_scenario scenario_two_dependents = {
    "two_dependents", 3, begin_two_kicked, {schedule_2_after_0, run_0}, expect_three, 0};

// A combination of two jobs, and a job behind it.

static void begin_two_free_kicked(void) {
    begin_one_kicked();
    schedule_job(1, OX_NO_JOB, 0);
    oxi_jobs_kick_all();
}

static void schedule_2_after_both(void) {
    ox_job both = ox_combine_at(done.job, 2, OX_HERE);
    schedule_job(2, both, 3);
    oxi_jobs_kick_all();
}

static void schedule_and_run_2(void) {
    schedule_2_after_both();
    run_job(done.job[2]);
}

const model_scenario scenario_combine_against_finish = {"combine_against_finish",
                                                        3,
                                                        begin_two_free_kicked,
                                                        {schedule_and_run_2, run_0_then_1},
                                                        expect_three,
                                                        0};

static void begin_combined(void) {
    begin_two_free_kicked();
    schedule_2_after_both();
}

static void look_at_2(void) {
    if (ox_job_is_complete(done.job[2])) {
        MODEL_CHECK(done.runs[2] == 1);
    }
}

const model_scenario scenario_combine_of_two_runners = {
    "combine_of_two_runners", 2, begin_combined, {look_at_2, run_0, run_1}, expect_three, 0};

// A runner holds an entry of a job that main runs; the slot goes to another job.

static void complete_0_schedule_1(void) {
    run_job(done.job[0]);
    schedule_job(1, OX_NO_JOB, 0);
    done.flag = 1;
}

static void expect_two_in_order(void) {
    run_rest();
    MODEL_CHECK(done.flag == 1);
    expect_runs(2);
}

static void run_0_twice(void) {
    run_0();
    run_0();
}

const model_scenario scenario_stale_entry = {
    "stale_entry",       3, begin_one_kicked, {complete_0_schedule_1, run_0_twice},
    expect_two_in_order, 0};

// Two runners have the same entry, and main reads what the job wrote once it is done.

static void look_at_0(void) {
    if (ox_job_is_complete(done.job[0])) {
        MODEL_CHECK(done.runs[0] == 1);
    }
}

const model_scenario scenario_claim_by_two = {
    "claim_by_two", 2, begin_one_kicked, {look_at_0, run_0, run_0}, expect_one, 0};

// Main waits for a job that a runner runs.

static void complete_0(void) {
    oxi_jobs_wait_all(done.job, 1);
    MODEL_CHECK(done.runs[0] == 1);
}

const model_scenario scenario_wait_for_runner = {"wait_for_runner",   3,          begin_one_kicked,
                                                 {complete_0, run_0}, expect_one, 0};

// Main sleeps, is woken because something else was published, and sleeps again. The job that it
// waits for is claimed, so that main cannot run it.

static void begin_one_claimed(void) {
    scenario_begin(2);
    schedule_job(0, OX_NO_JOB, 0);
    oxi_jobs_kick_all();
    MODEL_CHECK(oxi_job_claim(done.job[0]));
}

static void publish_then_run_0(void) {
    oxi_runner *worker = room_be(1);
    oxi_ring_push(&worker->ring, done.job[0].value);
    oxi_job_publish(worker);
    oxi_run_claimed(worker, done.job[0]);
}

const model_scenario scenario_wait_is_woken_twice = {
    "wait_is_woken_twice", 3, begin_one_claimed, {complete_0, publish_then_run_0}, expect_one, 0};

// Any thread may look at a handle, also at one that it made up: the slot is there, or is not.

static void begin_nothing(void) {
    scenario_begin(1);
}

static void schedule_two(void) {
    schedule_job(0, OX_NO_JOB, 0);
    schedule_job(1, OX_NO_JOB, 0);
}

static void look_at_made_up_handle(void) {
    for (uint64_t slot = 1; slot <= 2; slot++) {
        ox_job_is_complete((ox_job){UINT64_C(1) << OXI_INDEX_BITS | slot});
    }
}

const model_scenario scenario_made_up_handle = {
    "made_up_handle", 3, begin_nothing, {schedule_two, look_at_made_up_handle}, expect_two, 0};

// Main waits for two jobs that return when both have begun, behind one that the only runner has:
// the runner goes on with one of them, and main must come and run the other.

static void begin_meetings_for_main(void) {
    scenario_begin(1);
    schedule_job(2, OX_NO_JOB, 0);
    schedule_meeting(0, done.job[2]);
    schedule_meeting(1, done.job[2]);
    done.job[3] = ox_combine_at(done.job, 2, OX_HERE);
    oxi_jobs_kick_all();
    MODEL_CHECK(oxi_job_claim(done.job[2]));
}

static void complete_meetings(void) {
    oxi_jobs_wait_all(&done.job[3], 1);
    MODEL_CHECK(done.runs[0] == 1 && done.runs[1] == 1);
}

static void run_claimed_2(void) {
    oxi_run_claimed(room_be(1), done.job[2]);
}

const model_scenario scenario_main_helps = {
    "main_helps", 3, begin_meetings_for_main, {complete_meetings, run_claimed_2}, expect_three, 0};
