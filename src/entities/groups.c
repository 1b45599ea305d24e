// SPDX-License-Identifier: MIT
//
// Linked groups, and what is done to all of one.

#include "entities/groups.h"

#include "entities/batch.h"
#include "entities/fences.h"
#include "oxbow/entities.h"
#include "storage/buffers.h"

_Static_assert(sizeof(ox_linked) == sizeof(ox_entity), "a group is an array of entities");

oxi_group oxi_group_of(const ox_world *world, const oxi_record *record) {
    const oxi_buffer_head *head =
        oxi_buffer_find(&world->store, oxi_archetype_of(record->chunk), world->ids.linked,
                        (oxi_row_place){record->chunk, record->row});
    if (head == NULL) {
        return (oxi_group){NULL, 0};
    }
    const oxi_buffer_kind *kind = oxi_buffer_kind_of(&world->store, world->ids.linked);
    return (oxi_group){(const ox_entity *)(const void *)oxi_buffer_data(kind, head), head->count};
}

bool oxi_group_set_tag(ox_world *world, ox_entity entity, uint32_t tag, bool is_set, ox_site site) {
    oxi_batch batch = {0};
    oxi_outcome outcome = OXI_NO_MEMORY;
    if (!oxi_sync_all(world, site)) {
        return false;
    }
    if (oxi_batch_add(world, &batch, entity) && oxi_batch_add_groups(world, &batch, false)) {
        outcome = oxi_batch_reserve_change(world, &batch, tag, !is_set, NULL);
    }
    if (outcome != OXI_DONE) {
        oxi_batch_free(world, &batch);
        return oxi_world_report_move(world, outcome, site);
    }
    oxi_world_note_change(world, site);
    oxi_batch_commit(world, &batch, false);
    oxi_world_check(world);
    return true;
}
