// SPDX-License-Identifier: MIT
//
// What goes with kinds of components.
//
// A shared value that a call gives is stored before anything else is reserved, since a lane needs
// its number; the call's own reference goes when the lane has one, or nothing came of it.

#include "entities/kinds.h"

#include "entities/entity_job.h"
#include "storage/shared_values.h"

bool oxi_report_kind(const ox_world *world, uint32_t component, const char *function,
                     const char *advice, ox_site site) {
    const ox_component_info *info = ox_component_get_info(component);
    return OXI_REPORT(&world->sink, OX_REPORT_WRONG_KIND, site, OXI_NAME("function", function),
                      OXI_NAME("component", info != NULL ? info->name : "the entities"),
                      OXI_NAME("kind", oxi_kind_of_id(component)->noun),
                      OXI_NAME("advice", advice));
}

bool oxi_report_other_component(const ox_world *world, const char *kind, uint32_t component,
                                uint32_t named, ox_site site) {
    const ox_component_info *own = ox_component_get_info(component);
    const ox_component_info *other = ox_component_get_info(named);
    return OXI_REPORT(&world->sink, OX_REPORT_OTHER_COMPONENT, site, OXI_NAME("kind", kind),
                      OXI_NAME("component", own != NULL ? own->name : "the entities"),
                      OXI_NAME("named", other != NULL ? other->name : "none"));
}

bool oxi_report_unreached(const ox_world *world, uint32_t component, const char *advice,
                          const char *function, ox_site site) {
    if (!oxi_kind_of_id(component)->has_value) {
        return oxi_world_report_tag(world, component, site);
    }
    OXI_ASSERT(advice != NULL);
    return oxi_report_kind(world, component, function, advice, site);
}

bool oxi_report_no_column(const ox_world *world, uint32_t component, ox_site site) {
    return oxi_report_unreached(world, component, oxi_kind_of_id(component)->advice_chunk,
                                "a column of a chunk", site);
}

bool oxi_require_value(const ox_world *world, uint32_t component, ox_site site) {
    return oxi_kind_of_id(component)->has_value || oxi_world_report_tag(world, component, site);
}

bool oxi_require_shared(const ox_world *world, uint32_t component, const char *function,
                        ox_site site) {
    return oxi_kind_of_id(component)->in_lane ||
           oxi_report_kind(world, component, function, "use a shared component", site);
}

bool oxi_require_switch(const ox_world *world, uint32_t component, const char *function,
                        ox_site site) {
    return oxi_is_enableable(ox_component_get_info(component)) ||
           oxi_report_kind(world, component, function, "declare it with OX_ENABLEABLE,", site);
}

// What decides about rows by its switch is read.
bool oxi_term_accesses(ox_term_kind kind, uint32_t component) {
    const ox_component_info *info = ox_component_get_info(component);
    if (oxi_term_has_values(kind)) {
        return oxi_is_state_of_rows(info);
    }
    return oxi_is_enableable(info) && kind != OX_TERM_PRESENT && kind != OX_TERM_ABSENT &&
           kind != OX_TERM_INCLUDE;
}

bool oxi_component_require_given(const ox_world *world, uint32_t component, const void *value,
                                 const char *function, ox_site site) {
    if (!oxi_component_check(world, component, site)) {
        return false;
    }
    if (component == world->ids.residue) {
        return oxi_report_kind(
            world, component, function,
            "leave it alone: it comes when an entity is destroyed, and goes with its last "
            "cleanup component,",
            site);
    }
    return value == NULL || !oxi_kind_of_id(component)->in_buffer ||
           oxi_report_kind(world, component, function, "give no value, use ox_add_buffer", site);
}

bool oxi_require_no_residue(const ox_world *world, const oxi_record *record, ox_entity entity,
                            const char *function, ox_site site) {
    return OXI_REQUIRE(!oxi_archetype_of(record->chunk)->is_residue, &world->sink,
                       OX_REPORT_RESIDUE, site, OXI_NAME("function", function),
                       OXI_NUMBER("index", entity.index), OXI_NUMBER("version", entity.version),
                       OXI_NAME("world", world->name));
}

// Choices.

void oxi_choices_leave(ox_world *world, oxi_choices *choices) {
    while (choices->count > 0) {
        oxi_shared_cancel(&world->store, choices->items[--choices->count].number);
    }
}

bool oxi_choices_take(ox_world *world, const ox_value *values, uint32_t count,
                      oxi_choices *choices) {
    choices->count = 0;
    for (uint32_t k = 0; k < count; k++) {
        const ox_component_info *info = ox_component_get_info(values[k].component);
        if (!oxi_kind_of(info)->in_lane) {
            continue;
        }
        // An archetype that has the component was made: so the default is there.
        uint32_t number = oxi_shared_default(&world->store, info->id);
        OXI_ASSERT(number != 0);
        OXI_ASSERT(choices->count < OXI_MAX_SHARED_TYPES);
        if (values[k].value != NULL) {
            number = oxi_shared_take(&world->store, info, values[k].value);
        } else {
            oxi_shared_add_ref(&world->store, number);
        }
        if (number == 0) {
            oxi_choices_leave(world, choices);
            return false;
        }
        choices->items[choices->count++] = (oxi_shared_choice){values[k].component, number};
    }
    return true;
}

oxi_lane *oxi_choices_find_lane(ox_world *world, oxi_archetype *to, oxi_chunk chunk,
                                const oxi_choices *choices) {
    uint32_t values[OXI_MAX_SHARED_TYPES];
    OXI_ASSERT(oxi_lane_value_count(to) <= OXI_MAX_SHARED_TYPES);
    oxi_lane_values(&world->store, to, chunk, choices->items, choices->count, values);
    return oxi_lane_take(&world->store, to, values);
}

const void *oxi_shared_value_of(const ox_world *world, const oxi_record *record,
                                uint32_t component) {
    if (record == NULL || component > OXI_MAX_TYPES) {
        return NULL;
    }
    uint32_t number = oxi_chunk_shared_number(&world->store, oxi_archetype_of(record->chunk),
                                              record->chunk, component);
    return number != 0 ? oxi_shared_at(&world->store, number)->bytes : NULL;
}
