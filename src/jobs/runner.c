// SPDX-License-Identifier: MIT
//
// Runners.
//
// A worker takes several entries from a ring at once, and runs them one by one. Those it has not
// come to are seen by nobody else, so before a job that may be long they go back into a ring of its
// own: no long job hides another.

#include "jobs/runner.h"

#include "base/check.h"
#include "jobs/data.h"
#include "jobs/graph.h"
#include "jobs/loop.h"
#include "jobs/parking.h"
#include "jobs/run.h"
#include "jobs/slots.h"
#include "jobs/timing.h"
#include "jobs/trace.h"

enum {
    PAUSES_BETWEEN_LOOKS = 16,
    LOOKS_BEFORE_YIELD = 32,
};

static void call_single(oxi_slot *slot) {
    oxi_this_run = (oxi_run){.name = slot->type->type.name, .order = slot->order};
    oxi_temp_enter_job();
    slot->type->run(oxi_data_of(slot));
    oxi_temp_leave_job();
    oxi_this_run.order = 0;
}

// Runs a job that is sampled, traced or told to a profiler.
static void call_watched(oxi_slot *slot, bool samples) {
    ox_job_type *type = slot->type;
    const ox_jobs_def *def = &oxi_jobs.def;
    if (def->on_begin != NULL) {
        def->on_begin(type->type.name, def->profile_context);
    }
    uint64_t begin = samples ? oxi_clock_now() : 0;
    oxi_trace_mark mark = oxi_trace_begin();
    call_single(slot);
    oxi_trace_run(mark, slot);
    if (samples) {
        oxi_add_sample(type, oxi_clock_now() - begin);
    }
    if (def->on_end != NULL) {
        def->on_end(type->type.name, def->profile_context);
    }
}

static void call_job(oxi_runner *runner, oxi_slot *slot) {
    const ox_jobs_def *def = &oxi_jobs.def;
    bool samples = oxi_takes_sample(runner, slot->type);
    if (samples || oxi_trace_is_on() || def->on_begin != NULL || def->on_end != NULL) {
        call_watched(slot, samples);
        return;
    }
    call_single(slot);
}

// Lets others see the entries that this runner took and has not come to.
static void show_taken(oxi_runner *runner) {
    for (; runner->taken_count > 0; runner->taken_count--) {
        if (!oxi_ring_push(&runner->ring, runner->taken[runner->taken_count - 1])) {
            break;
        }
    }
    oxi_job_publish(runner);
}

// A loop, no recursion: a chain may be long.
void oxi_run_claimed(oxi_runner *runner, ox_job job) {
    while (job.value != 0) {
        oxi_slot *slot = oxi_slot_of(job);
        ox_job next = OX_NO_JOB;
        if (runner->taken_count > 0 && !oxi_is_shorter(slot->type, OXI_TINY_JOB_NS)) {
            show_taken(runner);
        }
        bool was_inside = runner->is_inside;
        runner->is_inside = true;
        call_job(runner, slot);
        runner->is_inside = was_inside;
        oxi_data_free(slot);
        oxi_job_finish(runner, slot, &next);
        oxi_slot_give(runner, slot);
        job = next;
    }
}

// Joins a parallel job, if it is open.
static void run_loop(oxi_runner *runner, ox_job job) {
    oxi_loop *loop = oxi_loop_join(job);
    if (loop == NULL) {
        return;
    }
    show_taken(runner);
    ox_job next = OX_NO_JOB;
    bool was_inside = runner->is_inside;
    runner->is_inside = true;
    oxi_loop_run(runner, loop, &next);
    runner->is_inside = was_inside;
    oxi_run_claimed(runner, next);
}

// A late job without indices ends here: nobody else has seen its loop.
static void end_late(oxi_runner *runner, oxi_slot *slot) {
    ox_job next = OX_NO_JOB;
    oxi_loop_give(oxi_load_relaxed(&slot->loop));
    oxi_data_free(slot);
    oxi_job_finish(runner, slot, &next);
    oxi_slot_give(runner, slot);
    oxi_run_claimed(runner, next);
}

// Takes the count of a late job that this runner has claimed, and makes a loop of it.
static void run_late(oxi_runner *runner, ox_job job) {
    oxi_slot *slot = oxi_slot_of(job);
    show_taken(runner);
    bool was_inside = runner->is_inside;
    runner->is_inside = true;
    uint32_t count = oxi_loop_take_count(slot);
    runner->is_inside = was_inside;
    if (count == 0) {
        end_late(runner, slot);
        return;
    }
    oxi_loop_open(oxi_load_relaxed(&slot->loop), job, count);
    // Claimed: nobody else changes the word. release: who sees a loop here sees that it is open.
    uint64_t word = oxi_load_relaxed(&slot->word);
    word &= ~(uint64_t)(OXI_JOB_CLAIMED | OXI_JOB_LATE);
    oxi_store_release(&slot->word, word | OXI_JOB_LOOP);
    run_loop(runner, job);
}

void oxi_run_entry(oxi_runner *runner, ox_job job) {
    uint64_t word = oxi_load_acquire(&oxi_slot_of(job)->word);
    if (word >> OXI_FLAG_BITS != oxi_job_version(job)) {
        return;
    }
    if ((word & OXI_JOB_LOOP) != 0) {
        run_loop(runner, job);
    } else if (oxi_job_claim(job)) {
        if ((word & OXI_JOB_LATE) != 0) {
            run_late(runner, job);
        } else {
            oxi_run_claimed(runner, job);
        }
    }
}

void oxi_run_in_place(oxi_runner *runner, oxi_slot *slot, uint32_t count, uint32_t batch) {
    runner->is_inside = true;
    if (batch == 0) {
        call_job(runner, slot);
    } else {
        oxi_trace_mark mark = oxi_trace_begin();
        oxi_loop_call(slot, batch, 0, count);
        oxi_trace_run(mark, slot);
    }
    runner->is_inside = false;
    oxi_data_free(slot);
    oxi_slot_give(runner, slot);
}

// Fills the runner's hand from the first ring that has something: urgent ones first, then its own,
// main's, and those of the others in turn.
static bool take_entries(oxi_runner *runner) {
    uint32_t takers = oxi_jobs.worker_count + 1;
    runner->taken_count = oxi_ring_take(&oxi_jobs.urgent, takers, runner->taken);
    for (uint32_t k = 0; k < oxi_jobs.runner_count && runner->taken_count == 0; k++) {
        oxi_ring *ring = &oxi_jobs.runners[(runner->index + k) % oxi_jobs.runner_count].ring;
        runner->taken_count = oxi_ring_take(ring, takers, runner->taken);
    }
    // Entries are run from the end of the hand: turn it, so that the oldest is first.
    for (int k = 0; k < runner->taken_count / 2; k++) {
        uint64_t swapped = runner->taken[k];
        runner->taken[k] = runner->taken[runner->taken_count - 1 - k];
        runner->taken[runner->taken_count - 1 - k] = swapped;
    }
    return runner->taken_count > 0;
}

static bool takes_part(const oxi_runner *worker) {
    return worker->index <= oxi_load_relaxed(&oxi_jobs.active);
}

static void pause_between_looks(uint32_t looks) {
    if (looks % LOOKS_BEFORE_YIELD == LOOKS_BEFORE_YIELD - 1) {
        oxi_thread_yield();
        return;
    }
    for (int k = 0; k < PAUSES_BETWEEN_LOOKS; k++) {
        oxi_cpu_relax();
    }
}

// Looks for entries for a while, then sleeps. Returns with entries in hand, or false to quit.
static bool search_entries(oxi_runner *worker) {
    oxi_search_begin();
    uint64_t begin = oxi_clock_now();
    for (uint32_t looks = 0; oxi_load_relaxed(&oxi_jobs.quit) == 0; looks++) {
        if (!takes_part(worker)) {
            oxi_park_inactive(worker);
        } else if (take_entries(worker)) {
            oxi_search_end();
            return true;
        } else if (oxi_clock_now() - begin < oxi_jobs.spin_ns) {
            pause_between_looks(looks);
        } else {
            oxi_park_worker(worker);
            begin = oxi_clock_now();
        }
    }
    return false;
}

// Something to run in the worker's hand, or false to quit. One that does not take part keeps
// nothing.
static bool find_entries(oxi_runner *worker) {
    if (!takes_part(worker)) {
        show_taken(worker);
        return search_entries(worker);
    }
    return worker->taken_count > 0 || take_entries(worker) || search_entries(worker);
}

void oxi_worker_live(void *context) {
    oxi_runner *worker = context;
    oxi_this_runner = worker;
    while (find_entries(worker)) {
        int next = --worker->taken_count;
        if (next >= OXI_PREFETCHED) {
            oxi_slot_prefetch((ox_job){worker->taken[next - OXI_PREFETCHED]});
        }
        oxi_run_entry(worker, (ox_job){worker->taken[next]});
    }
    oxi_slots_return(worker);
}
