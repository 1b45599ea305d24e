// SPDX-License-Identifier: MIT
//
// Arrays, lists, queues, bits and sums, each beside the same over plain memory. Maps and sorting
// have files of their own.

#include "bench.h"

#include "oxbow/containers.h"

#include <stdlib.h>
#include <string.h>

enum { LOOP = 4096, PUSHES = 10000, RING = 1024, BITS = 64 * 1024, SUMMANDS = 16 * 1024 };

OX_ARRAY(Floats, float);
OX_LIST(Numbers, uint64_t);
OX_QUEUE(Ring, uint64_t);

static Floats hp_array, armor_array, summand_array;
static float hp_plain[LOOP], armor_plain[LOOP], summands_plain[SUMMANDS];
static double sum_kept;
static uint64_t count_kept;

static void create_arrays(void) {
    hp_array = ox_array_create(Floats, LOOP, OX_PERSISTENT);
    armor_array = ox_array_create(Floats, LOOP, OX_PERSISTENT);
    for (int k = 0; k < LOOP; k++) {
        hp_plain[k] = 100;
        armor_plain[k] = (float)(k % 7 + 1);
    }
    memcpy(ox_array_edit_data(hp_array), hp_plain, sizeof hp_plain);
    memcpy(ox_array_edit_data(armor_array), armor_plain, sizeof armor_plain);
}

static void dispose_arrays(void) {
    ox_dispose(&hp_array);
    ox_dispose(&armor_array);
}

static void array_step(void) {
    float *hp = ox_array_edit_data(hp_array);
    const float *armor = ox_array_get_data(armor_array);
    for (int k = 0; k < LOOP; k++) {
        hp[k] = hp[k] * 0.5f + armor[k];
    }
    bench_keep(hp);
}

static void array_limit(void) {
    float *hp = hp_plain;
    const float *armor = armor_plain;
    bench_keep(&hp);
    bench_keep(&armor);
    for (int k = 0; k < LOOP; k++) {
        hp[k] = hp[k] * 0.5f + armor[k];
    }
    bench_keep(hp);
}

// One element at a time, each by its own call: at OX_SAFETY 0 that is the same loop.
static void get_step(void) {
    for (int k = 0; k < LOOP; k++) {
        *ox_array_edit(hp_array, k) =
            ox_array_read(hp_array, k) * 0.5f + ox_array_read(armor_array, k);
    }
    bench_keep(hp_array.untyped.data);
}

static Numbers pushed_list;

// A growable array as a plain program has it.
static struct {
    uint64_t *items;
    int count, capacity;
} pushed_plain;

static void create_lists(void) {
    pushed_list = ox_list_create(Numbers, 16, OX_PERSISTENT);
}

static void dispose_lists(void) {
    ox_dispose(&pushed_list);
    free(pushed_plain.items);
    memset(&pushed_plain, 0, sizeof pushed_plain);
}

static void push_step(void) {
    ox_list_clear(pushed_list);
    for (uint64_t k = 0; k < PUSHES; k++) {
        ox_list_push(pushed_list, k);
        bench_keep(pushed_list.untyped.state);
    }
}

static void push_plainly(uint64_t value) {
    if (pushed_plain.count == pushed_plain.capacity) {
        int capacity = pushed_plain.capacity * 2 + 16;
        uint64_t *items = realloc(pushed_plain.items, (size_t)capacity * sizeof *items);
        if (items == NULL) {
            return;
        }
        pushed_plain.items = items;
        pushed_plain.capacity = capacity;
    }
    pushed_plain.items[pushed_plain.count++] = value;
}

static void push_limit(void) {
    pushed_plain.count = 0;
    for (uint64_t k = 0; k < PUSHES; k++) {
        push_plainly(k);
        bench_keep(&pushed_plain);
    }
}

static Ring ring_queue;
static uint64_t ring_items[RING];

static void create_queue(void) {
    ring_queue = ox_queue_create(Ring, RING, OX_PERSISTENT);
}

static void dispose_queue(void) {
    ox_dispose(&ring_queue);
}

static void queue_step(void) {
    uint64_t sum = 0, value = 0;
    for (uint64_t k = 0; k < RING; k++) {
        ox_queue_push(ring_queue, k);
    }
    while (ox_queue_try_pop(ring_queue, &value)) {
        sum += value;
    }
    count_kept = sum;
    bench_keep(&count_kept);
}

// A ring as programs have one: an object in memory, not three variables of one loop.
typedef struct bare_ring {
    uint64_t *items;
    uint32_t head, tail, mask;
} bare_ring;

static void queue_limit(void) {
    static bare_ring ring = {ring_items, 0, 0, RING - 1};
    uint64_t sum = 0;
    for (uint64_t k = 0; k < RING && ring.tail - ring.head <= ring.mask; k++) {
        ring.items[ring.tail++ & ring.mask] = k;
        bench_keep(&ring);
    }
    while (ring.head != ring.tail) {
        sum += ring.items[ring.head++ & ring.mask];
        bench_keep(&ring);
    }
    count_kept = sum;
    bench_keep(&count_kept);
}

static ox_bits set_bits;
static uint64_t bit_words[BITS / 64];

static void create_bits(void) {
    set_bits = ox_bits_create(BITS, OX_PERSISTENT);
    for (int k = 0; k < BITS; k += 5) {
        ox_bits_set(set_bits, k, true);
        bit_words[k / 64] |= UINT64_C(1) << k % 64;
    }
}

static void dispose_bits(void) {
    ox_dispose(&set_bits);
}

static void bits_step(void) {
    uint64_t sum = 0;
    for (int k = 0; k < BITS; k++) {
        sum += ox_bits_is_set(set_bits, k);
    }
    count_kept = sum;
    bench_keep(&count_kept);
}

static void bits_limit(void) {
    uint64_t sum = 0;
    for (int k = 0; k < BITS; k++) {
        sum += bit_words[k / 64] >> k % 64 & 1;
    }
    count_kept = sum;
    bench_keep(&count_kept);
}

static void create_summands(void) {
    for (int k = 0; k < SUMMANDS; k++) {
        summands_plain[k] = (float)(k % 1000) * 0.25f;
    }
    summand_array = ox_array_create_copy(Floats, summands_plain, SUMMANDS, OX_PERSISTENT);
}

static void dispose_summands(void) {
    ox_dispose(&summand_array);
}

static void sum_step(void) {
    sum_kept = ox_array_sum(summand_array);
    bench_keep(&sum_kept);
}

// Eight sums side by side, for the compiler to vectorise.
static void sum_limit(void) {
    double lanes[8] = {0};
    for (int k = 0; k < SUMMANDS; k += 8) {
        for (int lane = 0; lane < 8; lane++) {
            lanes[lane] += (double)summands_plain[k + lane];
        }
    }
    sum_kept =
        lanes[0] + lanes[1] + lanes[2] + lanes[3] + lanes[4] + lanes[5] + lanes[6] + lanes[7];
    bench_keep(&sum_kept);
}

static void sum_one_by_one(void) {
    double sum = 0;
    for (int k = 0; k < SUMMANDS; k++) {
        sum += (double)summands_plain[k];
    }
    sum_kept = sum;
    bench_keep(&sum_kept);
}

void bench_containers(void) {
    bench_add(&(bench_row){"containers.array_loop", LOOP, create_arrays, array_step, array_limit,
                           NULL, NULL, dispose_arrays});
    bench_add(&(bench_row){"containers.array_get", LOOP, create_arrays, get_step, array_limit, NULL,
                           NULL, dispose_arrays});
    bench_add(&(bench_row){"containers.list_push", PUSHES, create_lists, push_step, push_limit,
                           NULL, NULL, dispose_lists});
    bench_add(&(bench_row){"containers.queue", RING, create_queue, queue_step, queue_limit, NULL,
                           NULL, dispose_queue});
    bench_add(&(bench_row){"containers.bits", BITS, create_bits, bits_step, bits_limit, NULL, NULL,
                           dispose_bits});
    bench_add(&(bench_row){"containers.reduce_sum", SUMMANDS, create_summands, sum_step, sum_limit,
                           "plain_loop", sum_one_by_one, dispose_summands});
}
