// SPDX-License-Identifier: MIT
//
// Every fallible call of memory, regions, types and the scanner is failed once, alone and together
// with all that follow. Whatever fails leaves nothing behind and breaks nothing.

#include "test.h"

#include "base/platform.h"
#include "base/region.h"
#include "base/types.h"
#include "oxbow/memory.h"
#include "oxbow/struct.h"

#include <string.h>

// Writes to a block if there is one.
static void *alloc_and_fill(ox_allocator allocator, size_t size, size_t align) {
    void *block = ox_memory_alloc(allocator, size, align);
    if (block != NULL) {
        memset(block, 1, size);
    }
    return block;
}

static void give_everything_back(void) {
    ox_frame_end();
    ox_memory_trim();
}

static void use_persistent(void) {
    enum { MANY = 600 }; // more than the first slab of records and the first table of chains hold
    void *blocks[MANY];
    for (int k = 0; k < MANY; k++) {
        blocks[k] = alloc_and_fill(OX_PERSISTENT, (size_t)k + 1, 8);
    }
    for (int k = 0; k < MANY; k++) {
        ox_memory_free(OX_PERSISTENT, blocks[k], (size_t)k + 1, 8);
    }
    give_everything_back();
}

TEST(memory_faults, persistent_memory) {
    test_fault_sweep("persistent memory", use_persistent);
}

static void use_temp(void) {
    alloc_and_fill(OX_TEMP, 100, 8);
    ox_temp_scope scope = ox_temp_begin();
    alloc_and_fill(OX_TEMP, 50000, 64);
    alloc_and_fill(OX_TEMP, 1000000, 8);
    ox_temp_end(scope);
    alloc_and_fill(OX_TEMP, 3000000, 4096);
    ox_frame_end();
    alloc_and_fill(OX_TEMP, 100, 8);
    give_everything_back();
}

TEST(memory_faults, temp_memory) {
    test_fault_sweep("temp memory", use_temp);
}

static void use_temp_job(void) {
    void *blocks[20];
    for (int k = 0; k < 20; k++) {
        blocks[k] = alloc_and_fill(OX_TEMP_JOB, (size_t)k * 1000 + 1, 16);
    }
    for (int k = 0; k < 20; k++) {
        ox_memory_free(OX_TEMP_JOB, blocks[k], (size_t)k * 1000 + 1, 16);
    }
    give_everything_back();
}

TEST(memory_faults, temp_job_memory) {
    test_fault_sweep("temp job memory", use_temp_job);
}

static void use_own_allocator(void) {
    ox_allocator own = ox_allocator_create(NULL);
    void *block = alloc_and_fill(own, 100, 8);
    ox_memory_free(own, block, 100, 8);
    ox_allocator_destroy(own);
    give_everything_back();
}

TEST(memory_faults, own_allocators) {
    test_fault_sweep("own allocators", use_own_allocator);
}

static void use_region(void) {
    oxi_region region;
    if (!oxi_region_create(&region, 1 << 24, 1 << 14)) {
        return;
    }
    size_t held = 0;
    for (size_t size = 1; size < 1 << 22; size *= 3) {
        if (oxi_region_grow(&region, size)) {
            memset(region.base + held, 1, region.committed - held);
            held = region.committed;
        }
    }
    oxi_region_shrink(&region, 5000);
    if (oxi_region_grow(&region, 1 << 14)) {
        region.base[(1 << 14) - 1] = 1;
    }
    oxi_region_destroy(&region);
}

TEST(memory_faults, regions) {
    test_fault_sweep("regions", use_region);
}

// Types that wait to be taken in. Those that could not be still wait in the next run, so each run
// has descriptors of its own.
static void link_waiting_types(void) {
    enum { MOST_RUNS = 200 };
    static ox_type waiting[MOST_RUNS * 3];
    static int runs;
    static const char *const names[] = {"FaultA", "FaultB", "FaultC"};
    EXPECT(runs < MOST_RUNS);
    for (int k = 0; k < 3; k++) {
        ox_type *type = &waiting[runs * 3 + k];
        *type = (ox_type){.name = names[k],
                          .text = "{ int a, b; }",
                          .size = 8,
                          .align = 4,
                          .header_version = OX_VERSION};
        oxi_type_link(type);
    }
    runs++;
}

static void use_types(void) {
    const ox_type type = {.name = "FaultOuter",
                          .text = "{ FaultA a; FaultB b[2]; float f; }",
                          .size = 28,
                          .align = 4,
                          .header_version = OX_VERSION};
    link_waiting_types();
    const ox_type *found = ox_type_find("FaultC");
    const ox_type *made = ox_type_register(&type);
    ox_layout layout;
    if (made != NULL && ox_layout_create(made, &layout)) {
        EXPECT_EQ(layout.size, 28);
        EXPECT_EQ(ox_layout_find(&layout, "b.a"), 4);
        ox_layout_dispose(&layout);
    }
    EXPECT(found == NULL || found->size == 8);
    oxi_types_reset();
}

TEST(memory_faults, types_and_the_scanner) {
    test_fault_sweep("types and the scanner", use_types);
}

static void use_everything(void *context) {
    (void)context;
    ox_temp_scope scope = ox_temp_begin();
    alloc_and_fill(OX_TEMP, 1000, 8);
    void *job = alloc_and_fill(OX_TEMP_JOB, 1000, 8);
    void *kept = alloc_and_fill(OX_PERSISTENT, 1000, 8);
    ox_memory_free(OX_TEMP_JOB, job, 1000, 8);
    ox_memory_free(OX_PERSISTENT, kept, 1000, 8);
    ox_temp_end(scope);
}

static void use_a_thread(void) {
    oxi_thread thread;
    if (oxi_thread_start(&thread, use_everything, NULL, "faulty")) {
        oxi_thread_join(&thread);
    }
    use_everything(NULL);
    give_everything_back();
}

TEST(memory_faults, threads_that_end) {
    test_fault_sweep("threads that end", use_a_thread);
}
