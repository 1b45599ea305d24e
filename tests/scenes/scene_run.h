// SPDX-License-Identifier: MIT
//
// Running scenes for tests: small ones, for a number of frames, and the hashes that they come to.

#pragma once

#include "scene.h"

/// A scene at a small size, and the hash of its world after so many frames.
typedef struct golden_scene {
    const char *name;
    int entities;
    int frames;
    uint64_t seed;
    uint64_t hash;
} golden_scene;

/// What tests/scenes/golden.h says, and how many rows that is.
extern const golden_scene golden_scenes[];
extern const int golden_scene_count;

/// The row of a scene, or NULL.
const golden_scene *golden_find(const char *name);

/// Makes a world with a scene in it. NULL after a report.
ox_world *scene_begin(const scene *what, int entities, uint64_t seed);

/// One update, and the end of the frame.
void scene_step(ox_world *world);

/// Makes a world, runs its frames, and takes it away. @return its hash, 0 after a report.
uint64_t scene_run(const scene *what, const golden_scene *golden, int workers);
