// SPDX-License-Identifier: MIT
//
// The C++ library sorts the same.

#include "bench_sort.h"

#include <algorithm>

void bench_std_sort_words(uint32_t *words, int count) {
    std::sort(words, words + count);
}

namespace {
// A type of its own, so that it is inlined.
struct body_before {
    bool operator()(const bench_body &a, const bench_body &b) const {
        return a.key < b.key;
    }
};
} // namespace

void bench_std_sort_bodies(bench_body *bodies, int count) {
    std::sort(bodies, bodies + count, body_before());
}

void bench_std_stable_sort_bodies(bench_body *bodies, int count) {
    std::stable_sort(bodies, bodies + count, body_before());
}
