// SPDX-License-Identifier: MIT
//
// The queue of one thread.
//
// Positions only grow; an entry stands at its position modulo the size. A taker copies entries and
// then moves `head` over them by one compare-and-swap. When that succeeds nobody had taken them
// before, and the owner, which reuses a place only behind `head`, had not overwritten them. There
// is no second end to take from, so no order between two words matters for taking.
//
// A full ring grows into an array of twice the size. The old one stays as it was until the ring is
// destroyed: a taker that still reads it finds the same entries at the same positions.
//
// Invariant: head <= tail <= next <= head + size.

#include "jobs/ring.h"

#include "base/check.h"
#include "base/heap.h"

static size_t ring_array_size(uint64_t count) {
    return sizeof(oxi_ring_array) + (size_t)count * sizeof(oxi_atomic_u64);
}

static oxi_ring_array *make_ring_array(uint64_t count) {
    oxi_ring_array *array = oxi_heap_alloc(ring_array_size(count), 64);
    if (array != NULL) {
        array->before = NULL;
        array->mask = count - 1;
        for (uint64_t k = 0; k < count; k++) {
            oxi_atomic_init(&array->entries[k], 0);
        }
    }
    return array;
}

bool oxi_ring_create(oxi_ring *ring) {
    oxi_ring_array *array = make_ring_array(OXI_RING_SIZE);
    oxi_atomic_init(&ring->head, 0);
    oxi_atomic_init(&ring->tail, 0);
    oxi_atomic_init(&ring->array, array);
    ring->next = 0;
    return array != NULL;
}

void oxi_ring_destroy(oxi_ring *ring) {
    oxi_ring_array *array = oxi_load_relaxed(&ring->array);
    while (array != NULL) {
        oxi_ring_array *before = array->before;
        oxi_heap_free(array, ring_array_size(array->mask + 1), 64);
        array = before;
    }
}

static oxi_ring_array *grow_ring(oxi_ring *ring, oxi_ring_array *array, uint64_t head) {
    oxi_ring_array *larger = make_ring_array((array->mask + 1) * 2);
    if (larger == NULL) {
        return NULL;
    }
    for (uint64_t at = head; at < ring->next; at++) {
        uint64_t entry = oxi_load_relaxed(&array->entries[at & array->mask]);
        oxi_store_relaxed(&larger->entries[at & larger->mask], entry);
    }
    larger->before = array;
    // release: pairs with the acquire in oxi_ring_take, which then sees the copied entries.
    oxi_store_release(&ring->array, larger);
    return larger;
}

bool oxi_ring_push(oxi_ring *ring, uint64_t entry) {
    oxi_ring_array *array = oxi_load_relaxed(&ring->array);
    // acquire: pairs with the release of a taker, which has read the places in front of `head`.
    uint64_t head = oxi_load_acquire(&ring->head);
    if (ring->next - head > array->mask) {
        array = grow_ring(ring, array, head);
        if (array == NULL) {
            return false;
        }
    }
    oxi_store_relaxed(&array->entries[ring->next & array->mask], entry);
    ring->next++;
    return true;
}

void oxi_ring_publish(oxi_ring *ring) {
    oxi_store_seq(&ring->tail, ring->next);
}

bool oxi_ring_has_entries(oxi_ring *ring) {
    return oxi_load_seq(&ring->head) < oxi_load_seq(&ring->tail);
}

uint64_t oxi_ring_peek(oxi_ring *ring) {
    uint64_t head = oxi_load_relaxed(&ring->head);
    uint64_t tail = oxi_load_acquire(&ring->tail);
    const oxi_ring_array *array = oxi_load_acquire(&ring->array);
    return head < tail ? oxi_load_relaxed(&array->entries[head & array->mask]) : 0;
}

int oxi_ring_take(oxi_ring *ring, uint32_t takers, uint64_t *entries) {
    uint64_t head = oxi_load_relaxed(&ring->head);
    for (;;) {
        // acquire: pairs with the publishing store, so the entries before `tail` are there.
        uint64_t tail = oxi_load_acquire(&ring->tail);
        if (head >= tail) {
            return 0;
        }
        uint64_t count = (tail - head) / (2 * (uint64_t)takers);
        count = count < 1 ? 1 : count > OXI_RING_MOST ? OXI_RING_MOST : count;
        const oxi_ring_array *array = oxi_load_acquire(&ring->array);
        for (uint64_t k = 0; k < count; k++) {
            entries[k] = oxi_load_relaxed(&array->entries[(head + k) & array->mask]);
        }
        // release: the owner may overwrite these places once it sees the new head.
        if (oxi_swap_acq_rel(&ring->head, &head, head + count)) {
            return (int)count;
        }
    }
}
