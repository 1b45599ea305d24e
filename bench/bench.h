// SPDX-License-Identifier: MIT
//
// The benchmark: rows of work, each measured beside a bare loop that does the same, and beside
// peers where there are any. All are measured in turns in one run, so their ratios hold on a
// machine that others use too.

#pragma once

#include <stdbool.h>
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

enum { BENCH_MOST_PEERS = 8, BENCH_MOST_EXTRAS = 16 };

/// A figure by name. Names are literals.
typedef struct bench_value {
    const char *name;
    double value;
} bench_value;

/// What was measured in a row.
typedef struct bench_result {
    double ns;       ///< per item
    double limit_ns; ///< per item; 0: there is none
    int peer_count;
    bench_value peers[BENCH_MOST_PEERS]; ///< ns per item
    int extra_count;
    bench_value extras[BENCH_MOST_EXTRAS]; ///< whatever else there is to say, in its own unit
    const char *probe; ///< distance of the cores: near, far or mixed. NULL: it does not matter
} bench_result;

/// Adds a peer's figure, or another one. Too many are left out.
void bench_put_peer(bench_result *result, const char *name, double ns);
void bench_put(bench_result *result, const char *name, double value);

/// The figure "ns", of a peer, or an extra one. False when there is none of that name.
bool bench_get(const bench_result *result, const char *name, double *value);

/// A row that measures by itself.
typedef struct bench_measured {
    const char *name;
    uint64_t n;
    void (*measure)(const void *context, bench_result *result);
    const void *context;
} bench_measured;

/// Adds such a row. It is copied; `context` must stay.
void bench_add_measured(const bench_measured *row);

/// A goal: the figure `top` over the figure `bottom`, which NULL takes as 1, is at most `most`.
typedef struct bench_goal {
    const char *row;
    const char *top;
    const char *bottom;
    double most;
} bench_goal;

/// Prints what became of a goal. Nothing more happens when it was missed.
void bench_print_goal(const bench_goal *goal, const bench_result *result);

/// The goals, and their number.
extern const bench_goal bench_goals[];
extern const int bench_goal_count;

/// Makes the compiler believe that what `pointer` points to is used.
static inline void bench_keep(const void *pointer) {
    __asm__ __volatile__("" : : "r"(pointer) : "memory");
}

void bench_memory(void);
void bench_small(void);
void bench_commands(void);
void bench_containers(void);
void bench_safety(void);
void bench_sort(void);
void bench_storage(void);
void bench_modelling(void);
void bench_moves(void);
void bench_scenes(void);
void bench_systems(void);
void bench_systems_order(void);
void bench_vector(void);
void bench_random(void);
void bench_map(void);
void bench_multimap(void);
void bench_jobs(void);
void bench_jobs_latency(void);
