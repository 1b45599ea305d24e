// SPDX-License-Identifier: MIT
//
// The algorithms under sorting: they know bytes, a size and an order, and nothing of containers.
//
// Numbers in their natural order are sorted as keys: unsigned numbers of the same size whose order
// is that of the numbers. Keys are made in place and turned back afterwards, bit by bit the same.
//
// Nothing here leaves its bounds or runs on for ever, whatever a comparison answers: the result is
// always a permutation of the elements.

#pragma once

#include "containers/element.h"
#include "oxbow/list.h"

#include <string.h>

/// How elements are ordered, and their size.
typedef struct oxi_order {
    ox_compare_fn *compare; ///< NULL: the elements are keys, of 1, 2, 4 or 8 bytes
    void *context;
    size_t size;
} oxi_order;

// The inner loops are written once, and compiled for each common size: the size is a constant
// after inlining.

OXI_FORCE_INLINE uint64_t oxi_key_load(const void *key, size_t size) {
    if (size == 1) {
        return *(const unsigned char *)key;
    }
    if (size == 2) {
        uint16_t half;
        memcpy(&half, key, 2);
        return half;
    }
    if (size == 4) {
        uint32_t word;
        memcpy(&word, key, 4);
        return word;
    }
    uint64_t value;
    memcpy(&value, key, 8);
    return value;
}

/// A part of an element, and the last part: the two may overlap, and together they are all of it.
OXI_FORCE_INLINE void oxi_copy_ends(void *to, const void *from, size_t part, size_t size) {
    char head[32], tail[32];
    memcpy(head, from, part);
    memcpy(tail, (const char *)from + size - part, part);
    memcpy(to, head, part);
    memcpy((char *)to + size - part, tail, part);
}

OXI_FORCE_INLINE void oxi_swap_ends(void *a, void *b, size_t part, size_t size) {
    char head_a[32], tail_a[32], head_b[32], tail_b[32];
    memcpy(head_a, a, part);
    memcpy(tail_a, (char *)a + size - part, part);
    memcpy(head_b, b, part);
    memcpy(tail_b, (char *)b + size - part, part);
    memcpy(a, head_b, part);
    memcpy((char *)a + size - part, tail_b, part);
    memcpy(b, head_a, part);
    memcpy((char *)b + size - part, tail_a, part);
}

/// Copies one element. Small ones take no call, also when their size is no constant.
OXI_FORCE_INLINE void oxi_element_copy(void *to, const void *from, size_t size) {
    if (size > 64) {
        memcpy(to, from, size);
    } else if (size >= 32) {
        oxi_copy_ends(to, from, 32, size);
    } else if (size >= 16) {
        oxi_copy_ends(to, from, 16, size);
    } else if (size >= 8) {
        oxi_copy_ends(to, from, 8, size);
    } else if (size >= 4) {
        oxi_copy_ends(to, from, 4, size);
    } else if (size > 1) {
        oxi_copy_ends(to, from, 2, size);
    } else {
        memcpy(to, from, 1);
    }
}

/// Swaps two elements, which may be the same one.
OXI_FORCE_INLINE void oxi_element_swap(char *a, char *b, size_t size) {
    for (; size > 64; size -= 32, a += 32, b += 32) {
        oxi_swap_ends(a, b, 16, 32);
    }
    if (size >= 32) {
        oxi_swap_ends(a, b, 32, size);
    } else if (size >= 16) {
        oxi_swap_ends(a, b, 16, size);
    } else if (size >= 8) {
        oxi_swap_ends(a, b, 8, size);
    } else if (size >= 4) {
        oxi_swap_ends(a, b, 4, size);
    } else if (size > 1) {
        oxi_swap_ends(a, b, 2, size);
    } else {
        char held = *a;
        *a = *b;
        *b = held;
    }
}

OXI_FORCE_INLINE bool oxi_order_less(oxi_order order, const void *a, const void *b) {
    if (order.compare == NULL) {
        return oxi_key_load(a, order.size) < oxi_key_load(b, order.size);
    }
    return order.compare(a, b, order.context) < 0;
}

/// An alignment that fits every type of this size: the alignment of a type divides its size.
static inline size_t oxi_align_for(size_t size) {
    size_t align = size & (0 - size);
    return align < OX_MAX_ALIGNMENT ? align : OX_MAX_ALIGNMENT;
}

/// The order for the elements of a call. A natural order that is not one of keys gets a comparison.
/// @return false when there is no natural order.
bool oxi_order_make(oxi_order *order, ox_element element, ox_compare_fn *compare, void *context);

/// Turns numbers of this kind into keys, and back.
void oxi_keys_make(void *numbers, size_t count, ox_element element);
void oxi_keys_undo(void *keys, size_t count, ox_element element);

/// Sorts keys. `spare` has room for as many, or is NULL: then it takes longer.
void oxi_keys_sort(void *keys, size_t count, size_t size, void *spare);

/// True when sorting so many keys is faster with spare memory.
bool oxi_keys_want_spare(size_t count, size_t size);

/// Sorts in place; equal elements may change places. At most about 4 n log2 n comparisons.
void oxi_sort_quick(void *data, size_t count, const oxi_order *order);

/// Sorts by insertion; equal elements keep their order. For few.
void oxi_sort_insert(void *data, size_t count, const oxi_order *order);

/// Sorts; equal elements keep their order. `spare` has room for count / 2 elements.
void oxi_sort_merge(void *data, size_t count, void *spare, const oxi_order *order);

/// Two sorted ranges; of equal elements, those of `left` come first.
typedef struct oxi_merge_pair {
    const char *left;
    size_t left_count;
    const char *right;
    size_t right_count;
} oxi_merge_pair;

/// Merges to `out`, which may end with the right range itself.
void oxi_merge(oxi_merge_pair pair, void *out, const oxi_order *order);

/// How many of the first `taken` merged elements come from the left range.
size_t oxi_merge_split(const oxi_merge_pair *pair, size_t taken, const oxi_order *order);
