// SPDX-License-Identifier: MIT
//
// Invariants: entry->place is where a linked chunk stands; a gap is a 0; bits of `open` are the
// is_open of the chunks there, `first_open` is the first of them; `open_room` is the sum of
// capacity - live over them. A chunk of the store is linked, spare, or in free_chunks.

#include "storage/chunk_list.h"

#include <string.h>

enum { LEAST_GAPS = 8 };

#define GIVEN_BACK UINT32_MAX // the place of a free chunk whose slab goes

// Chunks of the store.

static bool take_store_slab(oxi_store *store) {
    size_t all = (store->slabs.count + 1) * OXI_SLAB_CHUNKS;
    if (!oxi_list_reserve_in(store->heap, &store->slabs, store->slabs.count + 1) ||
        !oxi_list_reserve_in(store->heap, &store->free_chunks, all)) {
        return false;
    }
    oxi_chunk first = oxi_slab_take();
    if (first == 0) {
        return false;
    }
    store->slabs.items[store->slabs.count++] = first;
    for (oxi_chunk k = OXI_SLAB_CHUNKS; k-- > 0;) {
        store->free_chunks.items[store->free_chunks.count++] = first + k; // lowest is taken first
    }
    return true;
}

void oxi_chunk_give(oxi_store *store, oxi_archetype *archetype, oxi_chunk chunk) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    oxi_heap_free_in(store->heap, entry->meta, archetype->meta_size, _Alignof(uint64_t));
    // A chunk in the dirty list stays there: it is skipped when the list is walked.
    *entry = (oxi_chunk_entry){.is_dirty_listed = entry->is_dirty_listed, .next = entry->next};
    store->free_chunks.items[store->free_chunks.count++] = chunk;
}

// A chunk with metadata for an archetype, or 0. It may still wait in the dirty list: `next` stays.
static oxi_chunk take_chunk(oxi_store *store, oxi_archetype *archetype) {
    if (store->free_chunks.count == 0 && !take_store_slab(store)) {
        return 0;
    }
    oxi_chunk_meta *meta = oxi_heap_alloc_in(store->heap, archetype->meta_size, _Alignof(uint64_t));
    if (meta == NULL) {
        return 0;
    }
    memset(meta, 0, archetype->meta_size);
    oxi_chunk chunk = oxi_list_pop(&store->free_chunks);
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    entry->meta = meta;
    entry->archetype = archetype;
    entry->first_dead = OXI_NO_ROW;
    return chunk;
}

bool oxi_chunk_list_reserve(const oxi_store *store, oxi_archetype *archetype, uint32_t extra) {
    size_t wanted = archetype->chunks.count + extra;
    if (wanted <= archetype->chunks.capacity && wanted <= archetype->open.bit_count) {
        return true;
    }
    size_t bits = archetype->open.bit_count * 2 > wanted ? archetype->open.bit_count * 2 : wanted;
    return oxi_list_reserve_in(store->heap, &archetype->chunks, wanted) &&
           oxi_bitset_grow_in(store->heap, &archetype->open, bits);
}

// Gives slabs that were taken since there were `before` back to the process: none of their chunks
// is in use. Else one call that asks for too much would leave nothing to other stores.
static void give_new_slabs(oxi_store *store, size_t before) {
    for (size_t k = before; k < store->slabs.count; k++) {
        for (oxi_chunk n = 0; n < OXI_SLAB_CHUNKS; n++) {
            oxi_chunk_entry_of(store->slabs.items[k] + n)->place = GIVEN_BACK;
        }
    }
    size_t kept = 0;
    for (size_t k = 0; k < store->free_chunks.count; k++) {
        oxi_chunk chunk = store->free_chunks.items[k];
        if (oxi_chunk_entry_of(chunk)->place != GIVEN_BACK) {
            store->free_chunks.items[kept++] = chunk;
        }
    }
    store->free_chunks.count = kept;
    while (store->slabs.count > before) {
        oxi_slab_give(oxi_list_pop(&store->slabs));
    }
}

oxi_outcome oxi_chunks_reserve(oxi_store *store, oxi_archetype *archetype, uint32_t count) {
    uint32_t before = archetype->spare_count;
    size_t slabs = store->slabs.count;
    if (!oxi_chunk_list_reserve(store, archetype, count)) {
        return OXI_NO_MEMORY;
    }
    while (archetype->spare_count < count) {
        oxi_chunk chunk = take_chunk(store, archetype);
        if (chunk == 0) {
            if (before == 0) {
                oxi_chunks_release(store, archetype);
                give_new_slabs(store, slabs);
            }
            return OXI_NO_MEMORY;
        }
        oxi_chunk_entry_of(chunk)->place = archetype->spare;
        archetype->spare = chunk;
        archetype->spare_count++;
    }
    return OXI_DONE;
}

void oxi_chunks_release(oxi_store *store, oxi_archetype *archetype) {
    while (archetype->spare != 0) {
        oxi_chunk chunk = archetype->spare;
        archetype->spare = oxi_chunk_entry_of(chunk)->place;
        oxi_chunk_give(store, archetype, chunk);
    }
    archetype->spare_count = 0;
}

// Open chunks.

static void set_open(oxi_archetype *archetype, oxi_chunk chunk) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    entry->is_open = true;
    oxi_bitset_set(&archetype->open, entry->place);
    archetype->open_room += archetype->capacity - entry->live;
    if (entry->place < archetype->first_open) {
        archetype->first_open = entry->place;
    }
}

static void set_closed(oxi_archetype *archetype, oxi_chunk chunk) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    entry->is_open = false;
    oxi_bitset_clear(&archetype->open, entry->place);
    archetype->open_room -= archetype->capacity - entry->live;
    if (entry->place == archetype->first_open) {
        archetype->first_open = (uint32_t)oxi_words_find_set(
            archetype->open.words, archetype->chunks.count, archetype->first_open + 1u);
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

// The list.

void oxi_chunk_attach(oxi_archetype *archetype, oxi_chunk chunk) {
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    if (archetype->first_open == archetype->chunks.count) {
        archetype->first_open++; // none is open: it is the number of places
    }
    entry->archetype = archetype;
    entry->place = (uint32_t)archetype->chunks.count;
    archetype->chunks.items[archetype->chunks.count++] = chunk;
    archetype->live += entry->live;
    entry->is_open = false;
    oxi_bitset_clear(&archetype->open, entry->place);
    oxi_chunk_update_open(archetype, chunk);
}

oxi_chunk oxi_chunk_link(oxi_archetype *archetype) {
    OXI_ASSERT(archetype->spare != 0);
    oxi_chunk chunk = archetype->spare;
    archetype->spare = oxi_chunk_entry_of(chunk)->place;
    archetype->spare_count--;
    oxi_chunk_attach(archetype, chunk);
    return chunk;
}

// Squeezes gaps out. The order of chunks stays.
static void squeeze_chunks(oxi_archetype *archetype) {
    size_t kept = 0;
    oxi_bitset_clear_all(&archetype->open);
    for (size_t k = 0; k < archetype->chunks.count; k++) {
        oxi_chunk chunk = archetype->chunks.items[k];
        if (chunk != 0) {
            oxi_chunk_entry_of(chunk)->place = (uint32_t)kept;
            archetype->chunks.items[kept] = chunk;
            if (oxi_chunk_entry_of(chunk)->is_open) {
                oxi_bitset_set(&archetype->open, kept);
            }
            kept++;
        }
    }
    archetype->chunks.count = kept;
    archetype->gap_count = 0;
    archetype->first_open = (uint32_t)oxi_words_find_set(archetype->open.words, kept, 0);
}

void oxi_chunk_detach(oxi_chunk chunk) {
    oxi_archetype *archetype = oxi_archetype_of(chunk);
    oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    if (entry->is_open) {
        set_closed(archetype, chunk);
    }
    archetype->live -= entry->live;
    archetype->chunks.items[entry->place] = 0;
    archetype->gap_count++;
    if (archetype->gap_count >= LEAST_GAPS && archetype->gap_count * 4 >= archetype->chunks.count) {
        squeeze_chunks(archetype);
    }
}

void oxi_chunk_unlink(oxi_store *store, oxi_chunk chunk) {
    oxi_archetype *archetype = oxi_archetype_of(chunk);
    if (oxi_chunk_entry_of(chunk)->first_dead != OXI_NO_ROW) {
        store->dirty_count--;
    }
    oxi_chunk_detach(chunk);
    oxi_chunk_give(store, archetype, chunk);
}

void oxi_chunks_destroy(oxi_store *store) {
    for (size_t n = 0; n < store->archetypes.count; n++) {
        oxi_archetype *archetype = oxi_archetype_at(store, (uint32_t)n);
        for (size_t k = 0; k < archetype->chunks.count; k++) {
            if (archetype->chunks.items[k] != 0) {
                oxi_heap_free_in(store->heap, oxi_chunk_entry_of(archetype->chunks.items[k])->meta,
                                 archetype->meta_size, _Alignof(uint64_t));
            }
        }
        oxi_chunks_release(store, archetype);
    }
    for (size_t k = 0; k < store->slabs.count; k++) {
        oxi_slab_give(store->slabs.items[k]);
    }
    oxi_list_free_in(store->heap, &store->slabs);
    oxi_list_free_in(store->heap, &store->free_chunks);
}
