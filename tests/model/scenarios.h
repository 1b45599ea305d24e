// SPDX-License-Identifier: MIT
//
// What is run over the job system. Two threads are interrupted up to three times, three up to
// twice.

#pragma once

#include "model/room.h"

// long: one line each
#define SCENARIOS(X)                                                                               \
    X(ring_reuse)                                                                                  \
    X(ring_growth)                                                                                 \
    X(ring_two_takers)                                                                             \
    X(ring_peek)                                                                                   \
    X(link_against_finish)                                                                         \
    X(kick_against_finish)                                                                         \
    X(two_dependents)                                                                              \
    X(combine_against_finish)                                                                      \
    X(combine_of_two_runners)                                                                      \
    X(stale_entry)                                                                                 \
    X(claim_by_two)                                                                                \
    X(made_up_handle)                                                                              \
    X(main_helps)                                                                                  \
    X(wait_for_runner)                                                                             \
    X(wait_is_woken_twice)                                                                         \
    X(kick_against_sleep)                                                                          \
    X(kick_twice)                                                                                  \
    X(publish_against_sleep)                                                                       \
    X(publish_twice)                                                                               \
    X(publish_and_complete)                                                                        \
    X(stop_against_sleep)                                                                          \
    X(last_searcher)                                                                               \
    X(two_long_jobs)                                                                               \
    X(dependents_for_two)                                                                          \
    X(stop_inactive)                                                                               \
    X(inactive_worker)                                                                             \
    X(loop_of_two)                                                                                 \
    X(loop_of_three)                                                                               \
    X(loop_stale_ticket)                                                                           \
    X(loop_is_new)                                                                                 \
    X(loop_same_version)                                                                           \
    X(late_loop)                                                                                   \
    X(late_loop_of_main)                                                                           \
    X(late_loop_is_empty)                                                                          \
    X(slot_chains)                                                                                 \
    X(loop_returns)

#define DECLARE_SCENARIO(name) extern const model_scenario scenario_##name;
SCENARIOS(DECLARE_SCENARIO)

/// What the jobs of scenarios do. Cleared by scenario_begin.
typedef struct scenario_jobs {
    uint32_t runs[16]; ///< of each number; plain, so that two runs at once are a race
    ox_job job[8];
    oxi_atomic_u32 begun; ///< of jobs that wait for each other
    oxi_atomic_u32 flag;
    uint32_t late_count;              ///< of a loop that takes its count when it starts
    uint64_t taken[MODEL_THREADS][8]; ///< entries that each thread took
} scenario_jobs;
extern scenario_jobs done;

/// Starts the job system with so many workers, and clears what jobs did.
void scenario_begin(uint32_t workers);

/// Schedules job `k`, below 8, which must run once, when those jobs have run that have a bit in
/// `runs_before`.
ox_job schedule_job(uint32_t k, ox_job after, uint32_t runs_before);

/// From here on a run of schedule_job's jobs is known to take 1 ns.
void know_jobs(void);

/// Schedules job `k`, one of two that return only when both have begun.
void schedule_meeting(uint32_t k, ox_job after);

/// Schedules a parallel job over `count` indices in batches of one, marked from number 8 on.
ox_job schedule_loop(uint32_t count, ox_job after);

/// The same, with the count taken when it starts, by number 7. It waits for job 0.
ox_job schedule_late_loop(uint32_t count, ox_job after);

/// As a runner: runs what an entry points to, and then what it has in its hand.
void run_job(ox_job job);

/// Runs what is left in queues and not run, as main.
void run_rest(void);

/// After run_rest: jobs below `count` ran once each, and none else.
void expect_runs(uint32_t count);
