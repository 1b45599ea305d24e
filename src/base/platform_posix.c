// SPDX-License-Identifier: MIT
//
// POSIX systems: threads, time, cores and pages. Waiting on a word is in futex.c.

#include "base/platform.h"

#include "base/check.h"
#include "base/substitute.h"
#include "base/text.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

// Thread indexes: a bit for each that is taken. The index of a thread is given back when the thread
// ends, by the destructor of a thread-specific value.

enum { MAX_EXIT_FUNCTIONS = 8, INDEX_UNKNOWN = OXI_MAX_THREADS, LEAST_STACK = 256 * 1024 };

static pthread_once_t exit_key_once = PTHREAD_ONCE_INIT;
static pthread_key_t exit_key;
static oxi_mutex thread_lock = OXI_MUTEX_INIT;
static uint64_t taken_indexes[OXI_MAX_THREADS / 64]; // under thread_lock, as is what follows
static void (*exit_functions[MAX_EXIT_FUNCTIONS])(void);
static int exit_function_count;
static _Thread_local uint32_t thread_index = INDEX_UNKNOWN;
static oxi_atomic_u64 last_thread_serial;
_Thread_local uint64_t oxi_this_thread;

static uint32_t take_thread_index(void) {
    uint32_t index = 0;
    oxi_mutex_lock(&thread_lock);
    while (index < OXI_MAX_THREADS - 1 && (taken_indexes[index / 64] >> (index % 64) & 1) != 0) {
        index++;
    }
    taken_indexes[index / 64] |= (uint64_t)1 << (index % 64);
    oxi_mutex_unlock(&thread_lock);
    return index;
}

static void leave_thread(void *value) {
    (void)value;
    oxi_mutex_lock(&thread_lock);
    int count = exit_function_count;
    oxi_mutex_unlock(&thread_lock);
    // Functions are only ever added, so the first `count` stay what they are.
    for (int k = 0; k < count; k++) {
        exit_functions[k]();
    }
    oxi_mutex_lock(&thread_lock);
    if (thread_index < OXI_MAX_THREADS - 1) {
        taken_indexes[thread_index / 64] &= ~((uint64_t)1 << (thread_index % 64));
    }
    oxi_mutex_unlock(&thread_lock);
    thread_index = INDEX_UNKNOWN;
}

static void make_exit_key(void) {
    pthread_key_create(&exit_key, leave_thread);
}

uint32_t oxi_thread_index(void) {
    if (thread_index == INDEX_UNKNOWN) {
        thread_index = take_thread_index();
        pthread_once(&exit_key_once, make_exit_key);
        pthread_setspecific(exit_key, &exit_key);
    }
    return thread_index;
}

uint64_t oxi_thread_take_serial(void) {
    oxi_this_thread = oxi_add_relaxed(&last_thread_serial, 1) + 1;
    return oxi_this_thread;
}

void oxi_thread_at_exit(void (*function)(void)) {
    oxi_mutex_lock(&thread_lock);
    int index = 0;
    while (index < exit_function_count && exit_functions[index] != function) {
        index++;
    }
    OXI_ASSERT(index < MAX_EXIT_FUNCTIONS);
    if (index == exit_function_count && index < MAX_EXIT_FUNCTIONS) {
        exit_functions[exit_function_count++] = function;
    }
    oxi_mutex_unlock(&thread_lock);
}

static void *enter_thread(void *data) {
    oxi_thread *thread = data;
#if defined(__linux__)
    if (thread->name[0] != 0) {
        pthread_setname_np(pthread_self(), thread->name);
    }
#endif
    thread->function(thread->context);
    return NULL;
}

// Threads of a process whose addresses are limited: sixteen stacks take a quarter of them. The
// default is as large as main's stack may become, which is no measure for the stacks of jobs.
static void limit_stack(pthread_attr_t *attributes) {
    size_t size = 0;
    size_t most = oxi_address_limit() / 64;
    most = most > LEAST_STACK ? most : LEAST_STACK;
    if (pthread_attr_getstacksize(attributes, &size) == 0 && size > most) {
        pthread_attr_setstacksize(attributes, most / oxi_page_size() * oxi_page_size());
    }
}

bool oxi_thread_start_at(oxi_thread *thread, oxi_thread_fn *function, void *context,
                         const char *name, ox_site where) {
    if (oxi_fault_hit(where)) {
        return false;
    }
    *thread = (oxi_thread){.function = function, .context = context};
    oxi_text_copy(thread->name, sizeof thread->name, name);
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    limit_stack(&attributes);
    bool is_started = pthread_create(&thread->handle, &attributes, enter_thread, thread) == 0;
    pthread_attr_destroy(&attributes);
    return is_started;
}

void oxi_thread_join(oxi_thread *thread) {
    pthread_join(thread->handle, NULL);
}

void oxi_thread_lower_priority(void) {
#if defined(__linux__)
    // On Linux the nice value belongs to the thread.
    int ignored = nice(5);
    (void)ignored;
#endif
}

void oxi_thread_yield(void) {
    sched_yield();
}

#if OX_SAFETY >= 1
static oxi_atomic_u64 mutex_locks;
#endif

void oxi_mutex_lock(oxi_mutex *mutex) {
#if OX_SAFETY >= 1
    oxi_add_relaxed(&mutex_locks, 1);
#endif
    pthread_mutex_lock(&mutex->handle);
}

uint64_t oxi_mutex_get_locks(void) {
#if OX_SAFETY >= 1
    return oxi_load_relaxed(&mutex_locks);
#else
    return 0;
#endif
}

void oxi_mutex_unlock(oxi_mutex *mutex) {
    pthread_mutex_unlock(&mutex->handle);
}

void oxi_once_run(oxi_once *once, void (*function)(void)) {
    pthread_once(&once->handle, function);
}

// Time.

static _Atomic(oxi_clock_fn *) clock_source;
static oxi_atomic_ptr clock_context;

void oxi_clock_set_source(oxi_clock_fn *function, void *context) {
    oxi_store_relaxed(&clock_context, context);
    oxi_store_release(&clock_source, function);
}

uint64_t oxi_clock_now(void) {
    oxi_clock_fn *source = oxi_load_acquire(&clock_source);
    if (source != NULL) {
        return source(oxi_load_relaxed(&clock_context));
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// Cores.

uint32_t oxi_core_count(void) {
    long count = 0;
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        count = CPU_COUNT(&set);
    }
#endif
    if (count < 1) {
        count = sysconf(_SC_NPROCESSORS_ONLN);
    }
    return count < 1 ? 1 : (uint32_t)count;
}

uint32_t oxi_core_current(void) {
#if defined(__linux__)
    int core = sched_getcpu();
    return core < 0 ? 0 : (uint32_t)core;
#else
    return 0;
#endif
}

// Pages.

size_t oxi_page_size(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

size_t oxi_address_limit(void) {
#if defined(RLIMIT_AS)
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < SIZE_MAX) {
        return (size_t)limit.rlim_cur; // RLIM_INFINITY is not below
    }
#endif
    return SIZE_MAX;
}

static char *reserve_pages(size_t size) {
    void *address = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return address == MAP_FAILED ? NULL : address;
}

// What does not lie between two multiples of a huge page never becomes one: a little more is
// reserved, and what stands out at both ends is given back.
static char *reserve_aligned_pages(size_t size) {
    size_t extra = OXI_HUGE_PAGE - oxi_page_size();
    char *address = size <= SIZE_MAX - extra ? reserve_pages(size + extra) : NULL;
    if (address == NULL) {
        return NULL;
    }
    size_t head = (size_t)(-(uintptr_t)address & (OXI_HUGE_PAGE - 1));
    if (head > 0) {
        munmap(address, head);
    }
    if (head < extra) {
        munmap(address + head + size, extra - head);
    }
    return address + head;
}

void *oxi_pages_reserve_at(size_t size, ox_site where) {
    if (oxi_fault_hit(where)) {
        return NULL;
    }
    return size < OXI_HUGE_PAGE ? reserve_pages(size) : reserve_aligned_pages(size);
}

bool oxi_pages_commit_at(void *address, size_t size, ox_site where) {
    return !oxi_fault_hit(where) && mprotect(address, size, PROT_READ | PROT_WRITE) == 0;
}

void oxi_pages_decommit(void *address, size_t size) {
    // A new mapping in the old place: its memory is gone, and zero when it comes back.
    void *same = mmap(address, size, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (same == MAP_FAILED) {
        memset(address, 0, size); // they keep their memory, and are zero all the same
    }
}

void oxi_pages_release(void *address, size_t size) {
    munmap(address, size);
}

void oxi_pages_advise_huge(void *address, size_t size) {
#if defined(MADV_HUGEPAGE)
    madvise(address, size, MADV_HUGEPAGE);
#else
    (void)address;
    (void)size;
#endif
}
