// SPDX-License-Identifier: MIT
//
// Adding and removing components, archetypes, values and versions.

#include "entities/entities_test.h"

static const oxi_chunk_meta *meta_of(const ox_world *world, ox_entity entity) {
    return oxi_chunk_entry_of(world->store.entities.records[entity.index].chunk)->meta;
}

static uint32_t version_of(const ox_world *world, ox_entity entity, uint32_t component) {
    oxi_chunk chunk = world->store.entities.records[entity.index].chunk;
    const oxi_archetype *archetype = oxi_archetype_of(chunk);
    int32_t type = oxi_archetype_find_type(&world->store, archetype, component);
    EXPECT(type >= 0);
    return meta_of(world, entity)->versions[type];
}

static uint32_t order_of(const ox_world *world, uint32_t component) {
    return oxi_store_order_version(&world->store, component);
}

TEST(moves, values_stay_through_adding_and_removing) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Position, {1, 2}));

    EXPECT(ox_add(world, entity, Velocity, {3, 4}));
    EXPECT(ox_add_tag(world, entity, Frozen));
    EXPECT(ox_add_many(world, entity, OX_VALUE(Health, {5}), OX_VALUE(Velocity, {6, 7})));
    EXPECT(ox_remove(world, entity, Position));

    EXPECT(!ox_has(world, entity, Position) && ox_has(world, entity, Frozen));
    EXPECT_EQ(ox_read(world, entity, Velocity).y, 7.0f);
    EXPECT_EQ(ox_read(world, entity, Health).points, 5);
    EXPECT(ox_remove_many(world, entity, Velocity, Health, Frozen));
    EXPECT_EQ(ox_entity_get_components(world, entity, NULL, 0), 0);
    end_world(world, &reports);
}

TEST(moves, adding_what_is_there_changes_only_the_value) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity list[2];
    ox_entities_create(world, ox_archetype_of(world, Health), list, 2);

    EXPECT(ox_add(world, list[0], Health, {9}));

    EXPECT_EQ(ox_get(world, list[0], Health)->points, 9);
    EXPECT_EQ(ox_entity_get_location(world, list[0]).row, 0);
    EXPECT(ox_add_at(world, list[0], ox_component_id_of(Health), NULL, OX_HERE));
    EXPECT_EQ(ox_get(world, list[0], Health)->points, 0);
    end_world(world, &reports);
}

TEST(moves, an_archetype_is_given_as_a_whole) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Position, {1, 2}), OX_VALUE(Health, {3}),
                                        OX_VALUE_TAG(Frozen));

    EXPECT(ox_entity_set_archetype(world, entity, ox_archetype_of(world, Velocity, Health)));

    uint32_t ids[4];
    EXPECT_EQ(ox_entity_get_components(world, entity, ids, 4), 2);
    EXPECT_EQ(ox_get(world, entity, Health)->points, 3);
    EXPECT_EQ(ox_get(world, entity, Velocity)->x, 0.0f);
    end_world(world, &reports);
}

TEST(moves, the_way_that_was_used_last_is_not_taken_by_an_unknown_component) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity first = ox_entity_create(world), second = ox_entity_create(world);
    ox_entity_set_archetype(world, first, ox_archetype_of(world, Position));
    EXPECT(!ox_add_at(world, second, 0, NULL, OX_HERE));
    ox_add(world, first, Health, {1});
    ox_entity_set_archetype(world, second, ox_archetype_of(world, Position));
    uint32_t forged = ox_component_id_of(Health) | UINT32_C(1) << 31;

    EXPECT(!ox_add_at(world, second, forged, NULL, OX_HERE));

    EXPECT_EQ(reports.count, 2);
    EXPECT_EQ(reports.last, OX_REPORT_UNKNOWN_COMPONENT);
    EXPECT(!ox_has(world, second, Health));
    reports.count = 0;
    end_world(world, &reports);
}

TEST(moves, lists_of_nothing_do_nothing) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health));
    uint64_t hash = ox_world_hash_layout(world);
    EXPECT(ox_add_many_at(world, entity, NULL, 0, OX_HERE));
    EXPECT(ox_remove_many_at(world, entity, NULL, 0, OX_HERE));
    EXPECT_EQ(ox_world_hash_layout(world), hash);
    EXPECT_EQ(ox_entity_create_at(world, NULL, 0, OX_HERE).index, 1);
    end_world(world, &reports);
}

TEST(moves, components_are_listed_in_order_up_to_the_room) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Velocity, Frozen, Health));
    uint32_t ids[3] = {0, 0, 77};
    EXPECT_EQ(ox_entity_get_components(world, entity, ids, 2), 3);
    EXPECT(ids[0] != 0 && ids[0] < ids[1] && ids[2] == 77);
    end_world(world, &reports);
}

// Archetypes.

TEST(moves, an_archetype_does_not_depend_on_the_order_of_its_list) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_archetype a = ox_archetype_of(world, Position, Health, Frozen);
    ox_archetype b = ox_archetype_of(world, Frozen, Position, Health);
    EXPECT(a.number == b.number && a.world == b.world && a.number != 0);
    end_world(world, &reports);
}

static uint32_t many_ids[257];

static void define_many_tags(void) {
    for (int k = 0; k < 257; k++) {
        many_ids[k] = define_sized("ManyTag", k, 0);
    }
}

TEST(moves, an_archetype_has_at_most_256_components) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    define_many_tags();
    EXPECT_EQ(ox_archetype_of_at(world, many_ids, 257, OX_HERE).number, 0);
    EXPECT_REPORT(&reports, OX_REPORT_ARCHETYPE_TOO_LARGE);
    ox_archetype archetype = ox_archetype_of_at(world, many_ids, 256, OX_HERE);
    ox_entity entity = ox_entity_create_in(world, archetype);
    EXPECT(ox_has_id(world, entity, many_ids[255]));
    uint64_t hash = ox_world_hash_layout(world);

    EXPECT(!ox_add_at(world, entity, many_ids[256], NULL, OX_HERE));
    EXPECT_REPORT(&reports, OX_REPORT_ARCHETYPE_TOO_LARGE);
    EXPECT(!ox_add_many_at(world, entity, &(ox_value){many_ids[256], NULL}, 1, OX_HERE));
    EXPECT_REPORT(&reports, OX_REPORT_ARCHETYPE_TOO_LARGE);

    EXPECT_EQ(ox_world_hash_layout(world), hash);
    EXPECT(ox_add_at(world, entity, many_ids[0], NULL, OX_HERE));
    EXPECT(ox_remove_many_at(world, entity, many_ids, 256, OX_HERE));
    end_world(world, &reports);
}

TEST(moves, what_does_not_fit_in_a_chunk_is_refused_and_the_entity_stays) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    uint32_t ids[2] = {define_sized("Huge", 0, 16000), define_sized("Huge", 1, 500)};
    ox_entity entity = ox_entity_create(world, {ids[0], NULL}, OX_VALUE(Health, {4}));
    EXPECT_EQ(ox_entity_get_location(world, entity).capacity, 1);
    uint64_t hash = ox_world_hash_layout(world);

    EXPECT(!ox_add_at(world, entity, ids[1], NULL, OX_HERE));
    EXPECT_REPORT(&reports, OX_REPORT_ARCHETYPE_TOO_LARGE);
    EXPECT_EQ(ox_archetype_of_at(world, ids, 2, OX_HERE).number, 0);
    EXPECT_REPORT(&reports, OX_REPORT_ARCHETYPE_TOO_LARGE);

    EXPECT_EQ(ox_world_hash_layout(world), hash);
    EXPECT_EQ(ox_get(world, entity, Health)->points, 4);
    end_world(world, &reports);
}

// Versions.

TEST(moves, writing_stamps_one_type_of_one_chunk) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity list[LARGE_ROWS + 1];
    ox_entities_create(world, ox_archetype_of(world, Large, Health), list, LARGE_ROWS + 1);
    uint32_t order = order_of(world, ox_component_id_of(Health));
    world->store.version = 8;

    ox_get(world, list[0], Health);
    (void)ox_read(world, list[0], Health);
    EXPECT_EQ(version_of(world, list[0], ox_component_id_of(Health)), 1);
    ox_set(world, list[0], Health, {1});

    EXPECT_EQ(version_of(world, list[0], ox_component_id_of(Health)), 8);
    EXPECT_EQ(version_of(world, list[0], ox_component_id_of(Large)), 1);
    EXPECT_EQ(version_of(world, list[LARGE_ROWS], ox_component_id_of(Health)), 1);
    EXPECT_EQ(meta_of(world, list[0])->order_version, 1);
    ox_edit(world, list[LARGE_ROWS], Health)->points = 2;
    EXPECT_EQ(version_of(world, list[LARGE_ROWS], ox_component_id_of(Health)), 8);
    EXPECT_EQ(order_of(world, ox_component_id_of(Health)), order);
    end_world(world, &reports);
}

TEST(moves, structural_changes_stamp_order_and_what_is_new) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health));
    ox_entity other = ox_entity_create_in(world, ox_archetype_of(world, Health));
    uint32_t order = order_of(world, ox_component_id_of(Health));
    world->store.version = 5;

    ox_add(world, entity, Position, {1, 1});

    EXPECT_EQ(version_of(world, entity, ox_component_id_of(Health)), 1);
    EXPECT_EQ(version_of(world, entity, ox_component_id_of(Position)), 5);
    EXPECT_EQ(meta_of(world, entity)->order_version, 5);
    EXPECT_EQ(meta_of(world, other)->order_version, 5);
    EXPECT(order_of(world, ox_component_id_of(Health)) > order);
    world->store.version = 6;
    ox_entity_create_in(world, ox_archetype_of(world, Health));
    EXPECT_EQ(version_of(world, other, ox_component_id_of(Health)), 6);
    end_world(world, &reports);
}

TEST(moves, each_type_that_goes_along_keeps_its_own_version) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity entity =
        ox_entity_create_in(world, ox_archetype_of(world, Position, Velocity, Health));
    const uint32_t ids[] = {ox_component_id_of(Position), ox_component_id_of(Velocity),
                            ox_component_id_of(Health)};
    for (uint32_t k = 0; k < 3; k++) {
        world->store.version = 10 + k;
        ox_edit_at(world, entity, ids[k], OX_HERE);
    }

    ox_add_tag(world, entity, Frozen);
    ox_remove(world, entity, Frozen);

    for (uint32_t k = 0; k < 3; k++) {
        EXPECT_EQ(version_of(world, entity, ids[k]), 10 + k);
    }
    end_world(world, &reports);
}

TEST(moves, what_goes_away_moves_the_order_of_its_types) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Position, Health));
    uint32_t position = order_of(world, ox_component_id_of(Position));
    uint32_t health = order_of(world, ox_component_id_of(Health));

    ox_remove(world, entity, Position);
    EXPECT_NE(order_of(world, ox_component_id_of(Position)), position);
    EXPECT_NE(order_of(world, ox_component_id_of(Health)), health);
    health = order_of(world, ox_component_id_of(Health));
    ox_entity_destroy(world, entity);

    EXPECT_NE(order_of(world, ox_component_id_of(Health)), health);
    end_world(world, &reports);
}

// Pointers live until the next structural change, whatever is read meanwhile.

TEST(moves, pointers_stay_where_they_are_while_others_are_read) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity list[LARGE_ROWS];
    for (int edits = 0; edits < 2; edits++) {
        ox_entities_create(world, ox_archetype_of(world, Large), list, LARGE_ROWS);
        ox_edit(world, list[5], Large)->bytes[0] = 5;
        ox_entity_destroy(world, list[2]);
        const Large *value = edits ? ox_edit(world, list[5], Large) : ox_get(world, list[5], Large);

        for (int k = LARGE_ROWS - 1; k > 2; k--) {
            ox_get(world, list[k], Large);
        }

        EXPECT_EQ(value->bytes[0], 5);
        EXPECT((const void *)ox_get(world, list[5], Large) == value);
        list[2] = list[15];
        EXPECT(ox_entities_destroy(world, list, LARGE_ROWS - 1));
    }
    end_world(world, &reports);
}

// Pointers that ox_get gave may be passed to the next call.

TEST(moves, a_value_may_come_from_the_world_itself) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity list[LARGE_ROWS], taker = ox_entity_create(world);
    ox_entities_create(world, ox_archetype_of(world, Large), list, LARGE_ROWS);
    for (int k = 0; k < LARGE_ROWS; k++) {
        ox_edit(world, list[k], Large)->bytes[0] = (unsigned char)k;
    }
    ox_entity_destroy(world, list[4]);
    ox_entity_destroy(world, list[8]);
    const Large *value = ox_get(world, list[3], Large); // before the holes, which stay

    EXPECT(ox_add_at(world, taker, ox_component_id_of(Large), value, OX_HERE));

    EXPECT_EQ(ox_get(world, taker, Large)->bytes[0], 3);
    EXPECT(ox_set_at(world, list[15], ox_component_id_of(Large), ox_get(world, taker, Large),
                     OX_HERE));
    EXPECT_EQ(ox_get(world, list[15], Large)->bytes[0], 3);
    end_world(world, &reports);
}
