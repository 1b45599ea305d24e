// SPDX-License-Identifier: MIT
//
// Queries: all entities that have some components, three ways to go through them, and how to see
// only what changed.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Fuel, { float liters; });
OX_COMPONENT(Engine, { float power; });
OX_TAG(Broken);

// A struct of views that names what it wants. It is filled by one call.
OX_VIEWS(Running, (OX_WRITE(Fuel, fuel), OX_READ(Engine, engine), OX_NONE(Broken)));

static void print_by_index(ox_query *query) {
    // The views are parallel: one index is one entity.
    ox_view entities = ox_query_view_entities(query);
    ox_view fuels = ox_query_view(query, Fuel);
    ox_view engines = ox_query_view(query, Engine);
    for (int i = 0; i < entities.count; i++) {
        ox_entity entity = ox_view_read_entity(entities, i);
        Fuel fuel = ox_view_read(fuels, i, Fuel);
        Engine engine = ox_view_read(engines, i, Engine);
        printf("  %u:%u has %g liters for %g kW\n", entity.index, entity.version, fuel.liters,
               engine.power);
    }
}

static void burn_by_chunk(ox_query *query) {
    // The same entities in the same order, as plain arrays: the fast way.
    OX_EACH_CHUNK(query, chunk) {
        Fuel *fuel = ox_chunk_edit(chunk, Fuel);
        const Engine *engine = ox_chunk_get(chunk, Engine);
        for (int i = 0; i < chunk.count; i++) {
            fuel[i].liters -= engine[i].power / 10;
        }
    }
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    ox_query *cars = ox_query_create(world, OX_WRITE(Fuel), OX_READ(Engine), OX_NONE(Broken));
    for (int k = 0; k < 3; k++) {
        ox_entity_create(world, OX_VALUE(Fuel, {40}), OX_VALUE(Engine, {50 + 10 * (float)k}));
    }
    ox_entity can = ox_entity_create(world, OX_VALUE(Fuel, {5}));
    ox_entity wreck =
        ox_entity_create(world, OX_VALUE(Fuel, {1}), OX_VALUE(Engine, {90}), OX_VALUE_TAG(Broken));
    printf("%d cars run:\n", (int)ox_query_count(cars));
    print_by_index(cars);
    burn_by_chunk(cars);
    printf("later:\n");
    print_by_index(cars);

    // A version is a moment. With a filter only chunks pass that were written after it.
    ox_query *changed = ox_query_create(world, OX_READ(Fuel));
    uint32_t before = ox_world_get_version(world);
    ox_world_advance_version(world);
    ox_edit(world, can, Fuel)->liters = 20;
    ox_query_filter_changed(changed, Fuel, before);
    printf("fuel of %d in %d changed\n", (int)ox_query_count(changed),
           (int)ox_query_count_all(changed));

    // Structural changes end views; filling the struct again makes fresh ones.
    Running running = {0};
    ox_views_fill(world, &running, Running);
    printf("%d running\n", running.count);
    ox_remove(world, wreck, Broken);
    ox_views_fill(world, &running, Running);
    for (int i = 0; i < running.count; i++) {
        ox_view_edit(running.fuel, i, Fuel)->liters += 1;
    }
    printf("%d running, the wreck with %g liters\n", running.count,
           ox_get(world, wreck, Fuel)->liters);

    ox_world_destroy(world);
}

// Output:
// 3 cars run:
//   0:1 has 40 liters for 50 kW
//   1:1 has 40 liters for 60 kW
//   2:1 has 40 liters for 70 kW
// later:
//   0:1 has 35 liters for 50 kW
//   1:1 has 34 liters for 60 kW
//   2:1 has 33 liters for 70 kW
// fuel of 1 in 5 changed
// 3 running
// 4 running, the wreck with 2 liters
