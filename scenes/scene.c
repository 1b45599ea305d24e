// SPDX-License-Identifier: MIT
//
// The list of scenes, and random numbers for them: splitmix64, whose state is a counter.

#include "scene.h"

#include <string.h>

const scene *const scenes[SCENE_COUNT] = {
    &scene_boids, &scene_cubes, &scene_deathmatch, &scene_stream, &scene_particles,
};

const scene *scene_find(const char *name) {
    for (int k = 0; k < SCENE_COUNT; k++) {
        if (strcmp(scenes[k]->name, name) == 0) {
            return scenes[k];
        }
    }
    return NULL;
}

static uint64_t mix_number(uint64_t number) {
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return number ^ number >> 31;
}

uint32_t scene_random(uint64_t *state, uint32_t limit) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((mix_number(*state) >> 32) * limit >> 32);
}

float scene_random_float(uint64_t *state) {
    return (float)scene_random(state, 1 << 24) / (float)(1 << 24);
}

uint64_t scene_random_seed(uint64_t seed, uint64_t number) {
    return mix_number(seed + number * UINT64_C(0x9e3779b97f4a7c15));
}
