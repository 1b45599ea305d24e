// SPDX-License-Identifier: MIT
//
// What a shared component does with its values: hashes, equality, copies and drops. Each stored
// value is dropped exactly once, by whatever way it goes.

#include "entities/kinds_test.h"

#include "oxbow/containers.h"
#include "oxbow/memory.h"

#include <stdlib.h>

OX_SHARED(Clash, { int32_t value; });
OX_SHARED(LowByte, { uint32_t bits; });
OX_SHARED(Counted, { int32_t value; });
OX_SHARED(Label, { OX_UNOWNED char *text; });
OX_SHARED(Gift, { OX_UNOWNED char *text; });
OX_SHARED(Nosy, { int32_t value; });
OX_SHARED(Padded, {
    uint8_t small;
    uint32_t large;
});

static collected_reports reports;
static int copied, dropped;
static bool refuses_copies;

static uint64_t hash_all_alike(const void *value) {
    (void)value;
    return 42;
}

static uint64_t hash_low_byte(const void *value) {
    return ((const LowByte *)value)->bits & 0xff;
}

static bool equal_low_byte(const void *a, const void *b) {
    return hash_low_byte(a) == hash_low_byte(b);
}

static bool count_copy(void *stored) {
    (void)stored;
    copied += !refuses_copies;
    return !refuses_copies;
}

static void count_drop(void *stored) {
    EXPECT(((const Counted *)stored)->value != 0);
    dropped++;
}

static ox_world *make_counted_world(void) {
    EXPECT(ox_shared_define(ox_component_id_of(Counted),
                            &(ox_shared_def){.copy = count_copy, .drop = count_drop}));
    copied = dropped = 0;
    refuses_copies = false;
    return make_world(&reports);
}

TEST(shared_values, a_hash_that_is_the_same_for_all_does_not_merge_values) {
    EXPECT(ox_shared_define(ox_component_id_of(Clash), &(ox_shared_def){.hash = hash_all_alike}));
    ox_world *world = make_world(&reports);
    ox_entity list[50];
    for (int32_t k = 0; k < 50; k++) {
        list[k] = ox_entity_create(world, OX_VALUE(Clash, {k / 2}));
    }

    for (int32_t k = 0; k < 50; k++) {
        EXPECT_EQ(ox_get(world, list[k], Clash)->value, k / 2);
    }
    ox_array values = ox_shared_copy_values(world, Clash, OX_PERSISTENT);
    EXPECT_EQ(ox_array_count(values), 25);
    ox_dispose(&values);
    end_world(world, &reports);
}

TEST(shared_values, an_equality_of_its_own_merges_values) {
    EXPECT(ox_shared_define(ox_component_id_of(LowByte),
                            &(ox_shared_def){.hash = hash_low_byte, .equal = equal_low_byte}));
    ox_world *world = make_world(&reports);
    ox_entity a = ox_entity_create(world, OX_VALUE(LowByte, {0x01}));
    ox_entity b = ox_entity_create(world, OX_VALUE(LowByte, {0x2201}));
    ox_entity c = ox_entity_create(world, OX_VALUE(LowByte, {0x3201}));
    ox_entity zero = ox_entity_create(world, OX_VALUE(LowByte, {0x1100}));

    EXPECT(lie_together(world, a, b) && lie_together(world, b, c));
    EXPECT_EQ(ox_get(world, c, LowByte)->bits, 1);
    EXPECT_EQ(ox_get(world, zero, LowByte)->bits, 0); // it counts as the default
    ox_array values = ox_shared_copy_values(world, LowByte, OX_PERSISTENT);
    EXPECT_EQ(ox_array_count(values), 2);
    ox_dispose(&values);
    end_world(world, &reports);
}

TEST(shared_values, padding_does_not_tell_values_apart) {
    ox_world *world = make_world(&reports);
    Padded clean, dirty;
    memset(&clean, 0, sizeof clean);
    memset(&dirty, 0xff, sizeof dirty);
    clean.small = dirty.small = 3;
    clean.large = dirty.large = 4;
    ox_entity a = ox_entity_create_in(world, ox_archetype_of(world, Padded)),
              b = ox_entity_create_in(world, ox_archetype_of(world, Padded));
    ox_set_at(world, a, ox_component_id_of(Padded), &clean, OX_HERE);
    ox_set_at(world, b, ox_component_id_of(Padded), &dirty, OX_HERE);

    EXPECT(lie_together(world, a, b));
    end_world(world, &reports);
}

// Copies and drops.

TEST(shared_values, a_value_is_copied_when_it_is_stored_and_dropped_when_it_is_set_away) {
    ox_world *world = make_counted_world();
    ox_entity a = ox_entity_create(world, OX_VALUE(Counted, {1}));
    ox_entity b = ox_entity_create(world, OX_VALUE(Counted, {1}));
    EXPECT_EQ(copied, 1);

    ox_set(world, a, Counted, {2});
    EXPECT_EQ(copied, 2);
    EXPECT_EQ(dropped, 0);
    ox_set(world, b, Counted, {2});
    EXPECT_EQ(dropped, 1);
    ox_set(world, b, Counted, {2});
    EXPECT_EQ(copied, 2);
    end_world(world, &reports);
    EXPECT_EQ(dropped, 2);
}

TEST(shared_values, a_value_is_dropped_when_its_last_entity_is_destroyed) {
    ox_world *world = make_counted_world();
    ox_entity a = ox_entity_create(world, OX_VALUE(Counted, {1}));
    ox_entity b = ox_entity_create(world, OX_VALUE(Counted, {1}), OX_VALUE_TAG(Frozen));

    ox_entity_destroy(world, a);
    EXPECT_EQ(dropped, 0);
    ox_entity_destroy(world, b);
    EXPECT_EQ(dropped, 1);
    end_world(world, &reports);
    EXPECT_EQ(dropped, 1);
}

TEST(shared_values, a_value_is_dropped_when_the_component_is_removed) {
    ox_world *world = make_counted_world();
    ox_entity a = ox_entity_create(world, OX_VALUE(Counted, {1}));
    ox_entity_create(world, OX_VALUE(Counted, {2}));
    ox_entity_create(world, OX_VALUE(Counted, {3}));

    ox_remove(world, a, Counted);
    EXPECT_EQ(dropped, 1);
    ox_query *query = ox_query_create(world, OX_READ(Counted));
    EXPECT(ox_query_remove(query, Counted));
    EXPECT_EQ(dropped, 3);
    end_world(world, &reports);
    EXPECT_EQ(dropped, 3);
}

TEST(shared_values, values_are_dropped_by_what_is_done_to_queries) {
    ox_world *world = make_counted_world();
    for (int32_t k = 1; k <= 4; k++) {
        ox_entity_create(world, OX_VALUE(Counted, {k}));
    }
    ox_query *query = ox_query_create(world, OX_READ(Counted));

    EXPECT(ox_query_set_shared(query, Counted, {5}));
    EXPECT_EQ(dropped, 4);
    EXPECT_EQ(copied, 5);
    EXPECT_EQ(ox_query_destroy_entities(query), 4);
    EXPECT_EQ(dropped, 5);
    EXPECT(ox_query_set_shared(query, Counted, {6})); // nobody takes it
    EXPECT_EQ(copied, dropped);
    end_world(world, &reports);
    EXPECT_EQ(copied, dropped);
}

TEST(shared_values, a_filter_keeps_a_value_until_it_is_reset_replaced_or_destroyed) {
    ox_world *world = make_counted_world();
    ox_entity entity = ox_entity_create(world, OX_VALUE(Counted, {1}));
    ox_query *query = ox_query_create(world, OX_READ(Counted));
    EXPECT(ox_query_filter_shared(query, Counted, {1}));
    EXPECT_EQ(copied, 1);

    ox_entity_destroy(world, entity);
    EXPECT_EQ(dropped, 0);
    EXPECT(ox_query_filter_shared(query, Counted, {2}));
    EXPECT_EQ(dropped, 1);
    EXPECT(ox_query_filter_shared(query, Counted, {2}));
    EXPECT_EQ(dropped, 1);
    ox_query_reset_filters(query);
    EXPECT_EQ(dropped, 2);
    EXPECT(ox_query_filter_shared(query, Counted, {3}));
    ox_query_destroy(query);
    EXPECT_EQ(dropped, 3);
    query = ox_query_create(world, OX_READ(Counted));
    EXPECT(ox_query_filter_shared(query, Counted, {4}));
    end_world(world, &reports);
    EXPECT_EQ(dropped, 4);
}

TEST(shared_values, the_default_is_never_copied_or_dropped) {
    ox_world *world = make_counted_world();
    ox_entity entity = ox_entity_create(world, OX_VALUE(Counted, {0}));
    ox_query *query = ox_query_create(world, OX_READ(Counted));
    EXPECT(ox_query_filter_shared(query, Counted, {0}));
    ox_query_reset_filters(query);
    ox_entity_destroy(world, entity);
    end_world(world, &reports);
    EXPECT_EQ(copied, 0);
    EXPECT_EQ(dropped, 0);
}

TEST(shared_values, a_copy_that_is_refused_refuses_the_call) {
    ox_world *world = make_counted_world();
    ox_entity entity = ox_entity_create(world, OX_VALUE(Counted, {1}));
    ox_query *query = ox_query_create(world, OX_READ(Counted));
    uint64_t layout = ox_world_hash_layout(world);
    refuses_copies = true;

    EXPECT(!ox_set(world, entity, Counted, {2}));
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    EXPECT(!ox_query_filter_shared(query, Counted, {2}));
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    EXPECT(!ox_query_set_shared(query, Counted, {2}));
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    EXPECT_EQ(ox_entity_create(world, OX_VALUE(Counted, {2})).version, 0);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    EXPECT_EQ(ox_world_hash_layout(world), layout);
    EXPECT_EQ(dropped, 0);
    end_world(world, &reports);
    EXPECT_EQ(dropped, 1);
}

TEST(shared_values, a_call_that_is_wrong_stores_nothing) {
    ox_world *world = make_counted_world();
    ox_entity gone = ox_entity_create_in(world, ox_archetype_of(world, Counted));
    ox_entity_destroy(world, gone);

    EXPECT(!ox_add(world, gone, Counted, {1}));
    EXPECT_REPORT(&reports, OX_REPORT_STALE_ENTITY);
    EXPECT_EQ(ox_entity_create(world, OX_VALUE(Counted, {1}), OX_VALUE(Counted, {2})).version, 0);
    EXPECT_REPORT(&reports, OX_REPORT_DUPLICATE);
    end_world(world, &reports);
    EXPECT_EQ(copied, dropped);
}

// Values that own memory. ASan tells what is freed twice, or never.

static uint64_t hash_text(const void *value) {
    uint64_t hash = 5381;
    for (const char *c = ((const Label *)value)->text; c != NULL && *c != 0; c++) {
        hash = hash * 33 + (uint64_t)*c;
    }
    return hash;
}

static bool equal_text(const void *a, const void *b) {
    const char *first = ((const Label *)a)->text, *second = ((const Label *)b)->text;
    return first == second || (first != NULL && second != NULL && strcmp(first, second) == 0);
}

static bool copy_text(void *stored) {
    Label *label = stored;
    label->text = strdup(label->text);
    copied++;
    return label->text != NULL;
}

static void drop_text(void *stored) {
    free(((Label *)stored)->text);
    dropped++;
}

TEST(shared_values, a_value_with_a_copy_call_leaves_the_memory_of_the_caller_alone) {
    EXPECT(ox_shared_define(ox_component_id_of(Label),
                            &(ox_shared_def){hash_text, equal_text, copy_text, drop_text}));
    copied = dropped = 0;
    ox_world *world = make_world(&reports);
    char first[] = "north", second[] = "north";
    ox_entity a = ox_entity_create(world, OX_VALUE(Label, {first}));
    ox_entity b = ox_entity_create(world, OX_VALUE(Label, {second}));
    first[0] = second[0] = 'x';

    EXPECT(lie_together(world, a, b));
    EXPECT_STR(ox_get(world, b, Label)->text, "north");
    EXPECT_EQ(copied, 1);
    end_world(world, &reports);
    EXPECT_EQ(dropped, 1);
}

TEST(shared_values, a_value_without_a_copy_call_is_taken_over) {
    EXPECT(ox_shared_define(
        ox_component_id_of(Gift),
        &(ox_shared_def){.hash = hash_text, .equal = equal_text, .drop = drop_text}));
    dropped = 0;
    ox_world *world = make_world(&reports);
    ox_entity entity = ox_entity_create(world, OX_VALUE(Gift, {strdup("rose")}));
    ox_entity_destroy(world, entity);
    EXPECT_EQ(dropped, 1);

    char *text = strdup("lily");
    EXPECT(!ox_add(world, entity, Gift, {text})); // refused: it stays the caller's
    EXPECT_REPORT(&reports, OX_REPORT_STALE_ENTITY);
    ox_query *query = ox_query_create(world, OX_READ(Gift));
    EXPECT(ox_query_set_shared(query, Gift, {text})); // nobody takes it
    EXPECT_EQ(dropped, 1);
    free(text);
    end_world(world, &reports);
    EXPECT_EQ(dropped, 1);
}

// Calls that are wrong.

TEST(shared_values, calls_are_set_once_or_the_same_again) {
    collect_reports(&reports);
    ox_shared_def calls = {.copy = count_copy, .drop = count_drop};
    EXPECT(ox_shared_define(ox_component_id_of(Counted), &calls));
    EXPECT(ox_shared_define(ox_component_id_of(Counted), &calls));

    calls.drop = NULL;
    EXPECT(!ox_shared_define(ox_component_id_of(Counted), &calls));
    EXPECT_HAS(reports.text, "it has other calls already");
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COMPONENT);
    EXPECT(!ox_shared_define(ox_component_id_of(Health), &calls));
    EXPECT_HAS(reports.text, "only shared components have calls");
    EXPECT_REPORT(&reports, OX_REPORT_BAD_COMPONENT);
    EXPECT(!ox_shared_define(ox_component_id_of(Counted), NULL));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
}

static ox_world *nosy_world;
static ox_entity nosy_entity;

static void use_the_world(void *stored) {
    (void)stored;
    dropped++;
    EXPECT_EQ(ox_entity_create(nosy_world).version, 0);
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_IN_CALL);
    EXPECT(!ox_add(nosy_world, nosy_entity, Health, {1}));
    EXPECT_HAS(reports.text, "the drop call of shared component 'Nosy'");
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_IN_CALL);
    ox_world_destroy(nosy_world);
    EXPECT_REPORT(&reports, OX_REPORT_WORLD_IN_CALL);
}

TEST_CHECKED(shared_values, a_drop_call_that_uses_the_world_is_told_and_changes_nothing) {
    EXPECT(ox_shared_define(ox_component_id_of(Nosy), &(ox_shared_def){.drop = use_the_world}));
    dropped = 0;
    nosy_world = make_world(&reports);
    nosy_entity = ox_entity_create(nosy_world, OX_VALUE(Nosy, {1}));

    EXPECT(ox_set(nosy_world, nosy_entity, Nosy, {2}));
    EXPECT_EQ(dropped, 1);
    EXPECT(ox_world_validate(nosy_world));
    EXPECT(ox_remove(nosy_world, nosy_entity, Nosy));
    EXPECT_EQ(dropped, 2);
    EXPECT(!ox_has(nosy_world, nosy_entity, Health));
    EXPECT_EQ(ox_world_get_usage(nosy_world).entity_count, 1);
    EXPECT(ox_entity_create(nosy_world).version != 0);
    end_world(nosy_world, &reports);
}
