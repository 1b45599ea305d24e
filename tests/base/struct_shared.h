// SPDX-License-Identifier: MIT
//
// Structs that two translation units of one test declare.

#pragma once

#include "oxbow/struct.h"

// clang-format off
#define SHARED_COUNT 3
OX_STRUCT(SharedStruct, { OX_READ_ONLY int values[SHARED_COUNT]; bool is_set; });
OX_EXTERN_STRUCT(ox_site);
// clang-format on

/// The descriptor of the other unit.
const ox_type *other_unit_shared(void);
