// SPDX-License-Identifier: MIT
//
// Entities that begin and end: their rows and ids in one step. What moves is in rows.h.
//
//     reserve: may fail, changes nothing          commit: cannot fail
//
//     oxi_entity_reserve  ids            -->      oxi_entity_begin    one row, one id
//     oxi_rows_reserve    rows of a lane -->      oxi_entities_begin  rows of one chunk
//                                        -->      oxi_row_move        one row along an edge
//                         nothing        -->      oxi_entity_end, oxi_chunk_end
//
// A call that finds room in an open chunk and an id that is ready reserves nothing: it takes the
// straight path, oxi_entity_begin_straight. Nobody above writes a record, a version or a count.

#pragma once

#include "storage/removal.h"

/// True when an entity can begin in an archetype that shares nothing, with nothing reserved.
static inline bool oxi_entity_has_room(const oxi_store *store, const oxi_archetype *archetype) {
    return store->entities.ready > 0 && oxi_row_has_room(archetype);
}

/// Gives a row that was added its entity, whose id is ready.
static inline ox_entity oxi_row_fill(oxi_store *store, oxi_archetype *archetype,
                                     oxi_row_place place) {
    OXI_ASSERT(store->entities.ready > 0);
    ox_entity entity = oxi_entity_take(&store->entities, place.chunk, place.row);
    oxi_chunk_entities(place.chunk)[place.row] = entity;
    oxi_note_change(store, archetype);
    return entity;
}

/// True when an entity can begin by oxi_entity_begin_straight.
static inline bool oxi_entity_is_straight(const oxi_store *store, const oxi_archetype *archetype) {
    return store->entities.ready > 0 && oxi_row_is_straight(store, archetype, &archetype->lane);
}

/// Gives a new entity a row at the end of an open chunk. Its values are not defined.
static inline oxi_row_place oxi_entity_begin_straight(oxi_store *store, oxi_archetype *archetype,
                                                      ox_entity *entity) {
    oxi_row_place place = oxi_row_append(archetype, &archetype->lane);
    *entity = oxi_row_fill(store, archetype, place);
    return place;
}

/// Gives a new entity the next row of a lane: reserved, or oxi_entity_has_room. Its values are not
/// defined; all components count as changed.
oxi_row_place oxi_entity_begin(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane,
                               ox_entity *entity);

/// Gives a new entity the next row of an edge's target, which shares nothing and has room, with the
/// values of an entity at its beginning.
void oxi_entity_begin_copy(oxi_store *store, const oxi_edge *edge, const oxi_record *source,
                           ox_entity *entity);

/// Gives up to `most` new entities rows of one chunk, which were reserved, as above; their ids go
/// to `entities`, too, unless that is NULL. The change is the caller's to note.
oxi_rows oxi_entities_begin(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane,
                            uint32_t most, ox_entity *entities);

/// Writes the value of a component that the row has; zeros when it is NULL. A tag and a shared
/// component have none in a row; a buffer is empty when it is new, and stays when it is not.
void oxi_row_set(const oxi_store *store, oxi_row_place place, uint32_t component,
                 const void *value);

/// The same, and marks the component as changed.
void oxi_row_give(const oxi_store *store, oxi_row_place place, uint32_t component,
                  const void *value);

/// Ends an entity that has no name and no buffers. The row goes last: it needs nothing after it.
static inline void oxi_entity_end_plain(oxi_store *store, ox_entity entity) {
    const oxi_record *record = &store->entities.records[entity.index];
    oxi_row_place place = {record->chunk, record->row};
    OXI_ASSERT(record->version == entity.version && place.chunk != 0);
    oxi_entity_free(&store->entities, entity.index);
    oxi_row_leave(store, place);
}

/// Ends an entity: its name, buffers, row and id.
void oxi_entity_end(oxi_store *store, ox_entity entity);

/// Ends all entities of a chunk without holes, which goes. The change is the caller's to note.
void oxi_chunk_end(oxi_store *store, oxi_chunk chunk);
