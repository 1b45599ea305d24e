// SPDX-License-Identifier: MIT
//
// Random numbers: the known answers of Philox, ranges and their edges, and the same bits
// everywhere. The fields of an ox_random are plain, so tests choose what is drawn next.

#include "types_test.h"

#include "oxbow/random.h"
#include "random_golden.h"
#include "types/value.h"

#include <float.h>
#include <math.h>
#include <string.h>

OX_COMPONENT(Gambler, {
    ox_random random;
    int coins;
});

// Draws these three numbers next.
static ox_random drawing(uint32_t first, uint32_t second, uint32_t third) {
    return (ox_random){.position = 1, .numbers = {0, first, second, third}};
}

static uint32_t first_of(ox_random random) {
    return ox_random_next(&random);
}

static float float_drawing(uint32_t draw, float low, float high) {
    ox_random random = drawing(draw, 0, 0);
    float value = ox_random_float_range(&random, low, high);
    EXPECT_EQ(random.position, 2);
    return value;
}

// The generator.

TEST(random, philox_has_the_known_answers) {
    static const struct {
        uint32_t counter[4];
        uint64_t key;
        uint32_t words[4];
    } known[] = {
        {{0, 0, 0, 0}, 0, {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}},
        {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
         UINT64_MAX,
         {0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}},
        {{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u},
         0x299f31d0a4093822u,
         {0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}},
    };
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        uint32_t words[4];
        oxi_philox(known[k].counter, known[k].key, words);
        EXPECT_EQ(memcmp(words, known[k].words, sizeof words), 0);
    }
}

// The value that the standard of C++ demands of std::philox4x32.
TEST(random, numbers_come_in_the_order_of_other_implementations) {
    ox_random random = ox_random_create(20111115, 0);
    for (int k = 1; k < 10000; k++) {
        ox_random_next(&random);
    }
    EXPECT_EQ(ox_random_next(&random), 1955073260u);
    EXPECT_EQ(random.position, 10000);
}

TEST(random, numbers_of_a_stream_are_golden) {
    static const uint32_t golden[] = {0xe73404cfu, 0x8cedc5d3u, 0x3f071736u, 0x0a0afdddu,
                                      0xb7b4c173u, 0xdb04b052u, 0x44541f91u, 0x0e0b3cf3u};
    ox_random random = ox_random_create(1, 2);
    for (int k = 0; k < 8; k++) {
        EXPECT_EQ(ox_random_next(&random), golden[k]);
    }
}

TEST(random, numbers_of_an_entity_are_golden) {
    static const uint32_t golden[] = {0x7c527746u, 0x581608f6u, 0x7e9c613bu, 0x84903039u,
                                      0x0ba73b93u, 0xe8999331u, 0x7b9f9bfeu, 0xc77e217cu};
    ox_random random = ox_random_of(1, (ox_entity){2, 3}, 4);
    for (int k = 0; k < 8; k++) {
        EXPECT_EQ(ox_random_next(&random), golden[k]);
    }
}

TEST(random, all_kinds_of_numbers_are_golden_however_they_are_compiled) {
    const uint64_t golden = 0x5a29f73a716ff8e9u;
    EXPECT_EQ(random_hash(), golden);
    EXPECT_EQ(random_hash_contracted(), golden);
    EXPECT_EQ(random_hash_cpp(), golden);
}

TEST(random, zeroed_one_is_the_first_stream_of_seed_0) {
    ox_random zeroed = {0}, created = ox_random_create(0, 0);
    EXPECT_EQ(memcmp(&zeroed, &created, sizeof zeroed), 0);
    EXPECT_EQ(ox_random_next(&zeroed), 0x6627e8d5u);
}

TEST(random, copy_repeats_what_follows) {
    ox_random random = ox_random_create(3, 4);
    ox_random_next(&random);
    ox_random copy = random;
    for (int k = 0; k < 10; k++) {
        EXPECT_EQ(ox_random_next(&copy), ox_random_next(&random));
    }
}

TEST(random, next64_is_two_numbers_with_the_first_below) {
    ox_random random = drawing(1, 2, 3);
    EXPECT_EQ(ox_random_next64(&random), (uint64_t)2 << 32 | 1);
    EXPECT_EQ(random.position, 3);
}

TEST(random, seeds_streams_entities_versions_and_frames_have_numbers_of_their_own) {
    const uint64_t high = (uint64_t)1 << 32;
    ox_random all[] = {ox_random_create(1, 1),
                       ox_random_create(2, 1),
                       ox_random_create(1 + high, 1),
                       ox_random_create(1, 2),
                       ox_random_create(1, 1 + high),
                       ox_random_of(1, (ox_entity){1, 1}, 0),
                       ox_random_of(2, (ox_entity){1, 1}, 0),
                       ox_random_of(1, (ox_entity){2, 1}, 0),
                       ox_random_of(1, (ox_entity){1, 2}, 0),
                       ox_random_of(1, (ox_entity){1, 1}, 1),
                       ox_random_of(1, (ox_entity){1, 1}, ((uint64_t)1 << 39) - 1),
                       ox_random_of(1, (ox_entity){1, 0}, 0)};
    const int count = (int)(sizeof all / sizeof all[0]);
    for (int k = 0; k < count; k++) {
        for (int m = 0; m < k; m++) {
            EXPECT_NE(first_of(all[k]), first_of(all[m]));
        }
    }
}

TEST(random, frame_has_2_to_24_numbers_and_then_those_of_the_next_follow) {
    const ox_entity entity = {5, 6};
    ox_random last = ox_random_of(1, entity, 7);
    last.position += (1 << 24) - 4;
    for (int k = 0; k < 4; k++) {
        ox_random_next(&last);
    }
    EXPECT_EQ(ox_random_next(&last), first_of(ox_random_of(1, entity, 8)));
}

TEST(random, frames_repeat_after_2_to_39) {
    const ox_entity entity = {5, 6};
    uint32_t first = first_of(ox_random_of(1, entity, 7));
    EXPECT_EQ(first_of(ox_random_of(1, entity, 7 + ((uint64_t)1 << 39))), first);
    EXPECT_NE(first_of(ox_random_of(1, entity, 7 + ((uint64_t)1 << 38))), first);
}

// Whole numbers.

TEST(random, int_is_in_its_range_and_golden) {
    static const int golden[] = {81, 10, -51, -93, 44, 71, -47, -89, 16, -29};
    ox_random random = ox_random_create(1, 2);
    for (int k = 0; k < 10; k++) {
        EXPECT_EQ(ox_random_int(&random, -100, 100), golden[k]);
    }
}

TEST(random, int_falls_as_often_on_each_side_of_a_die) {
    static const int golden[6] = {980, 999, 1077, 984, 991, 969};
    ox_random random = ox_random_create(7, 3);
    int counts[8] = {0};
    for (int k = 0; k < 6000; k++) {
        counts[ox_random_int(&random, 1, 6)]++;
    }
    EXPECT_EQ(memcmp(counts + 1, golden, sizeof golden), 0);
}

TEST(random, int_between_equal_ends_is_that_number_and_draws_once) {
    ox_random random = drawing(0, 5, UINT32_MAX);
    EXPECT_EQ(ox_random_int(&random, 7, 7), 7);
    EXPECT_EQ(ox_random_int(&random, INT32_MIN, INT32_MIN), INT32_MIN);
    EXPECT_EQ(ox_random_int(&random, INT32_MAX, INT32_MAX), INT32_MAX);
    EXPECT_EQ(random.position, 4);
}

TEST(random, int_over_the_full_range_is_the_number_drawn) {
    ox_random random = drawing(0, 0x80000000u, UINT32_MAX);
    EXPECT_EQ(ox_random_int(&random, INT32_MIN, INT32_MAX), INT32_MIN);
    EXPECT_EQ(ox_random_int(&random, INT32_MIN, INT32_MAX), 0);
    EXPECT_EQ(ox_random_int(&random, INT32_MIN, INT32_MAX), INT32_MAX);
    EXPECT_EQ(random.position, 4);
}

TEST(random, int_reaches_both_ends) {
    ox_random random = drawing(1, UINT32_MAX, 0x80000000u);
    EXPECT_EQ(ox_random_int(&random, -3, 3), -3);
    EXPECT_EQ(ox_random_int(&random, -3, 3), 3);
    EXPECT_EQ(ox_random_int(&random, -3, 3), 0);
}

// Of three numbers, the draw 0 is one too many: 2^32 is one more than a multiple of 3.
TEST(random, int_repeats_a_draw_that_would_favour_a_number) {
    ox_random random = drawing(0, 0x55555556u, 7);
    EXPECT_EQ(ox_random_int(&random, 0, 2), 1);
    EXPECT_EQ(random.position, 3);

    random = drawing(1, 2, 3);
    EXPECT_EQ(ox_random_int(&random, 0, 2), 0);
    EXPECT_EQ(random.position, 2);
}

TEST(random, int_of_a_power_of_two_repeats_no_draw) {
    ox_random random = drawing(0, 1, 2);
    EXPECT_EQ(ox_random_int(&random, 0, 3), 0);
    EXPECT_EQ(random.position, 2);
}

// Half of all draws are too many: this range takes the most draws of all.
TEST(random, int_of_the_worst_range_takes_two_draws_on_average) {
    ox_random random = ox_random_create(7, 3);
    int lower = 0;
    for (int k = 0; k < 1000; k++) {
        int number = ox_random_int(&random, INT32_MIN, 0);
        EXPECT(number <= 0);
        lower += number < -(1 << 30);
    }
    EXPECT_EQ(random.position, 1967);
    EXPECT_EQ(lower, 517);
}

TEST_CHECKED(random, int_of_an_empty_range_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_random random = drawing(5, 6, 7);

    EXPECT_EQ(ox_random_int(&random, 4, 3), 4);
    EXPECT_REPORT(&reports, OX_REPORT_EMPTY_RANGE);
    EXPECT_HAS(reports.text, "4 to 3 for ox_random_int");
    EXPECT_HAS(reports.site, "test_random.c");
    EXPECT_EQ(ox_random_int(&random, INT32_MAX, INT32_MIN), INT32_MAX);
    EXPECT_REPORT(&reports, OX_REPORT_EMPTY_RANGE);
    EXPECT_EQ(random.position, 3);
}

TEST(random, index_is_below_the_count) {
    ox_random random = drawing(UINT32_MAX, 1, UINT32_MAX);
    EXPECT_EQ(ox_random_index(&random, 10), 9);
    EXPECT_EQ(ox_random_index(&random, 10), 0);
    EXPECT_EQ(ox_random_index(&random, INT32_MAX), INT32_MAX - 1);

    random = drawing(UINT32_MAX, 0, 0);
    EXPECT_EQ(ox_random_index(&random, 1), 0);
    EXPECT_EQ(random.position, 2);
}

TEST_CHECKED(random, index_of_a_wrong_count_is_reported_and_0) {
    static const int64_t wrong[] = {0, -1, INT64_MIN, (int64_t)INT32_MAX + 1, INT64_MAX};
    collected_reports reports = {0};
    collect_reports(&reports);
    for (int k = 0; k < 5; k++) {
        ox_random random = drawing(UINT32_MAX, 0, 0);
        EXPECT_EQ(ox_random_index(&random, wrong[k]), 0);
        EXPECT_REPORT(&reports, OX_REPORT_BAD_COUNT);
        EXPECT_HAS(reports.text, "ox_random_index");
        EXPECT_EQ(random.position, 2);
    }
}

// In a release library, wrong ranges have the same results without a report.
#if OX_SAFETY == 0
TEST(random, wrong_ranges_give_their_low_end_without_checks) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_random random = drawing(UINT32_MAX, UINT32_MAX, UINT32_MAX);

    EXPECT_EQ(ox_random_int(&random, 4, -4), 4);
    EXPECT_EQ(ox_random_index(&random, 0), 0);
    EXPECT_EQ(ox_random_index(&random, -7), 0);
    EXPECT_EQ(random.position, 4);
    EXPECT_EQ(float_drawing(UINT32_MAX, 2, 1), 2);
    EXPECT_EQ(float_drawing(UINT32_MAX, 2, INFINITY), 2);
    EXPECT_EQ(float_drawing(0, 2, INFINITY), 2);
    EXPECT_EQ(float_drawing(0, -INFINITY, 2), -INFINITY);
    EXPECT_EQ(float_drawing(UINT32_MAX, -INFINITY, INFINITY), -INFINITY);
    EXPECT_EQ(float_drawing(UINT32_MAX, 2, NAN), 2);
    EXPECT(isnan(float_drawing(UINT32_MAX, NAN, 2)));
    EXPECT_EQ(reports.count, 0);
}
#endif

// Floats.

TEST(random, float_is_from_0_to_just_below_1) {
    ox_random random = drawing(0, UINT32_MAX, 0x100);
    EXPECT_EQ(ox_random_float(&random), 0.0f);
    EXPECT_EQ(ox_random_float(&random), 1.0f - 1.0f / 16777216.0f);
    EXPECT_EQ(ox_random_float(&random), 1.0f / 16777216.0f);
}

TEST(random, floats_fall_evenly) {
    static const int golden[10] = {963, 975, 1021, 999, 1065, 990, 1013, 978, 1030, 966};
    ox_random random = ox_random_create(7, 3);
    int counts[10] = {0};
    for (int k = 0; k < 10000; k++) {
        counts[(int)(ox_random_float(&random) * 10)]++;
    }
    EXPECT_EQ(memcmp(counts, golden, sizeof golden), 0);
}

TEST(random, float_range_from_0_to_1_is_the_same_as_float) {
    ox_random random = ox_random_create(1, 0), same = random;
    for (int k = 0; k < 1000; k++) {
        EXPECT_EQ(ox_random_float_range(&random, 0, 1), ox_random_float(&same));
    }
}

TEST(random, float_range_begins_at_low_and_never_reaches_high) {
    EXPECT_EQ(float_drawing(0, -2, 5), -2);
    EXPECT_EQ(float_drawing(0x80000000u, -2, 5), 1.5f);
    EXPECT(float_drawing(UINT32_MAX, -2, 5) < 5);
    EXPECT(float_drawing(UINT32_MAX, -2, 5) > 4.99999f);
    EXPECT_EQ(float_drawing(0, -FLT_MAX, FLT_MAX), -FLT_MAX);
    EXPECT_EQ(float_drawing(0x80000000u, -FLT_MAX, FLT_MAX), 0);
    EXPECT(float_drawing(UINT32_MAX, -FLT_MAX, FLT_MAX) < FLT_MAX);
    EXPECT(float_drawing(UINT32_MAX, -FLT_MAX, FLT_MAX) > 0.9999f * FLT_MAX);
}

// Between 1e8 and 1e8 + 16 there is one other float. The upper quarter would round to the end.
TEST(random, float_range_counts_what_rounds_up_to_high_as_low) {
    EXPECT_EQ(float_drawing(0x3fffff00u, 1e8f, 1e8f + 16), 1e8f);
    EXPECT_EQ(float_drawing(0x80000000u, 1e8f, 1e8f + 16), 1e8f + 8);
    EXPECT_EQ(float_drawing(0xc0000100u, 1e8f, 1e8f + 16), 1e8f);
    EXPECT_EQ(float_drawing(UINT32_MAX, 1, 1 + FLT_EPSILON), 1);
    EXPECT_EQ(float_drawing(UINT32_MAX, 0, FLT_TRUE_MIN), 0);
}

TEST(random, float_range_between_equal_ends_is_that_number) {
    EXPECT_EQ(float_drawing(UINT32_MAX, 3, 3), 3);
    EXPECT_EQ(float_drawing(UINT32_MAX, 0, 0), 0);
    EXPECT_EQ(float_drawing(UINT32_MAX, FLT_MAX, FLT_MAX), FLT_MAX);
}

TEST_CHECKED(random, float_range_that_is_empty_or_not_finite_is_reported) {
    static const float wrong[][2] = {{2, 1},        {0, -0.5f},     {2, INFINITY}, {-INFINITY, 2},
                                     {INFINITY, 1}, {2, -INFINITY}, {2, NAN}};
    collected_reports reports = {0};
    collect_reports(&reports);
    for (int k = 0; k < 7; k++) {
        EXPECT_EQ(float_drawing(UINT32_MAX, wrong[k][0], wrong[k][1]), wrong[k][0]);
        EXPECT_REPORT(&reports, OX_REPORT_EMPTY_RANGE);
    }
    EXPECT_HAS(reports.text, "2 to nan for ox_random_float_range");
    EXPECT(isnan(float_drawing(UINT32_MAX, NAN, 2)));
    EXPECT_REPORT(&reports, OX_REPORT_EMPTY_RANGE);
}

TEST(random, bool_is_true_with_its_chance) {
    ox_random random = ox_random_create(7, 3);
    int count = 0;
    for (int k = 0; k < 10000; k++) {
        count += ox_random_bool(&random, 0.25f);
    }
    EXPECT_EQ(count, 2469);
    EXPECT_EQ(random.position, 10000);
}

TEST(random, bool_is_never_true_from_0_down_and_always_from_1_up) {
    ox_random least = drawing(0, 0, 0), most = drawing(UINT32_MAX, UINT32_MAX, UINT32_MAX);
    EXPECT(!ox_random_bool(&least, 0));
    EXPECT(!ox_random_bool(&least, -1));
    EXPECT(!ox_random_bool(&least, NAN));
    EXPECT(ox_random_bool(&most, 1));
    EXPECT(ox_random_bool(&most, INFINITY));
    EXPECT(!ox_random_bool(&most, 0.9999999f));
}

// Directions.

TEST(random, directions_have_length_1) {
    ox_random random = ox_random_create(11, 0);
    for (int k = 0; k < 20000; k++) {
        EXPECT(fabsf(ox_float2_length(ox_random_direction2(&random)) - 1) < 2e-7f);
        EXPECT(fabsf(ox_float3_length(ox_random_direction3(&random)) - 1) < 2e-7f);
    }
}

TEST(random, directions_are_golden) {
    ox_random random = ox_random_create(1, 0);
    ox_float2 flat = ox_random_direction2(&random);
    ox_float3 round = ox_random_direction3(&random);
    EXPECT(ox_float2_equal(flat, ox_float2_make(0x1.810494p-2f, 0x1.da6e36p-1f)));
    EXPECT(ox_float3_equal(round, ox_float3_make(0x1.8faa2p-2f, 0x1.b2a742p-1f, -0x1.6ce5bep-2f)));
}

TEST(random, directions_of_the_plane_fall_evenly_in_eighths) {
    static const int golden[8] = {975, 1018, 991, 944, 1030, 1049, 1010, 983};
    ox_random random = ox_random_create(7, 3);
    int counts[8] = {0};
    for (int k = 0; k < 8000; k++) {
        ox_float2 v = ox_random_direction2(&random);
        counts[(v.x < 0) + 2 * (v.y < 0) + 4 * (fabsf(v.x) < fabsf(v.y))]++;
    }
    EXPECT_EQ(memcmp(counts, golden, sizeof golden), 0);
    EXPECT_EQ(random.position, 20300);
}

TEST(random, directions_of_space_fall_evenly_in_octants_and_heights) {
    static const int golden_octants[8] = {1013, 1031, 1015, 974, 992, 1036, 986, 953};
    static const int golden_heights[8] = {1032, 955, 960, 1020, 1017, 1039, 961, 1016};
    ox_random random = ox_random_create(7, 3);
    int octants[8] = {0}, heights[9] = {0};
    for (int k = 0; k < 8000; k++) {
        ox_float3 v = ox_random_direction3(&random);
        octants[(v.x < 0) + 2 * (v.y < 0) + 4 * (v.z < 0)]++;
        heights[(int)((v.z + 1) * 4)]++;
    }
    EXPECT_EQ(memcmp(octants, golden_octants, sizeof octants), 0);
    EXPECT_EQ(memcmp(heights, golden_heights, sizeof golden_heights), 0);
    EXPECT_EQ(random.position, 20300);
}

// The corner of the square lies outside of the circle. The x after it is 1; its y is the first
// number of the next block.
TEST(random, directions_skip_points_outside_of_the_circle) {
    ox_random random = drawing(UINT32_MAX, UINT32_MAX, 0x80000000u);
    ox_float2 flat = ox_random_direction2(&random);
    EXPECT_EQ(random.position, 5);
    EXPECT(fabsf(flat.x) < 1e-5f && fabsf(flat.y) == 1);
}

TEST(random, direction_to_a_point_beside_the_axis_is_along_the_axis) {
    ox_random random = drawing(UINT32_MAX, 0x80000000u, 0); // x = 2^24 - 1, y = 1
    ox_float2 flat = ox_random_direction2(&random);
    EXPECT_EQ(random.position, 3);
    EXPECT_EQ(flat.x, 1.0f);
    EXPECT(flat.y > 0 && flat.y < 1e-7f);
}

TEST(random, direction_of_a_point_near_the_middle_is_up_and_of_one_at_the_edge_down) {
    ox_random middle = drawing(0x80000000u, 0x80000000u, 0),
              edge = drawing(UINT32_MAX, 0x80000000u, 0);
    EXPECT_EQ(ox_random_direction3(&middle).z, 1.0f);
    EXPECT(ox_random_direction3(&edge).z < -0.9999f);
}

// Shuffling.

TEST(random, shuffled_elements_are_golden) {
    static const int golden[10] = {9, 0, 1, 3, 6, 2, 5, 7, 4, 8};
    int values[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    ox_random random = ox_random_create(9, 0);

    ox_random_shuffle(&random, values, 10);

    EXPECT_EQ(memcmp(values, golden, sizeof values), 0);
    EXPECT_EQ(random.position, 9);
}

TEST(random, all_orders_of_three_come_as_often) {
    static const int golden[6] = {961, 1008, 1019, 1040, 987, 985};
    ox_random random = ox_random_create(9, 0);
    int counts[6] = {0};
    for (int k = 0; k < 6000; k++) {
        char values[3] = {0, 1, 2};
        ox_random_shuffle(&random, values, 3);
        counts[2 * values[0] + (values[1] > values[2])]++;
    }
    EXPECT_EQ(memcmp(counts, golden, sizeof counts), 0);
}

TEST(random, large_elements_stay_whole) {
    typedef struct large {
        int id;
        char bytes[197];
    } large;
    static large values[50];
    for (int k = 0; k < 50; k++) {
        values[k].id = k;
        memset(values[k].bytes, k, sizeof values[k].bytes);
    }
    ox_random random = ox_random_create(9, 0);

    ox_random_shuffle(&random, values, 50);

    uint64_t seen = 0;
    for (int k = 0; k < 50; k++) {
        char expected[sizeof values[k].bytes];
        memset(expected, values[k].id, sizeof expected);
        EXPECT_EQ(memcmp(values[k].bytes, expected, sizeof expected), 0);
        seen |= (uint64_t)1 << values[k].id;
    }
    EXPECT_EQ(seen, ((uint64_t)1 << 50) - 1);
}

TEST(random, shuffling_none_or_one_draws_nothing) {
    int value = 7;
    int *none = NULL;
    ox_random random = drawing(1, 2, 3);
    ox_random_shuffle(&random, none, 0);
    ox_random_shuffle(&random, &value, 1);
    EXPECT_EQ(random.position, 1);
    EXPECT_EQ(value, 7);
}

TEST(random, shuffling_what_is_wrong_is_reported_and_has_no_effect) {
    collected_reports reports = {0};
    collect_reports(&reports);
    int values[2] = {1, 2}, *none = NULL;
    ox_random random = drawing(0, 0, 0), *no_random = NULL;

    ox_random_shuffle(no_random, values, 2);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    ox_random_shuffle(&random, none, 2);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    ox_random_shuffle(&random, values, -1);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COUNT);
    ox_random_shuffle(&random, values, (int64_t)INT32_MAX + 1);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COUNT);
    EXPECT_HAS(reports.text, "ox_random_shuffle");

    EXPECT(values[0] == 1 && values[1] == 2);
    EXPECT_EQ(random.position, 1);
}

// In components.

TEST(random, component_with_one_is_known_by_its_fields) {
    const ox_component_info *info = ox_component_get_info(ox_component_id_of(Gambler));
    EXPECT(info != NULL);
    EXPECT_EQ(info->value_count, 1);
    EXPECT_EQ(info->values[0].size, sizeof(ox_random) + sizeof(int));

    ox_field_location place;
    EXPECT(ox_field_find(info->id, "random.position", &place));
    EXPECT_EQ(place.offset, offsetof(Gambler, random.position));
    EXPECT(ox_field_find(info->id, "random.numbers[3]", &place));
    EXPECT_EQ(place.offset, offsetof(Gambler, random.numbers) + 12);
    EXPECT(ox_field_find(info->id, "random.seed", &place));
    EXPECT_EQ(place.offset, offsetof(Gambler, random.seed));
    EXPECT(ox_field_find(info->id, "random.stream", &place));
    EXPECT_EQ(place.offset, offsetof(Gambler, random.stream));
}

TEST(random, component_with_one_has_a_hash_of_all_its_state) {
    const ox_component_info *info = ox_component_get_info(ox_component_id_of(Gambler));
    Gambler gambler = {ox_random_create(1, 2), 3}, same = gambler;
    uint64_t hash = oxi_value_hash(info, &gambler, 0);

    EXPECT_EQ(oxi_value_hash(info, &same, 0), hash);
    ox_random_next(&same.random);
    EXPECT_NE(oxi_value_hash(info, &same, 0), hash);
    ox_random_next(&gambler.random);
    EXPECT_EQ(oxi_value_hash(info, &gambler, 0), oxi_value_hash(info, &same, 0));
}

TEST(random, component_with_one_is_json_and_goes_on_after_it_was_read) {
    uint32_t id = ox_component_id_of(Gambler);
    Gambler gambler = {ox_random_create(5, 0), 3}, read = {0};
    for (int k = 0; k < 5; k++) {
        ox_random_next(&gambler.random);
    }
    char json[256];
    size_t length = ox_component_write_json(id, &gambler, json, sizeof json);
    EXPECT_STR(json, "{\"random\":{\"seed\":5,\"stream\":0,\"position\":5,"
                     "\"numbers\":[1491303360,670720010,2467182222,513040669]},\"coins\":3}");

    EXPECT(ox_component_read_json(id, json, length, &read));
    for (int k = 0; k < 10; k++) {
        EXPECT_EQ(ox_random_next(&read.random), ox_random_next(&gambler.random));
    }
}

TEST(random, struct_with_one_is_known_without_a_component) {
    const ox_type *type = ox_type_find("ox_random");
    EXPECT(type != NULL);
    EXPECT_EQ(type->size, sizeof(ox_random));
    ox_layout layout;
    EXPECT(ox_layout_create(type, &layout));
    EXPECT_EQ(layout.field_count, 4);
    EXPECT_EQ(layout.fields[ox_layout_find(&layout, "position")].offset,
              offsetof(ox_random, position));
    ox_layout_dispose(&layout);
}
