// SPDX-License-Identifier: MIT
//
// What the safety system remembers of jobs: as much as nobody completed, and in time that grows
// with the number of jobs and not with its square. A test that hangs here has found a square.

#include "safety_test.h"

#include "base/heap.h"

enum { MANY_JOBS = 1000000 / SLOWNESS, FEW_JOBS = 1000, PER_ROUND = 100 };

OX_JOB(WriteOne, { Box box; }) {
}
OX_JOB(ReadOne, { OX_READ_ONLY Box box; }) {
}
OX_JOB(ReadTwo, {
    OX_READ_ONLY Box first;
    OX_READ_ONLY Box second;
}) {
}
OX_JOB(NoBox, { int unused; }) {
}
OX_PARALLEL_JOB(WriteEach, { Box box; }) {
}

static caught_reports caught;

static void begin_records(void) {
    start_workers_of_test(0);
    catch_reports(&caught);
    watch_for_hang("a graph of very many jobs");
}

static void end_records(void) {
    end_watch();
    ox_jobs_stop();
    EXPECT_EQ(caught.all.count, 0);
    expect_nothing_kept();
}

static uint32_t job_records(void) {
    return ox_safety_get_usage().job_count;
}

TEST(records, of_a_long_chain_of_writers_end_with_the_last) {
    begin_records();
    Box box = make_box(0);
    ox_job last = OX_NO_JOB;
    for (int k = 0; k < MANY_JOBS; k++) {
        last = ox_schedule(WriteOne, last, {box});
    }
    EXPECT_EQ(job_records(), ox_get_safety_level() > 0 ? MANY_JOBS : 0);

    ox_complete(last);

    EXPECT_EQ(job_records(), 0);
    EXPECT(dispose_box(box));
    end_records();
}

TEST(records, of_a_long_chain_of_readers_end_with_the_last) {
    begin_records();
    Box box = make_box(0);
    ox_job last = ox_schedule(WriteOne, OX_NO_JOB, {box});
    for (int k = 0; k < MANY_JOBS; k++) {
        last = ox_schedule(ReadOne, last, {box});
    }
    last = ox_schedule(WriteOne, last, {box});
    EXPECT(last.value != 0);

    ox_complete(last);

    EXPECT_EQ(job_records(), 0);
    EXPECT(dispose_box(box));
    end_records();
}

// Between two readers stands a job that does not hold the container.
TEST(records, of_readers_with_others_between_them_take_linear_time) {
    begin_records();
    Box box = make_box(0);
    ox_job last = ox_schedule(WriteOne, OX_NO_JOB, {box});
    for (int k = 0; k < MANY_JOBS / 2; k++) {
        last = ox_schedule(NoBox, last, {0});
        last = ox_schedule(ReadOne, last, {box});
    }
    last = ox_schedule(WriteOne, last, {box});
    EXPECT(last.value != 0);
    ox_complete(last);
    EXPECT_EQ(job_records(), 0);
    EXPECT(dispose_box(box));
    end_records();
}

static ox_job handles[MANY_JOBS];

TEST(records, of_many_readers_beside_each_other_are_covered_by_their_combination) {
    begin_records();
    Box box = make_box(0);
    for (int k = 0; k < MANY_JOBS; k++) {
        handles[k] = ox_schedule(ReadOne, OX_NO_JOB, {box});
    }
    ox_job all = ox_combine_at(handles, MANY_JOBS, OX_HERE);

    ox_job writer = ox_schedule(WriteOne, all, {box});

    EXPECT(writer.value != 0);
    ox_complete(writer);
    EXPECT_EQ(job_records(), 0);
    EXPECT(dispose_box(box));
    end_records();
}

// Rounds of readers beside each other that end in a writer: a hundred of them, or two.
static void run_diamonds(int width, int count) {
    begin_records();
    Box box = make_box(0), other = make_box(0);
    ox_job last = OX_NO_JOB;
    for (int k = 0; k < count; k += width + 2) {
        for (int reader = 0; reader < width; reader++) {
            handles[reader] = ox_schedule(ReadTwo, last, {box, other});
        }
        ox_job all = ox_combine_at(handles, width, OX_HERE);
        last = ox_schedule(WriteOne, all, {box});
        EXPECT(last.value != 0);
    }
    ox_complete(last);
    EXPECT_EQ(job_records(), 0);
    EXPECT(dispose_box(box) && dispose_box(other));
    end_records();
}

TEST(records, of_diamonds_end_with_the_last) {
    run_diamonds(2, MANY_JOBS);
}

TEST(records, of_combinations_of_a_hundred_end_with_the_last) {
    run_diamonds(PER_ROUND, MANY_JOBS / 4);
}

TEST(records, of_combinations_in_combinations_end_with_the_last) {
    begin_records();
    Box box = make_box(0);
    ox_job last = ox_schedule(WriteOne, OX_NO_JOB, {box});
    for (int k = 0; k < MANY_JOBS / 4; k++) {
        ox_job none = ox_schedule(NoBox, OX_NO_JOB, {0});
        last = ox_combine(last, none, last);
    }
    last = ox_schedule(WriteOne, last, {box});
    EXPECT(last.value != 0);
    ox_complete(last);
    EXPECT_EQ(job_records(), 0);
    EXPECT(dispose_box(box));
    end_records();
}

// Completed one by one, in the order of scheduling: each takes only its own.
TEST(records, end_one_by_one) {
    begin_records();
    Box box = make_box(0);
    ox_job last = OX_NO_JOB;
    for (int k = 0; k < FEW_JOBS; k++) {
        handles[k] = last = ox_schedule(WriteOne, last, {box});
    }
    for (int k = 0; k < FEW_JOBS; k++) {
        ox_complete(handles[k]);
        EXPECT_EQ(job_records(), ox_get_safety_level() > 0 ? FEW_JOBS - 1 - k : 0);
    }
    EXPECT(dispose_box(box));
    end_records();
}

// Memory does not grow with jobs that come and go.
TEST_CHECKED(records, are_used_again) {
    begin_records();
    Box box = make_box(0);
    uint64_t blocks = 0;
    for (int k = 0; k < FEW_JOBS * 10; k++) {
        ox_job first = ox_schedule(WriteOne, OX_NO_JOB, {box});
        ox_complete(ox_combine(ox_schedule(ReadOne, first, {box}), first));
        if (k == FEW_JOBS) {
            blocks = oxi_heap_get_blocks();
        }
    }
    EXPECT_EQ(oxi_heap_get_blocks(), blocks);
    EXPECT(dispose_box(box));
    end_records();
}

TEST_CHECKED(records, jobs_without_containers_leave_none) {
    begin_records();
    ox_job first = ox_schedule(NoBox, OX_NO_JOB, {0});
    ox_job both = ox_combine(first, ox_schedule(NoBox, first, {0}));
    EXPECT_EQ(job_records(), 0);
    ox_complete(both);
    end_records();
}

TEST_CHECKED(records, jobs_without_containers_are_kept_when_they_wait_for_a_kept_one) {
    begin_records();
    Box box = make_box(0);
    ox_job first = ox_schedule(WriteOne, OX_NO_JOB, {box});
    ox_job second = ox_schedule(NoBox, first, {0});
    ox_job both = ox_combine(second, ox_schedule(NoBox, OX_NO_JOB, {0}));
    EXPECT_EQ(job_records(), 3);

    ox_complete(first);
    EXPECT_EQ(job_records(), 2);
    EXPECT_EQ(ox_schedule(NoBox, OX_NO_JOB, {0}).value != 0, true);
    EXPECT_EQ(job_records(), 2);

    ox_complete(both);
    EXPECT_EQ(job_records(), 0);
    EXPECT(dispose_box(box));
    ox_jobs_stop();
    EXPECT_CAUGHT(&caught, OX_REPORT_JOBS_OUTSTANDING);
    end_records();
}

// Nothing to run, nothing to remember: main may go on at once.
TEST_CHECKED(records, parallel_job_over_no_indices_holds_nothing) {
    begin_records();
    Box box = make_box(0);
    ox_job none = ox_schedule_for(WriteEach, 0, 1, OX_NO_JOB, {box});
    EXPECT_EQ(none.value, 0);
    EXPECT_EQ(job_records(), 0);
    EXPECT(write_box(box) && dispose_box(box));
    end_records();
}

TEST_CHECKED(records, jobs_run_in_place_leave_none) {
    begin_records();
    Box box = make_box(0);
    ox_run(WriteOne, {box});
    ox_run_for(WriteEach, 10, 3, {box});
    EXPECT_EQ(job_records(), 0);
    EXPECT(write_box(box) && dispose_box(box));
    end_records();
}

TEST_CHECKED(records, end_when_the_job_system_stops) {
    begin_records();
    Box box = make_box(0);
    ox_job last = OX_NO_JOB;
    for (int k = 0; k < FEW_JOBS; k++) {
        last = ox_schedule(WriteOne, last, {box});
    }
    ox_jobs_stop();
    EXPECT_CAUGHT(&caught, OX_REPORT_JOBS_OUTSTANDING);
    EXPECT_EQ(job_records(), 0);
    EXPECT(write_box(box));

    start_workers_of_test(0);
    EXPECT(ox_schedule(WriteOne, OX_NO_JOB, {box}).value != 0);
    EXPECT_EQ(job_records(), 1);
    ox_jobs_stop();
    EXPECT_CAUGHT(&caught, OX_REPORT_JOBS_OUTSTANDING);
    EXPECT(dispose_box(box));
    end_records();
}

// A handle of before the stop is no predecessor of anything: its number is not given out again.
TEST_CHECKED(records, handles_of_before_a_stop_cover_nothing) {
    begin_records();
    Box box = make_box(0);
    ox_job old = ox_schedule(WriteOne, OX_NO_JOB, {box});
    ox_complete(old);
    ox_jobs_stop();
    start_workers_of_test(0);
    ox_job job = ox_schedule(WriteOne, old, {box});

    EXPECT_EQ(ox_schedule(WriteOne, old, {box}).value, 0);

    EXPECT_CAUGHT(&caught, OX_REPORT_TWO_JOBS_RACE);
    ox_complete(job);
    EXPECT(dispose_box(box));
    end_records();
}

// A container that was disposed after a job keeps its node until that job is completed; as many as
// there are nodes.
TEST(records, of_containers_disposed_after_jobs_are_used_again) {
    begin_records();
    uint32_t highest = 0;
    for (int round = 0; round < 20; round++) {
        ox_job last = OX_NO_JOB;
        for (int k = 0; k < FEW_JOBS; k++) {
            Box box = make_box(0);
            highest = box.access.token > highest ? box.access.token : highest;
            last = ox_schedule(WriteOne, last, {box});
            EXPECT(dispose_box_after(box, last));
        }
        EXPECT_EQ(ox_safety_get_usage().container_count, 0);
        ox_complete(last);
    }
    EXPECT(highest < 3 * FEW_JOBS);
    end_records();
}
