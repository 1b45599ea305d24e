// SPDX-License-Identifier: MIT
//
// Groups with steps have an end of their own: what job systems in them record is carried out after
// each step.

#include "barriers_test.h"

#include "base/heap.h"
#include "oxbow/explain.h"

// A fuse burns for a number of steps; then there is a boom, and it is gone.
OX_COMPONENT(Fuse, { int steps; });
OX_COMPONENT(Boom, { int strength; });

OX_ENTITY_JOB(Burn, (OX_WRITE(Fuse, fuse), OX_ENTITY(self)), { ox_commands commands; }) {
    if (--fuse->steps <= 0) {
        ox_commands_create_entity(job->commands, OX_VALUE(Boom, {7}));
        ox_commands_destroy_entity(job->commands, self);
    }
}

static ox_job burn(ox_system *system, ox_job after) {
    return ox_schedule_entities(Burn, system, after, {ox_system_commands(system)});
}

#define BURNS(text, ...) WITH_JOBS(text, burn, .jobs = OX_JOBS(Burn), __VA_ARGS__)

static int count_of(ox_world *world, uint32_t component) {
    ox_term terms[] = {{OX_TERM_WITH, NULL, component}, {OX_TERM_END, NULL, 0}};
    ox_query *query = ox_query_create_at(world, terms, OX_HERE);
    int count = (int)ox_query_count_all(query);
    ox_query_destroy(query);
    return count;
}

static uint64_t burn_fuses(int workers, int fuses) {
    collected_reports reports;
    start_workers_of_test(workers);
    ox_world *world = begin_systems(&reports);
    add_system(world, IN_GROUP("Physics", .step = 0.02f));
    add_system(world, BURNS("Fuses", .in = "Physics"));
    for (int k = 0; k < fuses; k++) {
        ox_entity_create(world, OX_VALUE(Fuse, {1 + k % 3}));
    }

    EXPECT(ox_world_update(world, 0.065f)); // three steps

    EXPECT_EQ(count_of(world, ox_component_id_of(Boom)), fuses);
    EXPECT_EQ(count_of(world, ox_component_id_of(Fuse)), 0);
    uint64_t hash = ox_world_hash(world) * 31 + ox_world_hash_layout(world);
    finish_systems(world, &reports);
    return hash;
}

TEST(group_end, commands_are_carried_out_after_each_step) {
    burn_fuses(0, 1);
}

TEST(group_end, steps_give_the_same_world_with_any_number_of_workers) {
    uint64_t expected = burn_fuses(0, 3000);
    for (int workers = 1; workers <= 8; workers *= 2) {
        EXPECT_EQ(burn_fuses(workers, 3000), expected);
    }
}

// Steps of 0.125 in frames of 0.25: each looks, then spawns.
static ox_world *begin_inner(collected_reports *reports, ox_entity *entity) {
    ox_world *world = begin_barriers(reports, entity);
    add_system(world, IN_GROUP("Inner", .step = 0.125f));
    add_system(world, SPAWNS("J", .in = "Inner"));
    add_system(world, LOOKS("L", .in = "Inner", .before = {"J"}));
    return world;
}

static int count_systems(ox_world *world) {
    return ox_world_get_systems(world, NULL, 0);
}

TEST(group_end, it_has_a_name_from_the_beginning) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_inner(&reports, &entity);

    ox_system_info info = ox_system_get_info(ox_system_find(world, "EndInner"));
    run_frame(world);

    EXPECT_STR(info.name, "EndInner");
    EXPECT_STR(info.group->name, "Inner");
    EXPECT_LOG("L.0 L.1");
    EXPECT_EQ(runs_of(world, "EndInner"), 2);
    EXPECT_EQ(runs_of(world, "EndSimulation"), 0);
    finish_systems(world, &reports);
}

TEST(group_end, a_group_without_steps_has_none) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, IN_GROUP("Inner"));
    add_system(world, BRIEF("A", .in = "Inner"));

    run_frame(world);

    EXPECT(ox_system_find(world, "EndInner") == NULL);
    finish_systems(world, &reports);
}

TEST(group_end, steps_that_are_set_later_bring_one) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    ox_system *inner = add_system(world, IN_GROUP("Inner"));
    add_system(world, SPAWNS("J", .in = "Inner"));
    run_frame(world);

    EXPECT(ox_group_set_step(inner, 0.125f, 0));
    run_frame(world);
    EXPECT(ox_group_set_step(inner, 0, 0));
    run_frame(world);

    EXPECT_EQ(runs_of(world, "EndInner"), 3);
    EXPECT_EQ(count_steps(world), 4);
    finish_systems(world, &reports);
}

TEST(group_end, groups_with_steps_in_each_other_have_one_each) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, IN_GROUP("Outer", .step = 0.25f));
    add_system(world, IN_GROUP("Inner", .in = "Outer", .step = 0.125f));
    add_system(world, IN_GROUP("Plain", .in = "Outer", .after = {"Inner"}));
    add_system(world, SPAWNS("J", .in = "Inner"));
    add_system(world, SPAWNS("K", .in = "Plain"));
    add_system(world, LOOKS("L", .in = "Inner", .after = {"J"}));
    add_system(world, LOOKS("M", .in = "Plain", .after = {"K"}));
    add_system(world, LOOKS("N", .after = {"Outer"}));

    run_frame(world);

    EXPECT_LOG("L.0 L.1 M.2 N.3");
    EXPECT_EQ(runs_of(world, "EndInner"), 2);
    EXPECT_EQ(runs_of(world, "EndOuter"), 1);
    finish_systems(world, &reports);
}

// Barriers of the user.

TEST(group_end, a_barrier_of_the_user_serves_instead) {
    static const char *const names[] = {"EndInner", "Mine"};
    for (int k = 0; k < 2; k++) {
        collected_reports reports;
        ox_entity entity;
        ox_world *world = begin_inner(&reports, &entity);
        add_system(world, BARRIER(names[k], .in = "Inner", .place = OX_PHASE_END));
        int count = count_systems(world);

        run_frame(world);

        EXPECT_LOG("L.0 L.1");
        EXPECT_EQ(runs_of(world, names[k]), 2);
        EXPECT_EQ(count, 9 + 4); // those of every world, and four
        finish_systems(world, &reports);
    }
}

TEST(group_end, commands_that_it_has_outlive_the_barrier_that_replaces_it) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_inner(&reports, &entity);
    run_frame(world);
    ox_commands kept = ox_barrier_commands(ox_system_find(world, "EndInner"));
    ox_commands_create_entity(kept, OX_VALUE(Step, {1}));

    add_system(world, BARRIER("EndInner", .in = "Inner", .place = OX_PHASE_END));
    run_frame(world);

    EXPECT_LOG("L.0 L.1 L.2 L.4");
    EXPECT_EQ(runs_of(world, "EndInner"), 2);
    finish_systems(world, &reports);
}

TEST(group_end, a_barrier_that_goes_leaves_the_end_to_the_group) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_inner(&reports, &entity);
    ox_system *mine = add_system(world, BARRIER("Mine", .in = "Inner", .place = OX_PHASE_END));
    run_frame(world);
    EXPECT(ox_system_find(world, "EndInner") == NULL);

    EXPECT(ox_system_remove(mine));
    run_frame(world);

    EXPECT_LOG("L.0 L.1 L.2 L.3");
    EXPECT_EQ(runs_of(world, "EndInner"), 2);
    finish_systems(world, &reports);
}

TEST(group_end, a_name_that_another_system_has_is_left_to_it) {
    for (int is_first = 0; is_first < 2; is_first++) {
        collected_reports reports;
        ox_entity entity;
        ox_world *world = begin_barriers(&reports, &entity);
        if (is_first) {
            add_system(world, LOOKS("EndInner", .before = {"Inner"}));
        }
        add_system(world, IN_GROUP("Inner", .step = 0.125f));
        if (!is_first) {
            add_system(world, LOOKS("EndInner", .before = {"Inner"}));
        }
        add_system(world, SPAWNS("J", .in = "Inner"));
        add_system(world, LOOKS("L", .in = "Inner", .before = {"J"}));

        run_frame(world);

        EXPECT_LOG("EndInner.0 L.0 L.1");
        EXPECT_EQ(runs_of(world, "EndInner_"), 2);
        finish_systems(world, &reports);
    }
}

// Names of ends in defs, before their group is there.

OX_GROUP(AnnouncedSteps, .step = 0.125f, .is_manual = true);

typedef struct injected_end {
    ox_system *end;
} injected_end;

static void look_at_injected(ox_system *system) {
    EXPECT_STR(ox_system_state(system, injected_end)->end->name, "EndAnnouncedSteps");
}

TEST(group_end, naming_one_brings_its_group) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    add_system(world, WITH_JOBS("B", return_input, .barriers = {"EndAnnouncedSteps"}));
    ox_system *group = ox_system_find(world, "AnnouncedSteps");
    run_frame(world);
    EXPECT(group != NULL);
    EXPECT_EQ(runs_of(world, "EndAnnouncedSteps"), 2);
    EXPECT(ox_system_remove(group));
    EXPECT(ox_system_find(world, "EndAnnouncedSteps") == NULL);

    add_system(world,
               BRIEF("C", .after = {"EndAnnouncedSteps"})); // not in this world: says nothing
    run_frame(world);
    add_system(world,
               ON_MAIN("I", look_at_injected, .state = sizeof(injected_end),
                       .inject = {OX_INJECT_SYSTEM(injected_end, end, "EndAnnouncedSteps")}));
    run_frame(world);

    EXPECT_EQ(runs_of(world, "EndAnnouncedSteps"), 2);
    finish_systems(world, &reports);
}

OX_BARRIER(EndOfDaily, .in = "Daily", .place = OX_PHASE_END);
OX_BARRIER(FirstOfWeekly, .in = "Weekly", .place = OX_PHASE_FIRST);

TEST(group_end, it_is_made_at_once_unless_a_barrier_for_that_place_is_announced) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);

    add_system(world, IN_GROUP("Daily", .step = 0.5f));
    add_system(world, IN_GROUP("Weekly", .step = 0.5f));
    add_system(world, IN_GROUP("Yearly", .step = 0.5f));

    EXPECT(ox_system_find(world, "EndDaily") == NULL);
    EXPECT(ox_system_find(world, "EndWeekly") != NULL);
    EXPECT(ox_system_find(world, "EndYearly") != NULL);
    finish_systems(world, &reports);
}

// Names are kept for frames that were recorded: a group that comes again has the same.
TEST(group_end, groups_that_come_and_go_keep_no_more_names) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, IN_GROUP("Hourly", .step = 0.5f));
    uint64_t blocks = 0;

    for (int k = 0; k < 20; k++) {
        ox_system *group = add_system(world, IN_GROUP("Yearly", .step = 0.5f));
        EXPECT(ox_system_find(world, "EndYearly") != NULL);
        EXPECT(ox_system_remove(group));
        blocks = k == 0 ? oxi_heap_get_blocks() : blocks;
    }

    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
    finish_systems(world, &reports);
}

// Going.

TEST(group_end, it_goes_with_its_group_and_comes_again) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_inner(&reports, &entity);
    run_frame(world);

    EXPECT(ox_system_remove(ox_system_find(world, "Inner")));
    EXPECT(ox_system_find(world, "EndInner") == NULL);
    run_frame(world);
    add_system(world, IN_GROUP("Inner", .step = 0.125f));
    add_system(world, SPAWNS("J", .in = "Inner"));
    run_frame(world);

    EXPECT_EQ(count_steps(world), 4);
    EXPECT_EQ(runs_of(world, "EndInner"), 2);
    finish_systems(world, &reports);
}

TEST(group_end, one_that_is_removed_stays_away) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_inner(&reports, &entity);
    EXPECT(ox_system_remove(ox_system_find(world, "EndInner")));

    run_frame(world);

    EXPECT_LOG("L.0 L.0");
    EXPECT(ox_system_find(world, "EndInner") == NULL);
    EXPECT_EQ(runs_of(world, "EndSimulation"), 1);
    EXPECT_EQ(count_steps(world), 2);
    finish_systems(world, &reports);
}

// What does not change.

TEST(group_end, a_group_of_job_systems_still_goes_before_systems_on_main) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, IN_GROUP("Steps", .step = 0.25f));
    add_system(world, WITH_JOBS("J", return_input, .in = "Steps"));
    add_system(world, BRIEF("A"));
    ox_system *systems[16];

    int count = ox_world_get_systems(world, systems, 16);

    EXPECT_EQ(count, 9 + 4);
    int steps = 0, a = 0;
    for (int k = 0; k < count; k++) {
        steps = is_named(systems[k], "Steps") ? k : steps;
        a = is_named(systems[k], "A") ? k : a;
    }
    EXPECT_EQ(a, steps + 3);
    finish_systems(world, &reports);
}

TEST(group_end, a_world_with_nothing_else_has_no_system) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, IN_GROUP("Steps", .step = 0.25f));

    run_frame(world);

    EXPECT_REPORT(&reports, OX_REPORT_NO_SYSTEMS);
    finish_systems(world, &reports);
}

TEST(group_end, a_recorded_frame_has_it_when_it_worked) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_inner(&reports, &entity);
    add_system(world, IN_GROUP("Idle", .step = 0.125f));
    add_system(world, BRIEF("B", .in = "Idle"));
    char text[8192];
    EXPECT(ox_world_record_frames(world, true));

    run_frame(world);
    ox_world_explain_frame(world, OX_EXPLAIN_TEXT, text, sizeof text);

    EXPECT_HAS(text, "EndInner  main");
    EXPECT(strstr(text, "EndIdle") == NULL);
    finish_systems(world, &reports);
}
