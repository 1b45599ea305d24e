// SPDX-License-Identifier: MIT
//
// Allocating and freeing with the allocators that Oxbow brings: sizes, alignments, arrays, and
// frees that do not fit.

#include "test.h"

#include "base/heap.h"
#include "base/poison.h"
#include "base/substitute.h"
#include "oxbow/memory.h"

#include <string.h>

// A size that no system has is refused by the sanitizers too, instead of ending the process.
const char *__asan_default_options(void);
const char *__tsan_default_options(void);
__attribute__((visibility("default"))) const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}
__attribute__((visibility("default"))) const char *__tsan_default_options(void) {
    return "allocator_may_return_null=1";
}

static const ox_allocator built_in[] = {OX_TEMP, OX_TEMP_JOB, OX_PERSISTENT};
enum { BUILT_IN = 3, LARGEST_REQUEST = 2 * OX_MAX_ALIGNMENT };

static bool is_aligned(const void *block, size_t align) {
    return ((uintptr_t)block & (align - 1)) == 0;
}

static bool holds_only(const unsigned char *block, unsigned char byte, size_t size) {
    for (size_t k = 0; k < size; k++) {
        if (block[k] != byte) {
            return false;
        }
    }
    return true;
}

// What is alive: a call without effect leaves both as they are.
static uint64_t count_alive(void) {
    return ox_memory_get_usage(0).block_count + ox_memory_get_usage(0).bytes * 1000 +
           oxi_heap_get_blocks() * 1000000000;
}

TEST(memory, no_bytes_are_null_without_a_report) {
    const ox_allocator any[] = {0, OX_TEMP, OX_TEMP_JOB, OX_PERSISTENT, 99};
    collected_reports reports;
    collect_reports(&reports);
    uint64_t alive = count_alive();

    for (int k = 0; k < 5; k++) {
        EXPECT(ox_memory_alloc(any[k], 0, 8) == NULL);
        EXPECT(ox_memory_alloc_array_at(any[k], 0, 16, 8, OX_HERE) == NULL);
        EXPECT(ox_memory_alloc_array_at(any[k], SIZE_MAX, 0, 8, OX_HERE) == NULL);
    }

    EXPECT_EQ(reports.count, 0);
    EXPECT_EQ(count_alive(), alive);
}

TEST(memory, one_byte_can_be_written_and_freed) {
    collected_reports reports;
    collect_reports(&reports);

    for (int k = 0; k < BUILT_IN; k++) {
        char *block = ox_memory_alloc(built_in[k], 1, 1);
        EXPECT(block != NULL);
        *block = 'x';
        ox_memory_free(built_in[k], block, 1, 1);
    }

    EXPECT_EQ(reports.count, 0);
}

TEST(memory, all_alignments_and_many_sizes_are_honoured) {
    const size_t sizes[] = {1, 2, 7, 8, 63, 255, 4096, 16384, 16385, 100000};

    for (int a = 0; a < BUILT_IN; a++) {
        for (size_t align = 1; align <= OX_MAX_ALIGNMENT; align *= 2) {
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                char *block = ox_memory_alloc(built_in[a], sizes[s], align);
                EXPECT(block != NULL && is_aligned(block, align));
                memset(block, 1, sizes[s]);
                ox_memory_free(built_in[a], block, sizes[s], align);
            }
        }
    }
}

TEST(memory, blocks_alive_together_do_not_overlap) {
    unsigned char *blocks[BUILT_IN][64];
    for (int k = 0; k < BUILT_IN * 64; k++) {
        size_t size = (size_t)(k % 64) * 37 + 1;
        blocks[k / 64][k % 64] = ox_memory_alloc(built_in[k / 64], size, (size_t)1 << k % 9);
        EXPECT(blocks[k / 64][k % 64] != NULL);
        memset(blocks[k / 64][k % 64], k, size);
    }

    for (int k = 0; k < BUILT_IN * 64; k++) {
        size_t size = (size_t)(k % 64) * 37 + 1;
        EXPECT(holds_only(blocks[k / 64][k % 64], (unsigned char)k, size));
        ox_memory_free(built_in[k / 64], blocks[k / 64][k % 64], size, (size_t)1 << k % 9);
    }
}

TEST(memory, bad_alignments_are_reported_and_allocate_nothing) {
    const size_t bad[] = {0, 3, 6, 24, 4095, 4097, 8192, 65536, SIZE_MAX, SIZE_MAX / 2 + 1};
    collected_reports reports;
    collect_reports(&reports);
    uint64_t alive = count_alive();

    for (int k = 0; k < 10 * BUILT_IN; k++) {
        EXPECT(ox_memory_alloc_at(built_in[k % BUILT_IN], 16, bad[k / BUILT_IN], "a.c:1") == NULL);

        EXPECT_REPORT(&reports, OX_REPORT_BAD_ALIGNMENT);
        EXPECT_STR(reports.site, "a.c:1");
    }
    EXPECT_EQ(count_alive(), alive);
}

TEST(memory, sizes_beyond_any_memory_are_reported_and_allocate_nothing) {
    const size_t bad[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 1, (size_t)PTRDIFF_MAX,
                          (size_t)PTRDIFF_MAX - LARGEST_REQUEST + 1};
    collected_reports reports;
    collect_reports(&reports);
    uint64_t alive = count_alive();

    for (int k = 0; k < 5 * BUILT_IN; k++) {
        EXPECT(ox_memory_alloc_at(built_in[k % BUILT_IN], bad[k / BUILT_IN], 8, "a.c:1") == NULL);

        EXPECT_REPORT(&reports, OX_REPORT_SIZE_OVERFLOW);
        EXPECT_STR(reports.site, "a.c:1");
    }
    EXPECT_EQ(count_alive(), alive);
}

TEST(memory, largest_size_that_could_be_is_refused_as_out_of_memory) {
    const size_t size = (size_t)PTRDIFF_MAX - LARGEST_REQUEST;
    collected_reports reports;
    collect_reports(&reports);
    uint64_t alive = count_alive();

    for (int k = 0; k < BUILT_IN; k++) {
        for (size_t align = 1; align <= OX_MAX_ALIGNMENT; align *= 64) {
            EXPECT(ox_memory_alloc(built_in[k], size, align) == NULL);

            EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
        }
    }
    EXPECT_EQ(count_alive(), alive);
}

TEST(memory, array_whose_size_overflows_is_reported_with_count_and_size) {
    collected_reports reports;
    collect_reports(&reports);
    uint64_t alive = count_alive();

    EXPECT(ox_memory_alloc_array_at(OX_PERSISTENT, SIZE_MAX / 8 + 1, 8, 8, "a.c:7") == NULL);

    EXPECT_REPORT(&reports, OX_REPORT_SIZE_OVERFLOW);
    EXPECT_HAS(reports.text, "2305843009213693952 elements of 8 bytes");
    EXPECT_STR(reports.site, "a.c:7");
    EXPECT_EQ(count_alive(), alive);
}

TEST(memory, products_around_the_largest_size_are_reported) {
    const size_t cases[][2] = {{2, SIZE_MAX / 2 + 1},
                               {SIZE_MAX, SIZE_MAX},
                               {SIZE_MAX, 1},
                               {1, SIZE_MAX},
                               {SIZE_MAX / 16 + 1, 16},
                               {(size_t)1 << 32, (size_t)1 << 32},
                               {((size_t)1 << 32) + 1, ~0u}};
    collected_reports reports;
    collect_reports(&reports);

    for (int k = 0; k < 7; k++) {
        for (int a = 0; a < BUILT_IN; a++) {
            EXPECT(ox_memory_alloc_array_at(built_in[a], cases[k][0], cases[k][1], 8, NULL) ==
                   NULL);

            EXPECT_REPORT(&reports, OX_REPORT_SIZE_OVERFLOW);
        }
    }
}

typedef struct wide {
    _Alignas(64) float lanes[16];
} wide;

TEST(memory, arrays_have_the_alignment_of_their_type) {
    wide *array = ox_memory_alloc_array(OX_PERSISTENT, 10, wide);
    char *text = ox_memory_alloc_array(OX_TEMP, 3, char);

    EXPECT(is_aligned(array, 64));
    memset(array, 0, 10 * sizeof(wide));
    memset(text, 0, 3);

    ox_memory_free_array(OX_PERSISTENT, array, 10, wide);
    ox_memory_free_array(OX_TEMP, text, 3, char);
}

TEST(memory, freeing_null_is_ignored) {
    collected_reports reports;
    collect_reports(&reports);

    ox_memory_free(OX_PERSISTENT, NULL, 16, 8);
    ox_memory_free(OX_TEMP, NULL, 0, 0);
    ox_memory_free(0, NULL, 16, 8);
    ox_memory_free(12345, NULL, 16, 3);

    EXPECT_EQ(reports.count, 0);
}

static const ox_allocator never_made[] = {0,    4,          15,         16,         1039,
                                          1040, 0x10000,    0x1000f,    0xffff0010, 0xffff,
                                          9999, UINT32_MAX, 0x80000000, 0x7fffffff, 0xfffe040f};
enum { NEVER_MADE = sizeof never_made / sizeof *never_made };

TEST(memory, allocating_from_an_unknown_allocator_is_reported) {
    collected_reports reports;
    collect_reports(&reports);
    uint64_t alive = count_alive();

    for (int k = 0; k < NEVER_MADE; k++) {
        EXPECT(ox_memory_alloc_at(never_made[k], 16, 8, "a.c:2") == NULL);

        EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_ALLOCATOR);
        EXPECT_STR(reports.site, "a.c:2");
    }
    EXPECT_EQ(count_alive(), alive);
}

TEST(memory, freeing_to_an_unknown_allocator_is_reported_and_frees_nothing) {
    collected_reports reports;
    collect_reports(&reports);
    char *block = ox_memory_alloc(OX_PERSISTENT, 16, 8);
    memset(block, 7, 16);

    for (int k = 0; k < NEVER_MADE; k++) {
        ox_memory_free(never_made[k], block, 16, 8);

        EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_ALLOCATOR);
    }
    EXPECT_EQ(block[15], 7);
    ox_memory_free(OX_PERSISTENT, block, 16, 8);
    EXPECT_EQ(reports.count, 0);
}

TEST(memory, refused_memory_is_reported_with_size_allocator_and_place) {
    static const char *const names[] = {"OX_TEMP", "OX_TEMP_JOB", "OX_PERSISTENT"};
    collected_reports reports;
    collect_reports(&reports);
    ox_frame_end();
    ox_memory_trim();
    uint64_t alive = count_alive();

    for (int k = 0; k < BUILT_IN; k++) {
        oxi_fault_plan(OXI_FAULT_FROM, 0);
        EXPECT(ox_memory_alloc_at(built_in[k], 100000, 8, "a.c:3") == NULL);
        oxi_fault_plan(OXI_FAULT_NONE, 0);

        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
        EXPECT_HAS(reports.text, "100000 bytes from ");
        EXPECT_HAS(reports.text, names[k]);
        EXPECT_STR(reports.site, "a.c:3");
    }
    EXPECT_EQ(count_alive(), alive);
}

TEST(memory, usage_counts_live_blocks_of_each_allocator) {
    ox_memory_usage before = ox_memory_get_usage(0);
    void *job = ox_memory_alloc(OX_TEMP_JOB, 100, 8), *kept = ox_memory_alloc(OX_PERSISTENT, 50, 8);
    void *temp = ox_memory_alloc(OX_TEMP, 1000, 8);
    const int counts = ox_get_safety_level() >= 1;

    EXPECT(temp != NULL);
    EXPECT_EQ(ox_memory_get_usage(0).block_count - before.block_count, 2 * counts);
    EXPECT_EQ(ox_memory_get_usage(0).bytes - before.bytes, 150 * counts);
    EXPECT_EQ(ox_memory_get_usage(OX_TEMP_JOB).bytes, 100 * counts);
    EXPECT_EQ(ox_memory_get_usage(OX_PERSISTENT).block_count, counts);

    ox_memory_free(OX_TEMP_JOB, job, 100, 8);
    ox_memory_free(OX_PERSISTENT, kept, 50, 8);
    EXPECT_EQ(ox_memory_get_usage(0).block_count, before.block_count);
    EXPECT_EQ(ox_memory_get_usage(77).bytes, 0);
}

TEST_CHECKED(memory, fresh_blocks_hold_a_pattern) {
    for (int k = 0; k < BUILT_IN; k++) {
        unsigned char *block = ox_memory_alloc(built_in[k], 77, 8);

        EXPECT(holds_only(block, OXI_FRESH_BYTE, 77));

        memset(block, 0, 77);
        ox_memory_free(built_in[k], block, 77, 8);
    }
}

TEST_CHECKED(memory, block_freed_twice_is_reported_with_both_places) {
    const ox_allocator both[] = {OX_PERSISTENT, OX_TEMP_JOB, OX_TEMP};
    collected_reports reports;
    collect_reports(&reports);

    for (int k = 0; k < 3; k++) {
        void *block = ox_memory_alloc_at(both[k], 40, 8, "a.c:1");
        ox_memory_free_at(both[k], block, 40, 8, "a.c:2");
        uint64_t alive = count_alive();

        ox_memory_free_at(both[k], block, 40, 8, "a.c:3");

        EXPECT_REPORT(&reports, OX_REPORT_FREED_TWICE);
        EXPECT_HAS(reports.text, "was allocated at a.c:1 and freed at a.c:2");
        EXPECT_STR(reports.site, "a.c:3");
        EXPECT_EQ(count_alive(), alive);
    }
}

TEST_CHECKED(memory, block_freed_twice_with_other_values_is_freed_twice_all_the_same) {
    collected_reports reports;
    collect_reports(&reports);
    void *block = ox_memory_alloc(OX_PERSISTENT, 40, 8);
    ox_memory_free(OX_PERSISTENT, block, 40, 8);

    ox_memory_free(OX_PERSISTENT, block, 41, 8);
    EXPECT_REPORT(&reports, OX_REPORT_FREED_TWICE);
    ox_memory_free(OX_TEMP_JOB, block, 40, 16);
    EXPECT_REPORT(&reports, OX_REPORT_FREED_TWICE);
}

TEST_CHECKED(memory, block_freed_long_ago_is_reported_as_unknown) {
    collected_reports reports;
    collect_reports(&reports);
    void *blocks[1000], *first = ox_memory_alloc(OX_PERSISTENT, 100000, 8);
    ox_memory_free(OX_PERSISTENT, first, 100000, 8);
    for (int k = 0; k < 1000; k++) {
        blocks[k] = ox_memory_alloc(OX_PERSISTENT, 16, 8);
    }
    for (int k = 0; k < 1000; k++) {
        ox_memory_free(OX_PERSISTENT, blocks[k], 16, 8);
    }

    ox_memory_free(OX_PERSISTENT, first, 100000, 8);

    EXPECT_REPORT(&reports, OX_REPORT_FREE_UNKNOWN);
}

TEST_CHECKED(memory, freeing_with_another_size_or_alignment_keeps_the_block) {
    const size_t wrong[][2] = {{39, 8}, {41, 8}, {0, 8}, {SIZE_MAX, 8}, {40, 4}, {40, 16}, {40, 0}};
    collected_reports reports;
    collect_reports(&reports);
    for (int k = 0; k < 7 * BUILT_IN; k++) {
        unsigned char *block = ox_memory_alloc_at(built_in[k % BUILT_IN], 40, 8, "a.c:1");
        memset(block, 9, 40);
        uint64_t alive = count_alive();

        ox_memory_free(built_in[k % BUILT_IN], block, wrong[k / 3][0], wrong[k / 3][1]);

        EXPECT_REPORT(&reports, OX_REPORT_FREE_SIZE_MISMATCH);
        EXPECT_HAS(reports.text, "allocated with 40 bytes, alignment 8 at a.c:1");
        EXPECT(holds_only(block, 9, 40));
        EXPECT_EQ(count_alive(), alive);
        ox_memory_free(built_in[k % BUILT_IN], block, 40, 8);
        EXPECT_EQ(reports.count, 0);
    }
}

TEST_CHECKED(memory, freeing_to_another_allocator_keeps_the_block) {
    const ox_allocator wrong[][2] = {{OX_PERSISTENT, OX_TEMP_JOB},
                                     {OX_PERSISTENT, OX_TEMP},
                                     {OX_TEMP_JOB, OX_PERSISTENT},
                                     {OX_TEMP_JOB, OX_TEMP}};
    collected_reports reports;
    collect_reports(&reports);
    for (int k = 0; k < 4; k++) {
        unsigned char *block = ox_memory_alloc_at(wrong[k][0], 40, 8, "a.c:1");
        memset(block, 9, 40);
        uint64_t alive = count_alive();

        ox_memory_free(wrong[k][1], block, 40, 8);

        EXPECT_REPORT(&reports, OX_REPORT_FREE_WRONG_ALLOCATOR);
        EXPECT_HAS(reports.text, " at a.c:1, freed to OX_");
        EXPECT(holds_only(block, 9, 40));
        EXPECT_EQ(count_alive(), alive);
        ox_memory_free(wrong[k][0], block, 40, 8);
        EXPECT_EQ(reports.count, 0);
    }
}

TEST_CHECKED(memory, freeing_temp_memory_elsewhere_keeps_it) {
    const ox_allocator wrong[] = {OX_TEMP_JOB, OX_PERSISTENT};
    collected_reports reports;
    collect_reports(&reports);
    unsigned char *block = ox_memory_alloc(OX_TEMP, 40, 8);
    memset(block, 9, 40);

    for (int k = 0; k < 2; k++) {
        ox_memory_free(wrong[k], block, 40, 8);
        EXPECT_REPORT(&reports, OX_REPORT_FREE_UNKNOWN);
    }

    EXPECT(holds_only(block, 9, 40));
    ox_memory_free(OX_TEMP, block, 40, 8);
    EXPECT_EQ(reports.count, 0);
}

TEST_CHECKED(memory, freeing_what_was_never_allocated_is_reported) {
    static char elsewhere[64];
    char *block = ox_memory_alloc(OX_PERSISTENT, 64, 8);
    char *const pointers[] = {elsewhere, block + 1, block + 8, block + 33, block - 8, (char *)8};
    collected_reports reports;
    collect_reports(&reports);
    uint64_t alive = count_alive();

    for (int k = 0; k < 12; k++) {
        ox_memory_free_at(k % 2 == 0 ? OX_PERSISTENT : OX_TEMP_JOB, pointers[k / 2], 8, 8, "a.c:4");

        EXPECT_REPORT(&reports, OX_REPORT_FREE_UNKNOWN);
        EXPECT_STR(reports.site, "a.c:4");
        EXPECT_EQ(count_alive(), alive);
    }
    ox_memory_free(OX_PERSISTENT, block, 64, 8);
    EXPECT_EQ(reports.count, 0);
}

TEST_CHECKED(memory, freeing_as_temp_what_is_none_is_reported) {
    static char elsewhere[64];
    char *block = ox_memory_alloc(OX_TEMP, 64, 8);
    memset(block, 0, 64);
    char *const pointers[] = {elsewhere,  block + 1, block + 8, block + 63,
                              block + 64, block - 8, (char *)8, (char *)UINTPTR_MAX};
    collected_reports reports;
    collect_reports(&reports);

    for (int k = 0; k < 8; k++) {
        ox_memory_free_at(OX_TEMP, pointers[k], 8, 8, "a.c:4");

        EXPECT_REPORT(&reports, OX_REPORT_TEMP_OUTLIVED);
        EXPECT_STR(reports.site, "a.c:4");
    }
    ox_memory_free(OX_TEMP, block, 64, 8);
    EXPECT_EQ(reports.count, 0);
}

TEST_CHECKED(memory, a_block_that_cannot_be_remembered_is_given_back) {
    collected_reports reports;
    collect_reports(&reports);
    ox_memory_trim();
    uint64_t alive = count_alive();

    for (uint64_t n = 0; n < 3; n++) {
        oxi_fault_plan(OXI_FAULT_ONE, n);
        void *block = ox_memory_alloc(OX_PERSISTENT, 16, 8);
        oxi_fault_plan(OXI_FAULT_NONE, 0);

        EXPECT(block == NULL);
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
        ox_memory_trim();
        EXPECT_EQ(count_alive(), alive);
    }
}

TEST_CHECKED(memory, many_live_blocks_are_all_remembered) {
    enum { MANY = 5000 };
    static void *blocks[MANY];
    uint64_t before = ox_memory_get_usage(0).block_count;
    for (int k = 0; k < MANY; k++) {
        blocks[k] = ox_memory_alloc(OX_PERSISTENT, (size_t)(k % 100 + 1), 1);
    }

    EXPECT_EQ(ox_memory_get_usage(0).block_count, before + MANY);
    for (int k = 0; k < MANY; k++) {
        ox_memory_free(OX_PERSISTENT, blocks[k * 7 % MANY], (size_t)(k * 7 % MANY % 100 + 1), 1);
    }
    EXPECT_EQ(ox_memory_get_usage(0).block_count, before);
}
