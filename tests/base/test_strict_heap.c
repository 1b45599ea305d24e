// SPDX-License-Identifier: MIT
//
// The memory hooks that tests run with: what they refuse. A child has none until it asks for them.

#include "test.h"

#include "base/heap.h"

#include <string.h>

static char *make_block(size_t size) {
    test_use_strict_heap();
    return oxi_heap_alloc(size, 16);
}

TEST_CHILD(free_with_another_size) {
    oxi_heap_free(make_block(40), 41, 16);
}

TEST_CHILD(free_with_another_alignment) {
    oxi_heap_free(make_block(40), 40, 8);
}

TEST_CHILD(write_behind_the_end) {
    char *volatile block = make_block(40);
    block[40] = 0;
    oxi_heap_free(block, 40, 16);
}

TEST_CHILD(free_of_no_block) {
    char *block = make_block(400);
    memset(block, 0, 400);
    oxi_heap_free(block + 128, 16, 16);
}

TEST(strict_heap, wants_blocks_back_as_they_were_asked_for) {
    EXPECT_DIES(free_with_another_size, "freed as another block: allocated with size 40 and "
                                        "alignment 16, freed with 41 and 16");
    EXPECT_DIES(free_with_another_alignment, "freed as another block");
    EXPECT_DIES(free_of_no_block, "no block");
}

// AddressSanitizer dies of it, too, and has other words for it.
#if !defined(__SANITIZE_ADDRESS__)
TEST(strict_heap, sees_what_is_written_behind_a_block) {
    EXPECT_DIES(write_behind_the_end, "written behind its end");
}
#endif

TEST(strict_heap, gives_blocks_full_of_garbage) {
    unsigned char *block = oxi_heap_alloc(100, 64);

    EXPECT_EQ((uintptr_t)block % 64, 0);
    for (int k = 0; k < 100; k++) {
        EXPECT_EQ(block[k], 0xcd);
    }
    oxi_heap_free(block, 100, 64);
}
