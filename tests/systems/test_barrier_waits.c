// SPDX-License-Identifier: MIT
//
// Whose jobs a barrier completes, where barriers stand in the order of systems, and what a recorded
// frame tells about them.

#include "barriers_test.h"

#include "oxbow/explain.h"

// Producers.

TEST(barrier_waits, a_barrier_that_nobody_names_does_nothing) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, BARRIER("Mine", .after = {"W"}));
    add_system(world, WRITES_COUNT("W"));

    run_frame(world);

    EXPECT(!ox_job_is_complete(noted['W'].returned));
    EXPECT_EQ(runs_of(world, "Mine"), 0);
    EXPECT_EQ(runs_of(world, "EndSimulation"), 0);
    finish_systems(world, &reports);
}

TEST(barrier_waits, one_that_a_def_names_completes_what_the_system_returned) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, BARRIER("Mine"));
    add_system(world, WRITES_COUNT("W", .barriers = {"Mine", "EndPresentation"}));
    add_system(world, WITH_JOBS("X", write_extra, .jobs = OX_JOBS(WriteExtra)));
    ox_add(world, entity, Extra, {1});

    run_frame(world);

    EXPECT(ox_job_is_complete(noted['W'].returned));
    EXPECT(!ox_job_is_complete(noted['X'].returned));
    EXPECT_EQ(runs_of(world, "Mine"), 1);
    EXPECT_EQ(runs_of(world, "EndPresentation"), 1);
    finish_systems(world, &reports);
}

TEST(barrier_waits, one_completes_what_each_of_several_systems_returned) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, BARRIER("Mine"));
    add_system(world, WRITES_COUNT("W", .barriers = {"Mine", "Mine"}));
    add_system(world,
               WITH_JOBS("X", write_extra, .jobs = OX_JOBS(WriteExtra), .barriers = {"Mine"}));
    ox_add(world, entity, Extra, {1});

    run_frame(world);

    EXPECT(ox_job_is_complete(noted['W'].returned));
    EXPECT(ox_job_is_complete(noted['X'].returned));
    EXPECT_EQ(runs_of(world, "Mine"), 1);
    finish_systems(world, &reports);
}

typedef struct BarrierState {
    ox_system *barrier;
} BarrierState;

#define INJECT_BARRIER(name) OX_INJECT_SYSTEM(BarrierState, barrier, name)

static ox_job write_with_injected(ox_system *system, ox_job after) {
    const BarrierState *state = ox_system_state(system, BarrierState);
    log_text(system->name, state->barrier != NULL ? state->barrier->name : "none");
    return write_count(system, after);
}

TEST(barrier_waits, one_that_is_injected_completes_what_the_system_returned) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, BARRIER("Mine"));
    add_system(world, WITH_JOBS("W", write_with_injected, .jobs = OX_JOBS(WriteCount),
                                .inject = {INJECT_BARRIER("Mine")}, .state = sizeof(BarrierState)));

    run_frame(world);

    EXPECT_LOG("W.Mine");
    EXPECT(ox_job_is_complete(noted['W'].returned));
    EXPECT(ox_system_remove(ox_system_find(world, "Mine")));
    run_frame(world);
    EXPECT_LOG("W.none");
    EXPECT(!ox_job_is_complete(noted['W'].returned));
    finish_systems(world, &reports);
}

// Made when it is named, as the groups of a def are.
OX_BARRIER(NamedBarrier, .is_manual = true, .in = "Presentation");

TEST(barrier_waits, one_that_is_named_and_not_there_is_made) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);

    add_system(world, WRITES_COUNT("W", .barriers = {"NamedBarrier"}));

    EXPECT(ox_system_find(world, "NamedBarrier") != NULL);
    run_frame(world);
    EXPECT(ox_job_is_complete(noted['W'].returned));
    finish_systems(world, &reports);
}

static ox_job ask_in_the_first_frame(ox_system *system, ox_job after) {
    if (ox_system_get_time(system).frame == 1) {
        EXPECT(ox_system_commands(system).oxi_state != NULL);
    }
    return write_count(system, after);
}

TEST(barrier_waits, who_asked_once_is_completed_for_good) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, WITH_JOBS("W", ask_in_the_first_frame, .jobs = OX_JOBS(WriteCount)));

    for (int frame = 1; frame <= 3; frame++) {
        run_frame(world);
        EXPECT(ox_job_is_complete(noted['W'].returned));
        EXPECT_EQ(runs_of(world, "EndSimulation"), frame);
    }
    finish_systems(world, &reports);
}

static ox_job spawn_plainly(ox_system *system, ox_job after) {
    return ox_schedule(SpawnStep, after, {ox_system_commands(system)});
}

static ox_job spawn_with_auto(ox_system *system, ox_job after) {
    (void)after;
    ox_schedule_entities(SpawnSteps, system, OX_AUTO, {ox_system_commands(system)});
    return OX_NO_JOB;
}

TEST(barrier_waits, all_jobs_of_a_system_may_record) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, WITH_JOBS("A", spawn_plainly));
    add_system(world, WITH_JOBS("B", spawn_with_auto, .jobs = OX_JOBS(SpawnSteps)));
    add_system(world, SPAWNS("C"));

    run_frame(world);

    EXPECT_EQ(count_steps(world), 3);
    finish_systems(world, &reports);
}

TEST(barrier_waits, it_waits_for_none_but_them_when_nothing_was_recorded) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, SPAWNS("J"));
    add_system(world, WRITES_STEP("W"));
    ox_remove(world, entity, Count); // the job of J has nothing to do
    ox_add(world, entity, Step, {1});
    ox_entity_create(world, OX_VALUE(Extra, {1}));

    run_frame(world);

    EXPECT(!ox_job_is_complete(noted['W'].returned));
    finish_systems(world, &reports);
}

// Order.

static ox_job log_jobs(ox_system *system, ox_job after) {
    log_call(system, "");
    return after;
}

#define LOGGED_BARRIER(text, ...) BARRIER(text, .start = log_start, __VA_ARGS__)

TEST(barrier_waits, barriers_come_as_late_as_what_is_said_allows) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, LOGGED_BARRIER("Any"));
    add_system(world, LOGGED_BARRIER("Between", .before = {"Z"}));
    add_system(world, LOGGED_BARRIER("First", .place = OX_PHASE_FIRST));
    add_system(world, BRIEF("M"));
    add_system(world, BRIEF("Z"));
    add_system(world, WITH_JOBS("J", log_jobs));
    add_system(world, WITH_JOBS("K", log_jobs, .after = {"Z"}));

    run_frame(world);

    EXPECT_LOG("First.start J M Between.start Z K Any.start");
    finish_systems(world, &reports);
}

TEST(barrier_waits, by_name_they_stand_by_their_names) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, LOGGED_BARRIER("B"));
    add_system(world, BRIEF("A"));
    add_system(world, BRIEF("C"));
    ox_world_order_by_name(world, true);

    run_frame(world);

    EXPECT_LOG("A B.start C");
    finish_systems(world, &reports);
}

// What is told.

static const ox_frame_system *find_in_frame(const ox_frame *frame, const char *name) {
    for (int k = 0; k < frame->system_count; k++) {
        if (strcmp(frame->systems[k].name, name) == 0) {
            return &frame->systems[k];
        }
    }
    return NULL;
}

TEST(barrier_waits, a_recorded_frame_has_barriers_that_worked_as_systems) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, SPAWNS("J"));
    EXPECT(ox_world_record_frames(world, true));

    run_frame(world);

    const ox_frame *frame = ox_world_get_frame(world);
    const ox_frame_system *end = find_in_frame(frame, "EndSimulation");
    EXPECT(end->has_run && !end->is_point);
    const ox_frame_system *begin = find_in_frame(frame, "BeginSimulation");
    EXPECT(!begin->has_run && begin->is_point);
    EXPECT_EQ(frame->sync_count, 1);
    EXPECT(&frame->systems[frame->syncs[0].system] == end);
    EXPECT(frame->syncs[0].sync.is_planned);
    EXPECT_STR(frame->jobs[frame->syncs[0].jobs[0]].name, "SpawnSteps");
    finish_systems(world, &reports);
}

TEST(barrier_waits, a_strict_world_finds_waits_of_a_barrier_planned) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, SPAWNS("J"));
    add_system(world, WRITES_COUNT("W", .after = {"J"})); // playback waits for it, too
    ox_world_set_strict(world, true);
    ox_world_record_syncs(world, true);

    run_frame(world);

    ox_sync syncs[4];
    EXPECT_EQ(ox_world_get_syncs(world, syncs, 4), 2);
    EXPECT_EQ((int)syncs[1].kind, (int)OX_SYNC_STRUCTURAL);
    EXPECT(syncs[0].is_planned && syncs[1].is_planned);
    EXPECT_STR(syncs[0].system, "EndSimulation");
    EXPECT_STR(syncs[1].system, "EndSimulation");
    finish_systems(world, &reports);
}

TEST(barrier_waits, a_strict_world_reports_waits_of_commands_after_an_update) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, WRITES_COUNT("W"));
    add_system(world, ON_MAIN("X", record_step, .after = {"W"}));
    ox_world_set_strict(world, true);

    run_frame(world);

    EXPECT_REPORT(&reports, OX_REPORT_UNPLANNED_SYNC);
    EXPECT_HAS(reports.text, "X");
    EXPECT_EQ(count_steps(world), 1);
    finish_systems(world, &reports);
}
