// SPDX-License-Identifier: MIT
//
// Rows of commands: recorded and played back, beside plain arrays that are changed from a packed
// stream of commands. The mixed rows stand beside one direct call for each entity instead.

#include "bench_samples.h"
#include "bench_storage.h"

#include "base/platform.h"

#include <stdlib.h>

enum { RECORD_ROUNDS = 31, RECORDED = 1 << 18, RECORD_BATCH = 1024, MIX_BLOCK = 1024 };

// The bare side: commands lie behind each other in one array, and are carried out in order.

typedef struct bare_command {
    uint32_t kind, reserved;
    bare_id id;
    bare_float3 position, velocity;
} bare_command;

typedef struct bare_add_command {
    uint32_t kind, reserved;
    bare_id id;
    bare_health health;
} bare_add_command;

typedef struct bare_end_command {
    uint32_t kind, reserved;
    bare_id id;
} bare_end_command;

static char *bare_stream;
static ox_commands commands;

static void begin_commands(void) {
    scene_begin();
    if (bare_stream == NULL) {
        bare_stream = bare_take_pages(BARE_MOST * sizeof(bare_command), true);
    }
    commands = ox_commands_create(scene.world, NULL);
}

static void end_commands(void) {
    ox_commands_dispose(&commands);
    scene_end();
}

static void play_and_clear(void) {
    ox_commands_playback(commands);
    ox_commands_clear(commands);
}

static void empty_by_query(void) {
    ox_query_destroy_entities(scene.positions);
}

// Create.

static void ox_create_by_commands(void) {
    for (int k = 0; k < scene.n; k++) {
        bare_float3 at = scene_position(k);
        ox_commands_create_entity(commands, OX_VALUE(BenchPosition, {at.x, at.y, at.z}),
                                  OX_VALUE(BenchVelocity, {1, 0.5f, 0.25f}));
    }
    play_and_clear();
}

static void bare_create_by_stream(void) {
    bare_command *stream = (bare_command *)(void *)bare_stream;
    for (int k = 0; k < scene.n; k++) {
        stream[k] = (bare_command){0, 0, {0, 0}, scene_position(k), (bare_float3){1, 0.5f, 0.25f}};
    }
    bench_keep(stream);
    for (int k = 0; k < scene.n; k++) {
        scene.bare_ids[k] = bare_add(stream[k].position, stream[k].velocity);
    }
}

// Add.

static void ox_add_by_commands(void) {
    for (int k = 0; k < scene.n; k++) {
        ox_commands_add(commands, scene.entities[k], BenchHealth, {(float)(k & 63), 100});
    }
    play_and_clear();
}

static void bare_add_by_stream(void) {
    bare_add_command *stream = (bare_add_command *)(void *)bare_stream;
    for (int k = 0; k < scene.n; k++) {
        stream[k] = (bare_add_command){1, 0, scene.bare_ids[k], {(float)(k & 63), 100}};
    }
    bench_keep(stream);
    for (int k = 0; k < scene.n; k++) {
        bare_add_health(stream[k].id, stream[k].health);
    }
}

// Destroy.

static void ox_destroy_by_commands(void) {
    for (int k = 0; k < scene.n; k++) {
        ox_commands_destroy_entity(commands, scene.entities[k]);
    }
    play_and_clear();
}

static void bare_destroy_by_stream(void) {
    bare_end_command *stream = (bare_end_command *)(void *)bare_stream;
    for (int k = 0; k < scene.n; k++) {
        stream[k] = (bare_end_command){2, 0, scene.bare_ids[k]};
    }
    bench_keep(stream);
    for (int k = 0; k < scene.n; k++) {
        bare_destroy(stream[k].id);
    }
}

// Recording alone.

static void ox_record_only(void) {
    for (int k = 0; k < scene.n; k++) {
        ox_commands_add(commands, scene.entities[k], BenchHealth, {(float)(k & 63), 100});
    }
    ox_commands_clear(commands);
}

static void bare_record_only(void) {
    bare_add_command *stream = (bare_add_command *)(void *)bare_stream;
    for (int k = 0; k < scene.n; k++) {
        stream[k] = (bare_add_command){1, 0, scene.bare_ids[k], {(float)(k & 63), 100}};
    }
    bench_keep(stream);
}

static void begin_recording(void) {
    begin_commands();
    scene_ox_fill();
    scene_bare_fill();
}

// Five commands for each entity, beside one call that adds all three.

OX_COMPONENT(MixedPlace, { float x, y, z; });
OX_COMPONENT(MixedSpeed, { float x, y, z; });
OX_COMPONENT(MixedLife, { float now, most; });

static int *mixed_order;

static void fill_mixed(void) {
    ox_entities_create(scene.world, ox_archetype_of(scene.world, BenchPosition), scene.entities,
                       scene.n);
}

static void begin_mixed(void) {
    begin_commands();
    mixed_order = mixed_order != NULL ? mixed_order : malloc(5 * MIX_BLOCK * sizeof *mixed_order);
    uint32_t random = 11;
    for (int k = 0; k < 5 * MIX_BLOCK; k++) {
        mixed_order[k] = k;
    }
    for (int k = 5 * MIX_BLOCK - 1; k > 0; k--) {
        int other = (int)scene_random(&random, (uint32_t)k + 1), swapped = mixed_order[k];
        mixed_order[k] = mixed_order[other];
        mixed_order[other] = swapped;
    }
}

static void record_mixed(ox_entity entity, int step) {
    switch (step) {
    case 0:
        ox_commands_add(commands, entity, MixedPlace, {1, 2, 3});
        break;
    case 1:
        ox_commands_add(commands, entity, MixedSpeed, {4, 5, 6});
        break;
    case 2:
        ox_commands_add(commands, entity, MixedLife, {7, 8});
        break;
    default:
        ox_commands_set(commands, entity, BenchPosition, {(float)step, 1, 1});
        break;
    }
}

static void ox_mixed_adjacent(void) {
    for (int k = 0; k < scene.n; k++) {
        for (int step = 0; step < 5; step++) {
            record_mixed(scene.entities[k], step);
        }
    }
    play_and_clear();
}

// In random order within some hundreds of entities.
static void ox_mixed_shuffled(void) {
    for (int first = 0; first < scene.n; first += MIX_BLOCK) {
        for (int k = 0; k < 5 * MIX_BLOCK; k++) {
            int at = first + mixed_order[k] / 5;
            if (at < scene.n) {
                record_mixed(scene.entities[at], mixed_order[k] % 5);
            }
        }
    }
    play_and_clear();
}

static void ox_add_direct(void) {
    for (int k = 0; k < scene.n; k++) {
        ox_add_many(scene.world, scene.entities[k], OX_VALUE(MixedPlace, {1, 2, 3}),
                    OX_VALUE(MixedSpeed, {4, 5, 6}), OX_VALUE(MixedLife, {7, 8}));
    }
}

static const storage_work works[] = {
    {.room = "commands",
     .name = "create",
     .begin = begin_commands,
     .end = end_commands,
     .oxbow = {NULL, ox_create_by_commands, empty_by_query, scene_ox_sum},
     .limit = {NULL, bare_create_by_stream, scene_bare_empty, scene_bare_sum}},
    {.room = "commands",
     .name = "add",
     .begin = begin_commands,
     .end = end_commands,
     .oxbow = {scene_ox_fill, ox_add_by_commands, scene_ox_empty, scene_ox_sum},
     .limit = {scene_bare_fill, bare_add_by_stream, scene_bare_empty, scene_bare_sum}},
    {.room = "commands",
     .name = "destroy",
     .begin = begin_commands,
     .end = end_commands,
     .oxbow = {scene_ox_fill, ox_destroy_by_commands, NULL, scene_ox_sum},
     .limit = {scene_bare_fill, bare_destroy_by_stream, NULL, scene_bare_sum}},
    {.room = "commands",
     .name = "record",
     .begin = begin_recording,
     .end = end_commands,
     .oxbow = {NULL, ox_record_only, NULL, NULL},
     .limit = {NULL, bare_record_only, NULL, NULL},
     .is_repeatable = true},
    {.room = "commands",
     .name = "mixed",
     .begin = begin_mixed,
     .end = end_commands,
     .oxbow = {fill_mixed, ox_mixed_adjacent, empty_by_query, NULL},
     .limit = {fill_mixed, ox_add_direct, empty_by_query, NULL}},
    {.room = "commands",
     .name = "mixed_shuffled",
     .begin = begin_mixed,
     .end = end_commands,
     .oxbow = {fill_mixed, ox_mixed_shuffled, empty_by_query, NULL},
     .limit = {fill_mixed, ox_add_direct, empty_by_query, NULL}},
};

// Two threads that record.

OX_PARALLEL_JOB(RecordAdds, { ox_commands commands; }) {
    ox_commands_add(job->commands, ((ox_entity){(uint32_t)i, 1}), BenchHealth, {(float)i, 100});
}

static double time_recording(void) {
    uint64_t begin = oxi_clock_now();
    ox_complete(ox_schedule_for(RecordAdds, RECORDED, RECORD_BATCH, OX_NO_JOB, {commands}));
    double taken = (double)(oxi_clock_now() - begin);
    ox_commands_clear(commands);
    return taken;
}

static void measure_two_threads(const void *context, bench_result *result) {
    (void)context;
    static double both[RECORD_ROUNDS], alone[RECORD_ROUNDS];
    ox_jobs_stop();
    ox_jobs_start(&(ox_jobs_def){.worker_count = 1});
    scene.n = 1000;
    begin_commands();
    for (int round = -2; round < RECORD_ROUNDS; round++) {
        double with_worker = time_recording();
        ox_jobs_set_active_workers(0);
        double without = time_recording();
        ox_jobs_set_active_workers(OX_MAX_WORKERS);
        if (round >= 0) {
            both[round] = with_worker;
            alone[round] = without;
        }
    }
    result->ns = bench_median(both, RECORD_ROUNDS) / RECORDED;
    double single = bench_median(alone, RECORD_ROUNDS) / RECORDED;
    bench_put(result, "alone_ns", single);
    bench_put(result, "speedup", single / result->ns);
    bench_put(result, "speedup_shortest", alone[0] / both[0]);
    end_commands();
    ox_jobs_stop();
}

void bench_commands(void) {
    storage_add_sizes(works, sizeof works / sizeof works[0]);
    bench_add_measured(&(bench_measured){"commands.record_2", RECORDED, measure_two_threads, NULL});
}
