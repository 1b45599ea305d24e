// SPDX-License-Identifier: MIT
//
// Parking.
//
// `idle` has a bit for each runner that sleeps or is about to; who clears a bit owns the wake-up of
// that runner, so nobody is woken twice. `searching` counts workers that look for work: while one
// does, publishing wakes nobody, since that one will find it.
//
// No wake-up is lost because both sides use seq_cst operations on both words: a publisher stores a
// ring's tail and then looks at `searching` and `idle`; a worker that gives up sets its bit in
// `idle`, leaves `searching`, and then looks at the tails. One of the two sees the other. The same
// holds for a worker that leaves `searching` because it found something: it looks at the tails once
// more, and wakes another worker if there is more.

#include "jobs/parking.h"

#include "base/bits.h"
#include "jobs/trace.h"

// What a runner's `wake` says. Going to sleep is an exchange: either the waker's exchange finds the
// sleeper, or the sleeper's finds the waker's and sees all that the waker wrote before.
enum { AWAKE = 0, ASLEEP = 1, INACTIVE = 2 };

bool oxi_any_work(void) {
    if (oxi_ring_has_entries(&oxi_jobs.urgent)) {
        return true;
    }
    for (uint32_t k = 0; k < oxi_jobs.runner_count; k++) {
        if (oxi_ring_has_entries(&oxi_jobs.runners[k].ring)) {
            return true;
        }
    }
    return false;
}

void oxi_wake_runner(oxi_runner *runner) {
    // release: pairs with the acquire of the sleeper, which then sees what was published.
    if (oxi_exchange_acq_rel(&runner->wake, AWAKE) != AWAKE) {
        oxi_futex_wake(&runner->wake, 1);
    }
}

void oxi_wake_waiter(void) {
    oxi_wake_runner(&oxi_jobs.runners[0]);
}

int oxi_jobs_count_idle(void) {
    return (int)oxi_bits_count_ones(oxi_load_relaxed(&oxi_jobs.idle) & ~UINT64_C(1));
}

// Takes the bit of one idle runner, a worker if there is one. Returns its index, or -1.
static int take_idle_runner(void) {
    uint64_t idle = oxi_load_seq(&oxi_jobs.idle);
    while (idle != 0) {
        uint64_t workers = idle & ~UINT64_C(1);
        int index = (int)oxi_bits_lowest(workers != 0 ? workers : idle);
        uint64_t bit = UINT64_C(1) << index;
        if ((oxi_and_seq(&oxi_jobs.idle, ~bit) & bit) != 0) {
            return index;
        }
        idle &= ~bit;
    }
    return -1;
}

void oxi_wake_for_work(void) {
    if (oxi_load_seq(&oxi_jobs.searching) != 0 || oxi_load_seq(&oxi_jobs.idle) == 0) {
        return;
    }
    int index = take_idle_runner();
    if (index < 0) {
        return;
    }
    if (index > 0) {
        oxi_add_seq(&oxi_jobs.searching, 1); // on behalf of the one that is woken
    }
    oxi_wake_runner(&oxi_jobs.runners[index]);
}

void oxi_search_begin(void) {
    oxi_add_seq(&oxi_jobs.searching, 1);
}

void oxi_search_end(void) {
    oxi_sub_seq(&oxi_jobs.searching, 1);
    if (oxi_load_seq(&oxi_jobs.idle) != 0 && oxi_any_work()) {
        oxi_wake_for_work();
    }
}

static void sleep_until_woken(oxi_runner *runner) {
    oxi_trace_park(true);
    uint32_t wake;
    while ((wake = oxi_load_acquire(&runner->wake)) != AWAKE) {
        oxi_futex_wait(&runner->wake, wake, OXI_WAIT_FOREVER);
    }
    oxi_trace_park(false);
}

void oxi_park_worker(oxi_runner *worker) {
    uint64_t bit = UINT64_C(1) << worker->index;
    oxi_exchange_acq_rel(&worker->wake, ASLEEP);
    oxi_or_seq(&oxi_jobs.idle, bit);
    oxi_sub_seq(&oxi_jobs.searching, 1);
    if (oxi_any_work() || oxi_load_seq(&oxi_jobs.quit) != 0) {
        if ((oxi_and_seq(&oxi_jobs.idle, ~bit) & bit) != 0) {
            oxi_search_begin(); // nobody woke it: it stays
            return;
        }
    }
    sleep_until_woken(worker); // who woke it counts it as searching
    oxi_and_seq(&oxi_jobs.idle, ~bit);
}

void oxi_park_inactive(oxi_runner *worker) {
    oxi_exchange_seq(&worker->wake, INACTIVE);
    oxi_search_end(); // if it was woken for work, that goes to another
    bool goes_on =
        oxi_load_seq(&oxi_jobs.active) >= worker->index || oxi_load_seq(&oxi_jobs.quit) != 0;
    uint32_t wake = INACTIVE;
    if (goes_on && oxi_swap_seq(&worker->wake, &wake, AWAKE)) {
        oxi_search_begin(); // nobody woke it: it stays
        return;
    }
    sleep_until_woken(worker); // who woke it counts it as searching
}

void oxi_wake_active(oxi_runner *worker) {
    oxi_search_begin(); // on behalf of the one that is woken
    uint32_t wake = INACTIVE;
    // Only one that sleeps as inactive: who wakes another one owns its bit in `idle`.
    if (oxi_swap_seq(&worker->wake, &wake, AWAKE)) {
        oxi_futex_wake(&worker->wake, 1);
    } else {
        oxi_search_end();
    }
}

void oxi_park_announce(oxi_runner *main) {
    oxi_exchange_acq_rel(&main->wake, ASLEEP);
    oxi_or_seq(&oxi_jobs.idle, 1);
    for (uint32_t k = 0; k < oxi_jobs.runner_count; k++) {
        oxi_ring_has_entries(&oxi_jobs.runners[k].ring);
    }
}

void oxi_park_main(oxi_runner *main, bool sleeps) {
    if (sleeps) {
        sleep_until_woken(main);
    }
    oxi_and_seq(&oxi_jobs.idle, ~UINT64_C(1));
}
