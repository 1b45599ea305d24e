// SPDX-License-Identifier: MIT
//
// Sorting numbers in natural order: every kind, extreme values, with and without memory.

#include "sort_test.h"

#include "base/substitute.h"
#include "containers/order.h"

#include <float.h>
#include <limits.h>
#include <math.h>

enum { MOST_NUMBERS = 3000 };

// Fills bytes at random, in a few ways: all bits, few values, small values.
static void fill_numbers(unsigned char *bytes, int count, size_t size, oxi_random *random) {
    uint64_t way = oxi_random_below(random, 3);
    for (int k = 0; k < count; k++) {
        uint64_t bits = oxi_random_next_u64(random);
        bits = way == 1 ? bits % 5 * UINT64_C(0x1111111111111111) : way == 2 ? bits % 1000 : bits;
        memcpy(bytes + (size_t)k * size, &bits, size);
    }
}

// The order that the header promises, written out.
static int compare_floating(double x, double y) {
    if (isnan(x) || isnan(y)) {
        return (isnan(x) != 0) - (isnan(y) != 0);
    }
    if (x == 0 && y == 0) {
        return (signbit(y) != 0) - (signbit(x) != 0);
    }
    return (x > y) - (x < y);
}

#define COMPARE_AS(name, T)                                                                        \
    static int name(const void *a, const void *b, void *context) {                                 \
        (void)context;                                                                             \
        return (*(const T *)a > *(const T *)b) - (*(const T *)a < *(const T *)b);                  \
    }
COMPARE_AS(compare_i8, int8_t)
COMPARE_AS(compare_i16, int16_t)
COMPARE_AS(compare_i32, int32_t)
COMPARE_AS(compare_i64, int64_t)
COMPARE_AS(compare_u8, uint8_t)
COMPARE_AS(compare_u16, uint16_t)
COMPARE_AS(compare_u32, uint32_t)
COMPARE_AS(compare_u64, uint64_t)

static int compare_f32(const void *a, const void *b, void *context) {
    (void)context;
    return compare_floating((double)*(const float *)a, (double)*(const float *)b);
}

static int compare_f64(const void *a, const void *b, void *context) {
    (void)context;
    return compare_floating(*(const double *)a, *(const double *)b);
}

typedef struct number_kind {
    const char *name;
    ox_element element;
    ox_compare_fn *compare;
} number_kind;

static const number_kind number_kinds[] = {
    {"int8", ox_element_of(int8_t), compare_i8},
    {"int16", ox_element_of(int16_t), compare_i16},
    {"int32", ox_element_of(int32_t), compare_i32},
    {"int64", ox_element_of(int64_t), compare_i64},
    {"uint8", ox_element_of(uint8_t), compare_u8},
    {"uint16", ox_element_of(uint16_t), compare_u16},
    {"uint32", ox_element_of(uint32_t), compare_u32},
    {"uint64", ox_element_of(uint64_t), compare_u64},
    {"float", ox_element_of(float), compare_f32},
    {"double", ox_element_of(double), compare_f64},
};

static _Alignas(16) unsigned char numbers[MOST_NUMBERS * 8], expected[MOST_NUMBERS * 8],
    copy[MOST_NUMBERS * 8];

static void check_kind(const number_kind *kind, int count, oxi_random *random) {
    size_t size = kind->element & OXI_ELEMENT_SIZE_MASK, bytes = (size_t)count * size;
    fill_numbers(numbers, count, size, random);
    memcpy(expected, numbers, bytes);
    memcpy(copy, numbers, bytes);
    EXPECT(ox_sort_stable_at(expected, count, kind->element, kind->compare, NULL, OX_HERE));

    EXPECT(ox_sort_at(numbers, count, kind->element, NULL, NULL, OX_HERE));
    oxi_fault_plan(OXI_FAULT_FROM, 0);
    EXPECT(ox_sort_stable_at(copy, count, kind->element, NULL, NULL, OX_HERE));
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT(memcmp(numbers, copy, bytes) == 0);
    for (int k = 0; k < count; k++) {
        EXPECT_EQ(kind->compare(numbers + (size_t)k * size, expected + (size_t)k * size, NULL), 0);
    }
    EXPECT(is_permutation(numbers, expected, count, size));
}

TEST(sort_numbers, every_kind_agrees_with_a_comparison) {
    oxi_random random = oxi_random_seed(test_seed(81));
    for (uint64_t run = 0; run < test_scaled(100); run++) {
        const number_kind *kind = &number_kinds[run % (sizeof number_kinds / sizeof *number_kinds)];
        check_kind(kind, (int)oxi_random_below(&random, run % 4 == 0 ? MOST_NUMBERS : 400),
                   &random);
    }
}

TEST(sort_numbers, floating_numbers_have_one_order) {
    float unsorted[] = {1,         NAN,  -0.0f,         INFINITY, 0,  -FLT_MAX, FLT_TRUE_MIN,
                        -INFINITY, -NAN, -FLT_TRUE_MIN, FLT_MAX,  -1, 0,        -0.0f};

    EXPECT(ox_sort(unsorted, 14, float, NULL, NULL));

    static const float sorted[] = {-INFINITY, -FLT_MAX,     -1, -FLT_TRUE_MIN, -0.0f,   -0.0f, 0,
                                   0,         FLT_TRUE_MIN, 1,  FLT_MAX,       INFINITY};
    EXPECT(memcmp(unsorted, sorted, sizeof sorted) == 0);
    EXPECT(isnan(unsorted[12]) && isnan(unsorted[13]));
}

TEST(sort_numbers, doubles_have_the_same_order) {
    double unsorted[] = {0, NAN, DBL_MAX, -0.0, -INFINITY, 5e-324, INFINITY, -NAN, -DBL_MAX};

    EXPECT(ox_sort(unsorted, 9, double, NULL, NULL));

    static const double sorted[] = {-INFINITY, -DBL_MAX, -0.0, 0, 5e-324, DBL_MAX, INFINITY};
    EXPECT(memcmp(unsorted, sorted, sizeof sorted) == 0);
    EXPECT(isnan(unsorted[7]) && isnan(unsorted[8]));
}

TEST(sort_numbers, long_doubles_have_it_too) {
    long double unsorted[] = {1, NAN, -0.0L, 0, -INFINITY, LDBL_MAX, -LDBL_MAX};

    EXPECT(ox_sort_stable(unsorted, 7, long double, NULL, NULL));

    EXPECT(unsorted[0] == -INFINITY && unsorted[1] == -LDBL_MAX);
    EXPECT(signbit(unsorted[2]) != 0 && unsorted[2] == 0);
    EXPECT(signbit(unsorted[3]) == 0 && unsorted[3] == 0);
    EXPECT(unsorted[4] == 1 && unsorted[5] == LDBL_MAX && isnan(unsorted[6]));
}

TEST(sort_numbers, whole_numbers_reach_their_ends) {
    int64_t large[] = {INT64_MAX, 0, INT64_MIN, -1, 1};
    int8_t small[] = {127, -128, 0, -1};
    bool truths[] = {true, false, true, false};

    EXPECT(ox_sort(large, 5, int64_t, NULL, NULL));
    EXPECT(ox_sort(small, 4, int8_t, NULL, NULL));
    EXPECT(ox_sort(truths, 4, bool, NULL, NULL));

    EXPECT(large[0] == INT64_MIN && large[1] == -1 && large[3] == 1 && large[4] == INT64_MAX);
    EXPECT(small[0] == -128 && small[1] == -1 && small[2] == 0 && small[3] == 127);
    EXPECT(!truths[0] && !truths[1] && truths[2] && truths[3]);
}

TEST(sort_numbers, every_bit_pattern_turns_back_from_its_key) {
    static uint32_t patterns[1 << 16], kept[1 << 16];
    for (uint32_t k = 0; k < 1 << 16; k++) {
        patterns[k] = kept[k] = k << 16 | (k * 40503u & 0xffff);
    }

    oxi_keys_make(patterns, 1 << 16, ox_element_of(float));
    oxi_keys_undo(patterns, 1 << 16, ox_element_of(float));

    EXPECT(memcmp(patterns, kept, sizeof kept) == 0);
}

TEST(sort_numbers, keys_are_made_of_those_that_are_counted_alone) {
    const ox_element kinds[] = {ox_element_of(int8_t),  ox_element_of(int16_t),
                                ox_element_of(int32_t), ox_element_of(int64_t),
                                ox_element_of(float),   ox_element_of(double)};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        uint64_t words[3] = {1, 2, 3}, kept[3] = {1, 2, 3};

        oxi_keys_make(words, 2, kinds[k]);
        oxi_keys_undo(words, 2, kinds[k]);

        EXPECT(memcmp(words, kept, sizeof kept) == 0);
    }
}

static uint64_t load_key(const unsigned char *keys, int index, size_t size) {
    uint64_t key = 0;
    memcpy(&key, keys + (size_t)index * size, size);
    return key;
}

// Keys move between two places once for each byte in which they differ: they have to come back from
// an odd number of moves, too.
TEST(sort_numbers, keys_may_differ_in_any_number_of_bytes) {
    static unsigned char keys[MOST_NUMBERS * 8], spare[sizeof keys];
    oxi_random random = oxi_random_seed(test_seed(11));
    for (size_t size = 2; size <= 8; size *= 2) {
        for (size_t bytes = 1; bytes <= size; bytes++) {
            uint64_t sum = 0;
            for (int k = 0; k < MOST_NUMBERS; k++) {
                uint64_t key = oxi_random_next_u64(&random) >> (64 - 8 * bytes);
                memcpy(keys + (size_t)k * size, &key, size);
                sum += key;
            }

            oxi_keys_sort(keys, MOST_NUMBERS, size, spare);

            for (int k = 0; k < MOST_NUMBERS; k++) {
                sum -= load_key(keys, k, size);
                EXPECT(k == 0 || load_key(keys, k - 1, size) <= load_key(keys, k, size));
            }
            EXPECT_EQ(sum, 0);
        }
    }
}
