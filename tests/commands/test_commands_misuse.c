// SPDX-License-Identifier: MIT
//
// Commands in wrong hands: jobs that do not hold them, other threads, report handlers, and two
// jobs at once.
//
// Bodies of jobs and handlers do not EXPECT: they note their answers, and main looks at them.

#include "commands/commands_test.h"

#include <pthread.h>

static collected_reports reports, all;
static ox_world *world;
static ox_commands commands;
static oxi_atomic_u32 answers;

static void begin(int workers) {
    start_workers_of_test(workers);
    collect_reports(&all);
    all = (collected_reports){0};
    world = make_world(&reports);
    commands = ox_commands_create(world, &(ox_commands_def){.name = "orders"});
    atomic_store(&answers, 0);
}

static void end(void) {
    ox_commands_dispose(&commands);
    EXPECT_EQ(all.count, 0);
    end_world(world, &reports);
    ox_jobs_stop();
}

static void note_answer(int bit, bool answer) {
    atomic_fetch_or(&answers, (uint32_t)answer << bit);
}

// In jobs.

OX_JOB(RecordUndeclared, { int unused; }) {
    note_answer(0, ox_commands_create_entity(commands).version != 0);
}

TEST_CHECKED(commands_misuse, a_job_must_hold_what_it_records_to) {
    begin(1);
    ox_complete(ox_schedule(RecordUndeclared, OX_NO_JOB, {0}));

    EXPECT_EQ(atomic_load(&answers), 0);
    EXPECT_REPORT(&all, OX_REPORT_NOT_DECLARED);
    EXPECT_EQ(ox_commands_get_info(commands).count, 0);
    end();
}

static ox_query *query;

OX_JOB(RecordByQuery, { ox_commands commands; }) {
    note_answer(0, ox_commands_query_destroy_entities(job->commands, query));
    note_answer(1, ox_commands_query_add(job->commands, query, Position));
}

TEST_CHECKED(commands_misuse, commands_by_query_are_for_main) {
    begin(1);
    query = ox_query_create(world, OX_READ(Health));
    ox_complete(ox_schedule(RecordByQuery, OX_NO_JOB, {commands}));

    EXPECT_EQ(atomic_load(&answers), 0);
    EXPECT_EQ(reports.count, 2);
    EXPECT_EQ(reports.last, OX_REPORT_WORLD_IN_JOB);
    EXPECT_EQ(ox_commands_get_info(commands).count, 0);
    reports.count = 0;
    end();
}

OX_JOB(PlayInJob, { ox_commands commands; }) {
    ox_commands mine = job->commands;
    note_answer(0, ox_commands_playback(mine));
    note_answer(1, ox_commands_clear(mine));
    ox_commands_dispose(&mine);
    note_answer(2, mine.oxi_state == NULL);
}

TEST_CHECKED(commands_misuse, a_job_only_records) {
    begin(1);
    ox_commands_create_entity(commands);
    ox_complete(ox_schedule(PlayInJob, OX_NO_JOB, {commands}));

    EXPECT_EQ(atomic_load(&answers), 0);
    EXPECT_EQ(all.count + reports.count, 3);
    all.count = reports.count = 0;
    EXPECT(ox_commands_playback(commands));
    EXPECT_EQ(count_alive(world), 1);
    end();
}

OX_JOB(RecordOne, { ox_commands commands; }) {
    ox_commands_create_entity(job->commands);
}

TEST_CHECKED(commands_misuse, two_jobs_that_record_must_follow_each_other) {
    begin(0);
    ox_job first = ox_schedule(RecordOne, OX_NO_JOB, {commands});

    ox_job second = ox_schedule(RecordOne, OX_NO_JOB, {commands});

    EXPECT_HAS(all.text, "or complete it first; or give each job a buffer of its own\n");
    EXPECT_REPORT(&all, OX_REPORT_TWO_JOBS_RACE);
    EXPECT_EQ(second.value, 0);
    ox_complete(ox_schedule(RecordOne, first, {commands}));
    EXPECT(ox_commands_playback(commands));
    EXPECT_EQ(count_alive(world), 2);
    end();
}

TEST_CHECKED(commands_misuse, main_leaves_commands_to_the_job_that_has_them) {
    begin(0);
    ox_commands_create_entity(commands);
    ox_job job = ox_schedule(RecordOne, OX_NO_JOB, {commands});
    ox_commands copy = commands;

    EXPECT_EQ(ox_commands_create_entity(commands).version, 0);
    EXPECT_REPORT(&all, OX_REPORT_JOB_HOLDS);
    EXPECT(!ox_commands_playback(commands));
    EXPECT_REPORT(&all, OX_REPORT_JOB_HOLDS);
    EXPECT(!ox_commands_clear(commands));
    EXPECT_REPORT(&all, OX_REPORT_JOB_HOLDS);
    ox_commands_dispose(&copy);
    EXPECT_REPORT(&all, OX_REPORT_JOB_HOLDS);

    ox_complete(job);
    EXPECT(ox_commands_playback(commands));
    EXPECT_EQ(count_alive(world), 2);
    end();
}

// Other threads.

static void *use_elsewhere(void *context) {
    ox_commands *used = context;
    note_answer(0, ox_commands_create_entity(*used).version != 0);
    note_answer(1, ox_commands_playback(*used));
    note_answer(2, ox_commands_clear(*used));
    return NULL;
}

TEST_CHECKED(commands_misuse, another_thread_cannot_use_commands) {
    begin(0);
    pthread_t thread;
    EXPECT_EQ(pthread_create(&thread, NULL, use_elsewhere, &commands), 0);
    pthread_join(thread, NULL);

    EXPECT_EQ(atomic_load(&answers), 0);
    EXPECT_EQ(all.count + reports.count, 3);
    all.count = reports.count = 0;
    EXPECT_EQ(ox_commands_get_info(commands).count, 0);
    end();
}

// In handlers.

static ox_commands inner;
static int handled;
static ox_job scheduled;
static void (*in_handler)(void);

static void handle_once(const ox_report *report, void *context) {
    (void)context;
    if (report->id == OX_REPORT_COMMAND_FAILED && handled++ == 0) {
        in_handler();
    }
}

// Two commands of which the first fails, in windows of their own.
static void begin_failing(int workers, void (*call)(void)) {
    start_workers_of_test(workers);
    world = ox_world_create(&(ox_world_def){.name = "sea", .on_report = {handle_once, NULL}});
    commands = ox_commands_create(world, NULL);
    inner = ox_commands_create(world, NULL);
    atomic_store(&answers, 0);
    in_handler = call;
    handled = 0;
    ox_entity ship = ox_entity_create(world, OX_VALUE(Health, {1}));
    ox_commands_remove(commands, ship, Position);
    ox_commands_set(commands, ship, Health, {2});
    ox_entity copy = ox_commands_instantiate(commands, ship);
    ox_commands_add(commands, copy, Position, {1, 2});
}

static void end_failing(uint32_t alive) {
    EXPECT(ox_commands_playback(commands));
    EXPECT_EQ(handled, 1);
    ox_commands_info info = ox_commands_get_info(commands);
    EXPECT_EQ(info.played, 4);
    EXPECT_EQ(info.windows, 2);
    EXPECT_EQ(info.failed, 1);
    EXPECT(!info.is_playing && !info.is_stopped);
    EXPECT_EQ(count_alive(world), alive);
    EXPECT(ox_world_validate(world));
    ox_commands_clear(inner);
    ox_commands_dispose(&inner);
    ox_commands_dispose(&commands);
    ox_world_destroy(world);
    ox_jobs_stop();
}

static void play_others(void) {
    note_answer(0, ox_commands_playback(inner));
    note_answer(1, ox_commands_get_info(commands).is_playing);
}

TEST(commands_misuse, a_handler_may_play_other_commands_back) {
    begin_failing(0, play_others);
    ox_commands_create_entity(inner);
    ox_commands_create_entity(inner, OX_VALUE(Team, {1}));
    end_failing(4);
    EXPECT_EQ(atomic_load(&answers), 3);
}

static void use_itself(void) {
    ox_report_silence(OX_REPORT_COMMANDS_PLAYING, true);
    note_answer(0, ox_commands_create_entity(commands).version != 0);
    note_answer(1, ox_commands_playback(commands));
    note_answer(2, ox_commands_clear(commands));
    ox_commands copy = commands;
    ox_commands_dispose(&copy);
    note_answer(3, copy.oxi_state == NULL);
    ox_report_silence(OX_REPORT_COMMANDS_PLAYING, false);
}

TEST(commands_misuse, commands_are_left_alone_while_they_are_played_back) {
    uint64_t told = ox_report_count(OX_REPORT_COMMANDS_PLAYING);
    begin_failing(0, use_itself);
    end_failing(2);
    EXPECT_EQ(atomic_load(&answers), 0);
    EXPECT_EQ(ox_report_count(OX_REPORT_COMMANDS_PLAYING) - told, 4);
}

static void change_world(void) {
    ox_entity made = ox_entity_create(world, OX_VALUE(Health, {1}), OX_VALUE(Team, {1}));
    note_answer(0, ox_entity_exists(world, made));
    note_answer(1, ox_world_validate(world));
    note_answer(2, ox_commands_create_entity(inner).version != 0);
}

TEST(commands_misuse, a_handler_finds_a_world_that_is_whole) {
    begin_failing(0, change_world);
    end_failing(3);
    EXPECT_EQ(atomic_load(&answers), 7);
}

OX_ENTITY_JOB(Linger, (OX_WRITE(Health, health)), { int32_t add; }) {
    sleep_us(20000);
    health->points += job->add;
}

static void schedule_job(void) {
    scheduled = ox_schedule_entities(Linger, ox_world_get_root(world), OX_AUTO, {1});
    ox_jobs_kick();
}

TEST(commands_misuse, a_job_that_a_handler_schedules_is_waited_for) {
    begin_failing(1, schedule_job);
    EXPECT(ox_commands_playback(commands));
    EXPECT(ox_job_is_complete(scheduled));
    EXPECT(ox_world_validate(world));
    ox_commands_dispose(&inner);
    ox_commands_dispose(&commands);
    ox_world_destroy(world);
    ox_jobs_stop();
}

// Arguments.

TEST(commands_misuse, arguments_that_are_missing_are_told_when_they_are_recorded) {
    begin(0);
    ox_entity none = {0, 0};
    query = ox_query_create(world, OX_READ(Health));

    EXPECT(!ox_commands_destroy_entity(commands, none));
    EXPECT(!ox_commands_add(commands, none, Health, {1}));
    EXPECT(!ox_commands_set(commands, none, Health, {1}));
    EXPECT(!ox_commands_remove(commands, none, Health));
    EXPECT_EQ(ox_commands_instantiate(commands, none).version, 0);
    EXPECT(!ox_commands_query_destroy_entities(commands, NULL));
    EXPECT_EQ(all.count, 6);
    EXPECT_EQ(all.last, OX_REPORT_NULL_ARGUMENT);
    all.count = 0;
    EXPECT_EQ(ox_commands_get_info(commands).count, 0);
    end();
}

TEST(commands_misuse, components_of_the_wrong_kind_are_told_when_they_are_recorded) {
    begin(0);
    query = ox_query_create(world, OX_READ(Health));
    ox_entity ship = ox_entity_create(world);
    const Health health = {1};

    EXPECT(!ox_commands_set_at(commands, ship, ox_component_id_of(Frozen), &health, OX_HERE));
    EXPECT(!ox_commands_set_at(commands, ship, ox_component_id_of(Note), &health, OX_HERE));
    EXPECT(!ox_commands_set_enabled_at(commands, ship, ox_component_id_of(Health), false, OX_HERE));
    EXPECT(!ox_commands_add_at(commands, ship, ox_component_id_of(Note), &health, OX_HERE));
    EXPECT(!ox_commands_change_buffer_at(commands, ship, ox_component_id_of(Health), OX_BUFFER_ADD,
                                         NULL, 0, OX_HERE));
    EXPECT(!ox_commands_query_set_shared_at(commands, query, ox_component_id_of(Health), &health,
                                            OX_HERE));
    EXPECT(!ox_commands_add_at(commands, ship, 60000, NULL, OX_HERE));
    EXPECT(!ox_commands_remove_at(commands, ship, 0, OX_HERE));
    EXPECT(!ox_commands_change_buffer_at(commands, ship, ox_component_id_of(Note), OX_BUFFER_ADD,
                                         NULL, -1, OX_HERE));
    EXPECT(!ox_commands_change_buffer_at(commands, ship, ox_component_id_of(Note), OX_BUFFER_ADD,
                                         &health, INT64_MAX, OX_HERE));
    EXPECT_EQ(reports.count, 10);
    EXPECT(!ox_commands_change_buffer_at(commands, ship, ox_component_id_of(Note), OX_BUFFER_ADD,
                                         NULL, 2, OX_HERE));
    EXPECT(!ox_commands_set_at(commands, ship, ox_component_id_of(Health), NULL, OX_HERE));
    EXPECT_EQ(all.count, 2);
    reports.count = all.count = 0;
    EXPECT_EQ(ox_commands_get_info(commands).count, 0);
    end();
}

TEST(commands_misuse, a_component_that_is_given_twice_is_told_when_it_is_recorded) {
    begin(0);
    EXPECT_EQ(
        ox_commands_create_entity(commands, OX_VALUE(Health, {1}), OX_VALUE(Health, {2})).version,
        0);
    EXPECT_REPORT(&reports, OX_REPORT_DUPLICATE);
    EXPECT_EQ(ox_commands_get_info(commands).count, 0);
    end();
}

TEST(commands_misuse, strange_names_are_printed_as_they_are) {
    begin(0);
    ox_commands strange = ox_commands_create(world, &(ox_commands_def){.name = "%n%s%99999d"});
    ox_entity nobody = {5, 5};
    ox_commands_add(strange, nobody, Health, {1});

    play(&strange);

    EXPECT_HAS(reports.text, "%n%s%99999d");
    EXPECT_REPORT(&reports, OX_REPORT_COMMAND_FAILED);
    end();
}
