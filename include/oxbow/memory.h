// SPDX-License-Identifier: MIT
//
// Memory: four kinds of allocator, from the fastest and shortest-lived to the slowest.
//
// OX_TEMP lives until the end of the frame, or of the scope or job it was allocated in, and stays
// on its thread. OX_TEMP_JOB may be passed to jobs and must be freed within 4 frames. OX_PERSISTENT
// lives until it is freed. ox_allocator_create makes one from your own functions.
//
// All functions may be called from any thread, unless their comment says otherwise. Libraries with
// checks (ox_get_safety_level() >= 1) keep the site of every live block, report wrong frees and
// list leaks; the release library does not, and a wrong free is undefined there.

#pragma once

#include "oxbow/base.h"

/// Which memory a block comes from. 0 is no allocator; where a def has a field of this type, 0
/// means OX_PERSISTENT.
typedef uint32_t ox_allocator;

/// Frame memory of one thread: fastest. Freeing is optional.
#define OX_TEMP ((ox_allocator)1)
/// Memory for jobs: any thread may free it, within 4 frames.
#define OX_TEMP_JOB ((ox_allocator)2)
/// Memory that lives until it is freed.
#define OX_PERSISTENT ((ox_allocator)3)

enum {
    OX_MAX_ALIGNMENT = 4096,  ///< the largest alignment that an allocation may ask for
    OX_TEMP_JOB_FRAMES = 4,   ///< frames that a TempJob block may live before it is reported
    OX_MAX_ALLOCATORS = 1024, ///< allocators of your own that may exist together
};

/// Returns `size` bytes aligned to `align`, or NULL. Runs on any thread, and calls nothing of
/// Oxbow.
typedef void *ox_alloc_fn(size_t size, size_t align, void *context);

/// Takes back a block, with the size and alignment it was asked for. `block` is never NULL.
typedef void ox_free_fn(void *block, size_t size, size_t align, void *context);

/// How to make an allocator, or the memory hooks of the process. Zero every field you do not set.
typedef struct ox_allocator_def {
    uint32_t _guard_begin;

    /// Shown in reports. Copied, up to 31 bytes. NULL means "unnamed".
    const char *name;

    /// Both functions, or neither: then malloc and free are used.
    ox_alloc_fn *alloc_fn;
    ox_free_fn *free_fn;
    void *context;

    uint32_t _guard_end;
} ox_allocator_def;

/// Sends every allocation of the process, the library's own included, through the functions of
/// `def`, which is copied. Large ranges of addresses come from the system's pages beside them. NULL
/// means malloc and free. Call it before the first allocation, on the main thread: nothing
/// allocates before main.
/// @return false after a report, with the hooks unchanged.
OX_API bool ox_memory_set_hooks_at(const ox_allocator_def *def, ox_site site);
#define ox_memory_set_hooks(...) ox_memory_set_hooks_at(__VA_ARGS__, OX_HERE)

/// Makes an allocator of your own. `def` is copied; NULL means malloc and free.
/// @return 0 after a report.
OX_API ox_allocator ox_allocator_create_at(const ox_allocator_def *def, ox_site site);
#define ox_allocator_create(...) ox_allocator_create_at(__VA_ARGS__, OX_HERE)

/// Destroys an allocator that ox_allocator_create made. Live blocks are reported, and keep it
/// alive; the release library does not count them. 0 is ignored.
OX_API void ox_allocator_destroy_at(ox_allocator allocator, ox_site site);
#define ox_allocator_destroy(allocator) ox_allocator_destroy_at(allocator, OX_HERE)

/// Returns `size` bytes with alignment `align`, a power of two up to OX_MAX_ALIGNMENT. Their
/// content is not defined. Size 0 returns NULL and allocates nothing, with no report.
/// @return NULL after a report.
OX_API void *ox_memory_alloc_at(ox_allocator allocator, size_t size, size_t align, ox_site site);
#define ox_memory_alloc(allocator, size, align) ox_memory_alloc_at(allocator, size, align, OX_HERE)

/// Returns room for `count` elements of `size` bytes, as ox_memory_alloc does. A product that does
/// not fit in a size is a report.
/// @return NULL after a report, or when count or size is 0.
OX_API void *ox_memory_alloc_array_at(ox_allocator allocator, size_t count, size_t size,
                                      size_t align, ox_site site);

/// `count` elements of type T, as a T *.
#define ox_memory_alloc_array(allocator, count, T)                                                 \
    ((T *)ox_memory_alloc_array_at(allocator, (size_t)(count), sizeof(T), OXI_ALIGNOF(T), OX_HERE))

/// Frees a block, with the allocator, size and alignment it was allocated with. NULL is ignored.
/// OX_TEMP_JOB, OX_PERSISTENT and allocators of your own: any thread. OX_TEMP: the thread that
/// allocated it, in the same frame and scope.
OX_API void ox_memory_free_at(ox_allocator allocator, void *block, size_t size, size_t align,
                              ox_site site);
#define ox_memory_free(allocator, block, size, align)                                              \
    ox_memory_free_at(allocator, block, size, align, OX_HERE)

/// Frees what ox_memory_alloc_array returned.
#define ox_memory_free_array(allocator, block, count, T)                                           \
    ox_memory_free_at(allocator, block, (size_t)(count) * sizeof(T), OXI_ALIGNOF(T), OX_HERE)

/// A place to rewind this thread's Temp memory to. {0} is no scope.
typedef struct ox_temp_scope {
    uint64_t mark;
    uint32_t depth;
} ox_temp_scope;

/// Begins a scope: Temp memory that this thread allocates until ox_temp_end is freed there.
/// Scopes nest.
OX_API ox_temp_scope ox_temp_begin(void);

/// Ends the innermost scope of this thread and frees its Temp memory.
OX_API void ox_temp_end_at(ox_temp_scope scope, ox_site site);
#define ox_temp_end(scope) ox_temp_end_at(scope, OX_HERE)

/// Ends the frame of the process: Temp memory outside of scopes is freed, on this thread at once
/// and on others before their next Temp allocation, and TempJob blocks that are too old are
/// reported, once each. Call it on the thread that runs the frame loop, outside of Temp scopes.
/// @return the number of the frame that begins.
OX_API uint64_t ox_frame_end_at(ox_site site);
#define ox_frame_end() ox_frame_end_at(OX_HERE)

/// The number of the present frame. The first is 0.
OX_API uint64_t ox_frame_get_number(void);

/// What is alive. All fields are 0 in the release library, which does not count.
typedef struct ox_memory_usage {
    uint64_t block_count;
    uint64_t bytes;
} ox_memory_usage;

/// The live blocks of one allocator, or of all when `allocator` is 0. OX_TEMP memory is not
/// counted.
OX_API ox_memory_usage ox_memory_get_usage(ox_allocator allocator);

/// Reports every block that is alive, as a warning for each place that allocated some. Temp memory
/// does not count. The same is printed when the process exits.
/// @return how many blocks are alive; 0 in the release library, which does not keep them.
OX_API size_t ox_memory_check_leaks(void);

/// Gives cached memory that is not in use back to the hooks: this thread's Temp memory when no
/// scope is open and its blocks are no longer needed, and spare TempJob blocks. Call it after a
/// peak, or at the end to see that your hooks got everything back.
OX_API void ox_memory_trim(void);
