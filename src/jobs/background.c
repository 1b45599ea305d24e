// SPDX-License-Identifier: MIT
//
// Background threads: a queue under a lock, and threads that sleep on a count of what was added.
//
// Background jobs are few and long, so a lock is cheap here. Room in the queue is made when a job
// is scheduled, so queueing it later cannot fail.
//
// Invariant: room >= jobs scheduled and not taken from the queue yet. Main may claim a job that is
// queued; then its entry is stale, and skipped.

#include "jobs/background.h"

#include "base/check.h"
#include "base/list.h"
#include "base/text.h"
#include "jobs/graph.h"
#include "jobs/runner.h"
#include "jobs/slots.h"
#include "jobs/trace.h"

static struct {
    oxi_mutex lock;
    OXI_LIST(ox_job) queue; // under the lock, as is the room
    size_t room;
    oxi_atomic_u32 changes; // counts what was queued, and the order to quit
    oxi_atomic_u32 quit;
    uint32_t started; // main's
} background = {.lock = OXI_MUTEX_INIT};

bool oxi_background_is_used(void) {
    return background.started > 0;
}

static ox_job take_background_job(void) {
    ox_job job = OX_NO_JOB;
    oxi_mutex_lock(&background.lock);
    if (background.queue.count > 0) {
        job = background.queue.items[0];
        oxi_list_remove(&background.queue, 0);
        background.room--;
    }
    oxi_mutex_unlock(&background.lock);
    return job;
}

static void live_in_background(void *context) {
    oxi_runner *runner = context;
    oxi_this_runner = runner;
    oxi_thread_lower_priority();
    for (;;) {
        uint32_t changes = oxi_load_acquire(&background.changes);
        ox_job job = take_background_job();
        if (job.value != 0) {
            if (oxi_job_claim(job)) {
                oxi_run_claimed(runner, job);
            }
        } else if (oxi_load_acquire(&background.quit) != 0) {
            break;
        } else {
            oxi_trace_park(true);
            oxi_futex_wait(&background.changes, changes, OXI_WAIT_FOREVER);
            oxi_trace_park(false);
        }
    }
    oxi_slots_return(runner);
}

static void announce_change(uint32_t wakes) {
    oxi_add_acq_rel(&background.changes, 1);
    oxi_futex_wake(&background.changes, wakes);
}

void oxi_background_add(ox_job job) {
    oxi_mutex_lock(&background.lock);
    bool pushed = oxi_list_push(&background.queue, job); // unfailed: room was made before
    oxi_mutex_unlock(&background.lock);
    (void)pushed;
    announce_change(1);
}

bool oxi_background_start(ox_site site) {
    if (background.started > 0) {
        return true;
    }
    oxi_store_relaxed(&background.quit, 0);
    for (int k = 0; k < oxi_jobs.def.background_count; k++) {
        oxi_runner *runner = &oxi_jobs.runners[1 + oxi_jobs.worker_count + (uint32_t)k];
        char name[16];
        oxi_text_print(name, sizeof name, "%s-bg%d", oxi_jobs.def.thread_name, k);
        runner->is_started = oxi_thread_start(&runner->thread, live_in_background, runner, name);
        background.started += runner->is_started;
        OXI_REQUIRE(runner->is_started, NULL, OX_REPORT_THREAD_NOT_STARTED, site,
                    OXI_NAME("thread", name));
    }
    return background.started > 0;
}

bool oxi_background_prepare(void) {
    oxi_mutex_lock(&background.lock);
    bool has_room = oxi_list_reserve(&background.queue, background.room + 1);
    background.room += has_room;
    oxi_mutex_unlock(&background.lock);
    return has_room;
}

void oxi_background_stop(void) {
    oxi_store_release(&background.quit, 1);
    announce_change(UINT32_MAX);
    for (uint32_t k = 1 + oxi_jobs.worker_count; k < oxi_jobs.runner_count; k++) {
        oxi_runner *runner = &oxi_jobs.runners[k];
        if (runner->is_started) {
            oxi_thread_join(&runner->thread);
            runner->is_started = false;
        }
    }
    oxi_list_free(&background.queue);
    background.room = 0;
    background.started = 0;
}
