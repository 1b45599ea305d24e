// SPDX-License-Identifier: MIT
//
// Two towns become one, and a third world lends its prefabs. You see new ids, references that
// follow, those that end, a name that was taken, and what a copy leaves behind.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(House, { int rooms; });
OX_COMPONENT(LivesIn, { ox_entity house; });
OX_SHARED(Street, { int number; });

static void print_warning(const ox_report *report, void *context) {
    (void)context;
    printf("%s: %s\n", report->severity == OX_SEVERITY_WARNING ? "warning" : "error", report->what);
}

static ox_world *make_town(const char *name, int houses) {
    ox_world *town = ox_world_create(
        &(ox_world_def){.name = name, .no_systems = true, .on_report = {print_warning, NULL}});
    for (int k = 0; k < houses; k++) {
        ox_entity house =
            ox_entity_create(town, OX_VALUE(House, {k + 1}), OX_VALUE(Street, {k % 2}));
        ox_entity_create(town, OX_VALUE(LivesIn, {house}));
    }
    ox_entity_set_name(town, ox_entity_create(town), "mayor");
    return town;
}

static void print_homes(ox_world *town) {
    ox_query *people = ox_query_create(town, OX_READ(LivesIn));
    int at_home = 0, homeless = 0, rooms = 0;
    OX_EACH_CHUNK(people, chunk) {
        for (int k = 0; k < chunk.count; k++) {
            ox_entity house = ox_chunk_get(chunk, LivesIn)[k].house;
            if (ox_entity_exists(town, house)) {
                at_home++;
                rooms += ox_read(town, house, House).rooms;
            } else {
                homeless++;
            }
        }
    }
    ox_query_destroy(people);
    printf("%s: %d live in %d rooms, %d have no house\n", ox_world_get_def(town).name, at_home,
           rooms, homeless);
}

int main(void) {
    ox_world *west = make_town("west", 3), *east = make_town("east", 4);

    // Only street 1 moves: whole chunks, as the filter of a query says. Who lives there stays, and
    // what pointed to a house that left is not alive any more.
    ox_query *houses = ox_query_create(east, OX_READ(House), OX_READ(Street));
    ox_query_filter_shared(houses, Street, {1});
    ox_entity before[8], after[8];
    ox_moved_ids ids = {before, after, 8};
    int moved = (int)ox_world_move_query(west, houses, &ids);
    for (int k = 0; k < moved; k++) {
        printf("house %u:%u of east is %u:%u of west\n", before[k].index, before[k].version,
               after[k].index, after[k].version);
    }
    print_homes(east);

    // The rest. People and houses that move together stay together; there is one mayor too many.
    printf("moved: %d\n", (int)ox_world_move(west, east, NULL));
    print_homes(west);

    // A copy: the library keeps what it has.
    ox_world *library = ox_world_create(&(ox_world_def){.name = "library", .no_systems = true});
    ox_entity set[2], copies[2];
    set[0] = ox_entity_create(library, OX_VALUE(House, {20}), OX_VALUE_TAG(ox_prefab));
    set[1] = ox_entity_create(library, OX_VALUE(LivesIn, {set[0]}), OX_VALUE_TAG(ox_prefab));
    ox_world_copy(west, library, set, copies, 2);
    printf("copied: lives in the copy %d, prefab %d, library has %u\n",
           ox_read(west, copies[1], LivesIn).house.index == copies[0].index,
           ox_has(west, copies[0], ox_prefab), ox_world_get_usage(library).entity_count);

    ox_world_destroy(library);
    ox_world_destroy(east);
    ox_world_destroy(west);
}

// Output:
// house 2:1 of east is 7:1 of west
// house 6:1 of east is 8:1 of west
// east: 2 live in 4 rooms, 2 have no house
// warning: a name is taken where an entity arrives
// moved: 7
// west: 5 live in 10 rooms, 2 have no house
// copied: lives in the copy 1, prefab 1, library has 2
