// SPDX-License-Identifier: MIT
//
// The work of the rows of jobs on OpenMP, two threads. Idioms, as its examples give them:
//
//   single and empty jobs   parallel, master: task, taskwait
//   loops, literal batch    parallel for schedule(dynamic, batch)
//   loops, own partition    parallel for schedule(static) (row "openmp_static")
//   dependencies            task depend(in, out), taskwait
//
// An empty task would be left out by the compiler. libgomp runs a task at once, without queueing
// it, when 64 per thread are waiting; its threads spin for milliseconds after a region, so the team
// is ended whenever somebody else takes a turn.

#include "bench.h"
#include "bench_samples.h"
#include "jobs_work.h"

#include <omp.h>
#include <stddef.h>

static char marks[BENCH_NODES];
static char awaited_mark;

// A new team: its second thread gets a core of its own.
static void enter(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        bench_hold_core(1);
    }
}

static void leave(void) {
    omp_pause_resource_all(omp_pause_soft);
}

// Runs `body` on the calling thread; the other one takes tasks.
static void run_session(void (*body)(void)) {
#pragma omp parallel num_threads(2)
#pragma omp master
    body();
}

static void hot_body(void) {
    for (int k = 0; k < BENCH_HOT; k++) {
#pragma omp task
        bench_keep(NULL);
#pragma omp taskwait
    }
}

static void empty_body(void) {
    for (int k = 0; k < BENCH_EMPTY; k++) {
#pragma omp task
        bench_keep(NULL);
    }
#pragma omp taskwait
}

static void chain_body(void) {
    for (int k = 0; k < BENCH_CHAIN; k++) {
#pragma omp task depend(inout : marks[0])
        bench_keep(NULL);
    }
#pragma omp taskwait
}

static void add_diamond(int k) {
    char *a = &marks[k * 4];
    char *b = a + 1;
    char *c = a + 2;
    (void)b, (void)c;
#pragma omp task depend(out : a[0])
    bench_keep(NULL);
#pragma omp task depend(in : a[0]) depend(out : b[0])
    bench_keep(NULL);
#pragma omp task depend(in : a[0]) depend(out : c[0])
    bench_keep(NULL);
#pragma omp task depend(in : b[0], c[0])
    bench_keep(NULL);
}

static void diamonds_body(void) {
    for (int k = 0; k < BENCH_DIAMONDS; k++) {
        add_diamond(k);
    }
#pragma omp taskwait
}

static void diamond_wait_body(void) {
    for (int k = 0; k < BENCH_DIAMONDS; k++) {
        add_diamond(k);
#pragma omp taskwait
    }
}

static void dag_body(void) {
    for (int k = 0; k < BENCH_NODES; k++) {
        const bench_node *node = &bench_nodes[k];
#pragma omp task depend(iterator(b = 0                                                             \
                                 : node->count),                                                   \
                        in                                                                         \
                        : marks[node->before[b]]) depend(out                                       \
                                                         : marks[k])
        bench_work(1);
    }
#pragma omp taskwait
}

static void run_hot(void) {
    run_session(hot_body);
}

static void run_empty(void) {
    run_session(empty_body);
}

static void run_chain(void) {
    run_session(chain_body);
}

static void run_diamonds(void) {
    run_session(diamonds_body);
}

static void run_diamond_wait(void) {
    run_session(diamond_wait_body);
}

static void run_dag(void) {
    run_session(dag_body);
}

static void run_light(int batch) {
#pragma omp parallel for num_threads(2) schedule(dynamic, batch)
    for (int k = 0; k < BENCH_LIGHT; k++) {
        bench_floats[k] = bench_light(bench_floats[k]);
    }
}

static void run_light_64(void) {
    run_light(64);
}

static void run_light_16384(void) {
    run_light(16384);
}

static void run_heavy(void) {
#pragma omp parallel for num_threads(2) schedule(dynamic, BENCH_HEAVY_BATCH)
    for (int k = 0; k < BENCH_HEAVY; k++) {
        bench_floats[k] = bench_heavy(bench_floats[k]);
    }
}

static void run_static_light(void) {
#pragma omp parallel for num_threads(2) schedule(static)
    for (int k = 0; k < BENCH_LIGHT; k++) {
        bench_floats[k] = bench_light(bench_floats[k]);
    }
}

static void run_static_heavy(void) {
#pragma omp parallel for num_threads(2) schedule(static)
    for (int k = 0; k < BENCH_HEAVY; k++) {
        bench_floats[k] = bench_heavy(bench_floats[k]);
    }
}

static void queue(bench_call *call, void *argument) {
#pragma omp task
    call(argument);
}

static void queue_awaited(bench_call *call, void *argument) {
#pragma omp task depend(out : awaited_mark)
    call(argument);
}

static void show(void) {
}

static void wait_awaited(void) {
#pragma omp taskwait depend(in : awaited_mark)
}

static void drain(void) {
#pragma omp taskwait
}

const bench_runner bench_openmp = {
    .name = "openmp",
    .enter = enter,
    .leave = leave,
    .loads = {run_hot, run_empty, run_light_64, run_light_16384, run_heavy, run_chain, run_diamonds,
              run_diamond_wait, run_dag},
    .session = run_session,
    .queue = queue,
    .queue_awaited = queue_awaited,
    .show = show,
    .wait_awaited = wait_awaited,
    .drain = drain,
};

const bench_runner bench_openmp_static = {
    .name = "openmp_static",
    .enter = enter,
    .leave = leave,
    .loads = {NULL, NULL, run_static_light, run_static_light, run_static_heavy, NULL, NULL, NULL,
              NULL},
};
