// SPDX-License-Identifier: MIT
//
// Building texts, on the heap and in a buffer, against one large array.

#include "test.h"

#include "base/heap.h"
#include "base/random.h"
#include "base/substitute.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

TEST(text, an_empty_one_is_an_empty_string_and_owns_nothing) {
    uint64_t blocks = oxi_heap_get_blocks();
    oxi_text text = {0};

    oxi_text_append(&text, "");
    oxi_text_append_sized(&text, NULL, 0);
    oxi_text_append_format(&text, "%s", "");

    EXPECT_STR(oxi_text_get(&text), "");
    EXPECT_EQ(text.length, 0);
    EXPECT(!text.failed);
    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
    oxi_text_free(&text);
}

TEST(text, pieces_of_all_kinds_follow_each_other) {
    oxi_text text = {0};

    oxi_text_append(&text, "a");
    oxi_text_append_char(&text, 'b');
    oxi_text_append_sized(&text, "cdef", 2);
    oxi_text_append_format(&text, " %d%s ", 1, "x");
    oxi_text_append_int(&text, INT64_MIN);
    oxi_text_append_char(&text, ' ');
    oxi_text_append_uint(&text, UINT64_MAX);
    oxi_text_append_char(&text, ' ');
    oxi_text_append_double(&text, 0.1);
    oxi_text_append_char(&text, ' ');
    oxi_text_append_float(&text, 0.1f);

    EXPECT_STR(oxi_text_get(&text), "abcd 1x -9223372036854775808 18446744073709551615 0.1 0.1");
    EXPECT_EQ(text.length, strlen(text.data));
    oxi_text_free(&text);
}

TEST(text, a_format_of_any_length_fits_on_the_heap) {
    for (int length = 0; length < 300; length++) {
        oxi_text text = {0};
        oxi_text_append_char(&text, '<');
        oxi_text_append_format(&text, "%*d|", length, 7);
        oxi_text_append_char(&text, '>');

        EXPECT_EQ(text.length, (size_t)(length < 1 ? 1 : length) + 3);
        EXPECT_EQ(strlen(text.data), text.length);
        EXPECT_HAS(text.data, "7|>");
        oxi_text_free(&text);
    }
}

TEST(text, a_name_is_never_a_format) {
    oxi_text text = {0};

    oxi_text_append(&text, "%n%s%99999d");
    oxi_text_append_format(&text, "|%s", "%n%s%99999d");

    EXPECT_STR(oxi_text_get(&text), "%n%s%99999d|%n%s%99999d");
    oxi_text_free(&text);
}

TEST(text, clearing_keeps_the_memory_and_forgets_a_failure) {
    char buffer[4];
    oxi_text text = oxi_text_over(buffer, sizeof buffer);
    oxi_text_append(&text, "too long");
    EXPECT(text.failed);

    oxi_text_clear(&text);
    oxi_text_append(&text, "abc");

    EXPECT(!text.failed);
    EXPECT_STR(buffer, "abc");
    oxi_text_free(&text);
}

TEST(text, a_buffer_is_filled_to_its_last_byte_and_no_further) {
    char buffer[9] = "XXXXXXXX";
    oxi_text text = oxi_text_over(buffer, 6);

    oxi_text_append(&text, "abcde");
    EXPECT(!text.failed);
    oxi_text_append(&text, "f");

    EXPECT(text.failed);
    EXPECT_STR(buffer, "abcde");
    EXPECT_STR(buffer + 6, "XX");
}

TEST(text, nothing_follows_a_piece_that_was_cut) {
    char buffer[6];
    oxi_text text = oxi_text_over(buffer, sizeof buffer);

    oxi_text_append(&text, "abc");
    oxi_text_append_format(&text, "%s", "defg");
    oxi_text_append(&text, "");
    oxi_text_append_char(&text, 'h');

    EXPECT(text.failed);
    EXPECT_STR(buffer, "abcde");
}

TEST(text, a_buffer_of_one_byte_holds_the_empty_text) {
    char buffer[1];
    oxi_text text = oxi_text_over(buffer, 1);

    oxi_text_append(&text, "a");
    oxi_text_append_format(&text, "%d", 1);

    EXPECT(text.failed);
    EXPECT_STR(buffer, "");
}

TEST(text, a_cut_falls_between_characters) {
    const char *euros = "\xe2\x82\xac\xe2\x82\xac";
    for (size_t size = 1; size < 8; size++) {
        char appended[8], formatted[8];
        oxi_text first = oxi_text_over(appended, size), second = oxi_text_over(formatted, size);
        oxi_text_append(&first, euros);
        oxi_text_append_format(&second, "%s", euros);

        EXPECT_EQ(first.length, (size - 1) / 3 * 3);
        EXPECT_STR(appended, formatted);
        EXPECT_EQ(first.failed, size < 7);
        EXPECT_EQ(second.failed, size < 7);
    }
}

TEST(text, out_of_memory_is_remembered_and_leaves_the_beginning) {
    oxi_text text = {0};
    oxi_text_append(&text, "begin");

    oxi_fault_plan(OXI_FAULT_FROM, 0);
    oxi_text_append_format(&text, "%500d", 1);
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    oxi_text_append(&text, "end");

    EXPECT(text.failed);
    EXPECT_STR(oxi_text_get(&text), "begin");
    oxi_text_free(&text);
}

TEST(text, a_size_that_overflows_fails_it) {
    oxi_text text = {0};
    oxi_text_append(&text, "begin");

    oxi_text_append_sized(&text, "x", SIZE_MAX);

    EXPECT(text.failed);
    EXPECT_STR(oxi_text_get(&text), "begin");
    oxi_text_free(&text);
}

static void append_random_piece(oxi_text *text, oxi_random *random) {
    static const char letters[] =
        "The quick brown fox jumps over the lazy dog and runs away from it";
    uint64_t number = oxi_random_next_u64(random) >> oxi_random_below(random, 64);
    switch (oxi_random_below(random, 5)) {
    case 0:
        oxi_text_append_sized(text, letters, number % sizeof letters);
        break;
    case 1:
        oxi_text_append_format(text, "%s:%llu;", letters + number % sizeof letters,
                               (unsigned long long)number);
        break;
    case 2:
        oxi_text_append_char(text, letters[number % (sizeof letters - 1)]);
        break;
    case 3:
        oxi_text_append_int(text, (int64_t)number);
        break;
    default:
        oxi_text_append_double(text, (double)number / 3);
        break;
    }
}

TEST(text, a_buffer_holds_the_beginning_of_what_the_heap_holds) {
    oxi_random random = oxi_random_seed(test_seed(61));
    for (uint64_t run = 0; run < test_scaled(500); run++) {
        char large[8192], small[128];
        oxi_text heap = {0}, whole = oxi_text_over(large, sizeof large);
        oxi_text cut = oxi_text_over(small, 1 + oxi_random_below(&random, sizeof small));
        for (int step = 0; step < 50; step++) {
            oxi_random first = random, second = random;
            append_random_piece(&heap, &first);
            append_random_piece(&whole, &second);
            append_random_piece(&cut, &random);
            EXPECT_EQ(cut.failed, heap.length >= cut.capacity);
        }

        EXPECT_STR(oxi_text_get(&heap), large);
        EXPECT_EQ(heap.length, whole.length);
        EXPECT_EQ(cut.length, heap.length < cut.capacity ? heap.length : cut.capacity - 1);
        EXPECT(memcmp(heap.data, small, cut.length) == 0);
        oxi_text_free(&heap);
    }
}

static void build_text(void) {
    static const char *const whole = "a long enough beginning, and more and more of it: "
                                     "                                                 1 2.5";
    oxi_text text = {0};
    oxi_text_append(&text, "a long enough beginning");
    oxi_text_append(&text, ", and more and more of it: ");
    oxi_text_append_format(&text, "%50d ", 1);
    oxi_text_append_double(&text, 2.5);
    EXPECT_EQ(strncmp(oxi_text_get(&text), whole, text.length), 0);
    EXPECT_EQ(text.failed, text.length != strlen(whole));
    oxi_text_free(&text);
}

TEST(text, every_allocation_may_fail) {
    test_fault_sweep("text", build_text);
}

// Each prefix of a text with characters of one to four bytes, in buffers of all sizes.
TEST(text, a_name_that_is_copied_is_cut_between_characters) {
    static const char name[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\x82z";
    static const size_t begins[] = {0, 1, 3, 6, 10, 11}; // of characters, and the end
    for (size_t size = 1; size <= sizeof name; size++) {
        char copied[sizeof name], printed[sizeof name];
        size_t fits = 0;
        for (int k = 0; k < 6 && begins[k] < size; k++) {
            fits = begins[k];
        }

        oxi_text_copy(copied, size, name);
        oxi_text_print(printed, size, "%s", name);

        EXPECT_EQ(strlen(copied), fits);
        EXPECT_EQ(memcmp(copied, name, fits), 0);
        EXPECT_STR(printed, copied);
    }
}

TEST(text, a_copy_of_itself_or_of_nothing_is_a_copy) {
    char buffer[8] = "abcdef";

    oxi_text_copy(buffer, sizeof buffer, buffer);
    EXPECT_STR(buffer, "abcdef");

    oxi_text_copy(buffer, sizeof buffer, NULL);
    EXPECT_STR(buffer, "");
}
