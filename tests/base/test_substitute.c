// SPDX-License-Identifier: MIT
//
// What tests stand on: planned faults with their places, and the hook at atomic operations.

#include "test.h"

#include "base/heap.h"
#include "base/platform.h"
#include "base/substitute.h"

#include <string.h>

// A bit for each of the next eight calls: 1 when it failed.
static uint32_t hit_eight_times(void) {
    uint32_t hits = 0;
    for (int k = 0; k < 8; k++) {
        hits |= oxi_fault_hit("substitute.c:1") ? 1u << k : 0;
    }
    return hits;
}

TEST(substitute, without_a_plan_nothing_fails_and_nothing_is_counted) {
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT_EQ(hit_eight_times(), 0);

    EXPECT_EQ(oxi_fault_get_calls(), 0);
    EXPECT_EQ(oxi_fault_get_failures(), 0);
}

TEST(substitute, plan_of_one_fails_the_nth_call) {
    const uint64_t numbers[] = {0, 3, 7, 8, UINT64_MAX};
    const uint32_t hits[] = {1, 8, 128, 0, 0};

    for (int k = 0; k < 5; k++) {
        oxi_fault_plan(OXI_FAULT_ONE, numbers[k]);

        EXPECT_EQ(hit_eight_times(), hits[k]);

        EXPECT_EQ(oxi_fault_get_calls(), 8);
        EXPECT_EQ(oxi_fault_get_failures(), hits[k] != 0);
    }
}

TEST(substitute, plan_of_all_from_fails_the_nth_call_and_those_after) {
    const uint64_t numbers[] = {0, 3, 7, 8};
    const uint32_t hits[] = {0xff, 0xf8, 0x80, 0};
    const uint64_t failures[] = {8, 5, 1, 0};

    for (int k = 0; k < 4; k++) {
        oxi_fault_plan(OXI_FAULT_FROM, numbers[k]);

        EXPECT_EQ(hit_eight_times(), hits[k]);

        EXPECT_EQ(oxi_fault_get_failures(), failures[k]);
    }
}

static int count_site(const char *site) {
    ox_site sites[OXI_MAX_FAULT_SITES];
    int count = oxi_fault_get_sites(sites, OXI_MAX_FAULT_SITES), found = 0;
    for (int k = 0; k < count; k++) {
        found += strcmp(sites[k], site) == 0;
    }
    return found;
}

TEST(substitute, places_that_failed_are_noted_once) {
    char copy[] = "noted.c:1";
    EXPECT_EQ(count_site("noted.c:1") + count_site("passed.c:1"), 0);
    oxi_fault_plan(OXI_FAULT_FROM, 1);

    oxi_fault_hit("passed.c:1");
    oxi_fault_hit("noted.c:1");
    oxi_fault_hit("noted.c:1");
    oxi_fault_hit(copy);

    EXPECT_EQ(count_site("noted.c:1"), 1);
    EXPECT_EQ(count_site("passed.c:1"), 0);
    int count = oxi_fault_get_sites(NULL, 0);
    ox_site one[2] = {NULL, "untouched"};
    EXPECT_EQ(oxi_fault_get_sites(one, 1), count);
    EXPECT_STR(one[1], "untouched");
}

TEST(substitute, fallible_calls_note_their_own_place) {
    void *block, *pages;
    oxi_thread thread;
    bool started;
    oxi_fault_plan(OXI_FAULT_FROM, 0);

    ox_site heap = (block = oxi_heap_alloc(16, 8), OX_HERE);
    ox_site page = (pages = oxi_pages_reserve(oxi_page_size()), OX_HERE);
    ox_site begin = (started = oxi_thread_start(&thread, NULL, NULL, NULL), OX_HERE);
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT(block == NULL && pages == NULL && !started);
    EXPECT_EQ(count_site(heap), 1);
    EXPECT_EQ(count_site(page), 1);
    EXPECT_EQ(count_site(begin), 1);
}

static oxi_atomic_u32 gate, hits;

static void hit_often(void *context) {
    (void)context;
    while (oxi_load_acquire(&gate) == 0) {
        oxi_thread_yield();
    }
    for (int k = 0; k < 1000; k++) {
        oxi_add_relaxed(&hits, oxi_fault_hit("threads.c:1") ? 1 : 0);
    }
}

TEST(substitute, one_call_of_eight_threads_fails) {
    oxi_thread threads[8];
    for (int k = 0; k < 8; k++) {
        EXPECT(oxi_thread_start(&threads[k], hit_often, NULL, "hitter"));
    }

    oxi_fault_plan(OXI_FAULT_ONE, 4321);
    oxi_store_release(&gate, 1);
    for (int k = 0; k < 8; k++) {
        oxi_thread_join(&threads[k]);
    }

    EXPECT_EQ(oxi_load_relaxed(&hits), 1);
    EXPECT_EQ(oxi_fault_get_calls(), 8000);
}

static void count_yield(void *context) {
    ++*(int *)context;
}

TEST(substitute, yield_hook_is_called_at_each_atomic_operation) {
    int yields = 0;
    oxi_atomic_u32 word = 0;
    oxi_yield_set_hook(count_yield, &yields);

    oxi_store_release(&word, 1);
    oxi_add_relaxed(&word, 2);
    uint32_t value = oxi_load_acquire(&word);
    oxi_yield_set_hook(NULL, NULL);
    oxi_store_relaxed(&word, 0);

    EXPECT_EQ(value, 3);
#if defined(OXI_YIELD_POINTS) && OXI_YIELD_POINTS
    EXPECT_EQ(yields, 3);
#else
    EXPECT_EQ(yields, 0);
#endif
}

static void yield_thread(void *context) {
    (void)context;
    oxi_thread_yield();
}

static void add_many(void *context) {
    for (int k = 0; k < 200; k++) {
        oxi_add_relaxed((oxi_atomic_u32 *)context, 1);
    }
}

TEST(substitute, yield_hook_may_switch_threads) {
    oxi_thread threads[4];
    oxi_atomic_u32 word = 0;
    oxi_yield_set_hook(yield_thread, NULL);

    for (int k = 0; k < 4; k++) {
        EXPECT(oxi_thread_start(&threads[k], add_many, &word, "adder"));
    }
    for (int k = 0; k < 4; k++) {
        oxi_thread_join(&threads[k]);
    }

    oxi_yield_set_hook(NULL, NULL);
    EXPECT_EQ(oxi_load_relaxed(&word), 800);
}
