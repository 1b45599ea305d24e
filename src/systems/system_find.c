// SPDX-License-Identifier: MIT
//
// Systems by name: chains by the hash of the name, through the systems themselves.
//
// Invariant: every system of `items` is in one chain. Of one name there are any number that were
// removed during an update, and at most one that was not.

#include "systems/systems.h"

#include "base/hash.h"

enum { LEAST_NAME_BUCKETS = 32 };

static oxi_system **name_bucket_of(const oxi_systems *all, uint64_t hash) {
    return &all->buckets.items[hash & (all->buckets.count - 1)];
}

static void push_named(const oxi_systems *all, oxi_system *system) {
    oxi_system **bucket = name_bucket_of(all, system->name_hash);
    system->next_named = *bucket;
    *bucket = system;
}

bool oxi_systems_reserve_name(oxi_systems *all) {
    size_t size = all->buckets.count;
    if (all->items.count < size) {
        return true;
    }
    size = size == 0 ? LEAST_NAME_BUCKETS : size * 2;
    if (!oxi_list_resize_in(all->world->store.heap, &all->buckets, size)) {
        return false;
    }
    memset(all->buckets.items, 0, size * sizeof *all->buckets.items);
    for (size_t k = 0; k < all->items.count; k++) {
        push_named(all, all->items.items[k]);
    }
    return true;
}

void oxi_system_set_name(oxi_system *system, const char *name) {
    system->def.name = name;
    system->scope.base.name = name;
    system->name_hash = oxi_hash_text(name);
    push_named(system->all, system);
}

void oxi_system_leave_name(oxi_system *system) {
    oxi_system **at = name_bucket_of(system->all, system->name_hash);
    while (*at != system) {
        at = &(*at)->next_named;
    }
    *at = system->next_named;
}

oxi_system *oxi_systems_find(const oxi_systems *all, const char *name) {
    if (all->buckets.count == 0) {
        return NULL;
    }
    uint64_t hash = oxi_hash_text(name);
    oxi_system *system = *name_bucket_of(all, hash);
    while (system != NULL && (system->name_hash != hash || system->is_removed ||
                              strcmp(system->def.name, name) != 0)) {
        system = system->next_named;
    }
    return system;
}
