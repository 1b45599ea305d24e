// SPDX-License-Identifier: MIT
//
// Multimaps that jobs build anew, as a program does in each frame: keys far from each other, which
// are hashed, and keys close to each other, as those of a grid, which have cells. Beside them is a
// sort by counting, which a program would write by hand for such keys.

#include "bench.h"
#include "bench_probe.h"
#include "bench_samples.h"

#include "base/platform.h"
#include "oxbow/jobs.h"
#include "oxbow/multimap.h"

#include <string.h>

enum { PAIRS = 1000000, PAIR_KEYS = PAIRS / 4, ROUNDS = 15, FRAMES = 3 };

#define FAR_FACTOR 0x9e3779b97f4a7c15u

/// A row: keys are multiplied by `factor`, which keeps them different.
typedef struct pair_row {
    const char *name;
    uint64_t factor;
    bool is_read;
} pair_row;

static uint32_t starts[PAIR_KEYS + 1], values[PAIRS];
static volatile uint64_t multimap_sink;

OX_PARALLEL_JOB(BenchWritePairs, {
    ox_multimap_writer out;
    uint64_t factor;
}) {
    uint64_t key = (uint64_t)((unsigned)i * 2654435761u) % PAIR_KEYS;
    ox_multimap_write(uint64_t, uint32_t, job->out, key * job->factor, (uint32_t)i);
}

static double read_multimap(ox_multimap pairs, uint64_t factor) {
    uint64_t begin = oxi_clock_now(), sum = 0;
    for (uint64_t key = 0; key < PAIR_KEYS; key++) {
        OX_EACH_VALUE(uint64_t, uint32_t, pairs, key * factor, it) {
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
    ox_multimap pairs = ox_multimap_create(uint64_t, uint32_t, 0, OX_PERSISTENT);
    ox_multimap_writer out = ox_multimap_writer_of(pairs);
    pair_times times = {0};
    // The first times take memory from the system; a program that does this each frame has it.
    for (int k = 0; k < FRAMES; k++) {
        ox_multimap_clear(pairs);
        uint64_t begin = oxi_clock_now();
        ox_job job = ox_schedule_for(BenchWritePairs, PAIRS, 4096, ox_none, {out, factor});
        ox_complete(ox_multimap_settle_after(pairs, job));
        times.build = (double)(oxi_clock_now() - begin) / PAIRS;
    }
    times.read = read_multimap(pairs, factor);
    ox_multimap_dispose(&pairs);
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

/// Samples of one side.
typedef struct pair_samples {
    double build[ROUNDS], read[ROUNDS];
} pair_samples;

static void take_sample(pair_samples *samples, int round, pair_times times) {
    samples->build[round] = times.build;
    samples->read[round] = times.read;
}

static void put_build(bench_result *result, pair_samples *two, pair_samples *one,
                      pair_samples *bare) {
    result->ns = bench_median(two->build, ROUNDS);
    result->limit_ns = bench_median(bare->build, ROUNDS);
    double alone = bench_median(one->build, ROUNDS);
    bench_put(result, "no_workers_ns", alone);
    bench_put(result, "speedup", alone / result->ns);
    bench_put(result, "min_ns", two->build[0]);
    bench_put(result, "speedup_of_shortest", one->build[0] / two->build[0]);
}

static void put_read(bench_result *result, pair_samples *one, pair_samples *bare) {
    result->ns = bench_median(one->read, ROUNDS);
    result->limit_ns = bench_median(bare->read, ROUNDS);
}

static void measure_pairs(const void *context, bench_result *result) {
    const pair_row *row = context;
    static pair_samples two, one, bare;
    int near_rounds = 0;
    bench_raise_priority();
    for (int k = 0; k < ROUNDS; k++) {
        near_rounds += bench_is_near(bench_probe_cores());
        take_sample(&two, k, time_with(1, row->factor));
        take_sample(&one, k, time_with(OX_NO_WORKERS, row->factor));
        take_sample(&bare, k, time_bare());
    }
    if (row->is_read) {
        put_read(result, &one, &bare);
    } else {
        put_build(result, &two, &one, &bare);
        result->probe = near_rounds == ROUNDS ? "near" : near_rounds == 0 ? "far" : "mixed";
    }
}

void bench_multimap(void) {
    static const pair_row rows[] = {
        {"containers.multimap_build", FAR_FACTOR, false},
        {"containers.multimap_read", FAR_FACTOR, true},
        {"containers.multimap_grid_build", 1, false},
        {"containers.multimap_grid_read", 1, true},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        bench_add_measured(&(bench_measured){rows[k].name, PAIRS, measure_pairs, &rows[k]});
    }
}
