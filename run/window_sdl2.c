// SPDX-License-Identifier: MIT
//
// A scene in a window of SDL2. The picture is made in memory and handed over as a texture, so any
// driver shows it, software alone too. A core is left to whoever shows windows. The title says what
// is going on.

#include "png.h"
#include "stage.h"
#include "window.h"

#include <SDL.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WINDOW_SIZE = 900, MOST_ENTITIES = 20000000 };

#define FRAME_NS       16666667u  // no faster than a second in a second
#define TITLE_PAUSE_NS 250000000u // who reads it needs that long
#define LEAST_ZOOM     0.5f
#define MOST_ZOOM      64.0f

const char *const window_keys = "  space               pauses, and goes on\n"
                                "  s or .              pauses, and goes on by one frame\n"
                                "  drag, arrows        move what is seen\n"
                                "  wheel, + and -      zoom\n"
                                "  0 or home           all of it\n"
                                "  page up, page down  a new world, of twice or half as many: ] [\n"
                                "  p                   a picture: build/out/SCENE_window.png\n"
                                "  q or escape         ends\n";

typedef struct view {
    const options *asked;
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Texture *texture;
    ox_world *world;
    int entities; // that were asked for
    int frame;    // of this world
    int total;    // frames of all worlds
    uint64_t frame_ns;
    samples times;

    float x, y; // the middle of what is seen
    float zoom;
    bool is_paused;
    int steps;     // frames to go, though it is paused
    bool is_moved; // what is on the canvas was seen from elsewhere
    bool is_told;  // the title says how things are
    bool is_asked; // for a picture, once what was done before is seen
    bool is_over;

    canvas canvas;
    scene_dot *dots;
    int dot_count;
    int dot_capacity;
    uint8_t *pixels;
} view;

static bool open_world(view *v, int entities) {
    ox_world_destroy(v->world);
    free(v->dots);
    v->world = stage_make_world(v->asked, entities);
    if (v->world == NULL) {
        return false;
    }
    v->dot_capacity = stage_count_dots(v->world);
    v->dots = malloc((size_t)v->dot_capacity * sizeof *v->dots);
    v->entities = entities;
    v->frame = 0;
    v->steps = 1; // so that there is something to see when it is paused
    v->is_moved = true;
    return v->dots != NULL;
}

static bool open_window(view *v) {
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        return false;
    }
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear");
    v->window = SDL_CreateWindow("oxbow", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                 WINDOW_SIZE, WINDOW_SIZE, SDL_WINDOW_RESIZABLE);
    v->renderer = v->window != NULL ? SDL_CreateRenderer(v->window, -1, 0) : NULL;
    v->texture = v->renderer != NULL
                     ? SDL_CreateTexture(v->renderer, SDL_PIXELFORMAT_RGB24,
                                         SDL_TEXTUREACCESS_STREAMING, WINDOW_SIZE, WINDOW_SIZE)
                     : NULL;
    return v->texture != NULL &&
           SDL_RenderSetLogicalSize(v->renderer, WINDOW_SIZE, WINDOW_SIZE) == 0;
}

static bool open_view(view *v, const options *asked) {
    *v = (view){.asked = asked, .x = 0.5f, .y = 0.5f, .zoom = 1.0f};
    if (!open_window(v)) {
        fprintf(stderr, "oxbow: no window could be opened: %s\n", SDL_GetError());
        return false;
    }
    v->pixels = malloc((size_t)WINDOW_SIZE * WINDOW_SIZE * 3);
    int entities = asked->entities > 0 ? asked->entities : asked->scene->entities;
    if (v->pixels == NULL || !canvas_create(&v->canvas, WINDOW_SIZE) || !open_world(v, entities)) {
        fprintf(stderr, "oxbow: the scene could not be made\n");
        return false;
    }
    return true;
}

static void close_view(view *v) {
    ox_world_destroy(v->world);
    canvas_destroy(&v->canvas);
    samples_free(&v->times);
    free(v->pixels);
    free(v->dots);
    SDL_DestroyTexture(v->texture);
    SDL_DestroyRenderer(v->renderer);
    SDL_DestroyWindow(v->window);
    SDL_Quit();
}

static void change_entities(view *v, bool grows) {
    int entities = grows ? v->entities * 2 : v->entities / 2;
    if (entities >= 1 && entities <= MOST_ENTITIES) {
        v->is_over = !open_world(v, entities);
        if (v->is_over) {
            fprintf(stderr, "oxbow: no world of %d could be made\n", entities);
        }
    }
}

static void look_at(view *v, float x, float y, float zoom) {
    v->zoom = ox_clamp(zoom, LEAST_ZOOM, MOST_ZOOM);
    v->x = ox_clamp(x, 0.0f, 1.0f);
    v->y = ox_clamp(y, 0.0f, 1.0f);
    v->is_moved = true;
    v->is_told = false;
}

// By a part of what is seen.
static void move_view(view *v, float x, float y) {
    look_at(v, v->x + x / v->zoom, v->y + y / v->zoom, v->zoom);
}

// What is at a place of the window, from 0 to 1 with y upwards, stays there.
static void zoom_view(view *v, float times, float x, float y) {
    float zoom = ox_clamp(v->zoom * times, LEAST_ZOOM, MOST_ZOOM);
    float still = 1.0f / v->zoom - 1.0f / zoom;
    look_at(v, v->x + (x - 0.5f) * still, v->y + (y - 0.5f) * still, zoom);
}

static void save_picture(const view *v) {
    char path[NAME_SIZE];
    snprintf(path, sizeof path, "build/out/%s_window.png", v->asked->scene->name);
    if (!stage_make_folder()) {
        return;
    }
    if (!png_write(path, v->pixels, WINDOW_SIZE, WINDOW_SIZE)) {
        fprintf(stderr, "oxbow: cannot write %s\n", path);
    } else if (!v->asked->quiet) {
        printf("%s\n", path);
        fflush(stdout);
    }
}

// Keys that do the same again while they are held down.
static bool press_held(view *v, SDL_Keycode key) {
    switch (key) {
    case SDLK_s:
    case SDLK_PERIOD:
        v->is_paused = true;
        v->steps++;
        return true;
    case SDLK_LEFT:
        move_view(v, -0.1f, 0);
        return true;
    case SDLK_RIGHT:
        move_view(v, 0.1f, 0);
        return true;
    case SDLK_UP:
        move_view(v, 0, 0.1f);
        return true;
    case SDLK_DOWN:
        move_view(v, 0, -0.1f);
        return true;
    case SDLK_PLUS:
    case SDLK_EQUALS:
    case SDLK_KP_PLUS:
        zoom_view(v, 1.25f, 0.5f, 0.5f);
        return true;
    case SDLK_MINUS:
    case SDLK_KP_MINUS:
        zoom_view(v, 0.8f, 0.5f, 0.5f);
        return true;
    default:
        return false;
    }
}

static void press_once(view *v, SDL_Keycode key) {
    switch (key) {
    case SDLK_ESCAPE:
    case SDLK_q:
        v->is_over = true;
        return;
    case SDLK_SPACE:
        v->is_paused = !v->is_paused;
        v->is_told = false;
        return;
    case SDLK_PAGEUP:
    case SDLK_RIGHTBRACKET:
        change_entities(v, true);
        return;
    case SDLK_PAGEDOWN:
    case SDLK_LEFTBRACKET:
        change_entities(v, false);
        return;
    case SDLK_0:
    case SDLK_HOME:
        look_at(v, 0.5f, 0.5f, 1.0f);
        return;
    case SDLK_p:
        v->is_asked = true;
        return;
    default:
        return;
    }
}

static void turn_wheel(view *v, const SDL_MouseWheelEvent *wheel) {
    int x, y;
    float logical_x, logical_y;
    SDL_GetMouseState(&x, &y);
    SDL_RenderWindowToLogical(v->renderer, x, y, &logical_x, &logical_y);
    for (int k = 0; k < abs(wheel->y); k++) {
        zoom_view(v, wheel->y > 0 ? 1.25f : 0.8f, logical_x / WINDOW_SIZE,
                  1.0f - logical_y / WINDOW_SIZE);
    }
}

static void take_events(view *v) {
    SDL_Event event;
    while (!v->is_over && SDL_PollEvent(&event)) {
        if (event.type == SDL_QUIT) {
            v->is_over = true;
        } else if (event.type == SDL_KEYDOWN) {
            SDL_Keycode key = event.key.keysym.sym;
            if (!press_held(v, key) && event.key.repeat == 0) {
                press_once(v, key);
            }
        } else if (event.type == SDL_MOUSEWHEEL) {
            turn_wheel(v, &event.wheel);
        } else if (event.type == SDL_MOUSEMOTION && (event.motion.state & SDL_BUTTON_LMASK) != 0) {
            move_view(v, (float)-event.motion.xrel / WINDOW_SIZE,
                      (float)event.motion.yrel / WINDOW_SIZE);
        }
    }
}

static void update_world(view *v) {
    uint64_t begin = meter_now();
    ox_world_update(v->world, SCENE_STEP);
    ox_world_complete(v->world);
    v->frame_ns = meter_now() - begin;
    samples_add(&v->times, v->frame_ns);
    v->frame++;
    v->total++;
    if (v->steps > 0) {
        v->steps--;
        v->is_told = false;
    }
}

static void show_dots(view *v) {
    bool has_trail = !v->is_moved && !v->asked->scene->no_trails;
    v->dot_count = v->asked->scene->draw(v->world, v->dots, v->dot_capacity);
    for (int k = 0; k < v->dot_count; k++) {
        v->dots[k].x = (v->dots[k].x - v->x) * v->zoom + 0.5f;
        v->dots[k].y = (v->dots[k].y - v->y) * v->zoom + 0.5f;
        v->dots[k].size *= v->zoom;
    }
    v->canvas.zoom = v->zoom;
    canvas_add(&v->canvas, v->dots, v->dot_count, has_trail ? 0.85f : 0.0f);
    canvas_show(&v->canvas, v->dots, v->dot_count, v->pixels, (size_t)WINDOW_SIZE * 3);
    SDL_UpdateTexture(v->texture, NULL, v->pixels, WINDOW_SIZE * 3);
    v->is_moved = false;
}

static void show_title(view *v) {
    char title[256];
    snprintf(title, sizeof title,
             "oxbow %s: frame %d, %u entities, %.1f ms, zoom %.2f%s | space pauses, s steps, "
             "page up: more, q ends",
             v->asked->scene->name, v->frame, ox_world_get_usage(v->world).entity_count,
             (double)v->frame_ns * 1e-6, (double)v->zoom, v->is_paused ? ", paused" : "");
    SDL_SetWindowTitle(v->window, title);
    v->is_told = true;
}

static void show_frame(view *v) {
    bool runs = !v->is_paused || v->steps > 0;
    if (runs) {
        update_world(v);
    }
    if (runs || v->is_moved) {
        show_dots(v);
    }
    SDL_SetRenderDrawColor(v->renderer, 0, 0, 0, 255);
    SDL_RenderClear(v->renderer);
    SDL_RenderCopy(v->renderer, v->texture, NULL, NULL);
    SDL_RenderPresent(v->renderer);
    if (v->is_asked) {
        save_picture(v);
        v->is_asked = false;
    }
}

static void wait_for_frame(uint64_t begin) {
    uint64_t spent = meter_now() - begin;
    if (spent < FRAME_NS) {
        SDL_Delay((uint32_t)((FRAME_NS - spent) / 1000000));
    }
}

static void run_view(view *v) {
    uint64_t begin = meter_now(), told = 0;
    while (!v->is_over) {
        uint64_t now = meter_now();
        take_events(v);
        if (v->is_over) {
            return;
        }
        show_frame(v);
        if (!v->is_told || (!v->is_paused && now - told > TITLE_PAUSE_NS)) {
            show_title(v);
            told = now;
        }
        wait_for_frame(now);
        double seconds = (double)(meter_now() - begin) * 1e-9;
        v->is_over |= (v->asked->frames > 0 && v->total >= v->asked->frames) ||
                      (v->asked->seconds > 0 && seconds >= v->asked->seconds);
    }
}

static void print_end(view *v) {
    if (!v->asked->quiet) {
        int workers = ox_worker_count();
        printf("%s: %d frames, %.2f ms (p50), %.2f ms (p99) without drawing; main and %d worker%s, "
               "a core is left to the window\n",
               v->asked->scene->name, v->total, samples_quantile(&v->times, 0.5),
               samples_quantile(&v->times, 0.99), workers, workers == 1 ? "" : "s");
    }
    if (v->asked->hash && v->world != NULL) {
        printf("hash %016" PRIx64 "\n", ox_world_hash(v->world));
    }
}

int window_run(const options *asked) {
    view v;
    if (!stage_start_jobs(asked)) {
        return 1;
    }
    bool is_open = open_view(&v, asked);
    if (is_open) {
        run_view(&v);
        print_end(&v);
    }
    close_view(&v);
    ox_jobs_stop();
    return is_open ? 0 : 1;
}
