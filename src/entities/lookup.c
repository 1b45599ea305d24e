// SPDX-License-Identifier: MIT
//
// Lookups: the offset of a column is kept as long as entities of one archetype are asked for.

#include "oxbow/views.h"

#include "entities/fences.h"
#include "oxbow/element.h"

ox_lookup ox_lookup_create_at(ox_world *world, uint32_t component, ox_site site) {
    if (!oxi_world_enter(world, "ox_lookup_create", site) ||
        !oxi_component_check(world, component, site)) {
        return (ox_lookup){0};
    }
    if (ox_component_get_info(component)->size == 0) {
        oxi_world_report_tag(world, component, site);
        return (ox_lookup){0};
    }
    return (ox_lookup){.world = world, .component = component};
}

bool ox_lookup_has(const ox_lookup *lookup, ox_entity entity) {
    return ox_component_has(lookup->world, entity, lookup->component);
}

// Keeps where the column is in an archetype. @return false when it has none.
static bool keep_column(ox_lookup *lookup, uint32_t index) {
    const oxi_store *store = &lookup->world->store;
    const oxi_archetype *archetype = oxi_archetype_at(store, index);
    int32_t type = oxi_archetype_find_type(store, archetype, lookup->component);
    if (type < 0) {
        return false;
    }
    const oxi_column *column = &archetype->columns[archetype->column_of_type[type]];
    lookup->oxi_archetype = index + 1;
    lookup->oxi_offset = column->offset;
    lookup->oxi_size = column->size;
    lookup->oxi_type = (uint32_t)type;
    return true;
}

// The record of an entity whose column is kept, or NULL when it has none.
static oxi_record *find_row(ox_lookup *lookup, ox_entity entity) {
    oxi_record *record = oxi_entity_find(&lookup->world->store.entities, entity);
    if (record == NULL) {
        return NULL;
    }
    uint32_t archetype = oxi_archetype_of(record->chunk)->index;
    if (archetype + 1 != lookup->oxi_archetype && !keep_column(lookup, archetype)) {
        return NULL;
    }
    oxi_row_settle(&lookup->world->store, record);
    return record;
}

static char *value_of(const ox_lookup *lookup, const oxi_record *record) {
    return oxi_chunk_address(record->chunk) + lookup->oxi_offset +
           (size_t)record->row * lookup->oxi_size;
}

const void *ox_lookup_get_at(ox_lookup *lookup, ox_entity entity, ox_site site) {
    if (!oxi_world_enter(lookup->world, "ox_lookup_get", site)) {
        return ox_element_zeros();
    }
    oxi_sync_read(lookup->world, lookup->component, site);
    const oxi_record *record = find_row(lookup, entity);
    // The plain form says what is wrong.
    return record != NULL ? value_of(lookup, record)
                          : ox_component_get_at(lookup->world, entity, lookup->component, site);
}

void *ox_lookup_edit_at(ox_lookup *lookup, ox_entity entity, ox_site site) {
    if (!oxi_world_enter(lookup->world, "ox_lookup_edit", site)) {
        return ox_element_scratch();
    }
    oxi_sync_write(lookup->world, lookup->component, site);
    const oxi_record *record = find_row(lookup, entity);
    if (record == NULL) {
        return ox_component_edit_at(lookup->world, entity, lookup->component, site);
    }
    oxi_chunk_entry_of(record->chunk)->meta->versions[lookup->oxi_type] =
        lookup->world->store.version;
    return value_of(lookup, record);
}
