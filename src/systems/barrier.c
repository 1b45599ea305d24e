// SPDX-License-Identifier: MIT
//
// Commands of systems: those of an update on main, and barriers.
//
// Invariants: a producer of a barrier stands in its list once, and lives. A buffer is pending until
// it was played back as a whole; what stops half-way goes on in the next update, before all others.

#include "commands/command.h"
#include "systems/systems.h"

#include "systems/system_registry.h"

static bool report_no_barrier(const oxi_system *system, const char *function, ox_site site) {
    return OXI_REPORT(&system->all->world->sink, OX_REPORT_NO_BARRIER, site,
                      OXI_NAME("system", system->def.name),
                      OXI_SITE("system_site", system->def.site), OXI_NAME("function", function));
}

// Producers.

static bool is_producer(const oxi_system *barrier, const oxi_system *producer) {
    for (size_t k = 0; k < barrier->producers.count; k++) {
        if (barrier->producers.items[k] == producer) {
            return true;
        }
    }
    return false;
}

bool oxi_barrier_join(oxi_system *barrier, oxi_system *producer, ox_site site) {
    ox_world *world = barrier->all->world;
    producer->is_producer = true;
    return is_producer(barrier, producer) ||
           oxi_list_push_in(world->store.heap, &barrier->producers, producer) ||
           oxi_world_report(world, OXI_NO_MEMORY, site);
}

// The barrier of a name, made when it is not there. NULL after a report.
static oxi_system *find_barrier(oxi_system *system, const char *name, int depth, ox_site site) {
    oxi_systems *all = system->all;
    oxi_system *found = oxi_systems_find(all, name);
    if (found == NULL) {
        const ox_system_def *def = oxi_registry_find(name);
        found = def != NULL ? oxi_systems_add(all, def, depth + 1, site)
                            : oxi_systems_bring_end(all, name, depth, site);
        if (def == NULL && found == NULL) {
            oxi_report_unknown_system(all, &system->def, ".barriers", name, site);
        }
    }
    if (found != NULL && !found->def.is_barrier) {
        report_no_barrier(found, ".barriers", site);
        return NULL;
    }
    return found;
}

bool oxi_system_join_barriers(oxi_system *system, int depth, ox_site site) {
    for (int k = 0; k < OX_MAX_BARRIERS && system->def.barriers[k] != NULL; k++) {
        oxi_system *barrier = find_barrier(system, system->def.barriers[k], depth, site);
        if (barrier == NULL || !oxi_barrier_join(barrier, system, site)) {
            return false;
        }
    }
    return true;
}

static void forget_producer(oxi_system *barrier, const oxi_system *producer) {
    for (size_t k = barrier->producers.count; k-- > 0;) {
        if (barrier->producers.items[k] == producer) {
            oxi_list_remove(&barrier->producers, k);
        }
    }
}

// Jobs of producers that are still there may record: they are completed first.
static void complete_producers(oxi_system *barrier, ox_site site) {
    for (size_t k = 0; k < barrier->producers.count; k++) {
        oxi_scope *scope = &barrier->producers.items[k]->scope;
        if (scope->jobs.count > 0 || scope->returned.value != 0) {
            oxi_scope_complete(scope, site);
        }
    }
}

void oxi_system_leave_commands(oxi_system *system, ox_site site) {
    oxi_systems *all = system->all;
    const oxi_hooks *heap = all->world->store.heap;
    complete_producers(system, site);
    for (size_t k = 0; k < system->pending.count; k++) {
        oxi_commands_give(system->pending.items[k], site);
    }
    if (system->post.oxi_state != NULL) {
        oxi_commands_give(system->post, site);
    }
    oxi_list_free_in(heap, &system->pending);
    oxi_list_free_in(heap, &system->producers);
    for (size_t k = 0; system->is_producer && k < all->items.count; k++) {
        forget_producer(all->items.items[k], system);
    }
}

// Asking.

static ox_commands ask_barrier(oxi_system *barrier, oxi_system *asks, ox_site site) {
    ox_world *world = barrier->all->world;
    // A barrier in its update may have a report handler that asks: it is no producer of its own.
    if (asks != NULL && asks != barrier && !oxi_barrier_join(barrier, asks, site)) {
        return (ox_commands){0};
    }
    if (!oxi_list_reserve_in(world->store.heap, &barrier->pending, barrier->pending.count + 1)) {
        oxi_world_report(world, OXI_NO_MEMORY, site);
        return (ox_commands){0};
    }
    ox_commands_def def = {.name = barrier->def.name};
    const char *system = asks != NULL ? asks->def.name : "no system";
    ox_commands commands = oxi_commands_take(world, &def, system, site);
    if (commands.oxi_state != NULL) {
        barrier->pending.items[barrier->pending.count++] = commands;
    }
    return commands;
}

ox_commands ox_barrier_commands_at(ox_system *scope, ox_site site) {
    static const char function[] = "ox_barrier_commands";
    oxi_system *barrier = oxi_system_require(scope, function, site);
    if (barrier == NULL ||
        (!barrier->def.is_barrier && !report_no_barrier(barrier, function, site))) {
        return (ox_commands){0};
    }
    const oxi_scope *updating = barrier->all->world->updating;
    return ask_barrier(barrier, updating != NULL ? updating->owner : NULL, site);
}

// The barrier at the end of the nearest group that has one; of the frame, where none has.
static oxi_system *find_nearest_end(const oxi_system *system) {
    oxi_system *barrier = NULL;
    for (const oxi_system *group = system->group; group != NULL && barrier == NULL;
         group = group->group) {
        barrier = oxi_group_find_end(group);
    }
    return barrier != NULL ? barrier : oxi_systems_find(system->all, "EndPresentation");
}

static ox_commands report_no_commands(const oxi_system *system, const char *why, ox_site site) {
    OXI_REPORT(&system->all->world->sink, OX_REPORT_NO_COMMANDS_HERE, site,
               OXI_NAME("system", system->def.name), OXI_SITE("system_site", system->def.site),
               OXI_NAME("why", why));
    return (ox_commands){0};
}

ox_commands ox_system_commands_at(ox_system *scope, ox_site site) {
    oxi_system *system = oxi_system_require(scope, "ox_system_commands", site);
    if (system == NULL) {
        return (ox_commands){0};
    }
    if (system->def.update == NULL && system->def.update_jobs == NULL) {
        return report_no_commands(system, "it has no update", site);
    }
    if (!system->scope.is_updating) {
        return report_no_commands(system, "it is not in its update", site);
    }
    if (system->def.update_jobs != NULL) {
        oxi_system *barrier = find_nearest_end(system);
        return barrier != NULL
                   ? ask_barrier(barrier, system, site)
                   : report_no_commands(system, "no group that it is in has an end", site);
    }
    if (system->post.oxi_state == NULL) {
        ox_commands_def def = {.name = system->def.name};
        system->post = oxi_commands_take(system->all->world, &def, system->def.name, site);
    }
    return system->post;
}

// Playing back.

bool oxi_system_play_post(oxi_system *system) {
    if (system->post.oxi_state == NULL) {
        return true;
    }
    ox_site site = system->post.oxi_state->site;
    system->is_playing = true;
    if (system->scope.jobs.count > 0) {
        oxi_scope_complete(&system->scope, site); // they may have recorded
    }
    oxi_commands_complete_jobs(system->post.oxi_state, site);
    bool is_played = oxi_commands_play(system->post, site);
    system->is_playing = false;
    if (is_played) {
        oxi_commands_give(system->post, site);
        system->post = (ox_commands){0};
    }
    return is_played;
}

void oxi_barrier_play(oxi_system *barrier) {
    ox_site site =
        barrier->pending.count > 0 ? barrier->pending.items[0].oxi_state->site : barrier->def.site;
    complete_producers(barrier, site);
    size_t kept = 0, count = barrier->pending.count;
    for (size_t k = 0; k < count; k++) {
        ox_commands commands = barrier->pending.items[k];
        ox_site made = commands.oxi_state->site;
        if (oxi_commands_play(commands, made)) {
            oxi_commands_give(commands, made);
        } else {
            barrier->pending.items[kept++] = commands;
        }
    }
    // Report handlers may have asked for more meanwhile: those stay for the next update.
    for (size_t k = count; k < barrier->pending.count; k++) {
        barrier->pending.items[kept++] = barrier->pending.items[k];
    }
    size_t left = kept - (barrier->pending.count - count);
    barrier->pending.count = kept;
    OXI_REQUIRE(left == 0, &barrier->all->world->sink, OX_REPORT_BARRIER_STOPPED, site,
                OXI_NAME("system", barrier->def.name), OXI_NUMBER("count", left));
}
