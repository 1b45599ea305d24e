// SPDX-License-Identifier: MIT
//
// Drawing a run. A small canvas is lit all the time, every other frame, and looked at for each
// moment of the strip. The large one, for the picture of the last frame, is lit near the end.

#include "png.h"
#include "stage.h"

#include <stdlib.h>
#include <string.h>

enum {
    STRIP_WIDTH = MOMENT_COLUMNS * (MOMENT_SIZE + MOMENT_GAP) - MOMENT_GAP,
    STRIP_ROWS = MOMENT_COUNT / MOMENT_COLUMNS,
    STRIP_HEIGHT = STRIP_ROWS * (MOMENT_SIZE + MOMENT_GAP) - MOMENT_GAP,
    MOMENT_DOTS = 100000,
};

static const double picture_from = 0.8;

bool stage_begin_drawing(stage *run) {
    if (run->asked->quiet) {
        return true;
    }
    run->dots = malloc(MOST_DOTS * sizeof *run->dots);
    run->strip = calloc((size_t)STRIP_WIDTH * STRIP_HEIGHT, 3);
    return run->dots != NULL && run->strip != NULL && canvas_create(&run->picture, PICTURE_SIZE) &&
           canvas_create(&run->moment, MOMENT_SIZE);
}

void stage_end_drawing(stage *run) {
    free(run->dots);
    free(run->strip);
    canvas_destroy(&run->picture);
    canvas_destroy(&run->moment);
}

// So many dots at so many pixels: few are bright, many add up.
static float choose_light(int count, int size) {
    float pixels = (float)size * (float)size;
    return ox_clamp(0.024f * pixels / (float)(count + 1), 0.02f, 2.0f);
}

static void keep_moment(stage *run) {
    size_t stride = (size_t)STRIP_WIDTH * 3;
    size_t row = (size_t)(run->moments / MOMENT_COLUMNS) * (MOMENT_SIZE + MOMENT_GAP);
    size_t column = (size_t)(run->moments % MOMENT_COLUMNS) * (MOMENT_SIZE + MOMENT_GAP);
    canvas_show(&run->moment, run->dots, run->dot_count, run->strip + row * stride + column * 3,
                stride);
    run->moments++;
}

void stage_draw(stage *run, double progress) {
    if (run->asked->quiet) {
        return;
    }
    bool lights_picture = progress >= picture_from, is_last = progress >= 1;
    bool is_moment = progress * MOMENT_COUNT >= run->moments + 1;
    if (!lights_picture && !is_moment && run->frame % 2 == 1) {
        return;
    }
    int most = lights_picture ? MOST_DOTS : MOMENT_DOTS;
    run->dot_count = run->asked->scene->draw(run->world, run->dots, most);
    if (lights_picture) {
        float light = choose_light(run->dot_count, PICTURE_SIZE);
        canvas_add(&run->picture, run->dots, run->dot_count, 0.95f, light);
    }
    if (run->frame % 2 == 0 || is_moment || is_last) {
        int shown = run->dot_count < MOMENT_DOTS ? run->dot_count : MOMENT_DOTS;
        canvas_add(&run->moment, run->dots, shown, 0.8f, choose_light(shown, MOMENT_SIZE) * 3);
    }
    while (progress * MOMENT_COUNT >= run->moments + 1 && run->moments < MOMENT_COUNT) {
        keep_moment(run);
    }
}

bool stage_write_pictures(stage *run) {
    uint8_t *pixels = malloc((size_t)PICTURE_SIZE * PICTURE_SIZE * 3);
    if (pixels == NULL) {
        return false;
    }
    canvas_show(&run->picture, run->dots, run->dot_count, pixels, (size_t)PICTURE_SIZE * 3);
    bool is_written = png_write(run->picture_path, pixels, PICTURE_SIZE, PICTURE_SIZE) &&
                      png_write(run->strip_path, run->strip, STRIP_WIDTH, STRIP_HEIGHT);
    free(pixels);
    return is_written;
}
