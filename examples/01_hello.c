// SPDX-License-Identifier: MIT
//
// The first program: a parallel job moves balls on every core, with memory for one frame, a struct
// that Oxbow can read, and a summary of what ran. `make run` shows it.

#include <oxbow.h>

#include <stdio.h>
#include <time.h>

enum { BALLS = 100000, FRAMES = 60 };

OX_STRUCT(Ball, {
    ox_float3 position;
    ox_float3 velocity;
});

OX_RANGE_JOB(Move, {
    float dt;
    OX_NO_SAFETY Ball *balls;
    OX_NO_SAFETY float *highest; // one for each batch of 1024
}) {
    float most = 0;
    for (int i = begin; i < end; i++) {
        Ball *ball = &job->balls[i];
        ball->position = ox_float3_add(ball->position, ox_float3_scale(ball->velocity, job->dt));
        most = ox_max(most, ball->position.y);
    }
    job->highest[begin / 1024] = most;
}

// One frame. The scratch array lives until ox_frame_end, and nobody frees it.
static float move_balls(Ball *balls) {
    enum { BATCHES = (BALLS + 1023) / 1024 };
    float *highest = ox_memory_alloc_array(OX_TEMP, BATCHES, float);
    ox_job moved = ox_schedule_for(Move, BALLS, 1024, OX_NO_JOB, {1.0f / 60.0f, balls, highest});
    ox_complete(moved);

    float most = 0;
    for (int k = 0; k < BATCHES; k++) {
        most = ox_max(most, highest[k]);
    }
    ox_frame_end();
    return most;
}

static double now_ms(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

int main(void) {
    Ball *balls = ox_memory_alloc_array(OX_PERSISTENT, BALLS, Ball);
    ox_layout layout;
    if (balls == NULL || !ox_layout_create(ox_type_of(Ball), &layout)) {
        return 1;
    }
    for (int i = 0; i < BALLS; i++) {
        balls[i] = (Ball){.velocity = ox_float3_make(1, ox_sin((float)i), 0)};
    }

    float most = 0;
    double begin = now_ms();
    for (int frame = 0; frame < FRAMES; frame++) {
        most = move_balls(balls);
    }
    double ms = (now_ms() - begin) / FRAMES;

    printf("oxbow %d.%d.%d\n", OX_VERSION_MAJOR, OX_VERSION_MINOR, OX_VERSION_PATCH);
    printf("moved %d balls for %d frames; the highest is at %.3f\n", BALLS, FRAMES, most);
    printf("ran on main and %d workers: %.3f ms a frame, %.2f ns a ball\n", ox_worker_count(), ms,
           ms * 1e6 / BALLS);
    int32_t y = ox_layout_find(&layout, "velocity.y");
    printf("a Ball has %zu bytes; its velocity.y is at %zu\n", layout.size,
           layout.fields[y].offset);

    ox_layout_dispose(&layout);
    ox_memory_free_array(OX_PERSISTENT, balls, BALLS, Ball);
    ox_jobs_stop();
    if (ox_get_safety_level() > 0) { // a library with checks knows
        printf("memory never freed: %zu blocks\n", ox_memory_check_leaks());
    }
    printf("next: docs/start.md, then examples/02_memory.c to 10_background.c\n");
}

// Output:
// oxbow 0.2.0
// moved 100000 balls for 60 frames; the highest is at 1.000
// ran on main and ...
// a Ball has 24 bytes; its velocity.y is at 16
// memory never freed: 0 blocks
// next: docs/start.md, then examples/02_memory.c to 10_background.c
