// SPDX-License-Identifier: MIT
//
// The rest of the table in docs/sync_points.md: what test_sync_table.c leaves out.

#include "sync_test.h"

#include "oxbow/explain.h"

OX_COMPONENT(Once, { uint32_t value; });
OX_BUFFER(Trail, 4, { uint32_t value; });
OX_VIEWS(Counts, (OX_READ(Count, counts)));
OX_VIEWS(Awakes, (OX_WITH(Awake)));

// Worlds.
DO(make_world, ox_world *other = ox_world_create(&(ox_world_def){.no_systems = true}); (void)s;
   ox_world_get_def(other); ox_world_destroy(other))
DO(look_at_world, ox_world_get_def(s->world); ox_world_get_usage(s->world);
   ox_world_get_fragmentation(s->world); ox_world_get_root(s->world))
DO(set_active, ox_world *before = ox_world_get_active(); ox_world_set_active(s->world);
   ox_world_set_active(before); EXPECT(!ox_memory_set_chunk_limit(SIZE_MAX)))
DO(versions, ox_world_get_version(s->world); ox_world_advance_version(s->world);
   ox_world_get_order_version(s->world, ox_component_id_of(Count)))
DO(record, ox_world_record_syncs(s->world, true); ox_world_get_syncs(s->world, NULL, 0);
   ox_world_record_syncs(s->world, false))

// Entities.
DO(create_in, ox_entity_create_in(s->world, ox_archetype_of(s->world, Step)))
DO(create_of, ox_entity_create_in(s->world, ox_archetype_of(s->world, Step)))
DO(create_with, ox_entity_create(s->world, OX_VALUE(Step, {1})))
DO(create_some, ox_entity made;
   ox_entities_create(s->world, ox_archetype_of(s->world, Step), &made, 1))
DO(copy_some, ox_entity copy; EXPECT(ox_entities_copy(s->world, &s->entity, &copy, 1)))
DO(entity_is_enabled, EXPECT(ox_entity_is_enabled(s->world, s->entity)))
DO(names, EXPECT(ox_entity_get_name(s->world, s->entity) == NULL))
DO(archetype_get, uint32_t id = ox_component_id_of(Once);
   EXPECT(ox_archetype_of_at(s->world, &id, 1, OX_HERE).number != 0))

// Switches, buffers, shared values.
QUERY(with_step, OX_WITH(Step))
DO(enable, EXPECT(ox_set_enabled(s->world, s->entity, Awake, true)))
DO(disable, EXPECT(ox_set_enabled(s->world, s->entity, Awake, false)))
DO(add_buffer, EXPECT(ox_buffer_is_created(ox_add_buffer(s->world, s->entity, Trail))))
DO(shared_to_array, ox_array all = ox_shared_copy_values(s->world, Team, OX_PERSISTENT);
   ox_dispose(&all))
DO(shared_order, Team third = {3};
   ox_shared_get_order_version(s->world, ox_component_id_of(Team), &third))

// Queries and views.
QUERY(read_count, OX_READ(Count))
QUERY(write_count, OX_WRITE(Count))
QUERY(with_awake, OX_WITH(Awake))
QUERY(step_beside_count, OX_WRITE(Step), OX_WRITE(Count))
DO(query_chunks, ox_chunk chunk = ox_query_chunks(s->query); EXPECT(ox_chunk_next(&chunk)))
IN_CHUNK(chunk_has, ox_chunk_has_id(&chunk, ox_component_id_of(Count)))
DO(query_make, EXPECT(ox_query_create_at(s->world, OXI_TERMS(OX_WRITE(Count)), OX_HERE) != NULL))
DO(query_single, EXPECT(ox_query_get_single(s->query).version != 0))
DO(step_to_array, ox_array all = ox_query_copy_values(s->query, Step, OX_PERSISTENT);
   ox_dispose(&all))
DO(step_from_array, ox_array all = ox_array_create_untyped(Step, 1, OX_PERSISTENT);
   EXPECT(ox_query_set_values(s->query, Step, all)); ox_dispose(&all))
DO(filter_order, EXPECT(ox_query_filter_order(s->query, 0)))
DO(reset_filters, ox_query_reset_filters(s->query))
DO(entities_of_query, (void)ox_query_view_entities(s->query))
DO(fill_views, Counts all = {0}; EXPECT(ox_views_fill(s->world, &all, Counts)))
DO(fill_switched, Awakes all = {0}; EXPECT(ox_views_fill(s->world, &all, Awakes)))
DO(view_edit, ox_view all = ox_query_view(s->query, Count); ox_view_edit(all, 0, Count)->value = 1)

// Lookups and singletons.
DO(lookup_create, ox_lookup all = ox_lookup_create(s->world, Count); (void)all)
DO(singleton_create, EXPECT(ox_singleton_create(s->world, Once, {1}).version != 0))

// Jobs.
DO(schedule_more,
   EXPECT(ox_schedule_entities(ReadCount, ox_world_get_root(s->world), OX_AUTO, {0}).value != 0))
DO(schedule_query, EXPECT(ox_schedule_query(ReadCount, s->query, OX_AUTO, {0}).value != 0))
DO(complete_reader, ox_complete(s->reader))

// Systems.
static bool makes_all(ox_system *system) {
    return ox_system_query(system, OX_WRITE(Count)) != NULL &&
           ox_system_lookup(system, OX_WRITE(Count)).world != NULL &&
           ox_system_declare(system, OX_WRITE(Count));
}
static void query_in_update(ox_system *system) {
    EXPECT(ox_system_query(system, OX_READ(Count)) != NULL);
}
static void lookup_in_update(ox_system *system) {
    EXPECT(ox_system_lookup(system, OX_READ(Count)).world != NULL);
}
static void declare_in_update(ox_system *system) {
    EXPECT(ox_system_declare(system, OX_WRITE(Count)));
}
DO(create_makes_all, EXPECT(ox_system_add(s->world, BRIEF("N", .create = makes_all)) != NULL))
DO(add_registered, EXPECT(ox_world_add_systems(s->world) >= 0))
DO(queries_late, s->system = add_system(s->world, ON_MAIN("M", query_in_update)))
DO(looks_up_late, s->system = add_system(s->world, ON_MAIN("M", lookup_in_update)))
DO(declares_late, s->system = add_system(s->world, ON_MAIN("M", declare_in_update)))
DO(update_it, EXPECT(ox_system_update(s->system)))
DO(add_one, s->system = add_system(s->world, BRIEF("M", .state = sizeof(int)));
   s->query = ox_query_create(s->world, OX_WRITE(Count)))
DO(look_at_system, EXPECT(ox_system_find(s->world, "M") == s->system);
   ox_system_get_info(s->system); ox_system_set_enabled(s->system, false);
   EXPECT(ox_system_require(s->system, s->query)); *ox_system_state(s->system, int) = 1)
DO(look_at_time, ox_system_get_time(s->system); ox_world_get_time(s->world);
   ox_system_get_delta(s->system);
   EXPECT(ox_group_set_step(ox_system_find(s->world, "Simulation"), 0.5f, 1)))
DO(order_systems, ox_world_get_systems(s->world, NULL, 0); ox_world_order_by_name(s->world, true))
DO(recorded, EXPECT(ox_world_record_frames(s->world, true)); add_system(s->world, BRIEF("M"));
   run_frame(s->world))
DO(get_frame, EXPECT(ox_world_get_frame(s->world) != NULL))
DO(explain, EXPECT(ox_world_explain_frame(s->world, OX_EXPLAIN_TEXT, NULL, 0) > 0))

static const sync_row rows[] = {
    {"world_create, of another", COUNT, NOTHING, NULL, make_world, 0},
    {"world_get_*", COUNT, NOTHING, NULL, look_at_world, 0},
    {"world_set_active, limit", COUNT, NOTHING, NULL, set_active, 0},
    {"versions", COUNT, NOTHING, NULL, versions, 0},
    {"record_syncs", COUNT, NOTHING, NULL, record, 0},
    {"create_in", COUNT, ALL, NULL, create_in, 0},
    {"create_of", COUNT, ALL, NULL, create_of, 0},
    {"create_with", COUNT, ALL, NULL, create_with, 0},
    {"entities_create", COUNT, ALL, NULL, create_some, 0},
    {"entities_copy", COUNT, ALL, NULL, copy_some, 0},
    {"entity_is_enabled", COUNT, NOTHING, NULL, entity_is_enabled, 0},
    {"entity_get_name", COUNT, NOTHING, NULL, names, 0},
    {"archetype_get", COUNT, NOTHING, NULL, archetype_get, 0},
    {"enable", AWAKE, READERS_TOO, NULL, enable, 0},
    {"disable", AWAKE, READERS_TOO, NULL, disable, 0},
    {"add_buffer where it is not", PATH, ALL, NULL, add_buffer, 0},
    {"shared_to_array", COUNT, NOTHING, NULL, shared_to_array, 0},
    {"shared_get_order_version", COUNT, NOTHING, NULL, shared_order, 0},
    {"query_make", COUNT, NOTHING, NULL, query_make, 0},
    {"query_chunks, chunk_next", COUNT, WRITERS, read_count, query_chunks, 0},
    {"chunk_next and chunk_has, not looking", COUNT, NOTHING, with_step, chunk_has, 0},
    {"query_single, switched", AWAKE, WRITERS, with_awake, query_single, 0},
    {"to_array of another term", COUNT, READERS_TOO, step_beside_count, step_to_array, 0},
    {"from_array of another term", COUNT, READERS_TOO, step_beside_count, step_from_array, 0},
    {"filter_order", COUNT, NOTHING, write_count, filter_order, 0},
    {"reset_filters", COUNT, NOTHING, write_count, reset_filters, 0},
    {"query_entities", COUNT, NOTHING, read_count, entities_of_query, 0},
    {"query_entities, switched", AWAKE, WRITERS, with_awake, entities_of_query, 0},
    {"views_fill", COUNT, NOTHING, NULL, fill_views, 0},
    {"views_fill, switched", AWAKE, WRITERS, NULL, fill_switched, 0},
    {"view_edit", COUNT, READERS_TOO, write_count, view_edit, 0},
    {"lookup_create", COUNT, NOTHING, NULL, lookup_create, 0},
    {"singleton_create", COUNT, ALL, NULL, singleton_create, 0},
    {"schedule_entities", COUNT, NOTHING, NULL, schedule_more, 0},
    {"schedule_query", COUNT, NOTHING, read_count, schedule_query, 0},
    {"complete", COUNT, READERS_TOO, NULL, complete_reader, 0},
    {"system_add, create makes all", COUNT, NOTHING, NULL, create_makes_all, 0},
    {"world_add_systems", COUNT, NOTHING, NULL, add_registered, 0},
    {"system_query in an update", COUNT, WRITERS, queries_late, update_it, 0},
    {"system_lookup in an update", COUNT, WRITERS, looks_up_late, update_it, 0},
    {"system_declare in an update", COUNT, READERS_TOO, declares_late, update_it, 0},
    {"what looks at a system", COUNT, NOTHING, add_one, look_at_system, 0},
    {"time and steps", COUNT, NOTHING, add_one, look_at_time, 0},
    {"order_by_name", COUNT, NOTHING, NULL, order_systems, 0},
    {"world_get_frame", COUNT, ALL, recorded, get_frame, 0},
    {"explain_frame", COUNT, ALL, recorded, explain, 0},
};

enum { ROWS = sizeof rows / sizeof *rows };

TEST(sync_calls, each_waits_for_jobs_over_entities) {
    run_rows(rows, ROWS, schedule_as_entities, "jobs over entities");
}

TEST(sync_calls, each_waits_for_handles_of_systems) {
    run_rows(rows, ROWS, schedule_in_systems, "handles of systems");
}

// Calls in a loop over chunks, which has waited for its terms: they are about jobs that are
// scheduled in the loop.

QUERY(write_awake, OX_WRITE(Awake))
QUERY(write_path, OX_WRITE(Path))
QUERY(read_team, OX_READ(Team))

typedef struct loop_row {
    const char *what;
    subject of;
    waits_for waits;
    void (*prepare)(sync_state *s);
    void (*call)(ox_chunk *chunk);
} loop_row;

#define WITH_CHUNK(name, ...)                                                                      \
    static void name(ox_chunk *chunk) {                                                            \
        (void)(__VA_ARGS__);                                                                       \
    }
WITH_CHUNK(next, ox_chunk_next(chunk))
WITH_CHUNK(has_count, ox_chunk_has_id(chunk, ox_component_id_of(Count)))
WITH_CHUNK(column, ox_chunk_get(*chunk, Count))
WITH_CHUNK(edit_column, ox_chunk_edit(*chunk, Count))
WITH_CHUNK(is_enabled, ox_chunk_is_enabled(*chunk, 0, Awake))
WITH_CHUNK(set_enabled, ox_chunk_set_enabled(*chunk, 0, Awake, false))
WITH_CHUNK(get_buffer, ox_buffers_get(ox_chunk_get(*chunk, Path), 0))
WITH_CHUNK(edit_buffer, ox_buffers_get(ox_chunk_edit(*chunk, Path), 0))
WITH_CHUNK(shared, ox_chunk_get(*chunk, Team))
WITH_CHUNK(set_shared, ox_chunk_set_shared(*chunk, Team, {5}))

static const loop_row loop_rows[] = {
    {"chunk_next", COUNT, NOTHING, write_count, next},
    {"chunk_has", COUNT, NOTHING, write_count, has_count},
    {"column", COUNT, WRITERS, write_count, column},
    {"edit_column", COUNT, READERS_TOO, write_count, edit_column},
    {"chunk_is_enabled", AWAKE, WRITERS, write_awake, is_enabled},
    {"chunk_set_enabled", AWAKE, READERS_TOO, write_awake, set_enabled},
    {"chunk_get_buffer", PATH, WRITERS, write_path, get_buffer},
    {"chunk_edit_buffer", PATH, READERS_TOO, write_path, edit_buffer},
    {"chunk_shared", COUNT, NOTHING, read_team, shared},
    {"chunk_set_shared", COUNT, ALL, read_team, set_shared},
};

TEST(sync_calls, those_of_chunks_wait_for_jobs_of_inside_the_loop) {
    for (size_t k = 0; k < sizeof loop_rows / sizeof *loop_rows; k++) {
        const loop_row *row = &loop_rows[k];
        sync_state s;
        begin_row(&s, &(sync_row){.of = row->of, .prepare = row->prepare}, schedule_as_entities);
        OX_EACH_CHUNK(s.query, chunk) {
            schedule_as_entities(&s, row->of);
            EXPECT_EQ(look_at(&s), NOTHING);
            row->call(&chunk);
            break;
        }
        if (look_at(&s) != row->waits || s.reports.count > 0) {
            test_fail(__FILE__, __LINE__, "%s completes %d\n%s", row->what, (int)look_at(&s),
                      s.reports.text);
        }
        finish_systems(s.world, &s.reports);
    }
}

static bool declares_read(ox_system *system) {
    return ox_system_declare(system, OX_READ(Count));
}

TEST(sync_calls, an_update_of_the_world_is_one_for_what_its_systems_declare) {
    sync_state s;
    begin_row(&s, &(sync_row){.of = COUNT}, schedule_as_entities);
    add_system(s.world, BRIEF("M", .create = declares_read));

    EXPECT(ox_world_update(s.world, 0.25f));

    EXPECT_EQ(look_at(&s), WRITERS);
    finish_systems(s.world, &s.reports);
}

TEST(sync_calls, a_system_that_is_removed_completes_its_own_job_and_what_that_waits_for) {
    sync_state s;
    begin_row(&s, &(sync_row){.of = COUNT}, schedule_in_systems);

    EXPECT(ox_system_remove(ox_system_find(s.world, "B")));

    EXPECT_EQ(look_at(&s), READERS_TOO);
    finish_systems(s.world, &s.reports);
}

// The handle of a buffer does not outlive what is scheduled over it, by whomever.
TEST_CHECKED(sync_calls, a_buffer_of_before_the_jobs_is_reported_and_completes_nothing) {
    static schedule_fn *const ways[] = {schedule_as_entities, schedule_in_systems};
    for (int k = 0; k < 2; k++) {
        sync_state s;
        begin_row(&s, &(sync_row){.of = PATH}, schedule_as_entities);
        ox_world_hash(s.world);
        ox_buffer path = ox_edit(s.world, s.entity, Path);
        ways[k](&s, PATH);

        EXPECT_EQ(ox_buffer_count(path), 0);

        EXPECT_EQ(look_at(&s), NOTHING);
        EXPECT_REPORT(&s.reports, OX_REPORT_BUFFER_ENDED);
        finish_systems(s.world, &s.reports);
    }
}

// A filter that lets other chunks pass waits for jobs that hold views of the query, and no others.

OX_JOB(HoldView, { OX_READ_ONLY ox_view counts; }) {
    (void)job;
}

TEST(sync_calls, views_with_other_chunks_wait_for_jobs_that_hold_views_of_the_query) {
    sync_state s;
    begin_row(&s, &(sync_row){.of = AWAKE, .prepare = read_count}, schedule_as_entities);
    ox_job holder = ox_schedule(HoldView, OX_NO_JOB, {ox_query_view(s.query, Count)});
    EXPECT(ox_query_filter_changed(s.query, Count, ox_world_get_version(s.world)));

    (void)ox_query_view(s.query, Count);

    EXPECT(ox_job_is_complete(holder));
    EXPECT_EQ(look_at(&s), NOTHING);
    finish_systems(s.world, &s.reports);
}
