// SPDX-License-Identifier: MIT
//
// Must turn red with three failed cases: the process dies in the first and takes the others along.

#include "test.h"

#include <stdlib.h>

TEST(red, death) {
    abort();
}

TEST(red, never_runs) {
}

TEST(red, never_runs_either) {
}
