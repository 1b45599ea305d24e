// SPDX-License-Identifier: MIT
//
// Vectors of four floats: colors with an alpha. A picture of one pixel is painted in layers, tinted
// and faded; then the nearest color of a palette is found for it.

#include "oxbow/vector.h"

#include <stdio.h>

static void print_color(const char *name, ox_float4 color) {
    printf("%-10s %.3f %.3f %.3f %.3f\n", name, color.x, color.y, color.z, color.w);
}

// Paints `top` over `under`. Colors are multiplied by their alpha before, so one formula serves all
// four parts.
static ox_float4 paint(ox_float4 under, ox_float4 top) {
    return ox_float4_add(top, ox_float4_scale(under, 1 - top.w));
}

static int find_nearest(const ox_float4 *palette, int count, ox_float4 color) {
    int nearest = 0;
    for (int k = 1; k < count; k++) {
        if (ox_float4_distance(palette[k], color) < ox_float4_distance(palette[nearest], color)) {
            nearest = k;
        }
    }
    return nearest;
}

int main(void) {
    ox_float4 black = ox_float4_make(0, 0, 0, 1), white = ox_float4_make(1, 1, 1, 1);
    ox_float4 glass = ox_float4_make(0, 0.25f, 0.5f, 0.5f); // half of it can be seen through
    ox_float4 pixel = paint(paint(black, ox_float4_make(1, 0.5f, 0, 1)), glass);
    print_color("painted", pixel);

    // A tint multiplies part by part; a flash adds, and what is too bright is cut off.
    ox_float4 tinted = ox_float4_mul(pixel, ox_float4_make(1, 1, 0.5f, 1));
    print_color("tinted", tinted);
    ox_float4 flash = ox_float4_add(tinted, ox_float4_make(0.75f, 0.75f, 0.75f, 0));
    print_color("flash", ox_float4_max(black, ox_float4_min(flash, white)));
    print_color("fading", ox_float4_lerp(flash, tinted, 0.5f));

    // How bright it is: a sum with a weight for each part. How strong the change was: a length.
    ox_float4 weights = ox_float4_make(0.2126f, 0.7152f, 0.0722f, 0);
    ox_float4 change = ox_float4_sub(flash, tinted);
    printf("brightness %.4f, change %.4f\n", ox_float4_dot(pixel, weights),
           ox_float4_length(change));
    print_color("direction", ox_float4_normalize(change));

    const ox_float4 palette[] = {black, white, glass, ox_float4_make(0.5f, 0.5f, 0.25f, 1)};
    int nearest = find_nearest(palette, 4, tinted);
    printf("nearest is %d, exact: %d\n", nearest, ox_float4_equal(palette[nearest], tinted));
}

// Output:
// painted    0.500 0.500 0.500 1.000
// tinted     0.500 0.500 0.250 1.000
// flash      1.000 1.000 1.000 1.000
// fading     0.875 0.875 0.625 1.000
// brightness 0.5000, change 1.2990
// direction  0.577 0.577 0.577 0.000
// nearest is 3, exact: 1
