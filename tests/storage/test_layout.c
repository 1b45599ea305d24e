// SPDX-License-Identifier: MIT
//
// The layout of chunks: for every size, and for random sets.

#include "storage/storage_test.h"

#include "base/random.h"

enum { MOST_COLUMNS = 40 };

static uint64_t round_to_64(uint64_t size) {
    return (size + 63) / 64 * 64;
}

// Bytes of a chunk with so many rows.
static uint64_t bytes_of(const uint32_t *sizes, uint32_t count, uint64_t rows) {
    uint64_t bytes = round_to_64(rows * sizeof(ox_entity));
    for (uint32_t k = 0; k < count; k++) {
        bytes += round_to_64(rows * sizes[k]);
    }
    return bytes;
}

static void verify_layout(const uint32_t *sizes, uint32_t count) {
    uint32_t offsets[MOST_COLUMNS];
    uint32_t rows = oxi_layout_capacity(sizes, count, offsets);
    EXPECT(bytes_of(sizes, count, rows + 1) > OXI_CHUNK_SIZE);
    if (rows == 0) {
        return;
    }
    uint64_t end = rows * sizeof(ox_entity);
    for (uint32_t k = 0; k < count; k++) {
        EXPECT(offsets[k] >= end && offsets[k] % 64 == 0);
        end = offsets[k] + (uint64_t)rows * sizes[k];
    }
    EXPECT(end <= OXI_CHUNK_SIZE);
}

TEST(layout, no_component_leaves_the_chunk_to_entities) {
    EXPECT_EQ(oxi_layout_capacity(NULL, 0, NULL), OXI_CHUNK_SIZE / 8);
}

TEST(layout, one_component_of_every_size_lies_well) {
    for (uint32_t size = 1; size <= OX_MAX_COMPONENT_SIZE; size++) {
        verify_layout(&size, 1);
        EXPECT(oxi_layout_capacity(&size, 1, NULL) > 0);
    }
}

TEST(layout, random_sets_lie_well) {
    oxi_random random = oxi_random_seed(test_seed(11));
    for (uint64_t round = 0; round < test_scaled(100000); round++) {
        uint32_t sizes[MOST_COLUMNS], count = 2 + (uint32_t)oxi_random_below(&random, 39);
        uint64_t most = (uint64_t)1 << oxi_random_below(&random, 15);
        for (uint32_t k = 0; k < count; k++) {
            sizes[k] = 1 + (uint32_t)oxi_random_below(&random, most < 16000 ? most : 16000);
        }
        verify_layout(sizes, count);
    }
}

TEST(layout, a_row_that_just_fits_fits) {
    uint32_t sizes[2] = {OXI_CHUNK_SIZE / 2 - 64, OXI_CHUNK_SIZE / 2};
    EXPECT_EQ(oxi_layout_capacity(sizes, 2, NULL), 1);
    sizes[0]++;
    EXPECT_EQ(oxi_layout_capacity(sizes, 2, NULL), 0);
}

TEST(layout, the_largest_sizes_do_not_overflow) {
    uint32_t sizes[256];
    for (int k = 0; k < 256; k++) {
        sizes[k] = UINT32_MAX;
    }
    EXPECT_EQ(oxi_layout_capacity(sizes, 256, NULL), 0);
}
