// SPDX-License-Identifier: MIT
//
// The work of the rows of jobs, the same for everybody who schedules it: for Oxbow, for its peers
// and for the bare loops. C and C++.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BENCH_HOT = 1000,
    BENCH_EMPTY = 100000,
    BENCH_LIGHT = 1 << 20,
    BENCH_HEAVY = 1 << 18,
    BENCH_HEAVY_BATCH = 1024,
    BENCH_CHAIN = 10000,
    BENCH_DIAMONDS = 1000,
    BENCH_NODES = 10000,
    BENCH_MOST_BEFORE = 3,
};

/// The floats of the loops.
extern float bench_floats[BENCH_LIGHT];

static inline float bench_light(float x) {
    return x * 0.5f + 1.0f;
}

/// About 10 ns.
static inline float bench_heavy(float x) {
    for (int k = 0; k < 16; k++) {
        x = 1.0f / (1.0f + x);
    }
    return x;
}

/// A node of the random graph: it runs after the nodes `before`, which have smaller numbers.
typedef struct bench_node {
    int count;
    int before[BENCH_MOST_BEFORE];
} bench_node;
extern bench_node bench_nodes[BENCH_NODES];

/// Fills the nodes and the floats, and finds out how long bench_work takes. The first call counts.
void bench_work_setup(void);

/// Keeps the core busy for so many microseconds of its own time.
void bench_work(uint32_t us);

typedef void bench_call(void *argument);

/// Everything whose time is taken as a whole.
enum {
    BENCH_LOAD_HOT,          ///< BENCH_HOT times: schedule one empty job and wait for it
    BENCH_LOAD_EMPTY,        ///< BENCH_EMPTY empty jobs, and one wait
    BENCH_LOAD_LIGHT_64,     ///< bench_light over all floats in batches of 64
    BENCH_LOAD_LIGHT_16384,  ///< and of 16384
    BENCH_LOAD_HEAVY,        ///< bench_heavy over the first BENCH_HEAVY floats
    BENCH_LOAD_CHAIN,        ///< BENCH_CHAIN empty jobs, each after the one before
    BENCH_LOAD_DIAMONDS,     ///< one graph of diamonds: a; b and c after a; d after b and c
    BENCH_LOAD_DIAMOND_WAIT, ///< the same diamonds, but each is waited for before the next
    BENCH_LOAD_DAG,          ///< the nodes, 1 us each
    BENCH_LOAD_COUNT
};

/// Somebody who runs work on two threads: the calling one and another. Graphs are built anew each
/// time. Any pointer may be NULL: it does not take part there.
typedef struct bench_runner {
    const char *name;
    void (*enter)(void); ///< before it runs anything
    void (*leave)(void); ///< after it: nothing of it stays awake
    void (*loads[BENCH_LOAD_COUNT])(void);

    // For rows that take the time of single jobs. All of it inside a session.
    void (*session)(void (*body)(void));
    void (*queue)(bench_call *call, void *argument);
    void (*queue_awaited)(bench_call *call, void *argument); ///< one at a time
    void (*show)(void);                                      ///< what was queued may start
    void (*wait_awaited)(void);
    void (*drain)(void); ///< waits for everything
} bench_runner;

extern const bench_runner bench_oxbow;
extern const bench_runner bench_oxbow_alone; ///< with no workers
extern const bench_runner bench_bare;        ///< no scheduler: calls, loops, and one futex
extern const bench_runner bench_tbb;
extern const bench_runner bench_tbb_auto;
extern const bench_runner bench_tbb_new_graph;
extern const bench_runner bench_openmp;
extern const bench_runner bench_openmp_static;

/// Around everything that a runner does: its threads are there and main is held on core 0; then
/// they sleep or are gone.
void bench_enter(const bench_runner *runner);
void bench_leave(const bench_runner *runner);

/// The peers that this build has. NULL ends the list.
extern const bench_runner *const bench_peers[];

#ifdef __cplusplus
}
#endif
