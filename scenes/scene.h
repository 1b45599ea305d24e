// SPDX-License-Identifier: MIT
//
// Scenes: worlds with something going on, for `make run`, tests, benchmarks and demos alike. Each
// is one file that reads from top to bottom: components, jobs, systems, how the world is filled,
// and what there is to see.
//
//     const scene *boids = scene_find("boids");
//     ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
//     boids->create(world, &(scene_def){.entities = 1000, .seed = 7});
//     ox_world_update(world, SCENE_STEP);
//     ox_world_destroy(world);
//
// A scene keeps nothing outside of its world, so there may be several at once. What happens depends
// on the def and the number of updates alone: never on the clock, the number of workers, the
// compiler or the safety level. So no function of libm is called but sqrt.

#pragma once

#include <oxbow.h>

/// Seconds of one update.
#define SCENE_STEP (1.0f / 60.0f)

/// What a scene is made with.
typedef struct scene_def {
    int entities; ///< how many; 0 means as many as the scene says
    uint64_t seed;
} scene_def;

/// Something to see. Scenes draw into a square from 0 to 1, y upwards.
typedef struct scene_dot {
    float x, y;
    float size;      ///< in the same measure; 0 is a single pixel
    uint32_t colour; ///< 0xRRGGBB
} scene_dot;

/// A scene. Static: it never changes.
typedef struct scene {
    const char *name;
    const char *what; ///< one line
    int entities;     ///< when the def says 0
    bool no_trails;   ///< each frame is drawn by itself: trails would blur it

    /// Adds systems to an empty world and fills it. @return false after a report.
    bool (*create)(ox_world *world, const scene_def *def);

    /// Lists up to `capacity` things to see, waiting for jobs where it must; allocates nothing.
    /// @return how many were listed.
    int (*draw)(ox_world *world, scene_dot *dots, int capacity);
} scene;

extern const scene scene_boids;
extern const scene scene_cubes;
extern const scene scene_deathmatch;
extern const scene scene_stream;
extern const scene scene_particles;

enum { SCENE_COUNT = 5 };

/// All of them, in the order of this list.
extern const scene *const scenes[SCENE_COUNT];

/// The scene of a name, or NULL.
const scene *scene_find(const char *name);

/// Random numbers that are the same everywhere: the state moves on, the result is below `limit`.
uint32_t scene_random(uint64_t *state, uint32_t limit);

/// The same from 0 up to 1, without it.
float scene_random_float(uint64_t *state);

/// A number of 64 bits from a seed and a number: what jobs draw random numbers from, each index its
/// own.
uint64_t scene_random_seed(uint64_t seed, uint64_t number);
