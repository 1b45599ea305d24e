// SPDX-License-Identifier: MIT
//
// Samples, and what the rows of jobs ask of the system.
//
// Calls into the system are counted by the linker's --wrap: each call of these functions from the
// library passes here. The library calls the system nowhere else.

#include "bench_samples.h"

#include "base/platform.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static int compare_values(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_percentile(double *values, int count, int percent) {
    if (count == 0) {
        return 0;
    }
    qsort(values, (size_t)count, sizeof values[0], compare_values);
    return values[(count - 1) * percent / 100];
}

double bench_median(double *values, int count) {
    return bench_percentile(values, count, 50);
}

// Linux gives each session a share of its own; a process's priority counts only inside it.
static void set_priority(int priority) {
    FILE *group = fopen("/proc/self/autogroup", "w");
    if (group != NULL) {
        fprintf(group, "%d", priority);
        fclose(group);
    }
    int refused = setpriority(PRIO_PROCESS, 0, priority);
    (void)refused;
}

static void restore_priority(void) {
    set_priority(0);
}

void bench_raise_priority(void) {
    static bool is_raised;
    if (!is_raised) {
        is_raised = true;
        set_priority(-19);
        atexit(restore_priority);
    }
}

void bench_keep_heap(void) {
#if defined(__GLIBC__)
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
#endif
}

void bench_sleep_us(uint64_t us) {
    struct timespec time = {(time_t)(us / 1000000), (long)(us % 1000000 * 1000)};
    nanosleep(&time, NULL);
}

void bench_spin_us(uint64_t us) {
    uint64_t end = oxi_clock_now() + us * 1000;
    while (oxi_clock_now() < end) {
    }
}

uint64_t bench_cpu_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

int64_t bench_disturbances(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

#if defined(__linux__)

void bench_hold_core(int number) {
    static cpu_set_t all;
    if (CPU_COUNT(&all) == 0) {
        sched_getaffinity(0, sizeof all, &all);
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    for (size_t core = 0; core < CPU_SETSIZE && number >= 0; core++) {
        if (CPU_ISSET(core, &all) && number-- == 0) {
            CPU_SET(core, &one);
        }
    }
    sched_setaffinity(0, sizeof one, CPU_COUNT(&one) > 0 ? &one : &all);
}

static _Thread_local int system_calls;

int bench_take_system_calls(void) {
    int calls = system_calls;
    system_calls = 0;
    return calls;
}

// The linker gives the names.
oxi_wait_result __real_oxi_futex_wait(oxi_atomic_u32 *word, uint32_t expected, uint64_t timeout_ns);
oxi_wait_result __wrap_oxi_futex_wait(oxi_atomic_u32 *word, uint32_t expected, uint64_t timeout_ns);
void __real_oxi_futex_wake(oxi_atomic_u32 *word, uint32_t count);
void __wrap_oxi_futex_wake(oxi_atomic_u32 *word, uint32_t count);
void __real_oxi_thread_yield(void);
void __wrap_oxi_thread_yield(void);
void __real_oxi_mutex_lock(oxi_mutex *mutex);
void __wrap_oxi_mutex_lock(oxi_mutex *mutex);
bool __real_oxi_pages_commit_at(void *address, size_t size, ox_site where);
bool __wrap_oxi_pages_commit_at(void *address, size_t size, ox_site where);
void __real_oxi_pages_decommit(void *address, size_t size);
void __wrap_oxi_pages_decommit(void *address, size_t size);

oxi_wait_result __wrap_oxi_futex_wait(oxi_atomic_u32 *word, uint32_t expected,
                                      uint64_t timeout_ns) {
    system_calls++;
    return __real_oxi_futex_wait(word, expected, timeout_ns);
}

void __wrap_oxi_futex_wake(oxi_atomic_u32 *word, uint32_t count) {
    system_calls++;
    __real_oxi_futex_wake(word, count);
}

void __wrap_oxi_thread_yield(void) {
    system_calls++;
    __real_oxi_thread_yield();
}

void __wrap_oxi_mutex_lock(oxi_mutex *mutex) {
    system_calls++;
    __real_oxi_mutex_lock(mutex);
}

bool __wrap_oxi_pages_commit_at(void *address, size_t size, ox_site where) {
    system_calls++;
    return __real_oxi_pages_commit_at(address, size, where);
}

void __wrap_oxi_pages_decommit(void *address, size_t size) {
    system_calls++;
    __real_oxi_pages_decommit(address, size);
}

#else

void bench_hold_core(int number) {
    (void)number;
}

int bench_take_system_calls(void) {
    return -1;
}

#endif
