// SPDX-License-Identifier: MIT
//
// The table of allocators that users made.
//
// An ox_allocator is 16 bits of place and 16 bits of version: a destroyed one is never found again
// (until its place was used 65,535 times). An entry is written under the lock before its id is
// published, so finding one takes no lock.
//
// Invariant: an entry is in use exactly when its id is not 0.

#include "base/allocators.h"

#include "base/atomics.h"
#include "base/check.h"
#include "base/live_blocks.h"
#include "base/platform.h"

enum { FIRST_PLACE = 16, PLACE_BITS = 16 };

typedef struct allocator_entry {
    oxi_atomic_u32 id;
    uint32_t version;
    oxi_hooks hooks;
} allocator_entry;

static oxi_mutex allocators_lock = OXI_MUTEX_INIT;
static allocator_entry allocator_entries[OX_MAX_ALLOCATORS];

static allocator_entry *find_allocator_entry(ox_allocator allocator) {
    uint32_t place = (allocator & ((1u << PLACE_BITS) - 1)) - FIRST_PLACE;
    if (place >= OX_MAX_ALLOCATORS || oxi_load_acquire(&allocator_entries[place].id) != allocator) {
        return NULL;
    }
    return &allocator_entries[place];
}

const oxi_hooks *oxi_allocator_find(ox_allocator allocator) {
    const allocator_entry *entry = find_allocator_entry(allocator);
    return entry != NULL ? &entry->hooks : NULL;
}

const char *oxi_allocator_name(ox_allocator allocator) {
    static const char *const built_in[] = {"no allocator", "OX_TEMP", "OX_TEMP_JOB",
                                           "OX_PERSISTENT"};
    if (allocator <= OX_PERSISTENT) {
        return built_in[allocator];
    }
    const oxi_hooks *hooks = oxi_allocator_find(allocator);
    return hooks != NULL ? hooks->name : "a destroyed allocator";
}

static ox_allocator publish_allocator(uint32_t place, const oxi_hooks *hooks) {
    allocator_entry *entry = &allocator_entries[place];
    entry->version = entry->version % 0xffff + 1;
    entry->hooks = *hooks;
    ox_allocator id = (entry->version << PLACE_BITS) | (place + FIRST_PLACE);
    oxi_store_release(&entry->id, id); // release: pairs with the acquire of find_allocator_entry
    return id;
}

ox_allocator ox_allocator_create_at(const ox_allocator_def *def, ox_site site) {
    oxi_hooks hooks;
    if (!oxi_hooks_read(def, "unnamed", &hooks, site)) {
        return 0;
    }
    ox_allocator allocator = 0;
    oxi_mutex_lock(&allocators_lock);
    for (uint32_t place = 0; place < OX_MAX_ALLOCATORS && allocator == 0; place++) {
        if (oxi_load_relaxed(&allocator_entries[place].id) == 0) {
            allocator = publish_allocator(place, &hooks);
        }
    }
    oxi_mutex_unlock(&allocators_lock);
    OXI_REQUIRE(allocator != 0, NULL, OX_REPORT_ALLOCATOR_LIMIT, site,
                OXI_NUMBER("count", OX_MAX_ALLOCATORS));
    return allocator;
}

// True when no block of the allocator is alive, as far as this level can tell.
static bool require_unused(ox_allocator allocator, ox_site site) {
#if OX_SAFETY >= 1
    oxi_live_group group = {0};
    ox_memory_usage usage = oxi_live_get_usage(allocator);
    while (usage.block_count > 0 && oxi_live_next_group(&group, &group)) {
        if (group.allocator == allocator) {
            return OXI_REPORT(NULL, OX_REPORT_ALLOCATOR_IN_USE, site,
                              OXI_NAME("name", oxi_allocator_name(allocator)),
                              OXI_NUMBER("count", usage.block_count),
                              OXI_NAME("blocks", usage.block_count == 1 ? "block" : "blocks"),
                              OXI_SITE("alloc_site", group.site));
        }
    }
#else
    (void)allocator;
    (void)site;
#endif
    return true;
}

void ox_allocator_destroy_at(ox_allocator allocator, ox_site site) {
    if (allocator == 0 || !oxi_hooks_require_outside("ox_allocator_destroy", site)) {
        return;
    }
    if (find_allocator_entry(allocator) != NULL && !require_unused(allocator, site)) {
        return;
    }
    // Found again under the lock: another thread may have destroyed it, and its place be taken.
    oxi_mutex_lock(&allocators_lock);
    allocator_entry *entry = find_allocator_entry(allocator);
    if (entry != NULL) {
        oxi_store_release(&entry->id, 0);
    }
    oxi_mutex_unlock(&allocators_lock);
    OXI_REQUIRE(entry != NULL, NULL, OX_REPORT_UNKNOWN_ALLOCATOR, site,
                OXI_NAME("allocator", oxi_allocator_name(allocator)));
}
