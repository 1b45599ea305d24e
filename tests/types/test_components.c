// SPDX-License-Identifier: MIT
//
// Declaring components, and finding them: ids, infos, and what the files of one program agree on.

#include "types_test.h"

#include "base/substitute.h"
#include "component_shared.h"
#include "oxbow/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// clang-format off
OX_COMPONENT(TwinComponent, { int a; int b; });
OX_COMPONENT(SplitComponent, { float number; });
OX_TAG(KindComponent);
enum { SPLIT_SLOTS = 3, UNIT_SLOTS = 4 };
OX_CONSTANT(SPLIT_SLOTS);
OX_CONSTANT(UNIT_SLOTS);
OX_COMPONENT(LengthComponent, { char items[SPLIT_SLOTS]; int count; });
OX_COMPONENT(UnitBag, { int items[UNIT_SLOTS]; });
OX_STRUCT(DeclaredElsewhere, { ox_entity who; double when; });
OX_EXTERN_COMPONENT(DeclaredElsewhere);
OX_STRUCT(HoldsComponent, { TwinComponent twins[2]; SharedPlain plain; });
// clang-format on

// Three units. The first test: what all of them linked before main still waits.

TEST(components, linked_before_main_by_three_units_join_unless_they_differ) {
    collected_reports reports;
    collect_reports(&reports);

    uint32_t count = ox_component_count();

    EXPECT_EQ(count, 12);
    EXPECT_EQ(reports.count, 3);
    EXPECT_EQ(ox_report_count(OX_REPORT_TYPE_CONFLICT), 2);
    EXPECT_EQ(ox_report_count(OX_REPORT_COMPONENT_CONFLICT), 1);
    EXPECT_HAS(reports.text, "'KindComponent' at tests/types/");
    EXPECT_HAS(reports.text, "tests/types/component_other_unit.c:");
    EXPECT_HAS(reports.text, "tests/types/test_components.c:");
    EXPECT_HAS(reports.text, "differ in their kind");
    EXPECT_EQ(ox_component_count(), 12);
}

TEST(components, of_three_units_with_one_name_and_body_are_one) {
    unit_ids other = other_unit_ids(), cpp = cpp_unit_ids();
    unit_ids mine = {ox_component_id_of(SharedBody),    ox_component_id_of(SharedHolder),
                     ox_component_id_of(SharedTag),     ox_component_id_of(SharedPlain),
                     ox_component_id_of(TwinComponent), ox_component_id_of(SharedBag)};

    EXPECT(mine.body != 0 && mine.holder != 0 && mine.tag != 0 && mine.plain != 0);
    EXPECT(mine.twin != 0 && mine.bag != 0);
    EXPECT_EQ(memcmp(&mine, &other, sizeof mine), 0);
    EXPECT_EQ(memcmp(&mine, &cpp, sizeof mine), 0);
}

static void expect_one_of_two(ox_component *mine, ox_component *theirs, const char *difference) {
    collected_reports reports;
    collect_reports(&reports);

    uint32_t first = ox_component_id_of_at(mine, OX_HERE),
             second = ox_component_id_of_at(theirs, OX_HERE);

    EXPECT_REPORT(&reports, OX_REPORT_COMPONENT_CONFLICT);
    EXPECT_HAS(reports.text, difference);
    EXPECT_HAS(reports.text, "tests/types/component_other_unit.c:");
    EXPECT_HAS(reports.text, "tests/types/test_components.c:");
    EXPECT_EQ(first + second, ox_component_find(mine->type.name));
    EXPECT((first == 0) != (second == 0));
}

TEST(components, of_two_units_with_one_name_and_other_bodies_are_one_and_a_report) {
    expect_one_of_two(ox_component_of(SplitComponent), other_unit_split(), "their fields");
    expect_one_of_two(ox_component_of(KindComponent), other_unit_kind(), "their kind");
    expect_one_of_two(ox_component_of(LengthComponent), other_unit_length(),
                      "the lengths of their arrays");
}

static uint32_t count_of_first_field(uint32_t component) {
    const ox_component_info *info = ox_component_get_info(component);
    EXPECT(info != NULL && info->layout.field_count > 0);
    return info->layout.fields[0].count;
}

TEST(components, have_lengths_of_the_constants_of_their_own_file) {
    EXPECT_EQ(count_of_first_field(ox_component_id_of(SharedBag)), 7);
    EXPECT_EQ(count_of_first_field(ox_component_id_of(UnitBag)), 4);
    EXPECT_EQ(count_of_first_field(cpp_unit_bag()), 15);
}

// Infos.

TEST(components, have_an_info_with_what_was_declared) {
    const ox_component_info *info = ox_component_get_info(ox_component_id_of(SharedBody));

    EXPECT(info != NULL);
    EXPECT_STR(info->name, "SharedBody");
    EXPECT_EQ(info->id, ox_component_id_of(SharedBody));
    EXPECT_EQ(info->kind, OX_COMPONENT_KIND_DATA);
    EXPECT_EQ(info->flags, 0);
    EXPECT_EQ(info->size, sizeof(SharedBody));
    EXPECT_EQ(info->align, _Alignof(SharedBody));
    EXPECT_HAS(info->site, "component_shared.h:");
    EXPECT_EQ(info->layout.field_count, 4);
    EXPECT_EQ(info->layout.size, sizeof(SharedBody));
    EXPECT_EQ(ox_layout_find(&info->layout, "values"), 2);
}

TEST(components, know_where_their_entities_pointers_and_values_lie) {
    const ox_component_info *info = ox_component_get_info(ox_component_id_of(SharedBody));

    EXPECT_EQ(info->entity_count, 1);
    EXPECT_EQ(info->entity_offsets[0], offsetof(SharedBody, target));
    EXPECT_EQ(info->unowned_count, 1);
    EXPECT_EQ(info->unowned[0].offset, offsetof(SharedBody, user));
    EXPECT_EQ(info->unowned[0].size, sizeof(void *));
    EXPECT_EQ(info->value_count, 2);
    EXPECT_EQ(info->values[0].offset, offsetof(SharedBody, is_set));
    EXPECT_EQ(info->values[0].size, sizeof(bool));
    EXPECT_EQ(info->values[1].offset, offsetof(SharedBody, values));
    EXPECT_EQ(info->values[1].size, 3 * sizeof(float) + sizeof(ox_entity));
    EXPECT(info->has_padding);
}

TEST(components, know_the_entities_in_arrays_of_structs) {
    const ox_component_info *info = ox_component_get_info(ox_component_id_of(SharedHolder));
    size_t first = offsetof(SharedHolder, bodies) + offsetof(SharedBody, target);

    EXPECT_EQ(info->entity_count, 2);
    EXPECT_EQ(info->entity_offsets[0], first);
    EXPECT_EQ(info->entity_offsets[1], first + sizeof(SharedBody));
    EXPECT_EQ(info->unowned_count, 2);
    EXPECT_EQ(info->values[0].offset, 0);
    EXPECT_EQ(info->values[0].size, sizeof(SharedPlain)); // not known, so all of it
}

TEST(components, that_are_tags_have_no_size) {
    const ox_component_info *info = ox_component_get_info(ox_component_id_of(SharedTag));

    EXPECT(info != NULL);
    EXPECT_EQ(info->kind, OX_COMPONENT_KIND_TAG);
    EXPECT_EQ(info->size, 0);
    EXPECT_EQ(info->align, 1);
    EXPECT_EQ(info->layout.field_count + info->value_count + info->entity_count, 0);
    EXPECT(!info->has_padding);
    EXPECT_EQ(ox_type_find("SharedTag"), NULL);
}

TEST(components, of_structs_declared_elsewhere_have_no_fields) {
    const ox_component_info *info = ox_component_get_info(ox_component_id_of(SharedPlain));

    EXPECT(info != NULL);
    EXPECT_EQ(info->size, sizeof(SharedPlain));
    EXPECT_EQ(info->layout.fields, NULL);
    EXPECT_EQ(info->layout.field_count, 0);
    EXPECT_EQ(info->value_count, 1);
    EXPECT_EQ(info->values[0].size, sizeof(SharedPlain));
    EXPECT(!info->has_padding);
}

TEST(components, of_structs_announced_elsewhere_have_their_fields) {
    const ox_component_info *info = ox_component_get_info(ox_component_id_of(DeclaredElsewhere));

    EXPECT(info != NULL);
    EXPECT_EQ(info->layout.field_count, 2);
    EXPECT_EQ(info->entity_count, 1);
    EXPECT_HAS(info->site, "test_components.c:");
}

TEST(components, stand_in_structs_and_jobs) {
    ox_layout layout;
    ox_type job = {.name = "HoldsToo",
                   .text = "{ TwinComponent a; SharedBody b; ox_entity c; }",
                   .size = sizeof(TwinComponent) + sizeof(SharedBody) + sizeof(ox_entity),
                   .align = _Alignof(SharedBody),
                   .header_version = OX_VERSION};

    EXPECT(ox_layout_create(ox_type_of(HoldsComponent), &layout));
    EXPECT_EQ(layout.field_count, 4);
    ox_layout_dispose(&layout);
    EXPECT(ox_layout_create(&job, &layout));
    EXPECT_EQ(layout.field_count, 9);
    EXPECT_STR(layout.fields[8].type->role, "entity");
    ox_layout_dispose(&layout);
}

TEST(components, of_ids_that_were_not_given_out_have_no_info) {
    EXPECT_EQ(ox_component_get_info(0), NULL);
    EXPECT_EQ(ox_component_get_info(ox_component_count() + 1), NULL);
    EXPECT_EQ(ox_component_get_info(OX_MAX_COMPONENTS), NULL);
    EXPECT_EQ(ox_component_get_info(OX_MAX_COMPONENTS + 1), NULL);
    EXPECT_EQ(ox_component_get_info(UINT32_MAX), NULL);
}

// Finding. From here on, the registry is emptied by each test.

TEST(components, are_found_before_they_are_used) {
    oxi_components_reset();
    ox_component component = pair_component("Unused");
    oxi_component_link(&component);

    uint32_t id = ox_component_find("Unused");

    EXPECT_EQ(id, 1);
    EXPECT_EQ(component.oxi_id, 1);
    EXPECT_EQ(ox_component_find("Nobody"), 0);
    EXPECT_EQ(ox_component_find(""), 0);
    EXPECT_EQ(ox_component_find(NULL), 0);
}

TEST(components, keep_their_id_in_the_descriptor) {
    oxi_components_reset();
    ox_component component = pair_component("Cached"), again = pair_component("Cached");

    uint32_t id = ox_component_id_of_at(&component, OX_HERE);

    EXPECT_EQ(id, 1);
    EXPECT_EQ(component.oxi_id, id);
    EXPECT_EQ(oxi_component_id(&component, NULL), id);
    EXPECT_EQ(ox_component_id_of_at(&again, OX_HERE), id);
    EXPECT_EQ(again.oxi_id, id);
    EXPECT_EQ(ox_component_count(), 1);
}

TEST(components, outlive_their_descriptors) {
    oxi_components_reset();
    char *name = strdup("Gone"), *text = strdup("{ int x, y; }"), *site = strdup("gone.c:1");
    ox_component *component = malloc(sizeof *component);
    *component = pair_component(name);
    component->type.text = text;
    component->type.site = site;
    uint32_t id = ox_component_id_of_at(component, OX_HERE);

    free(component);
    free(name);
    free(text);
    free(site);

    const ox_component_info *info = ox_component_get_info(id);
    EXPECT_STR(info->name, "Gone");
    EXPECT_STR(info->site, "gone.c:1");
    EXPECT_STR(info->layout.fields[1].name, "y");
    EXPECT_EQ(ox_component_find("Gone"), id);
    EXPECT(ox_type_find("Gone") != NULL);
}

TEST(components, stand_inside_each_other_in_any_order_of_linking) {
    oxi_components_reset();
    ox_component inner = pair_component("Inner"), outer = pair_component("Outer");
    inner.type.text = NULL; // declared elsewhere
    outer.type.text = "{ Inner all; }";
    oxi_component_link(&inner);
    oxi_component_link(&outer); // comes first: the list that waits is a stack

    EXPECT(ox_component_find("Outer") != 0);

    EXPECT(ox_component_find("Inner") != 0);
    EXPECT_EQ(ox_component_count(), 2);
}

TEST(components, declared_elsewhere_are_the_same_as_those_with_fields) {
    oxi_components_reset();
    ox_component component = pair_component("Pair"), elsewhere = pair_component("Pair");
    elsewhere.type.text = NULL;

    uint32_t id = ox_component_id_of_at(&component, OX_HERE);

    EXPECT(id != 0);
    EXPECT_EQ(ox_component_id_of_at(&elsewhere, OX_HERE), id);
}

TEST(components, of_one_name_and_other_kind_size_or_body_are_a_report_with_both_places) {
    oxi_components_reset();
    ox_component first = pair_component("Pair"), others[4];
    const char *differences[] = {"their fields", "their kind", "their size", "their alignment"};
    for (int k = 0; k < 4; k++) {
        others[k] = pair_component("Pair");
        others[k].type.site = "other.c:3";
        others[k].type.text = k == 0 ? "{ int x, z; }" : NULL;
    }
    others[1].kind = OX_COMPONENT_KIND_TAG;
    others[2].type.size = 12;
    others[3].type.align = 8;
    uint32_t id = ox_component_id_of_at(&first, OX_HERE);
    collected_reports reports;
    collect_reports(&reports);

    for (int k = 0; k < 4; k++) {
        EXPECT_EQ(ox_component_id_of_at(&others[k], "game.c:88"), 0);
        EXPECT_REPORT(&reports, OX_REPORT_COMPONENT_CONFLICT);
        EXPECT_HAS(reports.text, "'Pair' at pair.c:7 and 'Pair' at other.c:3");
        EXPECT_HAS(reports.text, differences[k]);
        EXPECT_STR(reports.site, "game.c:88");
    }
    EXPECT_EQ(ox_component_find("Pair"), id);
    EXPECT_EQ(ox_component_count(), 1);
}

TEST(components, clash_with_a_struct_of_the_same_name) {
    oxi_components_reset();
    ox_component component = pair_component("Pair");
    ox_type type = component.type;
    type.text = "{ float x, y; }";
    type.site = "struct.c:5";
    EXPECT(ox_type_register(&type) != NULL);
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_component_id_of_at(&component, OX_HERE), 0);

    EXPECT_REPORT(&reports, OX_REPORT_COMPONENT_CONFLICT);
    EXPECT_HAS(reports.text, "'Pair' at struct.c:5 and 'Pair' at pair.c:7 differ in their fields");
    EXPECT_EQ(ox_component_find("Pair"), 0);
}

TEST(components, of_a_vector_have_its_fields) {
    oxi_components_reset();
    ox_component component = pair_component("ox_float3");
    component.type.text = NULL;
    component.type.size = 3 * sizeof(float);

    const ox_component_info *info =
        ox_component_get_info(ox_component_id_of_at(&component, OX_HERE));

    EXPECT(info != NULL);
    EXPECT_EQ(info->layout.field_count, 3);
}

TEST(components, that_are_refused_are_reported_once_for_each_declaration) {
    oxi_components_reset();
    ox_component bad[3];
    for (int k = 0; k < 3; k++) {
        bad[k] = pair_component("Bad"); // as three files see one header
        bad[k].type.text = "{ int *x; }";
        bad[k].type.size = bad[k].type.align = sizeof(int *);
        oxi_component_link(&bad[k]);
    }
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_component_find("Bad"), 0);

    EXPECT_REPORT(&reports, OX_REPORT_COMPONENT_POINTER);
    EXPECT_STR(reports.site, "pair.c:7");
    EXPECT_EQ(ox_component_find("Bad"), 0);
    EXPECT_EQ(reports.count, 0);
    EXPECT_EQ(ox_component_id_of_at(&bad[1], "game.c:9"), 0);
    EXPECT_REPORT(&reports, OX_REPORT_COMPONENT_POINTER);
    EXPECT_STR(reports.site, "game.c:9");
}

TEST(components, that_are_refused_at_their_first_use_are_reported_there) {
    oxi_components_reset();
    ox_component bad = pair_component("Bad"), again = pair_component("Bad");
    bad.flags = again.flags = 1u << 20;
    oxi_component_link(&bad);
    oxi_component_link(&again);
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_component_id_of_at(&bad, "game.c:9"), 0);

    EXPECT_REPORT(&reports, OX_REPORT_BAD_COMPONENT);
    EXPECT_STR(reports.site, "game.c:9");
}

TEST(components, of_other_headers_are_refused_with_the_place_of_their_declaration) {
    oxi_components_reset();
    ox_component component = pair_component("FromElsewhere");
    component.type.header_version = OX_VERSION + 1000;
    component.type.text = NULL;
    oxi_component_link(&component);
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_component_id_of_at(&component, OX_HERE), 0);

    EXPECT_REPORT(&reports, OX_REPORT_VERSION_MISMATCH);
    EXPECT_STR(reports.site, "pair.c:7");
}

TEST(components, without_a_descriptor_are_reported) {
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_component_id_of_at(NULL, OX_HERE), 0);

    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
}

TEST(components, are_limited_in_number) {
    oxi_components_reset();
    for (uint32_t k = 1; k <= OX_MAX_COMPONENTS; k++) {
        char name[16];
        snprintf(name, sizeof name, "T%u", (unsigned)k);
        ox_component component = pair_component(name);
        EXPECT_EQ(ox_component_id_of_at(&component, OX_HERE), k);
    }
    ox_component more = pair_component("OneMore"), known = pair_component("T17");
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_component_id_of_at(&more, OX_HERE), 0);

    EXPECT_REPORT(&reports, OX_REPORT_COMPONENT_LIMIT);
    EXPECT_HAS(reports.text, "'OneMore' (pair.c:7) is one more than 4096");
    EXPECT_EQ(ox_component_id_of_at(&known, OX_HERE), 17);
    EXPECT_EQ(ox_component_count(), OX_MAX_COMPONENTS);
    EXPECT_STR(ox_component_get_info(OX_MAX_COMPONENTS)->name, "T4096");
    EXPECT_EQ(ox_type_find("OneMore"), NULL);
    oxi_components_reset();
}

// Looks at components inside a report about them, as a debugger may.
static void look_inside(const ox_report *report, void *context) {
    collect_report(report, context);
    EXPECT(ox_component_find("Good") != 0);
    EXPECT_EQ(ox_component_count(), 1);
}

TEST(components, may_be_looked_up_inside_a_report_about_them) {
    oxi_components_reset();
    ox_component good = pair_component("Good"), bad = pair_component("Bad");
    bad.type.text = "{ Unknown x; }";
    oxi_component_link(&bad);
    oxi_component_link(&good);
    collected_reports reports = {0};
    ox_report_set_handler((ox_report_handler){look_inside, &reports});

    EXPECT_EQ(ox_component_find("Bad"), 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_TYPE);
    EXPECT_EQ(ox_component_id_of_at(&bad, OX_HERE), 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_TYPE);
}

TEST(components, that_could_not_be_taken_in_are_taken_in_later) {
    oxi_components_reset();
    ox_component first = pair_component("First"), second = pair_component("Second");
    oxi_component_link(&first);
    oxi_component_link(&second);
    collected_reports reports;
    collect_reports(&reports);
    oxi_fault_plan(OXI_FAULT_FROM, 4); // both types, ox_entity, a layout

    EXPECT_EQ(ox_component_find("First"), 0);

    EXPECT(reports.count > 0);
    EXPECT_EQ(reports.last, OX_REPORT_OUT_OF_MEMORY);
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    EXPECT(ox_component_find("First") != 0 && ox_component_find("Second") != 0);
    EXPECT_EQ(ox_component_count(), 2);
}
