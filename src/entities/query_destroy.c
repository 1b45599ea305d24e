// SPDX-License-Identifier: MIT
//
// Destroying all entities of a query. Groups are not followed: a query that matches an entity must
// match all of its group, or nothing is destroyed.

#include "entities/fences.h"
#include "entities/groups.h"
#include "entities/query_change.h"

// What is left of destroyed entities cannot be destroyed again.
static bool is_whole(const ox_world *world, const oxi_archetype *archetype, uint32_t component) {
    (void)world;
    (void)component;
    return !archetype->is_residue;
}

// Groups.

static bool has_groups(const ox_world *world, const oxi_archetype *archetype) {
    return oxi_archetype_find_type(&world->store, archetype, world->ids.linked) >= 0;
}

// An entity whose group is not matched as a whole, or null.
typedef struct torn_group {
    ox_entity root;
    ox_entity missing;
} torn_group;

// With all that matches among the rows, and marked: looks for one that is not.
static torn_group find_torn(const ox_world *world, const oxi_plan *plan) {
    for (size_t k = 0; k < plan->rows.count; k++) {
        ox_entity root = plan->rows.items[k].entity;
        oxi_record record = oxi_plan_record(&world->store, root);
        oxi_group group = oxi_group_of(world, &record);
        for (uint32_t n = 0; n < group.count; n++) {
            const oxi_record *member = oxi_entity_find(&world->store.entities, group.members[n]);
            if (member != NULL && !oxi_plan_has(&world->store, group.members[n]) &&
                !oxi_archetype_of(member->chunk)->is_residue) {
                return (torn_group){root, group.members[n]};
            }
        }
    }
    return (torn_group){{0, 0}, {0, 0}};
}

static bool any_has_groups(const ox_query *query) {
    bool any = false;
    for (size_t k = 0; !any && k < query->matches.count; k++) {
        any =
            query->matches.items[k]->live > 0 && has_groups(query->world, query->matches.items[k]);
    }
    return any;
}

// True when every group is matched as a whole; else reports, and undoes the plan.
static bool require_whole_groups(ox_query *query, oxi_plan *plan, ox_site site) {
    ox_world *world = query->world;
    if (!any_has_groups(query)) {
        return true;
    }
    if (!oxi_plan_split_chunks(plan)) {
        oxi_plan_undo(plan);
        return oxi_world_report(world, OXI_NO_MEMORY, site);
    }
    torn_group torn = find_torn(world, plan);
    if (torn.root.version == 0) {
        return true;
    }
    oxi_plan_undo(plan);
    return OXI_REPORT(
        &world->sink, OX_REPORT_TORN_GROUP, site, OXI_NUMBER("index", torn.root.index),
        OXI_NUMBER("version", torn.root.version), OXI_NUMBER("member_index", torn.missing.index),
        OXI_NUMBER("member_version", torn.missing.version), OXI_NAME("world", world->name));
}

static int64_t count_planned(const oxi_plan *plan) {
    int64_t count = (int64_t)plan->rows.count;
    for (size_t k = 0; k < plan->chunks.count; k++) {
        count += oxi_chunk_entry_of(plan->chunks.items[k])->count;
    }
    return count;
}

int64_t ox_query_destroy_entities_at(ox_query *query, ox_site site) {
    oxi_plan plan;
    if (!oxi_query_enter(query, "ox_query_destroy_entities", site) ||
        !oxi_query_collect(query, is_whole, 0, &plan, site) ||
        !require_whole_groups(query, &plan, site)) {
        return 0;
    }
    int64_t count = count_planned(&plan);
    oxi_plan_change change = {.kind = OXI_PLAN_END};
    return oxi_world_carry_out(query->world, &plan, &change, true, site) ? count : 0;
}
