// SPDX-License-Identifier: MIT
//
// What `make run` runs: a scene, for a while, with what it cost and what it looked like.

#include "stage.h"
#include "window.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile sig_atomic_t stopped_by; // the signal that ends the run; 0: none

static void note_signal(int signal) {
    stopped_by = signal;
}

// The first ^C ends the run after its frame, so that the terminal is left as it was. Another one
// ends the program at once.
static void expect_signals(void) {
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

// Ends as if the signal had not been caught: that is how a shell, or make, knows of it.
static int end_stopped(const stage *run) {
    if (!run->asked->quiet) {
        fprintf(stderr, "oxbow: stopped after %d frames; no pictures\n", run->frame);
    }
    signal(stopped_by, SIG_DFL);
    raise(stopped_by);
    return 1;
}

// What the library has to say of the world outside is one line. Without memory there is no scene.
static void take_report(const ox_report *report, void *context) {
    (void)context;
    progress_clear();
    if (report->severity != OX_SEVERITY_FAILURE) {
        ox_report_print(report, NULL);
        if (report->severity == OX_SEVERITY_ERROR) {
            abort();
        }
        return;
    }
    bool is_memory = report->id == OX_REPORT_OUT_OF_MEMORY;
    fprintf(stderr, "oxbow: %s: %.*s%s\n", report->what, (int)strcspn(report->detail, "\n"),
            report->detail, is_memory ? "; ask for fewer with --entities" : "");
    if (is_memory) {
        _Exit(1);
    }
}

// True when everything that was printed arrived.
static bool is_printed(void) {
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return true;
    }
    fprintf(stderr, "oxbow: what was printed could not be written\n");
    return false;
}

static bool finish(stage *run) {
    bool is_written = stage_write_pictures(run);
    if (!run->asked->quiet) {
        summary_print(run, is_written);
        is_written = is_written && (run->traced < TRACED_FRAMES || run->is_traced);
    }
    if (run->asked->hash) {
        printf("hash %016" PRIx64 "\n", ox_world_hash(run->world));
    }
    return is_printed() && is_written;
}

static int run_scene(const options *asked) {
    stage run;
    if (!stage_begin(&run, asked)) {
        stage_end(&run);
        return 1;
    }
    expect_signals();
    while (run.progress < 1 && stopped_by == 0) {
        stage_step(&run);
        progress_show(&run);
    }
    progress_end(&run);
    bool is_stopped = run.progress < 1, is_good = !is_stopped && finish(&run);
    stage_end(&run);
    if (is_stopped) {
        return end_stopped(&run);
    }
    return is_good ? 0 : 1;
}

int main(int argument_count, char **arguments) {
    options asked;
    char message[512];
    if (!options_read(&asked, argument_count, arguments, message, sizeof message)) {
        fprintf(stderr, "oxbow: %s\n", message);
        return 2;
    }
    if (asked.help) {
        options_print_help();
        return 0;
    }
    ox_report_set_handler((ox_report_handler){take_report, NULL});
    return asked.window ? window_run(&asked) : run_scene(&asked);
}
