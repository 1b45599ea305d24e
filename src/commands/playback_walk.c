// SPDX-License-Identifier: MIT
//
// Walking a window: ids and judgement, exactly as one by one.
//
// Invariant: while a window is walked, the record of an entity that it touched is marked and holds
// its place among the touched instead of its row. Ids are really taken and freed, and noted, so
// that they can be put back.

#include "commands/playback_touched.h"

#include "entities/kinds.h"
#include "types/row_size.h"

enum { ROW_MASK = 0x7fffffff };

#define MARKED (UINT32_C(1) << OXI_MARK_BIT)

// Failing.

oxi_walk_result oxi_walk_fail(oxi_playback *playback, ox_report_id cause, ox_entity entity) {
    OXI_ASSERT(playback->cursor.at != NULL);
    oxi_failed_command failed = {playback->cursor.at, playback->cursor.index, cause, entity};
    return oxi_list_push(&playback->failures, failed) ? OXI_WALK_ON : OXI_WALK_STOPS;
}

// Looking.

oxi_command_lane *oxi_walk_lane(const oxi_playback *playback, ox_entity entity) {
    const oxi_commands *state = playback->state;
    uint32_t stamp = (entity.index & ((1u << OXI_TEMPORARY_SHIFT) - 1)) >> OXI_LANE_BITS;
    oxi_command_lane *lane = NULL;
    if (stamp == state->stamp) {
        lane = oxi_commands_lane(state, entity.index & ((1u << OXI_LANE_BITS) - 1));
    }
    return lane != NULL && entity.version - 1 < lane->made.count ? lane : NULL;
}

bool oxi_walk_resolve(const oxi_playback *playback, ox_entity *entity, ox_report_id *cause) {
    const oxi_command_lane *lane = oxi_walk_lane(playback, *entity);
    if (lane == NULL) {
        *cause = OX_REPORT_TEMPORARY_ENTITY;
        return false;
    }
    ox_entity made = lane->made.items[entity->version - 1];
    *cause = OX_REPORT_STALE_ENTITY;
    if (made.version != 0) {
        *entity = made;
    }
    return made.version != 0;
}

void oxi_walk_name(const oxi_playback *playback, ox_entity temporary, ox_entity made) {
    OXI_ASSERT(oxi_walk_lane(playback, temporary) != NULL);
    oxi_walk_lane(playback, temporary)->made.items[temporary.version - 1] = made;
}

bool oxi_walk_look(oxi_playback *playback, ox_entity entity, oxi_looked *looked) {
    looked->entity = entity;
    looked->record = oxi_entity_find(&playback->world->store.entities, entity);
    looked->touched = OXI_NO_TOUCH;
    looked->archetype = NULL;
    if (looked->record == NULL) {
        return false;
    }
    if (oxi_record_is_marked(looked->record)) {
        looked->touched = looked->record->row & ROW_MASK;
        OXI_ASSERT(looked->touched < playback->touched.count);
        looked->archetype = playback->touched.items[looked->touched].to;
    } else {
        looked->archetype = oxi_archetype_of(looked->record->chunk);
    }
    OXI_ASSERT(looked->archetype != NULL); // one that ended has no record
    return true;
}

// Looks at the entity of a command. When it is not alive the command has failed:
// `looked->archetype` is NULL, and the result is what the walk goes on with.
static oxi_walk_result look_at_entity(oxi_playback *playback, const oxi_command *command,
                                      oxi_looked *looked) {
    ox_entity entity = command->entity;
    ox_report_id cause;
    looked->archetype = NULL;
    if (ox_entity_is_temporary(entity) && !oxi_walk_resolve(playback, &entity, &cause)) {
        return oxi_walk_fail(playback, cause, command->entity);
    }
    return oxi_walk_look(playback, entity, looked)
               ? OXI_WALK_ON
               : oxi_walk_fail(playback, OX_REPORT_STALE_ENTITY, entity);
}

// Touching.

bool oxi_walk_reserve(oxi_playback *playback, size_t count) {
    count += playback->left;
    return oxi_list_reserve(&playback->touched, playback->touched.count + count) &&
           oxi_list_reserve(&playback->ids, playback->ids.count + count) &&
           oxi_list_reserve(&playback->several, playback->several.count + count) &&
           oxi_list_reserve(&playback->ops, playback->ops.count + playback->left);
}

oxi_touched *oxi_walk_touch(oxi_playback *playback, oxi_looked *looked) {
    if (looked->touched != OXI_NO_TOUCH) {
        return &playback->touched.items[looked->touched];
    }
    oxi_record *record = looked->record;
    OXI_ASSERT(!oxi_record_is_marked(record));
    OXI_ASSERT(playback->touched.count < playback->touched.capacity); // room was made
    OXI_ASSERT(playback->several.count < playback->several.capacity);
    looked->touched = (uint32_t)playback->touched.count;
    oxi_touched *touched = &playback->touched.items[playback->touched.count++];
    *touched = (oxi_touched){
        .entity = looked->entity, .to = looked->archetype, .place = {record->chunk, record->row}};
    record->row = MARKED | looked->touched;
    playback->several.items[playback->several.count++] = looked->touched;
    playback->has_touched = true;
    return touched;
}

oxi_touched *oxi_walk_make(oxi_playback *playback, oxi_archetype *archetype) {
    oxi_entity_table *table = &playback->world->store.entities;
    uint32_t place = (uint32_t)playback->touched.count;
    uint32_t used = table->used;
    OXI_ASSERT(place < playback->touched.capacity); // room was made
    OXI_ASSERT(playback->ids.count < playback->ids.capacity);
    OXI_ASSERT(playback->several.count < playback->several.capacity);
    ox_entity entity = oxi_entity_take(table, (oxi_chunk)OXI_NEW_ROW, MARKED | place);
    oxi_touched *touched = &playback->touched.items[playback->touched.count++];
    *touched = (oxi_touched){.entity = entity, .to = archetype, .flags = OXI_TOUCH_NEW};
    oxi_id_kind kind = table->used != used ? OXI_ID_TAKEN_FRESH : OXI_ID_TAKEN;
    playback->ids.items[playback->ids.count++] = (oxi_id_event){place, kind};
    playback->several.items[playback->several.count++] = place;
    return touched;
}

// Makes copies of values that have temporary ids. @return true when the walk goes on with
// `*command`; else `*result` is what it came to.
static bool take_values(oxi_playback *playback, const oxi_command **command, bool has_entities,
                        oxi_walk_result *result) {
    ox_report_id cause = OX_REPORT_NONE;
    if (!has_entities) {
        return true;
    }
    *result = oxi_walk_values(playback, command, &cause);
    if (*result == OXI_WALK_ENDS) {
        *result = oxi_walk_fail(playback, cause, (*command)->entity);
        return false;
    }
    return *result == OXI_WALK_ON;
}

// True when the next command is the same, and has nothing that must be looked at.
static inline bool is_run_of(const oxi_playback *playback, const oxi_signature *signature) {
    return !signature->has_entities && signature->to->shared_count == 0 &&
           oxi_walk_goes_on(playback);
}

// Commands.

static oxi_walk_result walk_create(oxi_playback *playback, const oxi_command *command) {
    const oxi_signature *signature = oxi_signature_find(playback, NULL, command);
    oxi_walk_result result = OXI_WALK_ON;
    if (signature == NULL) {
        return OXI_WALK_STOPS;
    }
    if (signature->to == NULL) {
        return oxi_walk_fail(playback, OX_REPORT_ARCHETYPE_TOO_LARGE, command->entity);
    }
    const oxi_command *taken = command;
    if (!take_values(playback, &taken, signature->has_entities, &result)) {
        return result;
    }
    oxi_outcome outcome = oxi_entity_reserve(&playback->world->store.entities, 1);
    if (outcome != OXI_DONE) {
        return outcome == OXI_AT_LIMIT
                   ? oxi_walk_fail(playback, OX_REPORT_ENTITY_LIMIT, command->entity)
                   : OXI_WALK_STOPS;
    }
    uint16_t number = oxi_signature_number(playback, signature);
    uint8_t flags = OXI_TOUCH_NEW | oxi_signature_flags(signature);
    oxi_touched *touched = oxi_walk_make(playback, signature->to);
    touched->flags = flags;
    if (number != 0 || command->component > 0) {
        oxi_touched_begin(playback, touched, number, taken);
    }
    oxi_walk_name(playback, command->entity, touched->entity);
    if (number != 0 && is_run_of(playback, signature)) {
        oxi_run_creates(playback, number, flags);
    }
    return OXI_WALK_ON;
}

static oxi_walk_result walk_add(oxi_playback *playback, const oxi_command *command) {
    oxi_looked looked;
    oxi_walk_result result = look_at_entity(playback, command, &looked);
    if (result != OXI_WALK_ON || looked.archetype == NULL) {
        return result;
    }
    if (looked.archetype->is_residue) {
        return oxi_walk_fail(playback, OX_REPORT_RESIDUE, looked.entity);
    }
    const oxi_signature *signature = oxi_signature_find(playback, looked.archetype, command);
    if (signature == NULL) {
        return OXI_WALK_STOPS;
    }
    if (signature->to == NULL) {
        return oxi_walk_fail(playback, OX_REPORT_ARCHETYPE_TOO_LARGE, looked.entity);
    }
    const oxi_command *taken = command;
    if (!take_values(playback, &taken, signature->has_entities, &result)) {
        return result;
    }
    bool is_first = looked.touched == OXI_NO_TOUCH;
    uint16_t number = oxi_signature_number(playback, signature);
    uint8_t flags = oxi_signature_flags(signature);
    oxi_touched *touched = oxi_walk_touch(playback, &looked);
    touched->to = signature->to;
    touched->flags |= flags;
    if (!is_first) {
        oxi_touched_add(playback, touched, taken);
        return OXI_WALK_ON;
    }
    oxi_touched_begin(playback, touched, number, taken);
    if (number != 0 && is_run_of(playback, signature)) {
        oxi_run_adds(playback, number, flags);
    }
    return OXI_WALK_ON;
}

// What a command about one component finds.
typedef struct judged_step {
    oxi_looked looked;
    const ox_component_info *info;
    bool was_there;
} judged_step;

// Looks at the entity of a command; only what adds may find the component missing. @return true
// when the walk goes on with it; else `*result` is what it came to.
static bool judge_step(oxi_playback *playback, const oxi_command *command, bool adds,
                       judged_step *judged, oxi_walk_result *result) {
    oxi_looked *looked = &judged->looked;
    *result = look_at_entity(playback, command, looked);
    if (*result != OXI_WALK_ON || looked->archetype == NULL) {
        return false;
    }
    judged->info = ox_component_get_info(command->component);
    judged->was_there = oxi_walk_has(playback, looked->archetype, command->component);
    if (!adds && !judged->was_there) {
        *result = oxi_walk_fail(playback, OX_REPORT_NO_COMPONENT, looked->entity);
        return false;
    }
    return true;
}

static bool is_shared(const judged_step *judged) {
    return judged->info->kind == OX_COMPONENT_KIND_SHARED;
}

// Sets and switches what must be there.
static oxi_walk_result walk_present(oxi_playback *playback, const oxi_command *command) {
    judged_step judged;
    oxi_walk_result result;
    const oxi_command *taken = command;
    bool sets = command->kind == OXI_COMMAND_SET;
    if (!judge_step(playback, command, false, &judged, &result) ||
        !take_values(playback, &taken, sets && judged.info->entity_count > 0, &result)) {
        return result;
    }
    oxi_touched *touched = oxi_walk_touch(playback, &judged.looked);
    touched->flags |= is_shared(&judged) ? OXI_TOUCH_SHARED : 0;
    oxi_touched_add(playback, touched, taken);
    return OXI_WALK_ON;
}

static oxi_walk_result walk_remove(oxi_playback *playback, const oxi_command *command) {
    judged_step judged;
    oxi_walk_result result;
    if (!judge_step(playback, command, false, &judged, &result)) {
        return result;
    }
    oxi_archetype *before = judged.looked.archetype;
    if (before->is_residue && before->cleanup_count == 1) {
        oxi_walk_touch(playback, &judged.looked);
        oxi_walk_end(playback, judged.looked.touched);
        return OXI_WALK_ON;
    }
    oxi_outcome outcome;
    oxi_archetype *after = oxi_archetype_ask_change(&playback->world->store, before,
                                                    command->component, OXI_EDGE_REMOVES, &outcome);
    if (after == NULL) {
        return OXI_WALK_STOPS;
    }
    oxi_touched *touched = oxi_walk_touch(playback, &judged.looked);
    touched->to = after;
    touched->flags |= command->component == playback->world->ids.linked ? OXI_TOUCH_LINKED : 0;
    touched->flags |= is_shared(&judged) ? OXI_TOUCH_SHARED : 0;
    oxi_touched_add(playback, touched, command);
    return OXI_WALK_ON;
}

static oxi_walk_result walk_buffer(oxi_playback *playback, const oxi_command *command) {
    judged_step judged;
    oxi_walk_result result;
    const oxi_command *taken = command;
    if (!judge_step(playback, command, command->flags == OX_BUFFER_ADD, &judged, &result)) {
        return result;
    }
    oxi_archetype *after = judged.looked.archetype;
    if (!judged.was_there) {
        if (after->is_residue) {
            return oxi_walk_fail(playback, OX_REPORT_RESIDUE, judged.looked.entity);
        }
        oxi_outcome outcome;
        after = oxi_archetype_ask_change(&playback->world->store, after, command->component,
                                         OXI_EDGE_ADDS, &outcome);
        if (after == NULL) {
            return outcome == OXI_AT_LIMIT ? oxi_walk_fail(playback, OX_REPORT_ARCHETYPE_TOO_LARGE,
                                                           judged.looked.entity)
                                           : OXI_WALK_STOPS;
        }
    }
    if (!take_values(playback, &taken, judged.info->entity_count > 0, &result)) {
        return result;
    }
    oxi_touched *touched = oxi_walk_touch(playback, &judged.looked);
    bool is_linked = command->component == playback->world->ids.linked;
    touched->to = after;
    touched->flags |= (uint8_t)(OXI_TOUCH_BUFFERS | (is_linked ? OXI_TOUCH_LINKED : 0));
    oxi_touched_add(playback, touched, taken);
    return OXI_WALK_ON;
}

static oxi_walk_result walk_command(oxi_playback *playback, const oxi_command *command) {
    switch (command->kind) {
    case OXI_COMMAND_CREATE:
        return walk_create(playback, command);
    case OXI_COMMAND_ADD:
    case OXI_COMMAND_ADD_MANY:
        return walk_add(playback, command);
    case OXI_COMMAND_DESTROY:
        return oxi_walk_destroy(playback, command);
    case OXI_COMMAND_SET:
    case OXI_COMMAND_SWITCH:
        return walk_present(playback, command);
    case OXI_COMMAND_REMOVE:
        return walk_remove(playback, command);
    case OXI_COMMAND_BUFFER:
        return walk_buffer(playback, command);
    case OXI_COMMAND_INSTANTIATE:
        return oxi_walk_instantiate(playback, command);
    default:
        return OXI_WALK_ENDS;
    }
}

// Records say again where entities are; those of new ones say it when they have a row.
static void clear_touch_marks(const oxi_playback *playback) {
    oxi_record *records = playback->world->store.entities.records;
    for (size_t k = 0; playback->has_touched && k < playback->touched.count; k++) {
        const oxi_touched *touched = &playback->touched.items[k];
        if (touched->to != NULL && (touched->flags & OXI_TOUCH_NEW) == 0) {
            records[touched->entity.index].row = touched->place.row;
        }
    }
}

uint32_t oxi_window_walk(oxi_playback *playback, uint32_t most, oxi_walk_result *result) {
    uint32_t count = 0;
    playback->cursor = playback->state->cursor;
    uint64_t first = playback->cursor.index;
    playback->left = most;
    *result = oxi_walk_reserve(playback, 0) ? OXI_WALK_ON : OXI_WALK_STOPS;
    while (*result == OXI_WALK_ON && count < most && playback->cursor.at != NULL) {
        *result = walk_command(playback, playback->cursor.at);
        if (*result == OXI_WALK_ON) {
            oxi_cursor_next(playback->state, &playback->cursor);
            count = (uint32_t)(playback->cursor.index - first);
            OXI_ASSERT(count <= most);
            playback->left = most - count;
        }
    }
    clear_touch_marks(playback);
    return count;
}
