// SPDX-License-Identifier: MIT
//
// Plans: one structural change of many entities, all or none.
//
//     list      oxi_plan_push, oxi_plan_push_chunk    what changes
//     reserve   oxi_plan_reserve                      edges, lanes and rows: may fail
//     commit    oxi_plan_commit                       cannot fail
//     or        oxi_plan_undo                         nothing came of it, or nothing will
//
//     parts   | from, edge   | from, edge |          whole chunks, which change sides as they are
//             +--------------+------------+          where layouts agree, and else row by row
//     chunks  | c  c  c  c   | c  c       |
//
//     rows    | entity, edge, lane | ...  |          of chunks of which not all rows change
//
// Jobs of the world are complete. Until it is carried out or undone, entities among the rows are
// marked: nobody else may look at their records.

#pragma once

#include "storage/change.h"
#include "storage/joining.h"

/// What is done to all.
typedef enum oxi_plan_kind {
    OXI_PLAN_ADD,        ///< they get a component, or another shared value of it
    OXI_PLAN_REMOVE,     ///< they lose it; a residue that has nothing else ends
    OXI_PLAN_SET_SHARED, ///< they get a shared value of a component that they have
    OXI_PLAN_END,        ///< they end, or become residue
} oxi_plan_kind;

typedef struct oxi_plan_change {
    oxi_plan_kind kind;
    uint32_t component;
    const oxi_shared_choice *choice; ///< the shared value of it; NULL: none
    bool gives;                      ///< those that have it get the value, too
    const void *value;               ///< of new ones; NULL: zeros
} oxi_plan_change;

/// An entity by itself.
typedef struct oxi_plan_row {
    ox_entity entity;
    const oxi_edge *edge; ///< NULL: it does not move
    oxi_lane *lane;       ///< of the target, pinned
    bool ends;
} oxi_plan_row;

/// Chunks of one archetype.
typedef struct oxi_plan_part {
    oxi_archetype *from;
    const oxi_edge *edge; ///< NULL: they end, or nothing was reserved
    bool fits;            ///< they change sides as they are
    uint32_t first;       ///< in the list of chunks
    uint32_t count;
    oxi_relabel relabel;
} oxi_plan_part;

/// A plan. Zero it, and set its store.
typedef struct oxi_plan {
    oxi_store *store;
    OXI_LIST(oxi_plan_row) rows;
    OXI_LIST(oxi_chunk) chunks;
    OXI_LIST(oxi_lane *) lanes; ///< of chunks whose rows move, pinned; NULL for others
    OXI_LIST(oxi_plan_part) parts;
    size_t archetypes; ///< how many there were before it was reserved; 0: it was not
} oxi_plan;

/// Adds an entity that is alive, unless it is there. @return false when out of memory.
bool oxi_plan_push(oxi_plan *plan, ox_entity entity);

/// Adds a chunk without holes, to the last part if that is of its archetype. @return false when out
/// of memory.
bool oxi_plan_push_chunk(oxi_plan *plan, oxi_chunk chunk);

/// Adds all rows of the chunks as rows instead. @return false when out of memory.
bool oxi_plan_split_chunks(oxi_plan *plan);

/// True for an entity that is alive and among the rows of a plan; and where one is, without its
/// mark.
bool oxi_plan_has(const oxi_store *store, ox_entity entity);
oxi_record oxi_plan_record(const oxi_store *store, ox_entity entity);

/// Takes chunks and rows out that have this shared value already.
void oxi_plan_forget_shared(oxi_plan *plan, const oxi_shared_choice *choice);

/// Makes sure that a change can be made of all.
oxi_outcome oxi_plan_reserve(oxi_plan *plan, const oxi_plan_change *change);

/// Makes the change that was reserved, and frees the plan. The world knows of it.
void oxi_plan_commit(oxi_plan *plan, const oxi_plan_change *change);

/// Frees the plan with all that was made for it.
void oxi_plan_undo(oxi_plan *plan);
