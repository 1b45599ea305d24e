// SPDX-License-Identifier: MIT
//
// Light on a canvas. A dot lights the four pixels around it, by how near it is to each: so it moves
// smoothly. Rows fade in jobs, on all cores.

#include "canvas.h"

#include <stdlib.h>
#include <string.h>

OX_RANGE_JOB(FadeRows, {
    OX_NO_SAFETY float *light;
    int row_size;
    float keep;
}) {
    float *light = job->light;
    for (size_t k = (size_t)begin * (size_t)job->row_size; k < (size_t)end * (size_t)job->row_size;
         k++) {
        light[k] = light[k] * job->keep;
    }
}

bool canvas_create(canvas *to, int size) {
    to->size = size;
    to->light = calloc((size_t)size * (size_t)size * 3, sizeof(float));
    return to->light != NULL;
}

void canvas_destroy(canvas *from) {
    free(from->light);
    *from = (canvas){0};
}

static void add_light(canvas *to, int x, int y, const float *colour, float part) {
    if (x < 0 || y < 0 || x >= to->size || y >= to->size) {
        return;
    }
    float *pixel = to->light + ((size_t)y * (size_t)to->size + (size_t)x) * 3;
    pixel[0] += colour[0] * part;
    pixel[1] += colour[1] * part;
    pixel[2] += colour[2] * part;
}

static void add_dot(canvas *to, const scene_dot *dot, float light) {
    float x = dot->x * (float)to->size - 0.5f, y = (1.0f - dot->y) * (float)to->size - 0.5f;
    if (!(x > -1.0f && y > -1.0f && x < (float)to->size && y < (float)to->size)) {
        return;
    }
    int left = (int)(x + 1.0f) - 1, top = (int)(y + 1.0f) - 1;
    float right = x - (float)left, bottom = y - (float)top;
    float scale = light / 255.0f;
    float colour[3] = {(float)(dot->colour >> 16 & 255) * scale,
                       (float)(dot->colour >> 8 & 255) * scale, (float)(dot->colour & 255) * scale};
    add_light(to, left, top, colour, (1 - right) * (1 - bottom));
    add_light(to, left + 1, top, colour, right * (1 - bottom));
    add_light(to, left, top + 1, colour, (1 - right) * bottom);
    add_light(to, left + 1, top + 1, colour, right * bottom);
}

void canvas_add(canvas *to, const scene_dot *dots, int count, float keep, float light) {
    ox_complete(ox_schedule_for(FadeRows, to->size, 16, ox_none,
                                {.light = to->light, .row_size = to->size * 3, .keep = keep}));
    for (int k = 0; k < count; k++) {
        add_dot(to, &dots[k], light);
    }
}

// Light without end becomes brightness up to 1; over a background that is not quite black.
static uint8_t tone(float light, float background) {
    float bright = background + (1.0f - background) * (light / (light + 0.7f));
    return (uint8_t)((int)(bright * 63.0f + 0.5f) * 255 / 63); // 64 steps: small files
}

static void draw_disc(const canvas *from, const scene_dot *dot, uint8_t *pixels, size_t stride) {
    float size = (float)from->size, radius = dot->size * size * 0.5f;
    float x = dot->x * size, y = (1.0f - dot->y) * size;
    for (int row = (int)(y - radius - 1); row <= (int)(y + radius + 1); row++) {
        for (int column = (int)(x - radius - 1); column <= (int)(x + radius + 1); column++) {
            if (row < 0 || column < 0 || row >= from->size || column >= from->size) {
                continue;
            }
            float dx = (float)column + 0.5f - x, dy = (float)row + 0.5f - y;
            float cover = ox_clamp(radius - ox_sqrt(dx * dx + dy * dy) + 0.5f, 0.0f, 1.0f);
            uint8_t *pixel = pixels + (size_t)row * stride + (size_t)column * 3;
            for (int k = 0; k < 3; k++) {
                float colour = (float)(dot->colour >> (16 - k * 8) & 255);
                pixel[k] = (uint8_t)((float)pixel[k] * (1 - cover) + colour * cover + 0.5f);
            }
        }
    }
}

void canvas_show(const canvas *from, const scene_dot *dots, int count, uint8_t *pixels,
                 size_t stride) {
    static const float background[3] = {0.022f, 0.028f, 0.045f};
    for (int y = 0; y < from->size; y++) {
        const float *light = from->light + (size_t)y * (size_t)from->size * 3;
        uint8_t *row = pixels + (size_t)y * stride;
        for (int k = 0; k < from->size * 3; k++) {
            row[k] = tone(light[k], background[k % 3]);
        }
    }
    for (int k = 0; k < count; k++) {
        if (dots[k].size > 0) {
            draw_disc(from, &dots[k], pixels, stride);
        }
    }
}
