// SPDX-License-Identifier: MIT
//
// Jobs that use components and that nobody answers for: what main may do beside them, what is
// refused, and what is refused when they are scheduled.

#include "plain_jobs_test.h"

#include "oxbow/buffers.h"
#include "oxbow/entities.h"
#include "oxbow/queries.h"

OX_SHARED(Side, { int id; });
OX_ENABLEABLE(Stun, { int turns; });
OX_BUFFER(Tune, 2, { int pitch; });

// One entity that has everything.
typedef struct lone_world {
    collected_reports reports;
    ox_world *world;
    ox_entity entity;
    ox_query *reads, *writes, *stunned; // of Count; of Stun
} lone_world;

static void begin_lone(lone_world *l) {
    *l = (lone_world){0};
    start_workers_of_test(0);
    collect_reports(&l->reports);
    l->world = ox_world_create(NULL);
    l->entity = ox_entity_create_in(l->world, ox_archetype_of(l->world, Count, Stun, Tune, Side));
    ox_set(l->world, l->entity, Count, {5});
    ox_buffer_push(ox_edit(l->world, l->entity, Tune), Tune, {440});
    l->reads = ox_query_create(l->world, OX_READ(Count), OX_READ(Side));
    l->writes = ox_query_create(l->world, OX_WRITE(Count), OX_WITH(Side));
    l->stunned = ox_query_create(l->world, OX_WRITE(Stun));
}

static void end_lone(lone_world *l) {
    EXPECT_EQ(l->reports.count, 0);
    EXPECT(ox_world_validate(l->world));
    end_jobs_test(l->world);
}

// What main does. Each is true when it did something.
#define CALL(name) static bool call_##name(lone_world *l)

CALL(get) {
    return ox_get(l->world, l->entity, Count)->value == 5;
}
CALL(read) {
    return ox_read(l->world, l->entity, Count).value == 5;
}
CALL(edit) {
    ox_edit(l->world, l->entity, Count)->value = 6;
    return true;
}
CALL(set) {
    return ox_set(l->world, l->entity, Count, {6});
}
CALL(lookup_get) {
    ox_lookup counts = ox_lookup_create(l->world, Count);
    return ox_lookup_get(&counts, l->entity, Count)->value == 5;
}
CALL(view_get) {
    return ox_view_read(ox_query_view(l->reads, Count), 0, Count).value == 5;
}
CALL(view_window) {
    return ox_view_get_span(ox_query_view(l->reads, Count), 0, 1).count == 1;
}
CALL(view_set) {
    ox_view_set(ox_query_view(l->writes, Count), 0, Count, {6});
    return true;
}
CALL(walk_reading) {
    int steps = 0;
    OX_EACH_CHUNK(l->reads, chunk) {
        steps++;
    }
    return steps == 1;
}
CALL(walk_writing) {
    int steps = 0;
    OX_EACH_CHUNK(l->writes, chunk) {
        steps++;
    }
    return steps == 1;
}
CALL(to_array) {
    ox_array values = ox_query_copy_values(l->reads, Count, OX_PERSISTENT);
    bool is_made = ox_array_is_created(values);
    if (is_made) {
        ox_dispose(&values);
    }
    return is_made;
}
CALL(from_array) {
    ox_array values = ox_array_create_untyped(Count, 1, OX_PERSISTENT);
    bool is_done = ox_query_set_values(l->writes, Count, values);
    ox_dispose(&values);
    return is_done;
}
CALL(singleton_get) {
    return ox_singleton_get(l->world, Count)->value == 5;
}
CALL(singleton_set) {
    return ox_singleton_set(l->world, Count, {6});
}
CALL(hash) {
    return ox_world_hash(l->world) != 0;
}
CALL(layout_hash) {
    return ox_world_hash_layout(l->world) != 0;
}
CALL(create) {
    return ox_entity_create(l->world).version != 0;
}
CALL(create_with) {
    return ox_entity_create(l->world, OX_VALUE(Extra, {1})).version != 0;
}
CALL(create_many) {
    ox_entity made[3];
    return ox_entities_create(l->world, ox_archetype_of(l->world, Extra), made, 3);
}
CALL(instantiate) {
    return ox_entity_instantiate(l->world, l->entity).version != 0;
}
CALL(copy) {
    ox_entity copied;
    return ox_entities_copy(l->world, &l->entity, &copied, 1);
}
CALL(destroy) {
    ox_entity_destroy(l->world, l->entity);
    return !ox_entity_exists(l->world, l->entity);
}
CALL(add_to_array) {
    return ox_entities_add(l->world, &l->entity, 1, Extra, {1});
}
CALL(remove_from_array) {
    return ox_entities_remove(l->world, &l->entity, 1, Count);
}
CALL(destroy_many) {
    return ox_entities_destroy(l->world, &l->entity, 1);
}
CALL(add) {
    return ox_add(l->world, l->entity, Extra, {1});
}
CALL(add_many) {
    return ox_add_many(l->world, l->entity, OX_VALUE(Extra, {1}), OX_VALUE_TAG(Red));
}
CALL(remove) {
    return ox_remove(l->world, l->entity, Count);
}
CALL(set_archetype) {
    return ox_entity_set_archetype(l->world, l->entity, ox_archetype_of(l->world, Count));
}
CALL(set_shared) {
    return ox_set(l->world, l->entity, Side, {2});
}
CALL(set_entity_enabled) {
    return ox_entity_set_enabled(l->world, l->entity, false);
}
CALL(query_add) {
    return ox_query_add(l->reads, Extra);
}
CALL(query_remove) {
    return ox_query_remove(l->reads, Count);
}
CALL(query_destroy) {
    return ox_query_destroy_entities(l->reads) == 1;
}
CALL(query_set_shared) {
    return ox_query_set_shared(l->reads, Side, {3});
}
CALL(defragment) { // moves nothing here, and asks all the same
    ox_world_defragment(l->world, 100);
    return true;
}
CALL(get_buffer) {
    return ox_get(l->world, l->entity, Tune).oxi_head != NULL;
}
CALL(edit_buffer) {
    return ox_edit(l->world, l->entity, Tune).oxi_head != NULL;
}
CALL(is_enabled) {
    return ox_is_enabled(l->world, l->entity, Stun);
}
CALL(set_enabled) {
    return ox_set_enabled(l->world, l->entity, Stun, false);
}
CALL(query_set_enabled) {
    return ox_query_set_enabled(l->stunned, Stun, false);
}
CALL(count_by_switch) {
    return ox_query_count(l->stunned) == 1;
}
CALL(single_by_switch) {
    return ox_query_get_single(l->stunned).version != 0;
}
CALL(entities_by_switch) {
    ox_array entities = ox_query_copy_entities(l->stunned, OX_PERSISTENT);
    bool is_made = ox_array_is_created(entities);
    if (is_made) {
        ox_dispose(&entities);
    }
    return is_made;
}
CALL(view_by_switch) {
    return ox_query_view_entities(l->stunned).count == 1;
}

typedef struct beside_case {
    const char *what;
    bool (*call)(lone_world *l);
    bool writes; // so a reader stands in its way, too
    ox_component *held;
} beside_case;

#define READS(name, T)                                                                             \
    { #name, call_##name, false, ox_component_of(T) }
#define WRITES(name, T)                                                                            \
    { #name, call_##name, true, ox_component_of(T) }

static uint32_t list_cases(beside_case *cases) {
    const beside_case list[] = {
        READS(get, Count),
        READS(read, Count),
        READS(lookup_get, Count),
        READS(view_get, Count),
        READS(view_window, Count),
        READS(walk_reading, Count),
        READS(to_array, Count),
        READS(singleton_get, Count),
        READS(get_buffer, Tune),
        READS(is_enabled, Stun),
        READS(count_by_switch, Stun),
        READS(single_by_switch, Stun),
        READS(entities_by_switch, Stun),
        READS(view_by_switch, Stun),
        WRITES(edit, Count),
        WRITES(set, Count),
        WRITES(view_set, Count),
        WRITES(walk_writing, Count),
        WRITES(from_array, Count),
        WRITES(singleton_set, Count),
        WRITES(edit_buffer, Tune),
        WRITES(set_enabled, Stun),
        WRITES(query_set_enabled, Stun),
        WRITES(hash, Count),
        WRITES(layout_hash, Count),
        WRITES(create, Count),
        WRITES(create_with, Count),
        WRITES(create_many, Count),
        WRITES(instantiate, Count),
        WRITES(copy, Count),
        WRITES(destroy, Count),
        WRITES(destroy_many, Count),
        WRITES(add_to_array, Count),
        WRITES(remove_from_array, Count),
        WRITES(add, Count),
        WRITES(add_many, Count),
        WRITES(remove, Count),
        WRITES(set_archetype, Count),
        WRITES(set_shared, Count),
        WRITES(set_entity_enabled, Count),
        WRITES(query_add, Count),
        WRITES(query_remove, Count),
        WRITES(query_destroy, Count),
        WRITES(query_set_shared, Count),
        WRITES(defragment, Count),
    };
    memcpy(cases, list, sizeof list);
    return sizeof list / sizeof *list;
}

enum { MOST_CASES = 64 };

// True when a call does not tell by itself that it was refused.
static bool tells_nothing(const beside_case *one) {
    return one->call == call_edit || one->call == call_view_set || one->call == call_defragment;
}

static void expect_beside(const beside_case *one, bool job_writes) {
    lone_world l;
    begin_lone(&l);
    uint64_t before = ox_world_hash(l.world);
    uint32_t entities = ox_world_get_usage(l.world).entity_count;
    uint32_t archetypes = ox_world_get_usage(l.world).archetype_count;
    ox_lookup held =
        ox_lookup_create_at(l.world, ox_component_id_of_at(one->held, OX_HERE), OX_HERE);
    ox_job job = job_writes ? ox_schedule(LookToWrite, OX_NO_JOB, {held})
                            : ox_schedule(LookToRead, OX_NO_JOB, {held});
    bool is_refused = one->writes || job_writes;

    bool is_done = one->call(&l);

    bool is_right = l.reports.count == is_refused &&
                    (!is_refused || l.reports.last == OX_REPORT_UNREGISTERED_JOB) &&
                    (is_done == !is_refused || tells_nothing(one));
    if (!is_right) {
        test_fail(__FILE__, __LINE__, "%s beside a job that %s: %d reports, the last %s", one->what,
                  job_writes ? "writes" : "reads", l.reports.count, l.reports.text);
    }
    l.reports.count = 0;
    ox_complete(job);
    EXPECT_EQ(ox_world_hash(l.world), before);
    EXPECT_EQ(ox_world_get_usage(l.world).entity_count, entities);
    EXPECT(ox_world_get_usage(l.world).archetype_count <= archetypes + 1); // by ox_archetype_of
    EXPECT(one->call(&l));
    end_lone(&l);
}

TEST_CHECKED(unregistered_jobs, refuse_what_they_stand_in_the_way_of_until_they_are_complete) {
    beside_case cases[MOST_CASES];
    uint32_t count = list_cases(cases);
    for (uint32_t k = 0; k < count; k++) {
        expect_beside(&cases[k], true);
        expect_beside(&cases[k], false);
    }
}

TEST_CHECKED(unregistered_jobs, are_named_with_what_they_do) {
    lone_world l;
    begin_lone(&l);
    ox_view counts = ox_query_view(l.writes, Count);
    ox_job job =
        ox_schedule_at(ox_job_type_of(HoldToWrite), OX_NO_JOB, &(HoldToWrite){counts}, "game.c:30");

    ox_get_at(l.world, l.entity, ox_component_id_of(Count), "game.c:31");

    EXPECT_HAS(l.reports.text, "OX-W02 a job that no system completes uses components");
    EXPECT_HAS(l.reports.text, "main reads 'Count'");
    EXPECT_HAS(l.reports.text, "job 'HoldToWrite' (game.c:30) writes it, was not completed, and no "
                               "system returned its handle");
    EXPECT_HAS(l.reports.text, "or complete it before game.c:31");
    EXPECT_REPORT(&l.reports, OX_REPORT_UNREGISTERED_JOB);
    ox_complete(job);
    end_lone(&l);
}

TEST_CHECKED(unregistered_jobs, with_views_of_entities_refuse_changes_alone) {
    lone_world l;
    begin_lone(&l);
    ox_job job = ox_schedule(HoldToRead, OX_NO_JOB, {ox_query_view_entities(l.reads)});

    EXPECT(call_get(&l) && call_set(&l) && call_walk_writing(&l));
    EXPECT_EQ(l.reports.count, 0);
    EXPECT(!call_create(&l));

    EXPECT_REPORT(&l.reports, OX_REPORT_UNREGISTERED_JOB);
    ox_complete(job);
    end_lone(&l);
}

TEST_CHECKED(unregistered_jobs, refuse_columns_inside_of_a_loop) {
    lone_world l;
    begin_lone(&l);
    ox_job job = OX_NO_JOB;
    OX_EACH_CHUNK(l.writes, chunk) {
        job = ox_schedule(HoldToWrite, OX_NO_JOB, {ox_query_view(l.writes, Count)});
        EXPECT_EQ(ox_chunk_get(chunk, Count)->value, 0);
        EXPECT_REPORT(&l.reports, OX_REPORT_UNREGISTERED_JOB);
        ox_chunk_edit(chunk, Count)->value = 9;
        EXPECT_REPORT(&l.reports, OX_REPORT_UNREGISTERED_JOB);
    }
    ox_complete(job);
    EXPECT(call_get(&l));
    end_lone(&l);
}

TEST_CHECKED(unregistered_jobs, that_switch_rows_end_a_loop_that_goes_on_to_other_rows) {
    lone_world l;
    begin_lone(&l);
    ox_entity_create_in(l.world, ox_archetype_of(l.world, Count, Stun));
    ox_job job = OX_NO_JOB;
    int steps = 0;
    OX_EACH_CHUNK(l.stunned, chunk) {
        job = ox_schedule(HoldToWrite, OX_NO_JOB, {ox_query_view(l.stunned, Stun)});
        steps++;
    }

    EXPECT_EQ(steps, 1);
    EXPECT_REPORT(&l.reports, OX_REPORT_UNREGISTERED_JOB);
    ox_complete(job);
    end_lone(&l);
}

TEST_CHECKED(unregistered_jobs, are_waited_for_when_their_world_ends) {
    lone_world l;
    begin_lone(&l);
    ox_job job = ox_schedule_at(ox_job_type_of(HoldToRead), OX_NO_JOB,
                                &(HoldToRead){ox_query_view(l.reads, Count)}, "game.c:30");

    ox_world_destroy_at(l.world, "game.c:31");

    EXPECT(ox_job_is_complete(job));
    EXPECT_HAS(l.reports.text, "OX-W15 a world is destroyed while a job uses it");
    EXPECT_HAS(l.reports.text, "job 'HoldToRead' (game.c:30) reads 'Count' of world 'world'");
    EXPECT_HAS(l.reports.text, "complete 'HoldToRead' before game.c:31");
    EXPECT_REPORT(&l.reports, OX_REPORT_JOB_AT_WORLD_END);
    EXPECT_EQ(ox_memory_check_leaks(), 0);
    ox_jobs_stop();
}

static oxi_atomic_u32 gate_of_slow, sum_of_slow;

OX_JOB(SlowSum, {
    OX_READ_ONLY ox_lookup steps;
    OX_READ_ONLY ox_lookup counts;
    ox_entity who;
}) {
    oxi_add_acq_rel(&gate_of_slow, 1);
    for (int k = 0; k < 200; k++) {
        sleep_us(100);
        oxi_add_relaxed(&sum_of_slow, ox_lookup_get(&job->steps, job->who, Step)->value +
                                          ox_lookup_get(&job->counts, job->who, Count)->value);
    }
}

// A world that did not wait would take the memory away that they read.
TEST_CHECKED(unregistered_jobs, that_run_are_waited_for_and_each_is_told_once) {
    held_world h;
    begin_held(&h, 1);
    atomic_store(&gate_of_slow, 0);
    atomic_store(&sum_of_slow, 0);
    ox_lookup steps = ox_lookup_create(h.world, Step), counts = ox_lookup_create(h.world, Count);
    ox_schedule(SlowSum, OX_NO_JOB, {steps, counts, h.made[7]});
    ox_schedule_background(SlowSum, OX_NO_JOB, {steps, counts, h.made[8]});
    ox_jobs_kick();
    wait_for_value(&gate_of_slow, 2, "jobs that run");

    ox_world_destroy(h.world);

    EXPECT_EQ(atomic_load(&sum_of_slow), 200 * 15);
    EXPECT_EQ(h.reports.count, 2);
    EXPECT_EQ(h.reports.last, OX_REPORT_JOB_AT_WORLD_END);
    ox_jobs_stop();
}

OX_JOB(DestroyInside, { OX_NO_SAFETY ox_world *world; }) {
    ox_world_destroy(job->world);
}

TEST(unregistered_jobs, do_not_destroy_a_world) {
    lone_world l;
    begin_lone(&l);

    ox_complete(ox_schedule(DestroyInside, OX_NO_JOB, {l.world}));

    EXPECT_REPORT(&l.reports, OX_REPORT_WORLD_IN_JOB);
    end_lone(&l);
}

TEST_CHECKED(unregistered_jobs, refuse_what_a_handle_of_others_would_let_pass) {
    lone_world l;
    begin_lone(&l);
    ox_lookup counts = ox_lookup_create(l.world, Count);
    ox_job job = ox_schedule(LookToRead, OX_NO_JOB, {counts});
    ox_job beside = ox_schedule_entities(ReadCount, ox_world_get_root(l.world), OX_AUTO, {0});

    EXPECT(!call_set(&l));

    EXPECT(ox_job_is_complete(beside));
    EXPECT_REPORT(&l.reports, OX_REPORT_UNREGISTERED_JOB);
    ox_complete(job);
    end_lone(&l);
}

OX_JOB(ViewCounts, {
    OX_READ_ONLY ox_view read;
    ox_view written;
}) {
    for (int k = 0; k < job->written.count; k++) {
        ox_view_set(job->written, k, Count, {ox_view_read(job->read, k, Count).value + 1});
    }
}

TEST_CHECKED(unregistered_jobs, of_two_worlds_stand_in_the_way_of_both) {
    lone_world l;
    ox_entity entity;
    begin_lone(&l);
    ox_world *other = make_small_world(&entity);
    ox_query *counts = ox_query_create(other, OX_WRITE(Count));
    ox_job job = ox_schedule(ViewCounts, OX_NO_JOB,
                             {ox_query_view(l.reads, Count), ox_query_view(counts, Count)});

    EXPECT(call_get(&l) && !call_set(&l));
    EXPECT_REPORT(&l.reports, OX_REPORT_UNREGISTERED_JOB);
    EXPECT_EQ(ox_get(other, entity, Count)->value, 0);
    EXPECT_REPORT(&l.reports, OX_REPORT_UNREGISTERED_JOB);

    ox_complete(job);
    EXPECT(call_set(&l) && ox_entity_create(other).version != 0);
    ox_world_destroy(other);
    end_lone(&l);
}

// What is refused when a job is scheduled.

OX_PARALLEL_JOB(Neighbours, { ox_view counts; }) {
    ox_view_edit(job->counts, i, Count)->value = ox_view_read(job->counts, i ^ 1, Count).value;
}

OX_PARALLEL_JOB(WideWindows, { ox_view counts; }) {
    (void)ox_view_get_span(job->counts, i, 2);
}

OX_PARALLEL_JOB(Shuffle, { OX_UNRESTRICTED ox_view counts; }) {
    ox_view_edit(job->counts, i ^ 1, Count)->value = (uint32_t)i;
}

TEST_CHECKED(unregistered_jobs, divide_views_by_batches) {
    held_world h;
    begin_held(&h, 0);
    ox_view counts = ox_query_view(h.query, Count);

    ox_complete(ox_schedule_for(Neighbours, 2, 2, OX_NO_JOB, {counts})); // both in one batch
    EXPECT_EQ(h.reports.count, 0);
    ox_complete(ox_schedule_for(Neighbours, 2, 1, OX_NO_JOB, {counts}));
    EXPECT_EQ(h.reports.count, 2);
    EXPECT_EQ(h.reports.last, OX_REPORT_OUTSIDE_BATCH);
    h.reports.count = 0;
    ox_complete(ox_schedule_for(WideWindows, 1, 1, OX_NO_JOB, {counts}));
    EXPECT_REPORT(&h.reports, OX_REPORT_OUTSIDE_BATCH);
    ox_complete(ox_schedule_for(Shuffle, HELD, 1, OX_NO_JOB, {counts}));
    EXPECT_EQ(ox_view_read(counts, 7, Count).value, 6);
    end_held(&h);
}

OX_JOB(WriteReadOnly, { OX_READ_ONLY ox_view counts; }) {
    ox_view_edit(job->counts, 0, Count)->value = 99;
}

TEST_CHECKED(unregistered_jobs, cannot_write_what_they_read) {
    held_world h;
    begin_held(&h, 0);
    ox_view counts = ox_query_view(h.query, Count), steps = ox_query_view(h.query, Step);

    ox_complete(ox_schedule(WriteReadOnly, OX_NO_JOB, {counts}));
    EXPECT_REPORT(&h.reports, OX_REPORT_READ_ONLY_WRITTEN);
    EXPECT_EQ(ox_get(h.world, h.made[0], Count)->value, 0);
    EXPECT_NO_JOB(&h.reports, ox_schedule(HoldToWrite, OX_NO_JOB, {steps}),
                  OX_REPORT_UNMARKED_VIEW);
    EXPECT_NO_JOB(&h.reports,
                  ox_schedule(HoldToWrite, OX_NO_JOB, {ox_query_view_entities(h.query)}),
                  OX_REPORT_UNMARKED_VIEW);
    EXPECT_NO_JOB(&h.reports, ox_schedule(HoldToRead, OX_NO_JOB, {{0}}), OX_REPORT_UNASSIGNED);
    ox_set(h.world, h.made[0], Step, {1}); // nothing is held
    end_held(&h);
}

OX_PARALLEL_JOB(LookDivided, { ox_lookup counts; }) {
    (void)job;
}

OX_ENTITY_JOB(ViewDivided, (OX_READ(Step, step)), { ox_view counts; }) {
}

TEST_CHECKED(unregistered_jobs, divide_neither_lookups_nor_views_beside_rows) {
    held_world h;
    begin_held(&h, 0);
    ox_lookup counts = ox_lookup_create(h.world, Count);

    EXPECT_NO_JOB(&h.reports, ox_schedule_for(LookDivided, 10, 1, OX_NO_JOB, {counts}),
                  OX_REPORT_NOT_DIVISIBLE);
    EXPECT_NO_JOB(&h.reports,
                  ox_schedule_entities(ViewDivided, ox_world_get_root(h.world), OX_AUTO,
                                       {ox_query_view(h.query, Count)}),
                  OX_REPORT_NOT_DIVISIBLE);
    end_held(&h);
}

TEST_CHECKED(unregistered_jobs, race_with_separate_views_of_one_component) {
    held_world h;
    begin_held(&h, 0);
    ox_view first = ox_query_view(h.query, Count), second = ox_query_view(h.query, Count);
    ox_job job = ox_schedule(HoldToWrite, OX_NO_JOB, {first});

    EXPECT_NO_JOB(&h.reports, ox_schedule(HoldToRead, OX_NO_JOB, {second}),
                  OX_REPORT_TWO_JOBS_RACE);
    EXPECT_HAS(h.reports.text, "component 'Count'");
    ox_complete(ox_schedule(HoldToRead, job, {second}));
    end_held(&h);
}

TEST_CHECKED(unregistered_jobs, race_with_lookups_and_with_jobs_over_entities) {
    held_world h;
    begin_held(&h, 0);
    ox_system *scope = ox_world_get_root(h.world);
    ox_job job = ox_schedule(HoldToWrite, OX_NO_JOB, {ox_query_view(h.query, Count)});

    EXPECT_NO_JOB(&h.reports,
                  ox_schedule(LookToRead, OX_NO_JOB, {ox_lookup_create(h.world, Count)}),
                  OX_REPORT_TWO_JOBS_RACE);
    EXPECT_NO_JOB(&h.reports, ox_schedule_entities(ReadCount, scope, OX_AUTO, {0}),
                  OX_REPORT_TWO_JOBS_RACE);
    EXPECT_NO_JOB(&h.reports, ox_schedule_entities(WriteCount, scope, OX_NO_JOB, {1}),
                  OX_REPORT_TWO_JOBS_RACE);
    ox_job after = ox_schedule_entities(WriteCount, scope, job, {1});
    EXPECT_NO_JOB(&h.reports, ox_schedule(HoldToRead, OX_NO_JOB, {ox_query_view(h.query, Count)}),
                  OX_REPORT_TWO_JOBS_RACE);
    ox_complete(after);
    end_held(&h);
}

TEST(unregistered_jobs, do_not_get_views_that_ended) {
    held_world h;
    begin_held(&h, 0);
    ox_view counts = ox_query_view_at(h.query, ox_component_id_of(Count), "game.c:50");
    ox_entity_create_at(h.world, NULL, 0, "game.c:60");

    EXPECT_NO_JOB(&h.reports, ox_schedule(HoldToWrite, OX_NO_JOB, {counts}),
                  OX_REPORT_CHANGED_IN_LOOP);
    EXPECT_HAS(h.reports.text, "game.c:50");
    EXPECT_HAS(h.reports.text, "game.c:60");
    EXPECT_NO_JOB(&h.reports,
                  ox_schedule_entities(AddFirst, ox_world_get_root(h.world), OX_AUTO, {counts}),
                  OX_REPORT_CHANGED_IN_LOOP);
    end_held(&h);
}

TEST_CHECKED(unregistered_jobs, do_not_get_what_a_world_left_behind) {
    held_world h;
    ox_entity entity;
    begin_held(&h, 0);
    ox_world *other = make_small_world(&entity);
    ox_lookup counts = ox_lookup_create(other, Count);
    ox_view view = ox_query_view(ox_query_create(other, OX_READ(Count)), Count);
    ox_world_destroy(other);

    EXPECT_NO_JOB(&h.reports, ox_schedule(LookToRead, OX_NO_JOB, {counts}), OX_REPORT_DISPOSED);
    EXPECT_NO_JOB(&h.reports, ox_schedule(HoldToRead, OX_NO_JOB, {view}), OX_REPORT_DISPOSED);
    end_held(&h);
}

static ox_view seen_from_outside;

OX_JOB(UseFromOutside, { int unused; }) {
    (void)job;
    (void)ox_view_get_at(seen_from_outside, 0, OX_HERE);
}

TEST_CHECKED(unregistered_jobs, cannot_use_views_that_they_do_not_hold) {
    held_world h;
    begin_held(&h, 0);
    seen_from_outside = ox_query_view(h.query, Count);

    ox_complete(ox_schedule(UseFromOutside, OX_NO_JOB, {0}));

    EXPECT_REPORT(&h.reports, OX_REPORT_NOT_DECLARED);
    end_held(&h);
}

TEST(unregistered_jobs, over_entities_do_not_get_views_of_other_worlds) {
    held_world h;
    ox_entity entity;
    begin_held(&h, 0);
    ox_world *other = make_small_world(&entity);
    ox_view steps = ox_query_view(ox_query_create(other, OX_READ(Step)), Step);

    EXPECT_NO_JOB(&h.reports,
                  ox_schedule_entities(AddFirst, ox_world_get_root(h.world), OX_AUTO, {steps}),
                  OX_REPORT_FOREIGN_HANDLE);
    ox_world_destroy(other);
    end_held(&h);
}
