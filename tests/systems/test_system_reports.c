// SPDX-License-Identifier: MIT
//
// What systems are told when they are used in a way that does not work: each report, and that
// nothing happened.

#include "barriers_test.h"

#include "oxbow/containers.h"
#include "oxbow/list.h"
#include "oxbow/world.h"

#include <math.h>

static ox_job schedule_nothing(ox_system *system, ox_job after) {
    (void)system;
    return after;
}

// Defs.

typedef struct bad_def {
    const char *what;
    ox_system_def def;
    const char *text;
} bad_def;

static const bad_def bad_defs[] = {
    {"no name", {.update = log_update}, "it has no name"},
    {"an empty name", {.name = "", .update = log_update}, "it has no name"},
    {"a group on main",
     {.name = "X", .is_group = true, .update = log_update},
     "it is a group and has an update"},
    {"a group with jobs",
     {.name = "X", .is_group = true, .update_jobs = schedule_nothing},
     "it is a group and has an update"},
    {"two updates",
     {.name = "X", .update = log_update, .update_jobs = schedule_nothing},
     "it has an update on main and one for jobs"},
    {"a negative step", {.name = "X", .is_group = true, .step = -1}, "its step cannot be used"},
    {"a step that is no number",
     {.name = "X", .is_group = true, .step = (float)NAN},
     "its step cannot be used"},
    {"a step without end",
     {.name = "X", .is_group = true, .step = (float)INFINITY},
     "its step cannot be used"},
    {"a negative number of steps",
     {.name = "X", .is_group = true, .step = 1, .most_steps = -1},
     "its step cannot be used"},
    {"a step of no group", {.name = "X", .update = log_update, .step = 1}, "its step"},
    {"in a system", {.name = "X", .update = log_update, .in = "Plain"}, "is no group"},
};

TEST(system_reports, defs_that_cannot_be_used_are_reported_and_add_nothing) {
    for (size_t k = 0; k < sizeof bad_defs / sizeof *bad_defs; k++) {
        collected_reports reports;
        ox_world *world = begin_systems(&reports);
        add_system(world, BRIEF("Plain"));

        EXPECT(ox_system_add(world, &bad_defs[k].def) == NULL);

        if (reports.last != OX_REPORT_BAD_SYSTEM || reports.count != 1 ||
            strstr(reports.text, bad_defs[k].text) == NULL) {
            test_fail(__FILE__, __LINE__, "%s: %s", bad_defs[k].what, reports.text);
        }
        reports.count = 0;
        run_frame(world);
        EXPECT_LOG("Plain");
        finish_systems(world, &reports);
    }
}

TEST(system_reports, two_systems_of_one_name_are_one_report_with_both_places) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *first = add_system(world, BRIEF("A", .site = "one.c:1"));

    EXPECT(ox_system_add(world, BRIEF("A", .site = "two.c:2")) == NULL);

    EXPECT_REPORT(&reports, OX_REPORT_TWO_SYSTEMS);
    EXPECT_HAS(reports.text, "'A' (one.c:1) and 'A' (two.c:2) in world 'sea'");
    EXPECT(ox_system_find(world, "A") == first);
    EXPECT(ox_system_add(world, IN_GROUP("Simulation")) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_TWO_SYSTEMS);
    run_frame(world);
    EXPECT_LOG("A");
    finish_systems(world, &reports);
}

TEST(system_reports, the_group_of_all_cannot_be_removed) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF("A"));
    EXPECT(!ox_system_remove(ox_system_find(world, "World")));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_SYSTEM);
    run_frame(world);
    EXPECT_LOG("A");
    finish_systems(world, &reports);
}

static const ox_term unknown_terms[] = {{OX_TERM_READ, NULL, 60000}, {OX_TERM_END, NULL, 0}};

TEST(system_reports, what_a_def_requires_must_be_a_component) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    EXPECT(ox_system_add(world, BRIEF("A", .require = {unknown_terms[0]})) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT);
    EXPECT(ox_system_find(world, "A") == NULL);
    finish_systems(world, &reports);
}

TEST(system_reports, what_a_system_declares_must_be_a_component) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, BRIEF("A"));
    EXPECT(!ox_system_declare_at(a, unknown_terms, OX_HERE));
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT);
    EXPECT(ox_system_query_at(a, unknown_terms, OX_HERE) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT);
    EXPECT(ox_system_lookup_at(a, 60000, false, OX_HERE).world == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT);
    EXPECT_EQ(ox_system_get_info(a).reads_count, 0);
    finish_systems(world, &reports);
}

OX_SHARED(Crew, { int number; });
OX_ENABLEABLE_TAG(Lit);

TEST(system_reports, a_declared_tag_is_reported_because_it_orders_nothing) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, BRIEF("A"));
    EXPECT(!ox_system_declare(a, OX_WRITE(Red)));
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT_HAS(reports.text, "ox_system_declare of 'Red', which is a tag");
    EXPECT(!ox_system_declare(a, OX_READ(Count), OX_READ(Red)));
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(!ox_system_declare(a, OX_WRITE(Crew)));
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT_HAS(reports.text, "ox_system_declare of 'Crew', which is shared");
    EXPECT(ox_system_declare(a, OX_READ(Crew), OX_WITH(Red), OX_WRITE(Count)));
    EXPECT(ox_system_declare(a, OX_ENABLED(Lit), OX_READ(Lit)));
    finish_systems(world, &reports);
}

TEST(system_reports, a_query_of_another_world_cannot_be_required) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports), *other = begin_systems(&reports);
    ox_system *a = add_system(world, BRIEF("A"));
    EXPECT(!ox_system_require(a, ox_query_create(other, OX_READ(Count))));
    EXPECT_REPORT(&reports, OX_REPORT_FOREIGN_HANDLE);
    run_frame(world);
    EXPECT_LOG("A");
    ox_world_destroy(other);
    finish_systems(world, &reports);
}

// What is no system.

typedef struct scope_call {
    const char *function;
    void (*call)(ox_system *scope);
} scope_call;

#define SCOPE_CALL(name, ...)                                                                      \
    static void name(ox_system *scope) {                                                           \
        __VA_ARGS__;                                                                               \
    }
SCOPE_CALL(call_remove, EXPECT(!ox_system_remove(scope)))
SCOPE_CALL(call_set_enabled, ox_system_set_enabled(scope, false))
SCOPE_CALL(call_state, *ox_system_state(scope, int) = 1)
SCOPE_CALL(call_query, EXPECT(ox_system_query(scope, OX_READ(Count)) == NULL))
SCOPE_CALL(call_lookup, EXPECT(ox_system_lookup(scope, OX_READ(Count)).world == NULL))
SCOPE_CALL(call_declare, EXPECT(!ox_system_declare(scope, OX_READ(Count))))
SCOPE_CALL(call_require, EXPECT(!ox_system_require(scope, NULL)))
SCOPE_CALL(call_update, EXPECT(!ox_system_update(scope)))
SCOPE_CALL(call_set_step, EXPECT(!ox_group_set_step(scope, 1, 1)))

static const scope_call scope_calls[] = {
    {"ox_system_remove", call_remove},   {"ox_system_set_enabled", call_set_enabled},
    {"ox_system_state", call_state},     {"ox_system_query", call_query},
    {"ox_system_lookup", call_lookup},   {"ox_system_declare", call_declare},
    {"ox_system_require", call_require}, {"ox_system_update", call_update},
    {"ox_group_set_step", call_set_step}};

TEST(system_reports, the_scope_of_a_world_is_no_system) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    for (size_t k = 0; k < sizeof scope_calls / sizeof *scope_calls; k++) {
        scope_calls[k].call(ox_world_get_root(world));
        EXPECT_REPORT(&reports, OX_REPORT_NOT_A_SYSTEM);
        EXPECT_HAS(reports.text, scope_calls[k].function);
    }
    EXPECT_EQ(ox_system_get_time(ox_world_get_root(world)).frame, 0);
    finish_systems(world, &reports);
}

TEST(system_reports, no_system_at_all_is_a_null_argument) {
    collected_reports reports;
    collect_reports(&reports);
    for (size_t k = 0; k < sizeof scope_calls / sizeof *scope_calls; k++) {
        scope_calls[k].call(NULL);
        EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
        EXPECT_HAS(reports.text, scope_calls[k].function);
    }
}

TEST(system_reports, no_def_no_query_and_no_terms_are_null_arguments) {
    collected_reports reports, others;
    ox_world *world = begin_systems(&others);
    ox_system *a = add_system(world, BRIEF("A"));
    collect_reports(&reports);
    EXPECT(ox_system_add(world, NULL) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_system_require(a, NULL));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(ox_system_query_at(a, NULL, OX_HERE) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_system_declare_at(a, NULL, OX_HERE));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_world_get_systems(world, NULL, 5), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    ox_system_register(NULL);
    finish_systems(world, &others);
}

TEST_CHECKED(system_reports, no_world_is_a_null_argument) {
    collected_reports reports;
    collect_reports(&reports);
    EXPECT(ox_system_add(NULL, BRIEF("A")) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_world_update(NULL, 1));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_world_add_systems(NULL), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_world_get_systems(NULL, NULL, 0), 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    ox_world_order_by_name(NULL, true);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
}

// Time.

TEST(system_reports, a_delta_that_is_no_time_is_reported_and_nothing_runs) {
    static const float deltas[] = {-1, -0.001f, (float)NAN, (float)INFINITY, -(float)INFINITY};
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF("A"));
    for (size_t k = 0; k < sizeof deltas / sizeof *deltas; k++) {
        EXPECT(!ox_world_update(world, deltas[k]));
        EXPECT_REPORT(&reports, OX_REPORT_BAD_TIME);
        EXPECT_HAS(reports.text, "for the delta of an update");
    }
    EXPECT_LOG("");
    EXPECT_EQ(ox_world_get_time(world).frame, 0);

    EXPECT(ox_world_update(world, 0));

    EXPECT_LOG("A");
    EXPECT(ox_world_get_time(world).elapsed == 0);
    finish_systems(world, &reports);
}

TEST(system_reports, a_step_that_is_no_time_is_reported_and_the_old_one_stays) {
    static const float steps[] = {-1, (float)NAN, (float)INFINITY};
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *g = add_system(world, IN_GROUP("G", .step = 0.125f));
    ox_system *a = add_system(world, BRIEF("A", .in = "G"));
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        EXPECT(!ox_group_set_step(g, steps[k], 0));
        EXPECT_REPORT(&reports, OX_REPORT_BAD_TIME);
    }
    EXPECT(!ox_group_set_step(g, 1, -1));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COUNT);
    EXPECT(!ox_group_set_step(a, 1, 1));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_SYSTEM);
    run_frame(world);
    EXPECT_LOG("A A");
    finish_systems(world, &reports);
}

// Worlds without systems.

TEST(system_reports, a_world_without_systems_warns_once) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    run_frame(world);
    EXPECT_REPORT(&reports, OX_REPORT_NO_SYSTEMS);
    EXPECT_HAS(reports.text, "world 'sea' has no system");
    run_frame(world);
    EXPECT_EQ(ox_world_get_time(world).frame, 2);
    finish_systems(world, &reports);
}

TEST(system_reports, a_world_whose_systems_have_gone_does_not_warn) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system *a = add_system(world, BRIEF("A"));
    run_frame(world);
    EXPECT(ox_system_remove(a));
    run_frame(world);
    finish_systems(world, &reports);
}

// Threads.

OX_JOB(UpdateInJob, { OX_NO_SAFETY ox_world *world; }) {
    EXPECT(!ox_world_update(job->world, 1));
    EXPECT(ox_system_add(job->world, BRIEF("B")) == NULL);
    EXPECT(!ox_system_remove(ox_system_find(job->world, "A")));
}

TEST_CHECKED(system_reports, a_job_cannot_use_the_systems_of_a_world) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF("A"));
    start_workers_of_test(0);

    ox_complete(ox_schedule(UpdateInJob, OX_NO_JOB, {world}));

    EXPECT_EQ(reports.count, 3);
    EXPECT_EQ(reports.last, OX_REPORT_WORLD_IN_JOB);
    EXPECT_LOG("");
    reports.count = 0;
    finish_systems(world, &reports);
}

// What jobs of systems share.

static ox_queue shared_queue;

OX_JOB(FillQueue, { ox_queue queue; }) {
    ox_queue_push(OX_AS(job->queue, int), 1);
}

OX_JOB(DrainQueue, { ox_queue queue; }) {
    ox_queue_clear(job->queue);
}

static ox_job fill_queue(ox_system *system, ox_job after) {
    (void)system;
    return ox_schedule(FillQueue, after, {shared_queue});
}

static ox_job drain_queue(ox_system *system, ox_job after) {
    (void)system;
    return ox_schedule(DrainQueue, after, {shared_queue});
}

static ox_job fill_and_drain(ox_system *system, ox_job after) {
    ox_job filled = fill_queue(system, after);
    EXPECT_EQ(drain_queue(system, after).value, 0);
    return filled;
}

static const char between_systems[] =
    "or complete it first; they are of two systems: let both declare a component that stands for "
    "the queue, or keep the handle in the state of the first\n";

TEST_CHECKED(system_reports, a_race_between_systems_says_how_systems_come_to_an_order) {
    collected_reports reports, of_jobs;
    start_workers_of_test(0);
    ox_world *world = begin_systems(&reports);
    collect_reports(&of_jobs);
    shared_queue = ox_queue_create_untyped(int, 0, OX_PERSISTENT);
    add_system(world, WITH_JOBS("A", fill_queue));
    add_system(world, WITH_JOBS("B", drain_queue, .after = {"A"}));

    run_frame(world);

    EXPECT_HAS(of_jobs.text, between_systems);
    EXPECT_REPORT(&of_jobs, OX_REPORT_TWO_JOBS_RACE);
    EXPECT_EQ(ox_schedule(DrainQueue, OX_NO_JOB, {shared_queue}).value, 0);
    EXPECT_HAS(of_jobs.text, "or complete it first\n");
    EXPECT_REPORT(&of_jobs, OX_REPORT_TWO_JOBS_RACE);
    ox_world_complete(world);
    ox_dispose(&shared_queue);
    finish_systems(world, &reports);
}

TEST_CHECKED(system_reports, a_race_inside_of_a_system_is_for_its_jobs) {
    collected_reports reports, of_jobs;
    start_workers_of_test(0);
    ox_world *world = begin_systems(&reports);
    collect_reports(&of_jobs);
    shared_queue = ox_queue_create_untyped(int, 0, OX_PERSISTENT);
    add_system(world, WITH_JOBS("A", fill_and_drain));

    run_frame(world);

    EXPECT_HAS(of_jobs.text, "or complete it first\n");
    EXPECT_REPORT(&of_jobs, OX_REPORT_TWO_JOBS_RACE);
    ox_world_complete(world);
    ox_dispose(&shared_queue);
    finish_systems(world, &reports);
}

static ox_job record_twice(ox_system *system, ox_job after) {
    ox_commands commands = ox_system_commands(system);
    ox_job first = ox_schedule(SpawnStep, after, {commands});
    EXPECT_EQ(ox_schedule(SpawnStep, after, {commands}).value, 0);
    ox_commands more = ox_system_commands(system); // as the report says
    return ox_combine(first, ox_schedule(SpawnStep, after, {more}));
}

TEST_CHECKED(system_reports, one_buffer_in_two_jobs_says_that_a_system_can_have_more) {
    collected_reports reports, of_jobs;
    ox_entity entity;
    ox_world *world = begin_barriers(&reports, &entity);
    collect_reports(&of_jobs);
    add_system(world, WITH_JOBS("A", record_twice));

    run_frame(world);

    EXPECT_HAS(of_jobs.text, "in a system with jobs, each call of ox_system_commands makes one");
    EXPECT_REPORT(&of_jobs, OX_REPORT_TWO_JOBS_RACE);
    EXPECT_EQ(count_steps(world), 2);
    finish_systems(world, &reports);
}

// Singletons.

static ox_job write_and_read_count(ox_system *system, ox_job after) {
    ox_job written = write_count(system, after);
    ox_job read = ox_schedule_entities(ReadStep, system, after, {0});
    return note_of(system)->returned = ox_combine(written, read);
}

static bool declare_step_and_count(ox_system *system) {
    return ox_system_declare(system, OX_WRITE(Step), OX_WRITE(Count));
}

typedef struct busy_case {
    ox_job_system_fn *update;
    ox_system_create_fn *create;
    const char *job;
} busy_case;

TEST_CHECKED(system_reports, a_busy_singleton_names_the_job_that_a_system_returned) {
    static const busy_case cases[] = {
        {write_count, NULL, "WriteCount"},
        {write_and_read_count, NULL, "WriteCount"},
        {write_step, declare_step_and_count, "WriteStep"}, // declared, and not used by the job
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (int workers = 0; workers < 2; workers++) {
            collected_reports reports;
            char text[80];
            start_workers_of_test(workers);
            ox_world *world = begin_systems(&reports);
            ox_entity_create(world, OX_VALUE(Count, {1}), OX_VALUE(Step, {1}));
            add_system(world, WITH_JOBS("A", cases[k].update, .create = cases[k].create));
            run_frame(world);
            for (int n = 0; workers > 0 && n < 10000 && !ox_job_is_complete(noted['A'].returned);
                 n++) {
                sleep_us(100);
            }

            EXPECT_EQ(ox_singleton_get(world, Count)->value, 0);

            snprintf(text, sizeof text, "while job '%s' is not complete", cases[k].job);
            EXPECT_HAS(reports.text, text);
            EXPECT_REPORT(&reports, OX_REPORT_SINGLETON_BUSY);
            ox_world_complete(world); // as the report says
            EXPECT(ox_singleton_get(world, Count)->value != 0);
            finish_systems(world, &reports);
        }
    }
}

// Transactions.

static ox_transaction begun_in_update;

static void lend_world(ox_system *system) {
    begun_in_update = ox_transaction_begin(system->world);
}

TEST(system_reports, a_world_is_not_lent_in_its_own_update) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    ox_system_add(world, &(ox_system_def){.name = "Lender", .update = lend_world});
    begun_in_update = (ox_transaction){.number = 77};

    run_frame(world);

    EXPECT_REPORT(&reports, OX_REPORT_WORLD_UPDATING);
    EXPECT_EQ(begun_in_update.number, 0);
    finish_systems(world, &reports);
}

TEST_CHECKED(system_reports, a_world_that_is_lent_is_not_updated) {
    collected_reports reports;
    ox_world *world = begin_systems(&reports);
    add_system(world, BRIEF("A"));
    ox_transaction lent = ox_transaction_begin(world);

    EXPECT(!ox_world_update(world, 1));

    EXPECT_REPORT(&reports, OX_REPORT_WORLD_LENT);
    EXPECT_LOG("");
    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));
    finish_systems(world, &reports);
}
