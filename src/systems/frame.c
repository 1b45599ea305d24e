// SPDX-License-Identifier: MIT
//
// The frame: every system once, in the order of the plan.
//
// Each update has a version of its own, so a system sees what changed since it ran last and never
// what it wrote itself. What a system scheduled is shown to workers right after it; one of them is
// woken when that is worth it, at the latest at the end.

#include "systems/systems.h"

#include "jobs/complete.h"
#include "oxbow/memory.h"
#include "safety/guard.h"
#include "systems/explain_record.h"

#include <math.h>
#include <stdio.h>

enum { DEFAULT_STEPS = 8 };

static void advance_version(ox_world *world) {
    world->store.version += world->store.version == UINT32_MAX ? 2 : 1; // 0 is "never looked"
}

// A world of another thread schedules nothing, and what main scheduled is not for it to show.
static bool is_on_main_thread(void) {
    return oxi_this_runner != NULL && oxi_this_runner->index == 0;
}

static void publish_jobs(void) {
    if (is_on_main_thread()) {
        oxi_jobs_publish();
    }
}

// One system.

static bool is_due(oxi_system *system) {
    return system->is_enabled && !system->is_removed &&
           (system->required.count == 0 || oxi_system_is_required(system));
}

// @return false when its start removed it.
static bool start_system(oxi_system *system) {
    if (!system->is_running) {
        system->is_running = true;
        if (system->def.start != NULL) {
            system->def.start(&system->scope.base);
        }
    }
    return !system->is_removed;
}

static bool refresh_injected(oxi_system *system) {
    return system->def.inject[0].kind == OX_INJECTION_NONE ||
           oxi_system_inject(system, false, 0, system->def.site);
}

// @return false when it could not run: after a report, or its start removed it.
static bool update_on_main(oxi_system *system) {
    if (!oxi_system_play_post(system) || !oxi_system_prepare_main(system) ||
        !refresh_injected(system) || !start_system(system)) {
        return false;
    }
    system->def.update(&system->scope.base);
    oxi_system_play_post(system);
    return true;
}

static bool update_barrier(oxi_system *system) {
    if (!start_system(system)) {
        return false;
    }
    oxi_barrier_play(system);
    return true;
}

static bool update_with_jobs(oxi_system *system) {
    ox_job after;
    if (!oxi_system_prepare_jobs(system, &after) || !refresh_injected(system) ||
        !start_system(system)) {
        return false;
    }
    if (system->all->recorder != NULL) {
        oxi_recorder_input(system, after);
    }
    ox_job returned = system->def.update_jobs(&system->scope.base, after);
    if (system->all->recorder != NULL) {
        oxi_recorder_returned(system, returned);
    }
    oxi_system_register_handle(system, returned, after);
    return true;
}

static void run_update(oxi_system *system) {
    ox_world *world = system->all->world;
    oxi_scope *scope = &system->scope;
    advance_version(world);
    world->updating = scope;
    scope->is_updating = true;
    const void *party = oxi_safety_set_party(scope);
    bool has_run = system->def.update_jobs != NULL ? update_with_jobs(system)
                   : system->def.is_barrier        ? update_barrier(system)
                                                   : update_on_main(system);
    if (has_run) {
        scope->last_version = world->store.version;
        system->run_count++;
    }
    oxi_safety_set_party(party);
    scope->is_updating = false;
    world->updating = NULL;
}

static void update_system(oxi_plan_step *step) {
    oxi_system *system = step->system;
    if (!is_due(system)) {
        oxi_system_stop(system);
        step->idle_at = oxi_systems_moment(system->all);
        return;
    }
    bool is_point = system->def.update == NULL && system->def.update_jobs == NULL;
    if (is_point && !(system->def.is_barrier && oxi_barrier_is_due(system))) {
        start_system(system); // a place in the order, and no more
        return;
    }
    if (system->all->recorder == NULL) {
        run_update(system);
    } else {
        oxi_recorder_begin_system(system);
        run_update(system);
        oxi_recorder_end_system(system);
    }
    publish_jobs();
}

// Groups.

static void run_steps(oxi_systems *all, uint32_t begin, uint32_t end);

// All of a group that is off, or gone, stops in order.
static void stop_group(oxi_systems *all, uint32_t begin, uint32_t end) {
    for (uint32_t k = begin; k < end; k++) {
        oxi_system_stop(all->plan.items[k].system);
    }
}

// How often a group with steps runs in this frame.
static int count_steps(oxi_system *group, float delta) {
    int most = group->def.most_steps > 0 ? group->def.most_steps : DEFAULT_STEPS;
    double step = (double)group->def.step;
    group->behind += (double)delta;
    double fitting = floor(group->behind / step);
    group->behind -= fitting * step;
    return fitting < most ? (int)fitting : most;
}

static void run_group(oxi_systems *all, uint32_t at) {
    oxi_plan_step *plan = &all->plan.items[at];
    oxi_system *group = plan->system;
    if (!is_due(group)) {
        stop_group(all, at, plan->end);
        return;
    }
    start_system(group);
    ox_time outer = group->group != NULL ? group->group->time : all->time;
    group->scope.last_version = all->world->store.version;
    group->run_count++;
    if (!(group->def.step > 0)) {
        group->time = outer;
        run_steps(all, at + 1, plan->end);
        return;
    }
    for (int k = count_steps(group, outer.delta) - 1; k >= 0; k--) {
        // From the end of the frame back: steps that were left out, or not run, do not add up.
        double elapsed = outer.elapsed - group->behind - k * (double)group->def.step;
        group->time = (ox_time){group->def.step, elapsed, outer.frame};
        run_steps(all, at + 1, plan->end);
    }
}

// A system that was not due is not looked at again before something came or went.
static void run_steps(oxi_systems *all, uint32_t begin, uint32_t end) {
    for (uint32_t k = begin; k < end; k = all->plan.items[k].end) {
        oxi_plan_step *step = &all->plan.items[k];
        if (step->idle_at == oxi_systems_moment(all)) {
            continue;
        }
        if (step->system->def.is_group) {
            run_group(all, k);
        } else {
            update_system(step);
        }
    }
}

// Frames.

static bool enter_update(ox_world *world, const char *function, ox_site site) {
    if (!oxi_world_require(world, function, site)) {
        return false;
    }
    const char *system = world->updating != NULL ? world->updating->base.name : "no system";
    return OXI_REQUIRE(!world->is_updating && world->attachments.told == NULL, &world->sink,
                       OX_REPORT_WORLD_UPDATING, site, OXI_NAME("function", function),
                       OXI_NAME("world", world->name), OXI_NAME("system", system));
}

bool oxi_time_require(const oxi_report_sink *sink, float value, const char *what, ox_site site) {
    char text[32];
    if (value >= 0 && value <= OXI_LONGEST_TIME) {
        return true;
    }
    snprintf(text, sizeof text, "%g", (double)value);
    return OXI_REPORT(sink, OX_REPORT_BAD_TIME, site, OXI_NAME("value", text),
                      OXI_NAME("what", what));
}

static void warn_of_no_systems(oxi_systems *all, ox_site site) {
    if (!all->has_warned && oxi_systems_count(all) == 0) {
        OXI_REPORT(&all->world->sink, OX_REPORT_NO_SYSTEMS, site,
                   OXI_NAME("world", all->world->name));
    }
    all->has_warned = true;
}

// After a frame, or a system that was updated by itself.
static void leave_update(oxi_systems *all, ox_site site) {
    ox_world *world = all->world;
    advance_version(world); // what main writes now is newer than the last update
    if (is_on_main_thread()) {
        oxi_jobs_publish();
        oxi_jobs_wake();
    }
    oxi_systems_destroy_removed(all, NULL, site);
}

bool ox_world_update_at(ox_world *world, float delta, ox_site site) {
    if (!enter_update(world, "ox_world_update", site) ||
        !oxi_time_require(&world->sink, delta, "the delta of an update", site)) {
        return false;
    }
    oxi_systems *all = oxi_systems_make(world, site);
    if (all == NULL || !oxi_systems_plan(all, site)) {
        return false;
    }
    warn_of_no_systems(all, site);
    all->time = (ox_time){delta, all->time.elapsed + (double)delta, all->time.frame + 1};
    world->is_updating = true;
    if (all->recorder != NULL) {
        oxi_recorder_begin_frame(all);
    }
    run_group(all, 0);
    leave_update(all, site);
    if (all->recorder != NULL) {
        oxi_recorder_end_frame(all);
    }
    oxi_attachments_tell(world, OXI_AFTER_FRAME, site);
    if (ox_world_get_active() == world && !world->def.host_ends_frames) {
        ox_frame_end_at(site);
    }
    return true;
}

bool ox_system_update_at(ox_system *scope, ox_site site) {
    oxi_system *system = oxi_system_require(scope, "ox_system_update", site);
    if (system == NULL || !enter_update(scope->world, "ox_system_update", site) ||
        !oxi_systems_plan(system->all, site)) {
        return false;
    }
    oxi_systems *all = system->all;
    OXI_ASSERT(all->plan.items[system->step].system == system);
    scope->world->is_updating = true;
    run_steps(all, system->step, all->plan.items[system->step].end);
    leave_update(all, site);
    return true;
}

ox_time ox_world_get_time(const ox_world *world) {
    if (!oxi_world_is_there(world, "ox_world_get_time")) {
        return (ox_time){0};
    }
    const oxi_systems *all = oxi_systems_get(world);
    return all != NULL ? all->time : (ox_time){0};
}

ox_time ox_system_get_time(const ox_system *scope) {
    if (!oxi_require_not_ended(scope, "ox_system_get_time", NULL)) {
        return (ox_time){0};
    }
    const oxi_system *system = oxi_system_of(scope);
    if (system == NULL) {
        return scope != NULL ? ox_world_get_time(scope->world) : (ox_time){0};
    }
    return system->group != NULL ? system->group->time : system->all->time;
}

bool ox_group_set_step_at(ox_system *scope, float step, int most_steps, ox_site site) {
    oxi_system *group = oxi_system_require(scope, "ox_group_set_step", site);
    if (group == NULL ||
        !oxi_time_require(&scope->world->sink, step, "the step of a group", site) ||
        !oxi_count_require(scope->world, most_steps, INT32_MAX, "ox_group_set_step", site)) {
        return false;
    }
    if (!group->def.is_group) {
        return OXI_REPORT(&scope->world->sink, OX_REPORT_BAD_SYSTEM, site,
                          OXI_NAME("system", group->def.name),
                          OXI_SITE("system_site", group->def.site),
                          OXI_NAME("why", "it is no group, and has no steps"),
                          OXI_NAME("advice", "set the step of the group that it is in"));
    }
    group->def.step = step;
    group->def.most_steps = most_steps;
    return oxi_group_make_end(group, 0, site);
}
