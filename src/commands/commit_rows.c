// SPDX-License-Identifier: MIT
//
// Filling the rows of a window. Rows of a run are neighbours in one chunk, and belong to one
// thread with all that is known of that chunk; what they are filled from is only read. Neighbours
// that come from neighbours, or from commands of the same list, are copied column by column.

#include "commands/commit.h"

#include "storage/buffers.h"
#include "storage/enabled_bits.h"

// Some neighbours of a run.
typedef struct filled_part {
    const oxi_archetype *archetype;
    const uint32_t *placed; // of the first
    const char **commands;  // the only one of each, of those that have a signature
    oxi_rows rows;
} filled_part;

static const oxi_touched *touched_at(const oxi_committing *committing, const filled_part *part,
                                     uint32_t index) {
    OXI_ASSERT(part->placed[index] < committing->judged->touched.count);
    return &committing->judged->touched.items[part->placed[index]];
}

static oxi_row_place place_of(const oxi_committing *committing, const oxi_touched *touched) {
    const oxi_record *record = &committing->world->store.entities.records[touched->entity.index];
    return (oxi_row_place){record->chunk, record->row};
}

static char *part_column(const filled_part *part, const oxi_column *column) {
    return oxi_chunk_address(part->rows.chunk) + column->offset +
           (size_t)part->rows.first * column->size;
}

// The records of new entities say where they are from here on.
static void write_entities(const oxi_committing *committing, const filled_part *part) {
    oxi_record *records = committing->world->store.entities.records;
    ox_entity *entities = oxi_chunk_entities(part->rows.chunk) + part->rows.first;
    for (uint32_t k = 0; k < part->rows.count; k++) {
        const oxi_touched *touched = touched_at(committing, part, k);
        entities[k] = touched->entity;
        part->commands[k] = (const char *)touched->only; // when it has a signature
        if ((touched->flags & OXI_TOUCH_NEW) != 0) {
            records[touched->entity.index].chunk = part->rows.chunk;
            records[touched->entity.index].row = part->rows.first + k;
        }
    }
}

static void zero_column(const filled_part *part, const oxi_column *column) {
    memset(part_column(part, column), 0, (size_t)part->rows.count * column->size);
}

// Values of one list of components.

// Copies a value of each command, `offset` bytes behind its head.
#define GATHER(bytes)                                                                              \
    for (uint32_t k = 0; k < part->rows.count; k++, to += (bytes)) {                               \
        memcpy(to, part->commands[k] + offset, bytes);                                             \
    }

static void gather_values(const filled_part *part, const oxi_column *column, size_t offset) {
    char *to = part_column(part, column);
    switch (column->size) {
    case 4:
        GATHER(4)
        break;
    case 8:
        GATHER(8)
        break;
    case 12:
        GATHER(12)
        break;
    case 16:
        GATHER(16)
        break;
    default:
        GATHER(column->size)
        break;
    }
}

static void write_item(const oxi_committing *committing, const filled_part *part,
                       uint32_t component, bool has_value, size_t offset) {
    const oxi_archetype *archetype = part->archetype;
    int32_t type = oxi_archetype_find_type(&committing->world->store, archetype, component);
    OXI_ASSERT(type >= 0);
    const oxi_column *column = &archetype->columns[archetype->column_of_type[type]];
    oxi_chunk_entry_of(part->rows.chunk)->meta->versions[type] = committing->world->store.version;
    if (archetype->column_of_type[type] == 0 || column->buffer != NULL) {
        return;
    }
    if (has_value) {
        gather_values(part, column, offset);
    } else {
        zero_column(part, column);
    }
}

static void write_signature(const oxi_committing *committing, const filled_part *part,
                            const oxi_signature *signature) {
    const oxi_command *command = signature->command;
    if (command->kind == OXI_COMMAND_ADD) {
        write_item(committing, part, command->component, command->flags != 0, sizeof *command);
        return;
    }
    for (uint32_t k = 0; k < command->item_count; k++) {
        const oxi_command_item *item = &oxi_command_items(command)[k];
        write_item(committing, part, item->component, item->has_value, item->offset);
    }
}

static oxi_row_place row_of_part(const filled_part *part, uint32_t index) {
    return (oxi_row_place){part->rows.chunk, part->rows.first + index};
}

// Carries out what commands say of rows that have what they had before.
static void write_part_values(const oxi_committing *committing, const filled_part *part) {
    const oxi_touched *first = touched_at(committing, part, 0);
    const oxi_signature *signature = oxi_touched_signature(committing->judged, first);
    if (signature != NULL) {
        write_signature(committing, part, signature);
        return;
    }
    for (uint32_t k = 0; k < part->rows.count; k++) {
        oxi_ops_apply(committing, touched_at(committing, part, k), row_of_part(part, k));
    }
}

// Rows that move.

static const oxi_edge *edge_of_touched(const oxi_committing *committing, const filled_part *part,
                                       uint32_t index) {
    const oxi_touched *touched = touched_at(committing, part, index);
    return oxi_planned_way(committing->planned, touched, part->placed[index])->edge;
}

// How many come from neighbours, by the same edge and with the same command.
static uint32_t count_moved(const oxi_committing *committing, const filled_part *rest,
                            const oxi_edge *edge) {
    const oxi_touched *first = touched_at(committing, rest, 0);
    oxi_row_place place = place_of(committing, first);
    bool is_several = oxi_touched_is_several(first);
    for (uint32_t k = 1; k < rest->rows.count; k++) {
        const oxi_touched *next = touched_at(committing, rest, k);
        if (next->signature != first->signature) {
            return k;
        }
        if (is_several &&
            ((next->flags & OXI_TOUCH_NEW) != 0 || edge_of_touched(committing, rest, k) != edge)) {
            return k;
        }
        oxi_row_place there = place_of(committing, next);
        if (there.chunk != place.chunk || there.row != place.row + k) {
            return k;
        }
    }
    return rest->rows.count;
}

static void fill_moved(const oxi_committing *committing, const filled_part *part,
                       const oxi_edge *edge) {
    OXI_ASSERT(edge != NULL);
    OXI_ASSERT(edge->target == part->archetype);
    oxi_rows_carry(&committing->world->store, edge, part->rows,
                   place_of(committing, touched_at(committing, part, 0)));
    for (uint32_t k = 0; committing->planned->blocks.count > 0 && k < part->rows.count; k++) {
        oxi_blocks_use(committing, part->placed[k], row_of_part(part, k));
    }
    write_part_values(committing, part);
}

// Rows that are new.

static uint32_t count_new(const oxi_committing *committing, const filled_part *rest) {
    const oxi_touched *first = touched_at(committing, rest, 0);
    for (uint32_t k = 1; k < rest->rows.count; k++) {
        const oxi_touched *next = touched_at(committing, rest, k);
        if (next->signature != first->signature || (next->flags & OXI_TOUCH_NEW) == 0) {
            return k;
        }
    }
    return rest->rows.count;
}

// True when every command of a part gives the column a value.
static bool is_given(const oxi_signature *signature, const oxi_column *column) {
    if (signature == NULL || column->buffer != NULL) {
        return false;
    }
    const oxi_command *command = signature->command;
    OXI_ASSERT(command->kind == OXI_COMMAND_CREATE);
    for (uint32_t k = 0; k < command->item_count; k++) {
        if (oxi_command_items(command)[k].component == column->component) {
            return true;
        }
    }
    return false;
}

static void fill_new(const oxi_committing *committing, const filled_part *part) {
    const oxi_signature *signature =
        oxi_touched_signature(committing->judged, touched_at(committing, part, 0));
    for (uint32_t k = 1; k < part->archetype->column_count; k++) {
        if (!is_given(signature, &part->archetype->columns[k])) {
            zero_column(part, &part->archetype->columns[k]);
        }
    }
    oxi_chunk_stamp(&committing->world->store, part->rows.chunk);
    for (uint32_t k = 0; signature == NULL && k < part->rows.count; k++) {
        const oxi_window_copy *copy =
            oxi_touched_copy(committing->judged, touched_at(committing, part, k));
        oxi_blocks_use(committing, part->placed[k], row_of_part(part, k));
        if (copy != NULL) {
            oxi_copy_write(committing, copy, row_of_part(part, k));
        }
    }
    write_part_values(committing, part);
}

void oxi_run_fill(const oxi_committing *committing, const oxi_target_run *run) {
    const char *commands[OXI_MAX_ROWS];
    filled_part rest = {committing->planned->lanes.items[run->lane].archetype,
                        committing->placed.items + run->first, commands, run->rows};
    OXI_ASSERT(run->rows.count <= OXI_MAX_ROWS);
    OXI_ASSERT(oxi_archetype_of(run->rows.chunk) == rest.archetype);
    write_entities(committing, &rest);
    while (rest.rows.count > 0) {
        filled_part part = rest;
        if ((touched_at(committing, &rest, 0)->flags & OXI_TOUCH_NEW) != 0) {
            part.rows.count = count_new(committing, &rest);
            fill_new(committing, &part);
        } else {
            const oxi_edge *edge = edge_of_touched(committing, &rest, 0);
            part.rows.count = count_moved(committing, &rest, edge);
            fill_moved(committing, &part, edge);
        }
        rest.placed += part.rows.count;
        rest.commands += part.rows.count;
        rest.rows.first += part.rows.count;
        rest.rows.count -= part.rows.count;
    }
}
