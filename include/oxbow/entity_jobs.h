// SPDX-License-Identifier: MIT
//
// Jobs over entities. The body runs once for each matching entity, or once for each chunk, on all
// worker threads.
//
//     OX_ENTITY_JOB(Move, (OX_WRITE(Position, position), OX_READ(Velocity, velocity)),
//                   { float dt; })
//     {
//         position->x += velocity->x * job->dt;
//     }
//
//     ox_job moved = ox_schedule_entities(Move, world, OX_AUTO, {dt});
//
// Jobs are scheduled in the name of a system, or of the world itself outside systems.
//
// Dependencies: with OX_AUTO the job waits for exactly those jobs of its world that conflict with
// its terms: writers of what it reads, readers and writers of what it writes. With a handle of your
// own it waits for that handle; the checked library refuses the job if the handle does not cover
// every conflict. On main, reading or writing a component first completes the jobs that conflict
// with it. A structural change completes all jobs of the world.
//
// Lookups, which get components by entity on main and in jobs, follow below.
//
// Threads: schedule from main, which must be the world's thread.

#pragma once

#include "oxbow/buffers.h"
#include "oxbow/jobs.h"
#include "oxbow/queries.h"

/// A source of jobs: a system or group, or the world itself (its root system). Reports name it.
typedef struct ox_system {
    ox_world *world;
    const char *name;
} ox_system;

/// Returns the root system of a world, which schedules jobs in the name of the world itself. Calls
/// that schedule also take the world.
OX_API ox_system *ox_world_get_root(ox_world *world);

/// Completes all jobs of a world. Call it at the end of a timed frame, or before code outside the
/// world reads containers that jobs write.
/// @return false after a report: an outstanding job uses the world, and no system or handle will
/// complete it.
OX_API bool ox_world_complete_at(ox_world *world, ox_site site);
#define ox_world_complete(world) ox_world_complete_at(world, OX_HERE)

/// A kind of job over entities. Made by OX_ENTITY_JOB and OX_CHUNK_JOB. Without the macros, fill
/// `job` with a range function and `terms` with the terms.
typedef struct ox_entity_job_type {
    ox_job_type job;
    const ox_term *terms; ///< end with OX_TERM_END
} ox_entity_job_type;

/// The rows of one chunk, as a range function of a job over entities sees them.
typedef struct ox_entity_rows {
    int count;
    const ox_entity *entities;
    void *const *columns; ///< one per term, up to the last that has values; NULL for others
    bool is_masked;       ///< some rows may not match: see ox_entity_job_mask
    const void *oxi_list;
} ox_entity_rows;

/// For range functions: returns the rows of the chunk at `index`. `data` and `size` are those of
/// the job's struct.
OX_API ox_entity_rows ox_entity_job_rows(const void *data, size_t size, int index);

/// For range functions: sets one bit in `mask` (OX_CHUNK_WORDS words) for each matching row, using
/// the enabled bits at this moment. Call it once per chunk.
/// @return the number of rows if all match, with `mask` unchanged; 0 if none matches; else -1.
OX_API int ox_entity_job_mask(const void *data, size_t size, int index, uint64_t *mask);

/// For range functions: returns the buffers of a column, from a row on.
OX_API ox_buffers ox_entity_rows_buffers(const ox_entity_rows *rows, int column, int first,
                                         bool writes);

/// Schedules a job over all entities that match its terms. `data` is copied.
/// @return the job's handle, or OX_NO_JOB after a report.
OX_API ox_job ox_schedule_entities_at(ox_entity_job_type *type, ox_system *system, ox_job after,
                                      const void *data, ox_site site);

/// Schedules the job over the entities of a query, honouring its filters. The query's terms must
/// include everything the job reads and writes.
OX_API ox_job ox_schedule_query_at(ox_entity_job_type *type, ox_query *query, ox_job after,
                                   const void *data, ox_site site);

/// ox_schedule_entities(Move, system, OX_AUTO, {.dt = 1}), or without a value if the job has no
/// fields. A world instead of the system means its root system.
#define ox_schedule_entities(Job, system, ...)                                                     \
    OXI_CHECKED(OXI_IS_JOB(Job, OXI_JOB_OVER_ENTITIES),                                            \
                "ox_schedule_entities is for an OX_ENTITY_JOB or OX_CHUNK_JOB; " #Job              \
                " is another kind of job",                                                         \
                ox_schedule_entities_at(&oxi_entity_job_##Job, OXI_SYSTEM_OF(system),              \
                                        OXI_AND_FIELDS(Job, __VA_ARGS__), OX_HERE))

/// ox_schedule_query(Move, query, OX_AUTO, {.dt = 1}).
#define ox_schedule_query(Job, query, ...)                                                         \
    OXI_CHECKED(OXI_IS_JOB(Job, OXI_JOB_OVER_ENTITIES),                                            \
                "ox_schedule_query is for an OX_ENTITY_JOB or OX_CHUNK_JOB; " #Job                 \
                " is another kind of job",                                                         \
                ox_schedule_query_at(&oxi_entity_job_##Job, query,                                 \
                                     OXI_AND_FIELDS(Job, __VA_ARGS__), OX_HERE))

/// Declares a job for each entity: OX_ENTITY_JOB(Move, (terms), { fields }), or OX_ENTITY_JOB(Move,
/// (terms)) without fields. Its body has `const Job *job` and the names of its terms: a pointer to
/// each component that is read or written, an ox_buffer for a buffer component, an ox_entity for
/// OX_ENTITY(name), and an ox_switch for OX_ENABLED.
#define OX_ENTITY_JOB(...)                                                                         \
    OXI_PASTE(OXI_ENTITY_JOB_, OXI_FORM_OF_JOB(__VA_ARGS__, OXI_END, OXI_END, ~))                  \
    (OXI_FIRST(__VA_ARGS__, ~), OXI_RAW_##__VA_ARGS__)

/// Declares a job for each chunk: OX_CHUNK_JOB(Move, (terms), { fields }), or OX_CHUNK_JOB(Move,
/// (terms)) without fields. Its body has `const Job *job`, `int count`, and a column for each name:
/// `count` values, the single value of a shared component, or an ox_buffers.
#define OX_CHUNK_JOB(...)                                                                          \
    OXI_PASTE(OXI_CHUNK_JOB_, OXI_FORM_OF_JOB(__VA_ARGS__, OXI_END, OXI_END, ~))                   \
    (OXI_FIRST(__VA_ARGS__, ~), OXI_RAW_##__VA_ARGS__)

/// A term of a job: an `int`, the number of the row among all rows of the job's chunks; in a job
/// over chunks, that of the first row. Each row has a unique number, from 0 on, in the order of a
/// walk over the query. Rows that do not match because of enabled bits also count. So an array of
/// ox_query_count_all elements can hold a result for each row, at its number.
#define OX_INDEX(name) (OXI_VALUED, OX_TERM_INDEX, index, index, ox_entity, NULL, name)

/// A term of a job: OX_CHANGED(Position, is_moved) is a `bool`, true if values of the component in
/// the chunk may have been written since the last run of the system that schedules the job. For the
/// world's root system: since the job was last scheduled, at another version, see
/// ox_world_advance_version. True the first time. The term does not access the component.
#define OX_CHANGED(...) OXI_CHANGED_TERM(__VA_ARGS__, OXI_MISSING_NAME, ~)

/// A term of a job: the entity itself.
#define OX_ENTITY(name) (OXI_VALUED, OX_TERM_ENTITY, entity, entity, ox_entity, NULL, name)

// In a job, OX_ENABLED(Stunned, is_stunned) gives the enabled bit of the row a name:
//
//     OX_ENTITY_JOB(Recover, (OX_WRITE(Stunned, stun), OX_ENABLED(Stunned, is_stunned)),
//                   { float dt; })
//     {
//         stun->seconds -= job->dt;
//         ox_switch_set_on(is_stunned, stun->seconds > 0);
//     }

/// The enabled bit of a component of one row.
typedef struct ox_switch {
    uint64_t *oxi_word;
    uint64_t oxi_bit; ///< set if it is disabled
} ox_switch;

/// Returns true if the component is enabled.
static inline bool ox_switch_is_on(ox_switch of) {
    return (*of.oxi_word & of.oxi_bit) == 0;
}

/// Enables or disables the component.
static inline void ox_switch_set_on(ox_switch of, bool is_enabled) {
    *of.oxi_word = is_enabled ? *of.oxi_word & ~of.oxi_bit : *of.oxi_word | of.oxi_bit;
}

/// The enabled bits of a component, in a job over chunks: one for each row.
typedef struct ox_switches {
    uint64_t *oxi_words;
    int oxi_first;
} ox_switches;

/// Returns the enabled bit of a row.
static inline ox_switch ox_switches_get(ox_switches all, int row);

// Lookups: a component by entity, for many entities in any order, on main and in jobs.
//
//     ox_lookup places = ox_lookup_create(world, Place);
//     const Place *place = ox_lookup_get(&places, entity, Place);
//
//     OX_ENTITY_JOB(Chase, (OX_WRITE(Place, place), OX_READ(Target, target)),
//                   { OX_READ_ONLY ox_lookup targets; })
//     {
//         const Aim *aim = ox_lookup_get(&job->targets, target->who, Aim);
//         ...
//     }
//
// A job over entities may hold lookups of its world. They count as terms: with OX_AUTO the job
// waits for the jobs that write the component, and later jobs wait for it. A lookup in a field that
// is not OX_READ_ONLY writes. Two rows may look up the same entity, so such a field is also
// OX_UNRESTRICTED, and the job guarantees that two rows do not write the same value. All chunks
// with the component count as changed when the job is scheduled.
//
// Other jobs may also hold lookups, of any worlds. These jobs have no terms: schedule them in a job
// system and return a handle that covers them, or complete them yourself. Until then, a call on
// main that conflicts with them is refused with a report. In a parallel job a lookup that writes is
// OX_UNRESTRICTED, as in a job over entities.
//
// On main, call these on the world's thread. They wait for jobs as ox_get and ox_edit do.

struct oxi_reach;

/// A component by entity. Copy it freely; it is valid as long as its world.
typedef struct ox_lookup {
    ox_world *world;
    ox_access access; ///< for the safety system, in jobs
    uint32_t component;
    uint32_t oxi_local; ///< the number of the component in the world
    const struct oxi_reach *oxi_reach;
} ox_lookup;

/// Creates a lookup. @return a zeroed one after a report.
OX_API ox_lookup ox_lookup_create_at(ox_world *world, uint32_t component, ox_site site);
#define ox_lookup_create(world, T) ox_lookup_create_at(world, ox_component_id_of(T), OX_HERE)

/// Returns true if the entity exists and has the component.
OX_API bool ox_lookup_has(const ox_lookup *lookup, ox_entity entity);

/// Returns the address of the value of an entity, for reading. It is valid as long as a pointer of
/// ox_get, in a job as long as the job. After a report it points to zeros.
OX_API const void *ox_lookup_get_at(const ox_lookup *lookup, ox_entity entity, ox_site site);
/// ox_lookup_get(&targets, entity, Aim)->x. Gives an ox_buffer for a buffer. Reports a T that is
/// not the component of the lookup.
#define ox_lookup_get(lookup, entity, T)                                                           \
    OXI_SEE_READ(T, OXI_PICK(T, oxi_lookup_get, oxi_lookup_get_buffer)(                            \
                        lookup, entity, ox_component_id_of(T), OX_HERE))

/// The same for writing; marks the component as changed.
OX_API void *ox_lookup_edit_at(const ox_lookup *lookup, ox_entity entity, ox_site site);
/// ox_lookup_edit(&job->targets, entity, Aim)->x = 1. Gives an ox_buffer for a buffer.
#define ox_lookup_edit(lookup, entity, T)                                                          \
    OXI_SEE_WRITE(T, OXI_PICK(T, oxi_lookup_edit, oxi_lookup_edit_buffer)(                         \
                         lookup, entity, ox_component_id_of(T), OX_HERE))

/// Returns a copy of the value of an entity: Aim aim = ox_lookup_read(&targets, entity, Aim).
#define ox_lookup_read(lookup, entity, T) (*ox_lookup_get(lookup, entity, T))

/// Sets the value of an entity: ox_lookup_set(&job->targets, entity, Aim, {1, 2}). The value comes
/// last and may be braced.
#define ox_lookup_set(lookup, entity, T, ...)                                                      \
    ((void)(*ox_lookup_edit(lookup, entity, T) = *OXI_VALUE(T, __VA_ARGS__)))

/// Returns true if the entity exists and has the component, and it is enabled.
OX_API bool ox_lookup_is_enabled_at(const ox_lookup *lookup, ox_entity entity, ox_site site);
#define ox_lookup_is_enabled(lookup, entity) ox_lookup_is_enabled_at(lookup, entity, OX_HERE)

/// Enables or disables the component of an entity, and marks the component as changed. @return
/// false after a report.
OX_API bool ox_lookup_set_enabled_at(const ox_lookup *lookup, ox_entity entity, bool is_enabled,
                                     ox_site site);
#define ox_lookup_set_enabled(lookup, entity, is_enabled)                                          \
    oxi_lookup_set_enabled(lookup, entity, is_enabled, OX_HERE)

/// Returns the buffer of an entity, on main and in jobs that hold the lookup: the plain form of
/// ox_lookup_get and ox_lookup_edit for buffers. In a job it is valid as long as the job. {0} after
/// a report.
OX_API ox_buffer ox_lookup_get_buffer_at(const ox_lookup *lookup, ox_entity entity, bool writes,
                                         ox_site site);

// Inline code and macros.
#include "oxbow/detail/entity_jobs.h"
#include "oxbow/detail/reach.h"
