// SPDX-License-Identifier: MIT
//
// The table of fences, by the store's own number of a component.

#include "entities/fences.h"

#include "base/heap.h"
#include "oxbow/jobs.h"

#include <string.h>

enum { MOST_READERS = 16 };

// The fence of a component that a job uses, for which room was made.
static oxi_type_fence *fence_of(ox_world *world, uint32_t component) {
    uint32_t place = component == 0 ? 0 : world->store.local_of[component];
    OXI_ASSERT(place < world->fences.count);
    return &world->fences.items[place];
}

oxi_type_fence *oxi_fence_find(ox_world *world, uint32_t component) {
    uint32_t place = component <= OXI_MAX_TYPES ? world->store.local_of[component] : 0;
    return place != 0 && place < world->fences.count ? &world->fences.items[place] : NULL;
}

static const char *name_of_use(uint32_t component) {
    return component == 0 ? "entities" : ox_component_get_info(component)->name;
}

// Reports name the place where the component is declared as that where it was created.
static bool make_access(oxi_type_fence *fence, uint32_t component, ox_site site) {
    ox_access_def def = {.kind = component == 0 ? "world" : "component",
                         .name = name_of_use(component),
                         .is_whole = true};
    return fence->access.token != 0 || ox_safety_level() == 0 ||
           ox_access_create_at(&fence->access, &def,
                               component == 0 ? site : ox_component_get_info(component)->site);
}

bool oxi_fences_reserve(ox_world *world, const oxi_type_use *uses, uint32_t count,
                        oxi_job_use *told, ox_site site) {
    size_t size = (size_t)world->store.local_count + 1;
    if (world->fences.count < size &&
        !oxi_list_resize_in(world->store.heap, &world->fences, size)) {
        return oxi_world_report(world, OXI_NO_MEMORY, site);
    }
    if (!oxi_list_reserve_in(world->store.heap, &world->busy, size)) {
        return oxi_world_report(world, OXI_NO_MEMORY, site);
    }
    for (uint32_t k = 0; k < count; k++) {
        oxi_type_fence *fence = fence_of(world, uses[k].component);
        if (!oxi_list_reserve_in(world->store.heap, &fence->readers, MOST_READERS)) {
            return oxi_world_report(world, OXI_NO_MEMORY, site);
        }
        if (!make_access(fence, uses[k].component, site)) {
            return false;
        }
        told[k] =
            (oxi_job_use){fence->access.token, uses[k].writes, name_of_use(uses[k].component)};
    }
    return true;
}

// Forgets readers that were completed by others.
static void drop_settled(oxi_type_fence *fence) {
    size_t kept = 0;
    for (size_t k = 0; k < fence->readers.count; k++) {
        if (!oxi_job_is_settled(fence->readers.items[k])) {
            fence->readers.items[kept++] = fence->readers.items[k];
        }
    }
    fence->readers.count = kept;
}

bool oxi_fences_input(ox_world *world, const oxi_type_use *uses, uint32_t count, ox_job *after,
                      ox_site site) {
    OXI_LIST(ox_job) jobs = {0};
    bool has_memory = true;
    for (uint32_t k = 0; k < count && has_memory; k++) {
        oxi_type_fence *fence = fence_of(world, uses[k].component);
        if (fence->writer.value != 0 && oxi_job_is_settled(fence->writer)) {
            fence->writer = ox_none;
        }
        drop_settled(fence);
        if (fence->writer.value != 0) {
            has_memory = oxi_list_push_in(world->store.heap, &jobs, fence->writer);
        }
        if (uses[k].writes && fence->readers.count > 0) {
            has_memory =
                has_memory && oxi_list_append_in(world->store.heap, &jobs, fence->readers.items,
                                                 fence->readers.count);
        }
    }
    *after = ox_none;
    if (has_memory && jobs.count > 0) {
        *after = ox_jobs_combine_at(jobs.items, (int)jobs.count, site);
    }
    bool is_done = has_memory && (jobs.count == 0 || after->value != 0);
    oxi_list_free_in(world->store.heap, &jobs);
    return has_memory ? is_done : oxi_world_report(world, OXI_NO_MEMORY, site);
}

static void mark_busy(ox_world *world, oxi_type_fence *fence) {
    if (!fence->is_busy) {
        fence->is_busy = true;
        world->change_needs |= OXI_CHANGE_WAITS;
        world->reach[OXI_REACH_ON_MAIN].calm = 0;
        world->busy.items[world->busy.count++] = (uint32_t)(fence - world->fences.items);
    }
}

// Adds a reader. A full list becomes one handle; without memory for that they are completed.
static void add_reader(oxi_type_fence *fence, ox_job job) {
    if (fence->readers.count == MOST_READERS) {
        drop_settled(fence);
    }
    if (fence->readers.count == MOST_READERS) {
        ox_job all = ox_jobs_combine_at(fence->readers.items, MOST_READERS, NULL);
        if (all.value == 0) {
            ox_jobs_complete_at(fence->readers.items, MOST_READERS, NULL);
        }
        fence->readers.count = 0;
        if (all.value != 0) {
            fence->readers.items[fence->readers.count++] = all;
        }
    }
    fence->readers.items[fence->readers.count++] = job;
}

void oxi_fences_note(ox_world *world, const oxi_type_use *uses, uint32_t count, ox_job job) {
    for (uint32_t k = 0; k < count; k++) {
        oxi_type_fence *fence = fence_of(world, uses[k].component);
        mark_busy(world, fence);
        if (uses[k].writes) {
            fence->writer = job;
            fence->readers.count = 0; // the writer waits for them
        } else {
            add_reader(fence, job);
        }
    }
}

bool oxi_fences_are_idle(const ox_world *world) {
    for (size_t k = 0; k < world->busy.count; k++) {
        const oxi_type_fence *fence = &world->fences.items[world->busy.items[k]];
        bool is_idle = oxi_job_is_settled(fence->writer);
        for (size_t n = 0; n < fence->readers.count && is_idle; n++) {
            is_idle = oxi_job_is_settled(fence->readers.items[n]);
        }
        if (!is_idle) {
            return false;
        }
    }
    return true;
}

void oxi_fences_destroy(ox_world *world, ox_site site) {
    oxi_sync_jobs(world, site);
    for (size_t k = 0; k < world->fences.count; k++) {
        ox_access_end_at(world->fences.items[k].access, site);
        oxi_list_free_in(world->store.heap, &world->fences.items[k].readers);
    }
    oxi_list_free_in(world->store.heap, &world->fences);
    oxi_list_free_in(world->store.heap, &world->busy);
}
