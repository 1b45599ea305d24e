// SPDX-License-Identifier: MIT
//
// Systems of a world: adding, creating, removing, destroying, and looking at them.

#include "systems/systems.h"

#include "oxbow/detail/element.h"
#include "oxbow/memory.h"
#include "systems/system_registry.h"

#include <stdio.h>
#include <string.h>

// What is made on demand may lie too deep, which is a report of its own.
enum { STATE_ALIGN = 64, DEEPEST = 2 * OX_MAX_GROUP_DEPTH, DESCRIPTION = 256 };

oxi_system *oxi_system_require(const ox_system *scope, const char *function, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(scope, function, site) ||
        !oxi_require_not_ended(scope, function, site) ||
        !oxi_world_enter(scope->world, function, site)) {
        return NULL;
    }
    oxi_system *system = oxi_system_of(scope);
    if (system == NULL) {
        OXI_REPORT(&scope->world->sink, OX_REPORT_NOT_A_SYSTEM, site,
                   OXI_NAME("function", function), OXI_NAME("world", scope->world->name));
    }
    return system;
}

// Adding.

static bool report_bad_system(const oxi_systems *all, const ox_system_def *def, const char *why,
                              const char *advice, ox_site site) {
    return OXI_REPORT(&all->world->sink, OX_REPORT_BAD_SYSTEM, site,
                      OXI_NAME("system", def->name != NULL ? def->name : ""),
                      OXI_SITE("system_site", def->site), OXI_NAME("why", why),
                      OXI_NAME("advice", advice));
}

static const char *describe_system(const ox_system_def *def, char *text, size_t size) {
    snprintf(text, size, "system '%s' (%s)", def->name,
             def->site != NULL ? def->site : "a place not known");
    return text;
}

// Enums and lists of a def: what is not found here would be found in an update.
static bool require_good_fields(const oxi_systems *all, const ox_system_def *def, ox_site site) {
    char what[DESCRIPTION];
    if (!OXI_REQUIRE_ENUM(def->place, OX_PHASE_END, ox_system_phase, &all->world->sink,
                          describe_system(def, what, sizeof what), site)) {
        return false;
    }
    for (int k = 0; k < OX_MAX_INJECTED && def->inject[k].kind != OX_INJECTION_NONE; k++) {
        if (!OXI_REQUIRE_ENUM(def->inject[k].kind, OX_INJECTION_SYSTEM, ox_injection_kind,
                              &all->world->sink, describe_system(def, what, sizeof what), site)) {
            return false;
        }
    }
    for (int k = 0; k < OX_MAX_SYSTEM_JOBS && def->jobs[k] != NULL; k++) {
        if (def->jobs[k]->terms == NULL) {
            return report_bad_system(all, def, "one of its jobs has no terms",
                                     "name jobs over entities in .jobs", site);
        }
    }
    return true;
}

static bool require_good_def(const oxi_systems *all, const ox_system_def *def, ox_site site) {
    if (def->name == NULL || def->name[0] == 0) {
        return report_bad_system(all, def, "it has no name", "give it one", site);
    }
    if (!require_good_fields(all, def, site)) {
        return false;
    }
    if (def->is_group && (def->update != NULL || def->update_jobs != NULL)) {
        return report_bad_system(all, def, "it is a group and has an update",
                                 "make a system of it, or take the update away", site);
    }
    if (def->is_barrier && (def->is_group || def->update != NULL || def->update_jobs != NULL)) {
        return report_bad_system(all, def, "it is a barrier and a group, or has an update",
                                 "make two systems of it", site);
    }
    if (def->update != NULL && def->update_jobs != NULL) {
        return report_bad_system(all, def, "it has an update on main and one for jobs",
                                 "keep one of them", site);
    }
    if (!(def->step >= 0 && def->step <= OXI_LONGEST_TIME) || def->most_steps < 0 ||
        ((def->step > 0 || def->most_steps > 0) && !def->is_group)) {
        return report_bad_system(all, def, "its step cannot be used",
                                 "set .step of a group, in seconds, from 0 on", site);
    }
    oxi_system *other = oxi_systems_find(all, def->name);
    if (other != NULL && other->is_own_end) {
        return oxi_group_rename_end(other, site);
    }
    return OXI_REQUIRE(other == NULL, &all->world->sink, OX_REPORT_TWO_SYSTEMS, site,
                       OXI_NAME("system", def->name), OXI_SITE("first_site", other->def.site),
                       OXI_SITE("system_site", def->site), OXI_NAME("world", all->world->name));
}

// The group that a def says it is in, made when it is not there. @return NULL after a report.
static oxi_system *find_group(oxi_systems *all, const ox_system_def *def, int depth, ox_site site) {
    const char *name = def->in != NULL ? def->in : "Simulation";
    oxi_system *group = oxi_systems_find(all, name);
    const ox_system_def *known = group == NULL ? oxi_registry_find(name) : NULL;
    if (depth > DEEPEST) {
        report_bad_system(all, def, "what it is in, or what is injected, needs too much else",
                          "correct .in or .inject of one: they may go round in a circle", site);
        return NULL;
    }
    if (group == NULL && known == NULL) {
        oxi_report_unknown_system(all, def, ".in", name, site);
        return NULL;
    }
    group = group != NULL ? group : oxi_systems_add(all, known, depth + 1, site);
    if (group != NULL && !group->def.is_group) {
        report_bad_system(all, def, "what it says it is in is no group",
                          "name a group after .in, or declare it with OX_GROUP", site);
        return NULL;
    }
    return group;
}

// True for a system, and for a group that does not lie too deep; else reports.
static bool require_depth(const oxi_systems *all, const ox_system_def *def, const oxi_system *group,
                          ox_site site) {
    int depth = 0; // of the group of all
    for (; group != NULL; group = group->group) {
        depth++;
    }
    return OXI_REQUIRE(!def->is_group || depth <= OX_MAX_GROUP_DEPTH, &all->world->sink,
                       OX_REPORT_GROUP_TOO_DEEP, site, OXI_NAME("system", def->name),
                       OXI_SITE("system_site", def->site), OXI_INTEGER("depth", depth),
                       OXI_NAME("world", all->world->name),
                       OXI_INTEGER("most", OX_MAX_GROUP_DEPTH));
}

// @return NULL after a report.
static oxi_system *alloc_system(oxi_systems *all, const ox_system_def *def, ox_site site) {
    ox_allocator allocator = all->world->def.allocator;
    oxi_system *system = ox_memory_alloc_at(allocator, sizeof *system, _Alignof(oxi_system), site);
    if (system == NULL) {
        return NULL;
    }
    oxi_ended_forget(system);
    memset(system, 0, sizeof *system);
    system->def = *def;
    system->all = all;
    system->is_enabled = !def->starts_off;
    system->scope.base = (ox_system){all->world, def->name};
    system->scope.plans_all = def->is_barrier;
    system->scope.owner = system;
    bool has_state = true;
    if (def->state > 0) {
        system->state = ox_memory_alloc_at(allocator, def->state, STATE_ALIGN, site);
        has_state = system->state != NULL;
    }
    if (has_state && oxi_systems_reserve_name(all) &&
        oxi_list_push_in(all->world->store.heap, &all->items, system)) {
        if (def->state > 0) {
            memset(system->state, 0, def->state);
        }
        oxi_system_set_name(system, def->name);
        all->is_dirty = true;
        return system;
    }
    if (has_state) {
        oxi_world_report(all->world, OXI_NO_MEMORY, site);
    }
    ox_memory_free_at(allocator, system->state, def->state, STATE_ALIGN, site);
    ox_memory_free_at(allocator, system, sizeof *system, _Alignof(oxi_system), site);
    return NULL;
}

// Jobs that a create left behind are completed, with a report.
static void require_no_jobs(oxi_system *system, ox_site site) {
    for (size_t k = 0; k < system->scope.jobs.count; k++) {
        const oxi_scope_job *job = &system->scope.jobs.items[k];
        if (!oxi_job_is_settled(job->job)) {
            OXI_REPORT(&system->all->world->sink, OX_REPORT_CREATE_SCHEDULES, site,
                       OXI_NAME("system", system->def.name),
                       OXI_SITE("system_site", system->def.site), OXI_NAME("job", job->name),
                       OXI_SITE("job_site", job->site));
        }
    }
    oxi_scope_complete(&system->scope, site);
}

static bool call_create(oxi_system *system, ox_site site) {
    ox_world *world = system->all->world;
    oxi_scope *before = world->updating;
    bool was_updating = world->is_updating;
    world->updating = &system->scope;
    world->is_updating = true; // what it removes waits until it is made
    bool is_created = system->def.create == NULL || system->def.create(&system->scope.base);
    world->is_updating = was_updating;
    world->updating = before;
    require_no_jobs(system, site);
    return OXI_REQUIRE(is_created, &world->sink, OX_REPORT_CREATE_FAILED, site,
                       OXI_NAME("system", system->def.name),
                       OXI_SITE("system_site", system->def.site), OXI_NAME("world", world->name));
}

oxi_system *oxi_systems_add(oxi_systems *all, const ox_system_def *def, int depth, ox_site site) {
    if (!OXI_REQUIRE(!all->is_ending, &all->world->sink, OX_REPORT_WORLD_UPDATING, site,
                     OXI_NAME("function", "ox_system_add"), OXI_NAME("world", all->world->name),
                     OXI_NAME("system", "no system: it ends")) ||
        !require_good_def(all, def, site)) {
        return NULL;
    }
    oxi_system *group = NULL;
    if (all->items.count > 0) { // the first is the group of all
        group = find_group(all, def, depth, site);
        oxi_system *there = oxi_systems_find(all, def->name);
        if (group == NULL || there != NULL) {
            return there; // reported; or making the group brought this system along
        }
    }
    oxi_system *system = require_depth(all, def, group, site) ? alloc_system(all, def, site) : NULL;
    if (system == NULL) {
        return NULL;
    }
    system->group = group;
    oxi_group_note_end(system);
    if (!oxi_system_declare_def(system, site) || !oxi_system_inject(system, true, depth, site) ||
        !oxi_system_join_barriers(system, depth, site) || !call_create(system, site)) {
        oxi_system_discard(system, site);
        return NULL;
    }
    if (!oxi_group_make_end(system, depth, site)) {
        oxi_system_destroy(system, site);
        return NULL;
    }
    return system;
}

ox_system *ox_system_add_at(ox_world *world, const ox_system_def *def, ox_site site) {
    if (!oxi_world_require(world, "ox_system_add", site) ||
        !OXI_REQUIRE_ARGUMENT(def, "ox_system_add", site)) {
        return NULL;
    }
    oxi_systems *all = oxi_systems_make(world, site);
    oxi_system *system = all != NULL ? oxi_systems_add(all, def, 0, site) : NULL;
    if (all != NULL && !world->is_updating) {
        oxi_systems_destroy_removed(all, NULL, site);
    }
    // Its own create may have removed it.
    bool is_kept = system != NULL && oxi_systems_find(all, def->name) == system;
    return is_kept ? &system->scope.base : NULL;
}

// Removing.

void oxi_system_stop(oxi_system *system) {
    if (system->is_running) {
        system->is_running = false;
        if (system->def.stop != NULL) {
            system->def.stop(&system->scope.base);
        }
    }
}

void oxi_system_discard(oxi_system *system, ox_site site) {
    oxi_systems *all = system->all;
    ox_allocator allocator = all->world->def.allocator;
    size_t at = all->items.count - 1; // mostly it is one of the last
    while (all->items.items[at] != system) {
        at--;
    }
    oxi_list_remove(&all->items, at);
    oxi_system_leave_name(system);
    oxi_group_forget_end(system);
    for (size_t k = all->removed.count; k > 0; k--) {
        if (all->removed.items[k - 1] == system) {
            oxi_list_remove(&all->removed, k - 1);
        }
    }
    all->is_dirty = true;
    oxi_system_leave_commands(system, site);
    oxi_system_free_queries(system, site);
    oxi_list_free_in(all->world->store.heap, &system->required);
    oxi_scope_free(&system->scope);
    ox_memory_free_at(allocator, system->state, system->def.state, STATE_ALIGN, site);
    oxi_ended_note(system, "system", system->def.name, system->def.site, site);
    ox_memory_free_at(allocator, system, sizeof *system, _Alignof(oxi_system), site);
}

static void call_destroy(oxi_system *system, ox_site site) {
    oxi_scope_complete(&system->scope, site);
    oxi_system_stop(system);
    if (system->def.destroy != NULL) {
        oxi_system_inject(system, false, 0, site);
        system->def.destroy(&system->scope.base);
        oxi_scope_complete(&system->scope, site);
    }
}

// From the last created to the first, so what is in a group goes before it.
void oxi_system_destroy(oxi_system *system, ox_site site) {
    oxi_systems *all = system->all;
    size_t k = system->def.is_group ? all->items.count : 0;
    for (; k > 0 && all->items.items[k - 1] != system; k--) {
        if (all->items.items[k - 1]->group == system) {
            oxi_system_destroy(all->items.items[k - 1], site);
            k = k <= all->items.count ? k : all->items.count + 1;
        }
    }
    call_destroy(system, site);
    oxi_system_discard(system, site);
}

void oxi_systems_destroy_removed(oxi_systems *all, oxi_system *system, ox_site site) {
    all->world->is_updating = true;
    if (system != NULL || all->removed.count > 0) {
        all->plan.count = 0; // they stand there
    }
    if (system != NULL) {
        oxi_system_destroy(system, site);
    }
    while (all->removed.count > 0) {
        oxi_system_destroy(all->removed.items[0], site);
    }
    all->world->is_updating = false;
}

// During an update: what goes does not run any more, and waits for the end.
static bool remove_later(oxi_system *system, ox_site site) {
    oxi_systems *all = system->all;
    if (!oxi_list_push_in(all->world->store.heap, &all->removed, system)) {
        return oxi_world_report(all->world, OXI_NO_MEMORY, site);
    }
    for (size_t k = 0; k < all->items.count; k++) {
        all->items.items[k]->is_removed |= oxi_system_is_in(all->items.items[k], system);
    }
    return true;
}

bool ox_system_remove_at(ox_system *scope, ox_site site) {
    oxi_system *system = oxi_system_require(scope, "ox_system_remove", site);
    if (system == NULL || !oxi_world_require(scope->world, "ox_system_remove", site)) {
        return false;
    }
    if (system->group == NULL) {
        return report_bad_system(system->all, &system->def, "it is the group of all",
                                 "remove the systems in it, or destroy the world", site);
    }
    if (system->is_removed) {
        return true;
    }
    system->group->declines_end |= system->is_own_end;
    if (system->all->world->is_updating) {
        return remove_later(system, site);
    }
    system->is_removed = true;
    oxi_systems_destroy_removed(system->all, system, site);
    return true;
}

// Looking.

ox_system *ox_system_find(const ox_world *world, const char *name) {
    if (name == NULL || !oxi_world_is_there(world, "ox_system_find")) {
        return NULL;
    }
    const oxi_systems *all = oxi_systems_get(world);
    oxi_system *system = all != NULL ? oxi_systems_find(all, name) : NULL;
    return system != NULL ? &system->scope.base : NULL;
}

ox_system_info ox_system_get_info(const ox_system *scope) {
    if (!oxi_require_not_ended(scope, "ox_system_get_info", NULL)) {
        return (ox_system_info){0};
    }
    const oxi_system *system = oxi_system_of(scope);
    if (system == NULL) {
        return (ox_system_info){0};
    }
    ox_system_info info = {
        .name = system->def.name,
        .site = system->def.site,
        .group = system->group != NULL ? &system->group->scope.base : NULL,
        .is_group = system->def.is_group,
        .is_enabled = system->is_enabled,
        .is_running = system->is_running,
        .version = system->scope.last_version,
        .run_count = system->run_count,
    };
    for (size_t k = 0; k < system->scope.uses.count; k++) {
        bool writes = system->scope.uses.items[k].writes;
        info.writes_count += writes;
        info.reads_count += !writes;
    }
    return info;
}

void ox_system_set_enabled_at(ox_system *scope, bool is_enabled, ox_site site) {
    oxi_system *system = oxi_system_require(scope, "ox_system_set_enabled", site);
    if (system != NULL) {
        system->is_enabled = is_enabled;
        oxi_systems_look_again(system->all);
    }
}

void *ox_system_state_at(ox_system *scope, size_t size, ox_site site) {
    if (!oxi_require_not_ended(scope, "ox_system_state", site)) {
        return oxi_element_scratch();
    }
    oxi_system *system = oxi_system_of(scope);
    if (system != NULL && system->def.state == size && size > 0) {
        return system->state;
    }
    system = oxi_system_require(scope, "ox_system_state", site);
    if (system != NULL) {
        OXI_REPORT(&system->all->world->sink, OX_REPORT_BAD_STATE, site,
                   OXI_NAME("system", system->def.name), OXI_SITE("system_site", system->def.site),
                   OXI_NUMBER("size", system->def.state), OXI_NUMBER("asked", size));
    }
    return oxi_element_scratch();
}
