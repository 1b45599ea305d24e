// SPDX-License-Identifier: MIT
//
// Values of components: get, edit, read, set, has.

#include "entities/fences.h"
#include "entities/kinds.h"

#include "oxbow/detail/element.h"

#include <string.h>

bool ox_entity_exists(const ox_world *world, ox_entity entity) {
    return oxi_world_is_there(world, "ox_entity_exists") &&
           oxi_entity_find(&world->store.entities, entity) != NULL;
}

bool ox_has_id(const ox_world *world, ox_entity entity, uint32_t component) {
    if (!oxi_world_is_there(world, "ox_has")) {
        return false;
    }
    const oxi_record *record = oxi_entity_find(&world->store.entities, entity);
    return record != NULL && component <= OXI_MAX_TYPES &&
           oxi_archetype_find_type(&world->store, oxi_archetype_of(record->chunk), component) >= 0;
}

// A component of an entity: where its value is.
typedef struct found_value {
    oxi_record *record;
    uint32_t type;
    uint32_t cell;
} found_value;

// Finds a component with a value. @return false when something is wrong with it.
static inline bool find_value(const ox_world *world, ox_entity entity, uint32_t component,
                              found_value *found) {
    found->record = oxi_entity_find(&world->store.entities, entity);
    uint32_t local = component <= OXI_MAX_TYPES ? world->store.local_of[component] : 0;
    if (found->record == NULL) {
        return false;
    }
    oxi_component_place place =
        oxi_archetype_find_local(oxi_archetype_of(found->record->chunk), local);
    found->cell = place.cell;
    found->type = place.type - 1;
    return found->cell != 0;
}

OXI_NOINLINE void oxi_report_no_value(const ox_world *world, ox_entity entity, uint32_t component,
                                      const char *function, ox_site site) {
    if (oxi_world_find(world, entity, function, site) == NULL ||
        !oxi_component_check(world, component, site)) {
        return;
    }
    if (ox_has_id(world, entity, component)) {
        oxi_report_unreached(world, component, oxi_kind_of_id(component)->advice_entity, function,
                             site);
        return;
    }
    OXI_REPORT(&world->sink, OX_REPORT_NO_COMPONENT, site, OXI_NUMBER("index", entity.index),
               OXI_NUMBER("version", entity.version), OXI_NAME("world", world->name),
               OXI_NAME("component", ox_component_get_info(component)->name),
               OXI_NAME("question", oxi_is_lookup(function) ? "ox_lookup_has" : "ox_has"));
}

static inline char *address_of(const found_value *found) {
    OXI_ASSERT(found->record->row < oxi_chunk_entry_of(found->record->chunk)->count);
    return oxi_cell_value(found->record->chunk, found->record->row, found->cell);
}

static inline void stamp_type(ox_world *world, const found_value *found) {
    OXI_ASSERT(found->type < oxi_archetype_of(found->record->chunk)->type_count);
    oxi_chunk_entry_of(found->record->chunk)->meta->versions[found->type] = world->store.version;
}

// The value of a shared component, which no job writes. NULL when it is no such, or not there.
static const void *find_shared(const ox_world *world, ox_entity entity, uint32_t component) {
    return oxi_shared_value_of(world, oxi_entity_find(&world->store.entities, entity), component);
}

// Get, edit and read are leaves of the program's own loops: where no job has to be waited for and
// no hole to be closed they call nothing. The rest is done out of line.

// For ox_get, whose pointer stays, and for ox_read, which moves nothing.
OXI_NOINLINE static const void *read_slowly(ox_world *world, ox_entity entity, uint32_t component,
                                            bool stays, ox_site site) {
    found_value found;
    if (!find_value(world, entity, component, &found)) {
        const void *shared = find_shared(world, entity, component);
        if (shared == NULL) {
            oxi_report_no_value(world, entity, component, stays ? "ox_get" : "ox_read", site);
        }
        return shared != NULL ? shared : oxi_element_zeros();
    }
    if (!oxi_sync_read(world, component, site)) {
        return oxi_element_zeros();
    }
    if (stays) {
        oxi_row_settle(&world->store, found.record);
    }
    return address_of(&found);
}

const void *ox_get_at(ox_world *world, ox_entity entity, uint32_t component, ox_site site) {
    found_value found;
    if (!oxi_world_enter(world, "ox_get", site)) {
        return oxi_element_zeros();
    }
    return find_value(world, entity, component, &found) && oxi_world_is_calm(world)
               ? address_of(&found)
               : read_slowly(world, entity, component, true, site);
}

OXI_NOINLINE static void *edit_slowly(ox_world *world, ox_entity entity, uint32_t component,
                                      ox_site site) {
    found_value found;
    if (!find_value(world, entity, component, &found)) {
        oxi_report_no_value(world, entity, component, "ox_edit", site);
        return oxi_element_scratch();
    }
    if (!oxi_sync_write(world, component, site)) {
        return oxi_element_scratch();
    }
    oxi_row_settle(&world->store, found.record);
    stamp_type(world, &found);
    return address_of(&found);
}

void *ox_edit_at(ox_world *world, ox_entity entity, uint32_t component, ox_site site) {
    found_value found;
    if (!oxi_world_enter(world, "ox_edit", site)) {
        return oxi_element_scratch();
    }
    if (!find_value(world, entity, component, &found) || !oxi_world_is_calm(world)) {
        return edit_slowly(world, entity, component, site);
    }
    stamp_type(world, &found);
    return address_of(&found);
}

const void *ox_read_at(ox_world *world, ox_entity entity, uint32_t component, ox_site site) {
    found_value found;
    if (!oxi_world_enter(world, "ox_read", site)) {
        return oxi_element_zeros();
    }
    return find_value(world, entity, component, &found) && world->busy.count == 0
               ? address_of(&found)
               : read_slowly(world, entity, component, false, site);
}

bool ox_set_at(ox_world *world, ox_entity entity, uint32_t component, const void *value,
               ox_site site) {
    found_value found;
    if (!oxi_world_enter(world, "ox_set", site) || !OXI_REQUIRE_ARGUMENT(value, "ox_set", site)) {
        return false;
    }
    if (!find_value(world, entity, component, &found)) {
        if (oxi_shared_set_again(world, entity, component, value, site)) {
            return true;
        }
        if (find_shared(world, entity, component) != NULL) {
            return oxi_shared_set(world, entity, component, value, site);
        }
        oxi_report_no_value(world, entity, component, "ox_set", site);
        return false;
    }
    if (!oxi_sync_write(world, component, site)) {
        return false;
    }
    stamp_type(world, &found);
    oxi_copy_value(address_of(&found), value, found.cell >> 16);
    return true;
}

bool oxi_values_require(const ox_world *world, const ox_value *values, int count, ox_site site) {
    if (!oxi_count_require(world, count, OXI_MAX_ENTITY_TYPES, "a list of values", site) ||
        (count > 0 && !OXI_REQUIRE_ARGUMENT(values, "a list of values", site))) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        if (!oxi_component_require_given(world, values[k].component, values[k].value,
                                         "a list of values", site)) {
            return false;
        }
    }
    return true;
}

void oxi_give_value(ox_world *world, oxi_row_place place, const ox_value *value, bool moved) {
    OXI_ASSERT(place.row < oxi_chunk_entry_of(place.chunk)->count);
    bool is_shared = oxi_kind_of_id(value->component)->in_lane;
    if (moved || !is_shared) {
        oxi_row_give(&world->store, place, value->component, value->value);
    }
}
