// SPDX-License-Identifier: MIT
//
// Copying sets of entities into another world.

#include "commands/moves_test.h"

static two_worlds two;

static void make_default(void) {
    make_two(&two, (ox_world_def){0}, (ox_world_def){0});
}

TEST(world_copy, copies_have_the_values_and_the_source_stays_as_it_is) {
    make_default();
    ox_entity ship = ox_entity_create(two.sea, OX_VALUE(Health, {7}), OX_VALUE(Sail, {2}),
                                      OX_VALUE(Team, {3}), OX_VALUE_TAG(Frozen));
    ox_set_enabled(two.sea, ship, Sail, false);
    uint64_t hash = ox_world_hash_layout(two.sea);
    ox_entity copy;

    EXPECT(ox_world_copy(two.port, two.sea, &ship, &copy, 1));

    EXPECT_EQ(ox_world_hash_layout(two.sea), hash);
    EXPECT_EQ(ox_get(two.port, copy, Health)->points, 7);
    EXPECT_EQ(ox_get(two.port, copy, Team)->id, 3);
    EXPECT(!ox_is_enabled(two.port, copy, Sail));
    EXPECT(ox_has(two.port, copy, Frozen));
    end_two(&two);
}

TEST(world_copy, cleanup_components_stay_behind_and_prefab_tags_are_kept) {
    make_default();
    ox_entity ship = ox_entity_create(two.sea, OX_VALUE(Health, {7}), OX_VALUE(Registered, {2}),
                                      OX_VALUE_TAG(ox_prefab));
    ox_entity copy;

    EXPECT(ox_world_copy(two.port, two.sea, &ship, &copy, 1));

    EXPECT(!ox_has(two.port, copy, Registered));
    EXPECT(ox_has(two.port, copy, ox_prefab));
    end_two(&two);
}

TEST(world_copy, references_inside_of_the_set_follow_and_others_become_null) {
    make_default();
    ox_entity set[2], copies[2], other = ox_entity_create(two.sea);
    set[0] = ox_entity_create(two.sea);
    set[1] = ox_entity_create(two.sea, OX_VALUE(Follows, {set[0], {other, {0, 0}}, 4}));
    ox_buffer crew = ox_add_buffer(two.sea, set[1], Crew);
    for (int k = 0; k < 4; k++) {
        ox_buffer_push(crew, Crew, {k, k % 2 == 0 ? set[1] : other});
    }

    EXPECT(ox_world_copy(two.port, two.sea, set, copies, 2));

    EXPECT(is_same(ox_get(two.port, copies[1], Follows)->leader, copies[0]));
    EXPECT_EQ(ox_get(two.port, copies[1], Follows)->others[0].version, 0);
    crew = ox_get(two.port, copies[1], Crew);
    EXPECT(is_same(ox_buffer_get(crew, 0, Crew)->sailor, copies[1]));
    EXPECT_EQ(ox_buffer_get(crew, 1, Crew)->sailor.version, 0);
    EXPECT(is_same(ox_get(two.sea, set[1], Follows)->leader, set[0]));
    EXPECT(is_same(ox_buffer_get(ox_get(two.sea, set[1], Crew), 1, Crew)->sailor, other));
    end_two(&two);
}

TEST(world_copy, groups_are_not_followed) {
    make_default();
    ox_entity root = ox_entity_create(two.sea), part = ox_entity_create(two.sea), copy;
    ox_buffer group = ox_add_buffer(two.sea, root, ox_linked);
    ox_buffer_push(group, ox_linked, {root});
    ox_buffer_push(group, ox_linked, {part});

    EXPECT(ox_world_copy(two.port, two.sea, &root, &copy, 1));

    EXPECT_EQ(count_entities(two.port), 1);
    group = ox_get(two.port, copy, ox_linked);
    EXPECT(is_same(ox_buffer_get(group, 0, ox_linked)->entity, copy));
    EXPECT_EQ(ox_buffer_get(group, 1, ox_linked)->entity.version, 0);
    end_two(&two);
}

TEST(world_copy, buffers_are_copied_in_depth) {
    make_default();
    ox_entity ships[3], copies[3];
    for (int k = 0; k < 3; k++) {
        ships[k] = ox_entity_create(two.sea);
        ox_buffer notes = ox_add_buffer(two.sea, ships[k], Note);
        for (int n = 0; n < 5 * k; n++) {
            ox_buffer_push(notes, Note, {n});
        }
    }
    ox_buffer long_one = ox_edit(two.sea, ships[1], Note);
    ox_buffer_remove_range(long_one, 1, 4); // one is left, in a block

    EXPECT(ox_world_copy(two.port, two.sea, ships, copies, 3));
    ox_buffer_edit(ox_edit(two.sea, ships[2], Note), 3, Note)->pitch = 99;

    EXPECT_EQ(ox_buffer_count(ox_get(two.port, copies[0], Note)), 0);
    EXPECT_EQ(ox_buffer_count(ox_get(two.port, copies[1], Note)), 1);
    EXPECT_EQ(ox_buffer_get(ox_get(two.port, copies[2], Note), 3, Note)->pitch, 3);
    end_two(&two);
}

TEST(world_copy, shared_values_are_copied_by_their_component) {
    make_default();
    set_block_calls();
    ox_entity ships[2], copies[2];
    for (int k = 0; k < 2; k++) {
        ships[k] = ox_entity_create(two.sea);
        add_model(two.sea, ships[k], 4);
    }
    EXPECT_EQ(live_blocks, 1);

    EXPECT(ox_world_copy(two.port, two.sea, ships, copies, 2));

    EXPECT_EQ(live_blocks, 2);
    EXPECT_EQ(*ox_get(two.port, copies[1], Model)->block, 4);
    end_two(&two);
    EXPECT_EQ(live_blocks, 0);
}

TEST(world_copy, a_value_that_cannot_be_copied_is_reported) {
    make_default();
    set_block_calls();
    ox_entity ship = ox_entity_create(two.sea), copy;
    add_texture(two.sea, ship, 4);

    EXPECT(!ox_world_copy(two.port, two.sea, &ship, &copy, 1));
    EXPECT_REPORT(&two.reports, OX_REPORT_SHARED_OWNED);

    add_texture(two.port, ox_entity_create(two.port), 4);
    EXPECT(ox_world_copy(two.port, two.sea, &ship, &copy, 1)); // the target has one of its own
    EXPECT_EQ(live_blocks, 2);
    end_two(&two);
    EXPECT_EQ(live_blocks, 0);
}

TEST(world_copy, many_copies_fill_chunks_in_order) {
    make_two(&two, (ox_world_def){0}, (ox_world_def){.removal = OX_REMOVAL_SWAP});
    enum { COPIES = 1000 };
    static ox_entity ships[COPIES], copies[COPIES];
    for (int k = 0; k < COPIES; k++) {
        ships[k] = ox_entity_create(two.sea, OX_VALUE(Health, {k}), OX_VALUE(Team, {k % 4}));
    }

    EXPECT(ox_world_copy(two.port, two.sea, ships, copies, COPIES));

    for (int k = 0; k < COPIES; k++) {
        EXPECT_EQ(ox_get(two.port, copies[k], Health)->points, k);
        EXPECT(is_same(copies[k], (ox_entity){(uint32_t)k, 1}));
    }
    EXPECT_EQ(ox_world_get_usage(two.port).chunk_count, 4);
    end_two(&two);
}

TEST(world_copy, no_entities_are_no_mistake) {
    make_default();

    EXPECT(ox_world_copy(two.port, two.sea, NULL, NULL, 0));

    end_two(&two);
}

static void expect_refused(bool is_done, ox_report_id id, uint64_t hash) {
    EXPECT(!is_done);
    EXPECT_REPORT(&two.reports, id);
    EXPECT_EQ(ox_world_hash_layout(two.port), hash);
}

TEST(world_copy, wrong_calls_are_reported_and_copy_nothing) {
    make_two(&two, (ox_world_def){0}, (ox_world_def){.entity_limit = 1});
    ox_entity ships[2] = {ox_entity_create(two.sea), ox_entity_create(two.sea)};
    ox_entity twice[2] = {ships[0], ships[0]};
    ox_entity left = ox_entity_create(two.sea, OX_VALUE(Registered, {1}));
    ox_entity_destroy(two.sea, left);
    ox_entity none = {0, 0};
    uint64_t hash = ox_world_hash_layout(two.port);

    expect_refused(ox_world_copy(two.port, two.sea, &none, NULL, 1), OX_REPORT_STALE_ENTITY, hash);
    expect_refused(ox_world_copy(two.port, two.sea, &left, NULL, 1), OX_REPORT_RESIDUE, hash);
    expect_refused(ox_world_copy(two.port, two.sea, twice, NULL, 2), OX_REPORT_DUPLICATE, hash);
    expect_refused(ox_world_copy(two.port, two.sea, ships, NULL, 2), OX_REPORT_ENTITY_LIMIT, hash);
    expect_refused(ox_world_copy(two.port, two.sea, ships, NULL, -1), OX_REPORT_BAD_COUNT, hash);
    expect_refused(ox_world_copy(two.port, two.port, ships, NULL, 2), OX_REPORT_SAME_WORLD, hash);
    collect_reports(&two.reports);
    expect_refused(ox_world_copy(two.port, two.sea, NULL, NULL, 2), OX_REPORT_NULL_ARGUMENT, hash);
    expect_refused(ox_world_copy(two.port, NULL, ships, NULL, 2), OX_REPORT_NULL_ARGUMENT, hash);
    end_two(&two);
}
