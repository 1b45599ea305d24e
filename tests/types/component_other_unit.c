// SPDX-License-Identifier: MIT
//
// The second translation unit of test_components.c.

#include "component_shared.h"

// clang-format off
OX_COMPONENT(TwinComponent, { int a; /* the same as elsewhere */ int b; });
OX_COMPONENT(SplitComponent, { int number; });
OX_COMPONENT(KindComponent, { int number; });
enum { SPLIT_SLOTS = 2 };
OX_CONSTANT(SPLIT_SLOTS);
OX_COMPONENT(LengthComponent, { char items[SPLIT_SLOTS]; int count; });
// clang-format on

unit_ids other_unit_ids(void) {
    return (unit_ids){ox_component_id_of(SharedBody),    ox_component_id_of(SharedHolder),
                      ox_component_id_of(SharedTag),     ox_component_id_of(SharedPlain),
                      ox_component_id_of(TwinComponent), ox_component_id_of(SharedBag)};
}

ox_component *other_unit_split(void) {
    return ox_component_of(SplitComponent);
}

ox_component *other_unit_kind(void) {
    return ox_component_of(KindComponent);
}

ox_component *other_unit_length(void) {
    return ox_component_of(LengthComponent);
}
