// SPDX-License-Identifier: MIT
//
// Lookups in jobs over entities: what they read and write, what the job waits for, what is refused.

#include "entity_jobs_test.h"

#include "oxbow/entities.h"
#include "oxbow/entity_jobs.h"

#include <stdio.h>

enum { MADE = 5000 };

OX_COMPONENT(Friend, { ox_entity who; });

// Takes over the step of another entity.
OX_ENTITY_JOB(TakeStep, (OX_WRITE(Count, count), OX_READ(Friend, friend)),
              { OX_READ_ONLY ox_lookup steps; }) {
    count->value = ox_lookup_has(&job->steps, friend->who)
                       ? ox_lookup_get(&job->steps, friend->who, Step)->value
                       : UINT32_MAX;
}

// Writes the step of another entity. Every friend has one friend.
OX_ENTITY_JOB(GiveStep, (OX_ENTITY(self), OX_READ(Friend, friend)),
              { OX_UNRESTRICTED ox_lookup steps; }) {
    ox_lookup_edit(&job->steps, friend->who, Step)->value = self.index;
}

typedef struct friends {
    collected_reports reports;
    ox_world *world;
    ox_system *scope;
    ox_entity made[MADE];
} friends;

// A ring: the friend of each is some way behind it.
static void begin_friends(friends *f, int workers) {
    memset(f, 0, sizeof *f);
    start_workers_of_test(workers);
    collect_reports(&f->reports);
    f->world = ox_world_create(NULL);
    f->scope = ox_world_get_root(f->world);
    for (int k = 0; k < MADE; k++) {
        f->made[k] = ox_entity_create(f->world, OX_VALUE(Count, {0}), OX_VALUE(Step, {(uint32_t)k}),
                                      OX_VALUE(Friend, {{0}}));
    }
    for (int k = 0; k < MADE; k++) {
        ox_set(f->world, f->made[k], Friend, {f->made[(k + 1234) % MADE]});
        if (k % 3 == 0) {
            ox_add_tag(f->world, f->made[k], Red); // lookups meet two archetypes
        }
    }
}

static void end_friends(friends *f) {
    EXPECT_EQ(f->reports.count, 0);
    EXPECT(ox_world_validate(f->world));
    end_jobs_test(f->world);
    EXPECT_EQ(f->reports.count, 0);
}

TEST(lookup_jobs, a_job_reads_components_of_other_entities) {
    friends f;
    for (int workers = 0; workers < 4; workers++) {
        begin_friends(&f, workers);
        ox_lookup steps = ox_lookup_create(f.world, Step);

        ox_schedule_entities(TakeStep, f.scope, OX_AUTO, {steps});

        for (int k = 0; k < MADE; k++) {
            EXPECT_EQ(ox_get(f.world, f.made[k], Count)->value, (uint32_t)(k + 1234) % MADE);
        }
        end_friends(&f);
    }
}

TEST(lookup_jobs, an_entity_that_is_gone_is_not_found) {
    friends f;
    begin_friends(&f, 1);
    ox_lookup steps = ox_lookup_create(f.world, Step);
    ox_entity_destroy(f.world, f.made[1234]);
    ox_remove(f.world, f.made[1235], Step);

    ox_schedule_entities(TakeStep, f.scope, OX_AUTO, {steps});

    EXPECT_EQ(ox_get(f.world, f.made[0], Count)->value, UINT32_MAX);
    EXPECT_EQ(ox_get(f.world, f.made[1], Count)->value, UINT32_MAX);
    EXPECT_EQ(ox_get(f.world, f.made[2], Count)->value, 1236);
    end_friends(&f);
}

TEST(lookup_jobs, with_auto_a_lookup_waits_for_who_writes_and_is_waited_for) {
    friends f;
    for (int workers = 0; workers < 3; workers++) {
        begin_friends(&f, workers);
        ox_lookup steps = ox_lookup_create(f.world, Step);

        ox_schedule_entities(WriteStep, f.scope, OX_AUTO, {7});
        ox_schedule_entities(TakeStep, f.scope, OX_AUTO, {steps});
        ox_schedule_entities(WriteStep, f.scope, OX_AUTO, {1});

        for (int k = 0; k < MADE; k += 7) {
            EXPECT_EQ(ox_get(f.world, f.made[k], Count)->value,
                      (uint32_t)(k + 1234) % MADE * 3 + 7);
            EXPECT_EQ(ox_get(f.world, f.made[k], Step)->value, ((uint32_t)k * 3 + 7) * 3 + 1);
        }
        end_friends(&f);
    }
}

TEST(lookup_jobs, a_job_writes_components_of_other_entities_and_main_waits) {
    friends f;
    for (int workers = 0; workers < 3; workers++) {
        begin_friends(&f, workers);
        ox_lookup steps = ox_lookup_create(f.world, Step);

        ox_schedule_entities(GiveStep, f.scope, OX_AUTO, {steps});

        for (int k = 0; k < MADE; k++) {
            const Step *step = ox_lookup_get(&steps, f.made[(k + 1234) % MADE], Step);
            EXPECT_EQ(step->value, f.made[k].index);
        }
        end_friends(&f);
    }
}

TEST(lookup_jobs, writes_are_noted_with_the_version_of_the_schedule) {
    friends f;
    begin_friends(&f, 1);
    ox_lookup steps = ox_lookup_create(f.world, Step);
    ox_query *changed = ox_query_create(f.world, OX_READ(Step));
    uint32_t before = ox_world_get_version(f.world);
    ox_world_advance_version(f.world);

    ox_schedule_entities(GiveStep, f.scope, OX_AUTO, {steps});
    ox_world_advance_version(f.world);

    ox_query_filter_changed(changed, Step, before);
    EXPECT_EQ(ox_query_count(changed), MADE);
    ox_query_filter_changed(changed, Step, before + 1);
    EXPECT_EQ(ox_query_count(changed), 0);
    end_friends(&f);
}

TEST(lookup_jobs, a_job_that_runs_late_does_not_hide_what_a_later_one_writes) {
    friends f;
    begin_friends(&f, 0);
    ox_lookup steps = ox_lookup_create(f.world, Step);
    ox_query *changed = ox_query_create(f.world, OX_READ(Step));
    ox_schedule_entities(GiveStep, f.scope, OX_AUTO, {steps});
    uint32_t before = ox_world_get_version(f.world);
    ox_world_advance_version(f.world);

    ox_complete(ox_schedule_entities(WriteStep, f.scope, OX_AUTO, {1}));

    ox_query_filter_changed(changed, Step, before);
    EXPECT_EQ(ox_query_count(changed), MADE);
    end_friends(&f);
}

TEST(lookup_jobs, reads_are_noted_nowhere) {
    friends f;
    begin_friends(&f, 1);
    ox_lookup steps = ox_lookup_create(f.world, Step);
    ox_query *changed = ox_query_create(f.world, OX_READ(Step));
    uint32_t before = ox_world_get_version(f.world);
    ox_world_advance_version(f.world);

    ox_complete(ox_schedule_entities(TakeStep, f.scope, OX_AUTO, {steps}));

    ox_query_filter_changed(changed, Step, before);
    EXPECT_EQ(ox_query_count(changed), 0);
    end_friends(&f);
}

TEST(lookup_jobs, a_structural_change_waits_for_jobs_that_look_up) {
    friends f;
    begin_friends(&f, 1);
    ox_lookup steps = ox_lookup_create(f.world, Step);

    ox_schedule_entities(TakeStep, f.scope, OX_AUTO, {steps});
    for (int k = 0; k < MADE; k += 2) {
        ox_entity_destroy(f.world, f.made[k]);
    }

    EXPECT_EQ(ox_get(f.world, f.made[1], Count)->value, 1235);
    end_friends(&f);
}

TEST(lookup_jobs, a_component_that_nobody_has_can_be_looked_up) {
    friends f;
    begin_friends(&f, 1);
    ox_lookup extras = ox_lookup_create(f.world, Extra);

    ox_schedule_entities(TakeStep, f.scope, OX_AUTO, {extras});

    EXPECT_EQ(ox_get(f.world, f.made[0], Count)->value, UINT32_MAX);
    end_friends(&f);
}

// What is refused.

OX_ENTITY_JOB(ReadOwn, (OX_WRITE(Count, count)), { OX_READ_ONLY ox_lookup counts; }) {
    count->value++;
}

OX_ENTITY_JOB(WriteDivided, (OX_READ(Friend, friend)), { ox_lookup steps; }) {
    ox_lookup_edit(&job->steps, friend->who, Step)->value = 1;
}

OX_ENTITY_JOB(LookAtNobody, (OX_WRITE(Count, count)), { OX_READ_ONLY ox_lookup steps; }) {
    count->value = 7 + ox_lookup_get(&job->steps, ((ox_entity){0, 0}), Step)->value;
}

#define EXPECT_NO_JOB(f, job, id)                                                                  \
    do {                                                                                           \
        uint64_t refused_value = (job).value;                                                      \
        EXPECT_REPORT(&(f)->reports, id);                                                          \
        EXPECT_EQ(refused_value, 0);                                                               \
    } while (0)

TEST_CHECKED(lookup_jobs, a_lookup_races_as_a_term_does) {
    friends f;
    begin_friends(&f, 1);
    ox_lookup steps = ox_lookup_create(f.world, Step);
    ox_job writer = ox_schedule_entities(WriteStep, f.scope, OX_AUTO, {7});

    ox_job reader = ox_schedule_entities(TakeStep, f.scope, OX_NO_JOB, {steps});

    EXPECT_NO_JOB(&f, reader, OX_REPORT_TWO_JOBS_RACE);
    EXPECT(ox_schedule_entities(TakeStep, f.scope, writer, {steps}).value != 0);
    end_friends(&f);
}

TEST_CHECKED(lookup_jobs, a_component_is_a_term_or_looked_up_but_not_both_when_it_is_written) {
    friends f;
    begin_friends(&f, 1);
    ox_lookup counts = ox_lookup_create(f.world, Count);

    ox_job own = ox_schedule_entities(ReadOwn, f.scope, OX_AUTO, {counts});

    EXPECT_HAS(f.reports.text, "fix: write another component, or name this one with OX_WITH and "
                               "use one OX_UNRESTRICTED lookup to read and to edit it");
    EXPECT_NO_JOB(&f, own, OX_REPORT_ALIASED);
    end_friends(&f);
}

TEST_CHECKED(lookup_jobs, rows_that_may_write_the_same_entity_must_say_so) {
    friends f;
    begin_friends(&f, 1);
    ox_lookup steps = ox_lookup_create(f.world, Step);

    ox_job divided = ox_schedule_entities(WriteDivided, f.scope, OX_AUTO, {steps});

    EXPECT_NO_JOB(&f, divided, OX_REPORT_NOT_DIVISIBLE);
    end_friends(&f);
}

enum { MOST_LOOKUPS = 2 * OX_MAX_TERMS - 1 };

OX_ENTITY_JOB(LookAtMany, (OX_ENTITY(self)), { OX_READ_ONLY ox_lookup lookups[64]; }) {
    (void)self;
}

static ox_lookup create_numbered_lookup(ox_world *world, int number) {
    char name[24];
    snprintf(name, sizeof name, "LookedUp%d", number);
    ox_component_def def = {.name = name, .text = "{ uint32_t value; }"};
    return ox_lookup_create_at(world, ox_component_register(&def), OX_HERE);
}

TEST(lookup_jobs, a_job_looks_up_as_many_components_as_it_may_and_not_one_more) {
    friends f;
    begin_friends(&f, 0);
    LookAtMany many;
    for (int k = 0; k < MOST_LOOKUPS; k++) {
        many.lookups[k] = create_numbered_lookup(f.world, k);
    }
    many.lookups[MOST_LOOKUPS] = many.lookups[0];
    ox_job scheduled = ox_schedule_entities(LookAtMany, f.scope, OX_AUTO, many);
    EXPECT_NE(scheduled.value, 0);
    EXPECT_EQ(f.reports.count, 0);
    many.lookups[MOST_LOOKUPS] = create_numbered_lookup(f.world, MOST_LOOKUPS);

    ox_job refused = ox_schedule_entities(LookAtMany, f.scope, OX_AUTO, many);

    EXPECT_NO_JOB(&f, refused, OX_REPORT_BAD_COUNT);
    end_friends(&f);
}

TEST(lookup_jobs, a_lookup_of_another_world_is_refused) {
    friends f;
    begin_friends(&f, 1);
    ox_world *other = ox_world_create(NULL);
    ox_lookup steps = ox_lookup_create(other, Step);

    ox_job foreign = ox_schedule_entities(TakeStep, f.scope, OX_AUTO, {steps});

    EXPECT_NO_JOB(&f, foreign, OX_REPORT_FOREIGN_HANDLE);
    ox_world_destroy(other);
    end_friends(&f);
}

TEST(lookup_jobs, who_is_not_there_is_a_report_in_the_job_and_zeros) {
    friends f;
    begin_friends(&f, 0);
    ox_lookup steps = ox_lookup_create(f.world, Step);
    ox_query *one = ox_query_create(f.world, OX_WRITE(Count), OX_WITH(Red));

    ox_complete(ox_schedule_query(LookAtNobody, one, OX_AUTO, {steps}));

    EXPECT_EQ(f.reports.count, (int)ox_query_count(one));
    EXPECT_EQ(f.reports.last, OX_REPORT_STALE_ENTITY);
    EXPECT_HAS(f.reports.text, "fix: ask ox_lookup_has first");
    f.reports.count = 0;
    EXPECT_EQ(ox_get(f.world, f.made[0], Count)->value, 7);
    end_friends(&f);
}
