// SPDX-License-Identifier: MIT
//
// Components that are defined at run time, as a script does.

#include "types_test.h"

#include <string.h>

TEST(component_define, computes_size_and_alignment_from_the_text) {
    const ox_component_info *info = only_component("{ char a; double b; char c[3]; ox_float3 d; }");

    EXPECT_EQ(info->size, 32);
    EXPECT_EQ(info->align, 8);
    EXPECT_EQ(info->layout.field_count, 7);
    EXPECT(info->has_padding);
}

TEST(component_define, takes_a_size_or_an_alignment_that_fits_the_text) {
    oxi_components_reset();
    ox_component_def both = {.name = "Both", .text = "{ int a, b; }", .size = 8, .align = 4};
    ox_component_def size = {.name = "Size", .text = "{ int a, b; }", .size = 8};
    ox_component_def align = {.name = "Align", .text = "{ int a, b; }", .align = 4};

    EXPECT(ox_component_register(&both) != 0);
    EXPECT(ox_component_register(&size) != 0);
    EXPECT(ox_component_register(&align) != 0);
}

TEST(component_define, refuses_a_size_or_an_alignment_that_does_not_fit_the_text) {
    oxi_components_reset();
    ox_component_def size = {.name = "Size", .text = "{ int a, b; }", .size = 12};
    ox_component_def align = {.name = "Align", .text = "{ int a, b; }", .align = 8};
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_component_register(&size), 0);
    EXPECT_REPORT(&reports, OX_REPORT_LAYOUT_MISMATCH);
    EXPECT_EQ(ox_component_register(&align), 0);
    EXPECT_REPORT(&reports, OX_REPORT_LAYOUT_MISMATCH);
}

TEST(component_define, takes_values_whose_fields_are_not_known) {
    oxi_components_reset();
    ox_component_def def = {.name = "Blob", .size = 48, .align = 16};

    const ox_component_info *info = ox_component_get_info(ox_component_register(&def));

    EXPECT(info != NULL);
    EXPECT_EQ(info->size, 48);
    EXPECT_EQ(info->align, 16);
    EXPECT_EQ(info->layout.field_count, 0);
    EXPECT_EQ(ox_type_find("Blob")->size, 48);
}

TEST(component_define, refuses_values_without_text_or_without_size_and_alignment) {
    oxi_components_reset();
    ox_component_def none = {.name = "Blob"}, size = {.name = "Blob", .size = 8};
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_component_register(&none), 0);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COMPONENT);
    EXPECT_EQ(ox_component_register(&size), 0);
    EXPECT_REPORT(&reports, OX_REPORT_COMPONENT_ALIGNMENT);
}

TEST(component_define, makes_tags) {
    oxi_components_reset();
    ox_component_def tag = {.name = "Frozen", .kind = OX_COMPONENT_KIND_TAG};

    uint32_t id = ox_component_register(&tag);

    EXPECT_EQ(ox_component_get_info(id)->kind, OX_COMPONENT_KIND_TAG);
    EXPECT_EQ(ox_component_register(&tag), id);
}

TEST(component_define, refuses_tags_with_fields) {
    oxi_components_reset();
    ox_component_def tag = {.name = "Frozen", .text = "{ int a; }", .kind = OX_COMPONENT_KIND_TAG};
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_component_register(&tag), 0);

    EXPECT_REPORT(&reports, OX_REPORT_BAD_COMPONENT);
}

TEST(component_define, joins_what_is_declared_with_the_same_body) {
    oxi_components_reset();
    ox_component component = pair_component("Pair");
    uint32_t id = ox_component_id_of_at(&component, OX_HERE);

    EXPECT_EQ(define_component("Pair", "{ int  x , y ; } // the same"), id);
    EXPECT_EQ(ox_component_register(&(ox_component_def){.name = "Pair", .size = 8, .align = 4}),
              id);

    collected_reports reports;
    collect_reports(&reports);
    EXPECT_EQ(define_component("Pair", "{ float x, y; }"), 0);
    EXPECT_REPORT(&reports, OX_REPORT_COMPONENT_CONFLICT);
    EXPECT_EQ(define_component("Pair", "{ int x; }"), 0);
    EXPECT_REPORT(&reports, OX_REPORT_COMPONENT_CONFLICT);
}

TEST(component_define, sees_what_is_declared_and_was_not_used) {
    oxi_components_reset();
    ox_component component = pair_component("Pair");
    oxi_component_link(&component);

    EXPECT(define_component("Outer", "{ Pair a, b; }") != 0);

    EXPECT(component.oxi_id != 0);
}

TEST(component_define, nests_what_was_defined_before) {
    oxi_components_reset();
    EXPECT(define_component("Inner", "{ ox_entity who; char c; }") != 0);

    uint32_t id = define_component("Outer", "{ char c; Inner in[2]; }");

    const ox_component_info *info = ox_component_get_info(id);
    EXPECT(info != NULL);
    EXPECT_EQ(info->entity_count, 2);
    EXPECT_EQ(info->entity_offsets[0], 4);
    EXPECT_EQ(info->entity_offsets[1], 16);
}

TEST(component_define, copies_its_texts) {
    oxi_components_reset();
    char name[] = "Copied", text[] = "{ int x, y; }", site[] = "script:3";
    uint32_t id = ox_component_register_at(&(ox_component_def){.name = name, .text = text}, site);

    memset(name, '?', sizeof name - 1);
    memset(text, '?', sizeof text - 1);
    memset(site, '?', sizeof site - 1);

    const ox_component_info *info = ox_component_get_info(id);
    EXPECT_STR(info->name, "Copied");
    EXPECT_STR(info->site, "script:3");
    EXPECT_STR(info->layout.fields[0].name, "x");
    EXPECT_EQ(define_component("Copied", "{ int x, y; }"), id);
    EXPECT_STR(ox_type_find("Copied")->text, "{ int x, y; }");
}

TEST(component_define, refuses_garbage) {
    ox_component_def garbage = {._guard_begin = 1, .name = "Garbage"};
    ox_component_def behind = {.name = "Garbage", ._guard_end = 1};
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_component_register(NULL), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_component_register(&garbage), 0);
    EXPECT_REPORT(&reports, OX_REPORT_DEF_GARBAGE);
    EXPECT_EQ(ox_component_register(&behind), 0);
    EXPECT_REPORT(&reports, OX_REPORT_DEF_GARBAGE);
}

TEST(component_define, gives_a_component_that_is_ox_entity_itself_one_offset) {
    oxi_components_reset();
    ox_component_def def = {.name = "ox_entity", .size = 8, .align = 4};

    const ox_component_info *info = ox_component_get_info(ox_component_register(&def));

    EXPECT(info != NULL);
    EXPECT_EQ(info->entity_count, 1);
    EXPECT_EQ(info->entity_offsets[0], 0);
}
