// SPDX-License-Identifier: MIT
//
// A canvas: dots leave light on it, which fades from frame to frame.

#pragma once

#include "scene.h"

/// A square of light.
typedef struct canvas {
    int size;     ///< pixels along each side
    float *light; ///< red, green and blue of each pixel, the top row first
} canvas;

/// A dark canvas. @return false when memory ran out.
bool canvas_create(canvas *to, int size);

/// Frees it.
void canvas_destroy(canvas *from);

/// Lets what is there fade, to `keep` of its light, and adds dots with so much light each.
void canvas_add(canvas *to, const scene_dot *dots, int count, float keep, float light);

/// What it looks like, with dots that have a size drawn as discs: red, green and blue bytes, with
/// `stride` bytes from one row to the next.
void canvas_show(const canvas *from, const scene_dot *dots, int count, uint8_t *pixels,
                 size_t stride);
