// SPDX-License-Identifier: MIT
//
// Sixteen threads that allocate, free each other's blocks, report and register types at once. What
// ThreadSanitizer sees of it is half of the test.

#include "test.h"

#include "base/heap.h"
#include "base/platform.h"
#include "base/random.h"
#include "base/substitute.h"
#include "base/types.h"
#include "oxbow/memory.h"
#include "oxbow/struct.h"

#include <stdio.h>
#include <string.h>

enum { THREADS = 16, QUEUE = 256 };

// Blocks on their way from one thread to another.
typedef struct handed_block {
    unsigned char *block;
    size_t size;
    size_t align;
    ox_allocator allocator;
} handed_block;

static struct {
    oxi_mutex lock;
    handed_block items[QUEUE];
    int count;
} queue = {.lock = OXI_MUTEX_INIT};

// Returns false when there is no room.
static bool hand_over(handed_block item) {
    oxi_mutex_lock(&queue.lock);
    bool has_room = queue.count < QUEUE;
    if (has_room) {
        queue.items[queue.count++] = item;
    }
    oxi_mutex_unlock(&queue.lock);
    return has_room;
}

static bool receive(oxi_random *random, handed_block *item) {
    oxi_mutex_lock(&queue.lock);
    bool has_item = queue.count > 0;
    if (has_item) {
        int index = (int)oxi_random_below(random, (uint64_t)queue.count);
        *item = queue.items[index];
        queue.items[index] = queue.items[--queue.count];
    }
    oxi_mutex_unlock(&queue.lock);
    return has_item;
}

static void free_block(const handed_block *item) {
    unsigned char byte = item->block[0];
    EXPECT_EQ(byte, item->size & 0x7f);
    EXPECT_EQ(item->block[item->size - 1], byte);
    ox_memory_free(item->allocator, item->block, item->size, item->align);
}

static void make_block(oxi_random *random) {
    handed_block item = {.size = oxi_random_below(random, 16) == 0
                                     ? oxi_random_below(random, 40000) + 1
                                     : oxi_random_below(random, 100) + 1,
                         .align = (size_t)1 << oxi_random_below(random, 8),
                         .allocator = oxi_random_bool(random) ? OX_TEMP_JOB : OX_PERSISTENT};
    item.block = ox_memory_alloc(item.allocator, item.size, item.align);
    EXPECT(item.block != NULL);
    memset(item.block, (int)(item.size & 0x7f), item.size);
    if (!hand_over(item)) {
        free_block(&item);
    }
}

static void use_temp(oxi_random *random) {
    ox_temp_scope scope = ox_temp_begin();
    size_t size = oxi_random_below(random, 30000) + 1;
    unsigned char *block = ox_memory_alloc(OX_TEMP, size, 8);
    EXPECT(block != NULL);
    memset(block, 1, size);
    ox_temp_end(scope);
}

static void trade_blocks(void *context) {
    oxi_random random = oxi_random_seed(*(uint64_t *)context);
    handed_block item;
    for (uint64_t k = 0; k < test_scaled(3000); k++) {
        uint64_t dice = oxi_random_below(&random, 10);
        if (dice < 5) {
            make_block(&random);
        } else if (dice < 9 && receive(&random, &item)) {
            free_block(&item);
        } else if (dice == 9) {
            use_temp(&random);
        }
    }
}

// Runs a function on sixteen threads, each with a seed of its own, and something on this one.
static void run_threads(oxi_thread_fn *function, uint64_t seed, void (*meanwhile)(void)) {
    oxi_thread threads[THREADS];
    uint64_t seeds[THREADS];
    for (uint64_t k = 0; k < THREADS; k++) {
        seeds[k] = seed + k;
        EXPECT(oxi_thread_start(&threads[k], function, &seeds[k], "trader"));
    }
    if (meanwhile != NULL) {
        meanwhile();
    }
    for (int k = 0; k < THREADS; k++) {
        oxi_thread_join(&threads[k]);
    }
}

static void empty_queue(void) {
    oxi_random random = oxi_random_seed(1);
    handed_block item;
    while (receive(&random, &item)) {
        free_block(&item);
    }
}

static void end_frames_and_look(void) {
    for (uint64_t k = 0; k < test_scaled(50); k++) {
        ox_frame_end();
        ox_memory_get_usage(0);
        ox_memory_trim();
        oxi_thread_yield();
    }
}

static void ignore_old_blocks(const ox_report *report, void *context) {
    if (report->id != OX_REPORT_TEMP_JOB_OLD) {
        collect_report(report, context);
    }
}

TEST(memory_threads, blocks_pass_between_sixteen_threads) {
    collected_reports reports = {0};
    ox_report_set_handler((ox_report_handler){ignore_old_blocks, &reports});
    ox_memory_trim();
    uint64_t blocks = oxi_heap_get_blocks();

    run_threads(trade_blocks, test_seed(7), end_frames_and_look);
    empty_queue();
    ox_frame_end();
    ox_memory_trim();

    EXPECT_EQ(reports.count, 0);
    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
}

static void yield_now_and_then(void *context) {
    static _Thread_local uint32_t count;
    (void)context;
    if (++count % 7 == 0) {
        oxi_thread_yield();
    }
}

// In libraries without yield points this is the test above once more.
TEST(memory_threads, blocks_pass_between_threads_that_switch_at_atomic_operations) {
    collected_reports reports = {0};
    ox_report_set_handler((ox_report_handler){ignore_old_blocks, &reports});
    ox_memory_trim();
    uint64_t blocks = oxi_heap_get_blocks();
    oxi_yield_set_hook(yield_now_and_then, NULL);

    run_threads(trade_blocks, test_seed(17), end_frames_and_look);
    oxi_yield_set_hook(NULL, NULL);
    empty_queue();
    ox_frame_end();
    ox_memory_trim();

    EXPECT_EQ(reports.count, 0);
    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
}

TEST(memory_threads, threads_that_come_and_go_leave_nothing) {
    ox_memory_trim();
    uint64_t blocks = oxi_heap_get_blocks(), rounds = test_scaled(10), seed = test_seed(99);
    ox_report_silence(OX_REPORT_TEMP_JOB_OLD, true);
    for (uint64_t round = 0; round < rounds; round++) {
        oxi_thread thread;
        uint64_t own = seed + round;
        EXPECT(oxi_thread_start(&thread, trade_blocks, &own, "guest"));
        trade_blocks(&seed);
        oxi_thread_join(&thread);
        ox_frame_end();
    }
    ox_report_silence(OX_REPORT_TEMP_JOB_OLD, false);
    empty_queue();
    ox_memory_trim();

    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
}

// Bytes that lie side by side, freed by one thread while the next is allocated by another.
enum { BYTES = 64 };
static oxi_atomic_ptr bytes_on_the_way[BYTES];
static oxi_atomic_u32 bytes_end;

static void free_bytes(void *context) {
    (void)context;
    while (oxi_load_acquire(&bytes_end) == 0) {
        for (int k = 0; k < BYTES; k++) {
            char *byte = oxi_exchange_acq_rel(&bytes_on_the_way[k], NULL);
            ox_memory_free(OX_TEMP_JOB, byte, 1, 1);
        }
    }
}

TEST(memory_threads, bytes_side_by_side_do_not_disturb_each_other) {
    oxi_thread thread;
    EXPECT(oxi_thread_start(&thread, free_bytes, NULL, "bytes"));

    for (uint64_t k = 0; k < test_scaled(200000); k++) {
        char *byte = ox_memory_alloc(OX_TEMP_JOB, 1, 1);
        *byte = 1;
        byte = oxi_exchange_acq_rel(&bytes_on_the_way[k % BYTES], byte);
        ox_memory_free(OX_TEMP_JOB, byte, 1, 1);
    }

    oxi_store_release(&bytes_end, 1);
    oxi_thread_join(&thread);
    for (int k = 0; k < BYTES; k++) {
        ox_memory_free(OX_TEMP_JOB, oxi_load_relaxed(&bytes_on_the_way[k]), 1, 1);
    }
    ox_memory_trim();
}

// Each thread announces the same types, in an order of its own, and expects one descriptor of each.
static const ox_type *registered[THREADS][32];

static void register_types(void *context) {
    uint64_t thread = *(uint64_t *)context % THREADS;
    for (int k = 0; k < 32; k++) {
        int which = (k * 7 + (int)thread) % 32;
        char name[32];
        snprintf(name, sizeof name, "Shared%d", which);
        ox_type type = {.name = name,
                        .text = "{ int a; }",
                        .size = 4,
                        .align = 4,
                        .header_version = OX_VERSION};
        registered[thread][which] = ox_type_register(&type);
        EXPECT(ox_type_find(name) == registered[thread][which]);
        ox_layout layout;
        EXPECT(ox_layout_create(registered[thread][which], &layout));
        ox_layout_dispose(&layout);
    }
}

TEST(memory_threads, types_registered_by_sixteen_threads_are_one_each) {
    uint64_t blocks = oxi_heap_get_blocks();
    uint32_t before = ox_type_count();

    run_threads(register_types, 0, NULL);

    EXPECT_EQ(ox_type_count(), before + 32);
    for (int k = 0; k < THREADS * 32; k++) {
        EXPECT(registered[k / 32][k % 32] != NULL);
        EXPECT_EQ(registered[k / 32][k % 32], registered[0][k % 32]);
    }
    oxi_types_reset();
    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
}

// Not atomic on purpose: handlers are called one at a time.
static int bad_alignments, unknown_allocators;

static void count_mistakes(const ox_report *report, void *context) {
    (void)context;
    bad_alignments += report->id == OX_REPORT_BAD_ALIGNMENT;
    unknown_allocators += report->id == OX_REPORT_UNKNOWN_ALLOCATOR;
    void *block = ox_memory_alloc(OX_PERSISTENT, 100, 8);
    ox_memory_free(OX_PERSISTENT, block, 100, 8);
}

static void make_mistakes(void *context) {
    oxi_random random = oxi_random_seed(*(uint64_t *)context);
    for (int k = 0; k < 100; k++) {
        make_block(&random);
        EXPECT(ox_memory_alloc(OX_PERSISTENT, 16, 3) == NULL);
        EXPECT(ox_memory_alloc(12345, 16, 8) == NULL);
        handed_block item;
        if (receive(&random, &item)) {
            free_block(&item);
        }
    }
}

TEST(memory_threads, reports_come_one_at_a_time_while_others_allocate) {
    bad_alignments = unknown_allocators = 0;
    ox_report_set_handler((ox_report_handler){count_mistakes, NULL});

    run_threads(make_mistakes, test_seed(3), NULL);

    EXPECT_EQ(bad_alignments, THREADS * 100);
    EXPECT_EQ(unknown_allocators, THREADS * 100);
    empty_queue();
    ox_memory_trim();
}

static ox_temp_scope scope_of_main;
static unsigned char *temp_of_main;

static void take_temp_of_main(void *context) {
    (void)context;
    for (int k = 0; k < 20; k++) {
        ox_memory_free(OX_TEMP, temp_of_main, 100, 8);
        ox_temp_scope own = ox_temp_begin();
        EXPECT(ox_memory_alloc(OX_TEMP, 100, 8) != NULL);
        ox_temp_end(own);
    }
}

TEST_CHECKED(memory_threads, temp_memory_of_another_thread_stays_whole) {
    uint64_t before = ox_report_count(OX_REPORT_TEMP_WRONG_THREAD);
    collected_reports reports;
    collect_reports(&reports);
    scope_of_main = ox_temp_begin();
    temp_of_main = ox_memory_alloc(OX_TEMP, 100, 8);
    memset(temp_of_main, 5, 100);

    run_threads(take_temp_of_main, 0, NULL);

    EXPECT_EQ(reports.last, OX_REPORT_TEMP_WRONG_THREAD);
    EXPECT_EQ(ox_report_count(OX_REPORT_TEMP_WRONG_THREAD), before + THREADS * 20);
    EXPECT(temp_of_main[0] == 5 && temp_of_main[99] == 5);
    ox_temp_end(scope_of_main);
}
