// SPDX-License-Identifier: MIT
//
// Preparing a window: what each entity needs, reserved. It may fail and has changed nothing then:
// archetypes, lanes, shared values and blocks that were made for it are taken back.

#include "commands/playback.h"

#include "base/hash.h"
#include "storage/buffers.h"
#include "storage/chunk_list.h"
#include "storage/shared_values.h"
#include "types/row_size.h"

enum { LEAST_TARGET_LANES = 16 };

// Lanes.

static uint32_t *find_lane_slot(const oxi_playback *playback, const oxi_lane *lane) {
    size_t mask = playback->lane_index.count - 1;
    OXI_ASSERT(playback->lanes.count <= mask); // or probing would not end
    for (size_t at = oxi_hash_mix((uintptr_t)lane) & mask;; at = (at + 1) & mask) {
        uint32_t *slot = &playback->lane_index.items[at];
        if (*slot == 0 || playback->lanes.items[*slot - 1].lane == lane) {
            return slot;
        }
    }
}

static bool grow_lane_index(oxi_playback *playback) {
    size_t size = playback->lane_index.count;
    if ((playback->lanes.count + 1) * 2 > size) {
        size = size == 0 ? LEAST_TARGET_LANES : size * 2;
        if (!oxi_list_resize(&playback->lane_index, size)) {
            return false;
        }
        memset(playback->lane_index.items, 0, size * sizeof(uint32_t));
        for (uint32_t k = 0; k < playback->lanes.count; k++) {
            *find_lane_slot(playback, playback->lanes.items[k].lane) = k + 1;
        }
    }
    return oxi_list_reserve(&playback->lanes, playback->lanes.count + 1);
}

// 1 + the place of a lane that was taken among those that get rows; 0 when out of memory. It is
// held once for all.
static uint32_t hold_lane(oxi_playback *playback, oxi_archetype *archetype, oxi_lane *lane) {
    OXI_ASSERT(lane == &archetype->lane || lane->pin_count > 0);
    oxi_store *store = &playback->world->store;
    if (!grow_lane_index(playback)) {
        oxi_lane_leave(store, archetype, lane);
        return 0;
    }
    uint32_t *slot = find_lane_slot(playback, lane);
    if (*slot != 0) {
        oxi_lane_leave(store, archetype, lane);
    } else {
        playback->lanes.items[playback->lanes.count++] =
            (oxi_target_lane){.archetype = archetype, .lane = lane};
        *slot = (uint32_t)playback->lanes.count;
    }
    return *slot;
}

// Shared values.

// Stores a value that a command gives. @return its number, held, or 0 when out of memory.
static uint32_t take_shared(oxi_playback *playback, const ox_component_info *info,
                            const void *value) {
    oxi_store *store = &playback->world->store;
    if (info->align > OXI_COMMAND_ALIGN) {
        void *aligned = oxi_playback_alloc(playback, info->size, info->align);
        if (aligned == NULL) {
            return 0;
        }
        value = memcpy(aligned, value, info->size);
    }
    uint32_t number = oxi_list_reserve(&playback->choices, playback->choices.count + 1)
                          ? oxi_shared_take(store, info, value)
                          : 0;
    if (number != 0) {
        playback->choices.items[playback->choices.count++] = number;
    }
    return number;
}

static bool choose_shared(oxi_playback *playback, uint32_t *values, const oxi_archetype *archetype,
                          uint32_t component, const void *value) {
    const oxi_store *store = &playback->world->store;
    const ox_component_info *info = ox_component_get_info(component);
    int32_t type = oxi_archetype_find_type(store, archetype, component);
    if (info->kind != OX_COMPONENT_KIND_SHARED || type < 0) {
        return true; // no business of a lane, or a later command removes it
    }
    uint32_t number =
        value != NULL ? take_shared(playback, info, value) : oxi_shared_default(store, component);
    values[oxi_archetype_shared_slot(archetype, (uint32_t)type)] = number;
    return number != 0;
}

// Carries the commands of an entity out on its shared values.
static bool apply_shared(oxi_playback *playback, const oxi_touched *touched,
                         const oxi_archetype *archetype, uint32_t *values) {
    bool is_done = true, is_only = touched->signature != 0;
    for (uint32_t op = is_only ? 1 : touched->first_op; is_done && op != 0;) {
        const oxi_command *command = is_only ? touched->only : playback->ops.items[op - 1].command;
        switch (command->kind) {
        case OXI_COMMAND_CREATE:
        case OXI_COMMAND_ADD_MANY:
            for (uint32_t k = 0; is_done && k < command->component; k++) {
                const oxi_command_item *item = &oxi_command_items(command)[k];
                const void *value = item->has_value ? (const char *)command + item->offset : NULL;
                is_done = choose_shared(playback, values, archetype, item->component, value);
            }
            break;
        case OXI_COMMAND_ADD:
        case OXI_COMMAND_SET:
        case OXI_COMMAND_REMOVE: {
            bool has_value =
                command->kind == OXI_COMMAND_SET || command->flags == OXI_COMMAND_HAS_VALUE;
            has_value = has_value && command->kind != OXI_COMMAND_REMOVE;
            is_done = choose_shared(playback, values, archetype, command->component,
                                    has_value ? oxi_command_value(command) : NULL);
            break;
        }
        default:
            break;
        }
        op = is_only ? 0 : playback->ops.items[op - 1].next;
    }
    return is_done;
}

// The member that an entity is a copy of, or NULL.
static const oxi_member *find_copied(const oxi_playback *playback, const oxi_touched *touched) {
    const oxi_touch_extra *extra = oxi_touched_extra(playback, touched);
    OXI_ASSERT(extra == NULL || extra->copied <= playback->members.count);
    return extra != NULL && extra->copied != 0 ? &playback->members.items[extra->copied - 1] : NULL;
}

// The lane that an entity ends in, pinned. NULL when out of memory.
static oxi_lane *find_target_lane(oxi_playback *playback, const oxi_touched *touched,
                                  oxi_archetype *archetype) {
    oxi_store *store = &playback->world->store;
    if (archetype->shared_count == 0) {
        return &archetype->lane;
    }
    uint32_t values[OXI_MAX_SHARED_TYPES];
    const oxi_member *copied = find_copied(playback, touched);
    oxi_chunk chunk = copied != NULL ? copied->place.chunk : touched->place.chunk;
    oxi_lane_values(store, archetype, chunk, NULL, 0, values);
    if ((touched->flags & OXI_TOUCH_SHARED) != 0 &&
        !apply_shared(playback, touched, archetype, values)) {
        return NULL;
    }
    return oxi_lane_take(store, archetype, values);
}

// Finds the way of an entity to its row: 1 + its place, or 0 when it stays where it is.
// @return false when out of memory.
static bool find_way(oxi_playback *playback, const oxi_touched *touched, oxi_archetype *from,
                     uint32_t *way) {
    oxi_store *store = &playback->world->store;
    oxi_archetype *target = touched->to;
    if (!oxi_archetype_list(store, target)) {
        return false;
    }
    oxi_lane *lane = find_target_lane(playback, touched, target);
    if (lane == NULL) {
        return false;
    }
    *way = 0;
    if (from == target &&
        (target->shared_count == 0 || oxi_lane_of(from, touched->place.chunk) == lane)) {
        oxi_lane_leave(store, target, lane);
        return true;
    }
    oxi_outcome outcome;
    oxi_target_way made = {.from = from, .to = touched->to};
    made.lane = hold_lane(playback, target, lane) - 1;
    made.edge = from != NULL ? oxi_edge_to(store, from, target, &outcome) : NULL;
    if (made.lane == UINT32_MAX || (from != NULL && made.edge == NULL) ||
        !oxi_list_push(&playback->ways, made)) {
        return false;
    }
    *way = (uint32_t)playback->ways.count;
    return true;
}

// Notes that so many entities go a way.
static void count_way(oxi_playback *playback, uint32_t way, bool is_new, uint32_t count) {
    if (way != 0) {
        OXI_ASSERT(way <= playback->ways.count);
        playback->lanes.items[playback->ways.items[way - 1].lane].count += count;
    }
    playback->has_moved = playback->has_moved || (way != 0 && !is_new);
    playback->has_changed = playback->has_changed || way == 0;
}

// Entities whose only commands are alike and share no values go one way.
static bool prepare_signature(oxi_playback *playback, oxi_signature *signature) {
    oxi_touched any = {.to = signature->to};
    if (!find_way(playback, &any, signature->from, &signature->way)) {
        return false;
    }
    count_way(playback, signature->way, signature->from == NULL, signature->count);
    return true;
}

static bool prepare_signatures(oxi_playback *playback) {
    bool is_done = true;
    for (size_t k = 0; is_done && k < playback->signatures.count; k++) {
        oxi_signature *signature = &playback->signatures.items[k];
        if (signature->count > 0 && signature->to->shared_count == 0) {
            is_done = prepare_signature(playback, signature);
        }
    }
    return is_done;
}

// Where an entity goes. What shares no values goes the way of the last one, if it can.
static bool prepare_touched(oxi_playback *playback, oxi_touched *touched) {
    OXI_ASSERT(touched->way == 0);
    bool is_new = (touched->flags & OXI_TOUCH_NEW) != 0;
    oxi_archetype *from = is_new ? NULL : oxi_archetype_of(touched->place.chunk);
    const oxi_target_way *last = &playback->last_way;
    bool is_same = last->to == touched->to && last->from == from && touched->to->shared_count == 0;
    if (!is_same) {
        uint32_t way;
        if (!find_way(playback, touched, from, &way)) {
            return false;
        }
        playback->last_way = (oxi_target_way){.from = from, .to = touched->to, .lane = way};
    }
    touched->way = last->lane;
    count_way(playback, touched->way, is_new, 1);
    bool is_plain = (touched->flags & OXI_TOUCH_BUFFERS) == 0 && touched->extra == 0;
    return is_plain || oxi_blocks_plan(playback, touched);
}

// Chunks with room may be gone when rows that end are removed: then new ones must do for all.
static oxi_outcome reserve_lane(oxi_store *store, oxi_target_lane *lane, bool ends_any) {
    oxi_archetype *archetype = lane->archetype;
    if (!ends_any) {
        return oxi_rows_reserve_more(store, archetype, lane->lane, lane->count);
    }
    uint32_t chunks = (lane->count + archetype->capacity - 1) / archetype->capacity;
    return oxi_chunks_reserve(store, archetype, lane->lane,
                              oxi_chunks_reserved(archetype) + chunks);
}

// Reserves the rows of all lanes, and room to list them.
static bool reserve_rows(oxi_playback *playback) {
    uint32_t count = 0;
    for (size_t k = 0; k < playback->lanes.count; k++) {
        oxi_target_lane *lane = &playback->lanes.items[k];
        if (reserve_lane(&playback->world->store, lane, playback->has_ended) != OXI_DONE) {
            return false;
        }
        lane->first = count;
        count += lane->count;
    }
    bool has_room = oxi_list_reserve(&playback->placed, count);
    playback->placed.count = has_room ? count : 0;
    bool swaps = playback->world->store.swaps && playback->has_moved;
    return has_room && oxi_list_reserve(&playback->runs, count) &&
           (!swaps || oxi_list_reserve(&playback->left_rows, playback->touched.count));
}

static void release_prepared(oxi_playback *playback) {
    oxi_store *store = &playback->world->store;
    for (size_t k = 0; k < playback->blocks.count; k++) {
        oxi_buffer_block_give(playback->blocks.items[k].kind, playback->blocks.items[k].block);
    }
    for (size_t k = 0; k < playback->lanes.count; k++) {
        oxi_chunks_release(store, playback->lanes.items[k].archetype);
    }
    for (size_t k = 0; k < playback->lanes.count; k++) {
        oxi_target_lane *lane = &playback->lanes.items[k];
        oxi_lane_leave(store, lane->archetype, lane->lane);
    }
    while (playback->choices.count > 0) {
        oxi_shared_cancel(store, oxi_list_pop(&playback->choices));
    }
    oxi_archetypes_undo(&playback->world->store, playback->archetypes);
}

bool oxi_window_prepare(oxi_playback *playback) {
    bool is_done = true;
    OXI_ASSERT(playback->lanes.count == 0); // nothing is held from a window before
    OXI_ASSERT(playback->blocks.count == 0);
    OXI_ASSERT(playback->choices.count == 0);
    playback->archetypes = playback->world->store.archetypes.count;
    playback->last_way = (oxi_target_way){0};
    playback->has_moved = playback->has_changed = false;
    for (size_t k = 0; is_done && k < playback->several.count; k++) {
        OXI_ASSERT(playback->several.items[k] < playback->touched.count);
        oxi_touched *touched = &playback->touched.items[playback->several.items[k]];
        is_done = touched->to == NULL || prepare_touched(playback, touched);
    }
    is_done = is_done && prepare_signatures(playback) && reserve_rows(playback);
    if (!is_done) {
        release_prepared(playback);
        oxi_window_restore(playback);
    }
    return is_done;
}

// Blocks of buffers.

// How many elements a buffer has at most while the commands of an entity are carried out.
static uint64_t find_peak(const oxi_playback *playback, const oxi_touched *touched,
                          uint32_t component, uint64_t count) {
    uint64_t peak = count;
    OXI_ASSERT(touched->signature == 0); // it has a list of commands
    for (uint32_t op = touched->first_op; op != 0; op = playback->ops.items[op - 1].next) {
        const oxi_command *command = playback->ops.items[op - 1].command;
        if (command->component != component) {
            continue;
        }
        if (command->kind == OXI_COMMAND_REMOVE) {
            count = 0;
        } else if (command->kind == OXI_COMMAND_BUFFER) {
            count = (command->flags == OX_BUFFER_APPEND ? count : 0) +
                    oxi_command_element_count(command);
        }
        peak = count > peak ? count : peak;
    }
    return peak;
}

// The buffer of an entity as it is in the world; NULL when it is new, or lacks it.
static const oxi_buffer_head *find_own_head(const oxi_playback *playback,
                                            const oxi_touched *touched, uint32_t component) {
    return (touched->flags & OXI_TOUCH_NEW) == 0
               ? oxi_buffer_find(&playback->world->store, oxi_archetype_of(touched->place.chunk),
                                 component, touched->place)
               : NULL;
}

static bool plan_block(oxi_playback *playback, const oxi_touched *touched,
                       const oxi_column *column) {
    const oxi_buffer_kind *kind = column->buffer;
    const oxi_buffer_head *own = find_own_head(playback, touched, column->component);
    const oxi_member *copied = find_copied(playback, touched);
    uint64_t count = own != NULL ? own->count : 0;
    if (copied != NULL) {
        count = oxi_member_buffer(copied, column->component).count;
    }
    uint64_t room = own != NULL ? oxi_buffer_capacity(kind, own) : kind->inline_capacity;
    uint64_t peak = find_peak(playback, touched, column->component, count);
    if (peak <= room) {
        return true;
    }
    // Twice as much as there is, as an append would take: the next ones find room.
    bool grows = (touched->flags & OXI_TOUCH_BUFFERS) != 0 && peak < 2 * room;
    uint64_t wanted = grows ? 2 * room : peak;
    if (wanted > INT32_MAX || !oxi_list_reserve(&playback->blocks, playback->blocks.count + 1)) {
        return false;
    }
    char *block = oxi_buffer_block_take(kind, (uint32_t)wanted);
    if (block != NULL) {
        playback->blocks.items[playback->blocks.count++] =
            (oxi_planned_block){column->component, kind, block};
        oxi_touched_extra(playback, touched)->block_count++;
    }
    return block != NULL;
}

bool oxi_blocks_plan(oxi_playback *playback, oxi_touched *touched) {
    const oxi_archetype *target = touched->to;
    bool is_done = true;
    if (touched->extra == 0) {
        oxi_touch_extra none = {0};
        if (!oxi_list_push(&playback->extras, none)) {
            return false;
        }
        touched->extra = (uint32_t)playback->extras.count;
    }
    oxi_touched_extra(playback, touched)->first_block = (uint32_t)playback->blocks.count;
    for (uint32_t k = 1; is_done && k < target->column_count; k++) {
        if (target->columns[k].buffer != NULL) {
            is_done = plan_block(playback, touched, &target->columns[k]);
        }
    }
    return is_done;
}
