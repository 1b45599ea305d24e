// SPDX-License-Identifier: MIT
//
// Adding and moving rows.

#include "storage/rows.h"

#include "storage/chunk_list.h"
#include "storage/removal.h"

#include <string.h>

oxi_outcome oxi_rows_reserve(oxi_store *store, oxi_archetype *archetype, uint32_t count) {
    if (count <= archetype->open_room) {
        return OXI_DONE;
    }
    uint32_t more = count - archetype->open_room;
    uint32_t chunks = (more + archetype->capacity - 1) / archetype->capacity;
    return oxi_chunks_reserve(store, archetype, chunks);
}

// Room at the end of the first open chunk.
static oxi_chunk find_open_chunk(oxi_store *store, oxi_archetype *archetype) {
    if (archetype->first_open == archetype->chunks.count) {
        return oxi_chunk_link(archetype);
    }
    oxi_chunk chunk = archetype->chunks.items[archetype->first_open];
    if (oxi_chunk_entry_of(chunk)->count == archetype->capacity) {
        oxi_chunk_close(store, chunk); // its room is holes
    }
    return chunk;
}

void oxi_chunk_stamp_slowly(const oxi_store *store, oxi_chunk chunk) {
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    oxi_chunk_meta *meta = entry->meta;
    meta->order_version = meta->stamped = store->version;
    for (uint32_t k = 0; k < entry->archetype->type_count; k++) {
        meta->versions[k] = store->version;
    }
}

void oxi_chunks_stamp_type(const oxi_store *store, const oxi_archetype *archetype, int32_t type) {
    for (size_t k = 0; type >= 0 && k < archetype->chunks.count; k++) {
        if (archetype->chunks.items[k] != 0) {
            oxi_chunk_entry_of(archetype->chunks.items[k])->meta->versions[type] = store->version;
        }
    }
}

// Adds rows without stamping the versions of types.
static oxi_rows add_rows(oxi_store *store, oxi_archetype *archetype, uint32_t most) {
    oxi_chunk chunk = find_open_chunk(store, archetype);
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    uint32_t room = archetype->capacity - entry->count;
    oxi_rows rows = {chunk, entry->count, most < room ? most : room};
    entry->count = (uint16_t)(entry->count + rows.count);
    entry->live = (uint16_t)(entry->live + rows.count);
    archetype->live += rows.count;
    archetype->open_room -= rows.count;
    if (entry->live == archetype->capacity) {
        oxi_chunk_update_open(archetype, chunk);
    }
    return rows;
}

oxi_rows oxi_rows_add(oxi_store *store, oxi_archetype *archetype, uint32_t most) {
    oxi_rows rows = add_rows(store, archetype, most);
    oxi_chunk_stamp(store, rows.chunk);
    return rows;
}

void oxi_rows_zero(const oxi_archetype *archetype, oxi_rows rows) {
    char *base = oxi_chunk_address(rows.chunk);
    for (uint32_t k = 1; k < archetype->column_count; k++) {
        const oxi_column *column = &archetype->columns[k];
        memset(base + column->offset + (size_t)rows.first * column->size, 0,
               (size_t)rows.count * column->size);
    }
}

uint32_t oxi_store_order_version(const oxi_store *store, uint32_t component) {
    uint32_t sum = 0;
    for (size_t k = 0; k < store->archetypes.count; k++) {
        const oxi_archetype *archetype = store->archetypes.items[k];
        if (oxi_archetype_find_type(store, archetype, component) >= 0) {
            sum += archetype->changes;
        }
    }
    return sum;
}

// Types that go along bring their change version, if it is newer; those that are new changed now.
static void carry_versions(const oxi_store *store, const oxi_edge *edge, const oxi_chunk_meta *from,
                           oxi_chunk_meta *to) {
    bool is_stamped = true;
    for (uint32_t k = 0; k < edge->target->type_count; k++) {
        uint32_t version =
            edge->origin[k] == OXI_NEW_TYPE
                ? store->version
                : oxi_version_newer(to->versions[k], from->versions[edge->origin[k]]);
        is_stamped = is_stamped && version == store->version;
        to->versions[k] = version;
    }
    to->order_version = store->version;
    to->stamped = is_stamped ? store->version : to->stamped;
}

// Copies one row of a chunk along an edge to a row that was added. Columns that only the target has
// are zero.
static void copy_moved_row(const oxi_edge *edge, oxi_row_place to, oxi_row_place from) {
    char *to_base = oxi_chunk_address(to.chunk);
    const char *from_base = oxi_chunk_address(from.chunk);
    for (uint32_t k = 0; k < edge->copy_count; k++) {
        const oxi_copy *copy = &edge->copies[k];
        oxi_copy_value(to_base + copy->to_offset + (size_t)to.row * copy->size,
                       from_base + copy->from_offset + (size_t)from.row * copy->size, copy->size);
    }
    for (uint32_t k = 0; k < edge->new_count; k++) {
        const oxi_column *column = &edge->news[k];
        memset(to_base + column->offset + (size_t)to.row * column->size, 0, column->size);
    }
}

// What every move ends with.
static inline void finish_move(oxi_store *store, const oxi_edge *edge, ox_entity entity,
                               oxi_record *record, oxi_row_place to) {
    oxi_row_place from = {record->chunk, record->row};
    oxi_chunk_entities(to.chunk)[to.row] = entity;
    record->chunk = to.chunk;
    record->row = to.row;
    oxi_note_change(store, oxi_archetype_of(from.chunk));
    oxi_note_change(store, edge->target);
    oxi_row_remove(store, from);
}

// Moves a row to one that was added, or to one that is still to be added: chunk 0.
OXI_NOINLINE static void move_row_slowly(oxi_store *store, const oxi_edge *edge, ox_entity entity,
                                         oxi_record *record, const void *value, oxi_row_place to) {
    if (to.chunk == 0) {
        oxi_rows rows = add_rows(store, edge->target, 1);
        to = (oxi_row_place){rows.chunk, rows.first};
    }
    oxi_row_place from = {record->chunk, record->row};
    copy_moved_row(edge, to, from);
    if (value != NULL && edge->new_count > 0) {
        const oxi_column *column = &edge->news[0];
        memcpy(oxi_chunk_address(to.chunk) + column->offset + (size_t)to.row * column->size, value,
               column->size);
    }
    carry_versions(store, edge, oxi_chunk_entry_of(from.chunk)->meta,
                   oxi_chunk_entry_of(to.chunk)->meta);
    finish_move(store, edge, entity, record, to);
}

static inline void copy_small_row(const oxi_edge *edge, oxi_row_place to, oxi_row_place from,
                                  const char *value) {
    char *to_base = oxi_chunk_address(to.chunk);
    const char *from_base = oxi_chunk_address(from.chunk);
    const oxi_copy *end = edge->copies + edge->copy_count;
    for (const oxi_copy *copy = edge->copies; copy < end; copy++) {
        oxi_copy_small(to_base + copy->to_offset + (size_t)to.row * copy->size,
                       from_base + copy->from_offset + (size_t)from.row * copy->size, copy->size);
    }
    const oxi_column *last = edge->news + edge->new_count;
    for (const oxi_column *column = edge->news; column < last; column++) {
        char *added = to_base + column->offset + (size_t)to.row * column->size;
        if (value != NULL) {
            oxi_copy_small(added, value, column->size);
        } else {
            oxi_zero_small(added, column->size);
        }
        value = NULL;
    }
}

void oxi_row_move(oxi_store *store, const oxi_edge *edge, ox_entity entity, oxi_record *record,
                  const void *value) {
    oxi_row_place to = edge->is_small ? oxi_row_append(edge->target) : (oxi_row_place){0, 0};
    // Nothing is newer than the version of the store.
    if (to.chunk == 0 || oxi_chunk_entry_of(to.chunk)->meta->stamped != store->version) {
        move_row_slowly(store, edge, entity, record, value, to);
        return;
    }
    copy_small_row(edge, to, (oxi_row_place){record->chunk, record->row}, value);
    finish_move(store, edge, entity, record, to);
}

// Copies rows of a chunk along an edge to rows that were added.
static void copy_moved_rows(oxi_store *store, const oxi_edge *edge, oxi_chunk from, uint32_t first,
                            oxi_rows to) {
    char *to_base = oxi_chunk_address(to.chunk);
    const char *from_base = oxi_chunk_address(from);
    memcpy(oxi_chunk_entities(to.chunk) + to.first, oxi_chunk_entities(from) + first,
           to.count * sizeof(ox_entity));
    for (uint32_t k = 0; k < edge->copy_count; k++) {
        const oxi_copy *copy = &edge->copies[k];
        memcpy(to_base + copy->to_offset + (size_t)to.first * copy->size,
               from_base + copy->from_offset + (size_t)first * copy->size,
               (size_t)to.count * copy->size);
    }
    for (uint32_t k = 0; k < edge->new_count; k++) {
        const oxi_column *column = &edge->news[k];
        memset(to_base + column->offset + (size_t)to.first * column->size, 0,
               (size_t)to.count * column->size);
    }
    oxi_record *records = store->entities.records;
    const ox_entity *entities = oxi_chunk_entities(to.chunk) + to.first;
    for (uint32_t k = 0; k < to.count; k++) {
        records[entities[k].index].chunk = to.chunk;
        records[entities[k].index].row = to.first + k;
    }
}

void oxi_chunk_move(oxi_store *store, const oxi_edge *edge, oxi_chunk chunk) {
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    OXI_ASSERT(entry->first_dead == OXI_NO_ROW);
    for (uint32_t row = 0; row < entry->count;) {
        oxi_rows to = add_rows(store, edge->target, entry->count - row);
        copy_moved_rows(store, edge, chunk, row, to);
        carry_versions(store, edge, entry->meta, oxi_chunk_entry_of(to.chunk)->meta);
        row += to.count;
    }
    oxi_chunk_unlink(store, chunk);
}
