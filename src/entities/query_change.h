// SPDX-License-Identifier: MIT
//
// What a query matches, as it is changed by the units that do so: whole chunks where all rows
// match, entities where only some do.

#pragma once

#include "entities/batch.h"
#include "entities/query.h"
#include "storage/joining.h"

/// The chunks of one archetype, and where they go.
typedef struct oxi_chunk_part {
    oxi_archetype *from;
    const oxi_edge *edge; ///< NULL: they end, or nothing was reserved yet
    bool fits;            ///< they change sides as they are
    uint32_t first;       ///< in the list of chunks
    uint32_t count;
    uint32_t rows;
    oxi_relabel relabel;
} oxi_chunk_part;

typedef struct oxi_query_change {
    OXI_LIST(oxi_chunk) chunks;
    OXI_LIST(oxi_lane *) lanes; ///< of chunks whose rows move, pinned; NULL for others
    OXI_LIST(oxi_chunk_part) parts;
    oxi_batch batch;   ///< entities of chunks of which not all rows match
    int64_t rows;      ///< of all
    size_t archetypes; ///< how many there were before
} oxi_query_change;

/// Which of the archetypes that match are meant.
typedef bool oxi_meant_fn(const ox_world *world, const oxi_archetype *archetype,
                          uint32_t component);

/// Completes all jobs and lists what is meant. @return false after a report.
bool oxi_change_collect(ox_query *query, oxi_meant_fn *is_meant, uint32_t component,
                        oxi_query_change *change, ox_site site);

/// Makes room for the chunks of a part at the end of its edge; `choice` as for oxi_relabel_reserve.
oxi_outcome oxi_change_reserve_part(ox_world *world, oxi_query_change *change, oxi_chunk_part *part,
                                    const oxi_shared_choice *choice);

/// Makes the change: what has no way ends. Then frees it.
void oxi_change_commit(ox_world *world, oxi_query_change *change);

/// Frees a change of which nothing came, with what was made for it.
void oxi_change_undo(ox_world *world, oxi_query_change *change);
