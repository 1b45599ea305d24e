// SPDX-License-Identifier: MIT
//
// Drawing a run. A small canvas is lit all the time, every other frame, and looked at for each
// moment of the strip. The large one, for the picture of the last frame, is lit near the end.
// Where a scene has no trails, only the frames that are looked at are drawn.

#include "png.h"
#include "stage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STRIP_WIDTH = MOMENT_COLUMNS * (MOMENT_SIZE + MOMENT_GAP) - MOMENT_GAP,
    STRIP_ROWS = MOMENT_COUNT / MOMENT_COLUMNS,
    STRIP_HEIGHT = STRIP_ROWS * (MOMENT_SIZE + MOMENT_GAP) - MOMENT_GAP,
};

static const double picture_from = 0.8;

int stage_count_dots(const ox_world *world) {
    int entities = (int)ox_world_get_usage(world).entity_count;
    return entities + entities / 8 + 1024;
}

bool stage_begin_drawing(stage *run) {
    if (run->asked->quiet) {
        return true;
    }
    run->dot_capacity = stage_count_dots(run->world);
    run->dots = malloc((size_t)run->dot_capacity * sizeof *run->dots);
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

static void keep_moment(stage *run) {
    size_t stride = (size_t)STRIP_WIDTH * 3;
    size_t row = (size_t)(run->moments / MOMENT_COLUMNS) * (MOMENT_SIZE + MOMENT_GAP);
    size_t column = (size_t)(run->moments % MOMENT_COLUMNS) * (MOMENT_SIZE + MOMENT_GAP);
    canvas_show(&run->moment, run->dots, run->dot_count, run->strip + row * stride + column * 3,
                stride);
    run->moments++;
}

static bool is_lit(const stage *run, bool is_moment) {
    bool has_trail = !run->asked->scene->no_trails;
    return is_moment || (has_trail && (run->progress >= picture_from || run->frame % 2 == 0));
}

void stage_draw(stage *run) {
    bool is_moment = run->progress * MOMENT_COUNT >= run->moments + 1;
    if (run->asked->quiet || !is_lit(run, is_moment)) {
        return;
    }
    const scene *shown = run->asked->scene;
    run->dot_count = shown->draw(run->world, run->dots, run->dot_capacity);
    if (run->progress >= picture_from) {
        canvas_add(&run->picture, run->dots, run->dot_count, shown->no_trails ? 0.0f : 0.95f);
    }
    if (run->frame % 2 == 0 || is_moment) {
        canvas_add(&run->moment, run->dots, run->dot_count, shown->no_trails ? 0.0f : 0.8f);
    }
    while (run->progress * MOMENT_COUNT >= run->moments + 1) {
        keep_moment(run);
    }
}

static bool write_picture(const char *path, const uint8_t *pixels, int width, int height) {
    if (!png_write(path, pixels, width, height)) {
        fprintf(stderr, "oxbow: cannot write %s: %s\n", path, strerror(errno));
        return false;
    }
    return true;
}

bool stage_write_pictures(stage *run) {
    if (run->asked->quiet) {
        return true;
    }
    uint8_t *pixels = malloc((size_t)PICTURE_SIZE * PICTURE_SIZE * 3);
    if (pixels == NULL) {
        return false;
    }
    canvas_show(&run->picture, run->dots, run->dot_count, pixels, (size_t)PICTURE_SIZE * 3);
    bool is_written = write_picture(run->picture_path, pixels, PICTURE_SIZE, PICTURE_SIZE) &&
                      write_picture(run->strip_path, run->strip, STRIP_WIDTH, STRIP_HEIGHT);
    free(pixels);
    return is_written;
}
