// SPDX-License-Identifier: MIT
//
// What hangs on a world for its systems: made with the first of them, with the groups that every
// world has, and ended with the world.

#include "systems/systems.h"

#include "commands/command.h"
#include "oxbow/memory.h"
#include "systems/explain_record.h"
#include "systems/system_registry.h"

#include <string.h>

static void end_systems(ox_world *world, ox_site site, void *state);

static oxi_attachment_type systems_attachment = {.name = "systems",
                                                 .calls = {[OXI_ENDING] = end_systems}};

// The group of all, and in it the three phases of a frame. Each has a barrier at its beginning and
// at its end.
static const ox_system_def default_groups[] = {
    {.name = "World", .is_group = true},
    {.name = "Initialization", .is_group = true, .in = "World", .before = {"Simulation"}},
    {.name = "Simulation", .is_group = true, .in = "World", .before = {"Presentation"}},
    {.name = "Presentation", .is_group = true, .in = "World"},
    {.name = "BeginInitialization",
     .is_barrier = true,
     .in = "Initialization",
     .place = OX_PHASE_BEGIN},
    {.name = "EndInitialization",
     .is_barrier = true,
     .in = "Initialization",
     .place = OX_PHASE_END},
    {.name = "BeginSimulation", .is_barrier = true, .in = "Simulation", .place = OX_PHASE_BEGIN},
    {.name = "EndSimulation", .is_barrier = true, .in = "Simulation", .place = OX_PHASE_END},
    {.name = "BeginPresentation",
     .is_barrier = true,
     .in = "Presentation",
     .place = OX_PHASE_BEGIN},
    {.name = "EndPresentation", .is_barrier = true, .in = "Presentation", .place = OX_PHASE_END},
};

enum { DEFAULT_GROUPS = sizeof default_groups / sizeof *default_groups };

bool oxi_is_default_name(const char *name) {
    for (int k = 0; k < DEFAULT_GROUPS; k++) {
        if (strcmp(default_groups[k].name, name) == 0) {
            return true;
        }
    }
    return false;
}

oxi_systems *oxi_systems_get(const ox_world *world) {
    return oxi_attachment_get(world, &systems_attachment);
}

static void free_systems(oxi_systems *all, ox_site site) {
    ox_world *world = all->world;
    const oxi_hooks *heap = world->store.heap;
    oxi_recorder_destroy(all);
    oxi_system_order_free(&all->order);
    oxi_list_free_in(heap, &all->items);
    oxi_list_free_in(heap, &all->buckets);
    oxi_list_free_in(heap, &all->plan);
    oxi_list_free_in(heap, &all->constraints);
    oxi_list_free_in(heap, &all->removed);
    oxi_systems_free_names(all);
    ox_memory_free_at(world->def.allocator, all, sizeof *all, _Alignof(oxi_systems), site);
}

static bool add_default_groups(oxi_systems *all, ox_site site) {
    for (int k = 0; k < DEFAULT_GROUPS; k++) {
        if (oxi_systems_add(all, &default_groups[k], 0, site) == NULL) {
            return false;
        }
    }
    return true;
}

oxi_systems *oxi_systems_make(ox_world *world, ox_site site) {
    oxi_systems *all = oxi_systems_get(world);
    if (all != NULL) {
        return all;
    }
    // What is made first ends last: systems have commands.
    if (oxi_command_space_make(world, site) == NULL) {
        return NULL;
    }
    all = ox_memory_alloc_at(world->def.allocator, sizeof *all, _Alignof(oxi_systems), site);
    if (all == NULL) {
        return NULL;
    }
    *all = (oxi_systems){.world = world};
    if (!add_default_groups(all, site)) {
        while (all->items.count > 0) {
            oxi_system_discard(oxi_list_last(&all->items), site);
        }
        free_systems(all, site);
        return NULL;
    }
    bool is_added = oxi_attachment_add(world, &systems_attachment, all);
    OXI_ASSERT(is_added);
    (void)is_added;
    return all;
}

int ox_world_add_systems_at(ox_world *world, ox_site site) {
    if (!oxi_world_require(world, "ox_world_add_systems", site)) {
        return 0;
    }
    oxi_systems *all = oxi_systems_make(world, site);
    if (all == NULL) {
        return 0;
    }
    const ox_system_def *before = NULL;
    for (const ox_system_def *def = oxi_registry_next(NULL); def != NULL;
         def = oxi_registry_next(def)) {
        // Two of one name stand side by side: the second is reported.
        bool is_second = before != NULL && strcmp(before->name, def->name) == 0;
        if (!def->is_manual && (is_second || oxi_systems_find(all, def->name) == NULL)) {
            oxi_systems_add(all, def, 0, site);
        }
        before = def;
    }
    if (!world->is_updating) {
        oxi_systems_destroy_removed(all, NULL, site);
        oxi_systems_plan(all, site);
    }
    return oxi_systems_count(all);
}

int oxi_systems_count(const oxi_systems *all) {
    int count = 0;
    for (size_t k = 0; k < all->items.count; k++) {
        const oxi_system *system = all->items.items[k];
        count +=
            !system->def.is_group && !system->is_own_end && !oxi_is_default_name(system->def.name);
    }
    return count;
}

bool oxi_systems_fill(ox_world *world, ox_site site) {
    ox_world_add_systems_at(world, site);
    return oxi_systems_get(world) != NULL;
}

// Running systems stop in the order of their updates; then all go, the last created first.
static void end_systems(ox_world *world, ox_site site, void *state) {
    oxi_systems *all = state;
    all->is_ending = true;
    world->is_updating = true;
    for (size_t k = 0; k < all->plan.count; k++) {
        oxi_system_stop(all->plan.items[k].system);
    }
    for (size_t k = 0; k < all->items.count; k++) {
        oxi_system_stop(all->items.items[k]); // without a plan, in the order of creation
    }
    all->plan.count = 0;
    while (all->items.count > 0) {
        oxi_system_destroy(oxi_list_last(&all->items), site);
    }
    world->is_updating = false;
    free_systems(all, site);
}
