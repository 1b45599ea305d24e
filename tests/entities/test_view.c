// SPDX-License-Identifier: MIT
//
// Views: components as if they lay in one array; structs of views; copies.

#include "query_test.h"

#include "base/substitute.h"
#include "oxbow/containers.h"

#include <string.h>

// Entities in several chunks of several archetypes, each with its index in Health.
enum { VIEWED = 24 };

typedef struct view_world {
    ox_world *world;
    ox_query *query; // OX_WRITE(Health), OX_READ(Place)
    ox_entity made[VIEWED];
} view_world;

static view_world make_view_world(void) {
    view_world self = {.world = ox_world_create(NULL)};
    ox_world *world = self.world;
    self.query = ox_query_create(world, OX_WRITE(Health), OX_READ(Place));
    ox_entities_create(world, ox_archetype_of(world, Health, Place, Load), self.made, 10);
    ox_entities_create(world, ox_archetype_of(world, Health, Place), self.made + 10, 10);
    ox_entities_create(world, ox_archetype_of(world, Place, Cargo, Health), self.made + 20, 4);
    for (int k = 0; k < VIEWED; k++) {
        ox_set(world, self.made[k], Health, {k});
        ox_set(world, self.made[k], Place, {(float)k, 0, 0});
    }
    return self;
}

static void expect_at(const view_world *self, ox_view health, ox_view entities, int k) {
    EXPECT(same_entity(ox_view_read_entity(entities, k), self->made[k]));
    EXPECT_EQ(ox_view_read(health, k, Health).points, k);
    EXPECT_EQ(ox_view_get(health, k, Health)->points, k);
}

TEST(view, all_views_of_a_query_are_parallel) {
    view_world self = make_view_world();
    ox_view entities = ox_query_view_entities(self.query);
    ox_view health = ox_query_view(self.query, Health), place = ox_query_view(self.query, Place);

    EXPECT_EQ(entities.count, VIEWED);
    EXPECT_EQ(health.count, VIEWED);
    EXPECT_EQ(place.count, VIEWED);
    for (int k = 0; k < VIEWED; k++) {
        expect_at(&self, health, entities, k);
        EXPECT_EQ(ox_view_read(place, k, Place).x, (float)k);
    }
    ox_world_destroy(self.world);
}

TEST(view, goes_backwards_and_anywhere) {
    view_world self = make_view_world();
    ox_view entities = ox_query_view_entities(self.query),
            health = ox_query_view(self.query, Health);
    oxi_random random = oxi_random_seed(test_seed(9));

    for (int k = VIEWED; k-- > 0;) {
        expect_at(&self, health, entities, k);
    }
    for (int n = 0; n < 5000; n++) {
        expect_at(&self, health, entities, (int)oxi_random_below(&random, VIEWED));
    }
    ox_world_destroy(self.world);
}

TEST(view, edits_and_sets_what_the_query_writes) {
    view_world self = make_view_world();
    ox_view health = ox_query_view(self.query, Health);

    for (int k = 0; k < VIEWED; k++) {
        ox_view_edit(health, k, Health)->points += 100;
    }
    ox_view_set(health, 5, Health, {55});

    for (int k = 0; k < VIEWED; k++) {
        EXPECT_EQ(ox_get(self.world, self.made[k], Health)->points, k == 5 ? 55 : k + 100);
    }
    ox_world_destroy(self.world);
}

TEST(view, windows_stitch_together_to_the_whole) {
    view_world self = make_view_world();
    ox_view health = ox_query_view(self.query, Health);
    int windows = 0, k = 0;

    while (k < health.count) {
        ox_view_span window = ox_view_get_span(health, k, health.count - k);
        EXPECT(window.count > 0);
        for (int i = 0; i < window.count; i++) {
            EXPECT_EQ(((const Health *)window.values)[i].points, k++);
        }
        windows++;
    }

    EXPECT_EQ(k, VIEWED);
    EXPECT_EQ(windows, count_chunks(self.query));
    EXPECT_EQ(ox_view_get_span(health, 10, 3).count, 3);
    EXPECT_EQ(ox_view_get_span(health, 3, 0).count, 0);
    ox_world_destroy(self.world);
}

TEST(view, holes_are_closed_when_it_is_made) {
    view_world self = make_view_world();
    ox_entity_destroy(self.world, self.made[12]);
    ox_entity_destroy(self.world, self.made[15]);

    ox_view health = ox_query_view(self.query, Health);

    EXPECT_EQ(health.count, VIEWED - 2);
    EXPECT_EQ(ox_view_read(health, 12, Health).points, 13);
    EXPECT_EQ(ox_view_read(health, 14, Health).points, 16);
    ox_world_destroy(self.world);
}

TEST(view, of_nothing_is_empty) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_world *world = ox_world_create(NULL);
    ox_query *query = ox_query_create(world, OX_WRITE(Health));
    ox_view view = ox_query_view(query, Health);

    EXPECT_EQ(view.count, 0);
    EXPECT_EQ(ox_view_read(view, 0, Health).points, 0);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    ox_entity_create_in(world, ox_archetype_of(world, Health));
    ox_view_edit(view, 0, Health)->points = 1;
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    ox_world_destroy(world);
}

// What is refused.

TEST(view, an_index_outside_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    view_world self = make_view_world();
    ox_view health = ox_query_view(self.query, Health);
    const int64_t outside[] = {-1, VIEWED, VIEWED + 1, INT32_MAX, INT64_MIN, INT64_MAX};

    for (int k = 0; k < 6; k++) {
        EXPECT_EQ(ox_view_read(health, outside[k], Health).points, 0);
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        ox_view_edit(health, outside[k], Health)->points = 1;
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
        EXPECT_EQ(ox_view_get_span(health, outside[k], 1).count, 0);
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    }
    ox_world_destroy(self.world);
}

typedef struct wrong_window {
    int64_t index, most;
    const char *text; // what the report says
} wrong_window;

TEST(view, a_window_that_begins_or_ends_outside_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    view_world self = make_view_world();
    ox_view health = ox_query_view(self.query, Health);
    const wrong_window wrong[] = {
        {VIEWED - 1, 2, "index 24 of view"},
        {0, VIEWED + 1, "index 24 of view"},
        {VIEWED, 1, "index 24 of view"},
        {VIEWED + 1, 0, "index 25 of view"},
        {-1, 1, "index -1 of view"},
        {-1, 0, "index -1 of view"},
        {5, INT64_MAX, "index 9223372036854775807 of view"},
        {INT64_MAX, INT64_MAX, "index 9223372036854775807 of view"},
        {INT64_MIN, INT64_MAX, "index -9223372036854775808 of view"},
    };

    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        ox_view_span window = ox_view_get_span(health, wrong[k].index, wrong[k].most);
        EXPECT_EQ(window.count, 0);
        EXPECT_EQ(window.values, NULL);
        EXPECT_HAS(reports.text, wrong[k].text);
        EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_BOUNDS);
    }
    ox_world_destroy(self.world);
}

TEST(view, a_window_may_end_with_the_view_and_may_be_empty) {
    collected_reports reports = {0};
    collect_reports(&reports);
    view_world self = make_view_world();
    ox_view health = ox_query_view(self.query, Health);
    ox_view none = ox_query_view(ox_query_create(self.world, OX_READ(Ballast)), Ballast);

    ox_view_span last = ox_view_get_span(health, VIEWED - 1, 1);

    EXPECT_EQ(last.count, 1);
    EXPECT_EQ(((const Health *)last.values)->points, VIEWED - 1);
    EXPECT(ox_view_get_span(health, 0, VIEWED).count > 0);
    EXPECT_EQ(ox_view_get_span(health, 0, 0).count, 0);
    EXPECT_EQ(ox_view_get_span(health, VIEWED, 0).count, 0);
    EXPECT_EQ(ox_view_get_span(none, 0, 0).count, 0);
    EXPECT_EQ(reports.count, 0);
    ox_world_destroy(self.world);
}

TEST(view, a_negative_window_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    view_world self = make_view_world();
    ox_view health = ox_query_view(self.query, Health);
    const int64_t wrong[] = {-1, INT32_MIN, INT64_MIN};

    for (int k = 0; k < 3; k++) {
        ox_view_span window = ox_view_get_span(health, VIEWED - 5, wrong[k]);
        EXPECT_EQ(window.count, 0);
        EXPECT_HAS(reports.text, " for ox_view_get_span");
        EXPECT_HAS(reports.text, "pass 0 to 5 at ");
        EXPECT_REPORT(&reports, OX_REPORT_BAD_COUNT);
    }
    ox_world_destroy(self.world);
}

TEST(view, of_what_the_query_does_not_read_is_reported_and_empty) {
    collected_reports reports = {0};
    collect_reports(&reports);
    view_world self = make_view_world();
    ox_query *query = ox_query_create(self.world, OX_WITH(Health), OX_OPTIONAL(Load),
                                      OX_ANY(Place, Cargo), OX_READ(Frozen), OX_NONE(Marked));
    ox_entity_create_in(self.world, ox_archetype_of(self.world, Health, Place, Frozen));
    const uint32_t ids[] = {ox_component_id_of(Health),  ox_component_id_of(Load),
                            ox_component_id_of(Place),   ox_component_id_of(Marked),
                            ox_component_id_of(Ballast), UINT32_MAX};

    for (int k = 0; k < 6; k++) {
        EXPECT_EQ(ox_query_view_at(query, ids[k], OX_HERE).count, 0);
        EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    }
    EXPECT_EQ(ox_query_view_at(query, ox_component_id_of(Frozen), OX_HERE).count, 0);
    EXPECT_REPORT(&reports, OX_REPORT_TAG_HAS_NO_VALUE);
    EXPECT_EQ(ox_query_view_entities(query).count, 1);
    ox_world_destroy(self.world);
}

TEST(view, editing_what_the_query_does_not_write_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    view_world self = make_view_world();
    ox_view entities = ox_query_view_entities(self.query), place = ox_query_view(self.query, Place);

    ox_view_edit(place, 3, Place)->x = 99;
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    ((ox_entity *)ox_view_edit_at(entities, 3, OX_HERE))->version = 99;
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);

    EXPECT_EQ(ox_get(self.world, self.made[3], Place)->x, 3.0f);
    EXPECT(ox_entity_exists(self.world, self.made[3]));
    ox_world_destroy(self.world);
}

TEST(view, after_a_structural_change_is_reported_with_both_places) {
    collected_reports reports = {0};
    collect_reports(&reports);
    view_world self = make_view_world();
    ox_view health = ox_query_view_at(self.query, ox_component_id_of(Health), "game.c:50");

    ox_entity_create_at(self.world, NULL, 0, "game.c:60"); // anywhere in the world

    EXPECT_EQ(ox_view_read(health, 5, Health).points, 0);
    EXPECT_HAS(reports.text, "game.c:50");
    EXPECT_HAS(reports.text, "game.c:60");
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_IN_LOOP);
    ox_view_edit(health, 5, Health)->points = 77;
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_IN_LOOP);
    EXPECT_EQ(ox_view_get_span(health, 5, 1).count, 0);
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_IN_LOOP);
    EXPECT_EQ(ox_view_get_span(health, 5, 0).count, 0);
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_IN_LOOP);
    EXPECT_EQ(ox_get(self.world, self.made[5], Health)->points, 5);
    ox_world_destroy(self.world);
}

TEST(view, of_before_a_change_stays_ended_when_a_fresh_one_is_made) {
    collected_reports reports = {0};
    collect_reports(&reports);
    view_world self = make_view_world();
    ox_view old = ox_query_view(self.query, Health);
    ox_entity_destroy_at(self.world, self.made[0], "game.c:70");

    ox_view fresh = ox_query_view(self.query, Health);

    EXPECT_EQ(ox_view_read(fresh, 0, Health).points, 1);
    EXPECT_EQ(reports.count, 0);
    EXPECT_EQ(ox_view_read(old, 0, Health).points, 0);
    EXPECT_HAS(reports.text, "game.c:70");
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_IN_LOOP);
    ox_world_destroy(self.world);
}

TEST(view, that_is_zeroed_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    ox_view none = {0};

    EXPECT_EQ(ox_view_read(none, 0, Health).points, 0);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(ox_view_edit(none, 0, Health) != NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
}

// Filters.

TEST(view, with_a_filter_holds_what_passed_when_it_was_made) {
    view_world self = make_view_world();
    uint32_t version = ox_world_get_version(self.world);
    ox_world_advance_version(self.world);
    ox_edit(self.world, self.made[13], Health);
    ox_query_filter_changed(self.query, Health, version);

    ox_view health = ox_query_view(self.query, Health);
    ox_view place = ox_query_view(self.query, Place);

    EXPECT_EQ(health.count, 10);
    EXPECT_EQ(place.count, 10);
    for (int k = 0; k < 10; k++) {
        EXPECT_EQ(ox_view_read(health, k, Health).points, 10 + k);
        EXPECT_EQ(ox_view_read(place, k, Place).x, (float)(10 + k));
    }
    ox_world_destroy(self.world);
}

TEST(view, ends_when_filters_let_other_chunks_into_the_next_one) {
    collected_reports reports = {0};
    collect_reports(&reports);
    view_world self = make_view_world();
    ox_view all = ox_query_view(self.query, Health);
    ox_query_filter_changed(self.query, Health, ox_world_get_version(self.world));
    EXPECT_EQ(ox_view_read(all, VIEWED - 1, Health).points, VIEWED - 1);

    ox_view none = ox_query_view_at(self.query, ox_component_id_of(Health), "game.c:80");

    EXPECT_EQ(none.count, 0);
    EXPECT_EQ(ox_view_read(all, VIEWED - 1, Health).points, 0);
    EXPECT_HAS(reports.text, "game.c:80");
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_IN_LOOP);
    ox_query_reset_filters(self.query);
    all = ox_query_view(self.query, Health);
    EXPECT_EQ(ox_view_read(all, VIEWED - 1, Health).points, VIEWED - 1);
    EXPECT_EQ(reports.count, 0);
    ox_world_destroy(self.world);
}

// Structs of views.

OX_VIEWS(Wounded, (OX_WRITE(Health, health), OX_READ(Place, place), OX_NONE(Frozen, Marked)));

TEST(view, a_struct_of_views_is_filled_and_filled_again) {
    view_world self = make_view_world();
    Wounded wounded = {0};
    EXPECT(ox_views_fill(self.world, &wounded, Wounded));
    EXPECT_EQ(wounded.count, VIEWED);
    ox_query *query = wounded.query;

    ox_add_tag(self.world, self.made[4], Frozen);
    EXPECT(ox_views_fill(self.world, &wounded, Wounded));

    EXPECT_EQ(wounded.query, query);
    EXPECT_EQ(wounded.count, VIEWED - 1);
    EXPECT_EQ(wounded.entities.count, VIEWED - 1);
    for (int i = 0; i < wounded.count; i++) {
        ox_entity entity = ox_view_read_entity(wounded.entities, i);
        EXPECT_EQ(ox_view_read(wounded.health, i, Health).points,
                  (int)ox_view_read(wounded.place, i, Place).x);
        ox_view_edit(wounded.health, i, Health)->points = -i;
        EXPECT_EQ(ox_get(self.world, entity, Health)->points, -i);
    }
    ox_world_destroy(self.world);
}

TEST(view, a_struct_of_views_takes_filters_on_its_query) {
    view_world self = make_view_world();
    Wounded wounded = {0};
    EXPECT(ox_views_fill(self.world, &wounded, Wounded));
    uint32_t version = ox_world_get_version(self.world);
    ox_world_advance_version(self.world);
    ox_query_filter_changed(wounded.query, Health, version);
    EXPECT(ox_views_fill(self.world, &wounded, Wounded));
    EXPECT_EQ(wounded.count, 0);

    ox_edit(self.world, self.made[11], Health); // no structural change
    EXPECT(ox_views_fill(self.world, &wounded, Wounded));

    EXPECT_EQ(wounded.count, 10);
    EXPECT_EQ(wounded.health.count, 10);
    EXPECT_EQ(ox_view_read(wounded.health, 1, Health).points, 11);
    ox_world_destroy(self.world);
}

TEST(view, a_struct_of_views_of_another_world_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    view_world self = make_view_world();
    ox_world *other = ox_world_create(NULL);
    Wounded wounded = {0};
    EXPECT(ox_views_fill(self.world, &wounded, Wounded));

    EXPECT(!ox_views_fill(other, &wounded, Wounded));

    EXPECT_REPORT(&reports, OX_REPORT_FOREIGN_HANDLE);
    EXPECT_EQ(ox_view_read(wounded.health, 7, Health).points, 7); // as it was
    ox_world_destroy(other);
    ox_world_destroy(self.world);
}

TEST_CHECKED(view, a_struct_of_views_whose_query_has_ended_is_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    view_world self = make_view_world();
    Wounded wounded = {0};
    EXPECT(ox_views_fill(self.world, &wounded, Wounded));
    ox_query_destroy(wounded.query);

    EXPECT(!ox_views_fill(self.world, &wounded, Wounded));

    EXPECT_REPORT(&reports, OX_REPORT_ENDED);
    ox_world_destroy(self.world);
}

// Copies.

TEST(view, values_and_entities_are_copied_out_in_order) {
    view_world self = make_view_world();
    ox_array entities = ox_query_copy_entities(self.query, OX_PERSISTENT);
    ox_array health = ox_query_copy_values(self.query, Health, OX_PERSISTENT);

    EXPECT_EQ(entities.count, VIEWED);
    EXPECT_EQ(health.count, VIEWED);
    for (int k = 0; k < VIEWED; k++) {
        EXPECT(same_entity(ox_array_read(OX_AS(entities, ox_entity), k), self.made[k]));
        EXPECT_EQ(ox_array_read(OX_AS(health, Health), k).points, k);
    }
    ox_dispose(&entities);
    ox_dispose(&health);
    ox_world_destroy(self.world);
}

TEST(view, values_are_copied_in_in_order) {
    view_world self = make_view_world();
    ox_array health = ox_array_create_untyped(Health, VIEWED, OX_PERSISTENT);
    for (int k = 0; k < VIEWED; k++) {
        *ox_array_edit(OX_AS(health, Health), k) = (Health){1000 + k};
    }

    EXPECT(ox_query_set_values(self.query, Health, health));

    for (int k = 0; k < VIEWED; k++) {
        EXPECT_EQ(ox_get(self.world, self.made[k], Health)->points, 1000 + k);
    }
    ox_dispose(&health);
    ox_world_destroy(self.world);
}

TEST(view, copies_of_nothing_are_empty_arrays) {
    ox_world *world = ox_world_create(NULL);
    ox_query *query = ox_query_create(world, OX_WRITE(Health));
    ox_array entities = ox_query_copy_entities(query, OX_PERSISTENT);
    ox_array health = ox_query_copy_values(query, Health, OX_PERSISTENT);

    EXPECT(ox_array_is_created(entities) && ox_array_is_created(health));
    EXPECT_EQ(entities.count, 0);
    EXPECT_EQ(health.count, 0);
    EXPECT(ox_query_set_values(query, Health, health));
    ox_dispose(&entities);
    ox_dispose(&health);
    ox_world_destroy(world);
}

TEST(view, values_that_do_not_fit_are_reported_and_not_copied) {
    collected_reports reports = {0};
    collect_reports(&reports);
    view_world self = make_view_world();
    ox_array shorter = ox_array_create_untyped(Health, VIEWED - 1, OX_PERSISTENT);
    ox_array longer = ox_array_create_untyped(Health, VIEWED + 1, OX_PERSISTENT);
    ox_array wrong = ox_array_create_untyped(double, VIEWED, OX_PERSISTENT);

    EXPECT(!ox_query_set_values(self.query, Health, shorter));
    EXPECT_REPORT(&reports, OX_REPORT_LENGTHS_DIFFER);
    EXPECT(!ox_query_set_values(self.query, Health, longer));
    EXPECT_REPORT(&reports, OX_REPORT_LENGTHS_DIFFER);
    EXPECT(!ox_query_set_values(self.query, Health, ((ox_array){0})));
    EXPECT_EQ(reports.count, 1);
    reports.count = 0;
    EXPECT(!ox_query_set_values(self.query, Health, wrong));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT_EQ(ox_get(self.world, self.made[9], Health)->points, 9);
    ox_dispose(&shorter);
    ox_dispose(&longer);
    ox_dispose(&wrong);
    ox_world_destroy(self.world);
}

TEST(view, copies_of_what_was_not_declared_are_reported) {
    collected_reports reports = {0};
    collect_reports(&reports);
    view_world self = make_view_world();
    ox_query *tagged = ox_query_create(self.world, OX_READ(Frozen));
    ox_array places = ox_query_copy_values(self.query, Place, OX_PERSISTENT);

    EXPECT(!ox_query_set_values(self.query, Place, places)); // it only reads
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT(!ox_array_is_created(ox_query_copy_values(self.query, Load, OX_PERSISTENT)));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT(!ox_array_is_created(ox_query_copy_values_at(self.query, 0, OX_PERSISTENT, OX_HERE)));
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_QUERY);
    EXPECT(!ox_array_is_created(
        ox_query_copy_values_at(tagged, ox_component_id_of(Frozen), OX_PERSISTENT, OX_HERE)));
    EXPECT_REPORT(&reports, OX_REPORT_TAG_HAS_NO_VALUE);
    ox_dispose(&places);
    ox_world_destroy(self.world);
}

// Out of memory.

static void view_when_memory_fails(void) {
    ox_world *world = ox_world_create(NULL);
    ox_archetype archetype = {0, 0};
    if (world != NULL) {
        archetype = ox_archetype_of(world, Cargo, Health, Place);
    }
    if (archetype.number != 0 && ox_entities_create(world, archetype, NULL, 40)) {
        Wounded wounded = {0};
        if (ox_views_fill(world, &wounded, Wounded)) {
            EXPECT_EQ(wounded.count, 40);
            EXPECT_EQ(wounded.health.count, 40);
            EXPECT_EQ(wounded.place.count, 40);
            ox_array copy = ox_query_copy_values(wounded.query, Health, OX_PERSISTENT);
            EXPECT_EQ(copy.count, ox_array_is_created(copy) ? 40 : 0);
            if (ox_array_is_created(copy)) {
                EXPECT(ox_query_set_values(wounded.query, Health, copy));
                ox_dispose(&copy);
            }
        }
    }
    ox_world_destroy(world);
}

TEST(view, out_of_memory_makes_all_views_of_a_struct_or_none) {
    EXPECT(ox_component_id_of(Cargo) != 0 && ox_component_id_of(Health) != 0 &&
           ox_component_id_of(Place) != 0);
    EXPECT(ox_component_id_of(Frozen) != 0 && ox_component_id_of(Marked) != 0);

    test_fault_sweep("views", view_when_memory_fails);
}

static void count_report(const ox_report *report, void *context) {
    (void)report;
    ++*(int *)context;
}

TEST(view, a_struct_of_views_that_is_not_filled_is_reported_once) {
    int reported = 0;
    uint64_t failures = 1;
    ox_report_handler before = ox_report_set_handler((ox_report_handler){count_report, &reported});
    for (uint64_t n = 0; failures > 0; n++) {
        Wounded wounded = {0};
        ox_world *world = ox_world_create(NULL);
        ox_entities_create(world, ox_archetype_of(world, Health, Place), NULL, 3);
        oxi_fault_plan(OXI_FAULT_ONE, n);
        bool is_filled = ox_views_fill(world, &wounded, Wounded);
        failures = oxi_fault_get_failures();
        oxi_fault_plan(OXI_FAULT_NONE, 0);

        EXPECT_EQ(reported, is_filled ? 0 : 1);
        reported = 0;
        EXPECT(ox_views_fill(world, &wounded, Wounded));
        EXPECT_EQ(wounded.place.count, 3);
        ox_world_destroy(world);
    }
    ox_report_set_handler(before);
}
