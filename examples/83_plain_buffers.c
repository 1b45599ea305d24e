// SPDX-License-Identifier: MIT
//
// Buffers by the id of their component, as a script or a binding has them: no C type is named where
// they are found. The element is one number wide, and only its size must be right. You see the
// stops of trains grow by every way there is to reach them.

#include <oxbow.h>

#include <stdio.h>

static uint32_t stops_id, news_id;

static uint32_t register_buffer(const char *name) {
    return ox_component_register(&(ox_component_def){.name = name,
                                                     .kind = OX_COMPONENT_KIND_BUFFER,
                                                     .text = "{ int32_t number; }",
                                                     .inline_capacity = 4});
}

static void print_stops(ox_world *world, const char *how, ox_entity train) {
    ox_buffer stops = ox_get_buffer_at(world, train, stops_id, false, OX_HERE);
    printf("%-12s", how);
    for (int k = 0; k < ox_buffer_count(stops); k++) {
        printf(" %d", *ox_buffer_get(stops, k, int32_t));
    }
    printf("\n");
}

int main(void) {
    stops_id = register_buffer("Stops");
    news_id = register_buffer("News");
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    ox_entity train = ox_entity_create(world);

    // By entity: `true` asks for the right to write, and waits for the jobs that read.
    ox_add_buffer_at(world, train, stops_id, OX_HERE);
    ox_buffer_push(ox_get_buffer_at(world, train, stops_id, true, OX_HERE), int32_t, 10);
    print_stops(world, "by entity", train);

    // By chunk and row, for all that a query finds.
    ox_term terms[] = {{OX_TERM_WRITE, NULL, stops_id}, {OX_TERM_END, NULL, 0}};
    ox_query *trains = ox_query_create_at(world, terms, OX_HERE);
    OX_EACH_CHUNK(trains, chunk) {
        ox_buffers all = ox_chunk_get_buffers_at(&chunk, stops_id, true, OX_HERE);
        for (int row = 0; row < chunk.count; row++) {
            ox_buffer_push(ox_buffers_get(all, row), int32_t, 20);
        }
    }
    print_stops(world, "by chunk", train);

    // By index, as if all buffers stood in one array.
    ox_view view = ox_query_view_at(trains, stops_id, OX_HERE);
    for (int k = 0; k < view.count; k++) {
        ox_buffer_push(ox_view_get_buffer_at(view, k, true, OX_HERE), int32_t, 30);
    }
    print_stops(world, "by view", train);

    // By entity again, many times and in any order: a lookup finds its way faster.
    ox_lookup lookup = ox_lookup_create_at(world, stops_id, OX_HERE);
    ox_buffer_push(ox_lookup_get_buffer_at(&lookup, train, true, OX_HERE), int32_t, 40);
    print_stops(world, "by lookup", train);

    // Later, with the other commands.
    const int32_t more[] = {50, 60}, instead[] = {1, 2, 3};
    ox_commands commands = ox_commands_create(world, NULL);
    ox_commands_change_buffer_at(commands, train, stops_id, OX_BUFFER_APPEND, more, 2, OX_HERE);
    ox_commands_playback(commands);
    print_stops(world, "appended", train);
    ox_commands_clear(commands);
    ox_commands_change_buffer_at(commands, train, stops_id, OX_BUFFER_SET, instead, 3, OX_HERE);
    ox_commands_playback(commands);
    print_stops(world, "instead", train);
    ox_commands_dispose(&commands);

    // The only one of its kind: news for all trains.
    ox_add_buffer_at(world, ox_entity_create(world), news_id, OX_HERE);
    ox_buffer_push(ox_singleton_get_buffer_at(world, news_id, true, OX_HERE), int32_t, 7);
    printf("news: %d\n",
           ox_buffer_count(ox_singleton_get_buffer_at(world, news_id, false, OX_HERE)));
    ox_world_destroy(world);
}

// Output:
// by entity    10
// by chunk     10 20
// by view      10 20 30
// by lookup    10 20 30 40
// appended     10 20 30 40 50 60
// instead      1 2 3
// news: 1
