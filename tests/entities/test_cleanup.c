// SPDX-License-Identifier: MIT
//
// Cleanup components: what is left of destroyed entities, who sees it, and when it goes.

#include "entities/kinds_test.h"

#include "oxbow/memory.h"

OX_CLEANUP(Connected, { int32_t port; });
OX_CLEANUP_TAG(Mourned);
OX_COMPONENT_OF_KIND(Owner, OX_COMPONENT_KIND_SHARED, OX_COMPONENT_CLEANUP, 0, { int32_t id; });
OX_COMPONENT_OF_KIND(Trail, OX_COMPONENT_KIND_BUFFER, OX_COMPONENT_CLEANUP, 2, { int32_t step; });
OX_COMPONENT_OF_KIND(Armed, OX_COMPONENT_KIND_DATA, OX_COMPONENT_CLEANUP | OX_COMPONENT_ENABLEABLE,
                     0, { int32_t charge; });

static collected_reports reports;

static ox_entity make_residue(ox_world *world, int32_t slot) {
    ox_entity entity = ox_entity_create(world, OX_VALUE(Registered, {slot}),
                                        OX_VALUE(Health, {slot}), OX_VALUE_TAG(Frozen));
    ox_entity_destroy(world, entity);
    return entity;
}

TEST(cleanup, destroying_leaves_the_cleanup_components_and_a_tag) {
    ox_world *world = make_world(&reports);
    ox_entity entity = make_residue(world, 7);

    EXPECT(ox_entity_exists(world, entity));
    EXPECT_EQ(ox_get(world, entity, Registered)->slot, 7);
    EXPECT(ox_has(world, entity, ox_destroyed));
    EXPECT(!ox_has(world, entity, Health) && !ox_has(world, entity, Frozen));
    EXPECT_EQ(ox_entity_get_components(world, entity, NULL, 0), 2);
    EXPECT_EQ(ox_world_get_usage(world).entity_count, 1);
    end_world(world, &reports);
}

TEST(cleanup, destroying_again_does_nothing) {
    ox_world *world = make_world(&reports);
    ox_entity first = make_residue(world, 1), second = make_residue(world, 2), list[2];
    list[0] = ox_entity_create_in(world, ox_archetype_of(world, Health));
    list[1] = first;
    uint64_t layout = ox_world_hash_layout(world);

    ox_entity_destroy(world, first);
    EXPECT_EQ(ox_world_hash_layout(world), layout);
    EXPECT(ox_entities_destroy(world, list, 2));

    EXPECT(!ox_entity_exists(world, list[0]) && ox_entity_exists(world, first));
    EXPECT_EQ(ox_entity_get_location(world, first).row, 0);
    EXPECT_EQ(ox_get(world, second, Registered)->slot, 2);
    end_world(world, &reports);
}

TEST(cleanup, removing_the_last_one_ends_the_entity) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Registered, {1}), OX_VALUE(Connected, {80}),
                                        OX_VALUE_TAG(Mourned));
    ox_entity_destroy(world, entity);

    EXPECT(ox_remove(world, entity, Registered));
    EXPECT(ox_entity_exists(world, entity) && ox_has(world, entity, ox_destroyed));
    EXPECT_EQ(ox_get(world, entity, Connected)->port, 80);
    EXPECT(ox_remove_many(world, entity, Mourned, Connected));
    EXPECT(!ox_entity_exists(world, entity));
    EXPECT_EQ(ox_world_get_usage(world).entity_count, 0);
    ox_entity next = ox_entity_create(world);
    EXPECT(next.index == entity.index && next.version != entity.version);
    end_world(world, &reports);
}

TEST(cleanup, removing_all_at_once_ends_the_entity) {
    ox_world *world = make_world(&reports);
    ox_entity entity =
        ox_entity_create_in(world, ox_archetype_of(world, Registered, Connected, Health));
    ox_entity_destroy(world, entity);
    EXPECT(ox_remove_many(world, entity, Registered, Connected));
    EXPECT(!ox_entity_exists(world, entity));
    ox_entity_destroy(world, entity);
    EXPECT_REPORT(&reports, OX_REPORT_STALE_ENTITY);
    end_world(world, &reports);
}

TEST(cleanup, removing_the_last_one_of_a_living_entity_keeps_it) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Registered));
    EXPECT(ox_remove(world, entity, Registered));
    EXPECT(ox_entity_exists(world, entity) && !ox_has(world, entity, ox_destroyed));
    ox_entity_destroy(world, entity);
    EXPECT(!ox_entity_exists(world, entity));
    end_world(world, &reports);
}

TEST(cleanup, queries_see_what_is_left_only_when_they_name_a_part_of_it) {
    ox_world *world = make_world(&reports);
    make_residue(world, 1);
    ox_entity_create_in(world, ox_archetype_of(world, Registered, Health));

    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_READ(Registered))), 2);
    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_WITH(ox_destroyed))), 1);
    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_READ(Health))), 1);
    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_NONE(Frozen))), 1);
    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_NONE(ox_destroyed))), 1);
    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_ABSENT(ox_destroyed))), 1);
    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_OPTIONAL(Connected))), 1);
    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_OPTIONAL(Registered))), 2);
    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_INCLUDE(ox_destroyed))), 2);
    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_READ(Registered), OX_NONE(ox_destroyed))),
              1);
    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_READ(Registered), OX_NONE(Health))), 1);
    EXPECT_EQ(ox_query_count(ox_query_create(world, OX_ANY(Registered, Connected))), 2);
    end_world(world, &reports);
}

TEST(cleanup, values_of_what_is_left_can_be_written) {
    ox_world *world = make_world(&reports);
    ox_entity entity =
        ox_entity_create_in(world, ox_archetype_of(world, Registered, Owner, Trail, Armed));
    ox_entity_destroy(world, entity);

    EXPECT(ox_set(world, entity, Registered, {5}));
    ox_edit(world, entity, Armed)->charge = 6;
    EXPECT(ox_set(world, entity, Owner, {7}));
    EXPECT(ox_buffer_push(ox_edit(world, entity, Trail), Trail, {8}));
    EXPECT(ox_set_enabled(world, entity, Armed, false));

    EXPECT_EQ(ox_get(world, entity, Registered)->slot, 5);
    EXPECT_EQ(ox_get(world, entity, Armed)->charge, 6);
    EXPECT_EQ(ox_get(world, entity, Owner)->id, 7);
    EXPECT_EQ(ox_buffer_get(ox_get(world, entity, Trail), 0, Trail)->step, 8);
    EXPECT(!ox_is_enabled(world, entity, Armed));
    end_world(world, &reports);
}

TEST(cleanup, shared_values_buffers_and_switches_are_kept) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Owner, {3}), OX_VALUE(Team, {4}),
                                        OX_VALUE(Armed, {9}), OX_VALUE_TAG(Trail));
    ox_buffer_resize(ox_edit(world, entity, Trail), 10);
    ox_buffer_edit(ox_edit(world, entity, Trail), 9, Trail)->step = 99;
    ox_set_enabled(world, entity, Armed, false);

    ox_entity_destroy(world, entity);

    EXPECT_EQ(ox_get(world, entity, Owner)->id, 3);
    EXPECT(!ox_has(world, entity, Team));
    EXPECT_EQ(ox_get(world, entity, Armed)->charge, 9);
    EXPECT(!ox_is_enabled(world, entity, Armed));
    EXPECT_EQ(ox_buffer_count(ox_get(world, entity, Trail)), 10);
    EXPECT_EQ(ox_buffer_get(ox_get(world, entity, Trail), 9, Trail)->step, 99);
    EXPECT(ox_remove_many(world, entity, Owner, Trail, Armed));
    EXPECT(!ox_entity_exists(world, entity));
    EXPECT_EQ(ox_shared_get_order_version(world, ox_component_id_of(Owner), &(Owner){3}), 0);
    end_world(world, &reports);
}

// By query.

TEST(cleanup, destroying_by_query_leaves_what_cleans_up) {
    ox_world *world = make_world(&reports);
    ox_entity list[100];
    for (int32_t k = 0; k < 100; k++) {
        list[k] = ox_entity_create(world, OX_VALUE(Health, {k}));
        if (k % 2 == 0) {
            ox_add(world, list[k], Registered, {k});
        }
    }
    ox_query *query = ox_query_create(world, OX_READ(Health));

    EXPECT_EQ(ox_query_destroy_entities(query), 100);

    EXPECT_EQ(ox_query_count(query), 0);
    for (int k = 0; k < 100; k++) {
        EXPECT_EQ(ox_entity_exists(world, list[k]), k % 2 == 0);
        EXPECT(k % 2 != 0 || ox_get(world, list[k], Registered)->slot == k);
    }
    ox_query *left = ox_query_create(world, OX_READ(Registered));
    EXPECT_EQ(ox_query_count(left), 50);
    EXPECT_EQ(ox_query_destroy_entities(left), 0); // they are destroyed already
    EXPECT_EQ(ox_query_count(left), 50);
    end_world(world, &reports);
}

TEST(cleanup, removing_by_query_ends_what_is_left) {
    ox_world *world = make_world(&reports);
    ox_entity alive = ox_entity_create(world, OX_VALUE(Registered, {1}));
    ox_entity one = make_residue(world, 2),
              both = ox_entity_create_in(world, ox_archetype_of(world, Registered, Connected));
    ox_entity_destroy(world, both);
    ox_query *query = ox_query_create(world, OX_READ(Registered));

    EXPECT(ox_query_remove(query, Registered));

    EXPECT(ox_entity_exists(world, alive) && !ox_has(world, alive, Registered));
    EXPECT(!ox_entity_exists(world, one));
    EXPECT(ox_entity_exists(world, both) && ox_has(world, both, ox_destroyed));
    EXPECT_EQ(ox_query_count(query), 0);
    EXPECT_EQ(ox_world_get_usage(world).entity_count, 2);
    end_world(world, &reports);
}

TEST(cleanup, removing_by_query_ends_rows_that_are_switched_on) {
    ox_world *world = make_world(&reports);
    ox_entity list[20];
    for (int32_t k = 0; k < 20; k++) {
        list[k] = ox_entity_create(world, OX_VALUE(Armed, {k}));
        ox_set_enabled(world, list[k], Armed, k % 3 == 0);
        ox_entity_destroy(world, list[k]);
    }
    ox_query *query = ox_query_create(world, OX_READ(Armed));

    EXPECT(ox_query_remove(query, Armed));

    for (int k = 0; k < 20; k++) {
        EXPECT_EQ(ox_entity_exists(world, list[k]), k % 3 != 0);
    }
    end_world(world, &reports);
}

// What cannot be done.

static void expect_residue(ox_world *world, uint64_t layout) {
    EXPECT_REPORT(&reports, OX_REPORT_RESIDUE);
    EXPECT_EQ(ox_world_hash_layout(world), layout);
}

TEST(cleanup, nothing_is_added_to_what_is_left) {
    ox_world *world = make_world(&reports);
    ox_entity entity = make_residue(world, 1);
    ox_archetype archetype = ox_archetype_of(world, Health);
    ox_query *query = ox_query_create(world, OX_READ(Registered));
    uint64_t layout = ox_world_hash_layout(world);

    EXPECT(!ox_add(world, entity, Health, {1}));
    EXPECT_HAS(reports.text, "ox_add of entity 0:1 in world 'sea', which has only cleanup");
    expect_residue(world, layout);
    EXPECT(!ox_add(world, entity, Connected, {1}));
    expect_residue(world, layout);
    EXPECT(!ox_add_many(world, entity, OX_VALUE(Health, {1}), OX_VALUE_TAG(Frozen)));
    expect_residue(world, layout);
    EXPECT(!ox_buffer_is_created(ox_add_buffer(world, entity, Note)));
    expect_residue(world, layout);
    EXPECT(!ox_entity_set_archetype(world, entity, archetype));
    expect_residue(world, layout);
    EXPECT(!ox_query_add(query, Health));
    expect_residue(world, layout);
    EXPECT(!ox_entity_set_enabled(world, entity, false));
    expect_residue(world, layout);
    end_world(world, &reports);
}

TEST(cleanup, what_is_left_is_not_copied) {
    ox_world *world = make_world(&reports);
    ox_entity entity = make_residue(world, 1), list[2];
    list[0] = ox_entity_create_in(world, ox_archetype_of(world, Health));
    list[1] = entity;
    uint64_t layout = ox_world_hash_layout(world);

    EXPECT_EQ(ox_entity_instantiate(world, entity).version, 0);
    expect_residue(world, layout);
    EXPECT(!ox_entities_instantiate(world, entity, NULL, 3));
    expect_residue(world, layout);
    EXPECT(!ox_entities_copy(world, list, list, 2));
    expect_residue(world, layout);
    end_world(world, &reports);
}

TEST(cleanup, the_tag_of_what_is_left_is_not_given_or_taken) {
    ox_world *world = make_world(&reports);
    ox_entity entity = make_residue(world, 1), other = ox_entity_create(world);

    EXPECT(!ox_remove(world, entity, ox_destroyed));
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(!ox_add_tag(world, other, ox_destroyed));
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT_EQ(ox_archetype_of(world, ox_destroyed).number, 0);
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(!ox_remove_many(world, entity, Registered, ox_destroyed));
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(!ox_query_remove(ox_query_create(world, OX_WITH(ox_destroyed)), ox_destroyed));
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(!ox_query_add(ox_query_create(world, OX_READ(Health)), ox_destroyed));
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(ox_entity_exists(world, entity));
    end_world(world, &reports);
}

TEST(cleanup, copies_of_a_living_entity_have_none_of_it) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Registered, {1}), OX_VALUE(Health, {2}),
                                        OX_VALUE(Owner, {3}));

    ox_entity copy = ox_entity_instantiate(world, entity), other;
    EXPECT(ox_entities_copy(world, &entity, &other, 1));

    EXPECT_EQ(ox_entity_get_components(world, copy, NULL, 0), 1);
    EXPECT_EQ(ox_get(world, copy, Health)->points, 2);
    EXPECT_EQ(ox_entity_get_components(world, other, NULL, 0), 1);
    end_world(world, &reports);
}

// Chunks that change sides join others, and take room that was there before.
TEST(cleanup, whole_chunks_and_rows_go_to_the_same_place) {
    for (int turn = 0; turn < 2; turn++) {
        ox_world *world = make_world(&reports);
        static ox_entity list[1900];
        ox_archetype bare = ox_archetype_of(world, Registered);
        ox_archetype full = ox_archetype_of(world, Registered, Health);
        EXPECT(ox_entities_create(world, bare, list, 500));
        EXPECT(ox_entities_destroy(world, list, 500));
        EXPECT(ox_entities_create(world, turn == 0 ? bare : full, list + 500, 700));
        EXPECT(ox_entities_create(world, turn == 0 ? full : bare, list + 1200, 700));
        ox_query *query = ox_query_create(world, OX_READ(Registered), OX_NONE(ox_destroyed));

        EXPECT_EQ(ox_query_destroy_entities(query), 1400);

        EXPECT_EQ(ox_query_count(ox_query_create(world, OX_WITH(ox_destroyed))), 1900);
        end_world(world, &reports);
    }
}

// So many sets of components that few places were kept for what is left of each.
TEST(cleanup, chunks_of_many_sets_go_to_the_same_place) {
    ox_world *world = make_world(&reports);
    for (int k = 0; k < 64; k++) {
        uint32_t ids[7] = {ox_component_id_of(Registered)};
        int count = 1;
        for (int bit = 0; bit < 6; bit++) {
            if ((k >> bit & 1) != 0) {
                ids[count++] = define_sized("Sign", bit, 0);
            }
        }
        ox_archetype archetype = ox_archetype_of_at(world, ids, count, OX_HERE);
        EXPECT(ox_entities_create(world, archetype, NULL, 1000));
    }
    ox_query *query = ox_query_create(world, OX_READ(Registered));
    EXPECT_EQ(ox_query_destroy_entities(query), 64000);
    EXPECT_EQ(ox_query_count(query), 64000);
    end_world(world, &reports);
}

TEST(cleanup, a_name_stays_until_the_entity_is_gone) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Registered, Health));
    ox_entity other = ox_entity_create_in(world, ox_archetype_of(world, Registered, Health));
    EXPECT(ox_entity_set_name(world, entity, "ghost") && ox_entity_set_name(world, other, "shade"));
    ox_entity_destroy(world, entity);
    ox_entity_destroy(world, other);
    EXPECT(is_same(ox_entity_find(world, "ghost"), entity));

    EXPECT(ox_remove(world, entity, Registered));
    EXPECT_EQ(ox_entity_find(world, "ghost").version, 0);
    EXPECT(ox_query_remove(ox_query_create(world, OX_READ(Registered)), Registered));
    EXPECT_EQ(ox_entity_find(world, "shade").version, 0);
    end_world(world, &reports);
}
