// SPDX-License-Identifier: MIT
//
// Waiting for jobs of a world, by its fences, and what is recorded of that.
//
// A record is made of the jobs that are not settled when a wait comes to them. One job may stand at
// several fences: when the second is looked at, it is settled.

#include "entities/sync.h"

#include "entities/fences.h"
#include "oxbow/jobs.h"

// One call that waits.
typedef struct sync_wait {
    ox_world *world;
    ox_sync sync;
    uint32_t name_count;
    uint64_t begin_ns; // when it came to the first job
} sync_wait;

static void note_job(sync_wait *wait, ox_job job) {
    if (oxi_job_is_settled(job)) {
        return;
    }
    if (wait->sync.job_count++ == 0) {
        wait->begin_ns = oxi_clock_now();
    }
    const char *name = oxi_job_get_name(job);
    if (name != NULL && wait->name_count < OX_SYNC_JOBS) {
        wait->sync.jobs[wait->name_count++] = name;
    }
}

static void complete_noted(sync_wait *wait, const ox_job *jobs, size_t count) {
    for (size_t k = 0; k < count && wait->world->records_syncs; k++) {
        note_job(wait, jobs[k]);
    }
    ox_jobs_complete_at(jobs, (int)count, wait->sync.site);
}

static void complete_writer(sync_wait *wait, oxi_type_fence *fence) {
    if (fence->writer.value != 0) {
        ox_job job = fence->writer;
        fence->writer = ox_none;
        complete_noted(wait, &job, 1);
    }
}

static void complete_fence(sync_wait *wait, oxi_type_fence *fence) {
    if (fence->readers.count > 0) {
        complete_noted(wait, fence->readers.items, fence->readers.count);
        fence->readers.count = 0;
    }
    complete_writer(wait, fence);
}

static void end_wait(sync_wait *wait) {
    ox_world *world = wait->world;
    if (wait->sync.job_count > 0) {
        wait->sync.wait_ns = oxi_clock_now() - wait->begin_ns;
        world->syncs[world->sync_count++ % OX_SYNCS_KEPT] = wait->sync;
    }
}

void oxi_sync_type_slowly(ox_world *world, uint32_t component, bool writes, ox_site site) {
    oxi_type_fence *fence = oxi_fence_find(world, component);
    sync_wait wait = {.world = world,
                      .sync = {.kind = writes ? OX_SYNC_WRITE : OX_SYNC_READ,
                               .component = component,
                               .site = site}};
    if (fence != NULL && writes) {
        complete_fence(&wait, fence);
    } else if (fence != NULL) {
        complete_writer(&wait, fence);
    }
    end_wait(&wait);
}

void oxi_sync_jobs(ox_world *world, ox_site site) {
    sync_wait wait = {.world = world, .sync = {.kind = OX_SYNC_STRUCTURAL, .site = site}};
    for (size_t k = 0; k < world->busy.count; k++) {
        oxi_type_fence *fence = &world->fences.items[world->busy.items[k]];
        complete_fence(&wait, fence);
        fence->is_busy = false;
    }
    world->busy.count = 0;
    world->change_needs &= ~(uint32_t)OXI_CHANGE_WAITS;
    end_wait(&wait);
}

void oxi_sync_all_slowly(ox_world *world, ox_site site) {
    oxi_sync_jobs(world, site);
    if ((world->change_needs & OXI_CHANGE_TELLS) != 0 && !world->is_closed) {
        oxi_attachments_tell(world, OXI_BEFORE_CHANGE, site);
    }
}

void ox_world_record_syncs(ox_world *world, bool on) {
    world->records_syncs = on;
}

uint64_t ox_world_get_syncs(const ox_world *world, ox_sync *syncs, int capacity) {
    uint64_t count = world->sync_count < OX_SYNCS_KEPT ? world->sync_count : OX_SYNCS_KEPT;
    uint64_t room = capacity > 0 ? (uint64_t)capacity : 0;
    count = count < room ? count : room;
    for (uint64_t k = 0; k < count; k++) {
        syncs[k] = world->syncs[(world->sync_count - count + k) % OX_SYNCS_KEPT];
    }
    return world->sync_count;
}
