// SPDX-License-Identifier: MIT
//
// Writing JSON: escapes, numbers, levels, and calls out of order.

#include "test.h"

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "base/random.h"

#include <float.h>

static oxi_text string_text;

static const char *write_string(const char *value, size_t size) {
    oxi_text_clear(&string_text);
    oxi_json_writer writer = oxi_json_write_to(&string_text);
    oxi_json_write_string_sized(&writer, value, size);
    EXPECT(oxi_json_is_whole(&writer));
    return oxi_text_get(&string_text);
}

TEST(json_writer, a_document_of_all_kinds_is_written) {
    oxi_text text = {0};
    oxi_json_writer json = oxi_json_write_to(&text);

    oxi_json_begin_object(&json);
    oxi_json_write_key(&json, "none");
    oxi_json_write_null(&json);
    oxi_json_write_key(&json, "list");
    oxi_json_begin_array(&json);
    oxi_json_write_int(&json, -5);
    oxi_json_write_uint(&json, UINT64_MAX);
    oxi_json_write_double(&json, 0.1);
    oxi_json_write_float(&json, 0.1f);
    oxi_json_write_bool(&json, true);
    oxi_json_begin_object(&json);
    oxi_json_end_object(&json);
    oxi_json_write_bool(&json, false);
    oxi_json_end_array(&json);
    oxi_json_write_key_sized(&json, "name!", 4);
    oxi_json_write_string(&json, "x");
    EXPECT(!oxi_json_is_whole(&json));
    oxi_json_end_object(&json);

    EXPECT(oxi_json_is_whole(&json));
    EXPECT_STR(oxi_text_get(&text), "{\"none\":null,\"list\":[-5,18446744073709551615,0.1,0.1,"
                                    "true,{},false],\"name\":\"x\"}");
    oxi_text_free(&text);
}

TEST(json_writer, what_is_no_number_is_written_as_null) {
    const double inf = DBL_MAX * 2, nan = inf - inf;
    oxi_text text = {0};
    oxi_json_writer json = oxi_json_write_to(&text);

    oxi_json_begin_array(&json);
    oxi_json_write_double(&json, nan);
    oxi_json_write_double(&json, inf);
    oxi_json_write_float(&json, (float)-inf);
    oxi_json_write_float(&json, (float)nan);
    oxi_json_write_string(&json, NULL);
    oxi_json_write_double(&json, -0.0);
    oxi_json_end_array(&json);

    EXPECT_STR(oxi_text_get(&text), "[null,null,null,null,null,-0]");
    oxi_text_free(&text);
}

typedef struct string_case {
    const char *value;
    const char *written;
} string_case;

TEST(json_writer, strings_are_escaped_where_they_must_be) {
    static const string_case cases[] = {
        {"", "\"\""},
        {"plain <&> 'text' /", "\"plain <&> 'text' /\""},
        {"\"\\\b\f\n\r\t", "\"\\\"\\\\\\b\\f\\n\\r\\t\""},
        {"\x01\x1f\x7f", "\"\\u0001\\u001f\x7f\""},
        {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\""},
        {"a\xe2\x80\xa8z\xe2\x80\xa9", "\"a\\u2028z\\u2029\""},
        {"%n%s%99999d", "\"%n%s%99999d\""},
        {"\xff", "\"\xef\xbf\xbd\""},
        {"a\xc3", "\"a\xef\xbf\xbd\""},
        {"\xe2\x82z", "\"\xef\xbf\xbdz\""},
        {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xc0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        EXPECT_STR(write_string(cases[k].value, strlen(cases[k].value)), cases[k].written);
    }
    EXPECT_STR(write_string("a\0b", 3), "\"a\\u0000b\"");
    oxi_text_free(&string_text);
}

TEST(json_writer, any_bytes_become_a_string_that_can_be_read) {
    oxi_random random = oxi_random_seed(test_seed(71));
    for (uint64_t run = 0; run < test_scaled(20000); run++) {
        char bytes[24];
        size_t size = oxi_random_below(&random, sizeof bytes);
        for (size_t k = 0; k < size; k++) {
            bytes[k] = (char)oxi_random_below(&random, 256);
        }
        oxi_json json;
        const char *text = write_string(bytes, size);
        EXPECT(oxi_json_read(&json, text, strlen(text), NULL));
        EXPECT_EQ(oxi_json_get_kind(oxi_json_root(&json)), OXI_JSON_STRING);
        oxi_json_free(&json);
    }
    oxi_text_free(&string_text);
}

TEST(json_writer, a_buffer_that_is_full_makes_the_text_not_whole) {
    char buffer[8];
    oxi_text text = oxi_text_over(buffer, sizeof buffer);
    oxi_json_writer json = oxi_json_write_to(&text);

    oxi_json_begin_array(&json);
    oxi_json_write_string(&json, "too long");
    oxi_json_end_array(&json);

    EXPECT(!oxi_json_is_whole(&json));
    EXPECT_STR(buffer, "[\"too l");
}

TEST(json_writer, levels_are_written_up_to_the_limit) {
    oxi_text text = {0};
    oxi_json_writer json = oxi_json_write_to(&text);
    for (int k = 0; k < OXI_JSON_MAX_DEPTH; k++) {
        oxi_json_begin_array(&json);
    }
    for (int k = 0; k < OXI_JSON_MAX_DEPTH; k++) {
        oxi_json_end_array(&json);
    }

    EXPECT(oxi_json_is_whole(&json));
    oxi_json read;
    EXPECT(oxi_json_read(&read, text.data, text.length, NULL));
    EXPECT_EQ(read.nodes.count, OXI_JSON_MAX_DEPTH);
    oxi_json_free(&read);
    oxi_text_free(&text);
}

#if OX_SAFETY >= 2
static char misuse_buffer[256];

TEST_CHILD(write_level_too_deep) {
    oxi_text text = oxi_text_over(misuse_buffer, sizeof misuse_buffer);
    oxi_json_writer json = oxi_json_write_to(&text);
    for (int k = 0; k <= OXI_JSON_MAX_DEPTH; k++) {
        oxi_json_begin_array(&json);
    }
}

TEST_CHILD(write_member_without_key) {
    oxi_text text = oxi_text_over(misuse_buffer, sizeof misuse_buffer);
    oxi_json_writer json = oxi_json_write_to(&text);
    oxi_json_begin_object(&json);
    oxi_json_write_null(&json);
}

TEST_CHILD(end_array_as_object) {
    oxi_text text = oxi_text_over(misuse_buffer, sizeof misuse_buffer);
    oxi_json_writer json = oxi_json_write_to(&text);
    oxi_json_begin_array(&json);
    oxi_json_end_object(&json);
}

TEST_CHILD(write_key_in_array) {
    oxi_text text = oxi_text_over(misuse_buffer, sizeof misuse_buffer);
    oxi_json_writer json = oxi_json_write_to(&text);
    oxi_json_begin_array(&json);
    oxi_json_write_key(&json, "key");
}

TEST_CHILD(write_two_roots) {
    oxi_text text = oxi_text_over(misuse_buffer, sizeof misuse_buffer);
    oxi_json_writer json = oxi_json_write_to(&text);
    oxi_json_write_null(&json);
    oxi_json_write_null(&json);
}

TEST(json_writer, calls_out_of_order_are_bugs_that_assert) {
    EXPECT_DIES(write_level_too_deep, "depth < OXI_JSON_MAX_DEPTH");
    EXPECT_DIES(write_member_without_key, "json->is_object");
    EXPECT_DIES(end_array_as_object, "== is_object");
    EXPECT_DIES(write_key_in_array, "json->is_object");
    EXPECT_DIES(write_two_roots, "has_root");
}
#else
TEST(json_writer, a_level_too_many_fails_the_text) {
    oxi_text text = {0};
    oxi_json_writer json = oxi_json_write_to(&text);
    for (int k = 0; k < 100; k++) {
        oxi_json_begin_array(&json);
    }
    for (int k = 0; k < 100; k++) {
        oxi_json_end_array(&json);
    }

    EXPECT(text.failed);
    EXPECT(!oxi_json_is_whole(&json));
    EXPECT_EQ(text.length, OXI_JSON_MAX_DEPTH);
    oxi_text_free(&text);
}
#endif
