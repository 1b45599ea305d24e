// SPDX-License-Identifier: MIT
//
// Walking a window: ids and judgement, exactly as one by one.
//
// Invariant: while a window is walked, the record of an entity that it touched is marked and holds
// its place among the touched instead of its row. Ids are really taken and freed, and noted, so
// that they can be put back when the walk ends: until the commit, nothing was changed.

#include "commands/playback.h"

#include "entities/kinds.h"
#include "types/row_size.h"

enum { MOST_SIGNATURES = 64, ROW_MASK = 0x7fffffff };

#define MARKED (UINT32_C(1) << OXI_MARK_BIT)

// Failing.

oxi_walk_result oxi_walk_fail(oxi_playback *playback, ox_report_id cause, ox_entity entity) {
    oxi_failed_command failed = {playback->cursor.at, playback->cursor.index, cause, entity};
    return oxi_list_push(&playback->failures, failed) ? OXI_WALK_ON : OXI_WALK_STOPS;
}

// Looking.

static oxi_command_lane *find_lane_of_temporary(const oxi_playback *playback, ox_entity entity) {
    const oxi_commands *state = playback->state;
    uint32_t stamp = entity.index << 1 >> (1 + OXI_LANE_BITS);
    oxi_command_lane *lane = NULL;
    if (stamp == state->stamp) {
        lane = oxi_commands_lane(state, entity.index & ((1u << OXI_LANE_BITS) - 1));
    }
    return lane != NULL && entity.version - 1 < lane->made.count ? lane : NULL;
}

bool oxi_walk_resolve(const oxi_playback *playback, ox_entity *entity, ox_report_id *cause) {
    const oxi_command_lane *lane = find_lane_of_temporary(playback, *entity);
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
    find_lane_of_temporary(playback, temporary)->made.items[temporary.version - 1] = made;
}

static oxi_shape *shape_of_record(oxi_playback *playback, const oxi_record *record) {
    const oxi_archetype *archetype = oxi_archetype_of(record->chunk);
    if (archetype != playback->last_archetype) {
        oxi_shape *shape = oxi_shape_of(playback->shapes, archetype);
        if (shape == NULL) {
            return NULL;
        }
        playback->last_archetype = archetype;
        playback->last_shape = shape;
    }
    return playback->last_shape;
}

oxi_walk_result oxi_walk_look(oxi_playback *playback, ox_entity entity, oxi_looked *looked) {
    looked->entity = entity;
    looked->record = oxi_entity_find(&playback->world->store.entities, entity);
    looked->touched = OXI_NO_TOUCH;
    if (looked->record == NULL) {
        return OXI_WALK_ENDS;
    }
    if (oxi_record_is_marked(looked->record)) {
        looked->touched = looked->record->row & ROW_MASK;
        looked->shape = playback->touched.items[looked->touched].to;
    } else {
        looked->shape = shape_of_record(playback, looked->record);
    }
    return looked->shape != NULL ? OXI_WALK_ON : OXI_WALK_STOPS;
}

// Looks at the entity of a command. When it is not alive the command has failed: `looked->shape` is
// NULL, and the result is what the walk goes on with.
static oxi_walk_result look_at_entity(oxi_playback *playback, const oxi_command *command,
                                      oxi_looked *looked) {
    ox_entity entity = command->entity;
    ox_report_id cause;
    looked->shape = NULL;
    if (ox_entity_is_temporary(entity) && !oxi_walk_resolve(playback, &entity, &cause)) {
        return oxi_walk_fail(playback, cause, command->entity);
    }
    oxi_walk_result result = oxi_walk_look(playback, entity, looked);
    if (result == OXI_WALK_ENDS) {
        looked->shape = NULL;
        return oxi_walk_fail(playback, OX_REPORT_STALE_ENTITY, entity);
    }
    return result;
}

// Touching.

bool oxi_walk_reserve(oxi_playback *playback, size_t count) {
    const oxi_hooks *heap = NULL;
    return oxi_list_make_room_at(heap, &playback->touched, OXI_LIST_LAYOUT(&playback->touched),
                                 count, OX_HERE) &&
           oxi_list_make_room_at(heap, &playback->ids, OXI_LIST_LAYOUT(&playback->ids), count,
                                 OX_HERE) &&
           oxi_list_make_room_at(heap, &playback->ops, OXI_LIST_LAYOUT(&playback->ops), 1, OX_HERE);
}

oxi_touched *oxi_walk_touch(oxi_playback *playback, oxi_looked *looked) {
    if (looked->touched != OXI_NO_TOUCH) {
        return &playback->touched.items[looked->touched];
    }
    oxi_record *record = looked->record;
    looked->touched = (uint32_t)playback->touched.count;
    oxi_touched *touched = &playback->touched.items[playback->touched.count++];
    *touched = (oxi_touched){.entity = looked->entity,
                             .from = looked->shape,
                             .to = looked->shape,
                             .place = {record->chunk, record->row}};
    record->row = MARKED | looked->touched;
    return touched;
}

oxi_touched *oxi_walk_make(oxi_playback *playback, oxi_shape *shape) {
    oxi_entity_table *table = &playback->world->store.entities;
    uint32_t place = (uint32_t)playback->touched.count;
    uint32_t used = table->used;
    ox_entity entity = oxi_entity_take(table, (oxi_chunk)OXI_NEW_ROW, MARKED | place);
    oxi_touched *touched = &playback->touched.items[playback->touched.count++];
    *touched = (oxi_touched){.entity = entity, .to = shape};
    oxi_id_kind kind = table->used != used ? OXI_ID_TAKEN_FRESH : OXI_ID_TAKEN;
    playback->ids.items[playback->ids.count++] = (oxi_id_event){place, kind, NULL};
    return touched;
}

static inline void add_op(oxi_playback *playback, oxi_touched *touched,
                          const oxi_command *command) {
    playback->ops.items[playback->ops.count++] = (oxi_touch_op){command, 0};
    uint32_t op = (uint32_t)playback->ops.count;
    if (touched->first_op == 0) {
        touched->first_op = op;
    } else {
        playback->ops.items[touched->last_op - 1].next = op;
    }
    touched->last_op = op;
}

// Lists of components.

static inline bool is_of_signature(const oxi_signature *signature, const oxi_shape *from,
                                   const oxi_command *command) {
    const oxi_command *first = signature->command;
    if (signature->from != from || first->kind != command->kind ||
        first->component != command->component || first->flags != command->flags) {
        return false;
    }
    return command->kind == OXI_COMMAND_ADD ||
           memcmp(first + 1, command + 1, command->component * sizeof(oxi_command_item)) == 0;
}

// What a list of components makes of a shape. NULL when out of memory.
static oxi_shape *add_items(oxi_playback *playback, oxi_shape *shape, const oxi_command *command,
                            oxi_signature *signature) {
    oxi_command_item single = {command->component, 0, 0};
    const oxi_command_item *items =
        command->kind == OXI_COMMAND_ADD ? &single : oxi_command_items(command);
    uint32_t count = command->kind == OXI_COMMAND_ADD ? 1 : command->component;
    for (uint32_t k = 0; k < count && shape != NULL && shape->fits; k++) {
        const oxi_shape_step *step =
            oxi_shape_take_step(playback->shapes, shape, items[k].component, OXI_STEP_ADD);
        if (step == NULL) {
            return NULL;
        }
        signature->has_entities = signature->has_entities || step->has_entities;
        signature->has_shared = signature->has_shared || step->is_shared;
        shape = step->to;
    }
    return shape;
}

// Finds what a command that adds makes of a shape. Of the first kinds of commands of a window that
// is remembered: `*place` is 1 + its place, or 0. @return false when out of memory.
static bool find_signature(oxi_playback *playback, oxi_shape *from, const oxi_command *command,
                           oxi_signature *signature, uint32_t *place) {
    for (size_t k = 0; k <= playback->signatures.count; k++) {
        size_t at = k == 0 ? playback->last_signature : k - 1; // the last one first
        if (at < playback->signatures.count &&
            is_of_signature(&playback->signatures.items[at], from, command)) {
            *signature = playback->signatures.items[at];
            playback->last_signature = (uint32_t)at;
            *place = (uint32_t)at + 1;
            return true;
        }
    }
    *signature = (oxi_signature){.command = command, .from = from};
    signature->to = add_items(playback, from != NULL ? from : playback->empty, command, signature);
    *place = 0;
    if (signature->to != NULL && playback->signatures.count < MOST_SIGNATURES) {
        if (!oxi_list_push(&playback->signatures, *signature)) {
            return false;
        }
        playback->last_signature = (uint32_t)playback->signatures.count - 1;
        *place = (uint32_t)playback->signatures.count;
    }
    return signature->to != NULL;
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

// Commands.

static oxi_walk_result walk_create(oxi_playback *playback, const oxi_command *command) {
    oxi_signature signature;
    uint32_t place;
    oxi_walk_result result = OXI_WALK_ON;
    if (!find_signature(playback, NULL, command, &signature, &place) ||
        !oxi_walk_reserve(playback, 1)) {
        return OXI_WALK_STOPS;
    }
    if (!signature.to->fits) {
        return oxi_walk_fail(playback, OX_REPORT_ARCHETYPE_TOO_LARGE, command->entity);
    }
    const oxi_command *taken = command;
    if (!take_values(playback, &taken, signature.has_entities, &result)) {
        return result;
    }
    oxi_outcome outcome = oxi_entity_reserve(&playback->world->store.entities, 1);
    if (outcome != OXI_DONE) {
        return outcome == OXI_AT_LIMIT
                   ? oxi_walk_fail(playback, OX_REPORT_ENTITY_LIMIT, command->entity)
                   : OXI_WALK_STOPS;
    }
    oxi_touched *touched = oxi_walk_make(playback, signature.to);
    touched->signature = place;
    touched->has_shared_ops = signature.has_shared;
    touched->changes_linked = signature.to->has_linked;
    if (command->component > 0) {
        add_op(playback, touched, taken);
    }
    oxi_walk_name(playback, command->entity, touched->entity);
    return OXI_WALK_ON;
}

static oxi_walk_result walk_add(oxi_playback *playback, const oxi_command *command) {
    oxi_looked looked;
    oxi_signature signature;
    uint32_t place;
    oxi_walk_result result = look_at_entity(playback, command, &looked);
    if (result != OXI_WALK_ON || looked.shape == NULL) {
        return result;
    }
    if (looked.shape->is_residue) {
        return oxi_walk_fail(playback, OX_REPORT_RESIDUE, looked.entity);
    }
    if (!find_signature(playback, looked.shape, command, &signature, &place) ||
        !oxi_walk_reserve(playback, 1)) {
        return OXI_WALK_STOPS;
    }
    if (!signature.to->fits) {
        return oxi_walk_fail(playback, OX_REPORT_ARCHETYPE_TOO_LARGE, looked.entity);
    }
    const oxi_command *taken = command;
    if (!take_values(playback, &taken, signature.has_entities, &result)) {
        return result;
    }
    bool is_first = looked.touched == OXI_NO_TOUCH;
    oxi_touched *touched = oxi_walk_touch(playback, &looked);
    touched->to = signature.to;
    touched->signature = is_first ? place : 0;
    touched->has_shared_ops = touched->has_shared_ops || signature.has_shared;
    touched->changes_linked =
        touched->changes_linked || looked.shape->has_linked != signature.to->has_linked;
    add_op(playback, touched, taken);
    return OXI_WALK_ON;
}

// Sets and switches what must be there.
static oxi_walk_result walk_present(oxi_playback *playback, const oxi_command *command) {
    oxi_looked looked;
    oxi_walk_result result = look_at_entity(playback, command, &looked);
    if (result != OXI_WALK_ON || looked.shape == NULL) {
        return result;
    }
    const oxi_shape_step *step =
        oxi_shape_take_step(playback->shapes, looked.shape, command->component, OXI_STEP_LOOK);
    if (step == NULL || !oxi_walk_reserve(playback, 1)) {
        return OXI_WALK_STOPS;
    }
    if (!step->was_there) {
        return oxi_walk_fail(playback, OX_REPORT_NO_COMPONENT, looked.entity);
    }
    bool sets = command->kind == OXI_COMMAND_SET;
    const oxi_command *taken = command;
    if (!take_values(playback, &taken, sets && step->has_entities, &result)) {
        return result;
    }
    oxi_touched *touched = oxi_walk_touch(playback, &looked);
    touched->signature = 0;
    touched->has_shared_ops = touched->has_shared_ops || step->is_shared;
    add_op(playback, touched, taken);
    return OXI_WALK_ON;
}

// An id that is free from here on, until it is taken again.
static void free_id(oxi_playback *playback, oxi_touched *touched) {
    uint32_t place = (uint32_t)(touched - playback->touched.items);
    playback->ids.items[playback->ids.count++] = (oxi_id_event){place, OXI_ID_FREED, touched->to};
    touched->to = NULL;
    oxi_entity_free(&playback->world->store.entities, touched->entity.index);
}

static oxi_walk_result walk_remove(oxi_playback *playback, const oxi_command *command) {
    oxi_looked looked;
    oxi_walk_result result = look_at_entity(playback, command, &looked);
    if (result != OXI_WALK_ON || looked.shape == NULL) {
        return result;
    }
    const oxi_shape_step *step =
        oxi_shape_take_step(playback->shapes, looked.shape, command->component, OXI_STEP_REMOVE);
    if (step == NULL || !oxi_walk_reserve(playback, 1)) {
        return OXI_WALK_STOPS;
    }
    if (!step->was_there) {
        return oxi_walk_fail(playback, OX_REPORT_NO_COMPONENT, looked.entity);
    }
    oxi_touched *touched = oxi_walk_touch(playback, &looked);
    touched->signature = 0;
    touched->changes_linked =
        touched->changes_linked || looked.shape->has_linked != step->to->has_linked;
    if (looked.shape->is_residue && looked.shape->cleanup_count == 1) {
        free_id(playback, touched);
        return OXI_WALK_ON;
    }
    touched->to = step->to;
    touched->has_shared_ops = touched->has_shared_ops || step->is_shared;
    add_op(playback, touched, command);
    return OXI_WALK_ON;
}

static oxi_walk_result walk_buffer(oxi_playback *playback, const oxi_command *command) {
    oxi_looked looked;
    oxi_walk_result result = look_at_entity(playback, command, &looked);
    if (result != OXI_WALK_ON || looked.shape == NULL) {
        return result;
    }
    bool adds = command->flags == OX_BUFFER_ADD;
    const oxi_shape_step *step = oxi_shape_take_step(
        playback->shapes, looked.shape, command->component, adds ? OXI_STEP_ADD : OXI_STEP_LOOK);
    if (step == NULL || !oxi_walk_reserve(playback, 1)) {
        return OXI_WALK_STOPS;
    }
    if (adds && looked.shape->is_residue && !step->was_there) {
        return oxi_walk_fail(playback, OX_REPORT_RESIDUE, looked.entity);
    }
    if (!adds && !step->was_there) {
        return oxi_walk_fail(playback, OX_REPORT_NO_COMPONENT, looked.entity);
    }
    if (!step->to->fits) {
        return oxi_walk_fail(playback, OX_REPORT_ARCHETYPE_TOO_LARGE, looked.entity);
    }
    const oxi_command *taken = command;
    oxi_shape *to = step->to;
    if (!take_values(playback, &taken, step->has_entities, &result)) {
        return result;
    }
    oxi_touched *touched = oxi_walk_touch(playback, &looked);
    touched->to = to;
    touched->signature = 0;
    touched->has_buffer_ops = true;
    touched->changes_linked =
        touched->changes_linked || command->component == playback->world->ids.linked;
    add_op(playback, touched, taken);
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

// Putting ids back.

static void restore_id(oxi_playback *playback, const oxi_id_event *event) {
    oxi_entity_table *table = &playback->world->store.entities;
    const oxi_touched *touched = &playback->touched.items[event->touched];
    if (event->kind == OXI_ID_FREED) {
        oxi_entity_unfree(table, touched->entity, touched->place.chunk, touched->place.row);
    } else if (event->kind != OXI_ID_KEPT) {
        oxi_entity_untake(table, touched->entity.index, event->kind == OXI_ID_TAKEN_FRESH);
    }
}

static void restore_ids(oxi_playback *playback) {
    for (size_t k = playback->ids.count; k-- > 0;) {
        restore_id(playback, &playback->ids.items[k]);
    }
    for (size_t k = 0; k < playback->touched.count; k++) {
        const oxi_touched *touched = &playback->touched.items[k];
        if (touched->from != NULL) {
            playback->world->store.entities.records[touched->entity.index].row = touched->place.row;
        }
    }
}

uint32_t oxi_window_walk(oxi_playback *playback, uint32_t most, oxi_walk_result *result) {
    uint32_t count = 0;
    *result = OXI_WALK_ON;
    playback->cursor = playback->state->cursor;
    while (count < most && playback->cursor.at != NULL) {
        *result = walk_command(playback, playback->cursor.at);
        if (*result != OXI_WALK_ON) {
            break;
        }
        count++;
        oxi_cursor_next(playback->state, &playback->cursor);
    }
    restore_ids(playback);
    return count;
}
