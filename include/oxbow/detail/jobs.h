// SPDX-License-Identifier: MIT
//
// Private: how jobs are declared.

#pragma once

#include "oxbow/jobs.h"

// Every job declares its kind, under the name that a compiler prints if there is no such job.
enum { OXI_SINGLE_JOB = 1, OXI_JOB_BY_INDEX, OXI_JOB_OVER_ENTITIES };
#define OXI_JOB_KIND(Job, kind) enum { oxi_no_job_named_##Job = kind };
#define OXI_IS_JOB(Job, kind)   ((int)oxi_no_job_named_##Job == (int)(kind))

// Declares a job by macro M, with or without fields. The raw text of the fields is captured here:
// operands of ## are not expanded, so the outermost macro pastes its arguments to OXI_RAW_, and
// passes the first one again.
#define OXI_DECLARE_JOB_0(M, Job, raw_job, ...) M(Job, #__VA_ARGS__, __VA_ARGS__)
#define OXI_DECLARE_JOB_1(M, Job, raw_job)      M(Job, "OX_NO_FIELDS", OX_NO_FIELDS)

// Arguments of a call that schedules or runs a job: those before the fields, and a pointer to the
// fields, which only a job without fields may omit.
#define OXI_AND_FIELDS(Job, ...)                                                                   \
    OXI_PASTE(OXI_AND_FIELDS_, OXI_IS_ALONE(__VA_ARGS__))(Job, __VA_ARGS__)
#define OXI_AND_FIELDS_0(Job, before, ...) before, OXI_VALUE(Job, __VA_ARGS__)
#define OXI_AND_FIELDS_1(Job, before)      before, OXI_NO_FIELDS(Job)
#define OXI_NO_FIELDS(Job)                                                                         \
    OXI_CHECKED(sizeof(Job) == 1, #Job " has fields: give them last, such as {.field = 1}",        \
                OXI_VALUE(Job, {0}))

#define OXI_TO_RUN_0(Job, ...) Job, OXI_VALUE(Job, __VA_ARGS__)
#define OXI_TO_RUN_1(Job)      Job, OXI_NO_FIELDS(Job)
#define OXI_RUN(...)           OXI_RUN_(__VA_ARGS__)
#define OXI_RUN_(Job, data)                                                                        \
    OXI_CHECKED(OXI_IS_JOB(Job, OXI_SINGLE_JOB),                                                   \
                "ox_run is for an OX_JOB; " #Job " is another kind of job",                        \
                ox_run_at(&oxi_job_##Job, data, OX_HERE))

// clang-format off
#define OXI_JOB_TYPE(Job, raw, expanded, run, range, one_batch)                                    \
    OXI_UNUSED static ox_job_type oxi_job_##Job = {                                                \
        {#Job, raw, expanded, OX_HERE, sizeof(Job), OXI_ALIGNOF(Job), OX_VERSION, OX_SCALAR_NONE,  \
         NULL, 0, OXI_FILE_SCOPE, NULL},                                                           \
        run, {range}, one_batch, NULL, 0, 0, 0, NULL, false};
// clang-format on

#define OXI_JOB(Job, raw, ...)                                                                     \
    OXI_JOB_KIND(Job, OXI_SINGLE_JOB)                                                              \
    typedef struct Job __VA_ARGS__ Job;                                                            \
    static void Job##_execute(Job *job);                                                           \
    static void Job##_run(void *job) {                                                             \
        Job##_execute((Job *)job);                                                                 \
    }                                                                                              \
    OXI_JOB_TYPE(Job, raw, OXI_TEXT(__VA_ARGS__), Job##_run, NULL, false)                          \
    static void Job##_execute(OXI_UNUSED Job *job)

// The loop works on its own copy of the struct: no store in the body can alias job->x, so the loop
// vectorises.
#define OXI_PARALLEL_JOB(Job, raw, ...)                                                            \
    OXI_JOB_KIND(Job, OXI_JOB_BY_INDEX)                                                            \
    typedef struct Job __VA_ARGS__ Job;                                                            \
    static inline void Job##_execute(const Job *job, int i);                                       \
    static void Job##_range(const void *data, int begin, int end) {                                \
        const Job job = *(const Job *)data;                                                        \
        for (int i = begin; i < end; i++) {                                                        \
            Job##_execute(&job, i);                                                                \
        }                                                                                          \
    }                                                                                              \
    OXI_JOB_TYPE(Job, raw, OXI_TEXT(__VA_ARGS__), NULL, Job##_range, false)                        \
    static inline void Job##_execute(OXI_UNUSED const Job *job, OXI_UNUSED int i)

#define OXI_RANGE_JOB(Job, raw, ...)                                                               \
    OXI_JOB_KIND(Job, OXI_JOB_BY_INDEX)                                                            \
    typedef struct Job __VA_ARGS__ Job;                                                            \
    static void Job##_execute(const Job *job, int begin, int end);                                 \
    static void Job##_range(const void *job, int begin, int end) {                                 \
        Job##_execute((const Job *)job, begin, end);                                               \
    }                                                                                              \
    OXI_JOB_TYPE(Job, raw, OXI_TEXT(__VA_ARGS__), NULL, Job##_range, true)                         \
    static void Job##_execute(OXI_UNUSED const Job *job, OXI_UNUSED int begin, OXI_UNUSED int end)
