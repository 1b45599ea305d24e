// SPDX-License-Identifier: MIT
//
// Invariant: a row that is added gets its entity and its record here, before anybody looks.

#include "storage/change.h"

#include "storage/kind_rows.h"

#include <string.h>

oxi_row_place oxi_entity_begin(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane,
                               ox_entity *entity) {
    oxi_row_place place = oxi_row_add(store, archetype, lane);
    *entity = oxi_row_fill(store, archetype, place);
    return place;
}

void oxi_entity_begin_copy(oxi_store *store, const oxi_edge *edge, const oxi_record *source,
                           ox_entity *entity) {
    oxi_archetype *target = edge->target;
    OXI_ASSERT(oxi_entity_has_room(store, target));
    oxi_row_place place = oxi_entity_is_straight(store, target)
                              ? oxi_entity_begin_straight(store, target, entity)
                              : oxi_entity_begin(store, target, &target->lane, entity);
    // A row that is added may close the source's chunk: where it is, its record says.
    oxi_row_carry(store, edge, place, (oxi_row_place){source->chunk, source->row});
}

oxi_rows oxi_entities_begin(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane,
                            uint32_t most, ox_entity *entities) {
    oxi_rows rows = oxi_rows_add(store, archetype, lane, most);
    ox_entity *column = oxi_chunk_entities(rows.chunk) + rows.first;
    OXI_ASSERT(store->entities.ready >= rows.count);
    for (uint32_t k = 0; k < rows.count; k++) {
        column[k] = oxi_entity_take(&store->entities, rows.chunk, rows.first + k);
    }
    if (entities != NULL) {
        memcpy(entities, column, rows.count * sizeof *entities);
    }
    return rows;
}

void oxi_row_set(const oxi_store *store, oxi_row_place place, uint32_t component,
                 const void *value) {
    const oxi_archetype *archetype = oxi_archetype_of(place.chunk);
    oxi_component_place found = oxi_archetype_find_place(store, archetype, component);
    OXI_ASSERT(found.type != 0 && place.row < oxi_chunk_entry_of(place.chunk)->count);
    if (found.cell == 0) {
        return;
    }
    char *to = oxi_cell_value(place.chunk, place.row, found.cell);
    uint32_t size = found.cell >> 16;
    if (value != NULL) {
        oxi_copy_value(to, value, size);
    } else {
        memset(to, 0, size);
    }
}

void oxi_row_give(const oxi_store *store, oxi_row_place place, uint32_t component,
                  const void *value) {
    oxi_row_set(store, place, component, value);
    oxi_chunk_stamp_component(store, place.chunk, component);
}

void oxi_entity_end(oxi_store *store, ox_entity entity) {
    const oxi_record *record = &store->entities.records[entity.index];
    if (store->names.count > 0) {
        oxi_name_forget(&store->names, entity);
    }
    oxi_rows_drop(oxi_archetype_of(record->chunk), (oxi_rows){record->chunk, record->row, 1});
    oxi_entity_end_plain(store, entity);
}

void oxi_chunk_end(oxi_store *store, oxi_chunk chunk) {
    const ox_entity *entities = oxi_chunk_entities(chunk);
    uint32_t rows = oxi_chunk_entry_of(chunk)->count;
    OXI_ASSERT(oxi_chunk_entry_of(chunk)->first_dead == OXI_NO_ROW);
    for (uint32_t row = 0; store->names.count > 0 && row < rows; row++) {
        oxi_name_forget(&store->names, entities[row]);
    }
    oxi_archetype *archetype = oxi_archetype_of(chunk);
    oxi_rows_drop(archetype, (oxi_rows){chunk, 0, rows});
    oxi_entities_free(&store->entities, entities, rows);
    oxi_lane_note_change(store, archetype, oxi_lane_of(archetype, chunk));
    oxi_chunk_unlink(store, chunk);
}
