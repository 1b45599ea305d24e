// SPDX-License-Identifier: MIT
//
// Rows: adding them to an archetype, and taking them from one archetype to another.

#pragma once

#include "storage/chunk_list.h"
#include "storage/vacant.h"

#include <string.h>

/// One row.
typedef struct oxi_row_place {
    oxi_chunk chunk;
    uint32_t row;
} oxi_row_place;

/// Makes sure that `count` rows can be added to a lane of an archetype.
oxi_outcome oxi_rows_reserve(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane,
                             uint32_t count);

/// The same, beside what was reserved so before, there and in other lanes of the archetype, until
/// the lane is left.
oxi_outcome oxi_rows_reserve_more(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane,
                                  uint32_t count);

/// Adds up to `most` rows, as many as go into one chunk: reserved before. Their bytes are not
/// defined, their entities and records are not set. Stamps the versions of all types and of order.
oxi_rows oxi_rows_add(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane, uint32_t most);

/// Adds one row so.
oxi_row_place oxi_row_add(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane);

/// The same as oxi_rows_add without stamping versions, and the chunk has no holes then: rows that
/// are added later move none of these, whose entities need not be known yet.
oxi_rows oxi_rows_place(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane, uint32_t most);

/// True when a row can go to the end of the first open chunk of a lane, and nothing else has to be
/// done: the chunk has a free end and does not become full, its versions say already that all
/// changed now, and no row has to be swapped first.
static inline bool oxi_row_is_straight(const oxi_store *store, const oxi_archetype *archetype,
                                       const oxi_lane *lane) {
    if (lane->open_room == 0) {
        return false;
    }
    OXI_ASSERT(lane->first_open < lane->chunks.count);
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(lane->chunks.items[lane->first_open]);
    bool has_to_close = archetype->swaps && entry->count != entry->live;
    return entry->count + 1u < archetype->capacity && entry->meta->stamped == store->version &&
           !has_to_close;
}

/// Adds a row where that is so.
static inline oxi_row_place oxi_row_append(oxi_archetype *archetype, oxi_lane *lane) {
    oxi_chunk chunk = lane->chunks.items[lane->first_open];
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    uint32_t row = entry->count;
    OXI_ASSERT(entry->archetype == archetype);
    OXI_ASSERT(entry->is_open);
    OXI_ASSERT(row + 1 < archetype->capacity);
    oxi_rows_occupy(archetype, (oxi_rows){chunk, row, 1});
    entry->count_and_live += 0x00010001;
    archetype->live++;
    lane->open_room--;
    return (oxi_row_place){chunk, row};
}

/// True when a row can be added to an archetype that shares nothing, with nothing reserved.
static inline bool oxi_row_has_room(const oxi_archetype *archetype) {
    return archetype->lane.open_room > 0 || oxi_chunk_is_kept(archetype);
}

/// The value in a row of a column.
static inline char *oxi_column_at(const oxi_archetype *archetype, uint32_t column,
                                  oxi_row_place place) {
    OXI_ASSERT(column < archetype->column_count);
    OXI_ASSERT(place.row < archetype->capacity);
    const oxi_column *found = &archetype->columns[column];
    return oxi_chunk_address(place.chunk) + found->offset + (size_t)place.row * found->size;
}

void oxi_chunk_stamp_slowly(const oxi_store *store, oxi_chunk chunk);

/// Stamps the versions of order and of all types. For many rows of one version it is done once.
static inline void oxi_chunk_stamp(const oxi_store *store, oxi_chunk chunk) {
    if (oxi_chunk_entry_of(chunk)->meta->stamped != store->version) {
        oxi_chunk_stamp_slowly(store, chunk);
    }
}

/// Stamps the version of a component that the chunk has.
static inline void oxi_chunk_stamp_component(const oxi_store *store, oxi_chunk chunk,
                                             uint32_t component) {
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    int32_t type = oxi_archetype_find_type(store, entry->archetype, component);
    OXI_ASSERT(type >= 0);
    entry->meta->versions[type] = store->version;
}

/// Stamps the version of one type in all chunks of an archetype. -1: it does not have it.
void oxi_chunks_stamp_type(const oxi_store *store, const oxi_archetype *archetype, int32_t type);

/// Zeroes all columns of rows but that of entities.
void oxi_rows_zero(const oxi_archetype *archetype, oxi_rows rows);

/// Takes rows along an edge to rows that were added: values, with zeros in columns that only the
/// target has, switches, and change versions where they are newer; types that are new changed now.
/// Entities and records are the caller's.
void oxi_rows_carry(const oxi_store *store, const oxi_edge *edge, oxi_rows to, oxi_row_place from);

/// The same for one row.
void oxi_row_carry(const oxi_store *store, const oxi_edge *edge, oxi_row_place to,
                   oxi_row_place from);

/// Takes rows to others of the same archetype, which follow no row that is in use: values, switches
/// and entities, whose records are told.
void oxi_rows_shift(oxi_store *store, const oxi_archetype *archetype, oxi_rows to,
                    oxi_row_place from);

/// Moves the row of an entity along an edge to a lane, tells its record, and notes the change; the
/// target's row is reserved, or oxi_row_has_room. Of the columns that only the target has the first
/// gets `value`, NULL for zeros, the others zeros.
void oxi_row_move(oxi_store *store, const oxi_edge *edge, oxi_lane *lane, ox_entity entity,
                  oxi_record *record, const void *value);

/// Moves all rows of a chunk without holes along an edge to a lane, in order; the target's rows are
/// reserved. Columns that only the target has are zero. The chunk is gone after it.
void oxi_chunk_move(oxi_store *store, const oxi_edge *edge, oxi_lane *lane, oxi_chunk chunk);

/// Stamps an archetype with the last change of its store, which knows already where that is.
static inline void oxi_stamp_change(const oxi_store *store, oxi_archetype *archetype) {
    archetype->changed = store->change_count;
#if OX_SAFETY >= 1
    archetype->changed_at = store->changed_at;
#endif
}

/// Notes a structural change of an archetype.
static inline void oxi_note_change(oxi_store *store, oxi_archetype *archetype) {
    store->change_count++;
    archetype->changes++;
    oxi_stamp_change(store, archetype);
}

/// Where an archetype was changed last; without checks, where its store was.
static inline ox_site oxi_archetype_changed_at(const oxi_store *store,
                                               const oxi_archetype *archetype) {
#if OX_SAFETY >= 1
    (void)store;
    return archetype->changed_at;
#else
    (void)archetype;
    return store->changed_at;
#endif
}

/// Ends walks over any archetype, as a structural change of it would; no order version moves.
void oxi_store_end_walks(oxi_store *store);

/// A number that moves with each structural change of entities that have a component.
uint32_t oxi_store_order_version(const oxi_store *store, uint32_t component);

/// True for the sizes that components mostly have.
static inline bool oxi_is_small(uint32_t size) {
    return size == 12 || size == 8 || size == 4 || size == 16;
}

/// Copies a value of such a size, with no call: that would cost more than the copy, and a function
/// without calls saves no registers. The pieces are those in which a value was written, or it would
/// wait for the stores.
static inline void oxi_copy_small(char *restrict to, const char *restrict from, uint32_t size) {
    if (size == 12) {
        memcpy(to, from, 8);
        memcpy(to + 8, from + 8, 4);
    } else if (size == 8) {
        memcpy(to, from, 8);
    } else if (size == 4) {
        memcpy(to, from, 4);
    } else {
        memcpy(to, from, 16);
    }
}

static inline void oxi_zero_small(char *to, uint32_t size) {
    if (size == 12) {
        memset(to, 0, 12);
    } else if (size == 8) {
        memset(to, 0, 8);
    } else if (size == 4) {
        memset(to, 0, 4);
    } else {
        memset(to, 0, 16);
    }
}

/// Copies a value of any size.
static inline void oxi_copy_value(char *to, const char *from, uint32_t size) {
    if (oxi_is_small(size)) {
        oxi_copy_small(to, from, size);
    } else {
        memcpy(to, from, size);
    }
}
