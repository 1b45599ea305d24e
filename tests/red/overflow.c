// SPDX-License-Identifier: MIT
//
// Must turn red under UBSan: a signed overflow whose result nobody looks at.

#include "test.h"

#include <limits.h>

TEST(red, overflow) {
    volatile int most = INT_MAX;
    volatile int sum = most + 1;
    (void)sum;
}
