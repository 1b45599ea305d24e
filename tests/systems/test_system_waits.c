// SPDX-License-Identifier: MIT
//
// Where updates wait: systems on main before theirs, calls in an update, accesses that are learned
// late, OX_AUTO; and what changed filters see.

#include "dependencies_test.h"

#include "entities/scope.h"
#include "oxbow/syncs.h"

// Systems on main.

static bool completed[128]; // jobs of systems, by first letter, in the update of one on main

static void look_at_jobs(ox_system *system) {
    for (int k = 0; k < 128; k++) {
        completed[k] = noted[k].returned.value != 0 && ox_job_is_complete(noted[k].returned);
    }
    log_call(system, "");
}

static bool declare_read(ox_system *system) {
    return ox_system_declare(system, OX_READ(Count));
}

static bool declare_write(ox_system *system) {
    return ox_system_declare(system, OX_WRITE(Count));
}

static ox_world *begin_looking(collected_reports *reports, ox_system_create_fn *create) {
    ox_entity entity;
    ox_world *world = begin_dependencies(reports, &entity);
    add_system(world, WRITES_COUNT("A"));
    add_system(world, READS_COUNT("B"));
    add_system(world, WRITES_STEP("C"));
    add_system(world, ON_MAIN("M", look_at_jobs, .create = create));
    return world;
}

TEST(system_waits, before_a_reader_on_main_writers_are_completed_and_no_others) {
    collected_reports reports;
    ox_world *world = begin_looking(&reports, declare_read);
    run_frame(world);
    EXPECT(completed['A'] && !completed['B'] && !completed['C']);
    finish_systems(world, &reports);
}

TEST(system_waits, before_a_writer_on_main_readers_are_completed_too) {
    collected_reports reports;
    ox_world *world = begin_looking(&reports, declare_write);
    run_frame(world);
    EXPECT(completed['A'] && completed['B'] && !completed['C']);
    finish_systems(world, &reports);
}

TEST(system_waits, before_one_on_main_that_declares_nothing_nobody_is_waited_for) {
    collected_reports reports;
    ox_world *world = begin_looking(&reports, NULL);
    run_frame(world);
    EXPECT(!completed['A'] && !completed['B'] && !completed['C']);
    finish_systems(world, &reports);
}

TEST(system_waits, waits_before_an_update_are_planned_and_name_the_system) {
    collected_reports reports;
    ox_world *world = begin_looking(&reports, declare_read);
    ox_world_record_syncs(world, true);
    run_frame(world);
    ox_sync sync = {0};
    EXPECT_EQ(ox_world_get_syncs(world, &sync, 1), 1);
    EXPECT_EQ(sync.kind, OX_SYNC_READ);
    EXPECT_EQ(sync.component, ox_component_id_of(Count));
    EXPECT_STR(sync.system, "M");
    EXPECT_STR(sync.jobs[0], "WriteCount");
    EXPECT(sync.is_planned);
    finish_systems(world, &reports);
}

TEST(system_waits, waits_for_own_jobs_are_planned_and_of_their_own_kind) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WRITES_COUNT("A"));
    run_frame(world);
    ox_world_record_syncs(world, true);
    run_frame(world);
    ox_sync sync = {0};
    EXPECT_EQ(ox_world_get_syncs(world, &sync, 1), 1);
    EXPECT_EQ(sync.kind, OX_SYNC_OWN);
    EXPECT_STR(sync.system, "A");
    EXPECT_STR(sync.jobs[0], "WriteCount");
    EXPECT(sync.is_planned);
    finish_systems(world, &reports);
}

static ox_entity edited;

static void edit_count(ox_system *system) {
    ox_edit(system->world, edited, Count)->value = 9;
}

TEST(system_waits, in_strict_worlds_a_wait_in_an_update_is_reported) {
    collected_reports reports;
    ox_world *world = begin_dependencies(&reports, &edited);
    add_system(world, READS_COUNT("A"));
    ox_system *m = add_system(world, ON_MAIN("M", edit_count));
    world->is_strict = true;

    run_frame(world);

    EXPECT_REPORT(&reports, OX_REPORT_UNPLANNED_SYNC);
    EXPECT_HAS(reports.text, "system 'M' writes 'Count', and job 'ReadCount' conflicts with it");
    EXPECT(ox_system_declare(m, OX_WRITE(Count)));
    run_frame(world); // it is planned now
    finish_systems(world, &reports);
}

// Two workers: a job that main holds back.

static oxi_atomic_u32 held_entered, held_released;

OX_ENTITY_JOB(HoldStep, (OX_WRITE(Step, step)), { int unused; }) {
    atomic_fetch_add(&held_entered, 1);
    for (int k = 0; k < WATCHDOG_SECONDS * 10000 && atomic_load(&held_released) == 0; k++) {
        sleep_us(100);
    }
    step->value = 77;
}

SCHEDULES(hold_step, HoldStep, 0)

static void release_held(ox_system *system) {
    wait_for_value(&held_entered, 1, "a job that holds a component");
    EXPECT(!ox_job_is_complete(noted['H'].returned));
    EXPECT(ox_job_is_complete(noted['A'].returned));
    atomic_store(&held_released, 1);
    log_call(system, "");
}

TEST(system_waits, a_job_that_runs_does_not_hold_up_what_has_nothing_to_do_with_it) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    start_workers_of_test(2);
    atomic_store(&held_entered, 0);
    atomic_store(&held_released, 0);
    add_system(world, WRITES_COUNT("A"));
    add_system(world, WITH_JOBS("H", hold_step, .jobs = OX_JOBS(HoldStep)));
    add_system(world, ON_MAIN("M", release_held, .create = declare_write));

    run_frame(world);

    EXPECT_LOG("M");
    EXPECT_EQ(ox_get(world, entity, Step)->value, 77);
    finish_systems(world, &reports);
}

OX_ENTITY_JOB(MeetCount, (OX_READ(Count, count)), { uint32_t others; }) {
    meet(job->others);
}

SCHEDULES(meet_count, MeetCount, 2)

TEST(system_waits, jobs_of_two_readers_run_at_once_without_a_kick) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    start_workers_of_test(2);
    atomic_store(&arrived, 0);
    atomic_store(&gave_up, 0);
    add_system(world, WITH_JOBS("A", meet_count, .jobs = OX_JOBS(MeetCount)));
    add_system(world, WITH_JOBS("B", meet_count, .jobs = OX_JOBS(MeetCount)));
    run_frame(world);
    wait_for_value(&arrived, 2, "two jobs that meet");
    ox_world_hash(world);
    EXPECT_EQ(atomic_load(&gave_up), 0);
    finish_systems(world, &reports);
}

// OX_AUTO.

// Declares that it writes Step too, and does not.
static bool declare_step(ox_system *system) {
    return ox_system_declare(system, OX_WRITE(Step));
}

static ox_job auto_job;

static ox_job read_step_auto(ox_system *system, ox_job after) {
    note_of(system)->after = after;
    auto_job = ox_schedule_entities(ReadStep, system, OX_AUTO, {0});
    return auto_job;
}

TEST(system_waits, a_job_with_ox_auto_waits_for_what_jobs_do_and_not_for_what_systems_declare) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WRITES_COUNT("A", .create = declare_step));
    add_system(world, WITH_JOBS("B", read_step_auto, .jobs = OX_JOBS(ReadStep)));
    add_system(world, READS_STEP("C"));
    run_frame(world);
    EXPECT(is_same_job(noted['B'].after, noted['A'].returned));
    EXPECT(is_same_job(noted['C'].after, noted['A'].returned));

    ox_complete(auto_job);
    EXPECT(!ox_job_is_complete(noted['A'].returned));
    ox_complete(noted['C'].returned);

    EXPECT(ox_job_is_complete(noted['A'].returned));
    finish_systems(world, &reports);
}

static ox_job write_step_auto(ox_system *system, ox_job after) {
    note_of(system)->after = after;
    note_of(system)->returned = ox_schedule_entities(WriteStep, system, OX_AUTO, {1});
    return note_of(system)->returned;
}

// B's handle does not wait for A's; whoever comes after B still has to.
TEST(system_waits, behind_a_handle_of_ox_auto_what_was_declared_before_still_counts) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WRITES_COUNT("A", .create = declare_step));
    add_system(world, WITH_JOBS("B", write_step_auto, .jobs = OX_JOBS(WriteStep)));
    add_system(world, READS_STEP("C"));
    run_frame(world);
    EXPECT(!is_same_job(noted['C'].after, noted['B'].returned));

    ox_complete(noted['C'].after);

    EXPECT(ox_job_is_complete(noted['A'].returned) && ox_job_is_complete(noted['B'].returned));
    finish_systems(world, &reports);
}

TEST(system_waits, jobs_with_ox_auto_need_not_be_returned) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WITH_JOBS("B", write_step_auto, .jobs = OX_JOBS(WriteStep)));
    add_system(world, READS_STEP("C"));
    run_frame(world);
    EXPECT(is_same_job(noted['C'].after, noted['B'].returned));
    EXPECT_EQ(ox_get(world, entity, Step)->value, 7);
    finish_systems(world, &reports);
}

// Accesses that an update learns of.

static bool writer_was_complete;

static ox_job read_count_late(ox_system *system, ox_job after) {
    ox_job job = read_count(system, after);
    writer_was_complete = ox_job_is_complete(noted['A'].returned);
    return job;
}

TEST(system_waits, what_was_not_declared_is_waited_for_once_and_declared_from_then_on) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WRITES_COUNT("A"));
    ox_system *b = add_system(world, WITH_JOBS("B", read_count_late));
    EXPECT(oxi_scope_of(b)->learned_at == NULL);
    run_frame(world);
    EXPECT(is_same_job(noted['B'].after, OX_NO_JOB));
    EXPECT(writer_was_complete);
    EXPECT_HAS(oxi_scope_of(b)->learned_at, "dependencies_test.h:");
    EXPECT_EQ(oxi_scope_of(b)->learned, ox_component_id_of(Count));
    EXPECT_EQ(ox_system_get_info(b).reads_count, 1);

    run_frame(world);

    EXPECT(is_same_job(noted['B'].after, noted['A'].returned));
    EXPECT(!writer_was_complete);
    finish_systems(world, &reports);
}

static void log_and_query_late(ox_system *system) {
    log_update(system);
    EXPECT(ox_system_query(system, OX_READ(Count)) != NULL);
}

// What B reads a job of A writes: had it said so, C would come first.
TEST(system_waits, what_was_learned_moves_no_system_until_others_come_or_go) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WRITES_COUNT("A"));
    add_system(world, ON_MAIN("B", log_and_query_late));
    add_system(world, BRIEF("C"));
    run_frame(world);
    run_frame(world);
    EXPECT_LOG("B C B C");

    add_system(world, BRIEF("D"));
    run_frame(world);

    EXPECT_LOG("C D B");
    finish_systems(world, &reports);
}

static ox_job query_late(ox_system *system, ox_job after) {
    ox_query *query = ox_system_query(system, OX_READ(Count));
    writer_was_complete = ox_job_is_complete(noted['A'].returned);
    return ox_schedule_query(ReadCount, query, after, {0});
}

TEST(system_waits, a_query_that_is_made_in_an_update_waits_once) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WRITES_COUNT("A"));
    add_system(world, WITH_JOBS("B", query_late));
    run_frame(world);
    EXPECT(writer_was_complete);
    run_frame(world);
    EXPECT(!writer_was_complete);
    finish_systems(world, &reports);
}

static ox_job read_count_auto(ox_system *system, ox_job after) {
    (void)after;
    ox_job job = ox_schedule_entities(ReadCount, system, OX_AUTO, {0});
    writer_was_complete = ox_job_is_complete(noted['A'].returned);
    return job;
}

TEST(system_waits, a_job_with_ox_auto_is_declared_without_a_wait) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, WRITES_COUNT("A"));
    ox_system *b = add_system(world, WITH_JOBS("B", read_count_auto));
    run_frame(world);
    EXPECT(!writer_was_complete);
    EXPECT_EQ(ox_system_get_info(b).reads_count, 1);
    finish_systems(world, &reports);
}

static ox_job write_late(ox_system *system, ox_job after) {
    ox_job job = write_count(system, after);
    writer_was_complete = ox_job_is_complete(noted['A'].returned);
    return job;
}

TEST(system_waits, writing_what_was_declared_to_be_read_is_learned_too) {
    collected_reports reports;
    ox_entity entity;
    ox_world *world = begin_dependencies(&reports, &entity);
    add_system(world, READS_COUNT("A"));
    ox_system *b = add_system(world, WITH_JOBS("B", write_late, .create = declare_read));
    run_frame(world);
    EXPECT(is_same_job(noted['B'].after, OX_NO_JOB) && writer_was_complete);
    EXPECT_EQ(ox_system_get_info(b).reads_count, 0);
    EXPECT_EQ(ox_system_get_info(b).writes_count, 1);
    run_frame(world);
    EXPECT(is_same_job(noted['B'].after, noted['A'].returned) && !writer_was_complete);
    finish_systems(world, &reports);
}

// What changed.

static bool filter_changed_count(ox_system *system) {
    return ox_query_filter_changed(ox_system_query(system, OX_WRITE(Count)), Count, 0);
}

static bool writes_own, edits_in_main;
static ox_entity changed_entity;

// Logs how many entities changed since it ran last, and may change them itself.
static void log_changed(ox_system *system) {
    ox_query *query = ox_system_query(system, OX_WRITE(Count));
    char text[16];
    snprintf(text, sizeof text, "%d", (int)ox_query_count(query));
    log_text(text, "");
    if (writes_own) {
        ox_edit(system->world, changed_entity, Count)->value++;
    }
}

static void edit_when_told(ox_system *system) {
    if (edits_in_main) {
        ox_edit(system->world, changed_entity, Count)->value++;
    }
}

static ox_world *begin_changes(collected_reports *reports, const char *first, const char *second) {
    ox_world *world = begin_dependencies(reports, &changed_entity);
    writes_own = edits_in_main = false;
    add_system(world, ON_MAIN("F", log_changed, .create = filter_changed_count, .after = {first},
                              .before = {second}));
    add_system(world, ON_MAIN("M", edit_when_told));
    return world;
}

TEST(system_waits, a_system_sees_all_at_first_and_then_what_main_changed_between_frames) {
    collected_reports reports;
    ox_world *world = begin_changes(&reports, NULL, NULL);
    run_frame(world);
    run_frame(world);
    EXPECT_LOG("1 0");
    ox_edit(world, changed_entity, Count)->value = 5;
    run_frame(world);
    run_frame(world);
    EXPECT_LOG("1 0");
    finish_systems(world, &reports);
}

TEST(system_waits, a_system_never_sees_what_it_changed_itself) {
    collected_reports reports;
    ox_world *world = begin_changes(&reports, NULL, NULL);
    writes_own = true;
    for (int k = 0; k < 4; k++) {
        run_frame(world);
    }
    EXPECT_LOG("1 0 0 0");
    finish_systems(world, &reports);
}

TEST(system_waits, a_system_sees_each_change_of_another_once) {
    static const char *const sides[][2] = {{"M", NULL}, {NULL, "M"}};
    for (int k = 0; k < 2; k++) {
        collected_reports reports;
        ox_world *world = begin_changes(&reports, sides[k][0], sides[k][1]);
        run_frame(world);
        edits_in_main = true;
        run_frame(world);
        edits_in_main = false;
        run_frame(world);
        run_frame(world);
        EXPECT_LOG(k == 0 ? "1 1 0 0" : "1 0 1 0");
        finish_systems(world, &reports);
    }
}

TEST(system_waits, a_system_that_was_off_sees_all_that_changed_meanwhile) {
    collected_reports reports;
    ox_world *world = begin_changes(&reports, NULL, NULL);
    run_frame(world);
    ox_system_set_enabled(ox_system_find(world, "F"), false);
    ox_edit(world, changed_entity, Count)->value = 5;
    run_frame(world);
    run_frame(world);
    ox_system_set_enabled(ox_system_find(world, "F"), true);
    run_frame(world);
    run_frame(world);
    EXPECT_LOG("1 1 0");
    finish_systems(world, &reports);
}

TEST(system_waits, changes_are_seen_when_the_numbers_of_versions_begin_anew) {
    collected_reports reports;
    ox_world *world = begin_changes(&reports, NULL, NULL);
    world->store.version = UINT32_MAX - 8;
    ox_edit(world, changed_entity, Count)->value = 4;
    for (int k = 0; k < 8; k++) {
        if (k % 2 == 0) {
            ox_edit(world, changed_entity, Count)->value = 5;
        }
        run_frame(world);
    }
    EXPECT_LOG("1 0 1 0 1 0 1 0");
    EXPECT(ox_world_get_version(world) < 100);
    finish_systems(world, &reports);
}

static ox_job write_changed(ox_system *system, ox_job after) {
    ox_query *query = ox_system_query(system, OX_WRITE(Count));
    char text[16];
    snprintf(text, sizeof text, "%d", (int)ox_query_count(query));
    log_text(text, "");
    return ox_schedule_query(WriteCount, query, after, {1});
}

TEST(system_waits, a_system_with_jobs_sees_what_others_changed_and_not_what_its_jobs_do) {
    collected_reports reports;
    ox_world *world = begin_dependencies(&reports, &changed_entity);
    add_system(world, WITH_JOBS("F", write_changed, .create = filter_changed_count));
    run_frame(world);
    run_frame(world);
    EXPECT_EQ(ox_get(world, changed_entity, Count)->value, 4); // it ran over changes once
    ox_edit(world, changed_entity, Count)->value = 5;
    run_frame(world);
    run_frame(world);
    EXPECT_LOG("1 0 1 0");
    EXPECT_EQ(ox_get(world, changed_entity, Count)->value, 16);
    finish_systems(world, &reports);
}

TEST(system_waits, a_filter_of_order_counts_from_the_last_update_too) {
    collected_reports reports;
    ox_world *world = begin_dependencies(&reports, &changed_entity);
    writes_own = false;
    ox_system *f = add_system(world, ON_MAIN("F", log_changed));
    ox_query_filter_order(ox_system_query(f, OX_WRITE(Count)), 0);
    run_frame(world);
    ox_edit(world, changed_entity, Count)->value = 5;
    run_frame(world);
    ox_entity_create_in(world, ox_archetype_of(world, Count, Step, Extra));
    run_frame(world);
    run_frame(world);
    EXPECT_LOG("1 0 2 0");
    finish_systems(world, &reports);
}
