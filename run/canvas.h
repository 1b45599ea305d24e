// SPDX-License-Identifier: MIT
//
// A canvas: dots leave light on it, which fades from frame to frame.

#pragma once

#include "scene.h"

/// A square of light.
typedef struct canvas {
    int size;     ///< pixels along each side
    float zoom;   ///< how much larger than all that is drawn: 1 unless you say so
    float *light; ///< red, green and blue of each pixel, the top row first
    int turn;     ///< which of many dots are next
} canvas;

/// A dark canvas. @return false when memory ran out.
bool canvas_create(canvas *to, int size);

/// Frees it.
void canvas_destroy(canvas *from);

/// Lets what is there fade, to `keep` of its light, and adds dots. Few dots are wide; of more than
/// there are pixels, every nth is taken. Where light is kept fewer will do, others each time.
void canvas_add(canvas *to, const scene_dot *dots, int count, float keep);

/// What it looks like, as bright as shows most of it, with dots that have a size drawn as discs:
/// red, green and blue bytes, with `stride` bytes from one row to the next.
void canvas_show(const canvas *from, const scene_dot *dots, int count, uint8_t *pixels,
                 size_t stride);
