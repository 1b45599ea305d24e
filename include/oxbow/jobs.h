// SPDX-License-Identifier: MIT
//
// Jobs: functions with a copy of their data, run on every core in the order of their dependencies.
//
//     OX_JOB(AddOne, { float a; OX_NO_SAFETY float *b; })
//     {
//         *job->b += job->a;
//     }
//
//     ox_job first = ox_schedule(AddOne, OX_NO_JOB, {.a = 5, .b = &sum});
//     ox_job second = ox_schedule(AddOne, first, {.a = 1, .b = &sum}); // after the first
//     ox_complete(second);                                            // waits for both, and helps
//
// Scheduling, combining, kicking and completing belong to the thread that started the system: call
// it main. Jobs run on workers, and on main while it completes. Nothing is seen by workers before
// ox_jobs_kick or ox_complete. Calls that may come from other threads say so.

#pragma once

#include "oxbow/base.h"
#include "oxbow/struct.h"

/// A handle to a scheduled job: 24 bits of place, 40 bits of version. Copy it freely. {0} is no
/// job, and counts as complete; so does the handle of any job that is done.
typedef struct ox_job {
    uint64_t value;
} ox_job;

/// The handle that waits for nothing.
static const ox_job OX_NO_JOB = {0};

/// For jobs over entities: waits for what their own accesses need. Other jobs cannot use it.
static const ox_job OX_AUTO = {UINT64_MAX};

enum {
    OX_NO_WORKERS = -1,        ///< worker_count: every job runs inside ox_complete, on main
    OX_NO_SPIN = -1,           ///< spin_us: idle workers sleep at once
    OX_MAX_WORKERS = 63,       ///< workers beside main
    OX_MAX_BACKGROUND = 16,    ///< threads for background jobs
    OX_MAX_THREADS = 80,       ///< threads that may run jobs at the same time: main and all others
    OX_MAX_JOBS = 2097151,     ///< jobs that may be outstanding together
    OX_MAX_JOB_ALIGN = 64,     ///< the largest alignment of a job's struct
    OX_MAX_JOB_SIZE = 1 << 24, ///< the largest struct of a job, in bytes
    OX_CACHE_LINE = 64         ///< what two threads write at the same time should not share a line
};

/// What a profiler is told of each job, on the thread that runs it. `name` is the job type's.
typedef void ox_profile_fn(const char *name, void *context);

/// How to start the job system. Zero every field you do not set.
typedef struct ox_jobs_def {
    uint32_t _guard_begin;

    /// Workers beside main. 0 means one for each logical core that is left: cores, less
    /// `reserved_cores`, less main. OX_NO_WORKERS for none. More than OX_MAX_WORKERS are capped.
    int worker_count;

    /// Cores to leave to busy threads of the host, such as a renderer's: so many workers less. Only
    /// where worker_count is 0.
    int reserved_cores;

    /// Threads for background jobs, started on first use. 0 means 1. More than 16 are capped.
    int background_count;

    /// How long an idle worker looks for work before it sleeps, in microseconds. 0 means 20.
    int spin_us;

    /// The beginning of the threads' names, up to 10 bytes. NULL means "oxbow". Copied.
    const char *thread_name;

    /// Called before and after each job, on its thread. NULL: not called.
    ox_profile_fn *on_begin;
    ox_profile_fn *on_end;
    void *profile_context;

    uint32_t _guard_end;
} ox_jobs_def;

/// Starts the job system; this thread becomes main. `def` is copied, NULL means all defaults. Not
/// needed: scheduling starts it with defaults. Workers that the system refuses are left out, with a
/// report. ox_jobs_start(&(ox_jobs_def){.worker_count = 2}); in C++ the def is a variable.
/// @return false after a report, with nothing started: it runs already, or `def` is not usable.
OX_API bool ox_jobs_start_at(const ox_jobs_def *def, ox_site site);
#define ox_jobs_start(...) ox_jobs_start_at(__VA_ARGS__, OX_HERE)

/// Completes every job that is outstanding, reports how many nobody had completed, and ends all
/// threads. Handles of before count as complete from here on. Does nothing when not started. After
/// fork, the child has no workers: it may call nothing of this header but exec or _exit.
OX_API void ox_jobs_stop_at(ox_site site);
#define ox_jobs_stop() ox_jobs_stop_at(OX_HERE)

/// The def in use with every default filled in, or a zeroed one when not started.
OX_API ox_jobs_def ox_jobs_get_def(void);

/// Lets only the first `workers` workers take part from now on, without ending threads. Those that
/// run a job finish it. More than there are means all; a negative number is a report.
OX_API void ox_jobs_set_active_workers_at(int workers, ox_site site);
#define ox_jobs_set_active_workers(workers) ox_jobs_set_active_workers_at(workers, OX_HERE)

/// The function of a single job. `job` is the job's own copy of its struct.
typedef void ox_job_fn(void *job);

/// The function of a parallel job, for the indices from `begin` up to and without `end`.
typedef void ox_range_fn(const void *job, int begin, int end);

/// One container in the struct of a job, for job types without a text: those with one are scanned.
typedef struct ox_job_field {
    const char *name; ///< of the field, for reports; kept by pointer: a literal
    size_t offset;    ///< of the container's ox_access in the struct
    uint32_t marks;   ///< ox_field_mark values
} ox_job_field;

/// A kind of job: its code and its struct. OX_JOB, OX_PARALLEL_JOB and OX_RANGE_JOB make one; a
/// plain program fills it by hand. It must live as long as jobs of it do.
typedef struct ox_job_type {
    ox_type type;                 ///< name, text of the struct, size, alignment, place
    ox_job_fn *run;               ///< a single job, or NULL
    ox_range_fn *ranges[1];       ///< a parallel job: one entry for each instruction set
    bool one_batch;               ///< a range function gets one batch at a time, never several
    const ox_job_field *accesses; ///< a struct without text: the containers in it
    int access_count;
    uint32_t oxi_average_ns; ///< for the scheduler's use: how long a run takes, or an index
    uint32_t oxi_checked;    ///< for the scheduler's use: it was found usable
    const void *oxi_scan;    ///< for the safety system's use: what the text says
    bool oxi_has_tail;       ///< for the modules above: bytes of their own follow the struct
} ox_job_type;

/// Schedules a single job after `after`. `data` is copied, `type->type.size` bytes; it may be NULL
/// when there is none.
/// @return the job's handle, or OX_NO_JOB after a report.
OX_API ox_job ox_schedule_at(ox_job_type *type, ox_job after, const void *data, ox_site site);

/// Schedules a parallel job over the indices 0 to count - 1, after `after`. They are handed out in
/// multiples of `batch`, at least 1. A count of 0 runs nothing.
OX_API ox_job ox_schedule_for_at(ox_job_type *type, int count, int batch, ox_job after,
                                 const void *data, ox_site site);

/// Takes the count of a parallel job when the job starts. `job` is the job's own copy of its
/// struct, to be read only.
typedef int64_t ox_count_fn(const void *job);

/// Schedules a parallel job over the indices 0 to count - 1, where `count` is called when the job
/// starts: once, on a thread that runs jobs, after everything that the job waits for. If it returns
/// 0, the job runs nothing and is complete. A negative count, or one above 2^31 - 1, is a report,
/// and runs nothing.
OX_API ox_job ox_schedule_for_counted_at(ox_job_type *type, ox_count_fn *count, int batch,
                                         ox_job after, const void *data, ox_site site);

/// Schedules a single job for work that outlives a frame, on a thread of its own kind, never on a
/// worker. It may wait for frame jobs, and they for it.
OX_API ox_job ox_schedule_background_at(ox_job_type *type, ox_job after, const void *data,
                                        ox_site site);

/// Runs a job here and now, on a copy of `data`. Leaves nothing outstanding.
OX_API void ox_run_at(ox_job_type *type, const void *data, ox_site site);

/// Runs a parallel job here and now, on this thread alone, batch by batch.
OX_API void ox_run_for_at(ox_job_type *type, int count, int batch, const void *data, ox_site site);

/// A handle that is complete when all of `jobs` are. 0 jobs give OX_NO_JOB; so does running out of
/// memory, after a report: what is scheduled after that handle does not wait.
OX_API ox_job ox_combine_at(const ox_job *jobs, int count, ox_site site);

/// Waits until all of `jobs` are done, and what they depend on, and runs them here meanwhile. Only
/// these become visible to workers: other jobs that were not kicked stay where they are.
OX_API void ox_complete_at(const ox_job *jobs, int count, ox_site site);

/// Lets the workers see everything that was scheduled up to now, and wakes one that sleeps.
OX_API void ox_jobs_kick_at(ox_site site);
#define ox_jobs_kick() ox_jobs_kick_at(OX_HERE)

/// True when the job is done. Any thread. It is a look, no more: only ox_complete gives you back
/// what the job worked on.
OX_API bool ox_job_is_complete(ox_job job);

/// Which thread runs this code: 0 on main and on threads that are no workers, 1 to
/// ox_worker_count() on workers, above that on background threads. Always below OX_MAX_THREADS, so
/// that jobs may use it as an index into an array with one element for each thread. Any thread.
OX_API int ox_worker_index(void);

/// How many workers there are beside main. Any thread.
OX_API int ox_worker_count(void);

// Declaring jobs: at file scope, followed by the body in braces. Fields with raw pointers carry
// OX_NO_SAFETY. A job without fields is declared by its name alone, OX_JOB(Tick), and scheduled
// without a value.

/// A single job: OX_JOB(AddOne, { float a; }). In its body: `Job *job`, its own copy.
#define OX_JOB(...)                                                                                \
    OXI_PASTE(OXI_DECLARE_JOB_, OXI_IS_ALONE(__VA_ARGS__))                                         \
    (OXI_JOB, OXI_FIRST(__VA_ARGS__, ~), OXI_RAW_##__VA_ARGS__)

/// A parallel job by index: OX_PARALLEL_JOB(Decay, { float k; }). In its body: `const Job *job` and
/// `int i`.
#define OX_PARALLEL_JOB(...)                                                                       \
    OXI_PASTE(OXI_DECLARE_JOB_, OXI_IS_ALONE(__VA_ARGS__))                                         \
    (OXI_PARALLEL_JOB, OXI_FIRST(__VA_ARGS__, ~), OXI_RAW_##__VA_ARGS__)

/// A parallel job by range: OX_RANGE_JOB(Decay, { float k; }). In its body: `const Job *job`, `int
/// begin` and `int end`: one batch, which starts at a multiple of the batch size.
#define OX_RANGE_JOB(...)                                                                          \
    OXI_PASTE(OXI_DECLARE_JOB_, OXI_IS_ALONE(__VA_ARGS__))                                         \
    (OXI_RANGE_JOB, OXI_FIRST(__VA_ARGS__, ~), OXI_RAW_##__VA_ARGS__)

/// The job type that one of these macros made in this file.
#define ox_job_type_of(Job) (&oxi_job_##Job)

// Scheduling. The value comes last, in braces or as a variable; a job without fields has none.

/// Schedules a single job: ox_schedule(AddOne, after, {.a = 5}).
#define ox_schedule(Job, ...)                                                                      \
    OXI_CHECKED(OXI_IS_JOB(Job, OXI_SINGLE_JOB),                                                   \
                "ox_schedule is for an OX_JOB; " #Job " is another kind of job",                   \
                ox_schedule_at(&oxi_job_##Job, OXI_AND_FIELDS(Job, __VA_ARGS__), OX_HERE))

/// Schedules a parallel job: ox_schedule_for(Decay, 1000, 64, after, {.k = 1}).
#define ox_schedule_for(Job, count, batch, ...)                                                    \
    OXI_CHECKED(OXI_IS_JOB(Job, OXI_JOB_BY_INDEX),                                                 \
                "ox_schedule_for is for an OX_PARALLEL_JOB or OX_RANGE_JOB; " #Job                 \
                " is another kind of job",                                                         \
                ox_schedule_for_at(&oxi_job_##Job, count, batch, OXI_AND_FIELDS(Job, __VA_ARGS__), \
                                   OX_HERE))

/// Schedules a parallel job whose count is taken when it starts:
/// ox_schedule_for_counted(Repair, count_damaged, 64, after, {.damaged = damaged}). For counts that
/// earlier jobs put into a list or an array, see ox_schedule_for_list and ox_schedule_for_value.
#define ox_schedule_for_counted(Job, count, batch, ...)                                            \
    OXI_CHECKED(OXI_IS_JOB(Job, OXI_JOB_BY_INDEX),                                                 \
                "ox_schedule_for_counted is for an OX_PARALLEL_JOB or OX_RANGE_JOB; " #Job         \
                " is another kind of job",                                                         \
                ox_schedule_for_counted_at(&oxi_job_##Job, count, batch,                           \
                                           OXI_AND_FIELDS(Job, __VA_ARGS__), OX_HERE))

/// Schedules a background job: ox_schedule_background(LoadLevel, after, {.index = 3}).
#define ox_schedule_background(Job, ...)                                                           \
    OXI_CHECKED(                                                                                   \
        OXI_IS_JOB(Job, OXI_SINGLE_JOB),                                                           \
        "ox_schedule_background is for an OX_JOB; " #Job " is another kind of job",                \
        ox_schedule_background_at(&oxi_job_##Job, OXI_AND_FIELDS(Job, __VA_ARGS__), OX_HERE))

/// Runs a single job at once: ox_run(AddOne, {.a = 5}).
#define ox_run(...) OXI_RUN(OXI_PASTE(OXI_TO_RUN_, OXI_IS_ALONE(__VA_ARGS__))(__VA_ARGS__))

/// Runs a parallel job at once: ox_run_for(Decay, 1000, 64, {.k = 1}).
#define ox_run_for(Job, count, ...)                                                                \
    OXI_CHECKED(OXI_IS_JOB(Job, OXI_JOB_BY_INDEX),                                                 \
                "ox_run_for is for an OX_PARALLEL_JOB or OX_RANGE_JOB; " #Job                      \
                " is another kind of job",                                                         \
                ox_run_for_at(&oxi_job_##Job, count, OXI_AND_FIELDS(Job, __VA_ARGS__), OX_HERE))

/// One handle for 1 to 8: ox_combine(a, b, c).
#define ox_combine(...)                                                                            \
    ox_combine_at(OXI_ARRAY(ox_job, __VA_ARGS__), OXI_LENGTH(ox_job, __VA_ARGS__), OX_HERE)

/// Completes 1 to 8 handles: ox_complete(a, b).
#define ox_complete(...)                                                                           \
    ox_complete_at(OXI_ARRAY(ox_job, __VA_ARGS__), OXI_LENGTH(ox_job, __VA_ARGS__), OX_HERE)

// Inline code and macros.
#include "oxbow/detail/jobs.h"
