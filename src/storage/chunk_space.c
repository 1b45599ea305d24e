// SPDX-License-Identifier: MIT
//
// Invariant: slabs that were ever taken are the first `slab_count` of the space; each belongs to a
// store, or stands in the list of free ones, which runs through the `next` of its first chunk.
// Slab 0 is never handed out, so that chunk 0 is none; it has an archetype of no components, so
// that who follows the record of a free entity finds nothing.

#include "storage/chunk_space.h"

#include "base/platform.h"
#include "base/region.h"
#include "storage/store.h"

#include <string.h>

enum { SLAB_SIZE = OXI_CHUNK_SIZE * OXI_SLAB_CHUNKS };
#define DEFAULT_CHUNK_SPACE ((size_t)64 << 30)
#define LEAST_CHUNK_SPACE   ((size_t)64 << 20)
#define MOST_CHUNK_SPACE    ((size_t)32 << 40)

char *oxi_chunk_base;
oxi_chunk_entry *oxi_chunk_entries;

static oxi_archetype no_archetype;

static struct {
    oxi_mutex lock;
    oxi_region chunks;
    oxi_region entries;
    size_t wanted;       // bytes to reserve, 0 for the default
    uint32_t slab_count; // slabs that were ever taken, and slab 0
    uint32_t slab_limit;
    uint32_t used; // slabs that belong to stores
    oxi_chunk free_slab;
} chunk_space = {.lock = OXI_MUTEX_INIT};

static bool reserve_chunk_space(void) {
    size_t wanted = chunk_space.wanted != 0 ? chunk_space.wanted : DEFAULT_CHUNK_SPACE;
    size_t least = wanted < LEAST_CHUNK_SPACE ? wanted : LEAST_CHUNK_SPACE;
    // Slab 0 comes on top of what is wanted.
    if (!oxi_region_create(&chunk_space.chunks, wanted + SLAB_SIZE, least + SLAB_SIZE)) {
        return false;
    }
    size_t chunks = chunk_space.chunks.reserved / OXI_CHUNK_SIZE;
    size_t entries = chunks * sizeof(oxi_chunk_entry);
    if (!oxi_region_create(&chunk_space.entries, entries, entries)) {
        oxi_region_destroy(&chunk_space.chunks);
        return false;
    }
    oxi_chunk_base = chunk_space.chunks.base;
    oxi_chunk_entries = (oxi_chunk_entry *)(void *)chunk_space.entries.base;
    chunk_space.slab_limit = (uint32_t)(chunks / OXI_SLAB_CHUNKS);
    chunk_space.slab_count = 1;
    return true;
}

// A slab that was never used, or 0.
static oxi_chunk take_new_slab(void) {
    uint32_t slab = chunk_space.slab_count;
    size_t entries = ((size_t)slab + 1) * OXI_SLAB_CHUNKS * sizeof(oxi_chunk_entry);
    if (slab >= chunk_space.slab_limit || !oxi_region_grow(&chunk_space.entries, entries) ||
        !oxi_region_grow(&chunk_space.chunks, ((size_t)slab + 1) * SLAB_SIZE)) {
        return 0;
    }
    oxi_chunk_entries[0].archetype = &no_archetype;
    chunk_space.slab_count++;
    return slab * OXI_SLAB_CHUNKS;
}

static oxi_chunk take_slab(void) {
    if (chunk_space.slab_count == 0 && !reserve_chunk_space()) {
        return 0;
    }
    oxi_chunk first = chunk_space.free_slab;
    if (first == 0) {
        return take_new_slab();
    }
    chunk_space.free_slab = oxi_chunk_entry_of(first)->next;
    return first;
}

oxi_chunk oxi_slab_take(void) {
    oxi_mutex_lock(&chunk_space.lock);
    oxi_chunk first = take_slab();
    chunk_space.used += first != 0;
    oxi_mutex_unlock(&chunk_space.lock);
    for (oxi_chunk k = 0; first != 0 && k < OXI_SLAB_CHUNKS; k++) {
        *oxi_chunk_entry_of(first + k) = (oxi_chunk_entry){0};
    }
    return first;
}

void oxi_slab_give(oxi_chunk first) {
    for (oxi_chunk k = 0; k < OXI_SLAB_CHUNKS; k++) {
        *oxi_chunk_entry_of(first + k) = (oxi_chunk_entry){0};
    }
    oxi_mutex_lock(&chunk_space.lock);
    oxi_chunk_entry_of(first)->next = chunk_space.free_slab;
    chunk_space.free_slab = first;
    chunk_space.used--;
    oxi_mutex_unlock(&chunk_space.lock);
}

bool oxi_chunk_space_set_limit(size_t bytes) {
    oxi_mutex_lock(&chunk_space.lock);
    bool is_new = chunk_space.slab_count == 0;
    if (is_new) {
        bytes = bytes < MOST_CHUNK_SPACE ? bytes : MOST_CHUNK_SPACE;
        chunk_space.wanted = (bytes + SLAB_SIZE - 1) / SLAB_SIZE * SLAB_SIZE;
    }
    oxi_mutex_unlock(&chunk_space.lock);
    return is_new;
}

oxi_chunk_usage oxi_chunk_space_get_usage(void) {
    oxi_mutex_lock(&chunk_space.lock);
    size_t limit = chunk_space.slab_limit > 0 ? chunk_space.slab_limit - 1 : 0;
    oxi_chunk_usage usage = {limit * SLAB_SIZE, (size_t)chunk_space.used * SLAB_SIZE};
    oxi_mutex_unlock(&chunk_space.lock);
    return usage;
}

void oxi_chunk_space_reset(void) {
    oxi_mutex_lock(&chunk_space.lock);
    oxi_region_destroy(&chunk_space.chunks);
    oxi_region_destroy(&chunk_space.entries);
    chunk_space.slab_count = chunk_space.slab_limit = chunk_space.used = 0;
    chunk_space.free_slab = 0;
    oxi_chunk_base = NULL;
    oxi_chunk_entries = NULL;
    oxi_mutex_unlock(&chunk_space.lock);
}
