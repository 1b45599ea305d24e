// SPDX-License-Identifier: MIT
//
// Scenarios of sleeping and waking: workers live as they do in the library, and do not spin.

#include "model/scenarios.h"

static void live(void) {
    oxi_worker_live(room_be((uint32_t)model_thread()));
}

static void begin_one_worker(void) {
    scenario_begin(1);
}

static void expect_one(void) {
    expect_runs(1);
}

static void expect_two(void) {
    expect_runs(2);
}

static void expect_three(void) {
    expect_runs(3);
}

enum { WORKER_1 = 2, WORKER_2 = 4 };

// A job is kicked while the worker goes to sleep; main does not help.

static void kick_one(void) {
    schedule_job(0, OX_NO_JOB, 0);
    oxi_jobs_kick_all();
}

const model_scenario scenario_kick_against_sleep = {
    "kick_against_sleep", 3, begin_one_worker, {kick_one, live}, expect_one, WORKER_1};

static void kick_two(void) {
    kick_one();
    schedule_job(1, OX_NO_JOB, 0);
    oxi_jobs_kick_all();
}

const model_scenario scenario_kick_twice = {"kick_twice",     3,          begin_one_worker,
                                            {kick_two, live}, expect_two, WORKER_1};

// A job is published without a wake-up while the worker goes to sleep, and main wakes it later.

static void publish_and_wake(void) {
    know_jobs();
    schedule_job(0, OX_NO_JOB, 0);
    oxi_jobs_publish();
    MODEL_CHECK(oxi_jobs.unwoken_ns > 0);
    oxi_jobs_wake();
}

const model_scenario scenario_publish_against_sleep = {
    "publish_against_sleep", 3, begin_one_worker, {publish_and_wake, live}, expect_one, WORKER_1};

// One job is published without, and the next, which makes it enough, with one.

static void begin_one_published(void) {
    scenario_begin(1);
    know_jobs();
    schedule_job(0, OX_NO_JOB, 0);
    oxi_jobs_publish();
}

static void publish_long_job(void) {
    schedule_job(1, OX_NO_JOB, 0);
    oxi_jobs.unwoken_ns += OXI_WAKE_NS;
    oxi_jobs_publish();
}

const model_scenario scenario_publish_twice = {
    "publish_twice", 3, begin_one_published, {publish_long_job, live}, expect_two, WORKER_1};

// Main completes what it published, while the worker takes what it finds.

static void complete_published(void) {
    oxi_jobs_wait_all(done.job, 1);
    MODEL_CHECK(done.runs[0] == 1);
}

const model_scenario scenario_publish_and_complete = {
    "publish_and_complete",     3,          begin_one_published,
    {complete_published, live}, expect_one, WORKER_1};

// The end of the job system.

const model_scenario scenario_stop_against_sleep = {"stop_against_sleep", 3,    begin_one_worker,
                                                    {room_stop, live},    NULL, 0};

// Two jobs that return only when both have begun: no worker may hide one while the other sleeps.

static void begin_two_meetings(void) {
    scenario_begin(2);
    schedule_meeting(0, OX_NO_JOB);
    schedule_meeting(1, OX_NO_JOB);
}

static void kick(void) {
    oxi_jobs_kick_all();
}

const model_scenario scenario_two_long_jobs = {"two_long_jobs",    2,          begin_two_meetings,
                                               {kick, live, live}, expect_two, WORKER_1 | WORKER_2};

// The same one by one: the worker that searches takes the first, and nobody is woken for the second
// while it still seems to search.

static void begin_one_meeting(void) {
    scenario_begin(2);
    schedule_meeting(0, OX_NO_JOB);
}

static void kick_meetings(void) {
    oxi_jobs_kick_all();
    schedule_meeting(1, OX_NO_JOB);
    oxi_jobs_kick_all();
}

const model_scenario scenario_last_searcher = {"last_searcher",   2,
                                               begin_one_meeting, {kick_meetings, live, live},
                                               expect_two,        WORKER_1 | WORKER_2};

// A job with two dependents: the worker that ran it goes on with one and shows the other.

static void begin_meetings_after_job(void) {
    scenario_begin(2);
    schedule_job(2, OX_NO_JOB, 0);
    schedule_meeting(0, done.job[2]);
    schedule_meeting(1, done.job[2]);
    oxi_jobs_kick_all();
}

const model_scenario scenario_dependents_for_two = {
    "dependents_for_two", 2, begin_meetings_after_job, {kick, live, live}, expect_three,
    WORKER_1 | WORKER_2};

// A worker that takes no part does again, as ox_jobs_set_active_workers makes it.

static void begin_inactive(void) {
    scenario_begin(1);
    oxi_jobs.active = 0;
}

static void kick_and_activate(void) {
    kick_one();
    oxi_store_seq(&oxi_jobs.active, 1);
    oxi_wake_active(&oxi_jobs.runners[1]);
}

const model_scenario scenario_inactive_worker = {
    "inactive_worker", 3, begin_inactive, {kick_and_activate, live}, expect_one, WORKER_1};

const model_scenario scenario_stop_inactive = {"stop_inactive",   3,    begin_inactive,
                                               {room_stop, live}, NULL, 0};
