// SPDX-License-Identifier: MIT
//
// Entities that change together: all or none.
//
// Entities are listed, then all that their change needs is reserved, then it is made. Jobs of the
// world are complete.

#pragma once

#include "entities/world.h"
#include "storage/lanes.h"

/// One of them.
typedef struct oxi_batch_item {
    ox_entity entity;
    const oxi_edge *edge; ///< the way it moves; NULL: it does not
    oxi_lane *lane;       ///< pinned
} oxi_batch_item;

/// A list of them. {0} is empty. Until it is carried out or freed those in it are marked: nothing
/// else may look at their records.
typedef struct oxi_batch {
    OXI_LIST(oxi_batch_item) items;
    size_t archetypes;     ///< how many there were before; 0: nothing was reserved
    uint32_t changed;      ///< the shared component that all get a value of; 0: none
    const ox_value *given; ///< the value of the component that all get, or NULL
} oxi_batch;

/// True for a count from 0 on of entities that are all alive; else reports, with the index in the
/// array of the first that is not.
bool oxi_entities_require(const ox_world *world, const ox_entity *entities, int64_t count,
                          const char *function, ox_site site);

/// True when no entity is in the array twice; else reports. All are alive, and jobs are complete.
bool oxi_entities_require_single(ox_world *world, const ox_entity *entities, int64_t count,
                                 const char *function, ox_site site);

/// Adds an entity, unless it is there, is dead, or has only cleanup components left. @return false
/// when out of memory.
bool oxi_batch_add(ox_world *world, oxi_batch *batch, ox_entity entity);

/// Adds an entity that is alive, unless it is there. @return false when out of memory.
bool oxi_batch_push(ox_world *world, oxi_batch *batch, ox_entity entity);

/// True for an entity that is alive and in the batch; and where one is, without its mark.
bool oxi_batch_has(const ox_world *world, ox_entity entity);
oxi_record oxi_batch_record(const ox_world *world, ox_entity entity);

/// Adds the groups of all that are there; and the groups of those when `is_deep`. @return false
/// when out of memory.
bool oxi_batch_add_groups(ox_world *world, oxi_batch *batch, bool is_deep);

/// Makes sure that all can be destroyed. @return false when out of memory.
bool oxi_batch_reserve_end(ox_world *world, oxi_batch *batch);

/// Makes sure that all can get a component, or lose it: those that have it, or not, stay. But with
/// a `choice` of its shared value, those move that have another value. What is left of a destroyed
/// entity has no way when it loses the last that keeps it.
oxi_outcome oxi_batch_reserve_change(ox_world *world, oxi_batch *batch, uint32_t component,
                                     bool removes, const oxi_shared_choice *choice);

/// Takes those out that have this shared value already.
void oxi_batch_forget_shared(ox_world *world, oxi_batch *batch, const oxi_shared_choice *choice);

/// Makes sure that all can get a shared value.
oxi_outcome oxi_batch_reserve_shared(ox_world *world, oxi_batch *batch,
                                     const oxi_shared_choice *choice);

/// Moves all that have a way, and ends the others if `ends`; writes `given`; then frees the list.
void oxi_batch_commit(ox_world *world, oxi_batch *batch, bool ends);

/// Frees a list of which nothing came, and takes back what was made for it.
void oxi_batch_free(ox_world *world, oxi_batch *batch);

/// The way of destroyed entities of an archetype that has cleanup components. NULL when out of
/// memory.
const oxi_edge *oxi_residue_edge(ox_world *world, oxi_archetype *archetype);
