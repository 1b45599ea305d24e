// SPDX-License-Identifier: MIT
//
// The jobs of a world by what they access: for each component the last job that writes it and those
// that read it since.
//
// Invariant: while a job of a world is outstanding the world has no holes, and no structural change
// is made: scheduling closes the holes, and a change completes all jobs of the world first.

#pragma once

#include "entities/world.h"
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
} oxi_type_use;

/// Makes room to note a job with these accesses, and fills what the safety system is told of them.
/// @return false after a report.
bool oxi_fences_reserve(ox_world *world, const oxi_type_use *uses, uint32_t count,
                        oxi_job_use *told, ox_site site);

/// The handle that a job with these accesses has to wait for. @return false after a report.
bool oxi_fences_input(ox_world *world, const oxi_type_use *uses, uint32_t count, ox_job *after,
                      ox_site site);

/// Notes a job that was scheduled.
void oxi_fences_note(ox_world *world, const oxi_type_use *uses, uint32_t count, ox_job job);

/// Completes what stands in the way of reading, or of writing, a component on main.
void oxi_sync_type_slowly(ox_world *world, uint32_t component, bool writes, ox_site site);

/// Completes all jobs of the world, and tells who wants to know that it changes.
void oxi_sync_all_slowly(ox_world *world, ox_site site);

/// Completes all jobs of the world.
void oxi_sync_jobs(ox_world *world, ox_site site);

/// True when no job of the world is outstanding.
bool oxi_fences_are_idle(const ox_world *world);

/// For the world: completes all jobs and frees the table.
void oxi_fences_destroy(ox_world *world, ox_site site);

static inline void oxi_sync_read(ox_world *world, uint32_t component, ox_site site) {
    if (world->busy.count > 0) {
        oxi_sync_type_slowly(world, component, false, site);
    }
}

static inline void oxi_sync_write(ox_world *world, uint32_t component, ox_site site) {
    if (world->busy.count > 0) {
        oxi_sync_type_slowly(world, component, true, site);
    }
}

/// Before a structural change.
static inline void oxi_sync_all(ox_world *world, ox_site site) {
    if (world->change_needs != 0) {
        oxi_sync_all_slowly(world, site);
    }
}
