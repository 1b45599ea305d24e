// SPDX-License-Identifier: MIT
//
// A run: a scene in its world, frame by frame, with what is measured and drawn of it on the way.

#pragma once

#include "canvas.h"
#include "meter.h"
#include "options.h"

enum {
    PICTURE_SIZE = 1200, ///< pixels of the last picture, along each side
    MOMENT_SIZE = 298,   ///< and of each moment in the strip
    MOMENT_COUNT = 8,    ///< in two rows
    MOMENT_COLUMNS = 4,
    MOMENT_GAP = 4,
    TRACED_FRAMES = 5, ///< frames in the trace
    NAME_SIZE = 64,
    ADVICE_SIZE = 512,
};

/// What one frame was for.
typedef enum frame_kind {
    FRAME_PLAIN = 0, ///< measured, with all workers
    FRAME_FIRST,     ///< memory is touched for the first time
    FRAME_TRACED,    ///< recorded and traced
    FRAME_ALONE,     ///< main alone, to compare
} frame_kind;

/// Where main waited longest in the frames that were recorded.
typedef struct stall {
    uint64_t wait_ns;
    int sync_count; ///< of the frame it was in
    char system[NAME_SIZE];
    char advice[ADVICE_SIZE];
} stall;

/// A run.
typedef struct stage {
    const options *asked;
    ox_world *world;
    int workers;

    uint64_t begin_ns;
    core_times begin_cores;
    double progress;   ///< how much of it is done, from 0 to 1
    uint64_t frame_ns; ///< of the last frame
    int frame;         ///< frames so far
    uint64_t busy_ns;  ///< of all threads, in plain frames
    samples plain;     ///< times of frames with all workers
    samples beside;    ///< of those, the ones between frames of main alone
    samples alone;     ///< and of main alone
    int traced;        ///< frames in the trace so far
    bool is_traced;    ///< the trace and the explanation were written
    stall worst;

    scene_dot *dots;
    int dot_count;
    int dot_capacity;
    canvas picture;
    canvas moment;
    int moments;    ///< in the strip so far
    uint8_t *strip; ///< red, green and blue bytes

    char picture_path[NAME_SIZE];
    char strip_path[NAME_SIZE];
    char trace_path[NAME_SIZE];
    char explain_path[NAME_SIZE];
} stage;

/// Makes the folder that files go to. @return false after a message, when nothing can be written.
bool stage_make_folder(void);

/// Starts the job system: with `--window` a core is left to whoever shows windows.
bool stage_start_jobs(const options *asked);

/// Makes the scene's world, with so many entities; 0: as many as the scene says. @return NULL when
/// it cannot be made.
ox_world *stage_make_world(const options *asked, int entities);

/// Starts the job system, makes the world and fills it. @return false after a message.
bool stage_begin(stage *run, const options *asked);

/// Runs one frame, draws it, and says in `progress` how far it came.
void stage_step(stage *run);

/// Ends everything.
void stage_end(stage *run);

/// Draws the frame that just ran, where it is to be seen; nothing with `--quiet`: stage_draw.c.
bool stage_begin_drawing(stage *run);
void stage_draw(stage *run);
void stage_end_drawing(stage *run);

/// Writes the pictures; none with `--quiet`. @return false after a message.
bool stage_write_pictures(stage *run);

/// How many dots there may be to draw of a world.
int stage_count_dots(const ox_world *world);

/// The line that shows how far it is; none with `--quiet`.
void progress_show(const stage *run);
void progress_end(const stage *run);

/// Leaves the cursor where the next line can begin. Any thread.
void progress_clear(void);

/// What came out, and in which files, as far as they are written.
void summary_print(stage *run, bool are_pictures_written);
