// SPDX-License-Identifier: MIT
//
// A small game of somebody else: a world with the systems of game.h, and what is left of it in
// containers. game.c is the same in C, and prints the same.

#include "game.h"

#include <cstdio>

static Places copy_places(ox_world *world) {
    Bullets bullets = {};
    ox_views_fill(world, &bullets, Bullets);
    Places places = ox_array_create(Places, bullets.count, OX_TEMP_JOB);
    for (int k = 0; k < bullets.count; k++) {
        ox_array_set(places, k, ox_view_read(bullets.position, k, Position).x);
    }
    return places;
}

static void print_places(ox_world *world) {
    Places places = copy_places(world);
    int count = ox_array_count(places);
    ByHundred by_hundred = ox_multimap_create(ByHundred, count, OX_TEMP_JOB);
    FarPlaces far = ox_list_create(FarPlaces, count, OX_TEMP_JOB);
    ox_complete(
        ox_schedule_for(SortIn, count, 16, OX_NO_JOB,
                        {places, ox_multimap_writer_of(by_hundred), ox_list_writer_of(far)}));

    Counts counts = ox_map_create(Counts, 16, OX_TEMP_JOB);
    for (int k = 0; k < 10; k++) {
        ox_map_set(counts, k, ox_multimap_count_values(by_hundred, k));
    }
    std::printf("bullets: %d, sum %g, below 100: %d, from 900 on: %d\n", count,
                (double)ox_array_sum(places), ox_map_read(counts, 0), ox_map_read(counts, 9));
    ox_list_sort(far, nullptr, nullptr);
    std::printf("above 900: %d, the furthest at %g\n", ox_list_count(far),
                (double)ox_list_read(far, ox_list_count(far) - 1));
    ox_dispose(&places);
    ox_dispose(&by_hundred);
    ox_dispose(&far);
    ox_dispose(&counts);
}

int main() {
    ox_world *world = ox_world_create(nullptr);
    ox_entity last = {};
    for (int k = 1; k <= GUNS; k++) {
        last = ox_entity_create(world, OX_VALUE(Position, {(float)k}), OX_VALUE(Gun, {k, 0}));
    }
    ox_add(world, last, Velocity, {-1});
    for (int frame = 0; frame < FRAMES; frame++) {
        ox_world_update(world, 0.5f);
    }

    ox_query *guns = ox_query_create(world, OX_READ(Gun));
    int fired = 0;
    OX_EACH_CHUNK(guns, chunk) {
        for (int k = 0; k < chunk.count; k++) {
            fired += ox_chunk_get(chunk, Gun)[k].fired;
        }
    }
    std::printf("guns: %d, fired %d, the last at %g\n", (int)ox_query_count(guns), fired,
                (double)ox_get(world, last, Position)->x);
    print_places(world);
    ox_world_destroy(world);
    ox_jobs_stop();
    return 0;
}
