// SPDX-License-Identifier: MIT
//
// Linked groups, and what is done to all of one.

#include "entities/groups.h"

#include "entities/entity_arrays.h"
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

bool oxi_group_push(const ox_world *world, oxi_plan *plan, ox_entity entity) {
    const oxi_record *record = oxi_entity_find(&world->store.entities, entity);
    return record == NULL || oxi_archetype_of(record->chunk)->is_residue ||
           oxi_plan_push(plan, entity);
}

bool oxi_groups_push(const ox_world *world, oxi_plan *plan, bool is_deep) {
    size_t listed = plan->rows.count;
    for (size_t k = 0; k < (is_deep ? plan->rows.count : listed); k++) {
        oxi_record record = oxi_plan_record(&world->store, plan->rows.items[k].entity);
        oxi_group group = oxi_group_of(world, &record);
        for (uint32_t n = 0; n < group.count; n++) {
            if (!oxi_group_push(world, plan, group.members[n])) {
                return false;
            }
        }
    }
    return true;
}

bool oxi_group_set_tag(ox_world *world, ox_entity entity, uint32_t tag, bool is_set, ox_site site) {
    oxi_plan plan = {.store = &world->store};
    oxi_plan_change change = {is_set ? OXI_PLAN_ADD : OXI_PLAN_REMOVE, .component = tag};
    if (!oxi_sync_all(world, site)) {
        return false;
    }
    bool is_listed = oxi_group_push(world, &plan, entity) && oxi_groups_push(world, &plan, false);
    return oxi_world_carry_out(world, &plan, &change, is_listed, site);
}
