// SPDX-License-Identifier: MIT
//
// What entities cost in a process that had none before: oxbow_bench runs this program and reads the
// number that it prints.
//
//     oxbow_bench_cold oxbow|small|huge|bytes N
//
// Nanoseconds for each of N entities that are made one by one, page faults included, by Oxbow, or
// by plain arrays on small pages or on huge ones; or the bytes of memory that each of Oxbow's
// takes.

#include "bench_storage.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double resident_bytes(void) {
    long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &size, &resident) != 2) {
        resident = 0;
    }
    if (file != NULL) {
        fclose(file);
    }
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

static void fill_world(ox_world *world, int n) {
    for (int k = 0; k < n; k++) {
        bare_float3 at = scene_position(k);
        ox_entity made = ox_entity_create(world, OX_VALUE(BenchPosition, {at.x, at.y, at.z}),
                                          OX_VALUE(BenchVelocity, {1, 0.5f, 0.25f}));
        bench_keep(&made);
    }
}

static void fill_bare(int n) {
    for (int k = 0; k < n; k++) {
        bare_id made = bare_add(scene_position(k), (bare_float3){1, 0.5f, 0.25f});
        bench_keep(&made);
    }
}

static double time_oxbow(int n) {
    ox_world *world = ox_world_create(NULL);
    double begin = now_ns();
    fill_world(world, n);
    return (now_ns() - begin) / n;
}

static double time_bare(int n, bool is_huge) {
    bare_create(is_huge);
    double begin = now_ns();
    fill_bare(n);
    return (now_ns() - begin) / n;
}

static double measure_bytes(int n) {
    double before = resident_bytes();
    fill_world(ox_world_create(NULL), n);
    return (resident_bytes() - before) / n;
}

int main(int argc, char **argv) {
    int n = argc == 3 ? atoi(argv[2]) : 0;
    if (n <= 0 || n > BARE_MOST) {
        fprintf(stderr, "usage: oxbow_bench_cold oxbow|small|huge|bytes N\n");
        return 2;
    }
    if (strcmp(argv[1], "bytes") == 0) {
        printf("%.4f\n", measure_bytes(n));
    } else if (strcmp(argv[1], "oxbow") == 0) {
        printf("%.4f\n", time_oxbow(n));
    } else {
        printf("%.4f\n", time_bare(n, strcmp(argv[1], "huge") == 0));
    }
    return 0;
}
