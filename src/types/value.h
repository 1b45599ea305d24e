// SPDX-License-Identifier: MIT
//
// Values of components as upper rooms treat them: by the bytes that are value, whatever stands in
// the padding.
//
// Numbers are compared and hashed by their bits: 0 and -0 differ, and a NaN is equal to itself. So
// equal values have equal hashes, and two worlds with one hash do the same from here on.
//
// Values need no alignment here but that of their type. One thread at a time may write a value.

#pragma once

#include "oxbow/components.h"

/// True when all value bytes agree. Padding and OX_UNOWNED pointers do not count.
bool oxi_value_equal(const ox_component_info *info, const void *a, const void *b);

/// The hash of the value bytes: the same in every run, and for every padding. That of a tag is the
/// seed.
uint64_t oxi_value_hash(const ox_component_info *info, const void *value, uint64_t seed);

/// Sets `count` values that follow each other to zero, padding included.
void oxi_value_zero(const ox_component_info *info, void *values, size_t count);

/// Copies `count` values, padding and pointers included. They must not overlap.
void oxi_value_copy(const ox_component_info *info, void *to, const void *from, size_t count);

/// What an entity becomes.
typedef ox_entity oxi_entity_remap_fn(ox_entity entity, void *context);

/// Replaces each entity in `count` values that follow each other, null ones too, by what `remap`
/// says: value by value, in the order of memory.
void oxi_value_remap(const ox_component_info *info, void *values, size_t count,
                     oxi_entity_remap_fn *remap, void *context);
