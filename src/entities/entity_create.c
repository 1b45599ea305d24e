// SPDX-License-Identifier: MIT
//
// Creating entities. All memory is reserved first, so nothing is half done.

#include "entities/fences.h"
#include "entities/kinds.h"

#include <string.h>

// New entities on their way: the lane they go to, and the shared values they are given.
typedef struct new_rows {
    oxi_archetype *archetype;
    oxi_lane *lane; // pinned
    oxi_choices choices;
} new_rows;

static void leave_rows(ox_world *world, new_rows *rows) {
    OXI_ASSERT(rows->lane != NULL);
    oxi_lane_leave(&world->store, rows->archetype, rows->lane);
    oxi_choices_leave(world, &rows->choices);
}

// Reserves `count` rows, with the shared ones of these values. When it fails nothing is held.
static oxi_outcome try_reserve(ox_world *world, new_rows *rows, const ox_value *values,
                               uint32_t value_count, uint32_t count) {
    rows->lane = NULL;
    oxi_outcome outcome = oxi_entity_reserve(&world->store.entities, count);
    if (outcome != OXI_DONE || !oxi_choices_take(world, values, value_count, &rows->choices)) {
        return outcome != OXI_DONE ? outcome : OXI_NO_MEMORY;
    }
    rows->lane = oxi_choices_find_lane(world, rows->archetype, 0, &rows->choices);
    outcome = rows->lane != NULL
                  ? oxi_rows_reserve(&world->store, rows->archetype, rows->lane, count)
                  : OXI_NO_MEMORY;
    if (outcome != OXI_DONE) {
        if (rows->lane != NULL) {
            oxi_lane_leave(&world->store, rows->archetype, rows->lane);
        }
        oxi_choices_leave(world, &rows->choices);
    }
    return outcome;
}

// Reports what a reservation came to, and tells that the world changes when it is done.
static bool finish_reserve(ox_world *world, oxi_outcome outcome, uint32_t count, ox_site site) {
    if (!oxi_world_report_entities(world, outcome, count, site)) {
        return false;
    }
    oxi_sync_tell(world, site);
    return true;
}

// Makes sure that `count` entities with default values can be made. @return false after a report.
static bool reserve_entities(ox_world *world, new_rows *rows, uint32_t count, ox_site site) {
    return oxi_sync_wait(world, site) &&
           finish_reserve(world, try_reserve(world, rows, NULL, 0, count), count, site);
}

// Gives a new entity a row; its values are not set. @return chunk 0 after a report.
OXI_NOINLINE static oxi_row_place begin_row_slow(ox_world *world, oxi_archetype *archetype,
                                                 ox_entity *entity, ox_site site) {
    if (world->change_needs == 0 && oxi_entity_has_room(&world->store, archetype)) {
        oxi_world_note_change(world, site);
        return oxi_entity_begin(&world->store, archetype, &archetype->lane, entity);
    }
    new_rows rows = {.archetype = archetype};
    if (!reserve_entities(world, &rows, 1, site)) {
        return (oxi_row_place){0, 0};
    }
    oxi_world_note_change(world, site);
    oxi_row_place place = oxi_entity_begin(&world->store, archetype, rows.lane, entity);
    leave_rows(world, &rows);
    return place;
}

static inline bool is_straight(const ox_world *world, const oxi_archetype *archetype) {
    return world->change_needs == 0 && oxi_entity_is_straight(&world->store, archetype);
}

// The same, where nearly always nothing has to be reserved or waited for.
static inline oxi_row_place begin_row(ox_world *world, oxi_archetype *archetype, ox_entity *entity,
                                      ox_site site) {
    if (!is_straight(world, archetype)) {
        return begin_row_slow(world, archetype, entity, site);
    }
    oxi_world_note_change(world, site);
    return oxi_entity_begin_straight(&world->store, archetype, entity);
}

static ox_entity create_zeroed(ox_world *world, oxi_archetype *archetype, ox_site site) {
    ox_entity entity = {0, 0};
    oxi_row_place place = begin_row(world, archetype, &entity, site);
    if (place.chunk == 0) {
        return entity;
    }
    if (archetype->column_count > 1) {
        oxi_rows_zero(archetype, (oxi_rows){place.chunk, place.row, 1});
    }
    oxi_world_check(world);
    return entity;
}

ox_entity ox_entity_create_in_at(ox_world *world, ox_archetype handle, ox_site site) {
    oxi_archetype *archetype = NULL;
    if (oxi_world_enter(world, "ox_entity_create_in", site)) {
        archetype = oxi_world_archetype(world, handle, site);
    }
    return archetype != NULL ? create_zeroed(world, archetype, site) : (ox_entity){0, 0};
}

bool ox_entities_create_at(ox_world *world, ox_archetype handle, ox_entity *entities, int64_t count,
                           ox_site site) {
    if (!oxi_world_enter(world, "ox_entities_create", site) ||
        !oxi_count_require(world, count, INT32_MAX, "ox_entities_create", site)) {
        return false;
    }
    oxi_archetype *archetype = oxi_world_archetype(world, handle, site);
    new_rows added = {.archetype = archetype};
    if (archetype == NULL || !reserve_entities(world, &added, (uint32_t)count, site)) {
        return false;
    }
    for (uint32_t left = (uint32_t)count; left > 0;) {
        oxi_rows rows = oxi_entities_begin(&world->store, archetype, added.lane, left, entities);
        OXI_ASSERT(rows.count > 0); // or this would not end
        OXI_ASSERT(rows.count <= left);
        oxi_rows_zero(archetype, rows);
        entities = entities != NULL ? entities + rows.count : NULL;
        left -= rows.count;
    }
    leave_rows(world, &added);
    if (count > 0) {
        oxi_world_note_change(world, site);
        oxi_note_change(&world->store, archetype);
    }
    oxi_world_check(world);
    return true;
}

// Values of a list that was used before: every one is known, and where it goes.
OXI_NOINLINE static ox_entity create_known(ox_world *world, const oxi_cached_set *set,
                                           const ox_value *values, ox_site site) {
    ox_entity entity = {0, 0};
    oxi_row_place place = begin_row(world, set->archetype, &entity, site);
    if (place.chunk == 0) {
        return entity;
    }
    OXI_ASSERT(oxi_archetype_of(place.chunk) == set->archetype);
    OXI_ASSERT(set->archetype->type_count == set->count); // each column gets a value
    for (uint32_t k = 0; k < set->count; k++) {
        char *to = oxi_cell_value(place.chunk, place.row, set->cells[k]);
        uint32_t size = set->cells[k] >> 16; // 0 for a tag
        if (values[k].value != NULL) {
            oxi_copy_value(to, values[k].value, size);
        } else {
            memset(to, 0, size);
        }
    }
    oxi_world_check(world);
    return entity;
}

// The same for small values, where it calls nothing unless something rare has to be done.
static inline ox_entity create_small(ox_world *world, const oxi_cached_set *set,
                                     const ox_value *values, ox_site site) {
    if (!set->is_small || !is_straight(world, set->archetype)) {
        return create_known(world, set, values, site);
    }
    ox_entity entity;
    oxi_world_note_change(world, site);
    oxi_row_place place = oxi_entity_begin_straight(&world->store, set->archetype, &entity);
    char *base = oxi_chunk_address(place.chunk);
    OXI_ASSERT(set->archetype->column_count == set->count + 1);
    for (uint32_t k = 0; k < set->count; k++) {
        OXI_ASSERT(set->cells[k] != 0);
        uint32_t size = set->cells[k] >> 16;
        char *to = base + (set->cells[k] & 0xffff) + (size_t)place.row * size;
        if (values[k].value != NULL) {
            oxi_copy_small(to, values[k].value, size);
        } else {
            oxi_zero_small(to, size);
        }
    }
    oxi_world_check(world);
    return entity;
}

OXI_NOINLINE static ox_entity create_new(ox_world *world, const ox_value *values, uint32_t count,
                                         ox_site site) {
    ox_entity entity = {0, 0};
    uint32_t ids[OXI_MAX_ENTITY_TYPES];
    for (uint32_t k = 0; k < count; k++) {
        ids[k] = values[k].component;
    }
    size_t before = world->store.archetypes.count;
    oxi_archetype *archetype =
        oxi_sync_wait(world, site) ? oxi_world_find_set(world, ids, count, site) : NULL;
    if (archetype == NULL) {
        return entity;
    }
    new_rows rows = {.archetype = archetype};
    oxi_outcome outcome = try_reserve(world, &rows, values, count, 1);
    if (outcome != OXI_DONE) {
        // First, so that a query that is used in the handler sees no archetype that goes.
        oxi_world_undo_set(world, before);
    }
    if (!finish_reserve(world, outcome, 1, site)) {
        return entity;
    }
    oxi_world_note_change(world, site);
    oxi_row_place place = oxi_entity_begin(&world->store, archetype, rows.lane, &entity);
    leave_rows(world, &rows);
    OXI_ASSERT(oxi_archetype_of(place.chunk) == archetype);
    // No value writes a buffer.
    oxi_rows_empty_buffers(archetype, (oxi_rows){place.chunk, place.row, 1});
    for (uint32_t k = 0; k < count; k++) {
        oxi_row_set(&world->store, place, values[k].component, values[k].value);
    }
    oxi_world_check(world);
    return entity;
}

// Values of a list that is not the one that was used last.
OXI_NOINLINE static ox_entity create_other(ox_world *world, const ox_value *values, int count,
                                           ox_site site) {
    if (count == 0) {
        return create_zeroed(world, oxi_archetype_at(&world->store, 0), site);
    }
    if (values != NULL && count > 0) {
        const oxi_cached_set *set = oxi_world_find_values(world, values, (uint32_t)count);
        if (set != NULL && set->is_plain) {
            return create_small(world, set, values, site);
        }
    }
    return oxi_values_require(world, values, count, site)
               ? create_new(world, values, (uint32_t)count, site)
               : (ox_entity){0, 0};
}

ox_entity ox_entity_create_at(ox_world *world, const ox_value *values, int count, ox_site site) {
    if (!oxi_world_enter(world, "ox_entity_create", site)) {
        return (ox_entity){0, 0};
    }
    const oxi_cached_set *set = world->last_set;
    return values != NULL && count > 0 && set->is_plain &&
                   oxi_set_is_of(set, values, (uint32_t)count)
               ? create_small(world, set, values, site)
               : create_other(world, values, count, site);
}
