// SPDX-License-Identifier: MIT
//
// Particles: fountains of sparks that live for a second or two. In every frame a hundredth of them
// is born and as many burn out, all through commands that jobs record.
//
// A burst is born together and dies together, so what is created as a run of commands is destroyed
// as one: rows that lie behind each other go, and the others of a chunk need not be moved one by
// one.

#include "scene.h"

OX_COMPONENT(SparkPlace, { float x, y; });
OX_COMPONENT(SparkSpeed, { float x, y; });
OX_COMPONENT(SparkEnd, { int frame; }); // the frame in which it burns out

OX_COMPONENT(Fountain, {
    float x, y;
    float lean;      // of its jet, to the right
    uint32_t burst;  // sparks in each frame
    uint64_t random; // state of its own, so that fountains can work side by side
});

enum {
    FOUNTAINS = 64,
    FOUNTAINS_OF_FAN = 16, // that stand at one place, and lean further and further
    SHORTEST_LIFE = 60,    // frames
    LONGEST_LIFE = 180,
    MEAN_LIFE = (SHORTEST_LIFE + LONGEST_LIFE) / 2,
    BURST_MOST = 256, // sparks that the world is filled with at once
};

#define PULL   0.6f  // of gravity, in widths of the picture per second and second
#define WIND   0.02f // likewise
#define LEAN   0.2f  // of the outermost jets of a fan, likewise per second
#define SPREAD 0.015f
#define RISE   1.0f

// What a burst has in common: how long it lives. What a spark has of its own: where it flies to.

static int random_life(uint64_t *random) {
    return SHORTEST_LIFE + (int)scene_random(random, LONGEST_LIFE - SHORTEST_LIFE + 1);
}

// Jets that lean rise less.
static SparkSpeed random_speed(uint64_t *random, float lean) {
    float side = scene_random_float(random) + scene_random_float(random) - 1.0f;
    float rise = 0.94f + 0.06f * scene_random_float(random) - 8.0f * lean * lean;
    return (SparkSpeed){lean + side * SPREAD, rise * RISE};
}

// Sparks are born. A job for each fountain: the commands of all of them are carried out in the
// order of fountains, whichever thread recorded them.

OX_VIEWS(Fountains, (OX_WRITE(Fountain, fountain)));

OX_PARALLEL_JOB(Emit, {
    ox_view fountains;
    ox_commands commands;
    int frame;
}) {
    Fountain *fountain = ox_view_edit(job->fountains, i, Fountain);
    SparkEnd end = {job->frame + random_life(&fountain->random)};
    float apart = SCENE_STEP / (float)fountain->burst; // seconds between one spark and the next
    for (uint32_t k = 0; k < fountain->burst; k++) {
        SparkSpeed speed = random_speed(&fountain->random, fountain->lean);
        float past = (float)k * apart;
        ox_commands_create_entity(
            job->commands,
            OX_VALUE(SparkPlace, {fountain->x + speed.x * past, fountain->y + speed.y * past}),
            OX_VALUE(SparkSpeed, speed), OX_VALUE(SparkEnd, end));
    }
}

typedef struct EmitState {
    Fountains all;
} EmitState;

OX_JOB_SYSTEM(ParticlesEmit, .is_manual = true, .state = sizeof(EmitState),
              .inject = {OX_INJECT_VIEWS(EmitState, all, Fountains)}) {
    EmitState *state = ox_system_state(system, EmitState);
    return ox_schedule_for(Emit, state->all.count, 1, after,
                           {.fountains = state->all.fountain,
                            .commands = ox_system_commands(system),
                            .frame = (int)ox_system_get_time(system).frame});
}

// Sparks fly. A job for each chunk, whose columns are plain arrays. The same is done to x and y, so
// the compiler makes one vector loop of it.

OX_CHUNK_JOB(Fly, (OX_WRITE(SparkPlace, place), OX_WRITE(SparkSpeed, speed)), { float dt; }) {
    float dt = job->dt, wind = WIND * job->dt, pull = PULL * job->dt;
    for (int i = 0; i < count; i++) {
        place[i].x += speed[i].x * dt;
        place[i].y += speed[i].y * dt;
        speed[i].x += wind;
        speed[i].y -= pull;
    }
}

OX_JOB_SYSTEM(ParticlesFly, .is_manual = true, .jobs = OX_JOBS(Fly)) {
    return ox_schedule_entities(Fly, system, after, {.dt = ox_system_get_delta(system)});
}

// Sparks burn out. Most chunks have none that do, which a loop without branches finds out sooner.

OX_CHUNK_JOB(BurnOut, (OX_ENTITY(sparks), OX_READ(SparkEnd, end)), {
    ox_commands commands;
    int frame;
}) {
    int frame = job->frame, any = 0;
    for (int i = 0; i < count; i++) {
        any |= end[i].frame <= frame;
    }
    for (int i = 0; i < count && any != 0; i++) {
        if (end[i].frame <= frame) {
            ox_commands_destroy_entity(job->commands, sparks[i]);
        }
    }
}

OX_JOB_SYSTEM(ParticlesBurnOut, .is_manual = true, .jobs = OX_JOBS(BurnOut)) {
    return ox_schedule_entities(
        BurnOut, system, after,
        {.commands = ox_system_commands(system), .frame = (int)ox_system_get_time(system).frame});
}

// What there is to see. Its query lives as long as the world, so that drawing allocates nothing.

typedef struct DrawState {
    ox_query *sparks;
} DrawState;

static bool create_draw(ox_system *system) {
    DrawState *state = ox_system_state(system, DrawState);
    state->sparks = ox_query_create(system->world, OX_READ(SparkPlace), OX_READ(SparkSpeed));
    return state->sparks != NULL;
}

OX_SYSTEM(ParticlesDraw, .is_manual = true, .in = "Presentation", .starts_off = true,
          .create = create_draw, .state = sizeof(DrawState)) {
}

// From white through yellow to red, as they lose speed.
static uint32_t colour_of(SparkSpeed speed) {
    float heat = ox_clamp((speed.y + 0.4f * RISE) / (1.4f * RISE), 0.0f, 1.0f);
    uint32_t green = (uint32_t)(40 + 215 * heat), blue = (uint32_t)(200 * heat * heat);
    return 0xff0000 | green << 8 | blue;
}

static int draw_particles(ox_world *world, scene_dot *dots, int capacity) {
    int count = 0;
    OX_EACH_CHUNK(ox_system_state(ox_system_find(world, "ParticlesDraw"), DrawState)->sparks,
                  chunk) {
        const SparkPlace *place = ox_chunk_get(chunk, SparkPlace);
        const SparkSpeed *speed = ox_chunk_get(chunk, SparkSpeed);
        for (int i = 0; i < chunk.count && count < capacity; i++) {
            dots[count++] = (scene_dot){place[i].x, place[i].y, 0, colour_of(speed[i])};
        }
    }
    return count;
}

// How the world is filled: as it looks once as many burn out as are born.

static Fountain make_fountain(int number, int burst, uint64_t seed) {
    int fan = number / FOUNTAINS_OF_FAN, jet = number % FOUNTAINS_OF_FAN;
    float fans = (float)FOUNTAINS / FOUNTAINS_OF_FAN, jets = FOUNTAINS_OF_FAN - 1;
    return (Fountain){.x = ((float)fan + 0.5f) / fans,
                      .y = 0.05f,
                      .lean = LEAN * (2.0f * (float)jet / jets - 1.0f),
                      .burst = (uint32_t)burst,
                      .random = scene_random_seed(seed, 1 + (uint64_t)number)};
}

// A burst of some time ago.
static bool light_burst(ox_world *world, const Fountain *from, uint64_t *random, int count) {
    ox_entity sparks[BURST_MOST];
    int life = random_life(random), age = (int)scene_random(random, (uint32_t)life);
    if (!ox_entities_create(world, ox_archetype_of(world, SparkPlace, SparkSpeed, SparkEnd), sparks,
                            count)) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        SparkSpeed speed = random_speed(random, from->lean);
        float past = ((float)age + (float)k / (float)count) * SCENE_STEP;
        float x = from->x + speed.x * past + WIND * past * past / 2;
        float y = from->y + speed.y * past - PULL * past * past / 2;
        ox_set(world, sparks[k], SparkPlace, {x, y});
        ox_set(world, sparks[k], SparkSpeed, {speed.x + WIND * past, speed.y - PULL * past});
        ox_set(world, sparks[k], SparkEnd, {1 + life - age});
    }
    return true;
}

static bool fill_world(ox_world *world, int sparks, uint64_t seed) {
    Fountain fountains[FOUNTAINS];
    int births = sparks > MEAN_LIFE ? sparks / MEAN_LIFE : 1; // in each frame
    for (int k = 0; k < FOUNTAINS; k++) {
        // What does not divide evenly goes to the first ones.
        int burst = births / FOUNTAINS + (k < births % FOUNTAINS ? 1 : 0);
        fountains[k] = make_fountain(k, burst, seed);
        if (ox_entity_create(world, OX_VALUE(Fountain, fountains[k])).version == 0) {
            return false;
        }
    }
    uint64_t random = scene_random_seed(seed, 0);
    for (int lit = 0; lit < sparks; lit += BURST_MOST) {
        int count = sparks - lit < BURST_MOST ? sparks - lit : BURST_MOST;
        if (!light_burst(world, &fountains[lit / BURST_MOST % FOUNTAINS], &random, count)) {
            return false;
        }
    }
    return true;
}

static bool create_particles(ox_world *world, const scene_def *def) {
    int sparks = def->entities > 0 ? def->entities : scene_particles.entities;
    return fill_world(world, sparks, def->seed) &&
           ox_system_add(world, &ox_system_ParticlesEmit) != NULL &&
           ox_system_add(world, &ox_system_ParticlesFly) != NULL &&
           ox_system_add(world, &ox_system_ParticlesBurnOut) != NULL &&
           ox_system_add(world, &ox_system_ParticlesDraw) != NULL;
}

const scene scene_particles = {
    .name = "particles",
    .what = "fountains of sparks, born and burnt out in every frame through commands",
    .entities = 2000000,
    .create = create_particles,
    .draw = draw_particles,
};
