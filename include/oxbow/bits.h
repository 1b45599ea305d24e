// SPDX-License-Identifier: MIT
//
// Bits: a row of bools with one bit each.
//
//     ox_bits alive = ox_bits_create(1000, OX_PERSISTENT);              // all clear
//     ox_bits_set(alive, 7, true);
//     for (int k = ox_bits_find_set(alive, 0); k < ox_bits_count(alive);
//          k = ox_bits_find_set(alive, k + 1)) { ... }
//     ox_bits_dispose(&alive);
//
// Copies of a handle share the bits. Any thread may read bits that no thread changes. 64 bits share
// a word, so a parallel job that changes bits by its index needs a batch size that is a multiple of
// 64: each use, of a single bit too, asks for the whole words that it touches, and those must lie
// in the batch. A field that is OX_READ_ONLY may be read at any index.

#pragma once

#include "oxbow/element.h"

/// What all copies of a handle share. Not for use outside: its fields are here to be fast.
typedef struct oxi_bits_state {
    uint64_t *words; ///< bit k is bit k % 64 of word k / 64; those past the count are 0
    int32_t count;
    int32_t word_capacity; ///< at least 1
    ox_allocator allocator;
} oxi_bits_state;

/// A row of bits. Copy it freely: all copies are the same bits. {0} is none.
typedef struct ox_bits {
    oxi_bits_state *state;
    ox_access access;
} ox_bits;

/// Makes `count` bits, all clear. @return {0} after a report.
OX_API ox_bits ox_bits_create_at(int64_t count, ox_allocator allocator, ox_site site);
#define ox_bits_create(count, allocator) ox_bits_create_at((int64_t)(count), allocator, OX_HERE)

/// Frees the memory. Every copy of the handle is dead from here on.
OX_API void ox_bits_dispose_at(ox_bits *bits, ox_site site);
#define ox_bits_dispose(bits) ox_bits_dispose_at(bits, OX_HERE)

/// Frees the memory in a job after `after`, which covers all jobs that use it. The handle is dead
/// at once. Main only. @return the job that frees it, or OX_NO_JOB after a report.
OX_API ox_job ox_bits_dispose_after_at(ox_bits *bits, ox_job after, ox_site site);
#define ox_bits_dispose_after(bits, after) ox_bits_dispose_after_at(bits, after, OX_HERE)

/// True while the handle has memory. Asks nothing: a copy of a disposed handle says true too.
static inline bool ox_bits_is_created(ox_bits bits) {
    return bits.state != NULL;
}

/// May `count` bits from `first` on be read? Checks all in one call: the right to read them, and
/// that they exist, with the words around them inside of the batch when a parallel job asks. Else
/// reports.
OX_API bool oxi_bits_may_read_at(ox_bits bits, int64_t first, int64_t count, ox_site site);

/// The same for writing.
OX_API bool oxi_bits_may_write_at(ox_bits bits, int64_t first, int64_t count, ox_site site);

/// How many bits there are, set or not. 0 after a report.
static inline int32_t ox_bits_count_at(ox_bits bits, ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_bits_may_read_at(bits, 0, 0, site)) {
        return 0;
    }
#endif
    (void)site;
    return bits.state->count;
}
#define ox_bits_count(bits) ox_bits_count_at(bits, OX_HERE)

/// Is a bit set? false after a report.
static inline bool ox_bits_is_set_at(ox_bits bits, int64_t index, ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_bits_may_read_at(bits, index, 1, site)) {
        return false;
    }
#endif
    (void)site;
    return (bits.state->words[(uint64_t)index / 64] >> ((uint64_t)index % 64) & 1) != 0;
}
#define ox_bits_is_set(bits, index) ox_bits_is_set_at(bits, (int64_t)(index), OX_HERE)

/// Sets a bit, or clears it.
static inline void ox_bits_set_at(ox_bits bits, int64_t index, bool value, ox_site site) {
#if OX_SAFETY >= 1
    if (!oxi_bits_may_write_at(bits, index, 1, site)) {
        return;
    }
#endif
    (void)site;
    uint64_t *word = &bits.state->words[(uint64_t)index / 64];
    uint64_t shift = (uint64_t)index % 64;
    *word = (*word & ~((uint64_t)1 << shift)) | (uint64_t)value << shift;
}
#define ox_bits_set(bits, index, value) ox_bits_set_at(bits, (int64_t)(index), value, OX_HERE)

/// Which bits a call means: `count` of them from `first` on.
typedef struct ox_bits_range {
    int64_t first;
    int64_t count;
} ox_bits_range;

static inline ox_bits_range oxi_bits_range(int64_t first, int64_t count) {
    ox_bits_range range = {first, count};
    return range;
}

/// Sets, or clears, `count` bits from `first` on. @return false after a report.
OX_API bool ox_bits_set_range_at(ox_bits bits, ox_bits_range range, bool value, ox_site site);
#define ox_bits_set_range(bits, first, count, value)                                               \
    ox_bits_set_range_at(bits, oxi_bits_range((int64_t)(first), (int64_t)(count)), value, OX_HERE)

/// Clears all bits. @return false after a report.
OX_API bool ox_bits_clear_at(ox_bits bits, ox_site site);
#define ox_bits_clear(bits) ox_bits_clear_at(bits, OX_HERE)

/// Makes it `count` bits long: new ones are clear. @return false after a report.
OX_API bool ox_bits_resize_at(ox_bits bits, int64_t count, ox_site site);
#define ox_bits_resize(bits, count) ox_bits_resize_at(bits, (int64_t)(count), OX_HERE)

/// How many bits are set. 0 after a report.
OX_API int32_t ox_bits_count_set_at(ox_bits bits, ox_site site);
#define ox_bits_count_set(bits) ox_bits_count_set_at(bits, OX_HERE)

/// How many of `count` bits from `first` on are set. 0 after a report.
OX_API int32_t ox_bits_count_set_in_at(ox_bits bits, int64_t first, int64_t count, ox_site site);
#define ox_bits_count_set_in(bits, first, count)                                                   \
    ox_bits_count_set_in_at(bits, (int64_t)(first), (int64_t)(count), OX_HERE)

/// The first bit that is set, at `from` or after it; the count when there is none. `from` may be
/// the count. After a report the count, or 0 when that cannot be told.
OX_API int32_t ox_bits_find_set_at(ox_bits bits, int64_t from, ox_site site);
#define ox_bits_find_set(bits, from) ox_bits_find_set_at(bits, (int64_t)(from), OX_HERE)

/// The same for a bit that is clear.
OX_API int32_t ox_bits_find_clear_at(ox_bits bits, int64_t from, ox_site site);
#define ox_bits_find_clear(bits, from) ox_bits_find_clear_at(bits, (int64_t)(from), OX_HERE)

/// True when some of `count` bits from `first` on is set. Of none: false.
OX_API bool ox_bits_any_at(ox_bits bits, int64_t first, int64_t count, ox_site site);
#define ox_bits_any(bits, first, count)                                                            \
    ox_bits_any_at(bits, (int64_t)(first), (int64_t)(count), OX_HERE)

/// True when all of `count` bits from `first` on are set. Of none: true. After a report: false.
OX_API bool ox_bits_all_at(ox_bits bits, int64_t first, int64_t count, ox_site site);
#define ox_bits_all(bits, first, count)                                                            \
    ox_bits_all_at(bits, (int64_t)(first), (int64_t)(count), OX_HERE)

// Each changes `to` by `from`, which has the same length. They may be the same bits.
// @return false after a report.

/// Keeps the bits that are set in both.
OX_API bool ox_bits_and_at(ox_bits to, ox_bits from, ox_site site);
#define ox_bits_and(to, from) ox_bits_and_at(to, from, OX_HERE)

/// Sets the bits that are set in either.
OX_API bool ox_bits_or_at(ox_bits to, ox_bits from, ox_site site);
#define ox_bits_or(to, from) ox_bits_or_at(to, from, OX_HERE)

/// Clears the bits that are set in `from`.
OX_API bool ox_bits_and_not_at(ox_bits to, ox_bits from, ox_site site);
#define ox_bits_and_not(to, from) ox_bits_and_not_at(to, from, OX_HERE)

/// Copies all bits, from the first argument to the second as with arrays.
OX_API bool ox_bits_copy_from_at(ox_bits to, ox_bits from, ox_site site);
#define ox_bits_copy_from(to, from) ox_bits_copy_from_at(to, from, OX_HERE)
