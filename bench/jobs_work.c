// SPDX-License-Identifier: MIT
//
// The work of the rows of jobs.

#include "jobs_work.h"

#include "base/platform.h"
#include "bench_samples.h"

enum { CALIBRATION_STEPS = 1 << 16, CALIBRATIONS = 50, NODE_WINDOW = 100, QUIET_US = 1000 };

float bench_floats[BENCH_LIGHT];
bench_node bench_nodes[BENCH_NODES];
static double steps_per_us;
static oxi_atomic_u32 sink;

const bench_runner *const bench_peers[] = {
#ifdef BENCH_HAS_TBB
    &bench_tbb,    &bench_tbb_auto,      &bench_tbb_new_graph,
#endif
#ifdef BENCH_HAS_OPENMP
    &bench_openmp, &bench_openmp_static,
#endif
    NULL};

void bench_enter(const bench_runner *runner) {
    bench_hold_core(-1);
    if (runner->enter != NULL) {
        runner->enter();
    }
    bench_hold_core(0);
}

void bench_leave(const bench_runner *runner) {
    if (runner->leave != NULL) {
        runner->leave();
    }
    bench_sleep_us(QUIET_US); // until its threads sleep
    bench_hold_core(-1);
}

static uint32_t advance(uint32_t x) {
    return x * 1664525u + 1013904223u;
}

static void run_steps(uint32_t steps) {
    uint32_t x = steps;
    for (uint32_t k = 0; k < steps; k++) {
        x = advance(x);
        __asm__ __volatile__("" : "+r"(x)); // one step after the other
    }
    if (x == 1) {
        oxi_store_relaxed(&sink, x);
    }
}

void bench_work(uint32_t us) {
    run_steps((uint32_t)(steps_per_us * us));
}

static void calibrate(void) {
    for (int k = 0; k < CALIBRATIONS; k++) {
        uint64_t begin = oxi_clock_now();
        run_steps(CALIBRATION_STEPS);
        double rate = CALIBRATION_STEPS * 1000.0 / (double)(oxi_clock_now() - begin);
        steps_per_us = rate > steps_per_us ? rate : steps_per_us;
    }
}

// Each node runs after up to three of the hundred before it: wide enough for two threads.
static void make_nodes(void) {
    uint32_t seed = 7;
    for (int k = 0; k < BENCH_NODES; k++) {
        int window = k < NODE_WINDOW ? k : NODE_WINDOW;
        seed = advance(seed);
        bench_nodes[k].count = window == 0 ? 0 : (int)(seed >> 30);
        for (int b = 0; b < bench_nodes[k].count; b++) {
            seed = advance(seed);
            bench_nodes[k].before[b] = k - 1 - (int)((seed >> 8) % (uint32_t)window);
        }
    }
}

void bench_work_setup(void) {
    if (steps_per_us != 0) {
        return;
    }
    calibrate();
    make_nodes();
    for (int k = 0; k < BENCH_LIGHT; k++) {
        bench_floats[k] = (float)k;
    }
}
