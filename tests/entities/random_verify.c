// SPDX-License-Identifier: MIT
//
// The comparison of two worlds with their model.

#include "entities/random_run.h"

#include "entities/world.h"

#include <stdio.h>
#include <string.h>

static void verify_components(random_run *run, const ox_world *world, ox_entity entity) {
    uint32_t ids[MODEL_COMPONENTS], found = 0;
    int count = ox_entity_get_components(world, entity, ids, MODEL_COMPONENTS);
    for (int k = 0; k < count; k++) {
        RUN_CHECK(run, k == 0 || ids[k - 1] < ids[k]);
        found |= UINT32_C(1) << run_component_of(run, ids[k]);
    }
    RUN_CHECK(run, found == run->model.entities[entity.index].set->mask);
}

static void verify_values(random_run *run, ox_world *world, ox_entity entity) {
    for (int k = 0; k < RUN_COMPONENTS; k++) {
        const model_component *component = &run_components[k];
        const unsigned char *wanted = run->model.entities[entity.index].values[k];
        if (wanted != NULL && component->size > 0) {
            const void *value = ox_component_peek_at(world, entity, component->id, OX_HERE);
            RUN_CHECK(run, memcmp(value, wanted, component->size) == 0);
        }
    }
}

static void verify_chunk(random_run *run, ox_world *world, int set, int chunk) {
    const model_set *of = run->model.sets[set];
    for (int row = 0; row < of->chunks[chunk]->count; row++) {
        ox_entity entity = model_handle(&run->model, of->chunks[chunk]->rows[row]);
        ox_entity_place place = ox_entity_where(world, entity);
        RUN_CHECK(run, place.archetype.number == (uint32_t)set + 1);
        RUN_CHECK(run, place.chunk == chunk && place.row == row);
        RUN_CHECK(run, place.capacity == of->capacity);
        RUN_CHECK(run, ox_entity_exists(world, entity));
        if (run->failure[0] == 0) {
            verify_components(run, world, entity);
            verify_values(run, world, entity);
        }
    }
}

static void verify_figures(random_run *run, const ox_world *world) {
    uint32_t chunks = 0, needed = 0, filled = 0;
    uint64_t room = 0;
    for (int k = 0; k < run->model.set_count; k++) {
        const model_set *set = run->model.sets[k];
        int rows = 0;
        for (int n = 0; n < set->chunk_count; n++) {
            rows += set->chunks[n]->count;
        }
        chunks += (uint32_t)set->chunk_count;
        needed += (uint32_t)((rows + set->capacity - 1) / set->capacity);
        filled += rows > 0;
        room += (uint64_t)set->chunk_count * (uint64_t)set->capacity;
    }
    ox_world_usage usage = ox_world_get_usage(world);
    ox_fragmentation found = ox_world_get_fragmentation(world);
    RUN_CHECK(run, usage.entity_count == (uint32_t)run->model.alive_count);
    RUN_CHECK(run, usage.archetype_count == (uint32_t)run->model.set_count);
    RUN_CHECK(run, usage.chunk_count == chunks && found.chunk_count == chunks);
    RUN_CHECK(run, found.needed_count == needed && found.entity_room == room);
    RUN_CHECK(run, found.entity_count == (uint64_t)run->model.alive_count);
    RUN_CHECK(run, found.archetype_count == filled);
}

static void verify_names(random_run *run, const ox_world *world) {
    for (int k = 0; k < MODEL_NAMES; k++) {
        char name[16];
        snprintf(name, sizeof name, "name%d", k);
        ox_entity wanted = run->model.named[k], found = ox_entity_find(world, name);
        RUN_CHECK(run, found.index == wanted.index && found.version == wanted.version);
        const char *given = ox_entity_get_name(world, wanted);
        RUN_CHECK(run, wanted.version == 0 ? given == NULL : strcmp(given, name) == 0);
    }
}

static void verify_world(random_run *run, ox_world *world) {
    verify_figures(run, world);
    for (int k = 0; k < run->model.set_count && run->failure[0] == 0; k++) {
        for (int n = 0; n < run->model.sets[k]->chunk_count; n++) {
            verify_chunk(run, world, k, n);
        }
    }
    for (uint32_t k = 0; k < run->model.used; k++) {
        bool is_alive = run->model.entities[k].is_alive;
        RUN_CHECK(run, ox_entity_exists(world, model_handle(&run->model, k)) == is_alive);
    }
    verify_names(run, world);
    RUN_CHECK(run, ox_world_validate(world));
}

// Versions of a world, in order: nobody else sees them yet.
static uint64_t mix_versions(const oxi_store *store) {
    uint64_t mixed = 0;
    for (int k = 0; k < RUN_COMPONENTS; k++) {
        mixed = mixed * 0x9e3779b97f4a7c15u + oxi_store_order_version(store, run_components[k].id);
    }
    for (uint32_t k = 0; k < store->archetypes.count; k++) {
        const oxi_archetype *archetype = oxi_archetype_at(store, k);
        for (size_t n = 0; n < archetype->chunks.count; n++) {
            if (archetype->chunks.items[n] == 0) {
                continue;
            }
            const oxi_chunk_meta *meta = oxi_chunk_entry_of(archetype->chunks.items[n])->meta;
            mixed = mixed * 0x9e3779b97f4a7c15u + meta->order_version;
            for (uint32_t t = 0; t < archetype->type_count; t++) {
                mixed = mixed * 0x9e3779b97f4a7c15u + meta->versions[t];
            }
        }
    }
    return mixed;
}

void run_verify(random_run *run) {
    for (int k = 0; k < RUN_WORLDS; k++) {
        verify_world(run, run->worlds[k]);
    }
    ox_world *a = run->worlds[0], *b = run->worlds[1];
    RUN_CHECK(run, ox_world_hash(a) == ox_world_hash(b));
    RUN_CHECK(run, ox_world_layout_hash(a) == ox_world_layout_hash(b));
    RUN_CHECK(run, mix_versions(&a->store) == mix_versions(&b->store));
}
