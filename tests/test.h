// SPDX-License-Identifier: MIT
//
// The test bench: a thin page over cmocka.
//
//     TEST(entity, handle_goes_stale_when_its_index_is_reused) { ... EXPECT_EQ(a, b); }
//
// One executable per file; it needs no main and no list of its tests. A failing EXPECT ends the
// test when it stands on the test's own thread; on another thread it is recorded, and the test
// fails at its end. Memory that tests have left when all of them have passed fails the executable.

#pragma once

#include "oxbow/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct test_case {
    const char *name;
    void (*run)(void);
    bool is_child;
    struct test_case *next;
} test_case;

void test_link(test_case *test);

#define TEST_CASE_(function, text, child)                                                          \
    static void function(void);                                                                    \
    __attribute__((constructor)) static void function##_link(void) {                               \
        static test_case test = {text, function, child, NULL};                                     \
        test_link(&test);                                                                          \
    }                                                                                              \
    static void function(void)

/// A test that runs at every safety level.
#define TEST(unit, behaviour) TEST_CASE_(unit##_##behaviour, #unit ": " #behaviour, false)

/// A test of what only a library with checks does: absent at level 0.
#if OX_SAFETY >= 1
#define TEST_CHECKED(unit, behaviour) TEST(unit, behaviour)
#else
#define TEST_CHECKED(unit, behaviour)                                                              \
    static void unit##_##behaviour(void);                                                          \
    OXI_UNUSED static void (*const unit##_##behaviour##_unused)(void) = unit##_##behaviour;        \
    static void unit##_##behaviour(void)
#endif

/// A function that a test runs in a new process of this executable, see EXPECT_DIES.
#define TEST_CHILD(name) TEST_CASE_(child_##name, #name, true)

/// Runs a TEST_CHILD in a process of its own, which must not exit by itself, and must print `text`.
#define EXPECT_DIES(child, text) test_expect_dies(#child, text, __FILE__, __LINE__)
/// The same for one that must exit with 0 and print `text` on stderr.
#define EXPECT_EXITS(child, text) test_expect_exits(#child, text, __FILE__, __LINE__)

/// Sets memory hooks that abort when a block comes back otherwise than it was asked for, see
/// tests/support/strict_heap.c. test_main calls it; a TEST_CHILD has no hooks.
void test_use_strict_heap(void);
void *test_strict_alloc(size_t size, size_t align, void *context);
void test_strict_free(void *block, size_t size, size_t align, void *context);

void test_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void test_expect_dies(const char *child, const char *text, const char *file, int line);
void test_expect_exits(const char *child, const char *text, const char *file, int line);
void test_expect_str(const char *a, const char *b, const char *a_text, const char *file, int line);
void test_expect_has(const char *text, const char *part, const char *file, int line);

#define EXPECT(condition)                                                                          \
    ((condition) ? (void)0 : test_fail(__FILE__, __LINE__, "%s is false", #condition))
#define EXPECT_STR(a, b)       test_expect_str(a, b, #a, __FILE__, __LINE__)
#define EXPECT_HAS(text, part) test_expect_has(text, part, __FILE__, __LINE__)

// EXPECT_EQ compares integers by value whatever their types, floats exactly, and pointers.

typedef struct test_value {
    enum { TEST_SIGNED, TEST_UNSIGNED, TEST_FLOAT, TEST_POINTER } kind;
    int64_t i;
    uint64_t u;
    double f;
    const void *p;
    const char *text; // the expression
} test_value;

test_value test_signed(int64_t value);
test_value test_unsigned(uint64_t value);
test_value test_float(double value);
test_value test_pointer(const void *value);
test_value test_named(test_value value, const char *text);
void test_expect_eq(test_value a, test_value b, bool equal, const char *file, int line);

// long: one line for each kind of number
#define TEST_VALUE(x, text)                                                                        \
    test_named(_Generic((x), bool                                                                  \
                        : test_unsigned, char                                                      \
                        : test_signed, signed char                                                 \
                        : test_signed, unsigned char                                               \
                        : test_unsigned, short                                                     \
                        : test_signed, unsigned short                                              \
                        : test_unsigned, int                                                       \
                        : test_signed, unsigned                                                    \
                        : test_unsigned, long                                                      \
                        : test_signed, unsigned long                                               \
                        : test_unsigned, long long                                                 \
                        : test_signed, unsigned long long                                          \
                        : test_unsigned, float                                                     \
                        : test_float, double                                                       \
                        : test_float, default                                                      \
                        : test_pointer)(x),                                                        \
               text)
#define EXPECT_EQ(a, b)                                                                            \
    test_expect_eq(TEST_VALUE(a, #a), TEST_VALUE(b, #b), true, __FILE__, __LINE__)
#define EXPECT_NE(a, b)                                                                            \
    test_expect_eq(TEST_VALUE(a, #a), TEST_VALUE(b, #b), false, __FILE__, __LINE__)

/// Reports that a test received, and the text of the last one.
typedef struct collected_reports {
    int count;
    ox_report_id last;
    ox_site site;
    char text[4096];
} collected_reports;

/// A report handler for tests: `context` is a collected_reports.
void collect_report(const ox_report *report, void *context);

/// Collects the reports of the process from here to the end of the test.
void collect_reports(collected_reports *reports);

/// Exactly one report came, of this id, since the last look. Looking starts the count anew.
#define EXPECT_REPORT(reports, id) test_expect_report(reports, id, __FILE__, __LINE__)
void test_expect_report(collected_reports *reports, ox_report_id id, const char *file, int line);

/// How much of a random test to run: `count` at scale 1, and at least 1. OX_TEST_SCALE sets it.
uint64_t test_scaled(uint64_t count);

/// The seed of a random test: OX_TEST_SEED, or the one given. It is printed when the test fails.
uint64_t test_seed(uint64_t seed);

/// True for the rounds of a random test that this process runs: all of them, or every fourth when
/// the executable was started with `--part=1/4` to `--part=4/4`.
bool test_is_mine(uint64_t round);

/// Runs `scenario` over and over, with its first fallible call failed, then the second, until none
/// is left; and again with all calls after the n-th failed too. The scenario must leave nothing
/// alive. Prints how many places of our sources were failed, and notes them for
/// tools/check_faults.py.
void test_fault_sweep(const char *name, void (*scenario)(void));
