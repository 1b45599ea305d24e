// SPDX-License-Identifier: MIT
//
// Must turn red: a write to nowhere. cmocka makes a failure of the signal; under ASan the process
// ends.

#include "test.h"

TEST(red, null_write) {
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
}
