// SPDX-License-Identifier: MIT
//
// The handles of a frame, in a table with open addresses.
//
// Invariant: the slots are a power of two, or none, and at least twice as many as the items; each
// item is in a slot that is reached from the place of its hash without passing an empty one.

#include "systems/explain_handles.h"

#include "base/hash.h"

enum { FIRST_HANDLE_SLOTS = 64 };

// The slot of a handle, or the empty one where it would go.
static uint32_t *find_handle_slot(const oxi_frame_handles *all, uint64_t value) {
    size_t mask = all->slots.count - 1;
    size_t at = (size_t)oxi_hash_mix(value) & mask;
    while (all->slots.items[at] != 0 && all->items.items[all->slots.items[at] - 1].value != value) {
        at = (at + 1) & mask;
    }
    return &all->slots.items[at];
}

static bool grow_handle_slots(oxi_frame_handles *all, const oxi_hooks *heap) {
    size_t count = all->slots.count;
    if (count >= 2 * (all->items.count + 1)) {
        return true;
    }
    if (!oxi_list_resize_in(heap, &all->slots, count == 0 ? FIRST_HANDLE_SLOTS : count * 2)) {
        return false;
    }
    memset(all->slots.items, 0, all->slots.count * sizeof *all->slots.items);
    for (size_t k = 0; k < all->items.count; k++) {
        *find_handle_slot(all, all->items.items[k].value) = (uint32_t)k + 1;
    }
    return true;
}

// The item of a handle, made when there is none. @return NULL when out of memory.
static oxi_frame_handle *make_handle(oxi_frame_handles *all, const oxi_hooks *heap,
                                     uint64_t value) {
    if (!grow_handle_slots(all, heap)) {
        return NULL;
    }
    uint32_t *slot = find_handle_slot(all, value);
    if (*slot == 0) {
        oxi_frame_handle handle = {.value = value, .job = -1};
        if (!oxi_list_push_in(heap, &all->items, handle)) {
            return NULL;
        }
        *slot = (uint32_t)all->items.count;
    }
    return &all->items.items[*slot - 1];
}

bool oxi_handles_add_job(oxi_frame_handles *all, const oxi_hooks *heap,
                         const oxi_frame_handle *job) {
    oxi_frame_handle *handle = make_handle(all, heap, job->value);
    if (handle != NULL) {
        *handle = *job;
    }
    return handle != NULL;
}

bool oxi_handles_add_parts(oxi_frame_handles *all, const oxi_hooks *heap, ox_job combined,
                           const ox_job *parts, uint32_t count) {
    uint32_t first = (uint32_t)all->parts.count;
    if (!oxi_list_append_in(heap, &all->parts, parts, count)) {
        return false;
    }
    oxi_frame_handle *handle = make_handle(all, heap, combined.value);
    if (handle == NULL) {
        all->parts.count = first;
        return false;
    }
    handle->first = first;
    handle->count = count;
    return true;
}

// A job keeps its own name: a system that returns it is one with it.
bool oxi_handles_add_returned(oxi_frame_handles *all, const oxi_hooks *heap, ox_job returned,
                              const char *system) {
    oxi_frame_handle *handle = make_handle(all, heap, returned.value);
    if (handle != NULL && handle->name == NULL) {
        handle->name = system;
    }
    return handle != NULL;
}

const oxi_frame_handle *oxi_handles_find(const oxi_frame_handles *all, ox_job job) {
    uint32_t slot = all->slots.count > 0 ? *find_handle_slot(all, job.value) : 0;
    return slot != 0 ? &all->items.items[slot - 1] : NULL;
}

void oxi_handles_clear(oxi_frame_handles *all) {
    oxi_list_clear(&all->items);
    oxi_list_clear(&all->parts);
    if (all->slots.count > 0) {
        memset(all->slots.items, 0, all->slots.count * sizeof *all->slots.items);
    }
}

void oxi_handles_free(oxi_frame_handles *all, const oxi_hooks *heap) {
    oxi_list_free_in(heap, &all->items);
    oxi_list_free_in(heap, &all->parts);
    oxi_list_free_in(heap, &all->slots);
}
