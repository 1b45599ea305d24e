// SPDX-License-Identifier: MIT
//
// Lookups: components by entity.

#include "query_test.h"

#include <string.h>

// Entities of many archetypes: every set of four components beside Health.
enum { LOOKED_UP = 16 * 60 };

static void fill_lookup_world(ox_world *world, ox_entity *made) {
    for (int k = 0; k < LOOKED_UP; k++) {
        int set = k % 16;
        made[k] = ox_entity_create(world, OX_VALUE(Health, {k}));
        if (set & 1) {
            ox_add_tag(world, made[k], Frozen);
        }
        if (set & 2) {
            ox_add_tag(world, made[k], Marked);
        }
        if (set & 4) {
            ox_add(world, made[k], Place, {(float)k, 0, 0});
        }
        if (set & 8) {
            ox_add(world, made[k], Speed, {0, (float)k, 0});
        }
    }
}

TEST(lookup, finds_values_of_many_archetypes_in_any_order) {
    static ox_entity made[LOOKED_UP];
    ox_world *world = ox_world_create(NULL);
    fill_lookup_world(world, made);
    ox_lookup health = ox_lookup_create(world, Health), place = ox_lookup_create(world, Place);
    oxi_random random = oxi_random_seed(test_seed(5));

    for (int n = 0; n < 20000; n++) {
        int k = (int)oxi_random_below(&random, LOOKED_UP);
        bool has = (k % 16 & 4) != 0;
        EXPECT_EQ(ox_lookup_get(&health, made[k], Health)->points, k);
        EXPECT_EQ((const void *)ox_lookup_get(&health, made[k], Health),
                  (const void *)ox_get(world, made[k], Health));
        EXPECT_EQ(ox_lookup_has(&place, made[k]), has);
        if (has) {
            EXPECT_EQ(ox_lookup_get(&place, made[k], Place)->x, (float)k);
        }
    }
    ox_world_destroy(world);
}

TEST(lookup, edits_the_value_of_the_entity) {
    static ox_entity made[LOOKED_UP];
    ox_world *world = ox_world_create(NULL);
    fill_lookup_world(world, made);
    ox_lookup health = ox_lookup_create(world, Health);

    for (int k = 0; k < LOOKED_UP; k++) {
        ox_lookup_edit(&health, made[k], Health)->points += 1000;
    }

    for (int k = 0; k < LOOKED_UP; k++) {
        EXPECT_EQ(ox_get(world, made[k], Health)->points, k + 1000);
    }
    ox_world_destroy(world);
}

TEST(lookup, reads_copies_and_sets_values) {
    static ox_entity made[LOOKED_UP];
    ox_world *world = ox_world_create(NULL);
    fill_lookup_world(world, made);
    ox_lookup health = ox_lookup_create(world, Health);

    Health third = ox_lookup_read(&health, made[3], Health);
    ox_lookup_set(&health, made[3], Health, {third.points + 4});
    ox_lookup_set(&health, made[4], Health, third);

    EXPECT_EQ(third.points, 3);
    EXPECT_EQ(ox_get(world, made[3], Health)->points, 7);
    EXPECT_EQ(ox_get(world, made[4], Health)->points, 3);
    ox_world_destroy(world);
}

TEST(lookup, goes_on_after_structural_changes_and_with_holes) {
    static ox_entity made[LOOKED_UP];
    ox_world *world = ox_world_create(NULL);
    fill_lookup_world(world, made);
    ox_lookup health = ox_lookup_create(world, Health);
    oxi_random random = oxi_random_seed(test_seed(6));
    int alive = LOOKED_UP;

    while (alive > 0) {
        int place = (int)oxi_random_below(&random, (uint64_t)alive);
        int other = (int)oxi_random_below(&random, (uint64_t)alive);
        const Health *value = ox_lookup_get(&health, made[other], Health);
        EXPECT_EQ(value->points, ox_read(world, made[other], Health).points);
        if (other % 7 == 0) {
            ox_has(world, made[other], Marked) ? (void)ox_remove(world, made[other], Marked)
                                               : (void)ox_add_tag(world, made[other], Marked);
        }
        ox_entity_destroy(world, made[place]);
        EXPECT(!ox_lookup_has(&health, made[place]));
        made[place] = made[--alive];
    }
    EXPECT(ox_world_validate(world));
    ox_world_destroy(world);
}

TEST(lookup, a_pointer_stays_while_other_chunks_are_closed) {
    ox_world *world = ox_world_create(NULL);
    ox_entity made[10];
    ox_entities_create(world, ox_archetype_of(world, Health), made, 10);
    ox_lookup health = ox_lookup_create(world, Health);
    ox_entity_destroy(world, made[2]);
    ox_lookup_edit(&health, made[9], Health)->points = 9;
    const Health *nine = ox_lookup_get(&health, made[9], Health);

    ox_query *query = ox_query_create(world, OX_READ(Health));
    EXPECT_EQ(count_chunks(query), 1);
    ox_lookup_get(&health, made[5], Health);

    EXPECT_EQ((const void *)ox_lookup_get(&health, made[9], Health), (const void *)nine);
    EXPECT_EQ(nine->points, 9);
    EXPECT_EQ(ox_entity_get_location(world, made[9]).row, 8);
    ox_world_destroy(world);
}

// What is refused.

TEST(lookup, of_a_dead_entity_or_a_missing_component_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_world *world = ox_world_create(NULL);
    ox_entity dead = ox_entity_create_in(world, ox_archetype_of(world, Health)),
              bare = ox_entity_create_in(world, ox_archetype_of(world, Place));
    ox_lookup health = ox_lookup_create(world, Health);
    ox_lookup_edit(&health, dead, Health)->points = 5;
    ox_entity_destroy(world, dead);

    const ox_entity wrong[] = {dead, {0, 0}, {UINT32_MAX, UINT32_MAX}, {dead.index, 77}};
    for (int k = 0; k < 4; k++) {
        EXPECT(!ox_lookup_has(&health, wrong[k]));
        EXPECT_EQ(reports.count, 0);
        EXPECT_EQ(ox_lookup_get(&health, wrong[k], Health)->points, 0);
        EXPECT_REPORT(&reports, OX_REPORT_STALE_ENTITY);
        ox_lookup_edit(&health, wrong[k], Health)->points = 1;
        EXPECT_REPORT(&reports, OX_REPORT_STALE_ENTITY);
    }
    EXPECT(!ox_lookup_has(&health, bare));
    EXPECT_EQ(ox_lookup_get(&health, bare, Health)->points, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NO_COMPONENT);
    ox_lookup_edit(&health, bare, Health)->points = 1;
    EXPECT_REPORT(&reports, OX_REPORT_NO_COMPONENT);
    ox_world_destroy(world);
}

TEST(lookup, of_a_tag_or_an_unknown_component_is_not_made) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_world *world = ox_world_create(NULL);

    ox_lookup tag = ox_lookup_create(world, Frozen);
    EXPECT_REPORT(&reports, OX_REPORT_TAG_HAS_NO_VALUE);
    EXPECT_EQ(tag.world, NULL);
    EXPECT_EQ(ox_lookup_create_at(world, 0, OX_HERE).world, NULL);
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT);
    EXPECT_EQ(ox_lookup_create_at(world, UINT32_MAX, OX_HERE).world, NULL);
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT);
    EXPECT(!ox_lookup_has(&tag, (ox_entity){0, 1}));
    ox_world_destroy(world);
}

TEST_CHECKED(lookup, that_was_not_made_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_lookup none = {0};

    EXPECT_EQ(ox_lookup_get(&none, ((ox_entity){0, 1}), Health)->points, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(ox_lookup_edit(&none, ((ox_entity){0, 1}), Health) != NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_lookup_has(&none, (ox_entity){0, 1}));
}
