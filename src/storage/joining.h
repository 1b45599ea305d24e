// SPDX-License-Identifier: MIT
//
// Whole chunks: joining neighbours, giving chunks to another archetype, and defragmenting. The
// order of rows stays.

#pragma once

#include "storage/lanes.h"
#include "storage/rows.h"

/// Joins neighbours whose live rows fit in one chunk, the left taking the right: afterwards any two
/// neighbours have more rows than a chunk holds.
void oxi_archetype_join(oxi_store *store, oxi_archetype *archetype);

/// True when chunks of one archetype may become chunks of the other as they are.
bool oxi_archetype_fits(const oxi_archetype *a, const oxi_archetype *b);

/// What chunks need when they change sides.
typedef struct oxi_relabel {
    oxi_archetype *target;
    oxi_lane **lanes; ///< of the target, pinned, for each chunk; NULL: nothing is shared there
    uint32_t lane_count;
    int32_t changed;        ///< type of the target whose value changes; -1: none
    oxi_chunk_meta **metas; ///< NULL: chunks keep theirs
    uint32_t count;
    uint32_t made;
    uint32_t arriving; ///< places in the target
    uint32_t meta_size;
} oxi_relabel;

/// Makes sure that `count` chunks of one archetype can go to the target of `edge`, whose layout
/// fits. Shared values stay, but for the one of `choice`, which may be NULL.
oxi_outcome oxi_relabel_reserve(oxi_store *store, const oxi_edge *edge, const oxi_chunk *chunks,
                                uint32_t count, const oxi_shared_choice *choice,
                                oxi_relabel *relabel);

/// Gives chunks of one archetype to the target of `edge`, and joins on both sides.
void oxi_relabel_commit(oxi_store *store, const oxi_edge *edge, const oxi_chunk *chunks,
                        oxi_relabel *relabel);

/// Frees what was reserved and not used.
void oxi_relabel_release(oxi_store *store, oxi_relabel *relabel);

/// Moves rows to the left, in order, into the room of earlier chunks, and stops after `most` rows.
/// @return how many were moved.
uint64_t oxi_store_defragment(oxi_store *store, uint64_t most);

/// How full the chunks of an archetype are.
typedef struct oxi_fragmentation {
    uint32_t chunk_count;
    uint32_t least_count;   ///< chunks that its rows need
    uint32_t lane_count;    ///< different sets of shared values; 0 when nothing is shared
    uint32_t least_by_lane; ///< chunks that its rows need, when those with other values lie apart
    uint64_t row_count;
    uint64_t row_room; ///< rows that fit in its chunks
} oxi_fragmentation;

oxi_fragmentation oxi_archetype_get_fragmentation(const oxi_archetype *archetype);
