// SPDX-License-Identifier: MIT
//
// The state behind base/substitute.h. All of it is idle in a program that is no test: then a
// fallible call costs one relaxed load.

#include "base/substitute.h"

#include "base/platform.h"

#include <string.h>

static oxi_atomic_u32 fault_mode;
static oxi_atomic_u64 fault_number;
static oxi_atomic_u64 fault_calls;
static oxi_atomic_u64 fault_failures;

static oxi_mutex fault_sites_lock = OXI_MUTEX_INIT;
static ox_site fault_sites[OXI_MAX_FAULT_SITES]; // under the lock, as is the count
static int fault_site_count;

void oxi_fault_plan(oxi_fault_mode mode, uint64_t n) {
    oxi_store_relaxed(&fault_mode, OXI_FAULT_NONE);
    oxi_store_relaxed(&fault_number, n);
    oxi_store_relaxed(&fault_calls, 0);
    oxi_store_relaxed(&fault_failures, 0);
    oxi_store_release(&fault_mode, (uint32_t)mode);
}

uint64_t oxi_fault_get_calls(void) {
    return oxi_load_relaxed(&fault_calls);
}

uint64_t oxi_fault_get_failures(void) {
    return oxi_load_relaxed(&fault_failures);
}

static void note_fault_site(ox_site where) {
    oxi_mutex_lock(&fault_sites_lock);
    int index = 0;
    while (index < fault_site_count && strcmp(fault_sites[index], where) != 0) {
        index++;
    }
    if (index == fault_site_count && index < OXI_MAX_FAULT_SITES) {
        fault_sites[fault_site_count++] = where;
    }
    oxi_mutex_unlock(&fault_sites_lock);
}

int oxi_fault_get_sites(ox_site *sites, int capacity) {
    oxi_mutex_lock(&fault_sites_lock);
    int count = fault_site_count;
    for (int index = 0; index < count && index < capacity; index++) {
        sites[index] = fault_sites[index];
    }
    oxi_mutex_unlock(&fault_sites_lock);
    return count;
}

bool oxi_fault_hit(ox_site where) {
    uint32_t mode = oxi_load_acquire(&fault_mode);
    if (mode == OXI_FAULT_NONE) {
        return false;
    }
    uint64_t call = oxi_add_relaxed(&fault_calls, 1);
    uint64_t number = oxi_load_relaxed(&fault_number);
    bool fails = mode == OXI_FAULT_ONE ? call == number : call >= number;
    if (fails) {
        oxi_add_relaxed(&fault_failures, 1);
        note_fault_site(where);
    }
    return fails;
}

#if defined(OXI_YIELD_POINTS) && OXI_YIELD_POINTS

// Not through the wrappers of base/atomics.h: those end here.
static _Atomic(oxi_yield_fn *) yield_hook;
static _Atomic(void *) yield_context;

void oxi_yield_point(void) {
    oxi_yield_fn *hook = atomic_load_explicit(&yield_hook, memory_order_acquire);
    if (hook != NULL) {
        hook(atomic_load_explicit(&yield_context, memory_order_relaxed));
    }
}

void oxi_yield_set_hook(oxi_yield_fn *function, void *context) {
    atomic_store_explicit(&yield_context, context, memory_order_relaxed);
    atomic_store_explicit(&yield_hook, function, memory_order_release);
}

#else

void oxi_yield_set_hook(oxi_yield_fn *function, void *context) {
    (void)function;
    (void)context;
}

#endif
