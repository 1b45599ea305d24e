// SPDX-License-Identifier: MIT
//
// The loop of a parallel job.
//
// Each runner has a slice of the indices, begin and end in one word. It takes from the front of its
// own, a quarter of what is left at a time; when that is empty it takes half of another's from the
// back and makes that its own slice. All cuts are multiples of the batch. A slice is only ever
// shortened by others, and only its owner refills it when it is empty, so a compare-and-swap that
// succeeds takes indices that nobody else has: the value of the word is all there is to know.
//
// `guests` counts the runners inside. Joining needs the right version and an open loop; the runner
// that runs the last index closes it and ends the job; the last to leave a closed loop gives it
// back, with the slot. A runner adds to `done` before it leaves, so the loop cannot go while
// indices run.
//
// The loop of a late job is opened by the runner that claimed it. Until then its guests are those
// of the job before, which is closed, or none: nobody can join.

#include "jobs/loop.h"

#include "base/check.h"
#include "jobs/data.h"
#include "jobs/graph.h"
#include "jobs/parking.h"
#include "jobs/run.h"
#include "jobs/slots.h"
#include "jobs/timing.h"
#include "jobs/trace.h"

#define LOOP_CLOSED (UINT64_C(1) << 23)
#define LOOP_GUESTS (LOOP_CLOSED - 1)

static uint64_t pack_range(uint32_t begin, uint32_t end) {
    return (uint64_t)end << 32 | begin;
}

void oxi_loop_prepare(oxi_loop *loop, ox_job job, uint32_t batch) {
    const ox_job_type *type = oxi_slot_of(job)->type;
    loop->slot = oxi_job_index(job);
    loop->large_size = oxi_data_is_large(type) ? type->type.size : 0;
    loop->count = 0;
    loop->batch = batch;
}

void oxi_loop_open(oxi_loop *loop, ox_job job, uint32_t count) {
    uint32_t slices = oxi_jobs.worker_count + 1;
    uint32_t batch = loop->batch;
    uint64_t batches = ((uint64_t)count + batch - 1) / batch;
    loop->count = count;
    oxi_store_relaxed(&loop->done, 0);
    for (uint32_t k = 0; k < slices; k++) {
        uint64_t begin = batches * k / slices * batch;
        uint64_t end = batches * (k + 1) / slices * batch;
        end = end < count ? end : count;
        oxi_store_relaxed(&loop->slices[k].range, pack_range((uint32_t)begin, (uint32_t)end));
    }
    // release: who joins sees the fields above.
    oxi_store_release(&loop->guests, oxi_job_version(job) << OXI_INDEX_BITS);
}

// The count is taken in the job, so that the job's own handles may be used for it.
static int64_t call_counter(oxi_slot *slot, const oxi_job_counter *counter) {
    oxi_this_run = (oxi_run){.name = slot->type->type.name, .order = slot->order};
    oxi_temp_enter_job();
    int64_t count = counter->count(counter, oxi_data_of(slot), slot->site);
    oxi_temp_leave_job();
    oxi_this_run.order = 0;
    return count;
}

uint32_t oxi_loop_take_count(oxi_slot *slot) {
    const oxi_loop *loop = oxi_load_relaxed(&slot->loop);
    oxi_trace_mark mark = oxi_trace_begin();
    int64_t count = call_counter(slot, &loop->counter);
    oxi_trace_run(mark, slot);
    if (count == OXI_NO_COUNT ||
        !OXI_REQUIRE(count >= 0 && count <= INT32_MAX, NULL, OX_REPORT_BAD_LATE_COUNT, slot->site,
                     OXI_NAME("job", slot->type->type.name), OXI_INTEGER("count", count))) {
        return 0;
    }
    return (uint32_t)count;
}

// Leaves a loop. The last one out of a closed loop gives it back, and the slot of its job.
static void leave_loop(oxi_runner *runner, oxi_loop *loop) {
    // acq_rel: releases this runner's use of the job's data, acquires that of the others.
    uint64_t guests = oxi_sub_acq_rel(&loop->guests, 1);
    if ((guests & LOOP_CLOSED) == 0 || (guests & LOOP_GUESTS) != 1) {
        return;
    }
    // The job is done: its type may be gone, so the size of its struct comes from the loop.
    oxi_slot *slot = &oxi_jobs.slots[loop->slot];
    if (loop->large_size > 0) {
        oxi_temp_job_free(slot->large, loop->large_size, OX_MAX_JOB_ALIGN);
    }
    oxi_loop_give(loop);
    oxi_slot_give(runner, slot);
}

oxi_loop *oxi_loop_join(ox_job job) {
    oxi_slot *slot = oxi_slot_of(job);
    oxi_loop *loop = oxi_load_acquire(&slot->loop);
    if (loop == NULL) {
        return NULL;
    }
    uint64_t guests = oxi_load_relaxed(&loop->guests);
    do {
        if (guests >> OXI_INDEX_BITS != oxi_job_version(job) || (guests & LOOP_CLOSED) != 0) {
            return NULL;
        }
    } while (!oxi_swap_acq_rel(&loop->guests, &guests, guests + 1));
    // The loop may have gone to another job with the same version. It cannot go now.
    if (loop->slot != oxi_job_index(job)) {
        leave_loop(oxi_this_runner, loop);
        return NULL;
    }
    return loop;
}

bool oxi_loop_has_work(ox_job job) {
    oxi_loop *loop = oxi_load_acquire(&oxi_slot_of(job)->loop);
    if (loop == NULL) {
        return false; // the slot serves a job of another kind by now
    }
    uint64_t guests = oxi_load_acquire(&loop->guests);
    // A job that is done has the loop of another by now, perhaps of one with the same version.
    if (guests >> OXI_INDEX_BITS != oxi_job_version(job) || (guests & LOOP_CLOSED) != 0 ||
        oxi_job_index(job) != loop->slot) {
        return false;
    }
    for (uint32_t k = 0; k <= oxi_jobs.worker_count; k++) {
        uint64_t range = oxi_load_relaxed(&loop->slices[k].range);
        if ((uint32_t)range < (uint32_t)(range >> 32)) {
            return true;
        }
    }
    return false;
}

// Takes from the front of the runner's own slice.
static bool take_front(oxi_loop *loop, uint32_t index, uint32_t *begin, uint32_t *end) {
    oxi_atomic_u64 *range = &loop->slices[index].range;
    uint64_t now = oxi_load_relaxed(range);
    for (;;) {
        uint32_t from = (uint32_t)now, to = (uint32_t)(now >> 32);
        if (from >= to) {
            return false;
        }
        uint32_t size = (to - from) / 4 / loop->batch * loop->batch;
        size = size < loop->batch ? loop->batch : size;
        size = size < to - from ? size : to - from;
        if (oxi_swap_relaxed(range, &now, pack_range(from + size, to))) {
            *begin = from;
            *end = from + size;
            return true;
        }
    }
}

// Takes half of another's slice from the back, or all of it when it is less than two batches.
static bool take_back(oxi_loop *loop, uint32_t index, uint32_t *begin, uint32_t *end) {
    oxi_atomic_u64 *range = &loop->slices[index].range;
    uint64_t now = oxi_load_relaxed(range);
    for (;;) {
        uint32_t from = (uint32_t)now, to = (uint32_t)(now >> 32);
        if (from >= to) {
            return false;
        }
        // Cuts are multiples of the batch: round the middle up to one.
        uint32_t batches = (to - from + loop->batch - 1) / loop->batch;
        uint32_t cut = from + batches / 2 * loop->batch;
        if (oxi_swap_relaxed(range, &now, pack_range(from, cut))) {
            *begin = cut;
            *end = to;
            return true;
        }
    }
}

static bool refill_slice(oxi_loop *loop, uint32_t own) {
    uint32_t slices = oxi_jobs.worker_count + 1;
    for (uint32_t k = 1; k < slices; k++) {
        uint32_t begin, end;
        if (take_back(loop, (own + k) % slices, &begin, &end)) {
            oxi_store_relaxed(&loop->slices[own].range, pack_range(begin, end));
            return true;
        }
    }
    return false;
}

// Runs indices that this thread claimed. Libraries with checks go batch by batch, so that what a
// batch may touch does not depend on who claimed how much.
static void call_range(const ox_job_type *type, const void *data, uint32_t batch, uint32_t end) {
#if OX_SAFETY >= 1
    uint32_t step = batch;
#else
    uint32_t step = end - oxi_this_run.begin;
    (void)batch;
#endif
    for (uint32_t at = oxi_this_run.begin; at < end;) {
        uint32_t to = end - at > step ? at + step : end;
        oxi_this_run.begin = at;
        oxi_this_run.end = to;
        type->ranges[0](data, (int)at, (int)to);
        at = to;
    }
}

// Calls the range function for indices that this thread claimed, in the pieces it expects.
static void call_pieces(oxi_slot *slot, uint32_t batch, uint32_t begin, uint32_t end) {
    const ox_job_type *type = slot->type;
    const void *data = oxi_data_of(slot);
    uint32_t step = type->one_batch ? batch : end - begin;
    for (uint32_t at = begin; at < end;) {
        uint32_t to = end - at > step ? at + step : end;
        oxi_trace_mark mark = oxi_trace_begin();
        oxi_this_run = (oxi_run){type->type.name, slot->order, at, at, to};
        oxi_temp_enter_job();
        call_range(type, data, batch, to);
        oxi_temp_leave_job();
        oxi_trace_range(mark, slot, at, to);
        at = to;
    }
    oxi_this_run.order = 0;
}

void oxi_loop_call(oxi_slot *slot, uint32_t batch, uint32_t begin, uint32_t end) {
    ox_job_type *type = slot->type;
    const ox_jobs_def *def = &oxi_jobs.def;
    if (def->on_begin != NULL) {
        def->on_begin(type->type.name, def->profile_context);
    }
    // A job that is run in place may have no index.
    bool samples = begin < end && oxi_takes_sample(oxi_this_runner, type);
    uint64_t since = samples ? oxi_clock_now() : 0;
    call_pieces(slot, batch, begin, end);
    if (samples) {
        oxi_add_sample(type, (oxi_clock_now() - since) / (end - begin));
    }
    if (def->on_end != NULL) {
        def->on_end(type->type.name, def->profile_context);
    }
}

// Shows the loop to one more runner, when there is more than this one will take at once. One that
// sleeps is not woken for a loop that is over before it would arrive.
static void invite_runner(oxi_runner *runner, const oxi_loop *loop, ox_job job) {
    if (oxi_jobs.worker_count == 0 || loop->count <= loop->batch ||
        !oxi_ring_push(&runner->ring, job.value)) {
        return;
    }
    uint64_t average = oxi_average_of(oxi_jobs.slots[loop->slot].type);
    if (average != 0 && average * loop->count < OXI_WAKE_NS) {
        oxi_job_show(runner);
    } else {
        oxi_job_publish(runner);
    }
}

void oxi_loop_run(oxi_runner *runner, oxi_loop *loop, ox_job *next) {
    oxi_slot *slot = &oxi_jobs.slots[loop->slot];
    oxi_trace_mark mark = oxi_trace_begin();
    uint32_t ran = 0, begin, end;
    uint32_t own = runner->index;
    while (take_front(loop, own, &begin, &end) ||
           (refill_slice(loop, own) && take_front(loop, own, &begin, &end))) {
        if (ran == 0) {
            uint64_t version = oxi_load_relaxed(&loop->guests) >> OXI_INDEX_BITS;
            invite_runner(runner, loop, (ox_job){version << OXI_INDEX_BITS | loop->slot});
        }
        oxi_loop_call(slot, loop->batch, begin, end);
        ran += end - begin;
    }
    if (ran > 0) {
        oxi_trace_run(mark, slot);
    }
    // acq_rel: the one that adds the last index acquires the work of all.
    if (ran > 0 && oxi_add_acq_rel(&loop->done, ran) + ran == loop->count) {
        oxi_or_acq_rel(&loop->guests, LOOP_CLOSED);
        oxi_job_finish(runner, slot, next);
    }
    leave_loop(runner, loop);
}
