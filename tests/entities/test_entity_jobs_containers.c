// SPDX-License-Identifier: MIT
//
// Containers in jobs over entities: what they may hold, and that what they write is in the same
// order for any number of workers.

#include "entity_jobs_test.h"

enum { ENTITIES = 3000 };

OX_ENTITY_JOB(Collect, (OX_READ(Count, count), OX_ENTITY(self)), {
    ox_list_writer list;
    ox_queue_writer queue;
    ox_multimap_writer map;
}) {
    if (count->value % 3 != 0) {
        ox_list_write(OX_AS(job->list, uint32_t), count->value);
        ox_queue_write(OX_AS(job->queue, ox_entity), self);
    }
    ox_multimap_write(OX_AS(job->map, uint32_t, uint32_t), count->value % 10, count->value);
}

typedef struct outputs {
    ox_list list;
    ox_queue queue;
    ox_multimap map;
} outputs;

static ox_world *make_world_of_counts(void) {
    ox_world *world = ox_world_create(NULL);
    for (uint32_t k = 0; k < ENTITIES; k++) {
        ox_entity entity = k % 7 == 0
                               ? ox_entity_create_in(world, ox_archetype_of(world, Count, Wide))
                               : ox_entity_create_in(world, ox_archetype_of(world, Count));
        ox_set(world, entity, Count, {k * 37 % 1009});
    }
    return world;
}

static uint64_t hash_outputs(outputs *out) {
    uint64_t hash = 0;
    for (int64_t k = 0; k < ox_list_count(out->list); k++) {
        hash = hash * 31 + ox_list_read(OX_AS(out->list, uint32_t), k);
    }
    ox_entity entity;
    while (ox_queue_try_pop(OX_AS(out->queue, ox_entity), &entity)) {
        hash = hash * 31 + entity.index;
    }
    for (uint32_t key = 0; key < 10; key++) {
        OX_EACH_OF(OX_AS(out->map, uint32_t, uint32_t), key, it) {
            hash = hash * 31 + *it.value;
        }
    }
    return hash;
}

static uint64_t collect_with(int workers) {
    start_workers_of_test(workers);
    ox_world *world = make_world_of_counts();
    outputs out = {ox_list_create_untyped(uint32_t, 2 * ENTITIES, OX_PERSISTENT),
                   ox_queue_create_untyped(ox_entity, 0, OX_PERSISTENT),
                   ox_multimap_create_untyped(uint32_t, uint32_t, 2 * ENTITIES, OX_PERSISTENT)};
    ox_job last = OX_NO_JOB;
    for (int round = 0; round < 2; round++) {
        last = ox_schedule_entities(Collect, ox_world_get_root(world), last,
                                    {ox_list_writer_of(out.list), ox_queue_writer_of(out.queue),
                                     ox_multimap_writer_of(out.map)});
        EXPECT(last.value != 0);
        ox_jobs_kick();
    }
    ox_complete(last);
    EXPECT_EQ(ox_multimap_count(out.map), 2 * ENTITIES);
    uint64_t hash = hash_outputs(&out);
    ox_dispose(&out.list);
    ox_dispose(&out.queue);
    ox_dispose(&out.map);
    end_jobs_test(world);
    return hash;
}

TEST(entity_jobs_containers, writers_give_the_same_order_for_any_number_of_workers) {
    static const int workers[] = {1, 2, 5, 16};
    uint64_t expected = collect_with(0);
    for (int k = 0; k < 4; k++) {
        EXPECT_EQ(collect_with(workers[k]), expected);
    }
}

// Fields.

OX_ENTITY_JOB(WritesArray, (OX_READ(Count, count)), { ox_array array; }) {
}

OX_ENTITY_JOB(ReadsArray, (OX_WRITE(Count, count)), { OX_READ_ONLY ox_array array; }) {
    count->value += ox_array_read(OX_AS(job->array, uint32_t), count->value % 4);
}

OX_ENTITY_JOB(SharesArray, (OX_READ(Count, count), OX_ENTITY(self)),
              { OX_UNRESTRICTED ox_array array; }) {
    *ox_array_edit(OX_AS(job->array, uint32_t), self.index) = count->value;
}

OX_ENTITY_JOB(TwoArrays, (OX_READ(Count, count)), {
    OX_READ_ONLY ox_array a;
    OX_UNRESTRICTED ox_array b;
}) {
    (void)ox_array_read(OX_AS(job->a, uint32_t), 0);
}

OX_ENTITY_JOB(TwoRead, (OX_READ(Count, count)), {
    OX_READ_ONLY ox_array a;
    OX_READ_ONLY ox_array b;
}) {
}

TEST_CHECKED(entity_jobs_containers, an_array_cannot_be_divided_by_entities) {
    collected_reports reports;
    start_workers_of_test(1);
    collect_reports(&reports);
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    ox_system *scope = ox_world_get_root(world);
    ox_array array = ox_array_create_untyped(uint32_t, 8, OX_PERSISTENT);
    ox_list list = ox_list_create_untyped(uint32_t, 8, OX_PERSISTENT);
    ox_list_push(OX_AS(list, uint32_t), 5);
    EXPECT_EQ(ox_schedule_entities(WritesArray, scope, OX_AUTO, {array}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NOT_DIVISIBLE);
    EXPECT_EQ(ox_schedule_entities(WritesArray, scope, OX_AUTO, {ox_list_as_array(list)}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NOT_DIVISIBLE);
    EXPECT_EQ(ox_schedule_entities(TwoArrays, scope, OX_AUTO, {array, array}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_ALIASED);
    EXPECT(ox_schedule_entities(TwoRead, scope, OX_AUTO, {array, array}).value != 0);
    ox_world_hash(world);
    ox_dispose(&array);
    EXPECT_EQ(ox_schedule_entities(ReadsArray, scope, OX_AUTO, {array}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_DISPOSED);
    EXPECT_EQ(ox_schedule_entities(ReadsArray, scope, OX_AUTO, {{0}}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_dispose(&list);
    end_jobs_test(world);
    EXPECT_EQ(reports.count, 0);
}

TEST(entity_jobs_containers, arrays_are_read_and_shared) {
    start_workers_of_test(2);
    ox_world *world = make_world_of_counts();
    ox_array values = ox_array_create_untyped(uint32_t, 4, OX_PERSISTENT);
    ox_array all = ox_array_create_untyped(uint32_t, 2 * ENTITIES, OX_PERSISTENT);
    ox_array_set(OX_AS(values, uint32_t), 1, 100);
    ox_job read = ox_schedule_entities(ReadsArray, ox_world_get_root(world), OX_AUTO, {values});
    ox_job share = ox_schedule_entities(SharesArray, ox_world_get_root(world), OX_AUTO, {all});
    EXPECT(read.value != 0 && share.value != 0);
    ox_complete(share);
    ox_query *query = ox_query_create(world, OX_READ(Count));
    OX_EACH_CHUNK(query, chunk) {
        for (int k = 0; k < chunk.count; k++) {
            uint32_t value = ox_chunk_get(chunk, Count)[k].value;
            EXPECT_EQ(ox_array_read(OX_AS(all, uint32_t), chunk.entities[k].index), value);
        }
    }
    ox_dispose(&values);
    ox_dispose(&all);
    end_jobs_test(world);
}

// OX_AUTO knows components; containers take handles, as with any job.
TEST_CHECKED(entity_jobs_containers, auto_does_not_wait_for_containers) {
    collected_reports reports;
    start_workers_of_test(1);
    collect_reports(&reports);
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    ox_system *scope = ox_world_get_root(world);
    ox_list list = ox_list_create_untyped(uint32_t, 8, OX_PERSISTENT);
    ox_array array = ox_array_create_untyped(uint32_t, 8, OX_PERSISTENT);
    ox_job share = ox_schedule_entities(SharesArray, scope, OX_AUTO, {array});
    EXPECT_EQ(ox_schedule_entities(ReadsArray, scope, OX_NO_JOB, {array}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_TWO_JOBS_RACE);
    EXPECT(ox_schedule_entities(ReadsArray, scope, share, {array}).value != 0);
    EXPECT_EQ(ox_array_read(OX_AS(array, uint32_t), 0), 0); // main may not read yet
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    ox_entity_create(world); // completes both
    EXPECT_EQ(ox_array_read(OX_AS(array, uint32_t), entity.index), 1);
    ox_dispose(&list);
    ox_dispose(&array);
    end_jobs_test(world);
    EXPECT_EQ(reports.count, 0);
}
