// SPDX-License-Identifier: MIT
//
// What the tests of recorded frames share: systems with places of their own, a clock, and looking
// things up in a frame.
//
// Without workers a job runs when somebody waits for it, and at no other time.

#pragma once

#include "entities/entity_jobs_test.h"

#include "oxbow/explain.h"
#include "oxbow/trace.h"

// Time is what jobs take: each row of a Slow job takes so many nanoseconds. Every look is counted.
OXI_UNUSED static oxi_atomic_u32 fake_ns, fake_clock_reads;

OXI_UNUSED static uint64_t read_fake_clock(void *context) {
    (void)context;
    atomic_fetch_add(&fake_clock_reads, 1);
    return atomic_load(&fake_ns);
}

OXI_UNUSED static void use_fake_clock(void) {
    atomic_store(&fake_ns, 1000000);
    atomic_store(&fake_clock_reads, 0);
    oxi_clock_set_source(read_fake_clock, NULL);
}

OXI_UNUSED static void use_system_clock(void) {
    oxi_clock_set_source(NULL, NULL);
}

OX_ENTITY_JOB(SlowCount, (OX_WRITE(Count, count)), { uint32_t ns; }) {
    count->value++;
    atomic_fetch_add(&fake_ns, job->ns);
}

OX_ENTITY_JOB(SlowStep, (OX_WRITE(Step, step)), { uint32_t ns; }) {
    step->value++;
    atomic_fetch_add(&fake_ns, job->ns);
}

// Schedules a job of the shared header, with a place of its own.
#define SCHEDULE(Job, system, after, site, ...)                                                    \
    ox_schedule_entities_at(&oxi_entity_job_##Job, system, after, &(Job){__VA_ARGS__}, site)

// The entity that systems of tests look at.
OXI_UNUSED static ox_entity looked_at;

// Updates that many tests need.

OXI_UNUSED static ox_job schedule_write(ox_system *system, ox_job after) {
    return SCHEDULE(WriteCount, system, after, "write.c:9", 1);
}

OXI_UNUSED static ox_job schedule_read(ox_system *system, ox_job after) {
    return SCHEDULE(ReadCount, system, after, "read.c:5", 0);
}

OXI_UNUSED static ox_job schedule_write_step(ox_system *system, ox_job after) {
    return SCHEDULE(WriteStep, system, after, "step.c:7", 1);
}

OXI_UNUSED static void look_at_count(ox_system *system) {
    ox_get_at(system->world, looked_at, ox_component_id_of(Count), "reap.c:40");
}

OXI_UNUSED static void do_nothing(ox_system *system) {
    (void)system;
}

OXI_UNUSED static bool declare_count(ox_system *system) {
    return ox_system_declare(system, OX_READ(Count));
}

// Defs. Jobs are declared, so that a system is given what its jobs have to wait for.
#define WRITE_SYSTEM                                                                               \
    {                                                                                              \
        .name = "Write", .site = "write.c:8", .update_jobs = schedule_write,                       \
        .jobs = OX_JOBS(WriteCount)                                                                \
    }
#define READ_SYSTEM                                                                                \
    {                                                                                              \
        .name = "Read", .site = "read.c:4", .update_jobs = schedule_read,                          \
        .jobs = OX_JOBS(ReadCount), .after = {                                                     \
            "Write"                                                                                \
        }                                                                                          \
    }

/// A world without systems but these, up to one without a name, with an entity; it is recorded.
OXI_UNUSED static ox_world *make_recorded(int workers, const ox_system_def *defs) {
    start_workers_of_test(workers);
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    looked_at = ox_entity_create(world, OX_VALUE(Count, {1}), OX_VALUE(Step, {2}));
    for (; defs->name != NULL; defs++) {
        EXPECT(ox_system_add(world, defs) != NULL);
    }
    EXPECT(ox_world_record_frames(world, true));
    return world;
}

/// One update, and its frame.
OXI_UNUSED static const ox_frame *record_frame(ox_world *world) {
    EXPECT(ox_world_update(world, 0.25f));
    const ox_frame *frame = ox_world_get_frame(world);
    EXPECT(frame != NULL);
    return frame;
}

OXI_UNUSED static const ox_frame_system *system_of_frame(const ox_frame *frame, const char *name) {
    for (int k = 0; k < frame->system_count; k++) {
        if (strcmp(frame->systems[k].name, name) == 0) {
            return &frame->systems[k];
        }
    }
    test_fail(__FILE__, __LINE__, "the frame has no system %s", name);
    return NULL;
}

/// The place of a job by its name, the first of several; -1 when there is none.
OXI_UNUSED static int job_of_frame(const ox_frame *frame, const char *name) {
    for (int k = 0; k < frame->job_count; k++) {
        if (strcmp(frame->jobs[k].name, name) == 0) {
            return k;
        }
    }
    return -1;
}

/// The wait of a job for another in a component, NULL for a handle; NULL when it has none.
OXI_UNUSED static const ox_frame_wait *wait_of_job(const ox_frame *frame, int job, int before,
                                                   const char *component) {
    for (int k = 0; k < frame->jobs[job].wait_count; k++) {
        const ox_frame_wait *wait = &frame->jobs[job].waits[k];
        bool is_it = component != NULL
                         ? wait->component != NULL && strcmp(wait->component, component) == 0
                         : wait->component == NULL;
        if (wait->before == before && is_it) {
            return wait;
        }
    }
    return NULL;
}
