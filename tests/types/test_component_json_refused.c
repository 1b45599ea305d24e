// SPDX-License-Identifier: MIT
//
// JSON that does not fit: a report that names the path, and nothing is written.

#include "types_test.h"

#include <stdlib.h>
#include <string.h>

static const char target_text[] =
    "{ int first; uint8_t byte; float f; double d; bool b; ox_entity e; char name[4];"
    " OX_UNOWNED void *p; struct { int16_t s; Blob blob; } in[2]; enum { A } state; uint64_t u; }";

static uint32_t target_id(void) {
    oxi_components_reset();
    ox_component_def blob = {.name = "Blob", .size = 2, .align = 1};
    EXPECT(ox_component_register(&blob) != 0);
    return define_component("Tested", target_text);
}

typedef struct refused_json {
    const char *json;
    const char *says;
} refused_json;

static void expect_refused_json(const refused_json *cases, size_t count) {
    uint32_t id = target_id();
    size_t size = ox_component_get_info(id)->size;
    char *value = malloc(size), *before = malloc(size);
    memset(value, 0x5a, size);
    memset(before, 0x5a, size);
    collected_reports reports;
    collect_reports(&reports);
    for (size_t k = 0; k < count; k++) {
        const char *json = cases[k].json;

        EXPECT(!ox_component_read_json_at(id, json, strlen(json), value, "game.c:88"));

        EXPECT_REPORT(&reports, OX_REPORT_BAD_COMPONENT_JSON);
        EXPECT_HAS(reports.text, "'Tested', at ");
        EXPECT_HAS(reports.text, cases[k].says);
        EXPECT_STR(reports.site, "game.c:88");
        EXPECT_EQ(memcmp(value, before, size), 0);
    }
    free(value);
    free(before);
}

TEST(component_json_refused, when_it_is_not_json) {
    static const refused_json cases[] = {
        {"", "at byte 0: the text ends before its value does"},
        {"{\"first\":1", "the text ends"},
        {"{\"first\":1}x", "at byte 11: there is more text after the value"},
        {"{first:1}", "a name in quotes"},
        {"{\"first\":1,\"first\":2}", "the same name"},
        {"{\"first\":nan}", "a value should stand here"},
        {"{\"name\":\"\xff\"}", "not valid UTF-8"},
    };

    expect_refused_json(cases, sizeof cases / sizeof cases[0]);
}

TEST(component_json_refused, when_a_name_is_not_known) {
    static const refused_json cases[] = {
        {"{\"first\":1,\"second\":2}", "at second: there is no such field"},
        {"{\"\":2}", "there is no such field"},
        {"{\"First\":2}", "at First: there is no such field"},
        {"{\"first\\u0000\":2}", "there is no such field"},
        {"{\"in\":[{\"s\":1},{\"t\":1}]}", "at in[1].t: there is no such field"},
    };

    expect_refused_json(cases, sizeof cases / sizeof cases[0]);
}

TEST(component_json_refused, when_a_type_is_wrong) {
    static const refused_json cases[] = {
        {"[]", "at the whole text: an object should stand here"},
        {"null", "at the whole text: an object should stand here"},
        {"{\"first\":\"1\"}", "at first: a number is needed"},
        {"{\"first\":null}", "at first: a number is needed"},
        {"{\"first\":true}", "at first: a number is needed"},
        {"{\"first\":[1]}", "at first: a number is needed"},
        {"{\"first\":\"nan\"}", "at first: a number is needed"},
        {"{\"first\":\"hex:00000000\"}", "at first: a number is needed"},
        {"{\"state\":\"A\"}", "at state: a number is needed"},
        {"{\"f\":\"NaN\"}", "at f: a number is needed"},
        {"{\"f\":\"inf\\u0000\"}", "at f: a number is needed"},
        {"{\"f\":true}", "at f: a number is needed"},
        {"{\"b\":1}", "at b: true or false should stand here"},
        {"{\"b\":null}", "at b: true or false should stand here"},
        {"{\"p\":0}", "at p: null should stand here"},
        {"{\"in\":{\"s\":1}}", "at in: an array should stand here"},
        {"{\"in\":[1,2]}", "at in[0]: an object should stand here"},
        {"{\"name\":7}", "at name: an array should stand here"},
    };

    expect_refused_json(cases, sizeof cases / sizeof cases[0]);
}

TEST(component_json_refused, when_a_number_is_out_of_range) {
    static const refused_json cases[] = {
        {"{\"first\":2147483648}", "at first: it is out of range"},
        {"{\"first\":1.5}", "at first: it is not a whole number"},
        {"{\"byte\":256}", "at byte: it is out of range"},
        {"{\"byte\":-1}", "at byte: it is out of range"},
        {"{\"state\":18446744073709551615}", "at state: it is out of range"},
        {"{\"u\":18446744073709551616}", "at u: so great a whole number"},
        {"{\"u\":9007199254740993.0}", "at u: so great a whole number"},
        {"{\"u\":-1}", "at u: it is out of range"},
        {"{\"f\":1e39}", "at f: it is out of range"},
        {"{\"f\":16777217}", "at f: it cannot be held exactly"},
        {"{\"d\":9007199254740993}", "at d: it cannot be held exactly"},
        {"{\"d\":1e999}", "too great for a double"},
        {"{\"in\":[{\"s\":1},{\"s\":32768}]}", "at in[1].s: it is out of range"},
    };

    expect_refused_json(cases, sizeof cases / sizeof cases[0]);
}

TEST(component_json_refused, when_a_text_does_not_stand_for_its_field) {
    static const refused_json cases[] = {
        {"{\"e\":\"1\"}", "at e: an entity should stand here"},
        {"{\"e\":\"1:\"}", "at e: an entity"},
        {"{\"e\":\":1\"}", "at e: an entity"},
        {"{\"e\":\"1:2:3\"}", "at e: an entity"},
        {"{\"e\":\"01:2\"}", "at e: an entity"},
        {"{\"e\":\"-1:2\"}", "at e: an entity"},
        {"{\"e\":\" 1:2\"}", "at e: an entity"},
        {"{\"e\":\"4294967296:1\"}", "at e: an entity"},
        {"{\"e\":\"1:4294967296\"}", "at e: an entity"},
        {"{\"e\":12}", "at e: an entity"},
        {"{\"name\":\"four\"}", "at name: the text is too long"},
        {"{\"name\":\"a\\u0000b\"}", "at name: the text has a 0 inside"},
        {"{\"f\":\"hex:0000\"}", "at f: \"hex:\" and two digits"},
        {"{\"f\":\"hex:0000000g\"}", "at f: \"hex:\" and two digits"},
        {"{\"f\":\"hex:0000000A\"}", "at f: \"hex:\" and two digits"},
        {"{\"in\":[{\"blob\":\"0102\"},{}]}", "at in[0].blob: \"hex:\" and two digits"},
        {"{\"in\":[{},{\"blob\":5}]}", "at in[1].blob: \"hex:\" and two digits"},
    };

    expect_refused_json(cases, sizeof cases / sizeof cases[0]);
}

TEST(component_json_refused, when_an_array_has_another_length) {
    static const refused_json cases[] = {
        {"{\"in\":[]}", "at in: the array has too few items"},
        {"{\"in\":[{}]}", "at in: the array has too few items"},
        {"{\"in\":[{},{},{}]}", "at in: the array has too many items"},
        {"{\"name\":[1,2,3,4,5]}", "at name: the array has too many items"},
    };

    expect_refused_json(cases, sizeof cases / sizeof cases[0]);
}

TEST(component_json_refused, as_a_whole_when_its_last_field_does_not_fit) {
    static const refused_json cases[] = {
        {"{\"first\":1,\"byte\":2,\"f\":3,\"b\":true,\"e\":\"1:2\",\"name\":\"abc\","
         "\"in\":[{\"s\":1,\"blob\":\"hex:0102\"},{\"s\":2}],\"u\":1,\"state\":99999999999}",
         "at state: it is out of range"},
    };

    expect_refused_json(cases, 1);
}

TEST(component_json_refused, with_a_path_that_is_cut_when_it_is_long) {
    uint32_t id = target_id();
    char json[2048] = "{\"", value[256] = {0};
    memset(json + 2, 'x', 1000);
    strcpy(json + 1002, "\":1}");
    collected_reports reports;
    collect_reports(&reports);

    EXPECT(!ox_component_read_json(id, json, strlen(json), value));

    EXPECT_REPORT(&reports, OX_REPORT_BAD_COMPONENT_JSON);
    EXPECT_HAS(reports.text, "xxx");
}

TEST(component_json_refused, for_tags_with_fields_and_for_values_without) {
    oxi_components_reset();
    uint32_t tag =
        ox_component_register(&(ox_component_def){.name = "Tag", .kind = OX_COMPONENT_KIND_TAG});
    uint32_t blob =
        ox_component_register(&(ox_component_def){.name = "Blob", .size = 2, .align = 2});
    char value[2] = {1, 2};
    collected_reports reports;
    collect_reports(&reports);

    EXPECT(!ox_component_read_json(tag, "{\"a\":1}", 7, NULL));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COMPONENT_JSON);
    EXPECT(!ox_component_read_json(blob, "{}", 2, value));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COMPONENT_JSON);
    EXPECT(!ox_component_read_json(blob, "\"hex:0xff\"", 10, value));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COMPONENT_JSON);
    EXPECT_EQ(value[0], 1);
    EXPECT(ox_component_read_json(blob, "\"hex:0aff\"", 10, value));
    EXPECT_EQ(value[0], 10);
    EXPECT_EQ(value[1], (char)0xff);
}
