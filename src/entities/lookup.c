// SPDX-License-Identifier: MIT
//
// Lookups. On main they are ox_get and ox_edit; in a job they wait for nothing, because the job was
// scheduled to have what they reach, and no structural change is made while it is outstanding.

#include "oxbow/entity_jobs.h"

#include "entities/fences.h"
#include "entities/kinds.h"
#include "entities/plain_jobs.h"
#include "oxbow/detail/element.h"
#include "storage/archetype.h"
#include "types/kinds.h"

// What inline code of users' files takes a world for.
#define ASSERT_SAME(a, field_a, b, field_b)                                                        \
    _Static_assert(offsetof(a, field_a) == offsetof(b, field_b), #field_a)
_Static_assert(sizeof(oxi_reach_record) == sizeof(oxi_record), "records");
ASSERT_SAME(oxi_reach_record, version, oxi_record, version);
ASSERT_SAME(oxi_reach_record, chunk, oxi_record, chunk);
ASSERT_SAME(oxi_reach_record, row, oxi_record, row);
_Static_assert(sizeof(oxi_reach_entry) == sizeof(oxi_chunk_entry), "entries");
ASSERT_SAME(oxi_reach_entry, archetype, oxi_chunk_entry, archetype);
ASSERT_SAME(oxi_reach_archetype, places, oxi_archetype, place_list);
ASSERT_SAME(oxi_reach_archetype, place_count, oxi_archetype, local_count);
_Static_assert(sizeof(oxi_reach_place) == sizeof(oxi_component_place), "places");
ASSERT_SAME(oxi_reach_place, cell, oxi_component_place, cell);
ASSERT_SAME(oxi_reach_place, type, oxi_component_place, type);
ASSERT_SAME(oxi_reach_place, bits, oxi_component_place, bits);
ASSERT_SAME(oxi_reach_entry, meta, oxi_chunk_entry, meta);
_Static_assert(offsetof(oxi_chunk_meta, versions) == 3 * sizeof(uint32_t), "versions");
_Static_assert(OXI_CHUNK_BITS == 14, "the size of a chunk");

static oxi_reach make_reach(const ox_world *world, uint32_t calm) {
    return (oxi_reach){
        .version = NULL,
        .records = (const oxi_reach_record *)(const void *)world->store.entities.records,
        .entries = (const oxi_reach_entry *)(const void *)oxi_chunk_entries,
        .chunks = oxi_chunk_base,
        .calm = calm,
    };
}

// Lets inline code on main find what it can as things are now: a structural change, and a job that
// is scheduled, end that.
void oxi_lookups_open_on_main(ox_world *world) {
    oxi_reach *reach = &world->reach[OXI_REACH_ON_MAIN];
    *reach = make_reach(world, oxi_world_is_calm(world) ? world->store.entities.used : 0);
    reach->version = &world->store.version;
}

void oxi_lookups_open_in_jobs(ox_world *world) {
    // Jobs that are outstanding read it: then no entity came since, and it is right already.
    oxi_reach *reach = &world->reach[OXI_REACH_IN_JOBS];
    if (reach->calm != world->store.entities.used || reach->chunks != oxi_chunk_base) {
        *reach = make_reach(world, world->store.entities.used);
    }
}

ox_lookup ox_lookup_create_at(ox_world *world, uint32_t component, ox_site site) {
    if (!oxi_world_enter(world, "ox_lookup_create", site) ||
        !oxi_component_check(world, component, site)) {
        return (ox_lookup){0};
    }
    if (!oxi_is_state_of_rows(ox_component_get_info(component))) {
        oxi_report_no_column(world, component, site);
        return (ox_lookup){0};
    }
    uint32_t local = oxi_store_number(&world->store, component);
    oxi_type_use use = {component, true, true, false};
    if (!oxi_fences_reserve(world, &use, 1, NULL, site)) {
        return (ox_lookup){0};
    }
    OXI_ASSERT(oxi_fence_find(world, component) != NULL); // reserved
    oxi_plain_jobs_watch();
    oxi_lookups_open_on_main(world);
    ox_lookup lookup = {.world = world,
                        .access = oxi_fence_find(world, component)->access,
                        .component = component,
                        .oxi_local = local,
                        .oxi_reach = &world->reach[OXI_REACH_ON_MAIN]};
    lookup.access.flags |= OX_ACCESS_LOOKUP;
    return lookup;
}

bool ox_lookup_has(const ox_lookup *lookup, ox_entity entity) {
    return lookup != NULL && ox_has_id(lookup->world, entity, lookup->component);
}

// A value that a job looks up.
typedef struct looked_up {
    const oxi_record *record; // NULL after a report
    oxi_component_place place;
} looked_up;

static looked_up look_up_in_job(const ox_lookup *lookup, ox_entity entity, const char *function,
                                ox_site site) {
    const ox_world *world = lookup->world;
    looked_up found = {.record = oxi_entity_find(&world->store.entities, entity)};
    if (found.record != NULL) {
        OXI_ASSERT(lookup->oxi_local == world->store.local_of[lookup->component]);
        OXI_ASSERT(found.record->row < oxi_chunk_entry_of(found.record->chunk)->count);
        found.place =
            oxi_archetype_find_local(oxi_archetype_of(found.record->chunk), lookup->oxi_local);
    }
    if (found.place.cell == 0) {
        oxi_report_no_value(world, entity, lookup->component, function, site);
        found.record = NULL;
    }
    return found;
}

static const void *get_in_job(const ox_lookup *lookup, ox_entity entity, ox_site site) {
    looked_up found = {0};
    if (ox_access_may_read_at(lookup->access, site)) {
        found = look_up_in_job(lookup, entity, "ox_lookup_get", site);
    }
    return found.record != NULL
               ? oxi_cell_value(found.record->chunk, found.record->row, found.place.cell)
               : oxi_element_zeros();
}

static void *edit_in_job(const ox_lookup *lookup, ox_entity entity, ox_site site) {
    looked_up found = {0};
    if (ox_access_may_write_at(lookup->access, site)) {
        found = look_up_in_job(lookup, entity, "ox_lookup_edit", site);
    }
    return found.record != NULL
               ? oxi_cell_value(found.record->chunk, found.record->row, found.place.cell)
               : oxi_element_scratch();
}

bool oxi_lookup_report_other(const ox_lookup *lookup, uint32_t component, ox_site site) {
    if (lookup->component == 0) {
        return true;
    }
    return oxi_report_other_component(lookup->world, "lookup", lookup->component, component, site);
}

const void *ox_lookup_get_at(const ox_lookup *lookup, ox_entity entity, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(lookup, "ox_lookup_get", site) ||
        !OXI_REQUIRE_ARGUMENT(lookup->world, "ox_lookup_get", site)) {
        return oxi_element_zeros();
    }
    if (oxi_this_run.order != 0) {
        return get_in_job(lookup, entity, site);
    }
    if (!oxi_world_enter(lookup->world, "ox_lookup_get", site)) {
        return oxi_element_zeros();
    }
    const void *value = ox_get_at(lookup->world, entity, lookup->component, site);
    oxi_lookups_open_on_main(lookup->world);
    return value;
}

void *ox_lookup_edit_at(const ox_lookup *lookup, ox_entity entity, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(lookup, "ox_lookup_edit", site) ||
        !OXI_REQUIRE_ARGUMENT(lookup->world, "ox_lookup_edit", site)) {
        return oxi_element_scratch();
    }
    if (oxi_this_run.order != 0) {
        return edit_in_job(lookup, entity, site);
    }
    if (!oxi_world_enter(lookup->world, "ox_lookup_edit", site)) {
        return oxi_element_scratch();
    }
    return ox_edit_at(lookup->world, entity, lookup->component, site);
}
