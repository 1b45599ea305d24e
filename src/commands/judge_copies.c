// SPDX-License-Identifier: MIT
//
// Instances in a window. The source and its group are captured when they are first instantiated: so
// later commands of the window may change or destroy them, and copies are made from what was there.

#include "commands/judge.h"

#include "entities/copy_plan.h"
#include "entities/groups.h"
#include "storage/kind_rows.h"
#include "types/kinds.h"

enum { CAPTURED_ALIGN = 8 };

size_t oxi_captured_size(const oxi_column *column) {
    size_t size = column->buffer != NULL ? sizeof(oxi_captured_buffer) : column->size;
    return (size + CAPTURED_ALIGN - 1) / CAPTURED_ALIGN * CAPTURED_ALIGN;
}

// Where the switches of a captured row begin: a byte for each.
size_t oxi_captured_bits(const oxi_archetype *archetype) {
    size_t size = 0;
    for (uint32_t k = 1; k < archetype->column_count; k++) {
        size += oxi_captured_size(&archetype->columns[k]);
    }
    return size;
}

// Capturing.

static bool capture_buffer(oxi_judging *judging, const oxi_column *column, const char *from,
                           char *to) {
    const oxi_buffer_head *head = (const oxi_buffer_head *)(const void *)from;
    size_t size = (size_t)head->count * column->buffer->size;
    char *elements = oxi_window_alloc(judging, size + 1, CAPTURED_ALIGN);
    if (elements == NULL) {
        return false;
    }
    memcpy(elements, oxi_buffer_data(column->buffer, head), size);
    oxi_captured_buffer captured = {elements, head->count};
    memcpy(to, &captured, sizeof captured);
    return true;
}

static bool is_left_out(uint32_t component) {
    return !oxi_is_copied(ox_component_get_info(component));
}

// Cleanup components are zero: copies do not have them, but a later command may add them.
static bool capture_row(oxi_judging *judging, oxi_member *member) {
    const oxi_archetype *archetype = member->archetype;
    size_t bits = oxi_captured_bits(archetype), size = bits + archetype->enabled_count + 1;
    char *to = oxi_window_alloc(judging, size, CAPTURED_ALIGN);
    if (to == NULL) {
        return false;
    }
    member->row = memset(to, 0, size);
    for (uint32_t k = 1; k < archetype->column_count; k++) {
        const oxi_column *column = &archetype->columns[k];
        const char *from = oxi_column_at(archetype, k, member->place);
        if (is_left_out(column->component)) {
            to += oxi_captured_size(column);
            continue;
        }
        if (column->buffer == NULL) {
            memcpy(to, from, column->size);
        } else if (!capture_buffer(judging, column, from, to)) {
            return false;
        }
        to += oxi_captured_size(column);
    }
    for (uint32_t k = 0; k < archetype->enabled_count; k++) {
        const uint64_t *words =
            oxi_chunk_disabled(archetype, member->place.chunk, archetype->enabled_types[k]);
        to[k] = !is_left_out(archetype->types[archetype->enabled_types[k]]) &&
                oxi_words_test(words, member->place.row);
    }
    return true;
}

// The number of an entity among the members from `first` on, by its record, which is marked; or
// UINT32_MAX.
static uint32_t find_captured(const oxi_judged *judged, uint32_t first, const oxi_record *record,
                              ox_entity entity) {
    uint32_t number = record->row & ~OXI_TOUCH_MARK(0);
    bool is_member = first + number < judged->members.count &&
                     judged->members.items[first + number].entity.index == entity.index;
    return is_member ? number : UINT32_MAX;
}

// Adds an entity to the members from `first` on, unless it is there. Until all are listed its
// record holds its number. @return OXI_JUDGE_ENDS when the window has touched it.
static oxi_judgement add_member(oxi_judging *judging, uint32_t first, ox_entity entity) {
    oxi_judged *judged = &judging->judged;
    oxi_record *record = oxi_entity_find(&judging->world->store.entities, entity);
    if (record == NULL) {
        return OXI_JUDGE_ON;
    }
    if (oxi_record_is_marked(record)) {
        bool is_there = find_captured(judged, first, record, entity) != UINT32_MAX;
        return is_there ? OXI_JUDGE_ON : OXI_JUDGE_ENDS;
    }
    oxi_archetype *archetype = oxi_archetype_of(record->chunk);
    if (archetype->is_residue) {
        return OXI_JUDGE_ON;
    }
    uint16_t types[OXI_MAX_ARCHETYPE_TYPES];
    uint32_t count = oxi_types_of_copy(archetype, judging->world->ids.prefab, types);
    oxi_outcome outcome;
    oxi_member member = {.entity = entity,
                         .to = oxi_archetype_ask(&judging->world->store, types, count, &outcome),
                         .archetype = archetype,
                         .place = {record->chunk, record->row}};
    if (member.to == NULL || !oxi_list_push(&judged->members, member)) {
        return OXI_JUDGE_STOPS;
    }
    record->row = OXI_TOUCH_MARK((uint32_t)judged->members.count - 1 - first);
    return OXI_JUDGE_ON;
}

static bool patch_elements(oxi_judging *judging, uint32_t first, oxi_member *member,
                           const ox_component_info *info, const char *values, uint32_t count) {
    oxi_judged *judged = &judging->judged;
    for (uint64_t k = 0; k < (uint64_t)count * info->entity_count; k++) {
        size_t offset = (size_t)(k / info->entity_count) * info->size +
                        info->entity_offsets[k % info->entity_count];
        ox_entity there;
        memcpy(&there, values + offset, sizeof there);
        const oxi_record *record = oxi_entity_find(&judging->world->store.entities, there);
        if (record == NULL || !oxi_record_is_marked(record)) {
            continue;
        }
        oxi_copy_patch patch = {info->id, (uint32_t)offset,
                                find_captured(judged, first, record, there)};
        if (patch.member == UINT32_MAX) {
            continue;
        }
        if (!oxi_list_push(&judged->patches, patch)) {
            return false;
        }
        member->patch_count++;
    }
    return true;
}

// Captures a member, and finds its fields that point to members. All of them are listed.
static bool capture_member(oxi_judging *judging, uint32_t first, uint32_t number) {
    oxi_judged *judged = &judging->judged;
    oxi_member *member = &judged->members.items[first + number];
    const oxi_archetype *archetype = member->archetype;
    member->first_patch = (uint32_t)judged->patches.count;
    if (!capture_row(judging, member)) {
        return false;
    }
    const char *at = member->row;
    for (uint32_t k = 1; k < archetype->column_count; k++) {
        const oxi_column *column = &archetype->columns[k];
        const ox_component_info *info = ox_component_get_info(column->component);
        oxi_captured_buffer values = {at, 1};
        if (column->buffer != NULL) {
            memcpy(&values, at, sizeof values);
        }
        if (info->entity_count > 0 &&
            !patch_elements(judging, first, member, info, values.elements, values.count)) {
            return false;
        }
        at += oxi_captured_size(column);
    }
    OXI_ASSERT(at == member->row + oxi_captured_bits(archetype));
    return true;
}

// Lists and captures an entity and its group. Records are as before when it returns.
static oxi_judgement capture_group(oxi_judging *judging, ox_entity source, oxi_group group,
                                   uint32_t first) {
    oxi_judged *judged = &judging->judged;
    oxi_judgement result = add_member(judging, first, source);
    for (uint32_t k = 1; result == OXI_JUDGE_ON && k < group.count; k++) {
        result = add_member(judging, first, group.members[k]);
    }
    uint32_t count = (uint32_t)judged->members.count - first;
    for (uint32_t k = 0; result == OXI_JUDGE_ON && k < count; k++) {
        result = capture_member(judging, first, k) ? OXI_JUDGE_ON : OXI_JUDGE_STOPS;
    }
    for (uint32_t k = first; k < judged->members.count; k++) {
        const oxi_member *member = &judged->members.items[k];
        OXI_ASSERT(member->place.row < OXI_MAX_ROWS);
        judging->world->store.entities.records[member->entity.index].row = member->place.row;
    }
    return result;
}

static uint64_t key_of(ox_entity entity) {
    return (uint64_t)entity.version << 32 | entity.index;
}

// Captures what is instantiated for the first time.
static oxi_judgement make_prototype(oxi_judging *judging, const oxi_looked *looked,
                                    oxi_group group) {
    oxi_judged *judged = &judging->judged;
    uint32_t first = (uint32_t)judged->members.count;
    size_t patches = judged->patches.count;
    oxi_judgement judgement = OXI_JUDGE_STOPS;
    if (oxi_list_reserve(&judging->prototypes, judging->prototypes.count + 1)) {
        judgement = capture_group(judging, looked->entity, group, first);
    }
    if (judgement == OXI_JUDGE_ON &&
        !oxi_link_add(&judging->prototype_index, key_of(looked->entity))) {
        judgement = OXI_JUDGE_STOPS;
    }
    if (judgement != OXI_JUDGE_ON) {
        judged->members.count = first;
        judged->patches.count = patches;
        return judgement;
    }
    judging->prototypes.items[judging->prototypes.count++] =
        (oxi_prototype){first, (uint32_t)judged->members.count - first};
    return OXI_JUDGE_ON;
}

// Copying.

// True when the window has changed a member since it was captured.
static bool is_any_touched(const oxi_judging *judging, const oxi_prototype *prototype) {
    const oxi_record *records = judging->world->store.entities.records;
    for (uint32_t k = 0; k < prototype->count; k++) {
        ox_entity entity = judging->judged.members.items[prototype->first + k].entity;
        if (records[entity.index].version != entity.version ||
            oxi_record_is_marked(&records[entity.index])) {
            return true;
        }
    }
    return false;
}

static oxi_judgement make_instance_of(oxi_judging *judging, const oxi_command *command,
                                      oxi_prototype prototype) {
    oxi_judged *judged = &judging->judged;
    oxi_outcome outcome = oxi_entity_reserve(&judging->world->store.entities, prototype.count);
    if (outcome == OXI_AT_LIMIT) {
        return oxi_judge_fail(judging, OX_REPORT_ENTITY_LIMIT,
                              judged->members.items[prototype.first].entity);
    }
    if (outcome != OXI_DONE || !oxi_judge_reserve(judging, prototype.count) ||
        !oxi_list_reserve(&judged->copies, judged->copies.count + prototype.count)) {
        return OXI_JUDGE_STOPS;
    }
    uint32_t instance = (uint32_t)judged->touched.count;
    OXI_ASSERT(prototype.count > 0); // the source itself
    OXI_ASSERT(prototype.first + prototype.count <= judged->members.count);
    for (uint32_t k = prototype.first; k < prototype.first + prototype.count; k++) {
        oxi_archetype *to = judged->members.items[k].to;
        oxi_touched *touched = oxi_judge_make(judging, to);
        touched->copy = oxi_link_to(judged->copies.count);
        judged->copies.items[judged->copies.count++] = (oxi_window_copy){k, instance};
        if (oxi_judge_has_linked(judging, to)) {
            touched->flags |= OXI_TOUCH_LINKED;
        }
    }
    oxi_judge_name(judging, command->entity, judged->touched.items[instance].entity);
    return OXI_JUDGE_ON;
}

oxi_judgement oxi_judge_instantiate(oxi_judging *judging, const oxi_command *command) {
    ox_entity source = oxi_command_source(command);
    ox_report_id cause;
    oxi_looked looked;
    if (ox_entity_is_temporary(source) && !oxi_judge_resolve(judging->commands, &source, &cause)) {
        return oxi_judge_fail(judging, cause, source);
    }
    if (!oxi_judge_look(judging, source, &looked)) {
        return oxi_judge_fail(judging, OX_REPORT_STALE_ENTITY, source);
    }
    if (looked.touched != OXI_NO_TOUCH) {
        return OXI_JUDGE_ENDS;
    }
    if (looked.archetype->is_residue) {
        return oxi_judge_fail(judging, OX_REPORT_RESIDUE, source);
    }
    oxi_group group = oxi_group_of(judging->world, looked.record);
    if (group.count > 0 &&
        (group.members[0].index != source.index || group.members[0].version != source.version)) {
        return oxi_judge_fail(judging, OX_REPORT_BAD_GROUP, source);
    }
    oxi_link known = oxi_link_find(&judging->prototype_index, key_of(source));
    if (known.number == 0) {
        oxi_judgement judgement = make_prototype(judging, &looked, group);
        if (judgement != OXI_JUDGE_ON) {
            return judgement;
        }
        known = oxi_link_to(judging->prototypes.count - 1);
    }
    oxi_prototype prototype = judging->prototypes.items[oxi_link_place(known)];
    return is_any_touched(judging, &prototype) ? OXI_JUDGE_ENDS
                                               : make_instance_of(judging, command, prototype);
}

oxi_captured_buffer oxi_member_buffer(const oxi_member *member, uint32_t component) {
    oxi_captured_buffer captured = {NULL, 0};
    const char *at = member->row;
    OXI_ASSERT(at != NULL); // it was captured
    for (uint32_t k = 1; k < member->archetype->column_count; k++) {
        const oxi_column *column = &member->archetype->columns[k];
        if (column->component == component) {
            memcpy(&captured, at, sizeof captured);
            return captured;
        }
        at += oxi_captured_size(column);
    }
    return captured;
}
