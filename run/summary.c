// SPDX-License-Identifier: MIT
//
// What came out of a run, in words and numbers.

#include "stage.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_WIDTH = 78, TEXT_INDENT = 16 };

// On a quiet machine a thread that can run has a core for nearly all of its time.
static const double quiet_part = 0.9;

// Words behind an indent, in as many lines as it takes.
static void print_wrapped(const char *text) {
    int column = 0;
    for (const char *word = text; *word != 0;) {
        int length = (int)strcspn(word, " ");
        if (column == 0 || column + 1 + length > TEXT_WIDTH - TEXT_INDENT) {
            printf("%s%*s", column > 0 ? "\n" : "", TEXT_INDENT, "");
            column = 0;
        }
        printf("%s%.*s", column > 0 ? " " : "", length, word);
        column += length + (column > 0 ? 1 : 0);
        word += length;
        word += strspn(word, " ");
    }
    printf("\n");
}

static double sum_times(const samples *of) {
    double sum = 0;
    for (int k = 0; k < of->count; k++) {
        sum += (double)of->times[k];
    }
    return sum;
}

static void print_frames(stage *run) {
    uint32_t entities = ox_world_get_usage(run->world).entity_count;
    double seconds = (double)(meter_now() - run->begin_ns) * 1e-9;
    double median = samples_quantile(&run->plain, 0.5);
    double each = median * 1e6 / (entities > 0 ? entities : 1);
    printf("  frames        %d in %.1f s, with drawing\n", run->frame, seconds);
    if (run->plain.count == 0) {
        printf("  a frame       not measured: too few frames\n");
        return;
    }
    printf("  a frame       %.2f ms (p50), %.2f ms (p99); %.*f ns for each of %u entities\n",
           median, samples_quantile(&run->plain, 0.99), each < 10 ? 1 : 0, each, entities);
    printf("  cores         %d, busy for %.0f %% of the frames\n", run->workers + 1,
           (double)run->busy_ns / (sum_times(&run->plain) * (run->workers + 1)) * 100);
}

static void print_speed_up(stage *run) {
    double alone = samples_quantile(&run->alone, 0.5), beside = samples_quantile(&run->beside, 0.5);
    if (alone <= 0 || beside <= 0) {
        printf("  speed-up      not measured: %s\n",
               run->workers == 0 ? "there are no workers" : "too few frames");
        return;
    }
    printf("  speed-up      %.2f: %.2f ms with main alone, %.2f ms with %d worker%s beside it\n",
           alone / beside, alone, beside, run->workers, run->workers == 1 ? "" : "s");
}

// Without this line, a speed-up near 1 looks as if threads did nothing.
static void print_others(const stage *run) {
    core_times now = meter_read_cores();
    double had = (double)(now.had_ns - run->begin_cores.had_ns);
    double wanted = had + (double)(now.waited_ns - run->begin_cores.waited_ns);
    if (had >= wanted * quiet_part) {
        return;
    }
    printf("  busy machine  threads had a core for %.0f %% of the time that they wanted one\n",
           had / wanted * 100);
    print_wrapped("Others use the cores: frames are slower, and the speed-up is less, than on a "
                  "quiet machine.");
}

static void print_stall(const stage *run) {
    if (run->traced == 0) {
        return;
    }
    if (run->worst.sync_count == 0) {
        printf("  sync points   none: main waited for no job in an update\n");
        return;
    }
    printf("  sync points   %d in a frame; the longest wait is %.2f ms, in %s\n",
           run->worst.sync_count, (double)run->worst.wait_ns * 1e-6, run->worst.system);
    print_wrapped(run->worst.advice);
}

static void print_files(const stage *run, bool are_pictures_written) {
    int width = (int)strlen(run->trace_path) + 2; // the longest name
    if (are_pictures_written) {
        printf("\n  %-*s the last frame\n", width, run->picture_path);
        printf("  %-*s eight moments of the run\n", width, run->strip_path);
    }
    if (run->is_traced) {
        printf("%s  %-*s %d frames, thread by thread: for ui.perfetto.dev\n",
               are_pictures_written ? "" : "\n", width, run->trace_path, TRACED_FRAMES);
        printf("  %-*s the last of them explained\n", width, run->explain_path);
    }
}

void summary_print(stage *run, bool are_pictures_written) {
    const options *asked = run->asked;
    printf("\n%s: %s\n\n", asked->scene->name, asked->scene->what);
    print_frames(run);
    print_speed_up(run);
    print_others(run);
    print_stall(run);
    print_files(run, are_pictures_written);
    printf("\nNext: docs/start.md takes you to a parallel system of your own, examples/ has\n"
           "one idea each, README.md has the rest. scenes/%s.c is what you just saw.\n"
           "make run ARGS=--help shows what else there is to see.\n",
           asked->scene->name);
}
