// SPDX-License-Identifier: MIT
//
// Why a frame took as long as it did: the order of systems and the reason for it, what each job
// waited for, where main waited, and what to change.
//
//     ox_world_record_frames(world, true);
//     ox_world_update(world, 1.0f / 60.0f);
//     char text[16384];
//     ox_world_explain_frame(world, OX_EXPLAIN_TEXT, text, sizeof text);
//
// Recording is initially disabled; then it costs a test of a pointer and reads no clock. While it
// is enabled, frames are traced: see oxbow/trace.h. A trace that is already running is used and not
// ended; a trace that has ended is cleared. A frame has what happens from the beginning of an
// update to its end, and the times of all jobs scheduled in it, over entities or not. A frame, and
// everything it points to, is valid until the next update of its world.
//
// Threads: call everything here from the world's thread, outside updates.

#pragma once

#include "oxbow/syncs.h"
#include "oxbow/systems.h"

/// Enables recording of each frame of a world, or disables it and removes the last one.
/// @return false after a report.
OX_API bool ox_world_record_frames_at(ox_world *world, bool on, ox_site site);
#define ox_world_record_frames(world, on) ox_world_record_frames_at(world, on, OX_HERE)

/// The format of a written frame.
typedef enum ox_explain_format {
    OX_EXPLAIN_TEXT = 0, ///< sentences
    OX_EXPLAIN_JSON,     ///< docs/explain.md has the fields
    OX_EXPLAIN_GRAPH,    ///< Graphviz: dot -Tsvg
} ox_explain_format;

/// Writes the last frame to `buffer` of `capacity` bytes, truncated to fit and always terminated.
/// With NULL and capacity 0 it only returns the length. Waits for the jobs of the world, so that
/// the frame is complete. @return the length of the whole text without the terminator; 0 after a
/// report, or if no frame was recorded.
OX_API size_t ox_world_explain_frame_at(ox_world *world, ox_explain_format format, char *buffer,
                                        size_t capacity, ox_site site);
#define ox_world_explain_frame(world, format, buffer, capacity)                                    \
    ox_world_explain_frame_at(world, format, buffer, capacity, OX_HERE)

// A frame as data.

/// The reason for the position of a system. `other` is another system.
typedef enum ox_order_cause {
    OX_ORDERED_ALONE = 0, ///< no other system could run here
    OX_ORDERED_FIRST,     ///< its phase is OX_PHASE_FIRST or OX_PHASE_BEGIN
    OX_ORDERED_LAST,      ///< its phase is OX_PHASE_LAST or OX_PHASE_END
    OX_ORDERED_AFTER,     ///< a constraint, written at `cause_site`: it runs after `other`
    OX_ORDERED_JOBS,      ///< it schedules jobs: job systems run before systems on main
    OX_ORDERED_FREE,      ///< it conflicts with no job system before it
    OX_ORDERED_LATE,      ///< it waits for jobs of `other`, which ran longest ago
    OX_ORDERED_NAME,      ///< `other` could run here too: ordered by name
    OX_ORDERED_GIVEN,     ///< a test requested this order
} ox_order_cause;

/// A system or a group in a frame, in the order of updates.
typedef struct ox_frame_system {
    const char *name;
    ox_site site;
    int group;     ///< index of its group, -1 for the group of all
    bool is_group; ///< a group only has times, and no other of the following fields
    bool is_job;   ///< it schedules jobs
    bool is_point; ///< it has no update: other systems are ordered by its name
    bool has_run;
    ox_order_cause cause;
    const char *other;     ///< see ox_order_cause, or NULL
    ox_site cause_site;    ///< where a constraint is written, or NULL
    const char *component; ///< the component in which it and `other` conflict, or NULL
    uint64_t begin_ns;     ///< of its update, including the wait before it
    uint64_t end_ns;       ///< of the last one, if there were several steps
    uint64_t wait_ns;      ///< the part of it in which main waited
    ox_site learned_at; ///< where it used a component that it had not declared, or NULL: declare it
                        ///< in create
    const char *learned; ///< that component
    /// Names in `before` and `after` that are not in this world, then NULL.
    const char *missing[8];
} ox_frame_system;

/// A reason why a job waits for another. A handle of several jobs gives one reason for each.
typedef struct ox_frame_wait {
    int before;            ///< index of the job that is waited for; -1: it is not of this frame
    const char *name;      ///< of that job, or of the system whose handle it is
    ox_site site;          ///< where that job was scheduled, or NULL
    const char *component; ///< what both access; NULL: the user passed its handle
    bool before_writes;
    bool after_writes;
    bool is_declared; ///< because its system declared it, regardless of what its jobs access
} ox_frame_wait;

/// A job of a frame, in the order of scheduling.
typedef struct ox_frame_job {
    const char *name;
    ox_site site;
    int system; ///< index of the system that scheduled it; -1: none
    ox_job job;
    int units;          ///< chunks, or batches of indices
    bool is_plain;      ///< not over entities
    bool is_background; ///< it runs on a thread that is no worker
    bool is_auto;       ///< scheduled with OX_AUTO
    bool is_critical;   ///< part of the critical path
    const ox_frame_wait *waits;
    int wait_count;
    uint64_t schedule_ns;
    uint64_t ready_ns; ///< when all its dependencies were finished
    uint64_t begin_ns;
    uint64_t end_ns;  ///< 0: not known
    uint64_t work_ns; ///< of all threads together
    int waited_for;   ///< index of the dependency that ended last, or -1
    /// How long it waited, if the dependency that ended last is not of this frame; else 0.
    uint64_t outside_ns;
} ox_frame_job;

/// A job over entities that matched none when it was scheduled, and did not run.
typedef struct ox_frame_idle {
    const char *name;
    ox_site site;
    int system;      ///< index of the system that scheduled it; -1: none
    const char *why; ///< one line about the entity that comes closest; never NULL
} ox_frame_idle;

/// A wait of main.
typedef struct ox_frame_sync {
    ox_sync sync;
    int system;       ///< index of the updating system; -1: none
    bool is_playback; ///< for the playback of commands: of a barrier, or of the system after its
                      ///< update
    uint64_t begin_ns;
    const int *jobs; ///< indices of the jobs of this frame that it waited for
    int job_count;
    const char *advice; ///< one line; never NULL
} ox_frame_sync;

/// A recorded frame. Times are nanoseconds of one clock.
typedef struct ox_frame {
    uint64_t number;
    uint64_t begin_ns;
    uint64_t end_ns; ///< of the update; jobs may end later
    const ox_frame_system *systems;
    int system_count;
    const ox_frame_job *jobs;
    int job_count;
    const ox_frame_idle *idle; ///< jobs that matched no entity, each once
    int idle_count;
    const ox_frame_sync *syncs; ///< in chronological order
    int sync_count;
    const int *ranked; ///< indices of syncs, the longest wait first
    /// The total duration of the jobs of the critical path, plus the wait of the first for a job
    /// that is not of this frame.
    uint64_t critical_ns;
    uint64_t dropped; ///< events dropped because a buffer was full: the frame is incomplete
} ox_frame;

/// Returns the last recorded frame. Waits for the jobs of the world, so that it is complete.
/// @return NULL after a report, or if no frame was recorded.
OX_API const ox_frame *ox_world_get_frame_at(ox_world *world, ox_site site);
#define ox_world_get_frame(world) ox_world_get_frame_at(world, OX_HERE)

/// For budgets: returns the number of waits of a frame from the update of a system on, including
/// planned ones. NULL counts all. -1 if the frame has no system of that name.
OX_API int ox_frame_count_syncs(const ox_frame *frame, const char *from_system);

/// The same without the waits of the system, or group, itself: "no sync after Physics". -1 if the
/// frame has no system of that name.
OX_API int ox_frame_count_syncs_after(const ox_frame *frame, const char *system);

/// Reports each unplanned wait in an update (OX-W03): one caused by a call in the update, and not
/// by a declared access of the system.
OX_API void ox_world_set_strict_at(ox_world *world, bool is_strict, ox_site site);
#define ox_world_set_strict(world, is_strict) ox_world_set_strict_at(world, is_strict, OX_HERE)

/// The simulated duration of a frame with another number of workers.
typedef struct ox_forecast {
    uint64_t makespan_ns; ///< from the beginning of the update to the end of all, main and jobs
    double busy;          ///< the part of this time in which main and the workers run jobs, 0 to 1
} ox_forecast;

/// Simulates a recorded frame with `workers` workers in addition to main; 0 is main alone. Jobs
/// start when they are ready, in the order of scheduling. Main schedules at its recorded pace and
/// waits where it waited; it runs jobs while it waits, and at the end. A job is divided into equal
/// pieces, one per unit. With `equal_lengths` each job is one piece, all jobs take the same time,
/// and main takes none.
/// @return zeros for a frame of NULL, or fewer than 0 workers.
OX_API ox_forecast ox_frame_forecast(const ox_frame *frame, int workers, bool equal_lengths);

// Order, for tests: results must not depend on an order that is not declared.

/// Orders the systems of a world at random, within their constraints. A seed of 0 restores the
/// default order.
OX_API void ox_world_shuffle_systems_at(ox_world *world, uint64_t seed, ox_site site);
#define ox_world_shuffle_systems(world, seed) ox_world_shuffle_systems_at(world, seed, OX_HERE)

/// Describes a search for systems whose undeclared order affects the result. Zero every field you
/// do not set.
typedef struct ox_ambiguity_def {
    uint32_t _guard_begin;

    /// Fills a new world; also adds systems if they are not registered. It is called many times.
    void (*fill)(ox_world *world, void *context);
    void *context;

    const ox_world_def *world; ///< def of the created worlds; NULL for all defaults
    int frames;                ///< updates of each world; 0 means 4
    float delta;               ///< of each update; 0 means a 60th of a second
    int orders;                ///< random orders to try; 0 means 16
    uint64_t seed;

    uint32_t _guard_end;
} ox_ambiguity_def;

/// Two systems, or groups, whose order changes the hash of the world. Names are not copied.
typedef struct ox_ambiguity {
    const char *first;
    const char *second;
    uint64_t first_hash;  ///< with `first` right before `second`
    uint64_t second_hash; ///< with `second` right before `first`
} ox_ambiguity;

/// Tries random orders, and writes the pairs whose order affects the result, each once, up to
/// `capacity`. @return the number of pairs; -1 after a report.
OX_API int ox_ambiguities_find_at(ox_ambiguity *pairs, int capacity, const ox_ambiguity_def *def,
                                  ox_site site);
#define ox_ambiguities_find(pairs, capacity, ...)                                                  \
    ox_ambiguities_find_at(pairs, capacity, __VA_ARGS__, OX_HERE)
