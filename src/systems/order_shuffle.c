// SPDX-License-Identifier: MIT
//
// Other orders of the same systems, for tests: what is not ordered must not matter.
//
// To find out which pair matters, the way from the order of the rule to a random one is gone in
// steps. Each step swaps two neighbours of one group, which no constraint keeps apart since the two
// orders have them differently. Each order is tried in a world of its own.
//
// Invariant: a list of systems is an order of updates: a group right before what is in it.

#include "systems/systems.h"

#include "oxbow/explain.h"

enum { DEFAULT_FRAMES = 4, DEFAULT_ORDERS = 16 };

void ox_world_shuffle_systems_at(ox_world *world, uint64_t seed, ox_site site) {
    if (!oxi_world_enter(world, "ox_world_shuffle_systems", site)) {
        return;
    }
    oxi_systems *all = oxi_systems_make(world, site);
    if (all != NULL) {
        all->shuffle = seed;
        all->is_dirty = true;
    }
}

// An order, and what comes out of it. Names are those of the defs.
typedef struct tried_order {
    OXI_LIST(const char *) names;
    OXI_LIST(uint32_t) groups; // by place: that of its group, UINT32_MAX for the group of all
    uint64_t hash;
} tried_order;

typedef struct order_search {
    const ox_ambiguity_def *def;
    ox_site site;
    OXI_LIST(ox_ambiguity) found;
    tried_order base;    // by the rule
    tried_order target;  // random
    tried_order current; // on the way
    tried_order next;
} order_search;

static bool report_search(const order_search *search, bool has_memory) {
    return has_memory ||
           OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, search->site,
                      OXI_NUMBER("bytes", sizeof(const char *) * search->base.names.count),
                      OXI_NAME("allocator", "ox_ambiguities_find"));
}

static uint32_t find_name_in(const tried_order *order, const char *name) {
    uint32_t place = 0;
    while (place < order->names.count && strcmp(order->names.items[place], name) != 0) {
        place++;
    }
    return place < order->names.count ? place : UINT32_MAX;
}

// Trying.

// The order that a world comes to.
static bool read_order(const oxi_systems *all, tried_order *order) {
    oxi_list_clear(&order->names);
    oxi_list_clear(&order->groups);
    bool has_memory = true;
    for (size_t k = 1; k < all->plan.count && has_memory; k++) {
        const oxi_system *system = all->plan.items[k].system;
        uint32_t group = find_name_in(order, system->group->def.name);
        has_memory =
            oxi_list_push(&order->names, system->def.name) && oxi_list_push(&order->groups, group);
    }
    return has_memory;
}

static bool run_order(const order_search *search, ox_world *world, tried_order *order) {
    const ox_ambiguity_def *def = search->def;
    oxi_systems *all = oxi_systems_get(world);
    if (!oxi_systems_plan(all, search->site) || !report_search(search, read_order(all, order))) {
        return false;
    }
    int frames = def->frames > 0 ? def->frames : DEFAULT_FRAMES;
    float delta = def->delta > 0 ? def->delta : 1.0f / 60;
    for (int k = 0; k < frames; k++) {
        if (!ox_world_update_at(world, delta, search->site)) {
            return false;
        }
    }
    order->hash = ox_world_hash(world); // waits for all jobs
    return true;
}

// Runs a new world in an order: of a seed, or by the rule when that is 0; or in that of `given`.
// @return false after a report.
static bool try_order(const order_search *search, uint64_t seed, const tried_order *given,
                      tried_order *order) {
    ox_world *world = ox_world_create_at(search->def->world, search->site);
    if (world == NULL) {
        return false;
    }
    search->def->fill(world, search->def->context);
    oxi_systems *all = oxi_systems_make(world, search->site);
    bool is_run = false;
    if (all != NULL) {
        all->shuffle = seed;
        all->given = given != NULL ? given->names.items : NULL;
        all->given_count = given != NULL ? (uint32_t)given->names.count : 0;
        all->is_dirty = true;
        is_run = run_order(search, world, order);
    }
    ox_world_destroy_at(world, search->site);
    return is_run;
}

// Steps.

// The place behind what is in a system or group.
static uint32_t end_of_item(const tried_order *order, uint32_t place) {
    uint32_t end = place + 1;
    while (end < order->names.count && order->groups.items[end] != UINT32_MAX &&
           order->groups.items[end] >= place) {
        end++;
    }
    return end;
}

// The first of two neighbours of one group that `target` has the other way round, or UINT32_MAX.
static uint32_t find_inversion(const tried_order *current, const tried_order *target) {
    for (uint32_t k = 0; k < current->names.count; k++) {
        uint32_t next = end_of_item(current, k);
        if (next < current->names.count &&
            current->groups.items[next] == current->groups.items[k] &&
            find_name_in(target, current->names.items[k]) >
                find_name_in(target, current->names.items[next])) {
            return k;
        }
    }
    return UINT32_MAX;
}

// `swapped` becomes the names of `order`, with two neighbours and all that is in them swapped.
static bool swap_items(const tried_order *order, uint32_t first, tried_order *swapped) {
    uint32_t second = end_of_item(order, first), end = end_of_item(order, second);
    const char *const *names = order->names.items;
    if (!oxi_list_resize(&swapped->names, order->names.count)) {
        return false;
    }
    const char **to = swapped->names.items;
    memcpy(to, names, order->names.count * sizeof *to);
    memcpy(to + first, names + second, (end - second) * sizeof *to);
    memcpy(to + first + (end - second), names + first, (second - first) * sizeof *to);
    return true;
}

static bool is_same_order(const tried_order *a, const tried_order *b) {
    bool is_same = a->names.count == b->names.count;
    for (size_t k = 0; is_same && k < a->names.count; k++) {
        is_same = strcmp(a->names.items[k], b->names.items[k]) == 0;
    }
    return is_same;
}

// Notes a pair, once. @return false when out of memory.
static bool note_pair(order_search *search, const ox_ambiguity *pair) {
    for (size_t k = 0; k < search->found.count; k++) {
        const ox_ambiguity *known = &search->found.items[k];
        bool is_same =
            strcmp(known->first, pair->first) == 0 && strcmp(known->second, pair->second) == 0;
        bool is_turned =
            strcmp(known->first, pair->second) == 0 && strcmp(known->second, pair->first) == 0;
        if (is_same || is_turned) {
            return true;
        }
    }
    return oxi_list_push(&search->found, *pair);
}

static void exchange_orders(tried_order *a, tried_order *b) {
    tried_order kept = *a;
    *a = *b;
    *b = kept;
}

// Swaps two neighbours. @return false after a report; `*has_moved` says that the plan followed.
static bool go_step(order_search *search, uint32_t first, tried_order *wanted, bool *has_moved) {
    const tried_order *current = &search->current;
    uint32_t second = end_of_item(current, first);
    if (!report_search(search, swap_items(current, first, wanted)) ||
        !try_order(search, 0, wanted, &search->next)) {
        return false;
    }
    *has_moved = is_same_order(wanted, &search->next);
    ox_ambiguity pair = {.first = current->names.items[first],
                         .second = current->names.items[second],
                         .first_hash = current->hash,
                         .second_hash = search->next.hash};
    bool matters = *has_moved && pair.first_hash != pair.second_hash;
    if (matters && !report_search(search, note_pair(search, &pair))) {
        return false;
    }
    exchange_orders(&search->current, &search->next);
    return true;
}

static bool copy_order(tried_order *to, const tried_order *from) {
    oxi_list_clear(&to->names);
    oxi_list_clear(&to->groups);
    to->hash = from->hash;
    return oxi_list_append(&to->names, from->names.items, from->names.count) &&
           oxi_list_append(&to->groups, from->groups.items, from->groups.count);
}

// Goes from the base to the target, and looks at each step. @return false after a report.
static bool walk_to_target(order_search *search) {
    tried_order wanted = {0};
    bool has_moved = true;
    bool is_good = report_search(search, copy_order(&search->current, &search->base));
    while (is_good && has_moved) {
        uint32_t first = find_inversion(&search->current, &search->target);
        if (first == UINT32_MAX) {
            break;
        }
        is_good = go_step(search, first, &wanted, &has_moved);
    }
    oxi_list_free(&wanted.names);
    return is_good;
}

static bool search_orders(order_search *search) {
    const ox_ambiguity_def *def = search->def;
    int orders = def->orders > 0 ? def->orders : DEFAULT_ORDERS;
    if (!try_order(search, 0, NULL, &search->base)) {
        return false;
    }
    for (int k = 0; k < orders; k++) {
        uint64_t seed = def->seed * 0x9e3779b97f4a7c15u + (uint64_t)k + 1;
        if (!try_order(search, seed != 0 ? seed : 1, NULL, &search->target)) {
            return false;
        }
        if (search->target.hash != search->base.hash && !walk_to_target(search)) {
            return false;
        }
    }
    return true;
}

static void free_order(tried_order *order) {
    oxi_list_free(&order->names);
    oxi_list_free(&order->groups);
}

static bool require_ambiguity_def(const ox_ambiguity_def *def, const ox_ambiguity *pairs,
                                  int capacity, ox_site site) {
    static const char function[] = "ox_ambiguities_find";
    return OXI_REQUIRE_ARGUMENT(def, function, site) &&
           OXI_REQUIRE_DEF(def, ox_ambiguity_def, site) &&
           OXI_REQUIRE_ARGUMENT(def->fill, function, site) &&
           oxi_number_require(NULL, def->frames, INT32_MAX, function, site) &&
           oxi_number_require(NULL, def->orders, INT32_MAX, function, site) &&
           oxi_number_require(NULL, capacity, INT32_MAX, function, site) &&
           oxi_time_require(NULL, def->delta, "the delta of ox_ambiguities_find", site) &&
           (capacity == 0 || OXI_REQUIRE_ARGUMENT(pairs, function, site));
}

int ox_ambiguities_find_at(ox_ambiguity *pairs, int capacity, const ox_ambiguity_def *def,
                           ox_site site) {
    if (!require_ambiguity_def(def, pairs, capacity, site)) {
        return -1;
    }
    order_search search = {.def = def, .site = site};
    int count = search_orders(&search) ? (int)search.found.count : -1;
    for (int k = 0; k < count && k < capacity; k++) {
        pairs[k] = search.found.items[k];
    }
    free_order(&search.base);
    free_order(&search.target);
    free_order(&search.current);
    free_order(&search.next);
    oxi_list_free(&search.found);
    return count;
}
