// SPDX-License-Identifier: MIT
//
// The struct of a job: in the slot when it fits, else in memory of its own until the job is done.

#pragma once

#include "base/temp.h"
#include "jobs/state.h"

#include <string.h>

static inline bool oxi_data_is_large(const ox_job_type *type) {
    return type->type.size > OXI_INLINE_DATA;
}

/// Copies the struct into a slot. @return false when out of memory.
static inline bool oxi_data_copy(oxi_slot *slot, const ox_job_type *type, const void *data) {
    if (!oxi_data_is_large(type)) {
        if (type->type.size > 0) {
            memcpy(slot->data, data, type->type.size); // without a struct `data` may be NULL
        }
        return true;
    }
    slot->large = oxi_temp_job_alloc(type->type.size, OX_MAX_JOB_ALIGN);
    if (slot->large != NULL) {
        memcpy(slot->large, data, type->type.size);
    }
    return slot->large != NULL;
}

/// Where the struct of a job is.
static inline void *oxi_data_of(oxi_slot *slot) {
    return oxi_data_is_large(slot->type) ? slot->large : slot->data;
}

/// Frees what oxi_data_copy allocated. Any runner.
static inline void oxi_data_free(oxi_slot *slot) {
    if (oxi_data_is_large(slot->type)) {
        oxi_temp_job_free(slot->large, slot->type->type.size, OX_MAX_JOB_ALIGN);
    }
}
