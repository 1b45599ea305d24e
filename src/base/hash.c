// SPDX-License-Identifier: MIT
//
// A hash of bytes around one step: `hash_fold` multiplies two words, keeps all 128 bits of the
// product and xors their halves. The operands are xored in as well, so that a word that happens to
// equal a key, and makes the product 0, does not erase what the other operand knew.
//
// Keys of up to 16 bytes are read as two words that may overlap. Longer ones pass in steps of 16
// bytes through one lane, above 64 bytes through four that do not wait for each other; the last 16
// bytes, which may overlap what was read before, always go to the end step. The size is part of the
// start, so keys that differ in trailing zeros differ in hash.
//
// Invariant: words are read in little-endian order, so the result does not depend on the machine.

#include "base/hash.h"

// Fractions of the square roots of 2, 3, 5, 7, 11 and 13, made odd: numbers without a pattern.
#define HASH_KEY_0 0x6a09e667f3bcc909u
#define HASH_KEY_1 0xbb67ae8584caa73bu
#define HASH_KEY_2 0x3c6ef372fe94f82bu
#define HASH_KEY_3 0xa54ff53a5f1d36f1u
#define HASH_KEY_4 0x510e527fade682d1u
#define HASH_KEY_5 0x9b05688c2b3e6c1fu

static inline uint64_t hash_fold(uint64_t a, uint64_t b) {
    oxi_bits_product product = oxi_bits_multiply(a, b);
    return (product.low ^ a) ^ (product.high ^ b);
}

static inline uint64_t hash_fold_16(uint64_t state, const uint8_t *at, uint64_t key) {
    return hash_fold(oxi_bits_load_le64(at) ^ key, oxi_bits_load_le64(at + 8) ^ state);
}

static inline uint64_t hash_end(uint64_t state, uint64_t a, uint64_t b) {
    oxi_bits_product product = oxi_bits_multiply(a ^ HASH_KEY_1, b ^ state);
    uint64_t low = product.low ^ a ^ HASH_KEY_3;
    uint64_t high = product.high ^ b ^ state;
    return hash_fold(low ^ HASH_KEY_0, high ^ HASH_KEY_2);
}

static inline uint64_t hash_up_to_16(const uint8_t *at, size_t size, uint64_t state) {
    if (size >= 8) {
        return hash_end(state, oxi_bits_load_le64(at), oxi_bits_load_le64(at + size - 8));
    }
    if (size >= 4) {
        return hash_end(state, oxi_bits_load_le32(at), oxi_bits_load_le32(at + size - 4));
    }
    if (size == 0) {
        return hash_end(state, 0, 0);
    }
    // Of 1, 2 or 3 bytes these three are all, some of them twice.
    uint64_t word = at[0] | (uint64_t)at[size / 2] << 8 | (uint64_t)at[size - 1] << 16;
    return hash_end(state, word, 0);
}

// Passes whole blocks of 64 bytes through four lanes and leaves at least one byte.
static uint64_t hash_fold_blocks(uint64_t state, const uint8_t **at, const uint8_t *end) {
    uint64_t lanes[4] = {state, state ^ HASH_KEY_3, state ^ HASH_KEY_4, state ^ HASH_KEY_5};
    do {
        lanes[0] = hash_fold_16(lanes[0], *at, HASH_KEY_1);
        lanes[1] = hash_fold_16(lanes[1], *at + 16, HASH_KEY_2);
        lanes[2] = hash_fold_16(lanes[2], *at + 32, HASH_KEY_3);
        lanes[3] = hash_fold_16(lanes[3], *at + 48, HASH_KEY_4);
        *at += 64;
    } while (end - *at > 64);
    uint64_t left = lanes[0] ^ oxi_bits_rotate_left(lanes[1], 17);
    return hash_fold(left ^ HASH_KEY_5, lanes[2] ^ oxi_bits_rotate_left(lanes[3], 41));
}

uint64_t oxi_hash_bytes(const void *data, size_t size, uint64_t seed) {
    const uint8_t *at = data;
    uint64_t state = hash_fold(seed ^ HASH_KEY_0, (uint64_t)size ^ HASH_KEY_1);
    if (size <= 16) {
        return hash_up_to_16(at, size, state);
    }

    const uint8_t *end = at + size;
    if (size > 64) {
        state = hash_fold_blocks(state, &at, end);
    }
    while (end - at > 16) {
        state = hash_fold_16(state, at, HASH_KEY_2);
        at += 16;
    }
    return hash_end(state, oxi_bits_load_le64(end - 16), oxi_bits_load_le64(end - 8));
}

uint64_t oxi_hash_text(const char *text) {
    return oxi_hash_bytes(text, strlen(text), 0);
}
