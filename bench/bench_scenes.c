// SPDX-License-Identifier: MIT
//
// Rows of scenes: a frame with one worker, with main alone, and the same work by hand on one
// thread. All sides take turns, frame by frame; a row tells medians. `alone_ratio` and `speedup`
// are of the shortest frames, which a busy machine disturbs least.

#include "bench.h"
#include "bench_samples.h"
#include "scenes_bare.h"

#include "base/platform.h"
#include "scene.h"

enum { SIDES = 3, ROUNDS = 61, WARM_UP = 30 };

typedef struct scene_row {
    const char *name;
    const scene *what;
    int entities;
    const bare_scene *bare; // NULL: there is none
} scene_row;

static double samples[SIDES][ROUNDS];

// A frame, and the jobs that it left to the next one.
static double time_frame(ox_world *world) {
    uint64_t begin = oxi_clock_now();
    ox_world_update(world, SCENE_STEP);
    ox_world_complete(world);
    double ns = (double)(oxi_clock_now() - begin);
    ox_frame_end();
    return ns;
}

static double time_alone(ox_world *world) {
    ox_jobs_set_active_workers(0);
    double ns = time_frame(world);
    ox_jobs_set_active_workers(OX_MAX_WORKERS);
    return ns;
}

static double time_bare(const bare_scene *bare) {
    uint64_t begin = oxi_clock_now();
    bare->frame(SCENE_STEP);
    return (double)(oxi_clock_now() - begin);
}

static void take_turns(ox_world *world, const bare_scene *bare) {
    for (int round = -WARM_UP; round < ROUNDS; round++) {
        double times[SIDES] = {time_frame(world), time_alone(world),
                               bare != NULL ? time_bare(bare) : 0};
        for (int side = 0; side < SIDES && round >= 0; side++) {
            samples[side][round] = times[side];
        }
    }
}

static void put_figures(const scene_row *row, bench_result *result) {
    double items = row->entities;
    double medians[SIDES];
    for (int side = 0; side < SIDES; side++) {
        medians[side] = bench_median(samples[side], ROUNDS); // sorts: the shortest comes first
    }
    result->ns = medians[0] / items;
    bench_put(result, "alone_ns", medians[1] / items);
    bench_put(result, "frame_ms", medians[0] / 1e6);
    bench_put(result, "alone_ms", medians[1] / 1e6);
    bench_put(result, "speedup", samples[1][0] / samples[0][0]);
    bench_put(result, "speedup_must", 1.7);
    if (row->bare != NULL) {
        result->limit_ns = medians[2] / items;
        bench_put(result, "alone_ratio", samples[1][0] / samples[2][0]);
    }
}

static void measure_scene(const void *context, bench_result *result) {
    const scene_row *row = context;
    ox_jobs_stop();
    ox_jobs_start(&(ox_jobs_def){.worker_count = 1});
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    if (row->what->create(world, &(scene_def){.entities = row->entities, .seed = 7})) {
        if (row->bare != NULL) {
            row->bare->begin(row->entities);
        }
        take_turns(world, row->bare);
        put_figures(row, result);
        if (row->bare != NULL) {
            row->bare->end();
        }
    }
    ox_world_destroy(world);
    ox_jobs_stop();
}

void bench_scenes(void) {
    static const scene_row scene_rows[] = {
        {"scenes.boids", &scene_boids, 100000, &bare_boids},
        {"scenes.cubes", &scene_cubes, 1000000, &bare_cubes},
        {"scenes.deathmatch", &scene_deathmatch, 20000, NULL},
        {"scenes.stream", &scene_stream, 500000, NULL},
        {"scenes.particles", &scene_particles, 2000000, &bare_particles},
    };
    for (size_t k = 0; k < sizeof scene_rows / sizeof *scene_rows; k++) {
        bench_add_measured(&(bench_measured){scene_rows[k].name, (uint64_t)scene_rows[k].entities,
                                             measure_scene, &scene_rows[k]});
    }
}
