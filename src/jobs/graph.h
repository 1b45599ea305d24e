// SPDX-License-Identifier: MIT
//
// Dependencies: adding them, and what happens when a job is done.

#pragma once

#include "jobs/state.h"

/// Main: makes the job in `slot` wait for `after`, as its k-th predecessor; `*link` is its link.
/// @return false when `after` is done already: there is nothing to wait for.
bool oxi_job_link(oxi_slot *slot, uint32_t k, uint32_t *link, ox_job after);

/// Main: adds itself to those that wait for `job`. @return false when the job is done already.
bool oxi_job_link_waiter(ox_job job);

/// Ends the job in `slot`, which is claimed: dependents that have no other predecessor become
/// ready. The first one that may run here is claimed and put into `*next`, the others are queued.
/// The slot is not given back.
void oxi_job_finish(oxi_runner *runner, oxi_slot *slot, ox_job *next);

/// Puts a job that is ready and kicked where its threads look. Not published yet.
void oxi_job_enqueue(oxi_runner *runner, ox_job job, uint64_t word);

/// Makes what was enqueued visible, and wakes nobody. @return false when there was nothing.
bool oxi_job_show(oxi_runner *runner);

/// Makes what was enqueued visible, and wakes a runner for it if need be.
void oxi_job_publish(oxi_runner *runner);

/// Claims a single job that an entry of a queue points to. @return false when it was claimed, or is
/// another job by now.
bool oxi_job_claim(ox_job job);
