// SPDX-License-Identifier: MIT
//
// Numbers as keys, and sorting keys digit by digit.
//
// Signed numbers become keys by flipping their sign bit. Floating numbers are ordered by sign and
// size: -infinity is key 0, then come the negative ones, -0, 0, the positive ones, infinity, and
// behind them all that is not a number. Every bit pattern has a key of its own, so keys turn back
// into exactly what they were, and equal keys cannot be told apart: any sort of them is stable.
//
// Keys are dealt by their lowest byte, then by the next. All digits are counted in one walk
// beforehand; a digit that is the same in all keys is left out.

#include "containers/order.h"

enum { DIGITS = 256, RADIX_LEAST = 256 };
enum { KIND_SIGNED = 1, KIND_UNSIGNED, KIND_FLOATING, KIND_BOOL };

// Numbers are read as the keys that stand in their place.
typedef uint8_t __attribute__((may_alias)) key8;
typedef uint16_t __attribute__((may_alias)) key16;
typedef uint32_t __attribute__((may_alias)) key32;
typedef uint64_t __attribute__((may_alias)) key64;

#define SIGN32 (UINT32_C(1) << 31)
#define SIGN64 (UINT64_C(1) << 63)

// What -infinity is once all its bits are flipped. With this subtracted it is 0, and what is before
// it, which are no numbers, come out last.
static const uint32_t first_float = UINT32_C(0x007FFFFF);
static const uint64_t first_double = UINT64_C(0x000FFFFFFFFFFFFF);

static void flip_signs(void *data, size_t count, size_t size) {
    for (size_t k = 0; size == 8 && k < count; k++) {
        ((key64 *)data)[k] ^= SIGN64;
    }
    for (size_t k = 0; size == 4 && k < count; k++) {
        ((key32 *)data)[k] ^= SIGN32;
    }
    for (size_t k = 0; size == 2 && k < count; k++) {
        ((key16 *)data)[k] ^= 0x8000;
    }
    for (size_t k = 0; size == 1 && k < count; k++) {
        ((key8 *)data)[k] ^= 0x80;
    }
}

// Negative numbers have all bits flipped, others their sign.
static void floats_to_keys(key32 *bits, size_t count) {
    for (size_t k = 0; k < count; k++) {
        bits[k] = (bits[k] ^ ((0 - (bits[k] >> 31)) | SIGN32)) - first_float;
    }
}

static void keys_to_floats(key32 *keys, size_t count) {
    for (size_t k = 0; k < count; k++) {
        uint32_t flipped = keys[k] + first_float;
        keys[k] = flipped ^ (((flipped >> 31) - 1) | SIGN32);
    }
}

static void doubles_to_keys(key64 *bits, size_t count) {
    for (size_t k = 0; k < count; k++) {
        bits[k] = (bits[k] ^ ((0 - (bits[k] >> 63)) | SIGN64)) - first_double;
    }
}

static void keys_to_doubles(key64 *keys, size_t count) {
    for (size_t k = 0; k < count; k++) {
        uint64_t flipped = keys[k] + first_double;
        keys[k] = flipped ^ (((flipped >> 63) - 1) | SIGN64);
    }
}

void oxi_keys_make(void *numbers, size_t count, ox_element element) {
    size_t size = oxi_element_size(element);
    if (element >> 27 == KIND_SIGNED) {
        flip_signs(numbers, count, size);
    } else if (element >> 27 == KIND_FLOATING && size == 4) {
        floats_to_keys(numbers, count);
    } else if (element >> 27 == KIND_FLOATING) {
        doubles_to_keys(numbers, count);
    }
}

void oxi_keys_undo(void *keys, size_t count, ox_element element) {
    size_t size = oxi_element_size(element);
    if (element >> 27 == KIND_SIGNED) {
        flip_signs(keys, count, size);
    } else if (element >> 27 == KIND_FLOATING && size == 4) {
        keys_to_floats(keys, count);
    } else if (element >> 27 == KIND_FLOATING) {
        keys_to_doubles(keys, count);
    }
}

// Numbers that are too long to be keys, in the same order as the shorter ones.
static int compare_long_doubles(const void *a, const void *b, void *context) {
    (void)context;
    long double x = *(const long double *)a, y = *(const long double *)b;
    int is_no_number = (x != x) - (y != y);
    if (is_no_number != 0 || x != x) {
        return is_no_number;
    }
    if (x == 0 && y == 0) {
        return (__builtin_signbit(y) != 0) - (__builtin_signbit(x) != 0);
    }
    return (x > y) - (x < y);
}

bool oxi_order_make(oxi_order *order, ox_element element, ox_compare_fn *compare, void *context) {
    size_t size = oxi_element_size(element);
    uint32_t kind = element >> 27;
    *order = (oxi_order){compare, context, size};
    if (compare != NULL) {
        return true;
    }
    if (kind == KIND_FLOATING && size != 4 && size != 8) {
        order->compare = compare_long_doubles;
        return size == sizeof(long double);
    }
    return kind >= KIND_SIGNED && kind <= KIND_BOOL &&
           (size == 1 || size == 2 || size == 4 || size == 8);
}

// Bytes need no room: they are written anew from their counts.
static void sort_bytes(unsigned char *keys, size_t count) {
    size_t counts[DIGITS] = {0};
    for (size_t k = 0; k < count; k++) {
        counts[keys[k]]++;
    }
    for (int digit = 0; digit < DIGITS; digit++) {
        memset(keys, digit, counts[digit]);
        keys += counts[digit];
    }
}

typedef uint32_t digit_counts[8][DIGITS];

OXI_FORCE_INLINE void count_digits(const char *keys, size_t count, size_t size,
                                   digit_counts counts) {
    for (size_t k = 0; k < count; k++) {
        uint64_t key = oxi_key_load(keys + k * size, size);
        for (size_t digit = 0; digit < size; digit++) {
            counts[digit][(key >> digit * 8) & 0xff]++;
        }
    }
}

OXI_FORCE_INLINE void deal_keys(const char *from, char *to, size_t count, size_t size, size_t digit,
                                uint32_t *counts) {
    uint32_t next = 0;
    for (int k = 0; k < DIGITS; k++) {
        uint32_t here = counts[k];
        counts[k] = next;
        next += here;
    }
    for (size_t k = 0; k < count; k++) {
        uint64_t key = oxi_key_load(from + k * size, size);
        size_t place = counts[(key >> digit * 8) & 0xff]++;
        memcpy(to + place * size, from + k * size, size);
    }
}

// Not when all keys have one digit there: then nothing moves.
static bool is_digit_needed(const char *keys, size_t count, size_t size, size_t digit,
                            const uint32_t *counts) {
    uint64_t first = oxi_key_load(keys, size);
    return counts[(first >> digit * 8) & 0xff] != count;
}

OXI_FORCE_INLINE void radix_sort(char *keys, size_t count, char *spare, size_t size) {
    digit_counts counts = {{0}};
    char *from = keys, *to = spare;
    count_digits(keys, count, size, counts);
    for (size_t digit = 0; digit < size; digit++) {
        if (is_digit_needed(from, count, size, digit, counts[digit])) {
            deal_keys(from, to, count, size, digit, counts[digit]);
            char *dealt = to;
            to = from;
            from = dealt;
        }
    }
    if (from != keys) {
        memcpy(keys, from, count * size);
    }
}

static bool are_keys_sorted(const char *keys, size_t count, size_t size) {
    for (size_t k = 1; k < count; k++) {
        if (oxi_key_load(keys + k * size, size) < oxi_key_load(keys + (k - 1) * size, size)) {
            return false;
        }
    }
    return true;
}

bool oxi_keys_want_spare(size_t count, size_t size) {
    return size > 1 && count >= RADIX_LEAST && count <= UINT32_MAX;
}

void oxi_keys_sort(void *keys, size_t count, size_t size, void *spare) {
    if (size == 1) {
        sort_bytes(keys, count);
    } else if (spare == NULL || !oxi_keys_want_spare(count, size)) {
        oxi_sort_quick(keys, count, &(oxi_order){NULL, NULL, size});
    } else if (are_keys_sorted(keys, count, size)) {
        return;
    } else if (size == 2) {
        radix_sort(keys, count, spare, 2);
    } else if (size == 4) {
        radix_sort(keys, count, spare, 4);
    } else {
        radix_sort(keys, count, spare, 8);
    }
}
