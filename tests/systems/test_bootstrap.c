// SPDX-License-Identifier: MIT
//
// Systems that were declared in several files, of C and of C++; the active world; the ends of
// frames.
//
// Two files have a system "Twin": each world that takes all systems reports that.

#include "bootstrap_test.h"
#include "systems_test.h"

void note_update(ox_system *system) {
    log_call(system, "");
}

static bool fragile_fails;

static bool create_fragile(ox_system *system) {
    (void)system;
    return !fragile_fails;
}

OX_SYSTEM(Fragile, .in = "Initialization", .create = create_fragile) {
    note_update(system);
}

OX_SYSTEM(Manual, .is_manual = true) {
    note_update(system);
}

static ox_world *begin_default(collected_reports *reports, ox_world_def def) {
    *reports = (collected_reports){0};
    system_log[0] = 0;
    in_call = NULL;
    def.on_report = (ox_report_handler){collect_report, reports};
    ox_world *world = ox_world_create(&def);
    EXPECT(world != NULL);
    return world;
}

static ox_world *begin_with_twins(collected_reports *reports) {
    ox_world *world = begin_default(reports, (ox_world_def){0});
    EXPECT_REPORT(reports, OX_REPORT_TWO_SYSTEMS);
    return world;
}

TEST(bootstrap, systems_of_all_files_enter_each_world) {
    collected_reports reports;
    for (int k = 0; k < 2; k++) {
        ox_world *world = begin_with_twins(&reports);
        ox_entity entity = ox_entity_create(world, OX_VALUE(Seen, {4}));

        run_frame(world);

        EXPECT_LOG("Fragile CppJobs UnitMain Twin UnitMain"); // the last: CppMain
        EXPECT_EQ(ox_get(world, entity, Seen)->count, 5);
        EXPECT(ox_system_find(world, "CppMain") != NULL && ox_system_find(world, "Manual") == NULL);
        finish_systems(world, &reports);
    }
}

TEST(bootstrap, systems_of_a_cpp_file_record_commands) {
    collected_reports reports;
    ox_world *world = begin_with_twins(&reports);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Seen, {4}));

    run_frame(world);

    EXPECT(ox_has(world, entity, Marked) && ox_has(world, entity, Unmarked));
    EXPECT_EQ(ox_world_get_usage(world).entity_count, 1);
    EXPECT_EQ(ox_system_get_info(ox_system_find(world, "CppEnd")).run_count, 1);
    finish_systems(world, &reports);
}

TEST(bootstrap, two_systems_of_one_name_in_two_files_are_reported_with_both_places) {
    collected_reports reports;
    ox_world *world = begin_default(&reports, (ox_world_def){.name = "lake"});
    EXPECT_REPORT(&reports, OX_REPORT_TWO_SYSTEMS);
    EXPECT_HAS(reports.text, "bootstrap_unit.c:");
    EXPECT_HAS(reports.text, "bootstrap_unit.cpp:");
    EXPECT_HAS(reports.text, "in world 'lake'");
    finish_systems(world, &reports);
}

TEST(bootstrap, a_world_may_take_no_systems_and_add_them_later) {
    collected_reports reports;
    ox_world *world = begin_default(&reports, (ox_world_def){.no_systems = true});
    EXPECT(ox_system_find(world, "UnitMain") == NULL);

    EXPECT_EQ(ox_world_add_systems(world), 9);

    EXPECT_REPORT(&reports, OX_REPORT_TWO_SYSTEMS);
    EXPECT(ox_system_find(world, "UnitMain") != NULL);
    ox_system_remove(ox_system_find(world, "Fragile"));
    EXPECT_EQ(ox_world_add_systems(world), 9);
    EXPECT_REPORT(&reports, OX_REPORT_TWO_SYSTEMS);
    EXPECT(ox_system_find(world, "Fragile") != NULL);
    finish_systems(world, &reports);
}

TEST(bootstrap, a_manual_system_is_added_by_hand_or_not_at_all) {
    collected_reports reports;
    ox_world *world = begin_with_twins(&reports);
    ox_system *manual = add_system(world, &ox_system_Manual);
    EXPECT(ox_system_find(world, "Manual") == manual);
    EXPECT_STR(ox_system_get_info(manual).site, ox_system_Manual.site);
    run_frame(world);
    EXPECT_LOG("Fragile Manual CppJobs UnitMain Twin");
    finish_systems(world, &reports);
}

TEST(bootstrap, a_system_whose_create_fails_is_left_out_and_the_others_enter) {
    collected_reports reports;
    fragile_fails = true;
    ox_world *world = begin_default(&reports, (ox_world_def){0});
    fragile_fails = false;
    EXPECT_EQ(reports.count, 2);
    EXPECT(ox_system_find(world, "Fragile") == NULL && ox_system_find(world, "Twin") != NULL);
    reports.count = 0;
    run_frame(world);
    EXPECT_LOG("CppJobs UnitMain Twin");
    finish_systems(world, &reports);
}

// Whatever order they are in, a farther name comes after the nearest.
OX_SYSTEM(Lanternab, .is_manual = true) {
}

OX_SYSTEM(Lanterna, .is_manual = true) {
}

OX_SYSTEM(Lanternac, .is_manual = true) {
}

TEST(bootstrap, of_announced_systems_the_nearest_name_is_told_with_its_place) {
    collected_reports reports;
    ox_system_Fragile.before[0] = "Lantern";
    ox_world *world = begin_default(&reports, (ox_world_def){0});
    ox_system_Fragile.before[0] = NULL;

    EXPECT_EQ(reports.last, OX_REPORT_UNKNOWN_SYSTEM);
    EXPECT_HAS(reports.text, "did you mean 'Lanterna' (tests/systems/test_bootstrap.c:");
    reports.count = 0;
    finish_systems(world, &reports);
}

TEST(bootstrap, names_that_nobody_has_are_reported_when_a_world_is_created) {
    collected_reports reports;
    ox_system_Fragile.before[0] = "Manuel";
    ox_world *world = begin_default(&reports, (ox_world_def){0});
    ox_system_Fragile.before[0] = NULL;

    EXPECT_EQ(reports.count, 2);
    EXPECT_EQ(reports.last, OX_REPORT_UNKNOWN_SYSTEM);
    EXPECT_HAS(reports.text, "says .before 'Manuel'");
    EXPECT_HAS(reports.text, "did you mean 'Manual' (");
    reports.count = 0;
    run_frame(world);
    finish_systems(world, &reports);
}

TEST(bootstrap, a_def_may_be_changed_after_it_was_added) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system_def def = *BRIEF("A", .in = "Presentation");
    add_system(world, &def);
    memset(&def, 0xff, sizeof def);
    run_frame(world);
    EXPECT_LOG("A");
    finish_systems(world, &reports);
}

static void remove_in_create(ox_system *system, const char *call) {
    if (strcmp(call, "create") == 0) {
        ox_system_remove(ox_system_find(system->world, "A"));
    }
}

TEST(bootstrap, what_a_create_removes_goes_when_the_systems_are_there) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    static ox_system_def removing = {
        .name = "Removing", .create = log_create, .update = log_update, .is_manual = true};
    ox_system_register(&removing);
    add_system(world, BRIEF("A", .destroy = log_destroy));
    in_call = remove_in_create;
    removing.is_manual = false;
    ox_world_add_systems(world);
    removing.is_manual = true;
    EXPECT_REPORT(&reports, OX_REPORT_TWO_SYSTEMS);
    EXPECT_LOG("Removing.create A.destroy");
    run_frame(world);
    EXPECT(ox_system_find(world, "A") == NULL);
    finish_systems(world, &reports);
}

// The active world.

TEST(bootstrap, the_first_world_with_systems_is_the_active_one) {
    collected_reports reports;
    EXPECT(ox_world_get_active() == NULL);
    ox_world *bare = begin_systems(&reports);
    EXPECT(ox_world_get_active() == NULL);

    ox_world *first = begin_with_twins(&reports), *second = begin_with_twins(&reports);

    EXPECT(ox_world_get_active() == first);
    ox_world_destroy(second);
    ox_world_destroy(bare);
    EXPECT(ox_world_get_active() == first);
    finish_systems(first, &reports);
    EXPECT(ox_world_get_active() == NULL);
}

TEST(bootstrap, after_the_active_world_the_next_that_is_created_is_active) {
    collected_reports reports;
    ox_world *first = begin_with_twins(&reports), *second = begin_with_twins(&reports);
    ox_world_destroy(first);
    EXPECT(ox_world_get_active() == NULL);

    ox_world *third = begin_with_twins(&reports);

    EXPECT(ox_world_get_active() == third);
    ox_world_destroy(second);
    finish_systems(third, &reports);
}

TEST(bootstrap, any_world_can_be_made_active) {
    collected_reports reports;
    ox_world *bare = begin_systems(&reports), *first = begin_with_twins(&reports);
    ox_world_set_active(bare);
    EXPECT(ox_world_get_active() == bare);
    ox_world_destroy(first);
    EXPECT(ox_world_get_active() == bare);
    ox_world_set_active(NULL);
    EXPECT(ox_world_get_active() == NULL);
    finish_systems(bare, &reports);
}

// Frames.

// By how much the number of the frame grows in an update.
static uint64_t count_frames(ox_world *world) {
    uint64_t before = ox_frame_get_number();
    run_frame(world);
    return ox_frame_get_number() - before;
}

TEST(bootstrap, an_update_of_the_active_world_ends_the_frame) {
    collected_reports reports;
    ox_world *active = begin_with_twins(&reports), *other = begin_with_twins(&reports);
    EXPECT_EQ(count_frames(active), 1);
    EXPECT_EQ(count_frames(other), 0);
    ox_world_set_active(other);
    EXPECT_EQ(count_frames(active), 0);
    EXPECT_EQ(count_frames(other), 1);
    uint64_t before = ox_frame_get_number();
    EXPECT(ox_system_update(ox_system_find(other, "Twin")));
    EXPECT_EQ(ox_frame_get_number(), before);
    EXPECT_LOG("Fragile CppJobs UnitMain Twin Fragile CppJobs UnitMain Twin Fragile CppJobs "
               "UnitMain Twin Fragile CppJobs UnitMain Twin Twin");
    ox_world_destroy(other);
    finish_systems(active, &reports);
}

TEST(bootstrap, a_host_may_end_frames_itself) {
    collected_reports reports;
    ox_world *world = begin_default(&reports, (ox_world_def){.host_ends_frames = true});
    EXPECT_REPORT(&reports, OX_REPORT_TWO_SYSTEMS);
    EXPECT(ox_world_get_active() == world);
    EXPECT_EQ(count_frames(world), 0);
    EXPECT_EQ(ox_world_get_time(world).frame, 1);
    finish_systems(world, &reports);
}

TEST(bootstrap, an_update_that_is_refused_ends_no_frame) {
    collected_reports reports;
    ox_world *world = begin_with_twins(&reports);
    uint64_t before = ox_frame_get_number();
    EXPECT(!ox_world_update(world, -1));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_TIME);
    EXPECT_EQ(ox_frame_get_number(), before);
    finish_systems(world, &reports);
}
