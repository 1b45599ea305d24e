// SPDX-License-Identifier: MIT
//
// Rows of single operations on entities, and of the same on all that match a query. Rows with
// `swap` in their name have a world that does not keep order, and else are the rows without it.

#include "bench_storage.h"

static double picked_sum, bare_picked_sum;

static void ox_fill_many(void) {
    ox_entities_create(scene.world, scene.moving, scene.entities, scene.n);
}

static void bare_fill_many(void) {
    bare_add_many(scene.bare_ids, (uint32_t)scene.n);
}

// Creating by the calls that are written first.

static void ox_fill_naive(void) {
    for (int k = 0; k < scene.n; k++) {
        bare_float3 at = scene_position(k);
        scene.entities[k] = ox_entity_create(scene.world);
        ox_add(scene.world, scene.entities[k], BenchPosition, {at.x, at.y, at.z});
        ox_add(scene.world, scene.entities[k], BenchVelocity, {1, 0.5f, 0.25f});
    }
}

static ox_entity prefab;

static void begin_prefab(void) {
    scene_begin();
    prefab = ox_entity_create(scene.world, OX_VALUE(BenchPosition, {1, 2, 3}),
                              OX_VALUE(BenchVelocity, {1, 0.5f, 0.25f}));
    ox_add_tag(scene.world, prefab, ox_prefab);
}

static void ox_fill_copies(void) {
    for (int k = 0; k < scene.n; k++) {
        scene.entities[k] = ox_entity_instantiate(scene.world, prefab);
    }
}

static void bare_fill_copies(void) {
    for (int k = 0; k < scene.n; k++) {
        scene.bare_ids[k] = bare_add((bare_float3){1, 2, 3}, (bare_float3){1, 0.5f, 0.25f});
    }
}

// Changes in the order of creation.

static void ox_empty_query(void) {
    ox_query_destroy_entities(scene.positions);
}

static void ox_add_health_to(const ox_entity *entities) {
    for (int k = 0; k < scene.n; k++) {
        ox_add(scene.world, entities[k], BenchHealth, {(float)(k & 63), 100});
    }
}

static void bare_add_health_to(const bare_id *ids) {
    for (int k = 0; k < scene.n; k++) {
        bare_add_health(ids[k], (bare_health){(float)(k & 63), 100});
    }
}

static void ox_add_health(void) {
    ox_add_health_to(scene.entities);
}

static void bare_add_health_each(void) {
    bare_add_health_to(scene.bare_ids);
}

static void ox_remove_health_of(const ox_entity *entities) {
    for (int k = 0; k < scene.n; k++) {
        ox_remove(scene.world, entities[k], BenchHealth);
    }
}

static void bare_remove_health_of(const bare_id *ids) {
    for (int k = 0; k < scene.n; k++) {
        bare_remove_health(ids[k]);
    }
}

static void ox_remove_health(void) {
    ox_remove_health_of(scene.entities);
}

static void bare_remove_health_each(void) {
    bare_remove_health_of(scene.bare_ids);
}

static void ox_fill_living(void) {
    scene_ox_fill();
    ox_add_health();
}

static void bare_fill_living(void) {
    scene_bare_fill();
    bare_add_health_each();
}

// Changes in random order.

static void ox_fill_picked(void) {
    scene_ox_fill();
    scene_ox_pick();
}

static void bare_fill_picked(void) {
    scene_bare_fill();
    scene_bare_pick();
}

static void ox_fill_living_picked(void) {
    ox_fill_living();
    scene_ox_pick();
}

static void bare_fill_living_picked(void) {
    bare_fill_living();
    scene_bare_pick();
}

static void ox_add_health_picked(void) {
    ox_add_health_to(scene.picked);
}

static void bare_add_health_picked(void) {
    bare_add_health_to(scene.bare_picked);
}

static void ox_remove_health_picked(void) {
    ox_remove_health_of(scene.picked);
}

static void bare_remove_health_picked(void) {
    bare_remove_health_of(scene.bare_picked);
}

// Ids that are freed in random order are given out in random order. Where a row destroys so, each
// round has a new world, and all rounds are alike.
static void ox_begin_picked(void) {
    scene_begin();
    ox_fill_picked();
}

static void ox_begin_swap_picked(void) {
    scene_begin_swap();
    ox_fill_picked();
}

static void bare_begin_picked(void) {
    bare_clear();
    bare_fill_picked();
}

static void ox_destroy_picked(void) {
    for (int k = 0; k < scene.n; k++) {
        ox_entity_destroy(scene.world, scene.picked[k]);
    }
}

static void bare_destroy_picked(void) {
    for (int k = 0; k < scene.n; k++) {
        bare_destroy(scene.bare_picked[k]);
    }
}

// Changes to all that match a query, and reads.

static void ox_add_tag_query(void) {
    ox_query_add(scene.positions, BenchTag);
}

static void ox_add_health_query(void) {
    ox_query_add(scene.positions, BenchHealth);
}

static void ox_get_picked(void) {
    float sum = 0;
    for (int k = 0; k < scene.n; k++) {
        sum += ox_get(scene.world, scene.picked[k], BenchPosition)->x;
    }
    picked_sum = (double)sum;
}

static void ox_lookup_picked(void) {
    float sum = 0;
    ox_lookup lookup = ox_lookup_create(scene.world, BenchPosition);
    for (int k = 0; k < scene.n; k++) {
        sum += ox_lookup_get(&lookup, scene.picked[k], BenchPosition)->x;
    }
    picked_sum = (double)sum;
}

static void bare_get_picked(void) {
    float sum = 0;
    for (int k = 0; k < scene.n; k++) {
        sum += bare_get(scene.bare_picked[k])->x;
    }
    bare_picked_sum = (double)sum;
}

static double get_picked_sum(void) {
    return picked_sum;
}

static double get_bare_picked_sum(void) {
    return bare_picked_sum;
}

static const storage_work works[] = {
    {.name = "create",
     .begin = scene_begin,
     .end = scene_end,
     .oxbow = {NULL, scene_ox_fill, scene_ox_empty, scene_ox_sum},
     .limit = {NULL, scene_bare_fill, scene_bare_empty, scene_bare_sum}},
    {.name = "create_naive",
     .begin = scene_begin,
     .end = scene_end,
     .oxbow = {NULL, ox_fill_naive, scene_ox_empty, scene_ox_sum},
     .limit = {NULL, scene_bare_fill, scene_bare_empty, scene_bare_sum}},
    {.name = "instantiate_one",
     .begin = begin_prefab,
     .end = scene_end,
     .oxbow = {NULL, ox_fill_copies, scene_ox_empty, scene_ox_sum},
     .limit = {NULL, bare_fill_copies, scene_bare_empty, scene_bare_sum}},
    {.name = "create_many",
     .begin = scene_begin,
     .end = scene_end,
     .oxbow = {NULL, ox_fill_many, scene_ox_empty, scene_ox_sum},
     .limit = {NULL, bare_fill_many, scene_bare_empty, scene_bare_sum}},
    {.name = "get",
     .begin = scene_begin_filled,
     .end = scene_end,
     .oxbow = {NULL, ox_get_picked, NULL, get_picked_sum},
     .limit = {NULL, bare_get_picked, NULL, get_bare_picked_sum},
     .is_repeatable = true},
    {.name = "get_random",
     .begin = scene_begin_filled,
     .end = scene_end,
     .oxbow = {NULL, ox_lookup_picked, NULL, get_picked_sum},
     .limit = {NULL, bare_get_picked, NULL, get_bare_picked_sum},
     .is_repeatable = true},
    {.name = "add",
     .begin = scene_begin,
     .end = scene_end,
     .oxbow = {scene_ox_fill, ox_add_health, scene_ox_empty, scene_ox_sum},
     .limit = {scene_bare_fill, bare_add_health_each, scene_bare_empty, scene_bare_sum}},
    {.name = "remove",
     .begin = scene_begin,
     .end = scene_end,
     .oxbow = {ox_fill_living, ox_remove_health, scene_ox_empty, scene_ox_sum},
     .limit = {bare_fill_living, bare_remove_health_each, scene_bare_empty, scene_bare_sum}},
    {.name = "remove_swap",
     .begin = scene_begin_swap,
     .end = scene_end,
     .oxbow = {ox_fill_living, ox_remove_health, scene_ox_empty, scene_ox_sum},
     .limit = {bare_fill_living, bare_remove_health_each, scene_bare_empty, scene_bare_sum}},
    {.name = "add_shuffled",
     .begin = scene_begin,
     .end = scene_end,
     .oxbow = {ox_fill_picked, ox_add_health_picked, scene_ox_empty, scene_ox_sum},
     .limit = {bare_fill_picked, bare_add_health_picked, scene_bare_empty, scene_bare_sum}},
    {.name = "remove_shuffled",
     .begin = scene_begin,
     .end = scene_end,
     .oxbow = {ox_fill_living_picked, ox_remove_health_picked, scene_ox_empty, scene_ox_sum},
     .limit = {bare_fill_living_picked, bare_remove_health_picked, scene_bare_empty,
               scene_bare_sum}},
    {.name = "add_query_tag",
     .begin = scene_begin,
     .end = scene_end,
     .oxbow = {scene_ox_fill, ox_add_tag_query, ox_empty_query, scene_ox_sum},
     .limit = {scene_bare_fill, bare_add_tag_to_all, scene_bare_empty, scene_bare_sum}},
    {.name = "add_query_data",
     .begin = scene_begin,
     .end = scene_end,
     .oxbow = {scene_ox_fill, ox_add_health_query, ox_empty_query, scene_ox_sum},
     .limit = {scene_bare_fill, bare_add_health_to_all, scene_bare_empty, scene_bare_sum}},
    {.name = "destroy",
     .begin = scene_begin,
     .end = scene_end,
     .oxbow = {scene_ox_fill, scene_ox_empty, NULL, scene_ox_sum},
     .limit = {scene_bare_fill, scene_bare_empty, NULL, scene_bare_sum}},
    {.name = "destroy_swap",
     .begin = scene_begin_swap,
     .end = scene_end,
     .oxbow = {scene_ox_fill, scene_ox_empty, NULL, scene_ox_sum},
     .limit = {scene_bare_fill, scene_bare_empty, NULL, scene_bare_sum}},
    {.name = "destroy_shuffled",
     .oxbow = {ox_begin_picked, ox_destroy_picked, scene_end, scene_ox_sum},
     .limit = {bare_begin_picked, bare_destroy_picked, NULL, scene_bare_sum}},
    {.name = "destroy_swap_shuffled",
     .oxbow = {ox_begin_swap_picked, ox_destroy_picked, scene_end, scene_ox_sum},
     .limit = {bare_begin_picked, bare_destroy_picked, NULL, scene_bare_sum}},
    {.name = "destroy_query",
     .begin = scene_begin,
     .end = scene_end,
     .oxbow = {scene_ox_fill, ox_empty_query, NULL, scene_ox_sum},
     .limit = {scene_bare_fill, bare_destroy_all, NULL, scene_bare_sum}},
};

void bench_storage_single(void) {
    storage_add_sizes(works, sizeof works / sizeof works[0]);
}
