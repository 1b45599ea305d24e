// SPDX-License-Identifier: MIT
//
// The work of the rows of jobs on Oxbow: main and one worker.

#include "jobs_work.h"

#include "bench_samples.h"
#include "oxbow/jobs.h"

#include <stddef.h>

static ox_job handles[BENCH_EMPTY];
static ox_job awaited;
static ox_job queued[64];
static int queued_count;

OX_JOB(BenchEmpty, { int unused; }) {
}

OX_JOB(BenchNode, { int unused; }) {
    bench_work(1);
}

OX_JOB(BenchQueued, {
    OX_NO_SAFETY bench_call *call;
    OX_NO_SAFETY void *argument;
}) {
    job->call(job->argument);
}

OX_JOB(BenchAwaited, {
    OX_NO_SAFETY bench_call *call;
    OX_NO_SAFETY void *argument;
}) {
    job->call(job->argument);
}

OX_PARALLEL_JOB(BenchLight, { OX_NO_SAFETY float *floats; }) {
    job->floats[i] = bench_light(job->floats[i]);
}

OX_PARALLEL_JOB(BenchHeavy, { OX_NO_SAFETY float *floats; }) {
    job->floats[i] = bench_heavy(job->floats[i]);
}

// A thread starts on the core that its maker is held on.
static void start_with_worker(void) {
    bench_hold_core(1);
    // Each row has calls of its own length, so what was learnt in another must not stay.
    ox_job_type_of(BenchQueued)->oxi_average_ns = 0;
    ox_job_type_of(BenchAwaited)->oxi_average_ns = 0;
    ox_jobs_start(&(ox_jobs_def){.worker_count = 1});
}

static void start_alone(void) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
}

static void stop(void) {
    ox_jobs_stop();
}

static ox_job schedule_empty(ox_job after) {
    return ox_schedule(BenchEmpty, after, {0});
}

static void run_hot(void) {
    for (int k = 0; k < BENCH_HOT; k++) {
        ox_job job = schedule_empty(OX_NO_JOB);
        ox_complete(job);
    }
}

static void run_empty(void) {
    for (int k = 0; k < BENCH_EMPTY; k++) {
        handles[k] = schedule_empty(OX_NO_JOB);
    }
    ox_jobs_kick();
    ox_complete_at(handles, BENCH_EMPTY, OX_HERE);
}

static void run_light(int batch) {
    ox_job job = ox_schedule_for(BenchLight, BENCH_LIGHT, batch, OX_NO_JOB, {bench_floats});
    ox_complete(job);
}

static void run_light_64(void) {
    run_light(64);
}

static void run_light_16384(void) {
    run_light(16384);
}

static void run_heavy(void) {
    ox_job job =
        ox_schedule_for(BenchHeavy, BENCH_HEAVY, BENCH_HEAVY_BATCH, OX_NO_JOB, {bench_floats});
    ox_complete(job);
}

static void run_chain(void) {
    ox_job last = OX_NO_JOB;
    for (int k = 0; k < BENCH_CHAIN; k++) {
        last = schedule_empty(last);
    }
    ox_complete(last);
}

static ox_job schedule_diamond(void) {
    ox_job a = schedule_empty(OX_NO_JOB);
    ox_job b = schedule_empty(a);
    ox_job c = schedule_empty(a);
    return schedule_empty(ox_combine(b, c));
}

static void run_diamonds(void) {
    for (int k = 0; k < BENCH_DIAMONDS; k++) {
        handles[k] = schedule_diamond();
    }
    ox_jobs_kick();
    ox_complete_at(handles, BENCH_DIAMONDS, OX_HERE);
}

static void run_diamond_wait(void) {
    for (int k = 0; k < BENCH_DIAMONDS; k++) {
        ox_job last = schedule_diamond();
        ox_complete(last);
    }
}

// The handle that a node waits for.
static ox_job combine_before(const bench_node *node) {
    ox_job before[BENCH_MOST_BEFORE];
    for (int b = 0; b < node->count; b++) {
        before[b] = handles[node->before[b]];
    }
    return node->count == 0   ? OX_NO_JOB
           : node->count == 1 ? before[0]
                              : ox_combine_at(before, node->count, OX_HERE);
}

static void run_dag(void) {
    for (int k = 0; k < BENCH_NODES; k++) {
        handles[k] = ox_schedule(BenchNode, combine_before(&bench_nodes[k]), {0});
    }
    ox_jobs_kick();
    ox_complete_at(handles, BENCH_NODES, OX_HERE);
}

static void run_session(void (*body)(void)) {
    body();
}

static void queue(bench_call *call, void *argument) {
    if (queued_count < (int)(sizeof queued / sizeof queued[0])) {
        queued[queued_count++] = ox_schedule(BenchQueued, OX_NO_JOB, {call, argument});
    }
}

static void queue_awaited(bench_call *call, void *argument) {
    awaited = ox_schedule(BenchAwaited, OX_NO_JOB, {call, argument});
}

static void show(void) {
    ox_jobs_kick();
}

static void wait_awaited(void) {
    ox_complete(awaited);
}

static void drain(void) {
    ox_complete_at(queued, queued_count, OX_HERE);
    queued_count = 0;
}

#define OXBOW_LOADS                                                                                \
    {                                                                                              \
        run_hot, run_empty, run_light_64, run_light_16384, run_heavy, run_chain, run_diamonds,     \
            run_diamond_wait, run_dag                                                              \
    }

const bench_runner bench_oxbow = {
    .name = "oxbow",
    .enter = start_with_worker,
    .leave = stop,
    .loads = OXBOW_LOADS,
    .session = run_session,
    .queue = queue,
    .queue_awaited = queue_awaited,
    .show = show,
    .wait_awaited = wait_awaited,
    .drain = drain,
};

const bench_runner bench_oxbow_alone = {
    .name = "no_workers",
    .enter = start_alone,
    .leave = stop,
    .loads = OXBOW_LOADS,
};
