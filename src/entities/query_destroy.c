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

// With all that matches in the batch, and marked: looks for one that is not.
static torn_group find_torn(const ox_world *world, const oxi_batch *batch) {
    for (size_t k = 0; k < batch->items.count; k++) {
        ox_entity root = batch->items.items[k].entity;
        oxi_record record = oxi_batch_record(world, root);
        oxi_group group = oxi_group_of(world, &record);
        for (uint32_t n = 0; n < group.count; n++) {
            const oxi_record *member = oxi_entity_find(&world->store.entities, group.members[n]);
            if (member != NULL && !oxi_batch_has(world, group.members[n]) &&
                !oxi_archetype_of(member->chunk)->is_residue) {
                return (torn_group){root, group.members[n]};
            }
        }
    }
    return (torn_group){{0, 0}, {0, 0}};
}

// Puts all rows of all chunks into the batch. @return false when out of memory.
static bool list_all_rows(ox_world *world, oxi_query_change *change) {
    for (size_t k = 0; k < change->chunks.count; k++) {
        oxi_chunk chunk = change->chunks.items[k];
        for (uint32_t row = 0; row < oxi_chunk_entry_of(chunk)->count; row++) {
            if (!oxi_batch_push(world, &change->batch, oxi_chunk_entities(chunk)[row])) {
                return false;
            }
        }
    }
    change->chunks.count = change->parts.count = 0;
    return true;
}

static bool any_has_groups(const ox_query *query) {
    bool any = false;
    for (size_t k = 0; !any && k < query->matches.count; k++) {
        any =
            query->matches.items[k]->live > 0 && has_groups(query->world, query->matches.items[k]);
    }
    return any;
}

// True when every group is matched as a whole; else reports, and frees the change.
static bool require_whole_groups(ox_query *query, oxi_query_change *change, ox_site site) {
    ox_world *world = query->world;
    if (!any_has_groups(query)) {
        return true;
    }
    if (!list_all_rows(world, change)) {
        oxi_change_undo(world, change);
        return oxi_world_report(world, OXI_NO_MEMORY, site);
    }
    torn_group torn = find_torn(world, &change->batch);
    if (torn.root.version == 0) {
        return true;
    }
    oxi_change_undo(world, change);
    return OXI_REPORT(
        &world->sink, OX_REPORT_TORN_GROUP, site, OXI_NUMBER("index", torn.root.index),
        OXI_NUMBER("version", torn.root.version), OXI_NUMBER("member_index", torn.missing.index),
        OXI_NUMBER("member_version", torn.missing.version), OXI_NAME("world", world->name));
}

static oxi_outcome reserve_ends(ox_world *world, oxi_query_change *change) {
    oxi_outcome outcome = OXI_DONE;
    for (size_t k = 0; outcome == OXI_DONE && k < change->parts.count; k++) {
        oxi_chunk_part *part = &change->parts.items[k];
        if (part->from->cleanup_count > 0) {
            part->edge = oxi_residue_edge(world, part->from);
            outcome = part->edge != NULL ? oxi_change_reserve_part(world, change, part, NULL)
                                         : OXI_NO_MEMORY;
        }
    }
    return outcome == OXI_DONE && !oxi_batch_reserve_end(world, &change->batch) ? OXI_NO_MEMORY
                                                                                : outcome;
}

int64_t ox_query_destroy_entities_at(ox_query *query, ox_site site) {
    oxi_query_change change;
    if (!oxi_query_enter(query, "ox_query_destroy_entities", site) ||
        !oxi_change_collect(query, is_whole, 0, &change, site) ||
        !require_whole_groups(query, &change, site)) {
        return 0;
    }
    ox_world *world = query->world;
    if (reserve_ends(world, &change) != OXI_DONE) {
        oxi_change_undo(world, &change);
        oxi_world_report(world, OXI_NO_MEMORY, site);
        return 0;
    }
    int64_t rows = change.rows;
    oxi_world_note_change(world, site);
    oxi_change_commit(world, &change);
    oxi_world_check(world);
    return rows;
}
