// SPDX-License-Identifier: MIT
//
// Changes inside of a loop over chunks: what the loop does not go over changes as it likes, and
// what it goes over ends it.

#include "entities/walk_changes_test.h"

#define CHANGE(name) static void name(arena *a)

// None of these comes to a gun.

CHANGE(create_empty) {
    ox_entity_create(a->world);
}
CHANGE(create_of_a_new_set) {
    ox_entity_create_in(a->world, ox_archetype_of(a->world, Velocity, Frozen));
}
CHANGE(create_with_values) {
    for (int k = 0; k < 100; k++) { // as bullets come
        ox_entity_create(a->world, OX_VALUE(Position, {1, 2}), OX_VALUE(Velocity, {3, 4}));
    }
}
CHANGE(create_many) {
    ox_entities_create(a->world, ox_archetype_of(a->world, Position, Large), NULL, 200);
}
CHANGE(create_prefab_of_guns) {
    ox_entity_create_in(a->world, ox_archetype_of(a->world, Health, ox_prefab, Frozen));
}
CHANGE(create_disabled_gun) {
    ox_entity_create_in(a->world, ox_archetype_of(a->world, Health, ox_disabled));
}
CHANGE(create_many_sets) { // lists of archetypes grow
    for (int k = 0; k < 100; k++) {
        uint32_t id = define_sized("WalkedSet", k, 4);
        ox_entity_create_in_at(a->world, ox_archetype_of_at(a->world, &id, 1, OX_HERE), OX_HERE);
    }
}
CHANGE(destroy_rock) {
    ox_entity_destroy(a->world, a->rocks[10]);
}
CHANGE(destroy_rocks) {
    for (int k = 0; k < ROCKS; k += 2) {
        ox_entity_destroy(a->world, a->rocks[k]);
    }
}
CHANGE(destroy_list) {
    ox_entities_destroy(a->world, a->crates, CRATES);
}
CHANGE(destroy_bag) {
    ox_buffer_resize(ox_edit(a->world, a->bag, Note), 100);
    ox_entity_destroy(a->world, a->bag);
}
CHANGE(destroy_guest) {
    ox_entity_destroy(a->world, a->guest);
}
CHANGE(destroy_group) {
    ox_entity_destroy(a->world, a->pair[0]);
}
CHANGE(add_to_rock) {
    ox_add(a->world, a->rocks[10], Velocity, {1, 1});
    ox_add(a->world, a->rocks[12], Velocity, {1, 1}); // the same way again
}
CHANGE(add_many_to_rock) {
    ox_add_many(a->world, a->rocks[10], OX_VALUE(Velocity, {1, 1}), OX_VALUE_TAG(Frozen));
}
CHANGE(add_buffer_to_rock) {
    ox_buffer_push(ox_add_buffer(a->world, a->rocks[10], Note), Note, {1});
}
CHANGE(remove_from_rock) {
    ox_remove(a->world, a->rocks[10], Position);
    ox_remove(a->world, a->rocks[12], Position);
    ox_remove_many(a->world, a->rocks[14], Position, Large);
}
CHANGE(set_archetype_of_rock) {
    ox_entity_set_archetype(a->world, a->rocks[10], ox_archetype_of(a->world, Velocity));
}
CHANGE(set_team_of_crates) {
    for (int k = 0; k < CRATES; k++) {
        ox_set(a->world, a->crates[k], Team, {7});
    }
}
CHANGE(instantiate_rock) {
    ox_entities_instantiate(a->world, a->rocks[10], NULL, 50);
    ox_entity_instantiate(a->world, a->rock_prefab);
    ox_entity_instantiate(a->world, a->pair[0]);
}
CHANGE(copy_prefab_of_guns) { // which stays one
    ox_entities_copy(a->world, &a->gun_prefab, NULL, 1);
}
CHANGE(disable_rock) {
    ox_entity_set_enabled(a->world, a->rocks[10], false);
    ox_entity_set_enabled(a->world, a->rocks[10], true);
}
CHANGE(defragment_rocks) {
    ox_world_defragment(a->world, UINT64_MAX);
}

static ox_query *find_rocks(arena *a) {
    return ox_query_create(a->world, OX_READ(Position), OX_NONE(Health), OX_NONE(ox_linked));
}

CHANGE(add_by_query) {
    ox_query_add(find_rocks(a), Frozen);
    ox_query_add(find_rocks(a), Velocity);
}
CHANGE(remove_by_query) {
    ox_query_remove(find_rocks(a), Position);
}
CHANGE(destroy_by_query) {
    ox_query_destroy_entities(find_rocks(a));
}
CHANGE(set_shared_by_query) {
    ox_query_set_shared(ox_query_create(a->world, OX_READ(Team), OX_NONE(Health)), Team, {9});
}
CHANGE(set_shared_by_chunk) {
    ox_query *crates = ox_query_create(a->world, OX_READ(Team), OX_NONE(Health));
    ox_chunk chunk = ox_query_chunks(crates);
    EXPECT(ox_chunk_next(&chunk) && ox_chunk_set_shared(chunk, Team, {9}));
}
CHANGE(change_and_use_the_query) { // which looks at what came
    ox_entity_create_in(a->world, ox_archetype_of(a->world, Velocity, Frozen));
    ox_archetype_of(a->world, Health, Velocity, Frozen);
    EXPECT(ox_query_count(a->query) > GUNS);
    EXPECT_EQ(ox_query_view(a->query, Health).count, ox_query_count(a->query));
    for (ox_chunk inner = ox_query_chunks(a->query); ox_chunk_next(&inner);) {
        ox_entity_create_in(a->world, ox_archetype_of(a->world, Velocity, Frozen));
    }
}

TEST(walk_changes, of_what_a_loop_does_not_go_over_are_quiet) {
    static const walk_change changes[] = {
        {"create empty", create_empty},
        {"create of a new set", create_of_a_new_set},
        {"create with values", create_with_values},
        {"create many", create_many},
        {"create a prefab of guns", create_prefab_of_guns},
        {"create a disabled gun", create_disabled_gun},
        {"create many sets", create_many_sets},
        {"destroy", destroy_rock},
        {"destroy all of some chunks", destroy_rocks},
        {"destroy a list", destroy_list},
        {"destroy with a buffer", destroy_bag},
        {"destroy with cleanup", destroy_guest},
        {"destroy a group", destroy_group},
        {"add", add_to_rock},
        {"add many", add_many_to_rock},
        {"add a buffer", add_buffer_to_rock},
        {"remove", remove_from_rock},
        {"set archetype", set_archetype_of_rock},
        {"set shared", set_team_of_crates},
        {"instantiate", instantiate_rock},
        {"copy a prefab", copy_prefab_of_guns},
        {"disable", disable_rock},
        {"defragment", defragment_rocks},
        {"add by query", add_by_query},
        {"remove by query", remove_by_query},
        {"destroy by query", destroy_by_query},
        {"set shared by query", set_shared_by_query},
        {"set shared by chunk", set_shared_by_chunk},
        {"change and use the query", change_and_use_the_query},
    };
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        expect_quiet(&changes[k]);
    }
}

// Each of these comes to a gun, before or after.

CHANGE(create_gun) {
    ox_entity_create_in(a->world, ox_archetype_of(a->world, Health, Large));
}
CHANGE(create_gun_of_a_new_set) {
    ox_entity_create(a->world, OX_VALUE(Health, {1}), OX_VALUE_TAG(Frozen));
}
CHANGE(create_guns) {
    ox_entities_create(a->world, ox_archetype_of(a->world, Health, Velocity), NULL, 3);
}
CHANGE(destroy_first_gun) {
    ox_entity_destroy(a->world, a->guns[0]);
}
CHANGE(destroy_last_gun) {
    ox_entity_destroy(a->world, a->turret[1]);
}
CHANGE(destroy_all_guns) {
    ox_entities_destroy(a->world, a->guns, GUNS);
}
CHANGE(destroy_group_with_gun) {
    ox_entity_destroy(a->world, a->turret[0]);
}
CHANGE(add_to_gun) {
    ox_add_tag(a->world, a->guns[30], Frozen);
}
CHANGE(add_gun_to_rock) {
    ox_add(a->world, a->rocks[10], Health, {1});
}
CHANGE(remove_gun) {
    ox_remove(a->world, a->guns[30], Health);
}
CHANGE(remove_from_gun) {
    ox_remove(a->world, a->guns[30], Large);
}
CHANGE(set_archetype_of_gun) {
    ox_entity_set_archetype(a->world, a->guns[30], ox_archetype_of(a->world, Velocity));
}
CHANGE(set_team_of_gun) {
    ox_set(a->world, a->guns[50], Team, {7});
}
CHANGE(set_team_of_gun_again) {
    ox_set(a->world, a->guns[50], Team, {7});
    ox_set(a->world, a->guns[52], Team, {7}); // the same way
}
CHANGE(instantiate_gun) {
    ox_entity_instantiate(a->world, a->guns[30]);
}
CHANGE(instantiate_prefab_of_guns) {
    ox_entity_instantiate(a->world, a->gun_prefab);
}
CHANGE(instantiate_group_with_gun) {
    ox_entity_instantiate(a->world, a->turret[0]);
}
CHANGE(copy_gun) {
    ox_entities_copy(a->world, a->guns, NULL, 1);
}
CHANGE(disable_gun) {
    ox_entity_set_enabled(a->world, a->guns[30], false);
}
CHANGE(disable_group_with_gun) {
    ox_entity_set_enabled(a->world, a->turret[0], false);
}
CHANGE(add_to_guns) {
    ox_query_add(a->query, Frozen);
}
CHANGE(add_values_to_guns) {
    ox_query_add(a->query, Position);
}
CHANGE(remove_all_guns) {
    ox_query_remove(a->query, Health);
}
CHANGE(destroy_guns_by_query) {
    ox_query_destroy_entities(ox_query_create(a->world, OX_READ(Health), OX_WITH(Large)));
}
CHANGE(set_team_of_guns) {
    ox_query_set_shared(ox_query_create(a->world, OX_READ(Team), OX_WITH(Health)), Team, {9});
}

TEST(walk_changes, of_what_a_loop_goes_over_end_it_and_are_named) {
    static const walk_change changes[] = {
        {"create", create_gun},
        {"create of a new set", create_gun_of_a_new_set},
        {"create many", create_guns},
        {"destroy the first", destroy_first_gun},
        {"destroy the last", destroy_last_gun},
        {"destroy all", destroy_all_guns},
        {"destroy a group", destroy_group_with_gun},
        {"add", add_to_gun},
        {"add what is asked for", add_gun_to_rock},
        {"remove what is asked for", remove_gun},
        {"remove", remove_from_gun},
        {"set archetype", set_archetype_of_gun},
        {"set shared", set_team_of_gun},
        {"set shared again", set_team_of_gun_again},
        {"instantiate", instantiate_gun},
        {"instantiate a prefab", instantiate_prefab_of_guns},
        {"instantiate a group", instantiate_group_with_gun},
        {"copy", copy_gun},
        {"disable", disable_gun},
        {"disable a group", disable_group_with_gun},
        {"add by query", add_to_guns},
        {"add values by query", add_values_to_guns},
        {"remove by query", remove_all_guns},
        {"destroy by query", destroy_guns_by_query},
        {"set shared by query", set_team_of_guns},
    };
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        expect_loud(&changes[k]);
    }
}

// A filter lets a chunk through or not, and a change of it ends the loop all the same.
TEST(walk_changes, of_what_a_filter_leaves_out_end_a_loop) {
    for (int k = 0; k < 2; k++) {
        arena a;
        make_arena(&a);
        ox_query *query = ox_query_create(a.world, OX_READ(Health), OX_READ(Team));
        if (k == 0) {
            EXPECT(ox_query_filter_shared(query, Team, {1}));
        } else {
            uint32_t version = ox_world_get_version(a.world);
            ox_world_advance_version(a.world);
            ox_set(a.world, a.guns[40], Health, {1}); // of Team 1
            EXPECT(ox_query_filter_changed(query, Health, version));
        }
        ox_chunk chunk = ox_query_chunks(query);
        EXPECT(ox_chunk_next(&chunk));

        ox_entity_destroy(a.world, a.guns[41]); // of Team 2

        EXPECT(!ox_chunk_next(&chunk));
        EXPECT_REPORT(&a.reports, OX_REPORT_CHANGED_IN_LOOP);
        end_arena(&a);
    }
}

TEST(walk_changes, are_judged_by_each_of_two_loops) {
    arena a;
    make_arena(&a);
    ox_query *rocks = ox_query_create(a.world, OX_READ(Position), OX_WITH(Large));
    ox_chunk outer = ox_query_chunks(a.query), inner = ox_query_chunks(rocks);
    EXPECT(ox_chunk_next(&outer) && ox_chunk_next(&inner));

    ox_entity_destroy(a.world, a.rocks[10]);

    EXPECT(!ox_chunk_next(&inner));
    EXPECT_REPORT(&a.reports, OX_REPORT_CHANGED_IN_LOOP);
    inner = ox_query_chunks(rocks); // closes the hole
    EXPECT(ox_chunk_next(&outer) && ox_chunk_next(&inner));
    ox_entity_destroy(a.world, a.guns[0]);
    EXPECT(ox_chunk_next(&inner));
    EXPECT(!ox_chunk_next(&outer));
    EXPECT_REPORT(&a.reports, OX_REPORT_CHANGED_IN_LOOP);
    end_arena(&a);
}

TEST(walk_changes, of_rows_that_are_switched_off_are_judged_as_others) {
    arena a;
    make_arena(&a);
    ox_entity lit[2];
    for (int k = 0; k < 2; k++) {
        lit[k] = ox_entity_create_in(a.world, ox_archetype_of(a.world, Lit, Health));
    }
    ox_set_enabled(a.world, lit[1], Lit, false);
    ox_query *query = ox_query_create(a.world, OX_WITH(Lit));
    ox_chunk chunk = ox_query_chunks(query);
    EXPECT(ox_chunk_next(&chunk) && chunk.count == 1);

    ox_entity_destroy(a.world, a.guns[0]);
    EXPECT(!ox_chunk_next(&chunk)); // its end
    EXPECT_EQ(a.reports.count, 0);
    chunk = ox_query_chunks(query);
    EXPECT(ox_chunk_next(&chunk));
    ox_entity_destroy(a.world, lit[1]);

    EXPECT(!ox_chunk_next(&chunk));
    EXPECT_REPORT(&a.reports, OX_REPORT_CHANGED_IN_LOOP);
    end_arena(&a);
}

// A row of a chunk asks as a column does.
TEST(walk_changes, are_judged_where_a_row_is_asked_for) {
    arena a;
    make_arena(&a);
    ox_entity bags[2] = {a.bag,
                         ox_entity_create_in(a.world, ox_archetype_of(a.world, Position, Note))};
    ox_query *query = ox_query_create(a.world, OX_WRITE(Note));
    ox_chunk chunk = ox_query_chunks(query);
    EXPECT(ox_chunk_next(&chunk) && chunk.count == 2);

    ox_entity_create_in(a.world, ox_archetype_of(a.world, Velocity));
    EXPECT(ox_buffer_push(ox_buffers_get(ox_chunk_edit(chunk, Note), 1), Note, {5}));
    EXPECT_EQ(ox_buffer_count(ox_get(a.world, bags[1], Note)), 1);
    ox_entity_destroy(a.world, bags[0]);

    EXPECT(!ox_buffer_is_created(ox_buffers_get(ox_chunk_edit(chunk, Note), 1)));
    EXPECT_REPORT(&a.reports, OX_REPORT_CHANGED_IN_LOOP);
    EXPECT_EQ(ox_buffer_count(ox_get(a.world, bags[1], Note)), 1);
    end_arena(&a);
}

TEST(walk_changes, that_come_and_go_inside_of_a_loop_leave_nothing_behind) {
    arena a;
    make_arena(&a);
    int seen = 0;

    for (ox_chunk chunk = ox_query_chunks(a.query); ox_chunk_next(&chunk);) {
        Health *health = ox_chunk_edit(chunk, Health);
        for (int k = 0; k < chunk.count; k++) {
            ox_entity bullet = ox_entity_create(a.world, OX_VALUE(Position, {1, 1}));
            health[k].points++; // the column stays
            ox_add(a.world, bullet, Velocity, {1, 1});
            ox_entity_destroy(a.world, bullet);
            seen++;
        }
    }

    EXPECT_EQ(seen, GUNS + 1);
    for (int k = 0; k < GUNS; k++) {
        EXPECT_EQ(ox_get(a.world, a.guns[k], Health)->points, k + 1);
    }
    end_arena(&a);
}
