// SPDX-License-Identifier: MIT
//
// Whole chunks on their way from one store to another: their entries change, their bytes stay. The
// entities get new ids, in the order of chunks and rows, and what points to one of them follows;
// what points to any other entity becomes null. Names, shared values and blocks of buffers go
// along.
//
// Chunks are listed, then all that the target needs is reserved, then they go. Both stores have no
// holes and no job. Blocks of a plan come from the target's heap.

#pragma once

#include "storage/lanes.h"
#include "storage/rows.h"

/// Chunks of one archetype, which follow each other in the plan.
typedef struct oxi_handed_part {
    oxi_archetype *from;
    oxi_archetype *to; ///< NULL: not found yet
    uint32_t first;
    uint32_t count;
    bool is_expected; ///< the target has places for all
    bool is_whole;    ///< nothing of the archetype stays, and nothing of it is shared
} oxi_handed_part;

/// A shared value of the source that chunks have which go.
typedef struct oxi_handed_value {
    uint32_t number;  ///< in the target, with a reference; 0: none yet
    uint32_t leaving; ///< lanes of the source that go with their last chunk
    bool is_needed;
    bool is_handed; ///< the target has what the source owned
} oxi_handed_value;

/// A block that a buffer will have in the target.
typedef struct oxi_handed_block {
    const oxi_buffer_kind *kind;
    char *outside;
} oxi_handed_block;

/// The name of an entity that goes.
typedef struct oxi_handed_name {
    ox_entity before;
    oxi_row_place place;
    oxi_name *made; ///< for the target; NULL: somebody there has it
    oxi_name *left; ///< the one that the source had, once it is done
} oxi_handed_name;

/// The plan. Set `to`, `from` and `archetypes`, and leave the rest zero.
typedef struct oxi_handover {
    oxi_store *to;
    oxi_store *from;
    size_t archetypes; ///< of the target, before
    uint32_t rows;
    bool has_references; ///< values of what goes may hold entities
    OXI_LIST(oxi_chunk) chunks;
    OXI_LIST(oxi_handed_part) parts;
    OXI_LIST(oxi_lane *) lanes; ///< of the target, pinned, for the first chunks
    OXI_LIST(oxi_chunk_meta *) metas;
    OXI_LIST(oxi_handed_value) values; ///< by the number in the source; empty: none is shared
    OXI_LIST(oxi_handed_block) blocks;
    OXI_LIST(oxi_handed_name) names;
} oxi_handover;

/// Where ids are written as they change. Each may be NULL.
typedef struct oxi_handed_ids {
    ox_entity *before;
    ox_entity *after;
} oxi_handed_ids;

/// Lists a chunk; those of one archetype come together. @return false when out of memory.
bool oxi_handover_add(oxi_handover *plan, oxi_chunk chunk);

/// When all are listed: notes which shared values go along. @return false when out of memory.
bool oxi_handover_list_values(oxi_handover *plan);

/// A shared component that both stores would need a value of, and whose values own something that
/// cannot be copied; or 0.
uint32_t oxi_handover_find_owned(const oxi_handover *plan);

/// Makes sure that all can go.
oxi_outcome oxi_handover_reserve(oxi_handover *plan);

/// Lets them go. Cannot fail. Last, values are dropped that the source does not need any more.
void oxi_handover_commit(oxi_handover *plan, oxi_handed_ids ids);

/// Frees a plan; one that was not carried out, with what was reserved but for archetypes.
void oxi_handover_free(oxi_handover *plan);

// Parts of it, one for each kind of thing that goes along.

bool oxi_handover_reserve_values(oxi_handover *plan);
bool oxi_handover_reserve_lanes(oxi_handover *plan);
bool oxi_handover_reserve_blocks(oxi_handover *plan);
bool oxi_handover_reserve_names(oxi_handover *plan);
void oxi_handover_carry_blocks(oxi_handover *plan);
void oxi_handover_carry_names(oxi_handover *plan);
void oxi_handover_patch(const oxi_handover *plan);
void oxi_handover_settle_values(oxi_handover *plan);
void oxi_handover_free_values(oxi_handover *plan);
void oxi_handover_free_names(oxi_handover *plan);
