// SPDX-License-Identifier: MIT
//
// Rows of the kinds of components: switched off and on, shared, buffers; and of copies. Where a row
// is to be held against another operation of ours, that one is its limit.

#include "bench_storage.h"

#define NOT_INLINED __attribute__((noinline))
#define TIME_STEP   0.015625f

enum { TEAMS = 100, GROUP = 8, APPENDED = 8 };

OX_ENABLEABLE(BenchStunned, { float seconds; });
OX_SHARED(BenchTeam, { int id; });
OX_BUFFER(BenchStep, APPENDED, { float x, y; });
OX_COMPONENT(BenchParent, { ox_entity entity; });

static ox_query *switched, *unswitched, *team;
static double read_sum;

static double no_sum(void) {
    return 0;
}

NOT_INLINED static void move_rows(float *restrict p, const float *restrict v, int count) {
    for (int k = 0; k < count * 3; k++) {
        p[k] += v[k] * TIME_STEP;
    }
}

// Switches.

static uint64_t bare_bits[BARE_MOST / 64];

static void begin_switches(void) {
    scene_begin();
    scene_bare_fill();
    for (int k = 0; k < scene.n; k++) {
        bare_float3 at = scene_position(k);
        scene.entities[k] = ox_entity_create(
            scene.world, OX_VALUE(BenchPosition, {at.x, at.y, at.z}),
            OX_VALUE(BenchVelocity, {1, 0.5f, 0.25f}), OX_VALUE(BenchStunned, {1}));
    }
    for (int k = 0; k < scene.n; k++) {
        scene.picked[k] = scene.entities[scene.shuffled[k]];
    }
    switched = ox_query_create(scene.world, OX_WRITE(BenchPosition), OX_READ(BenchVelocity),
                               OX_WITH(BenchStunned));
    unswitched = ox_query_create(scene.world, OX_WRITE(BenchPosition), OX_READ(BenchVelocity));
    for (size_t k = 0; k < sizeof bare_bits / sizeof bare_bits[0]; k++) {
        bare_bits[k] = UINT64_MAX;
    }
}

static void ox_toggle(void) {
    ox_lookup lookup = ox_lookup_create(scene.world, BenchStunned);
    for (int k = 0; k < scene.n; k++) {
        ox_lookup_set_enabled(&lookup, scene.entities[k], (k & 1) == 0);
    }
}

static void bare_toggle(void) {
    for (int k = 0; k < scene.n; k++) {
        const bare_record *record = &bare.records[scene.bare_ids[k].index];
        if (record->version == scene.bare_ids[k].version) {
            uint64_t bit = (uint64_t)1 << record->row % 64;
            uint64_t *word = &bare_bits[record->row / 64];
            *word = (k & 1) == 0 ? *word | bit : *word & ~bit;
        }
    }
}

static void ox_toggle_picked(void) {
    ox_lookup lookup = ox_lookup_create(scene.world, BenchStunned);
    for (int k = 0; k < scene.n; k++) {
        ox_lookup_set_enabled(&lookup, scene.picked[k], (k & 1) == 0);
    }
}

static void ox_look_up_picked(void) {
    float sum = 0;
    ox_lookup lookup = ox_lookup_create(scene.world, BenchPosition);
    for (int k = 0; k < scene.n; k++) {
        sum += ox_lookup_get(&lookup, scene.picked[k], BenchPosition)->x;
    }
    read_sum = (double)sum;
    bench_keep(&read_sum);
}

// Walks where rows are left out.

static void begin_one_off(void) {
    begin_switches();
    for (int k = 0; k < scene.n; k += 64) {
        ox_set_enabled(scene.world, scene.entities[k], BenchStunned, false);
    }
}

static void walk(ox_query *query) {
    OX_EACH_CHUNK(query, chunk) {
        move_rows(&ox_chunk_edit(chunk, BenchPosition)->x, &ox_chunk_get(chunk, BenchVelocity)->x,
                  chunk.count);
    }
}

static void ox_walk_switched(void) {
    walk(switched);
}

static void ox_walk_unswitched(void) {
    walk(unswitched);
}

OX_ENTITY_JOB(BenchMoveOn,
              (OX_WRITE(BenchPosition, position), OX_READ(BenchVelocity, velocity),
               OX_WITH(BenchStunned)),
              { float time_step; }) {
    position->x += velocity->x * job->time_step;
    position->y += velocity->y * job->time_step;
    position->z += velocity->z * job->time_step;
}

OX_ENTITY_JOB(BenchMoveAll, (OX_WRITE(BenchPosition, position), OX_READ(BenchVelocity, velocity)),
              { float time_step; }) {
    position->x += velocity->x * job->time_step;
    position->y += velocity->y * job->time_step;
    position->z += velocity->z * job->time_step;
}

static void ox_each_all(void) {
    ox_complete(
        ox_schedule_entities(BenchMoveAll, ox_world_get_root(scene.world), OX_AUTO, {TIME_STEP}));
}

static void ox_each_on(void) {
    ox_complete(
        ox_schedule_entities(BenchMoveOn, ox_world_get_root(scene.world), OX_AUTO, {TIME_STEP}));
}

NOT_INLINED static void move_bits(bare_float3 *restrict p, const bare_float3 *restrict v,
                                  const uint64_t *bits, int count) {
    for (int k = 0; k < count; k++) {
        if ((bits[k / 64] >> k % 64 & 1) != 0) {
            p[k].x += v[k].x * TIME_STEP;
            p[k].y += v[k].y * TIME_STEP;
            p[k].z += v[k].z * TIME_STEP;
        }
    }
}

static void bare_each_on(void) {
    const bare_archetype *moving = &bare.archetypes[BARE_MOVING];
    move_bits(moving->positions, moving->velocities, bare_bits, scene.n);
}

static void switch_off(int k) {
    ox_set_enabled(scene.world, scene.entities[k], BenchStunned, false);
    bare_bits[k / 64] &= ~((uint64_t)1 << k % 64);
}

static void begin_jobs_alone(void) {
    ox_jobs_stop();
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    begin_switches();
}

static void end_jobs_alone(void) {
    scene_end();
    ox_jobs_stop();
}

static void begin_jobs_one_off(void) {
    begin_jobs_alone();
    for (int k = 0; k < scene.n; k += 64) {
        switch_off(k);
    }
}

static void begin_half_on(void) {
    uint32_t random = 11;
    begin_jobs_alone();
    for (int k = 0; k < scene.n; k++) {
        if (scene_random(&random, 2) == 0) {
            switch_off(k);
        }
    }
}

static void begin_alternating(void) {
    begin_jobs_alone();
    for (int k = 1; k < scene.n; k += 2) {
        switch_off(k);
    }
}

// Shared values.

static void ox_fill_team(void) {
    for (int k = 0; k < scene.n; k++) {
        bare_float3 at = scene_position(k);
        scene.entities[k] =
            ox_entity_create(scene.world, OX_VALUE(BenchPosition, {at.x, at.y, at.z}),
                             OX_VALUE(BenchVelocity, {1, 0.5f, 0.25f}), OX_VALUE(BenchTeam, {1}));
    }
}

static void ox_set_team(void) {
    for (int k = 0; k < scene.n; k++) {
        ox_set(scene.world, scene.entities[k], BenchTeam, {2});
    }
}

static void ox_add_health_each(void) {
    for (int k = 0; k < scene.n; k++) {
        ox_add(scene.world, scene.entities[k], BenchHealth, {1, 100});
    }
}

static int filtered_chunks;
static uint32_t bare_teams[1 << 16];

static void begin_teams(void) {
    scene_begin();
    filtered_chunks = 0;
    team = ox_query_create(scene.world, OX_READ(BenchTeam), OX_READ(BenchPosition));
    for (int k = 0; k < scene.n; k++) {
        ox_entity_create(scene.world, OX_VALUE(BenchPosition, {1, 2, 3}),
                         OX_VALUE(BenchTeam, {1 + k * TEAMS / scene.n}));
    }
    OX_EACH_CHUNK(team, chunk) {
        bare_teams[filtered_chunks++] = (uint32_t)ox_chunk_get(chunk, BenchTeam)->id;
    }
    ox_query_filter_shared(team, BenchTeam, {TEAMS / 2});
}

static int64_t count_filtered(void) {
    return filtered_chunks;
}

static void ox_filter_team(void) {
    OX_EACH_CHUNK(team, chunk) {
        bench_keep(&chunk);
    }
}

static void bare_filter_team(void) {
    for (int k = 0; k < filtered_chunks; k++) {
        if (bare_teams[k] == TEAMS / 2) {
            bench_keep(&bare_teams[k]);
        }
    }
}

// Buffers.

typedef struct bare_buffer {
    uint32_t count, capacity;
    BenchStep *items;
    BenchStep inside[APPENDED];
} bare_buffer;

static bare_buffer *bare_buffers;
static ox_query *steps;

static void begin_buffers(void) {
    scene_begin();
    ox_entities_create(scene.world, ox_archetype_of(scene.world, BenchStep), scene.entities,
                       scene.n);
    steps = ox_query_create(scene.world, OX_WRITE(BenchStep));
    if (bare_buffers == NULL) {
        bare_buffers = bare_take_pages(BARE_MOST * sizeof *bare_buffers, true);
    }
    for (int k = 0; k < scene.n; k++) {
        bare_buffers[k] = (bare_buffer){.capacity = APPENDED, .items = bare_buffers[k].inside};
    }
}

static int64_t count_appended(void) {
    return (int64_t)scene.n * APPENDED;
}

OX_ENTITY_JOB(BenchAppend, (OX_WRITE(BenchStep, path)), { int count; }) {
    ox_buffer_clear(path);
    for (int k = 0; k < job->count; k++) {
        ox_buffer_push(path, BenchStep, {(float)k, 1});
    }
}

static void begin_buffer_jobs(void) {
    ox_jobs_stop();
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    begin_buffers();
}

static void ox_append(void) {
    ox_complete(
        ox_schedule_entities(BenchAppend, ox_world_get_root(scene.world), OX_AUTO, {APPENDED}));
}

NOT_INLINED static void append_bare(bare_buffer *buffer, int count) {
    buffer->count = 0;
    for (int k = 0; k < count; k++) {
        if (buffer->count < buffer->capacity) {
            buffer->items[buffer->count++] = (BenchStep){(float)k, 1};
        }
    }
}

static void bare_append(void) {
    for (int k = 0; k < scene.n; k++) {
        append_bare(&bare_buffers[k], APPENDED);
    }
}

// Copies.

static ox_entity source;

static void begin_copies(void) {
    scene_begin();
    source = ox_entity_create(scene.world, OX_VALUE(BenchPosition, {1, 2, 3}),
                              OX_VALUE(BenchVelocity, {1, 0.5f, 0.25f}));
}

static void ox_copy_many(void) {
    ox_entities_instantiate(scene.world, source, scene.entities, scene.n);
}

static void ox_create_many_with_values(void) {
    ox_entities_create(scene.world, scene.moving, scene.entities, scene.n);
    for (int k = 0; k < scene.n;) {
        ox_chunk chunk = ox_query_chunks(scene.positions);
        while (ox_chunk_next(&chunk)) {
            BenchPosition *p = ox_chunk_edit(chunk, BenchPosition);
            for (int i = 0; i < chunk.count; i++) {
                p[i] = (BenchPosition){1, 2, 3};
            }
            k += chunk.count;
        }
    }
}

static void begin_groups(void) {
    scene_begin();
    ox_entity members[GROUP];
    for (int k = 0; k < GROUP; k++) {
        members[k] = ox_entity_create(scene.world, OX_VALUE(BenchPosition, {1, 2, 3}),
                                      OX_VALUE(BenchParent, {{0, 0}}));
        ox_set(scene.world, members[k], BenchParent, {members[0]});
    }
    source = members[0];
    ox_buffer group = ox_add_buffer(scene.world, source, ox_linked);
    for (int k = 0; k < GROUP; k++) {
        ox_buffer_push(group, ox_linked, {members[k]});
    }
}

static void ox_copy_groups(void) {
    ox_entities_instantiate(scene.world, source, scene.entities, scene.n / GROUP);
}

static void ox_end_groups(void) {
    for (int k = 0; k < scene.n / GROUP; k++) {
        ox_entity_destroy(scene.world, scene.entities[k]);
    }
}

static void ox_create_plainly(void) {
    for (int k = 0; k < scene.n; k++) {
        scene.entities[k] = ox_entity_create(scene.world, OX_VALUE(BenchPosition, {1, 2, 3}),
                                             OX_VALUE(BenchParent, {source}));
    }
}

static const storage_work works[] = {
    {.room = "kinds",
     .name = "toggle",
     .begin = begin_switches,
     .end = scene_end,
     .oxbow = {NULL, ox_toggle, NULL, no_sum},
     .limit = {NULL, bare_toggle, NULL, no_sum},
     .is_repeatable = true},
    {.room = "kinds",
     .name = "toggle_random",
     .begin = begin_switches,
     .end = scene_end,
     .oxbow = {NULL, ox_toggle_picked, NULL, no_sum},
     .limit = {NULL, ox_look_up_picked, NULL, no_sum},
     .is_repeatable = true},
    {.room = "kinds",
     .name = "iterate_all_on",
     .begin = begin_switches,
     .end = scene_end,
     .oxbow = {NULL, ox_walk_switched, NULL, no_sum},
     .limit = {NULL, ox_walk_unswitched, NULL, no_sum},
     .is_repeatable = true},
    {.room = "kinds",
     .name = "iterate_one_off",
     .begin = begin_one_off,
     .end = scene_end,
     .oxbow = {NULL, ox_walk_switched, NULL, no_sum},
     .limit = {NULL, ox_walk_unswitched, NULL, no_sum},
     .is_repeatable = true},
    {.room = "kinds",
     .name = "each_one_off",
     .begin = begin_jobs_one_off,
     .end = end_jobs_alone,
     .oxbow = {NULL, ox_each_on, NULL, no_sum},
     .limit = {NULL, ox_each_all, NULL, no_sum},
     .is_repeatable = true},
    {.room = "kinds",
     .name = "each_half_on",
     .begin = begin_half_on,
     .end = end_jobs_alone,
     .oxbow = {NULL, ox_each_on, NULL, scene_ox_sum},
     .limit = {NULL, bare_each_on, NULL, scene_bare_sum},
     .is_repeatable = true},
    {.room = "kinds",
     .name = "each_alternating",
     .begin = begin_alternating,
     .end = end_jobs_alone,
     .oxbow = {NULL, ox_each_on, NULL, scene_ox_sum},
     .limit = {NULL, bare_each_on, NULL, scene_bare_sum},
     .is_repeatable = true},
    {.room = "kinds",
     .name = "set_shared",
     .begin = scene_begin,
     .end = scene_end,
     .oxbow = {ox_fill_team, ox_set_team, scene_ox_empty, no_sum},
     .limit = {scene_ox_fill, ox_add_health_each, scene_ox_empty, no_sum}},
    {.room = "kinds",
     .name = "shared_filter",
     .begin = begin_teams,
     .end = scene_end,
     .oxbow = {NULL, ox_filter_team, NULL, no_sum},
     .limit = {NULL, bare_filter_team, NULL, no_sum},
     .is_repeatable = true,
     .items = "chunks",
     .count_items = count_filtered},
    {.room = "kinds",
     .name = "buffer_append",
     .begin = begin_buffer_jobs,
     .end = end_jobs_alone,
     .oxbow = {NULL, ox_append, NULL, no_sum},
     .limit = {NULL, bare_append, NULL, no_sum},
     .is_repeatable = true,
     .items = "elements",
     .count_items = count_appended},
    {.room = "kinds",
     .name = "instantiate",
     .begin = begin_copies,
     .end = scene_end,
     .oxbow = {NULL, ox_copy_many, scene_ox_empty, no_sum},
     .limit = {NULL, ox_create_many_with_values, scene_ox_empty, no_sum}},
};

static const storage_work group_works[] = {
    {.room = "kinds",
     .name = "instantiate_group",
     .begin = begin_groups,
     .end = scene_end,
     .oxbow = {NULL, ox_copy_groups, ox_end_groups, no_sum},
     .limit = {NULL, ox_create_plainly, scene_ox_empty, no_sum}},
};

void bench_kinds(void) {
    storage_add_sizes(works, sizeof works / sizeof works[0]);
    storage_add(group_works, 1, GROUP * 10000);
}
