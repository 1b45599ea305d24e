// SPDX-License-Identifier: MIT
//
// The line that shows how far a run is. A terminal sees it change in place, cut to its width; a
// file, a pipe or a terminal that can do nothing gets a line now and then, without control codes.

#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LINE_SIZE = 256 };

static bool can_overwrite(void) {
    const char *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

// A line that is as wide as the terminal would go on in the next one, and stay there.
static int find_width(void) {
    struct winsize size;
    bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return is_known && size.ws_col <= LINE_SIZE ? size.ws_col - 1 : LINE_SIZE - 1;
}

static void write_line(const stage *run, char *line, size_t size) {
    int used = snprintf(line, size, "%s  %3.0f %%  frame %d  %.1f ms  %u entities",
                        run->asked->scene->name, run->progress * 100, run->frame,
                        (double)run->frame_ns * 1e-6, ox_world_get_usage(run->world).entity_count);
    uint64_t measured = 0;
    for (int k = 0; k < run->plain.count; k++) {
        measured += run->plain.times[k];
    }
    if (measured > 0) {
        double busy = (double)run->busy_ns / ((double)measured * (run->workers + 1));
        snprintf(line + used, size - (size_t)used, "  cores busy %.0f %%", busy * 100);
    }
}

void progress_show(const stage *run) {
    static uint64_t shown_ns; // of the process's one line
    uint64_t now = meter_now(), pause = can_overwrite() ? 100000000u : 2000000000u;
    if (run->asked->quiet || now - shown_ns < pause) {
        return;
    }
    shown_ns = now;
    char line[LINE_SIZE];
    write_line(run, line, sizeof line);
    if (can_overwrite()) {
        printf("\r\033[K%.*s", find_width(), line);
    } else {
        printf("%s\n", line);
    }
    fflush(stdout);
}

void progress_clear(void) {
    if (can_overwrite()) {
        printf("\r\033[K");
        fflush(stdout);
    }
}

void progress_end(const stage *run) {
    if (!run->asked->quiet) {
        progress_clear();
    }
}
