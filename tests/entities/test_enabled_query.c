// SPDX-License-Identifier: MIT
//
// Queries where some components are switched off: which rows match, and every way to walk them.

#include "entities/kinds_test.h"

#include "oxbow/containers.h"
#include "oxbow/memory.h"
#include "oxbow/queries.h"

static collected_reports reports;

// An archetype for each set of Stunned, Lit and Frozen, and in each an entity for each way of
// switching: on[k] is bit 0 for Stunned and bit 1 for Lit.
enum { STATES = 32 };

typedef struct states {
    ox_world *world;
    ox_entity list[STATES];
} states;

static bool has_state(int k, int bit) {
    return (k >> bit & 1) != 0;
}

static states make_states(void) {
    states self = {.world = make_world(&reports)};
    for (int k = 0; k < STATES; k++) {
        ox_entity entity = ox_entity_create(self.world, OX_VALUE(Health, {k}));
        self.list[k] = entity;
        if (has_state(k, 0)) {
            ox_add(self.world, entity, Stunned, {k});
            ox_set_enabled(self.world, entity, Stunned, has_state(k, 3));
        }
        if (has_state(k, 1)) {
            ox_add_tag(self.world, entity, Lit);
            ox_set_enabled(self.world, entity, Lit, has_state(k, 4));
        }
        if (has_state(k, 2)) {
            ox_add_tag(self.world, entity, Frozen);
        }
    }
    return self;
}

static bool stunned_on(int k) {
    return has_state(k, 0) && has_state(k, 3);
}

static bool stunned_off(int k) {
    return has_state(k, 0) && !has_state(k, 3);
}

static bool lit_on(int k) {
    return has_state(k, 1) && has_state(k, 4);
}

// A query matches exactly those for which `is_meant` holds; every way to walk says so.
static void expect_match(ox_query *query, bool (*is_meant)(int k)) {
    bool seen[STATES] = {false};
    int count = 0;
    EXPECT(query != NULL);
    OX_EACH_CHUNK(query, chunk) {
        const Health *health = ox_chunk_get(chunk, Health);
        for (int k = 0; k < chunk.count; k++) {
            EXPECT(is_meant(health[k].points) && !seen[health[k].points]);
            seen[health[k].points] = true;
            count++;
        }
    }
    int expected = 0;
    for (int k = 0; k < STATES; k++) {
        expected += is_meant(k);
    }
    EXPECT_EQ(count, expected);
    EXPECT_EQ(ox_query_count(query), expected);
    EXPECT_EQ(ox_query_is_empty(query), expected == 0);
    ox_array entities = ox_query_copy_entities(query, OX_PERSISTENT);
    EXPECT_EQ(ox_array_count(entities), expected);
    ox_dispose(&entities);
    EXPECT_EQ(ox_query_view_entities(query).count, expected);
}

TEST(enabled_query, reading_and_with_demand_that_it_is_on) {
    states self = make_states();
    expect_match(ox_query_create(self.world, OX_READ(Health), OX_READ(Stunned)), stunned_on);
    expect_match(ox_query_create(self.world, OX_READ(Health), OX_WRITE(Stunned)), stunned_on);
    expect_match(ox_query_create(self.world, OX_READ(Health), OX_WITH(Stunned)), stunned_on);
    expect_match(ox_query_create(self.world, OX_READ(Health), OX_WITH(Lit)), lit_on);
    end_world(self.world, &reports);
}

static bool no_stun(int k) {
    return !stunned_on(k);
}

static bool neither_on(int k) {
    return !stunned_on(k) && !lit_on(k);
}

TEST(enabled_query, none_takes_what_is_off_as_absent) {
    states self = make_states();
    expect_match(ox_query_create(self.world, OX_READ(Health), OX_NONE(Stunned)), no_stun);
    expect_match(ox_query_create(self.world, OX_READ(Health), OX_NONE(Stunned, Lit)), neither_on);
    end_world(self.world, &reports);
}

static bool any_on(int k) {
    return stunned_on(k) || lit_on(k);
}

static bool any_or_frozen(int k) {
    return stunned_on(k) || has_state(k, 2);
}

TEST(enabled_query, any_takes_one_that_is_on_or_that_cannot_be_off) {
    states self = make_states();
    expect_match(ox_query_create(self.world, OX_READ(Health), OX_ANY(Stunned, Lit)), any_on);
    expect_match(ox_query_create(self.world, OX_READ(Health), OX_ANY(Stunned, Frozen)),
                 any_or_frozen);
    end_world(self.world, &reports);
}

static bool has_stun(int k) {
    return has_state(k, 0);
}

static bool lacks_stun(int k) {
    return !has_state(k, 0);
}

TEST(enabled_query, disabled_present_and_absent_say_how_it_is_there) {
    states self = make_states();
    expect_match(ox_query_create(self.world, OX_READ(Health), OX_DISABLED(Stunned)), stunned_off);
    expect_match(ox_query_create(self.world, OX_READ(Health), OX_PRESENT(Stunned)), has_stun);
    expect_match(ox_query_create(self.world, OX_READ(Health), OX_ENABLED(Stunned)), has_stun);
    expect_match(ox_query_create(self.world, OX_READ(Health), OX_ABSENT(Stunned)), lacks_stun);
    end_world(self.world, &reports);
}

static bool off_and_lit(int k) {
    return stunned_off(k) && lit_on(k) && !has_state(k, 2);
}

static bool off_and_no_lit(int k) {
    return stunned_off(k) && !lit_on(k);
}

TEST(enabled_query, terms_of_several_components_all_have_to_hold) {
    states self = make_states();
    expect_match(ox_query_create(self.world, OX_READ(Health), OX_DISABLED(Stunned), OX_WITH(Lit),
                                 OX_NONE(Frozen)),
                 off_and_lit);
    expect_match(ox_query_create(self.world, OX_READ(Health), OX_DISABLED(Stunned), OX_NONE(Lit)),
                 off_and_no_lit);
    end_world(self.world, &reports);
}

TEST(enabled_query, a_term_for_the_switch_goes_before_the_one_for_the_value) {
    states self = make_states();
    ox_query *off =
        ox_query_create(self.world, OX_READ(Health), OX_READ(Stunned), OX_DISABLED(Stunned));
    expect_match(off, stunned_off);
    OX_EACH_CHUNK(off, chunk) {
        for (int k = 0; k < chunk.count; k++) {
            EXPECT_EQ(ox_chunk_get(chunk, Stunned)[k].turns, ox_chunk_get(chunk, Health)[k].points);
        }
    }
    expect_match(
        ox_query_create(self.world, OX_READ(Health), OX_PRESENT(Stunned), OX_WRITE(Stunned)),
        has_stun);
    expect_match(
        ox_query_create(self.world, OX_READ(Health), OX_WRITE(Stunned), OX_ENABLED(Stunned)),
        stunned_on);
    end_world(self.world, &reports);
}

static bool everything(int k) {
    (void)k;
    return true;
}

TEST(enabled_query, an_optional_component_is_read_whether_it_is_on_or_off) {
    states self = make_states();
    ox_query *query = ox_query_create(self.world, OX_READ(Health), OX_OPTIONAL(Stunned));
    expect_match(query, everything);
    int with = 0;
    OX_EACH_CHUNK(query, chunk) {
        with += ox_chunk_get(chunk, Stunned) != NULL ? chunk.count : 0;
    }
    EXPECT_EQ(with, STATES / 2);
    end_world(self.world, &reports);
}

TEST(enabled_query, terms_that_do_not_go_together_are_refused) {
    ox_world *world = make_world(&reports);
    EXPECT(ox_query_create(world, OX_READ(Stunned), OX_NONE(Stunned)) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_DUPLICATE);
    EXPECT(ox_query_create(world, OX_WITH(Stunned), OX_DISABLED(Stunned)) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_DUPLICATE);
    EXPECT(ox_query_create(world, OX_DISABLED(Stunned), OX_DISABLED(Stunned)) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_DUPLICATE);
    EXPECT(ox_query_create(world, OX_DISABLED(Health)) == NULL);
    EXPECT_HAS(reports.text, "a query with OX_DISABLED or OX_ENABLED of 'Health'");
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    EXPECT(ox_query_create(world, OX_ENABLED(Frozen)) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_WRONG_KIND);
    end_world(world, &reports);
}

// Full chunks with alternating bits.

enum { ROWS = 2048 };

static void make_full_chunk(ox_world *world, ox_entity *list) {
    EXPECT(ox_entities_create(world, ox_archetype_of(world, Lit), list, ROWS));
    EXPECT_EQ(ox_entity_get_location(world, list[0]).capacity, ROWS);
    for (int k = 0; k < ROWS; k += 2) {
        ox_set_enabled(world, list[k], Lit, false);
    }
}

TEST(enabled_query, a_full_chunk_is_walked_row_by_row) {
    ox_world *world = make_world(&reports);
    static ox_entity list[ROWS];
    make_full_chunk(world, list);
    ox_query *query = ox_query_create(world, OX_WITH(Lit));
    int next = 1;
    OX_EACH_CHUNK(query, chunk) {
        EXPECT_EQ(chunk.count, 1);
        EXPECT(is_same(chunk.entities[0], list[next]));
        next += 2;
    }
    EXPECT_EQ(next, ROWS + 1);
    ox_view entities = ox_query_view_entities(query);
    EXPECT_EQ(entities.count, ROWS / 2);
    for (int k = 0; k < ROWS / 2; k++) {
        EXPECT(is_same(ox_view_read_entity(entities, k), list[2 * k + 1]));
    }
    end_world(world, &reports);
}

TEST(enabled_query, copies_out_and_in_leave_rows_that_are_off_alone) {
    ox_world *world = make_world(&reports);
    static ox_entity list[ROWS];
    for (int k = 0; k < ROWS; k++) {
        list[k] = ox_entity_create(world, OX_VALUE(Stunned, {k}));
        ox_set_enabled(world, list[k], Stunned, k % 3 == 1);
    }
    ox_query *query = ox_query_create(world, OX_WRITE(Stunned));

    ox_array values = ox_query_copy_values(query, Stunned, OX_PERSISTENT);
    EXPECT_EQ(ox_array_count(values), ox_query_count(query));
    for (int k = 0; k < ox_array_count(values); k++) {
        EXPECT_EQ(ox_array_read(OX_AS(values, Stunned), k).turns, 3 * k + 1);
        ox_array_edit(OX_AS(values, Stunned), k)->turns = -1;
    }
    EXPECT(ox_query_set_values(query, Stunned, values));

    for (int k = 0; k < ROWS; k++) {
        EXPECT_EQ(ox_get(world, list[k], Stunned)->turns, k % 3 == 1 ? -1 : k);
    }
    ox_dispose(&values);
    end_world(world, &reports);
}

TEST(enabled_query, views_and_windows_go_over_rows_that_match) {
    ox_world *world = make_world(&reports);
    static ox_entity list[ROWS];
    for (int k = 0; k < ROWS; k++) {
        list[k] = ox_entity_create(world, OX_VALUE(Stunned, {k}));
        ox_set_enabled(world, list[k], Stunned, k % 64 != 5);
    }
    ox_query *query = ox_query_create(world, OX_WRITE(Stunned));
    ox_view view = ox_query_view(query, Stunned);
    EXPECT_EQ(view.count, ROWS - ROWS / 64);
    int64_t at = 0;
    for (int k = 0; k < ROWS; k++) {
        if (k % 64 != 5) {
            EXPECT_EQ(ox_view_read(view, at, Stunned).turns, k);
            ox_view_edit(view, at, Stunned)->turns = k + 10000;
            at++;
        }
    }
    for (int k = 0; k < ROWS; k++) {
        EXPECT_EQ(ox_get(world, list[k], Stunned)->turns, k % 64 != 5 ? k + 10000 : k);
    }
    end_world(world, &reports);
}

// Which of eight entities, in two chunks, are on: as many before as after.
typedef struct switched_rows {
    const char *before, *after;
} switched_rows;

TEST(enabled_query, views_end_when_others_of_the_same_number_match) {
    static const switched_rows cases[] = {
        {"####....", "....####"}, // another chunk
        {"##......", "..##...."}, // other rows of the chunk
        {"##..#...", "#...##.."}, // the second chunk begins at another index
        {"##..#...", "#..##..."}, // there is one more window
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        ox_world *world = make_world(&reports);
        ox_entity list[8];
        for (int k = 0; k < 8; k++) {
            list[k] = ox_entity_create(world, OX_VALUE(Stunned, {k}));
            EXPECT(k < 4 || ox_add_tag(world, list[k], Frozen));
            ox_set_enabled(world, list[k], Stunned, cases[n].before[k] == '#');
        }
        ox_query *query = ox_query_create(world, OX_READ(Stunned));
        ox_view view = ox_query_view(query, Stunned);
        EXPECT_EQ(ox_view_read(view, 0, Stunned).turns,
                  strchr(cases[n].before, '#') - cases[n].before);

        for (int k = 0; k < 8; k++) {
            ox_set_enabled(world, list[k], Stunned, cases[n].after[k] == '#');
        }
        ox_view next = ox_query_view(query, Stunned);

        EXPECT_EQ(next.count, view.count);
        EXPECT_EQ(ox_view_read(next, 0, Stunned).turns,
                  strchr(cases[n].after, '#') - cases[n].after);
        EXPECT_EQ(ox_view_read(view, 0, Stunned).turns, 0);
        EXPECT_REPORT(&reports, OX_REPORT_CHANGED_IN_LOOP);
        end_world(world, &reports);
    }
}

TEST(enabled_query, a_body_that_switches_rows_sees_the_chunk_as_it_was) {
    ox_world *world = make_world(&reports);
    static ox_entity list[ROWS];
    make_full_chunk(world, list);
    ox_query *query = ox_query_create(world, OX_ENABLED(Lit), OX_PRESENT(Lit));
    ox_query *on = ox_query_create(world, OX_WITH(Lit));
    int seen = 0;
    OX_EACH_CHUNK(on, chunk) {
        ox_entity self = chunk.entities[0];
        EXPECT(ox_set_enabled(world, self, Lit, false));
        EXPECT(ox_set_enabled(world, list[self.index - 1], Lit, true));
        EXPECT(ox_set_enabled(world, list[ROWS - 1], Lit, false));
        seen++;
    }
    EXPECT_EQ(seen, ROWS / 2);
    EXPECT_EQ(ox_query_count(on), ROWS / 2);
    OX_EACH_CHUNK(query, chunk) {
        EXPECT_EQ(chunk.count, ROWS);
        for (int k = 0; k < chunk.count; k++) {
            EXPECT_EQ(ox_chunk_is_enabled(chunk, k, Lit), k % 2 == 0);
            EXPECT(ox_chunk_set_enabled(chunk, k, Lit, k % 2 == 1));
        }
    }
    EXPECT(!ox_is_enabled(world, list[0], Lit) && ox_is_enabled(world, list[1], Lit));
    end_world(world, &reports);
}

TEST(enabled_query, rows_of_a_step_are_counted_from_its_first) {
    ox_world *world = make_world(&reports);
    ox_entity list[6];
    ox_entities_create(world, ox_archetype_of(world, Stunned), list, 6);
    ox_set_enabled(world, list[0], Stunned, false);
    ox_set_enabled(world, list[3], Stunned, false);
    ox_query *query = ox_query_create(world, OX_WRITE(Stunned));
    OX_EACH_CHUNK(query, chunk) {
        EXPECT_EQ(chunk.count, 2); // 1 and 2, then 4 and 5
        EXPECT(ox_chunk_set_enabled(chunk, 1, Stunned, false));
        EXPECT(ox_chunk_is_enabled(chunk, 0, Stunned) && !ox_chunk_is_enabled(chunk, 1, Stunned));
    }
    EXPECT(ox_is_enabled(world, list[1], Stunned) && !ox_is_enabled(world, list[2], Stunned));
    EXPECT(ox_is_enabled(world, list[4], Stunned) && !ox_is_enabled(world, list[5], Stunned));
    end_world(world, &reports);
}

TEST(enabled_query, counts_leave_out_holes) {
    ox_world *world = make_world(&reports);
    ox_entity list[100];
    ox_entities_create(world, ox_archetype_of(world, Stunned, Health), list, 100);
    for (int k = 0; k < 100; k += 2) {
        ox_set_enabled(world, list[k], Stunned, false);
    }
    ox_query *on = ox_query_create(world, OX_READ(Stunned));
    ox_query *off = ox_query_create(world, OX_DISABLED(Stunned));
    for (int k = 10; k < 40; k++) {
        ox_entity_destroy(world, list[k]);
        EXPECT_EQ(ox_query_count(on), 50 - (k - 9) / 2);
        EXPECT_EQ(ox_query_count(off), 50 - (k - 8) / 2);
    }
    EXPECT_EQ(ox_query_count_all(on), 70);
    end_world(world, &reports);
}
