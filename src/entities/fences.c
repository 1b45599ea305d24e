// SPDX-License-Identifier: MIT
//
// The table of fences, by the store's own number of a component.

#include "entities/fences.h"

#include "base/heap.h"
#include "oxbow/jobs.h"

#include <string.h>

enum { MOST_FENCE_JOBS = 16, INPUT_JOBS = 64 };

// The fence of a component that a job uses, for which room was made.
static oxi_type_fence *fence_of(ox_world *world, uint32_t component) {
    uint32_t place = component == 0 ? 0 : world->store.local_of[component];
    OXI_ASSERT(place < world->fences.count);
    return &world->fences.items[place];
}

oxi_type_fence *oxi_fence_find(ox_world *world, uint32_t component) {
    uint32_t place = component <= OXI_MAX_TYPES ? world->store.local_of[component] : 0;
    bool is_used = (place != 0 || component == 0) && place < world->fences.count;
    return is_used ? &world->fences.items[place] : NULL;
}

static const char *name_of_use(uint32_t component) {
    return component == 0 ? "entities" : ox_component_get_info(component)->name;
}

// Reports name the place where the component is declared as that where it was created.
static bool make_access(oxi_type_fence *fence, uint32_t component, ox_site site) {
    ox_access_def def = {.kind = component == 0 ? "world" : "component",
                         .name = name_of_use(component),
                         .is_whole = true};
    return fence->access.token != 0 || ox_get_safety_level() == 0 ||
           ox_access_create_at(&fence->access, &def,
                               component == 0 ? site : ox_component_get_info(component)->site);
}

static bool reserve_type_fences(ox_world *world, ox_site site) {
    size_t size = (size_t)world->store.local_count + 1;
    return world->fences.count >= size ||
           (oxi_list_reserve_in(world->store.heap, &world->busy, size) &&
            oxi_list_resize_in(world->store.heap, &world->fences, size)) ||
           oxi_world_report(world, OXI_NO_MEMORY, site);
}

static bool reserve_readers(ox_world *world, oxi_type_fence *fence, ox_site site) {
    for (int k = 0; k < OXI_FENCE_TABLES; k++) {
        if (!oxi_list_reserve_in(world->store.heap, &fence->tables[k].writers, MOST_FENCE_JOBS) ||
            !oxi_list_reserve_in(world->store.heap, &fence->tables[k].readers, MOST_FENCE_JOBS)) {
            return oxi_world_report(world, OXI_NO_MEMORY, site);
        }
    }
    return true;
}

bool oxi_fences_reserve(ox_world *world, const oxi_type_use *uses, uint32_t count,
                        oxi_job_use *told, ox_site site) {
    if (!reserve_type_fences(world, site)) {
        return false;
    }
    for (uint32_t k = 0; k < count; k++) {
        oxi_type_fence *fence = fence_of(world, uses[k].component);
        if (fence->tables[OXI_DECLARED].readers.capacity == 0 &&
            !reserve_readers(world, fence, site)) {
            return false;
        }
        if (!make_access(fence, uses[k].component, site)) {
            return false;
        }
        if (told != NULL) {
            told[k] =
                (oxi_job_use){fence->access.token, uses[k].writes, name_of_use(uses[k].component)};
        }
    }
    return true;
}

// Forgets jobs that were completed by others.
static void drop_settled(oxi_fence_jobs *jobs) {
    size_t kept = 0;
    for (size_t k = 0; k < jobs->count; k++) {
        if (!oxi_job_is_settled(jobs->items[k])) {
            jobs->items[kept++] = jobs->items[k];
        }
    }
    jobs->count = kept;
}

bool oxi_fences_show_ended(const ox_world *world) {
    return world->watch != NULL && ox_get_safety_level() == 0;
}

// Handles that are to become one.
typedef struct gathered_jobs {
    ox_world *world;
    ox_job jobs[INPUT_JOBS];
    uint32_t count;
    bool has_failed; // after a report
    ox_site site;
} gathered_jobs;

// A full list becomes one handle.
static void gather_job(gathered_jobs *all, ox_job job, const oxi_wait_cause *cause) {
    const oxi_world_watch *watch = all->world->watch;
    if (watch != NULL && cause != NULL) {
        watch->waits(watch->context, job, *cause);
    }
    for (uint32_t k = 0; k < all->count; k++) {
        if (all->jobs[k].value == job.value) {
            return;
        }
    }
    OXI_ASSERT(all->count <= INPUT_JOBS);
    if (all->count == INPUT_JOBS) {
        all->jobs[0] = ox_combine_at(all->jobs, INPUT_JOBS, all->site);
        all->has_failed = all->has_failed || all->jobs[0].value == 0;
        all->count = 1;
    }
    all->jobs[all->count++] = job;
}

static void gather_jobs(gathered_jobs *all, oxi_fence_jobs *jobs, oxi_wait_cause cause) {
    if (!oxi_fences_show_ended(all->world)) {
        drop_settled(jobs);
    }
    for (size_t k = 0; k < jobs->count; k++) {
        gather_job(all, jobs->items[k], &cause);
    }
}

static void gather_fence(gathered_jobs *all, oxi_fence *fence, const oxi_type_use *use,
                         bool is_declared) {
    gather_jobs(all, &fence->writers,
                (oxi_wait_cause){use->component, true, use->writes, is_declared});
    if (use->writes) {
        gather_jobs(all, &fence->readers,
                    (oxi_wait_cause){use->component, false, true, is_declared});
    }
}

static ox_job combine_gathered(gathered_jobs *all) {
    if (all->count < 2) {
        return all->count == 1 ? all->jobs[0] : OX_NO_JOB;
    }
    ox_job combined = ox_combine_at(all->jobs, (int)all->count, all->site);
    all->has_failed = all->has_failed || combined.value == 0;
    return combined;
}

bool oxi_fences_input(ox_world *world, const oxi_type_use *uses, uint32_t count, int tables,
                      ox_job *after, ox_site site) {
    gathered_jobs all;
    all.world = world;
    all.count = 0;
    all.has_failed = false;
    all.site = site;
    if (world->watch != NULL && world->watch->gathers != NULL) {
        world->watch->gathers(world->watch->context);
    }
    for (uint32_t k = 0; k < count; k++) {
        oxi_type_fence *fence = fence_of(world, uses[k].component);
        for (int n = 0; fence->is_busy && n < tables; n++) {
            gather_fence(&all, &fence->tables[n], &uses[k], n == OXI_DECLARED);
        }
    }
    *after = combine_gathered(&all);
    return !all.has_failed;
}

// Every job of the world comes here when it is scheduled, over entities or not. What main holds was
// taken before, and may be what the job works on.
static void mark_busy(ox_world *world, oxi_type_fence *fence) {
    OXI_ASSERT(fence >= world->fences.items);
    OXI_ASSERT(fence < world->fences.items + world->fences.count);
    world->schedule_count++;
    if (!fence->is_busy) {
        fence->is_busy = true;
        world->change_needs |= OXI_CHANGE_WAITS;
        world->reach[OXI_REACH_ON_MAIN].calm = 0;
        OXI_ASSERT(world->busy.count < world->busy.capacity); // room was made with the fences
        world->busy.items[world->busy.count++] = (uint32_t)(fence - world->fences.items);
    }
}

void oxi_fences_mark_busy(ox_world *world, uint32_t component) {
    mark_busy(world, fence_of(world, component));
}

// Adds a job. A full list becomes one handle; without memory for that its jobs are completed.
static void add_to_fence(oxi_fence_jobs *jobs, ox_job job) {
    if (jobs->count == MOST_FENCE_JOBS) {
        drop_settled(jobs);
    }
    if (jobs->count == MOST_FENCE_JOBS) {
        ox_job all = ox_combine_at(jobs->items, MOST_FENCE_JOBS, NULL);
        if (all.value == 0) {
            ox_complete_at(jobs->items, MOST_FENCE_JOBS, NULL);
        }
        jobs->count = 0;
        if (all.value != 0) {
            jobs->items[jobs->count++] = all;
        }
    }
    OXI_ASSERT(jobs->count < jobs->capacity); // reserved
    jobs->items[jobs->count++] = job;
}

void oxi_fences_note_handle(ox_world *world, const oxi_type_use *uses, uint32_t count, int table,
                            ox_job job, bool covers) {
    for (uint32_t k = 0; k < count; k++) {
        oxi_type_fence *all = fence_of(world, uses[k].component);
        oxi_fence *fence = &all->tables[table];
        mark_busy(world, all);
        if (uses[k].writes && covers) { // it waits for all that stands here
            fence->writers.count = 0;
            fence->readers.count = 0;
        }
        add_to_fence(uses[k].writes ? &fence->writers : &fence->readers, job);
    }
}

void oxi_fences_note(ox_world *world, const oxi_type_use *uses, uint32_t count, ox_job job) {
    oxi_fences_note_handle(world, uses, count, OXI_EXACT, job, true);
}

static bool are_settled(const oxi_fence_jobs *jobs) {
    bool is_idle = true;
    for (size_t n = 0; n < jobs->count && is_idle; n++) {
        is_idle = oxi_job_is_settled(jobs->items[n]);
    }
    return is_idle;
}

static bool is_fence_idle(const oxi_fence *fence) {
    return are_settled(&fence->writers) && are_settled(&fence->readers);
}

bool oxi_fences_are_idle(const ox_world *world) {
    for (size_t k = 0; k < world->busy.count; k++) {
        OXI_ASSERT(world->busy.items[k] < world->fences.count);
        const oxi_type_fence *fence = &world->fences.items[world->busy.items[k]];
        OXI_ASSERT(fence->is_busy);
        if (!is_fence_idle(&fence->tables[OXI_EXACT]) ||
            !is_fence_idle(&fence->tables[OXI_DECLARED])) {
            return false;
        }
    }
    return true;
}

void oxi_fences_destroy(ox_world *world, ox_site site) {
    oxi_sync_jobs(world, site);
    for (size_t k = 0; k < world->fences.count; k++) {
        ox_access_destroy_at(world->fences.items[k].access, site);
        for (int n = 0; n < OXI_FENCE_TABLES; n++) {
            oxi_list_free_in(world->store.heap, &world->fences.items[k].tables[n].writers);
            oxi_list_free_in(world->store.heap, &world->fences.items[k].tables[n].readers);
        }
    }
    oxi_list_free_in(world->store.heap, &world->fences);
    oxi_list_free_in(world->store.heap, &world->busy);
}
