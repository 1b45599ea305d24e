// SPDX-License-Identifier: MIT
//
// Components as JSON: what is written, and what is read.

#include "types_test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { JSON_SIZE = 4096 };

// The JSON of a value of this text.
static const char *json_of(const char *text, const void *value) {
    static char buffer[JSON_SIZE];
    const ox_component_info *info = only_component(text);
    size_t length = ox_component_write_json(info->id, value, buffer, sizeof buffer);
    EXPECT_EQ(length, strlen(buffer));
    return buffer;
}

// Reads JSON into a value of this text.
static bool read_into(const char *text, const char *json, void *value) {
    const ox_component_info *info = only_component(text);
    return ox_component_read_json(info->id, json, strlen(json), value);
}

// Writing.

TEST(component_json, has_fields_by_name_nested_objects_and_arrays) {
    struct {
        int a;
        struct {
            bool b;
            uint8_t c[3];
        } in[2];
        struct {
            short d;
        };
        int m[2][2];
    } value = {-5, {{true, {1, 2, 3}}, {false, {4, 5, 255}}}, {7}, {{1, 2}, {3, 4}}};

    EXPECT_STR(json_of("{ int a; struct { bool b; uint8_t c[3]; } in[2]; struct { short d; };"
                       " int m[2][2]; }",
                       &value),
               "{\"a\":-5,\"in\":[{\"b\":true,\"c\":[1,2,3]},{\"b\":false,\"c\":[4,5,255]}],"
               "\"d\":7,\"m\":[1,2,3,4]}");
}

TEST(component_json, has_entities_enums_and_pointers) {
    struct {
        ox_entity a[2];
        enum { E0, E1, E2 } e;
        void *p;
        void *q[2];
    } value = {{{0, 0}, {12, UINT32_MAX}}, E2, &value, {NULL, &value}};

    EXPECT_STR(json_of("{ ox_entity a[2]; enum { E0, E1, E2 } e; OX_UNOWNED void *p;"
                       " OX_UNOWNED void *q[2]; }",
                       &value),
               "{\"a\":[\"0:0\",\"12:4294967295\"],\"e\":2,\"p\":null,\"q\":[null,null]}");
}

TEST(component_json, has_integers_whole) {
    struct {
        int64_t least, most;
        uint64_t huge;
    } value = {INT64_MIN, INT64_MAX, UINT64_MAX};

    EXPECT_STR(json_of("{ int64_t least, most; uint64_t huge; }", &value),
               "{\"least\":-9223372036854775808,\"most\":9223372036854775807,"
               "\"huge\":18446744073709551615}");
}

TEST(component_json, has_floats_with_the_fewest_digits) {
    struct {
        float f[3];
        double d[3];
    } value = {{0.1f, -0.0f, 16777216.0f}, {0.1, 1e300, 5}};

    EXPECT_STR(json_of("{ float f[3]; double d[3]; }", &value),
               "{\"f\":[0.1,-0,16777216],\"d\":[0.1,1e+300,5]}");
}

TEST(component_json, has_texts_for_what_is_not_finite) {
    struct {
        float f[4];
        double d[4];
    } value = {{NAN, -NAN, INFINITY, -INFINITY},
               {(double)NAN, -(double)NAN, (double)INFINITY, -(double)INFINITY}};

    EXPECT_STR(json_of("{ float f[4]; double d[4]; }", &value),
               "{\"f\":[\"nan\",\"-nan\",\"inf\",\"-inf\"],"
               "\"d\":[\"nan\",\"-nan\",\"inf\",\"-inf\"]}");
}

TEST(component_json, has_the_bytes_of_other_nans) {
    uint32_t bits[2] = {0x7fc00001, 0xff800001};

    EXPECT_STR(json_of("{ float f[2]; }", bits), "{\"f\":[\"hex:0100c07f\",\"hex:010080ff\"]}");
}

TEST(component_json, has_long_doubles_as_numbers_when_they_are_doubles) {
    long double values[3];
    memset(values, 0xee, sizeof values);
    values[0] = 1.5L;
    values[1] = (long double)INFINITY;
    values[2] = -(long double)NAN;

    EXPECT_STR(json_of("{ long double l[3]; }", values), "{\"l\":[1.5,\"inf\",\"-nan\"]}");
}

TEST(component_json, has_char_arrays_as_text) {
    struct {
        char name[8], empty[4], utf8[8], quoted[8];
        char letter;
        signed char no_text[2];
    } value = {"oxbow", "", "\xc3\xa4\xe2\x82\xac", "a\"\\\n\x01", 'x', {'a', 0}};

    EXPECT_STR(json_of("{ char name[8], empty[4], utf8[8], quoted[8]; char letter;"
                       " signed char no_text[2]; }",
                       &value),
               "{\"name\":\"oxbow\",\"empty\":\"\",\"utf8\":\"\xc3\xa4\xe2\x82\xac\","
               "\"quoted\":\"a\\\"\\\\\\n\\u0001\",\"letter\":120,\"no_text\":[97,0]}");
}

TEST(component_json, has_char_arrays_that_are_no_text_as_numbers) {
    struct {
        char full[3], broken[3], behind[4];
    } value = {{'a', 'b', 'c'}, {(char)0xff, 0, 0}, {'a', 0, 'b', 0}};

    EXPECT_STR(json_of("{ char full[3], broken[3], behind[4]; }", &value),
               (char)-1 < 0 ? "{\"full\":[97,98,99],\"broken\":[-1,0,0],\"behind\":[97,0,98,0]}"
                            : "{\"full\":[97,98,99],\"broken\":[255,0,0],\"behind\":[97,0,98,0]}");
}

TEST(component_json, has_the_bytes_of_what_is_not_known) {
    oxi_components_reset();
    uint32_t blob =
        ox_component_register(&(ox_component_def){.name = "Blob", .size = 4, .align = 1});
    uint32_t holder = define_component("Holder", "{ char a; Blob b[2]; }");
    char buffer[JSON_SIZE];

    ox_component_write_json(blob, "\x01\xab\xff\x00", buffer, sizeof buffer);
    EXPECT_STR(buffer, "\"hex:01abff00\"");
    ox_component_write_json(holder, "\x07\x01\x02\x03\x04\xaa\xbb\xcc\xdd", buffer, sizeof buffer);
    EXPECT_STR(buffer, "{\"a\":7,\"b\":[\"hex:01020304\",\"hex:aabbccdd\"]}");
}

TEST(component_json, of_a_tag_is_an_empty_object) {
    oxi_components_reset();
    uint32_t tag =
        ox_component_register(&(ox_component_def){.name = "Tag", .kind = OX_COMPONENT_KIND_TAG});
    char buffer[8];

    EXPECT_EQ(ox_component_write_json(tag, NULL, buffer, sizeof buffer), 2);
    EXPECT_STR(buffer, "{}");
    EXPECT(ox_component_read_json(tag, "{ }", 3, NULL));
}

TEST(component_json, is_cut_to_fit) {
    const ox_component_info *info = only_component("{ char name[8]; }");
    char buffer[16];
    memset(buffer, '?', sizeof buffer);

    // {"name":"ä"}
    EXPECT_EQ(ox_component_write_json(info->id, "\xc3\xa4\0\0\0\0\0", NULL, 0), 13);
    EXPECT_EQ(ox_component_write_json(info->id, "\xc3\xa4\0\0\0\0\0", buffer, 11), 13);
    EXPECT_STR(buffer, "{\"name\":\""); // never half a character
    EXPECT_EQ(buffer[11], '?');
    EXPECT_EQ(ox_component_write_json(info->id, "\xc3\xa4\0\0\0\0\0", buffer, 1), 13);
    EXPECT_STR(buffer, "");
    EXPECT_EQ(ox_component_write_json(info->id, "\xc3\xa4\0\0\0\0\0", buffer, 14), 13);
    EXPECT_STR(buffer, "{\"name\":\"\xc3\xa4\"}");
}

TEST(component_json, of_nothing_is_reported) {
    const ox_component_info *info = only_component("{ int a; }");
    char buffer[8] = "before";
    int value = 7;
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_component_write_json_at(99, &value, buffer, sizeof buffer, "game.c:88"), 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT_ID);
    EXPECT_STR(reports.site, "game.c:88");
    EXPECT_STR(buffer, "");
    EXPECT_EQ(ox_component_write_json(info->id, NULL, buffer, sizeof buffer), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_component_write_json(info->id, &value, NULL, 8), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_component_read_json(99, "{}", 2, &value));
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT_ID);
    EXPECT(!ox_component_read_json(info->id, NULL, 2, &value));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_component_read_json(info->id, "{}", 2, NULL));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(value, 7);
}

// Reading.

TEST(component_json, that_misses_fields_leaves_their_values) {
    struct {
        int a, b;
        struct {
            int c, d;
        } in;
    } value = {1, 2, {3, 4}};

    EXPECT(read_into("{ int a, b; struct { int c, d; } in; }", " { \"in\" : {\"d\": 40}, \"b\":20}",
                     &value));

    EXPECT_EQ(value.a, 1);
    EXPECT_EQ(value.b, 20);
    EXPECT_EQ(value.in.c, 3);
    EXPECT_EQ(value.in.d, 40);
    EXPECT(read_into("{ int a, b; struct { int c, d; } in; }", "{}", &value));
}

TEST(component_json, leaves_pointers_alone) {
    struct {
        void *p;
        int a;
        void *q[2];
    } value = {&value, 1, {&value, NULL}};

    EXPECT(read_into("{ OX_UNOWNED void *p; int a; OX_UNOWNED void *q[2]; }",
                     "{\"p\":null,\"a\":2,\"q\":[null,null]}", &value));

    EXPECT_EQ(value.p, (void *)&value);
    EXPECT_EQ(value.a, 2);
    EXPECT_EQ(value.q[0], (void *)&value);
}

TEST(component_json, may_write_numbers_in_other_ways) {
    struct {
        int i[4];
        float f[3];
        uint64_t u;
    } value = {0};

    EXPECT(read_into("{ int i[4]; float f[3]; uint64_t u; }",
                     "{\"i\":[1e3,-2.0,0.5e1,-0],\"f\":[3,0.30000001192092896,-1e-60],"
                     "\"u\":18446744073709551615}",
                     &value));

    EXPECT_EQ(value.i[0], 1000);
    EXPECT_EQ(value.i[1], -2);
    EXPECT_EQ(value.i[2], 5);
    EXPECT_EQ(value.i[3], 0);
    EXPECT_EQ(value.f[0], 3.0f);
    EXPECT_EQ(value.f[1], 0.3f);
    EXPECT_EQ(value.f[2], -0.0f);
    EXPECT_EQ(value.u, UINT64_MAX);
}

TEST(component_json, that_was_written_of_what_is_not_finite_is_read_back) {
    float f[4] = {NAN, -NAN, INFINITY, -INFINITY}, back[4] = {0};
    long double large[2] = {0};

    EXPECT(read_into("{ float f[4]; }", json_of("{ float f[4]; }", f), back));
    EXPECT(read_into("{ long double l[2]; }", "{\"l\":[\"-inf\",\"nan\"]}", large));

    EXPECT_EQ(memcmp(f, back, sizeof f), 0);
    EXPECT(isinf(large[0]) && large[0] < 0 && isnan(large[1]));
    collected_reports reports;
    collect_reports(&reports);
    EXPECT(!read_into("{ float f[4]; }", "{\"f\":[\"infinite\",0,0,0]}", back));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COMPONENT_JSON);
    EXPECT(!read_into("{ int i; }", "{\"i\":\"inf\"}", back));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COMPONENT_JSON);
    EXPECT_EQ(memcmp(f, back, sizeof f), 0);
}

TEST(component_json, reads_texts_into_char_arrays_and_clears_the_rest) {
    struct {
        char a[8], b[4];
    } value;
    memset(&value, '?', sizeof value);

    EXPECT(read_into("{ char a[8], b[4]; }", "{\"a\":\"o\\u00e4\",\"b\":[97,0,98,0]}", &value));

    EXPECT_EQ(memcmp(value.a, "o\xc3\xa4\0\0\0\0", 8), 0);
    EXPECT_EQ(memcmp(value.b, "a\0b", 4), 0);
}

TEST(component_json, reads_fields_of_anonymous_structs_and_arrays_of_structs) {
    struct {
        struct {
            int a;
            struct {
                ox_entity e;
            };
        };
        struct {
            char c;
            bool b;
        } in[2];
    } value = {0};

    EXPECT(read_into(
        "{ struct { int a; struct { ox_entity e; }; }; struct { char c; bool b; } in[2]; }",
        "{\"in\":[{\"b\":true},{\"c\":5,\"b\":false}],\"e\":\"7:8\",\"a\":-1}", &value));

    EXPECT_EQ(value.a, -1);
    EXPECT_EQ(value.e.index, 7);
    EXPECT_EQ(value.e.version, 8);
    EXPECT(value.in[0].b && !value.in[1].b);
    EXPECT_EQ(value.in[1].c, 5);
}
