// SPDX-License-Identifier: MIT
//
// Calls of shared components, by id: set once, then only read.

#include "types/shared_calls.h"

#include "base/atomics.h"
#include "base/check.h"
#include "base/heap.h"
#include "types/kinds.h"
#include "types/registry.h"
#include "types/value.h"

#include <string.h>

static const ox_shared_def no_calls;
static oxi_atomic_ptr calls_of[OX_MAX_COMPONENTS + 1];

static const ox_shared_def *get_calls(uint32_t id) {
    // Acquire: pairs with the swap of who set them.
    const ox_shared_def *calls = oxi_load_acquire(&calls_of[id]);
    return calls != NULL ? calls : &no_calls;
}

static bool is_same_calls(const ox_shared_def *a, const ox_shared_def *b) {
    return a->hash == b->hash && a->equal == b->equal && a->copy == b->copy && a->drop == b->drop;
}

static bool report_calls(const ox_component_info *info, const char *why, const char *advice,
                         ox_site site) {
    return OXI_REPORT(NULL, OX_REPORT_BAD_COMPONENT, site, OXI_NAME("component", info->name),
                      OXI_SITE("component_site", info->site), OXI_NAME("why", why),
                      OXI_NAME("advice", advice));
}

bool ox_shared_define_at(uint32_t id, const ox_shared_def *calls, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(calls, "ox_shared_define", site)) {
        return false;
    }
    const ox_component_info *info = oxi_component_require(id, "ox_shared_define", site);
    if (info == NULL) {
        return false;
    }
    if (!oxi_kind_of(info)->in_lane) {
        return report_calls(info, "only shared components have calls",
                            "declare it with OX_SHARED, or leave ox_shared_define out", site);
    }
    ox_shared_def *own = oxi_heap_alloc(sizeof *own, _Alignof(ox_shared_def));
    if (own == NULL) {
        return OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, site, OXI_NUMBER("bytes", sizeof *own),
                          OXI_NAME("allocator", "the registry of components"));
    }
    *own = *calls;
    void *before = NULL;
    if (oxi_swap_acq_rel(&calls_of[id], &before, own)) {
        return true;
    }
    oxi_heap_free(own, sizeof *own, _Alignof(ox_shared_def));
    return is_same_calls(before, calls) ||
           report_calls(info, "it has other calls already", "set its calls in one place", site);
}

// Where there is an own equality and no own hash, bytes may differ: then all have one hash.
uint64_t oxi_shared_hash(const ox_component_info *info, const void *value) {
    const ox_shared_def *calls = get_calls(info->id);
    if (calls->hash != NULL) {
        return calls->hash(value);
    }
    return calls->equal == NULL ? oxi_value_hash(info, value, 0) : 0;
}

uint64_t oxi_shared_content_hash(const ox_component_info *info, const void *value) {
    const ox_shared_def *calls = get_calls(info->id);
    return calls->hash != NULL ? calls->hash(value) : oxi_value_hash(info, value, 0);
}

bool oxi_shared_has_calls(const ox_component_info *info) {
    return get_calls(info->id) != &no_calls;
}

// Pointers and containers are compared by address, and left out of hashes: those are the same in
// every run.
static bool has_same_owned(const ox_component_info *info, const void *a, const void *b) {
    bool is_same = true;
    for (uint32_t k = 0; is_same && k < info->owned_count; k++) {
        ox_byte_span span = info->owned[k];
        is_same =
            memcmp((const char *)a + span.offset, (const char *)b + span.offset, span.size) == 0;
    }
    return is_same;
}

bool oxi_shared_equal(const ox_component_info *info, const void *a, const void *b) {
    const ox_shared_def *calls = get_calls(info->id);
    return calls->equal != NULL ? calls->equal(a, b)
                                : oxi_value_equal(info, a, b) && has_same_owned(info, a, b);
}

bool oxi_shared_copies(const ox_component_info *info) {
    return get_calls(info->id)->copy != NULL;
}

bool oxi_shared_own(const ox_component_info *info, void *stored) {
    const ox_shared_def *calls = get_calls(info->id);
    return calls->copy == NULL || calls->copy(stored);
}

oxi_shared_drop_fn *oxi_shared_drop_of(const ox_component_info *info) {
    return get_calls(info->id)->drop;
}

void oxi_shared_calls_reset(void) {
    for (uint32_t id = 0; id <= OX_MAX_COMPONENTS; id++) {
        void *calls = oxi_exchange_acq_rel(&calls_of[id], NULL);
        if (calls != NULL) {
            oxi_heap_free(calls, sizeof(ox_shared_def), _Alignof(ox_shared_def));
        }
    }
}
