// SPDX-License-Identifier: MIT
//
// Rows of walks over entities. Both sides call the same loops, which are not inlined: gcc forgets
// `restrict` of inlined parameters, and the loops would not become vectors.

#include "bench_storage.h"

#define NOT_INLINED __attribute__((noinline))
#define TIME_STEP   0.015625f

static ox_query *one, *two, *three;

// The chunks of the scene, as a flat list.
typedef struct bare_piece {
    void *values;
    int count;
} bare_piece;

enum { MOST_PIECES = 1 << 13 };
static bare_piece pieces[MOST_PIECES];
static int piece_count;

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

NOT_INLINED static void heal(BenchHealth *restrict health, int count) {
    for (int k = 0; k < count; k++) {
        float now = health[k].now + 1;
        health[k].now = now < health[k].most ? now : health[k].most;
    }
}

OX_ENTITY_JOB(BenchMove, (OX_WRITE(BenchPosition, position), OX_READ(BenchVelocity, velocity)),
              { float time_step; }) {
    position->x += velocity->x * job->time_step;
    position->y += velocity->y * job->time_step;
    position->z += velocity->z * job->time_step;
}

static void begin_walks(void) {
    scene_begin_filled();
    one = ox_query_create(scene.world, OX_WRITE(BenchPosition));
    two = ox_query_create(scene.world, OX_WRITE(BenchPosition), OX_READ(BenchVelocity));
}

// A job takes part in nothing but the row's own work.
static void begin_jobs(void) {
    ox_jobs_stop();
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    begin_walks();
}

static void end_jobs(void) {
    scene_end();
    ox_jobs_stop();
}

static void begin_living(void) {
    scene_begin();
    scene_bare_fill();
    for (int k = 0; k < scene.n; k++) {
        bare_float3 at = scene_position(k);
        bare_health health = {(float)(k & 63), 100};
        ox_entity_create(scene.world, OX_VALUE(BenchPosition, {at.x, at.y, at.z}),
                         OX_VALUE(BenchVelocity, {1, 0.5f, 0.25f}),
                         OX_VALUE(BenchHealth, {health.now, health.most}));
        bare_add_health(scene.bare_ids[k], health);
    }
    three = ox_query_create(scene.world, OX_WRITE(BenchPosition), OX_READ(BenchVelocity),
                            OX_WRITE(BenchHealth));
}

static void begin_pieces(void) {
    begin_walks();
    piece_count = 0;
    OX_EACH_CHUNK(two, chunk) {
        if (piece_count == MOST_PIECES) {
            break;
        }
        pieces[piece_count++] = (bare_piece){ox_chunk_edit(chunk, BenchPosition), chunk.count};
    }
}

static int64_t count_pieces(void) {
    return piece_count;
}

static void ox_iterate1(void) {
    OX_EACH_CHUNK(one, chunk) {
        add_one(&ox_chunk_edit(chunk, BenchPosition)->x, chunk.count);
    }
}

static void bare_iterate1(void) {
    add_one(&bare.archetypes[BARE_MOVING].positions->x, scene.n);
}

void scene_move_all(ox_query *moving) {
    OX_EACH_CHUNK(moving, chunk) {
        move_along(&ox_chunk_edit(chunk, BenchPosition)->x, &ox_chunk_get(chunk, BenchVelocity)->x,
                   chunk.count);
    }
}

static void ox_iterate2(void) {
    scene_move_all(two);
}

void scene_bare_move_all(void) {
    const bare_archetype *moving = &bare.archetypes[BARE_MOVING];
    move_along(&moving->positions->x, &moving->velocities->x, (int)moving->count);
}

static void ox_iterate3(void) {
    OX_EACH_CHUNK(three, chunk) {
        move_along(&ox_chunk_edit(chunk, BenchPosition)->x, &ox_chunk_get(chunk, BenchVelocity)->x,
                   chunk.count);
        heal(ox_chunk_edit(chunk, BenchHealth), chunk.count);
    }
}

static void bare_iterate3(void) {
    const bare_archetype *living = &bare.archetypes[BARE_LIVING];
    move_along(&living->positions->x, &living->velocities->x, scene.n);
    heal((BenchHealth *)(void *)living->health, scene.n);
}

static void ox_each(void) {
    ox_complete(
        ox_schedule_entities(BenchMove, ox_world_get_root(scene.world), OX_AUTO, {TIME_STEP}));
}

static void ox_steps(void) {
    OX_EACH_CHUNK(two, chunk) {
        bench_keep(&chunk);
    }
}

static void bare_steps(void) {
    for (int k = 0; k < piece_count; k++) {
        bare_piece piece = pieces[k];
        bench_keep(&piece);
    }
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
     .limit = {NULL, scene_bare_move_all, NULL, scene_bare_sum},
     .is_repeatable = true},
    {.name = "iterate3",
     .begin = begin_living,
     .end = scene_end,
     .oxbow = {NULL, ox_iterate3, NULL, scene_ox_sum},
     .limit = {NULL, bare_iterate3, NULL, scene_bare_sum},
     .is_repeatable = true},
    {.name = "each",
     .begin = begin_jobs,
     .end = end_jobs,
     .oxbow = {.step = ox_each},
     .limit = {.step = ox_iterate2},
     .is_repeatable = true},
};

static const storage_work step_work = {.name = "step",
                                       .begin = begin_pieces,
                                       .end = scene_end,
                                       .oxbow = {.step = ox_steps},
                                       .limit = {.step = bare_steps},
                                       .is_repeatable = true,
                                       .items = "chunks",
                                       .count_items = count_pieces};

void bench_storage_walk(void) {
    storage_add_sizes(works, sizeof works / sizeof works[0]);
    storage_add(&step_work, 1, 1000000);
}
