// SPDX-License-Identifier: MIT
//
// A large range of addresses that gets memory as it grows and never moves.

#pragma once

#include "oxbow/base.h"

typedef struct oxi_region {
    char *base;
    size_t reserved;  ///< bytes of address space: the most it can grow to
    size_t committed; ///< bytes from `base` that have memory
    bool is_heap;     ///< the system has no reservations: a plain block, all of it committed
} oxi_region;

/// Reserves `wanted` bytes, or as much as the system grants by halving, down to `least`. Where
/// nothing can be reserved, `least` bytes of plain memory take its place.
/// @return false when that is refused too, with `region` zeroed.
bool oxi_region_create(oxi_region *region, size_t wanted, size_t least);

/// Gives the first `size` bytes memory, which is zero where it is new. Huge pages are asked for
/// after the first 2 MiB. @return false when memory or the reservation is at its end; then nothing
/// has changed.
bool oxi_region_grow(oxi_region *region, size_t size);

/// Takes memory behind the first `size` bytes away, down to a page.
void oxi_region_shrink(oxi_region *region, size_t size);

/// Gives everything back and zeroes `region`. A zeroed one is ignored.
void oxi_region_destroy(oxi_region *region);
