// SPDX-License-Identifier: MIT
//
// Runs the tests of one executable, and keeps a tally that survives its death.
//
// With OX_TEST_RESULTS set to a folder, a file there holds the number of tests, and a line for each
// that began and for each that passed. A test without the latter counts as failed, also when the
// process died before it (tools/run_tests.py). `--part=2/4` runs the second of four shares of the
// random tests that are divided, into a file of its own.

#include "test.h"

#include "base/substitute.h"
#include "oxbow/memory.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// cmocka wants setjmp.h and stdarg.h before it.
#include <cmocka.h>

static test_case *first_test;
static pthread_t test_thread;
static atomic_int failures_elsewhere;
static uint64_t seed_in_use;
static uint64_t part_in_use = 1, part_count = 1;
static FILE *results;
const char *test_executable;

void test_link(test_case *test) {
    test_case **end = &first_test;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = test;
}

void test_fail(const char *file, int line, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s:%d: %s\n", file, line, text);
    if (seed_in_use != 0) {
        fprintf(stderr, "%s:%d: seed %llu\n", file, line, (unsigned long long)seed_in_use);
    }
    if (!pthread_equal(pthread_self(), test_thread)) {
        atomic_fetch_add(&failures_elsewhere, 1);
        return;
    }
    _fail(file, line);
}

uint64_t test_seed(uint64_t seed) {
    const char *text = getenv("OX_TEST_SEED");
    seed_in_use = text != NULL ? strtoull(text, NULL, 0) : seed;
    return seed_in_use;
}

uint64_t test_scaled(uint64_t count) {
    const char *text = getenv("OX_TEST_SCALE");
    double scaled = (double)count * (text != NULL ? strtod(text, NULL) : 1.0);
    return scaled < 1.0 ? 1 : (uint64_t)scaled;
}

bool test_is_mine(uint64_t round) {
    return round % part_count == part_in_use - 1;
}

// Each test starts from the same state: no fault planned, no handler, the real clock.
static void restore_defaults(void) {
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    oxi_clock_set_source(NULL, NULL);
    oxi_yield_set_hook(NULL, NULL);
    ox_report_set_handler((ox_report_handler){0});
    seed_in_use = 0;
    atomic_store(&failures_elsewhere, 0);
}

static void note_result(const char *what, const char *name) {
    if (results != NULL) {
        fprintf(results, "%s %s\n", what, name);
        fflush(results);
    }
}

// Failures that other threads recorded become the test's own, after it has returned.
static void run_and_judge(void **state) {
    const test_case *test = *state;
    restore_defaults();
    note_result("running", test->name);
    test->run();
    int elsewhere = atomic_load(&failures_elsewhere);
    restore_defaults();
    if (elsewhere != 0) {
        fprintf(stderr, "%s: %d failures on other threads\n", test->name, elsewhere);
        _fail(__FILE__, __LINE__);
    }
    note_result("passed", test->name);
}

static void open_results(const char *executable, int count) {
    const char *folder = getenv("OX_TEST_RESULTS");
    if (folder == NULL) {
        return;
    }
    const char *slash = strrchr(executable, '/');
    char path[1024], part[32] = "";
    if (part_count > 1) {
        snprintf(part, sizeof part, ".%llu", (unsigned long long)part_in_use);
    }
    snprintf(path, sizeof path, "%s/%s%s.txt", folder, slash != NULL ? slash + 1 : executable,
             part);
    results = fopen(path, "w");
    if (results != NULL) {
        fprintf(results, "tests %d\n", count);
        fflush(results);
    }
}

static int run_child(const char *name) {
    for (test_case *test = first_test; test != NULL; test = test->next) {
        if (test->is_child && strcmp(test->name, name) == 0) {
            test->run();
            return 0;
        }
    }
    fprintf(stderr, "no child called %s\n", name);
    return 125;
}

// @return false when the share of an argument like --part=2/4 cannot be.
static bool read_part(const char *argument) {
    unsigned long long part = 0, count = 0;
    bool is_read = sscanf(argument, "--part=%llu/%llu", &part, &count) == 2;
    part_in_use = part;
    part_count = count;
    return is_read && part >= 1 && part <= count;
}

int main(int argc, char **argv) {
    test_executable = argv[0];
    test_thread = pthread_self();
    if (argc == 3 && strcmp(argv[1], "--child") == 0) {
        return run_child(argv[2]);
    }
    if (argc > 1 && !read_part(argv[1])) {
        fprintf(stderr, "usage: %s [--part=K/N]\n", argv[0]);
        return 125;
    }

    test_use_strict_heap();
    size_t count = 0;
    for (test_case *test = first_test; test != NULL; test = test->next) {
        count += !test->is_child;
    }
    struct CMUnitTest *tests = calloc(count + 1, sizeof *tests);
    size_t index = 0;
    for (test_case *test = first_test; test != NULL && tests != NULL; test = test->next) {
        if (!test->is_child) {
            tests[index++] = (struct CMUnitTest){test->name, run_and_judge, NULL, NULL, test};
        }
    }
    open_results(argv[0], (int)count);
    printf("oxbow tests at OX_SAFETY %d, library at %d\n", OX_SAFETY, ox_get_safety_level());
    fflush(stdout);
    int failed = _cmocka_run_group_tests(argv[0], tests, count, NULL, NULL);
    free(tests);
    if (results != NULL) {
        fclose(results);
    }
    // What a test that failed has left is no news.
    bool has_leaked = failed == 0 && ox_memory_check_leaks() > 0;
    return failed == 0 && !has_leaked ? 0 : 1;
}
