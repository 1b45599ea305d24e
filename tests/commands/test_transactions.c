// SPDX-License-Identifier: MIT
//
// Worlds that are lent to jobs and threads.

#include "entities/kinds_test.h"

#include "base/crowd.h"
#include "jobs/jobs_test.h"
#include "oxbow/entity_jobs.h"
#include "oxbow/queries.h"
#include "oxbow/world.h"

#include <pthread.h>

enum { SHIPS = 500 };

static collected_reports reports;
static ox_world *world;

static void begin_test(void) {
    world = make_world(&reports);
}

static int count_ships(ox_world *here) {
    ox_query *query = ox_query_create(here, OX_READ(Health));
    int count = (int)ox_query_count(query);
    ox_query_destroy(query);
    return count;
}

static void build(ox_world *here) {
    for (int k = 0; k < SHIPS; k++) {
        ox_entity ship = ox_entity_create(here, OX_VALUE(Health, {k}), OX_VALUE(Team, {k % 3}),
                                          OX_VALUE_TAG(Note));
        ox_buffer_resize(ox_edit(here, ship, Note), k % 5);
        if (k % 4 == 0) {
            ox_entity_destroy(here, ship);
        }
    }
    ox_query *query = ox_query_create(here, OX_WRITE(Health));
    OX_EACH_CHUNK(query, chunk) {
        for (int k = 0; k < chunk.count; k++) {
            ox_chunk_edit(chunk, Health)[k].points++;
        }
    }
    ox_query_destroy(query);
}

OX_JOB(Build, { ox_transaction lent; }) {
    ox_world *here = ox_transaction_enter(job->lent);
    if (here != NULL) {
        build(here);
        ox_transaction_leave(job->lent);
    }
}

// Lending.

TEST(transactions, a_job_builds_in_a_world_that_is_lent) {
    begin_test();
    start_workers_of_test(1);
    ox_transaction lent = ox_transaction_begin(world);

    ox_job job = ox_schedule(Build, OX_NO_JOB, {lent});
    ox_jobs_kick();
    EXPECT(ox_transaction_end(&lent, job));

    EXPECT(lent.world == NULL);
    EXPECT_EQ(count_ships(world), SHIPS * 3 / 4);
    end_world(world, &reports);
    ox_jobs_stop();
}

TEST(transactions, jobs_that_follow_each_other_take_turns) {
    begin_test();
    start_workers_of_test(2);
    ox_transaction lent = ox_transaction_begin(world);

    ox_job first = ox_schedule(Build, OX_NO_JOB, {lent});
    ox_job second = ox_schedule(Build, first, {lent});
    EXPECT(ox_transaction_end(&lent, second));

    EXPECT_EQ(count_ships(world), SHIPS * 3 / 2);
    end_world(world, &reports);
    ox_jobs_stop();
}

TEST(transactions, what_a_job_builds_is_what_the_owner_would_have_built) {
    begin_test();
    start_workers_of_test(1);
    collected_reports others;
    ox_world *own = make_world(&others);
    build(own);

    ox_transaction lent = ox_transaction_begin(world);
    EXPECT(ox_transaction_end(&lent, ox_schedule_background(Build, OX_NO_JOB, {lent})));

    EXPECT_EQ(ox_world_hash_layout(world), ox_world_hash_layout(own));
    end_world(own, &others);
    end_world(world, &reports);
    ox_jobs_stop();
}

static void *build_on_thread(void *context) {
    ox_transaction *lent = context;
    ox_world *here = ox_transaction_enter(*lent);
    EXPECT(here != NULL);
    build(here);
    EXPECT(ox_transaction_leave(*lent));
    return NULL;
}

TEST(transactions, a_thread_builds_in_a_world_that_is_lent) {
    begin_test();
    ox_transaction lent = ox_transaction_begin(world);
    pthread_t thread;

    EXPECT_EQ(pthread_create(&thread, NULL, build_on_thread, &lent), 0);
    pthread_join(thread, NULL);
    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));

    EXPECT_EQ(count_ships(world), SHIPS * 3 / 4);
    end_world(world, &reports);
}

TEST(transactions, the_owner_may_enter_too) {
    begin_test();
    ox_transaction lent = ox_transaction_begin(world);

    EXPECT(ox_transaction_enter(lent) == world);
    EXPECT_NE(ox_entity_create(world).version, 0);
    EXPECT(ox_transaction_leave(lent));

    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));
    end_world(world, &reports);
}

OX_ENTITY_JOB(Raise, (OX_WRITE(Health, health)), { int32_t by; }) {
    health->points += job->by;
}

TEST(transactions, beginning_completes_the_jobs_of_the_world_and_closes_holes) {
    begin_test();
    start_workers_of_test(1);
    ox_entity ships[8];
    for (int k = 0; k < 8; k++) {
        ships[k] = ox_entity_create(world, OX_VALUE(Health, {0}));
    }
    ox_entity_destroy(world, ships[2]);
    ox_schedule_entities(Raise, ox_world_get_root(world), OX_AUTO, {5});

    ox_transaction lent = ox_transaction_begin(world);

    EXPECT_EQ(world->store.dirty_count, 0);
    EXPECT(ox_transaction_enter(lent) != NULL);
    EXPECT_EQ(ox_get(world, ships[7], Health)->points, 5);
    EXPECT(ox_transaction_leave(lent));
    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));
    end_world(world, &reports);
    ox_jobs_stop();
}

// Wrong use.

TEST_CHECKED(transactions, every_use_of_a_lent_world_by_others_is_reported) {
    begin_test();
    start_workers_of_test(1);
    ox_entity ship = ox_entity_create(world, OX_VALUE(Health, {1}));
    ox_query *query = ox_query_create(world, OX_READ(Health));
    ox_transaction lent = ox_transaction_begin(world);

    ox_entity_create(world);
    EXPECT_HAS(reports.text, "tests/commands/test_transactions.c:"); // where it was begun
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_LENT);
    ox_get(world, ship, Health);
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_LENT);
    ox_query_chunks(query);
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_LENT);
    ox_schedule_entities(Raise, ox_world_get_root(world), OX_AUTO, {5});
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_LENT);

    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));
    EXPECT_EQ(count_ships(world), 1);
    end_world(world, &reports);
    ox_jobs_stop();
}

OX_JOB(LookUp, {
    ox_lookup healths;
    ox_entity ship;
}) {
    ox_lookup_get(&job->healths, job->ship, Health);
}

TEST_CHECKED(transactions, views_lookups_and_buffers_of_before_are_no_way_in) {
    begin_test();
    start_workers_of_test(1);
    ox_entity ship = ox_entity_create(world, OX_VALUE(Health, {1}), OX_VALUE_TAG(Note));
    ox_query *query = ox_query_create(world, OX_READ(Health));
    ox_view view = ox_query_view(query, Health);
    ox_lookup lookup = ox_lookup_create(world, Health);
    EXPECT_EQ(ox_lookup_get(&lookup, ship, Health)->points, 1); // inline code knows the way now
    ox_buffer notes = ox_edit(world, ship, Note);
    ox_transaction lent = ox_transaction_begin(world);

    EXPECT_EQ(ox_view_read(view, 0, Health).points, 0);
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_LENT);
    ox_lookup_get(&lookup, ship, Health);
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_LENT);
    ox_buffer_push(notes, Note, {1});
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_LENT);
    EXPECT_EQ(ox_schedule(LookUp, OX_NO_JOB, {lookup, ship}).value, 0);
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_LENT);

    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));
    end_world(world, &reports);
    ox_jobs_stop();
}

// What main took before the world was lent.
typedef struct taken_before {
    ox_chunk chunk;
    ox_view view, entities;
    ox_buffer notes;
    ox_buffer_view elements;
    ox_lookup lookup;
    ox_entity ship;
} taken_before;

#define USE(name) static void use_##name(taken_before *t)

USE(next) {
    EXPECT(!ox_chunk_next(&t->chunk));
}
USE(column) {
    EXPECT_EQ(ox_chunk_get(t->chunk, Health)->points, 0);
}
USE(edit_column) {
    ox_chunk_edit(t->chunk, Health)->points = 5;
}
USE(chunk_buffer) {
    EXPECT(!ox_buffer_is_created(ox_buffers_get(ox_chunk_get(t->chunk, Note), 0)));
}
USE(chunk_is_enabled) {
    EXPECT(!ox_chunk_is_enabled(t->chunk, 0, Stunned));
}
USE(chunk_set_enabled) {
    EXPECT(!ox_chunk_set_enabled(t->chunk, 0, Stunned, true));
}
USE(chunk_shared) {
    ox_chunk_get(t->chunk, Team);
}
USE(chunk_set_shared) {
    EXPECT(!ox_chunk_set_shared(t->chunk, Team, {5}));
}
USE(view) {
    EXPECT_EQ(ox_view_read(t->view, 0, Health).points, 0);
}
USE(view_window) {
    EXPECT_EQ(ox_view_get_span(t->view, 0, 1).count, 0);
}
USE(view_set) {
    ox_view_set(t->view, 0, Health, {5});
}
USE(view_entity) {
    EXPECT_EQ(ox_view_read_entity(t->entities, 0).version, 0);
}
USE(append) {
    EXPECT(!ox_buffer_push(t->notes, Note, {1}));
}
USE(element) {
    EXPECT_EQ(ox_buffer_view_get(t->elements, 0, Note)->pitch, 0);
}
USE(lookup) {
    EXPECT_EQ(ox_lookup_get(&t->lookup, t->ship, Health)->points, 0);
}
USE(lookup_buffer) {
    EXPECT(!ox_buffer_is_created(ox_lookup_get_buffer_at(&t->lookup, t->ship, false, OX_HERE)));
}

static taken_before take_before(void) {
    taken_before taken = {.ship =
                              ox_entity_create(world, OX_VALUE(Health, {1}), OX_VALUE(Team, {1}),
                                               OX_VALUE_TAG(Note), OX_VALUE(Stunned, {1}))};
    ox_query *query =
        ox_query_create(world, OX_WRITE(Health), OX_READ(Team), OX_WRITE(Note), OX_WRITE(Stunned));
    taken.notes = ox_edit(world, taken.ship, Note);
    EXPECT(ox_buffer_push(taken.notes, Note, {7}));
    taken.elements = ox_buffer_view_create(taken.notes);
    taken.view = ox_query_view(query, Health);
    taken.entities = ox_query_view_entities(query);
    taken.lookup = ox_lookup_create(world, Health);
    taken.chunk = ox_query_chunks(query);
    EXPECT(ox_chunk_next(&taken.chunk));
    return taken;
}

static oxi_atomic_u32 is_building, is_enough;

OX_JOB(BuildOn, { ox_transaction lent; }) {
    ox_world *here = ox_transaction_enter(job->lent);
    for (int k = 0; here != NULL && k < 10000 && atomic_load(&is_enough) == 0; k++) {
        ox_entity_destroy(
            here, ox_entity_create_in(here, ox_archetype_of(here, Health, Team, Note, Stunned)));
        atomic_store(&is_building, 1);
    }
    ox_transaction_leave(job->lent);
}

// Main holds them, and somebody else is inside: none of them looks at the world.
TEST_CHECKED(transactions, nothing_of_before_looks_at_a_world_while_a_job_changes_it) {
    static void (*const uses[])(taken_before * taken) = {use_next,
                                                         use_column,
                                                         use_edit_column,
                                                         use_chunk_buffer,
                                                         use_chunk_is_enabled,
                                                         use_chunk_shared,
                                                         use_chunk_set_enabled,
                                                         use_chunk_set_shared,
                                                         use_view,
                                                         use_view_window,
                                                         use_view_set,
                                                         use_view_entity,
                                                         use_append,
                                                         use_element,
                                                         use_lookup,
                                                         use_lookup_buffer};
    begin_test();
    start_workers_of_test(1);
    taken_before taken = take_before();
    atomic_store(&is_building, 0);
    atomic_store(&is_enough, 0);
    ox_transaction lent = ox_transaction_begin(world);
    ox_job job = ox_schedule(BuildOn, OX_NO_JOB, {lent});
    ox_jobs_kick();
    wait_for_value(&is_building, 1, "a job inside of a transaction");

    for (size_t k = 0; k < sizeof uses / sizeof *uses; k++) {
        taken_before copy = taken;
        uses[k](&copy);
        EXPECT_REPORT(&reports, OX_REPORT_WORLD_LENT);
    }

    atomic_store(&is_enough, 1);
    EXPECT(ox_transaction_end(&lent, job));
    EXPECT_EQ(ox_get(world, taken.ship, Health)->points, 1);
    end_world(world, &reports);
    ox_jobs_stop();
}

TEST(transactions, a_lent_world_is_not_lent_again_not_destroyed_and_not_moved) {
    begin_test();
    collected_reports others;
    ox_world *other = make_world(&others);
    ox_transaction lent = ox_transaction_begin(world);

    EXPECT(ox_transaction_begin(world).world == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_LENT);
    ox_world_destroy(world);
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_LENT);
    EXPECT_EQ(ox_world_move(other, world, NULL), -1);
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_LENT);

    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));
    end_world(other, &others);
    end_world(world, &reports);
}

TEST(transactions, a_second_one_inside_is_reported) {
    begin_test();
    ox_transaction lent = ox_transaction_begin(world);
    EXPECT(ox_transaction_enter(lent) != NULL);

    EXPECT(ox_transaction_enter(lent) == NULL);

    EXPECT_REPORT(&reports, OX_REPORT_TRANSACTION_ENTERED);
    EXPECT(ox_transaction_leave(lent));
    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));
    end_world(world, &reports);
}

TEST(transactions, ending_while_somebody_is_inside_is_reported_and_ends_nothing) {
    begin_test();
    ox_transaction lent = ox_transaction_begin(world);
    EXPECT(ox_transaction_enter(lent) != NULL);

    EXPECT(!ox_transaction_end(&lent, OX_NO_JOB));

    EXPECT_HAS(reports.text, "a thread (tests/commands/test_transactions.c:");
    EXPECT_REPORT(&reports, OX_REPORT_TRANSACTION_ENTERED);
    EXPECT_NE(ox_entity_create(world).version, 0);
    EXPECT(ox_transaction_leave(lent));
    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));
    end_world(world, &reports);
}

OX_JOB(Forget, { ox_transaction lent; }) {
    ox_transaction_enter(job->lent);
}

TEST(transactions, a_job_that_does_not_leave_is_named_and_left_for) {
    begin_test();
    start_workers_of_test(1);
    ox_transaction lent = ox_transaction_begin(world);
    ox_job job = ox_schedule(Forget, OX_NO_JOB, {lent});
    ox_complete(job);

    EXPECT_HAS(reports.text, "job 'Forget' (");
    EXPECT_HAS(reports.text, "world 'sea'");
    EXPECT_HAS(reports.text, "tests/commands/test_transactions.c:");
    EXPECT_REPORT(&reports, OX_REPORT_TRANSACTION_NOT_LEFT);

    EXPECT(ox_transaction_end(&lent, job));
    EXPECT_NE(ox_entity_create(world).version, 0);
    end_world(world, &reports);
    ox_jobs_stop();
}

TEST(transactions, a_job_after_one_that_did_not_leave_may_enter) {
    begin_test();
    start_workers_of_test(1);
    ox_transaction lent = ox_transaction_begin(world);
    ox_job first = ox_schedule(Forget, OX_NO_JOB, {lent});
    ox_job second = ox_schedule(Build, first, {lent});

    EXPECT(ox_transaction_end(&lent, second));

    EXPECT_REPORT(&reports, OX_REPORT_TRANSACTION_NOT_LEFT);
    EXPECT_EQ(count_ships(world), SHIPS * 3 / 4);
    end_world(world, &reports);
    ox_jobs_stop();
}

OX_JOB(ForgetTwo, {
    ox_transaction lent;
    ox_transaction other;
}) {
    ox_transaction_enter(job->lent);
    ox_transaction_enter(job->other);
    ox_memory_alloc(OX_TEMP, 8, 8); // the job's scope, too
}

TEST(transactions, a_job_leaves_all_that_it_entered_and_nothing_else) {
    begin_test();
    start_workers_of_test(0); // main runs the job
    collected_reports others, more;
    ox_world *other = make_world(&others), *own = make_world(&more);
    ox_transaction lent = ox_transaction_begin(world), second = ox_transaction_begin(other);
    ox_transaction mine = ox_transaction_begin(own);
    EXPECT(ox_transaction_enter(mine) == own);

    ox_complete(ox_schedule(ForgetTwo, OX_NO_JOB, {lent, second}));

    EXPECT_REPORT(&reports, OX_REPORT_TRANSACTION_NOT_LEFT);
    EXPECT_REPORT(&others, OX_REPORT_TRANSACTION_NOT_LEFT);
    EXPECT(ox_transaction_end(&lent, OX_NO_JOB) && ox_transaction_end(&second, OX_NO_JOB));
    EXPECT_NE(ox_entity_create(own).version, 0);
    EXPECT(ox_transaction_leave(mine) && ox_transaction_end(&mine, OX_NO_JOB));
    end_world(own, &more);
    end_world(other, &others);
    end_world(world, &reports);
    ox_jobs_stop();
}

static void *end_inside(void *context) {
    ox_transaction *lent = context;
    EXPECT(ox_transaction_enter(*lent) != NULL);
    EXPECT_NE(ox_entity_create(lent->world).version, 0);
    if (lent->number % 2 == 0) {
        pthread_exit(NULL);
    }
    return NULL;
}

TEST(transactions, a_thread_that_ends_inside_is_told_and_the_world_comes_back) {
    begin_test();
    for (int k = 0; k < 2; k++) {
        ox_transaction lent = ox_transaction_begin(world);
        pthread_t thread;
        EXPECT_EQ(pthread_create(&thread, NULL, end_inside, &lent), 0);
        pthread_join(thread, NULL);

        EXPECT_HAS(reports.text, "a thread (");
        EXPECT_HAS(reports.text, "world 'sea'");
        EXPECT_REPORT(&reports, OX_REPORT_TRANSACTION_NOT_LEFT);
        EXPECT(ox_transaction_end(&lent, OX_NO_JOB));
    }
    EXPECT_EQ(ox_world_get_usage(world).entity_count, 2);
    end_world(world, &reports);
}

TEST_CHECKED(transactions, what_was_looked_at_inside_ends_with_who_did_not_leave) {
    begin_test();
    start_workers_of_test(1);
    ox_entity ship = ox_entity_create(world, OX_VALUE(Health, {1}), OX_VALUE_TAG(Note));
    ox_transaction lent = ox_transaction_begin(world);
    uint64_t changes = world->store.change_count;

    ox_complete(ox_schedule(Forget, OX_NO_JOB, {lent}));

    EXPECT(world->store.change_count > changes);
    EXPECT_REPORT(&reports, OX_REPORT_TRANSACTION_NOT_LEFT);
    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));
    EXPECT_EQ(ox_get(world, ship, Health)->points, 1);
    end_world(world, &reports);
    ox_jobs_stop();
}

TEST(transactions, leaving_without_having_entered_is_reported) {
    begin_test();
    ox_transaction lent = ox_transaction_begin(world);

    EXPECT(!ox_transaction_leave(lent));

    EXPECT_REPORT(&reports, OX_REPORT_TRANSACTION_NOT_ENTERED);
    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));
    end_world(world, &reports);
}

static void *leave_elsewhere(void *context) {
    ox_transaction *lent = context;
    EXPECT(!ox_transaction_leave(*lent));
    return NULL;
}

static void *enter_and_let_leave(void *context) {
    ox_transaction *lent = context;
    pthread_t other;
    EXPECT(ox_transaction_enter(*lent) != NULL);
    EXPECT_EQ(pthread_create(&other, NULL, leave_elsewhere, lent), 0);
    pthread_join(other, NULL);
    EXPECT_NE(ox_entity_create(lent->world).version, 0);
    EXPECT(ox_transaction_leave(*lent));
    return NULL;
}

TEST(transactions, a_thread_that_shares_an_index_with_who_is_inside_is_not) {
    begin_test();
    begin_crowd();
    ox_transaction lent = ox_transaction_begin(world);
    pthread_t thread;

    EXPECT_EQ(pthread_create(&thread, NULL, enter_and_let_leave, &lent), 0);
    pthread_join(thread, NULL);

    EXPECT_REPORT(&reports, OX_REPORT_TRANSACTION_NOT_ENTERED);
    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));
    end_world(world, &reports);
    end_crowd();
}

TEST(transactions, a_handle_is_dead_after_the_end) {
    collected_reports all;
    collect_reports(&all);
    begin_test();
    ox_transaction lent = ox_transaction_begin(world), copy = lent, none = {0};
    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));

    EXPECT(ox_transaction_enter(copy) == NULL);
    EXPECT_REPORT(&all, OX_REPORT_TRANSACTION_OVER);
    EXPECT(!ox_transaction_leave(copy));
    EXPECT_REPORT(&all, OX_REPORT_TRANSACTION_OVER);
    EXPECT(!ox_transaction_end(&copy, OX_NO_JOB));
    EXPECT_REPORT(&all, OX_REPORT_TRANSACTION_OVER);
    EXPECT(ox_transaction_enter(none) == NULL);
    EXPECT_REPORT(&all, OX_REPORT_TRANSACTION_OVER);
    EXPECT(!ox_transaction_end(NULL, OX_NO_JOB));
    EXPECT_REPORT(&all, OX_REPORT_NULL_ARGUMENT);

    ox_transaction again = ox_transaction_begin(world);
    EXPECT(ox_transaction_enter(copy) == NULL);
    EXPECT_REPORT(&all, OX_REPORT_TRANSACTION_OVER);
    EXPECT(ox_transaction_end(&again, OX_NO_JOB));
    end_world(world, &reports);
}

TEST(transactions, a_handle_is_dead_after_the_end_of_the_world) {
    collected_reports all;
    collect_reports(&all);
    begin_test();
    ox_transaction lent = ox_transaction_begin(world), copy = lent;
    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));
    end_world(world, &reports);

    EXPECT(ox_transaction_enter(copy) == NULL);
    EXPECT_REPORT(&all, OX_REPORT_TRANSACTION_OVER);
    EXPECT(!ox_transaction_leave(copy));
    EXPECT_REPORT(&all, OX_REPORT_TRANSACTION_OVER);
    EXPECT(!ox_transaction_end(&copy, OX_NO_JOB));
    EXPECT_REPORT(&all, OX_REPORT_TRANSACTION_OVER);
}

// Another world may have the memory, and be lent as often.
TEST(transactions, a_handle_of_a_world_that_ended_is_not_one_of_the_next) {
    collected_reports all;
    collect_reports(&all);
    begin_test();
    ox_transaction lent = ox_transaction_begin(world), copy = lent;
    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));
    end_world(world, &reports);
    begin_test();
    lent = ox_transaction_begin(world);
    copy.world = lent.world;
    copy.access = lent.access;

    EXPECT(ox_transaction_enter(copy) == NULL);

    EXPECT_REPORT(&all, OX_REPORT_TRANSACTION_OVER);
    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));
    end_world(world, &reports);
}

TEST_CHECKED(transactions, two_jobs_that_do_not_wait_for_each_other_are_reported) {
    collected_reports all;
    collect_reports(&all);
    begin_test();
    start_workers_of_test(1);
    ox_transaction lent = ox_transaction_begin(world);
    ox_job first = ox_schedule(Build, OX_NO_JOB, {lent});

    ox_job second = ox_schedule(Build, OX_NO_JOB, {lent});

    EXPECT_EQ(second.value, 0);
    EXPECT_REPORT(&all, OX_REPORT_TWO_JOBS_RACE);
    EXPECT(ox_transaction_end(&lent, first));
    end_world(world, &reports);
    ox_jobs_stop();
}

TEST_CHECKED(transactions, ending_without_the_job_that_holds_it_is_reported) {
    collected_reports all;
    collect_reports(&all);
    begin_test();
    start_workers_of_test(1);
    ox_transaction lent = ox_transaction_begin(world);
    ox_job job = ox_schedule(Build, OX_NO_JOB, {lent}); // nobody kicks it

    EXPECT(!ox_transaction_end(&lent, OX_NO_JOB));

    EXPECT_NE(all.count, 0);
    EXPECT(lent.world == world);
    EXPECT(ox_transaction_end(&lent, job));
    end_world(world, &reports);
    ox_jobs_stop();
}

static void *end_on_thread(void *context) {
    EXPECT(!ox_transaction_end((ox_transaction *)context, OX_NO_JOB));
    return NULL;
}

OX_JOB(EndInside, { ox_transaction lent; }) {
    ox_transaction lent = job->lent;
    EXPECT(!ox_transaction_end(&lent, OX_NO_JOB));
}

TEST(transactions, only_the_lender_takes_a_world_back) {
    begin_test();
    start_workers_of_test(1);
    ox_transaction lent = ox_transaction_begin(world);
    pthread_t thread;

    EXPECT_EQ(pthread_create(&thread, NULL, end_on_thread, &lent), 0);
    pthread_join(thread, NULL);
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_THREAD);
    ox_job job = ox_schedule(EndInside, OX_NO_JOB, {lent});
    ox_complete(job);
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_IN_JOB);

    EXPECT(ox_transaction_end(&lent, OX_NO_JOB));
    end_world(world, &reports);
    ox_jobs_stop();
}

// Streaming: one world is built in the background while another is updated, then moved into it.

OX_JOB(BuildSector, {
    ox_transaction lent;
    int32_t number;
    int32_t count;
}) {
    ox_world *here = ox_transaction_enter(job->lent);
    for (int32_t k = 0; here != NULL && k < job->count; k++) {
        ox_entity_create(here, OX_VALUE(Health, {k}), OX_VALUE(Team, {job->number % 4}),
                         OX_VALUE(Position, {(float)job->number, (float)k}));
    }
    ox_transaction_leave(job->lent);
}

TEST(transactions, sectors_stream_in_while_frames_run) {
    enum { SECTORS = 12, SECTOR = 2000, FRAMES = 5 };
    begin_test();
    start_workers_of_test(2);
    collected_reports others;
    ox_world *staging = make_world(&others);
    EXPECT(ox_world_reserve(world, SECTORS * SECTOR));
    int raised = 0;
    for (int32_t sector = 0; sector < SECTORS; sector++) {
        ox_transaction lent = ox_transaction_begin(staging);
        ox_job job = ox_schedule_background(BuildSector, OX_NO_JOB, {lent, sector, SECTOR});
        ox_jobs_kick();
        for (int frame = 0; frame < FRAMES || !ox_job_is_complete(job); frame++) {
            ox_complete(ox_schedule_entities(Raise, ox_world_get_root(world), OX_AUTO, {0}));
            raised++;
        }
        EXPECT(ox_transaction_end(&lent, job));
        EXPECT_EQ(ox_world_move(world, staging, NULL), SECTOR);
    }

    EXPECT(raised >= SECTORS * FRAMES);
    EXPECT_EQ(count_ships(world), SECTORS * SECTOR);
    end_world(staging, &others);
    end_world(world, &reports);
    ox_jobs_stop();
}
