// SPDX-License-Identifier: MIT
//
// Temp memory: frames, threads and what is given back. Scopes have test_temp_scope.c.

#include "memory_test.h"

#include "base/atomics.h"
#include "base/heap.h"
#include "base/platform.h"
#include "base/substitute.h"
#include "base/temp.h"
#include "oxbow/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Hooks that count. They use what the default hooks use, so blocks may pass between both.
static oxi_atomic_u64 heap_calls;
static oxi_atomic_i64 heap_alive;

static void *count_alloc(size_t size, size_t align, void *context) {
    oxi_add_relaxed(&heap_calls, 1);
    oxi_add_relaxed(&heap_alive, 1);
    return test_strict_alloc(size, align, context);
}

static void count_free(void *block, size_t size, size_t align, void *context) {
    oxi_add_relaxed(&heap_calls, 1);
    oxi_sub_acq_rel(&heap_alive, 1);
    test_strict_free(block, size, align, context);
}

static const ox_allocator_def counting = {.alloc_fn = count_alloc, .free_fn = count_free};

static void start_counting(void) {
    ox_frame_end();
    ox_memory_trim();
    oxi_heap_forget();
    ox_memory_set_hooks(&counting);
    oxi_store_relaxed(&heap_calls, 0);
    oxi_store_relaxed(&heap_alive, 0);
}

static void stop_counting(void) {
    oxi_heap_forget();
    test_use_strict_heap();
}

TEST(temp, frames_are_numbered_from_the_one_before) {
    uint64_t before = ox_frame_get_number();

    EXPECT_EQ(ox_frame_end(), before + 1);

    EXPECT_EQ(ox_frame_get_number(), before + 1);
}

TEST(temp, blocks_of_one_frame_keep_their_content) {
    enum { MANY = 3000 };
    unsigned char *blocks[MANY];
    for (int k = 0; k < MANY; k++) {
        blocks[k] = alloc_filled_temp((size_t)(k % 300 + 1), (unsigned char)k);
    }

    for (int k = 0; k < MANY; k++) {
        EXPECT(holds_only(blocks[k], (unsigned char)k, (size_t)(k % 300 + 1)));
    }
    ox_frame_end();
}

TEST(temp, large_blocks_lie_beside_small_ones) {
    const size_t sizes[] = {10, 65536, 10, 1 << 20, 100, 10 << 20, 3, 65000, 70000};
    unsigned char *blocks[9];
    ox_frame_end();
    ox_memory_trim();

    for (int k = 0; k < 9; k++) {
        blocks[k] = alloc_filled_temp(sizes[k], (unsigned char)k);
    }

    for (int k = 0; k < 9; k++) {
        EXPECT(holds_only(blocks[k], (unsigned char)k, sizes[k]));
    }
    ox_frame_end();
    ox_memory_trim();
}

TEST(temp, memory_of_the_thread_that_ends_the_frame_is_free_at_once) {
    start_counting();
    alloc_filled_temp(100, 1);
    alloc_filled_temp(1 << 20, 2);
    EXPECT_EQ(oxi_load_relaxed(&heap_alive), 2);

    ox_frame_end();

    EXPECT_EQ(oxi_load_relaxed(&heap_alive), 0);
    stop_counting();
}

static void use_frame_memory(int blocks) {
    for (int k = 0; k < blocks; k++) {
        alloc_filled_temp((size_t)(k % 500 + 1), 1);
    }
}

TEST(temp, frames_alike_do_not_call_the_heap) {
    start_counting();
    for (int k = 0; k < 40; k++) {
        use_frame_memory(2000);
        ox_frame_end();
    }
    oxi_store_relaxed(&heap_calls, 0);

    for (int k = 0; k < 100; k++) {
        use_frame_memory(2000);
        ox_frame_end();
    }

    EXPECT_EQ(oxi_load_relaxed(&heap_calls), 0);
    EXPECT_EQ(oxi_load_relaxed(&heap_alive), 1);
    ox_memory_trim();
    EXPECT_EQ(oxi_load_relaxed(&heap_alive), 0);
    stop_counting();
}

TEST(temp, scopes_alike_do_not_call_the_heap) {
    start_counting();
    unsigned char *kept = alloc_filled_temp(10, 7);
    for (int k = 0; k < 20; k++) {
        ox_temp_scope scope = ox_temp_begin();
        use_frame_memory(2000);
        ox_temp_end(scope);
        if (k == 2) {
            oxi_store_relaxed(&heap_calls, 0);
        }
    }

    EXPECT_EQ(oxi_load_relaxed(&heap_calls), 0);
    EXPECT(holds_only(kept, 7, 10));
    stop_counting();
}

TEST_CHECKED(temp, free_in_a_later_frame_is_reported) {
    collected_reports reports;
    collect_reports(&reports);
    for (int k = 0; k < 20; k++) {
        void *block = ox_memory_alloc(OX_TEMP, 100, 8);
        ox_frame_end();

        ox_memory_free_at(OX_TEMP, block, 100, 8, "a.c:1");

        EXPECT_REPORT(&reports, OX_REPORT_TEMP_OUTLIVED);
        EXPECT_STR(reports.site, "a.c:1");
    }
}

TEST_CHECKED(temp, frames_that_follow_each_other_start_at_other_addresses) {
    ox_memory_alloc(OX_TEMP, 100, 8);
    ox_frame_end();
    for (int k = 0; k < 20; k++) {
        void *first = ox_memory_alloc(OX_TEMP, 100, 8);
        ox_frame_end();

        EXPECT_NE(ox_memory_alloc(OX_TEMP, 100, 8), first);
    }
}

TEST(temp, blocks_can_be_freed_in_any_order_in_their_frame) {
    void *blocks[100];
    collected_reports reports;
    collect_reports(&reports);
    for (int k = 0; k < 100; k++) {
        blocks[k] = alloc_filled_temp((size_t)k * 50 + 1, 1);
    }

    for (int k = 0; k < 100; k++) {
        ox_memory_free(OX_TEMP, blocks[k * 37 % 100], (size_t)(k * 37 % 100) * 50 + 1, 8);
    }

    EXPECT_EQ(reports.count, 0);
}

static uint64_t serial_of_other;

static void free_as_own(void *context) {
    serial_of_other = oxi_thread_serial();
    ox_memory_free_at(OX_TEMP, context, 100, 8, "a.c:1");
}

TEST_CHECKED(temp, free_on_another_thread_is_reported_and_frees_nothing) {
    collected_reports reports;
    collect_reports(&reports);
    unsigned char *block = alloc_filled_temp(100, 6);

    run_on_thread(free_as_own, block);

    EXPECT_REPORT(&reports, OX_REPORT_TEMP_WRONG_THREAD);
    char text[96];
    snprintf(text, sizeof text, "belongs to thread %llu, this is thread %llu",
             (unsigned long long)oxi_thread_serial(), (unsigned long long)serial_of_other);
    EXPECT_HAS(reports.text, text);
    EXPECT_STR(reports.site, "a.c:1");
    EXPECT(holds_only(block, 6, 100));
    ox_memory_free(OX_TEMP, block, 100, 8);
    EXPECT_EQ(reports.count, 0);
}

// A thread that does one step each time it is told to.
typedef struct stepper {
    oxi_thread thread;
    oxi_atomic_u32 step; // odd: its turn
} stepper;

static void wait_for_step(stepper *self, uint32_t step) {
    for (uint32_t now; (now = oxi_load_acquire(&self->step)) != step;) {
        oxi_futex_wait(&self->step, now, OXI_WAIT_FOREVER);
    }
}

static void set_step(stepper *self, uint32_t step) {
    oxi_store_release(&self->step, step);
    oxi_futex_wake(&self->step, UINT32_MAX);
}

enum { FRAMES = 40 };

static void allocate_in_each_frame(void *context) {
    stepper *self = context;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        wait_for_step(self, 2 * frame + 1);
        use_frame_memory(1000);
        set_step(self, 2 * frame + 2);
    }
    wait_for_step(self, 2 * FRAMES + 1);
}

TEST(temp, frame_end_frees_the_memory_of_other_threads_too) {
    stepper other = {0};
    start_counting();
    EXPECT(oxi_thread_start(&other.thread, allocate_in_each_frame, &other, "other"));
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        if (frame == FRAMES - 5) {
            oxi_store_relaxed(&heap_calls, 0);
        }
        set_step(&other, 2 * frame + 1);
        wait_for_step(&other, 2 * frame + 2);
        ox_frame_end();
    }

    EXPECT_EQ(oxi_load_relaxed(&heap_calls), 0);
    set_step(&other, 2 * FRAMES + 1);
    oxi_thread_join(&other.thread);
    EXPECT_EQ(oxi_load_relaxed(&heap_alive), 0);
    stop_counting();
}

static void keep_scope_open(void *context) {
    stepper *self = context;
    ox_temp_scope scope = ox_temp_begin();
    unsigned char *block = alloc_filled_temp(100, 8);
    set_step(self, 2);
    wait_for_step(self, 3);
    alloc_filled_temp(1000, 9);
    EXPECT(holds_only(block, 8, 100));
    ox_memory_free(OX_TEMP, block, 100, 8);
    ox_temp_end(scope);
}

TEST(temp, open_scope_of_another_thread_outlives_the_frame) {
    stepper other = {0};
    collected_reports reports;
    collect_reports(&reports);
    EXPECT(oxi_thread_start(&other.thread, keep_scope_open, &other, "other"));
    wait_for_step(&other, 2);

    ox_frame_end();
    ox_frame_end();
    set_step(&other, 3);

    oxi_thread_join(&other.thread);
    EXPECT_EQ(reports.count, 0);
}

static void use_and_leave(void *context) {
    (void)context;
    ox_temp_begin();
    use_frame_memory(5000);
    void *job = ox_memory_alloc(OX_TEMP_JOB, 100, 8);
    ox_memory_free(OX_TEMP_JOB, job, 100, 8);
}

TEST(temp, thread_gives_its_memory_back_when_it_ends) {
    start_counting();

    run_on_thread(use_and_leave, NULL);
    ox_memory_trim();

    EXPECT(oxi_load_relaxed(&heap_calls) > 2);
    EXPECT_EQ(oxi_load_relaxed(&heap_alive), 0);
    stop_counting();
}

// Runs after Oxbow has cleaned up behind a thread: keys are destroyed in the order they were made.
static void use_temp_late(void *value) {
    (void)value;
    use_frame_memory(100);
}

static void use_temp_job_late(void *value) {
    (void)value;
    void *job = ox_memory_alloc(OX_TEMP_JOB, 100, 8);
    ox_memory_free(OX_TEMP_JOB, job, 100, 8);
}

static void use_memory_until_the_last(void *context) {
    use_and_leave(NULL);
    pthread_setspecific(*(pthread_key_t *)context, context);
}

TEST(temp, thread_that_allocates_in_its_destructors_gives_all_back) {
    void (*const late[])(void *) = {use_temp_late, use_temp_job_late};
    oxi_thread_index();
    start_counting();
    for (int k = 0; k < 2; k++) {
        pthread_key_t key;
        EXPECT_EQ(pthread_key_create(&key, late[k]), 0);

        run_on_thread(use_memory_until_the_last, &key);
        ox_memory_trim();

        EXPECT_EQ(oxi_load_relaxed(&heap_alive), 0);
        pthread_key_delete(key);
    }
    stop_counting();
}

TEST(temp, trim_keeps_what_the_frame_has_allocated) {
    for (int frame = 0; frame < 17; frame++) {
        for (size_t size = 8; size <= 800; size += 8) {
            ox_frame_end();
            ox_memory_trim();
            unsigned char *block = alloc_filled_temp(size, 3);

            ox_memory_trim();
            alloc_filled_temp(2000, 4);

            EXPECT(holds_only(block, 3, size));
        }
    }
}

TEST(temp, trim_gives_back_what_scopes_have_freed) {
    start_counting();
    for (int frame = 0; frame < 17; frame++) {
        ox_temp_scope scope = ox_temp_begin();
        alloc_filled_temp(100, 1);
        ox_temp_end(scope);

        ox_memory_trim();

        EXPECT_EQ(oxi_load_relaxed(&heap_alive), 0);
        ox_frame_end();
    }
    stop_counting();
}

TEST(temp, trim_inside_a_scope_keeps_its_blocks) {
    start_counting();
    unsigned char *before = alloc_filled_temp(100, 1);
    ox_temp_scope scope = ox_temp_begin();
    unsigned char *inside = alloc_filled_temp(200000, 2);
    ox_temp_scope inner = ox_temp_begin();
    alloc_filled_temp(2000000, 3);
    ox_temp_end(inner);
    EXPECT_EQ(oxi_load_relaxed(&heap_alive), 3);

    ox_memory_trim();
    EXPECT_EQ(oxi_load_relaxed(&heap_alive), 2);
    alloc_filled_temp(3000000, 4);

    EXPECT(holds_only(before, 1, 100) && holds_only(inside, 2, 200000));
    ox_temp_end(scope);
    stop_counting();
}

TEST(temp, small_block_does_when_a_large_one_is_refused) {
    const uint64_t first_of_heap = ox_get_safety_level() >= 1 ? 1 : 0;
    ox_frame_end();
    ox_memory_trim();

    oxi_fault_plan(OXI_FAULT_ONE, first_of_heap);
    unsigned char *block = alloc_filled_temp(100, 1);

    EXPECT_EQ(oxi_fault_get_failures(), 1);
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    unsigned char *next = alloc_filled_temp(5000, 2);
    EXPECT(holds_only(block, 1, 100) && holds_only(next, 2, 5000));
}

TEST(temp, refused_block_leaves_the_arena_whole) {
    ox_frame_end();
    ox_memory_trim();
    unsigned char *before = alloc_filled_temp(100, 1);
    ox_temp_scope scope = ox_temp_begin();
    collected_reports reports;
    collect_reports(&reports);

    oxi_fault_plan(OXI_FAULT_FROM, 0);
    EXPECT(ox_memory_alloc(OX_TEMP, 1 << 20, 8) == NULL);
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    unsigned char *after = alloc_filled_temp(1 << 20, 2);
    EXPECT(holds_only(before, 1, 100) && holds_only(after, 2, 1 << 20));
    ox_temp_end(scope);
    EXPECT_EQ(reports.count, 0);
}
