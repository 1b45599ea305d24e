// SPDX-License-Identifier: MIT
//
// A hash of many random numbers of every kind, for each way to compile them.

#pragma once

#include "oxbow/random.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The hash as a file computes it whose products and sums may be joined, and as C++ does.
uint64_t random_hash_contracted(void);
uint64_t random_hash_cpp(void);

#ifdef __cplusplus
}
#endif

static inline void random_hash_add(uint64_t *hash, const void *bytes, size_t size) {
    for (size_t k = 0; k < size; k++) {
        *hash = (*hash ^ ((const unsigned char *)bytes)[k]) * 0x100000001b3u;
    }
}

static inline uint64_t random_hash(void) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t k = 0; k < 2000; k++) {
        ox_entity entity = {k, 1 + k % 3};
        ox_random random = ox_random_of(42, entity, k / 10);
        float size = 0.001f * (float)(k + 1), most = (float)(100000008 + k);
        int32_t whole[3] = {ox_random_int(&random, -3, 3), ox_random_int(&random, INT32_MIN, 0),
                            ox_random_index(&random, k + 1)};
        float real[3] = {ox_random_float(&random),
                         ox_random_float_range(&random, -size, 2.7f * size),
                         ox_random_float_range(&random, 1e8f, most)};
        bool heads = ox_random_bool(&random, 0.3f);
        ox_float2 flat = ox_random_direction2(&random);
        ox_float3 round = ox_random_direction3(&random);
        random_hash_add(&hash, whole, sizeof whole);
        random_hash_add(&hash, real, sizeof real);
        random_hash_add(&hash, &heads, sizeof heads);
        random_hash_add(&hash, &flat, sizeof flat);
        random_hash_add(&hash, &round, sizeof round);
        random_hash_add(&hash, &random, sizeof random);
    }
    return hash;
}
