// SPDX-License-Identifier: MIT
//
// Components that three translation units of one program declare, one of them in C++.

#pragma once

#include "oxbow/components.h"

#define SHARED_COUNT 3

enum { SHARED_SLOTS = 6 };

typedef struct SharedPlain {
    int number;
    char letter;
} SharedPlain;

// clang-format off
OX_COMPONENT(SharedBody, {
    OX_UNOWNED void *user;
    bool is_set;
    float values[SHARED_COUNT];
    ox_entity target;
});
OX_COMPONENT(SharedHolder, { SharedPlain plain; SharedBody bodies[2]; });
OX_TAG(SharedTag);
OX_CONSTANT(SHARED_SLOTS);
OX_COMPONENT(SharedBag, { short items[SHARED_SLOTS + 1]; });
OX_EXTERN_COMPONENT(SharedPlain);
// clang-format on

/// What another unit says.
typedef struct unit_ids {
    uint32_t body;
    uint32_t holder;
    uint32_t tag;
    uint32_t plain;
    uint32_t twin;
    uint32_t bag;
} unit_ids;

OX_API unit_ids other_unit_ids(void);
OX_API unit_ids cpp_unit_ids(void);

/// A component of the other unit alone, whose length has another value in this one.
OX_API uint32_t cpp_unit_bag(void);

/// The component that the other unit declares with another body, or as another kind.
OX_API ox_component *other_unit_split(void);
OX_API ox_component *other_unit_kind(void);
OX_API ox_component *other_unit_length(void);
