// SPDX-License-Identifier: MIT
//
// The layout of chunks: for every size, and for random sets.

#include "storage/storage_test.h"

#include "base/random.h"

enum { MOST_COLUMNS = 256, WIDE = 64 };

static uint64_t round_up(uint64_t size, uint64_t align) {
    return (size + align - 1) / align * align;
}

// Bytes of a chunk with so many rows, each column at a multiple of 64.
static uint64_t wide_bytes_of(const oxi_column_need *columns, uint32_t count, uint64_t rows) {
    uint64_t bytes = round_up(rows * sizeof(ox_entity), WIDE);
    for (uint32_t k = 0; k < count; k++) {
        bytes += round_up(rows * columns[k].size, WIDE);
    }
    return bytes;
}

// The same without gaps behind the ids.
static uint64_t narrow_bytes_of(const oxi_column_need *columns, uint32_t count, uint64_t rows) {
    uint64_t align = 1, bytes = 0;
    for (uint32_t k = 0; k < count; k++) {
        align = columns[k].align > align ? columns[k].align : align;
        bytes += rows * columns[k].size;
    }
    return round_up(rows * sizeof(ox_entity), align) + bytes;
}

static bool do_columns_overlap(const oxi_column_need *columns, const uint32_t *offsets,
                               uint32_t count, uint32_t rows) {
    unsigned char owners[OXI_CHUNK_SIZE] = {0};
    memset(owners, 1, rows * sizeof(ox_entity));
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t n = 0; n < rows * columns[k].size; n++) {
            if (offsets[k] + n >= OXI_CHUNK_SIZE || owners[offsets[k] + n]++ != 0) {
                return true;
            }
        }
    }
    return false;
}

static oxi_chunk_layout verify_layout(const oxi_column_need *columns, uint32_t count) {
    uint32_t offsets[MOST_COLUMNS];
    oxi_chunk_layout layout = oxi_layout_find(columns, count, offsets);
    if (wide_bytes_of(columns, count, 1) <= OXI_CHUNK_SIZE) {
        EXPECT_EQ(layout.align, WIDE);
        EXPECT(wide_bytes_of(columns, count, layout.capacity) <= OXI_CHUNK_SIZE);
        EXPECT(wide_bytes_of(columns, count, layout.capacity + 1) > OXI_CHUNK_SIZE);
    } else {
        EXPECT_EQ(layout.align, 1);
        EXPECT(narrow_bytes_of(columns, count, layout.capacity + 1) > OXI_CHUNK_SIZE);
        EXPECT(layout.capacity == 0 ||
               narrow_bytes_of(columns, count, layout.capacity) <= OXI_CHUNK_SIZE);
    }
    for (uint32_t k = 0; layout.capacity > 0 && k < count; k++) {
        EXPECT(offsets[k] % columns[k].align == 0 && offsets[k] % layout.align == 0);
    }
    EXPECT(layout.capacity == 0 || !do_columns_overlap(columns, offsets, count, layout.capacity));
    return layout;
}

TEST(layout, no_component_leaves_the_chunk_to_entities) {
    EXPECT_EQ(oxi_layout_find(NULL, 0, NULL).capacity, OXI_CHUNK_SIZE / 8);
}

TEST(layout, one_component_of_every_size_lies_well) {
    for (uint32_t size = 1; size <= OX_MAX_COMPONENT_SIZE; size++) {
        EXPECT(verify_layout(&(oxi_column_need){size, 1}, 1).capacity > 0);
    }
}

static oxi_column_need random_column(oxi_random *random, uint64_t most) {
    uint32_t align = 1u << oxi_random_below(random, 7);
    uint32_t size = 1 + (uint32_t)oxi_random_below(random, most);
    return (oxi_column_need){(size + align - 1) / align * align, align};
}

TEST(layout, random_sets_lie_well_in_any_order) {
    oxi_random random = oxi_random_seed(test_seed(11));
    for (uint64_t round = 0; round < test_scaled(5000); round++) {
        oxi_column_need columns[MOST_COLUMNS], turned[MOST_COLUMNS];
        uint32_t count = 2 + (uint32_t)oxi_random_below(&random, MOST_COLUMNS - 1);
        uint64_t most = (uint64_t)1 << oxi_random_below(&random, 10);
        for (uint32_t k = 0; k < count; k++) {
            columns[k] = random_column(&random, most);
            turned[count - 1 - k] = columns[k];
        }

        EXPECT_EQ(verify_layout(columns, count).capacity, verify_layout(turned, count).capacity);
    }
}

TEST(layout, a_row_that_just_fits_fits) {
    oxi_column_need columns[2] = {{OXI_CHUNK_SIZE / 2 - 8, 1}, {OXI_CHUNK_SIZE / 2, 1}};
    EXPECT_EQ(verify_layout(columns, 2).capacity, 1);
    columns[0].size++;
    EXPECT_EQ(verify_layout(columns, 2).capacity, 0);
}

TEST(layout, the_last_row_that_fits_at_multiples_of_64_lies_so) {
    oxi_column_need columns[2] = {{OXI_CHUNK_SIZE / 2 - 64, 1}, {OXI_CHUNK_SIZE / 2, 1}};
    EXPECT_EQ(verify_layout(columns, 2).align, WIDE);
    columns[0].size++;
    EXPECT_EQ(verify_layout(columns, 2).align, 1);
    EXPECT_EQ(verify_layout(columns, 2).capacity, 1);
}

TEST(layout, the_largest_sizes_do_not_overflow) {
    oxi_column_need columns[MOST_COLUMNS];
    uint32_t offsets[MOST_COLUMNS];
    for (int k = 0; k < MOST_COLUMNS; k++) {
        columns[k] = (oxi_column_need){UINT32_MAX, 1};
    }
    EXPECT_EQ(oxi_layout_find(columns, MOST_COLUMNS, offsets).capacity, 0);
}
