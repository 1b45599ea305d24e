// SPDX-License-Identifier: MIT
//
// Singletons: a component that just one entity has, such as the settings of a game.
//
//     ox_singleton_create(world, Gravity, {9.81f});
//     float g = ox_singleton_get(world, Gravity)->value;
//
// Each call demands that exactly one entity has the component; prefabs, entities that are switched
// off and what is left of destroyed ones do not count. Getting one waits for no job: one that is
// outstanding and writes the component is a report. Components that can be switched off are no
// singletons.

#pragma once

#include "oxbow/buffers.h"
#include "oxbow/queries.h"

/// The value, to read. After a report it is zeros.
OX_API const void *ox_singleton_get_at(ox_world *world, uint32_t component, ox_site site);
#define ox_singleton_get(world, T)                                                                 \
    ((const T *)ox_singleton_get_at(world, ox_component_id_of(T), OX_HERE))

/// The same to write; notes that it changed.
OX_API void *ox_singleton_edit_at(ox_world *world, uint32_t component, ox_site site);
#define ox_singleton_edit(world, T)                                                                \
    ((T *)ox_singleton_edit_at(world, ox_component_id_of(T), OX_HERE))

/// Sets the value. @return false after a report.
OX_API bool ox_singleton_set_at(ox_world *world, uint32_t component, const void *value,
                                ox_site site);
#define ox_singleton_set(world, T, ...)                                                            \
    ox_singleton_set_at(world, ox_component_id_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// True when one entity has the component, false when none does; more are a report.
OX_API bool ox_singleton_has_at(ox_world *world, uint32_t component, ox_site site);
#define ox_singleton_has(world, T) ox_singleton_has_at(world, ox_component_id_of(T), OX_HERE)

/// The entity. @return the null entity after a report.
OX_API ox_entity ox_singleton_get_entity_at(ox_world *world, uint32_t component, ox_site site);
#define ox_singleton_get_entity(world, T)                                                          \
    ox_singleton_get_entity_at(world, ox_component_id_of(T), OX_HERE)

/// Makes the entity; that there is one already is a report. @return the null entity after one.
OX_API ox_entity ox_singleton_create_at(ox_world *world, uint32_t component, const void *value,
                                        ox_site site);
#define ox_singleton_create(world, T, ...)                                                         \
    ox_singleton_create_at(world, ox_component_id_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// The buffer of the entity, to read or to write. It waits for jobs as ox_get_buffer and
/// ox_edit_buffer do.
OX_API ox_buffer ox_singleton_get_buffer_at(ox_world *world, uint32_t component, bool writes,
                                            ox_site site);
/// ox_singleton_get_buffer(world, Waypoint), to read.
#define ox_singleton_get_buffer(world, T)                                                          \
    ox_singleton_get_buffer_at(world, ox_component_id_of(T), false, OX_HERE)
/// The same to write.
#define ox_singleton_edit_buffer(world, T)                                                         \
    ox_singleton_get_buffer_at(world, ox_component_id_of(T), true, OX_HERE)

/// The one entity that a query matches, filters included. @return the null entity after a report.
OX_API ox_entity ox_query_get_single_at(ox_query *query, ox_site site);
#define ox_query_get_single(query) ox_query_get_single_at(query, OX_HERE)
