// SPDX-License-Identifier: MIT
//
// An entity in the list has the top bit of its row set, so that each comes once however often
// groups name it. The marks are gone before anything moves.

#include "entities/doomed.h"

#include "entities/groups.h"
#include "storage/buffers.h"
#include "types/row_size.h"

enum { DOOMED_BIT = 31 };

static void set_mark(ox_world *world, ox_entity entity, bool is_marked) {
    uint32_t *row = &world->store.entities.records[entity.index].row;
    *row = is_marked ? *row | UINT32_C(1) << DOOMED_BIT : *row & ~(UINT32_C(1) << DOOMED_BIT);
}

static void clear_marks(ox_world *world, const oxi_doomed *doomed) {
    for (size_t k = 0; k < doomed->items.count; k++) {
        set_mark(world, doomed->items.items[k].entity, false);
    }
}

bool oxi_doomed_add(ox_world *world, oxi_doomed *doomed, ox_entity entity) {
    const oxi_record *record = oxi_entity_find(&world->store.entities, entity);
    if (record == NULL || record->row >> DOOMED_BIT != 0 ||
        oxi_archetype_of(record->chunk)->is_residue) {
        return true;
    }
    oxi_doomed_entity added = {.entity = entity};
    if (!oxi_list_push_in(world->store.heap, &doomed->items, added)) {
        return false;
    }
    set_mark(world, entity, true);
    return true;
}

bool oxi_doomed_follow_groups(ox_world *world, oxi_doomed *doomed) {
    for (size_t k = 0; k < doomed->items.count; k++) {
        oxi_record record = world->store.entities.records[doomed->items.items[k].entity.index];
        record.row &= ~(UINT32_C(1) << DOOMED_BIT);
        oxi_group group = oxi_group_of(world, &record);
        for (uint32_t n = 0; n < group.count; n++) {
            if (!oxi_doomed_add(world, doomed, group.members[n])) {
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
        uint16_t types[OXI_MAX_ARCHETYPE_TYPES + 1];
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

void oxi_residue_undo(ox_world *world, size_t before) {
    for (uint32_t k = 0; k < before; k++) {
        oxi_archetype *archetype = oxi_archetype_at(&world->store, k);
        if (archetype->residue != NULL && archetype->residue->target->index >= before) {
            oxi_edge_forget(&world->store, archetype, archetype->residue);
            archetype->residue = NULL;
        }
    }
    while (world->store.archetypes.count > before) {
        oxi_world_undo_set(world, world->store.archetypes.count - 1);
    }
}

static bool reserve_residue(ox_world *world, oxi_doomed_entity *one) {
    oxi_chunk chunk = world->store.entities.records[one->entity.index].chunk;
    oxi_archetype *from = oxi_archetype_of(chunk);
    if (from->cleanup_count == 0) {
        return true;
    }
    const oxi_edge *edge = oxi_residue_edge(world, from);
    if (edge == NULL) {
        return false;
    }
    uint32_t values[OXI_MAX_SHARED_TYPES];
    oxi_lane_values(&world->store, edge->target, from, chunk, NULL, 0, values);
    one->lane = oxi_lane_take(&world->store, edge->target, values);
    one->edge = one->lane != NULL ? edge : NULL;
    return one->lane != NULL &&
           oxi_rows_reserve_more(&world->store, edge->target, one->lane, 1) == OXI_DONE;
}

bool oxi_doomed_reserve(ox_world *world, oxi_doomed *doomed) {
    bool is_done = true;
    doomed->archetypes = world->store.archetypes.count;
    for (size_t k = 0; is_done && k < doomed->items.count; k++) {
        is_done = reserve_residue(world, &doomed->items.items[k]);
    }
    return is_done;
}

static void leave_lanes(ox_world *world, const oxi_doomed *doomed) {
    for (size_t k = 0; k < doomed->items.count; k++) {
        const oxi_doomed_entity *one = &doomed->items.items[k];
        if (one->edge != NULL) {
            oxi_lane_leave(&world->store, one->edge->target, one->lane);
        }
    }
}

void oxi_doomed_free(ox_world *world, oxi_doomed *doomed) {
    clear_marks(world, doomed);
    leave_lanes(world, doomed);
    if (doomed->archetypes > 0) {
        oxi_residue_undo(world, doomed->archetypes);
    }
    oxi_list_free_in(world->store.heap, &doomed->items);
}

void oxi_doomed_destroy(ox_world *world, oxi_doomed *doomed) {
    clear_marks(world, doomed);
    for (size_t k = 0; k < doomed->items.count; k++) {
        const oxi_doomed_entity *one = &doomed->items.items[k];
        if (one->edge != NULL) {
            oxi_record *record = &world->store.entities.records[one->entity.index];
            oxi_row_move_to(&world->store, one->edge, one->lane, one->entity, record, NULL);
        } else {
            oxi_entity_end(&world->store, one->entity);
        }
    }
    leave_lanes(world, doomed);
    oxi_list_free_in(world->store.heap, &doomed->items);
}
