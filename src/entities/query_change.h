// SPDX-License-Identifier: MIT
//
// What a query matches, as the units see it that change it.

#pragma once

#include "entities/entity_arrays.h"
#include "entities/query.h"

/// Which of the archetypes that match are meant.
typedef bool oxi_meant_fn(const ox_world *world, const oxi_archetype *archetype,
                          uint32_t component);

/// Completes all jobs and lists what is meant, before it is changed: the query may stop matching
/// meanwhile. Whole chunks where all rows match, entities where only some do. @return false after a
/// report.
bool oxi_query_collect(ox_query *query, oxi_meant_fn *is_meant, uint32_t component, oxi_plan *plan,
                       ox_site site);
