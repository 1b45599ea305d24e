// SPDX-License-Identifier: MIT
//
// Views and lookups that a call uses as another component than theirs, mostly a larger one: with
// checks one report and no memory of a neighbour.

#include "query_test.h"

#include "oxbow/entity_jobs.h"

OX_COMPONENT(Small, { int number; });
OX_COMPONENT(Large, { int numbers[64]; });
OX_SHARED(Crew, { int number; });
OX_BUFFER(Stop, 2, { int at; });

enum { MADE = 5, SMALL = 11 };

typedef struct mixed {
    collected_reports reports;
    ox_world *world;
    ox_query *query;
    ox_entity first;
} mixed;

static void begin_mixed(mixed *m) {
    memset(m, 0, sizeof *m);
    collect_reports(&m->reports);
    m->world = ox_world_create(NULL);
    m->query = ox_query_create(m->world, OX_WRITE(Small), OX_READ(Crew), OX_WRITE(Stop));
    for (int k = 0; k < MADE; k++) {
        ox_entity made = ox_entity_create(m->world, OX_VALUE(Small, {SMALL}), OX_VALUE(Crew, {3}),
                                          OX_VALUE_TAG(Stop));
        m->first = k == 0 ? made : m->first;
    }
}

static void end_mixed(mixed *m) {
    for (int k = 0; k < MADE; k++) {
        EXPECT_EQ(ox_view_read(ox_query_view(m->query, Small), k, Small).number, SMALL);
    }
    EXPECT(ox_world_validate(m->world));
    EXPECT_EQ(m->reports.count, 0);
    ox_world_destroy(m->world);
}

#if OX_SAFETY > 0

static bool is_zero(const Large *large) {
    static const Large zero;
    return memcmp(large, &zero, sizeof zero) == 0;
}

TEST(other_component, a_view_is_read_as_one_of_its_own_component_only) {
    mixed m;
    begin_mixed(&m);
    ox_view view = ox_query_view(m.query, Small);

    EXPECT(is_zero(ox_view_get(view, MADE - 1, Large)));
    EXPECT_HAS(m.reports.text, "a view of Small, and the call names Large");
    EXPECT_HAS(m.reports.text, "test_other_component.c");
    EXPECT_REPORT(&m.reports, OX_REPORT_OTHER_COMPONENT);
    memset(ox_view_edit(view, MADE - 1, Large), 0xff, sizeof(Large));
    EXPECT_REPORT(&m.reports, OX_REPORT_OTHER_COMPONENT);
    EXPECT_EQ(ox_view_read(view, 0, Crew).number, 0);
    EXPECT_REPORT(&m.reports, OX_REPORT_OTHER_COMPONENT);
    EXPECT(is_zero(ox_view_get(ox_query_view(m.query, Crew), 0, Large)));
    EXPECT_REPORT(&m.reports, OX_REPORT_OTHER_COMPONENT);
    end_mixed(&m);
}

TEST(other_component, a_lookup_is_read_as_one_of_its_own_component_only) {
    mixed m;
    begin_mixed(&m);
    ox_lookup lookup = ox_lookup_create(m.world, Small);

    EXPECT(is_zero(ox_lookup_get(&lookup, m.first, Large)));
    EXPECT_HAS(m.reports.text, "a lookup of Small, and the call names Large");
    EXPECT_HAS(m.reports.text, "test_other_component.c");
    EXPECT_REPORT(&m.reports, OX_REPORT_OTHER_COMPONENT);
    memset(ox_lookup_edit(&lookup, m.first, Large), 0xff, sizeof(Large));
    EXPECT_REPORT(&m.reports, OX_REPORT_OTHER_COMPONENT);
    EXPECT_EQ(ox_lookup_get(&lookup, m.first, Small)->number, SMALL);
    end_mixed(&m);
}

TEST(other_component, a_view_or_lookup_that_was_never_made_is_one_report) {
    mixed m;
    begin_mixed(&m);
    ox_lookup lookup = {0};
    ox_view view = {0};

    EXPECT(is_zero(ox_lookup_get(&lookup, m.first, Large)));
    EXPECT_REPORT(&m.reports, OX_REPORT_NULL_ARGUMENT);
    ox_lookup_edit(&lookup, m.first, Large)->numbers[63] = 1;
    EXPECT_REPORT(&m.reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(is_zero(ox_view_get(view, 0, Large)));
    EXPECT_REPORT(&m.reports, OX_REPORT_NULL_ARGUMENT);
    ox_view_edit(view, 0, Large)->numbers[63] = 1;
    EXPECT_REPORT(&m.reports, OX_REPORT_NULL_ARGUMENT);
    end_mixed(&m);
}

OX_JOB(ViewMistake, { ox_view view; }) {
    memset(ox_view_edit(job->view, 0, Large), 0xff, sizeof(Large));
}

OX_JOB(LookupMistake, {
    ox_lookup lookup;
    ox_entity entity;
}) {
    memset(ox_lookup_edit(&job->lookup, job->entity, Large), 0xff, sizeof(Large));
}

TEST(other_component, is_reported_in_a_job_too) {
    for (int workers = 0; workers <= 2; workers += 2) {
        ox_jobs_start(&(ox_jobs_def){.worker_count = workers > 0 ? workers : OX_NO_WORKERS});
        mixed m;
        begin_mixed(&m);

        ox_complete(ox_schedule(ViewMistake, OX_NO_JOB, {ox_query_view(m.query, Small)}));
        EXPECT_REPORT(&m.reports, OX_REPORT_OTHER_COMPONENT);
        ox_complete(
            ox_schedule(LookupMistake, OX_NO_JOB, {ox_lookup_create(m.world, Small), m.first}));
        EXPECT_REPORT(&m.reports, OX_REPORT_OTHER_COMPONENT);

        end_mixed(&m);
        ox_jobs_stop();
    }
}

#endif

// Buffers have their own report: what the handle is of is told where it is made.
TEST(other_component, a_buffer_is_not_had_from_a_view_or_lookup_of_values) {
    mixed m;
    begin_mixed(&m);
    ox_lookup lookup = ox_lookup_create(m.world, Small);

    EXPECT_EQ(ox_buffer_count(ox_lookup_get(&lookup, m.first, Stop)), 0);
    EXPECT(m.reports.count > 0);
    m.reports.count = 0;
    EXPECT_EQ(ox_buffer_count(ox_view_get(ox_query_view(m.query, Small), 0, Stop)), 0);
    EXPECT(m.reports.count > 0);
    m.reports.count = 0;
    end_mixed(&m);
}
