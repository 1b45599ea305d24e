// SPDX-License-Identifier: MIT
//
// Vectors of two floats: a ball on a billiard table bounces until it slows down. You see where it
// hits a side, how far it came, and where it would be on a screen.

#include "oxbow/vector.h"

#include <stdio.h>

// Reflects a velocity at a wall with this normal: the part towards the wall is turned round.
static ox_float2 reflect(ox_float2 velocity, ox_float2 normal) {
    return ox_float2_sub(velocity, ox_float2_scale(normal, 2 * ox_float2_dot(velocity, normal)));
}

// The normal of the side that a place lies beyond; {0} for a place on the table.
static ox_float2 find_side(ox_float2 place, ox_float2 table) {
    ox_float2 inside = ox_float2_max(ox_float2_make(0, 0), ox_float2_min(place, table));
    return ox_float2_normalize(ox_float2_sub(inside, place));
}

int main(void) {
    ox_float2 table = ox_float2_make(4, 2), place = ox_float2_make(1, 1);
    ox_float2 start = place, velocity = ox_float2_make(1.5f, 1);
    float way = 0;
    int bounces = 0;
    while (ox_float2_length(velocity) > 0.5f) {
        ox_float2 next = ox_float2_add(place, ox_float2_scale(velocity, 0.1f));
        ox_float2 side = find_side(next, table);
        if (!ox_float2_equal(side, ox_float2_make(0, 0))) {
            velocity = reflect(velocity, side);
            velocity = ox_float2_scale(velocity, 0.8f); // the side takes a fifth
            printf("bounce %d at %.2f, %.2f\n", ++bounces, place.x, place.y);
            next = ox_float2_add(place, ox_float2_scale(velocity, 0.1f));
        }
        way += ox_float2_distance(place, next);
        place = next;
    }
    printf("it stops at %.3f, %.3f after %.3f; from the start it is %.3f\n", place.x, place.y, way,
           ox_float2_distance(start, place));

    // To pixels: scale each axis by its own factor. Halfway between start and end stands a camera.
    ox_float2 pixels = ox_float2_mul(place, ox_float2_make(100, -100));
    ox_float2 camera = ox_float2_lerp(start, place, 0.5f);
    printf("on the screen: %.1f, %.1f; the camera: %.3f, %.3f\n", pixels.x, pixels.y, camera.x,
           camera.y);
    printf("the diagonal of the table: %.6f\n", ox_sqrt(4 * 4 + 2 * 2));
}

// Output:
// bounce 1 at 2.35, 1.90
// bounce 2 at 3.91, 0.86
// bounce 3 at 2.66, 0.03
// bounce 4 at 0.05, 1.77
// bounce 5 at 0.36, 1.97
// bounce 6 at 3.31, 0.01
// it stops at 3.346, 0.034 after 12.096; from the start it is 2.538
// on the screen: 334.6, -3.4; the camera: 2.173, 0.517
// the diagonal of the table: 4.472136
