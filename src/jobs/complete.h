// SPDX-License-Identifier: MIT
//
// Main waiting for jobs, and helping with them.

#pragma once

#include "jobs/state.h"

/// Main: makes every job that was scheduled visible to workers, and wakes one.
void oxi_jobs_kick_all(void);

/// Main: makes everything that was scheduled visible to workers. Wakes one only once what was
/// published this way since the last wake is likely to take longer than OXI_WAKE_NS; the rest is up
/// to oxi_jobs_wake.
void oxi_jobs_publish(void);

/// Main: wakes a worker for what oxi_jobs_publish showed, if it woke none for it.
void oxi_jobs_wake(void);

/// Main: waits until all of `jobs` are done, running what it waits for.
void oxi_jobs_wait_all(const ox_job *jobs, int count);

/// Main: notes a job that was scheduled and is not kicked. @return false when out of memory.
bool oxi_unkicked_add(ox_job job);

/// Main: gives the list of those jobs back. None of them may be left.
void oxi_unkicked_free(void);
