// SPDX-License-Identifier: MIT
//
// Buffers: an array for each entity, of any length.
//
//     OX_BUFFER(Waypoint, 8, { float x, y; });
//     ox_buffer path = ox_add_buffer(world, orc, Waypoint);
//     ox_buffer_append(Waypoint, path, {1, 2});
//     for (int k = 0; k < ox_buffer_count(path); k++) {
//         float x = ox_buffer_get(Waypoint, path, k)->x;
//     }
//
// A buffer lies in the chunk up to its inline capacity; when it grows past it, all of it lies
// outside, and comes back when ox_buffer_trim makes it fit. An ox_buffer is a handle: copy it
// freely. It ends with the next structural change of the world, and when a job over entities is
// scheduled. A pointer to its elements ends with the next change of its length or capacity, an
// ox_buffer_view with a report instead. The element type is named at the call: any type of the same
// size will do.

#pragma once

#include "oxbow/entities.h"

struct oxi_buffer_kind;

/// A buffer of one entity. {0} is none.
typedef struct ox_buffer {
    oxi_buffer_head *oxi_head;
    const struct oxi_buffer_kind *oxi_kind;
    ox_world *oxi_world;   ///< NULL in a job
    uint64_t oxi_born;     ///< changes of the world when it was made
    uint32_t oxi_writes;   ///< elements may be written
    uint32_t oxi_capacity; ///< inline
    uint32_t oxi_offset;   ///< of the inline elements
    uint32_t oxi_size;     ///< of an element
} ox_buffer;

/// The buffer of an entity, to read: waits for jobs that write it. {0} after a report.
OX_API ox_buffer ox_buffer_of_at(ox_world *world, ox_entity entity, uint32_t component, bool writes,
                                 ox_site site);
#define ox_get_buffer(world, entity, T) ox_buffer_of_at(world, entity, ox_id_of(T), false, OX_HERE)

/// The same to write: waits for jobs that read or write it; notes that it changed.
#define ox_edit_buffer(world, entity, T) ox_buffer_of_at(world, entity, ox_id_of(T), true, OX_HERE)

/// Adds a buffer to an entity, and returns it to write. One that is there already stays as it is.
OX_API ox_buffer ox_buffer_add_at(ox_world *world, ox_entity entity, uint32_t component,
                                  ox_site site);
#define ox_add_buffer(world, entity, T) ox_buffer_add_at(world, entity, ox_id_of(T), OX_HERE)
