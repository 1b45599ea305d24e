// SPDX-License-Identifier: MIT
//
// What else a playback changes, as calls do: versions that filters of queries look at, names, and
// ids at the end of their versions.

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

// How many entities lie in chunks where a component changed.
static int64_t count_changed(ox_query *query, uint32_t component, uint32_t since) {
    EXPECT(ox_query_filter_changed_at(query, component, since, OX_HERE));
    int64_t count = ox_query_count(query);
    ox_query_reset_filters_at(query, OX_HERE);
    return count;
}

static ox_query *healths, *notes, *switches;
static ox_entity ship;

// One entity with everything, and the version before what follows.
static uint32_t begin_changes(void) {
    begin();
    ship =
        ox_entity_create(world, OX_VALUE(Health, {1}), OX_VALUE_TAG(Note), OX_VALUE(Stunned, {1}));
    healths = ox_query_create(world, OX_READ(Health));
    notes = ox_query_create(world, OX_READ(Note));
    switches = ox_query_create(world, OX_PRESENT(Stunned), OX_READ(Health));
    uint32_t version = ox_world_get_version(world);
    ox_world_advance_version_at(world, OX_HERE);
    return version;
}

TEST(commands_changes, a_value_that_is_set_has_changed_and_no_other) {
    uint32_t since = begin_changes();
    ox_commands_set(commands, ship, Health, {2});
    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(count_changed(healths, ox_component_id_of(Health), since), 1);
    EXPECT_EQ(count_changed(notes, ox_component_id_of(Note), since), 0);
    end();
}

TEST(commands_changes, elements_have_changed) {
    uint32_t since = begin_changes();
    ox_commands_push(commands, ship, Note, {2});
    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(count_changed(notes, ox_component_id_of(Note), since), 1);
    EXPECT_EQ(count_changed(healths, ox_component_id_of(Health), since), 0);
    end();
}

TEST(commands_changes, a_move_carries_versions_along) {
    uint32_t since = begin_changes();
    ox_commands_add(commands, ship, Position, {1, 2});
    EXPECT(ox_commands_playback(commands));
    ox_query *positions = ox_query_create(world, OX_READ(Position));

    EXPECT_EQ(count_changed(positions, ox_component_id_of(Position), since), 1);
    EXPECT_EQ(count_changed(healths, ox_component_id_of(Health), since), 0);
    end();
}

TEST(commands_changes, a_move_with_a_value_has_changed_it) {
    uint32_t since = begin_changes();
    ox_commands_set(commands, ship, Health, {4});
    ox_commands_add_tag(commands, ship, Frozen);
    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(count_changed(healths, ox_component_id_of(Health), since), 1);
    EXPECT_EQ(count_changed(notes, ox_component_id_of(Note), since), 0);
    end();
}

TEST(commands_changes, what_is_new_has_changed) {
    uint32_t since = begin_changes();
    ox_commands_create_entity(commands, OX_VALUE(Health, {2}), OX_VALUE_TAG(Frozen));
    ox_commands_instantiate(commands, ship);
    EXPECT(ox_commands_playback(commands));

    EXPECT_EQ(count_changed(healths, ox_component_id_of(Health), since),
              3); // the copy lies with its source
    end();
}

// The same by calls and by commands, for each change of one component.
TEST(commands_changes, versions_are_those_that_calls_leave) {
    for (int way = 0; way < 2; way++) {
        uint32_t since = begin_changes();
        uint32_t order = ox_world_get_order_version(world, ox_component_id_of(Health));
        if (way == 0) {
            ox_set_enabled(world, ship, Stunned, false);
        } else {
            ox_commands_set_enabled(commands, ship, Stunned, false);
            EXPECT(ox_commands_playback(commands));
        }
        EXPECT_EQ(count_changed(switches, ox_component_id_of(Health), since), 0);
        EXPECT_EQ(ox_world_get_order_version(world, ox_component_id_of(Health)), order);
        if (way == 0) {
            ox_remove(world, ship, Note);
        } else {
            EXPECT(ox_commands_clear(commands));
            ox_commands_remove(commands, ship, Note);
            EXPECT(ox_commands_playback(commands));
        }
        EXPECT_EQ(count_changed(switches, ox_component_id_of(Health), since), 0);
        EXPECT_NE(ox_world_get_order_version(world, ox_component_id_of(Health)), order);
        end();
    }
}

TEST(commands_changes, names_end_with_their_entities) {
    for (int way = 0; way < 2; way++) {
        begin();
        ox_entity gone = ox_entity_create(world, OX_VALUE(Health, {1}));
        ox_entity left = ox_entity_create(world, OX_VALUE(Registered, {1}));
        ox_entity moved = ox_entity_create(world);
        ox_entity_set_name(world, gone, "gone");
        ox_entity_set_name(world, left, "left");
        ox_entity_set_name(world, moved, "moved");
        if (way == 0) {
            ox_entity_destroy(world, gone);
            ox_entity_destroy(world, left);
            ox_add(world, moved, Health, {1});
        } else {
            ox_commands_destroy_entity(commands, gone);
            ox_commands_destroy_entity(commands, left);
            ox_commands_add(commands, moved, Health, {1});
            EXPECT(ox_commands_playback(commands));
        }
        EXPECT_EQ(ox_entity_find(world, "gone").version, 0);
        EXPECT(is_same(ox_entity_find(world, "left"), left));
        EXPECT(is_same(ox_entity_find(world, "moved"), moved));
        ox_entity next = ox_entity_create(world);
        EXPECT_EQ(next.index, gone.index);
        EXPECT(ox_entity_get_name(world, next) == NULL);
        end();
    }
}

TEST(commands_changes, an_instance_has_no_name) {
    begin();
    ox_entity source = ox_entity_create(world, OX_VALUE(Health, {1}));
    ox_entity_set_name(world, source, "one");
    ox_entity copy = ox_commands_instantiate(commands, source);
    EXPECT(ox_commands_playback(commands));

    EXPECT(ox_entity_get_name(world, made_of(commands, copy)) == NULL);
    EXPECT(is_same(ox_entity_find(world, "one"), source));
    end();
}

TEST(commands_changes, an_id_at_its_last_version_is_retired) {
    begin();
    ox_entity last = ox_entity_create_in(world, ox_archetype_of(world, Health));
    world->store.entities.records[0].version = UINT32_MAX;
    oxi_chunk_entities(world->store.entities.records[0].chunk)[0].version = UINT32_MAX;
    last.version = UINT32_MAX;

    ox_commands_set(commands, last, Health, {1});
    ox_commands_destroy_entity(commands, last);
    ox_entity first = ox_commands_create_entity(commands);
    ox_commands_destroy_entity(commands, first);
    ox_entity second = ox_commands_create_entity(commands);
    EXPECT(ox_commands_playback(commands));

    EXPECT(is_same(made_of(commands, first), (ox_entity){1, 1}));
    EXPECT(is_same(made_of(commands, second), (ox_entity){1, 2}));
    EXPECT(!ox_entity_exists(world, last));
    EXPECT_EQ(count_alive(world), 1);
    end();
}

// A world that swaps back: rows that come to a chunk and rows that leave it in one window.
TEST(commands_changes, rows_that_come_and_go_in_one_window_keep_their_entities) {
    reports = (collected_reports){0};
    world = ox_world_create(
        &(ox_world_def){.removal = OX_REMOVAL_SWAP, .on_report = {collect_report, &reports}});
    commands = ox_commands_create(world, NULL);
    ox_entity ships[60];
    for (int k = 0; k < 60; k++) {
        ships[k] = ox_entity_create(world, OX_VALUE(Health, {k}));
        if (k % 2 == 0) {
            ox_add_tag(world, ships[k], Frozen);
        }
    }

    for (int k = 0; k < 60; k++) {
        if (k % 2 == 0) {
            ox_commands_remove(commands, ships[k], Frozen);
        } else {
            ox_commands_add_tag(commands, ships[k], Frozen);
        }
    }
    EXPECT(ox_commands_playback(commands));

    for (int k = 0; k < 60; k++) {
        EXPECT_EQ(ox_read(world, ships[k], Health).points, k);
        EXPECT_EQ(ox_has(world, ships[k], Frozen), k % 2 == 1);
    }
    end();
}
