// SPDX-License-Identifier: MIT
//
// Every fallible call on the way of a job with views and lookups is failed once, alone and together
// with all that follow. A job that was refused holds nothing, and has changed nothing.

#include "plain_jobs_test.h"

#include "entities/scope.h"

OX_VIEWS(Counted, (OX_WRITE(Count, counts), OX_READ(Step, steps)));

OX_JOB(AddLooked, {
    ox_entity who;
    OX_READ_ONLY ox_lookup steps;
    ox_view counts;
}) {
    for (int k = 0; k < job->counts.count; k++) {
        ox_view_edit(job->counts, k, Count)->value +=
            ox_lookup_get(&job->steps, job->who, Step)->value + 1;
    }
}

OX_ENTITY_JOB(CountRows, (OX_WRITE(Count, count)), { OX_READ_ONLY ox_view steps; }) {
    count->value += ox_view_read(job->steps, 0, Step).value + 1;
}

enum { FAULT_ENTITIES = 40 };

// Jobs that add 1 to every count when they are not refused. @return how many surely ran.
static uint32_t use_views(ox_world *world, ox_entity entity, const Counted *counted) {
    ox_lookup steps = ox_lookup_create(world, Step);
    uint32_t added = 0;
    if (steps.world == NULL) {
        return 0;
    }
    ox_job first = ox_schedule(AddLooked, OX_NO_JOB, {entity, steps, counted->counts});
    ox_job second = ox_schedule_background(AddLooked, first, {entity, steps, counted->counts});
    ox_complete(first, second);
    added += first.value != 0 ? 1 : 0;
    added += second.value != 0 ? 1 : 0;
    ox_run(AddLooked, {entity, steps, counted->counts}); // nobody tells whether it ran
    ox_job rows =
        ox_schedule_entities(CountRows, ox_world_get_root(world), OX_AUTO, {counted->steps});
    return added + (rows.value != 0 ? 1 : 0);
}

// The same in the update of a system.
static void use_system(ox_world *world, ox_entity entity, const Counted *counted, uint32_t *added) {
    oxi_scope system = {.base = {world, "Adder"}, .owner = world, .is_updating = true};
    ox_lookup steps = ox_lookup_create(world, Step);
    world->updating = &system;
    if (steps.world != NULL &&
        ox_schedule(AddLooked, OX_NO_JOB, {entity, steps, counted->counts}).value != 0) {
        *added += 1;
        EXPECT_EQ(system.jobs.count, 1);
    }
    world->updating = NULL;
    oxi_scope_complete(&system, OX_HERE);
    oxi_scope_free(&system);
}

static void use_world(ox_world *world, ox_entity entity) {
    Counted counted = {0};
    if (!Counted_inject(world, &counted, OX_HERE)) {
        return;
    }
    EXPECT_EQ(counted.count, FAULT_ENTITIES + 1);
    EXPECT(counted.counts.count == counted.count && counted.steps.count == counted.count);
    uint32_t added = 0;
    use_system(world, entity, &counted, &added);
    uint32_t sure = use_views(world, entity, &counted) + added;
    uint32_t count = ox_get(world, entity, Count)->value;
    EXPECT(count == sure || count == sure + 1);
    EXPECT(ox_world_validate(world));
    EXPECT_EQ(world->store.dirty_count, 0);
}

static void run_faulty(int workers) {
    watch_for_hang("jobs with views, with failed calls");
    ox_entity entity = {0};
    ox_world *world = NULL;
    if (ox_jobs_start(&(ox_jobs_def){.worker_count = workers})) {
        world = ox_world_create(NULL);
    }
    ox_archetype archetype = {0};
    if (world != NULL) {
        archetype = ox_archetype_of(world, Count, Step);
    }
    if (archetype.number != 0 && ox_entities_create(world, archetype, NULL, FAULT_ENTITIES) &&
        ox_entities_create(world, archetype, &entity, 1)) {
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

TEST(plain_jobs_faults, without_workers) {
    test_fault_sweep("jobs with views without workers", run_without_workers);
}

TEST(plain_jobs_faults, with_workers) {
    test_fault_sweep("jobs with views with workers", run_with_workers);
}
