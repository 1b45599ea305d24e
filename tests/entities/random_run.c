// SPDX-License-Identifier: MIT
//
// The loop of a run, and the comparison of two worlds with their model.

#include "entities/random_run.h"

#include "entities/world.h"

#include <stdio.h>
#include <string.h>

// Components of all runs: tags, odd sizes, every alignment, one with an entity in it, and two that
// do not fit in one chunk together.
static model_component run_components[] = {
    {0, 0, -1},  {0, 0, -1},    {0, 0, -1},  {0, 1, -1},  {0, 3, -1}, {0, 7, -1},    {0, 12, -1},
    {0, 24, -1}, {0, 1000, -1}, {0, 16, -1}, {0, 64, -1}, {0, 12, 4}, {0, 9000, -1}, {0, 8000, -1},
};
enum { RUN_COMPONENTS = sizeof run_components / sizeof *run_components };

static void register_components(void) {
    static const uint32_t aligns[RUN_COMPONENTS] = {1, 1, 1, 1, 1, 1, 4, 8, 8, 16, 64, 4, 8, 32};
    for (int k = 0; k < RUN_COMPONENTS; k++) {
        char name[32];
        snprintf(name, sizeof name, "Random%d", k);
        model_component *component = &run_components[k];
        ox_component_def def = {.name = name, .size = component->size, .align = aligns[k]};
        if (component->size == 0) {
            def = (ox_component_def){.name = name, .kind = OX_COMPONENT_KIND_TAG};
        } else if (component->entity_offset >= 0) {
            def = (ox_component_def){.name = name, .text = "{ int x; ox_entity who; }"};
        }
        component->id = ox_component_register(&def);
    }
}

void run_note(random_run *run, const char *file, int line, const char *text) {
    if (run->failure[0] == 0) {
        snprintf(run->failure, sizeof run->failure, "%s:%d: %s is false", file, line, text);
    }
}

uint64_t run_below(random_run *run, uint64_t limit) {
    return oxi_random_below(&run->random, limit);
}

int run_pick_component(random_run *run) {
    return run->active[run_below(run, (uint64_t)run->active_count)];
}

uint32_t run_pick_alive(random_run *run) {
    return run->model.alive[run_below(run, (uint64_t)run->model.alive_count)];
}

uint32_t run_pick_mask(random_run *run) {
    for (;;) {
        uint32_t mask = 0;
        for (int k = 0; k < run->active_count; k++) {
            mask |= (uint32_t)run_below(run, 2) << run->active[k];
        }
        if (model_capacity(&run->model, mask) > 0) {
            return mask;
        }
    }
}

int run_list_ids(random_run *run, uint32_t mask, uint32_t *ids) {
    int count = 0;
    for (int k = 0; k < RUN_COMPONENTS; k++) {
        if (mask >> k & 1) {
            int at = (int)run_below(run, (uint64_t)count + 1);
            ids[count++] = ids[at];
            ids[at] = run_components[k].id;
        }
    }
    return count;
}

const void *run_make_value(random_run *run, int component) {
    uint32_t size = run_components[component].size;
    unsigned char *value = run->values[component];
    uint64_t bits = oxi_random_next_u64(&run->random);
    for (uint32_t k = 0; k < size && k < 64; k++) {
        value[k] = (unsigned char)(bits >> k % 8 * 8);
    }
    if (size > 64) {
        value[bits % size] = (unsigned char)(bits >> 32);
    }
    if (run_components[component].entity_offset >= 0 && run->model.alive_count > 0) {
        ox_entity who = model_handle(&run->model, run_pick_alive(run));
        memcpy(value + run_components[component].entity_offset, &who, sizeof who);
    }
    return value;
}

int run_component_of(const random_run *run, uint32_t id) {
    (void)run;
    int k = 0;
    while (run_components[k].id != id) {
        k++;
    }
    return k;
}

// Comparing.

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

// Running.

static void count_report(const ox_report *report, void *context) {
    random_run *run = context;
    run->report_count++;
    run->last_report = report->id;
}

static void choose_active(random_run *run) {
    int wanted = 1 + (int)run_below(run, RUN_COMPONENTS);
    uint32_t taken = 0;
    while (run->active_count < wanted) {
        int component = (int)run_below(run, RUN_COMPONENTS);
        if (!(taken >> component & 1)) {
            taken |= UINT32_C(1) << component;
            run->active[run->active_count++] = component;
        }
    }
}

static void begin_run(random_run *run, const run_def *def) {
    memset(run, 0, sizeof *run);
    register_components();
    run->def = *def;
    run->random = oxi_random_seed(def->seed);
    run->closing = oxi_random_seed(def->seed + 1000003);
    choose_active(run);
    run->target = 1 + (int)run_below(run, run_below(run, 2) ? 100 : (uint64_t)def->most_rows);
    run->target = run->target < def->most_rows ? run->target : def->most_rows;
    model_create(&run->model, run_components, RUN_COMPONENTS, def->swaps);
    for (int k = 0; k < RUN_WORLDS; k++) {
        run->worlds[k] = ox_world_create(
            &(ox_world_def){.removal = def->swaps ? OX_REMOVAL_SWAP : OX_REMOVAL_ORDERED,
                            .on_report = {count_report, run}});
    }
}

static void end_run(random_run *run) {
    run->digest ^= ox_world_hash(run->worlds[0]) + 3 * ox_world_layout_hash(run->worlds[1]);
    for (int k = 0; k < RUN_WORLDS; k++) {
        ox_world_destroy(run->worlds[k]);
    }
    model_destroy(&run->model);
}

// Closes holes of the second world: all, or those of one chunk as reading does.
static void close_at_random(random_run *run) {
    uint64_t dice = oxi_random_below(&run->closing, 16);
    if (dice == 0) {
        oxi_store_close(&run->worlds[1]->store);
    }
    if (dice > 3 || run->model.alive_count == 0) {
        return;
    }
    uint32_t index =
        run->model.alive[oxi_random_below(&run->closing, (uint64_t)run->model.alive_count)];
    for (int k = 0; k < RUN_COMPONENTS; k++) {
        if (run->model.entities[index].values[k] != NULL && run_components[k].size > 0) {
            ox_component_get_at(run->worlds[1], model_handle(&run->model, index),
                                run_components[k].id, OX_HERE);
            return;
        }
    }
}

uint64_t run_random(random_run *run, const run_def *def) {
    begin_run(run, def);
    ox_report_handler before = ox_report_set_handler((ox_report_handler){count_report, run});
    for (run->operation = 0; run->operation < def->operations; run->operation++) {
        close_at_random(run);
        if (run_below(run, 32) == 0) {
            run_wrong_operation(run);
        } else {
            run_right_operation(run);
            RUN_CHECK(run, run->report_count == 0);
        }
        run->report_count = 0;
        if ((run->operation + 1) % def->verify_every == 0 && run->failure[0] == 0) {
            run_verify(run);
        }
        if (run->failure[0] != 0) {
            break;
        }
    }
    uint64_t failed_after = run->failure[0] != 0 ? run->operation + 1 : 0;
    ox_report_set_handler(before);
    end_run(run);
    return failed_after;
}
