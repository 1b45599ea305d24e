// SPDX-License-Identifier: MIT
//
// Scopes of Temp memory: what they free, how they nest, and ends that do not fit.

#include "memory_test.h"

#include "base/platform.h"
#include "base/temp.h"
#include "oxbow/memory.h"

#include <string.h>

TEST(temp_scope, scope_frees_what_was_allocated_inside) {
    ox_temp_scope scope = ox_temp_begin();
    void *first = ox_memory_alloc(OX_TEMP, 100, 8);
    ox_temp_end(scope);

    scope = ox_temp_begin();
    void *second = ox_memory_alloc(OX_TEMP, 100, 8);
    ox_temp_end(scope);

    EXPECT_EQ(first, second);
}

TEST(temp_scope, scope_keeps_what_was_allocated_before) {
    unsigned char *before = alloc_filled_temp(100, 1);
    ox_temp_scope outer = ox_temp_begin();
    unsigned char *middle = alloc_filled_temp(100, 2);
    ox_temp_scope inner = ox_temp_begin();
    for (int k = 0; k < 100; k++) {
        alloc_filled_temp(10000, 3);
    }

    ox_temp_end(inner);
    unsigned char *after = alloc_filled_temp(100000, 4);

    EXPECT(holds_only(before, 1, 100) && holds_only(middle, 2, 100));
    EXPECT(holds_only(after, 4, 100000));
    ox_temp_end(outer);
    alloc_filled_temp(100000, 5);
    EXPECT(holds_only(before, 1, 100));
}

TEST(temp_scope, scopes_nest_a_thousand_deep) {
    ox_temp_scope scopes[1000];
    unsigned char *blocks[1000];
    for (int k = 0; k < 1000; k++) {
        blocks[k] = alloc_filled_temp(200, (unsigned char)k);
        scopes[k] = ox_temp_begin();
    }
    collected_reports reports;
    collect_reports(&reports);

    for (int k = 999; k >= 0; k--) {
        EXPECT(holds_only(blocks[k], (unsigned char)k, 200));
        ox_temp_end(scopes[k]);
    }

    EXPECT_EQ(reports.count, 0);
    EXPECT_EQ(oxi_temp_get_depth(), 0);
    EXPECT(holds_only(blocks[0], 0, 200));
}

TEST(temp_scope, scope_that_begins_at_the_end_of_a_block_ends_there) {
    ox_frame_end();
    ox_memory_trim();
    collected_reports reports;
    collect_reports(&reports);

    for (int k = 0; k < 3000; k++) {
        unsigned char *block = alloc_filled_temp(56, (unsigned char)k);
        ox_temp_scope scope = ox_temp_begin();
        alloc_filled_temp((size_t)(k % 128 + 1), 1);
        ox_temp_end(scope);
        EXPECT(holds_only(block, (unsigned char)k, 56));
    }

    EXPECT_EQ(reports.count, 0);
}

TEST(temp_scope, scope_ended_before_an_inner_one_is_reported_and_stays_open) {
    ox_temp_scope outer = ox_temp_begin(), inner = ox_temp_begin();
    unsigned char *block = alloc_filled_temp(100, 5);
    collected_reports reports;
    collect_reports(&reports);

    ox_temp_end_at(outer, "a.c:1");

    EXPECT_REPORT(&reports, OX_REPORT_TEMP_SCOPE_ORDER);
    EXPECT_HAS(reports.text, "scope 1 is ended while scope 2 is the innermost open one");
    EXPECT_STR(reports.site, "a.c:1");
    EXPECT_EQ(oxi_temp_get_depth(), 2);
    EXPECT(holds_only(block, 5, 100));
    ox_temp_end(inner);
    ox_temp_end(outer);
    EXPECT_EQ(reports.count, 0);
}

TEST(temp_scope, scopes_that_are_not_open_are_reported) {
    ox_temp_scope ended = ox_temp_begin();
    ox_temp_end(ended);
    const ox_temp_scope wrong[] = {ended, {0}, {0, 7}, {UINT64_MAX, 1}, {0, UINT32_MAX}};
    collected_reports reports;
    collect_reports(&reports);

    for (int k = 0; k < 5; k++) {
        ox_temp_end(wrong[k]);
        EXPECT_REPORT(&reports, OX_REPORT_TEMP_SCOPE_ORDER);
    }

    EXPECT_EQ(oxi_temp_get_depth(), 0);
}

TEST_CHECKED(temp_scope, scope_ended_twice_does_not_end_another_one) {
    ox_temp_scope first = ox_temp_begin();
    ox_temp_end(first);
    unsigned char *between = alloc_filled_temp(100, 1);
    ox_temp_scope second = ox_temp_begin();
    unsigned char *inside = alloc_filled_temp(100, 2);
    collected_reports reports;
    collect_reports(&reports);

    ox_temp_end(first);

    EXPECT_REPORT(&reports, OX_REPORT_TEMP_SCOPE_ORDER);
    EXPECT(holds_only(between, 1, 100) && holds_only(inside, 2, 100));
    ox_temp_end(second);
    EXPECT_EQ(reports.count, 0);
}

TEST(temp_scope, freeing_a_block_of_an_outer_scope_leaves_the_inner_one_whole) {
    collected_reports reports;
    collect_reports(&reports);
    for (size_t size = 0; size < 300; size += 100) {
        unsigned char *outer = alloc_filled_temp(200, 1);
        ox_temp_scope scope = ox_temp_begin();

        ox_memory_free(OX_TEMP, outer, 200, 8);
        unsigned char *inner = size > 0 ? alloc_filled_temp(size, 2) : NULL;

        EXPECT(holds_only(inner, 2, size));
        ox_temp_end(scope);
        EXPECT_EQ(reports.count, 0);
        EXPECT_EQ(oxi_temp_get_depth(), 0);
    }
}

TEST(temp_scope, frame_end_inside_a_scope_is_reported_and_ends_nothing) {
    uint64_t frame = ox_frame_get_number();
    ox_temp_scope scope = ox_temp_begin();
    unsigned char *block = alloc_filled_temp(100, 5);
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_frame_end_at("a.c:1"), frame);

    EXPECT_REPORT(&reports, OX_REPORT_TEMP_SCOPE_ORDER);
    EXPECT_STR(reports.site, "a.c:1");
    EXPECT_EQ(ox_frame_get_number(), frame);
    EXPECT(holds_only(block, 5, 100));
    ox_temp_end(scope);
    EXPECT_EQ(ox_frame_end(), frame + 1);
    EXPECT_EQ(reports.count, 0);
}

TEST_CHECKED(temp_scope, free_after_its_scope_is_reported) {
    collected_reports reports;
    collect_reports(&reports);
    ox_temp_scope scope = ox_temp_begin();
    void *blocks[] = {ox_memory_alloc(OX_TEMP, 100, 8), ox_memory_alloc(OX_TEMP, 1 << 20, 8),
                      ox_memory_alloc(OX_TEMP, 1, 4096)};
    ox_temp_end(scope);

    for (int k = 0; k < 3; k++) {
        ox_memory_free(OX_TEMP, blocks[k], 100, 8);
        EXPECT_REPORT(&reports, OX_REPORT_TEMP_OUTLIVED);
    }
}

static void end_scope_of_other(void *context) {
    ox_temp_end(*(ox_temp_scope *)context);
}

TEST(temp_scope, scope_ended_on_another_thread_is_reported) {
    collected_reports reports;
    collect_reports(&reports);
    ox_temp_scope scope = ox_temp_begin();

    run_on_thread(end_scope_of_other, &scope);

    EXPECT_REPORT(&reports, OX_REPORT_TEMP_SCOPE_ORDER);
    ox_temp_end(scope);
    EXPECT_EQ(reports.count, 0);
}

TEST(temp_scope, scope_without_memory_survives_a_trim) {
    ox_frame_end();
    ox_memory_trim();
    collected_reports reports;
    collect_reports(&reports);
    ox_temp_scope outer = ox_temp_begin(), inner = ox_temp_begin();

    ox_memory_trim();
    alloc_filled_temp(100, 1);

    ox_temp_end(inner);
    ox_temp_end(outer);
    EXPECT_EQ(reports.count, 0);
    EXPECT_EQ(oxi_temp_get_depth(), 0);
}
