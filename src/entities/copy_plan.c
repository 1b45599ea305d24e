// SPDX-License-Identifier: MIT
//
// Making plans of copies: the set, where each goes, what it needs.

#include "entities/copy_plan.h"

#include "base/hash.h"
#include "storage/buffers.h"
#include "storage/chunk_list.h"
#include "types/row_size.h"

#include <string.h>

enum { LEAST_MEMBERS_INDEX = 16 };

// The set.

static uint32_t *find_member_slot(const oxi_copy_plan *plan, ox_entity entity) {
    size_t mask = plan->index.count - 1;
    for (size_t at = oxi_hash_mix(entity.index) & mask;; at = (at + 1) & mask) {
        uint32_t *slot = &plan->index.items[at];
        if (*slot == 0) {
            return slot;
        }
        ox_entity there = plan->members.items[*slot - 1].entity;
        if (there.index == entity.index && there.version == entity.version) {
            return slot;
        }
    }
}

static bool grow_index(const ox_world *world, oxi_copy_plan *plan) {
    size_t size = plan->index.count;
    if ((plan->members.count + 1) * 2 <= size) {
        return true;
    }
    size = size == 0 ? LEAST_MEMBERS_INDEX : size * 2;
    if (!oxi_list_resize_in(world->store.heap, &plan->index, size)) {
        return false;
    }
    memset(plan->index.items, 0, size * sizeof(uint32_t));
    for (uint32_t k = 0; k < plan->members.count; k++) {
        *find_member_slot(plan, plan->members.items[k].entity) = k + 1;
    }
    return true;
}

bool oxi_copy_plan_add(ox_world *world, oxi_copy_plan *plan, ox_entity entity) {
    if (!grow_index(world, plan)) {
        return false;
    }
    uint32_t *slot = find_member_slot(plan, entity);
    if (*slot != 0) {
        return true;
    }
    oxi_copied added = {.entity = entity};
    if (!oxi_list_push_in(world->store.heap, &plan->members, added)) {
        return false;
    }
    *slot = (uint32_t)plan->members.count;
    return true;
}

uint32_t oxi_copy_plan_find(const oxi_copy_plan *plan, ox_entity entity) {
    return plan->index.count > 0 ? *find_member_slot(plan, entity) : 0;
}

// Where copies go.

uint32_t oxi_copy_list_types(const ox_world *world, const oxi_archetype *from, bool keeps_prefab,
                             uint16_t *types) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < from->type_count; k++) {
        bool is_left = oxi_is_cleanup(ox_component_get_info(from->types[k])) ||
                       (from->types[k] == world->ids.prefab && !keeps_prefab);
        if (!is_left) {
            types[count++] = from->types[k];
        }
    }
    return count;
}

// True when an instance is its row and nothing else: no group, no shared values, no elements of
// buffers, no fields that may point to itself.
static bool is_only_a_row(const oxi_archetype *archetype) {
    if (archetype->shared_count > 0 || archetype->buffer_count > 0) {
        return false;
    }
    for (uint32_t k = 1; k < archetype->column_count; k++) {
        if (ox_component_get_info(archetype->columns[k].component)->entity_count > 0) {
            return false;
        }
    }
    return true;
}

static oxi_outcome find_copy_way(ox_world *world, const oxi_copy_plan *plan, oxi_copied *member) {
    oxi_outcome outcome;
    oxi_chunk chunk = world->store.entities.records[member->entity.index].chunk;
    oxi_archetype *from = oxi_archetype_of(chunk);
    uint16_t types[OXI_MAX_ARCHETYPE_TYPES];
    uint32_t count = oxi_copy_list_types(world, from, plan->keeps_prefab, types);
    oxi_archetype *to = oxi_archetype_get(&world->store, types, count, &outcome);
    member->edge = to != NULL ? oxi_edge_to(&world->store, from, to, &outcome) : NULL;
    if (member->edge == NULL) {
        return outcome;
    }
    uint32_t values[OXI_MAX_SHARED_TYPES];
    oxi_lane_values(&world->store, to, chunk, NULL, 0, values);
    member->lane = oxi_lane_take(&world->store, to, values);
    if (!plan->keeps_prefab && is_only_a_row(to)) {
        from->copied = member->edge;
    }
    return member->lane != NULL ? OXI_DONE : OXI_NO_MEMORY;
}

// What points into the set.

static const char *source_value(const ox_world *world, const oxi_copied *member,
                                const oxi_column *column) {
    const oxi_record *record = &world->store.entities.records[member->entity.index];
    const oxi_archetype *from = oxi_archetype_of(record->chunk);
    int32_t type = oxi_archetype_find_type(&world->store, from, column->component);
    const oxi_column *own = &from->columns[from->column_of_type[type]];
    return oxi_chunk_address(record->chunk) + own->offset + (size_t)record->row * own->size;
}

static bool patch_values(const ox_world *world, oxi_copy_plan *plan, const oxi_column *column,
                         const char *values, uint32_t count) {
    const ox_component_info *info = ox_component_get_info(column->component);
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t n = 0; n < info->entity_count; n++) {
            size_t offset = (size_t)k * info->size + info->entity_offsets[n];
            ox_entity there;
            memcpy(&there, values + offset, sizeof there);
            uint32_t slot = *find_member_slot(plan, there);
            oxi_patch patch = {column, offset, slot - 1};
            if (slot != 0 && !oxi_list_push_in(world->store.heap, &plan->patches, patch)) {
                return false;
            }
        }
    }
    return true;
}

static bool patch_member(const ox_world *world, oxi_copy_plan *plan, oxi_copied *member) {
    const oxi_archetype *to = member->edge->target;
    bool is_done = true;
    member->first_patch = (uint32_t)plan->patches.count;
    for (uint32_t k = 1; is_done && k < to->column_count; k++) {
        const oxi_column *column = &to->columns[k];
        if (ox_component_get_info(column->component)->entity_count == 0) {
            continue;
        }
        const char *value = source_value(world, member, column);
        const oxi_buffer_head *head = (const oxi_buffer_head *)(const void *)value;
        is_done = column->buffer != NULL
                      ? patch_values(world, plan, column, oxi_buffer_data(column->buffer, head),
                                     head->count)
                      : patch_values(world, plan, column, value, 1);
    }
    return is_done;
}

// Blocks of buffers.

static bool reserve_blocks(const ox_world *world, oxi_copy_plan *plan, const oxi_copied *member) {
    const oxi_archetype *to = member->edge->target;
    for (uint32_t k = 1; to->buffer_count > 0 && k < to->column_count; k++) {
        const oxi_column *column = &to->columns[k];
        if (column->buffer == NULL) {
            continue;
        }
        const oxi_buffer_head *head =
            (const oxi_buffer_head *)(const void *)source_value(world, member, column);
        if (!oxi_copy_needs_block(column->buffer, head)) {
            continue;
        }
        if (!oxi_list_reserve_in(world->store.heap, &plan->blocks, plan->blocks.count + 1)) {
            return false;
        }
        char *block = oxi_buffer_block_take(column->buffer, head->count);
        if (block == NULL) {
            return false;
        }
        plan->blocks.items[plan->blocks.count++] = block;
    }
    return true;
}

oxi_outcome oxi_copy_plan_reserve(ox_world *world, oxi_copy_plan *plan, uint32_t count) {
    uint64_t all = (uint64_t)count * plan->members.count;
    oxi_outcome outcome =
        all <= INT32_MAX ? oxi_entity_reserve(&world->store.entities, (uint32_t)all) : OXI_AT_LIMIT;
    if (outcome == OXI_DONE &&
        !oxi_list_resize_in(world->store.heap, &plan->made, plan->members.count)) {
        outcome = OXI_NO_MEMORY;
    }
    for (size_t k = 0; outcome == OXI_DONE && k < plan->members.count; k++) {
        oxi_copied *member = &plan->members.items[k];
        outcome = find_copy_way(world, plan, member);
        if (outcome == OXI_DONE) {
            outcome =
                oxi_rows_reserve_more(&world->store, member->edge->target, member->lane, count);
        }
        if (outcome == OXI_DONE && !patch_member(world, plan, member)) {
            outcome = OXI_NO_MEMORY;
        }
    }
    for (size_t k = 0; outcome == OXI_DONE && k < count * plan->members.count; k++) {
        const oxi_copied *member = &plan->members.items[k % plan->members.count];
        if (member->edge->target->buffer_count > 0 && !reserve_blocks(world, plan, member)) {
            outcome = OXI_NO_MEMORY;
        }
    }
    return outcome;
}

// Freeing.

static void free_plan_lists(const ox_world *world, oxi_copy_plan *plan) {
    const oxi_hooks *heap = world->store.heap;
    oxi_list_free_in(heap, &plan->members);
    oxi_list_free_in(heap, &plan->index);
    oxi_list_free_in(heap, &plan->patches);
    oxi_list_free_in(heap, &plan->blocks);
    oxi_list_free_in(heap, &plan->made);
}

static void leave_plan_lanes(ox_world *world, const oxi_copy_plan *plan) {
    for (size_t k = 0; k < plan->members.count; k++) {
        const oxi_copied *member = &plan->members.items[k];
        if (member->lane != NULL) {
            oxi_lane_leave(&world->store, member->edge->target, member->lane);
        }
    }
}

void oxi_copy_plan_free(ox_world *world, oxi_copy_plan *plan) {
    leave_plan_lanes(world, plan);
    free_plan_lists(world, plan);
}

// Blocks were taken member by member, column by column.
static void give_blocks(const ox_world *world, const oxi_copy_plan *plan) {
    size_t given = 0;
    for (size_t k = 0; given < plan->blocks.count; k++) {
        const oxi_copied *member = &plan->members.items[k % plan->members.count];
        const oxi_archetype *to = member->edge->target;
        for (uint32_t n = 1; n < to->column_count && given < plan->blocks.count; n++) {
            const oxi_column *column = &to->columns[n];
            if (column->buffer != NULL &&
                oxi_copy_needs_block(
                    column->buffer,
                    (const oxi_buffer_head *)(const void *)source_value(world, member, column))) {
                oxi_buffer_block_give(column->buffer, plan->blocks.items[given++]);
            }
        }
    }
}

void oxi_copy_plan_undo(ox_world *world, oxi_copy_plan *plan) {
    give_blocks(world, plan);
    leave_plan_lanes(world, plan);
    for (size_t k = plan->members.count; k-- > 0;) {
        const oxi_copied *member = &plan->members.items[k];
        if (member->edge != NULL) {
            oxi_chunks_release(&world->store, member->edge->target);
        }
    }
    oxi_archetypes_undo(&world->store, plan->archetypes);
    free_plan_lists(world, plan);
}
