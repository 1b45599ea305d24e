// SPDX-License-Identifier: MIT
//
// Figures of a row by name, and the goals that are made of them.

#include "bench.h"

#include <stdio.h>
#include <string.h>

void bench_put_peer(bench_result *result, const char *name, double ns) {
    if (result->peer_count < BENCH_MOST_PEERS) {
        result->peers[result->peer_count++] = (bench_value){name, ns};
    }
}

void bench_put(bench_result *result, const char *name, double value) {
    if (result->extra_count < BENCH_MOST_EXTRAS) {
        result->extras[result->extra_count++] = (bench_value){name, value};
    }
}

static bool find_value(const bench_value *values, int count, const char *name, double *value) {
    for (int k = 0; k < count; k++) {
        if (strcmp(values[k].name, name) == 0) {
            *value = values[k].value;
            return true;
        }
    }
    return false;
}

bool bench_get(const bench_result *result, const char *name, double *value) {
    if (strcmp(name, "ns") == 0) {
        *value = result->ns;
        return true;
    }
    return find_value(result->peers, result->peer_count, name, value) ||
           find_value(result->extras, result->extra_count, name, value);
}

// Ratios to TBB are of medians; the second figure is the same of the shortest samples. TBB stands
// at 2021.8 on two threads, see peers_tbb.cpp.
const bench_goal bench_goals[] = {
    {"jobs.hot", "ns", "tbb", 0.75},
    {"jobs.cold", "ns", "tbb", 0.1},
    {"jobs.cold", "syscalls", NULL, 0},
    {"jobs.empty100k", "ns", "tbb", 0.6},
    {"jobs.empty100k", "ns", "no_workers_ns", 1.5},
    {"jobs.for_light_64", "ns", "tbb", 0.15},
    {"jobs.for_heavy", "speedup_must", "speedup", 1},
    {"jobs.chain", "ns", "tbb", 0.4},
    {"jobs.diamonds", "ns", "tbb", 0.5},
    {"jobs.diamond_wait", "ns", "tbb", 0.2},
    {"jobs.diamond_wait", "ns", "tbb_new_graph", 0.2},
    {"jobs.dag", "ns", "tbb", 0.85},
    {"jobs.priority", "worst_us", "worst_must_us", 1},
    {"scenes.boids", "alone_ratio", NULL, 1.2},
    {"scenes.boids", "speedup_must", "speedup", 1},
    {"scenes.cubes", "alone_ratio", NULL, 1.2},
    {"scenes.cubes", "speedup_must", "speedup", 1},
    {"scenes.deathmatch", "speedup_must", "speedup", 1},
    {"scenes.stream", "speedup_must", "speedup", 1},
    {"scenes.particles", "alone_ratio", NULL, 1.2},
    {"scenes.particles", "speedup_must", "speedup", 1},
    {"commands.move_world", "ns", "bare_ns", 1.5},
    {"commands.move_world", "row_240_ns", "ns", 1.2},
    {"commands.stream", "stall_ms", NULL, 1},
};
const int bench_goal_count = sizeof bench_goals / sizeof bench_goals[0];

static bool read_goal(const bench_goal *goal, const bench_result *result, double *value) {
    double bottom = 1;
    if (!bench_get(result, goal->top, value) ||
        (goal->bottom != NULL && !bench_get(result, goal->bottom, &bottom)) || bottom == 0) {
        return false;
    }
    *value /= bottom;
    return true;
}

void bench_print_goal(const bench_goal *goal, const bench_result *result) {
    const char *bottom = goal->bottom != NULL ? goal->bottom : "1";
    double value, least;
    if (!read_goal(goal, result, &value)) {
        printf("%-20s %14s / %-14s not measured\n", goal->row, goal->top, bottom);
        return;
    }
    printf("%-20s %14s / %-14s %7.3f   must be <= %.2f %s", goal->row, goal->top, bottom, value,
           goal->most, value <= goal->most ? "" : "  MISSED");
    bool is_ratio = strcmp(bottom, "tbb") == 0;
    if (is_ratio &&
        read_goal(&(bench_goal){goal->row, "min_ns", "tbb_min_ns", 0}, result, &least)) {
        printf("  (of the shortest: %.3f)", least);
    }
    printf("\n");
}
