// SPDX-License-Identifier: MIT
//
// Commands that are alike. Programs record the same thing over and over: entities whose only
// commands are of one list have a signature, which says for all of them what comes of it. And what
// the first of a row of commands was judged by holds for the next one when it is the same command,
// for an entity of the same archetype that no other command has met. What is different in any way
// is judged by itself.

#include "commands/judge.h"

enum { MOST_SIGNATURES = 64 };

// Signatures.

// True when a command does to an archetype what a signature says.
static bool is_of_signature(const oxi_signature *signature, const oxi_archetype *from,
                            const oxi_command *command) {
    const oxi_command *first = signature->command;
    if (signature->from != from || !oxi_command_is_like(first, command)) {
        return false;
    }
    if (command->kind == OXI_COMMAND_ADD || command->item_count == 0) {
        return true;
    }
    const oxi_command_list *list = oxi_command_list_of(command);
    const oxi_command_list *other = oxi_command_list_of(first);
    return list == other ||
           memcmp(list->items, other->items, list->count * sizeof(oxi_command_item)) == 0;
}

// Finds what a command makes of an archetype. OXI_AT_LIMIT: it would not fit in a chunk.
static oxi_outcome fill_signature(const oxi_judging *judging, oxi_archetype *from,
                                  oxi_signature *signature) {
    const oxi_command *command = signature->command;
    oxi_command_item single = {.component = command->component};
    const oxi_command_item *items = &single;
    uint32_t count = 1;
    if (command->kind != OXI_COMMAND_ADD) {
        count = command->item_count;
        items = count > 0 ? oxi_command_items(command) : NULL;
    }
    bool had_linked = oxi_judge_has_linked(judging, from);
    for (uint32_t k = 0; k < count; k++) {
        const ox_component_info *info = ox_component_get_info(items[k].component);
        signature->has_entities = signature->has_entities || info->entity_count > 0;
        if (info->kind == OX_COMPONENT_KIND_SHARED) {
            signature->flags |= OXI_TOUCH_SHARED;
        }
        if (!oxi_judge_has(judging, from, info->id)) {
            oxi_outcome outcome;
            from = oxi_archetype_ask_change(&judging->world->store, from, info->id, OXI_EDGE_ADDS,
                                            &outcome);
            if (from == NULL) {
                return outcome;
            }
        }
    }
    if (oxi_judge_has_linked(judging, from) != had_linked) {
        signature->flags |= OXI_TOUCH_LINKED;
    }
    signature->to = from;
    return OXI_DONE;
}

// The first signatures of a window are kept. What is found when there is no room for it is not:
// it lies in the last place, and serves one command.
OXI_NOINLINE static oxi_signature *find_signature_slowly(oxi_judging *judging, oxi_archetype *from,
                                                         const oxi_command *command) {
    oxi_judged *judged = &judging->judged;
    uint32_t last = judging->last_signature;
    for (uint32_t k = 0; k < judged->signatures.count; k++) {
        if (is_of_signature(&judged->signatures.items[k], from, command)) {
            judged->signatures.items[last].next = judging->last_signature = k;
            return &judged->signatures.items[k];
        }
    }
    oxi_signature made = {.command = command, .from = from};
    if (from == NULL) {
        made.flags = OXI_TOUCH_NEW;
        from = oxi_archetype_at(&judging->world->store, 0);
    }
    if (fill_signature(judging, from, &made) == OXI_NO_MEMORY ||
        !oxi_list_reserve(&judged->signatures, MOST_SIGNATURES + 1)) {
        return NULL;
    }
    uint32_t place = (uint32_t)judged->signatures.count;
    judged->signatures.items[place] = made;
    if (place < MOST_SIGNATURES) {
        judging->last_signature = place;
        judged->signatures.count++;
    }
    return &judged->signatures.items[place];
}

oxi_signature *oxi_signature_get(oxi_judging *judging, oxi_archetype *from,
                                 const oxi_command *command) {
    oxi_signature *items = judging->judged.signatures.items;
    if (judging->judged.signatures.count > 0) {
        uint32_t last = judging->last_signature, next = items[last].next;
        OXI_ASSERT(last < judging->judged.signatures.count);
        OXI_ASSERT(next < judging->judged.signatures.count);
        if (is_of_signature(&items[last], from, command)) {
            return &items[last];
        }
        if (is_of_signature(&items[next], from, command)) {
            judging->last_signature = next;
            return &items[next];
        }
    }
    return find_signature_slowly(judging, from, command);
}

// Commands one after the other.

// The command after the one at the cursor, when it is in the same block and the same command; else
// NULL. After the last of a block is a jump, or the end.
static inline const oxi_command *peek_alike(const oxi_judged *judged) {
    const oxi_command *at = judged->cursor.at;
    const oxi_command *next = (const oxi_command *)(const void *)((const char *)at + at->size);
    return oxi_command_is_like(at, next) ? next : NULL;
}

static inline void step_to(oxi_judged *judged, const oxi_command *next) {
    judged->cursor.at = next;
    judged->cursor.index++;
}

// True when commands after the one at the cursor go its way, with nothing that has to be looked at.
static bool can_go_on(const oxi_judged *judged, const oxi_signature *signature) {
    return !signature->has_entities && signature->to->shared_count == 0 &&
           oxi_signature_is_kept(judged, signature);
}

static oxi_touched touched_of(const oxi_judged *judged, const oxi_signature *signature,
                              const oxi_command *only) {
    return (oxi_touched){
        .to = signature->to,
        .only = only,
        .signature = (uint16_t)(signature - judged->signatures.items + 1),
        .flags = signature->flags,
    };
}

// What creates may have no list, or needs the same one.
static inline bool has_same_list(const oxi_command *first, const oxi_command *next) {
    return first->kind == OXI_COMMAND_ADD || first->item_count == 0 ||
           oxi_command_list_of(first) == oxi_command_list_of(next);
}

// Notes an id after those that were noted just before for the touched before it.
static inline void note_next_id(oxi_judging *judging, uint32_t place, oxi_id_kind kind) {
    oxi_id_event *last = &oxi_list_last(&judging->judged.ids);
    if (last->kind == kind && last->first + last->count == place) {
        last->count++;
    } else {
        oxi_judge_note_id(judging, place, kind);
    }
}

void oxi_judge_creates(oxi_judging *judging, oxi_signature *signature) {
    oxi_judged *judged = &judging->judged;
    oxi_entity_table *table = &judging->world->store.entities;
    if (!can_go_on(judged, signature)) {
        return;
    }
    const oxi_command *first = judged->cursor.at, *next;
    ox_entity *made = oxi_judge_lane(judging->commands, first->entity)->made.items;
    OXI_ASSERT(signature->from == NULL);
    oxi_touched touched = touched_of(judged, signature, NULL);
    for (uint32_t left = judging->left; left > 1 && table->ready > 0; left--) {
        next = peek_alike(judged);
        if (next == NULL || !has_same_list(first, next)) {
            break;
        }
        OXI_ASSERT(judged->touched.count < judged->touched.capacity);
        uint32_t place = (uint32_t)judged->touched.count++;
        uint32_t used = table->used;
        touched.entity = oxi_entity_take(table, (oxi_chunk)OXI_NEW_ROW, OXI_TOUCH_MARK(place));
        touched.only = next;
        judged->touched.items[place] = touched;
        note_next_id(judging, place, table->used != used ? OXI_ID_TAKEN_FRESH : OXI_ID_TAKEN);
        OXI_ASSERT(oxi_judge_lane(judging->commands, next->entity) != NULL);
        made[next->entity.version - 1] = touched.entity;
        signature->count++;
        step_to(judged, next);
    }
}

// The record of an entity of an archetype that the window has not touched, or NULL.
static inline oxi_record *find_untouched(const oxi_entity_table *table, ox_entity entity,
                                         const oxi_archetype *archetype) {
    oxi_record *record = oxi_entity_find(table, entity);
    if (record == NULL || oxi_record_is_marked(record)) {
        return NULL;
    }
    return oxi_archetype_of(record->chunk) == archetype ? record : NULL;
}

void oxi_judge_adds(oxi_judging *judging, oxi_signature *signature) {
    oxi_judged *judged = &judging->judged;
    if (!can_go_on(judged, signature)) {
        return;
    }
    const oxi_command *first = judged->cursor.at, *next;
    oxi_touched touched = touched_of(judged, signature, NULL);
    for (uint32_t left = judging->left; left > 1; left--) {
        next = peek_alike(judged);
        if (next == NULL || !has_same_list(first, next)) {
            break;
        }
        oxi_record *record =
            find_untouched(&judging->world->store.entities, next->entity, signature->from);
        if (record == NULL) {
            break;
        }
        OXI_ASSERT(judged->touched.count < judged->touched.capacity);
        uint32_t place = (uint32_t)judged->touched.count++;
        touched.entity = next->entity;
        touched.place = (oxi_row_place){record->chunk, record->row};
        touched.only = next;
        judged->touched.items[place] = touched;
        record->row = OXI_TOUCH_MARK(place);
        signature->count++;
        step_to(judged, next);
    }
}

void oxi_judge_destroys(oxi_judging *judging, const oxi_archetype *archetype) {
    oxi_judged *judged = &judging->judged;
    oxi_entity_table *table = &judging->world->store.entities;
    OXI_ASSERT(judged->has_ended);
    for (uint32_t left = judging->left; left > 1; left--) {
        const oxi_command *next = peek_alike(judged);
        oxi_record *record = next != NULL ? find_untouched(table, next->entity, archetype) : NULL;
        if (record == NULL) {
            break;
        }
        OXI_ASSERT(judged->touched.count < judged->touched.capacity);
        uint32_t place = (uint32_t)judged->touched.count++;
        judged->touched.items[place] =
            (oxi_touched){.entity = next->entity, .place = {record->chunk, record->row}};
        note_next_id(judging, place, OXI_ID_FREED);
        oxi_entity_free(table, next->entity.index);
        step_to(judged, next);
    }
}
