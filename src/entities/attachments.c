// SPDX-License-Identifier: MIT
//
// Attachments of worlds.
//
// Places are claimed in order and never given back. So two threads that claim for one type find the
// same place: whoever comes second sees the type there before any place that is free.

#include "entities/attachments.h"

#include "entities/fences.h"

#include <string.h>

static oxi_atomic_ptr claimed_types[OXI_MAX_ATTACHMENTS];

// The place of a type, from 1 on; 0 when all are taken.
static uint32_t claim_slot(oxi_attachment_type *type) {
    uint32_t slot = oxi_load_relaxed(&type->slot);
    for (uint32_t k = 0; k < OXI_MAX_ATTACHMENTS && slot == 0; k++) {
        void *there = NULL;
        if (oxi_swap_relaxed(&claimed_types[k], &there, type) || there == type) {
            slot = k + 1;
            oxi_store_relaxed(&type->slot, slot);
        }
    }
    return slot;
}

// Notes whether a structural change has somebody to tell.
static void update_change_needs(ox_world *world) {
    world->change_needs &= ~(uint32_t)OXI_CHANGE_TELLS;
    for (uint32_t k = 0; k < world->attachments.count; k++) {
        if (world->attachments.added[k]->calls[OXI_BEFORE_CHANGE] != NULL) {
            world->change_needs |= OXI_CHANGE_TELLS;
        }
    }
}

bool oxi_attachment_add(ox_world *world, oxi_attachment_type *type, void *state) {
    OXI_ASSERT(state != NULL);
    oxi_attachments *all = &world->attachments;
    uint32_t slot = claim_slot(type);
    if (slot == 0 || all->states[slot - 1] != NULL) {
        return false;
    }
    OXI_ASSERT(slot <= OXI_MAX_ATTACHMENTS);
    OXI_ASSERT(all->count < OXI_MAX_ATTACHMENTS);
    all->states[slot - 1] = state;
    all->added[all->count++] = type;
    update_change_needs(world);
    return true;
}

void *oxi_attachment_get(const ox_world *world, oxi_attachment_type *type) {
    uint32_t slot = oxi_load_relaxed(&type->slot);
    return slot != 0 ? world->attachments.states[slot - 1] : NULL;
}

// Takes a type out of those that are called. Its state stays.
static void stop_calls(ox_world *world, const oxi_attachment_type *type) {
    oxi_attachments *all = &world->attachments;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < all->count; k++) {
        if (all->added[k] != type) {
            all->added[kept++] = all->added[k];
        }
    }
    OXI_ASSERT(kept + 1 == all->count); // it was there, once
    all->count = kept;
    update_change_needs(world);
}

void *oxi_attachment_remove(ox_world *world, oxi_attachment_type *type) {
    void *state = oxi_attachment_get(world, type);
    if (state != NULL) {
        stop_calls(world, type);
        world->attachments.states[oxi_load_relaxed(&type->slot) - 1] = NULL;
    }
    return state;
}

static void call_attachment(ox_world *world, oxi_attachment_type *type, oxi_occasion occasion,
                            ox_site site) {
    oxi_attachments *all = &world->attachments;
    void *state = oxi_attachment_get(world, type);
    if (state == NULL || type->calls[occasion] == NULL) {
        return; // one that was called before took it off, or it does not want to hear
    }
    const char *told = all->told;
    oxi_occasion before = all->occasion;
    all->told = type->name;
    all->occasion = occasion;
    oxi_world_set_closed(world, occasion == OXI_BEFORE_CHANGE);
    type->calls[occasion](world, site, state);
    oxi_world_set_closed(world, false); // it was open: a closed world changes nothing
    all->told = told;
    all->occasion = before;
}

static void end_attachments(ox_world *world, ox_site site) {
    while (world->attachments.count > 0) {
        oxi_attachment_type *last = world->attachments.added[world->attachments.count - 1];
        stop_calls(world, last);
        call_attachment(world, last, OXI_ENDING, site);
        world->attachments.states[oxi_load_relaxed(&last->slot) - 1] = NULL;
    }
}

void oxi_attachments_tell(ox_world *world, oxi_occasion occasion, ox_site site) {
    if (occasion == OXI_ENDING) {
        end_attachments(world, site);
        return;
    }
    OXI_ASSERT(occasion != OXI_SAFE_POINT || oxi_fences_are_idle(world));
    // A call may add and remove others: those of the beginning that are still there are told.
    oxi_attachment_type *told[OXI_MAX_ATTACHMENTS];
    uint32_t count = world->attachments.count;
    memcpy(told, world->attachments.added, sizeof told);
    for (uint32_t k = 0; k < count; k++) {
        call_attachment(world, told[k], occasion, site);
    }
}
