// SPDX-License-Identifier: MIT
//
// The registry of components, for the rooms.

#pragma once

#include "oxbow/components.h"

/// Takes in the types that were linked, and ox_entity. @return false after a report.
bool oxi_components_update_types(ox_site site);

/// Takes in the components that were linked since the last look. Those that cannot be are reported,
/// each declaration once, and not that of `wanted`, which may be NULL: its user reports it.
/// @return false after a report that memory is out.
bool oxi_components_update(const ox_component *wanted, ox_site site);

/// The id of a component, added if it is not there. Everything is copied. @return 0 after a report.
uint32_t oxi_component_add(const ox_component *component, ox_site site);

/// What is known of a component; an id that was not given out is reported.
/// @return NULL after a report.
const ox_component_info *oxi_component_require(uint32_t id, const char *function, ox_site site);

/// For tests: empties the registry and the table of types, what waits for them included. Ids that
/// descriptors have cached stay there: set their `oxi_id` to 0, and link them again.
void oxi_components_reset(void);
