// SPDX-License-Identifier: MIT
//
// Prefabs: entities that others are copied from, alone or with their children.
//
//     ox_add_tag(world, orc, ox_prefab);                       // queries leave it out
//     ox_buffer group = ox_add_buffer(world, orc, ox_linked);  // itself first, then its parts
//     ox_buffer_push(group, ox_linked, {orc});
//     ox_buffer_push(group, ox_linked, {sword});
//     ox_entity one = ox_entity_instantiate(world, orc);       // an orc with a sword of its own
//
// A copy has the components and values of its source, buffers and what is switched off included,
// but for cleanup components and the tag ox_prefab. Where an entity of the group points to one of
// the group, its copy points to the copy; other entities, and those in shared components, stay what
// they are.

#pragma once

#include "oxbow/buffers.h"
#include "oxbow/enabled.h"

/// Entities with it are left out by queries that do not name it; their copies do not have it.
OX_TAG(ox_prefab);

/// The group of an entity: itself first, then those that are copied, destroyed and switched off
/// together with it.
OX_BUFFER(ox_linked, 8, { ox_entity entity; });

/// Makes `count` copies of an entity, each with its group, and writes their handles to `copies`,
/// which may be NULL. The same as `count` calls of ox_entity_instantiate: members of a group are
/// made in its order, those that are dead are left out. All or none. @return false after a report:
/// a group that does not begin with its own entity, or one that is destroyed but for its cleanup
/// components.
OX_API bool ox_entities_instantiate_at(ox_world *world, ox_entity entity, ox_entity *copies,
                                       int64_t count, ox_site site);
#define ox_entities_instantiate(world, entity, copies, count)                                      \
    ox_entities_instantiate_at(world, entity, copies, (int64_t)(count), OX_HERE)

/// Copies exactly these entities, each once, and writes their copies to `copies`. Groups are not
/// followed, and ox_prefab is kept; entities of the set that point to each other have copies that
/// do. @return false after a report.
OX_API bool ox_entities_copy_at(ox_world *world, const ox_entity *entities, ox_entity *copies,
                                int64_t count, ox_site site);
#define ox_entities_copy(world, entities, copies, count)                                           \
    ox_entities_copy_at(world, entities, copies, (int64_t)(count), OX_HERE)
