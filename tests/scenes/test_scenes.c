// SPDX-License-Identifier: MIT
//
// All scenes: what they come to depends on nothing but their def and the number of frames.

#include "scene_run.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

// Worlds that sectors are built in each come to keep some empty chunks, and that takes long.
enum { WARM_UP_FRAMES = 3000, FLAT_FRAMES = 1000 };

static const golden_scene *golden_of(const scene *what) {
    static const golden_scene none = {.entities = 1000, .frames = 100, .seed = 7};
    const golden_scene *golden = golden_find(what->name);
    if (golden == NULL) {
        printf("%s has no row in golden.h: see there\n", what->name);
    }
    EXPECT(golden != NULL);
    return golden != NULL ? golden : &none;
}

static void start_jobs(int workers) {
    ox_jobs_stop();
    ox_jobs_start(&(ox_jobs_def){.worker_count = workers > 0 ? workers : OX_NO_WORKERS});
}

TEST(scenes, are_found_by_name) {
    for (int k = 0; k < SCENE_COUNT; k++) {
        const scene *what = scenes[k];
        EXPECT(scene_find(what->name) == what);
        EXPECT(what->entities > 0 && what->what != NULL);
    }
    EXPECT(scene_find("none such") == NULL);
}

TEST(scenes, come_to_the_golden_hash_with_any_number_of_workers) {
    static const int workers[] = {0, 1, 2, 4, 16};
    for (int k = 0; k < SCENE_COUNT; k++) {
        const scene *what = scenes[k];
        const golden_scene *golden = golden_of(what);
        for (size_t n = 0; n < sizeof workers / sizeof *workers; n++) {
            uint64_t hash = scene_run(what, golden, workers[n]);
            if (hash != golden->hash) {
                printf("%s with %d workers\n", what->name, workers[n]);
            }
            EXPECT_EQ(hash, golden->hash);
        }
    }
}

// The order of entities, and which ids the next ones get.
TEST(scenes, lie_alike_with_any_number_of_workers) {
    for (int k = 0; k < SCENE_COUNT; k++) {
        const scene *what = scenes[k];
        const golden_scene *golden = golden_of(what);
        uint64_t hashes[2];
        for (int n = 0; n < 2; n++) {
            start_jobs(n * 3);
            ox_world *world = scene_begin(what, golden->entities, golden->seed);
            for (int frame = 0; frame < golden->frames / 2; frame++) {
                scene_step(world);
            }
            hashes[n] = ox_world_hash_layout(world);
            ox_world_destroy(world);
        }
        EXPECT_EQ(hashes[0], hashes[1]);
    }
    ox_jobs_stop();
}

TEST(scenes, are_valid_after_each_frame_and_report_nothing) {
    collected_reports reports = {0};
    collect_reports(&reports);
    start_jobs(2);
    for (int k = 0; k < SCENE_COUNT; k++) {
        const scene *what = scenes[k];
        const golden_scene *golden = golden_of(what);
        ox_world *world = scene_begin(what, golden->entities, golden->seed + 1);
        for (int frame = 0; frame < golden->frames; frame++) {
            scene_step(world);
            EXPECT(ox_world_validate(world));
        }
        ox_world_destroy(world);
        EXPECT_STR(reports.text, "");
    }
    EXPECT_EQ(reports.count, 0);
    ox_jobs_stop();
}

#ifndef TEST_IS_EMULATED // there it takes minutes, and shows nothing else

typedef struct live_memory {
    uint64_t blocks, bytes, chunks;
} live_memory;

// The most that is alive in so many frames.
static live_memory run_for_peak(ox_world *world, int frames) {
    live_memory peak = {0};
    for (int frame = 0; frame < frames; frame++) {
        scene_step(world);
        ox_memory_usage usage = ox_memory_get_usage(0);
        uint64_t chunks = ox_world_get_usage(world).process_bytes;
        peak.blocks = usage.block_count > peak.blocks ? usage.block_count : peak.blocks;
        peak.bytes = usage.bytes > peak.bytes ? usage.bytes : peak.bytes;
        peak.chunks = chunks > peak.chunks ? chunks : peak.chunks;
    }
    return peak;
}

// How many entities there are goes up and down: a sixteenth more is no leak. Blocks are counted in
// libraries with checks, chunks in all.
TEST(scenes, keep_their_memory_flat) {
    int frames = (int)test_scaled(FLAT_FRAMES);
    start_jobs(1);
    for (int k = 0; k < SCENE_COUNT; k++) {
        const scene *what = scenes[k];
        const golden_scene *golden = golden_of(what);
        ox_world *world = scene_begin(what, golden->entities, golden->seed);
        run_for_peak(world, WARM_UP_FRAMES);

        live_memory first = run_for_peak(world, frames), second = run_for_peak(world, frames);

        EXPECT(second.blocks <= first.blocks + first.blocks / 16);
        EXPECT(second.bytes <= first.bytes + first.bytes / 16);
        EXPECT(second.chunks <= first.chunks + first.chunks / 16);
        ox_world_destroy(world);
    }
    ox_jobs_stop();
}

#endif

// Three worlds side by side: two alike, and one with another seed between them.
TEST(scenes, do_not_disturb_each_other) {
    start_jobs(1);
    for (int k = 0; k < SCENE_COUNT; k++) {
        const scene *what = scenes[k];
        const golden_scene *golden = golden_of(what);
        ox_world *worlds[3];
        for (int n = 0; n < 3; n++) {
            worlds[n] = scene_begin(what, golden->entities, golden->seed + (n == 1));
        }
        for (int frame = 0; frame < golden->frames; frame++) {
            ox_world_update(worlds[0], SCENE_STEP);
            ox_world_update(worlds[1], SCENE_STEP);
            scene_step(worlds[2]);
        }
        EXPECT_EQ(ox_world_hash(worlds[0]), golden->hash);
        EXPECT_NE(ox_world_hash(worlds[1]), golden->hash);
        EXPECT_EQ(ox_world_hash(worlds[2]), golden->hash);
        for (int n = 0; n < 3; n++) {
            ox_world_destroy(worlds[n]);
        }
    }
    ox_jobs_stop();
}

TEST(scenes, draw_up_to_so_many_dots_and_change_nothing) {
    start_jobs(1);
    for (int k = 0; k < SCENE_COUNT; k++) {
        const scene *what = scenes[k];
        static scene_dot dots[2000];
        const golden_scene *golden = golden_of(what);
        ox_world *world = scene_begin(what, golden->entities, golden->seed);
        scene_step(world);
        what->draw(world, dots, 2000); // the first may ask for memory
        scene_step(world);
        uint64_t hash = ox_world_hash(world);
        uint64_t blocks = ox_memory_get_usage(0).block_count;
        memset(dots, 0x7f, sizeof dots);

        EXPECT_EQ(what->draw(world, dots, 0), 0);
        int count = what->draw(world, dots, 100);

        EXPECT(count > 0 && count <= 100);
        EXPECT(dots[count - 1].x > -10 && dots[count - 1].x < 10);
        EXPECT_EQ(dots[100].colour, 0x7f7f7f7f);
        EXPECT_EQ(ox_memory_get_usage(0).block_count, blocks);
        EXPECT_EQ(ox_world_hash(world), hash);
        ox_world_destroy(world);
    }
    ox_jobs_stop();
}
