// SPDX-License-Identifier: MIT
//
// Rotations: a camera swings from one view to another, the short way. You see where it looks on its
// way, how far it has to go, and what a point of the world is to the camera.

#include "oxbow/vector.h"

#include <stdio.h>

static const ox_float3 up = {0, 1, 0}, ahead = {0, 0, 1};

static void print_vector(const char *name, ox_float3 v) {
    printf("%-16s %6.3f %6.3f %6.3f\n", name, v.x, v.y, v.z);
}

int main(void) {
    ox_quat from = ox_quat_identity();
    ox_quat to = ox_quat_from_axis_angle(up, OX_PI / 3); // a sixth of a turn to the right
    for (int step = 0; step <= 4; step++) {
        ox_quat view = ox_quat_nlerp(from, to, (float)step / 4);
        print_vector("looks along", ox_quat_rotate(view, ahead));
    }

    // The dot product is the cosine of half of the angle between two rotations: 1 is the same one,
    // and so is -1, for a rotation and its negative turn alike. The short way is found from it.
    ox_quat negative = ox_quat_make(-to.x, -to.y, -to.z, -to.w);
    printf("to go: %.4f, with the other sign: %.4f\n", ox_quat_dot(from, to),
           ox_quat_dot(from, negative));
    print_vector("halfway, same", ox_quat_rotate(ox_quat_nlerp(from, negative, 0.5f), ahead));

    // From the world to the camera: turn back. Then a lens that is wider than high scales it.
    ox_float3 tree = ox_float3_make(5, 0, 0);
    ox_float3 seen = ox_quat_rotate(ox_quat_conjugate(to), tree);
    print_vector("seen by it", seen);
    print_vector("on its film", ox_float3_mul(seen, ox_float3_make(0.5f, 0.25f, 1)));

    // There and back again is where it began, but for roundings: compare with a distance, and
    // exactly only what was copied.
    ox_float3 back = ox_quat_rotate(to, seen), copy = tree;
    printf("near: %d, the copy is equal: %d\n", ox_float3_distance(back, tree) < 1e-5f,
           ox_float3_equal(copy, tree));
}

// Output:
// looks along       0.000  0.000  1.000
// looks along       0.254  0.000  0.967
// looks along       0.500  0.000  0.866
// looks along       0.710  0.000  0.704
// looks along       0.866  0.000  0.500
// to go: 0.8660, with the other sign: -0.8660
// halfway, same     0.500  0.000  0.866
// seen by it        2.500  0.000  4.330
// on its film       1.250  0.000  4.330
// near: 1, the copy is equal: 1
