// SPDX-License-Identifier: MIT
//
// Entities: create and destroy them, and get, set, add and remove their components.
//
//     ox_entity ship = ox_entity_create(world, OX_VALUE(Position, {0, 0}),
//                                       OX_VALUE(Velocity, {1, 0}));
//     ox_edit(world, ship, Position)->x += ox_get(world, ship, Velocity)->x;
//     ox_set(world, ship, Velocity, {0, 1});
//     ox_add(world, ship, Frozen);                                // a tag has no value
//     ox_entity_destroy(world, ship);
//
// Calls that create, destroy, add or remove are structural changes: they invalidate pointers into
// the world, and a loop over it cannot continue. A wrong call is reported and changes nothing.
// Components that can be disabled, prefabs and singletons follow below.
//
// Threads: call everything here from the world's thread. Functions without an `_at` form only read;
// they never report, and return false, 0, NULL or the null entity for what does not exist.

#pragma once

#include "oxbow/buffers.h"
#include "oxbow/world.h"

/// The tag of destroyed entities that still have cleanup components. Such an entity only has these
/// and the tag, and only matches queries that name one of them. It ends when the last of them is
/// removed.
OX_TAG(ox_destroyed);

/// A set of components of a world. Entities with exactly these components are stored together. {0}
/// is none.
typedef struct ox_archetype {
    uint32_t world;  ///< serial of the world
    uint32_t number; ///< 1 and up
} ox_archetype;

/// Returns the archetype of these component ids, in any order.
/// @return {0} after a report: an unknown id, a duplicate, more than 256, or more than fits in a
/// chunk.
OX_API ox_archetype ox_archetype_of_at(ox_world *world, const uint32_t *components, int count,
                                       ox_site site);

/// Returns the archetype of component types: ox_archetype_of(world, Position, Velocity).
#define ox_archetype_of(world, ...)                                                                \
    ox_archetype_of_at(world, OXI_IDS(__VA_ARGS__), OXI_COUNT(__VA_ARGS__), OX_HERE)

/// The value of a component, for calls that take several. A `value` of NULL means zeros; it is
/// ignored for a tag.
typedef struct ox_value {
    uint32_t component;
    const void *value;
} ox_value;

/// A value in a list of values: OX_VALUE(Position, {1, 2}). OX_VALUE(Frozen), or OX_VALUE_TAG, for
/// a tag. Without a value, data is zero and a buffer is empty.
#define OX_VALUE(...)   OXI_BRACED(ox_value, OXI_ID_AND_VALUE(__VA_ARGS__))
#define OX_VALUE_TAG(T) OXI_BRACED(ox_value, ox_component_id_of(T), NULL)

// Creating.

/// Creates an entity with these values, or without components if there are none.
/// @return the null entity after a report.
OX_API ox_entity ox_entity_create_at(ox_world *world, const ox_value *values, int count,
                                     ox_site site);
/// ox_entity_create(world), or ox_entity_create(world, OX_VALUE(Position, {1, 2}), ...).
#define ox_entity_create(...) OXI_CALL_WITH_VALUES(ox_entity_create_at, __VA_ARGS__, OXI_NO_VALUE)

/// Creates an entity of an archetype, with values of zero. @return the null entity after a report.
OX_API ox_entity ox_entity_create_in_at(ox_world *world, ox_archetype archetype, ox_site site);
/// ox_entity_create_in(world, ox_archetype_of(world, Position, Velocity)).
#define ox_entity_create_in(world, archetype) ox_entity_create_in_at(world, archetype, OX_HERE)

/// Creates `count` entities of an archetype, all or none, and writes their handles to `entities`,
/// which may be NULL. @return false after a report.
OX_API bool ox_entities_create_at(ox_world *world, ox_archetype archetype, ox_entity *entities,
                                  int64_t count, ox_site site);
#define ox_entities_create(world, archetype, entities, count)                                      \
    ox_entities_create_at(world, archetype, entities, (int64_t)(count), OX_HERE)

/// Copies an entity and its linked group: see ox_linked. Names are not copied. @return the null
/// entity after a report.
OX_API ox_entity ox_entity_instantiate_at(ox_world *world, ox_entity entity, ox_site site);
#define ox_entity_instantiate(world, entity) ox_entity_instantiate_at(world, entity, OX_HERE)

// Destroying.

/// Destroys an entity and its linked group. All copies of its handle are stale from then on. An
/// entity with cleanup components keeps them and stays valid, see ox_destroyed; destroying it again
/// has no effect.
OX_API void ox_entity_destroy_at(ox_world *world, ox_entity entity, ox_site site);
#define ox_entity_destroy(world, entity) ox_entity_destroy_at(world, entity, OX_HERE)

/// Destroys entities, in the order of the array, all or none. A stale or duplicate handle is
/// reported with its index in the array. @return false after a report.
OX_API bool ox_entities_destroy_at(ox_world *world, const ox_entity *entities, int64_t count,
                                   ox_site site);
#define ox_entities_destroy(world, entities, count)                                                \
    ox_entities_destroy_at(world, entities, (int64_t)(count), OX_HERE)

/// Returns true if the entity has not been destroyed. False for the null entity and for arbitrary
/// bits. Cannot distinguish a handle of another world from one of this world.
OX_API bool ox_entity_exists(const ox_world *world, ox_entity entity);

// Components. Plain forms take ids, see ox_component_id_of.

/// Adds a component with a value, NULL for zeros. If the entity has the component, only sets the
/// value. @return false after a report.
OX_API bool ox_add_at(ox_world *world, ox_entity entity, uint32_t component, const void *value,
                      ox_site site);
/// ox_add(world, ship, Position, {1, 2}), or without a value for a tag, a value of zeros or an
/// empty buffer: ox_add(world, ship, Frozen).
#define ox_add(world, entity, ...) ox_add_at(world, entity, OXI_ID_AND_VALUE(__VA_ARGS__), OX_HERE)
/// The same for a tag: ox_add_tag(world, ship, Frozen).
#define ox_add_tag(world, entity, T) ox_add_at(world, entity, ox_component_id_of(T), NULL, OX_HERE)

/// Adds several components in one move, all or none. @return false after a report.
OX_API bool ox_add_many_at(ox_world *world, ox_entity entity, const ox_value *values, int count,
                           ox_site site);
/// ox_add_many(world, ship, OX_VALUE(Position, {1, 2}), OX_VALUE_TAG(Frozen)).
#define ox_add_many(world, entity, ...)                                                            \
    ox_add_many_at(world, entity, OXI_ARRAY(ox_value, __VA_ARGS__),                                \
                   OXI_LENGTH(ox_value, __VA_ARGS__), OX_HERE)

/// Removes a component, which the entity must have. @return false after a report.
#define ox_remove(world, entity, T) ox_remove_many_at(world, entity, OXI_IDS(T), 1, OX_HERE)

/// Removes several components in one move, all or none. @return false after a report.
OX_API bool ox_remove_many_at(ox_world *world, ox_entity entity, const uint32_t *components,
                              int count, ox_site site);
/// ox_remove_many(world, ship, Position, Frozen).
#define ox_remove_many(world, entity, ...)                                                         \
    ox_remove_many_at(world, entity, OXI_IDS(__VA_ARGS__), OXI_COUNT(__VA_ARGS__), OX_HERE)

/// Changes the components of an entity to those of an archetype. Components that it keeps keep
/// their values; new ones are zero. @return false after a report.
OX_API bool ox_entity_set_archetype_at(ox_world *world, ox_entity entity, ox_archetype archetype,
                                       ox_site site);
#define ox_entity_set_archetype(world, entity, archetype)                                          \
    ox_entity_set_archetype_at(world, entity, archetype, OX_HERE)

/// Returns true if the entity exists and has the component.
OX_API bool ox_has_id(const ox_world *world, ox_entity entity, uint32_t component);
/// ox_has(world, ship, Frozen).
#define ox_has(world, entity, T) ox_has_id(world, entity, ox_component_id_of(T))

/// Returns the address of the value of a component, for reading. It is valid until the next
/// structural change of the world. After a report it points to zeros.
OX_API const void *ox_get_at(ox_world *world, ox_entity entity, uint32_t component, ox_site site);
/// ox_get(world, ship, Position)->x. Gives a pointer to the value of data or of a shared component,
/// and an ox_buffer for a buffer.
#define ox_get(world, entity, T)                                                                   \
    OXI_SEE_READ(                                                                                  \
        T, OXI_PICK(T, ox_get_at, oxi_get_buffer)(world, entity, ox_component_id_of(T), OX_HERE))

/// The same for writing; marks the component as changed. After a report it points to scratch
/// memory.
OX_API void *ox_edit_at(ox_world *world, ox_entity entity, uint32_t component, ox_site site);
/// ox_edit(world, ship, Position)->x = 1. Gives an ox_buffer for a buffer.
#define ox_edit(world, entity, T)                                                                  \
    OXI_SEE_WRITE(T, OXI_PICK(T, ox_edit_at, oxi_edit_buffer)(world, entity,                       \
                                                              ox_component_id_of(T), OX_HERE))

/// Returns the address of the value, valid for immediate use only. Unlike ox_get it never compacts
/// a chunk, so it is fast in a loop that also destroys entities.
OX_API const void *ox_read_at(ox_world *world, ox_entity entity, uint32_t component, ox_site site);
/// Position p = ox_read(world, ship, Position): a copy of data or of a shared value.
#define ox_read(world, entity, T)                                                                  \
    (*OXI_CHECKED(OXI_HAS_ONE_VALUE(T),                                                            \
                  #T " has no single value to read: use ox_get for a buffer, ox_has for a tag",    \
                  (const T *)ox_read_at(world, entity, ox_component_id_of(T), OX_HERE)))

/// Sets the value of a component, which the entity must have. @return false after a report.
OX_API bool ox_set_at(ox_world *world, ox_entity entity, uint32_t component, const void *value,
                      ox_site site);
/// ox_set(world, ship, Position, {1, 2}).
#define ox_set(world, entity, T, ...)                                                              \
    ox_set_at(world, entity, ox_component_id_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

// Inspecting.

/// The location of an entity.
typedef struct ox_entity_location {
    ox_archetype archetype;
    int32_t chunk;    ///< of its archetype, -1 if the entity does not exist
    int32_t row;      ///< in the chunk
    int32_t capacity; ///< rows of a chunk of this archetype
} ox_entity_location;

/// Returns the location of an entity.
OX_API ox_entity_location ox_entity_get_location(const ox_world *world, ox_entity entity);

/// Writes the ids of an entity's components to `components`, up to `capacity`, in ascending order;
/// none if it is NULL.
/// @return the number of its components; 0 for an entity that does not exist.
OX_API int ox_entity_get_components(const ox_world *world, ox_entity entity, uint32_t *components,
                                    int capacity);

/// Sets the name of an entity, which must be unique in the world. NULL removes it. Names are not
/// copied to instances and do not count in hashes. @return false after a report.
OX_API bool ox_entity_set_name_at(ox_world *world, ox_entity entity, const char *name,
                                  ox_site site);
#define ox_entity_set_name(world, entity, name) ox_entity_set_name_at(world, entity, name, OX_HERE)

/// Returns the name of an entity, or NULL.
OX_API const char *ox_entity_get_name(const ox_world *world, ox_entity entity);

/// Returns the entity of this name, or the null entity.
OX_API ox_entity ox_entity_find(const ox_world *world, const char *name);

// Components and entities that can be disabled.
//
//     OX_ENABLEABLE(Stunned, { float seconds; });
//     ox_set_enabled(world, orc, Stunned, false);               // keeps its location and value
//
// A disabled component counts as absent in queries, and as present for ox_has, ox_get and all other
// calls. New components are enabled. Enabling and disabling is not a structural change: pointers
// and loops stay valid. A loop, or a job, uses the enabled bits of a chunk at the moment when it
// reaches the chunk, so a body may disable its own entity.
//
// An entity as a whole is disabled by the tag ox_disabled, which queries skip; that is a structural
// change.

/// Disables an entity: queries that do not name this tag skip it.
OX_TAG(ox_disabled);

/// Enables or disables a component of an entity, and marks the component as changed. @return false
/// after a report: the entity lacks it, or it cannot be disabled.
OX_API bool ox_set_enabled_at(ox_world *world, ox_entity entity, uint32_t component,
                              bool is_enabled, ox_site site);
/// ox_set_enabled(world, orc, Stunned, false).
#define ox_set_enabled(world, entity, T, is_enabled)                                               \
    ox_set_enabled_at(world, entity, ox_component_id_of(T), is_enabled, OX_HERE)

/// Returns true if the entity exists and has the component, and it is enabled. Completes jobs that
/// enable or disable it.
OX_API bool ox_is_enabled_id(ox_world *world, ox_entity entity, uint32_t component);
/// ox_is_enabled(world, orc, Stunned).
#define ox_is_enabled(world, entity, T) ox_is_enabled_id(world, entity, ox_component_id_of(T))

/// Enables or disables an entity and its linked group: removes or adds the tag ox_disabled. @return
/// false after a report.
OX_API bool ox_entity_set_enabled_at(ox_world *world, ox_entity entity, bool is_enabled,
                                     ox_site site);
#define ox_entity_set_enabled(world, entity, is_enabled)                                           \
    ox_entity_set_enabled_at(world, entity, is_enabled, OX_HERE)

/// Returns true if the entity exists and is enabled.
OX_API bool ox_entity_is_enabled(const ox_world *world, ox_entity entity);

// Prefabs: entities that others are copied from, alone or with their children.
//
//     ox_add_tag(world, orc, ox_prefab);                       // queries skip it
//     ox_buffer group = ox_add_buffer(world, orc, ox_linked);  // itself first, then its parts
//     ox_buffer_push(group, ox_linked, {orc});
//     ox_buffer_push(group, ox_linked, {sword});
//     ox_entity one = ox_entity_instantiate(world, orc);       // an orc with a sword of its own
//
// A copy has the components and values of its source, buffers and enabled bits included, except
// cleanup components and the tag ox_prefab. References within the group become references between
// the copies. Other references, and those in shared components, do not change.

/// Makes an entity a prefab: queries that do not name this tag skip it. Instances do not have it.
OX_TAG(ox_prefab);

/// The linked group of an entity: itself first, then the entities that are copied, destroyed and
/// disabled with it.
OX_BUFFER(ox_linked, 8, { ox_entity entity; });

/// Makes `count` copies of an entity, each with its group, all or none, and writes their handles to
/// `copies`, which may be NULL. The same as `count` calls of ox_entity_instantiate: members of a
/// group are copied in its order, and stale ones are skipped. @return false after a report: a group
/// that does not begin with its own entity, or has a destroyed entity that keeps cleanup
/// components.
OX_API bool ox_entities_instantiate_at(ox_world *world, ox_entity entity, ox_entity *copies,
                                       int64_t count, ox_site site);
#define ox_entities_instantiate(world, entity, copies, count)                                      \
    ox_entities_instantiate_at(world, entity, copies, (int64_t)(count), OX_HERE)

/// Copies exactly these entities, each exactly once, and writes their copies to `copies`. Groups
/// are not followed, and ox_prefab is kept. References between these entities become references
/// between their copies. @return false after a report.
OX_API bool ox_entities_copy_at(ox_world *world, const ox_entity *entities, ox_entity *copies,
                                int64_t count, ox_site site);
#define ox_entities_copy(world, entities, copies, count)                                           \
    ox_entities_copy_at(world, entities, copies, (int64_t)(count), OX_HERE)

// Singletons: a component that exactly one entity has, such as the settings of a game.
//
//     ox_singleton_create(world, Gravity, {9.81f});
//     float g = ox_singleton_get(world, Gravity)->value;
//
// Each call requires that exactly one entity has the component. Prefabs, disabled entities and
// destroyed ones that keep cleanup components do not count. Getting one completes no job: an
// outstanding job that writes the component is reported. Components that can be disabled cannot be
// singletons.

/// Returns the address of the value, for reading. After a report it points to zeros.
OX_API const void *ox_singleton_get_at(ox_world *world, uint32_t component, ox_site site);
/// ox_singleton_get(world, Gravity)->value. Gives an ox_buffer for a buffer.
#define ox_singleton_get(world, T)                                                                 \
    OXI_SEE_READ(T, OXI_PICK(T, ox_singleton_get_at,                                               \
                             oxi_singleton_get_buffer)(world, ox_component_id_of(T), OX_HERE))

/// The same for writing; marks it as changed.
OX_API void *ox_singleton_edit_at(ox_world *world, uint32_t component, ox_site site);
/// ox_singleton_edit(world, Gravity)->value = 1. Gives an ox_buffer for a buffer.
#define ox_singleton_edit(world, T)                                                                \
    OXI_SEE_WRITE(T, OXI_PICK(T, ox_singleton_edit_at,                                             \
                              oxi_singleton_edit_buffer)(world, ox_component_id_of(T), OX_HERE))

/// Returns a copy of the value: Gravity gravity = ox_singleton_read(world, Gravity).
#define ox_singleton_read(world, T) (*ox_singleton_get(world, T))

/// Sets the value. @return false after a report.
OX_API bool ox_singleton_set_at(ox_world *world, uint32_t component, const void *value,
                                ox_site site);
#define ox_singleton_set(world, T, ...)                                                            \
    ox_singleton_set_at(world, ox_component_id_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Returns true if one entity has the component, and false if none does. Reports more than one.
OX_API bool ox_singleton_has_at(ox_world *world, uint32_t component, ox_site site);
#define ox_singleton_has(world, T) ox_singleton_has_at(world, ox_component_id_of(T), OX_HERE)

/// Returns the entity. @return the null entity after a report.
OX_API ox_entity ox_singleton_get_entity_at(ox_world *world, uint32_t component, ox_site site);
#define ox_singleton_get_entity(world, T)                                                          \
    ox_singleton_get_entity_at(world, ox_component_id_of(T), OX_HERE)

/// Creates the entity. Reports an existing one. @return the null entity after a report.
OX_API ox_entity ox_singleton_create_at(ox_world *world, uint32_t component, const void *value,
                                        ox_site site);
#define ox_singleton_create(world, T, ...)                                                         \
    ox_singleton_create_at(world, ox_component_id_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Returns the buffer of the entity, for reading or writing: the plain form of ox_singleton_get and
/// ox_singleton_edit for buffers. Waits for jobs as ox_get and ox_edit do.
OX_API ox_buffer ox_singleton_get_buffer_at(ox_world *world, uint32_t component, bool writes,
                                            ox_site site);

// Arrays of entities. These calls do for all entities of an array, in order, what the call for one
// entity does, all or none: if one of them is wrong, or memory runs out, none changes. The report
// names the index of a stale handle. See also ox_entities_create and ox_entities_destroy.

/// Adds a component with one value, NULL for zeros, to `count` entities. Sets the value of those
/// that have it. An entity may be in the array more than once. @return false after a report.
OX_API bool ox_entities_add_at(ox_world *world, const ox_entity *entities, int64_t count,
                               uint32_t component, const void *value, ox_site site);
/// ox_entities_add(world, fleet, 100, Position, {1, 2}), or without a value, as ox_add.
#define ox_entities_add(world, entities, count, ...)                                               \
    ox_entities_add_at(world, entities, (int64_t)(count), OXI_ID_AND_VALUE(__VA_ARGS__), OX_HERE)
/// The same for a tag: ox_entities_add_tag(world, fleet, 100, Frozen).
#define ox_entities_add_tag(world, entities, count, T)                                             \
    ox_entities_add_at(world, entities, (int64_t)(count), ox_component_id_of(T), NULL, OX_HERE)

/// Removes a component from `count` entities, which must all have it. Reports duplicates. @return
/// false after a report.
OX_API bool ox_entities_remove_at(ox_world *world, const ox_entity *entities, int64_t count,
                                  uint32_t component, ox_site site);
/// ox_entities_remove(world, fleet, 100, Frozen).
#define ox_entities_remove(world, entities, count, T)                                              \
    ox_entities_remove_at(world, entities, (int64_t)(count), ox_component_id_of(T), OX_HERE)

/// Returns how many elements of the array exist and have the component.
OX_API int64_t ox_entities_count_with_id(const ox_world *world, const ox_entity *entities,
                                         int64_t count, uint32_t component);
/// ox_entities_count_with(world, fleet, 100, Frozen) == 100.
#define ox_entities_count_with(world, entities, count, T)                                          \
    ox_entities_count_with_id(world, entities, (int64_t)(count), ox_component_id_of(T))

// Archetypes of a world, for tools. {0} and archetypes of other worlds have no entities and no
// components.

/// Writes the archetypes of a world, in order of creation, up to `capacity`; none if `archetypes`
/// is NULL. @return the number of archetypes.
OX_API int ox_world_get_archetypes(const ox_world *world, ox_archetype *archetypes, int capacity);

/// Information about an archetype.
typedef struct ox_archetype_info {
    int component_count;
    int64_t entity_count;
    int chunk_count;    ///< chunks with entities
    int chunk_capacity; ///< entities that fit in a chunk
    float fill;         ///< entities / entities that fit in its chunks, 0 to 1
} ox_archetype_info;

/// Returns information about an archetype.
OX_API ox_archetype_info ox_archetype_get_info(const ox_world *world, ox_archetype archetype);

/// Writes the ids of the components of an archetype, in ascending order, up to `capacity`; none if
/// `components` is NULL. @return the number of its components.
OX_API int ox_archetype_get_components(const ox_world *world, ox_archetype archetype,
                                       uint32_t *components, int capacity);

// Inline code and macros.
#include "oxbow/detail/entities.h"
