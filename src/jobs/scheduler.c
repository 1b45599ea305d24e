// SPDX-License-Identifier: MIT
//
// The life of the job system: def, threads, start and stop.
//
// Versions go on where the last run ended, so a handle of an earlier run is complete in the next.

#include "jobs/scheduler.h"

#include "base/check.h"
#include "base/text.h"
#include "jobs/background.h"
#include "jobs/complete.h"
#include "jobs/gate.h"
#include "jobs/parking.h"
#include "jobs/run.h"
#include "jobs/runner.h"
#include "jobs/slots.h"
#include "jobs/trace.h"

#include <string.h>

enum { DEFAULT_SPIN_US = 20 };

oxi_jobs_state oxi_jobs;
_Thread_local oxi_runner *oxi_this_runner;
_Thread_local oxi_run oxi_this_run;
static char thread_prefix[11];

static int clamp_count(int64_t count, int most) {
    return count < 0 ? 0 : count > most ? most : (int)count;
}

static ox_jobs_def resolve_jobs_def(const ox_jobs_def *def) {
    ox_jobs_def resolved = def != NULL ? *def : (ox_jobs_def){0};
    int64_t spare = (int64_t)oxi_core_count() - resolved.reserved_cores - 1;
    int64_t workers = resolved.worker_count == 0 ? spare : resolved.worker_count;
    resolved.worker_count = clamp_count(workers, OX_MAX_WORKERS);
    resolved.background_count = clamp_count(
        resolved.background_count == 0 ? 1 : resolved.background_count, OX_MAX_BACKGROUND);
    resolved.spin_us = resolved.spin_us == 0  ? DEFAULT_SPIN_US
                       : resolved.spin_us < 0 ? 0
                                              : resolved.spin_us;
    oxi_text_copy(thread_prefix, sizeof thread_prefix,
                  resolved.thread_name != NULL ? resolved.thread_name : "oxbow");
    resolved.thread_name = thread_prefix;
    return resolved;
}

static bool require_jobs_def(const ox_jobs_def *def, ox_site site) {
    if (def == NULL) {
        return true;
    }
    return OXI_REQUIRE_DEF(def, ox_jobs_def, site) &&
           OXI_REQUIRE(
               def->worker_count >= OX_NO_WORKERS && def->reserved_cores >= 0 &&
                   def->background_count >= 0 && def->spin_us >= OX_NO_SPIN,
               NULL, OX_REPORT_BAD_JOBS_DEF, site, OXI_INTEGER("workers", def->worker_count),
               OXI_INTEGER("reserved", def->reserved_cores),
               OXI_INTEGER("background", def->background_count), OXI_INTEGER("spin", def->spin_us));
}

static void destroy_runners(void) {
    for (uint32_t k = 0; k < oxi_jobs.runner_count; k++) {
        oxi_ring_destroy(&oxi_jobs.runners[k].ring);
    }
    oxi_ring_destroy(&oxi_jobs.urgent);
    oxi_slots_destroy();
    oxi_unkicked_free();
}

// Memory for the state. What was made is given back when something is refused.
static bool create_runners(void) {
    bool ok = oxi_slots_create() && oxi_ring_create(&oxi_jobs.urgent);
    for (uint32_t k = 0; k < oxi_jobs.runner_count; k++) {
        oxi_jobs.runners[k].index = k;
        ok = ok && oxi_ring_create(&oxi_jobs.runners[k].ring);
    }
    if (!ok) {
        destroy_runners();
    }
    return ok;
}

// Starts threads up to the first that is refused: those take part.
static void start_workers(ox_site site) {
    for (uint32_t k = 1; k <= oxi_jobs.worker_count; k++) {
        oxi_runner *worker = &oxi_jobs.runners[k];
        char name[16];
        oxi_text_print(name, sizeof name, "%s-%u", thread_prefix, (unsigned)k);
        worker->is_started = oxi_thread_start(&worker->thread, oxi_worker_live, worker, name);
        if (!worker->is_started) {
            OXI_REPORT(NULL, OX_REPORT_THREAD_NOT_STARTED, site, OXI_NAME("thread", name));
            break;
        }
        oxi_jobs.started_count = k;
    }
    oxi_store_seq(&oxi_jobs.active, oxi_jobs.started_count);
}

bool ox_jobs_start_at(const ox_jobs_def *def, ox_site site) {
    if (!require_jobs_def(def, site) ||
        !OXI_REQUIRE(!oxi_jobs.is_running, NULL, OX_REPORT_JOBS_RUNNING, site,
                     OXI_NUMBER("workers", oxi_jobs.worker_count))) {
        return false;
    }
    uint64_t first_version = oxi_jobs.first_version;
    uint32_t next_order = oxi_jobs.next_order;
    memset(&oxi_jobs, 0, sizeof oxi_jobs);
    oxi_jobs.next_order = next_order; // what jobs of before wrote comes before what these write
    oxi_jobs.def = resolve_jobs_def(def);
    oxi_jobs.worker_count = (uint32_t)oxi_jobs.def.worker_count;
    oxi_jobs.runner_count = 1 + oxi_jobs.worker_count + (uint32_t)oxi_jobs.def.background_count;
    oxi_jobs.spin_ns = (uint64_t)oxi_jobs.def.spin_us * 1000;
    oxi_jobs.first_version = first_version == 0 ? 1 : first_version;
    oxi_store_relaxed(&oxi_jobs.active, oxi_jobs.worker_count);
    if (!create_runners()) {
        return OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, site,
                          OXI_NUMBER("bytes", sizeof(oxi_slot)),
                          OXI_NAME("allocator", "the job system"));
    }
    oxi_jobs.is_running = true;
    oxi_this_runner = &oxi_jobs.runners[0];
    start_workers(site);
    return true;
}

bool oxi_jobs_enter_slowly(const char *function, const ox_job_type *type, ox_site site) {
    if (!oxi_jobs.is_running && !ox_jobs_start_at(NULL, site)) {
        return false;
    }
    const oxi_runner *runner = oxi_this_runner;
    const char *name = type != NULL ? type->type.name : "a job";
    if (runner == NULL || runner->index != 0) {
        return OXI_REPORT(NULL, OX_REPORT_NOT_MAIN, site, OXI_NAME("function", function),
                          OXI_NAME("job", name));
    }
    return OXI_REQUIRE(!runner->is_inside, NULL, OX_REPORT_INSIDE_JOB, site,
                       OXI_NAME("function", function), OXI_NAME("job", name));
}

// Completes what is outstanding. Returns how much that was, and one of them.
static uint32_t complete_outstanding(const oxi_slot **example) {
    uint32_t count = 0;
    uint32_t slots = oxi_load_relaxed(&oxi_jobs.slot_count);
    for (uint32_t k = 1; k < slots; k++) {
        oxi_slot *slot = &oxi_jobs.slots[k];
        uint64_t word = oxi_load_acquire(&slot->word);
        ox_job job = oxi_job_of(slot, word);
        // A free slot has a state that is ahead of its word.
        if (word != 0 && !oxi_job_is_done(job)) {
            *example = slot->type != NULL ? slot : *example;
            count += slot->type != NULL;
            oxi_jobs_wait_all(&job, 1);
        }
    }
    return count;
}

static void join_workers(void) {
    oxi_store_seq(&oxi_jobs.quit, 1);
    for (uint32_t k = 1; k <= oxi_jobs.worker_count; k++) {
        oxi_runner *worker = &oxi_jobs.runners[k];
        if (worker->is_started) {
            oxi_wake_runner(worker);
            oxi_thread_join(&worker->thread);
        }
    }
}

static uint64_t find_last_version(void) {
    uint64_t last = oxi_jobs.first_version;
    for (uint32_t k = 1; k < oxi_load_relaxed(&oxi_jobs.slot_count); k++) {
        uint64_t version = oxi_load_relaxed(&oxi_jobs.slots[k].state) >> OXI_INDEX_BITS;
        last = version > last ? version : last;
    }
    return last;
}

void ox_jobs_stop_at(ox_site site) {
    if (!oxi_jobs.is_running || !oxi_jobs_enter("ox_jobs_stop", NULL, site)) {
        return;
    }
    const oxi_slot *example = NULL;
    uint32_t count = complete_outstanding(&example);
    if (count > 0) {
        OXI_REPORT(NULL, OX_REPORT_JOBS_OUTSTANDING, site, OXI_NUMBER("count", count),
                   OXI_NAME("job", example->type->type.name), OXI_SITE("job_site", example->site));
    }
    oxi_trace_stop();
    join_workers();
    oxi_background_stop();
    uint64_t last_version = find_last_version();
    oxi_jobs.is_running = false;
    oxi_jobs.started_count = 0;
    destroy_runners();
    oxi_jobs.first_version = last_version;
    oxi_this_runner = NULL;
    oxi_gate_stopped();
}

ox_jobs_def ox_jobs_get_def(void) {
    return oxi_jobs.is_running ? oxi_jobs.def : (ox_jobs_def){0};
}

void ox_jobs_set_active_workers_at(int workers, ox_site site) {
    static const char function[] = "ox_jobs_set_active_workers";
    if (!oxi_jobs_enter(function, NULL, site) ||
        !OXI_REQUIRE(workers >= 0, NULL, OX_REPORT_BAD_RANGE, site, OXI_NAME("job", function),
                     OXI_INTEGER("count", workers), OXI_INTEGER("batch", 1))) {
        return;
    }
    uint32_t before = oxi_load_relaxed(&oxi_jobs.active);
    uint32_t active = (uint32_t)clamp_count(workers, (int)oxi_jobs.started_count);
    oxi_store_seq(&oxi_jobs.active, active);
    for (uint32_t k = before + 1; k <= active; k++) {
        oxi_wake_active(&oxi_jobs.runners[k]);
    }
}

int ox_worker_index(void) {
    return oxi_this_runner != NULL ? (int)oxi_this_runner->index : 0;
}

int ox_worker_count(void) {
    return (int)oxi_jobs.started_count;
}
