// SPDX-License-Identifier: MIT
//
// Rows of docs/modelling.md about jobs: a job that sleeps, sizes of batches, completing late. Main
// and one worker, each held on a core.

#include "bench_modelling.h"
#include "bench_samples.h"
#include "jobs_work.h"

#include <oxbow.h>

enum {
    SLEEP_US = 20000,
    HEAVY_ITEMS = 200,
    SINGLE_JOBS = 16,
    SINGLE_US = 50,
    LOOPS = 16,
    LOOP_ITEMS = 1 << 16,
};

void model_begin_threads(void) {
    bench_work_setup();
    bench_raise_priority();
    ox_jobs_stop();
    bench_hold_core(1); // a thread starts on the core that its maker is held on
    ox_jobs_start(&(ox_jobs_def){.worker_count = 1});
    bench_hold_core(0);
}

void model_end_threads(void) {
    ox_jobs_stop();
    bench_hold_core(-1);
}

// A job that waits for something outside, beside a frame of jobs.

static ox_job sleeping;

OX_JOB(ModelSleep, { int us; }) {
    bench_sleep_us((uint64_t)job->us);
}

// Of 1 to 19 us, 10 on average.
OX_PARALLEL_JOB(ModelHeavy, { int unused; }) {
    bench_work(1 + (uint32_t)i * 7 % 19);
}

static void start_background(void) {
    sleeping = ox_schedule_background(ModelSleep, OX_NO_JOB, {SLEEP_US});
    ox_jobs_kick();
}

static void start_on_worker(void) {
    sleeping = ox_schedule(ModelSleep, OX_NO_JOB, {SLEEP_US});
    ox_jobs_kick();
}

static void end_sleep(void) {
    ox_complete(sleeping);
}

static void run_heavy(int batch) {
    ox_complete(ox_schedule_for(ModelHeavy, HEAVY_ITEMS, batch, OX_NO_JOB, {0}));
}

static void frame_of_jobs(void) {
    run_heavy(1);
}

static void frame_that_waits(void) {
    run_heavy(1);
    ox_complete(sleeping);
}

static void measure_sleep(const void *context, bench_result *result) {
    (void)context;
    static const model_way ways[] = {
        {"background", start_background, frame_of_jobs, end_sleep},
        {"on_worker", start_on_worker, frame_of_jobs, end_sleep},
        {"waited_for_ns", start_on_worker, frame_that_waits, NULL},
        {"no_sleep_ns", NULL, frame_of_jobs, NULL},
    };
    model_begin_threads();
    model_put_medians(ways, sizeof ways / sizeof ways[0], 1, result);
    model_end_threads();
}

// Batches.

OX_PARALLEL_JOB(ModelLight, { OX_NO_SAFETY float *floats; }) {
    job->floats[i] = bench_light(job->floats[i]);
}

OX_RANGE_JOB(ModelRange, { OX_NO_SAFETY float *floats; }) {
    for (int i = begin; i < end; i++) {
        job->floats[i] = bench_light(job->floats[i]);
    }
}

static void run_light(int batch) {
    ox_complete(ox_schedule_for(ModelLight, BENCH_LIGHT, batch, OX_NO_JOB, {bench_floats}));
}

static void run_ranges(int batch) {
    ox_complete(ox_schedule_for(ModelRange, BENCH_LIGHT, batch, OX_NO_JOB, {bench_floats}));
}

static void light_1(void) {
    run_light(1);
}

static void light_8(void) {
    run_light(8);
}

static void light_64(void) {
    run_light(64);
}

static void light_1024(void) {
    run_light(1024);
}

static void ranges_1(void) {
    run_ranges(1);
}

static void ranges_8(void) {
    run_ranges(8);
}

static void ranges_64(void) {
    run_ranges(64);
}

static void ranges_1024(void) {
    run_ranges(1024);
}

static void heavy_8(void) {
    run_heavy(8);
}

static void heavy_64(void) {
    run_heavy(64);
}

static void measure_light(const void *context, bench_result *result) {
    (void)context;
    static const model_way ways[] = {
        {"batch_64", NULL, light_64, NULL},     {"batch_1", NULL, light_1, NULL},
        {"batch_8_ns", NULL, light_8, NULL},    {"batch_1024_ns", NULL, light_1024, NULL},
        {"range_1_ns", NULL, ranges_1, NULL},   {"range_8_ns", NULL, ranges_8, NULL},
        {"range_64_ns", NULL, ranges_64, NULL}, {"range_1024_ns", NULL, ranges_1024, NULL},
    };
    model_begin_threads();
    model_put_medians(ways, sizeof ways / sizeof ways[0], BENCH_LIGHT, result);
    model_end_threads();
}

static void measure_heavy(const void *context, bench_result *result) {
    (void)context;
    static const model_way ways[] = {
        {"batch_1", NULL, frame_of_jobs, NULL},
        {"batch_64", NULL, heavy_64, NULL},
        {"batch_8_ns", NULL, heavy_8, NULL},
    };
    model_begin_threads();
    model_put_medians(ways, sizeof ways / sizeof ways[0], HEAVY_ITEMS, result);
    model_end_threads();
}

// Completing each job before the next one is scheduled, or all at the end.

OX_JOB(ModelSingle, { int us; }) {
    bench_work((uint32_t)job->us);
}

static void single_late(void) {
    ox_job jobs[SINGLE_JOBS];
    for (int k = 0; k < SINGLE_JOBS; k++) {
        jobs[k] = ox_schedule(ModelSingle, OX_NO_JOB, {SINGLE_US});
    }
    ox_jobs_kick();
    ox_complete_at(jobs, SINGLE_JOBS, OX_HERE);
}

static void single_each(void) {
    for (int k = 0; k < SINGLE_JOBS; k++) {
        ox_complete(ox_schedule(ModelSingle, OX_NO_JOB, {SINGLE_US}));
    }
}

static void loops_late(void) {
    ox_job last = OX_NO_JOB;
    for (int k = 0; k < LOOPS; k++) {
        last = ox_schedule_for(ModelLight, LOOP_ITEMS, 1024, last, {bench_floats});
    }
    ox_complete(last);
}

static void loops_each(void) {
    for (int k = 0; k < LOOPS; k++) {
        ox_complete(ox_schedule_for(ModelLight, LOOP_ITEMS, 1024, OX_NO_JOB, {bench_floats}));
    }
}

static void measure_completing(const void *context, bench_result *result) {
    (void)context;
    static const model_way ways[] = {
        {"late", NULL, single_late, NULL},
        {"each", NULL, single_each, NULL},
        {"loops_late_ns", NULL, loops_late, NULL},
        {"loops_each_ns", NULL, loops_each, NULL},
    };
    model_begin_threads();
    model_put_medians(ways, sizeof ways / sizeof ways[0], SINGLE_JOBS, result);
    model_end_threads();
}

void bench_modelling_jobs(void) {
    bench_add_measured(&(bench_measured){"modelling.background", 1, measure_sleep, NULL});
    bench_add_measured(
        &(bench_measured){"modelling.batch_light", BENCH_LIGHT, measure_light, NULL});
    bench_add_measured(
        &(bench_measured){"modelling.batch_heavy", HEAVY_ITEMS, measure_heavy, NULL});
    bench_add_measured(
        &(bench_measured){"modelling.complete_late", SINGLE_JOBS, measure_completing, NULL});
}
