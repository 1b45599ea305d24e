// SPDX-License-Identifier: MIT
//
// The live blocks of libraries with checks: who allocated what, where, and in which frame.

#pragma once

#include "oxbow/memory.h"

/// What a block is the first of: a thing that the user made. {0} for other blocks.
typedef struct oxi_live_owner {
    const char *kind; ///< "multimap", not copied
    const char *name; ///< not copied: readable while the block lives, "" for none
    const char *verb; ///< what ends it: "dispose"
} oxi_live_owner;

/// What is known of one live block.
typedef struct oxi_live_block {
    void *block;
    size_t size;
    size_t align;
    ox_site site;
    uint64_t frame;
    ox_allocator allocator;
    oxi_live_owner owner;
} oxi_live_block;

/// Blocks of one allocator and place.
typedef struct oxi_live_group {
    ox_site site;
    ox_allocator allocator;
    uint64_t count;
    uint64_t bytes;
    uint64_t owner_count; ///< blocks among them that have an owner
    oxi_live_owner owner; ///< the first of these by kind and name, those with a name before others
} oxi_live_group;

/// Notes a block. @return false when out of memory, or when a live block is there already (then
/// `*taken` is true).
bool oxi_live_add(const oxi_live_block *block, bool *taken);

#if OX_SAFETY >= 1

/// Says what a live block belongs to. Blocks that are not known, as those of Temp, are ignored.
void oxi_live_set_owner(const void *block, const oxi_live_owner *owner);

#else

static inline void oxi_live_set_owner(const void *block, const oxi_live_owner *owner) {
    (void)block;
    (void)owner;
}

#endif

/// What a free found.
typedef enum oxi_live_verdict {
    OXI_LIVE_OK = 0, ///< it was alive with these values, and is no more
    OXI_LIVE_UNKNOWN,
    OXI_LIVE_FREED,     ///< it was freed a short while ago
    OXI_LIVE_DIFFERENT, ///< it is alive with other values, and stays alive
} oxi_live_verdict;

/// Takes a block out when it is alive with the allocator, size and alignment of `wanted`. `found`
/// gets what is known of it, and `*free_site` where it was freed, if it was.
oxi_live_verdict oxi_live_remove(const oxi_live_block *wanted, ox_site site, oxi_live_block *found,
                                 ox_site *free_site);

/// The live blocks of an allocator, or of all when it is 0.
ox_memory_usage oxi_live_get_usage(ox_allocator allocator);

/// The first group after `*after` in the order of places and allocators, or the very first when it
/// is zeroed. @return false at the end.
bool oxi_live_next_group(const oxi_live_group *after, oxi_live_group *group);

/// Takes the oldest TempJob block off the list of those that are watched, if it was allocated
/// before `frame`. It stays alive. @return false when there is none.
bool oxi_live_take_old(uint64_t frame, oxi_live_block *old);

/// Gives the table's own memory back when no block is alive.
void oxi_live_trim(void);
