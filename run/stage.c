// SPDX-License-Identifier: MIT
//
// Running a scene. Most frames are plain: update the world, wait until it could be drawn, note the
// time. In the middle a few are traced and recorded; in the last quarter, frames with all workers
// take turns with frames of main alone, so that both meet the same world and the same machine. What
// happens in the world does not depend on any of it.

#include "stage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_FRAMES = 3, BLOCK_FRAMES = 4 };

static const double trace_from = 0.5, compare_from = 0.75;

// Before anything runs: whoever waits for pictures should hear at once that there will be none.
bool stage_make_folder(void) {
    struct stat found;
    bool is_made = (mkdir("build", 0777) == 0 || errno == EEXIST) &&
                   (mkdir("build/out", 0777) == 0 || errno == EEXIST) &&
                   stat("build/out", &found) == 0;
    if (is_made && !S_ISDIR(found.st_mode)) {
        is_made = false;
        errno = ENOTDIR;
    }
    if (!is_made || access("build/out", W_OK | X_OK) != 0) {
        fprintf(stderr, "oxbow: cannot write to the folder build/out: %s; --quiet needs none\n",
                strerror(errno));
        return false;
    }
    return true;
}

static void name_files(stage *run) {
    const char *name = run->asked->scene->name;
    snprintf(run->picture_path, NAME_SIZE, "build/out/%s.png", name);
    snprintf(run->strip_path, NAME_SIZE, "build/out/%s_strip.png", name);
    snprintf(run->trace_path, NAME_SIZE, "build/out/%s_trace.json", name);
    snprintf(run->explain_path, NAME_SIZE, "build/out/%s_frame.txt", name);
}

bool stage_start_jobs(const options *asked) {
    int workers = asked->workers < 0 ? 0 : asked->workers; // 0: the library chooses
    return ox_jobs_start(&(ox_jobs_def){
        .worker_count = asked->workers == 0 ? OX_NO_WORKERS : workers,
        .reserved_cores = asked->window ? 1 : 0,
        .on_begin = meter_begin,
        .on_end = meter_end,
    });
}

ox_world *stage_make_world(const options *asked, int entities) {
    ox_world *world =
        ox_world_create(&(ox_world_def){.name = asked->scene->name, .no_systems = true});
    if (world == NULL) {
        return NULL;
    }
    ox_world_set_active(world); // its updates end frames
    if (!asked->scene->create(world, &(scene_def){.entities = entities, .seed = asked->seed})) {
        ox_world_destroy(world);
        return NULL;
    }
    return world;
}

bool stage_begin(stage *run, const options *asked) {
    *run = (stage){.asked = asked};
    name_files(run);
    if ((!asked->quiet && !stage_make_folder()) || !stage_start_jobs(asked)) {
        return false;
    }
    run->workers = ox_worker_count();
    run->world = stage_make_world(asked, asked->entities);
    if (run->world == NULL || !stage_begin_drawing(run)) {
        fprintf(stderr, "oxbow: the scene could not be made\n");
        return false;
    }
    run->begin_ns = meter_now();
    run->begin_cores = meter_read_cores();
    return true;
}

static double find_progress(const stage *run) {
    double done = run->asked->frames > 0
                      ? (double)run->frame / run->asked->frames
                      : (double)(meter_now() - run->begin_ns) * 1e-9 / run->asked->seconds;
    return done < 1 ? done : 1;
}

static frame_kind choose_kind(const stage *run) {
    if (run->frame < FIRST_FRAMES) {
        return FRAME_FIRST;
    }
    if (run->progress >= trace_from && run->traced < TRACED_FRAMES && !run->asked->quiet) {
        return FRAME_TRACED;
    }
    bool is_alone = run->progress >= compare_from && run->frame / BLOCK_FRAMES % 2 == 1;
    return is_alone && run->workers > 0 ? FRAME_ALONE : FRAME_PLAIN;
}

// Keeps the longest wait that was seen, in words.
static void look_for_stall(stage *run) {
    const ox_frame *frame = ox_world_get_frame(run->world);
    if (frame == NULL || frame->sync_count == 0) {
        return;
    }
    const ox_frame_sync *longest = &frame->syncs[frame->ranked[0]];
    if (longest->sync.wait_ns < run->worst.wait_ns) {
        return;
    }
    run->worst.wait_ns = longest->sync.wait_ns;
    run->worst.sync_count = frame->sync_count;
    const char *system = longest->sync.system != NULL ? longest->sync.system : "the program";
    snprintf(run->worst.system, NAME_SIZE, "%s", system);
    snprintf(run->worst.advice, ADVICE_SIZE, "%s", longest->advice);
}

static bool write_explanation(const stage *run) {
    size_t size = ox_world_explain_frame(run->world, OX_EXPLAIN_TEXT, NULL, 0) + 1;
    char *text = malloc(size);
    FILE *file = text != NULL ? fopen(run->explain_path, "w") : NULL;
    bool is_written = file != NULL;
    if (is_written) {
        ox_world_explain_frame(run->world, OX_EXPLAIN_TEXT, text, size);
        is_written = fputs(text, file) >= 0;
        is_written = fclose(file) == 0 && is_written;
    }
    free(text);
    return is_written;
}

static void write_trace(stage *run) {
    bool is_explained = write_explanation(run);
    int error = errno;
    ox_world_record_frames(run->world, false);
    ox_trace_end();
    run->is_traced = ox_trace_write_chrome(run->trace_path) && is_explained; // else it says why
    ox_trace_clear();
    if (!is_explained) {
        progress_clear();
        fprintf(stderr, "oxbow: cannot write %s: %s\n", run->explain_path, strerror(error));
    }
}

static void begin_frame(stage *run, frame_kind kind) {
    if (kind == FRAME_TRACED && run->traced == 0) {
        ox_trace_begin(0);
        ox_world_record_frames(run->world, true);
    }
    if (kind == FRAME_ALONE) {
        ox_jobs_set_active_workers(0);
    }
}

static void end_frame(stage *run, frame_kind kind) {
    if (kind == FRAME_ALONE) {
        ox_jobs_set_active_workers(run->workers);
    }
    if (kind != FRAME_TRACED) {
        return;
    }
    look_for_stall(run);
    if (++run->traced == TRACED_FRAMES) {
        write_trace(run);
    }
}

static void note_time(stage *run, frame_kind kind, uint64_t busy) {
    if (kind == FRAME_ALONE) {
        samples_add(&run->alone, run->frame_ns);
    } else if (kind == FRAME_PLAIN) {
        samples_add(&run->plain, run->frame_ns);
        run->busy_ns += busy;
        if (run->progress >= compare_from) {
            samples_add(&run->beside, run->frame_ns);
        }
    }
}

// A frame ends when all its jobs are done.
void stage_step(stage *run) {
    frame_kind kind = choose_kind(run);
    begin_frame(run, kind);
    uint64_t busy = meter_busy(), begin = meter_now();
    ox_world_update(run->world, SCENE_STEP);
    ox_world_complete(run->world);
    run->frame_ns = meter_now() - begin;
    note_time(run, kind, meter_busy() - busy);
    end_frame(run, kind);
    run->frame++;
    run->progress = find_progress(run);
    stage_draw(run);
}

void stage_end(stage *run) {
    stage_end_drawing(run);
    samples_free(&run->plain);
    samples_free(&run->beside);
    samples_free(&run->alone);
    ox_world_destroy(run->world);
    ox_jobs_stop();
}
