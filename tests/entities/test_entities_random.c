// SPDX-License-Identifier: MIT
//
// Random operations on worlds and their queries against the naive model, in order and with
// swap-back.
//
// At scale 1 each of the two tests makes 10 million operations on two worlds at once, and compares
// everything after every 1,000: a tenth of that in release, half a million where every change is
// validated, so 20, 2 and 1 million in all. When a run fails it is done again with everything
// compared after every operation, so that the shortest run that fails is known.

#include "test.h"

#include "entities/random_run.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

// Validating after every change makes long lists slow.
#if OX_SAFETY >= 3
enum { MOST_ROWS = 200, ROUNDS = 125, OPERATIONS = 4000 };
#elif defined(__SANITIZE_THREAD__)
enum { MOST_ROWS = 600, ROUNDS = 10, OPERATIONS = 10000 };
#elif OX_SAFETY == 0
enum { MOST_ROWS = 4000, ROUNDS = 50, OPERATIONS = 20000 };
#else
enum { MOST_ROWS = 4000, ROUNDS = 500, OPERATIONS = 20000 };
#endif

static random_run run, again;

// A broken invariant aborts: then the run says where it was.
static void tell_run(int number) {
    char text[128];
    int length = snprintf(text, sizeof text, "seed %llu, operation %llu\n",
                          (unsigned long long)run.def.seed, (unsigned long long)run.operation);
    if (write(2, text, (size_t)length) != length) {
        _exit(2);
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void run_seed(uint64_t seed, bool swaps) {
    run_def def = {seed, OPERATIONS, 1000, MOST_ROWS, swaps};
    uint64_t failed = run_random(&run, &def);
    if (failed == 0) {
        return;
    }
    char first[sizeof run.failure];
    snprintf(first, sizeof first, "%s", run.failure);
    def.operations = failed;
    def.verify_every = 1;
    uint64_t shortest = run_random(&run, &def);
    test_fail(__FILE__, __LINE__,
              "seed %llu%s fails after %llu operations: %s\nat the latest %llu: %s",
              (unsigned long long)seed, swaps ? " (swapping)" : "", (unsigned long long)shortest,
              run.failure, (unsigned long long)failed, first);
}

static void run_seeds(uint64_t first, bool swaps) {
    uint64_t seed = test_seed(first), rounds = test_scaled(ROUNDS);
    uint64_t made = 0;
    void (*before)(int) = signal(SIGABRT, tell_run);
    for (uint64_t round = 0; round < rounds; round++) {
        if (test_is_mine(round)) {
            run_seed(seed + round, swaps);
            made += OPERATIONS;
        }
    }
    signal(SIGABRT, before);
    printf("%llu operations, of seeds %llu to %llu\n", (unsigned long long)made,
           (unsigned long long)seed, (unsigned long long)(seed + rounds - 1));
}

TEST(entities_random, worlds_do_what_the_model_does) {
    run_seeds(20261116, false);
}

TEST(entities_random, worlds_that_swap_back_do_what_the_model_does) {
    run_seeds(20271116, true);
}

TEST(entities_random, two_runs_of_a_seed_are_the_same) {
    uint64_t seed = test_seed(5), rounds = test_scaled(4);
    for (uint64_t round = 0; round < rounds; round++) {
        if (!test_is_mine(round)) {
            continue;
        }
        run_def def = {seed + round, OPERATIONS / 4, OPERATIONS, MOST_ROWS, round % 2 != 0};
        EXPECT_EQ(run_random(&run, &def), 0);

        EXPECT_EQ(run_random(&again, &def), 0);

        EXPECT_EQ(run.digest, again.digest);
    }
}
