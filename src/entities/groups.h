// SPDX-License-Identifier: MIT
//
// Linked groups: the buffer ox_linked of an entity.

#pragma once

#include "entities/world.h"
#include "storage/plan.h"

/// The members of a group as its buffer has them, dead ones too. They lie in the world.
typedef struct oxi_group {
    const ox_entity *members;
    uint32_t count; ///< 0: no group
} oxi_group;

/// The group of an entity, by where it is.
oxi_group oxi_group_of(const ox_world *world, const oxi_record *record);

/// Adds an entity to a plan, unless it is there, is dead, or has only cleanup components left.
/// @return false when out of memory.
bool oxi_group_push(const ox_world *world, oxi_plan *plan, ox_entity entity);

/// Adds the groups of all that are there so; and the groups of those when `is_deep`.
bool oxi_groups_push(const ox_world *world, oxi_plan *plan, bool is_deep);

/// Gives a tag to every entity of a group that lacks it, or takes it from those that have it; an
/// entity without a group is one. All or none. @return false after a report.
bool oxi_group_set_tag(ox_world *world, ox_entity entity, uint32_t tag, bool is_set, ox_site site);
