// SPDX-License-Identifier: MIT
//
// Random operations on maps, against a table of what each key should have.
//
// Keys are made of small numbers, so that adding, removing and adding again meet often; the model
// is an array by that number.

#include "test.h"

#include "base/random.h"
#include "containers/map.h"
#include "oxbow/containers.h"

enum { MOST_KEYS = 3000 };

typedef struct model {
    bool is_there[MOST_KEYS];
    uint32_t values[MOST_KEYS];
    int32_t count;
} model;

static model expected;
static unsigned char key_bytes[1000];

// The bytes of a key: different numbers differ in some byte, near the end of long ones too.
static const void *make_key(uint32_t number, size_t size) {
    memset(key_bytes, (int)(size % 7), size);
    size_t width = size < 4 ? size : 4;
    memcpy(key_bytes, &number, width);
    if (size >= 12) {
        memcpy(key_bytes + size - 4, &number, 4);
        memset(key_bytes, 9, 4);
    }
    return key_bytes;
}

typedef struct random_run {
    ox_map map;
    oxi_slot_shape shape;
    size_t key_size;
    uint32_t range; // of keys
    oxi_random random;
} random_run;

static void check_find(random_run *run, uint32_t number, const void *key) {
    const uint32_t *value = ox_map_find_at(run->map, key, run->shape, OX_HERE);
    EXPECT_EQ(value != NULL, expected.is_there[number]);
    if (value != NULL) {
        EXPECT_EQ(*value, expected.values[number]);
    }
}

static void expect_put(uint32_t number, uint32_t value) {
    expected.count += !expected.is_there[number];
    expected.is_there[number] = true;
    expected.values[number] = value;
}

static void change_once(random_run *run, uint32_t number, const void *key) {
    uint32_t value = (uint32_t)oxi_random_next_u64(&run->random);
    uint32_t *place;
    switch (oxi_random_below(&run->random, 5)) {
    case 0:
        EXPECT_EQ(ox_map_add_at(run->map, key, run->shape, &value, OX_HERE),
                  !expected.is_there[number]);
        if (!expected.is_there[number]) {
            expect_put(number, value);
        }
        return;
    case 1:
        EXPECT(ox_map_set_at(run->map, key, run->shape, &value, OX_HERE));
        expect_put(number, value);
        return;
    case 2:
        place = ox_map_edit_at(run->map, key, run->shape, OX_HERE);
        if (place != NULL) {
            *place = value;
            expect_put(number, value);
        }
        return;
    default:
        EXPECT_EQ(ox_map_remove_at(run->map, key, run->shape, OX_HERE), expected.is_there[number]);
        expected.count -= expected.is_there[number];
        expected.is_there[number] = false;
        return;
    }
}

static void check_walk(random_run *run) {
    int32_t count = 0;
    ox_map_walk walk = ox_map_walk_begin(run->map);
    while (ox_map_walk_next(&walk)) {
        count++;
    }
    EXPECT_EQ(count, expected.count);
    for (uint32_t k = 0; k < run->range; k++) {
        check_find(run, k, make_key(k, run->key_size));
    }
    oxi_table_validate(run->map.table, &oxi_map_state_of(run->map.table)->rules);
}

static void change_all(random_run *run) {
    switch (oxi_random_below(&run->random, 3)) {
    case 0:
        EXPECT(ox_map_clear(run->map));
        memset(&expected, 0, sizeof expected);
        return;
    case 1:
        EXPECT(ox_map_reserve(run->map, expected.count + 100));
        return;
    default:
        check_walk(run);
        return;
    }
}

static void run_random(random_run *run, uint64_t steps) {
    memset(&expected, 0, sizeof expected);
    EXPECT(ox_map_is_created(run->map));
    for (uint64_t step = 0; step < steps; step++) {
        // Mostly near the lower keys, so that some are used much and others rarely.
        uint32_t limit = oxi_random_below(&run->random, 2) == 0 ? run->range / 4 + 1 : run->range;
        uint32_t number = (uint32_t)oxi_random_below(&run->random, limit);
        const void *key = make_key(number, run->key_size);
        check_find(run, number, key);
        change_once(run, number, key);
        check_find(run, number, key);
        if (oxi_random_below(&run->random, 20000) == 0) {
            change_all(run);
        }
        EXPECT_EQ(run->map.table->count, expected.count);
    }
    check_walk(run);
    ox_dispose(&run->map);
}

static ox_map make_map_for(size_t key_size, const ox_map_def *def) {
    oxi_map_type_pair types = {.key = {"key", (ox_element)key_size, 1},
                               .value = ox_element_info_of(uint32_t)};
    return ox_map_create_with_at(types, def, OX_HERE);
}

static void run_size(size_t key_size, uint32_t range, const ox_map_def *def, uint64_t steps) {
    random_run run = {.map = make_map_for(key_size, def),
                      .shape = oxi_table_shape((ox_element)key_size, 1, ox_element_of(uint32_t), 4),
                      .key_size = key_size,
                      .range = range,
                      .random = oxi_random_seed(test_seed(key_size))};
    run_random(&run, steps);
}

#define RANDOM_TEST(size, range)                                                                   \
    TEST(map_random, keys_of_##size##_bytes_agree_with_the_model) {                                \
        run_size(size, range, NULL, test_scaled(100000));                                          \
    }

RANDOM_TEST(1, 256)
RANDOM_TEST(3, 2000)
RANDOM_TEST(4, 40)
RANDOM_TEST(7, 600)
RANDOM_TEST(8, 3000)
RANDOM_TEST(12, 1000)
RANDOM_TEST(16, 500)
RANDOM_TEST(24, 100)
RANDOM_TEST(1000, 300)

static uint64_t hash_constant(const void *key, void *context) {
    (void)key;
    (void)context;
    return 42;
}

static uint64_t hash_poorly(const void *key, void *context) {
    (void)context;
    return ((const unsigned char *)key)[0] & 3;
}

static bool equal_bytes(const void *a, const void *b, void *context) {
    return memcmp(a, b, *(const size_t *)context) == 0;
}

TEST(map_random, a_constant_hash_agrees_with_the_model) {
    size_t size = 8;
    ox_map_def def = {.hash = hash_constant, .equal = equal_bytes, .context = &size};
    run_size(size, 300, &def, test_scaled(60000));
}

TEST(map_random, a_poor_hash_agrees_with_the_model) {
    size_t size = 4;
    ox_map_def def = {.hash = hash_poorly, .equal = equal_bytes, .context = &size};
    run_size(size, 500, &def, test_scaled(60000));
}

// The macros, with sizes that the compiler knows.
TEST(map_random, numbers_agree_with_the_model) {
    oxi_random random = oxi_random_seed(test_seed(99));
    ox_map map = ox_map_create_untyped(uint64_t, uint32_t, 0, OX_PERSISTENT);
    memset(&expected, 0, sizeof expected);
    for (uint64_t step = 0; step < test_scaled(2000000); step++) {
        uint32_t number = (uint32_t)oxi_random_below(&random, MOST_KEYS);
        uint64_t key = number * UINT64_C(0x100000001);
        bool was_there = expected.is_there[number];
        if (oxi_random_bool(&random)) {
            EXPECT_EQ(ox_map_add(OX_AS(map, uint64_t, uint32_t), key, (uint32_t)step), !was_there);
            if (!was_there) {
                expect_put(number, (uint32_t)step);
            }
        } else {
            EXPECT_EQ(ox_map_remove(OX_AS(map, uint64_t, uint32_t), key), was_there);
            expected.count -= was_there;
            expected.is_there[number] = false;
        }
        EXPECT_EQ(ox_map_has(OX_AS(map, uint64_t, uint32_t), key), expected.is_there[number]);
    }
    uint64_t sum = 0, expected_sum = 0;
    OX_EACH(OX_AS(map, uint64_t, uint32_t), it) {
        sum += *it.value;
    }
    for (uint32_t k = 0; k < MOST_KEYS; k++) {
        expected_sum += expected.is_there[k] ? expected.values[k] : 0;
    }
    EXPECT_EQ(sum, expected_sum);
    EXPECT_EQ(ox_map_count(map), expected.count);
    ox_dispose(&map);
}
