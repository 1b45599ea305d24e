// SPDX-License-Identifier: MIT
//
// Linked groups, and what is done to all of one.

#include "entities/groups.h"

#include "oxbow/prefabs.h"
#include "storage/buffers.h"

_Static_assert(sizeof(ox_linked) == sizeof(ox_entity), "a group is an array of entities");

oxi_group oxi_group_of(const ox_world *world, const oxi_record *record) {
    const oxi_archetype *archetype = oxi_archetype_of(record->chunk);
    uint32_t cell = oxi_archetype_find_place(&world->store, archetype, world->ids.linked).cell;
    if (cell == 0) {
        return (oxi_group){NULL, 0};
    }
    const oxi_buffer_head *head =
        (const oxi_buffer_head *)(const void *)oxi_cell_value(record->chunk, record->row, cell);
    const oxi_buffer_kind *kind = oxi_buffer_kind_of(&world->store, world->ids.linked);
    return (oxi_group){(const ox_entity *)(const void *)oxi_buffer_data(kind, head), head->count};
}
