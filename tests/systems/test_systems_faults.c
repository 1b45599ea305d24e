// SPDX-License-Identifier: MIT
//
// Every fallible call of systems is failed once, alone and together with all that follow: creating
// a world with systems, adding, updating with jobs and injection, removing, destroying. What could
// not be made is not there, and what is there works.

#include "systems_test.h"

#include "oxbow/containers.h"

OX_VIEWS(Counted, (OX_WRITE(Count, counts), OX_READ(Step, steps)));

typedef struct Injected {
    Counted counted;
    ox_lookup steps;
    ox_system *other;
} Injected;

OX_JOB_SYSTEM(FaultyJobs, .jobs = OX_JOBS(CountFromStep, WriteCount), .before = {"FaultyMain"}) {
    ox_job first = ox_schedule_entities(CountFromStep, system, after, {0});
    ox_schedule_entities(ReadStep, system, OX_AUTO, {0}); // learned
    return first.value != 0 ? ox_schedule_entities(WriteCount, system, first, {1}) : after;
}

OX_JOB(PlainJob, { int unused; }) {
}

OX_JOB_SYSTEM(FaultyPlain, .in = "FaultyGroup") {
    return ox_schedule(PlainJob, after, {0});
}

OX_JOB_SYSTEM(FaultyWriter, .in = "FaultyGroup", .jobs = OX_JOBS(WriteStep)) {
    ox_job plain = ox_schedule(PlainJob, OX_NO_JOB, {0});
    ox_schedule_entities(WriteStep, system, OX_AUTO, {1});
    return plain;
}

OX_GROUP(FaultyGroup, .step = 0.125f, .after = {"FaultyMain"});

static bool create_main(ox_system *system) {
    ox_query *query = ox_system_query(system, OX_READ(Extra), OX_NONE(Red));
    return query != NULL && ox_system_require(system, query) &&
           ox_system_declare(system, OX_READ(Step), OX_WRITE(Wide)) &&
           ox_system_lookup(system, OX_WRITE(Count)).world != NULL;
}

// In the middle of an update it adds one and removes another.
OX_SYSTEM(FaultyMain,
          .inject = {OX_INJECT_VIEWS(Injected, counted, Counted),
                     OX_INJECT_LOOKUP(Injected, steps, OX_READ(Step)),
                     OX_INJECT_SYSTEM(Injected, other, "FaultyPlain")},
          .require = OX_REQUIRE(OX_WITH(Count)), .create = create_main, .state = sizeof(Injected)) {
    const Injected *state = ox_system_state(system, Injected);
    for (int k = 0; k < state->counted.count; k++) {
        ox_view_edit(state->counted.counts, k, Count)->value++;
    }
    ox_system *late = ox_system_find(system->world, "Late");
    if (late != NULL) {
        ox_system_remove(late);
    } else {
        ox_system_add(system->world, BRIEF("Late", .state = 8, .in = "FaultyGroup"));
    }
}

// Many readers, whose handles have to become one.
static ox_job read_extra_plainly(ox_system *system, ox_job after) {
    (void)system;
    return ox_schedule(PlainJob, after, {0});
}

static void add_readers(ox_world *world) {
    static char names[20][24];
    for (int k = 0; k < 20; k++) {
        snprintf(names[k], sizeof names[k], "Reader%d", k);
        ox_system *reader = ox_system_add(world, WITH_JOBS(names[k], read_extra_plainly));
        if (reader != NULL) {
            ox_system_declare(reader, OX_READ(Extra));
        }
    }
    ox_system *writer =
        ox_system_add(world, WITH_JOBS("Writer", read_extra_plainly, .after = {"FaultyMain"}));
    if (writer != NULL) {
        ox_system_declare(writer, OX_WRITE(Extra));
    }
}

static void use_world(ox_world *world) {
    for (uint32_t k = 0; k < 3; k++) {
        ox_entity_create(world, OX_VALUE(Count, {k}), OX_VALUE(Step, {k}), OX_VALUE(Extra, {k}));
    }
    for (int frame = 0; frame < 3; frame++) {
        ox_world_update(world, 0.25f);
    }
    add_readers(world);
    ox_world_update(world, 0.25f);
    ox_system *systems[64];
    int count = ox_world_get_systems(world, systems, 64);
    for (int k = 0; k < count && k < 64; k++) {
        EXPECT(ox_system_find(world, systems[k]->name) == systems[k]);
    }
    ox_system *group = ox_system_find(world, "FaultyGroup");
    if (group != NULL) {
        ox_system_update(group);
        ox_system_remove(group);
    }
    ox_world_order_by_name(world, true);
    ox_world_add_systems(world);
    ox_world_update(world, 0.25f);
    EXPECT(ox_world_validate(world));
}

static void run_faulty(int workers) {
    watch_for_hang("systems with failed calls");
    system_log[0] = 0;
    if (ox_jobs_start(&(ox_jobs_def){.worker_count = workers})) {
        ox_world *world = ox_world_create(NULL);
        if (world != NULL) {
            use_world(world);
        }
        ox_world_destroy(world);
    }
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

TEST(systems_faults, without_workers) {
    test_fault_sweep("systems without workers", run_without_workers);
}

TEST(systems_faults, with_workers) {
    test_fault_sweep("systems with workers", run_with_workers);
}

// A world of its own, to which systems are added by hand.

static void add_two(ox_world *world) {
    ox_system *a = ox_system_add(world, LOGGED("A", .state = 100, .before = {"FaultyMain"}));
    ox_system *b = ox_system_add(world, LOGGED("B", .require = OX_REQUIRE(OX_WITH(Count))));
    EXPECT((a != NULL) == (ox_system_find(world, "A") != NULL));
    EXPECT((b != NULL) == (ox_system_find(world, "B") != NULL));
    if (ox_world_update(world, 1) && a != NULL) {
        EXPECT_EQ(ox_system_get_info(a).run_count, 1);
    }
    if (a != NULL) {
        EXPECT(ox_system_remove(a));
        EXPECT(ox_system_find(world, "A") == NULL);
    }
    ox_world_update(world, 1);
}

static void add_by_hand(void) {
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    system_log[0] = 0;
    if (world != NULL) {
        add_two(world);
    }
    ox_world_destroy(world);
    ox_frame_end();
    ox_memory_trim();
}

TEST(systems_faults, added_by_hand) {
    test_fault_sweep("systems that are added by hand", add_by_hand);
}

TEST(systems_faults, a_query_that_cannot_be_required_for_want_of_memory_is_reported) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *system = add_system(world, BRIEF("A"));
    ox_query *query = ox_query_create(world, OX_WITH(Count));

    oxi_fault_plan(OXI_FAULT_FROM, 0);
    bool is_required = ox_system_require(system, query);
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT(!is_required);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    finish_systems(world, &reports);
}
