// SPDX-License-Identifier: MIT
//
// What goes with kinds of components.
//
// A shared value that a call gives is stored before anything else is reserved, since a lane needs
// its number; the call's own reference goes when the lane has one, or nothing came of it.

#include "entities/kinds.h"

#include "storage/shared_values.h"

static const char *name_of_kind(const ox_component_info *info) {
    static const char *const names[] = {"plain data", "a tag", "shared", "a buffer"};
    OXI_ASSERT((size_t)info->kind < sizeof names / sizeof *names);
    return names[info->kind];
}

bool oxi_report_kind(const ox_world *world, uint32_t component, const char *function,
                     const char *advice, ox_site site) {
    const ox_component_info *info = ox_component_get_info(component);
    return OXI_REPORT(&world->sink, OX_REPORT_WRONG_KIND, site, OXI_NAME("function", function),
                      OXI_NAME("component", info->name), OXI_NAME("kind", name_of_kind(info)),
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

bool oxi_report_no_column(const ox_world *world, uint32_t component, ox_site site) {
    static const char function[] = "a column of a chunk";
    switch (ox_component_get_info(component)->kind) {
    case OX_COMPONENT_KIND_SHARED:
        return oxi_report_kind(world, component, function,
                               "read it with ox_get or ox_chunk_get, change it with ox_set", site);
    case OX_COMPONENT_KIND_BUFFER:
        return oxi_report_kind(world, component, function,
                               "use ox_chunk_get_buffers_at, or ox_get and ox_edit,", site);
    default:
        return oxi_world_report_tag(world, component, site);
    }
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
    return value == NULL || ox_component_get_info(component)->kind != OX_COMPONENT_KIND_BUFFER ||
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
        if (info->kind != OX_COMPONENT_KIND_SHARED) {
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
    OXI_ASSERT(to->shared_count <= OXI_MAX_SHARED_TYPES);
    oxi_lane_values(&world->store, to, chunk, choices->items, choices->count, values);
    return oxi_lane_take(&world->store, to, values);
}

const void *oxi_shared_value_of(const ox_world *world, const oxi_record *record,
                                uint32_t component) {
    uint32_t number = oxi_chunk_shared_number(&world->store, oxi_archetype_of(record->chunk),
                                              record->chunk, component);
    return number != 0 ? oxi_shared_at(&world->store, number)->bytes : NULL;
}
