// SPDX-License-Identifier: MIT
//
// Rows of docs/modelling.md about frames of systems: what waits for what, and where main waits.
// Main and one worker, each held on a core. Work is time on a core, so that a row shows waiting and
// nothing else.

#include "bench_modelling.h"
#include "bench_samples.h"
#include "jobs_work.h"

#include <oxbow.h>

#define TIME_STEP 0.015625f

enum {
    JOB_US = 200,
    SHORT_US = 20,
    MAIN_US = 50,
    PAIRS = 4,    // of a job system, and one on main that reads what it writes
    WIDE = 16,    // chunks, where a job can be divided
    CHANGED = 64, // entities that a frame changes
    SETTLE_US = 300,
    REST_US = 2000,
    MOST_WORLDS = 4,
};

// Frames of systems. A job runs its body once for each chunk; a shared value makes chunks.

OX_SHARED(ModelLane, { int lane; });
OX_COMPONENT(ModelA, { int value; });
OX_COMPONENT(ModelB, { int value; });
OX_COMPONENT(ModelC, { int value; });
OX_COMPONENT(ModelD, { int value; });
OX_COMPONENT(ModelChanged, { int value; });
OX_TAG(ModelMark);

OX_CHUNK_JOB(WriteA, (OX_WRITE(ModelA, a)), { int us; }) {
    bench_work((uint32_t)job->us);
    a->value++;
}

OX_CHUNK_JOB(WriteB, (OX_WRITE(ModelB, b)), { int us; }) {
    bench_work((uint32_t)job->us);
    b->value++;
}

OX_CHUNK_JOB(WriteC, (OX_WRITE(ModelC, c)), { int us; }) {
    bench_work((uint32_t)job->us);
    c->value++;
}

OX_CHUNK_JOB(WriteD, (OX_WRITE(ModelD, d)), { int us; }) {
    bench_work((uint32_t)job->us);
    d->value++;
}

OX_CHUNK_JOB(ReadA, (OX_READ(ModelA, a)), { int us; }) {
    bench_work((uint32_t)job->us);
    bench_keep(a);
}

static ox_world *worlds[MOST_WORLDS];

// Each row has jobs of its own length, so what was learnt in another must not stay.
static void begin_row(void) {
    ox_entity_job_type *types[] = OX_JOBS(WriteA, WriteB, WriteC, WriteD, ReadA);
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        types[k]->job.oxi_average_ns = 0;
    }
    model_begin_threads();
}

static ox_world *make_world(int lane_count) {
    ox_world *world =
        ox_world_create(&(ox_world_def){.no_systems = true, .host_ends_frames = true});
    for (int k = 1; k <= lane_count; k++) {
        ox_entity_create(world, OX_VALUE(ModelA, {0}), OX_VALUE(ModelLane, {k}));
        ox_entity_create(world, OX_VALUE(ModelB, {0}), OX_VALUE(ModelLane, {k}));
        ox_entity_create(world, OX_VALUE(ModelC, {0}), OX_VALUE(ModelLane, {k}));
        ox_entity_create(world, OX_VALUE(ModelD, {0}), OX_VALUE(ModelLane, {k}));
    }
    return world;
}

// The worker sleeps when a frame begins, whichever way ran before.
static void settle(void) {
    bench_sleep_us(SETTLE_US);
}

static void run_whole_frame(int world) {
    ox_world_update(worlds[world], TIME_STEP);
    ox_world_complete(worlds[world]);
}

static void whole_frame_0(void) {
    run_whole_frame(0);
}

static void whole_frame_1(void) {
    run_whole_frame(1);
}

static void whole_frame_2(void) {
    run_whole_frame(2);
}

static void whole_frame_3(void) {
    run_whole_frame(3);
}

static void end_worlds(void) {
    for (int k = 0; k < MOST_WORLDS; k++) {
        ox_world_destroy(worlds[k]);
        worlds[k] = NULL;
    }
    ox_frame_end();
    model_end_threads();
}

// A system whose two jobs need different things, and the same as two systems.

static ox_job update_long(ox_system *system, ox_job after) {
    return ox_schedule_entities(WriteA, system, after, {JOB_US});
}

static ox_job update_look(ox_system *system, ox_job after) {
    return ox_schedule_entities(ReadA, system, after, {SHORT_US});
}

static ox_job update_other(ox_system *system, ox_job after) {
    return ox_schedule_entities(WriteB, system, after, {JOB_US});
}

static ox_job update_both(ox_system *system, ox_job after) {
    ox_job look = ox_schedule_entities(ReadA, system, after, {SHORT_US});
    return ox_combine(look, ox_schedule_entities(WriteB, system, after, {JOB_US}));
}

static ox_job update_auto(ox_system *system, ox_job after) {
    (void)after;
    ox_schedule_entities(ReadA, system, OX_AUTO, {SHORT_US});
    ox_schedule_entities(WriteB, system, OX_AUTO, {JOB_US});
    return OX_NO_JOB;
}

static void add_long(ox_world *world) {
    ox_system_add(world, &(ox_system_def){.name = "Long",
                                          .site = OX_HERE,
                                          .update_jobs = update_long,
                                          .jobs = OX_JOBS(WriteA)});
}

static void add_both(ox_world *world, ox_job_system_fn *update) {
    ox_system_add(world, &(ox_system_def){.name = "Both",
                                          .site = OX_HERE,
                                          .update_jobs = update,
                                          .after = {"Long"},
                                          .jobs = OX_JOBS(ReadA, WriteB)});
}

static void measure_split(const void *context, bench_result *result) {
    (void)context;
    static const model_way ways[] = {
        {"split", settle, whole_frame_0, NULL},
        {"one_system", settle, whole_frame_1, NULL},
        {"one_system_auto_ns", settle, whole_frame_2, NULL},
    };
    begin_row();
    for (int k = 0; k < 3; k++) {
        worlds[k] = make_world(1);
        add_long(worlds[k]);
    }
    ox_system_add(worlds[0], &(ox_system_def){.name = "Look",
                                              .site = OX_HERE,
                                              .update_jobs = update_look,
                                              .after = {"Long"},
                                              .jobs = OX_JOBS(ReadA)});
    ox_system_add(worlds[0], &(ox_system_def){.name = "Other",
                                              .site = OX_HERE,
                                              .update_jobs = update_other,
                                              .after = {"Look"},
                                              .jobs = OX_JOBS(WriteB)});
    add_both(worlds[1], update_both);
    add_both(worlds[2], update_auto);
    model_put_medians(ways, sizeof ways / sizeof ways[0], 1, result);
    end_worlds();
}

// Systems on main that read what jobs write: before the jobs, behind each, or where Oxbow puts
// them. With a rest between frames the time is that of the update alone; else of all its jobs, too.

static int lanes;

static ox_job update_job_0(ox_system *system, ox_job after) {
    return ox_schedule_entities(WriteA, system, after, {JOB_US / lanes});
}

static ox_job update_job_1(ox_system *system, ox_job after) {
    return ox_schedule_entities(WriteB, system, after, {JOB_US / lanes});
}

static ox_job update_job_2(ox_system *system, ox_job after) {
    return ox_schedule_entities(WriteC, system, after, {JOB_US / lanes});
}

static ox_job update_job_3(ox_system *system, ox_job after) {
    return ox_schedule_entities(WriteD, system, after, {JOB_US / lanes});
}

static bool read_a(ox_system *system) {
    return ox_system_declare(system, OX_READ(ModelA));
}

static bool read_b(ox_system *system) {
    return ox_system_declare(system, OX_READ(ModelB));
}

static bool read_c(ox_system *system) {
    return ox_system_declare(system, OX_READ(ModelC));
}

static bool read_d(ox_system *system) {
    return ox_system_declare(system, OX_READ(ModelD));
}

static void update_main(ox_system *system) {
    (void)system;
    bench_work(MAIN_US);
}

typedef enum pair_order { MAIN_FIRST, IN_TURNS, LEFT_ALONE } pair_order;

static void add_pairs(ox_world *world, pair_order order) {
    static const char *const job_names[PAIRS] = {"Job0", "Job1", "Job2", "Job3"};
    static const char *const main_names[PAIRS] = {"Main0", "Main1", "Main2", "Main3"};
    static const ox_system_def jobs[PAIRS] = {
        {.update_jobs = update_job_0, .jobs = OX_JOBS(WriteA)},
        {.update_jobs = update_job_1, .jobs = OX_JOBS(WriteB)},
        {.update_jobs = update_job_2, .jobs = OX_JOBS(WriteC)},
        {.update_jobs = update_job_3, .jobs = OX_JOBS(WriteD)},
    };
    static ox_system_create_fn *const reads[PAIRS] = {read_a, read_b, read_c, read_d};
    for (int k = 0; k < PAIRS; k++) {
        ox_system_def job = jobs[k];
        ox_system_def main = {.update = update_main, .create = reads[k]};
        job.name = job_names[k];
        main.name = main_names[k];
        job.site = main.site = OX_HERE;
        if (order == MAIN_FIRST) {
            main.in = "Initialization";
        } else if (order == IN_TURNS) {
            main.after[0] = job_names[k];
            job.after[0] = k > 0 ? main_names[k - 1] : NULL;
        }
        ox_system_add(world, &job);
        ox_system_add(world, &main);
    }
}

static void update_0(void) {
    ox_world_update(worlds[0], TIME_STEP);
}

static void update_1(void) {
    ox_world_update(worlds[1], TIME_STEP);
}

static void update_2(void) {
    ox_world_update(worlds[2], TIME_STEP);
}

static void rest(void) {
    ox_jobs_kick();
    bench_sleep_us(REST_US);
}

static void measure_main_first(const void *context, bench_result *result) {
    static const model_way ways[] = {
        {"main_first", rest, update_0, NULL},
        {"in_turns", rest, update_1, NULL},
        {"left_alone_ns", rest, update_2, NULL},
        {"whole_main_first_ns", settle, whole_frame_0, NULL},
        {"whole_in_turns_ns", settle, whole_frame_1, NULL},
        {"whole_left_alone_ns", settle, whole_frame_2, NULL},
    };
    lanes = *(const int *)context;
    begin_row();
    for (int k = 0; k < 3; k++) {
        worlds[k] = make_world(lanes);
        add_pairs(worlds[k], (pair_order)k);
    }
    model_put_medians(ways, sizeof ways / sizeof ways[0], 1, result);
    end_worlds();
}

// Structural changes in a frame whose jobs run: direct, as commands, or before the jobs.

static ox_entity changed[MOST_WORLDS][CHANGED];

static int find_world(const ox_world *world) {
    int k = 0;
    while (worlds[k] != world) {
        k++;
    }
    return k;
}

static void update_direct(ox_system *system) {
    ox_entity *entities = changed[find_world(system->world)];
    bool has = ox_has(system->world, entities[0], ModelMark);
    for (int k = 0; k < CHANGED; k++) {
        if (has) {
            ox_remove(system->world, entities[k], ModelMark);
        } else {
            ox_add_tag(system->world, entities[k], ModelMark);
        }
    }
}

static void record_changes(ox_system *system, const char *barrier) {
    ox_entity *entities = changed[find_world(system->world)];
    bool has = ox_has(system->world, entities[0], ModelMark);
    ox_commands commands = ox_barrier_commands(ox_system_find(system->world, barrier));
    for (int k = 0; k < CHANGED; k++) {
        if (has) {
            ox_commands_remove(commands, entities[k], ModelMark);
        } else {
            ox_commands_add_tag(commands, entities[k], ModelMark);
        }
    }
}

static void update_commands(ox_system *system) {
    record_changes(system, "EndSimulation");
}

static void update_commands_later(ox_system *system) {
    record_changes(system, "BeginSimulation");
}

static void update_think(ox_system *system) {
    (void)system;
    bench_work(JOB_US);
}

static void add_changes(int at, ox_system_fn *update, bool comes_first) {
    ox_world *world = worlds[at] = make_world(1);
    ox_entities_create(world, ox_archetype_of(world, ModelChanged), changed[at], CHANGED);
    add_long(world);
    ox_system_def change = {.name = "Change", .site = OX_HERE, .update = update};
    if (comes_first) {
        change.in = "Initialization";
    } else {
        change.after[0] = "Long";
    }
    ox_system_add(world, &change);
    ox_system_add(world, &(ox_system_def){.name = "Think",
                                          .site = OX_HERE,
                                          .update = update_think,
                                          .after = {"Long", "Change"}});
}

static void measure_commands(const void *context, bench_result *result) {
    (void)context;
    static const model_way ways[] = {
        {"commands", settle, whole_frame_0, NULL},
        {"direct", settle, whole_frame_1, NULL},
        {"next_frame_ns", settle, whole_frame_2, NULL},
        {"direct_first_ns", settle, whole_frame_3, NULL},
    };
    begin_row();
    add_changes(0, update_commands, false);
    add_changes(1, update_direct, false);
    add_changes(2, update_commands_later, false);
    add_changes(3, update_direct, true);
    model_put_medians(ways, sizeof ways / sizeof ways[0], 1, result);
    end_worlds();
}

void bench_modelling_frames(void) {
    static const int narrow = 1, wide = WIDE;
    bench_add_measured(&(bench_measured){"modelling.split_system", 1, measure_split, NULL});
    bench_add_measured(&(bench_measured){"modelling.main_first", 1, measure_main_first, &narrow});
    bench_add_measured(
        &(bench_measured){"modelling.main_first_wide", 1, measure_main_first, &wide});
    bench_add_measured(&(bench_measured){"modelling.commands", 1, measure_commands, NULL});
}
