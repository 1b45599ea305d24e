// SPDX-License-Identifier: MIT
//
// A group with a step of its own: physics runs at 64 steps a second, whatever the frames are. You
// see how many steps each frame takes, a long frame that is cut short, and slow motion.

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Ball, { float height, speed; });

OX_GROUP(Physics);

static int steps;

OX_SYSTEM(Fall, .in = "Physics") {
    float dt = ox_system_get_delta(system); // the step, not the frame
    Ball *ball = ox_singleton_edit(system->world, Ball);
    ball->speed -= 10 * dt;
    ball->height += ball->speed * dt;
    steps++;
}

static void update(ox_world *world, float seconds) {
    steps = 0;
    ox_world_update(world, seconds);
    printf("frame of %.3f s, steps: %d, the ball is at %.3f\n", seconds, steps,
           ox_singleton_get(world, Ball)->height);
}

int main(void) {
    ox_world *world = ox_world_create(NULL);
    ox_singleton_create(world, Ball, {100, 0});
    ox_system *physics = ox_system_find(world, "Physics");

    // Steps of a 64th of a second, 4 at most in a frame. What does not fill a step is kept for the
    // next frame; what would take more than 4 is left out, so that a slow frame makes no slower
    // one.
    ox_group_set_step(physics, 1.0f / 64, 4);
    update(world, 1.0f / 64);
    update(world, 1.0f / 128);
    update(world, 1.0f / 128);
    update(world, 3.0f / 64);
    update(world, 1);

    // The step may change while it runs; 0 is once in a frame again.
    ox_group_set_step(physics, 1.0f / 256, 4);
    update(world, 1.0f / 64);
    ox_group_set_step(physics, 0, 0);
    update(world, 1.0f / 64);
    ox_world_destroy(world);
}

// Output:
// frame of 0.016 s, steps: 1, the ball is at 99.998
// frame of 0.008 s, steps: 0, the ball is at 99.998
// frame of 0.008 s, steps: 1, the ball is at 99.993
// frame of 0.047 s, steps: 3, the ball is at 99.963
// frame of 1.000 s, steps: 4, the ball is at 99.890
// frame of 0.016 s, steps: 4, the ball is at 99.867
// frame of 0.016 s, steps: 1, the ball is at 99.840
