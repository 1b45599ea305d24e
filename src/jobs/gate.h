// SPDX-License-Identifier: MIT
//
// The gate: what the room above may say about jobs, and what it is told. Called on main only.

#pragma once

#include "oxbow/jobs.h"

typedef struct oxi_job_gate {
    /// Before a job is scheduled. false refuses it: nothing is queued, and its handle is ox_none.
    bool (*allow)(const ox_job_type *type, const void *data, ox_job after, ox_site site,
                  void *context);

    /// A job was scheduled, or combined: then `type` is NULL. `after` has all its predecessors,
    /// those that are done included.
    void (*scheduled)(ox_job job, const ox_job_type *type, const ox_job *after, int count,
                      ox_site site, void *context);

    /// These handles were completed, and everything that they depend on.
    void (*completed)(const ox_job *jobs, int count, ox_site site, void *context);

    void *context;
} oxi_job_gate;

/// Sets the gate; NULL takes it away. It must stay in place.
void oxi_jobs_set_gate(const oxi_job_gate *gate);
