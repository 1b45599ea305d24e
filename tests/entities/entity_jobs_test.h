// SPDX-License-Identifier: MIT
//
// Components, worlds and jobs that the tests of jobs over entities share.

#pragma once

#include "jobs/jobs_test.h"

#include "oxbow/containers.h"
#include "oxbow/entity_jobs.h"
#include "oxbow/memory.h"
#include "oxbow/queries.h"
#include "oxbow/safety.h"

#include <string.h>

OX_COMPONENT(Count, { uint32_t value; });
OX_COMPONENT(Step, { uint32_t value; });
OX_COMPONENT(Extra, { uint32_t value; });
OX_COMPONENT(Wide, { uint8_t bytes[4000]; }); // few entities fill a chunk
OX_TAG(Red);
OX_TAG(Blue);

// Jobs for dependencies: how many rows they see does not matter.
OX_ENTITY_JOB(WriteCount, (OX_WRITE(Count, count)), { uint32_t add; }) {
    count->value = count->value * 3 + job->add;
}

OX_ENTITY_JOB(ReadCount, (OX_READ(Count, count)), { int unused; }) {
}

OX_ENTITY_JOB(WriteStep, (OX_WRITE(Step, step)), { uint32_t add; }) {
    step->value = step->value * 3 + job->add;
}

OX_ENTITY_JOB(ReadStep, (OX_READ(Step, step)), { int unused; }) {
}

OX_ENTITY_JOB(CountFromStep, (OX_WRITE(Count, count), OX_READ(Step, step)), { int unused; }) {
    count->value = count->value * 5 + step->value;
}

OX_ENTITY_JOB(ReadEntities, (OX_ENTITY(self)), { int unused; }) {
    (void)self;
}

// Jobs that meet: each waits until so many have arrived. One that waits in vain gives up.
OXI_UNUSED static oxi_atomic_u32 arrived, gave_up;

OXI_UNUSED static void meet(uint32_t count) {
    atomic_fetch_add(&arrived, 1);
    for (int k = 0; k < WATCHDOG_SECONDS * 10000 && atomic_load(&arrived) < count; k++) {
        sleep_us(100);
    }
    atomic_fetch_add(&gave_up, atomic_load(&arrived) < count);
}

/// A world with one entity that has Count and Step.
OXI_UNUSED static ox_world *make_small_world(ox_entity *entity) {
    ox_world *world = ox_world_create(NULL);
    *entity = ox_entity_create(world, OX_VALUE(Count, {1}), OX_VALUE(Step, {2}));
    return world;
}

OXI_UNUSED static void end_jobs_test(ox_world *world) {
    ox_world_destroy(world);
    ox_jobs_stop();
    ox_frame_end();
}
