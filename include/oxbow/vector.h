// SPDX-License-Identifier: MIT
//
// Small vectors and rotations: two, three and four floats, quaternions, sine and cosine.
//
//     ox_float3 to_target = ox_float3_sub(target, position);
//     ox_float3 forward = ox_float3_normalize(to_target);
//     position = ox_float3_add(position, ox_float3_scale(forward, speed * dt));
//     ox_quat turn = ox_quat_from_axis_angle(ox_float3_make(0, 0, 1), OX_PI / 2);
//     ox_float3 left = ox_quat_rotate(turn, forward);
//
// The same arguments give the same bits with every compiler and optimisation level, wherever
// FLT_EVAL_METHOD is 0 (x86-64, AArch64, RISC-V): only operations that IEEE 754 rounds exactly are
// used, + - * / and sqrtf, the one function of libm. This holds for files compiled with
// -ffp-contract=off and without -ffast-math, yours as well as Oxbow's. NaNs may differ in bits.
//
// No function branches on its arguments, so gcc -O3 vectorises loops over arrays. If the loop has a
// square root, it also needs -fno-math-errno -fno-trapping-math.
//
// Threads: everything here is inline and may be called from any thread.

#pragma once

#include "oxbow/base.h"

#include <math.h>
#include <string.h>

/// Two floats.
typedef struct ox_float2 {
    float x, y;
} ox_float2;

/// Three floats, 12 bytes: a position, a velocity, a colour.
typedef struct ox_float3 {
    float x, y, z;
} ox_float3;

/// Four floats. Aligned like a float.
typedef struct ox_float4 {
    float x, y, z, w;
} ox_float4;

/// A quaternion. One of length 1 is a rotation; w is its real part. {0} is not a rotation.
typedef struct ox_quat {
    float x, y, z, w;
} ox_quat;

/// Half of a turn, in radians.
#define OX_PI 3.14159265f

/// Returns the smaller number; `b` if one of them is a NaN.
static inline float ox_min(float a, float b) {
    return a < b ? a : b;
}

/// Returns the larger number; `b` if one of them is a NaN.
static inline float ox_max(float a, float b) {
    return a > b ? a : b;
}

/// Returns `value`, limited to the range from `low` to `high`. A NaN stays a NaN.
static inline float ox_clamp(float value, float low, float high) {
    return value < low ? low : (value > high ? high : value);
}

/// Returns the square root. NaN for negative values; -0 for -0.
static inline float ox_sqrt(float value) {
    return sqrtf(value);
}

/// Returns the sine of an angle in radians, with an error below 8e-8 for |x| <= 100,000. Larger
/// angles, whose neighbours are more than 0.0078 apart, count as 0. NaN for an infinity and for a
/// NaN.
static inline float ox_sin(float x);

/// Returns the cosine of an angle in radians, with the error and the limits of ox_sin.
static inline float ox_cos(float x);

/// Computes sine and cosine together, for little more than the cost of one, with the same bits.
static inline void ox_sincos(float x, float *sine, float *cosine);

/// A vector from its components.
static inline ox_float2 ox_float2_make(float x, float y);

/// The sum of two vectors.
static inline ox_float2 ox_float2_add(ox_float2 a, ox_float2 b) {
    return ox_float2_make(a.x + b.x, a.y + b.y);
}

/// The difference of two vectors.
static inline ox_float2 ox_float2_sub(ox_float2 a, ox_float2 b) {
    return ox_float2_make(a.x - b.x, a.y - b.y);
}

/// The product, component by component.
static inline ox_float2 ox_float2_mul(ox_float2 a, ox_float2 b) {
    return ox_float2_make(a.x * b.x, a.y * b.y);
}

/// The vector times a number.
static inline ox_float2 ox_float2_scale(ox_float2 v, float factor) {
    return ox_float2_make(v.x * factor, v.y * factor);
}

/// The dot product.
static inline float ox_float2_dot(ox_float2 a, ox_float2 b) {
    return a.x * b.x + a.y * b.y;
}

/// The length. Infinite from 1.8e19 on, where the square overflows.
static inline float ox_float2_length(ox_float2 v) {
    return ox_sqrt(ox_float2_dot(v, v));
}

/// The distance between two points.
static inline float ox_float2_distance(ox_float2 a, ox_float2 b) {
    return ox_float2_length(ox_float2_sub(a, b));
}

/// The vector of length 1 in the same direction. The zero vector stays zero. A vector whose square
/// underflows or overflows, with a length outside 1.1e-19 to 1.8e19, becomes zero.
static inline ox_float2 ox_float2_normalize(ox_float2 v);

/// Interpolates from `a` at t = 0 to `b` at t = 1, where the result may differ from `b` by
/// rounding. t is not limited.
static inline ox_float2 ox_float2_lerp(ox_float2 a, ox_float2 b, float t) {
    return ox_float2_add(a, ox_float2_scale(ox_float2_sub(b, a), t));
}

/// Returns the smaller of each component.
static inline ox_float2 ox_float2_min(ox_float2 a, ox_float2 b) {
    return ox_float2_make(ox_min(a.x, b.x), ox_min(a.y, b.y));
}

/// Returns the larger of each component.
static inline ox_float2 ox_float2_max(ox_float2 a, ox_float2 b) {
    return ox_float2_make(ox_max(a.x, b.x), ox_max(a.y, b.y));
}

/// Returns true if all components are exactly equal. 0 equals -0; a NaN equals nothing.
static inline bool ox_float2_equal(ox_float2 a, ox_float2 b) {
    return a.x == b.x && a.y == b.y;
}

/// A vector from its components.
static inline ox_float3 ox_float3_make(float x, float y, float z);

/// The sum of two vectors.
static inline ox_float3 ox_float3_add(ox_float3 a, ox_float3 b) {
    return ox_float3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

/// The difference of two vectors.
static inline ox_float3 ox_float3_sub(ox_float3 a, ox_float3 b) {
    return ox_float3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

/// The product, component by component.
static inline ox_float3 ox_float3_mul(ox_float3 a, ox_float3 b) {
    return ox_float3_make(a.x * b.x, a.y * b.y, a.z * b.z);
}

/// The vector times a number.
static inline ox_float3 ox_float3_scale(ox_float3 v, float factor) {
    return ox_float3_make(v.x * factor, v.y * factor, v.z * factor);
}

/// The dot product.
static inline float ox_float3_dot(ox_float3 a, ox_float3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// The cross product: perpendicular to both, and x cross y is z.
static inline ox_float3 ox_float3_cross(ox_float3 a, ox_float3 b) {
    return ox_float3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/// The length. Infinite from 1.8e19 on, where the square overflows.
static inline float ox_float3_length(ox_float3 v) {
    return ox_sqrt(ox_float3_dot(v, v));
}

/// The distance between two points.
static inline float ox_float3_distance(ox_float3 a, ox_float3 b) {
    return ox_float3_length(ox_float3_sub(a, b));
}

/// The vector of length 1 in the same direction. Zero stays zero, as in ox_float2_normalize.
static inline ox_float3 ox_float3_normalize(ox_float3 v);

/// Interpolates from `a` at t = 0 to `b` at t = 1, where the result may differ from `b` by
/// rounding. t is not limited.
static inline ox_float3 ox_float3_lerp(ox_float3 a, ox_float3 b, float t) {
    return ox_float3_add(a, ox_float3_scale(ox_float3_sub(b, a), t));
}

/// Returns the smaller of each component.
static inline ox_float3 ox_float3_min(ox_float3 a, ox_float3 b) {
    return ox_float3_make(ox_min(a.x, b.x), ox_min(a.y, b.y), ox_min(a.z, b.z));
}

/// Returns the larger of each component.
static inline ox_float3 ox_float3_max(ox_float3 a, ox_float3 b) {
    return ox_float3_make(ox_max(a.x, b.x), ox_max(a.y, b.y), ox_max(a.z, b.z));
}

/// Returns true if all components are exactly equal. 0 equals -0; a NaN equals nothing.
static inline bool ox_float3_equal(ox_float3 a, ox_float3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// A vector from its components.
static inline ox_float4 ox_float4_make(float x, float y, float z, float w);

/// The sum of two vectors.
static inline ox_float4 ox_float4_add(ox_float4 a, ox_float4 b) {
    return ox_float4_make(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

/// The difference of two vectors.
static inline ox_float4 ox_float4_sub(ox_float4 a, ox_float4 b) {
    return ox_float4_make(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
}

/// The product, component by component.
static inline ox_float4 ox_float4_mul(ox_float4 a, ox_float4 b) {
    return ox_float4_make(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}

/// The vector times a number.
static inline ox_float4 ox_float4_scale(ox_float4 v, float factor) {
    return ox_float4_make(v.x * factor, v.y * factor, v.z * factor, v.w * factor);
}

/// The dot product.
static inline float ox_float4_dot(ox_float4 a, ox_float4 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// The length. Infinite from 1.8e19 on, where the square overflows.
static inline float ox_float4_length(ox_float4 v) {
    return ox_sqrt(ox_float4_dot(v, v));
}

/// The distance between two points.
static inline float ox_float4_distance(ox_float4 a, ox_float4 b) {
    return ox_float4_length(ox_float4_sub(a, b));
}

/// The vector of length 1 in the same direction. Zero stays zero, as in ox_float2_normalize.
static inline ox_float4 ox_float4_normalize(ox_float4 v);

/// Interpolates from `a` at t = 0 to `b` at t = 1, where the result may differ from `b` by
/// rounding. t is not limited.
static inline ox_float4 ox_float4_lerp(ox_float4 a, ox_float4 b, float t) {
    return ox_float4_add(a, ox_float4_scale(ox_float4_sub(b, a), t));
}

/// Returns the smaller of each component.
static inline ox_float4 ox_float4_min(ox_float4 a, ox_float4 b) {
    return ox_float4_make(ox_min(a.x, b.x), ox_min(a.y, b.y), ox_min(a.z, b.z), ox_min(a.w, b.w));
}

/// Returns the larger of each component.
static inline ox_float4 ox_float4_max(ox_float4 a, ox_float4 b) {
    return ox_float4_make(ox_max(a.x, b.x), ox_max(a.y, b.y), ox_max(a.z, b.z), ox_max(a.w, b.w));
}

/// Returns true if all components are exactly equal. 0 equals -0; a NaN equals nothing.
static inline bool ox_float4_equal(ox_float4 a, ox_float4 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

/// A quaternion from its components. w is the real part.
static inline ox_quat ox_quat_make(float x, float y, float z, float w);

/// The identity rotation.
static inline ox_quat ox_quat_identity(void) {
    return ox_quat_make(0.0f, 0.0f, 0.0f, 1.0f);
}

/// The rotation by `angle` radians about `axis`, which has length 1. A quarter turn about z takes x
/// to y.
static inline ox_quat ox_quat_from_axis_angle(ox_float3 axis, float angle);

/// The product: as rotations, first `b` and then `a`.
static inline ox_quat ox_quat_mul(ox_quat a, ox_quat b);

/// The conjugate: of a rotation, its inverse.
static inline ox_quat ox_quat_conjugate(ox_quat q) {
    return ox_quat_make(-q.x, -q.y, -q.z, q.w);
}

/// The dot product. For two rotations it is the cosine of half the angle between them.
static inline float ox_quat_dot(ox_quat a, ox_quat b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// The quaternion of length 1 in the same direction. Use it after many products, to get a rotation
/// again. A quaternion outside the limits of ox_float2_normalize, such as {0}, becomes the
/// identity.
static inline ox_quat ox_quat_normalize(ox_quat q);

/// Rotates a vector. `q` has length 1.
static inline ox_float3 ox_quat_rotate(ox_quat q, ox_float3 v);

/// Interpolates from rotation `a` at t = 0 to `b` at t = 1 the short way: the path of a slerp, at a
/// speed that is not quite constant. Both have length 1, and so has the result.
static inline ox_quat ox_quat_nlerp(ox_quat a, ox_quat b, float t);

#include "oxbow/detail/vector.h"
