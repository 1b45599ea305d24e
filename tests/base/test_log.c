// SPDX-License-Identifier: MIT
//
// Lines on stderr, seen from a child process or through a terminal of our own.

#include "test.h"

#include "base/log.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TEST_CHILD(log_three_levels) {
    oxi_log(OXI_LOG_INFO, "listening on %d", 4711);
    oxi_log(OXI_LOG_WARNING, "slow");
    oxi_log(OXI_LOG_ERROR, "%s", "%n%s%99999d");
}

TEST(log, a_line_has_a_prefix_for_its_level) {
    EXPECT_EXITS(log_three_levels, "oxbow: listening on 4711\n"
                                   "oxbow: warning: slow\n"
                                   "oxbow: error: %n%s%99999d\n");
}

// Runs `function` with stderr in a file and returns what was written there.
static size_t capture_stderr(void (*function)(void), char *output, size_t size) {
    FILE *file = tmpfile();
    int before = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    function();
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    size_t length = fread(output, 1, size - 1, file);
    output[length] = 0;
    fclose(file);
    return length;
}

static void log_long_lines(void) {
    oxi_log(OXI_LOG_INFO, "%*d", OXI_LOG_SIZE - 11, 1);
    oxi_log(OXI_LOG_INFO, "%*d", OXI_LOG_SIZE - 10, 2);
    oxi_log(OXI_LOG_INFO, "%*d", 100000, 3);
}

TEST(log, a_long_line_is_cut_and_says_so) {
    static char output[4 * OXI_LOG_SIZE];
    capture_stderr(log_long_lines, output, sizeof output);

    char *second = strchr(output, '\n') + 1;
    char *third = strchr(second, '\n') + 1;
    EXPECT_EQ(strncmp(second - 2, "1\n", 2), 0);
    EXPECT(second - output <= OXI_LOG_SIZE);
    EXPECT_EQ(strncmp(third - 5, " ...\n", 5), 0);
    EXPECT_EQ(third - second, OXI_LOG_SIZE);
    EXPECT_EQ(strlen(third), OXI_LOG_SIZE);
}

enum { LOG_THREADS = 4, LOG_LINES = 200 };

static void *log_from_thread(void *context) {
    for (int k = 0; k < LOG_LINES; k++) {
        oxi_log(OXI_LOG_INFO, "%c%0*d", *(const char *)context, 60, k);
    }
    return NULL;
}

static void log_from_threads(void) {
    static const char names[LOG_THREADS] = "abcd";
    pthread_t threads[LOG_THREADS];
    for (int k = 0; k < LOG_THREADS; k++) {
        EXPECT_EQ(pthread_create(&threads[k], NULL, log_from_thread, (void *)&names[k]), 0);
    }
    for (int k = 0; k < LOG_THREADS; k++) {
        pthread_join(threads[k], NULL);
    }
}

TEST(log, lines_of_different_threads_do_not_mix) {
    enum { LINE = sizeof "oxbow: a" - 1 + 60 + 1 };
    static char output[LOG_THREADS * LOG_LINES * LINE + 1];
    int next[LOG_THREADS] = {0};

    size_t length = capture_stderr(log_from_threads, output, sizeof output);

    EXPECT_EQ(length, LOG_THREADS * LOG_LINES * LINE);
    for (size_t at = 0; at < length; at += LINE) {
        EXPECT_EQ(strncmp(output + at, "oxbow: ", 7), 0);
        int thread = output[at + 7] - 'a';
        EXPECT_EQ(atoi(output + at + 8), next[thread]);
        next[thread]++;
        EXPECT_EQ(output[at + LINE - 1], '\n');
    }
}

typedef struct colour_case {
    const char *no_color;
    const char *term;
    bool has_colour;
} colour_case;

static void set_variable(const char *name, const char *value) {
    if (value == NULL) {
        unsetenv(name);
    } else {
        setenv(name, value, 1);
    }
}

static bool has_colour_with(const colour_case *with) {
    set_variable("NO_COLOR", with->no_color);
    set_variable("TERM", with->term);
    return oxi_log_has_colour();
}

TEST(log, colour_is_for_terminals_that_want_it) {
    static const colour_case cases[] = {
        {NULL, "xterm", true}, {"", "xterm", true},  {"1", "xterm", false},
        {NULL, "dumb", false}, {"1", "dumb", false}, {NULL, NULL, true},
    };
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
        printf("this system has no pseudo-terminals: colour is not tested\n");
        return;
    }
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    int before = dup(STDERR_FILENO);
    bool found[sizeof cases / sizeof cases[0]];

    dup2(terminal, STDERR_FILENO);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        found[k] = has_colour_with(&cases[k]);
    }
    dup2(before, STDERR_FILENO);

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        EXPECT_EQ(found[k], cases[k].has_colour);
    }
    close(before);
    close(terminal);
    close(master);
}

static bool file_has_colour;

static void look_for_colour(void) {
    file_has_colour = has_colour_with(&(colour_case){NULL, "xterm", false});
}

TEST(log, a_file_gets_no_colour) {
    char output[16];
    capture_stderr(look_for_colour, output, sizeof output);
    EXPECT(!file_has_colour);
}
