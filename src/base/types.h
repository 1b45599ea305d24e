// SPDX-License-Identifier: MIT
//
// The table of named types, for the rooms.

#pragma once

#include "oxbow/struct.h"

/// Takes in the types that were linked since the last look. @return false when out of memory, after
/// a report.
bool oxi_types_update(ox_site site);

/// A type by a name that need not end with a 0, C's own included, or NULL. Sees what was taken in
/// or registered.
const ox_type *oxi_type_lookup(const char *name, size_t length);

/// A type that is always known by its name, or NULL: "int", "unsigned char", "uint8_t", "bool",
/// "ox_float3".
const ox_type *oxi_c_type_find(const char *name, size_t length);

/// True when C has a scalar of this kind, which may be none, and size.
bool oxi_c_scalar_exists(ox_scalar scalar, size_t size);

/// For tests: empties the table, what waits for it included. Descriptors that were linked before
/// have to be linked again.
void oxi_types_reset(void);
