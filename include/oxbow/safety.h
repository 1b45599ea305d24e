// SPDX-License-Identifier: MIT
//
// Safety: who may read and write a container, now. Containers of Oxbow use this header; write your
// own with it and they have the same protection.
//
//     typedef struct Ring { RingState *state; ox_access access; } Ring;
//     OX_CONTAINER(Ring, access);      // jobs with a field of type Ring are understood
//
//     bool ring_push(Ring ring, int value) {
//         if (!ox_access_may_write(ring.access)) { return false; }   // reported, nothing changed
//         ...
//
// Every container has an access. When a job is scheduled, the accesses in its struct are found from
// the struct's text and held against those of jobs that nobody completed: two that could race are a
// report that names both, and the second is not scheduled. Inside a job, its copies may do what
// their fields say and no more. The release library has no accesses: their token is 0, and every
// question is answered with true.
//
// Checks may be asked on any thread. Creating, naming and destroying too; scheduling is main's.

#pragma once

#include "oxbow/jobs.h"
#include "oxbow/memory.h"

/// The right to use one container, kept in each copy of its handle. {0} is no container, or one
/// that is not watched.
typedef struct ox_access {
    uint32_t token;   ///< which container; 0: not watched
    uint32_t version; ///< of the container when the handle was made; moves when it is disposed
    uint32_t owner;   ///< the job whose copy this is, 0 for none
    uint32_t flags;   ///< ox_access_flags
} ox_access;

/// What a handle may do.
typedef enum ox_access_flags {
    OX_ACCESS_READ_ONLY = 1,  ///< it may not write
    OX_ACCESS_WRITE_ONLY = 2, ///< it may not read: a parallel writer
    OX_ACCESS_BATCH = 4,      ///< a parallel job's: indices of its own batch only
    OX_ACCESS_VIEW = 8,       ///< memory of another container: ends when that one changes its size
    OX_ACCESS_TEMP = 16,      ///< Temp memory: one frame or job, one thread
    OX_ACCESS_COPY = 32,      ///< a job's own copy, from a field of its struct
    OX_ACCESS_LOOKUP = 64,    ///< a component of a world by entity: a lookup
    OX_ACCESS_ROWS = 128,     ///< a component of a world by index: a view of a query
} ox_access_flags;

/// How to make an access. Zero every field you do not set.
typedef struct ox_access_def {
    uint32_t _guard_begin;

    /// What it is, for reports: "ring". NULL means "container". Kept by pointer: a literal.
    const char *kind;

    /// Its debug name. Copied, up to 31 bytes. NULL: reports use the name that a job's field
    /// gives it.
    const char *name;

    /// Where its memory comes from: OX_TEMP may not enter jobs. 0 means OX_PERSISTENT.
    ox_allocator allocator;

    /// A parallel job cannot divide it by index, as it can an array: a map, a queue. Such a job
    /// reads it, or holds a parallel writer of it, or its field is OX_UNRESTRICTED.
    bool is_whole;

    uint32_t _guard_end;
} ox_access_def;

/// Makes the access of a new container. `site` is the place where the user creates it. A container
/// made inside a job belongs to that job until it ends; afterwards to main.
/// @return false after a report, with `access` zeroed.
OX_API bool ox_access_create_at(ox_access *access, const ox_access_def *def, ox_site site);
#define ox_access_create(access, ...) ox_access_create_at(access, __VA_ARGS__, OX_HERE)

/// Gives a container its debug name, of up to 31 bytes.
OX_API void ox_access_set_name(ox_access access, const char *name);

// Questions. Each answers true, or reports and answers false: then leave the container alone. Ask
// through the macros: in a file with OX_SAFETY 0 they cost nothing.

/// May it be read? Not while a job that nobody completed writes it.
OX_API bool ox_access_may_read_at(ox_access access, ox_site site);

/// May it be written? Not while a job that nobody completed reads or writes it.
OX_API bool ox_access_may_write_at(ox_access access, ox_site site);

/// May it be written in a way that moves its memory? Ends its views.
OX_API bool ox_access_may_resize_at(ox_access access, ox_site site);

/// May `count` elements from `first` on be touched, of `length`? A parallel job's copy reaches its
/// own batch alone, unless the field is OX_READ_ONLY or OX_UNRESTRICTED.
OX_API bool ox_access_may_use_at(ox_access access, int64_t first, int64_t count, int64_t length,
                                 ox_site site);

/// Fills `view` with an access to the same memory under another handle, as an array over a list
/// has. It ends when the container changes its size, or when a job that may do so is scheduled.
OX_API bool ox_access_create_view_at(ox_access access, ox_access *view, ox_site site);

/// Fills `writer` with an access to the same container that may only write, for the handle of a
/// parallel writer: a job that holds it counts as a writer, and all threads of a parallel job may
/// write through it at the same time. So the container keeps apart what they write: an array with
/// OX_MAX_THREADS elements, indexed by ox_worker_index, that is merged when the jobs are completed.
/// Ask ox_access_may_write before each write. Main may make one while jobs use the container.
/// @return false after a report.
OX_API bool ox_access_create_writer_at(ox_access access, ox_access *writer, ox_site site);

/// May it be disposed once `after` is done? OX_NO_JOB: may it be disposed now?
OX_API bool ox_access_may_dispose_at(ox_access access, ox_job after, ox_site site);

/// Ends an access: all copies of the handle are dead from here on. Ask ox_access_may_dispose first,
/// and free the memory, or schedule that, afterwards.
OX_API void ox_access_destroy_at(ox_access access, ox_site site);
#define ox_access_destroy(access) ox_access_destroy_at(access, OX_HERE)

#if OX_SAFETY >= 1
#define OXI_ASK(access, question) ((access).token == 0 || (question))
#else
#define OXI_ASK(access, question) ((void)sizeof(access), (void)sizeof(question), true)
#endif
/// The questions as macros: in a file with OX_SAFETY 0 they are true.
#define ox_access_may_read(access)   OXI_ASK(access, ox_access_may_read_at(access, OX_HERE))
#define ox_access_may_write(access)  OXI_ASK(access, ox_access_may_write_at(access, OX_HERE))
#define ox_access_may_resize(access) OXI_ASK(access, ox_access_may_resize_at(access, OX_HERE))
/// The same for elements.
#define ox_access_may_use(access, first, count, length)                                            \
    OXI_ASK(access, ox_access_may_use_at(access, first, count, length, OX_HERE))
/// Makes a view. It is no question alone, so it stands at every level.
#define ox_access_create_view(access, view) ox_access_create_view_at(access, view, OX_HERE)
/// Makes a parallel writer, at every level, too.
#define ox_access_create_writer(access, writer) ox_access_create_writer_at(access, writer, OX_HERE)
/// May it be disposed?
#define ox_access_may_dispose(access, after)                                                       \
    OXI_ASK(access, ox_access_may_dispose_at(access, after, OX_HERE))

/// Announces a container type: `member` is the field of T with its ox_access. At file scope.
#define OX_CONTAINER(T, member) OXI_TYPE_AS(T, NULL, NULL, "container", offsetof(T, member))

/// What is known of a container.
typedef struct ox_access_info {
    const char *kind;
    const char *name; ///< given, or the name of a job's field, or ""
    ox_site created;
    ox_site disposed;       ///< NULL while it is alive
    const char *writer;     ///< a job that writes it and was not completed, or NULL
    ox_site writer_site;    ///< where that job was scheduled
    uint32_t reader_count;  ///< jobs that read it and were not completed
    ox_allocator allocator; ///< where its memory comes from
} ox_access_info;

/// Tells about a container, alive or just disposed. Who holds it is told on main only.
/// @return false, with `info` zeroed, when nothing is known.
OX_API bool ox_access_get_info(ox_access access, ox_access_info *info);

/// What the safety system keeps. All 0 in the release library.
typedef struct ox_safety_usage {
    uint32_t container_count; ///< accesses that were created and not ended; Temp does not count
    uint32_t job_count;       ///< jobs and combinations that are remembered: nobody completed them
} ox_safety_usage;

/// Tells how much is kept. Main only.
OX_API ox_safety_usage ox_safety_get_usage(void);

#include "oxbow/detail/safety.h"
