// SPDX-License-Identifier: MIT
//
// The jobs of a world by what they access: for each component the last job that writes it and those
// that read it since.
//
// Invariant: while a job of a world is outstanding the world has no holes, and no structural change
// is made: scheduling closes the holes, and a change completes all jobs of the world first.

#pragma once

#include "entities/sync.h"
#include "jobs/gate.h"

/// One component of one world. The first entry stands for the entities themselves: every job over
/// entities reads it.
typedef struct oxi_type_fence {
    ox_job writer;
    OXI_LIST(ox_job) readers;
    ox_access access; ///< what the safety system knows it by
    bool is_busy;     ///< in the list of those that may have jobs
} oxi_type_fence;

/// What a job does with a component. 0 is the entities.
typedef struct oxi_type_use {
    uint32_t component;
    bool writes;
    bool is_lookup;
} oxi_type_use;

/// The fence of a component, any number; NULL when no job had to do with it.
oxi_type_fence *oxi_fence_find(ox_world *world, uint32_t component);

/// Makes room to note a job with these accesses, and fills what the safety system is told of them.
/// @return false after a report.
bool oxi_fences_reserve(ox_world *world, const oxi_type_use *uses, uint32_t count,
                        oxi_job_use *told, ox_site site);

/// The handle that a job with these accesses has to wait for. @return false after a report.
bool oxi_fences_input(ox_world *world, const oxi_type_use *uses, uint32_t count, ox_job *after,
                      ox_site site);

/// Notes a job that was scheduled.
void oxi_fences_note(ox_world *world, const oxi_type_use *uses, uint32_t count, ox_job job);

/// True when no job of the world is outstanding.
bool oxi_fences_are_idle(const ox_world *world);

/// For the world: completes all jobs and frees the table.
void oxi_fences_destroy(ox_world *world, ox_site site);
