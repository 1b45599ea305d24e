// SPDX-License-Identifier: MIT
//
// What the rows of sorting share with their peers. C and C++.

#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_body {
    uint32_t key;
    uint32_t place;
    float mass;
    float speed;
} bench_body;

/// std::sort and std::stable_sort, in peers_sort.cpp where there is a C++ compiler.
void bench_std_sort_words(uint32_t *words, int count);
void bench_std_sort_bodies(bench_body *bodies, int count);
void bench_std_stable_sort_bodies(bench_body *bodies, int count);

#ifdef __cplusplus
}
#endif
