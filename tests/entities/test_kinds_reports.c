// SPDX-License-Identifier: MIT
//
// A component that is used as another kind, by every call that can: the report, its text, the
// caller's line, and a world that stays as it was.

#include "entities/kinds_test.h"

#include "oxbow/containers.h"
#include "oxbow/detail/element.h"
#include "oxbow/entities.h"
#include "oxbow/entity_jobs.h"
#include "oxbow/memory.h"
#include "oxbow/queries.h"

static collected_reports reports;
static uint64_t layout;

static ox_world *make_all_kinds(ox_entity *entity) {
    ox_world *world = make_world(&reports);
    *entity = ox_entity_create(world, OX_VALUE(Team, {1}), OX_VALUE(Health, {2}),
                               OX_VALUE(Stunned, {3}), OX_VALUE_TAG(Note), OX_VALUE_TAG(Frozen));
    ox_buffer_push(ox_edit(world, *entity, Note), Note, {4});
    layout = ox_world_hash_layout(world);
    return world;
}

// One report came, with this text and a line of this file, and nothing changed.
static void expect_told(const ox_world *world, ox_report_id id, const char *part) {
    EXPECT_HAS(reports.text, part);
    EXPECT_HAS(reports.text, "test_kinds_reports.c:");
    EXPECT_HAS(reports.site != NULL ? reports.site : "", "test_kinds_reports.c:");
    EXPECT_REPORT(&reports, id);
    EXPECT_EQ(ox_world_hash_layout(world), layout);
}

static void expect_kind(const ox_world *world, const char *part) {
    expect_told(world, OX_REPORT_WRONG_KIND, part);
}

TEST(kinds_reports, values_of_shared_components_and_buffers_are_not_taken_for_plain_ones) {
    ox_entity entity;
    ox_world *world = make_all_kinds(&entity);

    ((Team *)ox_edit_at(world, entity, ox_component_id_of(Team), OX_HERE))->id = 9;
    expect_kind(world, "ox_edit of 'Team', which is shared");
    uint32_t note = ox_component_id_of(Note);
    EXPECT(ox_get_at(world, entity, note, OX_HERE) == oxi_element_zeros());
    expect_kind(world, "ox_get of 'Note', which is a buffer");
    EXPECT(ox_read_at(world, entity, note, OX_HERE) == oxi_element_zeros());
    expect_kind(world, "ox_read of 'Note', which is a buffer");
    ((Note *)ox_edit_at(world, entity, note, OX_HERE))->pitch = 9;
    expect_kind(world, "ox_edit of 'Note', which is a buffer");
    EXPECT(!ox_set(world, entity, Note, {9}));
    expect_kind(world, "ox_set of 'Note', which is a buffer");
    EXPECT(!ox_add(world, entity, Note, {9}));
    expect_kind(world, "ox_add of 'Note', which is a buffer");
    EXPECT(!ox_add_many(world, entity, OX_VALUE(Health, {9}), OX_VALUE(Note, {9})));
    expect_kind(world, "a list of values of 'Note', which is a buffer");
    EXPECT_EQ(ox_entity_create(world, OX_VALUE(Note, {9})).version, 0);
    expect_kind(world, "a list of values of 'Note', which is a buffer");
    end_world(world, &reports);
}

TEST(kinds_reports, plain_components_are_not_taken_for_buffers) {
    ox_entity entity;
    ox_world *world = make_all_kinds(&entity);

    EXPECT(!ox_buffer_is_created(
        ox_get_buffer_at(world, entity, ox_component_id_of(Health), false, OX_HERE)));
    expect_kind(world, "'Health', which is plain data");
    EXPECT(!ox_buffer_is_created(
        ox_get_buffer_at(world, entity, ox_component_id_of(Team), true, OX_HERE)));
    expect_kind(world, "'Team', which is shared");
    EXPECT(!ox_buffer_is_created(ox_add_buffer(world, entity, Velocity)));
    expect_kind(world, "'Velocity', which is plain data");
    EXPECT(!ox_buffer_is_created(
        ox_singleton_get_buffer_at(world, ox_component_id_of(Health), false, OX_HERE)));
    expect_kind(world, "'Health', which is plain data");
    end_world(world, &reports);
}

TEST(kinds_reports, plain_calls_for_columns_are_told_of_other_kinds) {
    ox_entity entity;
    ox_world *world = make_all_kinds(&entity);
    ox_query *query = ox_query_create(world, OX_READ(Team), OX_WRITE(Note), OX_WRITE(Health));
    ox_chunk chunk = ox_query_chunks(query);
    EXPECT(ox_chunk_next(&chunk));
    uint32_t note = ox_component_id_of(Note);

    EXPECT(ox_chunk_edit_at(&chunk, ox_component_id_of(Team), OX_HERE) == oxi_element_scratch());
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY); // to write
    EXPECT(ox_chunk_get_at(&chunk, note, OX_HERE) == oxi_element_zeros());
    expect_kind(world, "a column of a chunk of 'Note', which is a buffer");
    ((Note *)ox_chunk_edit_at(&chunk, note, OX_HERE))->pitch = 9;
    expect_kind(world, "use ox_chunk_get_buffers_at");
    ox_buffers none = ox_chunk_get_buffers_at(&chunk, ox_component_id_of(Health), false, OX_HERE);
    EXPECT(!ox_buffer_is_created(ox_buffers_get(none, 0)));
    expect_kind(world, "'Health', which is plain data");
    EXPECT_EQ(ox_chunk_get(chunk, Team)->id, 1);
    end_world(world, &reports);
}

TEST(kinds_reports, copies_and_values_looked_up_are_plain_data) {
    ox_entity entity;
    ox_world *world = make_all_kinds(&entity);
    ox_query *query = ox_query_create(world, OX_READ(Team), OX_WRITE(Note));
    ox_array one = ox_array_create_untyped(Note, 1, OX_PERSISTENT);

    EXPECT(!ox_array_is_created(ox_query_copy_values(query, Team, OX_PERSISTENT)));
    expect_kind(world, "'Team', which is shared");
    EXPECT(!ox_array_is_created(ox_query_copy_values(query, Note, OX_PERSISTENT)));
    expect_kind(world, "'Note', which is a buffer");
    EXPECT(!ox_query_set_values(query, Note, one));
    expect_kind(world, "'Note', which is a buffer");
    EXPECT(ox_lookup_create(world, Team).world == NULL);
    expect_kind(world, "'Team', which is shared");
    ox_lookup notes = ox_lookup_create(world, Note); // gives buffers
    EXPECT(ox_lookup_get_at(&notes, entity, OX_HERE) == oxi_element_zeros());
    expect_kind(world, "'Note', which is a buffer");
    ox_dispose(&one);
    end_world(world, &reports);
}

TEST(kinds_reports, what_cannot_be_switched_off_is_not_switched) {
    ox_entity entity;
    ox_world *world = make_all_kinds(&entity);
    ox_query *query = ox_query_create(world, OX_WRITE(Health), OX_WRITE(Note));

    EXPECT(!ox_set_enabled(world, entity, Team, false));
    expect_kind(world, "ox_set_enabled of 'Team', which is shared");
    EXPECT(!ox_set_enabled(world, entity, Frozen, false));
    expect_kind(world, "ox_set_enabled of 'Frozen', which is a tag");
    EXPECT(!ox_query_set_enabled(query, Health, false));
    expect_kind(world, "'Health', which is plain data");
    EXPECT(!ox_query_set_enabled(query, Note, false));
    expect_kind(world, "'Note', which is a buffer");
    EXPECT(ox_query_create(world, OX_WRITE(Team)) == NULL);
    expect_kind(world, "OX_WRITE of 'Team', which is shared");
    end_world(world, &reports);
}

TEST(kinds_reports, a_loop_gives_what_the_kind_of_a_component_is) {
    ox_entity entity;
    ox_world *world = make_all_kinds(&entity);
    ox_query *query = ox_query_create(world, OX_READ(Team), OX_WRITE(Note));
    ox_chunk chunk = ox_query_chunks(query);
    EXPECT(ox_chunk_next(&chunk));

    EXPECT_EQ(ox_chunk_get(chunk, Team)->id, 1);
    EXPECT(ox_buffer_push(ox_buffers_get(ox_chunk_edit(chunk, Note), 0), Note, {5}));
    EXPECT_EQ(ox_buffer_count(ox_buffers_get(ox_chunk_get(chunk, Note), 0)), 2);
    EXPECT(ox_query_create(world, OX_READ(Team), OX_READ(Team)) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_DUPLICATE);
    ox_query *reader = ox_query_create(world, OX_READ(Note));
    chunk = ox_query_chunks(reader);
    EXPECT(ox_chunk_next(&chunk));
    EXPECT(!ox_buffer_is_created(ox_buffers_get(ox_chunk_edit(chunk, Note), 0)));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    end_world(world, &reports);
}

TEST(kinds_reports, what_is_missing_is_told) {
    ox_entity entity;
    ox_world *world = make_all_kinds(&entity);
    ox_query *query = ox_query_create(world, OX_READ(Team));
    collected_reports process;
    collect_reports(&process);

    EXPECT(!ox_query_filter_shared_at(query, ox_component_id_of(Team), NULL, OX_HERE));
    EXPECT_REPORT(&process, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_query_set_shared_at(query, ox_component_id_of(Team), NULL, OX_HERE));
    EXPECT_REPORT(&process, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_set_at(world, entity, ox_component_id_of(Team), NULL, OX_HERE));
    EXPECT_REPORT(&process, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_query_filter_shared_at(NULL, ox_component_id_of(Team), &(Team){1}, OX_HERE));
    EXPECT_REPORT(&process, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_query_set_enabled_at(NULL, ox_component_id_of(Team), true, OX_HERE));
    EXPECT_REPORT(&process, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_query_get_single_at(NULL, OX_HERE).version, 0);
    EXPECT_REPORT(&process, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_shared_copy_values_at(world, UINT32_MAX, OX_PERSISTENT, OX_HERE).data);
    EXPECT_REPORT(&reports, OX_REPORT_UNKNOWN_COMPONENT);
    EXPECT_EQ(ox_world_hash_layout(world), layout);
    end_world(world, &reports);
}
