// SPDX-License-Identifier: MIT
//
// Shared components: which entities have which value, where that puts them, and what stays.

#include "entities/kinds_test.h"

#include "oxbow/containers.h"
#include "oxbow/memory.h"

static collected_reports reports;

static int32_t team_of(ox_world *world, ox_entity entity) {
    return ox_get(world, entity, Team)->id;
}

TEST(shared, two_entities_share_a_value_until_one_of_them_is_set) {
    ox_world *world = make_world(&reports);
    ox_entity a = ox_entity_create(world, OX_VALUE(Team, {2}), OX_VALUE(Health, {7}));
    ox_entity b = ox_entity_create(world, OX_VALUE(Team, {2}), OX_VALUE(Health, {8}));
    EXPECT(lie_together(world, a, b));
    EXPECT(ox_get(world, a, Team) == ox_get(world, b, Team));
    ox_entity_location before = ox_entity_get_location(world, a);

    EXPECT(ox_set(world, b, Team, {3}));

    EXPECT(!lie_together(world, a, b));
    EXPECT(is_same_place(ox_entity_get_location(world, a), before));
    EXPECT_EQ(team_of(world, a), 2);
    EXPECT_EQ(team_of(world, b), 3);
    EXPECT_EQ(ox_get(world, b, Health)->points, 8);
    end_world(world, &reports);
}

TEST(shared, an_entity_joins_others_that_have_the_value_already) {
    ox_world *world = make_world(&reports);
    ox_entity a = ox_entity_create(world, OX_VALUE(Team, {1}));
    ox_entity b = ox_entity_create(world, OX_VALUE(Team, {2}));

    EXPECT(ox_set(world, a, Team, {2}));

    EXPECT(lie_together(world, a, b));
    EXPECT_EQ(ox_world_get_usage(world).chunk_count, 1);
    end_world(world, &reports);
}

TEST(shared, equal_values_are_stored_once_whatever_else_an_entity_has) {
    ox_world *world = make_world(&reports);
    ox_entity a = ox_entity_create(world, OX_VALUE(Team, {4}));
    ox_entity b = ox_entity_create(world, OX_VALUE(Team, {4}), OX_VALUE_TAG(Frozen));
    ox_entity c = ox_entity_create(world);
    EXPECT(ox_add(world, c, Team, {4}));

    EXPECT(ox_get(world, a, Team) == ox_get(world, b, Team));
    EXPECT(ox_get(world, a, Team) == ox_get(world, c, Team));
    end_world(world, &reports);
}

TEST(shared, without_a_value_it_is_the_default) {
    ox_world *world = make_world(&reports);
    ox_entity made = ox_entity_create_in(world, ox_archetype_of(world, Team, Region)),
              added = ox_entity_create(world);
    EXPECT(ox_add_at(world, added, ox_component_id_of(Team), NULL, OX_HERE));
    ox_entity zero = ox_entity_create(world, OX_VALUE(Team, {0}), OX_VALUE(Region, {0, 0}));

    EXPECT_EQ(team_of(world, made), 0);
    EXPECT_EQ(team_of(world, added), 0);
    EXPECT(lie_together(world, made, zero));
    EXPECT(ox_get(world, made, Team) == ox_get(world, added, Team));
    end_world(world, &reports);
}

TEST(shared, adding_it_again_changes_the_value) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Team, {2}));

    EXPECT(ox_add(world, entity, Team, {3}));
    EXPECT_EQ(team_of(world, entity), 3);
    EXPECT(ox_add_at(world, entity, ox_component_id_of(Team), NULL, OX_HERE));
    EXPECT_EQ(team_of(world, entity), 0);
    EXPECT(ox_add_many(world, entity, OX_VALUE(Team, {4}), OX_VALUE(Health, {1})));
    EXPECT_EQ(team_of(world, entity), 4);
    EXPECT(ox_add_many(world, entity, OX_VALUE_TAG(Team), OX_VALUE(Health, {1})));
    EXPECT_EQ(team_of(world, entity), 0);
    end_world(world, &reports);
}

TEST(shared, setting_the_value_that_is_there_moves_and_versions_nothing) {
    ox_world *world = make_world(&reports);
    ox_entity list[3];
    ox_entities_create(world, ox_archetype_of(world, Team, Health), list, 3);
    for (int k = 0; k < 3; k++) {
        ox_set(world, list[k], Team, {6});
    }
    ox_query *query = ox_query_create(world, OX_READ(Team));
    uint32_t before = ox_world_get_version(world);
    ox_world_advance_version(world);
    uint64_t layout = ox_world_hash_layout(world);
    uint32_t order = ox_shared_get_order_version(world, ox_component_id_of(Team), &(Team){6});

    EXPECT(ox_set(world, list[0], Team, {6}));
    EXPECT(ox_add(world, list[1], Team, {6}));

    EXPECT_EQ(ox_world_hash_layout(world), layout);
    EXPECT_EQ(ox_shared_get_order_version(world, ox_component_id_of(Team), &(Team){6}), order);
    ox_query_filter_changed(query, Team, before);
    EXPECT_EQ(ox_query_count(query), 0);
    ox_query_reset_filters(query);
    ox_query_filter_order(query, before);
    EXPECT_EQ(ox_query_count(query), 0);
    end_world(world, &reports);
}

TEST(shared, setting_another_value_counts_as_a_change) {
    ox_world *world = make_world(&reports);
    ox_entity a = ox_entity_create(world, OX_VALUE(Team, {1}));
    ox_entity_create(world, OX_VALUE(Team, {1}));
    ox_query *query = ox_query_create(world, OX_READ(Team));
    uint32_t before = ox_world_get_version(world);
    ox_world_advance_version(world);

    ox_set(world, a, Team, {2});

    ox_query_filter_changed(query, Team, before);
    EXPECT_EQ(ox_query_count(query), 1);
    end_world(world, &reports);
}

TEST(shared, adding_and_removing_others_keeps_all_values) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Team, {2}), OX_VALUE(Region, {3, 4}));

    EXPECT(ox_add(world, entity, Health, {1}));
    EXPECT(ox_add_tag(world, entity, Frozen));
    EXPECT(ox_add_many(world, entity, OX_VALUE(Position, {1, 2}), OX_VALUE_TAG(Lit)));
    EXPECT(ox_remove_many(world, entity, Health, Frozen));
    EXPECT(ox_entity_set_archetype(world, entity, ox_archetype_of(world, Team, Region, Velocity)));

    EXPECT_EQ(team_of(world, entity), 2);
    EXPECT_EQ(ox_get(world, entity, Region)->y, 4);
    EXPECT(ox_remove(world, entity, Team));
    EXPECT_EQ(ox_get(world, entity, Region)->x, 3);
    EXPECT(!ox_has(world, entity, Team));
    end_world(world, &reports);
}

TEST(shared, several_values_are_set_in_one_move) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Health, {5}));

    EXPECT(ox_add_many(world, entity, OX_VALUE(Team, {1}), OX_VALUE(Region, {2, 3})));

    EXPECT_EQ(team_of(world, entity), 1);
    EXPECT_EQ(ox_get(world, entity, Region)->y, 3);
    EXPECT_EQ(ox_read(world, entity, Team).id, 1);
    EXPECT_EQ(ox_get(world, entity, Health)->points, 5);
    end_world(world, &reports);
}

TEST(shared, by_query_and_copies_keep_values) {
    ox_world *world = make_world(&reports);
    ox_entity a = ox_entity_create(world, OX_VALUE(Team, {1}), OX_VALUE(Health, {1}));
    ox_entity b = ox_entity_create(world, OX_VALUE(Team, {2}), OX_VALUE(Health, {2}));
    ox_query *query = ox_query_create(world, OX_READ(Health));

    EXPECT(ox_query_add(query, Position));
    EXPECT(ox_query_add(query, Frozen));
    EXPECT(ox_query_remove(query, Position));
    EXPECT(ox_query_add(query, Region));
    ox_entity copy = ox_entity_instantiate(world, b);

    EXPECT_EQ(team_of(world, a), 1);
    EXPECT_EQ(team_of(world, b), 2);
    EXPECT_EQ(ox_get(world, a, Region)->x, 0);
    EXPECT(lie_together(world, b, copy));
    EXPECT(ox_query_remove(query, Team));
    EXPECT(lie_together(world, a, copy));
    EXPECT_EQ(ox_get(world, b, Health)->points, 2);
    end_world(world, &reports);
}

// Lists of values, and their order versions.

static void expect_values(ox_world *world, int count, int32_t last) {
    ox_array values = ox_shared_copy_values(world, Team, OX_PERSISTENT);
    EXPECT_EQ(ox_array_count(values), count);
    EXPECT_EQ(ox_array_read(OX_AS(values, Team), 0).id, 0);
    EXPECT_EQ(ox_array_read(OX_AS(values, Team), count - 1).id, last);
    ox_dispose(&values);
}

TEST(shared, the_list_of_values_follows_what_entities_have) {
    ox_world *world = make_world(&reports);
    expect_values(world, 1, 0);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Team));
    expect_values(world, 1, 0);
    ox_set(world, entity, Team, {17});
    expect_values(world, 2, 17);
    ox_set(world, entity, Team, {34});
    expect_values(world, 2, 34);
    ox_entity_destroy(world, entity);
    expect_values(world, 1, 0);
    end_world(world, &reports);
}

static uint32_t order_of(const ox_world *world, int32_t id) {
    return ox_shared_get_order_version(world, ox_component_id_of(Team), &(Team){id});
}

TEST(shared, a_value_that_nobody_has_or_had_last_has_no_order_version) {
    ox_world *world = make_world(&reports);
    EXPECT_EQ(order_of(world, 5), 0);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Team, {5}));
    EXPECT(order_of(world, 5) >= 1);
    ox_entity_destroy(world, entity);
    EXPECT_EQ(order_of(world, 5), 0);
    EXPECT_EQ(ox_shared_get_order_version(NULL, ox_component_id_of(Team), &(Team){5}), 0);
    EXPECT_EQ(ox_shared_get_order_version(world, ox_component_id_of(Health), &(Health){5}), 0);
    EXPECT_EQ(ox_shared_get_order_version(world, UINT32_MAX, &(Team){5}), 0);
    EXPECT_EQ(ox_shared_get_order_version(world, ox_component_id_of(Team), NULL), 0);
    end_world(world, &reports);
}

TEST(shared, the_order_version_moves_only_with_entities_of_the_value) {
    ox_world *world = make_world(&reports);
    ox_entity a = ox_entity_create(world, OX_VALUE(Team, {1}));
    ox_entity b = ox_entity_create(world, OX_VALUE(Team, {2}));
    uint32_t first = order_of(world, 1), second = order_of(world, 2);

    ox_entity c = ox_entity_create(world, OX_VALUE(Team, {1}));
    EXPECT(order_of(world, 1) != first);
    EXPECT_EQ(order_of(world, 2), second);
    first = order_of(world, 1);
    ox_add(world, b, Health, {1});
    EXPECT(order_of(world, 2) != second);
    second = order_of(world, 2);
    ox_entity_destroy(world, c);
    EXPECT(order_of(world, 1) != first);
    EXPECT_EQ(order_of(world, 2), second);
    first = order_of(world, 1);
    ox_set(world, a, Team, {2});
    EXPECT_EQ(order_of(world, 1), 0);
    EXPECT(order_of(world, 2) != second);
    end_world(world, &reports);
}

// Many types.

static uint32_t define_shared(int number) {
    char name[32];
    snprintf(name, sizeof name, "Facet%d", number);
    uint32_t id = ox_component_register(&(ox_component_def){
        .name = name, .text = "{ int32_t side; }", .kind = OX_COMPONENT_KIND_SHARED});
    EXPECT(id != 0);
    return id;
}

TEST(shared, sixteen_types_of_one_archetype_each_have_their_value) {
    enum { TYPES = 16 };
    ox_world *world = make_world(&reports);
    ox_value values[TYPES];
    int32_t sides[TYPES];
    for (int k = 0; k < TYPES; k++) {
        sides[k] = 100 + k;
        values[k] = (ox_value){define_shared(k), &sides[k]};
    }
    ox_entity a = ox_entity_create_at(world, values, TYPES, OX_HERE);
    ox_entity b = ox_entity_create_at(world, values, TYPES, OX_HERE);
    EXPECT(lie_together(world, a, b));

    EXPECT(ox_set_at(world, b, values[9].component, &(int32_t){7}, OX_HERE));

    for (int k = 0; k < TYPES; k++) {
        const int32_t *of_a = ox_get_at(world, a, values[k].component, OX_HERE);
        const int32_t *of_b = ox_get_at(world, b, values[k].component, OX_HERE);
        EXPECT_EQ(*of_a, 100 + k);
        EXPECT_EQ(*of_b, k == 9 ? 7 : 100 + k);
    }
    end_world(world, &reports);
}

TEST(shared, sixty_four_types_are_the_most_of_one_archetype) {
    ox_world *world = make_world(&reports);
    uint32_t ids[65];
    for (int k = 0; k < 65; k++) {
        ids[k] = define_shared(k);
    }
    ox_entity entity =
        ox_entity_create_in_at(world, ox_archetype_of_at(world, ids, 64, OX_HERE), OX_HERE);
    EXPECT(entity.version != 0);
    uint64_t layout = ox_world_hash_layout(world);

    EXPECT_EQ(ox_archetype_of_at(world, ids, 65, OX_HERE).number, 0);
    EXPECT_HAS(reports.text, "65 components in world 'sea', 65 of them shared, need 8 bytes");
    EXPECT_REPORT(&reports, OX_REPORT_ARCHETYPE_TOO_LARGE);
    EXPECT(!ox_add_at(world, entity, ids[64], &(int32_t){1}, OX_HERE));
    EXPECT_REPORT(&reports, OX_REPORT_ARCHETYPE_TOO_LARGE);
    EXPECT_EQ(ox_world_hash_layout(world), layout);
    end_world(world, &reports);
}

// What it is not.

TEST(shared, it_is_not_edited_in_place) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Team, {2}));

    ((Team *)ox_edit_at(world, entity, ox_component_id_of(Team), OX_HERE))->id = 9;

    EXPECT_HAS(reports.text, "ox_edit of 'Team', which is shared");
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT_EQ(team_of(world, entity), 2);
    end_world(world, &reports);
}

TEST(shared, getting_and_setting_it_demands_that_it_is_there) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health));

    EXPECT_EQ(ox_get(world, entity, Team)->id, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NO_COMPONENT);
    EXPECT(!ox_set(world, entity, Team, {1}));
    EXPECT_REPORT(&reports, OX_REPORT_NO_COMPONENT);
    ox_entity_destroy(world, entity);
    EXPECT(!ox_set(world, entity, Team, {1}));
    EXPECT_REPORT(&reports, OX_REPORT_STALE_ENTITY);
    ox_array none = ox_shared_copy_values(world, Health, OX_PERSISTENT);
    EXPECT(!ox_array_is_created(none));
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    end_world(world, &reports);
}

TEST(shared, values_of_their_own_for_each_entity_are_advised_against) {
    ox_world *world = make_world(&reports);
    for (int32_t k = 1; k <= 200; k++) {
        ox_entity_create(world, OX_VALUE(Team, {k}), OX_VALUE(Health, {k}));
    }

    ox_fragmentation found = ox_world_get_fragmentation(world);

    EXPECT_EQ(found.chunk_count, 200);
    EXPECT_EQ(found.needed_count, 1);
    EXPECT_HAS(found.advice, "shared components");
    end_world(world, &reports);
}

TEST(shared, few_values_with_many_entities_are_fine) {
    ox_world *world = make_world(&reports);
    ox_entity entity;
    for (int32_t k = 0; k < 3000; k++) {
        entity = ox_entity_create(world, OX_VALUE(Team, {k % 3}), OX_VALUE(Large, {{1}}));
    }
    EXPECT_HAS(ox_world_get_fragmentation(world).advice, "as full as they can be");
    for (uint32_t k = 0; k < entity.index; k++) {
        if (k % 9 > 2) {
            ox_entity_destroy(world, ((ox_entity){k, 1}));
        }
    }
    EXPECT(strstr(ox_world_get_fragmentation(world).advice, "shared") == NULL);
    end_world(world, &reports);
}

TEST(shared, the_hash_of_a_world_does_not_depend_on_which_value_came_first) {
    ox_world *world = make_world(&reports), *other = ox_world_create(NULL);
    ox_entity list[2], others[2];
    ox_entities_create(world, ox_archetype_of(world, Team, Health), list, 2);
    ox_entities_create(other, ox_archetype_of(other, Team, Health), others, 2);
    ox_set(world, list[0], Team, {5});
    ox_set(world, list[1], Team, {6});
    ox_set(other, others[1], Team, {6});
    ox_set(other, others[0], Team, {5});

    EXPECT_EQ(ox_world_hash(world), ox_world_hash(other));
    ox_set(other, others[0], Team, {7});
    EXPECT(ox_world_hash(world) != ox_world_hash(other));
    ox_world_destroy(other);
    end_world(world, &reports);
}
