// SPDX-License-Identifier: MIT
//
// Temporary ids in commands and in their values; playing back often, clearing, counting.

#include "commands/commands_test.h"

#include "oxbow/syncs.h"

#include <pthread.h>
#include <unistd.h>

// Sanitizers make frames larger.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { SANITIZED_STACKS = 8 };
#else
enum { SANITIZED_STACKS = 1 };
#endif

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

TEST(commands_values, temporary_ids_in_values_become_what_was_created) {
    begin();
    ox_entity leader = ox_commands_create_entity(commands);
    ox_entity other = ox_commands_create_entity(commands);
    Follows follows = {.leader = leader, .others = {other, leader}, .distance = 3};

    ox_entity created = ox_commands_create_entity(commands, OX_VALUE(Follows, follows));
    ox_entity added = ox_commands_create_entity(commands);
    ox_commands_add(commands, added, Follows, {.leader = added, .others = {created}});
    ox_commands_set(commands, created, Follows, follows);
    EXPECT(ox_commands_playback(commands));

    Follows first = ox_read(world, made_of(commands, created), Follows);
    EXPECT(is_same(first.leader, made_of(commands, leader)));
    EXPECT(is_same(first.others[0], made_of(commands, other)));
    EXPECT(is_same(first.others[1], made_of(commands, leader)));
    EXPECT_EQ(first.distance, 3);
    Follows second = ox_read(world, made_of(commands, added), Follows);
    EXPECT(is_same(second.leader, made_of(commands, added)));
    EXPECT(is_same(second.others[0], made_of(commands, created)));
    EXPECT_EQ(second.others[1].version, 0);
    end();
}

TEST(commands_values, temporary_ids_in_elements_become_what_was_created) {
    begin();
    ox_entity root = ox_commands_create_entity(commands);
    ox_entity part = ox_commands_create_entity(commands, OX_VALUE(Health, {1}));
    const Crew crew[3] = {{1, part}, {2, root}, {3, part}};
    const ox_linked links[2] = {{root}, {part}};

    ox_commands_add_buffer(commands, root, Crew, crew, 3);
    ox_commands_add_buffer(commands, root, ox_linked, links, 2);
    ox_entity copy = ox_commands_instantiate(commands, root);
    EXPECT(ox_commands_playback(commands));

    ox_buffer there = ox_get(world, made_of(commands, root), Crew);
    EXPECT(is_same(ox_buffer_get(there, 0, Crew)->who, made_of(commands, part)));
    EXPECT(is_same(ox_buffer_get(there, 1, Crew)->who, made_of(commands, root)));
    there = ox_get(world, made_of(commands, copy), Crew);
    EXPECT(is_same(ox_buffer_get(there, 1, Crew)->who, made_of(commands, copy)));
    EXPECT(!is_same(ox_buffer_get(there, 0, Crew)->who, made_of(commands, part)));
    EXPECT_EQ(count_alive(world), 4);
    end();
}

TEST(commands_values, values_are_copied_when_they_are_recorded) {
    begin();
    Health health = {4};
    Note notes[2] = {{1}, {2}};
    ox_entity made =
        ox_commands_create_entity(commands, OX_VALUE(Health, health), OX_VALUE_TAG(Note));
    ox_commands_set_buffer(commands, made, Note, notes, 2);
    health.points = 5;
    notes[1].pitch = 9;

    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(ox_read(world, made_of(commands, made), Health).points, 4);
    ox_buffer there = ox_get(world, made_of(commands, made), Note);
    EXPECT_EQ(ox_buffer_get(there, 1, Note)->pitch, 2);
    end();
}

TEST(commands_values, a_value_of_any_size_can_be_recorded) {
    begin();
    Large large = {{1}};
    large.bytes[999] = 7;
    static Path path[100000];
    path[99999].x = 5;
    ox_entity ship = ox_entity_create(world);

    for (int k = 0; k < 100; k++) {
        ox_commands_add(commands, ship, Large, large);
    }
    ox_commands_add_buffer(commands, ship, Path, path, 100000);
    ox_commands_push(commands, ship, Path, {1, 1});
    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(ox_get(world, ship, Large)->bytes[999], 7);
    ox_buffer there = ox_get(world, ship, Path);
    EXPECT_EQ(ox_buffer_count(there), 100001);
    EXPECT_EQ(ox_buffer_get(there, 99999, Path)->x, 5.0f);
    end();
}

TEST(commands_values, commands_that_play_often_make_new_entities_each_time) {
    world = make_world(&reports);
    ox_commands_def def = {.name = "volley", .plays_often = true};
    commands = ox_commands_create(world, &def);
    ox_entity leader = ox_commands_create_entity(commands);
    ox_entity made = ox_commands_create_entity(commands, OX_VALUE(Follows, {.leader = leader}));

    for (int k = 1; k <= 3; k++) {
        EXPECT(ox_commands_playback(commands));

        EXPECT_EQ(count_alive(world), (uint32_t)k * 2);
        EXPECT_EQ(ox_commands_get_info(commands).playbacks, (uint32_t)k);
        Follows follows = ox_read(world, made_of(commands, made), Follows);
        EXPECT(is_same(follows.leader, made_of(commands, leader)));
        EXPECT_EQ(follows.leader.index, (uint32_t)(k - 1) * 2);
    }
    end();
}

TEST(commands_values, cleared_commands_are_as_new) {
    begin();
    ox_commands_create_entity(commands, OX_VALUE(Health, {1}));
    EXPECT(ox_commands_clear(commands));
    EXPECT_EQ(ox_commands_get_info(commands).count, 0);

    for (int k = 1; k <= 3; k++) {
        ox_entity made = ox_commands_create_entity(commands, OX_VALUE(Health, {k}));
        EXPECT(ox_commands_playback(commands));

        EXPECT_EQ(count_alive(world), (uint32_t)k);
        EXPECT_EQ(ox_read(world, made_of(commands, made), Health).points, k);
        EXPECT_EQ(ox_commands_get_info(commands).played, 1);
        EXPECT(ox_commands_clear(commands));
    }
    end();
}

TEST(commands_values, memory_of_disposed_commands_serves_others) {
    begin();
    for (int k = 0; k < 20; k++) {
        ox_commands other = ox_commands_create(world, NULL);
        for (int n = 0; n < 100; n++) {
            ox_commands_create_entity(other, OX_VALUE(Large, {{1}}));
        }
        play(&other);
    }
    EXPECT_EQ(count_alive(world), 2000);
    end();
}

TEST(commands_values, five_commands_on_one_entity_are_one_move) {
    begin();
    ox_entity ship = ox_entity_create(world, OX_VALUE(Health, {1}));
    uint32_t archetypes = ox_world_get_usage(world).archetype_count;

    ox_commands_add(commands, ship, Position, {1, 2});
    ox_commands_add(commands, ship, Velocity, {1, 2});
    ox_commands_set(commands, ship, Health, {3});
    ox_commands_remove(commands, ship, Health);
    ox_commands_add_tag(commands, ship, Frozen);
    EXPECT(ox_commands_playback(commands));

    ox_commands_info info = ox_commands_get_info(commands);
    EXPECT_EQ(info.moved, 1);
    EXPECT_EQ(info.copies, 1);
    EXPECT_EQ(info.windows, 1);
    EXPECT_EQ(ox_world_get_usage(world).archetype_count, archetypes + 1);
    end();
}

TEST(commands_values, ten_thousand_equal_moves_are_few_copies) {
    begin();
    enum { MANY = 10000 };
    static ox_entity ships[MANY];
    ox_entities_create(world, ox_archetype_of(world, Health), ships, MANY);

    for (int k = 0; k < MANY; k++) {
        ox_commands_add(commands, ships[k], Position, {(float)k, 2});
    }
    EXPECT(ox_commands_playback(commands));

    ox_commands_info info = ox_commands_get_info(commands);
    EXPECT_EQ(info.moved, MANY);
    EXPECT(info.copies <= ox_world_get_usage(world).chunk_count + 1);
    EXPECT_EQ(ox_read(world, ships[MANY - 1], Position).x, (float)(MANY - 1));
    end();
}

TEST(commands_values, what_comes_and_goes_within_a_playback_leaves_nothing) {
    begin();
    uint64_t hash = ox_world_hash(world), layout = ox_world_hash_layout(world);
    uint32_t archetypes = ox_world_get_usage(world).archetype_count;

    ox_entity made =
        ox_commands_create_entity(commands, OX_VALUE(Health, {1}), OX_VALUE(Team, {1}));
    ox_commands_add(commands, made, Position, {1, 2});
    ox_commands_destroy_entity(commands, made);
    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(ox_world_hash(world), hash);
    EXPECT_NE(ox_world_hash_layout(world), layout); // an id was used
    EXPECT_EQ(ox_world_get_usage(world).archetype_count, archetypes);
    EXPECT_EQ(ox_commands_get_info(commands).moved, 0);
    end();
}

OX_ENTITY_JOB(AddPoint, (OX_WRITE(Health, health)), { int32_t add; }) {
    health->points += job->add;
}

TEST(commands_values, an_empty_playback_waits_for_nobody) {
    start_workers_of_test(1);
    begin();
    ox_entity ship = ox_entity_create(world, OX_VALUE(Health, {1}));
    ox_world_record_syncs(world, true);
    ox_schedule_entities(AddPoint, ox_world_get_root(world), OX_AUTO, {1});

    EXPECT(ox_commands_playback(commands));
    EXPECT_EQ(ox_world_get_syncs(world, NULL, 0), 0);
    EXPECT(ox_commands_clear(commands));
    ox_commands_set(commands, ship, Health, {9});
    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(ox_world_get_syncs(world, NULL, 0), 1);
    EXPECT_EQ(ox_read(world, ship, Health).points, 9);
    end();
    ox_jobs_stop();
}

// Each command adds or removes one of 15 tags, so that every set comes once: more than are kept.
TEST(commands_values, sets_that_are_only_passed_through_are_not_made) {
    enum { TAGS = 15, SETS = 1 << TAGS };
    uint32_t tags[TAGS];
    for (int k = 0; k < TAGS; k++) {
        tags[k] = define_sized("CommandsTag", k, 0);
    }
    for (int round = 0; round < 3; round++) {
        begin();
        ox_entity ship = ox_entity_create(world, OX_VALUE(Health, {7}));
        uint32_t archetypes = ox_world_get_usage(world).archetype_count;
        for (uint32_t k = 1; k < SETS; k++) {
            uint32_t bit = oxi_bits_lowest(k);
            bool is_on = ((k ^ k >> 1) >> bit & 1) != 0;
            if (is_on) {
                ox_commands_add_at(commands, ship, tags[bit], NULL, OX_HERE);
            } else {
                ox_commands_remove_at(commands, ship, tags[bit], OX_HERE);
            }
            if (k == SETS / 2) { // the rest is played back with other sets in mind
                EXPECT(ox_commands_playback(commands));
                EXPECT(ox_commands_clear(commands));
            }
        }
        EXPECT(ox_commands_playback(commands));

        EXPECT_EQ(ox_world_get_usage(world).archetype_count, archetypes + 2);
        EXPECT_EQ(ox_entity_get_components(world, ship, NULL, 0), 2);
        EXPECT(ox_has_id(world, ship, tags[TAGS - 1]));
        EXPECT_EQ(ox_read(world, ship, Health).points, 7);
        end();
    }
}

// On a thread with little stack: nothing may call itself once for each command, mark or window.
static void *play_many(void *context) {
    const uint64_t count = *(const uint64_t *)context;
    begin();
    ox_entity ship = ox_entity_create(world, OX_VALUE(Health, {1}));
    for (uint64_t k = 0; k < count; k++) {
        ox_commands here = commands;
        if (k % 100 == 0) {
            here = ox_commands_at_key(commands, (int32_t)(count - k)); // a segment of its own
        }
        ox_commands_set(here, ship, Health, {(int32_t)(k % 1000)});
    }

    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(ox_commands_get_info(commands).played, count);
    EXPECT_EQ(ox_commands_get_info(commands).windows, (count + 65535) / 65536);
    EXPECT_EQ(ox_read(world, ship, Health).points, 0);
    end();
    return NULL;
}

TEST(commands_values, ten_million_commands_need_no_more_stack_than_ten) {
    uint64_t count = test_scaled(10000000);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    long least = sysconf(_SC_THREAD_STACK_MIN), wanted = 64 * 1024 * SANITIZED_STACKS;
    EXPECT_EQ(pthread_attr_setstacksize(&attributes, (size_t)(wanted > least ? wanted : least)), 0);
    pthread_t thread;
    EXPECT_EQ(pthread_create(&thread, &attributes, play_many, &count), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}
