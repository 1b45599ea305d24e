// SPDX-License-Identifier: MIT
//
// The generator xoshiro256** of Blackman and Vigna: 256 bits of state, period 2^256 - 1, seeded
// through a counter with a mixing step (splitmix64), so that no seed gives a state near zero.
//
// Invariant: the state is never all zero. The step is a linear bijection that maps only zero to
// zero, and four numbers in a row of the seeding sequence cannot all be 0.

#include "base/random.h"

#include "base/bits.h"
#include "base/check.h"

static uint64_t next_seed_word(uint64_t *counter) {
    *counter += 0x9e3779b97f4a7c15u;
    uint64_t word = *counter;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return word ^ (word >> 31);
}

oxi_random oxi_random_seed(uint64_t seed) {
    oxi_random random;
    for (int k = 0; k < 4; k++) {
        random.words[k] = next_seed_word(&seed);
    }
    return random;
}

uint64_t oxi_random_next_u64(oxi_random *random) {
    uint64_t *words = random->words;
    uint64_t result = oxi_bits_rotate_left(words[1] * 5, 7) * 9;
    uint64_t shifted = words[1] << 17;
    words[2] ^= words[0];
    words[3] ^= words[1];
    words[1] ^= words[2];
    words[0] ^= words[3];
    words[2] ^= shifted;
    words[3] = oxi_bits_rotate_left(words[3], 45);
    return result;
}

// The high half of a product with `limit` is the number; the low half tells where in its share of
// the 2^64 draws this one fell. The 2^64 mod limit draws that are too many for equal shares are
// drawn again. The division is done only when the low half is small enough to need it.
uint64_t oxi_random_below(oxi_random *random, uint64_t limit) {
    OXI_ASSERT(limit > 0);
    oxi_bits_product product = oxi_bits_multiply(oxi_random_next_u64(random), limit);
    if (product.low < limit) {
        uint64_t too_many = (0 - limit) % limit;
        while (product.low < too_many) {
            product = oxi_bits_multiply(oxi_random_next_u64(random), limit);
        }
    }
    return product.high;
}

int64_t oxi_random_range(oxi_random *random, int64_t first, int64_t last) {
    OXI_ASSERT(first <= last);
    uint64_t span = (uint64_t)last - (uint64_t)first;
    uint64_t steps =
        span == UINT64_MAX ? oxi_random_next_u64(random) : oxi_random_below(random, span + 1);
    return (int64_t)((uint64_t)first + steps);
}

float oxi_random_float01(oxi_random *random) {
    return (float)(oxi_random_next_u64(random) >> 40) * 0x1p-24f;
}

double oxi_random_double01(oxi_random *random) {
    return (double)(oxi_random_next_u64(random) >> 11) * 0x1p-53;
}

bool oxi_random_bool(oxi_random *random) {
    return oxi_random_next_u64(random) >> 63 != 0;
}
