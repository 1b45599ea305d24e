// SPDX-License-Identifier: MIT
//
// What the tests of memory share.

#pragma once

#include "test.h"

#include "base/platform.h"
#include "oxbow/memory.h"

#include <string.h>

/// A block of Temp memory that holds `byte` everywhere.
OXI_UNUSED static unsigned char *alloc_filled_temp(size_t size, unsigned char byte) {
    unsigned char *block = ox_memory_alloc(OX_TEMP, size, 8);
    EXPECT(block != NULL);
    memset(block, byte, size);
    return block;
}

/// True when every byte of a block is `byte`.
OXI_UNUSED static bool holds_only(const unsigned char *block, unsigned char byte, size_t size) {
    for (size_t k = 0; k < size; k++) {
        if (block[k] != byte) {
            return false;
        }
    }
    return true;
}

/// Calls a function on another thread, and waits for it.
OXI_UNUSED static void run_on_thread(oxi_thread_fn *function, void *context) {
    oxi_thread thread;
    EXPECT(oxi_thread_start(&thread, function, context, "other"));
    oxi_thread_join(&thread);
}
