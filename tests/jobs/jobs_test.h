// SPDX-License-Identifier: MIT
//
// What the tests of jobs share: starting with so many workers, waiting with a watchdog, and shaken
// schedules.

#pragma once

#include "test.h"

#include "base/atomics.h"
#include "base/bits.h"
#include "base/platform.h"
#include "base/random.h"
#include "base/substitute.h"
#include "jobs/state.h"
#include "oxbow/jobs.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { WATCHDOG_SECONDS = 10, HANG_SECONDS = 100 };

// By how much large graphs shrink where everything is slow.
#if defined(__SANITIZE_THREAD__) || defined(TEST_IS_EMULATED)
enum { SLOWNESS = 20 };
#else
enum { SLOWNESS = 1 };
#endif

OXI_UNUSED static void start_workers_of_test(int workers) {
    ox_jobs_def def = {.worker_count = workers == 0 ? OX_NO_WORKERS : workers};
    ox_jobs_stop(); // a test that failed before may have left it running
    EXPECT(ox_jobs_start(&def));
}

OXI_UNUSED static void sleep_us(long us) {
    nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL);
}

// Waits, without helping, until `*word` is at least `value`. Fails the test after the watchdog's
// time.
OXI_UNUSED static void wait_for_value(oxi_atomic_u32 *word, uint32_t value, const char *what) {
    for (int k = 0; k < WATCHDOG_SECONDS * 10000; k++) {
        if (atomic_load(word) >= value) {
            return;
        }
        sleep_us(100);
    }
    test_fail(__FILE__, __LINE__, "%s: %u of %u after %d s", what, atomic_load(word), value,
              WATCHDOG_SECONDS);
}

// A wait that cannot be polled: the process dies with a message when it hangs.
static const char *watched_call;

OXI_UNUSED static void end_hung_process(int number) {
    (void)number;
    static const char text[] = "watchdog: a call hangs in ";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    for (const char *c = watched_call; *c != 0 && written > 0; c++) {
        written = write(STDERR_FILENO, c, 1);
    }
    abort();
}

OXI_UNUSED static void watch_for_hang(const char *what) {
    watched_call = what;
    signal(SIGALRM, end_hung_process);
    alarm(HANG_SECONDS);
}

OXI_UNUSED static void end_watch(void) {
    alarm(0);
}

// Long enough for idle workers to stop spinning and sleep: then all their bits stand in `idle`.
OXI_UNUSED static void wait_until_parked(void) {
    uint64_t workers = ((UINT64_C(1) << oxi_jobs.worker_count) - 1) << 1;
    for (int k = 0; k < WATCHDOG_SECONDS * 10000; k++) {
        if (atomic_load(&oxi_jobs.idle) == workers && atomic_load(&oxi_jobs.searching) == 0) {
            return;
        }
        sleep_us(100);
    }
    test_fail(__FILE__, __LINE__, "not parked: idle %llx, searching %u",
              (unsigned long long)atomic_load(&oxi_jobs.idle), atomic_load(&oxi_jobs.searching));
}

// A hook for yield points: now and then a thread gives way, rarely for longer.
OXI_UNUSED static void shake_schedule(void *context) {
    static _Thread_local uint32_t state;
    if (state == 0) {
        state = ((uint32_t)(uintptr_t)context * 2654435761u + (uint32_t)(uintptr_t)&state) | 1;
    }
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    if (state % 64 == 0) {
        oxi_thread_yield();
    } else if (state % 16384 == 1) {
        sleep_us(50);
    }
}

OXI_UNUSED static void shake_schedules(uint64_t seed) {
    oxi_yield_set_hook(shake_schedule, (void *)(uintptr_t)seed);
}
