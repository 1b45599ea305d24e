// SPDX-License-Identifier: MIT
//
// Guns shoot from a parallel job: it records commands, and the end of the frame carries them out.
// Bullets fly, age and are destroyed the same way. Whatever the number of workers, the same bullets
// get the same ids: the hash of the world does not change.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Position, { float x, y; });
OX_COMPONENT(Velocity, { float x, y; });
OX_COMPONENT(Age, { float seconds; });
OX_COMPONENT(Gun, {
    ox_entity bullet; // what it shoots: a prefab
    float heat;
});

// In the body there is no world to change, since it runs on all cores. The buffer is written
// without a lock, and what comes of it is in the order of the guns.
OX_ENTITY_JOB(Shoot, (OX_WRITE(Gun, gun), OX_READ(Position, position)), { ox_commands commands; }) {
    gun->heat *= 0.5f;
    if (gun->heat < 0.3f) {
        gun->heat = 1;
        ox_entity bullet = ox_commands_instantiate(job->commands, gun->bullet);
        ox_commands_set(job->commands, bullet, Position, {position->x, position->y});
    }
}

OX_ENTITY_JOB(Fly, (OX_WRITE(Position, position), OX_READ(Velocity, velocity)), { float dt; }) {
    position->x += velocity->x * job->dt;
    position->y += velocity->y * job->dt;
}

OX_ENTITY_JOB(GrowOld, (OX_WRITE(Age, age), OX_ENTITY(self)), {
    float dt;
    ox_commands commands;
}) {
    age->seconds += job->dt;
    if (age->seconds > 1) {
        ox_commands_destroy_entity(job->commands, self);
    }
}

// Commands of a system with jobs are carried out at the end of its group, by EndSimulation, which
// first completes what the system returns. Nothing has to be played back or disposed here.
OX_JOB_SYSTEM(Guns, .jobs = OX_JOBS(Shoot)) {
    return ox_schedule_entities(Shoot, system, after, {ox_system_commands(system)});
}

OX_JOB_SYSTEM(Bullets, .jobs = OX_JOBS(Fly, GrowOld)) {
    float dt = ox_system_get_delta(system);
    ox_schedule_entities(Fly, system, OX_AUTO, {dt});
    ox_schedule_entities(GrowOld, system, OX_AUTO, {dt, ox_system_commands(system)});
    return OX_NO_JOB; // jobs with OX_AUTO need no handle
}

static void make_guns(ox_world *world) {
    ox_entity bullet = ox_entity_create(world, OX_VALUE(Position, {0, 0}),
                                        OX_VALUE(Velocity, {0, 90}), OX_VALUE(Age, {0}));
    ox_add_tag(world, bullet, ox_prefab);
    for (int k = 0; k < 1000; k++) {
        ox_entity_create(world, OX_VALUE(Position, {(float)k, 0}),
                         OX_VALUE(Gun, {bullet, 0.1f * (float)(k % 10)}));
    }
}

static uint64_t run(int workers, bool prints) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = workers});
    ox_world *world = ox_world_create(NULL);
    make_guns(world);
    ox_query *bullets = ox_query_create(world, OX_WITH(Age));
    for (int frame = 1; frame <= 8; frame++) {
        ox_world_update(world, 0.25f);
        if (prints) {
            printf("frame %d: %d bullets\n", frame, (int)ox_query_count(bullets));
        }
    }
    uint64_t hash = ox_world_hash_layout(world);
    ox_world_destroy(world);
    ox_jobs_stop();
    return hash;
}

int main(void) {
    uint64_t alone = run(OX_NO_WORKERS, true);
    for (int workers = 1; workers <= 4; workers *= 2) {
        printf("%d worker%s: %s\n", workers, workers > 1 ? "s" : "",
               run(workers, false) == alone ? "the same world" : "another world");
    }
}

// Output:
// frame 1: 600 bullets
// frame 2: 1000 bullets
// frame 3: 1600 bullets
// frame 4: 2000 bullets
// frame 5: 2600 bullets
// frame 6: 2400 bullets
// frame 7: 2600 bullets
// frame 8: 2400 bullets
// 1 worker: the same world
// 2 workers: the same world
// 4 workers: the same world
