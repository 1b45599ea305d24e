// SPDX-License-Identifier: MIT
//
// Changes to the entities of an array. They do what the calls for one entity would do to each in
// turn, but all or none: everything is checked, then reserved, then changed.

#include "entities/entity_arrays.h"

#include "entities/fences.h"
#include "entities/kinds.h"

#include "base/text.h"
#include "storage/archetype.h"
#include "storage/shared_values.h"

bool oxi_entities_require(const ox_world *world, const ox_entity *entities, int64_t count,
                          const char *function, ox_site site) {
    // Too many have a double, or one that is not alive.
    if ((count < 0 &&
         !oxi_count_require(world, count, world->store.entities.alive, function, site)) ||
        (count > 0 && !OXI_REQUIRE_ARGUMENT(entities, function, site))) {
        return false;
    }
    for (int64_t k = 0; k < count; k++) {
        if (oxi_entity_find(&world->store.entities, entities[k]) == NULL) {
            char element[96];
            oxi_text_print(element, sizeof element, "%s, entities[%lld],", function, (long long)k);
            oxi_world_report_stale(world, entities[k], element, site);
            return false;
        }
    }
    return true;
}

// Those that were seen are marked meanwhile: reports come when all marks are gone.
static int64_t count_up_to_double(ox_world *world, const ox_entity *entities, int64_t count) {
    oxi_record *records = world->store.entities.records;
    int64_t seen = 0;
    while (seen < count && !oxi_record_is_marked(&records[entities[seen].index])) {
        oxi_record_mark(&records[entities[seen++].index]);
    }
    for (int64_t k = 0; k < seen; k++) {
        oxi_record_unmark(&records[entities[k].index]);
    }
    return seen;
}

bool oxi_entities_require_single(ox_world *world, const ox_entity *entities, int64_t count,
                                 const char *function, ox_site site) {
    int64_t seen = count_up_to_double(world, entities, count);
    if (seen == count) {
        return true;
    }
    char element[96];
    oxi_text_print(element, sizeof element, "entities[%lld], which is entity %u:%u,",
                   (long long)seen, (unsigned)entities[seen].index,
                   (unsigned)entities[seen].version);
    return OXI_REPORT(&world->sink, OX_REPORT_DUPLICATE, site, OXI_NAME("what", element),
                      OXI_NAME("function", function));
}

static const oxi_record *record_of(const ox_world *world, ox_entity entity) {
    return &world->store.entities.records[entity.index];
}

bool oxi_world_carry_out(ox_world *world, oxi_plan *plan, const oxi_plan_change *change,
                         bool is_listed, ox_site site) {
    oxi_outcome outcome = is_listed ? oxi_plan_reserve(plan, change) : OXI_NO_MEMORY;
    if (outcome != OXI_DONE) {
        // First, so that a query that is used in the handler sees no archetype that goes.
        oxi_plan_undo(plan);
        return oxi_world_report_move(world, outcome, site);
    }
    oxi_world_note_change(world, site);
    oxi_plan_commit(plan, change);
    oxi_world_check(world);
    return true;
}

// Lists entities and makes the change. Jobs are complete. @return false after a report.
static bool change_all(ox_world *world, const ox_entity *entities, int64_t count,
                       const oxi_plan_change *change, ox_site site) {
    oxi_plan plan = {.store = &world->store};
    bool is_listed = oxi_list_reserve_in(world->store.heap, &plan.rows, (size_t)count);
    for (int64_t k = 0; is_listed && k < count; k++) {
        is_listed = oxi_plan_push(&plan, entities[k]);
    }
    return oxi_world_carry_out(world, &plan, change, is_listed, site);
}

// Takes the shared value, adds it, and lets it go: lanes have it, or nothing came of it.
static bool add_shared(ox_world *world, const ox_entity *entities, int64_t count,
                       const ox_value *given, ox_site site) {
    oxi_choices choices = {.count = 0};
    oxi_store_number(&world->store, given->component);
    if (!oxi_shared_make_default(&world->store, ox_component_get_info(given->component)) ||
        !oxi_choices_take(world, given, 1, &choices)) {
        return oxi_world_report(world, OXI_NO_MEMORY, site);
    }
    oxi_plan_change change = {OXI_PLAN_ADD, given->component, .choice = choices.items};
    bool is_done = change_all(world, entities, count, &change, site);
    oxi_choices_leave(world, &choices);
    return is_done;
}

bool ox_entities_add_at(ox_world *world, const ox_entity *entities, int64_t count,
                        uint32_t component, const void *value, ox_site site) {
    static const char function[] = "ox_entities_add";
    if (!oxi_world_enter(world, function, site) ||
        !oxi_component_require_given(world, component, value, function, site) ||
        !oxi_entities_require(world, entities, count, function, site)) {
        return false;
    }
    for (int64_t k = 0; k < count; k++) {
        if (!oxi_require_no_residue(world, record_of(world, entities[k]), entities[k], function,
                                    site)) {
            return false;
        }
    }
    if (count == 0) {
        return true;
    }
    if (!oxi_sync_all(world, site)) {
        return false;
    }
    ox_value given = {component, value};
    if (oxi_kind_of_id(component)->in_lane) {
        return add_shared(world, entities, count, &given, site);
    }
    oxi_plan_change change = {OXI_PLAN_ADD, component, .gives = true, .value = value};
    return change_all(world, entities, count, &change, site);
}

static bool require_component(const ox_world *world, const ox_entity *entities, int64_t count,
                              uint32_t component, ox_site site) {
    for (int64_t k = 0; k < count; k++) {
        const oxi_archetype *archetype = oxi_archetype_of(record_of(world, entities[k])->chunk);
        if (!OXI_REQUIRE(oxi_archetype_find_type(&world->store, archetype, component) >= 0,
                         &world->sink, OX_REPORT_NO_COMPONENT, site,
                         OXI_NUMBER("index", entities[k].index),
                         OXI_NUMBER("version", entities[k].version), OXI_NAME("world", world->name),
                         OXI_NAME("component", ox_component_get_info(component)->name),
                         OXI_NAME("question", "ox_has"))) {
            return false;
        }
    }
    return true;
}

bool ox_entities_remove_at(ox_world *world, const ox_entity *entities, int64_t count,
                           uint32_t component, ox_site site) {
    static const char function[] = "ox_entities_remove";
    if (!oxi_world_enter(world, function, site) ||
        !oxi_component_require_given(world, component, NULL, function, site) ||
        !oxi_entities_require(world, entities, count, function, site) ||
        !require_component(world, entities, count, component, site)) {
        return false;
    }
    if (count == 0) {
        return true;
    }
    oxi_plan_change change = {OXI_PLAN_REMOVE, .component = component};
    return oxi_sync_all(world, site) &&
           oxi_entities_require_single(world, entities, count, function, site) &&
           change_all(world, entities, count, &change, site);
}

int64_t ox_entities_count_with_id(const ox_world *world, const ox_entity *entities, int64_t count,
                                  uint32_t component) {
    int64_t found = 0;
    if (entities == NULL || !oxi_world_is_there(world, "ox_entities_count_with")) {
        return 0;
    }
    for (int64_t k = 0; k < count; k++) {
        found += ox_has_id(world, entities[k], component);
    }
    return found;
}
