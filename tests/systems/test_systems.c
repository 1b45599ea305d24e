// SPDX-License-Identifier: MIT
//
// The life of systems: create, start, update, stop, destroy; their state, and what they require.

#include "systems_test.h"

#include "entities/world.h"

// The calls.

TEST(systems, create_comes_at_once_and_start_before_the_first_update) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);

    add_system(world, LOGGED("A"));

    EXPECT_LOG("A.create");
    run_frame(world);
    EXPECT_LOG("A.start A");
    run_frame(world);
    EXPECT_LOG("A");
    finish_systems(world, &reports);
    EXPECT_LOG("A.stop A.destroy");
}

static ox_job log_update_with_jobs(ox_system *system, ox_job after) {
    log_call(system, "");
    return after;
}

TEST(systems, one_with_jobs_starts_before_its_first_update_and_stops) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, WITH_JOBS("A", log_update_with_jobs, .start = log_start, .stop = log_stop));

    run_frame(world);
    EXPECT_LOG("A.start A");
    run_frame(world);
    EXPECT_LOG("A");

    finish_systems(world, &reports);
    EXPECT_LOG("A.stop");
}

TEST(systems, those_that_run_without_a_plan_all_stop_before_one_is_destroyed) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, LOGGED("A"));
    add_system(world, LOGGED("B"));
    ox_system *c = add_system(world, LOGGED("C"));
    run_frame(world);
    EXPECT(ox_system_remove(c));
    system_log[0] = 0;

    finish_systems(world, &reports);

    EXPECT_LOG("A.stop B.stop B.destroy A.destroy");
}

TEST(systems, a_state_of_one_byte_is_there_and_zero) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, LOGGED("A", .state = 1));

    char *state = ox_system_state(a, char);

    EXPECT(state != NULL && *state == 0);
    finish_systems(world, &reports);
}

TEST(systems, one_that_is_off_from_the_beginning_neither_starts_nor_stops) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, LOGGED("A", .starts_off = true));
    run_frame(world);
    EXPECT(!ox_system_get_info(a).is_enabled);

    ox_system_set_enabled(a, true);
    ox_system_set_enabled(a, false);
    run_frame(world);

    EXPECT_LOG("A.create");
    EXPECT(ox_system_remove(a));
    EXPECT_LOG("A.destroy");
    finish_systems(world, &reports);
}

TEST(systems, one_that_is_switched_off_stops_once_when_it_is_its_turn) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, LOGGED("A"));
    run_frame(world);
    EXPECT_LOG("A.create A.start A");

    ox_system_set_enabled(a, false);

    EXPECT_LOG("");
    run_frame(world);
    EXPECT_LOG("A.stop");
    run_frame(world);
    EXPECT_LOG("");
    ox_system_set_enabled(a, true);
    run_frame(world);
    EXPECT_LOG("A.start A");
    finish_systems(world, &reports);
}

TEST(systems, one_that_is_switched_off_and_on_between_frames_goes_on) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, BRIEF("A", .start = log_start, .stop = log_stop));
    run_frame(world);

    ox_system_set_enabled(a, false);
    ox_system_set_enabled(a, true);
    run_frame(world);

    EXPECT_LOG("A.start A A");
    finish_systems(world, &reports);
}

TEST(systems, a_running_one_that_is_removed_stops_first) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, LOGGED("A"));
    run_frame(world);
    EXPECT_LOG("A.create A.start A");

    EXPECT(ox_system_remove(a));

    EXPECT_LOG("A.stop A.destroy");
    EXPECT(ox_system_find(world, "A") == NULL);
    finish_systems(world, &reports);
}

TEST(systems, one_that_does_not_run_any_more_is_removed_without_a_stop) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, LOGGED("A"));
    run_frame(world);
    ox_system_set_enabled(a, false);
    run_frame(world);
    EXPECT_LOG("A.create A.start A A.stop");

    EXPECT(ox_system_remove(a));

    EXPECT_LOG("A.destroy");
    finish_systems(world, &reports);
}

TEST(systems, of_a_world_that_ends_all_stop_then_go_in_the_reverse_order_of_creation) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, LOGGED("C"));
    add_system(world, LOGGED("A"));
    add_system(world, LOGGED("B"));
    run_frame(world);
    EXPECT_LOG("C.create A.create B.create A.start A B.start B C.start C");

    finish_systems(world, &reports);

    EXPECT_LOG("A.stop B.stop C.stop B.destroy A.destroy C.destroy");
}

static void count_entities(ox_system *system, const char *call) {
    char text[32];
    snprintf(text, sizeof text, "%u", ox_world_get_usage(system->world).entity_count);
    log_text(text, call[0] == 'd' ? "" : call);
}

TEST(systems, the_entities_are_still_there_when_a_world_that_ends_destroys_its_systems) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF("A", .destroy = log_destroy));
    ox_entity_create(world);
    in_call = count_entities;

    ox_world_destroy(world);

    EXPECT_LOG("A.destroy 1");
    EXPECT_EQ(reports.count, 0);
}

// Groups.

static void add_group_of_two(ox_world *world) {
    add_system(world, IN_GROUP("G", .start = log_start, .stop = log_stop));
    add_system(world, BRIEF("B", .in = "G", .start = log_start, .stop = log_stop));
    add_system(world, BRIEF("A", .in = "G", .start = log_start, .stop = log_stop));
}

TEST(systems, a_group_that_is_switched_off_stops_and_then_what_is_in_it_in_order) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_group_of_two(world);
    run_frame(world);
    EXPECT_LOG("G.start A.start A B.start B");

    ox_system_set_enabled(ox_system_find(world, "G"), false);
    run_frame(world);

    EXPECT_LOG("G.stop A.stop B.stop");
    EXPECT(ox_system_get_info(ox_system_find(world, "A")).is_enabled);
    EXPECT(!ox_system_get_info(ox_system_find(world, "A")).is_running);
    run_frame(world);
    EXPECT_LOG("");
    finish_systems(world, &reports);
}

TEST(systems, a_group_that_is_switched_on_again_restarts_but_for_those_that_are_off) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_group_of_two(world);
    run_frame(world);
    ox_system *g = ox_system_find(world, "G"), *a = ox_system_find(world, "A");
    ox_system_set_enabled(g, false);
    ox_system_set_enabled(a, false);
    run_frame(world);
    EXPECT_LOG("G.start A.start A B.start B G.stop A.stop B.stop");

    ox_system_set_enabled(g, true);
    run_frame(world);

    EXPECT_LOG("G.start B.start B");
    ox_system_set_enabled(a, true);
    run_frame(world);
    EXPECT_LOG("A.start A B");
    finish_systems(world, &reports);
}

TEST(systems, a_group_in_a_group_stops_with_it) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, IN_GROUP("Outer", .stop = log_stop));
    add_system(world, IN_GROUP("Inner", .in = "Outer", .stop = log_stop));
    add_system(world, BRIEF("A", .in = "Inner", .stop = log_stop));
    add_system(world, BRIEF("Z", .in = "Outer", .stop = log_stop));
    run_frame(world);
    EXPECT_LOG("A Z");

    ox_system_set_enabled(ox_system_find(world, "Outer"), false);
    run_frame(world);

    EXPECT_LOG("Outer.stop Inner.stop A.stop Z.stop");
    finish_systems(world, &reports);
}

TEST(systems, a_group_is_removed_with_all_that_is_in_it) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, IN_GROUP("Outer", .destroy = log_destroy));
    add_system(world, IN_GROUP("Inner", .in = "Outer", .destroy = log_destroy));
    add_system(world, BRIEF("A", .in = "Inner", .destroy = log_destroy));
    add_system(world, BRIEF("B", .in = "Outer", .destroy = log_destroy));
    add_system(world, BRIEF("C", .in = "Inner", .destroy = log_destroy));
    run_frame(world);
    EXPECT_LOG("B A C");

    EXPECT(ox_system_remove(ox_system_find(world, "Outer")));

    EXPECT_LOG("B.destroy C.destroy A.destroy Inner.destroy Outer.destroy");
    run_frame(world);
    EXPECT_LOG("");
    finish_systems(world, &reports);
}

// State.

typedef struct Tally {
    uint32_t updates;
    char filler[100];
} Tally;

static void count_update(ox_system *system) {
    ox_system_state(system, Tally)->updates++;
}

static bool is_zeroed(ox_system *system) {
    static const Tally zeros;
    const Tally *state = ox_system_state(system, Tally);
    return memcmp(state, &zeros, sizeof zeros) == 0 && (uintptr_t)state % 64 == 0;
}

TEST(systems, state_is_zeroed_and_one_for_each_world) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports), *other = begin_systems(&reports);
    const ox_system_def *def =
        ON_MAIN("A", count_update, .create = is_zeroed, .state = sizeof(Tally));
    ox_system *a = add_system(world, def), *b = add_system(other, def);

    run_frame(world);
    run_frame(world);
    run_frame(other);

    EXPECT(a != b && ox_system_find(world, "A") == a && ox_system_find(other, "A") == b);
    EXPECT_EQ(ox_system_state(a, Tally)->updates, 2);
    EXPECT_EQ(ox_system_state(b, Tally)->updates, 1);
    ox_world_destroy(other);
    run_frame(world);
    EXPECT_EQ(ox_system_state(a, Tally)->updates, 3);
    finish_systems(world, &reports);
}

TEST(systems, state_of_another_size_is_reported_and_is_scratch_memory) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, BRIEF("A", .state = sizeof(Tally)));
    ox_system *b = add_system(world, BRIEF("B"));

    uint32_t *wrong = ox_system_state(a, uint32_t);

    EXPECT_REPORT(&reports, OX_REPORT_BAD_STATE);
    EXPECT_HAS(reports.text, "'A' (a place not known) has 104 bytes of state, 4 were asked for");
    *wrong = 5;
    EXPECT_EQ(ox_system_state(a, Tally)->updates, 0);
    *ox_system_state(b, uint32_t) = 5;
    EXPECT_REPORT(&reports, OX_REPORT_BAD_STATE);
    finish_systems(world, &reports);
}

// Create.

TEST(systems, one_whose_create_fails_is_removed_and_the_others_go_on) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, LOGGED("A"));
    failing_create = "B";

    ox_system *b = ox_system_add(world, LOGGED("B", .state = 1000));

    EXPECT_REPORT(&reports, OX_REPORT_CREATE_FAILED);
    EXPECT_HAS(reports.text, "create of 'B'");
    EXPECT(b == NULL && ox_system_find(world, "B") == NULL);
    run_frame(world);
    EXPECT_LOG("A.create B.create A.start A");
    failing_create = NULL;
    add_system(world, LOGGED("B"));
    finish_systems(world, &reports);
}

static ox_query *made_query;

static bool make_query_and_fail(ox_system *system) {
    made_query = ox_system_query(system, OX_READ(Count));
    return false;
}

TEST(systems, one_whose_create_fails_leaves_no_query_behind) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);

    EXPECT(ox_system_add(world, BRIEF("A", .create = make_query_and_fail,
                                      .require = OX_REQUIRE(OX_WITH(Red)))) == NULL);

    EXPECT_REPORT(&reports, OX_REPORT_CREATE_FAILED);
    EXPECT(made_query != NULL && world->first_query == NULL);
    finish_systems(world, &reports);
}

static ox_job left_behind;
static bool completes_it;

static bool schedule_in_create(ox_system *system) {
    left_behind = ox_schedule_entities(WriteCount, system, OX_AUTO, {1});
    if (completes_it) {
        ox_complete(left_behind);
    }
    return true;
}

TEST(systems, a_create_that_leaves_a_job_behind_is_reported_and_the_job_completed) {
    collected_reports reports;
    start_workers_of_test(0);
    ox_world *world = begin_systems(&reports);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Count, {1}));
    completes_it = false;

    add_system(world, BRIEF("A", .create = schedule_in_create));

    EXPECT_REPORT(&reports, OX_REPORT_CREATE_SCHEDULES);
    EXPECT_HAS(reports.text, "create of 'A' (a place not known) scheduled 'WriteCount' (");
    EXPECT(ox_job_is_complete(left_behind));
    EXPECT_EQ(ox_get(world, entity, Count)->value, 4);
    run_frame(world);
    EXPECT_LOG("A");
    finish_systems(world, &reports);
}

TEST(systems, a_create_may_complete_its_own_job) {
    collected_reports reports;
    start_workers_of_test(0);
    ox_world *world = begin_systems(&reports);
    ox_entity_create(world, OX_VALUE(Count, {1}));
    completes_it = true;
    add_system(world, BRIEF("A", .create = schedule_in_create));
    finish_systems(world, &reports);
}

// What a system requires.

TEST(systems, one_updates_only_while_what_its_def_requires_is_there) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF("A", .start = log_start, .stop = log_stop,
                            .require = OX_REQUIRE(OX_WITH(Count), OX_NONE(Red))));
    run_frame(world);
    ox_entity red = ox_entity_create_in(world, ox_archetype_of(world, Count, Red));
    run_frame(world);
    EXPECT_LOG("");

    ox_remove(world, red, Red);
    run_frame(world);
    EXPECT_LOG("A.start A");
    ox_entity_destroy(world, red);
    run_frame(world);
    run_frame(world);
    EXPECT_LOG("A.stop");
    ox_entity_create_in(world, ox_archetype_of(world, Count));
    run_frame(world);
    EXPECT_LOG("A.start A");
    finish_systems(world, &reports);
}

TEST(systems, one_that_requires_several_queries_updates_while_all_find_something) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, BRIEF("A", .require = OX_REQUIRE(OX_WITH(Extra))));
    EXPECT(ox_system_require(a, ox_query_create(world, OX_READ(Count))));
    EXPECT(ox_system_require(a, ox_system_query(a, OX_READ(Step))));
    ox_entity_create_in(world, ox_archetype_of(world, Count));
    ox_entity_create_in(world, ox_archetype_of(world, Step));
    run_frame(world);
    EXPECT_LOG("");

    ox_entity_create_in(world, ox_archetype_of(world, Extra));
    run_frame(world);

    EXPECT_LOG("A");
    finish_systems(world, &reports);
}

OX_ENABLEABLE(Awake, { uint32_t value; });

TEST(systems, what_is_required_is_there_whatever_filters_and_switches_say) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, BRIEF("A"));
    ox_query *query = ox_system_query(a, OX_READ(Awake));
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Awake));
    ox_query_filter_changed(query, Awake, ox_world_get_version(world));
    ox_set_enabled(world, entity, Awake, false);
    EXPECT_EQ(ox_query_count(query), 0);

    EXPECT(ox_system_require(a, query));
    run_frame(world);

    EXPECT_LOG("A");
    finish_systems(world, &reports);
}

TEST(systems, what_is_required_is_not_declared) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, BRIEF("A", .require = OX_REQUIRE(OX_WRITE(Count))));
    EXPECT_EQ(ox_system_get_info(a).writes_count, 0);

    ox_system_query(a, OX_WRITE(Count));

    EXPECT_EQ(ox_system_get_info(a).writes_count, 1);
    finish_systems(world, &reports);
}

TEST(systems, a_group_may_require_something_for_all_that_is_in_it) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, IN_GROUP("G", .require = OX_REQUIRE(OX_WITH(Red))));
    add_system(world, BRIEF("A", .in = "G"));
    run_frame(world);
    EXPECT_LOG("");

    ox_entity_create_in(world, ox_archetype_of(world, Red));
    run_frame(world);

    EXPECT_LOG("A");
    finish_systems(world, &reports);
}

// A query that a system requires may end before it.
TEST(systems, one_is_not_held_up_by_a_query_that_ended) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, BRIEF("A")), *b = add_system(world, BRIEF("B"));
    EXPECT(ox_system_require(a, ox_system_query(b, OX_READ(Count))));
    run_frame(world);
    EXPECT_LOG("B");

    EXPECT(ox_system_remove(b));
    run_frame(world);

    EXPECT_LOG("A");
    finish_systems(world, &reports);
}

TEST(systems, one_is_not_held_up_by_a_query_that_was_given_up) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, BRIEF("A"));
    ox_query *query = ox_query_create(world, OX_READ(Count));
    EXPECT(ox_system_require(a, query) && ox_system_require(a, query));
    run_frame(world);
    EXPECT_LOG("");
    ox_query_destroy(query);
    run_frame(world);
    EXPECT_LOG("A");
    finish_systems(world, &reports);
}

// Looking.

TEST(systems, info_tells_what_is_known_of_one) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, LOGGED("A"));
    ox_system_declare(a, OX_READ(Count), OX_WRITE(Step), OX_READ(Extra), OX_WITH(Red));
    EXPECT_EQ(ox_system_get_info(a).version, 0);
    run_frame(world);
    run_frame(world);

    ox_system_info info = ox_system_get_info(a);

    EXPECT_STR(info.name, "A");
    EXPECT_HAS(info.site, "test_systems.c:");
    EXPECT(info.group == ox_system_find(world, "Simulation") && !info.is_group);
    EXPECT(info.is_enabled && info.is_running);
    EXPECT_EQ(info.run_count, 2);
    EXPECT(info.version != 0 && info.version < ox_world_get_version(world));
    EXPECT_EQ(info.reads_count, 2);
    EXPECT_EQ(info.writes_count, 1);
    finish_systems(world, &reports);
}

TEST(systems, info_of_what_is_no_system_is_zeros) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    EXPECT(ox_system_get_info(NULL).name == NULL);
    EXPECT(ox_system_get_info(ox_world_get_root(world)).name == NULL);
    EXPECT(ox_system_find(NULL, "A") == NULL && ox_system_find(world, NULL) == NULL);
    EXPECT(ox_system_find(world, "Simulation") == NULL); // nobody asked for systems yet
    EXPECT_EQ(ox_world_get_time(NULL).frame, 0);
    EXPECT_EQ(ox_system_get_time(NULL).frame, 0);
    EXPECT_EQ(ox_world_get_systems(world, NULL, 0), 0);
    finish_systems(world, &reports);
}

TEST(systems, a_thousand_run_in_order) {
    enum { MANY = 1000 };
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    static char names[MANY][8];
    static ox_system *systems[MANY + 16];
    for (int k = 0; k < MANY; k++) {
        int number = (k * 7) % MANY; // in some order
        snprintf(names[k], sizeof names[k], "s%03d", number);
        add_system(world, ON_MAIN(names[k], count_update, .state = sizeof(Tally)));
    }
    run_frame(world);
    run_frame(world);

    int count = ox_world_get_systems(world, systems, MANY + 16);

    EXPECT_EQ(count, MANY + 9);
    const char *before = "";
    for (int k = 0; k < count; k++) {
        if (systems[k]->name[0] == 's') {
            EXPECT(strcmp(before, systems[k]->name) < 0);
            EXPECT_EQ(ox_system_state(systems[k], Tally)->updates, 2);
            before = systems[k]->name;
        }
    }
    finish_systems(world, &reports);
}

TEST(systems, list_of_them_is_cut_and_counted) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, IN_GROUP("G", .in = "Presentation"));
    add_system(world, BRIEF("A", .in = "G"));
    ox_system *systems[20] = {0};
    const char *const expected[] = {"Initialization",
                                    "BeginInitialization",
                                    "EndInitialization",
                                    "Simulation",
                                    "BeginSimulation",
                                    "EndSimulation",
                                    "Presentation",
                                    "BeginPresentation",
                                    "G",
                                    "A",
                                    "EndPresentation"};
    EXPECT_EQ(ox_world_get_systems(world, systems, 5), 11);
    EXPECT(systems[4] != NULL && systems[5] == NULL);

    EXPECT_EQ(ox_world_get_systems(world, systems, 20), 11);

    for (int k = 0; k < 11; k++) {
        EXPECT_STR(systems[k]->name, expected[k]);
    }
    finish_systems(world, &reports);
}
