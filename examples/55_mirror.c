// SPDX-License-Identifier: MIT
//
// Entities beside the objects of another library, such as the nodes of an engine: each node keeps
// its entity, each entity the number of its node, and twice a frame values are copied, in and out.
// You see a job move nodes, and what happens when either side goes away.

#include <oxbow.h>

#include <stdio.h>

// What the engine has. Of its structs only `place` is a component, as it is; the handle in a node
// is plain data to it.
typedef struct place {
    float x, y;
} place;

typedef struct node {
    const char *name;
    place at;
    ox_entity entity; // {0, 0}: it has none
    bool is_visible;
} node;

enum { NODES = 3 };

OX_EXTERN_COMPONENT(place);
OX_COMPONENT(NodeOf, { int number; });
OX_COMPONENT(Velocity, { float x, y; });

OX_ENTITY_JOB(Fly, (OX_WRITE(place, at), OX_READ(Velocity, velocity)), { float dt; }) {
    at->x += velocity->x * job->dt;
    at->y += velocity->y * job->dt;
}

OX_JOB_SYSTEM(Flight, .jobs = OX_JOBS(Fly)) {
    return ox_schedule_entities(Fly, system, after, {ox_system_get_delta(system)});
}

static void attach(ox_world *world, node *nodes, int number, Velocity velocity) {
    nodes[number].entity =
        ox_entity_create(world, OX_VALUE(place, nodes[number].at), OX_VALUE(NodeOf, {number}),
                         OX_VALUE(Velocity, velocity));
}

// By node: what the engine moved. A handle that is not alive any more says so, for good.
static void copy_in(ox_world *world, node *nodes) {
    for (int k = 0; k < NODES; k++) {
        if (ox_entity_exists(world, nodes[k].entity)) {
            ox_set(world, nodes[k].entity, place, nodes[k].at);
        } else {
            nodes[k].is_visible = false;
        }
    }
}

// By chunk: from front to back here, wherever the nodes lie. It waits for the jobs that write.
static void copy_out(ox_query *mirrored, node *nodes) {
    OX_EACH_CHUNK(mirrored, chunk) {
        const place *at = ox_chunk_get(chunk, place);
        const NodeOf *of = ox_chunk_get(chunk, NodeOf);
        for (int i = 0; i < chunk.count; i++) {
            nodes[of[i].number].at = at[i];
        }
    }
}

static void print_nodes(const char *title, const node *nodes) {
    printf("%s:", title);
    for (int k = 0; k < NODES; k++) {
        printf("  %s %g %g%s", nodes[k].name, nodes[k].at.x, nodes[k].at.y,
               nodes[k].is_visible ? "" : " hidden");
    }
    printf("\n");
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    ox_query *mirrored = ox_query_create(world, OX_READ(place), OX_READ(NodeOf));
    node nodes[NODES] = {{"kite", {0, 10}, {0}, true},
                         {"plane", {0, 90}, {0}, true},
                         {"balloon", {5, 5}, {0}, true}};
    attach(world, nodes, 0, (Velocity){1, 0});
    attach(world, nodes, 1, (Velocity){8, -2});
    attach(world, nodes, 2, (Velocity){0, 1});

    for (int frame = 0; frame < 4; frame++) {
        if (frame == 1) {
            nodes[0].at.x = 100; // the engine moved it
        } else if (frame == 2) {
            ox_entity_destroy(world, nodes[2].entity); // a system destroyed the entity
        } else if (frame == 3) {
            ox_entity_destroy(world, nodes[1].entity); // the engine let go of the node
            nodes[1].entity = (ox_entity){0};
        }
        copy_in(world, nodes);
        ox_world_update(world, 1);
        copy_out(mirrored, nodes);
        print_nodes("after a frame", nodes);
    }
    ox_world_destroy(world);
    ox_jobs_stop();
}

// Output:
// after a frame:  kite 1 10  plane 8 88  balloon 5 6
// after a frame:  kite 101 10  plane 16 86  balloon 5 7
// after a frame:  kite 102 10  plane 24 84  balloon 5 7 hidden
// after a frame:  kite 103 10  plane 24 84 hidden  balloon 5 7 hidden
