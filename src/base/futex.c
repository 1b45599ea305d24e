// SPDX-License-Identifier: MIT
//
// Waiting on a word: the system's futex on Linux, and a portable form for systems without one.
//
// The portable form keeps waiters in buckets by address. A waiter looks at the word under the
// bucket's lock, and a waker takes that lock before it wakes, so a change made before the wake is
// either seen by the look or followed by the wake. Threads of other words in the bucket are woken
// too: waking for no reason is allowed.

#include "base/platform.h"

#include <errno.h>
#include <limits.h>
#include <time.h>

enum { WAIT_BUCKETS = 64 };

typedef struct wait_bucket {
    pthread_mutex_t lock;
    pthread_cond_t woken;
    uint64_t wakes; // under the lock
} wait_bucket;

static wait_bucket wait_buckets[WAIT_BUCKETS];
static pthread_once_t wait_buckets_once = PTHREAD_ONCE_INIT;

static void make_wait_buckets(void) {
    for (int k = 0; k < WAIT_BUCKETS; k++) {
        pthread_mutex_init(&wait_buckets[k].lock, NULL);
        pthread_cond_init(&wait_buckets[k].woken, NULL);
    }
}

static wait_bucket *bucket_of(const oxi_atomic_u32 *word) {
    pthread_once(&wait_buckets_once, make_wait_buckets);
    uint64_t mixed = (uint64_t)(uintptr_t)word * 0x9e3779b97f4a7c15u;
    return &wait_buckets[mixed >> 58];
}

// The wall clock is what a condition variable waits by when it is made without attributes.
static struct timespec wall_time_after(uint64_t ns) {
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    uint64_t sum = (uint64_t)at.tv_nsec + ns % 1000000000u;
    at.tv_sec += (time_t)(ns / 1000000000u + sum / 1000000000u);
    at.tv_nsec = (long)(sum % 1000000000u);
    return at;
}

oxi_wait_result oxi_portable_wait(oxi_atomic_u32 *word, uint32_t expected, uint64_t timeout_ns) {
    wait_bucket *bucket = bucket_of(word);
    struct timespec deadline = {0};
    if (timeout_ns != OXI_WAIT_FOREVER) {
        deadline = wall_time_after(timeout_ns);
    }

    pthread_mutex_lock(&bucket->lock);
    if (oxi_load_seq(word) != expected) {
        pthread_mutex_unlock(&bucket->lock);
        return OXI_WAIT_CHANGED;
    }
    int error = 0;
    uint64_t wakes = bucket->wakes;
    while (bucket->wakes == wakes && error != ETIMEDOUT) {
        error = timeout_ns == OXI_WAIT_FOREVER
                    ? pthread_cond_wait(&bucket->woken, &bucket->lock)
                    : pthread_cond_timedwait(&bucket->woken, &bucket->lock, &deadline);
    }
    bool woken = bucket->wakes != wakes;
    pthread_mutex_unlock(&bucket->lock);
    return woken ? OXI_WAIT_WOKEN : OXI_WAIT_TIMED_OUT;
}

void oxi_portable_wake(oxi_atomic_u32 *word, uint32_t count) {
    if (count == 0) {
        return;
    }
    wait_bucket *bucket = bucket_of(word);
    pthread_mutex_lock(&bucket->lock);
    bucket->wakes++;
    pthread_cond_broadcast(&bucket->woken);
    pthread_mutex_unlock(&bucket->lock);
}

#if defined(__linux__)

#include <sys/syscall.h>
#include <unistd.h>

// The operations as linux/futex.h numbers them, among threads of one process. They are part of what
// the kernel promises to programs; the header itself is missing where musl is the C library.
enum {
    PRIVATE_OPERATION = 128,
    WAIT_OPERATION = 0 + PRIVATE_OPERATION,
    WAKE_OPERATION = 1 + PRIVATE_OPERATION
};

oxi_wait_result oxi_futex_wait(oxi_atomic_u32 *word, uint32_t expected, uint64_t timeout_ns) {
    struct timespec timeout = {(time_t)(timeout_ns / 1000000000u),
                               (long)(timeout_ns % 1000000000u)};
    const struct timespec *limit = timeout_ns == OXI_WAIT_FOREVER ? NULL : &timeout;
    if (syscall(SYS_futex, word, WAIT_OPERATION, expected, limit, NULL, 0) == 0) {
        return OXI_WAIT_WOKEN;
    }
    switch (errno) {
    case EAGAIN:
        return OXI_WAIT_CHANGED;
    case ETIMEDOUT:
        return OXI_WAIT_TIMED_OUT;
    default:
        return OXI_WAIT_WOKEN; // a signal: as good as a wake for no reason
    }
}

void oxi_futex_wake(oxi_atomic_u32 *word, uint32_t count) {
    int most = count > (uint32_t)INT_MAX ? INT_MAX : (int)count;
    syscall(SYS_futex, word, WAKE_OPERATION, most, NULL, NULL, 0);
}

#else

oxi_wait_result oxi_futex_wait(oxi_atomic_u32 *word, uint32_t expected, uint64_t timeout_ns) {
    return oxi_portable_wait(word, expected, timeout_ns);
}

void oxi_futex_wake(oxi_atomic_u32 *word, uint32_t count) {
    oxi_portable_wake(word, count);
}

#endif
