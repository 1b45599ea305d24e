// SPDX-License-Identifier: MIT
//
// All that a world does with its entities, call by call: make them in five ways, add, get, set,
// remove, ask, copy, destroy. Two calls are mistakes, and you see what is said about them.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Place, { float x, y; });
OX_COMPONENT(Cargo, { int crates; });
OX_TAG(Docked);

enum { FLEET = 100 };

static void print_report(const ox_report *report, void *context) {
    (void)context;
    printf("  %s %s\n", report->code, report->what);
}

static void print_entity(const ox_world *world, const char *title, ox_entity entity) {
    uint32_t ids[8];
    int count = ox_entity_get_components(world, entity, ids, 8);
    printf("%s is %u:%u, components: %d%s%s%s\n", title, entity.index, entity.version, count,
           ox_has(world, entity, Place) ? ", Place" : "",
           ox_has(world, entity, Cargo) ? ", Cargo" : "",
           ox_has(world, entity, Docked) ? ", Docked" : "");
}

int main(void) {
    ox_world *world =
        ox_world_create(&(ox_world_def){.name = "harbour", .on_report = {print_report, NULL}});

    // Create: with nothing, with types, in an archetype, with values, many.
    ox_entity ship = ox_entity_create(world);
    ox_entity barge = ox_entity_create_in(world, ox_archetype_of(world, Place, Cargo));
    ox_archetype boats = ox_archetype_of(world, Place, Docked);
    ox_entity boat = ox_entity_create_in(world, boats);
    ox_entity tug = ox_entity_create(world, OX_VALUE(Place, {1, 2}), OX_VALUE_TAG(Docked));
    ox_entity fleet[FLEET];
    ox_entities_create(world, boats, fleet, FLEET);
    print_entity(world, "ship", ship);
    print_entity(world, "barge", barge);
    print_entity(world, "boat", boat);
    print_entity(world, "tug", tug);
    print_entity(world, "the last", fleet[FLEET - 1]);
    printf("it lies in row %d of its chunk\n", ox_entity_get_location(world, fleet[FLEET - 1]).row);

    // Add, get and set. To set a component that is not there is a mistake.
    ox_add_tag(world, ship, Docked);
    ox_add(world, ship, Cargo, {3});
    Cargo cargo = ox_read(world, ship, Cargo);
    cargo.crates += 4;
    ox_set(world, ship, Cargo, cargo);
    ox_edit(world, ship, Cargo)->crates *= 2;
    printf("crates: %d\n", ox_get(world, ship, Cargo)->crates);
    ox_set(world, ship, Place, {5, 6});

    // Remove. Without the component it is a mistake.
    ox_remove(world, ship, Docked);
    ox_remove(world, ship, Cargo);
    ox_remove(world, ship, Cargo);

    // Has and exists are asked about anything.
    printf("ship has cargo: %d, exists: %d\n", ox_has(world, ship, Cargo),
           ox_entity_exists(world, ship));

    // Several components at once: the entity moves once. Or all that an archetype says.
    ox_add_many(world, ship, OX_VALUE(Place, {5, 6}), OX_VALUE(Cargo, {1}), OX_VALUE_TAG(Docked));
    print_entity(world, "ship", ship);
    ox_remove_many(world, ship, Cargo, Docked);
    print_entity(world, "ship", ship);
    ox_entity_set_archetype(world, ship, boats);
    print_entity(world, "ship", ship);

    // A name leads back to its entity. A copy has an id of its own, and no name.
    ox_entity_set_name(world, ship, "Argo");
    ox_entity copy = ox_entity_instantiate(world, ox_entity_find(world, "Argo"));
    print_entity(world, "copy", copy);
    printf("at %g, %g; names: %s and %s\n", ox_get(world, copy, Place)->x,
           ox_get(world, copy, Place)->y, ox_entity_get_name(world, ship),
           ox_entity_get_name(world, copy) == NULL ? "none" : "?");

    // An array of entities changes in one call, all or none: a stale one is told by its index.
    ox_entities_add(world, fleet, FLEET, Cargo, {2});
    ox_entities_remove(world, fleet, FLEET / 2, Docked);
    printf("of %d boats %d have cargo, %d are docked\n", FLEET,
           (int)ox_entities_count_with(world, fleet, FLEET, Cargo),
           (int)ox_entities_count_with(world, fleet, FLEET, Docked));

    // Destroy one, and many. The indices come again, with another version.
    ox_entity_destroy(world, copy);
    ox_entities_destroy(world, fleet, FLEET);
    printf("copy exists: %d, the last: %d, entities: %u\n", ox_entity_exists(world, copy),
           ox_entity_exists(world, fleet[FLEET - 1]), ox_world_get_usage(world).entity_count);
    print_entity(world, "the next", ox_entity_create(world));

    ox_world_destroy(world);
}

// Output:
// ship is 0:1, components: 0
// barge is 1:1, components: 2, Place, Cargo
// boat is 2:1, components: 2, Place, Docked
// tug is 3:1, components: 2, Place, Docked
// the last is 103:1, components: 2, Place, Docked
// it lies in row 101 of its chunk
// crates: 14
//   OX-E02 an entity does not have a component
//   OX-E02 an entity does not have a component
// ship has cargo: 0, exists: 1
// ship is 0:1, components: 3, Place, Cargo, Docked
// ship is 0:1, components: 1, Place
// ship is 0:1, components: 2, Place, Docked
// copy is 104:1, components: 2, Place, Docked
// at 5, 6; names: Argo and none
// of 100 boats 100 have cargo, 50 are docked
// copy exists: 0, the last: 0, entities: 4
// the next is 103:2, components: 0
