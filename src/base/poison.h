// SPDX-License-Identifier: MIT
//
// Making memory that is not in use recognisable: filled with a pattern from OX_SAFETY 1 on, and
// forbidden to touch under AddressSanitizer.

#pragma once

#include "oxbow/base.h"

#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OXI_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define OXI_ASAN 1
#endif

#if defined(OXI_ASAN)
#include <sanitizer/asan_interface.h>
#endif

enum {
    OXI_FRESH_BYTE = 0xcd, ///< allocated and not written yet
    OXI_FREED_BYTE = 0xdd, ///< freed
};

/// Allows touching a range under AddressSanitizer.
static inline void oxi_unpoison(void *begin, size_t size) {
#if defined(OXI_ASAN)
    ASAN_UNPOISON_MEMORY_REGION(begin, size);
#else
    (void)begin;
    (void)size;
#endif
}

/// Forbids touching a range under AddressSanitizer, content unchanged.
static inline void oxi_forbid(void *begin, size_t size) {
#if defined(OXI_ASAN)
    ASAN_POISON_MEMORY_REGION(begin, size);
#else
    (void)begin;
    (void)size;
#endif
}

/// Marks a range as allocated.
static inline void oxi_mark_fresh(void *begin, size_t size) {
    oxi_unpoison(begin, size);
#if OX_SAFETY >= 1
    memset(begin, OXI_FRESH_BYTE, size);
#endif
}

/// Marks a range that may be touched as freed.
static inline void oxi_mark_freed(void *begin, size_t size) {
#if OX_SAFETY >= 1
    memset(begin, OXI_FREED_BYTE, size);
#endif
    oxi_forbid(begin, size);
}
