// SPDX-License-Identifier: MIT
//
// Why an entity does not match a query. tests/entities/kinds_queries.c holds the answer alone
// against a look at random entities.

#include "entities/kinds_test.h"

#include "base/heap.h"
#include "entities/query.h"
#include "oxbow/queries.h"

static collected_reports reports;

static void expect_why(ox_query *query, ox_entity entity, const char *why, int line) {
    char text[256];
    bool matches = ox_query_explain(query, entity, text, sizeof text);
    test_expect_str(text, why, "why", __FILE__, line);
    EXPECT_EQ(matches, strcmp(why, "matches") == 0);
    EXPECT_EQ(ox_query_explain(query, entity, NULL, 0), matches);
}

#define EXPECT_WHY(query, entity, why) expect_why(query, entity, why, __LINE__)

TEST(query_explain, names_what_is_missing_and_what_is_shut_out) {
    ox_world *world = make_world(&reports);
    ox_query *query = ox_query_create(world, OX_WRITE(Position), OX_READ(Health), OX_NONE(Frozen));
    ox_query *absent = ox_query_create(world, OX_ABSENT(Frozen), OX_OPTIONAL(Health));
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Frozen));

    EXPECT_WHY(query, entity,
               "has no Position; has no Health; has Frozen, which OX_NONE shuts out");
    EXPECT_WHY(absent, entity, "has Frozen, which OX_ABSENT shuts out");
    ox_remove(world, entity, Frozen);
    EXPECT_WHY(absent, entity, "matches");
    ox_add(world, entity, Position, {0});
    EXPECT_WHY(query, entity, "has no Health");
    ox_add(world, entity, Health, {1});
    EXPECT_WHY(query, entity, "matches");
    ox_entity_destroy(world, entity);
    EXPECT_WHY(query, entity, "is not alive");
    EXPECT_WHY(query, (ox_entity){0}, "is not alive");
    end_world(world, &reports);
}

TEST(query_explain, names_all_of_which_one_would_do) {
    ox_world *world = make_world(&reports);
    ox_query *query = ox_query_create(world, OX_ANY(Position, Stunned, Lit));
    ox_entity entity = ox_entity_create(world, OX_VALUE(Health, {1}));

    EXPECT_WHY(query, entity, "has none of Position, Stunned, Lit");
    ox_add_tag(world, entity, Lit);
    EXPECT_WHY(query, entity, "matches");
    ox_set_enabled(world, entity, Lit, false);
    EXPECT_WHY(query, entity, "has none of Position, Stunned, Lit that is on");
    end_world(world, &reports);
}

TEST(query_explain, looks_at_switches) {
    ox_world *world = make_world(&reports);
    ox_query *on = ox_query_create(world, OX_READ(Stunned)),
             *off = ox_query_create(world, OX_DISABLED(Stunned)),
             *none = ox_query_create(world, OX_NONE(Stunned)),
             *both = ox_query_create(world, OX_PRESENT(Stunned));
    ox_entity entity = ox_entity_create(world, OX_VALUE(Stunned, {1}));

    EXPECT_WHY(on, entity, "matches");
    EXPECT_WHY(off, entity, "Stunned is switched on");
    EXPECT_WHY(none, entity, "has Stunned, switched on, which OX_NONE shuts out");
    ox_set_enabled(world, entity, Stunned, false);
    EXPECT_WHY(on, entity, "Stunned is switched off");
    EXPECT_WHY(off, entity, "matches");
    EXPECT_WHY(none, entity, "matches");
    EXPECT_WHY(both, entity, "matches");
    end_world(world, &reports);
}

TEST(query_explain, names_what_queries_leave_out) {
    ox_world *world = make_world(&reports);
    ox_query *query = ox_query_create(world, OX_READ(Health)),
             *all = ox_query_create(world, OX_NONE(Frozen));
    ox_entity prefab = ox_entity_create(world, OX_VALUE(Health, {1}));
    ox_add_tag(world, prefab, ox_prefab);
    ox_entity asleep = ox_entity_create(world, OX_VALUE(Health, {1}));
    ox_entity_set_enabled(world, asleep, false);
    ox_entity rest = ox_entity_create(world, OX_VALUE(Registered, {1}));
    ox_entity_destroy(world, rest);

    EXPECT_WHY(query, prefab, "is a prefab");
    EXPECT_WHY(query, asleep, "is switched off as a whole");
    EXPECT_WHY(all, rest, "is what is left of a destroyed entity");
    EXPECT_WHY(ox_query_create(world, OX_WITH(ox_prefab)), prefab, "matches");
    ox_remove(world, rest, Registered);
    end_world(world, &reports);
}

TEST(query_explain, looks_at_filters) {
    ox_world *world = make_world(&reports);
    ox_query *query = ox_query_create(world, OX_READ(Health), OX_WITH(Team));
    ox_entity entity = ox_entity_create(world, OX_VALUE(Health, {1}), OX_VALUE(Team, {1}));
    ox_entity other = ox_entity_create(world, OX_VALUE(Team, {1}));

    EXPECT(ox_query_filter_shared(query, Team, {2}));
    EXPECT_WHY(query, entity, "its Team is not the one that a filter asks for");
    EXPECT_WHY(query, other, "has no Health"); // filters are for those that could match
    EXPECT(ox_query_filter_shared(query, Team, {1}));
    EXPECT_WHY(query, entity, "matches");
    uint32_t version = ox_world_get_version(world);
    ox_world_advance_version(world);
    EXPECT(ox_query_filter_changed(query, Health, version));
    EXPECT_WHY(query, entity, "its chunk has not changed as a filter asks");
    ox_set(world, entity, Health, {2});
    EXPECT_WHY(query, entity, "matches");
    end_world(world, &reports);
}

TEST(query_explain, takes_no_memory_without_a_text) {
    ox_world *world = make_world(&reports);
    ox_query *query = ox_query_create(world, OX_READ(Health));
    ox_entity entity = ox_entity_create(world, OX_VALUE(Health, {1}));
    uint64_t blocks = oxi_heap_get_blocks();

    EXPECT(ox_query_explain(query, entity, NULL, 0));

    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
    end_world(world, &reports);
}

TEST(query_explain, takes_no_memory_for_an_end_alone) {
    ox_world *world = make_world(&reports);
    ox_query *query = ox_query_create(world, OX_READ(Health));
    ox_entity entity = ox_entity_create(world, OX_VALUE(Health, {1}));
    uint64_t blocks = oxi_heap_get_blocks();
    char text[2] = "ab";

    EXPECT(ox_query_explain(query, entity, text, 1));

    EXPECT_EQ(text[0], 0);
    EXPECT_EQ(text[1], 'b');
    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
    end_world(world, &reports);
}

TEST(query_explain, is_cut_to_fit_and_reports_what_it_cannot_use) {
    ox_world *world = make_world(&reports);
    ox_query *query = ox_query_create(world, OX_READ(Health));
    ox_entity entity = ox_entity_create(world);
    char text[8] = "before";
    collect_reports(&reports);

    EXPECT(!ox_query_explain(query, entity, text, 7));
    EXPECT_STR(text, "has no");
    EXPECT(!ox_query_explain(query, entity, NULL, 7));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_query_explain(query, entity, NULL, 1));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_query_explain(NULL, entity, text, 7));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_STR(text, "");
    end_world(world, &reports);
}

TEST(query_explain, the_nearest_entity_lacks_least_and_is_one_of_most) {
    ox_world *world = make_world(&reports);
    ox_query *query = ox_query_create(world, OX_READ(Position), OX_READ(Health), OX_WITH(Frozen));
    EXPECT_EQ(oxi_query_find_nearest(query).version, 0);
    ox_entity made[4];
    made[0] = ox_entity_create_in(world, ox_archetype_of(world, Frozen));
    made[1] = ox_entity_create_in(world, ox_archetype_of(world, Position, Frozen));
    made[2] = ox_entity_create_in(world, ox_archetype_of(world, Health, Frozen));
    made[3] = ox_entity_create_in(world, ox_archetype_of(world, Health, Frozen));
    ox_entity_destroy(world, made[2]);

    EXPECT_EQ(oxi_query_find_nearest(query).index, made[1].index);

    made[2] = ox_entity_create_in(world, ox_archetype_of(world, Health, Frozen));
    ox_entity nearest = oxi_query_find_nearest(query);
    EXPECT(nearest.index == made[2].index || nearest.index == made[3].index);
    end_world(world, &reports);
}
