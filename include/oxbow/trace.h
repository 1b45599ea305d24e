// SPDX-License-Identifier: MIT
//
// Traces: what ran where and when, and what held it back.
//
//     ox_trace_begin(0);
//     run_frame();
//     ox_trace_end();
//     ox_trace_write_chrome("frame.json"); // for ui.perfetto.dev, chrome://tracing, speedscope
//     ox_trace_clear();
//
// Main begins, ends, reads and writes a trace, outside of jobs and at any other time: jobs may be
// running. What has ended while recording is on is in the trace, nothing else. A thread that has no
// room left drops what comes, and counts it. While recording is off, jobs pay for a test of a flag
// and read no clock.

#pragma once

#include "oxbow/jobs.h"

/// What a thread did for a while.
typedef enum ox_trace_kind {
    OX_TRACE_JOB = 0, ///< it ran a single job, or its share of a parallel one
    OX_TRACE_RANGE,   ///< it called the function of a parallel job once; lies inside of that share
    OX_TRACE_SLEEP,   ///< it had no work and slept until it was woken
} ox_trace_kind;

/// Why a job did not begin earlier: what took longest of the time from when it could have begun.
typedef enum ox_trace_cause {
    OX_TRACE_NOTHING = 0,    ///< it began at once, or it is not known
    OX_TRACE_DEPENDENCY,     ///< it was kicked, and waited for another job to end
    OX_TRACE_NOT_KICKED,     ///< it was ready, and nobody kicked or completed it
    OX_TRACE_NO_FREE_WORKER, ///< it was ready and kicked, and every thread had other things to do
} ox_trace_cause;

enum {
    OX_TRACE_DEFAULT_EVENTS = 65536, ///< room for each thread, if nothing is said
    OX_TRACE_SHORTEST_NS = 1000      ///< not kicked, or queued, for less than this is no cause
};

/// One thing that happened. Times are nanoseconds of one clock, see ox_trace_get_start; 0 where
/// they are not known: the job was scheduled before the trace began, or was run in place.
typedef struct ox_trace_event {
    const char *name;     ///< of the job's type, not copied; "park"
    ox_site site;         ///< where the job was scheduled; NULL for a park
    ox_job job;           ///< the job, complete by now; OX_NO_JOB for a park or a job run in place
    ox_job waited_for;    ///< of what it depends on, the job that ended last; or OX_NO_JOB
    uint64_t begin_ns;    ///< when it began
    uint64_t end_ns;      ///< when it ended, or was woken
    uint64_t schedule_ns; ///< when the job was scheduled
    uint64_t kick_ns;     ///< when it was kicked, by ox_jobs_kick or by being waited for
    uint64_t ready_ns;    ///< when nothing it depends on was left
    int begin;            ///< first index of a range
    int end;              ///< the index behind the last one
    int worker;           ///< as ox_worker_index counts
    ox_trace_kind kind;
    ox_trace_cause cause;
} ox_trace_event;

/// Forgets what was recorded and begins to record, with room for so many events on each thread; 0
/// means OX_TRACE_DEFAULT_EVENTS. Starts the job system if it is not running.
/// @return false after a report, with nothing begun: a negative number, or out of memory.
OX_API bool ox_trace_begin_at(int events_per_thread, ox_site site);
#define ox_trace_begin(events_per_thread) ox_trace_begin_at(events_per_thread, OX_HERE)

/// Ends recording; what was recorded stays. ox_jobs_stop ends it too. Does nothing when it is off.
OX_API void ox_trace_end_at(ox_site site);
#define ox_trace_end() ox_trace_end_at(OX_HERE)

/// Ends recording, forgets what was recorded and frees its memory.
OX_API void ox_trace_clear_at(ox_site site);
#define ox_trace_clear() ox_trace_clear_at(OX_HERE)

/// True while events are recorded. Any thread.
OX_API bool ox_trace_is_recording(void);

/// When the trace began: the clock that the times of events count on.
OX_API uint64_t ox_trace_get_start(void);

/// How many events were dropped because their thread had no room left. Any thread.
OX_API uint64_t ox_trace_get_dropped(void);

/// How many threads the trace has: main, the workers and the background threads. 0 when there is
/// none.
OX_API int ox_trace_get_thread_count(void);

/// The events of one thread, from 0, in the order in which they ended: a job comes after its
/// ranges. They stay in place until ox_trace_begin or ox_trace_clear; more may follow them while
/// recording is on.
/// @return NULL, with a `count` of 0, when there are none.
OX_API const ox_trace_event *ox_trace_get_events_at(int thread, int *count, ox_site site);
#define ox_trace_get_events(thread, count) ox_trace_get_events_at(thread, count, OX_HERE)

/// Writes the trace as JSON that the viewers of Chrome, Perfetto and speedscope open: a track for
/// each thread, and an arrow to each job from the one that it waited for. docs/trace.md has the
/// fields. An existing file is replaced.
/// @return false after a report: the file cannot be written, and is not whole; or out of memory.
OX_API bool ox_trace_write_chrome_at(const char *path, ox_site site);
#define ox_trace_write_chrome(path) ox_trace_write_chrome_at(path, OX_HERE)
