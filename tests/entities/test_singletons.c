// SPDX-License-Identifier: MIT
//
// Singletons: exactly one entity has the component, and no job is in the way.

#include "entities/kinds_test.h"

#include "jobs/jobs_test.h"
#include "oxbow/entities.h"
#include "oxbow/entity_jobs.h"

OX_COMPONENT(Gravity, { float value; });
OX_CLEANUP(Session, { int32_t key; });

static collected_reports reports;

static void expect_number(int count) {
    char text[64];
    snprintf(text, sizeof text, "%d %s of world 'sea' %s 'Gravity'", count,
             count == 1 ? "entity" : "entities", count == 1 ? "has" : "have");
    EXPECT_HAS(reports.text, text);
    EXPECT_HAS(reports.text, "fix: make it with ox_singleton_create, once");
    EXPECT_REPORT(&reports, OX_REPORT_NOT_SINGLE);
}

TEST(singletons, a_singleton_is_made_read_written_and_set) {
    ox_world *world = make_world(&reports);

    ox_entity entity = ox_singleton_create(world, Gravity, {9});

    EXPECT(is_same(ox_singleton_get_entity(world, Gravity), entity));
    EXPECT(ox_singleton_has(world, Gravity));
    EXPECT_EQ(ox_singleton_get(world, Gravity)->value, 9.0f);
    ox_singleton_edit(world, Gravity)->value = 8;
    EXPECT_EQ(ox_get(world, entity, Gravity)->value, 8.0f);
    EXPECT(ox_singleton_set(world, Gravity, {7}));
    EXPECT_EQ(ox_singleton_get(world, Gravity)->value, 7.0f);
    EXPECT_EQ(ox_singleton_read(world, Gravity).value, 7.0f);
    end_world(world, &reports);
}

TEST(singletons, any_entity_with_the_component_is_one) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Health, {1}), OX_VALUE(Gravity, {2}));
    EXPECT_EQ(ox_singleton_get(world, Gravity)->value, 2.0f);
    EXPECT(is_same(ox_singleton_get_entity(world, Gravity), entity));
    ox_remove(world, entity, Health);
    EXPECT_EQ(ox_singleton_get(world, Gravity)->value, 2.0f);
    end_world(world, &reports);
}

TEST(singletons, none_is_a_report_but_for_those_who_ask) {
    ox_world *world = make_world(&reports);
    for (int turn = 0; turn < 2; turn++) {
        EXPECT(!ox_singleton_has(world, Gravity));
        EXPECT_EQ(ox_singleton_get(world, Gravity)->value, 0.0f);
        expect_number(0);
        ox_singleton_edit(world, Gravity)->value = 5;
        expect_number(0);
        EXPECT(!ox_singleton_set(world, Gravity, {5}));
        expect_number(0);
        EXPECT_EQ(ox_singleton_get_entity(world, Gravity).version, 0);
        expect_number(0);
        ox_entity_destroy(world, ox_singleton_create(world, Gravity, {1}));
    }
    end_world(world, &reports);
}

TEST(singletons, two_are_a_report_for_all) {
    ox_world *world = make_world(&reports);
    ox_entity_create(world, OX_VALUE(Gravity, {1}));
    ox_entity_create(world, OX_VALUE(Gravity, {1}), OX_VALUE_TAG(Frozen));

    EXPECT(!ox_singleton_has(world, Gravity));
    expect_number(2);
    EXPECT_EQ(ox_singleton_get(world, Gravity)->value, 0.0f);
    expect_number(2);
    ox_singleton_edit(world, Gravity)->value = 5;
    expect_number(2);
    EXPECT(!ox_singleton_set(world, Gravity, {5}));
    expect_number(2);
    EXPECT_EQ(ox_singleton_get_entity(world, Gravity).version, 0);
    expect_number(2);
    EXPECT_EQ(ox_singleton_create(world, Gravity, {5}).version, 0);
    expect_number(2);
    EXPECT_EQ(ox_world_get_usage(world).entity_count, 2);
    end_world(world, &reports);
}

TEST(singletons, a_second_one_is_not_made) {
    ox_world *world = make_world(&reports);
    ox_singleton_create(world, Gravity, {1});
    EXPECT_EQ(ox_singleton_create(world, Gravity, {2}).version, 0);
    expect_number(1);
    EXPECT_EQ(ox_singleton_get(world, Gravity)->value, 1.0f);
    EXPECT_EQ(ox_world_get_usage(world).entity_count, 1);
    end_world(world, &reports);
}

TEST(singletons, prefabs_and_entities_that_are_off_do_not_count) {
    ox_world *world = make_world(&reports);
    ox_entity_create_in(world, ox_archetype_of(world, Gravity, ox_prefab));
    ox_entity off = ox_entity_create_in(world, ox_archetype_of(world, Gravity));
    ox_entity_set_enabled(world, off, false);
    EXPECT(!ox_singleton_has(world, Gravity));
    EXPECT(ox_singleton_create(world, Gravity, {3}).version != 0);
    EXPECT_EQ(ox_singleton_get(world, Gravity)->value, 3.0f);
    ox_entity_set_enabled(world, off, true);
    EXPECT(!ox_singleton_has(world, Gravity));
    expect_number(2);
    end_world(world, &reports);
}

TEST(singletons, what_is_left_of_destroyed_entities_does_not_count) {
    ox_world *world = make_world(&reports);
    ox_entity first = ox_singleton_create(world, Session, {1});
    ox_entity_destroy(world, first);
    EXPECT(ox_has(world, first, Session));

    EXPECT(!ox_singleton_has(world, Session));
    EXPECT(ox_singleton_create(world, Session, {2}).version != 0);
    EXPECT_EQ(ox_singleton_get(world, Session)->key, 2);
    end_world(world, &reports);
}

TEST(singletons, each_world_has_its_own) {
    ox_world *world = make_world(&reports), *other = ox_world_create(NULL);
    ox_singleton_create(world, Gravity, {1});
    ox_singleton_create(other, Gravity, {2});
    EXPECT_EQ(ox_singleton_get(world, Gravity)->value, 1.0f);
    EXPECT_EQ(ox_singleton_get(other, Gravity)->value, 2.0f);
    ox_world_destroy(other);
    end_world(world, &reports);
}

// Kinds.

TEST(singletons, a_tag_can_be_asked_for_but_not_read) {
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create_in(world, ox_archetype_of(world, Frozen));
    EXPECT(ox_singleton_has(world, Frozen));
    EXPECT(is_same(ox_singleton_get_entity(world, Frozen), entity));
    ox_singleton_get_at(world, ox_component_id_of(Frozen), OX_HERE);
    EXPECT_REPORT(&reports, OX_REPORT_TAG_HAS_NO_VALUE);
    EXPECT(!ox_singleton_set_at(world, ox_component_id_of(Frozen), "", OX_HERE));
    EXPECT_REPORT(&reports, OX_REPORT_TAG_HAS_NO_VALUE);
    end_world(world, &reports);
}

TEST(singletons, a_shared_component_is_set_by_a_move) {
    ox_world *world = make_world(&reports);
    ox_singleton_create(world, Team, {1});
    EXPECT(ox_singleton_set(world, Team, {2}));
    EXPECT_EQ(ox_singleton_get(world, Team)->id, 2);
    ((Team *)ox_singleton_edit_at(world, ox_component_id_of(Team), OX_HERE))->id = 3;
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT_EQ(ox_singleton_get(world, Team)->id, 2);
    end_world(world, &reports);
}

TEST(singletons, a_buffer_is_read_and_written) {
    ox_world *world = make_world(&reports);
    EXPECT(!ox_buffer_is_created(ox_singleton_get(world, Note)));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_SINGLE);
    ox_entity_create_in(world, ox_archetype_of(world, Note));
    EXPECT(ox_buffer_push(ox_singleton_edit(world, Note), Note, {4}));
    EXPECT_EQ(ox_buffer_get(ox_singleton_get(world, Note), 0, Note)->pitch, 4);
    ox_singleton_get_at(world, ox_component_id_of(Note), OX_HERE);
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    end_world(world, &reports);
}

TEST(singletons, what_can_be_switched_off_is_no_singleton) {
    ox_world *world = make_world(&reports);
    ox_entity_create_in(world, ox_archetype_of(world, Stunned));
    EXPECT(!ox_singleton_has(world, Stunned));
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT_EQ(ox_singleton_get(world, Stunned)->turns, 0);
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(!ox_singleton_set(world, Stunned, {1}));
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT_EQ(ox_singleton_create(world, Stunned, {1}).version, 0);
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(!ox_singleton_has_at(world, UINT32_MAX, OX_HERE));
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT);
    end_world(world, &reports);
}

// Queries.

TEST(singletons, the_one_entity_of_a_query_obeys_switches_and_filters) {
    ox_world *world = make_world(&reports);
    ox_entity a = ox_entity_create(world, OX_VALUE(Team, {1}), OX_VALUE_TAG(Lit));
    ox_entity b = ox_entity_create(world, OX_VALUE(Team, {2}), OX_VALUE_TAG(Lit));
    ox_query *query = ox_query_create(world, OX_READ(Team), OX_WITH(Lit));

    EXPECT_EQ(ox_query_get_single(query).version, 0);
    EXPECT_HAS(reports.text, "2 entities of world 'sea' match the query made at ");
    EXPECT_HAS(reports.text, "test_singletons.c:");
    EXPECT_HAS(reports.text, "fix: let just one entity match, or walk the query");
    EXPECT_REPORT(&reports, OX_REPORT_NOT_SINGLE);
    ox_set_enabled(world, a, Lit, false);
    EXPECT(is_same(ox_query_get_single(query), b));
    ox_set_enabled(world, a, Lit, true);
    EXPECT(ox_query_filter_shared(query, Team, {1}));
    EXPECT(is_same(ox_query_get_single(query), a));
    ox_set_enabled(world, a, Lit, false);
    EXPECT_EQ(ox_query_get_single(query).version, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NOT_SINGLE);
    end_world(world, &reports);
}

// Jobs.

OX_ENTITY_JOB(ChangeGravity, (OX_WRITE(Gravity, gravity)), { float add; }) {
    gravity->value += job->add;
}

OX_ENTITY_JOB(ReadGravity, (OX_READ(Gravity, gravity)), { int unused; }) {
}

OX_ENTITY_JOB(Compose, (OX_WRITE(Note, notes)), { int32_t pitch; }) {
    ox_buffer_push(notes, Note, {job->pitch});
}

static void expect_busy(const char *function, const char *job) {
    char text[96];
    snprintf(text, sizeof text, "%s of 'Gravity' while job '%s' is not complete", function, job);
    EXPECT_HAS(reports.text, text);
    EXPECT_HAS(reports.text, "fix: call ox_world_complete first; in a system, declare 'Gravity'");
    EXPECT_REPORT(&reports, OX_REPORT_SINGLETON_BUSY);
}

TEST(singletons, one_that_a_job_writes_is_not_read) {
    start_workers_of_test(0);
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_singleton_create(world, Gravity, {1});
    ox_job job = ox_schedule_entities(ChangeGravity, ox_world_get_root(world), OX_AUTO, {2});

    EXPECT(ox_singleton_has(world, Gravity) &&
           is_same(ox_singleton_get_entity(world, Gravity), entity));
    EXPECT_EQ(ox_singleton_get(world, Gravity)->value, 0.0f);
    expect_busy("ox_singleton_get", "ChangeGravity");
    ox_singleton_edit(world, Gravity)->value = 99;
    expect_busy("ox_singleton_edit", "ChangeGravity");
    EXPECT(!ox_singleton_set(world, Gravity, {99}));
    expect_busy("ox_singleton_set", "ChangeGravity");
    EXPECT(!ox_job_is_complete(job));

    ox_complete(job);
    EXPECT_EQ(ox_singleton_get(world, Gravity)->value, 3.0f);
    end_world(world, &reports);
    ox_jobs_stop();
}

TEST(singletons, one_that_a_job_reads_is_read_but_not_written) {
    start_workers_of_test(0);
    ox_world *world = make_world(&reports);
    ox_singleton_create(world, Gravity, {1});
    ox_job job = ox_schedule_entities(ReadGravity, ox_world_get_root(world), OX_AUTO, {0});

    EXPECT_EQ(ox_singleton_get(world, Gravity)->value, 1.0f);
    EXPECT(!ox_singleton_set(world, Gravity, {99}));
    expect_busy("ox_singleton_set", "ReadGravity");
    EXPECT(!ox_job_is_complete(job));

    ox_complete(job);
    EXPECT(ox_singleton_set(world, Gravity, {99}));
    end_world(world, &reports);
    ox_jobs_stop();
}

TEST(singletons, a_buffer_waits_for_jobs) {
    start_workers_of_test(0);
    ox_world *world = make_world(&reports);
    ox_entity_create_in(world, ox_archetype_of(world, Note));
    ox_job job = ox_schedule_entities(Compose, ox_world_get_root(world), OX_AUTO, {6});

    EXPECT_EQ(ox_buffer_get(ox_singleton_get(world, Note), 0, Note)->pitch, 6);
    EXPECT(ox_job_is_complete(job));
    end_world(world, &reports);
    ox_jobs_stop();
}
