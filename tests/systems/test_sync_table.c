// SPDX-License-Identifier: MIT
//
// What each call on main waits for, and calls that are about worlds as a whole. test_sync_calls.c
// has the rest of the table in docs/sync_points.md, test_sync_commands.c what is about commands.

#include "sync_test.h"

#include "oxbow/world.h"

// Queries of cases.
QUERY(read_count, OX_READ(Count))
QUERY(write_count, OX_WRITE(Count))
QUERY(with_count, OX_WITH(Count))
QUERY(optional_count, OX_READ(Step), OX_OPTIONAL(Count))
QUERY(with_awake, OX_WITH(Awake))
QUERY(without_awake, OX_WITH(Count), OX_NONE(Awake))
QUERY(present_awake, OX_PRESENT(Awake))
QUERY(write_awake, OX_WRITE(Awake))
QUERY(read_path, OX_READ(Path))
QUERY(write_path, OX_WRITE(Path))
QUERY(read_team, OX_READ(Team))

static void changed_count(sync_state *s) {
    read_count(s);
    ox_query_filter_changed(s->query, Count, 0);
}

// One component of one entity.
DO(get, ox_get(s->world, s->entity, Count))
DO(read_value, (void)ox_read(s->world, s->entity, Count))
DO(edit, ox_edit(s->world, s->entity, Count)->value = 1)
DO(set, EXPECT(ox_set(s->world, s->entity, Count, {1})))
DO(has, EXPECT(ox_has(s->world, s->entity, Count)))
DO(exists, EXPECT(ox_entity_exists(s->world, s->entity)))
DO(get_step, ox_get(s->world, s->entity, Step))
DO(edit_step, ox_edit(s->world, s->entity, Step)->value = 1)
DO(lookup_has, ox_lookup all = ox_lookup_create(s->world, Count);
   EXPECT(ox_lookup_has(&all, s->entity)))
DO(lookup_get, ox_lookup all = ox_lookup_create(s->world, Count);
   ox_lookup_get(&all, s->entity, Count))
DO(lookup_edit, ox_lookup all = ox_lookup_create(s->world, Count);
   ox_lookup_edit(&all, s->entity, Count)->value = 1)
DO(lookup_read, ox_lookup all = ox_lookup_create(s->world, Count);
   (void)ox_lookup_read(&all, s->entity, Count))
DO(lookup_set, ox_lookup all = ox_lookup_create(s->world, Count);
   ox_lookup_set(&all, s->entity, Count, {1}))
DO(look, uint32_t ids[8]; ox_entity_get_components(s->world, s->entity, ids, 8);
   ox_entity_get_location(s->world, s->entity); ox_world_get_usage(s->world);
   ox_entity_set_name(s->world, s->entity, "ship"); ox_entity_find(s->world, "ship"))

// Structure.
DO(create, ox_entity_create(s->world))
DO(instantiate, ox_entity_instantiate(s->world, s->entity))
DO(destroy, ox_entity_destroy(s->world, s->entity))
DO(add_new, EXPECT(ox_add_tag(s->world, s->entity, Marked)))
DO(add_again, EXPECT(ox_add(s->world, s->entity, Count, {9})))
DO(remove_one, EXPECT(ox_remove(s->world, s->entity, Step)))
DO(set_archetype,
   EXPECT(ox_entity_set_archetype(s->world, s->entity, ox_archetype_of(s->world, Count))))
DO(switch_entity, EXPECT(ox_entity_set_enabled(s->world, s->entity, false)))
DO(complete_all, EXPECT(ox_world_complete(s->world)))
DO(hash, ox_world_hash(s->world))
DO(layout_hash, ox_world_hash_layout(s->world))
DO(defragment, ox_world_defragment(s->world, 10))
DO(reserve_room, EXPECT(ox_world_reserve(s->world, 1000)))
DO(lend, ox_transaction lent = ox_transaction_begin(s->world);
   EXPECT(ox_transaction_enter(lent) == s->world && ox_transaction_leave(lent));
   EXPECT(ox_transaction_end(&lent, OX_NO_JOB)))

// The other world of a move.
static void move_or_copy(sync_state *s, bool moves, bool is_target) {
    ox_world *other = ox_world_create(&(ox_world_def){.no_systems = true});
    ox_world *to = is_target ? s->world : other, *from = is_target ? other : s->world;
    ox_entity entity = is_target ? ox_entity_create(other) : s->entity;
    if (moves) {
        EXPECT(ox_world_move(to, from, NULL) > 0);
    } else {
        EXPECT(ox_world_copy(to, from, &entity, NULL, 1));
    }
    if (moves && !is_target) {
        EXPECT(ox_world_move(from, to, NULL) > 0);
    }
    ox_world_destroy(other);
}

DO(move_in, move_or_copy(s, true, true))
DO(move_out, move_or_copy(s, true, false))
DO(copy_in, move_or_copy(s, false, true))
DO(copy_out, move_or_copy(s, false, false))

static void move_queried(sync_state *s) {
    ox_world *other = ox_world_create(&(ox_world_def){.no_systems = true});
    EXPECT(ox_world_move_query(other, s->query, NULL) > 0);
    EXPECT(ox_world_move(s->world, other, NULL) > 0);
    ox_world_destroy(other);
}
DO(make_archetype, EXPECT(ox_archetype_of(s->world, Count, Marked).number != 0))

// Queries.
DO(query_create, EXPECT(ox_query_create(s->world, OX_WRITE(Count)) != NULL))
DO(query_count, EXPECT_EQ(ox_query_count(s->query), 1))
DO(query_count_none, EXPECT_EQ(ox_query_count(s->query), 0))
DO(query_count_all, EXPECT_EQ(ox_query_count_all(s->query), 1))
DO(query_explain, EXPECT(ox_query_explain(s->query, s->entity, NULL, 0)))
DO(query_is_empty, EXPECT(!ox_query_is_empty(s->query)))
DO(query_single, EXPECT(ox_query_get_single(s->query).version != 0))
DO(query_filter, EXPECT(ox_query_filter_changed(s->query, Count, 0)))
DO(query_add, EXPECT(ox_query_add(s->query, Marked)))
DO(query_remove, EXPECT(ox_query_remove(s->query, Step)))
DO(query_destroy_entities, EXPECT_EQ(ox_query_destroy_entities(s->query), 1))
DO(query_destroy, ox_query_destroy(s->query))
DO(
    walk, OX_EACH_CHUNK(s->query, chunk) { EXPECT_EQ(chunk.count, 1); })
DO(
    column, OX_EACH_CHUNK(s->query, chunk) { ox_chunk_get(chunk, Count); })
DO(
    edit_column, OX_EACH_CHUNK(s->query, chunk) { ox_chunk_edit(chunk, Count)->value = 1; })
DO(view, ox_view all = ox_query_view(s->query, Count); (void)ox_view_read(all, 0, Count))
DO(view_edit, ox_view all = ox_query_view(s->query, Count); ox_view_set(all, 0, Count, {1}))
DO(to_entities, ox_array all = ox_query_copy_entities(s->query, OX_PERSISTENT); ox_dispose(&all))
DO(to_array, ox_array all = ox_query_copy_values(s->query, Count, OX_PERSISTENT); ox_dispose(&all))
DO(from_array, ox_array all = ox_array_create_untyped(Count, 1, OX_PERSISTENT);
   EXPECT(ox_query_set_values(s->query, Count, all)); ox_dispose(&all))

// Other kinds.
DO(singleton_get, EXPECT_EQ(ox_singleton_get(s->world, Count)->value, 0))
DO(singleton_read, EXPECT_EQ(ox_singleton_read(s->world, Count).value, 0))
DO(singleton_edit, ox_singleton_edit(s->world, Count)->value = 1)
DO(singleton_set, EXPECT(!ox_singleton_set(s->world, Count, {1})))
DO(singleton_has, EXPECT(ox_singleton_has(s->world, Count)))
DO(singleton_entity, EXPECT(ox_singleton_get_entity(s->world, Count).version != 0))
DO(singleton_get_buffer, EXPECT(ox_buffer_is_created(ox_singleton_get(s->world, Path))))
DO(singleton_edit_buffer, EXPECT(ox_buffer_is_created(ox_singleton_edit(s->world, Path))))
DO(get_buffer, EXPECT(ox_buffer_is_created(ox_get(s->world, s->entity, Path))))
DO(edit_buffer, EXPECT(ox_buffer_is_created(ox_edit(s->world, s->entity, Path))))
DO(add_buffer_again, EXPECT(ox_buffer_is_created(ox_add_buffer(s->world, s->entity, Path))))
DO(lookup_get_buffer, ox_lookup all = ox_lookup_create(s->world, Path);
   EXPECT(ox_buffer_is_created(ox_lookup_get(&all, s->entity, Path))))
DO(lookup_edit_buffer, ox_lookup all = ox_lookup_create(s->world, Path);
   EXPECT(ox_buffer_is_created(ox_lookup_edit(&all, s->entity, Path))))
DO(is_enabled, EXPECT(ox_is_enabled(s->world, s->entity, Awake)))
DO(set_enabled, EXPECT(ox_set_enabled(s->world, s->entity, Awake, false)))
DO(has_awake, EXPECT(ox_has(s->world, s->entity, Awake)))
DO(query_set_enabled, EXPECT(ox_query_set_enabled(s->query, Awake, false)))
DO(lookup_is_enabled, ox_lookup all = ox_lookup_create(s->world, Awake);
   EXPECT(ox_lookup_is_enabled(&all, s->entity)))
DO(lookup_set_enabled, ox_lookup all = ox_lookup_create(s->world, Awake);
   EXPECT(ox_lookup_set_enabled(&all, s->entity, false)))
DO(get_shared, EXPECT_EQ(ox_get(s->world, s->entity, Team)->number, 3))
DO(set_shared, EXPECT(ox_set(s->world, s->entity, Team, {4})))
DO(query_set_shared, EXPECT(ox_query_set_shared(s->query, Team, {4})))
DO(
    chunk_shared,
    OX_EACH_CHUNK(s->query, chunk) { EXPECT_EQ(ox_chunk_get(chunk, Team)->number, 3); })
DO(filter_shared, EXPECT(ox_query_filter_shared(s->query, Team, {3})))

// Systems on main, updated alone.
static void add_main(sync_state *s, ox_system_create_fn *declares) {
    s->system = add_system(s->world, ON_MAIN("M", log_update, .create = declares));
}
static bool declares_read(ox_system *system) {
    return ox_system_declare(system, OX_READ(Count));
}
static bool declares_write(ox_system *system) {
    return ox_system_declare(system, OX_WRITE(Count), OX_READ(Step));
}
DO(main_reads, add_main(s, declares_read))
DO(main_writes, add_main(s, declares_write))
DO(main_requires, add_main(s, NULL);
   ox_system_require(s->system, ox_query_create(s->world, OX_WRITE(Count))))
DO(update_system, EXPECT(ox_system_update(s->system)))
DO(add_another, add_system(s->world, BRIEF("N", .create = declares_write)))
DO(remove_it, EXPECT(ox_system_remove(s->system)))

QUERY(team_and_step, OX_READ(Team), OX_READ(Step))
IN_CHUNK(chunk_set_shared, ox_chunk_set_shared(chunk, Team, {5}))
DO(made_view, (void)ox_query_view(s->query, Count))
DO(view_window, ox_view_get_span(ox_query_view(s->query, Count), 0, 1))
DO(view_buffer, ox_view_get(ox_query_view(s->query, Path), 0, Path))
DO(view_edit_buffer, ox_view_edit(ox_query_view(s->query, Path), 0, Path))
DO(view_entity, (void)ox_view_read_entity(ox_query_view_entities(s->query), 0))
DO(add_some, ox_add_many(s->world, s->entity, OX_VALUE(Extra, {1})))
DO(remove_some, ox_remove_many(s->world, s->entity, Step, Extra))
DO(create_none, ox_entity none;
   ox_entities_create(s->world, ox_archetype_of(s->world, Step), &none, 0))
DO(destroy_some, ox_entities_destroy(s->world, &s->entity, 1))
DO(add_to_some, ox_entities_add(s->world, &s->entity, 1, Extra, {1}))
DO(tag_some, ox_entities_add_tag(s->world, &s->entity, 1, Extra))
DO(remove_from_some, ox_entities_remove(s->world, &s->entity, 1, Step))
DO(count_some, EXPECT_EQ(ox_entities_count_with(s->world, &s->entity, 1, Step), 1))
DO(instantiate_some, ox_entity copy; ox_entities_instantiate(s->world, s->entity, &copy, 1))
DO(validate, EXPECT(ox_world_validate(s->world)))
DO(write_world_text, EXPECT(ox_world_write_text(s->world, NULL, 0) > 0))
DO(write_world_json, EXPECT(ox_world_write_json(s->world, NULL, 0) > 0))
DO(write_query_text, EXPECT(ox_query_write_text(s->query, NULL, 0) > 0))
DO(write_query_json, EXPECT(ox_query_write_json(s->query, NULL, 0) > 0))
DO(archetypes_listed, EXPECT(ox_world_get_archetypes(s->world, NULL, 0) > 0);
   ox_archetype archetype = ox_entity_get_location(s->world, s->entity).archetype;
   EXPECT(ox_archetype_get_info(s->world, archetype).fill > 0);
   EXPECT(ox_archetype_get_components(s->world, archetype, NULL, 0) > 0))
DO(queries_listed, EXPECT(ox_world_get_queries(s->world, NULL, 0) > 0);
   EXPECT(ox_query_get_info(s->query).world == s->world);
   EXPECT(ox_query_get_terms(s->query, NULL, 0) > 0))
DO(accesses_listed, ox_system *root = ox_world_get_root(s->world);
   ox_system_get_queries(root, NULL, 0); ox_system_get_accesses(root, NULL, 0);
   ox_entity_get_systems(s->world, s->entity, NULL, 0);
   ox_entity_explain_systems(s->world, s->entity, NULL, 0))
DO(systems_listed, ox_world_get_systems(s->world, NULL, 0); ox_world_get_time(s->world))

static const sync_row rows[] = {
    {"view that is made", COUNT, NOTHING, read_count, made_view, 0},
    {"window of a view", COUNT, WRITERS, read_count, view_window, 0},
    {"buffer of a view", PATH, WRITERS, read_path, view_buffer, 0},
    {"buffer of a view, writing", PATH, READERS_TOO, write_path, view_edit_buffer, 0},
    {"entity of a view", COUNT, NOTHING, read_count, view_entity, 0},
    {"add_many", COUNT, ALL, NULL, add_some, 0},
    {"remove_many", COUNT, ALL, NULL, remove_some, 0},
    {"create 0", COUNT, ALL, NULL, create_none, 0},
    {"destroy many", COUNT, ALL, NULL, destroy_some, 0},
    {"add to many", COUNT, ALL, NULL, add_to_some, 0},
    {"tag many", COUNT, ALL, NULL, tag_some, 0},
    {"remove from many", COUNT, ALL, NULL, remove_from_some, 0},
    {"count some of many", COUNT, NOTHING, NULL, count_some, 0},
    {"instantiate many", COUNT, ALL, NULL, instantiate_some, 0},
    {"chunk_set_shared", COUNT, ALL, team_and_step, chunk_set_shared, 0},
    {"validate", COUNT, ALL, NULL, validate, 0},
    {"write a world as text", COUNT, ALL, NULL, write_world_text, 0},
    {"write a world as JSON", COUNT, ALL, NULL, write_world_json, 0},
    {"write a query as text", COUNT, ALL, read_count, write_query_text, 0},
    {"write a query as JSON", COUNT, ALL, read_count, write_query_json, 0},
    {"archetypes listed", COUNT, NOTHING, NULL, archetypes_listed, 0},
    {"queries listed", COUNT, NOTHING, read_count, queries_listed, 0},
    {"accesses listed", COUNT, NOTHING, NULL, accesses_listed, 0},
    {"systems and time", COUNT, NOTHING, NULL, systems_listed, 0},
    {"get", COUNT, WRITERS, NULL, get, 0},
    {"read", COUNT, WRITERS, NULL, read_value, 0},
    {"edit", COUNT, READERS_TOO, NULL, edit, 0},
    {"set", COUNT, READERS_TOO, NULL, set, 0},
    {"has", COUNT, NOTHING, NULL, has, 0},
    {"exists", COUNT, NOTHING, NULL, exists, 0},
    {"get another", COUNT, NOTHING, NULL, get_step, 0},
    {"edit another", COUNT, NOTHING, NULL, edit_step, 0},
    {"lookup has", COUNT, NOTHING, NULL, lookup_has, 0},
    {"lookup get", COUNT, WRITERS, NULL, lookup_get, 0},
    {"lookup edit", COUNT, READERS_TOO, NULL, lookup_edit, 0},
    {"lookup read", COUNT, WRITERS, NULL, lookup_read, 0},
    {"lookup set", COUNT, READERS_TOO, NULL, lookup_set, 0},
    {"where, components, usage, names", COUNT, NOTHING, NULL, look, 0},
    {"create", COUNT, ALL, NULL, create, 0},
    {"instantiate", COUNT, ALL, NULL, instantiate, 0},
    {"destroy", COUNT, ALL, NULL, destroy, 0},
    {"add what is new", COUNT, ALL, NULL, add_new, 0},
    {"add what is there", COUNT, ALL, NULL, add_again, 0},
    {"remove", COUNT, ALL, NULL, remove_one, 0},
    {"set_archetype", COUNT, ALL, NULL, set_archetype, 0},
    {"entity_set_enabled", COUNT, ALL, NULL, switch_entity, 0},
    {"complete_all", COUNT, ALL, NULL, complete_all, 0},
    {"hash", COUNT, ALL, NULL, hash, 0},
    {"layout_hash", COUNT, ALL, NULL, layout_hash, 0},
    {"defragment", COUNT, ALL, NULL, defragment, 0},
    {"moving in", COUNT, ALL, NULL, move_in, 0},
    {"moving out", COUNT, ALL, NULL, move_out, 0},
    {"moving by query", COUNT, ALL, with_count, move_queried, 0},
    {"copying in", COUNT, ALL, NULL, copy_in, 0},
    {"copying out", COUNT, ALL, NULL, copy_out, 0},
    {"lending", COUNT, ALL, NULL, lend, 0},
    {"making room", COUNT, NOTHING, NULL, reserve_room, 0},
    {"archetype_of", COUNT, NOTHING, NULL, make_archetype, 0},
    {"query_create", COUNT, NOTHING, NULL, query_create, 0},
    {"query_count", COUNT, NOTHING, read_count, query_count, 0},
    {"query_count, changed", COUNT, NOTHING, changed_count, query_count, 0},
    {"query_count, switched", AWAKE, WRITERS, with_awake, query_count, 0},
    {"query_count, switched off", AWAKE, WRITERS, without_awake, query_count_none, 0},
    {"query_count, switched or not", AWAKE, NOTHING, present_awake, query_count, 0},
    {"query_explain", COUNT, NOTHING, read_count, query_explain, 0},
    {"query_explain, switched", AWAKE, WRITERS, with_awake, query_explain, 0},
    {"query_count_all, switched", AWAKE, NOTHING, with_awake, query_count_all, 0},
    {"query_is_empty", COUNT, NOTHING, read_count, query_is_empty, 0},
    {"query_is_empty, switched", AWAKE, WRITERS, with_awake, query_is_empty, 0},
    {"query_single", COUNT, NOTHING, read_count, query_single, 0},
    {"query_filter", COUNT, NOTHING, read_count, query_filter, 0},
    {"query_add", COUNT, ALL, read_count, query_add, 0},
    {"query_remove", COUNT, ALL, read_count, query_remove, 0},
    {"query_destroy_entities", COUNT, ALL, read_count, query_destroy_entities, 0},
    {"query_destroy", COUNT, NOTHING, read_count, query_destroy, 0},
    {"walk, reading", COUNT, WRITERS, read_count, walk, 0},
    {"walk, writing", COUNT, READERS_TOO, write_count, walk, 0},
    {"walk, perhaps reading", COUNT, WRITERS, optional_count, walk, 0},
    {"walk, not looking", COUNT, NOTHING, with_count, walk, 0},
    {"walk, switched", AWAKE, WRITERS, with_awake, walk, 0},
    {"column", COUNT, WRITERS, read_count, column, 0},
    {"edit_column", COUNT, READERS_TOO, write_count, edit_column, 0},
    {"view", COUNT, WRITERS, read_count, view, 0},
    {"view, writing", COUNT, READERS_TOO, write_count, view_edit, 0},
    {"to_entities", COUNT, NOTHING, read_count, to_entities, 0},
    {"to_entities, switched", AWAKE, WRITERS, with_awake, to_entities, 0},
    {"to_array", COUNT, WRITERS, read_count, to_array, 0},
    {"from_array", COUNT, READERS_TOO, write_count, from_array, 0},
    {"singleton_get", COUNT, NOTHING, NULL, singleton_get, OX_REPORT_SINGLETON_BUSY},
    {"singleton_read", COUNT, NOTHING, NULL, singleton_read, OX_REPORT_SINGLETON_BUSY},
    {"singleton_edit", COUNT, NOTHING, NULL, singleton_edit, OX_REPORT_SINGLETON_BUSY},
    {"singleton_set", COUNT, NOTHING, NULL, singleton_set, OX_REPORT_SINGLETON_BUSY},
    {"singleton_has", COUNT, NOTHING, NULL, singleton_has, 0},
    {"singleton_entity", COUNT, NOTHING, NULL, singleton_entity, 0},
    {"singleton_get_buffer", PATH, WRITERS, NULL, singleton_get_buffer, 0},
    {"singleton_edit_buffer", PATH, READERS_TOO, NULL, singleton_edit_buffer, 0},
    {"get_buffer", PATH, WRITERS, NULL, get_buffer, 0},
    {"edit_buffer", PATH, READERS_TOO, NULL, edit_buffer, 0},
    {"add_buffer where it is", PATH, READERS_TOO, NULL, add_buffer_again, 0},
    {"lookup_get_buffer", PATH, WRITERS, NULL, lookup_get_buffer, 0},
    {"lookup_edit_buffer", PATH, READERS_TOO, NULL, lookup_edit_buffer, 0},
    {"walk over buffers, reading", PATH, WRITERS, read_path, walk, 0},
    {"walk over buffers, writing", PATH, READERS_TOO, write_path, walk, 0},
    {"is_enabled", AWAKE, WRITERS, NULL, is_enabled, 0},
    {"set_enabled", AWAKE, READERS_TOO, NULL, set_enabled, 0},
    {"has, switched", AWAKE, NOTHING, NULL, has_awake, 0},
    {"query_set_enabled", AWAKE, READERS_TOO, write_awake, query_set_enabled, 0},
    {"lookup_is_enabled", AWAKE, WRITERS, NULL, lookup_is_enabled, 0},
    {"lookup_set_enabled", AWAKE, READERS_TOO, NULL, lookup_set_enabled, 0},
    {"get of a shared value", COUNT, NOTHING, NULL, get_shared, 0},
    {"set of a shared value", COUNT, ALL, NULL, set_shared, 0},
    {"query_set_shared", COUNT, ALL, read_team, query_set_shared, 0},
    {"chunk_shared", COUNT, NOTHING, read_team, chunk_shared, 0},
    {"filter_shared", COUNT, NOTHING, read_team, filter_shared, 0},
    {"update of a system that reads", COUNT, WRITERS, main_reads, update_system, 0},
    {"update of a system that writes", COUNT, READERS_TOO, main_writes, update_system, 0},
    {"update of a system that requires", COUNT, NOTHING, main_requires, update_system, 0},
    {"system_add", COUNT, NOTHING, NULL, add_another, 0},
    {"system_remove", COUNT, NOTHING, main_writes, remove_it, 0},
};

enum { ROWS = sizeof rows / sizeof *rows };

TEST(sync_table, each_call_waits_for_jobs_over_entities) {
    run_rows(rows, ROWS, schedule_as_entities, "jobs over entities");
}

TEST(sync_table, each_call_waits_for_handles_of_systems) {
    run_rows(rows, ROWS, schedule_in_systems, "handles of systems");
}

TEST(sync_table, a_world_that_ends_completes_all_jobs) {
    static schedule_fn *const ways[] = {schedule_as_entities, schedule_in_systems};
    for (int k = 0; k < 2; k++) {
        sync_state s;
        begin_row(&s, &(sync_row){.of = COUNT}, ways[k]);
        ox_world_destroy(s.world);
        EXPECT_EQ(look_at(&s), ALL);
        EXPECT_EQ(s.reports.count, 0);
        ox_jobs_stop();
        ox_frame_end();
    }
}

TEST(sync_table, calls_for_another_world_complete_nothing) {
    static schedule_fn *const ways[] = {schedule_as_entities, schedule_in_systems};
    for (int k = 0; k < 2; k++) {
        sync_state s;
        collected_reports reports;
        ox_world *other = ox_world_create(
            &(ox_world_def){.no_systems = true, .on_report = {collect_report, &reports}});
        begin_row(&s, &(sync_row){.of = COUNT}, ways[k]);
        ox_entity entity = ox_entity_create(other, OX_VALUE(Count, {1}));
        ox_edit(other, entity, Count)->value = 2;
        ox_world_hash(other);
        ox_world_destroy(other);
        EXPECT_EQ(look_at(&s), NOTHING);
        finish_systems(s.world, &s.reports);
    }
}

TEST(sync_table, the_next_update_of_a_system_completes_its_own_job_and_what_that_waits_for) {
    sync_state s;
    begin_row(&s, &(sync_row){.of = COUNT}, schedule_in_systems);
    ox_job writer = s.writer, reader = s.reader, unrelated = s.unrelated;

    EXPECT(ox_system_update(ox_system_find(s.world, "A")));

    EXPECT(ox_job_is_complete(writer));
    EXPECT(!ox_job_is_complete(reader) && !ox_job_is_complete(unrelated));
    finish_systems(s.world, &s.reports);
}
