// SPDX-License-Identifier: MIT
//
// Invariant: rows go from a chunk to an earlier neighbour of the same archetype only, to its end,
// so order stays. A chunk that takes rows has the newer of both versions of each type, and its
// order changed.

#include "storage/joining.h"

#include "storage/chunk_list.h"
#include "storage/enabled_bits.h"
#include "storage/removal.h"

#include <string.h>

// The chunk at or behind a place, or 0 at the end.
static oxi_chunk next_chunk(const oxi_lane *lane, uint32_t place) {
    for (size_t k = place; k < lane->chunks.count; k++) {
        if (lane->chunks.items[k] != 0) {
            return lane->chunks.items[k];
        }
    }
    return 0;
}

// The next chunk of an archetype, and the next that has the same shared values.
static oxi_chunk next_in_archetype(const oxi_archetype *archetype, oxi_chunk chunk) {
    return next_chunk(&archetype->lane, oxi_chunk_entry_of(chunk)->place + 1);
}

static oxi_chunk next_in_lane(oxi_archetype *archetype, oxi_chunk chunk) {
    return next_chunk(oxi_lane_of(archetype, chunk), oxi_place_in_lane(archetype, chunk) + 1);
}

static void merge_versions(const oxi_store *store, const oxi_archetype *archetype, oxi_chunk to,
                           oxi_chunk from) {
    oxi_chunk_meta *left = oxi_chunk_entry_of(to)->meta;
    const oxi_chunk_meta *right = oxi_chunk_entry_of(from)->meta;
    left->order_version = store->version;
    for (uint32_t k = 0; k < archetype->type_count; k++) {
        left->versions[k] = oxi_version_newer(left->versions[k], right->versions[k]);
    }
}

// Copies rows of a chunk to the end of another; both have no holes. The counts of the target grow,
// those of the source stay.
static void copy_rows(oxi_store *store, oxi_archetype *archetype, oxi_chunk to, oxi_rows rows) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(to);
    OXI_ASSERT(entry->first_dead == OXI_NO_ROW);
    OXI_ASSERT(entry->count + rows.count <= archetype->capacity);
    oxi_rows_shift(store, archetype, (oxi_rows){to, entry->count, rows.count},
                   (oxi_row_place){rows.chunk, rows.first});
    merge_versions(store, archetype, to, rows.chunk);
    entry->count = (uint16_t)(entry->count + rows.count);
    entry->live = (uint16_t)(entry->live + rows.count);
    archetype->live += rows.count;
    oxi_lane_of(archetype, to)->open_room -= entry->is_open ? rows.count : 0;
    oxi_chunk_update_open(archetype, to);
}

static void join_chunks(oxi_store *store, oxi_archetype *archetype, oxi_chunk left,
                        oxi_chunk right) {
    OXI_ASSERT(left != right);
    OXI_ASSERT(oxi_lane_of(archetype, left) == oxi_lane_of(archetype, right));
    oxi_chunk_close(store, left);
    oxi_chunk_close(store, right);
    oxi_rows rows = {right, 0, oxi_chunk_entry_of(right)->count};
    oxi_chunk_detach(right);
    copy_rows(store, archetype, left, rows);
    oxi_chunk_give(store, archetype, right);
}

void oxi_archetype_join(oxi_store *store, oxi_archetype *archetype) {
    oxi_chunk left = next_chunk(&archetype->lane, 0);
    while (left != 0) {
        oxi_chunk right = next_in_lane(archetype, left);
        uint32_t rows = (uint32_t)oxi_chunk_entry_of(left)->live + oxi_chunk_entry_of(right)->live;
        if (right != 0 && rows <= archetype->capacity) {
            join_chunks(store, archetype, left, right);
        } else {
            left = next_in_archetype(archetype, left);
        }
    }
}

bool oxi_archetype_fits(const oxi_archetype *a, const oxi_archetype *b) {
    if (a->layout_hash != b->layout_hash || a->capacity != b->capacity ||
        a->column_count != b->column_count) {
        return false;
    }
    for (uint32_t k = 0; k < a->column_count; k++) {
        if (a->columns[k].component != b->columns[k].component) {
            return false;
        }
    }
    return true;
}

// Changing sides.

void oxi_relabel_release(oxi_store *store, oxi_relabel *relabel) {
    for (uint32_t k = 0; k < relabel->made; k++) {
        oxi_heap_free_in(store->heap, relabel->metas[k], relabel->meta_size, _Alignof(uint64_t));
    }
    oxi_heap_free_in(store->heap, relabel->metas, relabel->count * sizeof *relabel->metas,
                     _Alignof(oxi_chunk_meta *));
    if (relabel->arriving > 0) {
        OXI_ASSERT(relabel->target->arriving >= relabel->arriving);
        relabel->target->arriving -= relabel->arriving;
    }
    for (uint32_t k = 0; k < relabel->lane_count; k++) {
        oxi_lane_leave(store, relabel->target, relabel->lanes[k]);
    }
    oxi_heap_free_in(store->heap, relabel->lanes, relabel->count * sizeof *relabel->lanes,
                     _Alignof(oxi_lane *));
    *relabel = (oxi_relabel){0};
}

static bool make_metas(const oxi_store *store, oxi_relabel *relabel) {
    relabel->metas = oxi_heap_alloc_in(store->heap, relabel->count * sizeof *relabel->metas,
                                       _Alignof(oxi_chunk_meta *));
    for (; relabel->metas != NULL && relabel->made < relabel->count; relabel->made++) {
        oxi_chunk_meta *meta =
            oxi_heap_alloc_in(store->heap, relabel->meta_size, _Alignof(uint64_t));
        if (meta == NULL) {
            return false;
        }
        memset(meta, 0, relabel->meta_size);
        relabel->metas[relabel->made] = meta;
    }
    return relabel->metas != NULL;
}

// Pins the lane of each chunk, and makes room for it there. @return false when out of memory.
static bool take_lanes(oxi_store *store, const oxi_edge *edge, const oxi_chunk *chunks,
                       const oxi_shared_choice *choice, oxi_relabel *relabel) {
    uint32_t values[OXI_MAX_SHARED_TYPES];
    relabel->lanes = oxi_heap_alloc_in(store->heap, relabel->count * sizeof *relabel->lanes,
                                       _Alignof(oxi_lane *));
    while (relabel->lanes != NULL && relabel->lane_count < relabel->count) {
        oxi_lane_values(store, edge->target, chunks[relabel->lane_count], choice, choice != NULL,
                        values);
        oxi_lane *lane = oxi_lane_take(store, edge->target, values);
        if (lane == NULL) {
            return false;
        }
        relabel->lanes[relabel->lane_count++] = lane;
        if (!oxi_chunk_list_reserve(store, edge->target, lane, lane->pin_count)) {
            return false;
        }
    }
    return relabel->lanes != NULL;
}

oxi_outcome oxi_relabel_reserve(oxi_store *store, const oxi_edge *edge, const oxi_chunk *chunks,
                                uint32_t count, const oxi_shared_choice *choice,
                                oxi_relabel *relabel) {
    oxi_archetype *to = edge->target;
    const oxi_archetype *from = count > 0 ? oxi_archetype_of(chunks[0]) : to;
    *relabel = (oxi_relabel){
        .target = to,
        .count = count,
        .meta_size = to->meta_size,
        .changed = choice != NULL ? oxi_archetype_find_type(store, to, choice->component) : -1,
    };
    // What lies in the metadata beside versions is copied from block to block.
    bool is_plain =
        from->meta_size == to->meta_size && oxi_meta_is_plain(from) && oxi_meta_is_plain(to);
    bool is_done =
        count == 0 ||
        ((is_plain || make_metas(store, relabel)) &&
         oxi_chunk_list_reserve(store, to, &to->lane, count + to->spare_count) &&
         (!oxi_archetype_has_lanes(to) || take_lanes(store, edge, chunks, choice, relabel)));
    if (!is_done) {
        oxi_relabel_release(store, relabel);
        return OXI_NO_MEMORY;
    }
    relabel->arriving = count;
    to->arriving += count;
    return OXI_DONE;
}

// Gives a chunk to another archetype, with a new block of metadata, or NULL: it keeps its own.
static void relabel_chunk(oxi_store *store, const oxi_edge *edge, oxi_lane *lane, oxi_chunk chunk,
                          oxi_chunk_meta *meta) {
    oxi_archetype *from = oxi_archetype_of(chunk);
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    oxi_chunk_meta *before = entry->meta;
    OXI_ASSERT(entry->first_dead == OXI_NO_ROW);
    OXI_ASSERT(meta != NULL || from->meta_size == edge->target->meta_size);
    uint32_t versions[OXI_MAX_ARCHETYPE_TYPES];
    memcpy(versions, before->versions, from->type_count * sizeof *versions);
    oxi_lane *left = oxi_chunk_detach(chunk);
    oxi_lane_note_change(store, from, left);
    entry->meta = meta != NULL ? meta : before;
    entry->meta->order_version = store->version;
    entry->meta->stamped = 0;
    for (uint32_t k = 0; k < edge->target->type_count; k++) {
        entry->meta->versions[k] =
            edge->origin[k] == OXI_NEW_TYPE ? store->version : versions[edge->origin[k]];
    }
    oxi_bits_carry(edge, (oxi_rows){chunk, 0, entry->count}, from, before, 0);
    oxi_chunk_attach(edge->target, lane, chunk);
    oxi_lane_note_change(store, edge->target, lane);
    if (meta != NULL) {
        oxi_heap_free_in(store->heap, before, from->meta_size, _Alignof(uint64_t));
    }
    oxi_lane_settle(store, from, left);
}

void oxi_relabel_commit(oxi_store *store, const oxi_edge *edge, const oxi_chunk *chunks,
                        oxi_relabel *relabel) {
    oxi_archetype *to = edge->target;
    if (relabel->count == 0) {
        return;
    }
    oxi_archetype *from = oxi_archetype_of(chunks[0]);
    OXI_ASSERT(oxi_archetype_fits(from, to));
    OXI_ASSERT(relabel->target == to);
    OXI_ASSERT(relabel->arriving == relabel->count);
    OXI_ASSERT(relabel->lanes == NULL || relabel->lane_count == relabel->count);
    OXI_ASSERT(relabel->metas == NULL || relabel->made == relabel->count);
    oxi_store_close(store);
    for (uint32_t k = 0; k < relabel->count; k++) {
        OXI_ASSERT(oxi_archetype_of(chunks[k]) == from);
        relabel_chunk(store, edge, relabel->lanes != NULL ? relabel->lanes[k] : &to->lane,
                      chunks[k], relabel->metas != NULL ? relabel->metas[k] : NULL);
        if (relabel->changed >= 0) {
            oxi_chunk_entry_of(chunks[k])->meta->versions[relabel->changed] = store->version;
        }
    }
    relabel->made = 0; // the chunks have them
    oxi_relabel_release(store, relabel);
    oxi_archetype_join(store, to);
    oxi_archetype_join(store, from);
    oxi_note_change(store, from);
    oxi_note_change(store, to);
}

// Defragmenting.

// Takes up to `most` rows from the front of `right` to the end of `left`. Returns how many.
static uint32_t slide_left(oxi_store *store, oxi_archetype *archetype, oxi_chunk left,
                           oxi_chunk right, uint64_t most) {
    oxi_chunk_close(store, left);
    oxi_chunk_close(store, right);
    uint32_t room = archetype->capacity - oxi_chunk_entry_of(left)->count;
    OXI_ASSERT(room > 0); // or defragmenting would not end
    uint32_t count = oxi_chunk_entry_of(right)->count;
    count = count < room ? count : room;
    count = count < most ? count : (uint32_t)most;
    if (count == oxi_chunk_entry_of(right)->count) {
        join_chunks(store, archetype, left, right);
        return count;
    }
    // Where a removal puts the last row in the hole, rows come from the end: order is not kept.
    uint32_t first = archetype->swaps ? oxi_chunk_entry_of(right)->count - count : 0;
    copy_rows(store, archetype, left, (oxi_rows){right, first, count});
    for (uint32_t k = 0; k < count; k++) {
        uint32_t row = archetype->swaps ? first + count - 1 - k : k;
        oxi_row_remove(store, (oxi_row_place){right, row});
    }
    oxi_chunk_close(store, right);
    return count;
}

static uint64_t defragment_archetype(oxi_store *store, oxi_archetype *archetype, uint64_t most) {
    uint64_t moved = 0;
    oxi_chunk left = next_chunk(&archetype->lane, 0);
    while (left != 0 && moved < most) {
        oxi_chunk right = next_in_lane(archetype, left);
        if (right == 0 || oxi_chunk_entry_of(left)->live == archetype->capacity) {
            left = next_in_archetype(archetype, left);
        } else {
            moved += slide_left(store, archetype, left, right, most - moved);
        }
    }
    if (moved > 0) {
        oxi_note_change(store, archetype);
    }
    return moved;
}

uint64_t oxi_store_defragment(oxi_store *store, uint64_t most) {
    uint64_t moved = 0;
    for (uint32_t k = 0; k < store->archetypes.count && moved < most; k++) {
        moved += defragment_archetype(store, oxi_archetype_at(store, k), most - moved);
    }
    return moved;
}

// Chunks that the rows of a lane need.
static uint32_t count_least(const oxi_archetype *archetype, const oxi_lane *lane) {
    uint32_t rows = 0;
    for (size_t k = 0; k < lane->chunks.count; k++) {
        rows += lane->chunks.items[k] != 0 ? oxi_chunk_entry_of(lane->chunks.items[k])->live : 0;
    }
    return (rows + archetype->capacity - 1) / archetype->capacity;
}

oxi_fragmentation oxi_archetype_get_fragmentation(const oxi_archetype *archetype) {
    uint32_t chunks = (uint32_t)archetype->lane.chunks.count - archetype->lane.gap_count;
    uint32_t by_lane = 0;
    for (size_t k = 0; k < archetype->lanes.count; k++) {
        by_lane += count_least(archetype, archetype->lanes.items[k]);
    }
    return (oxi_fragmentation){
        .chunk_count = chunks,
        .least_count = (archetype->live + archetype->capacity - 1) / archetype->capacity,
        .lane_count = (uint32_t)archetype->lanes.count,
        .least_by_lane = by_lane,
        .row_count = archetype->live,
        .row_room = (uint64_t)chunks * archetype->capacity,
    };
}
