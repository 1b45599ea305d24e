// SPDX-License-Identifier: MIT
//
// The struct of a job: in the slot when it fits, else in memory of its own until the job is done.

#pragma once

#include "base/temp.h"
#include "jobs/gate.h"
#include "jobs/state.h"

#include <string.h>

static inline bool oxi_data_is_large(const ox_job_type *type) {
    return type->type.size > OXI_INLINE_DATA || type->oxi_has_tail;
}

/// Copies the struct of a job, and its tail, into a slot. @return false when out of memory.
static inline bool oxi_data_copy(oxi_slot *slot, const oxi_job_request *request) {
    const ox_job_type *type = request->type;
    if (!oxi_data_is_large(type)) {
        if (type->type.size > 0) {
            memcpy(slot->data, request->data, type->type.size); // may be NULL without a struct
        }
        return true;
    }
    size_t tail = oxi_tail_offset(type->type.size);
    size_t size = type->oxi_has_tail ? tail + request->tail_size : type->type.size;
    slot->large = oxi_temp_job_alloc(size, OX_MAX_JOB_ALIGN);
    if (slot->large == NULL) {
        return false;
    }
    if (type->type.size > 0) {
        memcpy(slot->large, request->data, type->type.size);
    }
    if (type->oxi_has_tail) {
        memcpy((char *)slot->large + tail, request->tail, request->tail_size);
    }
    return true;
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
