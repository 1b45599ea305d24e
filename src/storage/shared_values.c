// SPDX-License-Identifier: MIT
//
// Invariants: a number with bytes is in the chain of its hash; others are in the list of free ones,
// through `next`. No two values of one component are equal.

#include "storage/shared_values.h"

#include "base/hash.h"
#include "types/shared_calls.h"

#include <string.h>

enum { LEAST_BUCKETS = 16 };

// Calls of the user's. The store is consistent when one begins, since it may look at its world; it
// changes nothing there, but may change other worlds, so no pointer into process-wide tables
// outlives a call.

static void tell_call(const oxi_store *store, const char *call, const ox_component_info *info) {
    if (store->user_call != NULL && oxi_shared_has_calls(info)) {
        store->user_call(store, call, info->id);
    }
}

static uint64_t call_hash(const oxi_store *store, const ox_component_info *info,
                          const void *value) {
    tell_call(store, "hash", info);
    uint64_t hash = oxi_shared_hash(info, value);
    tell_call(store, NULL, info);
    return hash;
}

uint64_t oxi_shared_hash_content(const oxi_store *store, const oxi_shared_value *value) {
    const ox_component_info *info = ox_component_get_info(value->component);
    tell_call(store, "hash", info);
    uint64_t hash = oxi_shared_content_hash(info, value->bytes);
    tell_call(store, NULL, info);
    return hash;
}

static bool call_equal(const oxi_store *store, const ox_component_info *info, const void *stored,
                       const void *value) {
    tell_call(store, "equal", info);
    bool is_equal = oxi_shared_equal(info, stored, value);
    tell_call(store, NULL, info);
    return is_equal;
}

static bool call_copy(const oxi_store *store, const ox_component_info *info, void *stored) {
    tell_call(store, "copy", info);
    bool is_owned = oxi_shared_own(info, stored);
    tell_call(store, NULL, info);
    return is_owned;
}

static void call_drop(const oxi_store *store, const ox_component_info *info, void *stored) {
    oxi_shared_drop_fn *drop = oxi_shared_drop_of(info);
    if (drop == NULL) {
        return;
    }
    tell_call(store, "drop", info);
    drop(stored);
    tell_call(store, NULL, info);
}

static size_t value_align(const ox_component_info *info) {
    return info->align > 0 ? info->align : 1;
}

static uint32_t *find_bucket(const oxi_store *store, const oxi_shared_value *value) {
    uint64_t mixed = oxi_hash_combine(value->hash, value->component);
    return &store->shared.buckets.items[mixed & (store->shared.buckets.count - 1)];
}

static uint32_t find_hashed(const oxi_store *store, const ox_component_info *info,
                            const void *value, uint64_t hash) {
    if (store->shared.buckets.count == 0) {
        return 0;
    }
    oxi_shared_value wanted = {.hash = hash, .component = info->id};
    for (uint32_t k = *find_bucket(store, &wanted); k != 0; k = oxi_shared_at(store, k)->next) {
        const oxi_shared_value *found = oxi_shared_at(store, k);
        if (found->component == info->id && found->hash == hash &&
            call_equal(store, info, found->bytes, value)) {
            return k;
        }
    }
    return 0;
}

// A value that counts as all zeros is the default, whatever it hashes to.
static uint32_t find_default(const oxi_store *store, const ox_component_info *info,
                             const void *value) {
    uint32_t local = store->local_of[info->id];
    uint32_t number = local - 1 < store->defaults.count ? store->defaults.items[local - 1] : 0;
    bool is_default =
        number != 0 && call_equal(store, info, oxi_shared_at(store, number)->bytes, value);
    return is_default ? number : 0;
}

uint32_t oxi_shared_find(const oxi_store *store, const ox_component_info *info, const void *value) {
    uint32_t number = find_default(store, info, value);
    return number != 0 ? number : find_hashed(store, info, value, call_hash(store, info, value));
}

// Storing.

static bool grow_buckets(oxi_store *store) {
    oxi_shared_table *table = &store->shared;
    size_t size = table->buckets.count;
    if (table->live_count < size) {
        return true;
    }
    size = size == 0 ? LEAST_BUCKETS : size * 2;
    if (!oxi_list_resize_in(store->heap, &table->buckets, size)) {
        return false;
    }
    memset(table->buckets.items, 0, size * sizeof(uint32_t));
    for (uint32_t k = 1; k < table->values.count; k++) {
        oxi_shared_value *value = oxi_shared_at(store, k);
        if (value->bytes != NULL && !value->is_default) {
            uint32_t *bucket = find_bucket(store, value);
            value->next = *bucket;
            *bucket = k;
        }
    }
    return true;
}

// A free number. 0 when out of memory.
static uint32_t take_number(oxi_store *store) {
    oxi_shared_table *table = &store->shared;
    if (table->first_free != 0) {
        uint32_t number = table->first_free;
        table->first_free = oxi_shared_at(store, number)->next;
        return number;
    }
    if (!oxi_list_reserve_in(store->heap, &table->values, table->values.count + 2)) {
        return 0;
    }
    table->values.count += table->values.count == 0; // 0 is none
    return (uint32_t)table->values.count++;
}

static void give_number(oxi_store *store, uint32_t number) {
    *oxi_shared_at(store, number) = (oxi_shared_value){.next = store->shared.first_free};
    store->shared.first_free = number;
}

// A number with a block for its value. 0 when out of memory.
static uint32_t take_block(oxi_store *store, const ox_component_info *info) {
    uint32_t number = take_number(store);
    if (number == 0) {
        return 0;
    }
    void *bytes = oxi_heap_alloc_in(store->heap, info->size, value_align(info));
    if (bytes == NULL) {
        give_number(store, number);
        return 0;
    }
    *oxi_shared_at(store, number) =
        (oxi_shared_value){.bytes = bytes, .component = info->id, .ref_count = 1};
    return number;
}

static void give_block(oxi_store *store, uint32_t number) {
    const oxi_shared_value *value = oxi_shared_at(store, number);
    const ox_component_info *info = ox_component_get_info(value->component);
    oxi_heap_free_in(store->heap, value->bytes, info->size, value_align(info));
    give_number(store, number);
}

bool oxi_shared_make_default(oxi_store *store, const ox_component_info *info) {
    uint32_t local = store->local_of[info->id];
    size_t before = store->defaults.count;
    if (before < local) {
        if (!oxi_list_resize_in(store->heap, &store->defaults, local)) {
            return false;
        }
        memset(store->defaults.items + before, 0, (local - before) * sizeof(uint32_t));
    }
    if (store->defaults.items[local - 1] != 0) {
        return true;
    }
    uint32_t number = take_block(store, info);
    if (number != 0) {
        oxi_shared_value *value = oxi_shared_at(store, number);
        memset(value->bytes, 0, info->size);
        value->is_default = true;
        store->defaults.items[local - 1] = number;
    }
    return number != 0;
}

uint32_t oxi_shared_take(oxi_store *store, const ox_component_info *info, const void *value) {
    uint32_t number = find_default(store, info, value);
    uint64_t hash = number == 0 ? call_hash(store, info, value) : 0;
    number = number == 0 ? find_hashed(store, info, value, hash) : number;
    if (number != 0) {
        oxi_shared_at(store, number)->ref_count++;
        return number;
    }
    number = grow_buckets(store) ? take_block(store, info) : 0;
    if (number == 0) {
        return 0;
    }
    memcpy(oxi_shared_at(store, number)->bytes, value, info->size);
    if (!call_copy(store, info, oxi_shared_at(store, number)->bytes)) {
        give_block(store, number);
        return 0;
    }
    oxi_shared_value *stored = oxi_shared_at(store, number);
    OXI_ASSERT(stored->component == info->id && stored->ref_count == 1);
    stored->hash = hash;
    uint32_t *bucket = find_bucket(store, stored);
    stored->next = *bucket;
    *bucket = number;
    store->shared.live_count++;
    return number;
}

// Letting go.

void oxi_shared_add_ref(oxi_store *store, uint32_t number) {
    OXI_ASSERT(oxi_shared_at(store, number)->ref_count > 0);
    oxi_shared_at(store, number)->ref_count++;
}

static void unlink_value(oxi_store *store, uint32_t number) {
    uint32_t *link = find_bucket(store, oxi_shared_at(store, number));
    OXI_ASSERT(store->shared.live_count > 0);
    while (*link != number) {
        link = &oxi_shared_at(store, *link)->next;
    }
    *link = oxi_shared_at(store, number)->next;
    store->shared.live_count--;
}

static void drop_value(oxi_store *store, const oxi_shared_value *value) {
    call_drop(store, ox_component_get_info(value->component), value->bytes);
}

static void forget_value(oxi_store *store, uint32_t number, bool drops) {
    oxi_shared_value *value = oxi_shared_at(store, number);
    OXI_ASSERT(value->ref_count > 0);
    if (--value->ref_count > 0) {
        return;
    }
    OXI_ASSERT(!value->is_default); // it has a reference of its own
    unlink_value(store, number);
    if (drops && !value->is_handed) {
        drop_value(store, value);
    }
    give_block(store, number);
}

void oxi_shared_release(oxi_store *store, uint32_t number) {
    forget_value(store, number, true);
}

void oxi_shared_cancel(oxi_store *store, uint32_t number) {
    const oxi_shared_value *value = oxi_shared_at(store, number);
    forget_value(store, number, oxi_shared_copies(ox_component_get_info(value->component)));
}

void oxi_shared_destroy(oxi_store *store) {
    for (uint32_t k = 1; k < store->shared.values.count; k++) {
        const oxi_shared_value *value = oxi_shared_at(store, k);
        if (value->bytes == NULL) {
            continue;
        }
        if (!value->is_default) {
            drop_value(store, value);
        }
        give_block(store, k);
    }
    oxi_list_free_in(store->heap, &store->shared.values);
    oxi_list_free_in(store->heap, &store->shared.buckets);
    oxi_list_free_in(store->heap, &store->defaults);
}
