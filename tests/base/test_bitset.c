// SPDX-License-Identifier: MIT
//
// Bitsets, against arrays of bool.

#include "test.h"

#include "base/bitset.h"
#include "base/counted_memory.h"
#include "base/heap.h"
#include "base/random.h"
#include "base/substitute.h"

TEST(bitset, words_are_counted_up) {
    EXPECT_EQ(oxi_words_for(0), 0);
    EXPECT_EQ(oxi_words_for(1), 1);
    EXPECT_EQ(oxi_words_for(64), 1);
    EXPECT_EQ(oxi_words_for(65), 2);
    EXPECT_EQ(oxi_words_for(SIZE_MAX), SIZE_MAX / 64 + 1);
}

TEST(bitset, bits_are_set_cleared_and_tested) {
    uint64_t words[3];
    oxi_bitset set = oxi_bitset_over(words, 130);

    oxi_bitset_set(&set, 0);
    oxi_bitset_set(&set, 63);
    oxi_bitset_set(&set, 64);
    oxi_bitset_set(&set, 129);
    oxi_bitset_clear(&set, 63);

    EXPECT(oxi_bitset_test(&set, 0));
    EXPECT(!oxi_bitset_test(&set, 63));
    EXPECT(oxi_bitset_test(&set, 64));
    EXPECT(oxi_bitset_test(&set, 129));
    EXPECT_EQ(oxi_bitset_count(&set), 3);
    EXPECT_EQ(words[2], 2);
}

TEST(bitset, a_set_of_none_has_nothing_to_find) {
    oxi_bitset set = {0};

    EXPECT_EQ(oxi_bitset_find_set(&set, 0), 0);
    EXPECT_EQ(oxi_bitset_find_clear(&set, 0), 0);
    EXPECT_EQ(oxi_bitset_count(&set), 0);
    oxi_bitset_set_range(&set, 0, 0);
    oxi_bitset_clear_all(&set);
    oxi_bitset_free(&set);
}

TEST(bitset, searching_past_the_end_finds_nothing) {
    uint64_t words[2];
    oxi_bitset set = oxi_bitset_over(words, 70);
    oxi_bitset_set(&set, 69);

    EXPECT_EQ(oxi_bitset_find_set(&set, 69), 69);
    EXPECT_EQ(oxi_bitset_find_set(&set, 70), 70);
    EXPECT_EQ(oxi_bitset_find_set(&set, SIZE_MAX), 70);
    EXPECT_EQ(oxi_bitset_find_clear(&set, 69), 70);
}

TEST(bitset, bits_past_the_end_of_an_array_do_not_matter) {
    const uint64_t ones[2] = {0, UINT64_MAX << 6}, zeros[2] = {UINT64_MAX, 0x3f};

    EXPECT_EQ(oxi_words_find_set(ones, 70, 0), 70);
    EXPECT_EQ(oxi_words_find_clear(zeros, 70, 0), 70);
    EXPECT_EQ(oxi_words_count(ones, 70), 0);
    EXPECT_EQ(oxi_words_count(zeros, 70), 70);
}

TEST(bitset, a_loop_over_set_bits_meets_each_once) {
    uint64_t words[4];
    oxi_bitset set = oxi_bitset_over(words, 256);
    for (size_t k = 0; k < 256; k += 5) {
        oxi_bitset_set(&set, k);
    }

    size_t expected = 0;
    for (size_t k = oxi_bitset_find_set(&set, 0); k < set.bit_count;
         k = oxi_bitset_find_set(&set, k + 1)) {
        EXPECT_EQ(k, expected);
        expected += 5;
    }
    EXPECT_EQ(expected, 260);
}

static bool range_agrees(const uint64_t *words, size_t first, size_t count, bool inside) {
    for (size_t k = 0; k < 256; k++) {
        bool is_inside = k >= first && k - first < count;
        if (oxi_words_test(words, k) != (is_inside ? inside : !inside)) {
            return false;
        }
    }
    return true;
}

TEST(bitset, every_range_of_four_words_is_written_exactly) {
    for (size_t first = 0; first <= 256; first++) {
        for (size_t count = 0; count <= 256 - first; count++) {
            uint64_t zeros[4] = {0}, ones[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
            oxi_words_set_range(zeros, first, count);
            oxi_words_clear_range(ones, first, count);
            EXPECT(range_agrees(zeros, first, count, true));
            EXPECT(range_agrees(ones, first, count, false));
        }
    }
}

TEST(bitset, arrays_of_words_are_combined) {
    uint64_t both[2] = {0xff, 0xf0}, either[2] = {0xff, 0xf0}, without[2] = {0xff, 0xf0};
    const uint64_t other[2] = {0x0f, 0x0f};

    oxi_words_and(both, other, 2);
    oxi_words_or(either, other, 2);
    oxi_words_and_not(without, other, 2);

    EXPECT(both[0] == 0x0f && both[1] == 0);
    EXPECT(either[0] == 0xff && either[1] == 0xff);
    EXPECT(without[0] == 0xf0 && without[1] == 0xf0);
}

TEST(bitset, arrays_of_words_are_compared) {
    const uint64_t whole[2] = {6, 1}, part[2] = {2, 1}, other[2] = {9, 0};

    EXPECT(oxi_words_contain(whole, part, 2));
    EXPECT(!oxi_words_contain(part, whole, 2));
    EXPECT(oxi_words_contain(other, whole, 0));
    EXPECT(oxi_words_intersect(whole, part, 2));
    EXPECT(!oxi_words_intersect(whole, other, 2));
    EXPECT(!oxi_words_intersect(whole, part, 0));
}

TEST(bitset, growing_keeps_set_bits_and_adds_clear_ones) {
    uint64_t blocks = oxi_heap_get_blocks();
    oxi_bitset set = {0};
    for (size_t k = 0; k < 2000; k++) {
        EXPECT(oxi_bitset_grow(&set, k + 1));
        EXPECT(!oxi_bitset_test(&set, k));
        if (k % 3 == 0) {
            oxi_bitset_set(&set, k);
        }
    }

    EXPECT_EQ(oxi_bitset_count(&set), 667);
    EXPECT(oxi_bitset_grow(&set, 10));
    EXPECT_EQ(set.bit_count, 2000);
    oxi_bitset_free(&set);
    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
}

TEST(bitset, a_set_in_words_of_the_caller_leaves_them_when_it_grows) {
    uint64_t words[1];
    oxi_bitset set = oxi_bitset_over(words, 10);
    oxi_bitset_set(&set, 9);

    EXPECT(oxi_bitset_grow(&set, 64));
    EXPECT_EQ(set.words, words);
    EXPECT(oxi_bitset_grow(&set, 65));
    EXPECT_NE(set.words, words);
    oxi_bitset_set(&set, 64);

    EXPECT(oxi_bitset_test(&set, 9));
    EXPECT_EQ(words[0], 512);
    oxi_bitset_free(&set);
}

TEST(bitset, of_an_allocator_takes_all_its_memory_from_there) {
    counted_memory memory = {0};
    oxi_hooks heap = {counted_alloc, counted_free, &memory, "counted"};
    uint64_t blocks = oxi_heap_get_blocks();
    oxi_bitset set = {0};
    for (size_t bits = 1; bits < 5000; bits = bits * 3 + 1) {
        EXPECT(oxi_bitset_grow_in(&heap, &set, bits));
    }
    EXPECT_EQ(memory.live, 1);
    memory.refuse_from = memory.refuse_to = memory.asked + 1;
    EXPECT(!oxi_bitset_grow_in(&heap, &set, 100000));
    oxi_bitset_free_in(&heap, &set);

    EXPECT_EQ(memory.live, 0);
    EXPECT_EQ(memory.wrong, 0);
    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
}

TEST(bitset, out_of_memory_leaves_it_as_it_was) {
    oxi_bitset set = {0};
    EXPECT(oxi_bitset_grow(&set, 64));
    oxi_bitset_set(&set, 63);

    oxi_fault_plan(OXI_FAULT_FROM, 0);
    EXPECT(!oxi_bitset_grow(&set, 100000));
    EXPECT(!oxi_bitset_grow(&set, SIZE_MAX));
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT_EQ(set.bit_count, 64);
    EXPECT(oxi_bitset_test(&set, 63));
    oxi_bitset_free(&set);
}

enum { MODEL_BITS = 500 };

static void change_both(oxi_bitset *set, bool *model, oxi_random *random) {
    size_t first = oxi_random_below(random, MODEL_BITS);
    size_t count = oxi_random_below(random, MODEL_BITS - first + 1);
    bool value = oxi_random_bool(random);
    if (oxi_random_below(random, 4) == 0) {
        (value ? oxi_bitset_set_range : oxi_bitset_clear_range)(set, first, count);
        memset(model + first, value, count);
        return;
    }
    (value ? oxi_bitset_set : oxi_bitset_clear)(set, first);
    model[first] = value;
}

static size_t find_in_model(const bool *model, size_t from, bool value) {
    while (from < MODEL_BITS && model[from] != value) {
        from++;
    }
    return from;
}

TEST(bitset, random_changes_agree_with_an_array_of_bool) {
    oxi_random random = oxi_random_seed(test_seed(41));
    for (uint64_t run = 0; run < test_scaled(100); run++) {
        bool model[MODEL_BITS] = {0};
        oxi_bitset set = {0};
        EXPECT(oxi_bitset_grow(&set, MODEL_BITS));
        for (int step = 0; step < 200; step++) {
            change_both(&set, model, &random);
            size_t from = oxi_random_below(&random, MODEL_BITS);
            EXPECT_EQ(oxi_bitset_find_set(&set, from), find_in_model(model, from, true));
            EXPECT_EQ(oxi_bitset_find_clear(&set, from), find_in_model(model, from, false));
        }
        size_t count = 0;
        for (size_t k = 0; k < MODEL_BITS; k++) {
            EXPECT_EQ(oxi_bitset_test(&set, k), model[k]);
            count += model[k];
        }
        EXPECT_EQ(oxi_bitset_count(&set), count);
        oxi_bitset_free(&set);
    }
}

static void grow_bitset(void) {
    oxi_bitset set = {0};
    for (size_t bits = 1; bits < 5000; bits = bits * 3 + 1) {
        size_t before = set.bit_count;
        bool has_grown = oxi_bitset_grow(&set, bits);
        EXPECT_EQ(set.bit_count, has_grown ? bits : before);
    }
    oxi_bitset_free(&set);
}

TEST(bitset, every_allocation_may_fail) {
    test_fault_sweep("bitset", grow_bitset);
}

#if OX_SAFETY >= 2
TEST_CHILD(set_bit_out_of_range) {
    uint64_t words[1];
    oxi_bitset set = oxi_bitset_over(words, 10);
    oxi_bitset_set(&set, 10);
}

TEST(bitset, a_bit_out_of_range_is_a_bug_that_asserts) {
    EXPECT_DIES(set_bit_out_of_range, "index < set->bit_count");
}
#endif
