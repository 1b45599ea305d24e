// SPDX-License-Identifier: MIT
//
// Invariant: slabs that were ever taken are the first `slab_count` of the space; each has chunks
// that stores have, and counts them, or stands in the list of free ones. Slab 0 is never handed
// out, so that chunk 0 is none; it has an archetype of no components, so that who follows the
// record of a free entity finds nothing.

#include "storage/chunk_space.h"

#include "base/platform.h"
#include "base/poison.h"
#include "base/region.h"
#include "storage/store.h"

#include <string.h>

enum { SLAB_SIZE = OXI_CHUNK_SIZE * OXI_SLAB_CHUNKS };
#define DEFAULT_CHUNK_SPACE ((size_t)64 << 30)
#define LEAST_CHUNK_SPACE   ((size_t)16 << 20)
#define MOST_CHUNK_SPACE    ((size_t)16 << 40) // the top bit of an id is free for others

char *oxi_chunk_base;
oxi_chunk_entry *oxi_chunk_entries;

static oxi_archetype no_archetype;

// What is known of 16 chunks.
typedef struct slab_state {
    uint32_t out;  // chunks that stores have
    uint32_t next; // of free ones: the next of them, 0 at the end
} slab_state;

static struct {
    oxi_mutex lock;
    oxi_region chunks;
    oxi_region entries;
    oxi_region slabs;    // states of slabs
    size_t wanted;       // bytes to reserve, 0 for the default
    uint32_t slab_count; // slabs that were ever taken, and slab 0
    uint32_t slab_limit;
    uint32_t used; // slabs that are not free
    uint32_t free_slab;
} chunk_space = {.lock = OXI_MUTEX_INIT};

static slab_state *slab_at(uint32_t slab) {
    return (slab_state *)(void *)chunk_space.slabs.base + slab;
}

static void release_chunk_space(void) {
    if (chunk_space.chunks.base != NULL) {
        oxi_unpoison(chunk_space.chunks.base, chunk_space.chunks.committed);
    }
    oxi_region_destroy(&chunk_space.chunks);
    oxi_region_destroy(&chunk_space.entries);
    oxi_region_destroy(&chunk_space.slabs);
}

static bool reserve_chunk_space(void) {
    size_t wanted = chunk_space.wanted != 0 ? chunk_space.wanted : DEFAULT_CHUNK_SPACE;
    size_t least = wanted < LEAST_CHUNK_SPACE ? wanted : LEAST_CHUNK_SPACE;
    // Slab 0 comes on top of what is wanted.
    if (!oxi_region_create_in(&chunk_space.chunks, OXI_SHARE_CHUNKS, wanted + SLAB_SIZE,
                              least + SLAB_SIZE)) {
        return false;
    }
    size_t chunks = chunk_space.chunks.reserved / OXI_CHUNK_SIZE;
    size_t entries = chunks * sizeof(oxi_chunk_entry);
    size_t slabs = chunks / OXI_SLAB_CHUNKS * sizeof(slab_state);
    if (!oxi_region_create(&chunk_space.entries, entries, entries) ||
        !oxi_region_create(&chunk_space.slabs, slabs, slabs)) {
        release_chunk_space();
        return false;
    }
    oxi_chunk_base = chunk_space.chunks.base;
    oxi_chunk_entries = (oxi_chunk_entry *)(void *)chunk_space.entries.base;
    chunk_space.slab_limit = (uint32_t)(chunks / OXI_SLAB_CHUNKS);
    chunk_space.slab_count = 1;
    return true;
}

// A slab that was never used, or 0.
static uint32_t take_new_slab(void) {
    uint32_t slab = chunk_space.slab_count;
    size_t count = (size_t)slab + 1;
    if (slab >= chunk_space.slab_limit ||
        !oxi_region_grow(&chunk_space.slabs, count * sizeof(slab_state)) ||
        !oxi_region_grow(&chunk_space.entries, count * OXI_SLAB_CHUNKS * sizeof(oxi_chunk_entry)) ||
        !oxi_region_grow(&chunk_space.chunks, count * SLAB_SIZE)) {
        return 0;
    }
    oxi_chunk_entries[0].archetype = &no_archetype;
    chunk_space.slab_count++;
    return slab;
}

static uint32_t take_slab(void) {
    if (chunk_space.slab_count == 0 && !reserve_chunk_space()) {
        return 0;
    }
    uint32_t slab = chunk_space.free_slab;
    if (slab == 0) {
        return take_new_slab();
    }
    chunk_space.free_slab = slab_at(slab)->next;
    return slab;
}

oxi_chunk oxi_slab_take(void) {
    oxi_mutex_lock(&chunk_space.lock);
    uint32_t slab = take_slab();
    if (slab != 0) {
        OXI_ASSERT(slab_at(slab)->out == 0);
        slab_at(slab)->out = OXI_SLAB_CHUNKS;
        chunk_space.used++;
    }
    oxi_mutex_unlock(&chunk_space.lock);
    oxi_chunk first = slab * OXI_SLAB_CHUNKS;
    for (oxi_chunk k = 0; first != 0 && k < OXI_SLAB_CHUNKS; k++) {
        *oxi_chunk_entry_of(first + k) = (oxi_chunk_entry){0};
    }
    return first;
}

static void return_chunk(oxi_chunk chunk) {
    uint32_t slab = chunk / OXI_SLAB_CHUNKS;
    OXI_ASSERT(slab > 0);
    OXI_ASSERT(slab < chunk_space.slab_count);
    slab_state *state = slab_at(slab);
    OXI_ASSERT(state->out > 0);
    if (--state->out == 0) {
        state->next = chunk_space.free_slab;
        chunk_space.free_slab = slab;
        chunk_space.used--;
    }
}

void oxi_chunks_return(const oxi_chunk *chunks, size_t count) {
    for (size_t k = 0; k < count; k++) {
        *oxi_chunk_entry_of(chunks[k]) = (oxi_chunk_entry){0};
    }
    oxi_mutex_lock(&chunk_space.lock);
    for (size_t k = 0; k < count; k++) {
        return_chunk(chunks[k]);
    }
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
    release_chunk_space();
    chunk_space.slab_count = chunk_space.slab_limit = chunk_space.used = 0;
    chunk_space.free_slab = 0;
    oxi_chunk_base = NULL;
    oxi_chunk_entries = NULL;
    oxi_mutex_unlock(&chunk_space.lock);
}
