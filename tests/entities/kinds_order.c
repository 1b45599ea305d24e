// SPDX-License-Identifier: MIT
//
// The order of entities. In a world that does not swap back, those that keep their components and
// their shared values keep their order, whatever is done to others.

#include "entities/kinds_run.h"

#include <stdlib.h>

// Where an entity is: those with the same archetype and shared values lie in one row.
typedef struct order_place {
    uint32_t archetype;
    int shared[3];
    int32_t chunk, row;
    uint32_t index;
} order_place;

static int compare_rows_of(const order_place *a, const order_place *b) {
    int difference = (a->archetype > b->archetype) - (a->archetype < b->archetype);
    for (int k = 0; difference == 0 && k < 3; k++) {
        difference = (a->shared[k] > b->shared[k]) - (a->shared[k] < b->shared[k]);
    }
    return difference;
}

static int compare_positions(int32_t chunk_a, int32_t row_a, int32_t chunk_b, int32_t row_b) {
    return chunk_a != chunk_b ? (chunk_a > chunk_b) - (chunk_a < chunk_b)
                              : (row_a > row_b) - (row_a < row_b);
}

static int compare_places(const void *a_pointer, const void *b_pointer) {
    const order_place *a = a_pointer, *b = b_pointer;
    int difference = compare_rows_of(a, b);
    return difference != 0 ? difference : compare_positions(a->chunk, a->row, b->chunk, b->row);
}

static order_place place_of(const kinds_run *run, uint32_t index) {
    const int *shared = run->model.entities[index].shared;
    ox_entity_location place = ox_entity_get_location(run->world, kinds_handle(&run->model, index));
    return (order_place){.archetype = place.archetype.number,
                         .shared = {shared[KINDS_TEXT], shared[KINDS_TEAM], shared[KINDS_MARK]},
                         .chunk = place.chunk,
                         .row = place.row,
                         .index = index};
}

// Those that stayed where they were are in the order in which they were.
static void check_order(kinds_run *run, const order_place *places, int count) {
    const order_place *last = NULL;
    for (int k = 0; k < count && run->failure[0] == 0; k++) {
        const kinds_entity *entity = &run->model.entities[places[k].index];
        last = last != NULL && compare_rows_of(last, &places[k]) == 0 ? last : NULL;
        KINDS_CHECK(run, places[k].chunk >= 0 && places[k].row >= 0);
        if (entity->arrived > run->ordered) {
            continue;
        }
        if (last != NULL) {
            const kinds_entity *before = &run->model.entities[last->index];
            KINDS_CHECK(
                run, compare_positions(before->chunk, before->row, entity->chunk, entity->row) < 0);
        }
        last = &places[k];
    }
}

void kinds_verify_order(kinds_run *run) {
    int count = run->model.alive_count;
    order_place *places = malloc((size_t)(count + 1) * sizeof *places);
    for (int k = 0; k < count; k++) {
        places[k] = place_of(run, run->model.alive[k]);
    }
    qsort(places, (size_t)count, sizeof *places, compare_places);
    if (!run->def.swaps) {
        check_order(run, places, count);
    }
    for (int k = 0; k < count; k++) {
        run->model.entities[places[k].index].chunk = places[k].chunk;
        run->model.entities[places[k].index].row = places[k].row;
    }
    run->ordered = run->model.clock;
    free(places);
}
