// SPDX-License-Identifier: MIT
//
// The order of systems: what they say about each other, in whatever group they are; those on main
// come after jobs that they conflict with. You see the order that comes out, and the one by name.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Position, { float x; });
OX_COMPONENT(Velocity, { float x; });
OX_COMPONENT(Score, { int points; });

OX_ENTITY_JOB(Fly, (OX_WRITE(Position, position), OX_READ(Velocity, velocity)), { float dt; }) {
    position->x += velocity->x * job->dt;
}

// Groups hold systems, and groups. What is in no group is in "Simulation".
OX_GROUP(Physics, .in = "Simulation");
OX_GROUP(Thinking, .in = "Simulation");

// "Solve" is in another group, perhaps in another file: so all of Thinking comes before all of
// Physics.
OX_SYSTEM(Plan, .in = "Thinking", .before = {"Solve"}) {
}

OX_SYSTEM(Solve, .in = "Physics") {
}

// It says "after", so it is after, though it schedules jobs.
OX_JOB_SYSTEM(Move, .in = "Physics", .jobs = OX_JOBS(Fly), .after = {"Solve"}) {
    return ox_schedule_entities(Fly, system, after, {.dt = ox_system_get_delta(system)});
}

static bool read_positions(ox_system *system) {
    return ox_system_declare(system, OX_READ(Position));
}

static bool write_scores(ox_system *system) {
    return ox_system_declare(system, OX_WRITE(Score));
}

// Neither says anything. Camera reads what the jobs of Move write: main would wait for them. So
// Referee, which has nothing to do with them, goes first, and the jobs run meanwhile.
OX_SYSTEM(Camera, .in = "Presentation", .create = read_positions) {
}

OX_SYSTEM(Referee, .in = "Presentation", .create = write_scores) {
}

OX_SYSTEM(Input, .in = "Initialization", .place = OX_PHASE_FIRST) {
}

static int depth_of(const ox_system *system) {
    const ox_system *group = ox_system_get_info(system).group;
    return group != NULL ? 1 + depth_of(group) : 0;
}

// Prints the order of updates, from a group on.
static void print_order(ox_world *world, const char *from) {
    ox_system *systems[32], *first = ox_system_find(world, from);
    int count = ox_world_get_systems(world, systems, 32);
    bool is_reached = false;
    for (int k = 0; k < count; k++) {
        is_reached = is_reached || systems[k] == first;
        if (is_reached) {
            printf("%*s%s\n", 2 * depth_of(systems[k]), "", systems[k]->name);
        }
    }
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    printf("the order of updates:\n");
    print_order(world, "Initialization");

    ox_world_order_by_name(world, true);
    printf("the end of it, by name:\n");
    print_order(world, "Presentation");
    ox_world_destroy(world);
}

// Output:
// the order of updates:
//   Initialization
//     BeginInitialization
//     Input
//     EndInitialization
//   Simulation
//     BeginSimulation
//     Thinking
//       Plan
//     Physics
//       Solve
//       Move
//     EndSimulation
//   Presentation
//     BeginPresentation
//     Referee
//     Camera
//     EndPresentation
// the end of it, by name:
//   Presentation
//     BeginPresentation
//     Camera
//     Referee
//     EndPresentation
