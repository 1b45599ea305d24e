// SPDX-License-Identifier: MIT
//
// What the rows of entities share: how a row is measured, and the scene that most of them work on.

#pragma once

#include "bench.h"
#include "storage_bare.h"

#include <oxbow.h>

OX_COMPONENT(BenchPosition, { float x, y, z; });
OX_COMPONENT(BenchVelocity, { float x, y, z; });
OX_COMPONENT(BenchHealth, { float now, most; });
OX_TAG(BenchTag);

/// One of the two sides of a row. Where a function is NULL, nothing is done.
typedef struct storage_side {
    void (*before)(void); ///< before each step, not timed
    void (*step)(void);   ///< what is timed
    void (*after)(void);  ///< after each step, not timed
    double (*sum)(void);  ///< of what is there after a step; both sides have the same
} storage_side;

/// One kind of work. Both sides take turns, and the best round of each counts.
typedef struct storage_work {
    const char *room; ///< first word of the row's name; NULL: "storage"
    const char *name;
    void (*begin)(void); ///< before the first round
    void (*end)(void);   ///< after the last one
    storage_side oxbow;
    storage_side limit;
    bool is_repeatable;           ///< a step may follow a step: samples have many of them
    const char *items;            ///< what the time is for each of, when it is not each of the n
    int64_t (*count_items)(void); ///< how many those are, after `begin`
} storage_work;

/// Adds rows of works, each over `n` entities. Works and names stay.
void storage_add(const storage_work *works, int count, int n);

/// The same at 1 k, 100 k and 1 M.
void storage_add_sizes(const storage_work *works, int count);

/// What the rows work on. Ids of the bare side are in the same order.
typedef struct storage_scene {
    int n;
    ox_world *world;
    ox_archetype moving;
    ox_query *positions; ///< writes positions
    ox_query *all;       ///< all with a position
    ox_entity *entities;
    ox_entity *picked; ///< the same in random order
    bare_id *bare_ids;
    bare_id *bare_picked;
    uint32_t *shuffled; ///< 0 to n - 1 in random order
} storage_scene;

extern storage_scene scene;

/// Takes memory for the arrays of the scene, and fills `shuffled`.
void scene_shuffle(void);

/// Makes an empty world and an empty bare one, and `shuffled`; and the way back.
void scene_begin(void);
void scene_end(void);

/// Begins with a world that does not keep order.
void scene_begin_swap(void);

/// Makes `n` that move, one by one.
void scene_ox_fill(void);
void scene_bare_fill(void);

/// Destroys them, one by one.
void scene_ox_empty(void);
void scene_bare_empty(void);

/// Fills `picked` from what is there.
void scene_ox_pick(void);
void scene_bare_pick(void);

/// Begins with both filled, and `picked` too.
void scene_begin_filled(void);

/// Moves all entities of a query that writes positions and reads velocities.
void scene_move_all(ox_query *moving);

/// Moves all of the bare world that have neither health nor a tag.
void scene_bare_move_all(void);

/// Sums over all that is there. No number is rounded, so order does not matter.
double scene_ox_sum(void);
double scene_bare_sum(void);

/// The values of the one with this number.
static inline bare_float3 scene_position(int k) {
    return (bare_float3){(float)(k & 1023), (float)(k & 511), (float)(k & 255)};
}

/// A random number below `limit`.
static inline uint32_t scene_random(uint32_t *state, uint32_t limit) {
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)*state * limit >> 32);
}

void bench_storage_single(void);
void bench_storage_walk(void);
void bench_storage_sets(void);
void bench_storage_removal(void);
void bench_storage_cold(void);
void bench_kinds(void);
