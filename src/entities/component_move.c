// SPDX-License-Identifier: MIT
//
// Adding and removing components: an entity moves to another archetype, once for each call.
//
// Reserving finds the way and makes room; it may fail, and takes back an archetype that it made.
// Committing moves the row.

#include "entities/fences.h"
#include "entities/kinds.h"
#include "storage/shared_values.h"

#include <string.h>

// Where an entity goes.
typedef struct component_move {
    ox_entity entity;
    oxi_record *record;
    oxi_archetype *from;
    const oxi_edge *edge; // NULL: it stays where it is
    oxi_lane *lane;       // of its target, pinned
    oxi_choices choices;  // shared values that it gets
    size_t archetypes;    // how many there were before
} component_move;

// @return false after a report.
static bool begin_move(ox_world *world, ox_entity entity, component_move *move,
                       const char *function, ox_site site) {
    move->entity = entity;
    move->record = oxi_world_find(world, entity, function, site);
    move->edge = NULL;
    move->lane = NULL;
    move->choices.count = 0;
    move->archetypes = world->store.archetypes.count;
    if (move->record == NULL) {
        return false;
    }
    move->from = oxi_archetype_of(move->record->chunk);
    return oxi_sync_wait(world, site); // before the way is made
}

// Takes back what was made for a move that cannot be.
static void undo_move(ox_world *world, component_move *move, oxi_archetype *target) {
    if (move->lane != NULL) {
        oxi_lane_leave(&world->store, target, move->lane);
    }
    oxi_choices_leave(world, &move->choices);
    oxi_world_undo_set(world, move->archetypes);
}

// Finds the way to a target, unless it is known, and makes room at its end.
static oxi_outcome reserve_way(ox_world *world, component_move *move, oxi_archetype *target) {
    oxi_outcome outcome = OXI_DONE;
    move->lane = oxi_choices_find_lane(world, target, move->record->chunk, &move->choices);
    if (move->lane == NULL) {
        return OXI_NO_MEMORY;
    }
    if (target == move->from && move->lane == oxi_lane_of(target, move->record->chunk)) {
        return OXI_DONE; // it is there
    }
    if (move->edge == NULL) {
        move->edge = oxi_edge_to(&world->store, move->from, target, &outcome);
    }
    return move->edge != NULL ? oxi_rows_reserve(&world->store, target, move->lane, 1) : outcome;
}

// Plans the move to a target, with the shared ones of these values. What was made for it goes when
// it cannot be. @return false after a report.
static bool plan_move(ox_world *world, component_move *move, oxi_archetype *target,
                      const ox_value *values, uint32_t count, ox_site site) {
    oxi_outcome outcome = oxi_choices_take(world, values, count, &move->choices)
                              ? reserve_way(world, move, target)
                              : OXI_NO_MEMORY;
    if (outcome != OXI_DONE) {
        undo_move(world, move, target);
    }
    return oxi_world_report(world, outcome, site);
}

// Moves the entity, if it has to. Its new components are zero.
static oxi_row_place commit_move(ox_world *world, component_move *move, ox_site site) {
    oxi_sync_tell(world, site);
    oxi_world_note_change(world, site);
    oxi_archetype *target = move->edge != NULL ? move->edge->target : move->from;
    if (move->edge != NULL) {
        oxi_row_move(&world->store, move->edge, move->lane, move->entity, move->record, NULL);
    }
    oxi_row_place place = {move->record->chunk, move->record->row};
    oxi_lane_leave(&world->store, target, move->lane);
    oxi_choices_leave(world, &move->choices);
    return place;
}

// The way that the last entity of this archetype went, when this one can go it at once: then all
// that may be wrong was looked at already. Else NULL.
static const oxi_edge *find_beaten_way(const ox_world *world, const oxi_record *record,
                                       uint32_t component, uint32_t kind) {
    if (record == NULL || world->change_needs != 0) {
        return NULL;
    }
    const oxi_edge *edge = oxi_edge_recent(oxi_archetype_of(record->chunk), component, kind);
    return edge != NULL && oxi_row_has_room(edge->target) ? edge : NULL;
}

OXI_NOINLINE static bool add_component_slowly(ox_world *world, ox_entity entity, uint32_t component,
                                              const void *value, ox_site site) {
    component_move move;
    if (!oxi_component_require_given(world, component, value, "ox_add", site) ||
        !begin_move(world, entity, &move, "ox_add", site) ||
        !oxi_require_no_residue(world, move.record, entity, "ox_add", site)) {
        return false;
    }
    oxi_archetype *target = move.from;
    if (oxi_archetype_find_type(&world->store, move.from, component) < 0) {
        oxi_outcome outcome;
        move.edge = oxi_edge_add(&world->store, move.from, component, &outcome);
        if (move.edge == NULL) {
            return oxi_world_report_move(world, outcome, site);
        }
        target = move.edge->target;
    }
    bool is_new = move.edge != NULL;
    if (!plan_move(world, &move, target, &(ox_value){component, value}, 1, site)) {
        return false;
    }
    oxi_row_place place = commit_move(world, &move, site);
    if (value != NULL || !is_new) {
        oxi_give_value(world, place, &(ox_value){component, value}, move.edge != NULL);
    }
    oxi_world_check(world);
    return true;
}

bool ox_add_at(ox_world *world, ox_entity entity, uint32_t component, const void *value,
               ox_site site) {
    if (!oxi_world_enter(world, "ox_add", site)) {
        return false;
    }
    oxi_record *record = oxi_entity_find(&world->store.entities, entity);
    const oxi_edge *edge = find_beaten_way(world, record, component, OXI_EDGE_ADDS);
    if (edge == NULL || oxi_edge_refuses(edge, value)) {
        return add_component_slowly(world, entity, component, value, site);
    }
    oxi_world_note_change(world, site);
    oxi_row_move(&world->store, edge, &edge->target->lane, entity, record, value);
    oxi_world_check(world);
    return true;
}

// The set of an entity with some components more, or less. Returns how many.
static uint32_t change_set(const ox_world *world, const oxi_archetype *from, const uint32_t *ids,
                           uint32_t count, bool removes, uint32_t *set) {
    uint32_t size = 0;
    for (uint32_t k = 0; k < from->type_count; k++) {
        bool is_named = false;
        for (uint32_t n = 0; removes && n < count; n++) {
            is_named = is_named || from->types[k] == ids[n];
        }
        if (!is_named) {
            set[size++] = from->types[k];
        }
    }
    for (uint32_t n = 0; !removes && n < count; n++) {
        if (oxi_archetype_find_type(&world->store, from, ids[n]) < 0) {
            set[size++] = ids[n];
        }
    }
    return size;
}

// Each component of the list once.
static bool require_single(const ox_world *world, const uint32_t *ids, uint32_t count,
                           ox_site site) {
    for (uint32_t k = 1; k < count; k++) {
        for (uint32_t n = 0; n < k; n++) {
            if (!OXI_REQUIRE(ids[n] != ids[k], &world->sink, OX_REPORT_DUPLICATE, site,
                             OXI_NAME("what", ox_component_get_info(ids[k])->name),
                             OXI_NAME("function", "a list of components"))) {
                return false;
            }
        }
    }
    return true;
}

bool ox_add_many_at(ox_world *world, ox_entity entity, const ox_value *values, int count,
                    ox_site site) {
    component_move move;
    uint32_t ids[OXI_MAX_ENTITY_TYPES], set[2 * OXI_MAX_ENTITY_TYPES];
    if (!oxi_world_enter(world, "ox_add_many", site) ||
        !oxi_values_require(world, values, count, site)) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        ids[k] = values[k].component;
    }
    if (!require_single(world, ids, (uint32_t)count, site) ||
        !begin_move(world, entity, &move, "ox_add_many", site) ||
        !oxi_require_no_residue(world, move.record, entity, "ox_add_many", site)) {
        return false;
    }
    uint32_t size = change_set(world, move.from, ids, (uint32_t)count, false, set);
    oxi_archetype *target = oxi_world_find_set(world, set, size, site);
    if (target == NULL || !plan_move(world, &move, target, values, (uint32_t)count, site)) {
        return false;
    }
    oxi_row_place place = commit_move(world, &move, site);
    for (int k = 0; k < count; k++) {
        oxi_give_value(world, place, &values[k], move.edge != NULL);
    }
    oxi_world_check(world);
    return true;
}

static bool require_present(const ox_world *world, const component_move *move, ox_entity entity,
                            const uint32_t *ids, uint32_t count, ox_site site) {
    for (uint32_t k = 0; k < count; k++) {
        if (!oxi_component_require_given(world, ids[k], NULL, "ox_remove", site) ||
            !OXI_REQUIRE(oxi_archetype_find_type(&world->store, move->from, ids[k]) >= 0,
                         &world->sink, OX_REPORT_NO_COMPONENT, site,
                         OXI_NUMBER("index", entity.index), OXI_NUMBER("version", entity.version),
                         OXI_NAME("world", world->name),
                         OXI_NAME("component", ox_component_get_info(ids[k])->name),
                         OXI_NAME("question", "ox_has"))) {
            return false;
        }
    }
    return require_single(world, ids, count, site);
}

// The archetype of what an entity keeps. @return NULL after a report.
static oxi_archetype *find_rest(ox_world *world, const component_move *move, const uint32_t *ids,
                                uint32_t count, ox_site site) {
    uint32_t set[OXI_MAX_ARCHETYPE_TYPES];
    uint32_t size = change_set(world, move->from, ids, count, true, set);
    if (!move->from->is_residue) {
        return oxi_world_find_set(world, set, size, site);
    }
    // The tag of what is destroyed stays, though nobody may ask for it.
    uint16_t types[OXI_MAX_ARCHETYPE_TYPES];
    for (uint32_t k = 0; k < size; k++) {
        types[k] = (uint16_t)set[k];
    }
    oxi_outcome outcome;
    oxi_archetype *target = oxi_archetype_get(&world->store, types, size, &outcome);
    oxi_world_report(world, outcome, site);
    return target;
}

static bool plan_removal(ox_world *world, component_move *move, const uint32_t *ids, uint32_t count,
                         ox_site site) {
    oxi_archetype *target = NULL;
    if (count == 1) {
        oxi_outcome outcome;
        move->edge = oxi_edge_remove(&world->store, move->from, ids[0], &outcome);
        target = move->edge != NULL ? move->edge->target : NULL;
        if (target == NULL) {
            return oxi_world_report(world, outcome, site);
        }
    } else {
        target = find_rest(world, move, ids, count, site);
    }
    return target != NULL && plan_move(world, move, target, NULL, 0, site);
}

OXI_NOINLINE static bool remove_components_slowly(ox_world *world, ox_entity entity,
                                                  const uint32_t *components, int count,
                                                  ox_site site) {
    component_move move;
    if (!oxi_count_require(world, count, OXI_MAX_ENTITY_TYPES, "ox_remove", site) ||
        (count > 0 && !OXI_REQUIRE_ARGUMENT(components, "ox_remove", site)) ||
        !begin_move(world, entity, &move, "ox_remove", site) ||
        !require_present(world, &move, entity, components, (uint32_t)count, site)) {
        return false;
    }
    if (oxi_residue_ends(move.from, (uint32_t)count)) {
        oxi_sync_tell(world, site);
        oxi_world_note_change(world, site);
        oxi_entity_end(&world->store, entity);
    } else if (plan_removal(world, &move, components, (uint32_t)count, site)) {
        commit_move(world, &move, site);
    } else {
        return false;
    }
    oxi_world_check(world);
    return true;
}

bool ox_remove_many_at(ox_world *world, ox_entity entity, const uint32_t *components, int count,
                       ox_site site) {
    if (!oxi_world_enter(world, "ox_remove", site)) {
        return false;
    }
    oxi_record *record = oxi_entity_find(&world->store.entities, entity);
    const oxi_edge *edge = count == 1 && components != NULL
                               ? find_beaten_way(world, record, components[0], OXI_EDGE_REMOVES)
                               : NULL;
    if (edge == NULL) {
        return remove_components_slowly(world, entity, components, count, site);
    }
    oxi_world_note_change(world, site);
    oxi_row_move(&world->store, edge, &edge->target->lane, entity, record, NULL);
    oxi_world_check(world);
    return true;
}

bool ox_entity_set_archetype_at(ox_world *world, ox_entity entity, ox_archetype handle,
                                ox_site site) {
    component_move move;
    oxi_archetype *target = NULL;
    if (oxi_world_enter(world, "ox_entity_set_archetype", site)) {
        target = oxi_world_archetype(world, handle, site);
    }
    if (target == NULL || !begin_move(world, entity, &move, "ox_entity_set_archetype", site) ||
        !oxi_require_no_residue(world, move.record, entity, "ox_entity_set_archetype", site) ||
        !plan_move(world, &move, target, NULL, 0, site)) {
        return false;
    }
    commit_move(world, &move, site);
    oxi_world_check(world);
    return true;
}

static inline bool has_same_bytes(const void *a, const void *b, uint32_t size) {
    uint32_t first = 0, second = 0;
    if (size != sizeof first) {
        return memcmp(a, b, size) == 0;
    }
    memcpy(&first, a, sizeof first);
    memcpy(&second, b, sizeof second);
    return first == second;
}

// Goes the way of the last entity whose shared component was set, when this one can: from the same
// lane, to a value of the same bytes.
bool oxi_shared_set_again(ox_world *world, ox_entity entity, uint32_t component, const void *value,
                          ox_site site) {
    const oxi_shared_way *way = &world->shared_way;
    oxi_record *record = oxi_entity_find(&world->store.entities, entity);
    if (way->to == NULL || way->component != component || way->lanes != world->store.lane_serial ||
        world->change_needs != 0 || record == NULL || way->to->open_room == 0) {
        return false;
    }
    oxi_archetype *archetype = oxi_archetype_of(record->chunk);
    if (archetype != way->edge->target || oxi_lane_of(archetype, record->chunk) != way->from ||
        !has_same_bytes(way->bytes, value, way->size)) {
        return false;
    }
    oxi_world_note_change(world, site);
    oxi_row_move(&world->store, way->edge, way->to, entity, record, NULL);
    oxi_chunk_entry_of(record->chunk)->meta->versions[way->type] = world->store.version;
    oxi_world_check(world);
    return true;
}

// Remembers the way of a move that was planned.
static void keep_shared_way(ox_world *world, const component_move *move, uint32_t component) {
    uint32_t number = oxi_lane_shared_number(&world->store, move->from, move->lane, component);
    world->shared_way = (oxi_shared_way){
        .component = component,
        .type = (uint32_t)oxi_archetype_find_type(&world->store, move->from, component),
        .size = ox_component_get_info(component)->size,
        .bytes = oxi_shared_at(&world->store, number)->bytes,
        .lanes = world->store.lane_serial,
        .from = oxi_lane_of(move->from, move->record->chunk),
        .to = move->lane,
        .edge = move->edge,
    };
}

bool oxi_shared_set(ox_world *world, ox_entity entity, uint32_t component, const void *value,
                    ox_site site) {
    component_move move;
    if (!begin_move(world, entity, &move, "ox_set", site) ||
        !plan_move(world, &move, move.from, &(ox_value){component, value}, 1, site)) {
        return false;
    }
    if (move.edge != NULL) {
        keep_shared_way(world, &move, component);
    }
    oxi_row_place place = commit_move(world, &move, site);
    oxi_give_value(world, place, &(ox_value){component, value}, move.edge != NULL);
    oxi_world_check(world);
    return true;
}
