// SPDX-License-Identifier: MIT
//
// Rows: adding them to an archetype, and taking them from one archetype to another.

#pragma once

#include "storage/store.h"

#include <string.h>

/// One row.
typedef struct oxi_row_place {
    oxi_chunk chunk;
    uint32_t row;
} oxi_row_place;

/// Rows behind each other in one chunk.
typedef struct oxi_rows {
    oxi_chunk chunk;
    uint32_t first;
    uint32_t count;
} oxi_rows;

/// Makes sure that `count` rows can be added to an archetype.
oxi_outcome oxi_rows_reserve(oxi_store *store, oxi_archetype *archetype, uint32_t count);

/// Adds up to `most` rows, as many as go into one chunk: reserved before. Their bytes are not
/// defined, their entities and records are not set. Stamps the versions of all types and of order.
oxi_rows oxi_rows_add(oxi_store *store, oxi_archetype *archetype, uint32_t most);

/// Adds one row, as oxi_rows_add does; inline, because programs create entities one by one.
static inline oxi_row_place oxi_row_add(oxi_store *store, oxi_archetype *archetype) {
    bool has_open = archetype->first_open < archetype->chunks.count;
    oxi_chunk chunk = has_open ? archetype->chunks.items[archetype->first_open] : 0;
    oxi_chunk_entry *entry = has_open ? oxi_chunk_entry_of(chunk) : NULL;
    // A new chunk, one without a free end, and the last row of a chunk are rare.
    if (!has_open || entry->count >= archetype->capacity ||
        entry->live + 1u >= archetype->capacity) {
        oxi_rows rows = oxi_rows_add(store, archetype, 1);
        return (oxi_row_place){rows.chunk, rows.first};
    }
    oxi_row_place place = {chunk, entry->count};
    entry->count++;
    entry->live++;
    archetype->live++;
    archetype->open_room--;
    entry->meta->order_version = store->version;
    for (uint32_t k = 0; k < archetype->type_count; k++) {
        entry->meta->versions[k] = store->version;
    }
    return place;
}

/// Zeroes all columns of rows but that of entities.
void oxi_rows_zero(const oxi_archetype *archetype, oxi_rows rows);

/// Moves the row of an entity along an edge; the target's row is reserved. Columns that only the
/// target has are zero. @return where it is now.
oxi_row_place oxi_row_move(oxi_store *store, const oxi_edge *edge, oxi_row_place from);

/// Notes a structural change of an archetype.
static inline void oxi_note_change(oxi_store *store, oxi_archetype *archetype) {
    store->change_count++;
    archetype->changes++;
}

/// A number that moves with each structural change of entities that have a component.
uint32_t oxi_store_order_version(const oxi_store *store, uint32_t component);

/// Copies a value, by the sizes that components have: a call of memcpy costs more than the copy.
static inline void oxi_copy_value(void *to, const void *from, uint32_t size) {
    switch (size) {
    case 4:
        memcpy(to, from, 4);
        return;
    case 8:
        memcpy(to, from, 8);
        return;
    case 12:
        memcpy(to, from, 12);
        return;
    case 16:
        memcpy(to, from, 16);
        return;
    default:
        memcpy(to, from, size);
    }
}
