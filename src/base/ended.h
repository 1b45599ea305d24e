// SPDX-License-Identifier: MIT
//
// Objects that ended: worlds, queries and systems, by address.
//
// Programs hold plain pointers to them. With checks on, a call that takes such a pointer asks here
// before it follows it, so that a dead one is a report that says what it was and where it ended.
// An entry leaves when its address is handed out again, or when others push it out: the table is
// bounded, and lies outside of every world.
//
//      address ──hash──> bucket of four      [ address | address | address | address ]
//                        beside each         { kind, name, made, ended }
//
// Any thread may ask. The release library has no table: nothing ever ended there.

#pragma once

#include "base/atomics.h"
#include "base/bits.h"
#include "base/check.h"

enum { OXI_ENDED_NAME = 32, OXI_ENDED_WAYS = 4, OXI_ENDED_BUCKETS = 1024 };

#if OX_SAFETY >= 1

extern oxi_atomic_ptr oxi_ended_addresses[OXI_ENDED_BUCKETS][OXI_ENDED_WAYS];

/// The bucket of an address.
static inline uint32_t oxi_ended_bucket(const void *object) {
    uint64_t mixed = (uint64_t)(uintptr_t)object * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 54); // the upper ten bits
}

/// True for an address whose object ended, and that was not handed out since.
static inline bool oxi_has_ended(const void *object) {
    oxi_atomic_ptr *ways = oxi_ended_addresses[oxi_ended_bucket(object)];
    for (int k = 0; k < OXI_ENDED_WAYS; k++) {
        if (oxi_load_relaxed(&ways[k]) == object && object != NULL) {
            return true;
        }
    }
    return false;
}

/// Notes that an object ends at `site`. `kind` and `made` live on; `name` is copied, and may be
/// NULL.
void oxi_ended_note(const void *object, const char *kind, const char *name, ox_site made,
                    ox_site site);

/// An address is handed out again.
void oxi_ended_forget(const void *object);

/// Reports that an object is used after its end. @return false.
bool oxi_ended_report(const void *object, const char *function, ox_site site);

/// True for an object that did not end, and for NULL; else reports.
static inline bool oxi_require_not_ended(const void *object, const char *function, ox_site site) {
    return !oxi_has_ended(object) || oxi_ended_report(object, function, site);
}

#else

static inline void oxi_ended_note(const void *object, const char *kind, const char *name,
                                  ox_site made, ox_site site) {
    (void)object, (void)kind, (void)name, (void)made, (void)site;
}

static inline void oxi_ended_forget(const void *object) {
    (void)object;
}

static inline bool oxi_has_ended(const void *object) {
    (void)object;
    return false;
}

static inline bool oxi_require_not_ended(const void *object, const char *function, ox_site site) {
    (void)object, (void)function, (void)site;
    return true;
}

#endif
