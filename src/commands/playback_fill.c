// SPDX-License-Identifier: MIT
//
// Filling the rows of a window. Rows of a run lie behind each other in one chunk, and belong to one
// thread with all that is known of that chunk; what they are filled from is only read. Neighbours
// that come from neighbours, or from commands of the same list, are copied column by column.

#include "commands/playback.h"

#include "storage/buffers.h"
#include "storage/enabled_bits.h"

// Some neighbours of a run.
typedef struct filled_part {
    const oxi_archetype *archetype;
    const uint32_t *placed; // of the first
    const char **commands;  // room for one of each
    oxi_rows rows;
} filled_part;

static const oxi_touched *touched_at(const oxi_playback *playback, const filled_part *part,
                                     uint32_t index) {
    OXI_ASSERT(part->placed[index] < playback->touched.count);
    return &playback->touched.items[part->placed[index]];
}

static oxi_row_place place_of(const oxi_playback *playback, const oxi_touched *touched) {
    const oxi_record *record = &playback->world->store.entities.records[touched->entity.index];
    return (oxi_row_place){record->chunk, record->row};
}

static char *part_column(const filled_part *part, const oxi_column *column) {
    return oxi_chunk_address(part->rows.chunk) + column->offset +
           (size_t)part->rows.first * column->size;
}

// The records of new entities say where they are from here on.
static void write_entities(const oxi_playback *playback, const filled_part *part) {
    oxi_record *records = playback->world->store.entities.records;
    ox_entity *entities = oxi_chunk_entities(part->rows.chunk) + part->rows.first;
    for (uint32_t k = 0; k < part->rows.count; k++) {
        const oxi_touched *touched = touched_at(playback, part, k);
        OXI_ASSERT(touched->place.chunk == part->rows.chunk);
        OXI_ASSERT(touched->place.row == part->rows.first + k);
        entities[k] = touched->entity;
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

// The only command of each of a part.
static void list_commands(const oxi_playback *playback, const filled_part *part) {
    for (uint32_t k = 0; k < part->rows.count; k++) {
        OXI_ASSERT(touched_at(playback, part, k)->signature != 0);
        part->commands[k] = (const char *)touched_at(playback, part, k)->only;
    }
}

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

static void write_item(const oxi_playback *playback, const filled_part *part, uint32_t component,
                       bool has_value, size_t offset) {
    const oxi_archetype *archetype = part->archetype;
    int32_t type = oxi_archetype_find_type(&playback->world->store, archetype, component);
    OXI_ASSERT(type >= 0);
    const oxi_column *column = &archetype->columns[archetype->column_of_type[type]];
    oxi_chunk_entry_of(part->rows.chunk)->meta->versions[type] = playback->world->store.version;
    if (archetype->column_of_type[type] == 0 || column->buffer != NULL) {
        return;
    }
    if (has_value) {
        gather_values(part, column, offset);
    } else {
        zero_column(part, column);
    }
}

static void write_signature(const oxi_playback *playback, const filled_part *part,
                            const oxi_signature *signature) {
    const oxi_command *command = signature->command;
    if (command->component == 0) {
        return; // created with nothing
    }
    list_commands(playback, part);
    if (command->kind == OXI_COMMAND_ADD) {
        write_item(playback, part, command->component, command->flags != 0, sizeof *command);
        return;
    }
    const oxi_command_item *items = oxi_command_items(command);
    for (uint32_t k = 0; k < command->component; k++) {
        write_item(playback, part, items[k].component, items[k].has_value, items[k].offset);
    }
}

// Carries out what commands say of rows that have what they had before.
static void write_part_values(const oxi_playback *playback, const filled_part *part) {
    const oxi_touched *first = touched_at(playback, part, 0);
    if (first->signature != 0) {
        write_signature(playback, part, &playback->signatures.items[first->signature - 1]);
        return;
    }
    for (uint32_t k = 0; k < part->rows.count; k++) {
        oxi_ops_apply(playback, touched_at(playback, part, k));
    }
}

// Rows that move.

static uint32_t count_moved(const oxi_playback *playback, const filled_part *rest) {
    const oxi_touched *first = touched_at(playback, rest, 0);
    oxi_row_place place = place_of(playback, first);
    uint32_t count = 1;
    for (; count < rest->rows.count; count++) {
        const oxi_touched *next = touched_at(playback, rest, count);
        if (next->way != first->way || next->signature != first->signature) {
            break;
        }
        oxi_row_place there = place_of(playback, next);
        if (there.chunk != place.chunk || there.row != place.row + count) {
            break;
        }
    }
    return count;
}

static void fill_moved(const oxi_playback *playback, const filled_part *part) {
    const oxi_touched *first = touched_at(playback, part, 0);
    OXI_ASSERT(oxi_touched_way(playback, first) != 0);
    const oxi_edge *edge = playback->ways.items[oxi_touched_way(playback, first) - 1].edge;
    OXI_ASSERT(edge != NULL);
    OXI_ASSERT(edge->target == part->archetype);
    oxi_rows_carry(&playback->world->store, edge, part->rows, place_of(playback, first));
    for (uint32_t k = 0; playback->blocks.count > 0 && k < part->rows.count; k++) {
        oxi_blocks_use(playback, touched_at(playback, part, k));
    }
    write_part_values(playback, part);
}

// Rows that are new.

static uint32_t count_new(const oxi_playback *playback, const filled_part *rest) {
    const oxi_touched *first = touched_at(playback, rest, 0);
    uint32_t count = 1;
    for (; count < rest->rows.count; count++) {
        const oxi_touched *next = touched_at(playback, rest, count);
        if (next->way != first->way || next->signature != first->signature) {
            break;
        }
    }
    return count;
}

// True when every command of a part gives the column a value.
static bool is_given(const oxi_playback *playback, const oxi_touched *first,
                     const oxi_column *column) {
    if (first->signature == 0 || column->buffer != NULL) {
        return false;
    }
    const oxi_command *command = playback->signatures.items[first->signature - 1].command;
    OXI_ASSERT(command->kind == OXI_COMMAND_CREATE);
    for (uint32_t k = 0; k < command->component; k++) {
        if (oxi_command_items(command)[k].component == column->component) {
            return true;
        }
    }
    return false;
}

static void fill_new(const oxi_playback *playback, const filled_part *part) {
    const oxi_touched *first = touched_at(playback, part, 0);
    for (uint32_t k = 1; k < part->archetype->column_count; k++) {
        if (!is_given(playback, first, &part->archetype->columns[k])) {
            zero_column(part, &part->archetype->columns[k]);
        }
    }
    oxi_chunk_stamp(&playback->world->store, part->rows.chunk);
    for (uint32_t k = 0; first->signature == 0 && k < part->rows.count; k++) {
        const oxi_touched *touched = touched_at(playback, part, k);
        const oxi_touch_extra *extra = oxi_touched_extra(playback, touched);
        if (extra != NULL && extra->copied != 0) {
            oxi_copy_write(playback, touched);
        } else if (extra != NULL) {
            oxi_blocks_use(playback, touched);
        }
    }
    write_part_values(playback, part);
}

void oxi_run_fill(const oxi_playback *playback, const oxi_target_run *run) {
    const char *commands[OXI_MAX_ROWS];
    filled_part rest = {playback->lanes.items[run->lane].archetype,
                        playback->placed.items + run->first, commands, run->rows};
    OXI_ASSERT(run->rows.count <= OXI_MAX_ROWS);
    OXI_ASSERT(oxi_archetype_of(run->rows.chunk) == rest.archetype);
    write_entities(playback, &rest);
    while (rest.rows.count > 0) {
        filled_part part = rest;
        const oxi_touched *first = touched_at(playback, &rest, 0);
        if ((first->flags & OXI_TOUCH_NEW) == 0) {
            part.rows.count = count_moved(playback, &rest);
            fill_moved(playback, &part);
        } else {
            part.rows.count = count_new(playback, &rest);
            fill_new(playback, &part);
        }
        rest.placed += part.rows.count;
        rest.rows.first += part.rows.count;
        rest.rows.count -= part.rows.count;
    }
}
