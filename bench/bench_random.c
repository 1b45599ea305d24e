// SPDX-License-Identifier: MIT
//
// Random numbers: a stream of them, and a few for each entity in a frame.
//
// The limits are bare loops of the same rounds over plain arrays, which keep nothing of a block for
// later: a stream takes all four words at once, and an entity takes two of its one block.

#include "bench.h"

#include "oxbow/random.h"

enum { COUNT = 4096 };

static uint32_t numbers[COUNT];
static float heights[COUNT], widths[COUNT];

// Ten rounds for block `block` of a stream.
static void mix_bare(uint32_t words[4], uint64_t block, uint64_t stream) {
    uint32_t key0 = 42, key1 = 0;
    uint32_t a = (uint32_t)block, b = (uint32_t)(block >> 32);
    uint32_t c = (uint32_t)stream, d = (uint32_t)(stream >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t first = (uint64_t)0xd2511f53u * a, second = (uint64_t)0xcd9e8d57u * c;
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

static void stream_ours(void) {
    ox_random random = ox_random_create(42, 0);
    for (int k = 0; k < COUNT; k++) {
        numbers[k] = ox_random_next(&random);
    }
    bench_keep(numbers);
}

static void stream_limit(void) {
    for (uint32_t k = 0; k < COUNT / 4; k++) {
        mix_bare(&numbers[4 * k], k, 0);
    }
    bench_keep(numbers);
}

static void entities_ours(void) {
    for (uint32_t k = 0; k < COUNT; k++) {
        ox_random random = ox_random_of(42, (ox_entity){k, 1}, 7);
        heights[k] = ox_random_float(&random);
        widths[k] = ox_random_float_range(&random, -2, 3);
    }
    bench_keep(heights);
    bench_keep(widths);
}

static void entities_limit(void) {
    for (uint32_t k = 0; k < COUNT; k++) {
        uint32_t words[4];
        mix_bare(words, (uint64_t)1 << 61 | (uint64_t)7 << 22, (uint64_t)1 << 32 | k);
        heights[k] = (float)(words[0] >> 8) * (1.0f / 16777216.0f);
        widths[k] = (float)(words[1] >> 8) * (5.0f / 16777216.0f) - 2.0f;
    }
    bench_keep(heights);
    bench_keep(widths);
}

void bench_random(void) {
    bench_add(&(bench_row){
        .name = "types.random", .n = COUNT, .step = stream_ours, .limit = stream_limit});
    bench_add(&(bench_row){.name = "types.random_of_entity",
                           .n = COUNT,
                           .step = entities_ours,
                           .limit = entities_limit});
}
