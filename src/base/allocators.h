// SPDX-License-Identifier: MIT
//
// Allocators that users made.

#pragma once

#include "base/heap.h"

/// The functions of a user's allocator, or NULL when it does not exist.
const oxi_hooks *oxi_allocator_find(ox_allocator allocator);

/// True for an allocator that exists, of the library or a user; else reports.
bool oxi_allocator_require(ox_allocator allocator, ox_site site);

/// What reports call an allocator: "OX_TEMP", or its own name.
const char *oxi_allocator_name(ox_allocator allocator);
