// SPDX-License-Identifier: MIT
//
// Allocators that users made.

#pragma once

#include "base/heap.h"

/// The functions of a user's allocator, or NULL when it does not exist.
const oxi_hooks *oxi_allocator_find(ox_allocator allocator);

/// What reports call an allocator: "OX_TEMP", or its own name.
const char *oxi_allocator_name(ox_allocator allocator);
