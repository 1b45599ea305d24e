// SPDX-License-Identifier: MIT
//
// Reports: what they say, who hears them, and what happens when nobody listens.

#include "test.h"

#include "base/check.h"
#include "base/platform.h"
#include "base/report_text.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void report_null(ox_site site) {
    OXI_REPORT(NULL, OX_REPORT_NULL_ARGUMENT, site, OXI_NAME("argument", "world"),
               OXI_NAME("function", "ox_entity_create"));
}

TEST(report, reads_as_what_values_place_and_fix) {
    collected_reports reports;
    collect_reports(&reports);

    report_null("game.c:88");

    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_STR(reports.text, "oxbow: OX-B01 an argument that must not be NULL is NULL\n"
                             "  'world' of ox_entity_create is NULL\n"
                             "  at game.c:88\n"
                             "  fix: pass a valid 'world' at game.c:88\n");
    EXPECT_STR(reports.site, "game.c:88");
}

TEST(report, without_a_place_says_that_it_is_not_known) {
    collected_reports reports;
    collect_reports(&reports);

    report_null(NULL);

    EXPECT_HAS(reports.text, "fix: pass a valid 'world' at a place not known\n");
    EXPECT(strstr(reports.text, "  at ") == NULL);
}

TEST(report, has_codes_of_letter_and_two_digits) {
    EXPECT_STR(ox_report_code(OX_REPORT_OUT_OF_MEMORY), "OX-M01");
    EXPECT_STR(ox_report_code(OX_REPORT_BAD_ALIGNMENT), "OX-M03");
    EXPECT_STR(ox_report_code(OX_REPORT_ALLOCATOR_REENTERED), "OX-M19");
    EXPECT_STR(ox_report_code((ox_report_id)12345), "OX-?");
    EXPECT_EQ(OX_REPORT_FREE_UNKNOWN, 'M' * 1000 + 5);
}

static void keep_values(const ox_report *report, void *context) {
    int64_t *kept = context;
    const ox_report_value *count = ox_report_find(report, "count");
    const ox_report_value *size = ox_report_find(report, "size");
    kept[0] = count != NULL ? (int64_t)count->number : -1;
    kept[1] = size != NULL ? (int64_t)size->number : -1;
    kept[2] = ox_report_find(report, "nothing") == NULL;
    kept[3] = report->severity;
}

TEST(report, carries_its_values_as_data) {
    int64_t kept[4] = {0};
    ox_report_set_handler((ox_report_handler){keep_values, kept});

    OXI_REPORT(NULL, OX_REPORT_SIZE_OVERFLOW, OX_HERE, OXI_NUMBER("count", 7),
               OXI_NUMBER("size", 1000));

    EXPECT_EQ(kept[0], 7);
    EXPECT_EQ(kept[1], 1000);
    EXPECT_EQ(kept[2], 1);
    EXPECT_EQ(kept[3], OX_SEVERITY_ERROR);
    EXPECT(ox_report_find(NULL, "count") == NULL);
}

TEST(report, shows_numbers_addresses_and_negative_integers) {
    ox_report_value values[] = {OXI_INTEGER("a", -5), OXI_ADDRESS("b", (void *)0x10),
                                OXI_NUMBER("c", UINT64_MAX), OXI_SITE("d", "x.c:1")};
    ox_report report = {.values = values, .value_count = 4, .site = "y.c:2"};
    char text[128];

    oxi_report_expand(&report, "{a} {b} {c} {d} {site} {0}", text, sizeof text);

    EXPECT_STR(text, "-5 0x10 18446744073709551615 x.c:1 y.c:2 {0}");
}

TEST(report, shows_hostile_names_as_harmless_text) {
    collected_reports reports;
    collect_reports(&reports);
    char name[1000];
    memset(name, 'x', sizeof name);
    name[999] = 0;
    name[0] = '\n';
    name[1] = '\033';
    name[2] = '%';
    name[3] = 'n';

    OXI_REPORT(NULL, OX_REPORT_NULL_ARGUMENT, OX_HERE, OXI_NAME("argument", name),
               OXI_NAME("function", "{argument}%s"));

    EXPECT_HAS(reports.text, "'??%nxxxx");
    EXPECT_HAS(reports.text, "xx...' of {argument}%s is NULL");
}

TEST(report, shows_sentences_of_the_library_whole) {
    char sentence[400];
    memset(sentence, 'x', sizeof sentence);
    sentence[0] = '\t';
    sentence[1] = '\n';
    sentence[398] = 'y';
    sentence[399] = 0;
    ox_report_value value = OXI_WHOLE("a", sentence);
    ox_report report = {.values = &value, .value_count = 1};
    char text[512];

    oxi_report_expand(&report, "{a}", text, sizeof text);

    EXPECT_EQ(strlen(text), 399);
    EXPECT_HAS(text, "?\nxxx");
    EXPECT_HAS(text, "xy");
}

TEST(report, is_cut_to_the_buffer_and_tells_its_whole_length) {
    ox_report report = {.code = "OX-B01", .what = "what", .detail = "one\ntwo", .fix = "fix"};
    char whole[128], part[10];
    size_t length = ox_report_format(&report, whole, sizeof whole);

    EXPECT_EQ(ox_report_format(&report, part, sizeof part), length);
    EXPECT_EQ(ox_report_format(&report, NULL, 0), length);

    EXPECT_EQ(strlen(whole), length);
    EXPECT_EQ(strlen(part), 9);
    EXPECT_EQ(memcmp(whole, part, 9), 0);
    EXPECT_HAS(whole, "\n  one\n  two\n");
}

TEST(report, has_colour_only_when_asked) {
    ox_report report = {.code = "OX-B01", .what = "what", .detail = "", .fix = "fix"};
    char plain[128], coloured[128];

    oxi_report_write(&report, false, plain, sizeof plain);
    oxi_report_write(&report, true, coloured, sizeof coloured);

    EXPECT(strchr(plain, '\033') == NULL);
    EXPECT_HAS(coloured, "\033[1;31mOX-B01\033[0m what");
}

TEST(report, is_counted_and_not_delivered_while_silenced) {
    collected_reports reports;
    collect_reports(&reports);
    uint64_t before = ox_report_count(OX_REPORT_NULL_ARGUMENT);

    ox_report_silence(OX_REPORT_NULL_ARGUMENT, true);
    report_null(OX_HERE);
    ox_report_silence(OX_REPORT_NULL_ARGUMENT, false);

    EXPECT_EQ(reports.count, 0);
    EXPECT_EQ(ox_report_count(OX_REPORT_NULL_ARGUMENT), before + 1);
    report_null(OX_HERE);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    ox_report_silence((ox_report_id)1, true);
    EXPECT_EQ(ox_report_count((ox_report_id)1), 0);
}

TEST(report, goes_to_the_sink_of_a_world_first) {
    collected_reports process, world;
    collect_reports(&process);
    world = (collected_reports){0};
    oxi_report_sink sink = {{collect_report, &world}}, empty = {0};

    oxi_report_make(&sink, OX_REPORT_NULL_ARGUMENT, NULL,
                    (ox_report_value[]){OXI_NAME("argument", "a"), OXI_NAME("function", "f")}, 2);
    EXPECT_REPORT(&world, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(process.count, 0);

    oxi_report_make(&empty, OX_REPORT_NULL_ARGUMENT, NULL,
                    (ox_report_value[]){OXI_NAME("argument", "a"), OXI_NAME("function", "f")}, 2);
    EXPECT_REPORT(&process, OX_REPORT_NULL_ARGUMENT);
}

static void report_again(const ox_report *report, void *context) {
    (void)report;
    ++*(int *)context;
    report_null("inside.c:1");
}

TEST(report, made_inside_a_handler_is_printed_and_not_delivered) {
    int calls = 0;
    ox_report_set_handler((ox_report_handler){report_again, &calls});

    report_null("outside.c:1");

    EXPECT_EQ(calls, 1);
}

static void replace_handler(const ox_report *report, void *context) {
    (void)report;
    ox_report_set_handler((ox_report_handler){collect_report, context});
}

TEST(report, handler_may_be_replaced_from_inside_a_handler) {
    collected_reports reports = {0};
    ox_report_set_handler((ox_report_handler){replace_handler, &reports});

    report_null(OX_HERE);
    report_null(OX_HERE);

    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
}

TEST(report, setting_a_handler_returns_the_one_before) {
    collected_reports reports;
    collect_reports(&reports);

    ox_report_handler before = ox_report_set_handler((ox_report_handler){0});

    EXPECT(before.function == collect_report);
    EXPECT_EQ(before.context, (void *)&reports);
}

// Not atomic on purpose: calls are serialised, and TSan sees when they are not.
static void count_plainly(const ox_report *report, void *context) {
    (void)report;
    ++*(int *)context;
}

static void report_many(void *context) {
    for (int k = 0; k < 200; k++) {
        report_null(context);
    }
}

TEST(report, handler_calls_of_sixteen_threads_are_serialised) {
    int calls = 0;
    oxi_thread threads[16];
    ox_report_set_handler((ox_report_handler){count_plainly, &calls});

    for (int k = 0; k < 16; k++) {
        EXPECT(oxi_thread_start(&threads[k], report_many, NULL, "reporter"));
    }
    for (int k = 0; k < 16; k++) {
        oxi_thread_join(&threads[k]);
    }

    EXPECT_EQ(calls, 16 * 200);
}

TEST_CHILD(error_without_handler) {
    report_null("game.c:12");
}

TEST(report, error_without_a_handler_prints_and_aborts) {
    EXPECT_DIES(error_without_handler, "OX-B01");
}

// stdout goes to a pipe, and buffers as it does there.
static void send_stdout_to_stderr(void) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    setvbuf(stdout, NULL, _IOFBF, 4096);
}

TEST_CHILD(error_after_printing) {
    send_stdout_to_stderr();
    printf("level 3 begins\n");
    report_null("game.c:12");
}

TEST(report, error_that_aborts_leaves_what_was_printed_above_it) {
    EXPECT_DIES(error_after_printing, "level 3 begins\noxbow: OX-B01");
}

TEST_CHILD(failure_without_handler) {
    OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, NULL, OXI_NUMBER("bytes", 64),
               OXI_NAME("allocator", "OX_TEMP"));
}

TEST(report, failure_without_a_handler_prints_and_goes_on) {
    EXPECT_EXITS(failure_without_handler, "OX-M01");
}

TEST_CHILD(printing_handler) {
    ox_report_set_handler((ox_report_handler){ox_report_print, NULL});
    report_null("game.c:12");
}

TEST(report, printing_handler_goes_on_after_an_error) {
    EXPECT_EXITS(printing_handler, "at game.c:12");
}

TEST_CHILD(report_after_end) {
    int calls = 0;
    ox_report_set_handler((ox_report_handler){count_plainly, &calls});
    oxi_report_end_delivery();
    report_null("late.c:1");
    if (calls != 0) {
        abort();
    }
}

TEST(report, at_process_exit_is_printed_only) {
    EXPECT_EXITS(report_after_end, "late.c:1");
}

#if OX_SAFETY >= 2
TEST_CHILD(broken_invariant) {
    int apples = 1;
    OXI_ASSERT(apples == 2);
}

TEST(report, broken_invariant_names_itself_and_aborts_whatever_the_handler_does) {
    (void)OX_REPORT_BROKEN_INVARIANT;
    EXPECT_DIES(broken_invariant, "'apples == 2' does not hold at tests/base/test_report.c:");
}

TEST_CHILD(broken_after_printing) {
    ox_report_set_handler((ox_report_handler){ox_report_print, NULL});
    send_stdout_to_stderr();
    printf("level 4 begins\n");
    OXI_ASSERT(false);
}

TEST(report, broken_invariant_leaves_what_was_printed) {
    EXPECT_DIES(broken_after_printing, "level 4 begins");
}
#endif

// "\xe2\x82\xac" is one character.
TEST(report, long_values_are_cut_between_characters) {
    collected_reports reports;
    collect_reports(&reports);
    char name[200];
    memset(name, 'n', sizeof name);
    memcpy(name + 158, "\xe2\x82\xac|", 5);

    OXI_REPORT(NULL, OX_REPORT_NULL_ARGUMENT, "game.c:1", OXI_NAME("argument", name),
               OXI_NAME("function", "ox_x"));

    EXPECT_HAS(reports.text, "nnn...' of ox_x");
    EXPECT(strstr(reports.text, "\xe2") == NULL);
}

static void format_into_all_sizes(const ox_report *report, void *context) {
    static char whole[1024], cut[1024];
    bool *is_good = context;
    size_t length = ox_report_format(report, whole, sizeof whole);
    for (size_t size = 1; size <= length; size++) {
        *is_good = *is_good && ox_report_format(report, cut, size) == length;
        size_t fits = oxi_utf8_cut(whole, size - 1);
        *is_good = *is_good && strlen(cut) == fits && memcmp(cut, whole, fits) == 0;
    }
}

TEST(report, a_text_that_is_cut_ends_between_characters) {
    bool is_good = true;
    ox_report_set_handler((ox_report_handler){format_into_all_sizes, &is_good});

    OXI_REPORT(NULL, OX_REPORT_NULL_ARGUMENT, "game.c:1",
               OXI_NAME("argument", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\x82"),
               OXI_NAME("function", "\xe2\x82\xac"));

    EXPECT(is_good);
}

TEST(report, that_is_null_has_no_text) {
    collected_reports reports;
    collect_reports(&reports);
    char text[16] = "before";

    EXPECT_EQ(ox_report_format(NULL, text, sizeof text), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_HAS(reports.text, "'report' of ox_report_format is NULL");
    EXPECT_STR(text, "");

    ox_report_print(NULL, NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_HAS(reports.text, "'report' of ox_report_print is NULL");
}

static void format_into_nothing(const ox_report *report, void *context) {
    size_t *lengths = context;
    lengths[0] = ox_report_format(report, NULL, 0);
    lengths[1] = ox_report_format(report, NULL, 100); // told inside of a handler: printed
}

TEST(report, needs_a_buffer_unless_its_length_alone_is_wanted) {
    size_t lengths[2] = {0, 1};
    ox_report_set_handler((ox_report_handler){format_into_nothing, lengths});
    uint64_t before = ox_report_count(OX_REPORT_NULL_ARGUMENT);

    report_null("game.c:12");

    EXPECT(lengths[0] > 0);
    EXPECT_EQ(lengths[1], 0);
    EXPECT_EQ(ox_report_count(OX_REPORT_NULL_ARGUMENT), before + 2);
}
