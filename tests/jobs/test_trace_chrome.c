// SPDX-License-Identifier: MIT
//
// A trace as text: every field of it, the arrows, and what is said when it cannot be written. Tests
// run without workers on a clock of their own. Runs on other threads are made up: what a thread
// would note is noted in its name.

#include "test.h"

#include "base/substitute.h"
#include "jobs/state.h"
#include "jobs/trace.h"
#include "oxbow/trace.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { START_NS = 1000000, LONG_TEXT = 1 << 20 };

static atomic_ullong clock_ns;
static char text[LONG_TEXT];

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
    atomic_fetch_add(&clock_ns, 250);
}

static void begin_trace(int events) {
    atomic_store(&clock_ns, START_NS);
    oxi_clock_set_source(read_test_clock, NULL);
    ox_jobs_start(&(ox_jobs_def){.worker_count = OX_NO_WORKERS, .thread_name = "ship"});
    EXPECT(ox_trace_begin(events));
}

static void end_trace(void) {
    ox_trace_clear();
    ox_jobs_stop();
    oxi_clock_set_source(NULL, NULL);
}

// Writes the trace, and reads it into `text`.
static void read_written(void) {
    char path[] = "/tmp/oxbow_traceXXXXXX";
    close(mkstemp(path));
    EXPECT(ox_trace_write_chrome(path));
    FILE *file = fopen(path, "rb");
    EXPECT(file != NULL);
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = 0;
    fclose(file);
    EXPECT_EQ(length, strlen(text));
    EXPECT_EQ(unlink(path), 0);
}

static int count_in_text(const char *part) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        count++;
    }
    return count;
}

// Notes a share of a job on a thread, from one time to another since the start.
static void add_share(int thread, ox_job job, uint64_t begin, uint64_t end) {
    oxi_this_runner = &oxi_jobs.runners[thread];
    atomic_store(&clock_ns, START_NS + end);
    oxi_trace_add_run((oxi_trace_mark){START_NS + begin}, oxi_slot_of(job));
    oxi_this_runner = &oxi_jobs.runners[0];
}

static void add_sleep(uint64_t ns) {
    oxi_trace_add_park(true);
    atomic_fetch_add(&clock_ns, ns);
    oxi_trace_add_park(false);
}

// The events of main, as they come.
static const ox_trace_event *get_events(int least) {
    int count;
    const ox_trace_event *events = ox_trace_get_events(0, &count);
    EXPECT(count >= least);
    return events;
}

static void print_handle(char *into, size_t size, ox_job job) {
    snprintf(into, size, "%u:%llu", (unsigned)oxi_job_index(job),
             (unsigned long long)oxi_job_version(job));
}

#define HEAD                                                                                       \
    "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"dropped\":%d},\"traceEvents\":["                 \
    "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"tid\":1,\"args\":{\"name\":\"oxbow\"}},"  \
    "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":1,\"args\":{\"name\":\"main\"}},"    \
    "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":2,\"args\":{\"name\":\"ship-bg0\"}}"

TEST(trace_chrome, has_every_field_of_two_jobs_and_their_arrow) {
    static char expected[4096];
    char a[64], b[64];
    begin_trace(0);
    atomic_fetch_add(&clock_ns, 100);
    ox_job first = ox_schedule(Take, OX_NO_JOB, {.ns = 1500});
    ox_job second = ox_schedule(Take, first, {.ns = 10});
    atomic_fetch_add(&clock_ns, 2000);
    ox_complete(second);

    read_written();

    const ox_trace_event *events = get_events(2);
    print_handle(a, sizeof a, first);
    print_handle(b, sizeof b, second);
    snprintf(expected, sizeof expected,
             HEAD
             ",{\"ph\":\"X\",\"name\":\"Take\",\"pid\":1,\"tid\":1,\"cat\":\"job\",\"ts\":2.1,"
             "\"dur\":1.5,\"args\":{\"job\":{\"handle\":\"%s\"},\"scheduled_at\":\"%s\","
             "\"held_by\":\"not kicked\",\"scheduled_us\":0.1,\"kicked_us\":2.1,\"ready_us\":0.1}},"
             "{\"ph\":\"X\",\"name\":\"Take\",\"pid\":1,\"tid\":1,\"cat\":\"job\",\"ts\":3.6,"
             "\"dur\":0.01,\"args\":{\"job\":{\"handle\":\"%s\"},\"scheduled_at\":\"%s\","
             "\"held_by\":\"dependency\",\"scheduled_us\":0.1,\"kicked_us\":2.1,\"ready_us\":3.6,"
             "\"waited_for\":{\"name\":\"Take\",\"handle\":\"%s\"}}},"
             "{\"ph\":\"s\",\"name\":\"dependency\",\"pid\":1,\"tid\":1,\"cat\":\"dependency\","
             "\"id\":1,\"ts\":3.599},{\"ph\":\"f\",\"name\":\"dependency\",\"pid\":1,\"tid\":1,"
             "\"cat\":\"dependency\",\"id\":1,\"ts\":3.6,\"bp\":\"e\"}]}\n",
             0, a, events[0].site, b, events[1].site, a);
    EXPECT_STR(text, expected);
    end_trace();
}

TEST(trace_chrome, has_the_ranges_of_a_parallel_job_before_the_job) {
    static char expected[4096];
    begin_trace(0);
    ox_run_for(Cover, 7, 7, {0});

    read_written();

    const ox_trace_event *events = get_events(2);
    snprintf(expected, sizeof expected,
             HEAD
             ",{\"ph\":\"X\",\"name\":\"Cover\",\"pid\":1,\"tid\":1,\"cat\":\"range\",\"ts\":0,"
             "\"dur\":0.25,\"args\":{\"begin\":0,\"end\":7}},"
             "{\"ph\":\"X\",\"name\":\"Cover\",\"pid\":1,\"tid\":1,\"cat\":\"job\",\"ts\":0,"
             "\"dur\":0.25,\"args\":{\"job\":{\"handle\":\"0:0\"},\"scheduled_at\":\"%s\","
             "\"held_by\":\"nothing\"}}]}\n",
             0, events[1].site);
    EXPECT_STR(text, expected);
    end_trace();
}

TEST(trace_chrome, says_what_was_dropped_and_when_a_thread_slept) {
    static char expected[4096];
    begin_trace(1);
    atomic_fetch_add(&clock_ns, 40);
    add_sleep(1000);
    add_sleep(1000);
    add_sleep(1000);

    read_written();

    snprintf(expected, sizeof expected,
             HEAD ",{\"ph\":\"X\",\"name\":\"park\",\"pid\":1,\"tid\":1,\"cat\":\"park\","
                  "\"ts\":0.04,\"dur\":1}]}\n",
             2);
    EXPECT_STR(text, expected);
    end_trace();
}

TEST(trace_chrome, draws_arrows_from_the_share_that_ended_last_to_the_one_that_began_first) {
    begin_trace(0);
    ox_job before = ox_schedule(Take, OX_NO_JOB, {.ns = 0});
    ox_job after = ox_schedule(Take, before, {.ns = 0});
    ox_job other = ox_schedule(Take, OX_NO_JOB, {.ns = 0});
    add_share(0, after, 7000, 7500);
    add_share(1, after, 6000, 9000);
    add_share(1, after, 6100, 9500);
    add_share(0, before, 1000, 4000);
    add_share(1, before, 1100, 5000);
    add_share(1, before, 900, 4500);
    add_share(0, other, 100, 200);

    read_written();

    EXPECT_EQ(count_in_text("\"ph\":\"X\""), 7);
    EXPECT_EQ(count_in_text("\"ph\":\"s\""), 1);
    EXPECT_EQ(count_in_text("\"ph\":\"f\""), 1);
    EXPECT_HAS(text, "\"ph\":\"s\",\"name\":\"dependency\",\"pid\":1,\"tid\":2,"
                     "\"cat\":\"dependency\",\"id\":1,\"ts\":4.999}");
    EXPECT_HAS(text, "\"ph\":\"f\",\"name\":\"dependency\",\"pid\":1,\"tid\":2,"
                     "\"cat\":\"dependency\",\"id\":1,\"ts\":6,\"bp\":\"e\"}");
    ox_complete(after, other);
    end_trace();
}

TEST(trace_chrome, numbers_the_arrows_of_a_chain_of_jobs) {
    char part[64];
    begin_trace(0);
    ox_job job = ox_schedule(Take, OX_NO_JOB, {.ns = 100});
    for (int k = 0; k < 5; k++) {
        job = ox_schedule(Take, job, {.ns = 100});
    }
    ox_complete(job);

    read_written();

    for (int k = 1; k <= 5; k++) {
        snprintf(part, sizeof part, "\"id\":%d,", k);
        EXPECT_EQ(count_in_text(part), 2);
    }
    EXPECT_EQ(count_in_text("\"id\":"), 10);
    end_trace();
}

TEST(trace_chrome, lets_the_arrow_of_a_job_without_length_leave_at_its_begin) {
    begin_trace(0);
    atomic_fetch_add(&clock_ns, 3000);
    ox_job first = ox_schedule(Take, OX_NO_JOB, {.ns = 0});
    ox_complete(ox_schedule(Take, first, {.ns = 5}));

    read_written();

    EXPECT_HAS(text, "\"id\":1,\"ts\":3}");
    EXPECT_HAS(text, "\"id\":1,\"ts\":3,\"bp\":\"e\"}");
    end_trace();
}

// A job that was not kicked yet has no such time: the start is told.
TEST(trace_chrome, tells_times_that_are_not_known_as_the_start) {
    begin_trace(0);
    atomic_fetch_add(&clock_ns, 1000);
    ox_job job = ox_schedule(Take, OX_NO_JOB, {.ns = 0});
    add_share(0, job, 2000, 3000);

    read_written();

    EXPECT_HAS(text, "\"scheduled_us\":1,\"kicked_us\":0,\"ready_us\":1}");
    ox_complete(job);
    end_trace();
}

TEST(trace_chrome, gives_no_name_to_a_predecessor_that_is_not_in_the_trace) {
    char part[128], handle[64];
    begin_trace(0);
    ox_trace_end();
    ox_job first = ox_schedule(Take, OX_NO_JOB, {.ns = 1});
    ox_complete(first);
    EXPECT(ox_trace_begin(0));
    ox_complete(ox_schedule(Take, first, {.ns = 1}));

    read_written();

    print_handle(handle, sizeof handle, first);
    snprintf(part, sizeof part, "\"waited_for\":{\"handle\":\"%s\"}", handle);
    EXPECT_HAS(text, part);
    EXPECT_EQ(count_in_text("\"ph\":\"s\""), 0);
    end_trace();
}

TEST(trace_chrome, of_many_pieces_is_whole) {
    enum { MANY = 2000 };
    begin_trace(0);
    for (int k = 0; k < MANY; k++) {
        ox_complete(ox_schedule(Take, OX_NO_JOB, {.ns = 10}));
    }

    read_written();

    EXPECT_EQ(count_in_text("{\"ph\":\"X\""), MANY);
    EXPECT_EQ(count_in_text("{\"ph\":"), MANY + 3);
    EXPECT_EQ(count_in_text("{\"displayTimeUnit\""), 1);
    EXPECT_STR(text + strlen(text) - 4, "}]}\n");
    end_trace();
}

// What goes wrong.

static void expect_not_written(const char *path, const char *why) {
    collected_reports reports = {0};
    collect_reports(&reports);
    EXPECT(!ox_trace_write_chrome(path));
    EXPECT_REPORT(&reports, OX_REPORT_TRACE_NOT_WRITTEN);
    EXPECT_HAS(reports.text, why);
}

TEST(trace_chrome, says_why_its_file_cannot_be_opened) {
    begin_trace(0);

    expect_not_written("/no/such/folder/trace.json", "No such file or directory");

    end_trace();
}

TEST(trace_chrome, says_why_its_file_cannot_be_written_at_the_end) {
    begin_trace(0);

    expect_not_written("/dev/full", "No space left on device");

    end_trace();
}

TEST(trace_chrome, says_why_a_piece_of_its_file_cannot_be_written) {
    begin_trace(0);
    for (int k = 0; k < 1000; k++) {
        add_sleep(10);
    }

    expect_not_written("/dev/full", "No space left on device");

    end_trace();
}

TEST(trace_chrome, says_how_much_memory_it_had_when_there_is_no_more) {
    collected_reports reports = {0};
    begin_trace(0);
    ox_complete(ox_schedule(Take, OX_NO_JOB, {10}));
    collect_reports(&reports);
    oxi_fault_plan(OXI_FAULT_FROM, 1); // the table of jobs has memory, and the text has none

    EXPECT(!ox_trace_write_chrome("/dev/null"));

    oxi_fault_plan(OXI_FAULT_NONE, 0);
    const char *told = strstr(reports.text, " bytes from the trace");
    EXPECT(told != NULL);
    while (told[-1] >= '0' && told[-1] <= '9') {
        told--;
    }
    uint64_t bytes = strtoull(told, NULL, 10);
    EXPECT(bytes > 0 && bytes < 100000);
    EXPECT_REPORT(&reports, OX_REPORT_OUT_OF_MEMORY);
    end_trace();
}
