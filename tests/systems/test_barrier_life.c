// SPDX-License-Identifier: MIT
//
// Commands of systems that come and go, and what is said of mistakes.

#include "barriers_test.h"

#include "systems/systems.h"

static ox_commands asked[4];

// What goes wrong in commands.

static ox_job ask_and_fail(ox_system *system, ox_job after) {
    ox_system *end = ox_system_find(system->world, "EndSimulation");
    ox_entity entity = ox_query_get_single(ox_system_query(system, OX_WITH(Count)));
    ox_commands first = ox_barrier_commands(end), second = ox_barrier_commands(end);
    ox_commands_set_at(first, entity, ox_component_id_of(Extra), &(Extra){1}, "game.c:12");
    ox_commands_create_entity(first, OX_VALUE(Step, {1}));
    ox_commands_create_entity(second, OX_VALUE(Step, {2}));
    return after;
}

TEST(barrier_life, every_buffer_is_carried_out_although_a_command_fails) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, WITH_JOBS("Shooter", ask_and_fail));

    run_frame(world);

    EXPECT_REPORT(&reports, OX_REPORT_COMMAND_FAILED);
    EXPECT_STR(reports.site, "game.c:12");
    EXPECT_HAS(reports.text, "command 0 of 'EndSimulation', recorded by Shooter");
    EXPECT_EQ(count_steps(world), 2);
    finish_systems(world, &reports);
}

TEST_CHECKED(barrier_life, what_a_job_that_nobody_answers_for_records_is_kept) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, BRIEF("A"));
    ox_system *begin = ox_system_find(world, "BeginSimulation");
    ox_commands held = ox_barrier_commands(begin), other = ox_barrier_commands(begin);
    ox_job job = ox_schedule(SpawnStep, OX_NO_JOB, {held});
    ox_commands_create_entity(other, OX_VALUE(Step, {1}));
    collect_reports(&reports);

    run_frame(world);

    EXPECT_EQ(reports.count, 2);
    EXPECT_EQ((int)reports.last, (int)OX_REPORT_BARRIER_STOPPED);
    EXPECT_HAS(reports.text, "'BeginSimulation': 1 buffers are left");
    EXPECT_EQ(count_steps(world), 1);
    reports.count = 0;
    ox_complete(job);
    run_frame(world);
    EXPECT_EQ(count_steps(world), 2);
    EXPECT_EQ(ox_commands_get_info(held).count, 0);
    finish_systems(world, &reports);
}

static void ask_in_handler(const ox_report *report, void *context) {
    ox_world *world = context;
    (void)report;
    asked[0] = ox_barrier_commands(ox_system_find(world, "EndSimulation"));
    ox_commands_create_entity(asked[0], OX_VALUE(Step, {3}));
}

TEST(barrier_life, what_a_report_handler_asks_for_is_carried_out_in_the_next_update) {
    start_workers_of_test(0);
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    ox_report_set_handler((ox_report_handler){ask_in_handler, world});
    ox_entity_create(world, OX_VALUE(Count, {1}));
    ox_system *shooter = add_system(world, WITH_JOBS("Shooter", ask_and_fail));

    run_frame(world);
    EXPECT_EQ(count_steps(world), 2);
    EXPECT(ox_system_remove(shooter));
    run_frame(world);
    run_frame(world);

    EXPECT_EQ(count_steps(world), 3);
    EXPECT_EQ(runs_of(world, "EndSimulation"), 2); // and the barrier did not register itself
    ox_report_set_handler((ox_report_handler){NULL, NULL});
    end_jobs_test(world);
}

// By hand.

static void play_by_hand(ox_system *system) {
    ox_commands commands = ox_system_commands(system);
    ox_commands_create_entity(commands, OX_VALUE(Step, {1}));
    EXPECT(!ox_commands_playback(commands));
    EXPECT_EQ(count_steps(system->world), 0);
}

static void dispose_by_hand(ox_system *system) {
    ox_commands commands = ox_system_commands(system);
    ox_commands_create_entity(commands, OX_VALUE(Step, {1}));
    ox_commands_dispose(&commands);
    EXPECT(commands.oxi_state != NULL);
}

static void clear_by_hand(ox_system *system) {
    ox_commands commands = ox_system_commands(system);
    ox_commands_create_entity(commands, OX_VALUE(Step, {1}));
    EXPECT(ox_commands_clear(commands));
    ox_commands_create_entity(commands, OX_VALUE(Step, {1}));
}

TEST(barrier_life, a_system_alone_plays_back_and_disposes_its_commands) {
    static ox_system_fn *const updates[] = {play_by_hand, dispose_by_hand};
    for (int k = 0; k < 2; k++) {
        collected_reports reports;
        ox_entity entity;
        ox_world *world = begin_barriers(&reports, &entity);
        add_system(world, ON_MAIN("A", updates[k]));

        run_frame(world);

        EXPECT_REPORT(&reports, OX_REPORT_COMMANDS_OWNED);
        EXPECT_EQ(count_steps(world), 1);
        finish_systems(world, &reports);
    }
}

TEST(barrier_life, commands_of_a_system_may_be_cleared) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, ON_MAIN("A", clear_by_hand));

    run_frame(world);

    EXPECT_EQ(count_steps(world), 1);
    finish_systems(world, &reports);
}

// Asking where there is nothing to ask for.

static void ask_another(ox_system *system) {
    EXPECT(ox_system_commands(ox_system_find(system->world, "Other")).oxi_state == NULL);
}

TEST(barrier_life, only_a_system_in_its_update_has_commands) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    ox_system *main = add_system(world, ON_MAIN("A", ask_another));
    ox_system *jobs = add_system(world, SPAWNS("Other"));
    ox_system *const none[] = {main, jobs, ox_system_find(world, "Simulation"),
                               ox_system_find(world, "EndSimulation")};

    for (int k = 0; k < 4; k++) {
        EXPECT(ox_system_commands(none[k]).oxi_state == NULL);
        EXPECT_REPORT(&reports, OX_REPORT_NO_COMMANDS_HERE);
        EXPECT_HAS(reports.text, k < 2 ? "it is not in its update" : "it has no update");
    }
    EXPECT(ox_system_update(main));
    EXPECT_REPORT(&reports, OX_REPORT_NO_COMMANDS_HERE);
    EXPECT(ox_system_commands(ox_world_get_root(world)).oxi_state == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NOT_A_SYSTEM);
    finish_systems(world, &reports);
}

TEST(barrier_life, only_a_barrier_can_be_asked) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    ox_system *main = add_system(world, BRIEF("A"));

    EXPECT(ox_barrier_commands(main).oxi_state == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NO_BARRIER);
    EXPECT(ox_barrier_commands(ox_system_find(world, "Simulation")).oxi_state == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NO_BARRIER);
    EXPECT(ox_system_add(world, BRIEF("B", .barriers = {"A"})) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NO_BARRIER);
    EXPECT_HAS(reports.text, ".barriers");

    EXPECT(ox_system_find(world, "B") == NULL);
    finish_systems(world, &reports);
}

TEST(barrier_life, a_name_that_nobody_has_is_reported_with_the_nearest) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);

    EXPECT(ox_system_add(world, BRIEF("B", .barriers = {"EndSimulatoin"})) == NULL);

    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_SYSTEM);
    EXPECT_HAS(reports.text, "EndSimulation");
    finish_systems(world, &reports);
}

TEST(barrier_life, a_barrier_has_no_update_and_is_no_group) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    const ox_system_def *const defs[] = {
        BARRIER("A", .update = log_update),
        BARRIER("B", .update_jobs = return_input),
        BARRIER("C", .is_group = true),
    };

    for (int k = 0; k < 3; k++) {
        EXPECT(ox_system_add(world, defs[k]) == NULL);
        EXPECT_REPORT(&reports, OX_REPORT_BAD_SYSTEM);
    }
    finish_systems(world, &reports);
}

// Going.

TEST(barrier_life, what_a_system_recorded_outlives_it) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    ox_system *spawner = add_system(world, SPAWNS("J"));
    add_system(world, BRIEF("A"));
    EXPECT(ox_system_update(spawner));

    EXPECT(ox_system_remove(spawner));
    run_frame(world);
    run_frame(world);

    EXPECT_EQ(count_steps(world), 1);
    EXPECT_EQ(runs_of(world, "EndSimulation"), 1); // nobody is registered any more
    finish_systems(world, &reports);
}

static ox_job spawn_and_go(ox_system *system, ox_job after) {
    ox_job job = spawn_steps(system, after);
    EXPECT(ox_system_remove(system));
    return job;
}

static void record_and_go(ox_system *system) {
    record_step(system);
    EXPECT(ox_system_remove(system));
}

TEST(barrier_life, a_system_that_removes_itself_has_its_commands_carried_out) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, WITH_JOBS("J", spawn_and_go, .jobs = OX_JOBS(SpawnSteps)));
    add_system(world, ON_MAIN("K", record_and_go));

    run_frame(world);

    EXPECT_EQ(count_steps(world), 2);
    EXPECT(ox_system_find(world, "J") == NULL && ox_system_find(world, "K") == NULL);
    finish_systems(world, &reports);
}

static ox_job ask_mine(ox_system *system, ox_job after) {
    asked[0] = ox_barrier_commands(ox_system_find(system->world, "Mine"));
    note_of(system)->returned = ox_schedule_entities(SpawnSteps, system, after, {asked[0]});
    return note_of(system)->returned;
}

TEST(barrier_life, a_barrier_that_goes_takes_its_commands_along) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    ox_system *barrier = add_system(world, BARRIER("Mine", .place = OX_PHASE_FIRST));
    add_system(world, WITH_JOBS("J", ask_mine, .jobs = OX_JOBS(SpawnSteps)));
    run_frame(world); // it comes before J
    EXPECT(!ox_job_is_complete(noted['J'].returned));

    EXPECT(ox_system_remove(barrier));

    EXPECT(ox_job_is_complete(noted['J'].returned));
    EXPECT_EQ(ox_commands_get_info(asked[0]).count, 0);
    EXPECT_EQ(count_steps(world), 0);
    finish_systems(world, &reports);
}

TEST(barrier_life, without_the_end_of_a_group_the_end_of_the_frame_is_taken) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, SPAWNS("J"));
    EXPECT(ox_system_remove(ox_system_find(world, "EndSimulation")));

    run_frame(world);

    EXPECT_EQ(runs_of(world, "EndPresentation"), 1);
    EXPECT_EQ(count_steps(world), 1);
    finish_systems(world, &reports);
}

static ox_job ask_in_vain(ox_system *system, ox_job after) {
    EXPECT(ox_system_commands(system).oxi_state == NULL);
    return after;
}

TEST(barrier_life, without_any_end_there_are_no_commands) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, WITH_JOBS("J", ask_in_vain));
    EXPECT(ox_system_remove(ox_system_find(world, "EndSimulation")));
    EXPECT(ox_system_remove(ox_system_find(world, "EndPresentation")));

    run_frame(world);

    EXPECT_REPORT(&reports, OX_REPORT_NO_COMMANDS_HERE);
    EXPECT_HAS(reports.text, "no group that it is in has an end");
    finish_systems(world, &reports);
}

TEST(barrier_life, a_world_may_end_with_commands_that_are_left) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    ox_system *spawner = add_system(world, SPAWNS("J"));
    collect_reports(&reports);
    EXPECT(ox_system_update(spawner)); // its job did not run yet
    ox_commands commands = ox_barrier_commands(ox_system_find(world, "BeginSimulation"));
    ox_commands_create_entity(commands, OX_VALUE(Step, {1}));

    finish_systems(world, &reports); // no leak, and no report
}

static bool ask_in_create(ox_system *system) {
    asked[0] = ox_barrier_commands(ox_system_find(system->world, "BeginSimulation"));
    ox_commands_create_entity(asked[0], OX_VALUE(Step, {1}));
    return strcmp(system->name, "Refused") != 0;
}

TEST(barrier_life, a_system_that_asks_in_each_frame_is_a_producer_once) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, SPAWNS("J"));

    for (int k = 0; k < 5; k++) {
        run_frame(world);
    }

    EXPECT_EQ(oxi_system_of(ox_system_find(world, "EndSimulation"))->producers.count, 1);
    EXPECT_EQ(count_steps(world), 5);
    finish_systems(world, &reports);
}

TEST(barrier_life, a_system_may_ask_in_its_create) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, WRITES_COUNT("W", .create = ask_in_create));
    EXPECT_STR(ox_commands_get_info(asked[0]).system, "W");
    run_frame(world);
    EXPECT_EQ(count_steps(world), 1);
    EXPECT(!ox_job_is_complete(noted['W'].returned)); // the barrier comes before it

    EXPECT(ox_system_add(world, BRIEF("Refused", .create = ask_in_create)) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_CREATE_FAILED);
    run_frame(world);

    EXPECT_EQ(count_steps(world), 2);
    finish_systems(world, &reports);
}

OX_JOB(RecordLate, { ox_commands commands; }) {
    ox_commands_create_entity(job->commands);
}

static void schedule_and_forget(ox_system *system) {
    ox_schedule(RecordLate, OX_NO_JOB, {ox_system_commands(system)});
}

// Without checks nobody knows of such a job.
TEST_CHECKED(barrier_life, a_job_that_nobody_completes_records_before_its_commands_are_played) {
    collected_reports reports = {0};
    ox_world *world = ox_world_create(
        &(ox_world_def){.no_systems = true, .on_report = {collect_report, &reports}});
    ox_system_add(world, &(ox_system_def){.name = "Post", .update = schedule_and_forget});

    ox_world_update(world, 1.0f);
    ox_world_update(world, 1.0f);

    EXPECT_EQ(reports.count, 0);
    EXPECT_EQ(ox_world_get_usage(world).entity_count, 2);
    ox_world_destroy(world);
    ox_jobs_stop();
}

// Without checks nobody knows of such a job.
TEST_CHECKED(barrier_life, a_world_that_ends_waits_for_jobs_that_record) {
    collected_reports reports = {0};
    ox_world *world = ox_world_create(
        &(ox_world_def){.no_systems = true, .on_report = {collect_report, &reports}});
    ox_commands commands = ox_commands_create(world, NULL);

    ox_schedule(RecordLate, OX_NO_JOB, {commands});
    ox_world_destroy(world);
    ox_jobs_stop();

    EXPECT_EQ(reports.count, 1);
    EXPECT_EQ(reports.last, OX_REPORT_COMMANDS_LEAKED);
}
