// SPDX-License-Identifier: MIT
//
// The chunks of the process: taking, giving back, and the end of the space.

#include "storage/storage_test.h"

#include <stdlib.h>

enum { SLAB_BYTES = OXI_CHUNK_SIZE * OXI_SLAB_CHUNKS };

static void give_slab(oxi_chunk first) {
    oxi_chunk chunks[OXI_SLAB_CHUNKS];
    for (oxi_chunk k = 0; k < OXI_SLAB_CHUNKS; k++) {
        chunks[k] = first + (k * 7) % OXI_SLAB_CHUNKS;
    }
    oxi_chunks_return(chunks, OXI_SLAB_CHUNKS);
}

TEST(chunk_space, slabs_are_aligned_and_apart) {
    oxi_chunk first = oxi_slab_take(), second = oxi_slab_take();
    EXPECT(first != 0 && second != 0 && first != second);
    EXPECT_EQ(first % OXI_SLAB_CHUNKS, 0);
    EXPECT_EQ((uintptr_t)oxi_chunk_address(first) % OXI_CHUNK_SIZE, 0);

    memset(oxi_chunk_address(first), 1, SLAB_BYTES);
    memset(oxi_chunk_address(second), 2, SLAB_BYTES);

    EXPECT_EQ(oxi_chunk_address(first)[0], 1);
    EXPECT_EQ(oxi_chunk_address(first + OXI_SLAB_CHUNKS - 1)[OXI_CHUNK_SIZE - 1], 1);
    give_slab(second);
    give_slab(first);
    EXPECT_EQ(oxi_slab_take(), first);
    give_slab(first);
}

TEST(chunk_space, usage_counts_what_stores_have) {
    size_t used = oxi_chunk_space_get_usage().used;
    oxi_chunk slab = oxi_slab_take();
    EXPECT_EQ(oxi_chunk_space_get_usage().used, used + SLAB_BYTES);
    EXPECT(!oxi_chunk_space_set_limit(1 << 30));

    give_slab(slab);

    EXPECT_EQ(oxi_chunk_space_get_usage().used, used);
}

TEST(chunk_space, a_slab_is_free_when_its_last_chunk_is_back) {
    size_t used = oxi_chunk_space_get_usage().used;
    oxi_chunk first = oxi_slab_take(), second = oxi_slab_take();
    for (oxi_chunk k = 0; k + 1 < OXI_SLAB_CHUNKS; k++) {
        oxi_chunk pair[] = {first + k, second + OXI_SLAB_CHUNKS - 1 - k};
        oxi_chunks_return(pair, 2);
    }
    EXPECT_EQ(oxi_chunk_space_get_usage().used, used + 2 * SLAB_BYTES);

    oxi_chunk last = second;
    oxi_chunks_return(&last, 1);

    EXPECT_EQ(oxi_chunk_space_get_usage().used, used + SLAB_BYTES);
    EXPECT_EQ(oxi_slab_take(), second);
    give_slab(second);
    last = first + OXI_SLAB_CHUNKS - 1;
    oxi_chunks_return(&last, 1);
    EXPECT_EQ(oxi_chunk_space_get_usage().used, used);
}

TEST(chunk_space, a_store_keeps_a_slab_full_of_free_chunks_and_can_give_the_others_back) {
    oxi_store store;
    EXPECT(oxi_store_create(&store, &(oxi_store_def){0}));
    oxi_archetype *empty = oxi_archetype_at(&store, 0);
    EXPECT_EQ(oxi_rows_reserve(&store, empty, &empty->lane, 40 * 2048), OXI_DONE);
    oxi_chunks_release(&store, empty);
    EXPECT_EQ(store.chunk_count, 3 * OXI_SLAB_CHUNKS);

    oxi_chunks_trim(&store);

    EXPECT_EQ(store.chunk_count, OXI_SLAB_CHUNKS);
    EXPECT_EQ(store.free_chunks.count, OXI_SLAB_CHUNKS);
    expect_valid(&store);
    oxi_store_destroy(&store);
}

// Exits with a code when something is not as it should be: a failing EXPECT needs a running test.
static void need(bool condition, int code) {
    if (!condition) {
        fprintf(stderr, "need %d\n", code);
        exit(code);
    }
}

static int take_all(void) {
    int count = 0;
    while (oxi_slab_take() != 0) {
        count++;
    }
    return count;
}

TEST_CHILD(four_slabs) {
    need(oxi_chunk_space_get_usage().limit == 0, 3);
    need(oxi_chunk_space_set_limit(4 * SLAB_BYTES), 4);
    need(take_all() == 4, 5);
    need(oxi_chunk_space_get_usage().limit == 4 * SLAB_BYTES, 6);
    need(oxi_chunk_space_get_usage().used == 4 * SLAB_BYTES, 7);
    fprintf(stderr, "exact\n");
}

TEST_CHILD(one_byte) {
    need(oxi_chunk_space_set_limit(1), 3);
    need(take_all() == 1, 4);
    fprintf(stderr, "one slab\n");
}

TEST_CHILD(everything) {
    need(oxi_chunk_space_set_limit(SIZE_MAX), 3);
    need(oxi_slab_take() != 0, 4);
    need(oxi_chunk_space_get_usage().limit >= (size_t)64 << 20, 5);
    fprintf(stderr, "much\n");
}

TEST(chunk_space, the_limit_is_exact) {
    EXPECT_EXITS(four_slabs, "exact");
}

TEST(chunk_space, a_limit_below_one_slab_is_one_slab) {
    EXPECT_EXITS(one_byte, "one slab");
}

TEST(chunk_space, a_limit_above_all_addresses_is_as_much_as_there_is) {
    EXPECT_EXITS(everything, "much");
}

// One store asks for more than there is: another still gets what is left.
TEST_CHILD(greedy_store) {
    static oxi_store greedy, modest;
    need(oxi_chunk_space_set_limit(4 * SLAB_BYTES), 3);
    need(oxi_store_create(&greedy, &(oxi_store_def){0}), 4);
    need(oxi_store_create(&modest, &(oxi_store_def){0}), 5);
    oxi_archetype *empty = oxi_archetype_at(&greedy, 0);
    need(oxi_rows_reserve(&greedy, empty, &empty->lane, 1) == OXI_DONE, 6);
    oxi_chunks_release(&greedy, empty);

    need(oxi_rows_reserve(&greedy, empty, &empty->lane, 1000000) == OXI_NO_MEMORY, 7);

    need(greedy.chunk_count == OXI_SLAB_CHUNKS && greedy.free_chunks.count == OXI_SLAB_CHUNKS, 8);
    need(oxi_rows_reserve(&modest, oxi_archetype_at(&modest, 0),
                          &oxi_archetype_at(&modest, 0)->lane, 48 * 2048) == OXI_DONE,
         9);
    oxi_store_destroy(&modest);
    need(oxi_rows_reserve(&greedy, empty, &empty->lane, 64 * 2048) == OXI_DONE, 10);
    oxi_store_destroy(&greedy);
    need(oxi_chunk_space_get_usage().used == 0, 11);
    fprintf(stderr, "fair\n");
}

TEST(chunk_space, a_reservation_that_fails_gives_its_slabs_back) {
    EXPECT_EXITS(greedy_store, "fair");
}
