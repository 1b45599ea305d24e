// SPDX-License-Identifier: MIT
//
// What the tests of commands of systems share: jobs that record, systems that look what was carried
// out so far, and barriers.
//
// Most tests have no workers: then a job is complete only if somebody completed it.

#pragma once

#include "dependencies_test.h"

#include "oxbow/entities.h"

/// For each entity with Count, an entity with Step.
OX_ENTITY_JOB(SpawnSteps, (OX_READ(Count, count)), { ox_commands commands; }) {
    ox_commands_create_entity(job->commands, OX_VALUE(Step, {count->value}));
}

/// The same, once, without entities.
OX_JOB(SpawnStep, { ox_commands commands; }) {
    ox_commands_create_entity(job->commands, OX_VALUE(Step, {1}));
}

#define BARRIER(text, ...) (&(ox_system_def){.name = text, .is_barrier = true, __VA_ARGS__})

/// A world with one entity that has Count.
OXI_UNUSED static ox_world *begin_barriers(collected_reports *reports, ox_entity *entity) {
    start_workers_of_test(0);
    ox_world *world = begin_systems(reports);
    memset(noted, 0, sizeof noted);
    *entity = ox_entity_create(world, OX_VALUE(Count, {1}));
    return world;
}

/// How many entities commands have made.
OXI_UNUSED static int count_steps(ox_world *world) {
    ox_query *query = ox_query_create(world, OX_WITH(Step));
    int count = (int)ox_query_count_all(query);
    ox_query_destroy(query);
    return count;
}

/// An update that logs that number: "A.1".
OXI_UNUSED static void look(ox_system *system) {
    char number[16];
    snprintf(number, sizeof number, "%d", count_steps(system->world));
    log_text(system->name, number);
}

#define LOOKS(text, ...) ON_MAIN(text, look, __VA_ARGS__)

/// Updates that record one entity.
OXI_UNUSED static void record_step(ox_system *system) {
    ox_commands_create_entity(ox_system_commands(system), OX_VALUE(Step, {1}));
}

OXI_UNUSED static ox_job spawn_steps(ox_system *system, ox_job after) {
    ox_commands commands = ox_system_commands(system);
    note_of(system)->returned = ox_schedule_entities(SpawnSteps, system, after, {commands});
    return note_of(system)->returned;
}

#define SPAWNS(text, ...) WITH_JOBS(text, spawn_steps, .jobs = OX_JOBS(SpawnSteps), __VA_ARGS__)

OXI_UNUSED static uint64_t runs_of(ox_world *world, const char *name) {
    return ox_system_get_info(ox_system_find(world, name)).run_count;
}

/// What a handle that was kept too long is told.
enum { OX_REPORT_KEPT_TOO_LONG = OX_SAFETY >= 1 ? OX_REPORT_DISPOSED : OX_REPORT_COMMANDS_ENDED };
