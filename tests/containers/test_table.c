// SPDX-License-Identifier: MIT
//
// The table under maps: groups, hashes, growth, and keys that were chosen to collide.

#include "test.h"

#include "base/random.h"
#include "base/substitute.h"
#include "containers/table.h"

#include <stdlib.h>

static const oxi_table_rules number_rules = {
    .shape = {8, 8, 8, 16, OXI_TABLE_GROUP}, .allocator = OX_PERSISTENT, .functions = NULL};

static oxi_table make_numbers(uint32_t capacity) {
    oxi_table table;
    EXPECT(oxi_table_create(&table, &number_rules, capacity, OX_HERE));
    return table;
}

static bool add_number(oxi_table *table, uint64_t key) {
    bool is_new;
    EXPECT(oxi_table_open_key(table, &number_rules, &key, &is_new, OX_HERE) != NULL);
    return is_new;
}

static bool has_number(const oxi_table *table, uint64_t key) {
    return oxi_table_find_key(table, &number_rules, &key) != NULL;
}

TEST(table, both_ways_to_read_control_bytes_agree) {
    oxi_random random = oxi_random_seed(test_seed(7));
    static const unsigned char bytes[] = {OXI_TABLE_EMPTY, OXI_TABLE_DELETED, 0, 1, 0x7f, 0x40};
    for (uint64_t run = 0; run < test_scaled(20000); run++) {
        _Alignas(16) unsigned char control[OXI_TABLE_GROUP];
        for (int k = 0; k < OXI_TABLE_GROUP; k++) {
            control[k] = bytes[oxi_random_below(&random, sizeof bytes)];
        }
        for (size_t k = 0; k < sizeof bytes; k++) {
            uint32_t mask = 0;
            for (uint32_t slot = 0; slot < OXI_TABLE_GROUP; slot++) {
                mask |= (uint32_t)(control[slot] == bytes[k]) << slot;
            }
            EXPECT_EQ(oxi_group_match(control, bytes[k]), mask);
            EXPECT_EQ(oxi_group_match_portable(control, bytes[k]), mask);
        }
        EXPECT_EQ(oxi_group_free(control), oxi_group_free_portable(control));
    }
}

TEST(table, the_preferred_slot_is_the_first_free_one_from_there_on) {
    for (uint32_t mask = 1; mask < 0x10000; mask += 7) {
        for (uint64_t first = 0; first < 16; first++) {
            uint32_t expected = (uint32_t)first;
            while ((mask >> expected & 1) == 0) {
                expected = (expected + 1) % 16;
            }
            EXPECT_EQ(oxi_group_prefer(mask, first << 7), expected);
        }
    }
}

TEST(table, a_shape_is_that_of_a_struct) {
    struct pair {
        uint8_t key;
        double value;
    };
    oxi_slot_shape shape = oxi_slot_shape_of(uint8_t, double);
    EXPECT_EQ(shape.value_offset, offsetof(struct pair, value));
    EXPECT_EQ(shape.slot_size, sizeof(struct pair));
    EXPECT_EQ(shape.slots_offset, OXI_TABLE_GROUP);
    EXPECT_EQ(oxi_slot_shape_of(uint32_t, uint8_t).slot_size, 8);
}

TEST(table, hashes_do_not_depend_on_the_machine) {
    oxi_table table = {.seed = OXI_TABLE_SEED, .multiplier = OXI_TABLE_MULTIPLIER};
    const unsigned char bytes[40] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const struct {
        size_t size;
        uint64_t hash;
    } known[] = {{1, 0x0db058925b154bd0u},  {3, 0x998722b6355691d1u},  {4, 0xa79a14512478331bu},
                 {7, 0x5cad2d0ebb65610du},  {8, 0xb94807265913e81eu},  {12, 0x11da4c11e2895c84u},
                 {16, 0xd729872b52c1a5ddu}, {24, 0x7868bebc146d7ed2u}, {40, 0x78fc8a0c4e7afe38u}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        EXPECT_EQ(oxi_table_hash(&table, bytes, known[k].size), known[k].hash);
    }
}

TEST(table, every_bit_of_a_key_matters) {
    oxi_table table = {.seed = OXI_TABLE_SEED, .multiplier = OXI_TABLE_MULTIPLIER};
    for (size_t size = 1; size <= 64; size++) {
        unsigned char bytes[64] = {0};
        uint64_t zero = oxi_table_hash(&table, bytes, size);
        for (size_t bit = 0; bit < size * 8; bit++) {
            bytes[bit / 8] = (unsigned char)(1u << bit % 8);
            EXPECT_NE(oxi_table_hash(&table, bytes, size), zero);
            bytes[bit / 8] = 0;
        }
    }
}

TEST(table, keys_in_a_row_are_spread_over_groups) {
    oxi_table table = make_numbers(0);
    for (uint64_t step = 1; step != 0; step <<= 7) {
        oxi_table_clear(&table);
        for (uint64_t k = 0; k < 20000; k++) {
            EXPECT(add_number(&table, k * step) || step > (UINT64_MAX >> 15));
        }
        EXPECT_EQ(table.seed_number, 0);
    }
    oxi_table_destroy(&table, &number_rules, OX_HERE);
}

TEST(table, it_grows_and_keeps_its_keys) {
    oxi_table table = make_numbers(0);
    for (uint64_t k = 0; k < 5000; k++) {
        EXPECT(add_number(&table, k * k));
        EXPECT(!add_number(&table, k * k));
    }
    EXPECT_EQ(table.count, 5000);
    for (uint64_t k = 0; k < 5000; k++) {
        EXPECT(has_number(&table, k * k));
    }
    EXPECT(!has_number(&table, 3));
    oxi_table_validate(&table, &number_rules);
    oxi_table_destroy(&table, &number_rules, OX_HERE);
}

TEST(table, reserved_room_is_filled_without_growing) {
    oxi_table table = make_numbers(1000);
    unsigned char *groups = table.groups;
    for (uint64_t k = 0; k < 1000; k++) {
        EXPECT(add_number(&table, k));
    }
    EXPECT_EQ(table.groups, groups);
    EXPECT_EQ(table.capacity, 1000);
    EXPECT_EQ(table.room, 0);
    EXPECT(add_number(&table, 1000));
    EXPECT(table.capacity > 1000);
    oxi_table_destroy(&table, &number_rules, OX_HERE);
}

TEST(table, churn_at_one_size_does_not_grow_it) {
    oxi_table table = make_numbers(0);
    for (uint64_t k = 0; k < 1000; k++) {
        add_number(&table, k);
    }
    uint32_t mask = table.mask;
    for (uint64_t k = 1000; k < 100000; k++) {
        uint64_t old = k - 1000;
        EXPECT(oxi_table_remove_key(&table, &number_rules, &old));
        EXPECT(add_number(&table, k));
    }
    EXPECT_EQ(table.count, 1000);
    EXPECT_EQ(table.mask, mask);
    oxi_table_validate(&table, &number_rules);
    oxi_table_destroy(&table, &number_rules, OX_HERE);
}

// Keys of a table of the first numbers that all begin in the same group.
static uint64_t find_colliding(uint64_t from, uint32_t bits) {
    oxi_table table = {.seed = OXI_TABLE_SEED, .multiplier = OXI_TABLE_MULTIPLIER};
    while (oxi_table_hash(&table, &from, 8) >> (64 - bits) != 0) {
        from++;
    }
    return from;
}

static uint64_t count_all_groups(const oxi_table *table, const uint64_t *keys, int count) {
    uint64_t groups = 0;
    for (int k = 0; k < count; k++) {
        groups += oxi_table_count_groups(table, &number_rules, &keys[k]);
    }
    return groups;
}

TEST(table, keys_chosen_to_collide_are_spread_by_other_numbers) {
    enum { COUNT = 20000, BITS = 8 };
    uint64_t *keys = malloc(COUNT * sizeof *keys);
    uint64_t key = 0;
    oxi_table table = make_numbers(0);
    for (int k = 0; k < COUNT; k++) {
        key = find_colliding(key + 1, BITS);
        keys[k] = key;
        EXPECT(add_number(&table, key));
    }
    EXPECT(table.seed_number > 0);
    EXPECT(table.seed_number < 4);
    EXPECT(count_all_groups(&table, keys, COUNT) < COUNT * 3 / 2);
    oxi_table_destroy(&table, &number_rules, OX_HERE);
    free(keys);
}

// A table of many keys may have more long walks, yet not without end.
TEST(table, of_many_keys_takes_other_numbers_after_more_long_walks) {
    enum { ROOM = 20000, COUNT = 8000, BITS = 10 };
    oxi_table table = make_numbers(ROOM);
    for (uint64_t k = 0; k < COUNT; k++) {
        EXPECT(add_number(&table, k << 32 | 1));
    }
    EXPECT_EQ(table.seed_number, 0);
    uint32_t mask = table.mask, walks = 0, count = 0;
    uint64_t key = 0;

    for (int k = 0; k < ROOM - COUNT && table.seed_number == 0; k++) {
        walks = table.long_walks;
        count = table.count;
        key = find_colliding(key + 1, BITS);
        EXPECT(add_number(&table, key));
    }

    EXPECT_EQ(table.mask, mask);
    EXPECT_EQ(table.seed_number, 1);
    EXPECT_EQ(walks, OXI_TABLE_ALLOWED_WALKS + count / 64);
    oxi_table_destroy(&table, &number_rules, OX_HERE);
}

TEST(table, that_was_full_once_does_not_grow_while_keys_come_and_go) {
    enum { COUNT = 10000 };
    oxi_table table = make_numbers(COUNT);
    uint32_t mask = table.mask;
    uint64_t first = 0, next = 0;
    while (table.room > 0 || table.capacity == COUNT) { // first the budget, then all groups
        EXPECT(add_number(&table, next++));
    }
    EXPECT_EQ(table.mask, mask);
    for (uint64_t full = next; first < full / 3; first++) {
        EXPECT(oxi_table_remove_key(&table, &number_rules, &first));
    }
    uint32_t count = table.count;

    for (int k = 0; k < COUNT * 10; k++) {
        EXPECT(add_number(&table, next++));
        EXPECT(oxi_table_remove_key(&table, &number_rules, &first));
        first++;
    }

    EXPECT_EQ(table.mask, mask);
    EXPECT_EQ(table.count, count);
    oxi_table_validate(&table, &number_rules);
    oxi_table_destroy(&table, &number_rules, OX_HERE);
}

TEST(table, for_more_keys_than_there_can_be_is_refused) {
    collected_reports reports = {0};
    oxi_table table;
    collect_reports(&reports);

    EXPECT(!oxi_table_create(&table, &number_rules, UINT32_MAX, OX_HERE));

    EXPECT_EQ(reports.count, 1);
    EXPECT(table.groups == NULL);
}

TEST(table, long_walks_of_before_it_grew_count_no_more) {
    oxi_table table = make_numbers(0);
    table.long_walks = OXI_TABLE_ALLOWED_WALKS; // one more, and it takes other numbers
    uint32_t mask = table.mask;

    for (uint64_t k = 0; table.mask == mask; k++) {
        EXPECT(add_number(&table, k));
    }

    EXPECT_EQ(table.long_walks, 0);
    EXPECT_EQ(table.seed_number, 0);
    oxi_table_destroy(&table, &number_rules, OX_HERE);
}

TEST(table, long_walks_of_before_it_was_cleared_count_no_more) {
    oxi_table table = make_numbers(0);
    table.long_walks = OXI_TABLE_ALLOWED_WALKS;

    oxi_table_clear(&table);

    EXPECT_EQ(table.long_walks, 0);
    oxi_table_destroy(&table, &number_rules, OX_HERE);
}

// Fills whole groups, but never so that a walk is long: what an opponent is left with.
TEST(table, full_clusters_make_searches_three_groups_long_at_most) {
    enum { COUNT = 20000 };
    uint64_t *keys = malloc(COUNT * sizeof *keys);
    oxi_table table = make_numbers(COUNT);
    uint64_t key = 0;
    uint8_t *filled = calloc(table.mask + 1, 1);
    for (int k = 0; k < COUNT;) {
        key++;
        size_t home = oxi_table_hash(&table, &key, 8) >> table.shift;
        if (home % 8 == 0 && filled[home] < 48) {
            filled[home]++;
            keys[k++] = key;
            add_number(&table, key);
        }
        if (key > 400 * COUNT) {
            break;
        }
    }
    EXPECT(count_all_groups(&table, keys, (int)table.count) < (uint64_t)table.count * 3);
    oxi_table_destroy(&table, &number_rules, OX_HERE);
    free(filled);
    free(keys);
}

static uint64_t hash_to_one(const void *key, void *context) {
    (void)key;
    (void)context;
    return 1;
}

static bool equal_numbers(const void *a, const void *b, void *context) {
    (void)context;
    return memcmp(a, b, 8) == 0;
}

TEST(table, a_constant_hash_is_slow_and_right) {
    oxi_table_functions functions = {hash_to_one, equal_numbers, NULL};
    oxi_table_rules rules = number_rules;
    rules.functions = &functions;
    oxi_table table;
    EXPECT(oxi_table_create(&table, &rules, 0, OX_HERE));
    for (uint64_t k = 0; k < 2000; k++) {
        bool is_new;
        EXPECT(oxi_table_open_key(&table, &rules, &k, &is_new, OX_HERE) != NULL);
        EXPECT(is_new);
    }
    EXPECT_EQ(table.seed_number, OXI_TABLE_SEEDS - 1);
    for (uint64_t k = 0; k < 2001; k++) {
        EXPECT_EQ(oxi_table_find_key(&table, &rules, &k) != NULL, k < 2000);
    }
    oxi_table_destroy(&table, &rules, OX_HERE);
}

TEST(table, the_same_calls_give_the_same_order_of_slots) {
    oxi_table tables[2] = {make_numbers(0), make_numbers(0)};
    for (uint64_t k = 0; k < 3000; k++) {
        add_number(&tables[0], k * 77);
        add_number(&tables[1], k * 77);
    }
    uint64_t places[2] = {0, 0};
    for (int k = 0; k < 3000; k++) {
        unsigned char *a = oxi_table_next_slot(&tables[0], &number_rules, &places[0]);
        unsigned char *b = oxi_table_next_slot(&tables[1], &number_rules, &places[1]);
        EXPECT(a != NULL && b != NULL);
        EXPECT_EQ(memcmp(a, b, 8), 0);
    }
    EXPECT_EQ(oxi_table_next_slot(&tables[0], &number_rules, &places[0]), NULL);
    oxi_table_destroy(&tables[0], &number_rules, OX_HERE);
    oxi_table_destroy(&tables[1], &number_rules, OX_HERE);
}

TEST(table, reserving_makes_room_once) {
    oxi_table table = make_numbers(10);
    for (uint64_t k = 0; k < 10; k++) {
        add_number(&table, k);
    }
    EXPECT(oxi_table_reserve(&table, &number_rules, 5000, OX_HERE));
    EXPECT_EQ(table.capacity, 5000);
    EXPECT_EQ(table.room, 4990);
    EXPECT(oxi_table_reserve(&table, &number_rules, 20, OX_HERE));
    EXPECT_EQ(table.capacity, 5000);
    EXPECT_EQ(table.count, 10);
    EXPECT(has_number(&table, 9));
    oxi_table_destroy(&table, &number_rules, OX_HERE);
}

// The fault keeps a table that is larger than any from being made.
TEST(table, more_keys_than_fit_are_refused_before_memory_is_taken) {
    collected_reports reports = {0};
    oxi_table table;
    collect_reports(&reports);
    oxi_fault_plan(OXI_FAULT_FROM, 0);
    EXPECT(!oxi_table_create(&table, &number_rules, 2000000000, OX_HERE));
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    EXPECT_REPORT(&reports, OX_REPORT_BAD_LENGTH);
}

static void grow_table(void) {
    oxi_table table;
    if (!oxi_table_create(&table, &number_rules, 5, OX_HERE)) {
        EXPECT_EQ(table.groups, NULL);
        return;
    }
    uint32_t count = 0;
    for (uint64_t k = 0; k < 300; k++) {
        bool is_new;
        count += oxi_table_open_key(&table, &number_rules, &k, &is_new, OX_HERE) != NULL;
        EXPECT_EQ(table.count, count);
    }
    oxi_table_reserve(&table, &number_rules, 1000, OX_HERE);
    EXPECT_EQ(table.count, count);
    oxi_table_destroy(&table, &number_rules, OX_HERE);
}

TEST(table, every_allocation_may_fail) {
    test_fault_sweep("table", grow_table);
}

TEST(table, groups_of_a_search_are_counted_as_it_goes_through_them) {
    oxi_table_functions functions = {hash_to_one, equal_numbers, NULL};
    oxi_table_rules rules = number_rules;
    rules.functions = &functions;
    oxi_table table;
    EXPECT(oxi_table_create(&table, &rules, 100, OX_HERE));
    for (uint64_t k = 0; k < 5 * OXI_TABLE_GROUP; k++) {
        bool is_new;
        EXPECT(oxi_table_open_key(&table, &rules, &k, &is_new, OX_HERE) != NULL);
    }

    for (uint64_t k = 0; k < 5 * OXI_TABLE_GROUP; k++) {
        EXPECT_EQ(oxi_table_count_groups(&table, &rules, &k), k / OXI_TABLE_GROUP + 1);
    }
    oxi_table_destroy(&table, &rules, OX_HERE);
}
