// SPDX-License-Identifier: MIT
//
// Adding and removing systems at run time: between frames, in the middle of one, and in the calls
// of a system that comes or goes.

#include "systems_test.h"

// In an update.

static ox_system_def added_def;

// B adds what the test wants, once.
static void add_in_update(ox_system *system, const char *call) {
    if (is_named(system, "B") && call[0] == 0 && added_def.name != NULL) {
        EXPECT(ox_system_add(system->world, &added_def) != NULL);
        added_def.name = NULL;
    }
}

TEST(system_changes, one_that_is_added_in_an_update_is_made_at_once_and_runs_in_the_next) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF("B"));
    added_def = *LOGGED("C");
    in_call = add_in_update;

    run_frame(world);

    EXPECT_LOG("B C.create");
    EXPECT(ox_system_find(world, "C") != NULL);
    run_frame(world);
    EXPECT_LOG("B C.start C");
    finish_systems(world, &reports);
}

TEST(system_changes, one_that_is_added_in_an_update_may_bring_a_group_and_come_before) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    static ox_system_def group = {.name = "ChangesGroup", .is_group = true, .is_manual = true};
    ox_system_register(&group);
    add_system(world, BRIEF("B"));
    added_def = *BRIEF("A", .in = "ChangesGroup", .before = {"B"});
    in_call = add_in_update;

    run_frame(world);
    run_frame(world);

    EXPECT_LOG("B A B");
    finish_systems(world, &reports);
}

static const char *removing, *goes;
static bool removed_well;

// `removing` removes `goes`, in its update, when that is there.
static void remove_in_update(ox_system *system, const char *call) {
    ox_system *target = ox_system_find(system->world, goes);
    if (is_named(system, removing) && call[0] == 0 && target != NULL) {
        removed_well = ox_system_remove(target) && ox_system_remove(target);
        EXPECT(ox_system_find(system->world, goes) == NULL);
    }
}

static ox_world *begin_removal(collected_reports *reports, const char *who, const char *whom) {
    ox_world *world = begin_systems(reports);
    add_system(world, IN_GROUP("G", .stop = log_stop, .destroy = log_destroy));
    for (const char *const *name = (const char *const[]){"A", "B", "C", NULL}; *name != NULL;
         name++) {
        add_system(world, BRIEF(*name, .in = "G", .stop = log_stop, .destroy = log_destroy));
    }
    removing = who;
    goes = whom;
    removed_well = false;
    run_frame(world);
    EXPECT_LOG("A B C");
    in_call = remove_in_update;
    return world;
}

TEST(system_changes, one_that_removes_itself_goes_when_the_update_ends) {
    collected_reports reports;
    ox_world *world = begin_removal(&reports, "B", "B");

    run_frame(world);

    EXPECT_LOG("A B C B.stop B.destroy");
    EXPECT(removed_well);
    run_frame(world);
    EXPECT_LOG("A C");
    finish_systems(world, &reports);
}

TEST(system_changes, one_that_is_removed_before_its_turn_does_not_run_any_more) {
    collected_reports reports;
    ox_world *world = begin_removal(&reports, "A", "C");

    run_frame(world);

    EXPECT_LOG("A B C.stop C.destroy");
    run_frame(world);
    EXPECT_LOG("A B");
    finish_systems(world, &reports);
}

TEST(system_changes, one_that_is_removed_after_its_turn_goes_when_the_update_ends) {
    collected_reports reports;
    ox_world *world = begin_removal(&reports, "C", "A");

    run_frame(world);

    EXPECT_LOG("A B C A.stop A.destroy");
    run_frame(world);
    EXPECT_LOG("B C");
    finish_systems(world, &reports);
}

TEST(system_changes, one_may_remove_its_own_group) {
    collected_reports reports;
    ox_world *world = begin_removal(&reports, "B", "G");

    run_frame(world);

    EXPECT_LOG("A B C.stop C.destroy B.stop B.destroy A.stop A.destroy G.stop G.destroy");
    run_frame(world);
    EXPECT_LOG("");
    finish_systems(world, &reports);
}

static void remove_one_then_all(ox_system *system, const char *call) {
    if (is_named(system, "A") && call[0] == 0) {
        EXPECT(ox_system_remove(ox_system_find(system->world, "C")));
        EXPECT(ox_system_remove(ox_system_find(system->world, "G")));
        EXPECT(ox_system_remove(system));
    }
}

TEST(system_changes, what_is_removed_alone_and_with_its_group_goes_once) {
    collected_reports reports;
    ox_world *world = begin_removal(&reports, "A", "C");
    in_call = remove_one_then_all;

    run_frame(world);

    EXPECT_LOG("A B.stop C.stop C.destroy B.destroy A.stop A.destroy G.stop G.destroy");
    finish_systems(world, &reports);
}

static void replace_in_update(ox_system *system, const char *call) {
    if (is_named(system, "A") && call[0] == 0) {
        EXPECT(ox_system_remove(ox_system_find(system->world, "C")));
        EXPECT(ox_system_add(system->world, BRIEF("C", .in = "G", .create = log_create)) != NULL);
        EXPECT(ox_system_find(system->world, "C") != NULL);
        in_call = NULL;
    }
}

TEST(system_changes, one_may_be_removed_and_added_anew_in_one_update) {
    collected_reports reports;
    ox_world *world = begin_removal(&reports, "A", "C");
    in_call = replace_in_update;

    run_frame(world);

    EXPECT_LOG("A C.create B C.stop C.destroy");
    run_frame(world);
    EXPECT_LOG("A B C");
    finish_systems(world, &reports);
}

static void add_and_remove(ox_system *system, const char *call) {
    if (is_named(system, "A") && call[0] == 0) {
        EXPECT(ox_system_remove(ox_system_add(system->world, LOGGED("Brief"))));
        in_call = NULL;
    }
}

TEST(system_changes, one_that_is_added_and_removed_in_one_update_never_runs) {
    collected_reports reports;
    ox_world *world = begin_removal(&reports, "A", "C");
    in_call = add_and_remove;
    run_frame(world);
    EXPECT_LOG("A Brief.create B C Brief.destroy");
    run_frame(world);
    EXPECT_LOG("A B C");
    finish_systems(world, &reports);
}

static void switch_in_update(ox_system *system, const char *call) {
    if (is_named(system, "A") && call[0] == 0) {
        ox_system_set_enabled(ox_system_find(system->world, "B"), false);
        ox_system_set_enabled(ox_system_find(system->world, "G"), false);
    }
}

TEST(system_changes, what_is_switched_off_in_an_update_stops_when_it_is_its_turn) {
    collected_reports reports;
    ox_world *world = begin_removal(&reports, "A", "C");
    in_call = switch_in_update;

    run_frame(world);

    EXPECT_LOG("A B.stop C"); // the group had its turn
    run_frame(world);
    EXPECT_LOG("G.stop A.stop C.stop");
    finish_systems(world, &reports);
}

// In other calls of a system.

static const char *calling;

static void remove_itself(ox_system *system, const char *call) {
    if (strcmp(call, calling) == 0) {
        ox_system_remove(system);
    }
}

TEST(system_changes, one_may_remove_itself_when_it_starts) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, LOGGED("A"));
    calling = "start";
    in_call = remove_itself;

    run_frame(world);

    EXPECT_LOG("A.create A.start A.stop A.destroy");
    EXPECT(ox_system_find(world, "A") == NULL);
    finish_systems(world, &reports);
}

TEST(system_changes, one_that_removes_itself_when_it_is_created_is_not_there) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    calling = "create";
    in_call = remove_itself;

    EXPECT(ox_system_add(world, LOGGED("A", .state = 8)) == NULL);

    EXPECT_LOG("A.create A.destroy");
    failing_create = "B";
    EXPECT(ox_system_add(world, LOGGED("B", .state = 8)) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_CREATE_FAILED);
    EXPECT_LOG("B.create");
    EXPECT(ox_system_find(world, "A") == NULL && ox_system_find(world, "B") == NULL);
    in_call = NULL;
    add_system(world, BRIEF("A"));
    run_frame(world);
    EXPECT_LOG("A");
    finish_systems(world, &reports);
}

TEST(system_changes, one_that_removes_itself_when_it_is_destroyed_goes_once) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, LOGGED("A"));
    add_system(world, LOGGED("B"));
    run_frame(world);
    EXPECT_LOG("A.create B.create A.start A B.start B");
    calling = "destroy";
    in_call = remove_itself;

    EXPECT(ox_system_remove(a));

    EXPECT_LOG("A.stop A.destroy");
    EXPECT_EQ(reports.count, 0);
    ox_world_destroy(world);
    EXPECT_LOG("B.stop B.destroy");
    EXPECT_EQ(reports.count, 0);
}

TEST(system_changes, one_that_removes_itself_when_it_stops_goes_once) {
    static const char *const ways[] = {"removed", "switched off", "the world ends"};
    for (int way = 0; way < 3; way++) {
        collected_reports reports;
        ox_world *world = begin_systems(&reports);
        ox_system *a = add_system(world, LOGGED("A"));
        run_frame(world);
        EXPECT_LOG("A.create A.start A");
        calling = "stop";
        in_call = remove_itself;
        if (way == 0) {
            EXPECT(ox_system_remove(a));
        } else if (way == 1) {
            ox_system_set_enabled(a, false);
            run_frame(world);
        } else {
            ox_world_destroy(world);
        }
        expect_log("A.stop A.destroy", ways[way], __LINE__);
        if (way != 2) {
            finish_systems(world, &reports);
        }
    }
}

static void remove_group(ox_system *system, const char *call) {
    ox_system *group = ox_system_find(system->world, "G");
    if (strcmp(call, "destroy") == 0 && group != NULL) {
        ox_system_remove(group);
    }
}

TEST(system_changes, what_is_destroyed_may_remove_its_group) {
    collected_reports reports;
    ox_world *world = begin_removal(&reports, "A", "C");
    in_call = remove_group;

    EXPECT(ox_system_remove(ox_system_find(world, "B")));

    // Whether its group goes right before it or right behind it is not said.
    system_log[0] = 0;
    EXPECT(ox_system_find(world, "G") == NULL && ox_system_find(world, "A") == NULL);
    run_frame(world);
    EXPECT_LOG("");
    finish_systems(world, &reports);
}

// Two go in one update; the first to be destroyed removes what the second is in.
static void remove_two_then_group(ox_system *system, const char *call) {
    if (is_named(system, "A") && call[0] == 0) {
        ox_system_remove(ox_system_find(system->world, "Z"));
        ox_system_remove(ox_system_find(system->world, "B"));
    }
    if (is_named(system, "Z") && strcmp(call, "destroy") == 0) {
        ox_system_remove(ox_system_find(system->world, "G"));
    }
}

TEST(system_changes, what_is_destroyed_may_remove_what_goes_next) {
    collected_reports reports;
    ox_world *world = begin_removal(&reports, "A", "C");
    add_system(world, LOGGED("Z"));
    in_call = remove_two_then_group;

    run_frame(world);

    EXPECT(ox_system_find(world, "Z") == NULL && ox_system_find(world, "G") == NULL);
    in_call = NULL;
    system_log[0] = 0;
    run_frame(world);
    EXPECT_LOG("");
    finish_systems(world, &reports);
}

static void add_another(ox_system *system, const char *call) {
    if (is_named(system, "A") && strcmp(call, calling) == 0) {
        ox_system_add(system->world, LOGGED("B"));
    }
}

TEST(system_changes, create_may_add_another) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    calling = "create";
    in_call = add_another;
    add_system(world, LOGGED("A"));
    run_frame(world);
    EXPECT_LOG("A.create B.create A.start A B.start B");
    finish_systems(world, &reports);
}

TEST(system_changes, destroy_may_add_another) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, LOGGED("A"));
    calling = "destroy";
    in_call = add_another;
    EXPECT(ox_system_remove(a));
    run_frame(world);
    EXPECT_LOG("A.create A.destroy B.create B.start B");
    finish_systems(world, &reports);
}

TEST(system_changes, a_world_that_ends_takes_no_more_systems) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, LOGGED("A"));
    calling = "destroy";
    in_call = add_another;
    ox_world_destroy(world);
    EXPECT_LOG("A.create A.destroy");
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_UPDATING);
}

// The whole world, in the calls of its systems.

static const char *on_call;
static bool was_updated;

static void destroy_world(ox_system *system, const char *call) {
    if (strcmp(call, on_call) == 0) {
        ox_world_destroy(system->world);
    }
}

static void update_world(ox_system *system, const char *call) {
    if (strcmp(call, on_call) == 0) {
        was_updated = ox_world_update(system->world, 1) || ox_system_update(system);
    }
}

TEST(system_changes, a_world_cannot_be_destroyed_in_its_own_update) {
    static const char *const calls[] = {"", "start", "stop"};
    for (int k = 0; k < 3; k++) {
        collected_reports reports;
        ox_world *world = begin_systems(&reports);
        ox_system *a = add_system(world, LOGGED("A"));
        on_call = calls[k];
        in_call = destroy_world;
        run_frame(world);
        ox_system_set_enabled(a, false);
        run_frame(world);

        EXPECT_REPORT(&reports, OX_REPORT_WORLD_UPDATING);
        EXPECT_LOG("A.create A.start A A.stop");
        finish_systems(world, &reports);
    }
}

static void remove_and_destroy_world(ox_system *system, const char *call) {
    if (call[0] == 0) {
        ox_system_remove(system);
    } else if (strcmp(call, "destroy") == 0) {
        ox_world_destroy(system->world);
        was_updated = ox_world_update(system->world, 1);
    }
}

TEST(system_changes, nor_when_a_system_that_was_removed_in_it_is_destroyed) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, LOGGED("A"));
    was_updated = true;
    in_call = remove_and_destroy_world;

    run_frame(world);

    EXPECT_EQ(reports.count, 2);
    EXPECT_EQ(reports.last, OX_REPORT_WORLD_UPDATING);
    EXPECT(!was_updated);
    reports.count = 0;
    finish_systems(world, &reports);
}

TEST(system_changes, a_world_cannot_be_destroyed_or_updated_where_a_system_is_created) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    on_call = "create";
    in_call = destroy_world;
    add_system(world, LOGGED("A"));
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_UPDATING);
    EXPECT_HAS(reports.text, "ox_world_destroy of world 'sea', in the update of system 'A'");

    in_call = update_world;
    was_updated = true;
    add_system(world, LOGGED("B"));

    EXPECT(!was_updated);
    EXPECT_EQ(reports.count, 2);
    reports.count = 0;
    EXPECT_LOG("A.create B.create");
    finish_systems(world, &reports);
}

TEST(system_changes, a_world_cannot_be_updated_in_its_own_update) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF("A"));
    add_system(world, BRIEF("B"));
    on_call = "";
    was_updated = true;
    in_call = update_world;

    run_frame(world);

    EXPECT_EQ(reports.count, 4);
    EXPECT_EQ(reports.last, OX_REPORT_WORLD_UPDATING);
    EXPECT_HAS(reports.text, "ox_system_update of world 'sea', in the update of system 'B'");
    EXPECT(!was_updated);
    EXPECT_LOG("A B");
    reports.count = 0;
    finish_systems(world, &reports);
}

static ox_world *other_world;

static void update_other(ox_system *system, const char *call) {
    if (is_named(system, "A") && call[0] == 0) {
        EXPECT(ox_world_update(other_world, 1));
    }
}

TEST(system_changes, another_world_may_be_updated_in_an_update) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    other_world = begin_systems(&reports);
    add_system(world, BRIEF("A"));
    add_system(world, BRIEF("C"));
    add_system(other_world, BRIEF("B"));
    in_call = update_other;

    run_frame(world);

    EXPECT_LOG("A B C");
    ox_world_destroy(other_world);
    finish_systems(world, &reports);
}

// A report in one system.

static void do_wrong(ox_system *system, const char *call) {
    if (is_named(system, "A") && call[0] == 0) {
        ox_entity_destroy(system->world, ((ox_entity){77, 1}));
    }
}

TEST(system_changes, a_report_in_one_system_does_not_stop_the_others) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF("A"));
    add_system(world, BRIEF("B"));
    in_call = do_wrong;

    run_frame(world);

    EXPECT_REPORT(&reports, OX_REPORT_STALE_ENTITY);
    EXPECT_LOG("A B");
    run_frame(world);
    EXPECT_LOG("A B");
    EXPECT_REPORT(&reports, OX_REPORT_STALE_ENTITY);
    finish_systems(world, &reports);
}

static ox_job write_undeclared(ox_system *system, ox_job after) {
    return ox_schedule_entities(WriteCount, system, after, {1});
}

TEST(system_changes, a_system_in_the_place_of_another_declares_by_itself) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_entity_create(world, OX_VALUE(Count, {1}));
    for (int k = 0; k < 20; k++) {
        ox_system *system = add_system(world, WITH_JOBS("A", write_undeclared));
        run_frame(world);
        EXPECT_EQ(ox_system_get_info(system).writes_count, 1);
        EXPECT(ox_system_remove(system)); // the next one may lie at the same address
    }
    finish_systems(world, &reports);
}
