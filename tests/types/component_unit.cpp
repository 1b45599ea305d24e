// SPDX-License-Identifier: MIT
//
// The third translation unit of test_components.c, in C++.

#include "component_shared.h"

// clang-format off
OX_COMPONENT(TwinComponent, { int a; int b; });
enum { UNIT_SLOTS = 3 };
enum : unsigned char { SMALL_SLOTS = 200 };
static constexpr long long WIDE_SLOTS = 5;
OX_CONSTANT(UNIT_SLOTS);
OX_CONSTANT(SMALL_SLOTS);
namespace inside { OX_CONSTANT(WIDE_SLOTS); }
OX_COMPONENT(CppBag, { int items[UNIT_SLOTS * WIDE_SLOTS]; char small[SMALL_SLOTS]; });
// clang-format on

unit_ids cpp_unit_ids(void) {
    unit_ids ids = {ox_component_id_of(SharedBody),    ox_component_id_of(SharedHolder),
                    ox_component_id_of(SharedTag),     ox_component_id_of(SharedPlain),
                    ox_component_id_of(TwinComponent), ox_component_id_of(SharedBag)};
    return ids;
}

uint32_t cpp_unit_bag(void) {
    return ox_component_id_of(CppBag);
}
