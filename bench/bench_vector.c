// SPDX-License-Identifier: MIT
//
// Sine and cosine, and rotations, over arrays that stay in the cache.
//
// The limits are the same sums written out over plain arrays of float, in the same layout: for the
// sine without the care for angles out of range, infinities and the sign of zero.

#include "bench.h"

#include "oxbow/vector.h"

#include <math.h>

enum { COUNT = 4096 };

static float angles[COUNT], sines[COUNT], cosines[COUNT];
static ox_quat rotations[COUNT];
static ox_float3 points[COUNT], rotated[COUNT];

static void fill_angles(void) {
    for (int k = 0; k < COUNT; k++) {
        angles[k] = (float)(k - COUNT / 2) * 0.05f;
    }
}

static void keep_sincos(void) {
    bench_keep(sines);
    bench_keep(cosines);
}

static void sincos_ours(void) {
    for (int k = 0; k < COUNT; k++) {
        ox_sincos(angles[k], &sines[k], &cosines[k]);
    }
    keep_sincos();
}

static void sincos_limit(void) {
    // 1.5 * 2^23: adding and subtracting it rounds numbers of both signs to whole ones.
    const float round = 12582912.0f;
    for (int k = 0; k < COUNT; k++) {
        float x = angles[k];
        float shifted = x * 0.636619772f + round;
        uint32_t quarters = oxi_float_to_bits(shifted);
        float n = shifted - round;
        float r = x - n * 1.5703125f - n * 4.84466552734375e-4f + n * 6.39757838e-7f;
        float z = r * r;
        float s = (-1.94827752e-4f * z + 8.33187568e-3f) * z - 1.66666488e-1f;
        float c = (2.44249233e-5f * z - 1.38872518e-3f) * z + 4.16666446e-2f;
        s = r + r * z * s;
        c = 1.0f - (0.5f * z - z * z * c);
        float sine = (quarters & 1u) != 0 ? c : s;
        float cosine = (quarters & 1u) != 0 ? s : c;
        sines[k] = (quarters & 2u) != 0 ? -sine : sine;
        cosines[k] = ((quarters + 1u) & 2u) != 0 ? -cosine : cosine;
    }
    keep_sincos();
}

static void sincos_libm(void) {
    for (int k = 0; k < COUNT; k++) {
        sines[k] = sinf(angles[k]);
        cosines[k] = cosf(angles[k]);
    }
    keep_sincos();
}

static void fill_rotations(void) {
    ox_float3 axis = ox_float3_normalize(ox_float3_make(1.0f, 2.0f, 3.0f));
    for (int k = 0; k < COUNT; k++) {
        rotations[k] = ox_quat_from_axis_angle(axis, (float)k * 0.01f);
        points[k] = ox_float3_make((float)k, (float)(k * 7 % 100), 1.0f);
    }
}

static void rotate_ours(void) {
    for (int k = 0; k < COUNT; k++) {
        rotated[k] = ox_quat_rotate(rotations[k], points[k]);
    }
    bench_keep(rotated);
}

static void rotate_limit(void) {
    const float *q = &rotations[0].x;
    const float *v = &points[0].x;
    float *out = &rotated[0].x;
    for (int k = 0; k < COUNT; k++, q += 4, v += 3, out += 3) {
        float tx = 2.0f * (q[1] * v[2] - q[2] * v[1]);
        float ty = 2.0f * (q[2] * v[0] - q[0] * v[2]);
        float tz = 2.0f * (q[0] * v[1] - q[1] * v[0]);
        out[0] = v[0] + q[3] * tx + (q[1] * tz - q[2] * ty);
        out[1] = v[1] + q[3] * ty + (q[2] * tx - q[0] * tz);
        out[2] = v[2] + q[3] * tz + (q[0] * ty - q[1] * tx);
    }
    bench_keep(rotated);
}

void bench_vector(void) {
    bench_add(&(bench_row){.name = "vector.sincos",
                           .n = COUNT,
                           .setup = fill_angles,
                           .step = sincos_ours,
                           .limit = sincos_limit,
                           .peer_name = "libm",
                           .peer = sincos_libm});
    bench_add(&(bench_row){.name = "vector.rotate",
                           .n = COUNT,
                           .setup = fill_rotations,
                           .step = rotate_ours,
                           .limit = rotate_limit});
}
