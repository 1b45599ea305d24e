// SPDX-License-Identifier: MIT
//
// Memory: four kinds of allocator, from the fastest and shortest-lived to the slowest.
//
//     float *all = ox_memory_alloc_array(OX_PERSISTENT, 100, float);
//     ox_temp_scope scope = ox_temp_begin();
//     char *line = ox_memory_alloc_array(OX_TEMP, 80, char); // no free: the scope ends it
//     read_line(line, 80, all);
//     ox_temp_end(scope);
//     ox_memory_free_array(OX_PERSISTENT, all, 100, float);
//     ox_frame_end();                                        // once per frame
//
// OX_TEMP lives until the end of the frame, or of the scope or job it was allocated in, and belongs
// to one thread. OX_TEMP_JOB may be passed to jobs and must be freed within 4 frames.
// OX_PERSISTENT lives until it is freed. ox_allocator_create wraps functions of your own.
//
// Libraries with checks (ox_get_safety_level() >= 1) store the site of every live block, report
// wrong frees and list leaks. The release library does not: there a wrong free is undefined.
//
// Threads: call everything here from any thread, unless its comment says otherwise.

#pragma once

#include "oxbow/base.h"

/// The allocator of a block. 0 is no allocator; in a def, 0 means OX_PERSISTENT.
typedef uint32_t ox_allocator;

/// Frame memory of one thread, the fastest. Freeing is optional.
#define OX_TEMP ((ox_allocator)1)
/// Memory for jobs. Any thread may free it, within 4 frames.
#define OX_TEMP_JOB ((ox_allocator)2)
/// Memory that stays allocated until it is freed.
#define OX_PERSISTENT ((ox_allocator)3)

enum {
    OX_MAX_ALIGNMENT = 4096,  ///< the largest alignment of an allocation
    OX_TEMP_JOB_FRAMES = 4,   ///< frames after which a live TempJob block is reported
    OX_MAX_ALLOCATORS = 1024, ///< allocators of your own that may exist at a time
};

/// Returns `size` bytes aligned to `align`, or NULL. It is called on any thread and must not call
/// Oxbow.
typedef void *ox_alloc_fn(size_t size, size_t align, void *context);

/// Frees a block. Size and alignment are those of its allocation. `block` is never NULL.
typedef void ox_free_fn(void *block, size_t size, size_t align, void *context);

/// Describes an allocator, or the memory hooks of the process. Zero every field you do not set.
typedef struct ox_allocator_def {
    uint32_t _guard_begin;

    /// Its name in reports. Copied, up to 31 bytes. NULL means "unnamed".
    const char *name;

    /// Set both functions, or neither to use malloc and free.
    ox_alloc_fn *alloc_fn;
    ox_free_fn *free_fn;
    void *context;

    uint32_t _guard_end;
} ox_allocator_def;

/// Sends every allocation of the process, including the library's own, through the functions of
/// `def`. Large address ranges still come from pages of the operating system. `def` is copied; NULL
/// means malloc and free. Call it on the main thread before the first allocation; nothing allocates
/// before main.
/// @return false after a report, with the hooks unchanged.
OX_API bool ox_memory_set_hooks_at(const ox_allocator_def *def, ox_site site);
#define ox_memory_set_hooks(...) ox_memory_set_hooks_at(__VA_ARGS__, OX_HERE)

/// Creates an allocator. `def` is copied; NULL means malloc and free.
/// @return 0 after a report.
OX_API ox_allocator ox_allocator_create_at(const ox_allocator_def *def, ox_site site);
#define ox_allocator_create(...) ox_allocator_create_at(__VA_ARGS__, OX_HERE)

/// Destroys an allocator of ox_allocator_create. If it has live blocks, reports them and keeps it;
/// the release library does not count blocks. 0 is ignored.
OX_API void ox_allocator_destroy_at(ox_allocator allocator, ox_site site);
#define ox_allocator_destroy(allocator) ox_allocator_destroy_at(allocator, OX_HERE)

/// Allocates `size` uninitialised bytes with alignment `align`, a power of two up to
/// OX_MAX_ALIGNMENT. Size 0 allocates nothing and returns NULL without a report.
/// @return NULL after a report.
OX_API void *ox_memory_alloc_at(ox_allocator allocator, size_t size, size_t align, ox_site site);
#define ox_memory_alloc(allocator, size, align) ox_memory_alloc_at(allocator, size, align, OX_HERE)

/// Allocates `count` elements of `size` bytes, as ox_memory_alloc does. Reports a product that
/// overflows.
/// @return NULL after a report, or when count or size is 0.
OX_API void *ox_memory_alloc_array_at(ox_allocator allocator, size_t count, size_t size,
                                      size_t align, ox_site site);

/// Allocates `count` elements of type T and returns a T *.
#define ox_memory_alloc_array(allocator, count, T)                                                 \
    ((T *)ox_memory_alloc_array_at(allocator, (size_t)(count), sizeof(T), OXI_ALIGNOF(T), OX_HERE))

/// Frees a block. Pass the allocator, size and alignment of its allocation. NULL is ignored. Any
/// thread may free blocks of OX_TEMP_JOB, OX_PERSISTENT and allocators of your own. A block of
/// OX_TEMP is freed on its own thread, in the same frame and scope.
OX_API void ox_memory_free_at(ox_allocator allocator, void *block, size_t size, size_t align,
                              ox_site site);
#define ox_memory_free(allocator, block, size, align)                                              \
    ox_memory_free_at(allocator, block, size, align, OX_HERE)

/// Frees an array of ox_memory_alloc_array.
#define ox_memory_free_array(allocator, block, count, T)                                           \
    ox_memory_free_at(allocator, block, (size_t)(count) * sizeof(T), OXI_ALIGNOF(T), OX_HERE)

/// A position to rewind this thread's Temp memory to. {0} is no scope.
typedef struct ox_temp_scope {
    uint64_t mark;
    uint32_t depth;
} ox_temp_scope;

/// Begins a scope: ox_temp_end frees the Temp memory that this thread allocates in between. Scopes
/// nest.
OX_API ox_temp_scope ox_temp_begin(void);

/// Ends the innermost scope of this thread and frees its Temp memory.
OX_API void ox_temp_end_at(ox_temp_scope scope, ox_site site);
#define ox_temp_end(scope) ox_temp_end_at(scope, OX_HERE)

/// Ends the frame of the process. Frees Temp memory outside scopes: of this thread at once, of
/// others before their next Temp allocation. Reports each TempJob block that is too old, once. Call
/// it on the thread that runs the frame loop, outside Temp scopes.
/// @return the number of the next frame.
OX_API uint64_t ox_frame_end_at(ox_site site);
#define ox_frame_end() ox_frame_end_at(OX_HERE)

/// Returns the number of the current frame. The first is 0.
OX_API uint64_t ox_frame_get_number(void);

/// Live memory. All fields are 0 in the release library, which does not count.
typedef struct ox_memory_usage {
    uint64_t block_count;
    uint64_t bytes;
} ox_memory_usage;

/// Returns the live blocks of one allocator, or of all if `allocator` is 0. OX_TEMP memory is not
/// counted.
OX_API ox_memory_usage ox_memory_get_usage(ox_allocator allocator);

/// Reports all live blocks, with one warning per allocating source location. Temp memory does not
/// count. The library prints the same when the process exits.
/// @return the number of live blocks; 0 in the release library, which does not track them.
OX_API size_t ox_memory_check_leaks(void);

/// Returns unused cached memory to the hooks: this thread's Temp memory, if no scope is open and
/// its blocks are no longer needed, and spare TempJob blocks. Call it after a peak, or at the end
/// to check that your hooks got everything back.
OX_API void ox_memory_trim(void);
