// SPDX-License-Identifier: MIT
//
// Sets of small numbers, one bit each: bit `index` is bit index % 64 of word index / 64.
//
// The oxi_words_ functions work on plain arrays of words, wherever they live. An oxi_bitset adds a
// size and, when it is grown, memory of its own. One thread at a time may change a set; any number
// may read it.

#pragma once

#include "base/bits.h"
#include "base/check.h"
#include "base/heap.h"

#include <stddef.h>

/// How many words hold `bit_count` bits.
static inline size_t oxi_words_for(size_t bit_count) {
    return bit_count / 64 + (bit_count % 64 != 0);
}

static inline void oxi_words_set(uint64_t *words, size_t index) {
    words[index / 64] |= (uint64_t)1 << (index % 64);
}

static inline void oxi_words_clear(uint64_t *words, size_t index) {
    words[index / 64] &= ~((uint64_t)1 << (index % 64));
}

static inline bool oxi_words_test(const uint64_t *words, size_t index) {
    return (words[index / 64] >> (index % 64) & 1) != 0;
}

/// The first set bit at `from` or after it, or `bit_count` when there is none. Bits of the last
/// word that are past `bit_count` do not matter.
size_t oxi_words_find_set(const uint64_t *words, size_t bit_count, size_t from);

/// The first clear bit at `from` or after it, or `bit_count` when there is none.
size_t oxi_words_find_clear(const uint64_t *words, size_t bit_count, size_t from);

/// How many of the first `bit_count` bits are set.
size_t oxi_words_count(const uint64_t *words, size_t bit_count);

/// Sets, or clears, the `bit_count` bits from `first` on.
void oxi_words_set_range(uint64_t *words, size_t first, size_t bit_count);
void oxi_words_clear_range(uint64_t *words, size_t first, size_t bit_count);

// Each changes `to`, an array of `word_count` words, by the words of `from`.

void oxi_words_and(uint64_t *to, const uint64_t *from, size_t word_count);
void oxi_words_or(uint64_t *to, const uint64_t *from, size_t word_count);
void oxi_words_and_not(uint64_t *to, const uint64_t *from, size_t word_count);

/// True when every bit of `part` is set in `whole` too.
bool oxi_words_contain(const uint64_t *whole, const uint64_t *part, size_t word_count);

/// True when some bit is set in both.
bool oxi_words_intersect(const uint64_t *a, const uint64_t *b, size_t word_count);

/// A set of the numbers below `bit_count`. {0} is a set of none, and owns nothing.
typedef struct oxi_bitset {
    uint64_t *words;      ///< oxi_words_for(bit_count) of them; bits past bit_count are 0
    size_t bit_count;     ///< how many bits there are, set or not
    size_t word_capacity; ///< words that the set owns; 0 when they are the caller's
} oxi_bitset;

/// An empty set in the caller's words, oxi_words_for(bit_count) of them, which are made 0 and must
/// outlive it. When it grows, it moves to the heap and leaves them.
oxi_bitset oxi_bitset_over(uint64_t *words, size_t bit_count);

/// Makes the set hold at least `bit_count` bits. Added bits are clear; it never shrinks. Its words
/// come from `heap`, which is always the same for one set; NULL means the hooks of the process.
/// @return false when out of memory, with the set unchanged.
bool oxi_bitset_grow_at(const oxi_hooks *heap, oxi_bitset *set, size_t bit_count, ox_site where);
#define oxi_bitset_grow(set, bit_count)          oxi_bitset_grow_in(NULL, set, bit_count)
#define oxi_bitset_grow_in(heap, set, bit_count) oxi_bitset_grow_at(heap, set, bit_count, OX_HERE)

/// Frees what the set owns. It is {0} afterwards.
void oxi_bitset_free_in(const oxi_hooks *heap, oxi_bitset *set);
#define oxi_bitset_free(set) oxi_bitset_free_in(NULL, set)

/// Clears all bits.
void oxi_bitset_clear_all(oxi_bitset *set);

/// Sets, or clears, the `bit_count` bits from `first` on. They must all be in the set.
void oxi_bitset_set_range(oxi_bitset *set, size_t first, size_t bit_count);
void oxi_bitset_clear_range(oxi_bitset *set, size_t first, size_t bit_count);

static inline void oxi_bitset_set(oxi_bitset *set, size_t index) {
    OXI_ASSERT(index < set->bit_count);
    oxi_words_set(set->words, index);
}

static inline void oxi_bitset_clear(oxi_bitset *set, size_t index) {
    OXI_ASSERT(index < set->bit_count);
    oxi_words_clear(set->words, index);
}

static inline bool oxi_bitset_test(const oxi_bitset *set, size_t index) {
    OXI_ASSERT(index < set->bit_count);
    return oxi_words_test(set->words, index);
}

/// The first set, or clear, bit at `from` or after it; bit_count when there is none. A loop over
/// all:
///
///     for (size_t k = oxi_bitset_find_set(&set, 0); k < set.bit_count;
///          k = oxi_bitset_find_set(&set, k + 1))
static inline size_t oxi_bitset_find_set(const oxi_bitset *set, size_t from) {
    return oxi_words_find_set(set->words, set->bit_count, from);
}

static inline size_t oxi_bitset_find_clear(const oxi_bitset *set, size_t from) {
    return oxi_words_find_clear(set->words, set->bit_count, from);
}

/// How many bits are set.
static inline size_t oxi_bitset_count(const oxi_bitset *set) {
    return oxi_words_count(set->words, set->bit_count);
}
