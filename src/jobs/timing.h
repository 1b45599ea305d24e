// SPDX-License-Identifier: MIT
//
// How long jobs of a type take: an average of samples, kept in the type.

#pragma once

#include "jobs/state.h"

enum {
    OXI_TINY_JOB_NS = 1000,   ///< many of them may wait behind each other, unseen by others
    OXI_SHORT_JOB_NS = 10000, ///< main may run such a job while it waits for another
};

/// The average, or 0 when no run was sampled yet.
static inline uint32_t oxi_average_of(const ox_job_type *type) {
    return oxi_load_relaxed((const oxi_atomic_u32 *)&type->oxi_average_ns);
}

/// True when runs of this type are known to be shorter than `ns`.
static inline bool oxi_is_shorter(const ox_job_type *type, uint32_t ns) {
    uint32_t average = oxi_average_of(type);
    return average != 0 && average < ns;
}

/// Adds a sample to the average, which is never 0 afterwards.
static inline void oxi_add_sample(ox_job_type *type, uint64_t ns) {
    uint64_t sample = ns < UINT32_MAX ? ns : UINT32_MAX;
    uint64_t average = oxi_average_of(type);
    average = average == 0 ? sample : (average * 7 + sample) / 8;
    oxi_store_relaxed((oxi_atomic_u32 *)&type->oxi_average_ns, (uint32_t)(average | 1));
}
