// SPDX-License-Identifier: MIT
//
// Simulated frames: made by hand, so that the times that come out can be worked out. The number is
// that of workers beside main, which runs jobs while it waits and after its last step.

#include "test.h"

#include "base/substitute.h"
#include "oxbow/explain.h"

enum { MOST_JOBS = 64 };

static ox_frame_job sim_jobs[MOST_JOBS];
static ox_frame_wait sim_waits[MOST_JOBS];

// Jobs of these lengths, all scheduled as the frame begins; each waits for the one before it when
// `is_chain`.
static ox_frame make_frame(int count, uint64_t work_ns, bool is_chain) {
    for (int k = 0; k < count; k++) {
        sim_waits[k] = (ox_frame_wait){.before = k - 1};
        sim_jobs[k] = (ox_frame_job){
            .units = 1,
            .work_ns = work_ns,
            .schedule_ns = 1000,
            .waits = &sim_waits[k],
            .wait_count = is_chain && k > 0,
            .waited_for = -1,
        };
    }
    return (ox_frame){
        .begin_ns = 1000, .end_ns = 1000, .jobs = sim_jobs, .job_count = count, .number = 1};
}

static void expect_busy(ox_forecast what_if, double least, double most) {
    if (what_if.busy < least || what_if.busy > most) {
        test_fail(__FILE__, __LINE__, "busy %g", what_if.busy);
    }
}

TEST(what_if, a_chain_keeps_one_thread_busy) {
    ox_frame frame = make_frame(10, 500, true);

    ox_forecast pair = ox_frame_forecast(&frame, 1, false);

    EXPECT_EQ(pair.makespan_ns, 5000);
    expect_busy(pair, 0.5, 0.5);
    expect_busy(ox_frame_forecast(&frame, 0, false), 1, 1);
    EXPECT_EQ(ox_frame_forecast(&frame, 63, false).makespan_ns, 5000);
}

TEST(what_if, independent_jobs_keep_main_and_all_workers_busy) {
    ox_frame frame = make_frame(20, 700, false);

    ox_forecast pair = ox_frame_forecast(&frame, 1, true);

    EXPECT_EQ(pair.makespan_ns, 10000); // of 1000 ns each
    expect_busy(pair, 0.9, 1);
    EXPECT_EQ(ox_frame_forecast(&frame, 2, true).makespan_ns, 7000);
    EXPECT_EQ(ox_frame_forecast(&frame, 19, true).makespan_ns, 1000);
    EXPECT_EQ(ox_frame_forecast(&frame, 1, false).makespan_ns, 7000);
}

TEST(what_if, a_chain_of_equal_lengths_takes_as_long_on_any_number) {
    ox_frame frame = make_frame(8, 1, true);

    EXPECT_EQ(ox_frame_forecast(&frame, 0, true).makespan_ns, 8000);
    EXPECT_EQ(ox_frame_forecast(&frame, 1, true).makespan_ns, 8000);
    expect_busy(ox_frame_forecast(&frame, 1, true), 0.5, 0.5);
}

TEST(what_if, a_job_of_many_units_is_divided) {
    ox_frame frame = make_frame(1, 64000, false);
    sim_jobs[0].units = 64;

    EXPECT_EQ(ox_frame_forecast(&frame, 0, false).makespan_ns, 64000);
    EXPECT_EQ(ox_frame_forecast(&frame, 3, false).makespan_ns, 16000);
    EXPECT_EQ(ox_frame_forecast(&frame, 99, false).makespan_ns, 1000);
    EXPECT_EQ(ox_frame_forecast(&frame, 3, true).makespan_ns, 1000); // of equal length: one piece
}

TEST(what_if, work_that_does_not_divide_is_not_lost) {
    ox_frame frame = make_frame(1, 103, false);
    sim_jobs[0].units = 1000000;

    EXPECT_EQ(ox_frame_forecast(&frame, 0, false).makespan_ns, 103);
}

TEST(what_if, a_job_waits_for_all_that_it_depends_on) {
    ox_frame frame = make_frame(3, 100, false);
    ox_frame_wait both[] = {{.before = 0}, {.before = 1}, {.before = 1}, {.before = -1}};
    sim_jobs[1].work_ns = 400;
    sim_jobs[2].waits = both;
    sim_jobs[2].wait_count = 4;

    EXPECT_EQ(ox_frame_forecast(&frame, 1, false).makespan_ns, 500);
    EXPECT_EQ(ox_frame_forecast(&frame, 0, false).makespan_ns, 600);
}

TEST(what_if, what_only_the_trace_knows_counts) {
    ox_frame frame = make_frame(2, 100, false);
    sim_jobs[1].waited_for = 0;

    EXPECT_EQ(ox_frame_forecast(&frame, 1, false).makespan_ns, 200);
}

TEST(what_if, a_wait_for_what_is_not_of_the_frame_counts) {
    ox_frame frame = make_frame(2, 100, false);
    sim_jobs[0].outside_ns = 350;

    EXPECT_EQ(ox_frame_forecast(&frame, 0, false).makespan_ns, 450);
    EXPECT_EQ(ox_frame_forecast(&frame, 0, true).makespan_ns, 2000); // of equal length: not known
    expect_busy(ox_frame_forecast(&frame, 0, false), 200.0 / 450 - 0.001, 200.0 / 450 + 0.001);
}

TEST(what_if, a_job_in_the_background_takes_no_worker) {
    ox_frame frame = make_frame(3, 100, false);
    ox_frame_wait loaded = {.before = 0};
    sim_jobs[0].is_background = true;
    sim_jobs[0].units = 8;
    sim_jobs[0].work_ns = 900;

    EXPECT_EQ(ox_frame_forecast(&frame, 0, false).makespan_ns, 200);
    sim_jobs[2].waits = &loaded;
    sim_jobs[2].wait_count = 1;
    EXPECT_EQ(ox_frame_forecast(&frame, 0, false).makespan_ns, 1000);
}

TEST(what_if, main_schedules_at_its_own_pace) {
    ox_frame frame = make_frame(2, 100, false);
    sim_jobs[1].schedule_ns = 1000 + 250;
    frame.end_ns = 1000 + 300;

    EXPECT_EQ(ox_frame_forecast(&frame, 0, false).makespan_ns, 500); // after its own 300 ns
    EXPECT_EQ(ox_frame_forecast(&frame, 1, false).makespan_ns, 350);
    EXPECT_EQ(ox_frame_forecast(&frame, 8, false).makespan_ns, 350);
    EXPECT_EQ(ox_frame_forecast(&frame, 8, true).makespan_ns, 1000); // both at once
}

// A frame whose main waited 800 ns, in which it ran both jobs; then it took 50 ns to the third.
static ox_frame make_waiting_frame(ox_frame_sync *sync, const int *awaited) {
    ox_frame frame = make_frame(3, 400, false);
    *sync = (ox_frame_sync){
        .sync = {.wait_ns = 800}, .begin_ns = 1000 + 10, .jobs = awaited, .job_count = 2};
    sim_jobs[2].schedule_ns = 1000 + 10 + 800 + 50;
    frame.end_ns = sim_jobs[2].schedule_ns;
    frame.syncs = sync;
    frame.sync_count = 1;
    return frame;
}

TEST(what_if, main_alone_takes_as_long_as_it_took) {
    int awaited[] = {0, 1};
    ox_frame_sync sync;
    ox_frame frame = make_waiting_frame(&sync, awaited);

    EXPECT_EQ(ox_frame_forecast(&frame, 0, false).makespan_ns, 10 + 800 + 50 + 400);
}

TEST(what_if, main_runs_jobs_while_it_waits) {
    int awaited[] = {0, 1};
    ox_frame_sync sync;
    ox_frame frame = make_waiting_frame(&sync, awaited);

    // The worker begins at once, main 10 ns later.
    EXPECT_EQ(ox_frame_forecast(&frame, 1, false).makespan_ns, 10 + 400 + 50 + 400);
    EXPECT_EQ(ox_frame_forecast(&frame, 2, false).makespan_ns, 400 + 50 + 400);
}

TEST(what_if, main_ends_its_job_before_it_goes_on) {
    int awaited[] = {0, 1};
    ox_frame_sync sync;
    ox_frame frame = make_waiting_frame(&sync, awaited);
    sync.job_count = 1;
    sim_jobs[1].work_ns = 5000; // main takes it, and waits for the first alone

    EXPECT_EQ(ox_frame_forecast(&frame, 1, false).makespan_ns, 10 + 5000 + 50 + 400);
}

TEST(what_if, a_frame_without_jobs_is_mains_own_time) {
    ox_frame frame = make_frame(0, 0, false);
    frame.end_ns = 1000 + 70;

    EXPECT_EQ(ox_frame_forecast(&frame, 1, false).makespan_ns, 70);
    EXPECT_EQ(ox_frame_forecast(&frame, 1, true).makespan_ns, 0);
}

TEST(what_if, without_a_frame_or_with_fewer_than_no_workers_is_nothing) {
    ox_frame frame = make_frame(2, 100, false);

    EXPECT_EQ(ox_frame_forecast(NULL, 2, false).makespan_ns, 0);
    EXPECT_EQ(ox_frame_forecast(&frame, -1, false).makespan_ns, 0);
    EXPECT_EQ(ox_frame_forecast(&frame, -1, true).makespan_ns, 0);
}

TEST(what_if, out_of_memory_is_a_report) {
    collected_reports reports = {0};
    ox_frame frame = make_frame(2, 100, false);
    collect_reports(&reports);

    oxi_fault_plan(OXI_FAULT_ONE, 0);
    ox_forecast nothing = ox_frame_forecast(&frame, 1, false);
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT_EQ(nothing.makespan_ns, 0);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
}
