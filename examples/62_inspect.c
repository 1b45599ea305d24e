// SPDX-License-Identifier: MIT
//
// A look into a world, as a debugger takes it: all of it as text, what a query matches as JSON, its
// archetypes, and why a system does not see an entity.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Position, { float x, y; });
OX_ENABLEABLE(Stunned, { int turns; });
OX_SHARED(Team, { int number; });
OX_BUFFER(Waypoint, 4, { int x, y; });
OX_COMPONENT(Gold, { int coins; });

OX_SYSTEM(Heal) {
    ox_query *hurt = ox_system_query(system, OX_WRITE(Position), OX_READ(Team), OX_NONE(Gold));
    OX_EACH_CHUNK(hurt, chunk) {
        ox_chunk_edit(chunk, Position)[0].x += 1;
    }
}

static void print_archetypes(const ox_world *world) {
    ox_archetype all[8];
    int count = ox_world_get_archetypes(world, all, 8);
    for (int k = 0; k < count; k++) {
        ox_archetype_info info = ox_archetype_get_info(world, all[k]);
        uint32_t ids[8];
        ox_archetype_get_components(world, all[k], ids, 8);
        printf("%d components%s%s: %d entities, chunks: %d of %d, fill: %.4f\n",
               info.component_count, info.component_count == 1 ? ", " : "",
               info.component_count == 1 ? ox_component_get_info(ids[0])->name : "",
               (int)info.entity_count, info.chunk_count, info.chunk_capacity, (double)info.fill);
    }
}

static void print_system(ox_system *system) {
    ox_query *queries[4];
    ox_system_access accesses[8];
    int query_count = ox_system_get_queries(system, queries, 4);
    int access_count = ox_system_get_accesses(system, accesses, 8);
    printf("%s has %d query of %d terms\n", system->name, query_count,
           ox_query_get_terms(queries[0], NULL, 0));
    for (int k = 0; k < access_count; k++) {
        printf("it %s %s\n", accesses[k].writes ? "writes" : "reads",
               ox_component_get_info(accesses[k].component)->name);
    }
}

int main(void) {
    ox_world *world = ox_world_create(&(ox_world_def){.name = "arena"});
    ox_entity orc = ox_entity_create(world, OX_VALUE(Position, {1, 2.5f}), OX_VALUE(Stunned, {3}),
                                     OX_VALUE(Team, {7}));
    ox_entity_set_name(world, orc, "Grom");
    ox_set_enabled(world, orc, Stunned, false);
    ox_entity elf = ox_entity_create_in(world, ox_archetype_of(world, Position, Waypoint));
    ox_buffer_push(ox_edit(world, elf, Waypoint), Waypoint, {4, 5});

    ox_entity_create(world, OX_VALUE(Gold, {9}));

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

    print_archetypes(world);

    // Which systems see the elf, and why the others do not.
    ox_world_update(world, 0.1f);
    print_system(ox_system_find(world, "Heal"));
    printf("systems that see the orc: %d, the elf: %d\n",
           ox_entity_get_systems(world, orc, NULL, 0), ox_entity_get_systems(world, elf, NULL, 0));
    ox_entity_explain_systems(world, elf, text, sizeof text);
    printf("%s", text);

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
// 0 components: 0 entities, chunks: 0 of 2048, fill: 0.0000
// 3 components: 1 entities, chunks: 1 of 816, fill: 0.0012
// 2 components: 1 entities, chunks: 1 of 256, fill: 0.0039
// 1 components, Gold: 1 entities, chunks: 1 of 1360, fill: 0.0007
// Heal has 1 query of 3 terms
// it writes Position
// systems that see the orc: 1, the elf: 0
// Heal: does not match the query of examples/62_inspect.c:17: has no Team
