// SPDX-License-Identifier: MIT
//
// Sleeping when there is nothing to do, and being woken when there is.

#pragma once

#include "jobs/state.h"

/// Wakes one runner, if one sleeps and no worker is searching. Call it after publishing.
void oxi_wake_for_work(void);

/// Wakes a runner, if it sleeps.
void oxi_wake_runner(oxi_runner *runner);

/// Wakes main, which waits for a job that is done.
void oxi_wake_waiter(void);

/// A worker begins and ends to look for work. Ending wakes another one if work is left.
void oxi_search_begin(void);
void oxi_search_end(void);

/// A worker that is searching sleeps until it is woken. Returns searching, with work perhaps.
void oxi_park_worker(oxi_runner *worker);

/// A worker that is searching and does not take part sleeps until it does. Returns searching.
void oxi_park_inactive(oxi_runner *worker);

/// Main: wakes a worker that takes part again.
void oxi_wake_active(oxi_runner *worker);

/// Main announces that it is about to sleep. What was published before oxi_wake_for_work looked,
/// and missed main, is visible afterwards.
void oxi_park_announce(oxi_runner *main);

/// Main sleeps until it is woken, or not at all when `sleeps` is false. It is awake afterwards.
void oxi_park_main(oxi_runner *main, bool sleeps);

/// How many workers sleep, or are about to. Any thread: a look, no more.
int oxi_jobs_count_idle(void);

/// True when some ring has entries.
bool oxi_any_work(void);
