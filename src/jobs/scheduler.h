// SPDX-License-Identifier: MIT
//
// Starting and stopping the job system.

#pragma once

#include "jobs/state.h"

/// At the door of every call that belongs to main: starts the system if it is not running.
/// @return false after a report: another thread, or inside a job. `job` is the job's name or NULL.
bool oxi_jobs_enter(const char *function, const char *job, ox_site site);
