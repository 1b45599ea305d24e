// SPDX-License-Identifier: MIT
//
// Entities in a window: what they are by now, their commands, and ids that come and go.
//
// Invariants: while a window is judged, the record of an entity that it touched is marked and holds
// its place among the touched instead of its row. An entity with a signature counts in it, unless
// it has shared values, where each goes its own way; all others stand in `several`, once.

#include "commands/judge.h"

enum { ROW_MASK = 0x7fffffff };

oxi_judgement oxi_judge_fail(oxi_judging *judging, ox_report_id cause, ox_entity entity) {
    oxi_judged *judged = &judging->judged;
    OXI_ASSERT(judged->cursor.at != NULL);
    oxi_failed_command failed = {judged->cursor.at, judged->cursor.index, cause, entity};
    return oxi_list_push(&judged->failures, failed) ? OXI_JUDGE_FAILS : OXI_JUDGE_STOPS;
}

// Temporary ids.

oxi_command_lane *oxi_judge_lane(const oxi_commands *commands, ox_entity temporary) {
    uint32_t stamp = (temporary.index & ((1u << OXI_TEMPORARY_SHIFT) - 1)) >> OXI_LANE_BITS;
    if (stamp != commands->stamp) {
        return NULL;
    }
    oxi_command_lane *lane =
        oxi_commands_lane(commands, temporary.index & ((1u << OXI_LANE_BITS) - 1));
    return lane != NULL && temporary.version - 1 < lane->made.count ? lane : NULL;
}

bool oxi_judge_resolve(const oxi_commands *commands, ox_entity *entity, ox_report_id *cause) {
    const oxi_command_lane *lane = oxi_judge_lane(commands, *entity);
    if (lane == NULL) {
        *cause = OX_REPORT_TEMPORARY_ENTITY;
        return false;
    }
    ox_entity made = lane->made.items[entity->version - 1];
    if (made.version == 0) {
        *cause = OX_REPORT_STALE_ENTITY;
        return false;
    }
    *entity = made;
    return true;
}

void oxi_judge_name(const oxi_judging *judging, ox_entity temporary, ox_entity made) {
    oxi_command_lane *lane = oxi_judge_lane(judging->commands, temporary);
    OXI_ASSERT(lane != NULL);
    lane->made.items[temporary.version - 1] = made;
}

// Looking and touching.

bool oxi_judge_look(const oxi_judging *judging, ox_entity entity, oxi_looked *looked) {
    oxi_record *record = oxi_entity_find(&judging->world->store.entities, entity);
    if (record == NULL) {
        return false;
    }
    looked->entity = entity;
    looked->record = record;
    looked->touched = OXI_NO_TOUCH;
    if (oxi_record_is_marked(record)) {
        looked->touched = record->row & ROW_MASK;
        OXI_ASSERT(looked->touched < judging->judged.touched.count);
        looked->archetype = judging->judged.touched.items[looked->touched].to;
    } else {
        looked->archetype = oxi_archetype_of(record->chunk);
    }
    OXI_ASSERT(looked->archetype != NULL); // one that ended has no record
    return true;
}

bool oxi_judge_reserve(oxi_judging *judging, size_t count) {
    oxi_judged *judged = &judging->judged;
    count += judging->left;
    return oxi_list_reserve(&judged->touched, judged->touched.count + count) &&
           oxi_list_reserve(&judged->ids, judged->ids.count + count) &&
           oxi_list_reserve(&judged->several, judged->several.count + count) &&
           oxi_list_reserve(&judged->ops, judged->ops.count + judging->left);
}

// Adds a touched, for now without a signature, which the caller writes.
static oxi_touched *push_touched(oxi_judged *judged) {
    uint32_t place = (uint32_t)judged->touched.count;
    OXI_ASSERT(place < judged->touched.capacity); // room was made
    OXI_ASSERT(judged->several.count < judged->several.capacity);
    judged->several.items[judged->several.count++] = place;
    return &judged->touched.items[judged->touched.count++];
}

oxi_touched *oxi_judge_touch(oxi_judging *judging, oxi_looked *looked) {
    oxi_judged *judged = &judging->judged;
    if (looked->touched != OXI_NO_TOUCH) {
        return &judged->touched.items[looked->touched];
    }
    oxi_record *record = looked->record;
    OXI_ASSERT(!oxi_record_is_marked(record));
    looked->touched = (uint32_t)judged->touched.count;
    oxi_touched *touched = push_touched(judged);
    *touched = (oxi_touched){
        .entity = looked->entity, .place = {record->chunk, record->row}, .to = looked->archetype};
    record->row = OXI_TOUCH_MARK(looked->touched);
    judged->has_touched = true;
    return touched;
}

oxi_touched *oxi_judge_make(oxi_judging *judging, oxi_archetype *archetype) {
    oxi_entity_table *table = &judging->world->store.entities;
    uint32_t used = table->used, place = (uint32_t)judging->judged.touched.count;
    ox_entity entity = oxi_entity_take(table, (oxi_chunk)OXI_NEW_ROW, OXI_TOUCH_MARK(place));
    oxi_touched *touched = push_touched(&judging->judged);
    *touched = (oxi_touched){.entity = entity, .to = archetype, .flags = OXI_TOUCH_NEW};
    oxi_judge_note_id(judging, place, table->used != used ? OXI_ID_TAKEN_FRESH : OXI_ID_TAKEN);
    return touched;
}

// Commands of an entity.

static void push_op(oxi_judged *judged, oxi_touched *touched, const oxi_command *command) {
    OXI_ASSERT(touched->signature == 0);
    OXI_ASSERT(judged->ops.count < judged->ops.capacity); // room was made
    oxi_link op = oxi_link_to(judged->ops.count);
    judged->ops.items[judged->ops.count++] = (oxi_touch_op){command, {0}};
    if (touched->first_op.number == 0) {
        touched->first_op = op;
    } else {
        judged->ops.items[oxi_link_place(touched->last_op)].next = op;
    }
    touched->last_op = op;
}

void oxi_judge_list(oxi_judging *judging, oxi_touched *touched) {
    oxi_judged *judged = &judging->judged;
    if (touched->signature == 0) {
        return;
    }
    OXI_ASSERT(touched->signature <= judged->signatures.count);
    oxi_signature *signature = &judged->signatures.items[touched->signature - 1];
    const oxi_command *only = touched->only;
    touched->signature = 0;
    touched->first_op = touched->last_op = (oxi_link){0};
    if (!oxi_archetype_has_lanes(signature->to)) {
        OXI_ASSERT(signature->count > 0);
        OXI_ASSERT(judged->several.count < judged->several.capacity);
        signature->count--;
        judged->several.items[judged->several.count++] =
            (uint32_t)(touched - judged->touched.items);
    }
    if (only->kind == OXI_COMMAND_ADD || only->item_count > 0) {
        push_op(judged, touched, only);
    }
}

void oxi_judge_add(oxi_judging *judging, oxi_touched *touched, const oxi_command *command) {
    oxi_judge_list(judging, touched);
    push_op(&judging->judged, touched, command);
}

void oxi_judge_begin(oxi_judging *judging, oxi_touched *touched, oxi_signature *signature,
                     const oxi_command *command) {
    oxi_judged *judged = &judging->judged;
    if (!oxi_signature_is_kept(judged, signature)) {
        push_op(judged, touched, command);
        return;
    }
    touched->signature = (uint16_t)(signature - judged->signatures.items + 1);
    touched->only = command;
    if (!oxi_touched_is_several(touched)) {
        OXI_ASSERT(touched == &judged->touched.items[oxi_list_last(&judged->several)]);
        judged->several.count--; // it was the last that was touched
        signature->count++;
    }
}

// Ids.

void oxi_judge_end(oxi_judging *judging, uint32_t place) {
    oxi_judged *judged = &judging->judged;
    OXI_ASSERT(place < judged->touched.count);
    oxi_touched *touched = &judged->touched.items[place];
    OXI_ASSERT(touched->to != NULL); // it has not ended before
    oxi_judge_note_id(judging, place, OXI_ID_FREED);
    oxi_judge_list(judging, touched);
    judged->has_ended = judged->has_ended || (touched->flags & OXI_TOUCH_NEW) == 0;
    touched->to = NULL;
    oxi_entity_free(&judging->world->store.entities, touched->entity.index);
}

static void restore_id(oxi_entity_table *table, const oxi_touched *touched, oxi_id_kind kind) {
    if (kind == OXI_ID_FREED) {
        oxi_entity_unfree(table, touched->entity, touched->place.chunk, touched->place.row);
    } else if (kind != OXI_ID_KEPT) {
        oxi_entity_untake(table, touched->entity.index, kind == OXI_ID_TAKEN_FRESH);
    }
}

void oxi_ids_restore(ox_world *world, const oxi_judged *judged) {
    for (size_t k = judged->ids.count; k-- > 0;) {
        oxi_id_event event = judged->ids.items[k];
        for (uint32_t n = event.count; n-- > 0;) {
            restore_id(&world->store.entities, &judged->touched.items[event.first + n], event.kind);
        }
    }
}
