// SPDX-License-Identifier: MIT
//
// Hashes of 64 bits. They are the same on every machine and in every version of the library, so
// they may be stored; a test holds their values. They do not resist an opponent who chooses keys.
//
// Any thread may call these functions.

#pragma once

#include "base/bits.h"

#include <stddef.h>
#include <stdint.h>

/// The hash of `size` bytes. Different seeds give independent hashes. `data` may be NULL when
/// `size` is 0.
uint64_t oxi_hash_bytes(const void *data, size_t size, uint64_t seed);

/// The hash of a text up to its 0: oxi_hash_bytes of it, with seed 0.
uint64_t oxi_hash_text(const char *text);

/// Spreads the bits of a number over the whole word. No two numbers have the same result, and 0
/// stays 0.
static inline uint64_t oxi_hash_mix(uint64_t value) {
    value ^= value >> 32;
    value *= 0xd6e8feb86659fd93u;
    value ^= value >> 32;
    value *= 0xd6e8feb86659fd93u;
    value ^= value >> 32;
    return value;
}

/// One hash of two. The order matters: the hash of a list is made by combining from the front.
static inline uint64_t oxi_hash_combine(uint64_t first, uint64_t second) {
    return oxi_hash_mix(oxi_bits_rotate_left(first, 25) + second + 0x9e3779b97f4a7c15u);
}
