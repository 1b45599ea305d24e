// SPDX-License-Identifier: MIT
//
// Random orders of systems, and the pairs whose order matters.

#include "explain_test.h"

static void set_to(ox_system *system, uint32_t value) {
    ox_set(system->world, looked_at, Count, {value});
}

static void set_one(ox_system *system) {
    set_to(system, 1);
}

static void set_two(ox_system *system) {
    set_to(system, 2);
}

static void add_three(ox_system *system) {
    ox_edit(system->world, looked_at, Step)->value += 3;
}

static void add_four(ox_system *system) {
    ox_edit(system->world, looked_at, Step)->value += 4;
}

// Adds the systems of `context`, up to one without a name.
static void fill_world(ox_world *world, void *context) {
    looked_at = ox_entity_create(world, OX_VALUE(Count, {0}), OX_VALUE(Step, {0}));
    for (const ox_system_def *def = context; def->name != NULL; def++) {
        ox_system_add(world, def);
    }
}

static const ox_world_def empty_world = {.no_systems = true};

static int find_ambiguities(ox_system_def *defs, ox_ambiguity *pairs, int capacity) {
    start_workers_of_test(0);
    int count = ox_ambiguities_find(
        pairs, capacity,
        &(ox_ambiguity_def){
            .fill = fill_world, .context = defs, .world = &empty_world, .frames = 2, .seed = 3});
    ox_jobs_stop();
    return count;
}

TEST(shuffle, systems_that_commute_are_no_ambiguity) {
    ox_system_def defs[] = {{.name = "Three", .update = add_three},
                            {.name = "Four", .update = add_four},
                            {.name = "One", .update = set_one},
                            {0}};
    ox_ambiguity pairs[4];

    EXPECT_EQ(find_ambiguities(defs, pairs, 4), 0);
}

TEST(shuffle, two_that_write_the_same_are_named_once) {
    ox_system_def defs[] = {{.name = "Three", .update = add_three},
                            {.name = "One", .update = set_one},
                            {.name = "Four", .update = add_four},
                            {.name = "Two", .update = set_two},
                            {0}};
    ox_ambiguity pairs[4] = {0};

    EXPECT_EQ(find_ambiguities(defs, pairs, 4), 1);

    EXPECT_STR(pairs[0].first, "One");
    EXPECT_STR(pairs[0].second, "Two");
    EXPECT_NE(pairs[0].first_hash, pairs[0].second_hash);
    EXPECT(pairs[1].first == NULL);
}

TEST(shuffle, hashes_are_those_of_the_two_orders) {
    ox_system_def defs[] = {
        {.name = "One", .update = set_one}, {.name = "Two", .update = set_two}, {0}};
    ox_ambiguity pair;
    EXPECT_EQ(find_ambiguities(defs, &pair, 1), 1);
    start_workers_of_test(0);
    ox_world *world = ox_world_create(&empty_world);
    defs[0].after[0] = "Two";
    fill_world(world, defs);

    EXPECT(ox_world_update(world, 0));

    EXPECT_STR(pair.first, "One");
    EXPECT_EQ(ox_world_hash(world), pair.second_hash);
    end_jobs_test(world);
}

TEST(shuffle, a_constraint_removes_an_ambiguity) {
    ox_system_def defs[] = {{.name = "One", .update = set_one},
                            {.name = "Two", .update = set_two, .after = {"One"}},
                            {.name = "Three", .update = add_three},
                            {0}};
    ox_ambiguity pairs[4];

    EXPECT_EQ(find_ambiguities(defs, pairs, 4), 0);
}

TEST(shuffle, groups_whose_order_matters_are_named) {
    ox_system_def defs[] = {{.name = "Early", .is_group = true},
                            {.name = "Later", .is_group = true},
                            {.name = "One", .update = set_one, .in = "Early"},
                            {.name = "Three", .update = add_three, .in = "Early"},
                            {.name = "Two", .update = set_two, .in = "Later"},
                            {0}};
    ox_ambiguity pairs[4];

    EXPECT_EQ(find_ambiguities(defs, pairs, 4), 1);

    EXPECT_STR(pairs[0].first, "Early");
    EXPECT_STR(pairs[0].second, "Later");
}

TEST(shuffle, the_first_of_all_systems_may_be_one_of_a_pair) {
    ox_system_def defs[] = {
        {.name = "One", .update = set_one, .in = "World", .before = {"Initialization"}},
        {.name = "Two", .update = set_two, .in = "World", .before = {"Initialization"}},
        {0}};
    ox_ambiguity pairs[4];

    EXPECT_EQ(find_ambiguities(defs, pairs, 4), 1);

    EXPECT_STR(pairs[0].first, "One");
    EXPECT_STR(pairs[0].second, "Two");
}

// How often each world is filled, and updated, and with which delta.
static int filled, updated;
static float last_delta;

static void note_update(ox_system *system) {
    updated++;
    last_delta = ox_system_get_time(system).delta;
}

static void fill_noted(ox_world *world, void *context) {
    filled++;
    fill_world(world, context);
}

TEST(shuffle, so_many_orders_are_tried_for_so_many_frames) {
    ox_system_def defs[] = {{.name = "Note", .update = note_update}, {0}};
    ox_ambiguity_def def = {.fill = fill_noted, .context = defs, .world = &empty_world};
    filled = updated = 0;
    EXPECT_EQ(ox_ambiguities_find(NULL, 0, &def), 0);
    EXPECT_EQ(filled, 1 + 16); // by the rule, and at random
    EXPECT_EQ(updated, 4 * filled);
    EXPECT_EQ(last_delta, 1.0f / 60);

    def.orders = 1;
    def.frames = 1;
    def.delta = 0.5f;
    filled = updated = 0;
    EXPECT_EQ(ox_ambiguities_find(NULL, 0, &def), 0);
    EXPECT_EQ(filled, 2);
    EXPECT_EQ(updated, 2);
    EXPECT_EQ(last_delta, 0.5f);
}

// Every other order gives another number.
static void append_name(ox_system *system) {
    Count *count = ox_edit(system->world, looked_at, Count);
    count->value = count->value * 7 + (unsigned char)system->name[0];
}

// A seed of 0 is no order at random. This one gives 0 for the first order.
TEST(shuffle, no_seed_means_the_order_of_the_rule) {
    ox_system_def defs[] = {{.name = "A", .update = append_name},
                            {.name = "B", .update = append_name},
                            {.name = "C", .update = append_name},
                            {.name = "D", .update = append_name},
                            {.name = "E", .update = append_name},
                            {.name = "F", .update = append_name},
                            {0}};
    ox_ambiguity_def def = {.fill = fill_world,
                            .context = defs,
                            .world = &empty_world,
                            .orders = 1,
                            .seed = 0x0e217c1e66c88cc3u};
    start_workers_of_test(0);

    int count = ox_ambiguities_find(NULL, 0, &def);
    ox_jobs_stop();

    EXPECT(count > 0);
}

static bool has_pair(const ox_ambiguity *pairs, int count, const char *first, const char *second) {
    for (int k = 0; k < count; k++) {
        bool is_it = strcmp(pairs[k].first, first) == 0 && strcmp(pairs[k].second, second) == 0;
        bool is_turned = strcmp(pairs[k].first, second) == 0 && strcmp(pairs[k].second, first) == 0;
        if (is_it || is_turned) {
            return true;
        }
    }
    return false;
}

TEST(shuffle, pairs_are_found_in_groups_wherever_these_go) {
    ox_system_def defs[] = {{.name = "G", .is_group = true},
                            {.name = "H", .is_group = true},
                            {.name = "I", .is_group = true},
                            {.name = "a", .update = append_name, .in = "G"},
                            {.name = "b", .update = append_name, .in = "G"},
                            {.name = "c", .update = append_name, .in = "G"},
                            {.name = "d", .update = append_name, .in = "H"},
                            {.name = "e", .update = append_name, .in = "I"},
                            {.name = "f", .update = append_name, .in = "I"},
                            {0}};
    const char *const expected[][2] = {{"G", "H"}, {"G", "I"}, {"H", "I"}, {"a", "b"},
                                       {"a", "c"}, {"b", "c"}, {"e", "f"}};
    ox_ambiguity pairs[16];

    EXPECT_EQ(find_ambiguities(defs, pairs, 16), 7);

    for (int k = 0; k < 7; k++) {
        EXPECT(has_pair(pairs, 7, expected[k][0], expected[k][1]));
    }
}

static void fill_and_look(ox_world *world, void *context) {
    fill_world(world, context);
    EXPECT(ox_world_get_systems(world, NULL, 0) > 0);
}

TEST(shuffle, who_fills_a_world_may_look_at_its_order) {
    ox_system_def defs[] = {
        {.name = "One", .update = set_one}, {.name = "Two", .update = set_two}, {0}};
    ox_ambiguity_def def = {.fill = fill_and_look, .context = defs, .world = &empty_world};
    start_workers_of_test(0);

    int count = ox_ambiguities_find(NULL, 0, &def);
    ox_jobs_stop();

    EXPECT_EQ(count, 1);
}

static ox_job schedule_set(ox_system *system, ox_job after) {
    return SCHEDULE(WriteCount, system, after, "set.c:1", 1);
}

static ox_job schedule_from_step(ox_system *system, ox_job after) {
    return SCHEDULE(CountFromStep, system, after, "set.c:2", 0);
}

TEST(shuffle, jobs_that_do_not_commute_are_named_by_their_systems) {
    ox_system_def defs[] = {
        {.name = "Times3", .update_jobs = schedule_set, .jobs = OX_JOBS(WriteCount)},
        {.name = "Times5", .update_jobs = schedule_from_step, .jobs = OX_JOBS(CountFromStep)},
        {0}};
    ox_ambiguity pairs[4];

    EXPECT_EQ(find_ambiguities(defs, pairs, 0), 1);
    EXPECT_EQ(find_ambiguities(defs, pairs, 4), 1);

    EXPECT_STR(pairs[0].first, "Times3");
    EXPECT_STR(pairs[0].second, "Times5");
}

// Orders.

static void list_names(ox_world *world, char *text, size_t size) {
    ox_system *systems[64];
    int count = ox_world_get_systems(world, systems, 64);
    text[0] = 0;
    for (int k = 0; k < count; k++) {
        if (!ox_system_get_info(systems[k]).is_group) {
            strncat(text, systems[k]->name, size - strlen(text) - 1);
        }
    }
}

TEST(shuffle, a_seed_is_one_order_and_0_goes_back_to_the_rule) {
    ox_system_def defs[] = {
        {.name = "A", .update = do_nothing}, {.name = "B", .update = do_nothing},
        {.name = "C", .update = do_nothing}, {.name = "D", .update = do_nothing},
        {.name = "E", .update = do_nothing}, {0}};
    ox_world *world = ox_world_create(&empty_world);
    fill_world(world, defs);
    char rule[512], first[512], again[512];
    list_names(world, rule, sizeof rule);

    ox_world_shuffle_systems(world, 5);
    list_names(world, first, sizeof first);
    ox_world_shuffle_systems(world, 6);
    ox_world_shuffle_systems(world, 5);
    list_names(world, again, sizeof again);

    EXPECT_STR(again, first);
    EXPECT(strcmp(first, rule) != 0);
    ox_world_shuffle_systems(world, 0);
    list_names(world, again, sizeof again);
    EXPECT_STR(again, rule);
    ox_world_destroy(world);
}

TEST(shuffle, a_def_that_cannot_be_used_is_reported) {
    collected_reports reports = {0};
    ox_ambiguity pair;
    collect_reports(&reports);

    EXPECT_EQ(ox_ambiguities_find(&pair, 1, NULL), -1);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_ambiguities_find(&pair, 1, &(ox_ambiguity_def){0}), -1);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(ox_ambiguities_find(NULL, 1, &(ox_ambiguity_def){.fill = fill_world}), -1);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT_EQ(
        ox_ambiguities_find(&pair, 1, (&(ox_ambiguity_def){.fill = fill_world, ._guard_end = 1})),
        -1);
    EXPECT_REPORT(&reports, OX_REPORT_DEF_GARBAGE);
    ox_ambiguity_def def = {.fill = fill_world, .world = &(ox_world_def){._guard_begin = 1}};
    EXPECT_EQ(ox_ambiguities_find(&pair, 1, &def), -1);
    EXPECT_REPORT(&reports, OX_REPORT_DEF_GARBAGE);
}
