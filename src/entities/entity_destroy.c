// SPDX-License-Identifier: MIT
//
// Destroying entities. Nothing is allocated, so nothing can be refused half way.

#include "entities/fences.h"

// Destroys an entity that is alive and has no name. The row goes last: it needs nothing after it.
static inline void destroy_nameless(oxi_store *store, ox_entity entity) {
    const oxi_record *record = &store->entities.records[entity.index];
    oxi_row_place place = {record->chunk, record->row};
    oxi_note_change(store, oxi_archetype_of(place.chunk));
    oxi_entity_free(&store->entities, entity.index);
    oxi_row_remove(store, place);
}

static void destroy_one(oxi_store *store, ox_entity entity) {
    if (store->names.count > 0) {
        oxi_name_forget(&store->names, entity);
    }
    destroy_nameless(store, entity);
}

OXI_NOINLINE static void destroy_slowly(ox_world *world, ox_entity entity, ox_site site) {
    if (oxi_world_find(world, entity, "ox_entity_destroy", site) != NULL) {
        oxi_sync_all(world, site);
        destroy_one(&world->store, entity);
        oxi_world_changed(world, site);
    }
}

// Programs destroy one by one: what is rare is done out of line.
void ox_entity_destroy_at(ox_world *world, ox_entity entity, ox_site site) {
    if (!oxi_world_enter(world, "ox_entity_destroy", site)) {
        return;
    }
    if (oxi_entity_find(&world->store.entities, entity) == NULL || world->change_needs != 0 ||
        world->store.names.count > 0) {
        destroy_slowly(world, entity, site);
        return;
    }
    oxi_world_note_change(world, site);
    destroy_nameless(&world->store, entity);
    oxi_world_check(world);
}

static bool require_alive(ox_world *world, const ox_entity *entities, int64_t count, ox_site site) {
    for (int64_t k = 0; k < count; k++) {
        if (oxi_world_find(world, entities[k], "ox_entities_destroy", site) == NULL) {
            return false;
        }
    }
    return true;
}

// An entity that was seen in a list has the top bit of its row set. Nobody else may look at records
// meanwhile: jobs are complete, and reports are made when all marks are gone.
enum { SEEN_BIT = 31 };

static bool is_any_double(ox_world *world, const ox_entity *entities, int64_t count) {
    oxi_record *records = world->store.entities.records;
    int64_t seen = 0;
    while (seen < count && records[entities[seen].index].row >> SEEN_BIT == 0) {
        records[entities[seen++].index].row |= UINT32_C(1) << SEEN_BIT;
    }
    for (int64_t k = 0; k < seen; k++) {
        records[entities[k].index].row &= ~(UINT32_C(1) << SEEN_BIT);
    }
    return seen < count;
}

bool ox_entities_destroy_at(ox_world *world, const ox_entity *entities, int64_t count,
                            ox_site site) {
    // Too many have a double, or one that is not alive.
    if (!oxi_world_enter(world, "ox_entities_destroy", site) ||
        (count < 0 && !oxi_count_require(world, count, world->store.entities.alive,
                                         "ox_entities_destroy", site)) ||
        (count > 0 && !OXI_REQUIRE_ARGUMENT(entities, "ox_entities_destroy", site)) ||
        !require_alive(world, entities, count, site)) {
        return false;
    }
    oxi_sync_all(world, site);
    if (is_any_double(world, entities, count)) {
        return OXI_REPORT(&world->sink, OX_REPORT_DUPLICATE, site, OXI_NAME("what", "an entity"),
                          OXI_NAME("function", "ox_entities_destroy"));
    }
    for (int64_t k = 0; k < count; k++) {
        destroy_one(&world->store, entities[k]);
    }
    oxi_world_changed(world, site);
    return true;
}
