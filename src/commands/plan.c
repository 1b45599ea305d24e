// SPDX-License-Identifier: MIT
//
// Planning: archetypes that entities end in are listed, in the order in which they are met; lanes,
// shared values, rows and blocks are reserved. When that fails, all is taken back.

#include "commands/plan.h"

#include "storage/buffers.h"
#include "storage/chunk_list.h"
#include "storage/shared_values.h"
#include "types/kinds.h"

// Lanes.

// The place of a lane that was taken among those that get rows; none when out of memory. It is
// held once for all.
static oxi_link hold_lane(oxi_planning *planning, oxi_archetype *archetype, oxi_lane *lane) {
    oxi_planned *planned = &planning->planned;
    oxi_link held = oxi_link_find(&planning->lane_index, (uintptr_t)lane);
    OXI_ASSERT(lane == &archetype->lane || lane->pin_count > 0);
    if (held.number == 0 && oxi_list_reserve(&planned->lanes, planned->lanes.count + 1) &&
        oxi_link_add(&planning->lane_index, (uintptr_t)lane)) {
        planned->lanes.items[planned->lanes.count++] =
            (oxi_target_lane){.archetype = archetype, .lane = lane};
        return oxi_link_to(planned->lanes.count - 1);
    }
    oxi_lane_leave(planning->store, archetype, lane);
    return held;
}

// Shared values.

// Stores a value that a command gives. @return its number, held, or 0 when out of memory.
static uint32_t take_shared(oxi_planning *planning, const ox_component_info *info,
                            const void *value) {
    if (info->align > OXI_COMMAND_ALIGN) {
        void *aligned = oxi_window_alloc(planning->judging, info->size, info->align);
        if (aligned == NULL) {
            return 0;
        }
        value = memcpy(aligned, value, info->size);
    }
    if (!oxi_list_reserve(&planning->choices, planning->choices.count + 1)) {
        return 0;
    }
    uint32_t number = oxi_shared_take(planning->store, info, value);
    if (number != 0) {
        planning->choices.items[planning->choices.count++] = number;
    }
    return number;
}

static bool choose_shared(oxi_planning *planning, uint32_t *values, const oxi_archetype *archetype,
                          uint32_t component, const void *value) {
    const ox_component_info *info = ox_component_get_info(component);
    int32_t type = oxi_archetype_find_type(planning->store, archetype, component);
    if (!oxi_kind_of(info)->in_lane || type < 0) {
        return true; // no business of a lane, or a later command removes it
    }
    uint32_t number = value != NULL ? take_shared(planning, info, value)
                                    : oxi_shared_default(planning->store, component);
    values[oxi_archetype_shared_slot(archetype, (uint32_t)type)] = number;
    return number != 0;
}

// Carries a command out on the shared values of an entity.
static bool apply_shared(oxi_planning *planning, const oxi_command *command,
                         const oxi_archetype *archetype, uint32_t *values) {
    switch (command->kind) {
    case OXI_COMMAND_CREATE:
    case OXI_COMMAND_ADD_MANY:
        for (uint32_t k = 0; k < command->item_count; k++) {
            const oxi_command_item *item = &oxi_command_items(command)[k];
            if (!choose_shared(planning, values, archetype, item->component,
                               oxi_item_value(command, item))) {
                return false;
            }
        }
        return true;
    case OXI_COMMAND_ADD:
    case OXI_COMMAND_SET:
    case OXI_COMMAND_REMOVE:
        return choose_shared(planning, values, archetype, command->component,
                             oxi_command_value(command));
    default:
        return true;
    }
}

// The lane that an entity ends in, pinned. NULL when out of memory.
static oxi_lane *find_target_lane(oxi_planning *planning, const oxi_touched *touched) {
    oxi_archetype *archetype = touched->to;
    if (!oxi_archetype_has_lanes(archetype)) {
        return &archetype->lane;
    }
    const oxi_judged *judged = planning->judged;
    uint32_t values[OXI_MAX_SHARED_TYPES];
    const oxi_window_copy *copy = oxi_touched_copy(judged, touched);
    oxi_chunk chunk = touched->place.chunk;
    if (copy != NULL) {
        chunk = judged->members.items[copy->member].place.chunk;
    }
    oxi_lane_values(planning->store, archetype, chunk, NULL, 0, values);
    oxi_touch_op op = {NULL, {0}};
    if ((touched->flags & OXI_TOUCH_SHARED) != 0) {
        op = oxi_ops_first(judged, touched);
    }
    for (; op.command != NULL; op = oxi_ops_next(judged, op)) {
        if (!apply_shared(planning, op.command, archetype, values)) {
            return NULL;
        }
    }
    return oxi_lane_take(planning->store, archetype, values);
}

// Ways.

// Finds the way of an entity to its row; none when it stays where it is. @return false when out of
// memory.
static bool find_way(oxi_planning *planning, const oxi_touched *touched, oxi_archetype *from,
                     oxi_link *way) {
    oxi_archetype *to = touched->to;
    if (!oxi_archetype_list(planning->store, to)) {
        return false;
    }
    oxi_lane *lane = find_target_lane(planning, touched);
    if (lane == NULL) {
        return false;
    }
    *way = (oxi_link){0};
    if (from == to &&
        (!oxi_archetype_has_lanes(to) || oxi_lane_of(from, touched->place.chunk) == lane)) {
        oxi_lane_leave(planning->store, to, lane);
        return true;
    }
    oxi_link held = hold_lane(planning, to, lane);
    if (held.number == 0) {
        return false;
    }
    oxi_target_way made = {from, to, NULL, oxi_link_place(held)};
    if (from != NULL) {
        oxi_outcome outcome;
        made.edge = oxi_edge_to(planning->store, from, to, &outcome);
        if (made.edge == NULL) {
            return false;
        }
    }
    if (!oxi_list_push(&planning->planned.ways, made)) {
        return false;
    }
    *way = oxi_link_to(planning->planned.ways.count - 1);
    return true;
}

// Notes that so many entities go a way.
static void count_way(oxi_planned *planned, oxi_link way, bool is_new, uint32_t count) {
    if (way.number == 0) {
        planned->has_changed = true;
        return;
    }
    const oxi_target_way *target = &planned->ways.items[oxi_link_place(way)];
    planned->lanes.items[target->lane].count += count;
    planned->has_moved = planned->has_moved || !is_new;
}

// Where an entity goes. What shares no values goes the way of the last one, if it can.
static bool plan_entity(oxi_planning *planning, const oxi_touched *touched,
                        oxi_planned_entity *entity) {
    bool is_new = (touched->flags & OXI_TOUCH_NEW) != 0;
    oxi_archetype *from = is_new ? NULL : oxi_archetype_of(touched->place.chunk);
    if (planning->last_to != touched->to || planning->last_from != from ||
        oxi_archetype_has_lanes(touched->to)) {
        if (!find_way(planning, touched, from, &planning->last_way)) {
            return false;
        }
        planning->last_from = from;
        planning->last_to = touched->to;
    }
    *entity = (oxi_planned_entity){.way = planning->last_way};
    count_way(&planning->planned, entity->way, is_new, 1);
    bool is_plain = (touched->flags & OXI_TOUCH_BUFFERS) == 0 && touched->copy.number == 0;
    return is_plain || oxi_plan_blocks(planning, touched, entity);
}

static bool plan_entities(oxi_planning *planning) {
    const oxi_judged *judged = planning->judged;
    oxi_planned *planned = &planning->planned;
    if (judged->several.count == 0) {
        return true;
    }
    if (!oxi_list_reserve(&planned->entities, judged->touched.count)) {
        return false;
    }
    planned->entities.count = judged->touched.count;
    for (size_t k = 0; k < judged->several.count; k++) {
        uint32_t place = judged->several.items[k];
        OXI_ASSERT(place < judged->touched.count);
        const oxi_touched *touched = &judged->touched.items[place];
        if (touched->to != NULL &&
            !plan_entity(planning, touched, &planned->entities.items[place])) {
            return false;
        }
    }
    return true;
}

// Entities whose only commands are alike and share no values go one way.
static bool plan_signatures(oxi_planning *planning) {
    const oxi_judged *judged = planning->judged;
    oxi_planned *planned = &planning->planned;
    if (!oxi_list_resize(&planned->signature_ways, judged->signatures.count)) {
        return false;
    }
    for (size_t k = 0; k < judged->signatures.count; k++) {
        const oxi_signature *signature = &judged->signatures.items[k];
        if (signature->count == 0) {
            continue;
        }
        oxi_touched any = {.to = signature->to};
        OXI_ASSERT(!oxi_archetype_has_lanes(signature->to));
        if (!find_way(planning, &any, signature->from, &planned->signature_ways.items[k])) {
            return false;
        }
        count_way(planned, planned->signature_ways.items[k], signature->from == NULL,
                  signature->count);
    }
    return true;
}

// Rows.

// Chunks with room may be gone when rows that end are removed: then new ones must do for all.
static oxi_outcome reserve_lane(oxi_store *store, const oxi_target_lane *lane, bool ends_any) {
    oxi_archetype *archetype = lane->archetype;
    if (!ends_any) {
        return oxi_rows_reserve_more(store, archetype, lane->lane, lane->count);
    }
    uint32_t chunks = (lane->count + archetype->capacity - 1) / archetype->capacity;
    return oxi_chunks_reserve(store, archetype, lane->lane,
                              oxi_chunks_reserved(archetype) + chunks);
}

static bool plan_rows(oxi_planning *planning) {
    oxi_planned *planned = &planning->planned;
    for (size_t k = 0; k < planned->lanes.count; k++) {
        oxi_target_lane *lane = &planned->lanes.items[k];
        if (reserve_lane(planning->store, lane, planning->judged->has_ended) != OXI_DONE) {
            return false;
        }
        lane->first = planned->row_count;
        planned->row_count += lane->count;
    }
    return true;
}

// Letting go.

void oxi_plan_leave(oxi_planning *planning) {
    oxi_planned *planned = &planning->planned;
    for (size_t k = 0; k < planned->lanes.count; k++) {
        oxi_chunks_release(planning->store, planned->lanes.items[k].archetype);
    }
    for (size_t k = 0; k < planned->lanes.count; k++) {
        oxi_target_lane *lane = &planned->lanes.items[k];
        oxi_lane_leave(planning->store, lane->archetype, lane->lane);
    }
    while (planning->choices.count > 0) {
        oxi_shared_cancel(planning->store, oxi_list_pop(&planning->choices));
    }
    oxi_links_clear(&planning->lane_index);
    oxi_list_clear(&planned->ways);
    oxi_list_clear(&planned->signature_ways);
    oxi_list_clear(&planned->entities);
    oxi_list_clear(&planned->lanes);
    oxi_list_clear(&planned->blocks);
    planned->row_count = 0;
    planned->has_moved = planned->has_changed = false;
}

void oxi_plan_cancel(oxi_planning *planning) {
    for (size_t k = 0; k < planning->planned.blocks.count; k++) {
        const oxi_planned_block *planned = &planning->planned.blocks.items[k];
        oxi_buffer_block_give(planned->kind, planned->block);
    }
    oxi_plan_leave(planning);
    oxi_archetypes_undo(planning->store, planning->archetypes);
}

void oxi_planning_free(oxi_planning *planning) {
    oxi_list_free(&planning->planned.ways);
    oxi_list_free(&planning->planned.signature_ways);
    oxi_list_free(&planning->planned.entities);
    oxi_list_free(&planning->planned.lanes);
    oxi_list_free(&planning->planned.blocks);
    oxi_links_free(&planning->lane_index);
    oxi_list_free(&planning->choices);
}

bool oxi_window_plan(oxi_planning *planning, oxi_judging *judging) {
    OXI_ASSERT(planning->planned.lanes.count == 0); // nothing is held from a window before
    OXI_ASSERT(planning->planned.blocks.count == 0);
    OXI_ASSERT(planning->choices.count == 0);
    planning->store = &judging->world->store;
    planning->judging = judging;
    planning->judged = &judging->judged;
    planning->archetypes = planning->store->archetypes.count;
    planning->last_to = NULL;
    if (plan_entities(planning) && plan_signatures(planning) && plan_rows(planning)) {
        return true;
    }
    oxi_plan_cancel(planning);
    return false;
}
