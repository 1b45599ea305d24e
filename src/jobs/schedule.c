// SPDX-License-Identifier: MIT
//
// Scheduling and combining: checks, the gate, and a slot that is filled.
//
// A call that fails has changed nothing: slot, loop and room in the lists are taken first, and an
// edge is added last, when nothing can fail any more.

#include "oxbow/jobs.h"

#include "base/check.h"
#include "jobs/background.h"
#include "jobs/complete.h"
#include "jobs/data.h"
#include "jobs/gate.h"
#include "jobs/graph.h"
#include "jobs/loop.h"
#include "jobs/runner.h"
#include "jobs/scheduler.h"
#include "jobs/slots.h"
#include "jobs/trace.h"

static const oxi_job_gate *job_gate;
static oxi_atomic_ptr plain_watch;

void oxi_jobs_set_gate(const oxi_job_gate *gate) {
    job_gate = gate;
}

void oxi_jobs_set_plain_watch(const oxi_plain_watch *watch) {
    oxi_store_relaxed(&plain_watch, (void *)(uintptr_t)watch);
}

// Who looks on at a job, or NULL. Relaxed: what it points to was there before main.
static const oxi_plain_watch *find_watch(const oxi_job_request *request) {
    return request->has_no_indices ? NULL : oxi_load_relaxed(&plain_watch);
}

void oxi_gate_stopped(void) {
    if (job_gate != NULL && job_gate->stopped != NULL) {
        job_gate->stopped(job_gate->context);
    }
}

bool oxi_job_is_settled(ox_job job) {
    return oxi_job_is_done(job) && (job_gate == NULL || job_gate->is_settled == NULL ||
                                    job_gate->is_settled(job, job_gate->context));
}

bool oxi_job_is_known(ox_job job) {
    uint32_t index = oxi_job_index(job);
    if (job.value == 0) {
        return true;
    }
    if (index == 0 || index >= oxi_load_relaxed(&oxi_jobs.slot_count)) {
        return false;
    }
    // The word has the version that was given out last: `state` of a free slot is ahead of it.
    uint64_t version = oxi_job_version(job);
    return version >= oxi_jobs.first_version &&
           version <= oxi_load_relaxed(&oxi_slot_of(job)->word) >> OXI_FLAG_BITS;
}

const char *oxi_job_get_name(ox_job job) {
    if (oxi_job_is_done(job)) {
        return NULL;
    }
    const ox_job_type *type = oxi_slot_of(job)->type;
    return type != NULL ? type->type.name : "combined";
}

// What is wrong with a job type, or NULL.
static const char *find_job_type_fault(const ox_job_type *type, bool is_parallel) {
    if (!is_parallel && type->run == NULL) {
        return "it has no function for a single job";
    }
    if (is_parallel && type->ranges[0] == NULL) {
        return "it has no function for a parallel job";
    }
    if (type->type.size > OX_MAX_JOB_SIZE) {
        return "its struct is larger than OX_MAX_JOB_SIZE";
    }
    if (type->type.align > OX_MAX_JOB_ALIGN || (type->type.align & (type->type.align - 1)) != 0) {
        return "its alignment is not a power of two up to OX_MAX_JOB_ALIGN";
    }
    return NULL;
}

static bool require_job(ox_job_type *type, const void *data, bool is_parallel, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(type, "ox_job_schedule", site) ||
        (data == NULL && type->type.size > 0 &&
         !OXI_REQUIRE_ARGUMENT(data, "ox_job_schedule", site))) {
        return false;
    }
    uint32_t checked = is_parallel ? 2 : 1;
    if ((type->oxi_checked & checked) != 0) {
        return true;
    }
    const char *fault = find_job_type_fault(type, is_parallel);
    if (fault != NULL) {
        return OXI_REPORT(NULL, OX_REPORT_BAD_JOB_TYPE, site, OXI_NAME("job", type->type.name),
                          OXI_NAME("why", fault));
    }
    type->oxi_checked |= checked;
    return true;
}

static bool require_range(const ox_job_type *type, int count, int batch, ox_site site) {
    return OXI_REQUIRE(count >= 0 && batch > 0, NULL, OX_REPORT_BAD_RANGE, site,
                       OXI_NAME("job", type->type.name), OXI_INTEGER("count", count),
                       OXI_INTEGER("batch", batch));
}

// A slot with the fields that all jobs have. NULL after a report.
static oxi_slot *take_job_slot(ox_job_type *type, ox_site site) {
    oxi_slot *slot = oxi_slot_take();
    if (slot == NULL) {
        OXI_REPORT(NULL, OX_REPORT_TOO_MANY_JOBS, site,
                   OXI_NAME("job", type != NULL ? type->type.name : "combination"),
                   OXI_NUMBER("count", oxi_load_relaxed(&oxi_jobs.slot_count) - 1));
        return NULL;
    }
    slot->type = type;
    slot->site = site;
    oxi_jobs.next_order += oxi_jobs.next_order == UINT32_MAX ? 2 : 1; // 0 is no job
    slot->order = oxi_jobs.next_order;
    oxi_store_relaxed(&slot->loop, NULL);
    return slot;
}

static ox_job handle_of(const oxi_slot *slot) {
    uint64_t version = oxi_load_relaxed(&slot->state) >> OXI_INDEX_BITS;
    return (ox_job){version << OXI_INDEX_BITS | (uint64_t)(slot - oxi_jobs.slots)};
}

// Gives a slot back that was not scheduled after all.
static ox_job refuse_slot(oxi_slot *slot, size_t bytes, ox_site site) {
    OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, site, OXI_NUMBER("bytes", bytes),
               OXI_NAME("allocator", "the job system"));
    oxi_slot_give(&oxi_jobs.runners[0], slot);
    return OX_NO_JOB;
}

// The last step: from here on the job exists.
static ox_job admit_job(oxi_slot *slot, uint64_t flags, const oxi_job_request *request, int count) {
    ox_job job = handle_of(slot), after = request->after;
    const oxi_plain_watch *watch = find_watch(request);
    uint64_t word = oxi_job_version(job) << OXI_FLAG_BITS | flags;
    slot->after = after;
    oxi_trace_scheduled(slot, &after, 1);
    // release: a runner that reads an old entry for this slot sees the new version.
    oxi_store_release(&slot->word, word);
    if (!oxi_job_link(slot, 0, &slot->link, after)) {
        oxi_store_relaxed(&slot->word, word | OXI_JOB_READY);
    }
    oxi_trace_admitted(slot, (flags & OXI_JOB_BACKGROUND) != 0);
    if (job_gate != NULL && job_gate->scheduled != NULL) {
        job_gate->scheduled(job, slot->type, &after, 1, request->site, job_gate->context);
    }
    if (watch != NULL) {
        watch->scheduled(job, request, count);
    }
    return job;
}

static bool is_allowed(const oxi_job_request *request) {
    const oxi_plain_watch *watch = find_watch(request);
    return (watch == NULL || watch->begin(request)) &&
           (job_gate == NULL || job_gate->allow == NULL ||
            job_gate->allow(request, job_gate->context));
}

// Copies the struct, and lets others see the copy. @return false when out of memory.
static bool copy_job_data(oxi_slot *slot, const oxi_job_request *request) {
    if (!oxi_data_copy(slot, request)) {
        return false;
    }
    if (job_gate != NULL && job_gate->copied != NULL) {
        job_gate->copied(oxi_data_of(slot), request, slot->order, job_gate->context);
    }
    const oxi_plain_watch *watch = find_watch(request);
    if (watch != NULL) {
        watch->copied(oxi_data_of(slot), request);
    }
    return true;
}

static bool require_after(const oxi_job_request *request) {
    return OXI_REQUIRE(request->after.value != OX_AUTO.value, NULL, OX_REPORT_AUTO_AFTER,
                       request->site, OXI_NAME("job", request->type->type.name));
}

static ox_job schedule_single(const oxi_job_request *request, uint64_t flags) {
    ox_job_type *type = request->type;
    ox_site site = request->site;
    if (!oxi_jobs_enter("ox_schedule", type, site) ||
        !require_job(type, request->data, false, site) || !require_after(request) ||
        !is_allowed(request)) {
        return OX_NO_JOB;
    }
    oxi_slot *slot = take_job_slot(type, site);
    if (slot == NULL) {
        return OX_NO_JOB;
    }
    if (!copy_job_data(slot, request)) {
        return refuse_slot(slot, type->type.size, site);
    }
    bool in_background = (flags & OXI_JOB_BACKGROUND) != 0;
    if (in_background && !oxi_background_start(site)) {
        oxi_data_free(slot);
        oxi_slot_give(&oxi_jobs.runners[0], slot);
        return OX_NO_JOB;
    }
    if ((in_background && !oxi_background_prepare()) || !oxi_unkicked_add(handle_of(slot))) {
        oxi_data_free(slot);
        return refuse_slot(slot, sizeof(ox_job), site);
    }
    return admit_job(slot, flags, request, 1);
}

ox_job ox_schedule_at(ox_job_type *type, ox_job after, const void *data, ox_site site) {
    return schedule_single(&(oxi_job_request){type, data, after, site, .is_parallel = false}, 0);
}

ox_job ox_schedule_background_at(ox_job_type *type, ox_job after, const void *data, ox_site site) {
    oxi_job_request request = {type, data, after, site, .is_parallel = false};
    return schedule_single(&request, OXI_JOB_BACKGROUND);
}

// Frees what a parallel job that is not scheduled has copied.
static ox_job refuse_parallel(oxi_slot *slot, const oxi_job_request *request, oxi_loop *loop) {
    if (request->type->oxi_has_tail) {
        oxi_temp_job_free(slot->large,
                          oxi_tail_offset(request->type->type.size) + request->tail_size,
                          OX_MAX_JOB_ALIGN);
    } else {
        oxi_data_free(slot);
    }
    if (loop != NULL) {
        oxi_loop_give(loop);
    }
    return refuse_slot(slot, sizeof(oxi_loop), request->site);
}

// Fills the loop of a job whose slot is filled. @return the flags of the job.
static uint64_t fill_loop(oxi_loop *loop, oxi_slot *slot, const oxi_job_request *request,
                          uint32_t count, uint32_t batch) {
    bool is_late = request->counter.count != NULL;
    const ox_job_type *type = request->type;
    oxi_loop_prepare(loop, handle_of(slot), batch);
    if (type->oxi_has_tail) {
        loop->large_size = oxi_tail_offset(type->type.size) + request->tail_size;
    }
    loop->counter = request->counter;
    if (!is_late) {
        oxi_loop_open(loop, handle_of(slot), count);
    }
    oxi_store_release(&slot->loop, loop);
    return is_late ? OXI_JOB_LATE : OXI_JOB_LOOP;
}

ox_job oxi_parallel_job_request(const oxi_job_request *request, int count, int batch) {
    ox_job_type *type = request->type;
    ox_site site = request->site;
    if (!oxi_jobs_enter("ox_schedule_for", type, site) ||
        !require_job(type, request->data, true, site) || !require_range(type, count, batch, site) ||
        !require_after(request) || !is_allowed(request)) {
        return OX_NO_JOB;
    }
    if (count == 0 && request->counter.count == NULL) {
        return ox_combine_at(&request->after, 1, site); // nothing to run, but its place
    }
    oxi_slot *slot = take_job_slot(type, site);
    if (slot == NULL) {
        return OX_NO_JOB;
    }
    if (!copy_job_data(slot, request)) {
        return refuse_slot(slot, type->type.size, site);
    }
    oxi_loop *loop = oxi_loop_take();
    if (loop == NULL || !oxi_unkicked_add(handle_of(slot))) {
        return refuse_parallel(slot, request, loop);
    }
    uint64_t flags = fill_loop(loop, slot, request, (uint32_t)count, (uint32_t)batch);
    return admit_job(slot, flags, request, count);
}

ox_job ox_schedule_for_at(ox_job_type *type, int count, int batch, ox_job after, const void *data,
                          ox_site site) {
    oxi_job_request request = {type, data, after, site, .is_parallel = true};
    return oxi_parallel_job_request(&request, count, batch);
}

static int64_t count_by_user(const oxi_job_counter *counter, const void *job, ox_site site) {
    (void)site;
    int64_t count = counter->of_job(job);
    return count == OXI_NO_COUNT ? count + 1 : count; // that one is for counts that were reported
}

ox_job ox_schedule_for_counted_at(ox_job_type *type, ox_count_fn *count, int batch, ox_job after,
                                  const void *data, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(count, "ox_schedule_for_counted", site)) {
        return OX_NO_JOB;
    }
    oxi_job_request request = {type, data, after, site, .is_parallel = true};
    request.counter = (oxi_job_counter){count_by_user, count, NULL};
    return oxi_parallel_job_request(&request, 0, batch);
}

// A combination of up to eight handles.
static ox_job combine_few(const ox_job *jobs, uint32_t count, ox_site site) {
    oxi_slot *slot = take_job_slot(NULL, site);
    if (slot == NULL) {
        return OX_NO_JOB;
    }
    ox_job job = handle_of(slot);
    if (!oxi_unkicked_add(job)) {
        return refuse_slot(slot, sizeof(ox_job), site);
    }
    slot->parts.count = count;
    memcpy(slot->parts.jobs, jobs, count * sizeof *jobs);
    oxi_trace_scheduled(slot, jobs, count);
    oxi_store_relaxed(&slot->pending, count + 1);
    oxi_store_release(&slot->word, oxi_job_version(job) << OXI_FLAG_BITS);
    uint32_t done = 1;
    for (uint32_t k = 0; k < count; k++) {
        done += !oxi_job_link(slot, k, &slot->parts.links[k], jobs[k]);
    }
    if (oxi_sub_acq_rel(&slot->pending, done) == done) {
        ox_job next = OX_NO_JOB;
        oxi_job_finish(&oxi_jobs.runners[0], slot, &next); // all are done: so is this one
    }
    return job;
}

// Combines in place, in rounds of eight, until one handle is left.
static ox_job combine_many(ox_job *jobs, int count, ox_site site) {
    while (count > 1) {
        int kept = 0;
        for (int k = 0; k < count; k += OXI_EDGES) {
            int few = count - k < OXI_EDGES ? count - k : OXI_EDGES;
            jobs[kept] = combine_few(jobs + k, (uint32_t)few, site);
            if (jobs[kept++].value == 0) {
                return OX_NO_JOB; // after a report
            }
        }
        count = kept;
    }
    return jobs[0];
}

// Combines any number of handles, by way of a copy. OX_NO_JOB after a report.
static ox_job combine_copy(const ox_job *jobs, int count, ox_site site) {
    size_t size = (size_t)count * sizeof *jobs;
    ox_job *copy = ox_memory_alloc_at(OX_PERSISTENT, size, _Alignof(ox_job), site);
    if (copy == NULL) {
        return OX_NO_JOB;
    }
    memcpy(copy, jobs, size);
    ox_job combined = combine_many(copy, count, site);
    ox_memory_free_at(OX_PERSISTENT, copy, size, _Alignof(ox_job), site);
    return combined;
}

static bool is_combination_allowed(int count, ox_site site) {
    return OXI_REQUIRE(job_gate == NULL || job_gate->allow_combination == NULL ||
                           job_gate->allow_combination(count, job_gate->context),
                       NULL, OX_REPORT_OUT_OF_MEMORY, site,
                       OXI_NUMBER("bytes", (size_t)count * sizeof(ox_job)),
                       OXI_NAME("allocator", "the job system"));
}

// What OX_AUTO waits for is known when a job is scheduled with it, not before.
static bool require_no_auto(const ox_job *jobs, int count, ox_site site) {
    int at = 0;
    while (at < count && jobs[at].value != OX_AUTO.value) {
        at++;
    }
    return OXI_REQUIRE(at == count, NULL, OX_REPORT_AUTO_AFTER, site,
                       OXI_NAME("job", "a combination"));
}

ox_job ox_combine_at(const ox_job *jobs, int count, ox_site site) {
    if (!oxi_jobs_enter("ox_combine", NULL, site) ||
        !OXI_REQUIRE(count >= 0, NULL, OX_REPORT_BAD_RANGE, site, OXI_NAME("job", "ox_combine"),
                     OXI_INTEGER("count", count), OXI_INTEGER("batch", 1)) ||
        (count > 0 && !OXI_REQUIRE_ARGUMENT(jobs, "ox_combine", site)) || count == 0) {
        return OX_NO_JOB;
    }
    if (count == 1) {
        return jobs[0];
    }
    if (!require_no_auto(jobs, count, site) || !is_combination_allowed(count, site)) {
        return OX_NO_JOB;
    }
    ox_job combined = count <= OXI_EDGES ? combine_few(jobs, (uint32_t)count, site)
                                         : combine_copy(jobs, count, site);
    if (combined.value != 0 && job_gate != NULL && job_gate->scheduled != NULL) {
        job_gate->scheduled(combined, NULL, jobs, count, site, job_gate->context);
    }
    return combined;
}

void ox_complete_at(const ox_job *jobs, int count, ox_site site) {
    if (!oxi_jobs_enter("ox_complete", NULL, site) ||
        (count > 0 && !OXI_REQUIRE_ARGUMENT(jobs, "ox_complete", site)) ||
        !OXI_REQUIRE(count >= 0, NULL, OX_REPORT_BAD_RANGE, site, OXI_NAME("job", "ox_complete"),
                     OXI_INTEGER("count", count), OXI_INTEGER("batch", 1))) {
        return;
    }
    oxi_jobs_wait_all(jobs, count);
    if (job_gate != NULL && job_gate->completed != NULL) {
        job_gate->completed(jobs, count, site, job_gate->context);
    }
}

void ox_jobs_kick_at(ox_site site) {
    if (oxi_jobs_enter("ox_jobs_kick", NULL, site)) {
        oxi_jobs_kick_all();
    }
}

bool ox_job_is_complete(ox_job job) {
    return oxi_job_is_done(job);
}

// Runs a job without scheduling it: a batch of 0 is a single job.
static void run_now(const oxi_job_request *request, uint32_t count, uint32_t batch) {
    oxi_slot *slot = is_allowed(request) ? take_job_slot(request->type, request->site) : NULL;
    if (slot == NULL) {
        return;
    }
    if (!copy_job_data(slot, request)) {
        refuse_slot(slot, request->type->type.size, request->site);
        return;
    }
    const oxi_plain_watch *watch = find_watch(request);
    if (watch != NULL) {
        watch->scheduled(OX_NO_JOB, request, batch == 0 ? 1 : (int)count);
    }
    oxi_run_in_place(&oxi_jobs.runners[0], slot, count, batch);
}

void ox_run_at(ox_job_type *type, const void *data, ox_site site) {
    if (oxi_jobs_enter("ox_run", type, site) && require_job(type, data, false, site)) {
        run_now(&(oxi_job_request){type, data, OX_NO_JOB, site, .is_parallel = false}, 0, 0);
    }
}

void ox_run_for_at(ox_job_type *type, int count, int batch, const void *data, ox_site site) {
    if (oxi_jobs_enter("ox_run_for", type, site) && require_job(type, data, true, site) &&
        require_range(type, count, batch, site)) {
        run_now(&(oxi_job_request){type, data, OX_NO_JOB, site, .is_parallel = true},
                (uint32_t)count, (uint32_t)batch);
    }
}
