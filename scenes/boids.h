// SPDX-License-Identifier: MIT
//
// What the two files of the boids share: boids.c has what happens, boids_fill.c how it begins and
// what there is to see.

#pragma once

#include "scene.h"

#define FLOCK_COUNT    6
#define CELL_MOST      4 // boids of a cell that one looks at
#define CROWD_MOST     (4 * CELL_MOST)
#define DANGER_WIDTH   32    // cells of the other grid, along each side
#define EDGE           0.04f // of the world, where boids turn back
#define BOID_SPEED     0.11f // of the world, in a second
#define FLOCK_RADIUS   0.17f // of a flock at the beginning
#define PREDATOR_SPEED 0.16f
#define PREDATOR_FEAR  0.045f  // boids flee from there
#define PREDATOR_REACH 0.0045f // and are eaten from there

OX_COMPONENT(BoidPosition, { float x, y; });
OX_COMPONENT(BoidVelocity, { float x, y; });
OX_TAG(Predator);

/// No entity has it: it stands for both grids, for systems to say that they read or write them.
OX_COMPONENT(BoidsCells, { int none; });

/// Boids of a flock lie in chunks of their own, and the flock's number is there once.
OX_SHARED(Flock, {
    int number;
    uint32_t colour;
    float home_x, home_y;
});

/// What a predator is after.
OX_SHARED(Prey, { int flock; });

/// Obstacles of a kind are alike.
OX_SHARED(ObstacleKind, {
    float radius;
    float margin;
    uint32_t colour;
});

/// What boids shun, as it stands in a grid.
typedef struct Danger {
    float x, y;
    float radius;
    float reach;
    int is_predator;
} Danger;

/// A boid as its neighbours see it: a copy, so that looking costs one walk and no lookups.
typedef struct Seen {
    float x, y;
    float vx, vy;
    int flock;
} Seen;

OX_MULTIMAP(SeenCells, uint32_t, Seen);
OX_MULTIMAP(DangerCells, uint32_t, Danger);

/// Of the system BoidsGrid.
typedef struct BoidsState {
    SeenCells grid;      // boids by cell
    DangerCells dangers; // what they shun, by larger cells
    int width;           // cells of the grid along each side
    uint64_t seed;
    ox_query *shown_boids;
    ox_query *shown_hunters;
    ox_query *shown_obstacles;
} BoidsState;

/// Of systems that use the grids.
typedef struct BoidsUse {
    ox_system *grid;
} BoidsUse;

/// Adds the systems to a world. @return the state of BoidsGrid; NULL after a report.
BoidsState *boids_add_systems(ox_world *world);

static inline int cell_at(float place, int width) {
    int cell = (int)(place * (float)width);
    return cell < 0 ? 0 : (cell >= width ? width - 1 : cell);
}

static inline uint32_t cell_of(float x, float y, int width) {
    return (uint32_t)(cell_at(y, width) * width + cell_at(x, width));
}
