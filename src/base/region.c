// SPDX-License-Identifier: MIT
//
// Reserved address space that is committed as it grows.
//
// Memory is committed in steps that double from one page to 2 MiB, so growing by a little costs a
// system call now and then. Small regions use small pages: the first touch of a huge page costs
// half a millisecond.
//
// Invariant: committed <= reserved, both multiples of the page size. reserved_bytes[share] is the
// sum of `reserved` of that share's regions, those of plain memory aside.

#include "base/region.h"

#include "base/check.h"
#include "base/heap.h"
#include "base/platform.h"

#include <string.h>

enum { HEAP_REGION_ALIGN = 4096 };

// Of each share: its part of the limit, and the most of what is left of it that one region takes.
static const struct {
    uint32_t of_32;
    uint32_t divisor;
} shares[OXI_SHARE_COUNT] = {
    [OXI_SHARE_TABLES] = {1, 4}, [OXI_SHARE_ENTITIES] = {3, 3}, [OXI_SHARE_CHUNKS] = {4, 1}};

static oxi_atomic_u64 reserved_bytes[OXI_SHARE_COUNT];

static size_t round_up(size_t size, size_t step) {
    return (size + step - 1) / step * step;
}

static bool create_heap_region(oxi_region *region, size_t size) {
    char *base = oxi_heap_alloc(size, HEAP_REGION_ALIGN);
    if (base == NULL) {
        return false;
    }
    memset(base, 0, size);
    *region = (oxi_region){.base = base, .reserved = size, .committed = size, .is_heap = true};
    return true;
}

// The most that a region may reserve now. Two threads that ask at once may both get it: that is
// harmless, since three quarters of the addresses are left.
static size_t find_allowance(oxi_region_share share) {
    size_t limit = oxi_address_limit();
    if (limit == SIZE_MAX) {
        return SIZE_MAX;
    }
    uint64_t whole = limit / 32 * shares[share].of_32;
    uint64_t taken = oxi_load_relaxed(&reserved_bytes[share]);
    uint64_t left = taken < whole ? whole - taken : 0;
    return (size_t)(left / shares[share].divisor);
}

static bool reserve_region(oxi_region *region, oxi_region_share share, size_t size) {
    size_t rounded = round_up(size, oxi_page_size());
    char *base = oxi_pages_reserve(rounded);
    if (base == NULL) {
        return false;
    }
    oxi_add_relaxed(&reserved_bytes[share], rounded);
    *region = (oxi_region){.base = base, .reserved = rounded, .share = share};
    return true;
}

bool oxi_region_create_in(oxi_region *region, oxi_region_share share, size_t wanted, size_t least) {
    OXI_ASSERT(least > 0 && least <= wanted && wanted <= PTRDIFF_MAX);
    *region = (oxi_region){0};
    size_t allowance = find_allowance(share);
    size_t size = wanted < allowance ? wanted : allowance;
    while (size > least) {
        if (reserve_region(region, share, size)) {
            return true;
        }
        size /= 2;
    }
    return reserve_region(region, share, least) ||
           create_heap_region(region, round_up(least, oxi_page_size()));
}

bool oxi_region_create(oxi_region *region, size_t wanted, size_t least) {
    return oxi_region_create_in(region, OXI_SHARE_TABLES, wanted, least);
}

// How far to commit so that `size` bytes have memory.
static size_t commit_target(const oxi_region *region, size_t size) {
    size_t step = region->committed < OXI_HUGE_PAGE ? region->committed : OXI_HUGE_PAGE;
    size_t target = round_up(size, oxi_page_size());
    if (target < region->committed + step) {
        target = region->committed + step;
    }
    return target < region->reserved ? target : region->reserved;
}

static void advise_huge_part(oxi_region *region, size_t from, size_t to) {
    uintptr_t begin = round_up((uintptr_t)region->base + OXI_HUGE_PAGE, OXI_HUGE_PAGE);
    uintptr_t first = round_up((uintptr_t)region->base + from, OXI_HUGE_PAGE);
    begin = first > begin ? first : begin;
    uintptr_t end = ((uintptr_t)region->base + to) / OXI_HUGE_PAGE * OXI_HUGE_PAGE;
    if (begin < end) {
        oxi_pages_advise_huge((void *)begin, end - begin);
    }
}

bool oxi_region_grow(oxi_region *region, size_t size) {
    if (size <= region->committed) {
        return true;
    }
    if (size > region->reserved) {
        return false;
    }
    size_t target = commit_target(region, size);
    size_t before = region->committed;
    if (!oxi_pages_commit(region->base + before, target - before)) {
        return false;
    }
    advise_huge_part(region, before, target);
    region->committed = target;
    return true;
}

void oxi_region_shrink(oxi_region *region, size_t size) {
    if (region->is_heap || size >= region->committed) {
        return;
    }
    size_t kept = round_up(size, oxi_page_size());
    if (kept < region->committed) {
        oxi_pages_decommit(region->base + kept, region->committed - kept);
        region->committed = kept;
    }
}

void oxi_region_destroy(oxi_region *region) {
    if (region->is_heap) {
        oxi_heap_free(region->base, region->reserved, HEAP_REGION_ALIGN);
    } else if (region->base != NULL) {
        oxi_pages_release(region->base, region->reserved);
        oxi_add_relaxed(&reserved_bytes[region->share], (uint64_t)0 - region->reserved);
    }
    *region = (oxi_region){0};
}
