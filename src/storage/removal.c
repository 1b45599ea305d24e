// SPDX-License-Identifier: MIT
//
// Invariants: a row is dead when its bit is set; `first_dead` is the first such row, and the last
// row of a chunk is never dead. A chunk with dead rows is in the dirty list of its store; one in
// the list may have none any more.

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

// Puts the last row in the hole.
static void swap_last_row(oxi_store *store, const oxi_archetype *archetype, oxi_row_place place) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(place.chunk);
    uint32_t last = --entry->count;
    OXI_ASSERT(place.row <= last);
    OXI_ASSERT(entry->first_dead == OXI_NO_ROW);
    if (place.row != last) {
        oxi_rows_shift_inline(store, archetype, (oxi_rows){place.chunk, place.row, 1},
                              (oxi_row_place){place.chunk, last});
    }
    oxi_bits_clear(archetype, (oxi_rows){place.chunk, last, 1});
    oxi_rows_vacate(archetype, (oxi_rows){place.chunk, last, 1});
}

// What follows is written so that the common removal, of a row between others, calls nothing: the
// rare things come last in their function, out of line.

OXI_NOINLINE static void remove_without_hole(oxi_store *store, oxi_row_place place) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(place.chunk);
    oxi_archetype *archetype = entry->archetype;
    if (archetype->swaps) {
        swap_last_row(store, archetype, place);
    } else {
        entry->count--;
        oxi_bits_clear(archetype, (oxi_rows){place.chunk, entry->count, 1});
        oxi_rows_vacate(archetype, (oxi_rows){place.chunk, entry->count, 1});
        trim_dead_rows(store, archetype, place.chunk);
    }
    oxi_chunk_update_open(archetype, place.chunk);
}

// Notes that a dead row comes before all others that are, and that the chunk has holes.
OXI_NOINLINE static void note_first_dead(oxi_store *store, oxi_row_place place) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(place.chunk);
    OXI_ASSERT(place.row < entry->first_dead);
    OXI_ASSERT(!entry->archetype->swaps);
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
    entry->meta->order_version = store->version;
    if (oxi_archetype_has_lanes(archetype)) {
        oxi_lane_note_change(store, archetype, oxi_lane_of(archetype, place.chunk));
    }
    if (entry->live == 1) {
        oxi_chunk_unlink(store, place.chunk);
        return;
    }
    entry->live--;
    archetype->live--;
    oxi_lane_of(archetype, place.chunk)->open_room += entry->is_open;
    if (archetype->swaps || place.row + 1u == entry->count) {
        remove_without_hole(store, place);
        return;
    }
    oxi_rows_vacate(archetype, (oxi_rows){place.chunk, place.row, 1});
    oxi_words_set(oxi_chunk_dead_bits(archetype, place.chunk), place.row);
    if (place.row < entry->first_dead) {
        note_first_dead(store, place);
    } else if (!entry->is_open && archetype->capacity - entry->live >= archetype->reopen) {
        oxi_chunk_update_open(archetype, place.chunk);
    }
}

OXI_NOINLINE void oxi_row_leave_slow(oxi_store *store, oxi_row_place place) {
    oxi_note_change(store, oxi_archetype_of(place.chunk));
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

void oxi_chunk_close(oxi_store *store, oxi_chunk chunk) {
    const oxi_archetype *archetype = oxi_archetype_of(chunk);
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    uint64_t *dead = oxi_chunk_dead_bits(archetype, chunk);
    if (entry->first_dead == OXI_NO_ROW) {
        return;
    }
    uint32_t to = entry->first_dead;
    OXI_ASSERT(to < entry->live); // the last row is never dead
    for (size_t from = oxi_words_find_clear(dead, entry->count, to); from < entry->count;) {
        size_t end = oxi_words_find_set(dead, entry->count, from);
        oxi_rows run = {chunk, to, (uint32_t)(end - from)};
        oxi_rows_shift(store, archetype, run, (oxi_row_place){chunk, (uint32_t)from});
        to += run.count;
        from = oxi_words_find_clear(dead, entry->count, end);
    }
    memset(dead, 0, oxi_words_for(archetype->capacity) * sizeof *dead);
    oxi_bits_clear(archetype, (oxi_rows){chunk, to, entry->count - to});
    oxi_rows_vacate(archetype, (oxi_rows){chunk, to, entry->count - to});
    entry->count = (uint16_t)to;
    entry->first_dead = OXI_NO_ROW;
    OXI_ASSERT(store->dirty_count > 0);
    store->dirty_count--;
    store->closing_count++;
    OXI_ASSERT(entry->count == entry->live);
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
    OXI_ASSERT(oxi_archetype_of(place.chunk) == archetype);
    if (oxi_chunk_entry_of(place.chunk)->first_dead >= place.row) {
        return place.row;
    }
    const uint64_t *dead = oxi_chunk_dead_bits(archetype, place.chunk);
    return place.row - (uint32_t)oxi_words_count(dead, place.row);
}
