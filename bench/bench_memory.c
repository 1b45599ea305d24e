// SPDX-License-Identifier: MIT
//
// Allocating a thousand blocks of mixed sizes and giving them back, from each allocator in its own
// way: Temp by ending the frame, the others one by one. The limit is a bump pointer over a plain
// array; the peer is malloc and free.

#include "bench.h"

#include "oxbow/memory.h"

#include <stdlib.h>

enum { BLOCKS = 1000, ARENA = BLOCKS * 512 };

static void *blocks[BLOCKS];
static size_t sizes[BLOCKS];
static char arena[ARENA];

static void setup_sizes(void) {
    uint32_t seed = 7;
    for (int k = 0; k < BLOCKS; k++) {
        seed = seed * 1664525u + 1013904223u;
        sizes[k] = 16 + (seed >> 24);
    }
}

static void make_blocks(ox_allocator allocator) {
    for (int k = 0; k < BLOCKS; k++) {
        blocks[k] = ox_memory_alloc(allocator, sizes[k], 16);
        *(char *)blocks[k] = 1;
    }
}

// Blocks are freed in the order they were made: no allocator can take them back at once.
static void cycle_blocks(ox_allocator allocator) {
    make_blocks(allocator);
    for (int k = 0; k < BLOCKS; k++) {
        ox_memory_free(allocator, blocks[k], sizes[k], 16);
    }
}

static void step_temp(void) {
    make_blocks(OX_TEMP);
    ox_frame_end();
}

static void step_temp_job(void) {
    cycle_blocks(OX_TEMP_JOB);
}

static void step_persistent(void) {
    cycle_blocks(OX_PERSISTENT);
}

static void limit_bump(void) {
    size_t top = 0;
    for (int k = 0; k < BLOCKS; k++) {
        blocks[k] = arena + top;
        *(char *)blocks[k] = 1;
        top += (sizes[k] + 15) & ~(size_t)15;
    }
    for (int k = 0; k < BLOCKS; k++) {
        bench_keep(blocks[k]);
    }
}

static void peer_malloc(void) {
    for (int k = 0; k < BLOCKS; k++) {
        blocks[k] = malloc(sizes[k]);
        *(char *)blocks[k] = 1;
    }
    for (int k = 0; k < BLOCKS; k++) {
        free(blocks[k]);
    }
}

void bench_memory(void) {
    bench_row row = {"memory.temp", BLOCKS,   setup_sizes, step_temp,
                     limit_bump,    "malloc", peer_malloc, ox_memory_trim};
    bench_add(&row);
    row.name = "memory.temp_job";
    row.step = step_temp_job;
    bench_add(&row);
    row.name = "memory.persistent";
    row.step = step_persistent;
    bench_add(&row);
}
