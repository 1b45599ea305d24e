// SPDX-License-Identifier: MIT
//
// Sync points: where main waits for jobs of a world. Reading a component waits for the job that
// writes it, writing for those that read it too, a structural change for all.

#pragma once

#include "entities/world.h"

struct oxi_scope;
struct oxi_type_fence;

/// Completes what stands in the way of reading, or of writing, a component on main. The calls that
/// return bool are false after a report: a job that nobody knows of stands in the way.
bool oxi_sync_type_slowly(ox_world *world, uint32_t component, bool writes, ox_site site);

/// The same before the update of a system, which declares the component.
bool oxi_sync_planned(ox_world *world, uint32_t component, bool writes, ox_site site);

/// Tells who wants to know that the world changes.
void oxi_sync_tell_slowly(ox_world *world, ox_site site);

/// Refuses a change of a world that is closed; else completes its jobs.
bool oxi_sync_wait_slowly(ox_world *world, ox_site site);

/// Completes all jobs of the world.
bool oxi_sync_jobs(ox_world *world, ox_site site);

/// The same when the world ends: jobs that nobody knows of are warned of, and completed too.
bool oxi_sync_end(ox_world *world, ox_site site);

/// Completes jobs that hold views of a query, before its rows are looked for anew.
void oxi_sync_views(ox_world *world, const ox_job *jobs, size_t count, ox_site site);

/// True when every job that stands in the way of an access is covered by `after`. Else reports: it
/// is one that no fence knows.
bool oxi_sync_require_known(const ox_world *world, const struct oxi_type_fence *fence, bool writes,
                            ox_job after, ox_site site);

/// Completes the jobs that a scope scheduled, and the handle that its update returned.
void oxi_sync_own(struct oxi_scope *scope, ox_site site);

static inline bool oxi_sync_read(ox_world *world, uint32_t component, ox_site site) {
    return world->busy.count == 0 || oxi_sync_type_slowly(world, component, false, site);
}

static inline bool oxi_sync_write(ox_world *world, uint32_t component, ox_site site) {
    return world->busy.count == 0 || oxi_sync_type_slowly(world, component, true, site);
}

/// Before anything is made or reserved for a structural change: completes all jobs of the world.
/// False after a report: the world is closed, or a job that no fence knows conflicts.
static inline bool oxi_sync_wait(ox_world *world, ox_site site) {
    if ((world->change_needs & (OXI_CHANGE_WAITS | OXI_CHANGE_CLOSED)) == 0) {
        return true;
    }
    return oxi_sync_wait_slowly(world, site);
}

/// Then, when nothing can fail any more: tells that the world changes.
static inline void oxi_sync_tell(ox_world *world, ox_site site) {
    if (world->change_needs != 0) {
        oxi_sync_tell_slowly(world, site);
    }
}

/// Both, where nothing has to be reserved between, or what is reserved shows nowhere.
static inline bool oxi_sync_all(ox_world *world, ox_site site) {
    if (!oxi_sync_wait(world, site)) {
        return false;
    }
    oxi_sync_tell(world, site);
    return true;
}
