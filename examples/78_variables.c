// SPDX-License-Identifier: MIT
//
// Containers of any kind behind one handle, as a script's variables are. The script has a line for
// each call, so the calls take it as their place: reports name that line and not one of ours. You
// see what is in them, and that all of them are freed.

#include <oxbow.h>

#include <stdio.h>

typedef enum Kind { ARRAY, BITS, LIST, QUEUE, STREAM, MAP, MULTIMAP, KINDS } Kind;

typedef struct Variable {
    Kind kind;
    union {
        ox_array array;
        ox_bits bits;
        ox_list list;
        ox_queue queue;
        ox_stream stream;
        ox_map map;
        ox_multimap multimap;
    };
} Variable;

static Variable create(Kind kind) {
    Variable made = {.kind = kind};
    switch (kind) {
    case ARRAY:
        made.array = ox_array_create_untyped(double, 4, OX_PERSISTENT);
        break;
    case BITS:
        made.bits = ox_bits_create(64, OX_PERSISTENT);
        break;
    case LIST:
        made.list = ox_list_create_untyped(double, 4, OX_PERSISTENT);
        break;
    case QUEUE:
        made.queue = ox_queue_create_untyped(double, 4, OX_PERSISTENT);
        break;
    case STREAM:
        made.stream = ox_stream_create(OX_PERSISTENT);
        break;
    case MAP:
        made.map = ox_map_create_untyped(char, double, 4, OX_PERSISTENT);
        break;
    default:
        made.multimap = ox_multimap_create_untyped(char, double, 4, OX_PERSISTENT);
    }
    return made;
}

// `line` is of the script: what is used afterwards is reported with it, and not with one of ours.
static void dispose(Variable *variable, ox_site line) {
    switch (variable->kind) {
    case ARRAY:
        ox_array_dispose_at(&variable->array, OX_NO_JOB, line);
        break;
    case BITS:
        ox_bits_dispose_at(&variable->bits, OX_NO_JOB, line);
        break;
    case LIST:
        ox_list_dispose_at(&variable->list, OX_NO_JOB, line);
        break;
    case QUEUE:
        ox_queue_dispose_at(&variable->queue, OX_NO_JOB, line);
        break;
    case STREAM:
        ox_stream_dispose_at(&variable->stream, OX_NO_JOB, line);
        break;
    case MAP:
        ox_map_dispose_at(&variable->map, OX_NO_JOB, line);
        break;
    default:
        ox_multimap_dispose_at(&variable->multimap, OX_NO_JOB, line);
    }
}

int main(void) {
    Variable all[KINDS];
    for (int kind = 0; kind < KINDS; kind++) {
        all[kind] = create((Kind)kind);
    }

    // OX_AS names the types of an untyped handle for one call: of elements, or of keys and values.
    ox_array_set(OX_AS(all[ARRAY].array, double), 3, 1.5);
    ox_bits_set(all[BITS].bits, 63, true);
    ox_list_push(OX_AS(all[LIST].list, double), 2.5);
    ox_queue_push(OX_AS(all[QUEUE].queue, double), 3.5);
    ox_stream_write(ox_stream_writer_of(all[STREAM].stream), double, 4.5);
    ox_map_set(OX_AS(all[MAP].map, char, double), 'x', 5.5);
    ox_multimap_add(OX_AS(all[MULTIMAP].multimap, char, double), 'y', 6.5);
    ox_multimap_add(OX_AS(all[MULTIMAP].multimap, char, double), 'y', 7.5);
    printf("array %d, list %d, queue %d, map %d, multimap %d\n", ox_array_count(all[ARRAY].array),
           ox_list_count(all[LIST].list), ox_queue_count(all[QUEUE].queue),
           ox_map_count(all[MAP].map), ox_multimap_count(all[MULTIMAP].multimap));
    printf("x is %g, the first of the queue %g\n",
           ox_map_read(OX_AS(all[MAP].map, char, double), 'x'),
           ox_queue_pop(OX_AS(all[QUEUE].queue, double)));

    for (int kind = 0; kind < KINDS; kind++) {
        dispose(&all[kind], "script:12");
    }
    printf("list is created: %d, leaks: %d\n", ox_list_is_created(all[LIST].list),
           (int)ox_memory_check_leaks());
}

// Output:
// array 4, list 1, queue 1, map 1, multimap 2
// x is 5.5, the first of the queue 3.5
// list is created: 0, leaks: 0
