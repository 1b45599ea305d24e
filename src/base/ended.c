// SPDX-License-Identifier: MIT
//
// The table of objects that ended.
//
// Addresses are atomic words, so that looking needs no lock; what belongs to an address is read and
// written under the lock. Invariant: no address stands in two ways of its bucket.

#include "base/ended.h"

#include "base/platform.h"
#include "base/text.h"

#include <stdio.h>

#if OX_SAFETY >= 1

_Static_assert(OXI_ENDED_BUCKETS == 1 << 10, "a bucket is ten bits of a hash");

typedef struct ended_object {
    const char *kind;
    char name[OXI_ENDED_NAME];
    ox_site made;
    ox_site ended;
} ended_object;

oxi_atomic_ptr oxi_ended_addresses[OXI_ENDED_BUCKETS][OXI_ENDED_WAYS];
static ended_object ended_objects[OXI_ENDED_BUCKETS][OXI_ENDED_WAYS]; // under ended_lock
static uint8_t next_ended[OXI_ENDED_BUCKETS];                         // the same: the oldest
static oxi_mutex ended_lock = OXI_MUTEX_INIT;

// The way of an address in its bucket, or -1. Under the lock.
static int find_ended(const void *object) {
    oxi_atomic_ptr *ways = oxi_ended_addresses[oxi_ended_bucket(object)];
    for (int k = 0; k < OXI_ENDED_WAYS; k++) {
        if (oxi_load_relaxed(&ways[k]) == object) {
            return k;
        }
    }
    return -1;
}

void oxi_ended_note(const void *object, const char *kind, const char *name, ox_site made,
                    ox_site site) {
    OXI_ASSERT(object != NULL);
    uint32_t bucket = oxi_ended_bucket(object);
    oxi_mutex_lock(&ended_lock);
    int way = find_ended(object);
    if (way < 0) {
        way = next_ended[bucket];
        next_ended[bucket] = (uint8_t)((way + 1) % OXI_ENDED_WAYS);
    }
    ended_object *noted = &ended_objects[bucket][way];
    *noted = (ended_object){.kind = kind, .made = made, .ended = site};
    if (name != NULL) {
        oxi_text_copy(noted->name, sizeof noted->name, name);
    }
    oxi_store_relaxed(&oxi_ended_addresses[bucket][way], (void *)(uintptr_t)object);
    oxi_mutex_unlock(&ended_lock);
}

void oxi_ended_forget(const void *object) {
    if (!oxi_has_ended(object)) {
        return;
    }
    oxi_mutex_lock(&ended_lock);
    int way = find_ended(object);
    if (way >= 0) {
        oxi_store_relaxed(&oxi_ended_addresses[oxi_ended_bucket(object)][way], NULL);
    }
    oxi_mutex_unlock(&ended_lock);
}

bool oxi_ended_report(const void *object, const char *function, ox_site site) {
    ended_object found = {.kind = "object"};
    oxi_mutex_lock(&ended_lock);
    int way = find_ended(object);
    if (way >= 0) {
        found = ended_objects[oxi_ended_bucket(object)][way];
    }
    oxi_mutex_unlock(&ended_lock);
    char what[64];
    if (found.name[0] != 0) {
        snprintf(what, sizeof what, "%s '%s'", found.kind, found.name);
    } else {
        snprintf(what, sizeof what, "a %s", found.kind);
    }
    return OXI_REPORT(NULL, OX_REPORT_ENDED, site, OXI_NAME("function", function),
                      OXI_NAME("object", what), OXI_SITE("made", found.made),
                      OXI_SITE("ended", found.ended));
}

#else

typedef int oxi_ended_is_for_checks; // a unit has a declaration

#endif
