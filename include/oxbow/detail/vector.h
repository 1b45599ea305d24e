// SPDX-License-Identifier: MIT
//
// Private: the inline functions of vector.h that are longer than a line.

#pragma once

#include "oxbow/vector.h"

// 1 / sqrt(squared), or 0 where `squared` is too small to be more than noise.
static inline float oxi_inverse_length(float squared) {
    bool is_tiny = squared < 1.17549435e-38f;
    return (is_tiny ? 0.0f : 1.0f) / ox_sqrt(is_tiny ? 1.0f : squared);
}

// The bits of a float and back, without a conversion.
static inline uint32_t oxi_float_to_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float oxi_float_from_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// |x| without its quarter turns, of which it had `quarters`: a rest of about -pi/4 to pi/4. pi/2 is
// subtracted in three parts. The first two have 8 bits and `quarters` has 16 at most, so their
// products and differences are exact; only the last one rounds.
static inline float oxi_angle_reduce(float x, uint32_t *quarters) {
    // Bits of positive floats are ordered as the floats are. Beyond 100,000 it is 0 or, where there
    // is no number, NaN. Masks, because of a ?: gcc makes a branch when floats may trap.
    uint32_t bits = oxi_float_to_bits(x) & 0x7fffffffu;
    uint32_t beyond = 0u - ((0x47c35000u - bits) >> 31);
    uint32_t no_number = 0u - ((0x7f7fffffu - bits) >> 31);
    float size = oxi_float_from_bits((bits & ~beyond) | (0x7fc00000u & no_number));

    // From 2^23 on floats are whole numbers: adding it rounds, and the low bits are the result.
    float shifted = size * 0.636619772f + 8388608.0f;
    *quarters = oxi_float_to_bits(shifted) & 0xffffu;
    float n = (float)(int32_t)*quarters;
    return size - n * 1.5703125f - n * 4.84466552734375e-4f + n * 6.39757838e-7f;
}

// The sine of `rest` plus so many quarter turns. Minimax polynomials for |rest| <= 0.8: they are
// off by 2.2e-9 and 1.2e-10, which is less than the rounding of the result.
static inline float oxi_angle_sin(float rest, uint32_t quarters) {
    float z = rest * rest;
    float s = (-1.94827752e-4f * z + 8.33187568e-3f) * z - 1.66666488e-1f;
    float c = (2.44249233e-5f * z - 1.38872518e-3f) * z + 4.16666446e-2f;
    s = rest + rest * z * s;
    c = 1.0f - (0.5f * z - z * z * c);
    uint32_t odd = 0u - (quarters & 1u);
    uint32_t bits = (oxi_float_to_bits(c) & odd) | (oxi_float_to_bits(s) & ~odd);
    return oxi_float_from_bits(bits ^ ((quarters & 2u) << 30));
}

static inline float ox_sin(float x) {
    uint32_t quarters;
    float rest = oxi_angle_reduce(x, &quarters);
    uint32_t bits = oxi_float_to_bits(oxi_angle_sin(rest, quarters));
    return oxi_float_from_bits(bits ^ (oxi_float_to_bits(x) & 0x80000000u));
}

static inline float ox_cos(float x) {
    uint32_t quarters;
    float rest = oxi_angle_reduce(x, &quarters);
    return oxi_angle_sin(rest, quarters + 1);
}

static inline void ox_sincos(float x, float *sine, float *cosine) {
    *sine = ox_sin(x);
    *cosine = ox_cos(x);
}

static inline ox_float2 ox_float2_make(float x, float y) {
    ox_float2 v = {x, y};
    return v;
}

static inline ox_float3 ox_float3_make(float x, float y, float z) {
    ox_float3 v = {x, y, z};
    return v;
}

static inline ox_float4 ox_float4_make(float x, float y, float z, float w) {
    ox_float4 v = {x, y, z, w};
    return v;
}

static inline ox_quat ox_quat_make(float x, float y, float z, float w) {
    ox_quat q = {x, y, z, w};
    return q;
}

static inline ox_quat ox_quat_from_axis_angle(ox_float3 axis, float angle) {
    float sine, cosine;
    ox_sincos(0.5f * angle, &sine, &cosine);
    return ox_quat_make(axis.x * sine, axis.y * sine, axis.z * sine, cosine);
}

static inline ox_quat ox_quat_mul(ox_quat a, ox_quat b) {
    return ox_quat_make(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                        a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                        a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

static inline ox_quat ox_quat_normalize(ox_quat q) {
    float factor = oxi_inverse_length(ox_quat_dot(q, q));
    return ox_quat_make(q.x * factor, q.y * factor, q.z * factor,
                        factor == 0.0f ? 1.0f : q.w * factor);
}

static inline ox_float3 ox_quat_rotate(ox_quat q, ox_float3 v) {
    ox_float3 axis = ox_float3_make(q.x, q.y, q.z);
    ox_float3 twice = ox_float3_scale(ox_float3_cross(axis, v), 2.0f);
    ox_float3 turned = ox_float3_add(v, ox_float3_scale(twice, q.w));
    return ox_float3_add(turned, ox_float3_cross(axis, twice));
}

static inline ox_quat ox_quat_nlerp(ox_quat a, ox_quat b, float t) {
    float sign = ox_quat_dot(a, b) < 0.0f ? -1.0f : 1.0f;
    return ox_quat_normalize(
        ox_quat_make(a.x + (b.x * sign - a.x) * t, a.y + (b.y * sign - a.y) * t,
                     a.z + (b.z * sign - a.z) * t, a.w + (b.w * sign - a.w) * t));
}

static inline ox_float2 ox_float2_normalize(ox_float2 v) {
    return ox_float2_scale(v, oxi_inverse_length(ox_float2_dot(v, v)));
}

static inline ox_float3 ox_float3_normalize(ox_float3 v) {
    return ox_float3_scale(v, oxi_inverse_length(ox_float3_dot(v, v)));
}

static inline ox_float4 ox_float4_normalize(ox_float4 v) {
    return ox_float4_scale(v, oxi_inverse_length(ox_float4_dot(v, v)));
}
