// SPDX-License-Identifier: MIT
//
// Commands: structural changes that are written down now, on main or in jobs, and carried out
// later, all together.
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
// One handle serves main and any number of threads of a job. Commands are carried out in one order
// for any number of workers: those of jobs first, by job in the order of scheduling, by index, and
// as recorded within an index; then those of main. Recording waits for nobody and takes no lock. In
// a system, ox_system_commands gives a buffer that is played back and disposed automatically.
//
// A command does what the call of the same name does. When it cannot be carried out it is skipped,
// and reported (OX-D04) with its number, who recorded it and where; the others are carried out. Two
// differ from the calls: destroying an entity that is not alive is no mistake, and an entity that
// commands create is known by a temporary id until they are played back.
//
// A stale handle, of a buffer or of a world that is gone, is reported at every level.
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
    uint32_t oxi_serial; ///< of the buffer: another one may have its memory later
    int32_t oxi_key;     ///< of what is recorded through this copy
    ox_access access;
} ox_commands;

/// How to make a buffer. Zero every field you do not set.
typedef struct ox_commands_def {
    uint32_t _guard_begin;

    /// What reports call it. Copied, up to 31 bytes. NULL means "commands".
    const char *name;

    /// It may be played back any number of times; each time makes new entities. Otherwise once.
    bool plays_often;

    uint32_t _guard_end;
} ox_commands_def;

/// Makes an empty buffer for a world. `def` may be NULL. @return {0} after a report.
OX_API ox_commands ox_commands_create_at(ox_world *world, const ox_commands_def *def, ox_site site);
/// ox_commands_create(world, NULL), or ox_commands_create(world, &(ox_commands_def){...}).
#define ox_commands_create(world, ...) ox_commands_create_at(world, __VA_ARGS__, OX_HERE)

/// Carries all commands out. Waits for all jobs of the world, unless there are no commands. Jobs
/// that record must be complete.
/// @return false after a report that playback could not begin, or stopped because it was out of
/// memory: then what was carried out is whole, and another call goes on where it stopped.
OX_API bool ox_commands_playback_at(ox_commands commands, ox_site site);
#define ox_commands_playback(commands) ox_commands_playback_at(commands, OX_HERE)

/// Forgets all commands, played back or not: the buffer is as new, and temporary ids end.
OX_API bool ox_commands_clear_at(ox_commands commands, ox_site site);
#define ox_commands_clear(commands) ox_commands_clear_at(commands, OX_HERE)

/// Ends a buffer; every copy of the handle is dead from here on. Commands that were never played
/// back are lost, with a warning; clear it first if that is meant.
OX_API void ox_commands_dispose_at(ox_commands *commands, ox_site site);
#define ox_commands_dispose(commands) ox_commands_dispose_at(commands, OX_HERE)

/// The same buffer with a key: what is recorded through this copy comes before what has a larger
/// key, whichever job records it; main's still come last. The key of all others is 0.
static inline ox_commands ox_commands_at_key(ox_commands commands, int32_t key);

/// What is known of a buffer.
typedef struct ox_commands_info {
    uint64_t count;     ///< commands that were recorded
    uint64_t played;    ///< of those, how many the last playback has come past
    uint64_t failed;    ///< and how many of them were skipped, with a report
    uint64_t moved;     ///< rows that the last playback moved or made
    uint64_t copies;    ///< in how many pieces
    uint64_t windows;   ///< in how many steps
    uint32_t jobs;      ///< jobs that it used
    uint32_t playbacks; ///< how often it was played back to the end
    const char *system; ///< who asked for it, or ""
    bool is_playing;    ///< it is being played back
    bool is_stopped;    ///< playback stopped half-way, for want of memory
} ox_commands_info;

/// Tells about a buffer; zeros for one that has ended. On the world's thread, while no job records.
OX_API ox_commands_info ox_commands_get_info(ox_commands commands);

// Recording. On main, or in a job that holds the handle. Values are copied; entity fields in them
// may hold temporary ids of the same buffer, which become what was created. Calls answer false, or
// the null entity, after a report: then nothing was recorded.

/// Creates an entity with these values, as ox_entity_create does. @return a temporary id: it stands
/// for the entity in later commands of this buffer and in values given to them, and nowhere else.
OX_API ox_entity ox_commands_create_entity_at(ox_commands commands, const ox_value *values,
                                              int count, ox_site site);
/// ox_commands_create_entity(commands, OX_VALUE(Position, {1, 2}), ...), or without values.
#define ox_commands_create_entity(...)                                                             \
    OXI_CALL_WITH_VALUES(ox_commands_create_entity_at, __VA_ARGS__, OXI_NO_VALUE)

/// Creates an entity of an archetype of the world, as ox_entity_create_in does; its values are
/// zero. Make the archetype on main, with ox_archetype_of, and give it to the job. @return a
/// temporary id; the null entity after a report.
OX_API ox_entity ox_commands_create_entity_in_at(ox_commands commands, ox_archetype archetype,
                                                 ox_site site);
#define ox_commands_create_entity_in(commands, archetype)                                          \
    ox_commands_create_entity_in_at(commands, archetype, OX_HERE)

/// Copies an entity and its linked group, as ox_entity_instantiate does. `source` may be temporary.
OX_API ox_entity ox_commands_instantiate_at(ox_commands commands, ox_entity source, ox_site site);
#define ox_commands_instantiate(commands, source)                                                  \
    ox_commands_instantiate_at(commands, source, OX_HERE)

/// Destroys an entity and its linked group. One that is not alive by then is ignored.
OX_API bool ox_commands_destroy_entity_at(ox_commands commands, ox_entity entity, ox_site site);
#define ox_commands_destroy_entity(commands, entity)                                               \
    ox_commands_destroy_entity_at(commands, entity, OX_HERE)

/// Adds a component with a value, NULL for zeros; sets the value when it is there.
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

/// Sets a component, plain or shared, which the entity must have by then.
OX_API bool ox_commands_set_at(ox_commands commands, ox_entity entity, uint32_t component,
                               const void *value, ox_site site);
/// ox_commands_set(commands, ship, Position, {1, 2}).
#define ox_commands_set(commands, entity, T, ...)                                                  \
    ox_commands_set_at(commands, entity, ox_component_id_of(T), OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Removes a component, which the entity must have by then.
OX_API bool ox_commands_remove_at(ox_commands commands, ox_entity entity, uint32_t component,
                                  ox_site site);
#define ox_commands_remove(commands, entity, T)                                                    \
    ox_commands_remove_at(commands, entity, ox_component_id_of(T), OX_HERE)

/// Switches a component of an entity on or off.
OX_API bool ox_commands_set_enabled_at(ox_commands commands, ox_entity entity, uint32_t component,
                                       bool is_enabled, ox_site site);
/// ox_commands_set_enabled(commands, orc, Stunned, true).
#define ox_commands_set_enabled(commands, entity, T, is_enabled)                                   \
    ox_commands_set_enabled_at(commands, entity, ox_component_id_of(T), is_enabled, OX_HERE)

/// Switches a whole entity, and its linked group, on or off: see ox_entity_set_enabled.
OX_API bool ox_commands_set_entity_enabled_at(ox_commands commands, ox_entity entity,
                                              bool is_enabled, ox_site site);
#define ox_commands_set_entity_enabled(commands, entity, is_enabled)                               \
    ox_commands_set_entity_enabled_at(commands, entity, is_enabled, OX_HERE)

// Buffers of entities.

/// What a command does with a buffer.
typedef enum ox_buffer_change {
    OX_BUFFER_ADD = 0, ///< adds it if it is not there; the elements take the place of all others
    OX_BUFFER_SET,     ///< the elements take the place of all others; it must be there
    OX_BUFFER_APPEND,  ///< the elements come behind those that are there; it must be there
} ox_buffer_change;

/// Gives `count` elements, of the component's size, to a buffer of an entity.
OX_API bool ox_commands_change_buffer_at(ox_commands commands, ox_entity entity, uint32_t component,
                                         ox_buffer_change change, const void *elements,
                                         int64_t count, ox_site site);
/// ox_commands_add_buffer(commands, orc, Waypoint, path, 3); NULL and 0 for an empty one.
#define ox_commands_add_buffer(commands, entity, T, elements, count)                               \
    OXI_COMMANDS_BUFFER(commands, entity, T, OX_BUFFER_ADD, elements, count)
/// The same for a buffer that must be there.
#define ox_commands_set_buffer(commands, entity, T, elements, count)                               \
    OXI_COMMANDS_BUFFER(commands, entity, T, OX_BUFFER_SET, elements, count)
/// ox_commands_push(commands, orc, Waypoint, {1, 2}).
#define ox_commands_push(commands, entity, T, ...)                                                 \
    OXI_COMMANDS_BUFFER(commands, entity, T, OX_BUFFER_APPEND, OXI_VALUE(T, __VA_ARGS__), 1)
/// Several elements behind those that are there.
#define ox_commands_push_many(commands, entity, T, elements, count)                                \
    OXI_COMMANDS_BUFFER(commands, entity, T, OX_BUFFER_APPEND, elements, count)

// By query. What matches, filters included, is found when the command is carried out; a query that
// was destroyed by then makes it fail. Main only.

/// Adds a component to all that match and lack it, with zeros.
OX_API bool ox_commands_query_add_at(ox_commands commands, ox_query *query, uint32_t component,
                                     ox_site site);
#define ox_commands_query_add(commands, query, T)                                                  \
    ox_commands_query_add_at(commands, query, ox_component_id_of(T), OX_HERE)

/// Removes a component from those that have it.
OX_API bool ox_commands_query_remove_at(ox_commands commands, ox_query *query, uint32_t component,
                                        ox_site site);
#define ox_commands_query_remove(commands, query, T)                                               \
    ox_commands_query_remove_at(commands, query, ox_component_id_of(T), OX_HERE)

/// Sets a shared component of all that match.
OX_API bool ox_commands_query_set_shared_at(ox_commands commands, ox_query *query,
                                            uint32_t component, const void *value, ox_site site);
#define ox_commands_query_set_shared(commands, query, T, ...)                                      \
    ox_commands_query_set_shared_at(commands, query, ox_component_id_of(T),                        \
                                    OXI_VALUE(T, __VA_ARGS__), OX_HERE)

/// Destroys all that match.
OX_API bool ox_commands_query_destroy_entities_at(ox_commands commands, ox_query *query,
                                                  ox_site site);
#define ox_commands_query_destroy_entities(commands, query)                                        \
    ox_commands_query_destroy_entities_at(commands, query, OX_HERE)

/// True for a temporary id, of whatever buffer.
static inline bool ox_entity_is_temporary(ox_entity entity) {
    return entity.index >> 30 == 2; // a world has fewer entities
}

// Inline code and macros.
#include "oxbow/detail/commands.h"
