// SPDX-License-Identifier: MIT
//
// TempJob memory: frees across threads, ageing, recycling.

#include "memory_test.h"

#include "base/heap.h"
#include "base/platform.h"
#include "base/temp.h"
#include "oxbow/memory.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024 };

static void *alloc_filled(size_t size, int byte) {
    void *block = ox_memory_alloc(OX_TEMP_JOB, size, 8);
    EXPECT(block != NULL);
    memset(block, byte, size);
    return block;
}

// Calls of the hooks, and blocks of them alive. They are used by one thread at a time.
static int heap_calls, heap_alive;

static void *count_alloc(size_t size, size_t align, void *context) {
    heap_calls++;
    heap_alive++;
    return test_strict_alloc(size, align, context);
}

static void count_free(void *block, size_t size, size_t align, void *context) {
    heap_calls++;
    heap_alive--;
    test_strict_free(block, size, align, context);
}

static const ox_allocator_def counting = {.alloc_fn = count_alloc, .free_fn = count_free};

static void start_counting(void) {
    ox_frame_end();
    ox_memory_trim();
    oxi_heap_forget();
    ox_memory_set_hooks(&counting);
    heap_calls = heap_alive = 0;
}

static void stop_counting(void) {
    oxi_heap_forget();
    test_use_strict_heap();
}

enum { HANDED = 3000 };

static size_t size_of_handed(int k) {
    return (size_t)(k * 13 % 400 + 1);
}

static void fill_handed(void *context) {
    void **blocks = context;
    for (int k = 0; k < HANDED; k++) {
        blocks[k] = alloc_filled(size_of_handed(k), k);
    }
}

static void free_handed(void *context) {
    void **blocks = context;
    for (int k = 0; k < HANDED; k++) {
        EXPECT(holds_only(blocks[k], (unsigned char)k, size_of_handed(k)));
        ox_memory_free(OX_TEMP_JOB, blocks[k], size_of_handed(k), 8);
    }
}

TEST(temp_job, blocks_may_be_freed_by_another_thread) {
    static void *blocks[HANDED];
    collected_reports reports;
    collect_reports(&reports);
    start_counting();
    fill_handed(blocks);

    run_on_thread(free_handed, blocks);
    ox_memory_trim();

    EXPECT_EQ(reports.count, 0);
    EXPECT_EQ(heap_alive, 0);
    stop_counting();
}

TEST(temp_job, blocks_outlive_the_thread_that_allocated_them) {
    static void *blocks[HANDED];
    collected_reports reports;
    collect_reports(&reports);
    start_counting();
    run_on_thread(fill_handed, blocks);

    free_handed(blocks);
    ox_memory_trim();

    EXPECT_EQ(reports.count, 0);
    EXPECT_EQ(heap_alive, 0);
    stop_counting();
}

TEST(temp_job, blocks_allocated_and_freed_by_others_are_given_back) {
    static void *blocks[HANDED];
    start_counting();
    run_on_thread(fill_handed, blocks);

    run_on_thread(free_handed, blocks);
    ox_memory_trim();

    EXPECT_EQ(heap_alive, 0);
    stop_counting();
}

TEST(temp_job, pairs_of_alloc_and_free_stay_in_one_place) {
    start_counting();
    void *first = alloc_filled(100, 1);
    ox_memory_free(OX_TEMP_JOB, first, 100, 8);
    heap_calls = 0;

    for (int k = 0; k < 10000; k++) {
        void *block = alloc_filled(100, k);
        EXPECT_EQ(block, first);
        ox_memory_free(OX_TEMP_JOB, block, 100, 8);
    }

    EXPECT_EQ(heap_calls, 0);
    stop_counting();
}

TEST(temp_job, queue_of_blocks_reuses_its_memory) {
    void *queue[200] = {NULL};
    start_counting();

    for (int k = 0; k < 20000; k++) {
        heap_calls = k == 10000 ? 0 : heap_calls;
        if (queue[k % 200] != NULL) {
            EXPECT(holds_only(queue[k % 200], (unsigned char)(k - 200), 1000));
            ox_memory_free(OX_TEMP_JOB, queue[k % 200], 1000, 8);
        }
        queue[k % 200] = alloc_filled(1000, k);
    }

    EXPECT_EQ(heap_calls, 0);
    EXPECT(heap_alive < 10);
    for (int k = 0; k < 200; k++) {
        ox_memory_free(OX_TEMP_JOB, queue[k], 1000, 8);
    }
    ox_memory_trim();
    EXPECT_EQ(heap_alive, 0);
    stop_counting();
}

TEST(temp_job, spare_blocks_are_bounded) {
    enum { MANY = 40 * BLOCK_BYTES / 8000 };
    void *blocks[MANY];
    start_counting();
    for (int k = 0; k < MANY; k++) {
        blocks[k] = alloc_filled(8000, k);
    }
    EXPECT(heap_alive >= 40);

    for (int k = 0; k < MANY; k++) {
        ox_memory_free(OX_TEMP_JOB, blocks[k], 8000, 8);
    }

    EXPECT(heap_alive <= 16 + 1 + 4);
    ox_memory_trim();
    EXPECT_EQ(heap_alive, 0);
    stop_counting();
}

TEST(temp_job, trim_keeps_live_blocks) {
    unsigned char *large = alloc_filled(100000, 1), *small = alloc_filled(100, 2);

    ox_memory_trim();
    void *later = alloc_filled(1000, 3);

    EXPECT(holds_only(large, 1, 100000) && holds_only(small, 2, 100));
    ox_memory_free(OX_TEMP_JOB, large, 100000, 8);
    ox_memory_free(OX_TEMP_JOB, small, 100, 8);
    ox_memory_free(OX_TEMP_JOB, later, 1000, 8);
}

TEST(temp_job, sizes_around_the_largest_in_a_block_work) {
    const size_t sizes[] = {16383, 16384, 16385, 65472, 65536, 65537};
    collected_reports reports;
    collect_reports(&reports);

    for (size_t align = 1; align <= OX_MAX_ALIGNMENT; align *= 2) {
        for (int k = 0; k < 6; k++) {
            char *block = ox_memory_alloc(OX_TEMP_JOB, sizes[k], align);
            EXPECT(block != NULL && ((uintptr_t)block & (align - 1)) == 0);
            memset(block, 1, sizes[k]);
            ox_memory_free(OX_TEMP_JOB, block, sizes[k], align);
        }
    }

    EXPECT_EQ(reports.count, 0);
}

static void end_frames(int count) {
    for (int k = 0; k < count; k++) {
        ox_frame_end();
    }
}

TEST_CHECKED(temp_job, block_older_than_four_frames_is_reported_once_and_stays_usable) {
    collected_reports reports;
    collect_reports(&reports);
    unsigned char *block = ox_memory_alloc_at(OX_TEMP_JOB, 100, 8, "game.c:12");
    memset(block, 7, 100);
    end_frames(OX_TEMP_JOB_FRAMES);
    EXPECT_EQ(reports.count, 0);

    ox_frame_end();

    EXPECT_REPORT(&reports, OX_REPORT_TEMP_JOB_OLD);
    EXPECT_STR(reports.site, "game.c:12");
    EXPECT_HAS(reports.text, "100 bytes allocated in frame");
    EXPECT_HAS(reports.text, "OX_PERSISTENT at game.c:12");
    end_frames(20);
    EXPECT(holds_only(block, 7, 100));
    ox_memory_free(OX_TEMP_JOB, block, 100, 8);
    EXPECT_EQ(reports.count, 0);
}

TEST_CHECKED(temp_job, large_block_ages_too) {
    collected_reports reports;
    collect_reports(&reports);
    void *block = alloc_filled(1000000, 1);

    end_frames(OX_TEMP_JOB_FRAMES + 1);

    EXPECT_REPORT(&reports, OX_REPORT_TEMP_JOB_OLD);
    ox_memory_free(OX_TEMP_JOB, block, 1000000, 8);
    end_frames(10);
    EXPECT_EQ(reports.count, 0);
}

TEST(temp_job, block_freed_in_its_fourth_frame_is_not_reported) {
    collected_reports reports;
    collect_reports(&reports);

    for (int k = 0; k < 10; k++) {
        void *block = alloc_filled(100, k);
        end_frames(OX_TEMP_JOB_FRAMES);
        ox_memory_free(OX_TEMP_JOB, block, 100, 8);
    }
    end_frames(10);

    EXPECT_EQ(reports.count, 0);
}

// Keeps the places of reports, in order.
static char places[16];
static int place_count;

static void keep_place(const ox_report *report, void *context) {
    (void)context;
    if (report->id == OX_REPORT_TEMP_JOB_OLD && place_count < 16) {
        places[place_count++] = report->site[0];
    }
}

TEST_CHECKED(temp_job, old_blocks_are_reported_in_the_order_of_allocation) {
    static const ox_site sites[] = {"c", "a", "d", "b", "e"};
    void *blocks[5];
    for (int k = 0; k < 5; k++) {
        blocks[k] = ox_memory_alloc_at(OX_TEMP_JOB, 10, 8, sites[k]);
        end_frames(k == 2);
    }
    ox_memory_free(OX_TEMP_JOB, blocks[1], 10, 8);
    place_count = 0;
    ox_report_set_handler((ox_report_handler){keep_place, NULL});

    end_frames(OX_TEMP_JOB_FRAMES);
    EXPECT_EQ(place_count, 2);
    end_frames(10);

    EXPECT_EQ(place_count, 4);
    EXPECT_EQ(memcmp(places, "cdbe", 4), 0);
    for (int k = 0; k < 5; k++) {
        ox_memory_free(OX_TEMP_JOB, k == 1 ? NULL : blocks[k], 10, 8);
    }
}

TEST_CHECKED(temp_job, freeing_an_old_block_does_not_hide_younger_ones) {
    collected_reports reports;
    collect_reports(&reports);
    void *old = alloc_filled(10, 1);
    ox_frame_end();
    void *next = alloc_filled(10, 2);
    end_frames(OX_TEMP_JOB_FRAMES);
    EXPECT_REPORT(&reports, OX_REPORT_TEMP_JOB_OLD);
    ox_memory_free(OX_TEMP_JOB, next, 10, 8);
    void *young = ox_memory_alloc_at(OX_TEMP_JOB, 10, 8, "young.c:1");

    ox_memory_free(OX_TEMP_JOB, old, 10, 8);
    end_frames(OX_TEMP_JOB_FRAMES + 1);

    EXPECT_REPORT(&reports, OX_REPORT_TEMP_JOB_OLD);
    EXPECT_STR(reports.site, "young.c:1");
    ox_memory_free(OX_TEMP_JOB, young, 10, 8);
}

static void free_in_handler(const ox_report *report, void *context) {
    (void)report;
    void **block = context;
    ox_memory_free(OX_TEMP_JOB, *block, 100, 8);
    *block = NULL;
}

TEST_CHECKED(temp_job, old_block_may_be_freed_by_the_report_handler) {
    void *block = alloc_filled(100, 1);
    ox_report_set_handler((ox_report_handler){free_in_handler, &block});

    end_frames(OX_TEMP_JOB_FRAMES + 1);

    EXPECT(block == NULL);
    EXPECT_EQ(ox_memory_get_usage(OX_TEMP_JOB).block_count, 0);
}

TEST(temp_job, frames_are_no_end_for_other_blocks) {
    collected_reports reports;
    collect_reports(&reports);
    void *block = ox_memory_alloc(OX_PERSISTENT, 100, 8);

    end_frames(100);

    EXPECT_EQ(reports.count, 0);
    ox_memory_free(OX_PERSISTENT, block, 100, 8);
}
