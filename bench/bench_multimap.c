// SPDX-License-Identifier: MIT
//
// Multimaps that jobs build anew, as a program does in each frame: keys far from each other, which
// are hashed, and keys close to each other, as those of a grid, which have cells. Beside them is a
// sort by counting, which a program would write by hand for such keys.

#include "bench.h"
#include "bench_probe.h"
#include "bench_samples.h"

#include "base/platform.h"
#include "oxbow/containers.h"
#include "oxbow/jobs.h"

#include <string.h>

enum { PAIRS = 1000000, PAIR_KEYS = PAIRS / 4, ROUNDS = 15, FRAMES = 3 };

/// Samples of one side, ns a pair.
typedef struct pair_samples {
    double build[ROUNDS], read[ROUNDS];
} pair_samples;

/// All rounds with one kind of keys, which are multiplied by `factor`; that keeps them different.
typedef struct pair_rounds {
    uint64_t factor;
    bool are_taken;
    pair_samples two, one, bare;
    int near_rounds;
} pair_rounds;

static pair_rounds far_rounds = {.factor = 0x9e3779b97f4a7c15u}, close_rounds = {.factor = 1};

static uint32_t starts[PAIR_KEYS + 1], values[PAIRS];
static volatile uint64_t multimap_sink;

OX_MULTIMAP(Pairs, uint64_t, uint32_t);

OX_PARALLEL_JOB(BenchWritePairs, {
    Pairs_writer out;
    uint64_t factor;
}) {
    uint64_t key = (uint64_t)((unsigned)i * 2654435761u) % PAIR_KEYS;
    ox_multimap_write(job->out, key * job->factor, (uint32_t)i);
}

static double read_multimap(Pairs pairs, uint64_t factor) {
    uint64_t begin = oxi_clock_now(), sum = 0;
    for (uint64_t key = 0; key < PAIR_KEYS; key++) {
        OX_EACH_OF(pairs, key * factor, it) {
            sum += *it.value;
        }
    }
    multimap_sink = sum;
    return (double)(oxi_clock_now() - begin) / PAIRS;
}

/// Times for building and reading, ns a pair.
typedef struct pair_times {
    double build, read;
} pair_times;

static pair_times time_multimap(uint64_t factor) {
    Pairs pairs = ox_multimap_create(Pairs, 0, OX_PERSISTENT);
    Pairs_writer out = ox_multimap_writer_of(pairs);
    pair_times times = {0};
    // The first times take memory from the system; a program that does this each frame has it.
    for (int k = 0; k < FRAMES; k++) {
        ox_multimap_clear(pairs);
        uint64_t begin = oxi_clock_now();
        ox_job job = ox_schedule_for(BenchWritePairs, PAIRS, 4096, OX_NO_JOB, {out, factor});
        ox_complete(ox_multimap_merge_after(pairs, job));
        times.build = (double)(oxi_clock_now() - begin) / PAIRS;
    }
    times.read = read_multimap(pairs, factor);
    ox_dispose(&pairs);
    return times;
}

// Counts the values of each key, and puts them behind each other in one array.
static void sort_by_counting(void) {
    memset(starts, 0, sizeof starts);
    for (unsigned i = 0; i < PAIRS; i++) {
        starts[i * 2654435761u % PAIR_KEYS]++;
    }
    for (unsigned k = 1; k <= PAIR_KEYS; k++) {
        starts[k] += starts[k - 1];
    }
    for (unsigned i = PAIRS; i-- > 0;) {
        values[--starts[i * 2654435761u % PAIR_KEYS]] = i;
    }
    bench_keep(values);
}

static pair_times time_bare(void) {
    uint64_t begin = oxi_clock_now(), sum = 0;
    sort_by_counting();
    uint64_t middle = oxi_clock_now();
    for (unsigned key = 0; key < PAIR_KEYS; key++) {
        for (unsigned k = starts[key]; k < starts[key + 1]; k++) {
            sum += values[k];
        }
    }
    multimap_sink = sum;
    return (pair_times){(double)(middle - begin) / PAIRS,
                        (double)(oxi_clock_now() - middle) / PAIRS};
}

static pair_times time_with(int workers, uint64_t factor) {
    bench_hold_core(1); // a thread starts on the core that its maker is held on
    ox_jobs_start(&(ox_jobs_def){.worker_count = workers});
    bench_hold_core(0);
    pair_times times = time_multimap(factor);
    ox_jobs_stop();
    bench_hold_core(-1);
    return times;
}

static void take_sample(pair_samples *samples, int round, pair_times times) {
    samples->build[round] = times.build;
    samples->read[round] = times.read;
}

// Building and reading are of the same rounds.
static void take_rounds(pair_rounds *rounds) {
    if (rounds->are_taken) {
        return;
    }
    bench_raise_priority();
    for (int k = 0; k < ROUNDS; k++) {
        rounds->near_rounds += bench_is_near(bench_probe_cores());
        take_sample(&rounds->two, k, time_with(1, rounds->factor));
        take_sample(&rounds->one, k, time_with(OX_NO_WORKERS, rounds->factor));
        take_sample(&rounds->bare, k, time_bare());
    }
    rounds->are_taken = true;
}

// What rows are given is constant; rounds are not.
static pair_rounds *const all_rounds[] = {&far_rounds, &close_rounds};

static void measure_build(const void *context, bench_result *result) {
    pair_rounds *rounds = *(pair_rounds *const *)context;
    take_rounds(rounds);
    result->ns = bench_median(rounds->two.build, ROUNDS);
    result->limit_ns = bench_median(rounds->bare.build, ROUNDS);
    double alone = bench_median(rounds->one.build, ROUNDS);
    bench_put(result, "no_workers_ns", alone);
    bench_put(result, "speedup", alone / result->ns);
    bench_put(result, "min_ns", rounds->two.build[0]);
    bench_put(result, "speedup_of_shortest", rounds->one.build[0] / rounds->two.build[0]);
    int near_rounds = rounds->near_rounds;
    result->probe = near_rounds == ROUNDS ? "near" : near_rounds == 0 ? "far" : "mixed";
}

static void measure_read(const void *context, bench_result *result) {
    pair_rounds *rounds = *(pair_rounds *const *)context;
    take_rounds(rounds);
    result->ns = bench_median(rounds->one.read, ROUNDS);
    result->limit_ns = bench_median(rounds->bare.read, ROUNDS);
}

void bench_multimap(void) {
    static const bench_measured rows[] = {
        {"containers.multimap_build", PAIRS, measure_build, &all_rounds[0]},
        {"containers.multimap_read", PAIRS, measure_read, &all_rounds[0]},
        {"containers.multimap_grid_build", PAIRS, measure_build, &all_rounds[1]},
        {"containers.multimap_grid_read", PAIRS, measure_read, &all_rounds[1]},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        bench_add_measured(&rows[k]);
    }
}
