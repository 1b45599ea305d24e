// SPDX-License-Identifier: MIT
//
// Components that can be switched off, and entities that can.
//
//     OX_ENABLEABLE(Stunned, { float seconds; });
//     ox_set_enabled(world, orc, Stunned, false);               // stays where it is, keeps its
//     value
//
// A component that is off counts as absent in queries, and as present for ox_has, ox_get and all
// others. New ones are on. Switching is no structural change: pointers and loops go on. A loop, or
// a job, sees each chunk as it was when it came to it, so a body may switch its own entity.
//
// An entity as a whole is switched off by the tag ox_disabled, which queries leave out; it is a
// structural change.

#pragma once

#include "oxbow/queries.h"

/// Entities with it are left out by queries that do not name it.
OX_TAG(ox_disabled);

/// Switches a component of an entity on or off; notes that it changed. @return false after a
/// report: it is not there, or not of a kind that can be switched off.
OX_API bool ox_set_enabled_at(ox_world *world, ox_entity entity, uint32_t component,
                              bool is_enabled, ox_site site);
/// ox_set_enabled(world, orc, Stunned, false).
#define ox_set_enabled(world, entity, T, is_enabled)                                               \
    ox_set_enabled_at(world, entity, ox_component_id_of(T), is_enabled, OX_HERE)

/// True when the entity exists, has the component, and it is not switched off. Waits for jobs that
/// switch it.
OX_API bool ox_is_enabled_id(ox_world *world, ox_entity entity, uint32_t component);
/// ox_is_enabled(world, orc, Stunned).
#define ox_is_enabled(world, entity, T) ox_is_enabled_id(world, entity, ox_component_id_of(T))

/// Switches a component of all entities in the chunks of a query, whatever it is now: the query
/// names it, as OX_WRITE or OX_ENABLED.
/// @return false after a report.
OX_API bool ox_query_set_enabled_at(ox_query *query, uint32_t component, bool is_enabled,
                                    ox_site site);
#define ox_query_set_enabled(query, T, is_enabled)                                                 \
    ox_query_set_enabled_at(query, ox_component_id_of(T), is_enabled, OX_HERE)

/// Switches a component of a row of a chunk. The query names it as OX_WRITE or OX_ENABLED.
OX_API bool ox_chunk_set_enabled_at(const ox_chunk *chunk, int row, uint32_t component,
                                    bool is_enabled, ox_site site);
#define ox_chunk_set_enabled(chunk, row, T, is_enabled)                                            \
    ox_chunk_set_enabled_at(&(chunk), row, ox_component_id_of(T), is_enabled, OX_HERE)

/// True when the component of a row is on.
OX_API bool ox_chunk_is_enabled_at(const ox_chunk *chunk, int row, uint32_t component,
                                   ox_site site);
#define ox_chunk_is_enabled(chunk, row, T)                                                         \
    ox_chunk_is_enabled_at(&(chunk), row, ox_component_id_of(T), OX_HERE)

// In a job, OX_ENABLED(Stunned, stunned) names the switch of the row:
//
//     OX_ENTITY_JOB(Recover, (OX_WRITE(Stunned, stun), OX_ENABLED(Stunned, is_stunned)), { float
//     dt; })
//     {
//         stun->seconds -= job->dt;
//         ox_switch_set_on(is_stunned, stun->seconds > 0);
//     }

/// The switch of a component of one row.
typedef struct ox_switch {
    uint64_t *oxi_word;
    uint64_t oxi_bit; ///< set while it is off
} ox_switch;

/// True when it is on.
static inline bool ox_switch_is_on(ox_switch of) {
    return (*of.oxi_word & of.oxi_bit) == 0;
}

/// Switches it.
static inline void ox_switch_set_on(ox_switch of, bool is_enabled) {
    *of.oxi_word = is_enabled ? *of.oxi_word & ~of.oxi_bit : *of.oxi_word | of.oxi_bit;
}

/// The switches of a component, in a job over chunks: one for each of its rows.
typedef struct ox_switches {
    uint64_t *oxi_words;
    int oxi_first;
} ox_switches;

/// The switch of a row.
static inline ox_switch ox_switches_get(ox_switches all, int row) {
    unsigned at = (unsigned)(all.oxi_first + row);
    ox_switch one = {all.oxi_words + at / 64, (uint64_t)1 << at % 64};
    return one;
}

/// Switches an entity, and every other of its linked group, off or on: it gets, or loses, the tag
/// ox_disabled. @return false after a report.
OX_API bool ox_entity_set_enabled_at(ox_world *world, ox_entity entity, bool is_enabled,
                                     ox_site site);
#define ox_entity_set_enabled(world, entity, is_enabled)                                           \
    ox_entity_set_enabled_at(world, entity, is_enabled, OX_HERE)

/// True when the entity exists and is not switched off.
OX_API bool ox_entity_is_enabled(const ox_world *world, ox_entity entity);
