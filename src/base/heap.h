// SPDX-License-Identifier: MIT
//
// The hooks' memory, for the library's own structures: not tracked, no report, NULL when refused.
//
// Everything in the library that allocates comes through here, or through ox_memory_alloc_at which
// stands on it. What a user makes (a world, a container) is allocated with ox_memory_alloc_at and
// the user's place, so that a leak names it. What belongs to a thing with an allocator of its own
// comes from there: the functions with `_in` take it as `heap`, and NULL means the hooks.

#pragma once

#include "oxbow/memory.h"

/// Allocates `size` bytes, more than 0, aligned to `align`. @return NULL when refused.
void *oxi_heap_alloc_at(size_t size, size_t align, ox_site where);
#define oxi_heap_alloc(size, align) oxi_heap_alloc_at(size, align, OX_HERE)

/// Frees a block, with its size and alignment. NULL is ignored.
void oxi_heap_free(void *block, size_t size, size_t align);

/// Blocks of the hooks that are alive, the library's own included. 0 below OX_SAFETY 1.
uint64_t oxi_heap_get_blocks(void);

/// For tests: hooks may be set again, as if nothing had been allocated yet.
void oxi_heap_forget(void);

enum { OXI_MAX_ALLOCATOR_NAME = 32 };

/// The functions of an allocator, never NULL.
typedef struct oxi_hooks {
    ox_alloc_fn *alloc_fn;
    ox_free_fn *free_fn;
    void *context;
    char name[OXI_MAX_ALLOCATOR_NAME];
} oxi_hooks;

/// Reads a def, NULL included, into `hooks`. @return false after a report.
bool oxi_hooks_read(const ox_allocator_def *def, const char *default_name, oxi_hooks *hooks,
                    ox_site site);

/// Calls alloc_fn, and reports a block that is not aligned. @return NULL when refused or reported.
void *oxi_hooks_alloc(const oxi_hooks *hooks, size_t size, size_t align);

/// Calls free_fn.
void oxi_hooks_free(const oxi_hooks *hooks, void *block, size_t size, size_t align);

/// As oxi_heap_alloc and oxi_heap_free, from and to `heap`. Blocks of an allocator are not among
/// those of oxi_heap_get_blocks.
void *oxi_heap_alloc_in_at(const oxi_hooks *heap, size_t size, size_t align, ox_site where);
#define oxi_heap_alloc_in(heap, size, align) oxi_heap_alloc_in_at(heap, size, align, OX_HERE)
void oxi_heap_free_in(const oxi_hooks *heap, void *block, size_t size, size_t align);

#if OX_SAFETY >= 1

/// True unless this thread is inside of an allocator's function: then reports that it called
/// `function`. Asked before any lock is taken, and before anything is changed.
bool oxi_hooks_require_outside(const char *function, ox_site site);

/// How many blocks of hooks this thread has refused, each with a report.
uint64_t oxi_hooks_get_refused(void);

#else

static inline bool oxi_hooks_require_outside(const char *function, ox_site site) {
    (void)function;
    (void)site;
    return true;
}

#endif
