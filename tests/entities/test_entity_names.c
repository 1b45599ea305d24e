// SPDX-License-Identifier: MIT
//
// Names of entities.

#include "entities/entities_test.h"

TEST(entity_names, are_found_both_ways) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world);
    char name[] = "Anna";

    EXPECT(ox_entity_set_name(world, entity, name));
    name[0] = 'X';

    EXPECT_STR(ox_entity_get_name(world, entity), "Anna");
    EXPECT(is_same(ox_entity_find(world, "Anna"), entity));
    EXPECT_EQ(ox_entity_find(world, "Xnna").version, 0);
    end_world(world, &reports);
}

TEST(entity_names, are_taken_away_with_null) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world);
    ox_entity_set_name(world, entity, "Anna");

    EXPECT(ox_entity_set_name(world, entity, NULL));

    EXPECT(ox_entity_get_name(world, entity) == NULL);
    EXPECT_EQ(ox_entity_find(world, "Anna").version, 0);
    end_world(world, &reports);
}

TEST(entity_names, that_are_taken_are_refused) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity a = ox_entity_create(world), b = ox_entity_create(world);
    ox_entity_set_name(world, a, "Anna");
    ox_entity_set_name(world, b, "Bert");

    EXPECT(!ox_entity_set_name(world, b, "Anna"));

    EXPECT_REPORT(&reports, OX_REPORT_NAME_TAKEN);
    EXPECT_STR(ox_entity_get_name(world, b), "Bert");
    EXPECT(ox_entity_set_name(world, a, "Anna"));
    end_world(world, &reports);
}

TEST(entity_names, are_free_when_the_entity_is_gone) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity a = ox_entity_create(world);
    ox_entity_set_name(world, a, "Anna");
    ox_entity_destroy(world, a);
    EXPECT(ox_entity_get_name(world, a) == NULL);

    ox_entity b = ox_entity_create(world);

    EXPECT_EQ(b.index, a.index);
    EXPECT(ox_entity_get_name(world, b) == NULL);
    EXPECT(ox_entity_set_name(world, b, "Anna"));
    end_world(world, &reports);
}

TEST(entity_names, stay_when_the_entity_moves) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world);
    ox_entity_set_name(world, entity, "Anna");
    ox_add_tag(world, entity, Frozen);
    EXPECT(is_same(ox_entity_find(world, "Anna"), entity));
    end_world(world, &reports);
}

TEST(entity_names, of_any_bytes_are_kept) {
    static char longest[100001];
    collected_reports reports;
    ox_world *world = make_world(&reports);
    memset(longest, 'x', sizeof longest - 1);
    const char *names[] = {"%n%s", "\xff\xfe", "<script>", "a\nb", longest};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        ox_entity entity = ox_entity_create(world);
        EXPECT(ox_entity_set_name(world, entity, names[k]));
        EXPECT_STR(ox_entity_get_name(world, entity), names[k]);
        EXPECT(!ox_entity_set_name(world, ox_entity_create(world), names[k]));
        EXPECT_REPORT(&reports, OX_REPORT_NAME_TAKEN);
    }
    end_world(world, &reports);
}
