// SPDX-License-Identifier: MIT
//
// Shared components in queries: filters by value, values by chunk, and setting many at once.

#include "entities/kinds_test.h"

#include "oxbow/containers.h"
#include "oxbow/memory.h"

OX_SHARED(Rank, { int32_t level; });

static collected_reports reports;

// Entities 0 to 29: team k % 3, region (k % 2, 0), rank 0, health k.
enum { PEOPLE = 30 };

static ox_world *make_people(ox_entity *people) {
    ox_world *world = make_world(&reports);
    for (int32_t k = 0; k < PEOPLE; k++) {
        people[k] =
            ox_entity_create(world, OX_VALUE(Team, {k % 3}), OX_VALUE(Region, {k % 2, 0}),
                             OX_VALUE_TAG(Rank), OX_VALUE(Health, {k}), OX_VALUE(Stunned, {1}));
    }
    return world;
}

static bool matches_all(ox_query *query, int modulo, int rest) {
    bool is_all = true;
    OX_EACH_CHUNK(query, chunk) {
        const Health *health = ox_chunk_get(chunk, Health);
        for (int k = 0; k < chunk.count; k++) {
            is_all = is_all && health[k].points % modulo == rest;
        }
    }
    return is_all;
}

TEST(shared_query, a_filter_lets_one_value_pass) {
    ox_entity people[PEOPLE];
    ox_world *world = make_people(people);
    ox_query *query = ox_query_create(world, OX_READ(Team), OX_READ(Health));

    EXPECT(ox_query_filter_shared(query, Team, {2}));

    EXPECT_EQ(ox_query_count(query), 10);
    EXPECT_EQ(ox_query_count_all(query), PEOPLE);
    EXPECT(matches_all(query, 3, 2));
    EXPECT(ox_query_filter_shared(query, Team, {1})); // replaces it
    EXPECT_EQ(ox_query_count(query), 10);
    EXPECT(matches_all(query, 3, 1));
    ox_query_reset_filters(query);
    EXPECT_EQ(ox_query_count(query), PEOPLE);
    end_world(world, &reports);
}

TEST(shared_query, two_filters_let_pass_what_has_both_values_and_a_third_is_refused) {
    ox_entity people[PEOPLE];
    ox_world *world = make_people(people);
    ox_query *query =
        ox_query_create(world, OX_READ(Team), OX_WITH(Region), OX_READ(Rank), OX_READ(Health));

    EXPECT(ox_query_filter_shared(query, Team, {1}));
    EXPECT(ox_query_filter_shared(query, Region, {1, 0}));

    EXPECT_EQ(ox_query_count(query), 5);
    EXPECT(matches_all(query, 6, 1));
    EXPECT(!ox_query_filter_shared(query, Rank, {0}));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COUNT);
    EXPECT_EQ(ox_query_count(query), 5);
    EXPECT(ox_query_filter_shared(query, Team, {2}));
    EXPECT_EQ(ox_query_count(query), 5);
    end_world(world, &reports);
}

TEST(shared_query, the_default_is_a_value_to_filter_by) {
    ox_entity people[PEOPLE];
    ox_world *world = make_people(people);
    ox_query *query = ox_query_create(world, OX_READ(Team), OX_READ(Health));
    EXPECT(ox_query_filter_shared(query, Team, {0}));
    EXPECT_EQ(ox_query_count(query), 10);
    EXPECT(matches_all(query, 3, 0));
    end_world(world, &reports);
}

TEST(shared_query, a_value_that_nobody_has_passes_when_somebody_gets_it) {
    ox_entity people[PEOPLE];
    ox_world *world = make_people(people);
    ox_query *query = ox_query_create(world, OX_READ(Team));
    EXPECT(ox_query_filter_shared(query, Team, {77}));
    EXPECT(ox_query_is_empty(query));

    ox_set(world, people[3], Team, {77});

    EXPECT_EQ(ox_query_count(query), 1);
    ox_entity_destroy(world, people[3]);
    EXPECT_EQ(ox_query_count(query), 0);
    ox_set(world, people[4], Team, {77}); // the filter kept the value
    EXPECT_EQ(ox_query_count(query), 1);
    end_world(world, &reports);
}

TEST(shared_query, a_filter_may_come_before_the_first_entity) {
    ox_world *world = make_world(&reports);
    ox_query *query = ox_query_create(world, OX_READ(Team));
    EXPECT(ox_query_filter_shared(query, Team, {3}));
    ox_entity_create(world, OX_VALUE(Team, {3}));
    ox_entity_create(world, OX_VALUE(Team, {4}));
    EXPECT_EQ(ox_query_count(query), 1);
    end_world(world, &reports);
}

TEST(shared_query, filters_by_value_and_by_change_must_both_let_pass) {
    ox_entity people[PEOPLE];
    ox_world *world = make_people(people);
    ox_query *query = ox_query_create(world, OX_READ(Team), OX_READ(Health));
    uint32_t before = ox_world_get_version(world);
    ox_world_advance_version(world);
    ox_edit(world, people[1], Health);
    ox_edit(world, people[2], Health);

    EXPECT(ox_query_filter_shared(query, Team, {1}));
    EXPECT(ox_query_filter_changed(query, Health, before));

    EXPECT_EQ(ox_query_count(query), 5); // the chunk of team 1 in its region
    EXPECT(matches_all(query, 3, 1));
    end_world(world, &reports);
}

TEST(shared_query, a_filter_demands_a_term_and_a_shared_component) {
    ox_world *world = make_world(&reports);
    ox_query *query = ox_query_create(world, OX_READ(Health), OX_OPTIONAL(Team), OX_NONE(Region));

    EXPECT(!ox_query_filter_shared(query, Rank, {1}));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT(!ox_query_filter_shared(query, Team, {1}));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT(!ox_query_filter_shared(query, Region, {1, 1}));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT(!ox_query_filter_shared(query, Health, {1}));
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    end_world(world, &reports);
}

// Values by chunk.

TEST(shared_query, a_chunk_tells_its_value_and_none_for_what_is_not_there) {
    ox_world *world = make_world(&reports);
    ox_entity_create(world, OX_VALUE(Team, {5}), OX_VALUE(Health, {5}));
    ox_entity_create(world, OX_VALUE(Health, {0}));
    ox_query *query = ox_query_create(world, OX_READ(Health), OX_OPTIONAL(Team));

    int steps = 0;
    OX_EACH_CHUNK(query, chunk) {
        const Team *team = ox_chunk_get(chunk, Team);
        EXPECT_EQ(ox_chunk_get(chunk, Health)->points, team != NULL ? team->id : 0);
        steps++;
    }

    EXPECT_EQ(steps, 2);
    end_world(world, &reports);
}

TEST(shared_query, a_chunk_demands_a_term) {
    ox_entity people[PEOPLE];
    ox_world *world = make_people(people);
    ox_query *query = ox_query_create(world, OX_READ(Team), OX_READ(Health));
    ox_chunk chunk = ox_query_chunks(query);
    EXPECT(ox_chunk_next(&chunk));

    EXPECT_EQ(ox_chunk_get(chunk, Region)->x, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT(ox_chunk_get(chunk, Team) != oxi_element_zeros());
    end_world(world, &reports);
}

TEST(shared_query, writing_a_shared_component_is_no_term) {
    ox_world *world = make_world(&reports);
    EXPECT(ox_query_create(world, OX_WRITE(Team)) == NULL);
    EXPECT_HAS(reports.text, "a query with OX_WRITE of 'Team', which is shared");
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(ox_query_create(world, OX_DISABLED(Team)) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    end_world(world, &reports);
}

// Many at once.

TEST(shared_query, setting_by_query_gives_all_one_value_in_their_order) {
    ox_world *world = make_world(&reports);
    enum { EACH = 3 * LARGE_ROWS + 4 };
    ox_entity list[2 * EACH];
    for (int k = 0; k < 2 * EACH; k++) {
        list[k] = ox_entity_create(world, OX_VALUE(Large, {{(unsigned char)k}}),
                                   OX_VALUE(Team, {1 + k / EACH}));
    }
    ox_query *query = ox_query_create(world, OX_READ(Team), OX_READ(Large));
    EXPECT(ox_query_filter_shared(query, Team, {1}));

    EXPECT(ox_query_set_shared(query, Team, {9}));

    EXPECT_EQ(ox_query_count(query), 0);
    EXPECT(ox_query_filter_shared(query, Team, {9}));
    ox_array found = ox_query_copy_entities(query, OX_PERSISTENT);
    EXPECT_EQ(ox_array_count(found), EACH);
    for (int k = 0; k < EACH; k++) {
        EXPECT(is_same(ox_array_read(OX_AS(found, ox_entity), k), list[k]));
        EXPECT_EQ(ox_get(world, list[k], Large)->bytes[0], k);
    }
    ox_dispose(&found);
    EXPECT_EQ(ox_get(world, list[EACH], Team)->id, 2);
    end_world(world, &reports);
}

TEST(shared_query, setting_by_query_joins_chunks_that_are_not_full) {
    ox_world *world = make_world(&reports);
    ox_entity list[8];
    for (int32_t k = 0; k < 8; k++) {
        list[k] = ox_entity_create(world, OX_VALUE(Team, {k + 1}), OX_VALUE(Health, {k}));
    }
    EXPECT_EQ(ox_world_get_usage(world).chunk_count, 8);
    ox_query *query = ox_query_create(world, OX_READ(Team));

    EXPECT(ox_query_set_shared(query, Team, {1}));

    EXPECT_EQ(ox_world_get_usage(world).chunk_count, 1);
    for (int k = 0; k < 8; k++) {
        EXPECT_EQ(ox_get(world, list[k], Team)->id, 1);
        EXPECT_EQ(ox_get(world, list[k], Health)->points, k);
    }
    end_world(world, &reports);
}

TEST(shared_query, setting_by_query_what_is_there_moves_nothing) {
    ox_entity people[PEOPLE];
    ox_world *world = make_people(people);
    ox_query *query = ox_query_create(world, OX_READ(Team), OX_READ(Stunned));
    EXPECT(ox_query_filter_shared(query, Team, {1}));
    uint64_t layout = ox_world_hash_layout(world);

    EXPECT(ox_query_set_shared(query, Team, {1}));
    EXPECT_EQ(ox_world_hash_layout(world), layout);
    ox_set_enabled(world, people[13], Stunned, false); // rows of this chunk are taken one by one
    layout = ox_world_hash_layout(world);
    EXPECT(ox_query_set_shared(query, Team, {1}));
    EXPECT_EQ(ox_world_hash_layout(world), layout);
    end_world(world, &reports);
}

TEST(shared_query, setting_by_query_changes_only_rows_that_are_switched_on) {
    ox_entity people[PEOPLE];
    ox_world *world = make_people(people);
    for (int k = 0; k < PEOPLE; k += 2) {
        ox_set_enabled(world, people[k], Stunned, false);
    }
    ox_query *query = ox_query_create(world, OX_READ(Stunned), OX_READ(Team));

    EXPECT(ox_query_set_shared(query, Team, {50}));

    for (int k = 0; k < PEOPLE; k++) {
        EXPECT_EQ(ox_get(world, people[k], Team)->id, k % 2 != 0 ? 50 : k % 3);
        EXPECT_EQ(ox_get(world, people[k], Region)->x, k % 2);
        EXPECT_EQ(ox_get(world, people[k], Health)->points, k);
        EXPECT_EQ(ox_is_enabled(world, people[k], Stunned), k % 2 != 0);
    }
    end_world(world, &reports);
}

TEST(shared_query, setting_by_chunk_gives_all_of_it_one_value_in_place) {
    ox_entity people[PEOPLE];
    ox_world *world = make_people(people);
    ox_query *query = ox_query_create(world, OX_READ(Team), OX_READ(Health));
    EXPECT(ox_query_filter_shared(query, Team, {2}));
    ox_chunk chunk = ox_query_chunks(query);
    EXPECT(ox_chunk_next(&chunk));
    int count = chunk.count;
    ox_entity first = chunk.entities[0];
    int32_t row = ox_entity_get_location(world, first).row;

    EXPECT(ox_chunk_set_shared(chunk, Team, {8}));

    EXPECT_EQ(ox_entity_get_location(world, first).row, row);
    EXPECT_EQ(ox_get(world, first, Team)->id, 8);
    EXPECT_EQ(ox_query_count(query), 10 - count);
    EXPECT(!ox_chunk_next(&chunk)); // the loop is over
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_IN_LOOP);
    EXPECT(!ox_chunk_set_shared(chunk, Team, {9}));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    end_world(world, &reports);
}

TEST(shared_query, setting_by_chunk_without_a_value_is_reported) {
    ox_entity people[PEOPLE];
    ox_world *world = make_people(people);
    ox_query *query = ox_query_create(world, OX_READ(Team));
    collect_reports(&reports);

    ox_chunk chunk = ox_query_chunks(query);
    EXPECT(ox_chunk_next(&chunk));
    EXPECT(!ox_chunk_set_shared_at(&chunk, ox_component_id_of(Team), NULL, OX_HERE));

    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    end_world(world, &reports);
}

TEST(shared_query, setting_by_chunk_what_is_there_moves_nothing_and_the_loop_goes_on) {
    ox_entity people[PEOPLE];
    ox_world *world = make_people(people);
    ox_query *query = ox_query_create(world, OX_READ(Team));
    uint64_t layout = ox_world_hash_layout(world);
    uint32_t order = ox_world_get_order_version(world, ox_component_id_of(Team));
    int seen = 0;

    OX_EACH_CHUNK(query, chunk) {
        EXPECT(ox_chunk_set_shared(chunk, Team, {ox_chunk_get(chunk, Team)->id}));
        seen += chunk.count;
    }

    EXPECT_EQ(seen, PEOPLE);
    EXPECT_EQ(ox_world_hash_layout(world), layout);
    EXPECT_EQ(ox_world_get_order_version(world, ox_component_id_of(Team)), order);
    end_world(world, &reports);
}

TEST(shared_query, setting_by_query_demands_a_term_and_a_shared_component) {
    ox_world *world = make_world(&reports);
    ox_query *query = ox_query_create(world, OX_READ(Health), OX_OPTIONAL(Team));
    EXPECT(!ox_query_set_shared(query, Region, {1, 1}));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT(!ox_query_set_shared(query, Team, {1}));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT(!ox_query_set_shared(query, Health, {1}));
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    end_world(world, &reports);
}

TEST(shared_query, values_stay_apart_when_chunks_are_joined) {
    ox_world *world = make_world(&reports);
    ox_entity list[200];
    for (int32_t k = 0; k < 200; k++) {
        list[k] =
            ox_entity_create(world, OX_VALUE(Team, {k % 4}), OX_VALUE(Large, {{(unsigned char)k}}));
    }
    for (int k = 0; k < 200; k++) {
        if (k % 5 != 0) {
            ox_entity_destroy(world, list[k]);
        }
    }

    ox_world_defragment(world, UINT64_MAX);

    EXPECT_EQ(ox_world_get_usage(world).chunk_count, 4);
    for (int k = 0; k < 200; k += 5) {
        EXPECT_EQ(ox_get(world, list[k], Team)->id, k % 4);
        EXPECT_EQ(ox_get(world, list[k], Large)->bytes[0], k);
    }
    end_world(world, &reports);
}

// Whole chunks, and rows of chunks where some are switched off, come to one value.
TEST(shared_query, chunks_and_rows_come_to_one_value) {
    ox_world *world = make_world(&reports);
    static ox_entity list[1000];
    for (int32_t k = 0; k < 1000; k++) {
        list[k] = ox_entity_create(world, OX_VALUE(Team, {k % 50 + 1}), OX_VALUE_TAG(Lit),
                                   OX_VALUE(Health, {k}));
        ox_set_enabled(world, list[k], Lit, k % 50 % 2 == 0 || k < 500);
    }
    ox_query *query = ox_query_create(world, OX_WITH(Lit), OX_READ(Team));

    EXPECT(ox_query_set_shared(query, Team, {99}));

    for (int k = 0; k < 1000; k++) {
        bool is_meant = k % 50 % 2 == 0 || k < 500;
        EXPECT_EQ(ox_get(world, list[k], Team)->id, is_meant ? 99 : k % 50 + 1);
        EXPECT_EQ(ox_get(world, list[k], Health)->points, k);
    }
    end_world(world, &reports);
}
