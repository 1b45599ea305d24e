// SPDX-License-Identifier: MIT
//
// Running jobs: what every runner does, and the life of a worker.

#pragma once

#include "jobs/state.h"

/// Runs a claimed single job, and after it whatever it makes ready that may go on here.
void oxi_run_claimed(oxi_runner *runner, ox_job job);

/// Runs what an entry of a queue points to, if it is still to be run.
void oxi_run_entry(oxi_runner *runner, ox_job job);

/// Runs a job whose slot is filled and not scheduled, and gives the slot back. A batch of 0 is a
/// single job.
void oxi_run_in_place(oxi_runner *runner, oxi_slot *slot, uint32_t count, uint32_t batch);

/// The function of a worker's thread; `context` is its runner.
void oxi_worker_live(void *context);
