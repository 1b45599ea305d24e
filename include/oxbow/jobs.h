// SPDX-License-Identifier: MIT
//
// Jobs: functions with a copy of their data. They run on all cores, in the order of their
// dependencies.
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
// Threads: schedule, combine, kick and complete jobs on the thread that started the job system; it
// is called main. Jobs run on workers, and on main while it completes. Workers see no job before
// ox_jobs_kick or ox_complete. Functions that other threads may call say so.

#pragma once

#include "oxbow/base.h"
#include "oxbow/struct.h"

/// A handle to a scheduled job: 24 bits of index, 40 bits of version. Copy it freely. {0} is no job
/// and counts as complete; so does the handle of any finished job.
typedef struct ox_job {
    uint64_t value;
} ox_job;

/// No job: a job scheduled after it waits for nothing.
static const ox_job OX_NO_JOB = {0};

/// For jobs over entities: the job waits for all jobs that conflict with its accesses. Other jobs
/// cannot use it.
static const ox_job OX_AUTO = {UINT64_MAX};

enum {
    OX_NO_WORKERS = -1,        ///< worker_count: all jobs run on main, in ox_complete
    OX_NO_SPIN = -1,           ///< spin_us: idle workers sleep at once
    OX_MAX_WORKERS = 63,       ///< workers in addition to main
    OX_MAX_BACKGROUND = 16,    ///< threads for background jobs
    OX_MAX_THREADS = 80,       ///< threads that may run jobs at the same time, including main
    OX_MAX_JOBS = 2097151,     ///< jobs that may be outstanding at a time
    OX_MAX_JOB_ALIGN = 64,     ///< the largest alignment of a job's struct
    OX_MAX_JOB_SIZE = 1 << 24, ///< the largest struct of a job, in bytes
    OX_CACHE_LINE = 64         ///< two threads should not write to one line at the same time
};

/// A profiler callback, called for each job on the thread that runs it. `name` is that of the job
/// type.
typedef void ox_profile_fn(const char *name, void *context);

/// Describes the job system. Zero every field you do not set.
typedef struct ox_jobs_def {
    uint32_t _guard_begin;

    /// Number of workers in addition to main. 0 means the number of logical cores -
    /// `reserved_cores` - 1. OX_NO_WORKERS means none. Limited to OX_MAX_WORKERS.
    int worker_count;

    /// Cores to leave to other busy threads of the program, such as a renderer. Only used if
    /// worker_count is 0.
    int reserved_cores;

    /// Threads for background jobs, started on first use. 0 means 1. Limited to OX_MAX_BACKGROUND.
    int background_count;

    /// How long an idle worker spins before it sleeps, in microseconds. 0 means 20.
    int spin_us;

    /// Prefix of the threads' names, up to 10 bytes. NULL means "oxbow". Copied.
    const char *thread_name;

    /// Called before and after each job, on its thread. NULL: not called.
    ox_profile_fn *on_begin;
    ox_profile_fn *on_end;
    void *profile_context;

    uint32_t _guard_end;
} ox_jobs_def;

/// Starts the job system; this thread becomes main. `def` is copied; NULL means all defaults.
/// Optional: scheduling starts the job system with defaults. If the operating system refuses some
/// workers, reports it and starts the others. ox_jobs_start(&(ox_jobs_def){.worker_count = 2}); in
/// C++ the def is a variable.
/// @return false after a report, with nothing started: it is already running, or `def` is wrong.
OX_API bool ox_jobs_start_at(const ox_jobs_def *def, ox_site site);
#define ox_jobs_start(...) ox_jobs_start_at(__VA_ARGS__, OX_HERE)

/// Completes all outstanding jobs, reports their number, and ends all threads. Existing handles
/// then count as complete. Does nothing if not started. A child process after fork has no workers:
/// it may only call exec or _exit.
OX_API void ox_jobs_stop_at(ox_site site);
#define ox_jobs_stop() ox_jobs_stop_at(OX_HERE)

/// Returns the def in use with all defaults filled in, or a zeroed one if not started.
OX_API ox_jobs_def ox_jobs_get_def(void);

/// Limits the active workers to the first `workers`, without ending threads. Others finish the job
/// that they run. A number above that of the workers means all; a negative one is reported.
OX_API void ox_jobs_set_active_workers_at(int workers, ox_site site);
#define ox_jobs_set_active_workers(workers) ox_jobs_set_active_workers_at(workers, OX_HERE)

/// The function of a single job. `job` points to the job's own copy of its struct.
typedef void ox_job_fn(void *job);

/// The function of a parallel job, for the indices from `begin` up to, but not including, `end`.
typedef void ox_range_fn(const void *job, int begin, int end);

/// A container in the struct of a job, for job types without a text. Structs with a text are
/// scanned.
typedef struct ox_job_field {
    const char *name; ///< of the field, for reports; kept by pointer: pass a literal
    size_t offset;    ///< of the container's ox_access in the struct
    uint32_t marks;   ///< ox_field_mark values
} ox_job_field;

/// A type of job: its code and its struct. OX_JOB, OX_PARALLEL_JOB and OX_RANGE_JOB declare one.
/// Without the macros, fill it by hand; it must outlive all jobs of this type.
typedef struct ox_job_type {
    ox_type type;                 ///< name, text of the struct, size, alignment, source location
    ox_job_fn *run;               ///< a single job, or NULL
    ox_range_fn *ranges[1];       ///< a parallel job: one entry for each instruction set
    bool one_batch;               ///< the range function gets one batch at a time
    const ox_job_field *accesses; ///< the containers in a struct without text
    int access_count;
    uint32_t
        oxi_average_ns;   ///< private to the scheduler: the average duration of a run, or an index
    uint32_t oxi_checked; ///< private to the scheduler: the type is valid
    const void *oxi_scan; ///< private to the safety system: the scanned text
    bool oxi_has_tail;    ///< private to higher modules: their own bytes follow the struct
} ox_job_type;

/// Schedules a single job after `after`. Copies `type->type.size` bytes of `data`, which may be
/// NULL if there are none.
/// @return the job's handle, or OX_NO_JOB after a report.
OX_API ox_job ox_schedule_at(ox_job_type *type, ox_job after, const void *data, ox_site site);

/// Schedules a parallel job over the indices 0 to count - 1, after `after`. Threads take them in
/// multiples of `batch`, which is at least 1. A count of 0 runs nothing.
OX_API ox_job ox_schedule_for_at(ox_job_type *type, int count, int batch, ox_job after,
                                 const void *data, ox_site site);

/// Returns the count of a parallel job when the job starts. `job` is the job's own copy of its
/// struct; only read it.
typedef int64_t ox_count_fn(const void *job);

/// Schedules a parallel job whose count is taken when it starts: `count` is called once, on a
/// thread that runs jobs, after everything that the job waits for. If it returns 0, the job runs
/// nothing and is complete. A negative count, or one above 2^31 - 1, is reported and runs nothing.
OX_API ox_job ox_schedule_for_counted_at(ox_job_type *type, ox_count_fn *count, int batch,
                                         ox_job after, const void *data, ox_site site);

/// Schedules a single job for work that outlives a frame. It runs on a background thread, never on
/// a worker. It may wait for frame jobs, and they for it.
OX_API ox_job ox_schedule_background_at(ox_job_type *type, ox_job after, const void *data,
                                        ox_site site);

/// Runs a job at once on this thread, on a copy of `data`. It is not scheduled, and nothing is
/// outstanding afterwards.
OX_API void ox_run_at(ox_job_type *type, const void *data, ox_site site);

/// Runs a parallel job at once on this thread, batch by batch.
OX_API void ox_run_for_at(ox_job_type *type, int count, int batch, const void *data, ox_site site);

/// Returns a handle that is complete when all of `jobs` are. Returns OX_NO_JOB for 0 jobs. Out of
/// memory, it also returns OX_NO_JOB after a report: a job scheduled after that does not wait.
OX_API ox_job ox_combine_at(const ox_job *jobs, int count, ox_site site);

/// Waits until all of `jobs` and their dependencies are finished, and runs them on this thread
/// meanwhile. Only these become visible to workers; other jobs that were not kicked stay invisible.
OX_API void ox_complete_at(const ox_job *jobs, int count, ox_site site);

/// Makes all jobs scheduled so far visible to the workers, and wakes a sleeping one.
OX_API void ox_jobs_kick_at(ox_site site);
#define ox_jobs_kick() ox_jobs_kick_at(OX_HERE)

/// Returns true if the job is finished. Any thread. It does not complete the job: call ox_complete
/// before main uses what the job worked on.
OX_API bool ox_job_is_complete(ox_job job);

/// Returns the index of this thread: 0 on main and on threads of the program, 1 to
/// ox_worker_count() on workers, above that on background threads. It is below OX_MAX_THREADS, so
/// jobs may use it as an index into an array with one element per thread. Any thread.
OX_API int ox_worker_index(void);

/// Returns the number of workers, not including main. Any thread.
OX_API int ox_worker_count(void);

// Declaring jobs: at file scope, followed by the body in braces. Write OX_NO_SAFETY before a field
// that is a raw pointer. Declare a job without fields by its name alone, OX_JOB(Tick), and schedule
// it without a value.

/// Declares a single job: OX_JOB(AddOne, { float a; }). Its body has `Job *job`, its own copy.
#define OX_JOB(...)                                                                                \
    OXI_PASTE(OXI_DECLARE_JOB_, OXI_IS_ALONE(__VA_ARGS__))                                         \
    (OXI_JOB, OXI_FIRST(__VA_ARGS__, ~), OXI_RAW_##__VA_ARGS__)

/// Declares a parallel job by index: OX_PARALLEL_JOB(Decay, { float k; }). Its body has `const Job
/// *job` and `int i`.
#define OX_PARALLEL_JOB(...)                                                                       \
    OXI_PASTE(OXI_DECLARE_JOB_, OXI_IS_ALONE(__VA_ARGS__))                                         \
    (OXI_PARALLEL_JOB, OXI_FIRST(__VA_ARGS__, ~), OXI_RAW_##__VA_ARGS__)

/// Declares a parallel job by range: OX_RANGE_JOB(Decay, { float k; }). Its body has `const Job
/// *job`, `int begin` and `int end`: one batch, which starts at a multiple of the batch size.
#define OX_RANGE_JOB(...)                                                                          \
    OXI_PASTE(OXI_DECLARE_JOB_, OXI_IS_ALONE(__VA_ARGS__))                                         \
    (OXI_RANGE_JOB, OXI_FIRST(__VA_ARGS__, ~), OXI_RAW_##__VA_ARGS__)

/// The job type that one of these macros declared in this file.
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

/// Schedules a parallel job whose count is taken when it starts: ox_schedule_for_counted(Repair,
/// count_damaged, 64, after, {.damaged = damaged}). If earlier jobs write the count to a list or an
/// array, see ox_schedule_for_list and ox_schedule_for_value.
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

/// Combines 1 to 8 handles: ox_combine(a, b, c).
#define ox_combine(...)                                                                            \
    ox_combine_at(OXI_ARRAY(ox_job, __VA_ARGS__), OXI_LENGTH(ox_job, __VA_ARGS__), OX_HERE)

/// Completes 1 to 8 handles: ox_complete(a, b).
#define ox_complete(...)                                                                           \
    ox_complete_at(OXI_ARRAY(ox_job, __VA_ARGS__), OXI_LENGTH(ox_job, __VA_ARGS__), OX_HERE)

// Inline code and macros.
#include "oxbow/detail/jobs.h"
