// SPDX-License-Identifier: MIT
//
// The work of the rows of maps, the same for Oxbow, its peers and plain arrays: 64-bit keys, 64-bit
// values, the same keys in the same order. C and C++.

#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The keys of one row: all different.
typedef struct bench_map_keys {
    uint64_t n;
    const uint64_t *keys;     ///< in the order of insertion; the value of key k is k
    const uint64_t *shuffled; ///< the same in another order
    const uint64_t *missing;  ///< others
} bench_map_keys;

/// Somebody's map. There is one at a time, from `create` to `destroy`, whose time does not count.
typedef struct bench_map_peer {
    const char *name;
    void (*create)(void);
    void (*insert)(const bench_map_keys *keys);         ///< into an empty map that grows
    uint64_t (*find)(const uint64_t *keys, uint64_t n); ///< the sum of the values that are there
    uint64_t (*iterate)(void);                          ///< the sum of all values
    uint64_t (*erase)(const uint64_t *keys, uint64_t n);
    void (*destroy)(void);
} bench_map_peer;

extern const bench_map_peer bench_map_glib;
extern const bench_map_peer bench_map_std;
extern const bench_map_peer bench_map_absl;

#ifdef __cplusplus
}
#endif
