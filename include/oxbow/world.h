// SPDX-License-Identifier: MIT
//
// Worlds. A world owns entities and everything attached to them; a program may have several, and
// they share nothing but component types.
//
//     ox_world *world = ox_world_create(NULL);
//     ...
//     ox_world_destroy(world);
//
// A world belongs to the thread that created it: call every function that takes one from there,
// outside of jobs. Other threads are told by libraries with checks; ox_world_destroy tells them
// always. A NULL world is a report at every level. Functions that take no place (`ox_site`) only
// look, and never report: a NULL world they answer with 0, or a struct of zeros.

#pragma once

#include "oxbow/components.h"
#include "oxbow/memory.h"
#include "oxbow/report.h"

/// A world.
typedef struct ox_world ox_world;

/// What removing an entity does to the order of the others.
typedef enum ox_removal {
    OX_REMOVAL_ORDERED = 0, ///< the others keep their order
    OX_REMOVAL_SWAP,        ///< the last one of its chunk takes its place
} ox_removal;

/// How to make a world. Zero every field you do not set: zero is the default of each.
typedef struct ox_world_def {
    uint32_t _guard_begin;

    /// Shown in reports. Copied, up to 31 bytes. NULL means "world".
    const char *name;

    /// Entities to make room for at once, up to the limit. The world grows past it.
    uint32_t entity_capacity;

    /// Entities that may be alive together. 0, or more than there are ids, means as many as there
    /// are: 2^30.
    uint32_t entity_limit;

    ox_removal removal;

    /// Where all blocks of this world come from: what it keeps of components, entities, names,
    /// queries and jobs, and what its calls need for a moment. 0 means OX_PERSISTENT; else one of
    /// ox_allocator_create, which must outlive the world and is called on the world's thread only.
    /// Chunks and the table of ids are not among them: their addresses come from the system's
    /// pages, and the process shares chunks among all worlds. Neither is what jobs are given.
    ox_allocator allocator;

    /// Systems that were declared do not enter it by themselves, and it does not become the active
    /// world by itself.
    bool no_systems;

    /// Updating it ends no frame: the host calls ox_frame_end.
    bool host_ends_frames;

    /// Receives the reports of this world. {0}: the handler of the process does.
    ox_report_handler on_report;

    uint32_t _guard_end;
} ox_world_def;

/// Makes a world. `def` is copied and may be NULL for all defaults.
/// @return NULL after a report.
OX_API ox_world *ox_world_create_at(const ox_world_def *def, ox_site site);
#define ox_world_create(...) ox_world_create_at(__VA_ARGS__, OX_HERE)

/// Destroys a world and every entity in it, when all its jobs are complete: it waits for them. A
/// job that holds views or lookups of it and that no system answers for is waited for, too, with a
/// warning; the release library does not know of such jobs: complete them first. NULL is ignored.
OX_API void ox_world_destroy_at(ox_world *world, ox_site site);
#define ox_world_destroy(world) ox_world_destroy_at(world, OX_HERE)

/// The active world: the one that was set, or else the first that was created without `no_systems`.
/// NULL when there is none, as after it was destroyed. Nothing in a world changes by being active,
/// but that its updates end frames. Any thread.
OX_API ox_world *ox_world_get_active(void);

/// Makes a world the active one; NULL for none. Any thread.
OX_API void ox_world_set_active(ox_world *world);

/// The def in use, with every default filled in.
OX_API ox_world_def ox_world_get_def(const ox_world *world);

/// Makes room for `entity_count` entities in all, those that are there included, in the table of
/// ids: as many can be made, or arrive, without a page of it being touched for the first time. A
/// world grows by itself; this is for who cannot spare the moment. Rows are not made room for.
/// @return false after a report.
OX_API bool ox_world_reserve_at(ox_world *world, int64_t entity_count, ox_site site);
#define ox_world_reserve(world, entity_count)                                                      \
    ox_world_reserve_at(world, (int64_t)(entity_count), OX_HERE)

/// What a world holds.
typedef struct ox_world_usage {
    uint32_t entity_count;
    uint32_t entity_limit;
    uint32_t archetype_count;
    uint32_t chunk_count;   ///< chunks with entities
    uint64_t chunk_bytes;   ///< of all chunks that the world has taken, the empty ones too
    uint64_t buffer_bytes;  ///< of elements of buffers that lie outside of chunks
    uint64_t process_bytes; ///< of all chunks of all worlds
    uint64_t process_limit; ///< most bytes of chunks that the process can have; 0: none taken yet
    uint64_t closing_count; ///< how often holes of a chunk were closed
    uint64_t moved_rows;    ///< entities that were moved to keep order, or to join chunks
} ox_world_usage;

/// Tells what a world holds, and how far it may grow.
OX_API ox_world_usage ox_world_get_usage(const ox_world *world);

/// Sets how many bytes of addresses are kept for the chunks of all worlds, before the first entity
/// of the process. 0 means 64 GiB. Memory is only taken for what is used. Where the addresses of
/// the process are limited (`ulimit -v`), chunks get an eighth of them at most: ox_world_get_usage
/// tells.
/// @return false when there were entities already.
OX_API bool ox_memory_set_chunk_limit(size_t bytes);

/// A number for what is in a world: entities, their components and values, in whatever order they
/// lie in memory. Padding, OX_UNOWNED pointers and names do not count. The same inputs give the
/// same number on every run, for any number of workers. 0 after a report: a job that nobody answers
/// for stands in the way.
OX_API uint64_t ox_world_hash(const ox_world *world);

/// The same for how it lies, too: the order of entities, where new ones will go, which ids they
/// get.
OX_API uint64_t ox_world_hash_layout(const ox_world *world);

/// Walks over the whole world and looks at every invariant, once all its jobs are complete. Slow:
/// for tests.
/// @return false after a report, which is a bug of Oxbow or a stray write.
OX_API bool ox_world_validate_at(const ox_world *world, ox_site site);
#define ox_world_validate(world) ox_world_validate_at(world, OX_HERE)

/// Moves entities together where chunks are not full, in order, and stops after `max_rows` of them:
/// call it a little each frame. A structural change.
/// @return how many were moved; 0 when there is nothing left to do.
OX_API uint64_t ox_world_defragment_at(ox_world *world, uint64_t max_rows, ox_site site);
#define ox_world_defragment(world, max_rows) ox_world_defragment_at(world, max_rows, OX_HERE)

/// How well the chunks of a world are filled.
typedef struct ox_fragmentation {
    uint32_t chunk_count;
    uint32_t needed_count; ///< chunks that the same entities would need
    uint64_t entity_count;
    uint64_t entity_room;     ///< entities that would fit
    uint32_t archetype_count; ///< archetypes with entities
    const char *advice;       ///< what to do about it, as a sentence; never NULL
} ox_fragmentation;

/// Tells how well the chunks of a world are filled.
OX_API ox_fragmentation ox_world_get_fragmentation(const ox_world *world);

// Writing a world, for people, tools and tests.

/// Writes all entities of a world, by index, as text to `buffer` of `capacity` bytes: a line with
/// the id and the name of each, then a line for each of its components, by name, with its value as
/// JSON. Waits for the jobs of the world. The text is cut to fit and always ends with a 0; NULL
/// with capacity 0 asks for the length alone. Worlds of one name that hold the same give the same
/// text.
/// @return the length of the whole text, without the 0; 0 after a report.
OX_API size_t ox_world_write_text_at(ox_world *world, char *buffer, size_t capacity, ox_site site);
#define ox_world_write_text(world, buffer, capacity)                                               \
    ox_world_write_text_at(world, buffer, capacity, OX_HERE)

/// The same as JSON: {"world":"sea","entities":[{"entity":"0:1","name":"Argo","components":
/// {"Position":{"x":1,"y":2}},"disabled":["Stunned"]}]}. A buffer is an array of its elements, and
/// a tag is {}. Entities without a name have no "name", those with no disabled component no
/// "disabled".
OX_API size_t ox_world_write_json_at(ox_world *world, char *buffer, size_t capacity, ox_site site);
#define ox_world_write_json(world, buffer, capacity)                                               \
    ox_world_write_json_at(world, buffer, capacity, OX_HERE)
