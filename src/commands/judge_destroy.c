// SPDX-License-Identifier: MIT
//
// Judging destructions, with linked groups. One that runs out of memory half-way, or meets a
// group whose list the window has changed, is taken back as a whole.

#include "commands/judge.h"

#include "entities/groups.h"

// Ends one entity, or leaves its cleanup components.
static oxi_judgement end_touched(oxi_judging *judging, oxi_looked *looked) {
    oxi_archetype *residue = NULL;
    if (looked->archetype->leaves_residue) {
        oxi_outcome outcome;
        residue = oxi_archetype_ask_residue(&judging->world->store, looked->archetype, &outcome);
        if (residue == NULL) {
            return OXI_JUDGE_STOPS;
        }
    }
    oxi_touched *touched = oxi_judge_touch(judging, looked);
    if (residue == NULL) {
        oxi_judge_end(judging, looked->touched);
    } else {
        oxi_judge_list(judging, touched);
        oxi_judge_note_id(judging, looked->touched, OXI_ID_KEPT);
        touched->to = residue;
    }
    return OXI_JUDGE_ON;
}

// Puts back what was ended since there were so many events and touched.
static void take_group_back(oxi_judging *judging, size_t ids, size_t touched_count) {
    oxi_judged *judged = &judging->judged;
    oxi_entity_table *table = &judging->world->store.entities;
    while (judged->ids.count > ids) {
        oxi_id_event event = oxi_list_pop(&judged->ids);
        OXI_ASSERT(event.count == 1);
        OXI_ASSERT(event.first < judged->touched.count);
        OXI_ASSERT(judging->group_archetypes.count > 0);
        oxi_touched *touched = &judged->touched.items[event.first];
        touched->to = oxi_list_pop(&judging->group_archetypes);
        if (event.kind == OXI_ID_FREED) {
            bool is_new = (touched->flags & OXI_TOUCH_NEW) != 0;
            oxi_chunk chunk = is_new ? (oxi_chunk)OXI_NEW_ROW : touched->place.chunk;
            oxi_entity_unfree(table, touched->entity, chunk, OXI_TOUCH_MARK(event.first));
        }
    }
    OXI_ASSERT(judging->group_archetypes.count == 0);
    while (judged->touched.count > touched_count) {
        oxi_touched touched = oxi_list_pop(&judged->touched);
        OXI_ASSERT((touched.flags & OXI_TOUCH_NEW) == 0);
        table->records[touched.entity.index].row = touched.place.row;
    }
    size_t kept = 0;
    for (size_t k = 0; k < judged->several.count; k++) {
        if (judged->several.items[k] < touched_count) {
            judged->several.items[kept++] = judged->several.items[k];
        }
    }
    judged->several.count = kept;
}

// Lists the group of an entity after those that are to end. @return OXI_JUDGE_ENDS when the window
// has changed it.
static oxi_judgement list_group_of(oxi_judging *judging, const oxi_looked *looked) {
    oxi_record record = *looked->record;
    if (looked->touched != OXI_NO_TOUCH) {
        const oxi_touched *touched = &judging->judged.touched.items[looked->touched];
        if ((touched->flags & OXI_TOUCH_LINKED) != 0) {
            return OXI_JUDGE_ENDS;
        }
        record.row = touched->place.row;
    }
    oxi_group group = oxi_group_of(judging->world, &record);
    return oxi_list_append(&judging->group, group.members, group.count) ? OXI_JUDGE_ON
                                                                        : OXI_JUDGE_STOPS;
}

// Ends one of a group, whose own group is listed behind.
static oxi_judgement end_member(oxi_judging *judging, ox_entity entity) {
    oxi_looked looked;
    if (!oxi_judge_look(judging, entity, &looked) || looked.archetype->is_residue) {
        return OXI_JUDGE_ON; // it is gone
    }
    if (oxi_judge_has_linked(judging, looked.archetype)) {
        oxi_judgement judgement = list_group_of(judging, &looked);
        if (judgement != OXI_JUDGE_ON) {
            return judgement;
        }
    }
    if (!oxi_judge_reserve(judging, 1) ||
        !oxi_list_push(&judging->group_archetypes, looked.archetype)) {
        return OXI_JUDGE_STOPS;
    }
    oxi_judgement judgement = end_touched(judging, &looked);
    if (judgement != OXI_JUDGE_ON) {
        judging->group_archetypes.count--;
    }
    return judgement;
}

static oxi_judgement end_group(oxi_judging *judging, ox_entity root) {
    oxi_judged *judged = &judging->judged;
    size_t ids = judged->ids.count, touched = judged->touched.count;
    bool had_ended = judged->has_ended;
    oxi_list_clear(&judging->group);
    oxi_list_clear(&judging->group_archetypes);
    if (!oxi_list_push(&judging->group, root)) {
        return OXI_JUDGE_STOPS;
    }
    for (size_t k = 0; k < judging->group.count; k++) {
        oxi_judgement judgement = end_member(judging, judging->group.items[k]);
        if (judgement != OXI_JUDGE_ON) {
            take_group_back(judging, ids, touched);
            judged->has_ended = had_ended;
            return judgement;
        }
    }
    return OXI_JUDGE_ON;
}

// One that is not alive is no mistake.
oxi_judgement oxi_judge_destroy(oxi_judging *judging, const oxi_command *command) {
    ox_entity entity = command->entity;
    ox_report_id cause;
    if (ox_entity_is_temporary(entity) && !oxi_judge_resolve(judging->commands, &entity, &cause)) {
        return cause == OX_REPORT_STALE_ENTITY ? OXI_JUDGE_ON
                                               : oxi_judge_fail(judging, cause, entity);
    }
    oxi_looked looked;
    if (!oxi_judge_look(judging, entity, &looked) || looked.archetype->is_residue) {
        return OXI_JUDGE_ON;
    }
    if (oxi_judge_has_linked(judging, looked.archetype)) {
        return end_group(judging, entity);
    }
    bool is_first = looked.touched == OXI_NO_TOUCH && !looked.archetype->leaves_residue;
    oxi_judgement judgement = end_touched(judging, &looked);
    if (is_first && judgement == OXI_JUDGE_ON) {
        oxi_judge_destroys(judging, looked.archetype);
    }
    return judgement;
}
