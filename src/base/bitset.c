// SPDX-License-Identifier: MIT
//
// Ranges, searches and growth of bitsets.
//
// Searches look at one word at a time: the bits before `from` are masked off the first word, and a
// hit past the end in the last word counts as none.
//
// Invariant of oxi_bitset: bits of the last word that are past bit_count are 0, and word_capacity
// is 0 or at least oxi_words_for(bit_count).

#include "base/bitset.h"

// `flip` is all ones to look for a clear bit, and 0 for a set one.
static size_t find_bit(const uint64_t *words, size_t bit_count, size_t from, uint64_t flip) {
    if (from >= bit_count) {
        return bit_count;
    }
    size_t word_count = oxi_words_for(bit_count);
    size_t index = from / 64;
    uint64_t word = (words[index] ^ flip) & (UINT64_MAX << (from % 64));
    while (word == 0) {
        if (++index == word_count) {
            return bit_count;
        }
        word = words[index] ^ flip;
    }
    size_t found = index * 64 + oxi_bits_lowest(word);
    return found < bit_count ? found : bit_count;
}

size_t oxi_words_find_set(const uint64_t *words, size_t bit_count, size_t from) {
    return find_bit(words, bit_count, from, 0);
}

size_t oxi_words_find_clear(const uint64_t *words, size_t bit_count, size_t from) {
    return find_bit(words, bit_count, from, UINT64_MAX);
}

// The lowest `bit_count` bits, fewer than 64.
static uint64_t low_bits(size_t bit_count) {
    return ((uint64_t)1 << bit_count) - 1;
}

size_t oxi_words_count(const uint64_t *words, size_t bit_count) {
    size_t whole = bit_count / 64, count = 0;
    for (size_t k = 0; k < whole; k++) {
        count += oxi_bits_count_ones(words[k]);
    }
    if (bit_count % 64 != 0) {
        count += oxi_bits_count_ones(words[whole] & low_bits(bit_count % 64));
    }
    return count;
}

static inline void write_word(uint64_t *word, uint64_t mask, bool value) {
    *word = value ? *word | mask : *word & ~mask;
}

static void write_range(uint64_t *words, size_t first, size_t bit_count, bool value) {
    if (bit_count == 0) {
        return;
    }
    size_t last = first + (bit_count - 1);
    uint64_t first_mask = UINT64_MAX << (first % 64);
    uint64_t last_mask = UINT64_MAX >> (63 - last % 64);
    if (first / 64 == last / 64) {
        write_word(&words[first / 64], first_mask & last_mask, value);
        return;
    }

    write_word(&words[first / 64], first_mask, value);
    for (size_t k = first / 64 + 1; k < last / 64; k++) {
        words[k] = value ? UINT64_MAX : 0;
    }
    write_word(&words[last / 64], last_mask, value);
}

void oxi_words_set_range(uint64_t *words, size_t first, size_t bit_count) {
    write_range(words, first, bit_count, true);
}

void oxi_words_clear_range(uint64_t *words, size_t first, size_t bit_count) {
    write_range(words, first, bit_count, false);
}

void oxi_words_and(uint64_t *to, const uint64_t *from, size_t word_count) {
    for (size_t k = 0; k < word_count; k++) {
        to[k] &= from[k];
    }
}

void oxi_words_or(uint64_t *to, const uint64_t *from, size_t word_count) {
    for (size_t k = 0; k < word_count; k++) {
        to[k] |= from[k];
    }
}

void oxi_words_and_not(uint64_t *to, const uint64_t *from, size_t word_count) {
    for (size_t k = 0; k < word_count; k++) {
        to[k] &= ~from[k];
    }
}

bool oxi_words_contain(const uint64_t *whole, const uint64_t *part, size_t word_count) {
    for (size_t k = 0; k < word_count; k++) {
        if ((part[k] & ~whole[k]) != 0) {
            return false;
        }
    }
    return true;
}

bool oxi_words_intersect(const uint64_t *a, const uint64_t *b, size_t word_count) {
    for (size_t k = 0; k < word_count; k++) {
        if ((a[k] & b[k]) != 0) {
            return true;
        }
    }
    return false;
}

static void zero_words(uint64_t *words, size_t word_count) {
    if (word_count > 0) {
        memset(words, 0, word_count * sizeof *words);
    }
}

oxi_bitset oxi_bitset_over(uint64_t *words, size_t bit_count) {
    zero_words(words, oxi_words_for(bit_count));
    return (oxi_bitset){.words = words, .bit_count = bit_count};
}

// Moves the set to a block of its own that has room for `needed` words, and for twice the present.
static bool move_bitset(const oxi_hooks *heap, oxi_bitset *set, size_t needed, ox_site where) {
    size_t present = oxi_words_for(set->bit_count);
    size_t capacity = needed > present * 2 ? needed : present * 2;
    uint64_t *words = oxi_heap_alloc_in_at(heap, capacity * sizeof *words, sizeof *words, where);
    if (words == NULL) {
        return false;
    }

    if (present > 0) {
        memcpy(words, set->words, present * sizeof *words);
    }
    if (set->word_capacity > 0) {
        oxi_heap_free_in(heap, set->words, set->word_capacity * sizeof *words, sizeof *words);
    }
    set->words = words;
    set->word_capacity = capacity;
    return true;
}

bool oxi_bitset_grow_at(const oxi_hooks *heap, oxi_bitset *set, size_t bit_count, ox_site where) {
    if (bit_count <= set->bit_count) {
        return true;
    }

    size_t present = oxi_words_for(set->bit_count);
    size_t needed = oxi_words_for(bit_count);
    if (needed > present && needed > set->word_capacity && !move_bitset(heap, set, needed, where)) {
        return false;
    }
    zero_words(set->words + present, needed - present);
    set->bit_count = bit_count;
    return true;
}

void oxi_bitset_free_in(const oxi_hooks *heap, oxi_bitset *set) {
    if (set->word_capacity > 0) {
        oxi_heap_free_in(heap, set->words, set->word_capacity * sizeof *set->words,
                         sizeof *set->words);
    }
    *set = (oxi_bitset){0};
}

void oxi_bitset_clear_all(oxi_bitset *set) {
    zero_words(set->words, oxi_words_for(set->bit_count));
}

void oxi_bitset_set_range(oxi_bitset *set, size_t first, size_t bit_count) {
    OXI_ASSERT(first <= set->bit_count && bit_count <= set->bit_count - first);
    write_range(set->words, first, bit_count, true);
}

void oxi_bitset_clear_range(oxi_bitset *set, size_t first, size_t bit_count) {
    OXI_ASSERT(first <= set->bit_count && bit_count <= set->bit_count - first);
    write_range(set->words, first, bit_count, false);
}
