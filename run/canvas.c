// SPDX-License-Identifier: MIT
//
// Light on a canvas. A dot lights the pixels around it, by how near it is to each: so it moves
// smoothly. How bright light is shown depends on how much of it there is, as with a camera. Rows
// fade and are shown in jobs, on all cores.

#include "canvas.h"

#include <math.h>
#include <stdlib.h>
enum { ENOUGH_DOTS = 150000 }; // for a small canvas, so that trails are whole

#define ORDINARY_LIGHT 0.6f // what the light of an ordinary pixel is shown as

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

// Light without end becomes brightness up to 1: by its strongest colour, so that it stays what it
// is, and a little each by itself, so that what is very bright glows. 64 steps make small files.
static void show_pixel(const float *light, float exposure, uint8_t *pixel) {
    static const float background[3] = {0.022f, 0.028f, 0.045f};
    float most = ox_max(light[0], ox_max(light[1], light[2])) * exposure;
    for (int k = 0; k < 3; k++) {
        float lit = light[k] * exposure;
        float bright = 0.65f * lit / (most + 0.7f) + 0.35f * lit / (lit + 0.7f);
        bright = background[k] + (1.0f - background[k]) * bright;
        pixel[k] = (uint8_t)((int)(bright * 63.0f + 0.5f) * 255 / 63);
    }
}

OX_RANGE_JOB(ShowRows, {
    OX_NO_SAFETY const float *light;
    OX_NO_SAFETY uint8_t *pixels;
    size_t stride;
    int size;
    float exposure;
}) {
    for (int64_t y = begin; y < end; y++) {
        const float *light = job->light + (size_t)y * (size_t)job->size * 3;
        uint8_t *row = job->pixels + (size_t)y * job->stride;
        for (int x = 0; x < job->size; x++) {
            show_pixel(light + x * 3, job->exposure, row + x * 3);
        }
    }
}

bool canvas_create(canvas *to, int size) {
    to->size = size;
    to->zoom = 1.0f;
    to->light = calloc((size_t)size * (size_t)size * 3, sizeof(float));
    return to->light != NULL;
}

void canvas_destroy(canvas *from) {
    free(from->light);
    *from = (canvas){0};
}

// How far a dot shines, in pixels: where there are few, further than to its neighbours.
static float choose_reach(const canvas *to, int count) {
    float side = (float)to->size * to->zoom / ox_sqrt((float)(count + 1)); // of a dot's own square
    return ox_clamp(side / 10.0f, 1.0f, (float)to->size / 200.0f);
}

static void add_dot(canvas *to, const scene_dot *dot, float reach) {
    float x = dot->x * (float)to->size - 0.5f, y = (1.0f - dot->y) * (float)to->size - 0.5f;
    if (!(x > -reach && y > -reach && x < (float)to->size + reach && y < (float)to->size + reach)) {
        return;
    }
    int left = (int)ox_max(x - reach + 1.0f, 0.0f), right = (int)ox_max(x + reach + 1.0f, 0.0f);
    int top = (int)ox_max(y - reach + 1.0f, 0.0f), bottom = (int)ox_max(y + reach + 1.0f, 0.0f);
    right = right < to->size ? right : to->size;
    bottom = bottom < to->size ? bottom : to->size;
    float scale = 1.0f / (255.0f * reach), red = (float)(dot->colour >> 16 & 255) * scale;
    float green = (float)(dot->colour >> 8 & 255) * scale;
    float blue = (float)(dot->colour & 255) * scale;
    for (int row = top; row < bottom; row++) {
        float *pixel = to->light + ((size_t)row * (size_t)to->size + (size_t)left) * 3;
        float near = 1.0f - fabsf((float)row - y) / reach;
        for (int column = left; column < right; column++, pixel += 3) {
            float part = near * (reach - fabsf((float)column - x));
            pixel[0] += red * part;
            pixel[1] += green * part;
            pixel[2] += blue * part;
        }
    }
}

void canvas_add(canvas *to, const scene_dot *dots, int count, float keep) {
    ox_complete(ox_schedule_for(FadeRows, to->size, 16, OX_NO_JOB,
                                {.light = to->light, .row_size = to->size * 3, .keep = keep}));
    int pixels = to->size * to->size, third = pixels / 3;
    int most = keep > 0 ? (third > ENOUGH_DOTS ? third : ENOUGH_DOTS) : pixels;
    int every = count / most + 1;
    int first = keep > 0 ? to->turn++ % every : 0;
    float reach = choose_reach(to, count);
    for (int k = first; k < count; k += every) {
        add_dot(to, &dots[k], reach);
    }
}

// What to multiply light with, so that an ordinary pixel, of those that are lit, is neither dark
// nor white. Square roots keep the few that are brightest from deciding; some rows stand for all.
static float choose_exposure(const canvas *from) {
    float sum = 0.0f;
    int lit = 0;
    for (int y = 0; y < from->size; y += 3) {
        const float *row = from->light + (size_t)y * (size_t)from->size * 3;
        for (int x = 0; x < from->size; x++) {
            float most = ox_max(row[x * 3], ox_max(row[x * 3 + 1], row[x * 3 + 2]));
            if (most > 0.05f) {
                sum += ox_sqrt(most);
                lit++;
            }
        }
    }
    float ordinary = lit > 0 ? sum / (float)lit : 1.0f;
    return ORDINARY_LIGHT / (ordinary * ordinary);
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
    ox_complete(ox_schedule_for(ShowRows, from->size, 16, OX_NO_JOB,
                                {.light = from->light,
                                 .pixels = pixels,
                                 .stride = stride,
                                 .size = from->size,
                                 .exposure = choose_exposure(from)}));
    for (int k = 0; k < count; k++) {
        if (dots[k].size > 0) {
            draw_disc(from, &dots[k], pixels, stride);
        }
    }
}
