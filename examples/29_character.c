// SPDX-License-Identifier: MIT
//
// A prefab of a character with its parts: a body that holds a sword and a lamp. Copies of it get
// parts of their own, which point to each other as those of the prefab do. You see queries leave
// the prefab out, and what happens to a whole group when its first is switched off or destroyed.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Body, { ox_entity hand; });
OX_COMPONENT(Held, { ox_entity by; });
OX_COMPONENT(Damage, { int points; });
OX_COMPONENT(Light, { float range; });

enum { GUARDS = 3 };

static void print_report(const ox_report *report, void *context) {
    (void)context;
    printf("  %s %s\n", report->code, report->what);
}

// An entity is a prefab by its tag; its group is a buffer with itself first, then its parts.
static ox_entity make_prefab(ox_world *world) {
    ox_entity body = ox_entity_create(world, OX_VALUE(Body, {{0}}), OX_VALUE_TAG(ox_prefab));
    ox_entity sword = ox_entity_create(world, OX_VALUE(Held, {body}), OX_VALUE(Damage, {7}),
                                       OX_VALUE_TAG(ox_prefab));
    ox_entity lamp = ox_entity_create(world, OX_VALUE(Held, {body}), OX_VALUE(Light, {4}),
                                      OX_VALUE_TAG(ox_prefab));
    ox_edit(world, body, Body)->hand = sword;
    ox_buffer group = ox_add_buffer(world, body, ox_linked);
    ox_buffer_push(group, ox_linked, {body});
    ox_buffer_push(group, ox_linked, {sword});
    ox_buffer_push(group, ox_linked, {lamp});
    return body;
}

static void print_character(ox_world *world, const char *title, ox_entity body) {
    ox_entity sword = ox_get(world, body, Body)->hand;
    printf("  %s %u holds %u (damage %d), which is held by %u; its group:", title, body.index,
           sword.index, ox_get(world, sword, Damage)->points, ox_get(world, sword, Held)->by.index);
    ox_buffer group = ox_get(world, body, ox_linked);
    for (int k = 0; k < ox_buffer_count(group); k++) {
        printf(" %u", ox_buffer_get(group, k, ox_linked)->entity.index);
    }
    printf("\n");
}

int main(void) {
    ox_world *world = ox_world_create(&(ox_world_def){.on_report = {print_report, NULL}});
    ox_query *bodies = ox_query_create(world, OX_READ(Body));
    ox_query *held = ox_query_create(world, OX_READ(Held));
    ox_query *everything =
        ox_query_create(world, OX_READ(Body), OX_INCLUDE(ox_prefab, ox_disabled));
    ox_entity prefab = make_prefab(world);
    printf("a prefab: bodies %d, with prefabs %d\n", (int)ox_query_count(bodies),
           (int)ox_query_count(everything));
    print_character(world, "prefab", prefab);

    // Copies: each with parts of its own, and no longer prefabs.
    ox_entity guards[GUARDS], captain = ox_entity_instantiate(world, prefab);
    ox_entities_instantiate(world, prefab, guards, GUARDS);
    printf("a captain and %d guards: bodies %d, held %d\n", GUARDS, (int)ox_query_count(bodies),
           (int)ox_query_count(held));
    print_character(world, "captain", captain);
    print_character(world, "guard", guards[GUARDS - 1]);

    // Just these two entities, no group is followed. The copies point to each other.
    ox_entity pair[] = {captain, ox_get(world, captain, Body)->hand}, copies[2];
    ox_entities_copy(world, pair, copies, 2);
    printf("a copy of two: bodies %d, held %d\n", (int)ox_query_count(bodies),
           (int)ox_query_count(held));
    print_character(world, "copy", copies[0]); // the lamp in its group is still the captain's
    ox_remove(world, copies[0], ox_linked);
    ox_entities_destroy(world, copies, 2);

    // Off and on again, with all parts.
    ox_entity_set_enabled(world, guards[0], false);
    printf("a guard sleeps: bodies %d, held %d, awake %d\n", (int)ox_query_count(bodies),
           (int)ox_query_count(held), ox_entity_is_enabled(world, guards[0]));
    ox_entity_set_enabled(world, guards[0], true);

    // Destroying follows groups. By query it does not: what matches must be whole groups.
    ox_entity_destroy(world, captain);
    printf("no captain: bodies %d, held %d\n", (int)ox_query_count(bodies),
           (int)ox_query_count(held));
    ox_query_destroy_entities(bodies);
    ox_query *characters = ox_query_create(world, OX_ANY(Body, Held));
    printf("destroyed by query: %d\n", (int)ox_query_destroy_entities(characters));
    printf("left with the prefab: %u\n", ox_world_get_usage(world).entity_count);
    ox_world_destroy(world);
}

// Output:
// a prefab: bodies 0, with prefabs 1
//   prefab 0 holds 1 (damage 7), which is held by 0; its group: 0 1 2
// a captain and 3 guards: bodies 4, held 8
//   captain 3 holds 4 (damage 7), which is held by 3; its group: 3 4 5
//   guard 12 holds 13 (damage 7), which is held by 12; its group: 12 13 14
// a copy of two: bodies 5, held 9
//   copy 15 holds 16 (damage 7), which is held by 15; its group: 15 16 5
// a guard sleeps: bodies 3, held 6, awake 0
// no captain: bodies 3, held 6
//   OX-E23 a query matches only a part of a linked group
// destroyed by query: 9
// left with the prefab: 3
