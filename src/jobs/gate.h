// SPDX-License-Identifier: MIT
//
// The gate: what the room above may say about jobs, and what it is told. Called on main only.

#pragma once

#include "oxbow/jobs.h"

/// Something that a job uses beside what its struct holds.
typedef struct oxi_job_use {
    uint32_t token; ///< of the safety system
    bool writes;
    const char *name;
} oxi_job_use;

/// Where a parallel job takes its count from when it starts. All 0: from its request.
typedef struct oxi_job_counter {
    /// Called once, in the job, when all that it waits for is done. OXI_NO_COUNT after a report.
    int64_t (*count)(const struct oxi_job_counter *counter, const void *job, ox_site site);
    ox_count_fn *of_job; ///< the user's, or NULL
    void *memory;        ///< what else it reads, or NULL
} oxi_job_counter;

#define OXI_NO_COUNT INT64_MIN

/// A job that is about to be scheduled, or run at once.
typedef struct oxi_job_request {
    ox_job_type *type;
    const void *data;
    ox_job after;
    ox_site site;
    bool is_parallel;

    // For jobs of the rooms above.
    bool has_no_indices; ///< its batches divide no container
    oxi_job_counter counter;
    const struct ox_access *counted; ///< the container that the count is taken from, or NULL
    const void *tail;                ///< copied behind the struct, when the type has a tail
    size_t tail_size;
    const oxi_job_use *uses; ///< what else it uses
    uint32_t use_count;
} oxi_job_request;

typedef struct oxi_job_gate {
    /// Before a job is scheduled. false refuses it, after a report: nothing is queued, and its
    /// handle is OX_NO_JOB.
    bool (*allow)(const oxi_job_request *request, void *context);

    /// The job's own copy of its struct was made, with the number that it runs under.
    void (*copied)(void *copy, const oxi_job_request *request, uint32_t order, void *context);

    /// Before `count` handles are combined. false refuses that, for want of memory.
    bool (*allow_combination)(int count, void *context);

    /// A job was scheduled, or combined: then `type` is NULL. `after` has all its predecessors,
    /// those that are done included. Follows a call to allow or allow_combination.
    void (*scheduled)(ox_job job, const ox_job_type *type, const ox_job *after, int count,
                      ox_site site, void *context);

    /// These handles were completed, and everything that they depend on.
    void (*completed)(const ox_job *jobs, int count, ox_site site, void *context);

    /// The job system stopped: nothing is outstanding.
    void (*stopped)(void *context);

    /// True when a job that is done may be forgotten: somebody completed it.
    bool (*is_settled)(ox_job job, void *context);

    void *context;
} oxi_job_gate;

/// Looks on while users schedule jobs, or run them at once; jobs of rooms above and combinations
/// are not shown. Unlike the gate it is there at every level, and may let copies differ from what
/// users gave.
typedef struct oxi_plain_watch {
    /// Before the gate is asked. false refuses the job, after a report. What is needed later is
    /// reserved here; the job may still be refused by others.
    bool (*begin)(const oxi_job_request *request);

    /// The job's own copy of its struct was made, and the gate has seen it.
    void (*copied)(void *copy, const oxi_job_request *request);

    /// The job exists, with so many indices, 1 for a single one, 0 when it takes its count later;
    /// or it is about to run at once, and `job` is OX_NO_JOB.
    void (*scheduled)(ox_job job, const oxi_job_request *request, int count);
} oxi_plain_watch;

/// Where the tail of a job lies behind its struct.
static inline size_t oxi_tail_offset(size_t struct_size) {
    return (struct_size + 15) / 16 * 16;
}

/// Schedules a parallel job of a room above. With a counter, `count` is not looked at.
/// @return OX_NO_JOB after a report.
ox_job oxi_parallel_job_request(const oxi_job_request *request, int count, int batch);

/// Sets the gate; NULL takes it away. It must stay in place.
void oxi_jobs_set_gate(const oxi_job_gate *gate);

/// Sets who looks on at users' jobs, for the rest of the process. Any thread.
void oxi_jobs_set_plain_watch(const oxi_plain_watch *watch);

/// True when a job is done and nobody has to wait for its handle any more. Main only.
bool oxi_job_is_settled(ox_job job);

/// True for a handle that this run of the job system gave out, done or not, and for OX_NO_JOB. Main
/// only.
bool oxi_job_is_known(ox_job job);

/// The name of a job's type, not copied; "combined" for a combination, NULL for a job that is done.
/// Main only.
const char *oxi_job_get_name(ox_job job);

/// Tells the gate that the job system stopped.
void oxi_gate_stopped(void);
