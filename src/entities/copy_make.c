// SPDX-License-Identifier: MIT
//
// Carrying out plans of copies. Nothing can fail.

#include "entities/copy_plan.h"
#include "storage/buffers.h"
#include "storage/enabled_bits.h"

#include <string.h>

// Copies the values of a member to a row that was added.
static void copy_row(ox_world *world, const oxi_copied *member, oxi_row_place to) {
    // Adding the row may have closed the source's chunk: where it is, its record says.
    const oxi_record *record = &world->store.entities.records[member->entity.index];
    oxi_row_carry(&world->store, member->edge, to, (oxi_row_place){record->chunk, record->row});
}

// Gives the buffers of a copied row elements of their own.
static void own_buffers(oxi_copy_plan *plan, const oxi_archetype *archetype, oxi_row_place place) {
    for (uint32_t k = oxi_next_buffers(archetype, 1); k < archetype->column_count;
         k = oxi_next_buffers(archetype, k + 1)) {
        const oxi_column *column = &archetype->columns[k];
        oxi_buffer_head *head = (oxi_buffer_head *)(void *)oxi_column_at(archetype, k, place);
        const char *elements = oxi_buffer_data(column->buffer, head);
        size_t size = (size_t)head->count * column->buffer->size;
        if (oxi_copy_needs_block(column->buffer, head)) {
            char *block = plan->blocks.items[plan->next_block++];
            memcpy(block, elements, size);
            head->outside = block;
        } else if (head->outside != NULL) {
            memcpy((char *)head + column->buffer->inline_offset, elements, size);
            head->outside = NULL;
        }
        head->generation = 0;
    }
}

static oxi_row_place copy_member(ox_world *world, oxi_copy_plan *plan, const oxi_copied *member,
                                 ox_entity *made) {
    oxi_archetype *archetype = member->edge->target;
    oxi_row_place place = oxi_entity_begin(&world->store, archetype, member->lane, made);
    copy_row(world, member, place);
    own_buffers(plan, archetype, place);
    return place;
}

// Rows of one source.

// Fills `count` values that follow each other with the first of them.
static void repeat_value(char *values, uint32_t size, uint32_t count) {
    size_t done = size, all = (size_t)size * count;
    while (done < all) {
        size_t part = done < all - done ? done : all - done;
        memcpy(values + done, values, part);
        done += part;
    }
}

static void repeat_row(const oxi_archetype *archetype, oxi_rows rows) {
    char *base = oxi_chunk_address(rows.chunk);
    for (uint32_t k = 1; k < archetype->column_count; k++) {
        const oxi_column *column = &archetype->columns[k];
        repeat_value(base + column->offset + (size_t)rows.first * column->size, column->size,
                     rows.count);
    }
    oxi_bits_repeat(archetype, rows);
}

// Lets what points to the source point to each copy itself.
static void patch_rows(const oxi_copy_plan *plan, oxi_rows rows) {
    const ox_entity *entities = oxi_chunk_entities(rows.chunk) + rows.first;
    for (size_t k = 0; k < plan->patches.count; k++) {
        const oxi_patch *patch = &plan->patches.items[k];
        const oxi_column *column = patch->column;
        char *value =
            oxi_chunk_address(rows.chunk) + column->offset + (size_t)rows.first * column->size;
        for (uint32_t n = 0; n < rows.count; n++, value += column->size) {
            char *first = oxi_cell_values(column, value).first;
            memcpy(first + patch->offset, &entities[n], sizeof(ox_entity));
        }
    }
}

// Copies of a single entity come chunk by chunk: the same ids and rows as one by one.
static void make_copies_of_one(ox_world *world, oxi_copy_plan *plan, uint32_t count,
                               ox_entity *copies) {
    const oxi_copied *member = &plan->members.items[0];
    oxi_archetype *archetype = member->edge->target;
    for (uint32_t left = count; left > 0;) {
        oxi_rows rows = oxi_entities_begin(&world->store, archetype, member->lane, left, copies);
        copy_row(world, member, (oxi_row_place){rows.chunk, rows.first});
        repeat_row(archetype, rows);
        for (uint32_t k = 0; !archetype->is_plain && k < rows.count; k++) {
            own_buffers(plan, archetype, (oxi_row_place){rows.chunk, rows.first + k});
        }
        patch_rows(plan, rows);
        copies = copies != NULL ? copies + rows.count : NULL;
        left -= rows.count;
    }
    oxi_note_change(&world->store, archetype);
}

// Lets what points into the set point to the copies of one instance.
static void apply_patches(const ox_world *world, const oxi_copy_plan *plan, size_t index) {
    const oxi_copied *member = &plan->members.items[index];
    uint32_t end =
        index + 1 < plan->members.count ? member[1].first_patch : (uint32_t)plan->patches.count;
    const oxi_record *record = &world->store.entities.records[plan->made.items[index].index];
    for (uint32_t k = member->first_patch; k < end; k++) {
        const oxi_patch *patch = &plan->patches.items[k];
        const oxi_column *column = patch->column;
        char *value =
            oxi_chunk_address(record->chunk) + column->offset + (size_t)record->row * column->size;
        value = oxi_cell_values(column, value).first;
        memcpy(value + patch->offset, &plan->made.items[patch->member], sizeof(ox_entity));
    }
}

static void make_instance(ox_world *world, oxi_copy_plan *plan) {
    for (size_t k = 0; k < plan->members.count; k++) {
        copy_member(world, plan, &plan->members.items[k], &plan->made.items[k]);
    }
    for (size_t k = 0; plan->patches.count > 0 && k < plan->members.count; k++) {
        apply_patches(world, plan, k);
    }
}

void oxi_copy_plan_make(ox_world *world, oxi_copy_plan *plan, uint32_t count, ox_entity *copies,
                        bool all_members) {
    if (plan->members.count == 1) {
        make_copies_of_one(world, plan, count, copies);
        return;
    }
    size_t written = all_members ? plan->members.count : 1;
    for (uint32_t k = 0; k < count; k++) {
        make_instance(world, plan);
        if (copies != NULL) {
            memcpy(copies, plan->made.items, written * sizeof *copies);
            copies += written;
        }
    }
}
