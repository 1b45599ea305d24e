// SPDX-License-Identifier: MIT
//
// What the tests of sorting share: elements of any size that carry a key and where they stood, and
// a naive sort to hold the others against.

#pragma once

#include "test.h"

#include "base/random.h"
#include "oxbow/list.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SIZE = 200 };

/// Elements of `size` bytes: the first ones are the key, the others follow from their place.
typedef struct sort_case {
    unsigned char *data;
    unsigned char *expected; ///< the same, sorted by insertion: stable
    int count;
    size_t size;
} sort_case;

/// The comparison looks at one byte, or at two of larger elements. The context counts the calls.
typedef struct byte_order {
    size_t key_size;
    uint64_t calls;
} byte_order;

OXI_UNUSED static int compare_first_bytes(const void *a, const void *b, void *context) {
    byte_order *order = context;
    __atomic_fetch_add(&order->calls, 1, __ATOMIC_RELAXED);
    return memcmp(a, b, order->key_size);
}

OXI_UNUSED static byte_order order_for(size_t size) {
    return (byte_order){.key_size = size < 3 ? 1 : 2};
}

typedef enum pattern {
    RANDOM,
    SORTED,
    FALLING,
    EQUAL,
    ORGAN_PIPE,
    FEW,
    SAWTOOTH,
    PATTERNS
} pattern;

OXI_UNUSED static uint32_t key_of_pattern(pattern shape, int k, int count, oxi_random *random) {
    switch (shape) {
    case SORTED:
        return (uint32_t)k;
    case FALLING:
        return (uint32_t)(count - k);
    case EQUAL:
        return 7;
    case ORGAN_PIPE:
        return (uint32_t)(k < count / 2 ? k : count - k);
    case FEW:
        return (uint32_t)oxi_random_below(random, 4);
    case SAWTOOTH:
        return (uint32_t)(k % 17);
    default:
        return (uint32_t)oxi_random_next_u64(random);
    }
}

// Big-endian, so that memcmp is the order of the numbers.
OXI_UNUSED static void write_key(unsigned char *element, size_t key_size, uint32_t key) {
    for (size_t k = 0; k < key_size; k++) {
        element[k] = (unsigned char)(key >> (key_size - 1 - k) * 8);
    }
}

OXI_UNUSED static void insert_naively(unsigned char *data, int count, size_t size,
                                      ox_compare_fn *compare, void *context) {
    unsigned char held[MOST_SIZE];
    for (int k = 1; k < count; k++) {
        int to = k;
        memcpy(held, data + (size_t)k * size, size);
        while (to > 0 && compare(held, data + (size_t)(to - 1) * size, context) < 0) {
            memcpy(data + (size_t)to * size, data + (size_t)(to - 1) * size, size);
            to--;
        }
        memcpy(data + (size_t)to * size, held, size);
    }
}

OXI_UNUSED static sort_case make_sort_case(int count, size_t size, pattern shape,
                                           oxi_random *random) {
    size_t bytes = (size_t)count * size + 1;
    sort_case made = {malloc(bytes), malloc(bytes), count, size};
    byte_order order = order_for(size);
    for (int k = 0; k < count; k++) {
        unsigned char *element = made.data + (size_t)k * size;
        write_key(element, order.key_size, key_of_pattern(shape, k, count, random));
        for (size_t byte = order.key_size; byte < size; byte++) {
            element[byte] = (unsigned char)(k >> byte % 3 * 8);
        }
    }
    memcpy(made.expected, made.data, bytes - 1);
    insert_naively(made.expected, count, size, compare_first_bytes, &order);
    return made;
}

OXI_UNUSED static void free_sort_case(sort_case *made) {
    free(made->data);
    free(made->expected);
    *made = (sort_case){0};
}

OXI_UNUSED static size_t compared_size;

OXI_UNUSED static int compare_whole(const void *a, const void *b) {
    return memcmp(a, b, compared_size);
}

// The same elements, in whatever order. Sorts both.
OXI_UNUSED static bool is_permutation(void *a, void *b, int count, size_t size) {
    compared_size = size;
    qsort(a, (size_t)count, size, compare_whole);
    qsort(b, (size_t)count, size, compare_whole);
    return memcmp(a, b, (size_t)count * size) == 0;
}
