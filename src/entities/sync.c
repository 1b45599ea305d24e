// SPDX-License-Identifier: MIT
//
// Waiting for jobs of a world, by its fences.

#include "entities/sync.h"

#include "entities/fences.h"
#include "oxbow/jobs.h"

static void complete_writer(oxi_type_fence *fence, ox_site site) {
    if (fence->writer.value != 0) {
        ox_job job = fence->writer;
        fence->writer = ox_none;
        ox_jobs_complete_at(&job, 1, site);
    }
}

static void complete_fence(oxi_type_fence *fence, ox_site site) {
    if (fence->readers.count > 0) {
        ox_jobs_complete_at(fence->readers.items, (int)fence->readers.count, site);
        fence->readers.count = 0;
    }
    complete_writer(fence, site);
}

void oxi_sync_type_slowly(ox_world *world, uint32_t component, bool writes, ox_site site) {
    oxi_type_fence *fence = oxi_fence_find(world, component);
    if (fence != NULL && writes) {
        complete_fence(fence, site);
    } else if (fence != NULL) {
        complete_writer(fence, site);
    }
}

void oxi_sync_jobs(ox_world *world, ox_site site) {
    for (size_t k = 0; k < world->busy.count; k++) {
        oxi_type_fence *fence = &world->fences.items[world->busy.items[k]];
        complete_fence(fence, site);
        fence->is_busy = false;
    }
    world->busy.count = 0;
    world->change_needs &= ~(uint32_t)OXI_CHANGE_WAITS;
}

void oxi_sync_all_slowly(ox_world *world, ox_site site) {
    oxi_sync_jobs(world, site);
    if ((world->change_needs & OXI_CHANGE_TELLS) != 0 && !world->is_closed) {
        oxi_attachments_tell(world, OXI_BEFORE_CHANGE, site);
    }
}
