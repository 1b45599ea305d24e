// SPDX-License-Identifier: MIT
//
// What commands report: those that cannot be carried out, and every wrong use of a buffer.

#include "commands/commands_test.h"

#include "oxbow/containers.h"

#include <pthread.h>

static collected_reports reports;
static ox_world *world;
static ox_commands commands;

static void begin(void) {
    world = make_world(&reports);
    commands = ox_commands_create(world, &(ox_commands_def){.name = "orders"});
}

static void end(void) {
    ox_commands_dispose(&commands);
    end_world(world, &reports);
}

// Failing commands.

TEST(commands_reports, a_command_that_fails_is_told_with_number_line_and_cause) {
    begin();
    ox_entity ship = ox_entity_create(world);
    ox_commands_add(commands, ship, Position, {1, 2});
    ox_commands_set_at(commands, ship, ox_component_id_of(Health), &(Health){1}, "game.c:88");
    ox_commands_add(commands, ship, Velocity, {1, 2});

    EXPECT(ox_commands_playback(commands));

    EXPECT_STR(reports.site, "game.c:88");
    EXPECT_HAS(reports.text,
               "command 1 of 'orders', recorded by no system: set Health, entity 0:1");
    EXPECT_HAS(reports.text, "OX-E02: its entity does not have the component");
    EXPECT_REPORT(&reports, OX_REPORT_COMMAND_FAILED);
    EXPECT(ox_has(world, ship, Position) && ox_has(world, ship, Velocity));
    EXPECT_EQ(ox_commands_get_info(commands).failed, 1);
    end();
}

// Plays one command back, and looks at why it failed.
static void expect_cause(const char *code) {
    EXPECT(ox_commands_playback(commands));
    EXPECT_HAS(reports.text, code);
    EXPECT_REPORT(&reports, OX_REPORT_COMMAND_FAILED);
    EXPECT(ox_commands_clear(commands));
}

TEST(commands_reports, what_is_not_alive_cannot_be_changed) {
    begin();
    ox_entity ship = ox_entity_create(world);
    ox_entity_destroy(world, ship);

    ox_commands_add(commands, ship, Health, {1});
    expect_cause("OX-E01");
    ox_commands_remove(commands, ship, Health);
    expect_cause("OX-E01");
    ox_commands_instantiate(commands, ship);
    expect_cause("OX-E01");
    ox_commands_set_entity_enabled(commands, ship, false);
    expect_cause("OX-E01");
    ox_commands_push(commands, ship, Note, {1});
    expect_cause("OX-E01");
    end();
}

TEST(commands_reports, what_is_not_there_cannot_be_changed) {
    begin();
    ox_entity ship = ox_entity_create(world);

    ox_commands_remove(commands, ship, Health);
    expect_cause("OX-E02");
    ox_commands_set(commands, ship, Team, {1});
    expect_cause("OX-E02");
    ox_commands_set_enabled(commands, ship, Stunned, false);
    expect_cause("OX-E02");
    ox_commands_push(commands, ship, Note, {1});
    expect_cause("OX-E02");
    ox_commands_set_buffer(commands, ship, Note, NULL, 0);
    expect_cause("OX-E02");
    end();
}

TEST(commands_reports, what_is_left_of_an_entity_gets_nothing) {
    begin();
    ox_entity ship = ox_entity_create(world, OX_VALUE(Registered, {1}));
    ox_entity_destroy(world, ship);

    ox_commands_add(commands, ship, Health, {1});
    expect_cause("OX-E18");
    ox_commands_add_buffer(commands, ship, Note, NULL, 0);
    expect_cause("OX-E18");
    ox_commands_instantiate(commands, ship);
    expect_cause("OX-E18");
    end();
}

TEST(commands_reports, a_group_must_begin_with_its_own_entity) {
    begin();
    ox_entity ship = ox_entity_create_in(world, ox_archetype_of(world, ox_linked)),
              other = ox_entity_create(world);
    ox_buffer_push(ox_edit(world, ship, ox_linked), ox_linked, {other});

    ox_commands_instantiate(commands, ship);
    expect_cause("OX-E19");
    end();
}

TEST(commands_reports, a_full_world_gets_no_more) {
    reports = (collected_reports){0};
    world = ox_world_create(
        &(ox_world_def){.entity_limit = 2, .on_report = {collect_report, &reports}});
    commands = ox_commands_create(world, NULL);
    ox_entity first = ox_commands_create_entity(commands);
    ox_commands_create_entity(commands);
    ox_entity third = ox_commands_create_entity(commands, OX_VALUE(Health, {1}));
    ox_commands_destroy_entity(commands, first);
    ox_commands_create_entity(commands);

    EXPECT(ox_commands_playback(commands));

    EXPECT_HAS(reports.text, ox_report_code(OX_REPORT_ENTITY_LIMIT));
    EXPECT_REPORT(&reports, OX_REPORT_COMMAND_FAILED);
    EXPECT_EQ(count_alive(world), 2);
    EXPECT_EQ(made_of(commands, third).version, 0);
    end();
}

TEST(commands_reports, what_was_not_created_is_not_there_for_later_commands) {
    begin();
    ox_entity nobody = {40, 3};
    ox_entity copy = ox_commands_instantiate(commands, nobody);
    ox_commands_add(commands, copy, Health, {1});
    ox_commands_create_entity(commands, OX_VALUE(Follows, {.leader = copy}));
    ox_commands_destroy_entity(commands, copy);

    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(reports.count, 3);
    EXPECT_EQ(ox_commands_get_info(commands).failed, 3);
    EXPECT_EQ(count_alive(world), 0);
    reports.count = 0;
    end();
}

TEST(commands_reports, a_row_must_fit_in_a_chunk) {
    begin();
    uint32_t half = define_sized("CommandsHalf", 1, 9000),
             rest = define_sized("CommandsRest", 1, 9000);
    const ox_value both[] = {{half, NULL}, {rest, NULL}};
    ox_entity ship =
        ox_entity_create_in_at(world, ox_archetype_of_at(world, &half, 1, OX_HERE), OX_HERE);

    ox_commands_create_entity_at(commands, both, 2, OX_HERE);
    expect_cause(ox_report_code(OX_REPORT_ARCHETYPE_TOO_LARGE));
    ox_commands_add_at(commands, ship, rest, NULL, OX_HERE);
    expect_cause(ox_report_code(OX_REPORT_ARCHETYPE_TOO_LARGE));
    ox_commands_add_at(commands, ship, rest, NULL, OX_HERE);
    ox_commands_remove_at(commands, ship, half, OX_HERE);
    expect_cause(ox_report_code(OX_REPORT_ARCHETYPE_TOO_LARGE));
    EXPECT(!ox_has_id(world, ship, rest) && !ox_has_id(world, ship, half));
    end();
}

TEST(commands_reports, a_query_that_was_destroyed_makes_its_commands_fail) {
    begin();
    ox_entity ship = ox_entity_create(world, OX_VALUE(Health, {1}));
    ox_query *query = ox_query_create(world, OX_READ(Position));
    ox_commands_query_destroy_entities(commands, query);
    ox_query_destroy(query);
    ox_query *other = ox_query_create(world, OX_READ(Health)); // in the same memory, most likely

    expect_cause("OX-E10");

    EXPECT(ox_entity_exists(world, ship));
    EXPECT_EQ(ox_query_count(other), 1);
    end();
}

TEST(commands_reports, temporary_ids_of_others_stand_for_nothing) {
    begin();
    collected_reports others;
    ox_world *elsewhere = make_world(&others);
    ox_commands second = ox_commands_create(world, NULL), far = ox_commands_create(elsewhere, NULL);
    ox_entity theirs = ox_commands_create_entity(second), alien = ox_commands_create_entity(far);
    ox_commands_create_entity(commands);
    ox_commands_clear(commands);
    ox_entity before = ox_commands_create_entity(commands);
    ox_commands_clear(commands);

    ox_entity ids[] = {theirs, alien, before};
    for (int k = 0; k < 3; k++) {
        ox_commands_create_entity(commands);
        ox_commands_add(commands, ids[k], Health, {1});
        expect_cause("OX-D07");
        ox_commands_create_entity(commands, OX_VALUE(Follows, {.leader = ids[k]}));
        expect_cause("OX-D07");
        ox_commands_destroy_entity(commands, ids[k]);
        expect_cause("OX-D07");
    }
    play(&second);
    play(&far);
    end_world(elsewhere, &others);
    end();
}

// Temporary ids in ordinary calls.

TEST_CHECKED(commands_reports, calls_do_not_take_temporary_ids) {
    begin();
    ox_entity made = ox_commands_create_entity(commands);

    EXPECT(!ox_entity_exists(world, made));
    EXPECT(!ox_has(world, made, Health));
    ox_add(world, made, Health, {1});
    EXPECT_REPORT(&reports, OX_REPORT_TEMPORARY_ENTITY);
    ox_set(world, made, Health, {1});
    EXPECT_REPORT(&reports, OX_REPORT_TEMPORARY_ENTITY);
    ox_get(world, made, Health);
    EXPECT_REPORT(&reports, OX_REPORT_TEMPORARY_ENTITY);
    ox_entity_destroy(world, made);
    EXPECT_REPORT(&reports, OX_REPORT_TEMPORARY_ENTITY);
    ox_entity_instantiate(world, made);
    EXPECT_REPORT(&reports, OX_REPORT_TEMPORARY_ENTITY);
    EXPECT(ox_commands_playback(commands));
    ox_remove(world, made, Health);
    EXPECT_REPORT(&reports, OX_REPORT_TEMPORARY_ENTITY);
    end();
}

// The life of a buffer.

TEST(commands_reports, commands_that_were_never_played_back_are_told_when_they_are_disposed) {
    begin();
    ox_commands_create_entity(commands);
    ox_commands_create_entity(commands);

    ox_commands_dispose(&commands);

    EXPECT_HAS(reports.text, "'orders'");
    EXPECT_HAS(reports.text, "has 2 commands");
    EXPECT_REPORT(&reports, OX_REPORT_COMMANDS_LEFT);
    end_world(world, &reports);
}

TEST(commands_reports, commands_that_outlive_their_world_are_told) {
    begin();
    ox_commands_create_entity(commands);

    ox_world_destroy(world);

    EXPECT_HAS(reports.text, "has 1 commands");
    EXPECT_REPORT(&reports, OX_REPORT_COMMANDS_LEAKED);
}

// Every call on a handle.
static void use_all(ox_commands used, ox_query *query) {
    ox_entity ship = {0, 1};
    const ox_value value = {ox_component_id_of(Health), &(Health){1}};
    ox_commands_create_entity(used);
    ox_commands_create_entity_at(used, &value, 1, OX_HERE);
    ox_commands_instantiate(used, ship);
    ox_commands_destroy_entity(used, ship);
    ox_commands_add(used, ship, Health, {1});
    ox_commands_add_tag(used, ship, Frozen);
    ox_commands_add_many_at(used, ship, &value, 1, OX_HERE);
    ox_commands_set(used, ship, Health, {1});
    ox_commands_set(used, ship, Team, {1});
    ox_commands_remove(used, ship, Health);
    ox_commands_set_enabled(used, ship, Stunned, false);
    ox_commands_set_entity_enabled(used, ship, false);
    ox_commands_push(used, ship, Note, {1});
    ox_commands_query_add(used, query, Health);
    ox_commands_query_remove(used, query, Health);
    ox_commands_query_set_shared(used, query, Team, {1});
    ox_commands_query_destroy_entities(used, query);
}
enum { RECORDING_CALLS = 17 };
#define REPORT_OF_THE_ENDED (OX_SAFETY >= 1 ? OX_REPORT_DISPOSED : OX_REPORT_COMMANDS_ENDED)

TEST(commands_reports, nothing_is_recorded_after_playback) {
    begin();
    ox_query *query = ox_query_create(world, OX_READ(Health));
    ox_commands_create_entity(commands);
    EXPECT(ox_commands_playback(commands));

    use_all(commands, query);
    EXPECT_EQ(reports.count, RECORDING_CALLS);
    EXPECT_EQ(reports.last, OX_REPORT_COMMANDS_PLAYED);
    reports.count = 0;
    EXPECT(!ox_commands_playback(commands));
    EXPECT_REPORT(&reports, OX_REPORT_COMMANDS_PLAYED);
    EXPECT_EQ(ox_commands_get_info(commands).count, 1);
    end();
}

TEST(commands_reports, nothing_is_recorded_after_the_end) {
    collected_reports all;
    begin();
    collect_reports(&all);
    world->sink = (oxi_report_sink){0}; // all go to one place
    ox_query *query = ox_query_create(world, OX_READ(Health));
    ox_commands copy = commands;
    ox_commands_dispose(&commands);
    ox_commands_dispose(&commands);
    EXPECT_REPORT(&all, OX_REPORT_UNASSIGNED);

    use_all(copy, query);
    EXPECT_EQ(all.count, RECORDING_CALLS);
    EXPECT_EQ(all.last, REPORT_OF_THE_ENDED);
    EXPECT(!ox_commands_playback(copy) && !ox_commands_clear(copy));
    ox_commands_dispose(&copy);
    EXPECT_EQ(all.count, RECORDING_CALLS + 3);
    EXPECT_EQ(ox_commands_get_info(copy).count, 0);
    end_world(world, &reports);
}

// Without the checks of containers, the serial of a handle tells.
TEST(commands_reports, a_handle_of_other_commands_in_the_same_memory_is_told) {
    begin();
    ox_commands copy = commands;
    ox_commands_dispose(&commands);
    commands = ox_commands_create(world, NULL);
    copy.access = commands.access;

    ox_commands_create_entity(copy);
    EXPECT_REPORT(&reports, OX_REPORT_COMMANDS_ENDED);
    EXPECT(!ox_commands_playback(copy));
    EXPECT_REPORT(&reports, OX_REPORT_COMMANDS_ENDED);
    EXPECT_EQ(ox_commands_get_info(commands).count, 0);
    end();
}

TEST(commands_reports, nothing_is_recorded_after_the_world_ended) {
    collected_reports all;
    begin();
    ox_world *other = make_world(&all);
    ox_query *query = ox_query_create(other, OX_READ(Health));
    ox_world_destroy(world);
    EXPECT_REPORT(&reports, OX_REPORT_COMMANDS_LEAKED);
    collect_reports(&all);

    use_all(commands, query);
    EXPECT_EQ(all.count, RECORDING_CALLS);
    EXPECT_EQ(all.last, REPORT_OF_THE_ENDED);
    EXPECT(!ox_commands_playback(commands) && !ox_commands_clear(commands));
    EXPECT_EQ(ox_commands_get_info(commands).count, 0);
    ox_commands_dispose(&commands);
    EXPECT_EQ(all.count, RECORDING_CALLS + 3);
    ox_world_destroy(other);
}

// Without the checks of containers, the serial of a handle tells.
TEST(commands_reports, commands_of_a_world_that_ended_are_not_those_of_another) {
    collected_reports all, others;
    begin();
    ox_world_destroy(world);
    EXPECT_REPORT(&reports, OX_REPORT_COMMANDS_LEAKED);
    ox_world *other = make_world(&others);
    ox_commands alive = ox_commands_create(other, NULL);
    collect_reports(&all);
    commands.access = alive.access;

    ox_commands_create_entity(commands);

    EXPECT_HAS(all.text, "ox_commands_create_entity on commands of a world that has ended");
    EXPECT_REPORT(&all, OX_REPORT_COMMANDS_ENDED);
    EXPECT(!ox_commands_playback(commands));
    EXPECT_REPORT(&all, OX_REPORT_COMMANDS_ENDED);
    EXPECT_EQ(ox_commands_get_info(commands).count, 0);
    EXPECT_EQ(ox_commands_get_info(alive).count, 0);
    ox_commands_dispose(&alive);
    end_world(other, &others);
}

OX_JOB(RecordLate, { ox_commands commands; }) {
    ox_commands_create_entity(job->commands);
}

TEST(commands_reports, a_job_records_nothing_after_the_world_ended) {
    collected_reports all;
    start_workers_of_test(1);
    begin();
    ox_world_destroy(world);
    EXPECT_REPORT(&reports, OX_REPORT_COMMANDS_LEAKED);
    collect_reports(&all);

    ox_complete(ox_schedule(RecordLate, OX_NO_JOB, {commands}));

    EXPECT_REPORT(&all, REPORT_OF_THE_ENDED);
    ox_jobs_stop();
}

TEST(commands_reports, no_commands_at_all_are_told) {
    collected_reports all;
    collect_reports(&all);
    begin();
    ox_query *query = ox_query_create(world, OX_READ(Health));

    use_all((ox_commands){0}, query);
    EXPECT_EQ(all.count, RECORDING_CALLS);
    EXPECT_EQ(all.last, OX_REPORT_UNASSIGNED);
    EXPECT(!ox_commands_playback((ox_commands){0}));
    EXPECT_EQ(ox_commands_get_info((ox_commands){0}).count, 0);
    end();
}

TEST(commands_reports, commands_of_a_system_are_left_to_it) {
    begin();
    ox_commands owned =
        oxi_commands_take(world, &(ox_commands_def){.name = "late"}, "Spawn", OX_HERE);
    ox_commands_create_entity(owned);
    ox_entity nobody = {9, 9};
    ox_commands_add_at(owned, nobody, ox_component_id_of(Health), NULL, "spawn.c:12");

    EXPECT(!ox_commands_playback(owned));
    EXPECT_HAS(reports.text, "ox_commands_playback on 'late', which belongs to Spawn");
    EXPECT_REPORT(&reports, OX_REPORT_COMMANDS_OWNED);
    ox_commands_dispose(&owned);
    EXPECT_REPORT(&reports, OX_REPORT_COMMANDS_OWNED);
    EXPECT(oxi_commands_play(owned, OX_HERE));
    EXPECT_HAS(reports.text, "command 1 of 'late', recorded by Spawn");
    EXPECT_STR(reports.site, "spawn.c:12");
    EXPECT_REPORT(&reports, OX_REPORT_COMMAND_FAILED);
    EXPECT_STR(ox_commands_get_info(owned).system, "Spawn");
    oxi_commands_give(owned, OX_HERE);
    end();
}

TEST(commands_reports, a_def_that_was_not_zeroed_is_refused) {
    collected_reports all;
    collect_reports(&all);
    begin();
    ox_commands_def garbage;
    memset(&garbage, 0x5a, sizeof garbage);

    ox_commands none = ox_commands_create(world, &garbage);

    EXPECT(none.oxi_state == NULL);
    EXPECT_REPORT(&all, OX_REPORT_DEF_GARBAGE);
    end();
}

TEST(commands_reports, a_name_is_cut_between_characters) {
    begin();
    ox_commands foreign = ox_commands_create(
        world, &(ox_commands_def){.name = "thirty letters, then another: \xc3\xa9"});
    ox_commands_add(foreign, ((ox_entity){9, 9}), Health, {1});

    EXPECT(ox_commands_playback(foreign));

    EXPECT_HAS(reports.text, "of 'thirty letters, then another: ', recorded");
    EXPECT_REPORT(&reports, OX_REPORT_COMMAND_FAILED);
    ox_commands_dispose(&foreign);
    end();
}
