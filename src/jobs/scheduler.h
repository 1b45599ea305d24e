// SPDX-License-Identifier: MIT
//
// Starting and stopping the job system.

#pragma once

#include "jobs/state.h"

/// What oxi_jobs_enter does when the answer is not plain.
bool oxi_jobs_enter_slowly(const char *function, const ox_job_type *type, ox_site site);

/// At the door of every call that belongs to main: starts the system if it is not running.
/// @return false after a report: another thread, or inside a job. `type` is the job's or NULL.
static inline bool oxi_jobs_enter(const char *function, const ox_job_type *type, ox_site site) {
    const oxi_runner *main = &oxi_jobs.runners[0];
    return (oxi_this_runner == main && !main->is_inside) ||
           oxi_jobs_enter_slowly(function, type, site);
}
