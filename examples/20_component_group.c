// SPDX-License-Identifier: MIT
//
// What a query does with a group of entities, call by call: go through it by index and chunk by
// chunk, copy it out and in, let only what changed pass, change all of it at once, and say why one
// does not match.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Health, { int points; });
OX_COMPONENT(Armor, { int plates; });
OX_TAG(Knight);
OX_TAG(Archer);
OX_TAG(Fallen);

static void go_by_index(ox_query *armored) {
    // The views are parallel: they have one length, and one index is one entity.
    ox_view entities = ox_query_view_entities(armored);
    ox_view healths = ox_query_view(armored, Health);
    ox_view armors = ox_query_view(armored, Armor);
    for (int i = 0; i < entities.count; i++) {
        ox_entity entity = ox_view_read_entity(entities, i);
        int plates = ox_view_read(armors, i, Armor).plates;
        ox_view_set(healths, i, Health, {10 + plates});
        printf("%u:%u has %d plates\n", entity.index, entity.version, plates);
    }
    // Values that lie behind each other can be read as an array.
    ox_view_span window = ox_view_get_span(healths, 1, healths.count - 1);
    const Health *points = window.values;
    printf("health of the last %d: %d, %d\n", window.count, points[0].points, points[1].points);
}

static void go_by_chunk(ox_query *all) {
    // What OX_EACH_CHUNK does, written out.
    ox_chunk chunk = ox_query_chunks(all);
    while (ox_chunk_next(&chunk)) {
        const Armor *armor = ox_chunk_get(chunk, Armor); // optional: NULL where there is none
        printf("a chunk of %d, armor: %d, archers: %d\n", chunk.count, armor != NULL,
               ox_chunk_has(chunk, Archer));
    }
}

static void copy_out_and_in(ox_query *fighters) {
    ox_array entities = ox_query_copy_entities(fighters, OX_TEMP);
    ox_array healths = ox_query_copy_values(fighters, Health, OX_TEMP);
    for (int64_t i = 0; i < healths.count; i++) {
        ox_array_edit(OX_AS(healths, Health), i)->points += (int)i;
    }
    ox_query_set_values(fighters, Health, healths);
    printf("copied %d, the last is %u with %d points\n", (int)entities.count,
           ox_array_read(OX_AS(entities, ox_entity), entities.count - 1).index,
           ox_array_read(OX_AS(healths, Health), healths.count - 1).points);
    ox_dispose(&entities);
    ox_dispose(&healths);
}

static void filter(ox_world *world, ox_query *all, ox_entity knight) {
    uint32_t before = ox_world_get_version(world);
    ox_world_advance_version(world);
    ox_query_filter_changed(all, Health, before);
    printf("nothing changed: %d\n", ox_query_is_empty(all));
    ox_edit(world, knight, Health)->points--; // its whole chunk passes
    printf("health changed in chunks of %d\n", (int)ox_query_count(all));
    ox_entity_create_in(world, ox_archetype_of(world, Health));
    ox_query_reset_filters(all);
    ox_query_filter_order(all, before);
    printf("entities came to chunks of %d\n", (int)ox_query_count(all));
    ox_query_filter_changed(all, Health, before); // of several filters one suffices
    printf("either: %d of %d\n", (int)ox_query_count(all), (int)ox_query_count_all(all));
    ox_query_reset_filters(all);
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    ox_query *armored = ox_query_create(world, OX_WRITE(Health), OX_READ(Armor));
    ox_query *all = ox_query_create(world, OX_READ(Health), OX_OPTIONAL(Armor));
    ox_query *knights = ox_query_create(world, OX_WITH(Knight), OX_NONE(Fallen));
    ox_query *fighters = ox_query_create(world, OX_WRITE(Health), OX_ANY(Knight, Archer));
    ox_entity knight = {0};
    for (int k = 0; k < 3; k++) {
        knight = ox_entity_create(world, OX_VALUE(Health, {0}), OX_VALUE(Armor, {k}),
                                  OX_VALUE_TAG(Knight));
    }
    ox_entities_create(world, ox_archetype_of(world, Health, Archer), NULL, 2);
    ox_entity_create_in(world, ox_archetype_of(world, Health));
    printf("armored %d, knights %d, fighters %d, all %d\n", (int)ox_query_count(armored),
           (int)ox_query_count(knights), (int)ox_query_count(fighters), (int)ox_query_count(all));

    go_by_index(armored);
    go_by_chunk(all);
    copy_out_and_in(fighters);
    filter(world, all, knight);

    // Change all that match: whole chunks change sides, no entity moves.
    ox_query_add(armored, Fallen);
    printf("knights that stand: %d\n", (int)ox_query_count(knights));
    char why[128];
    ox_query_explain(knights, knight, why, sizeof why);
    printf("%u:%u %s\n", knight.index, knight.version, why);
    ox_query_remove(armored, Fallen);
    int gone = (int)ox_query_destroy_entities(fighters);
    printf("destroyed %d, left %d\n", gone, (int)ox_query_count(all));

    ox_query_destroy(armored); // one that is kept ends with its world
    ox_world_destroy(world);
}

// Output:
// armored 3, knights 3, fighters 5, all 6
// 0:1 has 0 plates
// 1:1 has 1 plates
// 2:1 has 2 plates
// health of the last 2: 11, 12
// a chunk of 3, armor: 1, archers: 0
// a chunk of 2, armor: 0, archers: 1
// a chunk of 1, armor: 0, archers: 0
// copied 5, the last is 4 with 4 points
// nothing changed: 1
// health changed in chunks of 3
// entities came to chunks of 2
// either: 5 of 7
// knights that stand: 0
// 2:1 has Fallen, which OX_NONE shuts out
// destroyed 5, left 2
