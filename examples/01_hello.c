// SPDX-License-Identifier: MIT
//
// The first program: memory for one frame, a struct that Oxbow can read, a few vectors, and a
// summary of what ran. `make run` shows it.

#include <oxbow.h>

#include <stdio.h>

enum { BALLS = 100000, FRAMES = 60 };

OX_STRUCT(Ball, {
    ox_float3 position;
    ox_float3 velocity;
});

static void move(Ball *balls, int count, float dt) {
    for (int i = 0; i < count; i++) {
        balls[i].position =
            ox_float3_add(balls[i].position, ox_float3_scale(balls[i].velocity, dt));
    }
}

// The highest ball of the frame, through a list of heights that lives as long as the frame.
static float highest(const Ball *balls, int count) {
    float *heights = ox_memory_array(float, count, OX_TEMP);
    float most = 0;
    for (int i = 0; heights != NULL && i < count; i++) {
        heights[i] = balls[i].position.y;
        most = heights[i] > most ? heights[i] : most;
    }
    return most;
}

int main(void) {
    Ball *balls = ox_memory_array(Ball, BALLS, OX_PERSISTENT);
    if (balls == NULL) {
        return 1;
    }
    for (int i = 0; i < BALLS; i++) {
        balls[i].position = ox_float3_make(0, 0, 0);
        balls[i].velocity = ox_float3_make(1, ox_sin((float)i), 0);
    }

    float most = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        move(balls, BALLS, 1.0f / 60.0f);
        most = highest(balls, BALLS);
        ox_frame_end(); // the heights are gone, and nobody had to free them
    }

    ox_layout layout;
    if (!ox_type_scan(ox_type_of(Ball), &layout)) {
        return 1;
    }
    printf("oxbow %d.%d.%d\n", OX_VERSION_MAJOR, OX_VERSION_MINOR, OX_VERSION_PATCH);
    printf("moved %d balls for %d frames; the highest is at %.3f\n", BALLS, FRAMES, most);
    printf("a Ball has %zu bytes:", layout.size);
    for (uint32_t i = 0; i < layout.field_count; i += 1 + layout.fields[i].field_count) {
        const ox_field *field = &layout.fields[i];
        printf(" %s %s at %zu;", field->type_name, field->name, field->offset);
    }
    printf(" its velocity.y is at %zu\n",
           layout.fields[ox_layout_find(&layout, "velocity.y")].offset);
    ox_layout_destroy(&layout);
    ox_memory_free_array(Ball, balls, BALLS, OX_PERSISTENT);
    printf("memory never freed: %zu blocks\n", ox_memory_check_leaks());
}

// Output:
// oxbow 0.1.0
// moved 100000 balls for 60 frames; the highest is at 1.000
// a Ball has 24 bytes: ox_float3 position at 0; ox_float3 velocity at 12; its velocity.y is at 16
// memory never freed: 0 blocks
