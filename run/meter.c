// SPDX-License-Identifier: MIT
//
// Times of frames, and how busy the threads were. Each thread counts on a cache line of its own.

#include "meter.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 1 + OX_MAX_WORKERS + OX_MAX_BACKGROUND };

typedef struct thread_meter {
    _Alignas(64) atomic_uint_least64_t busy_ns; // written by its thread, read by main
    uint64_t begin_ns;
} thread_meter;

static thread_meter meters[THREADS];

static uint64_t read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t meter_now(void) {
    return read_clock(CLOCK_MONOTONIC);
}

void meter_begin(const char *name, void *context) {
    (void)name;
    (void)context;
    meters[ox_worker_index()].begin_ns = meter_now();
}

void meter_end(const char *name, void *context) {
    (void)name;
    (void)context;
    thread_meter *own = &meters[ox_worker_index()];
    uint64_t busy = atomic_load_explicit(&own->busy_ns, memory_order_relaxed);
    atomic_store_explicit(&own->busy_ns, busy + meter_now() - own->begin_ns, memory_order_relaxed);
}

uint64_t meter_busy(void) {
    uint64_t busy = 0;
    for (int k = 0; k < THREADS; k++) {
        busy += atomic_load_explicit(&meters[k].busy_ns, memory_order_relaxed);
    }
    return busy;
}

// Linux tells of each thread how long it ran, how long it waited for a core, and how often.
static uint64_t read_wait(const char *thread) {
    char path[64];
    uint64_t waited = 0;
    snprintf(path, sizeof path, "/proc/self/task/%.20s/schedstat", thread);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return 0;
    }
    if (fscanf(file, "%*u %" SCNu64, &waited) != 1) {
        waited = 0;
    }
    fclose(file);
    return waited;
}

core_times meter_read_cores(void) {
    core_times times = {.had_ns = read_clock(CLOCK_PROCESS_CPUTIME_ID)};
    DIR *threads = opendir("/proc/self/task");
    if (threads == NULL) {
        return times;
    }
    for (const struct dirent *thread; (thread = readdir(threads)) != NULL;) {
        if (thread->d_name[0] != '.') {
            times.waited_ns += read_wait(thread->d_name);
        }
    }
    closedir(threads);
    return times;
}

void samples_add(samples *to, uint64_t time) {
    if (to->count == to->capacity) {
        int capacity = to->capacity * 2 + 256;
        uint64_t *times = realloc(to->times, (size_t)capacity * sizeof *times);
        if (times == NULL) {
            return;
        }
        to->times = times;
        to->capacity = capacity;
    }
    to->times[to->count++] = time;
}

double samples_quantile(samples *of, double part) {
    if (of->count == 0) {
        return 0;
    }
    ox_sort(of->times, of->count, uint64_t, NULL, NULL);
    int at = (int)((double)of->count * part);
    return (double)of->times[at < of->count ? at : of->count - 1] * 1e-6;
}

void samples_free(samples *all) {
    free(all->times);
    *all = (samples){0};
}
