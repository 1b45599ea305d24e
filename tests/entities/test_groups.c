// SPDX-License-Identifier: MIT
//
// Linked groups that are destroyed: together, recursively, and by query only as a whole.

#include "entities/kinds_test.h"

#include "oxbow/memory.h"

static collected_reports reports;

static void link_group(ox_world *world, const ox_entity *members, int count) {
    ox_buffer group = ox_add_buffer(world, members[0], ox_linked);
    for (int k = 0; k < count; k++) {
        ox_buffer_push(group, ox_linked, {members[k]});
    }
}

static int count_alive(ox_world *world, const ox_entity *list, int count) {
    int alive = 0;
    for (int k = 0; k < count; k++) {
        alive += ox_entity_exists(world, list[k]);
    }
    return alive;
}

// A group of 0, 1 and 2; one of 2, 3 and 4; and 5, which is of none.
static ox_world *make_tree(ox_entity *list) {
    ox_world *world = make_world(&reports);
    for (int32_t k = 0; k < 6; k++) {
        list[k] = ox_entity_create(world, OX_VALUE(Health, {k}));
    }
    link_group(world, list, 3);
    link_group(world, list + 2, 3);
    return world;
}

TEST(groups, destroying_the_root_destroys_groups_of_groups) {
    ox_entity list[6];
    ox_world *world = make_tree(list);
    ox_entity_destroy(world, list[0]);
    EXPECT_EQ(count_alive(world, list, 5), 0);
    EXPECT(ox_entity_exists(world, list[5]));
    end_world(world, &reports);
}

TEST(groups, destroying_a_member_leaves_the_root) {
    ox_entity list[6];
    ox_world *world = make_tree(list);
    ox_entity_destroy(world, list[1]);
    EXPECT_EQ(count_alive(world, list, 6), 5);
    ox_entity_destroy(world, list[0]); // one of the group is dead already
    EXPECT_EQ(count_alive(world, list, 5), 0);
    end_world(world, &reports);
}

TEST(groups, rings_of_groups_are_destroyed_once) {
    ox_world *world = make_world(&reports);
    ox_entity list[3];
    ox_entities_create(world, ox_archetype_of(world, Health), list, 3);
    for (int k = 0; k < 3; k++) {
        ox_entity pair[2] = {list[k], list[(k + 1) % 3]};
        link_group(world, pair, 2);
    }
    ox_entity_destroy(world, list[1]);
    EXPECT_EQ(count_alive(world, list, 3), 0);
    EXPECT_EQ(ox_world_get_usage(world).entity_count, 0);
    end_world(world, &reports);
}

TEST(groups, a_list_may_name_a_root_and_its_members) {
    ox_entity list[6];
    ox_world *world = make_tree(list);
    ox_entity named[3] = {list[1], list[0], list[5]};
    EXPECT(ox_entities_destroy(world, named, 3));
    EXPECT_EQ(count_alive(world, list, 6), 0);
    end_world(world, &reports);
}

TEST(groups, a_group_that_does_not_begin_with_its_root_is_destroyed_all_the_same) {
    ox_entity list[6];
    ox_world *world = make_tree(list);
    ox_buffer_remove(ox_edit(world, list[0], ox_linked), 0);
    ox_entity_destroy(world, list[0]);
    EXPECT_EQ(count_alive(world, list, 5), 0);
    end_world(world, &reports);
}

TEST(groups, members_with_cleanup_components_leave_them) {
    ox_entity list[6];
    ox_world *world = make_tree(list);
    ox_add(world, list[0], Registered, {1});
    ox_add(world, list[3], Registered, {4});
    ox_entity_destroy(world, list[0]);
    EXPECT_EQ(count_alive(world, list, 5), 2);
    EXPECT(ox_has(world, list[0], ox_destroyed) && !ox_has(world, list[0], ox_linked));
    EXPECT_EQ(ox_get(world, list[3], Registered)->slot, 4);
    end_world(world, &reports);
}

TEST(groups, a_member_that_is_only_residue_is_left_out_of_copies) {
    ox_entity list[6];
    ox_world *world = make_tree(list);
    ox_add(world, list[1], Registered, {1});
    ox_entity_destroy(world, list[1]);
    uint32_t before = ox_world_get_usage(world).entity_count;
    EXPECT(ox_entity_instantiate(world, list[0]).version != 0);
    EXPECT_EQ(ox_world_get_usage(world).entity_count, before + 2);
    end_world(world, &reports);
}

TEST(groups, instances_are_destroyed_with_their_own_parts) {
    ox_entity list[6];
    ox_world *world = make_tree(list);
    ox_entity copy = ox_entity_instantiate(world, list[0]);
    EXPECT_EQ(ox_world_get_usage(world).entity_count, 9);
    ox_query *query = ox_query_create(world, OX_READ(Health));
    // The copy of 2 has 3 and 4 in its group, which are not copied.
    ox_entity inner = ox_buffer_get(ox_get(world, copy, ox_linked), 2, ox_linked)->entity;
    ox_buffer_clear(ox_edit(world, inner, ox_linked));

    ox_entity_destroy(world, copy);

    EXPECT_EQ(count_alive(world, list, 6), 6);
    EXPECT_EQ(ox_query_count(query), 6);
    end_world(world, &reports);
}

// By query.

TEST(groups, a_query_that_matches_whole_groups_destroys_them) {
    ox_entity list[6];
    ox_world *world = make_tree(list);
    ox_query *query = ox_query_create(world, OX_READ(Health));
    EXPECT_EQ(ox_query_destroy_entities(query), 6);
    EXPECT_EQ(count_alive(world, list, 6), 0);
    end_world(world, &reports);
}

TEST(groups, a_query_that_would_tear_a_group_destroys_nothing) {
    ox_entity list[6];
    ox_world *world = make_tree(list);
    ox_add_tag(world, list[4], Frozen);
    ox_query *query = ox_query_create(world, OX_READ(Health), OX_NONE(Frozen));
    uint64_t layout = ox_world_hash_layout(world);

    EXPECT_EQ(ox_query_destroy_entities(query), 0);

    EXPECT_HAS(reports.text, "entity 2:1 in world 'sea' matches, 4:1 of its group does not");
    EXPECT_REPORT(&reports, OX_REPORT_TORN_GROUP);
    EXPECT_EQ(ox_world_hash_layout(world), layout);
    EXPECT_EQ(count_alive(world, list, 6), 6);
    ox_entity_destroy(world, list[4]); // a member that is gone is fine
    EXPECT_EQ(ox_query_destroy_entities(query), 5);
    end_world(world, &reports);
}

TEST(groups, a_query_that_matches_members_but_not_the_root_destroys_them) {
    ox_entity list[6];
    ox_world *world = make_tree(list);
    ox_query *query = ox_query_create(world, OX_READ(Health), OX_ABSENT(ox_linked));
    EXPECT_EQ(ox_query_destroy_entities(query), 4);
    EXPECT(ox_entity_exists(world, list[0]) && ox_entity_exists(world, list[2]));
    end_world(world, &reports);
}

TEST(groups, a_member_that_is_only_residue_does_not_tear_a_group) {
    ox_entity list[6];
    ox_world *world = make_tree(list);
    ox_add(world, list[1], Registered, {1});
    ox_entity_destroy(world, list[1]);
    ox_query *query = ox_query_create(world, OX_READ(Health));
    EXPECT_EQ(ox_query_destroy_entities(query), 5);
    EXPECT(ox_entity_exists(world, list[1]));
    end_world(world, &reports);
}

TEST(groups, a_member_whose_row_is_switched_off_tears_a_group) {
    ox_world *world = make_world(&reports);
    ox_entity list[3];
    ox_entities_create(world, ox_archetype_of(world, Stunned), list, 3);
    link_group(world, list, 2);
    ox_set_enabled(world, list[1], Stunned, false);
    ox_query *query = ox_query_create(world, OX_READ(Stunned));

    EXPECT_EQ(ox_query_destroy_entities(query), 0);
    EXPECT_REPORT(&reports, OX_REPORT_TORN_GROUP);
    EXPECT_EQ(count_alive(world, list, 3), 3);
    ox_set_enabled(world, list[1], Stunned, true);
    ox_set_enabled(world, list[2], Stunned, false);
    EXPECT_EQ(ox_query_destroy_entities(query), 2);
    EXPECT(ox_entity_exists(world, list[2]));
    end_world(world, &reports);
}
