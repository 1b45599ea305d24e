// SPDX-License-Identifier: MIT
//
// Worlds: their defs, figures, hashes, and the order of their rows.

#include "entities/entities_test.h"

#include "base/heap.h"
#include "entities/sync.h"
#include "oxbow/queries.h"

TEST(world, def_is_told_with_defaults_filled_in) {
    ox_world *world = ox_world_create(NULL);
    ox_world_def def = ox_world_get_def(world);
    EXPECT_STR(def.name, "world");
    EXPECT_EQ(def.entity_limit, 1 << 30);
    EXPECT_EQ(def.removal, OX_REMOVAL_ORDERED);
    ox_world_destroy(world);
    ox_world_destroy(NULL);
}

TEST(world, name_is_cut_and_copied) {
    char name[] = "a name of far more than thirty-one characters";
    ox_world *world = ox_world_create(&(ox_world_def){.name = name});
    name[0] = 'X';
    EXPECT_STR(ox_world_get_def(world).name, "a name of far more than thirty-");
    ox_world_destroy(world);
}

TEST(world, name_is_cut_between_characters) {
    ox_world *world =
        ox_world_create(&(ox_world_def){.name = "thirty letters, then another: \xc3\xa9"});
    EXPECT_STR(ox_world_get_def(world).name, "thirty letters, then another: ");
    ox_world_destroy(world);
}

TEST_CHECKED(world, one_that_leaks_is_named) {
    collected_reports reports;
    ox_world *world = ox_world_create_at(&(ox_world_def){.name = "staging"}, "game.c:5");
    collect_reports(&reports);
    ox_memory_check_leaks();
    EXPECT_HAS(reports.text, "world 'staging': ");
    EXPECT_HAS(reports.text, "fix: destroy what is allocated at game.c:5\n");
    EXPECT_REPORT(&reports, OX_REPORT_LEAK);
    ox_world_destroy(world);
    EXPECT_EQ(ox_memory_check_leaks(), 0);
}

TEST(world, def_that_was_not_zeroed_is_reported) {
    collected_reports reports;
    collect_reports(&reports);
    EXPECT(ox_world_create(&(ox_world_def){._guard_end = 1}) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_DEF_GARBAGE);
}

TEST(world, gives_everything_back) {
    EXPECT(ox_component_id_of(Large) != 0 &&
           ox_component_id_of(Frozen) != 0); // registered for good
    uint64_t blocks = oxi_heap_get_blocks(), bytes = 0;
    for (int k = 0; k < 3; k++) {
        ox_world *world = ox_world_create(&(ox_world_def){.entity_capacity = 10000});
        EXPECT(ox_entities_create(world, ox_archetype_of(world, Large, Frozen), NULL, 1000));
        ox_entity_set_name(world, ((ox_entity){5, 1}), "five");
        ox_entity_destroy(world, ((ox_entity){500, 1}));
        EXPECT(k == 0 || ox_world_get_usage(world).process_bytes == bytes);
        bytes = ox_world_get_usage(world).process_bytes;
        ox_world_destroy(world);
        EXPECT_EQ(oxi_heap_get_blocks(), blocks);
    }
}

TEST(world, one_that_is_lent_is_not_destroyed) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    world->loan.is_lent = true;

    ox_world_destroy(world);

    EXPECT_REPORT(&reports, OX_REPORT_WORLD_LENT);
    world->loan.is_lent = false;
    EXPECT(ox_entity_exists(world, ox_entity_create(world)));
    end_world(world, &reports);
}

TEST_CHECKED(world, one_that_is_lent_is_for_who_is_inside) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    uint64_t owner = world->owner;
    world->owner = 0;

    EXPECT_EQ(ox_entity_create(world).version, 0);
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_LENT);
    oxi_store_relaxed(&world->loan.user, owner);
    EXPECT(ox_entity_create(world).version != 0);

    oxi_store_relaxed(&world->loan.user, 0);
    world->owner = owner;
    end_world(world, &reports);
}

// A library without checks does not look closer when a call enters.
TEST(world, one_that_is_closed_refuses_structural_changes) {
    collected_reports reports;
    ox_world *world = make_world(&reports);

    oxi_world_set_closed(world, true);
    EXPECT(!oxi_sync_wait(world, OX_HERE));
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_IN_CALL);
    oxi_world_set_closed(world, false);

    EXPECT(oxi_sync_wait(world, OX_HERE));
    end_world(world, &reports);
}

TEST(world, usage_tells_what_is_there) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    EXPECT(ox_entities_create(world, ox_archetype_of(world, Large), NULL, 100));
    ox_entity_create(world);

    ox_world_usage usage = ox_world_get_usage(world);

    EXPECT_EQ(usage.entity_count, 101);
    EXPECT_EQ(usage.archetype_count, 2);
    EXPECT_EQ(usage.chunk_count, 7 + 1);
    EXPECT_EQ(usage.chunk_bytes, 16 * 16384);
    EXPECT(usage.process_bytes >= usage.chunk_bytes && usage.process_limit > usage.process_bytes);
    EXPECT(usage.closing_count == 0 && usage.moved_rows == 0);
    end_world(world, &reports);
}

TEST(world, hash_does_not_depend_on_order_and_layout_hash_does) {
    collected_reports reports;
    ox_world *a = make_world(&reports), *b = make_world(&reports);
    for (int k = 0; k < 2; k++) {
        ox_entity_create(a, OX_VALUE(Health, {k}));
    }
    ox_entity first = ox_entity_create_in(b, ox_archetype_of(b, Health)),
              second = ox_entity_create_in(b, ox_archetype_of(b, Health));
    ox_set(b, second, Health, {1});
    EXPECT_EQ(ox_world_hash(a), ox_world_hash(b));
    EXPECT_EQ(ox_world_hash_layout(a), ox_world_hash_layout(b));

    ox_add_tag(b, first, Frozen); // goes, comes back, and stands last
    EXPECT_NE(ox_world_hash(a), ox_world_hash(b));
    ox_remove(b, first, Frozen);

    EXPECT_EQ(ox_world_hash(a), ox_world_hash(b));
    EXPECT_NE(ox_world_hash_layout(a), ox_world_hash_layout(b));
    ox_world_destroy(a);
    end_world(b, &reports);
}

TEST(world, hash_sees_every_value_and_no_padding) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Position, Follows));
    uint64_t before = ox_world_hash(world);
    ox_edit(world, entity, Follows)->others[1].index = 1;
    EXPECT_NE(ox_world_hash(world), before);
    ox_edit(world, entity, Follows)->others[1].index = 0;
    EXPECT_EQ(ox_world_hash(world), before);
    ox_entity_set_name(world, entity, "named");
    EXPECT_EQ(ox_world_hash_layout(world), ox_world_hash_layout(world));
    EXPECT_EQ(ox_world_hash(world), before);
    end_world(world, &reports);
}

TEST(world, layout_hash_sees_which_ids_come_next) {
    collected_reports reports;
    ox_world *a = make_world(&reports), *b = make_world(&reports);
    ox_entities_create(a, ox_archetype_of(a, Health), NULL, 4);
    ox_entities_create(b, ox_archetype_of(b, Health), NULL, 4);
    ox_entity_destroy(a, ((ox_entity){1, 1}));
    ox_entity_destroy(a, ((ox_entity){2, 1}));
    ox_entity_destroy(b, ((ox_entity){2, 1}));
    ox_entity_destroy(b, ((ox_entity){1, 1}));
    EXPECT_EQ(ox_world_hash(a), ox_world_hash(b));
    EXPECT_NE(ox_world_hash_layout(a), ox_world_hash_layout(b));
    ox_world_destroy(a);
    end_world(b, &reports);
}

// A full chunk that lost one row takes no new ones; one that was never full does.
TEST(world, layout_hash_sees_where_new_rows_will_go) {
    collected_reports reports;
    ox_world *worlds[2];
    for (int k = 0; k < 2; k++) {
        worlds[k] = make_world(&reports);
        ox_archetype large = ox_archetype_of(worlds[k], Large);
        ox_archetype other = ox_archetype_of(worlds[k], Health), last = k == 0 ? large : other;
        ox_entities_create(worlds[k], large, NULL, LARGE_ROWS - 1);
        ox_entity sixteenth = ox_entity_create_in(worlds[k], last);
        ox_entity_destroy(worlds[k], sixteenth);
    }
    EXPECT_EQ(ox_world_hash(worlds[0]), ox_world_hash(worlds[1]));

    EXPECT_NE(ox_world_hash_layout(worlds[0]), ox_world_hash_layout(worlds[1]));

    EXPECT_EQ(ox_entity_get_location(
                  worlds[0], ox_entity_create_in(worlds[0], ox_archetype_of(worlds[0], Large)))
                  .chunk,
              1);
    EXPECT_EQ(ox_entity_get_location(
                  worlds[1], ox_entity_create_in(worlds[1], ox_archetype_of(worlds[1], Large)))
                  .chunk,
              0);
    ox_world_destroy(worlds[0]);
    end_world(worlds[1], &reports);
}

TEST(world, reading_all_after_many_removals_closes_each_chunk_once) {
    collected_reports reports;
    static ox_entity entities[4000];
    ox_world *world = make_world(&reports);
    ox_entities_create(world, ox_archetype_of(world, Large), entities, 4000);
    oxi_random random = oxi_random_seed(test_seed(31));
    uint64_t touched = 0;
    bool seen[250] = {0};
    for (int k = 0; k < 1000; k++) {
        int at = (int)oxi_random_below(&random, 4000);
        if (ox_entity_exists(world, entities[at])) {
            touched += !seen[at / LARGE_ROWS];
            seen[at / LARGE_ROWS] = true;
            ox_entity_destroy(world, entities[at]);
        }
    }
    EXPECT_EQ(ox_world_get_usage(world).closing_count, 0);

    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < 4000; k++) {
            if (ox_entity_exists(world, entities[k])) {
                ox_get(world, entities[k], Large);
            }
        }
        EXPECT(ox_world_get_usage(world).closing_count <= touched);
    }
    EXPECT(ox_world_get_usage(world).moved_rows <= touched * LARGE_ROWS);
    end_world(world, &reports);
}

TEST(world, fragmentation_gives_figures_and_advice) {
    collected_reports reports;
    static ox_entity entities[1600];
    ox_world *world = make_world(&reports);
    ox_entities_create(world, ox_archetype_of(world, Large), entities, 1600);
    EXPECT_HAS(ox_world_get_fragmentation(world).advice, "as full as they can be");
    for (int k = 0; k < 1600; k++) {
        if (k % LARGE_ROWS != 0) {
            ox_entity_destroy(world, entities[k]);
        }
    }

    ox_fragmentation found = ox_world_get_fragmentation(world);

    EXPECT(found.chunk_count == 100 && found.needed_count == 7);
    EXPECT(found.entity_count == 100 && found.entity_room == 1600);
    EXPECT_EQ(found.archetype_count, 1);
    EXPECT_HAS(found.advice, "ox_world_defragment");
    EXPECT_EQ(ox_world_defragment(world, 50), 50);
    while (ox_world_defragment(world, 10) > 0) {
    }
    EXPECT_EQ(ox_world_get_fragmentation(world).chunk_count, 7);
    for (int k = 0; k < 100; k++) {
        ox_entity_location place = ox_entity_get_location(world, entities[k * LARGE_ROWS]);
        EXPECT(place.chunk == k / LARGE_ROWS && place.row == k % LARGE_ROWS);
    }
    end_world(world, &reports);
}

// Sets of components with 16 entities each, which lie in four chunks where one would do.
TEST(world, sets_of_components_with_less_than_16_entities_are_advised_against) {
    enum { SETS = 8 };
    collected_reports reports;
    ox_entity made[4 * LARGE_ROWS];
    ox_world *world = make_world(&reports);
    for (int set = 0; set < SETS; set++) {
        uint32_t ids[] = {ox_component_id_of(Large), define_sized("set", set, 0)};
        ox_entities_create(world, ox_archetype_of_at(world, ids, 2, OX_HERE), made, 64);
        for (int k = 0; k < 4 * LARGE_ROWS; k++) {
            if (k % 4 != 0) {
                ox_entity_destroy(world, made[k]);
            }
        }
    }
    ox_fragmentation found = ox_world_get_fragmentation(world);
    EXPECT(found.chunk_count == 4 * SETS && found.needed_count == SETS);
    EXPECT(found.entity_count == 16 * SETS && found.archetype_count == SETS);
    EXPECT_HAS(found.advice, "ox_world_defragment");

    ox_entity_destroy(world, made[0]);

    EXPECT_HAS(ox_world_get_fragmentation(world).advice, "use fewer tags");
    end_world(world, &reports);
}

TEST(world, one_set_that_needs_several_chunks_is_not_advised_against) {
    enum { ROWS = 4, CHUNKS = 8 }; // of 4000 bytes each
    collected_reports reports;
    ox_entity made[ROWS * CHUNKS];
    ox_world *world = make_world(&reports);
    uint32_t id = define_sized("wide", 0, 4000);
    ox_entities_create(world, ox_archetype_of_at(world, &id, 1, OX_HERE), made, ROWS * CHUNKS);
    for (int k = 0; k < ROWS * CHUNKS; k++) {
        if (k % ROWS != 0) {
            ox_entity_destroy(world, made[k]);
        }
    }

    ox_fragmentation found = ox_world_get_fragmentation(world);

    EXPECT(found.chunk_count == CHUNKS && found.needed_count == 2 && found.entity_count == 8);
    EXPECT_HAS(found.advice, "ox_world_defragment");
    end_world(world, &reports);
}

static ox_query *make_sparse(ox_world *world) {
    static ox_entity entities[4 * LARGE_ROWS];
    ox_entities_create(world, ox_archetype_of(world, Large), entities, 4 * LARGE_ROWS);
    for (int k = 0; k < 4 * LARGE_ROWS; k += 2) {
        ox_entity_destroy(world, entities[k]);
    }
    return ox_query_create(world, OX_READ(Large));
}

TEST(world, defragmenting_is_a_change_for_loops_and_views) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_query *query = make_sparse(world);
    ox_view view = ox_query_view_at(query, ox_component_id_of(Large), "game.c:50");

    EXPECT_EQ(ox_world_defragment_at(world, 1, "game.c:60"), 1); // no chunk goes

    EXPECT(ox_view_get_at(view, 0, "game.c:70") != NULL);
    EXPECT_HAS(reports.text, "the loop begun at game.c:50 goes on after the change at game.c:60");
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_IN_LOOP);
    end_world(world, &reports);
}

TEST(world, defragmenting_what_is_dense_ends_no_views) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_query *query = make_sparse(world);
    EXPECT(ox_world_defragment(world, UINT64_MAX) > 0);
    ox_view view = ox_query_view(query, Large);

    EXPECT_EQ(ox_world_defragment(world, UINT64_MAX), 0);

    EXPECT(ox_view_get_at(view, 0, OX_HERE) != NULL);
    end_world(world, &reports);
}

TEST(world, tells_as_many_components_of_an_archetype_as_there_is_room_for) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_archetype archetype = ox_archetype_of(world, Position, Velocity, Health);
    uint32_t ids[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};

    EXPECT_EQ(ox_archetype_get_components(world, archetype, ids, 2), 3);

    EXPECT(ids[0] < ids[1] && ids[1] < UINT32_MAX);
    EXPECT_EQ(ids[2], UINT32_MAX);
    EXPECT_EQ(ox_archetype_get_components(world, archetype, ids, 4), 3);
    EXPECT(ids[1] < ids[2] && ids[2] < ids[3]);
    EXPECT_EQ(ids[3], UINT32_MAX);
    EXPECT_EQ(ox_archetype_get_components(world, archetype, NULL, 2), 3);
    EXPECT_EQ(ox_archetype_get_components(world, (ox_archetype){0}, ids, 4), 0);
    EXPECT_EQ(ids[3], UINT32_MAX);
    end_world(world, &reports);
}

// Room.

TEST(world_reserve, makes_room_for_so_many_entities_in_all) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity_create(world);
    uint64_t hash = ox_world_hash_layout(world);

    EXPECT(ox_world_reserve(world, 100000));
    EXPECT(ox_world_reserve(world, 0));

    EXPECT(world->store.entities.ready >= 99999);
    EXPECT_EQ(ox_world_hash_layout(world), hash);
    end_world(world, &reports);
}

TEST(world_reserve, reports_more_than_the_world_may_have) {
    collected_reports reports = {0};
    ox_world *world = ox_world_create(
        &(ox_world_def){.entity_limit = 100, .on_report = {collect_report, &reports}});

    EXPECT(!ox_world_reserve(world, 101));
    EXPECT_REPORT(&reports, OX_REPORT_ENTITY_LIMIT);
    EXPECT(!ox_world_reserve(world, -1));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COUNT);

    EXPECT(ox_world_reserve(world, 100));
    end_world(world, &reports);
}
