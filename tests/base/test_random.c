// SPDX-License-Identifier: MIT
//
// Random numbers: their values, which must never change, their ranges, and that they are even.

#include "test.h"

#include "base/random.h"

#include <string.h>

TEST(random, numbers_are_those_of_the_published_generator) {
    static const uint64_t expected[] = {
        11520u, 0u, 1509978240u, 1215971899390074240u, 1216172134540287360u, 607988272756665600u,
    };
    oxi_random random = {{1, 2, 3, 4}};

    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++) {
        EXPECT_EQ(oxi_random_next_u64(&random), expected[k]);
    }
}

TEST(random, seeds_have_the_numbers_they_always_had) {
    static const uint64_t seed_0[] = {0x99ec5f36cb75f2b4u, 0xbf6e1f784956452au, 0x1a5f849d4933e6e0u,
                                      0x6aa594f1262d2d2cu};
    static const uint64_t seed_12345[] = {0xbe6a36374160d49bu, 0x214aaa0637a688c6u,
                                          0xf69d16de9954d388u, 0x0c60048c4e96e033u};
    oxi_random first = oxi_random_seed(0), second = oxi_random_seed(12345);

    for (size_t k = 0; k < 4; k++) {
        EXPECT_EQ(oxi_random_next_u64(&first), seed_0[k]);
        EXPECT_EQ(oxi_random_next_u64(&second), seed_12345[k]);
    }
}

TEST(random, every_kind_of_draw_has_the_values_it_always_had) {
    static const uint64_t below[] = {700, 278, 839, 981, 990};
    static const int64_t range[] = {38, -44, -40, -10, -35};
    oxi_random random = oxi_random_seed(7);

    for (size_t k = 0; k < 5; k++) {
        EXPECT_EQ(oxi_random_below(&random, 1000), below[k]);
    }
    for (size_t k = 0; k < 5; k++) {
        EXPECT_EQ(oxi_random_range(&random, -50, 50), range[k]);
    }
    EXPECT_EQ(oxi_random_float01(&random), 0x1.152e22p-1f);
    EXPECT_EQ(oxi_random_float01(&random), 0x1.76b61ep-1f);
    EXPECT_EQ(oxi_random_float01(&random), 0x1.e0c018p-1f);
    EXPECT_EQ(oxi_random_double01(&random), 0x1.c2fedefd1598fp-1);
    EXPECT_EQ(oxi_random_double01(&random), 0x1.ce40f4150367p-2);
    EXPECT_EQ(oxi_random_double01(&random), 0x1.1f2b8c2203096p-1);
    for (const char *bit = "00000110"; *bit != 0; bit++) {
        EXPECT_EQ(oxi_random_bool(&random), *bit == '1');
    }
}

TEST(random, a_copy_has_the_same_future) {
    oxi_random random = oxi_random_seed(test_seed(21));
    oxi_random_next_u64(&random);
    oxi_random copy = random;

    for (int k = 0; k < 100; k++) {
        EXPECT_EQ(oxi_random_next_u64(&random), oxi_random_next_u64(&copy));
    }
}

TEST(random, below_stays_below_its_limit) {
    static const uint64_t limits[] = {
        1, 2, 3, 7, 64, 1000, UINT32_MAX, (uint64_t)1 << 63, ((uint64_t)1 << 63) + 1, UINT64_MAX};
    oxi_random random = oxi_random_seed(test_seed(22));
    for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
        for (uint64_t run = 0; run < test_scaled(1000); run++) {
            EXPECT(oxi_random_below(&random, limits[k]) < limits[k]);
        }
    }
}

TEST(random, range_reaches_both_of_its_ends) {
    oxi_random random = oxi_random_seed(test_seed(23));
    bool seen[5] = {0};
    for (int run = 0; run < 1000; run++) {
        int64_t value = oxi_random_range(&random, -2, 2);
        EXPECT(value >= -2 && value <= 2);
        seen[value + 2] = true;
    }
    for (size_t k = 0; k < 5; k++) {
        EXPECT(seen[k]);
    }
}

TEST(random, range_may_be_a_single_number_or_all_of_them) {
    oxi_random random = oxi_random_seed(test_seed(24));
    bool has_negative = false, has_positive = false;
    for (int run = 0; run < 100; run++) {
        int64_t value = oxi_random_range(&random, INT64_MIN, INT64_MAX);
        has_negative |= value < 0;
        has_positive |= value > 0;
    }

    EXPECT_EQ(oxi_random_range(&random, -5, -5), -5);
    EXPECT_EQ(oxi_random_range(&random, INT64_MIN, INT64_MIN), INT64_MIN);
    EXPECT(has_negative && has_positive);
}

// The sum of squared distances from the even share has a mean of buckets - 1 and a deviation of
// about sqrt(2 * buckets); eight deviations are too many for chance.
TEST(random, draws_below_a_limit_are_even) {
    enum { BUCKETS = 96, SHARE = 2000 };
    uint64_t counts[BUCKETS] = {0};
    oxi_random random = oxi_random_seed(test_seed(25));
    for (int run = 0; run < BUCKETS * SHARE; run++) {
        counts[oxi_random_below(&random, BUCKETS)]++;
    }

    double sum = 0;
    for (size_t k = 0; k < BUCKETS; k++) {
        double distance = (double)counts[k] - SHARE;
        sum += distance * distance / SHARE;
    }
    EXPECT(sum > 25 && sum < 210);
}

// With a limit of 3/4 of the range, plain `next % limit` would draw the first third twice as often.
TEST(random, draws_below_a_great_limit_have_no_bias) {
    const uint64_t limit = (uint64_t)3 << 62, third = (uint64_t)1 << 62;
    uint64_t first = 0;
    oxi_random random = oxi_random_seed(test_seed(26));
    for (int run = 0; run < 30000; run++) {
        first += oxi_random_below(&random, limit) < third;
    }
    EXPECT(first > 9400 && first < 10600);
}

TEST(random, fractions_are_at_least_0_and_below_1) {
    oxi_random random = oxi_random_seed(test_seed(27));
    double sum_of_floats = 0, sum_of_doubles = 0;
    const int runs = 100000;
    for (int run = 0; run < runs; run++) {
        float f = oxi_random_float01(&random);
        double d = oxi_random_double01(&random);
        EXPECT(f >= 0 && f < 1);
        EXPECT(d >= 0 && d < 1);
        sum_of_floats += (double)f;
        sum_of_doubles += d;
    }
    EXPECT(sum_of_floats > 0.49 * runs && sum_of_floats < 0.51 * runs);
    EXPECT(sum_of_doubles > 0.49 * runs && sum_of_doubles < 0.51 * runs);
}

TEST(random, a_coin_is_fair) {
    oxi_random random = oxi_random_seed(test_seed(28));
    int heads = 0;
    for (int run = 0; run < 100000; run++) {
        heads += oxi_random_bool(&random);
    }
    EXPECT(heads > 49000 && heads < 51000);
}

TEST(random, near_seeds_give_unrelated_numbers) {
    int equal_bits = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        oxi_random a = oxi_random_seed(seed), b = oxi_random_seed(seed + 1);
        uint64_t same = ~(oxi_random_next_u64(&a) ^ oxi_random_next_u64(&b));
        for (; same != 0; same &= same - 1) {
            equal_bits++;
        }
    }
    EXPECT(equal_bits > 31000 && equal_bits < 33000);
}
