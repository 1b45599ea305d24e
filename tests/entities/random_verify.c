// SPDX-License-Identifier: MIT
//
// The comparison of two worlds with their model: each world with all that the model knows, in
// order, and now and then by its hashes with the other world. Queries are walked as rarely: that
// closes holes.

#include "entities/random_run.h"

#include "entities/world.h"

#include <stdio.h>
#include <string.h>

enum { VERIFIES_PER_WALK = 4 };

// What all entities of a set have in common.
typedef struct verified_set {
    const model_set *set;
    uint32_t number;                // of its archetype
    uint32_t ids[MODEL_COMPONENTS]; // ascending
    int components[MODEL_COMPONENTS];
    int count;
} verified_set;

static verified_set describe_set(const random_run *run, int set) {
    verified_set described = {.set = run->model.sets[set], .number = (uint32_t)set + 1};
    for (int k = 0; k < RUN_COMPONENTS; k++) {
        if (described.set->mask >> k & 1) {
            described.components[described.count] = k;
            described.ids[described.count++] = run_components[k].id;
        }
    }
    return described;
}

static void verify_entity(random_run *run, ox_world *world, const verified_set *of,
                          ox_entity entity) {
    uint32_t ids[MODEL_COMPONENTS];
    int count = ox_entity_get_components(world, entity, ids, MODEL_COMPONENTS);
    RUN_CHECK(run, count == of->count);
    RUN_CHECK(run, memcmp(ids, of->ids, (size_t)of->count * sizeof *ids) == 0);
    for (int k = 0; k < of->count && run->failure[0] == 0; k++) {
        const model_component *component = &run_components[of->components[k]];
        if (component->size > 0) {
            const void *value = ox_read_at(world, entity, component->id, OX_HERE);
            const void *wanted = run->model.entities[entity.index].values[of->components[k]];
            RUN_CHECK(run, memcmp(value, wanted, component->size) == 0);
        }
    }
}

// What nobody is told of a chunk: whether it takes new rows, and when what changed in it.
static void verify_meta(random_run *run, const verified_set *of, const model_chunk *wanted,
                        oxi_chunk chunk) {
    const oxi_chunk_entry *entry = oxi_chunk_entry_of(chunk);
    RUN_CHECK(run, entry->live == wanted->count && entry->is_open == wanted->is_open);
    RUN_CHECK(run, entry->meta->order_version == wanted->order_version);
    for (int k = 0; k < of->count; k++) {
        RUN_CHECK(run, entry->meta->versions[k] == wanted->versions[of->components[k]]);
    }
}

static void verify_rows(random_run *run, ox_world *world, const verified_set *of, int chunk) {
    const model_chunk *wanted = of->set->chunks[chunk];
    for (int row = 0; row < wanted->count && run->failure[0] == 0; row++) {
        ox_entity entity = model_handle(&run->model, wanted->rows[row]);
        ox_entity_location place = ox_entity_get_location(world, entity);
        RUN_CHECK(run, place.archetype.number == of->number);
        RUN_CHECK(run, place.chunk == chunk && place.row == row);
        RUN_CHECK(run, place.capacity == of->set->capacity);
        verify_entity(run, world, of, entity);
    }
}

static void verify_set(random_run *run, ox_world *world, int set) {
    verified_set of = describe_set(run, set);
    const oxi_archetype *archetype = oxi_archetype_at(&world->store, (uint32_t)set);
    int count = 0;
    for (size_t k = 0; k < archetype->lane.chunks.count && run->failure[0] == 0; k++) {
        if (archetype->lane.chunks.items[k] != 0) {
            RUN_CHECK(run, count < of.set->chunk_count);
            if (run->failure[0] == 0) {
                verify_meta(run, &of, of.set->chunks[count], archetype->lane.chunks.items[k]);
                verify_rows(run, world, &of, count++);
            }
        }
    }
    RUN_CHECK(run, count == of.set->chunk_count);
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

// Ids: who is alive, and which are given next.
static void verify_ids(random_run *run, const ox_world *world) {
    const oxi_entity_table *table = &world->store.entities;
    RUN_CHECK(run, table->used == (uint32_t)run->model.used);
    for (uint32_t k = 0; k < run->model.used; k++) {
        bool is_alive = run->model.entities[k].is_alive;
        RUN_CHECK(run, ox_entity_exists(world, model_handle(&run->model, k)) == is_alive);
    }
    uint32_t next = table->first_free;
    for (int64_t k = run->model.first_free; k != MODEL_NO_FREE && run->failure[0] == 0;
         k = run->model.entities[k].next_free) {
        RUN_CHECK(run, next == (uint32_t)k &&
                           table->records[next].version == run->model.entities[k].version);
        next = run->failure[0] == 0 ? table->records[next].row : next;
    }
    RUN_CHECK(run, run->failure[0] != 0 || next == (uint32_t)OXI_LAST_RECORD);
}

// The order version of a component moves when, and only when, entities with it do.
static void verify_orders(random_run *run) {
    for (int k = 0; k < RUN_COMPONENTS; k++) {
        uint32_t changes = 0;
        for (int n = 0; n < run->model.set_count; n++) {
            const model_set *set = run->model.sets[n];
            changes += set->mask >> k & 1 ? set->changes : 0;
        }
        bool moved = changes != run->seen_changes[k];
        run->seen_changes[k] = changes;
        for (int n = 0; n < RUN_WORLDS; n++) {
            uint32_t version = ox_world_get_order_version(run->worlds[n], run_components[k].id);
            RUN_CHECK(run, (version != run->seen_orders[n][k]) == moved);
            run->seen_orders[n][k] = version;
        }
    }
}

static void verify_world(random_run *run, ox_world *world) {
    verify_figures(run, world);
    for (int k = 0; k < run->model.set_count && run->failure[0] == 0; k++) {
        verify_set(run, world, k);
    }
    verify_ids(run, world);
    verify_names(run, world);
    RUN_CHECK(run, ox_world_get_version(world) == run->model.version);
    RUN_CHECK(run, ox_world_validate(world));
}

void run_verify(random_run *run) {
    for (int k = 0; k < RUN_WORLDS && run->failure[0] == 0; k++) {
        verify_world(run, run->worlds[k]);
    }
    verify_orders(run);
    bool walks = run->verified++ % VERIFIES_PER_WALK == 0;
    run_verify_queries(run, walks);
    ox_world *a = run->worlds[0], *b = run->worlds[1];
    if (walks) {
        RUN_CHECK(run, ox_world_hash(a) == ox_world_hash(b));
        RUN_CHECK(run, ox_world_hash_layout(a) == ox_world_hash_layout(b));
    }
}
