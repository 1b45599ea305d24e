// SPDX-License-Identifier: MIT
//
// Components of all kinds, for the tests of what kinds do.

#pragma once

#include "entities/entities_test.h"

#include "oxbow/entities.h"
#include "oxbow/queries.h"

OX_SHARED(Team, { int32_t id; });
OX_SHARED(Region, { int32_t x, y; });
OX_ENABLEABLE(Stunned, { int32_t turns; });
OX_ENABLEABLE_TAG(Lit);
OX_BUFFER(Note, 2, { int32_t pitch; });
OX_CLEANUP(Registered, { int32_t slot; });

/// True when two entities lie in one chunk.
OXI_UNUSED static bool lie_together(const ox_world *world, ox_entity a, ox_entity b) {
    ox_entity_location first = ox_entity_get_location(world, a),
                       second = ox_entity_get_location(world, b);
    return first.archetype.number == second.archetype.number && first.chunk == second.chunk &&
           first.chunk >= 0;
}

/// True when two places are the same.
OXI_UNUSED static bool is_same_place(ox_entity_location a, ox_entity_location b) {
    return a.archetype.number == b.archetype.number && a.chunk == b.chunk && a.row == b.row;
}

/// The chunks that a query walks over.
OXI_UNUSED static int count_steps(ox_query *query) {
    int steps = 0;
    OX_EACH_CHUNK(query, chunk) {
        steps++;
    }
    return steps;
}
