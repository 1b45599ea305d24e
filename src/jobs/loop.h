// SPDX-License-Identifier: MIT
//
// Parallel jobs: one loop that several runners work on.

#pragma once

#include "jobs/state.h"

/// Main: prepares the loop of a parallel job over `count` indices, more than 0.
void oxi_loop_prepare(oxi_loop *loop, ox_job job, uint32_t count, uint32_t batch);

/// Joins the loop of a parallel job that is ready, if it is still open. @return NULL when it is
/// not.
oxi_loop *oxi_loop_join(ox_job job);

/// Main: true when a ready parallel job has indices that nobody has taken.
bool oxi_loop_has_work(ox_job job);

/// Runs what this runner can get of a loop that it joined, and leaves it. The runner that finishes
/// the last index ends the job; see oxi_job_finish for `next`.
void oxi_loop_run(oxi_runner *runner, oxi_loop *loop, ox_job *next);

/// Runs the range function of the job in a slot over indices, in the pieces it expects.
void oxi_loop_call(oxi_slot *slot, uint32_t batch, uint32_t begin, uint32_t end);
