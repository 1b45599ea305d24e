// SPDX-License-Identifier: MIT
//
// A small game of somebody else: a world whose systems move things, fire and reap, in jobs and with
// commands, and what is left in containers. game.cpp is the same in C++, and prints the same.

#include "oxbow.h"

#include <stdio.h>

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
        ox_commands_create_with(job->commands, OX_VALUE(Position, {position->x}),
                                OX_VALUE(Velocity, {(float)gun->number}), OX_TAGGED(Bullet));
        gun->fired++;
    }
}

OX_JOB_SYSTEM(Fire, .after = {"Move"}, .jobs = OX_JOBS(FireJob), .barriers = {"Shots"},
              .state = sizeof(int)) {
    int frame = ++*ox_state(system, int);
    ox_commands commands = ox_barrier_commands(ox_system_find(system->world, "Shots"));
    return ox_schedule_entities(FireJob, system, after, {commands, frame});
}

OX_SYSTEM(Reap) {
    ox_query *all = ox_system_query(system, OX_READ(Position), OX_WITH(Bullet));
    ox_commands commands = ox_system_commands(system);
    OX_EACH_CHUNK(all, chunk) {
        const Position *position = ox_column(chunk, Position);
        for (int k = 0; k < chunk.count; k++) {
            if (position[k].x > 1000) {
                ox_commands_destroy_entity(commands, chunk.entities[k]);
            }
        }
    }
}

// What is left, by the hundreds of metres that it came: all batches write at once.
OX_PARALLEL_JOB(SortIn, {
    OX_READ_ONLY ox_array places;
    ox_multimap_writer by_hundred;
    ox_list_writer far;
}) {
    float x = ox_array_get(float, job->places, i);
    ox_multimap_write(int, int, job->by_hundred, (int)x / 100, i);
    if (x > 900) {
        ox_list_write(float, job->far, x);
    }
}

static ox_array copy_places(ox_world *world) {
    Bullets bullets = {0};
    ox_views_fill(world, Bullets, &bullets);
    ox_array places = ox_array_create(float, bullets.count, OX_TEMP_JOB);
    for (int k = 0; k < bullets.count; k++) {
        ox_array_set(float, places, k, ox_view_get(Position, bullets.position, k).x);
    }
    return places;
}

static void print_places(ox_world *world) {
    ox_array places = copy_places(world);
    int count = ox_array_count(places);
    ox_multimap by_hundred = ox_multimap_create(int, int, count, OX_TEMP_JOB);
    ox_list far = ox_list_create(float, count, OX_TEMP_JOB);
    ox_complete(
        ox_schedule_for(SortIn, count, 16, ox_none,
                        {places, ox_multimap_writer_of(by_hundred), ox_list_writer_of(far)}));

    ox_map counts = ox_map_create(int, int, 16, OX_TEMP_JOB);
    for (int k = 0; k < 10; k++) {
        ox_map_set(int, int, counts, k, ox_multimap_count_values(int, int, by_hundred, k));
    }
    printf("bullets: %d, sum %g, below 100: %d, from 900 on: %d\n", count,
           (double)ox_array_sum(float, places), ox_map_get(int, int, counts, 0),
           ox_map_get(int, int, counts, 9));
    ox_list_sort(float, far, NULL, NULL);
    printf("above 900: %d, the furthest at %g\n", ox_list_count(far),
           (double)ox_list_get(float, far, ox_list_count(far) - 1));
    ox_dispose(&places);
    ox_dispose(&by_hundred);
    ox_dispose(&far);
    ox_dispose(&counts);
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    ox_entity last = {0};
    for (int k = 1; k <= GUNS; k++) {
        last = ox_entity_create_with(world, OX_VALUE(Position, {(float)k}), OX_VALUE(Gun, {k, 0}));
    }
    ox_add(world, last, Velocity, {-1});
    for (int frame = 0; frame < FRAMES; frame++) {
        ox_world_update(world, 0.5f);
    }

    ox_query *guns = ox_query_create(world, OX_READ(Gun));
    int fired = 0;
    OX_EACH_CHUNK(guns, chunk) {
        for (int k = 0; k < chunk.count; k++) {
            fired += ox_column(chunk, Gun)[k].fired;
        }
    }
    printf("guns: %d, fired %d, the last at %g\n", (int)ox_query_count(guns), fired,
           (double)ox_get(world, last, Position)->x);
    print_places(world);
    ox_world_destroy(world);
    ox_jobs_stop();
    return 0;
}
