// SPDX-License-Identifier: MIT
//
// One element of a field, as a tagged value.

#pragma once

#include "oxbow/fields.h"

/// Reads one element at `from`, which needs no alignment.
ox_field_value oxi_field_load(const ox_field *field, const void *from);

/// Writes one element to `to`, which needs no alignment; NULL only looks whether it would fit.
/// Padding of the element stays as it is.
/// @return NULL, or why it does not fit: then nothing is written.
const char *oxi_field_store(const ox_field *field, void *to, const ox_field_value *in);
