// SPDX-License-Identifier: MIT
//
// Worlds, queries and systems that are used after their end. Libraries with checks know them by
// their address, and say where they ended; nothing is followed.

#include "test.h"

#include <oxbow.h>

#include <stdio.h>

OX_COMPONENT(Spot, { float x, y; });
OX_COMPONENT(Speed, { float x, y; });
OX_SHARED(Side, { int32_t id; });
OX_BUFFER(Item, 2, { int32_t id; });
OX_ENABLEABLE(Awake, { int32_t since; });
OX_VIEWS(Spots, (OX_READ(Spot, spots)));

OX_ENTITY_JOB(Shift, (OX_WRITE(Spot, spot)), { float by; }) {
    spot->x += job->by;
}

OX_JOB(ReadSpots, { OX_READ_ONLY ox_view spots; }) {
    (void)job;
}

OX_ENTITY_JOB(ShiftBy, (OX_WRITE(Speed, speed)), { OX_READ_ONLY ox_view spots; }) {
    speed->x += ox_view_read(job->spots, 0, Spot).x;
}

static void do_nothing(ox_system *system) {
    (void)system;
}

// What a program may still hold when its world, query or system is gone.
static struct {
    collected_reports reports;
    ox_world *world, *other;
    ox_entity entity;
    ox_query *query;
    ox_chunk chunk, begun;
    ox_view view;
    Spots spots;
    ox_lookup lookup, switches, items;
    ox_buffer buffer;
    ox_buffer_view elements;
    ox_system *scope;
    ox_system *system, *group, *inner;
    ox_archetype archetype;
    ox_commands commands; // of the other world
} held;

static void hold(void) {
    collect_reports(&held.reports);
    held.other = ox_world_create(&(ox_world_def){.name = "other", .no_systems = true});
    held.commands = ox_commands_create(held.other, NULL);
    held.world = ox_world_create(&(ox_world_def){.name = "sea", .no_systems = true});
    held.entity = ox_entity_create(held.world, OX_VALUE(Spot, {1, 2}), OX_VALUE(Speed, {1, 2}),
                                   OX_VALUE(Side, {1}), OX_VALUE(Awake, {1}));
    ox_add_buffer(held.world, held.entity, Item);
    held.archetype = ox_archetype_of(held.world, Spot);
    held.query =
        ox_query_create(held.world, OX_WRITE(Spot), OX_READ(Side), OX_READ(Item), OX_WRITE(Awake));
    held.spots = (Spots){0};
    EXPECT(ox_views_fill(held.world, &held.spots, Spots));
    held.scope = ox_world_get_root(held.world);
    held.group = ox_system_add(held.world, &(ox_system_def){.name = "Inner", .is_group = true});
    held.inner = ox_system_add(
        held.world, &(ox_system_def){.name = "Leaf", .in = "Inner", .update = do_nothing});
    held.system = ox_system_add(held.world, &(ox_system_def){.name = "Idle", .update = do_nothing});
    held.lookup = ox_lookup_create(held.world, Spot);
    held.switches = ox_lookup_create(held.world, Awake);
    held.items = ox_lookup_create(held.world, Item);
    held.view = ox_query_view(held.query, Spot);
    held.begun = ox_query_chunks(held.query);
    held.chunk = ox_query_chunks(held.query);
    EXPECT(ox_chunk_next(&held.chunk));
    held.buffer = ox_edit(held.world, held.entity, Item);
    held.elements = ox_buffer_view_create(held.buffer);
    EXPECT_EQ(held.reports.count, 0);
}

// Which of the three a use needs.
enum { USES_WORLD, USES_QUERY, USES_SYSTEM };

typedef struct dead_use {
    const char *name;
    int of;
    void (*act)(void);
} dead_use;

#define USE(of, name, ...)                                                                         \
    static void name(void) {                                                                       \
        __VA_ARGS__;                                                                               \
    }
// long: a list of data
#define DEAD_USES(X)                                                                               \
    X(USES_WORLD, world_destroy, ox_world_destroy(held.world))                                     \
    X(USES_WORLD, world_set_active, ox_world_set_active(held.world))                               \
    X(USES_WORLD, world_get_def, ox_world_get_def(held.world))                                     \
    X(USES_WORLD, world_reserve, ox_world_reserve(held.world, 10))                                 \
    X(USES_WORLD, world_get_usage, ox_world_get_usage(held.world))                                 \
    X(USES_WORLD, world_hash, ox_world_hash(held.world))                                           \
    X(USES_WORLD, world_layout_hash, ox_world_hash_layout(held.world))                             \
    X(USES_WORLD, world_validate, ox_world_validate(held.world))                                   \
    X(USES_WORLD, world_defragment, ox_world_defragment(held.world, 10))                           \
    X(USES_WORLD, world_get_fragmentation, ox_world_get_fragmentation(held.world))                 \
    X(USES_WORLD, world_write_text, ox_world_write_text(held.world, NULL, 0))                      \
    X(USES_WORLD, world_write_json, ox_world_write_json(held.world, NULL, 0))                      \
    X(USES_WORLD, world_get_archetypes, ox_world_get_archetypes(held.world, NULL, 0))              \
    X(USES_WORLD, archetype_get_info, ox_archetype_get_info(held.world, held.archetype))           \
    X(USES_WORLD, archetype_get_components,                                                        \
      ox_archetype_get_components(held.world, held.archetype, NULL, 0))                            \
    X(USES_WORLD, world_get_queries, ox_world_get_queries(held.world, NULL, 0))                    \
    X(USES_WORLD, entity_get_systems, ox_entity_get_systems(held.world, held.entity, NULL, 0))     \
    X(USES_WORLD, entity_explain_systems,                                                          \
      ox_entity_explain_systems(held.world, held.entity, NULL, 0))                                 \
    X(USES_WORLD, world_complete, ox_world_complete(held.world))                                   \
    X(USES_WORLD, world_get_scope, ox_world_get_root(held.world))                                  \
    X(USES_WORLD, world_get_version, ox_world_get_version(held.world))                             \
    X(USES_WORLD, world_advance_version, ox_world_advance_version(held.world))                     \
    X(USES_WORLD, world_get_order_version,                                                         \
      ox_world_get_order_version(held.world, ox_component_id_of(Spot)))                            \
    X(USES_WORLD, world_record_syncs, ox_world_record_syncs(held.world, true))                     \
    X(USES_WORLD, world_get_syncs, ox_world_get_syncs(held.world, NULL, 0))                        \
    X(USES_WORLD, world_update, ox_world_update(held.world, 0.1f))                                 \
    X(USES_WORLD, world_get_time, ox_world_get_time(held.world))                                   \
    X(USES_WORLD, world_get_systems, ox_world_get_systems(held.world, NULL, 0))                    \
    X(USES_WORLD, world_order_by_name, ox_world_order_by_name(held.world, true))                   \
    X(USES_WORLD, world_shuffle, ox_world_shuffle_systems(held.world, 1))                          \
    X(USES_WORLD, world_record_frames, ox_world_record_frames(held.world, true))                   \
    X(USES_WORLD, world_get_frame, ox_world_get_frame(held.world))                                 \
    X(USES_WORLD, world_set_strict, ox_world_set_strict(held.world, true))                         \
    X(USES_WORLD, explain, char text[8];                                                           \
      ox_world_explain_frame(held.world, OX_EXPLAIN_TEXT, text, 8))                                \
    X(USES_WORLD, world_add_systems, ox_world_add_systems(held.world))                             \
    X(USES_WORLD, world_move_from, ox_world_move(held.other, held.world, NULL))                    \
    X(USES_WORLD, world_move_to, ox_world_move(held.world, held.other, NULL))                      \
    X(USES_WORLD, world_copy, ox_world_copy(held.other, held.world, &held.entity, NULL, 1))        \
    X(USES_WORLD, transaction_begin, ox_transaction_begin(held.world))                             \
    X(USES_WORLD, commands_create, ox_commands_create(held.world, NULL))                           \
    X(USES_WORLD, system_add, ox_system_add(held.world, &(ox_system_def){.name = "New"}))          \
    X(USES_WORLD, system_find, ox_system_find(held.world, "Idle"))                                 \
    X(USES_WORLD, archetype_of, ox_archetype_of(held.world, Spot))                                 \
    X(USES_WORLD, entity_create, ox_entity_create(held.world))                                     \
    X(USES_WORLD, entity_create_in, ox_entity_create_in(held.world, held.archetype))               \
    X(USES_WORLD, entity_create_with, ox_entity_create(held.world, OX_VALUE(Spot, {1, 2})))        \
    X(USES_WORLD, entities_create, ox_entity made[2];                                              \
      ox_entities_create(held.world, held.archetype, made, 2))                                     \
    X(USES_WORLD, entity_instantiate, ox_entity_instantiate(held.world, held.entity))              \
    X(USES_WORLD, entities_instantiate, ox_entity made[2];                                         \
      ox_entities_instantiate(held.world, held.entity, made, 2))                                   \
    X(USES_WORLD, entities_copy, ox_entity made[1];                                                \
      ox_entities_copy(held.world, &held.entity, made, 1))                                         \
    X(USES_WORLD, entity_destroy, ox_entity_destroy(held.world, held.entity))                      \
    X(USES_WORLD, entities_destroy, ox_entities_destroy(held.world, &held.entity, 1))              \
    X(USES_WORLD, entities_add, ox_entities_add(held.world, &held.entity, 1, Spot, {1, 2}))        \
    X(USES_WORLD, entities_remove, ox_entities_remove(held.world, &held.entity, 1, Spot))          \
    X(USES_WORLD, entities_count_with, ox_entity both[2] = {held.entity, held.entity};             \
      ox_entities_count_with(held.world, both, 2, Spot))                                           \
    X(USES_WORLD, entity_exists, ox_entity_exists(held.world, held.entity))                        \
    X(USES_WORLD, entity_where, ox_entity_get_location(held.world, held.entity))                   \
    X(USES_WORLD, entity_get_components,                                                           \
      ox_entity_get_components(held.world, held.entity, NULL, 0))                                  \
    X(USES_WORLD, entity_set_name, ox_entity_set_name(held.world, held.entity, "Ann"))             \
    X(USES_WORLD, entity_get_name, ox_entity_get_name(held.world, held.entity))                    \
    X(USES_WORLD, entity_find, ox_entity_find(held.world, "Ann"))                                  \
    X(USES_WORLD, entity_set_archetype,                                                            \
      ox_entity_set_archetype(held.world, held.entity, held.archetype))                            \
    X(USES_WORLD, entity_set_enabled, ox_entity_set_enabled(held.world, held.entity, false))       \
    X(USES_WORLD, entity_is_enabled, ox_entity_is_enabled(held.world, held.entity))                \
    X(USES_WORLD, add, ox_add(held.world, held.entity, Spot, {1, 2}))                              \
    X(USES_WORLD, add_many, ox_add_many(held.world, held.entity, OX_VALUE(Spot, {1, 2})))          \
    X(USES_WORLD, add_buffer, ox_add_buffer(held.world, held.entity, Item))                        \
    X(USES_WORLD, remove_spot, ox_remove(held.world, held.entity, Spot))                           \
    X(USES_WORLD, has, ox_has(held.world, held.entity, Spot))                                      \
    X(USES_WORLD, get, EXPECT(ox_get(held.world, held.entity, Spot)->x == 0))                      \
    X(USES_WORLD, edit, ox_edit(held.world, held.entity, Spot)->x = 1)                             \
    X(USES_WORLD, read_spot, EXPECT(ox_read(held.world, held.entity, Spot).x == 0))                \
    X(USES_WORLD, set, ox_set(held.world, held.entity, Spot, {1, 2}))                              \
    X(USES_WORLD, enable, ox_set_enabled(held.world, held.entity, Awake, true))                    \
    X(USES_WORLD, is_enabled, ox_is_enabled(held.world, held.entity, Awake))                       \
    X(USES_WORLD, get_buffer, ox_get(held.world, held.entity, Item))                               \
    X(USES_WORLD, edit_buffer, ox_edit(held.world, held.entity, Item))                             \
    X(USES_WORLD, singleton_get, ox_singleton_get(held.world, Spot))                               \
    X(USES_WORLD, singleton_set, ox_singleton_set(held.world, Spot, {1, 2}))                       \
    X(USES_WORLD, singleton_has, ox_singleton_has(held.world, Spot))                               \
    X(USES_WORLD, singleton_create, ox_singleton_create(held.world, Speed, {1, 2}))                \
    X(USES_WORLD, shared_to_array, ox_shared_copy_values(held.world, Side, OX_TEMP))               \
    X(USES_WORLD, query_create, ox_query_create(held.world, OX_READ(Spot)))                        \
    X(USES_WORLD, lookup_create, ox_lookup_create(held.world, Spot))                               \
    X(USES_WORLD, lookup_has, ox_lookup_has(&held.lookup, held.entity))                            \
    X(USES_WORLD, lookup_get, EXPECT(ox_lookup_get(&held.lookup, held.entity, Spot)->x == 0))      \
    X(USES_WORLD, lookup_edit, ox_lookup_edit(&held.lookup, held.entity, Spot)->x = 1)             \
    X(USES_WORLD, lookup_is_enabled, ox_lookup_is_enabled(&held.switches, held.entity))            \
    X(USES_WORLD, lookup_set_enabled, ox_lookup_set_enabled(&held.switches, held.entity, true))    \
    X(USES_WORLD, lookup_get_buffer, ox_lookup_get(&held.items, held.entity, Item))                \
    X(USES_WORLD, buffer_count, EXPECT_EQ(ox_buffer_count(held.buffer), 0))                        \
    X(USES_WORLD, buffer_append, ox_buffer_push(held.buffer, Item, {1}))                           \
    X(USES_WORLD, buffer_clear, ox_buffer_clear(held.buffer))                                      \
    X(USES_WORLD, buffer_pop, (void)ox_buffer_pop(held.buffer, Item))                              \
    X(USES_WORLD, buffer_peek, (void)ox_buffer_peek(held.buffer, Item))                            \
    X(USES_WORLD, buffer_view_get, ox_buffer_view_get(held.elements, 0, Item))                     \
    X(USES_WORLD, views_fill, ox_views_fill(held.world, &held.spots, Spots))                       \
    X(USES_WORLD, schedule, ox_schedule_entities(Shift, held.scope, OX_AUTO, {1}))                 \
    X(USES_QUERY, query_destroy, ox_query_destroy(held.query))                                     \
    X(USES_QUERY, query_count, ox_query_count(held.query))                                         \
    X(USES_QUERY, query_count_all, ox_query_count_all(held.query))                                 \
    X(USES_QUERY, query_explain, char text[8]; ox_query_explain(held.query, held.entity, text, 8)) \
    X(USES_QUERY, query_write_text, ox_query_write_text(held.query, NULL, 0))                      \
    X(USES_QUERY, query_write_json, ox_query_write_json(held.query, NULL, 0))                      \
    X(USES_QUERY, query_get_info, ox_query_get_info(held.query))                                   \
    X(USES_QUERY, query_get_terms, ox_query_get_terms(held.query, NULL, 0))                        \
    X(USES_QUERY, query_filter_changed, ox_query_filter_changed(held.query, Spot, 0))              \
    X(USES_QUERY, query_filter_order, ox_query_filter_order(held.query, 0))                        \
    X(USES_QUERY, query_filter_shared, ox_query_filter_shared(held.query, Side, {1}))              \
    X(USES_QUERY, query_reset_filters, ox_query_reset_filters(held.query))                         \
    X(                                                                                             \
        USES_QUERY, query_chunks, OX_EACH_CHUNK(held.query, chunk) { EXPECT(false); })             \
    X(USES_QUERY, query_to_entities, ox_query_copy_entities(held.query, OX_TEMP))                  \
    X(USES_QUERY, query_to_array, ox_query_copy_values(held.query, Spot, OX_TEMP))                 \
    X(USES_QUERY, query_add, ox_query_add(held.query, Speed))                                      \
    X(USES_QUERY, query_remove, ox_query_remove(held.query, Speed))                                \
    X(USES_QUERY, query_destroy_entities, ox_query_destroy_entities(held.query))                   \
    X(USES_QUERY, query_set_shared, ox_query_set_shared(held.query, Side, {2}))                    \
    X(USES_QUERY, query_set_enabled, ox_query_set_enabled(held.query, Awake, false))               \
    X(USES_QUERY, query_single, ox_query_get_single(held.query))                                   \
    X(USES_QUERY, query_view, ox_query_view(held.query, Spot))                                     \
    X(USES_QUERY, query_entities, ox_query_view_entities(held.query))                              \
    X(USES_QUERY, query_schedule, ox_schedule_query(Shift, held.query, OX_AUTO, {1}))              \
    X(USES_QUERY, query_move, ox_world_move_query(held.other, held.query, NULL))                   \
    X(USES_QUERY, query_commands, ox_commands_query_destroy_entities(held.commands, held.query))   \
    X(USES_QUERY, chunk_next, EXPECT(!ox_chunk_next(&held.begun)))                                 \
    X(USES_QUERY, chunk_next_again, ox_chunk copy = held.chunk; EXPECT(!ox_chunk_next(&copy)))     \
    X(USES_QUERY, chunk_column, EXPECT(ox_chunk_get(held.chunk, Spot)->x == 0))                    \
    X(USES_QUERY, chunk_edit_column, ox_chunk_edit(held.chunk, Spot)->x = 1)                       \
    X(USES_QUERY, chunk_has, ox_chunk_has_id(&held.chunk, ox_component_id_of(Spot)))               \
    X(USES_QUERY, chunk_shared, ox_chunk_get(held.chunk, Side))                                    \
    X(USES_QUERY, chunk_set_shared, ox_chunk_set_shared(held.chunk, Side, {2}))                    \
    X(USES_QUERY, chunk_get_buffer, ox_buffers_get(ox_chunk_get(held.chunk, Item), 0))             \
    X(USES_QUERY, chunk_set_enabled, ox_chunk_set_enabled(held.chunk, 0, Awake, false))            \
    X(USES_QUERY, chunk_is_enabled, ox_chunk_is_enabled(held.chunk, 0, Awake))                     \
    X(USES_QUERY, view_get, EXPECT(ox_view_read(held.view, 0, Spot).x == 0))                       \
    X(USES_QUERY, view_edit, ox_view_edit(held.view, 0, Spot)->x = 1)                              \
    X(USES_QUERY, view_window, ox_view_get_span(held.view, 0, 1))                                  \
    X(USES_QUERY, view_in_job, EXPECT(ox_schedule(ReadSpots, OX_NO_JOB, {held.view}).value == 0))  \
    X(USES_SYSTEM, system_remove, EXPECT(!ox_system_remove(held.system)))                          \
    X(USES_SYSTEM, system_get_info, EXPECT(ox_system_get_info(held.system).name == NULL))          \
    X(USES_SYSTEM, system_get_queries, ox_system_get_queries(held.system, NULL, 0))                \
    X(USES_SYSTEM, system_get_accesses, ox_system_get_accesses(held.system, NULL, 0))              \
    X(USES_SYSTEM, system_set_enabled, ox_system_set_enabled(held.system, false))                  \
    X(USES_SYSTEM, system_state, ox_system_state(held.system, int))                                \
    X(USES_SYSTEM, system_query, ox_system_query(held.system, OX_READ(Spot)))                      \
    X(USES_SYSTEM, system_lookup, ox_system_lookup(held.system, OX_READ(Spot)))                    \
    X(USES_SYSTEM, system_declare, ox_system_declare(held.system, OX_READ(Spot)))                  \
    X(USES_SYSTEM, system_require, ox_system_require(held.system, held.query))                     \
    X(USES_SYSTEM, system_commands, ox_system_commands(held.system))                               \
    X(USES_SYSTEM, barrier_commands, ox_barrier_commands(held.system))                             \
    X(USES_SYSTEM, system_update, ox_system_update(held.system))                                   \
    X(USES_SYSTEM, system_get_time, ox_system_get_time(held.system))                               \
    X(USES_SYSTEM, delta_time, ox_system_get_delta(held.system))                                   \
    X(USES_SYSTEM, group_set_step, ox_group_set_step(held.group, 0.1f, 1))                         \
    X(USES_SYSTEM, group_remove, ox_system_remove(held.group))                                     \
    X(USES_SYSTEM, inner_remove, ox_system_remove(held.inner))                                     \
    X(USES_SYSTEM, system_schedule, ox_schedule_entities(Shift, held.system, OX_AUTO, {1}))

DEAD_USES(USE)

#define ROW(of, name, ...) {#name, of, name},
static const dead_use dead_uses[] = {DEAD_USES(ROW)};
enum { DEAD_USE_COUNT = sizeof dead_uses / sizeof *dead_uses };

static void let_go(void) {
    ox_commands_dispose(&held.commands);
    ox_world_destroy(held.other);
    ox_frame_end();
}

// Every use of what ended is one report, which says so; nothing else happens.
static int use_all(int most, ox_world *alive) {
    int tried = 0;
    for (int k = 0; k < DEAD_USE_COUNT; k++) {
        if (dead_uses[k].of < most || (alive != NULL && dead_uses[k].of == USES_WORLD)) {
            continue;
        }
        held.reports = (collected_reports){0};
        dead_uses[k].act();
        bool is_told = held.reports.last == OX_REPORT_ENDED ||
                       held.reports.last == OX_REPORT_DISPOSED; // of a handle in a job
        if (held.reports.count != 1 || !is_told) {
            test_fail(__FILE__, __LINE__, "%s: %d reports, the last %s", dead_uses[k].name,
                      held.reports.count, ox_report_code(held.reports.last));
        }
        tried++;
    }
    return tried;
}

TEST_CHECKED(ended, everything_of_a_world_that_was_destroyed_is_reported) {
    hold();
    ox_world_destroy(held.world);

    EXPECT(use_all(USES_WORLD, NULL) > 120);

    held.reports.count = 0;
    let_go();
}

TEST_CHECKED(ended, everything_of_a_query_that_was_destroyed_is_reported) {
    hold();
    ox_query_destroy(held.query);
    int tried = 0;
    for (int k = 0; k < DEAD_USE_COUNT; k++) {
        if (dead_uses[k].of == USES_QUERY) {
            held.reports = (collected_reports){0};
            dead_uses[k].act();
            EXPECT_REPORT(&held.reports, OX_REPORT_ENDED);
            tried++;
        }
    }
    EXPECT(tried > 30);
    EXPECT(ox_world_validate(held.world));
    ox_world_destroy(held.world);
    let_go();
}

TEST_CHECKED(ended, everything_of_a_system_that_was_removed_is_reported) {
    hold();
    EXPECT(ox_system_remove(held.system));
    EXPECT(ox_system_remove(held.group));

    EXPECT(use_all(USES_SYSTEM, held.world) > 15);

    EXPECT(ox_world_validate(held.world));
    ox_world_destroy(held.world);
    let_go();
}

TEST_CHECKED(ended, the_state_of_a_system_that_was_removed_is_scratch_memory) {
    collected_reports reports = {0};
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    ox_system *system = ox_system_add(world, (&(ox_system_def){.name = "A", .state = sizeof(int)}));
    collect_reports(&reports);
    EXPECT(ox_system_remove(system));

    *ox_system_state(system, int) = 5;

    EXPECT(reports.count > 0);
    ox_world_destroy(world);
}

TEST_CHECKED(ended, reports_say_what_it_was_and_where_it_ended) {
    hold();
    ox_query_destroy(held.query); // here
    ox_query_count(held.query);
    EXPECT_HAS(held.reports.text, "ox_query_count of a query (made tests/systems/test_ended.c:");
    EXPECT_HAS(held.reports.text, "which ended at tests/systems/test_ended.c:");
    EXPECT(ox_system_remove(held.system));
    EXPECT(!ox_system_remove(held.system));
    EXPECT_HAS(held.reports.text, "ox_system_remove of system 'Idle'");
    ox_world_destroy(held.world);
    ox_world_destroy(held.world);
    EXPECT_HAS(held.reports.text, "ox_world_destroy of world 'sea' (made tests/systems/");
    let_go();
}

TEST_CHECKED(ended, an_entity_job_with_a_view_of_a_query_that_was_destroyed_is_refused) {
    hold();
    ox_complete(ox_schedule_entities(ShiftBy, held.scope, OX_AUTO, {held.view})); // makes a query
    ox_query_destroy(held.query);

    EXPECT(ox_schedule_entities(ShiftBy, held.scope, OX_AUTO, {held.view}).value == 0);

    EXPECT_REPORT(&held.reports, OX_REPORT_ENDED);
    ox_world_destroy(held.world);
    let_go();
}

TEST_CHECKED(ended, an_address_that_is_handed_out_again_is_alive) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    for (int round = 0; round < 100; round++) {
        ox_query *query = ox_query_create(world, OX_READ(Spot));
        EXPECT_EQ(ox_query_count(query), 0);
        ox_query_destroy(query);
        ox_system *system =
            ox_system_add(world, &(ox_system_def){.name = "Idle", .update = do_nothing});
        EXPECT(ox_system_get_info(system).name != NULL);
        EXPECT(ox_system_remove(system));
        ox_world *second = ox_world_create(&(ox_world_def){.no_systems = true});
        EXPECT(ox_entity_create(second).version != 0);
        ox_world_destroy(second);
    }
    ox_world_destroy(world);
    EXPECT_EQ(reports.count, 0);
}

enum { MANY_QUERIES = 10000 };

TEST_CHECKED(ended, the_last_of_many_that_ended_is_known) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    static ox_query *queries[MANY_QUERIES];
    for (int k = 0; k < MANY_QUERIES; k++) {
        queries[k] = ox_query_create(world, OX_READ(Spot));
    }
    for (int k = 0; k < MANY_QUERIES; k++) {
        ox_query_destroy(queries[k]);
        EXPECT_EQ(ox_query_count(queries[k]), 0);
        EXPECT_REPORT(&reports, OX_REPORT_ENDED);
    }
    ox_world_destroy(world);
}

// Queries of systems.

static ox_query *own_query;

static bool make_own_query(ox_system *system) {
    own_query = ox_system_query(system, OX_READ(Spot));
    return own_query != NULL;
}

typedef struct own_state {
    Spots spots;
} own_state;

TEST(ended, a_query_of_a_system_cannot_be_destroyed_by_its_user) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_world *world = ox_world_create(&(ox_world_def){.no_systems = true});
    ox_entity_create(world, OX_VALUE(Spot, {1, 2}));
    ox_system *system =
        ox_system_add(world, &(ox_system_def){
                                 .name = "Own",
                                 .update = do_nothing,
                                 .create = make_own_query,
                                 .state = sizeof(own_state),
                                 .inject = {OX_INJECT_VIEWS(own_state, spots, Spots)},
                             });
    EXPECT(system != NULL);
    ox_query *mine = ox_system_query(system, OX_READ(Spot));

    ox_query_destroy(mine);
    EXPECT_HAS(reports.text, "belongs to system 'Own'");
    EXPECT_REPORT(&reports, OX_REPORT_QUERY_OWNED);
    ox_query_destroy(own_query);
    EXPECT_REPORT(&reports, OX_REPORT_QUERY_OWNED);
    ox_query_destroy(ox_system_state(system, own_state)->spots.query);
    EXPECT_REPORT(&reports, OX_REPORT_QUERY_OWNED);

    EXPECT(ox_world_update(world, 0.1f));
    EXPECT_EQ(ox_query_count(mine), 1);
    EXPECT_EQ(ox_system_state(system, own_state)->spots.count, 1);
    ox_query_destroy(ox_query_create(world, OX_READ(Spot))); // one's own
    EXPECT_EQ(reports.count, 0);
    ox_world_destroy(world);
}
