// SPDX-License-Identifier: MIT
//
// Random operations on components of all kinds against a naive model, in order and with swap-back.
//
// At scale 1 each of the two tests makes five million operations, and compares everything after
// every 100: a twelfth of that in release and where every change is validated. When a run fails it
// is done again with everything compared after every operation, so that the shortest run that fails
// is known.

#include "test.h"

#include "entities/kinds_run.h"

#include "base/heap.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

// Validating after every change makes large worlds slow.
#if OX_SAFETY >= 3
enum { MOST_ROWS = 300, ROUNDS = 100, OPERATIONS = 4000 };
#elif defined(__SANITIZE_THREAD__)
enum { MOST_ROWS = 300, ROUNDS = 10, OPERATIONS = 5000 };
#elif OX_SAFETY == 0
enum { MOST_ROWS = 3000, ROUNDS = 40, OPERATIONS = 10000 };
#else
enum { MOST_ROWS = 3000, ROUNDS = 500, OPERATIONS = 10000 };
#endif

enum { VERIFY_EVERY = 100 };

static kinds_run run, again;

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
    kinds_def def = {.seed = seed,
                     .operations = OPERATIONS,
                     .verify_every = VERIFY_EVERY,
                     .most_rows = MOST_ROWS,
                     .swaps = swaps};
    uint64_t failed = kinds_run_random(&run, &def);
    if (failed == 0) {
        return;
    }
    char first[sizeof run.failure];
    snprintf(first, sizeof first, "%s", run.failure);
    def.operations = failed;
    def.verify_every = 1;
    uint64_t shortest = kinds_run_random(&run, &def);
    test_fail(__FILE__, __LINE__,
              "seed %llu%s fails after %llu operations: %s\nat the latest %llu: %s",
              (unsigned long long)seed, swaps ? " (swapping)" : "", (unsigned long long)shortest,
              run.failure, (unsigned long long)failed, first);
}

static void run_seeds(uint64_t first, bool swaps) {
    uint64_t seed = test_seed(first), rounds = test_scaled(ROUNDS), made = 0;
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

TEST(kinds_random, worlds_do_what_the_model_does) {
    run_seeds(20261117, false);
}

TEST(kinds_random, worlds_that_swap_back_do_what_the_model_does) {
    run_seeds(20271117, true);
}

TEST(kinds_random, a_seed_gives_the_same_world_whenever_holes_are_closed) {
    uint64_t seed = test_seed(5), rounds = test_scaled(8);
    for (uint64_t round = 0; round < rounds; round++) {
        if (!test_is_mine(round)) {
            continue;
        }
        kinds_def def = {.seed = seed + round,
                         .operations = OPERATIONS / 4,
                         .verify_every = OPERATIONS,
                         .most_rows = MOST_ROWS,
                         .swaps = round % 2 != 0};
        EXPECT_EQ(kinds_run_random(&run, &def), 0);
        def.closes = true;

        EXPECT_EQ(kinds_run_random(&again, &def), 0);

        EXPECT_EQ(run.digest, again.digest);
    }
}

TEST(kinds_random, a_run_leaves_nothing_behind) {
    kinds_def def = {.seed = 3, .operations = 2000, .verify_every = 2000, .most_rows = 200};
    EXPECT_EQ(kinds_run_random(&run, &def), 0); // makes what stays for the process
    uint64_t blocks = oxi_heap_get_blocks();

    EXPECT_EQ(kinds_run_random(&run, &def), 0);

    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
    EXPECT_EQ(kinds_live_texts, 0);
}
