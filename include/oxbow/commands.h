// SPDX-License-Identifier: MIT
//
// Commands: structural changes that are recorded on main or in jobs, and played back later, all
// together.
//
//     OX_ENTITY_JOB(Shoot, (OX_READ(Gun, gun)), { ox_commands commands; })
//     {
//         ox_entity bullet = ox_commands_instantiate(job->commands, gun->bullet);
//         ox_commands_set(job->commands, bullet, Velocity, {0, 0, 90});
//     }
//
//     ox_commands commands = ox_commands_create(world, NULL);
//     ox_complete(ox_schedule_entities(Shoot, system, OX_AUTO, {commands}));
//     ox_commands_playback(commands);
//     ox_commands_dispose(&commands);
//
// Main and any number of threads of a job use the same handle. The order of playback is the same
// for any number of workers: first the commands of jobs, by job in the order of scheduling, by
// index, and as recorded within an index; then those of main. Recording never waits and takes no
// lock. In a system, ox_system_commands gives a buffer that is played back and disposed
// automatically.
//
// A command does what the call of the same name does. If a command fails, playback skips it,
// reports it (OX-D04) with its number and where it was recorded, and continues. There are two
// differences from the calls: destroying a stale entity is not an error, and an entity that a
// command creates has a temporary id until playback.
//
// A stale handle, of a disposed buffer or of a destroyed world, is reported at every level.
//
// Threads: create, play back and dispose buffers on the world's thread. Record there, and in jobs
// that hold the handle in their struct.

#pragma once

#include "oxbow/buffers.h"
#include "oxbow/entities.h"
#include "oxbow/queries.h"
#include "oxbow/safety.h"

struct oxi_commands;

/// A buffer of commands. Copy it freely: all copies are the same buffer. {0} is none.
typedef struct ox_commands {
    struct oxi_commands *oxi_state;
    uint32_t oxi_serial; ///< of the buffer: a later one may reuse its memory
    int32_t oxi_key;     ///< of the commands recorded through this copy
    ox_access access;
} ox_commands;

/// Describes a buffer. Zero every field you do not set.
typedef struct ox_commands_def {
    uint32_t _guard_begin;

    /// Its name in reports. Copied, up to 31 bytes. NULL means "commands".
    const char *name;

    /// It may be played back any number of times, which each create new entities. Otherwise only
    /// once.
    bool plays_often;

    uint32_t _guard_end;
} ox_commands_def;

/// Creates an empty buffer for a world. `def` may be NULL. @return {0} after a report.
OX_API ox_commands ox_commands_create_at(ox_world *world, const ox_commands_def *def, ox_site site);
/// ox_commands_create(world, NULL), or ox_commands_create(world, &(ox_commands_def){...}).
#define ox_commands_create(world, ...) ox_commands_create_at(world, __VA_ARGS__, OX_HERE)

/// Plays back all commands. Waits for all jobs of the world, unless there are no commands. Complete
/// jobs that record before.
/// @return false after a report: playback could not begin, or stopped out of memory. Commands
/// played back until then took full effect, and another call continues where it stopped.
OX_API bool ox_commands_playback_at(ox_commands commands, ox_site site);
#define ox_commands_playback(commands) ox_commands_playback_at(commands, OX_HERE)

/// Removes all commands, played back or not, and invalidates temporary ids. @return false after a
/// report.
OX_API bool ox_commands_clear_at(ox_commands commands, ox_site site);
#define ox_commands_clear(commands) ox_commands_clear_at(commands, OX_HERE)

/// Disposes a buffer: all copies of the handle are stale from then on. Warns about commands that
/// were never played back; clear the buffer first if you intend that.
OX_API void ox_commands_dispose_at(ox_commands *commands, ox_site site);
#define ox_commands_dispose(commands) ox_commands_dispose_at(commands, OX_HERE)

/// Returns the same buffer with a key: commands recorded through this copy come before those with a
/// larger key, regardless of the job; those of main still come last. The default key is 0.
static inline ox_commands ox_commands_at_key(ox_commands commands, int32_t key);

/// Information about a buffer.
typedef struct ox_commands_info {
    uint64_t count;     ///< recorded commands
    uint64_t played;    ///< of those, how many the last playback has processed
    uint64_t failed;    ///< of those, how many it skipped with a report
    uint64_t moved;     ///< rows that the last playback moved or created
    uint64_t copies;    ///< copies of contiguous rows that it made
    uint64_t windows;   ///< batches of commands that it took
    uint32_t jobs;      ///< jobs that it used
    uint32_t playbacks; ///< how often it was played back completely
    const char *system; ///< the system that requested it, or ""
    bool is_playing;    ///< it is being played back
    bool is_stopped;    ///< playback stopped out of memory
} ox_commands_info;

/// Returns information about a buffer; zeros for a stale handle. On the world's thread, while no
/// job records.
OX_API ox_commands_info ox_commands_get_info(ox_commands commands);

// Recording, on main, or in a job that holds the handle. Values are copied. Entity fields in them
// may hold temporary ids of the same buffer; playback replaces them with the new entities. Calls
// return false, or the null entity, after a report, and then record nothing.

/// Creates an entity with these values, as ox_entity_create does. @return a temporary id, for later
/// commands of this buffer and for their values, and nothing else.
OX_API ox_entity ox_commands_create_entity_at(ox_commands commands, const ox_value *values,
                                              int count, ox_site site);
/// ox_commands_create_entity(commands, OX_VALUE(Position, {1, 2}), ...), or without values.
#define ox_commands_create_entity(...)                                                             \
    OXI_CALL_WITH_VALUES(ox_commands_create_entity_at, __VA_ARGS__, OXI_NO_VALUE)

/// Creates an entity of an archetype of the world, as ox_entity_create_in does; its values are
/// zero. Get the archetype on main, with ox_archetype_of, and pass it to the job. @return a
/// temporary id; the null entity after a report.
OX_API ox_entity ox_commands_create_entity_in_at(ox_commands commands, ox_archetype archetype,
                                                 ox_site site);
#define ox_commands_create_entity_in(commands, archetype)                                          \
    ox_commands_create_entity_in_at(commands, archetype, OX_HERE)

/// Copies an entity and its linked group, as ox_entity_instantiate does. `source` may be a
/// temporary id. @return a temporary id; the null entity after a report.
OX_API ox_entity ox_commands_instantiate_at(ox_commands commands, ox_entity source, ox_site site);
#define ox_commands_instantiate(commands, source)                                                  \
    ox_commands_instantiate_at(commands, source, OX_HERE)

/// Destroys an entity and its linked group. Ignores an entity that is stale at playback.
OX_API bool ox_commands_destroy_entity_at(ox_commands commands, ox_entity entity, ox_site site);
#define ox_commands_destroy_entity(commands, entity)                                               \
    ox_commands_destroy_entity_at(commands, entity, OX_HERE)

/// Adds a component with a value, NULL for zeros. If the entity has the component, sets the value.
OX_API bool ox_commands_add_at(ox_commands commands, ox_entity entity, uint32_t component,
                               const void *value, ox_site site);
/// ox_commands_add(commands, ship, Position, {1, 2}), or without a value, as ox_add.
#define ox_commands_add(commands, entity, ...)                                                     \
    ox_commands_add_at(commands, entity, OXI_ID_AND_VALUE(__VA_ARGS__), OX_HERE)
/// The same for a tag: ox_commands_add_tag(commands, ship, Frozen).
#define ox_commands_add_tag(commands, entity, T)                                                   \
    ox_commands_add_at(commands, entity, ox_component_id_of(T), NULL, OX_HERE)

/// Adds several components, all or none.
OX_API bool ox_commands_add_many_at(ox_commands commands, ox_entity entity, const ox_value *values,
                                    int count, ox_site site);
/// ox_commands_add_many(commands, ship, OX_VALUE(Position, {1, 2}), OX_VALUE_TAG(Frozen)).
#define ox_commands_add_many(commands, entity, ...)                                                \
    ox_commands_add_many_at(commands, entity, OXI_ARRAY(ox_value, __VA_ARGS__),                    \
                            OXI_LENGTH(ox_value, __VA_ARGS__), OX_HERE)

/// Sets the value of a data or shared component, which the entity must have at playback.
OX_API bool ox_commands_set_at(ox_commands commands, ox_entity entity, uint32_t component,
                               const void *value, ox_site site);
/// ox_commands_set(commands, ship, Position, {1, 2}).
#define ox_commands_set(commands, entity, T, ...)                                                  \
    ox_commands_set_at(commands, entity, ox_component_id_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Removes a component, which the entity must have at playback.
OX_API bool ox_commands_remove_at(ox_commands commands, ox_entity entity, uint32_t component,
                                  ox_site site);
#define ox_commands_remove(commands, entity, T)                                                    \
    ox_commands_remove_at(commands, entity, ox_component_id_of(T), OX_HERE)

/// Enables or disables a component of an entity.
OX_API bool ox_commands_set_enabled_at(ox_commands commands, ox_entity entity, uint32_t component,
                                       bool is_enabled, ox_site site);
/// ox_commands_set_enabled(commands, orc, Stunned, true).
#define ox_commands_set_enabled(commands, entity, T, is_enabled)                                   \
    ox_commands_set_enabled_at(commands, entity, ox_component_id_of(T), is_enabled, OX_HERE)

/// Enables or disables an entity and its linked group: see ox_entity_set_enabled.
OX_API bool ox_commands_set_entity_enabled_at(ox_commands commands, ox_entity entity,
                                              bool is_enabled, ox_site site);
#define ox_commands_set_entity_enabled(commands, entity, is_enabled)                               \
    ox_commands_set_entity_enabled_at(commands, entity, is_enabled, OX_HERE)

// Buffers of entities.

/// What a command does with a buffer.
typedef enum ox_buffer_change {
    OX_BUFFER_ADD = 0, ///< adds the buffer if it is missing; replaces all elements
    OX_BUFFER_SET,     ///< replaces all elements; the buffer must exist
    OX_BUFFER_APPEND,  ///< adds the elements at the end; the buffer must exist
} ox_buffer_change;

/// Changes a buffer of an entity with `count` elements of the component's size.
OX_API bool ox_commands_change_buffer_at(ox_commands commands, ox_entity entity, uint32_t component,
                                         ox_buffer_change change, const void *elements,
                                         int64_t count, ox_site site);
/// Adds a buffer with elements: ox_commands_add_buffer(commands, orc, Waypoint, path, 3). NULL and
/// 0 for an empty one.
#define ox_commands_add_buffer(commands, entity, T, elements, count)                               \
    OXI_COMMANDS_BUFFER(commands, entity, T, OX_BUFFER_ADD, elements, count)
/// Replaces the elements of a buffer, which must exist.
#define ox_commands_set_buffer(commands, entity, T, elements, count)                               \
    OXI_COMMANDS_BUFFER(commands, entity, T, OX_BUFFER_SET, elements, count)
/// Adds an element to a buffer, which must exist: ox_commands_push(commands, orc, Waypoint, {1,
/// 2}).
#define ox_commands_push(commands, entity, T, ...)                                                 \
    OXI_COMMANDS_BUFFER(commands, entity, T, OX_BUFFER_APPEND, OXI_VALUE(T, __VA_ARGS__), 1)
/// Adds several elements to a buffer, which must exist.
#define ox_commands_push_many(commands, entity, T, elements, count)                                \
    OXI_COMMANDS_BUFFER(commands, entity, T, OX_BUFFER_APPEND, elements, count)

// Commands by query. Playback finds the entities that match, including filters. The command fails
// if the query is destroyed before. Main only.

/// Adds a component, with zeros, to all entities that match and lack it.
OX_API bool ox_commands_query_add_at(ox_commands commands, ox_query *query, uint32_t component,
                                     ox_site site);
#define ox_commands_query_add(commands, query, T)                                                  \
    ox_commands_query_add_at(commands, query, ox_component_id_of(T), OX_HERE)

/// Removes a component from all entities that match and have it.
OX_API bool ox_commands_query_remove_at(ox_commands commands, ox_query *query, uint32_t component,
                                        ox_site site);
#define ox_commands_query_remove(commands, query, T)                                               \
    ox_commands_query_remove_at(commands, query, ox_component_id_of(T), OX_HERE)

/// Sets a shared component of all entities that match.
OX_API bool ox_commands_query_set_shared_at(ox_commands commands, ox_query *query,
                                            uint32_t component, const void *value, ox_site site);
#define ox_commands_query_set_shared(commands, query, T, ...)                                      \
    ox_commands_query_set_shared_at(commands, query, ox_component_id_of(T),                        \
                                    OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Destroys all entities that match.
OX_API bool ox_commands_query_destroy_entities_at(ox_commands commands, ox_query *query,
                                                  ox_site site);
#define ox_commands_query_destroy_entities(commands, query)                                        \
    ox_commands_query_destroy_entities_at(commands, query, OX_HERE)

/// Returns true for a temporary id, of any buffer.
static inline bool ox_entity_is_temporary(ox_entity entity) {
    return entity.index >> 30 == 2; // a world has fewer entities
}

// Inline code and macros.
#include "oxbow/detail/commands.h"
