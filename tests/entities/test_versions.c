// SPDX-License-Identifier: MIT
//
// Versions: what notes that a component changed, what that a chunk's entities did, and the filters
// that ask for it.

#include "query_test.h"

#include "entities/world.h"
#include "oxbow/containers.h"

// Two chunks of one archetype and one of another. A query for each component.
typedef struct version_world {
    ox_world *world;
    ox_query *place; // OX_WRITE(Place), filtered
    ox_query *speed; // OX_WRITE(Speed), filtered
    ox_entity *made; // Place, Speed, Load
    int rows;        // of one chunk
    ox_entity other; // Place, Speed
} version_world;

static version_world make_version_world(void) {
    static ox_entity made[16];
    version_world self = {.world = ox_world_create(NULL), .made = made};
    ox_archetype archetype = ox_archetype_of(self.world, Place, Speed, Load);
    self.rows = rows_of_chunk(self.world, archetype);
    EXPECT(2 * self.rows <= 16);
    ox_entities_create(self.world, archetype, made, 2 * self.rows);
    self.other = ox_entity_create_in(self.world, ox_archetype_of(self.world, Place, Speed));
    self.place = ox_query_create(self.world, OX_WRITE(Place));
    self.speed = ox_query_create(self.world, OX_WRITE(Speed));
    return self;
}

// From here on only what changes later passes.
static void forget_changes(version_world *self) {
    uint32_t version = ox_world_get_version(self->world);
    ox_world_advance_version(self->world);
    EXPECT(ox_query_filter_changed(self->place, Place, version));
    EXPECT(ox_query_filter_changed(self->speed, Speed, version));
    EXPECT(ox_query_is_empty(self->place));
    EXPECT(ox_query_is_empty(self->speed));
}

// Exactly these chunks have a changed Place; no Speed has changed.
static void expect_places(version_world *self, bool first, bool second, bool other) {
    int64_t count = (first + second) * self->rows + other;
    EXPECT_EQ(ox_query_count(self->place), count);
    EXPECT_EQ(ox_query_count(self->speed), 0);
    bool seen[3] = {false, false, false};
    OX_EACH_CHUNK(self->place, chunk) {
        int which = same_entity(chunk.entities[0], self->made[0])            ? 0
                    : same_entity(chunk.entities[0], self->made[self->rows]) ? 1
                                                                             : 2;
        seen[which] = true;
    }
    EXPECT_EQ(seen[0], first);
    EXPECT_EQ(seen[1], second);
    EXPECT_EQ(seen[2], other);
}

TEST(versions, edit_set_and_add_of_what_is_there_note_a_change_of_one_chunk_and_type) {
    version_world self = make_version_world();

    forget_changes(&self);
    ox_edit(self.world, self.made[1], Place);
    expect_places(&self, true, false, false);

    forget_changes(&self);
    ox_set(self.world, self.made[self.rows], Place, {1, 2, 3});
    expect_places(&self, false, true, false);

    forget_changes(&self);
    ox_add(self.world, self.other, Place, {1, 2, 3});
    expect_places(&self, false, false, true);

    forget_changes(&self);
    ox_add_many(self.world, self.other, OX_VALUE(Place, {1, 2, 3}));
    expect_places(&self, false, false, true);
    ox_world_destroy(self.world);
}

TEST(versions, lookups_views_and_columns_note_a_change_when_they_edit) {
    version_world self = make_version_world();
    ox_lookup lookup = ox_lookup_create(self.world, Place);

    forget_changes(&self);
    ox_lookup_edit(&lookup, self.made[0], Place);
    expect_places(&self, true, false, false);

    forget_changes(&self);
    ox_query *all = ox_query_create(self.world, OX_WRITE(Place), OX_READ(Speed));
    ox_view view = ox_query_view(all, Place);
    ox_view_edit(view, 2 * self.rows - 1, Place);
    expect_places(&self, false, true, false);

    forget_changes(&self);
    ox_view_set(view, 2 * self.rows, Place, {1, 2, 3});
    expect_places(&self, false, false, true);

    forget_changes(&self);
    OX_EACH_CHUNK(all, chunk) {
        ox_chunk_edit(chunk, Place); // noted when it is asked for, not when it is written
        break;
    }
    expect_places(&self, true, false, false);
    ox_world_destroy(self.world);
}

TEST(versions, values_that_are_copied_in_note_a_change) {
    version_world self = make_version_world();
    ox_query *all = ox_query_create(self.world, OX_WRITE(Place));
    ox_query *heavy = ox_query_create(self.world, OX_WRITE(Place), OX_WITH(Load));

    forget_changes(&self);
    ox_array values = ox_query_copy_values(all, Place, OX_PERSISTENT);
    expect_places(&self, false, false, false);
    EXPECT(ox_query_set_values(all, Place, values));
    expect_places(&self, true, true, true);
    ox_dispose(&values);

    forget_changes(&self);
    values = ox_query_copy_values(heavy, Place, OX_PERSISTENT);
    EXPECT(ox_query_set_values(heavy, Place, values));
    expect_places(&self, true, true, false);
    ox_dispose(&values);
    ox_world_destroy(self.world);
}

TEST(versions, reading_notes_nothing) {
    version_world self = make_version_world();
    ox_lookup lookup = ox_lookup_create(self.world, Place);
    ox_query *all = ox_query_create(self.world, OX_WRITE(Place), OX_WRITE(Speed));
    forget_changes(&self);

    ox_view view = ox_query_view(all, Place);
    float sum = ox_get(self.world, self.made[0], Place)->x;
    sum += ox_read(self.world, self.made[0], Place).x;
    sum += ox_lookup_get(&lookup, self.made[0], Place)->x;
    sum += ox_view_read(view, 0, Place).x;
    sum += ((const Place *)ox_view_get_span(view, 0, 1).values)->x;
    sum += (float)ox_has(self.world, self.made[0], Place);
    OX_EACH_CHUNK(all, chunk) {
        sum += ox_chunk_get(chunk, Place)->x +
               (float)ox_chunk_has_id(&chunk, ox_component_id_of(Place));
    }
    ox_array values = ox_query_copy_values(all, Place, OX_TEMP);
    sum += (float)values.count;

    EXPECT(sum > 0);
    expect_places(&self, false, false, false);
    ox_world_destroy(self.world);
}

TEST(versions, a_call_that_is_refused_notes_nothing) {
    collected_reports reports = {0};
    collect_reports(&reports);
    version_world self = make_version_world();
    ox_query *reads = ox_query_create(self.world, OX_READ(Place));
    ox_view view = ox_query_view(reads, Place);
    forget_changes(&self);

    ox_view_edit(view, 0, Place);
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    OX_EACH_CHUNK(reads, chunk) {
        ox_chunk_edit(chunk, Place);
        EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    }
    ox_set(self.world, self.made[0], Health, {1});
    EXPECT_REPORT(&reports, OX_REPORT_NO_COMPONENT);

    expect_places(&self, false, false, false);
    ox_world_destroy(self.world);
}

// Structural changes.

TEST(versions, creating_notes_a_change_of_all_types_of_the_chunk) {
    version_world self = make_version_world();
    forget_changes(&self);

    ox_entity_create_in(self.world, ox_archetype_of(self.world, Place, Speed, Load));
    ox_entity_create(self.world, OX_VALUE(Place, {1, 2, 3}));

    EXPECT_EQ(ox_query_count(self.place), 2);
    EXPECT_EQ(ox_query_count(self.speed), 1);
    ox_world_destroy(self.world);
}

TEST(versions, an_added_component_changes_and_those_beside_it_do_not) {
    version_world self = make_version_world();
    ox_query *marked = ox_query_create(self.world, OX_WITH(Marked), OX_READ(Place));
    ox_query *health = ox_query_create(self.world, OX_READ(Health));
    uint32_t version = ox_world_get_version(self.world);
    forget_changes(&self);

    ox_add_tag(self.world, self.made[0], Marked);
    ox_add(self.world, self.other, Health, {1});

    expect_places(&self, false, false, false);
    EXPECT(ox_query_filter_changed(marked, Marked, version));
    EXPECT_EQ(ox_query_count(marked), 1);
    EXPECT(ox_query_filter_changed(health, Health, version));
    EXPECT_EQ(ox_query_count(health), 1);
    ox_world_destroy(self.world);
}

TEST(versions, a_moved_entity_brings_the_change_along) {
    version_world self = make_version_world();
    ox_entity_create_in(self.world, ox_archetype_of(self.world, Place, Speed, Marked));
    forget_changes(&self);
    ox_edit(self.world, self.other, Place);

    ox_add_tag(self.world, self.other, Marked); // to the chunk of the other one

    EXPECT_EQ(ox_query_count(self.place), 2);
    EXPECT_EQ(ox_query_count(self.speed), 0);
    ox_world_destroy(self.world);
}

TEST(versions, adding_by_query_keeps_the_versions_of_what_was_there) {
    version_world self = make_version_world();
    ox_query *heavy = ox_query_create(self.world, OX_WITH(Load));
    ox_query *marked = ox_query_create(self.world, OX_WITH(Marked, Load));
    uint32_t version = ox_world_get_version(self.world);
    forget_changes(&self);
    ox_edit(self.world, self.made[0], Place);

    EXPECT(ox_query_add(heavy, Marked));

    EXPECT_EQ(ox_query_count(self.place), self.rows);
    EXPECT_EQ(ox_query_count(self.speed), 0);
    EXPECT(ox_query_filter_changed(marked, Marked, version));
    EXPECT_EQ(ox_query_count(marked), 2 * self.rows);
    EXPECT(ox_query_remove(heavy, Marked));
    EXPECT_EQ(ox_query_count(self.place), self.rows);
    ox_world_destroy(self.world);
}

// Filters.

TEST(versions, version_zero_lets_everything_pass) {
    version_world self = make_version_world();
    forget_changes(&self);

    EXPECT(ox_query_filter_changed(self.place, Place, 0));
    EXPECT_EQ(ox_query_count(self.place), 2 * self.rows + 1);
    ox_query_reset_filters(self.place);
    EXPECT(ox_query_filter_order(self.place, 0));
    EXPECT_EQ(ox_query_count(self.place), 2 * self.rows + 1);
    ox_world_destroy(self.world);
}

TEST(versions, a_change_is_not_newer_than_the_version_it_was_stamped_with) {
    version_world self = make_version_world();
    forget_changes(&self);
    ox_edit(self.world, self.made[0], Place);
    EXPECT_EQ(ox_query_count(self.place), self.rows);

    EXPECT(ox_query_filter_changed(self.place, Place, ox_world_get_version(self.world)));

    EXPECT(ox_query_is_empty(self.place));
    ox_world_destroy(self.world);
}

TEST(versions, of_several_changed_filters_one_suffices) {
    version_world self = make_version_world();
    ox_query *both = ox_query_create(self.world, OX_READ(Place), OX_READ(Speed));
    uint32_t version = ox_world_get_version(self.world);
    forget_changes(&self);
    ox_edit(self.world, self.made[0], Place);
    ox_edit(self.world, self.other, Speed);

    EXPECT(ox_query_filter_changed(both, Place, version));
    EXPECT_EQ(ox_query_count(both), self.rows);
    EXPECT(ox_query_filter_changed(both, Speed, version));
    EXPECT_EQ(ox_query_count(both), self.rows + 1);
    ox_world_destroy(self.world);
}

TEST(versions, a_filter_takes_terms_that_entities_may_have_and_reports_others) {
    collected_reports reports = {0};
    collect_reports(&reports);
    version_world self = make_version_world();
    ox_query *query = ox_query_create(self.world, OX_WITH(Place), OX_OPTIONAL(Health), OX_ANY(Load),
                                      OX_NONE(Marked));

    EXPECT(ox_query_filter_changed(query, Place, 1));
    EXPECT(ox_query_filter_changed(query, Health, 1));
    EXPECT(ox_query_filter_changed(query, Load, 1));
    EXPECT_EQ(reports.count, 0);
    EXPECT(!ox_query_filter_changed(query, Marked, 1));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT(!ox_query_filter_changed(query, Speed, 1));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT(!ox_query_filter_changed_at(query, 0, 1, OX_HERE));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT(!ox_query_filter_changed_at(query, UINT32_MAX, 1, OX_HERE));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    ox_world_destroy(self.world);
}

TEST(versions, a_ninth_changed_filter_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_world *world = ox_world_create(NULL);
    ox_term terms[10] = {{OX_TERM_END, NULL, 0}};
    for (int k = 0; k < 9; k++) {
        char name[] = "Filtered0";
        name[8] = (char)('0' + k);
        ox_component_def def = {.name = name, .kind = OX_COMPONENT_KIND_TAG};
        terms[k] = (ox_term){OX_TERM_WITH, NULL, ox_component_register(&def)};
    }
    ox_query *query = ox_query_create_at(world, terms, OX_HERE);

    for (int k = 0; k < 8; k++) {
        EXPECT(ox_query_filter_changed_at(query, terms[k].id, 1, OX_HERE));
    }
    EXPECT(ox_query_filter_changed_at(query, terms[0].id, 2, OX_HERE)); // it is there already
    EXPECT_EQ(reports.count, 0);
    EXPECT(!ox_query_filter_changed_at(query, terms[8].id, 1, OX_HERE));
    EXPECT_HAS(reports.text, "9 for ox_query_filter_changed");
    EXPECT_HAS(reports.text, "pass 0 to 8 at ");
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COUNT);
    ox_world_destroy(world);
}

TEST(versions, the_order_filter_passes_chunks_that_entities_came_to_or_left) {
    version_world self = make_version_world();
    ox_query *query = ox_query_create(self.world, OX_READ(Place));
    forget_changes(&self);
    uint32_t version = ox_world_get_version(self.world);
    ox_world_advance_version(self.world);
    EXPECT(ox_query_filter_order(query, version));

    EXPECT(ox_query_is_empty(query));
    ox_edit(self.world, self.made[0], Place);
    EXPECT(ox_query_is_empty(query));
    ox_entity_destroy(self.world, self.made[0]);
    EXPECT_EQ(ox_query_count(query), self.rows - 1);
    ox_add_tag(self.world, self.made[self.rows], Marked); // leaves one chunk for another
    EXPECT_EQ(ox_query_count(query), 2 * self.rows - 1);
    ox_entity_create_in(self.world, ox_archetype_of(self.world, Place, Speed));
    EXPECT_EQ(ox_query_count(query), 2 * self.rows + 1);
    EXPECT(ox_query_filter_order(query, ox_world_get_version(self.world)));
    EXPECT(ox_query_is_empty(query));
    ox_query_reset_filters(query);
    EXPECT_EQ(ox_query_count(query), ox_query_count_all(query));
    ox_world_destroy(self.world);
}

TEST(versions, of_order_and_changed_filters_one_suffices) {
    version_world self = make_version_world();
    uint32_t version = ox_world_get_version(self.world);
    forget_changes(&self);

    EXPECT(ox_query_filter_order(self.place, version));
    EXPECT(ox_query_is_empty(self.place));
    ox_edit(self.world, self.made[0], Place);
    EXPECT_EQ(ox_query_count(self.place), self.rows); // changed
    ox_entity_destroy(self.world, self.made[self.rows]);
    EXPECT_EQ(ox_query_count(self.place), 2 * self.rows - 1); // and order, of another chunk
    ox_edit(self.world, self.made[self.rows + 1], Place);
    EXPECT_EQ(ox_query_count(self.place), 2 * self.rows - 1); // both, of one chunk
    ox_world_destroy(self.world);
}

TEST(versions, order_and_changed_filters_ask_for_versions_of_their_own) {
    version_world self = make_version_world();
    forget_changes(&self);
    ox_entity_destroy(self.world, self.made[0]);
    uint32_t version = ox_world_get_version(self.world);
    ox_world_advance_version(self.world);
    ox_edit(self.world, self.other, Place);

    EXPECT(ox_query_filter_order(self.place, version));
    EXPECT_EQ(ox_query_count(self.place), 1);
    EXPECT(ox_query_filter_order(self.place, version - 1));
    EXPECT_EQ(ox_query_count(self.place), self.rows);
    EXPECT(ox_query_filter_changed(self.place, Place, ox_world_get_version(self.world)));
    EXPECT_EQ(ox_query_count(self.place), self.rows - 1);
    ox_world_destroy(self.world);
}

// Wrapping.

TEST(versions, wrap_past_zero_and_stay_in_order) {
    version_world self = make_version_world();
    self.world->store.version = UINT32_MAX - 2;
    OX_EACH_CHUNK(self.place, chunk) {
        ox_chunk_edit(chunk, Place);
    }
    for (uint32_t k = 0; k < 6; k++) {
        uint32_t before = ox_world_get_version(self.world);
        uint32_t after = ox_world_advance_version(self.world);
        EXPECT_EQ(after, ox_world_get_version(self.world));
        EXPECT_EQ(after, before == UINT32_MAX ? 1 : before + 1);

        EXPECT(ox_query_filter_changed(self.place, Place, before));
        EXPECT(ox_query_is_empty(self.place));
        ox_edit(self.world, self.other, Place);
        EXPECT_EQ(ox_query_count(self.place), 1);
    }
    ox_world_destroy(self.world);
}

TEST(versions, joining_keeps_the_newer_version_over_the_wrap) {
    ox_world *world = ox_world_create(NULL);
    ox_query *heavy = ox_query_create(world, OX_WRITE(Load), OX_NONE(Marked));
    ox_query *marked = ox_query_create(world, OX_READ(Load), OX_WITH(Marked));
    world->store.version = UINT32_MAX;
    ox_entity_create_in(world, ox_archetype_of(world, Load));
    EXPECT(ox_query_add(heavy, Marked));
    uint32_t before = ox_world_get_version(world);
    EXPECT_EQ(ox_world_advance_version(world), 1);
    ox_entity_create_in(world, ox_archetype_of(world, Load));

    EXPECT(ox_query_add(heavy, Marked)); // joins the chunk of before the wrap

    EXPECT_EQ(count_chunks(marked), 1);
    EXPECT(ox_query_filter_changed(marked, Load, before));
    EXPECT_EQ(ox_query_count(marked), 2);
    ox_world_destroy(world);
}

// Order versions of types.

TEST(versions, the_order_version_of_a_type_moves_with_its_entities) {
    ox_world *world = ox_world_create(NULL);
    uint32_t place = ox_component_id_of(Place), speed = ox_component_id_of(Speed);
    EXPECT_EQ(ox_world_get_order_version(world, place), 0);
    ox_entity one = ox_entity_create_in(world, ox_archetype_of(world, Place));
    uint32_t created = ox_world_get_order_version(world, place);
    EXPECT_NE(created, 0);
    EXPECT_EQ(ox_world_get_order_version(world, speed), 0);

    ox_set(world, one, Place, {1, 2, 3});
    ox_edit(world, one, Place)->x = 2;
    ox_add(world, one, Place, {4, 5, 6});
    EXPECT_EQ(ox_world_get_order_version(world, place), created);

    ox_add(world, one, Speed, {1, 1, 1});
    uint32_t added = ox_world_get_order_version(world, place);
    EXPECT_NE(added, created);
    EXPECT_NE(ox_world_get_order_version(world, speed), 0);
    ox_remove(world, one, Speed);
    uint32_t removed = ox_world_get_order_version(world, place);
    EXPECT_NE(removed, added);
    ox_entity_destroy(world, one);
    EXPECT_NE(ox_world_get_order_version(world, place), removed);
    ox_world_destroy(world);
}

TEST(versions, changes_by_query_move_the_order_versions_of_the_types) {
    version_world self = make_version_world();
    ox_query *heavy = ox_query_create(self.world, OX_WITH(Load));
    uint32_t before[4];
    before[0] = ox_world_get_order_version(self.world, ox_component_id_of(Load));
    EXPECT(ox_query_add(heavy, Marked));
    before[1] = ox_world_get_order_version(self.world, ox_component_id_of(Load));
    EXPECT(ox_query_remove(heavy, Speed));
    before[2] = ox_world_get_order_version(self.world, ox_component_id_of(Load));
    EXPECT(ox_query_remove(heavy, Speed)); // none has it
    EXPECT_EQ(ox_world_get_order_version(self.world, ox_component_id_of(Load)), before[2]);
    EXPECT(ox_query_destroy_entities(heavy) > 0);
    before[3] = ox_world_get_order_version(self.world, ox_component_id_of(Load));

    for (int k = 1; k < 4; k++) {
        EXPECT_NE(before[k], before[k - 1]);
    }
    ox_world_destroy(self.world);
}

TEST(versions, the_order_version_of_an_id_that_is_none_is_zero) {
    ox_world *world = ox_world_create(NULL);

    EXPECT_EQ(ox_world_get_order_version(world, 0), 0);
    EXPECT_EQ(ox_world_get_order_version(world, 100000), 0);
    EXPECT_EQ(ox_world_get_order_version(world, UINT32_MAX), 0);
    ox_world_destroy(world);
}
