// SPDX-License-Identifier: MIT
//
// Multimaps that are built anew by jobs: the values of a key lie side by side, and everything else
// is as in any other multimap.

#include "test.h"

#include "base/random.h"
#include "containers/multimap.h"
#include "jobs/jobs_test.h"
#include "oxbow/containers.h"

#include <stdlib.h>

enum { KEYS = 1500, MOST_VALUES = 40, ITEMS = 9000 };

/// Values by key, the naive way.
typedef struct pair_model {
    int counts[KEYS];
    int values[KEYS][MOST_VALUES];
} pair_model;

static pair_model model;

static uint32_t key_of_index(int index, uint32_t salt) {
    uint64_t mixed = ((uint64_t)(uint32_t)index + salt) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(mixed >> 40) % KEYS;
}

OX_PARALLEL_JOB(WriteIndex, {
    ox_multimap_writer out;
    uint32_t salt;
}) {
    ox_multimap_write(OX_AS(job->out, uint32_t, int), key_of_index(i, job->salt), i);
}

static void add_to_model(uint32_t key, int value) {
    EXPECT(model.counts[key] < MOST_VALUES);
    model.values[key][model.counts[key]++] = value;
}

static void remove_from_model(uint32_t key, int place) {
    int *values = model.values[key];
    memmove(values + place, values + place + 1,
            (size_t)(--model.counts[key] - place) * sizeof *values);
}

static void write_indices(ox_multimap map, int count, uint32_t salt) {
    ox_multimap_writer out = ox_multimap_writer_of(map);
    ox_job job = ox_schedule_for(WriteIndex, count, 64, OX_NO_JOB, {.out = out, .salt = salt});
    ox_complete(ox_multimap_merge_after(map, job));
    for (int k = 0; k < count; k++) {
        add_to_model(key_of_index(k, salt), k);
    }
}

static void expect_model(ox_multimap map) {
    int total = 0;
    for (uint32_t key = 0; key < KEYS; key++) {
        int count = 0;
        OX_EACH_OF(OX_AS(map, uint32_t, int), key, it) {
            EXPECT(count < model.counts[key] && *it.value == model.values[key][count]);
            count++;
        }
        EXPECT_EQ(count, model.counts[key]);
        EXPECT_EQ(ox_multimap_count_values(OX_AS(map, uint32_t, int), key), count);
        total += count;
    }
    EXPECT_EQ(ox_multimap_count(map), total);
}

TEST(multimap_settle, values_of_a_key_lie_side_by_side_in_one_that_was_empty) {
    ox_multimap map = ox_multimap_create_untyped(uint32_t, int, 0, OX_PERSISTENT);
    memset(&model, 0, sizeof model);
    write_indices(map, ITEMS, 1);

    for (uint32_t key = 0; key < KEYS; key++) {
        const char *last = NULL;
        OX_EACH_OF(OX_AS(map, uint32_t, int), key, it) {
            const char *here = (const char *)it.value;
            EXPECT(last == NULL || here == last + map.state->entry_stride);
            last = here;
        }
    }
    expect_model(map);
    ox_dispose(&map);
    ox_jobs_stop();
}

TEST(multimap_settle, one_that_has_values_gets_more_behind_them) {
    ox_multimap map = ox_multimap_create_untyped(uint32_t, int, 0, OX_PERSISTENT);
    memset(&model, 0, sizeof model);
    write_indices(map, ITEMS, 1);
    write_indices(map, ITEMS / 2, 2);
    expect_model(map);
    ox_dispose(&map);
    ox_jobs_stop();
}

// Changes to what was laid: values go one by one, with their key, and others come.
static void change_at_random(ox_multimap map, oxi_random *random) {
    uint32_t key = (uint32_t)oxi_random_below(random, KEYS);
    int count = model.counts[key], value = -1 - (int)oxi_random_below(random, 1000);
    uint32_t what = (uint32_t)oxi_random_below(random, 8);
    if (what == 0) {
        EXPECT_EQ(ox_multimap_remove(OX_AS(map, uint32_t, int), key), count);
        model.counts[key] = 0;
    } else if (what < 4 && count > 0) {
        int place = (int)oxi_random_below(random, (uint32_t)count);
        ox_multimap_walk it;
        EXPECT(ox_multimap_walk_next(
            (*(&it) = ox_multimap_walk_begin(OX_AS(map, uint32_t, int), key), &it)));
        for (int k = 0; k < place; k++) {
            EXPECT(ox_multimap_walk_next(&it));
        }
        EXPECT(ox_multimap_walk_remove(map, &it));
        remove_from_model(key, place);
    } else if (count < MOST_VALUES) {
        EXPECT(ox_multimap_add(OX_AS(map, uint32_t, int), key, value));
        add_to_model(key, value);
    }
}

TEST(multimap_settle, what_was_laid_is_changed_and_built_anew) {
    ox_multimap map = ox_multimap_create_untyped(uint32_t, int, 0, OX_PERSISTENT);
    oxi_random random = oxi_random_seed(test_seed(7));
    for (uint32_t round = 0; round < 6; round++) {
        memset(&model, 0, sizeof model);
        EXPECT(ox_multimap_clear(map));
        write_indices(map, round % 2 == 0 ? ITEMS : ITEMS / 3, round);
        for (int k = 0; k < 4000; k++) {
            change_at_random(map, &random);
        }
        expect_model(map);
        write_indices(map, ITEMS / 3, round + 100);
        expect_model(map);
    }
    ox_dispose(&map);
    ox_jobs_stop();
}

// What a leak would be, the end of the tests tells.
TEST(multimap_settle, one_is_built_anew_with_more_values_each_time) {
    ox_multimap map = ox_multimap_create_untyped(uint32_t, int, 0, OX_PERSISTENT);
    for (uint32_t round = 1; round <= 2; round++) {
        memset(&model, 0, sizeof model);
        EXPECT(ox_multimap_clear(map));
        write_indices(map, (int)(ITEMS * round), round);
        expect_model(map);
    }
    ox_dispose(&map);
    ox_jobs_stop();
}

TEST(multimap_settle, little_may_be_reserved_in_one_that_was_large) {
    ox_multimap map = ox_multimap_create_untyped(uint32_t, int, 0, OX_PERSISTENT);
    memset(&model, 0, sizeof model);
    write_indices(map, ITEMS, 1);
    EXPECT(map.state->head.region_mask != 0);
    EXPECT(ox_multimap_clear(map));

    EXPECT(ox_multimap_reserve(map, 10));

    EXPECT_EQ(ox_multimap_count(map), 0);
    ox_dispose(&map);
    ox_jobs_stop();
}

// Keys that were chosen to meet in few groups make a table take other numbers for its hashes: what
// finds keys must follow.
TEST(multimap_settle, keys_are_found_in_tables_that_took_other_numbers) {
    enum { COUNT = 3000 };
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, COUNT * 2, OX_PERSISTENT);
    const oxi_table *table = &map.state->one;
    uint64_t *keys = malloc(COUNT * sizeof *keys), key = 0;
    for (int k = 0; k < COUNT; k++) {
        do {
            key++;
        } while (table->seed_number == 0 &&
                 oxi_table_hash(table, &key, sizeof key) >> table->shift > table->mask / 64);
        keys[k] = key;
        EXPECT(ox_multimap_add(OX_AS(map, uint64_t, int), key, k));
    }
    EXPECT(table->seed_number > 0);

    for (int k = 0; k < COUNT; k++) {
        ox_multimap_walk it;
        EXPECT(ox_multimap_walk_next(
            (*(&it) = ox_multimap_walk_begin(OX_AS(map, uint64_t, int), keys[k]), &it)));
        EXPECT_EQ(*(const int *)it.value, k);
    }
    free(keys);
    ox_dispose(&map);
}
