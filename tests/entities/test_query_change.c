// SPDX-License-Identifier: MIT
//
// Changes to all entities of a query.

#include "query_test.h"

#include "entities/world.h"

#include <string.h>

// In an archetype, any two neighbours have more rows than a chunk holds.
static void expect_joined(const ox_world *world, ox_archetype archetype) {
    const oxi_archetype *found = oxi_archetype_at(&world->store, archetype.number - 1);
    uint32_t before = UINT32_MAX / 2;
    for (size_t k = 0; k < found->lane.chunks.count; k++) {
        if (found->lane.chunks.items[k] != 0) {
            uint32_t live = oxi_chunk_entry_of(found->lane.chunks.items[k])->live;
            EXPECT(before + live > found->capacity);
            before = live;
        }
    }
}

TEST(query_change, a_tag_is_added_and_removed_without_moving_entities) {
    ox_world *world = ox_world_create(NULL);
    ox_archetype plain = ox_archetype_of(world, Place, Health);
    int rows = rows_of_chunk(world, plain), count = 3 * rows + rows / 2;
    ox_entity *made = ox_memory_alloc_array(OX_TEMP, count, ox_entity);
    ox_entities_create(world, plain, made, count);
    ox_query *query = ox_query_create(world, OX_READ(Health));
    const Health *before = ox_get(world, made[count - 1], Health);
    uint64_t moved = ox_world_get_usage(world).moved_rows;

    for (int turn = 0; turn < 2; turn++) {
        EXPECT(turn == 0 ? ox_query_add(query, Frozen) : ox_query_remove(query, Frozen));
        for (int k = 0; k < count; k++) {
            ox_entity_location place = ox_entity_get_location(world, made[k]);
            EXPECT_EQ(ox_has(world, made[k], Frozen), turn == 0);
            EXPECT_EQ(place.chunk, k / rows);
            EXPECT_EQ(place.row, k % rows);
        }
        EXPECT_EQ((const void *)ox_get(world, made[count - 1], Health), (const void *)before);
    }
    EXPECT_EQ(ox_world_get_usage(world).moved_rows, moved);
    EXPECT(ox_world_validate(world));
    ox_world_destroy(world);
}

TEST(query_change, chunks_that_change_sides_are_joined_with_their_neighbours) {
    ox_world *world = ox_world_create(NULL);
    ox_archetype plain = ox_archetype_of(world, Health);
    ox_archetype frozen = ox_archetype_of(world, Health, Frozen);
    ox_query *query = ox_query_create(world, OX_READ(Health), OX_NONE(Frozen));

    for (int k = 0; k < 200; k++) {
        ox_entity_create(world, OX_VALUE(Health, {k}));
        EXPECT(ox_query_add(query, Frozen)); // one entity at a time, the manual's gotcha
        expect_joined(world, frozen);
    }

    EXPECT_EQ(ox_world_get_usage(world).chunk_count, 1);
    expect_joined(world, plain);
    int k = 0;
    ox_query *all = ox_query_create(world, OX_READ(Health));
    OX_EACH_CHUNK(all, chunk) {
        const Health *health = ox_chunk_get(chunk, Health);
        for (int i = 0; i < chunk.count; i++) {
            EXPECT_EQ(health[i].points, k++);
        }
    }
    EXPECT_EQ(k, 200);
    ox_world_destroy(world);
}

TEST(query_change, what_stays_behind_is_joined_too) {
    ox_world *world = ox_world_create(NULL);
    ox_archetype heavy = ox_archetype_of(world, Load);
    int rows = rows_of_chunk(world, heavy);
    ox_entity made[32];
    EXPECT(rows >= 3 && 6 * rows <= 32);
    ox_entities_create(world, heavy, made, 6 * rows);
    for (int chunk = 0; chunk < 6; chunk += 2) { // one is left in chunks 0, 2 and 4
        for (int k = 1; k < rows; k++) {
            ox_entity_destroy(world, made[chunk * rows + k]);
        }
    }
    ox_query *query = ox_query_create(world, OX_WRITE(Load));
    uint32_t version = ox_world_get_version(world);
    ox_world_advance_version(world);
    for (int chunk = 1; chunk < 6; chunk += 2) {
        ox_edit(world, made[chunk * rows], Load);
    }
    ox_query_filter_changed(query, Load, version);

    EXPECT(ox_query_add(query, Frozen)); // chunks 1, 3 and 5

    expect_joined(world, heavy);
    expect_joined(world, ox_archetype_of(world, Load, Frozen));
    EXPECT_EQ(ox_entity_get_location(world, made[4 * rows]).chunk, 0);
    EXPECT_EQ(ox_entity_get_location(world, made[4 * rows]).row, 2);
    EXPECT_EQ(ox_entity_get_location(world, made[5 * rows]).chunk, 2);
    EXPECT(ox_world_validate(world));
    ox_world_destroy(world);
}

static void expect_moved_in_order(ox_removal removal) {
    enum { COUNT = 3000 };
    static ox_entity made[COUNT];
    ox_world *world = ox_world_create(&(ox_world_def){.removal = removal});
    ox_entities_create(world, ox_archetype_of(world, Health), made, COUNT);
    for (int k = 0; k < COUNT; k++) {
        ox_set(world, made[k], Health, {k});
    }
    ox_query *query = ox_query_create(world, OX_READ(Health));

    EXPECT(ox_query_add(query, Place));

    int k = 0;
    ox_query *all = ox_query_create(world, OX_READ(Health), OX_READ(Place));
    OX_EACH_CHUNK(all, chunk) {
        const Health *health = ox_chunk_get(chunk, Health);
        const Place *place = ox_chunk_get(chunk, Place);
        for (int i = 0; i < chunk.count; i++, k++) {
            EXPECT(same_entity(chunk.entities[i], made[k]));
            EXPECT_EQ(health[i].points, k);
            EXPECT(place[i].x == 0 && place[i].y == 0 && place[i].z == 0);
        }
    }
    EXPECT_EQ(k, COUNT);
    EXPECT(ox_world_validate(world));
    ox_world_destroy(world);
}

TEST(query_change, a_component_with_values_moves_rows_in_order_and_is_zero) {
    expect_moved_in_order(OX_REMOVAL_ORDERED);
}

TEST(query_change, rows_move_in_order_in_a_world_that_swaps_too) {
    expect_moved_in_order(OX_REMOVAL_SWAP);
}

TEST(query_change, a_world_that_swaps_goes_on_swapping) {
    ox_world *world = ox_world_create(&(ox_world_def){.removal = OX_REMOVAL_SWAP});
    ox_archetype plain = ox_archetype_of(world, Health);
    ox_entity_create_in(world, plain);
    EXPECT(ox_query_add(ox_query_create(world, OX_READ(Health)), Place));
    ox_entity made[3];
    ox_entities_create(world, plain, made, 3);

    ox_entity_destroy(world, made[0]);

    EXPECT_EQ(ox_entity_get_location(world, made[2]).row, 0);
    EXPECT_EQ(ox_entity_get_location(world, made[1]).row, 1);
    ox_world_destroy(world);
}

TEST(query_change, zeroes_memory_that_was_used_before) {
    ox_world *world = ox_world_create(NULL);
    ox_query *query = ox_query_create(world, OX_WRITE(Health));
    ox_entity made[100];
    ox_entities_create(world, ox_archetype_of(world, Health, Place), made, 100);
    for (int k = 0; k < 100; k++) {
        ox_set(world, made[k], Place, {1, 2, 3});
    }

    EXPECT(ox_query_remove(query, Place));
    EXPECT(ox_query_add(query, Place));

    for (int k = 0; k < 100; k++) {
        EXPECT_EQ(ox_get(world, made[k], Place)->y, 0.0f);
    }
    ox_world_destroy(world);
}

TEST(query_change, a_component_that_is_there_keeps_its_value) {
    ox_world *world = ox_world_create(NULL);
    ox_query *query = ox_query_create(world, OX_READ(Health));
    ox_entity has = ox_entity_create(world, OX_VALUE(Health, {1}), OX_VALUE(Place, {7, 8, 9}));
    ox_entity lacks = ox_entity_create(world, OX_VALUE(Health, {2}));

    EXPECT(ox_query_add(query, Place));

    EXPECT_EQ(ox_get(world, has, Place)->x, 7.0f);
    EXPECT_EQ(ox_get(world, lacks, Place)->x, 0.0f);
    EXPECT_EQ(ox_get(world, lacks, Health)->points, 2);
    EXPECT(ox_query_add(query, Health)); // all have it
    EXPECT_EQ(ox_get(world, lacks, Health)->points, 2);
    EXPECT(ox_query_remove(query, Marked)); // none has it
    ox_world_destroy(world);
}

TEST(query_change, on_nothing_changes_nothing) {
    ox_world *world = ox_world_create(NULL);
    ox_query *query = ox_query_create(world, OX_READ(Health));
    ox_entity_create_in(world, ox_archetype_of(world, Place));
    uint64_t before = ox_world_hash_layout(world);

    EXPECT(ox_query_add(query, Frozen));
    EXPECT(ox_query_add(query, Place));
    EXPECT(ox_query_remove(query, Health));
    EXPECT_EQ(ox_query_destroy_entities(query), 0);

    EXPECT_EQ(ox_world_hash_layout(world), before);
    ox_world_destroy(world);
}

TEST(query_change, of_what_the_query_asks_for_is_possible) {
    ox_world *world = ox_world_create(NULL);
    ox_query *lacks = ox_query_create(world, OX_NONE(Marked));
    ox_query *has = ox_query_create(world, OX_WITH(Marked));
    for (int k = 0; k < 10; k++) {
        ox_entity_create_in(world, ox_archetype_of(world, Place));
        ox_entity_create_in(world, ox_archetype_of(world, Health));
        ox_entity_create(world);
    }

    EXPECT(ox_query_add(lacks, Marked));
    EXPECT_EQ(ox_query_count(lacks), 0);
    EXPECT_EQ(ox_query_count(has), 30);
    EXPECT(ox_query_remove(has, Marked));
    EXPECT_EQ(ox_query_count(lacks), 30);
    EXPECT(ox_world_validate(world));
    ox_world_destroy(world);
}

TEST(query_change, of_an_unknown_component_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_world *world = ox_world_create(NULL);
    ox_query *query = ox_query_create(world, OX_READ(Health));
    ox_entity_create_in(world, ox_archetype_of(world, Health));
    const uint32_t ids[] = {0, ox_component_count() + 1, 100000, UINT32_MAX};

    for (int k = 0; k < 4; k++) {
        EXPECT(!ox_query_add_at(query, ids[k], OX_HERE));
        EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT);
        EXPECT(!ox_query_remove_at(query, ids[k], OX_HERE));
        EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT);
    }
    EXPECT_EQ(ox_query_count(query), 1);
    ox_world_destroy(world);
}

TEST(query_change, that_does_not_fit_in_a_chunk_is_reported_and_changes_nothing) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_world *world = ox_world_create(NULL);
    ox_query *query = ox_query_create(world, OX_READ(Health));
    ox_entity_create_in(world, ox_archetype_of(world, Health)); // it would fit here
    ox_entity_create_in(world, ox_archetype_of(world, Health, Cargo));
    uint64_t hash = ox_world_hash(world), layout = ox_world_hash_layout(world);
    uint32_t archetypes = ox_world_get_usage(world).archetype_count;

    EXPECT(!ox_query_add(query, Ballast));

    EXPECT_REPORT(&reports, OX_REPORT_ARCHETYPE_TOO_LARGE);
    EXPECT_EQ(ox_world_hash(world), hash);
    EXPECT_EQ(ox_world_hash_layout(world), layout);
    EXPECT_EQ(ox_world_get_usage(world).archetype_count, archetypes);
    EXPECT(ox_world_validate(world));
    ox_entity_create_in(
        world, ox_archetype_of(world, Health, Marked)); // takes the number of what was taken back
    EXPECT_EQ(ox_query_count(query), 3);
    ox_world_destroy(world);
}

// A handler may look at the world.
static void count_in_handler(const ox_report *report, void *context) {
    (void)report;
    ox_query_count(context);
}

TEST(query_change, a_query_that_is_used_in_a_handler_sees_no_archetype_that_goes) {
    ox_world *world = ox_world_create(NULL);
    ox_query *query = ox_query_create(world, OX_READ(Health));
    ox_query *ballast = ox_query_create(world, OX_WITH(Ballast));
    ox_entity_create_in(world, ox_archetype_of(world, Health));
    ox_entity_create_in(world, ox_archetype_of(world, Health, Cargo));
    ox_report_handler before =
        ox_report_set_handler((ox_report_handler){count_in_handler, ballast});
    EXPECT(!ox_query_add(query, Ballast));
    ox_report_set_handler(before);

    ox_entity_create_in(world, ox_archetype_of(world, Health, Marked));

    EXPECT_EQ(ox_query_count(ballast), 0);
    ox_world_destroy(world);
}

TEST(query_change, a_query_in_a_handler_sees_no_archetype_of_a_refused_entity) {
    ox_world *world = ox_world_create(&(ox_world_def){.entity_limit = 1});
    ox_query *marked = ox_query_create(world, OX_WITH(Marked));
    ox_entity only = ox_entity_create(world);
    ox_report_handler before = ox_report_set_handler((ox_report_handler){count_in_handler, marked});
    EXPECT(!ox_entity_exists(world, ox_entity_create(world, OX_VALUE_TAG(Marked))));
    ox_report_set_handler(before);

    ox_add(world, only, Health, {0});

    EXPECT_EQ(ox_query_count(marked), 0);
    ox_world_destroy(world);
}

TEST(query_change, passes_only_what_the_filters_pass) {
    ox_world *world = ox_world_create(NULL);
    ox_query *query = ox_query_create(world, OX_WRITE(Health));
    ox_entity old = ox_entity_create_in(world, ox_archetype_of(world, Health, Place));
    ox_entity touched = ox_entity_create_in(world, ox_archetype_of(world, Health));
    uint32_t version = ox_world_get_version(world);
    ox_world_advance_version(world);
    ox_edit(world, touched, Health);
    ox_query_filter_changed(query, Health, version);

    EXPECT(ox_query_add(query, Marked));
    EXPECT(ox_query_add(query, Speed));

    EXPECT(ox_has(world, touched, Marked) && ox_has(world, touched, Speed));
    EXPECT(!ox_has(world, old, Marked) && !ox_has(world, old, Speed));
    EXPECT_EQ(ox_query_destroy_entities(query), 1);
    EXPECT(ox_entity_exists(world, old));
    EXPECT(!ox_entity_exists(world, touched));
    ox_world_destroy(world);
}

// Destroying.

TEST(query_change, destroying_frees_ids_and_names) {
    ox_world *world = ox_world_create(NULL);
    ox_query *query = ox_query_create(world, OX_READ(Health));
    ox_entity made[500], kept = ox_entity_create_in(world, ox_archetype_of(world, Place));
    ox_entities_create(world, ox_archetype_of(world, Health), made, 500);
    ox_entity_set_name(world, made[3], "three");
    ox_entity_set_name(world, kept, "kept");
    ox_entity_destroy(world, made[1]);

    EXPECT_EQ(ox_query_destroy_entities(query), 499);

    EXPECT_EQ(ox_world_get_usage(world).entity_count, 1);
    EXPECT_EQ(ox_world_get_usage(world).chunk_count, 1);
    EXPECT(!ox_entity_exists(world, made[499]));
    EXPECT(same_entity(ox_entity_find(world, "three"), (ox_entity){0, 0}));
    EXPECT(same_entity(ox_entity_find(world, "kept"), kept));
    EXPECT(ox_entity_set_name(world, kept, "three"));
    EXPECT_EQ(ox_entity_create(world).index, made[499].index); // the last that was freed
    EXPECT(ox_world_validate(world));
    ox_world_destroy(world);
}

// Out of memory.

static void fill_for_sweep(ox_world *world) {
    ox_archetype sets[4];
    sets[0] = ox_archetype_of(world, Load);
    sets[1] = ox_archetype_of(world, Load, Health);
    sets[2] = ox_archetype_of(world, Load, Marked);
    sets[3] = ox_archetype_of(world, Load, Health, Place);
    for (int k = 0; k < 4; k++) {
        if (sets[k].number != 0) {
            ox_entities_create(world, sets[k], NULL, 7);
        }
    }
}

static void change_when_memory_fails(bool (*change)(ox_query *query)) {
    ox_world *world = ox_world_create(NULL);
    ox_query *query = world != NULL ? ox_query_create(world, OX_WRITE(Load)) : NULL;
    if (query != NULL) {
        fill_for_sweep(world);
        uint64_t hash = ox_world_hash(world), layout = ox_world_hash_layout(world);
        uint32_t archetypes = ox_world_get_usage(world).archetype_count;
        if (!change(query)) {
            EXPECT_EQ(ox_world_hash(world), hash);
            EXPECT_EQ(ox_world_hash_layout(world), layout);
            EXPECT_EQ(ox_world_get_usage(world).archetype_count, archetypes);
        }
        EXPECT(ox_world_validate(world));
    }
    ox_world_destroy(world);
}

static bool add_frozen(ox_query *query) {
    return ox_query_add(query, Frozen);
}
static bool remove_marked(ox_query *query) {
    return ox_query_remove(query, Marked);
}
static bool add_speed(ox_query *query) {
    return ox_query_add(query, Speed);
}
static bool remove_health(ox_query *query) {
    return ox_query_remove(query, Health);
}
static bool destroy_all(ox_query *query) {
    return ox_query_destroy_entities(query) > 0;
}

static void sweep_add_tag(void) {
    change_when_memory_fails(add_frozen);
}
static void sweep_remove_tag(void) {
    change_when_memory_fails(remove_marked);
}
static void sweep_add_data(void) {
    change_when_memory_fails(add_speed);
}
static void sweep_remove_data(void) {
    change_when_memory_fails(remove_health);
}
static void sweep_destroy(void) {
    change_when_memory_fails(destroy_all);
}

TEST(query_change, out_of_memory_changes_nothing) {
    EXPECT(ox_component_id_of(Frozen) != 0 && ox_component_id_of(Marked) != 0 &&
           ox_component_id_of(Speed) != 0);
    EXPECT(ox_component_id_of(Load) != 0 && ox_component_id_of(Health) != 0 &&
           ox_component_id_of(Place) != 0);

    test_fault_sweep("add a tag by query", sweep_add_tag);
    test_fault_sweep("remove a tag by query", sweep_remove_tag);
    test_fault_sweep("add a component by query", sweep_add_data);
    test_fault_sweep("remove a component by query", sweep_remove_data);
    test_fault_sweep("destroy by query", sweep_destroy);
}
