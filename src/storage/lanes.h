// SPDX-License-Identifier: MIT
//
// Lanes: the chunks of an archetype by their shared values. A lane holds a reference to each of its
// values, and lives while it has chunks or somebody pins it.

#pragma once

#include "storage/store.h"

enum { OXI_MAX_SHARED_TYPES = 64 }; ///< of one archetype

/// A shared component that gets a value: the number of it. 0 for the component is none.
typedef struct oxi_shared_choice {
    uint32_t component;
    uint32_t number;
} oxi_shared_choice;

/// The lane of these values, pinned, made when there is none; NULL when out of memory. For an
/// archetype without shared components it is the one of all chunks.
oxi_lane *oxi_lane_take(oxi_store *store, oxi_archetype *archetype, const uint32_t *values);

/// Pins a lane that is pinned already once more.
static inline void oxi_lane_pin(const oxi_archetype *archetype, oxi_lane *lane) {
    OXI_ASSERT(lane == &archetype->lane || lane->pin_count > 0);
    lane->pin_count += lane != &archetype->lane;
}

/// Lets a pinned lane go.
void oxi_lane_leave(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane);

/// Frees a lane that nobody needs any more.
void oxi_lane_settle(oxi_store *store, oxi_archetype *archetype, oxi_lane *lane);

/// The values that rows get in `to`: those that a chunk they come from has, or the defaults; and
/// the choices. Chunk 0: they come from nowhere.
void oxi_lane_values(const oxi_store *store, const oxi_archetype *to, oxi_chunk chunk,
                     const oxi_shared_choice *choices, uint32_t choice_count, uint32_t *values);

/// The component of a value of a lane.
static inline uint32_t oxi_lane_component(const oxi_archetype *archetype, uint32_t slot) {
    OXI_ASSERT(slot < archetype->shared_count);
    return archetype->types[archetype->shared_types[slot]];
}

/// True when the metadata of chunks says nothing of their lanes and of switches.
static inline bool oxi_meta_is_plain(const oxi_archetype *archetype) {
    return archetype->shared_count == 0 && archetype->enabled_count == 0;
}

/// Where the value of a shared type stands among those of a lane.
uint32_t oxi_archetype_shared_slot(const oxi_archetype *archetype, uint32_t type);

/// The number of the value that a chunk has of a shared component; 0 when it is not there, or not
/// shared.
uint32_t oxi_chunk_shared_number(const oxi_store *store, oxi_archetype *archetype, oxi_chunk chunk,
                                 uint32_t component);

/// The number of the value that a lane has of a shared component, which is there.
uint32_t oxi_lane_shared_number(const oxi_store *store, const oxi_archetype *archetype,
                                const oxi_lane *lane, uint32_t component);

/// Notes that entities came to, or went from, chunks with these values.
void oxi_lane_note_change(oxi_store *store, const oxi_archetype *archetype, const oxi_lane *lane);

/// What the values of a lane add to the hash of each of its rows, by the hashes of the names of
/// types: values count by what they are, not by their number.
uint64_t oxi_lane_hash(const oxi_store *store, const oxi_archetype *archetype, const oxi_lane *lane,
                       const uint64_t *names);

/// What is wrong with the lanes of an archetype, with a chunk in its lane, and with the references
/// that lanes have to shared values; or NULL.
const char *oxi_lanes_validate(const oxi_store *store, const oxi_archetype *archetype);
const char *oxi_chunk_lane_validate(const oxi_archetype *archetype, oxi_chunk chunk);
const char *oxi_shared_values_validate(const oxi_store *store);

/// For the store: frees all lanes of an archetype.
void oxi_lanes_destroy(const oxi_store *store, oxi_archetype *archetype);
