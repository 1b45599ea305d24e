// SPDX-License-Identifier: MIT
//
// Instances in a window. The source and its group are captured when they are first instantiated: so
// later commands of the window may change or destroy them, and copies are made from what was there.

#include "commands/playback.h"

#include "base/hash.h"
#include "entities/copy_plan.h"
#include "entities/groups.h"
#include "storage/buffers.h"
#include "storage/enabled_bits.h"
#include "types/row_size.h"

enum { LEAST_PROTOTYPES = 16, CAPTURED_ALIGN = 8 };

#define MARKED_MEMBER(number) (UINT32_C(1) << OXI_MARK_BIT | (number))

static size_t captured_size(const oxi_column *column) {
    size_t size = column->buffer != NULL ? sizeof(oxi_captured_buffer) : column->size;
    return (size + CAPTURED_ALIGN - 1) / CAPTURED_ALIGN * CAPTURED_ALIGN;
}

// Where the switches of a captured row begin: a byte for each.
static size_t captured_bits(const oxi_archetype *archetype) {
    size_t size = 0;
    for (uint32_t k = 1; k < archetype->column_count; k++) {
        size += captured_size(&archetype->columns[k]);
    }
    return size;
}

// Finding.

static uint32_t *find_prototype_slot(const oxi_playback *playback, ox_entity source) {
    size_t mask = playback->prototype_index.count - 1;
    OXI_ASSERT(playback->prototypes.count <= mask); // or probing would not end
    for (size_t at = oxi_hash_mix(source.index) & mask;; at = (at + 1) & mask) {
        uint32_t *slot = &playback->prototype_index.items[at];
        if (*slot == 0) {
            return slot;
        }
        ox_entity there = playback->prototypes.items[*slot - 1].source;
        if (there.index == source.index && there.version == source.version) {
            return slot;
        }
    }
}

static bool grow_prototypes(oxi_playback *playback) {
    size_t size = playback->prototype_index.count;
    if ((playback->prototypes.count + 1) * 2 > size) {
        size = size == 0 ? LEAST_PROTOTYPES : size * 2;
        if (!oxi_list_resize(&playback->prototype_index, size)) {
            return false;
        }
        memset(playback->prototype_index.items, 0, size * sizeof(uint32_t));
        for (uint32_t k = 0; k < playback->prototypes.count; k++) {
            *find_prototype_slot(playback, playback->prototypes.items[k].source) = k + 1;
        }
    }
    return oxi_list_reserve(&playback->prototypes, playback->prototypes.count + 1);
}

// Capturing.

static bool capture_buffer(oxi_playback *playback, const oxi_column *column, const char *from,
                           char *to) {
    const oxi_buffer_head *head = (const oxi_buffer_head *)(const void *)from;
    size_t size = (size_t)head->count * column->buffer->size;
    char *elements = oxi_playback_alloc(playback, size + 1, CAPTURED_ALIGN);
    if (elements == NULL) {
        return false;
    }
    memcpy(elements, oxi_buffer_data(column->buffer, head), size);
    oxi_captured_buffer captured = {elements, head->count};
    memcpy(to, &captured, sizeof captured);
    return true;
}

static bool is_cleanup(uint32_t component) {
    return oxi_is_cleanup(ox_component_get_info(component));
}

// Cleanup components are zero: copies do not have them, but a later command may add them.
static bool capture_row(oxi_playback *playback, oxi_member *member) {
    const oxi_archetype *archetype = member->archetype;
    size_t bits = captured_bits(archetype), size = bits + archetype->enabled_count + 1;
    char *to = oxi_playback_alloc(playback, size, CAPTURED_ALIGN);
    if (to == NULL) {
        return false;
    }
    member->row = memset(to, 0, size);
    for (uint32_t k = 1; k < archetype->column_count; k++) {
        const oxi_column *column = &archetype->columns[k];
        const char *from = oxi_column_at(archetype, k, member->place);
        if (is_cleanup(column->component)) {
            to += captured_size(column);
            continue;
        }
        if (column->buffer == NULL) {
            memcpy(to, from, column->size);
        } else if (!capture_buffer(playback, column, from, to)) {
            return false;
        }
        to += captured_size(column);
    }
    for (uint32_t k = 0; k < archetype->enabled_count; k++) {
        const uint64_t *words =
            oxi_chunk_disabled(archetype, member->place.chunk, archetype->enabled_types[k]);
        to[k] = !is_cleanup(archetype->types[archetype->enabled_types[k]]) &&
                oxi_words_test(words, member->place.row);
    }
    return true;
}

// Adds an entity to the members from `first` on, unless it is there. Until all are listed its
// record holds its number. @return OXI_WALK_ENDS when the window has touched it.
static oxi_walk_result add_member(oxi_playback *playback, uint32_t first, ox_entity entity) {
    oxi_record *record = oxi_entity_find(&playback->world->store.entities, entity);
    if (record == NULL) {
        return OXI_WALK_ON;
    }
    if (oxi_record_is_marked(record)) {
        uint32_t number = record->row & ~MARKED_MEMBER(0);
        bool is_there = first + number < playback->members.count &&
                        playback->members.items[first + number].entity.index == entity.index;
        return is_there ? OXI_WALK_ON : OXI_WALK_ENDS;
    }
    oxi_archetype *archetype = oxi_archetype_of(record->chunk);
    if (archetype->is_residue) {
        return OXI_WALK_ON;
    }
    uint16_t types[OXI_MAX_ARCHETYPE_TYPES];
    uint32_t count = oxi_copy_list_types(playback->world, archetype, false, types);
    oxi_outcome outcome;
    oxi_member member = {.entity = entity,
                         .to = oxi_archetype_ask(&playback->world->store, types, count, &outcome),
                         .archetype = archetype,
                         .place = {record->chunk, record->row}};
    if (member.to == NULL || !oxi_list_push(&playback->members, member)) {
        return OXI_WALK_STOPS;
    }
    record->row = MARKED_MEMBER((uint32_t)playback->members.count - 1 - first);
    return OXI_WALK_ON;
}

static bool patch_elements(oxi_playback *playback, uint32_t first, oxi_member *member,
                           const ox_component_info *info, const char *values, uint32_t count) {
    for (uint64_t k = 0; k < (uint64_t)count * info->entity_count; k++) {
        size_t offset = (size_t)(k / info->entity_count) * info->size +
                        info->entity_offsets[k % info->entity_count];
        ox_entity there;
        memcpy(&there, values + offset, sizeof there);
        const oxi_record *record = oxi_entity_find(&playback->world->store.entities, there);
        if (record == NULL || !oxi_record_is_marked(record)) {
            continue;
        }
        uint32_t number = record->row & ~MARKED_MEMBER(0);
        bool is_member = first + number < playback->members.count &&
                         playback->members.items[first + number].entity.index == there.index;
        oxi_copy_patch patch = {info->id, (uint32_t)offset, number};
        if (is_member && !oxi_list_push(&playback->patches, patch)) {
            return false;
        }
        member->patch_count += is_member;
    }
    return true;
}

// Captures a member, and finds its fields that point to members. All of them are listed.
static bool capture_member(oxi_playback *playback, uint32_t first, uint32_t number) {
    oxi_member *member = &playback->members.items[first + number];
    const oxi_archetype *archetype = member->archetype;
    member->first_patch = (uint32_t)playback->patches.count;
    if (!capture_row(playback, member)) {
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
            !patch_elements(playback, first, member, info, values.elements, values.count)) {
            return false;
        }
        at += captured_size(column);
    }
    OXI_ASSERT(at == member->row + captured_bits(archetype));
    return true;
}

// Lists and captures an entity and its group. Records are as before when it returns.
static oxi_walk_result capture_group(oxi_playback *playback, ox_entity source, oxi_group group,
                                     uint32_t first) {
    oxi_walk_result result = add_member(playback, first, source);
    for (uint32_t k = 1; result == OXI_WALK_ON && k < group.count; k++) {
        result = add_member(playback, first, group.members[k]);
    }
    uint32_t count = (uint32_t)playback->members.count - first;
    for (uint32_t k = 0; result == OXI_WALK_ON && k < count; k++) {
        result = capture_member(playback, first, k) ? OXI_WALK_ON : OXI_WALK_STOPS;
    }
    for (uint32_t k = first; k < playback->members.count; k++) {
        const oxi_member *member = &playback->members.items[k];
        OXI_ASSERT(member->place.row < OXI_MAX_ROWS);
        playback->world->store.entities.records[member->entity.index].row = member->place.row;
    }
    return result;
}

static oxi_walk_result make_prototype(oxi_playback *playback, const oxi_looked *looked,
                                      oxi_group group) {
    uint32_t first = (uint32_t)playback->members.count;
    size_t patches = playback->patches.count;
    if (!grow_prototypes(playback)) {
        return OXI_WALK_STOPS;
    }
    oxi_walk_result result = capture_group(playback, looked->entity, group, first);
    if (result != OXI_WALK_ON) {
        playback->members.count = first;
        playback->patches.count = patches;
        return result;
    }
    playback->prototypes.items[playback->prototypes.count++] =
        (oxi_prototype){looked->entity, first, (uint32_t)playback->members.count - first};
    *find_prototype_slot(playback, looked->entity) = (uint32_t)playback->prototypes.count;
    return OXI_WALK_ON;
}

// The walk.

// True when the window has changed a member since it was captured.
static bool is_any_touched(const oxi_playback *playback, const oxi_prototype *prototype) {
    const oxi_record *records = playback->world->store.entities.records;
    for (uint32_t k = 0; k < prototype->count; k++) {
        ox_entity entity = playback->members.items[prototype->first + k].entity;
        if (records[entity.index].version != entity.version ||
            oxi_record_is_marked(&records[entity.index])) {
            return true;
        }
    }
    return false;
}

static oxi_walk_result make_instance_of(oxi_playback *playback, const oxi_command *command,
                                        oxi_prototype prototype) {
    oxi_outcome outcome = oxi_entity_reserve(&playback->world->store.entities, prototype.count);
    if (outcome == OXI_AT_LIMIT) {
        return oxi_walk_fail(playback, OX_REPORT_ENTITY_LIMIT, prototype.source);
    }
    if (outcome != OXI_DONE || !oxi_walk_reserve(playback, prototype.count) ||
        !oxi_list_reserve(&playback->extras, playback->extras.count + prototype.count)) {
        return OXI_WALK_STOPS;
    }
    uint32_t instance = (uint32_t)playback->touched.count;
    OXI_ASSERT(prototype.count > 0); // the source itself
    OXI_ASSERT(prototype.first + prototype.count <= playback->members.count);
    for (uint32_t k = 0; k < prototype.count; k++) {
        const oxi_member *member = &playback->members.items[prototype.first + k];
        oxi_touched *touched = oxi_walk_make(playback, member->to);
        playback->extras.items[playback->extras.count++] =
            (oxi_touch_extra){.copied = prototype.first + k + 1, .instance = instance};
        touched->extra = (uint32_t)playback->extras.count;
        touched->flags |= oxi_walk_has_linked(playback, member->to) ? OXI_TOUCH_LINKED : 0;
    }
    oxi_walk_name(playback, command->entity, playback->touched.items[instance].entity);
    return OXI_WALK_ON;
}

oxi_walk_result oxi_walk_instantiate(oxi_playback *playback, const oxi_command *command) {
    ox_entity source = oxi_command_source(command);
    ox_report_id cause;
    oxi_looked looked;
    if (ox_entity_is_temporary(source) && !oxi_walk_resolve(playback, &source, &cause)) {
        return oxi_walk_fail(playback, cause, source);
    }
    if (!oxi_walk_look(playback, source, &looked)) {
        return oxi_walk_fail(playback, OX_REPORT_STALE_ENTITY, source);
    }
    if (looked.touched != OXI_NO_TOUCH) {
        return OXI_WALK_ENDS;
    }
    if (looked.archetype->is_residue) {
        return oxi_walk_fail(playback, OX_REPORT_RESIDUE, source);
    }
    oxi_group group = oxi_group_of(playback->world, looked.record);
    if (group.count > 0 &&
        (group.members[0].index != source.index || group.members[0].version != source.version)) {
        return oxi_walk_fail(playback, OX_REPORT_BAD_GROUP, source);
    }
    if (playback->prototypes.count == 0 || *find_prototype_slot(playback, source) == 0) {
        oxi_walk_result result = make_prototype(playback, &looked, group);
        if (result != OXI_WALK_ON) {
            return result;
        }
    }
    oxi_prototype prototype =
        playback->prototypes.items[*find_prototype_slot(playback, source) - 1];
    return is_any_touched(playback, &prototype) ? OXI_WALK_ENDS
                                                : make_instance_of(playback, command, prototype);
}

// Writing.

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
        at += captured_size(column);
    }
    return captured;
}

// The column of a component in the archetype of a copy, or NULL.
static const oxi_column *find_copied_column(const oxi_playback *playback,
                                            const oxi_archetype *archetype, uint32_t component) {
    int32_t type = oxi_archetype_find_type(&playback->world->store, archetype, component);
    return type >= 0 ? &archetype->columns[archetype->column_of_type[type]] : NULL;
}

static char *value_at(const oxi_column *column, oxi_row_place place) {
    return oxi_chunk_address(place.chunk) + column->offset + (size_t)place.row * column->size;
}

static void write_columns(const oxi_playback *playback, const oxi_member *member,
                          const oxi_archetype *to, oxi_row_place place) {
    const char *at = member->row;
    for (uint32_t k = 1; k < member->archetype->column_count; k++) {
        const oxi_column *from = &member->archetype->columns[k];
        const oxi_column *column = find_copied_column(playback, to, from->component);
        if (column != NULL && column->buffer == NULL) {
            memcpy(value_at(column, place), at, column->size);
        } else if (column != NULL) {
            oxi_buffer_head *head = (oxi_buffer_head *)(void *)value_at(column, place);
            oxi_captured_buffer captured;
            memcpy(&captured, at, sizeof captured);
            OXI_ASSERT(captured.count <= oxi_buffer_capacity(column->buffer, head));
            if (captured.count > 0) {
                memcpy(oxi_buffer_data(column->buffer, head), captured.elements,
                       (size_t)captured.count * column->buffer->size);
            }
            head->count = captured.count;
        }
        at += captured_size(from);
    }
}

static void copy_member_bits(const oxi_playback *playback, const oxi_member *member,
                             const oxi_archetype *to, oxi_row_place place) {
    const char *bits = member->row + captured_bits(member->archetype);
    for (uint32_t k = 0; k < member->archetype->enabled_count; k++) {
        uint32_t component = member->archetype->types[member->archetype->enabled_types[k]];
        int32_t type = oxi_archetype_find_type(&playback->world->store, to, component);
        if (type >= 0 && bits[k] != 0) {
            oxi_words_set(oxi_chunk_disabled(to, place.chunk, (uint32_t)type), place.row);
        }
    }
}

void oxi_copy_write(const oxi_playback *playback, const oxi_touched *touched) {
    const oxi_touch_extra *extra = oxi_touched_extra(playback, touched);
    OXI_ASSERT(extra->copied - 1 < playback->members.count);
    OXI_ASSERT((touched->flags & OXI_TOUCH_NEW) != 0);
    const oxi_member *member = &playback->members.items[extra->copied - 1];
    const oxi_archetype *to = oxi_archetype_of(touched->place.chunk);
    OXI_ASSERT(member->first_patch + member->patch_count <= playback->patches.count);
    oxi_blocks_use(playback, touched);
    write_columns(playback, member, to, touched->place);
    copy_member_bits(playback, member, to, touched->place);
    for (uint32_t k = 0; k < member->patch_count; k++) {
        const oxi_copy_patch *patch = &playback->patches.items[member->first_patch + k];
        const oxi_column *column = find_copied_column(playback, to, patch->component);
        if (column == NULL) {
            continue;
        }
        char *value = value_at(column, touched->place);
        if (column->buffer != NULL) {
            value = oxi_buffer_data(column->buffer, (oxi_buffer_head *)(void *)value);
        }
        OXI_ASSERT(extra->instance + patch->member < playback->touched.count);
        ox_entity made = playback->touched.items[extra->instance + patch->member].entity;
        memcpy(value + patch->offset, &made, sizeof made);
    }
}
