// SPDX-License-Identifier: MIT
//
// What jobs over entities wait for, and what main waits for.
//
// A job that was not kicked runs when somebody waits for it and at no other time: so a call on main
// waited for a job just when the job is complete afterwards.

#include "entity_jobs_test.h"

#include "entities/fences.h"

// One situation: in `world` a job that reads Count and one that writes Step wait, in `other` one
// that writes both.
typedef struct waiting_jobs {
    ox_world *world;
    ox_world *other;
    ox_entity entity;
    ox_entity other_entity;
    ox_query *query; // made by the case, before the jobs
    ox_array values;
    ox_job read_count;
    ox_job write_step;
    ox_job elsewhere;
} waiting_jobs;

OX_ENTITY_JOB(WriteBoth, (OX_WRITE(Count, count), OX_WRITE(Step, step)), { int unused; }) {
    count->value++;
    step->value++;
}

enum { NOBODY = 0, READER = 1, WRITER = 2, EVERYBODY = 3 };

typedef struct sync_case {
    const char *what;
    int completes;
    void (*prepare)(waiting_jobs *jobs);
    void (*call)(waiting_jobs *jobs);
} sync_case;

#define CALL(name) static void name(waiting_jobs *j)
#define QUERY(name, ...)                                                                           \
    CALL(name) {                                                                                   \
        j->query = ox_query_create(j->world, __VA_ARGS__);                                         \
    }

CALL(get_count) {
    EXPECT_EQ(ox_get(j->world, j->entity, Count)->value, 1);
}
CALL(get_step) {
    EXPECT_EQ(ox_get(j->world, j->entity, Step)->value, 11);
}
CALL(read_count) {
    EXPECT_EQ(ox_read(j->world, j->entity, Count).value, 1);
}
CALL(read_step) {
    EXPECT_EQ(ox_read(j->world, j->entity, Step).value, 11);
}
CALL(edit_count) {
    ox_edit(j->world, j->entity, Count)->value = 3;
}
CALL(edit_step) {
    ox_edit(j->world, j->entity, Step)->value = 3;
}
CALL(set_count) {
    EXPECT(ox_set(j->world, j->entity, Count, {3}));
}
CALL(set_step) {
    EXPECT(ox_set(j->world, j->entity, Step, {3}));
}
CALL(look_at_structure) {
    ox_entity_location place = ox_entity_get_location(j->world, j->entity);
    uint32_t ids[4];
    EXPECT(ox_entity_exists(j->world, j->entity));
    EXPECT(ox_has(j->world, j->entity, Step));
    EXPECT_EQ(place.row, 0);
    EXPECT_EQ(ox_entity_get_components(j->world, j->entity, ids, 4), 2);
    EXPECT(ox_entity_find(j->world, "nobody").version == 0);
    EXPECT_EQ(ox_world_get_usage(j->world).entity_count, 1);
}
QUERY(query_both, OX_WRITE(Count), OX_WRITE(Step))
CALL(count_query) {
    EXPECT_EQ(ox_query_count(j->query), 1);
    EXPECT_EQ(ox_query_count_all(j->query), 1);
    EXPECT(!ox_query_is_empty(j->query));
    ox_query_filter_changed(j->query, Step, 0);
    EXPECT_EQ(ox_query_count(j->query), 1);
}
CALL(copy_entities) {
    ox_array entities = ox_query_copy_entities(j->query, OX_PERSISTENT);
    EXPECT_EQ(entities.count, 1);
    ox_dispose(&entities);
}
CALL(create_one) {
    ox_entity_create(j->world);
}
CALL(create_with) {
    ox_entity_create(j->world, OX_VALUE(Extra, {1}));
}
CALL(create_many) {
    ox_entities_create(j->world, ox_archetype_of(j->world, Extra), NULL, 3);
}
CALL(instantiate) {
    ox_entity copy = ox_entity_instantiate(j->world, j->entity);
    EXPECT_EQ(ox_get(j->world, copy, Step)->value, 11);
}
CALL(destroy_one) {
    ox_entity_destroy(j->world, j->entity);
}
CALL(destroy_many) {
    ox_entities_destroy(j->world, &j->entity, 1);
}
CALL(add_one) {
    ox_add(j->world, j->entity, Extra, {1});
}
CALL(add_many) {
    ox_add_many(j->world, j->entity, OX_VALUE(Extra, {1}), OX_VALUE_TAG(Red));
}
CALL(remove_one) {
    ox_remove(j->world, j->entity, Step);
}
CALL(set_archetype) {
    ox_entity_set_archetype(j->world, j->entity, ox_archetype_of(j->world, Step));
}
CALL(add_by_query) {
    ox_query_add(j->query, Extra);
}
CALL(remove_by_query) {
    ox_query_remove(j->query, Count);
}
CALL(destroy_by_query) {
    EXPECT_EQ(ox_query_destroy_entities(j->query), 1);
}
CALL(hash) {
    EXPECT_NE(ox_world_hash(j->world), 0);
}
CALL(layout_hash) {
    EXPECT_NE(ox_world_hash_layout(j->world), 0);
}
CALL(defragment) {
    ox_world_defragment_at(j->world, 100, OX_HERE);
}
CALL(walk) {
    OX_EACH_CHUNK(j->query, chunk) {
        EXPECT_EQ(chunk.count, 1);
    }
}
CALL(view) {
    EXPECT_EQ(ox_query_view_entities(j->query).count, 1);
    EXPECT_EQ(ox_query_view(j->query, Count).count, 1);
}
CALL(view_get_count) {
    EXPECT_EQ(ox_view_read(ox_query_view(j->query, Count), 0, Count).value, 1);
}
CALL(view_get_step) {
    EXPECT_EQ(ox_view_read(ox_query_view(j->query, Step), 0, Step).value, 11);
}
CALL(view_set_count) {
    ox_view_set(ox_query_view(j->query, Count), 0, Count, {3});
}
QUERY(query_read_count, OX_READ(Count))
QUERY(query_write_count, OX_WRITE(Count))
QUERY(query_read_step, OX_READ(Step))
QUERY(query_optional_step, OX_READ(Count), OX_OPTIONAL(Step))
QUERY(query_without_values, OX_WITH(Count), OX_ANY(Step), OX_NONE(Extra))
CALL(to_array) {
    ox_array values = ox_query_copy_values(j->query, Step, OX_PERSISTENT);
    EXPECT_EQ(ox_array_read(OX_AS(values, Step), 0).value, 11);
    ox_dispose(&values);
}
CALL(from_array) {
    ox_array values = ox_array_create_untyped(Count, 1, OX_PERSISTENT);
    EXPECT(ox_query_set_values(j->query, Count, values));
    ox_dispose(&values);
}
CALL(lookup_has) {
    ox_lookup steps = ox_lookup_create(j->world, Step);
    EXPECT(ox_lookup_has(&steps, j->entity));
}
CALL(lookup_get_count) {
    ox_lookup counts = ox_lookup_create(j->world, Count);
    EXPECT_EQ(ox_lookup_get(&counts, j->entity, Count)->value, 1);
}
CALL(lookup_get_step) {
    ox_lookup steps = ox_lookup_create(j->world, Step);
    EXPECT_EQ(ox_lookup_get(&steps, j->entity, Step)->value, 11);
}
CALL(lookup_edit_count) {
    ox_lookup counts = ox_lookup_create(j->world, Count);
    ox_lookup_edit(&counts, j->entity, Count)->value = 7;
}
CALL(in_the_other_world) {
    ox_entity_create(j->other);
    EXPECT_EQ(ox_get(j->other, j->other_entity, Count)->value, 2);
}

static const sync_case sync_cases[] = {
    {"get", NOBODY, NULL, get_count},
    {"get what is written", WRITER, NULL, get_step},
    {"read", NOBODY, NULL, read_count},
    {"read what is written", WRITER, NULL, read_step},
    {"edit", READER, NULL, edit_count},
    {"edit what is written", WRITER, NULL, edit_step},
    {"set", READER, NULL, set_count},
    {"set what is written", WRITER, NULL, set_step},
    {"has, exists, where and others", NOBODY, NULL, look_at_structure},
    {"count", NOBODY, query_both, count_query},
    {"to_entities", NOBODY, query_both, copy_entities},
    {"create", EVERYBODY, NULL, create_one},
    {"create_with", EVERYBODY, NULL, create_with},
    {"create many", EVERYBODY, NULL, create_many},
    {"instantiate", EVERYBODY, NULL, instantiate},
    {"destroy", EVERYBODY, NULL, destroy_one},
    {"destroy many", EVERYBODY, NULL, destroy_many},
    {"add", EVERYBODY, NULL, add_one},
    {"add_many", EVERYBODY, NULL, add_many},
    {"remove", EVERYBODY, NULL, remove_one},
    {"set_archetype", EVERYBODY, NULL, set_archetype},
    {"query_add", EVERYBODY, query_both, add_by_query},
    {"query_remove", EVERYBODY, query_both, remove_by_query},
    {"query_destroy", EVERYBODY, query_both, destroy_by_query},
    {"hash", EVERYBODY, NULL, hash},
    {"layout hash", EVERYBODY, NULL, layout_hash},
    {"defragment", EVERYBODY, NULL, defragment},
    {"walk, reading", NOBODY, query_read_count, walk},
    {"walk, writing", READER, query_write_count, walk},
    {"walk, reading what is written", WRITER, query_read_step, walk},
    {"walk, perhaps reading", WRITER, query_optional_step, walk},
    {"walk, not looking", NOBODY, query_without_values, walk},
    {"view that is made", NOBODY, query_both, view}, // a job may be given it
    {"view, reading", NOBODY, query_read_count, view_get_count},
    {"view, writing", READER, query_write_count, view_set_count},
    {"view, reading what is written", WRITER, query_read_step, view_get_step},
    {"to_array", WRITER, query_read_step, to_array},
    {"from_array", READER, query_write_count, from_array},
    {"lookup has", NOBODY, NULL, lookup_has},
    {"lookup get", NOBODY, NULL, lookup_get_count},
    {"lookup get what is written", WRITER, NULL, lookup_get_step},
    {"lookup edit", READER, NULL, lookup_edit_count},
};

static void begin_waiting(waiting_jobs *j, const sync_case *one) {
    *j = (waiting_jobs){0};
    start_workers_of_test(1);
    j->world = make_small_world(&j->entity);
    j->other = make_small_world(&j->other_entity);
    if (one->prepare != NULL) {
        one->prepare(j);
    }
    ox_system *scope = ox_world_get_root(j->world);
    j->read_count = ox_schedule_entities(ReadCount, scope, OX_AUTO, {0});
    j->write_step = ox_schedule_entities(WriteStep, scope, OX_AUTO, {5});
    j->elsewhere = ox_schedule_entities(WriteBoth, ox_world_get_root(j->other), OX_AUTO, {0});
}

static void end_waiting(waiting_jobs *j) {
    ox_complete(j->read_count, j->write_step, j->elsewhere);
    ox_world_destroy(j->other);
    end_jobs_test(j->world);
}

TEST(fences, each_call_on_main_completes_what_stands_in_its_way_and_no_more) {
    for (size_t k = 0; k < sizeof sync_cases / sizeof *sync_cases; k++) {
        const sync_case *one = &sync_cases[k];
        waiting_jobs jobs;
        begin_waiting(&jobs, one);
        one->call(&jobs);
        int completed = (ox_job_is_complete(jobs.read_count) ? READER : 0) |
                        (ox_job_is_complete(jobs.write_step) ? WRITER : 0);
        if (completed != one->completes) {
            test_fail(__FILE__, __LINE__, "%s completes %d, not %d", one->what, completed,
                      one->completes);
        }
        EXPECT(!ox_job_is_complete(jobs.elsewhere));
        end_waiting(&jobs);
    }
}

TEST(fences, worlds_do_not_wait_for_each_other) {
    waiting_jobs jobs;
    begin_waiting(&jobs, &(sync_case){0});
    in_the_other_world(&jobs);
    EXPECT(ox_job_is_complete(jobs.elsewhere));
    EXPECT(!ox_job_is_complete(jobs.read_count));
    EXPECT(!ox_job_is_complete(jobs.write_step));
    end_waiting(&jobs);
}

TEST(fences, a_world_that_is_destroyed_completes_its_jobs_first) {
    waiting_jobs jobs;
    begin_waiting(&jobs, &(sync_case){0});
    ox_world_destroy(jobs.other);
    EXPECT(ox_job_is_complete(jobs.elsewhere));
    EXPECT(!ox_job_is_complete(jobs.write_step));
    end_jobs_test(jobs.world);
    EXPECT(ox_job_is_complete(jobs.read_count) && ox_job_is_complete(jobs.write_step));
}

TEST(fences, a_world_is_not_idle_while_any_reader_of_a_component_waits) {
    ox_entity entity;
    start_workers_of_test(1);
    ox_world *world = make_small_world(&entity);
    ox_system *scope = ox_world_get_root(world);
    EXPECT(oxi_fences_are_idle(world));
    ox_job first = ox_schedule_entities(ReadCount, scope, OX_AUTO, {0});
    ox_job second = ox_schedule_entities(ReadCount, scope, OX_AUTO, {0});

    ox_complete(first);

    EXPECT(!oxi_fences_are_idle(world));
    ox_complete(second);
    EXPECT(oxi_fences_are_idle(world));
    end_jobs_test(world);
}

// While a job runs, main may look at whatever needs no wait.

static oxi_atomic_u32 entered, released;

OX_ENTITY_JOB(Hold, (OX_WRITE(Step, step)), { int unused; }) {
    atomic_fetch_add(&entered, 1);
    for (int k = 0; k < WATCHDOG_SECONDS * 10000 && atomic_load(&released) == 0; k++) {
        sleep_us(100);
    }
    step->value = 77;
}

TEST(fences, main_looks_at_a_world_while_a_job_runs) {
    start_workers_of_test(1);
    atomic_store(&entered, 0);
    atomic_store(&released, 0);
    waiting_jobs j = {0};
    j.world = make_small_world(&j.entity);
    query_both(&j);
    ox_job hold = ox_schedule_entities(Hold, ox_world_get_root(j.world), OX_AUTO, {0});
    ox_jobs_kick();
    wait_for_value(&entered, 1, "a job that holds a component");
    look_at_structure(&j);
    count_query(&j);
    get_count(&j);
    copy_entities(&j);
    lookup_has(&j);
    ox_set(j.world, j.entity, Count, {5});
    EXPECT(!ox_job_is_complete(hold));
    atomic_store(&released, 1);
    EXPECT_EQ(ox_get(j.world, j.entity, Step)->value, 77);
    end_jobs_test(j.world);
}

// A job that is scheduled while main walks over, or has a view of, what it writes.

TEST(fences, columns_of_a_walk_wait_for_jobs_of_inside_the_loop) {
    start_workers_of_test(1);
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    ox_query *query = ox_query_create(world, OX_WRITE(Count), OX_READ(Step));
    OX_EACH_CHUNK(query, chunk) {
        ox_job write = ox_schedule_entities(WriteStep, ox_world_get_root(world), OX_AUTO, {5});
        ox_job read = ox_schedule_entities(ReadCount, ox_world_get_root(world), OX_AUTO, {0});
        EXPECT_EQ(ox_chunk_get(chunk, Step)->value, 11);
        EXPECT(ox_job_is_complete(write) && !ox_job_is_complete(read));
        ox_chunk_edit(chunk, Count)->value = 3;
        EXPECT(ox_job_is_complete(read));
    }
    end_jobs_test(world);
}

TEST(fences, views_wait_for_jobs_that_came_after_them) {
    start_workers_of_test(1);
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    ox_query *query = ox_query_create(world, OX_WRITE(Count), OX_READ(Step));
    ox_view counts = ox_query_view(query, Count), steps = ox_query_view(query, Step);
    ox_job write = ox_schedule_entities(WriteStep, ox_world_get_root(world), OX_AUTO, {5});
    ox_job read = ox_schedule_entities(ReadCount, ox_world_get_root(world), OX_AUTO, {0});
    EXPECT_EQ(ox_view_read(steps, 0, Step).value, 11);
    EXPECT(ox_job_is_complete(write) && !ox_job_is_complete(read));
    ox_view_set(counts, 0, Count, {3});
    EXPECT(ox_job_is_complete(read));
    ox_schedule_entities(WriteStep, ox_world_get_root(world), OX_AUTO, {5});
    EXPECT_EQ(((const Step *)ox_view_get_span(steps, 0, 1).values)->value, 38);
    end_jobs_test(world);
}

// OX_AUTO: who waits for whom.

OX_ENTITY_JOB(MeetReading, (OX_READ(Count, count)), { uint32_t others; }) {
    meet(job->others);
}

OX_ENTITY_JOB(MeetWritingCount, (OX_WRITE(Count, count)), { uint32_t others; }) {
    meet(job->others);
}

OX_ENTITY_JOB(MeetWritingStep, (OX_WRITE(Step, step)), { uint32_t others; }) {
    meet(job->others);
}

static void begin_meeting(void) {
    start_workers_of_test(2);
    atomic_store(&arrived, 0);
    atomic_store(&gave_up, 0);
}

static void expect_met(ox_world *world) {
    ox_world_hash(world);
    EXPECT_EQ(atomic_load(&gave_up), 0);
    end_jobs_test(world);
}

TEST(fences, two_readers_run_at_once) {
    begin_meeting();
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    ox_schedule_entities(MeetReading, ox_world_get_root(world), OX_AUTO, {2});
    ox_schedule_entities(MeetReading, ox_world_get_root(world), OX_AUTO, {2});
    ox_jobs_kick();
    expect_met(world);
}

TEST(fences, writers_of_different_components_run_at_once) {
    begin_meeting();
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    ox_schedule_entities(MeetWritingCount, ox_world_get_root(world), OX_AUTO, {2});
    ox_schedule_entities(MeetWritingStep, ox_world_get_root(world), OX_AUTO, {2});
    ox_jobs_kick();
    expect_met(world);
}

TEST(fences, jobs_of_two_worlds_run_at_once) {
    begin_meeting();
    ox_entity entity;
    ox_world *world = make_small_world(&entity), *other = make_small_world(&entity);
    ox_schedule_entities(MeetWritingCount, ox_world_get_root(world), OX_AUTO, {2});
    ox_schedule_entities(MeetWritingCount, ox_world_get_root(other), OX_AUTO, {2});
    ox_jobs_kick();
    ox_world_hash(other);
    expect_met(world);
    start_workers_of_test(0);
    end_jobs_test(other);
}

TEST(fences, readers_wait_for_the_writer_and_a_writer_for_all_readers) {
    static const int reader_counts[] = {1, 15, 16, 17, 31, 32, 33, 100};
    for (size_t k = 0; k < sizeof reader_counts / sizeof *reader_counts; k++) {
        start_workers_of_test(1);
        ox_entity entity;
        ox_world *world = make_small_world(&entity);
        ox_system *scope = ox_world_get_root(world);
        ox_job readers[100];
        ox_job first = ox_schedule_entities(WriteCount, scope, OX_AUTO, {5});
        for (int n = 0; n < reader_counts[k]; n++) {
            readers[n] = ox_schedule_entities(ReadCount, scope, OX_AUTO, {0});
        }
        ox_complete(readers[0]);
        EXPECT(ox_job_is_complete(first));
        for (int n = 1; n < reader_counts[k]; n++) {
            EXPECT(!ox_job_is_complete(readers[n]));
        }
        ox_job last = ox_schedule_entities(WriteCount, scope, OX_AUTO, {7});
        ox_complete(last);
        for (int n = 1; n < reader_counts[k]; n++) {
            EXPECT(ox_job_is_complete(readers[n]));
        }
        EXPECT_EQ(ox_get(world, entity, Count)->value, 31);
        end_jobs_test(world);
    }
}

TEST(fences, an_edit_waits_for_more_readers_than_the_table_has_room_for) {
    enum { READERS = 40 };
    start_workers_of_test(1);
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    ox_job readers[READERS];
    for (int n = 0; n < READERS; n++) {
        readers[n] = ox_schedule_entities(ReadCount, ox_world_get_root(world), OX_AUTO, {0});
    }
    ox_job step = ox_schedule_entities(WriteStep, ox_world_get_root(world), OX_AUTO, {1});
    ox_edit(world, entity, Count)->value = 5;
    for (int n = 0; n < READERS; n++) {
        EXPECT(ox_job_is_complete(readers[n]));
    }
    EXPECT(!ox_job_is_complete(step));
    end_jobs_test(world);
}

// Stopping.

TEST(fences, handles_of_a_system_that_stopped_count_as_complete) {
    collected_reports reports;
    collect_reports(&reports);
    start_workers_of_test(1);
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    ox_system *scope = ox_world_get_root(world);
    for (int round = 0; round < 3; round++) {
        ox_schedule_entities(WriteCount, scope, OX_AUTO, {1});
        ox_schedule_entities(ReadStep, scope, OX_AUTO, {0});
        ox_jobs_stop();
        EXPECT_REPORT(&reports, OX_REPORT_JOBS_OUTSTANDING);
        start_workers_of_test(2 - round);
        ox_schedule_entities(CountFromStep, scope, OX_AUTO, {0});
        ox_schedule_entities(WriteStep, scope, OX_AUTO, {1});
        ox_get(world, entity, Step);
    }
    ox_jobs_stop(); // CountFromStep is done: WriteStep waited for it
    EXPECT_EQ(reports.count, 0);
    EXPECT_EQ(ox_get(world, entity, Step)->value, 67);
    end_jobs_test(world);
}

// What is kept of jobs that were completed does not pile up, frame after frame, where nothing ever
// changes the world or writes what they read.

OX_ENTITY_JOB(MatchesNothing, (OX_WRITE(Count, count), OX_WRITE(Step, step), OX_WITH(Red)),
              { int unused; }) {
    count->value = step->value;
}

OX_ENTITY_JOB(ReadExtra, (OX_WRITE(Count, count), OX_READ(Extra, extra)), { int unused; }) {
    count->value += extra->value;
}

TEST_CHECKED(fences, frames_leave_nothing_behind) {
    start_workers_of_test(1);
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    ox_add(world, entity, Extra, {1});
    ox_system *scope = ox_world_get_root(world);
    uint32_t most = 0;
    for (int frame = 0; frame < 1000; frame++) {
        ox_schedule_entities(WriteStep, scope, OX_AUTO, {1});
        ox_schedule_entities(ReadExtra, scope, OX_AUTO, {0});
        ox_schedule_entities(MatchesNothing, scope, OX_AUTO, {0});
        if (frame % 2 == 0) {
            ox_get(world, entity, Count);
            ox_edit(world, entity, Step)->value = 0;
        }
        uint32_t kept = ox_safety_get_usage().job_count;
        most = kept > most ? kept : most;
    }
    EXPECT(most < 100);
    end_jobs_test(world);
}

OX_COMPONENT(More1, { uint32_t value; });
OX_COMPONENT(More2, { uint32_t value; });
OX_COMPONENT(More3, { uint32_t value; });
OX_ENTITY_JOB(ReadOnlyExtra, (OX_READ(Extra, extra)), { int unused; }) {
}
OX_ENTITY_JOB(ReadMore1, (OX_READ(More1, more)), { int unused; }) {
}
OX_ENTITY_JOB(ReadMore2, (OX_READ(More2, more)), { int unused; }) {
}
OX_ENTITY_JOB(ReadMore3, (OX_READ(More3, more)), { int unused; }) {
}
OX_ENTITY_JOB(WriteAll,
              (OX_WRITE(Count, count), OX_WRITE(Step, step), OX_WRITE(Extra, extra),
               OX_WRITE(More1, more1), OX_WRITE(More2, more2), OX_WRITE(More3, more3)),
              { int unused; }) {
    count->value = step->value = extra->value = 7;
    more1->value = more2->value = more3->value = 7;
}

// Each component keeps up to 16 readers apart, and what one job waits for is gathered 64 at a time.
TEST(fences, a_job_waits_for_more_jobs_than_are_gathered_at_once) {
    enum { KINDS = 6, READERS = 16 };
    start_workers_of_test(0);
    ox_entity entity;
    ox_world *world = make_small_world(&entity);
    ox_add_many(world, entity, OX_VALUE(Extra, {1}), OX_VALUE(More1, {1}), OX_VALUE(More2, {1}),
                OX_VALUE(More3, {1}));
    ox_system *scope = ox_world_get_root(world);
    ox_job readers[READERS][KINDS];
    for (int k = 0; k < READERS; k++) {
        readers[k][0] = ox_schedule_entities(ReadCount, scope, OX_AUTO, {0});
        readers[k][1] = ox_schedule_entities(ReadStep, scope, OX_AUTO, {0});
        readers[k][2] = ox_schedule_entities(ReadOnlyExtra, scope, OX_AUTO, {0});
        readers[k][3] = ox_schedule_entities(ReadMore1, scope, OX_AUTO, {0});
        readers[k][4] = ox_schedule_entities(ReadMore2, scope, OX_AUTO, {0});
        readers[k][5] = ox_schedule_entities(ReadMore3, scope, OX_AUTO, {0});
    }
    EXPECT(!ox_job_is_complete(readers[READERS - 1][KINDS - 1]));

    ox_complete(ox_schedule_entities(WriteAll, scope, OX_AUTO, {0}));

    for (int k = 0; k < READERS * KINDS; k++) {
        EXPECT(ox_job_is_complete(readers[k / KINDS][k % KINDS]));
    }
    EXPECT_EQ(ox_get(world, entity, More3)->value, 7);
    end_jobs_test(world);
}

// A component that no entity has, and nothing looked for, is nobody's.

OX_COMPONENT(Rare, { uint32_t value; });

OX_ENTITY_JOB(MayReadRare, (OX_WRITE(Count, count), OX_OPTIONAL(Rare, rare)), { int unused; }) {
    count->value += rare != NULL ? rare->value : 1;
}

OX_ENTITY_JOB(EditRares, (OX_READ(Step, step)), { OX_UNRESTRICTED ox_lookup rares; }) {
    (void)step;
}

TEST(fences, a_job_that_is_scheduled_again_waits_for_a_component_that_is_known_by_then) {
    ox_entity entity;
    start_workers_of_test(1);
    ox_world *world = make_small_world(&entity);
    ox_system *scope = ox_world_get_root(world);
    ox_complete(ox_schedule_entities(MayReadRare, scope, OX_AUTO, {0}));

    ox_lookup rares = ox_lookup_create(world, Rare);
    ox_job edit = ox_schedule_entities(EditRares, scope, OX_AUTO, {rares});
    ox_complete(ox_schedule_entities(MayReadRare, scope, OX_AUTO, {0}));

    EXPECT(ox_job_is_complete(edit));
    end_jobs_test(world);
}
