// SPDX-License-Identifier: MIT
//
// Regions: reserved addresses that get memory as they grow.

#include "test.h"

#include "base/heap.h"
#include "base/platform.h"
#include "base/region.h"
#include "base/substitute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MIB = 1024 * 1024 };

static bool is_zero(const char *bytes, size_t size) {
    return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

TEST(region, grows_without_moving_and_keeps_its_content) {
    oxi_region region;
    EXPECT(oxi_region_create(&region, (size_t)64 * MIB, MIB));
    char *base = region.base;
    EXPECT_EQ(region.reserved, 64 * MIB);
    EXPECT_EQ(region.committed, 0);

    for (size_t size = 1; size <= (size_t)16 * MIB; size = size * 3 / 2 + 1) {
        size_t before = region.committed;
        EXPECT(oxi_region_grow(&region, size));
        EXPECT(region.committed >= size && region.committed <= region.reserved);
        EXPECT(is_zero(base + before, region.committed - before));
        memset(base + before, 1, region.committed - before);
    }

    EXPECT_EQ(region.base, base);
    EXPECT(base[0] == 1 && memcmp(base, base + 1, region.committed - 1) == 0);
    oxi_region_destroy(&region);
}

TEST(region, commits_in_steps_that_double) {
    oxi_region region;
    EXPECT(oxi_region_create(&region, (size_t)64 * MIB, MIB));
    int commits = 0;

    for (size_t size = 1; size <= (size_t)64 * MIB; size += 4096) {
        size_t before = region.committed;
        EXPECT(oxi_region_grow(&region, size));
        commits += region.committed != before;
    }

    EXPECT(commits < 64);
    EXPECT_EQ(region.committed, region.reserved);
    oxi_region_destroy(&region);
}

TEST(region, does_not_grow_beyond_its_reservation) {
    oxi_region region;
    EXPECT(oxi_region_create(&region, MIB, MIB));
    EXPECT(oxi_region_grow(&region, 100));
    oxi_region before = region;

    EXPECT(!oxi_region_grow(&region, MIB + 1));
    EXPECT(!oxi_region_grow(&region, SIZE_MAX));
    EXPECT(!oxi_region_grow(&region, (size_t)PTRDIFF_MAX + 1));

    EXPECT_EQ(memcmp(&before, &region, sizeof region), 0);
    EXPECT(oxi_region_grow(&region, MIB));
    region.base[MIB - 1] = 1;
    oxi_region_destroy(&region);
}

TEST(region, does_not_commit_beyond_its_reservation) {
    size_t page = oxi_page_size();
    oxi_region region;
    EXPECT(oxi_region_create(&region, 5 * page, 5 * page));

    for (size_t pages = 1; pages <= 5; pages++) {
        EXPECT(oxi_region_grow(&region, pages * page));
        EXPECT(region.committed <= 5 * page);
    }

    EXPECT_EQ(region.committed, 5 * page);
    oxi_region_destroy(&region);
}

TEST(region, is_rounded_up_to_pages) {
    oxi_region region;

    EXPECT(oxi_region_create(&region, 1, 1));

    EXPECT_EQ(region.reserved, oxi_page_size());
    EXPECT(oxi_region_grow(&region, 1));
    region.base[region.committed - 1] = 1;
    oxi_region_destroy(&region);
}

TEST(region, growing_to_what_it_has_changes_nothing) {
    oxi_region region;
    EXPECT(oxi_region_create(&region, MIB, MIB));
    EXPECT(oxi_region_grow(&region, 5000));
    oxi_region before = region;

    EXPECT(oxi_region_grow(&region, 0));
    EXPECT(oxi_region_grow(&region, 5000));
    EXPECT(oxi_region_grow(&region, region.committed));

    EXPECT_EQ(memcmp(&before, &region, sizeof region), 0);
    oxi_region_destroy(&region);
}

TEST(region, is_zero_again_where_it_was_shrunk) {
    oxi_region region;
    EXPECT(oxi_region_create(&region, (size_t)8 * MIB, MIB));
    EXPECT(oxi_region_grow(&region, (size_t)4 * MIB));
    memset(region.base, 7, region.committed);

    oxi_region_shrink(&region, MIB + 1);
    size_t kept = region.committed;

    EXPECT_EQ(kept, MIB + oxi_page_size());
    EXPECT(oxi_region_grow(&region, (size_t)8 * MIB));
    EXPECT(region.base[0] == 7 && region.base[kept - 1] == 7);
    EXPECT(is_zero(region.base + kept, region.committed - kept));
    oxi_region_shrink(&region, 0);
    EXPECT_EQ(region.committed, 0);
    oxi_region_destroy(&region);
}

TEST(region, shrinking_to_more_than_it_has_changes_nothing) {
    oxi_region region;
    EXPECT(oxi_region_create(&region, MIB, MIB));
    EXPECT(oxi_region_grow(&region, 10000));
    memset(region.base, 7, region.committed);
    oxi_region before = region;

    oxi_region_shrink(&region, region.committed);
    oxi_region_shrink(&region, MIB);
    oxi_region_shrink(&region, SIZE_MAX);

    EXPECT_EQ(memcmp(&before, &region, sizeof region), 0);
    EXPECT_EQ(region.base[9999], 7);
    oxi_region_destroy(&region);
}

TEST(region, takes_less_when_the_system_does_not_grant_all) {
    oxi_region region;
    oxi_fault_plan(OXI_FAULT_ONE, 0);

    EXPECT(oxi_region_create(&region, (size_t)8 * MIB, MIB));
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT_EQ(region.reserved, 4 * MIB);
    EXPECT(!region.is_heap);
    oxi_region_destroy(&region);
    // Nearly all addresses there are: not even a reservation of it is to be had.
    EXPECT(oxi_region_create(&region, (size_t)1 << 62, 4096));
    EXPECT(region.reserved < (size_t)1 << 62 && region.reserved >= 4096);
    oxi_region_destroy(&region);
}

TEST(region, falls_back_to_plain_memory) {
    oxi_region region;
    oxi_fault_plan(OXI_FAULT_ONE, 0);
    EXPECT(oxi_region_create(&region, MIB + 5, MIB + 5));
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT(region.is_heap);
    EXPECT(region.reserved >= MIB + 5 && region.committed == region.reserved);
    EXPECT(is_zero(region.base, region.committed));
    memset(region.base, 3, region.committed);
    EXPECT(oxi_region_grow(&region, MIB));
    EXPECT(!oxi_region_grow(&region, 2 * MIB));
    oxi_region_shrink(&region, 0);
    EXPECT_EQ(region.base[MIB], 3);
    oxi_region_destroy(&region);
}

static void *dirty_alloc(size_t size, size_t align, void *context) {
    (void)context;
    void *block = aligned_alloc(align, size);
    return block != NULL ? memset(block, 0xee, size) : NULL;
}

static void plain_free(void *block, size_t size, size_t align, void *context) {
    (void)size;
    (void)align;
    (void)context;
    free(block);
}

TEST(region, of_plain_memory_is_zero_whatever_the_hooks_return) {
    const ox_allocator_def dirty = {.alloc_fn = dirty_alloc, .free_fn = plain_free};
    oxi_region region;
    oxi_heap_forget();
    EXPECT(ox_memory_set_hooks(&dirty));
    oxi_fault_plan(OXI_FAULT_ONE, 0);

    EXPECT(oxi_region_create(&region, 4096, 4096));
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT(region.is_heap && is_zero(region.base, region.committed));
    oxi_region_destroy(&region);
    oxi_heap_forget();
    test_use_strict_heap();
}

TEST(region, that_cannot_be_made_is_zeroed) {
    oxi_region region;
    const oxi_region zero = {0};
    memset(&region, 0xff, sizeof region);
    oxi_fault_plan(OXI_FAULT_FROM, 0);

    EXPECT(!oxi_region_create(&region, (size_t)8 * MIB, 4096));
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT(region.base == zero.base && region.reserved == 0 && region.committed == 0);
    EXPECT(!region.is_heap);
    EXPECT(!oxi_region_grow(&region, 1));
    oxi_region_destroy(&region);
    oxi_region_destroy(&region);
}

TEST(region, that_gets_no_memory_is_as_before) {
    oxi_region region;
    EXPECT(oxi_region_create(&region, MIB, MIB));
    EXPECT(oxi_region_grow(&region, 100));
    region.base[99] = 9;
    oxi_region before = region;

    oxi_fault_plan(OXI_FAULT_ONE, 0);
    EXPECT(!oxi_region_grow(&region, 100000));
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT_EQ(memcmp(&before, &region, sizeof region), 0);
    EXPECT(oxi_region_grow(&region, 100000));
    EXPECT_EQ(region.base[99], 9);
    oxi_region_destroy(&region);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(TEST_IS_EMULATED)
enum { TABLES = 20 };

static size_t take_tables(oxi_region *tables) {
    size_t sum = 0;
    for (int k = 0; k < TABLES; k++) {
        if (!oxi_region_create(&tables[k], (size_t)12 << 30, 4096) || tables[k].is_heap) {
            fprintf(stderr, "table %d was refused\n", k);
            exit(1);
        }
        sum += tables[k].reserved;
    }
    return sum;
}

TEST_CHILD(regions_within_a_gib) {
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = (rlim_t)1024 * MIB;
    setrlimit(RLIMIT_AS, &limit);

    oxi_region tables[TABLES], chunks, entities, exact;
    size_t sum = take_tables(tables);
    bool is_made = oxi_region_create_in(&chunks, OXI_SHARE_CHUNKS, (size_t)64 << 30, MIB) &&
                   oxi_region_create_in(&entities, OXI_SHARE_ENTITIES, (size_t)12 << 30, MIB) &&
                   oxi_region_create(&exact, MIB, MIB);
    if (!is_made || chunks.reserved != 128 * MIB || entities.reserved != 32 * MIB ||
        exact.reserved != MIB) {
        exit(1);
    }
    fprintf(stderr, "%s, ", sum <= 32 * MIB ? "a quarter" : "more than a quarter");

    oxi_region_destroy(&exact);
    for (int k = 0; k < TABLES; k++) {
        oxi_region_destroy(&tables[k]);
    }
    fprintf(stderr, "%s", take_tables(tables) == sum ? "and again" : "and not again");
}

TEST(region, all_take_a_quarter_of_limited_addresses) {
    EXPECT_EXITS(regions_within_a_gib, "a quarter, and again");
}
#endif
