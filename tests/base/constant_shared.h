// SPDX-License-Identifier: MIT
//
// Constants and structs that two translation units of one test share.

#pragma once

#include "oxbow/struct.h"

// clang-format off
enum { SHARED_SLOTS = 3, HEADER_SLOTS = 6 };
OX_CONSTANT(SHARED_SLOTS);
OX_STRUCT(SharedBag, { short items[SHARED_SLOTS]; });
// Each unit has this struct, and only the other one announces its constant.
OX_STRUCT(HeaderBag, { char items[HEADER_SLOTS]; int count; });
// clang-format on

/// Descriptors of the other unit.
const ox_type *other_local_bag(void);
const ox_type *other_unknown_bag(void);
const ox_type *other_split_bag(void);
