// SPDX-License-Identifier: MIT
//
// The table of announced constants, for the scanner.

#pragma once

#include "base/struct_text.h"

/// Takes in the constants that were linked since the last look. @return false when out of memory,
/// after a report.
bool oxi_constants_update(ox_site site);

/// How many constants the table holds. Later ones get higher numbers, so that a scan can leave out
/// what was added after it began.
uint32_t oxi_constant_count(void);

/// Finds the value of `name` among the announcements that `names` may see. Fills `names->missing`
/// when there is none, and `names->first` and `second` when two of them differ.
/// @return false when there is no value or more than one.
bool oxi_constant_find(oxi_constant_names *names, oxi_token name, int64_t *value);

/// True when every name in the array lengths of a struct text has a value in `scope`. May be false
/// for a text that can be read, since it does not know types from constants.
bool oxi_constants_cover(const char *text, const void *scope);

/// False when a name in the array lengths of a struct text has different values in two scopes.
bool oxi_constants_agree(const char *text, const void *scope, const void *other_scope);

/// For tests: empties the table, what waits for it included.
void oxi_constants_reset(void);
