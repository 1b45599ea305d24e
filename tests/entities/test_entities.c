// SPDX-License-Identifier: MIT
//
// Creating and destroying entities: ids, order, limits.

#include "entities/entities_test.h"

#include "base/platform.h"

TEST(entities, first_id_is_index_0_version_1) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    EXPECT(!ox_entity_exists(world, (ox_entity){0, 1}));

    ox_entity first = ox_entity_create(world), second = ox_entity_create(world);

    EXPECT(is_same(first, (ox_entity){0, 1}) && is_same(second, (ox_entity){1, 1}));
    end_world(world, &reports);
}

TEST(entities, handles_are_equal_by_both_fields) {
    ox_world *world = ox_world_create(NULL);
    ox_entity first = ox_entity_create(world), second = ox_entity_create(world), nobody = {0};
    EXPECT(ox_entity_equals(first, first) && !ox_entity_equals(first, second));
    ox_entity_destroy(world, first);
    ox_entity later = ox_entity_create(world);
    EXPECT_EQ(later.index, first.index);
    EXPECT(!ox_entity_equals(first, later));
    EXPECT(ox_entity_is_null(nobody) && ox_entity_equals(nobody, ox_entity_find(world, "none")));
    EXPECT(!ox_entity_is_null(first) && !ox_entity_is_null(later)); // stale is not null
    ox_world_destroy(world);
}

TEST(entities, ids_of_many_follow_each_other) {
    collected_reports reports;
    static ox_entity entities[5000];
    ox_world *world = make_world(&reports);

    EXPECT(ox_entities_create(world, ox_archetype_of(world, Large), entities, 5000));

    for (uint32_t k = 0; k < 5000; k++) {
        EXPECT(is_same(entities[k], (ox_entity){k, 1}));
        ox_entity_location place = ox_entity_get_location(world, entities[k]);
        EXPECT(place.chunk == (int)k / LARGE_ROWS && place.row == (int)k % LARGE_ROWS);
    }
    end_world(world, &reports);
}

TEST(entities, handle_goes_stale_when_its_index_is_reused) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity a = ox_entity_create(world), b = ox_entity_create(world);
    ox_entity_destroy(world, a);
    ox_entity_destroy(world, b);

    ox_entity first = ox_entity_create(world), second = ox_entity_create(world);

    EXPECT(is_same(first, (ox_entity){1, 2}) && is_same(second, (ox_entity){0, 2}));
    EXPECT(!ox_entity_exists(world, a) && !ox_entity_exists(world, b));
    end_world(world, &reports);
}

TEST(entities, of_a_list_are_reused_from_its_end) {
    collected_reports reports;
    ox_entity list[3];
    ox_world *world = make_world(&reports);
    ox_entities_create(world, ox_archetype_of(world, Health), list, 3);

    EXPECT(ox_entities_destroy(world, list, 3));

    for (uint32_t k = 0; k < 3; k++) {
        EXPECT(is_same(ox_entity_create(world), (ox_entity){2 - k, 2}));
    }
    end_world(world, &reports);
}

TEST(entities, an_id_at_its_last_version_is_retired) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health));
    world->store.entities.records[0].version = UINT32_MAX;
    oxi_chunk_entities(world->store.entities.records[0].chunk)[0].version = UINT32_MAX;
    entity.version = UINT32_MAX;
    EXPECT(ox_world_validate(world));

    ox_entity_destroy(world, entity);

    EXPECT_EQ(ox_entity_create(world).index, 1);
    EXPECT(!ox_entity_exists(world, (ox_entity){0, 0}));
    EXPECT(!ox_entity_exists(world, (ox_entity){0, 1}));
    EXPECT(!ox_entity_exists(world, entity));
    EXPECT_EQ(ox_world_get_usage(world).entity_count, 1);
    end_world(world, &reports);
}

TEST(entities, a_removal_moves_those_behind_it_down) {
    collected_reports reports;
    ox_entity list[100];
    ox_world *world = make_world(&reports);
    ox_entities_create(world, ox_archetype_of(world, Health), list, 100);

    ox_entity_destroy(world, list[37]);

    for (int k = 0; k < 100; k++) {
        int row = k < 37 ? k : k - 1;
        EXPECT_EQ(ox_entity_get_location(world, list[k]).row, k == 37 ? -1 : row);
    }
    end_world(world, &reports);
}

TEST(entities, one_walk_closes_each_chunk_once_after_a_thousand_removals) {
    enum { MADE = 4000, GONE = 1000 };
    static ox_entity made[MADE];
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entities_create(world, ox_archetype_of(world, Position), made, MADE);
    oxi_random random = oxi_random_seed(test_seed(71));
    int left = MADE;
    for (int k = 0; k < GONE; k++) {
        int at = (int)oxi_random_below(&random, (uint64_t)left);
        ox_entity_destroy(world, made[at]);
        memmove(&made[at], &made[at + 1], (size_t)(--left - at) * sizeof *made);
    }
    EXPECT_EQ(ox_world_get_usage(world).closing_count, 0);

    ox_query *query = ox_query_create(world, OX_READ(Position));
    int seen = 0, chunks = 0;
    OX_EACH_CHUNK(query, chunk) {
        EXPECT(memcmp(chunk.entities, &made[seen], (size_t)chunk.count * sizeof *made) == 0);
        seen += chunk.count;
        chunks++;
    }

    EXPECT_EQ(seen, left);
    EXPECT(ox_world_get_usage(world).closing_count <= (uint64_t)chunks);
    end_world(world, &reports);
}

TEST(entities, the_limit_counts_those_alive_and_is_all_or_none) {
    collected_reports reports;
    ox_entity list[8] = {{9, 9}};
    ox_world *world = ox_world_create(
        &(ox_world_def){.entity_limit = 10, .on_report = {collect_report, &reports}});
    reports = (collected_reports){0};
    ox_archetype archetype = ox_archetype_of(world, Health);
    EXPECT(ox_entities_create(world, archetype, list, 8));
    uint64_t hash = ox_world_hash_layout(world);

    EXPECT(!ox_entities_create(world, archetype, list, 3));
    EXPECT_REPORT(&reports, OX_REPORT_ENTITY_LIMIT);
    EXPECT_EQ(ox_world_hash_layout(world), hash);

    EXPECT(ox_entities_create(world, archetype, NULL, 2));
    EXPECT(is_same(ox_entity_instantiate(world, list[0]), (ox_entity){0, 0}));
    EXPECT_REPORT(&reports, OX_REPORT_ENTITY_LIMIT);
    ox_entity_destroy(world, list[4]);
    EXPECT(is_same(ox_entity_instantiate(world, list[0]), (ox_entity){4, 2}));
    end_world(world, &reports);
}

TEST(entities, a_limit_leaves_no_new_archetype_behind) {
    collected_reports reports;
    ox_world *world = ox_world_create(
        &(ox_world_def){.entity_limit = 1, .on_report = {collect_report, &reports}});
    reports = (collected_reports){0};
    ox_entity_create(world);
    uint64_t hash = ox_world_hash_layout(world);

    for (int k = 0; k < 3; k++) {
        ox_entity made = ox_entity_create(world, OX_VALUE(Health, {k}), OX_VALUE_TAG(Frozen));
        EXPECT_EQ(made.version, 0);
        EXPECT_REPORT(&reports, OX_REPORT_ENTITY_LIMIT);
    }

    EXPECT_EQ(ox_world_get_usage(world).archetype_count, 1);
    EXPECT_EQ(ox_world_hash_layout(world), hash);
    end_world(world, &reports);
}

TEST(entities, one_that_is_refused_is_null_whatever_refused_it) {
    collected_reports reports = {0}, without_world = {0};
    collect_reports(&without_world);
    ox_world *world = make_world(&reports), *other = ox_world_create(NULL);
    ox_archetype foreign = ox_archetype_of(other, Health);
    const uint32_t unknown = ox_component_count() + 1;
    ox_entity made[] = {
        ox_entity_create(NULL),
        ox_entity_create_in(world, foreign),
        ox_entity_create_in(world, ((ox_archetype){0, 0})),
        ox_entity_create_in_at(world, ox_archetype_of_at(world, &unknown, 1, OX_HERE), OX_HERE),
        ox_entity_create(world, {unknown, NULL}),
        ox_entity_create_at(world, NULL, 1, OX_HERE),
        ox_entity_instantiate(world, ((ox_entity){0, 7})),
    };

    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        EXPECT(is_same(made[k], (ox_entity){0, 0}));
    }
    EXPECT_EQ(ox_world_get_usage(world).entity_count, 0);
    // One more: the archetype of an unknown component is none, which is refused once more.
    EXPECT_EQ(without_world.count + reports.count, sizeof made / sizeof *made + 1);
    reports.count = 0;
    ox_world_destroy(other);
    end_world(world, &reports);
}

TEST(entities, none_can_be_made_and_destroyed) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_archetype archetype = ox_archetype_of(world, Health);
    uint64_t hash = ox_world_hash_layout(world);
    EXPECT(ox_entities_create(world, archetype, NULL, 0));
    EXPECT(ox_entities_destroy(world, NULL, 0));
    EXPECT_EQ(ox_world_hash_layout(world), hash);
    end_world(world, &reports);
}

TEST(entities, counts_that_are_too_large_or_negative_are_reported) {
    static const int64_t counts[] = {-1, INT64_MIN, (int64_t)INT32_MAX + 1, INT64_MAX};
    collected_reports reports;
    ox_world *world = make_world(&reports);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        EXPECT(!ox_entities_create(world, ox_archetype_of(world, Health), NULL, counts[k]));
        EXPECT_REPORT(&reports, OX_REPORT_BAD_COUNT);
    }
    EXPECT(!ox_entities_create(world, ox_archetype_of(world, Health), NULL, INT32_MAX));
    EXPECT_REPORT(&reports, OX_REPORT_ENTITY_LIMIT);
    end_world(world, &reports);
}

TEST(entities, values_of_new_ones_are_zero_where_others_were) {
    collected_reports reports;
    ox_entity list[LARGE_ROWS];
    ox_world *world = make_world(&reports);
    ox_archetype archetype = ox_archetype_of(world, Large);
    ox_entities_create(world, archetype, list, LARGE_ROWS);
    for (int k = 0; k < LARGE_ROWS; k++) {
        memset(ox_edit(world, list[k], Large), 0xee, sizeof(Large));
    }
    ox_entities_destroy(world, list, LARGE_ROWS);

    ox_entities_create(world, archetype, list, LARGE_ROWS - 2);
    list[14] = ox_entity_create(world, {ox_component_id_of(Large), NULL});
    list[15] = ox_entity_create(world);
    ox_add_at(world, list[15], ox_component_id_of(Large), NULL, OX_HERE);

    for (int k = 0; k < LARGE_ROWS; k++) {
        for (size_t n = 0; n < sizeof(Large); n++) {
            EXPECT_EQ(ox_get(world, list[k], Large)->bytes[n], 0);
        }
    }
    end_world(world, &reports);
}

#if OX_SAFETY >= 2 && !defined(__SANITIZE_ADDRESS__)

TEST(entities, a_pointer_into_a_row_that_was_left_reads_what_one_recognises) {
    const int32_t left = (int32_t)0xdddddddd;
    ox_world *world = ox_world_create(NULL);
    ox_entity a = ox_entity_create(world, OX_VALUE(Health, {7}));
    ox_entity b = ox_entity_create(world, OX_VALUE(Health, {8}));
    const Health *of_a = ox_get(world, a, Health), *of_b = ox_get(world, b, Health);

    ox_add(world, a, Position, {1, 2});
    EXPECT_EQ(of_a->points, left);
    EXPECT_EQ(of_b->points, 8);
    ox_entity_destroy(world, b);
    EXPECT_EQ(of_b->points, left);

    of_a = ox_get(world, a, Health);
    EXPECT_EQ(of_a->points, 7);
    ox_remove(world, a, Position);
    EXPECT_EQ(of_a->points, left);
    EXPECT_EQ(ox_get(world, a, Health)->points, 7);
    ox_world_destroy(world);
}

#endif

TEST(entities, instance_has_the_values_and_points_to_itself) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity other = ox_entity_create(world);
    ox_entity source = ox_entity_create(world, OX_VALUE(Health, {7}), OX_VALUE_TAG(Frozen));
    ox_add(world, source, Follows, {source, {other, source}, 3});
    ox_entity_set_name(world, source, "first");

    ox_entity copy = ox_entity_instantiate(world, source);

    const Follows *follows = ox_get(world, copy, Follows);
    EXPECT(is_same(follows->leader, copy) && is_same(follows->others[1], copy));
    EXPECT(is_same(follows->others[0], other) && follows->distance == 3);
    EXPECT(is_same(ox_get(world, source, Follows)->leader, source));
    EXPECT_EQ(ox_get(world, copy, Health)->points, 7);
    EXPECT(ox_has(world, copy, Frozen));
    EXPECT(ox_entity_get_name(world, copy) == NULL);
    end_world(world, &reports);
}

// The chunk of the source is full of holes when the copy needs its room.
TEST(entities, instance_is_right_when_its_chunk_is_closed_for_it) {
    collected_reports reports;
    ox_entity list[LARGE_ROWS];
    ox_world *world = make_world(&reports);
    ox_entities_create(world, ox_archetype_of(world, Large), list, LARGE_ROWS);
    ox_edit(world, list[15], Large)->bytes[999] = 15;
    for (int k = 2; k < 6; k++) {
        ox_entity_destroy(world, list[k]);
    }

    ox_entity copy = ox_entity_instantiate(world, list[15]);

    EXPECT_EQ(ox_entity_get_location(world, copy).row, 12);
    EXPECT_EQ(ox_get(world, copy, Large)->bytes[999], 15);
    EXPECT_EQ(ox_get(world, list[15], Large)->bytes[999], 15);
    end_world(world, &reports);
}

typedef struct looking_handler {
    ox_world *world;
    ox_entity entity;
    int row;
    int count;
} looking_handler;

static void look_at_world(const ox_report *report, void *context) {
    looking_handler *looking = context;
    (void)report;
    looking->row = ox_entity_get_location(looking->world, looking->entity).row;
    looking->count++;
}

TEST(entities, a_handler_of_reports_sees_the_world_as_it_is) {
    looking_handler looking = {.row = -2};
    ox_world *world = ox_world_create(&(ox_world_def){.on_report = {look_at_world, &looking}});
    ox_entity list[4];
    ox_entities_create(world, ox_archetype_of(world, Health), list, 3);
    looking.world = world;
    looking.entity = list[2];
    list[3] = list[2];

    EXPECT(!ox_entities_destroy(world, list, 4));
    EXPECT(looking.count == 1 && looking.row == 2);
    list[3].version++;
    EXPECT(!ox_entities_destroy(world, list, 4));

    EXPECT(looking.count == 2 && looking.row == 2);
    EXPECT(ox_world_validate(world));
    ox_world_destroy(world);
}

TEST(entities, nobody_is_anywhere) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    ox_entity_location place = ox_entity_get_location(world, (ox_entity){0, 0});
    EXPECT(place.chunk == -1 && place.row == -1 && place.capacity == 0);
    EXPECT_EQ(place.archetype.number, 0);
    EXPECT(!ox_entity_exists(NULL, (ox_entity){0, 1}));
    EXPECT(!ox_has(NULL, ((ox_entity){0, 1}), Health));
    end_world(world, &reports);
}

// A copy of a list that ends where memory does: to read on is to crash.
static void *put_at_end(char *pages, const void *list, size_t size) {
    return memcpy(pages + oxi_page_size() - size, list, size);
}

TEST(entities, lists_are_read_up_to_their_end_and_no_further) {
    collected_reports reports;
    char *pages = oxi_pages_reserve(2 * oxi_page_size());
    EXPECT(oxi_pages_commit(pages, oxi_page_size()));
    ox_world *world = make_world(&reports);
    Position place = {1, 2};
    const uint32_t ids[] = {ox_component_id_of(Velocity), ox_component_id_of(Position),
                            ox_component_id_of(Health)};
    const ox_value values[] = {{ids[1], &place}, {ids[2], NULL}};

    ox_entity made[3];
    for (int k = 0; k < 3; k++) { // the second time what the list stands for is known
        made[k] = ox_entity_create_in_at(
            world, ox_archetype_of_at(world, put_at_end(pages, ids, sizeof ids), 3, OX_HERE),
            OX_HERE);
        ox_entity_create_at(world, put_at_end(pages, values, sizeof values), 2, OX_HERE);
        EXPECT(ox_remove_many_at(world, made[k], put_at_end(pages, ids, sizeof ids), 3, OX_HERE));
        EXPECT(
            ox_add_many_at(world, made[k], put_at_end(pages, values, sizeof values), 2, OX_HERE));
        EXPECT(ox_has(world, made[k], Health) && !ox_has(world, made[k], Velocity));
        EXPECT_EQ(ox_get(world, made[k], Position)->y, 2.0f);
    }
    EXPECT(ox_entities_destroy(world, put_at_end(pages, made, sizeof made), 3));

    EXPECT_EQ(ox_world_get_usage(world).entity_count, 3);
    end_world(world, &reports);
    oxi_pages_release(pages, 2 * oxi_page_size());
}
