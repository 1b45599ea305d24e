// SPDX-License-Identifier: MIT
//
// Samples, and what the rows of jobs ask of the system.

#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Sort the values.
double bench_median(double *values, int count);
double bench_percentile(double *values, int count, int percent);

/// Holds this thread on the core of this number among those that the process may use; -1 lets it
/// run on all of them again. Nothing happens where that cannot be done. Main's is 0, the other
/// thread's is 1: on a busy machine the system often puts both on one core.
void bench_hold_core(int number);

/// Lets this thread and those that it starts go before others', where that is allowed: a core that
/// is taken away in the middle of a row makes it worthless.
void bench_raise_priority(void);

/// Lets the heap keep what is freed: peers that build graphs would fault pages in again each time.
void bench_keep_heap(void);

/// Sleeps, or keeps the core busy.
void bench_sleep_us(uint64_t us);
void bench_spin_us(uint64_t us);

/// Nanoseconds of all cores that this process has used.
uint64_t bench_cpu_ns(void);

/// How often a thread of this process was put off its core so far.
int64_t bench_disturbances(void);

/// Calls of this thread into the system from Oxbow since the last time it was asked: waits, wakes,
/// yields, locks, and pages taken or given. -1 where they cannot be counted.
int bench_take_system_calls(void);

#ifdef __cplusplus
}
#endif
