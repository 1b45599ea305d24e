// SPDX-License-Identifier: MIT
//
// What EXPECT_EQ, EXPECT_STR, EXPECT_REPORT and EXPECT_DIES stand on.

#include "test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern const char *test_executable;

test_value test_signed(int64_t value) {
    return (test_value){.kind = TEST_SIGNED, .i = value, .f = (double)value};
}

test_value test_unsigned(uint64_t value) {
    return (test_value){.kind = TEST_UNSIGNED, .u = value, .f = (double)value};
}

test_value test_float(double value) {
    return (test_value){.kind = TEST_FLOAT, .f = value};
}

test_value test_pointer(const void *value) {
    return (test_value){.kind = TEST_POINTER, .p = value};
}

static bool values_equal(test_value a, test_value b) {
    if (a.kind == TEST_POINTER || b.kind == TEST_POINTER) {
        return a.kind == b.kind && a.p == b.p;
    }
    if (a.kind == TEST_FLOAT || b.kind == TEST_FLOAT) {
        return a.f == b.f;
    }
    if (a.kind == b.kind) {
        return a.i == b.i && a.u == b.u;
    }
    int64_t i = a.kind == TEST_SIGNED ? a.i : b.i;
    uint64_t u = a.kind == TEST_SIGNED ? b.u : a.u;
    return i >= 0 && (uint64_t)i == u;
}

static void print_value(test_value value, char *text, size_t size) {
    switch (value.kind) {
    case TEST_SIGNED:
        snprintf(text, size, "%" PRId64, value.i);
        break;
    case TEST_UNSIGNED:
        snprintf(text, size, "%" PRIu64 " (0x%" PRIx64 ")", value.u, value.u);
        break;
    case TEST_FLOAT:
        snprintf(text, size, "%.17g", value.f);
        break;
    case TEST_POINTER:
        snprintf(text, size, "%p", value.p);
        break;
    }
}

test_value test_named(test_value value, const char *text) {
    value.text = text;
    return value;
}

void test_expect_eq(test_value a, test_value b, bool equal, const char *file, int line) {
    if (values_equal(a, b) == equal) {
        return;
    }
    char a_value[64], b_value[64];
    print_value(a, a_value, sizeof a_value);
    print_value(b, b_value, sizeof b_value);
    test_fail(file, line, "%s is %s, %s is %s: they should%s be equal", a.text, a_value, b.text,
              b_value, equal ? "" : " not");
}

void test_expect_str(const char *a, const char *b, const char *a_text, const char *file, int line) {
    if (a == b || (a != NULL && b != NULL && strcmp(a, b) == 0)) {
        return;
    }
    test_fail(file, line, "%s is \"%s\", not \"%s\"", a_text, a != NULL ? a : "(NULL)",
              b != NULL ? b : "(NULL)");
}

void test_expect_has(const char *text, const char *part, const char *file, int line) {
    if (text == NULL || strstr(text, part) == NULL) {
        test_fail(file, line, "\"%s\" is not in \"%s\"", part, text != NULL ? text : "(NULL)");
    }
}

void collect_report(const ox_report *report, void *context) {
    collected_reports *reports = context;
    reports->count++;
    reports->last = report->id;
    reports->site = report->site;
    ox_report_format(report, reports->text, sizeof reports->text);
}

void collect_reports(collected_reports *reports) {
    *reports = (collected_reports){0};
    ox_report_set_handler((ox_report_handler){collect_report, reports});
}

void test_expect_report(collected_reports *reports, ox_report_id id, const char *file, int line) {
    int count = reports->count;
    ox_report_id last = reports->last;
    reports->count = 0;
    reports->last = OX_REPORT_NONE;
    if (count != 1 || last != id) {
        test_fail(file, line, "expected one report %s, got %d, the last %s\n%s", ox_report_code(id),
                  count, ox_report_code(last), count > 0 ? reports->text : "");
    }
}

// In an emulator, the system knows this executable as no program: the emulator must start it.
static void exec_emulated(const char *child) {
    const char *emulator = getenv("OX_TEST_EMULATOR");
    if (emulator != NULL) {
        execl(emulator, emulator, test_executable, "--child", child, (char *)NULL);
        _exit(126);
    }
}

// Runs a child of this executable and reads what it prints on stderr. Returns its wait status.
static int run_child_process(const char *child, char *output, size_t size) {
    int ends[2];
    if (pipe(ends) != 0) {
        return -1;
    }
    pid_t process = fork();
    if (process == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        unsetenv("OX_TEST_RESULTS");
        exec_emulated(child);
        execl("/proc/self/exe", test_executable, "--child", child, (char *)NULL);
        execl(test_executable, test_executable, "--child", child, (char *)NULL);
        _exit(126);
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t got;
    while ((got = read(ends[0], output + length, size - 1 - length)) > 0) {
        length += (size_t)got;
    }
    output[length] = 0;
    close(ends[0]);
    int status = -1;
    waitpid(process, &status, 0);
    return status;
}

void test_expect_dies(const char *child, const char *text, const char *file, int line) {
    static char output[1 << 16];
    int status = run_child_process(child, output, sizeof output);
    if (!WIFSIGNALED(status)) {
        test_fail(file, line, "%s was not ended by a signal but %d\n%s", child, status, output);
        return;
    }
    test_expect_has(output, text, file, line);
}

void test_expect_exits(const char *child, const char *text, const char *file, int line) {
    static char output[1 << 16];
    int status = run_child_process(child, output, sizeof output);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        test_fail(file, line, "%s did not exit with 0 but %d\n%s", child, status, output);
        return;
    }
    test_expect_has(output, text, file, line);
}
