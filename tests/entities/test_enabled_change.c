// SPDX-License-Identifier: MIT
//
// What queries do to entities of which some are switched off; versions; and what main sees while
// jobs switch.

#include "entities/kinds_test.h"

#include "jobs/jobs_test.h"
#include "oxbow/containers.h"
#include "oxbow/entity_jobs.h"
#include "oxbow/memory.h"
#include "oxbow/queries.h"

#include <stdio.h>

static collected_reports reports;

enum { MANY = 300 };

static bool is_on(int k) {
    return k % 5 == 0 || k % 7 == 0;
}

static int count_on(void) {
    int count = 0;
    for (int k = 0; k < MANY; k++) {
        count += is_on(k);
    }
    return count;
}

static ox_world *make_switched(ox_entity *list) {
    ox_world *world = make_world(&reports);
    for (int k = 0; k < MANY; k++) {
        list[k] = ox_entity_create(world, OX_VALUE(Stunned, {k}), OX_VALUE(Health, {k}));
        ox_set_enabled(world, list[k], Stunned, is_on(k));
    }
    return world;
}

TEST(enabled_change, adding_by_query_takes_only_rows_that_are_on) {
    ox_entity list[MANY];
    ox_world *world = make_switched(list);
    ox_query *query = ox_query_create(world, OX_READ(Stunned));

    EXPECT(ox_query_add(query, Frozen));
    EXPECT(ox_query_add(query, Velocity));

    for (int k = 0; k < MANY; k++) {
        EXPECT_EQ(ox_has(world, list[k], Frozen), is_on(k));
        EXPECT_EQ(ox_has(world, list[k], Velocity), is_on(k));
        EXPECT_EQ(ox_is_enabled(world, list[k], Stunned), is_on(k));
        EXPECT_EQ(ox_get(world, list[k], Health)->points, k);
    }
    EXPECT(ox_query_remove(query, Frozen));
    EXPECT(!ox_has(world, list[0], Frozen));
    end_world(world, &reports);
}

TEST(enabled_change, removing_by_query_takes_only_rows_that_are_off) {
    ox_entity list[MANY];
    ox_world *world = make_switched(list);
    ox_query *query = ox_query_create(world, OX_DISABLED(Stunned));

    EXPECT(ox_query_remove(query, Stunned));

    EXPECT_EQ(ox_query_count(query), 0);
    for (int k = 0; k < MANY; k++) {
        EXPECT_EQ(ox_has(world, list[k], Stunned), is_on(k));
        EXPECT_EQ(ox_get(world, list[k], Health)->points, k);
    }
    end_world(world, &reports);
}

TEST(enabled_change, destroying_by_query_takes_only_rows_that_match) {
    ox_entity list[MANY];
    ox_world *world = make_switched(list);
    ox_query *query = ox_query_create(world, OX_NONE(Stunned));

    EXPECT_EQ(ox_query_destroy_entities(query), MANY - count_on());

    for (int k = 0; k < MANY; k++) {
        EXPECT_EQ(ox_entity_exists(world, list[k]), is_on(k));
    }
    EXPECT_EQ(ox_query_count(query), 0);
    EXPECT_EQ(ox_world_get_usage(world).entity_count, count_on());
    end_world(world, &reports);
}

TEST(enabled_change, switching_by_query_takes_all_rows_of_its_chunks) {
    ox_entity list[MANY];
    ox_world *world = make_switched(list);
    ox_query *query = ox_query_create(world, OX_WRITE(Stunned));
    ox_query *reader = ox_query_create(world, OX_READ(Stunned));

    EXPECT(ox_query_set_enabled(query, Stunned, true));
    EXPECT_EQ(ox_query_count(query), MANY);
    EXPECT(ox_query_set_enabled(query, Stunned, false));
    EXPECT_EQ(ox_query_count(query), 0);
    EXPECT(ox_query_set_enabled(query, Stunned, true)); // whatever it is now
    EXPECT_EQ(ox_query_count(query), MANY);
    EXPECT(!ox_query_set_enabled(reader, Stunned, false));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT_EQ(ox_query_count(reader), MANY);
    end_world(world, &reports);
}

TEST(enabled_change, a_query_of_as_many_terms_as_it_may_have_switches) {
    ox_entity list[MANY];
    ox_world *world = make_switched(list);
    ox_term terms[OX_MAX_TERMS + 1];
    for (int k = 0; k < OX_MAX_TERMS - 1; k++) {
        char name[24];
        snprintf(name, sizeof name, "Switch%d", k);
        ox_component_def def = {.name = name, .kind = OX_COMPONENT_KIND_TAG};
        terms[k] = (ox_term){OX_TERM_OPTIONAL, NULL, ox_component_register(&def)};
    }
    terms[OX_MAX_TERMS - 1] = (ox_term){OX_TERM_WRITE, NULL, ox_component_id_of(Stunned)};
    terms[OX_MAX_TERMS] = (ox_term){OX_TERM_END, NULL, 0};
    ox_query *query = ox_query_create_at(world, terms, OX_HERE);

    EXPECT(ox_query_set_enabled(query, Stunned, false));

    EXPECT_EQ(ox_query_count(query), 0);
    EXPECT_EQ(reports.count, 0);
    end_world(world, &reports);
}

TEST(enabled_change, switching_by_query_obeys_filters) {
    ox_world *world = make_world(&reports);
    ox_entity a = ox_entity_create(world, OX_VALUE(Team, {1}), OX_VALUE_TAG(Lit));
    ox_entity b = ox_entity_create(world, OX_VALUE(Team, {2}), OX_VALUE_TAG(Lit));
    ox_query *query = ox_query_create(world, OX_READ(Team), OX_ENABLED(Lit));
    EXPECT(ox_query_filter_shared(query, Team, {1}));

    EXPECT(ox_query_set_enabled(query, Lit, false));

    EXPECT(!ox_is_enabled(world, a, Lit));
    EXPECT(ox_is_enabled(world, b, Lit));
    end_world(world, &reports);
}

TEST(enabled_change, switching_counts_as_a_change_of_the_component) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Stunned, Health));
    ox_query *query =
        ox_query_create(world, OX_PRESENT(Stunned), OX_ENABLED(Stunned), OX_READ(Health));
    for (int way = 0; way < 3; way++) {
        uint32_t before = ox_world_get_version(world);
        ox_world_advance_version(world);
        ox_query_filter_changed(query, Stunned, before);
        EXPECT_EQ(ox_query_count(query), 0);
        ox_query_reset_filters(query);
        if (way == 0) {
            ox_set_enabled(world, entity, Stunned, false);
        } else if (way == 1) {
            ox_query_set_enabled(query, Stunned, true);
        } else {
            ox_chunk chunk = ox_query_chunks(query);
            EXPECT(ox_chunk_next(&chunk) && ox_chunk_set_enabled(chunk, 0, Stunned, false));
        }
        ox_query_filter_changed(query, Stunned, before);
        EXPECT_EQ(ox_query_count(query), 1);
        ox_query_filter_changed(query, Stunned, ox_world_get_version(world));
        ox_query_filter_changed(query, Health, before);
        EXPECT_EQ(ox_query_count(query), 0);
        ox_query_reset_filters(query);
    }
    end_world(world, &reports);
}

TEST(enabled_change, rows_of_a_chunk_demand_a_term_a_row_and_a_loop) {
    ox_world *world = make_world(&reports);
    ox_entity_create_in(world, ox_archetype_of(world, Stunned, Lit, Health));
    ox_query *query = ox_query_create(world, OX_READ(Stunned), OX_WRITE(Health));
    ox_chunk chunk = ox_query_chunks(query);
    EXPECT(!ox_chunk_is_enabled(chunk, 0, Stunned)); // before the first step
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    EXPECT(ox_chunk_next(&chunk));

    EXPECT(ox_chunk_is_enabled(chunk, 0, Stunned));
    EXPECT(!ox_chunk_is_enabled(chunk, 1, Stunned));
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    EXPECT(!ox_chunk_is_enabled(chunk, -1, Stunned));
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    EXPECT(!ox_chunk_is_enabled(chunk, 0, Lit));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT(!ox_chunk_set_enabled(chunk, 0, Stunned, false));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT(!ox_chunk_set_enabled(chunk, 0, Health, false));
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    ox_entity_create_in(world, ox_archetype_of(world, Health)); // which the loop does not go over
    EXPECT(ox_chunk_is_enabled(chunk, 0, Stunned));
    ox_entity_create_in(world, ox_archetype_of(world, Stunned, Health));
    EXPECT(!ox_chunk_is_enabled(chunk, 0, Stunned));
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_IN_LOOP);
    end_world(world, &reports);
}

// Jobs.

OX_ENTITY_JOB(SwitchOdd, (OX_ENABLED(Stunned, stunned), OX_READ(Health, health)),
              { uint32_t delay_us; }) {
    if (health->points == 0) {
        sleep_us(job->delay_us);
    }
    ox_switch_set_on(stunned, health->points % 2 == 0);
}

OX_ENTITY_JOB(ReadStunned, (OX_READ(Stunned, stunned), OX_WRITE(Health, health)), { int unused; }) {
    health->points += 1000;
}

OX_ENTITY_JOB(LookAtHealth, (OX_WITH(Stunned), OX_WRITE(Health, health)), { int unused; }) {
    health->points += 1000;
}

TEST(enabled_change, main_waits_for_jobs_that_switch) {
    ox_entity list[MANY];
    start_workers_of_test(2);
    ox_world *world = make_switched(list);
    ox_query *query = ox_query_create(world, OX_READ(Stunned));
    ox_query *none = ox_query_create(world, OX_NONE(Stunned), OX_READ(Health));
    ox_query *all = ox_query_create(world, OX_ENABLED(Stunned));

    ox_schedule_entities(SwitchOdd, ox_world_get_root(world), OX_AUTO, {2000});
    EXPECT_EQ(ox_query_count(query), MANY / 2);
    ox_query_set_enabled(all, Stunned, true);
    ox_schedule_entities(SwitchOdd, ox_world_get_root(world), OX_AUTO, {2000});
    EXPECT(!ox_is_enabled(world, list[299], Stunned));
    ox_set_enabled(world, list[299], Stunned, true);
    ox_schedule_entities(SwitchOdd, ox_world_get_root(world), OX_AUTO, {2000});
    EXPECT(ox_set_enabled(world, list[1], Stunned, true));
    EXPECT(ox_is_enabled(world, list[1], Stunned) && !ox_is_enabled(world, list[3], Stunned));
    ox_schedule_entities(SwitchOdd, ox_world_get_root(world), OX_AUTO, {2000});
    int rows = 0;
    OX_EACH_CHUNK(none, chunk) {
        rows += chunk.count;
    }
    EXPECT_EQ(rows, MANY / 2);
    ox_query_set_enabled(all, Stunned, true);
    ox_schedule_entities(SwitchOdd, ox_world_get_root(world), OX_AUTO, {2000});
    EXPECT_EQ(ox_query_view_entities(query).count, MANY / 2);
    ox_query_set_enabled(all, Stunned, true);
    ox_schedule_entities(SwitchOdd, ox_world_get_root(world), OX_AUTO, {2000});
    ox_array entities = ox_query_copy_entities(query, OX_PERSISTENT);
    EXPECT_EQ(ox_array_count(entities), MANY / 2);
    ox_dispose(&entities);
    end_world(world, &reports);
    ox_jobs_stop();
}

TEST(enabled_change, a_job_whose_rows_depend_on_switches_waits_for_one_that_switches) {
    ox_entity list[MANY];
    start_workers_of_test(2);
    ox_world *world = make_switched(list);
    ox_schedule_entities(SwitchOdd, ox_world_get_root(world), OX_AUTO, {2000});
    ox_schedule_entities(LookAtHealth, ox_world_get_root(world), OX_AUTO, {0});
    for (int k = 0; k < MANY; k++) {
        EXPECT_EQ(ox_get(world, list[k], Health)->points, k % 2 == 0 ? k + 1000 : k);
    }
    end_world(world, &reports);
    ox_jobs_stop();
}

TEST_CHECKED(enabled_change, a_handle_that_misses_a_job_that_switches_is_refused) {
    ox_entity list[MANY];
    start_workers_of_test(2);
    ox_world *world = make_switched(list);
    ox_job switches = ox_schedule_entities(SwitchOdd, ox_world_get_root(world), OX_AUTO, {2000});
    collected_reports process;
    collect_reports(&process);

    ox_job refused = ox_schedule_entities(ReadStunned, ox_world_get_root(world), OX_NO_JOB, {0});
    EXPECT_EQ(refused.value, 0);
    EXPECT_REPORT(&process, OX_REPORT_TWO_JOBS_RACE);
    EXPECT(ox_schedule_entities(LookAtHealth, ox_world_get_root(world), OX_NO_JOB, {0}).value == 0);
    EXPECT_REPORT(&process, OX_REPORT_TWO_JOBS_RACE);
    ox_complete(ox_schedule_entities(ReadStunned, ox_world_get_root(world), switches, {0}));
    EXPECT_EQ(ox_get(world, list[2], Health)->points, 1002);
    EXPECT_EQ(ox_get(world, list[1], Health)->points, 1);
    end_world(world, &reports);
    ox_jobs_stop();
}
