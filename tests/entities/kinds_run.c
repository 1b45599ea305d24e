// SPDX-License-Identifier: MIT
//
// The loop of a run, and what operations choose from.

#include "entities/kinds_run.h"

#include "entities/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void kinds_note(kinds_run *run, const char *text, ox_site site) {
    if (run->failure[0] == 0) {
        snprintf(run->failure, sizeof run->failure, "%s: %s\ndoing %d, last report: %s", site, text,
                 run->doing, run->report_text);
    }
}

// Choices.

uint64_t kinds_below(kinds_run *run, uint64_t limit) {
    if (run->def.bytes == NULL) {
        return oxi_random_below(&run->random, limit);
    }
    uint64_t number = 0;
    for (uint64_t most = limit - 1; most > 0 && run->used_bytes < run->def.byte_count; most >>= 8) {
        number = number << 8 | run->def.bytes[run->used_bytes++];
    }
    return number % limit;
}

void kinds_choose(kinds_run *run, const kinds_choice *choices) {
    int total = 0;
    for (const kinds_choice *k = choices; k->call != NULL; k++) {
        total += k->weight;
    }
    int dice = (int)kinds_below(run, (uint64_t)total);
    while (dice >= choices->weight) {
        dice -= choices->weight;
        choices++;
    }
    choices->call(run);
}

uint32_t kinds_pick(kinds_run *run) {
    return run->model.alive[kinds_below(run, (uint64_t)run->model.alive_count)];
}

int64_t kinds_pick_with(kinds_run *run, uint32_t mask) {
    int count = run->model.alive_count;
    uint64_t first = count > 0 ? kinds_below(run, (uint64_t)count) : 0;
    for (int k = 0; k < count; k++) {
        uint32_t index = run->model.alive[(first + (uint64_t)k) % (uint64_t)count];
        if ((run->model.entities[index].mask & mask) == mask) {
            return index;
        }
    }
    return -1;
}

uint32_t kinds_pick_whole(kinds_run *run) {
    int count = run->model.alive_count;
    uint64_t first = count > 0 ? kinds_below(run, (uint64_t)count) : 0;
    for (int k = 0; k < count; k++) {
        uint32_t index = run->model.alive[(first + (uint64_t)k) % (uint64_t)count];
        if (!run->model.entities[index].is_residue) {
            return index;
        }
    }
    ox_entity made = kinds_add(&run->model, 0);
    kinds_note_entity(run, made, ox_entity_create(run->world));
    return made.index;
}

// Mostly neighbours: else one group after another would lead to everybody.
ox_entity kinds_pick_any(kinds_run *run, uint32_t near) {
    uint64_t dice = kinds_below(run, 16);
    uint64_t used = (uint64_t)run->model.used;
    if (dice == 0 || used == 0) {
        return (ox_entity){0, 0};
    }
    uint32_t index = (near & ~UINT32_C(7)) + (uint32_t)kinds_below(run, 8);
    if (dice < 3 || index >= used) {
        index = (uint32_t)kinds_below(run, used);
    }
    ox_entity entity = kinds_handle(&run->model, index);
    entity.version -= dice == 4 && entity.version > 1;
    return entity;
}

int kinds_pick_component(kinds_run *run) {
    return run->active[kinds_below(run, (uint64_t)run->active_count)];
}

static uint32_t make_mask(kinds_run *run) {
    uint32_t mask = 0;
    for (int k = 0; k < run->active_count; k++) {
        mask |= (uint32_t)kinds_below(run, 2) << run->active[k];
    }
    return mask;
}

uint32_t kinds_pick_mask(kinds_run *run) {
    return kinds_chance(run, 4) ? make_mask(run) : run->sets[kinds_below(run, KINDS_SETS)];
}

int kinds_pick_number(kinds_run *run, int component) {
    int most = component == KINDS_TEXT ? KINDS_TEXTS : run->shared_values;
    return (int)kinds_below(run, (uint64_t)(most < run->shared_values ? most : run->shared_values));
}

int kinds_list_ids(kinds_run *run, uint32_t mask, uint32_t *ids) {
    int count = 0;
    for (int k = 0; k < KINDS_COUNT; k++) {
        if (mask >> k & 1) {
            int at = (int)kinds_below(run, (uint64_t)count + 1);
            ids[count++] = ids[at];
            ids[at] = kinds_components[k].id;
        }
    }
    return count;
}

int kinds_find(uint32_t id) {
    int k = 0;
    while (kinds_components[k].id != id) {
        k++;
    }
    return k;
}

void kinds_fill(kinds_run *run, int component, uint32_t near, void *value, int count) {
    const kinds_component *known = &kinds_components[component];
    for (int n = 0; n < count; n++) {
        unsigned char *element = (unsigned char *)value + (size_t)n * known->size;
        // Bytes of a fuzzer are better used for what is done.
        uint64_t bits = run->def.bytes != NULL ? ++run->filled * 0x9e3779b97f4a7c15u >> 32
                                               : kinds_below(run, UINT32_MAX);
        for (uint32_t k = 0; k < known->size; k++) {
            element[k] = (unsigned char)(bits >> k % 4 * 8);
        }
        for (uint32_t k = 0; k < known->entity_count; k++) {
            ox_entity who = kinds_pick_any(run, near);
            memcpy(element + known->entity_offsets[k], &who, sizeof who);
        }
    }
}

void kinds_note_entity(kinds_run *run, ox_entity wanted, ox_entity found) {
    KINDS_CHECK(run, kinds_is_same(wanted, found));
    run->digest = (run->digest + wanted.index) * 0x9e3779b97f4a7c15u + wanted.version;
}

void kinds_expect_refused(kinds_run *run, bool is_refused, uint64_t hash_before, ox_site site) {
    if (!is_refused) {
        kinds_note(run, "a wrong call is not refused", site);
    }
    if (run->report_count != 1) {
        kinds_note(run, "a wrong call does not make one report", site);
    }
    if (hash_before != 0 && ox_world_hash_layout(run->world) != hash_before) {
        kinds_note(run, "a wrong call changes something", site);
    }
    run->report_count = 0;
}

// Running.

static void count_report(const ox_report *report, void *context) {
    kinds_run *run = context;
    run->report_count++;
    run->last_report = report->id;
    ox_report_format(report, run->report_text, sizeof run->report_text);
}

static void choose_active(kinds_run *run) {
    int wanted = kinds_chance(run, 4) ? KINDS_COUNT : 3 + (int)kinds_below(run, 6);
    uint32_t taken = 0;
    while (run->active_count < wanted) {
        int component = (int)kinds_below(run, KINDS_COUNT);
        while (taken >> component & 1) {
            component = (component + 1) % KINDS_COUNT;
        }
        taken |= UINT32_C(1) << component;
        run->active[run->active_count++] = component;
    }
    for (int k = 0; k < KINDS_SETS; k++) {
        run->sets[k] = make_mask(run);
    }
}

// Nearly all entities have one set, so that chunks fill, lists grow long and then get gaps.
static void make_narrow(kinds_run *run) {
    for (int k = 0; k < KINDS_SETS; k++) {
        run->sets[k] = run->sets[0] | UINT32_C(1) << KINDS_WIDE | UINT32_C(1) << KINDS_TEAM;
    }
    run->is_narrow = true;
    run->shared_values = 2;
    run->target = run->def.most_rows;
    run->low = run->target / 32;
}

static void begin_run(kinds_run *run, const kinds_def *def) {
    memset(run, 0, sizeof *run);
    kinds_register();
    kinds_live_texts = 0;
    run->def = *def;
    run->random = oxi_random_seed(def->seed);
    run->closing = oxi_random_seed(def->seed + 1000003);
    choose_active(run);
    run->shared_values = 2 + (int)kinds_below(run, 4) * 3;
    run->target = 1 + (int)kinds_below(run, kinds_below(run, 2) ? 60 : (uint64_t)def->most_rows);
    run->target = run->target < def->most_rows ? run->target : def->most_rows;
    run->low = run->target / 2;
    if (kinds_chance(run, 8)) {
        make_narrow(run);
    }
    kinds_model_create(&run->model);
    run->world = ox_world_create(
        &(ox_world_def){.name = "kinds",
                        .removal = def->swaps ? OX_REMOVAL_SWAP : OX_REMOVAL_ORDERED,
                        .on_report = {count_report, run}});
}

static void end_run(kinds_run *run) {
    run->digest ^= ox_world_hash(run->world) + 3 * ox_world_hash_layout(run->world);
    ox_world_destroy(run->world);
    KINDS_CHECK(run, kinds_live_texts == 0);
    kinds_model_destroy(&run->model);
}

static void close_at_random(kinds_run *run) {
    if (run->def.closes && oxi_random_below(&run->closing, 16) == 0) {
        oxi_store_close(&run->world->store);
    }
}

static bool is_over(const kinds_run *run) {
    return run->operation >= run->def.operations ||
           (run->def.bytes != NULL && run->used_bytes >= run->def.byte_count);
}

uint64_t kinds_run_random(kinds_run *run, const kinds_def *def) {
    begin_run(run, def);
    ox_report_handler before = ox_report_set_handler((ox_report_handler){count_report, run});
    for (; !is_over(run) && run->failure[0] == 0; run->operation++) {
        close_at_random(run);
        run->model.clock = run->operation + 1;
        if (kinds_chance(run, 32)) {
            kinds_wrong_operation(run);
        } else {
            kinds_operation(run);
            KINDS_CHECK(run, run->report_count == 0);
        }
        run->report_count = 0;
        if ((run->operation + 1) % def->verify_every == 0 && run->failure[0] == 0) {
            kinds_verify(run);
        }
    }
    if (run->failure[0] == 0) {
        kinds_verify(run);
    }
    ox_report_set_handler(before);
    end_run(run);
    return run->failure[0] == 0 ? 0 : run->operation > 0 ? run->operation : 1;
}
