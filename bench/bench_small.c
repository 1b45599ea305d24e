// SPDX-License-Identifier: MIT
//
// The small things every room stands on: hashing bytes, walking the set bits of a bitset, pushing
// into a list.

#include "bench.h"

#include "base/bitset.h"
#include "base/hash.h"
#include "base/list.h"

#include <string.h>

enum { BYTES = 64 * 1024, BITS = 64 * 1024, ITEMS = 10000 };

static unsigned char bytes[BYTES];
static uint64_t bit_words[BITS / 64];
static uint64_t result;
static OXI_LIST(uint64_t) list;
static uint64_t plain_items[ITEMS];

static void fill_small(void) {
    for (int k = 0; k < BYTES; k++) {
        bytes[k] = (unsigned char)(k * 7);
    }
    for (int k = 0; k < BITS; k += 5) {
        oxi_words_set(bit_words, (size_t)k);
    }
}

static void hash_step(void) {
    result = oxi_hash_bytes(bytes, BYTES, 1);
    bench_keep(&result);
}

// Reading every word once is the least that a hash can do.
static void hash_limit(void) {
    uint64_t sum = 0;
    for (int k = 0; k < BYTES; k += 8) {
        uint64_t word;
        memcpy(&word, bytes + k, 8);
        sum += word;
    }
    result = sum;
    bench_keep(&result);
}

static void bits_step(void) {
    uint64_t sum = 0;
    for (size_t k = oxi_words_find_set(bit_words, BITS, 0); k < BITS;
         k = oxi_words_find_set(bit_words, BITS, k + 1)) {
        sum += k;
    }
    result = sum;
    bench_keep(&result);
}

static void bits_limit(void) {
    uint64_t sum = 0;
    for (size_t w = 0; w < BITS / 64; w++) {
        for (uint64_t word = bit_words[w]; word != 0; word &= word - 1) {
            sum += w * 64 + (size_t)__builtin_ctzll(word);
        }
    }
    result = sum;
    bench_keep(&result);
}

static void list_step(void) {
    oxi_list_clear(&list);
    for (uint64_t k = 0; k < ITEMS; k++) {
        if (!oxi_list_push(&list, k)) {
            return;
        }
    }
    bench_keep(list.items);
}

static void list_limit(void) {
    for (uint64_t k = 0; k < ITEMS; k++) {
        plain_items[k] = k;
        bench_keep(plain_items + k);
    }
}

static void free_list(void) {
    oxi_list_free(&list);
}

void bench_small(void) {
    bench_add(
        &(bench_row){"hash.bytes", BYTES, fill_small, hash_step, hash_limit, NULL, NULL, NULL});
    bench_add(
        &(bench_row){"bits.find", BITS / 5, fill_small, bits_step, bits_limit, NULL, NULL, NULL});
    bench_add(&(bench_row){"list.push", ITEMS, NULL, list_step, list_limit, NULL, NULL, free_list});
}
