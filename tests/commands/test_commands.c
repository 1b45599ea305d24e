// SPDX-License-Identifier: MIT
//
// What each command does: the same as the call of its name, when it is played back.

#include "commands/commands_test.h"

static collected_reports reports;
static ox_world *world;
static ox_commands commands;

static void begin(void) {
    world = make_world(&reports);
    commands = ox_commands_create(world, NULL);
}

static void end(void) {
    ox_commands_dispose(&commands);
    end_world(world, &reports);
}

TEST(commands, do_nothing_before_they_are_played_back) {
    begin();
    ox_entity ship = ox_entity_create(world, OX_VALUE(Health, {1}));

    ox_commands_set(commands, ship, Health, {2});
    ox_commands_create_entity(commands);
    ox_commands_destroy_entity(commands, ship);

    EXPECT_EQ(count_alive(world), 1);
    EXPECT_EQ(ox_read(world, ship, Health).points, 1);
    EXPECT_EQ(ox_commands_get_info(commands).count, 3);
    EXPECT(ox_commands_playback(commands));
    EXPECT_EQ(count_alive(world), 1);
    end();
}

TEST(commands, create_entities_in_an_archetype) {
    begin();
    ox_archetype boats = ox_archetype_of(world, Health, Frozen, Team, Note);
    ox_entity first = ox_commands_create_entity_in(commands, boats);
    ox_entity second = ox_commands_create_entity_in(commands, boats);
    ox_entity empty =
        ox_commands_create_entity_in(commands, ox_archetype_of_at(world, NULL, 0, OX_HERE));
    EXPECT(ox_commands_set(commands, second, Health, {7}));

    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(ox_entity_get_location(world, made_of(commands, first)).archetype.number,
              boats.number);
    EXPECT_EQ(ox_read(world, made_of(commands, first), Health).points, 0);
    EXPECT_EQ(ox_read(world, made_of(commands, second), Health).points, 7);
    EXPECT_EQ(ox_get(world, made_of(commands, second), Team)->id, 0);
    EXPECT_EQ(ox_buffer_count(ox_get(world, made_of(commands, second), Note)), 0);
    EXPECT_EQ(ox_entity_get_components(world, made_of(commands, empty), NULL, 0), 0);
    end();
}

TEST(commands, create_entities_in_more_archetypes_than_are_remembered) {
    begin();
    ox_archetype sets[] = {ox_archetype_of(world, Health),   ox_archetype_of(world, Frozen),
                           ox_archetype_of(world, Position), ox_archetype_of(world, Team),
                           ox_archetype_of(world, Note),     ox_archetype_of(world, Lit)};
    enum { SETS = sizeof sets / sizeof *sets };
    ox_entity made[4 * SETS];
    for (int k = 0; k < 4 * SETS; k++) {
        made[k] = ox_commands_create_entity_in(commands, sets[k % SETS]);
    }

    EXPECT(ox_commands_playback(commands));

    for (int k = 0; k < 4 * SETS; k++) {
        EXPECT_EQ(ox_entity_get_location(world, made_of(commands, made[k])).archetype.number,
                  sets[k % SETS].number);
    }
    end();
}

TEST(commands, an_archetype_of_another_world_is_reported) {
    begin();
    ox_world *other = ox_world_create(NULL);
    ox_archetype foreign = ox_archetype_of(other, Health), own = ox_archetype_of(world, Health);
    ox_archetype beyond = {own.world, 4000};

    EXPECT_EQ(ox_commands_create_entity_in(commands, foreign).version, 0);
    EXPECT_REPORT(&reports, OX_REPORT_FOREIGN_HANDLE);
    EXPECT_EQ(ox_commands_create_entity_in(commands, (ox_archetype){0}).version, 0);
    EXPECT_REPORT(&reports, OX_REPORT_FOREIGN_HANDLE);
    EXPECT_EQ(ox_commands_create_entity_in(commands, beyond).version, 0);
    EXPECT_REPORT(&reports, OX_REPORT_FOREIGN_HANDLE);

    EXPECT_EQ(ox_commands_get_info(commands).count, 0);
    ox_world_destroy(other);
    end();
}

OX_PARALLEL_JOB(LayEggs, {
    ox_commands commands;
    ox_archetype eggs;
}) {
    ox_commands_set(job->commands, ox_commands_create_entity_in(job->commands, job->eggs), Health,
                    {i});
}

// Jobs look archetypes up while main makes others.
TEST(commands, jobs_create_in_archetypes_while_main_makes_some) {
    start_workers_of_test(3);
    begin();
    ox_archetype eggs = ox_archetype_of(world, Health, Team);
    ox_job laid = ox_schedule_for(LayEggs, 1000, 4, OX_NO_JOB, {commands, eggs});
    ox_jobs_kick();
    for (int k = 0; k < 64; k++) {
        EXPECT(ox_archetype_of_at(world, (uint32_t[]){define_sized("Nest", k, 8)}, 1, OX_HERE)
                   .number != 0);
    }
    ox_complete(laid);

    EXPECT(ox_commands_playback(commands));

    ox_query *all = ox_query_create(world, OX_READ(Health), OX_READ(Team));
    int expected = 0;
    OX_EACH_CHUNK(all, chunk) {
        for (int k = 0; k < chunk.count; k++) {
            EXPECT_EQ(ox_chunk_get(chunk, Health)[k].points, expected++);
        }
    }
    EXPECT_EQ(expected, 1000);
    end();
    ox_jobs_stop();
}

TEST(commands, create_entities_with_ids_as_calls_would_give) {
    begin();
    ox_entity gone = ox_entity_create(world);
    ox_entity_destroy(world, gone);
    ox_entity first = ox_commands_create_entity(commands);
    ox_entity second =
        ox_commands_create_entity(commands, OX_VALUE(Health, {7}), OX_VALUE_TAG(Frozen));
    EXPECT(ox_entity_is_temporary(first) && ox_entity_is_temporary(second));

    EXPECT(ox_commands_playback(commands));

    EXPECT(is_same(made_of(commands, first), (ox_entity){gone.index, gone.version + 1}));
    ox_entity made = made_of(commands, second);
    EXPECT_EQ(made.index, 1);
    EXPECT_EQ(ox_read(world, made, Health).points, 7);
    EXPECT(ox_has(world, made, Frozen));
    EXPECT(!ox_entity_is_temporary(made));
    end();
}

TEST(commands, add_gives_a_value_or_zeros_and_sets_what_is_there) {
    begin();
    ox_entity ship = ox_entity_create(world, OX_VALUE(Health, {1}));

    ox_commands_add(commands, ship, Position, {1, 2});
    ox_commands_add(commands, ship, Velocity);
    ox_commands_add(commands, ship, Frozen);
    ox_commands_add(commands, ship, Health, {5});
    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(ox_read(world, ship, Position).y, 2.0f);
    EXPECT_EQ(ox_read(world, ship, Velocity).x, 0.0f);
    EXPECT_EQ(ox_read(world, ship, Health).points, 5);
    EXPECT(ox_has(world, ship, Frozen));
    end();
}

TEST(commands, add_many_gives_all_or_none) {
    begin();
    ox_entity ship = ox_entity_create(world);

    ox_commands_add_many(commands, ship, OX_VALUE(Position, {1, 2}), OX_VALUE_TAG(Frozen),
                         OX_VALUE(Team, {3}));
    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(ox_read(world, ship, Position).x, 1.0f);
    EXPECT_EQ(ox_read(world, ship, Team).id, 3);
    EXPECT(ox_has(world, ship, Frozen));
    end();
}

TEST(commands, set_changes_plain_and_shared_values) {
    begin();
    ox_entity ship = ox_entity_create(world, OX_VALUE(Health, {1}), OX_VALUE(Team, {1}));
    ox_entity other = ox_entity_create(world, OX_VALUE(Health, {1}), OX_VALUE(Team, {2}));

    ox_commands_set(commands, ship, Health, {9});
    ox_commands_set(commands, ship, Team, {2});
    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(ox_read(world, ship, Health).points, 9);
    EXPECT_EQ(ox_read(world, ship, Team).id, 2);
    EXPECT(lie_together(world, ship, other));
    end();
}

TEST(commands, remove_takes_components_away) {
    begin();
    ox_entity ship = ox_entity_create(world, OX_VALUE(Health, {1}), OX_VALUE(Team, {1}),
                                      OX_VALUE_TAG(Frozen), OX_VALUE_TAG(Note));

    ox_commands_remove(commands, ship, Team);
    ox_commands_remove(commands, ship, Frozen);
    ox_commands_remove(commands, ship, Note);
    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(ox_entity_get_components(world, ship, NULL, 0), 1);
    EXPECT_EQ(ox_read(world, ship, Health).points, 1);
    end();
}

TEST(commands, a_component_that_is_removed_and_added_again_is_zero) {
    begin();
    ox_entity ship = ox_entity_create(world, OX_VALUE(Health, {1}), OX_VALUE(Team, {1}),
                                      OX_VALUE(Stunned, {4}), OX_VALUE_TAG(Note));
    ox_buffer_push(ox_edit(world, ship, Note), Note, {8});
    ox_set_enabled(world, ship, Stunned, false);

    ox_commands_set(commands, ship, Health, {5});
    ox_commands_remove(commands, ship, Health);
    ox_commands_remove(commands, ship, Team);
    ox_commands_remove(commands, ship, Stunned);
    ox_commands_remove(commands, ship, Note);
    ox_commands_add_at(commands, ship, ox_component_id_of(Health), NULL, OX_HERE);
    ox_commands_add_at(commands, ship, ox_component_id_of(Team), NULL, OX_HERE);
    ox_commands_add_at(commands, ship, ox_component_id_of(Stunned), NULL, OX_HERE);
    ox_commands_add_at(commands, ship, ox_component_id_of(Note), NULL, OX_HERE);
    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(ox_read(world, ship, Health).points, 0);
    EXPECT_EQ(ox_read(world, ship, Team).id, 0);
    EXPECT_EQ(ox_read(world, ship, Stunned).turns, 0);
    EXPECT(ox_is_enabled(world, ship, Stunned));
    EXPECT(ox_buffer_is_empty(ox_get(world, ship, Note)));
    end();
}

TEST(commands, enable_and_disable_switch_components) {
    begin();
    ox_entity ship = ox_entity_create(world, OX_VALUE(Stunned, {1}), OX_VALUE_TAG(Lit));
    ox_set_enabled(world, ship, Lit, false);

    ox_commands_set_enabled(commands, ship, Stunned, false);
    ox_commands_set_enabled(commands, ship, Lit, true);
    ox_commands_add(commands, ship, Health, {1});
    EXPECT(ox_commands_playback(commands));

    EXPECT(!ox_is_enabled(world, ship, Stunned));
    EXPECT(ox_is_enabled(world, ship, Lit));
    end();
}

static ox_entity make_group(ox_entity *part) {
    ox_entity root = ox_entity_create_in(world, ox_archetype_of(world, ox_prefab, ox_linked));
    *part = ox_entity_create(world, OX_VALUE_TAG(ox_prefab), OX_VALUE(Follows, {.leader = root}));
    ox_buffer links = ox_edit(world, root, ox_linked);
    ox_buffer_push(links, ox_linked, {root});
    ox_buffer_push(links, ox_linked, {*part});
    return root;
}

TEST(commands, a_whole_entity_is_switched_with_its_group) {
    begin();
    ox_entity part, root = make_group(&part);

    ox_commands_set_entity_enabled(commands, root, false);
    EXPECT(ox_commands_playback(commands));

    EXPECT(!ox_entity_is_enabled(world, root));
    EXPECT(!ox_entity_is_enabled(world, part));
    end();
}

TEST(commands, instances_have_their_own_group) {
    begin();
    ox_entity part, root = make_group(&part);

    ox_entity copy = ox_commands_instantiate(commands, root);
    ox_commands_add(commands, copy, Health, {4});
    EXPECT(ox_commands_playback(commands));

    ox_entity made = made_of(commands, copy);
    ox_entity made_part = ox_buffer_get(ox_get(world, made, ox_linked), 1, ox_linked)->entity;
    EXPECT_EQ(count_alive(world), 4);
    EXPECT(!is_same(made_part, part));
    EXPECT(is_same(ox_read(world, made_part, Follows).leader, made));
    EXPECT(!ox_has(world, made, ox_prefab) && !ox_has(world, made_part, ox_prefab));
    EXPECT_EQ(ox_read(world, made, Health).points, 4);
    end();
}

TEST(commands, an_instance_of_what_they_made_or_changed_sees_it) {
    begin();
    ox_entity ship = ox_entity_create(world, OX_VALUE(Health, {1}));

    ox_commands_set(commands, ship, Health, {2});
    ox_entity copy = ox_commands_instantiate(commands, ship);
    ox_commands_set(commands, copy, Health, {3});
    ox_entity second = ox_commands_instantiate(commands, copy);
    ox_commands_set(commands, ship, Health, {4});
    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(ox_read(world, ship, Health).points, 4);
    EXPECT_EQ(ox_read(world, made_of(commands, copy), Health).points, 3);
    EXPECT_EQ(ox_read(world, made_of(commands, second), Health).points, 3);
    EXPECT_EQ(ox_commands_get_info(commands).windows, 3);
    end();
}

TEST(commands, an_instance_begins_without_what_its_source_cleans_up) {
    begin();
    ox_entity ship = ox_entity_create(world, OX_VALUE(Registered, {3}), OX_VALUE(Health, {1}));

    ox_entity plain = ox_commands_instantiate(commands, ship);
    ox_entity added = ox_commands_instantiate(commands, ship);
    ox_commands_add_at(commands, added, ox_component_id_of(Registered), NULL, OX_HERE);
    EXPECT(ox_commands_playback(commands));

    EXPECT(!ox_has(world, made_of(commands, plain), Registered));
    EXPECT_EQ(ox_read(world, made_of(commands, added), Registered).slot, 0);
    EXPECT_EQ(ox_read(world, made_of(commands, added), Health).points, 1);
    end();
}

TEST(commands, destroy_takes_the_group_and_leaves_what_is_cleaned_up) {
    begin();
    ox_entity part, root = make_group(&part);
    ox_add(world, part, Registered, {5});

    ox_commands_destroy_entity(commands, root);
    EXPECT(ox_commands_playback(commands));

    EXPECT(!ox_entity_exists(world, root));
    EXPECT(ox_has(world, part, ox_destroyed));
    EXPECT_EQ(ox_read(world, part, Registered).slot, 5);
    end();
}

TEST(commands, destroy_of_what_is_not_alive_is_ignored) {
    begin();
    ox_entity ship = ox_entity_create(world);
    ox_entity left = ox_entity_create(world, OX_VALUE(Registered, {1}));
    ox_entity_destroy(world, left);

    ox_commands_destroy_entity(commands, ship);
    ox_commands_destroy_entity(commands, ship);
    ox_commands_destroy_entity(commands, left);
    ox_entity made = ox_commands_create_entity(commands);
    ox_commands_destroy_entity(commands, made);
    ox_commands_destroy_entity(commands, made);
    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(count_alive(world), 1);
    EXPECT_EQ(ox_commands_get_info(commands).failed, 0);
    end();
}

TEST(commands, removing_the_last_cleanup_component_ends_what_was_destroyed) {
    begin();
    ox_entity ship = ox_entity_create(world, OX_VALUE(Registered, {1}), OX_VALUE(Health, {1}));

    ox_commands_destroy_entity(commands, ship);
    ox_commands_set(commands, ship, Registered, {2});
    ox_commands_remove(commands, ship, Registered);
    EXPECT(ox_commands_playback(commands));

    EXPECT(!ox_entity_exists(world, ship));
    EXPECT_EQ(count_alive(world), 0);
    end();
}

TEST(commands, buffers_are_added_set_and_appended_to) {
    begin();
    ox_entity ship = ox_entity_create_in(world, ox_archetype_of(world, Note));
    ox_buffer_push(ox_edit(world, ship, Note), Note, {1});
    const Path path[3] = {{1, 2}, {3, 4}, {5, 6}};
    const Note notes[4] = {{10}, {11}, {12}, {13}};

    ox_commands_add_buffer(commands, ship, Path, path, 3);
    ox_commands_push(commands, ship, Path, {7, 8});
    ox_commands_push_many(commands, ship, Note, notes, 4);
    EXPECT(ox_commands_playback(commands));

    ox_buffer there = ox_get(world, ship, Path);
    EXPECT_EQ(ox_buffer_count(there), 4);
    EXPECT_EQ(ox_buffer_get(there, 3, Path)->y, 8.0f);
    ox_buffer sounds = ox_get(world, ship, Note);
    EXPECT_EQ(ox_buffer_count(sounds), 5);
    EXPECT_EQ(ox_buffer_get(sounds, 0, Note)->pitch, 1);
    EXPECT_EQ(ox_buffer_get(sounds, 4, Note)->pitch, 13);
    end();
}

TEST(commands, elements_that_are_set_take_the_place_of_all_others) {
    begin();
    ox_entity ship = ox_entity_create_in(world, ox_archetype_of(world, Note, Path));
    ox_buffer_resize(ox_edit(world, ship, Note), 6);
    const Note notes[1] = {{10}};

    ox_commands_set_buffer(commands, ship, Note, notes, 1);
    ox_commands_add_buffer(commands, ship, Path, NULL, 0);
    EXPECT(ox_commands_playback(commands));

    ox_buffer sounds = ox_get(world, ship, Note);
    EXPECT_EQ(ox_buffer_count(sounds), 1);
    EXPECT_EQ(ox_buffer_get(sounds, 0, Note)->pitch, 10);
    EXPECT(ox_buffer_is_empty(ox_get(world, ship, Path)));
    end();
}

TEST(commands, a_buffer_that_is_left_of_an_entity_can_be_added_again) {
    begin();
    ox_entity ship = ox_entity_create_in(world, ox_archetype_of(world, Trail, Health));
    ox_buffer_push(ox_edit(world, ship, Trail), Trail, {1});
    const Trail elements[3] = {{7}, {8}, {9}};

    ox_commands_destroy_entity(commands, ship);
    ox_commands_add_buffer(commands, ship, Trail, elements, 3);
    EXPECT(ox_commands_playback(commands));

    EXPECT(ox_has(world, ship, ox_destroyed));
    EXPECT_EQ(ox_buffer_count(ox_get(world, ship, Trail)), 3);
    end();
}

TEST(commands, by_query_change_what_matches_when_they_are_carried_out) {
    begin();
    ox_query *ships = ox_query_create(world, OX_READ(Health));
    ox_query *teams = ox_query_create(world, OX_READ(Team));
    ox_query *frozen = ox_query_create(world, OX_WITH(Frozen));
    ox_entity before = ox_entity_create(world, OX_VALUE(Health, {1}), OX_VALUE(Team, {1}));

    ox_entity made = ox_commands_create_entity(commands, OX_VALUE(Health, {2}));
    ox_commands_query_add(commands, ships, Position);
    ox_commands_query_remove(commands, teams, Health);
    ox_commands_query_set_shared(commands, teams, Team, {5});
    ox_commands_create_entity(commands, OX_VALUE_TAG(Frozen));
    ox_commands_query_destroy_entities(commands, frozen);
    EXPECT(ox_commands_playback(commands));

    EXPECT(ox_has(world, before, Position) && !ox_has(world, before, Health));
    EXPECT_EQ(ox_read(world, before, Team).id, 5);
    EXPECT(ox_has(world, made_of(commands, made), Position));
    EXPECT_EQ(ox_query_count(frozen), 0);
    EXPECT_EQ(count_alive(world), 2);
    end();
}

TEST(commands, that_destroy_by_query_may_end_what_the_query_names) {
    begin();
    ox_query *frozen = ox_query_create(world, OX_WITH(Frozen));
    for (int k = 0; k < 100; k++) {
        ox_entity_create_in(world, ox_archetype_of(world, Frozen));
    }

    ox_commands_query_destroy_entities(commands, frozen);
    ox_commands_query_remove(commands, frozen, Frozen);
    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(count_alive(world), 0);
    end();
}
