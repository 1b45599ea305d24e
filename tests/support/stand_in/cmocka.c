// SPDX-License-Identifier: MIT
//
// The stand-in for cmocka. A test that fails jumps back to the loop over tests, so the next one
// runs. A signal ends the process; the tally of test_main.c shows which test that was.

#include "cmocka.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf after_failure;
static bool is_running;

_Noreturn void _fail(const char *file, int line) {
    fprintf(stderr, "%s:%d: error: failure!\n", file, line);
    if (!is_running) {
        abort();
    }
    longjmp(after_failure, 1);
}

// A function of its own: no local variable is changed between setjmp and longjmp.
static bool run_one(const struct CMUnitTest *test) {
    void *state = test->initial_state;
    is_running = true;
    bool has_passed = setjmp(after_failure) == 0;
    if (has_passed) {
        test->run(&state);
    }
    is_running = false;
    return has_passed;
}

int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count,
                            void (*setup)(void **state), void (*teardown)(void **state)) {
    (void)setup;
    (void)teardown;
    int failed = 0;
    for (size_t k = 0; k < count; k++) {
        printf("[ RUN      ] %s\n", tests[k].name);
        fflush(stdout);
        bool has_passed = run_one(&tests[k]);
        printf("[  %s ] %s\n", has_passed ? "     OK" : "FAILED ", tests[k].name);
        failed += !has_passed;
    }
    printf("%s: %zu tests, %d failed\n", name, count, failed);
    return failed;
}
