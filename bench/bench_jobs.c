// SPDX-License-Identifier: MIT
//
// Rows of jobs whose time is taken as a whole. A turn is some calls to get warm and some that are
// timed. A figure is the median of all timed calls; min_ns and the like are the shortest of them.

#include "bench.h"
#include "bench_contest.h"
#include "bench_samples.h"

#include "base/platform.h"

#include <stddef.h>
#include <string.h>

enum { WARM_CALLS = 3, HEAVY_GROUPS = 5, MOST_MS = 6000 };

typedef struct load_row {
    const char *name;
    uint64_t n;
    int load;
    int threads; // how many bare loops could run side by side
    int rounds;
    int samples; // in each round
} load_row;

static void add_taker(const bench_runner *runner, int load) {
    if (runner->loads[load] != NULL) {
        contest_add(runner);
    }
}

static void add_takers(const load_row *row) {
    contest_begin();
    add_taker(&bench_oxbow, row->load);
    add_taker(&bench_bare, row->load);
    for (int k = 0; bench_peers[k] != NULL; k++) {
        add_taker(bench_peers[k], row->load);
    }
    if (row->load == BENCH_LOAD_EMPTY) {
        contest_add(&bench_oxbow_alone);
    }
}

static void take_turn(const void *context) {
    const load_row *row = context;
    void (*work)(void) = contest_runner()->loads[row->load];
    for (int k = -WARM_CALLS; k < row->samples; k++) {
        int64_t mark = contest_mark();
        uint64_t begin = oxi_clock_now();
        work();
        uint64_t end = oxi_clock_now();
        if (k >= 0) {
            contest_put_sample((double)(end - begin) / (double)row->n, mark);
        }
    }
}

static void measure_load(const void *context, bench_result *result) {
    const load_row *row = context;
    add_takers(row);
    contest_run(&(contest_plan){row->rounds, MOST_MS, take_turn, row});
    contest_put_figures(result, row->threads);
}

// The speed-up of each runner over the bare loop in one group of rounds.
static void add_speedups(double speedups[CONTEST_MOST_RUNNERS][HEAVY_GROUPS], int group) {
    for (int k = 0; k < contest_entry_count; k++) {
        double median = contest_median(k);
        speedups[k][group] = median > 0 ? contest_median(1) / median : 0;
    }
}

// NULL for those that need none.
static const char *label_speedup(const char *runner) {
    static const char *const labels[][2] = {
        {"oxbow", "speedup"},
        {"tbb", "tbb_speedup"},
        {"openmp", "openmp_speedup"},
        {"tbb_auto", "tbb_auto_speedup"},
        {"bare", NULL},
        {"openmp_static", "openmp_static_speedup"},
    };
    int k = 0;
    while (strcmp(labels[k][0], runner) != 0) {
        k++;
    }
    return labels[k][1];
}

// The best of TBB's ways is what Oxbow has to reach.
static void put_speedups(double speedups[CONTEST_MOST_RUNNERS][HEAVY_GROUPS],
                         bench_result *result) {
    double tbb = 0;
    for (int k = 0; k < contest_entry_count; k++) {
        double speedup = bench_median(speedups[k], HEAVY_GROUPS);
        const char *runner = contest_entries[k].runner->name;
        if (label_speedup(runner) != NULL) {
            bench_put(result, label_speedup(runner), speedup);
        }
        tbb = strncmp(runner, "tbb", 3) == 0 && speedup > tbb ? speedup : tbb;
    }
    bench_put(result, "speedup_must", tbb > 0 && tbb < 1.85 ? tbb : 1.85);
}

static void measure_heavy(const void *context, bench_result *result) {
    const load_row *row = context;
    double speedups[CONTEST_MOST_RUNNERS][HEAVY_GROUPS];
    for (int group = 0; group < HEAVY_GROUPS; group++) {
        *result = (bench_result){0};
        add_takers(row);
        contest_run(&(contest_plan){row->rounds, MOST_MS / HEAVY_GROUPS, take_turn, row});
        contest_put_figures(result, row->threads);
        add_speedups(speedups, group);
    }
    put_speedups(speedups, result);
}

static const load_row rows[] = {
    {"jobs.hot", BENCH_HOT, BENCH_LOAD_HOT, 1, 30, 30},
    {"jobs.empty100k", BENCH_EMPTY, BENCH_LOAD_EMPTY, 1, 15, 7},
    {"jobs.for_light_64", BENCH_LIGHT, BENCH_LOAD_LIGHT_64, 2, 20, 40},
    {"jobs.for_light_16384", BENCH_LIGHT, BENCH_LOAD_LIGHT_16384, 2, 20, 40},
    {"jobs.for_heavy", BENCH_HEAVY, BENCH_LOAD_HEAVY, 2, 5, 8},
    {"jobs.chain", BENCH_CHAIN, BENCH_LOAD_CHAIN, 1, 20, 15},
    {"jobs.diamonds", BENCH_DIAMONDS * 4, BENCH_LOAD_DIAMONDS, 1, 20, 15},
    {"jobs.diamond_wait", BENCH_DIAMONDS * 4, BENCH_LOAD_DIAMOND_WAIT, 1, 20, 15},
    {"jobs.dag", BENCH_NODES, BENCH_LOAD_DAG, 2, 10, 10},
};

void bench_jobs(void) {
    for (int k = 0; k < (int)(sizeof rows / sizeof rows[0]); k++) {
        bool is_heavy = rows[k].load == BENCH_LOAD_HEAVY;
        bench_measured row = {rows[k].name, rows[k].n, is_heavy ? measure_heavy : measure_load,
                              &rows[k]};
        bench_add_measured(&row);
    }
}
