// SPDX-License-Identifier: MIT
//
// Traces: what is recorded, what is not, and what is said about waiting. Most tests run without
// workers on a clock of their own, which moves only when a job says so.

#include "test.h"

#include "base/heap.h"
#include "base/substitute.h"
#include "jobs/state.h"
#include "jobs/trace.h"
#include "oxbow/memory.h"
#include "oxbow/trace.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_ullong clock_ns, clock_reads;

static uint64_t read_test_clock(void *context) {
    (void)context;
    atomic_fetch_add(&clock_reads, 1);
    return atomic_load(&clock_ns);
}

OX_JOB(Take, { uint64_t ns; }) {
    atomic_fetch_add(&clock_ns, job->ns);
}

OX_RANGE_JOB(Cover, { OX_NO_SAFETY atomic_int *sum; }) {
    atomic_fetch_add(job->sum, end - begin);
}

OX_JOB(BeginTrace, { int unused; }) {
    ox_trace_begin(0);
}

static void start_alone(void) {
    atomic_store(&clock_ns, 1000000);
    oxi_clock_set_source(read_test_clock, NULL);
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS});
}

static void stop_alone(void) {
    ox_trace_clear();
    ox_jobs_stop();
    oxi_clock_set_source(NULL, NULL);
}

static int count_events(int thread, ox_trace_kind kind) {
    int count, found = 0;
    const ox_trace_event *events = ox_trace_get_events(thread, &count);
    for (int k = 0; k < count; k++) {
        found += events[k].kind == kind;
    }
    return found;
}

// The run of a job that main ran, or a zeroed event.
static ox_trace_event find_run(ox_job job) {
    int count;
    const ox_trace_event *events = ox_trace_get_events(0, &count);
    for (int k = 0; k < count; k++) {
        if (events[k].kind == OX_TRACE_JOB && events[k].job.value == job.value) {
            return events[k];
        }
    }
    return (ox_trace_event){0};
}

TEST(trace, tells_of_each_job_what_ran_where_and_when) {
    start_alone();
    EXPECT(ox_trace_begin(0));
    uint64_t start = ox_trace_get_start();

    ox_job job = ox_schedule(Take, OX_NO_JOB, {.ns = 700});
    ox_site site = OX_HERE;
    ox_complete(job);
    ox_trace_end();

    ox_trace_event run = find_run(job);
    EXPECT_STR(run.name, "Take");
    EXPECT(strncmp(run.site, site, strlen("tests/jobs/test_trace.c")) == 0);
    EXPECT_EQ(run.worker, 0);
    EXPECT_EQ(run.begin_ns, start);
    EXPECT_EQ(run.end_ns, start + 700);
    EXPECT_EQ(run.schedule_ns, start);
    EXPECT_EQ(run.cause, OX_TRACE_NOTHING);
    stop_alone();
}

TEST(trace, says_that_a_job_waited_for_another) {
    start_alone();
    ox_trace_begin(0);

    ox_job first = ox_schedule(Take, OX_NO_JOB, {.ns = 5000});
    ox_job second = ox_schedule(Take, first, {.ns = 10});
    ox_complete(second);

    ox_trace_event run = find_run(second);
    EXPECT_EQ(run.cause, OX_TRACE_DEPENDENCY);
    EXPECT_EQ(run.waited_for.value, first.value);
    EXPECT_EQ(run.ready_ns, run.kick_ns + 5000);
    stop_alone();
}

TEST(trace, says_that_a_job_was_not_kicked) {
    start_alone();
    ox_trace_begin(0);

    ox_job job = ox_schedule(Take, OX_NO_JOB, {.ns = 10});
    atomic_fetch_add(&clock_ns, 5000);
    ox_complete(job);

    ox_trace_event run = find_run(job);
    EXPECT_EQ(run.cause, OX_TRACE_NOT_KICKED);
    EXPECT_EQ(run.kick_ns, run.schedule_ns + 5000);
    EXPECT_EQ(run.waited_for.value, 0);
    stop_alone();
}

TEST(trace, says_that_no_worker_was_free) {
    start_alone();
    ox_trace_begin(0);

    ox_job first = ox_schedule(Take, OX_NO_JOB, {.ns = 5000});
    ox_job second = ox_schedule(Take, OX_NO_JOB, {.ns = 5000});
    ox_complete(first, second);

    ox_trace_event a = find_run(first), b = find_run(second);
    ox_trace_event later = a.begin_ns > b.begin_ns ? a : b;
    EXPECT_EQ(later.begin_ns, later.ready_ns + 5000);
    EXPECT_EQ(later.cause, OX_TRACE_NO_FREE_WORKER);
    EXPECT_EQ((a.begin_ns > b.begin_ns ? b : a).cause, OX_TRACE_NOTHING);
    stop_alone();
}

TEST(trace, says_nothing_of_a_worker_that_was_free_soon) {
    start_alone();
    ox_trace_begin(0);

    ox_job first = ox_schedule(Take, OX_NO_JOB, {.ns = 400});
    ox_job second = ox_schedule(Take, OX_NO_JOB, {.ns = 400});
    ox_complete(first, second);

    EXPECT_NE(find_run(first).begin_ns, find_run(second).begin_ns);
    EXPECT_EQ(find_run(first).cause, OX_TRACE_NOTHING);
    EXPECT_EQ(find_run(second).cause, OX_TRACE_NOTHING);
    stop_alone();
}

TEST(trace, looks_through_combinations_to_the_job_that_ended_last) {
    start_alone();
    ox_trace_begin(0);
    ox_job jobs[9];
    for (int k = 0; k < 9; k++) {
        jobs[k] = ox_schedule(Take, OX_NO_JOB, {.ns = 3000});
    }

    ox_job all = ox_combine_at(jobs, 9, OX_HERE);
    ox_job after = ox_schedule(Take, all, {.ns = 10});
    ox_complete(after);

    ox_job last = jobs[0];
    for (int k = 1; k < 9; k++) {
        last = find_run(jobs[k]).end_ns > find_run(last).end_ns ? jobs[k] : last;
    }
    EXPECT_EQ(find_run(after).waited_for.value, last.value);
    EXPECT_EQ(find_run(after).cause, OX_TRACE_DEPENDENCY);
    stop_alone();
}

TEST(trace, keeps_a_predecessor_that_was_done_already) {
    start_alone();
    ox_trace_begin(0);
    ox_job first = ox_schedule(Take, OX_NO_JOB, {.ns = 5000});
    ox_job both = ox_combine(first, OX_NO_JOB, first);
    ox_complete(both);

    ox_job direct = ox_schedule(Take, first, {.ns = 10});
    ox_complete(direct);
    ox_job behind = ox_schedule(Take, both, {.ns = 10});
    ox_complete(behind);

    EXPECT_EQ(find_run(direct).waited_for.value, first.value);
    EXPECT_EQ(find_run(direct).cause, OX_TRACE_NOTHING);
    EXPECT_EQ(find_run(behind).waited_for.value, first.value);
    stop_alone();
}

TEST(trace, knows_nothing_of_what_came_before_it) {
    start_alone();
    ox_job before = ox_schedule(Take, OX_NO_JOB, {.ns = 10});
    ox_trace_begin(0);

    ox_complete(before);
    ox_run(Take, {.ns = 10});

    int count;
    const ox_trace_event *events = ox_trace_get_events(0, &count);
    EXPECT_EQ(count, 2);
    EXPECT_EQ(events[0].job.value, before.value);
    EXPECT_EQ(events[0].schedule_ns, 0);
    EXPECT_EQ(events[0].cause, OX_TRACE_NOTHING);
    EXPECT_EQ(events[1].job.value, 0);
    EXPECT_EQ(events[1].end_ns - events[1].begin_ns, 10);
    stop_alone();
}

TEST(trace, shows_a_parallel_job_that_ran_in_place) {
    atomic_int sum = 0;
    start_alone();
    ox_trace_begin(0);

    ox_run_for(Cover, 10, 5, {.sum = &sum});

    EXPECT_EQ(count_events(0, OX_TRACE_JOB), 1);
    EXPECT_EQ(sum, 10);
    stop_alone();
}

TEST(trace, that_is_off_records_nothing_and_reads_no_clock) {
    start_alone();
    ox_complete(ox_schedule(Take, OX_NO_JOB, {.ns = 10})); // the first run of a type is timed
    EXPECT(!ox_trace_is_recording());

    unsigned long long reads = atomic_load(&clock_reads);
    ox_complete(ox_schedule(Take, OX_NO_JOB, {.ns = 10}));

    EXPECT_EQ(atomic_load(&clock_reads), reads);
    EXPECT_EQ(ox_trace_get_thread_count(), 0);
    int count = 1;
    EXPECT(ox_trace_get_events(0, &count) == NULL);
    EXPECT_EQ(count, 0);
    stop_alone();
}

TEST(trace, that_has_ended_takes_no_more) {
    start_alone();
    ox_trace_begin(0);
    EXPECT(ox_trace_is_recording());
    ox_complete(ox_schedule(Take, OX_NO_JOB, {.ns = 10}));
    ox_trace_end();

    ox_complete(ox_schedule(Take, OX_NO_JOB, {.ns = 10}));

    EXPECT(!ox_trace_is_recording());
    EXPECT_EQ(count_events(0, OX_TRACE_JOB), 1);
    ox_trace_begin(0);
    EXPECT_EQ(count_events(0, OX_TRACE_JOB), 0);
    stop_alone();
}

TEST(trace, counts_what_it_drops_and_keeps_the_oldest) {
    start_alone();
    ox_trace_begin(4);
    ox_job first = ox_schedule(Take, OX_NO_JOB, {.ns = 10});
    ox_complete(first);

    for (int k = 0; k < 9; k++) {
        ox_complete(ox_schedule(Take, OX_NO_JOB, {.ns = 10}));
    }

    EXPECT_EQ(count_events(0, OX_TRACE_JOB), 4);
    EXPECT_EQ(ox_trace_get_dropped(), 6);
    EXPECT_EQ(find_run(first).job.value, first.value);
    ox_trace_clear();
    EXPECT_EQ(ox_trace_get_dropped(), 0);
    stop_alone();
}

// Counts the ranges of one thread by size. Each must start at a multiple of 64, and lie inside of
// its thread's share of the job.
static void count_ranges(int thread, int *whole, int *rest) {
    int count;
    const ox_trace_event *events = ox_trace_get_events(thread, &count);
    const ox_trace_event *share = count > 0 ? &events[count - 1] : NULL;
    for (int k = count - 1; k >= 0; k--) {
        const ox_trace_event *event = &events[k];
        share = event->kind == OX_TRACE_JOB ? event : share;
        if (event->kind == OX_TRACE_RANGE) {
            EXPECT_EQ(event->begin % 64, 0);
            EXPECT(event->begin_ns >= share->begin_ns && event->end_ns <= share->end_ns);
            EXPECT_EQ(event->job.value, share->job.value);
            *whole += event->end - event->begin == 64;
            *rest += event->end == 1000 && event->begin == 960;
        }
    }
}

TEST(trace, shows_fifteen_ranges_of_64_and_one_of_40) {
    atomic_int sum = 0;
    ox_jobs_start(&(ox_jobs_def){.worker_count = 3});
    ox_trace_begin(0);

    ox_job job = ox_schedule_for(Cover, 1000, 64, OX_NO_JOB, {.sum = &sum});
    ox_complete(job);
    ox_jobs_stop();

    int whole = 0, rest = 0, ranges = 0;
    for (int thread = 0; thread < ox_trace_get_thread_count(); thread++) {
        ranges += count_events(thread, OX_TRACE_RANGE);
        count_ranges(thread, &whole, &rest);
    }
    EXPECT_EQ(atomic_load(&sum), 1000);
    EXPECT_EQ(ranges, 16);
    EXPECT_EQ(whole, 15);
    EXPECT_EQ(rest, 1);
    ox_trace_clear();
}

static void wait_until_asleep(int worker) {
    while ((oxi_load_seq(&oxi_jobs.idle) >> worker & 1) == 0) {
        usleep(1000);
    }
    usleep(20000); // it is about to be
}

TEST(trace, shows_when_a_worker_sleeps) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = 1, .spin_us = OX_NO_SPIN});
    wait_until_asleep(1);
    ox_trace_begin(0);

    ox_job job = ox_schedule(Take, OX_NO_JOB, {.ns = 1});
    ox_jobs_kick();
    while (!ox_job_is_complete(job)) {
        usleep(1000);
    }
    wait_until_asleep(1);
    ox_trace_end();

    int count;
    const ox_trace_event *events = ox_trace_get_events(1, &count);
    EXPECT(count >= 3);
    EXPECT_EQ(events[0].kind, OX_TRACE_SLEEP); // since before the trace
    EXPECT_EQ(events[0].begin_ns, ox_trace_get_start());
    EXPECT_EQ(events[count - 1].kind, OX_TRACE_SLEEP); // up to its end
    EXPECT(events[count - 1].end_ns - events[count - 1].begin_ns > 1000000);
    EXPECT_EQ(count_events(1, OX_TRACE_JOB), 1);
    ox_trace_clear();
    ox_jobs_stop();
}

TEST(trace, shows_background_threads_behind_the_workers) {
    ox_jobs_start(&(ox_jobs_def){.worker_count = 1});
    ox_trace_begin(0);

    ox_job job = ox_schedule_background(Take, OX_NO_JOB, {.ns = 1});
    ox_jobs_kick();
    while (!ox_job_is_complete(job)) {
        usleep(1000);
    }

    EXPECT_EQ(ox_trace_get_thread_count(), 3);
    EXPECT_EQ(count_events(2, OX_TRACE_JOB), 1);
    ox_trace_clear();
    ox_jobs_stop();
}

TEST(trace, begins_and_ends_while_jobs_run) {
    atomic_int sum = 0;
    int rounds = (int)test_scaled(100);
    ox_jobs_start(&(ox_jobs_def){.worker_count = 3});

    for (int round = 0; round < rounds; round++) {
        ox_job job = OX_NO_JOB, chain = OX_NO_JOB;
        for (int k = 0; k < 20; k++) {
            chain = ox_schedule(Take, chain, {.ns = 1});
            ox_job loop = ox_schedule_for(Cover, 100, 4, chain, {.sum = &sum});
            job = ox_combine(job, loop);
            if (k % 5 == 0) {
                ox_jobs_kick();
                EXPECT(ox_trace_begin(64));
            } else if (k % 5 == 3) {
                ox_trace_end();
            }
        }
        ox_complete(job);
        ox_trace_clear();
    }

    EXPECT_EQ(atomic_load(&sum), rounds * 2000);
    ox_jobs_stop();
}

TEST(trace, stays_when_the_job_system_stops) {
    ox_trace_begin(16);
    ox_complete(ox_schedule(Take, OX_NO_JOB, {.ns = 1}));

    ox_jobs_stop();

    EXPECT(!ox_trace_is_recording());
    EXPECT_EQ(count_events(0, OX_TRACE_JOB), 1);
    EXPECT_EQ(ox_jobs_get_def().spin_us, 0); // looking did not start it again
    ox_trace_clear();
    EXPECT_EQ(ox_trace_get_thread_count(), 0);
}

// Writing.

static size_t read_trace_file(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "rb");
    EXPECT(file != NULL);
    size_t length = fread(text, 1, size - 1, file);
    text[length] = 0;
    fclose(file);
    return length;
}

TEST(trace, is_written_with_names_times_and_arrows) {
    static char text[65536];
    char path[] = "/tmp/oxbow_traceXXXXXX";
    close(mkstemp(path));
    start_alone();
    ox_trace_begin(0);
    ox_job first = ox_schedule(Take, OX_NO_JOB, {.ns = 1500});
    ox_complete(ox_schedule(Take, first, {.ns = 10}));

    EXPECT(ox_trace_write_chrome(path));

    read_trace_file(path, text, sizeof text);
    EXPECT_HAS(text, "\"ph\":\"M\",\"name\":\"thread_name\"");
    EXPECT_HAS(text, "\"cat\":\"job\",\"ts\":0,\"dur\":1.5");
    EXPECT_HAS(text, "\"held_by\":\"dependency\"");
    EXPECT_HAS(text, "\"waited_for\":{\"name\":\"Take\"");
    EXPECT_HAS(text, "\"ph\":\"s\",\"name\":\"dependency\",\"pid\":1,\"tid\":1,"
                     "\"cat\":\"dependency\",\"id\":1,\"ts\":1.499}");
    EXPECT_HAS(text, "\"id\":1,\"ts\":1.5,\"bp\":\"e\"}");
    EXPECT_EQ(unlink(path), 0);
    stop_alone();
}

TEST(trace, that_is_empty_can_be_written) {
    static char text[1024];
    char path[] = "/tmp/oxbow_traceXXXXXX";
    close(mkstemp(path));

    EXPECT(ox_trace_write_chrome(path));

    size_t length = read_trace_file(path, text, sizeof text);
    EXPECT(length > 0);
    EXPECT_HAS(text, "\"traceEvents\":[");
    EXPECT_EQ(unlink(path), 0);
}

TEST(trace, that_cannot_be_written_is_reported) {
    collected_reports reports;
    collect_reports(&reports);

    EXPECT(!ox_trace_write_chrome("/no/such/folder/trace.json"));
    EXPECT_REPORT(&reports, OX_REPORT_TRACE_NOT_WRITTEN);
    EXPECT_HAS(reports.text, "/no/such/folder/trace.json");

    EXPECT(!ox_trace_write_chrome("/dev/full"));
    EXPECT_REPORT(&reports, OX_REPORT_TRACE_NOT_WRITTEN);

    EXPECT(!ox_trace_write_chrome(NULL));
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
}

TEST(trace, that_cannot_be_begun_is_reported) {
    collected_reports reports;
    start_alone();
    collect_reports(&reports);

    EXPECT(!ox_trace_begin(-1));
    EXPECT_REPORT(&reports, OX_REPORT_BAD_RANGE);
    oxi_fault_plan(OXI_FAULT_FROM, 0);
    EXPECT(!ox_trace_begin(0));
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);

    ox_complete(ox_schedule(BeginTrace, OX_NO_JOB, {0}));
    EXPECT_REPORT(&reports, OX_REPORT_INSIDE_JOB);
    EXPECT(ox_trace_get_events(0, NULL) == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_NULL_ARGUMENT);
    EXPECT(!ox_trace_is_recording());
    stop_alone();
}

// Begins, records, writes and clears: each may be refused, and nothing is left behind.
static void trace_with_failures(void) {
    bool begun = ox_trace_begin(8);
    EXPECT_EQ(ox_trace_is_recording(), begun);
    ox_job first = ox_schedule(Take, OX_NO_JOB, {.ns = 10});
    ox_complete(ox_schedule(Take, first, {.ns = 10}));
    uint64_t failures = oxi_fault_get_failures();
    bool is_written = ox_trace_write_chrome("/dev/null");
    EXPECT_EQ(is_written, oxi_fault_get_failures() == failures);
    ox_trace_clear();
}

TEST(trace, survives_every_failed_call) {
    start_alone();
    trace_with_failures();

    test_fault_sweep("trace", trace_with_failures);

    stop_alone();
}

TEST(trace, has_no_events_of_threads_that_are_not_there) {
    start_alone();
    ox_trace_begin(0);
    ox_complete(ox_schedule(Take, OX_NO_JOB, {.ns = 10}));
    const int threads[] = {-1, ox_trace_get_thread_count(), INT_MIN, INT_MAX};

    for (int k = 0; k < 4; k++) {
        int count = 1;
        EXPECT(ox_trace_get_events(threads[k], &count) == NULL);
        EXPECT_EQ(count, 0);
    }
    stop_alone();
}

OX_JOB(LookAtEvents, { OX_NO_SAFETY int *count; }) {
    EXPECT(ox_trace_get_events(0, job->count) == NULL);
}

TEST(trace, shows_no_events_to_a_job) {
    collected_reports reports = {0};
    int count = 1;
    start_alone();
    ox_trace_begin(0);
    ox_complete(ox_schedule(Take, OX_NO_JOB, {.ns = 10}));
    collect_reports(&reports);

    ox_complete(ox_schedule(LookAtEvents, OX_NO_JOB, {.count = &count}));

    EXPECT_REPORT(&reports, OX_REPORT_INSIDE_JOB);
    EXPECT_EQ(count, 0);
    stop_alone();
}

// The largest block that is asked for while hooks look.
static size_t largest_block;

static void *note_largest(size_t size, size_t align, void *context) {
    largest_block = size > largest_block ? size : largest_block;
    return test_strict_alloc(size, align, context);
}

TEST(trace, that_is_long_is_written_in_pieces) {
    enum { MANY = 2000, TEXT_OF_ONE = 200 };
    start_alone();
    ox_trace_begin(0);
    for (int k = 0; k < MANY; k++) {
        ox_complete(ox_schedule(Take, OX_NO_JOB, {.ns = 10}));
    }
    largest_block = 0;
    oxi_heap_forget();
    ox_memory_set_hooks(&(ox_allocator_def){.alloc_fn = note_largest, .free_fn = test_strict_free});

    EXPECT(ox_trace_write_chrome("/dev/null"));

    EXPECT(largest_block > 0 && largest_block < MANY * TEXT_OF_ONE / 2);
    oxi_heap_forget();
    test_use_strict_heap();
    stop_alone();
}

static void ignore_combined(void *context, ox_job combined, const ox_job *parts, uint32_t count) {
    (void)context;
    (void)combined;
    (void)parts;
    (void)count;
}

static void note_told(void *context, const oxi_trace_told *told) {
    *(oxi_trace_told *)context = *told;
}

TEST(trace, tells_a_listener_which_jobs_run_in_the_background) {
    oxi_trace_told told = {0};
    const oxi_trace_listener listener = {ignore_combined, note_told, &told};
    start_alone();
    ox_trace_begin(0);
    const oxi_trace_listener *before = oxi_trace_set_listener(&listener);

    ox_job frame = ox_schedule(Take, OX_NO_JOB, {.ns = 10});
    EXPECT(told.job.value == frame.value && !told.in_background);
    ox_job background = ox_schedule_background(Take, OX_NO_JOB, {.ns = 10});
    EXPECT(told.job.value == background.value && told.in_background);

    ox_complete(frame, background);
    oxi_trace_set_listener(before);
    stop_alone();
}

TEST(trace, names_threads_as_the_system_knows_them) {
    static const char *const names[] = {"main", "ship-1", "ship-2", "ship-bg0", "ship-bg1"};
    char name[32];
    ox_jobs_start(&(ox_jobs_def){.worker_count = 2, .background_count = 2, .thread_name = "ship"});
    ox_trace_begin(0);

    EXPECT_EQ(ox_trace_get_thread_count(), 5);
    for (int k = 0; k < 5; k++) {
        oxi_trace_name_thread(k, name, sizeof name);
        EXPECT_STR(name, names[k]);
    }
    ox_trace_clear();
    ox_jobs_stop();
}
