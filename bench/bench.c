// SPDX-License-Identifier: MIT
//
// Measures rows and prints them as a table, and as JSON lines on demand:
//
//     oxbow_bench [--filter TEXT] [--json FILE] [--list]
//
// A row is the minimum of many short rounds, in which Oxbow, the limit and the peer take turns.

#include "bench.h"

#include "base/platform.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ROWS = 256, SHORTEST_ROUND_NS = 2000000, ROUNDS = 60 };

static bench_row rows[MAX_ROWS];
static int row_count;

typedef struct bench_result {
    double ns, limit_ns, peer_ns; // per item
} bench_result;

void bench_add(const bench_row *row) {
    if (row_count < MAX_ROWS) {
        rows[row_count++] = *row;
    }
}

// How often to repeat `work` so that a round is long enough for the clock.
static uint64_t find_repeats(void (*work)(void)) {
    uint64_t repeats = 1;
    for (;;) {
        uint64_t begin = oxi_clock_now();
        for (uint64_t k = 0; k < repeats; k++) {
            work();
        }
        if (oxi_clock_now() - begin >= SHORTEST_ROUND_NS || repeats > 1u << 20) {
            return repeats;
        }
        repeats *= 2;
    }
}

static void measure_round(void (*work)(void), uint64_t repeats, uint64_t n, double *least) {
    uint64_t begin = oxi_clock_now();
    for (uint64_t k = 0; k < repeats; k++) {
        work();
    }
    double ns = (double)(oxi_clock_now() - begin) / (double)repeats / (double)n;
    if (*least == 0 || ns < *least) {
        *least = ns;
    }
}

static bench_result measure_row(const bench_row *row) {
    bench_result result = {0};
    if (row->setup != NULL) {
        row->setup();
    }
    uint64_t repeats = find_repeats(row->step);
    uint64_t limit_repeats = find_repeats(row->limit);
    uint64_t peer_repeats = row->peer != NULL ? find_repeats(row->peer) : 0;
    for (int round = 0; round < ROUNDS; round++) {
        measure_round(row->step, repeats, row->n, &result.ns);
        measure_round(row->limit, limit_repeats, row->n, &result.limit_ns);
        if (row->peer != NULL) {
            measure_round(row->peer, peer_repeats, row->n, &result.peer_ns);
        }
    }
    if (row->teardown != NULL) {
        row->teardown();
    }
    return result;
}

static void print_row(const bench_row *row, bench_result result) {
    printf("%-24s %10llu %9.3f %9.3f %7.2f", row->name, (unsigned long long)row->n, result.ns,
           result.limit_ns, result.ns / result.limit_ns);
    if (row->peer != NULL) {
        printf("   %s %.3f (x %.2f)", row->peer_name, result.peer_ns, result.peer_ns / result.ns);
    }
    printf("\n");
    fflush(stdout);
}

static void write_row(FILE *file, const bench_row *row, bench_result result) {
    fprintf(file, "{\"name\":\"%s\",\"n\":%llu,\"ns\":%.4f,\"limit_ns\":%.4f,\"peers_ns\":{",
            row->name, (unsigned long long)row->n, result.ns, result.limit_ns);
    if (row->peer != NULL) {
        fprintf(file, "\"%s\":%.4f", row->peer_name, result.peer_ns);
    }
    fprintf(file, "}}\n");
}

typedef struct bench_options {
    const char *filter;
    const char *json;
    bool list;
} bench_options;

static bool read_options(int argc, char **argv, bench_options *options) {
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--list") == 0) {
            options->list = true;
        } else if (strcmp(argv[k], "--filter") == 0 && k + 1 < argc) {
            options->filter = argv[++k];
        } else if (strcmp(argv[k], "--json") == 0 && k + 1 < argc) {
            options->json = argv[++k];
        } else {
            return false;
        }
    }
    return true;
}

static void run_rows(const bench_options *options, FILE *json) {
    printf("%-24s %10s %9s %9s %7s\n", "row", "n", "ns/item", "limit", "ratio");
    for (int k = 0; k < row_count; k++) {
        if (options->filter != NULL && strstr(rows[k].name, options->filter) == NULL) {
            continue;
        }
        if (options->list) {
            printf("%s\n", rows[k].name);
            continue;
        }
        bench_result result = measure_row(&rows[k]);
        print_row(&rows[k], result);
        if (json != NULL) {
            write_row(json, &rows[k], result);
        }
    }
}

int main(int argc, char **argv) {
    bench_options options = {0};
    if (!read_options(argc, argv, &options)) {
        fprintf(stderr, "usage: oxbow_bench [--filter TEXT] [--json FILE] [--list]\n");
        return 2;
    }
    FILE *json = options.json != NULL ? fopen(options.json, "w") : NULL;
    if (options.json != NULL && json == NULL) {
        fprintf(stderr, "cannot write %s\n", options.json);
        return 1;
    }
    bench_memory();
    bench_small();
    bench_vector();
    run_rows(&options, json);
    if (json != NULL) {
        fclose(json);
    }
    return 0;
}
