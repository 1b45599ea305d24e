// SPDX-License-Identifier: MIT
//
// The plan of updates: what systems say about others becomes constraints, what they declared goes
// into the rule, and the order that comes out is laid flat. Made before an update when systems came
// or went; accesses that are learned later move nothing.

#include "systems/systems.h"

#include "base/random.h"
#include "base/text.h"
#include "systems/system_registry.h"

#include <string.h>

enum { FARTHEST_NAME = 3, LETTERS_EACH = 3 }; // one wrong letter for so many

// Names.

// The name that comes nearest, with its place; NULL when none is near.
static const char *find_nearest(const oxi_systems *all, const char *name, ox_site *site) {
    const char *nearest = NULL;
    size_t allowed = strlen(name) / LETTERS_EACH;
    int least = (allowed < FARTHEST_NAME ? (int)allowed : FARTHEST_NAME) + 1;
    for (size_t k = 0; k < all->items.count; k++) {
        const ox_system_def *def = &all->items.items[k]->def;
        int distance = oxi_name_distance(name, def->name);
        if (distance < least) {
            least = distance;
            nearest = def->name;
            *site = def->site;
        }
    }
    for (const ox_system_def *def = oxi_registry_next(NULL); def != NULL;
         def = oxi_registry_next(def)) {
        int distance = oxi_name_distance(name, def->name);
        if (distance < least) {
            least = distance;
            nearest = def->name;
            *site = def->site;
        }
    }
    return nearest;
}

void oxi_report_unknown_system(const oxi_systems *all, const ox_system_def *def, const char *field,
                               const char *name, ox_site site) {
    char advice[256] = "declare it with OX_SYSTEM or OX_GROUP, or correct the name";
    ox_site place = NULL;
    const char *nearest = find_nearest(all, name, &place);
    if (nearest != NULL) {
        oxi_text_print(advice, sizeof advice, "did you mean '%s' (%s)?", nearest,
                       place != NULL                  ? place
                       : oxi_is_default_name(nearest) ? "in every world"
                                                      : "its place is not known");
    }
    OXI_REPORT(&all->world->sink, OX_REPORT_UNKNOWN_SYSTEM, site, OXI_NAME("system", def->name),
               OXI_SITE("system_site", def->site), OXI_NAME("field", field), OXI_NAME("name", name),
               OXI_NAME("advice", advice));
}

// Constraints.

// What one name in `before` or `after` says. A name of a system that is not in this world says
// nothing. @return false when out of memory.
static bool add_constraint(oxi_systems *all, uint32_t at, const char *name, bool is_before,
                           ox_site site) {
    oxi_system *system = all->items.items[at];
    const oxi_system *other = oxi_systems_find(all, name);
    if (other == NULL) {
        if (!system->is_checked && oxi_registry_find(name) == NULL && !oxi_is_end_name(name)) {
            oxi_report_unknown_system(all, &system->def, is_before ? ".before" : ".after", name,
                                      site);
        }
        return true;
    }
    uint32_t other_at = other->index;
    oxi_order_constraint constraint = {is_before ? at : other_at, is_before ? other_at : at, at};
    return oxi_list_push_in(all->world->store.heap, &all->constraints, constraint);
}

static bool gather_constraints(oxi_systems *all, ox_site site) {
    bool has_memory = true;
    oxi_list_clear(&all->constraints);
    for (uint32_t at = 0; at < all->items.count && has_memory; at++) {
        const ox_system_def *def = &all->items.items[at]->def;
        for (int k = 0; k < OX_MAX_ORDER && def->before[k] != NULL && has_memory; k++) {
            has_memory = add_constraint(all, at, def->before[k], true, site);
        }
        for (int k = 0; k < OX_MAX_ORDER && def->after[k] != NULL && has_memory; k++) {
            has_memory = add_constraint(all, at, def->after[k], false, site);
        }
        all->items.items[at]->is_checked = true;
    }
    return has_memory;
}

// The order.

static oxi_order_item order_item_of(const oxi_system *system) {
    return (oxi_order_item){
        .name = system->def.name,
        .site = system->def.site,
        .parent = system->group != NULL ? system->group->index : 0,
        .is_group = system->def.is_group,
        .is_job = system->def.update_jobs != NULL,
        .is_barrier = system->def.is_barrier,
        .is_own_end = system->is_own_end,
        .place = system->def.place,
        .uses = system->scope.uses.items,
        .use_count = (uint32_t)system->scope.uses.count,
    };
}

// Ranks for tests: a random one for each, or the place of its name in a list.
static void rank_items(const oxi_systems *all, uint32_t *ranks) {
    oxi_random random = oxi_random_seed(all->shuffle);
    for (uint32_t k = 0; k < all->items.count; k++) {
        ranks[k] =
            all->given != NULL ? all->given_count : (uint32_t)oxi_random_below(&random, UINT32_MAX);
    }
    for (uint32_t n = 0; n < all->given_count; n++) {
        const oxi_system *system = oxi_systems_find(all, all->given[n]);
        if (system != NULL) {
            ranks[system->index] = n;
        }
    }
}

static bool make_system_order(oxi_systems *all, oxi_system_order *order, ox_site site) {
    const oxi_hooks *heap = all->world->store.heap;
    OXI_LIST(oxi_order_item) items = {0};
    OXI_LIST(uint32_t) ranks = {0};
    bool is_made = oxi_list_resize_in(heap, &items, all->items.count) &&
                   oxi_list_resize_in(heap, &ranks, all->items.count);
    for (size_t k = 0; is_made && k < all->items.count; k++) {
        items.items[k] = order_item_of(all->items.items[k]);
    }
    if (is_made) {
        bool is_ranked = all->shuffle != 0 || all->given != NULL;
        rank_items(all, ranks.items);
        oxi_order_input input = {
            .items = items.items,
            .item_count = (uint32_t)items.count,
            .constraints = all->constraints.items,
            .constraint_count = (uint32_t)all->constraints.count,
            .by_name = all->by_name,
            .ranks = is_ranked ? ranks.items : NULL,
            .world = all->world->name,
            .sink = &all->world->sink,
            .site = site,
        };
        is_made = oxi_system_order_make(order, &input);
    }
    oxi_list_free_in(heap, &items);
    oxi_list_free_in(heap, &ranks);
    return is_made;
}

// Laying flat.

static void lay_flat(oxi_systems *all) {
    size_t count = all->order.sequence.count;
    all->plan.count = count;
    for (uint32_t k = 0; k < count; k++) {
        oxi_system *system = all->items.items[all->order.sequence.items[k]];
        system->step = k;
        all->plan.items[k] = (oxi_plan_step){system, k + 1, 0};
    }
    // From the back: what is in a group knows its own end before the group does.
    for (size_t k = count; k-- > 1;) {
        oxi_plan_step *group = &all->plan.items[all->plan.items[k].system->group->step];
        group->end = all->plan.items[k].end > group->end ? all->plan.items[k].end : group->end;
    }
}

bool oxi_systems_plan(oxi_systems *all, ox_site site) {
    oxi_system_order order = {0};
    if (!all->is_dirty) {
        return true;
    }
    if (!oxi_systems_settle_ends(all, site)) {
        return false;
    }
    for (uint32_t k = 0; k < all->items.count; k++) {
        all->items.items[k]->index = k;
    }
    if (!oxi_list_reserve_in(all->world->store.heap, &all->plan, all->items.count) ||
        !gather_constraints(all, site) || !make_system_order(all, &order, site)) {
        return oxi_world_report(all->world, OXI_NO_MEMORY, site);
    }
    oxi_system_order_free(&all->order);
    all->order = order;
    lay_flat(all);
    all->is_dirty = false;
    return true;
}

int ox_world_get_systems_at(ox_world *world, ox_system **systems, int capacity, ox_site site) {
    if (!oxi_world_enter(world, "ox_world_get_systems", site) ||
        !oxi_count_require(world, capacity, INT32_MAX, "ox_world_get_systems", site) ||
        (capacity > 0 && !OXI_REQUIRE_ARGUMENT(systems, "ox_world_get_systems", site))) {
        return 0;
    }
    oxi_systems *all = oxi_systems_get(world);
    if (all == NULL || (!world->is_updating && !oxi_systems_plan(all, site))) {
        return 0;
    }
    int count = 0;
    for (size_t k = 0; k < all->plan.count; k++) {
        oxi_system *system = all->plan.items[k].system;
        if (system->is_removed || system->group == NULL) {
            continue; // the group of all is none of the user's
        }
        if (count < capacity) {
            systems[count] = &system->scope.base;
        }
        count++;
    }
    return count;
}

void ox_world_order_by_name_at(ox_world *world, bool by_name, ox_site site) {
    if (!oxi_world_enter(world, "ox_world_order_by_name", site)) {
        return;
    }
    oxi_systems *all = oxi_systems_make(world, site);
    if (all != NULL) {
        all->by_name = by_name;
        all->is_dirty = true;
    }
}
