// SPDX-License-Identifier: MIT
//
// Changes to the entities of an array: what single calls would do in turn, but all or none.

#include "entities/kinds_test.h"

enum { FLEET = 200 };

static collected_reports reports;
static ox_entity fleet[FLEET];

// Some have Velocity, some are frozen, in two teams.
static ox_world *make_fleet(void) {
    ox_world *world = make_world(&reports);
    for (int k = 0; k < FLEET; k++) {
        fleet[k] = ox_entity_create(world, OX_VALUE(Large, {{(unsigned char)k}}));
        EXPECT(k % 3 != 0 || ox_add(world, fleet[k], Velocity, {1, 1}));
        EXPECT(k % 5 != 0 || ox_add_tag(world, fleet[k], Frozen));
        EXPECT(k % 7 != 0 || ox_add(world, fleet[k], Team, {k % 2}));
        EXPECT(k % 11 != 0 || ox_add_tag(world, fleet[k], Note));
    }
    return world;
}

static void expect_told(ox_report_id id, const char *part) {
    EXPECT_HAS(reports.text, part);
    EXPECT_REPORT(&reports, id);
}

// Both worlds lie alike, and so do the next entities made in them.
static void expect_alike(ox_world *array, ox_world *single) {
    EXPECT_EQ(ox_world_hash(array), ox_world_hash(single));
    EXPECT_EQ(ox_world_hash_layout(array), ox_world_hash_layout(single));
    EXPECT(ox_world_validate(array));
    ox_world_destroy(single);
    end_world(array, &reports);
}

TEST(entity_arrays, adding_does_what_single_calls_do) {
    ox_world *array = make_fleet(), *single = make_fleet();

    EXPECT(ox_entities_add(array, fleet, FLEET, Velocity, {3, 4}));
    for (int k = 0; k < FLEET; k++) {
        EXPECT(ox_add(single, fleet[k], Velocity, {3, 4}));
        EXPECT_EQ(ox_get(array, fleet[k], Velocity)->y, 4);
    }

    expect_alike(array, single);
}

TEST(entity_arrays, adding_a_tag_does_what_single_calls_do) {
    ox_world *array = make_fleet(), *single = make_fleet();

    EXPECT(ox_entities_add_tag(array, fleet + 20, FLEET / 2, Frozen));
    for (int k = 0; k < FLEET / 2; k++) {
        EXPECT(ox_add_tag(single, fleet[20 + k], Frozen));
    }

    expect_alike(array, single);
}

TEST(entity_arrays, adding_a_shared_value_does_what_single_calls_do) {
    ox_world *array = make_fleet(), *single = make_fleet();

    EXPECT(ox_entities_add(array, fleet, FLEET, Team, {1}));
    for (int k = 0; k < FLEET; k++) {
        EXPECT(ox_add(single, fleet[k], Team, {1}));
        EXPECT_EQ(ox_get(array, fleet[k], Team)->id, 1);
    }
    EXPECT_EQ(ox_world_hash_layout(array), ox_world_hash_layout(single));
    EXPECT(ox_entities_add_tag(array, fleet, FLEET, Team)); // the default
    for (int k = 0; k < FLEET; k++) {
        EXPECT(ox_add_tag(single, fleet[k], Team));
        EXPECT_EQ(ox_get(array, fleet[k], Team)->id, 0);
    }

    expect_alike(array, single);
}

TEST(entity_arrays, a_buffer_that_is_there_keeps_its_elements) {
    ox_world *world = make_fleet();
    EXPECT(ox_buffer_push(ox_edit(world, fleet[11], Note), Note, {60}));

    EXPECT(ox_entities_add_tag(world, fleet, FLEET, Note));

    EXPECT_EQ(ox_entities_count_with(world, fleet, FLEET, Note), FLEET);
    EXPECT_EQ(ox_buffer_count(ox_get(world, fleet[11], Note)), 1);
    EXPECT_EQ(ox_buffer_count(ox_get(world, fleet[12], Note)), 0);
    end_world(world, &reports);
}

TEST(entity_arrays, removing_does_what_single_calls_do) {
    ox_world *array = make_fleet(), *single = make_fleet();

    EXPECT(ox_entities_remove(array, fleet + 30, 100, Large));
    for (int k = 30; k < 130; k++) {
        EXPECT(ox_remove(single, fleet[k], Large));
    }

    EXPECT_EQ(ox_entities_count_with(array, fleet, FLEET, Large), FLEET - 100);
    expect_alike(array, single);
}

TEST(entity_arrays, destroying_does_what_single_calls_do) {
    ox_world *array = make_fleet(), *single = make_fleet();

    EXPECT(ox_entities_destroy(array, fleet + 30, 100));
    for (int k = 30; k < 130; k++) {
        ox_entity_destroy(single, fleet[k]);
    }

    expect_alike(array, single);
}

TEST(entity_arrays, removing_the_last_cleanup_component_ends_destroyed_entities) {
    ox_world *world = make_fleet();
    EXPECT(ox_entities_add(world, fleet, 10, Registered, {7}));
    EXPECT(ox_entities_destroy(world, fleet, 5));
    EXPECT_EQ(ox_entities_count_with(world, fleet, 10, ox_destroyed), 5);

    EXPECT(ox_entities_remove(world, fleet, 10, Registered));

    EXPECT(!ox_entity_exists(world, fleet[4]));
    EXPECT(ox_entity_exists(world, fleet[5]));
    end_world(world, &reports);
}

TEST(entity_arrays, no_entities_are_no_change) {
    ox_world *world = make_fleet();
    uint64_t before = ox_world_hash_layout(world);

    EXPECT(ox_entities_add(world, NULL, 0, Velocity, {1, 1}));
    EXPECT(ox_entities_remove(world, NULL, 0, Velocity));
    EXPECT(ox_entities_destroy(world, NULL, 0));

    EXPECT_EQ(ox_entities_count_with(world, NULL, 0, Velocity), 0);
    EXPECT_EQ(ox_world_hash_layout(world), before);
    end_world(world, &reports);
}

TEST(entity_arrays, an_entity_may_be_given_a_component_twice) {
    ox_world *world = make_fleet();
    ox_entity list[3] = {fleet[1], fleet[2], fleet[1]};

    EXPECT(ox_entities_add(world, list, 3, Velocity, {3, 4}));

    EXPECT_EQ(ox_entities_count_with(world, list, 3, Velocity), 3);
    end_world(world, &reports);
}

TEST(entity_arrays, an_entity_that_is_not_alive_is_reported_with_its_index) {
    ox_world *world = make_fleet();
    ox_entity_destroy(world, fleet[17]);
    uint64_t before = ox_world_hash_layout(world);

    EXPECT(!ox_entities_add(world, fleet, FLEET, Velocity, {3, 4}));
    expect_told(OX_REPORT_STALE_ENTITY, "ox_entities_add, entities[17], of entity 17:1");
    EXPECT(!ox_entities_remove(world, fleet, FLEET, Large));
    expect_told(OX_REPORT_STALE_ENTITY, "ox_entities_remove, entities[17], of entity 17:1");
    EXPECT(!ox_entities_destroy(world, fleet, FLEET));
    expect_told(OX_REPORT_STALE_ENTITY, "ox_entities_destroy, entities[17], of entity 17:1");

    EXPECT_EQ(ox_entities_count_with(world, fleet, FLEET, Large), FLEET - 1);
    EXPECT_EQ(ox_world_hash_layout(world), before);
    end_world(world, &reports);
}

TEST(entity_arrays, an_entity_that_would_lose_a_component_twice_is_reported) {
    ox_world *world = make_fleet();
    ox_entity list[3] = {fleet[1], fleet[2], fleet[1]};
    uint64_t before = ox_world_hash_layout(world);

    EXPECT(!ox_entities_remove(world, list, 3, Large));
    expect_told(OX_REPORT_DUPLICATE,
                "entities[2], which is entity 1:1, in a list for ox_entities_remove");
    EXPECT(!ox_entities_destroy(world, list, 3));
    expect_told(OX_REPORT_DUPLICATE,
                "entities[2], which is entity 1:1, in a list for ox_entities_destroy");

    EXPECT_EQ(ox_world_hash_layout(world), before);
    end_world(world, &reports);
}

TEST(entity_arrays, an_entity_that_lacks_the_component_is_reported) {
    ox_world *world = make_fleet();
    uint64_t before = ox_world_hash_layout(world);

    EXPECT(!ox_entities_remove(world, fleet, FLEET, Velocity));

    expect_told(OX_REPORT_NO_COMPONENT, "entity 1:1 in world 'sea' has no 'Velocity'");
    EXPECT_EQ(ox_world_hash_layout(world), before);
    end_world(world, &reports);
}

TEST(entity_arrays, nothing_is_added_to_destroyed_entities) {
    ox_world *world = make_fleet();
    EXPECT(ox_add(world, fleet[4], Registered, {1}));
    ox_entity_destroy(world, fleet[4]);
    uint64_t before = ox_world_hash_layout(world);

    EXPECT(!ox_entities_add(world, fleet, FLEET, Velocity, {3, 4}));

    expect_told(OX_REPORT_RESIDUE, "ox_entities_add of entity 4:1");
    EXPECT_EQ(ox_world_hash_layout(world), before);
    end_world(world, &reports);
}

TEST(entity_arrays, bad_arguments_are_reported) {
    collect_reports(&reports); // NULL is told to the process
    ox_world *world = make_fleet();

    EXPECT(!ox_entities_add(world, fleet, -2, Velocity, {3, 4}));
    expect_told(OX_REPORT_BAD_COUNT, "-2 for ox_entities_add");
    EXPECT(!ox_entities_remove(world, fleet, -2, Velocity));
    expect_told(OX_REPORT_BAD_COUNT, "-2 for ox_entities_remove");
    EXPECT(!ox_entities_add_at(world, NULL, 1, ox_component_id_of(Velocity), NULL, OX_HERE));
    expect_told(OX_REPORT_NULL_ARGUMENT, "'entities' of ox_entities_add is NULL");
    EXPECT(!ox_entities_remove(world, NULL, 1, Velocity));
    expect_told(OX_REPORT_NULL_ARGUMENT, "'entities' of ox_entities_remove is NULL");
    EXPECT(!ox_entities_add_at(world, fleet, 1, 0, NULL, OX_HERE));
    expect_told(OX_REPORT_UNKNOWN_COMPONENT, "0");
    EXPECT(!ox_entities_add(world, fleet, 1, Note, {1}));
    expect_told(OX_REPORT_WRONG_KIND, "ox_entities_add");
    EXPECT(!ox_entities_add_tag(world, fleet, 1, ox_destroyed));
    expect_told(OX_REPORT_WRONG_KIND, "ox_destroyed");

    EXPECT_EQ(ox_entities_count_with(NULL, fleet, 3, Large), 0);
    end_world(world, &reports);
}
