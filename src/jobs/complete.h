// SPDX-License-Identifier: MIT
//
// Main waiting for jobs, and helping with them.

#pragma once

#include "jobs/state.h"

/// Main: makes every job that was scheduled visible to workers, and wakes one.
void oxi_jobs_kick_all(void);

/// Main: waits until all of `jobs` are done, running what it waits for.
void oxi_jobs_wait_all(const ox_job *jobs, int count);

/// Main: notes a job that was scheduled and is not kicked. @return false when out of memory.
bool oxi_unkicked_add(ox_job job);

/// Main: gives the list of those jobs back. None of them may be left.
void oxi_unkicked_free(void);
