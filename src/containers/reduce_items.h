// SPDX-License-Identifier: MIT
//
// What reductions share.

#pragma once

#include "oxbow/array.h"

/// Elements of a block unless the user says otherwise. Sums of numbers are exact for this size: it
/// is part of the result.
enum { OXI_REDUCE_BLOCK = 1024 };
