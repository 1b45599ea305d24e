// SPDX-License-Identifier: MIT
//
// Entities beside plain arrays with the same bookkeeping. Each round prepares, is timed, and cleans
// up, Oxbow and the limit in turns; the best round counts.

#include "bench_storage.h"

#include <stdio.h>
#include <time.h>

enum { MOST_CASES = 200, SAMPLE_ITEMS = 2000000, SHORT_SAMPLE = 10000 };

storage_scene scene;

static double read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

// Measuring.

typedef struct storage_case {
    const storage_work *work;
    int n;
    char name[48];
} storage_case;

static void call(void (*function)(void)) {
    if (function != NULL) {
        function();
    }
}

// How many steps a sample has. At 1 M, too, the second finds what the first left in the caches.
static int count_repeats(const storage_case *measured) {
    return measured->work->is_repeatable ? SAMPLE_ITEMS / measured->n : 1;
}

// To ask for the time of the thread takes 600 ns, for that of the wall 20: a sample that is short
// is seldom interrupted.
static double time_step(const storage_side *side, const storage_case *measured) {
    int repeats = count_repeats(measured);
    clockid_t clock =
        measured->n * repeats < SHORT_SAMPLE ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    if (repeats > 1) {
        side->step(); // warms up
    }
    double begin = read_clock(clock);
    for (int k = 0; k < repeats; k++) {
        side->step();
    }
    return (read_clock(clock) - begin) / repeats;
}

// One round of a side. The sum of what is there after the step is written to `sum`, if that is not
// NULL.
static void measure_side(const storage_side *side, const storage_case *measured, double *least,
                         double *sum) {
    call(side->before);
    double taken = time_step(side, measured);
    *least = *least == 0 || taken < *least ? taken : *least;
    if (sum != NULL && side->sum != NULL) {
        *sum = side->sum();
    }
    call(side->after);
}

static void measure_rounds(const storage_case *measured, bench_result *result) {
    const storage_work *work = measured->work;
    bool is_long = measured->n >= 10000 || work->is_repeatable;
    int rounds = measured->n >= 1000000 ? 7 : is_long ? 25 : 400;
    for (int round = 0; round < rounds; round++) {
        double sum = 0, limit_sum = 0;
        measure_side(&work->oxbow, measured, &result->ns, round == 0 ? &sum : NULL);
        if (work->limit.step != NULL) {
            measure_side(&work->limit, measured, &result->limit_ns, round == 0 ? &limit_sum : NULL);
        }
        if (sum != limit_sum) {
            fprintf(stderr, "%s: the sides differ: %.17g, %.17g\n", measured->name, sum, limit_sum);
        }
    }
}

static void measure_case(const void *context, bench_result *result) {
    const storage_case *measured = context;
    const storage_work *work = measured->work;
    scene.n = measured->n;
    call(work->begin);
    double items = work->count_items != NULL ? (double)work->count_items() : measured->n;
    measure_rounds(measured, result);
    result->ns /= items;
    result->limit_ns /= items;
    if (work->count_items != NULL) {
        bench_put(result, work->items, items);
    }
    call(work->end);
}

void storage_add(const storage_work *works, int count, int n) {
    static storage_case cases[MOST_CASES];
    static int case_count;
    for (int k = 0; k < count && case_count < MOST_CASES; k++) {
        storage_case *added = &cases[case_count++];
        *added = (storage_case){.work = &works[k], .n = n};
        snprintf(added->name, sizeof added->name, "%s.%s",
                 works[k].room != NULL ? works[k].room : "storage", works[k].name);
        bench_add_measured(&(bench_measured){added->name, (uint64_t)n, measure_case, added});
    }
}

void storage_add_sizes(const storage_work *works, int count) {
    for (int k = 0; k < count; k++) {
        storage_add(&works[k], 1, 1000);
        storage_add(&works[k], 1, 100000);
        storage_add(&works[k], 1, 1000000);
    }
}

// The scene.

static void take_scene_memory(void) {
    if (scene.entities == NULL) {
        scene.entities = bare_take_pages(BARE_MOST * sizeof *scene.entities, true);
        scene.picked = bare_take_pages(BARE_MOST * sizeof *scene.picked, true);
        scene.bare_ids = bare_take_pages(BARE_MOST * sizeof *scene.bare_ids, true);
        scene.bare_picked = bare_take_pages(BARE_MOST * sizeof *scene.bare_picked, true);
        scene.shuffled = bare_take_pages(BARE_MOST * sizeof *scene.shuffled, true);
    }
}

void scene_shuffle(void) {
    take_scene_memory();
    uint32_t random = 7;
    for (int k = 0; k < scene.n; k++) {
        scene.shuffled[k] = (uint32_t)k;
    }
    for (int k = scene.n - 1; k > 0; k--) {
        uint32_t other = scene_random(&random, (uint32_t)k + 1);
        uint32_t swapped = scene.shuffled[k];
        scene.shuffled[k] = scene.shuffled[other];
        scene.shuffled[other] = swapped;
    }
}

static void begin_world(ox_removal removal) {
    scene_shuffle();
    bare_create(true);
    bare_clear();
    scene.world = ox_world_create(&(ox_world_def){.removal = removal});
    scene.moving = ox_archetype_of(scene.world, BenchPosition, BenchVelocity);
    scene.positions = ox_query_create(scene.world, OX_WRITE(BenchPosition));
    scene.all = ox_query_create(scene.world, OX_READ(BenchPosition), OX_OPTIONAL(BenchHealth));
}

void scene_begin(void) {
    begin_world(OX_REMOVAL_ORDERED);
}

void scene_begin_swap(void) {
    begin_world(OX_REMOVAL_SWAP);
}

void scene_end(void) {
    ox_world_destroy(scene.world);
    scene.world = NULL;
}

void scene_ox_fill(void) {
    for (int k = 0; k < scene.n; k++) {
        bare_float3 at = scene_position(k);
        scene.entities[k] =
            ox_entity_create(scene.world, OX_VALUE(BenchPosition, {at.x, at.y, at.z}),
                             OX_VALUE(BenchVelocity, {1, 0.5f, 0.25f}));
    }
}

void scene_bare_fill(void) {
    for (int k = 0; k < scene.n; k++) {
        scene.bare_ids[k] = bare_add(scene_position(k), (bare_float3){1, 0.5f, 0.25f});
    }
}

void scene_ox_empty(void) {
    for (int k = 0; k < scene.n; k++) {
        ox_entity_destroy(scene.world, scene.entities[k]);
    }
}

void scene_bare_empty(void) {
    for (int k = 0; k < scene.n; k++) {
        bare_destroy(scene.bare_ids[k]);
    }
}

void scene_ox_pick(void) {
    for (int k = 0; k < scene.n; k++) {
        scene.picked[k] = scene.entities[scene.shuffled[k]];
    }
}

void scene_bare_pick(void) {
    for (int k = 0; k < scene.n; k++) {
        scene.bare_picked[k] = scene.bare_ids[scene.shuffled[k]];
    }
}

void scene_begin_filled(void) {
    scene_begin();
    scene_ox_fill();
    scene_bare_fill();
    scene_ox_pick();
    scene_bare_pick();
}

static double sum_rows(const bare_float3 *positions, const bare_health *health, int count) {
    double sum = 0;
    for (int k = 0; k < count; k++) {
        sum += (double)positions[k].x + (double)positions[k].y + (double)positions[k].z;
        sum += health != NULL ? (double)health[k].now + 1 : 1;
    }
    return sum;
}

double scene_ox_sum(void) {
    double sum = 0;
    OX_EACH_CHUNK(scene.all, chunk) {
        sum += sum_rows((const bare_float3 *)(const void *)ox_chunk_get(chunk, BenchPosition),
                        (const bare_health *)(const void *)ox_chunk_get(chunk, BenchHealth),
                        chunk.count);
    }
    return sum;
}

double scene_bare_sum(void) {
    double sum = 0;
    for (int k = 0; k < BARE_ARCHETYPES; k++) {
        const bare_archetype *summed = &bare.archetypes[k];
        sum += sum_rows(summed->positions, summed->health, (int)summed->count);
    }
    return sum;
}

void bench_storage(void) {
    bench_storage_single();
    bench_storage_walk();
    bench_storage_sets();
    bench_storage_removal();
    bench_storage_cold();
    bench_kinds();
}
