// SPDX-License-Identifier: MIT
//
// Many entities: work is linear in what is done, and limits of the process are refusals.
//
// At level 3 the world is validated after every change, so worlds are small there.

#include "entities/entities_test.h"

#include <stdlib.h>

#if OX_SAFETY >= 3 || defined(__SANITIZE_THREAD__)
enum { ROWS = 300, PEOPLE = 3000 };
#elif OX_SAFETY >= 1
enum { ROWS = 50000, PEOPLE = 1000000 };
#else
enum { ROWS = 1000000, PEOPLE = 10000000 };
#endif

typedef enum destroy_order { FRONT_TO_BACK, BACK_TO_FRONT, AT_RANDOM } destroy_order;

static ox_entity *make_many(ox_world *world, ox_archetype archetype, int64_t count) {
    ox_entity *entities = malloc((size_t)count * sizeof *entities);
    EXPECT(entities != NULL);
    EXPECT(ox_entities_create(world, archetype, entities, count));
    return entities;
}

static void order_entities(ox_entity *entities, int64_t count, destroy_order order) {
    oxi_random random = oxi_random_seed(test_seed(51));
    for (int64_t k = count - 1; k > 0 && order != FRONT_TO_BACK; k--) {
        int64_t other = order == AT_RANDOM ? (int64_t)oxi_random_below(&random, (uint64_t)k + 1)
                                           : count - 1 - k;
        if (order == AT_RANDOM || other < k) {
            ox_entity kept = entities[k];
            entities[k] = entities[other];
            entities[other] = kept;
        }
    }
}

static void destroy_all(destroy_order order, bool reads) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    int64_t count = (int64_t)test_scaled(ROWS);
    ox_entity *entities = make_many(world, ox_archetype_of(world, Large), count);
    order_entities(entities, count, order);

    for (int64_t k = 0; k < count; k++) {
        if (reads) {
            ox_get(world, entities[(k + count / 2) % count], Large);
        }
        ox_entity_destroy(world, entities[k]);
        if (reads && k >= count / 2 - 1) {
            break;
        }
    }

    ox_world_usage usage = ox_world_get_usage(world);
    EXPECT(usage.moved_rows <= (uint64_t)count * (reads ? LARGE_ROWS : 1));
    EXPECT(usage.closing_count <= (uint64_t)count);
    EXPECT(reads || (usage.entity_count == 0 && usage.chunk_count == 0));
    free(entities);
    end_world(world, &reports);
}

TEST(entities_large, are_destroyed_front_to_back_in_linear_work) {
    destroy_all(FRONT_TO_BACK, false);
}

TEST(entities_large, are_destroyed_back_to_front_in_linear_work) {
    destroy_all(BACK_TO_FRONT, false);
}

TEST(entities_large, are_destroyed_at_random_in_linear_work) {
    destroy_all(AT_RANDOM, false);
}

TEST(entities_large, are_read_and_destroyed_at_random_in_linear_work) {
    destroy_all(AT_RANDOM, true);
}

static int64_t count_by_walking(ox_world *world) {
    ox_query *query = ox_query_create(world, OX_READ(Health));
    int64_t count = 0;
    OX_EACH_CHUNK(query, chunk) {
        const Health *health = ox_chunk_get(chunk, Health);
        count += chunk.count + health[chunk.count - 1].points; // which is 0
    }
    ox_query_destroy(query);
    return count;
}

TEST(entities_large, half_of_many_can_go_and_come_back) {
    collected_reports reports;
    ox_world *world = make_world(&reports);
    int64_t count = (int64_t)test_scaled(PEOPLE);
    ox_archetype archetype = ox_archetype_of(world, Health);
    ox_entity *entities = make_many(world, archetype, count);
    for (int64_t k = 0; k < count; k += 2) {
        ox_entity_destroy(world, entities[k]);
    }
    EXPECT_EQ(ox_world_get_usage(world).entity_count, count / 2);
    EXPECT_EQ(count_by_walking(world), count / 2);

    EXPECT(ox_entities_create(world, archetype, NULL, count - count / 2));

    ox_world_usage usage = ox_world_get_usage(world);
    EXPECT_EQ(usage.entity_count, count);
    EXPECT_EQ(usage.chunk_count, ox_world_get_fragmentation(world).needed_count);
    EXPECT(usage.moved_rows <= (uint64_t)count);
    free(entities);
    end_world(world, &reports);
}

TEST(entities_large, ten_thousand_archetypes_are_kept_apart) {
    enum { TAGS = 14 };
    collected_reports reports;
    ox_world *world = make_world(&reports);
    uint32_t tags[TAGS], most = OX_SAFETY >= 3 ? 300 : 10000;
    for (int k = 0; k < TAGS; k++) {
        tags[k] = define_sized("Apart", k, 0);
    }
    for (uint32_t mask = 1; mask < most; mask++) {
        uint32_t ids[TAGS];
        int count = 0;
        for (int k = 0; k < TAGS; k++) {
            if (mask >> k & 1) {
                ids[count++] = tags[k];
            }
        }
        ox_entity entity =
            ox_entity_create_in(world, ox_archetype_of_at(world, ids, count, OX_HERE));
        EXPECT_EQ(ox_entity_get_location(world, entity).archetype.number, mask + 1);
        EXPECT_EQ(ox_entity_get_components(world, entity, NULL, 0), count);
    }
    EXPECT_EQ(ox_world_get_usage(world).archetype_count, most);
    EXPECT_HAS(ox_world_get_fragmentation(world).advice, "as full as they can be");
    end_world(world, &reports);
}

// A failing EXPECT needs a running test: a child exits with a code instead.
static void need(bool condition, int code) {
    if (!condition) {
        fprintf(stderr, "need %d\n", code);
        exit(code);
    }
}

TEST_CHILD(full_process) {
    static collected_reports reports;
    need(ox_memory_set_chunk_limit(1 << 20), 3); // 64 chunks
    ox_world *world = make_world(&reports);
    ox_archetype archetype = ox_archetype_of(world, Large);
    need(ox_entities_create(world, archetype, NULL, 60 * LARGE_ROWS), 4);
    need(!ox_memory_set_chunk_limit(1 << 30), 5);
    uint64_t hash = ox_world_hash_layout(world);

    need(!ox_entities_create(world, archetype, NULL, 5 * LARGE_ROWS), 6);

    need(reports.count == 1 && reports.last == OX_REPORT_OUT_OF_MEMORY, 7);
    need(ox_world_hash_layout(world) == hash && ox_world_validate(world), 8);
    ox_world_usage usage = ox_world_get_usage(world);
    need(usage.process_limit == 1 << 20 && usage.process_bytes == 1 << 20, 9);
    need(ox_entities_create(world, archetype, NULL, 4 * LARGE_ROWS), 10);
    need(ox_entity_create_in(world, ox_archetype_of(world, Large)).version == 0 &&
             reports.count == 2,
         11);
    ox_entity_destroy(world, ((ox_entity){0, 1}));
    ox_entity_destroy(world, ((ox_entity){1, 1}));
    need(ox_entity_create_in(world, ox_archetype_of(world, Large)).version == 2, 12);
    need(ox_world_validate(world), 13);
    ox_world_destroy(world);
    fprintf(stderr, "all told\n");
}

TEST(entities_large, the_end_of_the_chunk_space_is_a_report_and_loses_nothing) {
    EXPECT_EXITS(full_process, "all told");
}

TEST_CHILD(last_component) {
    static collected_reports reports;
    ox_world *world = make_world(&reports);
    uint32_t last = 0;
    for (int k = 0; ox_component_count() < OX_MAX_COMPONENTS; k++) {
        last = define_sized("Last", k, k % 100 == 0 ? 8 : 0);
    }
    need(last == OX_MAX_COMPONENTS, 3);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Health));

    need(ox_add_at(world, entity, last, NULL, OX_HERE), 4);

    need(ox_has_id(world, entity, last), 5);
    need(!ox_has_id(world, entity, last + 1), 6);
    need(ox_remove_many_at(world, entity, &last, 1, OX_HERE), 7);
    need(ox_world_validate(world) && reports.count == 0, 8);
    ox_world_destroy(world);
    fprintf(stderr, "4096 used\n");
}

TEST(entities_large, the_last_component_id_is_used_like_any_other) {
    EXPECT_EXITS(last_component, "4096 used");
}
