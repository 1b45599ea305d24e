// SPDX-License-Identifier: MIT
//
// The life of an entity: made, given components, read, changed, copied, destroyed.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Position, { float x, y; });
OX_COMPONENT(Armor, { int plates; });
OX_TAG(Anchored);

int main(void) {
    ox_world *world = ox_world_create(NULL);

    // A new entity has no components. Its index and version together are its id.
    ox_entity ship = ox_entity_create(world);
    printf("ship is %u:%u\n", ship.index, ship.version);

    // Adding a component moves the entity to others that have the same set.
    ox_add(world, ship, Position, {3, 4});
    ox_add_tag(world, ship, Anchored);

    // By value, by pointer to read, by pointer to write. Pointers live until the next change of
    // this kind: an add, a remove, a new entity, one destroyed.
    Position position = ox_read(world, ship, Position);
    printf("at %g, %g\n", position.x, ox_get(world, ship, Position)->y);
    ox_edit(world, ship, Position)->x += 10;

    // Setting needs the component to be there; without it, it is a report.
    position.y = 7;
    position.x = ox_get(world, ship, Position)->x;
    ox_set(world, ship, Position, position);
    printf("at %g, %g\n", ox_get(world, ship, Position)->x, ox_get(world, ship, Position)->y);

    // So does removing. Asking never is a mistake.
    ox_remove(world, ship, Anchored);
    printf("anchored: %d, position: %d\n", ox_has(world, ship, Anchored),
           ox_has(world, ship, Position));
    printf("exists: %d\n", ox_entity_exists(world, ship));

    // A copy has the same components and values, and an id of its own.
    ox_entity copy = ox_entity_instantiate(world, ship);
    ox_edit(world, copy, Position)->x = 0;
    printf("copy is %u:%u at %g, ship at %g\n", copy.index, copy.version,
           ox_get(world, copy, Position)->x, ox_get(world, ship, Position)->x);

    // Destroying ends every handle to it. The next entity gets its index with a newer version.
    ox_entity_destroy(world, copy);
    ox_entity next = ox_entity_create(world);
    printf("copy exists: %d, next is %u:%u\n", ox_entity_exists(world, copy), next.index,
           next.version);

    // Many at once, of a set of components that is named once.
    ox_entity fleet[1000];
    ox_archetype set = ox_archetype_of(world, Position, Armor);
    ox_entities_create(world, set, fleet, 1000);
    ox_entity_location place = ox_entity_get_location(world, fleet[999]);
    printf("the last of %u is in chunk %d of its set, row %d\n",
           ox_world_get_usage(world).entity_count, place.chunk, place.row);

    // And changed together: all of them, or none if one is wrong.
    ox_entities_add_tag(world, fleet, 500, Anchored);
    printf("anchored: %d and %d\n", ox_has(world, fleet[499], Anchored),
           ox_has(world, fleet[500], Anchored));

    ox_world_destroy(world);
}

// Output:
// ship is 0:1
// at 3, 4
// at 13, 7
// anchored: 0, position: 1
// exists: 1
// copy is 1:1 at 0, ship at 13
// copy exists: 0, next is 1:2
// the last of 1002 is in chunk 1 of its set, row 183
// anchored: 1 and 0
