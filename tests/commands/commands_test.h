// SPDX-License-Identifier: MIT
//
// What the tests of commands share.

#pragma once

#include "entities/kinds_test.h"

#include "commands/command.h"
#include "jobs/jobs_test.h"
#include "oxbow/commands.h"
#include "oxbow/entity_jobs.h"

OX_BUFFER(Path, OX_INLINE_NONE, { float x, y; });
OX_BUFFER(Crew, 2, {
    int32_t rank;
    ox_entity who;
});

OX_COMPONENT_OF_KIND(Trail, OX_COMPONENT_KIND_BUFFER, OX_COMPONENT_CLEANUP, 2, { int32_t x; });

/// Plays commands back and disposes them.
OXI_UNUSED static void play(ox_commands *commands) {
    EXPECT(ox_commands_playback(*commands));
    ox_commands_dispose(commands);
}

/// What a temporary id became, after a playback.
OXI_UNUSED static ox_entity made_of(ox_commands commands, ox_entity temporary) {
    uint32_t lane = temporary.index & ((1u << OXI_LANE_BITS) - 1);
    return oxi_commands_lane(commands.oxi_state, lane)->made.items[temporary.version - 1];
}

OXI_UNUSED static uint32_t count_alive(const ox_world *world) {
    return ox_world_get_usage(world).entity_count;
}

/// The only entity with a component.
OXI_UNUSED static ox_entity find_only(ox_world *world, uint32_t component) {
    const ox_term terms[] = {{.kind = OX_TERM_WITH, .id = component},
                             {.kind = OX_TERM_INCLUDE, .id = ox_component_id_of(ox_prefab)},
                             {.kind = OX_TERM_END}};
    ox_query *query = ox_query_create_at(world, terms, OX_HERE);
    ox_entity found = {0, 0};
    EXPECT_EQ(ox_query_count(query), 1);
    OX_EACH_CHUNK(query, chunk) {
        found = chunk.entities[0];
    }
    ox_query_destroy(query);
    return found;
}
