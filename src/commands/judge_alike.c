// SPDX-License-Identifier: MIT
//
// Commands that are alike. Programs record the same thing over and over: entities whose only
// commands are of one list have a signature, which says for all of them what comes of it. And what
// the first of a row of commands was judged by holds for the next one when it is the same command,
// for an entity of the same archetype that no other command has met. What is different in any way
// is judged by itself.

#include "commands/judge.h"

#include "types/kinds.h"

enum { MOST_SIGNATURES = 64 };

// Signatures.

// True when a command does to an archetype what a signature says.
static bool is_of_signature(const oxi_signature *signature, const oxi_archetype *from,
                            const oxi_command *command) {
    const oxi_command *first = signature->command;
    if (signature->from != from || !oxi_command_is_like(first, command)) {
        return false;
    }
    if (!oxi_command_has_list(command)) {
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
    uint32_t count = command->kind == OXI_COMMAND_ADD;
    if (oxi_command_has_list(command)) {
        count = command->item_count;
        items = oxi_command_items(command);
    }
    bool had_linked = oxi_judge_has_linked(judging, from);
    for (uint32_t k = 0; k < count; k++) {
        const ox_component_info *info = ox_component_get_info(items[k].component);
        signature->has_entities = signature->has_entities || info->entity_count > 0;
        if (oxi_kind_of(info)->in_lane) {
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

// Commands one after the other. These are the loops of most playbacks: what all have in common is
// kept in registers, which stores to the lists would not allow, and a touched is written where it
// lies, since a copy on the way would wait for its own stores.

typedef struct alike_row {
    const oxi_command *at;        // the last one that was judged
    const oxi_command_list *list; // of all of them, or NULL
    uint32_t left;                // that can be judged, and the last one
    uint32_t place;               // of the next touched
} alike_row;

static alike_row begin_alike(const oxi_judging *judging) {
    const oxi_command *at = judging->judged.cursor.at;
    return (alike_row){at, oxi_command_has_list(at) ? oxi_command_list_of(at) : NULL, judging->left,
                       (uint32_t)judging->judged.touched.count};
}

// The next command, when it is in the same block and the same command with the same list; else
// NULL. After the last of a block is a jump, or the end.
static inline const oxi_command *peek_alike(const alike_row *row) {
    const oxi_command *next =
        (const oxi_command *)(const void *)((const char *)row->at + row->at->size);
    if (row->left <= 1 || !oxi_command_is_like(row->at, next)) {
        return NULL;
    }
    return row->list == NULL || oxi_command_list_of(next) == row->list ? next : NULL;
}

static inline void step_to(alike_row *row, const oxi_command *next) {
    row->at = next;
    row->left--;
    row->place++;
}

static void end_alike(oxi_judging *judging, const alike_row *row) {
    oxi_judged *judged = &judging->judged;
    OXI_ASSERT(row->place <= judged->touched.capacity); // room was made
    judged->cursor.at = row->at;
    judged->cursor.index += judging->left - row->left;
    judged->touched.count = row->place;
}

// Notes the ids of touched from `first` up to `end`.
static void note_judged_ids(oxi_judging *judging, uint32_t first, uint32_t end, oxi_id_kind kind) {
    if (end > first) {
        oxi_judge_note_id(judging, first, kind);
        oxi_list_last(&judging->judged.ids).count = end - first;
    }
}

// What a touched has in common with all of its signature.
typedef struct alike_touched {
    oxi_archetype *to;
    uint16_t signature;
    uint8_t flags;
} alike_touched;

static alike_touched common_of(const oxi_judged *judged, const oxi_signature *signature) {
    return (alike_touched){signature->to, (uint16_t)(signature - judged->signatures.items + 1),
                           signature->flags};
}

static inline void write_alike(oxi_touched *to, const alike_touched *common, ox_entity entity,
                               oxi_row_place place, const oxi_command *only) {
    to->entity = entity;
    to->place = place;
    to->to = common->to;
    to->only = only;
    to->copy = (oxi_link){0};
    to->signature = common->signature;
    to->flags = common->flags;
}

// True when commands after the one at the cursor go its way, with nothing that has to be looked at.
static bool can_go_on(const oxi_judged *judged, const oxi_signature *signature,
                      const alike_row *row) {
    return peek_alike(row) != NULL && !signature->has_entities &&
           !oxi_archetype_has_lanes(signature->to) && oxi_signature_is_kept(judged, signature);
}

void oxi_judge_creates(oxi_judging *judging, oxi_signature *signature) {
    oxi_judged *judged = &judging->judged;
    oxi_entity_table *table = &judging->world->store.entities;
    alike_row row = begin_alike(judging);
    OXI_ASSERT(signature->from == NULL);
    if (!can_go_on(judged, signature, &row)) {
        return;
    }
    const alike_touched common = common_of(judged, signature);
    oxi_touched *touched = judged->touched.items;
    ox_entity *made = oxi_judge_lane(judging->commands, row.at->entity)->made.items;
    uint32_t first = row.place, used = table->used;
    const oxi_command *next;
    while (table->ready > 0 && (next = peek_alike(&row)) != NULL) {
        ox_entity entity =
            oxi_entity_take(table, (oxi_chunk)OXI_NEW_ROW, OXI_TOUCH_MARK(row.place));
        write_alike(&touched[row.place], &common, entity, (oxi_row_place){0, 0}, next);
        OXI_ASSERT(oxi_judge_lane(judging->commands, next->entity) != NULL);
        made[next->entity.version - 1] = entity;
        step_to(&row, next);
    }
    end_alike(judging, &row);
    uint32_t fresh = row.place - (table->used - used); // free ids were taken first
    note_judged_ids(judging, first, fresh, OXI_ID_TAKEN);
    note_judged_ids(judging, fresh, row.place, OXI_ID_TAKEN_FRESH);
    signature->count += row.place - first;
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
    const oxi_entity_table *table = &judging->world->store.entities;
    alike_row row = begin_alike(judging);
    if (!can_go_on(judged, signature, &row)) {
        return;
    }
    const alike_touched common = common_of(judged, signature);
    oxi_touched *touched = judged->touched.items;
    const oxi_archetype *from = signature->from;
    const oxi_command *next;
    uint32_t first = row.place;
    while ((next = peek_alike(&row)) != NULL) {
        oxi_record *record = find_untouched(table, next->entity, from);
        if (record == NULL) {
            break;
        }
        write_alike(&touched[row.place], &common, next->entity,
                    (oxi_row_place){record->chunk, record->row}, next);
        record->row = OXI_TOUCH_MARK(row.place);
        step_to(&row, next);
    }
    end_alike(judging, &row);
    signature->count += row.place - first;
}

void oxi_judge_destroys(oxi_judging *judging, const oxi_archetype *archetype) {
    oxi_entity_table *table = &judging->world->store.entities;
    OXI_ASSERT(judging->judged.has_ended);
    alike_row row = begin_alike(judging);
    const alike_touched common = {NULL, 0, 0};
    oxi_touched *touched = judging->judged.touched.items;
    const oxi_command *next;
    uint32_t first = row.place;
    while ((next = peek_alike(&row)) != NULL) {
        const oxi_record *record = find_untouched(table, next->entity, archetype);
        if (record == NULL) {
            break;
        }
        write_alike(&touched[row.place], &common, next->entity,
                    (oxi_row_place){record->chunk, record->row}, NULL);
        oxi_entity_free(table, next->entity.index);
        step_to(&row, next);
    }
    end_alike(judging, &row);
    note_judged_ids(judging, first, row.place, OXI_ID_FREED);
}
