// SPDX-License-Identifier: MIT
//
// Signatures of commands, the lists of those that have none, and ids that come and go in a window.
//
// Invariant: an entity with a signature counts in it, unless it has shared values, where each goes
// its own way; all others stand in `several`, once.

#include "commands/playback_touched.h"

enum { MOST_SIGNATURES = 64 };

// Signatures.

// What a list of components makes of an archetype. NULL, with what `*outcome` says.
static oxi_archetype *add_items(oxi_playback *playback, oxi_archetype *archetype,
                                const oxi_command *command, oxi_signature *signature,
                                oxi_outcome *outcome) {
    oxi_store *store = &playback->world->store;
    oxi_command_item single = {.component = command->component};
    uint32_t count = command->kind == OXI_COMMAND_ADD ? 1 : command->component;
    const oxi_command_item *items = &single;
    *outcome = OXI_DONE;
    if (command->kind != OXI_COMMAND_ADD && count > 0) {
        items = oxi_command_items(command);
    }
    for (uint32_t k = 0; k < count && archetype != NULL; k++) {
        const ox_component_info *info = ox_component_get_info(items[k].component);
        signature->has_entities = signature->has_entities || info->entity_count > 0;
        signature->has_shared = signature->has_shared || info->kind == OX_COMPONENT_KIND_SHARED;
        if (!oxi_walk_has(playback, archetype, info->id)) {
            archetype =
                oxi_archetype_ask_change(store, archetype, info->id, OXI_EDGE_ADDS, outcome);
        }
    }
    return archetype;
}

// The first signatures of a window are kept. What is found when there is no room for it is not:
// it lies in the last place, and serves one command.
OXI_NOINLINE const oxi_signature *
oxi_signature_find_slowly(oxi_playback *playback, oxi_archetype *from, const oxi_command *command) {
    uint32_t last = playback->last_signature;
    for (uint32_t k = 0; k < playback->signatures.count; k++) {
        if (oxi_signature_is_of(&playback->signatures.items[k], from, command)) {
            playback->signatures.items[last].next = playback->last_signature = k;
            return &playback->signatures.items[k];
        }
    }
    oxi_signature made = {.command = command, .from = from};
    oxi_archetype *none = oxi_archetype_at(&playback->world->store, 0);
    oxi_outcome outcome;
    made.to = add_items(playback, from != NULL ? from : none, command, &made, &outcome);
    if (outcome == OXI_NO_MEMORY || !oxi_list_reserve(&playback->signatures, MOST_SIGNATURES + 1)) {
        return NULL;
    }
    if (made.to != NULL) {
        bool had_linked = from != NULL && oxi_walk_has_linked(playback, from);
        made.changes_linked = oxi_walk_has_linked(playback, made.to) != had_linked;
    }
    uint32_t place = (uint32_t)playback->signatures.count;
    playback->signatures.items[place] = made;
    if (place < MOST_SIGNATURES) {
        playback->last_signature = place;
        playback->signatures.count++;
    }
    return &playback->signatures.items[place];
}

// Commands of an entity.

static void push_op(oxi_playback *playback, oxi_touched *touched, const oxi_command *command) {
    OXI_ASSERT(touched->signature == 0);
    OXI_ASSERT(playback->ops.count < playback->ops.capacity); // room was made
    playback->ops.items[playback->ops.count++] = (oxi_touch_op){command, 0};
    uint32_t op = (uint32_t)playback->ops.count;
    if (touched->first_op == 0) {
        touched->first_op = op;
    } else {
        playback->ops.items[touched->last_op - 1].next = op;
    }
    touched->last_op = op;
}

// A second command: both stand in a list from here on.
static void leave_signature(oxi_playback *playback, oxi_touched *touched) {
    oxi_signature *signature = &playback->signatures.items[touched->signature - 1];
    const oxi_command *only = touched->only;
    OXI_ASSERT(touched->signature <= playback->signatures.count);
    touched->signature = 0;
    touched->first_op = touched->last_op = 0;
    if (signature->to->shared_count == 0) {
        OXI_ASSERT(signature->count > 0);
        OXI_ASSERT(playback->several.count < playback->several.capacity);
        signature->count--;
        playback->several.items[playback->several.count++] =
            (uint32_t)(touched - playback->touched.items);
    }
    if (signature->command->component > 0) {
        push_op(playback, touched, only);
    }
}

void oxi_walk_several(oxi_playback *playback, oxi_touched *touched) {
    if (touched->signature != 0) {
        leave_signature(playback, touched);
    }
}

void oxi_touched_add(oxi_playback *playback, oxi_touched *touched, const oxi_command *command) {
    oxi_walk_several(playback, touched);
    push_op(playback, touched, command);
}

void oxi_touched_begin(oxi_playback *playback, oxi_touched *touched, uint16_t signature,
                       const oxi_command *command) {
    if (signature == 0) {
        push_op(playback, touched, command);
        return;
    }
    OXI_ASSERT(signature <= playback->signatures.count);
    touched->signature = signature;
    touched->only = command;
    if (touched->to->shared_count == 0) { // else each goes its own way
        OXI_ASSERT(touched == &playback->touched.items[oxi_list_last(&playback->several)]);
        playback->several.count--; // it was the last that was touched
        playback->signatures.items[signature - 1].count++;
    }
}

// Ids.

void oxi_walk_end(oxi_playback *playback, uint32_t place) {
    oxi_touched *touched = &playback->touched.items[place];
    OXI_ASSERT(place < playback->touched.count);
    OXI_ASSERT(touched->to != NULL); // it has not ended before
    OXI_ASSERT(playback->ids.count < playback->ids.capacity);
    playback->ids.items[playback->ids.count++] = (oxi_id_event){place, OXI_ID_FREED};
    playback->has_ended = playback->has_ended || (touched->flags & OXI_TOUCH_NEW) == 0;
    oxi_walk_several(playback, touched);
    touched->to = NULL;
    oxi_entity_free(&playback->world->store.entities, touched->entity.index);
}

void oxi_window_restore(oxi_playback *playback) {
    oxi_entity_table *table = &playback->world->store.entities;
    for (size_t k = playback->ids.count; k-- > 0;) {
        oxi_id_event event = playback->ids.items[k];
        const oxi_touched *touched = &playback->touched.items[event.touched];
        if (event.kind == OXI_ID_FREED) {
            oxi_entity_unfree(table, touched->entity, touched->place.chunk, touched->place.row);
        } else if (event.kind != OXI_ID_KEPT) {
            oxi_entity_untake(table, touched->entity.index, event.kind == OXI_ID_TAKEN_FRESH);
        }
    }
}

void oxi_window_repeat(oxi_playback *playback) {
    oxi_entity_table *table = &playback->world->store.entities;
    for (size_t k = 0; k < playback->ids.count; k++) {
        oxi_id_event event = playback->ids.items[k];
        const oxi_touched *touched = &playback->touched.items[event.touched];
        if (event.kind == OXI_ID_FREED) {
            oxi_entity_free(table, touched->entity.index);
        } else if (event.kind != OXI_ID_KEPT) {
            ox_entity taken = oxi_entity_take(table, touched->place.chunk, touched->place.row);
            OXI_ASSERT(taken.index == touched->entity.index);
            OXI_ASSERT(taken.version == touched->entity.version);
            (void)taken;
        }
    }
}
