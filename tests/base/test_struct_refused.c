// SPDX-License-Identifier: MIT
//
// Struct texts that are refused: each with a report that names the field and the fix, a zeroed
// layout, and nothing leaked.

#include "test.h"

#include "base/heap.h"
#include "base/types.h"
#include "oxbow/struct.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A type by hand, as a program without OX_STRUCT makes one.
static ox_type type_of_text(const char *text) {
    return (ox_type){.name = "Hand",
                     .text = text,
                     .site = "hand.c:7",
                     .size = sizeof(int),
                     .align = alignof(int),
                     .header_version = OX_VERSION};
}

// Every value of kind text is there, as ox_report_value_kind promises.
static void require_texts(const ox_report *report, void *context) {
    for (int k = 0; k < report->value_count; k++) {
        const ox_report_value *value = &report->values[k];
        if (value->kind == OX_REPORT_VALUE_TEXT && value->text == NULL) {
            fprintf(stderr, "the value %s of %s is NULL\n", value->name, report->code);
            abort();
        }
    }
    collect_report(report, context);
}

// Scans, and expects one report with both texts in it.
static void expect_refused(const ox_type *type, ox_report_id id, const char *detail,
                           const char *fix) {
    ox_type_count(); // takes in what waits
    collected_reports reports = {0};
    ox_report_set_handler((ox_report_handler){require_texts, &reports});
    uint64_t blocks = oxi_heap_get_blocks();
    ox_layout layout;
    memset(&layout, 0xab, sizeof layout);

    bool scanned = ox_layout_create_at(type, &layout, "game.c:88");

    if (scanned || reports.count != 1 || reports.last != id) {
        test_fail(__FILE__, __LINE__, "%s: %d reports, the last %s\n%s", type->text, reports.count,
                  ox_report_code(reports.last), reports.text);
    }
    EXPECT_HAS(reports.text, detail);
    EXPECT_HAS(strstr(reports.text, "fix: "), fix);
    EXPECT_STR(reports.site, "game.c:88");
    EXPECT(layout.fields == NULL && layout.field_count == 0 && layout.size == 0);
    EXPECT(layout.align == 0 && layout.block_size == 0);
    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
}

typedef struct refusal {
    const char *text;
    const char *detail;
    const char *fix;
} refusal;

static void expect_all_refused(ox_report_id id, const refusal *refusals, size_t count) {
    for (size_t k = 0; k < count; k++) {
        ox_type type = type_of_text(refusals[k].text);
        expect_refused(&type, id, refusals[k].detail, refusals[k].fix);
    }
}
#define EXPECT_ALL_REFUSED(id, refusals)                                                           \
    expect_all_refused(id, refusals, sizeof(refusals) / sizeof((refusals)[0]))

// What compilers take and Oxbow does not.

enum { ENUM_COUNT = 3 };
typedef struct Stranger {
    int x;
} Stranger;

// clang-format off
#define TWO_FIELDS(a, b) int a; int b
OX_STRUCT(WithUnion, { int kind; union { int i; float f; } value; });
OX_STRUCT(WithNamelessUnion, { int kind; union { int i; float f; }; });
OX_STRUCT(WithBits, { int kind; unsigned low : 3, high : 5; });
OX_STRUCT(WithAttribute, { char c; int value __attribute__((aligned(16))); });
OX_STRUCT(WithPackedBody, { int x; char c; short s; } __attribute__((packed, aligned(4))));
OX_STRUCT(WithAtomic, { _Atomic int count; });
OX_STRUCT(WithFlexible, { int count; int items[]; });
OX_STRUCT(WithEnumLength, { int items[ENUM_COUNT]; });
OX_STRUCT(WithStranger, { int kind; Stranger stranger; });
OX_STRUCT(HoldsStranger, { int kind; WithStranger inner; });
OX_STRUCT(WithComplex, { double _Complex z; });
OX_STRUCT(MarksBehindMacro, { OX_READ_ONLY int r; TWO_FIELDS(p, q); });
OX_STRUCT(MarksBeforeMacro, { TWO_FIELDS(p, q); OX_READ_ONLY int r; });
OX_STRUCT(MarksAroundMacro, { OX_READ_ONLY struct { TWO_FIELDS(p, q); } s; });
OX_STRUCT(MacroWithoutMarks, { TWO_FIELDS(p, q); struct { TWO_FIELDS(r, s); } t; });
#pragma pack(push, 1)
OX_STRUCT(Packed, { char c; int value; });
#pragma pack(pop)
OX_STRUCT(HoldsPacked, { char c; Packed packed; });
// clang-format on

TEST(struct_refusal, of_unions_names_them) {
    expect_refused(ox_type_of(WithUnion), OX_REPORT_UNREADABLE_FIELD,
                   "field 'union { int i; float f; } value' of 'WithUnion' (", "OX_EXTERN_STRUCT");
    expect_refused(ox_type_of(WithNamelessUnion), OX_REPORT_UNREADABLE_FIELD,
                   "field 'union { int i; float f; }' of 'WithNamelessUnion'", "OX_EXTERN_STRUCT");
}

TEST(struct_refusal, of_bit_fields_names_them) {
    expect_refused(ox_type_of(WithBits), OX_REPORT_UNREADABLE_FIELD,
                   "field 'unsigned low : 3, high : 5' of 'WithBits'", "whole integer");
}

TEST(struct_refusal, of_attributes_names_the_field) {
    expect_refused(ox_type_of(WithAttribute), OX_REPORT_UNREADABLE_FIELD, "field 'int value",
                   "write the field as");
}

TEST(struct_refusal, of_an_attribute_of_the_whole_body) {
    expect_refused(ox_type_of(WithPackedBody), OX_REPORT_UNREADABLE_FIELD, "'__attribute__((packed",
                   "remove");
}

TEST(struct_refusal, of_atomics_names_them) {
    expect_refused(ox_type_of(WithAtomic), OX_REPORT_UNREADABLE_FIELD, "field '_Atomic int count'",
                   "OX_EXTERN_STRUCT");
}

TEST(struct_refusal, of_flexible_arrays_names_them) {
    expect_refused(ox_type_of(WithFlexible), OX_REPORT_UNREADABLE_FIELD, "field 'int items[]'",
                   "write the length as a number");
}

TEST(struct_refusal, of_enum_constants_that_are_not_announced_says_how_to) {
    expect_refused(ox_type_of(WithEnumLength), OX_REPORT_UNKNOWN_CONSTANT,
                   "field 'int items[ENUM_COUNT]' of 'WithEnumLength' (tests/base/",
                   "say OX_CONSTANT(ENUM_COUNT); before the struct");
}

TEST(struct_refusal, of_unknown_types_says_how_to_declare_them) {
    expect_refused(ox_type_of(WithStranger), OX_REPORT_UNKNOWN_TYPE,
                   "field 'stranger' of 'WithStranger'", "declare 'Stranger' with OX_STRUCT");
}

TEST(struct_refusal, names_the_struct_in_which_the_field_stands) {
    expect_refused(ox_type_of(HoldsStranger), OX_REPORT_UNKNOWN_TYPE,
                   "field 'stranger' of 'WithStranger'", "declare 'Stranger' with OX_STRUCT");
}

TEST(struct_refusal, of_complex_numbers_is_no_guess) {
    expect_refused(ox_type_of(WithComplex), OX_REPORT_UNREADABLE_FIELD, "field 'double _Complex z'",
                   "OX_EXTERN_STRUCT");
}

TEST(struct_refusal, of_packing_gives_both_sizes) {
    expect_refused(ox_type_of(Packed), OX_REPORT_LAYOUT_MISMATCH,
                   "makes 8 bytes aligned to 4, the compiler says 5 aligned to 1", "packing");
}

TEST(struct_refusal, of_a_packed_struct_inside_another_names_the_packed_one) {
    expect_refused(ox_type_of(HoldsPacked), OX_REPORT_LAYOUT_MISMATCH, "the text of 'Packed'",
                   "remove packing attributes and pragmas from 'Packed'");
}

TEST(struct_refusal, of_marks_beside_a_macro_that_makes_several_fields) {
    static const char why[] = "a macro makes several fields, so marks cannot be told apart";
    static const char fix[] = "write the fields of a struct with marks out";

    expect_refused(ox_type_of(MarksBehindMacro), OX_REPORT_UNREADABLE_FIELD, why, fix);
    expect_refused(ox_type_of(MarksBeforeMacro), OX_REPORT_UNREADABLE_FIELD, why, fix);
    expect_refused(ox_type_of(MarksAroundMacro), OX_REPORT_UNREADABLE_FIELD, why, fix);
}

TEST(struct_refusal, does_not_meet_such_a_macro_without_marks) {
    ox_layout layout;

    EXPECT(ox_layout_create(ox_type_of(MacroWithoutMarks), &layout));

    EXPECT_EQ(layout.field_count, 5);
    EXPECT_EQ(ox_layout_find(&layout, "t.s"), 4);
    ox_layout_dispose(&layout);
}

// Texts by hand.

static const char plain[] = "write the field as `type name;` or `type name[length];`";

TEST(struct_refusal, of_words_that_are_not_read) {
    static const char refused[] = "unions, atomics, attributes and static members are not read";
    static const refusal refusals[] = {
        {"{ union U u; }", "field 'union U u' of 'Hand' (hand.c:7): unions", "OX_EXTERN_STRUCT"},
        {"{ const union U *u; }", "'const union U *u'", "OX_EXTERN_STRUCT"},
        {"{ int a; _Atomic(int) b; }", "'_Atomic(int) b'", "OX_EXTERN_STRUCT"},
        {"{ int _Atomic a; }", refused, "OX_EXTERN_STRUCT"},
        {"{ __attribute__((x)) int a; }", refused, "OX_EXTERN_STRUCT"},
        {"{ struct { int a; } __attribute__((packed)) b; }", refused, "OX_EXTERN_STRUCT"},
        {"{ enum { A } __attribute__((packed)) b; }", refused, "OX_EXTERN_STRUCT"},
        {"{ static int a; }", "'static int a'", "OX_EXTERN_STRUCT"},
        {"{ int a; _Static_assert(1, \"}\"); }", refused, "OX_EXTERN_STRUCT"},
        {"{ static_assert(1, \"a\"); int a; }", refused, "OX_EXTERN_STRUCT"},
        {"{ typedef int a; }", "'typedef int a'", "OX_EXTERN_STRUCT"},
    };
    EXPECT_ALL_REFUSED(OX_REPORT_UNREADABLE_FIELD, refusals);
}

TEST(struct_refusal, of_declarators_that_are_not_understood) {
    static const refusal refusals[] = {
        {"{ int *_Atomic a; }", "'int *_Atomic a'", plain},
        {"{ struct __attribute__((packed)) { int a; } b; }", "'struct __attribute__", plain},
        {"{ enum __attribute__((packed)) E b; }", "'enum __attribute__", plain},
        {"{ enum E : char b; }", "'enum E : char b'", plain},
        {"{ int; }", "'int' of 'Hand' (hand.c:7): it has no name", plain},
        {"{ int *; }", "'int *' of", plain},
        {"{ int 3; }", "'int 3' of", plain},
        {"{ int : 4; }", "'int : 4'", plain},
        {"{ int a, ; }", "'int a,' of", plain},
        {"{ int a b; }", "something unexpected follows its name", plain},
        {"{ int a = 3; }", "'int a = 3'", plain},
        {"{ int a }", "'int a' of", plain},
        {"{ unsigned __int128 a; }", "'unsigned __int128 a'", plain},
        {"{ int (a); }", "its brackets", plain},
        {"{ int (*a; }", "its brackets", plain},
        {"{ int (*a)(; }", "'int (*a)(' of", plain},
        {"{ int (*(*a)(int))(void); }", "its brackets", plain},
        {"{ int (*a : 3); }", "its brackets", plain},
    };
    EXPECT_ALL_REFUSED(OX_REPORT_UNREADABLE_FIELD, refusals);
}

TEST(struct_refusal, of_declarations_that_make_no_field) {
    static const refusal refusals[] = {
        {"{ ; }", "it does not begin with a type", plain},
        {"{ int a; ; }", "it does not begin with a type", plain},
        {"{ 3 a; }", "'3 a' of", plain},
        {"{ *a; }", "'*a' of", plain},
        {"{ enum { A, B }; int b; }", "'enum { A, B }' of", plain},
        {"{ struct Tag { int a; }; int b; }", "'struct Tag { int a; }'", "remove the tag"},
        {"{ struct Tag; int b; }", "'struct Tag' of", plain},
    };
    EXPECT_ALL_REFUSED(OX_REPORT_UNREADABLE_FIELD, refusals);
}

// clang-format off
static const char *const texts_that_end[] = {
    "{", "{ int", "{ int a", "{ int a;", "{ int a; /* }", "{ int a; //}", "{ int a[", "{ int a[3",
    "{ int a[3]", "{ int (", "{ int (*", "{ int (*a", "{ int (*a)", "{ int (*a)(", "{ struct",
    "{ struct {", "{ struct { int a; } b;", "{ struct { int a; }", "{ struct { int a;", "{ enum",
    "{ enum {", "{ enum { A", "{ enum { A } b", "{ int a[sizeof", "{ int a[sizeof(int", "{ alignas",
    "{ alignas(", "{ alignas(8", "{ const", "{ OX_READ_ONLY", "{ int a,", "{ int *", "", "int a;",
    "} int a; {", "/* {"};
// clang-format on

TEST(struct_refusal, of_texts_that_end_early) {
    for (size_t k = 0; k < sizeof texts_that_end / sizeof texts_that_end[0]; k++) {
        size_t size = strlen(texts_that_end[k]) + 1;
        char *copy = malloc(size);
        memcpy(copy, texts_that_end[k], size);
        ox_type type = type_of_text(copy);
        expect_refused(&type, OX_REPORT_UNREADABLE_FIELD, "of 'Hand' (hand.c:7)", "write the");
        free(copy);
    }
}

TEST(struct_refusal, of_texts_that_go_on_behind_their_end) {
    static const refusal refusals[] = {
        {"{ int a; } b", "field 'b' of 'Hand'", "remove"},
        {"{ int a; } ;", "of 'Hand'", "remove"},
        {"{ int a; } }", "of 'Hand'", "remove"},
        {"{ int a; } __attribute__((aligned(4)))", "'__attribute__((aligned(4)))'", "remove"},
    };
    EXPECT_ALL_REFUSED(OX_REPORT_UNREADABLE_FIELD, refusals);
}

TEST(struct_refusal, of_structs_without_fields) {
    static const refusal refusals[] = {
        {"{ }", "has no fields", "OX_NO_FIELDS"},
        {"{ int a; struct { } b; }", "has no fields", "OX_NO_FIELDS"},
        {"{ int a; struct { }; }", "has no fields", "OX_NO_FIELDS"},
    };
    EXPECT_ALL_REFUSED(OX_REPORT_UNREADABLE_FIELD, refusals);

    ox_type nothing = {.name = "None", .text = "{}", .align = 1, .header_version = OX_VERSION};
    expect_refused(&nothing, OX_REPORT_UNREADABLE_FIELD, "has no fields", "OX_NO_FIELDS");
}

// clang-format off
static const char *const bad_lengths[] = {
    "", "0", "-1", "1 - 1", "0x80000000", "99999999999999999999", "COUNT(1)", "1 / 0", "1 % 0",
    "1 << 31", "1 << -1", "-1 >> 1", "(int)3", "3 == 3", "\"x\"", "'a'", "1.5", "09", "0x", "3q",
    "0b11", "sizeof int", "sizeof(int", "sizeof(Unknown)", "2 | 1", "1 ? 2 : 3", "65536 * 65536",
    "sizeof(unsigned int)", "-8 / -2", "7 + -8 % 3", "3 4", "3,4", "(3", "3)", "*", "2 *",
    "2147483647 + 1", "- ", "sizeof(a)", "0x7fffffff * 0x7fffffff", "1 << 30 << 30", "static 3",
    "sizeof(\"x\")", "sizeof(int) int"};
// clang-format on

TEST(struct_refusal, of_lengths_that_cannot_be_read) {
    for (size_t k = 0; k < sizeof bad_lengths / sizeof bad_lengths[0]; k++) {
        char text[128];
        snprintf(text, sizeof text, "{ int few[%s]; }", bad_lengths[k]);
        ox_type type = type_of_text(text);
        expect_refused(&type, OX_REPORT_UNREADABLE_FIELD, "field 'int few[", "write the length as");
    }
}

TEST(struct_refusal, of_more_elements_than_can_be_counted) {
    static const refusal refusals[] = {
        {"{ char a[65536][65536]; }", "'char a[65536][65536]'", "write the length"},
        {"{ char a[2147483647][3]; }", "length of its array", "write the length"},
        {"{ char a[9][9][9][9][9][9][9][9][9][9][9]; }", "length of its array", "write the length"},
    };
    EXPECT_ALL_REFUSED(OX_REPORT_UNREADABLE_FIELD, refusals);
}

TEST(struct_refusal, of_expressions_that_are_too_deep) {
    char text[512] = "{ int a[";
    memset(text + strlen(text), '(', 100);
    strcat(text, "1");
    memset(text + strlen(text), ')', 100);
    strcat(text, "]; }");
    ox_type type = type_of_text(text);
    expect_refused(&type, OX_REPORT_UNREADABLE_FIELD, "the length of its array",
                   "write the length");

    memset(text + 8, '-', 201);
    expect_refused(&type, OX_REPORT_UNREADABLE_FIELD, "the length of its array",
                   "write the length");
}

TEST(struct_refusal, of_alignments_that_cannot_be_read) {
    static const char *const alignments[] = {"(3)",  "(-8)",     "(8192)", "(double)",
                                             " 8",   "(8 int a", "()",     "(0x100000000)",
                                             "((8)", "[8]"};
    for (size_t k = 0; k < sizeof alignments / sizeof alignments[0]; k++) {
        char text[128];
        snprintf(text, sizeof text, "{ alignas%s int a; }", alignments[k]);
        ox_type type = type_of_text(text);
        expect_refused(&type, OX_REPORT_UNREADABLE_FIELD, "field 'alignas", "write the alignment");
    }
}

TEST(struct_refusal, of_unknown_types_names_each_kind_of_them) {
    static const refusal refusals[] = {
        {"{ Unknown a; }", "field 'a' of 'Hand' (hand.c:7) has type 'Unknown'", "'Unknown'"},
        {"{ struct Unknown a; }", "has type 'Unknown'", "'Unknown'"},
        {"{ Unknown *a, b; }", "field 'b' of 'Hand' (hand.c:7) has type 'Unknown'", "'Unknown'"},
        {"{ const Unknown a[2]; }", "field 'a'", "'Unknown'"},
        {"{ void a; }", "has type 'void'", "'void'"},
        {"{ struct { int b; Unknown a; } c; }", "field 'a'", "'Unknown'"},
        {"{ __int128 a; }", "has type '__int128'", "'__int128'"},
        {"{ OX_READ_ONLY Unknown a; }", "field 'a'", "'Unknown'"},
    };
    EXPECT_ALL_REFUSED(OX_REPORT_UNKNOWN_TYPE, refusals);
}

TEST(struct_refusal, of_a_wrong_size_or_alignment_gives_both) {
    ox_type type = type_of_text("{ int a; char b; }");
    expect_refused(&type, OX_REPORT_LAYOUT_MISMATCH,
                   "the text of 'Hand' (hand.c:7) makes 8 bytes aligned to 4, the compiler says 4 "
                   "aligned to 4",
                   "'Hand'");

    type = type_of_text("{ char a[4]; }");
    expect_refused(&type, OX_REPORT_LAYOUT_MISMATCH, "makes 4 bytes aligned to 1", "'Hand'");
}

TEST(struct_refusal, of_a_type_that_was_announced_without_fields) {
    expect_refused(&(ox_type){.name = "Hand", .size = 4, .align = 4, .header_version = OX_VERSION},
                   OX_REPORT_BAD_TYPE, "'Hand': it was announced without its fields", "ox_type");
    expect_refused(ox_type_find("int"), OX_REPORT_BAD_TYPE, "'int': it was", "ox_type");
}

TEST(struct_refusal, of_a_type_without_a_name_has_texts_for_all_values) {
    ox_type type = type_of_text("{ Unknown a; }");
    type.name = NULL;
    type.site = NULL;

    expect_refused(&type, OX_REPORT_UNKNOWN_TYPE, "has type 'Unknown'", "'Unknown'");
}

// Depth and number.

// Registers Deep1 to Deep<count>, each around the one before.
static void register_chain(const char *stem, int count) {
    for (int k = 1; k <= count; k++) {
        char name[32], text[64];
        snprintf(name, sizeof name, "%s%d", stem, k);
        snprintf(text, sizeof text, k == 1 ? "{ int a; }" : "{ %s%d inner; }", stem, k - 1);
        ox_type type = type_of_text(text);
        type.name = name;
        EXPECT(ox_type_register(&type) != NULL);
    }
}

TEST(struct_refusal, of_depth_comes_after_eight_registered_structs) {
    register_chain("Deep", 10);
    ox_layout layout;

    EXPECT(ox_layout_create(ox_type_find("Deep9"), &layout));
    EXPECT_EQ(layout.field_count, 9);
    ox_layout_dispose(&layout);

    expect_refused(ox_type_find("Deep10"), OX_REPORT_STRUCT_TOO_DEEP,
                   "'Deep2' (hand.c:7) is nested 8 deep at field 'inner'", "8 is the limit");
}

TEST(struct_refusal, of_depth_comes_after_eight_structs_in_place) {
    static const char nine[] =
        "{ struct { struct { struct { struct { struct { struct { struct { struct { struct { "
        "int a; } i; } h; } g; } f; } e; } d; } c; } b; } top; }";
    ox_type type = type_of_text(nine);
    expect_refused(&type, OX_REPORT_STRUCT_TOO_DEEP,
                   "'Hand' (hand.c:7) is nested 8 deep at field 'i'", "8 is the limit");

    type.text = "{ struct { struct { struct { struct { struct { struct { struct { struct { "
                "int a; } h; } g; } f; } e; } d; } c; } b; } top; }";
    ox_layout layout;
    EXPECT(ox_layout_create(&type, &layout));
    EXPECT_EQ(layout.field_count, 9);
    ox_layout_dispose(&layout);
}

TEST(struct_refusal, of_a_cycle_ends) {
    ox_type type = type_of_text("{ Snake tail; }");
    type.name = "Snake";
    EXPECT(ox_type_register(&type) != NULL);

    expect_refused(&type, OX_REPORT_STRUCT_TOO_DEEP, "'Snake'", "remove the cycle");
}

// A text of `count` fields, each a char.
static char *text_of_chars(int count) {
    char *text = malloc((size_t)count * 16 + 16);
    char *end = text + sprintf(text, "{");
    for (int k = 0; k < count; k++) {
        end += sprintf(end, " char c%d;", k);
    }
    sprintf(end, " }");
    return text;
}

TEST(struct_refusal, of_many_fields_comes_after_4096) {
    char *text = text_of_chars(4097);
    ox_type type = {.name = "Many", .text = text, .size = 4097, .align = 1};
    expect_refused(&type, OX_REPORT_UNREADABLE_FIELD,
                   "field 'c4096' of 'Many' (a place not known): the struct has more than 4096",
                   "make it smaller, or nest less");

    free(text);
    type.text = text = text_of_chars(4096);
    type.size = 4096;
    ox_layout layout;
    EXPECT(ox_layout_create(&type, &layout));
    EXPECT_EQ(layout.field_count, 4096);
    EXPECT_EQ(ox_layout_find(&layout, "c4095"), 4095);
    ox_layout_dispose(&layout);
    free(text);
}

TEST(struct_refusal, of_many_fields_counts_those_of_structs_inside) {
    // 2^12 leaves, by doubling.
    for (int k = 0; k < 8; k++) {
        char name[16], text[64];
        snprintf(name, sizeof name, "Twice%d", k);
        snprintf(text, sizeof text, k == 0 ? "{ char a, b; }" : "{ Twice%d a, b, c; }", k - 1);
        ox_type type = {.name = name,
                        .text = text,
                        .site = "t.c:1",
                        .size = 2,
                        .align = 1,
                        .header_version = OX_VERSION};
        for (int n = 0; n < k; n++) {
            type.size *= 3;
        }
        EXPECT(ox_type_register(&type) != NULL);
    }

    expect_refused(ox_type_find("Twice7"), OX_REPORT_UNREADABLE_FIELD, "more than 4096 fields",
                   "make it smaller, or nest less");
}

// Sizes near the end of memory.

static void register_huge(const char *name, size_t size) {
    ox_type huge = {.name = name, .size = size, .align = 1, .header_version = OX_VERSION};
    EXPECT(ox_type_register(&huge) != NULL);
}

TEST(struct_refusal, of_a_struct_larger_than_memory_does_not_wrap_around) {
    register_huge("Huge", PTRDIFF_MAX);
    static const refusal refusals[] = {
        {"{ Huge a[2]; }", "field 'a' of 'Hand'", "make its arrays shorter"},
        {"{ Huge a; char b; }", "field 'b' of 'Hand'", "make its arrays shorter"},
        {"{ Huge a; double b; Huge c; }", "field 'b' of 'Hand'", "make its arrays shorter"},
        {"{ Huge a; alignas(4096) char b; }", "larger than any memory", "make its arrays shorter"},
    };
    EXPECT_ALL_REFUSED(OX_REPORT_UNREADABLE_FIELD, refusals);

    ox_type type = type_of_text("{ Huge a; }");
    expect_refused(&type, OX_REPORT_LAYOUT_MISMATCH, "makes 9223372036854775807 bytes", "'Hand'");
}

TEST(struct_refusal, of_the_size_of_a_huge_type_as_a_length_does_not_overflow) {
    register_huge("Giant", (size_t)1 << 40);
    static const refusal refusals[] = {
        {"{ char a[sizeof(Giant)]; }", "length of its array", "write the length"},
        {"{ char a[sizeof(Giant) * sizeof(Giant)]; }", "length of its array", "write the length"},
        {"{ char a[sizeof(Giant) << 30]; }", "length of its array", "write the length"},
        {"{ char a[sizeof(Giant) / sizeof(Giant)]; }", "length of its array", "write the length"},
    };
    EXPECT_ALL_REFUSED(OX_REPORT_UNREADABLE_FIELD, refusals);
}
