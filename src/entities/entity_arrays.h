// SPDX-License-Identifier: MIT
//
// Entities that change together, as the units that change them see it: all or none.

#pragma once

#include "entities/world.h"
#include "storage/plan.h"

/// True for a count from 0 on of entities that are all alive; else reports, with the index in the
/// array of the first that is not.
bool oxi_entities_require(const ox_world *world, const ox_entity *entities, int64_t count,
                          const char *function, ox_site site);

/// True when no entity is in the array twice; else reports. All are alive, and jobs are complete.
bool oxi_entities_require_single(ox_world *world, const ox_entity *entities, int64_t count,
                                 const char *function, ox_site site);

/// Reserves and commits a change of what was listed, or undoes the plan: `is_listed` says whether
/// there was memory to list it. @return false after a report.
bool oxi_world_carry_out(ox_world *world, oxi_plan *plan, const oxi_plan_change *change,
                         bool is_listed, ox_site site);
