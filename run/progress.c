// SPDX-License-Identifier: MIT
//
// The line that shows how far a run is. A terminal sees it change in place; a file, a pipe or a
// terminal that can do nothing gets a line now and then, without control codes.

#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool can_overwrite(void) {
    const char *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

static void print_line(const stage *run) {
    const options *asked = run->asked;
    printf("%s  %3.0f %%  frame %d  %.1f ms  %u entities", asked->scene->name,
           stage_progress(run) * 100, run->frame, (double)run->frame_ns * 1e-6,
           ox_world_get_usage(run->world).entity_count);
    uint64_t measured = 0;
    for (int k = 0; k < run->plain.count; k++) {
        measured += run->plain.times[k];
    }
    if (measured > 0) {
        double busy = (double)run->busy_ns / ((double)measured * (run->workers + 1));
        printf("  cores busy %.0f %%", busy * 100);
    }
}

void progress_show(const stage *run) {
    static uint64_t shown_ns; // of the process's one line
    uint64_t now = meter_now(), pause = can_overwrite() ? 100000000u : 2000000000u;
    if (run->asked->quiet || now - shown_ns < pause) {
        return;
    }
    shown_ns = now;
    if (can_overwrite()) {
        printf("\r\033[K");
        print_line(run);
    } else {
        print_line(run);
        printf("\n");
    }
    fflush(stdout);
}

void progress_end(const stage *run) {
    if (!run->asked->quiet && can_overwrite()) {
        printf("\r\033[K");
        fflush(stdout);
    }
}
