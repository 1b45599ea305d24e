// SPDX-License-Identifier: MIT
//
// Syncs: where main waited for jobs over entities, for which, and how long.
//
//     ox_world_record_syncs(world, true);
//     run_frame(world);
//     ox_sync syncs[OX_SYNCS_KEPT];
//     uint64_t count = ox_world_get_syncs(world, syncs, OX_SYNCS_KEPT);
//
// Looking at a component, writing one and changing structure wait for the jobs that stand in the
// way, without a word. A sync is one such wait. What it waited for a frame could have done
// meanwhile: look at it later, or on a worker. All calls belong to the world's thread.

#pragma once

#include "oxbow/world.h"

/// What main was about to do.
typedef enum ox_sync_kind {
    OX_SYNC_READ = 0, ///< read a component: waits for the job that writes it
    OX_SYNC_WRITE,    ///< write a component: waits for the jobs that read it, too
    /// Change the world, hash it or destroy it: waits for all its jobs. Give the views of a query
    /// other rows, or destroy the query: waits for jobs with views of it.
    OX_SYNC_STRUCTURAL,
    OX_SYNC_OWN, ///< update a system: waits for its own jobs of the update before
} ox_sync_kind;

enum {
    OX_SYNC_JOBS = 4,   ///< jobs that a sync names
    OX_SYNCS_KEPT = 64, ///< syncs that a world remembers: the last ones
};

/// One wait of main for jobs of a world.
typedef struct ox_sync {
    ox_sync_kind kind;
    uint32_t component; ///< what was read or written; 0 for a structural sync
    ox_site site;       ///< of the call that waited; NULL when not known
    const char *system; ///< whose update it was, or was about to be; NULL outside of updates
    bool is_planned;    ///< it came before an update, for what the system declares, or is a barrier
    int idle_workers;   ///< that slept when it began
    uint64_t wait_ns;   ///< how long it took; main runs jobs while it waits
    /// Jobs that were waited for; what those depend on does not count. A job that was done already
    /// counts unless it was completed; in a library without checks it does not.
    uint32_t job_count;
    /// The names of the first of them, not copied: those that were done already have none, and
    /// several that stand behind one handle are "combined". NULL behind the last.
    const char *jobs[OX_SYNC_JOBS];
} ox_sync;

/// Begins or ends recording. While it is off, as at first, a wait reads no clock.
OX_API void ox_world_record_syncs(ox_world *world, bool on);

/// Writes the last syncs that were recorded, up to `capacity` and OX_SYNCS_KEPT of them, to
/// `syncs`: the newest last. Nothing is written to NULL, or with a capacity below 1.
/// @return how many were recorded since the world was created.
OX_API uint64_t ox_world_get_syncs(const ox_world *world, ox_sync *syncs, int capacity);
