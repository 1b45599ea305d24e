// SPDX-License-Identifier: MIT
//
// Nothing behind the last slot is looked at. The slots are filled up to the end of their memory, so
// that a look at the next one would be a fault; then each thing that goes through all slots, or
// follows a handle of any bits, is done once.

#include "jobs_test.h"

#include "jobs/complete.h"
#include "oxbow/trace.h"

#include <stdio.h>
#include <sys/resource.h>

static oxi_atomic_u32 ran;

OX_JOB(Tick, { int unused; }) {
    atomic_fetch_add(&ran, 1);
}

enum { MOST = 1 << 16 };
static ox_job jobs[MOST];

static bool is_next_behind_memory(void) {
    size_t count = atomic_load(&oxi_jobs.slot_count);
    return count * sizeof(oxi_slot) == oxi_jobs.slot_region.committed;
}

// Schedules jobs until the slots end where their memory does. Returns how many.
static int fill_slots(void) {
    int count = 0;
    atomic_store(&ran, 0);
    do {
        jobs[count++] = ox_schedule(Tick, OX_NO_JOB, {0});
    } while (!is_next_behind_memory() && count < MOST);
    EXPECT(is_next_behind_memory());
    return count;
}

TEST(jobs_bounds, a_handle_of_the_slot_behind_the_last_is_complete) {
    start_workers_of_test(0);
    int count = fill_slots();
    ox_job behind = {UINT64_C(1) << OXI_INDEX_BITS | atomic_load(&oxi_jobs.slot_count)};
    ox_complete(jobs[0], jobs[1], jobs[2]); // their slots are used from here on

    EXPECT(ox_job_is_complete(behind));
    EXPECT(!oxi_job_is_known(behind));
    EXPECT(oxi_job_get_name(behind) == NULL);
    jobs[0] = ox_schedule(Tick, behind, {0});
    jobs[1] = ox_combine(behind, jobs[0]);

    ox_complete_at(jobs, count, OX_HERE);
    EXPECT_EQ(atomic_load(&ran), (uint32_t)count + 1);
    EXPECT(is_next_behind_memory());
    ox_jobs_stop();
}

TEST(jobs_bounds, a_trace_takes_a_handle_of_the_slot_behind_the_last) {
    start_workers_of_test(0);
    int count = fill_slots();
    ox_job behind = {UINT64_C(1) << OXI_INDEX_BITS | atomic_load(&oxi_jobs.slot_count)};
    ox_complete(jobs[0]);
    EXPECT(ox_trace_begin(0));

    jobs[0] = ox_schedule(Tick, behind, {0});

    ox_complete_at(jobs, count, OX_HERE);
    EXPECT_EQ(atomic_load(&ran), (uint32_t)count + 1);
    ox_trace_clear();
    ox_jobs_stop();
}

TEST(jobs_bounds, a_look_for_jobs_in_no_queue_ends_with_the_last_slot) {
    start_workers_of_test(0);
    int count = fill_slots();
    ox_complete_at(jobs, count - 1, OX_HERE);
    ox_job last = ox_schedule_background(Tick, OX_NO_JOB, {0});
    atomic_store(&oxi_jobs.unqueued, 1);

    ox_complete(last, jobs[count - 1]);

    EXPECT_EQ(atomic_load(&ran), (uint32_t)count + 1);
    ox_jobs_stop();
}

TEST(jobs_bounds, stop_completes_all_up_to_the_last_slot) {
    collected_reports reports = {0};
    start_workers_of_test(0);
    int count = fill_slots();
    collect_reports(&reports);

    ox_jobs_stop();

    EXPECT_REPORT(&reports, OX_REPORT_JOBS_OUTSTANDING);
    EXPECT_EQ(atomic_load(&ran), (uint32_t)count);
}

// Sanitizers need addresses without a limit, and an emulator keeps the limit to itself.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(TEST_IS_EMULATED)

TEST_CHILD(fill_slots_within_24_mib) {
    struct rlimit limit = {0};
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = (rlim_t)24 << 20;
    setrlimit(RLIMIT_AS, &limit);
    collected_reports reports;
    start_workers_of_test(0);
    collect_reports(&reports);
    while (reports.count == 0) {
        ox_schedule(Tick, OX_NO_JOB, {0});
    }
    fprintf(stderr, "%s\n", reports.text);
    exit(0);
}

TEST(jobs_bounds, a_process_with_few_addresses_has_room_for_1023_jobs) {
    EXPECT_EXITS(fill_slots_within_24_mib, "1023 slots are in use");
}
#endif
