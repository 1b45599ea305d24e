// SPDX-License-Identifier: MIT
//
// Writing random struct texts, and laying them out.

#include "struct_generator.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST_IN_PLACE = 2 };

static uint32_t below(model *m, uint32_t limit) {
    return (uint32_t)oxi_random_below(&m->random, limit);
}

static bool one_in(model *m, uint32_t chance) {
    return below(m, chance) == 0;
}

// Texts. Tokens are written with something between them.

static void put_text(model *m, const char *text) {
    m->raw_length += (size_t)snprintf(m->raw + m->raw_length, 256, "%s", text);
    m->expanded_length += (size_t)snprintf(m->expanded + m->expanded_length, 256, "%s", text);
}

static void put_gap(model *m) {
    static const char *const gaps[] = {" ", " ", " ", "  ", "\n", "\t", " /* ; } */ ", " // {\n"};
    put_text(m, gaps[below(m, sizeof gaps / sizeof gaps[0])]);
}

static void put_both(model *m, const char *text) {
    put_text(m, text);
    if (one_in(m, 4)) {
        put_gap(m);
    }
}

static void put_word(model *m, const char *word) {
    put_text(m, word);
    put_gap(m);
}

static void put_raw_only(model *m, const char *text) {
    m->raw_length += (size_t)snprintf(m->raw + m->raw_length, 256, "%s ", text);
    if (!m->has_expanded) {
        m->expanded_length += (size_t)snprintf(m->expanded + m->expanded_length, 256, "%s ", text);
    }
}

static uint32_t put_marks(model *m) {
    static const char *const names[] = {"OX_READ_ONLY", "OX_UNRESTRICTED", "OX_NO_SAFETY",
                                        "OX_UNOWNED"};
    uint32_t marks = 0;
    while (one_in(m, 4)) {
        uint32_t which = below(m, 4);
        put_raw_only(m, names[which]);
        marks |= 1u << which;
    }
    return marks;
}

// A constant expression of this value.
static void put_value(model *m, uint32_t value, int depth) {
    char text[64];
    uint32_t part = below(m, value + 1);
    switch (below(m, depth > 0 ? 11 : 5)) {
    case 0:
        snprintf(text, sizeof text, "0x%x%s", value, one_in(m, 2) ? "u" : "");
        break;
    case 1:
        snprintf(text, sizeof text, "0%o", value);
        break;
    case 4:
        snprintf(text, sizeof text, value < MODEL_CONSTANTS ? "K%u" : "%u", value);
        break;
    case 9:
        snprintf(text, sizeof text, "K%u + %u - (K%u - K0)", part, value, part);
        break;
    case 10:
        put_both(m, "(");
        put_value(m, value, depth - 1);
        put_both(m, ")");
        return;
    case 5:
        put_value(m, part, 0);
        put_both(m, "+");
        put_value(m, value - part, 0);
        return;
    case 6:
        put_value(m, value, 0);
        put_both(m, "* (sizeof(int16_t)) /");
        put_both(m, "2");
        return;
    case 7:
        snprintf(text, sizeof text, "(%u << 3 >> 3)", value);
        break;
    case 8:
        snprintf(text, sizeof text, "- - %u - 7 %% 7", value);
        break;
    default:
        snprintf(text, sizeof text, "%u", value);
        break;
    }
    put_both(m, text);
}

// The length of an array: a macro in the raw text, sometimes.
static uint32_t put_length(model *m) {
    uint32_t length = 1 + below(m, 6);
    put_both(m, "[");
    if (m->has_expanded && one_in(m, 3)) {
        char digits[16];
        snprintf(digits, sizeof digits, "%u", length);
        m->raw_length += (size_t)snprintf(m->raw + m->raw_length, 16, "LENGTH(%s)", digits);
        m->expanded_length += (size_t)snprintf(m->expanded + m->expanded_length, 16, "%s", digits);
    } else {
        put_value(m, length, 2);
    }
    put_both(m, "]");
    return length;
}

// Types. Each fills size, align, kind, scalar and inside.

typedef struct model_number {
    const char *words; // in one of many orders
    size_t size;
    size_t align;
    ox_scalar scalar;
} model_number;

#define NUMBER(words, T, scalar)                                                                   \
    { words, sizeof(T), _Alignof(T), OX_SCALAR_##scalar }
static const model_number numbers[] = {
    NUMBER("char", int8_t, NONE),
    NUMBER("signed char", signed char, SIGNED),
    NUMBER("char unsigned", unsigned char, UNSIGNED),
    NUMBER("short", short, SIGNED),
    NUMBER("int short", short, SIGNED),
    NUMBER("short unsigned int", unsigned short, UNSIGNED),
    NUMBER("int", int, SIGNED),
    NUMBER("signed", int, SIGNED),
    NUMBER("unsigned", unsigned, UNSIGNED),
    NUMBER("int const unsigned", unsigned, UNSIGNED),
    NUMBER("long", long, SIGNED),
    NUMBER("int long unsigned", unsigned long, UNSIGNED),
    NUMBER("long signed long", long long, SIGNED),
    NUMBER("long unsigned int long", unsigned long long, UNSIGNED),
    NUMBER("float", float, FLOAT),
    NUMBER("double", double, FLOAT),
    NUMBER("double long", long double, FLOAT),
    NUMBER("bool", bool, BOOL),
    NUMBER("_Bool", bool, BOOL),
    NUMBER("uint8_t", uint8_t, UNSIGNED),
    NUMBER("int16_t", int16_t, SIGNED),
    NUMBER("uint32_t", uint32_t, UNSIGNED),
    NUMBER("int64_t", int64_t, SIGNED),
    NUMBER("uint_fast16_t", uint_fast16_t, UNSIGNED),
    NUMBER("int_least32_t", int_least32_t, SIGNED),
    NUMBER("ptrdiff_t", ptrdiff_t, SIGNED),
    NUMBER("size_t", size_t, UNSIGNED),
};

static void write_number(model *m, model_field *field) {
    const model_number *number = &numbers[below(m, sizeof numbers / sizeof numbers[0])];
    bool is_char = number->scalar == OX_SCALAR_NONE;
    field->kind = OX_FIELD_SCALAR;
    field->size = number->size;
    field->align = number->align;
    field->scalar = !is_char       ? number->scalar
                    : (char)-1 < 0 ? OX_SCALAR_SIGNED
                                   : OX_SCALAR_UNSIGNED;
    put_word(m, number->words);
}

static void write_enum(model *m, model_field *field) {
    static const char *const enums[] = {"enum Tag", "enum { A, B = 3, C }",
                                        "enum Tag2 { D = (1 << 2), E }", "const enum Tag"};
    field->kind = OX_FIELD_ENUM;
    field->scalar = OX_SCALAR_SIGNED;
    field->size = sizeof(int);
    field->align = _Alignof(int);
    put_word(m, enums[below(m, 4)]);
}

static void use_struct(model *m, model_field *field, int index) {
    field->kind = OX_FIELD_STRUCT;
    field->inside = index;
    field->size = m->structs[index].size;
    field->align = m->structs[index].align;
}

static int write_body(model *m, int depth);

static void write_type(model *m, model_field *field, int depth) {
    uint32_t choice = below(m, 12);
    if (choice < 2 && depth < DEEPEST_IN_PLACE && m->raw_length < MODEL_TEXT / 2) {
        put_word(m, "struct");
        if (one_in(m, 3)) {
            put_word(m, "InPlace");
            field->name[0] = '!'; // has a tag, so it needs a name
        }
        use_struct(m, field, write_body(m, depth + 1));
    } else if (choice == 3 && m->type_count > 0) {
        int which = (int)below(m, (uint32_t)m->type_count);
        char name[16];
        snprintf(name, sizeof name, "%sG%d", one_in(m, 2) ? "struct " : "", which);
        use_struct(m, field, m->types[which]);
        put_word(m, name);
    } else if (choice == 4) {
        write_enum(m, field);
    } else {
        write_number(m, field);
    }
}

// Declarators.

static void make_pointer(model_field *field) {
    field->kind = OX_FIELD_POINTER;
    field->scalar = OX_SCALAR_NONE;
    field->inside = -1;
    field->size = sizeof(void *);
    field->align = _Alignof(void *);
}

static void write_lengths(model *m, model_field *field) {
    while (field->count < 40 && one_in(m, 3)) {
        field->count *= put_length(m);
        field->is_array = true;
    }
}

// A pointer with brackets: to a function, or to an array.
static void write_bracketed(model *m, model_field *field) {
    static const char *const behind[] = {"(void)", "(int a, struct { char c; } *b)", "[4]",
                                         "[2][sizeof(Unknown)]", "(int (*f)(void), char list[])"};
    make_pointer(field);
    put_both(m, "(");
    put_both(m, one_in(m, 3) ? "*const " : "*");
    put_both(m, field->name);
    write_lengths(m, field);
    put_both(m, ")");
    put_both(m, behind[below(m, 5)]);
}

static void write_declarator(model *m, model_field *field) {
    static const char *const stars[] = {"*", "**", "*const ", "* volatile *restrict "};
    snprintf(field->name, sizeof field->name, "f%d", m->name_count++);
    if (one_in(m, 12)) {
        write_bracketed(m, field);
        return;
    }
    if (one_in(m, 5)) {
        make_pointer(field);
        put_both(m, stars[below(m, 4)]);
    }
    put_both(m, field->name);
    write_lengths(m, field);
}

// Layout: one byte after the other.

static void lay_out(model_struct *s, model_field *field, size_t least_align) {
    if (least_align > field->align) {
        field->align = least_align;
    }
    while (s->size % field->align != 0) {
        s->size++;
    }
    field->offset = s->size;
    for (uint32_t k = 0; k < field->count; k++) {
        s->size += field->size;
    }
    while (s->align < field->align) {
        s->align *= 2;
    }
    s->fields[s->field_count++] = *field;
}

static size_t write_alignment(model *m) {
    if (!one_in(m, 10)) {
        return 1;
    }
    size_t align = (size_t)1 << below(m, 7);
    put_both(m, one_in(m, 2) ? "alignas(" : "_Alignas(");
    put_value(m, (uint32_t)align, 1);
    put_word(m, ")");
    return align;
}

static void write_declaration(model *m, int index, int depth) {
    model_field base = {.count = 1, .inside = -1, .marks = put_marks(m)};
    size_t least_align = write_alignment(m);
    if (one_in(m, 6)) {
        put_word(m, "const");
    }
    base.marks |= put_marks(m);
    write_type(m, &base, depth);
    base.marks |= one_in(m, 6) ? put_marks(m) : 0;
    model_struct *s = &m->structs[index];
    if (base.inside >= 0 && base.name[0] == 0 && base.inside > index && one_in(m, 4)) {
        lay_out(s, &base, least_align); // anonymous
    } else {
        do {
            model_field field = base;
            write_declarator(m, &field);
            lay_out(s, &field, least_align);
        } while (s->field_count < MODEL_FIELDS && one_in(m, 3) && (put_both(m, ","), true));
    }
    put_both(m, ";");
}

static int write_body(model *m, int depth) {
    int index = m->struct_count++;
    model_struct *s = &m->structs[index];
    *s = (model_struct){.align = 1};
    put_both(m, "{");
    for (uint32_t k = 1 + below(m, 6); k > 0 && s->field_count < MODEL_FIELDS; k--) {
        write_declaration(m, index, depth);
    }
    m->expanded_end = m->expanded_length;
    put_both(m, "}");
    while (s->size % s->align != 0) {
        s->size++;
    }
    return index;
}

void model_announce_constants(const model *m, bool elsewhere) {
    const void *const scopes[] = {m, &m->structs, NULL};
    for (uint32_t k = 0; k < MODEL_CONSTANTS * 3; k += elsewhere ? 1 : 3) {
        char name[16];
        snprintf(name, sizeof name, "K%u", k / 3);
        ox_constant constant = {.name = name,
                                .site = "model.c:2",
                                .value = k / 3 + k % 3,
                                .header_version = OX_VERSION,
                                .scope = scopes[k % 3]};
        ox_constant_register(&constant);
    }
}

int model_write_struct(model *m, bool has_expanded) {
    m->raw_length = m->expanded_length = 0;
    m->has_expanded = has_expanded;
    return write_body(m, 0);
}

ox_type model_type(const model *m, const char *name, int index) {
    return (ox_type){.name = name,
                     .text = m->raw,
                     .expanded = m->has_expanded ? m->expanded : NULL,
                     .site = "model.c:1",
                     .size = m->structs[index].size,
                     .align = m->structs[index].align,
                     .header_version = OX_VERSION,
                     .scope = m};
}
