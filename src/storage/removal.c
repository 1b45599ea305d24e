// SPDX-License-Identifier: MIT
//
// Invariants: a row is dead when its bit is set; `first_dead` is the first such row. A chunk with
// dead rows is in the dirty list of its store; one in the list may have none any more. In order,
// the last row of a chunk is never dead. Swapping, all dead rows are in the list of removed ones.

#include "storage/removal.h"

#include "storage/chunk_list.h"
#include "storage/lanes.h"
#include "storage/row_shift.h"
#include "storage/vacant.h"

#include <string.h>

// Forgets dead rows at the end, which is closing without a move.
static void trim_dead_rows(oxi_store *store, const oxi_archetype *archetype, oxi_chunk chunk) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    uint64_t *dead = oxi_chunk_dead_bits(archetype, chunk);
    uint32_t before = entry->count;
    while (entry->count > entry->first_dead && oxi_words_test(dead, entry->count - 1u)) {
        entry->count--;
        oxi_words_clear(dead, entry->count);
    }
    OXI_ASSERT(entry->count >= entry->live);
    oxi_bits_clear(archetype, (oxi_rows){chunk, entry->count, before - entry->count});
    if (entry->first_dead != OXI_NO_ROW && entry->count <= entry->first_dead) {
        entry->first_dead = OXI_NO_ROW;
        store->dirty_count--;
    }
}

// What follows is written so that the common removal, of a row between others, calls nothing: the
// rare things come last in their function, out of line.

// Removes the last row, of a chunk without holes where removals swap.
OXI_NOINLINE static void remove_last_row(oxi_store *store, oxi_row_place place) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(place.chunk);
    oxi_archetype *archetype = entry->archetype;
    entry->count--;
    oxi_bits_clear(archetype, (oxi_rows){place.chunk, entry->count, 1});
    oxi_rows_vacate(archetype, (oxi_rows){place.chunk, entry->count, 1});
    trim_dead_rows(store, archetype, place.chunk);
    oxi_chunk_update_open(archetype, place.chunk);
}

// Notes that a dead row comes before all others that are, and that the chunk has holes.
OXI_NOINLINE static void note_first_dead(oxi_store *store, oxi_row_place place) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(place.chunk);
    OXI_ASSERT(place.row < entry->first_dead);
    if (entry->first_dead == OXI_NO_ROW) {
        store->dirty_count++;
    }
    if (!entry->is_dirty_listed) {
        entry->is_dirty_listed = true;
        entry->next = store->first_dirty;
        store->first_dirty = place.chunk;
    }
    entry->first_dead = (uint16_t)place.row;
    oxi_chunk_update_open(entry->archetype, place.chunk);
}

void oxi_row_remove(oxi_store *store, oxi_row_place place) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(place.chunk);
    oxi_archetype *archetype = entry->archetype;
    OXI_ASSERT(place.row < entry->count);
    OXI_ASSERT(!oxi_words_test(oxi_chunk_dead_bits(archetype, place.chunk), place.row));
    if (oxi_archetype_has_lanes(archetype)) {
        oxi_lane_note_change(store, archetype, oxi_lane_of(archetype, place.chunk));
    }
    if (entry->live == 1) {
        oxi_chunk_unlink(store, place.chunk);
        return;
    }
    entry->meta->order_version = store->version;
    entry->live--;
    archetype->live--;
    oxi_lane_of(archetype, place.chunk)->open_room += entry->is_open;
    bool has_holes = entry->first_dead != OXI_NO_ROW;
    if (place.row + 1u == entry->count && !(archetype->swaps && has_holes)) {
        remove_last_row(store, place);
        return;
    }
    oxi_rows_vacate(archetype, (oxi_rows){place.chunk, place.row, 1});
    oxi_words_set(oxi_chunk_dead_bits(archetype, place.chunk), place.row);
    if (archetype->swaps) {
        oxi_row_list_removed(entry, place);
    }
    if (place.row < entry->first_dead) {
        note_first_dead(store, place);
    } else if (!entry->is_open && archetype->capacity - entry->live >= archetype->reopen) {
        oxi_chunk_update_open(archetype, place.chunk);
    }
}

OXI_NOINLINE void oxi_row_leave_slow(oxi_store *store, oxi_row_place place) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(place.chunk);
    oxi_archetype *archetype = entry->archetype;
    // What oxi_row_leave does itself where order is kept.
    if (archetype->swaps && !oxi_archetype_has_lanes(archetype) && place.row > entry->first_dead &&
        entry->live > 1) {
        OXI_ASSERT(entry->is_open);
        oxi_row_list_removed(entry, place);
        oxi_row_mark_dead(store, archetype, entry, place);
        return;
    }
    oxi_note_change(store, archetype);
    oxi_row_remove(store, place);
}

void oxi_rows_remove(oxi_store *store, oxi_rows rows) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(rows.chunk);
    oxi_archetype *archetype = entry->archetype;
    OXI_ASSERT(rows.first + rows.count <= entry->count);
    OXI_ASSERT(entry->live >= rows.count);
    if (rows.count == 1 || archetype->swaps) {
        for (uint32_t k = rows.count; k-- > 0;) {
            oxi_row_remove(store, (oxi_row_place){rows.chunk, rows.first + k});
        }
        return;
    }
    entry->meta->order_version = store->version;
    oxi_lane_note_change(store, archetype, oxi_lane_of(archetype, rows.chunk));
    if (entry->live == rows.count) {
        oxi_chunk_unlink(store, rows.chunk);
        return;
    }
    entry->live = (uint16_t)(entry->live - rows.count);
    archetype->live -= rows.count;
    oxi_lane_of(archetype, rows.chunk)->open_room += entry->is_open ? rows.count : 0;
    oxi_rows_vacate(archetype, rows);
    oxi_words_set_range(oxi_chunk_dead_bits(archetype, rows.chunk), rows.first, rows.count);
    if (rows.first < entry->first_dead) {
        note_first_dead(store, (oxi_row_place){rows.chunk, rows.first});
    }
    trim_dead_rows(store, archetype, rows.chunk);
    oxi_chunk_update_open(archetype, rows.chunk);
}

// Closing.

// Moves live rows down, in order.
static void close_in_order(oxi_store *store, const oxi_archetype *archetype, oxi_chunk chunk) {
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    const uint64_t *dead = oxi_chunk_dead_bits(archetype, chunk);
    uint32_t to = entry->first_dead;
    OXI_ASSERT(to < entry->live); // the last row is never dead
    for (size_t from = oxi_words_find_clear(dead, entry->count, to); from < entry->count;) {
        size_t end = oxi_words_find_set(dead, entry->count, from);
        oxi_rows run = {chunk, to, (uint32_t)(end - from)};
        oxi_rows_shift(store, archetype, run, (oxi_row_place){chunk, (uint32_t)from});
        to += run.count;
        from = oxi_words_find_clear(dead, entry->count, end);
    }
    OXI_ASSERT(to == entry->live);
}

// Rows that were removed from a chunk that swaps, the first one first. Returns how many.
static uint32_t list_removed_rows(oxi_chunk chunk, uint16_t removed[OXI_MAX_ROWS]) {
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    const ox_entity *entities = oxi_chunk_entities(chunk);
    uint32_t count = (uint32_t)entry->count - entry->live, left = count;
    for (uint32_t row = entry->meta->last_removed; left > 0; row = entities[row].index) {
        OXI_ASSERT(row < entry->count);
        removed[--left] = (uint16_t)row;
    }
    return count;
}

// Where the rows from place `live` on of a chunk that swaps go when it is closed: OXI_NO_ROW for a
// dead one. No other row moves, as it is always the last one that does.
static uint32_t find_swapped(oxi_chunk chunk, uint16_t to[OXI_MAX_ROWS]) {
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    uint32_t kept = entry->live, last = entry->count;
    uint16_t removed[OXI_MAX_ROWS], at[OXI_MAX_ROWS]; // which row is at place kept + k by now
    uint32_t count = list_removed_rows(chunk, removed);
    for (uint32_t k = 0; k < count; k++) {
        at[k] = to[k] = (uint16_t)(kept + k);
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t row = removed[k], hole = row < kept ? row : to[row - kept];
        uint32_t moved = at[--last - kept];
        to[moved - kept] = (uint16_t)hole;
        if (hole >= kept) {
            at[hole - kept] = (uint16_t)moved;
        }
        if (row >= kept) {
            to[row - kept] = OXI_NO_ROW;
        }
    }
    OXI_ASSERT(last == kept);
    return count;
}

// Puts the last rows in the holes, as if one had been put there by each removal.
static void close_by_swapping(oxi_store *store, const oxi_archetype *archetype, oxi_chunk chunk) {
    uint32_t kept = oxi_chunk_entry_of(chunk)->live;
    uint16_t to[OXI_MAX_ROWS];
    uint32_t count = find_swapped(chunk, to);
    for (uint32_t k = 0; k < count; k++) {
        if (to[k] != OXI_NO_ROW) {
            OXI_ASSERT(to[k] < kept);
            oxi_rows_shift_inline(store, archetype, (oxi_rows){chunk, to[k], 1},
                                  (oxi_row_place){chunk, kept + k});
        }
    }
}

void oxi_chunk_close(oxi_store *store, oxi_chunk chunk) {
    const oxi_archetype *archetype = oxi_archetype_of(chunk);
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    if (entry->first_dead == OXI_NO_ROW) {
        return;
    }
    if (archetype->swaps) {
        close_by_swapping(store, archetype, chunk);
    } else {
        close_in_order(store, archetype, chunk);
    }
    oxi_rows left = {chunk, entry->live, (uint32_t)entry->count - entry->live};
    oxi_bits_clear(archetype, left);
    oxi_rows_vacate(archetype, left);
    memset(oxi_chunk_dead_bits(archetype, chunk), 0,
           oxi_words_for(archetype->capacity) * sizeof(uint64_t));
    entry->count = entry->live;
    entry->first_dead = OXI_NO_ROW;
    OXI_ASSERT(store->dirty_count > 0);
    store->dirty_count--;
    store->closing_count++;
}

void oxi_store_close(oxi_store *store) {
    while (store->first_dirty != 0) {
        oxi_chunk chunk = store->first_dirty;
        oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
        OXI_ASSERT(entry->is_dirty_listed);
        store->first_dirty = entry->next;
        entry->next = 0;
        entry->is_dirty_listed = false;
        if (entry->meta != NULL) {
            oxi_chunk_close(store, chunk);
        }
    }
    OXI_ASSERT(store->dirty_count == 0);
}

uint32_t oxi_row_rank(const oxi_archetype *archetype, oxi_row_place place) {
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(place.chunk);
    OXI_ASSERT(entry->archetype == archetype);
    if (entry->first_dead >= place.row) {
        return place.row;
    }
    if (!archetype->swaps) {
        const uint64_t *dead = oxi_chunk_dead_bits(archetype, place.chunk);
        return place.row - (uint32_t)oxi_words_count(dead, place.row);
    }
    uint16_t to[OXI_MAX_ROWS];
    find_swapped(place.chunk, to);
    return place.row < entry->live ? place.row : to[place.row - entry->live];
}

void oxi_chunk_list_rows(const oxi_archetype *archetype, oxi_chunk chunk,
                         uint16_t rows[OXI_MAX_ROWS]) {
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    const uint64_t *dead = oxi_chunk_dead_bits(archetype, chunk);
    uint32_t count = 0;
    for (uint32_t row = 0; row < entry->count; row++) {
        bool stays = archetype->swaps ? row < entry->live : !oxi_words_test(dead, row);
        if (stays) {
            rows[count++] = (uint16_t)row;
        }
    }
    OXI_ASSERT(count == entry->live);
    uint16_t to[OXI_MAX_ROWS];
    uint32_t swapped = archetype->swaps ? find_swapped(chunk, to) : 0;
    for (uint32_t k = 0; k < swapped; k++) {
        if (to[k] != OXI_NO_ROW) {
            rows[to[k]] = (uint16_t)(entry->live + k);
        }
    }
}
