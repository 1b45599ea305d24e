// SPDX-License-Identifier: MIT
//
// Calls that take two worlds: what they require.

#pragma once

#include "entities/world.h"

/// True for two different worlds that are both this thread's; else reports.
bool oxi_two_worlds_require(const ox_world *to, const ox_world *from, const char *function,
                            ox_site site);

/// Reports that both worlds would have a value which owns something and cannot be copied. @return
/// false.
bool oxi_report_shared_owned(const ox_world *to, const ox_world *from, uint32_t component,
                             ox_site site);
