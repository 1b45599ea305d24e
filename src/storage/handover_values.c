// SPDX-License-Identifier: MIT
//
// What goes along with chunks: shared values, buffers, references, names.
//
// A shared value whose component can copy is copied for the target and dropped by the source, as
// any two worlds with equal values have one each. One that cannot be copied is handed over: then
// all its chunks go, and the source drops nothing.

#include "storage/handover.h"

#include "storage/buffers.h"
#include "storage/chunk_list.h"
#include "storage/shared_values.h"
#include "types/shared_calls.h"

#include <string.h>

// Shared values.

static void note_lane(oxi_handover *plan, const oxi_archetype *archetype, const oxi_lane *lane) {
    size_t leaving = 0;
    for (size_t k = 0; k < lane->chunks.count; k++) {
        oxi_chunk chunk = lane->chunks.items[k];
        leaving += chunk != 0 && oxi_chunk_entry_of(chunk)->next != 0;
    }
    OXI_ASSERT(leaving + lane->gap_count <= lane->chunks.count);
    bool ends = leaving == lane->chunks.count - lane->gap_count;
    for (uint32_t k = 0; leaving > 0 && k < oxi_lane_value_count(archetype); k++) {
        OXI_ASSERT(lane->values[k] < plan->values.count);
        oxi_handed_value *value = &plan->values.items[lane->values[k]];
        value->is_needed = true;
        value->leaving += ends;
    }
}

bool oxi_handover_list_values(oxi_handover *plan) {
    for (size_t k = 0; k < plan->parts.count; k++) {
        const oxi_archetype *archetype = plan->parts.items[k].from;
        size_t all = plan->from->shared.values.count;
        if (!oxi_archetype_has_lanes(archetype)) {
            continue;
        }
        if (plan->values.count < all && !oxi_list_resize_in(plan->to->heap, &plan->values, all)) {
            return false;
        }
        for (size_t n = 0; n < archetype->lanes.count; n++) {
            note_lane(plan, archetype, archetype->lanes.items[n]);
        }
    }
    return true;
}

static bool is_last_of(const oxi_handover *plan, uint32_t number) {
    return plan->values.items[number].leaving == oxi_shared_at(plan->from, number)->ref_count;
}

uint32_t oxi_handover_find_owned(const oxi_handover *plan) {
    for (uint32_t k = 1; k < plan->values.count; k++) {
        const oxi_shared_value *value = oxi_shared_at(plan->from, k);
        if (!plan->values.items[k].is_needed || value->is_default || is_last_of(plan, k)) {
            continue;
        }
        const ox_component_info *info = ox_component_get_info(value->component);
        if (oxi_shared_drop_of(info) != NULL && !oxi_shared_copies(info) &&
            oxi_shared_find(plan->to, info, value->bytes) == 0) {
            return info->id;
        }
    }
    return 0;
}

bool oxi_handover_reserve_values(oxi_handover *plan) {
    for (uint32_t k = 1; k < plan->values.count; k++) {
        oxi_handed_value *value = &plan->values.items[k];
        if (!value->is_needed) {
            continue;
        }
        const oxi_shared_value *stored = oxi_shared_at(plan->from, k);
        const ox_component_info *info = ox_component_get_info(stored->component);
        bool is_new = oxi_shared_find(plan->to, info, stored->bytes) == 0;
        value->number = oxi_shared_take(plan->to, info, stored->bytes);
        value->is_handed = is_new && !oxi_shared_copies(info) && is_last_of(plan, k);
        if (value->number == 0) {
            return false;
        }
    }
    return true;
}

// Pins the lane that a chunk comes to, and makes room for it there.
static oxi_lane *take_lane(oxi_handover *plan, const oxi_handed_part *part, oxi_chunk chunk) {
    uint32_t values[OXI_MAX_SHARED_TYPES];
    const oxi_lane *before = oxi_lane_of(part->from, chunk);
    for (uint32_t k = 0; k < oxi_lane_value_count(part->to); k++) {
        values[k] = plan->values.items[before->values[k]].number;
        OXI_ASSERT(values[k] != 0);
    }
    return oxi_lane_take(plan->to, part->to, values);
}

bool oxi_handover_reserve_lanes(oxi_handover *plan) {
    if (plan->values.count == 0) {
        return true;
    }
    if (!oxi_list_reserve_in(plan->to->heap, &plan->lanes, plan->chunks.count)) {
        return false;
    }
    for (size_t k = 0; k < plan->parts.count; k++) {
        const oxi_handed_part *part = &plan->parts.items[k];
        for (uint32_t n = part->first; n < part->first + part->count; n++) {
            oxi_lane *lane = take_lane(plan, part, plan->chunks.items[n]);
            if (lane == NULL) {
                return false;
            }
            plan->lanes.items[plan->lanes.count++] = lane;
            if (lane != &part->to->lane &&
                !oxi_chunk_list_reserve(plan->to, part->to, lane, lane->pin_count)) {
                return false;
            }
        }
    }
    return true;
}

static void leave_lanes_of_part(oxi_handover *plan, const oxi_handed_part *part) {
    for (uint32_t k = part->first; k < part->first + part->count && k < plan->lanes.count; k++) {
        oxi_lane_leave(plan->to, part->to, plan->lanes.items[k]);
    }
}

// Lanes of the target have the values, or nothing came of it and new ones are the source's.
static void leave_values(oxi_handover *plan) {
    for (size_t k = 0; k < plan->parts.count; k++) {
        leave_lanes_of_part(plan, &plan->parts.items[k]);
    }
    for (uint32_t k = 1; k < plan->values.count; k++) {
        if (plan->values.items[k].number != 0) {
            oxi_shared_cancel(plan->to, plan->values.items[k].number);
        }
    }
    plan->lanes.count = plan->values.count = 0;
}

// Lets values go that no lane of the source has any more: last, for that calls users' functions.
void oxi_handover_settle_values(oxi_handover *plan) {
    for (uint32_t k = 1; k < plan->values.count; k++) {
        if (plan->values.items[k].is_handed) {
            oxi_shared_at(plan->from, k)->is_handed = true;
        }
    }
    leave_values(plan);
    for (size_t k = 0; k < plan->parts.count; k++) {
        oxi_archetype *archetype = plan->parts.items[k].from;
        for (size_t n = archetype->lanes.count; n-- > 0;) {
            oxi_lane_settle(plan->from, archetype, archetype->lanes.items[n]);
        }
    }
}

void oxi_handover_free_values(oxi_handover *plan) {
    const oxi_hooks *heap = plan->to->heap;
    leave_values(plan);
    for (size_t k = 0; k < plan->blocks.count; k++) {
        oxi_buffer_block_give(plan->blocks.items[k].kind, plan->blocks.items[k].outside);
    }
    oxi_list_free_in(heap, &plan->lanes);
    oxi_list_free_in(heap, &plan->values);
    oxi_list_free_in(heap, &plan->blocks);
}

// Columns. A walk calls a function for each value of a column, in the order of parts, columns,
// chunks and rows, until it says no.

typedef struct handed_cell {
    const oxi_column *from;
    const oxi_column *to;
    char *value;
} handed_cell;

typedef bool handed_cell_fn(void *context, const handed_cell *cell);

static bool walk_column(const oxi_handover *plan, const oxi_handed_part *part, uint32_t column,
                        handed_cell_fn *visit, void *context) {
    handed_cell cell = {&part->from->columns[column], &part->to->columns[column], NULL};
    OXI_ASSERT(cell.from->component == cell.to->component);
    OXI_ASSERT(cell.from->offset == cell.to->offset);
    for (uint32_t k = part->first; k < part->first + part->count; k++) {
        oxi_chunk chunk = plan->chunks.items[k];
        cell.value = oxi_chunk_address(chunk) + cell.from->offset;
        for (uint32_t row = 0; row < oxi_chunk_entry_of(chunk)->count; row++) {
            if (!visit(context, &cell)) {
                return false;
            }
            cell.value += cell.from->size;
        }
    }
    return true;
}

static bool walk_buffers(const oxi_handover *plan, handed_cell_fn *visit, void *context) {
    for (size_t k = 0; k < plan->parts.count; k++) {
        const oxi_handed_part *part = &plan->parts.items[k];
        for (uint32_t n = oxi_next_buffers(part->from, 1); n < part->from->column_count;
             n = oxi_next_buffers(part->from, n + 1)) {
            if (!walk_column(plan, part, n, visit, context)) {
                return false;
            }
        }
    }
    return true;
}

// Buffers.

static bool reserve_block(void *context, const handed_cell *cell) {
    oxi_handover *plan = context;
    const oxi_buffer_head *head = (const oxi_buffer_head *)(const void *)cell->value;
    if (head->outside == NULL) {
        return true;
    }
    if (!oxi_list_reserve_in(plan->to->heap, &plan->blocks, plan->blocks.count + 1)) {
        return false;
    }
    const oxi_buffer_kind *kind = cell->to->buffer;
    char *outside = oxi_buffer_block_take(kind, oxi_buffer_capacity(kind, head));
    if (outside == NULL) {
        return false;
    }
    plan->blocks.items[plan->blocks.count++] = (oxi_handed_block){kind, outside};
    return true;
}

bool oxi_handover_reserve_blocks(oxi_handover *plan) {
    return plan->from->heap == plan->to->heap || walk_buffers(plan, reserve_block, plan);
}

static bool adopt_block(void *context, const handed_cell *cell) {
    const oxi_buffer_head *head = (const oxi_buffer_head *)(const void *)cell->value;
    (void)context;
    if (head->outside != NULL) {
        oxi_buffer_block_adopt(cell->to->buffer, cell->from->buffer, head->outside);
    }
    return true;
}

static bool replace_block(void *context, const handed_cell *cell) {
    oxi_handed_block **next = context;
    oxi_buffer_head *head = (oxi_buffer_head *)(void *)cell->value;
    if (head->outside != NULL) {
        char *before = head->outside;
        head->outside = (*next)++->outside;
        memcpy(head->outside, before, (size_t)head->count * cell->from->buffer->size);
        oxi_buffer_block_give(cell->from->buffer, before);
    }
    return true;
}

void oxi_handover_carry_blocks(oxi_handover *plan) {
    oxi_handed_block *next = plan->blocks.items;
    if (plan->from->heap == plan->to->heap) {
        walk_buffers(plan, adopt_block, NULL);
    } else {
        walk_buffers(plan, replace_block, &next);
        OXI_ASSERT(next == plan->blocks.items + plan->blocks.count);
    }
}

// References.

typedef struct patched_column {
    const oxi_entity_table *table; // of the source: its records tell where entities went
    const ox_component_info *info;
} patched_column;

static void patch_value(const patched_column *patched, char *value) {
    for (uint32_t k = 0; k < patched->info->entity_count; k++) {
        char *field = value + patched->info->entity_offsets[k];
        ox_entity there;
        memcpy(&there, field, sizeof there);
        const oxi_record *record = oxi_entity_find(patched->table, there);
        there = record != NULL && oxi_record_is_forwarded(record) ? oxi_record_forwarded(record)
                                                                  : (ox_entity){0, 0};
        memcpy(field, &there, sizeof there);
    }
}

static bool patch_cell(void *context, const handed_cell *cell) {
    const patched_column *patched = context;
    oxi_values values = oxi_cell_values(cell->from, cell->value);
    for (uint32_t k = 0; k < values.count; k++) {
        patch_value(patched, values.first + (size_t)k * patched->info->size);
    }
    return true;
}

void oxi_handover_patch(const oxi_handover *plan) {
    for (size_t k = 0; k < plan->parts.count; k++) {
        const oxi_handed_part *part = &plan->parts.items[k];
        for (uint32_t n = 1; n < part->from->column_count; n++) {
            patched_column patched = {&plan->from->entities,
                                      ox_component_get_info(part->from->columns[n].component)};
            if (patched.info->entity_count > 0) {
                walk_column(plan, part, n, patch_cell, &patched);
            }
        }
    }
}

// Names.

static bool reserve_name(oxi_handover *plan, const oxi_name *name) {
    const oxi_record *record = &plan->from->entities.records[name->entity.index];
    OXI_ASSERT(record->version == name->entity.version);
    if (oxi_chunk_entry_of(record->chunk)->next == 0) {
        return true; // it stays
    }
    bool is_taken = oxi_name_find(&plan->to->names, name->text).version != 0;
    oxi_handed_name handed = {.before = name->entity, .place = {record->chunk, record->row}};
    if (!oxi_list_push_in(plan->to->heap, &plan->names, handed)) {
        return false;
    }
    oxi_name *made = is_taken ? NULL : oxi_name_make(&plan->to->names, name->text);
    oxi_list_last(&plan->names).made = made;
    return is_taken || made != NULL;
}

bool oxi_handover_reserve_names(oxi_handover *plan) {
    const oxi_names *names = &plan->from->names;
    for (size_t k = 0; k < names->chain_count; k++) {
        for (const oxi_name *name = names->by_text[k]; name != NULL; name = name->next_by_text) {
            if (!reserve_name(plan, name)) {
                return false;
            }
        }
    }
    return oxi_names_reserve(&plan->to->names, plan->names.count);
}

// Ids have changed, and no row has moved yet.
void oxi_handover_carry_names(oxi_handover *plan) {
    for (size_t k = 0; k < plan->names.count; k++) {
        oxi_handed_name *name = &plan->names.items[k];
        name->left = oxi_name_unlink(&plan->from->names, name->before);
        OXI_ASSERT(name->left != NULL);
        if (name->made != NULL) {
            ox_entity after = oxi_chunk_entities(name->place.chunk)[name->place.row];
            oxi_name_link(&plan->to->names, name->made, after);
        }
    }
}

void oxi_handover_free_names(oxi_handover *plan) {
    for (size_t k = 0; k < plan->names.count; k++) {
        oxi_handed_name *name = &plan->names.items[k];
        if (name->left != NULL) {
            oxi_name_free(&plan->from->names, name->left);
        } else if (name->made != NULL) {
            oxi_name_free(&plan->to->names, name->made);
        }
    }
    oxi_list_free_in(plan->to->heap, &plan->names);
}
