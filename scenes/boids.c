// SPDX-License-Identifier: MIT
//
// Boids: six flocks among stones, and predators that eat them.
//
// Each frame goes through four systems, whose jobs run on all cores:
//
//     BoidsGrid    enters boids into a grid of cells, and what they shun into another
//     BoidsSteer   turns each boid by what it sees in four cells; predators hunt in theirs
//     BoidsCatch   who is too near to a predator is eaten: commands, carried out at the frame's end
//     BoidsMove    moves whatever has a velocity
//
// Each says with `.after` which it follows: accesses never put a writer before a reader. What jobs
// wait for does follow from what they read and write: Grid reads positions, Steer writes
// velocities, Move reads those and writes positions. A grid is a container, and those know nothing
// of systems; so BoidsGrid declares that it writes the component BoidsCells, which no entity has,
// and others that they read it: their jobs wait for its.
//
// A cell is as large as holds four boids of an even spread, so the work for a boid does not depend
// on how many there are; and no boid looks at more than CELL_MOST others in a cell.

#include "boids.h"

// The grids are filled from all cores. Whoever comes first, what a cell has is read in the order of
// entities, and so sums are the same for any number of workers.

OX_JOB(ClearGrids, {
    SeenCells boids;
    DangerCells dangers;
}) {
    ox_multimap_clear(job->boids);
    ox_multimap_clear(job->dangers);
}

OX_ENTITY_JOB(EnterBoid,
              (OX_READ(BoidPosition, position), OX_READ(BoidVelocity, velocity),
               OX_READ(Flock, flock)),
              {
                  SeenCells_writer grid;
                  int width;
              }) {
    uint32_t key = cell_of(position->x, position->y, job->width);
    Seen seen = {position->x, position->y, velocity->x, velocity->y, flock->number};
    ox_multimap_write(job->grid, key, seen);
}

// What is shunned stands in every cell that it reaches: a boid then looks at its own cell only.
static void enter_danger(DangerCells_writer grid, Danger danger) {
    int left = cell_at(danger.x - danger.reach, DANGER_WIDTH);
    int right = cell_at(danger.x + danger.reach, DANGER_WIDTH);
    int bottom = cell_at(danger.y - danger.reach, DANGER_WIDTH);
    int top = cell_at(danger.y + danger.reach, DANGER_WIDTH);
    for (int y = bottom; y <= top; y++) {
        for (int x = left; x <= right; x++) {
            ox_multimap_write(grid, (uint32_t)(y * DANGER_WIDTH + x), danger);
        }
    }
}

OX_ENTITY_JOB(EnterObstacle, (OX_READ(BoidPosition, position), OX_READ(ObstacleKind, kind)),
              { DangerCells_writer grid; }) {
    enter_danger(job->grid, (Danger){.x = position->x,
                                     .y = position->y,
                                     .radius = kind->radius,
                                     .reach = kind->radius + kind->margin});
}

OX_ENTITY_JOB(EnterPredator, (OX_READ(BoidPosition, position), OX_WITH(Predator)),
              { DangerCells_writer grid; }) {
    enter_danger(job->grid, (Danger){.x = position->x,
                                     .y = position->y,
                                     .radius = PREDATOR_REACH,
                                     .reach = PREDATOR_FEAR,
                                     .is_predator = true});
}

static void destroy_grid(ox_system *system) {
    BoidsState *state = ox_system_state(system, BoidsState);
    if (ox_multimap_is_created(state->grid)) {
        ox_dispose(&state->grid);
    }
    if (ox_multimap_is_created(state->dangers)) {
        ox_dispose(&state->dangers);
    }
}

static bool create_grid(ox_system *system) {
    BoidsState *state = ox_system_state(system, BoidsState);
    state->shown_boids = ox_system_query(system, OX_READ(BoidPosition), OX_READ(Flock));
    state->shown_hunters = ox_system_query(system, OX_READ(BoidPosition), OX_WITH(Predator));
    state->shown_obstacles = ox_system_query(system, OX_READ(BoidPosition), OX_READ(ObstacleKind));
    return ox_system_declare(system, OX_WRITE(BoidsCells));
}

// Clearing is a job as well: boids of the frame before may still be looking.
OX_JOB_SYSTEM(BoidsGrid, .is_manual = true, .create = create_grid, .destroy = destroy_grid,
              .state = sizeof(BoidsState),
              .jobs = OX_JOBS(EnterBoid, EnterObstacle, EnterPredator)) {
    BoidsState *state = ox_system_state(system, BoidsState);
    ox_job cleared = ox_schedule(ClearGrids, after, {state->grid, state->dangers});
    DangerCells_writer writer = ox_multimap_writer_of(state->dangers);
    ox_job dangers = ox_schedule_entities(EnterObstacle, system, cleared, {writer});
    dangers = ox_schedule_entities(EnterPredator, system, dangers, {writer});
    ox_job boids = ox_schedule_entities(EnterBoid, system, cleared,
                                        {ox_multimap_writer_of(state->grid), state->width});
    return ox_combine(ox_multimap_merge_after(state->grid, boids),
                      ox_multimap_merge_after(state->dangers, dangers));
}

// Steering: a boid adds up what its neighbours do, and turns a little.

/// Those that a boid sees, each column by itself: loops over columns are vector code.
typedef struct Crowd {
    float x[CROWD_MOST], y[CROWD_MOST];
    float vx[CROWD_MOST], vy[CROWD_MOST];
    int flock[CROWD_MOST];
} Crowd;

/// What each of them adds: what is near counts more.
typedef struct Shares {
    float apart_x[CROWD_MOST], apart_y[CROWD_MOST];       // away from whoever is near
    float together_x[CROWD_MOST], together_y[CROWD_MOST]; // to others of the flock
    float along_x[CROWD_MOST], along_y[CROWD_MOST];       // their velocities
    float weight[CROWD_MOST];
} Shares;

// Places that nobody takes are far away from everybody.
static const Seen nobody = {9.0f, 9.0f, 0.0f, 0.0f, -1};

static inline void gather_one(Crowd *crowd, int at, const Seen *seen) {
    crowd->x[at] = seen->x;
    crowd->y[at] = seen->y;
    crowd->vx[at] = seen->vx;
    crowd->vy[at] = seen->vy;
    crowd->flock[at] = seen->flock;
}

// A handle is three words: what is called once for each boid is given its address.
static inline int gather_cell(const SeenCells *grid, uint32_t cell, Crowd *crowd, int count) {
    int full = count + CELL_MOST;
    OX_EACH_OF(*grid, cell, it) {
        gather_one(crowd, count++, it.value);
        if (count == full) {
            break;
        }
    }
    return count;
}

// The four cells whose common corner is nearest: they hold everybody within half a cell.
static inline void gather(const SeenCells *grid, ox_float2 at, int width, Crowd *crowd) {
    for (int k = 0; k < CROWD_MOST; k++) {
        gather_one(crowd, k, &nobody);
    }
    int count = 0, left = (int)(at.x * (float)width + 0.5f) - 1;
    int bottom = (int)(at.y * (float)width + 0.5f) - 1;
    for (int k = 0; k < 4; k++) {
        int x = left + (k & 1), y = bottom + (k >> 1);
        if (x >= 0 && y >= 0 && x < width && y < width) {
            count = gather_cell(grid, (uint32_t)(y * width + x), crowd, count);
        }
    }
}

static inline void share(const Crowd *crowd, ox_float2 at, float scale, int flock, Shares *all) {
    for (int k = 0; k < CROWD_MOST; k++) {
        float x = crowd->x[k] - at.x, y = crowd->y[k] - at.y;
        float near = ox_max(1.0f - (x * x + y * y) * scale, 0.0f);
        float same = crowd->flock[k] == flock ? near : 0.0f;
        float push = near * (3.0f * near - 2.0f * same); // others are kept further away
        all->apart_x[k] = -x * push;
        all->apart_y[k] = -y * push;
        all->together_x[k] = x * same;
        all->together_y[k] = y * same;
        all->along_x[k] = crowd->vx[k] * same;
        all->along_y[k] = crowd->vy[k] * same;
        all->weight[k] = same;
    }
}

// Four sums side by side are vector code, and the same everywhere.
static inline float add_up(const float *shares) {
    float sums[4];
    for (int k = 0; k < 4; k++) {
        sums[k] = (shares[k] + shares[4 + k]) + (shares[8 + k] + shares[12 + k]);
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

typedef struct Neighbours {
    ox_float2 apart, together, along;
    float weight;
} Neighbours;

static inline Neighbours look_around(const SeenCells *grid, ox_float2 at, int width, int flock) {
    Crowd crowd;
    Shares all;
    gather(grid, at, width, &crowd);
    share(&crowd, at, (float)width * (float)width, flock, &all);
    return (Neighbours){{add_up(all.apart_x), add_up(all.apart_y)},
                        {add_up(all.together_x), add_up(all.together_y)},
                        {add_up(all.along_x), add_up(all.along_y)},
                        add_up(all.weight)};
}

// Away from what is near; around stones on the side that is on the way.
static inline ox_float2 shun(DangerCells dangers, ox_float2 at, ox_float2 velocity) {
    ox_float2 turn = {0, 0};
    OX_EACH_OF(dangers, cell_of(at.x, at.y, DANGER_WIDTH), it) {
        ox_float2 away = {at.x - it.value->x, at.y - it.value->y};
        float distance = ox_float2_length(away) + 1e-6f;
        if (distance >= it.value->reach) {
            continue;
        }
        away = ox_float2_scale(away, 1.0f / distance);
        float near =
            ox_min(1.0f, (it.value->reach - distance) / (it.value->reach - it.value->radius));
        float side = velocity.x * away.y - velocity.y * away.x > 0 ? 1.0f : -1.0f;
        float around = it.value->is_predator ? 0.3f : 0.8f;
        float strength = near * (it.value->is_predator ? 3.0f : 2.5f);
        turn.x += (away.x - away.y * side * around) * strength;
        turn.y += (away.y + away.x * side * around) * strength;
    }
    return turn;
}

// Back from the edge of the world.
static inline ox_float2 turn_back(ox_float2 at) {
    ox_float2 turn = {ox_max(0.0f, EDGE - at.x) - ox_max(0.0f, at.x - (1 - EDGE)),
                      ox_max(0.0f, EDGE - at.y) - ox_max(0.0f, at.y - (1 - EDGE))};
    return ox_float2_scale(turn, 3.0f / EDGE);
}

OX_ENTITY_JOB(SteerBoid,
              (OX_READ(BoidPosition, position), OX_WRITE(BoidVelocity, velocity),
               OX_READ(Flock, flock)),
              {
                  OX_READ_ONLY SeenCells grid;
                  OX_READ_ONLY DangerCells dangers;
                  int width;
                  float dt;
                  ox_float2 goals[FLOCK_COUNT];
              }) {
    ox_float2 at = {position->x, position->y}, now = {velocity->x, velocity->y};
    Neighbours all = look_around(&job->grid, at, job->width, flock->number);
    ox_float2 turn = ox_float2_scale(all.apart, 1.6f * (float)job->width);

    float per_boid = 1.0f / (all.weight + 1e-6f);
    ox_float2 along = ox_float2_scale(all.along, per_boid / BOID_SPEED);
    ox_float2 together = ox_float2_scale(all.together, per_boid * 0.9f * (float)job->width);
    turn = ox_float2_add(turn, ox_float2_add(ox_float2_scale(along, 2.2f), together));

    ox_float2 goal = ox_float2_sub(job->goals[flock->number], at);
    turn = ox_float2_add(turn, ox_float2_scale(ox_float2_normalize(goal), 0.5f));
    turn = ox_float2_add(turn, shun(job->dangers, at, now));
    turn = ox_float2_add(turn, turn_back(at));

    ox_float2 next = ox_float2_add(now, ox_float2_scale(turn, BOID_SPEED * 4.0f * job->dt));
    float speed = ox_clamp(ox_float2_length(next), BOID_SPEED * 0.7f, BOID_SPEED * 1.5f);
    next = ox_float2_scale(ox_float2_normalize(next), speed);
    *velocity = (BoidVelocity){next.x, next.y};
}

// A predator goes for the middle of those in its cells, of whatever flock it is after.
OX_ENTITY_JOB(Hunt,
              (OX_READ(BoidPosition, position), OX_WRITE(BoidVelocity, velocity),
               OX_READ(Prey, prey), OX_WITH(Predator)),
              {
                  OX_READ_ONLY SeenCells grid;
                  OX_READ_ONLY DangerCells dangers;
                  int width;
                  float dt;
                  ox_float2 goals[FLOCK_COUNT];
              }) {
    ox_float2 at = {position->x, position->y}, now = {velocity->x, velocity->y};
    Neighbours all = look_around(&job->grid, at, job->width, prey->flock);
    ox_float2 turn = ox_float2_scale(ox_float2_normalize(all.together), 2.0f);
    ox_float2 goal = ox_float2_sub(job->goals[prey->flock], at);
    turn = ox_float2_add(turn, ox_float2_scale(ox_float2_normalize(goal), 0.6f));
    turn = ox_float2_add(turn, turn_back(at));

    ox_float2 next = ox_float2_add(now, ox_float2_scale(turn, PREDATOR_SPEED * 2.0f * job->dt));
    next = ox_float2_scale(ox_float2_normalize(next), PREDATOR_SPEED);
    *velocity = (BoidVelocity){next.x, next.y};
}

static bool read_cells(ox_system *system) {
    return ox_system_declare(system, OX_READ(BoidsCells));
}

// Flocks are drawn to points that wander, each on its own curve.
static ox_float2 find_goal(int flock, double elapsed) {
    float t = (float)elapsed * 0.35f, n = (float)flock;
    return ox_float2_make(0.5f + 0.36f * ox_sin(t * (0.8f + 0.13f * n) + n * 2.4f),
                          0.5f + 0.36f * ox_cos(t * (0.7f + 0.11f * n) + n * 1.7f));
}

OX_JOB_SYSTEM(BoidsSteer, .is_manual = true, .create = read_cells, .state = sizeof(BoidsUse),
              .inject = {OX_INJECT_SYSTEM(BoidsUse, grid, "BoidsGrid")},
              .jobs = OX_JOBS(SteerBoid, Hunt), .after = {"BoidsGrid"}) {
    BoidsState *state = ox_system_state(ox_system_state(system, BoidsUse)->grid, BoidsState);
    SteerBoid steer = {.grid = state->grid,
                       .dangers = state->dangers,
                       .width = state->width,
                       .dt = ox_system_get_delta(system)};
    Hunt hunt = {
        .grid = state->grid, .dangers = state->dangers, .width = state->width, .dt = steer.dt};
    for (int k = 0; k < FLOCK_COUNT; k++) {
        steer.goals[k] = hunt.goals[k] = find_goal(k, ox_system_get_time(system).elapsed);
    }
    ox_job hunted = ox_schedule_entities(Hunt, system, after, hunt);
    return ox_schedule_entities(SteerBoid, system, hunted, steer);
}

// Catching: commands from all cores, carried out in the order of entities. A boid that is eaten is
// destroyed, and its flock gets another at home.

static void respawn(ox_commands commands, const Flock *flock, uint64_t random) {
    float angle = scene_random_float(&random) * 2.0f * OX_PI;
    float far = FLOCK_RADIUS * ox_sqrt(scene_random_float(&random));
    float sine = ox_sin(angle), cosine = ox_cos(angle);
    ox_commands_create_entity(
        commands,
        OX_VALUE(BoidPosition, {flock->home_x + far * cosine, flock->home_y + far * sine}),
        OX_VALUE(BoidVelocity, {-sine * BOID_SPEED, cosine * BOID_SPEED}), OX_VALUE(Flock, *flock));
}

OX_ENTITY_JOB(Catch, (OX_ENTITY(self), OX_READ(BoidPosition, position), OX_READ(Flock, flock)), {
    OX_READ_ONLY DangerCells dangers;
    ox_commands commands;
    uint64_t seed;
}) {
    uint32_t cell = cell_of(position->x, position->y, DANGER_WIDTH);
    OX_EACH_OF(job->dangers, cell, it) {
        float x = position->x - it.value->x, y = position->y - it.value->y;
        if (it.value->is_predator && x * x + y * y < PREDATOR_REACH * PREDATOR_REACH) {
            ox_commands_destroy_entity(job->commands, self);
            respawn(job->commands, flock, scene_random_seed(job->seed, self.index));
            return;
        }
    }
}

OX_JOB_SYSTEM(BoidsCatch, .is_manual = true, .create = read_cells, .state = sizeof(BoidsUse),
              .inject = {OX_INJECT_SYSTEM(BoidsUse, grid, "BoidsGrid")}, .jobs = OX_JOBS(Catch),
              .after = {"BoidsGrid"}) {
    const BoidsState *state = ox_system_state(ox_system_state(system, BoidsUse)->grid, BoidsState);
    uint64_t seed = scene_random_seed(state->seed, ox_system_get_time(system).frame);
    return ox_schedule_entities(Catch, system, after,
                                {state->dangers, ox_system_commands(system), seed});
}

// Moving: a flat loop over each chunk, which the compiler makes vector code of.
OX_CHUNK_JOB(Move, (OX_WRITE(BoidPosition, position), OX_READ(BoidVelocity, velocity)),
             { float dt; }) {
    float *p = (float *)position;
    const float *v = (const float *)velocity;
    for (int k = 0; k < count * 2; k++) {
        p[k] = ox_clamp(p[k] + v[k] * job->dt, 0.0f, 0.99999f);
    }
}

OX_JOB_SYSTEM(BoidsMove, .is_manual = true, .jobs = OX_JOBS(Move),
              .after = {"BoidsSteer", "BoidsCatch"}) {
    return ox_schedule_entities(Move, system, after, {ox_system_get_delta(system)});
}

BoidsState *boids_add_systems(ox_world *world) {
    ox_system *grid = ox_system_add(world, &ox_system_BoidsGrid);
    if (grid == NULL || ox_system_add(world, &ox_system_BoidsSteer) == NULL ||
        ox_system_add(world, &ox_system_BoidsCatch) == NULL ||
        ox_system_add(world, &ox_system_BoidsMove) == NULL) {
        return NULL;
    }
    BoidsState *state = ox_system_state(grid, BoidsState);
    state->grid = ox_multimap_create(SeenCells, 0, OX_PERSISTENT);
    state->dangers = ox_multimap_create(DangerCells, 0, OX_PERSISTENT);
    return state;
}
