// SPDX-License-Identifier: MIT
//
// What the units of maps share.

#pragma once

#include "base/platform.h"
#include "containers/segments.h"
#include "containers/table.h"
#include "oxbow/map.h"

/// A map in memory.
typedef struct oxi_map_state {
    _Alignas(64) oxi_table table; ///< first: handles point here; one cache line
    oxi_table_rules rules;
    oxi_table_functions functions;
    ox_access access;       ///< as created, for the names in reports
    oxi_mutex lock;         ///< of settling
    oxi_segments *segments; ///< what jobs write; NULL until a writer is made
} oxi_map_state;

static inline oxi_map_state *oxi_map_state_of(oxi_table *table) {
    return (oxi_map_state *)table;
}

static inline oxi_atomic_u32 *oxi_table_special_word(oxi_table *table) {
    return (oxi_atomic_u32 *)&table->special;
}

/// Takes over what jobs wrote, if anything is pending. Asks nothing.
/// @return false after a report, with all pending.
bool oxi_map_settle(oxi_table *table, ox_site site);

/// True when the key of a map or multimap has bytes without a defined value, as far as its type is
/// known to Oxbow. `failed` becomes true after a report: out of memory.
bool oxi_key_has_padding(ox_element_info key, bool *failed, ox_site site);

/// True when a def has both functions or neither; else reports.
bool oxi_key_require_functions(const ox_map_def *def, const char *name, ox_site site);

/// True when these may be the types of a map or multimap with such functions; else reports.
bool oxi_map_require_types(const oxi_map_type_pair *types, bool has_functions, const char *kind,
                           ox_site site);

/// True when a call names the shape that a container was made with; else reports.
bool oxi_map_require_shape(const oxi_slot_shape *stored, const oxi_slot_shape *asked,
                           ox_access access, const char *kind, ox_site site);

/// A new array with what lies at `offset` in each slot: keys or values.
ox_array oxi_table_copy(const oxi_table *table, const oxi_table_rules *rules, ox_array array,
                        uint32_t offset);
