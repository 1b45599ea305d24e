// SPDX-License-Identifier: MIT
//
// Agents that follow waypoints. Each has its own list of them, in a buffer: short ones lie beside
// the other components, a long one outside. You see agents walk, a path that grows and shrinks, and
// a copy that has a path of its own.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Place, { int x, y; });
OX_BUFFER(Waypoint, 4, { int x, y; });

static ox_entity make_agent(ox_world *world, const Waypoint *path, int count) {
    ox_entity agent = ox_entity_create(world, OX_VALUE(Place, {0, 0}));
    ox_buffer_push_many(ox_add_buffer(world, agent, Waypoint), Waypoint, path, count);
    return agent;
}

static int step_to(int from, int to) {
    return from + (to > from) - (to < from);
}

// One step towards the next waypoint, which is removed when it is reached.
static void walk(ox_world *world, ox_entity agent) {
    ox_buffer path = ox_edit(world, agent, Waypoint);
    if (ox_buffer_is_empty(path)) {
        return;
    }
    Waypoint next = ox_buffer_read(path, 0, Waypoint);
    Place *place = ox_edit(world, agent, Place);
    place->x = step_to(place->x, next.x);
    place->y = step_to(place->y, next.y);
    if (place->x == next.x && place->y == next.y) {
        ox_buffer_remove(path, 0);
    }
}

static void print_agent(ox_world *world, const char *name, ox_entity agent) {
    ox_buffer path = ox_get(world, agent, Waypoint);
    const Place *place = ox_get(world, agent, Place);
    printf("%s at %d,%d with %d of %d waypoints\n", name, place->x, place->y, ox_buffer_count(path),
           ox_buffer_capacity(path));
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    const Waypoint round[] = {{2, 0}, {2, 2}, {0, 2}};
    ox_entity scout = make_agent(world, round, 3);
    ox_entity guard = make_agent(world, round, 2);
    for (int k = 0; k < 3; k++) {
        walk(world, scout);
        walk(world, guard);
    }
    print_agent(world, "scout", scout);
    print_agent(world, "guard", guard);

    // Three rounds more than lie inline: the path moves outside.
    ox_buffer path = ox_edit(world, guard, Waypoint);
    for (int k = 0; k < 3; k++) {
        ox_buffer_push_many(path, Waypoint, round, 3);
    }
    print_agent(world, "guard", guard);

    // A copy walks on by itself.
    ox_entity twin = ox_entity_instantiate(world, guard);
    for (int k = 0; k < 12; k++) {
        walk(world, twin);
    }
    print_agent(world, "twin", twin);
    print_agent(world, "guard", guard);

    // What is short again can come back.
    path = ox_edit(world, guard, Waypoint);
    ox_buffer_resize(path, 2);
    ox_buffer_trim(path);
    print_agent(world, "guard", guard);
    ox_world_destroy(world);
}

// Output:
// scout at 2,1 with 2 of 4 waypoints
// guard at 2,1 with 1 of 4 waypoints
// guard at 2,1 with 10 of 16 waypoints
// twin at 1,2 with 4 of 10 waypoints
// guard at 2,1 with 10 of 16 waypoints
// guard at 2,1 with 2 of 4 waypoints
