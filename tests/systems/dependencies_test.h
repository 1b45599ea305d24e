// SPDX-License-Identifier: MIT
//
// Systems with jobs that note what they were given and what they returned.
//
// Most tests have no workers: then a job runs when somebody waits for it, and at no other time. So
// what a handle covers is what is complete once it was completed.

#pragma once

#include "systems_test.h"

OX_ENTITY_JOB(WriteExtra, (OX_WRITE(Extra, extra)), { uint32_t add; }) {
    extra->value = extra->value * 3 + job->add;
}

OX_ENTITY_JOB(ReadExtra, (OX_READ(Extra, extra)), { int unused; }) {
}

/// The last update of a system with jobs, by the first letter of its name.
typedef struct noted_update {
    ox_job after;
    ox_job returned;
} noted_update;

OXI_UNUSED static noted_update noted[128];

OXI_UNUSED static noted_update *note_of(const ox_system *system) {
    return &noted[system->name[0] & 127];
}

/// An update that schedules one job after what it is given.
#define SCHEDULES(name, Job, ...)                                                                  \
    OXI_UNUSED static ox_job name(ox_system *system, ox_job after) {                               \
        note_of(system)->after = after;                                                            \
        note_of(system)->returned = ox_schedule_entities(Job, system, after, {__VA_ARGS__});       \
        return note_of(system)->returned;                                                          \
    }

SCHEDULES(write_count, WriteCount, 1)
SCHEDULES(read_count, ReadCount, 0)
SCHEDULES(write_step, WriteStep, 1)
SCHEDULES(read_step, ReadStep, 0)
SCHEDULES(write_extra, WriteExtra, 1)
SCHEDULES(read_extra, ReadExtra, 0)
SCHEDULES(count_from_step, CountFromStep, 0)

/// One that returns what it is given, and one that returns nothing to wait for.
OXI_UNUSED static ox_job return_input(ox_system *system, ox_job after) {
    note_of(system)->after = note_of(system)->returned = after;
    return after;
}

OXI_UNUSED static ox_job return_none(ox_system *system, ox_job after) {
    note_of(system)->after = after;
    note_of(system)->returned = OX_NO_JOB;
    return OX_NO_JOB;
}

#define WRITES_COUNT(name, ...)                                                                    \
    WITH_JOBS(name, write_count, .jobs = OX_JOBS(WriteCount), __VA_ARGS__)
#define READS_COUNT(name, ...) WITH_JOBS(name, read_count, .jobs = OX_JOBS(ReadCount), __VA_ARGS__)
#define WRITES_STEP(name, ...) WITH_JOBS(name, write_step, .jobs = OX_JOBS(WriteStep), __VA_ARGS__)
#define READS_STEP(name, ...)  WITH_JOBS(name, read_step, .jobs = OX_JOBS(ReadStep), __VA_ARGS__)

/// A world with one entity that has Count, Step and Extra, and no workers.
OXI_UNUSED static ox_world *begin_dependencies(collected_reports *reports, ox_entity *entity) {
    start_workers_of_test(0);
    ox_world *world = begin_systems(reports);
    memset(noted, 0, sizeof noted);
    *entity =
        ox_entity_create(world, OX_VALUE(Count, {1}), OX_VALUE(Step, {2}), OX_VALUE(Extra, {3}));
    return world;
}

OXI_UNUSED static bool is_same_job(ox_job a, ox_job b) {
    return a.value == b.value;
}
