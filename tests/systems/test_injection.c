// SPDX-License-Identifier: MIT
//
// What is put into the state of a system: views, lookups and other systems.

#include "systems_test.h"

#include "entities/world.h"

OX_VIEWS(Counted, (OX_WRITE(Count, counts), OX_READ(Step, steps), OX_NONE(Red)));

typedef struct Injected {
    int before;
    Counted counted;
    ox_lookup extras;
    ox_system *other;
    int after;
} Injected;

#define INJECT_COUNTED OX_INJECT_VIEWS(Injected, counted, Counted)
#define INJECT_EXTRAS  OX_INJECT_LOOKUP(Injected, extras, OX_READ(Extra))
#define INJECT_OTHER   OX_INJECT_SYSTEM(Injected, other, "InjectedOther")

static ox_system_def other_def = {
    .name = "InjectedOther", .create = log_create, .update = log_update, .is_manual = true};

static ox_world *begin_injection(collected_reports *reports) {
    ox_system_register(&other_def);
    return begin_systems(reports);
}

// Views.

// Logs how many entities the views of a system have, after each call.
static void log_counted(ox_system *system, const char *call) {
    char text[16];
    (void)call;
    snprintf(text, sizeof text, "%d", ox_system_state(system, Injected)->counted.count);
    log_text(text, "");
}

TEST(injection, views_are_filled_before_create_each_update_and_destroy) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);
    ox_entity first = ox_entity_create_in(world, ox_archetype_of(world, Count, Step));
    in_call = log_counted;

    ox_system *a =
        add_system(world, LOGGED("A", .state = sizeof(Injected), .inject = {INJECT_COUNTED}));
    EXPECT_LOG("A.create 1");
    ox_entity_create_in(world, ox_archetype_of(world, Count, Step));
    run_frame(world);
    EXPECT_LOG("A.start 2 A 2");
    ox_add_tag(world, first, Red);
    run_frame(world);
    EXPECT_LOG("A 1");
    ox_remove(world, first, Red);
    ox_entity_create_in(world, ox_archetype_of(world, Count, Step));
    EXPECT(ox_system_remove(a));

    EXPECT_LOG("A.stop 1 A.destroy 3"); // nothing is said of stop
    finish_systems(world, &reports);
}

static void add_steps(ox_system *system) {
    const Counted *all = &ox_system_state(system, Injected)->counted;
    for (int k = 0; k < all->count; k++) {
        EXPECT(ox_entity_exists(system->world, ox_view_read_entity(all->entities, k)));
        ox_view_edit(all->counts, k, Count)->value += ox_view_read(all->steps, k, Step).value;
    }
}

TEST(injection, views_read_and_write_the_world) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);
    ox_entity a = ox_entity_create(world, OX_VALUE(Count, {1}), OX_VALUE(Step, {10}));
    ox_entity b =
        ox_entity_create(world, OX_VALUE(Count, {2}), OX_VALUE(Step, {20}), OX_VALUE(Extra, {0}));
    add_system(world,
               ON_MAIN("A", add_steps, .state = sizeof(Injected), .inject = {INJECT_COUNTED}));
    run_frame(world);
    ox_add(world, a, Extra, {0}); // moves it
    run_frame(world);
    EXPECT_EQ(ox_get(world, a, Count)->value, 21);
    EXPECT_EQ(ox_get(world, b, Count)->value, 42);
    finish_systems(world, &reports);
}

TEST(injection, views_that_nobody_writes_through_change_nothing) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);
    ox_entity_create_in(world, ox_archetype_of(world, Count, Step));
    add_system(world, BRIEF("A", .state = sizeof(Injected), .inject = {INJECT_COUNTED}));
    run_frame(world);
    ox_query *changed = ox_query_create(world, OX_READ(Count));
    ox_query_filter_changed(changed, Count, ox_world_get_version(world));
    ox_world_advance_version(world);

    run_frame(world);

    EXPECT_EQ(ox_query_count(changed), 0);
    finish_systems(world, &reports);
}

TEST(injection, declares_what_it_reads_and_writes) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);
    ox_system *a = add_system(
        world, BRIEF("A", .state = sizeof(Injected), .inject = {INJECT_COUNTED, INJECT_EXTRAS}));
    EXPECT_EQ(ox_system_get_info(a).reads_count, 2);
    EXPECT_EQ(ox_system_get_info(a).writes_count, 1);
    finish_systems(world, &reports);
}

static bool filter_counted(ox_system *system) {
    Injected *state = ox_system_state(system, Injected);
    ox_query *query = ox_system_query(system, OX_NONE(Red), OX_WRITE(Count), OX_READ(Step));
    EXPECT(query == state->counted.query);
    return ox_query_filter_changed(query, Count, 0);
}

TEST(injection, filters_of_the_query_act_on_the_next_views) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Count, Step));
    add_system(world, BRIEF("A", .state = sizeof(Injected), .inject = {INJECT_COUNTED},
                            .create = filter_counted));
    in_call = log_counted;
    run_frame(world);
    run_frame(world);
    EXPECT_LOG("A 1 A 0");

    ox_edit(world, entity, Count)->value = 5;
    run_frame(world);
    run_frame(world);

    EXPECT_LOG("A 1 A 0");
    finish_systems(world, &reports);
}

TEST(injection, the_query_of_views_ends_with_the_system) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);
    ox_system *a =
        add_system(world, BRIEF("A", .state = sizeof(Injected), .inject = {INJECT_COUNTED}));
    EXPECT(world->first_query == ox_system_state(a, Injected)->counted.query);
    EXPECT(ox_system_remove(a));
    EXPECT(world->first_query == NULL);
    finish_systems(world, &reports);
}

// A struct of views in a system with jobs: its query is what they run over.
OX_ENTITY_JOB(AddStep, (OX_WRITE(Count, count), OX_READ(Step, step)), { int unused; }) {
    count->value += step->value;
}

static ox_job add_steps_in_job(ox_system *system, ox_job after) {
    const Counted *all = &ox_system_state(system, Injected)->counted;
    EXPECT_EQ(all->count, 1);
    return ox_schedule_query(AddStep, all->query, after, {0});
}

TEST(injection, views_serve_a_system_with_jobs) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);
    start_workers_of_test(1);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Count, {1}), OX_VALUE(Step, {10}));
    ox_entity_create_in(world, ox_archetype_of(world, Count, Step, Red));
    add_system(world, WITH_JOBS("A", add_steps_in_job, .state = sizeof(Injected),
                                .inject = {INJECT_COUNTED}));
    for (int k = 0; k < 3; k++) {
        run_frame(world);
    }
    EXPECT_EQ(ox_get(world, entity, Count)->value, 31);
    finish_systems(world, &reports);
}

// Lookups.

static ox_entity looked_up;

static void log_extra(ox_system *system, const char *call) {
    char text[16];
    (void)call;
    const Extra *extra =
        ox_lookup_get(&ox_system_state(system, Injected)->extras, looked_up, Extra);
    snprintf(text, sizeof text, "%u", extra->value);
    log_text(text, "");
}

TEST(injection, lookups_are_filled_before_create_each_update_and_destroy) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);
    looked_up = ox_entity_create(world, OX_VALUE(Extra, {1}));
    in_call = log_extra;
    ox_system *a =
        add_system(world, BRIEF("A", .state = sizeof(Injected), .inject = {INJECT_EXTRAS},
                                .create = log_create, .destroy = log_destroy));
    ox_add(world, looked_up, Count, {0});
    ox_set(world, looked_up, Extra, {2});
    memset(&ox_system_state(a, Injected)->extras, 0, sizeof(ox_lookup));
    run_frame(world);
    memset(&ox_system_state(a, Injected)->extras, 0, sizeof(ox_lookup));

    EXPECT(ox_system_remove(a));

    EXPECT_LOG("A.create 1 A 2 A.destroy 2");
    finish_systems(world, &reports);
}

TEST(injection, lookups_may_write_and_name_a_component_by_id) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);
    ox_injection by_id = {.kind = OX_INJECTION_LOOKUP,
                          .offset = offsetof(Injected, extras),
                          .id = ox_component_id_of(Extra),
                          .writes = true};
    ox_system *a = add_system(world, BRIEF("A", .state = sizeof(Injected), .inject = {by_id}));
    EXPECT_EQ(ox_system_state(a, Injected)->extras.component, ox_component_id_of(Extra));
    EXPECT_EQ(ox_system_get_info(a).writes_count, 1);
    finish_systems(world, &reports);
}

// Other systems.

TEST(injection, a_system_that_is_not_there_is_made_first) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);

    ox_system *a =
        add_system(world, LOGGED("A", .state = sizeof(Injected), .inject = {INJECT_OTHER}));

    EXPECT_LOG("InjectedOther.create A.create");
    EXPECT(ox_system_state(a, Injected)->other == ox_system_find(world, "InjectedOther"));
    EXPECT(ox_system_state(a, Injected)->other != NULL);
    run_frame(world);
    EXPECT_LOG("A.start A InjectedOther");
    finish_systems(world, &reports);
}

TEST(injection, a_system_that_is_there_is_given_as_it_is) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);
    ox_system *other = add_system(world, &other_def);
    ox_system *a =
        add_system(world, BRIEF("A", .state = sizeof(Injected), .inject = {INJECT_OTHER}));
    EXPECT(ox_system_state(a, Injected)->other == other);
    EXPECT_LOG("InjectedOther.create");
    finish_systems(world, &reports);
}

TEST(injection, a_system_that_nobody_declared_is_reported_with_the_nearest_name) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);
    EXPECT(ox_system_add(world, LOGGED("A", .state = sizeof(Injected),
                                       .inject = {OX_INJECT_SYSTEM(Injected, other,
                                                                   "InjectdOther")})) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_SYSTEM);
    EXPECT_HAS(reports.text, "says .inject 'InjectdOther'");
    EXPECT_HAS(reports.text, "did you mean 'InjectedOther' (its place is not known)?");
    EXPECT_LOG("");
    EXPECT(ox_system_find(world, "A") == NULL);
    finish_systems(world, &reports);
}

TEST(injection, a_system_that_cannot_be_made_is_reported_and_neither_is_the_one_that_wants_it) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);
    failing_create = "InjectedOther";
    EXPECT(ox_system_add(world, LOGGED("A", .state = sizeof(Injected), .inject = {INJECT_OTHER})) ==
           NULL);
    EXPECT_REPORT(&reports, OX_REPORT_CREATE_FAILED);
    EXPECT_LOG("InjectedOther.create");
    finish_systems(world, &reports);
}

static void log_other(ox_system *system, const char *call) {
    (void)call;
    if (!is_named(system, "InjectedOther")) {
        log_text(ox_system_state(system, Injected)->other != NULL ? "there" : "gone", "");
    }
}

TEST(injection, a_system_that_was_removed_is_null_from_the_next_update_on) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);
    add_system(world, BRIEF("A", .state = sizeof(Injected), .inject = {INJECT_OTHER},
                            .destroy = log_destroy));
    in_call = log_other;
    run_frame(world);
    EXPECT_LOG("InjectedOther.create A there InjectedOther");

    EXPECT(ox_system_remove(ox_system_find(world, "InjectedOther")));
    run_frame(world);
    EXPECT_LOG("A gone");
    add_system(world, &other_def);
    run_frame(world);
    EXPECT_LOG("InjectedOther.create A there InjectedOther");
    ox_world_destroy(world);
    EXPECT_LOG("A.destroy gone"); // it was made later, so it went first
    EXPECT_EQ(reports.count, 0);
}

static void remove_other(ox_system *system) {
    ox_system_remove(ox_system_find(system->world, "InjectedOther"));
}

TEST(injection, a_system_that_was_removed_in_this_update_is_null_for_those_that_follow) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);
    add_system(world, BRIEF("B", .state = sizeof(Injected), .inject = {INJECT_OTHER}));
    add_system(world, ON_MAIN("A", remove_other));
    in_call = log_other;
    system_log[0] = 0;
    run_frame(world);
    EXPECT_LOG("B gone");
    finish_systems(world, &reports);
}

static ox_system_def left_def = {.name = "InjectedLeft",
                                 .update = log_update,
                                 .state = sizeof(Injected),
                                 .inject = {OX_INJECT_SYSTEM(Injected, other, "InjectedRight")},
                                 .is_manual = true};
static ox_system_def right_def = {.name = "InjectedRight",
                                  .update = log_update,
                                  .state = sizeof(Injected),
                                  .inject = {OX_INJECT_SYSTEM(Injected, other, "InjectedLeft")},
                                  .is_manual = true};

TEST(injection, two_systems_may_have_each_other) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);
    ox_system_register(&left_def);
    ox_system_register(&right_def);
    ox_system *left = add_system(world, &left_def);
    ox_system *right = ox_system_find(world, "InjectedRight");
    EXPECT(ox_system_state(left, Injected)->other == right);
    EXPECT(ox_system_state(right, Injected)->other == left);
    run_frame(world);
    EXPECT_LOG("InjectedLeft InjectedRight");
    finish_systems(world, &reports);
}

// Fields.

typedef struct bad_field {
    const char *what;
    size_t state;
    ox_injection injection;
} bad_field;

static const bad_field bad_fields[] = {
    {"no state", 0, INJECT_OTHER},
    {"a system at the end", offsetof(Injected, other) + 4, INJECT_OTHER},
    {"a lookup at the end", offsetof(Injected, extras) + sizeof(ox_lookup) - 1, INJECT_EXTRAS},
    {"views behind the end", offsetof(Injected, counted), INJECT_COUNTED},
    {"views at the end", offsetof(Injected, counted) + sizeof(Counted) - 1, INJECT_COUNTED},
    {"far behind",
     sizeof(Injected),
     {OX_INJECTION_SYSTEM, SIZE_MAX - 4, 0, NULL, NULL, 0, false, "A"}},
};

TEST(injection, a_field_that_is_not_in_the_state_is_reported) {
    for (size_t k = 0; k < sizeof bad_fields / sizeof *bad_fields; k++) {
        collected_reports reports;
        ox_world *world = begin_injection(&reports);
        ox_system *a = ox_system_add(
            world, LOGGED("A", .state = bad_fields[k].state, .inject = {bad_fields[k].injection}));
        if (a != NULL || reports.last != OX_REPORT_BAD_SYSTEM ||
            strstr(reports.text, "what is injected lies outside of its state") == NULL) {
            test_fail(__FILE__, __LINE__, "%s: %s", bad_fields[k].what, reports.text);
        }
        reports.count = 0;
        EXPECT_LOG("");
        finish_systems(world, &reports);
    }
}

TEST(injection, fields_around_are_left_alone) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);
    ox_system *a =
        add_system(world, BRIEF("A", .state = sizeof(Injected),
                                .inject = {INJECT_COUNTED, INJECT_EXTRAS, INJECT_OTHER}));
    Injected *state = ox_system_state(a, Injected);
    state->before = 5;
    state->after = 6;
    run_frame(world);
    EXPECT(state->before == 5 && state->after == 6 && state->other != NULL);
    finish_systems(world, &reports);
}

TEST(injection, all_eight_fields_are_filled) {
    collected_reports reports;
    ox_world *world = begin_injection(&reports);
    typedef ox_system *systems_of[OX_MAX_INJECTED];
    ox_system_def def = *BRIEF("A", .state = sizeof(systems_of));
    for (size_t k = 0; k < OX_MAX_INJECTED; k++) {
        def.inject[k] = (ox_injection){.kind = OX_INJECTION_SYSTEM,
                                       .offset = k * sizeof(ox_system *),
                                       .name = k % 2 == 0 ? "A" : "Simulation"};
    }
    ox_system *a = add_system(world, &def);
    ox_system **systems = *ox_system_state(a, systems_of);
    for (size_t k = 0; k < OX_MAX_INJECTED; k++) {
        EXPECT(systems[k] == (k % 2 == 0 ? a : ox_system_find(world, "Simulation")));
    }
    finish_systems(world, &reports);
}

TEST(injection, one_that_is_not_whole_is_reported) {
    const ox_injection_kind kinds[] = {OX_INJECTION_VIEWS, OX_INJECTION_SYSTEM};
    for (int k = 0; k < 2; k++) {
        collected_reports reports;
        ox_world *world = begin_systems(&reports);
        ox_system_def def = {.name = "A", .update = log_update, .state = 512};
        def.inject[0] = (ox_injection){.kind = kinds[k], .size = 8};

        EXPECT(ox_system_add(world, &def) == NULL);

        EXPECT_REPORT(&reports, OX_REPORT_BAD_SYSTEM);
        EXPECT_HAS(reports.text, "neither views nor a name");
        finish_systems(world, &reports);
    }
}
