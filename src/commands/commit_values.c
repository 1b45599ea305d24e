// SPDX-License-Identifier: MIT
//
// Carrying the commands of one entity out on its row, one by one. The row has what the entity had
// before, in the archetype that it has after them: what is not there any more is passed over, and
// what was removed in between begins anew.

#include "commands/commit.h"

#include "storage/buffers.h"
#include "storage/enabled_bits.h"

// A component of the row.
typedef struct applied_place {
    const oxi_archetype *archetype;
    oxi_row_place row;
    oxi_component_place component; // type 0: it is not there
} applied_place;

static bool find_applied(const oxi_committing *committing, oxi_row_place row, uint32_t component,
                         applied_place *at) {
    const oxi_store *store = &committing->world->store;
    OXI_ASSERT(row.row < oxi_chunk_entry_of(row.chunk)->count);
    at->archetype = oxi_archetype_of(row.chunk);
    at->row = row;
    at->component = oxi_archetype_find_place(store, at->archetype, component);
    if (at->component.type == 0) {
        return false;
    }
    oxi_chunk_entry_of(row.chunk)->meta->versions[at->component.type - 1] = store->version;
    return true;
}

// Of a component in a column, its head when it is a buffer; else NULL.
static oxi_buffer_head *find_applied_head(const applied_place *at, const oxi_buffer_kind **kind) {
    uint32_t column = at->archetype->column_of_type[at->component.type - 1];
    *kind = at->archetype->columns[column].buffer;
    return *kind != NULL ? (oxi_buffer_head *)(void *)oxi_column_at(at->archetype, column, at->row)
                         : NULL;
}

// Writes a value, zeros for NULL. Shared ones came with the lane.
static void apply_value(const oxi_committing *committing, oxi_row_place row, uint32_t component,
                        const void *value) {
    applied_place at;
    if (!find_applied(committing, row, component, &at) || at.component.cell == 0) {
        return;
    }
    char *to = oxi_cell_value(row.chunk, row.row, at.component.cell);
    uint32_t size = at.component.cell >> 16;
    if (value != NULL) {
        oxi_copy_value(to, value, size);
    } else {
        memset(to, 0, size);
    }
}

static void set_switch_bit(const applied_place *at, bool is_on) {
    if (at->component.bits == 0) {
        return;
    }
    uint64_t *bits = oxi_chunk_disabled(at->archetype, at->row.chunk, at->component.type - 1u);
    if (is_on) {
        oxi_words_clear(bits, at->row.row);
    } else {
        oxi_words_set(bits, at->row.row);
    }
}

// A component that goes, and comes again with a later command.
static void apply_removal(const oxi_committing *committing, oxi_row_place row, uint32_t component) {
    applied_place at;
    if (!find_applied(committing, row, component, &at)) {
        return;
    }
    set_switch_bit(&at, true);
    const oxi_buffer_kind *kind;
    oxi_buffer_head *head = find_applied_head(&at, &kind);
    if (at.component.cell != 0) {
        memset(oxi_cell_value(row.chunk, row.row, at.component.cell), 0, at.component.cell >> 16);
    } else if (head != NULL) {
        head->count = 0;
        head->generation++;
    }
}

static void apply_elements(const oxi_committing *committing, oxi_row_place row,
                           const oxi_command *command) {
    applied_place at;
    if (!find_applied(committing, row, command->component, &at)) {
        return;
    }
    const oxi_buffer_kind *kind;
    oxi_buffer_head *head = find_applied_head(&at, &kind);
    uint32_t count = oxi_command_element_count(command);
    if (command->flags != OX_BUFFER_APPEND) {
        head->count = 0;
    }
    OXI_ASSERT(kind != NULL);
    OXI_ASSERT(head->count + count <= oxi_buffer_capacity(kind, head)); // its block was planned
    memcpy(oxi_buffer_data(kind, head) + (size_t)head->count * kind->size,
           oxi_command_elements(command), (size_t)count * kind->size);
    head->count += count;
    head->generation++;
}

static void apply_command(const oxi_committing *committing, oxi_row_place row,
                          const oxi_command *command) {
    applied_place at;
    switch (command->kind) {
    case OXI_COMMAND_CREATE:
    case OXI_COMMAND_ADD_MANY:
        for (uint32_t k = 0; k < command->item_count; k++) {
            const oxi_command_item *item = &oxi_command_items(command)[k];
            apply_value(committing, row, item->component, oxi_item_value(command, item));
        }
        break;
    case OXI_COMMAND_ADD:
    case OXI_COMMAND_SET:
        apply_value(committing, row, command->component, oxi_command_value(command));
        break;
    case OXI_COMMAND_REMOVE:
        apply_removal(committing, row, command->component);
        break;
    case OXI_COMMAND_SWITCH:
        if (find_applied(committing, row, command->component, &at)) {
            set_switch_bit(&at, command->flags != 0);
        }
        break;
    case OXI_COMMAND_BUFFER:
        apply_elements(committing, row, command);
        break;
    default:
        break;
    }
}

void oxi_ops_apply(const oxi_committing *committing, const oxi_touched *touched,
                   oxi_row_place place) {
    const oxi_judged *judged = committing->judged;
    for (oxi_touch_op op = oxi_ops_first(judged, touched); op.command != NULL;
         op = oxi_ops_next(judged, op)) {
        apply_command(committing, place, op.command);
    }
}

void oxi_blocks_use(const oxi_committing *committing, uint32_t touched, oxi_row_place place) {
    const oxi_planned *planned = committing->planned;
    if (planned->blocks.count == 0 ||
        !oxi_touched_is_several(&committing->judged->touched.items[touched])) {
        return;
    }
    const oxi_planned_entity *entity = oxi_planned_of(planned, touched);
    OXI_ASSERT(entity->first_block + entity->block_count <= planned->blocks.count);
    for (uint32_t k = 0; k < entity->block_count; k++) {
        const oxi_planned_block *block = &planned->blocks.items[entity->first_block + k];
        oxi_buffer_head *head = oxi_buffer_find(
            &committing->world->store, oxi_archetype_of(place.chunk), block->component, place);
        OXI_ASSERT(head != NULL);
        oxi_buffer_adopt(block->kind, head, block->block);
    }
}
