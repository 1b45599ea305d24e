// SPDX-License-Identifier: MIT
//
// Looking at a world: what it holds, where an entity is, names, hashes, order and room in memory.

#include "entities/fences.h"

#include "storage/joining.h"
#include "storage/store_hash.h"
#include "storage/store_validate.h"

ox_world_usage ox_world_get_usage(const ox_world *world) {
    if (!oxi_world_is_there(world, "ox_world_get_usage")) {
        return (ox_world_usage){0};
    }
    const oxi_store *store = &world->store;
    oxi_chunk_usage space = oxi_chunk_space_get_usage();
    ox_world_usage usage = {
        .entity_count = store->entities.alive,
        .entity_limit = store->entities.limit,
        .archetype_count = (uint32_t)store->archetypes.count,
        .chunk_bytes = (uint64_t)store->chunk_count * OXI_CHUNK_SIZE,
        .buffer_bytes = oxi_load_relaxed((oxi_atomic_u64 *)(uintptr_t)&store->outside_bytes),
        .process_bytes = space.used,
        .process_limit = space.limit,
        .closing_count = store->closing_count,
        .moved_rows = store->moved_count,
    };
    for (uint32_t k = 0; k < store->archetypes.count; k++) {
        usage.chunk_count +=
            oxi_archetype_get_fragmentation(oxi_archetype_at(store, k)).chunk_count;
    }
    return usage;
}

// Values are looked at: jobs that write some are waited for. @return false after a report.
static bool wait_for_values(const ox_world *world, ox_site site) {
    return world->busy.count == 0 || oxi_sync_jobs((ox_world *)(uintptr_t)world, site);
}

uint64_t ox_world_hash(const ox_world *world) {
    if (!oxi_world_is_there(world, "ox_world_hash") || !wait_for_values(world, NULL)) {
        return 0;
    }
    return oxi_store_hash(&world->store);
}

uint64_t ox_world_hash_layout(const ox_world *world) {
    if (!oxi_world_is_there(world, "ox_world_hash_layout") || !wait_for_values(world, NULL)) {
        return 0;
    }
    return oxi_store_layout_hash(&world->store);
}

bool ox_world_validate_at(const ox_world *world, ox_site site) {
    if (!oxi_world_enter(world, "ox_world_validate", site) || !wait_for_values(world, site)) {
        return false;
    }
    const char *why = oxi_store_validate(&world->store);
    return OXI_REQUIRE(why == NULL, &world->sink, OX_REPORT_WORLD_BROKEN, site,
                       OXI_NAME("world", world->name), OXI_NAME("why", why));
}

bool ox_world_reserve_at(ox_world *world, int64_t entity_count, ox_site site) {
    static const char function[] = "ox_world_reserve";
    if (!oxi_world_enter(world, function, site) ||
        !oxi_count_require(world, entity_count, OXI_MAX_ENTITIES, function, site)) {
        return false;
    }
    oxi_entity_table *table = &world->store.entities;
    uint32_t more = entity_count > table->alive ? (uint32_t)entity_count - table->alive : 0;
    oxi_outcome outcome = oxi_entity_reserve(table, more);
    if (outcome == OXI_DONE) {
        oxi_entity_touch(table, more);
    }
    return oxi_world_report_entities(world, outcome, more, site);
}

uint64_t ox_world_defragment_at(ox_world *world, uint64_t max_rows, ox_site site) {
    if (!oxi_world_enter(world, "ox_world_defragment", site) || !oxi_sync_all(world, site)) {
        return 0;
    }
    oxi_store_close(&world->store);
    oxi_world_note_change(world, site);
    uint64_t moved = oxi_store_defragment(&world->store, max_rows);
    oxi_world_check(world);
    return moved;
}

// What shared values cost: chunks that are there only because rows with other values lie apart.
typedef struct shared_cost {
    uint64_t lane_count;
    uint64_t row_count; // in those lanes
    uint32_t chunk_count;
} shared_cost;

enum { FEW_ROWS = 16 };

// `found->needed_count` does not know of shared values.
static const char *give_advice(const ox_fragmentation *found, const shared_cost *cost) {
    uint32_t needed = found->needed_count + cost->chunk_count;
    if (cost->chunk_count > found->needed_count / 2 && cost->chunk_count > found->archetype_count &&
        cost->row_count / cost->lane_count < FEW_ROWS) {
        return "many values of shared components have few entities each: share values among more "
               "entities, or make what differs a plain component";
    }
    if (found->chunk_count <= needed + found->archetype_count) {
        return "chunks are as full as they can be";
    }
    if (found->archetype_count > found->needed_count / 2 &&
        found->entity_count / found->archetype_count < FEW_ROWS) {
        return "many sets of components have few entities each: use fewer tags, or give similar "
               "entities the same components";
    }
    return "many entities were destroyed or moved: call ox_world_defragment, some rows each frame";
}

ox_fragmentation ox_world_get_fragmentation(const ox_world *world) {
    ox_fragmentation found = {0};
    shared_cost cost = {0};
    uint32_t count = 0;
    if (oxi_world_is_there(world, "ox_world_get_fragmentation")) {
        count = (uint32_t)world->store.archetypes.count;
    }
    for (uint32_t k = 0; k < count; k++) {
        oxi_fragmentation one = oxi_archetype_get_fragmentation(oxi_archetype_at(&world->store, k));
        found.chunk_count += one.chunk_count;
        found.needed_count += one.least_count;
        found.entity_count += one.row_count;
        found.entity_room += one.row_room;
        found.archetype_count += one.row_count > 0;
        if (one.lane_count > 0) {
            cost.lane_count += one.lane_count;
            cost.row_count += one.row_count;
            OXI_ASSERT(one.least_by_lane >= one.least_count);
            cost.chunk_count += one.least_by_lane - one.least_count;
        }
    }
    found.advice = give_advice(&found, &cost);
    return found;
}

// How many linked chunks stand before a place.
static int32_t rank_of_chunk(const oxi_archetype *archetype, uint32_t place) {
    int32_t rank = 0;
    OXI_ASSERT(place < archetype->lane.chunks.count);
    for (uint32_t k = 0; k < place; k++) {
        rank += archetype->lane.chunks.items[k] != 0;
    }
    return rank;
}

// The record of an entity, or NULL when there is none, or no world.
static const oxi_record *look_for(const ox_world *world, ox_entity entity, const char *function) {
    return oxi_world_is_there(world, function) ? oxi_entity_find(&world->store.entities, entity)
                                               : NULL;
}

ox_entity_location ox_entity_get_location(const ox_world *world, ox_entity entity) {
    const oxi_record *record = look_for(world, entity, "ox_entity_get_location");
    if (record == NULL) {
        return (ox_entity_location){{0, 0}, -1, -1, 0};
    }
    const oxi_archetype *archetype = oxi_archetype_of(record->chunk);
    oxi_row_place place = {record->chunk, record->row};
    return (ox_entity_location){
        .archetype = {world->serial, archetype->index + 1},
        .chunk = rank_of_chunk(archetype, oxi_chunk_entry_of(record->chunk)->place),
        .row = (int32_t)oxi_row_rank(archetype, place),
        .capacity = (int32_t)archetype->capacity,
    };
}

int ox_entity_get_components(const ox_world *world, ox_entity entity, uint32_t *components,
                             int capacity) {
    const oxi_record *record = look_for(world, entity, "ox_entity_get_components");
    if (record == NULL) {
        return 0;
    }
    const oxi_archetype *archetype = oxi_archetype_of(record->chunk);
    for (int k = 0; components != NULL && k < capacity && k < (int)archetype->type_count; k++) {
        components[k] = archetype->types[k];
    }
    return (int)archetype->type_count;
}

bool ox_entity_set_name_at(ox_world *world, ox_entity entity, const char *name, ox_site site) {
    if (!oxi_world_enter(world, "ox_entity_set_name", site) ||
        oxi_world_find(world, entity, "ox_entity_set_name", site) == NULL) {
        return false;
    }
    oxi_outcome outcome = oxi_name_set(&world->store.names, entity, name);
    if (outcome == OXI_AT_LIMIT) {
        ox_entity other = oxi_name_find(&world->store.names, name);
        return OXI_REPORT(&world->sink, OX_REPORT_NAME_TAKEN, site,
                          OXI_NUMBER("index", other.index), OXI_NUMBER("version", other.version),
                          OXI_NAME("world", world->name), OXI_NAME("name", name));
    }
    return oxi_world_report(world, outcome, site);
}

const char *ox_entity_get_name(const ox_world *world, ox_entity entity) {
    return oxi_world_is_there(world, "ox_entity_get_name")
               ? oxi_name_get(&world->store.names, entity)
               : NULL;
}

ox_entity ox_entity_find(const ox_world *world, const char *name) {
    return oxi_world_is_there(world, "ox_entity_find") ? oxi_name_find(&world->store.names, name)
                                                       : (ox_entity){0, 0};
}

// Archetypes.

int ox_world_get_archetypes(const ox_world *world, ox_archetype *archetypes, int capacity) {
    if (!oxi_world_is_there(world, "ox_world_get_archetypes")) {
        return 0;
    }
    int count = (int)world->store.archetypes.count;
    for (int k = 0; archetypes != NULL && k < capacity && k < count; k++) {
        archetypes[k] = (ox_archetype){world->serial, (uint32_t)k + 1};
    }
    return count;
}

// The archetype of a handle, or NULL when there is none, or no world.
static const oxi_archetype *look_for_archetype(const ox_world *world, ox_archetype handle,
                                               const char *function) {
    if (!oxi_world_is_there(world, function) || handle.world != world->serial ||
        handle.number == 0 || handle.number > world->store.archetypes.count) {
        return NULL;
    }
    return oxi_archetype_at(&world->store, handle.number - 1);
}

ox_archetype_info ox_archetype_get_info(const ox_world *world, ox_archetype archetype) {
    const oxi_archetype *found = look_for_archetype(world, archetype, "ox_archetype_get_info");
    if (found == NULL) {
        return (ox_archetype_info){0};
    }
    oxi_fragmentation filling = oxi_archetype_get_fragmentation(found);
    ox_archetype_info info = {
        .component_count = (int)found->type_count,
        .entity_count = found->live,
        .chunk_count = (int)filling.chunk_count,
        .chunk_capacity = (int)found->capacity,
    };
    if (filling.row_room > 0) {
        info.fill = (float)((double)filling.row_count / (double)filling.row_room);
    }
    return info;
}

int ox_archetype_get_components(const ox_world *world, ox_archetype archetype, uint32_t *components,
                                int capacity) {
    const oxi_archetype *found =
        look_for_archetype(world, archetype, "ox_archetype_get_components");
    if (found == NULL) {
        return 0;
    }
    for (int k = 0; components != NULL && k < capacity && k < (int)found->type_count; k++) {
        components[k] = found->types[k];
    }
    return (int)found->type_count;
}
