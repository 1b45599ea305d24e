// SPDX-License-Identifier: MIT
//
// UTF-8, against a decoder that follows the table of RFC 3629 word by word.

#include "test.h"

#include "base/utf8.h"

#include <string.h>

static bool is_character(uint32_t code) {
    return code < 0xd800 || (code > 0xdfff && code <= 0x10ffff);
}

TEST(utf8, every_character_is_decoded_as_it_was_encoded) {
    for (uint32_t code = 0; code <= 0x10ffff; code++) {
        if (!is_character(code)) {
            continue;
        }
        char bytes[4];
        uint32_t decoded = UINT32_MAX;
        size_t size = oxi_utf8_encode(code, bytes);
        if (oxi_utf8_decode(bytes, size, &decoded) != size || decoded != code) {
            test_fail(__FILE__, __LINE__, "U+%x is decoded as U+%x", code, decoded);
        }
    }
}

// The shortest form of a number, without any rule but the shape of the bytes. 0 when it has none.
static size_t decode_naively(const uint8_t *bytes, size_t size, uint32_t *code) {
    size_t length = bytes[0] < 0x80             ? 1
                    : (bytes[0] & 0xe0) == 0xc0 ? 2
                    : (bytes[0] & 0xf0) == 0xe0 ? 3
                    : (bytes[0] & 0xf8) == 0xf0 ? 4
                                                : 0;
    if (length == 0 || length > size) {
        return 0;
    }
    *code = length == 1 ? bytes[0] : bytes[0] & (0x7fu >> length);
    for (size_t k = 1; k < length; k++) {
        if ((bytes[k] & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (bytes[k] & 0x3fu);
    }
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    return *code >= least[length] && is_character(*code) ? length : 0;
}

static void expect_same_decoding(const uint8_t *bytes, size_t size) {
    uint32_t code = 0, expected_code = 0;
    size_t length = oxi_utf8_decode((const char *)bytes, size, &code);
    size_t expected = decode_naively(bytes, size, &expected_code);
    if (length != expected || (length > 0 && code != expected_code)) {
        test_fail(__FILE__, __LINE__, "%02x %02x %02x %02x, %zu bytes: %zu, not %zu", bytes[0],
                  bytes[1], bytes[2], bytes[3], size, length, expected);
    }
}

TEST(utf8, every_sequence_of_three_bytes_is_judged_by_the_table) {
    for (uint32_t all = 0; all < 1u << 24; all++) {
        uint8_t bytes[4] = {(uint8_t)(all >> 16), (uint8_t)(all >> 8), (uint8_t)all, 0x80};
        if (bytes[0] < 0x80 && all % 65536 != 0) {
            continue;
        }
        expect_same_decoding(bytes, 4);
        expect_same_decoding(bytes, 3);
    }
}

TEST(utf8, a_character_that_is_cut_short_is_not_valid) {
    uint8_t bytes[4] = {0xf0, 0x9f, 0x98, 0x80};
    for (size_t size = 1; size <= 4; size++) {
        expect_same_decoding(bytes, size);
    }
}

typedef struct broken_text {
    const char *text;
    size_t size;
} broken_text;

// The replacement practice of the Unicode standard: as long as what began well goes on well.
TEST(utf8, what_is_broken_is_replaced_as_the_standard_says) {
    static const broken_text cases[] = {
        {"\x80", 1},         {"\xbf\xbf", 1},         {"\xc0\xaf", 1}, {"\xc2", 1},
        {"\xc2\x41", 1},     {"\xe0\x80\x80", 1},     {"\xe2\x82", 2}, {"\xe2\x82\x41", 2},
        {"\xed\xa0\x80", 1}, {"\xf0\x9f\x98", 3},     {"\xf0\x9f", 2}, {"\xf0\x80\x80\x80", 1},
        {"\xf5\x80", 1},     {"\xf4\x90\x80\x80", 1}, {"\xff", 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        uint32_t code;
        EXPECT_EQ(oxi_utf8_decode(cases[k].text, strlen(cases[k].text), &code), 0);
        EXPECT_EQ(oxi_utf8_broken_size(cases[k].text, strlen(cases[k].text)), cases[k].size);
    }
}

TEST(utf8, a_cut_never_ends_inside_a_character) {
    const char *text = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z";
    static const size_t expected[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11};

    for (size_t size = 0; size <= strlen(text); size++) {
        EXPECT_EQ(oxi_utf8_cut(text, size), expected[size]);
    }
}

TEST(utf8, a_cut_of_what_is_no_text_takes_nothing_away) {
    EXPECT_EQ(oxi_utf8_cut("\x80\x80\x80\x80\x80", 5), 5);
    EXPECT_EQ(oxi_utf8_cut("\xff", 1), 1);
}
