// SPDX-License-Identifier: MIT
//
// A system that turns things, on all cores, with no dependency written by hand. It runs beside
// another that reads the same speeds, and after one that writes them: you see which handle each
// system is given, and how far things turned in a second.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Rotation, { ox_quat value; });
OX_COMPONENT(RotationSpeed, { float speed; }); // radians in a second, about the y axis
OX_COMPONENT(Sound, { float pitch; });

static bool is_telling;       // in one frame only
static ox_job speeds_written; // what Wind returned

static void tell_input(const ox_system *system, ox_job after) {
    if (is_telling) {
        printf("%s waits for %s\n", system->name,
               after.value == 0                      ? "nothing"
               : after.value == speeds_written.value ? "Wind"
                                                     : "more");
    }
}

// The jobs say what they read and write, and nothing else has to.
OX_ENTITY_JOB(Accelerate, (OX_WRITE(RotationSpeed, speed)), { float by; }) {
    speed->speed += job->by;
}

OX_ENTITY_JOB(Rotate, (OX_WRITE(Rotation, rotation), OX_READ(RotationSpeed, speed)),
              { float dt; }) {
    ox_quat turn = ox_quat_from_axis_angle(ox_float3_make(0, 1, 0), speed->speed * job->dt);
    rotation->value = ox_quat_mul(ox_quat_normalize(rotation->value), turn);
}

OX_ENTITY_JOB(Listen, (OX_WRITE(Sound, sound), OX_READ(RotationSpeed, speed)), { float factor; }) {
    sound->pitch = speed->speed * job->factor;
}

OX_JOB_SYSTEM(Wind, .jobs = OX_JOBS(Accelerate)) {
    tell_input(system, after);
    speeds_written = ox_schedule_entities(Accelerate, system, after, {.by = 0});
    return speeds_written;
}

// `after` covers earlier jobs that write RotationSpeed, and those that read or write Rotation.
OX_JOB_SYSTEM(RotationSpeedSystem, .jobs = OX_JOBS(Rotate), .after = {"Wind"}) {
    tell_input(system, after);
    return ox_schedule_entities(Rotate, system, after, {.dt = ox_system_get_delta(system)});
}

// Reads the same speeds as Rotate: the two do not wait for each other.
OX_JOB_SYSTEM(Hum, .jobs = OX_JOBS(Listen), .after = {"Wind"}) {
    tell_input(system, after);
    return ox_schedule_entities(Listen, system, after, {.factor = 110});
}

int main(void) {
    ox_world *world = ox_world_create(NULL); // the three systems are in it
    ox_entity mill = {0};
    for (int k = 0; k < 1000; k++) {
        mill = ox_entity_create(world, OX_VALUE(Rotation, {ox_quat_identity()}),
                                OX_VALUE(RotationSpeed, {(float)k * 0.001f}), OX_VALUE(Sound, {0}));
    }
    ox_set(world, mill, RotationSpeed, {1.5707963f}); // a quarter of a turn in a second

    for (int frame = 1; frame <= 60; frame++) {
        is_telling = frame == 1;
        ox_world_update(world, 1.0f / 60.0f);
    }

    // Looking waits for the jobs that write what is looked at.
    ox_float3 arm = ox_quat_rotate(ox_get(world, mill, Rotation)->value, ox_float3_make(0, 0, 1));
    printf("after a second the arm points along x: %.2f\n", arm.x);
    printf("and it hums at %.0f Hz\n", ox_get(world, mill, Sound)->pitch);
    ox_world_destroy(world);
    ox_jobs_stop();
}

// Output:
// Wind waits for nothing
// Hum waits for Wind
// RotationSpeedSystem waits for Wind
// after a second the arm points along x: 1.00
// and it hums at 173 Hz
