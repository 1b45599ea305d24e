// SPDX-License-Identifier: MIT
//
// Reading JSON: what is accepted and refused, and that the writer agrees. See test_json_writer.c.

#include "test.h"

#include "base/heap.h"
#include "base/random.h"
#include "base/substitute.h"
#include "fuzz/json_copy.h"

#include <stdio.h>
#include <stdlib.h>

// Memory of exactly `size` bytes, so that a sanitizer sees one byte read too many.
static bool read_exactly(oxi_json *json, const char *text, size_t size, oxi_json_error *error) {
    char *copy = size > 0 ? oxi_heap_alloc(size, 1) : NULL;
    if (size > 0) {
        EXPECT(copy != NULL);
        memcpy(copy, text, size);
    }
    bool is_read = oxi_json_read(json, copy, size, error);
    oxi_heap_free(copy, size, 1);
    return is_read;
}

static oxi_json read_text(const char *text) {
    oxi_json json;
    oxi_json_error error;
    if (!read_exactly(&json, text, strlen(text), &error)) {
        test_fail(__FILE__, __LINE__, "refused at %zu, %s: %s", error.offset, error.message, text);
    }
    return json;
}

static void expect_refused(const char *text, size_t size, oxi_json_error_code code, size_t offset) {
    oxi_json json;
    oxi_json_error error;
    if (read_exactly(&json, text, size, &error)) {
        test_fail(__FILE__, __LINE__, "accepted: %s", text);
    }
    if (error.code != code || error.offset != offset) {
        test_fail(__FILE__, __LINE__, "refused at %zu, not %zu, %s: %s", error.offset, offset,
                  error.message, text);
    }
    EXPECT_EQ(oxi_json_root(&json), NULL);
}

TEST(json, members_and_items_are_found) {
    oxi_json json = read_text(" { \"a\" : [ 1 , [2, 3], \"x\" ] ,\n\"b\":{\"c\":true},\"\":null} ");
    const oxi_json_node *root = oxi_json_root(&json);
    const oxi_json_node *list = oxi_json_find(root, "a");
    int64_t i = 0;
    bool b = false;

    EXPECT_EQ(oxi_json_count(root), 3);
    EXPECT_EQ(oxi_json_count(list), 3);
    EXPECT(oxi_json_get_int(oxi_json_item(oxi_json_item(list, 1), 1), &i) && i == 3);
    EXPECT(oxi_json_get_bool(oxi_json_find(oxi_json_find(root, "b"), "c"), &b) && b);
    EXPECT_NE(oxi_json_find(root, ""), NULL);
    EXPECT_EQ(oxi_json_get_kind(oxi_json_find(root, "")), OXI_JSON_NULL);
    EXPECT_EQ(oxi_json_find(root, "aa"), NULL);
    EXPECT_EQ(oxi_json_item(list, 3), NULL);
    oxi_json_free(&json);
}

TEST(json, what_is_not_there_is_passed_on) {
    oxi_json json = read_text("[1]");
    const oxi_json_node *root = oxi_json_root(&json);
    const oxi_json_node *none = oxi_json_item(oxi_json_find(oxi_json_find(root, "a"), "b"), 7);
    int64_t i = 5;
    uint64_t u = 5;
    double d = 5;
    bool b = true;
    const char *s = "kept";

    EXPECT_EQ(none, NULL);
    EXPECT_EQ(oxi_json_count(none), 0);
    EXPECT_EQ(oxi_json_first(none), NULL);
    EXPECT_EQ(oxi_json_next(root, none), NULL);
    EXPECT_EQ(oxi_json_first(oxi_json_item(root, 0)), NULL);
    EXPECT(!oxi_json_get_int(none, &i) && !oxi_json_get_uint(none, &u));
    EXPECT(!oxi_json_get_double(none, &d) && !oxi_json_get_bool(none, &b));
    EXPECT(!oxi_json_get_string(none, &s, NULL) && !oxi_json_get_string(root, &s, NULL));
    EXPECT(i == 5 && u == 5 && d == 5 && b);
    EXPECT_STR(s, "kept");
    oxi_json_free(&json);
}

TEST(json, members_are_walked_by_name_in_their_order) {
    oxi_json json = read_text("{\"a\":[1,2],\"b\":{\"x\":0},\"c\":3}");
    const oxi_json_node *root = oxi_json_root(&json);
    char names[4] = {0};
    size_t count = 0;

    for (const oxi_json_node *name = oxi_json_first(root); name != NULL;
         name = oxi_json_next(root, name)) {
        const char *text;
        EXPECT(oxi_json_get_string(name, &text, NULL));
        EXPECT_EQ(oxi_json_find(root, text), name + 1);
        names[count++] = text[0];
    }

    EXPECT_STR(names, "abc");
    oxi_json_free(&json);
}

TEST(json, strings_are_unescaped) {
    oxi_json json = read_text("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\",\"\\u00e4\\u20AC\\ud83d\\ude00\","
                              "\"a\\u0000b\",\"\xc3\xa4\"]");
    const oxi_json_node *root = oxi_json_root(&json);
    const char *text = NULL;
    size_t size = 0;

    EXPECT(oxi_json_get_string(oxi_json_item(root, 0), &text, NULL));
    EXPECT_STR(text, "\"\\/\b\f\n\r\t");
    EXPECT(oxi_json_get_string(oxi_json_item(root, 1), &text, NULL));
    EXPECT_STR(text, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
    EXPECT(!oxi_json_get_string(oxi_json_item(root, 2), &text, NULL));
    EXPECT(oxi_json_get_string(oxi_json_item(root, 2), &text, &size));
    EXPECT(size == 3 && memcmp(text, "a\0b", 4) == 0);
    EXPECT(oxi_json_get_string(oxi_json_item(root, 3), &text, &size) && size == 2);
    oxi_json_free(&json);
}

typedef struct number_case {
    const char *text;
    oxi_json_kind kind;
    bool is_int;
    bool is_uint;
} number_case;

TEST(json, numbers_keep_their_exact_value) {
    static const number_case cases[] = {
        {"0", OXI_JSON_INT, true, true},
        {"-0", OXI_JSON_DOUBLE, true, true},
        {"9223372036854775806", OXI_JSON_INT, true, true},
        {"9223372036854775807", OXI_JSON_INT, true, true},
        {"9223372036854775808", OXI_JSON_UINT, false, true},
        {"9223372036854775809", OXI_JSON_UINT, false, true},
        {"-9223372036854775807", OXI_JSON_INT, true, false},
        {"-9223372036854775808", OXI_JSON_INT, true, false},
        {"-9223372036854775809", OXI_JSON_DOUBLE, false, false},
        {"18446744073709551615", OXI_JSON_UINT, false, true},
        {"18446744073709551616", OXI_JSON_DOUBLE, false, false},
        {"1e3", OXI_JSON_DOUBLE, true, true},
        {"-2.0", OXI_JSON_DOUBLE, true, false},
        {"1.5", OXI_JSON_DOUBLE, false, false},
        {"9007199254740991.0", OXI_JSON_DOUBLE, true, true},
        {"9007199254740993.0", OXI_JSON_DOUBLE, false, false},
        {"1e300", OXI_JSON_DOUBLE, false, false},
        {"1e-400", OXI_JSON_DOUBLE, true, true},
        {"5e-324", OXI_JSON_DOUBLE, false, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        oxi_json json = read_text(cases[k].text);
        const oxi_json_node *node = oxi_json_root(&json);
        int64_t i = 0;
        uint64_t u = 0;
        double d = 0;
        EXPECT_EQ(oxi_json_get_kind(node), cases[k].kind);
        EXPECT_EQ(oxi_json_get_int(node, &i), cases[k].is_int);
        EXPECT_EQ(oxi_json_get_uint(node, &u), cases[k].is_uint);
        EXPECT(oxi_json_get_double(node, &d));
        EXPECT_EQ(d, strtod(cases[k].text, NULL));
        EXPECT(!cases[k].is_int || (double)i == d);
        EXPECT(!cases[k].is_uint || (double)u == d);
        oxi_json_free(&json);
    }
}

TEST(json, valid_texts_are_accepted) {
    static const char *const texts[] = {
        "null",
        "true",
        "false",
        "0",
        "-0.0e-0",
        "\"\"",
        "[]",
        "{}",
        " \t\r\n1\n ",
        "[[],{}]",
        "[1,2]",
        "{\"\":{\"\":[]}}",
        "\"\x7f\"",
        "\"\\u0000\"",
        "\"\\uD834\\uDD1E\"",
        "\"\\uFFFF\"",
        "1e-99999999999999999999",
        "{\"a\":1,\"A\":1,\"aa\":1,\"\\u0061b\":1}",
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        oxi_json json = read_text(texts[k]);
        oxi_json_free(&json);
    }
}

typedef struct refused_case {
    const char *text;
    oxi_json_error_code code;
    size_t offset;
} refused_case;

TEST(json, invalid_texts_are_refused_where_they_go_wrong) {
    static const refused_case cases[] = {
        {"", OXI_JSON_ERROR_END, 0},
        {"  ", OXI_JSON_ERROR_END, 2},
        {"nul", OXI_JSON_ERROR_END, 3},
        {"nulL", OXI_JSON_ERROR_VALUE, 3},
        {"True", OXI_JSON_ERROR_VALUE, 0},
        {"NaN", OXI_JSON_ERROR_VALUE, 0},
        {"Infinity", OXI_JSON_ERROR_VALUE, 0},
        {"'a'", OXI_JSON_ERROR_VALUE, 0},
        {"// a\n1", OXI_JSON_ERROR_VALUE, 0},
        {"/* a */ 1", OXI_JSON_ERROR_VALUE, 0},
        {"\xef\xbb\xbf[]", OXI_JSON_ERROR_VALUE, 0},
        {"\f1", OXI_JSON_ERROR_VALUE, 0},
        {"[1,]", OXI_JSON_ERROR_VALUE, 3},
        {"[,1]", OXI_JSON_ERROR_VALUE, 1},
        {"[1 2]", OXI_JSON_ERROR_SEPARATOR, 3},
        {"[1", OXI_JSON_ERROR_END, 2},
        {"[1,", OXI_JSON_ERROR_END, 3},
        {"[1}", OXI_JSON_ERROR_SEPARATOR, 2},
        {"]", OXI_JSON_ERROR_VALUE, 0},
        {"{", OXI_JSON_ERROR_END, 1},
        {"{\"a\"", OXI_JSON_ERROR_END, 4},
        {"{\"a\" 1}", OXI_JSON_ERROR_COLON, 5},
        {"{\"a\":}", OXI_JSON_ERROR_VALUE, 5},
        {"{\"a\":1,}", OXI_JSON_ERROR_KEY, 7},
        {"{a:1}", OXI_JSON_ERROR_KEY, 1},
        {"{1:1}", OXI_JSON_ERROR_KEY, 1},
        {"{\"a\":1 \"b\":2}", OXI_JSON_ERROR_SEPARATOR, 7},
        {"{\"a\":1,\"a\":2}", OXI_JSON_ERROR_DUPLICATE_KEY, 12},
        {"{\"a\":1,\"b\":0,\"\\u0061\":2}", OXI_JSON_ERROR_DUPLICATE_KEY, 23},
        {"[{\"\":1,\"\":1}]", OXI_JSON_ERROR_DUPLICATE_KEY, 11},
        {"1 1", OXI_JSON_ERROR_EXTRA, 2},
        {"{}]", OXI_JSON_ERROR_EXTRA, 2},
        {"01", OXI_JSON_ERROR_NUMBER, 0},
        {"-01", OXI_JSON_ERROR_NUMBER, 0},
        {"-", OXI_JSON_ERROR_NUMBER, 0},
        {"-a", OXI_JSON_ERROR_NUMBER, 0},
        {"+1", OXI_JSON_ERROR_VALUE, 0},
        {".5", OXI_JSON_ERROR_VALUE, 0},
        {"1.", OXI_JSON_ERROR_NUMBER, 0},
        {"[1e]", OXI_JSON_ERROR_NUMBER, 1},
        {"0x1", OXI_JSON_ERROR_EXTRA, 1},
        {"1e400", OXI_JSON_ERROR_NUMBER_RANGE, 0},
        {"-1e400", OXI_JSON_ERROR_NUMBER_RANGE, 0},
        {"\"a", OXI_JSON_ERROR_END, 2},
        {"\"a\nb\"", OXI_JSON_ERROR_CONTROL, 2},
        {"\"\x1f\"", OXI_JSON_ERROR_CONTROL, 1},
        {"\"\\x\"", OXI_JSON_ERROR_ESCAPE, 2},
        {"\"\\u12g4\"", OXI_JSON_ERROR_ESCAPE, 5},
        {"\"\\u12", OXI_JSON_ERROR_END, 5},
        {"\"\\", OXI_JSON_ERROR_END, 2},
        {"\"\\ud800\"", OXI_JSON_ERROR_SURROGATE, 3},
        {"\"\\udc00\"", OXI_JSON_ERROR_SURROGATE, 3},
        {"\"\\ud800\\ud800\"", OXI_JSON_ERROR_SURROGATE, 3},
        {"\"\\ud800\\u0041\"", OXI_JSON_ERROR_SURROGATE, 3},
        {"\"\\ud800x\"", OXI_JSON_ERROR_SURROGATE, 3},
        {"\"\xff\"", OXI_JSON_ERROR_UTF8, 1},
        {"\"a\xc0\x80\"", OXI_JSON_ERROR_UTF8, 2},
        {"\"\xed\xa0\x80\"", OXI_JSON_ERROR_UTF8, 1},
        {"\"\xe2\x82\"", OXI_JSON_ERROR_UTF8, 1},
        {"{\"\xff\":1}", OXI_JSON_ERROR_UTF8, 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        expect_refused(cases[k].text, strlen(cases[k].text), cases[k].code, cases[k].offset);
    }
}

TEST(json, a_zero_byte_is_not_the_end_of_a_text) {
    expect_refused("1\0", 2, OXI_JSON_ERROR_EXTRA, 1);
    expect_refused("\0", 1, OXI_JSON_ERROR_VALUE, 0);
    expect_refused("\"a\0\"", 4, OXI_JSON_ERROR_CONTROL, 2);
    expect_refused("\"\\\0\"", 4, OXI_JSON_ERROR_ESCAPE, 2);
    expect_refused("[\0]", 3, OXI_JSON_ERROR_VALUE, 1);
}

TEST(json, a_refusal_has_a_message_and_needs_no_one_to_hear_it) {
    oxi_json json;
    oxi_json_error error;

    EXPECT(!oxi_json_read(&json, "[", 1, &error));
    EXPECT_STR(error.message, "the text ends before its value does");
    EXPECT(!oxi_json_read(&json, "[", 1, NULL));
    EXPECT(oxi_json_read(&json, "[]", 2, &error));
    EXPECT_EQ(error.code, OXI_JSON_ERROR_NONE);
    oxi_json_free(&json);
}

TEST(json, a_million_levels_are_refused_like_one_too_many) {
    enum { LEVELS = 1000000 };
    static char text[LEVELS];
    memset(text, '[', LEVELS);
    expect_refused(text, LEVELS, OXI_JSON_ERROR_TOO_DEEP, OXI_JSON_MAX_DEPTH);
    expect_refused(text, OXI_JSON_MAX_DEPTH + 1, OXI_JSON_ERROR_TOO_DEEP, OXI_JSON_MAX_DEPTH);
    expect_refused(text, OXI_JSON_MAX_DEPTH, OXI_JSON_ERROR_END, OXI_JSON_MAX_DEPTH);

    for (size_t k = 0; k + 5 <= LEVELS; k += 5) {
        memcpy(text + k, "{\"a\":", 5);
    }
    expect_refused(text, LEVELS, OXI_JSON_ERROR_TOO_DEEP, 5 * OXI_JSON_MAX_DEPTH);
}

TEST(json, a_text_that_is_too_large_is_not_even_looked_at) {
    oxi_json json;
    oxi_json_error error;

    EXPECT(!oxi_json_read(&json, "", (size_t)OXI_JSON_MAX_SIZE + 1, &error));
    EXPECT_EQ(error.code, OXI_JSON_ERROR_TOO_LARGE);
}

TEST(json, a_duplicate_is_found_among_a_hundred_thousand_names) {
    oxi_text text = {0};
    for (int k = 0; k < 100000; k++) {
        oxi_text_append_format(&text, "%c\"name%d\":%d", k == 0 ? '{' : ',', k, k);
    }
    size_t length = text.length;
    oxi_text_append_char(&text, '}');
    oxi_json json = read_text(oxi_text_get(&text));
    int64_t value = 0;
    EXPECT(oxi_json_get_int(oxi_json_find(oxi_json_root(&json), "name99999"), &value));
    EXPECT_EQ(value, 99999);
    oxi_json_free(&json);

    text.length = length;
    oxi_text_append(&text, ",\"name777\":1}");
    expect_refused(text.data, text.length, OXI_JSON_ERROR_DUPLICATE_KEY, text.length - 1);
    oxi_text_free(&text);
}

static const char *const documents[] = {
    "{\"name\":\"w\\u00f6rld \\ud83d\\ude00\",\"list\":[1,-2.5e-3,true,false,null,[],{}],\"n\":"
    "{\"\\\"\":18446744073709551615}}",
    " [ 0.1 , -0 , 1E+10 ,\t\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\" , { \"a\" : { \"b\" : [ ] } } "
    "]\n",
    "{\"a\":1,\"b\":2,\"c\":3,\"d\":{\"a\":1,\"b\":2},\"e\":\"\\n\\t\\/\\\\\"}",
};

TEST(json, a_document_cut_at_any_byte_is_refused_at_its_end) {
    for (size_t k = 0; k < sizeof documents / sizeof documents[0]; k++) {
        size_t size = strlen(documents[k]);
        size -= documents[k][size - 1] == '\n';
        for (size_t cut = 0; cut < size; cut++) {
            oxi_json json;
            oxi_json_error error;
            EXPECT(!read_exactly(&json, documents[k], cut, &error));
            EXPECT(error.offset <= cut);
        }
    }
}

// What is accepted must be written and read back as the same.
static void expect_refused_or_copied(const char *text, size_t size) {
    oxi_json first;
    if (!read_exactly(&first, text, size, NULL)) {
        return;
    }
    oxi_text copy = {0};
    oxi_json_writer writer = oxi_json_write_to(&copy);
    json_copy(&writer, oxi_json_root(&first));
    EXPECT(oxi_json_is_whole(&writer));
    oxi_json second = read_text(oxi_text_get(&copy));
    EXPECT(json_equal(&first, &second));
    oxi_json_free(&first);
    oxi_json_free(&second);
    oxi_text_free(&copy);
}

TEST(json, a_document_with_any_byte_changed_is_refused_or_copied) {
    for (size_t k = 0; k < sizeof documents / sizeof documents[0]; k++) {
        char text[256];
        size_t size = strlen(documents[k]);
        memcpy(text, documents[k], size);
        for (size_t change = 0; change < size * 256; change++) {
            size_t at = change / 256;
            text[at] = (char)(change % 256);
            expect_refused_or_copied(text, size);
            text[at] = documents[k][at];
        }
    }
}

TEST(json, random_changes_of_documents_are_refused_or_copied) {
    static const char pieces[] = "{}[]\",:0123456789eE+-.\\utrfalsn \n\xc3\xa4";
    oxi_random random = oxi_random_seed(test_seed(72));
    for (uint64_t run = 0; run < test_scaled(20000); run++) {
        char text[256];
        const char *document = documents[run % 3];
        size_t size = strlen(document);
        memcpy(text, document, size);
        for (uint64_t changes = oxi_random_below(&random, 5); changes > 0; changes--) {
            size_t at = oxi_random_below(&random, size);
            size_t length = oxi_random_below(&random, size - at);
            size_t to = oxi_random_below(&random, size - length);
            memmove(text + to, text + at, oxi_random_bool(&random) ? length : 0);
            text[at] = pieces[oxi_random_below(&random, sizeof pieces)];
        }
        expect_refused_or_copied(text, size);
    }
}

// Random documents: written from random draws, read, and compared with the same draws.

static void write_random_string(oxi_text *string, oxi_random *random) {
    static const char *const pieces[] = {
        "a", "\"", "\\", "\n", "/", "\x01", "\xc3\xa4", "%s%n", "\xe2\x80\xa8", "\xf0\x9f\x98\x80"};
    for (uint64_t k = oxi_random_below(random, 8); k > 0; k--) {
        oxi_text_append(string, pieces[oxi_random_below(random, 10)]);
    }
}

static void write_random_scalar(oxi_json_writer *writer, oxi_random *random) {
    char buffer[256];
    oxi_text string = oxi_text_over(buffer, sizeof buffer);
    uint64_t bits = oxi_random_next_u64(random);
    double real;
    memcpy(&real, &bits, sizeof real);
    switch (oxi_random_below(random, 6)) {
    case 0:
        oxi_json_write_null(writer);
        break;
    case 1:
        oxi_json_write_bool(writer, bits % 2 == 0);
        break;
    case 2:
        oxi_json_write_int(writer, (int64_t)(bits >> bits % 64));
        break;
    case 3:
        oxi_json_write_uint(writer, bits);
        break;
    case 4:
        oxi_json_write_double(writer, bits % 2 == 0 ? real : (double)(bits % 1000) / 8);
        break;
    default:
        write_random_string(&string, random);
        oxi_json_write_string(writer, oxi_text_get(&string));
        break;
    }
}

static void write_random_value(oxi_json_writer *writer, oxi_random *random, uint64_t depth) {
    if (oxi_random_below(random, 10) >= depth) {
        write_random_scalar(writer, random);
        return;
    }
    bool is_object = oxi_random_bool(random);
    (is_object ? oxi_json_begin_object : oxi_json_begin_array)(writer);
    for (uint64_t k = oxi_random_below(random, 6); k > 0; k--) {
        if (is_object) {
            char buffer[256];
            oxi_text key = oxi_text_over(buffer, sizeof buffer);
            write_random_string(&key, random);
            oxi_text_append_uint(&key, k);
            oxi_json_write_key(writer, buffer);
        }
        write_random_value(writer, random, depth - 1);
    }
    (is_object ? oxi_json_end_object : oxi_json_end_array)(writer);
}

TEST(json, random_documents_are_copied_byte_for_byte) {
    oxi_random random = oxi_random_seed(test_seed(73));
    for (uint64_t run = 0; run < test_scaled(2000); run++) {
        oxi_text text = {0}, copy = {0};
        oxi_json_writer writer = oxi_json_write_to(&text);
        write_random_value(&writer, &random, 9);
        EXPECT(oxi_json_is_whole(&writer));

        oxi_json json = read_text(oxi_text_get(&text));
        oxi_json_writer again = oxi_json_write_to(&copy);
        json_copy(&again, oxi_json_root(&json));

        EXPECT_STR(oxi_text_get(&copy), oxi_text_get(&text));
        oxi_json_free(&json);
        oxi_text_free(&text);
        oxi_text_free(&copy);
    }
}

static void read_and_write(void) {
    oxi_json json;
    oxi_json_error error;
    if (!oxi_json_read(&json, documents[0], strlen(documents[0]), &error)) {
        EXPECT_EQ(error.code, OXI_JSON_ERROR_OUT_OF_MEMORY);
        return;
    }
    oxi_text text = {0};
    oxi_json_writer writer = oxi_json_write_to(&text);
    json_copy(&writer, oxi_json_root(&json));
    EXPECT_EQ(oxi_json_is_whole(&writer), !text.failed);
    oxi_json_free(&json);
    oxi_text_free(&text);
}

TEST(json, every_allocation_may_fail) {
    test_fault_sweep("json", read_and_write);
}
