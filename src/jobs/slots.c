// SPDX-License-Identifier: MIT
//
// The pool of slots, and that of loops.
//
// Slots lie in one reserved range and never move. Main takes them from a list of its own; when that
// is empty it takes back, in one exchange, all that runners have returned, and then grows the pool.
// A runner returns slots in chains of 64, by one compare-and-swap: pushing onto a list that is only
// ever taken whole has no ABA. There is no lock.
//
// Invariant: a slot is used by a job, or on exactly one list, or in the chain of one runner.

#include "jobs/slots.h"

#include "base/check.h"
#include "base/heap.h"

enum { RETURNED_CHAIN = 64 };

bool oxi_slots_create(void) {
    size_t size = (size_t)OXI_JOB_SLOTS * sizeof(oxi_slot);
    if (!oxi_region_create(&oxi_jobs.slot_region, size, 1024 * sizeof(oxi_slot))) {
        return false;
    }
    // Slot 0 is no job, but handles of any bits may point there.
    if (!oxi_region_grow(&oxi_jobs.slot_region, sizeof(oxi_slot))) {
        oxi_region_destroy(&oxi_jobs.slot_region);
        return false;
    }
    oxi_jobs.slots = (oxi_slot *)(void *)oxi_jobs.slot_region.base;
    oxi_store_relaxed(&oxi_jobs.slot_count, 1);
    return true;
}

static void free_loops(oxi_loop *loop) {
    size_t size = sizeof(oxi_loop) + (oxi_jobs.worker_count + 1) * sizeof(oxi_slice);
    while (loop != NULL) {
        oxi_loop *next = loop->next;
        oxi_heap_free(loop, size, 64);
        loop = next;
    }
}

void oxi_slots_destroy(void) {
    oxi_store_relaxed(&oxi_jobs.slot_count, 0);
    free_loops(oxi_jobs.free_loop);
    free_loops(oxi_load_relaxed(&oxi_jobs.returned_loops));
    oxi_region_destroy(&oxi_jobs.slot_region);
}

static uint32_t grow_slots(void) {
    uint32_t index = oxi_load_relaxed(&oxi_jobs.slot_count);
    size_t most = oxi_jobs.slot_region.reserved / sizeof(oxi_slot);
    if (index >= OXI_JOB_SLOTS || index >= most ||
        !oxi_region_grow(&oxi_jobs.slot_region, ((size_t)index + 1) * sizeof(oxi_slot))) {
        return 0;
    }
    oxi_atomic_init(&oxi_jobs.slots[index].state, oxi_jobs.first_version << OXI_INDEX_BITS);
    oxi_jobs.slots[index].link = 0;
    // release: who looks at a handle of the slot sees its state.
    oxi_store_release(&oxi_jobs.slot_count, index + 1);
    return index;
}

oxi_slot *oxi_slot_take(void) {
    if (oxi_jobs.free_slot == 0 && oxi_load_relaxed(&oxi_jobs.returned_slots) != 0) {
        // acquire: pairs with the release of the runners' chains.
        oxi_jobs.free_slot = oxi_exchange_acquire(&oxi_jobs.returned_slots, 0);
    }
    uint32_t index = oxi_jobs.free_slot;
    if (index == 0) {
        index = grow_slots();
        if (index == 0) {
            return NULL;
        }
    }
    oxi_slot *slot = &oxi_jobs.slots[index];
    oxi_jobs.free_slot = slot->link;
    return slot;
}

void oxi_slots_return(oxi_runner *runner) {
    if (runner->free_count == 0) {
        return;
    }
    oxi_slot *last = &oxi_jobs.slots[runner->free_last];
    uint32_t first = oxi_load_relaxed(&oxi_jobs.returned_slots);
    do {
        last->link = first;
        // release: main reads the links of the chain.
    } while (!oxi_swap_acq_rel(&oxi_jobs.returned_slots, &first, runner->free_first));
    runner->free_count = 0; // what is first now becomes the link of a last one, written anew
}

void oxi_slot_give(oxi_runner *runner, oxi_slot *slot) {
    uint32_t index = (uint32_t)(slot - oxi_jobs.slots);
    if (runner->index == 0) {
        slot->link = oxi_jobs.free_slot;
        oxi_jobs.free_slot = index;
        return;
    }
    slot->link = runner->free_first;
    runner->free_last = runner->free_count == 0 ? index : runner->free_last;
    runner->free_first = index;
    if (++runner->free_count == RETURNED_CHAIN) {
        oxi_slots_return(runner);
    }
}

oxi_loop *oxi_loop_take(void) {
    if (oxi_jobs.free_loop == NULL) {
        oxi_jobs.free_loop = oxi_exchange_acquire(&oxi_jobs.returned_loops, NULL);
    }
    oxi_loop *loop = oxi_jobs.free_loop;
    if (loop == NULL) {
        size_t size = sizeof(oxi_loop) + (oxi_jobs.worker_count + 1) * sizeof(oxi_slice);
        loop = oxi_heap_alloc(size, 64);
        if (loop == NULL) {
            return NULL;
        }
        loop->next = NULL;
        oxi_atomic_init(&loop->guests, 0);
    }
    oxi_jobs.free_loop = loop->next;
    return loop;
}

void oxi_loop_give(oxi_loop *loop) {
    void *first = oxi_load_relaxed(&oxi_jobs.returned_loops);
    do {
        loop->next = first;
        // release: main writes the loop anew.
    } while (!oxi_swap_acq_rel(&oxi_jobs.returned_loops, &first, loop));
}
