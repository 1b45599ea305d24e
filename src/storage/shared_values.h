// SPDX-License-Identifier: MIT
//
// The values of shared components: equal ones once, each with a number, for as long as a lane or a
// filter has it. The value of all zeros is the default of its component: it is there from the
// first use of the component on, and stays.

#pragma once

#include "storage/store.h"

/// Gives a component its default value, unless it has one. @return false when out of memory.
bool oxi_shared_make_default(oxi_store *store, const ox_component_info *info);

/// The default of a shared component that the store has a number of.
static inline uint32_t oxi_shared_default(const oxi_store *store, uint32_t component) {
    OXI_ASSERT(store->local_of[component] - 1u < store->defaults.count);
    return store->defaults.items[store->local_of[component] - 1];
}

/// The number of a value that is stored already, or 0.
uint32_t oxi_shared_find(const oxi_store *store, const ox_component_info *info, const void *value);

/// The number of a value, with a reference; stores it when there is none like it. 0 when out of
/// memory.
uint32_t oxi_shared_take(oxi_store *store, const ox_component_info *info, const void *value);

/// Takes back what oxi_shared_take did, when nothing came of it: a value that was new is the
/// caller's again.
void oxi_shared_cancel(oxi_store *store, uint32_t number);

void oxi_shared_add_ref(oxi_store *store, uint32_t number);

/// Lets a reference go. The value is dropped with the last one.
void oxi_shared_release(oxi_store *store, uint32_t number);

static inline oxi_shared_value *oxi_shared_at(const oxi_store *store, uint32_t number) {
    OXI_ASSERT(number != 0);
    OXI_ASSERT(number < store->shared.values.count);
    return &store->shared.values.items[number];
}

/// The hash of what a stored value holds: see oxi_shared_content_hash.
uint64_t oxi_shared_hash_content(const oxi_store *store, const oxi_shared_value *value);

/// For the store: drops all.
void oxi_shared_destroy(oxi_store *store);
