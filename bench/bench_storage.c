// SPDX-License-Identifier: MIT
//
// Entities beside plain arrays with the same bookkeeping, at 1 k, 100 k and 1 M. Each round
// prepares, is timed, and cleans up, Oxbow and bare in turns; the best round counts.

#include "bench.h"
#include "storage_bare.h"

#include <oxbow.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

OX_COMPONENT(BenchPosition, { float x, y, z; });
OX_COMPONENT(BenchVelocity, { float x, y, z; });
OX_COMPONENT(BenchHealth, { float now, most; });
OX_TAG(BenchTag);

static ox_world *world;
static ox_archetype archetype;
static ox_query *query1, *query2, *query3, *moving;
static ox_entity *entities;
static bare_id *bare_ids;
static uint32_t *shuffled;
static int n;
static volatile float sink;

static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void make_worlds(void) {
    world = ox_world_create(NULL);
    archetype = ox_archetype_of(world, BenchPosition, BenchVelocity);
    query1 = ox_query_create(world, OX_WRITE(BenchPosition));
    query2 = ox_query_create(world, OX_WRITE(BenchPosition), OX_READ(BenchVelocity));
    query3 = ox_query_create(world, OX_WRITE(BenchPosition), OX_READ(BenchVelocity),
                             OX_WRITE(BenchHealth));
    moving = ox_query_create(world, OX_WITH(BenchPosition));
    bare_create();
    if (entities == NULL) {
        entities = malloc(BARE_MOST * sizeof *entities);
        bare_ids = malloc(BARE_MOST * sizeof *bare_ids);
        shuffled = malloc(BARE_MOST * sizeof *shuffled);
    }
    uint32_t random = 7;
    for (int k = 0; k < n; k++) {
        shuffled[k] = (uint32_t)k;
    }
    for (int k = n - 1; k > 0; k--) {
        random = random * 1664525u + 1013904223u;
        uint32_t other = (uint32_t)((uint64_t)random * (uint32_t)(k + 1) >> 32);
        uint32_t swapped = shuffled[k];
        shuffled[k] = shuffled[other];
        shuffled[other] = swapped;
    }
}

static void end_worlds(void) {
    ox_world_destroy(world);
    bare.used = 0;
    bare.free_first = UINT32_MAX;
    for (int k = 0; k < BARE_ARCHETYPES; k++) {
        bare.archetypes[k].count = 0;
    }
}

// Work: Oxbow's and the bare one.

static void ox_fill(void) {
    for (int k = 0; k < n; k++) {
        entities[k] = ox_entity_create_with(world, OX_VALUE(BenchPosition, {1, 2, 3}),
                                            OX_VALUE(BenchVelocity, {1, 0.5f, 0.25f}));
    }
}
static void bare_fill(void) {
    for (int k = 0; k < n; k++) {
        bare_ids[k] = bare_add((bare_float3){1, 2, 3}, (bare_float3){1, 0.5f, 0.25f});
    }
}
static void ox_fill_many(void) {
    ox_entities_create(world, archetype, entities, n);
}
static void bare_fill_many(void) {
    bare_archetype *to = &bare.archetypes[1];
    for (int k = 0; k < n; k++) {
        bare_ids[k] = to->ids[to->count + (uint32_t)k] = bare_take_id(1, to->count + (uint32_t)k);
    }
    memset(to->positions + to->count, 0, (size_t)n * sizeof *to->positions);
    memset(to->velocities + to->count, 0, (size_t)n * sizeof *to->velocities);
    to->count += (uint32_t)n;
}
static void ox_empty(void) {
    for (int k = 0; k < n; k++) {
        ox_entity_destroy(world, entities[k]);
    }
}
static void bare_empty(void) {
    for (int k = 0; k < n; k++) {
        bare_destroy(bare_ids[k]);
    }
}
static void ox_empty_query(void) {
    ox_query_destroy_entities(moving);
}
static void bare_empty_query(void) {
    bare_archetype *from = &bare.archetypes[1];
    for (uint32_t k = 0; k < from->count; k++) {
        bare_record *record = &bare.records[from->ids[k].index];
        record->version++;
        record->archetype = BARE_FREE;
        record->row = bare.free_first;
        bare.free_first = from->ids[k].index;
    }
    from->count = 0;
}
static void ox_add_health(void) {
    for (int k = 0; k < n; k++) {
        ox_add(world, entities[k], BenchHealth, {0, 0});
    }
}
static void bare_add_health(void) {
    for (int k = 0; k < n; k++) {
        bare_move(bare_ids[k], 2);
    }
}
static void ox_remove_health(void) {
    for (int k = 0; k < n; k++) {
        ox_remove(world, entities[k], BenchHealth);
    }
}
static void bare_remove_health(void) {
    for (int k = 0; k < n; k++) {
        bare_move(bare_ids[k], 1);
    }
}
static void ox_add_tag_query(void) {
    ox_query_add(moving, BenchTag);
}
static void ox_add_health_query(void) {
    ox_query_add(moving, BenchHealth);
}
static void bare_add_health_query(void) {
    bare_archetype *from = &bare.archetypes[1], *to = &bare.archetypes[2];
    memcpy(to->ids, from->ids, from->count * sizeof *to->ids);
    memcpy(to->positions, from->positions, from->count * sizeof *to->positions);
    memcpy(to->velocities, from->velocities, from->count * sizeof *to->velocities);
    memset(to->health, 0, from->count * sizeof *to->health);
    for (uint32_t k = 0; k < from->count; k++) {
        bare.records[to->ids[k].index].archetype = 2;
        bare.records[to->ids[k].index].row = k;
    }
    to->count = from->count;
    from->count = 0;
}

static void add_one(bare_float3 *restrict p, int count) {
    for (int i = 0; i < count; i++) {
        p[i].x += 1;
        p[i].y += 1;
        p[i].z += 1;
    }
}
static void add_two(bare_float3 *restrict p, const bare_float3 *restrict v, int count) {
    for (int i = 0; i < count; i++) {
        p[i].x += v[i].x * 0.015625f;
        p[i].y += v[i].y * 0.015625f;
        p[i].z += v[i].z * 0.015625f;
    }
}
static void ox_iterate1(void) {
    OX_EACH_CHUNK(query1, chunk) {
        add_one((bare_float3 *)(void *)ox_edit_column(chunk, BenchPosition), chunk.count);
    }
}
static void bare_iterate1(void) {
    add_one(bare.archetypes[1].positions, n);
}
static void ox_iterate2(void) {
    OX_EACH_CHUNK(query2, chunk) {
        add_two((bare_float3 *)(void *)ox_edit_column(chunk, BenchPosition),
                (const bare_float3 *)(const void *)ox_column(chunk, BenchVelocity), chunk.count);
    }
}
static void bare_iterate2(void) {
    add_two(bare.archetypes[1].positions, bare.archetypes[1].velocities, n);
}
static void ox_get_shuffled(void) {
    float sum = 0;
    for (int k = 0; k < n; k++) {
        sum += ox_get(world, entities[shuffled[k]], BenchPosition)->x;
    }
    sink = sum;
}
static void ox_lookup_shuffled(void) {
    float sum = 0;
    ox_lookup lookup = ox_lookup_create(world, BenchPosition);
    for (int k = 0; k < n; k++) {
        sum += ox_lookup_get(BenchPosition, &lookup, entities[shuffled[k]])->x;
    }
    sink = sum;
}
static void bare_get_shuffled(void) {
    float sum = 0;
    for (int k = 0; k < n; k++) {
        sum += bare_get(bare_ids[shuffled[k]])->x;
    }
    sink = sum;
}
static void do_nothing(void) {
}

/// One kind of work: what comes before it, the work, what comes after it.
typedef struct storage_work {
    const char *name;
    void (*ox_before)(void), (*ox_step)(void), (*ox_after)(void);
    void (*bare_before)(void), (*bare_step)(void), (*bare_after)(void);
} storage_work;

static const storage_work works[] = {
    {"create", do_nothing, ox_fill, ox_empty, do_nothing, bare_fill, bare_empty},
    {"create_many", do_nothing, ox_fill_many, ox_empty, do_nothing, bare_fill_many, bare_empty},
    {"iterate1", ox_fill, ox_iterate1, ox_empty, bare_fill, bare_iterate1, bare_empty},
    {"iterate2", ox_fill, ox_iterate2, ox_empty, bare_fill, bare_iterate2, bare_empty},
    {"get", ox_fill, ox_get_shuffled, ox_empty, bare_fill, bare_get_shuffled, bare_empty},
    {"get_random", ox_fill, ox_lookup_shuffled, ox_empty, bare_fill, bare_get_shuffled, bare_empty},
    {"add", ox_fill, ox_add_health, ox_empty, bare_fill, bare_add_health, bare_empty},
    {"remove", ox_fill, ox_remove_health, ox_empty, bare_fill, bare_remove_health, bare_empty},
    {"add_query_tag", ox_fill, ox_add_tag_query, ox_empty_query, bare_fill, bare_add_health_query,
     bare_empty},
    {"add_query_data", ox_fill, ox_add_health_query, ox_empty_query, bare_fill,
     bare_add_health_query, bare_empty},
    {"destroy", ox_fill, ox_empty, do_nothing, bare_fill, bare_empty, do_nothing},
    {"destroy_query", ox_fill, ox_empty_query, do_nothing, bare_fill, bare_empty_query, do_nothing},
};
enum { WORK_COUNT = sizeof works / sizeof works[0] };

// The rows of "remove" begin with what "add" leaves.
static void time_side(void (*before)(void), void (*step)(void), void (*after)(void), double *best) {
    before();
    if (step == ox_remove_health) {
        ox_add_health();
    } else if (step == bare_remove_health) {
        bare_add_health();
    }
    double begin = now_ns();
    step();
    double taken = (now_ns() - begin) / n;
    *best = taken < *best ? taken : *best;
    after();
}

typedef struct storage_case {
    const storage_work *work;
    int n;
} storage_case;

static void measure_storage(const void *context, bench_result *result) {
    const storage_case *measured = context;
    const storage_work *work = measured->work;
    n = measured->n;
    make_worlds();
    int rounds = n >= 1000000 ? 7 : n >= 100000 ? 25 : 200;
    result->ns = result->limit_ns = 1e9;
    for (int k = 0; k < rounds; k++) {
        time_side(work->ox_before, work->ox_step, work->ox_after, &result->ns);
        time_side(work->bare_before, work->bare_step, work->bare_after, &result->limit_ns);
    }
    end_worlds();
}

void bench_storage(void) {
    static const int sizes[] = {1000, 100000, 1000000};
    static storage_case cases[WORK_COUNT * 3];
    static char names[WORK_COUNT * 3][48];
    for (int k = 0; k < WORK_COUNT * 3; k++) {
        cases[k] = (storage_case){&works[k / 3], sizes[k % 3]};
        snprintf(names[k], sizeof names[k], "storage.%s", works[k / 3].name);
        bench_add_measured(
            &(bench_measured){names[k], (uint64_t)sizes[k % 3], measure_storage, &cases[k]});
    }
}
