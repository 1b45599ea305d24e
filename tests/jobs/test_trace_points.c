// SPDX-License-Identifier: MIT
//
// What the points of the scheduler note in a trace, one by one, and what a listener is told. Tests
// run without workers on a clock of their own; points are called as the scheduler calls them.

#include "test.h"

#include "base/platform.h"
#include "base/substitute.h"
#include "jobs/state.h"
#include "jobs/trace.h"
#include "oxbow/trace.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { START_NS = 1000000, ROUNDS = 20 };

static atomic_ullong clock_ns;

static uint64_t read_test_clock(void *context) {
    (void)context;
    return atomic_load(&clock_ns);
}

OX_JOB(Take, { uint64_t ns; }) {
    atomic_fetch_add(&clock_ns, job->ns);
}

OX_RANGE_JOB(Cover, { int unused; }) {
    (void)begin;
    (void)end;
}

static int64_t count_to_30(const void *job) {
    (void)job;
    return 30;
}

static void begin_trace(void) {
    atomic_store(&clock_ns, START_NS);
    oxi_clock_set_source(read_test_clock, NULL);
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
    EXPECT(ox_trace_begin(0));
}

static void end_trace(void) {
    ox_trace_clear();
    ox_jobs_stop();
    oxi_clock_set_source(NULL, NULL);
}

static int count_events(void) {
    int count;
    ox_trace_get_events(0, &count);
    return count;
}

static ox_trace_event get_event(int index) {
    int count;
    const ox_trace_event *events = ox_trace_get_events(0, &count);
    EXPECT(index < count);
    return events[index];
}

// Sleeping.

TEST(trace_points, a_sleep_is_told_once_when_it_has_ended) {
    begin_trace();
    atomic_fetch_add(&clock_ns, 100);
    oxi_trace_park(true);
    atomic_fetch_add(&clock_ns, 50);
    oxi_trace_park(false);
    atomic_fetch_add(&clock_ns, 7);

    ox_trace_end();

    EXPECT_EQ(count_events(), 1);
    ox_trace_event event = get_event(0);
    EXPECT_EQ(event.kind, OX_TRACE_SLEEP);
    EXPECT_STR(event.name, "park");
    EXPECT_EQ(event.begin_ns, START_NS + 100);
    EXPECT_EQ(event.end_ns, START_NS + 150);
    end_trace();
}

TEST(trace_points, a_sleep_that_goes_on_ends_with_the_trace) {
    begin_trace();
    atomic_fetch_add(&clock_ns, 100);
    oxi_trace_park(true);
    atomic_fetch_add(&clock_ns, 50);

    ox_trace_end();

    EXPECT_EQ(count_events(), 1);
    EXPECT_EQ(get_event(0).begin_ns, START_NS + 100);
    EXPECT_EQ(get_event(0).end_ns, START_NS + 150);
    end_trace();
}

TEST(trace_points, a_sleep_of_an_earlier_trace_is_taken_to_begin_with_this_one) {
    begin_trace();
    oxi_trace_park(true);
    ox_trace_end();
    atomic_fetch_add(&clock_ns, 100);
    EXPECT(ox_trace_begin(0));
    atomic_fetch_add(&clock_ns, 50);

    oxi_trace_park(false);

    EXPECT_EQ(count_events(), 1);
    EXPECT_EQ(get_event(0).begin_ns, START_NS + 100);
    EXPECT_EQ(get_event(0).end_ns, START_NS + 150);
    end_trace();
}

// A runner sees that recording is on, and it ends before the runner has entered its log.
TEST(trace_points, that_come_after_the_end_note_nothing_and_hold_nobody_up) {
    begin_trace();
    ox_job job = ox_schedule(Take, OX_NO_JOB, {.ns = 1});
    const oxi_slot *slot = oxi_slot_of(job);
    oxi_trace_mark mark = {START_NS};
    ox_trace_end();

    oxi_trace_add_park(true);
    oxi_trace_add_park(false);
    oxi_trace_add_finished(slot, oxi_job_version(job));
    oxi_trace_add_ready(slot);
    oxi_trace_add_kicked(slot);
    oxi_trace_add_run(mark, slot);
    oxi_trace_add_range(mark, slot, 0, 1);

    EXPECT_EQ(count_events(), 0);
    EXPECT(ox_trace_begin(0));
    ox_trace_end(); // waits until no runner is in its log
    EXPECT_EQ(count_events(), 0);
    ox_complete(job);
    end_trace();
}

TEST(trace_points, a_run_that_began_under_an_earlier_trace_is_not_told) {
    begin_trace();
    ox_job job = ox_schedule(Take, OX_NO_JOB, {.ns = 1});
    oxi_trace_mark mark = oxi_trace_begin();
    atomic_fetch_add(&clock_ns, 100);
    EXPECT(ox_trace_begin(0));

    oxi_trace_add_run(mark, oxi_slot_of(job));
    EXPECT_EQ(count_events(), 0);
    oxi_trace_add_run(oxi_trace_begin(), oxi_slot_of(job));
    EXPECT_EQ(count_events(), 1);

    ox_complete(job);
    end_trace();
}

TEST(trace_points, a_job_that_is_not_kicked_has_no_time_of_a_kick) {
    begin_trace();
    atomic_fetch_add(&clock_ns, 10);
    ox_job job = ox_schedule(Take, OX_NO_JOB, {.ns = 1});

    oxi_trace_add_run(oxi_trace_begin(), oxi_slot_of(job));

    EXPECT_EQ(get_event(0).schedule_ns, START_NS + 10);
    EXPECT_EQ(get_event(0).ready_ns, START_NS + 10);
    EXPECT_EQ(get_event(0).kick_ns, 0);
    ox_complete(job);
    end_trace();
}

TEST(trace_points, ranges_have_no_cause) {
    begin_trace();
    ox_job job = ox_schedule_for(Cover, 10, 10, OX_NO_JOB, {0});
    atomic_fetch_add(&clock_ns, 5000);
    ox_complete(job);

    EXPECT_EQ(count_events(), 2);
    EXPECT_EQ(get_event(0).kind, OX_TRACE_RANGE);
    EXPECT_EQ(get_event(0).cause, OX_TRACE_NOTHING);
    EXPECT_EQ(get_event(0).end, 10);
    EXPECT_EQ(get_event(1).kind, OX_TRACE_JOB);
    EXPECT_EQ(get_event(1).cause, OX_TRACE_NOT_KICKED);
    end_trace();
}

// Causes, at the times where they change.

static ox_trace_cause cause_of(uint64_t held_ns, uint64_t queued_ns) {
    begin_trace();
    ox_job job = ox_schedule(Take, OX_NO_JOB, {.ns = 1});
    atomic_fetch_add(&clock_ns, held_ns);
    oxi_trace_add_kicked(oxi_slot_of(job));
    atomic_fetch_add(&clock_ns, queued_ns);
    oxi_trace_add_run(oxi_trace_begin(), oxi_slot_of(job));
    ox_trace_cause cause = get_event(0).cause;
    ox_complete(job);
    end_trace();
    return cause;
}

TEST(trace_points, the_shortest_time_that_is_a_cause_is_one) {
    enum { SHORTEST = OX_TRACE_SHORTEST_NS };
    EXPECT_EQ(cause_of(SHORTEST - 1, 0), OX_TRACE_NOTHING);
    EXPECT_EQ(cause_of(SHORTEST, 0), OX_TRACE_NOT_KICKED);
    EXPECT_EQ(cause_of(0, SHORTEST - 1), OX_TRACE_NOTHING);
    EXPECT_EQ(cause_of(0, SHORTEST), OX_TRACE_NO_FREE_WORKER);
}

TEST(trace_points, the_longer_of_two_times_is_the_cause_and_the_earlier_of_equal_ones) {
    EXPECT_EQ(cause_of(5000, 5000), OX_TRACE_NOT_KICKED);
    EXPECT_EQ(cause_of(5000, 5001), OX_TRACE_NO_FREE_WORKER);
    EXPECT_EQ(cause_of(5001, 5000), OX_TRACE_NOT_KICKED);
}

// Records.

// Jobs from before the trace have no records, however many there are, and slots that are used
// again have those of their new jobs.
TEST(trace_points, know_nothing_of_many_jobs_from_before_the_trace) {
    enum { MANY = 3000 };
    static ox_job jobs[MANY];
    begin_trace();
    ox_trace_clear();
    ox_job first = ox_schedule(Take, OX_NO_JOB, {.ns = 0});
    for (int k = 0; k < MANY; k++) {
        jobs[k] = ox_schedule(Take, OX_NO_JOB, {.ns = 0});
    }
    ox_complete(first);
    EXPECT(ox_trace_begin(0));
    ox_job again = ox_schedule(Take, OX_NO_JOB, {.ns = 0});
    EXPECT_EQ(oxi_job_index(again), oxi_job_index(first));

    ox_complete(again);
    ox_complete_at(jobs, MANY, OX_HERE);

    EXPECT_EQ(count_events(), MANY + 1);
    EXPECT_EQ(get_event(0).schedule_ns, START_NS);
    for (int k = 1; k <= MANY; k++) {
        EXPECT_EQ(get_event(k).schedule_ns, 0);
    }
    end_trace();
}

TEST(trace_points, know_all_of_many_jobs) {
    enum { MANY = 3000 };
    static ox_job jobs[MANY];
    begin_trace();
    for (int k = 0; k < MANY; k++) {
        jobs[k] = ox_schedule(Take, OX_NO_JOB, {.ns = 0});
    }

    ox_complete_at(jobs, MANY, OX_HERE);

    EXPECT_EQ(count_events(), MANY);
    for (int k = 0; k < MANY; k++) {
        EXPECT_EQ(get_event(k).schedule_ns, START_NS);
    }
    end_trace();
}

// What the process has reserved, in pages.
static long read_address_space(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    EXPECT(file != NULL && fscanf(file, "%ld", &pages) == 1);
    fclose(file);
    return pages;
}

TEST(trace_points, a_trace_that_has_ended_leaves_no_address_space_behind) {
    begin_trace();
    ox_trace_end();
    long before = read_address_space();

    for (int k = 0; k < ROUNDS; k++) {
        EXPECT(ox_trace_begin(0));
        ox_complete(ox_schedule(Take, OX_NO_JOB, {.ns = 1}));
        ox_trace_end();
    }

    long one_trace = (long)(OXI_JOB_SLOTS * sizeof(uint64_t) / oxi_page_size());
    EXPECT(read_address_space() - before < one_trace);
    end_trace();
}

// Listeners.

typedef struct heard {
    int jobs, combinations;
    oxi_trace_told told;
    ox_job combined;
    ox_job parts[OXI_EDGES];
    uint32_t part_count;
} heard;

static void hear_combined(void *context, ox_job combined, const ox_job *parts, uint32_t count) {
    heard *all = context;
    all->combinations++;
    all->combined = combined;
    all->part_count = count;
    memcpy(all->parts, parts, count * sizeof *parts);
}

static void hear_scheduled(void *context, const oxi_trace_told *told) {
    heard *all = context;
    all->jobs++;
    all->told = *told;
}

TEST(trace_points, a_listener_is_told_all_of_a_single_job) {
    heard all = {0};
    const oxi_trace_listener listener = {hear_combined, hear_scheduled, &all};
    begin_trace();
    EXPECT(oxi_trace_set_listener(&listener) == NULL);
    ox_job first = ox_schedule(Take, OX_NO_JOB, {.ns = 1});

    ox_job job = ox_schedule(Take, first, {.ns = 1});

    EXPECT_EQ(all.jobs, 2);
    EXPECT_EQ(all.combinations, 0);
    EXPECT_EQ(all.told.job.value, job.value);
    EXPECT_EQ(all.told.after.value, first.value);
    EXPECT(all.told.type == ox_job_type_of(Take));
    EXPECT(strstr(all.told.site, "test_trace_points.c") != NULL);
    EXPECT_EQ(all.told.units, 1);
    EXPECT_EQ(all.told.batch, 1);
    EXPECT(!all.told.in_background);
    ox_complete(job);
    EXPECT(oxi_trace_set_listener(NULL) == &listener);
    end_trace();
}

TEST(trace_points, a_listener_is_told_the_batches_of_a_parallel_job) {
    static const struct {
        int count, batch, units;
    } cases[] = {
        {1, 4, 1}, {4, 4, 1}, {5, 4, 2}, {8, 4, 2}, {100, 1, 100},
    };
    heard all = {0};
    const oxi_trace_listener listener = {hear_combined, hear_scheduled, &all};
    begin_trace();
    oxi_trace_set_listener(&listener);

    for (int k = 0; k < 5; k++) {
        ox_complete(ox_schedule_for(Cover, cases[k].count, cases[k].batch, OX_NO_JOB, {0}));
        EXPECT_EQ(all.told.units, cases[k].units);
        EXPECT_EQ(all.told.batch, cases[k].batch);
    }
    ox_complete(ox_schedule_for_counted(Cover, count_to_30, 4, OX_NO_JOB, {0}));
    EXPECT_EQ(all.told.units, 0);
    EXPECT_EQ(all.told.batch, 4);

    oxi_trace_set_listener(NULL);
    end_trace();
}

TEST(trace_points, a_listener_is_told_of_combinations_while_recording_is_on) {
    heard all = {0};
    const oxi_trace_listener listener = {hear_combined, hear_scheduled, &all};
    begin_trace();
    oxi_trace_set_listener(&listener);
    ox_job a = ox_schedule(Take, OX_NO_JOB, {.ns = 1}), b = ox_schedule(Take, OX_NO_JOB, {.ns = 1});

    ox_job both = ox_combine(a, b);

    EXPECT_EQ(all.combinations, 1);
    EXPECT_EQ(all.combined.value, both.value);
    EXPECT_EQ(all.part_count, 2);
    EXPECT_EQ(all.parts[0].value, a.value);
    EXPECT_EQ(all.parts[1].value, b.value);
    ox_trace_end();
    ox_complete(ox_combine(a, both));
    EXPECT_EQ(all.combinations, 1);
    EXPECT_EQ(all.jobs, 2);
    oxi_trace_set_listener(NULL);
    end_trace();
}
