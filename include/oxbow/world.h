// SPDX-License-Identifier: MIT
//
// Worlds. A world owns entities and all data attached to them. A program may have several worlds;
// they share component types and nothing else.
//
//     ox_world *world = ox_world_create(NULL);
//     ...
//     ox_world_destroy(world);
//
// Calls that create take a def by address, NULL for all defaults: ox_world_create(&(ox_world_def){
// .name = "sea"}). C++ has no address of a temporary, so there a def is a variable:
//
//     ox_world_def def = {};
//     def.name = "sea";
//     ox_world *world = ox_world_create(&def);
//
// Moving and copying entities between worlds, and lending a world to a job or to another thread
// (transactions), follow below.
//
// Threads: call every function that takes a world from the thread that created it, and never from
// inside a job. Calls from other threads are reported. Functions without an `_at` form only read;
// they never report, and return 0 or a zeroed struct for a NULL world.

#pragma once

#include "oxbow/components.h"
#include "oxbow/memory.h"
#include "oxbow/report.h"
#include "oxbow/safety.h"

/// A world.
typedef struct ox_world ox_world;

/// A query of one world: see oxbow/queries.h.
typedef struct ox_query ox_query;

/// How the removal of an entity affects the order of the others.
typedef enum ox_removal {
    OX_REMOVAL_ORDERED = 0, ///< the others keep their order
    OX_REMOVAL_SWAP,        ///< the last one of its chunk takes its place
} ox_removal;

/// Describes a world. Zero every field you do not set: zero is the default of each.
typedef struct ox_world_def {
    uint32_t _guard_begin;

    /// Its name in reports. Copied, up to 31 bytes. NULL means "world".
    const char *name;

    /// Initial capacity, in entities, up to the limit. The world grows as needed.
    uint32_t entity_capacity;

    /// Maximum number of live entities. 0 means no limit but the number of ids, 2^30.
    uint32_t entity_limit;

    ox_removal removal;

    /// Allocator for everything the world allocates except chunks and the id table: names, queries,
    /// bookkeeping and temporary memory. 0 means OX_PERSISTENT; else one of ox_allocator_create,
    /// which must outlive the world and is called on the world's thread only. Chunks and the id
    /// table use pages of the operating system; free chunks are shared by all worlds. Job data uses
    /// the job system's memory.
    ox_allocator allocator;

    /// Do not add declared systems to this world, and do not make it the active world.
    bool no_systems;

    /// ox_world_update does not end the frame: the program calls ox_frame_end.
    bool host_ends_frames;

    /// Receives the reports of this world. {0} means the handler of the process.
    ox_report_handler on_report;

    uint32_t _guard_end;
} ox_world_def;

/// Creates a world. `def` is copied and may be NULL for all defaults.
/// @return NULL after a report.
OX_API ox_world *ox_world_create_at(const ox_world_def *def, ox_site site);
#define ox_world_create(...) ox_world_create_at(__VA_ARGS__, OX_HERE)

/// Completes all jobs of a world, and destroys it with all its entities. Also completes, with a
/// warning, outstanding jobs of no system that hold views or lookups of it; the release library
/// does not know of such jobs: complete them first. NULL is ignored.
OX_API void ox_world_destroy_at(ox_world *world, ox_site site);
#define ox_world_destroy(world) ox_world_destroy_at(world, OX_HERE)

/// Returns the active world: the one that was set, or else the first one created without
/// `no_systems`. NULL if there is none, or it was destroyed. Its only special effect is that its
/// update ends the frame. Any thread.
OX_API ox_world *ox_world_get_active(void);

/// Makes a world the active one; NULL for none. Any thread.
OX_API void ox_world_set_active(ox_world *world);

/// Returns the def in use, with all defaults filled in.
OX_API ox_world_def ox_world_get_def(const ox_world *world);

/// Reserves ids for `entity_count` entities in total, including existing ones. A world grows
/// automatically; reserve to avoid page faults in the middle of a frame. This reserves ids, not
/// rows.
/// @return false after a report.
OX_API bool ox_world_reserve_at(ox_world *world, int64_t entity_count, ox_site site);
#define ox_world_reserve(world, entity_count)                                                      \
    ox_world_reserve_at(world, (int64_t)(entity_count), OX_HERE)

/// The contents of a world.
typedef struct ox_world_usage {
    uint32_t entity_count;
    uint32_t entity_limit;
    uint32_t archetype_count;
    uint32_t chunk_count;   ///< chunks with entities
    uint64_t chunk_bytes;   ///< of all chunks of the world, including empty ones
    uint64_t buffer_bytes;  ///< of elements of buffers stored outside chunks
    uint64_t process_bytes; ///< of all chunks of all worlds
    uint64_t process_limit; ///< maximum bytes of chunks of the process; 0: none used yet
    uint64_t closing_count; ///< how often a chunk with holes was compacted
    uint64_t moved_rows;    ///< entities moved to keep order, or to join chunks
} ox_world_usage;

/// Returns the contents of a world, and how far it may grow.
OX_API ox_world_usage ox_world_get_usage(const ox_world *world);

/// Sets how many bytes of address space are reserved for the chunks of all worlds. Call it before
/// the first entity of the process. 0 means 64 GiB. Memory is only used for existing chunks. If the
/// address space of the process is limited (`ulimit -v`), chunks get an eighth of it at most: see
/// ox_world_get_usage.
/// @return false if the process already had entities.
OX_API bool ox_memory_set_chunk_limit(size_t bytes);

/// Returns a hash of the contents of a world: entities, their components and values, independent of
/// their order in memory. Padding, OX_UNOWNED pointers and names do not count. The same inputs give
/// the same hash on every run, for any number of workers. Returns 0 after a report, for example if
/// an outstanding job writes the world.
OX_API uint64_t ox_world_hash(const ox_world *world);

/// Returns a hash that additionally covers the layout: the order of entities, the rows of new ones,
/// and their ids.
OX_API uint64_t ox_world_hash_layout(const ox_world *world);

/// Completes all jobs of the world and checks every invariant. Slow: for tests.
/// @return false after a report: a bug of Oxbow, or a stray write of the program.
OX_API bool ox_world_validate_at(const ox_world *world, ox_site site);
#define ox_world_validate(world) ox_world_validate_at(world, OX_HERE)

/// Compacts chunks that are not full, keeping the order of entities. Stops after moving `max_rows`
/// entities, so it can be spread over frames. A structural change.
/// @return the number of moved entities; 0 if there is nothing left to do.
OX_API uint64_t ox_world_defragment_at(ox_world *world, uint64_t max_rows, ox_site site);
#define ox_world_defragment(world, max_rows) ox_world_defragment_at(world, max_rows, OX_HERE)

/// How full the chunks of a world are.
typedef struct ox_fragmentation {
    uint32_t chunk_count;
    uint32_t needed_count; ///< chunks that the same entities would need
    uint64_t entity_count;
    uint64_t entity_room;     ///< entities that fit in its chunks
    uint32_t archetype_count; ///< archetypes with entities
    const char *advice;       ///< what to do, as a sentence; never NULL
} ox_fragmentation;

/// Returns how full the chunks of a world are.
OX_API ox_fragmentation ox_world_get_fragmentation(const ox_world *world);

// Moving and copying entities between worlds.
//
//     ox_world_move(game, staging, NULL);              // all entities: staging is empty then
//     ox_world_move_query(game, query, NULL);          // those of a query of staging
//     ox_world_copy(game, library, &orc, &copy, 1);    // exactly these; the library keeps them
//
// A move takes whole chunks: their data stays where it is in memory, and only ids are written, so a
// large row costs no more than a small one. Entities get new ids in their new world, and the old
// ids are stale. An entity field, in a component or in an element of a buffer, that refers to an
// entity of the same move is changed to its new id; all others become null, because ids mean
// nothing in another world. Entities in shared values do not change.
//
// This thread must own both worlds; their jobs are completed first. The worlds may have different
// allocators and ways of removal. A call that fails after a report changes nothing.

/// Where a move writes ids: the old and the new one of each entity, at the same index. Zero every
/// field you do not set.
typedef struct ox_moved_ids {
    ox_entity *before; ///< NULL: not wanted
    ox_entity *after;  ///< NULL: not wanted
    int64_t capacity;  ///< entities that fit; a move of more is reported and moves nothing
} ox_moved_ids;

/// Moves all entities of `from` to `to`, including prefabs, disabled entities and destroyed ones
/// that keep cleanup components. New ids are assigned in the order of archetypes, chunks and rows,
/// as a query walks.
///
/// Arriving entities follow those already there, in order; then neighbouring chunks that fit in one
/// are joined. All of them count as changed once, with the version of `to`. Buffers, enabled bits
/// and shared values move with them; equal shared values are stored once. A name moves, unless an
/// entity of `to` has it: then the arriving entity loses it, with a warning.
/// @return the number of moved entities, or -1 after a report.
OX_API int64_t ox_world_move_at(ox_world *to, ox_world *from, const ox_moved_ids *ids,
                                ox_site site);
/// ox_world_move(to, from, NULL), or with &(ox_moved_ids){...}.
#define ox_world_move(to, ...) ox_world_move_at(to, __VA_ARGS__, OX_HERE)

/// The same for the chunks that match a query of the source, with its filters. Reports a query that
/// depends on enabled bits.
/// @return the number of moved entities, or -1 after a report.
OX_API int64_t ox_world_move_query_at(ox_world *to, ox_query *query, const ox_moved_ids *ids,
                                      ox_site site);
/// ox_world_move_query(to, query, NULL), or with &(ox_moved_ids){...}.
#define ox_world_move_query(to, ...) ox_world_move_query_at(to, __VA_ARGS__, OX_HERE)

/// Copies exactly these entities, each exactly once, into another world, and writes their copies to
/// `copies`, which may be NULL. As with ox_entities_copy, groups are not followed, ox_prefab is
/// kept, cleanup components and names are not copied, and buffers are. References between these
/// entities become references between their copies; other references become null. The source does
/// not change.
/// @return false after a report.
OX_API bool ox_world_copy_at(ox_world *to, ox_world *from, const ox_entity *entities,
                             ox_entity *copies, int64_t count, ox_site site);
#define ox_world_copy(to, from, entities, copies, count)                                           \
    ox_world_copy_at(to, from, entities, copies, (int64_t)(count), OX_HERE)

// Transactions: lend a world to a job, or to another thread, and take it back.
//
//     OX_JOB(Build, { ox_transaction sector; int number; })
//     {
//         ox_world *world = ox_transaction_enter(job->sector);
//         ... every call of worlds, entities and queries works here ...
//         ox_transaction_leave(job->sector);
//     }
//
//     ox_transaction sector = ox_transaction_begin(staging);
//     ox_job build = ox_schedule_background(Build, OX_NO_JOB, {sector, 3});
//     ... frames that do not use `staging` ...
//     ox_transaction_end(&sector, build);
//     ox_world_move(game, staging, NULL);
//
// From begin to end only the thread or job that has entered may use the world; every other use,
// also by its own thread, is reported. Only one may be inside: a second one is reported and does
// not wait. Inside, everything that the world's own thread may do is allowed, except scheduling and
// updating. In a job, use ox_get and ox_edit, or the chunks of a query; lookups and views must be
// fields of the job. The world's allocator and callbacks are called on the thread that is inside.
//
// A transaction is a handle, copied by value. Jobs hold it as a field that counts as written, so
// two jobs that hold it must wait for each other. Begin and end it on the world's thread; enter and
// leave it on any thread. These calls check at every level, and report a stale handle, also if its
// world was destroyed.

/// A lent world. {0} is none.
typedef struct ox_transaction {
    ox_world *world;
    uint64_t number; ///< of the loan, unique
    ox_access access;
} ox_transaction;

/// Completes the jobs of a world and lends it. Reports a world that is updating or already lent.
/// @return {0} after a report.
OX_API ox_transaction ox_transaction_begin_at(ox_world *world, ox_site site);
#define ox_transaction_begin(world) ox_transaction_begin_at(world, OX_HERE)

/// Lets this job, or this thread, use the world until it leaves. No other may be inside. A job, or
/// range of a parallel job, that returns without leaving, and a thread that ends without leaving,
/// is reported (OX-V09) on its thread; then the next may enter.
/// @return the world, or NULL after a report.
OX_API ox_world *ox_transaction_enter_at(ox_transaction transaction, ox_site site);
#define ox_transaction_enter(transaction) ox_transaction_enter_at(transaction, OX_HERE)

/// Leaves the world. @return false after a report: the caller is not inside.
OX_API bool ox_transaction_leave_at(ox_transaction transaction, ox_site site);
#define ox_transaction_leave(transaction) ox_transaction_leave_at(transaction, OX_HERE)

/// Completes `job` and takes the world back; the handle becomes {0}. Pass OX_NO_JOB if no job holds
/// the transaction. A thread that used it must be finished with it: join it, or synchronise with
/// it.
/// @return false after a report, with the world still lent: a job or thread is inside, or another
/// job holds the transaction.
OX_API bool ox_transaction_end_at(ox_transaction *transaction, ox_job job, ox_site site);
#define ox_transaction_end(transaction, job) ox_transaction_end_at(transaction, job, OX_HERE)

// Writing a world as text or JSON, for people, tools and tests.

/// Writes all entities of a world, by index, as text to `buffer` of `capacity` bytes: for each a
/// line with its id and name, then a line for each of its components, by name, with its value as
/// JSON. Waits for the jobs of the world. Truncates the text to fit and always terminates it. With
/// NULL and capacity 0 it only returns the length. Worlds with the same name and contents give the
/// same text.
/// @return the length of the whole text without the terminator; 0 after a report.
OX_API size_t ox_world_write_text_at(ox_world *world, char *buffer, size_t capacity, ox_site site);
#define ox_world_write_text(world, buffer, capacity)                                               \
    ox_world_write_text_at(world, buffer, capacity, OX_HERE)

/// The same as JSON: {"world":"sea","entities":[{"entity":"0:1","name":"Argo","components":
/// {"Position":{"x":1,"y":2}},"disabled":["Stunned"]}]}. A buffer is an array of its elements, and
/// a tag is {}. Entities without a name have no "name"; entities without disabled components have
/// no "disabled".
OX_API size_t ox_world_write_json_at(ox_world *world, char *buffer, size_t capacity, ox_site site);
#define ox_world_write_json(world, buffer, capacity)                                               \
    ox_world_write_json_at(world, buffer, capacity, OX_HERE)

// Inline code and macros.
#include "oxbow/detail/world.h"
