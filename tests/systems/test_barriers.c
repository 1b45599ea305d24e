// SPDX-License-Identifier: MIT
//
// When commands of systems are carried out: right after an update on main, by the barrier at the
// end of the nearest group, or by the barrier that was asked.

#include "barriers_test.h"

// On main.

TEST(barriers, commands_on_main_are_carried_out_right_after_the_update) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, LOOKS("A"));
    add_system(world, ON_MAIN("B", record_step, .after = {"A"}));
    add_system(world, LOOKS("C", .after = {"B"}));

    run_frame(world);
    run_frame(world);

    EXPECT_LOG("A.0 C.1 A.1 C.2");
    EXPECT_EQ(runs_of(world, "EndSimulation"), 0);
    finish_systems(world, &reports);
}

static void record_and_err(ox_system *system) {
    record_step(system);
    EXPECT(!ox_add_tag(system->world, (ox_entity){0}, Red));
}

TEST(barriers, they_are_carried_out_after_an_update_that_reported) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, ON_MAIN("B", record_and_err));
    add_system(world, LOOKS("C", .after = {"B"}));

    run_frame(world);

    EXPECT_EQ(reports.count, 1);
    reports.count = 0;
    EXPECT_LOG("C.1");
    finish_systems(world, &reports);
}

static ox_commands kept;

static void record_twice(ox_system *system) {
    kept = ox_system_commands(system);
    ox_commands again = ox_system_commands(system);
    ox_commands_create_entity(kept);
    ox_commands_create_entity(again);
    EXPECT_EQ(ox_commands_get_info(kept).count, 2);
    EXPECT_EQ(ox_commands_get_info(again).count, 2);
    EXPECT_STR(ox_commands_get_info(kept).system, "B");
}

TEST(barriers, all_calls_of_an_update_give_one_buffer_that_ends_with_it) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, ON_MAIN("B", record_twice));
    run_frame(world);
    collect_reports(&reports);

    EXPECT_EQ(ox_commands_get_info(kept).count, 0);
    EXPECT_EQ(ox_commands_create_entity(kept).version, 0);

    EXPECT_REPORT(&reports, (ox_report_id)OX_REPORT_KEPT_TOO_LONG);
    finish_systems(world, &reports);
}

TEST(barriers, a_handle_that_is_kept_for_the_next_update_has_ended) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, ON_MAIN("B", record_twice));
    run_frame(world);
    ox_commands before = kept;
    run_frame(world); // the memory serves again
    collect_reports(&reports);

    EXPECT(!ox_commands_destroy_entity(before, entity));

    EXPECT_REPORT(&reports, (ox_report_id)OX_REPORT_KEPT_TOO_LONG);
    EXPECT(ox_entity_exists(world, entity));
    finish_systems(world, &reports);
}

static void ask_only(ox_system *system) {
    EXPECT(ox_system_commands(system).oxi_state != NULL);
}

TEST(barriers, an_update_that_records_nothing_waits_for_nobody) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, WRITES_COUNT("W"));
    add_system(world, ON_MAIN("X", ask_only, .after = {"W"}));

    run_frame(world);

    EXPECT(!ox_job_is_complete(noted['W'].returned));
    finish_systems(world, &reports);
}

static void schedule_on_main(ox_system *system) {
    ox_commands commands = ox_system_commands(system);
    note_of(system)->returned = ox_schedule_entities(SpawnSteps, system, OX_AUTO, {commands});
}

TEST(barriers, jobs_of_an_update_on_main_are_completed_before_its_commands) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, ON_MAIN("B", schedule_on_main, .jobs = OX_JOBS(SpawnSteps)));
    add_system(world, LOOKS("C", .after = {"B"}));

    run_frame(world);

    EXPECT(ox_job_is_complete(noted['B'].returned));
    EXPECT_LOG("C.1");
    finish_systems(world, &reports);
}

// In systems with jobs: the end of the nearest group.

typedef struct end_row {
    const char *group;
    const char *barrier;
    const char *log; // of a look at the end of each phase, and after the frame
} end_row;

static const end_row ends[] = {
    {"Initialization", "EndInitialization", "I.0 S.1 P.1"},
    {"Simulation", "EndSimulation", "I.0 S.0 P.1"},
    {"Presentation", "EndPresentation", "I.0 S.0 P.0"},
    {"World", "EndPresentation", "I.0 S.0 P.0"}, // it has no end of its own
};

TEST(barriers, commands_of_a_job_system_are_carried_out_at_the_end_of_its_group) {
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        collected_reports reports;
        ox_entity entity;
        ox_world *world = begin_barriers(&reports, &entity);
        add_system(world, SPAWNS("J", .in = ends[k].group, .place = OX_PHASE_FIRST));
        add_system(world, LOOKS("I", .in = "Initialization", .place = OX_PHASE_LAST));
        add_system(world, LOOKS("S", .place = OX_PHASE_LAST));
        add_system(world, LOOKS("P", .in = "Presentation", .place = OX_PHASE_LAST));

        run_frame(world);

        EXPECT_LOG(ends[k].log);
        EXPECT_EQ(count_steps(world), 1);
        EXPECT_EQ(runs_of(world, ends[k].barrier), 1);
        finish_systems(world, &reports);
    }
}

TEST(barriers, a_nested_group_has_its_own_end) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, IN_GROUP("Inner"));
    add_system(world, BARRIER("InnerBegin", .in = "Inner", .place = OX_PHASE_BEGIN));
    add_system(world, BARRIER("InnerEnd", .in = "Inner", .place = OX_PHASE_END));
    add_system(world, SPAWNS("J", .in = "Inner"));
    add_system(world, LOOKS("L", .in = "Inner", .after = {"J"}));
    add_system(world, LOOKS("M", .after = {"Inner"}));

    run_frame(world);

    EXPECT_LOG("L.0 M.1");
    EXPECT_EQ(runs_of(world, "InnerBegin"), 0);
    EXPECT_EQ(runs_of(world, "EndSimulation"), 0);
    finish_systems(world, &reports);
}

TEST(barriers, a_group_without_an_end_has_that_of_the_group_around_it) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, IN_GROUP("Outer"));
    add_system(world, BARRIER("OuterEnd", .in = "Outer", .place = OX_PHASE_END));
    add_system(world, IN_GROUP("Inner", .in = "Outer"));
    add_system(world, BARRIER("Middle", .in = "Inner")); // somewhere in it: no end
    add_system(world, SPAWNS("J", .in = "Inner"));
    add_system(world, LOOKS("L", .in = "Outer", .after = {"Inner"}));
    add_system(world, LOOKS("M", .after = {"Outer"}));

    run_frame(world);

    EXPECT_LOG("L.0 M.1");
    EXPECT_EQ(runs_of(world, "Middle"), 0);
    EXPECT_EQ(runs_of(world, "EndSimulation"), 0);
    finish_systems(world, &reports);
}

TEST(barriers, a_group_with_steps_ends_with_each_step) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, IN_GROUP("Inner", .step = 0.125f));
    add_system(world, BARRIER("InnerEnd", .in = "Inner", .place = OX_PHASE_END));
    add_system(world, SPAWNS("J", .in = "Inner"));
    add_system(world, LOOKS("L", .in = "Inner", .before = {"J"}));

    run_frame(world); // two steps

    EXPECT_LOG("L.0 L.1");
    EXPECT_EQ(count_steps(world), 2);
    finish_systems(world, &reports);
}

// Asking a barrier.

static const char *asked_barrier;

static ox_system *find_asked(ox_system *system) {
    return ox_system_find(system->world, asked_barrier);
}

static void record_for_asked(ox_system *system) {
    ox_commands commands = ox_barrier_commands(find_asked(system));
    EXPECT_STR(ox_commands_get_info(commands).system, system->name);
    ox_commands_create_entity(commands, OX_VALUE(Step, {1}));
}

TEST(barriers, a_barrier_that_is_asked_carries_out_when_it_is_its_turn) {
    static const end_row asked[] = {
        {NULL, "EndSimulation", "L.0 P.1"},
        {NULL, "BeginPresentation", "L.0 P.1"},
        {NULL, "EndPresentation", "L.0 P.0"},
        {NULL, "BeginInitialization", "L.0 P.0"}, // it was before: in the next frame
    };
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        collected_reports reports;
        ox_entity entity;
        ox_world *world = begin_barriers(&reports, &entity);
        asked_barrier = asked[k].barrier;
        ox_system *asks = add_system(world, ON_MAIN("A", record_for_asked));
        add_system(world, LOOKS("L", .after = {"A"}));
        add_system(world, LOOKS("P", .in = "Presentation"));

        run_frame(world);

        EXPECT_LOG(asked[k].log);
        ox_system_set_enabled(asks, false);
        run_frame(world);
        EXPECT_EQ(count_steps(world), 1);
        finish_systems(world, &reports);
    }
}

TEST(barriers, outside_of_updates_nobody_asks) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, LOOKS("L"));
    ox_commands commands = ox_barrier_commands(ox_system_find(world, "BeginSimulation"));
    EXPECT_STR(ox_commands_get_info(commands).system, "no system");
    ox_commands_create_entity(commands, OX_VALUE(Step, {1}));

    run_frame(world);
    run_frame(world);

    EXPECT_LOG("L.1 L.1");
    EXPECT_EQ(runs_of(world, "BeginSimulation"), 1); // and nobody is registered
    finish_systems(world, &reports);
}

TEST(barriers, one_can_be_updated_alone) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    ox_system *spawner = add_system(world, SPAWNS("J"));

    EXPECT(ox_system_update(spawner));
    EXPECT_EQ(count_steps(world), 0);
    EXPECT(ox_system_update(ox_system_find(world, "EndSimulation")));

    EXPECT_EQ(count_steps(world), 1);
    finish_systems(world, &reports);
}

// What is asked for first is recorded last.
static ox_job ask_twice(ox_system *system, ox_job after) {
    ox_entity entity = ox_query_get_single(ox_system_query(system, OX_WITH(Count)));
    ox_commands first = ox_barrier_commands(find_asked(system));
    ox_commands second = ox_barrier_commands(find_asked(system));
    ox_commands_set(second, entity, Count, {22});
    ox_commands_add(second, entity, Extra, {2});
    ox_commands_set(first, entity, Count, {11});
    return after;
}

TEST(barriers, buffers_are_carried_out_in_the_order_of_asking) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    asked_barrier = "EndSimulation";
    add_system(world, WITH_JOBS("J", ask_twice));

    run_frame(world);

    EXPECT_EQ(ox_get(world, entity, Count)->value, 22);
    finish_systems(world, &reports);
}

TEST(barriers, one_that_is_off_keeps_what_it_has) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    ox_system *end = ox_system_find(world, "EndSimulation");
    EXPECT(end == NULL); // until there is a system
    add_system(world, SPAWNS("J"));
    end = ox_system_find(world, "EndSimulation");
    ox_system_set_enabled(end, false);
    run_frame(world);
    run_frame(world);
    EXPECT_EQ(count_steps(world), 0);

    ox_system_set_enabled(end, true);
    run_frame(world);

    EXPECT_EQ(count_steps(world), 3);
    finish_systems(world, &reports);
}
