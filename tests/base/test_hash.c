// SPDX-License-Identifier: MIT
//
// Hashes: their values, which must never change, and how well they spread.

#include "test.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/random.h"

#include <stdlib.h>

typedef struct golden_hash {
    size_t size;
    uint64_t seed_0;
    uint64_t seed_other;
} golden_hash;

// Of the bytes 3, 10, 17, ... with the seeds 0 and 0x123456789abcdef0. Sizes at both sides of each
// limit in the code.
static const golden_hash golden_hashes[] = {
    {0, 0x1abc73dde4af2ad5u, 0x61a4acb1c7bd015cu},
    {1, 0x08d7b5eecf88e2c9u, 0x9dc385382d6ce271u},
    {2, 0xc4c0da48560885d1u, 0x50ba239e314f3dd9u},
    {3, 0x2a3bd4c53a208379u, 0x216551dd65af3197u},
    {4, 0x3e37cc1e76bd5750u, 0xf2bec321ffde5cd1u},
    {7, 0x38fbd75c31482606u, 0x02558dfe23ab0668u},
    {8, 0x43e47432fd83ecb5u, 0x8f77208b6704be2au},
    {9, 0x6dd5f8c3ec8a6508u, 0xd417fe441f04fb25u},
    {15, 0xd660ce2bf7bd92bbu, 0x3dd77f7a3e4d745du},
    {16, 0x1f6ad071051f7933u, 0x49f204ba3f8aa6d3u},
    {17, 0xa75b14143924078fu, 0xfc2aa4229450b965u},
    {24, 0x85367af9133aac33u, 0x1d28f6e6b6fd05eau},
    {31, 0x21e838180aff25e7u, 0x2de23e1d0cd0c644u},
    {32, 0x8eb79e81beb36dffu, 0x48ae3e03ad5d55f1u},
    {33, 0x775ff5fed4845906u, 0xfc65d20f5b8e094fu},
    {48, 0xe49b182f3edcdcddu, 0xd9b622387efc82ecu},
    {63, 0x3eaa8903d87650c9u, 0xf65ef98246c7154eu},
    {64, 0x3da6ca85aa3a123eu, 0x9f0b581f79d24ad6u},
    {65, 0x5f9ab4d707e835c9u, 0x8e88fb4a2a5ab17au},
    {80, 0x07a0163ce051863fu, 0x54cfe95fab263670u},
    {81, 0x1d5fa248f1faefd2u, 0xb7122b0abdeeed76u},
    {127, 0x7696231f0b299099u, 0xb2c1206307a3b575u},
    {128, 0x03553a68ca450e14u, 0x08501cbd59fa247eu},
    {129, 0x492997abd28d7e0bu, 0x432a0fcfa3f8b884u},
    {192, 0xc2c7ae286c4af813u, 0x9de37c47c66a0c62u},
    {193, 0xedb054011f45777eu, 0x3f8fa70971ca3e63u},
    {255, 0xf3c88ad924538d6du, 0xbfd2cfc72af533a6u},
    {256, 0x2591d4bb9fabbd71u, 0xc285bc61cb576bc9u},
    {300, 0xe651991f7bb8026du, 0x65069af6d63df68fu},
};

TEST(hash, bytes_have_the_values_they_always_had) {
    uint8_t bytes[300];
    for (size_t k = 0; k < sizeof bytes; k++) {
        bytes[k] = (uint8_t)(k * 7 + 3);
    }

    for (size_t k = 0; k < sizeof golden_hashes / sizeof golden_hashes[0]; k++) {
        const golden_hash *golden = &golden_hashes[k];
        EXPECT_EQ(oxi_hash_bytes(bytes, golden->size, 0), golden->seed_0);
        EXPECT_EQ(oxi_hash_bytes(bytes, golden->size, 0x123456789abcdef0u), golden->seed_other);
    }
}

TEST(hash, texts_and_numbers_have_the_values_they_always_had) {
    EXPECT_EQ(oxi_hash_text("oxbow"), 0xe03ffbe5bc9ab2edu);
    EXPECT_EQ(oxi_hash_text(""), 0x1abc73dde4af2ad5u);
    EXPECT_EQ(oxi_hash_mix(0), 0);
    EXPECT_EQ(oxi_hash_mix(1), 0x4179b061e0c0e0d0u);
    EXPECT_EQ(oxi_hash_mix(UINT64_MAX), 0x448e29ced4103459u);
    EXPECT_EQ(oxi_hash_combine(0, 0), 0x4e17cf67001b3979u);
    EXPECT_EQ(oxi_hash_combine(1, 2), 0x0e023e38db614435u);
    EXPECT_EQ(oxi_hash_combine(2, 1), 0x4ede32578d3c80ddu);
}

TEST(hash, nothing_may_be_hashed_from_a_null_pointer) {
    EXPECT_EQ(oxi_hash_bytes(NULL, 0, 0), oxi_hash_text(""));
}

TEST(hash, the_place_of_the_bytes_does_not_matter) {
    uint8_t bytes[300 + 16];
    oxi_random random = oxi_random_seed(test_seed(11));
    for (size_t size = 0; size <= 300; size++) {
        uint8_t original[300];
        for (size_t k = 0; k < size; k++) {
            original[k] = (uint8_t)oxi_random_next_u64(&random);
        }
        size_t shift = oxi_random_below(&random, 16);
        memcpy(bytes + shift, original, size);

        EXPECT_EQ(oxi_hash_bytes(bytes + shift, size, size), oxi_hash_bytes(original, size, size));
    }
}

// Every byte of a key takes part: a changed bit changes about half of the bits of the hash.
static void expect_avalanche(oxi_random *random, size_t size, size_t bit) {
    uint64_t changed = 0;
    const uint64_t runs = 64;
    for (uint64_t run = 0; run < runs; run++) {
        uint64_t words[25];
        for (size_t k = 0; k < size / 8 + 1 && k < 25; k++) {
            words[k] = oxi_random_next_u64(random);
        }
        uint8_t *bytes = (uint8_t *)words;
        uint64_t before = oxi_hash_bytes(bytes, size, run);
        bytes[bit / 8] ^= (uint8_t)(1u << (bit % 8));
        changed += oxi_bits_count_ones(before ^ oxi_hash_bytes(bytes, size, run));
    }
    EXPECT(changed > runs * 28 && changed < runs * 36);
}

TEST(hash, each_bit_of_a_key_changes_half_of_the_hash) {
    oxi_random random = oxi_random_seed(test_seed(12));
    for (size_t size = 1; size <= 200; size += size < 34 ? 1 : 23) {
        for (size_t bit = 0; bit < size * 8; bit++) {
            expect_avalanche(&random, size, bit);
        }
    }
}

static int compare_hashes(const void *a, const void *b) {
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

static void expect_no_collision(uint64_t *hashes, size_t count) {
    qsort(hashes, count, sizeof *hashes, compare_hashes);
    for (size_t k = 1; k < count; k++) {
        EXPECT_NE(hashes[k - 1], hashes[k]);
    }
}

enum { HASHED_KEYS = 200000 };
static uint64_t hashes[HASHED_KEYS];

TEST(hash, keys_that_count_up_do_not_collide) {
    for (uint64_t k = 0; k < HASHED_KEYS; k++) {
        hashes[k] = oxi_hash_bytes(&k, sizeof k, 0);
    }
    expect_no_collision(hashes, HASHED_KEYS);
}

TEST(hash, keys_with_one_word_set_do_not_collide) {
    for (uint64_t k = 0; k < HASHED_KEYS; k++) {
        uint64_t key[20] = {0};
        key[k % 20] = k / 20 + 1;
        hashes[k] = oxi_hash_bytes(key, sizeof key, 0);
    }
    expect_no_collision(hashes, HASHED_KEYS);
}

TEST(hash, zeros_of_different_size_do_not_collide) {
    static const uint8_t zeros[4096];
    for (size_t k = 0; k < sizeof zeros; k++) {
        hashes[k] = oxi_hash_bytes(zeros, k, 0);
    }
    expect_no_collision(hashes, sizeof zeros);
}

TEST(hash, combined_pairs_of_small_numbers_do_not_collide) {
    for (uint64_t k = 0; k < HASHED_KEYS; k++) {
        hashes[k] = oxi_hash_combine(k % 400, k / 400);
    }
    expect_no_collision(hashes, HASHED_KEYS);
}

TEST(hash, the_lowest_and_the_highest_bits_fill_a_table_evenly) {
    enum { BUCKETS = 1024, PER_BUCKET = 100 };
    static uint32_t low[BUCKETS], high[BUCKETS];
    for (uint32_t k = 0; k < BUCKETS * PER_BUCKET; k++) {
        uint64_t hash = oxi_hash_bytes(&k, sizeof k, 0);
        low[hash % BUCKETS]++;
        high[hash >> 54]++;
    }
    for (size_t k = 0; k < BUCKETS; k++) {
        EXPECT(low[k] > PER_BUCKET / 2 && low[k] < PER_BUCKET * 3 / 2);
        EXPECT(high[k] > PER_BUCKET / 2 && high[k] < PER_BUCKET * 3 / 2);
    }
}

TEST(bits, words_are_read_lowest_byte_first) {
    const uint8_t bytes[9] = {0xff, 1, 2, 3, 4, 5, 6, 7, 8};

    EXPECT_EQ(oxi_bits_load_le32(bytes + 1), 0x04030201u);
    EXPECT_EQ(oxi_bits_load_le64(bytes + 1), 0x0807060504030201u);
    EXPECT_EQ(oxi_bits_swap32(0x04030201u), 0x01020304u);
    EXPECT_EQ(oxi_bits_swap64(0x0807060504030201u), 0x0102030405060708u);
}

TEST(bits, counts_agree_with_a_loop_over_the_bits) {
    oxi_random random = oxi_random_seed(test_seed(13));
    for (uint64_t run = 0; run < test_scaled(10000); run++) {
        uint64_t word = oxi_random_next_u64(&random) >> oxi_random_below(&random, 64) | 1;
        word <<= oxi_random_below(&random, 64);
        uint32_t ones = 0, lowest = 64, highest = 0;
        for (uint32_t k = 0; k < 64; k++) {
            bool is_set = (word >> k & 1) != 0;
            ones += is_set;
            lowest = is_set && lowest == 64 ? k : lowest;
            highest = is_set ? k : highest;
        }
        EXPECT_EQ(oxi_bits_count_ones(word), ones);
        if (word != 0) {
            EXPECT_EQ(oxi_bits_lowest(word), lowest);
            EXPECT_EQ(oxi_bits_highest(word), highest);
        }
    }
}

TEST(bits, both_wide_products_agree) {
    static const uint64_t edges[] = {0, 1, UINT32_MAX, (uint64_t)UINT32_MAX + 1, UINT64_MAX};
    oxi_random random = oxi_random_seed(test_seed(14));
    for (uint64_t run = 0; run < test_scaled(10000); run++) {
        uint64_t a = oxi_random_next_u64(&random), b = oxi_random_next_u64(&random);
        a = run % 3 == 0 ? edges[a % 5] : a;
        b = run % 5 == 0 ? edges[b % 5] : b;
        oxi_bits_product native = oxi_bits_multiply(a, b);
        oxi_bits_product portable = oxi_bits_multiply_portable(a, b);

        EXPECT_EQ(native.low, portable.low);
        EXPECT_EQ(native.high, portable.high);
        EXPECT_EQ(native.low, a * b);
    }
    EXPECT_EQ(oxi_bits_multiply_portable(UINT64_MAX, UINT64_MAX).high, UINT64_MAX - 1);
}

TEST(bits, rotation_by_zero_and_by_all_bits_changes_nothing) {
    EXPECT_EQ(oxi_bits_rotate_left(0x8000000000000001u, 0), 0x8000000000000001u);
    EXPECT_EQ(oxi_bits_rotate_left(0x8000000000000001u, 64), 0x8000000000000001u);
    EXPECT_EQ(oxi_bits_rotate_left(0x8000000000000001u, 1), 3);
}
