// SPDX-License-Identifier: MIT
//
// How the boids begin: each flock around its home, stones in between, and predators anywhere.
// And what there is to see of them.

#include "boids.h"

enum { BOIDS_FOR_ONE_PREDATOR = 4000, MOST_PREDATORS = 400 };

static const uint32_t flock_colours[FLOCK_COUNT] = {
    0x29b6f6, 0xff9029, 0xf0387a, 0x4fc860, 0xa94fe0, 0xffe14d,
};

// Large stones and small ones: a kind is one value, wherever its obstacles are.
static const ObstacleKind obstacle_kinds[] = {
    {.radius = 0.045f, .margin = 0.03f, .colour = 0x2b3440},
    {.radius = 0.022f, .margin = 0.02f, .colour = 0x37424f},
    {.radius = 0.009f, .margin = 0.012f, .colour = 0x465363},
};

static const struct {
    float x, y;
    int kind;
} obstacles[] = {
    {0.27f, 0.66f, 0}, {0.71f, 0.36f, 0}, {0.52f, 0.83f, 1}, {0.16f, 0.28f, 1},
    {0.85f, 0.69f, 1}, {0.46f, 0.19f, 1}, {0.60f, 0.62f, 2}, {0.40f, 0.44f, 2},
    {0.12f, 0.86f, 2}, {0.89f, 0.14f, 2}, {0.66f, 0.93f, 2}, {0.33f, 0.07f, 2},
};

OX_ARRAY(Order, uint64_t);

static Flock make_flock(int number) {
    float angle = (float)number * 2.0f * OX_PI / FLOCK_COUNT;
    return (Flock){.number = number,
                   .colour = flock_colours[number],
                   .home_x = 0.5f + 0.3f * ox_cos(angle),
                   .home_y = 0.5f + 0.3f * ox_sin(angle)};
}

// A boid somewhere in the circle of its flock, flying around the middle of it.
static BoidPosition place_boid(const Flock *flock, uint64_t random, BoidVelocity *velocity) {
    float angle = scene_random_float(&random) * 2.0f * OX_PI;
    float far = FLOCK_RADIUS * ox_sqrt(scene_random_float(&random));
    float sine = ox_sin(angle), cosine = ox_cos(angle);
    *velocity = (BoidVelocity){-sine * BOID_SPEED, cosine * BOID_SPEED};
    return (BoidPosition){flock->home_x + far * cosine, flock->home_y + far * sine};
}

// Every second bit of the result is one of the number: two of these make a curve through the plane
// on which what is near stays near.
static uint64_t spread_bits(uint64_t number) {
    number = (number | number << 8) & 0x00ff00ff;
    number = (number | number << 4) & 0x0f0f0f0f;
    number = (number | number << 2) & 0x33333333;
    return (number | number << 1) & 0x55555555;
}

// Boids are created along that curve. Neighbours in the world are then neighbours in memory, for as
// long as they fly together: what one of them looked at is in the cache for the next.
static bool add_flock(ox_world *world, const Flock *flock, uint64_t *order, int count,
                      uint64_t seed) {
    BoidVelocity velocity;
    for (int k = 0; k < count; k++) {
        BoidPosition at = place_boid(flock, scene_random_seed(seed, (uint64_t)k), &velocity);
        uint64_t x = (uint64_t)cell_at(at.x, 65536), y = (uint64_t)cell_at(at.y, 65536);
        order[k] = (spread_bits(x) | spread_bits(y) << 1) << 32 | (uint64_t)k;
    }
    ox_sort(order, count, uint64_t, NULL, NULL);
    for (int k = 0; k < count; k++) {
        uint64_t random = scene_random_seed(seed, order[k] & UINT32_MAX);
        BoidPosition at = place_boid(flock, random, &velocity);
        ox_entity boid =
            ox_entity_create(world, OX_VALUE(BoidPosition, at), OX_VALUE(BoidVelocity, velocity),
                             OX_VALUE(Flock, *flock));
        if (ox_entity_is_null(boid)) {
            return false;
        }
    }
    return true;
}

static bool add_boids(ox_world *world, int count, uint64_t seed) {
    Order order = ox_array_create(Order, count / FLOCK_COUNT + 1, OX_PERSISTENT);
    bool is_filled = ox_array_is_created(order);
    for (int k = 0; k < FLOCK_COUNT && is_filled; k++) {
        Flock flock = make_flock(k);
        int boids = count / FLOCK_COUNT + (k < count % FLOCK_COUNT ? 1 : 0);
        is_filled = add_flock(world, &flock, ox_array_edit_data(order), boids,
                              scene_random_seed(seed, (uint64_t)k));
    }
    if (ox_array_is_created(order)) {
        ox_dispose(&order);
    }
    return is_filled;
}

static bool add_predators(ox_world *world, int count, uint64_t *random) {
    for (int k = 0; k < count; k++) {
        float x = scene_random_float(random), y = scene_random_float(random);
        ox_entity predator = ox_entity_create(
            world, OX_VALUE(BoidPosition, {x, y}), OX_VALUE(BoidVelocity, {PREDATOR_SPEED, 0}),
            OX_VALUE(Prey, {k % FLOCK_COUNT}), OX_VALUE_TAG(Predator));
        if (ox_entity_is_null(predator)) {
            return false;
        }
    }
    return true;
}

static bool add_obstacles(ox_world *world) {
    for (size_t k = 0; k < sizeof obstacles / sizeof obstacles[0]; k++) {
        ox_entity stone =
            ox_entity_create(world, OX_VALUE(BoidPosition, {obstacles[k].x, obstacles[k].y}),
                             OX_VALUE(ObstacleKind, obstacle_kinds[obstacles[k].kind]));
        if (ox_entity_is_null(stone)) {
            return false;
        }
    }
    return true;
}

static bool create_boids(ox_world *world, const scene_def *def) {
    int count = def->entities > 0 ? def->entities : scene_boids.entities;
    BoidsState *state = boids_add_systems(world);
    if (state == NULL) {
        return false;
    }
    state->seed = def->seed;
    state->width = (int)ox_sqrt((float)count / 4.0f) + 1;

    int predators = count / BOIDS_FOR_ONE_PREDATOR + 1;
    predators = predators < MOST_PREDATORS ? predators : MOST_PREDATORS;
    uint64_t random = scene_random_seed(def->seed, 0);
    return add_obstacles(world) && add_predators(world, predators, &random) &&
           add_boids(world, count, random);
}

static int list_obstacles(ox_query *query, scene_dot *dots, int capacity) {
    int listed = 0;
    OX_EACH_CHUNK(query, chunk) {
        const BoidPosition *position = ox_chunk_get(chunk, BoidPosition);
        const ObstacleKind *kind = ox_chunk_get(chunk, ObstacleKind);
        for (int i = 0; i < chunk.count && listed < capacity; i++) {
            dots[listed++] =
                (scene_dot){position[i].x, position[i].y, kind->radius * 2, kind->colour};
        }
    }
    return listed;
}

static int list_boids(ox_query *query, scene_dot *dots, int capacity) {
    int listed = 0;
    OX_EACH_CHUNK(query, chunk) {
        const BoidPosition *position = ox_chunk_get(chunk, BoidPosition);
        uint32_t colour = ox_chunk_get(chunk, Flock)->colour;
        for (int i = 0; i < chunk.count && listed < capacity; i++) {
            dots[listed++] = (scene_dot){position[i].x, position[i].y, 0, colour};
        }
    }
    return listed;
}

static int list_hunters(ox_query *query, scene_dot *dots, int capacity) {
    int listed = 0;
    OX_EACH_CHUNK(query, chunk) {
        const BoidPosition *position = ox_chunk_get(chunk, BoidPosition);
        for (int i = 0; i < chunk.count && listed < capacity; i++) {
            dots[listed++] =
                (scene_dot){position[i].x, position[i].y, PREDATOR_REACH * 1.5f, 0xffffff};
        }
    }
    return listed;
}

static int draw_boids(ox_world *world, scene_dot *dots, int capacity) {
    const BoidsState *state = ox_system_state(ox_system_find(world, "BoidsGrid"), BoidsState);
    int listed = list_obstacles(state->shown_obstacles, dots, capacity);
    listed += list_boids(state->shown_boids, dots + listed, capacity - listed);
    return listed + list_hunters(state->shown_hunters, dots + listed, capacity - listed);
}

const scene scene_boids = {
    .name = "boids",
    .what = "six flocks, obstacles, and predators that eat and respawn them",
    .entities = 100000,
    .create = create_boids,
    .draw = draw_boids,
};
