// SPDX-License-Identifier: MIT
//
// Moving and copying entities between worlds.
//
//     ox_world_move(game, staging, NULL);              // all entities: staging is empty then
//     ox_world_move_query(game, query, NULL);          // those of a query of staging
//     ox_world_copy(game, library, &orc, &copy, 1);    // exactly these; the library keeps them
//
// A move takes whole chunks: what is in them stays where it is in memory, and only ids are written,
// so a large row costs no more than a small one. Entities get new ids in their new world, and the
// old ones are dead. An entity field, in a component or in an element of a buffer, that points to
// one that moved along points to its new id; any other becomes null, for ids mean nothing in
// another world. Entities in shared values stay what they are.
//
// Both worlds must be this thread's, and their jobs are completed. Worlds with different allocators
// and ways of removal move alike. A call that fails after a report has changed nothing.

#pragma once

#include "oxbow/queries.h"

/// Where a move writes ids: the old and the new one of each entity, at the same place. Zero every
/// field you do not set.
typedef struct ox_moved_ids {
    ox_entity *before; ///< NULL: not wanted
    ox_entity *after;  ///< NULL: not wanted
    int64_t capacity;  ///< entities that fit; a move of more is a report, and moves nothing
} ox_moved_ids;

/// Moves all entities of `from` to `to`, prefabs, disabled ones and what is left of destroyed ones
/// too. New ids are given in the order of sets of components, chunks and rows, as a query walks.
///
/// What arrives stands behind what is there, in order; then neighbours that fit in one chunk are
/// joined. All of it counts as changed once, with the version of `to`. Buffers and what is switched
/// off come along, and shared values, equal ones once. A name comes along unless an entity of `to`
/// has it: then the arriving one has none, and a warning tells.
/// @return how many entities moved, or -1 after a report.
OX_API int64_t ox_world_move_at(ox_world *to, ox_world *from, const ox_moved_ids *ids,
                                ox_site site);
/// ox_world_move(to, from, NULL), or with &(ox_moved_ids){...}.
#define ox_world_move(to, ...) ox_world_move_at(to, __VA_ARGS__, OX_HERE)

/// The same for the chunks that match a query of the source, with its filters. A query that asks
/// whether a component of single entities is on is a report.
/// @return how many entities moved, or -1 after a report.
OX_API int64_t ox_world_move_query_at(ox_world *to, ox_query *query, const ox_moved_ids *ids,
                                      ox_site site);
/// ox_world_move_query(to, query, NULL), or with &(ox_moved_ids){...}.
#define ox_world_move_query(to, ...) ox_world_move_query_at(to, __VA_ARGS__, OX_HERE)

/// Copies exactly these entities, each once, into another world, and writes their copies to
/// `copies`, which may be NULL. As ox_entities_copy: groups are not followed, ox_prefab is kept,
/// cleanup components and names are left behind, buffers are copied. Entities of the set that point
/// to each other have copies that do; what points to others becomes null. The source stays as it
/// is. @return false after a report.
OX_API bool ox_world_copy_at(ox_world *to, ox_world *from, const ox_entity *entities,
                             ox_entity *copies, int64_t count, ox_site site);
#define ox_world_copy(to, from, entities, copies, count)                                           \
    ox_world_copy_at(to, from, entities, copies, (int64_t)(count), OX_HERE)
