// SPDX-License-Identifier: MIT
//
// Shared components: one value for many entities.
//
//     OX_SHARED(Team, { int id; });
//     ox_add(world, orc, Team, {2});
//     ox_set(world, orc, Team, {3});                 // moves it to a chunk of team 3
//     int id = ox_get(world, orc, Team)->id;
//     ox_query_filter_shared(units, Team, {.id = 2});
//
// A world stores equal values once. All entities of a chunk have the same values, so setting one is
// a structural change, and many different values make many chunks that are not full. The value of
// all zeros is the default: adding the component without a value gives it. A value lives while an
// entity, or a filter, has it; see ox_shared_define for values that own memory. ox_add, ox_set,
// ox_get, ox_read, ox_has and ox_remove do what they do with any component.

#pragma once

#include "oxbow/queries.h"

/// Lets only chunks with this value of a shared component pass, beside what other filters say. The
/// query has it as a term. One value for each component, two components at most; set again, it is
/// replaced. The value is kept while the filter is.
/// @return false after a report.
OX_API bool ox_query_filter_shared_at(ox_query *query, uint32_t component, const void *value,
                                      ox_site site);
/// ox_query_filter_shared(units, Team, {.id = 2}).
#define ox_query_filter_shared(query, T, ...)                                                      \
    ox_query_filter_shared_at(query, ox_component_id_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Gives all entities that match this value: whole chunks, no entity moves but to fill chunks. The
/// query has the component as a term. @return false after a report.
OX_API bool ox_query_set_shared_at(ox_query *query, uint32_t component, const void *value,
                                   ox_site site);
#define ox_query_set_shared(query, T, ...)                                                         \
    ox_query_set_shared_at(query, ox_component_id_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// The value that all entities of the chunk have; NULL for an optional component that is not there.
/// The query has it as a term.
OX_API const void *ox_chunk_shared_at(const ox_chunk *chunk, uint32_t component, ox_site site);
#define ox_chunk_shared(chunk, T)                                                                  \
    ((const T *)ox_chunk_shared_at(&(chunk), ox_component_id_of(T), OX_HERE))

/// Gives all entities of the chunk another value, those too that do not match because something is
/// switched. A structural change: leave the loop after it.
/// @return false after a report.
OX_API bool ox_chunk_set_shared_at(const ox_chunk *chunk, uint32_t component, const void *value,
                                   ox_site site);
#define ox_chunk_set_shared(chunk, T, ...)                                                         \
    ox_chunk_set_shared_at(&(chunk), ox_component_id_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// All values of a shared component that the world has: the default first, then the others. As an
/// array of its structs. @return {0} after a report.
OX_API ox_array ox_shared_copy_values_at(ox_world *world, uint32_t component,
                                         ox_allocator allocator, ox_site site);
#define ox_shared_copy_values(world, T, allocator)                                                 \
    ox_shared_copy_values_at(world, ox_component_id_of(T), allocator, OX_HERE)

/// A number that moves whenever entities with this value come, go, or move; 0 for a value that
/// nobody has.
OX_API uint32_t ox_shared_get_order_version(const ox_world *world, uint32_t component,
                                            const void *value);
