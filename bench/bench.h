// SPDX-License-Identifier: MIT
//
// The benchmark: rows of work, each measured beside a bare loop that does the same, and beside a
// peer where there is one. All are measured in turns in one run, so their ratios hold on a machine
// that others use too.

#pragma once

#include <stdint.h>

/// One row. `step`, `limit` and `peer` each do the same work over `n` items, once.
typedef struct bench_row {
    const char *name;
    uint64_t n;
    void (*setup)(void);    ///< may be NULL
    void (*step)(void);     ///< Oxbow
    void (*limit)(void);    ///< a bare loop over plain arrays
    const char *peer_name;  ///< NULL when there is none
    void (*peer)(void);     ///< somebody else's
    void (*teardown)(void); ///< may be NULL
} bench_row;

/// Adds a row. It is copied.
void bench_add(const bench_row *row);

/// Makes the compiler believe that what `pointer` points to is used.
static inline void bench_keep(const void *pointer) {
    __asm__ __volatile__("" : : "r"(pointer) : "memory");
}

void bench_memory(void);
void bench_small(void);
void bench_vector(void);
