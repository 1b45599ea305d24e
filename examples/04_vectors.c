// SPDX-License-Identifier: MIT
//
// A ship chases a buoy that drifts in a circle. You see where both are, every tenth step, until the
// ship is there, and then the box that holds its way. It can only turn by a tenth of a radian per
// step. The last line shows the bits of a result: they are the same on every machine.

#include "oxbow/vector.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static ox_float3 place_buoy(int step) {
    float sine, cosine;
    ox_sincos((float)step * 0.05f, &sine, &cosine);

    ox_float3 centre = ox_float3_make(20.0f, 10.0f, 5.0f);
    return ox_float3_add(centre, ox_float3_scale(ox_float3_make(cosine, sine, 0.0f), 4.0f));
}

// Turns `heading` so that the ship's nose, its x axis, points more to where `wanted` does.
static ox_quat turn_toward(ox_quat heading, ox_float3 wanted) {
    ox_float3 nose = ox_quat_rotate(heading, ox_float3_make(1.0f, 0.0f, 0.0f));
    ox_float3 axis = ox_float3_cross(nose, wanted);

    // The cross product is as long as the sine of the angle between the two. Where it is zero, so
    // is the normalized axis, and the ship does not turn.
    float angle = ox_float3_dot(nose, wanted) < 0.0f ? 0.1f : ox_float3_length(axis);
    ox_quat turn = ox_quat_from_axis_angle(ox_float3_normalize(axis), ox_clamp(angle, 0.0f, 0.1f));
    return ox_quat_normalize(ox_quat_mul(turn, heading));
}

int main(void) {
    // The ship starts with its nose along y: a quarter turn about z.
    ox_quat heading = ox_quat_from_axis_angle(ox_float3_make(0.0f, 0.0f, 1.0f), OX_PI / 2.0f);
    ox_float3 ship = ox_float3_make(0.0f, 0.0f, 0.0f);
    ox_float3 low = ship, high = ship;

    for (int step = 0; step <= 40; step++) {
        ox_float3 buoy = place_buoy(step);
        float distance = ox_float3_distance(ship, buoy);
        if (step % 10 == 0) {
            printf("step %2d: ship %5.2f %5.2f %5.2f, buoy %5.2f %5.2f %5.2f, distance %5.2f\n",
                   step, ship.x, ship.y, ship.z, buoy.x, buoy.y, buoy.z, distance);
        }

        heading = turn_toward(heading, ox_float3_normalize(ox_float3_sub(buoy, ship)));
        ox_float3 move = ox_float3_make(ox_min(0.6f, distance), 0.0f, 0.0f);
        ship = ox_float3_add(ship, ox_quat_rotate(heading, move));
        low = ox_float3_min(low, ship);
        high = ox_float3_max(high, ship);
    }

    ox_float3 middle = ox_float3_lerp(low, high, 0.5f);
    ox_float3 size = ox_float3_sub(high, low);
    printf("box around %.2f %.2f %.2f, of size %.2f %.2f %.2f\n", middle.x, middle.y, middle.z,
           size.x, size.y, size.z);

    uint32_t bits;
    memcpy(&bits, &ship.x, sizeof bits);
    printf("ship.x is %.9g, in bits %08" PRIx32 "\n", ship.x, bits);
}

// Output:
// step  0: ship  0.00  0.00  0.00, buoy 24.00 10.00  5.00, distance 26.48
// step 10: ship  2.94  4.91  0.62, buoy 23.51 11.92  5.00, distance 22.17
// step 20: ship  8.38  7.13  1.81, buoy 22.16 13.37  5.00, distance 15.46
// step 30: ship 13.58  9.83  3.11, buoy 20.28 13.99  5.00, distance  8.11
// step 40: ship 18.14 13.31  4.78, buoy 18.34 13.64  5.00, distance  0.44
// box around 9.19 6.81 2.48, of size 18.39 13.62 4.97
// ship.x is 18.3863411, in bits 4193173a
