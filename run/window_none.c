// SPDX-License-Identifier: MIT
//
// No window: this was built where SDL2 was not found.

#include "window.h"

#include <stdio.h>

const char *const window_keys = "  none: SDL2 (libsdl2-dev) was not there when this was built\n";

int window_run(const options *asked) {
    (void)asked;
    fprintf(stderr, "oxbow: --window needs SDL2 (libsdl2-dev), which was not there when this was "
                    "built; without it, `make run` writes pictures\n");
    return 2;
}
