// SPDX-License-Identifier: MIT

#include "scene_run.h"

#include <string.h>

const golden_scene golden_scenes[] = {
#define GOLDEN(name, entities, frames, seed, hash) {name, entities, frames, seed, UINT64_C(hash)},
#include "golden.h"
};
const int golden_scene_count = sizeof golden_scenes / sizeof *golden_scenes;

const golden_scene *golden_find(const char *name) {
    for (int k = 0; k < golden_scene_count; k++) {
        if (strcmp(golden_scenes[k].name, name) == 0) {
            return &golden_scenes[k];
        }
    }
    return NULL;
}

ox_world *scene_begin(const scene *what, int entities, uint64_t seed) {
    ox_world *world = ox_world_create(&(ox_world_def){.name = what->name, .no_systems = true});
    if (world != NULL && !what->create(world, &(scene_def){.entities = entities, .seed = seed})) {
        ox_world_destroy(world);
        world = NULL;
    }
    return world;
}

void scene_step(ox_world *world) {
    ox_world_update(world, SCENE_STEP);
    ox_frame_end();
}

uint64_t scene_run(const scene *what, const golden_scene *golden, int workers) {
    ox_jobs_stop();
    ox_jobs_start(&(ox_jobs_def){.worker_count = workers > 0 ? workers : OX_NO_WORKERS});
    ox_world *world = scene_begin(what, golden->entities, golden->seed);
    for (int frame = 0; world != NULL && frame < golden->frames; frame++) {
        scene_step(world);
    }
    uint64_t hash = world != NULL ? ox_world_hash(world) : 0;
    ox_world_destroy(world);
    ox_jobs_stop();
    return hash;
}
