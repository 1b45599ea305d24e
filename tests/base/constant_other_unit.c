// SPDX-License-Identifier: MIT
//
// The second translation unit of test_constants.c.

#include "constant_shared.h"

// clang-format off
enum { LOCAL_SLOTS = 5, PRIVATE_SLOTS = 9, SPLIT_SLOTS = 2 };
OX_CONSTANT(HEADER_SLOTS);
OX_CONSTANT(LOCAL_SLOTS);
OX_CONSTANT(SPLIT_SLOTS);
OX_STRUCT(OtherLocalBag, { int items[LOCAL_SLOTS]; });
OX_STRUCT(OtherUnknownBag, { char items[PRIVATE_SLOTS]; int count; });
// Of the same text and size as in the first unit.
OX_STRUCT(SplitBag, { char items[SPLIT_SLOTS]; int count; });
// clang-format on

const ox_type *other_local_bag(void) {
    return ox_type_of(OtherLocalBag);
}

const ox_type *other_unknown_bag(void) {
    return ox_type_of(OtherUnknownBag);
}

const ox_type *other_split_bag(void) {
    return ox_type_of(SplitBag);
}
