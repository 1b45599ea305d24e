// SPDX-License-Identifier: MIT
//
// Rows of moves between worlds: what an entity costs, whatever its size, and how long main stands
// still while sectors stream in that a background thread built. The bare side changes as many ids
// in plain arrays: it frees the old record and writes the new one and the id. The best round of
// each side counts: on a machine that others use too, longer ones are theirs.

#include "bench.h"
#include "bench_samples.h"

#include "base/platform.h"
#include "oxbow/entities.h"
#include "oxbow/world.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOVED = 1000000,
    SECTOR = 65536,
    SECTORS = 16,
    ROUNDS = 9,
    BARE_ROWS = 500,
    CACHES = 96 << 20,
};

OX_COMPONENT(MovedPlace, { float x, y, z; });
OX_COMPONENT(MovedSpeed, { float x, y, z; });
OX_COMPONENT(MovedMore, { float values[54]; });

// What is moved was made a while ago: no side finds it in a cache. Else small rows would be there,
// and large ones not.
static void forget_caches(void) {
    static char *block;
    block = block != NULL ? block : malloc(CACHES);
    for (size_t k = 0; k < CACHES; k += 64) {
        block[k]++;
    }
    bench_keep(block);
}

static ox_world *make_plain_world(void) {
    return ox_world_create(&(ox_world_def){.no_systems = true, .host_ends_frames = true});
}

static void keep_least(double *least, double value) {
    *least = *least == 0 || value < *least ? value : *least;
}

static void fill_world(ox_world *world, bool is_large, int count) {
    ox_archetype archetype = is_large ? ox_archetype_of(world, MovedPlace, MovedSpeed, MovedMore)
                                      : ox_archetype_of(world, MovedPlace, MovedSpeed);
    ox_entities_create(world, archetype, NULL, count);
}

// Nanoseconds for each entity of a world that goes to a new one.
static double time_move(bool is_large) {
    ox_world *from = make_plain_world(), *to = make_plain_world();
    fill_world(from, is_large, MOVED);
    ox_world_reserve(to, MOVED);
    forget_caches();
    uint64_t begin = oxi_clock_now();
    ox_world_move(to, from, NULL);
    double ns = (double)(oxi_clock_now() - begin) / MOVED;
    ox_world_destroy(from);
    ox_world_destroy(to);
    return ns;
}

// The bare side.

typedef struct bare_moved {
    uint32_t version, chunk, row;
} bare_moved;

static ox_entity *bare_ids;
static bare_moved *bare_old, *bare_new;
static uint32_t bare_free;

static void make_bare(void) {
    bare_ids = malloc(MOVED * sizeof *bare_ids);
    bare_old = malloc(MOVED * sizeof *bare_old);
    bare_new = malloc(MOVED * sizeof *bare_new);
}

static void begin_bare(void) {
    memset(bare_new, 0, MOVED * sizeof *bare_new);
    for (uint32_t k = 0; k < MOVED; k++) {
        bare_ids[k] = (ox_entity){k, 1};
        bare_old[k] = (bare_moved){1, k / BARE_ROWS, k % BARE_ROWS};
    }
    forget_caches();
}

static void keep_bare(void) {
    bench_keep(bare_ids);
    bench_keep(bare_old);
    bench_keep(bare_new);
}

static void free_bare(void) {
    free(bare_ids);
    free(bare_old);
    free(bare_new);
}

static double time_bare(void) {
    begin_bare();
    uint64_t begin = oxi_clock_now();
    uint32_t next = UINT32_MAX;
    for (uint32_t chunk = 0, k = 0; k < MOVED; chunk++) {
        for (uint32_t row = 0; row < BARE_ROWS; row++, k++) {
            ox_entity old = bare_ids[k];
            bare_old[old.index] = (bare_moved){old.version + 1, 0, next};
            next = old.index;
            bare_new[k] = (bare_moved){1, chunk, row};
            bare_ids[k] = (ox_entity){k, 1};
        }
    }
    bare_free = next;
    bench_keep(&bare_free);
    double ns = (double)(oxi_clock_now() - begin) / MOVED;
    keep_bare();
    return ns;
}

// The same without the old records.
static double time_bare_new(void) {
    begin_bare();
    uint64_t begin = oxi_clock_now();
    for (uint32_t chunk = 0, k = 0; k < MOVED; chunk++) {
        for (uint32_t row = 0; row < BARE_ROWS; row++, k++) {
            bare_new[k] = (bare_moved){1, chunk, row};
            bare_ids[k] = (ox_entity){k, 1};
        }
    }
    double ns = (double)(oxi_clock_now() - begin) / MOVED;
    keep_bare();
    return ns;
}

static void measure_move(const void *context, bench_result *result) {
    (void)context;
    double small = 0, large = 0, bare = 0, bare_writes = 0;
    make_bare();
    for (int round = 0; round < ROUNDS; round++) {
        keep_least(&small, time_move(false));
        keep_least(&large, time_move(true));
        keep_least(&bare, time_bare());
        keep_least(&bare_writes, time_bare_new());
    }
    free_bare();
    result->ns = small;
    result->limit_ns = bare;
    bench_put(result, "row_240_ns", large);
    bench_put(result, "bare_ns", bare);
    bench_put(result, "bare_new_ns", bare_writes);
}

// Streaming.

OX_JOB(BuildSector, {
    ox_transaction sector;
    int count;
}) {
    ox_world *world = ox_transaction_enter(job->sector);
    fill_world(world, false, job->count);
    ox_transaction_leave(job->sector);
}

typedef struct stream_times {
    double longest_ns; // main's longest stop
    double all_ns;
} stream_times;

// Main stops to begin, to end and to move; in between it would run frames, and sleeps here.
static stream_times stream_sectors(int sectors, int count) {
    stream_times times = {0};
    ox_world *game = make_plain_world(), *staging = make_plain_world();
    ox_world_reserve(game, (int64_t)sectors * count);
    for (int k = 0; k < sectors; k++) {
        ox_transaction sector = ox_transaction_begin(staging);
        ox_job job = ox_schedule_background(BuildSector, OX_NO_JOB, {sector, count});
        ox_jobs_kick();
        while (!ox_job_is_complete(job)) {
            bench_sleep_us(200);
        }
        uint64_t begin = oxi_clock_now();
        ox_transaction_end(&sector, job);
        ox_world_move(game, staging, NULL);
        double ns = (double)(oxi_clock_now() - begin);
        times.longest_ns = ns > times.longest_ns ? ns : times.longest_ns;
        times.all_ns += ns;
    }
    ox_world_destroy(staging);
    ox_world_destroy(game);
    return times;
}

static void measure_stream(const void *context, bench_result *result) {
    (void)context;
    double each = 0, longest = 0, at_once = 0, stalls[ROUNDS];
    ox_jobs_stop();
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    for (int round = 0; round < ROUNDS; round++) {
        stream_times sectors = stream_sectors(SECTORS, SECTOR);
        stream_times whole = stream_sectors(1, SECTORS * SECTOR);
        keep_least(&each, sectors.all_ns / (SECTORS * SECTOR));
        keep_least(&longest, sectors.longest_ns);
        keep_least(&at_once, whole.longest_ns);
        stalls[round] = sectors.longest_ns / 1e6;
    }
    ox_jobs_stop();
    result->ns = each;
    bench_put(result, "stall_ms", longest / 1e6);
    bench_put(result, "stall_median_ms", bench_median(stalls, ROUNDS));
    bench_put(result, "at_once_ms", at_once / 1e6);
}

void bench_moves(void) {
    bench_add_measured(&(bench_measured){"commands.move_world", MOVED, measure_move, NULL});
    bench_add_measured(
        &(bench_measured){"commands.stream", SECTORS * SECTOR, measure_stream, NULL});
}
