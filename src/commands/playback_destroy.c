// SPDX-License-Identifier: MIT
//
// The walk of destructions, with linked groups. One that runs out of memory half-way, or meets a
// group whose list the window has changed, is taken back as a whole.

#include "commands/playback.h"

#include "entities/groups.h"

#define MARKED_TOUCH(place) (UINT32_C(1) << OXI_MARK_BIT | (place))

// Ends one entity, or leaves its cleanup components.
static oxi_walk_result end_touched(oxi_playback *playback, oxi_looked *looked) {
    oxi_archetype *residue = NULL;
    if (looked->archetype->cleanup_count > 0) {
        oxi_outcome outcome;
        residue = oxi_archetype_ask_residue(&playback->world->store, looked->archetype, &outcome);
        if (residue == NULL) {
            return OXI_WALK_STOPS;
        }
    }
    oxi_touched *touched = oxi_walk_touch(playback, looked);
    if (residue == NULL) {
        oxi_walk_end(playback, looked->touched);
    } else {
        oxi_walk_several(playback, touched);
        playback->ids.items[playback->ids.count++] = (oxi_id_event){looked->touched, OXI_ID_KEPT};
        touched->to = residue;
    }
    return OXI_WALK_ON;
}

// Puts back what was ended since there were so many events and touched.
static void take_group_back(oxi_playback *playback, size_t ids, size_t touched_count) {
    oxi_entity_table *table = &playback->world->store.entities;
    while (playback->ids.count > ids) {
        oxi_id_event event = oxi_list_pop(&playback->ids);
        OXI_ASSERT(event.touched < playback->touched.count);
        OXI_ASSERT(playback->group_archetypes.count > 0);
        oxi_touched *touched = &playback->touched.items[event.touched];
        touched->to = oxi_list_pop(&playback->group_archetypes);
        if (event.kind == OXI_ID_FREED) {
            bool is_new = (touched->flags & OXI_TOUCH_NEW) != 0;
            oxi_chunk chunk = is_new ? (oxi_chunk)OXI_NEW_ROW : touched->place.chunk;
            oxi_entity_unfree(table, touched->entity, chunk, MARKED_TOUCH(event.touched));
        }
    }
    OXI_ASSERT(playback->group_archetypes.count == 0);
    while (playback->touched.count > touched_count) {
        oxi_touched touched = oxi_list_pop(&playback->touched);
        OXI_ASSERT((touched.flags & OXI_TOUCH_NEW) == 0);
        table->records[touched.entity.index].row = touched.place.row;
    }
    size_t kept = 0;
    for (size_t k = 0; k < playback->several.count; k++) {
        if (playback->several.items[k] < touched_count) {
            playback->several.items[kept++] = playback->several.items[k];
        }
    }
    playback->several.count = kept;
}

// Lists the group of an entity behind those that are to end. @return OXI_WALK_ENDS when the window
// has changed it.
static oxi_walk_result list_group_of(oxi_playback *playback, const oxi_looked *looked) {
    oxi_record record = *looked->record;
    if (looked->touched != OXI_NO_TOUCH) {
        const oxi_touched *touched = &playback->touched.items[looked->touched];
        if ((touched->flags & OXI_TOUCH_LINKED) != 0) {
            return OXI_WALK_ENDS;
        }
        record.row = touched->place.row;
    }
    oxi_group group = oxi_group_of(playback->world, &record);
    return oxi_list_append(&playback->group, group.members, group.count) ? OXI_WALK_ON
                                                                         : OXI_WALK_STOPS;
}

static oxi_walk_result end_group(oxi_playback *playback, ox_entity root) {
    oxi_walk_result result = OXI_WALK_ON;
    size_t ids = playback->ids.count, touched = playback->touched.count;
    bool had_ended = playback->has_ended;
    oxi_list_clear(&playback->group);
    oxi_list_clear(&playback->group_archetypes);
    if (!oxi_list_push(&playback->group, root)) {
        return OXI_WALK_STOPS;
    }
    for (size_t k = 0; result == OXI_WALK_ON && k < playback->group.count; k++) {
        oxi_looked looked;
        if (!oxi_walk_look(playback, playback->group.items[k], &looked) ||
            looked.archetype->is_residue) {
            continue; // it is gone
        }
        if (oxi_walk_has_linked(playback, looked.archetype)) {
            result = list_group_of(playback, &looked);
        }
        if (result == OXI_WALK_ON &&
            (!oxi_walk_reserve(playback, 1) ||
             !oxi_list_push(&playback->group_archetypes, looked.archetype))) {
            result = OXI_WALK_STOPS;
        }
        if (result == OXI_WALK_ON) {
            result = end_touched(playback, &looked);
            playback->group_archetypes.count -= result != OXI_WALK_ON;
        }
    }
    if (result != OXI_WALK_ON) {
        take_group_back(playback, ids, touched);
        playback->has_ended = had_ended;
    }
    return result;
}

// One that is not alive is no mistake.
oxi_walk_result oxi_walk_destroy(oxi_playback *playback, const oxi_command *command) {
    ox_entity entity = command->entity;
    ox_report_id cause;
    if (ox_entity_is_temporary(entity) && !oxi_walk_resolve(playback, &entity, &cause)) {
        return cause == OX_REPORT_STALE_ENTITY ? OXI_WALK_ON
                                               : oxi_walk_fail(playback, cause, entity);
    }
    oxi_looked looked;
    if (!oxi_walk_look(playback, entity, &looked) || looked.archetype->is_residue) {
        return OXI_WALK_ON;
    }
    if (oxi_walk_has_linked(playback, looked.archetype)) {
        return end_group(playback, entity);
    }
    bool is_first = looked.touched == OXI_NO_TOUCH && looked.archetype->cleanup_count == 0;
    const oxi_archetype *archetype = is_first ? oxi_archetype_of(looked.record->chunk) : NULL;
    oxi_walk_result result = end_touched(playback, &looked);
    if (is_first && result == OXI_WALK_ON) {
        oxi_run_destroys(playback, archetype);
    }
    return result;
}
