// SPDX-License-Identifier: MIT
//
// Changes to the components of all entities of a query. Where the layouts of chunks agree, as with
// a tag or a shared component, whole chunks change sides; else rows move, in order.

#include "entities/query_change.h"

#include "entities/fences.h"
#include "entities/kinds.h"
#include "oxbow/queries.h"
#include "storage/shared_values.h"

// Collecting.

// Lists the rows of a chunk that match. @return false when out of memory.
static bool list_rows(oxi_plan *plan, oxi_chunk chunk, const uint64_t *mask) {
    uint32_t rows = oxi_chunk_entry_of(chunk)->count;
    for (size_t row = oxi_words_find_set(mask, rows, 0); row < rows;
         row = oxi_words_find_set(mask, rows, row + 1)) {
        if (!oxi_plan_push(plan, oxi_chunk_entities(chunk)[row])) {
            return false;
        }
    }
    return true;
}

// Lists what passes of the match at `index`. @return false when out of memory.
static bool list_match(ox_query *query, size_t index, oxi_plan *plan) {
    oxi_archetype *archetype = query->matches.items[index];
    for (size_t k = 0; k < archetype->lane.chunks.count; k++) {
        oxi_chunk chunk = archetype->lane.chunks.items[k];
        if (chunk == 0 || !oxi_query_passes(query, archetype, chunk)) {
            continue;
        }
        uint64_t mask[OX_CHUNK_WORDS];
        oxi_mask_kind kind = oxi_query_mask(query, index, chunk, mask);
        if (kind == OXI_MASK_ALL && !oxi_plan_push_chunk(plan, chunk)) {
            return false;
        }
        if (kind == OXI_MASK_SOME && !list_rows(plan, chunk, mask)) {
            return false;
        }
    }
    return true;
}

bool oxi_query_collect(ox_query *query, oxi_meant_fn *is_meant, uint32_t component, oxi_plan *plan,
                       ox_site site) {
    ox_world *world = query->world;
    *plan = (oxi_plan){.store = &world->store};
    if (!oxi_sync_all(world, site)) {
        return false;
    }
    oxi_store_close(&world->store);
    for (size_t k = 0; k < query->matches.count; k++) {
        if (is_meant(world, query->matches.items[k], component) && !list_match(query, k, plan)) {
            oxi_plan_undo(plan);
            return oxi_world_report(world, OXI_NO_MEMORY, site);
        }
    }
    return true;
}

// Components.

static bool lacks(const ox_world *world, const oxi_archetype *archetype, uint32_t component) {
    return oxi_archetype_find_type(&world->store, archetype, component) < 0;
}

static bool has(const ox_world *world, const oxi_archetype *archetype, uint32_t component) {
    return !lacks(world, archetype, component);
}

// One that is left of a destroyed entity among those that change, or null: nothing can be added.
static ox_entity find_left(const oxi_plan *plan) {
    for (size_t k = 0; k < plan->parts.count; k++) {
        const oxi_plan_part *part = &plan->parts.items[k];
        if (part->from->is_residue) {
            return oxi_chunk_entities(plan->chunks.items[part->first])[0];
        }
    }
    for (size_t k = 0; k < plan->rows.count; k++) {
        ox_entity entity = plan->rows.items[k].entity;
        if (oxi_archetype_of(oxi_plan_record(plan->store, entity).chunk)->is_residue) {
            return entity;
        }
    }
    return (ox_entity){0, 0};
}

static bool change_component(ox_query *query, uint32_t component, bool removes, ox_site site) {
    ox_world *world = query->world;
    oxi_plan plan;
    oxi_plan_change change = {removes ? OXI_PLAN_REMOVE : OXI_PLAN_ADD, .component = component};
    const char *function = removes ? "ox_query_remove" : "ox_query_add";
    if (!oxi_component_require_given(world, component, NULL, function, site) ||
        !oxi_query_collect(query, removes ? has : lacks, component, &plan, site)) {
        return false;
    }
    ox_entity left = removes ? (ox_entity){0, 0} : find_left(&plan);
    if (left.version != 0) {
        oxi_plan_undo(&plan);
        return oxi_require_no_residue(world, &world->store.entities.records[left.index], left,
                                      function, site);
    }
    return oxi_world_carry_out(world, &plan, &change, true, site);
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

// Takes the value, changes what was collected, and lets the value go. Chunks and rows that have it
// already stay as they are.
static bool set_shared(ox_world *world, oxi_plan *plan, const ox_component_info *info,
                       const void *value, ox_site site) {
    oxi_store_number(&world->store, info->id);
    oxi_shared_choice choice = {info->id, 0};
    if (oxi_shared_make_default(&world->store, info)) {
        choice.number = oxi_shared_take(&world->store, info, value);
    }
    if (choice.number != 0) {
        oxi_plan_forget_shared(plan, &choice);
    }
    oxi_plan_change change = {OXI_PLAN_SET_SHARED, info->id, .choice = &choice};
    bool is_done = oxi_world_carry_out(world, plan, &change, choice.number != 0, site);
    if (choice.number != 0) {
        oxi_shared_cancel(&world->store, choice.number); // lanes have it, or it is the caller's
    }
    return is_done;
}

bool ox_query_set_shared_at(ox_query *query, uint32_t component, const void *value, ox_site site) {
    static const char function[] = "ox_query_set_shared";
    oxi_plan plan;
    if (!oxi_query_enter(query, function, site) || !OXI_REQUIRE_ARGUMENT(value, function, site)) {
        return false;
    }
    const ox_component_info *info = oxi_query_require_shared(query, component, function, site);
    if (info == NULL || !oxi_query_collect(query, has, component, &plan, site)) {
        return false;
    }
    return set_shared(query->world, &plan, info, value, site);
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
    oxi_plan plan = {.store = &world->store};
    if (!oxi_sync_all(world, site)) {
        return false;
    }
    if (!oxi_plan_push_chunk(&plan, chunk->oxi_chunk)) {
        oxi_plan_undo(&plan);
        return oxi_world_report(world, OXI_NO_MEMORY, site);
    }
    return set_shared(world, &plan, info, value, site);
}
