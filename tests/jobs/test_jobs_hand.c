// SPDX-License-Identifier: MIT
//
// What a runner has in its hand, and what is left when all has stopped. Main plays the runner: its
// hand is filled with handles of a job that is done, which are stale and harm nobody.

#include "jobs_test.h"

#include "base/heap.h"
#include "jobs/timing.h"

#include <dirent.h>
#include <stdio.h>

OX_JOB(Tick, { OX_NO_SAFETY oxi_atomic_u32 *count; }) {
    atomic_fetch_add(job->count, 1);
}

static oxi_atomic_u32 ticks;

static ox_job schedule_tick(void) {
    return ox_schedule(Tick, OX_NO_JOB, {.count = &ticks});
}

// A job that is ready to run, with so many stale entries in main's hand.
static ox_job begin_with_hand(int entries, uint32_t average_ns) {
    start_workers_of_test(0);
    ox_job done = schedule_tick();
    ox_complete(done);
    ox_job_type_of(Tick)->oxi_average_ns = average_ns;
    for (int k = 0; k < entries; k++) {
        oxi_jobs.runners[0].taken[k] = done.value;
    }
    oxi_jobs.runners[0].taken_count = entries;
    return schedule_tick();
}

static int hand_after(ox_job job) {
    ox_complete(job);
    int count = oxi_jobs.runners[0].taken_count;
    oxi_jobs.runners[0].taken_count = 0;
    return count;
}

TEST(jobs_hand, is_shown_to_others_before_a_job_that_may_be_long) {
    for (int entries = 1; entries <= 3; entries++) {
        ox_job job = begin_with_hand(entries, OXI_TINY_JOB_NS);

        EXPECT_EQ(hand_after(job), 0);

        EXPECT(oxi_ring_has_entries(&oxi_jobs.runners[0].ring));
        ox_jobs_stop();
    }
}

TEST(jobs_hand, is_kept_during_a_tiny_job) {
    ox_job job = begin_with_hand(3, OXI_TINY_JOB_NS - 1);

    EXPECT_EQ(hand_after(job), 3);

    EXPECT(!oxi_ring_has_entries(&oxi_jobs.runners[0].ring));
    ox_jobs_stop();
}

TEST(jobs_hand, keeps_what_finds_no_room_in_a_ring) {
    ox_job job = begin_with_hand(3, OXI_TINY_JOB_NS);
    uint64_t stale = oxi_jobs.runners[0].taken[0];
    for (int k = 0; k < OXI_RING_SIZE - 1; k++) {
        EXPECT(oxi_ring_push(&oxi_jobs.runners[0].ring, stale));
    }

    oxi_fault_plan(OXI_FAULT_FROM, 0);
    int kept = hand_after(job);
    oxi_fault_plan(OXI_FAULT_NONE, 0);

    EXPECT_EQ(kept, 2);
    ox_jobs_stop();
}

// What is left.

static int count_threads(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/task");
    EXPECT(folder != NULL);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    closedir(folder);
    return count;
}

// A thread that was joined may be seen for a moment longer. With the first thread of all a
// sanitizer may start one of its own.
TEST(jobs_hand, stop_leaves_no_thread_behind) {
    start_workers_of_test(1);
    ox_jobs_stop();
    int before = count_threads(), after = 0;
    start_workers_of_test(4);
    wait_until_parked();
    ox_job job = ox_schedule_background(Tick, OX_NO_JOB, {.count = &ticks});
    ox_complete(job);

    ox_jobs_stop();

    for (int k = 0; k < WATCHDOG_SECONDS * 1000; k++) {
        after = count_threads();
        if (after <= before) {
            return;
        }
        sleep_us(1000);
    }
    test_fail(__FILE__, __LINE__, "%d threads, and %d before", after, before);
}

TEST_CHILD(background_and_stop) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    ox_complete(schedule_tick());
    ox_jobs_stop();
    uint64_t before = oxi_heap_get_blocks();
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    ox_complete(ox_schedule_background(Tick, OX_NO_JOB, {.count = &ticks}));
    ox_jobs_stop();
    fprintf(stderr, "%d blocks more\n", (int)(oxi_heap_get_blocks() - before));
}

// In a process of its own: nobody had background jobs before.
TEST(jobs_hand, stop_frees_the_queue_of_background_jobs) {
    EXPECT_EXITS(background_and_stop, "0 blocks more\n");
}
