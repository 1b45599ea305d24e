// SPDX-License-Identifier: MIT
//
// How long jobs of a type take: an average of samples, kept in the type. For a parallel job it is
// the time of one index. A type that is used for both kinds mixes them, and is a bad guess at
// either.

#pragma once

#include "jobs/state.h"

enum {
    OXI_TINY_JOB_NS = 1000,   ///< many of them may wait behind each other, unseen by others
    OXI_SHORT_JOB_NS = 10000, ///< main may run such a job while it waits for another
    OXI_ALONE_NS = 5000,      ///< what main does itself in less time than a wake-up takes
    OXI_WAKE_NS = 50000,  ///< what is worth a wake-up: a worker that slept comes after about that
    OXI_SAMPLE_MASK = 63, ///< one run in 64 is timed
};

/// The average, or 0 when no run was sampled yet.
static inline uint32_t oxi_average_of(const ox_job_type *type) {
    return oxi_load_relaxed((const oxi_atomic_u32 *)&type->oxi_average_ns);
}

/// True when runs of this type are known to be shorter than `ns`. Not for parallel jobs.
static inline bool oxi_is_shorter(const ox_job_type *type, uint32_t ns) {
    uint32_t average = oxi_average_of(type);
    return average != 0 && average < ns;
}

/// Counts a run, or a stretch of a parallel job, on this runner. @return true when it is to be
/// timed.
static inline bool oxi_takes_sample(oxi_runner *runner, const ox_job_type *type) {
    return (++runner->runs & OXI_SAMPLE_MASK) == 0 || oxi_average_of(type) == 0;
}

/// Adds a sample to the average, which is never 0 afterwards.
static inline void oxi_add_sample(ox_job_type *type, uint64_t ns) {
    int64_t sample = ns < UINT32_MAX ? (int64_t)ns : (int64_t)UINT32_MAX;
    int64_t average = oxi_average_of(type);
    int64_t step = sample - average;
    // An eighth of the way, rounded up: an index takes few ns, and its average has to get there.
    average = average == 0 ? sample : average + (step + (step < 0 ? -7 : 7)) / 8;
    oxi_store_relaxed((oxi_atomic_u32 *)&type->oxi_average_ns,
                      (uint32_t)(average > 0 ? average : 1));
}
