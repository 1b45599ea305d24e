// SPDX-License-Identifier: MIT
//
// Leaks: what is listed, in which order, and when the process exits.

#include "test.h"

#include "oxbow/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Every report as a line: code, place, count and bytes.
static char listing[4096];
static size_t listed;

static void list_report(const ox_report *report, void *context) {
    (void)context;
    const ox_report_value *count = ox_report_find(report, "count");
    const ox_report_value *bytes = ox_report_find(report, "bytes");
    listed += (size_t)snprintf(listing + listed, sizeof listing - listed, "%s %s %d %d\n",
                               report->code, report->site != NULL ? report->site : "-",
                               count != NULL ? (int)count->number : -1,
                               bytes != NULL ? (int)bytes->number : -1);
}

static void start_listing(void) {
    listed = 0;
    listing[0] = 0;
    ox_report_set_handler((ox_report_handler){list_report, NULL});
}

TEST(leaks, nothing_alive_is_no_leak) {
    start_listing();
    void *temp = ox_memory_alloc(OX_TEMP, 100, 8);
    void *freed = ox_memory_alloc(OX_PERSISTENT, 100, 8);
    ox_memory_free(OX_PERSISTENT, freed, 100, 8);

    EXPECT_EQ(ox_memory_check_leaks(), 0);

    EXPECT_STR(listing, "");
    EXPECT(temp != NULL);
}

TEST_CHECKED(leaks, are_reported_once_for_each_place) {
    void *blocks[5];
    for (int k = 0; k < 5; k++) {
        blocks[k] = ox_memory_alloc_at(OX_PERSISTENT, (size_t)k + 1, 1, k < 3 ? "a.c:1" : "b.c:2");
    }
    start_listing();

    EXPECT_EQ(ox_memory_check_leaks(), 5);

    EXPECT_STR(listing, "OX-M14 a.c:1 3 6\nOX-M14 b.c:2 2 9\n");
    for (int k = 0; k < 5; k++) {
        ox_memory_free(OX_PERSISTENT, blocks[k], (size_t)k + 1, 1);
    }
}

TEST_CHECKED(leaks, reports_name_allocator_and_place) {
    collected_reports reports;
    void *block = ox_memory_alloc_at(OX_TEMP_JOB, 24, 8, "a.c:1");
    collect_reports(&reports);

    EXPECT_EQ(ox_memory_check_leaks(), 1);

    EXPECT_REPORT(&reports, OX_REPORT_LEAK);
    EXPECT_HAS(reports.text, "  1 block, 24 bytes from OX_TEMP_JOB, allocated at a.c:1");
    EXPECT_HAS(reports.text, "fix: free what is allocated at a.c:1\n");
    EXPECT_STR(reports.site, "a.c:1");
    ox_memory_free(OX_TEMP_JOB, block, 24, 8);
}

static const ox_site eight_sites[] = {"d.c:1", "a.c:9", "a.c:10", "c.c:1",
                                      NULL,    "b.c:1", "a.c:9",  "e.c:1"};

TEST_CHECKED(leaks, are_listed_in_the_order_of_places_whatever_the_order_of_blocks) {
    for (int round = 0; round < 8; round++) {
        void *blocks[8];
        for (int k = 0; k < 8; k++) {
            int which = (k * 3 + round) % 8;
            blocks[which] = ox_memory_alloc_at(OX_PERSISTENT, 10, 8, eight_sites[which]);
        }
        start_listing();

        EXPECT_EQ(ox_memory_check_leaks(), 8);

        EXPECT_STR(listing, "OX-M14 - 1 10\nOX-M14 a.c:10 1 10\nOX-M14 a.c:9 2 20\n"
                            "OX-M14 b.c:1 1 10\nOX-M14 c.c:1 1 10\nOX-M14 d.c:1 1 10\n"
                            "OX-M14 e.c:1 1 10\n");
        for (int k = 0; k < 8; k++) {
            ox_memory_free(OX_PERSISTENT, blocks[k], 10, 8);
        }
    }
}

TEST_CHECKED(leaks, of_one_place_are_told_apart_by_allocator) {
    ox_allocator own = ox_allocator_create(&(ox_allocator_def){.name = "own"});
    const ox_allocator from[] = {own, OX_PERSISTENT, OX_TEMP_JOB};
    void *blocks[3];
    for (int k = 0; k < 3; k++) {
        blocks[k] = ox_memory_alloc_at(from[k], (size_t)(k + 1) * 10, 8, "a.c:1");
    }
    start_listing();

    EXPECT_EQ(ox_memory_check_leaks(), 3);

    EXPECT_STR(listing, "OX-M14 a.c:1 1 30\nOX-M14 a.c:1 1 20\nOX-M14 a.c:1 1 10\n");
    for (int k = 0; k < 3; k++) {
        ox_memory_free(from[k], blocks[k], (size_t)(k + 1) * 10, 8);
    }
    ox_allocator_destroy(own);
}

TEST_CHECKED(leaks, in_the_same_text_from_two_files_are_one_place) {
    char first[] = "same.c:1", second[] = "same.c:1";
    void *a = ox_memory_alloc_at(OX_PERSISTENT, 1, 1, first);
    void *b = ox_memory_alloc_at(OX_PERSISTENT, 2, 1, second);
    start_listing();

    EXPECT_EQ(ox_memory_check_leaks(), 2);

    EXPECT_STR(listing, "OX-M14 same.c:1 2 3\n");
    ox_memory_free(OX_PERSISTENT, a, 1, 1);
    ox_memory_free(OX_PERSISTENT, b, 2, 1);
}

TEST_CHECKED(leaks, that_are_freed_are_listed_no_more) {
    void *a = ox_memory_alloc_at(OX_PERSISTENT, 1, 1, "a.c:1");
    void *b = ox_memory_alloc_at(OX_PERSISTENT, 2, 1, "b.c:1");
    start_listing();
    EXPECT_EQ(ox_memory_check_leaks(), 2);

    ox_memory_free(OX_PERSISTENT, a, 1, 1);
    start_listing();
    EXPECT_EQ(ox_memory_check_leaks(), 1);

    EXPECT_STR(listing, "OX-M14 b.c:1 1 2\n");
    ox_memory_free(OX_PERSISTENT, b, 2, 1);
}

TEST(leaks, are_not_known_to_the_release_library) {
    void *block = ox_memory_alloc(OX_PERSISTENT, 1, 1);
    start_listing();

    EXPECT_EQ(ox_memory_check_leaks(), ox_get_safety_level() >= 1 ? 1 : 0);

    ox_memory_free(OX_PERSISTENT, block, 1, 1);
}

// Static, so that LeakSanitizer finds the blocks and only Oxbow's own list is printed.
static void *leaked[3];

static void abort_on_report(const ox_report *report, void *context) {
    (void)report;
    (void)context;
    abort();
}

TEST_CHILD(leaks_at_exit) {
    leaked[0] = ox_memory_alloc_at(OX_PERSISTENT, 100, 8, "game.c:7");
    leaked[1] = ox_memory_alloc_at(OX_PERSISTENT, 20, 8, "game.c:7");
    leaked[2] = ox_memory_alloc_at(OX_TEMP_JOB, 5, 8, "game.c:8");
    // Whoever listens may be gone when the process exits.
    ox_report_set_handler((ox_report_handler){abort_on_report, NULL});
}

TEST_CHECKED(leaks, are_printed_when_the_process_exits) {
    EXPECT_EXITS(leaks_at_exit, "OX-M14");
    EXPECT_EXITS(leaks_at_exit, "2 blocks, 120 bytes from OX_PERSISTENT, allocated at game.c:7");
    EXPECT_EXITS(leaks_at_exit, "1 block, 5 bytes from OX_TEMP_JOB, allocated at game.c:8");
}

static void expect_no_leak_was_printed(void) {
    fputs(ox_report_count(OX_REPORT_LEAK) == 0 ? "no leak\n" : "leaks\n", stderr);
}

TEST_CHILD(clean_exit) {
    atexit(expect_no_leak_was_printed); // runs after what Oxbow registers later
    void *block = ox_memory_alloc(OX_PERSISTENT, 100, 8);
    ox_memory_free(OX_PERSISTENT, block, 100, 8);
    leaked[0] = ox_memory_alloc(OX_TEMP, 100, 8);
}

TEST(leaks, are_not_printed_when_there_are_none) {
    EXPECT_EXITS(clean_exit, "no leak");
}
