// SPDX-License-Identifier: MIT
//
// What shared components do with their values.

#pragma once

#include "oxbow/components.h"

/// The hash of a shared value, as its component says.
uint64_t oxi_shared_hash(const ox_component_info *info, const void *value);

/// The hash of what a shared value holds, the same in every run unless its component's own hash is
/// not: for hashes of worlds.
uint64_t oxi_shared_content_hash(const ox_component_info *info, const void *value);

/// True when a component has calls of the user's.
bool oxi_shared_has_calls(const ox_component_info *info);

/// True when two values count as one.
bool oxi_shared_equal(const ox_component_info *info, const void *a, const void *b);

/// Makes a stored value own its contents. @return false when out of memory.
bool oxi_shared_own(const ox_component_info *info, void *stored);

/// True when the component has a say when its values are stored: then what is stored is a copy.
bool oxi_shared_copies(const ox_component_info *info);

/// What a stored value has to be released with, or NULL.
typedef void oxi_shared_drop_fn(void *stored);
oxi_shared_drop_fn *oxi_shared_drop_of(const ox_component_info *info);

/// For the registry: forgets all.
void oxi_shared_calls_reset(void);
