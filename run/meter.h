// SPDX-License-Identifier: MIT
//
// Times of frames, and how busy the threads were.

#pragma once

#include <oxbow.h>

#include <stdint.h>

/// Times that were taken, in nanoseconds.
typedef struct samples {
    uint64_t *times;
    int count;
    int capacity;
} samples;

/// Nanoseconds of a clock that only goes on.
uint64_t meter_now(void);

/// Adds a time. Without memory for it, it is left out.
void samples_add(samples *to, uint64_t time);

/// The time that `part` of all are below, in milliseconds: 0.5 is the median. 0 when there are
/// none.
double samples_quantile(samples *of, double part);

/// Frees them.
void samples_free(samples *all);

/// For ox_jobs_def: called before and after each job, on its thread.
void meter_begin(const char *name, void *context);
void meter_end(const char *name, void *context);

/// Nanoseconds that all threads together spent in jobs so far.
uint64_t meter_busy(void);

/// Nanoseconds that the threads of the process, all together, had a core so far, and waited for one
/// that others had. Systems that do not tell count no waits.
typedef struct core_times {
    uint64_t had_ns;
    uint64_t waited_ns;
} core_times;

core_times meter_read_cores(void);
