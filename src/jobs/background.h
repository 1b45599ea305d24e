// SPDX-License-Identifier: MIT
//
// Threads of their own for jobs that outlive a frame.

#pragma once

#include "jobs/state.h"

/// Main: starts the threads, if there are none yet. @return false after a report: none was started.
bool oxi_background_start(ox_site site);

/// Main: makes room for one more background job. @return false when out of memory.
bool oxi_background_prepare(void);

/// Main: ends the threads. No background job may be outstanding.
void oxi_background_stop(void);

/// Main: true when background jobs were scheduled since the system was started.
bool oxi_background_is_used(void);

/// Queues a background job that is ready and kicked. Any runner.
void oxi_background_add(ox_job job);
