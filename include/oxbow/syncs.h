// SPDX-License-Identifier: MIT
//
// Syncs: where main waited for jobs over entities, for which ones, and how long.
//
//     ox_world_record_syncs(world, true);
//     run_frame(world);
//     ox_sync syncs[OX_SYNCS_KEPT];
//     uint64_t count = ox_world_get_syncs(world, syncs, OX_SYNCS_KEPT);
//
// Reading or writing a component on main, and changing structure, silently wait for conflicting
// jobs. A sync is one such wait. To avoid one, use the component later in the frame, or in a job.
//
// Threads: call everything here from the world's thread.

#pragma once

#include "oxbow/world.h"

/// What main did when it waited.
typedef enum ox_sync_kind {
    OX_SYNC_READ = 0, ///< read a component: waits for jobs that write it
    OX_SYNC_WRITE,    ///< write a component: waits for jobs that read or write it
    /// Change the structure of a world, hash it or destroy it: waits for all its jobs. Change the
    /// rows of the views of a query, or destroy the query: waits for jobs with views of it.
    OX_SYNC_STRUCTURAL,
    OX_SYNC_OWN, ///< update a system: waits for its own jobs of the previous update
} ox_sync_kind;

enum {
    OX_SYNC_JOBS = 4,   ///< jobs that a sync names
    OX_SYNCS_KEPT = 64, ///< the number of last syncs that a world stores
};

/// A wait of main for jobs of a world.
typedef struct ox_sync {
    ox_sync_kind kind;
    uint32_t component; ///< what was read or written; 0 for a structural sync
    ox_site site;       ///< of the call that waited; NULL if not known
    const char *system; ///< the system of the update, also before it; NULL outside updates
    bool is_planned;    ///< it was before an update, for a declared access, or of a barrier
    int idle_workers;   ///< workers that slept when it began
    uint64_t wait_ns;   ///< its duration; main runs jobs while it waits
    /// Number of jobs that main waited for, without their dependencies. In libraries with checks, a
    /// finished job counts unless it was completed.
    uint32_t job_count;
    /// The names of the first of them, not copied, then NULL. Finished jobs have none; several jobs
    /// of one handle are "combined".
    const char *jobs[OX_SYNC_JOBS];
} ox_sync;

/// Enables or disables recording. It is initially disabled; then a wait reads no clock.
OX_API void ox_world_record_syncs(ox_world *world, bool on);

/// Writes the last recorded syncs to `syncs`, up to `capacity` and OX_SYNCS_KEPT of them, the
/// newest last. Writes nothing to NULL, or with a capacity below 1.
/// @return the number of syncs recorded since the world was created.
OX_API uint64_t ox_world_get_syncs(const ox_world *world, ox_sync *syncs, int capacity);
