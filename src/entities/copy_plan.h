// SPDX-License-Identifier: MIT
//
// A plan of copies: a set of entities, and what a copy of each needs.

#pragma once

#include "entities/world.h"
#include "storage/lanes.h"

/// One entity of the set.
typedef struct oxi_copied {
    ox_entity entity;
    const oxi_edge *edge; ///< from its archetype to that of its copies
    oxi_lane *lane;       ///< of theirs, pinned
    uint32_t first_patch; ///< of this member, up to that of the next
} oxi_copied;

/// An entity field that points to a member of the set.
typedef struct oxi_patch {
    const oxi_column *column; ///< of the copy
    size_t offset;            ///< in its value; of a buffer, from the first element on
    uint32_t member;          ///< what it points to
} oxi_patch;

/// The plan. Set `keeps_prefab` and `archetypes`, and leave the rest zero.
typedef struct oxi_copy_plan {
    bool keeps_prefab; ///< copies have the tag, too
    size_t archetypes; ///< how many there were before
    OXI_LIST(oxi_copied) members;
    OXI_LIST(uint32_t) index; ///< 1 + place of a member by its entity, open addressing
    OXI_LIST(oxi_patch) patches;
    OXI_LIST(char *) blocks; ///< of buffers, in the order they are needed
    size_t next_block;
    OXI_LIST(ox_entity) made; ///< copies of one instance
} oxi_copy_plan;

/// True when a copy of a buffer has to lie outside.
static inline bool oxi_copy_needs_block(const oxi_buffer_kind *kind, const oxi_buffer_head *head) {
    return head->count > kind->inline_capacity;
}

/// Adds an entity that is alive, unless it is there. @return false when out of memory.
bool oxi_copy_plan_add(ox_world *world, oxi_copy_plan *plan, ox_entity entity);

/// 1 + the place of an entity in the set, or 0. Any bits may be given.
uint32_t oxi_copy_plan_find(const oxi_copy_plan *plan, ox_entity entity);

/// The types that a copy of an entity has: `types` has room for OXI_MAX_ARCHETYPE_TYPES. Returns
/// how many.
uint32_t oxi_copy_list_types(const ox_world *world, const oxi_archetype *from, bool keeps_prefab,
                             uint16_t *types);

/// Makes sure that `count` copies of the set can be made. Jobs of the world are complete.
oxi_outcome oxi_copy_plan_reserve(ox_world *world, oxi_copy_plan *plan, uint32_t count);

/// Makes the copies, and writes those of the first member, or of all, to `copies`, unless it is
/// NULL.
void oxi_copy_plan_make(ox_world *world, oxi_copy_plan *plan, uint32_t count, ox_entity *copies,
                        bool all_members);

/// Frees a plan that was carried out; or one that was not, with what was made for it.
void oxi_copy_plan_free(ox_world *world, oxi_copy_plan *plan);
void oxi_copy_plan_undo(ox_world *world, oxi_copy_plan *plan);
