// SPDX-License-Identifier: MIT
//
// Kinds of components in job types that are filled by hand, terms that do not fit their component,
// and the same world from any number of workers.

#include "entities/kinds_test.h"

#include "jobs/jobs_test.h"
#include "oxbow/entity_jobs.h"
#include "oxbow/memory.h"

static collected_reports reports;

typedef struct plain_data {
    int32_t add;
} plain_data;

// Columns: Team, Note, switches of Stunned, Health. Each row that matches gets what they say.
static void run_all_kinds(const void *data, int begin, int end) {
    int32_t add = ((const plain_data *)data)->add;
    for (int index = begin; index < end; index++) {
        ox_entity_rows rows = ox_entity_job_rows(data, sizeof(plain_data), index);
        uint64_t mask[OX_CHUNK_WORDS];
        EXPECT(rows.is_masked);
        int all = ox_entity_job_mask(data, sizeof(plain_data), index, mask);
        const Team *team = rows.columns[0];
        ox_buffers notes = ox_entity_rows_buffers(&rows, 1, 0, true);
        ox_switches stunned = {rows.columns[2], 0};
        Health *health = rows.columns[3];
        for (int k = 0; k < rows.count; k++) {
            bool matches = (mask[k / 64] >> k % 64 & 1) != 0;
            EXPECT(all < 0 || matches == (all > 0));
            if (matches) {
                health[k].points += team->id + add;
                ox_buffer_push(ox_buffers_get(notes, k), Note, {health[k].points});
                ox_switch_set_on(ox_switches_get(stunned, k), health[k].points % 2 == 0);
            }
        }
    }
}

static ox_entity_job_type make_type(const ox_term *terms) {
    return (ox_entity_job_type){
        .job = {.type = {.name = "Plain", .size = sizeof(plain_data), .align = 4},
                .ranges = {run_all_kinds}},
        .terms = terms,
    };
}

enum { MANY = 2000 };

static void fill_world(ox_world *world, ox_entity *list) {
    for (int32_t k = 0; k < MANY; k++) {
        list[k] =
            ox_entity_create(world, OX_VALUE(Team, {k % 3}), OX_VALUE_TAG(Note),
                             OX_VALUE(Stunned, {k}), OX_VALUE(Health, {k}), OX_VALUE_TAG(Lit));
        ox_set_enabled(world, list[k], Lit, k % 4 != 1);
        ox_set_enabled(world, list[k], Stunned, k % 5 != 1);
    }
}

static ox_job schedule_all_kinds(ox_world *world, int32_t add) {
    const ox_term terms[] = {{OX_TERM_READ, NULL, ox_component_id_of(Team)},
                             {OX_TERM_WRITE, NULL, ox_component_id_of(Note)},
                             {OX_TERM_ENABLED, NULL, ox_component_id_of(Stunned)},
                             {OX_TERM_WRITE, NULL, ox_component_id_of(Health)},
                             {OX_TERM_DISABLED, NULL, ox_component_id_of(Lit)},
                             {OX_TERM_END, NULL, 0}};
    ox_entity_job_type type = make_type(terms);
    plain_data data = {add};
    ox_job job = ox_schedule_entities_at(&type, ox_world_get_root(world), OX_AUTO, &data, OX_HERE);
    ox_complete(job); // the type lives until then
    return job;
}

TEST(kinds_jobs_plain, a_type_made_by_hand_sees_all_kinds) {
    static ox_entity list[MANY];
    start_workers_of_test(2);
    ox_world *world = make_world(&reports);
    fill_world(world, list);

    EXPECT(schedule_all_kinds(world, 1000).value != 0);

    for (int k = 0; k < MANY; k++) {
        bool is_meant = k % 4 == 1;
        int32_t points = is_meant ? k + k % 3 + 1000 : k;
        EXPECT_EQ(ox_get(world, list[k], Health)->points, points);
        ox_buffer notes = ox_get(world, list[k], Note);
        EXPECT_EQ(ox_buffer_count(notes), is_meant);
        EXPECT(!is_meant || ox_buffer_get(notes, 0, Note)->pitch == points);
        EXPECT_EQ(ox_is_enabled(world, list[k], Stunned), is_meant ? points % 2 == 0 : k % 5 != 1);
    }
    end_world(world, &reports);
    ox_jobs_stop();
}

// Rows that do not depend on switches have no mask.
static void run_unmasked(const void *data, int begin, int end) {
    for (int index = begin; index < end; index++) {
        ox_entity_rows rows = ox_entity_job_rows(data, sizeof(plain_data), index);
        EXPECT(!rows.is_masked);
        EXPECT(rows.columns[0] == NULL); // of OX_TERM_PRESENT
        for (int k = 0; k < rows.count; k++) {
            ((Health *)rows.columns[1])[k].points = -1;
        }
    }
}

TEST(kinds_jobs_plain, a_term_that_ignores_switches_needs_no_mask) {
    static ox_entity list[MANY];
    start_workers_of_test(1);
    ox_world *world = make_world(&reports);
    fill_world(world, list);
    const ox_term terms[] = {{OX_TERM_PRESENT, NULL, ox_component_id_of(Lit)},
                             {OX_TERM_WRITE, NULL, ox_component_id_of(Health)},
                             {OX_TERM_END, NULL, 0}};
    ox_entity_job_type type = make_type(terms);
    type.job.ranges[0] = run_unmasked;
    ox_complete(ox_schedule_entities_at(&type, ox_world_get_root(world), OX_AUTO, &(plain_data){0},
                                        OX_HERE));
    EXPECT_EQ(ox_get(world, list[0], Health)->points, -1);
    EXPECT_EQ(ox_get(world, list[1], Health)->points, -1);
    end_world(world, &reports);
    ox_jobs_stop();
}

OX_CHUNK_JOB(SeeLit, (OX_WITH(Lit), OX_READ(Health, health)),
             { OX_NO_SAFETY oxi_atomic_u32 *steps; }) {
    atomic_fetch_add(job->steps, 1);
    EXPECT(count > 0 && health[0].points >= 0);
}

TEST(kinds_jobs_plain, a_chunk_without_a_row_that_matches_is_not_run) {
    start_workers_of_test(1);
    ox_world *world = make_world(&reports);
    ox_entity list[200];
    ox_entities_create(world, ox_archetype_of(world, Lit, Health), list, 200);
    ox_query *query = ox_query_create(world, OX_ENABLED(Lit));
    ox_query_set_enabled(query, Lit, false);
    oxi_atomic_u32 steps = 0;

    ox_complete(ox_schedule_entities(SeeLit, ox_world_get_root(world), OX_AUTO, {&steps}));
    EXPECT_EQ(atomic_load(&steps), 0);
    ox_set_enabled(world, list[63], Lit, true);
    ox_set_enabled(world, list[64], Lit, true);
    ox_set_enabled(world, list[199], Lit, true);
    ox_complete(ox_schedule_entities(SeeLit, ox_world_get_root(world), OX_AUTO, {&steps}));
    EXPECT_EQ(atomic_load(&steps), 2); // rows that lie behind each other are one step
    end_world(world, &reports);
    ox_jobs_stop();
}

// Every kind may be missing.

OX_ENTITY_JOB(AddMissing,
              (OX_WRITE(Health, health), OX_OPTIONAL(Team, team), OX_OPTIONAL(Note, notes)),
              { int32_t times; }) {
    health->points += team != NULL ? team->id * job->times : 0;
    health->points += ox_buffer_is_created(notes) ? ox_buffer_count(notes) : 1000;
}

OX_CHUNK_JOB(AddMissingChunk,
             (OX_WRITE(Health, health), OX_OPTIONAL(Team, team), OX_OPTIONAL(Note, notes)),
             { int32_t times; }) {
    for (int i = 0; i < count; i++) {
        ox_buffer note = ox_buffers_get(notes, i);
        health[i].points += team != NULL ? team->id * job->times : 0;
        health[i].points += ox_buffer_is_created(note) ? ox_buffer_count(note) : 1000;
    }
}

TEST(kinds_jobs_plain, shared_values_and_buffers_may_be_missing) {
    start_workers_of_test(1);
    ox_world *world = make_world(&reports);
    ox_entity bare = ox_entity_create(world, OX_VALUE(Health, {1}));
    ox_entity with_team = ox_entity_create(world, OX_VALUE(Health, {1}), OX_VALUE(Team, {5}));
    ox_entity with_notes = ox_entity_create(world, OX_VALUE(Health, {1}));
    ox_buffer_push(ox_add_buffer(world, with_notes, Note), Note, {7});
    ox_buffer_push(ox_edit(world, with_notes, Note), Note, {8});

    ox_schedule_entities(AddMissing, ox_world_get_root(world), OX_AUTO, {10});
    ox_complete(ox_schedule_entities(AddMissingChunk, ox_world_get_root(world), OX_AUTO, {100}));

    EXPECT_EQ(ox_get(world, bare, Health)->points, 2001);
    EXPECT_EQ(ox_get(world, with_team, Health)->points, 2551);
    EXPECT_EQ(ox_get(world, with_notes, Health)->points, 5);
    end_world(world, &reports);
    ox_jobs_stop();
}

TEST_CHECKED(kinds_jobs_plain, a_row_that_a_chunk_does_not_have_is_told) {
    ox_world *world = make_world(&reports);
    ox_entity_create_in(world, ox_archetype_of(world, Note));
    ox_query *query = ox_query_create(world, OX_READ(Note));
    OX_EACH_CHUNK(query, chunk) {
        ox_buffers notes = ox_chunk_get(chunk, Note);
        EXPECT(ox_buffer_is_created(ox_buffers_get(notes, 0)));
        EXPECT(!ox_buffer_is_created(ox_buffers_get(notes, 1)));
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        EXPECT(!ox_buffer_is_created(ox_buffers_get(notes, -1)));
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    }
    end_world(world, &reports);
}

// Terms that do not fit.

static void expect_refused(ox_world *world, ox_term_kind kind, uint32_t id, ox_report_id report) {
    const ox_term terms[] = {{kind, NULL, id}, {OX_TERM_END, NULL, 0}};
    ox_entity_job_type type = make_type(terms);
    ox_job job = ox_schedule_entities_at(&type, ox_world_get_root(world), OX_AUTO, &(plain_data){0},
                                         OX_HERE);
    EXPECT_EQ(job.value, 0);
    EXPECT_REPORT(&reports, report);
}

TEST(kinds_jobs_plain, a_term_that_does_not_fit_its_component_is_refused) {
    start_workers_of_test(1);
    ox_world *world = make_world(&reports);
    ox_entity_create_in(world, ox_archetype_of(world, Team, Note, Health, Frozen, Stunned));
    static const ox_term_kind plain[] = {OX_TERM_READ, OX_TERM_WRITE, OX_TERM_OPTIONAL};
    for (int k = 0; k < 3; k++) {
        expect_refused(world, plain[k], ox_component_id_of(Frozen), OX_REPORT_TAG_HAS_NO_VALUE);
    }
    expect_refused(world, OX_TERM_WRITE, ox_component_id_of(Team), OX_REPORT_WRONG_KIND);
    expect_refused(world, OX_TERM_ENABLED, ox_component_id_of(Health), OX_REPORT_WRONG_KIND);
    expect_refused(world, OX_TERM_ENABLED, ox_component_id_of(Team), OX_REPORT_WRONG_KIND);
    expect_refused(world, OX_TERM_DISABLED, ox_component_id_of(Frozen), OX_REPORT_WRONG_KIND);
    expect_refused(world, OX_TERM_WRITE, UINT32_MAX, OX_REPORT_UNKNOWN_COMPONENT);
    end_world(world, &reports);
    ox_jobs_stop();
}

OX_ENTITY_JOB(SwitchLit, (OX_ENABLED(Lit, lit), OX_READ(Health, health)), { int32_t modulo; }) {
    ox_switch_set_on(lit, health->points % job->modulo == 0);
}

OX_ENTITY_JOB(WriteNotes, (OX_WRITE(Note, notes), OX_WITH(Lit)), { int32_t pitch; }) {
    ox_buffer_push(notes, Note, {job->pitch});
}

TEST(kinds_jobs_plain, a_query_must_declare_what_a_job_switches_and_writes) {
    static ox_entity list[MANY];
    start_workers_of_test(1);
    ox_world *world = make_world(&reports);
    fill_world(world, list);
    ox_query *with = ox_query_create(world, OX_WITH(Lit), OX_READ(Note), OX_READ(Health));
    ox_query *whole = ox_query_create(world, OX_ENABLED(Lit), OX_WRITE(Note), OX_READ(Health));

    EXPECT_EQ(ox_schedule_query(SwitchLit, with, OX_AUTO, {2}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT_EQ(ox_schedule_query(WriteNotes, with, OX_AUTO, {2}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT(ox_schedule_query(SwitchLit, whole, OX_AUTO, {2}).value != 0);
    EXPECT(ox_schedule_query(WriteNotes, whole, OX_AUTO, {2}).value != 0);
    EXPECT_EQ(ox_buffer_count(ox_get(world, list[1], Note)), 1); // the query decides
    EXPECT_EQ(ox_query_count(with), MANY / 2);
    end_world(world, &reports);
    ox_jobs_stop();
}

// Any number of workers.

static uint64_t hash_with_workers(int workers) {
    static ox_entity list[MANY];
    start_workers_of_test(workers);
    ox_world *world = make_world(&reports);
    fill_world(world, list);
    for (int32_t turn = 1; turn < 6; turn++) {
        ox_schedule_entities(WriteNotes, ox_world_get_root(world), OX_AUTO, {turn});
        ox_schedule_entities(SwitchLit, ox_world_get_root(world), OX_AUTO, {turn + 1});
        schedule_all_kinds(world, turn);
        for (int k = turn; k < MANY; k += 50) {
            ox_set(world, list[k], Team, {turn});
        }
    }
    uint64_t hash = ox_world_hash_layout(world);
    end_world(world, &reports);
    ox_jobs_stop();
    return hash;
}

TEST(kinds_jobs_plain, any_number_of_workers_makes_the_same_world) {
    uint64_t expected = hash_with_workers(0);
    for (int workers = 1; workers <= 4; workers++) {
        EXPECT_EQ(hash_with_workers(workers), expected);
    }
}

bool run_kinds_unit(void);

TEST(kinds_jobs_plain, all_kinds_may_be_written_in_cpp) {
    start_workers_of_test(1);
    EXPECT(run_kinds_unit());
    ox_jobs_stop();
}
