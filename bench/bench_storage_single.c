// SPDX-License-Identifier: MIT
//
// Rows of single operations on entities, and of the same on all that match a query.

#include "bench_storage.h"

static double picked_sum, bare_picked_sum;

static void ox_fill_many(void) {
    ox_entities_create(scene.world, scene.moving, scene.entities, scene.n);
}

static void bare_fill_many(void) {
    bare_add_many(scene.bare_ids, (uint32_t)scene.n);
}

static void ox_empty_query(void) {
    ox_query_destroy_entities(scene.positions);
}

static void ox_add_health(void) {
    for (int k = 0; k < scene.n; k++) {
        ox_add(scene.world, scene.entities[k], BenchHealth, {(float)(k & 63), 100});
    }
}

static void bare_add_health_each(void) {
    for (int k = 0; k < scene.n; k++) {
        bare_add_health(scene.bare_ids[k], (bare_health){(float)(k & 63), 100});
    }
}

static void ox_remove_health(void) {
    for (int k = 0; k < scene.n; k++) {
        ox_remove(scene.world, scene.entities[k], BenchHealth);
    }
}

static void bare_remove_health_each(void) {
    for (int k = 0; k < scene.n; k++) {
        bare_remove_health(scene.bare_ids[k]);
    }
}

static void ox_fill_living(void) {
    scene_ox_fill();
    ox_add_health();
}

static void bare_fill_living(void) {
    scene_bare_fill();
    bare_add_health_each();
}

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
    {.name = "destroy_query",
     .begin = scene_begin,
     .end = scene_end,
     .oxbow = {scene_ox_fill, ox_empty_query, NULL, scene_ox_sum},
     .limit = {scene_bare_fill, bare_destroy_all, NULL, scene_bare_sum}},
};

void bench_storage_single(void) {
    storage_add_sizes(works, sizeof works / sizeof works[0]);
}
