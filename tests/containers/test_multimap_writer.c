// SPDX-License-Identifier: MIT
//
// Writing to multimaps from parallel jobs: the values of a key come in the order of indices, and
// the same multimap comes out for any number of workers, settled at first use or by jobs.

#include "test.h"

#include "base/random.h"
#include "base/substitute.h"
#include "containers/multimap.h"
#include "jobs/jobs_test.h"
#include "oxbow/containers.h"

OX_PARALLEL_JOB(WritePairs, {
    ox_multimap_writer out;
    int keys;
    int first;
}) {
    uint64_t key = (uint64_t)((unsigned)(i + job->first) * 2654435761u) % (uint64_t)job->keys;
    ox_multimap_write(OX_AS(job->out, uint64_t, int), key, i + job->first);
    if (i % 3 == 0) {
        ox_multimap_write(OX_AS(job->out, uint64_t, int), key + 1, -i);
    }
}

// One number for everything that can be seen, in the order in which it is seen.
static uint64_t hash_pairs(ox_multimap map) {
    uint64_t hash = (uint64_t)ox_multimap_count(map);
    OX_EACH(OX_AS(map, uint64_t, int), it) {
        hash = hash * 31 + *it.key * 1009 + (uint64_t)*it.value;
    }
    return hash;
}

typedef struct write_plan {
    int items;
    int keys;
    bool settles_in_jobs;
} write_plan;

static uint64_t build_pairs(const write_plan *plan, int batch) {
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 0, OX_PERSISTENT);
    for (int k = 0; k < 50; k++) {
        ox_multimap_add(OX_AS(map, uint64_t, int), (uint64_t)k, -1000 - k);
    }
    ox_multimap_writer out = ox_multimap_writer_of(map);
    ox_job job = OX_NO_JOB;
    for (int round = 0; round < 3; round++) {
        job = ox_schedule_for(WritePairs, plan->items, batch, job,
                              {.out = out, .keys = plan->keys, .first = round * plan->items});
        // What was written before this is settled, by a job or by main, in every case.
        if (round == 0) {
            job = plan->settles_in_jobs ? ox_multimap_merge_after(map, job) : job;
            ox_complete(job);
            EXPECT(ox_multimap_merge(map));
            EXPECT(ox_multimap_remove(OX_AS(map, uint64_t, int), 3) > 0);
        }
    }
    job = plan->settles_in_jobs ? ox_multimap_merge_after(map, job) : job;
    ox_complete(job);
    EXPECT_EQ(oxi_multimap_is_pending(map.state), !plan->settles_in_jobs);
    uint64_t hash = hash_pairs(map);
    ox_dispose(&map);
    return hash;
}

static void expect_one_result(int items, int keys) {
    static const int workers[] = {0, 1, 2, 5, 16};
    oxi_random random = oxi_random_seed(test_seed(5));
    uint64_t first = 0;
    for (size_t k = 0; k < sizeof workers / sizeof workers[0]; k++) {
        start_workers_of_test(workers[k]);
        for (int run = 0; run < 6; run++) {
            write_plan plan = {items, keys, run % 2 == 1};
            uint64_t hash = build_pairs(&plan, 1 + (int)oxi_random_below(&random, 500));
            first = first != 0 ? first : hash;
            EXPECT_EQ(hash, first);
        }
        ox_jobs_stop();
    }
}

TEST(multimap_writer, a_small_one_is_the_same_for_any_number_of_workers) {
    expect_one_result(300, 100);
}

TEST(multimap_writer, a_large_one_is_the_same_for_any_number_of_workers) {
    expect_one_result(8000, 3000);
}

TEST(multimap_writer, one_of_few_keys_is_the_same_for_any_number_of_workers) {
    expect_one_result(6000, 5);
}

TEST(multimap_writer, values_of_a_key_come_in_index_order) {
    start_workers_of_test(4);
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 0, OX_PERSISTENT);
    ox_multimap_writer out = ox_multimap_writer_of(map);
    ox_job job = ox_schedule_for(WritePairs, 20000, 64, OX_NO_JOB, {.out = out, .keys = 10});
    ox_complete(ox_multimap_merge_after(map, job));

    EXPECT_EQ(ox_multimap_count(map), 20000 + 6667);
    EXPECT_EQ(map.state->head.region_mask, 15);
    int last = -1;
    OX_EACH_OF(OX_AS(map, uint64_t, int), 0, it) {
        EXPECT(*it.value > last);
        last = *it.value;
    }
    EXPECT(last > 19000);
    ox_dispose(&map);
    ox_jobs_stop();
}

// A multimap with regions goes through everything that a small one does.
TEST(multimap_writer, one_with_regions_is_changed_on_main) {
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 0, OX_PERSISTENT);
    ox_multimap_writer out = ox_multimap_writer_of(map);
    ox_complete(ox_schedule_for(WritePairs, 9000, 64, OX_NO_JOB, {.out = out, .keys = 4000}));
    int32_t count = ox_multimap_count(map);
    EXPECT_EQ(map.state->head.region_mask, 15);

    ox_multimap_walk it;
    EXPECT(ox_multimap_walk_next(
        (*(&it) = ox_multimap_walk_begin(OX_AS(map, uint64_t, int), 17), &it)));
    EXPECT(ox_multimap_walk_remove(map, &it));
    EXPECT(ox_multimap_add(OX_AS(map, uint64_t, int), 1000000, 5));
    EXPECT_EQ(ox_multimap_remove_pair(OX_AS(map, uint64_t, int), 1000000, 5), 1);
    EXPECT_EQ(ox_multimap_count(map), count - 1);
    EXPECT(ox_multimap_reserve(map, 50000));
    ox_array keys = ox_multimap_keys(OX_AS(map, uint64_t, char), OX_PERSISTENT);
    int32_t sum = 0;
    for (int k = 0; k < ox_array_count(keys); k++) {
        sum += ox_multimap_count_values(OX_AS(map, uint64_t, int),
                                        ox_array_read(OX_AS(keys, uint64_t), k));
    }
    EXPECT_EQ(sum, count - 1);
    for (int k = 0; k < ox_array_count(keys); k++) {
        EXPECT(ox_multimap_remove(OX_AS(map, uint64_t, int),
                                  ox_array_read(OX_AS(keys, uint64_t), k)) > 0);
    }
    EXPECT_EQ(ox_multimap_count(map), 0);
    ox_dispose(&keys);
    ox_dispose(&map);
    ox_jobs_stop();
}

TEST(multimap_writer, entries_of_removed_pairs_are_used_again) {
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 0, OX_PERSISTENT);
    ox_multimap_writer out = ox_multimap_writer_of(map);
    uint32_t capacity = 0;
    for (int round = 0; round < 20; round++) {
        ox_complete(ox_schedule_for(WritePairs, 3000, 64, OX_NO_JOB, {.out = out, .keys = 50}));
        for (uint64_t key = 0; key <= 50; key++) {
            ox_multimap_remove(OX_AS(map, uint64_t, int), key);
        }
        EXPECT_EQ(ox_multimap_count(map), 0);
        capacity = round == 2 ? map.state->entry_capacity : capacity;
    }
    EXPECT_EQ(map.state->entry_capacity, capacity);
    ox_dispose(&map);
    ox_jobs_stop();
}

static uint64_t hash_as_is(const void *key, void *context) {
    (void)context;
    return *(const uint64_t *)key;
}

static uint64_t hash_always_one(const void *key, void *context) {
    (void)key;
    (void)context;
    return 1;
}

static bool equal_as_is(const void *a, const void *b, void *context) {
    (void)context;
    return *(const uint64_t *)a == *(const uint64_t *)b;
}

static void write_with_functions(uint64_t (*hash)(const void *, void *), int items) {
    ox_multimap map =
        ox_multimap_create_with_untyped(uint64_t, int, {.hash = hash, .equal = equal_as_is});
    ox_multimap_writer out = ox_multimap_writer_of(map);
    ox_job job = ox_schedule_for(WritePairs, items, 64, OX_NO_JOB, {.out = out, .keys = 700});
    ox_complete(ox_multimap_merge_after(map, job));
    EXPECT_EQ(ox_multimap_count(map), items + (items + 2) / 3);
    int last = -items;
    OX_EACH_OF(OX_AS(map, uint64_t, int), 0, it) {
        EXPECT(*it.value > last);
        last = *it.value;
    }
    ox_dispose(&map);
}

TEST(multimap_writer, keys_with_functions_go_the_same_way) {
    write_with_functions(hash_as_is, 6000);
    write_with_functions(hash_always_one, 6000);
    ox_jobs_stop();
}

OX_JOB(ReadPairs, {
    OX_READ_ONLY ox_multimap map;
    OX_NO_SAFETY int *count;
}) {
    *job->count = ox_multimap_count(job->map);
    OX_EACH_OF(OX_AS(job->map, uint64_t, int), 3, it) {
        *job->count += *it.value >= 0 ? 0 : 0;
    }
}

TEST(multimap_writer, readers_in_several_jobs_settle_once) {
    start_workers_of_test(4);
    for (uint64_t run = 0; run < test_scaled(30); run++) {
        int counts[6] = {0};
        ox_job readers[6];
        ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 0, OX_PERSISTENT);
        ox_multimap_writer out = ox_multimap_writer_of(map);
        ox_job written =
            ox_schedule_for(WritePairs, 6000, 64, OX_NO_JOB, {.out = out, .keys = 900});
        for (int k = 0; k < 6; k++) {
            readers[k] = ox_schedule(ReadPairs, written, {.map = map, .count = &counts[k]});
        }
        ox_complete_at(readers, 6, OX_HERE);
        for (int k = 0; k < 6; k++) {
            EXPECT_EQ(counts[k], 8000);
        }
        ox_dispose(&map);
    }
    ox_jobs_stop();
}

TEST(multimap_writer, clearing_forgets_what_is_pending) {
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 0, OX_PERSISTENT);
    ox_multimap_writer out = ox_multimap_writer_of(map);
    ox_complete(ox_schedule_for(WritePairs, 100, 64, OX_NO_JOB, {.out = out, .keys = 9}));
    EXPECT(ox_multimap_clear(map));
    EXPECT_EQ(ox_multimap_count(map), 0);
    ox_dispose(&map);
    ox_jobs_stop();
}

TEST(multimap_writer, main_writes_at_once) {
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 0, OX_PERSISTENT);
    ox_multimap_writer out = ox_multimap_writer_of(map);
    EXPECT(ox_multimap_write(OX_AS(out, uint64_t, int), 1, 10));
    EXPECT(ox_multimap_write(OX_AS(out, uint64_t, int), 1, 11));
    EXPECT_EQ(ox_multimap_count_values(OX_AS(map, uint64_t, int), 1), 2);
    ox_dispose(&map);
}

TEST(multimap_writer, settling_nothing_by_jobs_changes_nothing) {
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 0, OX_PERSISTENT);
    ox_multimap_add(OX_AS(map, uint64_t, int), 1, 2);
    ox_complete(ox_multimap_merge_after(map, OX_NO_JOB));
    EXPECT_EQ(ox_multimap_count(map), 1);
    ox_dispose(&map);
    ox_jobs_stop();
}

TEST_CHECKED(multimap_writer, settling_by_jobs_needs_the_writing_job_before_it) {
    collected_reports reports;
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 0, OX_PERSISTENT);
    ox_multimap_writer out = ox_multimap_writer_of(map);
    ox_job job = ox_schedule_for(WritePairs, 100, 64, OX_NO_JOB, {.out = out, .keys = 9});
    collect_reports(&reports);
    EXPECT_EQ(ox_multimap_merge_after(map, OX_NO_JOB).value, 0);
    EXPECT_EQ(reports.count, 1);
    reports.count = 0;
    ox_job settled = ox_multimap_merge_after(map, job);
    EXPECT_EQ(ox_multimap_count(map), 0);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    ox_complete(settled);
    EXPECT_EQ(ox_multimap_count(map), 134);
    ox_dispose(&map);
    ox_jobs_stop();
}

TEST(multimap_writer, wrong_writers_are_reported) {
    collected_reports reports;
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 0, OX_PERSISTENT);
    ox_multimap_writer out = ox_multimap_writer_of(map);
    collect_reports(&reports);
    EXPECT(!ox_multimap_write(OX_AS(out, uint64_t, float), 1, 1.0f));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(!ox_multimap_write(OX_AS((ox_multimap_writer){0}, uint64_t, int), 1, 1));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(ox_multimap_writer_of((ox_multimap){0}).state == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_dispose(&map);
}

TEST_CHECKED(multimap_writer, main_does_not_write_what_a_job_reads) {
    collected_reports reports;
    int count = 0;
    start_workers_of_test(0);
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 0, OX_PERSISTENT);
    ox_multimap_writer out = ox_multimap_writer_of(map);
    ox_job reads = ox_schedule(ReadPairs, OX_NO_JOB, {.map = map, .count = &count});
    collect_reports(&reports);

    EXPECT(!ox_multimap_write(OX_AS(out, uint64_t, int), 1, 1));

    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    ox_complete(reads);
    EXPECT_EQ(ox_multimap_count(map), 0);
    ox_dispose(&map);
    ox_jobs_stop();
}

static ox_multimap_writer strange_pairs;

static void write_pair_as_stranger(void *context) {
    *(bool *)context = ox_multimap_write(OX_AS(strange_pairs, uint64_t, int), 1, 1);
}

TEST(multimap_writer, a_thread_that_runs_no_job_does_not_write) {
    collected_reports reports;
    start_workers_of_test(1);
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 4, OX_PERSISTENT);
    strange_pairs = ox_multimap_writer_of(map);
    collect_reports(&reports);
    bool written = true;
    oxi_thread thread;
    EXPECT(oxi_thread_start(&thread, write_pair_as_stranger, &written, "stranger"));
    oxi_thread_join(&thread);
    EXPECT(!written);
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_JOB);
    ox_dispose(&map);
    ox_jobs_stop();
}

// WritePairs writes its index, or what is as far below 0.
static void expect_index_order(ox_multimap map) {
    uint64_t key = UINT64_MAX;
    int last = -1;
    OX_EACH(OX_AS(map, uint64_t, int), it) {
        int index = *it.value < 0 ? -*it.value : *it.value;
        EXPECT(*it.key != key || index > last);
        key = *it.key;
        last = index;
    }
}

// Settles as often as it takes: nothing is lost, and values stay in order.
static void settle_with_faults(bool by_jobs, int items) {
    ox_multimap map = ox_multimap_create_untyped(uint64_t, int, 0, OX_PERSISTENT);
    if (!ox_multimap_is_created(map)) {
        return;
    }
    ox_multimap_writer out = ox_multimap_writer_of(map);
    if (out.state == NULL) {
        ox_dispose(&map);
        return;
    }
    uint32_t written = 0;
    ox_run_for(WritePairs, items, 100, {.out = out, .keys = 2000});
    for (uint32_t k = 0; k < OXI_MULTIMAP_REGIONS; k++) {
        written += (uint32_t)(oxi_segments_size(out.state->segments, k) / out.state->item_size);
    }
    if (by_jobs) {
        ox_complete(ox_multimap_merge_after(map, OX_NO_JOB));
    }
    for (int tries = 0; tries < 3 && !ox_multimap_merge(map); tries++) {
    }
    if (!oxi_multimap_is_pending(out.state)) {
        EXPECT_EQ(out.state->pair_count, written);
        EXPECT_EQ(out.state->entry_count, written + out.state->free_count); // none is lost
        expect_index_order(map);
    }
    ox_dispose(&map);
}

enum { FEW_ITEMS = 2500, MANY_ITEMS = 3300 }; // of a small multimap, and of one with regions

static void settle_few_with_faults(void) {
    settle_with_faults(false, FEW_ITEMS);
}

static void settle_at_use_with_faults(void) {
    settle_with_faults(false, MANY_ITEMS);
}

static void settle_by_jobs_with_faults(void) {
    settle_with_faults(true, MANY_ITEMS);
}

TEST(multimap_writer, every_allocation_may_fail) {
    collected_reports reports;
    collect_reports(&reports);
    start_workers_of_test(0);
    test_fault_sweep("small multimap settled at use", settle_few_with_faults);
    test_fault_sweep("multimap settled at use", settle_at_use_with_faults);
    test_fault_sweep("multimap settled by jobs", settle_by_jobs_with_faults);
    ox_jobs_stop();
}
