// SPDX-License-Identifier: MIT
//
// Rows of removals. The limit is Oxbow, too: a world that puts the last entity of a chunk in the
// hole, and so does not keep order. Only frames have plain arrays as their limit.

#include "bench_storage.h"

// One of the two worlds that take turns.
typedef struct removal_side {
    ox_world *world;
    ox_query *moving;
    ox_entity *entities;
    uint32_t random;
} removal_side;

static removal_side ordered, swapping;
static removal_side *side; // whose turn it is

static void create_world(removal_side *made, ox_removal removal) {
    if (made->entities == NULL) {
        made->entities = bare_take_pages(BARE_MOST * sizeof *made->entities, true);
    }
    made->world = ox_world_create(&(ox_world_def){.removal = removal});
    made->moving = ox_query_create(made->world, OX_WRITE(BenchPosition), OX_READ(BenchVelocity));
    made->random = 7;
    side = made;
}

static ox_entity create_moving(int k) {
    bare_float3 at = scene_position(k);
    return ox_entity_create(side->world, OX_VALUE(BenchPosition, {at.x, at.y, at.z}),
                            OX_VALUE(BenchVelocity, {1, 0.5f, 0.25f}));
}

static void end_world(void) {
    ox_world_destroy(side->world);
}

static double sum_world(void) {
    double sum = 0;
    OX_EACH_CHUNK(side->moving, chunk) {
        const BenchPosition *positions = ox_chunk_get(chunk, BenchPosition);
        for (int k = 0; k < chunk.count; k++) {
            sum += (double)positions[k].x + 1;
        }
    }
    return sum;
}

// Half of the entities, one by one.

static void fill_picked(void) {
    scene_shuffle();
    for (int k = 0; k < scene.n; k++) {
        side->entities[k] = create_moving(k);
    }
    for (int k = 0; k < scene.n; k++) {
        scene.picked[k] = side->entities[scene.shuffled[k]];
    }
}

static void begin_ordered_half(void) {
    create_world(&ordered, OX_REMOVAL_ORDERED);
    fill_picked();
}

static void begin_swapping_half(void) {
    create_world(&swapping, OX_REMOVAL_SWAP);
    fill_picked();
}

static void destroy_half(void) {
    for (int k = 0; k < scene.n / 2; k++) {
        ox_entity_destroy(side->world, scene.picked[k]);
    }
    scene_move_all(side->moving);
}

static int64_t count_half(void) {
    return scene.n / 2;
}

// Looking at each, destroying one in ten.

static void fill_living(void) {
    scene_shuffle();
    for (int k = 0; k < scene.n; k++) {
        bare_float3 at = scene_position(k);
        float now = scene.shuffled[k] % 10 == 0 ? 0 : 50;
        side->entities[k] = ox_entity_create(
            side->world, OX_VALUE(BenchPosition, {at.x, at.y, at.z}),
            OX_VALUE(BenchVelocity, {1, 0.5f, 0.25f}), OX_VALUE(BenchHealth, {now, 100}));
    }
}

static void begin_ordered_living(void) {
    create_world(&ordered, OX_REMOVAL_ORDERED);
    fill_living();
}

static void begin_swapping_living(void) {
    create_world(&swapping, OX_REMOVAL_SWAP);
    fill_living();
}

static void reap(void) {
    for (int k = 0; k < scene.n; k++) {
        BenchHealth health = ox_read(side->world, side->entities[k], BenchHealth);
        if (health.now <= 0) {
            ox_entity_destroy(side->world, side->entities[k]);
        }
    }
}

static void reap_by_pointer(void) {
    for (int k = 0; k < scene.n; k++) {
        const BenchHealth *health = ox_get(side->world, side->entities[k], BenchHealth);
        if (health->now <= 0) {
            ox_entity_destroy(side->world, side->entities[k]);
        }
    }
}

// One goes, one comes.

// The next handle is fetched ahead: where the row keeps it is not what is measured.
static void churn(void) {
    ox_entity *next = &side->entities[scene_random(&side->random, (uint32_t)scene.n)];
    for (int k = 0; k < scene.n; k++) {
        ox_entity *changed = next;
        next = &side->entities[scene_random(&side->random, (uint32_t)scene.n)];
        __builtin_prefetch(next, 1);
        ox_entity_destroy(side->world, *changed);
        *changed = create_moving(k);
    }
}

static void fill_and_churn(void) {
    for (int k = 0; k < scene.n; k++) {
        side->entities[k] = create_moving(k);
    }
    churn();
}

static void begin_churn(void) {
    create_world(&ordered, OX_REMOVAL_ORDERED);
    fill_and_churn();
    create_world(&swapping, OX_REMOVAL_SWAP);
    fill_and_churn();
}

static void end_churn(void) {
    ox_world_destroy(ordered.world);
    ox_world_destroy(swapping.world);
}

static void use_ordered(void) {
    side = &ordered;
}

static void use_swapping(void) {
    side = &swapping;
}

// Frames: each destroys 1 % of the entities, creates as many, and walks all. The time is for each
// of all entities.
//
// The plain arrays put their last row in the hole: their rows stay contiguous, and the walk has no
// holes to close. They do not keep order as the world does, and so are a bound for both ways of
// removal: closing holes in order moves all rows behind the first hole, in each frame.

enum {
    CHANGED = 100,       // one in so many
    FRAMES_BEFORE = 300, // 95 % have been replaced: times hardly change from here on
};

static ox_query *frame_query;
static uint32_t ox_picks, bare_picks;

// Swaps the handles of those to destroy to the front: finding them is not what is measured. Both
// sides pick the same.
static void ox_pick_changed(void) {
    for (int k = 0; k < scene.n / CHANGED; k++) {
        uint32_t other = (uint32_t)k + scene_random(&ox_picks, (uint32_t)(scene.n - k));
        ox_entity picked = scene.entities[other];
        scene.entities[other] = scene.entities[k];
        scene.entities[k] = picked;
    }
}

static void bare_pick_changed(void) {
    for (int k = 0; k < scene.n / CHANGED; k++) {
        uint32_t other = (uint32_t)k + scene_random(&bare_picks, (uint32_t)(scene.n - k));
        bare_id picked = scene.bare_ids[other];
        scene.bare_ids[other] = scene.bare_ids[k];
        scene.bare_ids[k] = picked;
    }
}

static void ox_run_frame(void) {
    int changed = scene.n / CHANGED;
    for (int k = 0; k < changed; k++) {
        ox_entity_destroy(scene.world, scene.entities[k]);
    }
    for (int k = 0; k < changed; k++) {
        bare_float3 at = scene_position(k);
        scene.entities[k] =
            ox_entity_create(scene.world, OX_VALUE(BenchPosition, {at.x, at.y, at.z}),
                             OX_VALUE(BenchVelocity, {1, 0.5f, 0.25f}));
    }
    scene_move_all(frame_query);
}

static void bare_run_frame(void) {
    int changed = scene.n / CHANGED;
    for (int k = 0; k < changed; k++) {
        bare_destroy(scene.bare_ids[k]);
    }
    for (int k = 0; k < changed; k++) {
        scene.bare_ids[k] = bare_add(scene_position(k), (bare_float3){1, 0.5f, 0.25f});
    }
    scene_bare_move_all();
}

static void run_frames_before(void) {
    scene_ox_fill();
    scene_bare_fill();
    frame_query = ox_query_create(scene.world, OX_WRITE(BenchPosition), OX_READ(BenchVelocity));
    ox_picks = bare_picks = 7;
    for (int k = 0; k < FRAMES_BEFORE; k++) {
        ox_pick_changed();
        ox_run_frame();
        bare_pick_changed();
        bare_run_frame();
    }
}

static void begin_frames(void) {
    scene_begin();
    run_frames_before();
}

static void begin_swap_frames(void) {
    scene_begin_swap();
    run_frames_before();
}

static const storage_work works[] = {
    {.name = "destroy_random_half",
     .oxbow = {begin_ordered_half, destroy_half, end_world, sum_world},
     .limit = {begin_swapping_half, destroy_half, end_world, sum_world},
     .items = "destroyed",
     .count_items = count_half},
    {.name = "reap",
     .oxbow = {begin_ordered_living, reap, end_world, sum_world},
     .limit = {begin_swapping_living, reap, end_world, sum_world}},
    {.name = "reap_pointer",
     .oxbow = {begin_ordered_living, reap_by_pointer, end_world, sum_world},
     .limit = {begin_swapping_living, reap_by_pointer, end_world, sum_world}},
    {.name = "churn",
     .begin = begin_churn,
     .end = end_churn,
     .oxbow = {use_ordered, churn, NULL, sum_world},
     .limit = {use_swapping, churn, NULL, sum_world}},
    {.name = "churn_direct",
     .begin = begin_frames,
     .end = scene_end,
     .oxbow = {ox_pick_changed, ox_run_frame, NULL, scene_ox_sum},
     .limit = {bare_pick_changed, bare_run_frame, NULL, scene_bare_sum}},
    {.name = "churn_direct_swap",
     .begin = begin_swap_frames,
     .end = scene_end,
     .oxbow = {ox_pick_changed, ox_run_frame, NULL, scene_ox_sum},
     .limit = {bare_pick_changed, bare_run_frame, NULL, scene_bare_sum}},
};

void bench_storage_removal(void) {
    storage_add_sizes(works, sizeof works / sizeof works[0]);
}
