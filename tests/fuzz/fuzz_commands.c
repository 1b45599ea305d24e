// SPDX-License-Identifier: MIT
//
// Turns bytes into programs of commands, and carries each out by ordinary calls, recorded on main,
// and recorded by main and jobs: ids, failures and content must agree, and both recordings must lie
// the same. See tests/commands/program.h.
//
// units: tests/commands/program*.c tests/entities/kinds_[cm]o*.c

#include "commands/program_run.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static program_run run;

static void fail(const char *what, int round, const char *failure) {
    fprintf(stderr, "fuzz_commands: %s, round %d: %s\n", what, round, failure);
    abort();
}

static void compare(const program_trace *a, const program_trace *b, bool by_layout,
                    const char *what) {
    if (a->failure[0] != 0 || b->failure[0] != 0) {
        fail(what, a->count, a->failure[0] != 0 ? a->failure : b->failure);
    }
    for (int k = 0; k < a->count; k++) {
        const program_round *x = &a->rounds[k], *y = &b->rounds[k];
        if (x->causes != y->causes || x->ids != y->ids || x->hash != y->hash ||
            (by_layout && x->layout != y->layout)) {
            fail(what, k, "they differ");
        }
    }
    if (a->next_ids != b->next_ids) {
        fail(what, a->count, "the next ids differ");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool is_started;
    if (size < 2) {
        return 0;
    }
    if (!is_started) {
        ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
        is_started = true;
    }
    program_def def = {.ops = 60,
                       .rounds = 3,
                       .swaps = data[0] & 1,
                       .ends_by_query = data[0] & 2,
                       .repeats = data[0] & 8,
                       .entity_limit = data[0] & 4 ? 16u + data[1] : 0,
                       .bytes = data + 2,
                       .byte_count = size - 2};
    program_trace direct, in_order, by_jobs;
    program_run_all(&run, &def, PROGRAM_IN_ORDER, 0, &in_order);
    program_run_all(&run, &def, PROGRAM_BY_JOBS, data[1], &by_jobs);
    compare(&in_order, &by_jobs, true, "in order and by jobs");
    if (!def.ends_by_query) {
        program_run_all(&run, &def, PROGRAM_DIRECTLY, 0, &direct);
        compare(&direct, &in_order, false, "directly and in order");
    }
    return 0;
}
