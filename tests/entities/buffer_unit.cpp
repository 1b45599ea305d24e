// SPDX-License-Identifier: MIT
//
// Buffers in C++: the part of test_buffers.c that is compiled as such.

#include "oxbow/entities.h"

OX_BUFFER(UnitStop, 4, {
    float x;
    int count;
});

struct UnitOther {
    int bits;
    int count;
};

static float sum_in_cpp(ox_world *world, ox_entity bus) {
    float sum = 0;
    ox_buffer stops = ox_get(world, bus, UnitStop);
    ox_buffer_view view = ox_buffer_view_create(stops);
    for (int k = 0; k < ox_buffer_count(stops); k++) {
        sum += ox_buffer_get(stops, k, UnitStop)->x + ox_buffer_get_data(stops, UnitStop)[k].x;
        sum += float(ox_buffer_view_get(view, k, UnitOther)->count);
    }
    return sum;
}

/// Ten stops with x 0 to 9, changed and changed back: twice their sum, minus three of them and
/// more. Returns 60.
extern "C" float run_buffer_unit(void);

extern "C" float run_buffer_unit(void) {
    ox_world *world = ox_world_create(nullptr);
    ox_entity bus = ox_entity_create(world);
    ox_buffer stops = ox_add_buffer(world, bus, UnitStop);
    const UnitStop list[2] = {{0, 0}, {1, 0}};
    bool is_done = ox_buffer_push_many(stops, UnitStop, list, 2);
    for (int k = 2; k < 9; k++) {
        is_done = ox_buffer_push(stops, UnitStop, {float(k), 0}) && is_done;
    }
    is_done = ox_buffer_insert(stops, 9, UnitStop, {9, 0}) && is_done;
    ox_buffer_edit(stops, 3, UnitStop)->x += 1;
    ox_buffer_edit_data(stops, UnitStop)[3].x -= 1;
    is_done = ox_buffer_remove(stops, 9) && ox_buffer_remove_swap(stops, 7) && is_done;
    is_done = ox_buffer_remove_range(stops, 0, 1) && is_done;
    is_done = ox_buffer_reserve(stops, 20) && ox_buffer_resize(stops, 8) && is_done;
    is_done = ox_buffer_trim(stops) && ox_buffer_capacity(stops) == 8 && is_done;
    ox_buffer_view view = ox_buffer_view_create(stops);
    ox_buffer_view_set(view, 7, UnitStop, {ox_buffer_view_read(view, 7, UnitStop).x, 1});
    ox_buffer_set(stops, 7, UnitStop, {ox_buffer_read(stops, 7, UnitStop).x, 3});
    ox_buffer_view_edit(view, 7, UnitStop)->count -= 1;
    ox_buffer_push(stops, UnitStop, {7, 7});
    is_done = ox_buffer_peek(stops, UnitStop).x == 7 && is_done;
    is_done = ox_buffer_pop(stops, UnitStop).x == 7 && is_done;
    float sum = sum_in_cpp(world, bus);
    is_done = ox_buffer_clear(stops) && ox_buffer_is_empty(stops) && is_done;
    ox_world_destroy(world);
    return is_done ? sum : -1;
}
