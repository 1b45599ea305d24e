// SPDX-License-Identifier: MIT
//
// The same scene gives the same world, whatever the number of workers: systems on main and with
// jobs, structural changes, steps, filters, injection.

#include "dependencies_test.h"

OX_VIEWS(Reds, (OX_READ(Count, counts), OX_WITH(Red)));

typedef struct SceneState {
    Reds reds;
    ox_lookup extras;
    uint32_t frame;
} SceneState;

OX_ENTITY_JOB(SumExtra, (OX_WRITE(Step, step), OX_ENTITY(self)), {
    OX_READ_ONLY ox_lookup extras;
    ox_entity of;
}) {
    step->value = step->value * 5 + self.index + ox_lookup_get(&job->extras, job->of, Extra)->value;
}

static ox_entity scene_extra;

static ox_job sum_extra(ox_system *system, ox_job after) {
    SceneState *state = ox_system_state(system, SceneState);
    return ox_schedule_entities(SumExtra, system, after, {state->extras, scene_extra});
}

static ox_job two_jobs(ox_system *system, ox_job after) {
    ox_job counts = ox_schedule_entities(CountFromStep, system, after, {0});
    ox_schedule_entities(WriteExtra, system, OX_AUTO, {7});
    return ox_schedule_entities(WriteCount, system, counts, {3});
}

// Entities come and go, by what jobs worked out.
static void change_structure(ox_system *system) {
    SceneState *state = ox_system_state(system, SceneState);
    uint32_t sum = ++state->frame;
    for (int k = 0; k < state->reds.count; k++) {
        sum = sum * 31 + ox_view_read(state->reds.counts, k, Count).value;
    }
    if (state->reds.count > 4) {
        ox_entity goes = ox_view_read_entity(state->reds.entities, (int)(sum % 4));
        ox_entity_destroy(system->world, goes);
    }
    ox_entity made = ox_entity_create(system->world, OX_VALUE(Count, {sum}), OX_VALUE(Step, {1}),
                                      OX_VALUE(Wide, {{1}}));
    if (sum % 2 == 0) {
        ox_add_tag(system->world, made, Red);
    }
}

static void edit_changed(ox_system *system) {
    ox_query *query = ox_system_query(system, OX_WRITE(Step), OX_READ(Count));
    ox_query_filter_changed(query, Count, 0);
    OX_EACH_CHUNK(query, chunk) {
        Step *steps = ox_chunk_edit(chunk, Step);
        for (int k = 0; k < chunk.count; k++) {
            steps[k].value ^= ox_chunk_get(chunk, Count)[k].value;
        }
    }
}

static void add_scene(ox_world *world) {
    ox_injection reds = OX_INJECT_VIEWS(SceneState, reds, Reds);
    ox_injection extras = OX_INJECT_LOOKUP(SceneState, extras, OX_READ(Extra));
    add_system(world, IN_GROUP("Physics", .step = 0.125f));
    add_system(world, WITH_JOBS("Sum", sum_extra, .in = "Physics", .state = sizeof(SceneState),
                                .inject = {extras}));
    add_system(world, WITH_JOBS("Two", two_jobs, .in = "Physics",
                                .jobs = OX_JOBS(CountFromStep, WriteCount, WriteExtra)));
    add_system(world,
               ON_MAIN("Change", change_structure, .state = sizeof(SceneState), .inject = {reds}));
    add_system(world, ON_MAIN("Edit", edit_changed, .in = "Presentation"));
    for (uint32_t k = 0; k < 40; k++) {
        ox_entity entity = ox_entity_create(world, OX_VALUE(Count, {k}), OX_VALUE(Step, {k}),
                                            OX_VALUE(Wide, {{(uint8_t)k}}));
        if (k % 5 == 0) {
            ox_add_tag(world, entity, Red);
        }
    }
    scene_extra = ox_entity_create(world, OX_VALUE(Extra, {1}));
}

TEST(systems_hash, the_same_scene_is_the_same_world_for_any_number_of_workers) {
    static const int workers[] = {0, 1, 2, 4, 16};
    uint64_t hashes[5], layouts[5];
    for (int k = 0; k < 5; k++) {
        collected_reports reports;
        start_workers_of_test(workers[k]);
        ox_world *world = begin_systems(&reports);
        add_scene(world);
        for (int frame = 0; frame < 30; frame++) {
            run_frame(world);
        }
        hashes[k] = ox_world_hash(world);
        layouts[k] = ox_world_hash_layout(world);
        EXPECT_EQ(hashes[k], hashes[0]);
        EXPECT_EQ(layouts[k], layouts[0]);
        finish_systems(world, &reports);
    }
}

TEST(systems_hash, an_order_of_adding_does_not_matter) {
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        collected_reports reports;
        ox_entity entity;
        ox_world *world = begin_dependencies(&reports, &entity);
        const ox_system_def *defs[] = {
            WITH_JOBS("A", count_from_step, .jobs = OX_JOBS(CountFromStep)),
            WRITES_STEP("B"),
            WRITES_COUNT("C"),
        };
        for (int n = 0; n < 3; n++) {
            add_system(world, defs[k == 0 ? n : 2 - n]);
        }
        for (int frame = 0; frame < 5; frame++) {
            run_frame(world);
        }
        hashes[k] = ox_world_hash(world);
        finish_systems(world, &reports);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}
