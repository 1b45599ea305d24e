// SPDX-License-Identifier: MIT
//
// What the test bench uses of cmocka, for a build that crosses to another machine: packages of
// cmocka are for the machine that they are installed on.

#pragma once

#include <stddef.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
    void (*setup)(void **state);
    void (*teardown)(void **state);
    void *initial_state;
};

/// Ends the test that runs: it has failed.
_Noreturn void _fail(const char *file, int line);

/// Runs tests one after another. @return how many failed.
int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count,
                            void (*setup)(void **state), void (*teardown)(void **state));
