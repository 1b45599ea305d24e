// SPDX-License-Identifier: MIT
//
// Looking at queries from outside: which there are, where they were made, and their terms.

#include "query_test.h"

static ox_query *make_at(ox_world *world, ox_site site) {
    ox_term terms[] = {{OX_TERM_WRITE, NULL, ox_component_id_of(Health)},
                       {OX_TERM_READ, NULL, ox_component_id_of(Place)},
                       {OX_TERM_END, NULL, 0}};
    return ox_query_create_at(world, terms, site);
}

TEST(query_info, tells_the_world_the_place_and_how_many_terms_there_are) {
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    ox_query *query = make_at(world, "made.c:3");

    ox_query_info info = ox_query_get_info(query);

    EXPECT(info.world == world);
    EXPECT_STR(info.site, "made.c:3");
    EXPECT(info.system == NULL);
    EXPECT_EQ(info.term_count, 2);
    EXPECT_EQ(info.filter_count, 0);
    ox_world_destroy(world);
}

TEST(query_info, of_no_query_is_zero) {
    ox_term terms[1] = {{OX_TERM_END, NULL, 7}};

    EXPECT(ox_query_get_info(NULL).world == NULL);
    EXPECT_EQ(ox_query_get_terms(NULL, terms, 1), 0);

    EXPECT_EQ(terms[0].id, 7);
}

TEST(query_info, terms_are_written_up_to_the_capacity) {
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    ox_query *query = make_at(world, OX_HERE);

    for (int capacity = 0; capacity <= 3; capacity++) {
        ox_term terms[3] = {{OX_TERM_END, NULL, 7}, {OX_TERM_END, NULL, 7}, {OX_TERM_END, NULL, 7}};
        EXPECT_EQ(ox_query_get_terms(query, terms, capacity), 2);
        EXPECT_EQ(terms[0].id, capacity > 0 ? ox_component_id_of(Health) : 7);
        EXPECT_EQ((int)terms[0].kind, (int)(capacity > 0 ? OX_TERM_WRITE : OX_TERM_END));
        EXPECT_EQ(terms[1].id, capacity > 1 ? ox_component_id_of(Place) : 7);
        EXPECT_EQ((int)terms[1].kind, (int)(capacity > 1 ? OX_TERM_READ : OX_TERM_END));
        EXPECT_EQ(terms[2].id, 7);
    }
    EXPECT_EQ(ox_query_get_terms(query, NULL, 3), 2);
    ox_world_destroy(world);
}

TEST(query_info, queries_of_a_world_come_in_the_order_in_which_they_were_made) {
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    ox_query *made[3] = {make_at(world, OX_HERE), make_at(world, OX_HERE), make_at(world, OX_HERE)};

    for (int capacity = 0; capacity <= 4; capacity++) {
        ox_query *found[4] = {NULL};
        EXPECT_EQ(ox_world_get_queries(world, found, capacity), 3);
        for (int k = 0; k < 4; k++) {
            EXPECT(found[k] == (k < 3 && k < capacity ? made[k] : NULL));
        }
    }
    EXPECT_EQ(ox_world_get_queries(world, NULL, 4), 3);
    ox_query_destroy(made[1]);
    EXPECT_EQ(ox_world_get_queries(world, made, 3), 2);
    EXPECT_EQ(ox_world_get_queries(NULL, made, 3), 0);
    ox_world_destroy(world);
}

TEST_CHECKED(query_info, a_world_that_is_used_after_its_end_says_where_it_was_made) {
    collected_reports reports = {0};
    ox_world *world =
        ox_world_create_at(&(ox_world_def){.name = "sea", .no_systems = true}, "made.c:12");
    ox_world_destroy(world);
    collect_reports(&reports);

    EXPECT_EQ(ox_world_get_queries(world, NULL, 0), 0);

    EXPECT_EQ(reports.count, 1);
    EXPECT_HAS(reports.text, "made.c:12");
}
