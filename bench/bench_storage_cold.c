// SPDX-License-Identifier: MIT
//
// Rows of what begins: a process's first entities, the memory they take, and worlds. Memory that
// chunks once had stays with a process, so each sample of the first is a process of its own.

#include "bench_storage.h"

#include <stdio.h>
#include <unistd.h>

enum { SAMPLES = 5, WORLDS = 100, LIMIT_BYTES = 40 };

// Runs the program beside this one. @return 0 when that fails.
static double ask_cold_program(const char *what, int n) {
    char path[4096] = "";
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
    char *slash = length > 0 ? strrchr(path, '/') : NULL;
    if (slash == NULL) {
        return 0;
    }
    snprintf(slash + 1, 64, "oxbow_bench_cold %s %d", what, n);
    FILE *program = popen(path, "r");
    double value = 0;
    if (program != NULL) {
        if (fscanf(program, "%lf", &value) != 1) {
            value = 0;
        }
        pclose(program);
    }
    return value;
}

static void take_least(double *least, double value) {
    *least = *least == 0 || (value > 0 && value < *least) ? value : *least;
}

static void measure_cold(const void *context, bench_result *result) {
    int n = *(const int *)context;
    double small = 0, huge = 0;
    for (int k = 0; k < SAMPLES; k++) {
        take_least(&result->ns, ask_cold_program("oxbow", n));
        take_least(&small, ask_cold_program("small", n));
        take_least(&huge, ask_cold_program("huge", n));
    }
    result->limit_ns = small < huge ? small : huge;
    bench_put(result, "small_pages_ns", small);
    bench_put(result, "huge_pages_ns", huge);
}

// 24 bytes of values, 8 of its handle, 8 of its record.
static void measure_bytes(const void *context, bench_result *result) {
    result->ns = ask_cold_program("bytes", *(const int *)context);
    result->limit_ns = LIMIT_BYTES;
}

static void create_worlds(void) {
    for (int k = 0; k < WORLDS; k++) {
        ox_world *world = ox_world_create(NULL);
        bench_keep(world);
        ox_world_destroy(world);
    }
}

static void create_worlds_of_one(void) {
    for (int k = 0; k < WORLDS; k++) {
        ox_world *world = ox_world_create(NULL);
        ox_entity_create(world, OX_VALUE(BenchPosition, {1, 2, 3}));
        ox_world_destroy(world);
    }
}

static const storage_work works[] = {
    {.name = "world_create", .oxbow = {.step = create_worlds}},
    {.name = "world_create_one", .oxbow = {.step = create_worlds_of_one}},
};

void bench_storage_cold(void) {
    static const int sizes[] = {1000, 100000, 1000000};
    for (int k = 0; k < 3; k++) {
        bench_add_measured(
            &(bench_measured){"storage.create_cold", (uint64_t)sizes[k], measure_cold, &sizes[k]});
    }
    bench_add_measured(&(bench_measured){"storage.bytes_per_entity", (uint64_t)sizes[2],
                                         measure_bytes, &sizes[2]});
    storage_add(works, sizeof works / sizeof works[0], WORLDS);
}
