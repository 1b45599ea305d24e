// SPDX-License-Identifier: MIT
//
// Blocks for buffers: a buffer of an entity must hold what it has at any time while its commands
// are carried out.

#include "commands/plan.h"

#include "storage/buffers.h"

// How many elements a buffer has at most, which has `count` before.
static uint64_t find_peak(const oxi_judged *judged, const oxi_touched *touched, uint32_t component,
                          uint64_t count) {
    uint64_t peak = count;
    OXI_ASSERT(touched->signature == 0); // it has a list of commands
    for (oxi_touch_op op = oxi_ops_first(judged, touched); op.command != NULL;
         op = oxi_ops_next(judged, op)) {
        const oxi_command *command = op.command;
        if (command->kind == OXI_COMMAND_REMOVE && command->component == component) {
            count = 0;
        } else if (command->kind == OXI_COMMAND_BUFFER && command->component == component) {
            count = command->flags == OX_BUFFER_APPEND ? count : 0;
            count += oxi_command_element_count(command);
        }
        peak = count > peak ? count : peak;
    }
    return peak;
}

static bool plan_block(oxi_planning *planning, const oxi_touched *touched, const oxi_column *column,
                       oxi_planned_entity *entity) {
    const oxi_judged *judged = planning->judged;
    oxi_planned *planned = &planning->planned;
    const oxi_buffer_kind *kind = column->buffer;
    const oxi_window_copy *copy = oxi_touched_copy(judged, touched);
    uint64_t count = 0, room = kind->inline_capacity;
    if (copy != NULL) {
        count = oxi_member_buffer(&judged->members.items[copy->member], column->component).count;
    } else if ((touched->flags & OXI_TOUCH_NEW) == 0) {
        const oxi_buffer_head *own =
            oxi_buffer_find(planning->store, oxi_archetype_of(touched->place.chunk),
                            column->component, touched->place);
        count = own != NULL ? own->count : 0;
        room = own != NULL ? oxi_buffer_capacity(kind, own) : room;
    }
    uint64_t peak = find_peak(judged, touched, column->component, count);
    if (peak <= room) {
        return true;
    }
    // Twice as much as there is, as an append would take: the next ones find room.
    bool grows = (touched->flags & OXI_TOUCH_BUFFERS) != 0 && peak < 2 * room;
    uint64_t wanted = grows ? 2 * room : peak;
    if (wanted > INT32_MAX || !oxi_list_reserve(&planned->blocks, planned->blocks.count + 1)) {
        return false;
    }
    char *block = oxi_buffer_block_take(kind, (uint32_t)wanted);
    if (block == NULL) {
        return false;
    }
    planned->blocks.items[planned->blocks.count++] =
        (oxi_planned_block){column->component, kind, block};
    entity->block_count++;
    return true;
}

bool oxi_plan_blocks(oxi_planning *planning, const oxi_touched *touched,
                     oxi_planned_entity *entity) {
    const oxi_archetype *to = touched->to;
    entity->first_block = (uint32_t)planning->planned.blocks.count;
    for (uint32_t k = oxi_next_buffers(to, 1); k < to->column_count;
         k = oxi_next_buffers(to, k + 1)) {
        if (!plan_block(planning, touched, &to->columns[k], entity)) {
            return false;
        }
    }
    return true;
}
