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
        return oxi_chunk_link(store, archetype);
    }
    oxi_chunk chunk = archetype->chunks.items[archetype->first_open];
    if (oxi_chunk_entry_of(chunk)->count == archetype->capacity) {
        oxi_chunk_close(store, chunk); // its room is holes
    }
    return chunk;
}

static void stamp_chunk(oxi_store *store, const oxi_archetype *archetype, oxi_chunk chunk) {
    oxi_chunk_meta *meta = oxi_chunk_entry_of(chunk)->meta;
    meta->order_version = store->version;
    for (uint32_t k = 0; k < archetype->type_count; k++) {
        meta->versions[k] = store->version;
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
    stamp_chunk(store, archetype, rows.chunk);
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
    uint32_t count = oxi_archetype_at(store, edge->target)->type_count;
    to->order_version = store->version;
    for (uint32_t k = 0; k < count; k++) {
        to->versions[k] = edge->origin[k] == OXI_NEW_TYPE
                              ? store->version
                              : oxi_version_newer(to->versions[k], from->versions[edge->origin[k]]);
    }
}

oxi_row_place oxi_row_move(oxi_store *store, const oxi_edge *edge, oxi_row_place from) {
    oxi_archetype *target = oxi_archetype_at(store, edge->target);
    oxi_rows rows = add_rows(store, target, 1);
    const oxi_chunk_meta *old = oxi_chunk_entry_of(from.chunk)->meta;
    oxi_chunk_meta *meta = oxi_chunk_entry_of(rows.chunk)->meta;
    char *to_base = oxi_chunk_address(rows.chunk);
    const char *from_base = oxi_chunk_address(from.chunk);
    for (uint32_t k = 0; k < edge->copy_count; k++) {
        const oxi_copy *copy = &edge->copies[k];
        oxi_copy_value(to_base + copy->to_offset + (size_t)rows.first * copy->size,
                       from_base + copy->from_offset + (size_t)from.row * copy->size, copy->size);
    }
    for (uint32_t k = 0; k < edge->zero_count; k++) {
        const oxi_column *column = &target->columns[edge->zeros[k]];
        memset(to_base + column->offset + (size_t)rows.first * column->size, 0, column->size);
    }
    carry_versions(store, edge, old, meta);
    ox_entity entity = oxi_chunk_entities(rows.chunk)[rows.first];
    oxi_record *record = &store->entities.records[entity.index];
    record->chunk = rows.chunk;
    record->row = rows.first;
    oxi_row_remove(store, from);
    return (oxi_row_place){rows.chunk, rows.first};
}
