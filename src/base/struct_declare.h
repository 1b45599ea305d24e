// SPDX-License-Identifier: MIT
//
// The two halves of a declaration in a struct text: the type in front, and each name behind it.

#pragma once

#include "base/struct_text.h"

/// The type in front of a list of declarators.
typedef struct oxi_specifier {
    oxi_token name;
    const ox_type
        *type;        ///< of the table; NULL when not known, and for what the table does not hold
    const char *body; ///< of a struct written in place, behind its '{': to be measured, else NULL
    size_t size;
    size_t align;
    size_t least_align; ///< of alignas
    uint32_t marks;
    ox_field_kind kind;
    ox_scalar scalar;
    bool is_known; ///< false: only a pointer to it can be laid out
    bool has_tag;
} oxi_specifier;

/// One name behind the type: `*name[3]`, `(*name)(int)`.
typedef struct oxi_declarator {
    oxi_token name;
    uint64_t count; ///< at most UINT32_MAX
    bool is_pointer;
    bool is_array;
} oxi_declarator;

/// Why a declaration cannot be read, and what to write instead.
typedef struct oxi_unreadable {
    const char *why;
    const char *advice;
} oxi_unreadable;

/// What to write instead when nothing better is known.
extern const char oxi_plain_advice[];

/// Reads the type in front. A struct written in place is passed over.
/// @return false when it cannot be read, with `fault` filled.
bool oxi_specifier_read(const char **cursor, oxi_constant_names *names, oxi_specifier *specifier,
                        oxi_unreadable *fault);

/// Reads one name with its stars, brackets and lengths.
/// @return false when it cannot be read, with `fault` filled, and `names->missing` when a length is
/// the name of no constant.
bool oxi_declarator_read(const char **cursor, oxi_constant_names *names, oxi_declarator *declarator,
                         oxi_unreadable *fault);
