// SPDX-License-Identifier: MIT
//
// Adding and moving rows.

#include "storage/rows.h"

#include "storage/chunk_list.h"
#include "storage/kind_rows.h"
#include "storage/removal.h"
#include "storage/row_shift.h"

#include <string.h>

// Chunks that `count` rows need beside those that are open.
static uint32_t count_new_chunks(const oxi_archetype *archetype, const oxi_lane *lane,
                                 uint32_t count) {
    uint32_t more = count > lane->open_room ? count - lane->open_room : 0;
    return (uint32_t)(((uint64_t)more + archetype->capacity - 1) / archetype->capacity);
}

oxi_outcome oxi_rows_reserve(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane,
                             uint32_t count) {
    uint32_t chunks = count_new_chunks(archetype, lane, count);
    return chunks == 0 ? OXI_DONE : oxi_chunks_reserve(store, archetype, lane, chunks);
}

oxi_outcome oxi_rows_reserve_more(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane,
                                  uint32_t count) {
    OXI_ASSERT(lane == &archetype->lane || lane->pin_count > 0);
    uint32_t before = count_new_chunks(archetype, lane, lane->promised);
    uint32_t after = count_new_chunks(archetype, lane, lane->promised + count);
    oxi_outcome outcome = OXI_DONE;
    if (after > before) {
        uint32_t chunks = oxi_chunks_reserved(archetype) + after - before;
        outcome = oxi_chunks_reserve(store, archetype, lane, chunks);
    }
    lane->promised += outcome == OXI_DONE ? count : 0;
    return outcome;
}

// Room at the end of the first open chunk.
static oxi_chunk find_open_chunk(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane) {
    if (lane->first_open == lane->chunks.count) {
        return oxi_chunk_link(store, archetype, lane);
    }
    oxi_chunk chunk = lane->chunks.items[lane->first_open];
    OXI_ASSERT(oxi_chunk_entry_of(chunk)->is_open);
    // Its room is holes, or a row that is added would not be the last one.
    if (oxi_chunk_entry_of(chunk)->count == archetype->capacity || archetype->swaps) {
        oxi_chunk_close(store, chunk);
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
    OXI_ASSERT(type < (int32_t)archetype->type_count);
    for (size_t k = 0; type >= 0 && k < archetype->lane.chunks.count; k++) {
        if (archetype->lane.chunks.items[k] != 0) {
            oxi_chunk_entry_of(archetype->lane.chunks.items[k])->meta->versions[type] =
                store->version;
        }
    }
}

// Adds rows without stamping the versions of types. Always inline: a struct of three words that is
// returned goes through memory, and its reader waits for the stores.
OXI_FORCE_INLINE oxi_rows add_rows(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane,
                                   uint32_t most) {
    OXI_ASSERT(most > 0);
    OXI_ASSERT((lane == &archetype->lane) == !oxi_archetype_has_lanes(archetype));
    oxi_chunk chunk = find_open_chunk(store, archetype, lane);
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    OXI_ASSERT(entry->archetype == archetype);
    OXI_ASSERT(entry->count < archetype->capacity);
    uint32_t room = archetype->capacity - entry->count;
    oxi_rows rows = {chunk, entry->count, most < room ? most : room};
    OXI_ASSERT(lane->open_room >= rows.count);
    oxi_rows_occupy(archetype, rows);
    entry->count = (uint16_t)(entry->count + rows.count);
    entry->live = (uint16_t)(entry->live + rows.count);
    archetype->live += rows.count;
    lane->open_room -= rows.count;
    if (entry->live == archetype->capacity) {
        oxi_chunk_update_open(archetype, chunk);
    }
    oxi_lane_note_change(store, archetype, lane);
    return rows;
}

oxi_rows oxi_rows_place(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane, uint32_t most) {
    if (lane->first_open < lane->chunks.count) {
        oxi_chunk_close(store, lane->chunks.items[lane->first_open]);
    }
    return add_rows(store, archetype, lane, most);
}

oxi_rows oxi_rows_add(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane, uint32_t most) {
    oxi_rows rows = add_rows(store, archetype, lane, most);
    oxi_chunk_stamp(store, rows.chunk);
    return rows;
}

oxi_row_place oxi_row_add(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane) {
    oxi_rows rows = add_rows(store, archetype, lane, 1);
    oxi_chunk_stamp(store, rows.chunk);
    return (oxi_row_place){rows.chunk, rows.first};
}

void oxi_rows_zero(const oxi_archetype *archetype, oxi_rows rows) {
    OXI_ASSERT(rows.first + rows.count <= oxi_chunk_entry_of(rows.chunk)->count);
    char *base = oxi_chunk_address(rows.chunk);
    for (uint32_t k = 1; k < archetype->column_count; k++) {
        const oxi_column *column = &archetype->columns[k];
        memset(base + column->offset + (size_t)rows.first * column->size, 0,
               (size_t)rows.count * column->size);
    }
}

void oxi_store_end_walks(oxi_store *store) {
    store->change_count++;
    for (size_t k = 0; k < store->archetypes.count; k++) {
        oxi_stamp_change(store, store->archetypes.items[k]);
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

// Taking rows elsewhere.

static void carry_versions(const oxi_store *store, const oxi_edge *edge, const oxi_chunk_meta *from,
                           oxi_chunk_meta *to) {
    bool is_stamped = true;
    for (uint32_t k = 0; k < edge->target->type_count; k++) {
        uint32_t version = store->version;
        if (edge->origin[k] != OXI_NEW_TYPE) {
            version = oxi_version_newer(to->versions[k], from->versions[edge->origin[k]]);
        }
        is_stamped = is_stamped && version == store->version;
        to->versions[k] = version;
    }
    to->order_version = store->version;
    if (is_stamped) {
        to->stamped = store->version;
    }
}

// Always inline, as add_rows is.
OXI_FORCE_INLINE void carry_rows(const oxi_store *store, const oxi_edge *edge, oxi_rows to,
                                 oxi_row_place from) {
    char *to_base = oxi_chunk_address(to.chunk);
    const char *from_base = oxi_chunk_address(from.chunk);
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(from.chunk);
    oxi_chunk_meta *meta = oxi_chunk_entry_of(to.chunk)->meta;
    OXI_ASSERT(oxi_archetype_of(to.chunk) == edge->target);
    OXI_ASSERT(to.first + to.count <= oxi_chunk_entry_of(to.chunk)->count);
    OXI_ASSERT(from.row + to.count <= entry->count);
    for (uint32_t k = 0; k < edge->copy_count; k++) {
        const oxi_copy *copy = &edge->copies[k];
        char *values = to_base + copy->to_offset + (size_t)to.first * copy->size;
        const char *old = from_base + copy->from_offset + (size_t)from.row * copy->size;
        if (to.count == 1) {
            oxi_copy_value(values, old, copy->size);
        } else {
            memcpy(values, old, (size_t)to.count * copy->size);
        }
    }
    for (uint32_t k = 0; k < edge->new_count; k++) {
        const oxi_column *column = &edge->news[k];
        memset(to_base + column->offset + (size_t)to.first * column->size, 0,
               (size_t)to.count * column->size);
    }
    if (oxi_edge_has_bits(edge)) {
        oxi_bits_carry(edge, to, entry->archetype, entry->meta, from.row);
    }
    if (meta->stamped != store->version) { // nothing is newer than the version of the store
        carry_versions(store, edge, entry->meta, meta);
    }
}

void oxi_rows_carry(const oxi_store *store, const oxi_edge *edge, oxi_rows to, oxi_row_place from) {
    carry_rows(store, edge, to, from);
}

void oxi_rows_shift(oxi_store *store, const oxi_archetype *archetype, oxi_rows to,
                    oxi_row_place from) {
    oxi_rows_shift_inline(store, archetype, to, from);
}

void oxi_row_carry(const oxi_store *store, const oxi_edge *edge, oxi_row_place to,
                   oxi_row_place from) {
    carry_rows(store, edge, (oxi_rows){to.chunk, to.row, 1}, from);
}

// What every move ends with.
static inline void finish_move(oxi_store *store, const oxi_edge *edge, ox_entity entity,
                               oxi_record *record, oxi_row_place to) {
    oxi_row_place from = {record->chunk, record->row};
    OXI_ASSERT(record->version == entity.version);
    OXI_ASSERT(oxi_chunk_entities(from.chunk)[from.row].index == entity.index);
    oxi_chunk_entities(to.chunk)[to.row] = entity;
    record->chunk = to.chunk;
    record->row = to.row;
    oxi_note_change(store, edge->target);
    oxi_row_leave(store, from);
}

OXI_NOINLINE static void move_row_slow(oxi_store *store, const oxi_edge *edge, oxi_lane *lane,
                                       ox_entity entity, oxi_record *record, const void *value) {
    oxi_rows to = add_rows(store, edge->target, lane, 1);
    // Adding a row may have closed the chunk of this one: where it is, its record says.
    oxi_row_place from = {record->chunk, record->row};
    carry_rows(store, edge, to, from);
    oxi_rows_drop_left(store, edge, (oxi_rows){from.chunk, from.row, 1});
    if (value != NULL && edge->new_count > 0) {
        const oxi_column *column = &edge->news[0];
        memcpy(oxi_chunk_address(to.chunk) + column->offset + (size_t)to.first * column->size,
               value, column->size);
    }
    finish_move(store, edge, entity, record, (oxi_row_place){to.chunk, to.first});
}

// The straight path: a row with small values goes to the end of an open chunk whose versions say
// already that all changed now. It calls nothing.
static inline void carry_small_row(const oxi_edge *edge, oxi_row_place to, oxi_row_place from,
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

// Opens a chunk that the target keeps, for a row that can go straight then: all types of its chunk
// changed now, and so have all of the new one. Entities that get their components one by one pass
// through archetypes that nobody else is in, and open such a chunk each time.
static inline bool open_kept_chunk(oxi_store *store, oxi_archetype *target, oxi_lane *lane,
                                   oxi_chunk from) {
    if (lane->open_room > 0 || !oxi_chunk_is_kept(target) || target->capacity < 2 ||
        oxi_chunk_entry_of(from)->meta->stamped != store->version) {
        return false;
    }
    oxi_chunk_stamp(store, oxi_chunk_link(store, target, lane));
    OXI_ASSERT(oxi_row_is_straight(store, target, lane));
    return true;
}

void oxi_row_move(oxi_store *store, const oxi_edge *edge, oxi_lane *lane, ox_entity entity,
                  oxi_record *record, const void *value) {
    if (!edge->is_small || (!oxi_row_is_straight(store, edge->target, lane) &&
                            !open_kept_chunk(store, edge->target, lane, record->chunk))) {
        move_row_slow(store, edge, lane, entity, record, value);
        return;
    }
    oxi_row_place to = oxi_row_append(edge->target, lane);
    if (oxi_archetype_has_lanes(edge->target)) {
        oxi_lane_note_change(store, edge->target, lane);
    }
    carry_small_row(edge, to, (oxi_row_place){record->chunk, record->row}, value);
    finish_move(store, edge, entity, record, to);
}

void oxi_chunk_move(oxi_store *store, const oxi_edge *edge, oxi_lane *lane, oxi_chunk chunk) {
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    oxi_record *records = store->entities.records;
    OXI_ASSERT(entry->first_dead == OXI_NO_ROW);
    for (uint32_t row = 0; row < entry->count;) {
        oxi_rows to = add_rows(store, edge->target, lane, entry->count - row);
        oxi_rows_carry(store, edge, to, (oxi_row_place){chunk, row});
        ox_entity *entities = oxi_chunk_entities(to.chunk) + to.first;
        memcpy(entities, oxi_chunk_entities(chunk) + row, to.count * sizeof *entities);
        for (uint32_t k = 0; k < to.count; k++) {
            records[entities[k].index].chunk = to.chunk;
            records[entities[k].index].row = to.first + k;
        }
        row += to.count;
    }
    oxi_rows_drop_left(store, edge, (oxi_rows){chunk, 0, entry->count});
    oxi_lane_note_change(store, entry->archetype, oxi_lane_of(entry->archetype, chunk));
    oxi_chunk_unlink(store, chunk);
}
