// SPDX-License-Identifier: MIT
//
// Times of frames, and how busy the threads were. Each thread counts on a cache line of its own.

#include "meter.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 1 + OX_MAX_WORKERS + OX_MAX_BACKGROUND };

typedef struct thread_meter {
    _Alignas(64) atomic_uint_least64_t busy_ns; // written by its thread, read by main
    uint64_t begin_ns;
} thread_meter;

static thread_meter meters[THREADS];

uint64_t meter_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
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
    ox_sort(uint64_t, of->times, of->count, NULL, NULL);
    int at = (int)((double)of->count * part);
    return (double)of->times[at < of->count ? at : of->count - 1] * 1e-6;
}

void samples_free(samples *all) {
    free(all->times);
    *all = (samples){0};
}
