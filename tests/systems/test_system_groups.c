// SPDX-License-Identifier: MIT
//
// Groups and the order of updates: nesting, names, places, phases, steps, and updating a part.

#include "systems_test.h"

// Order.

TEST(system_groups, run_as_one_between_their_neighbours) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF("C"));
    add_system(world, IN_GROUP("B"));
    add_system(world, BRIEF("Z", .in = "B"));
    add_system(world, IN_GROUP("M", .in = "B"));
    add_system(world, BRIEF("Y", .in = "M"));
    add_system(world, BRIEF("A"));
    add_system(world, BRIEF("K", .in = "B"));

    run_frame(world);

    EXPECT_LOG("A K Y Z C");
    finish_systems(world, &reports);
}

TEST(system_groups, what_is_said_across_groups_holds_for_the_groups) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, IN_GROUP("G"));
    add_system(world, IN_GROUP("H"));
    add_system(world, BRIEF("A", .in = "G", .after = {"B"}));
    add_system(world, BRIEF("AA", .in = "G"));
    add_system(world, BRIEF("B", .in = "H"));
    add_system(world, BRIEF("C", .in = "H"));

    run_frame(world);

    EXPECT_LOG("B C A AA");
    finish_systems(world, &reports);
}

TEST(system_groups, before_and_after_may_name_groups) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, IN_GROUP("G"));
    add_system(world, BRIEF("A", .after = {"G"}));
    add_system(world, BRIEF("Z", .before = {"G"}));
    add_system(world, BRIEF("M", .in = "G"));

    run_frame(world);

    EXPECT_LOG("Z M A");
    finish_systems(world, &reports);
}

TEST(system_groups, all_eight_names_count) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF("Z", .before = {"A", "B", "C", "D", "E", "F", "G", "H"}));
    add_system(world, BRIEF("A1", .after = {"A", "B", "C", "D", "E", "F", "G", "H"}));
    for (const char *const *name =
             (const char *const[]){"H", "G", "F", "E", "D", "C", "B", "A", NULL};
         *name != NULL; name++) {
        add_system(world, BRIEF(*name));
    }

    run_frame(world);

    EXPECT_LOG("Z A B C D E F G H A1");
    finish_systems(world, &reports);
}

TEST(system_groups, the_phases_come_one_after_the_other_with_a_point_at_each_end) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF("P", .in = "Presentation"));
    add_system(world, BRIEF("I", .in = "Initialization"));
    add_system(world, BRIEF("S"));
    add_system(world, BRIEF("First", .place = OX_PHASE_FIRST));
    add_system(world, BRIEF("Last", .place = OX_PHASE_LAST));
    add_system(world, BRIEF("All", .in = "World", .after = {"Presentation"}));

    run_frame(world);

    EXPECT_LOG("I First S Last P All");
    EXPECT(ox_system_get_info(ox_system_find(world, "All")).group ==
           ox_system_find(world, "World"));
    EXPECT(ox_system_get_info(ox_system_find(world, "World")).group == NULL);
    finish_systems(world, &reports);
}

TEST(system_groups, places_go_before_names_and_names_order_within_a_place) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF("A", .place = OX_PHASE_LAST));
    add_system(world, BRIEF("B", .place = OX_PHASE_LAST, .before = {"A"}));
    add_system(world, BRIEF("C"));
    add_system(world, BRIEF("Y", .place = OX_PHASE_FIRST, .after = {"Z"}));
    add_system(world, BRIEF("Z", .place = OX_PHASE_FIRST));

    run_frame(world);

    EXPECT_LOG("Z Y C B A");
    finish_systems(world, &reports);
}

static ox_job log_jobs(ox_system *system, ox_job after) {
    log_call(system, "");
    return after;
}

TEST(system_groups, systems_with_jobs_go_first_unless_names_alone_decide) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF("A"));
    add_system(world, WITH_JOBS("B", log_jobs));
    run_frame(world);
    EXPECT_LOG("B A");

    ox_world_order_by_name(world, true);
    run_frame(world);
    EXPECT_LOG("A B");
    ox_world_order_by_name(world, false);
    run_frame(world);
    EXPECT_LOG("B A");
    finish_systems(world, &reports);
}

TEST(system_groups, the_order_does_not_depend_on_that_of_adding) {
    static const char *const names[] = {"A", "B", "C", "D"};
    for (int first = 0; first < 4; first++) {
        collected_reports reports;
        ox_world *world = begin_systems(&reports);
        for (int k = 0; k < 4; k++) {
            const char *name = names[(first + k * 3) % 4];
            const char *after = name[0] == 'A' ? "D" : NULL;
            add_system(world,
                       name[0] == 'C' ? WITH_JOBS(name, log_jobs) : BRIEF(name, .after = {after}));
        }
        run_frame(world);
        EXPECT_LOG("C B D A");
        finish_systems(world, &reports);
    }
}

TEST(system_groups, systems_that_come_before_each_other_are_reported_once_and_run) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF("A", .after = {"B"}));
    add_system(world, BRIEF("B", .after = {"A"}));
    run_frame(world);
    EXPECT_REPORT(&reports, OX_REPORT_ORDER_CYCLE);
    EXPECT_LOG("A B");
    run_frame(world);
    finish_systems(world, &reports);
}

// Names that nobody has.

TEST(system_groups, a_name_that_nobody_has_is_reported_once_with_the_nearest_one) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF("Steer", .site = "steer.c:7"));
    add_system(world, BRIEF("Move", .site = "move.c:9", .after = {"Stere"}));

    run_frame(world);

    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_SYSTEM);
    EXPECT_HAS(reports.text, "system 'Move' (move.c:9) says .after 'Stere'");
    EXPECT_HAS(reports.text, "did you mean 'Steer' (steer.c:7)?");
    EXPECT_LOG("Move Steer");
    add_system(world, BRIEF("Other"));
    run_frame(world);
    finish_systems(world, &reports);
}

TEST(system_groups, a_name_that_is_near_to_none_comes_with_other_advice) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF("Move", .before = {"SomethingElse"}));
    run_frame(world);
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_SYSTEM);
    EXPECT_HAS(reports.text, "says .before 'SomethingElse'");
    EXPECT_HAS(reports.text, "declare it with OX_SYSTEM or OX_GROUP, or correct the name");
    finish_systems(world, &reports);
}

// What is advised for a name in a world with two systems. NULL: none of them is near.
static void expect_nearest(const char *first, const char *second, const char *name,
                           const char *nearest) {
    collected_reports reports;
    char advice[128] = "declare it with OX_SYSTEM or OX_GROUP, or correct the name";
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF(first));
    add_system(world, BRIEF(second));
    add_system(world, BRIEF("Asking", .after = {name}));
    if (nearest != NULL) {
        snprintf(advice, sizeof advice, "did you mean '%s' (its place is not known)?", nearest);
    }

    run_frame(world);

    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_SYSTEM);
    EXPECT_HAS(reports.text, advice);
    finish_systems(world, &reports);
}

TEST(system_groups, the_nearest_name_has_one_wrong_letter_for_three_and_three_at_most) {
    expect_nearest("Abc", "Xyz", "Abx", "Abc");
    expect_nearest("Ab", "Xyz", "Ax", NULL);
    expect_nearest("Abcde", "Xyz", "Abcxx", NULL);
    expect_nearest("Abcdef", "Xyz", "Abcdxx", "Abcdef");
    expect_nearest("Abcdefghi", "Xyz", "Abcdefxxx", "Abcdefghi");
    expect_nearest("Abcdefghijklmno", "Xyz", "Abcdefghijkxxxx", NULL);
    expect_nearest("Abcdefgh", "Abcdefgz", "Abcdefgx", "Abcdefgh"); // the first of two as near
    expect_nearest("Abcdefxx", "Abcdefgz", "Abcdefgx", "Abcdefxx");
    expect_nearest("Abcdexyx", "Abcdefgz", "Abcdefgx", "Abcdefgz"); // the nearer of two
}

TEST(system_groups, a_letter_too_few_or_too_many_and_two_that_are_swapped_are_one_mistake) {
    expect_nearest("Abc", "Xyz", "Abcd", "Abc");
    expect_nearest("Abcd", "Xyz", "Abc", "Abcd");
    expect_nearest("Abc", "Xyz", "bAc", "Abc");
    expect_nearest("Abc", "Xyz", "Acb", "Abc");
    expect_nearest("Abc", "Xyz", "cbA", NULL);
    expect_nearest("Abcd", "Xyz", "cbAd", NULL);
    expect_nearest("Abc", "Xyz", "zAbc", "Abc");
    expect_nearest("Abcdef", "Xyz", "bAdcef", "Abcdef");
    expect_nearest("Abcdef", "Xyz", "bAdcfe", NULL);
}

// Two names of the same length, of which the last letters are different.
static void make_long_names(int length, char *there, char *wrong) {
    memset(there, 'L', (size_t)length);
    there[length] = 0;
    memcpy(wrong, there, (size_t)length + 1);
    wrong[length - 1] = 'M';
}

TEST(system_groups, the_nearest_name_is_looked_for_up_to_63_letters) {
    for (int length = 63; length <= 65; length++) {
        collected_reports reports;
        char there[80], wrong[80];
        make_long_names(length, there, wrong);
        ox_world *world = begin_systems(&reports);
        add_system(world, BRIEF(there, .site = "long.c:1"));
        add_system(world, BRIEF("Move", .after = {wrong}));

        run_frame(world);

        const char *nearest = strstr(reports.text, "did you mean");
        EXPECT_EQ(nearest != NULL, length == 63);
        EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_SYSTEM);
        finish_systems(world, &reports);
    }
}

TEST(system_groups, a_group_that_nobody_knows_is_reported_and_the_system_not_added) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);

    EXPECT(ox_system_add(world, BRIEF("A", .site = "a.c:1", .in = "Presentaton")) == NULL);

    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_SYSTEM);
    EXPECT_HAS(reports.text, "system 'A' (a.c:1) says .in 'Presentaton'");
    EXPECT_HAS(reports.text, "did you mean 'Presentation' (in every world)?");
    EXPECT(ox_system_find(world, "A") == NULL);
    finish_systems(world, &reports);
}

static ox_system_def elsewhere = {.name = "Elsewhere", .update = log_update, .is_manual = true};

TEST(system_groups, a_name_that_is_registered_but_not_in_this_world_says_nothing) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system_register(&elsewhere);
    add_system(world, BRIEF("B", .before = {"Elsewhere"}));
    add_system(world, BRIEF("A", .after = {"Elsewhere"}));
    run_frame(world);
    EXPECT_LOG("A B");

    add_system(world, &elsewhere);
    run_frame(world);

    EXPECT_LOG("B Elsewhere A");
    finish_systems(world, &reports);
}

// Groups that are made on demand.

static ox_system_def outer_group = {.name = "DemandOuter", .is_group = true, .in = "Presentation"};
static ox_system_def inner_group = {.name = "DemandInner", .is_group = true, .in = "DemandOuter"};

TEST(system_groups, are_made_with_the_first_system_that_is_in_them) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    outer_group.is_manual = inner_group.is_manual = true;
    ox_system_register(&outer_group);
    ox_system_register(&inner_group);

    ox_system *a = add_system(world, BRIEF("A", .in = "DemandInner"));
    add_system(world, BRIEF("B", .in = "DemandInner"));

    ox_system *inner = ox_system_find(world, "DemandInner");
    EXPECT(inner != NULL && ox_system_get_info(a).group == inner);
    EXPECT(ox_system_get_info(inner).group == ox_system_find(world, "DemandOuter"));
    EXPECT(ox_system_get_info(inner).is_group);
    run_frame(world);
    EXPECT_LOG("A B");
    finish_systems(world, &reports);
}

static ox_system_def own_group = {.name = "OwnGroup", .is_group = true, .in = "OwnGroup"};
static ox_system_def ring_a = {.name = "RingA", .is_group = true, .in = "RingB"};
static ox_system_def ring_b = {.name = "RingB", .is_group = true, .in = "RingA"};

TEST(system_groups, a_group_in_itself_is_reported_once) {
    static ox_system_def *const wrong[] = {&own_group, &ring_a};
    own_group.is_manual = ring_a.is_manual = ring_b.is_manual = true;
    ox_system_register(&own_group);
    ox_system_register(&ring_a);
    ox_system_register(&ring_b);
    for (int k = 0; k < 2; k++) {
        collected_reports reports;
        ox_world *world = begin_systems(&reports);
        EXPECT(ox_system_add(world, wrong[k]) == NULL);
        EXPECT_REPORT(&reports, OX_REPORT_BAD_SYSTEM);
        EXPECT_HAS(reports.text, "what it is in, or what is injected, needs too much else");
        EXPECT(ox_system_add(world, BRIEF("A", .in = wrong[k]->name)) == NULL);
        EXPECT_REPORT(&reports, OX_REPORT_BAD_SYSTEM);
        finish_systems(world, &reports);
    }
}

// Depth.

static char deep_names[OX_MAX_GROUP_DEPTH + 2][16];

// A group that is `depth` deep: in the one before, or in the group of all.
static ox_system_def deep_group(int depth) {
    snprintf(deep_names[depth], sizeof deep_names[depth], "Deep%d", depth);
    return (ox_system_def){.name = deep_names[depth],
                           .site = "deep.c:7",
                           .is_group = true,
                           .is_manual = true,
                           .in = depth > 1 ? deep_names[depth - 1] : "World"};
}

TEST(system_groups, one_that_lies_too_deep_is_reported_and_not_made) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    for (int depth = 1; depth <= OX_MAX_GROUP_DEPTH; depth++) {
        ox_system_def def = deep_group(depth);
        add_system(world, &def);
    }
    ox_system_def deeper = deep_group(OX_MAX_GROUP_DEPTH + 1);

    EXPECT(ox_system_add(world, &deeper) == NULL);

    EXPECT_HAS(reports.text, "group 'Deep65' (deep.c:7) would be 65 deep in world 'sea'");
    EXPECT_REPORT(&reports, OX_REPORT_GROUP_TOO_DEEP);
    EXPECT(ox_system_find(world, "Deep65") == NULL);
    add_system(world, BRIEF("A", .in = "Deep64", .after = {"B"}));
    add_system(world, BRIEF("B", .in = "Deep64"));
    add_system(world, BRIEF("C", .in = "Deep63", .before = {"A"}));
    run_frame(world);
    EXPECT_LOG("C B A");
    finish_systems(world, &reports);
}

TEST(system_groups, too_many_that_are_made_on_demand_are_reported_once) {
    static ox_system_def defs[OX_MAX_GROUP_DEPTH + 2];
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    for (int depth = 1; depth <= OX_MAX_GROUP_DEPTH + 1; depth++) {
        defs[depth] = deep_group(depth);
        ox_system_register(&defs[depth]);
    }

    EXPECT(ox_system_add(world, BRIEF("A", .in = "Deep65")) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_GROUP_TOO_DEEP);
    add_system(world, BRIEF("A", .in = "Deep64"));

    run_frame(world);
    EXPECT_LOG("A");
    finish_systems(world, &reports);
}

// Time. All numbers are exact.

static ox_time seen_times[64];
static int seen_count;

static void see_time(ox_system *system) {
    seen_times[seen_count++] = ox_system_get_time(system);
    EXPECT_EQ(ox_system_get_delta(system), ox_system_get_time(system).delta);
    log_call(system, "");
}

// So many updates were seen since the last look; the last of them at this time.
static void expect_times(int count, float delta, double elapsed) {
    EXPECT_EQ(seen_count, count);
    if (count > 0) {
        EXPECT_EQ(seen_times[count - 1].delta, delta);
        EXPECT_EQ(seen_times[count - 1].elapsed, elapsed);
    }
    seen_count = 0;
    system_log[0] = 0;
}

static ox_world *begin_steps(collected_reports *reports, float step, int most) {
    ox_world *world = begin_systems(reports);
    seen_count = 0;
    add_system(world, IN_GROUP("Steps", .step = step, .most_steps = most));
    add_system(world, ON_MAIN("A", see_time, .in = "Steps", .stop = log_stop));
    return world;
}

TEST(system_groups, systems_see_the_time_of_their_world) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    seen_count = 0;
    add_system(world, ON_MAIN("A", see_time));
    EXPECT(ox_world_update(world, 0.25f));
    EXPECT_EQ(seen_times[0].frame, 1);
    expect_times(1, 0.25f, 0.25);

    EXPECT(ox_world_update(world, 0.5f));

    EXPECT_EQ(seen_times[0].frame, 2);
    expect_times(1, 0.5f, 0.75);
    EXPECT_EQ(ox_world_get_time(world).delta, 0.5f);
    EXPECT_EQ(ox_world_get_time(world).elapsed, 0.75);
    EXPECT_EQ(ox_world_get_time(world).frame, 2);
    finish_systems(world, &reports);
}

TEST(system_groups, with_steps_run_as_often_as_fits_and_keep_what_is_left) {
    collected_reports reports;
    ox_world *world = begin_steps(&reports, 0.25f, 0);
    EXPECT(ox_world_update(world, 0.625f));
    EXPECT_EQ(seen_times[0].elapsed, 0.25);
    EXPECT_EQ(seen_times[1].frame, 1);
    expect_times(2, 0.25f, 0.5);

    EXPECT(ox_world_update(world, 0.125f)); // and 0.125 that were left
    expect_times(1, 0.25f, 0.75);
    EXPECT(ox_world_update(world, 0.125f));
    expect_times(0, 0, 0);
    EXPECT(ox_world_update(world, 0));
    expect_times(0, 0, 0);
    EXPECT(ox_world_update(world, 0.125f));
    expect_times(1, 0.25f, 1.0);
    finish_systems(world, &reports);
}

TEST(system_groups, with_steps_do_not_stop_in_a_frame_without_one) {
    collected_reports reports;
    ox_world *world = begin_steps(&reports, 1, 0);
    EXPECT(ox_world_update(world, 1));
    EXPECT(ox_world_update(world, 0.5f));
    EXPECT_LOG("A");
    EXPECT(ox_system_get_info(ox_system_find(world, "A")).is_running);
    finish_systems(world, &reports);
}

TEST(system_groups, with_steps_leave_out_what_does_not_fit_into_a_frame) {
    collected_reports reports;
    ox_world *world = begin_steps(&reports, 0.25f, 3);
    EXPECT(ox_world_update(world, 10.125f));
    EXPECT_EQ(seen_count, 3);
    seen_count = 0;

    EXPECT(ox_world_update(world, 0.125f)); // the rest that is no whole step was kept

    EXPECT_EQ(seen_count, 1);
    finish_systems(world, &reports);
}

TEST(system_groups, with_steps_count_time_from_the_beginning_of_the_world) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    seen_count = 0;
    add_system(world, BRIEF("B"));
    EXPECT(ox_world_update(world, 8));
    ox_system *late = add_system(world, IN_GROUP("Late", .step = 0.25f, .most_steps = 2));
    add_system(world, ON_MAIN("A", see_time, .in = "Late"));
    EXPECT(ox_world_update(world, 0.375f));
    expect_times(1, 0.25f, 8.25);

    EXPECT(ox_world_update(world, 4.125f)); // most of it is left out
    EXPECT_EQ(seen_times[0].elapsed, 12.25);
    expect_times(2, 0.25f, 12.5);
    ox_system_set_enabled(late, false);
    EXPECT(ox_world_update(world, 1));
    ox_system_set_enabled(late, true);
    EXPECT(ox_world_update(world, 0.25f));
    expect_times(1, 0.25f, 13.75);
    finish_systems(world, &reports);
}

TEST(system_groups, with_steps_run_eight_of_them_at_most_unless_told_otherwise) {
    collected_reports reports;
    ox_world *world = begin_steps(&reports, 0.125f, 0);
    EXPECT(ox_world_update(world, 100));
    EXPECT_EQ(seen_count, 8);
    finish_systems(world, &reports);
}

TEST(system_groups, with_steps_in_one_with_steps_divide_its_steps) {
    collected_reports reports;
    ox_world *world = begin_steps(&reports, 0.5f, 0);
    add_system(world, IN_GROUP("Inner", .in = "Steps", .step = 0.125f));
    add_system(world, BRIEF("I", .in = "Inner"));
    add_system(world, IN_GROUP("Plain", .in = "Steps"));
    add_system(world, ON_MAIN("P", see_time, .in = "Plain"));
    EXPECT(ox_world_update(world, 0.25f));
    EXPECT_LOG("");

    EXPECT(ox_world_update(world, 0.75f));

    EXPECT_LOG("A I I I I P A I I I I P");
    EXPECT_EQ(ox_system_get_time(ox_system_find(world, "I")).elapsed, 1.0);
    EXPECT_EQ(ox_system_get_time(ox_system_find(world, "I")).delta, 0.125f);
    expect_times(4, 0.5f, 1.0);
    finish_systems(world, &reports);
}

TEST(system_groups, steps_can_be_set_and_taken_away) {
    collected_reports reports;
    ox_world *world = begin_steps(&reports, 0, 0);
    ox_system *steps = ox_system_find(world, "Steps");
    EXPECT(ox_world_update(world, 0.5f));
    expect_times(1, 0.5f, 0.5);

    EXPECT(ox_group_set_step(steps, 0.25f, 2));
    EXPECT(ox_world_update(world, 0.5f));
    expect_times(2, 0.25f, 1.0);
    EXPECT(ox_world_update(world, 5));
    EXPECT_EQ(seen_count, 2);
    seen_count = 0;
    EXPECT(ox_group_set_step(steps, 0, 0));
    EXPECT(ox_world_update(world, 0.5f));
    expect_times(1, 0.5f, 6.5);
    finish_systems(world, &reports);
}

TEST(system_groups, each_step_is_an_update_of_its_own) {
    collected_reports reports;
    ox_world *world = begin_steps(&reports, 0.125f, 0);
    EXPECT(ox_world_update(world, 0.5f));
    EXPECT_EQ(ox_system_get_info(ox_system_find(world, "A")).run_count, 4);
    EXPECT_EQ(ox_system_get_info(ox_system_find(world, "Steps")).run_count, 1);
    finish_systems(world, &reports);
}

// A part of the world.

TEST(system_groups, one_system_can_be_updated_alone) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, LOGGED("A"));
    add_system(world, BRIEF("B"));

    EXPECT(ox_system_update(a));

    EXPECT_LOG("A.create A.start A");
    EXPECT_EQ(ox_world_get_time(world).frame, 0);
    EXPECT_EQ(ox_system_get_info(a).run_count, 1);
    EXPECT(ox_system_get_info(a).version < ox_world_get_version(world));
    ox_system_set_enabled(a, false);
    EXPECT(ox_system_update(a));
    EXPECT_LOG("A.stop");
    finish_systems(world, &reports);
}

TEST(system_groups, one_group_can_be_updated_alone) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *g = add_system(world, IN_GROUP("G", .start = log_start));
    add_system(world, IN_GROUP("H", .in = "G"));
    add_system(world, BRIEF("B", .in = "H"));
    add_system(world, BRIEF("A", .in = "G"));
    add_system(world, BRIEF("Z"));

    EXPECT(ox_system_update(g));

    EXPECT_LOG("G.start A B");
    EXPECT(ox_system_update(ox_system_find(world, "World")));
    EXPECT_LOG("A B Z");
    finish_systems(world, &reports);
}

TEST(system_groups, one_that_is_updated_alone_has_the_time_of_the_last_frame) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    seen_count = 0;
    ox_system *a = add_system(world, ON_MAIN("A", see_time));
    EXPECT(ox_world_update(world, 0.5f));
    expect_times(1, 0.5f, 0.5);
    EXPECT(ox_system_update(a));
    expect_times(1, 0.5f, 0.5);
    finish_systems(world, &reports);
}

static void remove_it(ox_system *system, const char *call) {
    if (call[0] == 0) {
        EXPECT(ox_system_remove(system));
    }
}

TEST(system_groups, one_that_is_updated_alone_may_remove_itself) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, LOGGED("A"));
    in_call = remove_it;
    EXPECT(ox_system_update(a));
    EXPECT_LOG("A.create A.start A A.stop A.destroy");
    EXPECT(ox_system_find(world, "A") == NULL);
    finish_systems(world, &reports);
}
