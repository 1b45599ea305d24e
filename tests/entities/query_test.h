// SPDX-License-Identifier: MIT
//
// Components and worlds for the tests of queries.

#pragma once

#include "base/random.h"
#include "oxbow/entity_jobs.h"
#include "oxbow/memory.h"
#include "oxbow/queries.h"
#include "test.h"

OX_COMPONENT(Place, { float x, y, z; });
OX_COMPONENT(Speed, { float x, y, z; });
OX_COMPONENT(Health, { int points; });
OX_COMPONENT(Load, { unsigned char bytes[4000]; });    // three or four entities fill a chunk
OX_COMPONENT(Cargo, { unsigned char bytes[9000]; });   // one entity fills a chunk
OX_COMPONENT(Ballast, { unsigned char bytes[9000]; }); // and does not fit beside Cargo
OX_TAG(Frozen);
OX_TAG(Marked);

static inline bool same_entity(ox_entity a, ox_entity b) {
    return a.index == b.index && a.version == b.version;
}

/// How many entities one chunk of an archetype holds. Makes one entity, and destroys it.
static inline int rows_of_chunk(ox_world *world, ox_archetype archetype) {
    ox_entity entity = ox_entity_create_in(world, archetype);
    int rows = ox_entity_get_location(world, entity).capacity;
    ox_entity_destroy(world, entity);
    return rows;
}

/// Chunks that a query walks over.
static inline int count_chunks(ox_query *query) {
    int count = 0;
    OX_EACH_CHUNK(query, chunk) {
        count++;
    }
    return count;
}
