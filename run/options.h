// SPDX-License-Identifier: MIT
//
// What was asked for on the command line.

#pragma once

#include "scene.h"

/// What to run, and how.
typedef struct options {
    const scene *scene;
    int entities;   ///< 0: as many as the scene says
    int workers;    ///< beside main; -1: one for each core that is left
    double seconds; ///< 0: frames count
    int frames;     ///< 0: seconds count
    uint64_t seed;
    bool window;
    bool quiet;
    bool hash;
    bool help;
} options;

/// Reads the command line. @return false when something is wrong with it: then `message` is a line
/// that says what is allowed.
bool options_read(options *to, int argument_count, char **arguments, char *message, size_t size);

/// Prints what `--help` shows.
void options_print_help(void);
