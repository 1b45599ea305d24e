// SPDX-License-Identifier: MIT
//
// Memory hooks: they see every allocation, from the first, and get everything back. Most tests run
// in a process of their own, where hooks are the very first thing.

#include "test.h"

#include "base/heap.h"
#include "base/platform.h"
#include "base/types.h"
#include "oxbow/memory.h"
#include "oxbow/struct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Declared before main, where nothing may allocate.
OX_STRUCT(Spring, {
    float rest, stiffness;
    int ends[2];
});

// Hooks with a ledger: a free must come with the size and alignment of its allocation.
enum { LEDGER = 4096 };
typedef struct ledger_line {
    void *block;
    size_t size;
    size_t align;
} ledger_line;

static ledger_line ledger[LEDGER];
static oxi_mutex ledger_lock = OXI_MUTEX_INIT;
static int ledger_allocs, ledger_alive, ledger_faults;

static void *ledger_alloc(size_t size, size_t align, void *context) {
    void *block = NULL;
    if (posix_memalign(&block, align < sizeof(void *) ? sizeof(void *) : align, size) != 0) {
        return NULL;
    }
    oxi_mutex_lock(&ledger_lock);
    int line = 0;
    while (ledger[line].block != NULL) {
        line++;
    }
    ledger[line] = (ledger_line){block, size, align};
    ledger_allocs++;
    ledger_alive++;
    ledger_faults += context != ledger;
    oxi_mutex_unlock(&ledger_lock);
    return block;
}

static void ledger_free(void *block, size_t size, size_t align, void *context) {
    oxi_mutex_lock(&ledger_lock);
    int line = 0;
    while (line < LEDGER && ledger[line].block != block) {
        line++;
    }
    bool known = line < LEDGER && ledger[line].size == size && ledger[line].align == align;
    ledger_faults += !known || context != ledger;
    ledger_alive--;
    if (line < LEDGER) {
        ledger[line].block = NULL;
    }
    oxi_mutex_unlock(&ledger_lock);
    free(block);
}

static const ox_allocator_def ledger_def = {
    .name = "ledger", .alloc_fn = ledger_alloc, .free_fn = ledger_free, .context = ledger};

static const ox_allocator built_in[] = {OX_TEMP, OX_TEMP_JOB, OX_PERSISTENT};

// Uses every allocator with small and large blocks, and leaves nothing alive.
static void use_all_allocators(void *context) {
    (void)context;
    void *blocks[300];
    ox_temp_scope scope = ox_temp_begin();
    for (int k = 0; k < 300; k++) {
        blocks[k] = ox_memory_alloc(built_in[k % 3], (size_t)k * 300 + 1, (size_t)1 << k % 13);
        EXPECT(blocks[k] != NULL);
        memset(blocks[k], k, (size_t)k * 300 + 1);
    }
    for (int k = 0; k < 300; k++) {
        ox_memory_free(built_in[k % 3], blocks[k], (size_t)k * 300 + 1, (size_t)1 << k % 13);
    }
    ox_temp_end(scope);
}

static void use_types(void) {
    const ox_type *type = ox_type_find("Spring");
    ox_layout layout;
    EXPECT(type != NULL && ox_layout_create(type, &layout));
    EXPECT_EQ(layout.field_count, 3);
    ox_layout_dispose(&layout);
}

TEST_CHILD(hooks_first) {
    EXPECT(ox_memory_set_hooks(&ledger_def));
    EXPECT_EQ(ledger_allocs, 0);

    use_types();
    use_all_allocators(NULL);
    EXPECT(ledger_allocs > 100);

    oxi_types_reset();
    ox_memory_trim();
    EXPECT_EQ(ledger_alive, 0);
    EXPECT_EQ(ledger_faults, 0);
    fputs("all came back\n", stderr);
}

TEST(hooks, set_first_see_every_allocation_and_get_all_back) {
    EXPECT_EXITS(hooks_first, "all came back");
}

TEST_CHILD(hooks_of_threads) {
    EXPECT(ox_memory_set_hooks(&ledger_def));
    oxi_thread threads[8];
    for (int k = 0; k < 8; k++) {
        EXPECT(oxi_thread_start(&threads[k], use_all_allocators, NULL, "user"));
    }
    for (int k = 0; k < 8; k++) {
        oxi_thread_join(&threads[k]);
    }

    ox_memory_trim();
    EXPECT_EQ(ledger_alive, 0);
    EXPECT_EQ(ledger_faults, 0);
    fputs("all came back\n", stderr);
}

TEST(hooks, get_the_memory_of_threads_back_when_they_end) {
    EXPECT_EXITS(hooks_of_threads, "all came back");
}

TEST_CHILD(hooks_of_frames) {
    EXPECT(ox_memory_set_hooks(&ledger_def));
    for (int frame = 0; frame < 50; frame++) {
        EXPECT(ox_memory_alloc(OX_TEMP, (size_t)frame * 5000 + 1, 8) != NULL);
        use_all_allocators(NULL);
        ox_frame_end();
    }

    ox_memory_trim();
    EXPECT_EQ(ledger_alive, 0);
    EXPECT_EQ(ledger_faults, 0);
    fputs("all came back\n", stderr);
}

TEST(hooks, get_the_memory_of_frames_back_after_a_trim) {
    EXPECT_EXITS(hooks_of_frames, "all came back");
}

TEST_CHILD(hooks_twice) {
    EXPECT(ox_memory_set_hooks(NULL));
    EXPECT(ox_memory_set_hooks(&ledger_def));
    void *block = ox_memory_alloc(OX_PERSISTENT, 16, 8);
    EXPECT(ledger_allocs > 0);
    ox_memory_free(OX_PERSISTENT, block, 16, 8);
    fputs("the last ones count\n", stderr);
}

TEST(hooks, may_be_replaced_until_the_first_allocation) {
    EXPECT_EXITS(hooks_twice, "the last ones count");
}

TEST(hooks, set_too_late_are_reported_and_not_used) {
    void *block = ox_memory_alloc(OX_PERSISTENT, 16, 8);
    collected_reports reports;
    collect_reports(&reports);

    EXPECT(!ox_memory_set_hooks_at(&ledger_def, "main.c:3"));

    EXPECT_REPORT(&reports, OX_REPORT_HOOKS_TOO_LATE);
    EXPECT_STR(reports.site, "main.c:3");
    ox_memory_free(OX_PERSISTENT, block, 16, 8);
    block = ox_memory_alloc(OX_PERSISTENT, 16, 8);
    EXPECT_EQ(ledger_allocs + ledger_faults, 0);
    ox_memory_free(OX_PERSISTENT, block, 16, 8);
    EXPECT_EQ(reports.count, 0);
}

TEST(hooks, half_a_definition_or_garbage_is_refused) {
    collected_reports reports;
    collect_reports(&reports);
    oxi_heap_forget();

    EXPECT(!ox_memory_set_hooks(&(ox_allocator_def){.alloc_fn = ledger_alloc}));
    EXPECT_REPORT(&reports, OX_REPORT_HALF_ALLOCATOR);
    EXPECT(!ox_memory_set_hooks(&(ox_allocator_def){.free_fn = ledger_free}));
    EXPECT_REPORT(&reports, OX_REPORT_HALF_ALLOCATOR);
    EXPECT(!ox_memory_set_hooks(&(ox_allocator_def){._guard_end = 1}));
    EXPECT_REPORT(&reports, OX_REPORT_DEF_GARBAGE);

    void *block = ox_memory_alloc(OX_PERSISTENT, 16, 8);
    EXPECT(block != NULL && ledger_allocs == 0);
    ox_memory_free(OX_PERSISTENT, block, 16, 8);
}

static void *refuse_alloc(size_t size, size_t align, void *context) {
    (void)size;
    (void)align;
    (void)context;
    return NULL;
}

static const ox_allocator_def refusing_def = {.alloc_fn = refuse_alloc, .free_fn = ledger_free};

TEST_CHILD(hooks_that_refuse) {
    static collected_reports reports;
    collect_reports(&reports);
    EXPECT(ox_memory_set_hooks(&refusing_def));
    for (int k = 0; k < 3; k++) {
        EXPECT(ox_memory_alloc(built_in[k], 16, 8) == NULL);
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    }
    EXPECT(ox_type_find("Spring") == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    ox_frame_end();
    ox_memory_trim();
    fputs("went on\n", stderr);
}

TEST(hooks, that_refuse_everything_end_nothing) {
    EXPECT_EXITS(hooks_that_refuse, "went on");
}

// The next call of the hook that counts down to 0 is the bad one.
static int calls_until_bad;
static _Alignas(4096) char misaligned[1 << 17];
static char *called_block;

static void *misaligned_alloc(size_t size, size_t align, void *context) {
    bool bad = calls_until_bad-- == 0;
    return bad ? misaligned + 1 : ledger_alloc(size, align, context);
}

static void misaligned_free(void *block, size_t size, size_t align, void *context) {
    if (block != misaligned + 1) {
        ledger_free(block, size, align, context);
    }
}

static const ox_allocator_def misaligned_def = {
    .alloc_fn = misaligned_alloc, .free_fn = misaligned_free, .context = ledger};

TEST_CHILD(misaligned_hooks) {
    static collected_reports reports;
    collect_reports(&reports);
    EXPECT(ox_memory_set_hooks(&misaligned_def));
    for (int k = 0; k < 9; k++) {
        calls_until_bad = k / 3;
        void *block = ox_memory_alloc(built_in[k % 3], 16, 8);
        if (calls_until_bad < 0) {
            EXPECT_REPORT(&reports, OX_REPORT_BAD_BLOCK);
        }
        EXPECT_EQ(reports.count, 0);
        ox_memory_free(built_in[k % 3], block, 16, 8);
        ox_frame_end();
        ox_memory_trim();
        EXPECT_EQ(ledger_alive, 0);
    }
    fputs("went on\n", stderr);
}

TEST_CHECKED(hooks, that_return_misaligned_blocks_are_reported_once) {
    EXPECT_EXITS(misaligned_hooks, "went on");
}

static void alloc_in_handler(const ox_report *report, void *context) {
    (void)report;
    calls_until_bad = 1000000;
    void *block = ox_memory_alloc(OX_PERSISTENT, 64, 8);
    *(int *)context += block != NULL;
    ox_memory_free(OX_PERSISTENT, block, 64, 8);
}

TEST_CHILD(handler_that_allocates) {
    int allocated = 0;
    alarm(10); // a lock that is held would be waited for without end
    ox_report_set_handler((ox_report_handler){alloc_in_handler, &allocated});
    EXPECT(ox_memory_set_hooks(&misaligned_def));
    for (int k = 0; k < 3; k++) {
        calls_until_bad = k;
        void *block = ox_memory_alloc(OX_PERSISTENT, 16, 8);
        EXPECT_EQ(allocated, k + 1);
        ox_memory_free(OX_PERSISTENT, block, 16, 8);
        ox_memory_trim();
    }
    EXPECT_EQ(ledger_alive, 0);
    fputs("went on\n", stderr);
}

TEST_CHECKED(hooks, that_are_bad_may_be_reported_to_a_handler_that_allocates) {
    EXPECT_EXITS(handler_that_allocates, "went on");
}

static void *calling_alloc(size_t size, size_t align, void *context) {
    ox_memory_free(OX_PERSISTENT, called_block, 16, 8);
    ox_memory_alloc(OX_TEMP, 16, 8);
    ox_memory_trim();
    ox_type_find("Hooked");
    return ledger_alloc(size, align, context);
}

static void calling_free(void *block, size_t size, size_t align, void *context) {
    ox_memory_free(OX_PERSISTENT, called_block, 16, 8);
    ox_memory_alloc(OX_TEMP_JOB, 16, 8);
    ox_frame_end();
    ledger_free(block, size, align, context);
}

static void count_reentered(const ox_report *report, void *context) {
    *(int *)context += report->id == OX_REPORT_ALLOCATOR_REENTERED ? 1 : 1000000;
}

static const ox_allocator_def calling_def = {
    .alloc_fn = calling_alloc, .free_fn = calling_free, .context = ledger};

TEST_CHILD(hooks_that_call_back) {
    int reentered = 0;
    alarm(10); // a lock that is held would be waited for without end
    ox_report_set_handler((ox_report_handler){count_reentered, &reentered});
    EXPECT(ox_memory_set_hooks(&calling_def));
    called_block = misaligned;
    use_all_allocators(NULL);
    ox_type_find("Hooked"); // takes types in, which allocates
    oxi_types_reset();
    called_block = NULL;
    ox_memory_trim();

    EXPECT(reentered > 100 && reentered < 1000000);
    EXPECT_EQ(ledger_alive, 0);
    EXPECT_EQ(ledger_faults, 0);
    fputs("went on\n", stderr);
}

TEST_CHECKED(hooks, that_call_back_are_told_so_and_do_no_harm) {
    EXPECT_EXITS(hooks_that_call_back, "went on");
}
