// SPDX-License-Identifier: MIT
//
// Runs deathmatch, stream and particles in turns for some minutes, looks at every invariant of
// their worlds after each frame, and at live memory after each minute: the first one shows what is
// needed, a sixteenth more than that is a leak. Ends with 1 when something is wrong.
//
//     scene_soak MINUTES

#include "scene_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { KINDS = 3, FRAMES_OF_TURN = 30 };

typedef struct soak_kind {
    const char *name;
    int entities;
    ox_world *world;
    uint64_t frames;
} soak_kind;

typedef struct soak_peak {
    uint64_t bytes;
    uint64_t chunk_bytes;
} soak_peak;

static soak_kind kinds[KINDS] = {
    {"deathmatch", 1000, NULL, 0}, {"stream", 16384, NULL, 0}, {"particles", 30000, NULL, 0}};
static int report_count;

static void count_report(const ox_report *report, void *context) {
    (void)context;
    report_count++;
    fprintf(stderr, "%s %s: %s\n", report->code, report->what, report->detail);
}

static double seconds_now(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static bool run_turn(soak_kind *kind, soak_peak *peak) {
    bool is_valid = true;
    for (int frame = 0; frame < FRAMES_OF_TURN && is_valid; frame++) {
        scene_step(kind->world);
        kind->frames++;
        is_valid = ox_world_validate(kind->world);
        peak->bytes = larger(peak->bytes, ox_memory_get_usage(0).bytes);
        peak->chunk_bytes =
            larger(peak->chunk_bytes, ox_world_get_usage(kind->world).process_bytes);
    }
    return is_valid && report_count == 0;
}

// Turns until the clock says `end`.
static bool run_minute(double end, soak_peak *peak) {
    bool is_right = true;
    for (int k = 0; is_right && seconds_now() < end; k = (k + 1) % KINDS) {
        is_right = run_turn(&kinds[k], peak);
    }
    return is_right;
}

static bool is_flat(soak_peak first, soak_peak now) {
    return now.bytes <= first.bytes + first.bytes / 16 &&
           now.chunk_bytes <= first.chunk_bytes + first.chunk_bytes / 16;
}

static bool run_minutes(int minutes) {
    soak_peak first = {0};
    double begin = seconds_now();
    for (int minute = 1; minute <= minutes; minute++) {
        soak_peak peak = {0};
        bool is_right = run_minute(begin + minute * 60.0, &peak);
        first = minute == 1 ? peak : first;
        printf("minute %d: frames", minute);
        for (int k = 0; k < KINDS; k++) {
            printf(" %s %llu", kinds[k].name, (unsigned long long)kinds[k].frames);
        }
        printf(", live %.1f KiB, chunks %.1f MiB, reports %d%s\n", (double)peak.bytes / 1024,
               (double)peak.chunk_bytes / 1048576, report_count,
               is_flat(first, peak) ? "" : ": MEMORY GROWS");
        fflush(stdout);
        if (!is_right || !is_flat(first, peak)) {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv) {
    int minutes = argc == 2 ? atoi(argv[1]) : 0;
    if (minutes < 1) {
        fprintf(stderr, "scene_soak MINUTES: a number from 1 on\n");
        return 2;
    }
    ox_report_set_handler((ox_report_handler){count_report, NULL});
    ox_jobs_start(NULL);
    for (int k = 0; k < KINDS; k++) {
        kinds[k].world = scene_begin(scene_find(kinds[k].name), kinds[k].entities, 7);
        if (kinds[k].world == NULL) {
            return 1;
        }
    }
    bool is_right = run_minutes(minutes);
    for (int k = 0; k < KINDS; k++) {
        printf("%s: hash %016llx after %llu frames\n", kinds[k].name,
               (unsigned long long)ox_world_hash(kinds[k].world),
               (unsigned long long)kinds[k].frames);
        ox_world_destroy(kinds[k].world);
    }
    ox_jobs_stop();
    printf("%s\n", is_right ? "soaked: nothing wrong" : "FAILED");
    return !is_right;
}
