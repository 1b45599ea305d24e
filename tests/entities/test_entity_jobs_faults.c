// SPDX-License-Identifier: MIT
//
// Every fallible call on the way of a job over entities is failed once, alone and together with
// all that follow. A job that was refused has left no trace: the world is as if nobody had asked.

#include "entity_jobs_test.h"

OX_ENTITY_JOB(Large, (OX_WRITE(Count, count), OX_READ(Step, step)), { uint8_t filler[20000]; }) {
    count->value = count->value * 5 + step->value + job->filler[0];
}

OX_ENTITY_JOB(AddLooked, (OX_WRITE(Count, count)), {
    ox_entity who;
    OX_READ_ONLY ox_lookup steps;
}) {
    count->value += ox_lookup_get(&job->steps, job->who, Step)->value + 1;
}

enum { FAULT_ENTITIES = 40 };

static bool fill_world(ox_world *world, ox_entity *first) {
    ox_archetype archetypes[2] = {ox_archetype_of(world, Count, Step, Wide),
                                  ox_archetype_of(world, Count, Step)};
    return archetypes[0].number != 0 && archetypes[1].number != 0 &&
           ox_entities_create(world, archetypes[0], NULL, FAULT_ENTITIES) &&
           ox_entities_create(world, archetypes[1], first, 1);
}

// Schedules and, when that worked, does the same to `expected`, the count of every entity.
static void add_job(ox_world *world, uint32_t *expected, uint32_t add) {
    if (ox_schedule_entities(WriteCount, ox_world_get_root(world), OX_AUTO, {add}).value != 0) {
        *expected = *expected * 3 + add;
    }
}

static void expect_counts(ox_world *world, ox_entity entity, uint32_t expected) {
    EXPECT_EQ(ox_get(world, entity, Count)->value, expected);
    uint64_t hash = ox_world_hash(world);
    EXPECT(ox_world_validate_at(world, OX_HERE));
    EXPECT_EQ(ox_world_hash(world), hash);
}

// The step of an entity is 0.
static void look_up(ox_world *world, ox_entity entity, uint32_t *expected) {
    ox_lookup steps = ox_lookup_create(world, Step);
    if (steps.world != NULL &&
        ox_schedule_entities(AddLooked, ox_world_get_root(world), OX_AUTO, {entity, steps}).value !=
            0) {
        *expected += 1;
    }
}

static void use_world(ox_world *world, ox_entity entity) {
    static Large large;
    uint32_t expected = 0;
    for (uint32_t round = 0; round < 3; round++) {
        add_job(world, &expected, round + 1);
        // More readers than the table keeps apart, or nearly as many as it does.
        for (int k = 0; k < (round == 1 ? 14 : 20); k++) {
            ox_schedule_entities(ReadCount, ox_world_get_root(world), OX_AUTO, {0});
        }
        ox_schedule_entities(WriteStep, ox_world_get_root(world), OX_AUTO, {0});
        ox_jobs_kick();
        add_job(world, &expected, round + 7);
        if (ox_schedule_entities(Large, ox_world_get_root(world), OX_AUTO, large).value != 0) {
            expected = expected * 5;
        }
        look_up(world, entity, &expected);
    }
    expect_counts(world, entity, expected);
}

static void run_faulty(int workers) {
    watch_for_hang("jobs over entities with failed calls");
    ox_entity entity = {0};
    ox_world *world = NULL;
    if (ox_jobs_start(&(ox_jobs_def){.worker_count = workers})) {
        world = ox_world_create(NULL);
    }
    if (world != NULL && fill_world(world, &entity)) {
        use_world(world, entity);
    }
    ox_world_destroy(world);
    ox_jobs_stop();
    ox_frame_end();
    ox_memory_trim();
    end_watch();
}

static void run_without_workers(void) {
    run_faulty(OX_NO_WORKERS);
}

static void run_with_workers(void) {
    run_faulty(2);
}

TEST(entity_jobs_faults, without_workers) {
    test_fault_sweep("jobs over entities without workers", run_without_workers);
}

TEST(entity_jobs_faults, with_workers) {
    test_fault_sweep("jobs over entities with workers", run_with_workers);
}
