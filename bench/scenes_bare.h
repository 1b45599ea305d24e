// SPDX-License-Identifier: MIT
//
// The work of scenes by hand: one thread, plain arrays for each field, no library. What is measured
// against.

#pragma once

#include <stdint.h>

/// One scene by hand.
typedef struct bare_scene {
    void (*begin)(int entities); ///< ends what is there
    void (*frame)(float dt);
    void (*end)(void);
} bare_scene;

extern const bare_scene bare_boids;
extern const bare_scene bare_cubes;
extern const bare_scene bare_particles;
