// SPDX-License-Identifier: MIT
//
// Traces: what ran where and when, and what it waited for.
//
//     ox_trace_begin(0);
//     run_frame();
//     ox_trace_end();
//     ox_trace_write_chrome("frame.json"); // for ui.perfetto.dev, chrome://tracing, speedscope
//     ox_trace_clear();
//
// A trace contains everything that ends while recording is enabled. A thread with a full buffer
// drops events and counts them. While recording is disabled, each job costs a test of a flag and
// reads no clock.
//
// Threads: begin, end, read and write a trace on main, outside jobs. Jobs may be running meanwhile.

#pragma once

#include "oxbow/jobs.h"

/// What a thread did in an event.
typedef enum ox_trace_kind {
    OX_TRACE_JOB = 0, ///< it ran a single job, or its share of a parallel one
    OX_TRACE_RANGE,   ///< it called the function of a parallel job once; inside an OX_TRACE_JOB
    OX_TRACE_SLEEP,   ///< it had no work and slept until it was woken
} ox_trace_kind;

/// Why a job did not begin earlier: the longest part of its delay.
typedef enum ox_trace_cause {
    OX_TRACE_NOTHING = 0,    ///< it began at once, or the cause is not known
    OX_TRACE_DEPENDENCY,     ///< it was kicked, and waited for another job
    OX_TRACE_NOT_KICKED,     ///< it was ready, and was not kicked or completed
    OX_TRACE_NO_FREE_WORKER, ///< it was ready and kicked, and all threads were busy
} ox_trace_cause;

enum {
    OX_TRACE_DEFAULT_EVENTS = 65536, ///< default capacity per thread
    OX_TRACE_SHORTEST_NS = 1000      ///< shorter delays of a kick or in a queue are not a cause
};

/// An event. Times are nanoseconds of one clock, see ox_trace_get_start. They are 0 if not known:
/// the job was scheduled before the trace began, or by ox_run.
typedef struct ox_trace_event {
    const char *name;     ///< of the job type, not copied; "park" for a sleep
    ox_site site;         ///< where the job was scheduled; NULL for a sleep
    ox_job job;           ///< the job, which is finished; OX_NO_JOB for a sleep and for ox_run
    ox_job waited_for;    ///< the dependency that ended last, or OX_NO_JOB
    uint64_t begin_ns;    ///< when it began
    uint64_t end_ns;      ///< when it ended, or was woken
    uint64_t schedule_ns; ///< when the job was scheduled
    uint64_t kick_ns;     ///< when it was kicked, by ox_jobs_kick or ox_complete
    uint64_t ready_ns;    ///< when all its dependencies were finished
    int begin;            ///< first index of a range
    int end;              ///< the index after the last one
    int worker;           ///< as ox_worker_index counts
    ox_trace_kind kind;
    ox_trace_cause cause;
} ox_trace_event;

/// Clears the trace and begins recording, with capacity for `events_per_thread` events; 0 means
/// OX_TRACE_DEFAULT_EVENTS. Starts the job system if it is not running.
/// @return false after a report, with nothing begun: a negative number, or out of memory.
OX_API bool ox_trace_begin_at(int events_per_thread, ox_site site);
#define ox_trace_begin(events_per_thread) ox_trace_begin_at(events_per_thread, OX_HERE)

/// Ends recording and keeps the trace. ox_jobs_stop also ends it. No effect if recording is
/// disabled.
OX_API void ox_trace_end_at(ox_site site);
#define ox_trace_end() ox_trace_end_at(OX_HERE)

/// Ends recording, clears the trace and frees its memory.
OX_API void ox_trace_clear_at(ox_site site);
#define ox_trace_clear() ox_trace_clear_at(OX_HERE)

/// Returns true while events are recorded. Any thread.
OX_API bool ox_trace_is_recording(void);

/// Returns when the trace began, on the clock of all events.
OX_API uint64_t ox_trace_get_start(void);

/// Returns the number of events dropped because the buffer of their thread was full. Any thread.
OX_API uint64_t ox_trace_get_dropped(void);

/// Returns the number of threads of the trace: main, the workers and the background threads. 0 if
/// there is no trace.
OX_API int ox_trace_get_thread_count(void);

/// Returns the events of a thread, from 0, in the order in which they ended: a job follows its
/// ranges. The pointer is valid until ox_trace_begin or ox_trace_clear. While recording is enabled,
/// more events may follow.
/// @return NULL, with a `count` of 0, if there are none.
OX_API const ox_trace_event *ox_trace_get_events_at(int thread, int *count, ox_site site);
#define ox_trace_get_events(thread, count) ox_trace_get_events_at(thread, count, OX_HERE)

/// Writes the trace as JSON for the viewers of Chrome, Perfetto and speedscope: a track per thread,
/// and an arrow to each job from the one that it waited for. docs/trace.md lists the fields.
/// Replaces an existing file.
/// @return false after a report: the file cannot be written completely, or out of memory.
OX_API bool ox_trace_write_chrome_at(const char *path, ox_site site);
#define ox_trace_write_chrome(path) ox_trace_write_chrome_at(path, OX_HERE)
