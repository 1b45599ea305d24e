// SPDX-License-Identifier: MIT
//
// An entity in the list is marked, so that each comes once however often groups name it. The marks
// are gone before anything moves.

#include "entities/batch.h"

#include "entities/groups.h"
#include "storage/buffers.h"
#include "storage/chunk_list.h"
#include "types/row_size.h"

static void clear_marks(ox_world *world, const oxi_batch *batch) {
    for (size_t k = 0; k < batch->items.count; k++) {
        oxi_record_unmark(&world->store.entities.records[batch->items.items[k].entity.index]);
    }
}

bool oxi_batch_has(const ox_world *world, ox_entity entity) {
    const oxi_record *record = oxi_entity_find(&world->store.entities, entity);
    return record != NULL && oxi_record_is_marked(record);
}

oxi_record oxi_batch_record(const ox_world *world, ox_entity entity) {
    oxi_record record = world->store.entities.records[entity.index];
    oxi_record_unmark(&record);
    return record;
}

bool oxi_batch_push(ox_world *world, oxi_batch *batch, ox_entity entity) {
    oxi_batch_item added = {.entity = entity};
    if (oxi_batch_has(world, entity)) {
        return true;
    }
    if (!oxi_list_push_in(world->store.heap, &batch->items, added)) {
        return false;
    }
    oxi_record_mark(&world->store.entities.records[entity.index]);
    return true;
}

bool oxi_batch_add(ox_world *world, oxi_batch *batch, ox_entity entity) {
    const oxi_record *record = oxi_entity_find(&world->store.entities, entity);
    return record == NULL || oxi_archetype_of(record->chunk)->is_residue ||
           oxi_batch_push(world, batch, entity);
}

bool oxi_batch_add_groups(ox_world *world, oxi_batch *batch, bool is_deep) {
    size_t listed = batch->items.count;
    for (size_t k = 0; k < (is_deep ? batch->items.count : listed); k++) {
        oxi_record record = oxi_batch_record(world, batch->items.items[k].entity);
        oxi_group group = oxi_group_of(world, &record);
        for (uint32_t n = 0; n < group.count; n++) {
            if (!oxi_batch_add(world, batch, group.members[n])) {
                return false;
            }
        }
    }
    return true;
}

// Residue.

// The cleanup components of an archetype, and the tag, in order. Returns how many.
static uint32_t list_residue(const ox_world *world, const oxi_archetype *archetype,
                             uint16_t *types) {
    uint32_t count = 0;
    bool is_placed = false;
    for (uint32_t k = 0; k < archetype->type_count; k++) {
        if (!is_placed && archetype->types[k] > world->ids.residue) {
            types[count++] = (uint16_t)world->ids.residue;
            is_placed = true;
        }
        if (oxi_is_cleanup(ox_component_get_info(archetype->types[k]))) {
            types[count++] = archetype->types[k];
        }
    }
    if (!is_placed) {
        types[count++] = (uint16_t)world->ids.residue;
    }
    return count;
}

const oxi_edge *oxi_residue_edge(ox_world *world, oxi_archetype *archetype) {
    if (archetype->residue == NULL) {
        uint16_t types[OXI_MAX_ARCHETYPE_TYPES];
        oxi_outcome outcome;
        uint32_t count = list_residue(world, archetype, types);
        size_t before = world->store.archetypes.count;
        oxi_archetype *target = oxi_archetype_get(&world->store, types, count, &outcome);
        if (target == NULL) {
            return NULL;
        }
        archetype->residue = oxi_edge_to(&world->store, archetype, target, &outcome);
        if (archetype->residue == NULL) {
            oxi_world_undo_set(world, before);
        }
    }
    return archetype->residue;
}

// Reserving.

// Makes room at the end of the way of one.
static oxi_outcome reserve_way_of_item(ox_world *world, oxi_batch_item *item, const oxi_edge *edge,
                                       const oxi_shared_choice *choice) {
    oxi_chunk chunk = world->store.entities.records[item->entity.index].chunk;
    uint32_t values[OXI_MAX_SHARED_TYPES];
    oxi_lane_values(&world->store, edge->target, chunk, choice, choice != NULL, values);
    item->lane = oxi_lane_take(&world->store, edge->target, values);
    if (item->lane == NULL) {
        return OXI_NO_MEMORY;
    }
    item->edge = edge;
    return oxi_rows_reserve_more(&world->store, edge->target, item->lane, 1);
}

static oxi_archetype *archetype_of_item(const ox_world *world, const oxi_batch_item *item) {
    return oxi_archetype_of(world->store.entities.records[item->entity.index].chunk);
}

bool oxi_batch_reserve_end(ox_world *world, oxi_batch *batch) {
    bool is_done = true;
    batch->archetypes = world->store.archetypes.count;
    for (size_t k = 0; is_done && k < batch->items.count; k++) {
        oxi_batch_item *item = &batch->items.items[k];
        oxi_archetype *from = archetype_of_item(world, item);
        if (from->cleanup_count > 0) {
            const oxi_edge *edge = oxi_residue_edge(world, from);
            is_done = edge != NULL && reserve_way_of_item(world, item, edge, NULL) == OXI_DONE;
        }
    }
    return is_done;
}

// True when one stays where it is: it has, or lacks, the component already; or it is a residue that
// loses the last component that keeps it.
static bool item_stays(const ox_world *world, const oxi_batch_item *item, uint32_t component,
                       bool removes, const oxi_shared_choice *choice) {
    oxi_chunk chunk = world->store.entities.records[item->entity.index].chunk;
    oxi_archetype *from = oxi_archetype_of(chunk);
    bool has_it = oxi_archetype_find_type(&world->store, from, component) >= 0;
    if (removes) {
        return !has_it || (from->is_residue && from->cleanup_count == 1);
    }
    return has_it && (choice == NULL || oxi_chunk_shared_number(&world->store, from, chunk,
                                                                component) == choice->number);
}

static const oxi_edge *find_change_edge(ox_world *world, oxi_archetype *from, uint32_t component,
                                        bool removes, oxi_outcome *outcome) {
    if (removes) {
        return oxi_edge_remove(&world->store, from, component, outcome);
    }
    if (oxi_archetype_find_type(&world->store, from, component) >= 0) {
        return oxi_edge_to(&world->store, from, from, outcome); // to another shared value
    }
    return oxi_edge_add(&world->store, from, component, outcome);
}

// Sends those that follow an item out of the same chunk the way that it goes. Neighbours in a list
// mostly are neighbours in a chunk, too. @return how many these are.
static uint32_t follow_item(const ox_world *world, oxi_batch *batch, size_t first) {
    const oxi_batch_item *item = &batch->items.items[first];
    oxi_chunk chunk = world->store.entities.records[item->entity.index].chunk;
    size_t next = first + 1;
    while (next < batch->items.count &&
           world->store.entities.records[batch->items.items[next].entity.index].chunk == chunk) {
        batch->items.items[next].edge = item->edge;
        batch->items.items[next].lane = item->lane;
        if (item->edge != NULL) {
            oxi_lane_pin(item->edge->target, item->lane);
        }
        next++;
    }
    return (uint32_t)(next - first - 1);
}

oxi_outcome oxi_batch_reserve_change(ox_world *world, oxi_batch *batch, uint32_t component,
                                     bool removes, const oxi_shared_choice *choice) {
    oxi_outcome outcome = OXI_DONE;
    batch->archetypes = world->store.archetypes.count;
    for (size_t k = 0; outcome == OXI_DONE && k < batch->items.count; k++) {
        oxi_batch_item *item = &batch->items.items[k];
        if (!item_stays(world, item, component, removes, choice)) {
            const oxi_edge *edge = find_change_edge(world, archetype_of_item(world, item),
                                                    component, removes, &outcome);
            outcome = edge != NULL ? reserve_way_of_item(world, item, edge, choice) : outcome;
        }
        uint32_t more = outcome == OXI_DONE ? follow_item(world, batch, k) : 0;
        if (more > 0 && item->edge != NULL) {
            outcome = oxi_rows_reserve_more(&world->store, item->edge->target, item->lane, more);
        }
        k += more;
    }
    return outcome;
}

void oxi_batch_forget_shared(ox_world *world, oxi_batch *batch, const oxi_shared_choice *choice) {
    size_t kept = 0;
    for (size_t k = 0; k < batch->items.count; k++) {
        oxi_batch_item item = batch->items.items[k];
        oxi_chunk chunk = world->store.entities.records[item.entity.index].chunk;
        if (oxi_chunk_shared_number(&world->store, oxi_archetype_of(chunk), chunk,
                                    choice->component) == choice->number) {
            oxi_record_unmark(&world->store.entities.records[item.entity.index]);
        } else {
            batch->items.items[kept++] = item;
        }
    }
    batch->items.count = kept;
}

oxi_outcome oxi_batch_reserve_shared(ox_world *world, oxi_batch *batch,
                                     const oxi_shared_choice *choice) {
    oxi_outcome outcome = OXI_DONE;
    batch->changed = choice->component;
    batch->archetypes = world->store.archetypes.count;
    for (size_t k = 0; outcome == OXI_DONE && k < batch->items.count; k++) {
        oxi_batch_item *item = &batch->items.items[k];
        oxi_archetype *from = archetype_of_item(world, item);
        const oxi_edge *edge = oxi_edge_to(&world->store, from, from, &outcome);
        outcome = edge != NULL ? reserve_way_of_item(world, item, edge, choice) : outcome;
    }
    return outcome;
}

static void leave_lanes(ox_world *world, const oxi_batch *batch) {
    for (size_t k = 0; k < batch->items.count; k++) {
        const oxi_batch_item *item = &batch->items.items[k];
        if (item->edge != NULL) {
            oxi_lane_leave(&world->store, item->edge->target, item->lane);
        }
    }
}

void oxi_batch_free(ox_world *world, oxi_batch *batch) {
    clear_marks(world, batch);
    leave_lanes(world, batch);
    for (size_t k = 0; k < batch->items.count; k++) {
        if (batch->items.items[k].edge != NULL) {
            oxi_chunks_release(&world->store, batch->items.items[k].edge->target);
        }
    }
    if (batch->archetypes > 0) {
        oxi_world_undo_archetypes(world, batch->archetypes);
    }
    oxi_list_free_in(world->store.heap, &batch->items);
}

static void move_item(ox_world *world, const oxi_batch *batch, const oxi_batch_item *item) {
    oxi_record *record = &world->store.entities.records[item->entity.index];
    const void *value = batch->given != NULL ? batch->given->value : NULL;
    oxi_row_move(&world->store, item->edge, item->lane, item->entity, record, value);
    if (batch->changed != 0) {
        int32_t type = oxi_archetype_find_type(&world->store, item->edge->target, batch->changed);
        oxi_chunk_entry_of(record->chunk)->meta->versions[type] = world->store.version;
    }
}

void oxi_batch_commit(ox_world *world, oxi_batch *batch, bool ends) {
    clear_marks(world, batch);
    for (size_t k = 0; k < batch->items.count; k++) {
        const oxi_batch_item *item = &batch->items.items[k];
        if (item->edge != NULL) {
            move_item(world, batch, item);
        } else if (ends) {
            oxi_entity_end(&world->store, item->entity);
        }
        if (batch->given != NULL && item->edge == NULL) {
            const oxi_record *record = &world->store.entities.records[item->entity.index];
            oxi_give_value(world, (oxi_row_place){record->chunk, record->row}, batch->given, false);
        }
    }
    leave_lanes(world, batch);
    oxi_list_free_in(world->store.heap, &batch->items);
}
