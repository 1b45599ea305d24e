// SPDX-License-Identifier: MIT
//
// Must turn red under ASan: memory that nobody frees.

#include "test.h"

#include <stdlib.h>

TEST(red, leak) {
    void *volatile lost = malloc(100);
    EXPECT(lost != NULL);
    lost = NULL;
}
