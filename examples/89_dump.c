// SPDX-License-Identifier: MIT
//
// A world for tools: all of it as JSON, what one query finds as text, and every query with the
// place that made it. This is what a debugger asks a game that runs.

#include <oxbow.h>

#include <stdio.h>
#include <string.h>

OX_COMPONENT(Position, { int x, y; });
OX_COMPONENT(Health, { int points; });
OX_SHARED(Team, { int number; });

OX_SYSTEM(Heal) {
    OX_EACH_CHUNK(ox_system_query(system, OX_WRITE(Health), OX_READ(Position)), chunk) {
        ox_chunk_edit(chunk, Health)[0].points++;
    }
}

// The length is asked for first: a world may be of any size, and Temp memory needs no free.
static const char *write_world(ox_world *world) {
    size_t length = ox_world_write_json(world, NULL, 0);
    char *text = ox_memory_alloc_array(OX_TEMP, length + 1, char);
    ox_world_write_json(world, text, length + 1);
    return text;
}

static void print_queries(const ox_world *world) {
    ox_query *queries[8];
    int count = ox_world_get_queries(world, queries, 8);
    for (int k = 0; k < count && k < 8; k++) {
        ox_query_info info = ox_query_get_info(queries[k]);
        printf("%s: %d terms, %d filters, of %s\n", strrchr(info.site, '/') + 1, info.term_count,
               info.filter_count, info.system != NULL ? info.system->name : "nobody");
    }
}

int main(void) {
    ox_world *world = ox_world_create(&(ox_world_def){.name = "arena"});
    ox_entity orc = ox_entity_create(world, OX_VALUE(Position, {1, 2}), OX_VALUE(Health, {9}),
                                     OX_VALUE(Team, {1}));
    ox_entity_set_name(world, orc, "Grom");
    ox_entity_create(world, OX_VALUE(Health, {5}), OX_VALUE(Team, {2}));
    ox_world_update(world, 0.1f);
    printf("%s\n", write_world(world));

    // Filters count: only what the query finds is written, with all its components.
    ox_query *second = ox_query_create(world, OX_READ(Health), OX_READ(Team));
    ox_query_filter_shared(second, Team, {2});
    char text[256];
    ox_query_write_text(second, text, sizeof text);
    printf("%s", text);
    print_queries(world);
    ox_world_destroy(world);
}

// Output:
// {"world":"arena","entities":[{"entity":"0:1","name":"Grom","components":{"Health":{"poi...
// query of world 'arena', 1 entity
// 1:1
//     Health {"points":5}
//     Team {"number":2}, shared
// 89_dump.c:16: 2 terms, 0 filters, of Heal
// 89_dump.c:49: 2 terms, 1 filters, of nobody
