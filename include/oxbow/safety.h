// SPDX-License-Identifier: MIT
//
// Safety: which code may read and write a container at the moment. The containers of Oxbow use this
// header; containers of your own that use it have the same protection.
//
//     typedef struct Ring { RingState *state; ox_access access; } Ring;
//     OX_CONTAINER(Ring, access);      // the safety system finds fields of type Ring in jobs
//
//     bool ring_push(Ring ring, int value) {
//         if (!ox_access_may_write(ring.access)) { return false; }   // reported, nothing changed
//         ring.state->items[ring.state->count++] = value;
//         return true;
//     }
//
// Every container has an access. When a job is scheduled, the safety system finds the accesses in
// its struct by the text of the struct, and compares them with those of all outstanding jobs: those
// that were scheduled and not completed. If two jobs could race, it reports both and does not
// schedule the second. Inside a job, copies of a handle may do only what their fields declare. The
// release library has no accesses: their token is 0, and every question returns true.
//
// Threads: ask, create, name and destroy on any thread; jobs are scheduled on main.

#pragma once

#include "oxbow/jobs.h"
#include "oxbow/memory.h"

/// The right to use a container, stored in each copy of its handle. {0} is no container, or one
/// that is not checked.
typedef struct ox_access {
    uint32_t token;   ///< which container; 0: not checked
    uint32_t version; ///< of the container when the handle was made; changes when it is disposed
    uint32_t owner;   ///< the job whose copy this is, 0 for none
    uint32_t flags;   ///< ox_access_flags
} ox_access;

/// What a handle may do.
typedef enum ox_access_flags {
    OX_ACCESS_READ_ONLY = 1,  ///< it may not write
    OX_ACCESS_WRITE_ONLY = 2, ///< it may not read: a parallel writer
    OX_ACCESS_BATCH = 4,      ///< of a parallel job: only indices of its own batch
    OX_ACCESS_VIEW = 8,    ///< memory of another container: invalid when that one changes its size
    OX_ACCESS_TEMP = 16,   ///< Temp memory: one frame or job, one thread
    OX_ACCESS_COPY = 32,   ///< a job's own copy, from a field of its struct
    OX_ACCESS_LOOKUP = 64, ///< a component of a world by entity: a lookup
    OX_ACCESS_ROWS = 128,  ///< a component of a world by index: a view of a query
} ox_access_flags;

/// Describes an access. Zero every field you do not set.
typedef struct ox_access_def {
    uint32_t _guard_begin;

    /// The kind of container, for reports: "ring". NULL means "container". Kept by pointer: pass a
    /// literal.
    const char *kind;

    /// Its debug name. Copied, up to 31 bytes. NULL: reports use the name of a job's field.
    const char *name;

    /// The allocator of its memory. A container of OX_TEMP cannot be passed to jobs. 0 means
    /// OX_PERSISTENT.
    ox_allocator allocator;

    /// Batches of a parallel job cannot divide it by index, as they can an array: a map, a queue.
    /// Such a job only reads it, or holds a parallel writer of it, or its field is OX_UNRESTRICTED.
    bool is_whole;

    uint32_t _guard_end;
} ox_access_def;

/// Creates the access of a new container. `site` is where the caller creates it. A job owns a
/// container that it creates until the job ends; then main owns it.
/// @return false after a report, with `access` zeroed.
OX_API bool ox_access_create_at(ox_access *access, const ox_access_def *def, ox_site site);
#define ox_access_create(access, ...) ox_access_create_at(access, __VA_ARGS__, OX_HERE)

/// Sets the debug name of a container, of up to 31 bytes.
OX_API void ox_access_set_name(ox_access access, const char *name);

// Questions. Each returns true, or reports and returns false: then do not use the container. Ask
// through the macros: in a file with OX_SAFETY 0 they cost nothing.

/// Returns true if the container may be read: no outstanding job writes it.
OX_API bool ox_access_may_read_at(ox_access access, ox_site site);

/// Returns true if the container may be written: no outstanding job reads or writes it.
OX_API bool ox_access_may_write_at(ox_access access, ox_site site);

/// Returns true if the container may be written in a way that moves its memory. Invalidates its
/// views.
OX_API bool ox_access_may_resize_at(ox_access access, ox_site site);

/// Returns true if `count` elements from `first` on, of `length`, may be used. In a parallel job
/// only those of its batch may, unless the field is OX_READ_ONLY or OX_UNRESTRICTED.
OX_API bool ox_access_may_use_at(ox_access access, int64_t first, int64_t count, int64_t length,
                                 ox_site site);

/// Fills `view` with an access to the same memory under another handle, as an array over a list
/// has. It becomes invalid when the container changes its size, or when a job that may do so is
/// scheduled.
OX_API bool ox_access_create_view_at(ox_access access, ox_access *view, ox_site site);

/// Fills `writer` with an access to the same container that may only write, for the handle of a
/// parallel writer. A job that holds it counts as a writer, and all threads of a parallel job may
/// write through it at the same time. So the container must keep their writes apart: for example in
/// an array with OX_MAX_THREADS elements, indexed by ox_worker_index, that is merged when the jobs
/// are completed. Ask ox_access_may_write before each write. Main may create a writer while jobs
/// use the container.
/// @return false after a report.
OX_API bool ox_access_create_writer_at(ox_access access, ox_access *writer, ox_site site);

/// Returns true if the container may be disposed when `after` is finished, or now for OX_NO_JOB.
OX_API bool ox_access_may_dispose_at(ox_access access, ox_job after, ox_site site);

/// Destroys an access: all copies of the handle are stale from then on. Ask ox_access_may_dispose
/// first; afterwards free the memory, or schedule a job that frees it.
OX_API void ox_access_destroy_at(ox_access access, ox_site site);
#define ox_access_destroy(access) ox_access_destroy_at(access, OX_HERE)

#if OX_SAFETY >= 1
#define OXI_ASK(access, question) ((access).token == 0 || (question))
#else
#define OXI_ASK(access, question) ((void)sizeof(access), (void)sizeof(question), true)
#endif
/// The questions as macros. In a file with OX_SAFETY 0 they are always true.
#define ox_access_may_read(access)   OXI_ASK(access, ox_access_may_read_at(access, OX_HERE))
#define ox_access_may_write(access)  OXI_ASK(access, ox_access_may_write_at(access, OX_HERE))
#define ox_access_may_resize(access) OXI_ASK(access, ox_access_may_resize_at(access, OX_HERE))
/// The question for elements.
#define ox_access_may_use(access, first, count, length)                                            \
    OXI_ASK(access, ox_access_may_use_at(access, first, count, length, OX_HERE))
/// Creates a view. It is more than a question, so it exists at every level.
#define ox_access_create_view(access, view) ox_access_create_view_at(access, view, OX_HERE)
/// Creates a parallel writer, also at every level.
#define ox_access_create_writer(access, writer) ox_access_create_writer_at(access, writer, OX_HERE)
/// The question before disposing.
#define ox_access_may_dispose(access, after)                                                       \
    OXI_ASK(access, ox_access_may_dispose_at(access, after, OX_HERE))

/// Declares a container type: `member` is the field of T with its ox_access. Write it at file
/// scope.
#define OX_CONTAINER(T, member) OXI_TYPE_AS(T, NULL, NULL, "container", offsetof(T, member))

/// Information about a container.
typedef struct ox_access_info {
    const char *kind;
    const char *name; ///< its debug name, or the name of a job's field, or ""
    ox_site created;
    ox_site disposed;       ///< NULL if it was not disposed
    const char *writer;     ///< an outstanding job that writes it, or NULL
    ox_site writer_site;    ///< where that job was scheduled
    uint32_t reader_count;  ///< outstanding jobs that read it
    ox_allocator allocator; ///< of its memory
} ox_access_info;

/// Returns information about a container, also shortly after it was disposed. Its jobs are only
/// known on main.
/// @return false, with `info` zeroed, if nothing is known.
OX_API bool ox_access_get_info(ox_access access, ox_access_info *info);

/// What the safety system stores. All 0 in the release library.
typedef struct ox_safety_usage {
    uint32_t container_count; ///< live accesses, except those of Temp memory
    uint32_t job_count;       ///< outstanding jobs and combinations
} ox_safety_usage;

/// Returns how much the safety system stores. Main only.
OX_API ox_safety_usage ox_safety_get_usage(void);

#include "oxbow/detail/safety.h"
