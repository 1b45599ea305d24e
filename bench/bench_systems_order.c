// SPDX-License-Identifier: MIT
//
// The row of the order of systems: 10,000 of them, half with jobs, each with two accesses and one
// that it comes after, are ordered from scratch. The bare side sorts the same names and goes
// through the same constraints in plain arrays, and of those whose constraints are met takes the
// first by name.

#include "bench.h"

#include "oxbow/systems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORDERED = 10000, ORDER_TYPES = 32, NAME_SIZE = 16 };

static ox_world *order_world;
static char order_names[ORDERED][NAME_SIZE];
static int comes_after[ORDERED]; // by system: another, or -1
static uint32_t order_ids[ORDER_TYPES];
static uint32_t order_random;

static uint32_t next_random(uint32_t below) {
    order_random = order_random * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)order_random * below >> 32);
}

static void update_nothing(ox_system *system) {
    (void)system;
}

static ox_job schedule_nothing(ox_system *system, ox_job after) {
    (void)system;
    return after;
}

static bool declare_two(ox_system *system) {
    const ox_term terms[] = {{OX_TERM_WRITE, NULL, order_ids[next_random(ORDER_TYPES)]},
                             {OX_TERM_READ, NULL, order_ids[next_random(ORDER_TYPES)]},
                             {OX_TERM_END, NULL, 0}};
    return ox_system_declare_at(system, terms, NULL);
}

static void setup_order(void) {
    order_random = 12345;
    order_world = ox_world_create(&(ox_world_def){.no_systems = true, .host_ends_frames = true});
    for (int k = 0; k < ORDER_TYPES; k++) {
        char name[24];
        snprintf(name, sizeof name, "OrderType%d", k);
        ox_component_def def = {.name = name, .size = 4, .align = 4};
        order_ids[k] = ox_component_register(&def);
    }
    for (int k = 0; k < ORDERED; k++) {
        snprintf(order_names[k], NAME_SIZE, "S%d", k * 6173 % ORDERED);
        comes_after[k] = k > 0 ? (int)next_random((uint32_t)k) : -1;
        ox_system_def def = {.name = order_names[k], .create = declare_two};
        if (k % 2 == 0) {
            def.update_jobs = schedule_nothing;
        } else {
            def.update = update_nothing;
        }
        def.after[0] = k > 0 ? order_names[comes_after[k]] : NULL;
        ox_system_add(order_world, &def);
    }
}

static void teardown_order(void) {
    ox_world_destroy(order_world);
    ox_frame_end();
}

static void order_anew(void) {
    ox_world_order_by_name(order_world, false); // the same rule, and the order is to be made
    int count = ox_world_get_systems(order_world, NULL, 0);
    bench_keep(&count);
}

// The bare side.

static int by_name[ORDERED], ranks[ORDERED], first_edge[ORDERED + 2], edges[ORDERED];
static int waits_for[ORDERED], heap[ORDERED], ordered[ORDERED];

static int compare_names(const void *left, const void *right) {
    return strcmp(order_names[*(const int *)left], order_names[*(const int *)right]);
}

static void list_bare_edges(void) {
    memset(first_edge, 0, sizeof first_edge);
    for (int k = 1; k < ORDERED; k++) {
        first_edge[comes_after[k] + 2]++;
    }
    for (int k = 1; k < ORDERED + 2; k++) {
        first_edge[k] += first_edge[k - 1];
    }
    for (int k = 1; k < ORDERED; k++) {
        edges[first_edge[comes_after[k] + 1]++] = k;
    }
}

static void push_rank(int *count, int rank) {
    int at = (*count)++;
    while (at > 0 && rank < heap[(at - 1) / 2]) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = rank;
}

static int pop_rank(int *count) {
    int first = heap[0], last = heap[--*count], at = 0;
    for (int child = 1; child < *count; child = at * 2 + 1) {
        child += child + 1 < *count && heap[child + 1] < heap[child];
        if (last < heap[child]) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return first;
}

static void order_bare(void) {
    for (int k = 0; k < ORDERED; k++) {
        by_name[k] = k;
        waits_for[k] = comes_after[k] >= 0;
    }
    qsort(by_name, ORDERED, sizeof *by_name, compare_names);
    for (int k = 0; k < ORDERED; k++) {
        ranks[by_name[k]] = k;
    }
    list_bare_edges();
    int ready = 0, count = 0;
    push_rank(&ready, ranks[0]);
    while (ready > 0) {
        int system = by_name[pop_rank(&ready)];
        ordered[count++] = system;
        for (int k = first_edge[system]; k < first_edge[system + 1]; k++) {
            if (--waits_for[edges[k]] == 0) {
                push_rank(&ready, ranks[edges[k]]);
            }
        }
    }
    bench_keep(ordered);
}

void bench_systems_order(void) {
    bench_add(&(bench_row){.name = "systems.order_10k",
                           .n = ORDERED,
                           .setup = setup_order,
                           .step = order_anew,
                           .limit = order_bare,
                           .teardown = teardown_order});
}
