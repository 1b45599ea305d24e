// SPDX-License-Identifier: MIT
//
// Mutants that no scenario kills, each with the reason why none can.

#pragma once

#include "model/model.h"

typedef struct argued_mutant {
    const char *function;
    const char *operation; ///< the beginning of its code
    model_order order;     ///< what it is weakened to
    const char *why;
} argued_mutant;

static const argued_mutant argued_mutants[] = {
    // The ring.
    {"oxi_ring_push", "oxi_load_acquire(&ring->head)", MODEL_RELAXED,
     "a taker would have to read an entry that is stored after its swap of head: a load that reads "
     "from the future, which the checker does not model, and C11 without the acquire allows"},
    {"oxi_ring_take", "oxi_swap_acq_rel(&ring->head", MODEL_ACQUIRE,
     "the other half of the pair above"},
    {"oxi_ring_take", "oxi_swap_acq_rel(&ring->head", MODEL_RELEASE,
     "a refused swap without acquire may see an older tail and find the ring empty: who sleeps "
     "looks again by seq_cst loads"},
    {"oxi_ring_has_entries", "oxi_load_seq(&ring->head)", MODEL_ACQUIRE,
     "an old head is a smaller one: the answer is true too often, never too seldom"},
    {"oxi_ring_peek", "oxi_load_acquire(&ring->tail)", MODEL_RELAXED,
     "an old entry is a hint that is_open refuses; before main sleeps it has loaded every tail by "
     "seq_cst, which acquires"},
    // The job word and edges.
    {"oxi_job_claim", "oxi_swap_acq_rel(word", MODEL_ACQUIRE,
     "nobody acquires from a claim: the release of what came before goes on through the change"},
    {"make_ready", "oxi_or_acq_rel(&slot->word", MODEL_RELEASE,
     "what main wrote before it kicked the job is of no use to the runner: the slot came to it "
     "with the edge"},
    // Slots and loops.
    {"oxi_slots_return", "oxi_swap_acq_rel(&oxi_jobs.returned_slots", MODEL_RELEASE,
     "who pushes onto the list reads nothing of it; main acquires all through the changes"},
    {"oxi_loop_give", "oxi_swap_acq_rel(&oxi_jobs.returned_loops", MODEL_RELEASE,
     "who pushes onto the list reads nothing of it; main acquires all through the changes"},
    {"oxi_loop_join", "oxi_swap_acq_rel(&loop->guests", MODEL_ACQUIRE,
     "nobody acquires from who joins; it leaves by acq_rel"},
    {"oxi_loop_run", "oxi_or_acq_rel(&loop->guests", MODEL_ACQUIRE,
     "who closes a loop leaves by acq_rel, through the same word"},
    {"oxi_loop_run", "oxi_or_acq_rel(&loop->guests", MODEL_RELEASE,
     "who closes a loop leaves by acq_rel, through the same word"},
    // Parking.
    {"oxi_search_end", "oxi_load_seq(&oxi_jobs.idle)", MODEL_ACQUIRE,
     "a worker that sleeps has left searching after it set its bit, and the change above acquires "
     "that; main's bit would need main asleep beside two workers: too large for the scenarios"},
    {"oxi_wake_runner", "oxi_exchange_acq_rel(&runner->wake", MODEL_RELEASE,
     "the waker needs nothing of the sleeper; the sleeper's own exchange acquires from the waker"},
    {"take_idle_runner", "oxi_load_seq(&oxi_jobs.idle)", MODEL_ACQUIRE,
     "oxi_wake_for_work has loaded the same word by seq_cst before: coherence"},
    {"take_idle_runner", "oxi_and_seq(&oxi_jobs.idle", MODEL_ACQ_REL,
     "a bit that is seen too long is one that the and does not find"},
    {"oxi_wake_for_work", "oxi_add_seq(&oxi_jobs.searching", MODEL_ACQ_REL,
     "an addition that is seen late wakes a runner too many"},
    {"oxi_search_begin", "oxi_add_seq(&oxi_jobs.searching", MODEL_ACQ_REL,
     "an addition that is seen late wakes a runner too many"},
    {"sleep_until_woken", "oxi_load_acquire(&runner->wake)", MODEL_RELAXED,
     "who wakes up takes entries and looks at jobs by acquire; a worker that sees an old tail "
     "looks "
     "again by seq_cst before it sleeps"},
    {"oxi_park_worker", "oxi_exchange_acq_rel(&worker->wake", MODEL_ACQUIRE,
     "the waker needs nothing of the sleeper"},
    {"oxi_park_worker", "oxi_exchange_acq_rel(&worker->wake", MODEL_RELEASE,
     "it acquires quit from who stops the worker before it sleeps. Without, C11 lets the exchange "
     "read from one that follows the later load of quit: from the future, which is not modelled"},
    {"oxi_park_worker", "oxi_or_seq(&oxi_jobs.idle", MODEL_ACQ_REL,
     "who reads that this worker has left searching, one line below, acquires the bit"},
    {"oxi_park_worker", "oxi_load_seq(&oxi_jobs.quit)", MODEL_ACQUIRE,
     "who stops the worker finds it asleep, or its exchange of wake acquires quit"},
    {"oxi_park_worker", "oxi_and_seq(&oxi_jobs.idle", MODEL_ACQ_REL,
     "a bit that is seen too long is one that the and of the waker does not find"},
    {"oxi_park_inactive", "oxi_exchange_seq(&worker->wake", MODEL_ACQ_REL,
     "worker and waker both change searching after their first step: the second acquires it"},
    {"oxi_park_inactive", "oxi_load_seq(&oxi_jobs.active)", MODEL_ACQUIRE,
     "worker and waker both change searching after their first step: the second acquires it"},
    {"oxi_park_inactive", "oxi_swap_seq(&worker->wake", MODEL_ACQ_REL,
     "a swap that is refused means that it was woken: only others change INACTIVE"},
    {"oxi_wake_active", "oxi_swap_seq(&worker->wake", MODEL_ACQ_REL,
     "worker and waker both change searching after their first step: the second acquires it"},
    {"oxi_park_inactive", "oxi_load_seq(&oxi_jobs.quit)", MODEL_ACQUIRE,
     "who stops the worker finds it asleep, or its exchange of wake acquires quit"},
    {"oxi_park_announce", "oxi_exchange_acq_rel(&main->wake", MODEL_ACQUIRE,
     "the waker needs nothing of the sleeper"},
    {"oxi_park_main", "oxi_and_seq(&oxi_jobs.idle", MODEL_ACQ_REL,
     "a bit that is seen too long is one that the and of the waker does not find"},
    // Running, waiting and scheduling.
    {"oxi_run_entry", "oxi_load_acquire(&oxi_slot_of(job)->word)", MODEL_RELAXED,
     "what it says is confirmed by the claim, or by joining the loop, which acquire"},
    {"word_of", "oxi_load_acquire(&oxi_slot_of(job)->word)", MODEL_RELAXED,
     "what it says is confirmed by the claim, or by joining the loop, which acquire"},
    {"kick_job", "oxi_or_acq_rel(&slot->word", MODEL_ACQUIRE,
     "the other half of the or in make_ready"},
    {"kick_job", "oxi_or_acq_rel(&slot->word", MODEL_RELEASE,
     "the claim acquires from who made the job ready, through this change"},
    {"admit_job", "oxi_store_release(&slot->word", MODEL_RELAXED,
     "others know the job by an entry or an edge, both released later; by an old entry of the slot "
     "they see that the version is another, and no more"},
    {"combine_few", "oxi_store_release(&slot->word", MODEL_RELAXED,
     "others know a combination by its edges, which are released later"},
    {"combine_few", "oxi_sub_acq_rel(&slot->pending", MODEL_ACQUIRE,
     "what main wrote came to each runner with its edge"},
    // Loops that take their count late.
    {"oxi_loop_has_work", "oxi_load_acquire(&oxi_slot_of(job)->loop", MODEL_RELAXED,
     "only main writes it, and only main looks"},
    {"oxi_loop_has_work", "oxi_load_acquire(&loop->guests", MODEL_RELAXED,
     "an old slice is a wrong hint: who joins acquires the loop, and who opened it runs what "
     "nobody "
     "else does"},
    {"run_late", "oxi_store_release(&slot->word", MODEL_RELAXED,
     "who sees that it is a loop, and not that it is open, cannot join, and who opened it runs it; "
     "who joins acquires from the guests"},
};
