// SPDX-License-Identifier: MIT
//
// Components that are switched off and on: bits that travel with their entities, and whole entities
// that are switched off.

#include "entities/kinds_test.h"

#include "oxbow/memory.h"

OX_SHARED(Camp, { int32_t id; });

static collected_reports reports;

// Entities that are off where their number is not divisible by 3; the number is in Health.
enum { MANY = 200 };

static bool is_on(int number) {
    return number % 3 == 0;
}

static void make_striped(ox_world *world, ox_entity *list, int count) {
    for (int k = 0; k < count; k++) {
        list[k] = ox_entity_create(world, OX_VALUE(Stunned, {k}), OX_VALUE(Health, {k}),
                                   OX_VALUE_TAG(Lit), OX_VALUE(Camp, {1}));
        EXPECT(ox_set_enabled(world, list[k], Stunned, is_on(k)));
        EXPECT(ox_set_enabled(world, list[k], Lit, !is_on(k)));
    }
}

static void expect_striped(ox_world *world, const ox_entity *list, int count) {
    for (int k = 0; k < count; k++) {
        if (ox_entity_exists(world, list[k])) {
            EXPECT_EQ(ox_is_enabled(world, list[k], Stunned), is_on(k));
            EXPECT_EQ(ox_is_enabled(world, list[k], Lit), !is_on(k));
            EXPECT_EQ(ox_get(world, list[k], Stunned)->turns, k);
        }
    }
    EXPECT(ox_world_validate(world));
}

TEST(enabled, a_component_is_on_when_it_is_new) {
    ox_world *world = make_world(&reports);
    ox_entity made = ox_entity_create_in(world, ox_archetype_of(world, Stunned, Lit)),
              added = ox_entity_create(world);
    ox_add(world, added, Stunned, {1});
    ox_entity of_set = ox_entity_create(world);
    ox_entity_set_archetype(world, of_set, ox_archetype_of(world, Stunned));

    EXPECT(ox_is_enabled(world, made, Stunned) && ox_is_enabled(world, made, Lit));
    EXPECT(ox_is_enabled(world, added, Stunned));
    EXPECT(ox_is_enabled(world, of_set, Stunned));
    end_world(world, &reports);
}

TEST(enabled, switching_off_keeps_the_component_its_value_and_its_place) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Stunned, {5}));
    const Stunned *value = ox_get(world, entity, Stunned);

    EXPECT(ox_set_enabled(world, entity, Stunned, false));

    EXPECT(!ox_is_enabled(world, entity, Stunned));
    EXPECT(ox_has(world, entity, Stunned));
    EXPECT(value == ox_get(world, entity, Stunned));
    EXPECT_EQ(value->turns, 5);
    EXPECT(ox_set(world, entity, Stunned, {6}));
    EXPECT_EQ(value->turns, 6);
    EXPECT(!ox_is_enabled(world, entity, Stunned));
    EXPECT(ox_set_enabled(world, entity, Stunned, true));
    EXPECT(ox_is_enabled(world, entity, Stunned));
    end_world(world, &reports);
}

TEST(enabled, adding_it_again_does_not_switch_it) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Stunned, {5}));
    ox_set_enabled(world, entity, Stunned, false);
    EXPECT(ox_add(world, entity, Stunned, {7}));
    EXPECT(!ox_is_enabled(world, entity, Stunned));
    EXPECT(ox_remove(world, entity, Stunned));
    EXPECT(ox_add(world, entity, Stunned, {8}));
    EXPECT(ox_is_enabled(world, entity, Stunned));
    end_world(world, &reports);
}

TEST(enabled, only_what_exists_and_is_there_is_on) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health)),
              gone = ox_entity_create_in(world, ox_archetype_of(world, Lit));
    ox_entity_destroy(world, gone);
    EXPECT(ox_is_enabled(world, entity, Health)); // what cannot be switched off is on
    EXPECT(!ox_is_enabled(world, entity, Lit));
    EXPECT(!ox_is_enabled(world, gone, Lit));
    EXPECT(!ox_is_enabled_id(world, entity, UINT32_MAX));
    EXPECT(!ox_is_enabled_id(NULL, entity, ox_component_id_of(Lit)));
    end_world(world, &reports);
}

// Bits travel.

TEST(enabled, bits_stay_when_other_components_come_and_go) {
    ox_world *world = make_world(&reports);
    ox_entity list[MANY];
    make_striped(world, list, MANY);

    for (int k = 0; k < MANY; k += 2) {
        EXPECT(ox_add(world, list[k], Velocity, {1, 2}));
        EXPECT(ox_add_many(world, list[k], OX_VALUE_TAG(Frozen), OX_VALUE(Position, {1, 2})));
    }
    expect_striped(world, list, MANY);
    for (int k = 0; k < MANY; k += 4) {
        EXPECT(ox_remove(world, list[k], Velocity));
        EXPECT(ox_remove_many(world, list[k], Frozen, Position));
    }
    expect_striped(world, list, MANY);
    end_world(world, &reports);
}

TEST(enabled, bits_stay_when_a_shared_value_is_set) {
    ox_world *world = make_world(&reports);
    ox_entity list[MANY];
    make_striped(world, list, MANY);
    for (int k = 0; k < MANY; k++) {
        EXPECT(ox_set(world, list[k], Camp, {k % 5}));
    }
    expect_striped(world, list, MANY);
    ox_query *query = ox_query_create(world, OX_READ(Camp));
    EXPECT(ox_query_set_shared(query, Camp, {3}));
    expect_striped(world, list, MANY);
    end_world(world, &reports);
}

TEST(enabled, bits_stay_when_neighbours_are_destroyed) {
    for (int removal = OX_REMOVAL_ORDERED; removal <= OX_REMOVAL_SWAP; removal++) {
        ox_world *world = ox_world_create(&(ox_world_def){.removal = (ox_removal)removal});
        ox_entity list[MANY];
        make_striped(world, list, MANY);
        for (int k = 0; k < MANY; k += 7) {
            ox_entity_destroy(world, list[k]);
            expect_striped(world, list, k % 5 == 0 ? MANY : 1);
        }
        expect_striped(world, list, MANY);
        EXPECT(ox_entities_destroy(world, list + 50, 6));
        expect_striped(world, list, MANY);
        ox_world_destroy(world);
    }
}

TEST(enabled, bits_are_copied_to_instances_and_copies) {
    ox_world *world = make_world(&reports);
    ox_entity list[MANY], made[MANY], many[10];
    make_striped(world, list, MANY);
    for (int k = 0; k < MANY; k++) {
        made[k] = ox_entity_instantiate(world, list[k]);
    }
    expect_striped(world, made, MANY);
    EXPECT(ox_entities_copy(world, list, made, MANY));
    expect_striped(world, made, MANY);
    EXPECT(ox_entities_instantiate(world, list[1], many, 10));
    for (int k = 0; k < 10; k++) {
        EXPECT(!ox_is_enabled(world, many[k], Stunned) && ox_is_enabled(world, many[k], Lit));
    }
    end_world(world, &reports);
}

TEST(enabled, bits_stay_when_chunks_are_joined_and_defragmented) {
    ox_world *world = make_world(&reports);
    static ox_entity list[3000];
    make_striped(world, list, 3000);
    for (int k = 0; k < 3000; k++) {
        if (k % 11 > 2) {
            ox_entity_destroy(world, list[k]);
        }
    }
    expect_striped(world, list, 3000);
    while (ox_world_defragment(world, 100) > 0) {
    }
    expect_striped(world, list, 3000);
    end_world(world, &reports);
}

TEST(enabled, bits_stay_when_a_query_moves_all) {
    ox_world *world = make_world(&reports);
    static ox_entity list[2000];
    make_striped(world, list, 2000);
    ox_query *query = ox_query_create(world, OX_READ(Health));

    EXPECT(ox_query_add(query, Frozen)); // whole chunks
    expect_striped(world, list, 2000);
    EXPECT(ox_query_add(query, Velocity)); // rows
    expect_striped(world, list, 2000);
    EXPECT(ox_query_remove(query, Velocity));
    EXPECT(ox_query_remove(query, Frozen));
    EXPECT(ox_query_remove(query, Camp));
    expect_striped(world, list, 2000);
    end_world(world, &reports);
}

TEST(enabled, chunks_that_are_used_again_have_all_on) {
    ox_world *world = make_world(&reports);
    enum { ROWS = 2048 };
    static ox_entity list[ROWS];
    ox_archetype archetype = ox_archetype_of(world, Lit);
    ox_query *query = ox_query_create(world, OX_WRITE(Lit));
    for (int turn = 0; turn < 3; turn++) {
        EXPECT(ox_entities_create(world, archetype, list, ROWS));
        EXPECT_EQ(ox_query_count(query), ROWS);
        for (int k = 0; k < ROWS; k++) {
            ox_set_enabled(world, list[k], Lit, false);
        }
        EXPECT_EQ(ox_query_count(query), 0);
        EXPECT(ox_entities_destroy(world, list, turn == 0 ? ROWS : ROWS - 100));
        if (turn > 0) {
            EXPECT(ox_entities_destroy(world, list + ROWS - 100, 100));
        }
    }
    end_world(world, &reports);
}

TEST(enabled, rows_that_are_used_again_are_on) {
    for (int removal = OX_REMOVAL_ORDERED; removal <= OX_REMOVAL_SWAP; removal++) {
        ox_world *world = ox_world_create(&(ox_world_def){.removal = (ox_removal)removal});
        ox_entity list[MANY];
        make_striped(world, list, MANY);
        for (int k = MANY - 20; k < MANY; k++) {
            ox_entity_destroy(world, list[k]);
        }
        ox_entity next = ox_entity_create(world, OX_VALUE(Stunned, {0}), OX_VALUE(Health, {0}),
                                          OX_VALUE_TAG(Lit), OX_VALUE(Camp, {1}));
        EXPECT(ox_is_enabled(world, next, Stunned) && ox_is_enabled(world, next, Lit));
        EXPECT(ox_world_validate(world));
        ox_world_destroy(world);
    }
}

TEST(enabled, bits_count_in_the_hash_of_a_world) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Stunned));
    uint64_t hash = ox_world_hash(world);
    ox_set_enabled(world, entity, Stunned, false);
    EXPECT(ox_world_hash(world) != hash);
    ox_set_enabled(world, entity, Stunned, true);
    EXPECT_EQ(ox_world_hash(world), hash);
    end_world(world, &reports);
}

// Whole entities.

TEST(enabled, an_entity_that_is_off_has_a_tag_that_queries_leave_out) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health));
    ox_query *plain = ox_query_create(world, OX_READ(Health));
    ox_query *named = ox_query_create(world, OX_READ(Health), OX_WITH(ox_disabled));
    ox_query *included = ox_query_create(world, OX_READ(Health), OX_INCLUDE(ox_disabled));

    EXPECT(ox_entity_set_enabled(world, entity, false));
    EXPECT(ox_entity_set_enabled(world, entity, false));

    EXPECT(!ox_entity_is_enabled(world, entity));
    EXPECT(ox_has(world, entity, ox_disabled));
    EXPECT_EQ(ox_query_count(plain), 0);
    EXPECT_EQ(ox_query_count(named), 1);
    EXPECT_EQ(ox_query_count(included), 1);
    EXPECT(ox_entity_set_enabled(world, entity, true));
    EXPECT(ox_entity_is_enabled(world, entity) && !ox_has(world, entity, ox_disabled));
    EXPECT_EQ(ox_query_count(plain), 1);
    EXPECT_EQ(ox_query_count(named), 0);
    EXPECT_EQ(ox_query_count(included), 1);
    end_world(world, &reports);
}

static void link_group(ox_world *world, ox_entity root, const ox_entity *members, int count) {
    ox_buffer group = ox_add_buffer(world, root, ox_linked);
    ox_buffer_push(group, ox_linked, {root});
    for (int k = 0; k < count; k++) {
        ox_buffer_push(group, ox_linked, {members[k]});
    }
}

TEST(enabled, a_group_is_switched_off_together) {
    ox_world *world = make_world(&reports);
    ox_entity root = ox_entity_create(world), members[3], inner = ox_entity_create(world);
    for (int k = 0; k < 3; k++) {
        members[k] = ox_entity_create(world, OX_VALUE(Health, {k}));
    }
    link_group(world, members[0], &inner, 1);
    link_group(world, root, members, 3);
    ox_entity_set_enabled(world, members[1], false);
    ox_entity_destroy(world, members[2]);

    EXPECT(ox_entity_set_enabled(world, root, false));
    EXPECT(!ox_entity_is_enabled(world, root) && !ox_entity_is_enabled(world, members[0]));
    EXPECT(!ox_entity_is_enabled(world, members[1]) && !ox_entity_is_enabled(world, members[2]));
    EXPECT(ox_entity_is_enabled(world, inner)); // of the group of a member
    EXPECT(ox_entity_set_enabled(world, root, true));
    EXPECT(ox_entity_is_enabled(world, root) && ox_entity_is_enabled(world, members[1]));
    EXPECT_EQ(ox_get(world, members[1], Health)->points, 1);
    end_world(world, &reports);
}

// Reports.

TEST(enabled, switching_demands_an_entity_with_a_component_that_can_be_off) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health));
    uint64_t hash = ox_world_hash_layout(world);

    EXPECT(!ox_set_enabled(world, entity, Health, false));
    EXPECT_HAS(reports.text, "ox_set_enabled of 'Health', which is plain data");
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(!ox_set_enabled(world, entity, Stunned, false));
    EXPECT_REPORT(&reports, OX_REPORT_NO_COMPONENT);
    EXPECT(!ox_set_enabled(world, entity, Lit, false));
    EXPECT_REPORT(&reports, OX_REPORT_NO_COMPONENT);
    EXPECT(!ox_set_enabled_at(world, entity, UINT32_MAX, false, OX_HERE));
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT);
    EXPECT_EQ(ox_world_hash_layout(world), hash);
    ox_entity_destroy(world, entity);
    EXPECT(!ox_set_enabled(world, entity, Stunned, false));
    EXPECT_REPORT(&reports, OX_REPORT_STALE_ENTITY);
    EXPECT(!ox_entity_set_enabled(world, entity, false));
    EXPECT_REPORT(&reports, OX_REPORT_STALE_ENTITY);
    EXPECT(!ox_entity_is_enabled(world, entity));
    end_world(world, &reports);
}
