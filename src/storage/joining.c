// SPDX-License-Identifier: MIT
//
// Invariant: rows go from a chunk to an earlier neighbour of the same archetype only, to its end,
// so order stays. A chunk that takes rows has the newer of both versions of each type, and its
// order changed.

#include "storage/joining.h"

#include "storage/chunk_list.h"
#include "storage/removal.h"

#include <string.h>

// The chunk behind a place, or 0 at the end.
static oxi_chunk next_chunk(const oxi_archetype *archetype, uint32_t place) {
    for (size_t k = place; k < archetype->chunks.count; k++) {
        if (archetype->chunks.items[k] != 0) {
            return archetype->chunks.items[k];
        }
    }
    return 0;
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

// Copies the first `count` rows of a chunk to the end of another; both have no holes. The counts of
// the target grow, those of the source stay.
static void copy_rows(oxi_store *store, oxi_archetype *archetype, oxi_chunk to, oxi_rows rows) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(to);
    char *to_base = oxi_chunk_address(to);
    const char *from_base = oxi_chunk_address(rows.chunk);
    for (uint32_t k = 0; k < archetype->column_count; k++) {
        const oxi_column *column = &archetype->columns[k];
        memcpy(to_base + column->offset + (size_t)entry->count * column->size,
               from_base + column->offset + (size_t)rows.first * column->size,
               (size_t)rows.count * column->size);
    }
    for (uint32_t k = entry->count; k < entry->count + rows.count; k++) {
        oxi_record *record = &store->entities.records[oxi_chunk_entities(to)[k].index];
        record->chunk = to;
        record->row = k;
    }
    merge_versions(store, archetype, to, rows.chunk);
    entry->count = (uint16_t)(entry->count + rows.count);
    entry->live = (uint16_t)(entry->live + rows.count);
    archetype->live += rows.count;
    archetype->open_room -= entry->is_open ? rows.count : 0;
    store->moved_count += rows.count;
    oxi_chunk_update_open(archetype, to);
}

static void join_chunks(oxi_store *store, oxi_archetype *archetype, oxi_chunk left,
                        oxi_chunk right) {
    oxi_chunk_close(store, left);
    oxi_chunk_close(store, right);
    oxi_rows rows = {right, 0, oxi_chunk_entry_of(right)->count};
    oxi_chunk_detach(right);
    copy_rows(store, archetype, left, rows);
    oxi_chunk_give(store, archetype, right);
}

void oxi_archetype_join(oxi_store *store, oxi_archetype *archetype) {
    oxi_chunk left = next_chunk(archetype, 0);
    while (left != 0) {
        oxi_chunk right = next_chunk(archetype, oxi_chunk_entry_of(left)->place + 1);
        if (right == 0) {
            return;
        }
        uint32_t rows = (uint32_t)oxi_chunk_entry_of(left)->live + oxi_chunk_entry_of(right)->live;
        if (rows <= archetype->capacity) {
            join_chunks(store, archetype, left, right);
        } else {
            left = right;
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

void oxi_relabel_release(const oxi_store *store, oxi_relabel *relabel) {
    for (uint32_t k = 0; k < relabel->made; k++) {
        oxi_heap_free_in(store->heap, relabel->metas[k], relabel->meta_size, _Alignof(uint64_t));
    }
    oxi_heap_free_in(store->heap, relabel->metas, relabel->count * sizeof *relabel->metas,
                     _Alignof(oxi_chunk_meta *));
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

oxi_outcome oxi_relabel_reserve(const oxi_store *store, const oxi_archetype *from,
                                const oxi_edge *edge, uint32_t count, oxi_relabel *relabel) {
    oxi_archetype *to = edge->target;
    *relabel = (oxi_relabel){.count = count, .meta_size = to->meta_size};
    bool is_done = count == 0 || (oxi_chunk_list_reserve(store, to, count) &&
                                  (from->meta_size == to->meta_size || make_metas(store, relabel)));
    if (!is_done) {
        oxi_relabel_release(store, relabel);
    }
    return is_done ? OXI_DONE : OXI_NO_MEMORY;
}

// Gives a chunk to another archetype, with a new block of metadata, or NULL: it keeps its own.
static void relabel_chunk(oxi_store *store, const oxi_edge *edge, oxi_chunk chunk,
                          oxi_chunk_meta *meta) {
    const oxi_archetype *from = oxi_archetype_of(chunk);
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    uint32_t versions[OXI_MAX_ARCHETYPE_TYPES];
    memcpy(versions, entry->meta->versions, from->type_count * sizeof *versions);
    oxi_chunk_detach(chunk);
    if (meta != NULL) {
        oxi_heap_free_in(store->heap, entry->meta, from->meta_size, _Alignof(uint64_t));
        entry->meta = meta;
    }
    entry->meta->order_version = store->version;
    entry->meta->stamped = 0;
    for (uint32_t k = 0; k < edge->target->type_count; k++) {
        entry->meta->versions[k] =
            edge->origin[k] == OXI_NEW_TYPE ? store->version : versions[edge->origin[k]];
    }
    oxi_chunk_attach(edge->target, chunk);
}

void oxi_relabel_commit(oxi_store *store, const oxi_edge *edge, const oxi_chunk *chunks,
                        oxi_relabel *relabel) {
    oxi_archetype *to = edge->target;
    if (relabel->count == 0) {
        return;
    }
    oxi_archetype *from = oxi_archetype_of(chunks[0]);
    OXI_ASSERT(oxi_archetype_fits(from, to));
    oxi_store_close(store);
    for (uint32_t k = 0; k < relabel->count; k++) {
        relabel_chunk(store, edge, chunks[k], relabel->metas != NULL ? relabel->metas[k] : NULL);
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
    oxi_chunk left = next_chunk(archetype, 0);
    while (left != 0 && moved < most) {
        if (oxi_chunk_entry_of(left)->live == archetype->capacity) {
            left = next_chunk(archetype, oxi_chunk_entry_of(left)->place + 1);
            continue;
        }
        oxi_chunk right = next_chunk(archetype, oxi_chunk_entry_of(left)->place + 1);
        if (right == 0) {
            break;
        }
        moved += slide_left(store, archetype, left, right, most - moved);
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

oxi_fragmentation oxi_archetype_get_fragmentation(const oxi_archetype *archetype) {
    uint32_t chunks = (uint32_t)archetype->chunks.count - archetype->gap_count;
    return (oxi_fragmentation){
        .chunk_count = chunks,
        .least_count = (archetype->live + archetype->capacity - 1) / archetype->capacity,
        .row_count = archetype->live,
        .row_room = (uint64_t)chunks * archetype->capacity,
    };
}
