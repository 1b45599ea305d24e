// SPDX-License-Identifier: MIT
//
// Memory hooks: the one place where memory enters and leaves the library.
//
// Hooks may be set until the first allocation. From OX_SAFETY 1 on a hook that calls back into the
// library is told so instead of recursing, and a block that is not aligned is refused.

#include "base/heap.h"

#include "base/check.h"
#include "base/substitute.h"
#include "base/text.h"

#include <stdlib.h>

static void *default_alloc(size_t size, size_t align, void *context) {
    (void)context;
    // Some malloc aligns what is smaller than max_align_t to no more than its size.
    if (align <= sizeof(void *) || (align <= _Alignof(max_align_t) && align <= size)) {
        return malloc(size);
    }
    void *block = NULL;
    return posix_memalign(&block, align, size) == 0 ? block : NULL;
}

static void default_free(void *block, size_t size, size_t align, void *context) {
    (void)size;
    (void)align;
    (void)context;
    free(block);
}

static oxi_hooks process_hooks = {default_alloc, default_free, NULL, "malloc"};
static oxi_atomic_u32 heap_used;

#if OX_SAFETY >= 1
static oxi_atomic_u64 heap_blocks;
static _Thread_local const oxi_hooks *hooks_inside; // whose function is running, or NULL
static _Thread_local uint64_t refused_blocks;
#endif

bool oxi_hooks_read(const ox_allocator_def *def, const char *default_name, oxi_hooks *hooks,
                    ox_site site) {
    *hooks = (oxi_hooks){default_alloc, default_free, NULL, ""};
    oxi_text_copy(hooks->name, sizeof hooks->name, default_name);
    if (def == NULL) {
        return true;
    }
    if (!OXI_REQUIRE_DEF(def, ox_allocator_def, site)) {
        return false;
    }
    if (def->name != NULL) {
        oxi_text_copy(hooks->name, sizeof hooks->name, def->name);
    }
    if (!OXI_REQUIRE((def->alloc_fn == NULL) == (def->free_fn == NULL), NULL,
                     OX_REPORT_HALF_ALLOCATOR, site, OXI_NAME("name", hooks->name),
                     OXI_NAME("missing", def->alloc_fn == NULL ? "alloc_fn" : "free_fn"))) {
        return false;
    }
    if (def->alloc_fn != NULL) {
        hooks->alloc_fn = def->alloc_fn;
        hooks->free_fn = def->free_fn;
        hooks->context = def->context;
    }
    return true;
}

#if OX_SAFETY >= 1

bool oxi_hooks_require_outside(const char *function, ox_site site) {
    return OXI_REQUIRE(hooks_inside == NULL, NULL, OX_REPORT_ALLOCATOR_REENTERED, site,
                       OXI_NAME("name", hooks_inside->name), OXI_NAME("function", function));
}

uint64_t oxi_hooks_get_refused(void) {
    return refused_blocks;
}

static bool enter_hooks(const oxi_hooks *hooks, const char *function) {
    if (!oxi_hooks_require_outside(function, NULL)) {
        return false;
    }
    hooks_inside = hooks;
    return true;
}

void *oxi_hooks_alloc(const oxi_hooks *hooks, size_t size, size_t align) {
    if (!enter_hooks(hooks, "a function that allocates")) {
        return NULL;
    }
    void *block = hooks->alloc_fn(size, align, hooks->context);
    hooks_inside = NULL;
    if (!OXI_REQUIRE(((uintptr_t)block & (align - 1)) == 0, NULL, OX_REPORT_BAD_BLOCK, NULL,
                     OXI_NAME("name", hooks->name), OXI_ADDRESS("block", block),
                     OXI_NUMBER("size", size), OXI_NUMBER("align", align),
                     OXI_NAME("why", "it is not aligned"))) {
        refused_blocks++;
        oxi_hooks_free(hooks, block, size, align);
        return NULL;
    }
    return block;
}

void oxi_hooks_free(const oxi_hooks *hooks, void *block, size_t size, size_t align) {
    if (!enter_hooks(hooks, "a function that frees")) {
        return;
    }
    hooks->free_fn(block, size, align, hooks->context);
    hooks_inside = NULL;
}

#else

void *oxi_hooks_alloc(const oxi_hooks *hooks, size_t size, size_t align) {
    return hooks->alloc_fn(size, align, hooks->context);
}

void oxi_hooks_free(const oxi_hooks *hooks, void *block, size_t size, size_t align) {
    hooks->free_fn(block, size, align, hooks->context);
}

#endif

bool ox_memory_set_hooks_at(const ox_allocator_def *def, ox_site site) {
    oxi_hooks hooks;
    if (!oxi_hooks_read(def, "malloc", &hooks, site)) {
        return false;
    }
    if (!OXI_REQUIRE(oxi_load_relaxed(&heap_used) == 0, NULL, OX_REPORT_HOOKS_TOO_LATE, site,
                     OXI_NAME("name", hooks.name))) {
        return false;
    }
    process_hooks = hooks;
    return true;
}

void oxi_heap_forget(void) {
    oxi_store_relaxed(&heap_used, 0);
}

void *oxi_heap_alloc_at(size_t size, size_t align, ox_site where) {
    OXI_ASSERT(size > 0 && align > 0 && (align & (align - 1)) == 0);
    if (oxi_fault_hit(where)) {
        return NULL;
    }
    // Read first: a shared line that everybody writes would cost more than the allocation.
    if (oxi_load_relaxed(&heap_used) == 0) {
        oxi_store_relaxed(&heap_used, 1);
    }
    void *block = oxi_hooks_alloc(&process_hooks, size, align);
#if OX_SAFETY >= 1
    oxi_add_relaxed(&heap_blocks, block != NULL ? 1 : 0);
#endif
    return block;
}

void oxi_heap_free(void *block, size_t size, size_t align) {
    if (block == NULL) {
        return;
    }
    oxi_hooks_free(&process_hooks, block, size, align);
#if OX_SAFETY >= 1
    oxi_add_relaxed(&heap_blocks, (uint64_t)-1);
#endif
}

void *oxi_heap_alloc_in_at(const oxi_hooks *heap, size_t size, size_t align, ox_site where) {
    if (heap == NULL) {
        return oxi_heap_alloc_at(size, align, where);
    }
    OXI_ASSERT(size > 0 && align > 0 && (align & (align - 1)) == 0);
    return oxi_fault_hit(where) ? NULL : oxi_hooks_alloc(heap, size, align);
}

void oxi_heap_free_in(const oxi_hooks *heap, void *block, size_t size, size_t align) {
    if (heap == NULL) {
        oxi_heap_free(block, size, align);
    } else if (block != NULL) {
        oxi_hooks_free(heap, block, size, align);
    }
}

uint64_t oxi_heap_get_blocks(void) {
#if OX_SAFETY >= 1
    return oxi_load_relaxed(&heap_blocks);
#else
    return 0;
#endif
}
