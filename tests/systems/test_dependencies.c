// SPDX-License-Identifier: MIT
//
// What the jobs of a system wait for, and who waits for them: handles by declared accesses.

#include "dependencies_test.h"

#include "base/check.h"
#include "entities/scope.h"

// What a system is given.

TEST(dependencies, a_reader_is_given_the_handle_of_the_writer) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WRITES_COUNT("A"));
    add_system(world, READS_COUNT("B"));

    run_frame(world);

    EXPECT(is_same_job(noted['A'].after, OX_NO_JOB));
    EXPECT(is_same_job(noted['B'].after, noted['A'].returned));
    EXPECT(!ox_job_is_complete(noted['A'].returned));
    finish_systems(world, &reports);
}

TEST(dependencies, readers_do_not_wait_for_readers) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, READS_COUNT("A"));
    add_system(world, READS_COUNT("B"));

    run_frame(world);

    EXPECT(is_same_job(noted['B'].after, OX_NO_JOB));
    EXPECT(!ox_job_is_complete(noted['A'].returned));
    finish_systems(world, &reports);
}

TEST(dependencies, a_writer_waits_for_the_writer_and_all_readers_since) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WRITES_COUNT("A"));
    add_system(world, READS_COUNT("B"));
    add_system(world, READS_COUNT("C"));
    add_system(world, WRITES_COUNT("D"));
    run_frame(world);
    EXPECT(is_same_job(noted['C'].after, noted['A'].returned));

    ox_complete(noted['D'].after);

    EXPECT(ox_job_is_complete(noted['A'].returned));
    EXPECT(ox_job_is_complete(noted['B'].returned));
    EXPECT(ox_job_is_complete(noted['C'].returned));
    EXPECT(!ox_job_is_complete(noted['D'].returned));
    finish_systems(world, &reports);
}

TEST(dependencies, systems_with_other_components_have_nothing_to_do_with_each_other) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WRITES_COUNT("A"));
    add_system(world, WRITES_STEP("B"));
    add_system(world, WITH_JOBS("C", read_extra, .jobs = OX_JOBS(ReadExtra)));
    run_frame(world);
    EXPECT(is_same_job(noted['B'].after, OX_NO_JOB));
    EXPECT(is_same_job(noted['C'].after, OX_NO_JOB));
    finish_systems(world, &reports);
}

// The example of the seeds: E conflicts with A and with D.
TEST(dependencies, of_five_systems_the_last_waits_for_just_those_it_conflicts_with) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WRITES_COUNT("A"));
    add_system(world, WITH_JOBS("B", write_extra, .jobs = OX_JOBS(WriteExtra)));
    add_system(world, WITH_JOBS("C", read_extra, .jobs = OX_JOBS(ReadExtra)));
    add_system(world, WRITES_STEP("D"));
    add_system(world, WITH_JOBS("E", count_from_step, .jobs = OX_JOBS(CountFromStep)));
    run_frame(world);

    ox_complete(noted['E'].after);

    EXPECT(ox_job_is_complete(noted['A'].returned));
    EXPECT(!ox_job_is_complete(noted['B'].returned));
    EXPECT(!ox_job_is_complete(noted['C'].returned));
    EXPECT(ox_job_is_complete(noted['D'].returned));
    EXPECT(!ox_job_is_complete(noted['E'].returned));
    finish_systems(world, &reports);
}

TEST(dependencies, more_readers_than_the_table_keeps_apart_are_all_waited_for) {
    enum { READERS = 40 };
    static char names[READERS][4];
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WRITES_COUNT("Z", .after = {"Readers"}));
    add_system(world, IN_GROUP("Readers"));
    ox_job readers[READERS];
    for (int k = 0; k < READERS; k++) {
        snprintf(names[k], sizeof names[k], "%c", 'a' + k % 26 - k / 26 * 32);
        add_system(world, READS_COUNT(names[k], .in = "Readers"));
    }
    run_frame(world);

    ox_complete(noted['Z'].after);

    for (int k = 0; k < READERS; k++) {
        readers[k] = noted[names[k][0] & 127].returned;
        EXPECT(readers[k].value != 0 && ox_job_is_complete(readers[k]));
    }
    EXPECT(!ox_job_is_complete(noted['Z'].returned));
    finish_systems(world, &reports);
}

// How accesses are declared.

static bool look_up_extra(ox_system *system) {
    return ox_system_lookup(system, OX_READ(Extra)).world != NULL;
}

static bool declare_extra(ox_system *system) {
    return ox_system_declare(system, OX_READ(Extra), OX_WITH(Red));
}

static bool query_extra(ox_system *system) {
    return ox_system_query(system, OX_READ(Extra), OX_NONE(Count)) != NULL;
}

static bool query_without_values(ox_system *system) {
    return ox_system_query(system, OX_WITH(Extra), OX_NONE(Count), OX_ANY(Step, Red)) != NULL;
}

TEST(dependencies, lookups_queries_and_declarations_count) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WITH_JOBS("A", write_extra, .jobs = OX_JOBS(WriteExtra)));
    add_system(world, WITH_JOBS("B", return_none, .create = look_up_extra));
    add_system(world, WITH_JOBS("C", return_none, .create = declare_extra));
    add_system(world, WITH_JOBS("D", return_none, .create = query_extra));
    add_system(world, WITH_JOBS("E", return_none, .create = query_without_values));

    run_frame(world);

    EXPECT(is_same_job(noted['B'].after, noted['A'].returned));
    EXPECT(is_same_job(noted['C'].after, noted['A'].returned));
    EXPECT(is_same_job(noted['D'].after, noted['A'].returned));
    EXPECT(is_same_job(noted['E'].after, OX_NO_JOB));
    finish_systems(world, &reports);
}

TEST(dependencies, the_same_terms_are_the_same_query_of_a_system) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    ox_system *a = add_system(world, BRIEF("A")), *b = add_system(world, BRIEF("B"));

    ox_query *query = ox_system_query(a, OX_READ(Count), OX_NONE(Red));

    EXPECT(ox_system_query(a, OX_NONE(Red), OX_READ(Count)) == query);
    EXPECT(ox_system_query(a, OX_READ(Count)) != query);
    EXPECT(ox_system_query(a, OX_WRITE(Count), OX_NONE(Red)) != query);
    EXPECT(ox_system_query(b, OX_READ(Count), OX_NONE(Red)) != query);
    finish_systems(world, &reports);
}

// Two queries with the same terms and other filters: one is the system's, the other the world's.
OX_SHARED(Side, { int number; });

typedef struct two_queries {
    ox_query *first, *second;
} two_queries;

static bool create_two(ox_system *system) {
    two_queries *two = ox_system_state(system, two_queries);
    two->first = ox_system_query(system, OX_READ(Count), OX_WITH(Side));
    two->second = ox_query_create(system->world, OX_READ(Count), OX_WITH(Side));
    return ox_system_declare(system, OX_READ(Count)) &&
           ox_query_filter_shared(two->first, Side, {1}) &&
           ox_query_filter_changed(two->first, Count, 0) &&
           ox_query_filter_shared(two->second, Side, {2});
}

static void destroy_two(ox_system *system) {
    ox_query_destroy(ox_system_state(system, two_queries)->second);
}

static void log_two(ox_system *system) {
    const two_queries *two = ox_system_state(system, two_queries);
    EXPECT(ox_query_filter_changed(two->second, Count, ox_system_get_info(system).version));
    char text[32];
    snprintf(text, sizeof text, "%d+%d", (int)ox_query_count(two->first),
             (int)ox_query_count(two->second));
    log_text(text, "");
}

TEST(dependencies, a_query_of_the_world_has_the_same_terms_and_other_filters) {
    collected_reports reports;
    ox_entity entity, sides[3];
    ox_world *world = begin_dependencies(&reports, &entity);
    for (int k = 0; k < 3; k++) {
        sides[k] = ox_entity_create(world, OX_VALUE(Count, {1}), OX_VALUE(Side, {1 + k % 2}));
    }
    add_system(world, WRITES_COUNT("A"));
    add_system(world, ON_MAIN("T", log_two, .create = create_two, .destroy = destroy_two,
                              .state = sizeof(two_queries), .after = {"A"}));

    run_frame(world);
    EXPECT_LOG("2+1");
    EXPECT(ox_job_is_complete(noted['A'].returned)); // what it declares is waited for
    ox_system_set_enabled(ox_system_find(world, "A"), false);
    run_frame(world);
    EXPECT_LOG("0+0");
    ox_edit(world, sides[1], Count)->value++;
    run_frame(world);
    EXPECT_LOG("0+1");
    ox_edit(world, sides[0], Count)->value++;
    run_frame(world);
    EXPECT_LOG("2+0"); // both are in one chunk
    finish_systems(world, &reports);
}

// What changed.

OX_COMPONENT(Seen, { uint32_t times; });
OX_ENTITY_JOB(SeeChanged, (OX_WRITE(Seen, seen), OX_CHANGED(Count, is_changed)), { int unused; }) {
    seen->times += is_changed;
}

static ox_job see_changed(ox_system *system, ox_job after) {
    return ox_schedule_entities(SeeChanged, system, after, {0});
}

TEST(dependencies, a_job_is_told_what_changed_since_its_system_ran_last) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    ox_entity watched = ox_entity_create(world, OX_VALUE(Count, {1}), OX_VALUE(Seen, {0}));
    add_system(world, WRITES_COUNT("A"));
    add_system(world, WITH_JOBS("S", see_changed, .jobs = OX_JOBS(SeeChanged), .after = {"A"}));

    run_frame(world); // it is new
    run_frame(world); // written by A
    EXPECT_EQ(ox_get(world, watched, Seen)->times, 2);
    ox_system_set_enabled(ox_system_find(world, "A"), false);
    run_frame(world);
    EXPECT_EQ(ox_get(world, watched, Seen)->times, 2);
    ox_edit(world, watched, Count)->value++; // between updates
    run_frame(world);
    EXPECT_EQ(ox_get(world, watched, Seen)->times, 3);
    ox_system_set_enabled(ox_system_find(world, "S"), false);
    ox_edit(world, watched, Count)->value++;
    run_frame(world);
    ox_system_set_enabled(ox_system_find(world, "S"), true);
    run_frame(world);
    EXPECT_EQ(ox_get(world, watched, Seen)->times, 4);
    finish_systems(world, &reports);
}

// What a system returns.

TEST(dependencies, returning_what_it_was_given_is_harmless) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WRITES_COUNT("A"));
    add_system(world, WITH_JOBS("B", return_input, .jobs = OX_JOBS(WriteCount)));
    add_system(world, WITH_JOBS("C", return_input, .jobs = OX_JOBS(ReadCount)));
    add_system(world, WRITES_COUNT("D"));
    run_frame(world);
    EXPECT(is_same_job(noted['D'].after, noted['A'].returned));
    finish_systems(world, &reports);
}

TEST(dependencies, returning_no_handle_is_harmless) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WRITES_COUNT("A"));
    add_system(world, WITH_JOBS("B", return_none, .jobs = OX_JOBS(WriteCount)));
    add_system(world, WRITES_COUNT("C"));
    run_frame(world);
    EXPECT(is_same_job(noted['B'].after, noted['A'].returned));
    EXPECT(is_same_job(noted['C'].after, noted['A'].returned));
    finish_systems(world, &reports);
}

static ox_job returned_garbage;

static ox_job return_garbage(ox_system *system, ox_job after) {
    note_of(system)->returned = ox_schedule_entities(WriteCount, system, after, {1});
    return returned_garbage;
}

TEST(dependencies, a_handle_that_is_no_job_is_reported) {
    const ox_job garbage[] = {OX_AUTO, {12345}, {UINT64_MAX - 1}, {UINT64_C(1) << 40}};
    for (int k = 0; k < 4; k++) {
        collected_reports reports;
        ox_entity entity;
        ox_world *world = begin_dependencies(&reports, &entity);
        returned_garbage = garbage[k];
        add_system(world, WITH_JOBS("A", return_garbage, .jobs = OX_JOBS(WriteCount)));

        run_frame(world);

        EXPECT_REPORT(&reports, OX_REPORT_WRONG_HANDLE);
        EXPECT_HAS(reports.text, "system 'A'");
        EXPECT_HAS(reports.text, "it is no job of this run");
        EXPECT_EQ(ox_get(world, entity, Count)->value, 4); // the job counts all the same
        finish_systems(world, &reports);
    }
}

OX_JOB(LaterJob, { int unused; }) {
}

// What is refused is forgotten: it may become the handle of a job that has nothing to do with it.
TEST(dependencies, a_refused_handle_is_not_waited_for_when_a_job_gets_it) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WITH_JOBS("A", return_garbage, .jobs = OX_JOBS(WriteCount)));
    ox_job first = ox_schedule(LaterJob, OX_NO_JOB, {0});
    ox_complete(first);
    ox_job second = ox_schedule(LaterJob, OX_NO_JOB, {0});
    ox_complete(second);
    // A frame takes one handle, for WriteCount.
    returned_garbage = (ox_job){second.value + 2 * (second.value - first.value)};
    run_frame(world);
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_HANDLE);
    ox_world_complete(world);
    ox_job later = ox_schedule(LaterJob, OX_NO_JOB, {0});
    EXPECT(is_same_job(later, returned_garbage));

    returned_garbage = OX_NO_JOB;
    run_frame(world);

    EXPECT(!ox_job_is_complete(later));
    ox_complete(later);
    reports.count = 0; // OX_NO_JOB does not cover WriteCount
    finish_systems(world, &reports);
}

static ox_job return_only(ox_system *system, ox_job after) {
    (void)system, (void)after;
    return returned_garbage;
}

TEST(dependencies, a_handle_that_is_complete_already_is_fine) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    returned_garbage = ox_schedule_entities(ReadStep, ox_world_get_root(world), OX_NO_JOB, {0});
    ox_complete(returned_garbage);
    add_system(world, WITH_JOBS("A", return_only, .jobs = OX_JOBS(WriteCount)));
    add_system(world, READS_COUNT("B"));
    run_frame(world);
    EXPECT(is_same_job(noted['B'].after, OX_NO_JOB));
    finish_systems(world, &reports);
}

TEST_CHECKED(dependencies, a_handle_that_covers_not_all_jobs_is_reported_with_the_job) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    returned_garbage = OX_NO_JOB;
    add_system(world, WITH_JOBS("A", return_garbage, .jobs = OX_JOBS(WriteCount)));

    run_frame(world);

    EXPECT_REPORT(&reports, OX_REPORT_WRONG_HANDLE);
    EXPECT_HAS(reports.text, "system 'A'");
    EXPECT_HAS(reports.text,
               "it does not cover job 'WriteCount' (tests/systems/test_dependencies.c");
    EXPECT_EQ(ox_get(world, entity, Count)->value, 4); // it stands in the exact table
    finish_systems(world, &reports);
}

static ox_job return_auto(ox_system *system, ox_job after) {
    (void)after;
    note_of(system)->returned = ox_schedule_entities(WriteCount, system, OX_AUTO, {1});
    return OX_NO_JOB;
}

TEST(dependencies, jobs_with_auto_need_not_be_covered) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WITH_JOBS("A", return_auto, .jobs = OX_JOBS(WriteCount)));
    add_system(world, READS_COUNT("B"));
    run_frame(world);
    EXPECT(is_same_job(noted['B'].after, noted['A'].returned));
    finish_systems(world, &reports);
}

// One update and the next.

static ox_job previous[4];
static int previous_count, complete_count;

// Schedules two jobs: one is returned, one waits for what it needs by itself.
static ox_job schedule_two(ox_system *system, ox_job after) {
    complete_count = 0;
    for (int k = 0; k < previous_count; k++) {
        complete_count += ox_job_is_complete(previous[k]);
    }
    previous[0] = ox_schedule_entities(WriteCount, system, after, {1});
    previous[1] = ox_schedule_entities(WriteStep, system, OX_AUTO, {1});
    previous_count = 2;
    return previous[0];
}

TEST(dependencies, all_jobs_of_the_update_before_are_complete) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    previous_count = 0;
    add_system(world, WITH_JOBS("A", schedule_two, .jobs = OX_JOBS(WriteCount)));
    for (int k = 0; k < 3; k++) {
        run_frame(world);
        EXPECT_EQ(complete_count, k == 0 ? 0 : 2);
        EXPECT(!ox_job_is_complete(previous[0]) && !ox_job_is_complete(previous[1]));
    }
    finish_systems(world, &reports);
}

static void schedule_on_main(ox_system *system) {
    schedule_two(system, OX_AUTO);
}

TEST(dependencies, jobs_of_a_system_on_main_are_complete_at_its_next_update) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    previous_count = 0;
    add_system(world, ON_MAIN("A", schedule_on_main));
    add_system(world, READS_COUNT("B", .after = {"A"}));
    run_frame(world);
    EXPECT(is_same_job(noted['B'].after, previous[0]));
    EXPECT(!ox_job_is_complete(previous[0]));
    run_frame(world);
    EXPECT_EQ(complete_count, 2);
    finish_systems(world, &reports);
}

TEST(dependencies, a_system_that_never_updates_forgets_jobs_that_others_completed) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    ox_system *system = add_system(world, READS_COUNT("A", .starts_off = true));
    ox_job kept = ox_schedule_entities(ReadStep, system, OX_NO_JOB, {0});
    for (int k = 0; k < 1000; k++) {
        ox_complete(ox_schedule_entities(ReadCount, system, OX_NO_JOB, {0}));
        EXPECT(oxi_scope_of(system)->jobs.count <= 64);
    }
    EXPECT(!ox_job_is_complete(kept));

    EXPECT(ox_system_remove(system));

    EXPECT(ox_job_is_complete(kept)); // it was not forgotten
    finish_systems(world, &reports);
}

TEST(dependencies, a_system_that_is_skipped_keeps_its_handle) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    ox_system *a = add_system(world, WRITES_COUNT("A"));
    add_system(world, READS_STEP("B"));
    run_frame(world);
    ox_job written = noted['A'].returned;
    ox_system_set_enabled(a, false);
    add_system(world, READS_COUNT("C"));

    run_frame(world);

    EXPECT(!ox_job_is_complete(written));
    EXPECT(is_same_job(noted['C'].after, written));
    finish_systems(world, &reports);
}

static void expect_complete(ox_system *system) {
    EXPECT(ox_job_is_complete(note_of(system)->returned));
    log_call(system, "destroy");
}

TEST(dependencies, jobs_of_a_system_are_complete_when_it_is_destroyed) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    ox_system *a = add_system(world, WRITES_COUNT("A", .destroy = expect_complete));
    add_system(world, WRITES_STEP("B"));
    run_frame(world);

    EXPECT(ox_system_remove(a));

    EXPECT_LOG("A.destroy");
    EXPECT(ox_job_is_complete(noted['A'].returned) && !ox_job_is_complete(noted['B'].returned));
    finish_systems(world, &reports);
    EXPECT(ox_job_is_complete(noted['B'].returned));
}

// Jobs without accesses.

OX_JOB(PlainJob, { OX_NO_SAFETY uint32_t *runs; }) {
    ++*job->runs;
}

static uint32_t plain_runs;

static ox_job schedule_plain(ox_system *system, ox_job after) {
    note_of(system)->after = after;
    note_of(system)->returned = ox_schedule(PlainJob, after, {&plain_runs});
    return note_of(system)->returned;
}

TEST(dependencies, a_handle_of_a_system_without_accesses_is_one_of_the_world) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WITH_JOBS("A", schedule_plain));
    add_system(world, WRITES_COUNT("B"));
    run_frame(world);
    EXPECT(is_same_job(noted['A'].after, OX_NO_JOB) && is_same_job(noted['B'].after, OX_NO_JOB));
    EXPECT_EQ(ox_get(world, entity, Step)->value, 2);
    ox_edit(world, entity, Count)->value = 5;
    EXPECT(!ox_job_is_complete(noted['A'].returned));

    ox_entity_create(world);

    EXPECT(ox_job_is_complete(noted['A'].returned));
    finish_systems(world, &reports);
}

TEST(dependencies, a_handle_stands_for_all_that_its_system_declares) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WITH_JOBS("A", schedule_plain, .jobs = OX_JOBS(WriteCount, ReadStep)));
    run_frame(world);
    EXPECT_EQ(ox_get(world, entity, Step)->value, 2);
    EXPECT(!ox_job_is_complete(noted['A'].returned));

    EXPECT_EQ(ox_get(world, entity, Count)->value, 1);
    EXPECT(ox_job_is_complete(noted['A'].returned));
    run_frame(world);
    ox_edit(world, entity, Step)->value = 7;
    EXPECT(ox_job_is_complete(noted['A'].returned));
    finish_systems(world, &reports);
}

// Worlds.

TEST(dependencies, a_change_of_one_world_leaves_jobs_of_another_alone) {
    collected_reports reports, others;
    ox_entity entity, elsewhere;
    ox_world *world = begin_dependencies(&reports, &entity);
    ox_world *other = begin_dependencies(&others, &elsewhere);
    add_system(world, WRITES_COUNT("A"));
    add_system(other, WRITES_COUNT("B"));
    run_frame(world);
    run_frame(other);
    EXPECT(is_same_job(noted['B'].after, OX_NO_JOB));

    ox_entity_create(world);
    EXPECT(ox_job_is_complete(noted['A'].returned) && !ox_job_is_complete(noted['B'].returned));
    run_frame(world);
    ox_world_destroy(other);

    EXPECT(ox_job_is_complete(noted['B'].returned) && !ox_job_is_complete(noted['A'].returned));
    finish_systems(world, &reports);
}

// What goes wrong.

static ox_job ignore_input(ox_system *system, ox_job after) {
    (void)after;
    return ox_schedule_entities(WriteCount, system, OX_NO_JOB, {5});
}

TEST_CHECKED(dependencies, a_job_that_does_not_wait_for_its_input_is_refused) {
    collected_reports reports, of_jobs;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    collect_reports(&of_jobs);
    add_system(world, WRITES_COUNT("A"));
    add_system(world, WITH_JOBS("B", ignore_input, .jobs = OX_JOBS(WriteCount)));
    add_system(world, READS_COUNT("C"));

    run_frame(world);

    EXPECT_REPORT(&of_jobs, OX_REPORT_TWO_JOBS_RACE);
    EXPECT(is_same_job(noted['C'].after, noted['A'].returned));
    EXPECT_EQ(ox_get(world, entity, Count)->value, 4);
    finish_systems(world, &reports);
}

// A job that got hold of a component by ways that no fence knows.
typedef struct Sneaks {
    ox_access access;
} Sneaks;

static void sneak(void *job) {
    (void)job;
}

static const ox_job_field sneaks_accesses[] = {{"access", offsetof(Sneaks, access), 0}};
static ox_job_type sneaks_type = {
    .type = {.name = "Sneaks", .size = sizeof(Sneaks), .align = _Alignof(Sneaks)},
    .run = sneak,
    .accesses = sneaks_accesses,
    .access_count = 1};

TEST_CHECKED(dependencies, a_job_that_nobody_answers_for_is_reported_and_the_system_does_not_run) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    ox_system *a = add_system(world, BRIEF("A"));
    EXPECT(ox_system_declare(a, OX_READ(Count)));
    ox_system *b = add_system(world, READS_COUNT("B"));
    run_frame(world); // a fence comes with the first job
    EXPECT_LOG("A");
    ox_complete(noted['B'].returned);
    noted['B'] = (noted_update){0};
    Sneaks sneaks = {oxi_fence_find(world, ox_component_id_of(Count))->access};
    ox_job sneaked = ox_schedule_at(&sneaks_type, OX_NO_JOB, &sneaks, OX_HERE);
    EXPECT(sneaked.value != 0);

    EXPECT(ox_world_update(world, 1));

    EXPECT_EQ(reports.count, 2);
    EXPECT_EQ(reports.last, OX_REPORT_UNREGISTERED_JOB);
    EXPECT_LOG("");
    EXPECT(is_same_job(noted['B'].returned, OX_NO_JOB));
    EXPECT(ox_system_get_info(a).run_count == 1 && ox_system_get_info(b).run_count == 1);
    reports.count = 0;
    ox_complete(sneaked);
    run_frame(world);
    EXPECT_LOG("A");
    finish_systems(world, &reports);
}

static ox_job lone_job;

static ox_job schedule_lone_job(ox_system *system, ox_job after) {
    (void)after;
    EXPECT(ox_job_is_complete(lone_job));
    lone_job = ox_schedule_entities(WriteCount, system, OX_AUTO, {1});
    return OX_NO_JOB;
}

TEST(dependencies, the_one_job_of_a_system_is_complete_when_its_next_update_begins) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    lone_job = OX_NO_JOB;
    add_system(world, WITH_JOBS("A", schedule_lone_job, .jobs = OX_JOBS(WriteCount)));
    run_frame(world);
    EXPECT(!ox_job_is_complete(lone_job));

    run_frame(world);

    EXPECT(!ox_job_is_complete(lone_job));
    finish_systems(world, &reports);
}

// Stands for a system that ran out of memory, and of room for jobs.
static ox_job lose_handle(ox_system *system, ox_job after) {
    lone_job = ox_schedule_entities(WriteCount, system, after, {1});
    OXI_REPORT(NULL, OX_REPORT_OUT_OF_MEMORY, OX_HERE, OXI_NUMBER("bytes", 1),
               OXI_NAME("allocator", "a test"));
    OXI_REPORT(NULL, OX_REPORT_TOO_MANY_JOBS, OX_HERE, OXI_NAME("job", "Lost"),
               OXI_NUMBER("count", 1));
    return OX_NO_JOB;
}

TEST_CHECKED(dependencies, a_handle_that_is_lost_to_several_failures_is_nobodys_mistake) {
    collected_reports reports, failures;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WITH_JOBS("A", lose_handle, .jobs = OX_JOBS(WriteCount)));
    collect_reports(&failures);

    run_frame(world);

    EXPECT_EQ(failures.count, 2);
    EXPECT_EQ(reports.count, 0);
    ox_complete(lone_job);
    finish_systems(world, &reports);
}
