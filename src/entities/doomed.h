// SPDX-License-Identifier: MIT
//
// Entities that are about to be destroyed, with all that this needs.

#pragma once

#include "entities/world.h"
#include "storage/lanes.h"

/// One of them. With cleanup components it moves along `edge`, else it ends: NULL.
typedef struct oxi_doomed_entity {
    ox_entity entity;
    const oxi_edge *edge;
    oxi_lane *lane; ///< pinned
} oxi_doomed_entity;

/// A list of them. {0} is empty. Those in it are marked: nothing else may look at their records.
typedef struct oxi_doomed {
    OXI_LIST(oxi_doomed_entity) items;
    size_t archetypes; ///< how many there were before
} oxi_doomed;

/// Adds an entity that is alive, unless it is there, or has only cleanup components left. @return
/// false when out of memory.
bool oxi_doomed_add(ox_world *world, oxi_doomed *doomed, ox_entity entity);

/// Adds the groups of all that are there, and the groups of those. @return false when out of
/// memory.
bool oxi_doomed_follow_groups(ox_world *world, oxi_doomed *doomed);

/// Makes sure that all can be destroyed. @return false when out of memory.
bool oxi_doomed_reserve(ox_world *world, oxi_doomed *doomed);

/// Destroys them, and frees the list.
void oxi_doomed_destroy(ox_world *world, oxi_doomed *doomed);

/// Frees a list of which nothing came, and takes back what was made for it.
void oxi_doomed_free(ox_world *world, oxi_doomed *doomed);

/// The way of destroyed entities of an archetype that has cleanup components. NULL when out of
/// memory.
const oxi_edge *oxi_residue_edge(ox_world *world, oxi_archetype *archetype);

/// Takes back ways and archetypes of destroyed entities that were made since there were `before`.
void oxi_residue_undo(ox_world *world, size_t before);
