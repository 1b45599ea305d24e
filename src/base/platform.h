// SPDX-License-Identifier: MIT
//
// What Oxbow needs of the system: threads, waiting, time, cores and pages. One file implements it
// per kind of system; no other file calls the system. Unless said otherwise, any thread may call.

#pragma once

#include "base/atomics.h"
#include "oxbow/base.h"

#include <pthread.h>

// Threads.

typedef void oxi_thread_fn(void *context);

/// A started thread. Owned by the caller until it is joined.
typedef struct oxi_thread {
    pthread_t handle;
    oxi_thread_fn *function;
    void *context;
    char name[16];
} oxi_thread;

/// Starts a thread that calls `function`. `thread` must stay in place until it is joined. `name` is
/// cut to 15 bytes; NULL gives none. After success what was written before is visible to it. Its
/// stack is the system's default, and at most 1/64 of the addresses where those are limited.
/// @return false when the system refuses; then nothing was started.
bool oxi_thread_start_at(oxi_thread *thread, oxi_thread_fn *function, void *context,
                         const char *name, ox_site where);
#define oxi_thread_start(thread, function, context, name)                                          \
    oxi_thread_start_at(thread, function, context, name, OX_HERE)

/// Waits until the thread has returned. What it wrote is visible afterwards. Once per thread.
void oxi_thread_join(oxi_thread *thread);

// Thread-local words that hot calls look at: read without a call, also in a shared library.
#if defined(__GNUC__) && defined(__linux__)
#define OXI_NEAR_TLS __attribute__((tls_model("initial-exec")))
#else
#define OXI_NEAR_TLS
#endif

/// A small number of the calling thread, from 0. Unique among the threads alive, used again after a
/// thread has ended. At most OXI_MAX_THREADS - 1: threads above share that last one. To tell
/// threads apart, compare serials.
uint32_t oxi_thread_index(void);
enum { OXI_MAX_THREADS = 1024 };

/// Says which thread this is: never 0, and of no other thread, before or after.
static inline uint64_t oxi_thread_serial(void);

extern _Thread_local uint64_t oxi_this_thread OXI_NEAR_TLS; ///< its serial; 0: not asked for yet
uint64_t oxi_thread_take_serial(void);

static inline uint64_t oxi_thread_serial(void) {
    uint64_t serial = oxi_this_thread;
    if (serial == 0) {
        serial = oxi_thread_take_serial();
    }
    return serial;
}

/// From now on `function` runs at the end of every thread that has asked for its index. Main's end
/// does not count. At most 8 functions; the same one again changes nothing.
void oxi_thread_at_exit(void (*function)(void));

/// Lets other threads go before the calling one, where the system allows that.
void oxi_thread_lower_priority(void);

/// Gives the rest of the time slice away.
void oxi_thread_yield(void);

/// Tells the core that this is a spin loop.
static inline void oxi_cpu_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

// A mutex. {OXI_MUTEX_INIT} is unlocked; it needs no destruction. Not recursive.

typedef struct oxi_mutex {
    pthread_mutex_t handle;
} oxi_mutex;
#define OXI_MUTEX_INIT                                                                             \
    { PTHREAD_MUTEX_INITIALIZER }

void oxi_mutex_lock(oxi_mutex *mutex);
void oxi_mutex_unlock(oxi_mutex *mutex);

/// How often a mutex was locked since the process started, for tests. 0 below OX_SAFETY 1.
uint64_t oxi_mutex_get_locks(void);

// Something that happens once. {OXI_ONCE_INIT} has not happened yet.

typedef struct oxi_once {
    pthread_once_t handle;
} oxi_once;
#define OXI_ONCE_INIT                                                                              \
    { PTHREAD_ONCE_INIT }

/// Calls `function` unless it was called for `once` before; returns when it has returned.
void oxi_once_run(oxi_once *once, void (*function)(void));

// Waiting on a word.

typedef enum oxi_wait_result {
    OXI_WAIT_WOKEN = 0, ///< woken, or for no reason at all: look at the word again
    OXI_WAIT_CHANGED,   ///< the word was not `expected`
    OXI_WAIT_TIMED_OUT,
} oxi_wait_result;

#define OXI_WAIT_FOREVER UINT64_MAX

/// Sleeps while `*word == expected`, until a wake of that word or for `timeout_ns`. Checking the
/// word and going to sleep are one step for a waker that changes the word before it wakes.
oxi_wait_result oxi_futex_wait(oxi_atomic_u32 *word, uint32_t expected, uint64_t timeout_ns);

/// Wakes up to `count` threads that sleep on `word`. UINT32_MAX wakes all.
void oxi_futex_wake(oxi_atomic_u32 *word, uint32_t count);

/// The same on a mutex and a condition variable, for systems without futexes. Tested everywhere.
oxi_wait_result oxi_portable_wait(oxi_atomic_u32 *word, uint32_t expected, uint64_t timeout_ns);
void oxi_portable_wake(oxi_atomic_u32 *word, uint32_t count);

// Time and cores.

/// Nanoseconds of a clock that never goes back. Tests may replace it (base/substitute.h).
uint64_t oxi_clock_now(void);

/// Logical cores that this process may use, at least 1.
uint32_t oxi_core_count(void);

/// The core that runs this thread at the moment, or 0 where that cannot be told.
uint32_t oxi_core_current(void);

// Pages. Addresses and sizes are multiples of oxi_page_size().

/// Bytes of addresses that the process may have (`ulimit -v`), SIZE_MAX without a limit.
size_t oxi_address_limit(void);

size_t oxi_page_size(void);

enum { OXI_HUGE_PAGE = 2 * 1024 * 1024 };

/// Reserves address space without memory, aligned to huge pages when it holds one. @return NULL
/// when refused.
void *oxi_pages_reserve_at(size_t size, ox_site where);
#define oxi_pages_reserve(size) oxi_pages_reserve_at(size, OX_HERE)

/// Gives reserved pages memory, which is zero. @return false when refused, with nothing changed.
bool oxi_pages_commit_at(void *address, size_t size, ox_site where);
#define oxi_pages_commit(address, size) oxi_pages_commit_at(address, size, OX_HERE)

/// Takes the memory of pages away and keeps the address space. They are zero when committed again.
void oxi_pages_decommit(void *address, size_t size);

/// Gives the whole reservation back.
void oxi_pages_release(void *address, size_t size);

/// Asks for huge pages behind a range. A hint: nothing happens where there are none.
void oxi_pages_advise_huge(void *address, size_t size);
