// SPDX-License-Identifier: MIT
//
// Parallel jobs: one loop that several runners work on.

#pragma once

#include "jobs/state.h"

/// Main: prepares the loop of a parallel job. Nobody can join it before it is opened.
void oxi_loop_prepare(oxi_loop *loop, ox_job job, uint32_t batch);

/// Opens a loop over `count` indices, more than 0: main, or who claimed a late job.
void oxi_loop_open(oxi_loop *loop, ox_job job, uint32_t count);

/// Takes the count of a late job that this runner has claimed. @return 0 also after a report.
uint32_t oxi_loop_take_count(oxi_slot *slot);

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
