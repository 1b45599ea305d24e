// SPDX-License-Identifier: MIT
//
// Private: what OX_STRUCT is made of.

#pragma once

#include "oxbow/struct.h"

// How OX_STRUCT is made. The raw text is taken by the outermost macro: one level deeper, marks are
// already gone and the lengths of arrays are already numbers, which is the expanded text.
#define OXI_STRUCT(T, raw, ...)                                                                    \
    typedef struct T __VA_ARGS__ T;                                                                \
    OXI_TYPE(T, raw, OXI_TEXT(__VA_ARGS__))

// Ends in an assertion to take the user's ';'.
#define OXI_TYPE(T, raw, expanded) OXI_TYPE_AS(T, raw, expanded, NULL, 0)

#define OXI_TYPE_AS(T, raw, expanded, role, role_offset)                                           \
    OXI_UNUSED static ox_type oxi_type_##T = {#T,         raw,                                     \
                                              expanded,   OX_HERE,                                 \
                                              sizeof(T),  OXI_ALIGNOF(T),                          \
                                              OX_VERSION, OX_SCALAR_NONE,                          \
                                              role,       role_offset,                             \
                                              NULL};                                               \
    OXI_AT_START(oxi_link_##T) {                                                                   \
        oxi_type_link(&oxi_type_##T);                                                              \
    }                                                                                              \
    OXI_STATIC_ASSERT(sizeof(T) > 0, "type " #T " has no size")
