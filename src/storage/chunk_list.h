// SPDX-License-Identifier: MIT
//
// The chunks of a store and of its archetypes: taking, linking in order, opening, giving back.
//
// A new row goes to the first open chunk in the order of the list. A chunk is open until it is
// full; then it opens again when it has lost enough rows, by live count, so that placement does not
// depend on when holes are closed. A chunk whose last live row goes is unlinked at once, so walks,
// counts and hashes never meet it; but its archetype keeps its memory for the next row:
//
//     free_chunks of the store --reserve--> spare: reserved --link--> linked, with rows
//               ^  ^                                                     |
//               |  +--------------- kept, when there are enough          | its last row goes
//               |                                                       v
//               +------ give back ------- spare: kept <----- keep ----unlink

#pragma once

#include "storage/store.h"

enum {
    OXI_KEPT_BY_ARCHETYPE = 4, ///< emptied chunks that an archetype keeps
    OXI_KEPT_BY_STORE = 64,    ///< in all
};

/// Makes sure that `count` chunks can be linked to a lane of an archetype, beside those that are
/// kept: they are spare ones that are reserved.
oxi_outcome oxi_chunks_reserve(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane,
                               uint32_t count);

/// Spare chunks that somebody has reserved.
static inline uint32_t oxi_chunks_reserved(const oxi_archetype *archetype) {
    return archetype->spare_count - archetype->kept_count;
}

/// Gives chunks that were reserved and not needed back to the store.
void oxi_chunks_release(oxi_store *store, oxi_archetype *archetype);

/// Gives the chunks that archetypes keep back to the store.
void oxi_chunks_give_kept(oxi_store *store);

/// True when a chunk can be linked for a row though nobody reserved one: to an archetype that
/// shares nothing.
static inline bool oxi_chunk_is_kept(const oxi_archetype *archetype) {
    const oxi_lane *lane = &archetype->lane;
    return archetype->kept_count > 0 && !oxi_archetype_has_lanes(archetype) &&
           lane->chunks.count < lane->chunks.capacity && lane->chunks.count < lane->open.bit_count;
}

/// Links a spare chunk at the end of the lists, empty and open. What was reserved goes first.
oxi_chunk oxi_chunk_link(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane);

/// Unlinks a chunk whose rows are gone. Its archetype keeps it, or gives it back to the store.
void oxi_chunk_unlink(oxi_store *store, oxi_chunk chunk);

/// Takes a chunk off the lists of its archetype and leaves it as it is, and returns the lane, which
/// may be empty now; and puts one at the end of another's, for which room was made with
/// oxi_chunk_list_reserve.
oxi_lane *oxi_chunk_detach(oxi_chunk chunk);
void oxi_chunk_attach(oxi_archetype *archetype, oxi_lane *lane, oxi_chunk chunk);
/// The first of these for all chunks of an archetype without shared components.
void oxi_chunks_detach_all(oxi_archetype *archetype);
bool oxi_chunk_list_reserve(const oxi_store *store, oxi_archetype *archetype, oxi_lane *lane,
                            uint32_t extra);

/// Gives a chunk that is in no list back to the store.
void oxi_chunk_give(oxi_store *store, oxi_archetype *archetype, oxi_chunk chunk);

/// Opens or closes a chunk for new rows as its live count says.
void oxi_chunk_update_open(oxi_archetype *archetype, oxi_chunk chunk);

/// Makes sure that `extra` chunks more can become chunks of the store.
bool oxi_chunks_make_room(oxi_store *store, uint32_t extra);

/// Gives free chunks back to the process, but for a slab full: other stores may need them.
void oxi_chunks_trim(oxi_store *store);

/// For the store: gives all chunks back to the process.
void oxi_chunks_destroy(oxi_store *store);
