// SPDX-License-Identifier: MIT
//
// The job system on the checker's atomics: its sources as they are, and stand-ins for what is not
// under test: the system, memory, background threads, traces.

#include "model/room.h"

#include "base/check.h"
#include "base/heap.h"
#include "base/list.h"
#include "base/temp.h"
#include "jobs/background.h"
#include "jobs/data.h"
#include "jobs/run.h"
#include "jobs/trace.h"

#include <string.h>

// Of each thread, and first of none.
static oxi_runner *room_runners[1 + MODEL_THREADS];
static oxi_run room_runs[1 + MODEL_THREADS];

// Names of the sources that mean the checker's functions here. The headers above have declared the
// real ones already.
#undef oxi_heap_alloc
#define oxi_heap_alloc(size, align)              model_alloc(size)
#define oxi_heap_free(block, size, align)        model_free(block, size)
#define oxi_region_create(region, wanted, least) room_region_create(region, wanted)
#define oxi_region_grow(region, size)            ((size) <= (region)->reserved)
#define oxi_region_destroy(region)               ((void)(region))
#define oxi_futex_wait(word, expected, timeout)  ((void)model_futex_wait(word, expected))
#define oxi_futex_wake(word, count)              model_futex_wake(word, count)
#define oxi_clock_now()                          UINT64_C(0)
#define oxi_thread_yield()                       ((void)0)
#define oxi_temp_enter_job()                     ((void)0)
#define oxi_temp_leave_job()                     ((void)0)
#define oxi_this_runner                          room_runners[model_thread() + 1]
#define oxi_this_run                             room_runs[model_thread() + 1]
#define memcpy                                   model_memcpy

oxi_jobs_state oxi_jobs;

static bool room_region_create(oxi_region *region, size_t size) {
    *region = (oxi_region){.base = model_alloc(size), .reserved = size, .committed = size};
    memset(region->base, 0, size);
    return true;
}

#include "jobs/complete.c"
#include "jobs/graph.c"
#include "jobs/loop.c"
#include "jobs/parking.c"
#include "jobs/ring.c"
#include "jobs/runner.c"
#include "jobs/schedule.c"
#include "jobs/slots.c"

bool oxi_background_start(ox_site site) {
    (void)site;
    return false;
}

bool oxi_background_prepare(void) {
    return false;
}

bool oxi_background_is_used(void) {
    return false;
}

void oxi_background_add(ox_job job) {
    model_fail("job %llu went to the background", (unsigned long long)job.value);
}

bool oxi_jobs_enter_slowly(const char *function, const ox_job_type *type, ox_site site) {
    (void)type;
    (void)site;
    model_fail("%s was called by thread %d, or inside of a job", function, model_thread());
}

// What ox_jobs_start_at does, without threads.
void room_start(uint32_t workers) {
    static bool is_watched;
    if (!is_watched) {
        model_watch(&oxi_jobs, offsetof(oxi_jobs_state, runners) + 4 * sizeof(oxi_runner));
        is_watched = true;
    }
    memset(&oxi_jobs, 0, offsetof(oxi_jobs_state, runners) + 4 * sizeof(oxi_runner));
    unkicked.jobs.count = 0;
    unkicked.shown = 0;
    memset(room_runners, 0, sizeof room_runners);
    room_runners[0] = room_runners[1] = &oxi_jobs.runners[0];
    oxi_jobs.is_running = true;
    oxi_jobs.worker_count = oxi_jobs.active = workers;
    oxi_jobs.runner_count = 1 + workers;
    oxi_jobs.first_version = 1;
    oxi_slots_create();
    oxi_ring_create(&oxi_jobs.urgent);
    for (uint32_t k = 0; k <= workers; k++) {
        oxi_jobs.runners[k].index = k;
        oxi_ring_create(&oxi_jobs.runners[k].ring);
    }
}

oxi_runner *room_be(uint32_t index) {
    oxi_this_runner = &oxi_jobs.runners[index];
    return oxi_this_runner;
}

void room_stop(void) {
    oxi_store_seq(&oxi_jobs.quit, 1);
    for (uint32_t k = 1; k <= oxi_jobs.worker_count; k++) {
        oxi_wake_runner(&oxi_jobs.runners[k]);
    }
}
