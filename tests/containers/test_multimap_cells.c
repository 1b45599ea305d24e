// SPDX-License-Identifier: MIT
//
// Multimaps whose keys are numbers close to each other: they stand in cells, and everything is as
// in any other multimap. The model is a row of pairs in the order in which they came.

#include "test.h"

#include "base/random.h"
#include "base/substitute.h"
#include "containers/multimap.h"
#include "jobs/jobs_test.h"
#include "oxbow/containers.h"

enum { MOST_PAIRS = 6000, ENOUGH = 600 };

typedef struct model_pair {
    int64_t key;
    int value;
} model_pair;

static model_pair pairs[MOST_PAIRS];
static int pair_count;

// What jobs write: pairs with keys from `base` on, and a stray for one in `strays`.
OX_STRUCT(cell_load, {
    int64_t base;
    uint32_t range;
    uint32_t salt;
    uint32_t strays;
});

static int64_t key_of_pair(cell_load load, int index) {
    uint64_t mixed = ((uint64_t)(uint32_t)index + load.salt) * 0x9e3779b97f4a7c15u;
    if (load.strays != 0 && (mixed >> 20) % load.strays == 0) {
        return (int64_t)(mixed >> 3);
    }
    return (int64_t)((uint64_t)load.base + (mixed >> 40) % load.range);
}

OX_PARALLEL_JOB(WriteCells, {
    ox_multimap_writer out;
    cell_load load;
}) {
    ox_multimap_write(OX_AS(job->out, int64_t, int), key_of_pair(job->load, i), i);
}

static void fill(ox_multimap map, int count, cell_load load) {
    ox_multimap_writer out = ox_multimap_writer_of(map);
    ox_job job = ox_schedule_for(WriteCells, count, 64, OX_NO_JOB, {.out = out, .load = load});
    ox_complete(ox_multimap_merge_after(map, job));
    for (int k = 0; k < count; k++) {
        pairs[pair_count++] = (model_pair){key_of_pair(load, k), k};
    }
}

static void clear_both(ox_multimap map) {
    EXPECT(ox_multimap_clear(map));
    pair_count = 0;
}

static void remove_from_row(int at) {
    memmove(pairs + at, pairs + at + 1, (size_t)(--pair_count - at) * sizeof *pairs);
}

static void expect_key(ox_multimap map, int64_t key) {
    ox_multimap_walk it = ox_multimap_walk_begin(OX_AS(map, int64_t, int), key);
    int count = 0;
    for (int k = 0; k < pair_count; k++) {
        if (pairs[k].key == key) {
            EXPECT(ox_multimap_walk_next(&it));
            EXPECT_EQ(*(const int *)it.value, pairs[k].value);
            EXPECT_EQ(*(const int64_t *)it.key, key);
            count++;
        }
    }
    EXPECT(!ox_multimap_walk_next(&it));
    EXPECT_EQ(ox_multimap_count_values(OX_AS(map, int64_t, int), key), count);
}

// Each key of a walk comes once, with its values.
static void expect_row(ox_multimap map) {
    int walked = 0, keys = 0;
    int64_t last = 0;
    uint64_t sum = 0;
    for (int k = 0; k < pair_count; k++) {
        sum += (uint64_t)pairs[k].key;
    }
    OX_EACH(OX_AS(map, int64_t, int), it) {
        sum -= (uint64_t)*it.key;
        if (walked++ == 0 || *it.key != last) {
            last = *it.key;
            keys++;
            expect_key(map, last);
        }
    }
    ox_array all = ox_multimap_keys(OX_AS(map, int64_t, char), OX_PERSISTENT);
    EXPECT_EQ(ox_array_count(all), keys);
    ox_dispose(&all);
    EXPECT_EQ(walked, pair_count);
    EXPECT_EQ(sum, 0);
    EXPECT_EQ(ox_multimap_count(map), pair_count);
}

static ox_multimap make_empty(int workers) {
    pair_count = 0;
    start_workers_of_test(workers);
    return ox_multimap_create_untyped(int64_t, int, 0, OX_PERSISTENT);
}

static void end(ox_multimap map) {
    ox_dispose(&map);
    ox_jobs_stop();
}

// A multimap in cells.
static ox_multimap make_in_cells(int workers, cell_load load) {
    ox_multimap map = make_empty(workers);
    fill(map, ENOUGH, load);
    clear_both(map);
    fill(map, ENOUGH, load);
    EXPECT(map.state->in_cells);
    return map;
}

static const cell_load plain_load = {.base = 1000, .range = 300, .salt = 1};

TEST(multimap_cells, keys_close_to_each_other_have_cells_from_the_second_time_on) {
    ox_multimap map = make_empty(1);
    fill(map, ENOUGH, plain_load);
    EXPECT(!map.state->in_cells);
    expect_row(map);
    clear_both(map);
    fill(map, ENOUGH, plain_load);
    EXPECT(map.state->in_cells);
    expect_row(map);
    expect_key(map, 999);
    expect_key(map, 0);
    expect_key(map, -1);
    expect_key(map, INT64_MIN);
    expect_key(map, INT64_MAX);
    end(map);
}

TEST(multimap_cells, keys_of_a_walk_are_in_order) {
    ox_multimap map = make_in_cells(0, plain_load);
    int64_t last = INT64_MIN;
    OX_EACH(OX_AS(map, int64_t, int), it) {
        EXPECT(*it.key >= last);
        last = *it.key;
    }
    end(map);
}

TEST(multimap_cells, keys_may_be_below_zero_and_at_both_ends_of_all_numbers) {
    int64_t bases[] = {-150, INT64_MIN, INT64_MAX - 299, 0, 5};
    for (size_t k = 0; k < sizeof bases / sizeof *bases; k++) {
        ox_multimap map = make_in_cells(0, (cell_load){.base = bases[k], .range = 300, .salt = 1});
        expect_row(map);
        expect_key(map, INT64_MIN);
        expect_key(map, INT64_MAX);
        end(map);
    }
}

TEST(multimap_cells, keys_may_come_down_to_zero) {
    ox_multimap map = make_in_cells(0, plain_load);
    const cell_load low_load = {.base = 0, .range = 300, .salt = 1};
    for (int round = 0; round < 2; round++) { // planned with the first, used with the second
        clear_both(map);
        fill(map, ENOUGH, low_load);
    }

    EXPECT(map.state->in_cells);
    EXPECT_EQ(map.state->head.cell_base, 0);
    expect_row(map);
    end(map);
}

OX_PARALLEL_JOB(WriteShort, {
    ox_multimap_writer out;
    uint32_t base;
}) {
    ox_multimap_write(OX_AS(job->out, uint32_t, int), job->base + (uint32_t)i % 300, i);
}

TEST(multimap_cells, short_keys_go_around_their_end) {
    uint32_t bases[] = {0, 7, UINT32_MAX - 100, INT32_MAX - 400};
    start_workers_of_test(0);
    for (size_t k = 0; k < sizeof bases / sizeof *bases; k++) {
        ox_multimap map = ox_multimap_create_untyped(uint32_t, int, 0, OX_PERSISTENT);
        for (int round = 0; round < 2; round++) {
            ox_multimap_clear(map);
            ox_run_for(WriteShort, ENOUGH, 64, {ox_multimap_writer_of(map), bases[k]});
            EXPECT_EQ(ox_multimap_count(map), ENOUGH);
            EXPECT_EQ(map.state->in_cells, round == 1);
        }
        for (uint32_t n = 0; n < 302; n++) {
            int found = 0;
            OX_EACH_OF(OX_AS(map, uint32_t, int), bases[k] - 1 + n, it) {
                EXPECT_EQ(*it.value, (int)n - 1 + 300 * found++);
            }
            EXPECT_EQ(found, n == 0 || n == 301 ? 0 : 2);
        }
        ox_dispose(&map);
    }
    ox_jobs_stop();
}

TEST(multimap_cells, keys_far_from_each_other_stay_in_tables) {
    ox_multimap map = make_empty(0);
    cell_load far = {.base = 0, .range = ENOUGH * 10, .salt = 3};
    for (int round = 0; round < 3; round++) {
        clear_both(map);
        fill(map, ENOUGH, far);
        EXPECT(!map.state->in_cells);
        EXPECT(!map.state->is_dealt);
        expect_row(map);
    }
    end(map);
}

TEST(multimap_cells, few_pairs_stay_in_tables) {
    ox_multimap map = make_empty(0);
    for (int round = 0; round < 3; round++) {
        clear_both(map);
        fill(map, 100, (cell_load){.base = 0, .range = 50});
        EXPECT(!map.state->in_cells);
    }
    expect_row(map);
    end(map);
}

TEST(multimap_cells, fewer_pairs_go_back_to_tables_and_more_return) {
    ox_multimap map = make_in_cells(0, plain_load);
    int counts[] = {20, 20, ENOUGH, ENOUGH};
    bool in_cells[] = {false, false, false, true};
    for (int k = 0; k < 4; k++) {
        clear_both(map);
        fill(map, counts[k], plain_load);
        EXPECT_EQ(map.state->in_cells, in_cells[k]);
        expect_row(map);
    }
    end(map);
}

static uint64_t hash_plainly(const void *key, void *context) {
    (void)context;
    return (uint64_t) * (const int64_t *)key;
}

static bool equal_plainly(const void *a, const void *b, void *context) {
    (void)context;
    return *(const int64_t *)a == *(const int64_t *)b;
}

TEST(multimap_cells, keys_with_functions_have_none) {
    pair_count = 0;
    start_workers_of_test(0);
    ox_multimap map = ox_multimap_create_with_untyped(
        int64_t, int, {.hash = hash_plainly, .equal = equal_plainly});
    for (int round = 0; round < 3; round++) {
        clear_both(map);
        fill(map, ENOUGH, plain_load);
        EXPECT(!map.state->in_cells);
    }
    expect_row(map);
    end(map);
}

// Strays.

TEST(multimap_cells, a_stray_that_main_adds_sends_all_to_the_tables) {
    ox_multimap map = make_in_cells(0, plain_load);
    EXPECT(ox_multimap_add(OX_AS(map, int64_t, int), 1000, -1));
    pairs[pair_count++] = (model_pair){1000, -1};
    EXPECT(map.state->in_cells);
    EXPECT(ox_multimap_add(OX_AS(map, int64_t, int), 1 << 20, -2));
    pairs[pair_count++] = (model_pair){1 << 20, -2};
    EXPECT(!map.state->in_cells);
    expect_row(map);
    end(map);
}

TEST(multimap_cells, a_stray_that_a_job_writes_sends_all_to_the_tables) {
    ox_multimap map = make_in_cells(1, plain_load);
    fill(map, ENOUGH, plain_load);
    EXPECT(map.state->in_cells);
    expect_row(map);
    fill(map, ENOUGH, (cell_load){.base = 1000, .range = 300, .salt = 5, .strays = 50});
    EXPECT(!map.state->in_cells);
    expect_row(map);
    clear_both(map);
    fill(map, MOST_PAIRS, (cell_load){.base = 1000, .range = 300, .salt = 6, .strays = 50});
    EXPECT(!map.state->in_cells && map.state->head.region_mask != 0);
    expect_row(map);
    end(map);
}

TEST(multimap_cells, there_are_more_cells_once_strays_were_seen) {
    ox_multimap map = make_in_cells(0, plain_load);
    cell_load wide = {.base = 900, .range = 700, .salt = 1};
    clear_both(map);
    fill(map, ENOUGH, wide);
    EXPECT(!map.state->in_cells);
    expect_row(map);
    clear_both(map);
    fill(map, ENOUGH, wide);
    EXPECT(map.state->in_cells);
    expect_row(map);
    end(map);
}

TEST(multimap_cells, what_was_prepared_and_not_settled_is_prepared_anew) {
    ox_multimap map = make_in_cells(0, plain_load);
    clear_both(map);
    ox_multimap_writer out = ox_multimap_writer_of(map);
    ox_run_for(WriteCells, ENOUGH, 64, {.out = out, .load = plain_load});
    EXPECT(oxi_multimap_prepare(map.state, OX_HERE));
    EXPECT(map.state->in_cells);
    cell_load odd = {.base = 1000, .range = 300, .salt = 9, .strays = 10};
    ox_run_for(WriteCells, ENOUGH, 64, {.out = out, .load = odd});
    for (int k = 0; k < 2 * ENOUGH; k++) {
        cell_load load = k < ENOUGH ? plain_load : odd;
        pairs[pair_count++] = (model_pair){key_of_pair(load, k % ENOUGH), k % ENOUGH};
    }
    expect_row(map);
    EXPECT(!map.state->in_cells);
    end(map);
}

// Changes.

static void remove_at_random(ox_multimap map, oxi_random *random) {
    int at = (int)oxi_random_below(random, (uint32_t)pair_count), removed = 0;
    model_pair pair = pairs[at];
    bool all_values = oxi_random_below(random, 2) == 0;
    for (int k = 0; k < pair_count;) {
        bool goes = pairs[k].key == pair.key && (all_values || pairs[k].value == pair.value);
        if (goes) {
            remove_from_row(k);
            removed++;
        }
        k += !goes;
    }
    EXPECT_EQ(all_values ? ox_multimap_remove(OX_AS(map, int64_t, int), pair.key)
                         : ox_multimap_remove_pair(OX_AS(map, int64_t, int), pair.key, pair.value),
              removed);
}

static void remove_with_iterator(ox_multimap map, oxi_random *random) {
    int at = (int)oxi_random_below(random, (uint32_t)pair_count);
    ox_multimap_walk it;
    EXPECT(ox_multimap_walk_next(
        (*(&it) = ox_multimap_walk_begin(OX_AS(map, int64_t, int), pairs[at].key), &it)));
    for (int k = 0; k < at; k++) {
        if (pairs[k].key == pairs[at].key) {
            EXPECT(ox_multimap_walk_next(&it));
        }
    }
    EXPECT_EQ(*ox_multimap_walk_get(&it, int), pairs[at].value);
    EXPECT(ox_multimap_walk_remove(map, &it));
    remove_from_row(at);
}

static void change(ox_multimap map, cell_load load, oxi_random *random) {
    uint32_t what = (uint32_t)oxi_random_below(random, 4);
    if (what == 0 && pair_count > 0) {
        remove_at_random(map, random);
    } else if (what == 1 && pair_count > 0) {
        remove_with_iterator(map, random);
    } else if (pair_count < MOST_PAIRS) {
        int index = (int)oxi_random_below(random, 100000);
        int64_t key = key_of_pair(load, index);
        EXPECT(ox_multimap_add(OX_AS(map, int64_t, int), key, index));
        pairs[pair_count++] = (model_pair){key, index};
    }
}

TEST(multimap_cells, a_walk_goes_on_when_it_removes) {
    ox_multimap map = make_in_cells(0, plain_load);
    OX_EACH(OX_AS(map, int64_t, int), it) {
        if (*it.value % 3 != 0) {
            EXPECT(ox_multimap_walk_remove(map, it.walk));
        }
    }
    for (int k = 0; k < pair_count;) {
        if (pairs[k].value % 3 != 0) {
            remove_from_row(k);
        } else {
            k++;
        }
    }
    EXPECT(map.state->in_cells);
    expect_row(map);
    end(map);
}

static cell_load load_at_random(oxi_random *random) {
    static const int64_t bases[] = {0, 3, -500, 1 << 30, INT64_MIN, INT64_MAX - 700};
    return (cell_load){.base = bases[oxi_random_below(random, 6)],
                       .range = 1 + (uint32_t)oxi_random_below(random, 700),
                       .salt = (uint32_t)oxi_random_below(random, 1000),
                       .strays = oxi_random_below(random, 4) == 0 ? 200 : 0};
}

static uint64_t hash_of_walk(ox_multimap map) {
    uint64_t hash = 0;
    OX_EACH(OX_AS(map, int64_t, int), it) {
        hash = hash * 31 + (uint64_t)*it.key * 1009 + (uint64_t)*it.value;
    }
    return hash;
}

// Rounds of clearing, filling by jobs, changing, filling once more. @return what walks told.
static uint64_t run_rounds(uint64_t seed, int workers, int *in_cells) {
    oxi_random random = oxi_random_seed(seed);
    ox_multimap map = make_empty(workers);
    cell_load load = load_at_random(&random);
    uint64_t hash = 0;
    for (int round = 0; round < 12; round++) {
        bool is_other = oxi_random_below(&random, 4) == 0;
        load = is_other ? load_at_random(&random) : load;
        clear_both(map);
        fill(map, (int)oxi_random_below(&random, round % 4 == 3 ? 5000 : 800), load);
        *in_cells += map.state->in_cells;
        for (uint64_t k = oxi_random_below(&random, 40); k > 0; k--) {
            change(map, load, &random);
        }
        hash = hash * 31 + hash_of_walk(map);
        if (oxi_random_below(&random, 2) == 0) {
            fill(map, (int)oxi_random_below(&random, 400), load);
        }
        expect_row(map);
    }
    end(map);
    return hash;
}

TEST(multimap_cells, random_rounds_agree_with_the_model_for_any_number_of_workers) {
    int in_cells = 0;
    uint64_t seeds = test_scaled(SLOWNESS > 1 ? 4 : 60);
    for (uint64_t k = 0; k < seeds; k++) {
        uint64_t hash = run_rounds(test_seed(k), 0, &in_cells);
        EXPECT_EQ(run_rounds(test_seed(k), 2, &in_cells), hash);
    }
    EXPECT(in_cells > (int)seeds); // else this shows little
}

TEST(multimap_cells, none_are_planned_that_would_not_be_used) {
    ox_multimap map = make_empty(0);
    // With what is added on both sides there are more cells than so few pairs are worth.
    for (int round = 0; round < 4; round++) {
        clear_both(map);
        EXPECT(!map.state->is_dealt);
        fill(map, 1000, (cell_load){.base = 100000, .range = 3500, .salt = 1});
        EXPECT(!map.state->in_cells);
    }
    expect_row(map);
    end(map);
}

OX_PARALLEL_JOB(ReadCells, {
    OX_READ_ONLY ox_multimap map;
    OX_UNRESTRICTED ox_array sums;
    int64_t base;
}) {
    int64_t sum = 0;
    OX_EACH_OF(OX_AS(job->map, int64_t, int), job->base + i, it) {
        sum = sum * 31 + *it.value + 1;
    }
    *ox_array_edit(OX_AS(job->sums, int64_t), i) = sum;
}

static int64_t sum_of_row(int64_t key) {
    int64_t sum = 0;
    for (int k = 0; k < pair_count; k++) {
        sum = pairs[k].key == key ? sum * 31 + pairs[k].value + 1 : sum;
    }
    return sum;
}

TEST(multimap_cells, jobs_that_read_may_settle_together) {
    cell_load load = {.base = -100, .range = 500, .salt = 4};
    ox_multimap map = make_in_cells(3, load);
    ox_array sums = ox_array_create_untyped(int64_t, 500, OX_PERSISTENT);
    for (int round = 0; round < 20; round++) {
        clear_both(map);
        ox_multimap_writer out = ox_multimap_writer_of(map);
        ox_job written =
            ox_schedule_for(WriteCells, ENOUGH, 64, OX_NO_JOB, {.out = out, .load = load});
        ox_complete(ox_schedule_for(ReadCells, 500, 16, written, {map, sums, load.base}));
        EXPECT(map.state->in_cells);
    }
    for (int k = 0; k < ENOUGH; k++) {
        pairs[pair_count++] = (model_pair){key_of_pair(load, k), k};
    }
    for (int k = 0; k < 500; k++) {
        EXPECT_EQ(ox_array_read(OX_AS(sums, int64_t), k), sum_of_row(load.base + k));
    }
    ox_dispose(&sums);
    end(map);
}

TEST(multimap_cells, values_of_any_size_are_copied_whole) {
    unsigned char from[160], to[160];
    for (size_t size = 1; size <= 130; size++) {
        for (size_t k = 0; k < sizeof from; k++) {
            from[k] = (unsigned char)(k * 7 + 1);
            to[k] = 0xee;
        }
        oxi_item_copy(to + 8, from + 3, size);
        EXPECT(memcmp(to + 8, from + 3, size) == 0);
        EXPECT_EQ(to[7], 0xee);
        EXPECT_EQ(to[8 + size], 0xee);
    }
}

// Memory that is not there.

static void use_cells_with_faults(void) {
    ox_multimap map = ox_multimap_create_untyped(int64_t, int, 0, OX_PERSISTENT);
    if (!ox_multimap_is_created(map)) {
        return;
    }
    ox_multimap_writer out = ox_multimap_writer_of(map);
    for (int round = 0; round < 3 && out.state != NULL; round++) {
        // More keys than there was room for in the table, when they leave the cells at last.
        cell_load load = {.base = 0, .range = round < 2 ? 300 : 500, .salt = 1};
        ox_multimap_clear(map);
        ox_run_for(WriteCells, round < 2 ? ENOUGH : 3000, 64, {.out = out, .load = load});
        for (int tries = 0; tries < 3 && !ox_multimap_merge(map); tries++) {
        }
    }
    if (out.state != NULL && !oxi_multimap_is_pending(map.state)) {
        int32_t count = ox_multimap_count(map);
        bool added = ox_multimap_add(OX_AS(map, int64_t, int), 1 << 20, 7); // a stray
        added = added || ox_multimap_add(OX_AS(map, int64_t, int), 1 << 20, 7);
        EXPECT_EQ(ox_multimap_count(map), count + added);
        EXPECT_EQ(ox_multimap_count_values(OX_AS(map, int64_t, int), 1 << 20), added);
        int32_t walked = 0;
        OX_EACH(OX_AS(map, int64_t, int), it) {
            walked++;
        }
        EXPECT_EQ(walked, count + added);
    }
    ox_dispose(&map);
}

TEST(multimap_cells, every_allocation_may_fail) {
    collected_reports reports;
    collect_reports(&reports);
    start_workers_of_test(0);
    test_fault_sweep("multimap in cells", use_cells_with_faults);
    ox_jobs_stop();
}

// Adds single values until there are as many keys as the table has room for.
static void fill_up(ox_multimap map) {
    ox_array keys = ox_multimap_keys(OX_AS(map, int64_t, char), OX_PERSISTENT);
    int64_t count = ox_array_count(keys), key = (int64_t)map.state->head.cell_base;
    ox_dispose(&keys);
    for (; count < map.state->one.capacity; key++) {
        if (!ox_multimap_has(OX_AS(map, int64_t, int), key)) {
            EXPECT(ox_multimap_add(OX_AS(map, int64_t, int), key, 5));
            count++;
        }
    }
    EXPECT(map.state->in_cells);
}

TEST_CHECKED(multimap_cells, an_add_that_failed_behind_them_ends_iterators) {
    collected_reports reports;
    collect_reports(&reports);
    ox_multimap map = make_in_cells(0, (cell_load){.base = 1000, .range = 400, .salt = 1});
    fill_up(map);
    ox_multimap_walk it =
        oxi_multimap_walk_at(map, oxi_multimap_type_pair_of(int64_t, int), OX_HERE);
    EXPECT(ox_multimap_walk_next_pair(&it));
    ox_multimap_walk other = it;
    oxi_fault_plan(OXI_FAULT_FROM, 0);
    EXPECT(!ox_multimap_add(OX_AS(map, int64_t, int), 1 << 20, 7));
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    EXPECT(!map.state->in_cells); // it came so far
    EXPECT(!ox_multimap_walk_remove(map, &other));
    EXPECT_REPORT(&reports, OX_REPORT_FOREIGN_ITERATOR);
    EXPECT(!ox_multimap_walk_next_pair(&it));
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_WHILE_READ);
    end(map);
}

TEST(multimap_cells, what_was_reserved_is_there_for_keys_that_main_adds) {
    ox_multimap map = make_empty(0);
    fill(map, 5000, (cell_load){.base = 0, .range = 14000, .salt = 1});
    EXPECT(ox_multimap_reserve(map, 6000));
    clear_both(map);
    EXPECT(map.state->is_dealt && map.state->head.region_mask != 0);
    oxi_fault_plan(OXI_FAULT_FROM, 0);
    for (int k = 0; k < 2000; k++) {
        EXPECT(ox_multimap_add(OX_AS(map, int64_t, int), k, k));
        pairs[pair_count++] = (model_pair){k, k};
    }
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    expect_row(map);
    end(map);
}

TEST(multimap_cells, what_was_reserved_is_there_when_they_are_left) {
    ox_multimap map = make_empty(0);
    for (int round = 0; round < 3; round++) {
        uint32_t range = round < 2 ? 14000 : 1000; // at last all are of one region
        clear_both(map);
        fill(map, 5000, (cell_load){.base = 0, .range = range, .salt = 1});
        EXPECT(ox_multimap_reserve(map, 6000));
    }
    EXPECT(map.state->in_cells && map.state->head.region_mask != 0);
    oxi_fault_plan(OXI_FAULT_FROM, 0);
    EXPECT(ox_multimap_add(OX_AS(map, int64_t, int), 1 << 30, 1));
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    pairs[pair_count++] = (model_pair){1 << 30, 1};
    EXPECT(!map.state->in_cells);
    expect_row(map);
    end(map);
}

TEST(multimap_cells, keys_of_every_region_are_seen) {
    ox_multimap map = make_in_cells(0, plain_load);
    oxi_multimap_state *state = map.state;

    for (uint32_t k = 0; k < OXI_MULTIMAP_REGIONS; k++) {
        oxi_multimap_begin_notes(state, ENOUGH);
        state->buckets[k].least = -5;
        state->buckets[k].most = 7;
        oxi_multimap_see_keys(state);

        EXPECT_EQ(state->seen_least, -5);
        EXPECT_EQ(state->seen_most, 7);
    }
    end(map);
}
