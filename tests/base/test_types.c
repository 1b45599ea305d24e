// SPDX-License-Identifier: MIT
//
// The table of named types: who gets in, who finds whom, and what two files of one program agree
// on.

#include "test.h"

#include "base/heap.h"
#include "base/platform.h"
#include "base/substitute.h"
#include "base/types.h"
#include "struct_shared.h"

#include <stdalign.h>
#include <stdio.h>
#include <string.h>

// clang-format off
OX_STRUCT(SplitStruct, { int number; int other; });
// clang-format on

static ox_type pair_type(const char *name) {
    return (ox_type){.name = name,
                     .text = "{ int x, y; }",
                     .site = "pair.c:7",
                     .size = 2 * sizeof(int),
                     .align = alignof(int),
                     .header_version = OX_VERSION};
}

// Two units.

// The first test: what both units linked before main still waits.
TEST(types, linked_before_main_by_two_units_join_unless_their_bodies_differ) {
    collected_reports reports;
    collect_reports(&reports);

    uint32_t count = ox_type_count();

    EXPECT_EQ(count, 3); // SharedStruct, SplitStruct and ox_site
    EXPECT_REPORT(&reports, OX_REPORT_TYPE_CONFLICT);
    EXPECT_HAS(reports.text, "'SplitStruct' at tests/base/");
    EXPECT_HAS(reports.text, "tests/base/struct_other_unit.c:");
    EXPECT_HAS(reports.text, "tests/base/test_types.c:");
    EXPECT_HAS(reports.text, "differ in their fields");
    EXPECT(ox_type_find("SplitStruct") != NULL);
    EXPECT_EQ(ox_type_find("ox_site")->size, sizeof(void *));
    EXPECT_EQ(ox_type_find("ox_site")->text, NULL);
}

TEST(types, of_two_units_with_one_name_and_body_are_one) {
    EXPECT(other_unit_shared() != ox_type_of(SharedStruct));

    const ox_type *mine = ox_type_register(ox_type_of(SharedStruct));
    const ox_type *theirs = ox_type_register(other_unit_shared());

    EXPECT(mine != NULL);
    EXPECT_EQ(mine, theirs);
    EXPECT_EQ(ox_type_find("SharedStruct"), mine);
}

// Registering.

TEST(types, are_found_after_they_are_registered) {
    oxi_types_reset();
    ox_type type = pair_type("Pair");
    EXPECT_EQ(ox_type_find("Pair"), NULL);

    const ox_type *entry = ox_type_register(&type);

    EXPECT(entry != NULL && entry != &type);
    EXPECT_EQ(ox_type_find("Pair"), entry);
    EXPECT_EQ(ox_type_count(), 1);
    EXPECT_STR(entry->text, "{ int x, y; }");
    EXPECT_STR(entry->site, "pair.c:7");
    EXPECT_EQ(entry->size, 2 * sizeof(int));
}

TEST(types, are_copied_into_the_table) {
    char name[] = "Copied", text[] = "{ int x, y; }", expanded[] = "{ int x, y; }",
         site[] = "copied.c:1", role[] = "container";
    ox_type type = pair_type(name);
    type.text = text;
    type.expanded = expanded;
    type.site = site;
    type.role = role;
    type.role_offset = 4;
    const ox_type *entry = ox_type_register(&type);

    name[0] = text[0] = expanded[0] = site[0] = role[0] = '?';

    EXPECT_STR(entry->name, "Copied");
    EXPECT_STR(entry->text, "{ int x, y; }");
    EXPECT_STR(entry->expanded, "{ int x, y; }");
    EXPECT_STR(entry->site, "copied.c:1");
    EXPECT_STR(entry->role, "container");
    EXPECT_EQ(entry->role_offset, 4);
}

TEST(types, may_be_registered_again) {
    oxi_types_reset();
    ox_type type = pair_type("Twice"), again = pair_type("Twice");
    again.text = "{int x/* */,y;\n}";
    again.site = "elsewhere.c:9";
    again.header_version = OX_VERSION + 1; // another patch
    const ox_type *entry = ox_type_register(&type);

    EXPECT_EQ(ox_type_register(&again), entry);
    EXPECT_EQ(ox_type_register(entry), entry);

    EXPECT_STR(entry->site, "pair.c:7");
    EXPECT_EQ(ox_type_count(), 1);
}

TEST(types, of_c_and_of_cpp_are_one_when_only_their_words_for_bool_and_alignas_differ) {
    ox_type c = pair_type("Flags"), cpp = pair_type("Flags");
    c.text = cpp.text = "{ alignas(4) bool a; bool b; }";
    c.expanded = "{ _Alignas(4) _Bool a; _Bool b; }";
    cpp.expanded = "{ alignas(4) bool a; bool b; }";

    const ox_type *entry = ox_type_register(&c);

    EXPECT(entry != NULL);
    EXPECT_EQ(ox_type_register(&cpp), entry);
    EXPECT_EQ(ox_type_find("Flags"), entry);
}

TEST(types, without_an_expanded_text_are_the_same_as_with_an_equal_one) {
    ox_type type = pair_type("Unexpanded"), other = pair_type("Unexpanded");
    other.expanded = other.text;

    const ox_type *entry = ox_type_register(&type);

    EXPECT(entry != NULL);
    EXPECT_EQ(ox_type_register(&other), entry);
}

static void expect_conflict(const ox_type *second, const char *difference) {
    oxi_types_reset();
    ox_type first = pair_type("Pair");
    first.role = "container";
    const ox_type *entry = ox_type_register(&first);
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_type_register_at(second, "game.c:88"), NULL);

    EXPECT_REPORT(&reports, OX_REPORT_TYPE_CONFLICT);
    EXPECT_HAS(reports.text, "'Pair' at pair.c:7 and 'Pair' at other.c:3 differ in ");
    EXPECT_HAS(reports.text, difference);
    EXPECT_STR(reports.site, "game.c:88");
    EXPECT_EQ(ox_type_find("Pair"), entry);
    EXPECT_EQ(ox_type_count(), 1);
}

// What expect_conflict registers, from another place.
static ox_type pair_elsewhere(void) {
    ox_type type = pair_type("Pair");
    type.site = "other.c:3";
    type.role = "container";
    return type;
}

TEST(types, of_one_name_and_other_fields_are_a_conflict) {
    ox_type fields = pair_elsewhere(), marks = fields, macro = fields, none = fields;
    fields.text = "{ int x, z; }";
    marks.text = "{ OX_READ_ONLY int x, y; }";
    macro.expanded = "{ long x, y; }";
    none.text = NULL;

    expect_conflict(&fields, "their fields");
    expect_conflict(&marks, "their fields");
    expect_conflict(&macro, "their fields");
    expect_conflict(&none, "their fields");
}

TEST(types, of_one_name_and_another_size_or_alignment_are_a_conflict) {
    ox_type size = pair_elsewhere(), align = size;
    size.size = 16;
    align.align = 2;

    expect_conflict(&size, "their size");
    expect_conflict(&align, "their alignment");
}

TEST(types, of_one_name_and_another_role_are_a_conflict) {
    ox_type role = pair_elsewhere(), none = role, place = role, scalar = role;
    role.role = "view";
    none.role = NULL;
    place.role_offset = 4;
    scalar.scalar = OX_SCALAR_SIGNED;

    expect_conflict(&role, "what they are announced as");
    expect_conflict(&none, "what they are announced as");
    expect_conflict(&place, "what they are announced as");
    expect_conflict(&scalar, "what they are announced as");
}

// What is refused.

static void expect_bad(const ox_type *type, const char *why) {
    uint32_t count = ox_type_count();
    uint64_t blocks = oxi_heap_get_blocks();
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_type_register_at(type, "game.c:88"), NULL);

    EXPECT_REPORT(&reports, OX_REPORT_BAD_TYPE);
    EXPECT_HAS(reports.text, why);
    EXPECT_HAS(reports.text, "correct the ox_type at game.c:88");
    EXPECT_EQ(ox_type_count(), count);
    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
}

TEST(types, with_bad_names_are_refused) {
    static char long_name[129];
    memset(long_name, 'n', 128);
    static const struct {
        const char *name;
        const char *why;
    } cases[] = {{NULL, "1 to 127 characters"},
                 {"", "1 to 127 characters"},
                 {long_name, "1 to 127 characters"},
                 {"two words", "not a C identifier"},
                 {" leading", "not a C identifier"},
                 {"trailing ", "not a C identifier"},
                 {"1st", "not a C identifier"},
                 {"a-b", "not a C identifier"},
                 {"struct Pair", "not a C identifier"},
                 {"%n", "'%n': its name is not a C identifier"},
                 {"%s%s%s", "'%s%s%s': its name"},
                 {"{site}", "'{site}': its name"},
                 {"a\x1b[31m", "'a?[31m': its name"},
                 {"/**/a", "not a C identifier"},
                 {"int", "always known"},
                 {"uint8_t", "always known"},
                 {"size_t", "always known"},
                 {"bool", "always known"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ox_type type = pair_type(cases[k].name);
        expect_bad(&type, cases[k].why);
    }
}

TEST(types, may_have_a_name_of_127_characters) {
    char name[128] = {0};
    memset(name, 'N', 127);
    ox_type type = pair_type(name);

    EXPECT(ox_type_register(&type) != NULL);
    EXPECT(ox_type_find(name) != NULL);
    name[126] = 0;
    EXPECT_EQ(ox_type_find(name), NULL);
}

TEST(types, with_bad_sizes_are_refused) {
    static const struct {
        size_t size, align;
        const char *why;
    } cases[] = {
        {0, 1, "its size is 0 or too large"},   {SIZE_MAX, 1, "its size is 0 or too large"},
        {(size_t)PTRDIFF_MAX + 1, 1, "size"},   {8, 0, "its alignment is not a power"},
        {8, 3, "its alignment is not a power"}, {8, 16, "power of two that divides"},
        {6, 4, "power of two that divides"},    {8, SIZE_MAX, "its alignment is not"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ox_type type = pair_type("Sized");
        type.size = cases[k].size;
        type.align = cases[k].align;
        expect_bad(&type, cases[k].why);
    }
}

TEST(types, that_are_null_are_reported) {
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_type_register(NULL), NULL);

    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_type_find(NULL), NULL);
    EXPECT_EQ(reports.count, 0);
}

TEST(types, of_other_headers_are_refused_with_the_place_of_their_declaration) {
    ox_type type = pair_type("FromElsewhere");
    type.header_version = OX_VERSION + 1000;
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_type_register(&type), NULL);

    EXPECT_REPORT(&reports, OX_REPORT_VERSION_MISMATCH);
    EXPECT_STR(reports.site, "pair.c:7");
    EXPECT_EQ(ox_type_find("FromElsewhere"), NULL);
}

// Finding.

TEST(types, of_c_have_names) {
    static const struct {
        const char *name;
        size_t size;
        ox_scalar scalar;
    } cases[] = {{"int", sizeof(int), OX_SCALAR_SIGNED},
                 {"unsigned int", sizeof(int), OX_SCALAR_UNSIGNED},
                 {"unsigned long long", sizeof(long long), OX_SCALAR_UNSIGNED},
                 {"uint8_t", 1, OX_SCALAR_UNSIGNED},
                 {"int_fast16_t", sizeof(int_fast16_t), OX_SCALAR_SIGNED},
                 {"long double", sizeof(long double), OX_SCALAR_FLOAT},
                 {"bool", sizeof(bool), OX_SCALAR_BOOL},
                 {"_Bool", sizeof(bool), OX_SCALAR_BOOL},
                 {"size_t", sizeof(size_t), OX_SCALAR_UNSIGNED}};
    uint32_t count = ox_type_count();

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const ox_type *type = ox_type_find(cases[k].name);
        EXPECT(type != NULL);
        EXPECT_EQ(type->size, cases[k].size);
        EXPECT_EQ(type->scalar, cases[k].scalar);
    }
    EXPECT_EQ(ox_type_count(), count);
}

TEST(types, that_do_not_exist_are_not_found) {
    static const char *const names[] = {"", " ", "Nobody", "Int", "in", "intt", "%n", "void", "{"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        EXPECT_EQ(ox_type_find(names[k]), NULL);
    }
}

TEST(types, are_told_apart_in_thousands) {
    oxi_types_reset();
    for (int k = 0; k < 3000; k++) {
        char name[16];
        snprintf(name, sizeof name, "T%d", k);
        ox_type type = pair_type(name);
        EXPECT(ox_type_register(&type) != NULL);
    }

    EXPECT_EQ(ox_type_count(), 3000);
    for (int k = 0; k < 3000; k++) {
        char name[16];
        snprintf(name, sizeof name, "T%d", k);
        const ox_type *type = ox_type_find(name);
        EXPECT(type != NULL && strcmp(type->name, name) == 0);
    }
    oxi_types_reset();
}

// Linking.

TEST(types, that_were_linked_are_taken_in_by_the_first_look) {
    oxi_types_reset();
    ox_type first = pair_type("LinkedFirst"), second = pair_type("LinkedSecond");
    oxi_type_link(&first);
    oxi_type_link(&second);

    EXPECT_EQ(ox_type_count(), 2);

    EXPECT(ox_type_find("LinkedFirst") != NULL && ox_type_find("LinkedFirst") != &first);
    EXPECT(ox_type_find("LinkedSecond") != NULL);
}

TEST(types, that_were_linked_and_are_bad_are_reported_by_the_first_look) {
    oxi_types_reset();
    ox_type bad = pair_type("two words"), good = pair_type("Good");
    oxi_type_link(&bad);
    oxi_type_link(&good);
    collected_reports reports;
    collect_reports(&reports);

    EXPECT(ox_type_find("Good") != NULL);

    EXPECT_REPORT(&reports, OX_REPORT_BAD_TYPE);
    EXPECT_STR(reports.site, "pair.c:7");
    EXPECT_EQ(ox_type_count(), 1);
    EXPECT_EQ(reports.count, 0);
}

TEST(types, that_were_linked_by_other_headers_are_reported_and_left_out) {
    oxi_types_reset();
    ox_type type = pair_type("LinkedFromElsewhere");
    type.header_version = OX_VERSION + 1000;
    oxi_type_link(&type);
    collected_reports reports;
    collect_reports(&reports);

    EXPECT_EQ(ox_type_find("LinkedFromElsewhere"), NULL);

    EXPECT_REPORT(&reports, OX_REPORT_VERSION_MISMATCH);
    EXPECT_STR(reports.site, "pair.c:7");
}

TEST(types, that_wait_are_forgotten_by_a_reset) {
    oxi_types_reset();
    ox_type type = pair_type("Waiting");
    oxi_type_link(&type);

    oxi_types_reset();

    EXPECT_EQ(ox_type_find("Waiting"), NULL);
    EXPECT_EQ(ox_type_count(), 0);
}

// Finds types inside a report about types, as a debugger may.
static void find_inside(const ox_report *report, void *context) {
    collect_report(report, context);
    EXPECT(ox_type_find("Reentered") != NULL);
    EXPECT_EQ(ox_type_count(), 1);
}

TEST(types, may_be_looked_up_inside_a_report_about_them) {
    oxi_types_reset();
    ox_type first = pair_type("Reentered"), second = pair_type("Reentered");
    second.text = "{ float x, y; }";
    oxi_type_link(&first);
    oxi_type_link(&second);
    collected_reports reports = {0};
    ox_report_set_handler((ox_report_handler){find_inside, &reports});

    EXPECT(ox_type_find("Reentered") != NULL);

    EXPECT_REPORT(&reports, OX_REPORT_TYPE_CONFLICT);
}

// Threads.

enum { THREADS = 16, NAMES = 64, ROUNDS = 8 };

typedef struct registrar {
    oxi_thread thread;
    uint32_t number;
    const ox_type *types[NAMES];
    ox_type linked; // of this thread alone
    char linked_name[16];
} registrar;

static void register_all(void *context) {
    registrar *mine = context;
    oxi_type_link(&mine->linked);
    for (uint32_t k = 0; k < NAMES; k++) {
        uint32_t number = (k * 7 + mine->number) % NAMES; // in another order on each thread
        char name[16];
        snprintf(name, sizeof name, "Common%u", number);
        ox_type type = pair_type(name);
        mine->types[number] = ox_type_register(&type);
        EXPECT(mine->types[number] != NULL);
        EXPECT_EQ(ox_type_find(name), mine->types[number]);
        ox_layout layout;
        EXPECT(ox_layout_create(mine->types[number], &layout));
        ox_layout_dispose(&layout);
    }
    EXPECT(ox_type_find(mine->linked_name) != NULL);
}

static void start_registrar(registrar *all, uint32_t number) {
    registrar *one = &all[number];
    one->number = number;
    snprintf(one->linked_name, sizeof one->linked_name, "Linked%u", number);
    one->linked = pair_type(one->linked_name);
    EXPECT(oxi_thread_start(&one->thread, register_all, one, "registrar"));
}

TEST(types, registered_by_many_threads_at_once_are_one_each) {
    static registrar all[THREADS];
    for (uint64_t round = 0; round < test_scaled(ROUNDS); round++) {
        oxi_types_reset();
        for (uint32_t k = 0; k < THREADS; k++) {
            start_registrar(all, k);
        }
        for (uint32_t k = 0; k < THREADS; k++) {
            oxi_thread_join(&all[k].thread);
        }

        EXPECT_EQ(ox_type_count(), NAMES + THREADS);
        for (uint32_t k = 0; k < THREADS * NAMES; k++) {
            EXPECT_EQ(all[k / NAMES].types[k % NAMES], all[0].types[k % NAMES]);
        }
    }
    oxi_types_reset();
}

// Failures.

static void register_and_find(void) {
    ox_type first = pair_type("Swept"), second = pair_type("SweptToo");
    const ox_type *entry = ox_type_register(&first);
    EXPECT_EQ(ox_type_find("Swept"), entry);
    EXPECT_EQ(ox_type_count(), entry != NULL);
    ox_type_register(&second);
    ox_type_register(&first);
    oxi_types_reset();
}

TEST(types, survive_every_failure_of_registering) {
    oxi_types_reset();
    test_fault_sweep("registering types", register_and_find);
}

static void link_and_scan(void) {
    ox_type inner = pair_type("SweptInner"), other = pair_type("SweptOther");
    ox_type outer = {.name = "SweptOuter",
                     .text = "{ SweptInner a; char b[sizeof(SweptOther)]; Unknown *c; }",
                     .size = 16 + sizeof(void *),
                     .align = alignof(void *),
                     .header_version = OX_VERSION};
    oxi_type_link(&inner);
    oxi_type_link(&other);
    oxi_type_link(&outer);
    ox_layout layout;
    bool scanned = ox_layout_create(&outer, &layout);

    EXPECT_EQ(layout.field_count, scanned ? 5 : 0);
    EXPECT_EQ(layout.fields != NULL, scanned);
    ox_type_count();
    ox_layout_dispose(&layout);
    oxi_types_reset();
}

TEST(types, survive_every_failure_of_scanning) {
    oxi_types_reset();
    test_fault_sweep("scanning a struct", link_and_scan);
}

static void link_and_find(void) {
    ox_type types[] = {pair_type("SweptA"), pair_type("SweptB"), pair_type("SweptC")};
    for (size_t k = 0; k < 3; k++) {
        oxi_type_link(&types[k]);
    }
    uint32_t found = 0;
    for (size_t k = 0; k < 3; k++) {
        found += ox_type_find(types[k].name) != NULL;
    }
    EXPECT_EQ(ox_type_count() >= found, true);
    oxi_types_reset();
}

TEST(types, that_wait_survive_every_failure_of_taking_them_in) {
    oxi_types_reset();
    test_fault_sweep("taking in types", link_and_find);
}

TEST(types, that_could_not_be_taken_in_are_taken_in_later) {
    oxi_types_reset();
    ox_type first = pair_type("LaterFirst"), second = pair_type("LaterSecond");
    oxi_type_link(&first);
    oxi_type_link(&second);
    collected_reports reports;
    collect_reports(&reports);
    oxi_fault_plan(OXI_FAULT_FROM, 1);

    EXPECT_EQ(ox_type_count(), 1);

    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    EXPECT_EQ(ox_type_count(), 2);
    EXPECT(ox_type_find("LaterFirst") != NULL && ox_type_find("LaterSecond") != NULL);
}
