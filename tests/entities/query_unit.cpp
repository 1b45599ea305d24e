// SPDX-License-Identifier: MIT
//
// Queries, views and lookups in C++: the part of test_query.c that is compiled as such.

#include "oxbow/containers.h"
#include "oxbow/entity_jobs.h"
#include "oxbow/queries.h"

OX_COMPONENT(UnitFuel, { float liters; });
OX_COMPONENT(UnitEngine, { float power; });
OX_TAG(UnitBroken);
OX_TAG(UnitSold);

OX_VIEWS(UnitRunning,
         (OX_WRITE(UnitFuel, fuel), OX_READ(UnitEngine, engine), OX_NONE(UnitBroken, UnitSold)));

static float walk_in_cpp(ox_query *query) {
    float sum = 0;
    OX_EACH_CHUNK(query, chunk) {
        UnitFuel *fuel = ox_chunk_edit(chunk, UnitFuel);
        const UnitEngine *engine = ox_chunk_get(chunk, UnitEngine);
        for (int i = 0; i < chunk.count; i++) {
            fuel[i].liters += engine[i].power;
            sum += fuel[i].liters;
        }
    }
    return sum;
}

static float view_in_cpp(ox_world *world) {
    UnitRunning running = {};
    if (!ox_views_fill(world, &running, UnitRunning)) {
        return -1;
    }
    ox_lookup lookup = ox_lookup_create(world, UnitFuel);
    float sum = 0;
    for (int i = 0; i < running.count; i++) {
        ox_view_set(running.fuel, i, UnitFuel, {2.0f});
        ox_view_edit(running.fuel, i, UnitFuel)->liters +=
            ox_view_read(running.engine, i, UnitEngine).power;
        ox_entity entity = ox_view_read_entity(running.entities, i);
        sum += ox_entity_is_null(entity) || !ox_entity_equals(entity, entity)
                   ? -1000
                   : ox_lookup_get(&lookup, entity, UnitFuel)->liters;
    }
    return sum;
}

/// Five entities with 1 liter and engines of 0 to 4: returns 15 from chunks, and adds 20 from
/// views.
extern "C" float run_query_unit(void);

extern "C" float run_query_unit(void) {
    ox_world *world = ox_world_create(nullptr);
    ox_query *query = ox_query_create(world, OX_WRITE(UnitFuel), OX_READ(UnitEngine),
                                      OX_NONE(UnitBroken), OX_OPTIONAL(UnitSold));
    for (int k = 0; k < 5; k++) {
        ox_entity_create(world, OX_VALUE(UnitFuel, {1.0f}), OX_VALUE(UnitEngine, {float(k)}));
    }
    float sum = walk_in_cpp(query) + view_in_cpp(world);
    ox_query_add(query, UnitSold);
    ox_array copy = ox_query_copy_values(query, UnitFuel, OX_PERSISTENT);
    bool is_copied = ox_query_set_values(query, UnitFuel, copy);
    ox_dispose(&copy);
    ox_query_filter_changed(query, UnitFuel, 0);
    bool is_gone = ox_query_destroy_entities(query) == 5;
    ox_world_destroy(world);
    return is_copied && is_gone ? sum : -1;
}
