// SPDX-License-Identifier: MIT
//
// Changes to the components of all entities of a query. Where the layouts of chunks agree, as with
// a tag or a shared component, whole chunks change sides; else rows move, in order.

#include "entities/query_change.h"

#include "entities/fences.h"
#include "entities/kinds.h"
#include "oxbow/queries.h"
#include "storage/shared_values.h"

static bool lacks(const ox_world *world, const oxi_archetype *archetype, uint32_t component) {
    return oxi_archetype_find_type(&world->store, archetype, component) < 0;
}

static bool has(const ox_world *world, const oxi_archetype *archetype, uint32_t component) {
    return !lacks(world, archetype, component);
}

// True when a residue loses the last component that keeps it.
static bool ends_with(const oxi_archetype *archetype) {
    return archetype->is_residue && archetype->cleanup_count == 1;
}

static oxi_outcome reserve_component(ox_world *world, oxi_query_change *change, uint32_t component,
                                     bool removes) {
    oxi_outcome outcome = OXI_DONE;
    for (size_t k = 0; outcome == OXI_DONE && k < change->parts.count; k++) {
        oxi_chunk_part *part = &change->parts.items[k];
        if (removes && ends_with(part->from)) {
            continue;
        }
        part->edge = removes ? oxi_edge_remove(&world->store, part->from, component, &outcome)
                             : oxi_edge_add(&world->store, part->from, component, &outcome);
        if (part->edge != NULL) {
            outcome = oxi_change_reserve_part(world, change, part, NULL);
        }
    }
    return outcome == OXI_DONE
               ? oxi_batch_reserve_change(world, &change->batch, component, removes, NULL)
               : outcome;
}

// One that is left of a destroyed entity among those that change, or null: nothing can be added.
static ox_entity find_left(const ox_world *world, const oxi_query_change *change) {
    for (size_t k = 0; k < change->parts.count; k++) {
        const oxi_chunk_part *part = &change->parts.items[k];
        if (part->from->is_residue) {
            return oxi_chunk_entities(change->chunks.items[part->first])[0];
        }
    }
    for (size_t k = 0; k < change->batch.items.count; k++) {
        ox_entity entity = change->batch.items.items[k].entity;
        if (oxi_archetype_of(oxi_batch_record(world, entity).chunk)->is_residue) {
            return entity;
        }
    }
    return (ox_entity){0, 0};
}

static bool change_component(ox_query *query, uint32_t component, bool removes, ox_site site) {
    ox_world *world = query->world;
    oxi_query_change change;
    const char *function = removes ? "ox_query_remove" : "ox_query_add";
    if (!oxi_component_require_given(world, component, NULL, function, site) ||
        !oxi_change_collect(query, removes ? has : lacks, component, &change, site)) {
        return false;
    }
    ox_entity left = removes ? (ox_entity){0, 0} : find_left(world, &change);
    if (left.version != 0) {
        oxi_change_undo(world, &change);
        return oxi_require_no_residue(world, &world->store.entities.records[left.index], left,
                                      function, site);
    }
    oxi_outcome outcome = reserve_component(world, &change, component, removes);
    if (outcome != OXI_DONE) {
        // First, so that a query that is used in the handler sees no archetype that goes.
        oxi_change_undo(world, &change);
        return oxi_world_report_move(world, outcome, site);
    }
    oxi_world_note_change(world, site);
    oxi_change_commit(world, &change);
    oxi_world_check(world);
    return true;
}

bool ox_query_add_at(ox_query *query, uint32_t component, ox_site site) {
    return oxi_query_enter(query, "ox_query_add", site) &&
           change_component(query, component, false, site);
}

bool ox_query_remove_at(ox_query *query, uint32_t component, ox_site site) {
    return oxi_query_enter(query, "ox_query_remove", site) &&
           change_component(query, component, true, site);
}

// Shared values.

static oxi_outcome reserve_shared(ox_world *world, oxi_query_change *change,
                                  const oxi_shared_choice *choice) {
    oxi_outcome outcome = OXI_DONE;
    for (size_t k = 0; outcome == OXI_DONE && k < change->parts.count; k++) {
        oxi_chunk_part *part = &change->parts.items[k];
        part->edge = oxi_edge_to(&world->store, part->from, part->from, &outcome);
        if (part->edge != NULL) {
            outcome = oxi_change_reserve_part(world, change, part, choice);
        }
    }
    return outcome == OXI_DONE ? oxi_batch_reserve_shared(world, &change->batch, choice) : outcome;
}

// Takes the value, changes what was collected, and lets the value go. The change is freed.
static bool set_shared(ox_world *world, oxi_query_change *change, const ox_component_info *info,
                       const void *value, ox_site site) {
    oxi_store_number(&world->store, info->id);
    uint32_t number = oxi_shared_make_default(&world->store, info)
                          ? oxi_shared_take(&world->store, info, value)
                          : 0;
    oxi_shared_choice choice = {info->id, number};
    oxi_outcome outcome = number != 0 ? reserve_shared(world, change, &choice) : OXI_NO_MEMORY;
    if (outcome != OXI_DONE) {
        oxi_change_undo(world, change);
        if (number != 0) {
            oxi_shared_cancel(&world->store, number);
        }
        return oxi_world_report(world, outcome, site);
    }
    oxi_world_note_change(world, site);
    oxi_change_commit(world, change);
    oxi_world_check(world);
    oxi_shared_cancel(&world->store, number); // lanes have it, or it is the caller's again
    return true;
}

// Chunks and rows that have the value already stay as they are.
static void forget_equal(ox_world *world, oxi_query_change *change, const ox_component_info *info,
                         const void *value) {
    uint32_t number =
        world->store.local_of[info->id] != 0 ? oxi_shared_find(&world->store, info, value) : 0;
    if (number == 0) {
        return;
    }
    oxi_batch_forget_shared(world, &change->batch, &(oxi_shared_choice){info->id, number});
    for (size_t k = 0; k < change->parts.count; k++) {
        oxi_chunk_part *part = &change->parts.items[k];
        uint32_t kept = 0;
        for (uint32_t n = 0; n < part->count; n++) {
            oxi_chunk chunk = change->chunks.items[part->first + n];
            if (oxi_chunk_shared_number(&world->store, part->from, chunk, info->id) != number) {
                change->chunks.items[part->first + kept++] = chunk;
            }
        }
        part->count = kept;
    }
}

bool ox_query_set_shared_at(ox_query *query, uint32_t component, const void *value, ox_site site) {
    static const char function[] = "ox_query_set_shared";
    oxi_query_change change;
    if (!oxi_query_enter(query, function, site) || !OXI_REQUIRE_ARGUMENT(value, function, site)) {
        return false;
    }
    const ox_component_info *info = oxi_query_require_shared(query, component, function, site);
    if (info == NULL || !oxi_change_collect(query, has, component, &change, site)) {
        return false;
    }
    forget_equal(query->world, &change, info, value);
    return set_shared(query->world, &change, info, value, site);
}

// Lists one chunk. @return false when out of memory.
static bool collect_chunk(ox_world *world, oxi_query_change *change, oxi_chunk chunk) {
    oxi_lane *none = NULL;
    oxi_chunk_part part = {.from = oxi_archetype_of(chunk), .count = 1};
    *change = (oxi_query_change){.archetypes = world->store.archetypes.count, .rows = 1};
    return oxi_list_push_in(world->store.heap, &change->chunks, chunk) &&
           oxi_list_push_in(world->store.heap, &change->lanes, none) &&
           oxi_list_push_in(world->store.heap, &change->parts, part);
}

bool ox_chunk_set_shared_at(const ox_chunk *chunk, uint32_t component, const void *value,
                            ox_site site) {
    static const char function[] = "ox_chunk_set_shared";
    if (oxi_chunk_require_query(chunk, function, site) == NULL ||
        !oxi_query_enter(chunk->query, function, site) ||
        !OXI_REQUIRE_ARGUMENT(value, function, site)) {
        return false;
    }
    ox_world *world = chunk->query->world;
    const ox_component_info *info =
        oxi_query_require_shared(chunk->query, component, function, site);
    if (info == NULL) {
        return false;
    }
    if (!oxi_chunk_require_current(chunk, component, site)) {
        return false;
    }
    oxi_query_change change;
    if (!oxi_sync_all(world, site)) {
        return false;
    }
    if (!collect_chunk(world, &change, chunk->oxi_chunk)) {
        oxi_change_undo(world, &change);
        return oxi_world_report(world, OXI_NO_MEMORY, site);
    }
    forget_equal(world, &change, info, value);
    return set_shared(world, &change, info, value, site);
}
