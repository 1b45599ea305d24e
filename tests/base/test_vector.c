// SPDX-License-Identifier: MIT
//
// Small math: right against libm and by its own laws, and the same bits everywhere.

#include "oxbow/vector.h"

#include "test.h"

#include <math.h>
#include <stdio.h>

static const ox_float3 X = {1, 0, 0};
static const ox_float3 Y = {0, 1, 0};
static const ox_float3 Z = {0, 0, 1};

// A repeatable float from -size to size, in steps of 2^-23 of it: the same on every machine.
static float random_float(uint64_t *state, float size) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    int32_t step = (int32_t)(*state >> 40) - 0x800000;
    return (float)step * (1.0f / 8388608.0f) * size;
}

static ox_float3 random_float3(uint64_t *state, float size) {
    float x = random_float(state, size);
    float y = random_float(state, size);
    return ox_float3_make(x, y, random_float(state, size));
}

static ox_quat random_rotation(uint64_t *state) {
    ox_float3 axis = ox_float3_normalize(random_float3(state, 1.0f));
    return ox_quat_from_axis_angle(axis, random_float(state, 10.0f));
}

static bool is_near(float a, float b) {
    return fabsf(a - b) <= 2e-6f;
}

static bool is_near3(ox_float3 a, ox_float3 b) {
    return is_near(a.x, b.x) && is_near(a.y, b.y) && is_near(a.z, b.z);
}

// The largest error of sine and cosine at `count` angles from -range to range.
static double largest_error(float range, int count) {
    double worst = 0;
    for (int k = 0; k < count; k++) {
        float x = ((float)k / (float)(count - 1) * 2.0f - 1.0f) * range;
        float sine, cosine;
        ox_sincos(x, &sine, &cosine);
        worst = fmax(worst, fabs((double)sine - sin((double)x)));
        worst = fmax(worst, fabs((double)cosine - cos((double)x)));
    }
    printf("sine and cosine up to %g: off by %.3g at most\n", (double)range, worst);
    return worst;
}

TEST(vector, sine_and_cosine_are_off_by_less_than_their_header_says) {
    EXPECT(largest_error(1.0f, 100000) < 8e-8);
    EXPECT(largest_error(100.0f, 1000000) < 8e-8);
    EXPECT(largest_error(100000.0f, 1000000) < 8e-8);
}

TEST(vector, sine_of_a_small_angle_is_the_angle) {
    EXPECT_EQ(ox_sin(1e-5f), 1e-5f);
    EXPECT_EQ(ox_sin(1e-30f), 1e-30f);
    EXPECT_EQ(ox_sin(1e-45f), 1e-45f);
    EXPECT_EQ(ox_cos(1e-5f), 1.0f);
}

TEST(vector, sine_keeps_the_sign_of_its_argument) {
    EXPECT_EQ(ox_sin(0.0f), 0.0f);
    EXPECT(!signbit(ox_sin(0.0f)));
    EXPECT(signbit(ox_sin(-0.0f)));
    EXPECT_EQ(ox_sin(-1.0f), -ox_sin(1.0f));
    EXPECT_EQ(ox_cos(-1.0f), ox_cos(1.0f));
    EXPECT_EQ(ox_cos(-0.0f), 1.0f);
}

TEST(vector, quarter_turns_are_at_the_corners) {
    EXPECT(is_near(ox_sin(OX_PI / 2), 1) && is_near(ox_cos(OX_PI / 2), 0));
    EXPECT(is_near(ox_sin(OX_PI), 0) && is_near(ox_cos(OX_PI), -1));
    EXPECT(is_near(ox_sin(OX_PI * 3 / 2), -1) && is_near(ox_cos(OX_PI * 3 / 2), 0));
    EXPECT(is_near(ox_sin(OX_PI * 2), 0) && is_near(ox_cos(OX_PI * 2), 1));
}

TEST(vector, sincos_gives_the_bits_of_sin_and_cos) {
    uint64_t state = test_seed(1);
    int different = 0;
    for (int k = 0; k < 100000; k++) {
        float x = random_float(&state, 1000.0f);
        float sine, cosine;
        ox_sincos(x, &sine, &cosine);
        different += sine != ox_sin(x) || cosine != ox_cos(x);
    }

    EXPECT_EQ(different, 0);
}

TEST(vector, sine_and_cosine_stay_within_one) {
    int outside = 0;
    for (uint32_t bits = 0; bits < 0x7f800000u; bits += 997) {
        float x = oxi_float_from_bits(bits);
        outside += !(fabsf(ox_sin(x)) <= 1.0f && fabsf(ox_cos(x)) <= 1.0f);
    }

    EXPECT_EQ(outside, 0);
}

TEST(vector, angles_beyond_the_range_count_as_zero) {
    float beyond = nextafterf(100000.0f, INFINITY);

    EXPECT_EQ(ox_sin(beyond), 0.0f);
    EXPECT_EQ(ox_cos(-beyond), 1.0f);
    EXPECT_EQ(ox_sin(3e38f), 0.0f);
    EXPECT_EQ(ox_cos(3e38f), 1.0f);
    EXPECT(fabs((double)ox_sin(100000.0f) - sin(100000.0)) < 8e-8);
}

TEST(vector, no_number_has_no_sine) {
    EXPECT(isnan(ox_sin(NAN)) && isnan(ox_cos(NAN)));
    EXPECT(isnan(ox_sin(-NAN)) && isnan(ox_cos(-NAN)));
    EXPECT(isnan(ox_sin(INFINITY)) && isnan(ox_cos(INFINITY)));
    EXPECT(isnan(ox_sin(-INFINITY)) && isnan(ox_cos(-INFINITY)));
}

TEST(vector, scalars_clamp_and_compare) {
    EXPECT_EQ(ox_min(1, 2), 1.0f);
    EXPECT_EQ(ox_max(1, 2), 2.0f);
    EXPECT_EQ(ox_min(NAN, 2), 2.0f);
    EXPECT_EQ(ox_max(NAN, 2), 2.0f);
    EXPECT_EQ(ox_clamp(-1, 0, 1), 0.0f);
    EXPECT_EQ(ox_clamp(0.5f, 0, 1), 0.5f);
    EXPECT_EQ(ox_clamp(INFINITY, 0, 1), 1.0f);
    EXPECT(isnan(ox_clamp(NAN, 0, 1)));
    EXPECT_EQ(ox_sqrt(2.25f), 1.5f);
    EXPECT(isnan(ox_sqrt(-1)));
}

TEST(vector, float2_works_on_each_component) {
    ox_float2 a = ox_float2_make(1, 6), b = ox_float2_make(3, 2);

    EXPECT(ox_float2_equal(ox_float2_add(a, b), ox_float2_make(4, 8)));
    EXPECT(ox_float2_equal(ox_float2_sub(a, b), ox_float2_make(-2, 4)));
    EXPECT(ox_float2_equal(ox_float2_mul(a, b), ox_float2_make(3, 12)));
    EXPECT(ox_float2_equal(ox_float2_scale(a, 2), ox_float2_make(2, 12)));
    EXPECT(ox_float2_equal(ox_float2_lerp(a, b, 0.5f), ox_float2_make(2, 4)));
    EXPECT(ox_float2_equal(ox_float2_min(a, b), ox_float2_make(1, 2)));
    EXPECT(ox_float2_equal(ox_float2_min(b, a), ox_float2_make(1, 2)));
    EXPECT(ox_float2_equal(ox_float2_max(a, b), ox_float2_make(3, 6)));
    EXPECT(ox_float2_equal(ox_float2_max(b, a), ox_float2_make(3, 6)));
    EXPECT_EQ(ox_float2_dot(a, b), 15.0f);
}

TEST(vector, float3_works_on_each_component) {
    ox_float3 a = ox_float3_make(1, 6, -4), b = ox_float3_make(3, 2, 8);

    EXPECT(ox_float3_equal(ox_float3_add(a, b), ox_float3_make(4, 8, 4)));
    EXPECT(ox_float3_equal(ox_float3_sub(a, b), ox_float3_make(-2, 4, -12)));
    EXPECT(ox_float3_equal(ox_float3_mul(a, b), ox_float3_make(3, 12, -32)));
    EXPECT(ox_float3_equal(ox_float3_scale(a, 2), ox_float3_make(2, 12, -8)));
    EXPECT(ox_float3_equal(ox_float3_lerp(a, b, 0.5f), ox_float3_make(2, 4, 2)));
    EXPECT(ox_float3_equal(ox_float3_min(a, b), ox_float3_make(1, 2, -4)));
    EXPECT(ox_float3_equal(ox_float3_min(b, a), ox_float3_make(1, 2, -4)));
    EXPECT(ox_float3_equal(ox_float3_max(a, b), ox_float3_make(3, 6, 8)));
    EXPECT(ox_float3_equal(ox_float3_max(b, a), ox_float3_make(3, 6, 8)));
    EXPECT_EQ(ox_float3_dot(a, b), -17.0f);
}

TEST(vector, float4_works_on_each_component) {
    ox_float4 a = ox_float4_make(1, 6, -4, 5), b = ox_float4_make(3, 2, 8, 7);

    EXPECT(ox_float4_equal(ox_float4_add(a, b), ox_float4_make(4, 8, 4, 12)));
    EXPECT(ox_float4_equal(ox_float4_sub(a, b), ox_float4_make(-2, 4, -12, -2)));
    EXPECT(ox_float4_equal(ox_float4_mul(a, b), ox_float4_make(3, 12, -32, 35)));
    EXPECT(ox_float4_equal(ox_float4_scale(a, 2), ox_float4_make(2, 12, -8, 10)));
    EXPECT(ox_float4_equal(ox_float4_lerp(a, b, 0.5f), ox_float4_make(2, 4, 2, 6)));
    EXPECT(ox_float4_equal(ox_float4_min(a, b), ox_float4_make(1, 2, -4, 5)));
    EXPECT(ox_float4_equal(ox_float4_min(b, a), ox_float4_make(1, 2, -4, 5)));
    EXPECT(ox_float4_equal(ox_float4_max(a, b), ox_float4_make(3, 6, 8, 7)));
    EXPECT(ox_float4_equal(ox_float4_max(b, a), ox_float4_make(3, 6, 8, 7)));
    EXPECT_EQ(ox_float4_dot(a, b), 18.0f);
}

TEST(vector, lengths_and_distances_of_whole_numbers_are_exact) {
    EXPECT_EQ(ox_float2_length(ox_float2_make(3, -4)), 5.0f);
    EXPECT_EQ(ox_float3_length(ox_float3_make(2, 3, -6)), 7.0f);
    EXPECT_EQ(ox_float4_length(ox_float4_make(2, 4, -5, 6)), 9.0f);
    EXPECT_EQ(ox_float2_distance(ox_float2_make(1, 1), ox_float2_make(4, 5)), 5.0f);
    EXPECT_EQ(ox_float3_distance(ox_float3_make(1, 1, 1), ox_float3_make(3, 4, 7)), 7.0f);
    EXPECT_EQ(ox_float4_distance(ox_float4_make(1, 1, 1, 1), ox_float4_make(3, 5, 6, 7)), 9.0f);
}

TEST(vector, equal_wants_every_component) {
    ox_float4 a = ox_float4_make(1, 2, 3, 4);

    EXPECT(!ox_float4_equal(a, ox_float4_make(0, 2, 3, 4)));
    EXPECT(!ox_float4_equal(a, ox_float4_make(1, 0, 3, 4)));
    EXPECT(!ox_float4_equal(a, ox_float4_make(1, 2, 0, 4)));
    EXPECT(!ox_float4_equal(a, ox_float4_make(1, 2, 3, 0)));
    EXPECT(!ox_float3_equal(X, Y) && !ox_float3_equal(X, ox_float3_make(1, 0, 1)));
    EXPECT(!ox_float2_equal(ox_float2_make(1, 2), ox_float2_make(1, 3)));
    EXPECT(ox_float2_equal(ox_float2_make(0, 0), ox_float2_make(-0.0f, 0)));
    EXPECT(!ox_float2_equal(ox_float2_make(NAN, 0), ox_float2_make(NAN, 0)));
}

TEST(vector, normalize_gives_length_one) {
    uint64_t state = test_seed(2);
    int wrong = 0;
    for (int k = 0; k < 10000; k++) {
        ox_float3 v = random_float3(&state, k % 2 == 0 ? 1e-15f : 1e15f);
        ox_float3 unit = ox_float3_normalize(v);
        wrong += !is_near(ox_float3_length(unit), 1);
        wrong += !is_near(ox_float3_dot(unit, v) / ox_float3_length(v), 1);
    }

    EXPECT_EQ(wrong, 0);
    EXPECT(ox_float2_equal(ox_float2_normalize(ox_float2_make(0, -8)), ox_float2_make(0, -1)));
    EXPECT(ox_float4_equal(ox_float4_normalize(ox_float4_make(2, -2, 2, 2)),
                           ox_float4_make(0.5f, -0.5f, 0.5f, 0.5f)));
}

TEST(vector, normalize_keeps_zero) {
    EXPECT(ox_float2_equal(ox_float2_normalize(ox_float2_make(0, 0)), ox_float2_make(0, 0)));
    EXPECT(
        ox_float3_equal(ox_float3_normalize(ox_float3_make(0, -0.0f, 0)), ox_float3_make(0, 0, 0)));
    EXPECT(ox_float4_equal(ox_float4_normalize(ox_float4_make(0, 0, 0, 0)),
                           ox_float4_make(0, 0, 0, 0)));
}

TEST(vector, normalize_gives_zero_for_what_cannot_be_squared) {
    ox_float3 zero = ox_float3_make(0, 0, 0);

    EXPECT(ox_float3_equal(ox_float3_normalize(ox_float3_make(1e-20f, 0, 0)), zero));
    EXPECT(ox_float3_equal(ox_float3_normalize(ox_float3_make(1e20f, 0, 0)), zero));
    EXPECT(ox_float3_equal(ox_float3_normalize(ox_float3_make(1.2e-19f, 0, 0)), X));
    EXPECT(ox_float3_equal(ox_float3_normalize(ox_float3_make(1.8e19f, 0, 0)), X));
    EXPECT(isnan(ox_float3_normalize(ox_float3_make(0, NAN, 0)).x));
}

TEST(vector, cross_product_is_at_right_angles) {
    ox_float3 a = ox_float3_make(1, 2, 3), b = ox_float3_make(-4, 5, 7);
    ox_float3 c = ox_float3_cross(a, b);

    EXPECT_EQ(ox_float3_dot(a, c), 0.0f);
    EXPECT_EQ(ox_float3_dot(b, c), 0.0f);
    EXPECT(ox_float3_equal(ox_float3_cross(X, Y), Z));
    EXPECT(ox_float3_equal(ox_float3_cross(Y, Z), X));
    EXPECT(ox_float3_equal(ox_float3_cross(Z, X), Y));
}

TEST(vector, quarter_turns_take_each_axis_to_the_next) {
    ox_quat about_x = ox_quat_from_axis_angle(X, OX_PI / 2);
    ox_quat about_y = ox_quat_from_axis_angle(Y, OX_PI / 2);
    ox_quat about_z = ox_quat_from_axis_angle(Z, OX_PI / 2);

    EXPECT(is_near3(ox_quat_rotate(about_x, Y), Z));
    EXPECT(is_near3(ox_quat_rotate(about_y, Z), X));
    EXPECT(is_near3(ox_quat_rotate(about_z, X), Y));
    EXPECT(is_near3(ox_quat_rotate(about_z, Z), Z));
}

TEST(vector, identity_changes_nothing) {
    ox_quat q = ox_quat_make(0.1f, 0.7f, -0.5f, 0.5f), one = ox_quat_identity();
    ox_float3 v = ox_float3_make(1.5f, -2.25f, 1e6f);

    ox_quat before = ox_quat_mul(one, q), after = ox_quat_mul(q, one);

    EXPECT(before.x == q.x && before.y == q.y && before.z == q.z && before.w == q.w);
    EXPECT(after.x == q.x && after.y == q.y && after.z == q.z && after.w == q.w);
    EXPECT(ox_float3_equal(ox_quat_rotate(one, v), v));
}

TEST(vector, a_product_rotates_by_its_right_side_first) {
    uint64_t state = test_seed(3);
    int wrong = 0;
    for (int k = 0; k < 10000; k++) {
        ox_quat a = random_rotation(&state), b = random_rotation(&state);
        ox_float3 v = random_float3(&state, 1.0f);
        wrong += !is_near3(ox_quat_rotate(ox_quat_mul(a, b), v),
                           ox_quat_rotate(a, ox_quat_rotate(b, v)));
    }

    EXPECT_EQ(wrong, 0);
}

TEST(vector, conjugate_turns_back_and_rotations_keep_lengths) {
    uint64_t state = test_seed(4);
    int wrong = 0;
    for (int k = 0; k < 10000; k++) {
        ox_quat q = random_rotation(&state);
        ox_float3 v = random_float3(&state, 1.0f);
        ox_float3 turned = ox_quat_rotate(q, v);
        wrong += !is_near(ox_float3_length(turned), ox_float3_length(v));
        wrong += !is_near3(ox_quat_rotate(ox_quat_conjugate(q), turned), v);
    }

    EXPECT_EQ(wrong, 0);
}

TEST(vector, normalized_quaternion_of_zero_is_identity) {
    static const ox_quat nothing[] = {
        {0, 0, 0, 0}, {-0.0f, 0, 0, -0.0f}, {1e-20f, 0, 0, 0}, {0, 0, 1e20f, 0}};
    for (int k = 0; k < 4; k++) {
        ox_quat q = ox_quat_normalize(nothing[k]);
        EXPECT(q.x == 0 && q.y == 0 && q.z == 0 && q.w == 1);
    }

    ox_quat half = ox_quat_normalize(ox_quat_make(8, -8, 8, 8));
    EXPECT(half.x == 0.5f && half.y == -0.5f && half.z == 0.5f && half.w == 0.5f);
    EXPECT(isnan(ox_quat_normalize(ox_quat_make(NAN, 0, 0, 1)).w));
}

TEST(vector, nlerp_goes_the_short_way) {
    ox_quat from = ox_quat_identity();
    ox_quat to = ox_quat_from_axis_angle(Z, OX_PI / 2);
    ox_quat same = ox_quat_make(-to.x, -to.y, -to.z, -to.w);
    ox_float3 half_way = ox_float3_make(ox_sqrt(0.5f), ox_sqrt(0.5f), 0);

    EXPECT(is_near3(ox_quat_rotate(ox_quat_nlerp(from, to, 0), X), X));
    EXPECT(is_near3(ox_quat_rotate(ox_quat_nlerp(from, to, 0.5f), X), half_way));
    EXPECT(is_near3(ox_quat_rotate(ox_quat_nlerp(from, to, 1), X), Y));
    EXPECT(is_near3(ox_quat_rotate(ox_quat_nlerp(from, same, 0.5f), X), half_way));
    EXPECT(is_near(ox_quat_dot(from, ox_quat_nlerp(from, same, 0.5f)), ox_cos(OX_PI / 8)));
}

static void hash_float(uint64_t *hash, float value) {
    *hash = (*hash ^ oxi_float_to_bits(value)) * 0x100000001b3u;
}

static void hash_float3(uint64_t *hash, ox_float3 v) {
    hash_float(hash, v.x);
    hash_float(hash, v.y);
    hash_float(hash, v.z);
}

static void hash_quat(uint64_t *hash, ox_quat q) {
    hash_float3(hash, ox_float3_make(q.x, q.y, q.z));
    hash_float(hash, q.w);
}

static void hash_angles(uint64_t *hash, float step) {
    enum { COUNT = 20000 };
    static float angles[COUNT], sines[COUNT], cosines[COUNT];
    for (int k = 0; k < COUNT; k++) {
        angles[k] = (float)(k - COUNT / 2) * step;
    }
    // A loop of its own, for the compiler to make vector code of.
    for (int k = 0; k < COUNT; k++) {
        ox_sincos(angles[k], &sines[k], &cosines[k]);
    }
    for (int k = 0; k < COUNT; k++) {
        hash_float(hash, sines[k]);
        hash_float(hash, cosines[k]);
    }
}

static void hash_rotations(uint64_t *hash) {
    uint64_t state = 5;
    ox_quat heading = ox_quat_identity();
    ox_float3 position = ox_float3_make(0, 0, 0);
    for (int k = 0; k < 20000; k++) {
        ox_quat turn = random_rotation(&state);
        heading = ox_quat_normalize(ox_quat_mul(heading, turn));
        ox_float3 step = ox_quat_rotate(heading, random_float3(&state, 1000.0f));
        position = ox_float3_lerp(position, step, 0.125f);
        hash_quat(hash, heading);
        hash_float3(hash, position);
        hash_float3(hash, ox_float3_normalize(ox_float3_cross(position, step)));
        hash_quat(hash, ox_quat_nlerp(heading, turn, 0.3f));
        hash_float(hash, ox_float3_distance(position, step));
    }
}

// The constant is what gcc and clang gave at -O0 and -O3, for x86-64 with and without AVX2 and FMA
// and for AArch64. Another hash means that a simulation no longer repeats on some machine.
TEST(vector, results_have_the_same_bits_everywhere) {
    uint64_t hash = 0xcbf29ce484222325u;

    hash_angles(&hash, 0.01f);
    hash_angles(&hash, 9.999f);
    hash_rotations(&hash);

    EXPECT_EQ(hash, 0xc9e25b8cb6316d46u);
}
