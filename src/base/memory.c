// SPDX-License-Identifier: MIT
//
// Allocating and freeing: checks, the choice of allocator, and what libraries with checks remember.
//
// A call that fails changes nothing: a block that cannot be remembered is given back, and a free
// that does not fit the block leaves it alive.

#include "oxbow/memory.h"

#include "base/allocators.h"
#include "base/check.h"
#include "base/live_blocks.h"
#include "base/platform.h"
#include "base/poison.h"
#include "base/substitute.h"
#include "base/temp.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Memory straight from an allocator. NULL when refused.
static void *alloc_raw(ox_allocator allocator, size_t size, size_t align) {
    switch (allocator) {
    case OX_TEMP_JOB:
        return oxi_temp_job_alloc(size, align);
    case OX_PERSISTENT:
        return oxi_heap_alloc(size, align);
    default: {
        const oxi_hooks *hooks = oxi_allocator_find(allocator);
        return hooks != NULL ? oxi_heap_alloc_in(hooks, size, align) : NULL;
    }
    }
}

static void free_raw(ox_allocator allocator, void *block, size_t size, size_t align) {
    switch (allocator) {
    case OX_TEMP_JOB:
        oxi_temp_job_free(block, size, align);
        return;
    case OX_PERSISTENT:
        oxi_heap_free(block, size, align);
        return;
    default: {
        const oxi_hooks *hooks = oxi_allocator_find(allocator);
        if (hooks != NULL) {
            oxi_hooks_free(hooks, block, size, align);
        }
    }
    }
}

bool oxi_allocator_require(ox_allocator allocator, ox_site site) {
    bool exists = (allocator >= OX_TEMP && allocator <= OX_PERSISTENT) ||
                  oxi_allocator_find(allocator) != NULL;
    return OXI_REQUIRE(exists, NULL, OX_REPORT_UNKNOWN_ALLOCATOR, site,
                       OXI_NAME("allocator", oxi_allocator_name(allocator)));
}

static bool require_request(ox_allocator allocator, size_t size, size_t align, ox_site site) {
    return oxi_allocator_require(allocator, site) &&
           OXI_REQUIRE(align > 0 && align <= OX_MAX_ALIGNMENT && (align & (align - 1)) == 0, NULL,
                       OX_REPORT_BAD_ALIGNMENT, site, OXI_NUMBER("align", align),
                       OXI_NUMBER("most", OX_MAX_ALIGNMENT)) &&
           OXI_REQUIRE(size <= PTRDIFF_MAX - 2 * OX_MAX_ALIGNMENT, NULL, OX_REPORT_SIZE_OVERFLOW,
                       site, OXI_NUMBER("count", 1), OXI_NUMBER("size", size));
}

#if OX_SAFETY >= 1

static void list_leaks_at_exit(void) {
    oxi_report_end_delivery();
    ox_memory_check_leaks();
}

static oxi_once leaks_at_exit_once = OXI_ONCE_INIT;

static void register_leaks_at_exit(void) {
    atexit(list_leaks_at_exit);
}

// Remembers a block, or gives it back and returns NULL.
static void *remember_block(const oxi_live_block *info, bool *is_taken) {
    oxi_once_run(&leaks_at_exit_once, register_leaks_at_exit);
    if (oxi_live_add(info, is_taken)) {
        oxi_mark_fresh(info->block, info->size);
        return info->block;
    }
    if (*is_taken) {
        OXI_REPORT(NULL, OX_REPORT_BAD_BLOCK, info->site,
                   OXI_NAME("name", oxi_allocator_name(info->allocator)),
                   OXI_ADDRESS("block", info->block), OXI_NUMBER("size", info->size),
                   OXI_NUMBER("align", info->align), OXI_NAME("why", "it is in use already"));
        return NULL;
    }
    free_raw(info->allocator, info->block, info->size, info->align);
    return NULL;
}

static void *alloc_and_remember(ox_allocator allocator, size_t size, size_t align, bool *is_taken,
                                ox_site site) {
    if (allocator == OX_TEMP) {
        return oxi_fault_hit(OX_HERE) ? NULL : oxi_temp_alloc(size, align, site);
    }
    void *block = alloc_raw(allocator, size, align);
    if (block == NULL) {
        return NULL;
    }
    uint64_t frame = oxi_load_relaxed(&oxi_frame);
    return remember_block(&(oxi_live_block){block, size, align, site, frame, allocator, {0}},
                          is_taken);
}

// `*is_reported` is true when a block was there, and was refused with a report.
static void *alloc_checked(ox_allocator allocator, size_t size, size_t align, bool *is_reported,
                           ox_site site) {
    bool is_taken = false;
    uint64_t refused = oxi_hooks_get_refused();
    void *block = alloc_and_remember(allocator, size, align, &is_taken, site);
    *is_reported = is_taken || oxi_hooks_get_refused() != refused;
    return block;
}

static void report_wrong_free(oxi_live_verdict verdict, const oxi_live_block *wanted, ox_site site,
                              const oxi_live_block *found, ox_site free_site) {
    const char *given = oxi_allocator_name(wanted->allocator);
    if (verdict == OXI_LIVE_UNKNOWN) {
        OXI_REPORT(NULL, OX_REPORT_FREE_UNKNOWN, site, OXI_ADDRESS("block", wanted->block),
                   OXI_NAME("allocator", given));
    } else if (verdict == OXI_LIVE_FREED) {
        OXI_REPORT(NULL, OX_REPORT_FREED_TWICE, site, OXI_ADDRESS("block", wanted->block),
                   OXI_SITE("alloc_site", found->site), OXI_SITE("free_site", free_site));
    } else if (found->allocator != wanted->allocator) {
        OXI_REPORT(NULL, OX_REPORT_FREE_WRONG_ALLOCATOR, site,
                   OXI_NAME("allocator", oxi_allocator_name(found->allocator)),
                   OXI_SITE("alloc_site", found->site), OXI_NAME("given", given));
    } else {
        OXI_REPORT(NULL, OX_REPORT_FREE_SIZE_MISMATCH, site, OXI_NUMBER("size", found->size),
                   OXI_NUMBER("align", found->align), OXI_SITE("alloc_site", found->site),
                   OXI_NUMBER("given_size", wanted->size),
                   OXI_NUMBER("given_align", wanted->align));
    }
}

static void free_checked(ox_allocator allocator, void *block, size_t size, size_t align,
                         ox_site site) {
    oxi_live_block wanted = {block, size, align, site, 0, allocator, {0}}, found = {0};
    ox_site free_site = NULL;
    oxi_live_verdict verdict = oxi_live_remove(&wanted, site, &found, &free_site);
    // A live block of another allocator is what it is, also when it is freed as Temp.
    if (allocator == OX_TEMP && verdict != OXI_LIVE_DIFFERENT) {
        oxi_temp_free(block, size, align, site);
        return;
    }
    if (verdict != OXI_LIVE_OK) {
        report_wrong_free(verdict, &wanted, site, &found, free_site);
        return;
    }
    memset(block, OXI_FREED_BYTE, size);
    free_raw(allocator, block, size, align);
}

#else

static void *alloc_checked(ox_allocator allocator, size_t size, size_t align, bool *is_reported,
                           ox_site site) {
    *is_reported = false;
    return allocator == OX_TEMP ? oxi_temp_alloc(size, align, site)
                                : alloc_raw(allocator, size, align);
}

static void free_checked(ox_allocator allocator, void *block, size_t size, size_t align,
                         ox_site site) {
    if (allocator == OX_TEMP) {
        oxi_temp_free(block, size, align, site);
        return;
    }
    free_raw(allocator, block, size, align);
}

#endif

void *ox_memory_alloc_at(ox_allocator allocator, size_t size, size_t align, ox_site site) {
    if (size == 0 || !oxi_hooks_require_outside("ox_memory_alloc", site) ||
        !require_request(allocator, size, align, site)) {
        return NULL;
    }
    bool is_reported = false;
    void *block = alloc_checked(allocator, size, align, &is_reported, site);
    OXI_REQUIRE(block != NULL || is_reported, NULL, OX_REPORT_OUT_OF_MEMORY, site,
                OXI_NUMBER("bytes", size), OXI_NAME("allocator", oxi_allocator_name(allocator)));
    return block;
}

void *ox_memory_alloc_array_at(ox_allocator allocator, size_t count, size_t size, size_t align,
                               ox_site site) {
    if (!OXI_REQUIRE(size == 0 || count <= SIZE_MAX / size, NULL, OX_REPORT_SIZE_OVERFLOW, site,
                     OXI_NUMBER("count", count), OXI_NUMBER("size", size))) {
        return NULL;
    }
    return ox_memory_alloc_at(allocator, count * size, align, site);
}

void ox_memory_free_at(ox_allocator allocator, void *block, size_t size, size_t align,
                       ox_site site) {
    if (block == NULL || !oxi_hooks_require_outside("ox_memory_free", site) ||
        !oxi_allocator_require(allocator, site)) {
        return;
    }
    free_checked(allocator, block, size, align, site);
}

uint64_t ox_frame_get_number(void) {
    return oxi_load_relaxed(&oxi_frame);
}

static void report_old_temp_job(uint64_t frame) {
#if OX_SAFETY >= 1
    oxi_live_block old;
    uint64_t oldest = frame > OX_TEMP_JOB_FRAMES ? frame - OX_TEMP_JOB_FRAMES : 0;
    while (oxi_live_take_old(oldest, &old)) {
        OXI_REPORT(NULL, OX_REPORT_TEMP_JOB_OLD, old.site, OXI_NUMBER("size", old.size),
                   OXI_NUMBER("made", old.frame), OXI_NUMBER("frame", frame),
                   OXI_SITE("alloc_site", old.site));
    }
#else
    (void)frame;
#endif
}

uint64_t ox_frame_end_at(ox_site site) {
    if (!oxi_hooks_require_outside("ox_frame_end", site)) {
        return ox_frame_get_number();
    }
    uint32_t depth = oxi_temp_get_depth();
    if (!OXI_REQUIRE(depth == 0, NULL, OX_REPORT_TEMP_SCOPE_ORDER, site, OXI_NUMBER("scope", 0),
                     OXI_NUMBER("open", depth))) {
        return ox_frame_get_number();
    }
    uint64_t frame = oxi_add_relaxed(&oxi_frame, 1) + 1;
    oxi_temp_begin_frame();
    report_old_temp_job(frame);
    return frame;
}

ox_memory_usage ox_memory_get_usage(ox_allocator allocator) {
#if OX_SAFETY >= 1
    return oxi_live_get_usage(allocator);
#else
    (void)allocator;
    return (ox_memory_usage){0};
#endif
}

#if OX_SAFETY >= 1

// What leaked, as the beginning of a sentence: "multimap 'grid' and 2 more: ", "a list: ", "".
static void describe_leak(const oxi_live_group *group, char *text, size_t size) {
    const oxi_live_owner *owner = &group->owner;
    char more[40] = "";
    if (owner->kind == NULL) {
        text[0] = 0;
        return;
    }
    if (group->owner_count > 1) {
        snprintf(more, sizeof more, " and %" PRIu64 " more", group->owner_count - 1);
    }
    if (owner->name[0] != 0) {
        oxi_text_print(text, size, "%s '%s'%s: ", owner->kind, owner->name, more);
    } else {
        bool is_plural = owner->kind[strlen(owner->kind) - 1] == 's'; // bits
        const char *article = strchr("aeiou", owner->kind[0]) != NULL ? "an " : "a ";
        oxi_text_print(text, size, "%s%s%s: ", is_plural ? "" : article, owner->kind, more);
    }
}

#endif

size_t ox_memory_check_leaks(void) {
    size_t count = 0;
#if OX_SAFETY >= 1
    char owner[128];
    oxi_live_group group = {0};
    while (oxi_live_next_group(&group, &group)) {
        count += group.count;
        describe_leak(&group, owner, sizeof owner);
        OXI_REPORT(NULL, OX_REPORT_LEAK, group.site, OXI_NAME("owner", owner),
                   OXI_NUMBER("count", group.count),
                   OXI_NAME("blocks", group.count == 1 ? "block" : "blocks"),
                   OXI_NUMBER("bytes", group.bytes),
                   OXI_NAME("verb", group.owner_count > 0 ? group.owner.verb : "free"),
                   OXI_NAME("allocator", oxi_allocator_name(group.allocator)),
                   OXI_SITE("alloc_site", group.site));
    }
#endif
    return count;
}

void ox_memory_trim(void) {
    if (!oxi_hooks_require_outside("ox_memory_trim", NULL)) {
        return;
    }
    oxi_temp_trim();
    oxi_temp_job_trim();
#if OX_SAFETY >= 1
    oxi_live_trim();
#endif
}
