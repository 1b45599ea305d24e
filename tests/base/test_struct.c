// SPDX-License-Identifier: MIT
//
// Scanning struct texts: marks, paths, and the life of a layout.

#include "test.h"

#include "base/heap.h"
#include "base/types.h"
#include "oxbow/struct.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A type by hand, as a program without OX_STRUCT makes one.
static ox_type type_of_text(const char *text, size_t size, size_t align) {
    return (ox_type){.name = "Hand",
                     .text = text,
                     .site = "hand.c:7",
                     .size = size,
                     .align = align,
                     .header_version = OX_VERSION};
}

static uint32_t marks_at(const ox_layout *layout, const char *path) {
    int32_t index = ox_layout_find(layout, path);
    EXPECT(index >= 0);
    return index >= 0 ? layout->fields[index].marks : 0;
}

// Marks.

// clang-format off
#define COUNT    4
#define TWO_INTS struct { int x, y; }
#define HANDLE   void *
#define FIELD(mark, type, name) mark type name
#define BODY_OF(...) __VA_ARGS__
#define NOTHING_AT_ALL

OX_STRUCT(EachMark, {
    int plain; OX_READ_ONLY int read; OX_UNRESTRICTED int free; OX_NO_SAFETY int unsafe;
    OX_UNOWNED int *unowned; int last;
});
OX_STRUCT(SeveralMarks, {
    OX_READ_ONLY OX_UNRESTRICTED float *a, b[COUNT]; const OX_NO_SAFETY int c; int d;
    OX_UNOWNED OX_READ_ONLY OX_NO_SAFETY OX_UNRESTRICTED void *e; float OX_UNOWNED *f;
});
OX_STRUCT(MarkedInside, {
    int x; OX_UNOWNED char *text; struct { OX_NO_SAFETY int deep; int flat; } in;
});
OX_STRUCT(MarkedOutside, {
    OX_READ_ONLY MarkedInside a; MarkedInside b;
    OX_UNRESTRICTED struct { int c; OX_READ_ONLY int d; struct { int e; }; } f, g[2];
});
OX_STRUCT(MacrosAndMarks, {
    HANDLE a; OX_UNOWNED HANDLE b; int c[COUNT]; OX_READ_ONLY int d[COUNT * 2];
    NOTHING_AT_ALL int e;
    alignas(COUNT * 4) OX_NO_SAFETY int f; enum { MARK_A = COUNT, MARK_B } g; OX_READ_ONLY int h;
    int (*i)(int, struct EachMark *); OX_UNOWNED int (*j)(void);
});
OX_STRUCT(MacroStruct, { TWO_INTS p; OX_READ_ONLY float *q; int r; });
OX_STRUCT(MacroStructBefore, { TWO_INTS p; OX_READ_ONLY struct { int z; } q; int r; });
OX_STRUCT(MarkedMacroStruct, { OX_READ_ONLY TWO_INTS p; int q; });
OX_STRUCT(MarkInArguments, { int a; FIELD(OX_READ_ONLY, float *, b); FIELD(, int, c); });
OX_STRUCT(MarkBehindBody, { int a; struct { int b; } OX_READ_ONLY c, d; int e; });
OX_STRUCT(WholeInMacro, BODY_OF({ int a; OX_READ_ONLY int b; }));
// clang-format on

TEST(struct_marks, are_found_one_by_one) {
    ox_layout layout;
    EXPECT(ox_layout_create(ox_type_of(EachMark), &layout));

    EXPECT_EQ(marks_at(&layout, "plain"), 0);
    EXPECT_EQ(marks_at(&layout, "read"), OX_MARK_READ_ONLY);
    EXPECT_EQ(marks_at(&layout, "free"), OX_MARK_UNRESTRICTED);
    EXPECT_EQ(marks_at(&layout, "unsafe"), OX_MARK_NO_SAFETY);
    EXPECT_EQ(marks_at(&layout, "unowned"), OX_MARK_UNOWNED);
    EXPECT_EQ(marks_at(&layout, "last"), 0);

    ox_layout_dispose(&layout);
}

TEST(struct_marks, of_one_declaration_are_added_and_hold_for_all_its_names) {
    ox_layout layout;
    EXPECT(ox_layout_create(ox_type_of(SeveralMarks), &layout));

    EXPECT_EQ(marks_at(&layout, "a"), OX_MARK_READ_ONLY | OX_MARK_UNRESTRICTED);
    EXPECT_EQ(marks_at(&layout, "b"), OX_MARK_READ_ONLY | OX_MARK_UNRESTRICTED);
    EXPECT_EQ(marks_at(&layout, "c"), OX_MARK_NO_SAFETY);
    EXPECT_EQ(marks_at(&layout, "d"), 0);
    EXPECT_EQ(marks_at(&layout, "e"), 15);
    EXPECT_EQ(marks_at(&layout, "f"), OX_MARK_UNOWNED);

    ox_layout_dispose(&layout);
}

TEST(struct_marks, are_inherited_by_the_fields_of_a_registered_struct) {
    ox_layout layout;
    EXPECT(ox_layout_create(ox_type_of(MarkedOutside), &layout));

    EXPECT_EQ(marks_at(&layout, "a"), OX_MARK_READ_ONLY);
    EXPECT_EQ(marks_at(&layout, "a.x"), OX_MARK_READ_ONLY);
    EXPECT_EQ(marks_at(&layout, "a.text"), OX_MARK_READ_ONLY | OX_MARK_UNOWNED);
    EXPECT_EQ(marks_at(&layout, "a.in.deep"), OX_MARK_READ_ONLY | OX_MARK_NO_SAFETY);
    EXPECT_EQ(marks_at(&layout, "a.in.flat"), OX_MARK_READ_ONLY);
    EXPECT_EQ(marks_at(&layout, "b"), 0);
    EXPECT_EQ(marks_at(&layout, "b.x"), 0);
    EXPECT_EQ(marks_at(&layout, "b.text"), OX_MARK_UNOWNED);
    EXPECT_EQ(marks_at(&layout, "b.in.deep"), OX_MARK_NO_SAFETY);

    ox_layout_dispose(&layout);
}

TEST(struct_marks, are_inherited_by_the_fields_of_a_struct_written_in_place) {
    ox_layout layout;
    EXPECT(ox_layout_create(ox_type_of(MarkedOutside), &layout));

    EXPECT_EQ(marks_at(&layout, "f.c"), OX_MARK_UNRESTRICTED);
    EXPECT_EQ(marks_at(&layout, "f.d"), OX_MARK_UNRESTRICTED | OX_MARK_READ_ONLY);
    EXPECT_EQ(marks_at(&layout, "f.e"), OX_MARK_UNRESTRICTED);
    EXPECT_EQ(marks_at(&layout, "g"), OX_MARK_UNRESTRICTED);
    EXPECT_EQ(marks_at(&layout, "g.d"), OX_MARK_UNRESTRICTED | OX_MARK_READ_ONLY);

    ox_layout_dispose(&layout);
}

TEST(struct_marks, are_found_between_macros) {
    ox_layout layout;
    EXPECT(ox_layout_create(ox_type_of(MacrosAndMarks), &layout));

    static const char *const plain[] = {"a", "c", "e", "g", "i"};
    for (size_t k = 0; k < sizeof plain / sizeof plain[0]; k++) {
        EXPECT_EQ(marks_at(&layout, plain[k]), 0);
    }
    EXPECT_EQ(marks_at(&layout, "b"), OX_MARK_UNOWNED);
    EXPECT_EQ(marks_at(&layout, "d"), OX_MARK_READ_ONLY);
    EXPECT_EQ(marks_at(&layout, "f"), OX_MARK_NO_SAFETY);
    EXPECT_EQ(marks_at(&layout, "h"), OX_MARK_READ_ONLY);
    EXPECT_EQ(marks_at(&layout, "j"), OX_MARK_UNOWNED);

    ox_layout_dispose(&layout);
}

TEST(struct_marks, are_found_behind_a_struct_that_a_macro_makes) {
    ox_layout layout;
    EXPECT(ox_layout_create(ox_type_of(MacroStruct), &layout));

    EXPECT_EQ(marks_at(&layout, "p"), 0);
    EXPECT_EQ(marks_at(&layout, "p.x"), 0);
    EXPECT_EQ(marks_at(&layout, "q"), OX_MARK_READ_ONLY);
    EXPECT_EQ(marks_at(&layout, "r"), 0);

    ox_layout_dispose(&layout);
}

TEST(struct_marks, of_a_later_struct_are_not_taken_for_those_of_a_macros_struct) {
    ox_layout layout;
    EXPECT(ox_layout_create(ox_type_of(MacroStructBefore), &layout));

    EXPECT_EQ(marks_at(&layout, "p"), 0);
    EXPECT_EQ(marks_at(&layout, "p.y"), 0);
    EXPECT_EQ(marks_at(&layout, "q"), OX_MARK_READ_ONLY);
    EXPECT_EQ(marks_at(&layout, "q.z"), OX_MARK_READ_ONLY);
    EXPECT_EQ(marks_at(&layout, "r"), 0);

    ox_layout_dispose(&layout);
}

TEST(struct_marks, of_a_struct_that_a_macro_makes_are_inherited) {
    ox_layout layout;
    EXPECT(ox_layout_create(ox_type_of(MarkedMacroStruct), &layout));

    EXPECT_EQ(marks_at(&layout, "p"), OX_MARK_READ_ONLY);
    EXPECT_EQ(marks_at(&layout, "p.x"), OX_MARK_READ_ONLY);
    EXPECT_EQ(marks_at(&layout, "q"), 0);

    ox_layout_dispose(&layout);
}

TEST(struct_marks, are_found_in_the_arguments_of_a_macro) {
    ox_layout layout;
    EXPECT(ox_layout_create(ox_type_of(MarkInArguments), &layout));

    EXPECT_EQ(marks_at(&layout, "a"), 0);
    EXPECT_EQ(marks_at(&layout, "b"), OX_MARK_READ_ONLY);
    EXPECT_EQ(marks_at(&layout, "c"), 0);

    ox_layout_dispose(&layout);
}

TEST(struct_marks, are_found_behind_the_body_of_a_struct_written_in_place) {
    ox_layout layout;
    EXPECT(ox_layout_create(ox_type_of(MarkBehindBody), &layout));

    EXPECT_EQ(marks_at(&layout, "a"), 0);
    EXPECT_EQ(marks_at(&layout, "c"), OX_MARK_READ_ONLY);
    EXPECT_EQ(marks_at(&layout, "c.b"), OX_MARK_READ_ONLY);
    EXPECT_EQ(marks_at(&layout, "d.b"), OX_MARK_READ_ONLY);
    EXPECT_EQ(marks_at(&layout, "e"), 0);

    ox_layout_dispose(&layout);
}

TEST(struct_marks, are_found_when_the_whole_body_is_a_macros_argument) {
    ox_layout layout;
    EXPECT(ox_layout_create(ox_type_of(WholeInMacro), &layout));

    EXPECT_EQ(marks_at(&layout, "a"), 0);
    EXPECT_EQ(marks_at(&layout, "b"), OX_MARK_READ_ONLY);

    ox_layout_dispose(&layout);
}

TEST(struct_marks, are_found_without_an_expanded_text) {
    ox_type type = type_of_text("{ OX_READ_ONLY const int a; int OX_UNOWNED b, c; int d; "
                                "OX_NO_SAFETY struct { int e; OX_READ_ONLY int f; } g; }",
                                6 * sizeof(int), alignof(int));
    ox_layout layout;
    EXPECT(ox_layout_create(&type, &layout));

    EXPECT_EQ(marks_at(&layout, "a"), OX_MARK_READ_ONLY);
    EXPECT_EQ(marks_at(&layout, "b"), OX_MARK_UNOWNED);
    EXPECT_EQ(marks_at(&layout, "c"), OX_MARK_UNOWNED);
    EXPECT_EQ(marks_at(&layout, "d"), 0);
    EXPECT_EQ(marks_at(&layout, "g.e"), OX_MARK_NO_SAFETY);
    EXPECT_EQ(marks_at(&layout, "g.f"), OX_MARK_NO_SAFETY | OX_MARK_READ_ONLY);

    ox_layout_dispose(&layout);
}

// Paths.

// clang-format off
OX_STRUCT(Leaf, { int x; struct { int y; struct { int z; } deep; }; });
OX_STRUCT(Tree, { Leaf leaf; Leaf leaves[2]; int x; int y_coordinate; });
// clang-format on

TEST(struct_paths, find_fields_of_fields) {
    ox_layout layout;
    EXPECT(ox_layout_create(ox_type_of(Tree), &layout));

    EXPECT_EQ(ox_layout_find(&layout, "leaf"), 0);
    EXPECT_EQ(ox_layout_find(&layout, "leaf.x"), 1);
    EXPECT_EQ(ox_layout_find(&layout, "leaf.y"), 3);
    EXPECT_EQ(ox_layout_find(&layout, "leaf.deep.z"), 5);
    EXPECT_EQ(ox_layout_find(&layout, "leaves.deep.z"), 11);
    EXPECT_EQ(ox_layout_find(&layout, "x"), 12);
    EXPECT_EQ(ox_layout_find(&layout, "y_coordinate"), 13);

    ox_layout_dispose(&layout);
}

TEST(struct_paths, that_lead_nowhere_find_nothing) {
    static const char *const paths[] = {
        "",          ".",         "y",           "z",       "leaf.z",
        "leaf.leaf", "leaf.",     ".leaf",       "leaf..x", "leaf.x.",
        "leaf.x.x",  "leaves[0]", "leaves[0].x", "x ",      " x",
        "leaf .x",   "leaf/x",    "lea",         "leafs",   "y_coordinate2",
        "leaf x",    "leaf. x",   "deep",        "leaf,x",  "/**/ leaf",
        "leaf\n",    "%n",        "leaf..deep.z"};
    ox_layout layout;
    EXPECT(ox_layout_create(ox_type_of(Tree), &layout));

    for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++) {
        if (ox_layout_find(&layout, paths[k]) != -1) {
            test_fail(__FILE__, __LINE__, "\"%s\" finds a field", paths[k]);
        }
    }

    ox_layout_dispose(&layout);
}

TEST(struct_paths, of_nothing_find_nothing) {
    ox_layout empty = {0};

    EXPECT_EQ(ox_layout_find(&empty, "x"), -1);
    EXPECT_EQ(ox_layout_find(NULL, "x"), -1);
    EXPECT_EQ(ox_layout_find(&empty, NULL), -1);
}

// The life of a layout.

TEST(struct_scan, gives_a_layout_that_owns_its_names) {
    char text[] = "{ int first; float second[2]; }";
    ox_type type = type_of_text(text, 3 * sizeof(int), alignof(int));
    ox_layout layout;
    EXPECT(ox_layout_create(&type, &layout));

    memset(text, 'x', sizeof text - 1);

    EXPECT_STR(layout.fields[0].name, "first");
    EXPECT_STR(layout.fields[0].type_name, "int");
    EXPECT_STR(layout.fields[1].name, "second");
    EXPECT_STR(layout.fields[1].type_name, "float");
    ox_layout_dispose(&layout);
}

TEST(struct_scan, is_freed_whole_and_may_be_freed_again) {
    ox_type_count(); // takes in what waits
    uint64_t blocks = oxi_heap_get_blocks();
    ox_layout layout;
    EXPECT(ox_layout_create(ox_type_of(Tree), &layout));

    ox_layout_dispose(&layout);

    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
    EXPECT_EQ(layout.fields, NULL);
    EXPECT_EQ(layout.field_count, 0);
    EXPECT_EQ(layout.block_size, 0);
    ox_layout_dispose(&layout);
    ox_layout_dispose(NULL);
}

TEST(struct_scan, passes_over_spaces_and_comments) {
    ox_type type = type_of_text("\n\t/* ; } */ { // int a;\n int/**/a\v; /* { */ char\fb\r[ 2 ]\n"
                                ";short\n\nc//}\n;/*}*/}// the end\n  /* */",
                                8, alignof(int));
    ox_layout layout;
    EXPECT(ox_layout_create(&type, &layout));

    EXPECT_EQ(layout.field_count, 3);
    EXPECT_EQ(ox_layout_find(&layout, "c"), 2);
    ox_layout_dispose(&layout);
}

TEST(struct_scan, reads_expressions_by_the_rules_of_c) {
    ox_type type = type_of_text("{ char a[1 << 1 + 1]; char b[16 >> 1 << 1]; char c[2 + 3 * 4 % 5];"
                                "char d[7 - -2]; char e[- - 3]; char f[((((3))))]; }",
                                4 + 16 + 4 + 9 + 3 + 3, 1);
    ox_layout layout;
    EXPECT(ox_layout_create(&type, &layout));

    EXPECT_EQ(layout.fields[0].count, 4);
    EXPECT_EQ(layout.fields[1].count, 16);
    EXPECT_EQ(layout.fields[2].count, 4);
    EXPECT_EQ(layout.fields[3].count, 9);
    EXPECT_EQ(layout.fields[4].count, 3);
    EXPECT_EQ(layout.fields[5].count, 3);
    ox_layout_dispose(&layout);
}

TEST(struct_scan, of_null_is_reported) {
    collected_reports reports;
    collect_reports(&reports);
    ox_layout layout = {.field_count = 7};

    EXPECT(!ox_layout_create(NULL, &layout));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(layout.field_count, 0);

    EXPECT(!ox_layout_create(ox_type_of(Tree), NULL));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
}
