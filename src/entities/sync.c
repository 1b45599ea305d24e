// SPDX-License-Identifier: MIT
//
// Waiting for jobs of a world, by its fences, and what is recorded of that.
//
// A record is made of the jobs that are not settled when a wait comes to them. One job may stand at
// several fences: when the second is looked at, it is settled. What the safety system still sees
// after that is a job that no fence knows: its scheduler told nobody, and the call is refused.

#include "entities/sync.h"

#include "entities/scope.h"
#include "jobs/parking.h"
#include "oxbow/jobs.h"
#include "safety/access.h"

// One call that waits.
typedef struct sync_wait {
    ox_world *world;
    ox_sync sync;
    bool is_noted; // somebody wants to know
    uint32_t name_count;
    uint64_t begin_ns; // when it came to the first job
} sync_wait;

static sync_wait begin_wait(ox_world *world, ox_sync_kind kind, uint32_t component, ox_site site) {
    const oxi_scope *scope = world->updating;
    return (sync_wait){
        .world = world,
        .is_noted = world->records_syncs || world->watch != NULL || world->is_strict,
        .sync = {.kind = kind,
                 .component = component,
                 .site = site,
                 .system = scope != NULL ? scope->base.name : NULL,
                 .is_planned = scope != NULL && scope->plans_all},
    };
}

static void note_job(sync_wait *wait, ox_job job) {
    const oxi_world_watch *watch = wait->world->watch;
    if (oxi_job_is_settled(job)) {
        return;
    }
    if (wait->sync.job_count++ == 0) {
        wait->sync.idle_workers = oxi_jobs_count_idle();
        wait->begin_ns = oxi_clock_now();
    }
    const char *name = oxi_job_get_name(job);
    if (name != NULL && wait->name_count < OX_SYNC_JOBS) {
        wait->sync.jobs[wait->name_count++] = name;
    }
    if (watch != NULL) {
        watch->awaits(watch->context, job);
    }
}

static void complete_noted(sync_wait *wait, const ox_job *jobs, size_t count) {
    for (size_t k = 0; k < count && wait->is_noted; k++) {
        note_job(wait, jobs[k]);
    }
    ox_complete_at(jobs, (int)count, wait->sync.site);
}

static void complete_list(sync_wait *wait, oxi_fence_jobs *jobs) {
    if (jobs->count > 0) {
        complete_noted(wait, jobs->items, jobs->count);
        jobs->count = 0;
    }
}

static void complete_writers(sync_wait *wait, oxi_type_fence *fence) {
    for (int k = 0; k < OXI_FENCE_TABLES; k++) {
        complete_list(wait, &fence->tables[k].writers);
    }
}

static void complete_fence(sync_wait *wait, oxi_type_fence *fence) {
    for (int k = 0; k < OXI_FENCE_TABLES; k++) {
        complete_list(wait, &fence->tables[k].readers);
    }
    complete_writers(wait, fence);
}

static void report_unplanned(const sync_wait *wait) {
    const ox_sync *sync = &wait->sync;
    static const char *const what[] = {"reads", "writes", "changes the structure of", "updates"};
    OXI_ASSERT((size_t)sync->kind < sizeof what / sizeof *what);
    bool is_typed = sync->component != 0;
    OXI_REPORT(&wait->world->sink, OX_REPORT_UNPLANNED_SYNC, sync->site,
               OXI_NAME("system", sync->system), OXI_NAME("what", what[sync->kind]),
               OXI_NAME("component", is_typed ? ox_component_get_info(sync->component)->name
                                              : wait->world->name),
               OXI_NAME("job", sync->jobs[0] != NULL ? sync->jobs[0] : "a job that is done"));
}

static void end_wait(sync_wait *wait) {
    ox_world *world = wait->world;
    if (wait->sync.job_count == 0) {
        return;
    }
    wait->sync.wait_ns = oxi_clock_now() - wait->begin_ns;
    if (world->records_syncs) {
        world->syncs[world->sync_count++ % OX_SYNCS_KEPT] = wait->sync;
    }
    if (world->watch != NULL) {
        world->watch->synced(world->watch->context, &wait->sync, wait->begin_ns);
    }
    if (world->is_strict && wait->sync.system != NULL && !wait->sync.is_planned) {
        report_unplanned(wait);
    }
}

// True when no job holds a component that its fence does not know; else reports.
static bool require_registered(const ox_world *world, const oxi_type_fence *fence, bool writes,
                               ox_job after, const char *what, ox_site site) {
    oxi_holder holder;
    if (!oxi_access_find_holder(fence->access, writes, after, &holder)) {
        return true;
    }
    const oxi_scope *scope = world->updating;
    return OXI_REPORT(&world->sink, OX_REPORT_UNREGISTERED_JOB, site,
                      OXI_NAME("system", scope != NULL ? scope->base.name : "main"),
                      OXI_NAME("what", what), OXI_NAME("component", holder.container),
                      OXI_NAME("job", holder.job), OXI_SITE("job_site", holder.site),
                      OXI_NAME("verb", holder.writes ? "writes" : "reads"));
}

bool oxi_sync_require_known(const ox_world *world, const oxi_type_fence *fence, bool writes,
                            ox_job after, ox_site site) {
    return require_registered(world, fence, writes, after, writes ? "writes" : "reads", site);
}

static bool sync_type(ox_world *world, uint32_t component, bool writes, bool is_planned,
                      ox_site site) {
    oxi_type_fence *fence = oxi_fence_find(world, component);
    if (fence == NULL || !fence->is_busy) {
        return true;
    }
    sync_wait wait = begin_wait(world, writes ? OX_SYNC_WRITE : OX_SYNC_READ, component, site);
    wait.sync.is_planned = wait.sync.is_planned || is_planned;
    if (writes) {
        complete_fence(&wait, fence);
    } else {
        complete_writers(&wait, fence);
    }
    end_wait(&wait);
    return oxi_sync_require_known(world, fence, writes, OX_NO_JOB, site);
}

bool oxi_sync_type_slowly(ox_world *world, uint32_t component, bool writes, ox_site site) {
    return sync_type(world, component, writes, false, site);
}

bool oxi_sync_planned(ox_world *world, uint32_t component, bool writes, ox_site site) {
    return sync_type(world, component, writes, true, site);
}

static void complete_known(ox_world *world, ox_site site) {
    sync_wait wait = begin_wait(world, OX_SYNC_STRUCTURAL, 0, site);
    for (size_t k = 0; k < world->busy.count; k++) {
        OXI_ASSERT(world->busy.items[k] < world->fences.count);
        complete_fence(&wait, &world->fences.items[world->busy.items[k]]);
    }
    end_wait(&wait);
}

bool oxi_sync_jobs(ox_world *world, ox_site site) {
    complete_known(world, site);
    for (size_t k = 0; k < world->busy.count; k++) {
        const oxi_type_fence *fence = &world->fences.items[world->busy.items[k]];
        if (!require_registered(world, fence, true, OX_NO_JOB, "changes entities with", site)) {
            return false;
        }
    }
    for (size_t k = 0; k < world->busy.count; k++) {
        OXI_ASSERT(world->fences.items[world->busy.items[k]].is_busy);
        world->fences.items[world->busy.items[k]].is_busy = false;
    }
    world->busy.count = 0;
    world->change_needs &= ~(uint32_t)OXI_CHANGE_WAITS;
    return true;
}

bool oxi_sync_wait_slowly(ox_world *world, ox_site site) {
    if ((world->change_needs & OXI_CHANGE_CLOSED) != 0) {
        return oxi_world_report_closed(world, "a structural change", site);
    }
    return oxi_sync_jobs(world, site);
}

// Completes jobs that no fence knows, with a warning for each. One that cannot be completed here is
// left.
static void complete_unregistered(const ox_world *world, const oxi_type_fence *fence,
                                  ox_site site) {
    oxi_holder holder;
    uint64_t last = 0;
    while (oxi_access_find_holder(fence->access, true, OX_NO_JOB, &holder) &&
           holder.handle.value != last) {
        OXI_REPORT(&world->sink, OX_REPORT_JOB_AT_WORLD_END, site, OXI_NAME("job", holder.job),
                   OXI_SITE("job_site", holder.site),
                   OXI_NAME("verb", holder.writes ? "writes" : "reads"),
                   OXI_NAME("component", holder.container), OXI_NAME("world", world->name));
        last = holder.handle.value;
        ox_complete_at(&holder.handle, 1, site);
    }
}

bool oxi_sync_end(ox_world *world, ox_site site) {
    complete_known(world, site);
    for (size_t k = 0; k < world->busy.count; k++) {
        complete_unregistered(world, &world->fences.items[world->busy.items[k]], site);
    }
    return oxi_sync_jobs(world, site);
}

void oxi_sync_views(ox_world *world, const ox_job *jobs, size_t count, ox_site site) {
    sync_wait wait = begin_wait(world, OX_SYNC_STRUCTURAL, 0, site);
    complete_noted(&wait, jobs, count);
    end_wait(&wait);
}

void oxi_sync_tell_slowly(ox_world *world, ox_site site) {
    if ((world->change_needs & OXI_CHANGE_TELLS) != 0 && !world->is_closed) {
        oxi_attachments_tell(world, OXI_BEFORE_CHANGE, site);
    }
}

// Jobs that are done already are no wait.
static void complete_own(sync_wait *wait, ox_job job) {
    if (job.value == 0 || oxi_job_is_settled(job)) {
        return;
    }
    if (wait->is_noted && !ox_job_is_complete(job)) {
        note_job(wait, job);
    }
    ox_complete_at(&job, 1, wait->sync.site);
}

void oxi_sync_own(oxi_scope *scope, ox_site site) {
    sync_wait wait = begin_wait(scope->base.world, OX_SYNC_OWN, 0, site);
    if (!wait.sync.is_planned) { // else a barrier waits, for those that record
        wait.sync.system = scope->base.name;
    }
    wait.sync.is_planned = true;
    complete_own(&wait, scope->returned);
    for (size_t k = 0; k < scope->jobs.count; k++) {
        complete_own(&wait, scope->jobs.items[k].job);
    }
    end_wait(&wait);
}

bool ox_world_complete_at(ox_world *world, ox_site site) {
    return oxi_world_enter(world, "ox_world_complete", site) && oxi_sync_jobs(world, site);
}

void ox_world_record_syncs(ox_world *world, bool on) {
    if (oxi_world_is_there(world, "ox_world_record_syncs")) {
        world->records_syncs = on;
    }
}

uint64_t ox_world_get_syncs(const ox_world *world, ox_sync *syncs, int capacity) {
    if (!oxi_world_is_there(world, "ox_world_get_syncs")) {
        return 0;
    }
    uint64_t count = world->sync_count < OX_SYNCS_KEPT ? world->sync_count : OX_SYNCS_KEPT;
    uint64_t room = capacity > 0 && syncs != NULL ? (uint64_t)capacity : 0;
    count = count < room ? count : room;
    for (uint64_t k = 0; k < count; k++) {
        syncs[k] = world->syncs[(world->sync_count - count + k) % OX_SYNCS_KEPT];
    }
    return world->sync_count;
}
