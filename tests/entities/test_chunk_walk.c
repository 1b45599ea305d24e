// SPDX-License-Identifier: MIT
//
// Walks over chunks: columns, leaving loops, and changes inside of them.

#include "query_test.h"

typedef struct walk_world {
    ox_world *world;
    ox_entity plain[3]; // Place, Health
    ox_entity fast[2];  // Place, Health, Speed, Frozen
} walk_world;

static walk_world make_walk_world(void) {
    walk_world made = {.world = ox_world_create(NULL)};
    ox_entities_create(made.world, ox_archetype_of(made.world, Place, Health), made.plain, 3);
    ox_entities_create(made.world, ox_archetype_of(made.world, Place, Health, Speed, Frozen),
                       made.fast, 2);
    for (int k = 0; k < 3; k++) {
        ox_set(made.world, made.plain[k], Health, {k});
    }
    for (int k = 0; k < 2; k++) {
        ox_set(made.world, made.fast[k], Health, {10 + k});
    }
    return made;
}

TEST(chunk_walk, columns_hold_the_values_of_the_entities) {
    walk_world made = make_walk_world();
    ox_query *query = ox_query_create(made.world, OX_READ(Health), OX_WRITE(Place));

    OX_EACH_CHUNK(query, chunk) {
        const Health *health = ox_chunk_get(chunk, Health);
        Place *place = ox_chunk_edit(chunk, Place);
        const Place *same = ox_chunk_get(chunk, Place);
        EXPECT_EQ((const void *)place, (const void *)same);
        for (int i = 0; i < chunk.count; i++) {
            place[i].x = (float)health[i].points + 1;
            EXPECT_EQ(health[i].points, ox_get(made.world, chunk.entities[i], Health)->points);
        }
    }

    EXPECT_EQ(ox_get(made.world, made.plain[2], Place)->x, 3.0f);
    EXPECT_EQ(ox_get(made.world, made.fast[1], Place)->x, 12.0f);
    ox_world_destroy(made.world);
}

TEST(chunk_walk, columns_are_aligned_to_cache_lines) {
    walk_world made = make_walk_world();
    ox_query *query = ox_query_create(made.world, OX_READ(Health), OX_READ(Place));

    OX_EACH_CHUNK(query, chunk) {
        EXPECT_EQ((uintptr_t)ox_chunk_get(chunk, Health) % 64, 0);
        EXPECT_EQ((uintptr_t)ox_chunk_get(chunk, Place) % 64, 0);
        EXPECT_EQ((uintptr_t)chunk.entities % 64, 0);
    }
    ox_world_destroy(made.world);
}

TEST(chunk_walk, an_optional_or_any_column_is_null_where_it_is_not_there) {
    walk_world made = make_walk_world();
    ox_query *query = ox_query_create(made.world, OX_READ(Health), OX_OPTIONAL(Speed));
    ox_query *any = ox_query_create(made.world, OX_ANY(Speed, Place));

    int with = 0;
    OX_EACH_CHUNK(query, chunk) {
        const Speed *speed = ox_chunk_get(chunk, Speed);
        EXPECT_EQ(speed != NULL, ox_chunk_has(chunk, Speed));
        with += speed != NULL;
    }
    OX_EACH_CHUNK(any, chunk) {
        EXPECT(ox_chunk_get(chunk, Place) != NULL);
        EXPECT_EQ(ox_chunk_get(chunk, Speed) != NULL,
                  ox_chunk_has_id(&chunk, ox_component_id_of(Speed)));
    }

    EXPECT_EQ(with, 1);
    ox_world_destroy(made.world);
}

TEST(chunk_walk, has_answers_for_any_id) {
    walk_world made = make_walk_world();
    ox_query *query = ox_query_create(made.world, OX_WITH(Frozen));
    ox_chunk walk = ox_query_chunks(query);

    EXPECT(!ox_chunk_has_id(&walk, ox_component_id_of(Frozen)));
    EXPECT(ox_chunk_next(&walk));
    EXPECT(ox_chunk_has_id(&walk, ox_component_id_of(Frozen)));
    EXPECT(ox_chunk_has(walk, Place));
    EXPECT(!ox_chunk_has(walk, Marked));
    EXPECT(!ox_chunk_has_id(&walk, 0));
    EXPECT(!ox_chunk_has_id(&walk, 100000));
    EXPECT(!ox_chunk_has_id(&walk, UINT32_MAX));
    ox_world_destroy(made.world);
}

// What a query did not declare.

typedef struct refused_column {
    uint32_t id;
    bool edits;
    ox_report_id report;
} refused_column;

TEST(chunk_walk, a_column_that_was_not_declared_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    walk_world made = make_walk_world();
    ox_query *query = ox_query_create(made.world, OX_READ(Health), OX_WITH(Place), OX_READ(Frozen),
                                      OX_NONE(Marked), OX_OPTIONAL(Speed));
    const refused_column cases[] = {
        {ox_component_id_of(Load), false, OX_REPORT_NOT_IN_QUERY},
        {ox_component_id_of(Load), true, OX_REPORT_NOT_IN_QUERY},
        {ox_component_id_of(Place), false, OX_REPORT_NOT_IN_QUERY},
        {ox_component_id_of(Place), true, OX_REPORT_NOT_IN_QUERY},
        {ox_component_id_of(Marked), false, OX_REPORT_NOT_IN_QUERY},
        {ox_component_id_of(Health), true, OX_REPORT_NOT_IN_QUERY},
        {ox_component_id_of(Speed), true, OX_REPORT_NOT_IN_QUERY},
        {0, false, OX_REPORT_NOT_IN_QUERY},
        {UINT32_MAX, true, OX_REPORT_NOT_IN_QUERY},
        {ox_component_id_of(Frozen), false, OX_REPORT_TAG_HAS_NO_VALUE},
    };
    ox_chunk chunk = ox_query_chunks(query);
    EXPECT(ox_chunk_next(&chunk));
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const void *column = cases[k].edits ? ox_chunk_edit_at(&chunk, cases[k].id, OX_HERE)
                                            : ox_chunk_get_at(&chunk, cases[k].id, OX_HERE);
        EXPECT(column != NULL);
        if (cases[k].report == OX_REPORT_NOT_IN_QUERY) {
            bool is_read = cases[k].id == ox_component_id_of(Health) ||
                           cases[k].id == ox_component_id_of(Speed);
            EXPECT_HAS(reports.text, is_read ? "terms of the query, with OX_WRITE\n"
                                             : "terms of the query, with OX_READ\n");
        }
        EXPECT_REPORT(&reports, cases[k].report);
    }
    EXPECT(!ox_chunk_next(&chunk));
    ox_world_destroy(made.world);
}

TEST(chunk_walk, the_column_of_a_tag_is_reported_where_the_tag_is_missing_too) {
    collected_reports reports = {0};
    collect_reports(&reports);
    walk_world made = make_walk_world();
    ox_query *query = ox_query_create(made.world, OX_OPTIONAL(Frozen));

    OX_EACH_CHUNK(query, chunk) {
        EXPECT(ox_chunk_get_at(&chunk, ox_component_id_of(Frozen), OX_HERE) != NULL);
        EXPECT_REPORT(&reports, OX_REPORT_TAG_HAS_NO_VALUE);
    }
    ox_world_destroy(made.world);
}

TEST(chunk_walk, a_report_names_the_component_and_where_the_query_was_made) {
    collected_reports reports = {0};
    collect_reports(&reports);
    walk_world made = make_walk_world();
    ox_term terms[] = {{OX_TERM_READ, ox_component_of(Health), 0}, {OX_TERM_END, NULL, 0}};
    ox_query *query = ox_query_create_at(made.world, terms, "game.c:10");
    ox_chunk chunk = ox_query_chunks(query);
    ox_chunk_next(&chunk);

    ox_chunk_edit_at(&chunk, ox_component_id_of(Health), "game.c:20");

    EXPECT_HAS(reports.text, "game.c:10");
    EXPECT_HAS(reports.text, "game.c:20");
    EXPECT_HAS(reports.text, "does not write 'Health'");
    ox_world_destroy(made.world);
}

TEST(chunk_walk, a_chunk_outside_of_its_loop_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    walk_world made = make_walk_world();
    ox_query *query = ox_query_create(made.world, OX_WRITE(Health));

    ox_chunk chunk = ox_query_chunks(query);
    EXPECT_EQ(ox_chunk_get(chunk, Health)->points, 0); // before the first
    EXPECT_HAS(reports.text, "and ask for it inside of the loop");
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    while (ox_chunk_next(&chunk)) {
    }
    EXPECT_EQ(chunk.count, 0);
    ox_chunk_edit(chunk, Health)->points = 77; // after the last
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT(!ox_chunk_next(&chunk));
    EXPECT_EQ(ox_get(made.world, made.plain[0], Health)->points, 0);
    ox_world_destroy(made.world);
}

TEST(chunk_walk, a_zeroed_chunk_is_reported_and_has_no_next) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_chunk chunk = {0};

    EXPECT(!ox_chunk_next(&chunk));
    EXPECT(!ox_chunk_has_id(&chunk, ox_component_id_of(Health)));
    EXPECT_EQ(reports.count, 0);
    EXPECT_EQ(ox_chunk_get(chunk, Health)->points, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(ox_chunk_edit(chunk, Health) != NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
}

// Leaving loops.

static int find_health(ox_query *query, int points) {
    OX_EACH_CHUNK(query, chunk) {
        const Health *health = ox_chunk_get(chunk, Health);
        for (int i = 0; i < chunk.count; i++) {
            if (health[i].points == points) {
                return i;
            }
        }
    }
    return -1;
}

TEST(chunk_walk, break_continue_and_return_do_what_they_always_do) {
    walk_world made = make_walk_world();
    ox_query *query = ox_query_create(made.world, OX_READ(Health));
    int seen = 0, reached = 0;

    OX_EACH_CHUNK(query, chunk) {
        seen++;
        if (chunk.count == 3) {
            continue;
        }
        reached++;
        break;
    }

    EXPECT_EQ(seen, 2);
    EXPECT_EQ(reached, 1);
    EXPECT_EQ(find_health(query, 2), 2);
    EXPECT_EQ(find_health(query, 11), 1);
    EXPECT_EQ(find_health(query, 12), -1);
    ox_world_destroy(made.world);
}

TEST(chunk_walk, loops_over_one_query_and_others_stand_inside_of_each_other) {
    walk_world made = make_walk_world();
    ox_query *query = ox_query_create(made.world, OX_READ(Health));
    ox_query *frozen = ox_query_create(made.world, OX_WITH(Frozen));
    int pairs = 0, mixed = 0;

    OX_EACH_CHUNK(query, chunk) {
        int count = chunk.count;
        OX_EACH_CHUNK(query, other) {
            pairs += count * other.count;
        }
        OX_EACH_CHUNK(frozen, cold) {
            mixed += count * cold.count;
        }
    }

    EXPECT_EQ(pairs, 25);
    EXPECT_EQ(mixed, 10);
    ox_world_destroy(made.world);
}

TEST(chunk_walk, a_copied_chunk_goes_on_from_where_it_was_copied) {
    walk_world made = make_walk_world();
    ox_query *query = ox_query_create(made.world, OX_READ(Health));
    ox_chunk first = ox_query_chunks(query);
    EXPECT(ox_chunk_next(&first));

    ox_chunk second = first;
    EXPECT(ox_chunk_next(&second));

    EXPECT_EQ(first.count, 3);
    EXPECT_EQ(second.count, 2);
    EXPECT_EQ(ox_chunk_get(first, Health)[2].points, 2);
    EXPECT_EQ(ox_chunk_get(second, Health)[1].points, 11);
    ox_world_destroy(made.world);
}

// Changes inside of loops. Which of them end one is in test_walk_changes.c.

TEST(chunk_walk, the_step_after_a_change_is_reported_with_both_places_and_the_loop_ends) {
    collected_reports reports = {0};
    collect_reports(&reports);
    walk_world made = make_walk_world();
    ox_query *query = ox_query_create(made.world, OX_READ(Health));
    int steps = 0;

    for (ox_chunk chunk = ox_query_chunks_at(query, "game.c:30"); ox_chunk_next(&chunk);) {
        ox_entity_destroy_at(made.world, made.plain[1], "game.c:40");
        steps++;
    }

    EXPECT_EQ(steps, 1);
    EXPECT_HAS(reports.text, "game.c:30");
    EXPECT_HAS(reports.text, "game.c:40");
    EXPECT_HAS(reports.text, "fix: record it with ox_commands and play that back after the loop");
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_IN_LOOP);
    EXPECT(!ox_entity_exists(made.world, made.plain[1]));
    ox_world_destroy(made.world);
}

TEST(chunk_walk, a_column_after_a_change_is_reported_and_harmless) {
    collected_reports reports = {0};
    collect_reports(&reports);
    walk_world made = make_walk_world();
    ox_query *query = ox_query_create(made.world, OX_WRITE(Health));

    OX_EACH_CHUNK(query, chunk) {
        ox_add_tag(made.world, made.plain[2], Marked);
        EXPECT_EQ(ox_chunk_get(chunk, Health)[1].points, 0);
        EXPECT_REPORT(&reports, OX_REPORT_CHANGED_IN_LOOP);
        ox_chunk_edit(chunk, Health)[1].points = 99;
        EXPECT_REPORT(&reports, OX_REPORT_CHANGED_IN_LOOP);
        break;
    }

    EXPECT_EQ(ox_get(made.world, made.plain[1], Health)->points, 1);
    EXPECT_EQ(ox_get(made.world, made.plain[2], Health)->points, 2);
    EXPECT_EQ(reports.count, 0);
    ox_world_destroy(made.world);
}

TEST(chunk_walk, what_is_no_structural_change_ends_no_loop) {
    collected_reports reports = {0};
    collect_reports(&reports);
    walk_world made = make_walk_world();
    ox_query *query = ox_query_create(made.world, OX_READ(Health));
    int steps = 0;

    OX_EACH_CHUNK(query, chunk) {
        ox_set(made.world, made.plain[0], Health, {5});
        ox_add(made.world, made.plain[0], Health, {6}); // it is there already
        ox_edit(made.world, made.fast[0], Speed)->x = 1;
        ox_query_create(made.world, OX_READ(Load));
        ox_archetype_of(made.world, Health, Load, Marked);
        ox_query_count(query);
        ox_entity_set_name(made.world, made.plain[0], "one");
        ox_world_advance_version(made.world);
        ox_query_add(query, Health); // all have it
        steps++;
    }

    EXPECT_EQ(steps, 2);
    EXPECT_EQ(reports.count, 0);
    ox_world_destroy(made.world);
}

TEST(chunk_walk, a_change_that_is_left_by_break_is_no_mistake) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_world *world = ox_world_create(NULL);
    ox_query *query = ox_query_create(world, OX_READ(Health));
    ox_entity_create_in(world, ox_archetype_of(world, Health));

    OX_EACH_CHUNK(query, chunk) {
        ox_entity_destroy(world, chunk.entities[0]); // the last one that matches
        break;
    }

    EXPECT_EQ(reports.count, 0);
    EXPECT(ox_query_is_empty(query));
    EXPECT_EQ(count_chunks(query), 0);
    ox_world_destroy(world);
}

TEST(chunk_walk, a_change_of_one_world_ends_no_loop_over_another) {
    collected_reports reports = {0};
    collect_reports(&reports);
    walk_world made = make_walk_world();
    ox_world *other = ox_world_create(NULL);
    ox_query *query = ox_query_create(made.world, OX_READ(Health));

    OX_EACH_CHUNK(query, chunk) {
        ox_entity_create(other);
    }

    EXPECT_EQ(reports.count, 0);
    EXPECT_EQ(ox_world_get_usage(other).entity_count, 2);
    ox_world_destroy(other);
    ox_world_destroy(made.world);
}

TEST(chunk_walk, with_a_filter_steps_over_chunks_that_do_not_pass) {
    walk_world made = make_walk_world();
    ox_query *query = ox_query_create(made.world, OX_WRITE(Health));
    uint32_t version = ox_world_get_version(made.world);
    ox_world_advance_version(made.world);
    ox_edit(made.world, made.fast[1], Health)->points = 12;
    ox_query_filter_changed(query, Health, version);
    int steps = 0;

    OX_EACH_CHUNK(query, chunk) {
        steps++;
        EXPECT_EQ(chunk.count, 2);
        EXPECT_EQ(ox_chunk_get(chunk, Health)[1].points, 12);
    }

    EXPECT_EQ(steps, 1);
    ox_world_destroy(made.world);
}

TEST(chunk_walk, filters_may_change_inside_of_a_loop) {
    walk_world made = make_walk_world();
    ox_query *query = ox_query_create(made.world, OX_WRITE(Health));
    int steps = 0;

    OX_EACH_CHUNK(query, chunk) {
        ox_query_filter_changed(query, Health, ox_world_get_version(made.world));
        steps++;
    }

    EXPECT_EQ(steps, 1); // the second chunk does not pass any more
    ox_world_destroy(made.world);
}

TEST(chunk_walk, without_a_chunk_is_a_report) {
    collected_reports reports;
    collect_reports(&reports);

    EXPECT(!ox_chunk_next(NULL));
    EXPECT_HAS(reports.text, "'chunk' of ox_chunk_next is NULL");
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);

    EXPECT(ox_chunk_get_at(NULL, ox_component_id_of(Health), OX_HERE) != NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(ox_chunk_edit_at(NULL, ox_component_id_of(Health), OX_HERE) != NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_chunk_has_id(NULL, ox_component_id_of(Health)));
    EXPECT_EQ(reports.count, 0);
}
