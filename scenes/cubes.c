// SPDX-License-Identifier: MIT
//
// Cubes: the rotating cubes that DOTS is shown with, a million of them.
//
// Each cube turns around its own axis, with a speed of its own, and all circle around the middle of
// the field. Two systems that share nothing but the clock: their jobs run side by side. Both are
// chunk jobs with a flat loop, since a million of anything is a matter of memory.

#include "scene.h"

/// Radians in a second, around the axis that stands upright.
OX_COMPONENT(RotationSpeed, { float radians; });

/// How a cube is turned: a quaternion of length 1.
OX_COMPONENT(CubeRotation, { ox_quat value; });

/// Where a cube is on its way around the middle, as a direction of length 1.
OX_COMPONENT(CubeOrbit, { float cosine, sine; });
OX_COMPONENT(CubeRadius, { float radius; });
OX_COMPONENT(CubePlace, { float x, y; });

// The rotation of an angle a is (0, sin a/2, 0, cos a/2), and multiplying with it turns. For the
// small angles of a frame two terms of both series are exact to the last bits, and what is left
// over goes when the length is made 1 again.
OX_CHUNK_JOB(TurnCubes, (OX_WRITE(CubeRotation, rotation), OX_READ(RotationSpeed, speed)),
             { float dt; }) {
    for (int k = 0; k < count; k++) {
        float half = speed[k].radians * job->dt * 0.5f;
        float sine = half - half * half * half * (1.0f / 6.0f);
        float cosine = 1.0f - half * half * 0.5f;
        ox_quat q = rotation[k].value;
        float x = q.x * cosine - q.z * sine, z = q.z * cosine + q.x * sine;
        float y = q.y * cosine + q.w * sine, w = q.w * cosine - q.y * sine;
        float length = 1.5f - 0.5f * (x * x + y * y + z * z + w * w); // 1 / sqrt near 1
        rotation[k].value = (ox_quat){x * length, y * length, z * length, w * length};
    }
}

// Cubes near the middle are faster, as planets are.
OX_CHUNK_JOB(CircleCubes,
             (OX_WRITE(CubeOrbit, orbit), OX_WRITE(CubePlace, place), OX_READ(CubeRadius, far)),
             { float dt; }) {
    for (int k = 0; k < count; k++) {
        float angle = job->dt * 0.02f / (far[k].radius + 0.05f);
        float cosine = orbit[k].cosine - orbit[k].sine * angle;
        float sine = orbit[k].sine + orbit[k].cosine * angle;
        float length = 1.5f - 0.5f * (cosine * cosine + sine * sine);
        orbit[k] = (CubeOrbit){cosine * length, sine * length};
        place[k] = (CubePlace){0.5f + orbit[k].cosine * far[k].radius,
                               0.5f + orbit[k].sine * far[k].radius};
    }
}

typedef struct CubesState {
    ox_query *shown;
} CubesState;

static bool create_turning(ox_system *system) {
    ox_system_state(system, CubesState)->shown =
        ox_system_query(system, OX_READ(CubePlace), OX_READ(CubeRotation), OX_READ(CubeRadius));
    return true;
}

OX_JOB_SYSTEM(CubesTurn, .is_manual = true, .create = create_turning, .state = sizeof(CubesState),
              .jobs = OX_JOBS(TurnCubes)) {
    return ox_schedule_entities(TurnCubes, system, after, {ox_system_get_delta(system)});
}

OX_JOB_SYSTEM(CubesCircle, .is_manual = true, .jobs = OX_JOBS(CircleCubes)) {
    return ox_schedule_entities(CircleCubes, system, after, {ox_system_get_delta(system)});
}

// A disc with five arms: cubes are created in one go, then given their values chunk by chunk.
static void place_cubes(ox_world *world, uint64_t random) {
    ox_query *query = ox_query_create(world, OX_WRITE(RotationSpeed), OX_WRITE(CubeRotation),
                                      OX_WRITE(CubeOrbit), OX_WRITE(CubeRadius));
    OX_EACH_CHUNK(query, chunk) {
        RotationSpeed *speed = ox_chunk_edit(chunk, RotationSpeed);
        CubeRotation *rotation = ox_chunk_edit(chunk, CubeRotation);
        CubeOrbit *orbit = ox_chunk_edit(chunk, CubeOrbit);
        CubeRadius *radius = ox_chunk_edit(chunk, CubeRadius);
        for (int i = 0; i < chunk.count; i++) {
            float far = ox_sqrt(scene_random_float(&random));
            float off = scene_random_float(&random);
            off = off * off * (scene_random(&random, 2) == 0 ? 0.5f : -0.5f);
            float arm = (float)scene_random(&random, 5) + off;
            float angle = arm * (2.0f * OX_PI / 5.0f) + far * 3.0f;
            speed[i].radians = 0.5f + 3.5f * scene_random_float(&random);
            rotation[i].value = (ox_quat){0, 0, 0, 1};
            orbit[i] = (CubeOrbit){ox_cos(angle), ox_sin(angle)};
            radius[i].radius = 0.02f + far * 0.46f;
        }
    }
    ox_query_destroy(query);
}

static bool create_cubes(ox_world *world, const scene_def *def) {
    int count = def->entities > 0 ? def->entities : scene_cubes.entities;
    if (ox_system_add(world, &ox_system_CubesTurn) == NULL ||
        ox_system_add(world, &ox_system_CubesCircle) == NULL) {
        return false;
    }
    ox_archetype cube =
        ox_archetype_of(world, RotationSpeed, CubeRotation, CubeOrbit, CubeRadius, CubePlace);
    if (!ox_entities_create(world, cube, NULL, count)) {
        return false;
    }
    place_cubes(world, scene_random_seed(def->seed, 0));
    return true;
}

// Gold in the middle, blue outside; and a face is brightest when it looks at you.
static uint32_t shade_cube(ox_quat rotation, float radius) {
    float facing = 1.0f - 2.0f * rotation.y * rotation.y; // the cosine of the angle
    float light = 0.2f + 0.8f * facing * facing, far = ox_min(radius * 2.1f, 1.0f);
    uint32_t red = (uint32_t)((255.0f - 195.0f * far) * light);
    uint32_t green = (uint32_t)((150.0f - 30.0f * far) * light);
    uint32_t blue = (uint32_t)((50.0f + 205.0f * far) * light);
    return red << 16 | green << 8 | blue;
}

static int draw_cubes(ox_world *world, scene_dot *dots, int capacity) {
    int listed = 0;
    OX_EACH_CHUNK(ox_system_state(ox_system_find(world, "CubesTurn"), CubesState)->shown, chunk) {
        const CubePlace *place = ox_chunk_get(chunk, CubePlace);
        const CubeRotation *rotation = ox_chunk_get(chunk, CubeRotation);
        const CubeRadius *far = ox_chunk_get(chunk, CubeRadius);
        for (int i = 0; i < chunk.count && listed < capacity; i++) {
            uint32_t colour = shade_cube(rotation[i].value, far[i].radius);
            dots[listed++] = (scene_dot){place[i].x, place[i].y, 0, colour};
        }
    }
    return listed;
}

const scene scene_cubes = {
    .name = "cubes",
    .what = "a million cubes that turn and circle, in flat loops",
    .entities = 1000000,
    .create = create_cubes,
    .draw = draw_cubes,
};
