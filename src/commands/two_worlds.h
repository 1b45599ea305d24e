// SPDX-License-Identifier: MIT
//
// Calls that take two worlds: what they require.

#pragma once

#include "entities/world.h"

/// True for two different worlds that are both this thread's; else reports.
bool oxi_two_worlds_require(const ox_world *to, const ox_world *from, const char *function,
                            ox_site site);

/// While a change of one is planned from what the other has: a call of a shared component's closes
/// the two. Nothing is reported meanwhile.
void oxi_two_worlds_pair(ox_world *to, ox_world *from);

/// After that.
void oxi_two_worlds_part(ox_world *to, ox_world *from);

/// Reports that both worlds would have a value which owns something and cannot be copied. @return
/// false.
bool oxi_report_shared_owned(const ox_world *to, const ox_world *from, uint32_t component,
                             ox_site site);
