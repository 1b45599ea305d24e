// SPDX-License-Identifier: MIT
//
// Measures rows and prints them as a table, and as JSON lines on demand:
//
//     oxbow_bench [--filter TEXT] [--json FILE] [--list]
//
// A plain row is the minimum of many short rounds, in which Oxbow, the limit and the peer take
// turns. Other rows measure by themselves.

#include "bench.h"

#include "base/platform.h"

#include <stdio.h>
#include <string.h>

enum { MAX_ROWS = 320, SHORTEST_ROUND_NS = 2000000, ROUNDS = 60 };

// One kind or the other: a plain row has no `measure`.
typedef struct any_row {
    bench_row plain;
    bench_measured measured;
    bench_result result;
    bool is_done;
} any_row;

static any_row rows[MAX_ROWS];
static int row_count;

void bench_add(const bench_row *row) {
    if (row_count < MAX_ROWS) {
        rows[row_count++] = (any_row){.plain = *row, .measured = {row->name, row->n, NULL, NULL}};
    }
}

void bench_add_measured(const bench_measured *row) {
    if (row_count < MAX_ROWS) {
        rows[row_count++] = (any_row){.measured = *row};
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

static void measure_plain(const bench_row *row, bench_result *result) {
    double peer_ns = 0;
    if (row->setup != NULL) {
        row->setup();
    }
    uint64_t repeats = find_repeats(row->step);
    uint64_t limit_repeats = find_repeats(row->limit);
    uint64_t peer_repeats = row->peer != NULL ? find_repeats(row->peer) : 0;
    for (int round = 0; round < ROUNDS; round++) {
        measure_round(row->step, repeats, row->n, &result->ns);
        measure_round(row->limit, limit_repeats, row->n, &result->limit_ns);
        if (row->peer != NULL) {
            measure_round(row->peer, peer_repeats, row->n, &peer_ns);
        }
    }
    if (row->peer != NULL) {
        bench_put_peer(result, row->peer_name, peer_ns);
    }
    if (row->teardown != NULL) {
        row->teardown();
    }
}

static void measure_row(any_row *row) {
    if (row->measured.measure != NULL) {
        row->measured.measure(row->measured.context, &row->result);
    } else {
        measure_plain(&row->plain, &row->result);
    }
    row->is_done = true;
}

static void print_row(const any_row *row) {
    const bench_result *result = &row->result;
    printf("%-30s %10llu %9.3f", row->measured.name, (unsigned long long)row->measured.n,
           result->ns);
    if (result->limit_ns > 0) {
        printf(" %9.3f %7.2f", result->limit_ns, result->ns / result->limit_ns);
    } else {
        printf(" %9s %7s", "-", "-");
    }
    for (int k = 0; k < result->peer_count; k++) {
        double ns = result->peers[k].value;
        printf("   %s %.3f (x %.2f)", result->peers[k].name, ns, ns / result->ns);
    }
    for (int k = 0; k < result->extra_count; k++) {
        printf("   %s %.4g", result->extras[k].name, result->extras[k].value);
    }
    printf("%s%s\n", result->probe != NULL ? "   " : "",
           result->probe != NULL ? result->probe : "");
    fflush(stdout);
}

static void write_row(FILE *file, const any_row *row) {
    const bench_result *result = &row->result;
    fprintf(file, "{\"name\":\"%s\",\"n\":%llu,\"ns\":%.4f,\"limit_ns\":%.4f,\"peers_ns\":{",
            row->measured.name, (unsigned long long)row->measured.n, result->ns, result->limit_ns);
    for (int k = 0; k < result->peer_count; k++) {
        fprintf(file, "%s\"%s\":%.4f", k > 0 ? "," : "", result->peers[k].name,
                result->peers[k].value);
    }
    fprintf(file, "}");
    for (int k = 0; k < result->extra_count; k++) {
        fprintf(file, ",\"%s\":%.6g", result->extras[k].name, result->extras[k].value);
    }
    if (result->probe != NULL) {
        fprintf(file, ",\"probe\":\"%s\"", result->probe);
    }
    fprintf(file, "}\n");
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
    printf("%-30s %10s %9s %9s %7s\n", "row", "n", "ns/item", "limit", "ratio");
    for (int k = 0; k < row_count; k++) {
        if (options->filter != NULL && strstr(rows[k].measured.name, options->filter) == NULL) {
            continue;
        }
        if (options->list) {
            printf("%s\n", rows[k].measured.name);
            continue;
        }
        measure_row(&rows[k]);
        print_row(&rows[k]);
        if (json != NULL) {
            write_row(json, &rows[k]);
        }
    }
}

static const bench_result *find_result(const char *name) {
    for (int k = 0; k < row_count; k++) {
        if (rows[k].is_done && strcmp(rows[k].measured.name, name) == 0) {
            return &rows[k].result;
        }
    }
    return NULL;
}

static void print_goals(void) {
    bool is_first = true;
    for (int k = 0; k < bench_goal_count; k++) {
        const bench_result *result = find_result(bench_goals[k].row);
        if (result != NULL) {
            printf("%s", is_first ? "\ngoals\n" : "");
            bench_print_goal(&bench_goals[k], result);
            is_first = false;
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
    bench_random();
    bench_containers();
    bench_safety();
    bench_sort();
    bench_storage();
    bench_commands();
    bench_moves();
    bench_systems();
    bench_systems_order();
    bench_scenes();
    bench_modelling();
    bench_map();
    bench_multimap();
    bench_jobs();
    bench_jobs_latency();
    run_rows(&options, json);
    print_goals();
    if (json != NULL) {
        fclose(json);
    }
    return 0;
}
