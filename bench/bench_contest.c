// SPDX-License-Identifier: MIT
//
// Contests.

#include "bench_contest.h"

#include "base/platform.h"
#include "bench_probe.h"
#include "bench_samples.h"

#include <string.h>

enum { FEWEST_SAMPLES = 10 };

contest_entry contest_entries[CONTEST_MOST_RUNNERS];
int contest_entry_count;

static contest_entry *turn_entry;

// The samples of one turn; whether they are good is known when the round has ended.
typedef struct turn_sample {
    double value;
    int entry;
    bool is_disturbed;
} turn_sample;
static turn_sample turn_samples[CONTEST_MOST_SAMPLES];
static int turn_sample_count;
static int near_rounds, all_rounds;

void contest_begin(void) {
    bench_raise_priority();
    bench_keep_heap();
    bench_work_setup();
    contest_entry_count = 0;
    near_rounds = all_rounds = 0;
}

void contest_add(const bench_runner *runner) {
    if (contest_entry_count < CONTEST_MOST_RUNNERS) {
        contest_entry *entry = &contest_entries[contest_entry_count++];
        entry->runner = runner;
        entry->good_count = entry->rest_count = entry->dropped_count = 0;
    }
}

const bench_runner *contest_runner(void) {
    return turn_entry->runner;
}

int64_t contest_mark(void) {
    return bench_disturbances();
}

void contest_put_sample(double value, int64_t mark) {
    if (turn_sample_count < CONTEST_MOST_SAMPLES) {
        turn_samples[turn_sample_count++] =
            (turn_sample){value, (int)(turn_entry - contest_entries), bench_disturbances() != mark};
    }
}

void contest_drop_sample(void) {
    turn_entry->dropped_count++;
}

static void keep_samples(bool is_near) {
    for (int k = 0; k < turn_sample_count; k++) {
        contest_entry *entry = &contest_entries[turn_samples[k].entry];
        bool is_good = is_near && !turn_samples[k].is_disturbed;
        int *count = is_good ? &entry->good_count : &entry->rest_count;
        double *values = is_good ? entry->good : entry->rest;
        if (*count < CONTEST_MOST_SAMPLES) {
            values[(*count)++] = turn_samples[k].value;
        }
    }
    near_rounds += is_near;
    all_rounds++;
}

void contest_run(const contest_plan *plan) {
    uint64_t end = oxi_clock_now() + (uint64_t)plan->most_ms * 1000000;
    double before = bench_probe_cores();
    int wanted = near_rounds + plan->rounds;
    do {
        turn_sample_count = 0;
        for (int k = 0; k < contest_entry_count; k++) {
            turn_entry = &contest_entries[k];
            bench_enter(turn_entry->runner);
            plan->turn(plan->context);
            bench_leave(turn_entry->runner);
        }
        double after = bench_probe_cores();
        keep_samples(bench_is_near(before) && bench_is_near(after));
        before = after;
    } while (near_rounds < wanted && oxi_clock_now() < end);
}

static bool all_have_good(void) {
    for (int k = 0; k < contest_entry_count; k++) {
        int wanted = contest_entries[k].rest_count < FEWEST_SAMPLES ? 1 : FEWEST_SAMPLES;
        if (contest_entries[k].good_count < wanted) {
            return false;
        }
    }
    return true;
}

// With too few good samples of anybody, all of everybody count: the runners stay comparable.
static void settle_samples(void) {
    bool is_enough = all_have_good();
    for (int k = 0; k < contest_entry_count; k++) {
        contest_entry *entry = &contest_entries[k];
        for (; !is_enough && entry->rest_count > 0 && entry->good_count < CONTEST_MOST_SAMPLES;) {
            entry->good[entry->good_count++] = entry->rest[--entry->rest_count];
        }
        bench_median(entry->good, entry->good_count); // sorts
    }
}

double contest_percentile(int entry, int percent) {
    return bench_percentile(contest_entries[entry].good, contest_entries[entry].good_count,
                            percent);
}

double contest_median(int entry) {
    return contest_percentile(entry, 50);
}

static void put_entry(bench_result *result, int k, int bare_threads) {
    const bench_runner *runner = contest_entries[k].runner;
    double median = contest_median(k);
    if (runner == &bench_oxbow) {
        result->ns = median;
        bench_put(result, "min_ns", contest_percentile(k, 0));
    } else if (runner == &bench_bare) {
        result->limit_ns = median / bare_threads;
    } else if (runner == &bench_oxbow_alone) {
        bench_put(result, "no_workers_ns", median);
    } else {
        bench_put_peer(result, runner->name, median);
    }
    if (strcmp(runner->name, "tbb") == 0) {
        bench_put(result, "tbb_min_ns", contest_percentile(k, 0));
    }
}

void contest_put_figures(bench_result *result, int bare_threads) {
    bool is_near = all_have_good();
    settle_samples();
    for (int k = 0; k < contest_entry_count; k++) {
        put_entry(result, k, bare_threads);
    }
    result->probe = is_near ? "near" : near_rounds == 0 ? "far" : "mixed";
    bench_put(result, "near_rounds", near_rounds);
    bench_put(result, "rounds", all_rounds);
}
