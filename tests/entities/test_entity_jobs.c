// SPDX-License-Identifier: MIT
//
// Jobs over entities and chunks: which rows they see, with which columns and which data.

#include "entity_jobs_test.h"

#include "entities/scope.h"

OX_ENTITY_JOB(CountUp, (OX_WRITE(Count, count)), { uint32_t add; }) {
    count->value += job->add;
}

OX_CHUNK_JOB(CountUpChunk, (OX_WRITE(Count, counts)), { uint32_t add; }) {
    for (int k = 0; k < count; k++) {
        counts[k].value += job->add;
    }
}

// Every combination of three components and two tags, `each` entities of each.
enum { COMBINATIONS = 32 };

static void fill_world(ox_world *world, int64_t each) {
    const uint32_t ids[] = {ox_component_id_of(Count), ox_component_id_of(Step),
                            ox_component_id_of(Extra), ox_component_id_of(Red),
                            ox_component_id_of(Blue)};
    for (uint32_t mask = 0; mask < COMBINATIONS; mask++) {
        uint32_t chosen[5];
        int count = 0;
        for (int k = 0; k < 5; k++) {
            if (mask >> k & 1) {
                chosen[count++] = ids[k];
            }
        }
        ox_archetype archetype = ox_archetype_of_at(world, chosen, count, OX_HERE);
        EXPECT(ox_entities_create(world, archetype, NULL, each));
    }
}

static void expect_all_counts(ox_world *world, uint32_t value, int64_t entities) {
    ox_query *query = ox_query_create(world, OX_READ(Count));
    int64_t seen = 0;
    OX_EACH_CHUNK(query, chunk) {
        const Count *counts = ox_chunk_get(chunk, Count);
        for (int k = 0; k < chunk.count; k++) {
            EXPECT_EQ(counts[k].value, value);
        }
        seen += chunk.count;
    }
    EXPECT_EQ(seen, entities);
    ox_query_destroy(query);
}

TEST(entity_job, visits_every_row_once) {
    static const int64_t sizes[] = {1, 2, 1000, 100000 / 16};
    static const int workers[] = {0, 1, 3};
    for (int w = 0; w < 3; w++) {
        for (int s = 0; s < 4; s++) {
            start_workers_of_test(workers[w]);
            ox_world *world = ox_world_create(NULL);
            fill_world(world, sizes[s]);
            ox_schedule_entities(CountUp, ox_world_get_root(world), OX_AUTO, {3});
            ox_jobs_kick();
            ox_schedule_entities(CountUpChunk, ox_world_get_root(world), OX_AUTO, {4});
            expect_all_counts(world, 7, sizes[s] * COMBINATIONS / 2);
            end_jobs_test(world);
        }
    }
}

// So many chunks are asked for ahead, each beside the one before it.
TEST(entity_job, visits_every_row_of_many_chunks_once) {
    enum { WIDE = 1000 };
    for (int workers = 0; workers < 3; workers++) {
        start_workers_of_test(workers);
        ox_world *world = ox_world_create(NULL);
        ox_archetype archetype = ox_archetype_of(world, Count, Wide);
        EXPECT(ox_entities_create(world, archetype, NULL, WIDE));
        EXPECT(ox_archetype_get_info(world, archetype).chunk_count > 200);

        ox_schedule_entities(CountUp, ox_world_get_root(world), OX_AUTO, {1});

        expect_all_counts(world, 1, WIDE);
        end_jobs_test(world);
    }
}

TEST(entity_job, is_scheduled_by_a_world_as_by_its_root_system) {
    start_workers_of_test(1);
    ox_world *world = ox_world_create(NULL), *const same = world;
    fill_world(world, 10);
    ox_job first = ox_schedule_entities(CountUp, world, OX_AUTO, {3});
    ox_schedule_entities(CountUp, ox_world_get_root(world), first, {2});
    ox_schedule_entities(CountUpChunk, same, OX_AUTO, {1});
    expect_all_counts(world, 6, 10 * COMBINATIONS / 2);
    end_jobs_test(world);
}

OX_ENTITY_JOB(CountBare, (OX_WRITE(Count, count))) {
    count->value += 1;
}

OX_CHUNK_JOB(CountBareChunk, (OX_WRITE(Count, counts))) {
    for (int k = 0; k < count; k++) {
        counts[k].value += 10;
    }
}

TEST(entity_job, needs_no_fields_and_then_no_value) {
    ox_entity entity;
    start_workers_of_test(1);
    ox_world *world = make_small_world(&entity);
    uint32_t before = ox_get(world, entity, Count)->value;
    ox_query *query = ox_query_create(world, OX_WRITE(Count));
    ox_schedule_entities(CountBare, world, OX_AUTO);
    ox_schedule_entities(CountBareChunk, ox_world_get_root(world), OX_AUTO);
    ox_schedule_query(CountBareChunk, query, OX_AUTO);
    ox_schedule_query(CountBareChunk, query, OX_AUTO, {0});
    EXPECT_EQ(ox_get(world, entity, Count)->value, before + 31);
    end_jobs_test(world);
}

TEST(entity_job, visits_rows_that_are_dense_after_removals) {
    enum { ENTITIES = 5000 };
    static ox_entity entities[ENTITIES];
    start_workers_of_test(2);
    ox_world *world = ox_world_create(NULL);
    ox_entities_create(world, ox_archetype_of(world, Count), entities, ENTITIES);
    for (int k = 0; k < ENTITIES; k += 3) {
        ox_entity_destroy(world, entities[k]);
    }
    ox_schedule_entities(CountUp, ox_world_get_root(world), OX_AUTO, {1});
    expect_all_counts(world, 1, ENTITIES - (ENTITIES + 2) / 3);
    end_jobs_test(world);
}

// All kinds of terms at once, with names and without, in an order that mixes them.
OX_ENTITY_JOB(AllTerms,
              (OX_NONE(Blue), OX_OPTIONAL(Extra, extra), OX_WITH(Red), OX_WRITE(Count, count),
               OX_ENTITY(self), OX_READ(Step, step)),
              { uint32_t add; }) {
    count->value += job->add + step->value + (extra != NULL ? extra->value : 1000000);
    count->value += self.index * 1000;
}

OX_CHUNK_JOB(AllTermsChunk,
             (OX_NONE(Blue), OX_OPTIONAL(Extra, extra), OX_WITH(Red), OX_WRITE(Count, counts),
              OX_ENTITY(selves), OX_READ(Step, step)),
             { uint32_t add; }) {
    for (int k = 0; k < count; k++) {
        counts[k].value += job->add + step[k].value + (extra != NULL ? extra[k].value : 1000000);
        counts[k].value += selves[k].index * 1000;
    }
}

static void set_values(ox_world *world) {
    ox_query *query = ox_query_create(world, OX_WRITE(Step), OX_WRITE(Count));
    uint32_t next = 0;
    OX_EACH_CHUNK(query, chunk) {
        for (int k = 0; k < chunk.count; k++) {
            ox_chunk_edit(chunk, Step)[k].value = ++next;
            ox_chunk_edit(chunk, Count)[k].value = 5;
            if (ox_has(world, chunk.entities[k], Extra)) {
                ox_set(world, chunk.entities[k], Extra, {next * 7});
            }
        }
    }
    ox_query_destroy(query);
}

static void expect_all_terms(ox_world *world) {
    ox_query *query = ox_query_create(world, OX_READ(Count), OX_READ(Step));
    OX_EACH_CHUNK(query, chunk) {
        for (int k = 0; k < chunk.count; k++) {
            ox_entity self = chunk.entities[k];
            uint32_t step = ox_chunk_get(chunk, Step)[k].value;
            uint32_t extra =
                ox_has(world, self, Extra) ? ox_get(world, self, Extra)->value : 1000000;
            bool is_meant = ox_has(world, self, Red) && !ox_has(world, self, Blue);
            uint32_t added = is_meant ? 11 + step + extra + self.index * 1000 : 0;
            EXPECT_EQ(ox_chunk_get(chunk, Count)[k].value, 5 + added);
        }
    }
}

TEST(entity_job, gets_what_each_kind_of_term_says) {
    for (int as_chunks = 0; as_chunks < 2; as_chunks++) {
        start_workers_of_test(2);
        ox_world *world = ox_world_create(NULL);
        fill_world(world, 2000);
        set_values(world);
        if (as_chunks) {
            ox_schedule_entities(AllTermsChunk, ox_world_get_root(world), OX_AUTO, {11});
        } else {
            ox_schedule_entities(AllTerms, ox_world_get_root(world), OX_AUTO, {11});
        }
        expect_all_terms(world);
        end_jobs_test(world);
    }
}

OX_ENTITY_JOB(AnyOfTwo, (OX_ANY(Red, Blue), OX_WRITE(Count, count)), { int unused; }) {
    count->value++;
}

OX_ENTITY_JOB(NoneOfTwo, (OX_NONE(Red, Blue), OX_WRITE(Count, count)), { int unused; }) {
    count->value += 10;
}

OX_ENTITY_JOB(AllOfThree, (OX_WITH(Red, Blue, Step), OX_WRITE(Count, count)), { int unused; }) {
    count->value += 100;
}

// What no component holds.

OX_ENTITY_JOB(NumberRows, (OX_INDEX(index), OX_WRITE(Count, count)), { int unused; }) {
    count->value = (uint32_t)index;
}

OX_CHUNK_JOB(NumberChunks, (OX_WRITE(Count, counts), OX_INDEX(first)), { int unused; }) {
    for (int k = 0; k < count; k++) {
        counts[k].value = counts[k].value * 10000 + (uint32_t)(first + k);
    }
}

TEST(entity_job, numbers_the_rows_of_its_query) {
    start_workers_of_test(2);
    ox_world *world = ox_world_create(NULL);
    ox_entities_create(world, ox_archetype_of(world, Count), NULL, 3000);
    ox_entities_create(world, ox_archetype_of(world, Count, Wide), NULL, 7);
    ox_system *root = ox_world_get_root(world);
    for (int round = 0; round < 2; round++) {
        ox_schedule_entities(NumberRows, root, OX_AUTO, {0});
        ox_schedule_entities(NumberChunks, root, OX_AUTO, {0});
        ox_query *query = ox_query_create(world, OX_READ(Count));
        uint32_t at = 0;
        OX_EACH_CHUNK(query, chunk) {
            const Count *counts = ox_chunk_get(chunk, Count);
            for (int k = 0; k < chunk.count; k++, at++) {
                EXPECT_EQ(counts[k].value, at * 10000 + at);
            }
        }
        EXPECT_EQ(at, 3007 - round);
        ox_query_destroy(query);
        query = ox_query_create(world, OX_READ(Wide));
        ox_chunk chunk = ox_query_chunks(query);
        EXPECT(ox_chunk_next(&chunk));
        ox_entity_destroy(world, chunk.entities[0]);
    }
    ox_world_destroy(world);
    ox_jobs_stop();
}

OX_ENTITY_JOB(NoteChanged, (OX_WRITE(Step, step), OX_CHANGED(Count, is_changed), OX_WITH(Count)),
              { int unused; }) {
    step->value += is_changed;
}

TEST(entity_job, tells_which_chunks_changed_since_it_was_scheduled_last) {
    start_workers_of_test(1);
    ox_world *world = ox_world_create(NULL);
    ox_entity one = ox_entity_create_in(world, ox_archetype_of(world, Count, Step));
    ox_entity other = ox_entity_create_in(world, ox_archetype_of(world, Count, Step, Extra));
    ox_system *root = ox_world_get_root(world);

    ox_schedule_entities(NoteChanged, root, OX_AUTO, {0}); // all is new
    ox_world_advance_version(world);
    ox_schedule_entities(NoteChanged, root, OX_AUTO, {0}); // nothing is
    EXPECT_EQ(ox_get(world, one, Step)->value, 1);
    EXPECT_EQ(ox_get(world, other, Step)->value, 1);
    ox_world_advance_version(world);
    ox_edit(world, other, Count)->value = 1;
    ox_schedule_entities(NoteChanged, root, OX_AUTO, {0});
    EXPECT_EQ(ox_get(world, one, Step)->value, 1);
    EXPECT_EQ(ox_get(world, other, Step)->value, 2);

    ox_world_destroy(world);
    ox_jobs_stop();
}

TEST(entity_job, terms_without_values_name_several_types) {
    start_workers_of_test(1);
    ox_world *world = ox_world_create(NULL);
    fill_world(world, 3);
    ox_schedule_entities(AnyOfTwo, ox_world_get_root(world), OX_AUTO, {0});
    ox_schedule_entities(NoneOfTwo, ox_world_get_root(world), OX_AUTO, {0});
    ox_schedule_entities(AllOfThree, ox_world_get_root(world), OX_AUTO, {0});
    ox_query *query = ox_query_create(world, OX_READ(Count));
    OX_EACH_CHUNK(query, chunk) {
        bool red = ox_chunk_has_id(&chunk, ox_component_id_of(Red)),
             blue = ox_chunk_has_id(&chunk, ox_component_id_of(Blue));
        uint32_t expected = red || blue ? 1 : 10;
        expected += red && blue && ox_chunk_has_id(&chunk, ox_component_id_of(Step)) ? 100 : 0;
        EXPECT_EQ(ox_chunk_get(chunk, Count)->value, expected);
    }
    end_jobs_test(world);
}

OX_ENTITY_JOB(NoTermsButNone, (OX_NONE(Red)), { OX_NO_SAFETY oxi_atomic_u32 *seen; }) {
    atomic_fetch_add(job->seen, 1);
}

TEST(entity_job, runs_for_entities_without_components) {
    oxi_atomic_u32 seen = 0;
    start_workers_of_test(1);
    ox_world *world = ox_world_create(NULL);
    ox_entity_create(world);
    ox_entity_create_in(world, ox_archetype_of(world, Red));
    ox_entity_create_in(world, ox_archetype_of(world, Blue));
    ox_complete(ox_schedule_entities(NoTermsButNone, ox_world_get_root(world), OX_AUTO, {&seen}));
    EXPECT_EQ(atomic_load(&seen), 2);
    end_jobs_test(world);
}

TEST(entity_job, empty_match_is_complete_and_keeps_the_order) {
    start_workers_of_test(1);
    ox_world *world = ox_world_create(NULL);
    ox_job nothing = ox_schedule_entities(CountUp, ox_world_get_root(world), OX_AUTO, {1});
    EXPECT(ox_job_is_complete(nothing));
    ox_entity entity = ox_entity_create(world, OX_VALUE(Step, {2}));
    ox_job first = ox_schedule_entities(WriteStep, ox_world_get_root(world), OX_AUTO, {1});
    nothing = ox_schedule_entities(CountFromStep, ox_world_get_root(world), OX_AUTO, {0});
    EXPECT(!ox_job_is_complete(nothing)); // what it waits for is not
    ox_complete(nothing);
    EXPECT(ox_job_is_complete(first));
    EXPECT_EQ(ox_get(world, entity, Step)->value, 7);
    end_jobs_test(world);
}

// Structs of all sizes.

#define STRUCT_JOB(Job, size)                                                                      \
    OX_ENTITY_JOB(Job, (OX_WRITE(Count, count)), { uint8_t bytes[size]; }) {                       \
        uint32_t sum = 0;                                                                          \
        for (int k = 0; k < size; k++) {                                                           \
            sum += job->bytes[k];                                                                  \
        }                                                                                          \
        count->value += sum;                                                                       \
    }
STRUCT_JOB(Bytes1, 1)
STRUCT_JOB(Bytes100, 100)
STRUCT_JOB(Bytes200, 200)
STRUCT_JOB(Bytes5000, 5000)
STRUCT_JOB(Bytes20000, 20000)

typedef struct line_of_cache {
    _Alignas(64) uint32_t value;
} line_of_cache;
OX_EXTERN_STRUCT(line_of_cache);

OX_CHUNK_JOB(Aligned, (OX_WRITE(Count, counts)), { line_of_cache line; }) {
    EXPECT_EQ((uintptr_t)job % 64, 0);
    for (int k = 0; k < count; k++) {
        counts[k].value += job->line.value;
    }
}

#define EXPECT_ADDS(Job, size)                                                                     \
    do {                                                                                           \
        static Job data;                                                                           \
        memset(&data, 3, size);                                                                    \
        uint32_t before = ox_get(world, entity, Count)->value;                                     \
        ox_schedule_entities(Job, ox_world_get_root(world), OX_AUTO, data);                        \
        memset(&data, 4, size);                                                                    \
        EXPECT_EQ(ox_get(world, entity, Count)->value, before + 3 * size);                         \
    } while (0)

TEST(entity_job, carries_structs_of_any_size) {
    start_workers_of_test(1);
    ox_world *world = ox_world_create(NULL);
    fill_world(world, 700);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Count, Wide));
    EXPECT_ADDS(Bytes1, 1);
    EXPECT_ADDS(Bytes100, 100);
    EXPECT_ADDS(Bytes200, 200);
    EXPECT_ADDS(Bytes5000, 5000);
    EXPECT_ADDS(Bytes20000, 20000);
    ox_schedule_entities(Aligned, ox_world_get_root(world), OX_AUTO, {{9}});
    uint32_t before = 3 * (1 + 100 + 200 + 5000 + 20000);
    EXPECT_EQ(ox_get(world, entity, Count)->value, before + 9);
    end_jobs_test(world);
}

// Names of terms that the macros might use for themselves.
OX_ENTITY_JOB(Names,
              (OX_WRITE(Count, count), OX_READ(Step, row), OX_OPTIONAL(Extra, rows),
               OX_ENTITY(data)),
              { int unused; }) {
    count->value = row->value + (rows != NULL ? rows->value : 10) + data.index * 100;
}

TEST(entity_job, terms_may_have_any_name_but_job) {
    start_workers_of_test(1);
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    ox_schedule_entities(Names, ox_world_get_root(world), OX_AUTO, {0});
    EXPECT_EQ(ox_get(world, entity, Count)->value, 12 + entity.index * 100);
    end_jobs_test(world);
}

// The plain form: no macro, terms by id.

typedef struct plain_data {
    uint32_t add;
} plain_data;

static void run_plain(const void *data, int begin, int end) {
    const plain_data *job = data;
    for (int k = begin; k < end; k++) {
        ox_entity_rows rows = ox_entity_job_rows(data, sizeof *job, k);
        uint32_t *counts = rows.columns[1];
        const uint32_t *steps = rows.columns[2];
        EXPECT(rows.columns[0] == NULL);
        for (int row = 0; row < rows.count; row++) {
            counts[row] += job->add + (steps != NULL ? steps[row] : 0) + rows.entities[row].index;
        }
    }
}

TEST(entity_job, plain_type_is_filled_by_hand) {
    start_workers_of_test(2);
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    const ox_term terms[] = {{OX_TERM_ENTITY, NULL, 0},
                             {OX_TERM_WRITE, NULL, ox_component_id_of(Count)},
                             {OX_TERM_OPTIONAL, NULL, ox_component_id_of(Step)},
                             {OX_TERM_END, NULL, 0}};
    ox_entity_job_type type = {
        .job = {.type = {.name = "Plain", .size = sizeof(plain_data), .align = 4},
                .ranges = {run_plain}},
        .terms = terms,
    };
    plain_data data = {40};
    ox_job job = ox_schedule_entities_at(&type, ox_world_get_root(world), OX_AUTO, &data, OX_HERE);
    EXPECT(job.value != 0);
    EXPECT_EQ(ox_get(world, entity, Count)->value, 43 + entity.index);
    end_jobs_test(world);
}

TEST(entity_job, plain_type_may_get_other_terms) {
    start_workers_of_test(2);
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    ox_term terms[] = {{OX_TERM_WITH, NULL, ox_component_id_of(Red)},
                       {OX_TERM_WRITE, NULL, ox_component_id_of(Step)},
                       {OX_TERM_END, NULL, 0},
                       {OX_TERM_END, NULL, 0}};
    ox_entity_job_type type = {
        .job = {.type = {.name = "Plain", .size = sizeof(plain_data), .align = 4},
                .ranges = {run_plain}},
        .terms = terms,
    };
    plain_data data = {40};
    ox_schedule_entities_at(&type, ox_world_get_root(world), OX_AUTO, &data, OX_HERE);
    EXPECT_EQ(ox_get(world, entity, Step)->value, 2);
    terms[0] = (ox_term){OX_TERM_ENTITY, NULL, 0};
    terms[1].id = ox_component_id_of(Count);
    terms[2] = (ox_term){OX_TERM_READ, NULL, ox_component_id_of(Step)};
    ox_complete(ox_schedule_entities_at(&type, ox_world_get_root(world), OX_AUTO, &data, OX_HERE));
    EXPECT_EQ(ox_get(world, entity, Count)->value, 43 + entity.index);
    end_jobs_test(world);
}

// Over a query, with filters.

TEST(entity_job, over_a_query_sees_what_its_filters_let_pass) {
    start_workers_of_test(2);
    ox_world *world = ox_world_create(NULL);
    ox_entity entities[20];
    ox_entities_create(world, ox_archetype_of(world, Count, Wide), entities, 20);
    ox_query *query = ox_query_create(world, OX_WRITE(Count), OX_READ(Wide));
    uint32_t before = ox_world_get_version(world);
    ox_world_advance_version(world);
    ox_edit(world, entities[9], Wide)->bytes[0] = 1;
    ox_query_filter_changed(query, Wide, before);
    int64_t passing = ox_query_count(query);
    EXPECT(passing > 0 && passing < 20);
    ox_schedule_query(CountUp, query, OX_AUTO, {1});
    int64_t sum = 0;
    for (int k = 0; k < 20; k++) {
        sum += ox_get(world, entities[k], Count)->value;
    }
    EXPECT_EQ(sum, passing);
    EXPECT_EQ(ox_get(world, entities[9], Count)->value, 1);
    end_jobs_test(world);
}

TEST(entity_job, over_a_query_filtered_by_order_sees_chunks_with_new_entities) {
    start_workers_of_test(2);
    ox_world *world = ox_world_create(NULL);
    ox_entity entities[20];
    ox_archetype archetype = ox_archetype_of(world, Count, Wide);
    ox_entities_create(world, archetype, entities, 20);
    ox_query *query = ox_query_create(world, OX_WRITE(Count));
    uint32_t before = ox_world_get_version(world);
    ox_world_advance_version(world);
    ox_query_filter_order(query, before);
    EXPECT(ox_job_is_complete(ox_schedule_query(CountUp, query, OX_AUTO, {1})));
    ox_entity late = ox_entity_create_in(world, archetype);
    ox_schedule_query(CountUp, query, OX_AUTO, {1});
    EXPECT_EQ(ox_get(world, late, Count)->value, 1);
    EXPECT_EQ(ox_get(world, entities[0], Count)->value, 0);
    end_jobs_test(world);
}

// What the job itself writes is filtered by what was written before.
TEST(entity_job, may_write_the_component_that_its_query_filters_by) {
    start_workers_of_test(2);
    ox_world *world = ox_world_create(NULL);
    ox_entity entities[20];
    ox_entities_create(world, ox_archetype_of(world, Count, Wide), entities, 20);
    ox_query *query = ox_query_create(world, OX_WRITE(Count));
    uint32_t before = ox_world_get_version(world);
    ox_world_advance_version(world);
    ox_query_filter_changed(query, Count, before);
    EXPECT(ox_job_is_complete(ox_schedule_query(CountUp, query, OX_AUTO, {1})));
    EXPECT_EQ(ox_query_count(query), 0);
    ox_set(world, entities[0], Count, {10});
    int64_t passing = ox_query_count(query);
    ox_schedule_query(CountUp, query, OX_AUTO, {1});
    EXPECT_EQ(ox_query_count(query), passing);
    EXPECT_EQ(ox_get(world, entities[0], Count)->value, 11);
    EXPECT_EQ(ox_get(world, entities[19], Count)->value, 0);
    end_jobs_test(world);
}

// Versions.

static bool is_changed(ox_world *world, uint32_t component, uint32_t since) {
    ox_query *query = ox_query_create(world, OX_READ(Count), OX_READ(Step));
    ox_query_filter_changed_at(query, component, since, OX_HERE);
    bool changed = !ox_query_is_empty(query);
    ox_query_destroy(query);
    return changed;
}

TEST(entity_job, what_it_writes_is_changed_when_it_is_scheduled_and_what_it_reads_is_not) {
    start_workers_of_test(1);
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    uint32_t before = ox_world_get_version(world);
    ox_world_advance_version(world);
    EXPECT(!is_changed(world, ox_component_id_of(Count), before));
    ox_job job = ox_schedule_entities(CountFromStep, ox_world_get_root(world), OX_AUTO, {0});
    EXPECT(!ox_job_is_complete(job));
    EXPECT(is_changed(world, ox_component_id_of(Count), before));
    EXPECT(!is_changed(world, ox_component_id_of(Step), before));
    uint32_t at_schedule = ox_world_get_version(world);
    ox_world_advance_version(world);
    ox_complete(job);
    EXPECT(!is_changed(world, ox_component_id_of(Count), at_schedule));
    end_jobs_test(world);
}

void schedule_in_cpp(ox_world *world, ox_query *query);

TEST(entity_job, may_be_written_in_cpp) {
    start_workers_of_test(1);
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    schedule_in_cpp(world, ox_query_create(world, OX_WRITE(Count), OX_READ(Step)));
    uint32_t first = 1 + 7 + 100 + entity.index * 1000;
    EXPECT_EQ(ox_get(world, entity, Count)->value, first * 2 + 2 + 3 + 1);
    end_jobs_test(world);
}

// Scopes.

static oxi_scope make_scope(ox_world *world, const char *name) {
    return (oxi_scope){.base = {world, name}, .owner = world};
}

TEST(entity_job, is_kept_by_the_scope_that_schedules_it) {
    ox_entity entity;
    ox_job jobs[4];
    start_workers_of_test(0);
    ox_world *world = make_small_world(&entity);
    oxi_scope scopes[2] = {make_scope(world, "First"), make_scope(world, "Second")};

    for (int k = 0; k < 4; k++) {
        jobs[k] = ox_schedule_entities(ReadCount, &scopes[k % 2].base, OX_AUTO, {0});
    }

    EXPECT_EQ(scopes[0].jobs.count, 2);
    EXPECT_EQ(scopes[1].jobs.count, 2);
    for (int k = 0; k < 4; k++) {
        EXPECT_EQ(scopes[k % 2].jobs.items[k / 2].job.value, jobs[k].value);
    }
    for (int k = 0; k < 2; k++) {
        EXPECT_EQ(scopes[k].uses.count, 1);
        oxi_scope_complete(&scopes[k], OX_HERE);
        EXPECT(ox_job_is_complete(jobs[k]) && ox_job_is_complete(jobs[2 + k]));
        EXPECT_EQ(ox_job_is_complete(jobs[1]), k == 1);
        oxi_scope_free(&scopes[k]);
    }
    end_jobs_test(world);
}

TEST(entity_job, adds_each_component_to_its_scope_once) {
    ox_entity entity;
    start_workers_of_test(0);
    ox_world *world = make_small_world(&entity);
    oxi_scope scope = make_scope(world, "Twice");

    for (int k = 0; k < 2; k++) {
        ox_schedule_entities(CountFromStep, &scope.base, OX_AUTO, {0});
        ox_schedule_entities(ReadStep, &scope.base, OX_AUTO, {0});
    }

    EXPECT_EQ(scope.uses.count, 2);
    oxi_scope_complete(&scope, OX_HERE);
    oxi_scope_free(&scope);
    end_jobs_test(world);
}

TEST(entity_job, is_forgotten_by_its_scope_when_it_was_completed_by_others) {
    ox_entity entity;
    ox_job open[4];
    start_workers_of_test(0);
    ox_world *world = make_small_world(&entity);
    oxi_scope scope = make_scope(world, "Never updates");

    for (int k = 0; k < 256; k++) {
        ox_job job = ox_schedule_entities(ReadCount, &scope.base, OX_AUTO, {0});
        if (k % 64 == 0) {
            open[k / 64] = job;
        } else {
            ox_complete(job);
        }
    }

    EXPECT(scope.jobs.count < 128);
    oxi_scope_complete(&scope, OX_HERE);
    for (int k = 0; k < 4; k++) {
        EXPECT(ox_job_is_complete(open[k]));
    }
    oxi_scope_free(&scope);
    end_jobs_test(world);
}
