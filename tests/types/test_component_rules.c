// SPDX-License-Identifier: MIT
//
// What a component may not be: each rule is a report that names type, field and fix.

#include "types_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Two types that rooms above announce.
static void announce_types(void) {
    ox_type handle = {.name = "Handle",
                      .site = "handle.c:1",
                      .size = 24,
                      .align = 8,
                      .header_version = OX_VERSION,
                      .role = "container"};
    ox_type holder = {.name = "Holder",
                      .text = "{ int a; Handle list; }",
                      .site = "holder.c:2",
                      .size = 32,
                      .align = 8,
                      .header_version = OX_VERSION};
    EXPECT(ox_type_register(&handle) != NULL);
    EXPECT(ox_type_register(&holder) != NULL);
}

typedef struct refused_text {
    const char *text;
    ox_report_id id;
    const char *says;
} refused_text;

static void expect_refused(const refused_text *cases, size_t count) {
    for (size_t k = 0; k < count; k++) {
        oxi_components_reset();
        announce_types();
        collected_reports reports;
        collect_reports(&reports);

        EXPECT_EQ(ox_component_register_at(
                      &(ox_component_def){.name = "Tested", .text = cases[k].text}, "game.c:88"),
                  0);

        EXPECT_REPORT(&reports, cases[k].id);
        EXPECT_HAS(reports.text, cases[k].says);
        EXPECT_HAS(reports.text, "Tested");
        EXPECT_STR(reports.site, "game.c:88");
        EXPECT_EQ(ox_component_find("Tested"), 0);
        EXPECT_EQ(ox_type_find("Tested"), NULL); // a corrected text may follow
        EXPECT(define_component("Tested", "{ int good; }") != 0);
    }
}

TEST(component_rules, forbid_containers_anywhere_inside) {
    static const refused_text cases[] = {
        {"{ int a; Handle list; }", OX_REPORT_COMPONENT_CONTAINER,
         "field 'list' of 'Tested' (game.c:88) is of type 'Handle'"},
        {"{ Handle lists[4]; }", OX_REPORT_COMPONENT_CONTAINER, "field 'lists' of 'Tested'"},
        {"{ struct { Handle h; }; }", OX_REPORT_COMPONENT_CONTAINER, "field 'h' of 'Tested'"},
        {"{ char c; struct { Holder inner[2]; } outer; }", OX_REPORT_COMPONENT_CONTAINER,
         "field 'outer.inner.list' of 'Tested'"},
        {"{ OX_UNOWNED Handle h; }", OX_REPORT_COMPONENT_CONTAINER, "use a fixed array"},
    };

    expect_refused(cases, sizeof cases / sizeof cases[0]);
}

TEST(component_rules, forbid_pointers_without_a_mark) {
    static const refused_text cases[] = {
        {"{ int *p; }", OX_REPORT_COMPONENT_POINTER, "field 'p' of 'Tested' (game.c:88)"},
        {"{ char *names[3]; }", OX_REPORT_COMPONENT_POINTER, "field 'names'"},
        {"{ void (*call)(int); }", OX_REPORT_COMPONENT_POINTER, "field 'call'"},
        {"{ struct { int a; Unknown *b; } in[2]; }", OX_REPORT_COMPONENT_POINTER, "field 'in.b'"},
        {"{ OX_READ_ONLY int *p; }", OX_REPORT_COMPONENT_POINTER, "write OX_UNOWNED before"},
        {"{ OX_UNOWNED int *p; int *q; }", OX_REPORT_COMPONENT_POINTER, "field 'q'"},
    };

    expect_refused(cases, sizeof cases / sizeof cases[0]);
}

TEST(component_rules, forbid_what_no_chunk_holds) {
    static const refused_text cases[] = {
        {"{ char bytes[16001]; }", OX_REPORT_COMPONENT_TOO_LARGE,
         "'Tested' (game.c:88) has 16001 bytes, 16000 is the limit"},
        {"{ double numbers[2000000000]; }", OX_REPORT_COMPONENT_TOO_LARGE, "16000000000 bytes"},
        {"{ struct { char c[2000000000]; } in[2000000000]; }", OX_REPORT_COMPONENT_TOO_LARGE,
         "4000000000000000000 bytes"},
        {"{ alignas(128) int a; }", OX_REPORT_COMPONENT_ALIGNMENT,
         "'Tested' (game.c:88) is aligned to 128"},
        {"{ _Alignas(4096) char a; }", OX_REPORT_COMPONENT_ALIGNMENT, "lower its alignment to 64"},
    };

    expect_refused(cases, sizeof cases / sizeof cases[0]);
}

TEST(component_rules, leave_texts_to_the_scanner) {
    static const refused_text cases[] = {
        {"{ Unknown u; }", OX_REPORT_UNKNOWN_TYPE, "field 'u' of 'Tested'"},
        {"{ int a : 3; }", OX_REPORT_UNREADABLE_FIELD, "bit-fields"},
        {"{ union { int a; } b; }", OX_REPORT_UNREADABLE_FIELD, "unions"},
        {"{ }", OX_REPORT_UNREADABLE_FIELD, "no fields"},
        {"", OX_REPORT_UNREADABLE_FIELD, "does not begin with '{'"},
        {"{ int a; } b;", OX_REPORT_UNREADABLE_FIELD, "something follows"},
        {"{ Tested t; }", OX_REPORT_UNKNOWN_TYPE, "field 't' of 'Tested'"},
        {"{ struct { struct { struct { struct { struct { struct { struct { struct { struct { int "
         "a; "
         "} a; } a; } a; } a; } a; } a; } a; } a; } a; }",
         OX_REPORT_STRUCT_TOO_DEEP, "nested 8 deep"},
    };

    expect_refused(cases, sizeof cases / sizeof cases[0]);
}

TEST(component_rules, forbid_two_fields_of_one_name) {
    static const refused_text cases[] = {
        {"{ int x; float x; }", OX_REPORT_BAD_COMPONENT, "two of its fields have the same name"},
        {"{ int x; struct { float x; }; }", OX_REPORT_BAD_COMPONENT, "same name"},
        {"{ struct { struct { int x; }; int x; } in; }", OX_REPORT_BAD_COMPONENT, "same name"},
    };

    expect_refused(cases, sizeof cases / sizeof cases[0]);
}

TEST(component_rules, allow_everything_else) {
    static const char *const texts[] = {
        "{ bool is_set; }",
        "{ char name[32]; }",
        "{ char bytes[16000]; }",
        "{ alignas(64) int a; }",
        "{ OX_UNOWNED void *user; OX_UNOWNED struct { int *a; char *b[2]; } more; }",
        "{ ox_entity a; ox_entity b[3]; struct { ox_entity c; } d[2]; }",
        "{ enum { A, B } state; int m[2][3]; ox_float3 place; }",
        "{ int x; struct { int x; } in; struct { struct { int y; }; int x; } in2; }",
        "{ long double l; size_t s; }",
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        oxi_components_reset();

        EXPECT(define_component("Tested", texts[k]) != 0);
    }
}

// Names.

static void expect_bad_name(const char *name) {
    oxi_components_reset();
    ox_component component = pair_component(name);
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_component_id_of_at(&component, OX_HERE), 0);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COMPONENT);
    EXPECT_EQ(ox_component_register(&(ox_component_def){.name = name, .text = "{ int x, y; }"}), 0);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COMPONENT);
    EXPECT_EQ(
        ox_component_register(&(ox_component_def){.name = name, .kind = OX_COMPONENT_KIND_TAG}), 0);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COMPONENT);
    EXPECT_HAS(reports.text, "its name ");
    EXPECT_EQ(ox_component_count(), 0);
}

TEST(component_rules, forbid_names_that_are_no_identifiers) {
    static const char *const names[] = {"",         " ",        "two words", " Space", "Space ",
                                        "1st",      "a-b",      "%n",        "a\nb",   "\"q\"",
                                        "<script>", "\xff\xfe", "\xc3\xa4",  "a.b",    "int",
                                        "uint8_t",  "struct X", "/**/a"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        expect_bad_name(names[k]);
    }
    expect_bad_name(NULL);
}

TEST(component_rules, forbid_names_that_are_too_long) {
    enum { MEGABYTE = 1 << 20 };
    char *name = malloc(MEGABYTE);
    EXPECT(name != NULL);
    memset(name, 'a', MEGABYTE);
    name[MEGABYTE - 1] = 0;
    expect_bad_name(name);
    name[128] = 0;
    expect_bad_name(name);
    name[127] = 0;
    oxi_components_reset();

    EXPECT(define_component(name, "{ int a; }") != 0);

    EXPECT(ox_component_find(name) != 0);
    free(name);
}

// Descriptors.

static void expect_bad_component(ox_component component, ox_report_id id, const char *says) {
    oxi_components_reset();
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_component_id_of_at(&component, "game.c:88"), 0);

    EXPECT_REPORT(&reports, id);
    EXPECT_HAS(reports.text, says);
    EXPECT_EQ(component.oxi_id, 0);
    EXPECT_EQ(ox_component_count(), 0);
}

TEST(component_rules, forbid_kinds_and_flags_that_do_not_exist) {
    ox_component kind = pair_component("Tested"), flags = kind, inline_capacity = kind;
    kind.kind = (ox_component_kind)7;
    flags.flags = 4;
    inline_capacity.inline_capacity = 8;

    expect_bad_component(kind, OX_REPORT_BAD_COMPONENT, "its kind is not known");
    expect_bad_component(flags, OX_REPORT_BAD_COMPONENT, "flags that are not known");
    expect_bad_component(inline_capacity, OX_REPORT_BAD_COMPONENT,
                         "only a buffer has inline elements");
}

TEST(component_rules, forbid_kinds_and_flags_that_do_not_go_together) {
    ox_component switched = pair_component("Tested"), negative = switched, large = switched;
    switched.kind = OX_COMPONENT_KIND_SHARED;
    switched.flags = OX_COMPONENT_ENABLEABLE;
    negative.kind = large.kind = OX_COMPONENT_KIND_BUFFER;
    negative.inline_capacity = -2;
    large.inline_capacity = 16000;

    expect_bad_component(switched, OX_REPORT_BAD_COMPONENT, "none can switch it off");
    expect_bad_component(negative, OX_REPORT_BAD_COMPONENT, "its inline capacity is negative");
    expect_bad_component(large, OX_REPORT_BAD_COMPONENT,
                         "its inline elements do not fit into a chunk");
}

TEST(component_rules, allow_pointers_and_containers_in_shared_components) {
    oxi_components_reset();
    ox_component_def def = {.name = "Mesh", .text = "{ float *vertices; int count; }"};
    def.kind = OX_COMPONENT_KIND_SHARED;

    uint32_t id = ox_component_register(&def);

    EXPECT(id != 0);
    EXPECT_EQ(ox_component_get_info(id)->kind, OX_COMPONENT_KIND_SHARED);
}

TEST(component_rules, fill_in_the_inline_capacity_of_buffers) {
    oxi_components_reset();
    ox_component_def def = {.name = "Step", .text = "{ int a; }", .kind = OX_COMPONENT_KIND_BUFFER};
    ox_component_def own = {.name = "Hop", .text = "{ int a; }", .kind = OX_COMPONENT_KIND_BUFFER};
    ox_component_def none = own;
    own.inline_capacity = 3;
    none.name = "Leap";
    none.inline_capacity = OX_INLINE_NONE;

    EXPECT_EQ(ox_component_get_info(ox_component_register(&def))->inline_capacity, 32);
    EXPECT_EQ(ox_component_get_info(ox_component_register(&own))->inline_capacity, 3);
    EXPECT_EQ(ox_component_get_info(ox_component_register(&none))->inline_capacity, 0);
}

TEST(component_rules, forbid_tags_with_a_value_and_data_without) {
    ox_component tag = pair_component("Tested"), sized = tag, empty = tag;
    tag.kind = sized.kind = OX_COMPONENT_KIND_TAG;
    tag.type.size = 0;
    sized.type.text = empty.type.text = NULL;
    empty.type.size = 0;

    expect_bad_component(tag, OX_REPORT_BAD_COMPONENT, "a tag has no fields and no size");
    expect_bad_component(sized, OX_REPORT_BAD_COMPONENT, "a tag has no fields and no size");
    expect_bad_component(empty, OX_REPORT_BAD_COMPONENT, "all but a tag have a size");
}

TEST(component_rules, forbid_sizes_and_alignments_of_structs_declared_elsewhere) {
    static const struct {
        size_t size, align;
        ox_report_id id;
    } cases[] = {{16004, 4, OX_REPORT_COMPONENT_TOO_LARGE},
                 {SIZE_MAX, 1, OX_REPORT_COMPONENT_TOO_LARGE},
                 {SIZE_MAX & ~(size_t)63, 64, OX_REPORT_COMPONENT_TOO_LARGE},
                 {8, 0, OX_REPORT_COMPONENT_ALIGNMENT},
                 {9, 3, OX_REPORT_COMPONENT_ALIGNMENT},
                 {128, 128, OX_REPORT_COMPONENT_ALIGNMENT},
                 {128, 65536, OX_REPORT_COMPONENT_ALIGNMENT},
                 {6, 4, OX_REPORT_BAD_COMPONENT}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ox_component component = pair_component("Tested");
        component.type.text = NULL;
        component.type.size = cases[k].size;
        component.type.align = cases[k].align;

        expect_bad_component(component, cases[k].id, "Tested");
    }
}

TEST(component_rules, forbid_a_text_that_makes_another_size) {
    ox_component component = pair_component("Tested");
    component.type.size = 12;

    expect_bad_component(component, OX_REPORT_LAYOUT_MISMATCH, "makes 8 bytes");
}

TEST(component_rules, forbid_containers_that_are_the_component_itself) {
    oxi_components_reset();
    announce_types();
    ox_component component = pair_component("Handle");
    component.type.text = NULL;
    component.type.size = 24;
    component.type.align = 8;
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_component_id_of_at(&component, OX_HERE), 0);

    EXPECT_REPORT(&reports, OX_REPORT_COMPONENT_CONTAINER);
}
