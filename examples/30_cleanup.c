// SPDX-License-Identifier: MIT
//
// A cleanup component stays when its entity is destroyed, so that what it stands for can be given
// back: here a slot in a table of sounds that is no part of the world. You see slots taken for new
// entities and given back for destroyed ones, by two queries that anyone may run at any time.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Noise, { char name[8]; });
OX_CLEANUP(Playing, { int slot; }); // in which slot of the table
OX_CLEANUP_TAG(Logged);             // its end is to be written down

enum { SLOTS = 4 };
static Noise table[SLOTS]; // what plays in each slot: the world outside

static int take_slot(Noise noise) {
    int slot = 0;
    while (slot < SLOTS - 1 && table[slot].name[0] != 0) {
        slot++;
    }
    table[slot] = noise;
    return slot;
}

static void print_table(const char *title, const ox_world *world) {
    printf("%s:", title);
    for (int k = 0; k < SLOTS; k++) {
        printf(" %s", table[k].name[0] != 0 ? table[k].name : "-");
    }
    printf(", entities: %u\n", ox_world_get_usage(world).entity_count);
}

// Entities with a noise and without a slot are new.
static void start_new(ox_world *world, ox_query *silent) {
    ox_array entities = ox_query_copy_entities(silent, OX_TEMP);
    for (int64_t k = 0; k < entities.count; k++) {
        ox_entity entity = ox_array_read(OX_AS(entities, ox_entity), k);
        ox_add(world, entity, Playing, {take_slot(ox_read(world, entity, Noise))});
    }
    ox_dispose(&entities);
}

// Entities with a slot and without a noise were destroyed: all but cleanup components is gone.
static void stop_old(ox_query *orphans) {
    OX_EACH_CHUNK(orphans, chunk) {
        const Playing *playing = ox_chunk_get(chunk, Playing);
        for (int i = 0; i < chunk.count; i++) {
            table[playing[i].slot] = (Noise){""};
        }
    }
    ox_query_remove(orphans, Playing); // who has no other cleanup component ends with this
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    ox_query *silent = ox_query_create(world, OX_READ(Noise), OX_NONE(Playing));
    ox_query *orphans = ox_query_create(world, OX_READ(Playing), OX_NONE(Noise));
    ox_query *destroyed = ox_query_create(world, OX_WITH(ox_destroyed));

    ox_entity wind = ox_entity_create(world, OX_VALUE(Noise, {"wind"}));
    ox_entity rain = ox_entity_create(world, OX_VALUE(Noise, {"rain"}), OX_VALUE_TAG(Logged));
    ox_entity bell = ox_entity_create(world, OX_VALUE(Noise, {"bell"}));
    start_new(world, silent);
    print_table("three play", world);

    // A copy has no cleanup components: it is new, and gets a slot of its own.
    ox_entity_instantiate(world, wind);
    start_new(world, silent);
    print_table("a second wind", world);

    // The handle still leads to what is left.
    ox_entity_destroy(world, wind);
    ox_entity_destroy(world, rain);
    ox_entity_destroy(world, rain); // nothing more to do, and no mistake
    printf("rain exists: %d, noise: %d, slot: %d; destroyed: %d\n", ox_entity_exists(world, rain),
           ox_has(world, rain, Noise), ox_get(world, rain, Playing)->slot,
           (int)ox_query_count(destroyed));
    print_table("two destroyed", world);

    stop_old(orphans);
    print_table("two given back", world);
    printf("wind exists: %d, rain: %d, bell: %d\n", ox_entity_exists(world, wind),
           ox_entity_exists(world, rain), ox_entity_exists(world, bell));

    // The last cleanup component goes, and with it the entity.
    ox_remove(world, rain, Logged);
    printf("written down, rain exists: %d\n", ox_entity_exists(world, rain));
    print_table("at the end", world);
    ox_world_destroy(world);
}

// Output:
// three play: wind bell rain -, entities: 3
// a second wind: wind bell rain wind, entities: 4
// rain exists: 1, noise: 0, slot: 2; destroyed: 2
// two destroyed: wind bell rain wind, entities: 4
// two given back: - bell - wind, entities: 3
// wind exists: 0, rain: 1, bell: 1
// written down, rain exists: 0
// at the end: - bell - wind, entities: 2
