// SPDX-License-Identifier: MIT
//
// A scene in a window of SDL2. The picture is made in memory and handed over as a texture, so any
// driver shows it, software alone too. A core is left to whoever shows windows.

#include "png.h"
#include "stage.h"
#include "window.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

enum { WINDOW_SIZE = 900, LEAST_ENTITIES = 100, MOST_ENTITIES = 20000000 };

typedef struct view {
    const options *asked;
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Texture *texture;
    ox_world *world;
    int entities;
    int frame;
    uint64_t frame_ns;

    float x, y; // the middle of what is seen
    float zoom;
    bool is_paused;
    bool steps;    // one frame, though it is paused
    bool is_moved; // what is on the canvas was seen from elsewhere
    bool is_over;

    canvas canvas;
    scene_dot *dots;
    int dot_count;
    uint8_t *pixels;
} view;

static bool open_world(view *v) {
    ox_world_destroy(v->world);
    v->world = ox_world_create(&(ox_world_def){.name = v->asked->scene->name, .no_systems = true});
    ox_world_set_active(v->world);
    scene_def def = {.entities = v->entities, .seed = v->asked->seed};
    return v->world != NULL && v->asked->scene->create(v->world, &def);
}

static bool open_view(view *v, const options *asked) {
    *v = (view){.asked = asked, .x = 0.5f, .y = 0.5f, .zoom = 1.0f};
    v->entities = asked->entities > 0 ? asked->entities : asked->scene->entities;
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        return false;
    }
    v->window = SDL_CreateWindow("oxbow", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                 WINDOW_SIZE, WINDOW_SIZE, 0);
    v->renderer = v->window != NULL ? SDL_CreateRenderer(v->window, -1, 0) : NULL;
    v->texture = v->renderer != NULL
                     ? SDL_CreateTexture(v->renderer, SDL_PIXELFORMAT_RGB24,
                                         SDL_TEXTUREACCESS_STREAMING, WINDOW_SIZE, WINDOW_SIZE)
                     : NULL;
    v->dots = malloc(MOST_DOTS * sizeof *v->dots);
    v->pixels = malloc((size_t)WINDOW_SIZE * WINDOW_SIZE * 3);
    return v->texture != NULL && v->dots != NULL && v->pixels != NULL &&
           canvas_create(&v->canvas, WINDOW_SIZE);
}

static void close_view(view *v) {
    canvas_destroy(&v->canvas);
    free(v->pixels);
    free(v->dots);
    SDL_DestroyTexture(v->texture);
    SDL_DestroyRenderer(v->renderer);
    SDL_DestroyWindow(v->window);
    SDL_Quit();
}

static void change_entities(view *v, bool grows) {
    int entities = grows ? v->entities * 2 : v->entities / 2;
    if (entities >= LEAST_ENTITIES && entities <= MOST_ENTITIES) {
        v->entities = entities;
        v->is_over = !open_world(v);
        v->is_moved = true;
    }
}

static void look_elsewhere(view *v, float x, float y, float zoom) {
    v->zoom = ox_clamp(v->zoom * zoom, 1.0f, 64.0f);
    float half = 0.5f / v->zoom;
    v->x = ox_clamp(v->x + x / v->zoom, half, 1 - half);
    v->y = ox_clamp(v->y + y / v->zoom, half, 1 - half);
    v->is_moved = true;
}

static void save_picture(const view *v) {
    char path[NAME_SIZE];
    snprintf(path, sizeof path, "build/out/%s_window.png", v->asked->scene->name);
    if (png_write(path, v->pixels, WINDOW_SIZE, WINDOW_SIZE)) {
        printf("%s\n", path);
    }
}

static void press(view *v, SDL_Keycode key) {
    switch (key) {
    case SDLK_ESCAPE:
    case SDLK_q:
        v->is_over = true;
        return;
    case SDLK_SPACE:
        v->is_paused = !v->is_paused;
        return;
    case SDLK_s:
    case SDLK_PERIOD:
        v->is_paused = v->steps = true;
        return;
    case SDLK_PAGEUP:
    case SDLK_RIGHTBRACKET:
        change_entities(v, true);
        return;
    case SDLK_PAGEDOWN:
    case SDLK_LEFTBRACKET:
        change_entities(v, false);
        return;
    case SDLK_LEFT:
        look_elsewhere(v, -0.1f, 0, 1);
        return;
    case SDLK_RIGHT:
        look_elsewhere(v, 0.1f, 0, 1);
        return;
    case SDLK_UP:
        look_elsewhere(v, 0, 0.1f, 1);
        return;
    case SDLK_DOWN:
        look_elsewhere(v, 0, -0.1f, 1);
        return;
    case SDLK_PLUS:
    case SDLK_EQUALS:
        look_elsewhere(v, 0, 0, 1.25f);
        return;
    case SDLK_MINUS:
        look_elsewhere(v, 0, 0, 0.8f);
        return;
    case SDLK_p:
        save_picture(v);
        return;
    default:
        return;
    }
}

static void take_events(view *v) {
    SDL_Event event;
    while (SDL_PollEvent(&event)) {
        if (event.type == SDL_QUIT) {
            v->is_over = true;
        } else if (event.type == SDL_KEYDOWN) {
            press(v, event.key.keysym.sym);
        } else if (event.type == SDL_MOUSEWHEEL) {
            look_elsewhere(v, 0, 0, event.wheel.y > 0 ? 1.25f : 0.8f);
        } else if (event.type == SDL_MOUSEMOTION && (event.motion.state & SDL_BUTTON_LMASK) != 0) {
            look_elsewhere(v, (float)-event.motion.xrel / WINDOW_SIZE,
                           (float)event.motion.yrel / WINDOW_SIZE, 1);
        }
    }
}

static void update_world(view *v) {
    uint64_t begin = meter_now();
    ox_world_update(v->world, SCENE_STEP);
    v->dot_count = v->asked->scene->draw(v->world, v->dots, MOST_DOTS);
    v->frame_ns = meter_now() - begin;
    v->frame++;
    v->steps = false;
}

static void show_dots(view *v, float keep) {
    for (int k = 0; k < v->dot_count; k++) {
        v->dots[k].x = (v->dots[k].x - v->x) * v->zoom + 0.5f;
        v->dots[k].y = (v->dots[k].y - v->y) * v->zoom + 0.5f;
        v->dots[k].size *= v->zoom;
    }
    float light = ox_clamp(20000.0f * v->zoom / (float)(v->dot_count + 1), 0.02f, 2.0f);
    canvas_add(&v->canvas, v->dots, v->dot_count, keep, light);
    canvas_show(&v->canvas, v->dots, v->dot_count, v->pixels, (size_t)WINDOW_SIZE * 3);
    SDL_UpdateTexture(v->texture, NULL, v->pixels, WINDOW_SIZE * 3);
}

static void show_title(const view *v) {
    char title[256];
    snprintf(title, sizeof title,
             "oxbow: %s, %d entities, %.1f ms%s   space pauses, s steps, drag and wheel, "
             "page up and down: more and fewer, q ends",
             v->asked->scene->name, v->entities, (double)v->frame_ns * 1e-6,
             v->is_paused ? ", paused" : "");
    SDL_SetWindowTitle(v->window, title);
}

static void show_frame(view *v) {
    bool runs = !v->is_paused || v->steps;
    if (runs) {
        update_world(v);
    } else if (v->is_moved) {
        v->dot_count = v->asked->scene->draw(v->world, v->dots, MOST_DOTS);
    }
    if (runs || v->is_moved) {
        show_dots(v, v->is_moved ? 0.0f : 0.85f);
        v->is_moved = false;
    }
    SDL_RenderCopy(v->renderer, v->texture, NULL, NULL);
    SDL_RenderPresent(v->renderer);
    if (!runs) {
        SDL_Delay(15);
    }
    if (v->frame % 10 == 0 || !runs) {
        show_title(v);
    }
}

int window_run(const options *asked) {
    view v;
    if (!stage_start_jobs(asked)) {
        return 1;
    }
    if (!open_view(&v, asked)) {
        fprintf(stderr, "oxbow: no window could be opened: %s\n", SDL_GetError());
        close_view(&v);
        return 1;
    }
    v.is_over = !open_world(&v);
    uint64_t begin = meter_now();
    while (!v.is_over) {
        take_events(&v);
        show_frame(&v);
        double seconds = (double)(meter_now() - begin) * 1e-9;
        v.is_over |= (asked->frames > 0 && v.frame >= asked->frames) ||
                     (asked->seconds > 0 && seconds >= asked->seconds);
    }
    ox_world_destroy(v.world);
    close_view(&v);
    ox_jobs_stop();
    return 0;
}
