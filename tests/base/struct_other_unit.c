// SPDX-License-Identifier: MIT
//
// The second translation unit of test_types.c.

#include "struct_shared.h"

// clang-format off
OX_STRUCT(SplitStruct, { int number; float other; });
// clang-format on

const ox_type *other_unit_shared(void) {
    return ox_type_of(SharedStruct);
}
