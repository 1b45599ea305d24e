// SPDX-License-Identifier: MIT
//
// The loop of a run, and what operations choose from.

#include "entities/random_run.h"

#include "entities/world.h"

#include <stdio.h>
#include <string.h>

// Components of all runs: tags, odd sizes, every alignment, one with an entity in it, and two that
// do not fit in one chunk together.
model_component run_components[RUN_COMPONENTS] = {
    {0, 0, -1},  {0, 0, -1},    {0, 0, -1},  {0, 1, -1},  {0, 3, -1}, {0, 7, -1},    {0, 12, -1},
    {0, 24, -1}, {0, 1000, -1}, {0, 16, -1}, {0, 64, -1}, {0, 12, 4}, {0, 9000, -1}, {0, 8000, -1},
};

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
    static const uint64_t query_rates[] = {0, 16, 64, 500};
    memset(run, 0, sizeof *run);
    register_components();
    run->def = *def;
    run->random = oxi_random_seed(def->seed);
    run->closing = oxi_random_seed(def->seed + 1000003);
    choose_active(run);
    run->query_every = query_rates[run_below(run, sizeof query_rates / sizeof *query_rates)];
    run->target = 1 + (int)run_below(run, run_below(run, 2) ? 100 : (uint64_t)def->most_rows);
    run->target = run->target < def->most_rows ? run->target : def->most_rows;
    model_create(&run->model, run_components, RUN_COMPONENTS, def->swaps);
    for (int k = 0; k < RUN_WORLDS; k++) {
        run->worlds[k] = ox_world_create(
            &(ox_world_def){.removal = def->swaps ? OX_REMOVAL_SWAP : OX_REMOVAL_ORDERED,
                            .on_report = {count_report, run}});
    }
    if (run_below(run, 4) == 0) { // versions wrap in this run
        run->model.version = UINT32_MAX - (uint32_t)run_below(run, 400);
        for (int k = 0; k < RUN_WORLDS; k++) {
            run->worlds[k]->store.version = run->model.version;
        }
    }
}

static void end_run(random_run *run) {
    run->digest ^= ox_world_hash(run->worlds[0]) + 3 * ox_world_hash_layout(run->worlds[1]);
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
            ox_get_at(run->worlds[1], model_handle(&run->model, index), run_components[k].id,
                      OX_HERE);
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
