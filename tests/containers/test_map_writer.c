// SPDX-License-Identifier: MIT
//
// Writing to maps from parallel jobs: the same map comes out for any number of workers.

#include "test.h"

#include "base/random.h"
#include "base/substitute.h"
#include "containers/map.h"
#include "jobs/jobs_test.h"
#include "oxbow/containers.h"

enum { ITEMS = 5000 };

OX_PARALLEL_JOB(WriteSquares, { ox_map_writer out; }) {
    ox_map_write(OX_AS(job->out, uint64_t, int), (uint64_t)(i % 1000) * 7, i);
}

OX_PARALLEL_JOB(WriteMany, {
    ox_map_writer out;
    OX_NO_SAFETY void *written;
}) {
    if (ox_map_write(OX_AS(job->out, int, int), i, i)) {
        oxi_add_relaxed((oxi_atomic_u32 *)job->written, 1);
    }
}

static uint64_t hash_walk(ox_map map) {
    uint64_t hash = 0;
    OX_EACH(OX_AS(map, uint64_t, int), it) {
        hash = hash * 31 + *it.key * 1009 + (uint64_t)*it.value;
    }
    return hash;
}

static uint64_t write_squares(int batch) {
    ox_map map = ox_map_create_untyped(uint64_t, int, ITEMS + 10, OX_PERSISTENT);
    ox_map_set(OX_AS(map, uint64_t, int), 7, -1);
    ox_map_writer out = ox_map_writer_of(map);
    ox_complete(ox_schedule_for(WriteSquares, ITEMS, batch, OX_NO_JOB, {.out = out}));

    EXPECT_EQ(ox_map_count(map), 1000);
    EXPECT_EQ(ox_map_read(OX_AS(map, uint64_t, int), 7), -1);
    EXPECT_EQ(ox_map_read(OX_AS(map, uint64_t, int), 14), 2);
    EXPECT_EQ(ox_map_read(OX_AS(map, uint64_t, int), 999 * 7), 999);
    uint64_t hash = hash_walk(map);
    ox_dispose(&map);
    return hash;
}

TEST(map_writer, the_lowest_index_wins_and_the_order_is_the_same_for_any_number_of_workers) {
    static const int workers[] = {0, 1, 2, 5, 16};
    oxi_random random = oxi_random_seed(test_seed(3));
    uint64_t first = 0;
    for (size_t k = 0; k < sizeof workers / sizeof workers[0]; k++) {
        start_workers_of_test(workers[k]);
        for (int run = 0; run < 6; run++) {
            uint64_t hash = write_squares(1 + (int)oxi_random_below(&random, 300));
            first = first != 0 ? first : hash;
            EXPECT_EQ(hash, first);
        }
        ox_jobs_stop();
    }
}

static void write_past_capacity(int workers, int capacity, int count) {
    collected_reports reports;
    oxi_atomic_u32 written = 0;
    start_workers_of_test(workers);
    ox_map map = ox_map_create_untyped(int, int, capacity, OX_PERSISTENT);
    ox_map_writer out = ox_map_writer_of(map);
    collect_reports(&reports);
    ox_complete(
        ox_schedule_for(WriteMany, count, 16, OX_NO_JOB, {.out = out, .written = &written}));

    int expected = count < capacity ? count : capacity;
    EXPECT_EQ(oxi_load_relaxed(&written), expected);
    EXPECT_EQ(ox_map_count(map), expected);
    EXPECT_EQ(reports.count, count - expected);
    EXPECT(expected == count || reports.last == OX_REPORT_FULL);
    EXPECT_EQ(ox_map_capacity(map), capacity);
    ox_dispose(&map);
    ox_jobs_stop();
}

TEST(map_writer, exactly_as_many_writes_succeed_as_there_is_room) {
    static const int percents[] = {95, 99, 100, 101, 105};
    for (int workers = 0; workers <= 4; workers += 2) {
        for (size_t k = 0; k < sizeof percents / sizeof percents[0]; k++) {
            write_past_capacity(workers, 1000, 10 * percents[k]);
        }
    }
}

TEST(map_writer, deleted_slots_do_not_take_room_away) {
    oxi_atomic_u32 written = 0;
    start_workers_of_test(2);
    ox_map map = ox_map_create_untyped(int, int, 448, OX_PERSISTENT);
    for (int round = 0; round < 5; round++) {
        for (int k = 0; k < 448; k++) {
            ox_map_set(OX_AS(map, int, int), round * 1000 + k, k);
        }
        for (int k = 0; k < 448; k++) {
            ox_map_remove(OX_AS(map, int, int), round * 1000 + k);
        }
    }
    ox_map_writer out = ox_map_writer_of(map);
    ox_complete(ox_schedule_for(WriteMany, 448, 8, OX_NO_JOB, {.out = out, .written = &written}));
    EXPECT_EQ(oxi_load_relaxed(&written), 448);
    EXPECT_EQ(ox_map_count(map), 448);
    ox_dispose(&map);
    ox_jobs_stop();
}

TEST(map_writer, main_writes_at_once) {
    collected_reports reports;
    ox_map map = ox_map_create_untyped(uint64_t, int, 2, OX_PERSISTENT);
    ox_map_writer out = ox_map_writer_of(map);
    EXPECT(ox_map_write(OX_AS(out, uint64_t, int), 1, 10));
    EXPECT(ox_map_write(OX_AS(out, uint64_t, int), 1, 11));
    EXPECT(ox_map_write(OX_AS(out, uint64_t, int), 2, 20));
    collect_reports(&reports);
    EXPECT(!ox_map_write(OX_AS(out, uint64_t, int), 3, 30));
    EXPECT_REPORT(&reports, OX_REPORT_FULL);
    EXPECT_EQ(ox_map_read(OX_AS(map, uint64_t, int), 1), 10);
    EXPECT_EQ(ox_map_count(map), 2);
    ox_dispose(&map);
}

OX_JOB(ReadMap, {
    OX_READ_ONLY ox_map map;
    OX_NO_SAFETY int *count;
}) {
    *job->count = ox_map_count(job->map);
    for (uint64_t k = 0; k < 1000; k++) {
        EXPECT(ox_map_has(OX_AS(job->map, uint64_t, int), k * 7));
    }
}

TEST(map_writer, a_walk_that_edits_meets_what_was_written) {
    ox_map map = ox_map_create_untyped(uint64_t, int, 4, OX_PERSISTENT);
    EXPECT(ox_map_write(OX_AS(ox_map_writer_of(map), uint64_t, int), 1, 10));

    OX_EACH_EDIT(OX_AS(map, uint64_t, int), it) {
        *it.value += 1;
    }

    EXPECT_EQ(ox_map_read(OX_AS(map, uint64_t, int), 1), 11);
    ox_dispose(&map);
}

TEST(map_writer, readers_in_several_jobs_settle_once) {
    start_workers_of_test(4);
    for (uint64_t run = 0; run < test_scaled(50); run++) {
        int counts[6] = {0};
        ox_job readers[6];
        ox_map map = ox_map_create_untyped(uint64_t, int, ITEMS, OX_PERSISTENT);
        ox_map_writer out = ox_map_writer_of(map);
        ox_job written = ox_schedule_for(WriteSquares, ITEMS, 64, OX_NO_JOB, {.out = out});
        for (int k = 0; k < 6; k++) {
            readers[k] = ox_schedule(ReadMap, written, {.map = map, .count = &counts[k]});
        }
        ox_complete_at(readers, 6, OX_HERE);
        for (int k = 0; k < 6; k++) {
            EXPECT_EQ(counts[k], 1000);
        }
        ox_dispose(&map);
    }
    ox_jobs_stop();
}

TEST(map_writer, clearing_forgets_what_is_pending) {
    ox_map map = ox_map_create_untyped(uint64_t, int, ITEMS, OX_PERSISTENT);
    ox_map_writer out = ox_map_writer_of(map);
    ox_complete(ox_schedule_for(WriteSquares, ITEMS, 64, OX_NO_JOB, {.out = out}));
    EXPECT(ox_map_clear(map));
    EXPECT_EQ(ox_map_count(map), 0);
    EXPECT(ox_map_merge(map));
    EXPECT_EQ(ox_map_count(map), 0);
    ox_dispose(&map);
    ox_jobs_stop();
}

static uint64_t hash_by_function(const void *key, void *context) {
    (void)context;
    return *(const uint64_t *)key;
}

static bool equal_by_function(const void *a, const void *b, void *context) {
    (void)context;
    return *(const uint64_t *)a == *(const uint64_t *)b;
}

TEST(map_writer, keys_with_functions_go_the_same_way) {
    ox_map map = ox_map_create_with_untyped(
        uint64_t, int, {.capacity = ITEMS, .hash = hash_by_function, .equal = equal_by_function});
    ox_map_writer out = ox_map_writer_of(map);
    ox_complete(ox_schedule_for(WriteSquares, ITEMS, 64, OX_NO_JOB, {.out = out}));
    EXPECT_EQ(ox_map_count(map), 1000);
    EXPECT_EQ(ox_map_read(OX_AS(map, uint64_t, int), 14), 2);
    ox_dispose(&map);
    ox_jobs_stop();
}

TEST_CHECKED(map_writer, a_writer_is_not_read) {
    collected_reports reports;
    ox_map map = ox_map_create_untyped(uint64_t, int, 4, OX_PERSISTENT);
    ox_map_writer out = ox_map_writer_of(map);
    ox_map disguised = {.table = out.table, .access = out.access};
    collect_reports(&reports);
    EXPECT_EQ(ox_map_count(disguised), 0);
    EXPECT_REPORT(&reports, OX_REPORT_WRITER_READ);
    EXPECT(!ox_map_write(OX_AS(out, uint64_t, float), 1, 1.0f));
    EXPECT_REPORT(&reports, OX_REPORT_ELEMENT_MISMATCH);
    EXPECT(!ox_map_write(OX_AS((ox_map_writer){0}, uint64_t, int), 1, 1));
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    EXPECT(ox_map_writer_of((ox_map){0}).table == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_UNASSIGNED);
    ox_dispose(&map);
}

static ox_map_writer strange_writer;

static void write_as_stranger(void *context) {
    *(bool *)context = ox_map_write(OX_AS(strange_writer, uint64_t, int), 1, 1);
}

TEST(map_writer, a_thread_that_runs_no_job_does_not_write) {
    collected_reports reports;
    start_workers_of_test(1);
    ox_map map = ox_map_create_untyped(uint64_t, int, 4, OX_PERSISTENT);
    strange_writer = ox_map_writer_of(map);
    collect_reports(&reports);
    bool written = true;
    oxi_thread thread;
    EXPECT(oxi_thread_start(&thread, write_as_stranger, &written, "stranger"));
    oxi_thread_join(&thread);
    EXPECT(!written);
    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_JOB);
    EXPECT_EQ(ox_map_count(map), 0);
    ox_dispose(&map);
    ox_jobs_stop();
}

static void write_with_faults(void) {
    ox_map map = ox_map_create_untyped(uint64_t, int, 448, OX_PERSISTENT);
    if (!ox_map_is_created(map)) {
        return;
    }
    for (uint64_t k = 0; k < 448; k++) {
        ox_map_set(OX_AS(map, uint64_t, int), k + 5, 1);
    }
    for (uint64_t k = 0; k < 440; k++) {
        ox_map_remove(OX_AS(map, uint64_t, int), k + 5);
    }
    ox_map_writer out = ox_map_writer_of(map);
    if (out.table != NULL) {
        ox_run_for(WriteSquares, 100, 10, {.out = out});
        // A second try, as the next use would make it, takes over what the first could not.
        if (!ox_map_merge(map) && ox_map_merge(map)) {
            EXPECT(!ox_map_has(OX_AS(map, uint64_t, int), 1));
        }
    }
    ox_dispose(&map);
}

TEST(map_writer, every_allocation_may_fail) {
    collected_reports reports;
    collect_reports(&reports);
    start_workers_of_test(0);
    test_fault_sweep("map writer", write_with_faults);
    ox_jobs_stop();
}
