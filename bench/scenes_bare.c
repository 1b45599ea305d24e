// SPDX-License-Identifier: MIT
//
// Cubes and particles by hand.

#include "scenes_bare.h"

#include "bench.h"
#include "scene.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ARRAYS = 12 };

static void *arrays[MOST_ARRAYS];
static int array_count;
static int item_count;

static float *make_floats(int count) {
    float *made = malloc((size_t)count * sizeof(float));
    for (int k = 0; k < count; k++) {
        made[k] = 0; // each page is touched
    }
    arrays[array_count++] = made;
    return made;
}

static void end_arrays(void) {
    while (array_count > 0) {
        free(arrays[--array_count]);
    }
}

// Cubes.

static float *qx, *qy, *qz, *qw, *speeds, *cosines, *sines, *radii, *places_x, *places_y;

static void begin_cubes(int entities) {
    uint64_t random = 7;
    item_count = entities;
    float **all[] = {&qx, &qy, &qz, &qw, &speeds, &cosines, &sines, &radii, &places_x, &places_y};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        *all[k] = make_floats(entities);
    }
    for (int k = 0; k < entities; k++) {
        qw[k] = cosines[k] = 1;
        speeds[k] = 0.5f + 3.5f * scene_random_float(&random);
        radii[k] = 0.02f + 0.46f * scene_random_float(&random);
    }
}

static void turn_all(float dt) {
    float *restrict rx = qx, *restrict ry = qy, *restrict rz = qz, *restrict rw = qw;
    const float *restrict speed = speeds;
    for (int k = 0; k < item_count; k++) {
        float half = speed[k] * dt * 0.5f;
        float sine = half - half * half * half * (1.0f / 6.0f);
        float cosine = 1.0f - half * half * 0.5f;
        float x = rx[k] * cosine - rz[k] * sine, z = rz[k] * cosine + rx[k] * sine;
        float y = ry[k] * cosine + rw[k] * sine, w = rw[k] * cosine - ry[k] * sine;
        float length = 1.5f - 0.5f * (x * x + y * y + z * z + w * w);
        rx[k] = x * length;
        ry[k] = y * length;
        rz[k] = z * length;
        rw[k] = w * length;
    }
}

static void circle_all(float dt) {
    float *restrict c = cosines, *restrict s = sines;
    float *restrict px = places_x, *restrict py = places_y;
    const float *restrict far = radii;
    for (int k = 0; k < item_count; k++) {
        float angle = dt * 0.02f / (far[k] + 0.05f);
        float cosine = c[k] - s[k] * angle, sine = s[k] + c[k] * angle;
        float length = 1.5f - 0.5f * (cosine * cosine + sine * sine);
        c[k] = cosine * length;
        s[k] = sine * length;
        px[k] = 0.5f + c[k] * far[k];
        py[k] = 0.5f + s[k] * far[k];
    }
}

static void frame_cubes(float dt) {
    turn_all(dt);
    circle_all(dt);
    bench_keep(qx);
}

const bare_scene bare_cubes = {begin_cubes, frame_cubes, end_arrays};

// Particles: those that burn out give their place to the last one.

enum { FOUNTAINS = 64, SHORTEST = 60, LONGEST = 180, MEAN = 120 };

static float *sx, *sy, *svx, *svy;
static uint32_t *ends;
static uint32_t frame_number;
static int spark_room, births;
static uint64_t randoms[FOUNTAINS];

static void push_spark(uint64_t *random, float x, uint32_t end) {
    float side = scene_random_float(random) + scene_random_float(random) - 1.0f;
    sx[item_count] = x;
    sy[item_count] = 0.05f;
    svx[item_count] = side * 0.3f;
    svy[item_count] = 0.85f * (0.6f + 0.4f * scene_random_float(random));
    ends[item_count++] = end;
}

static uint32_t random_life(uint64_t *random) {
    return SHORTEST + scene_random(random, LONGEST - SHORTEST + 1);
}

static void begin_particles(int entities) {
    spark_room = entities + entities / 4 + 1000;
    float **all[] = {&sx, &sy, &svx, &svy};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        *all[k] = make_floats(spark_room);
    }
    ends = (uint32_t *)(void *)make_floats(spark_room);
    item_count = 0;
    frame_number = 0;
    births = entities / MEAN;
    for (int k = 0; k < FOUNTAINS; k++) {
        randoms[k] = scene_random_seed(7, (uint64_t)k);
    }
    while (item_count < entities) {
        uint64_t *random = &randoms[item_count / 256 % FOUNTAINS];
        uint32_t end = 1 + scene_random(random, random_life(random));
        for (int n = 0; n < 256 && item_count < entities; n++) {
            push_spark(random, 0.5f, end);
        }
    }
}

static void fly_all(float dt) {
    float *restrict x = sx, *restrict y = sy, *restrict vx = svx, *restrict vy = svy;
    float pull = 0.6f * dt, wind = 0.02f * dt;
    for (int k = 0; k < item_count; k++) {
        x[k] += vx[k] * dt;
        y[k] += vy[k] * dt;
        vx[k] += wind;
        vy[k] -= pull;
    }
}

static void burn_out_all(void) {
    for (int k = 0; k < item_count;) {
        if (ends[k] > frame_number) {
            k++;
            continue;
        }
        int last = --item_count;
        sx[k] = sx[last];
        sy[k] = sy[last];
        svx[k] = svx[last];
        svy[k] = svy[last];
        ends[k] = ends[last];
    }
}

static void frame_particles(float dt) {
    frame_number++;
    fly_all(dt);
    burn_out_all();
    for (int k = 0; k < FOUNTAINS; k++) {
        uint32_t end = frame_number + random_life(&randoms[k]);
        int burst = births / FOUNTAINS + (k < births % FOUNTAINS);
        for (int n = 0; n < burst && item_count < spark_room; n++) {
            push_spark(&randoms[k], ((float)k + 0.5f) / FOUNTAINS, end);
        }
    }
    bench_keep(sx);
}

const bare_scene bare_particles = {begin_particles, frame_particles, end_arrays};
