// SPDX-License-Identifier: MIT
//
// Operations on single words that C has no name for: words in a fixed byte order, counts of bits,
// the wide product. Every function is pure and gives the same result on every machine.

#pragma once

#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#define OXI_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#else
#define OXI_BIG_ENDIAN 0
#endif

/// Two counts that mostly change together, in one word: `both` has `low` in its lower half on every
/// machine, so one addition of OXI_PAIR(a, b) adds `a` to `low` and `b` to `high`. Neither wraps.
#if OXI_BIG_ENDIAN
#define OXI_COUNT_PAIR(half, low, high, whole, both)                                               \
    union {                                                                                        \
        struct {                                                                                   \
            half high, low;                                                                        \
        };                                                                                         \
        whole both;                                                                                \
    }
#else
#define OXI_COUNT_PAIR(half, low, high, whole, both)                                               \
    union {                                                                                        \
        struct {                                                                                   \
            half low, high;                                                                        \
        };                                                                                         \
        whole both;                                                                                \
    }
#endif
#define OXI_PAIR(low, high) ((uint64_t)(int64_t)(low) + ((uint64_t)(int64_t)(high) << 32))

/// `word` with its bytes in reverse order.
static inline uint32_t oxi_bits_swap32(uint32_t word) {
    return (word >> 24) | ((word >> 8) & 0xff00u) | ((word << 8) & 0xff0000u) | (word << 24);
}

static inline uint64_t oxi_bits_swap64(uint64_t word) {
    return (uint64_t)oxi_bits_swap32((uint32_t)word) << 32 |
           oxi_bits_swap32((uint32_t)(word >> 32));
}

/// The word whose bytes stand at `from`, lowest first. No alignment is needed.
static inline uint32_t oxi_bits_load_le32(const void *from) {
    uint32_t word;
    memcpy(&word, from, sizeof word);
    return OXI_BIG_ENDIAN ? oxi_bits_swap32(word) : word;
}

static inline uint64_t oxi_bits_load_le64(const void *from) {
    uint64_t word;
    memcpy(&word, from, sizeof word);
    return OXI_BIG_ENDIAN ? oxi_bits_swap64(word) : word;
}

static inline uint64_t oxi_bits_rotate_left(uint64_t word, int by) {
    return (word << (by & 63)) | (word >> (-by & 63));
}

/// How many bits of `word` are 1.
static inline uint32_t oxi_bits_count_ones(uint64_t word) {
#if defined(__GNUC__)
    return (uint32_t)__builtin_popcountll(word);
#else
    word -= (word >> 1) & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + ((word >> 2) & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)((word * 0x0101010101010101u) >> 56);
#endif
}

/// The index of the lowest 1 of `word`, which must not be 0.
static inline uint32_t oxi_bits_lowest(uint64_t word) {
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(word);
#else
    return oxi_bits_count_ones((word & (0 - word)) - 1);
#endif
}

/// The index of the highest 1 of `word`, which must not be 0.
static inline uint32_t oxi_bits_highest(uint64_t word) {
#if defined(__GNUC__)
    return 63u - (uint32_t)__builtin_clzll(word);
#else
    for (int by = 1; by < 64; by *= 2) {
        word |= word >> by;
    }
    return oxi_bits_count_ones(word) - 1;
#endif
}

/// A product of two words, whole.
typedef struct oxi_bits_product {
    uint64_t low;
    uint64_t high;
} oxi_bits_product;

/// The same as oxi_bits_multiply, from 32-bit products. Here for machines without a wide product,
/// and tested against the other on those with one.
static inline oxi_bits_product oxi_bits_multiply_portable(uint64_t a, uint64_t b) {
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t low = a_low * b_low;
    uint64_t middle = a_high * b_low + (low >> 32);
    uint64_t carry = a_low * b_high + (uint32_t)middle;
    return (oxi_bits_product){
        .low = carry << 32 | (uint32_t)low,
        .high = a_high * b_high + (middle >> 32) + (carry >> 32),
    };
}

static inline oxi_bits_product oxi_bits_multiply(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (oxi_bits_product){.low = (uint64_t)product, .high = (uint64_t)(product >> 64)};
#else
    return oxi_bits_multiply_portable(a, b);
#endif
}
