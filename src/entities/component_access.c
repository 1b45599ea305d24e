// SPDX-License-Identifier: MIT
//
// Values of components: get, edit, read, set, has.

#include "entities/fences.h"

#include "oxbow/element.h"

#include <string.h>

bool ox_entity_exists(const ox_world *world, ox_entity entity) {
    return world != NULL && oxi_entity_find(&world->store.entities, entity) != NULL;
}

bool ox_component_has(const ox_world *world, ox_entity entity, uint32_t component) {
    const oxi_record *record =
        world != NULL ? oxi_entity_find(&world->store.entities, entity) : NULL;
    return record != NULL && component <= OXI_MAX_TYPES &&
           oxi_archetype_find_type(&world->store, oxi_archetype_of(&world->store, record->chunk),
                                   component) >= 0;
}

// A component of an entity: where its value is.
typedef struct found_value {
    const char *function; // who looks for it
    oxi_record *record;
    uint32_t type;
    uint32_t column;
} found_value;

static bool report_no_component(const ox_world *world, ox_entity entity, uint32_t component,
                                ox_site site) {
    return oxi_component_check(world, component, site) &&
           OXI_REPORT(&world->sink, OX_REPORT_NO_COMPONENT, site, OXI_NUMBER("index", entity.index),
                      OXI_NUMBER("version", entity.version), OXI_NAME("world", world->name),
                      OXI_NAME("component", ox_component_get_info(component)->name));
}

// Finds a component with a value, for `found->function`. @return false after a report.
static bool find_value(ox_world *world, ox_entity entity, uint32_t component, found_value *found,
                       ox_site site) {
    found->record = oxi_world_find(world, entity, found->function, site);
    if (found->record == NULL) {
        return false;
    }
    const oxi_archetype *archetype = oxi_archetype_of(&world->store, found->record->chunk);
    int32_t type = component <= OXI_MAX_TYPES
                       ? oxi_archetype_find_type(&world->store, archetype, component)
                       : -1;
    if (type < 0) {
        return report_no_component(world, entity, component, site);
    }
    found->type = (uint32_t)type;
    found->column = archetype->column_of_type[type];
    return found->column != 0 || oxi_world_report_tag(world, component, site);
}

static void *address_of(const ox_world *world, const found_value *found) {
    oxi_row_place place = {found->record->chunk, found->record->row};
    return oxi_column_at(oxi_archetype_of(&world->store, place.chunk), found->column, place);
}

static void stamp_type(ox_world *world, const found_value *found) {
    oxi_chunk_entry_of(found->record->chunk)->meta->versions[found->type] = world->store.version;
}

// The cell of a component that an entity has, with its record; 0 when something is wrong.
static inline uint32_t find_cell(const ox_world *world, ox_entity entity, uint32_t component,
                                 oxi_record **record) {
    *record = oxi_entity_find(&world->store.entities, entity);
    return *record != NULL
               ? oxi_archetype_find_cell(
                     &world->store, oxi_archetype_of(&world->store, (*record)->chunk), component)
               : 0;
}

const void *ox_component_get_at(ox_world *world, ox_entity entity, uint32_t component,
                                ox_site site) {
    found_value found = {.function = "ox_get"};
    if (!oxi_world_enter(world, found.function, site)) {
        return ox_element_zeros();
    }
    uint32_t cell = find_cell(world, entity, component, &found.record);
    if (cell == 0) {
        find_value(world, entity, component, &found, site); // says what is wrong
        return ox_element_zeros();
    }
    oxi_sync_read(world, component, site);
    oxi_row_settle(&world->store, found.record);
    return oxi_cell_value(found.record->chunk, found.record->row, cell);
}

void *ox_component_edit_at(ox_world *world, ox_entity entity, uint32_t component, ox_site site) {
    found_value found = {.function = "ox_edit"};
    if (!oxi_world_enter(world, found.function, site) ||
        !find_value(world, entity, component, &found, site)) {
        return ox_element_scratch();
    }
    oxi_sync_write(world, component, site);
    oxi_row_settle(&world->store, found.record);
    stamp_type(world, &found);
    return address_of(world, &found);
}

const void *ox_component_peek_at(ox_world *world, ox_entity entity, uint32_t component,
                                 ox_site site) {
    found_value found = {.function = "ox_read"};
    if (!oxi_world_enter(world, found.function, site) ||
        !find_value(world, entity, component, &found, site)) {
        return ox_element_zeros();
    }
    oxi_sync_read(world, component, site);
    return address_of(world, &found);
}

bool ox_component_set_at(ox_world *world, ox_entity entity, uint32_t component, const void *value,
                         ox_site site) {
    found_value found = {.function = "ox_set"};
    if (!oxi_world_enter(world, found.function, site) ||
        !OXI_REQUIRE_ARGUMENT(value, found.function, site) ||
        !find_value(world, entity, component, &found, site)) {
        return false;
    }
    oxi_sync_write(world, component, site);
    stamp_type(world, &found);
    memcpy(address_of(world, &found), value, ox_component_get_info(component)->size);
    return true;
}

bool oxi_values_require(const ox_world *world, const ox_value *values, int count, ox_site site) {
    if (!OXI_REQUIRE(count >= 0 && count <= OXI_MAX_ARCHETYPE_TYPES, &world->sink,
                     OX_REPORT_BAD_COUNT, site, OXI_INTEGER("count", count),
                     OXI_NAME("function", "a list of values")) ||
        (count > 0 && !OXI_REQUIRE_ARGUMENT(values, "a list of values", site))) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        if (!oxi_component_check(world, values[k].component, site)) {
            return false;
        }
    }
    return true;
}

void oxi_write_value(const ox_world *world, const oxi_archetype *archetype, oxi_row_place place,
                     const ox_value *value) {
    int32_t type = oxi_archetype_find_type(&world->store, archetype, value->component);
    uint32_t column = archetype->column_of_type[type];
    if (column == 0) {
        return; // a tag
    }
    char *to = oxi_column_at(archetype, column, place);
    uint32_t size = archetype->columns[column].size;
    if (value->value != NULL) {
        oxi_copy_value(to, value->value, size);
    } else {
        memset(to, 0, size);
    }
}
