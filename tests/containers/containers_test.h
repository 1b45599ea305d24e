// SPDX-License-Identifier: MIT
//
// What the tests of containers share.

#pragma once

#include "test.h"

#include "base/random.h"
#include "oxbow/containers.h"

// By how much random tests shrink where everything is slow.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = 10 };
#else
enum { SANITIZED = 1 };
#endif

typedef struct Body {
    float x, y;
    int32_t id;
    uint8_t tag;
} Body;

// Elements of an odd size, which no number has.
typedef struct Triple {
    uint8_t bytes[3];
} Triple;

OXI_UNUSED static void start_workers(int workers) {
    ox_jobs_def def = {.worker_count = workers == 0 ? OX_NO_WORKERS : workers};
    ox_jobs_stop(); // a test that failed before may have left it running
    EXPECT(ox_jobs_start(&def));
}

// Blocks that containers hold: 0 in the release library, which does not count.
OXI_UNUSED static uint64_t count_blocks(void) {
    return ox_memory_get_usage(0).block_count;
}

OXI_UNUSED static int64_t random_between(oxi_random *random, int64_t low, int64_t high) {
    return low + (int64_t)oxi_random_below(random, (uint64_t)(high - low) + 1);
}
