// SPDX-License-Identifier: MIT
//
// What random operations on components of all kinds found, each as small as it is.

#include "entities/entities_test.h"

#include "oxbow/entities.h"
#include "oxbow/queries.h"

OX_BUFFER(Path, 2, { int32_t x; });
OX_SHARED(Team, { int32_t id; });
OX_ENABLEABLE(Stunned, { int32_t seconds; });
OX_CLEANUP(Slot, { int32_t number; });
OX_CLEANUP(Handle, { int32_t number; });
OX_CLEANUP_TAG(Marked);
OX_COMPONENT_OF_KIND(Lease, OX_COMPONENT_KIND_DATA, OX_COMPONENT_CLEANUP | OX_COMPONENT_ENABLEABLE,
                     0, { int32_t days; });

TEST(kinds, a_buffer_of_an_entity_that_is_made_with_values_is_empty) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity first = ox_entity_create_in(world, ox_archetype_of(world, Path, Health));
    ox_buffer_resize(ox_edit(world, first, Path), 5);
    ox_entity_destroy(world, first);

    ox_entity second = ox_entity_create(world, OX_VALUE(Health, {1}), OX_VALUE_TAG(Path));

    EXPECT_EQ(ox_buffer_count(ox_get(world, second, Path)), 0);
    end_world(world, &reports);
}

TEST(kinds, a_component_of_any_kind_is_added_without_a_value) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity pair[2] = {ox_entity_create(world, OX_VALUE(Frozen), OX_VALUE(Position)),
                         ox_entity_create(world, OX_VALUE(Position, {1, 2}))};

    EXPECT(ox_add(world, pair[1], Frozen) && ox_add(world, pair[1], Path));
    EXPECT(ox_add(world, pair[1], Team) && ox_add(world, pair[1], Stunned));
    EXPECT(ox_entities_add(world, pair, 2, Velocity) && ox_entities_add(world, pair, 2, Marked));

    EXPECT_EQ(ox_entities_count_with(world, pair, 2, Frozen), 2);
    EXPECT_EQ(ox_entities_count_with(world, pair, 2, Marked), 2);
    EXPECT_EQ(ox_get(world, pair[0], Position)->y, 0);
    EXPECT_EQ(ox_get(world, pair[1], Velocity)->x, 0);
    EXPECT_EQ(ox_get(world, pair[1], Stunned)->seconds, 0);
    EXPECT_EQ(ox_get(world, pair[1], Team)->id, 0);
    EXPECT_EQ(ox_buffer_count(ox_get(world, pair[1], Path)), 0);
    end_world(world, &reports);
}

TEST(kinds, adding_a_shared_component_again_without_a_value_gives_the_default) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Team, {3}));

    EXPECT(ox_add_at(world, entity, ox_component_id_of(Team), NULL, OX_HERE));

    EXPECT_EQ(ox_get(world, entity, Team)->id, 0);
    end_world(world, &reports);
}

TEST(kinds, two_of_three_cleanup_components_are_removed_at_once) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Slot, Handle, Marked));
    ox_entity_destroy(world, entity);

    EXPECT(ox_remove_many(world, entity, Slot, Handle));

    EXPECT(ox_has(world, entity, Marked) && ox_has(world, entity, ox_destroyed));
    EXPECT(ox_remove(world, entity, Marked));
    EXPECT(!ox_entity_exists(world, entity));
    end_world(world, &reports);
}

TEST(kinds, a_buffer_is_given_no_value_on_a_beaten_way) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity first = ox_entity_create(world), second = ox_entity_create(world);
    EXPECT(ox_add_at(world, first, ox_component_id_of(Path), NULL, OX_HERE));

    EXPECT(!ox_add_at(world, second, ox_component_id_of(Path), &(Path){7}, OX_HERE));

    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(!ox_has(world, second, Path));
    end_world(world, &reports);
}

// Makes entities with cleanup components, all different but for those.
static void make_leavers(ox_world *world) {
    for (int k = 0; k < 3; k++) {
        ox_entity_create_in(world, ox_archetype_of(world, Slot));
        ox_add_tag(world, ox_entity_create_in(world, ox_archetype_of(world, Slot)), Frozen);
        ox_entity_create_in(world, ox_archetype_of(world, Slot, Health));
    }
}

TEST(kinds, entities_of_many_archetypes_leave_the_same_behind) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_query *query = ox_query_create(world, OX_READ(Slot));
    make_leavers(world);

    EXPECT_EQ(ox_query_destroy_entities(query), 9);

    EXPECT_EQ(ox_query_count(query), 9);
    EXPECT_EQ(ox_query_destroy_entities(query), 0);
    end_world(world, &reports);
}

TEST(kinds, a_query_adds_nothing_to_some_rows_of_what_is_destroyed) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_query *query = ox_query_create(world, OX_READ(Lease));
    ox_entity first = ox_entity_create_in(world, ox_archetype_of(world, Lease)),
              second = ox_entity_create_in(world, ox_archetype_of(world, Lease));
    ox_set_enabled(world, first, Lease, false);
    ox_entity_destroy(world, first);
    ox_entity_destroy(world, second);

    EXPECT(!ox_query_add(query, Frozen));

    EXPECT_REPORT(&reports, OX_REPORT_RESIDUE);
    EXPECT(!ox_has(world, second, Frozen));
    end_world(world, &reports);
}

TEST(kinds, what_is_left_of_an_entity_is_no_singleton) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity_destroy(world, ox_entity_create_in(world, ox_archetype_of(world, Slot)));
    EXPECT(!ox_singleton_has(world, Slot));

    ox_entity made = ox_singleton_create(world, Slot, {5});

    EXPECT(is_same(ox_singleton_get_entity(world, Slot), made));
    end_world(world, &reports);
}

TEST(kinds, a_shared_value_that_a_query_sets_for_some_rows_counts_as_changed) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_query *stunned = ox_query_create(world, OX_READ(Team), OX_WITH(Stunned));
    ox_query *all = ox_query_create(world, OX_READ(Team));
    ox_entity first = ox_entity_create_in(world, ox_archetype_of(world, Team, Stunned));
    ox_entity_create_in(world, ox_archetype_of(world, Team, Stunned));
    ox_set_enabled(world, first, Stunned, false);
    uint32_t version = ox_world_get_version(world);
    ox_world_advance_version(world);

    EXPECT(ox_query_set_shared(stunned, Team, {2}));

    EXPECT(ox_query_filter_changed(all, Team, version));
    EXPECT_EQ(ox_query_count(all), 1);
    end_world(world, &reports);
}
