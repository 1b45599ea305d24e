// SPDX-License-Identifier: MIT
//
// Jobs for scenarios, and scenarios of the ring.

#include "model/scenarios.h"

#include <string.h>

scenario_jobs done;

enum { ONE_AT_A_TIME = 1 << 20 }; // so many takers that each gets one entry

typedef struct mark_job {
    uint32_t number;
    uint32_t runs_before; // a bit for each job that must have run
} mark_job;

static void run_mark(void *data) {
    const mark_job *job = data;
    for (uint32_t k = 0; k < 8; k++) {
        MODEL_CHECK((job->runs_before >> k & 1) == 0 || done.runs[k] == 1);
    }
    MODEL_CHECK(done.runs[job->number]++ == 0);
}

static void run_range(const void *data, int begin, int end) {
    const mark_job *job = data;
    for (int k = begin; k < end; k++) {
        MODEL_CHECK(done.runs[(int)job->number + k]++ == 0);
    }
}

static ox_job_type mark_type = {
    .type = {.name = "mark", .size = sizeof(mark_job), .align = 4},
    .run = run_mark,
    .ranges = {run_range},
};

static void run_meeting(void *data) {
    uint32_t number = *(const uint32_t *)data;
    done.runs[number]++;
    if (oxi_add_acq_rel(&done.begun, 1) == 1) {
        model_futex_wake(&done.begun, 1);
    }
    while (oxi_load_acquire(&done.begun) < 2) {
        model_futex_wait(&done.begun, 1);
    }
}

static ox_job_type meeting_type = {
    .type = {.name = "meeting", .size = sizeof(uint32_t), .align = 4},
    .run = run_meeting,
};

void schedule_meeting(uint32_t number, ox_job after) {
    meeting_type.oxi_average_ns = 1000000;
    done.job[number] = ox_schedule_at(&meeting_type, after, &number, OX_HERE);
}

void scenario_begin(uint32_t workers) {
    static bool is_watched;
    if (!is_watched) {
        model_watch(&done, sizeof done);
        is_watched = true;
    }
    memset(&done, 0, sizeof done);
    mark_type.oxi_average_ns = 0;
    room_start(workers);
}

void know_jobs(void) {
    mark_type.oxi_average_ns = 1;
}

ox_job schedule_job(uint32_t k, ox_job after, uint32_t runs_before) {
    done.job[k] = ox_schedule_at(&mark_type, after, &(mark_job){k, runs_before}, OX_HERE);
    return done.job[k];
}

ox_job schedule_loop(uint32_t count, ox_job after) {
    return ox_schedule_for_at(&mark_type, (int)count, 1, after, &(mark_job){8, 0}, OX_HERE);
}

// Counts what job 0 wrote: plain, so that a count that is taken too early is a race.
static int64_t count_after_job_0(const void *job) {
    (void)job;
    done.runs[7]++;
    MODEL_CHECK(done.runs[0] == 1);
    return done.late_count;
}

ox_job schedule_late_loop(uint32_t count, ox_job after) {
    done.late_count = count;
    return ox_schedule_for_counted_at(&mark_type, count_after_job_0, 1, after, &(mark_job){8, 0},
                                      OX_HERE);
}

void run_job(ox_job job) {
    int thread = model_thread();
    oxi_runner *runner = room_be(thread < 0 ? 0 : (uint32_t)thread);
    oxi_run_entry(runner, job);
    while (runner->taken_count > 0) {
        oxi_run_entry(runner, (ox_job){runner->taken[--runner->taken_count]});
    }
}

void run_rest(void) {
    oxi_jobs_kick_all();
    bool again = true;
    while (again) {
        uint64_t entry;
        again = oxi_ring_take(&oxi_jobs.urgent, ONE_AT_A_TIME, &entry) == 1;
        for (uint32_t k = 0; k < oxi_jobs.runner_count && !again; k++) {
            again = oxi_ring_take(&oxi_jobs.runners[k].ring, ONE_AT_A_TIME, &entry) == 1;
        }
        if (again) {
            run_job((ox_job){entry});
        }
    }
}

void expect_runs(uint32_t count) {
    for (uint32_t k = 0; k < 8; k++) {
        MODEL_CHECK(done.runs[k] == (k < count));
        MODEL_CHECK(k >= count || oxi_job_is_done(done.job[k]));
    }
}

// The ring: entries are 1, 2, 3, ..., and the ring of worker 1 is used, of size 2.

static oxi_ring *ring_under_test(void) {
    return &oxi_jobs.runners[1].ring;
}

static void begin_ring(void) {
    scenario_begin(1);
}

static void put(uint64_t entry) {
    MODEL_CHECK(oxi_ring_push(ring_under_test(), entry));
    oxi_ring_publish(ring_under_test());
}

// Takes what there is, so many times. One of two takers gets half of it.
static void take(int times) {
    for (int k = 0, at = 0; k < times; k++) {
        uint64_t entries[OXI_RING_MOST];
        int count = oxi_ring_take(ring_under_test(), 1, entries);
        for (int each = 0; each < count; each++) {
            MODEL_CHECK(at < 8);
            done.taken[model_thread()][at++] = entries[each];
        }
    }
}

static void expect_entries(uint64_t last) {
    uint32_t seen = 0;
    for (uint64_t entry = 1; entry != 0;) {
        entry = oxi_ring_take(ring_under_test(), ONE_AT_A_TIME, &entry) == 1 ? entry : 0;
        MODEL_CHECK((seen >> entry & 1) == 0);
        seen |= entry != 0 ? UINT32_C(1) << entry : 0;
    }
    for (int k = 0; k < MODEL_THREADS * 8; k++) {
        uint64_t entry = done.taken[k / 8][k % 8];
        MODEL_CHECK(entry <= last && (entry == 0 || (seen >> entry & 1) == 0));
        seen |= entry != 0 ? UINT32_C(1) << entry : 0;
    }
    MODEL_CHECK(seen == (UINT32_C(2) << last) - 2);
}

static void put_two_take_one_put_two(void) {
    put(1);
    put(2);
    take(1);
    put(3);
    put(4);
}

static void take_twice(void) {
    take(2);
}

static void expect_four(void) {
    expect_entries(4);
}

const model_scenario scenario_ring_reuse = {
    "ring_reuse", 3, begin_ring, {put_two_take_one_put_two, take_twice}, expect_four, 0};

static void begin_full_ring(void) {
    begin_ring();
    put(1);
    put(2);
}

static void put_three_at_once(void) {
    for (uint64_t entry = 3; entry <= 5; entry++) {
        MODEL_CHECK(oxi_ring_push(ring_under_test(), entry));
    }
    oxi_ring_publish(ring_under_test());
}

static void take_thrice(void) {
    take(3);
}

static void expect_five(void) {
    expect_entries(5);
}

const model_scenario scenario_ring_growth = {
    "ring_growth", 3, begin_full_ring, {put_three_at_once, take_thrice}, expect_five, 0};

const model_scenario scenario_ring_two_takers = {
    "ring_two_takers", 2, begin_full_ring, {put_three_at_once, take_twice, take_twice},
    expect_five,       0};

static void peek_and_take(void) {
    uint64_t entry = oxi_ring_peek(ring_under_test());
    MODEL_CHECK(entry <= 4);
    take(1);
    entry = oxi_ring_peek(ring_under_test());
    MODEL_CHECK(entry <= 4);
}

static void put_one_take_one_put_two(void) {
    put(1);
    take(1);
    put(2);
    put(3);
    put(4);
}

const model_scenario scenario_ring_peek = {
    "ring_peek", 3, begin_ring, {put_one_take_one_put_two, peek_and_take}, expect_four, 0};
