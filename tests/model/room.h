// SPDX-License-Identifier: MIT
//
// The job system as scenarios see it. Thread 0 of a scenario is main.

#pragma once

#include "model/model.h"

#include "jobs/complete.h"
#include "jobs/graph.h"
#include "jobs/loop.h"
#include "jobs/parking.h"
#include "jobs/ring.h"
#include "jobs/runner.h"
#include "jobs/slots.h"
#include "jobs/state.h"
#include "jobs/timing.h"
#include "oxbow/jobs.h"

/// Starts the job system with so many workers, which do not run by themselves: a thread of the
/// scenario calls oxi_worker_live, or does something that a worker does.
void room_start(uint32_t workers);

/// This thread is a runner from here on.
oxi_runner *room_be(uint32_t index);

/// What ox_jobs_stop does to workers.
void room_stop(void);
