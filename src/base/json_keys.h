// SPDX-License-Identifier: MIT
//
// Whether the names of an object that was read from JSON differ. A part of the reader.

#pragma once

#include "base/json_reader.h"

/// Memory that is used for one object after another. {0} is empty; free it with oxi_list_free.
typedef OXI_LIST(const oxi_json_node *) oxi_json_key_list;

/// Looks for two members of the same name.
/// @return NONE when all differ; DUPLICATE_KEY, or OUT_OF_MEMORY.
oxi_json_error_code oxi_json_check_keys(const oxi_json_node *object, oxi_json_key_list *scratch);
