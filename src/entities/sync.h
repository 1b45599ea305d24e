// SPDX-License-Identifier: MIT
//
// Sync points: where main waits for jobs of a world. Reading a component waits for the job that
// writes it, writing for those that read it too, a structural change for all.

#pragma once

#include "entities/world.h"

/// Completes what stands in the way of reading, or of writing, a component on main.
void oxi_sync_type_slowly(ox_world *world, uint32_t component, bool writes, ox_site site);

/// Completes all jobs of the world, and tells who wants to know that it changes.
void oxi_sync_all_slowly(ox_world *world, ox_site site);

/// Completes all jobs of the world.
void oxi_sync_jobs(ox_world *world, ox_site site);

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
