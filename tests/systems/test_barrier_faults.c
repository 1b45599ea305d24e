// SPDX-License-Identifier: MIT
//
// Every fallible call of asking for commands, of recording in systems and of barriers is failed
// once. What was recorded is carried out, if not in this frame then in a later one, and nothing
// else is.

#include "barriers_test.h"

#include "systems/systems.h"

static oxi_atomic_u32 recorded;

static void record_into(ox_commands commands) {
    ox_entity made = ox_commands_create_entity(commands, OX_VALUE(Step, {1}));
    atomic_fetch_add(&recorded, made.version != 0);
}

OX_ENTITY_JOB(FaultySpawn, (OX_READ(Count, count)), { ox_commands commands; }) {
    record_into(job->commands);
}

OX_BARRIER(FaultyBarrier, .in = "FaultyBarriers");
OX_GROUP(FaultyBarriers, .after = {"FaultyAsker"});
OX_BARRIER(FaultyEnd, .in = "FaultyBarriers", .place = OX_PHASE_END);

typedef struct FaultyState {
    ox_system *barrier;
} FaultyState;

static ox_job spawn_for(ox_system *system, ox_commands commands, ox_job after) {
    return commands.oxi_state != NULL ? ox_schedule_entities(FaultySpawn, system, after, {commands})
                                      : after;
}

OX_JOB_SYSTEM(FaultyAsker, .jobs = OX_JOBS(FaultySpawn), .barriers = {"FaultyEnd"}) {
    ox_job first = spawn_for(system, ox_system_commands(system), after);
    ox_job second = spawn_for(system, ox_system_commands(system), after);
    return ox_combine(first, second);
}

OX_JOB_SYSTEM(FaultyInjected, .jobs = OX_JOBS(FaultySpawn),
              .inject = {OX_INJECT_SYSTEM(FaultyState, barrier, "FaultyBarrier")},
              .state = sizeof(FaultyState)) {
    const FaultyState *state = ox_system_state(system, FaultyState);
    return spawn_for(system, ox_barrier_commands(state->barrier), after);
}

OX_SYSTEM(FaultyPost) {
    ox_commands commands = ox_system_commands(system);
    if (commands.oxi_state != NULL) {
        record_into(commands);
    }
}

// True when a system has commands that were not carried out yet.
static bool has_left(ox_world *world, const char *name) {
    const oxi_system *system = oxi_system_of(ox_system_find(world, name));
    return system != NULL && (system->pending.count > 0 || system->post.oxi_state != NULL);
}

static bool has_any_left(ox_world *world) {
    return has_left(world, "EndSimulation") || has_left(world, "FaultyBarrier") ||
           has_left(world, "FaultyEnd") || has_left(world, "FaultyPost");
}

static void stop_recording(ox_world *world) {
    static const char *const names[] = {"FaultyAsker", "FaultyInjected"};
    for (int k = 0; k < 2; k++) {
        ox_system *system = ox_system_find(world, names[k]);
        if (system != NULL) {
            ox_system_set_enabled(system, false);
        }
    }
}

static void use_barriers(ox_world *world) {
    atomic_store(&recorded, 0);
    ox_entity counted = ox_entity_create(world, OX_VALUE(Count, {1}));
    for (int frame = 0; frame < 2; frame++) {
        ox_world_update(world, 0.25f);
    }
    stop_recording(world);
    for (int frame = 0; frame < 2; frame++) {
        ox_world_update(world, 0.25f); // what is left is carried out
    }
    uint32_t made = ox_world_get_usage(world).entity_count - (counted.version != 0);
    if (has_any_left(world)) {
        EXPECT(made <= atomic_load(&recorded));
    } else {
        EXPECT_EQ(made, atomic_load(&recorded));
    }
    EXPECT(ox_world_validate(world));
    ox_system *group = ox_system_find(world, "FaultyBarriers");
    if (group != NULL) {
        EXPECT(ox_system_remove(group));
    }
}

static void run_barriers(int workers) {
    watch_for_hang("barriers with failed calls");
    if (ox_jobs_start(&(ox_jobs_def){.worker_count = workers})) {
        ox_world *world = ox_world_create(NULL);
        if (world != NULL) {
            use_barriers(world);
        }
        ox_world_destroy(world);
    }
    ox_jobs_stop();
    ox_frame_end();
    ox_memory_trim();
    end_watch();
}

static void run_without_workers(void) {
    run_barriers(OX_NO_WORKERS);
}

static void run_with_workers(void) {
    run_barriers(2);
}

TEST(barrier_faults, without_workers) {
    test_fault_sweep("barriers without workers", run_without_workers);
}

TEST(barrier_faults, with_workers) {
    test_fault_sweep("barriers with workers", run_with_workers);
}
