// SPDX-License-Identifier: MIT
//
// What a system waits for before its update, and what later ones wait for because of it.
//
// A system on main completes what conflicts with its declared accesses. One that schedules jobs is
// given a handle instead, and what it returns stands for all that it declared. Jobs over entities
// stand in the exact table by themselves; a job without accesses of its own is only known by the
// handle that covers it.

#include "systems/systems.h"

#include "base/text.h"
#include "safety/access.h"

bool oxi_system_prepare_main(oxi_system *system) {
    oxi_scope *scope = &system->scope;
    ox_world *world = scope->base.world;
    if (scope->jobs.count > 0) {
        oxi_scope_complete(scope, system->def.site);
    }
    oxi_scope_catch_up(scope);
    bool is_free = true;
    for (size_t k = 0; world->busy.count > 0 && k < scope->uses.count; k++) {
        const oxi_type_use *use = &scope->uses.items[k];
        is_free = oxi_sync_planned(world, use->component, use->writes, system->def.site) && is_free;
    }
    return is_free;
}

// True when no job that nobody answers for stands in the way; else reports.
static bool require_known_jobs(const oxi_system *system, ox_job after) {
    ox_world *world = system->all->world;
    for (size_t k = 0; world->busy.count > 0 && k < system->scope.uses.count; k++) {
        const oxi_type_use *use = &system->scope.uses.items[k];
        const oxi_type_fence *fence = oxi_fence_find(world, use->component);
        if (fence != NULL && fence->is_busy &&
            !oxi_sync_require_known(world, fence, use->writes, after, system->def.site)) {
            return false;
        }
    }
    return true;
}

// Calls that found no memory, or no room for a job, so far. The release library, which does not
// know what a handle covers, need not ask.
static uint64_t count_failures(void) {
    return ox_get_safety_level() == 0 ? 0
                                      : ox_report_count(OX_REPORT_OUT_OF_MEMORY) +
                                            ox_report_count(OX_REPORT_TOO_MANY_JOBS);
}

bool oxi_system_prepare_jobs(oxi_system *system, ox_job *after) {
    oxi_scope *scope = &system->scope;
    if (scope->jobs.count > 0 || scope->returned.value != 0) {
        oxi_scope_complete(scope, system->def.site);
    }
    oxi_scope_catch_up(scope);
    scope->failures_before = count_failures();
    *after = OX_NO_JOB;
    if (scope->base.world->busy.count == 0) {
        return true;
    }
    return oxi_fences_input(scope->base.world, scope->uses.items, (uint32_t)scope->uses.count,
                            OXI_FENCE_TABLES, after, system->def.site) &&
           require_known_jobs(system, *after);
}

static void report_handle(const oxi_system *system, const char *why) {
    OXI_REPORT(&system->all->world->sink, OX_REPORT_WRONG_HANDLE, system->def.site,
               OXI_NAME("system", system->def.name), OXI_SITE("system_site", system->def.site),
               OXI_NAME("why", why));
}

// Jobs with OX_AUTO need not be covered: they stand in the exact table. A handle that there was no
// memory for covers nothing, and is nobody's mistake.
static void require_covered(const oxi_system *system, ox_job returned) {
    if (system->scope.failures_before != count_failures()) {
        return;
    }
    for (size_t k = 0; k < system->scope.jobs.count; k++) {
        const oxi_scope_job *job = &system->scope.jobs.items[k];
        if (!job->is_auto && !oxi_job_is_covered(job->job, returned)) {
            char why[256];
            oxi_text_print(why, sizeof why, "it does not cover job '%s' (%s)", job->name,
                           job->site != NULL ? job->site : "place not known");
            report_handle(system, why);
        }
    }
}

// A system that declares nothing stands for the entities themselves.
static void register_for_entities(oxi_system *system, ox_job returned) {
    ox_world *world = system->all->world;
    oxi_type_use entities = {0, false, false, false};
    if (oxi_fences_reserve(world, &entities, 1, NULL, system->def.site)) {
        oxi_fences_note_handle(world, &entities, 1, OXI_DECLARED, returned, true);
    } else {
        ox_complete_at(&returned, 1, system->def.site);
    }
}

void oxi_system_register_handle(oxi_system *system, ox_job returned, ox_job after) {
    oxi_scope *scope = &system->scope;
    ox_world *world = system->all->world;
    if (!oxi_job_is_known(returned)) {
        report_handle(system, "it is no job of this run");
        returned = OX_NO_JOB;
    } else if (scope->jobs.count > 0) {
        require_covered(system, returned);
    }
    scope->returned = returned;
    if (returned.value == 0 || (oxi_job_is_settled(returned) && !oxi_fences_show_ended(world))) {
        return;
    }
    // What jobs with OX_AUTO alone wait for is their own business.
    bool covers = scope->auto_count == 0 || scope->auto_count < scope->jobs.count;
    covers = returned.value == after.value || (covers && oxi_job_is_covered(after, returned));
    if (scope->uses.count == 0) {
        register_for_entities(system, returned);
        return;
    }
    oxi_fences_note_handle(world, scope->uses.items, (uint32_t)scope->uses.count, OXI_DECLARED,
                           returned, covers);
    if (scope->plain_count > 0) {
        oxi_fences_note_handle(world, scope->uses.items, (uint32_t)scope->uses.count, OXI_EXACT,
                               returned, false);
    }
}
