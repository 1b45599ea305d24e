// SPDX-License-Identifier: MIT
//
// Writing to streams from jobs: what is read is what one thread would have written.

#include "test.h"

#include "jobs/jobs_test.h"
#include "oxbow/containers.h"

#include <string.h>

typedef struct contact {
    uint32_t index;
    uint8_t side;
    float depth[3];
} contact;

// How many values an index writes, 0 to 3, the same for every partition.
static uint32_t count_of_index(uint32_t number, uint32_t index) {
    uint32_t mixed = (number + 1) * 2654435761u ^ (index + 7) * 2246822519u;
    return (mixed ^ mixed >> 15) & 3;
}

// Each index writes a count, and then as many values, of a type that depends on the index.
static bool write_index(ox_stream_writer out, uint32_t number, uint32_t index) {
    uint32_t count = count_of_index(number, index);
    bool written = ox_stream_write(out, uint32_t, count);
    for (uint32_t k = 0; k < count && written; k++) {
        if (index % 2 == 0) {
            written = ox_stream_write(out, contact, {index, (uint8_t)k, {1, 2, (float)number}});
        } else {
            written = ox_stream_write(out, uint16_t, (uint16_t)(index + k));
        }
    }
    return written;
}

static void expect_index(ox_stream_reader *reader, uint32_t number, uint32_t index) {
    uint32_t count = ox_stream_reader_next(reader, uint32_t);
    EXPECT_EQ(count, count_of_index(number, index));
    for (uint32_t k = 0; k < count; k++) {
        if (index % 2 == 0) {
            contact read = ox_stream_reader_next(reader, contact);
            EXPECT(read.index == index && read.side == k && read.depth[2] == (float)number);
        } else {
            EXPECT_EQ(ox_stream_reader_next(reader, uint16_t), (uint16_t)(index + k));
        }
    }
}

OX_PARALLEL_JOB(WriteContacts, {
    ox_stream_writer out;
    uint32_t number;
}) {
    write_index(job->out, job->number, (uint32_t)i);
}

OX_JOB(WriteOne, {
    ox_stream_writer out;
    uint32_t number;
}) {
    write_index(job->out, job->number, 1);
}

static void expect_job(ox_stream_reader *reader, uint32_t number, int count) {
    for (int i = 0; i < count; i++) {
        expect_index(reader, number, (uint32_t)i);
    }
}

typedef struct round_plan {
    int counts[4];
    int batches[4];
    int job_count;
    bool settles;
} round_plan;

static round_plan plan_round(oxi_random *random) {
    round_plan plan = {.job_count = (int)oxi_random_range(random, 1, 4),
                       .settles = oxi_random_bool(random)};
    for (int k = 0; k < plan.job_count; k++) {
        plan.counts[k] = (int)oxi_random_below(random, k == 0 ? 3000 : 200);
        plan.batches[k] = (int)oxi_random_range(random, 1, 130);
    }
    return plan;
}

static void run_round(ox_stream stream, const round_plan *plan) {
    ox_stream_writer writer = ox_stream_writer_of(stream);
    ox_job last = OX_NO_JOB;
    ox_stream_write(writer, double, 0.5); // on main: before what jobs will write
    for (int k = 0; k < plan->job_count; k++) {
        last = ox_schedule_for(WriteContacts, plan->counts[k], plan->batches[k], last,
                               {writer, (uint32_t)k});
    }
    last = ox_schedule(WriteOne, last, {writer, 9});
    if (plan->settles) {
        last = ox_stream_merge_after(stream, last);
    }
    ox_complete(last);
    ox_stream_write(writer, double, 1.5); // behind it
}

static void expect_round(ox_stream_reader *reader, const round_plan *plan) {
    EXPECT_EQ(ox_stream_reader_next(reader, double), 0.5);
    for (int k = 0; k < plan->job_count; k++) {
        expect_job(reader, (uint32_t)k, plan->counts[k]);
    }
    expect_index(reader, 9, 1);
    EXPECT_EQ(ox_stream_reader_next(reader, double), 1.5);
}

TEST(stream_writer, any_number_of_workers_gives_what_one_thread_gives) {
    static const int workers[] = {0, 1, 2, 5, 16};
    shake_schedules(test_seed(8));
    for (int w = 0; w < 5; w++) {
        oxi_random random = oxi_random_seed(test_seed(12));
        start_workers_of_test(workers[w]);
        ox_stream stream = ox_stream_create(OX_PERSISTENT);
        for (uint64_t k = 0; k < test_scaled(30 / SLOWNESS + 1); k++) {
            round_plan first = plan_round(&random), second = plan_round(&random);
            run_round(stream, &first);
            run_round(stream, &second);
            ox_stream_reader reader = ox_stream_reader_of(stream);
            expect_round(&reader, &first);
            expect_round(&reader, &second);
            EXPECT(!ox_stream_reader_has_next(&reader));
            ox_stream_clear(stream);
        }
        ox_dispose(&stream);
        ox_jobs_stop();
    }
}

TEST(stream_writer, counting_and_clearing_see_what_is_pending) {
    start_workers_of_test(2);
    ox_stream stream = ox_stream_create(OX_TEMP_JOB);
    ox_stream_writer writer = ox_stream_writer_of(stream);
    int64_t expected = 0;
    for (uint32_t i = 0; i < 100; i++) {
        expected += 1 + count_of_index(4, i);
    }

    ox_complete(ox_schedule_for(WriteContacts, 100, 4, OX_NO_JOB, {writer, 4}));
    EXPECT(!ox_stream_is_empty(stream));
    EXPECT_EQ(ox_stream_count(stream), expected);
    ox_complete(ox_schedule_for(WriteContacts, 100, 4, OX_NO_JOB, {writer, 4}));
    ox_stream_clear(stream);

    EXPECT(ox_stream_is_empty(stream));
    EXPECT_EQ(ox_stream_count(stream), 0);
    ox_dispose(&stream);
    ox_jobs_stop();
}

OX_PARALLEL_JOB(ReadContacts, {
    OX_READ_ONLY ox_stream in;
    OX_NO_SAFETY oxi_atomic_u32 *read;
}) {
    uint32_t index = 0;
    ox_stream_reader reader = ox_stream_reader_of(job->in);
    while (ox_stream_reader_has_next(&reader)) {
        expect_index(&reader, 4, index++);
    }
    atomic_fetch_add(job->read, index);
}

TEST(stream_writer, many_readers_may_come_at_once_to_what_is_pending) {
    start_workers_of_test(5);
    shake_schedules(test_seed(9));
    for (int round = 0; round < 20; round++) {
        oxi_atomic_u32 read = 0;
        ox_stream stream = ox_stream_create(OX_PERSISTENT);

        ox_job written =
            ox_schedule_for(WriteContacts, 300, 8, OX_NO_JOB, {ox_stream_writer_of(stream), 4});
        ox_complete(ox_schedule_for(ReadContacts, 20, 1, written, {stream, &read}));

        EXPECT_EQ(atomic_load(&read), 20 * 300);
        ox_dispose(&stream);
    }
    ox_jobs_stop();
}

TEST(stream_writer, a_stream_can_be_disposed_after_the_job_that_writes) {
    start_workers_of_test(2);
    ox_stream stream = ox_stream_create(OX_TEMP_JOB);

    ox_job written =
        ox_schedule_for(WriteContacts, 500, 8, OX_NO_JOB, {ox_stream_writer_of(stream), 1});
    ox_job disposed = ox_dispose_after(&stream, written);

    EXPECT(!ox_stream_is_created(stream));
    EXPECT(disposed.value != 0);
    ox_complete(disposed);
    ox_jobs_stop();
    EXPECT_EQ(ox_memory_get_usage(OX_TEMP_JOB).block_count, 0);
}

static void write_as_stranger(void *context) {
    ox_stream_write(*(ox_stream_writer *)context, int, 1);
}

TEST(stream_writer, a_thread_without_a_job_may_not_write) {
    collected_reports reports = {0};
    start_workers_of_test(1);
    collect_reports(&reports);
    ox_stream stream = ox_stream_create(OX_PERSISTENT);
    ox_stream_writer writer = ox_stream_writer_of(stream);
    oxi_thread thread;

    EXPECT(oxi_thread_start(&thread, write_as_stranger, &writer, "stranger"));
    oxi_thread_join(&thread);

    EXPECT_REPORT(&reports, OX_REPORT_NOT_IN_JOB);
    EXPECT(ox_stream_is_empty(stream));
    ox_dispose(&stream);
    ox_jobs_stop();
}

TEST_CHECKED(stream_writer, a_reader_ends_when_a_job_has_written) {
    collected_reports reports = {0};
    start_workers_of_test(1);
    collect_reports(&reports);
    ox_stream stream = ox_stream_create(OX_PERSISTENT);
    ox_stream_writer writer = ox_stream_writer_of(stream);
    ox_stream_write(writer, int, 1);
    ox_stream_reader before = ox_stream_reader_of(stream);

    ox_job job = ox_schedule(WriteOne, OX_NO_JOB, {writer, 1});
    EXPECT_EQ(ox_stream_reader_peek(&before, int), 0);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    ox_complete(job);
    EXPECT_EQ(ox_stream_reader_peek(&before, int), 0); // while it is pending,
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_WHILE_READ);
    EXPECT(ox_stream_count(stream) > 1);
    EXPECT_EQ(ox_stream_reader_peek(&before, int), 0); // and when it is settled
    EXPECT_REPORT(&reports, OX_REPORT_CHANGED_WHILE_READ);

    ox_dispose(&stream);
    ox_jobs_stop();
}

TEST_CHECKED(stream_writer, main_leaves_a_stream_alone_while_a_job_writes) {
    collected_reports reports = {0};
    start_workers_of_test(1);
    collect_reports(&reports);
    ox_stream stream = ox_stream_create(OX_PERSISTENT);
    ox_stream_writer writer = ox_stream_writer_of(stream);
    ox_job job = ox_schedule(WriteOne, OX_NO_JOB, {writer, 1});

    EXPECT_EQ(ox_stream_count(stream), 0);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    EXPECT(!ox_stream_write(writer, int, 0));
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    EXPECT(ox_stream_reader_of(stream).state == NULL);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);
    ox_stream_clear(stream);
    EXPECT_REPORT(&reports, OX_REPORT_JOB_HOLDS);

    ox_complete(job);
    EXPECT(!ox_stream_is_empty(stream));
    ox_dispose(&stream);
    ox_jobs_stop();
    EXPECT_EQ(reports.count, 0);
}

OX_PARALLEL_JOB(WriteCounted, {
    ox_stream_writer out;
    OX_NO_SAFETY oxi_atomic_u32 *written;
}) {
    if (ox_stream_write(job->out, int, i)) {
        atomic_fetch_add(job->written, 1);
    }
}

// What was written before a refusal is there, in order, whatever failed.
static void write_through_refusals(void) {
    ox_stream stream = ox_stream_create(OX_PERSISTENT);
    if (!ox_stream_is_created(stream)) {
        return;
    }
    oxi_atomic_u32 written = 0;
    ox_stream_writer writer = ox_stream_writer_of(stream);
    ox_complete(ox_schedule_for(WriteCounted, 900, 20, OX_NO_JOB, {writer, &written}));
    ox_complete(ox_stream_merge_after(stream, OX_NO_JOB));
    ox_stream_reader reader = ox_stream_reader_of(stream);
    if (reader.state == NULL) {
        reader = ox_stream_reader_of(stream); // nothing is lost by the first try
    }
    uint32_t read = 0;
    for (int last = -1; ox_stream_reader_has_next(&reader); read++) {
        int value = ox_stream_reader_next(&reader, int);
        EXPECT(value > last);
        last = value;
    }
    EXPECT(reader.state == NULL || read == atomic_load(&written));
    ox_complete(ox_dispose_after(&stream, OX_NO_JOB));
    if (ox_stream_is_created(stream)) {
        ox_dispose(&stream);
    }
}

TEST(stream_writer, nothing_is_lost_when_memory_runs_out) {
    start_workers_of_test(0);
    test_fault_sweep("stream writer", write_through_refusals);
    ox_jobs_stop();
}

static void ignore_report(const ox_report *report, void *context) {
    (void)report;
    (void)context;
}

// Workers make memory of their own when they first take part, so no blocks are counted here.
TEST(stream_writer, nothing_is_lost_when_workers_run_out_of_memory) {
    start_workers_of_test(4);
    ox_report_set_handler((ox_report_handler){ignore_report, NULL});
    for (uint64_t k = 0; k < 60; k++) {
        oxi_fault_plan(k % 2 == 0 ? OXI_FAULT_ONE : OXI_FAULT_FROM, k / 2);
        write_through_refusals();
    }
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    ox_jobs_stop();
}
