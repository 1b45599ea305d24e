// SPDX-License-Identifier: MIT
//
// Rows of systems: what each one costs in a frame, and how much faster a frame becomes with a
// worker beside main than without. The bare side of the second kind is the same loops over plain
// arrays, one after the other on main. All sides take turns; a row tells medians, and the shortest.

#include "bench.h"
#include "bench_samples.h"

#include "base/platform.h"
#include "entities/scope.h"
#include "oxbow/entity_jobs.h"
#include "oxbow/memory.h"
#include "oxbow/systems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP        0.015625f
#define NOT_INLINED __attribute__((noinline))

enum {
    MANY = 1000, // systems that cost next to nothing
    SOME = 100,  // systems with jobs
    TYPES = 32,  // of components, for those
    ROUNDS = 41, // of each side
    FRAMES = 20, // of a round, where a frame is short
    FRAME_SYSTEMS = 20,
    REST_US = 5000,
};

OX_COMPONENT(SystemsPlace, { float x, y, z; });
OX_COMPONENT(SystemsSpeed, { float x, y, z; });
OX_COMPONENT(SystemsNever, { int unused; });

static char system_names[MANY][16];
static ox_world *frame_world;
static double samples[3][ROUNDS];

static void begin_world(void) {
    frame_world = ox_world_create(&(ox_world_def){.no_systems = true, .host_ends_frames = true});
    for (int k = 0; k < MANY; k++) {
        snprintf(system_names[k], sizeof system_names[k], "S%d", k);
    }
}

static void end_world(void) {
    ox_world_destroy(frame_world);
    ox_frame_end();
}

static void run_frame(void) {
    ox_world_update(frame_world, STEP);
}

// Nanoseconds of each of some calls.
static double time_calls(void (*call)(void), void (*between)(void), int calls) {
    double sum = 0;
    for (int k = 0; k < calls; k++) {
        if (between != NULL) {
            between();
        }
        uint64_t begin = oxi_clock_now();
        call();
        sum += (double)(oxi_clock_now() - begin);
    }
    return sum / calls;
}

// Ours and the bare side in turns; ours once more without the worker, where there is one. The first
// rounds are not counted.
static void take_turns(void (*ours)(void), void (*bare)(void), void (*between)(void), int calls) {
    bool has_worker = ox_worker_count() > 0;
    for (int round = -2; round < ROUNDS; round++) {
        double times[3] = {time_calls(ours, between, calls), time_calls(bare, between, calls), 0};
        if (has_worker) {
            ox_jobs_set_active_workers(0);
            times[2] = time_calls(ours, between, calls);
            ox_jobs_set_active_workers(OX_MAX_WORKERS);
        }
        for (int side = 0; side < 3 && round >= 0; side++) {
            samples[side][round] = times[side];
        }
    }
}

static void put_figures(bench_result *result, double items) {
    double ours = bench_median(samples[0], ROUNDS), bare = bench_median(samples[1], ROUNDS);
    result->ns = ours / items;
    result->limit_ns = bare / items;
    bench_put(result, "shortest_ns", samples[0][0] / items); // bench_median sorts
}

static void put_speedup(bench_result *result, double items) {
    double alone = bench_median(samples[2], ROUNDS) / items;
    bench_put(result, "alone_ns", alone);
    bench_put(result, "speedup", alone / result->ns);
    bench_put(result, "speedup_shortest", samples[2][0] / samples[0][0]);
}

// Systems that do not run, and systems with one entity. The bare side calls as many functions.

static uint32_t bare_flags[MANY];
static float bare_places[MANY][3], bare_speeds[MANY][3];
static uint32_t bare_sum;

static void update_nothing(ox_system *system) {
    (void)system;
}

static void add_many(const ox_system_def *like) {
    for (int k = 0; k < MANY; k++) {
        ox_system_def def = *like;
        def.name = system_names[k];
        ox_system_add(frame_world, &def);
    }
}

static void bare_idle(void) {
    for (int k = 0; k < MANY; k++) {
        bare_sum += bare_flags[k] != 0;
    }
    bench_keep(&bare_sum);
}

static void measure_idle(const void *context, bench_result *result) {
    (void)context;
    begin_world();
    add_many(&(ox_system_def){.update = update_nothing,
                              .require = {{OX_TERM_WITH, ox_component_of(SystemsNever), 0}}});
    take_turns(run_frame, bare_idle, NULL, FRAMES);
    put_figures(result, MANY);
    end_world();
}

typedef struct one_state {
    ox_query *query;
} one_state;

static bool create_one(ox_system *system) {
    ox_query *query = ox_system_query(system, OX_WRITE(SystemsPlace), OX_READ(SystemsSpeed));
    ox_system_state(system, one_state)->query = query;
    return query != NULL;
}

NOT_INLINED static void move_rows(float *restrict p, const float *restrict v, int count) {
    for (int k = 0; k < count * 3; k++) {
        p[k] += v[k] * STEP;
    }
}

static void update_one(ox_system *system) {
    OX_EACH_CHUNK(ox_system_state(system, one_state)->query, chunk) {
        move_rows(&ox_chunk_edit(chunk, SystemsPlace)->x, &ox_chunk_get(chunk, SystemsSpeed)->x,
                  chunk.count);
    }
}

static void bare_one(void) {
    for (int k = 0; k < MANY; k++) {
        move_rows(bare_places[k], bare_speeds[k], 1);
    }
}

static void measure_one_entity(const void *context, bench_result *result) {
    (void)context;
    begin_world();
    ox_entity_create(frame_world, OX_VALUE(SystemsPlace, {0, 0, 0}),
                     OX_VALUE(SystemsSpeed, {1, 1, 1}));
    add_many(
        &(ox_system_def){.update = update_one, .create = create_one, .state = sizeof(one_state)});
    take_turns(run_frame, bare_one, NULL, FRAMES);
    put_figures(result, MANY);
    end_world();
}

// Systems with jobs: each has types of its own, or four at random. The bare side schedules and
// completes as many jobs by hand.

static uint32_t type_ids[TYPES];
static ox_term job_terms[SOME][5];
static ox_entity_job_type job_types[SOME];

static void run_rows(const void *job, int begin, int end) {
    for (int k = begin; k < end; k++) {
        ox_entity_rows rows = ox_entity_job_rows(job, 0, k);
        bench_keep(rows.columns);
    }
}

static void run_nothing(const void *job, int begin, int end) {
    (void)job, (void)begin, (void)end;
}

static ox_job_type bare_type = {.type = {.name = "bare"}, .ranges = {run_nothing}};

static ox_job update_job(ox_system *system, ox_job after) {
    return ox_schedule_entities_at(&job_types[atoi(system->name + 1)], system, after, NULL, NULL);
}

static void add_with_jobs(int count, int terms_each) {
    uint32_t random = 12345;
    for (int k = 0; k < TYPES; k++) {
        char name[24];
        snprintf(name, sizeof name, "SystemsType%d", k);
        ox_component_def def = {.name = name, .size = 4, .align = 4};
        type_ids[k] = ox_component_find(name);
        type_ids[k] = type_ids[k] != 0 ? type_ids[k] : ox_component_register(&def);
    }
    ox_entity_create_in(frame_world, ox_archetype_of_at(frame_world, type_ids, TYPES, NULL));
    for (int k = 0; k < count; k++) {
        for (int n = 0; n < terms_each; n++) {
            random = random * 1664525u + 1013904223u;
            uint32_t at = terms_each == 1 ? (uint32_t)k : (random >> 16) / 4 * 4 + (uint32_t)n;
            job_terms[k][n] =
                (ox_term){n == 0 ? OX_TERM_WRITE : OX_TERM_READ, NULL, type_ids[at % TYPES]};
        }
        job_terms[k][terms_each] = (ox_term){OX_TERM_END, NULL, 0};
        job_types[k] = (ox_entity_job_type){
            .job = {.type = {.name = system_names[k]}, .ranges = {run_rows}},
            .terms = job_terms[k],
        };
        ox_system_def def = {.name = system_names[k], .update_jobs = update_job};
        def.jobs[0] = &job_types[k];
        ox_system_add(frame_world, &def);
    }
}

static int job_systems;
static ox_job bare_last[SOME];

static void bare_jobs(void) {
    for (int k = 0; k < job_systems; k++) {
        ox_complete_at(&bare_last[k], 1, NULL);
        bare_last[k] = ox_schedule_for_at(&bare_type, 1, 1, OX_NO_JOB, NULL, NULL);
    }
    ox_jobs_kick();
}

static void measure_one_chunk(const void *context, bench_result *result) {
    (void)context;
    ox_jobs_stop();
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    begin_world();
    job_systems = TYPES;
    add_with_jobs(TYPES, 1);
    take_turns(run_frame, bare_jobs, NULL, FRAMES);
    put_figures(result, TYPES);
    ox_complete_at(bare_last, TYPES, NULL);
    end_world();
    ox_jobs_stop();
}

// What is worked out for each system: the handle it gets, and where the one it returns goes. The
// bare side does it for the same systems by a table of what waits for what.

static ox_job chain_jobs[SOME];

static void work_out(void) {
    for (int k = 0; k < SOME; k++) {
        const oxi_scope *scope = oxi_scope_of(ox_system_find(frame_world, system_names[k]));
        ox_job after;
        oxi_fences_input(frame_world, scope->uses.items, (uint32_t)scope->uses.count,
                         OXI_FENCE_TABLES, &after, NULL);
        oxi_fences_note_handle(frame_world, scope->uses.items, (uint32_t)scope->uses.count,
                               OXI_DECLARED, chain_jobs[k], true);
        bench_keep(&after);
    }
}

static void find_scopes(void) {
    for (int k = 0; k < SOME; k++) {
        bench_keep(ox_system_find(frame_world, system_names[k]));
    }
}

static void measure_dependencies(const void *context, bench_result *result) {
    (void)context;
    ox_jobs_stop();
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    begin_world();
    add_with_jobs(SOME, 4);
    for (int k = 0; k < SOME; k++) {
        chain_jobs[k] =
            ox_schedule_for_at(&bare_type, 1, 1, k > 0 ? chain_jobs[k - 1] : OX_NO_JOB, NULL, NULL);
    }
    take_turns(work_out, find_scopes, NULL, 1);
    put_figures(result, SOME);
    bench_put(result, "work_ns", result->ns - result->limit_ns);
    end_world();
    ox_complete_at(chain_jobs, SOME, NULL);
    ox_jobs_stop();
}

// Frames of jobs over rows, with one worker beside main, and the same loops on main alone.

typedef struct speed_row {
    const char *name;
    int rows;
    int systems;
    int repeats; // of the body: how heavy it is
    bool rests;  // between frames
} speed_row;

static const speed_row *speed;
static float *flat_places, *flat_speeds;

OX_CHUNK_JOB(SystemsMove, (OX_WRITE(SystemsPlace, place), OX_READ(SystemsSpeed, moves)),
             { int repeats; }) {
    for (int k = 0; k < job->repeats; k++) {
        move_rows(&place->x, &moves->x, count);
    }
}

static ox_job update_speed(ox_system *system, ox_job after) {
    return ox_schedule_entities(SystemsMove, system, after, {.repeats = speed->repeats});
}

static ox_job last_of_frame;

static ox_job update_last(ox_system *system, ox_job after) {
    last_of_frame = update_speed(system, after);
    return last_of_frame;
}

static void run_whole_frame(void) {
    ox_world_update(frame_world, STEP);
    ox_complete(last_of_frame);
}

// As many rows as a chunk has: a body that is repeated finds them in the cache, as it does there.
enum { BARE_ROWS = 512 };

static void bare_system(void) {
    for (int first = 0; first < speed->rows; first += BARE_ROWS) {
        int left = speed->rows - first;
        for (int k = 0; k < speed->repeats; k++) {
            move_rows(flat_places + first * 3, flat_speeds + first * 3,
                      left < BARE_ROWS ? left : BARE_ROWS);
        }
    }
}

static void bare_frame(void) {
    for (int k = 0; k < speed->systems; k++) {
        bare_system();
    }
    bench_keep(flat_places);
}

static void rest(void) {
    bench_sleep_us(REST_US);
}

static void fill_rows(void) {
    size_t bytes = (size_t)speed->rows * 3 * sizeof(float);
    flat_places = malloc(bytes);
    flat_speeds = malloc(bytes);
    memset(flat_places, 0, bytes);
    memset(flat_speeds, 0, bytes);
    ox_entity *entities = malloc((size_t)speed->rows * sizeof *entities);
    ox_entities_create(frame_world, ox_archetype_of(frame_world, SystemsPlace, SystemsSpeed),
                       entities, speed->rows);
    free(entities);
}

static void measure_speed(const void *context, bench_result *result) {
    speed = context;
    ox_jobs_stop();
    ox_jobs_start(&(ox_jobs_def){.worker_count = 1});
    begin_world();
    fill_rows();
    for (int k = 0; k < speed->systems; k++) {
        bool is_last = k + 1 == speed->systems;
        ox_system_def def = {.name = system_names[k],
                             .update_jobs = is_last ? update_last : update_speed};
        def.jobs[0] = &oxi_entity_job_SystemsMove;
        def.after[0] = k > 0 ? system_names[k - 1] : NULL;
        ox_system_add(frame_world, &def);
    }
    int calls = speed->rests                                              ? 3
                : speed->rows * speed->systems * speed->repeats > 1000000 ? 1
                                                                          : 100;
    take_turns(run_whole_frame, bare_frame, speed->rests ? rest : NULL, calls);
    put_figures(result, (double)speed->rows * speed->systems);
    put_speedup(result, (double)speed->rows * speed->systems);
    free(flat_places);
    free(flat_speeds);
    end_world();
    ox_jobs_stop();
}

static const speed_row speed_rows[] = {
    {"systems.light_1k", 1000, 1, 1, false},
    {"systems.light_10k", 10000, 1, 1, false},
    {"systems.light_100k", 100000, 1, 1, false},
    {"systems.light_100k_rested", 100000, 1, 1, true},
    {"systems.heavy_1m", 1000000, 1, 20, false},
    {"systems.frame_20", 1000000, FRAME_SYSTEMS, 1, false},
};

void bench_systems(void) {
    bench_add_measured(&(bench_measured){"systems.idle", MANY, measure_idle, NULL});
    bench_add_measured(&(bench_measured){"systems.one_entity", MANY, measure_one_entity, NULL});
    bench_add_measured(&(bench_measured){"systems.one_chunk_job", TYPES, measure_one_chunk, NULL});
    bench_add_measured(&(bench_measured){"systems.dependencies", SOME, measure_dependencies, NULL});
    for (size_t k = 0; k < sizeof speed_rows / sizeof *speed_rows; k++) {
        const speed_row *row = &speed_rows[k];
        bench_add_measured(&(bench_measured){
            row->name, (uint64_t)row->rows * (uint64_t)row->systems, measure_speed, row});
    }
}
