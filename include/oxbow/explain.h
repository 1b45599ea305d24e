// SPDX-License-Identifier: MIT
//
// Why a frame took as long as it did: the order of systems and what put each one there, what each
// job waited for, where main waited, and what to do about it.
//
//     ox_world_record_frames(world, true);
//     ox_world_update(world, 1.0f / 60.0f);
//     char text[16384];
//     ox_world_explain_frame(world, OX_EXPLAIN_TEXT, text, sizeof text);
//
// While recording is off, as at first, it costs a test of a pointer, and reads no clock. While it
// is on, frames are traced: see oxbow/trace.h. If a trace is on already, it is used and left alone;
// one that has ended is forgotten. Recorded is what happens from the beginning of an update to its
// end, and the times of all jobs that were scheduled there, over entities or not. All calls belong
// to the world's thread, outside of updates. A frame, and everything it points to, lives until the
// next update of its world.

#pragma once

#include "oxbow/syncs.h"
#include "oxbow/systems.h"

/// Begins to record each frame of a world, or ends that and forgets the last one.
/// @return false after a report.
OX_API bool ox_world_record_frames_at(ox_world *world, bool on, ox_site site);
#define ox_world_record_frames(world, on) ox_world_record_frames_at(world, on, OX_HERE)

/// How a frame is written.
typedef enum ox_explain_format {
    OX_EXPLAIN_TEXT = 0, ///< sentences
    OX_EXPLAIN_JSON,     ///< docs/explain.md has the fields
    OX_EXPLAIN_GRAPH,    ///< Graphviz: dot -Tsvg
} ox_explain_format;

/// Writes the last frame to `buffer` of `capacity` bytes, cut to fit, with a 0 at its end; NULL
/// with capacity 0 asks for the length alone. Waits for the jobs of the world, so that all of the
/// frame is known. @return the length of the whole text; 0 after a report, or when no frame was
/// recorded.
OX_API size_t ox_world_explain_frame_at(ox_world *world, ox_explain_format format, char *buffer,
                                        size_t capacity, ox_site site);
#define ox_world_explain_frame(world, format, buffer, capacity)                                    \
    ox_world_explain_frame_at(world, format, buffer, capacity, OX_HERE)

// A frame as data.

/// What put a system where it is. `other` is another system.
typedef enum ox_order_cause {
    OX_ORDERED_ALONE = 0, ///< nothing else could have come here
    OX_ORDERED_FIRST,     ///< it says that it comes first
    OX_ORDERED_LAST,      ///< it says that it comes last
    OX_ORDERED_AFTER,     ///< a constraint, said at `cause_site`: it comes after `other`
    OX_ORDERED_JOBS,      ///< it schedules jobs: those go before systems on main
    OX_ORDERED_FREE,      ///< it conflicts with no job system before it
    OX_ORDERED_LATE,      ///< it waits for jobs of `other`, which is longest ago
    OX_ORDERED_NAME,      ///< `other` could have come here just as well: by name
    OX_ORDERED_GIVEN,     ///< a test asked for this order
} ox_order_cause;

/// A system or a group in a frame, in the order of updates.
typedef struct ox_frame_system {
    const char *name;
    ox_site site;
    int group;     ///< place of its group, -1 for those of the group of all
    bool is_group; ///< then it has times, and nothing else of what follows
    bool is_job;   ///< it schedules jobs
    bool is_point; ///< it has no update: others name it, and no more
    bool has_run;
    ox_order_cause cause;
    const char *other;     ///< see ox_order_cause, or NULL
    ox_site cause_site;    ///< where a constraint is said, or NULL
    const char *component; ///< what it and `other` conflict in, or NULL
    uint64_t begin_ns;     ///< of its update, what it waits for before included
    uint64_t end_ns;       ///< of the last one, when there were several steps
    uint64_t wait_ns;      ///< of that, main waited
    ox_site learned_at;  ///< it used there what it had not declared: declare it in create; or NULL
    const char *learned; ///< that component
    /// Names in `before` and `after` that are not in this world, NULL behind the last.
    const char *missing[8];
} ox_frame_system;

/// One reason why a job waits for another. A handle of several jobs is one reason for each.
typedef struct ox_frame_wait {
    int before;            ///< place of the job that is waited for; -1: it is not of this frame
    const char *name;      ///< of that job, or of the system whose handle it is
    ox_site site;          ///< where that job was scheduled, or NULL
    const char *component; ///< what both access; NULL: the user passed its handle
    bool before_writes;
    bool after_writes;
    bool is_declared; ///< because its system declared it, whatever its jobs do
} ox_frame_wait;

/// A job of a frame, in the order of scheduling.
typedef struct ox_frame_job {
    const char *name;
    ox_site site;
    int system; ///< who scheduled it; -1: nobody's update
    ox_job job;
    int units;          ///< chunks, or batches of indices
    bool is_plain;      ///< not over entities
    bool is_background; ///< it runs on a thread that is no worker
    bool is_auto;       ///< scheduled with OX_AUTO
    bool is_critical;   ///< part of the critical path
    const ox_frame_wait *waits;
    int wait_count;
    uint64_t schedule_ns;
    uint64_t ready_ns; ///< when nothing it depends on was left
    uint64_t begin_ns;
    uint64_t end_ns;  ///< 0: not known
    uint64_t work_ns; ///< of all threads together
    int waited_for;   ///< place of the job that ended last of those it depends on; or -1
    /// How long it waited, when the one that ended last is not of this frame; else 0.
    uint64_t outside_ns;
} ox_frame_job;

/// A job over entities that found none when it was scheduled: it did not run.
typedef struct ox_frame_idle {
    const char *name;
    ox_site site;
    int system;      ///< who scheduled it; -1: nobody's update
    const char *why; ///< one line, about the entity that comes nearest; never NULL
} ox_frame_idle;

/// A wait of main.
typedef struct ox_frame_sync {
    ox_sync sync;
    int system;       ///< whose update it was; -1: nobody's
    bool is_playback; ///< to carry out commands: of a barrier, or of the system after its update
    uint64_t begin_ns;
    const int *jobs; ///< places of the jobs that were waited for, of this frame
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
    const ox_frame_idle *idle; ///< jobs that found no entity, each once
    int idle_count;
    const ox_frame_sync *syncs; ///< in the order of time
    int sync_count;
    const int *ranked; ///< places of syncs, the longest wait first
    /// How long the jobs of the critical path took, one after the other; with what the first of
    /// them waited for a job that is not of this frame.
    uint64_t critical_ns;
    uint64_t dropped; ///< events that found no room: what they tell is missing
} ox_frame;

/// The last frame that was recorded. Waits for the jobs of the world, so that all of it is known.
/// @return NULL after a report, or when none was recorded.
OX_API const ox_frame *ox_world_get_frame_at(ox_world *world, ox_site site);
#define ox_world_get_frame(world) ox_world_get_frame_at(world, OX_HERE)

/// For budgets: how many waits a frame has from the update of a system on, those that were planned
/// included. NULL counts all. -1 when the frame has no system of that name.
OX_API int ox_frame_count_syncs(const ox_frame *frame, const char *from_system);

/// The same without those of the system itself, or of all that is in the group: "no sync after
/// Physics". -1 when the frame has none of that name.
OX_API int ox_frame_count_syncs_after(const ox_frame *frame, const char *system);

/// Makes each wait in an update that was not planned a report (OX-W03): one that comes from a call
/// in the update, and not from what the system declares.
OX_API void ox_world_set_strict_at(ox_world *world, bool is_strict, ox_site site);
#define ox_world_set_strict(world, is_strict) ox_world_set_strict_at(world, is_strict, OX_HERE)

/// How long a frame would take with another number of workers. Simulated.
typedef struct ox_forecast {
    uint64_t makespan_ns; ///< from the beginning of the update to the end of all, main and jobs
    double
        busy; ///< of the time of main and the workers up to there, the part in which they run jobs
} ox_forecast;

/// Simulates a recorded frame with so many workers beside main; 0 is main alone. Jobs are handed
/// out as they become ready, in the order of scheduling. Main schedules at the pace that it had and
/// waits where it waited; while it waits, and at the end, it runs jobs. A job is as many equal
/// pieces as it has units. With `equal_lengths` each job is one piece, all take the same time, and
/// main none.
/// @return zeros for a frame of NULL, or fewer than 0 workers.
OX_API ox_forecast ox_frame_forecast(const ox_frame *frame, int workers, bool equal_lengths);

// Order, for tests: what is not ordered must not matter.

/// Sorts the systems of a world at random, as far as what they say allows. A seed of 0 goes back to
/// the rule.
OX_API void ox_world_shuffle_systems_at(ox_world *world, uint64_t seed, ox_site site);
#define ox_world_shuffle_systems(world, seed) ox_world_shuffle_systems_at(world, seed, OX_HERE)

/// How to look for systems whose order matters and is not said.
typedef struct ox_ambiguity_def {
    uint32_t _guard_begin;

    /// Fills a new world, with systems too when it has no registered ones. Called often.
    void (*fill)(ox_world *world, void *context);
    void *context;

    const ox_world_def *world; ///< of the worlds that are made; NULL for all defaults
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
    uint64_t second_hash; ///< and the other way round
} ox_ambiguity;

/// Tries random orders, and names the pairs that change what comes out, each once, up to
/// `capacity`. The def may stand in braces. @return how many there are; -1 after a report.
OX_API int ox_ambiguities_find_at(ox_ambiguity *pairs, int capacity, const ox_ambiguity_def *def,
                                  ox_site site);
#define ox_ambiguities_find(pairs, capacity, ...)                                                  \
    ox_ambiguities_find_at(pairs, capacity, __VA_ARGS__, OX_HERE)
