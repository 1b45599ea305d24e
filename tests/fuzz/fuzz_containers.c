// SPDX-License-Identifier: MIT
//
// Turns bytes into operations on a list, a map, a multimap and a queue, wrong ones included, and
// holds each against a plain model. Reports are counted; nothing may be lost or half done.

#include <oxbow.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 4096 };

static uint8_t list_model[MOST], queue_model[MOST];
static int list_count, queue_count;
static int map_model[256]; // value + 1, 0: not there
static int multimap_model[256];
static uint64_t reports;

static void require(bool condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "fuzz_containers: %s\n", what);
        abort();
    }
}

static void count_report(const ox_report *report, void *context) {
    (void)report;
    (void)context;
    reports++;
}

// One operation on the list. An index that does not exist is a report and changes nothing.
static void use_list(ox_list list, uint8_t operation, uint8_t value) {
    int index = value;
    uint64_t before = reports;
    bool exists = index < list_count;
    switch (operation % 6) {
    case 0:
        require(ox_list_push(OX_AS(list, uint8_t), value), "a push works");
        list_model[list_count++] = value;
        return;
    case 1:
        require(ox_list_remove(list, index) == exists, "only what is there is removed");
        if (exists) {
            memmove(list_model + index, list_model + index + 1, (size_t)(list_count - index - 1));
            list_count--;
        }
        break;
    case 2:
        require(ox_list_remove_swap(list, index) == exists, "the same with the last one");
        if (exists) {
            list_model[index] = list_model[--list_count];
        }
        break;
    case 3:
        require(ox_list_read(OX_AS(list, uint8_t), index) == (exists ? list_model[index] : 0),
                "get");
        break;
    case 4:
        ox_list_set(OX_AS(list, uint8_t), index, 7);
        if (exists) {
            list_model[index] = 7;
        }
        break;
    default:
        require(ox_list_read(OX_AS(list, float), 0) == 0, "another type is refused");
        exists = false;
    }
    require(exists == (reports == before), "what is wrong is reported once");
}

static void use_map(ox_map map, uint8_t operation, uint8_t key) {
    const int *found = ox_map_find(OX_AS(map, int, int), (int)key);
    require((found != NULL ? *found + 1 : 0) == map_model[key], "the map finds what it holds");
    if (operation % 3 == 0) {
        require(ox_map_add(OX_AS(map, int, int), (int)key, operation) == (found == NULL), "add");
        map_model[key] = map_model[key] != 0 ? map_model[key] : operation + 1;
    } else if (operation % 3 == 1) {
        ox_map_set(OX_AS(map, int, int), (int)key, operation);
        map_model[key] = operation + 1;
    } else {
        require(ox_map_remove(OX_AS(map, int, int), (int)key) == (map_model[key] != 0), "remove");
        map_model[key] = 0;
    }
}

static void use_multimap(ox_multimap map, uint8_t operation, uint8_t key) {
    if (operation % 4 != 0) {
        ox_multimap_add(OX_AS(map, int, int), (int)key, multimap_model[key]);
        multimap_model[key]++;
    } else {
        require(ox_multimap_remove(OX_AS(map, int, int), (int)key) == multimap_model[key],
                "all values");
        multimap_model[key] = 0;
    }
    int next = 0;
    OX_EACH_OF(OX_AS(map, int, int), (int)key, it) {
        require(*it.value == next++, "the values of a key are in the order they were added");
    }
    require(next == multimap_model[key], "and none is lost");
}

static void use_queue(ox_queue queue, uint8_t operation, uint8_t value) {
    uint8_t popped = 0;
    if (operation % 2 == 0) {
        ox_queue_push(OX_AS(queue, uint8_t), value);
        queue_model[queue_count++] = value;
        return;
    }
    require(ox_queue_try_pop(OX_AS(queue, uint8_t), &popped) == (queue_count > 0), "pop");
    if (queue_count > 0) {
        require(popped == queue_model[0], "first in, first out");
        memmove(queue_model, queue_model + 1, (size_t)--queue_count);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ox_report_set_handler((ox_report_handler){count_report, NULL});
    list_count = queue_count = 0;
    memset(map_model, 0, sizeof map_model);
    memset(multimap_model, 0, sizeof multimap_model);
    ox_list list = ox_list_create_untyped(uint8_t, 1, OX_PERSISTENT);
    ox_map map = ox_map_create_untyped(int, int, 0, OX_PERSISTENT);
    ox_multimap multimap = ox_multimap_create_untyped(int, int, 0, OX_PERSISTENT);
    ox_queue queue = ox_queue_create_untyped(uint8_t, 0, OX_PERSISTENT);
    for (size_t k = 0; k + 2 < size; k += 3) {
        switch (data[k] % 4) {
        case 0:
            use_list(list, data[k + 1], data[k + 2]);
            break;
        case 1:
            use_map(map, data[k + 1], data[k + 2]);
            break;
        case 2:
            use_multimap(multimap, data[k + 1], data[k + 2]);
            break;
        default:
            use_queue(queue, data[k + 1], data[k + 2]);
        }
    }
    require(ox_list_count(list) == list_count, "the list has as many as its model");
    ox_dispose(&list);
    ox_dispose(&map);
    ox_dispose(&multimap);
    ox_dispose(&queue);
    return 0;
}
