// SPDX-License-Identifier: MIT
//
// Struct texts against the compiler: every field that is scanned lies where the compiler put it.

#include "test.h"

#include "oxbow/struct.h"
#include "oxbow/vector.h"

#include <stdalign.h>
#include <stdio.h>
#include <string.h>

// What the compiler says about one field.
typedef struct field_truth {
    const char *path; // NULL: an anonymous struct
    size_t offset;
    size_t size;
    size_t count;
    ox_field_kind kind;
    ox_scalar scalar;
    bool is_array;
} field_truth;

// clang-format off
#define SCALAR_OF(x)                                                                               \
    _Generic((x), bool: OX_SCALAR_BOOL, float: OX_SCALAR_FLOAT, double: OX_SCALAR_FLOAT,           \
             long double: OX_SCALAR_FLOAT, default: SIGN_OF(x))
#define SIGN_OF(x)                                                                                 \
    _Generic((x), char: (char)-1 < 0 ? OX_SCALAR_SIGNED : OX_SCALAR_UNSIGNED,                      \
             signed char: OX_SCALAR_SIGNED, short: OX_SCALAR_SIGNED, int: OX_SCALAR_SIGNED,        \
             long: OX_SCALAR_SIGNED, long long: OX_SCALAR_SIGNED, default: OX_SCALAR_UNSIGNED)
// clang-format on

// Truths about the type T. `at` is what makes an element of an array: [0], [0][0].
#define OF(member) (((T *)0)->member)
#define TRUTH(path, member, element, kind, scalar, is_array)                                       \
    {                                                                                              \
        path, offsetof(T, member), sizeof OF(element), sizeof OF(member) / sizeof OF(element),     \
            OX_FIELD_##kind, scalar, is_array                                                      \
    }
#define SCALAR(member) TRUTH(#member, member, member, SCALAR, SCALAR_OF(OF(member)), false)
#define SCALARS(member, at)                                                                        \
    TRUTH(#member, member, member at, SCALAR, SCALAR_OF(OF(member at)), true)
#define SCALAR_IN(path, member)    TRUTH(path, member, member, SCALAR, SCALAR_OF(OF(member)), false)
#define ENUM(member)               TRUTH(#member, member, member, ENUM, OX_SCALAR_SIGNED, false)
#define OTHER(kind, member)        TRUTH(#member, member, member, kind, OX_SCALAR_NONE, false)
#define OTHERS(kind, member, at)   TRUTH(#member, member, member at, kind, OX_SCALAR_NONE, true)
#define OTHER_IN(kind, path, item) TRUTH(path, item, item, kind, OX_SCALAR_NONE, false)
#define ANONYMOUS(first, bytes)                                                                    \
    { NULL, offsetof(T, first), bytes, 1, OX_FIELD_STRUCT, OX_SCALAR_NONE, false }

#define EXPECT_LAYOUT(type, ...)                                                                   \
    do {                                                                                           \
        typedef type T;                                                                            \
        const field_truth truths[] = {__VA_ARGS__};                                                \
        expect_layout(ox_type_of(type), truths, sizeof truths / sizeof truths[0], __LINE__);       \
    } while (0)

static void expect_field(const ox_layout *layout, uint32_t index, const field_truth *truth,
                         int line) {
    const ox_field *field = &layout->fields[index];
    if (truth->path != NULL && ox_layout_find(layout, truth->path) != (int32_t)index) {
        test_fail(__FILE__, line, "%s is not field %u, that is %s", truth->path, index,
                  field->name);
    }
    if (field->offset != truth->offset || field->size != truth->size ||
        field->count != truth->count) {
        test_fail(__FILE__, line, "%s is %u x %zu bytes at %zu, should be %zu x %zu at %zu",
                  field->name, field->count, field->size, field->offset, truth->count, truth->size,
                  truth->offset);
    }
    if (field->kind != truth->kind || field->scalar != truth->scalar ||
        field->is_array != truth->is_array) {
        test_fail(__FILE__, line, "%s is of kind %d, %d, should be %d, %d", field->name,
                  (int)field->kind, (int)field->scalar, (int)truth->kind, (int)truth->scalar);
    }
}

// Fields follow the one that holds them, lie inside it, and are counted by it.
static void expect_tree(const ox_layout *layout, int line) {
    for (uint32_t k = 0; k < layout->field_count; k++) {
        const ox_field *field = &layout->fields[k];
        uint32_t inside = 0;
        for (uint32_t other = k + 1; other < layout->field_count; other++) {
            int32_t holder = layout->fields[other].parent;
            while (holder > (int32_t)k) {
                holder = layout->fields[holder].parent;
            }
            inside += holder == (int32_t)k;
        }
        size_t begin = field->parent >= 0 ? layout->fields[field->parent].offset : 0;
        size_t size = field->parent >= 0 ? layout->fields[field->parent].size : layout->size;
        if (field->field_count != inside || field->parent >= (int32_t)k || field->offset < begin ||
            field->offset + field->size * field->count > begin + size) {
            test_fail(__FILE__, line, "%s has a wrong place in the tree", field->name);
        }
    }
}

static void expect_layout(const ox_type *type, const field_truth *truths, size_t count, int line) {
    ox_layout layout;
    EXPECT(ox_layout_create(type, &layout));
    EXPECT_EQ(layout.size, type->size);
    EXPECT_EQ(layout.align, type->align);
    EXPECT_EQ(layout.field_count, count);
    for (uint32_t k = 0; k < count; k++) {
        expect_field(&layout, k, &truths[k], line);
    }
    expect_tree(&layout, line);
    ox_layout_dispose(&layout);
}

// clang-format off
OX_STRUCT(Chars, {
    char a; signed char b; unsigned char c; char signed d; char unsigned e; bool f; _Bool g;
});
OX_STRUCT(Shorts, {
    char pad; short a; short int b; int short c; signed short d; short signed int e;
    unsigned short f; unsigned short int g; short unsigned int h; int unsigned short i;
});
OX_STRUCT(Ints, {
    char pad; int a; signed b; signed int c; int signed d; unsigned e; unsigned int f;
    int unsigned g;
});
OX_STRUCT(Longs, {
    char pad; long a; long int b; signed long c; int long signed d; char gap;
    unsigned long e; long unsigned f; long unsigned int g; int long unsigned h;
});
OX_STRUCT(LongLongs, {
    char pad; long long a; long long int b; signed long long int c; long signed int long d;
    char gap; unsigned long long e; unsigned long long int f; long unsigned long g;
    int long unsigned long h;
});
OX_STRUCT(Floats, {
    char p0; float a; char p1; double b; char p2; long double c; char p3; double long d;
});
OX_STRUCT(Exact, {
    int8_t a; int16_t b; uint8_t c; int32_t d; uint8_t e; int64_t f; uint8_t g; uint16_t h;
    uint8_t i; uint32_t j; uint8_t k; uint64_t l;
});
OX_STRUCT(AtLeast, {
    char p0; int_least8_t a; int_least16_t b; char p1; int_least32_t c; char p2; int_least64_t d;
    uint_least8_t e; uint_least16_t f; char p3; uint_least32_t g; char p4; uint_least64_t h;
});
OX_STRUCT(Fast, {
    char p0; int_fast8_t a; char p1; int_fast16_t b; char p2; int_fast32_t c; char p3;
    int_fast64_t d; char p4; uint_fast8_t e; char p5; uint_fast16_t f; char p6; uint_fast32_t g;
    uint_fast64_t h;
});
OX_STRUCT(Wide, {
    char p0; intmax_t a; char p1; uintmax_t b; char p2; intptr_t c; char p3; uintptr_t d; char p4;
    ptrdiff_t e; char p5; size_t f;
});
OX_STRUCT(Qualified, {
    const char a; int const b; volatile double c; unsigned const long volatile int d;
    const volatile uint8_t e; uint16_t const f; float volatile g; long const long h;
});
// clang-format on

TEST(struct_layout, of_chars_is_the_compilers) {
    EXPECT_LAYOUT(Chars, SCALAR(a), SCALAR(b), SCALAR(c), SCALAR(d), SCALAR(e), SCALAR(f),
                  SCALAR(g));
}

TEST(struct_layout, of_shorts_in_any_word_order_is_the_compilers) {
    EXPECT_LAYOUT(Shorts, SCALAR(pad), SCALAR(a), SCALAR(b), SCALAR(c), SCALAR(d), SCALAR(e),
                  SCALAR(f), SCALAR(g), SCALAR(h), SCALAR(i));
}

TEST(struct_layout, of_ints_in_any_word_order_is_the_compilers) {
    EXPECT_LAYOUT(Ints, SCALAR(pad), SCALAR(a), SCALAR(b), SCALAR(c), SCALAR(d), SCALAR(e),
                  SCALAR(f), SCALAR(g));
}

TEST(struct_layout, of_longs_in_any_word_order_is_the_compilers) {
    EXPECT_LAYOUT(Longs, SCALAR(pad), SCALAR(a), SCALAR(b), SCALAR(c), SCALAR(d), SCALAR(gap),
                  SCALAR(e), SCALAR(f), SCALAR(g), SCALAR(h));
}

TEST(struct_layout, of_long_longs_in_any_word_order_is_the_compilers) {
    EXPECT_LAYOUT(LongLongs, SCALAR(pad), SCALAR(a), SCALAR(b), SCALAR(c), SCALAR(d), SCALAR(gap),
                  SCALAR(e), SCALAR(f), SCALAR(g), SCALAR(h));
}

TEST(struct_layout, of_floats_is_the_compilers) {
    EXPECT_LAYOUT(Floats, SCALAR(p0), SCALAR(a), SCALAR(p1), SCALAR(b), SCALAR(p2), SCALAR(c),
                  SCALAR(p3), SCALAR(d));
}

TEST(struct_layout, of_exact_integers_is_the_compilers) {
    EXPECT_LAYOUT(Exact, SCALAR(a), SCALAR(b), SCALAR(c), SCALAR(d), SCALAR(e), SCALAR(f),
                  SCALAR(g), SCALAR(h), SCALAR(i), SCALAR(j), SCALAR(k), SCALAR(l));
}

TEST(struct_layout, of_least_integers_is_the_compilers) {
    EXPECT_LAYOUT(AtLeast, SCALAR(p0), SCALAR(a), SCALAR(b), SCALAR(p1), SCALAR(c), SCALAR(p2),
                  SCALAR(d), SCALAR(e), SCALAR(f), SCALAR(p3), SCALAR(g), SCALAR(p4), SCALAR(h));
}

TEST(struct_layout, of_fast_integers_is_the_compilers) {
    EXPECT_LAYOUT(Fast, SCALAR(p0), SCALAR(a), SCALAR(p1), SCALAR(b), SCALAR(p2), SCALAR(c),
                  SCALAR(p3), SCALAR(d), SCALAR(p4), SCALAR(e), SCALAR(p5), SCALAR(f), SCALAR(p6),
                  SCALAR(g), SCALAR(h));
}

TEST(struct_layout, of_the_widest_integers_is_the_compilers) {
    EXPECT_LAYOUT(Wide, SCALAR(p0), SCALAR(a), SCALAR(p1), SCALAR(b), SCALAR(p2), SCALAR(c),
                  SCALAR(p3), SCALAR(d), SCALAR(p4), SCALAR(e), SCALAR(p5), SCALAR(f));
}

TEST(struct_layout, does_not_depend_on_qualifiers) {
    EXPECT_LAYOUT(Qualified, SCALAR(a), SCALAR(b), SCALAR(c), SCALAR(d), SCALAR(e), SCALAR(f),
                  SCALAR(g), SCALAR(h));
}

// Pointers.

// clang-format off
OX_STRUCT(DataPointers, {
    char c0; const char *const *names; char c1; void *any; char c2; int ***deep; char c3;
    long unsigned *numbers; char c4; float *restrict alone; char c5; double *const volatile kept;
});
OX_STRUCT(UnknownPointers, {
    char c0; struct Hidden *hidden; char c1; const struct Hidden *const *more; char c2;
    FILE *file; struct Hidden *few[3];
});
OX_STRUCT(FunctionPointers, {
    char c0; void (*plain)(void); char c1; int (*compare)(const void *a, const void *b);
    char *(*name)(int index); char c2; void (*table[4])(int, char);
    float (*const grid[2][3])(double); int (*taking)(int (*inner)(int), int list[3]);
});
OX_STRUCT(ArrayPointers, {
    char c0; int (*row)[4]; char c1; float (*matrices[2])[4][4]; const char *(*names)[8]; char c2;
});
// clang-format on

TEST(struct_layout, of_pointers_to_data_is_the_compilers) {
    EXPECT_LAYOUT(DataPointers, SCALAR(c0), OTHER(POINTER, names), SCALAR(c1), OTHER(POINTER, any),
                  SCALAR(c2), OTHER(POINTER, deep), SCALAR(c3), OTHER(POINTER, numbers), SCALAR(c4),
                  OTHER(POINTER, alone), SCALAR(c5), OTHER(POINTER, kept));
}

TEST(struct_layout, of_pointers_to_unknown_types_is_the_compilers) {
    EXPECT_LAYOUT(UnknownPointers, SCALAR(c0), OTHER(POINTER, hidden), SCALAR(c1),
                  OTHER(POINTER, more), SCALAR(c2), OTHER(POINTER, file),
                  OTHERS(POINTER, few, [0]));
}

TEST(struct_layout, of_pointers_to_functions_is_the_compilers) {
    EXPECT_LAYOUT(FunctionPointers, SCALAR(c0), OTHER(POINTER, plain), SCALAR(c1),
                  OTHER(POINTER, compare), OTHER(POINTER, name), SCALAR(c2),
                  OTHERS(POINTER, table, [0]), OTHERS(POINTER, grid, [0][0]),
                  OTHER(POINTER, taking));
}

TEST(struct_layout, of_pointers_to_arrays_is_the_compilers) {
    EXPECT_LAYOUT(ArrayPointers, SCALAR(c0), OTHER(POINTER, row), SCALAR(c1),
                  OTHERS(POINTER, matrices, [0]), OTHER(POINTER, names), SCALAR(c2));
}

// Arrays.

#define FIVE     5
#define NESTED   (FIVE * 2)
#define TWICE(n) ((n) + (n))

// clang-format off
OX_STRUCT(Literals, {
    char a[1]; short b[3]; int c[0x10]; long d[017]; char e[0XaU]; char f[3u]; char g[5L];
    char h[7uLL]; char i[0x1fllu]; double j[2][3]; float k[2][3][4]; char l[01]; char *m[2][2];
});
OX_STRUCT(Lengths, {
    char a[FIVE]; int b[NESTED]; short c[TWICE(FIVE)]; char d[FIVE][NESTED]; char e[1 + 2 * 3];
    char f[(1 + 2) * 3]; char g[1 << 4]; char h[256 >> 2 >> 1]; char i[17 % 5]; char j[20 / 3 / 2];
    char k[10 - 3 - 2]; char l[-2 + 5]; char m[+4]; char n[1 << (1 + 1)]; char o[8 - (4 - 2) * 2];
});
OX_STRUCT(Sizes, {
    char a[sizeof(int)]; char b[sizeof(double) * 2]; char c[64 - sizeof(uint16_t)];
    char d[sizeof(Literals)]; char e[16 / sizeof(float)]; int f[sizeof(Literals) / sizeof(char)];
});
OX_STRUCT(Mixed, {
    char c; int a, *b, d[3], *e[2], (*f)(int, int), (*g)[5]; double h[2], i; const char *j, k, **l;
    unsigned m, n[FIVE], *o[FIVE][2];
});
// clang-format on

TEST(struct_layout, of_arrays_with_literal_lengths_is_the_compilers) {
    EXPECT_LAYOUT(Literals, SCALARS(a, [0]), SCALARS(b, [0]), SCALARS(c, [0]), SCALARS(d, [0]),
                  SCALARS(e, [0]), SCALARS(f, [0]), SCALARS(g, [0]), SCALARS(h, [0]),
                  SCALARS(i, [0]), SCALARS(j, [0][0]), SCALARS(k, [0][0][0]), SCALARS(l, [0]),
                  OTHERS(POINTER, m, [0][0]));
}

TEST(struct_layout, of_arrays_with_macros_and_expressions_is_the_compilers) {
    EXPECT_LAYOUT(Lengths, SCALARS(a, [0]), SCALARS(b, [0]), SCALARS(c, [0]), SCALARS(d, [0][0]),
                  SCALARS(e, [0]), SCALARS(f, [0]), SCALARS(g, [0]), SCALARS(h, [0]),
                  SCALARS(i, [0]), SCALARS(j, [0]), SCALARS(k, [0]), SCALARS(l, [0]),
                  SCALARS(m, [0]), SCALARS(n, [0]), SCALARS(o, [0]));
}

TEST(struct_layout, of_arrays_with_sizeof_is_the_compilers) {
    EXPECT_LAYOUT(Sizes, SCALARS(a, [0]), SCALARS(b, [0]), SCALARS(c, [0]), SCALARS(d, [0]),
                  SCALARS(e, [0]), SCALARS(f, [0]));
}

TEST(struct_layout, of_several_declarators_is_the_compilers) {
    EXPECT_LAYOUT(Mixed, SCALAR(c), SCALAR(a), OTHER(POINTER, b), SCALARS(d, [0]),
                  OTHERS(POINTER, e, [0]), OTHER(POINTER, f), OTHER(POINTER, g), SCALARS(h, [0]),
                  SCALAR(i), OTHER(POINTER, j), SCALAR(k), OTHER(POINTER, l), SCALAR(m),
                  SCALARS(n, [0]), OTHERS(POINTER, o, [0][0]));
}

// Structs in structs, enums and announced types.

typedef enum Colour { RED, GREEN = 7, BLUE } Colour;
enum Shape { ROUND, SQUARE };
typedef struct Foreign {
    char name[3];
    double weight;
} Foreign;
typedef float Angle;

// clang-format off
OX_EXTERN_STRUCT(Foreign);
OX_EXTERN_STRUCT(Angle);
OX_EXTERN_STRUCT(Colour);
OX_STRUCT(Point, { short x; double y; });
OX_STRUCT(Line, { char tag; Point from, to; });
OX_STRUCT(Web, { char c; Line lines[3]; struct Point middle; Point *others, more[1]; });
OX_STRUCT(Inline, {
    char c; struct { short x; double y; } bare; struct Tagged { char k; int v; } tagged;
    struct { char r, g, b; } pair[2], one, *far;
    struct { struct { int deep; } mid; char end; } nest;
});
OX_STRUCT(Anonymous, {
    char c; struct { int x; struct { double y; char z; }; }; short w;
});
OX_STRUCT(Enums, {
    char c; enum Shape shape; char d; enum { ON, OFF = (1 << 2) } power; char e;
    enum Weather { SUN, RAIN } weather; enum Shape *far; const enum Shape shapes[2];
});
OX_STRUCT(Announced, {
    char c; ox_float3 v; char d; Foreign f; Foreign g[2]; Angle h; char e; Colour i; Foreign *j;
    struct Foreign k;
});
OX_STRUCT(Aligned, {
    char a; alignas(16) char b; char c; _Alignas(8) int d, e; double f; const alignas(32) char g[3];
    short alignas(4) h; char i; alignas(2 * 4) char *j; _Alignas(0) char k; alignas(1 << 6) Point l;
});
OX_STRUCT(AlignedInside, {
    char a; alignas(16) struct { char x; } b; char c; struct { alignas(8) char y; } d; char e;
    Aligned f;
});
OX_STRUCT(Nothing, OX_NO_FIELDS);
OX_STRUCT(HoldsNothing, { int a; Nothing b; Nothing c[3]; int d; });
// clang-format on

TEST(struct_layout, of_registered_structs_inside_is_the_compilers) {
    EXPECT_LAYOUT(Line, SCALAR(tag), OTHER(STRUCT, from), SCALAR(from.x), SCALAR(from.y),
                  OTHER(STRUCT, to), SCALAR(to.x), SCALAR(to.y));
}

TEST(struct_layout, of_arrays_of_structs_shows_their_first_element) {
    EXPECT_LAYOUT(
        Web, SCALAR(c), OTHERS(STRUCT, lines, [0]), SCALAR_IN("lines.tag", lines[0].tag),
        OTHER_IN(STRUCT, "lines.from", lines[0].from), SCALAR_IN("lines.from.x", lines[0].from.x),
        SCALAR_IN("lines.from.y", lines[0].from.y), OTHER_IN(STRUCT, "lines.to", lines[0].to),
        SCALAR_IN("lines.to.x", lines[0].to.x), SCALAR_IN("lines.to.y", lines[0].to.y),
        OTHER(STRUCT, middle), SCALAR(middle.x), SCALAR(middle.y), OTHER(POINTER, others),
        OTHERS(STRUCT, more, [0]), SCALAR_IN("more.x", more[0].x), SCALAR_IN("more.y", more[0].y));
}

TEST(struct_layout, of_structs_written_in_place_is_the_compilers) {
    EXPECT_LAYOUT(Inline, SCALAR(c), OTHER(STRUCT, bare), SCALAR(bare.x), SCALAR(bare.y),
                  OTHER(STRUCT, tagged), SCALAR(tagged.k), SCALAR(tagged.v),
                  OTHERS(STRUCT, pair, [0]), SCALAR_IN("pair.r", pair[0].r),
                  SCALAR_IN("pair.g", pair[0].g), SCALAR_IN("pair.b", pair[0].b),
                  OTHER(STRUCT, one), SCALAR(one.r), SCALAR(one.g), SCALAR(one.b),
                  OTHER(POINTER, far), OTHER(STRUCT, nest), OTHER(STRUCT, nest.mid),
                  SCALAR(nest.mid.deep), SCALAR(nest.end));
}

TEST(struct_layout, of_anonymous_structs_is_the_compilers) {
    struct inner {
        double y;
        char z;
    };
    struct outer {
        int x;
        struct inner inner;
    };

    EXPECT_LAYOUT(Anonymous, SCALAR(c), ANONYMOUS(x, sizeof(struct outer)), SCALAR(x),
                  ANONYMOUS(y, sizeof(struct inner)), SCALAR(y), SCALAR(z), SCALAR(w));
}

TEST(struct_layout, of_enums_is_the_compilers) {
    EXPECT_LAYOUT(Enums, SCALAR(c), ENUM(shape), SCALAR(d), ENUM(power), SCALAR(e), ENUM(weather),
                  OTHER(POINTER, far),
                  TRUTH("shapes", shapes, shapes[0], ENUM, OX_SCALAR_SIGNED, true));
}

TEST(struct_layout, of_vectors_and_announced_types_is_the_compilers) {
    EXPECT_LAYOUT(Announced, SCALAR(c), OTHER(STRUCT, v), SCALAR(v.x), SCALAR(v.y), SCALAR(v.z),
                  SCALAR(d), OTHER(OPAQUE, f), OTHERS(OPAQUE, g, [0]), OTHER(OPAQUE, h), SCALAR(e),
                  OTHER(OPAQUE, i), OTHER(POINTER, j), OTHER(OPAQUE, k));
}

TEST(struct_layout, obeys_alignas) {
    EXPECT_LAYOUT(Aligned, SCALAR(a), SCALAR(b), SCALAR(c), SCALAR(d), SCALAR(e), SCALAR(f),
                  SCALARS(g, [0]), SCALAR(h), SCALAR(i), OTHER(POINTER, j), SCALAR(k),
                  OTHER(STRUCT, l), SCALAR(l.x), SCALAR(l.y));
}

TEST(struct_layout, obeys_alignas_of_structs_inside) {
    EXPECT_LAYOUT(AlignedInside, SCALAR(a), OTHER(STRUCT, b), SCALAR(b.x), SCALAR(c),
                  OTHER(STRUCT, d), SCALAR(d.y), SCALAR(e), OTHER(STRUCT, f), SCALAR(f.a),
                  SCALAR(f.b), SCALAR(f.c), SCALAR(f.d), SCALAR(f.e), SCALAR(f.f),
                  TRUTH("f.g", f.g, f.g[0], SCALAR, SIGN_OF(OF(f.g[0])), true), SCALAR(f.h),
                  SCALAR(f.i), OTHER(POINTER, f.j), SCALAR(f.k), OTHER(STRUCT, f.l), SCALAR(f.l.x),
                  SCALAR(f.l.y));
}

TEST(struct_layout, of_a_struct_without_fields_is_one_byte) {
    EXPECT_LAYOUT(Nothing, SCALAR(oxi_no_fields));
    EXPECT_LAYOUT(HoldsNothing, SCALAR(a), OTHER(STRUCT, b), SCALAR(b.oxi_no_fields),
                  OTHERS(STRUCT, c, [0]), SCALAR_IN("c.oxi_no_fields", c[0].oxi_no_fields),
                  SCALAR(d));
}

// What fields say about their types.

static const ox_field *find_field(const ox_layout *layout, const char *path) {
    int32_t index = ox_layout_find(layout, path);
    EXPECT(index >= 0);
    return &layout->fields[index];
}

TEST(struct_layout, names_types_as_written_without_qualifiers) {
    ox_layout inside, qualified;
    EXPECT(ox_layout_create(ox_type_of(Inline), &inside));
    EXPECT(ox_layout_create(ox_type_of(Qualified), &qualified));

    EXPECT_STR(find_field(&inside, "bare")->type_name, "struct");
    EXPECT_STR(find_field(&inside, "tagged")->type_name, "Tagged");
    EXPECT_STR(find_field(&inside, "pair.r")->type_name, "char");
    EXPECT_STR(find_field(&qualified, "d")->type_name, "unsigned long");
    EXPECT_STR(find_field(&qualified, "e")->type_name, "uint8_t");
    EXPECT_STR(find_field(&qualified, "h")->type_name, "long long");

    ox_layout_dispose(&inside);
    ox_layout_dispose(&qualified);
}

TEST(struct_layout, names_enums_and_pointers_by_what_they_are_of) {
    ox_layout enums, pointers;
    EXPECT(ox_layout_create(ox_type_of(Enums), &enums));
    EXPECT(ox_layout_create(ox_type_of(UnknownPointers), &pointers));

    EXPECT_STR(find_field(&enums, "shape")->type_name, "Shape");
    EXPECT_STR(find_field(&enums, "power")->type_name, "enum");
    EXPECT_STR(find_field(&enums, "weather")->type_name, "Weather");
    EXPECT_STR(find_field(&pointers, "hidden")->type_name, "Hidden");

    ox_layout_dispose(&enums);
    ox_layout_dispose(&pointers);
}

TEST(struct_layout, points_to_the_tables_type_of_structs_and_announced_types) {
    ox_layout web, announced;
    EXPECT(ox_layout_create(ox_type_of(Web), &web));
    EXPECT(ox_layout_create(ox_type_of(Announced), &announced));

    EXPECT_EQ(find_field(&web, "lines")->type, ox_type_find("Line"));
    EXPECT_EQ(find_field(&web, "middle")->type, ox_type_find("Point"));
    EXPECT_EQ(find_field(&web, "others")->type, NULL);
    EXPECT_EQ(find_field(&web, "lines.tag")->type, NULL);
    EXPECT_EQ(find_field(&announced, "g")->type, ox_type_find("Foreign"));
    EXPECT_EQ(find_field(&announced, "v")->type, ox_type_find("ox_float3"));

    ox_layout_dispose(&web);
    ox_layout_dispose(&announced);
}

TEST(struct_layout, shows_a_number_by_another_name_as_a_number) {
    ox_type degrees = {.name = "Degrees",
                       .size = sizeof(double),
                       .align = alignof(double),
                       .header_version = OX_VERSION,
                       .scalar = OX_SCALAR_FLOAT};
    ox_type turn = {.name = "Turn",
                    .text = "{ char c; Degrees by; }",
                    .size = 2 * sizeof(double),
                    .align = alignof(double),
                    .header_version = OX_VERSION};
    EXPECT(ox_type_register(&degrees) != NULL);

    ox_layout layout;
    EXPECT(ox_layout_create(&turn, &layout));

    EXPECT_EQ(layout.fields[1].kind, OX_FIELD_SCALAR);
    EXPECT_EQ(layout.fields[1].scalar, OX_SCALAR_FLOAT);
    EXPECT_EQ(layout.fields[1].offset, alignof(double));
    EXPECT_EQ(layout.fields[1].type, NULL);
    EXPECT_STR(layout.fields[1].type_name, "Degrees");
    ox_layout_dispose(&layout);
}
