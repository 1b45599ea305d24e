// SPDX-License-Identifier: MIT
//
// Guns shoot inside of a loop over chunks. A bullet is no gun, so it may come while the loop goes
// on: only a change of what the loop goes over ends it, and that is recorded and played back after
// the loop.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Position, { float x, y; });
OX_COMPONENT(Velocity, { float x, y; });
OX_COMPONENT(Gun, { int shells; });

static void shoot(ox_world *world, ox_query *guns) {
    ox_commands after_loop = ox_commands_create(world, NULL);
    OX_EACH_CHUNK(guns, chunk) {
        Gun *gun = ox_chunk_edit(chunk, Gun);
        const Position *position = ox_chunk_get(chunk, Position);
        for (int i = 0; i < chunk.count; i++) {
            // A structural change, of entities that `guns` does not match: the columns stay.
            ox_entity_create(world, OX_VALUE(Position, {position[i].x, position[i].y}),
                             OX_VALUE(Velocity, {0, 90}));
            gun[i].shells--;
            if (gun[i].shells == 0) {
                // This one changes what the loop goes over. Done at once, the next step would be
                // the report OX-E15.
                ox_commands_destroy_entity(after_loop, chunk.entities[i]);
            }
        }
    }
    ox_commands_playback(after_loop);
    ox_commands_dispose(&after_loop);
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    ox_query *guns = ox_query_create(world, OX_WRITE(Gun), OX_READ(Position));
    ox_query *bullets = ox_query_create(world, OX_READ(Position), OX_READ(Velocity));
    for (int k = 0; k < 2000; k++) { // in several chunks
        ox_entity_create(world, OX_VALUE(Position, {(float)k, 0}), OX_VALUE(Gun, {1 + k % 3}));
    }

    for (int frame = 0; frame < 4; frame++) {
        shoot(world, guns);
        printf("frame %d: %d guns, %d bullets\n", frame, (int)ox_query_count(guns),
               (int)ox_query_count(bullets));
    }

    ox_world_destroy(world);
}

// Output:
// frame 0: 1333 guns, 2000 bullets
// frame 1: 666 guns, 3333 bullets
// frame 2: 0 guns, 3999 bullets
// frame 3: 0 guns, 3999 bullets
