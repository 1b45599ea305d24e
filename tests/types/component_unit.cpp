// SPDX-License-Identifier: MIT
//
// The third translation unit of test_components.c, in C++.

#include "component_shared.h"

// clang-format off
OX_COMPONENT(TwinComponent, { int a; int b; });
// clang-format on

unit_ids cpp_unit_ids(void) {
    unit_ids ids = {ox_component_id_of(SharedBody), ox_component_id_of(SharedHolder),
                    ox_component_id_of(SharedTag), ox_component_id_of(SharedPlain),
                    ox_component_id_of(TwinComponent)};
    return ids;
}
