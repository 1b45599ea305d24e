// SPDX-License-Identifier: MIT
//
// Must turn red: a failure on another thread, with the test itself content.

#include "test.h"

#include "base/platform.h"

static void fail_here(void *context) {
    (void)context;
    EXPECT_EQ(1, 2);
}

TEST(red, failure_on_a_worker) {
    oxi_thread thread;
    EXPECT(oxi_thread_start(&thread, fail_here, NULL, NULL));
    oxi_thread_join(&thread);
}
