// SPDX-License-Identifier: MIT
//
// Copies of entities, one by one or with their groups.
//
// A plan is made first: which entities are copied, where the rows of each copy go, which blocks its
// buffers need, and which entity fields point to another of the set. All memory is reserved then;
// making the copies cannot fail. Copies come instance by instance, members in order.

#include "entities/copy_plan.h"
#include "entities/fences.h"
#include "entities/groups.h"
#include "entities/kinds.h"
#include "oxbow/entities.h"

static bool require_group(const ox_world *world, ox_entity entity, oxi_group group, ox_site site) {
    bool is_own = group.count == 0 || (group.members[0].index == entity.index &&
                                       group.members[0].version == entity.version);
    return OXI_REQUIRE(is_own, &world->sink, OX_REPORT_BAD_GROUP, site,
                       OXI_NUMBER("index", entity.index), OXI_NUMBER("version", entity.version),
                       OXI_NAME("world", world->name));
}

// Lists an entity and the living ones of its group, each once. @return false when out of memory.
static bool list_group(ox_world *world, ox_entity entity, oxi_group group, oxi_copy_plan *plan) {
    bool is_done = oxi_copy_plan_add(world, plan, entity);
    for (uint32_t k = 1; is_done && k < group.count; k++) {
        const oxi_record *record = oxi_entity_find(&world->store.entities, group.members[k]);
        is_done = record == NULL || oxi_archetype_of(record->chunk)->is_residue ||
                  oxi_copy_plan_add(world, plan, group.members[k]);
    }
    return is_done;
}

// Makes what was planned, or reports why it cannot be. The plan is freed.
static bool carry_out(ox_world *world, oxi_copy_plan *plan, bool is_listed, uint32_t count,
                      ox_entity *copies, bool all_members, ox_site site) {
    oxi_outcome outcome = is_listed ? oxi_copy_plan_reserve(world, plan, count) : OXI_NO_MEMORY;
    if (outcome == OXI_DONE) {
        OXI_ASSERT(world->store.entities.ready >= count * plan->members.count);
        oxi_world_note_change(world, site);
        oxi_copy_plan_make(world, plan, count, copies, all_members);
        oxi_copy_plan_free(world, plan);
        oxi_world_check(world);
        return true;
    }
    uint64_t all = (uint64_t)count * plan->members.count;
    oxi_copy_plan_undo(world, plan);
    return oxi_world_report_entities(world, outcome, all, site);
}

bool ox_entities_instantiate_at(ox_world *world, ox_entity entity, ox_entity *copies, int64_t count,
                                ox_site site) {
    static const char function[] = "ox_entities_instantiate";
    if (!oxi_world_enter(world, function, site) ||
        !oxi_count_require(world, count, INT32_MAX, function, site)) {
        return false;
    }
    const oxi_record *record = oxi_world_find(world, entity, function, site);
    if (record == NULL || !oxi_require_no_residue(world, record, entity, function, site)) {
        return false;
    }
    if (!oxi_sync_all(world, site)) {
        return false;
    }
    oxi_group group = oxi_group_of(world, record);
    if (!require_group(world, entity, group, site)) {
        return false;
    }
    if (count == 0) {
        return true;
    }
    oxi_copy_plan plan = {.keeps_prefab = false, .archetypes = world->store.archetypes.count};
    bool is_listed = list_group(world, entity, group, &plan);
    return carry_out(world, &plan, is_listed, (uint32_t)count, copies, false, site);
}

// The way of the last instance of this archetype, when another can go it with nothing reserved.
// Else NULL.
static const oxi_edge *find_straight_copy(const ox_world *world, const oxi_record *record) {
    if (record == NULL || world->change_needs != 0) {
        return NULL;
    }
    const oxi_edge *edge = oxi_archetype_of(record->chunk)->copied;
    OXI_ASSERT(edge == NULL || edge->target->is_plain);
    OXI_ASSERT(edge == NULL || !oxi_archetype_of(record->chunk)->is_residue);
    return edge != NULL && oxi_entity_has_room(&world->store, edge->target) ? edge : NULL;
}

ox_entity ox_entity_instantiate_at(ox_world *world, ox_entity entity, ox_site site) {
    ox_entity copy = {0, 0};
    if (!oxi_world_enter(world, "ox_entity_instantiate", site)) {
        return copy;
    }
    const oxi_record *record = oxi_entity_find(&world->store.entities, entity);
    const oxi_edge *edge = find_straight_copy(world, record);
    if (edge != NULL) {
        oxi_world_note_change(world, site);
        oxi_entity_begin_copy(&world->store, edge, record, &copy);
        oxi_world_check(world);
        return copy;
    }
    ox_entities_instantiate_at(world, entity, &copy, 1, site);
    return copy;
}

static bool require_sources(ox_world *world, const ox_entity *entities, int64_t count,
                            const char *function, ox_site site) {
    for (int64_t k = 0; k < count; k++) {
        const oxi_record *record = oxi_world_find(world, entities[k], function, site);
        if (record == NULL || !oxi_require_no_residue(world, record, entities[k], function, site)) {
            return false;
        }
    }
    return true;
}

bool ox_entities_copy_at(ox_world *world, const ox_entity *entities, ox_entity *copies,
                         int64_t count, ox_site site) {
    static const char function[] = "ox_entities_copy";
    if (!oxi_world_enter(world, function, site) ||
        !oxi_count_require(world, count, INT32_MAX, function, site) ||
        (count > 0 && !OXI_REQUIRE_ARGUMENT(entities, function, site)) ||
        !require_sources(world, entities, count, function, site) || !oxi_sync_all(world, site)) {
        return false;
    }
    oxi_copy_plan plan = {.keeps_prefab = true, .archetypes = world->store.archetypes.count};
    bool is_listed = true;
    for (int64_t k = 0; is_listed && k < count; k++) {
        is_listed = oxi_copy_plan_add(world, &plan, entities[k]);
        if (is_listed && plan.members.count != (size_t)k + 1) {
            oxi_copy_plan_undo(world, &plan);
            return OXI_REPORT(&world->sink, OX_REPORT_DUPLICATE, site,
                              OXI_NAME("what", "an entity"), OXI_NAME("function", function));
        }
    }
    return count == 0 || carry_out(world, &plan, is_listed, 1, copies, true, site);
}
