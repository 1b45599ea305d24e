// SPDX-License-Identifier: MIT
//
// Must turn red under TSan: two threads write one number.

#include "test.h"

#include "base/platform.h"

static int shared_number;

static void write_number(void *context) {
    (void)context;
    shared_number++;
}

TEST(red, race) {
    oxi_thread thread;
    EXPECT(oxi_thread_start(&thread, write_number, NULL, NULL));
    write_number(NULL);
    oxi_thread_join(&thread);
}
