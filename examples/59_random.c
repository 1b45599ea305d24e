// SPDX-License-Identifier: MIT
//
// Random numbers in jobs. Each moth has numbers of its own in each frame, from a seed, its entity
// and the frame, so the flight is the same with any number of workers. Chests keep a generator as a
// component and go on where they stopped.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Position, { float x, y, z; });
OX_COMPONENT(Lamp, { bool is_lit; });
OX_COMPONENT(Chest, { ox_random loot; });

// A seed for each use: with the same one, a lamp would flicker as its moth flies.
enum { FLY_SEED = 1, FLICKER_SEED, LOOT_SEED, TURN_SEED };

OX_ENTITY_JOB(Fly, (OX_ENTITY(self), OX_WRITE(Position, position)), { uint64_t frame; }) {
    ox_random random = ox_random_of(FLY_SEED, self, job->frame);
    ox_float3 direction = ox_random_direction3(&random);
    float step = ox_random_float_range(&random, 0.5f, 1.5f);
    position->x += direction.x * step;
    position->y += direction.y * step;
    position->z += direction.z * step;
}

OX_ENTITY_JOB(Flicker, (OX_ENTITY(self), OX_WRITE(Lamp, lamp)), { uint64_t frame; }) {
    ox_random random = ox_random_of(FLICKER_SEED, self, job->frame);
    lamp->is_lit = ox_random_bool(&random, 0.9f);
}

// The world after ten frames, as a hash, and the number of lamps that are lit.
static uint64_t fly(int worker_count, int *lit) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = worker_count});
    ox_world *world = ox_world_create(NULL);
    ox_entities_create(world, ox_archetype_of(world, Position, Lamp), NULL, 10000);
    for (uint64_t frame = 0; frame < 10; frame++) {
        ox_schedule_entities(Fly, world, OX_AUTO, {frame});
        ox_schedule_entities(Flicker, world, OX_AUTO, {frame});
    }

    ox_query *lamps = ox_query_create(world, OX_READ(Lamp));
    *lit = 0;
    OX_EACH_CHUNK(lamps, chunk) {
        const Lamp *lamp = ox_chunk_get(chunk, Lamp);
        for (int k = 0; k < chunk.count; k++) {
            *lit += lamp[k].is_lit;
        }
    }
    uint64_t hash = ox_world_hash(world);
    ox_world_destroy(world);
    ox_jobs_stop();
    return hash;
}

int main(void) {
    int lit_alone, lit_together;
    uint64_t alone = fly(OX_NO_WORKERS, &lit_alone), together = fly(3, &lit_together);
    printf("lamps: %d and %d lit, the worlds are %s\n", lit_alone, lit_together,
           alone == together ? "equal" : "different");

    // A stream is a value: it may stand in a component, be copied, and be written as JSON.
    static const char *const items[] = {"gold", "rope", "bread", "a map"};
    Chest chest = {ox_random_create(LOOT_SEED, 0)};
    for (int k = 0; k < 3; k++) {
        int count = ox_random_int(&chest.loot, 1, 6);
        printf("%d of %s\n", count, items[ox_random_index(&chest.loot, 4)]);
    }
    char json[256];
    ox_component_write_json(ox_component_id_of(Chest), &chest, json, sizeof json);
    printf("%s\n", json);

    char turns[] = "ABCDEF";
    ox_random random = ox_random_create(TURN_SEED, 0);
    ox_random_shuffle(&random, turns, 6);
    ox_float2 wind = ox_random_direction2(&random);
    printf("turns: %s, wind: %.2f %.2f\n", turns, wind.x, wind.y);
    float part = ox_random_float(&random);
    uint32_t bits = ox_random_next(&random);
    uint64_t seed = ox_random_next64(&random);
    printf("a part of 1: %.3f, bits: %08x, a seed for others: %016llx\n", part, bits,
           (unsigned long long)seed);
}

// Output:
// lamps: 8988 and 8988 lit, the worlds are equal
// 5 of gold
// 4 of a map
// 2 of bread
// {"loot":{"seed":3,"stream":0,"position":6,"numbers":[1152013473,2368816957,963722761,...
// turns: FBECDA, wind: 0.21 0.98
// a part of 1: 0.019, bits: d951067b, a seed for others: 686bf435e05413a0
