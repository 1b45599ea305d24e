// SPDX-License-Identifier: MIT
//
// The components, jobs and systems of a small game of somebody else, which game.c and game.cpp
// play: systems move things, fire and reap, in jobs and with commands.

#pragma once

#include "oxbow.h"

enum { GUNS = 300, FRAMES = 24 };

OX_COMPONENT(Position, { float x; });
OX_COMPONENT(Velocity, { float x; });
OX_COMPONENT(Gun, {
    int number;
    int fired;
});
OX_TAG(Bullet);

OX_VIEWS(Bullets, (OX_READ(Position, position), OX_WITH(Bullet)));

OX_ENTITY_JOB(MoveJob, (OX_WRITE(Position, position), OX_READ(Velocity, velocity)), { float dt; }) {
    position->x += velocity->x * job->dt;
}

OX_JOB_SYSTEM(Move, .jobs = OX_JOBS(MoveJob)) {
    return ox_schedule_entities(MoveJob, system, after, {ox_world_get_time(system->world).delta});
}

OX_BARRIER(Shots, .before = {"Reap"}, .after = {"Fire"});

// A seventh of the guns fires in each frame.
OX_ENTITY_JOB(FireJob, (OX_WRITE(Gun, gun), OX_READ(Position, position)), {
    ox_commands commands;
    int frame;
}) {
    if ((job->frame + gun->number) % 7 == 0) {
        ox_commands_create_entity(job->commands, OX_VALUE(Position, {position->x}),
                                  OX_VALUE(Velocity, {(float)gun->number}), OX_VALUE_TAG(Bullet));
        gun->fired++;
    }
}

OX_JOB_SYSTEM(Fire, .after = {"Move"}, .jobs = OX_JOBS(FireJob), .barriers = {"Shots"},
              .state = sizeof(int)) {
    int frame = ++*ox_system_state(system, int);
    ox_commands commands = ox_barrier_commands(ox_system_find(system->world, "Shots"));
    return ox_schedule_entities(FireJob, system, after, {commands, frame});
}

OX_SYSTEM(Reap) {
    ox_query *all = ox_system_query(system, OX_READ(Position), OX_WITH(Bullet));
    ox_commands commands = ox_system_commands(system);
    OX_EACH_CHUNK(all, chunk) {
        const Position *position = ox_chunk_get(chunk, Position);
        for (int k = 0; k < chunk.count; k++) {
            if (position[k].x > 1000) {
                ox_commands_destroy_entity(commands, chunk.entities[k]);
            }
        }
    }
}

OX_ARRAY(Places, float);
OX_MULTIMAP(ByHundred, int, int);
OX_LIST(FarPlaces, float);
OX_MAP(Counts, int, int);

// What is left, by the hundreds of metres that it came: all batches write at once.
OX_PARALLEL_JOB(SortIn, {
    OX_READ_ONLY Places places;
    ByHundred_writer by_hundred;
    FarPlaces_writer far;
}) {
    float x = ox_array_read(job->places, i);
    ox_multimap_write(job->by_hundred, (int)x / 100, i);
    if (x > 900) {
        ox_list_write(job->far, x);
    }
}
