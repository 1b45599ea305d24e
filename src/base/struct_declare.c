// SPDX-License-Identifier: MIT
//
// Reading the declarations of struct bodies: specifiers and declarators.
//
// Never a guess: whatever is not understood is a fault with its reason. Nothing here allocates or
// reports.

#include "base/struct_declare.h"

#include "base/types.h"

#include <string.h>

enum { LARGEST_ALIGNMENT = 4096 };

const char oxi_plain_advice[] =
    "write the field as `type name;` or `type name[length];`, or declare its type with "
    "OX_EXTERN_STRUCT";

static bool refuse_text(oxi_unreadable *fault, const char *why, const char *advice) {
    *fault = (oxi_unreadable){why, advice};
    return false;
}

// Specifiers.

static bool is_number_word(oxi_token token) {
    static const char *const words[] = {"signed", "unsigned", "char",  "short",
                                        "int",    "long",     "float", "double"};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        if (oxi_token_is(token, words[k])) {
            return true;
        }
    }
    return false;
}

// Counts of the words of a C number, which may stand in any order.
typedef struct number_words {
    int is_unsigned, is_signed, is_char, shorts, longs, ints, floats, doubles;
} number_words;

static void count_number_word(number_words *words, oxi_token token) {
    words->is_unsigned += oxi_token_is(token, "unsigned");
    words->is_signed += oxi_token_is(token, "signed");
    words->is_char += oxi_token_is(token, "char");
    words->shorts += oxi_token_is(token, "short");
    words->longs += oxi_token_is(token, "long");
    words->ints += oxi_token_is(token, "int");
    words->floats += oxi_token_is(token, "float");
    words->doubles += oxi_token_is(token, "double");
}

static const char *name_of_number(const number_words *words) {
    bool is_unsigned = words->is_unsigned > 0;
    if (words->floats > 0) {
        return "float";
    }
    if (words->doubles > 0) {
        return words->longs > 0 ? "long double" : "double";
    }
    if (words->is_char > 0) {
        return is_unsigned ? "unsigned char" : words->is_signed > 0 ? "signed char" : "char";
    }
    if (words->shorts > 0) {
        return is_unsigned ? "unsigned short" : "short";
    }
    if (words->longs > 1) {
        return is_unsigned ? "unsigned long long" : "long long";
    }
    if (words->longs == 1) {
        return is_unsigned ? "unsigned long" : "long";
    }
    return is_unsigned ? "unsigned int" : "int";
}

static void specify_type(oxi_specifier *specifier, const ox_type *type) {
    specifier->size = type->size;
    specifier->align = type->align;
    specifier->scalar = type->scalar;
    specifier->is_known = true;
    if (type->scalar != OX_SCALAR_NONE) {
        specifier->kind = OX_FIELD_SCALAR;
        return;
    }
    specifier->type = type;
    specifier->kind = type->text != NULL ? OX_FIELD_STRUCT : OX_FIELD_OPAQUE;
}

// Words in front of a type that change nothing in memory.
static bool is_idle_word(oxi_token token) {
    return oxi_token_is(token, "const") || oxi_token_is(token, "volatile") ||
           oxi_token_is(token, "__extension__");
}

static void specify_number(const char **cursor, oxi_specifier *specifier) {
    number_words words = {0};
    oxi_token token = oxi_token_peek(*cursor);
    while (is_number_word(token) || is_idle_word(token)) {
        count_number_word(&words, oxi_token_next(cursor));
        token = oxi_token_peek(*cursor);
    }
    const char *name = name_of_number(&words);
    specifier->name = (oxi_token){name, strlen(name)};
    specify_type(specifier, oxi_c_type_find(name, strlen(name)));
}

// Not known is fine behind a pointer.
static void specify_name(oxi_token name, oxi_specifier *specifier) {
    const ox_type *type = oxi_type_lookup(name.text, name.length);
    specifier->name = name;
    if (type != NULL) {
        specify_type(specifier, type);
    }
}

// The tag behind `struct` or `enum`, or that word itself.
static oxi_token read_tag(const char **cursor, const char *keyword, oxi_specifier *specifier) {
    specifier->has_tag = oxi_token_is_word(oxi_token_peek(*cursor));
    return specifier->has_tag ? oxi_token_next(cursor) : (oxi_token){keyword, strlen(keyword)};
}

static bool specify_enum(const char **cursor, oxi_specifier *specifier, oxi_unreadable *fault) {
    specifier->name = read_tag(cursor, "enum", specifier);
    if (oxi_token_accept(cursor, "{") && !oxi_token_skip_group(cursor)) {
        return refuse_text(fault, "its enum does not end", oxi_plain_advice);
    }
    specifier->kind = OX_FIELD_ENUM;
    specifier->scalar = OX_SCALAR_SIGNED;
    specifier->size = sizeof(int);
    specifier->align = _Alignof(int);
    specifier->is_known = true;
    return true;
}

// `struct Tag`, or a struct written in place.
static bool specify_struct(const char **cursor, oxi_specifier *specifier, oxi_unreadable *fault) {
    oxi_token tag = read_tag(cursor, "struct", specifier);
    if (!oxi_token_accept(cursor, "{")) {
        specify_name(tag, specifier);
        return true;
    }
    specifier->name = tag;
    specifier->body = *cursor;
    specifier->kind = OX_FIELD_STRUCT;
    specifier->is_known = true;
    return oxi_token_skip_group(cursor) ||
           refuse_text(fault, "the text ends before its '}'", oxi_plain_advice);
}

// A name that is not known may be the name of a type here, so it is not told to be a constant.
static bool specify_alignment(const char **cursor, oxi_constant_names *names,
                              oxi_specifier *specifier, oxi_unreadable *fault) {
    int64_t align = 0;
    if (!oxi_token_accept(cursor, "(") || !oxi_constant_read(cursor, names, &align) ||
        !oxi_token_accept(cursor, ")") || align < 0 || align > LARGEST_ALIGNMENT ||
        (align & (align - 1)) != 0) {
        if (names->second == NULL) {
            names->missing = (oxi_token){"", 0};
        }
        return refuse_text(fault, "its alignment is not a number that can be read",
                           "write the alignment as a number, or as a constant announced with "
                           "OX_CONSTANT");
    }
    if ((size_t)align > specifier->least_align) {
        specifier->least_align = (size_t)align;
    }
    return true;
}

static bool is_refused_word(oxi_token token) {
    return oxi_token_is(token, "union") || oxi_token_is(token, "_Atomic") ||
           oxi_token_is(token, "__attribute__") || oxi_token_is(token, "static") ||
           oxi_token_is(token, "_Static_assert") || oxi_token_is(token, "static_assert") ||
           oxi_token_is(token, "typedef");
}

// The word that is the type, or begins it.
static bool specify_by_word(const char **cursor, oxi_specifier *specifier, oxi_unreadable *fault) {
    oxi_token token = oxi_token_peek(*cursor);
    if (!oxi_token_is_word(token)) {
        return refuse_text(fault, "it does not begin with a type", oxi_plain_advice);
    }
    if (is_number_word(token)) {
        specify_number(cursor, specifier);
        return true;
    }
    oxi_token_next(cursor);
    if (oxi_token_is(token, "struct")) {
        return specify_struct(cursor, specifier, fault);
    }
    if (oxi_token_is(token, "enum")) {
        return specify_enum(cursor, specifier, fault);
    }
    specify_name(token, specifier);
    return true;
}

bool oxi_specifier_read(const char **cursor, oxi_constant_names *names, oxi_specifier *specifier,
                        oxi_unreadable *fault) {
    *specifier = (oxi_specifier){.align = 1};
    bool has_type = false, ok = true;
    while (ok) {
        oxi_token token = oxi_token_peek(*cursor);
        uint32_t mark = oxi_token_mark(token);
        if (is_refused_word(token)) {
            return refuse_text(fault, "unions, atomics, attributes and static members are not read",
                               "put it into a struct of its own and declare that with "
                               "OX_EXTERN_STRUCT");
        }
        if (mark != 0 || is_idle_word(token)) {
            specifier->marks |= mark;
            oxi_token_next(cursor);
        } else if (oxi_token_is(token, "_Alignas") || oxi_token_is(token, "alignas")) {
            oxi_token_next(cursor);
            ok = specify_alignment(cursor, names, specifier, fault);
        } else if (has_type) {
            return true;
        } else {
            has_type = true;
            ok = specify_by_word(cursor, specifier, fault);
        }
    }
    return false;
}

// Declarators.

static bool read_lengths(const char **cursor, oxi_constant_names *names, oxi_declarator *declarator,
                         oxi_unreadable *fault) {
    while (oxi_token_accept(cursor, "[")) {
        int64_t length = 0;
        if (!oxi_constant_read(cursor, names, &length) || length <= 0 ||
            !oxi_token_accept(cursor, "]") || declarator->count > UINT32_MAX / (uint64_t)length) {
            return refuse_text(fault,
                               "the length of its array is not a positive number that can be read",
                               "write the length as a number, a macro or a constant announced with "
                               "OX_CONSTANT");
        }
        declarator->count *= (uint64_t)length;
        declarator->is_array = true;
    }
    return true;
}

static void skip_pointer_signs(const char **cursor, oxi_declarator *declarator) {
    for (;;) {
        oxi_token token = oxi_token_peek(*cursor);
        bool is_qualifier = oxi_token_is(token, "const") || oxi_token_is(token, "volatile") ||
                            oxi_token_is(token, "restrict") || oxi_token_is(token, "__restrict");
        if (!oxi_token_is(token, "*") && !is_qualifier) {
            return;
        }
        declarator->is_pointer = declarator->is_pointer || !is_qualifier;
        oxi_token_next(cursor);
    }
}

// `(*name)(...)`, `(*name[3])(...)` or `(*name)[3]`, behind the '('.
static bool read_inner_pointer(const char **cursor, oxi_constant_names *names,
                               oxi_declarator *declarator, oxi_unreadable *fault) {
    static const char why[] = "its brackets are not those of a pointer to a function or an array";
    declarator->is_pointer = false;
    skip_pointer_signs(cursor, declarator);
    declarator->name = oxi_token_next(cursor);
    if (!declarator->is_pointer || !oxi_token_is_word(declarator->name)) {
        return refuse_text(fault, why, oxi_plain_advice);
    }
    if (!read_lengths(cursor, names, declarator, fault)) {
        return false;
    }
    if (!oxi_token_accept(cursor, ")")) {
        return refuse_text(fault, why, oxi_plain_advice);
    }
    while (oxi_token_accept(cursor, "(") || oxi_token_accept(cursor, "[")) {
        if (!oxi_token_skip_group(cursor)) {
            return refuse_text(fault, why, oxi_plain_advice);
        }
    }
    return true;
}

bool oxi_declarator_read(const char **cursor, oxi_constant_names *names, oxi_declarator *declarator,
                         oxi_unreadable *fault) {
    *declarator = (oxi_declarator){.count = 1};
    skip_pointer_signs(cursor, declarator);
    if (oxi_token_accept(cursor, "(")) {
        return read_inner_pointer(cursor, names, declarator, fault);
    }
    declarator->name = oxi_token_next(cursor);
    if (!oxi_token_is_word(declarator->name)) {
        return refuse_text(fault, "it has no name", oxi_plain_advice);
    }
    if (oxi_token_is(oxi_token_peek(*cursor), ":")) {
        return refuse_text(fault, "bit-fields are not read", "use a whole integer and masks");
    }
    return read_lengths(cursor, names, declarator, fault);
}
