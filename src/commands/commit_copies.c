// SPDX-License-Identifier: MIT
//
// Writing copies: rows of instances get what was captured of their sources, and entity fields that
// point into the instance.

#include "commands/commit.h"

#include "storage/buffers.h"
#include "storage/enabled_bits.h"

// The column of a component in the archetype of a copy, or NULL.
static const oxi_column *find_copied_column(const oxi_committing *committing,
                                            const oxi_archetype *archetype, uint32_t component) {
    int32_t type = oxi_archetype_find_type(&committing->world->store, archetype, component);
    return type >= 0 ? &archetype->columns[archetype->column_of_type[type]] : NULL;
}

static char *value_at(const oxi_column *column, oxi_row_place place) {
    return oxi_chunk_address(place.chunk) + column->offset + (size_t)place.row * column->size;
}

static void write_columns(const oxi_committing *committing, const oxi_member *member,
                          const oxi_archetype *to, oxi_row_place place) {
    const char *at = member->row;
    for (uint32_t k = 1; k < member->archetype->column_count; k++) {
        const oxi_column *from = &member->archetype->columns[k];
        const oxi_column *column = find_copied_column(committing, to, from->component);
        if (column != NULL && column->buffer == NULL) {
            memcpy(value_at(column, place), at, column->size);
        } else if (column != NULL) {
            oxi_buffer_head *head = (oxi_buffer_head *)(void *)value_at(column, place);
            oxi_captured_buffer captured;
            memcpy(&captured, at, sizeof captured);
            OXI_ASSERT(captured.count <= oxi_buffer_capacity(column->buffer, head));
            if (captured.count > 0) {
                memcpy(oxi_buffer_data(column->buffer, head), captured.elements,
                       (size_t)captured.count * column->buffer->size);
            }
            head->count = captured.count;
        }
        at += oxi_captured_size(from);
    }
}

static void copy_member_bits(const oxi_committing *committing, const oxi_member *member,
                             const oxi_archetype *to, oxi_row_place place) {
    const char *bits = member->row + oxi_captured_bits(member->archetype);
    for (uint32_t k = 0; k < member->archetype->enabled_count; k++) {
        uint32_t component = member->archetype->types[member->archetype->enabled_types[k]];
        int32_t type = oxi_archetype_find_type(&committing->world->store, to, component);
        if (type >= 0 && bits[k] != 0) {
            oxi_words_set(oxi_chunk_disabled(to, place.chunk, (uint32_t)type), place.row);
        }
    }
}

void oxi_copy_write(const oxi_committing *committing, const oxi_window_copy *copy,
                    oxi_row_place place) {
    const oxi_judged *judged = committing->judged;
    OXI_ASSERT(copy->member < judged->members.count);
    const oxi_member *member = &judged->members.items[copy->member];
    const oxi_archetype *to = oxi_archetype_of(place.chunk);
    OXI_ASSERT(member->first_patch + member->patch_count <= judged->patches.count);
    write_columns(committing, member, to, place);
    copy_member_bits(committing, member, to, place);
    for (uint32_t k = 0; k < member->patch_count; k++) {
        const oxi_copy_patch *patch = &judged->patches.items[member->first_patch + k];
        const oxi_column *column = find_copied_column(committing, to, patch->component);
        if (column == NULL) {
            continue;
        }
        char *value = oxi_cell_values(column, value_at(column, place)).first;
        OXI_ASSERT(copy->instance + patch->member < judged->touched.count);
        ox_entity made = judged->touched.items[copy->instance + patch->member].entity;
        memcpy(value + patch->offset, &made, sizeof made);
    }
}
