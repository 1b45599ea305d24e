// SPDX-License-Identifier: MIT
//
// Background jobs: threads of their own, beside the workers.

#include "jobs_test.h"

OX_JOB(NotePlace, {
    OX_NO_SAFETY oxi_atomic_u32 *place;
    OX_NO_SAFETY oxi_atomic_u32 *count;
}) {
    atomic_store(job->place, (uint32_t)ox_worker_index());
    atomic_fetch_add(job->count, 1);
}

OX_JOB(Tick, { OX_NO_SAFETY oxi_atomic_u32 *count; }) {
    atomic_fetch_add(job->count, 1);
}

OX_JOB(Hold, {
    OX_NO_SAFETY oxi_atomic_u32 *begun;
    OX_NO_SAFETY oxi_atomic_u32 *gate;
}) {
    atomic_fetch_add(job->begun, 1);
    while (atomic_load(job->gate) == 0) {
        sleep_us(100);
    }
}

TEST(jobs_background, run_on_threads_that_are_no_workers) {
    oxi_atomic_u32 place = 0, count = 0;
    start_workers_of_test(2);
    for (uint32_t k = 0; k < 100; k++) {
        ox_schedule_background(NotePlace, OX_NO_JOB, {.place = &place, .count = &count});
        ox_jobs_kick();
        wait_for_value(&count, k + 1, "background jobs");
        EXPECT(place > 2);
    }
    ox_jobs_stop();
}

TEST(jobs_background, not_kicked_do_not_start) {
    oxi_atomic_u32 count = 0;
    start_workers_of_test(1);
    ox_job job = ox_schedule_background(Tick, OX_NO_JOB, {.count = &count});
    sleep_us(5000);
    EXPECT_EQ(count, 0);
    EXPECT(!ox_job_is_complete(job));
    ox_complete(job);
    EXPECT_EQ(count, 1);
    ox_jobs_stop();
}

TEST(jobs_background, run_without_workers_and_without_main) {
    oxi_atomic_u32 place = 0, count = 0;
    start_workers_of_test(0);
    ox_schedule_background(NotePlace, OX_NO_JOB, {.place = &place, .count = &count});
    ox_jobs_kick();
    wait_for_value(&count, 1, "a background job");
    EXPECT_EQ(place, 1);
    ox_jobs_stop();
}

TEST(jobs_background, completed_by_main) {
    oxi_atomic_u32 count = 0;
    watch_for_hang("complete of a background job");
    start_workers_of_test(1);
    for (uint32_t k = 0; k < 500; k++) {
        ox_job job = ox_schedule_background(Tick, OX_NO_JOB, {.count = &count});
        if (k % 2 == 0) {
            ox_jobs_kick();
        }
        ox_complete(job);
        EXPECT_EQ(count, k + 1);
    }
    ox_jobs_stop();
    end_watch();
}

static void complete_mixed_chain(int workers) {
    oxi_atomic_u32 count = 0;
    watch_for_hang("a chain of frame and background jobs");
    start_workers_of_test(workers);
    shake_schedules((uint64_t)workers + 3);
    for (uint32_t round = 0; round < 50; round++) {
        ox_job last = OX_NO_JOB;
        for (int k = 0; k < 20; k++) {
            last = k % 2 == 0 ? ox_schedule_background(Tick, last, {.count = &count})
                              : ox_schedule(Tick, last, {.count = &count});
        }
        if (round % 2 == 0) {
            ox_jobs_kick();
        }
        ox_complete(last);
        EXPECT_EQ(count, (round + 1) * 20);
    }
    oxi_yield_set_hook(NULL, NULL);
    ox_jobs_stop();
    end_watch();
}

TEST(jobs_background, alternate_with_frame_jobs_in_a_chain) {
    complete_mixed_chain(0);
    complete_mixed_chain(1);
    complete_mixed_chain(3);
}

TEST(jobs_background, wait_for_frame_jobs_without_main) {
    oxi_atomic_u32 count = 0;
    start_workers_of_test(1);
    ox_job first = ox_schedule(Tick, OX_NO_JOB, {.count = &count});
    ox_job second = ox_schedule_background(Tick, first, {.count = &count});
    ox_schedule(Tick, second, {.count = &count});
    ox_jobs_kick();
    wait_for_value(&count, 3, "frame, background and frame job");
    ox_jobs_stop();
}

TEST(jobs_background, deep_chain_of_frame_jobs_before_one_is_found_without_workers) {
    oxi_atomic_u32 count = 0;
    watch_for_hang("a background job behind a deep chain");
    start_workers_of_test(0);
    ox_job last = ox_schedule_background(Tick, OX_NO_JOB, {.count = &count});
    for (int k = 0; k < 1000; k++) {
        last = ox_schedule(Tick, last, {.count = &count});
    }
    last = ox_schedule_background(Tick, last, {.count = &count});
    ox_jobs_kick();
    ox_complete(last);
    EXPECT_EQ(count, 1002);
    ox_jobs_stop();
    end_watch();
}

TEST(jobs_background, long_one_does_not_hold_up_frame_jobs) {
    oxi_atomic_u32 begun = 0, gate = 0, count = 0;
    start_workers_of_test(1);
    ox_job held = ox_schedule_background(Hold, OX_NO_JOB, {.begun = &begun, .gate = &gate});
    ox_jobs_kick();
    wait_for_value(&begun, 1, "the background job");

    for (int k = 0; k < 1000; k++) {
        ox_complete(ox_schedule(Tick, OX_NO_JOB, {.count = &count}));
    }

    EXPECT_EQ(count, 1000);
    EXPECT(!ox_job_is_complete(held));
    atomic_store(&gate, 1);
    ox_complete(held);
    ox_jobs_stop();
}

TEST(jobs_background, run_on_as_many_threads_as_the_def_says) {
    oxi_atomic_u32 begun = 0, gate = 0;
    EXPECT(ox_jobs_start(&(ox_jobs_def){.worker_count = 1, .background_count = 3}));
    ox_job jobs[3];
    for (int k = 0; k < 3; k++) {
        jobs[k] = ox_schedule_background(Hold, OX_NO_JOB, {.begun = &begun, .gate = &gate});
    }
    ox_jobs_kick();
    wait_for_value(&begun, 3, "three background jobs at once");
    atomic_store(&gate, 1);
    ox_complete_at(jobs, 3, OX_HERE);
    ox_jobs_stop();
}

TEST(jobs_background, main_takes_no_other_one_while_it_waits) {
    oxi_atomic_u32 begun = 0, gate = 0, count = 0;
    watch_for_hang("a wait beside a background job");
    start_workers_of_test(0);
    ox_job first = ox_schedule_background(Hold, OX_NO_JOB, {.begun = &begun, .gate = &gate});
    ox_job second = ox_schedule_background(Hold, OX_NO_JOB, {.begun = &begun, .gate = &gate});
    ox_jobs_kick();
    wait_for_value(&begun, 1, "the first background job");

    ox_complete(ox_schedule(Tick, OX_NO_JOB, {.count = &count}));

    EXPECT_EQ(begun, 1);
    atomic_store(&gate, 1);
    ox_complete(first, second);
    ox_jobs_stop();
    end_watch();
}

TEST(jobs_background, main_runs_frame_jobs_while_it_waits) {
    oxi_atomic_u32 begun = 0, count = 0;
    start_workers_of_test(0);
    watch_for_hang("a job in the background that another one lets go");
    ox_job held = ox_schedule_background(Hold, OX_NO_JOB, {.begun = &begun, .gate = &count});
    ox_job other = ox_schedule(Tick, OX_NO_JOB, {.count = &count});
    ox_jobs_kick();
    wait_for_value(&begun, 1, "a background job");

    ox_complete(held);

    EXPECT(ox_job_is_complete(other));
    ox_complete(other);
    end_watch();
    ox_jobs_stop();
}

TEST(jobs_background, outstanding_at_stop_are_run) {
    collected_reports reports;
    oxi_atomic_u32 count = 0;
    watch_for_hang("stop with background jobs outstanding");
    for (int round = 0; round < 20; round++) {
        start_workers_of_test(round % 3);
        collect_reports(&reports);
        for (int k = 0; k < 10; k++) {
            ox_job job = ox_schedule_background(Tick, OX_NO_JOB, {.count = &count});
            ox_schedule(Tick, job, {.count = &count});
        }
        ox_jobs_stop();
        EXPECT_REPORT(&reports, OX_REPORT_JOBS_OUTSTANDING);
    }
    EXPECT_EQ(count, 400);
    end_watch();
}

TEST(jobs_background, main_waits_for_run_on_threads_of_their_own) {
    oxi_atomic_u32 place = 0, count = 0;
    start_workers_of_test(1);
    for (uint32_t k = 0; k < 10; k++) {
        atomic_store(&place, 0);
        ox_job before =
            ox_schedule_background(NotePlace, OX_NO_JOB, {.place = &place, .count = &count});

        ox_complete(ox_schedule(Tick, before, {.count = &count}));

        EXPECT_EQ(place, 2);
        EXPECT_EQ(count, 2 * (k + 1));
    }
    ox_jobs_stop();
}
