// SPDX-License-Identifier: MIT
//
// A hash table of live blocks by address, under one lock, for libraries with checks.
//
// Records come from slabs and are linked into chains; TempJob records are also on a list in the
// order of allocation, until they are freed or reported as old. The last few frees are remembered,
// so that a second free can name the first.
//
// The hooks are never called under the lock: they are not ours, and what they do wrong is reported
// to a handler that may allocate.
//
// Invariant: every record is on exactly one chain or on the free list; record_count is the number
// on chains; the list of ages holds TempJob records only, frames ascending.

#include "base/live_blocks.h"

#include "base/check.h"
#include "base/heap.h"
#include "base/platform.h"

#include <string.h>

#if OX_SAFETY >= 1

enum { SLAB_RECORDS = 256, FIRST_CHAINS = 256, REMEMBERED_FREES = 256 };

typedef struct live_record {
    oxi_live_block info;
    struct live_record *next; // in its chain, or in the free list
    struct live_record *older;
    struct live_record *younger;
    bool is_watched;
} live_record;

typedef struct record_slab {
    struct record_slab *next;
    live_record records[SLAB_RECORDS];
} record_slab;

typedef struct past_free {
    oxi_live_block info;
    ox_site free_site;
} past_free;

static struct {
    oxi_mutex lock;
    live_record **chains;
    size_t chain_count; // a power of two, or 0
    size_t record_count;
    live_record *free_records;
    record_slab *slabs;
    live_record *oldest;
    live_record *youngest;
    past_free past[REMEMBERED_FREES];
    size_t past_count; // ever; the newest is at (past_count - 1) % REMEMBERED_FREES
} live = {.lock = OXI_MUTEX_INIT};

static live_record **chain_of(const void *block) {
    uint64_t mixed = (uint64_t)(uintptr_t)block * 0x9e3779b97f4a7c15u;
    return &live.chains[(mixed >> 32) & (live.chain_count - 1)];
}

// What has to be allocated before a record can be added.
typedef struct live_room {
    size_t chain_count; // 0: there are enough
    bool needs_slab;
} live_room;

// `may_grow` is false when more chains were refused: longer ones do as well.
static live_room find_missing_room(bool may_grow) {
    live_room room = {.needs_slab = live.free_records == NULL};
    if (live.chain_count == 0) {
        room.chain_count = FIRST_CHAINS;
    } else if (may_grow && live.record_count >= live.chain_count) {
        room.chain_count = live.chain_count * 2;
    }
    return room;
}

static void add_slab(record_slab *slab) {
    slab->next = live.slabs;
    live.slabs = slab;
    for (int k = 0; k < SLAB_RECORDS; k++) {
        slab->records[k].next = live.free_records;
        live.free_records = &slab->records[k];
    }
}

// Moves all records to `count` chains, and returns the old ones.
static live_record **replace_chains(live_record **chains, size_t count) {
    live_record **old = live.chains;
    size_t old_count = live.chain_count;
    memset(chains, 0, count * sizeof *chains);
    live.chains = chains;
    live.chain_count = count;
    for (size_t k = 0; k < old_count; k++) {
        for (live_record *record = old[k], *next; record != NULL; record = next) {
            next = record->next;
            live_record **chain = chain_of(record->info.block);
            record->next = *chain;
            *chain = record;
        }
    }
    return old;
}

static void free_chains(live_record **chains, size_t count) {
    oxi_heap_free(chains, count * sizeof *chains, _Alignof(live_record *));
}

// Called without the lock. Returns false when a slab, or the first chains, are refused.
static bool make_room(live_room room) {
    record_slab *slab = NULL;
    live_record **chains = NULL;
    size_t count = room.chain_count;
    if (room.needs_slab) {
        slab = oxi_heap_alloc(sizeof *slab, _Alignof(record_slab));
    }
    if (count > 0) {
        chains = oxi_heap_alloc(count * sizeof *chains, _Alignof(live_record *));
    }
    oxi_mutex_lock(&live.lock);
    if (slab != NULL) {
        add_slab(slab);
    }
    if (chains != NULL && count > live.chain_count) {
        size_t old_count = live.chain_count;
        chains = replace_chains(chains, count);
        count = old_count;
    }
    bool has_room = live.free_records != NULL && live.chain_count > 0;
    oxi_mutex_unlock(&live.lock);
    free_chains(chains, count);
    return has_room;
}

static void watch_age(live_record *record) {
    record->is_watched = true;
    record->older = live.youngest;
    record->younger = NULL;
    *(live.youngest != NULL ? &live.youngest->younger : &live.oldest) = record;
    live.youngest = record;
}

static void unwatch_age(live_record *record) {
    *(record->older != NULL ? &record->older->younger : &live.oldest) = record->younger;
    *(record->younger != NULL ? &record->younger->older : &live.youngest) = record->older;
    record->is_watched = false;
}

// The link that points at the record of `block`, or at NULL.
static live_record **find_live_record(const void *block) {
    live_record **link = chain_of(block);
    while (*link != NULL && (*link)->info.block != block) {
        link = &(*link)->next;
    }
    return link;
}

#if OX_SAFETY >= 3

// True when a part of the block is in use. Every record is looked at, so only blocks of users'
// allocators are.
static bool overlaps_live_block(const oxi_live_block *block) {
    uintptr_t begin = (uintptr_t)block->block, end = begin + block->size;
    for (size_t k = 0; k < live.chain_count && block->allocator > OX_PERSISTENT; k++) {
        for (const live_record *record = live.chains[k]; record != NULL; record = record->next) {
            uintptr_t other = (uintptr_t)record->info.block;
            if (begin < other + record->info.size && other < end) {
                return true;
            }
        }
    }
    return false;
}

#else

static bool overlaps_live_block(const oxi_live_block *block) {
    (void)block;
    return false;
}

#endif

static bool add_live_record(const oxi_live_block *block, bool *taken) {
    live_record **link = find_live_record(block->block);
    *taken = *link != NULL || overlaps_live_block(block);
    if (*taken) {
        return false;
    }
    live_record *record = live.free_records;
    live.free_records = record->next;
    *record = (live_record){.info = *block};
    *link = record;
    live.record_count++;
    if (block->allocator == OX_TEMP_JOB) {
        watch_age(record);
    }
    return true;
}

bool oxi_live_add(const oxi_live_block *block, bool *taken) {
    bool added = false, may_grow = true;
    *taken = false;
    for (;;) {
        oxi_mutex_lock(&live.lock);
        live_room missing = find_missing_room(may_grow);
        bool has_room = missing.chain_count == 0 && !missing.needs_slab;
        if (has_room) {
            added = add_live_record(block, taken);
        }
        oxi_mutex_unlock(&live.lock);
        if (has_room || !make_room(missing)) {
            return added;
        }
        may_grow = false;
    }
}

void oxi_live_set_owner(const void *block, const oxi_live_owner *owner) {
    oxi_mutex_lock(&live.lock);
    live_record *record = live.chain_count > 0 ? *find_live_record(block) : NULL;
    if (record != NULL) {
        record->info.owner = *owner;
    }
    oxi_mutex_unlock(&live.lock);
}

static const past_free *find_past_free(const void *block) {
    size_t count = live.past_count < REMEMBERED_FREES ? live.past_count : REMEMBERED_FREES;
    for (size_t k = 1; k <= count; k++) {
        const past_free *past = &live.past[(live.past_count - k) % REMEMBERED_FREES];
        if (past->info.block == block) {
            return past;
        }
    }
    return NULL;
}

static oxi_live_verdict judge_dead_block(const void *block, oxi_live_block *found,
                                         ox_site *free_site) {
    const past_free *past = find_past_free(block);
    if (past == NULL) {
        return OXI_LIVE_UNKNOWN;
    }
    *found = past->info;
    *free_site = past->free_site;
    return OXI_LIVE_FREED;
}

static oxi_live_verdict remove_live_record(const oxi_live_block *wanted, ox_site site,
                                           oxi_live_block *found, ox_site *free_site) {
    live_record **link = live.chain_count > 0 ? find_live_record(wanted->block) : NULL;
    if (link == NULL || *link == NULL) {
        return judge_dead_block(wanted->block, found, free_site);
    }
    live_record *record = *link;
    *found = record->info;
    if (found->size != wanted->size || found->align != wanted->align ||
        found->allocator != wanted->allocator) {
        return OXI_LIVE_DIFFERENT;
    }
    live.past[live.past_count++ % REMEMBERED_FREES] = (past_free){record->info, site};
    if (record->is_watched) {
        unwatch_age(record);
    }
    *link = record->next;
    record->next = live.free_records;
    live.free_records = record;
    live.record_count--;
    return OXI_LIVE_OK;
}

oxi_live_verdict oxi_live_remove(const oxi_live_block *wanted, ox_site site, oxi_live_block *found,
                                 ox_site *free_site) {
    oxi_mutex_lock(&live.lock);
    oxi_live_verdict verdict = remove_live_record(wanted, site, found, free_site);
    oxi_mutex_unlock(&live.lock);
    return verdict;
}

ox_memory_usage oxi_live_get_usage(ox_allocator allocator) {
    ox_memory_usage usage = {0};
    oxi_mutex_lock(&live.lock);
    for (size_t k = 0; k < live.chain_count; k++) {
        for (const live_record *record = live.chains[k]; record != NULL; record = record->next) {
            if (allocator == 0 || record->info.allocator == allocator) {
                usage.block_count++;
                usage.bytes += record->info.size;
            }
        }
    }
    oxi_mutex_unlock(&live.lock);
    return usage;
}

static int compare_groups(const oxi_live_group *a, const oxi_live_group *b) {
    int order = strcmp(a->site != NULL ? a->site : "", b->site != NULL ? b->site : "");
    return order != 0 ? order : (a->allocator > b->allocator) - (a->allocator < b->allocator);
}

// True when `a` is the one to name of two.
static bool is_owner_before(const oxi_live_owner *a, const oxi_live_owner *b) {
    if (a->kind == NULL || b->kind == NULL) {
        return a->kind != NULL;
    }
    if ((a->name[0] != 0) != (b->name[0] != 0)) {
        return a->name[0] != 0;
    }
    int order = strcmp(a->kind, b->kind);
    return order != 0 ? order < 0 : strcmp(a->name, b->name) < 0;
}

// Adds a block to `best` when it belongs there, or starts it anew when it comes before.
static void weigh_group(const oxi_live_block *block, const oxi_live_group *after,
                        oxi_live_group *best) {
    oxi_live_group candidate = {block->site, block->allocator,          1,
                                block->size, block->owner.kind != NULL, block->owner};
    if (after->count > 0 && compare_groups(&candidate, after) <= 0) {
        return;
    }
    int order = best->count == 0 ? -1 : compare_groups(&candidate, best);
    if (order < 0) {
        *best = candidate;
    } else if (order == 0) {
        best->count++;
        best->bytes += block->size;
        best->owner_count += candidate.owner_count;
        best->owner = is_owner_before(&block->owner, &best->owner) ? block->owner : best->owner;
    }
}

bool oxi_live_next_group(const oxi_live_group *after, oxi_live_group *group) {
    oxi_live_group best = {0};
    oxi_mutex_lock(&live.lock);
    for (size_t k = 0; k < live.chain_count; k++) {
        for (const live_record *record = live.chains[k]; record != NULL; record = record->next) {
            weigh_group(&record->info, after, &best);
        }
    }
    oxi_mutex_unlock(&live.lock);
    *group = best;
    return best.count > 0;
}

bool oxi_live_take_old(uint64_t frame, oxi_live_block *old) {
    oxi_mutex_lock(&live.lock);
    live_record *record = live.oldest;
    bool is_old = record != NULL && record->info.frame < frame;
    if (is_old) {
        *old = record->info;
        unwatch_age(record);
    }
    oxi_mutex_unlock(&live.lock);
    return is_old;
}

void oxi_live_trim(void) {
    record_slab *slabs = NULL;
    live_record **chains = NULL;
    size_t chain_count = 0;
    oxi_mutex_lock(&live.lock);
    if (live.record_count == 0) {
        slabs = live.slabs;
        chains = live.chains;
        chain_count = live.chain_count;
        live.slabs = NULL;
        live.free_records = NULL;
        live.chains = NULL;
        live.chain_count = 0;
    }
    oxi_mutex_unlock(&live.lock);
    for (record_slab *slab = slabs, *next; slab != NULL; slab = next) {
        next = slab->next;
        oxi_heap_free(slab, sizeof *slab, _Alignof(record_slab));
    }
    free_chains(chains, chain_count);
}

#endif
