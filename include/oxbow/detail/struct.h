// SPDX-License-Identifier: MIT
//
// Private: the parts of OX_STRUCT and OX_CONSTANT.

#pragma once

#include "oxbow/struct.h"

/// Links a descriptor into a list that the table reads later. Called once per descriptor, before
/// main. Allocates nothing.
OX_API void oxi_type_link(ox_type *type);

// Each compiled file has its own variable, whose address identifies the constants of the file: enum
// constants are local to a file.
OXI_UNUSED static char oxi_file_scope;
#define OXI_FILE_SCOPE (&oxi_file_scope)

// The outermost macro captures the raw text: one level deeper, marks are expanded to nothing and
// lengths of arrays to numbers, which is the expanded text.
#define OXI_STRUCT(T, raw, ...)                                                                    \
    typedef struct T __VA_ARGS__ T;                                                                \
    OXI_TYPE(T, raw, OXI_TEXT(__VA_ARGS__))

// Ends in an assertion, to consume the user's ';'.
#define OXI_TYPE(T, raw, expanded) OXI_TYPE_AS(T, raw, expanded, NULL, 0)

// clang-format off
#define OXI_TYPE_AS(T, raw, expanded, role, role_offset)                                           \
    OXI_UNUSED static ox_type oxi_type_##T = {                                                     \
        #T, raw, expanded, OX_HERE, sizeof(T), OXI_ALIGNOF(T), OX_VERSION, OX_SCALAR_NONE, role,   \
        role_offset, OXI_FILE_SCOPE, NULL};                                                        \
    OXI_AT_START(oxi_link_##T) {                                                                   \
        oxi_type_link(&oxi_type_##T);                                                              \
    }                                                                                              \
    OXI_STATIC_ASSERT(sizeof(T) > 0, "type " #T " has no size")
// clang-format on

/// Links a descriptor into a list that the table reads later. Called once per descriptor, before
/// main. Allocates nothing.
OX_API void oxi_constant_link(ox_constant *constant);

#define OXI_CONSTANT(text, constant, descriptor, link)                                             \
    OXI_UNUSED static ox_constant descriptor = {text,       OX_HERE,        (int64_t)(constant),   \
                                                OX_VERSION, OXI_FILE_SCOPE, NULL};                 \
    OXI_AT_START(link) {                                                                           \
        oxi_constant_link(&descriptor);                                                            \
    }                                                                                              \
    OXI_STATIC_ASSERT((int64_t)(constant) >= INT32_MIN && (int64_t)(constant) <= INT32_MAX,        \
                      "constant " text " does not fit into 32 bits");                              \
    OXI_STATIC_ASSERT(sizeof(text) <= 128, "the name of constant " text " is too long")
