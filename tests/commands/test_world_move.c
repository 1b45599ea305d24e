// SPDX-License-Identifier: MIT
//
// Moving entities between worlds.

#include "commands/moves_test.h"

#include "jobs/jobs_test.h"
#include "oxbow/containers.h"
#include "oxbow/entity_jobs.h"

enum { MANY = 3000 };

static two_worlds two;

static void make_default(void) {
    make_two(&two, (ox_world_def){0}, (ox_world_def){0});
}

static ox_entity make_ship(ox_world *world, int32_t points) {
    return ox_entity_create(world, OX_VALUE(Health, {points}));
}

// What moves.

TEST(world_move, all_entities_get_new_ids_and_the_old_ones_die) {
    make_default();
    ox_entity_create(two.port);
    ox_entity ship = make_ship(two.sea, 7);
    ox_entity before[1], after[1];

    EXPECT_EQ(ox_world_move(two.port, two.sea, &(ox_moved_ids){before, after, 1}), 1);

    EXPECT(is_same(before[0], ship));
    EXPECT(is_same(after[0], (ox_entity){1, 1}));
    EXPECT(!ox_entity_exists(two.sea, ship));
    EXPECT_EQ(ox_get(two.port, after[0], Health)->points, 7);
    EXPECT_EQ(count_entities(two.sea), 0);
    EXPECT_EQ(count_entities(two.port), 2);
    end_two(&two);
}

TEST(world_move, ids_are_taken_in_the_order_of_archetypes_chunks_and_rows) {
    make_default();
    for (int k = 0; k < MANY; k++) {
        if (k % 3 == 0) {
            ox_entity_create(two.sea, OX_VALUE(Position, {(float)k, 0}));
        } else {
            make_ship(two.sea, k);
        }
    }
    ox_query *all = ox_query_create(two.sea, OX_ANY(Position, Health));
    static ox_entity before[MANY], after[MANY], expected[MANY];
    int walked = 0;
    OX_EACH_CHUNK(all, chunk) {
        memcpy(expected + walked, chunk.entities, (size_t)chunk.count * sizeof *expected);
        walked += chunk.count;
    }

    EXPECT_EQ(ox_world_move(two.port, two.sea, &(ox_moved_ids){before, after, MANY}), MANY);

    for (int k = 0; k < MANY; k++) {
        EXPECT(is_same(before[k], expected[k]));
        EXPECT(is_same(after[k], (ox_entity){(uint32_t)k, 1}));
    }
    end_two(&two);
}

TEST(world_move, old_ids_are_freed_in_order_so_the_last_is_used_first) {
    make_default();
    ox_entity ships[3];
    for (int k = 0; k < 3; k++) {
        ships[k] = make_ship(two.sea, k);
    }

    EXPECT_EQ(ox_world_move(two.port, two.sea, NULL), 3);

    EXPECT(is_same(ox_entity_create(two.sea), (ox_entity){ships[2].index, 2}));
    EXPECT(is_same(ox_entity_create(two.sea), (ox_entity){ships[1].index, 2}));
    end_two(&two);
}

TEST(world_move, bytes_of_chunks_stay_where_they_are) {
    make_default();
    for (int k = 0; k < LARGE_ROWS; k++) {
        ox_entity_create(two.sea, OX_VALUE(Large, {{(unsigned char)k}}));
    }
    ox_query *query = ox_query_create(two.sea, OX_READ(Large));
    const void *place = NULL;
    OX_EACH_CHUNK(query, chunk) {
        place = ox_chunk_get(chunk, Large);
    }

    EXPECT_EQ(ox_world_move(two.port, two.sea, NULL), LARGE_ROWS);

    ox_query *moved = ox_query_create(two.port, OX_READ(Large));
    OX_EACH_CHUNK(moved, chunk) {
        EXPECT(ox_chunk_get(chunk, Large) == place);
        EXPECT_EQ(ox_chunk_get(chunk, Large)[5].bytes[0], 5);
    }
    end_two(&two);
}

TEST(world_move, chunks_are_appended_and_neighbours_that_fit_are_joined) {
    make_default();
    for (int k = 0; k < 2 * LARGE_ROWS + 3; k++) {
        ox_entity_create(two.sea, OX_VALUE(Large, {{(unsigned char)k}}));
        if (k < LARGE_ROWS + 2) {
            ox_entity_create(two.port, OX_VALUE(Large, {{(unsigned char)(100 + k)}}));
        }
    }

    ox_world_move(two.port, two.sea, NULL);

    // 16, 2 and then 16, 16, 3: only the last fits nowhere, and the 2 stay before them.
    ox_query *moved = ox_query_create(two.port, OX_READ(Large));
    int counts[8] = {0}, chunks = 0, last = -1;
    OX_EACH_CHUNK(moved, chunk) {
        counts[chunks++] = chunk.count;
        for (int k = 0; k < chunk.count; k++) {
            int value = ox_chunk_get(chunk, Large)[k].bytes[0];
            EXPECT(value >= 100 ? last == -1 || last >= 100 : last >= 100 || value == last + 1);
            last = value;
        }
    }
    EXPECT_EQ(chunks, 5);
    EXPECT_EQ(counts[1], 2);
    EXPECT_EQ(counts[4], 3);
    ox_world_move(two.sea, two.port, NULL);
    end_two(&two);
}

TEST(world_move, small_chunks_of_many_moves_do_not_pile_up) {
    make_default();
    for (int k = 0; k < 100; k++) {
        make_ship(two.sea, k);
        EXPECT_EQ(ox_world_move(two.port, two.sea, NULL), 1);
    }

    EXPECT_EQ(ox_world_get_usage(two.port).chunk_count, 1);
    EXPECT_EQ(count_entities(two.port), 100);
    end_two(&two);
}

TEST(world_move, chunks_that_a_world_empties_serve_the_one_that_fills_new_ones) {
    make_default();
    uint64_t most = 0;
    for (int k = 0; k < 20; k++) {
        for (int n = 0; n < 40 * LARGE_ROWS; n++) {
            ox_entity_create(two.sea, OX_VALUE(Large, {{1}}));
        }
        ox_world_move(two.port, two.sea, NULL);
        ox_query *query = ox_query_create(two.port, OX_READ(Large));
        EXPECT_EQ(ox_query_destroy_entities(query), 40 * LARGE_ROWS);
        ox_query_destroy(query);
        uint64_t bytes = ox_world_get_usage(two.port).process_bytes;
        most = k == 3 ? bytes : most;
        EXPECT(k <= 3 || bytes <= most);
    }
    end_two(&two);
}

TEST(world_move, an_empty_world_moves_nothing_and_makes_nothing) {
    make_default();
    uint64_t hash = ox_world_hash_layout(two.port);

    EXPECT_EQ(ox_world_move(two.port, two.sea, NULL), 0);

    EXPECT_EQ(ox_world_hash_layout(two.port), hash);
    end_two(&two);
}

TEST(world_move, prefabs_disabled_ones_and_residue_move_too) {
    make_default();
    ox_entity prefab = ox_entity_create(two.sea, OX_VALUE_TAG(ox_prefab));
    ox_entity off = make_ship(two.sea, 1);
    ox_entity_set_enabled(two.sea, off, false);
    ox_entity left = ox_entity_create(two.sea, OX_VALUE(Registered, {4}));
    ox_entity_destroy(two.sea, left);
    (void)prefab;
    ox_entity after[3];

    EXPECT_EQ(ox_world_move(two.port, two.sea, &(ox_moved_ids){NULL, after, 3}), 3);

    int seen = 0;
    for (int k = 0; k < 3; k++) {
        seen += ox_has(two.port, after[k], ox_prefab);
        seen += 10 * !ox_entity_is_enabled(two.port, after[k]);
        if (ox_has(two.port, after[k], ox_destroyed)) {
            seen += 100;
            EXPECT(ox_remove(two.port, after[k], Registered));
            EXPECT(!ox_entity_exists(two.port, after[k]));
        }
    }
    EXPECT_EQ(seen, 111);
    end_two(&two);
}

// What comes along.

TEST(world_move, fields_that_point_to_what_moves_follow_and_others_become_null) {
    make_default();
    ox_entity stays = make_ship(two.sea, 0);
    ox_entity gone = make_ship(two.sea, 0);
    ox_entity leader = ox_entity_create(two.sea, OX_VALUE(Position, {0, 0}));
    ox_entity one = ox_entity_create(two.sea, OX_VALUE(Position, {0, 0}),
                                     OX_VALUE(Follows, {leader, {stays, gone}, 5}));
    ox_entity_destroy(two.sea, gone);
    ox_set(two.sea, one, Follows, {leader, {stays, one}, 5});
    ox_buffer crew = ox_add_buffer(two.sea, one, Crew);
    for (int k = 0; k < 5; k++) {
        ox_buffer_push(crew, Crew, {k, k % 2 == 0 ? leader : k == 1 ? gone : one});
    }
    ox_query *query = ox_query_create(two.sea, OX_READ(Position));
    ox_entity before[2], after[2];

    EXPECT_EQ(ox_world_move_query(two.port, query, &(ox_moved_ids){before, after, 2}), 2);

    EXPECT(is_same(before[0], leader) && is_same(before[1], one));
    const Follows *follows = ox_get(two.port, after[1], Follows);
    EXPECT(is_same(follows->leader, after[0]));
    EXPECT(is_same(follows->others[0], (ox_entity){0, 0}));
    EXPECT(is_same(follows->others[1], after[1]));
    EXPECT_EQ(follows->distance, 5);
    crew = ox_get(two.port, after[1], Crew);
    EXPECT_EQ(ox_buffer_count(crew), 5);
    EXPECT(is_same(ox_buffer_get(crew, 0, Crew)->sailor, after[0]));
    EXPECT(is_same(ox_buffer_get(crew, 1, Crew)->sailor, (ox_entity){0, 0}));
    EXPECT(is_same(ox_buffer_get(crew, 3, Crew)->sailor, after[1]));
    EXPECT_EQ(count_entities(two.sea), 1);
    end_two(&two);
}

TEST(world_move, an_id_of_the_target_that_looks_like_one_of_the_source_is_no_reference) {
    make_default();
    ox_entity there = make_ship(two.port, 1);
    ox_entity here = ox_entity_create(two.sea, OX_VALUE(Follows, {{9, 1}, {{0, 0}}, 0}));
    EXPECT(is_same(there, here)); // both are 0:1
    ox_entity after[1];

    ox_world_move(two.port, two.sea, &(ox_moved_ids){NULL, after, 1});

    EXPECT(is_same(ox_get(two.port, after[0], Follows)->leader, (ox_entity){0, 0}));
    end_two(&two);
}

TEST(world_move, what_is_switched_off_stays_off) {
    make_default();
    ox_entity ships[100], after[100];
    for (int k = 0; k < 100; k++) {
        ships[k] = ox_entity_create(two.sea, OX_VALUE(Sail, {k}), OX_VALUE_TAG(Lit));
        ox_set_enabled(two.sea, ships[k], Sail, k % 3 != 0);
        ox_set_enabled(two.sea, ships[k], Lit, k % 5 != 0);
    }

    ox_world_move(two.port, two.sea, &(ox_moved_ids){NULL, after, 100});

    for (int k = 0; k < 100; k++) {
        EXPECT_EQ(ox_is_enabled(two.port, after[k], Sail), k % 3 != 0);
        EXPECT_EQ(ox_is_enabled(two.port, after[k], Lit), k % 5 != 0);
    }
    end_two(&two);
}

TEST(world_move, buffers_keep_their_blocks) {
    make_default();
    ox_entity ship = ox_entity_create(two.sea), after;
    ox_buffer notes = ox_add_buffer(two.sea, ship, Note);
    for (int k = 0; k < 50; k++) {
        ox_buffer_push(notes, Note, {k});
    }
    const Note *data = ox_buffer_get_data(notes, Note);
    uint64_t bytes = ox_world_get_usage(two.sea).buffer_bytes;
    EXPECT(bytes > 0);

    ox_world_move(two.port, two.sea, &(ox_moved_ids){NULL, &after, 1});

    notes = ox_get(two.port, after, Note);
    EXPECT(ox_buffer_get_data(notes, Note) == data);
    EXPECT_EQ(ox_world_get_usage(two.sea).buffer_bytes, 0);
    EXPECT_EQ(ox_world_get_usage(two.port).buffer_bytes, bytes);
    end_two(&two);
}

TEST(world_move, worlds_of_different_allocators_move_alike) {
    counted_memory sea = {0}, port = {0};
    ox_allocator of_sea = counted_create(&sea), of_port = counted_create(&port);
    make_two(&two, (ox_world_def){.allocator = of_sea},
             (ox_world_def){.allocator = of_port, .removal = OX_REMOVAL_SWAP});
    static ox_entity after[MANY];
    for (int k = 0; k < MANY; k++) {
        ox_entity ship = ox_entity_create(two.sea, OX_VALUE(Sail, {k}), OX_VALUE_TAG(Note),
                                          OX_VALUE(Team, {k % 3}));
        ox_set_enabled(two.sea, ship, Sail, k % 2 == 0);
        ox_buffer_resize(ox_edit(two.sea, ship, Note), k % 6);
    }
    ox_entity_set_name(two.sea, ((ox_entity){0, 1}), "flagship");

    EXPECT_EQ(ox_world_move(two.port, two.sea, &(ox_moved_ids){NULL, after, MANY}), MANY);
    ox_world_destroy(two.sea);

    EXPECT_EQ(sea.live, 0);
    for (int k = 0; k < MANY; k++) {
        int32_t size = ox_get(two.port, after[k], Sail)->size;
        EXPECT_EQ(ox_get(two.port, after[k], Team)->id, size % 3);
        EXPECT_EQ(ox_is_enabled(two.port, after[k], Sail), size % 2 == 0);
        EXPECT_EQ(ox_buffer_count(ox_get(two.port, after[k], Note)), size % 6);
    }
    EXPECT(is_same(ox_entity_find(two.port, "flagship"), after[0]));
    EXPECT(ox_world_validate(two.port));
    ox_world_destroy(two.port);
    EXPECT_EQ(port.live, 0);
    EXPECT_EQ(sea.wrong + port.wrong, 0);
    EXPECT_EQ(two.reports.count, 0);
    ox_allocator_destroy(of_sea);
    ox_allocator_destroy(of_port);
}

// Shared values.

TEST(world_move, equal_shared_values_are_stored_once_in_the_target) {
    make_default();
    for (int k = 0; k < 6; k++) {
        ox_entity_create(two.sea, OX_VALUE(Team, {k % 3}));
        ox_entity_create(two.port, OX_VALUE(Team, {k % 2}));
    }

    ox_world_move(two.port, two.sea, NULL);

    ox_array teams = ox_shared_copy_values(two.port, Team, OX_PERSISTENT);
    EXPECT_EQ(ox_array_count(teams), 3);
    ox_dispose(&teams);
    teams = ox_shared_copy_values(two.sea, Team, OX_PERSISTENT);
    EXPECT_EQ(ox_array_count(teams), 1); // the default
    ox_dispose(&teams);
    EXPECT_EQ(ox_world_get_usage(two.port).chunk_count, 3);
    end_two(&two);
}

TEST(world_move, values_that_own_memory_have_one_owner_in_each_world) {
    make_default();
    set_block_calls();
    ox_entity after[4];
    for (int k = 0; k < 4; k++) {
        add_model(two.sea, ox_entity_create(two.sea), 1 + k % 2);
        add_texture(two.sea, ox_entity_create(two.sea), 1 + k % 2);
    }
    EXPECT_EQ(live_blocks, 4);
    ox_query *models = ox_query_create(two.sea, OX_READ(Model));

    EXPECT_EQ(ox_world_move_query(two.port, models, &(ox_moved_ids){NULL, after, 4}), 4);
    EXPECT_EQ(live_blocks, 4);
    EXPECT_EQ(*ox_get(two.port, after[0], Model)->block, 1);
    EXPECT_EQ(ox_world_move(two.port, two.sea, &(ox_moved_ids){NULL, after, 4}), 4);

    EXPECT_EQ(live_blocks, 4);
    EXPECT_EQ(*ox_get(two.port, after[3], Texture)->block, 2);
    end_two(&two);
    EXPECT_EQ(live_blocks, 0);
}

TEST(world_move, a_value_that_the_target_has_is_dropped_in_the_source) {
    make_default();
    set_block_calls();
    add_texture(two.sea, ox_entity_create(two.sea), 5);
    add_texture(two.port, ox_entity_create(two.port), 5);
    EXPECT_EQ(live_blocks, 2);

    EXPECT_EQ(ox_world_move(two.port, two.sea, NULL), 1);

    EXPECT_EQ(live_blocks, 1);
    end_two(&two);
    EXPECT_EQ(live_blocks, 0);
}

TEST(world_move, a_value_that_cannot_be_copied_and_stays_behind_is_reported) {
    make_default();
    set_block_calls();
    add_texture(two.sea, make_ship(two.sea, 1), 5);
    add_texture(two.sea, ox_entity_create(two.sea), 5);
    ox_query *ships = ox_query_create(two.sea, OX_READ(Health));
    uint64_t hashes[] = {ox_world_hash_layout(two.sea), ox_world_hash_layout(two.port)};

    EXPECT_EQ(ox_world_move_query(two.port, ships, NULL), -1);

    EXPECT_REPORT(&two.reports, OX_REPORT_SHARED_OWNED);
    EXPECT_EQ(ox_world_hash_layout(two.sea), hashes[0]);
    EXPECT_EQ(ox_world_hash_layout(two.port), hashes[1]);
    add_texture(two.port, ox_entity_create(two.port), 5);
    EXPECT_EQ(ox_world_move_query(two.port, ships, NULL), 1); // the target has one of its own
    end_two(&two);
    EXPECT_EQ(live_blocks, 0);
}

TEST(world_move, a_filter_that_names_a_value_holds_it) {
    make_default();
    set_block_calls();
    add_texture(two.sea, ox_entity_create(two.sea), 5);
    ox_query *query = ox_query_create(two.sea, OX_READ(Texture));
    int32_t number = 5;
    ox_query_filter_shared(query, Texture, {&number});

    EXPECT_EQ(ox_world_move(two.port, two.sea, NULL), -1);
    EXPECT_REPORT(&two.reports, OX_REPORT_SHARED_OWNED);
    ox_query_reset_filters(query);

    EXPECT_EQ(ox_world_move(two.port, two.sea, NULL), 1);
    end_two(&two);
    EXPECT_EQ(live_blocks, 0);
}

// Names.

TEST(world_move, names_come_along) {
    make_default();
    ox_entity ship = make_ship(two.sea, 1), after;
    ox_entity_set_name(two.sea, ship, "Argo");

    ox_world_move(two.port, two.sea, &(ox_moved_ids){NULL, &after, 1});

    EXPECT_STR(ox_entity_get_name(two.port, after), "Argo");
    EXPECT(is_same(ox_entity_find(two.port, "Argo"), after));
    EXPECT_EQ(ox_entity_find(two.sea, "Argo").version, 0);
    end_two(&two);
}

TEST(world_move, a_name_that_is_taken_is_left_with_a_warning) {
    make_default();
    ox_entity ship = make_ship(two.sea, 1), after;
    ox_entity owner = make_ship(two.port, 2);
    ox_entity_set_name(two.sea, ship, "Argo");
    ox_entity_set_name(two.port, owner, "Argo");

    EXPECT_EQ(ox_world_move(two.port, two.sea, &(ox_moved_ids){NULL, &after, 1}), 1);

    EXPECT_HAS(two.reports.text, "'Argo'");
    EXPECT_REPORT(&two.reports, OX_REPORT_NAME_LEFT);
    EXPECT(ox_entity_get_name(two.port, after) == NULL);
    EXPECT(is_same(ox_entity_find(two.port, "Argo"), owner));
    EXPECT_EQ(ox_entity_find(two.sea, "Argo").version, 0);
    end_two(&two);
}

TEST(world_move, names_of_those_that_stay_stay) {
    make_default();
    ox_entity stays = ox_entity_create(two.sea);
    ox_entity_set_name(two.sea, stays, "pier");
    make_ship(two.sea, 1);
    ox_query *ships = ox_query_create(two.sea, OX_READ(Health));

    EXPECT_EQ(ox_world_move_query(two.port, ships, NULL), 1);

    EXPECT(is_same(ox_entity_find(two.sea, "pier"), stays));
    EXPECT_EQ(ox_entity_find(two.port, "pier").version, 0);
    end_two(&two);
}

// Queries.

TEST(world_move, a_query_takes_what_matches_and_leaves_the_rest_in_order) {
    make_default();
    for (int k = 0; k < 4 * LARGE_ROWS; k++) {
        ox_entity_create(two.sea, OX_VALUE(Large, {{(unsigned char)k}}),
                         OX_VALUE(Team, {k / LARGE_ROWS % 2}));
    }
    ox_query *query = ox_query_create(two.sea, OX_READ(Large), OX_READ(Team));
    ox_query_filter_shared(query, Team, {1});

    EXPECT_EQ(ox_world_move_query(two.port, query, NULL), 2 * LARGE_ROWS);

    EXPECT_EQ(ox_query_count(query), 0);
    ox_query_reset_filters(query);
    EXPECT_EQ(ox_query_count(query), 2 * LARGE_ROWS);
    int expected = 0;
    OX_EACH_CHUNK(query, chunk) {
        EXPECT_EQ(ox_chunk_get(chunk, Large)[0].bytes[0], expected);
        expected += 2 * LARGE_ROWS;
    }
    end_two(&two);
}

TEST(world_move, a_filter_of_changes_decides_by_chunk) {
    make_default();
    for (int k = 0; k < 3 * LARGE_ROWS; k++) {
        ox_entity_create(two.sea, OX_VALUE(Large, {{(unsigned char)k}}));
    }
    uint32_t version = ox_world_get_version(two.sea);
    ox_world_advance_version(two.sea);
    ox_edit(two.sea, ((ox_entity){LARGE_ROWS, 1}), Large)->bytes[1] = 9;
    ox_query *query = ox_query_create(two.sea, OX_READ(Large));
    ox_query_filter_changed(query, Large, version);

    EXPECT_EQ(ox_world_move_query(two.port, query, NULL), LARGE_ROWS);

    EXPECT(!ox_entity_exists(two.sea, (ox_entity){LARGE_ROWS + 3, 1}));
    EXPECT(ox_entity_exists(two.sea, (ox_entity){0, 1}));
    end_two(&two);
}

TEST(world_move, what_arrives_counts_as_changed_once) {
    make_default();
    for (int k = 0; k < 30; k++) {
        ox_world_advance_version(two.port);
    }
    make_ship(two.sea, 1);
    ox_query *query = ox_query_create(two.port, OX_READ(Health));
    uint32_t version = ox_world_get_version(two.port);
    ox_world_advance_version(two.port);

    ox_world_move(two.port, two.sea, NULL);

    ox_query_filter_changed(query, Health, version);
    EXPECT_EQ(ox_query_count(query), 1);
    ox_query_filter_changed(query, Health, ox_world_get_version(two.port));
    EXPECT_EQ(ox_query_count(query), 0);
    end_two(&two);
}

TEST(world_move, the_order_versions_of_both_worlds_move) {
    make_default();
    make_ship(two.sea, 1);
    uint32_t sea = ox_world_get_order_version(two.sea, ox_component_id_of(Health));
    uint32_t port = ox_world_get_order_version(two.port, ox_component_id_of(Health));

    ox_world_move(two.port, two.sea, NULL);

    EXPECT_NE(ox_world_get_order_version(two.sea, ox_component_id_of(Health)), sea);
    EXPECT_NE(ox_world_get_order_version(two.port, ox_component_id_of(Health)), port);
    end_two(&two);
}

TEST(world_move, holes_are_closed_first) {
    make_default();
    ox_entity ships[10], after[5];
    for (int k = 0; k < 10; k++) {
        ships[k] = make_ship(two.sea, k);
    }
    for (int k = 0; k < 10; k += 2) {
        ox_entity_destroy(two.sea, ships[k]);
        ox_entity_destroy(two.port, make_ship(two.port, k));
    }

    EXPECT_EQ(ox_world_move(two.port, two.sea, &(ox_moved_ids){NULL, after, 5}), 5);

    for (int k = 0; k < 5; k++) {
        EXPECT_EQ(ox_get(two.port, after[k], Health)->points, 2 * k + 1);
    }
    end_two(&two);
}

OX_ENTITY_JOB(Raise, (OX_WRITE(Health, health)), { int32_t by; }) {
    health->points += job->by;
}

TEST(world_move, jobs_of_both_worlds_are_completed_first) {
    make_default();
    start_workers_of_test(1);
    make_ship(two.sea, 1);
    make_ship(two.port, 2);
    ox_schedule_entities(Raise, ox_world_get_root(two.sea), OX_AUTO, {10});
    ox_schedule_entities(Raise, ox_world_get_root(two.port), OX_AUTO, {100});
    ox_entity after;

    EXPECT_EQ(ox_world_move(two.port, two.sea, &(ox_moved_ids){NULL, &after, 1}), 1);

    EXPECT_EQ(ox_get(two.port, after, Health)->points, 11);
    EXPECT_EQ(ox_get(two.port, ((ox_entity){0, 1}), Health)->points, 102);
    end_two(&two);
    ox_jobs_stop();
}

// Who hears of it.

static void count_change(ox_world *world, ox_site site, void *state) {
    (void)world;
    (void)site;
    ++*(int *)state;
}

static oxi_attachment_type listener = {.name = "listener",
                                       .calls = {[OXI_BEFORE_CHANGE] = count_change}};

TEST(world_move, attachments_of_both_worlds_are_told) {
    make_default();
    make_ship(two.sea, 1);
    int sea = 0, port = 0;
    EXPECT(oxi_attachment_add(two.sea, &listener, &sea));
    EXPECT(oxi_attachment_add(two.port, &listener, &port));

    ox_world_move(two.port, two.sea, NULL);

    EXPECT_EQ(sea, 1);
    EXPECT_EQ(port, 1);
    end_two(&two);
}

// A user's function is called when a value goes: both worlds are done by then.
static ox_world *used_in_drop;

static void use_world(void *stored) {
    (void)stored;
    EXPECT_NE(ox_entity_create(used_in_drop).version, 0);
}

OX_SHARED(Flag, { int32_t colour; });

TEST(world_move, the_target_may_be_used_when_the_source_drops_a_value) {
    make_default();
    EXPECT(ox_shared_define(ox_component_id_of(Flag), &(ox_shared_def){.drop = use_world}));
    ox_entity_create(two.sea, OX_VALUE(Flag, {1}));
    ox_entity_create(two.port, OX_VALUE(Flag, {1}));
    used_in_drop = two.port;

    EXPECT_EQ(ox_world_move(two.port, two.sea, NULL), 1);

    EXPECT_EQ(count_entities(two.port), 3);
    EXPECT(ox_world_validate(two.sea) && ox_world_validate(two.port));
    used_in_drop = two.sea;
    ox_world_destroy(two.port);
    end_two(&(two_worlds){two.sea, ox_world_create(NULL), {0}});
}

// Wrong use. Nothing changes.

static void expect_unmoved(int64_t result, ox_report_id id, const uint64_t *hashes) {
    EXPECT_EQ(result, -1);
    EXPECT_REPORT(&two.reports, id);
    EXPECT_EQ(ox_world_hash_layout(two.sea), hashes[0]);
    EXPECT_EQ(ox_world_hash_layout(two.port), hashes[1]);
    EXPECT(ox_world_validate(two.sea) && ox_world_validate(two.port));
}

TEST(world_move, wrong_calls_are_reported_and_move_nothing) {
    make_two(&two, (ox_world_def){0}, (ox_world_def){.entity_limit = 2});
    for (int k = 0; k < 3; k++) {
        ox_entity_create(two.sea, OX_VALUE(Sail, {k}));
    }
    uint64_t hashes[] = {ox_world_hash_layout(two.sea), ox_world_hash_layout(two.port)};
    ox_query *by_rows = ox_query_create(two.sea, OX_READ(Sail));
    ox_entity few[2];
    ox_moved_ids ids = {few, NULL, 2};

    expect_unmoved(ox_world_move(two.sea, two.sea, NULL), OX_REPORT_SAME_WORLD, hashes);
    expect_unmoved(ox_world_move(two.port, two.sea, NULL), OX_REPORT_ENTITY_LIMIT, hashes);
    expect_unmoved(ox_world_move(two.port, two.sea, &ids), OX_REPORT_BAD_COUNT, hashes);
    expect_unmoved(ox_world_move_query(two.port, by_rows, NULL), OX_REPORT_MOVE_BY_ROWS, hashes);
    expect_unmoved(ox_world_move_query(two.sea, by_rows, NULL), OX_REPORT_SAME_WORLD, hashes);
    collect_reports(&two.reports);
    expect_unmoved(ox_world_move(NULL, two.sea, NULL), OX_REPORT_NULL_ARGUMENT, hashes);
    expect_unmoved(ox_world_move(two.port, NULL, NULL), OX_REPORT_NULL_ARGUMENT, hashes);
    expect_unmoved(ox_world_move_query(two.port, NULL, NULL), OX_REPORT_NULL_ARGUMENT, hashes);

    ox_query *present = ox_query_create(two.sea, OX_PRESENT(Sail));
    EXPECT(present != NULL);
    end_two(&two);
}

TEST(world_move, a_query_over_whole_chunks_may_name_a_switch) {
    make_default();
    ox_entity ship = ox_entity_create(two.sea, OX_VALUE(Sail, {1}));
    ox_set_enabled(two.sea, ship, Sail, false);
    ox_query *present = ox_query_create(two.sea, OX_PRESENT(Sail));

    EXPECT_EQ(ox_world_move_query(two.port, present, NULL), 1);

    end_two(&two);
}
