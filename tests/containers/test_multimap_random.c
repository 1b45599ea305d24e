// SPDX-License-Identifier: MIT
//
// Random operations on multimaps, against a short list of values for each key.

#include "test.h"

#include "base/random.h"
#include "containers/multimap.h"
#include "oxbow/containers.h"

enum { MOST_KEYS = 400, MOST_VALUES = 24 };

typedef struct model_key {
    uint32_t values[MOST_VALUES];
    int count;
} model_key;

static model_key model[MOST_KEYS];

typedef struct multi_run {
    ox_multimap map;
    oxi_multimap_type_pair kinds;
    size_t key_size;
    uint32_t range;
    int32_t count;
    oxi_random random;
} multi_run;

static unsigned char multi_key[1000];

static const void *make_multi_key(uint32_t number, size_t size) {
    memset(multi_key, 3, size);
    memcpy(multi_key + size - (size < 2 ? size : 2), &number, size < 2 ? size : 2);
    return multi_key;
}

static void check_values(multi_run *run, uint32_t number) {
    const void *key = make_multi_key(number, run->key_size);
    const model_key *expected = &model[number];
    EXPECT_EQ(ox_multimap_count_values_at(run->map, key, run->kinds, OX_HERE), expected->count);
    ox_multimap_walk it = ox_multimap_walk_begin_at(run->map, key, run->kinds, OX_HERE);
    for (int k = 0; k < expected->count; k++) {
        EXPECT(ox_multimap_walk_next(&it));
        EXPECT_EQ(*(const uint32_t *)it.value, expected->values[k]);
    }
    EXPECT(!ox_multimap_walk_next(&it));
}

static void remove_from_model(multi_run *run, model_key *key, int index) {
    memmove(key->values + index, key->values + index + 1,
            (size_t)(key->count - index - 1) * sizeof key->values[0]);
    key->count--;
    run->count--;
}

static void remove_by_iterator(multi_run *run, const void *key, model_key *expected) {
    ox_multimap_walk it = ox_multimap_walk_begin_at(run->map, key, run->kinds, OX_HERE);
    for (int k = 0; ox_multimap_walk_next(&it);) {
        if (oxi_random_below(&run->random, 3) == 0) {
            EXPECT(ox_multimap_walk_remove(run->map, &it));
            remove_from_model(run, expected, k);
        } else {
            k++;
        }
    }
}

static void remove_equal(multi_run *run, const void *key, model_key *expected) {
    uint32_t value = (uint32_t)oxi_random_below(&run->random, 4);
    int32_t removed = 0;
    for (int k = 0; k < expected->count;) {
        if (expected->values[k] == value) {
            remove_from_model(run, expected, k);
            removed++;
        } else {
            k++;
        }
    }
    EXPECT_EQ(ox_multimap_remove_pair_at(run->map, key, run->kinds, &value, OX_HERE), removed);
}

static void change_values(multi_run *run, uint32_t number) {
    const void *key = make_multi_key(number, run->key_size);
    model_key *expected = &model[number];
    uint32_t value = (uint32_t)oxi_random_below(&run->random, 4);
    switch (oxi_random_below(&run->random, 10)) {
    case 0:
        EXPECT_EQ(ox_multimap_remove_at(run->map, key, run->kinds, OX_HERE), expected->count);
        run->count -= expected->count;
        expected->count = 0;
        return;
    case 1:
        remove_equal(run, key, expected);
        return;
    case 2:
        remove_by_iterator(run, key, expected);
        return;
    default:
        if (expected->count < MOST_VALUES) {
            EXPECT(ox_multimap_add_at(run->map, key, run->kinds, &value, OX_HERE));
            expected->values[expected->count++] = value;
            run->count++;
        }
        return;
    }
}

static void check_all_pairs(multi_run *run) {
    int32_t count = 0;
    ox_multimap_walk it = oxi_multimap_walk_at(run->map, run->kinds, OX_HERE);
    while (ox_multimap_walk_next_pair(&it)) {
        count++;
    }
    EXPECT_EQ(count, run->count);
    for (uint32_t k = 0; k < run->range; k++) {
        check_values(run, k);
    }
}

static void run_multi(size_t key_size, uint32_t range, const ox_map_def *def, uint64_t steps) {
    oxi_map_type_pair types = {.key = {"key", (ox_element)key_size, 1},
                               .value = ox_element_info_of(uint32_t)};
    multi_run run = {.map = ox_multimap_create_with_at(types, def, OX_HERE),
                     .kinds = {(ox_element)key_size, ox_element_of(uint32_t)},
                     .key_size = key_size,
                     .range = range,
                     .random = oxi_random_seed(test_seed(key_size))};
    memset(model, 0, sizeof model);
    for (uint64_t step = 0; step < steps; step++) {
        uint32_t number = (uint32_t)oxi_random_below(&run.random, range);
        change_values(&run, number);
        check_values(&run, number);
        EXPECT_EQ(ox_multimap_count(run.map), run.count);
        if (oxi_random_below(&run.random, 5000) == 0) {
            check_all_pairs(&run);
        }
        if (oxi_random_below(&run.random, 20000) == 0) {
            EXPECT(ox_multimap_clear(run.map));
            memset(model, 0, sizeof model);
            run.count = 0;
        }
    }
    check_all_pairs(&run);
    ox_dispose(&run.map);
}

#define MULTI_TEST(size, range)                                                                    \
    TEST(multimap_random, keys_of_##size##_bytes_agree_with_the_model) {                           \
        run_multi(size, range, NULL, test_scaled(180000));                                         \
    }

MULTI_TEST(1, 200)
MULTI_TEST(3, 20)
MULTI_TEST(4, 400)
MULTI_TEST(7, 50)
MULTI_TEST(8, 400)
MULTI_TEST(12, 100)
MULTI_TEST(24, 300)
MULTI_TEST(1000, 100)

static uint64_t hash_nothing(const void *key, void *context) {
    (void)key;
    (void)context;
    return 0;
}

static bool equal_all_bytes(const void *a, const void *b, void *context) {
    return memcmp(a, b, *(const size_t *)context) == 0;
}

TEST(multimap_random, a_constant_hash_agrees_with_the_model) {
    size_t size = 8;
    ox_map_def def = {.hash = hash_nothing, .equal = equal_all_bytes, .context = &size};
    run_multi(size, 300, &def, test_scaled(60000));
}
