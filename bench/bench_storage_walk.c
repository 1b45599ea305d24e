// SPDX-License-Identifier: MIT
//
// Rows of walks over entities. Both sides call the same loops, which are not inlined: gcc forgets
// `restrict` of inlined parameters, and the loops would not become vectors.

#include "bench_storage.h"

#define NOT_INLINED __attribute__((noinline))
#define TIME_STEP   0.015625f

static ox_query *writes_one, *writes_two;

NOT_INLINED static void add_one(float *restrict p, int count) {
    for (int k = 0; k < count * 3; k++) {
        p[k] += 1;
    }
}

NOT_INLINED static void move_along(float *restrict p, const float *restrict v, int count) {
    for (int k = 0; k < count * 3; k++) {
        p[k] += v[k] * TIME_STEP;
    }
}

static void begin_walks(void) {
    scene_begin_filled();
    writes_one = ox_query_create(scene.world, OX_WRITE(BenchPosition));
    writes_two = ox_query_create(scene.world, OX_WRITE(BenchPosition), OX_READ(BenchVelocity));
}

static void ox_iterate1(void) {
    OX_EACH_CHUNK(writes_one, chunk) {
        add_one(&ox_edit_column(chunk, BenchPosition)->x, chunk.count);
    }
}

static void bare_iterate1(void) {
    add_one(&bare.archetypes[BARE_MOVING].positions->x, scene.n);
}

static void ox_iterate2(void) {
    OX_EACH_CHUNK(writes_two, chunk) {
        move_along(&ox_edit_column(chunk, BenchPosition)->x, &ox_column(chunk, BenchVelocity)->x,
                   chunk.count);
    }
}

static void bare_iterate2(void) {
    const bare_archetype *moving = &bare.archetypes[BARE_MOVING];
    move_along(&moving->positions->x, &moving->velocities->x, scene.n);
}

static const storage_work works[] = {
    {.name = "iterate1",
     .begin = begin_walks,
     .end = scene_end,
     .oxbow = {NULL, ox_iterate1, NULL, scene_ox_sum},
     .limit = {NULL, bare_iterate1, NULL, scene_bare_sum},
     .is_repeatable = true},
    {.name = "iterate2",
     .begin = begin_walks,
     .end = scene_end,
     .oxbow = {NULL, ox_iterate2, NULL, scene_ox_sum},
     .limit = {NULL, bare_iterate2, NULL, scene_bare_sum},
     .is_repeatable = true},
};

void bench_storage_walk(void) {
    storage_add_sizes(works, sizeof works / sizeof works[0]);
}
