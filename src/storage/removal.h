// SPDX-License-Identifier: MIT
//
// Removing rows.
//
// A removal marks its row dead and moves nothing; closing a chunk moves live rows over the dead
// ones, all at once, and changes no version: the removal stamped those. Nothing that is seen
// depends on when a chunk is closed. Two ways to close, of rows 0 to 7 after 2, 0 and 7 were
// removed:
//
//     rows         0 x   1     2 x   3     4     5     6     7 x
//     in order     1     3     4     5     6                       all rows behind a hole move down
//     swapping     6     1     5     3     4                       the last row fills the hole
//
// Swapping comes to what it would have come to one by one: 7 into 2, 6 into 0, then 7, which is in
// 2, goes and 5 fills that. So a chunk that swaps keeps the order of its removals, as a list
// through the entities of its dead rows, which nobody reads.

#pragma once

#include "storage/rows.h"

/// Removes a row whose entity is gone, or moved. Allocates nothing. The chunk may be gone after it.
void oxi_row_remove(oxi_store *store, oxi_row_place place);

/// The same, out of line: for oxi_row_leave, which has noted the change.
void oxi_row_leave_slow(oxi_store *store, oxi_row_place place);

/// Lists a dead row behind those of its chunk that were removed before, where removals swap.
static inline void oxi_row_list_removed(const oxi_chunk_entry *entry, oxi_row_place place) {
    bool is_first = entry->first_dead == OXI_NO_ROW;
    ox_entity *slot = &oxi_chunk_entities(place.chunk)[place.row];
    *slot = (ox_entity){is_first ? OXI_NO_ROW : entry->meta->last_removed, 0};
    entry->meta->last_removed = place.row;
}

/// Marks a row between others dead and notes the change, in a chunk that has holes already.
static inline void oxi_row_mark_dead(oxi_store *store, oxi_archetype *archetype,
                                     oxi_chunk_entry *entry, oxi_row_place place) {
    entry->meta->order_version = store->version;
    entry->live--;
    archetype->live_and_changes += OXI_PAIR(-1, 1);
    archetype->lane.open_room += entry->is_open;
    oxi_rows_vacate(archetype, (oxi_rows){place.chunk, place.row, 1});
    oxi_words_set(oxi_chunk_dead_bits(archetype, place.chunk), place.row);
    store->change_count++;
    oxi_stamp_change(store, archetype);
}

/// Removes a row whose entity is gone, or moved, and notes the change of its archetype. Mostly it
/// is one between others, in a chunk that has a hole before it: that is done here, with no call.
static inline void oxi_row_leave(oxi_store *store, oxi_row_place place) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(place.chunk);
    OXI_ASSERT(place.row < entry->count);
    OXI_ASSERT(entry->live > 0);
    oxi_archetype *archetype = entry->archetype;
    bool opens = !entry->is_open && archetype->capacity - entry->live + 1 >= archetype->reopen;
    if (!archetype->leaves_plainly || place.row <= entry->first_dead ||
        place.row + 1u == entry->count || opens) {
        oxi_row_leave_slow(store, place);
        return;
    }
    oxi_row_mark_dead(store, archetype, entry, place);
}

/// Removes contiguous rows, the last first where removals swap.
void oxi_rows_remove(oxi_store *store, oxi_rows rows);

/// Closes the holes of a chunk.
void oxi_chunk_close(oxi_store *store, oxi_chunk chunk);

/// Closes all holes of the store.
void oxi_store_close(oxi_store *store);

/// Closes the chunk of a row when that would move it, so that its address stays.
static inline void oxi_row_settle(oxi_store *store, const oxi_record *record) {
    OXI_ASSERT(record->row < oxi_chunk_entry_of(record->chunk)->count);
    if (store->dirty_count != 0 && record->row > oxi_chunk_entry_of(record->chunk)->first_dead) {
        oxi_chunk_close(store, record->chunk);
    }
}

/// How many live rows stand before a row, as soon as its chunk is closed.
uint32_t oxi_row_rank(const oxi_archetype *archetype, oxi_row_place place);

/// Lists the live rows of a chunk in the order that they have as soon as it is closed.
void oxi_chunk_list_rows(const oxi_archetype *archetype, oxi_chunk chunk,
                         uint16_t rows[OXI_MAX_ROWS]);
