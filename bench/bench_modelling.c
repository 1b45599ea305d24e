// SPDX-License-Identifier: MIT
//
// Rows of docs/modelling.md about data: the way that the page advises, and as its limit the other
// one. Both are Oxbow's, and come to the same result.

#include "bench_modelling.h"

#include "bench_samples.h"
#include "bench_storage.h"

#include "base/platform.h"

#define NOT_INLINED __attribute__((noinline))
#define TIME_STEP   0.015625f

enum {
    ROUNDS = 31,
    MOST_WAYS = 8,
    KINDS = 8,   // of things, in an enum
    ONE_OF = 10, // one entity in so many is switched on
};

OX_COMPONENT(ModelPoints, { int points; });
OX_COMPONENT(ModelBody, {
    int points;
    int others[31];
});
OX_COMPONENT(ModelKind, { int kind; });
OX_SHARED(ModelSharedKind, { int kind; });
OX_TAG(ModelTag);
OX_ENABLEABLE_TAG(ModelSwitch);

static double samples[MOST_WAYS][ROUNDS];

static double time_way(const model_way *way) {
    if (way->before != NULL) {
        way->before();
    }
    uint64_t begin = oxi_clock_now();
    way->step();
    double taken = (double)(oxi_clock_now() - begin);
    if (way->after != NULL) {
        way->after();
    }
    return taken;
}

static void take_turns(const model_way *ways, int count) {
    for (int round = -2; round < ROUNDS; round++) {
        for (int k = 0; k < count; k++) {
            double taken = time_way(&ways[k]);
            if (round >= 0) {
                samples[k][round] = taken;
            }
        }
    }
}

static void put_figure(const model_way *ways, int way, double ns, bench_result *result) {
    if (way == 0) {
        result->ns = ns;
    } else if (way == 1) {
        result->limit_ns = ns;
    } else {
        bench_put(result, ways[way].name, ns);
    }
}

void model_put_medians(const model_way *ways, int count, double items, bench_result *result) {
    take_turns(ways, count);
    for (int k = 0; k < count; k++) {
        put_figure(ways, k, bench_median(samples[k], ROUNDS) / items, result);
    }
}

void model_put_shortest(const model_way *ways, int count, double items, bench_result *result) {
    take_turns(ways, count);
    for (int k = 0; k < count; k++) {
        put_figure(ways, k, bench_percentile(samples[k], ROUNDS, 0) / items, result);
    }
}

// What the sides of the rows below leave behind, to be compared.
static int64_t found, other_found;

static double get_found(void) {
    return (double)found;
}

static double get_other_found(void) {
    return (double)other_found;
}

// A small component, and the same field in a large one.

static ox_query *small, *large;

static void begin_sizes(void) {
    scene_begin();
    ox_entities_create(scene.world, ox_archetype_of(scene.world, ModelPoints), NULL, scene.n);
    ox_entities_create(scene.world, ox_archetype_of(scene.world, ModelBody), NULL, scene.n);
    small = ox_query_create(scene.world, OX_WRITE(ModelPoints));
    large = ox_query_create(scene.world, OX_WRITE(ModelBody));
}

NOT_INLINED static void count_small(ModelPoints *column, int count) {
    for (int i = 0; i < count; i++) {
        column[i].points++;
    }
}

NOT_INLINED static void count_large(ModelBody *column, int count) {
    for (int i = 0; i < count; i++) {
        column[i].points++;
    }
}

static void walk_small(void) {
    OX_EACH_CHUNK(small, chunk) {
        count_small(ox_chunk_edit(chunk, ModelPoints), chunk.count);
    }
}

static void walk_large(void) {
    OX_EACH_CHUNK(large, chunk) {
        count_large(ox_chunk_edit(chunk, ModelBody), chunk.count);
    }
}

// One of a few kinds: the value is shared, or stands in each row.

static ox_query *of_kind, *all_kinds;

static void begin_kinds(void) {
    scene_begin();
    uint32_t random = 3;
    for (int k = 0; k < scene.n; k++) {
        int kind = 1 + (int)scene_random(&random, KINDS), points = k & 63;
        ox_entity_create(scene.world, OX_VALUE(ModelPoints, {points}),
                         OX_VALUE(ModelSharedKind, {kind}));
        scene.entities[k] = ox_entity_create(scene.world, OX_VALUE(ModelPoints, {points}),
                                             OX_VALUE(ModelKind, {kind}));
    }
    of_kind = ox_query_create(scene.world, OX_READ(ModelPoints), OX_READ(ModelSharedKind));
    all_kinds = ox_query_create(scene.world, OX_READ(ModelPoints), OX_READ(ModelKind));
    ox_query_filter_shared(of_kind, ModelSharedKind, {KINDS / 2});
}

NOT_INLINED static int64_t sum_points(const ModelPoints *points, int count) {
    int64_t sum = 0;
    for (int i = 0; i < count; i++) {
        sum += points[i].points;
    }
    return sum;
}

NOT_INLINED static int64_t sum_points_of(const ModelPoints *points, const ModelKind *kinds,
                                         int kind, int count) {
    int64_t sum = 0;
    for (int i = 0; i < count; i++) {
        sum += points[i].points & -(kinds[i].kind == kind); // no branch
    }
    return sum;
}

static void filter_by_kind(void) {
    found = 0;
    OX_EACH_CHUNK(of_kind, chunk) {
        found += sum_points(ox_chunk_get(chunk, ModelPoints), chunk.count);
    }
}

static void test_each_kind(void) {
    other_found = 0;
    OX_EACH_CHUNK(all_kinds, chunk) {
        other_found += sum_points_of(ox_chunk_get(chunk, ModelPoints),
                                     ox_chunk_get(chunk, ModelKind), KINDS / 2, chunk.count);
    }
}

// What a change of the kind costs.

static int written_kind;

static void begin_settings(void) {
    scene_begin();
    for (int k = 0; k < scene.n; k++) {
        scene.entities[k] = ox_entity_create(scene.world, OX_VALUE(BenchPosition, {1, 2, 3}),
                                             OX_VALUE(ModelKind, {1}));
        scene.picked[k] = ox_entity_create(scene.world, OX_VALUE(BenchPosition, {1, 2, 3}),
                                           OX_VALUE(ModelSharedKind, {1}));
    }
}

static void set_plain_kinds(void) {
    written_kind = 1 + (written_kind + 1) % KINDS;
    for (int k = 0; k < scene.n; k++) {
        ox_set(scene.world, scene.entities[k], ModelKind, {written_kind});
    }
}

static void set_shared_kinds(void) {
    written_kind = 1 + (written_kind + 1) % KINDS;
    for (int k = 0; k < scene.n; k++) {
        ox_set(scene.world, scene.picked[k], ModelSharedKind, {written_kind});
    }
}

// A state that comes and goes: a switch, or a tag. `entities` have the one, `picked` the other.

static ox_query *switched, *tagged;

static void begin_states(void) {
    scene_begin();
    uint32_t random = 5;
    for (int k = 0; k < scene.n; k++) {
        bool is_on = scene_random(&random, ONE_OF) == 0;
        scene.entities[k] =
            ox_entity_create(scene.world, OX_VALUE(BenchPosition, {1, 2, 3}),
                             OX_VALUE(BenchVelocity, {1, 2, 3}), OX_VALUE_TAG(ModelSwitch));
        scene.picked[k] = ox_entity_create(scene.world, OX_VALUE(BenchPosition, {1, 2, 3}),
                                           OX_VALUE(BenchVelocity, {1, 2, 3}));
        if (is_on) {
            ox_add_tag(scene.world, scene.picked[k], ModelTag);
        } else {
            ox_set_enabled(scene.world, scene.entities[k], ModelSwitch, false);
        }
    }
    switched = ox_query_create(scene.world, OX_WRITE(BenchPosition), OX_READ(BenchVelocity),
                               OX_WITH(ModelSwitch));
    tagged = ox_query_create(scene.world, OX_WRITE(BenchPosition), OX_READ(BenchVelocity),
                             OX_WITH(ModelTag));
}

NOT_INLINED static void move_rows(float *restrict p, const float *restrict v, int count) {
    for (int k = 0; k < count * 3; k++) {
        p[k] += v[k] * TIME_STEP;
    }
}

// Returns how many it moved.
static int64_t move_matching(ox_query *query) {
    int64_t count = 0;
    OX_EACH_CHUNK(query, chunk) {
        move_rows(&ox_chunk_edit(chunk, BenchPosition)->x, &ox_chunk_get(chunk, BenchVelocity)->x,
                  chunk.count);
        count += chunk.count;
    }
    return count;
}

static void walk_switched(void) {
    found = move_matching(switched);
}

static void walk_tagged(void) {
    other_found = move_matching(tagged);
}

// The same as jobs over entities, on main alone.

OX_ENTITY_JOB(ModelMoveSwitched,
              (OX_WRITE(BenchPosition, position), OX_READ(BenchVelocity, velocity),
               OX_WITH(ModelSwitch)),
              { float time_step; }) {
    position->x += velocity->x * job->time_step;
    position->y += velocity->y * job->time_step;
    position->z += velocity->z * job->time_step;
}

OX_ENTITY_JOB(ModelMoveTagged,
              (OX_WRITE(BenchPosition, position), OX_READ(BenchVelocity, velocity),
               OX_WITH(ModelTag)),
              { float time_step; }) {
    position->x += velocity->x * job->time_step;
    position->y += velocity->y * job->time_step;
    position->z += velocity->z * job->time_step;
}

static void begin_state_jobs(void) {
    ox_jobs_stop();
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    begin_states();
}

static void end_state_jobs(void) {
    scene_end();
    ox_jobs_stop();
}

static void each_switched(void) {
    ox_system *scope = ox_world_get_root(scene.world);
    ox_complete(ox_schedule_entities(ModelMoveSwitched, scope, OX_AUTO, {TIME_STEP}));
}

static void each_tagged(void) {
    ox_system *scope = ox_world_get_root(scene.world);
    ox_complete(ox_schedule_entities(ModelMoveTagged, scope, OX_AUTO, {TIME_STEP}));
}

static int64_t count_matching(void) {
    return ox_query_count(tagged);
}

static void begin_changes(void) {
    begin_states();
    ox_query_remove(tagged, ModelTag);
}

static int64_t count_changes(void) {
    return (int64_t)(scene.n + ONE_OF - 1) / ONE_OF * 2;
}

// On and off again, each of some entities.
static void change_switches(void) {
    for (int k = 0; k < scene.n; k += ONE_OF) {
        ox_set_enabled(scene.world, scene.entities[k], ModelSwitch, true);
    }
    for (int k = 0; k < scene.n; k += ONE_OF) {
        ox_set_enabled(scene.world, scene.entities[k], ModelSwitch, false);
    }
}

static void change_tags(void) {
    for (int k = 0; k < scene.n; k += ONE_OF) {
        ox_add_tag(scene.world, scene.picked[k], ModelTag);
    }
    for (int k = 0; k < scene.n; k += ONE_OF) {
        ox_remove(scene.world, scene.picked[k], ModelTag);
    }
}

static const storage_work works[] = {
    {.room = "modelling",
     .name = "small_component",
     .begin = begin_sizes,
     .end = scene_end,
     .oxbow = {NULL, walk_small, NULL, NULL},
     .limit = {NULL, walk_large, NULL, NULL},
     .is_repeatable = true},
    {.room = "modelling",
     .name = "shared_filter",
     .begin = begin_kinds,
     .end = scene_end,
     .oxbow = {NULL, filter_by_kind, NULL, get_found},
     .limit = {NULL, test_each_kind, NULL, get_other_found},
     .is_repeatable = true},
    {.room = "modelling",
     .name = "set_plain",
     .begin = begin_settings,
     .end = scene_end,
     .oxbow = {NULL, set_plain_kinds, NULL, NULL},
     .limit = {NULL, set_shared_kinds, NULL, NULL},
     .is_repeatable = true},
    {.room = "modelling",
     .name = "switch",
     .begin = begin_changes,
     .end = scene_end,
     .oxbow = {NULL, change_switches, NULL, NULL},
     .limit = {NULL, change_tags, NULL, NULL},
     .is_repeatable = true,
     .items = "changes",
     .count_items = count_changes},
    {.room = "modelling",
     .name = "switch_walk",
     .begin = begin_states,
     .end = scene_end,
     .oxbow = {NULL, walk_switched, NULL, get_found},
     .limit = {NULL, walk_tagged, NULL, get_other_found},
     .is_repeatable = true,
     .items = "matching",
     .count_items = count_matching},
    {.room = "modelling",
     .name = "switch_job",
     .begin = begin_state_jobs,
     .end = end_state_jobs,
     .oxbow = {NULL, each_switched, NULL, NULL},
     .limit = {NULL, each_tagged, NULL, NULL},
     .is_repeatable = true,
     .items = "matching",
     .count_items = count_matching},
};

void bench_modelling(void) {
    storage_add_sizes(works, sizeof works / sizeof works[0]);
    bench_modelling_links();
    bench_modelling_jobs();
    bench_modelling_frames();
}
