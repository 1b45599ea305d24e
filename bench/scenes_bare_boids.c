// SPDX-License-Identifier: MIT
//
// Boids by hand: the same grid, as cells that lie behind each other, the same sums. Where boids
// begin, and in which order they lie, is taken from the scene.

#include "scenes_bare.h"

#include "bench.h"
#include "boids.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DANGERS = 64, DANGER_CELLS = DANGER_WIDTH * DANGER_WIDTH, MOST_OF_CELL = 48 };

typedef struct seen_boid {
    float x, y, vx, vy;
    int flock;
} seen_boid;

typedef struct crowd {
    float x[CROWD_MOST], y[CROWD_MOST], vx[CROWD_MOST], vy[CROWD_MOST];
    int flock[CROWD_MOST];
} crowd;

typedef struct shares {
    float apart_x[CROWD_MOST], apart_y[CROWD_MOST], together_x[CROWD_MOST], together_y[CROWD_MOST];
    float along_x[CROWD_MOST], along_y[CROWD_MOST], weight[CROWD_MOST];
} shares;

static int boid_count, width, danger_count;
static float *px, *py, *vx, *vy;
static int *flocks;
static seen_boid *grid;
static uint32_t *cell_begin; // width * width + 1
static Danger dangers[MOST_DANGERS];
static ox_float2 danger_speeds[MOST_DANGERS];
static Danger danger_cells[DANGER_CELLS][MOST_OF_CELL];
static int danger_counts[DANGER_CELLS];
static ox_float2 goals[FLOCK_COUNT];
static double elapsed;
static uint64_t eaten;

static void read_dangers(ox_world *world) {
    ox_query *stones = ox_query_create(world, OX_READ(BoidPosition), OX_READ(ObstacleKind));
    ox_query *hunters = ox_query_create(world, OX_READ(BoidPosition), OX_WITH(Predator));
    danger_count = 0;
    OX_EACH_CHUNK(stones, chunk) {
        const BoidPosition *at = ox_chunk_get(chunk, BoidPosition);
        const ObstacleKind *kind = ox_chunk_get(chunk, ObstacleKind);
        for (int i = 0; i < chunk.count && danger_count < MOST_DANGERS; i++) {
            dangers[danger_count++] =
                (Danger){at[i].x, at[i].y, kind->radius, kind->radius + kind->margin, 0};
        }
    }
    OX_EACH_CHUNK(hunters, chunk) {
        const BoidPosition *at = ox_chunk_get(chunk, BoidPosition);
        for (int i = 0; i < chunk.count && danger_count < MOST_DANGERS; i++) {
            danger_speeds[danger_count] = (ox_float2){PREDATOR_SPEED, 0};
            dangers[danger_count++] = (Danger){at[i].x, at[i].y, PREDATOR_REACH, PREDATOR_FEAR, 1};
        }
    }
}

static void read_boids(ox_world *world) {
    ox_query *boids =
        ox_query_create(world, OX_READ(BoidPosition), OX_READ(BoidVelocity), OX_READ(Flock));
    int count = 0;
    OX_EACH_CHUNK(boids, chunk) {
        const BoidPosition *at = ox_chunk_get(chunk, BoidPosition);
        const BoidVelocity *velocity = ox_chunk_get(chunk, BoidVelocity);
        for (int i = 0; i < chunk.count && count < boid_count; i++, count++) {
            px[count] = at[i].x;
            py[count] = at[i].y;
            vx[count] = velocity[i].x;
            vy[count] = velocity[i].y;
            flocks[count] = ox_chunk_get(chunk, Flock)->number;
        }
    }
    boid_count = count;
}

static void begin_boids(int entities) {
    boid_count = entities;
    width = (int)ox_sqrt((float)entities / 4.0f) + 1;
    elapsed = 0;
    float **all[] = {&px, &py, &vx, &vy};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        *all[k] = malloc((size_t)entities * sizeof(float));
    }
    flocks = malloc((size_t)entities * sizeof *flocks);
    grid = malloc((size_t)entities * sizeof *grid);
    cell_begin = malloc(((size_t)width * (size_t)width + 1) * sizeof *cell_begin);
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    scene_boids.create(world, &(scene_def){.entities = entities, .seed = 7});
    read_boids(world);
    read_dangers(world);
    ox_world_destroy(world);
}

static void end_boids(void) {
    void *all[] = {px, py, vx, vy, flocks, grid, cell_begin};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        free(all[k]);
    }
}

// The grids: boids are counted by cell, then each goes to its place.

static void enter_boids(void) {
    size_t cells = (size_t)width * (size_t)width;
    memset(cell_begin, 0, (cells + 1) * sizeof *cell_begin);
    for (int k = 0; k < boid_count; k++) {
        cell_begin[cell_of(px[k], py[k], width)]++;
    }
    for (size_t k = 1; k <= cells; k++) {
        cell_begin[k] += cell_begin[k - 1];
    }
    for (int k = boid_count; k-- > 0;) { // backwards: the order of boids is kept
        uint32_t place = --cell_begin[cell_of(px[k], py[k], width)];
        grid[place] = (seen_boid){px[k], py[k], vx[k], vy[k], flocks[k]};
    }
}

static void enter_row(const Danger *danger, int first, int last) {
    for (int cell = first; cell <= last; cell++) {
        if (danger_counts[cell] < MOST_OF_CELL) {
            danger_cells[cell][danger_counts[cell]++] = *danger;
        }
    }
}

static void enter_dangers(void) {
    memset(danger_counts, 0, sizeof danger_counts);
    for (int k = 0; k < danger_count; k++) {
        const Danger *danger = &dangers[k];
        int left = cell_at(danger->x - danger->reach, DANGER_WIDTH);
        int right = cell_at(danger->x + danger->reach, DANGER_WIDTH);
        int top = cell_at(danger->y + danger->reach, DANGER_WIDTH);
        for (int y = cell_at(danger->y - danger->reach, DANGER_WIDTH); y <= top; y++) {
            enter_row(danger, y * DANGER_WIDTH + left, y * DANGER_WIDTH + right);
        }
    }
}

// Steering.

static inline void gather_one(crowd *all, int at, seen_boid seen) {
    all->x[at] = seen.x;
    all->y[at] = seen.y;
    all->vx[at] = seen.vx;
    all->vy[at] = seen.vy;
    all->flock[at] = seen.flock;
}

static inline int gather_cell(int cell, crowd *all, int count) {
    uint32_t begin = cell_begin[cell], end = cell_begin[cell + 1];
    end = end - begin < CELL_MOST ? end : begin + CELL_MOST;
    for (uint32_t k = begin; k < end; k++) {
        gather_one(all, count++, grid[k]);
    }
    return count;
}

static inline void gather(ox_float2 at, crowd *all) {
    for (int k = 0; k < CROWD_MOST; k++) {
        gather_one(all, k, (seen_boid){9.0f, 9.0f, 0.0f, 0.0f, -1});
    }
    int count = 0, left = (int)(at.x * (float)width + 0.5f) - 1;
    int bottom = (int)(at.y * (float)width + 0.5f) - 1;
    for (int k = 0; k < 4; k++) {
        int x = left + (k & 1), y = bottom + (k >> 1);
        if (x >= 0 && y >= 0 && x < width && y < width) {
            count = gather_cell(y * width + x, all, count);
        }
    }
}

static inline void share(const crowd *seen, ox_float2 at, int flock, shares *all) {
    float scale = (float)width * (float)width;
    for (int k = 0; k < CROWD_MOST; k++) {
        float x = seen->x[k] - at.x, y = seen->y[k] - at.y;
        float near = ox_max(1.0f - (x * x + y * y) * scale, 0.0f);
        float same = seen->flock[k] == flock ? near : 0.0f;
        float push = near * (3.0f * near - 2.0f * same);
        all->apart_x[k] = -x * push;
        all->apart_y[k] = -y * push;
        all->together_x[k] = x * same;
        all->together_y[k] = y * same;
        all->along_x[k] = seen->vx[k] * same;
        all->along_y[k] = seen->vy[k] * same;
        all->weight[k] = same;
    }
}

static inline float add_up(const float *shared) {
    float sums[4];
    for (int k = 0; k < 4; k++) {
        sums[k] = (shared[k] + shared[4 + k]) + (shared[8 + k] + shared[12 + k]);
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

static inline ox_float2 shun(ox_float2 at, ox_float2 velocity) {
    ox_float2 turn = {0, 0};
    uint32_t cell = cell_of(at.x, at.y, DANGER_WIDTH);
    for (int k = 0; k < danger_counts[cell]; k++) {
        const Danger *danger = &danger_cells[cell][k];
        ox_float2 away = {at.x - danger->x, at.y - danger->y};
        float distance = ox_float2_length(away) + 1e-6f;
        if (distance >= danger->reach) {
            continue;
        }
        away = ox_float2_scale(away, 1.0f / distance);
        float near = ox_min(1.0f, (danger->reach - distance) / (danger->reach - danger->radius));
        float side = velocity.x * away.y - velocity.y * away.x > 0 ? 1.0f : -1.0f;
        float around = danger->is_predator ? 0.3f : 0.8f;
        float strength = near * (danger->is_predator ? 3.0f : 2.5f);
        turn.x += (away.x - away.y * side * around) * strength;
        turn.y += (away.y + away.x * side * around) * strength;
    }
    return turn;
}

static inline ox_float2 turn_back(ox_float2 at) {
    ox_float2 turn = {ox_max(0.0f, EDGE - at.x) - ox_max(0.0f, at.x - (1 - EDGE)),
                      ox_max(0.0f, EDGE - at.y) - ox_max(0.0f, at.y - (1 - EDGE))};
    return ox_float2_scale(turn, 3.0f / EDGE);
}

static inline void steer_boid(int k, float dt) {
    ox_float2 at = {px[k], py[k]}, now = {vx[k], vy[k]};
    crowd seen;
    shares all;
    gather(at, &seen);
    share(&seen, at, flocks[k], &all);
    float scale = 1.6f * (float)width, per_boid = 1.0f / (add_up(all.weight) + 1e-6f);
    float along = 2.2f * per_boid / BOID_SPEED, together = per_boid * 0.9f * (float)width;
    ox_float2 goal = ox_float2_normalize(ox_float2_sub(goals[flocks[k]], at));
    ox_float2 turn = {add_up(all.apart_x) * scale + add_up(all.along_x) * along +
                          add_up(all.together_x) * together + goal.x * 0.5f,
                      add_up(all.apart_y) * scale + add_up(all.along_y) * along +
                          add_up(all.together_y) * together + goal.y * 0.5f};
    turn = ox_float2_add(turn, ox_float2_add(shun(at, now), turn_back(at)));
    ox_float2 next = ox_float2_add(now, ox_float2_scale(turn, BOID_SPEED * 4.0f * dt));
    float speed = ox_clamp(ox_float2_length(next), BOID_SPEED * 0.7f, BOID_SPEED * 1.5f);
    next = ox_float2_scale(ox_float2_normalize(next), speed);
    vx[k] = next.x;
    vy[k] = next.y;
}

// Those that are eaten begin anew where they were hatched.
static inline void catch_boid(int k) {
    uint32_t cell = cell_of(px[k], py[k], DANGER_WIDTH);
    for (int n = 0; n < danger_counts[cell]; n++) {
        const Danger *danger = &danger_cells[cell][n];
        float x = px[k] - danger->x, y = py[k] - danger->y;
        if (danger->is_predator && x * x + y * y < PREDATOR_REACH * PREDATOR_REACH) {
            uint64_t random = scene_random_seed(eaten++, (uint64_t)k);
            px[k] = 0.2f + 0.6f * scene_random_float(&random);
            py[k] = 0.2f + 0.6f * scene_random_float(&random);
            return;
        }
    }
}

static void move_boids(float dt) {
    for (int k = 0; k < boid_count; k++) {
        px[k] = ox_clamp(px[k] + vx[k] * dt, 0.0f, 0.99999f);
    }
    for (int k = 0; k < boid_count; k++) {
        py[k] = ox_clamp(py[k] + vy[k] * dt, 0.0f, 0.99999f);
    }
}

// There are so few of them that how they turn does not count.
static void move_predators(float dt) {
    for (int k = 0; k < danger_count; k++) {
        if (dangers[k].is_predator) {
            ox_float2 at = {dangers[k].x, dangers[k].y};
            ox_float2 way = ox_float2_sub(goals[k % FLOCK_COUNT], at);
            way = ox_float2_add(danger_speeds[k], ox_float2_scale(way, dt));
            danger_speeds[k] = ox_float2_scale(ox_float2_normalize(way), PREDATOR_SPEED);
            dangers[k].x = ox_clamp(at.x + danger_speeds[k].x * dt, 0.0f, 0.99999f);
            dangers[k].y = ox_clamp(at.y + danger_speeds[k].y * dt, 0.0f, 0.99999f);
        }
    }
}

static void frame_boids(float dt) {
    elapsed += dt;
    for (int k = 0; k < FLOCK_COUNT; k++) {
        float t = (float)elapsed * 0.35f, n = (float)k;
        goals[k] = ox_float2_make(0.5f + 0.36f * ox_sin(t * (0.8f + 0.13f * n) + n * 2.4f),
                                  0.5f + 0.36f * ox_cos(t * (0.7f + 0.11f * n) + n * 1.7f));
    }
    enter_boids();
    enter_dangers();
    for (int k = 0; k < boid_count; k++) {
        steer_boid(k, dt);
        catch_boid(k);
    }
    move_boids(dt);
    move_predators(dt);
    bench_keep(px);
}

const bare_scene bare_boids = {begin_boids, frame_boids, end_boids};
