// SPDX-License-Identifier: MIT
//
// Random programs carried out by ordinary calls and through commands, which are recorded on main or
// by jobs of all kinds, with any batch and any number of workers. Ids, failures and content are the
// same; how the world lies does not depend on who recorded.

#include "test.h"

#include "base/heap.h"
#include "commands/program_layout.h"
#include "jobs/jobs_test.h"

#include <stdio.h>
#include <string.h>

enum { SEEDS = 500, ROUNDS = 4, OPS = 420 };

static program_run run;
static uint64_t commands_total, failed_total;

static program_def def_of_seed(uint64_t seed) {
    oxi_random random = oxi_random_seed(seed);
    program_def def = {.seed = seed, .ops = OPS, .rounds = ROUNDS};
    def.ends_by_query = oxi_random_below(&random, 5) == 0;
    def.is_plain = oxi_random_below(&random, 3) == 0;
    def.repeats = oxi_random_below(&random, 3) == 0;
    def.swaps = oxi_random_below(&random, 3) == 0;
    if (oxi_random_below(&random, 5) == 0) {
        def.entity_limit = 64 + (uint32_t)oxi_random_below(&random, 500);
    }
    return def;
}

static void count_trace(const program_trace *trace) {
    for (int k = 0; k < trace->count; k++) {
        commands_total += trace->rounds[k].ops;
        failed_total += trace->rounds[k].failed;
    }
}

static void expect_good(const program_trace *trace, uint64_t seed, const char *what) {
    if (trace->failure[0] != 0) {
        test_fail(__FILE__, __LINE__, "seed %llu, %s: %s", (unsigned long long)seed, what,
                  trace->failure);
    }
}

// Two ways of one program: all but how the world lies, or that, too.
static void compare(const program_trace *a, const program_trace *b, bool by_layout, uint64_t seed,
                    const char *what) {
    expect_good(a, seed, what);
    expect_good(b, seed, what);
    const char *difference = a->count != b->count ? "rounds" : NULL;
    int round = 0;
    for (; difference == NULL && round < a->count; round++) {
        const program_round *x = &a->rounds[round], *y = &b->rounds[round];
        difference = x->ops != y->ops         ? "ops"
                     : x->causes != y->causes ? "causes"
                     : x->ids != y->ids       ? "ids"
                     : x->hash != y->hash     ? "hash"
                                              : NULL;
        difference =
            difference == NULL && by_layout && x->layout != y->layout ? "layout" : difference;
    }
    if (difference == NULL && a->next_ids != b->next_ids) {
        difference = "next ids";
    }
    if (difference != NULL) {
        test_fail(__FILE__, __LINE__, "seed %llu, %s: %s differ in round %d",
                  (unsigned long long)seed, what, difference, round - 1);
    }
}

static program_trace traces[SEEDS];

static uint64_t count_seeds(void) {
    uint64_t count = test_scaled(SEEDS);
    return count < SEEDS ? count : SEEDS;
}

// Directly, in order, and by jobs without workers.
static void run_first(uint64_t first, uint64_t count) {
    program_trace direct, in_order;
    for (uint64_t k = 0; k < count; k++) {
        if (!test_is_mine(k)) {
            continue;
        }
        program_def def = def_of_seed(first + k);
        program_run_all(&run, &def, PROGRAM_IN_ORDER, 0, &in_order);
        if (!def.ends_by_query) {
            program_run_all(&run, &def, PROGRAM_DIRECTLY, 0, &direct);
            compare(&direct, &in_order, false, def.seed, "directly and in order");
        }
        program_run_all(&run, &def, PROGRAM_BY_JOBS, def.seed, &traces[k]);
        compare(&in_order, &traces[k], true, def.seed, "in order and by jobs");
        count_trace(&in_order);
        count_trace(&traces[k]);
    }
}

TEST(commands_random, programs_come_to_the_same_however_they_are_recorded) {
    static const int workers[] = {0, 1, 2, 4, 16};
    uint64_t first = test_seed(81), count = count_seeds();
    if (first != 81) {
        count = 1;
    }
    commands_total = failed_total = 0;
    for (int w = 0; w < 5; w++) {
        start_workers_of_test(workers[w]);
        if (w == 0) {
            run_first(first, count);
        }
        for (uint64_t k = 0; w > 0 && k < count; k++) {
            if (!test_is_mine(k)) {
                continue;
            }
            program_trace trace;
            program_def def = def_of_seed(first + k);
            program_run_all(&run, &def, PROGRAM_BY_JOBS, def.seed * 7 + (uint64_t)w, &trace);
            compare(&traces[k], &trace, true, def.seed, "without and with workers");
            count_trace(&trace);
        }
        ox_jobs_stop();
    }
    EXPECT_EQ(kinds_live_texts, 0);
    printf("%llu seeds, 0, 1, 2, 4 and 16 workers, %llu commands, %llu of them failed\n",
           (unsigned long long)count, (unsigned long long)commands_total,
           (unsigned long long)failed_total);
}

// At level 3 the world is looked through after each change.
enum { LARGE_OPS = OX_SAFETY >= 3 ? 3000 : 120000 / SLOWNESS };

// Windows of 64 Ki commands, whose rows jobs fill.
TEST(commands_random, large_programs_come_to_the_same_however_they_are_recorded) {
    uint64_t seeds = test_scaled(3);
    for (uint64_t k = 0; k < seeds; k++) {
        program_trace direct, in_order, by_jobs;
        program_def def = {.seed = test_seed(7000 + k), .rounds = 2, .is_plain = true};
        def.is_simple = true;
        def.ops = LARGE_OPS;
        def.swaps = k % 2 == 1;
        start_workers_of_test(0);
        program_run_all(&run, &def, PROGRAM_DIRECTLY, 0, &direct);
        program_run_all(&run, &def, PROGRAM_IN_ORDER, 0, &in_order);
        compare(&direct, &in_order, false, def.seed, "directly and in order");
        start_workers_of_test(4);
        program_run_all(&run, &def, PROGRAM_BY_JOBS, def.seed, &by_jobs);
        compare(&in_order, &by_jobs, true, def.seed, "in order and by jobs");
        EXPECT(run.used_jobs > 0 || LARGE_OPS < 100000);
        ox_jobs_stop();
    }
}

// How a world lies, by the naive model.

static program_layout layout;

static void before_op(program_run *of, int place) {
    program_layout_before(&layout, of, place);
}

static void after_op(program_run *of, int place) {
    program_layout_after(&layout, of, place);
}

static void end_round(program_run *of) {
    program_layout_end(&layout, of, of->trace->count);
}

static void look_at_round(program_run *of) {
    PROGRAM_CHECK(of, program_layout_is(&layout, of->world, of->trace->count));
}

TEST(commands_random, worlds_lie_as_a_naive_model_of_the_steps_says) {
    static const program_hooks model = {true, before_op, after_op, NULL, end_round, NULL};
    static const program_hooks looks = {.in_all_rounds = true, .after_round = look_at_round};
    uint64_t first = test_seed(5000), count = first == 5000 ? test_scaled(200) : 1;
    start_workers_of_test(0);
    for (uint64_t k = 0; k < count; k++) {
        if (!test_is_mine(k)) {
            continue;
        }
        program_trace direct, in_order;
        program_def def = def_of_seed(first + k);
        def.is_plain = true;
        program_layout_create(&layout, def.swaps);
        program_run_hooked(&run, &def, PROGRAM_DIRECTLY, &model, &direct);
        program_run_hooked(&run, &def, PROGRAM_IN_ORDER, &looks, &in_order);
        program_layout_destroy(&layout);
        compare(&direct, &in_order, false, def.seed, "as the model says");
    }
    ox_jobs_stop();
}
