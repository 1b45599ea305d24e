// SPDX-License-Identifier: MIT
//
// What the tests of worlds and entities share: some components, and a world that tells the test
// what it reports.

#pragma once

#include "test.h"

#include "base/random.h"
#include "entities/world.h"
#include "oxbow/entities.h"

#include <stdio.h>
#include <string.h>

OX_COMPONENT(Position, { float x, y; });
OX_COMPONENT(Velocity, { float x, y; });
OX_COMPONENT(Health, { int32_t points; });
OX_COMPONENT(Follows, {
    ox_entity leader;
    ox_entity others[2];
    int32_t distance;
});
OX_COMPONENT(Large, { unsigned char bytes[1000]; });
OX_TAG(Frozen);

/// Large rows lie 16 to a chunk.
enum { LARGE_ROWS = 16 };

OXI_UNUSED static ox_world *make_world(collected_reports *reports) {
    *reports = (collected_reports){0};
    ox_world *world =
        ox_world_create(&(ox_world_def){.name = "sea", .on_report = {collect_report, reports}});
    EXPECT(world != NULL);
    return world;
}

/// Ends a world that is whole and reported nothing that the test did not look at.
OXI_UNUSED static void end_world(ox_world *world, const collected_reports *reports) {
    EXPECT(ox_world_validate(world));
    EXPECT_EQ(reports->count, 0);
    ox_world_destroy(world);
}

OXI_UNUSED static bool is_same(ox_entity a, ox_entity b) {
    return a.index == b.index && a.version == b.version;
}

/// A component made at run time, of `size` bytes; 0 for a tag.
OXI_UNUSED static uint32_t define_sized(const char *name, int number, size_t size) {
    char text[48];
    snprintf(text, sizeof text, "%s%d", name, number);
    ox_component_def def = {.name = text, .size = size, .align = size > 0};
    def.kind = size == 0 ? OX_COMPONENT_KIND_TAG : OX_COMPONENT_KIND_DATA;
    uint32_t id = ox_component_register(&def);
    EXPECT(id != 0);
    return id;
}
