// SPDX-License-Identifier: MIT
//
// Fields of a component by name and by path.

#pragma once

#include "oxbow/fields.h"

/// The field called `name` among the fields from `first` up to `end` that lie in one struct. Those
/// of anonymous structs count. @return its index, or -1.
int32_t oxi_field_member(const ox_layout *layout, uint32_t first, uint32_t end, const char *name,
                         size_t length);

/// Finds a field of a component that is known. @return false after a report, with `place` zeroed.
bool oxi_field_locate(const ox_component_info *info, const char *path, ox_field_location *place,
                      ox_site site);
