// SPDX-License-Identifier: MIT
//
// Jobs over entities that are refused: with one report, nothing scheduled, and nothing changed.

#include "entity_jobs_test.h"

#include <pthread.h>
#include <stdio.h>

typedef struct refused {
    collected_reports reports;
    ox_world *world;
    ox_system *scope;
    ox_entity entity;
    ox_query *query;
} refused;

static void begin_refused(refused *r) {
    memset(r, 0, sizeof *r);
    start_workers_of_test(1);
    collect_reports(&r->reports);
    r->world = make_small_world(&r->entity);
    r->scope = ox_world_get_root(r->world);
}

static void end_refused(refused *r) {
    EXPECT_EQ(r->reports.count, 0);
    EXPECT(ox_world_validate_at(r->world, OX_HERE));
    end_jobs_test(r->world);
    EXPECT_EQ(r->reports.count, 0); // nothing was outstanding that nobody completed
}

#define EXPECT_REFUSED(r, job, id)                                                                 \
    do {                                                                                           \
        uint64_t refused_value = (job).value;                                                      \
        EXPECT_REPORT(&(r)->reports, id);                                                          \
        EXPECT_EQ(refused_value, 0);                                                               \
    } while (0)

// Missing dependencies.

OX_ENTITY_JOB(WriteCountToo, (OX_WRITE(Count, count)), { int unused; }) {
    count->value++;
}

#define SECOND(name, Job)                                                                          \
    static ox_job name(const refused *r, ox_job after, ox_site *site) {                            \
        *site = OX_HERE;                                                                           \
        Job data = {0};                                                                            \
        return ox_schedule_entities_at(&oxi_entity_job_##Job, r->scope, after, &data, *site);      \
    }
SECOND(schedule_write_count, WriteCount)
SECOND(schedule_write_count_too, WriteCountToo)
SECOND(schedule_read_count, ReadCount)
SECOND(schedule_count_from_step, CountFromStep)
SECOND(schedule_write_step, WriteStep)
SECOND(schedule_read_step, ReadStep)
SECOND(schedule_read_entities, ReadEntities)

typedef ox_job schedule_fn(const refused *r, ox_job after, ox_site *site);

typedef struct race_case {
    schedule_fn *first;
    schedule_fn *second;
    const char *names[2]; // of the jobs
    const char *line;     // of the report, or NULL: no race
} race_case;

static const race_case race_cases[] = {
    {schedule_write_count,
     schedule_write_count_too,
     {"WriteCount", "WriteCountToo"},
     "writes component 'Count'"},
    {schedule_write_count,
     schedule_read_count,
     {"WriteCount", "ReadCount"},
     "reads component 'Count'"},
    {schedule_read_count,
     schedule_write_count,
     {"ReadCount", "WriteCount"},
     "writes component 'Count'"},
    {schedule_write_step,
     schedule_count_from_step,
     {"WriteStep", "CountFromStep"},
     "reads component 'Step'"},
    {schedule_count_from_step,
     schedule_write_step,
     {"CountFromStep", "WriteStep"},
     "writes component 'Step'"},
    {schedule_read_count, schedule_read_count, {"", ""}, NULL},
    {schedule_write_count, schedule_write_step, {"", ""}, NULL},
    {schedule_read_step, schedule_count_from_step, {"", ""}, NULL},
    {schedule_write_count, schedule_read_entities, {"", ""}, NULL},
};

static void expect_race(refused *r, const race_case *one) {
    ox_site first_site, second_site;
    char line[128];
    ox_job first = one->first(r, OX_NO_JOB, &first_site);
    ox_jobs_kick();
    ox_job second = one->second(r, OX_NO_JOB, &second_site);
    if (one->line == NULL) {
        EXPECT(first.value != 0 && second.value != 0);
        ox_complete(first, second);
        return;
    }
    EXPECT_REFUSED(r, second, OX_REPORT_TWO_JOBS_RACE);
    snprintf(line, sizeof line, "job '%s' (%s) %s", one->names[1], second_site, one->line);
    EXPECT_HAS(r->reports.text, line);
    snprintf(line, sizeof line, "job '%s' (%s)", one->names[0], first_site);
    EXPECT_HAS(r->reports.text, line);
    EXPECT_HAS(r->reports.text, "entity_jobs_test.h"); // where the component is declared
    // With the handle, by a combination, and after it was completed all is well.
    second = one->second(r, ox_combine(first, OX_NO_JOB), &second_site);
    EXPECT(second.value != 0);
    ox_complete(second);
    second = one->second(r, OX_NO_JOB, &second_site);
    EXPECT(second.value != 0);
    ox_complete(second);
}

TEST_CHECKED(entity_jobs_misuse, a_missing_dependency_is_refused_and_named) {
    for (size_t k = 0; k < sizeof race_cases / sizeof *race_cases; k++) {
        refused r;
        begin_refused(&r);
        expect_race(&r, &race_cases[k]);
        end_refused(&r);
    }
}

TEST_CHECKED(entity_jobs_misuse, a_dependency_may_be_covered_by_others) {
    refused r;
    begin_refused(&r);
    ox_job write = ox_schedule_entities(WriteCount, r.scope, OX_NO_JOB, {1});
    ox_job read = ox_schedule_entities(ReadCount, r.scope, write, {0});
    ox_job other = ox_schedule_entities(WriteStep, r.scope, read, {0});
    ox_job last = ox_schedule_entities(WriteCount, r.scope, other, {1});
    EXPECT(last.value != 0);
    // Of two readers one is missing.
    ox_job readers[2] = {ox_schedule_entities(ReadCount, r.scope, last, {0}),
                         ox_schedule_entities(ReadCount, r.scope, last, {0})};
    EXPECT_REFUSED(&r, ox_schedule_entities(WriteCount, r.scope, readers[1], {1}),
                   OX_REPORT_TWO_JOBS_RACE);
    EXPECT(
        ox_schedule_entities(WriteCount, r.scope, ox_combine(readers[0], readers[1]), {1}).value !=
        0);
    EXPECT_EQ(ox_get(r.world, r.entity, Count)->value, 40); // ((1 * 3 + 1) * 3 + 1) * 3 + 1
    end_refused(&r);
}

TEST_CHECKED(entity_jobs_misuse, auto_and_handles_may_be_mixed) {
    refused r;
    begin_refused(&r);
    ox_job first = ox_schedule_entities(WriteCount, r.scope, OX_NO_JOB, {1});
    ox_job second = ox_schedule_entities(WriteCount, r.scope, OX_AUTO, {2});
    EXPECT_REFUSED(&r, ox_schedule_entities(WriteCount, r.scope, first, {3}),
                   OX_REPORT_TWO_JOBS_RACE);
    ox_schedule_entities(WriteCount, r.scope, second, {3});
    ox_schedule_entities(ReadCount, r.scope, OX_AUTO, {0});
    EXPECT_EQ(ox_get(r.world, r.entity, Count)->value, 45); // ((1 * 3 + 1) * 3 + 2) * 3 + 3
    end_refused(&r);
}

TEST_CHECKED(entity_jobs_misuse, a_sync_point_is_as_good_as_a_handle) {
    refused r;
    begin_refused(&r);
    ox_schedule_entities(WriteCount, r.scope, OX_AUTO, {1});
    ox_schedule_entities(ReadStep, r.scope, OX_AUTO, {0});
    ox_get(r.world, r.entity, Count);
    EXPECT(ox_schedule_entities(WriteCount, r.scope, OX_NO_JOB, {1}).value != 0);
    EXPECT_REFUSED(&r, ox_schedule_entities(WriteStep, r.scope, OX_NO_JOB, {1}),
                   OX_REPORT_TWO_JOBS_RACE);
    ox_entity_create(r.world);
    EXPECT(ox_schedule_entities(WriteStep, r.scope, OX_NO_JOB, {1}).value != 0);
    end_refused(&r);
}

TEST_CHECKED(entity_jobs_misuse, an_empty_match_is_held_to_the_same_rules) {
    refused r;
    begin_refused(&r);
    ox_query *nobody = ox_query_create(r.world, OX_WRITE(Count), OX_WITH(Red));
    ox_job write = ox_schedule_entities(WriteCount, r.scope, OX_NO_JOB, {1});
    EXPECT_REFUSED(&r, ox_schedule_query(WriteCount, nobody, OX_NO_JOB, {1}),
                   OX_REPORT_TWO_JOBS_RACE);
    ox_complete(write);
    end_refused(&r);
}

// OX_AUTO where it does not belong.

OX_JOB(Single, { int unused; }) {
}

OX_PARALLEL_JOB(Parallel, { int unused; }) {
}

TEST(entity_jobs_misuse, other_jobs_cannot_wait_for_auto) {
    refused r;
    begin_refused(&r);
    EXPECT_REFUSED(&r, ox_schedule(Single, OX_AUTO, {0}), OX_REPORT_AUTO_AFTER);
    EXPECT_REFUSED(&r, ox_schedule_for(Parallel, 5, 1, OX_AUTO, {0}), OX_REPORT_AUTO_AFTER);
    EXPECT_REFUSED(&r, ox_schedule_background(Single, OX_AUTO, {0}), OX_REPORT_AUTO_AFTER);
    EXPECT_REFUSED(&r, ox_combine(OX_NO_JOB, OX_AUTO), OX_REPORT_AUTO_AFTER);
    EXPECT(ox_job_is_complete(OX_AUTO));
    ox_complete(OX_AUTO);
    end_refused(&r);
}

// Queries that do not declare what the job does.

OX_ENTITY_JOB(ReadsExtra, (OX_WRITE(Count, count), OX_READ(Extra, extra)), { int unused; }) {
    count->value += extra->value;
}

OX_ENTITY_JOB(MayReadExtra, (OX_WRITE(Count, count), OX_OPTIONAL(Extra, extra)), { int unused; }) {
    count->value += extra != NULL ? extra->value : 1;
}

TEST(entity_jobs_misuse, a_query_must_declare_what_the_job_does) {
    refused r;
    begin_refused(&r);
    ox_query *reads = ox_query_create(r.world, OX_READ(Count));
    EXPECT_REFUSED(&r, ox_schedule_query(WriteCount, reads, OX_AUTO, {1}), OX_REPORT_NOT_IN_QUERY);
    EXPECT_HAS(r.reports.text, "does not write 'Count'");
    ox_query *with = ox_query_create(r.world, OX_WITH(Count));
    EXPECT_REFUSED(&r, ox_schedule_query(ReadCount, with, OX_AUTO, {0}), OX_REPORT_NOT_IN_QUERY);
    EXPECT_HAS(r.reports.text, "does not read 'Count'");
    // No entity ever had Extra, and the query does not ask for it.
    ox_query *writes = ox_query_create(r.world, OX_WRITE(Count));
    EXPECT_REFUSED(&r, ox_schedule_query(ReadsExtra, writes, OX_AUTO, {0}), OX_REPORT_NOT_IN_QUERY);
    ox_query *optional = ox_query_create(r.world, OX_WRITE(Count), OX_OPTIONAL(Extra));
    EXPECT_REFUSED(&r, ox_schedule_query(ReadsExtra, optional, OX_AUTO, {0}),
                   OX_REPORT_NOT_IN_QUERY);
    EXPECT(ox_schedule_query(MayReadExtra, optional, OX_AUTO, {0}).value != 0);
    EXPECT(ox_schedule_query(ReadCount, writes, OX_AUTO, {0}).value != 0);
    EXPECT_EQ(ox_get(r.world, r.entity, Count)->value, 2);
    end_refused(&r);
}

// Types that were filled by hand, and wrongly.

static void run_nothing(const void *data, int begin, int end) {
    (void)data;
    (void)begin;
    (void)end;
}

static ox_job schedule_terms(const refused *r, const ox_term *terms, bool over_query) {
    static ox_entity_job_type type;
    type = (ox_entity_job_type){.job = {.type = {.name = "Hand"}, .ranges = {run_nothing}},
                                .terms = terms};
    return over_query ? ox_schedule_query_at(&type, r->query, OX_AUTO, NULL, OX_HERE)
                      : ox_schedule_entities_at(&type, r->scope, OX_AUTO, NULL, OX_HERE);
}

TEST(entity_jobs_misuse, terms_that_cannot_be_used_are_refused) {
    refused r;
    begin_refused(&r);
    r.query = ox_query_create(r.world, OX_WRITE(Count));
    ox_term tag[] = {{OX_TERM_READ, NULL, ox_component_id_of(Red)}, {OX_TERM_END, NULL, 0}};
    ox_term unknown[] = {{OX_TERM_READ, NULL, 4000}, {OX_TERM_END, NULL, 0}};
    ox_term twice[] = {{OX_TERM_READ, NULL, ox_component_id_of(Count)},
                       {OX_TERM_WRITE, NULL, ox_component_id_of(Count)},
                       {OX_TERM_END, NULL, 0}};
    ox_term later[] = {{OX_TERM_READ, NULL, ox_component_id_of(Step)},
                       {OX_TERM_READ, NULL, ox_component_id_of(Count)},
                       {OX_TERM_WRITE, NULL, ox_component_id_of(Count)},
                       {OX_TERM_END, NULL, 0}};
    ox_term many[OX_MAX_TERMS + 2] = {{OX_TERM_END, NULL, 0}};
    for (int k = 0; k <= OX_MAX_TERMS; k++) {
        many[k].kind = OX_TERM_ENTITY;
    }
    for (int over_query = 0; over_query < 2; over_query++) {
        EXPECT_REFUSED(&r, schedule_terms(&r, tag, over_query), OX_REPORT_TAG_HAS_NO_VALUE);
        EXPECT_REFUSED(&r, schedule_terms(&r, unknown, over_query), OX_REPORT_UNKNOWN_COMPONENT);
        EXPECT_REFUSED(&r, schedule_terms(&r, twice, over_query), OX_REPORT_DUPLICATE);
        EXPECT_REFUSED(&r, schedule_terms(&r, later, over_query), OX_REPORT_DUPLICATE);
        EXPECT_REFUSED(&r, schedule_terms(&r, many, over_query), OX_REPORT_BAD_COUNT);
        EXPECT_HAS(r.reports.text, "33 for a job over entities");
        EXPECT_HAS(r.reports.text, "pass 0 to 32 at ");
        EXPECT_REFUSED(&r, schedule_terms(&r, NULL, over_query), OX_REPORT_NULL_ARGUMENT);
    }
    end_refused(&r);
}

TEST(entity_jobs_misuse, null_arguments_are_refused) {
    refused r;
    begin_refused(&r);
    WriteCount data = {1};
    ox_entity_job_type no_function = {.job = {.type = {.name = "Hand"}},
                                      .terms = &(ox_term){OX_TERM_END, NULL, 0}};
    EXPECT(ox_world_get_root(NULL) == NULL);
    EXPECT_REFUSED(&r, ox_schedule_entities(WriteCount, NULL, OX_AUTO, {1}),
                   OX_REPORT_NULL_ARGUMENT);
    EXPECT_REFUSED(&r, ox_schedule_entities(WriteCount, (ox_world *)NULL, OX_AUTO, {1}),
                   OX_REPORT_NULL_ARGUMENT);
    EXPECT_REFUSED(&r, ox_schedule_entities(WriteCount, &(ox_system){0}, OX_AUTO, {1}),
                   OX_REPORT_NULL_ARGUMENT);
    EXPECT_REFUSED(&r, ox_schedule_query(WriteCount, NULL, OX_AUTO, {1}), OX_REPORT_NULL_ARGUMENT);
    EXPECT_REFUSED(&r, ox_schedule_entities_at(NULL, r.scope, OX_AUTO, &data, OX_HERE),
                   OX_REPORT_NULL_ARGUMENT);
    EXPECT_REFUSED(
        &r, ox_schedule_entities_at(&oxi_entity_job_WriteCount, r.scope, OX_AUTO, NULL, OX_HERE),
        OX_REPORT_NULL_ARGUMENT);
    EXPECT_REFUSED(&r, ox_schedule_entities_at(&no_function, r.scope, OX_AUTO, NULL, OX_HERE),
                   OX_REPORT_BAD_JOB_TYPE);
    end_refused(&r);
}

// Where scheduling does not belong.

static void *schedule_elsewhere(void *context) {
    refused *r = context;
    ox_schedule_entities(WriteCount, r->scope, OX_AUTO, {1});
    return NULL;
}

TEST_CHECKED(entity_jobs_misuse, another_thread_cannot_schedule) {
    refused r;
    begin_refused(&r);
    pthread_t thread;
    EXPECT_EQ(pthread_create(&thread, NULL, schedule_elsewhere, &r), 0);
    pthread_join(thread, NULL);
    EXPECT_REPORT(&r.reports, OX_REPORT_WORLD_THREAD);
    EXPECT_EQ(ox_get(r.world, r.entity, Count)->value, 1);
    end_refused(&r);
}

OX_ENTITY_JOB(SchedulesInside, (OX_READ(Step, step)), { OX_NO_SAFETY ox_system *scope; }) {
    ox_schedule_entities(WriteCount, job->scope, OX_AUTO, {1});
}

TEST_CHECKED(entity_jobs_misuse, a_job_cannot_schedule) {
    refused r;
    begin_refused(&r);
    ox_complete(ox_schedule_entities(SchedulesInside, r.scope, OX_AUTO, {r.scope}));
    EXPECT_REPORT(&r.reports, OX_REPORT_WORLD_IN_JOB);
    EXPECT_EQ(ox_get(r.world, r.entity, Count)->value, 1);
    end_refused(&r);
}

OX_ENTITY_JOB(GetsInside, (OX_ENTITY(self)), { OX_NO_SAFETY ox_world *world; }) {
    EXPECT_EQ(ox_get(job->world, self, Count)->value, 0);
}

TEST_CHECKED(entity_jobs_misuse, a_job_cannot_use_its_world) {
    refused r;
    begin_refused(&r);
    ox_complete(ox_schedule_entities(GetsInside, r.scope, OX_AUTO, {r.world}));
    EXPECT_REPORT(&r.reports, OX_REPORT_WORLD_IN_JOB);
    end_refused(&r);
}
