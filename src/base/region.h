// SPDX-License-Identifier: MIT
//
// A large range of addresses that gets memory as it grows and never moves.
//
// Where the addresses of the process are limited (RLIMIT_AS, `ulimit -v`), all regions together
// reserve a quarter of the limit; the rest is for the heap, for stacks and for the program. In
// parts of 32:
//
//     | chunks 4 | entities 3 | tables 1 |              everybody else 24               |
//
// There are several of all but the chunks: the entities of a world take at most a third of what
// those before left of their share, a table takes a quarter. Only what a region needs at least is
// reserved beyond that.

#pragma once

#include "oxbow/base.h"

/// The part of limited addresses that a region draws from.
typedef enum oxi_region_share {
    OXI_SHARE_TABLES = 0, ///< of the job system, of safety, of traces
    OXI_SHARE_ENTITIES,
    OXI_SHARE_CHUNKS,
    OXI_SHARE_COUNT,
} oxi_region_share;

typedef struct oxi_region {
    char *base;
    size_t reserved;  ///< bytes of address space: the most it can grow to
    size_t committed; ///< bytes from `base` that have memory
    bool is_heap;     ///< the system has no reservations: a plain block, all of it committed
    oxi_region_share share;
} oxi_region;

/// Reserves `wanted` bytes, or what its share of limited addresses has left, or as much as the
/// system grants by halving, down to `least`. Where nothing can be reserved, `least` bytes of plain
/// memory take its place.
/// @return false when that is refused too, with `region` zeroed.
bool oxi_region_create_in(oxi_region *region, oxi_region_share share, size_t wanted, size_t least);

/// The same, of the tables' share.
bool oxi_region_create(oxi_region *region, size_t wanted, size_t least);

/// Gives the first `size` bytes memory, which is zero where it is new. Huge pages are asked for
/// after the first 2 MiB. @return false when memory or the reservation is at its end; then nothing
/// has changed.
bool oxi_region_grow(oxi_region *region, size_t size);

/// Takes memory behind the first `size` bytes away, down to a page.
void oxi_region_shrink(oxi_region *region, size_t size);

/// Gives everything back and zeroes `region`. A zeroed one is ignored.
void oxi_region_destroy(oxi_region *region);
