// SPDX-License-Identifier: MIT
//
// Invariants: entry->place is where a linked chunk stands in the list of its archetype; a gap is a
// 0. Where components are shared, it also stands in the list of its lane. There, bits of `open` are
// the is_open of the chunks, `first_open` is the first of them, `open_room` is the sum of capacity
// - live over them. A chunk of the store is linked, spare, or in free_chunks. The last place of a
// list is no gap. Spare chunks are all alike: which of them are reserved is a matter of counts.

#include "storage/chunk_list.h"

#include "storage/lanes.h"
#include "storage/vacant.h"

#include <string.h>

enum { LEAST_GAPS = 8 };

// Chunks of the store.

bool oxi_chunks_make_room(oxi_store *store, uint32_t extra) {
    return oxi_list_reserve_in(store->heap, &store->free_chunks, store->chunk_count + extra);
}

// OXI_AT_LIMIT: the process has no chunk left.
static oxi_outcome take_store_slab(oxi_store *store) {
    if (!oxi_chunks_make_room(store, OXI_SLAB_CHUNKS)) {
        return OXI_NO_MEMORY;
    }
    oxi_chunk first = oxi_slab_take();
    if (first == 0) {
        return OXI_AT_LIMIT;
    }
    store->chunk_count += OXI_SLAB_CHUNKS;
    for (oxi_chunk k = OXI_SLAB_CHUNKS; k-- > 0;) {
        store->free_chunks.items[store->free_chunks.count++] = first + k; // lowest is taken first
    }
    return OXI_DONE;
}

void oxi_chunk_give(oxi_store *store, oxi_archetype *archetype, oxi_chunk chunk) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    OXI_ASSERT(entry->archetype == archetype);
    OXI_ASSERT(entry->meta != NULL);
    OXI_ASSERT(store->free_chunks.count < store->chunk_count);
    oxi_heap_free_in(store->heap, entry->meta, archetype->meta_size, _Alignof(uint64_t));
    oxi_chunk_vacate(archetype, chunk, entry->count);
    // A chunk in the dirty list stays there: it is skipped when the list is walked.
    *entry = (oxi_chunk_entry){.is_dirty_listed = entry->is_dirty_listed, .next = entry->next};
    store->free_chunks.items[store->free_chunks.count++] = chunk;
}

static void push_spare(oxi_archetype *archetype, oxi_chunk chunk) {
    OXI_ASSERT(oxi_chunk_entry_of(chunk)->archetype == archetype);
    OXI_ASSERT(oxi_chunk_entry_of(chunk)->count_and_live == 0);
    oxi_chunk_entry_of(chunk)->place = archetype->spare;
    archetype->spare = chunk;
    archetype->spare_count++;
}

static oxi_chunk pop_spare(oxi_archetype *archetype) {
    OXI_ASSERT(archetype->spare != 0);
    OXI_ASSERT(archetype->spare_count > 0);
    oxi_chunk chunk = archetype->spare;
    archetype->spare = oxi_chunk_entry_of(chunk)->place;
    archetype->spare_count--;
    OXI_ASSERT((archetype->spare == 0) == (archetype->spare_count == 0));
    return chunk;
}

// Makes one more chunk, with metadata, a spare one. It may still wait in the dirty list: `next`
// stays.
static oxi_outcome take_chunk(oxi_store *store, oxi_archetype *archetype) {
    oxi_outcome outcome = store->free_chunks.count == 0 ? take_store_slab(store) : OXI_DONE;
    if (outcome != OXI_DONE) {
        return outcome;
    }
    oxi_chunk_meta *meta = oxi_heap_alloc_in(store->heap, archetype->meta_size, _Alignof(uint64_t));
    if (meta == NULL) {
        return OXI_NO_MEMORY;
    }
    memset(meta, 0, archetype->meta_size);
    oxi_chunk chunk = oxi_list_pop(&store->free_chunks);
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    OXI_ASSERT(entry->meta == NULL);
    OXI_ASSERT(entry->archetype == NULL);
    entry->meta = meta;
    entry->archetype = archetype;
    entry->first_dead = OXI_NO_ROW;
    push_spare(archetype, chunk);
    return OXI_DONE;
}

static bool reserve_places(const oxi_store *store, oxi_lane *lane, uint32_t extra) {
    size_t wanted = lane->chunks.count + extra;
    if (wanted <= lane->chunks.capacity && wanted <= lane->open.bit_count) {
        return true;
    }
    size_t bits = lane->open.bit_count * 2 > wanted ? lane->open.bit_count * 2 : wanted;
    return oxi_list_reserve_in(store->heap, &lane->chunks, wanted) &&
           oxi_bitset_grow_in(store->heap, &lane->open, bits);
}

bool oxi_chunk_list_reserve(const oxi_store *store, oxi_archetype *archetype, oxi_lane *lane,
                            uint32_t extra) {
    // Who pins a lane may have a chunk on its way there.
    return reserve_places(store, &archetype->lane, extra + archetype->arriving) &&
           (lane == &archetype->lane || reserve_places(store, lane, extra + lane->pin_count));
}

// Gives the first `count` free chunks back to the process: none of them is in the dirty list.
static void return_first(oxi_store *store, size_t count) {
    OXI_ASSERT(count <= store->free_chunks.count);
    oxi_chunk *free = store->free_chunks.items;
    oxi_chunks_return(free, count);
    store->free_chunks.count -= count;
    store->chunk_count -= (uint32_t)count;
    memmove(free, free + count, store->free_chunks.count * sizeof *free);
}

void oxi_chunks_trim(oxi_store *store) {
    // Those that wait in the dirty list come last, and stay.
    oxi_chunk *free = store->free_chunks.items;
    size_t count = 0;
    for (size_t k = 0; k < store->free_chunks.count; k++) {
        oxi_chunk chunk = free[k];
        if (!oxi_chunk_entry_of(chunk)->is_dirty_listed) {
            free[k] = free[count];
            free[count++] = chunk;
        }
    }
    if (count > OXI_SLAB_CHUNKS) {
        return_first(store, count - OXI_SLAB_CHUNKS);
    }
}

// Spare chunks.

// Changes how many of the spare chunks are kept: the others are reserved.
static void add_kept(oxi_store *store, oxi_archetype *archetype, int32_t change) {
    archetype->kept_count += (uint32_t)change;
    store->kept_count += (uint32_t)change;
    OXI_ASSERT(archetype->kept_count <= archetype->spare_count);
    OXI_ASSERT(archetype->kept_count <= OXI_KEPT_BY_ARCHETYPE);
    OXI_ASSERT(store->kept_count <= OXI_KEPT_BY_STORE);
}

void oxi_chunks_release(oxi_store *store, oxi_archetype *archetype) {
    while (oxi_chunks_reserved(archetype) > 0) {
        oxi_chunk_give(store, archetype, pop_spare(archetype));
    }
}

void oxi_chunks_give_kept(oxi_store *store) {
    for (size_t k = 0; k < store->archetypes.count && store->kept_count > 0; k++) {
        oxi_archetype *archetype = oxi_archetype_at(store, (uint32_t)k);
        while (archetype->kept_count > 0) {
            add_kept(store, archetype, -1);
            oxi_chunk_give(store, archetype, pop_spare(archetype));
        }
    }
}

// Keeps an emptied chunk for the next row, as it was when it was taken.
static void keep_chunk(oxi_store *store, oxi_archetype *archetype, oxi_chunk chunk) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    oxi_chunk_vacate(archetype, chunk, entry->count);
    memset(entry->meta, 0, archetype->meta_size);
    entry->count = entry->live = 0;
    entry->first_dead = OXI_NO_ROW;
    entry->is_open = false;
    push_spare(archetype, chunk);
    add_kept(store, archetype, 1);
}

// Reserving.

// Frees what was reserved, and gives chunks that were taken since the store had `before` of them
// back to the process. Else one call that asks for too much would leave nothing to other stores.
static void undo_reserve(oxi_store *store, oxi_archetype *archetype, uint32_t before) {
    oxi_chunks_release(store, archetype);
    // What is new is taken when nothing is free any more, and chunks are freed in reverse: so those
    // that are new are the first ones.
    if (store->chunk_count > before) {
        return_first(store, store->chunk_count - before);
    }
}

static oxi_outcome reserve_chunks(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane,
                                  uint32_t count) {
    bool was_free = oxi_chunks_reserved(archetype) == 0;
    uint32_t chunks = store->chunk_count;
    if (!oxi_chunk_list_reserve(store, archetype, lane, count)) {
        return OXI_NO_MEMORY;
    }
    while (oxi_chunks_reserved(archetype) < count) {
        if (archetype->kept_count > 0) {
            add_kept(store, archetype, -1);
            continue;
        }
        oxi_outcome outcome = take_chunk(store, archetype);
        if (outcome != OXI_DONE) {
            if (was_free) {
                undo_reserve(store, archetype, chunks);
            }
            return outcome;
        }
    }
    return OXI_DONE;
}

oxi_outcome oxi_chunks_reserve(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane,
                               uint32_t count) {
    oxi_outcome outcome = reserve_chunks(store, archetype, lane, count);
    if (outcome == OXI_AT_LIMIT && store->kept_count > 0) {
        oxi_chunks_give_kept(store);
        outcome = reserve_chunks(store, archetype, lane, count);
    }
    return outcome == OXI_DONE ? OXI_DONE : OXI_NO_MEMORY;
}

// Open chunks.

static void set_open(oxi_archetype *archetype, oxi_chunk chunk) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    oxi_lane *lane = oxi_lane_of(archetype, chunk);
    uint32_t place = oxi_place_in_lane(archetype, chunk);
    OXI_ASSERT(lane->chunks.items[place] == chunk);
    OXI_ASSERT(!oxi_bitset_test(&lane->open, place));
    entry->is_open = true;
    oxi_bitset_set(&lane->open, place);
    lane->open_room += archetype->capacity - entry->live;
    if (place < lane->first_open) {
        lane->first_open = place;
    }
}

static void set_closed(oxi_archetype *archetype, oxi_chunk chunk) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    oxi_lane *lane = oxi_lane_of(archetype, chunk);
    uint32_t place = oxi_place_in_lane(archetype, chunk);
    OXI_ASSERT(lane->chunks.items[place] == chunk);
    OXI_ASSERT(oxi_bitset_test(&lane->open, place));
    OXI_ASSERT(lane->open_room >= archetype->capacity - entry->live);
    entry->is_open = false;
    oxi_bitset_clear(&lane->open, place);
    lane->open_room -= archetype->capacity - entry->live;
    if (place == lane->first_open) {
        lane->first_open = (uint32_t)oxi_words_find_set(lane->open.words, lane->chunks.count,
                                                        lane->first_open + 1u);
    }
}

void oxi_chunk_update_open(oxi_archetype *archetype, oxi_chunk chunk) {
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    if (entry->is_open && entry->live == archetype->capacity) {
        set_closed(archetype, chunk);
    } else if (!entry->is_open && archetype->capacity - entry->live >= archetype->reopen) {
        set_open(archetype, chunk);
    }
}

// The lists.

// Puts a chunk at the end of a list, closed. Returns its place there.
static uint32_t append_chunk(oxi_lane *lane, oxi_chunk chunk) {
    OXI_ASSERT(lane->chunks.count < lane->chunks.capacity); // room was made
    OXI_ASSERT(lane->chunks.count < lane->open.bit_count);
    if (lane->first_open == lane->chunks.count) {
        lane->first_open++; // none is open: it is the number of places
    }
    uint32_t place = (uint32_t)lane->chunks.count;
    lane->chunks.items[lane->chunks.count++] = chunk;
    oxi_bitset_clear(&lane->open, place);
    return place;
}

// The same for one without rows in an empty list: it is open.
static inline void append_only_chunk(const oxi_archetype *archetype, oxi_lane *lane,
                                     oxi_chunk chunk) {
    OXI_ASSERT(lane->chunks.count == 0);
    OXI_ASSERT(lane->chunks.capacity > 0); // room was made
    OXI_ASSERT(lane->open.bit_count > 0);
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    lane->chunks.items[0] = chunk;
    lane->chunks.count = 1;
    lane->first_open = 0;
    lane->open_room = archetype->capacity;
    oxi_bitset_set(&lane->open, 0);
    entry->place = 0;
    entry->is_open = true;
}

// Inline, as detach_chunk is: an archetype that few entities pass through links and unlinks its
// only chunk for each of them.
OXI_FORCE_INLINE void attach_chunk(oxi_archetype *archetype, oxi_lane *lane, oxi_chunk chunk) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    entry->archetype = archetype;
    entry->place = append_chunk(&archetype->lane, chunk);
    if (lane != &archetype->lane) {
        *oxi_chunk_lane_of(archetype, chunk) = (oxi_chunk_lane){lane, append_chunk(lane, chunk)};
    }
    archetype->live += entry->live;
    entry->is_open = false;
    if (entry->live == 0) {
        set_open(archetype, chunk);
    } else {
        oxi_chunk_update_open(archetype, chunk);
    }
}

void oxi_chunk_attach(oxi_archetype *archetype, oxi_lane *lane, oxi_chunk chunk) {
    attach_chunk(archetype, lane, chunk);
}

oxi_chunk oxi_chunk_link(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane) {
    if (oxi_chunks_reserved(archetype) == 0) {
        add_kept(store, archetype, -1);
    }
    oxi_chunk chunk = pop_spare(archetype);
    OXI_ASSERT(oxi_chunk_entry_of(chunk)->archetype == archetype);
    OXI_ASSERT(oxi_chunk_entry_of(chunk)->first_dead == OXI_NO_ROW);
    oxi_chunk_occupy(chunk);
    if (lane == &archetype->lane && lane->chunks.count == 0) {
        append_only_chunk(archetype, lane, chunk);
    } else {
        attach_chunk(archetype, lane, chunk);
    }
    return chunk;
}

// Tells a chunk where it stands in a list.
static void set_place(oxi_archetype *archetype, const oxi_lane *lane, oxi_chunk chunk,
                      uint32_t place) {
    if (lane == &archetype->lane) {
        oxi_chunk_entry_of(chunk)->place = place;
    } else {
        oxi_chunk_lane_of(archetype, chunk)->place = place;
    }
}

// Squeezes gaps out. The order of chunks stays.
static void squeeze_chunks(oxi_archetype *archetype, oxi_lane *lane) {
    uint32_t kept = 0;
    bool has_open = lane != &archetype->lane || !oxi_archetype_has_lanes(archetype);
    oxi_bitset_clear_all(&lane->open);
    for (size_t k = 0; k < lane->chunks.count; k++) {
        oxi_chunk chunk = lane->chunks.items[k];
        if (chunk != 0) {
            set_place(archetype, lane, chunk, kept);
            lane->chunks.items[kept] = chunk;
            if (has_open && oxi_chunk_entry_of(chunk)->is_open) {
                oxi_bitset_set(&lane->open, kept);
            }
            kept++;
        }
    }
    OXI_ASSERT(kept + lane->gap_count == lane->chunks.count);
    lane->chunks.count = kept;
    lane->gap_count = 0;
    lane->first_open = (uint32_t)oxi_words_find_set(lane->open.words, kept, 0);
}

static void take_from_list(oxi_archetype *archetype, oxi_lane *lane, uint32_t place) {
    OXI_ASSERT(place < lane->chunks.count);
    OXI_ASSERT(lane->chunks.items[place] != 0);
    lane->chunks.items[place] = 0;
    lane->gap_count++;
    while (lane->chunks.count > 0 && lane->chunks.items[lane->chunks.count - 1] == 0) {
        lane->chunks.count--;
        lane->gap_count--;
    }
    if (lane->first_open > lane->chunks.count) {
        lane->first_open = (uint32_t)lane->chunks.count; // none is open
    }
    if (lane->gap_count >= LEAST_GAPS && lane->gap_count * 4 >= lane->chunks.count) {
        squeeze_chunks(archetype, lane);
    }
}

// The same for the only one.
static inline void take_only_from_list(oxi_lane *lane) {
    OXI_ASSERT(lane->chunks.count == 1);
    OXI_ASSERT(lane->gap_count == 0);
    oxi_bitset_clear(&lane->open, 0);
    lane->chunks.count = 0;
    lane->first_open = lane->open_room = 0;
}

OXI_FORCE_INLINE oxi_lane *detach_chunk(oxi_chunk chunk) {
    oxi_archetype *archetype = oxi_archetype_of(chunk);
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    oxi_lane *lane = oxi_lane_of(archetype, chunk);
    OXI_ASSERT(archetype->live >= entry->live);
    archetype->live -= entry->live;
    if (lane->chunks.count == 1) {
        take_only_from_list(lane);
        entry->is_open = false;
    } else if (entry->is_open) {
        set_closed(archetype, chunk);
    }
    if (lane != &archetype->lane) {
        take_from_list(archetype, &archetype->lane, entry->place);
    }
    if (lane->chunks.count > 0) {
        take_from_list(archetype, lane, oxi_place_in_lane(archetype, chunk));
    }
    return lane;
}

oxi_lane *oxi_chunk_detach(oxi_chunk chunk) {
    return detach_chunk(chunk);
}

void oxi_chunks_detach_all(oxi_archetype *archetype) {
    oxi_lane *lane = &archetype->lane;
    OXI_ASSERT(!oxi_archetype_has_lanes(archetype));
    oxi_bitset_clear_all(&lane->open);
    lane->chunks.count = 0;
    lane->gap_count = lane->first_open = lane->open_room = 0;
    archetype->live = 0;
}

void oxi_chunk_unlink(oxi_store *store, oxi_chunk chunk) {
    oxi_archetype *archetype = oxi_archetype_of(chunk);
    if (oxi_chunk_entry_of(chunk)->first_dead != OXI_NO_ROW) {
        OXI_ASSERT(store->dirty_count > 0);
        store->dirty_count--;
    }
    oxi_lane *lane = detach_chunk(chunk);
    if (archetype->kept_count < OXI_KEPT_BY_ARCHETYPE && store->kept_count < OXI_KEPT_BY_STORE) {
        keep_chunk(store, archetype, chunk);
    } else {
        oxi_chunk_give(store, archetype, chunk);
    }
    if (lane != &archetype->lane) {
        oxi_lane_settle(store, archetype, lane); // last: it may call a user's function
    }
}

void oxi_chunks_destroy(oxi_store *store) {
    for (size_t n = 0; n < store->archetypes.count; n++) {
        oxi_archetype *archetype = oxi_archetype_at(store, (uint32_t)n);
        for (size_t k = 0; k < archetype->lane.chunks.count; k++) {
            if (archetype->lane.chunks.items[k] != 0) {
                oxi_chunk_give(store, archetype, archetype->lane.chunks.items[k]);
            }
        }
        oxi_chunks_release(store, archetype);
    }
    oxi_chunks_give_kept(store);
    OXI_ASSERT(store->free_chunks.count == store->chunk_count);
    oxi_chunks_return(store->free_chunks.items, store->free_chunks.count);
    store->chunk_count = 0;
    oxi_list_free_in(store->heap, &store->free_chunks);
}
