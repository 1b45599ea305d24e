// SPDX-License-Identifier: MIT
//
// Edges between jobs, and the words that say what may run. See jobs/state.h for the two words.
//
// Only main adds edges, and only the runner that finishes a job takes its list, by the exchange
// that also ends the job's version. So an edge is either in the list when the exchange comes, and
// is followed, or its compare-and-swap fails on the new version, and the job counts as done.

#include "jobs/graph.h"

#include "base/check.h"
#include "jobs/background.h"
#include "jobs/parking.h"
#include "jobs/slots.h"
#include "jobs/timing.h"
#include "jobs/trace.h"

static bool push_edge(oxi_slot *before, uint64_t version, uint32_t edge, uint32_t *link) {
    uint64_t state = oxi_load_acquire(&before->state);
    do {
        if (state >> OXI_INDEX_BITS != version) {
            return false;
        }
        *link = (uint32_t)(state & OXI_EDGE_MASK);
        // release: who takes the list reads the link, and the job behind it.
    } while (!oxi_swap_acq_rel(&before->state, &state, (state & ~OXI_EDGE_MASK) | edge));
    return true;
}

bool oxi_job_link(oxi_slot *slot, uint32_t k, uint32_t *link, ox_job after) {
    if (oxi_job_is_done(after) || oxi_slot_of(after) == slot) {
        return false; // done, or a forged handle of the job itself
    }
    uint32_t edge = (uint32_t)(slot - oxi_jobs.slots) << OXI_EDGE_BITS | k;
    return push_edge(oxi_slot_of(after), oxi_job_version(after), edge, link);
}

bool oxi_job_link_waiter(ox_job job) {
    oxi_slot *slot = oxi_slot_of(job);
    return push_edge(slot, oxi_job_version(job), OXI_WAITER_EDGE, &slot->waiter_link);
}

bool oxi_job_claim(ox_job job) {
    oxi_atomic_u64 *word = &oxi_slot_of(job)->word;
    uint64_t now = oxi_load_relaxed(word);
    uint64_t open = OXI_JOB_READY | OXI_JOB_KICKED;
    while (now >> OXI_FLAG_BITS == oxi_job_version(job) &&
           (now & (open | OXI_JOB_CLAIMED | OXI_JOB_LOOP)) == open) {
        // acquire: pairs with the release that made it ready, so what came before is visible.
        if (oxi_swap_acq_rel(word, &now, now | OXI_JOB_CLAIMED)) {
            return true;
        }
    }
    return false;
}

void oxi_job_enqueue(oxi_runner *runner, ox_job job, uint64_t word) {
    if ((word & OXI_JOB_BACKGROUND) != 0) {
        oxi_background_add(job);
        return;
    }
    // What main waits for goes first. Out of memory for the queue: main looks for such jobs when it
    // waits and finds nothing else.
    bool is_urgent = runner->index == 0 && (word & OXI_JOB_AWAITED) != 0;
    if (!oxi_ring_push(is_urgent ? &oxi_jobs.urgent : &runner->ring, job.value)) {
        oxi_store_release(&oxi_jobs.unqueued, 1);
        oxi_wake_waiter();
    }
}

static bool publish_ring(oxi_ring *ring) {
    if (!oxi_ring_has_unpublished(ring)) {
        return false;
    }
    oxi_ring_publish(ring);
    return true;
}

bool oxi_job_show(oxi_runner *runner) {
    bool published = publish_ring(&runner->ring);
    if (runner->index == 0) {
        published |= publish_ring(&oxi_jobs.urgent);
    }
    return published;
}

void oxi_job_publish(oxi_runner *runner) {
    bool published = oxi_job_show(runner);
    if (published) {
        oxi_wake_for_work();
    }
}

// True when the runner may go on with this job instead of queueing it: workers with any, main only
// with what it waits for, background threads with none.
static bool goes_on_with(const oxi_runner *runner, uint64_t word) {
    if ((word & OXI_JOB_BACKGROUND) != 0 || runner->index > oxi_jobs.worker_count) {
        return false;
    }
    return runner->index > 0 || (word & OXI_JOB_AWAITED) != 0;
}

// Keeps a job in the runner's hand, to be run next and seen by nobody else meanwhile: worth it for
// jobs that take less time than handing them over, and for parallel ones, which are shown to others
// as soon as they begin. What is in a hand is a hint like any entry of a queue.
static bool keep_in_hand(oxi_runner *runner, const oxi_slot *slot, uint64_t word) {
    bool is_loop = (word & (OXI_JOB_LOOP | OXI_JOB_LATE)) != 0;
    if (runner->taken_count == OXI_RING_MOST || !goes_on_with(runner, word) ||
        (!is_loop && !oxi_is_shorter(slot->type, OXI_TINY_JOB_NS))) {
        return false;
    }
    runner->taken[runner->taken_count++] = oxi_job_of(slot, word).value;
    return true;
}

// The last predecessor of a job is done.
static void make_ready(oxi_runner *runner, oxi_slot *slot, ox_job *next) {
    uint64_t word = oxi_load_relaxed(&slot->word);
    if ((word & OXI_JOB_KICKED) == 0) {
        // release: what came before is visible to main, or to whom main shows the job.
        word = oxi_or_acq_rel(&slot->word, OXI_JOB_READY);
        if ((word & OXI_JOB_KICKED) == 0) {
            return; // main kicks it later, and sees that it is ready
        }
        oxi_job_enqueue(runner, oxi_job_of(slot, word), word);
        return;
    }
    // Kicked and not ready: nobody else changes the word. A parallel job cannot be claimed: others
    // may run all of it before this runner comes to it, so it is never `*next`. Nor is a late one,
    // which becomes such a job.
    bool is_parallel = (word & (OXI_JOB_LOOP | OXI_JOB_LATE)) != 0;
    bool here = next->value == 0 && !is_parallel && goes_on_with(runner, word);
    bool is_kept = !here && keep_in_hand(runner, slot, word);
    oxi_store_release(&slot->word, word | OXI_JOB_READY | (here ? OXI_JOB_CLAIMED : 0));
    if (here) {
        *next = oxi_job_of(slot, word);
    } else if (!is_kept) {
        oxi_job_enqueue(runner, oxi_job_of(slot, word), word);
    }
}

// One dependent has a predecessor less. A combination that has none left is put on `*finished`.
static uint32_t follow_edge(oxi_runner *runner, uint32_t edge, uint32_t *finished, ox_job *next) {
    uint32_t index = edge >> OXI_EDGE_BITS;
    oxi_slot *slot = &oxi_jobs.slots[index];
    if (slot->type != NULL) {
        uint32_t link = slot->link; // read before the job may run, and its slot be used again
        oxi_trace_ready(slot);
        make_ready(runner, slot, next);
        return link;
    }
    uint32_t link = slot->parts.links[edge & (OXI_EDGES - 1)];
    // acq_rel: releases this predecessor's work, acquires that of the others.
    if (oxi_sub_acq_rel(&slot->pending, 1) == 1) {
        oxi_trace_ready(slot);
        slot->link = *finished;
        *finished = index;
    }
    return link;
}

void oxi_job_finish(oxi_runner *runner, oxi_slot *slot, ox_job *next) {
    uint32_t finished = 0; // combinations to finish, through `link`
    bool main_waits = false, has_dependents = false;
    for (;;) {
        uint64_t version = oxi_load_relaxed(&slot->state) >> OXI_INDEX_BITS;
        uint64_t following = version == OXI_VERSION_MASK ? 1 : version + 1;
        // acq_rel: releases the job's work, acquires the links of its dependents.
        uint64_t state = oxi_exchange_acq_rel(&slot->state, following << OXI_INDEX_BITS);
        for (uint32_t edge = (uint32_t)(state & OXI_EDGE_MASK); edge != 0;) {
            if (edge == OXI_WAITER_EDGE) {
                main_waits = true;
                edge = slot->waiter_link;
            } else {
                has_dependents = true;
                oxi_trace_finished(slot, version);
                edge = follow_edge(runner, edge, &finished, next);
            }
        }
        if (slot->type == NULL) {
            oxi_slot_give(runner, slot);
        }
        if (finished == 0) {
            break;
        }
        slot = &oxi_jobs.slots[finished];
        finished = slot->link;
    }
    if (has_dependents) {
        oxi_job_publish(runner);
    }
    if (main_waits) {
        oxi_wake_waiter();
    }
}
