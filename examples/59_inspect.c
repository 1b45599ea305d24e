// SPDX-License-Identifier: MIT
//
// A look into a world, as a debugger takes it: all of it as text, and what a query matches as JSON.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Position, { float x, y; });
OX_ENABLEABLE(Stunned, { int turns; });
OX_SHARED(Team, { int number; });
OX_BUFFER(Waypoint, 4, { int x, y; });
OX_COMPONENT(Gold, { int coins; });

int main(void) {
    ox_world *world = ox_world_create(&(ox_world_def){.name = "arena"});
    ox_entity orc = ox_entity_create_with(world, OX_VALUE(Position, {1, 2.5f}),
                                          OX_VALUE(Stunned, {3}), OX_VALUE(Team, {7}));
    ox_entity_set_name(world, orc, "Grom");
    ox_set_enabled(world, orc, Stunned, false);
    ox_entity elf = ox_entity_create_of(world, Position, Waypoint);
    ox_buffer_push(ox_edit_buffer(world, elf, Waypoint), Waypoint, {4, 5});

    ox_entity_create_with(world, OX_VALUE(Gold, {9}));

    // The same world gives the same text, whatever happened in it before: compare two with diff.
    char text[1024];
    ox_world_write_text(world, text, sizeof text);
    printf("%s", text);

    // The whole length is returned, also when there is no buffer: allocate as much and one more.
    ox_query *chests = ox_query_create(world, OX_READ(Gold));
    size_t length = ox_query_write_json(chests, NULL, 0);
    printf("%zu bytes of JSON:\n", length);
    ox_query_write_json(chests, text, sizeof text);
    printf("%s\n", text);

    ox_world_destroy(world);
}

// Output:
// world 'arena', 3 entities
// 0:1 Grom
//     Position {"x":1,"y":2.5}
//     Stunned {"turns":3}, disabled
//     Team {"number":7}, shared
// 1:1
//     Position {"x":0,"y":0}
//     Waypoint [{"x":4,"y":5}]
// 2:1
//     Gold {"coins":9}
// 81 bytes of JSON:
// {"world":"arena","entities":[{"entity":"2:1","components":{"Gold":{"coins":9}}}]}
