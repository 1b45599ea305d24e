// SPDX-License-Identifier: MIT
//
// Must turn red: floats that differ in the last bit.

#include "test.h"

TEST(red, float_mismatch) {
    float third = 1.0f / 3.0f;
    EXPECT_EQ(third, 0.3333333f);
}
