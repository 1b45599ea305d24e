// SPDX-License-Identifier: MIT
//
// Private: the inline functions of random.h.
//
// Philox 4x32-10 turns a counter of four words into four random words, by a key of two. The key is
// the seed. The counter is made of the stream and of the position without its two low bits, which
// choose one of the four words:
//
//     word 0 and 1: position / 4          word 2 and 3: stream
//
//     ox_random_create    0 | 63 bits: numbers of the stream
//     ox_random_of        1 | 39 bits: frame | 24 bits: numbers of the frame; stream: the entity
//
// No float depends on whether a compiler fuses a product and a sum: each product that is added to
// something is exact.

#pragma once

#include "oxbow/random.h"

#include <math.h>

enum {
    OXI_RANDOM_FRAME_BITS = 24,  // the numbers of an entity in a frame
    OXI_RANDOM_RANGE_DRAWS = 64, // a draw is repeated with a probability of 1/2 at most
    OXI_RANDOM_DISC_TRIES = 32,  // 21 % of a square lie outside its circle
};

/// Reports if `high` is below `low`.
OX_API void oxi_random_check_int_at(int32_t low, int32_t high, ox_site site);

/// Reports if `count` is not from 1 to 2^31 - 1.
OX_API void oxi_random_check_index_at(int64_t count, ox_site site);

/// Reports if `high` is below `low`, or one of them is not finite.
OX_API void oxi_random_check_float_at(float low, float high, ox_site site);

// Computes the four words of a counter and a key (Salmon, Moraes, Dror and Shaw, "Parallel random
// numbers: as easy as 1, 2, 3", 2011). `counter` and `words` may be the same.
static inline void oxi_philox(const uint32_t counter[4], uint64_t key, uint32_t words[4]) {
    uint32_t key0 = (uint32_t)key, key1 = (uint32_t)(key >> 32);
    uint32_t a = counter[0], b = counter[1], c = counter[2], d = counter[3];
    for (int round = 0; round < 10; round++) {
        uint64_t first = (uint64_t)0xd2511f53u * a;
        uint64_t second = (uint64_t)0xcd9e8d57u * c;
        a = (uint32_t)(second >> 32) ^ b ^ key0;
        b = (uint32_t)second;
        c = (uint32_t)(first >> 32) ^ d ^ key1;
        d = (uint32_t)first;
        key0 += 0x9e3779b9u;
        key1 += 0xbb67ae85u;
    }
    words[0] = a;
    words[1] = b;
    words[2] = c;
    words[3] = d;
}

static inline void oxi_random_fill(ox_random *random) {
    uint64_t block = random->position / 4;
    uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32), (uint32_t)random->stream,
                           (uint32_t)(random->stream >> 32)};
    oxi_philox(counter, random->seed, random->numbers);
}

static inline ox_random ox_random_create(uint64_t seed, uint64_t stream) {
    ox_random random = {seed, stream, 0, {0, 0, 0, 0}};
    return random;
}

static inline ox_random ox_random_of(uint64_t seed, ox_entity entity, uint64_t frame) {
    ox_random random = ox_random_create(seed, (uint64_t)entity.version << 32 | entity.index);
    random.position = (uint64_t)1 << 63 | frame << OXI_RANDOM_FRAME_BITS;
    return random;
}

static inline uint32_t ox_random_next(ox_random *random) {
    if (random->position % 4 == 0) {
        oxi_random_fill(random);
    }
    return random->numbers[random->position++ % 4];
}

static inline uint64_t ox_random_next64(ox_random *random) {
    uint64_t low = ox_random_next(random);
    return (uint64_t)ox_random_next(random) << 32 | low;
}

// Returns a number from 0 to `last`. The upper half of a product is the number; the lower half is
// the position of the draw among those for this number. Equal shares leave 2^32 mod (last + 1)
// draws over: those with the smallest lower halves are repeated (Lemire, "Fast random integer
// generation in an interval", 2019). The division is skipped if it cannot matter.
static inline uint32_t oxi_random_up_to(ox_random *random, uint32_t last) {
    uint32_t draw = ox_random_next(random), count = last + 1;
    if (count == 0) {
        return draw;
    }
    uint64_t product = (uint64_t)draw * count;
    if ((uint32_t)product < count) {
        uint32_t excess = (0u - count) % count;
        for (int k = 1; k < OXI_RANDOM_RANGE_DRAWS && (uint32_t)product < excess; k++) {
            product = (uint64_t)ox_random_next(random) * count;
        }
    }
    return (uint32_t)(product >> 32);
}

static inline int32_t ox_random_int_at(ox_random *random, int32_t low, int32_t high, ox_site site) {
#if OX_SAFETY >= 1
    oxi_random_check_int_at(low, high, site);
#endif
    (void)site;
    uint32_t last = low <= high ? (uint32_t)high - (uint32_t)low : 0;
    return (int32_t)((uint32_t)low + oxi_random_up_to(random, last));
}

static inline int32_t ox_random_index_at(ox_random *random, int64_t count, ox_site site) {
#if OX_SAFETY >= 1
    oxi_random_check_index_at(count, site);
#endif
    (void)site;
    bool is_usable = count >= 1 && count <= INT32_MAX;
    return (int32_t)oxi_random_up_to(random, is_usable ? (uint32_t)count - 1 : 0);
}

static inline float ox_random_float(ox_random *random) {
    return (float)(ox_random_next(random) >> 8) * (1.0f / 16777216.0f);
}

// Half of the range, so that it does not overflow, is rounded to 24 bits. Its product with a 24-bit
// number is exact in a double. A result rounded up to `high` counts as `low`.
static inline float ox_random_float_range_at(ox_random *random, float low, float high,
                                             ox_site site) {
#if OX_SAFETY >= 1
    oxi_random_check_float_at(low, high, site);
#endif
    (void)site;
    double number = (double)(ox_random_next(random) >> 8);
    float half = (float)((double)high * 0.5 - (double)low * 0.5);
    float value = (float)((double)low + (double)half * number * (1.0 / 8388608.0));
    return low < high && value < high ? value : low;
}

static inline bool ox_random_bool(ox_random *random, float chance) {
    return ox_random_float(random) < chance;
}

// A point of the disc with radius 2^24 around 0. Its coordinates are odd, so it is never 0.
typedef struct oxi_disc_point {
    int64_t x, y;
    int64_t square; // of the distance, up to 2^48
} oxi_disc_point;

// Returns an odd number between -2^24 and 2^24.
static inline int64_t oxi_random_odd(ox_random *random) {
    return 2 * (int64_t)(ox_random_next(random) >> 8) - 0xffffff;
}

static inline oxi_disc_point oxi_random_disc(ox_random *random) {
    oxi_disc_point point = {1, 1, 2}; // if all tries fail: less likely than 2^-70
    for (int k = 0; k < OXI_RANDOM_DISC_TRIES; k++) {
        int64_t x = oxi_random_odd(random);
        int64_t y = oxi_random_odd(random);
        int64_t square = x * x + y * y;
        if (square <= (int64_t)1 << 48) {
            point.x = x;
            point.y = y;
            point.square = square;
            return point;
        }
    }
    return point;
}

static inline ox_float2 ox_random_direction2(ox_random *random) {
    oxi_disc_point point = oxi_random_disc(random);
    double length = sqrt((double)point.square);
    return ox_float2_make((float)((double)point.x / length), (float)((double)point.y / length));
}

// With s = x^2 + y^2 in the unit disc: (2x sqrt(1 - s), 2y sqrt(1 - s), 1 - 2s) has length 1, and
// its height is uniform, as on a sphere (Marsaglia, "Choosing a point from the surface of a
// sphere", 1972). All except the root and its products are integers.
static inline ox_float3 ox_random_direction3(ox_random *random) {
    oxi_disc_point point = oxi_random_disc(random);
    int64_t rest = ((int64_t)1 << 48) - point.square;
    double root = sqrt((double)rest) * (1.0 / 140737488355328.0);
    return ox_float3_make((float)((double)point.x * root), (float)((double)point.y * root),
                          (float)((double)(rest - point.square) * (1.0 / 281474976710656.0)));
}
