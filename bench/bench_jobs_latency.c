// SPDX-License-Identifier: MIT
//
// Rows of jobs that take the time of single ones: how long it takes with a worker asleep, until a
// worker starts, until a wait ends.

#include "bench.h"
#include "bench_contest.h"
#include "bench_samples.h"

#include "base/platform.h"

#include <stddef.h>

enum {
    COLD_SAMPLES = 30,
    COLD_SLEEP_US = 5000,
    SHORT_US = 1,
    LONG_US = 2000,
    LONG_JOBS = 4,
    PRIORITY_SAMPLES = 20,
    PRIORITY_MOST_US = 50,
    IDLE_US = 2000000,
    MOST_MS = 6000,
};

typedef struct latency_row {
    const char *name;
    void (*body)(void); // in a session of the runner
    int rounds;
    void (*put)(bench_result *result); // more figures
} latency_row;

static int most_calls;

static void call_nothing(void *argument) {
    bench_keep(argument);
}

// Cold: the worker sleeps when a job is scheduled and waited for.

static void take_cold(const bench_runner *runner, bool is_first) {
    bench_sleep_us(COLD_SLEEP_US);
    int64_t mark = contest_mark();
    bench_take_system_calls();
    uint64_t begin = oxi_clock_now();
    runner->queue_awaited(call_nothing, NULL);
    runner->wait_awaited();
    uint64_t end = oxi_clock_now();
    int calls = bench_take_system_calls();
    if (is_first) {
        return; // it takes memory
    }
    contest_put_sample((double)(end - begin), mark);
    most_calls = runner == &bench_oxbow && calls > most_calls ? calls : most_calls;
}

static void cold_body(void) {
    for (int k = 0; k < COLD_SAMPLES; k++) {
        take_cold(contest_runner(), k == 0);
    }
}

static void put_calls(bench_result *result) {
    bench_put(result, "syscalls", most_calls);
}

// Start: from before the call until the job runs on another core.

typedef struct start_mark {
    oxi_atomic_u32 is_set;
    uint64_t time;
    uint32_t core;
} start_mark;

static void mark_start(void *argument) {
    start_mark *mark = argument;
    mark->time = oxi_clock_now();
    mark->core = oxi_core_current();
    oxi_store_release(&mark->is_set, 1);
}

static void take_start(const bench_runner *runner, int64_t mark) {
    start_mark start = {0};
    uint32_t core = oxi_core_current();
    uint64_t begin = oxi_clock_now();
    runner->queue(mark_start, &start);
    runner->show();
    while (oxi_load_acquire(&start.is_set) == 0) {
        oxi_cpu_relax();
    }
    if (start.core != core) {
        contest_put_sample((double)(start.time - begin), mark);
    } else {
        contest_drop_sample();
    }
    runner->drain();
}

static void start_20us_body(void) {
    for (int k = 0; k < 300; k++) {
        uint64_t end = oxi_clock_now() + 20000;
        take_start(contest_runner(), contest_mark());
        while (oxi_clock_now() < end) {
        }
    }
}

static void start_5ms_body(void) {
    for (int k = 0; k < 30; k++) {
        bench_sleep_us(5000);
        take_start(contest_runner(), contest_mark());
    }
}

static void put_start(bench_result *result) {
    bench_put(result, "same_cpu", contest_entries[0].dropped_count);
    bench_put(result, "p99_us", contest_percentile(0, 99) / 1000);
}

// Priority: a short job is waited for, long ones are queued with it, before it or behind.

static void call_short(void *argument) {
    bench_keep(argument);
    bench_work(SHORT_US);
}

static void call_long(void *argument) {
    bench_keep(argument);
    bench_work(LONG_US);
}

static void queue_long(const bench_runner *runner) {
    for (int k = 0; k < LONG_JOBS; k++) {
        runner->queue(call_long, NULL);
    }
}

static void take_priority(const bench_runner *runner, bool is_short_first) {
    if (!is_short_first) {
        queue_long(runner);
    }
    runner->queue_awaited(call_short, NULL);
    if (is_short_first) {
        queue_long(runner);
    }
    runner->show();
    int64_t mark = contest_mark();
    uint64_t begin = oxi_clock_now();
    runner->wait_awaited();
    contest_put_sample((double)(oxi_clock_now() - begin), mark);
    runner->drain();
}

static void priority_body(void) {
    for (int k = 0; k < PRIORITY_SAMPLES; k++) {
        take_priority(contest_runner(), k % 2 != 0);
    }
}

static void put_priority(bench_result *result) {
    bench_put(result, "median_us", contest_median(0) / 1000);
    bench_put(result, "p99_us", contest_percentile(0, 99) / 1000);
    bench_put(result, "worst_us", contest_percentile(0, 100) / 1000);
    bench_put(result, "worst_must_us", PRIORITY_MOST_US + SHORT_US);
    if (contest_entry_count > 2) {
        bench_put(result, "peer_worst_us", contest_percentile(2, 100) / 1000);
    }
}

// Idle: what the process burns in two seconds after it had work.

static void idle_body(void) {
    const bench_runner *runner = contest_runner();
    for (int k = 0; k < 100; k++) {
        runner->queue_awaited(call_nothing, NULL);
        runner->wait_awaited();
    }
    uint64_t begin = bench_cpu_ns();
    bench_sleep_us(IDLE_US);
    contest_put_sample((double)(bench_cpu_ns() - begin), contest_mark());
}

static void put_idle(bench_result *result) {
    bench_put(result, "cpu_ms", result->ns / 1e6);
}

static void take_turn(const void *context) {
    const latency_row *row = context;
    contest_runner()->session(row->body);
}

static void measure_latency(const void *context, bench_result *result) {
    const latency_row *row = context;
    most_calls = 0;
    contest_begin();
    contest_add(&bench_oxbow);
    contest_add(&bench_bare);
    for (int k = 0; bench_peers[k] != NULL; k++) {
        if (bench_peers[k]->session != NULL) {
            contest_add(bench_peers[k]);
        }
    }
    contest_run(&(contest_plan){row->rounds, MOST_MS, take_turn, row});
    contest_put_figures(result, 1);
    row->put(result);
}

static const latency_row rows[] = {
    {"jobs.cold", cold_body, 4, put_calls},
    {"jobs.start_20us", start_20us_body, 10, put_start},
    {"jobs.start_5ms", start_5ms_body, 4, put_start},
    {"jobs.priority", priority_body, 8, put_priority},
    {"jobs.idle_cpu", idle_body, 0, put_idle},
};

void bench_jobs_latency(void) {
    for (int k = 0; k < (int)(sizeof rows / sizeof rows[0]); k++) {
        bench_measured row = {rows[k].name, 1, measure_latency, &rows[k]};
        bench_add_measured(&row);
    }
}
